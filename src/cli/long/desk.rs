//! Who a crew reports to: numbers and prints solutions, looks at the clock, saves the state.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::cli::long::checkpoint::{Keeper, Saved};
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::session::{Session, state};
use crate::cli::solve::Printer;
use crate::search::Moment;
use crate::search::crew::{Bodies, Order, Overseer, Render, State};
use crate::solution::Choices;
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
    /// What changes.
    pub inner: Mutex<Inner>,
}

/// What changes on a desk.
#[derive(Default)]
pub struct Inner {
    /// Solutions that were handed on, by lane with their bytes, and what the crew said last.
    pub saved: Saved,
    /// Where a signal interrupted the search.
    pub interrupted: Option<String>,
    /// The bar.
    pub progress: Option<Progress>,
}

impl<'a> Desk<'a> {
    /// What changes.
    pub fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Saves the state, if that is wanted. What it says of the output is on the disk before.
    pub fn keep(&self, state: State, complete: bool) {
        let mut inner = self.lock();
        inner.saved.state = state;
        inner.saved.complete = complete;
        let Some(keeper) = &self.keeper else { return };
        // If the output failed, the search ends with that.
        if let Ok(offset) = self.output.secure() {
            inner.saved.offset = offset.filter(|_| self.printer.is_some());
            keeper.keep(&inner.saved);
        }
    }
}

impl Overseer for Desk<'_> {
    fn renderer(&self) -> Option<Render<'_>> {
        let mut printer = self.printer?();
        let mut text = Vec::new();
        let (before, after) = self.number.unwrap_or_default();
        // A printer prints the number, too; that of the solution is not known yet.
        let skip = if self.number.is_some() { before.len() + 1 + after.len() } else { 0 };
        Some(Box::new(move |choices: &dyn Choices, out: &mut Vec<u8>| {
            text.clear();
            printer.print(0, choices, &mut text);
            out.extend_from_slice(&text[skip..]);
        }))
    }

    fn deliver(&self, lane: usize, solutions: &Bodies) -> ControlFlow<()> {
        let mut inner = self.lock();
        let saved = &mut inner.saved;
        for body in solutions.iter() {
            saved.delivered += 1;
            saved.lanes[lane].solutions += 1;
            let n = saved.delivered;
            if n.is_multiple_of(self.every) {
                let pushed = self.output.push(|out| {
                    let start = out.len();
                    if let Some((before, after)) = self.number {
                        out.extend_from_slice(before);
                        write::number(n, out);
                        out.extend_from_slice(after);
                    }
                    out.extend_from_slice(body);
                    saved.lanes[lane].bytes += (out.len() - start) as u64;
                });
                if pushed.is_err() {
                    self.session.control.stop(Stop::Output);
                    return ControlFlow::Break(());
                }
            }
            if n >= self.enough {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn tick(&self, moment: &Moment<'_>, first: bool) -> Order {
        let control = &self.session.control;
        let elapsed = control.elapsed();
        if let (Some(progress), true) = (&self.lock().progress, first) {
            progress.show(moment, elapsed);
        }
        if let Some(why) = control.stopped() {
            if why == Stop::Interrupted {
                self.lock().interrupted.get_or_insert_with(|| state(moment, elapsed));
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
