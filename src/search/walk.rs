//! The backtracking loop of the chronological engines: Algorithm C, TAOCP 7.2.2.1, as Knuth's
//! `dlx2` runs it.
//!
//! The loop owns what `dlx2`, `ssxcc` and their kin each write anew: counting nodes, limits, calls to
//! the constraint, and visits. What is covered, and how that is undone, is the engine's
//! ([`Store`]). There is no recursion; levels live in the store. A loop visits a [`Stretch`] of the
//! tree, usually all of it.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use crate::constraint::Constraint;
use crate::search::stats::Stats;
use crate::search::store::Store;
use crate::search::stretch::{Bounds, Stretch};
use crate::search::{End, Limits, Moment, Observer};
use crate::solution::{Choice, Choices};

/// Who gives a loop its work, and is told what comes of it.
pub trait Hand {
    /// The next stretch to visit, if there is one.
    fn take(&mut self) -> Option<Stretch>;

    /// A solution was found.
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()>;

    /// The attention flag was up: the search is about to enter the node to which the choices lead.
    /// `bounds` may be drawn in; then somebody else has to visit what was cut off.
    fn pause(&mut self, moment: &Moment<'_>, bounds: &mut Bounds) -> ControlFlow<()>;

    /// As many nodes were visited as [`Limits::nodes`] allows: how many in all may it be?
    fn more(&mut self, stats: &Stats) -> u64 {
        stats.nodes
    }

    /// The stretch that was taken last is visited up to `left`, for this reason.
    fn put(&mut self, end: End, left: Option<Stretch>, stats: &Stats);

    /// The stretch that was taken last is none of this problem's: it leads to choices that the
    /// search never makes. No other will be taken.
    fn misfit(&mut self);
}

/// Visits every solution, and reports to `observer`.
pub fn walk<S: Store, C: Constraint>(
    store: &mut S,
    constraint: &mut C,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> (End, Stats) {
    let mut whole = Whole::new(observer);
    let stats = work(store, constraint, limits, &mut whole);
    (whole.end, stats)
}

/// Visits every solution on the stretches that `hand` gives it. `store` must have no open level.
pub fn work<S: Store, C: Constraint>(
    store: &mut S,
    constraint: &mut C,
    limits: &Limits<'_>,
    hand: &mut dyn Hand,
) -> Stats {
    let mut walk =
        Walk { store, constraint, limits, hand, stats: Stats::default(), before: (0, 0) };
    while let Some(stretch) = walk.hand.take() {
        if !walk.descend(&stretch) {
            walk.hand.misfit();
            break;
        }
        let mut bounds = stretch.bounds;
        let end = walk.search(&mut bounds, stretch.after);
        walk.count();
        let left = match end {
            End::Exhausted => None,
            End::Stopped if walk.store.levels() == 0 && walk.store.done() => None,
            // A solution ends a search after it, all else before it enters a node.
            End::Stopped if walk.store.done() => Some(Stretch::rest_after(&*walk.store, bounds)),
            End::Stopped | End::NodeLimit | End::Full => Some(Stretch::rest(&*walk.store, bounds)),
        };
        walk.hand.put(end, left, &walk.stats);
        walk.ascend();
    }
    walk.stats
}

/// Makes the choices of a path; false if the search never makes them. What is done for a choice
/// `after` which to go on is only that its level is opened.
pub fn replay<S: Store, C: Constraint>(
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

struct Walk<'a, S, C> {
    store: &'a mut S,
    constraint: &'a mut C,
    limits: &'a Limits<'a>,
    hand: &'a mut dyn Hand,
    stats: Stats,
    /// What the store has counted during replays.
    before: (u64, u64),
}

impl<S: Store, C: Constraint> Walk<'_, S, C> {
    fn descend(&mut self, stretch: &Stretch) -> bool {
        let (updates, cleansings) = self.store.counters();
        let fits = replay(self.store, self.constraint, &stretch.path, stretch.after);
        let counted = self.store.counters();
        self.before.0 += counted.0 - updates;
        self.before.1 += counted.1 - cleansings;
        fits
    }

    /// Undoes the choices above a floor.
    fn ascend(&mut self) {
        while self.store.levels() > 0 {
            self.store.undo();
            self.constraint.backtrack(self.store.levels() - 1);
            self.store.close();
        }
        self.store.rewind();
    }

    fn count(&mut self) {
        let (updates, cleansings) = self.store.counters();
        self.stats.updates = updates - self.before.0;
        self.stats.cleansings = cleansings - self.before.1;
    }

    fn pause(&mut self, bounds: &mut Bounds) -> ControlFlow<()> {
        self.limits.attention.store(false, Ordering::Relaxed);
        self.count();
        let moment = Moment { stats: &self.stats, choices: &*self.store };
        self.hand.pause(&moment, bounds)
    }

    fn search(&mut self, limit: &mut Bounds, after: bool) -> End {
        // C1 [Initialize.] A problem without primary items cannot be written; it has one solution.
        // After a choice of the last item nothing is left, either, but its level is open.
        if !after && self.store.done() {
            if self.limits.nodes == 0 {
                return End::NodeLimit;
            }
            self.stats.enter(0);
            return match self.complete() {
                ControlFlow::Continue(()) => End::Exhausted,
                ControlFlow::Break(()) => End::Stopped,
            };
        }
        let (mut bounds, mut most) = (*limit, self.limits.nodes);
        let mut level = self.store.levels() - usize::from(after);
        let mut enters = !after;
        // C2 [Enter level l.]
        'enter: loop {
            if enters {
                if self.stats.nodes >= most {
                    most = self.hand.more(&self.stats);
                    if self.stats.nodes >= most {
                        return End::NodeLimit;
                    }
                }
                if self.limits.attention.load(Ordering::Relaxed) {
                    let paused = self.pause(limit);
                    bounds = *limit;
                    if paused.is_break() {
                        return End::Stopped;
                    }
                }
                self.stats.enter(level);
                // C3, C4 [Choose i, cover i.]
                self.store.branch();
            }
            enters = true;
            loop {
                // C5 [Try x.]
                if (level == bounds.floor && self.store.rank() >= bounds.to) || !self.store.next() {
                    // C7 [Backtrack.]
                    self.store.close();
                    if level == bounds.floor {
                        return End::Exhausted;
                    }
                    level -= 1;
                    self.store.undo();
                    self.constraint.backtrack(level);
                    continue;
                }
                self.constraint.mark();
                if !self.store.commit(self.constraint) {
                    self.constraint.backtrack(level);
                    continue;
                }
                let stands = self.constraint.settle(self.store).is_fine();
                if stands && self.store.done() {
                    // C8 [Visit.] A solution is a node of its own.
                    self.stats.enter(level + 1);
                    if self.complete().is_break() {
                        return End::Stopped;
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

    /// All primary items are covered: the constraint has the last word.
    fn complete(&mut self) -> ControlFlow<()> {
        if !self.constraint.complete().is_fine() {
            return ControlFlow::Continue(());
        }
        self.stats.solutions += 1;
        self.hand.solution(&*self.store)
    }
}

/// One stretch, all of the tree, for an observer.
pub struct Whole<'a> {
    observer: &'a mut dyn Observer,
    taken: bool,
    /// Why the search ended.
    pub end: End,
}

impl<'a> Whole<'a> {
    /// A search whose solutions go to `observer`.
    pub fn new(observer: &'a mut dyn Observer) -> Self {
        Whole { observer, taken: false, end: End::Exhausted }
    }
}

impl Hand for Whole<'_> {
    fn take(&mut self) -> Option<Stretch> {
        (!std::mem::replace(&mut self.taken, true)).then(Stretch::whole)
    }

    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        self.observer.solution(choices)
    }

    fn pause(&mut self, moment: &Moment<'_>, _: &mut Bounds) -> ControlFlow<()> {
        self.observer.tick(moment)
    }

    fn more(&mut self, stats: &Stats) -> u64 {
        self.observer.more(stats)
    }

    fn put(&mut self, end: End, _: Option<Stretch>, _: &Stats) {
        self.end = end;
    }

    fn misfit(&mut self) {
        unreachable!("a path of no choices leads somewhere")
    }
}
