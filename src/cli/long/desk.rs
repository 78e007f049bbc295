//! Who a crew reports to: numbers and prints solutions, looks at the clock, saves the state.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::cli::long::checkpoint::{Keeper, Saved};
use crate::cli::output::{self, Output};
use crate::cli::progress::Progress;
use crate::cli::session::Session;
use crate::cli::solve::Printer;
use crate::cli::visitor::{state, tell};
use crate::search::Moment;
use crate::search::crew::{Bodies, Order, Overseer, Render, State};
use crate::{cli::control::Stop, solutions::write};

/// The desk of one search.
pub struct Desk<'a> {
    /// Who may stop it.
    pub session: &'a Session<'a>,
    /// Where solutions go.
    pub output: &'a Output,
    /// Makes a printer for a thread; `None` if solutions are only counted.
    pub printer: Option<&'a (dyn Fn() -> Printer<'a> + Sync)>,
    /// Printed before and after the number of a solution; no number at all if `None`.
    pub number: Option<(&'static [u8], &'static [u8])>,
    /// Every so many solutions one is printed.
    pub every: u64,
    /// Stop after so many.
    pub enough: u64,
    /// Where checkpoints go.
    pub keeper: Option<Keeper<'a>>,
    /// What was handed on.
    pub delivered: Mutex<Delivered>,
    /// What was seen on the way.
    pub seen: Mutex<Seen>,
}

/// What was handed on.
#[derive(Default)]
pub struct Delivered {
    /// Solutions, by lane with their bytes, and what the crew said last.
    pub saved: Saved,
    /// The solution at hand.
    pub text: Vec<u8>,
}

/// What was seen on the way.
#[derive(Default)]
pub struct Seen {
    /// Where a signal interrupted the search.
    pub interrupted: Option<String>,
    /// The bar.
    pub progress: Option<Progress>,
}

impl Desk<'_> {
    /// What was handed on.
    pub fn delivered(&self) -> MutexGuard<'_, Delivered> {
        self.delivered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Saves the state, if that is wanted. What it says of the output is on the disk before.
    pub fn keep(&self, state: State, complete: bool) {
        let saved = &mut self.delivered().saved;
        saved.state = state;
        saved.complete = complete;
        let Some(keeper) = &self.keeper else { return };
        // If the output failed, the search ends with that.
        if let Ok(secured) = self.output.secure() {
            let secured = secured.filter(|_| self.printer.is_some());
            saved.offset = secured.as_ref().map(|secured| secured.length);
            saved.sum = secured.and_then(|secured| secured.sum);
            keeper.keep(saved);
        }
    }
}

impl Overseer for Desk<'_> {
    fn renderer(&self) -> Option<Render<'_>> {
        Some(Box::new(self.printer?().into_bodies()))
    }

    fn deliver(&self, lane: usize, solutions: &Bodies) -> ControlFlow<()> {
        let Delivered { saved, text } = &mut *self.delivered();
        let Saved { delivered, lanes, .. } = saved;
        let (enough, every) = (self.enough, self.every);
        let mut solutions = solutions.read(text);
        while solutions.has_more() && *delivered < enough {
            let pushed = self.output.push(|out| {
                let start = out.len();
                while out.len() < output::BLOCK
                    && *delivered < enough
                    && let Some(body) = solutions.next()
                {
                    *delivered += 1;
                    lanes[lane].solutions += 1;
                    if !delivered.is_multiple_of(every) {
                        continue;
                    }
                    if let Some((before, after)) = self.number {
                        out.extend_from_slice(before);
                        write::number(*delivered, out);
                        out.extend_from_slice(after);
                    }
                    out.extend_from_slice(body);
                }
                lanes[lane].bytes += (out.len() - start) as u64;
            });
            if pushed.is_err() {
                self.session.control.stop(Stop::Output);
                return ControlFlow::Break(());
            }
        }
        if *delivered >= enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn tick(&self, moment: &Moment<'_>, done: f64) -> Order {
        let control = &self.session.control;
        let elapsed = control.elapsed();
        if let Some(progress) = &self.seen().progress {
            progress.show(moment, done, elapsed);
        }
        if control.is_asked() {
            tell(self.seen().progress.as_ref(), moment, elapsed);
        }
        if let Some(why) = control.stopped() {
            if why == Stop::Interrupted {
                self.seen().interrupted.get_or_insert_with(|| state(moment, elapsed));
            }
            return Order::Stop;
        }
        match self.keeper.is_some() && control.due.swap(false, Ordering::Relaxed) {
            true => Order::Record,
            false => Order::Continue,
        }
    }

    fn record(&self, state: State) {
        self.keep(state, false);
    }
}
