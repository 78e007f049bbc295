//! Who may stop a run: signals, the clock, the memory limit, a closed pipe.
//!
//! A search never looks at a clock. A thread of its own, the metronome, raises the search's attention
//! flag twenty times a second and sees to it that results leave; a signal raises it at once. While
//! the input is still being read there is nothing to report, and the run ends on the spot.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::args::Search;
use crate::cli::exit::Status;
use crate::cli::{Memory, output::Output, signals};

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
    /// The flag that a search looks at.
    pub attention: AtomicBool,
    stop: AtomicU8,
    reading: AtomicBool,
    start: Instant,
    deadline: Option<Instant>,
    memory_limit: Option<u64>,
    memory: Memory,
}

impl Control {
    /// A run that starts now, under these limits. Signals are caught from here on.
    pub fn start(limits: &Search, memory: Memory) -> Arc<Control> {
        let start = Instant::now();
        let control = Arc::new(Control {
            attention: AtomicBool::new(false),
            stop: AtomicU8::new(0),
            reading: AtomicBool::new(true),
            start,
            deadline: limits.time_limit.and_then(|limit| start.checked_add(limit)),
            memory_limit: limits.memory_limit,
            memory,
        });
        let handler = Arc::clone(&control);
        signals::on_stop(move || {
            // Whoever asks again, or asks a run that is stopping already, does not want to wait.
            if handler.stopped().is_some() {
                std::process::exit(Status::Incomplete as i32);
            }
            handler.stop(Stop::Interrupted);
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
        self.attention.store(true, Ordering::Relaxed);
        if self.reading.load(Ordering::Relaxed) {
            // The reader may be waiting for input that never comes.
            let _ = writeln!(std::io::stderr(), "incomplete: {} while reading", why.text());
            std::process::exit(Status::Incomplete as i32);
        }
    }

    /// Why the run is to stop, if it is.
    pub fn stopped(&self) -> Option<Stop> {
        Stop::from_code(self.stop.load(Ordering::Relaxed))
    }

    /// The input is read: from now on a stop leaves results behind.
    pub fn done_reading(&self) {
        self.reading.store(false, Ordering::Relaxed);
    }

    /// Whether `more` bytes would go beyond the memory limit.
    pub fn lacks_memory_for(&self, more: usize) -> bool {
        self.memory_limit.is_some_and(|limit| ((self.memory.now)() + more) as u64 > limit)
    }

    /// The most memory that was ever used, in bytes.
    pub fn peak(&self) -> usize {
        (self.memory.peak)()
    }

    /// Starts the metronome. It ends when nobody else holds this control any more.
    pub fn tick(self: &Arc<Self>, output: Option<Output>) {
        let control = Arc::downgrade(self);
        thread::spawn(move || {
            loop {
                thread::sleep(TICK);
                let Some(control) = control.upgrade() else { return };
                if control.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    control.stop(Stop::Time);
                }
                if control.lacks_memory_for(0) {
                    control.stop(Stop::Memory);
                }
                control.attention.store(true, Ordering::Relaxed);
                if output.as_ref().is_some_and(|output| output.flush().is_err()) {
                    control.stop(Stop::Output);
                    return;
                }
            }
        });
    }
}
