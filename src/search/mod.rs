//! Search: engines, what they are asked, and what they answer.
//!
//! | file | what |
//! |---|---|
//! | `walk` | the one backtracking loop of the chronological engines |
//! | `store` | what that loop asks of an engine |
//! | `auto` | which engine answers which question |
//! | `links` | the engine of dancing links |
//! | `bits` | the engine of bits: the same tree, faster, for problems that are not too large |
//! | `multi` | Algorithm M: items with bounds, for which it is `links` |
//! | `learn` | the engine of clause learning |
//! | `memo` | the engine of memos, which counts without visiting |
//! | `lengths` | how many options each item has left, and the least of them |
//! | `zdd` | sets of solutions as diagrams |
//! | `width` | how wide links and lengths are |
//! | `replay` | the choices that lead to a given cover, as a search without constraint makes them |
//! | `stretch` | a part of the tree: for threads, checkpoints and parts |
//! | `crew` | one search by several threads |
//! | `division` | one search as parts of about the same size |
//! | `stats` | nodes, updates, cleansings, profile |
//! | `estimate` | how large a tree is, from a part of it |
//! | `fraction` | how far a search has come, from its choices alone |

pub mod auto;
pub mod bits;
pub mod crew;
pub mod division;
pub mod estimate;
pub mod fraction;
pub mod learn;
pub mod lengths;
pub mod links;
pub mod memo;
pub mod multi;
pub mod replay;
pub mod stats;
pub mod store;
pub mod stretch;
pub mod walk;
pub mod width;
pub mod zdd;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use crate::constraint::Constraint;
use crate::problem::Problem;
use crate::search::links::Links;
use crate::search::multi::Multi;
use crate::search::stats::Stats;
use crate::search::walk::{Hand, Whole, work};
use crate::search::width::{Fit, Huge, Narrow, Wide};
use crate::solution::Choices;

/// Where a search reports to.
///
/// Results are pushed, not pulled: the engine owns its loop, and the observer says whether to go on.
pub trait Observer {
    /// A solution was found.
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()>;

    /// The attention flag of [`Limits`] was up: look at the clock, draw a bar, or stop the search.
    fn tick(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        let _ = moment;
        ControlFlow::Continue(())
    }

    /// Whether memory is short, so that an engine that can do with less should. Asked after a tick; the
    /// answer is yes once for each time that it was found to be short.
    fn lacks_memory(&mut self) -> bool {
        false
    }

    /// As many nodes were visited as [`Limits::nodes`] allows: how many in all may it be? No more
    /// than were visited, unless somebody searches by turns.
    fn more(&mut self, stats: &Stats) -> u64 {
        stats.nodes
    }
}

/// A search at one moment.
pub struct Moment<'a> {
    /// What has been counted so far.
    pub stats: &'a Stats,
    /// The choices that stand.
    pub choices: &'a dyn Choices,
}

/// When to stop, and when to look up.
pub struct Limits<'a> {
    /// When this many nodes have been visited, ask [`Observer::more`], and stop if it grants none.
    pub nodes: u64,
    /// Whoever wants the search's attention raises this flag; the next node lowers it and calls
    /// [`Observer::tick`]. So the search itself never reads a clock.
    pub attention: &'a AtomicBool,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All of the tree was visited: there are no other solutions.
    Exhausted,
    /// The observer had enough.
    Stopped,
    /// [`Limits::nodes`] was reached.
    NodeLimit,
    /// What is wanted would take more memory than is allowed: a ZDD.
    Full,
}

/// About how many bytes the engine needs for `problem`.
pub fn memory(problem: &Problem) -> usize {
    if problem.has_bounds() { multi::memory(problem) } else { links::memory(problem) }
}

/// Visits all solutions of `problem` that satisfy `constraint`, in the order of `dlx2`; or, if items
/// have bounds, of `dlx3`.
pub fn solve<C: Constraint>(
    problem: &Problem,
    constraint: &mut C,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> (End, Stats) {
    if constraint.forbids() {
        let mut replaying = replay::Replaying::new(problem, observer);
        return by_links(problem, constraint, limits, &mut replaying);
    }
    by_links(problem, constraint, limits, observer)
}

fn by_links<C: Constraint>(
    problem: &Problem,
    constraint: &mut C,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> (End, Stats) {
    let mut whole = Whole::new(observer);
    let stats = work_by_links(problem, constraint, limits, &mut whole);
    (whole.end, stats)
}

/// Visits the stretches that `hand` gives it. Choices are those of the search itself, even if the
/// constraint forbids.
pub fn work_by_links<C: Constraint>(
    problem: &Problem,
    constraint: &mut C,
    limits: &Limits<'_>,
    hand: &mut dyn Hand,
) -> Stats {
    match width::fit(problem, links::SPARE) {
        _ if problem.has_bounds() => work(&mut Multi::new(problem), constraint, limits, hand),
        Fit::Narrow => work(&mut Links::<Narrow>::new(problem), constraint, limits, hand),
        Fit::Wide => work(&mut Links::<Wide>::new(problem), constraint, limits, hand),
        Fit::Huge => work(&mut Links::<Huge>::new(problem), constraint, limits, hand),
    }
}
