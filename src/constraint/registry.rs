//! Constraints as values, and all that others need to know of one.
//!
//! | who | asks |
//! |---|---|
//! | the command line | [`Declaration`]: the flag, its help, its argument, what `check` says if all solutions satisfy it |
//! | readers of a file | [`Constraint::bind`]: what the constraint is in this problem, or why the names do not carry it |
//! | engines | [`BoundConstraint::propagator`], and the automata of that |
//! | `check --solutions`, `filter` | [`BoundConstraint::verifier`] |
//! | `check --proof` | [`BoundConstraint::judge`], [`Declaration::lemmas`] |
//! | checkpoints, plans, proofs | [`identity`], [`Constraints::flags`] |
//! | `reduce`, pictures | [`Declaration::role`] |
//!
//! Puzzles and other code ask for a constraint by value. Here three edges of a square are present, and the
//! fourth one closes the loop:
//!
//! ```
//! use quadrille::constraint::registry::Origin;
//! use quadrille::constraint::{Constraints, Method, SingleLoop};
//! use quadrille::{dlx, search};
//!
//! let text = b"00 02 20 22 a b | 01 10 12 21\n00\n02\n20\n22\na 01:1 10:1 12:1\nb 21:0\nb 21:1\n";
//! let problem = dlx::parse::read(&text[..]).unwrap().problem;
//! let constraints = Constraints::bind(&problem, Origin::Whole, &[&SingleLoop], &mut |_| ()).unwrap();
//! let propagators = constraints.propagators(&problem, Method::Backtracking, true);
//! let mut engine = search::links(&problem, propagators);
//! let mut covers = 0;
//! search::engine::run(&mut *engine, &mut |_: &dyn quadrille::solution::Choices| {
//!     covers += 1;
//!     std::ops::ControlFlow::Continue(())
//! });
//! assert_eq!((constraints.flags().as_str(), covers), ("--loop", 1));
//! ```

use std::fmt;
use std::sync::Arc;

use super::REGISTRY;
use crate::constraint::final_test::FinalTest;
use crate::constraint::graph::{BindError, Graph};
use crate::constraint::{Conjunction, Literal, Propagator};
use crate::ids::{Color, ItemId};
use crate::names::Role;
use crate::problem::Problem;

/// A condition on whole solutions, with its argument if it has one.
pub trait Constraint: fmt::Debug + Send + Sync {
    /// What is the same for all arguments.
    #[doc(hidden)]
    fn declaration(&self) -> &'static Declaration;

    /// The argument, if it has one.
    #[doc(hidden)]
    fn argument(&self) -> Option<&str> {
        None
    }

    /// Finds in the names of `problem` what the constraint is about.
    #[doc(hidden)]
    fn bind(&self, problem: &Problem, origin: Origin) -> Result<Binding, BindError>;
}

/// The constraint as a flag: `--loop`, `--connected=0`.
impl fmt::Display for dyn Constraint + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.declaration().flag)?;
        self.argument().map_or(Ok(()), |argument| write!(f, "={argument}"))
    }
}

/// A kind of constraint.
#[derive(Debug)]
pub struct Declaration {
    /// The flag: `--loop`.
    pub flag: &'static str,
    /// Its help, a line.
    pub help: &'static str,
    /// The argument, if the flag has one; then it may be repeated.
    pub argument: Option<Argument>,
    /// Makes the constraint of an argument, empty if it has none; or says what was expected.
    pub parse: fn(&str) -> Result<Arc<dyn Constraint>, String>,
    /// The places whose names and colors it reads: edges with their vertices, or cells. `reduce` leaves these alone.
    pub role: Role,
    /// What holds of a solution that satisfies it: `the loop closes`.
    pub claim: &'static str,
    /// What its lemmas are about, in the plural.
    pub about: &'static str,
    /// The words of the kinds of its lemmas.
    pub lemmas: &'static [&'static str],
}

/// The argument of a flag.
#[derive(Debug)]
pub struct Argument {
    /// How help calls it.
    pub name: &'static str,
    /// What it is if the flag stands alone.
    pub default: &'static str,
}

/// How a problem relates to the file that its author wrote. Where options are missing that the original has, a
/// color or a name may well be gone; in any other file that is a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is that file.
    Whole,
    /// `reduce` made it.
    Reduced,
    /// `split --copy` made it.
    Part,
}

/// A constraint that was bound to a problem.
#[derive(Debug)]
pub struct Binding {
    /// What it is there; `None` if every cover satisfies it.
    pub bound: Option<Arc<dyn BoundConstraint>>,
    /// What is to be said where there is nothing that it could be about.
    pub warning: Option<String>,
}

/// A constraint in one problem.
pub trait BoundConstraint: fmt::Debug + Send + Sync {
    /// What an engine of this kind asks.
    fn propagator(&self, problem: &Problem, method: Method) -> Box<dyn Propagator>;

    /// Judges finished solutions. Shares no code with the propagator.
    fn verifier(&self, problem: &Problem) -> Box<dyn Verify>;

    /// Judges lemmas. Shares no code with the propagator.
    fn judge(&self, problem: &Problem) -> Box<dyn JudgeLemma>;

    /// The graph whose edges of color `1` are one cycle in each solution, if the constraint says so: then
    /// solutions can be printed as tours.
    fn tour_graph(&self) -> Option<&Graph> {
        None
    }
}

/// How an engine searches: what a propagator does ahead of time pays for one and may not pay for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// As `links` does.
    Backtracking,
    /// As `learn` does.
    Learning,
}

/// Judges finished solutions, one at a time.
pub trait Verify: fmt::Debug {
    /// Whether the solution that gives items these colors satisfies the constraint; or what is wrong with it.
    fn verify(&mut self, color: &dyn Fn(ItemId) -> Option<Color>) -> Result<(), String>;
}

/// Judges lemmas, one at a time.
pub trait JudgeLemma: fmt::Debug {
    /// The literals that do not go together by the lemma of this kind with these names; or why it does not hold.
    /// `None` if the lemma is not about this constraint.
    fn judge(&self, problem: &Problem, kind: &[u8], names: &[&[u8]]) -> Option<Judgement>;
}

/// What is found of a lemma.
pub type Judgement = Result<Vec<Literal>, String>;

/// The constraints of a search, bound to its problem.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    bound: Vec<Arc<dyn BoundConstraint>>,
    flags: Vec<String>,
}

/// A constraint that cannot be bound.
#[derive(Debug)]
pub struct Unbound {
    /// Its flag.
    pub flag: &'static str,
    /// Why.
    pub error: BindError,
}

impl Constraints {
    /// Binds constraints to the names of a problem. Calls `warn` where one has nothing to be about.
    pub fn bind(
        problem: &Problem,
        origin: Origin,
        wanted: &[&dyn Constraint],
        warn: &mut dyn FnMut(&str),
    ) -> Result<Self, Unbound> {
        let mut constraints = Constraints::default();
        for &constraint in wanted {
            let flag = constraint.declaration().flag;
            let Binding { bound, warning } =
                constraint.bind(problem, origin).map_err(|error| Unbound { flag, error })?;
            constraints.bound.extend(bound);
            warning.iter().for_each(|what| warn(what));
        }
        for declaration in REGISTRY {
            let of_kind = wanted.iter().filter(|one| one.declaration().flag == declaration.flag);
            let mut texts: Vec<String> = of_kind.map(|one| one.to_string()).collect();
            texts.sort_unstable();
            texts.dedup();
            constraints.flags.append(&mut texts);
        }
        Ok(constraints)
    }

    /// Whether every cover satisfies them.
    pub fn is_empty(&self) -> bool {
        self.bound.is_empty()
    }

    /// The flags that ask for them, in one order and each once, bound to something or not: `--loop --connected=0`. With
    /// none, `none`.
    pub fn flags(&self) -> String {
        if self.flags.is_empty() { "none".into() } else { self.flags.join(" ") }
    }

    /// What an engine asks. Without pruning the propagators only judge complete solutions.
    pub fn propagators(&self, problem: &Problem, method: Method, prune: bool) -> Conjunction {
        let each = self.bound.iter().map(|bound| bound.propagator(problem, method));
        let wrap = |propagator: Box<dyn Propagator>| match prune {
            true => propagator,
            false => Box::new(FinalTest::new(Conjunction::from(vec![propagator]))),
        };
        Conjunction::from(each.map(wrap).collect::<Vec<_>>())
    }

    /// Who judges finished solutions.
    pub fn verifiers(&self, problem: &Problem) -> Vec<Box<dyn Verify>> {
        self.bound.iter().map(|bound| bound.verifier(problem)).collect()
    }

    /// Who judges lemmas.
    pub fn judges(&self, problem: &Problem) -> Vec<Box<dyn JudgeLemma>> {
        self.bound.iter().map(|bound| bound.judge(problem)).collect()
    }

    /// The graph in which each solution is a tour, if it is one.
    pub fn tour_graph(&self) -> Option<&Graph> {
        self.bound.iter().find_map(|bound| bound.tour_graph())
    }
}

/// What the flags of all constraints say, by flag: `true` or `false`, or the arguments, or `none`. Plans and
/// checkpoints have this in their identity.
pub fn identity(wanted: &[&dyn Constraint]) -> Vec<(&'static str, String)> {
    let value = |declaration: &Declaration| {
        let of_kind = || wanted.iter().filter(|one| one.declaration().flag == declaration.flag);
        let arguments: Vec<&str> = of_kind().filter_map(|one| one.argument()).collect();
        match declaration.argument {
            None => of_kind().next().is_some().to_string(),
            Some(_) if arguments.is_empty() => unused(declaration).into(),
            Some(_) => arguments.join(" "),
        }
    };
    REGISTRY.iter().map(|declaration| (declaration.flag, value(declaration))).collect()
}

/// What [`identity`] says of a flag that is not given; files that are older than the constraint lack it.
pub fn absent(flag: &str) -> Option<&'static str> {
    REGISTRY.iter().find(|declaration| declaration.flag == flag).map(|found| unused(found))
}

fn unused(declaration: &Declaration) -> &'static str {
    if declaration.argument.is_some() { "none" } else { "false" }
}

/// The flags of all constraints as a list in a sentence: `--loop or --connected`.
pub fn flags(conjunction: &str) -> String {
    let flags = REGISTRY.map(|declaration| declaration.flag);
    let (last, before) = flags.split_last().expect("there are constraints");
    format!("{} {conjunction} {last}", before.join(", "))
}

/// What holds of all solutions that satisfy these: `, the loop closes`, or nothing.
pub fn claims(wanted: &[&dyn Constraint]) -> String {
    let is_wanted = |declaration: &&&Declaration| {
        wanted.iter().any(|one| one.declaration().flag == declaration.flag)
    };
    REGISTRY.iter().filter(is_wanted).map(|wanted| format!(", {}", wanted.claim)).collect()
}

/// The roles of places that some constraint reads, each once.
pub fn roles() -> Vec<Role> {
    let mut roles: Vec<Role> = Vec::new();
    for declaration in REGISTRY {
        if !roles.contains(&declaration.role) {
            roles.push(declaration.role);
        }
    }
    roles
}

/// Why no constraint of the search judges the lemma of this kind with these names.
pub fn unjudged(kind: &[u8], names: &[&[u8]]) -> Option<String> {
    let is_of =
        |declaration: &&&Declaration| declaration.lemmas.iter().any(|word| word.as_bytes() == kind);
    let Declaration { flag, about, argument, .. } = REGISTRY.iter().find(is_of)?;
    let argument = names.first().filter(|_| argument.is_some());
    let argument =
        argument.map_or(String::new(), |name| format!("={}", String::from_utf8_lossy(name)));
    Some(format!("a lemma about {about}, but there is no rule {flag}{argument}"))
}
