//! What all engines have in common: they can be left at any time, and resumed.
//!
//! An engine owns its state, not its thread. Whoever runs it says how much it may do, and has the
//! thread back when that is done: to look at the clock, to draw a bar, to save a checkpoint, to give
//! another engine its turn. So no engine reads a clock, or a flag that another thread raises.
//!
//! ```
//! use quadrille::search::engine::{Engine, Status};
//! use quadrille::{constraint::Conjunction, dlx, search, solution::Choices};
//! use std::ops::ControlFlow;
//!
//! let problem = dlx::parse::read(&b"A B\nA\nB\nA B\n"[..]).unwrap().problem;
//! let mut engine = search::links(&problem, Conjunction::new());
//! let mut covers = Vec::new();
//! let mut sink = |choices: &dyn Choices| {
//!     covers.push(choices.cover().len());
//!     ControlFlow::Continue(())
//! };
//! // One node at a time.
//! while engine.run(1, &mut sink) == Status::Paused {}
//! assert_eq!((covers, engine.stats().nodes), (vec![2, 1], 4));
//! ```
//!
//! Solutions are pushed, since a return for each would cost more than many a solution; everything
//! else is returned.
//!
//! # The contract
//!
//! 1. Where an engine pauses depends on its work alone, and what it does does not depend on where it
//!    paused. So the answer is the same, byte for byte, however the work is divided into calls.
//! 2. After [`Status::Paused`] and [`Status::Stopped`] another call goes on where the last one ended.
//!    After the other ones it answers the same again.
//! 3. [`effort`](Engine::effort) is about proportional to time, and comparable between engines; it is
//!    made of counts, never of a clock.

use std::ops::ControlFlow;

use crate::search::fraction::fraction;
use crate::search::stats::Stats;
use crate::solution::{Choice, Choices};

/// Why an engine gave its thread back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All of the tree was visited: there are no other solutions.
    Exhausted,
    /// The sink wants no more for now.
    Stopped,
    /// The budget is used up.
    Paused,
    /// As many nodes were visited as [`Engine::limit`] allows.
    Limit,
    /// What is wanted would take more memory than is allowed.
    Full,
}

/// Where solutions go.
pub trait Sink {
    /// A solution was found; break to stop the search.
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()>;

    /// Asked now and then while an engine prepares, which it does in one piece: break to stop that.
    /// What was prepared is lost then.
    fn poll(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(&dyn Choices) -> ControlFlow<()>> Sink for F {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        self(choices)
    }
}

/// An engine. See the [module](self) for the contract.
pub trait Engine {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// Goes on for so many units of [`work`](Engine::work), or until something ends it.
    fn run(&mut self, work: u64, sink: &mut dyn Sink) -> Status;

    /// From here on it ends when it has visited so many nodes in all; or has met so many conflicts,
    /// if it learns.
    fn limit(&mut self, nodes: u64);

    /// What was counted so far.
    fn stats(&self) -> Stats;

    /// Units of work that were done: nodes, or smaller steps. Those who answer for several engines count
    /// units of whoever has its turn.
    fn work(&self) -> u64;

    /// About how many nanoseconds that took, as far as counts tell.
    fn effort(&self) -> u64;

    /// The choices that stand, for engines that make choices.
    fn choices(&self) -> &dyn Choices {
        const NONE: &Vec<Choice> = &Vec::new();
        NONE
    }

    /// How far it has come, between 0 and 1.
    fn progress(&self) -> f64 {
        fraction(self.choices())
    }

    /// Memory is short: makes do with less, if it can.
    fn shrink(&mut self) {}

    /// For a certificate, if one is made: the bytes that were recorded, for the caller to take; and whether some
    /// reason is missing.
    fn recorded(&mut self) -> Option<(&mut Vec<u8>, bool)> {
        None
    }
}

impl<E: Engine + ?Sized> Engine for Box<E> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn run(&mut self, work: u64, sink: &mut dyn Sink) -> Status {
        (**self).run(work, sink)
    }

    fn limit(&mut self, nodes: u64) {
        (**self).limit(nodes);
    }

    fn stats(&self) -> Stats {
        (**self).stats()
    }

    fn work(&self) -> u64 {
        (**self).work()
    }

    fn effort(&self) -> u64 {
        (**self).effort()
    }

    fn choices(&self) -> &dyn Choices {
        (**self).choices()
    }

    fn progress(&self) -> f64 {
        (**self).progress()
    }

    fn shrink(&mut self) {
        (**self).shrink();
    }

    fn recorded(&mut self) -> Option<(&mut Vec<u8>, bool)> {
        (**self).recorded()
    }
}

/// Runs an engine until it ends, or its sink stops it.
pub fn run(engine: &mut dyn Engine, sink: &mut dyn Sink) -> Status {
    loop {
        match engine.run(u64::MAX, sink) {
            Status::Paused => {}
            status => return status,
        }
    }
}

/// About how many units of work make so much effort, as far as the engine's counts tell; a few if they tell nothing.
pub fn units(engine: &dyn Engine, effort: u64) -> u64 {
    let (work, so_far) = (engine.work(), engine.effort());
    let units = u128::from(effort) * u128::from(work) / u128::from(so_far.max(1));
    if work == 0 { FIRST_WORK } else { u64::try_from(units).unwrap_or(u64::MAX) }
}

/// Units of work of an engine of which nothing is known yet.
const FIRST_WORK: u64 = 1000;
