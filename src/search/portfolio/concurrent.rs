//! A memo beside several threads that visit.

use crate::problem::Problem;
use crate::search::memo::Counter;
use crate::search::portfolio::count::{NODES, SLOW, first_nodes, plans_first};

/// What part of the time the memo should have beside threads that visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// None yet.
    None,
    /// Little: one of ten.
    Little,
    /// As much as each of them.
    Equal,
    /// All: they are not needed.
    All,
}

/// A memo beside several threads that visit a problem without rules.
pub struct ConcurrentMemo<'p> {
    problem: &'p Problem,
    room: usize,
    /// The memo, as soon as it is planned.
    pub counter: Option<Counter<'p>>,
}

impl<'p> ConcurrentMemo<'p> {
    /// A memo that may take `room` bytes.
    pub fn new(problem: &'p Problem, room: usize) -> Self {
        let mut beside = ConcurrentMemo { problem, room, counter: None };
        if plans_first(problem) {
            beside.plan();
        }
        beside
    }

    fn plan(&mut self) -> &Counter<'p> {
        let (problem, room) = (self.problem, self.room);
        self.counter.get_or_insert_with(|| Counter::new(problem, Vec::new(), room))
    }

    /// What part of the time it should have if so many nodes were visited, and so much of the tree is `done`.
    pub fn share(&mut self, nodes: u64, done: f64) -> Share {
        let planned = self.counter.as_ref();
        if planned.is_some_and(Counter::is_narrow) {
            return Share::All;
        }
        if nodes < first_nodes(self.problem) {
            return Share::None;
        }
        let counter = self.plan();
        match nodes < NODES {
            _ if counter.is_narrow() => Share::All,
            true => Share::None,
            false if counter.is_moderate() => Share::All,
            false if done < SLOW.0 => Share::Equal,
            false => Share::Little,
        }
    }
}
