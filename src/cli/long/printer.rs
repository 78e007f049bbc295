//! Numbers and prints what the threads of a search find, shows how far it is, and has its state saved.

use std::time::{Duration, Instant};

use crate::cli::control::Stop;
use crate::cli::drive::SLICE;
use crate::cli::long::checkpoint::{Checkpointer, Saved};
use crate::cli::output::{self, Output};
use crate::cli::progress::Progress;
use crate::cli::session::Session;
use crate::cli::visitor::{state, tell};
use crate::search::parallel::{Bodies, SearchEvent, Moment, Parallel, Position};
use crate::solutions::write;

/// The printer of one search.
pub struct Printer<'a> {
    /// Who may stop it.
    pub session: &'a Session<'a>,
    /// Where solutions go.
    pub output: &'a Output,
    /// Whether they do; otherwise they are only counted.
    pub prints: bool,
    /// Printed before and after the number of a solution; no number at all if `None`.
    pub number: Option<(&'static [u8], &'static [u8])>,
    /// Every so many solutions one is printed.
    pub every: u64,
    /// Stop after so many.
    pub enough: u64,
    /// Where checkpoints go, and the time between two of them.
    pub checkpointer: Option<(Checkpointer<'a>, Duration)>,
    /// Solutions that were handed on, by lane with their bytes, and the state that was kept last.
    pub saved: Saved,
    /// The solution at hand.
    pub text: Vec<u8>,
    /// Where a signal interrupted the search.
    pub interrupted: Option<String>,
    /// The bar.
    pub progress: Option<Progress>,
}

impl Printer<'_> {
    /// Saves the state, if that is wanted. What it says of the output is on the disk before.
    pub fn keep(&mut self, state: Position, complete: bool) {
        self.saved.state = state;
        self.saved.complete = complete;
        let Some((checkpointer, _)) = &self.checkpointer else { return };
        // If the output failed, the search ends with that.
        if let Ok(secured) = self.output.secure() {
            let secured = secured.filter(|_| self.prints);
            self.saved.offset = secured.as_ref().map(|secured| secured.length);
            self.saved.sum = secured.and_then(|secured| secured.sum);
            checkpointer.keep(&self.saved);
        }
    }

    /// Prints solutions; false if no more are wanted.
    fn deliver(&mut self, lane: usize, solutions: &Bodies) -> bool {
        let Printer { saved, text, enough, every, number, .. } = self;
        let Saved { delivered, lanes, .. } = saved;
        let mut solutions = solutions.read(text);
        while solutions.has_more() && *delivered < *enough {
            let pushed = self.output.push(|out| {
                let start = out.len();
                while out.len() < output::BLOCK
                    && *delivered < *enough
                    && let Some(body) = solutions.next()
                {
                    *delivered += 1;
                    lanes[lane].solutions += 1;
                    if !delivered.is_multiple_of(*every) {
                        continue;
                    }
                    if let Some((before, after)) = number {
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
                return false;
            }
        }
        *delivered < *enough
    }

    /// Shows how far the search is; false if it is to stop.
    pub fn look(&mut self, moment: impl FnOnce() -> Moment) -> bool {
        let control = &self.session.control;
        control.look_at_clock();
        let stopped = control.stopped();
        let interrupted = stopped == Some(Stop::Interrupted) && self.interrupted.is_none();
        let asked = control.is_asked();
        if self.progress.is_some() || interrupted || asked {
            let (elapsed, Moment { stats, choices, done }) = (control.elapsed(), moment());
            if let Some(progress) = &self.progress {
                progress.show(&stats, done, elapsed);
            }
            if asked {
                tell(self.progress.as_ref(), &stats, &choices, elapsed);
            }
            if interrupted {
                self.interrupted = Some(state(&stats, &choices, elapsed));
            }
        }
        stopped.is_none()
    }

    /// Attends to a search until all of its threads have ended. In between, `beside` has the time that it
    /// takes; it is told how far the search is, and answers whether that should go on.
    pub fn attend(&mut self, search: &Parallel<'_>, beside: &mut dyn FnMut(&Moment) -> bool) {
        let (mut looked, mut saved) = (Instant::now(), Instant::now());
        loop {
            match search.wait(SLICE) {
                SearchEvent::Solutions(lane, bodies) => {
                    let more = self.deliver(lane, &bodies);
                    search.delivered(bodies, more);
                }
                SearchEvent::Time => {}
                SearchEvent::End => return,
            }
            if looked.elapsed() < SLICE {
                continue;
            }
            looked = Instant::now();
            if !self.look(|| search.moment()) || !beside(&search.moment()) {
                search.end();
            }
            if self.checkpointer.as_ref().is_some_and(|(_, every)| saved.elapsed() >= *every) {
                saved = looked;
                let state = search.pause();
                self.keep(state, false);
                search.resume();
            }
        }
    }
}
