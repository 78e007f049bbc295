//! What is asked of a problem, as a value, and the engines that answer.
//!
//! ```
//! use quadrille::{Problem, Query, Uniqueness, constraint::SingleLoop};
//!
//! // Slitherlink on one cell: the four edges are drawn, or none is.
//! let text = "00 02 20 22 c | 01 10 12 21\n\
//!     00 01:0 10:0\n00 01:1 10:1\n02 01:0 12:0\n02 01:1 12:1\n\
//!     20 10:0 21:0\n20 10:1 21:1\n22 12:0 21:0\n22 12:1 21:1\nc\n";
//! let problem = Problem::parse(text)?;
//! assert_eq!(Query::new(&problem).count()?, 2u32.into());
//! assert_eq!(Query::new(&problem).with(SingleLoop).count()?, 1u32.into());
//! for solution in Query::new(&problem).limit(1).solutions() {
//!     assert_eq!(solution?.numbers().len(), 5);
//! }
//! match Query::new(&problem).with(SingleLoop).unique()? {
//!     Uniqueness::One(solution) => assert_eq!(solution.color("01").as_deref(), Some("1")),
//!     Uniqueness::None | Uniqueness::Several(..) => unreachable!("one loop has these vertices"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod solution;
pub mod table;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use num_bigint::BigUint;

use crate::constraint::explained::Explained;
use crate::constraint::final_test::FinalTest;
use crate::constraint::registry::{Origin, Unbound};
use crate::constraint::{Conjunction, Constraint, Constraints, Method, Propagator};
use crate::problem::Problem;
use crate::search::algorithm_c::TreeSearch;
use crate::search::algorithm_m::branch_and_bound::Cheapest;
use crate::search::engine::Engine;
use crate::search::learn::backbone::{Facts, Order, Subject, facts};
use crate::search::learn::{self, Learn};
use crate::search::portfolio::{self, Count, Make};
use crate::search::{self, bits, memo};
use solution::Cancel;
pub use solution::{NameAndColor, Solution, Solutions, Uniqueness};
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
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

/// A question about a problem. What it is about is added step by step; the last call asks it.
pub struct Query<'p> {
    problem: &'p Problem,
    /// Those that are not yet bound.
    wanted: Vec<Arc<dyn Constraint>>,
    constraints: Constraints,
    /// Make the propagators that the caller brought along.
    own: Vec<Arc<MakeOwn<'p>>>,
    goal: Goal,
    engine: EngineName,
    prunes: bool,
    nodes: u64,
    cancel: Cancel,
    /// Makes the propagators for an engine.
    make: Box<MakeShared<'p>>,
}

/// As [`Make`]; several threads may ask at once.
type MakeShared<'p> = dyn Fn(Method) -> Conjunction + Send + Sync + 'p;

/// Makes one of them, for an engine that prunes or for one that does not.
type MakeOwn<'p> = dyn Fn(&Problem, bool) -> Box<dyn Propagator> + Send + Sync + 'p;

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
    Unbound(#[doc(hidden)] Unbound),
    /// What is asked does not go together.
    Clash(#[doc(hidden)] Clash),
    /// Another thread raised the flag of [`Query::cancelled_by`].
    Cancelled,
    /// The search took as many nodes as [`Query::nodes`] allows.
    NodeLimit,
    /// The search would take more memory than it may.
    Memory,
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueryError::Unbound(Unbound { flag, error }) => write!(f, "{flag}: {error}"),
            QueryError::Clash(clash) => clash.fmt(f),
            QueryError::Cancelled => f.write_str("the search was cancelled"),
            QueryError::NodeLimit => f.write_str("the search reached its limit of nodes"),
            QueryError::Memory => f.write_str("the search would take more memory than it may"),
        }
    }
}

impl std::error::Error for QueryError {}

impl<'p> Query<'p> {
    /// All solutions of `problem`.
    pub fn new(problem: &'p Problem) -> Self {
        Query::under(problem, Constraints::default())
    }

    /// All solutions of `problem` under constraints that are bound to it.
    #[doc(hidden)]
    pub fn under(problem: &'p Problem, constraints: Constraints) -> Self {
        let (goal, engine) = (Goal::Solutions(u64::MAX), EngineName::Auto);
        let make: Box<MakeShared<'p>> = Box::new(|_| Conjunction::new());
        Query {
            problem,
            wanted: Vec::new(),
            constraints,
            own: Vec::new(),
            goal,
            engine,
            prunes: true,
            nodes: u64::MAX,
            cancel: Cancel::default(),
            make,
        }
        .remade()
    }

    /// The same under one more constraint, which is bound when the query is answered.
    #[must_use]
    pub fn with(mut self, constraint: impl Constraint + 'static) -> Self {
        self.wanted.push(Arc::new(constraint));
        self
    }

    /// The same under a constraint of your own, which `make` makes for each search. It needs no reasons: where it
    /// gives none, all that it was told is one, so that it works with every engine. There is no proof of it.
    #[must_use]
    pub fn with_propagator<P: Propagator + 'static>(
        mut self,
        make: impl Fn(&Problem) -> P + Send + Sync + 'p,
    ) -> Self {
        self.own.push(Arc::new(move |problem, prunes| {
            let explained = Explained::new(make(problem));
            if prunes { Box::new(explained) } else { Box::new(FinalTest::new(explained)) }
        }));
        self.remade()
    }

    /// The same, until another thread sets `flag`; then the answer is [`QueryError::Cancelled`]. Takes some
    /// milliseconds.
    #[must_use]
    pub fn cancelled_by(self, flag: Arc<AtomicBool>) -> Self {
        Query { cancel: Cancel(Some(flag)), ..self }
    }

    /// The same, for another goal.
    #[doc(hidden)]
    #[must_use]
    pub fn goal(self, goal: Goal) -> Self {
        Query { goal, ..self }
    }

    /// The same, but at most this many solutions are looked for, or counted.
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
    #[doc(hidden)]
    #[must_use]
    pub fn pruning(self, prunes: bool) -> Self {
        Query { prunes, ..self }.remade()
    }

    /// The same, within this many nodes, or conflicts if the engine learns; if they do not suffice, the answer is
    /// [`QueryError::NodeLimit`].
    #[must_use]
    pub fn nodes(self, nodes: u64) -> Self {
        Query { nodes, ..self }
    }

    fn remade(mut self) -> Self {
        let (problem, constraints, prunes) = (self.problem, self.constraints.clone(), self.prunes);
        let own = self.own.clone();
        self.make = Box::new(move |method| {
            let mut all = constraints.propagators(problem, method, prunes);
            own.iter().for_each(|make| all.push(make(problem, prunes)));
            all
        });
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
            self.is_constrained().then_some(Feature::Constraint),
            (!self.prunes).then_some(Feature::NoPrune),
        ];
        let all = goal.into_iter().chain(engine).chain(given.into_iter().flatten());
        all.chain(table::of_problem(self.problem)).collect()
    }

    fn is_constrained(&self) -> bool {
        !(self.wanted.is_empty() && self.constraints.is_empty() && self.own.is_empty())
    }

    /// The problem.
    pub fn problem(&self) -> &'p Problem {
        self.problem
    }

    /// The constraints that are bound.
    #[doc(hidden)]
    pub fn constraints(&self) -> &Constraints {
        &self.constraints
    }

    /// After how many solutions the search may stop.
    #[doc(hidden)]
    pub fn enough(&self) -> u64 {
        match self.goal {
            Goal::Solutions(most) | Goal::Count(most) => most,
            Goal::Unique => 2,
            Goal::Facts | Goal::Cheapest(_) | Goal::Zdd => u64::MAX,
        }
    }

    /// How many nodes, or conflicts, there may be.
    #[doc(hidden)]
    pub fn most_nodes(&self) -> u64 {
        self.nodes
    }

    /// What an engine of this kind asks of covers.
    #[doc(hidden)]
    pub fn conjunction(&self, method: Method) -> Conjunction {
        (self.make)(method)
    }

    /// What makes that.
    #[doc(hidden)]
    pub fn make(&self) -> &Make<'p> {
        &*self.make
    }

    /// Whether the answer is a number, or a ZDD, that a memo may find.
    fn suits_memo(&self) -> bool {
        let all = matches!(self.goal, Goal::Count(u64::MAX));
        all && self.prunes && !self.problem.has_bounds()
    }

    /// Whether a memo is to answer.
    #[doc(hidden)]
    pub fn is_for_memo(&self) -> bool {
        self.engine == EngineName::Memo && self.suits_memo()
    }

    /// The engine that is asked first, and about how many bytes it needs.
    #[doc(hidden)]
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
            EngineName::Auto if !self.is_constrained() => ("auto", portfolio::memory(problem)),
            EngineName::Auto if self.enough() < u64::MAX => ("auto", learn::memory(problem)),
            EngineName::Auto => ("auto", search::memory(problem)),
        }
    }

    /// The engine that answers; a memo may take `room` bytes.
    #[doc(hidden)]
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

    /// An engine that can record its tree for a certificate.
    #[doc(hidden)]
    pub fn tree_search(&self) -> Box<dyn TreeSearch + 'p> {
        let plain = !self.is_constrained() && !self.problem.has_bounds();
        match self.engine {
            EngineName::Bits | EngineName::Auto if plain => bits::engine(self.problem),
            _ => search::links(self.problem, self.conjunction(Method::Backtracking)),
        }
    }

    /// An engine that visits solutions.
    #[doc(hidden)]
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

    /// How many solutions there are; no more than [`limit`](Self::limit), if there is one.
    ///
    /// # Errors
    ///
    /// A constraint cannot be bound, what is asked does not go together, or the search was ended.
    pub fn count(self) -> Result<BigUint, QueryError> {
        let most = self.enough();
        let query = self.goal(Goal::Count(most)).ready()?;
        let mut engine = query.engine(memo::ROOM);
        engine.limit(query.nodes);
        let mut visited = 0;
        query.cancel.run(&mut *engine, &mut |_| {
            visited += 1;
            if visited < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        let total = engine.stats().total();
        Ok(if most == u64::MAX { total } else { total.min(most.into()) })
    }

    /// Solutions, as they are found. If the search cannot begin or go on, one item is an error, the last one.
    pub fn solutions(self) -> Solutions<'p> {
        let problem = self.problem;
        match self.ready() {
            Err(error) => Solutions::refused(problem, error),
            Ok(query) => {
                let mut engine = query.visitor();
                engine.limit(query.nodes);
                Solutions::new(problem, engine, query.cancel.clone(), query.enough())
            }
        }
    }

    /// A solution, if there is one.
    ///
    /// # Errors
    ///
    /// A constraint cannot be bound, what is asked does not go together, or the search was ended.
    pub fn first(self) -> Result<Option<Solution<'p>>, QueryError> {
        self.limit(1).solutions().next().transpose()
    }

    /// Whether there is one solution.
    ///
    /// # Errors
    ///
    /// A constraint cannot be bound, what is asked does not go together, or the search was ended.
    pub fn unique(self) -> Result<Uniqueness<'p>, QueryError> {
        let mut found = self.goal(Goal::Unique).solutions();
        Ok(match (found.next().transpose()?, found.next().transpose()?) {
            (None, _) => Uniqueness::None,
            (Some(one), None) => Uniqueness::One(one),
            (Some(one), Some(other)) => Uniqueness::Several(one, other),
        })
    }

    /// The cheapest solutions, `most` at most, from the cheapest on.
    ///
    /// # Errors
    ///
    /// A constraint cannot be bound, what is asked does not go together, or the search was ended.
    pub fn cheapest(self, most: u64) -> Result<Vec<Solution<'p>>, QueryError> {
        let query = self.goal(Goal::Cheapest(most)).ready()?;
        let problem = query.problem;
        let mut engine = Cheapest::new(problem, query.conjunction(Method::Backtracking), most);
        engine.limit(query.nodes);
        query.cancel.run(&mut engine, &mut |_| ControlFlow::Continue(()))?;
        Ok(engine.best().into_iter().map(|found| Solution::new(problem, found.options)).collect())
    }

    /// What all solutions have in common. Within a limit of [`nodes`](Self::nodes), some of it may stay unknown.
    ///
    /// # Errors
    ///
    /// A constraint cannot be bound, what is asked does not go together, or the search was cancelled.
    pub fn facts(self, subject: Subject) -> Result<Facts, QueryError> {
        let query = self.goal(Goal::Facts).ready()?;
        let make = || query.conjunction(Method::Learning);
        let mut poll = |_: &_| if query.cancel.is_raised() { Order::Stop } else { Order::Continue };
        let found = facts(query.problem, &make, subject, query.nodes, &mut poll).0;
        if query.cancel.is_raised() { Err(QueryError::Cancelled) } else { Ok(found) }
    }
}

impl EngineName {
    /// What asking for it is in the table of what goes together.
    #[doc(hidden)]
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
