//! The backtracking loop of the chronological engines: Algorithm C, TAOCP 7.2.2.1, as Knuth's
//! `dlx2` runs it.
//!
//! The loop owns what `dlx2`, `ssxcc` and their kin each write anew: counting nodes, limits, calls to
//! the constraint, and visits. What is covered, and how that is undone, is the engine's
//! ([`Store`]). There is no recursion; levels live in the store.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use crate::constraint::Constraint;
use crate::search::stats::Stats;
use crate::search::store::Store;
use crate::search::{End, Limits, Moment, Observer};

/// Visits every solution below the state of `store`, and reports to `observer`.
pub fn walk<S: Store, C: Constraint>(
    store: &mut S,
    constraint: &mut C,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> (End, Stats) {
    let mut stats = Stats::default();
    let end = search(store, constraint, limits, observer, &mut stats);
    (stats.updates, stats.cleansings) = store.counters();
    (end, stats)
}

fn search<S: Store, C: Constraint>(
    store: &mut S,
    constraint: &mut C,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
    stats: &mut Stats,
) -> End {
    let mut most = limits.nodes;
    if most == 0 {
        return End::NodeLimit;
    }
    // C1 [Initialize.] A problem without primary items cannot be written; it has one solution.
    if store.done() {
        stats.enter(0);
        return match complete(store, constraint, observer, stats) {
            ControlFlow::Continue(()) => End::Exhausted,
            ControlFlow::Break(()) => End::Stopped,
        };
    }
    let mut level = 0;
    // C2 [Enter level l.]
    'enter: loop {
        stats.enter(level);
        if limits.attention.load(Ordering::Relaxed) {
            limits.attention.store(false, Ordering::Relaxed);
            (stats.updates, stats.cleansings) = store.counters();
            let moment = Moment { stats, choices: &*store };
            if observer.tick(&moment).is_break() {
                return End::Stopped;
            }
        }
        // C3, C4 [Choose i, cover i.]
        store.branch();
        loop {
            // C5 [Try x.]
            if !store.next() {
                // C7 [Backtrack.]
                store.close();
                if level == 0 {
                    return End::Exhausted;
                }
                level -= 1;
                store.undo();
                constraint.backtrack(level);
                continue;
            }
            constraint.mark();
            if !store.commit(constraint) {
                constraint.backtrack(level);
                continue;
            }
            let stands = constraint.settle(store).is_fine();
            if stands && store.done() {
                // C8 [Visit.] A solution is a node of its own.
                stats.enter(level + 1);
                if complete(store, constraint, observer, stats).is_break() {
                    return End::Stopped;
                }
            } else if stands {
                if stats.nodes >= most {
                    most = observer.more(stats);
                    if stats.nodes >= most {
                        return End::NodeLimit;
                    }
                }
                level += 1;
                continue 'enter;
            }
            // C6 [Try again.]
            store.undo();
            constraint.backtrack(level);
        }
    }
}

/// All primary items are covered: the constraint has the last word.
fn complete<S: Store, C: Constraint>(
    store: &S,
    constraint: &mut C,
    observer: &mut dyn Observer,
    stats: &mut Stats,
) -> ControlFlow<()> {
    if !constraint.complete().is_fine() {
        return ControlFlow::Continue(());
    }
    stats.solutions += 1;
    observer.solution(store)
}
