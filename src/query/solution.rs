//! Answers: solutions with names, and searches that can be left.

use std::borrow::Cow;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::QueryError;
use crate::ids::OptionId;
use crate::problem::{Entry, Problem};
use crate::search::engine::{Engine, Sink, Status, units};
use crate::solution::Choices;

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

impl<'p> Solution<'p> {
    #[doc(hidden)]
    pub fn new(problem: &'p Problem, mut options: Vec<OptionId>) -> Self {
        options.sort_unstable();
        Solution { problem, options }
    }

    /// The options, ascending.
    pub fn options(&self) -> &[OptionId] {
        &self.options
    }

    /// The numbers of the options, from 1, ascending.
    pub fn numbers(&self) -> Vec<u64> {
        self.options.iter().map(|option| option.index() as u64 + 1).collect()
    }

    /// The items of each option by name, each with its color if it has one. Bytes that are no UTF-8 are replaced.
    pub fn items(&self) -> impl Iterator<Item = Vec<NameAndColor<'p>>> + '_ {
        let problem = self.problem;
        let named = |Entry { item, color }: Entry| {
            let color = (!color.is_none()).then(|| problem.color_name(color));
            (String::from_utf8_lossy(problem.name(item)), color.map(String::from_utf8_lossy))
        };
        self.options.iter().map(move |&option| problem.option(option).iter().map(named).collect())
    }

    /// The color that the solution gives an item; `None` if it gives it none.
    pub fn color(&self, item: &str) -> Option<Cow<'p, str>> {
        let entries = self.options.iter().flat_map(|&option| self.problem.option(option));
        let mut colored = entries.filter(|entry| !entry.color.is_none());
        let entry = colored.find(|entry| self.problem.name(entry.item) == item.as_bytes())?;
        Some(String::from_utf8_lossy(self.problem.color_name(entry.color)))
    }

    /// The sum of the costs of the options.
    pub fn cost(&self) -> u128 {
        self.problem.total_cost(&self.options)
    }
}

/// The name of an item, and its color in an option.
pub type NameAndColor<'p> = (Cow<'p, str>, Option<Cow<'p, str>>);

/// The options as a file spells them, one a line.
impl fmt::Display for Solution<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, option) in self.items().enumerate() {
            f.write_str(if number == 0 { "" } else { "\n" })?;
            for (place, (name, color)) in option.into_iter().enumerate() {
                f.write_str(if place == 0 { "" } else { " " })?;
                f.write_str(&name)?;
                color.map_or(Ok(()), |color| write!(f, ":{color}"))?;
            }
        }
        Ok(())
    }
}

/// Solutions of a query, as they are found. A search that cannot go on gives one error, its last item.
pub struct Solutions<'p> {
    problem: &'p Problem,
    search: Result<Box<dyn Engine + 'p>, Option<QueryError>>,
    cancel: Cancel,
    left: u64,
}

impl<'p> Solutions<'p> {
    pub(super) fn new(
        problem: &'p Problem,
        engine: Box<dyn Engine + 'p>,
        cancel: Cancel,
        most: u64,
    ) -> Self {
        Solutions { problem, search: Ok(engine), cancel, left: most }
    }

    /// A search that cannot begin.
    pub(super) fn refused(problem: &'p Problem, error: QueryError) -> Self {
        Solutions { problem, search: Err(Some(error)), cancel: Cancel::default(), left: 0 }
    }
}

impl fmt::Debug for Solutions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solutions").field("left", &self.left).finish_non_exhaustive()
    }
}

impl<'p> Iterator for Solutions<'p> {
    type Item = Result<Solution<'p>, QueryError>;

    fn next(&mut self) -> Option<Self::Item> {
        let engine = match &mut self.search {
            Ok(engine) => engine,
            Err(error) => return error.take().map(Err),
        };
        self.left = self.left.checked_sub(1)?;
        let mut found = None;
        // An engine that is stopped by its sink goes on from there.
        let ended = self.cancel.run(&mut **engine, &mut |choices| {
            found = Some(choices.cover());
            ControlFlow::Break(())
        });
        if ended.is_err() || found.is_none() {
            self.search = Err(None);
        }
        match ended {
            Err(error) => Some(Err(error)),
            Ok(_) => found.map(|options| Ok(Solution::new(self.problem, options))),
        }
    }
}

/// A flag that another thread may raise to end a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Cancel(pub(super) Option<Arc<AtomicBool>>);

/// Effort between two looks at the flag, about 5 ms.
const TURN: u64 = 5_000_000;

impl Cancel {
    pub(super) fn is_raised(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Runs an engine until it ends, or `visit` stops it, or the flag is raised.
    pub(super) fn run(
        &self,
        engine: &mut dyn Engine,
        visit: &mut dyn FnMut(&dyn Choices) -> ControlFlow<()>,
    ) -> Result<Status, QueryError> {
        let mut sink = CancellableSink { visit, cancel: self };
        loop {
            if self.is_raised() {
                return Err(QueryError::Cancelled);
            }
            let work = if self.0.is_some() { units(engine, TURN).max(1) } else { u64::MAX };
            match engine.run(work, &mut sink) {
                Status::Paused => {}
                Status::Stopped if self.is_raised() => return Err(QueryError::Cancelled),
                Status::Limit => return Err(QueryError::NodeLimit),
                Status::Full => return Err(QueryError::Memory),
                status @ (Status::Exhausted | Status::Stopped) => return Ok(status),
            }
        }
    }
}

/// Where solutions go, until the flag is raised.
struct CancellableSink<'v> {
    visit: &'v mut dyn FnMut(&dyn Choices) -> ControlFlow<()>,
    cancel: &'v Cancel,
}

impl Sink for CancellableSink<'_> {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        (self.visit)(choices)
    }

    fn poll(&mut self) -> ControlFlow<()> {
        if self.cancel.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
