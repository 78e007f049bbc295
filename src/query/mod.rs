//! What is asked of a problem, as a value, and the engines that answer.
//!
//! ```
//! use quadrille::constraint::SingleLoop;
//! use quadrille::query::{Query, Uniqueness};
//! use quadrille::problem::Problem;
//!
//! // Slitherlink on one cell: the four edges are drawn, or none is.
//! let text = "00 02 20 22 c | 01 10 12 21\n\
//!     00 01:0 10:0\n00 01:1 10:1\n02 01:0 12:0\n02 01:1 12:1\n\
//!     20 10:0 21:0\n20 10:1 21:1\n22 12:0 21:0\n22 12:1 21:1\nc\n";
//! let problem: Problem = Problem::parse(text)?;
//! assert_eq!(Query::new(&problem).count()?.to_string(), "2");
//! assert_eq!(Query::new(&problem).with(SingleLoop).count()?.to_string(), "1");
//! for solution in Query::new(&problem).limit(1).solutions()? {
//!     assert_eq!(solution.numbers().len(), 5);
//! }
//! match Query::new(&problem).with(SingleLoop).unique()? {
//!     Uniqueness::One(solution) => assert_eq!(solution.color("01"), Some("1".as_bytes())),
//!     Uniqueness::None | Uniqueness::Several(..) => unreachable!("one loop has these vertices"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod table;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use clap::ValueEnum;
use num_bigint::BigUint;

use crate::constraint::registry::{Origin, Unbound};
use crate::constraint::{Conjunction, Constraint, Constraints, Method};
use crate::ids::OptionId;
use crate::problem::Problem;
use crate::search::algorithm_m::branch_and_bound::Cheapest;
use crate::search::engine::{self, Engine, Status};
use crate::search::learn::backbone::{Facts, Order, Subject, facts};
use crate::search::learn::{self, Learn};
use crate::search::portfolio::{self, Count, Make};
use crate::search::{self, bits, memo};
use crate::solution::Choices;
use table::{Clash, Feature};

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// At most this many solutions.
    Solutions(u64),
    /// The number of solutions, up to this limit.
    Count(u64),
    /// Whether there is one solution: two at most.
    Unique,
    /// What all solutions have in common.
    Facts,
    /// This many of the cheapest solutions.
    Cheapest(u64),
    /// All solutions as a ZDD.
    Zdd,
}

/// Which engine is to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// The fastest for the question; the order of dlx2 unless there are constraints or a limit
    #[default]
    Auto,
    /// Dancing links: always the order of dlx2 and dlx2-loop
    Links,
    /// The same tree on bitmaps, for exact covers without constraints
    Bits,
    /// Learns from conflicts: large boards, few solutions, in an order that is not specified
    Learn,
    /// Counts without visiting, with --count, and makes ZDDs; another engine finds solutions
    Memo,
}

/// A question about a problem.
pub struct Query<'p> {
    problem: &'p Problem,
    /// Those that are not yet bound.
    wanted: Vec<Arc<dyn Constraint>>,
    constraints: Constraints,
    goal: Goal,
    engine: EngineName,
    prunes: bool,
    nodes: u64,
    /// Makes the propagators for an engine.
    make: Box<MakeShared<'p>>,
}

/// As [`Make`]; several threads may ask at once.
type MakeShared<'p> = dyn Fn(Method) -> Conjunction + Send + Sync + 'p;

impl fmt::Debug for Query<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Query { wanted, constraints, goal, engine, prunes, nodes, .. } = self;
        let mut text = f.debug_struct("Query");
        text.field("wanted", wanted).field("constraints", constraints).field("goal", goal);
        text.field("engine", engine).field("prunes", prunes).field("nodes", nodes);
        text.finish_non_exhaustive()
    }
}

/// Why a query has no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum QueryError {
    /// The names of the problem do not carry a constraint.
    Unbound(Unbound),
    /// What is asked does not go together.
    Clash(Clash),
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueryError::Unbound(Unbound { flag, error }) => write!(f, "{flag}: {error}"),
            QueryError::Clash(clash) => clash.fmt(f),
        }
    }
}

impl std::error::Error for QueryError {}

/// Whether there is one solution.
#[derive(Clone, Debug)]
pub enum Uniqueness<'p> {
    /// There is none.
    None,
    /// This one, and no other.
    One(Solution<'p>),
    /// These, and perhaps others.
    Several(Solution<'p>, Solution<'p>),
}

/// Options that cover a problem.
#[derive(Clone, Debug)]
pub struct Solution<'p> {
    problem: &'p Problem,
    options: Vec<OptionId>,
}

impl Solution<'_> {
    /// The numbers of the options, from 1, ascending.
    pub fn numbers(&self) -> Vec<u64> {
        self.options.iter().map(|option| option.index() as u64 + 1).collect()
    }

    /// The options, ascending.
    pub fn options(&self) -> &[OptionId] {
        &self.options
    }

    /// The color that the solution gives an item; `None` if it gives it none.
    pub fn color(&self, item: &str) -> Option<&[u8]> {
        let entries = self.options.iter().flat_map(|&option| self.problem.option(option));
        let mut colored = entries.filter(|entry| !entry.color.is_none());
        let entry = colored.find(|entry| self.problem.name(entry.item) == item.as_bytes())?;
        Some(self.problem.color_name(entry.color))
    }

    /// The sum of the costs of the options.
    pub fn cost(&self) -> u128 {
        self.problem.total_cost(&self.options)
    }
}

impl<'p> Query<'p> {
    /// All solutions of `problem`.
    pub fn new(problem: &'p Problem) -> Self {
        Query::under(problem, Constraints::default())
    }

    /// All solutions of `problem` under constraints that are bound to it.
    pub fn under(problem: &'p Problem, constraints: Constraints) -> Self {
        let (goal, engine) = (Goal::Solutions(u64::MAX), EngineName::Auto);
        let make: Box<MakeShared<'p>> = Box::new(|_| Conjunction::new());
        let wanted = Vec::new();
        Query { problem, wanted, constraints, goal, engine, prunes: true, nodes: u64::MAX, make }
            .remade()
    }

    /// The same under one more constraint, which is bound when the query is answered.
    #[must_use]
    pub fn with(mut self, constraint: impl Constraint + 'static) -> Self {
        self.wanted.push(Arc::new(constraint));
        self
    }

    /// The same, for another goal.
    #[must_use]
    pub fn goal(self, goal: Goal) -> Self {
        Query { goal, ..self }
    }

    /// At most this many solutions.
    #[must_use]
    pub fn limit(self, most: u64) -> Self {
        self.goal(Goal::Solutions(most))
    }

    /// The same, answered by this engine.
    #[must_use]
    pub fn by(self, engine: EngineName) -> Self {
        Query { engine, ..self }
    }

    /// The same; unless it `prunes`, constraints judge complete covers only.
    #[must_use]
    pub fn pruning(self, prunes: bool) -> Self {
        Query { prunes, ..self }.remade()
    }

    /// The same, within this many nodes; or conflicts, if the engine learns.
    #[must_use]
    pub fn nodes(self, nodes: u64) -> Self {
        Query { nodes, ..self }
    }

    fn remade(mut self) -> Self {
        let (problem, constraints, prunes) = (self.problem, self.constraints.clone(), self.prunes);
        self.make = Box::new(move |method| constraints.propagators(problem, method, prunes));
        self
    }

    /// Binds what is not yet bound, and sees that all goes together.
    fn ready(mut self) -> Result<Self, QueryError> {
        if !self.wanted.is_empty() {
            let wanted: Vec<&dyn Constraint> = self.wanted.iter().map(|one| &**one).collect();
            let bound = Constraints::bind(self.problem, Origin::Whole, &wanted, &mut |_| ());
            self.constraints = bound.map_err(QueryError::Unbound)?;
        }
        table::check(&self.parts()).map_err(QueryError::Clash)?;
        Ok(self.remade())
    }

    fn parts(&self) -> Vec<Feature> {
        let goal = match self.goal {
            Goal::Solutions(u64::MAX) => None,
            Goal::Solutions(_) => Some(Feature::Limit),
            Goal::Count(_) => Some(Feature::Count),
            Goal::Unique => Some(Feature::Unique),
            Goal::Facts => Some(Feature::Facts),
            Goal::Cheapest(_) => Some(Feature::Best),
            Goal::Zdd => Some(Feature::Zdd),
        };
        let engine = self.engine.part();
        let given = [
            (!self.wanted.is_empty() || !self.constraints.is_empty())
                .then_some(Feature::Constraint),
            (!self.prunes).then_some(Feature::NoPrune),
        ];
        let all = goal.into_iter().chain(engine).chain(given.into_iter().flatten());
        all.chain(table::of_problem(self.problem)).collect()
    }

    /// The problem.
    pub fn problem(&self) -> &'p Problem {
        self.problem
    }

    /// The constraints that are bound.
    pub fn constraints(&self) -> &Constraints {
        &self.constraints
    }

    /// After how many solutions the search may stop.
    pub fn enough(&self) -> u64 {
        match self.goal {
            Goal::Solutions(most) | Goal::Count(most) => most,
            Goal::Unique => 2,
            Goal::Facts | Goal::Cheapest(_) | Goal::Zdd => u64::MAX,
        }
    }

    /// How many nodes, or conflicts, there may be.
    pub fn most_nodes(&self) -> u64 {
        self.nodes
    }

    /// What an engine of this kind asks of covers.
    pub fn conjunction(&self, method: Method) -> Conjunction {
        (self.make)(method)
    }

    /// What makes that.
    pub fn make(&self) -> &Make<'p> {
        &*self.make
    }

    /// Whether the answer is a number, or a ZDD, that a memo may find.
    fn suits_memo(&self) -> bool {
        let all = matches!(self.goal, Goal::Count(u64::MAX));
        all && self.prunes && !self.problem.has_bounds()
    }

    /// Whether a memo is to answer.
    pub fn is_for_memo(&self) -> bool {
        self.engine == EngineName::Memo && self.suits_memo()
    }

    /// The engine that is asked first, and about how many bytes it needs.
    pub fn first_engine(&self) -> (&'static str, usize) {
        let problem = self.problem;
        match self.engine {
            EngineName::Memo if self.is_for_memo() || self.goal == Goal::Zdd => {
                ("memo", memo::memory(problem))
            }
            EngineName::Memo => ("memo", search::memory(problem)),
            EngineName::Bits => ("bits", bits::memory(problem)),
            EngineName::Learn => ("learn", learn::memory(problem)),
            EngineName::Links => ("links", search::memory(problem)),
            EngineName::Auto if self.constraints.is_empty() => ("auto", portfolio::memory(problem)),
            EngineName::Auto if self.enough() < u64::MAX => ("auto", learn::memory(problem)),
            EngineName::Auto => ("auto", search::memory(problem)),
        }
    }

    /// The engine that answers; a memo may take `room` bytes.
    pub fn engine(&self, room: usize) -> Box<dyn Engine + '_> {
        match self.engine {
            EngineName::Memo if self.suits_memo() => {
                Box::new(Count::by_memo(self.problem, self.make(), room, false))
            }
            EngineName::Auto if self.suits_memo() => {
                portfolio::count(self.problem, self.make(), room)
            }
            _ => self.visitor(),
        }
    }

    /// An engine that visits solutions.
    pub fn visitor(&self) -> Box<dyn Engine + 'p> {
        let problem = self.problem;
        let links = || search::links(problem, self.conjunction(Method::Backtracking));
        match self.engine {
            EngineName::Links => links(),
            EngineName::Bits => bits::engine(problem),
            _ if !self.prunes => links(),
            EngineName::Learn => Box::new(Learn::new(problem, self.conjunction(Method::Learning))),
            EngineName::Auto | EngineName::Memo => {
                portfolio::search(problem, self.make(), self.enough())
            }
        }
    }

    /// How many solutions there are.
    ///
    /// # Errors
    ///
    /// A constraint cannot be bound, or what is asked does not go together.
    pub fn count(self) -> Result<BigUint, QueryError> {
        let query = self.goal(Goal::Count(u64::MAX)).ready()?;
        let mut engine = query.engine(memo::ROOM);
        engine.limit(query.nodes);
        engine::run(&mut *engine, &mut |_: &dyn Choices| ControlFlow::Continue(()));
        Ok(engine.stats().total())
    }

    /// Solutions, as they are found.
    ///
    /// # Errors
    ///
    /// A constraint cannot be bound, or what is asked does not go together.
    pub fn solutions(self) -> Result<Solutions<'p>, QueryError> {
        let query = self.ready()?;
        let mut engine = query.visitor();
        engine.limit(query.nodes);
        Ok(Solutions { problem: query.problem, engine, left: query.enough() })
    }

    /// A solution, if there is one.
    ///
    /// # Errors
    ///
    /// A constraint cannot be bound, or what is asked does not go together.
    pub fn first(self) -> Result<Option<Solution<'p>>, QueryError> {
        Ok(self.limit(1).solutions()?.next())
    }

    /// Whether there is one solution.
    ///
    /// # Errors
    ///
    /// A constraint cannot be bound, or what is asked does not go together.
    pub fn unique(self) -> Result<Uniqueness<'p>, QueryError> {
        let mut found = self.goal(Goal::Unique).solutions()?;
        Ok(match (found.next(), found.next()) {
            (None, _) => Uniqueness::None,
            (Some(one), None) => Uniqueness::One(one),
            (Some(one), Some(other)) => Uniqueness::Several(one, other),
        })
    }

    /// The cheapest solutions, `most` at most, from the cheapest on.
    ///
    /// # Errors
    ///
    /// A constraint cannot be bound, or what is asked does not go together.
    pub fn cheapest(self, most: u64) -> Result<Vec<Solution<'p>>, QueryError> {
        let query = self.goal(Goal::Cheapest(most)).ready()?;
        let problem = query.problem;
        let mut engine = Cheapest::new(problem, query.conjunction(Method::Backtracking), most);
        engine.limit(query.nodes);
        engine::run(&mut engine, &mut |_: &dyn Choices| ControlFlow::Continue(()));
        let solution = |options| Solution { problem, options };
        Ok(engine.best().into_iter().map(|found| solution(found.options)).collect())
    }

    /// What all solutions have in common.
    ///
    /// # Errors
    ///
    /// A constraint cannot be bound, or what is asked does not go together.
    pub fn facts(self, subject: Subject) -> Result<Facts, QueryError> {
        let query = self.goal(Goal::Facts).ready()?;
        let make = || query.conjunction(Method::Learning);
        let mut go_on = |_: &_| Order::Continue;
        Ok(facts(query.problem, &make, subject, query.nodes, &mut go_on).0)
    }
}

impl EngineName {
    /// What asking for it is in the table of what goes together.
    pub fn part(self) -> Option<Feature> {
        match self {
            EngineName::Auto => None,
            EngineName::Links => Some(Feature::Links),
            EngineName::Bits => Some(Feature::Bits),
            EngineName::Learn => Some(Feature::Learn),
            EngineName::Memo => Some(Feature::Memo),
        }
    }
}

/// Solutions of a query, as they are found.
pub struct Solutions<'p> {
    problem: &'p Problem,
    engine: Box<dyn Engine + 'p>,
    left: u64,
}

impl fmt::Debug for Solutions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solutions").field("left", &self.left).finish_non_exhaustive()
    }
}

impl<'p> Iterator for Solutions<'p> {
    type Item = Solution<'p>;

    fn next(&mut self) -> Option<Solution<'p>> {
        self.left = self.left.checked_sub(1)?;
        let mut found = None;
        let mut sink = |choices: &dyn Choices| {
            let mut options = choices.cover();
            options.sort_unstable();
            found = Some(options);
            ControlFlow::Break(())
        };
        // An engine that is stopped by its sink goes on from there.
        while self.engine.run(u64::MAX, &mut sink) == Status::Paused {}
        if found.is_none() {
            self.left = 0;
        }
        found.map(|options| Solution { problem: self.problem, options })
    }
}
