//! Who may stop a run: signals, the clock, the memory limit, a closed pipe.
//!
//! An engine never looks at a clock: whoever runs it asks here, between two of its calls, whether to go on
//! ([`drive`](crate::cli::drive)), or whether a signal asks how far it is. A thread of its own, the metronome, looks at
//! the clock and the memory twenty times a second, and sees to it that results leave. While the input is still being read
//! there is nothing to report, and the run ends on the spot.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::Memory;
use crate::cli::args::SearchArgs;
use crate::cli::exit::ExitStatus;
use crate::cli::memory::{Space, default_limit};
use crate::cli::output::{self, Output};
use crate::cli::signals;
use crate::search::engine::Status;
use crate::wording::reason;

/// How often the metronome ticks.
const TICK: Duration = Duration::from_millis(50);

/// Why a run is to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stop {
    Interrupted = 1,
    Time = 2,
    Memory = 3,
    Output = 4,
}

impl Stop {
    /// The reason in words.
    pub fn text(self) -> &'static str {
        match self {
            Stop::Interrupted => "interrupted",
            Stop::Time => "time limit reached",
            Stop::Memory => "memory limit reached",
            Stop::Output => "the output failed",
        }
    }

    fn from_code(code: u8) -> Option<Stop> {
        let all = [Stop::Interrupted, Stop::Time, Stop::Memory, Stop::Output];
        all.into_iter().find(|&stop| stop as u8 == code)
    }
}

/// The switchboard of one run.
pub struct Control {
    stop: AtomicU8,
    /// Somebody wants to know how far the search is.
    asked: AtomicBool,
    reading: AtomicBool,
    start: Instant,
    deadline: Option<Instant>,
    memory_limit: Option<u64>,
    /// Whether less than an eighth of the memory is left.
    shortage: AtomicBool,
    /// The address space, if the shell limits it.
    space: Option<Space>,
    memory: Memory,
}

impl Control {
    /// A run that starts now, under these limits. Signals are caught from here on.
    pub fn start(limits: &SearchArgs, memory: Memory) -> Arc<Control> {
        let start = Instant::now();
        let control = Arc::new(Control {
            stop: AtomicU8::new(0),
            asked: AtomicBool::new(false),
            reading: AtomicBool::new(true),
            start,
            deadline: limits.time_limit.and_then(|limit| start.checked_add(limit)),
            memory_limit: limits.memory_limit.or_else(default_limit),
            shortage: AtomicBool::new(false),
            space: Space::new(),
            memory,
        });
        let handler = Arc::clone(&control);
        signals::on_stop(move || {
            // Whoever asks again, or asks a run that is stopping already, does not want to wait.
            if handler.stopped().is_some() {
                output::clean_up();
                std::process::exit(ExitStatus::Incomplete as i32);
            }
            handler.stop(Stop::Interrupted);
        });
        let handler = Arc::clone(&control);
        signals::on_ask(move || {
            if handler.reading.load(Ordering::Relaxed) {
                return signals::answer();
            }
            handler.asked.store(true, Ordering::Relaxed);
        });
        control
    }

    /// Seconds since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Asks the run to stop; the first reason stays.
    pub fn stop(&self, why: Stop) {
        let _ = self.stop.compare_exchange(0, why as u8, Ordering::Relaxed, Ordering::Relaxed);
        if self.reading.load(Ordering::Relaxed) {
            // The reader may be waiting for input that never comes.
            output::clean_up();
            signals::say(&format!("incomplete: {}{}", why.text(), signals::work()));
            std::process::exit(ExitStatus::Incomplete as i32);
        }
    }

    /// Why the run is to stop, if it is.
    pub fn stopped(&self) -> Option<Stop> {
        Stop::from_code(self.stop.load(Ordering::Relaxed))
    }

    /// Whether somebody has asked, since this was called last, how far the search is.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed) && self.asked.swap(false, Ordering::Relaxed)
    }

    /// Why a search that ended so is not complete, in words.
    pub fn why(&self, end: Status) -> Option<&'static str> {
        match end {
            Status::Exhausted | Status::Paused => None,
            Status::Limit => Some("node limit reached"),
            Status::Full => Some(Stop::Memory.text()),
            Status::Stopped => self.stopped().map(Stop::text),
        }
    }

    /// The input is read: from now on a stop leaves results behind.
    pub fn done_reading(&self) {
        self.reading.store(false, Ordering::Relaxed);
    }

    /// Whether `more` bytes, which the search is about to take, would go beyond the memory limit.
    pub fn lacks_memory_for(&self, more: usize) -> bool {
        let used = (self.memory.now)().saturating_add(more) as u64;
        let full = self.space.as_ref().is_some_and(|space| space.reserve(more as u64));
        full || self.memory_limit.is_some_and(|limit| used > limit)
    }

    /// Whether memory was found to be nearly used up since this was asked last.
    pub fn take_shortage(&self) -> bool {
        self.shortage.swap(false, Ordering::Relaxed)
    }

    /// Looks at the clock: a run whose time is over is stopped.
    pub fn look_at_clock(&self) {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.stop(Stop::Time);
        }
    }

    /// Looks at the memory: a search may give some back, and is stopped if it is beyond the limit for a
    /// second time in a row, or beyond the address space. Answers whether it is beyond the limit.
    fn look_at_memory(&self, was_beyond: bool) -> bool {
        if self.space.as_ref().is_some_and(Space::is_outgrown) {
            self.stop(Stop::Memory);
        }
        let Some(limit) = self.memory_limit else { return false };
        let used = (self.memory.now)() as u64;
        if used > limit && was_beyond {
            self.stop(Stop::Memory);
        }
        if used > limit - limit / 8 {
            self.shortage.store(true, Ordering::Relaxed);
        }
        used > limit
    }

    /// The memory limit in bytes, if one is known.
    pub fn memory_limit(&self) -> Option<u64> {
        self.memory_limit
    }

    /// Bytes up to the memory limit, if there is one.
    pub fn memory_left(&self) -> Option<usize> {
        let limit = usize::try_from(self.memory_limit?).unwrap_or(usize::MAX);
        Some(limit.saturating_sub((self.memory.now)()))
    }

    /// The most memory that was ever used, in bytes.
    pub fn peak(&self) -> usize {
        (self.memory.peak)()
    }

    /// Starts the metronome. It ends when nobody else holds this control any more.
    pub fn tick(self: &Arc<Self>, output: Option<Output>) {
        let control = Arc::downgrade(self);
        let metronome = move || {
            let mut beyond = false;
            loop {
                thread::sleep(TICK);
                let Some(control) = control.upgrade() else { return };
                control.look_at_clock();
                beyond = control.look_at_memory(beyond);
                if output.as_ref().is_some_and(|output| output.flush().is_err()) {
                    control.stop(Stop::Output);
                    return;
                }
            }
        };
        if let Err(error) = thread::Builder::new().spawn(metronome) {
            // Nobody would keep the limits.
            signals::say(&format!("incomplete: no thread to watch the run: {}", reason(&error)));
            std::process::exit(ExitStatus::Incomplete as i32);
        }
    }
}
