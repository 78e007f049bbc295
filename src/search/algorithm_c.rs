//! The backtracking loop of the chronological engines: Algorithm C, TAOCP 7.2.2.1, as Knuth's
//! `dlx2` runs it. Covering and purifying are in `dancing_links`.
//!
//! The loop owns what `dlx2`, `ssxcc` and their kin each write anew: counting nodes, budgets, calls to
//! the constraint, and visits. What is covered, and how that is undone, is the store's
//! ([`Store`]). There is no recursion; levels live in the store. So the search can be left at any node,
//! and where it stands is a path: it visits an [`Interval`] of the tree, usually all of it.

use std::cell::RefCell;
use std::ops::ControlFlow;

use crate::constraint::Propagator;
use crate::problem::Problem;
use crate::search::engine::{Engine, Sink, Status};
use crate::search::interval::{Bounds, Interval, cut};
use crate::search::replay::{Replayed, Replayer};
use crate::search::stats::Stats;
use crate::search::store::Store;
use crate::search::certificate_log::{Recorded, Trace};
use crate::solution::{Choice, Choices};

/// An engine that visits a tree from left to right, so that it can be given any interval of it, and
/// what is left is an interval again.
pub trait TreeSearch: Engine {
    /// Leaves where it is, and begins with `interval`; false if that is none of this problem's: it leads
    /// to choices that the search never makes.
    fn begin(&mut self, interval: &Interval) -> bool;

    /// From now on it records what it does; it has not begun yet.
    fn record(&mut self);

    /// What is left, if anything is.
    fn rest(&self) -> Option<Interval>;

    /// Where it ends.
    fn bounds(&self) -> Bounds;

    /// Cuts off the options that it has not tried on `level`, which is
    /// [open](crate::search::interval::open); and, as a second interval, what comes after them, if there
    /// is anything.
    fn split(&mut self, level: usize) -> (Interval, Option<Interval>);
}

/// Makes the choices of a path; false if the search never makes them. What is done for a choice
/// `after` which to go on is only that its level is opened.
pub fn replay<S: Store, C: Propagator>(
    store: &mut S,
    constraint: &mut C,
    path: &[Choice],
    after: bool,
) -> bool {
    for (level, choice) in path.iter().enumerate() {
        if store.done() {
            return false;
        }
        store.branch();
        for _ in 0..choice.rank {
            if !store.next() {
                return false;
            }
        }
        if store.choice(level) != *choice {
            return false;
        }
        if after && level + 1 == path.len() {
            return true;
        }
        constraint.mark();
        if !store.commit(constraint) || !constraint.settle(store).is_fine() {
            return false;
        }
    }
    // A cover is no place to begin at.
    path.is_empty() || !store.done()
}

/// Takes the current option; false, and nothing is done, if the constraint refuses. The loop of [`Walk`] does not call
/// this, since it looks for solutions before it takes anything back.
pub fn take<S: Store, C: Propagator>(store: &mut S, constraint: &mut C) -> bool {
    let level = store.levels() - 1;
    constraint.mark();
    let stands = store.commit(constraint);
    if stands && constraint.settle(store).is_fine() {
        return true;
    }
    if stands {
        store.undo();
    }
    constraint.backtrack(level);
    false
}

/// Where a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// About to enter the node to which the choices lead.
    Node,
    /// Behind the solution that the choices are.
    Solution,
    /// In the middle of an option list: the choice of the newest level was tried.
    List,
    /// At its end.
    End,
}

/// A search of the tree that a store spans.
pub struct Walk<'p, S, C> {
    name: &'static str,
    problem: &'p Problem,
    /// The state.
    pub store: S,
    constraint: C,
    bounds: Bounds,
    at: At,
    stats: Stats,
    /// The nodes that it may visit.
    limit: u64,
    /// What the store has counted during replays.
    before: (u64, u64),
    /// If the constraint forbids: makes the choices of a search without it.
    replayer: Option<RefCell<Option<Replayer>>>,
    /// If a certificate is wanted.
    trace: Option<Trace<'p>>,
}

impl<'p, S: Store, C: Propagator> Walk<'p, S, C> {
    /// A search of all of the tree of `problem`, of which `store` has no open level.
    pub fn new(name: &'static str, problem: &'p Problem, store: S, constraint: C) -> Self {
        let replayer = constraint.forbids().then(RefCell::default);
        Walk {
            name,
            problem,
            store,
            constraint,
            bounds: Interval::whole().bounds,
            at: At::Node,
            stats: Stats::default(),
            limit: u64::MAX,
            before: (0, 0),
            replayer,
            trace: None,
        }
    }

    /// Takes back all choices.
    fn ascend(&mut self) {
        // In the middle of a list the choice of the newest level is taken back already.
        let mut committed = self.at != At::List;
        while self.store.levels() > 0 {
            if committed {
                self.store.undo();
                self.constraint.backtrack(self.store.levels() - 1);
            }
            self.store.close();
            committed = true;
        }
        self.store.rewind();
    }

    fn search(&mut self, most: u64, sink: &mut dyn Sink) -> Status {
        // C1 [Initialize.] A problem without primary items cannot be written; it has one solution.
        if self.at == At::Node && self.store.done() {
            if self.stats.nodes >= most {
                return Status::Paused;
            }
            self.stats.enter(0);
            self.at = At::End;
            return match self.complete(sink) {
                ControlFlow::Continue(()) => Status::Exhausted,
                ControlFlow::Break(()) => Status::Stopped,
            };
        }
        let bounds = self.bounds;
        let mut level = match self.at {
            At::Node => self.store.levels(),
            At::List => self.store.levels() - 1,
            At::Solution => {
                let level = self.store.levels() - 1;
                self.store.undo();
                self.constraint.backtrack(level);
                level
            }
            At::End => return Status::Exhausted,
        };
        let mut enters = self.at == At::Node;
        // C2 [Enter level l.]
        'enter: loop {
            if enters {
                if self.stats.nodes >= most {
                    self.at = At::Node;
                    return Status::Paused;
                }
                self.stats.enter(level);
                // C3, C4 [Choose i, cover i.]
                self.store.branch();
                if let Some(trace) = &mut self.trace {
                    trace.branch(self.store.item());
                }
            }
            enters = true;
            loop {
                // C5 [Try x.]
                if (level == bounds.floor && self.store.rank() >= bounds.to) || !self.store.next() {
                    // C7 [Backtrack.]
                    self.store.close();
                    if level == bounds.floor {
                        self.at = At::End;
                        return Status::Exhausted;
                    }
                    level -= 1;
                    self.store.undo();
                    self.constraint.backtrack(level);
                    continue;
                }
                self.constraint.mark();
                if !self.store.commit(&mut self.constraint) {
                    self.record_cut();
                    self.constraint.backtrack(level);
                    continue;
                }
                let stands = self.settle();
                if stands && self.store.done() {
                    // C8 [Visit.] A solution is a node of its own.
                    self.stats.enter(level + 1);
                    if self.complete(sink).is_break() {
                        self.at = At::Solution;
                        return Status::Stopped;
                    }
                } else if stands {
                    level += 1;
                    continue 'enter;
                }
                // C6 [Try again.]
                self.store.undo();
                self.constraint.backtrack(level);
            }
        }
    }

    /// The option stands; does the constraint agree?
    fn settle(&mut self) -> bool {
        match &mut self.trace {
            None => self.constraint.settle(&mut self.store).is_fine(),
            Some(trace) => {
                let mut recorded = Recorded { moves: &mut self.store, trace };
                let stands = self.constraint.settle(&mut recorded).is_fine();
                if !stands {
                    self.record_cut();
                }
                stands
            }
        }
    }

    /// Right after the constraint refused: says why.
    fn record_cut(&mut self) {
        if let Some(trace) = &mut self.trace {
            trace.cut(|reason| self.constraint.explain(reason));
        }
    }

    /// All primary items are covered: the constraint has the last word.
    fn complete(&mut self, sink: &mut dyn Sink) -> ControlFlow<()> {
        if let Some(trace) = &mut self.trace {
            trace.covered();
        }
        if !self.constraint.complete().is_fine() {
            return ControlFlow::Continue(());
        }
        self.stats.solutions += 1;
        match &self.replayer {
            None => sink.solution(&self.store),
            Some(replayer) => {
                let cover = || self.store.options();
                sink.solution(&Replayed::new(self.problem, replayer, &cover))
            }
        }
    }
}

impl<S: Store, C: Propagator> Engine for Walk<'_, S, C> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, work: u64, sink: &mut dyn Sink) -> Status {
        let most = self.stats.nodes.saturating_add(work).min(self.limit);
        match self.search(most, sink) {
            Status::Paused if self.stats.nodes >= self.limit => Status::Limit,
            status => status,
        }
    }

    fn limit(&mut self, nodes: u64) {
        self.limit = nodes;
    }

    fn stats(&self) -> Stats {
        let (updates, cleansings) = self.store.counters();
        Stats {
            updates: updates - self.before.0,
            cleansings: cleansings - self.before.1,
            ..self.stats.clone()
        }
    }

    fn work(&self) -> u64 {
        self.stats.nodes
    }

    fn effort(&self) -> u64 {
        self.store.effort(self.stats.nodes)
    }

    fn choices(&self) -> &dyn Choices {
        &self.store
    }

    fn recorded(&mut self) -> Option<(&mut Vec<u8>, bool)> {
        self.trace.as_mut().map(|trace| (&mut trace.bytes, trace.unfounded))
    }
}

impl<S: Store, C: Propagator> TreeSearch for Walk<'_, S, C> {
    fn record(&mut self) {
        self.trace = Some(Trace::new(self.problem));
    }

    fn begin(&mut self, interval: &Interval) -> bool {
        self.ascend();
        let (updates, cleansings) = self.store.counters();
        let fits = replay(&mut self.store, &mut self.constraint, &interval.path, interval.after);
        // A replay counts nothing.
        let counted = self.store.counters();
        self.before.0 += counted.0 - updates;
        self.before.1 += counted.1 - cleansings;
        self.bounds = interval.bounds;
        self.at = if interval.after { At::List } else { At::Node };
        fits
    }

    fn rest(&self) -> Option<Interval> {
        match self.at {
            At::Node => Some(Interval::rest(&self.store, self.bounds)),
            At::Solution | At::List => Some(Interval::rest_after(&self.store, self.bounds)),
            At::End => None,
        }
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn split(&mut self, level: usize) -> (Interval, Option<Interval>) {
        cut(&self.store, &mut self.bounds, level)
    }
}
