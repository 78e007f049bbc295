//! Runs an engine in short calls; between two of them limits are looked at, and the bar is drawn.

use std::time::{Duration, Instant};

use crate::cli::visitor::Visitor;
use crate::search::engine::{Engine, Status};

/// About how long a call takes.
pub const SLICE: Duration = Duration::from_millis(25);

/// The work of a call may be so many times that of the one before.
const GROWTH: u64 = 8;

/// How much work a call should have, so that it takes about as long as a slice.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    slice: Duration,
    /// Work of the next call.
    pub work: u64,
}

impl Pace {
    /// A pace for calls that take about so long. It begins with next to nothing, for a single node of a large
    /// problem may take long.
    pub fn new(slice: Duration) -> Self {
        Pace { slice, work: 1 }
    }

    /// The last call took so long.
    pub fn adapt(&mut self, took: Duration) {
        let (took, slice) = (took.as_nanos().max(1), self.slice.as_nanos());
        let work = u128::from(self.work);
        let next =
            (work * slice / took).clamp(work / u128::from(GROWTH), work * u128::from(GROWTH));
        self.work = u64::try_from(next).unwrap_or(u64::MAX).max(1);
    }
}

/// Runs an engine until it ends or is to stop.
pub fn drive(engine: &mut dyn Engine, visitor: &mut Visitor<'_>) -> Status {
    let mut pace = Pace::new(SLICE);
    loop {
        let begun = Instant::now();
        let status = engine.run(pace.work, visitor);
        pace.adapt(begun.elapsed());
        if status != Status::Paused {
            visitor.note(&engine.stats(), engine.choices());
            return status;
        }
        visitor.control.look_at_clock();
        if visitor.control.stopped().is_some() {
            visitor.note(&engine.stats(), engine.choices());
            return Status::Stopped;
        }
        if visitor.control.is_asked() {
            visitor.answer(&engine.stats(), engine.choices());
        }
        if visitor.is_due() {
            visitor.show(&engine.stats(), engine.progress());
        }
        if visitor.control.take_shortage() {
            engine.shrink();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_of_a_call_follows_the_time_that_the_last_one_took() {
        let mut pace = Pace::new(Duration::from_millis(10));
        for work in [8, 64, 512] {
            pace.adapt(Duration::from_micros(1));
            assert_eq!(pace.work, work);
        }
        pace.adapt(Duration::from_millis(20));
        assert_eq!(pace.work, 256);
        // Never nothing.
        (0..9).for_each(|_| pace.adapt(Duration::from_secs(9)));
        assert_eq!(pace.work, 1);
    }
}
