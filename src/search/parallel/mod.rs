//! One search by several threads, or by one that others may take over from.
//!
//! The tree is cut into intervals, and these are in the order of the search. Each thread has an engine of its
//! own, and takes the first interval that no other has begun. It runs its engine for half a millisecond at a
//! time. If some thread is idle in between, it cuts off a part of what it has left as a new interval. So work
//! moves only when it is needed, and as a path of choices, not with lists.
//!
//! Results keep the order of one thread. Threads put solutions into words, and leave them with their interval;
//! whoever started the search takes them from there ([`Parallel::wait`]), those of the first interval first. So
//! that few wait, a thread whose solutions are many gives away what comes next, not what comes last; and if
//! too many wait nevertheless, a thread that is far ahead puts its interval back and takes one nearer to the
//! front, or pauses. The thread that has the first interval goes on unless what it found waits itself; when it
//! is done the first that is left is taken. So there is no deadlock.
//!
//! Counts belong to threads and are summed; as intervals do not overlap, the sums are those of one
//! search. When all threads [pause](Parallel::pause), what is left and what waits is all there is
//! to know: a [`Position`], from which another search with any number of threads can go on.
//!
//! We keep no deque for each thread, as a library of work stealing would: the work that could be stolen
//! stands in the levels of the store already, and is cut off on demand.
//!
//! | file | what |
//! |---|---|
//! | `worker` | what one thread does |
//! | `coordinator` | what threads know of each other: intervals, and what waits |
//! | `chunks` | solutions in words |

mod chunks;
mod coordinator;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

pub use chunks::{Bodies, ChunkReader};

use crate::search::algorithm_c::TreeSearch;
use crate::search::engine::Status;
use crate::search::interval::Interval;
use crate::search::parallel::coordinator::SharedState;
use crate::search::stats::Stats;
use crate::solution::{Choice, Choices};

/// How often an idle thread looks for work.
const PATIENCE: Duration = Duration::from_millis(1);

/// An interval with what was found on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntervalRecord {
    /// From which of the intervals that the search began with it was cut.
    pub lane: usize,
    /// Its place in the order of the search, which is that of these keys.
    pub key: Vec<u32>,
    /// What is left of it.
    pub left: Option<Interval>,
    /// Solutions that wait for those of earlier intervals.
    pub waiting: Bodies,
}

/// Where a search stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// What was counted.
    pub stats: Stats,
    /// What is left, in order.
    pub entries: Vec<IntervalRecord>,
}

impl Position {
    /// A search that has these intervals before it.
    pub fn new(intervals: impl IntoIterator<Item = Interval>) -> Self {
        let entry = |(lane, interval): (usize, Interval)| IntervalRecord {
            lane,
            key: interval.start(),
            left: Some(interval),
            waiting: Bodies::default(),
        };
        let entries = intervals.into_iter().enumerate().map(entry).collect();
        Position { stats: Stats::default(), entries }
    }

    /// Whether the numbers can be those of a search: intervals are in order and do not overlap, and counts are
    /// so small that a search can go on from them.
    pub fn is_sound(&self) -> bool {
        let Stats { solutions, nodes, updates, cleansings, profile, .. } = &self.stats;
        let all = profile.iter().try_fold(0u64, |sum, nodes| sum.checked_add(*nodes));
        let small = |&count: &u64| count <= MOST;
        let inside = |entry: &IntervalRecord| match &entry.left {
            Some(left) => left.is_sound() && entry.key <= left.start(),
            None => true,
        };
        // What comes next begins behind the end, not below it.
        let in_order = |pair: &[IntervalRecord]| {
            let (key, end) = (&pair[1].key, pair[0].left.as_ref().map(Interval::end));
            pair[0].key < *key && end.is_none_or(|end| end < *key && !key.starts_with(&end))
        };
        [solutions, nodes, updates, cleansings].into_iter().all(small)
            && all.is_some_and(|all| small(&all))
            && self.entries.iter().all(inside)
            && self.entries.windows(2).all(in_order)
    }
}

/// No search counts as far as this, in thousands of years.
const MOST: u64 = 1 << 62;

/// Puts a solution into words, without its number: appends what follows the first bytes of the words that it
/// made last, and answers how many these are; none if it is told to begin anew.
pub type RenderSolution<'a> = Box<dyn FnMut(&dyn Choices, bool, &mut Vec<u8>) -> usize + 'a>;

/// What is to be searched, and how.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// Makes the engine of a thread.
    pub engine: &'a (dyn Fn() -> Box<dyn TreeSearch + 'a> + Sync),
    /// Makes what puts the solutions of a thread into words; `None` if they are only counted.
    pub render: Option<&'a (dyn Fn() -> RenderSolution<'a> + Sync)>,
    /// How many threads.
    pub threads: usize,
    /// Stop when one thread has visited so many nodes.
    pub nodes: u64,
    /// Stop after so many solutions.
    pub enough: u64,
    /// How many bytes of solutions may wait, about.
    pub room: usize,
}

/// What a search has to say.
#[derive(Debug)]
pub enum SearchEvent {
    /// The next solutions, in the order of the search, and their lane.
    Solutions(usize, Bodies),
    /// Nothing, for as long as one waited.
    Time,
    /// All threads have ended.
    End,
}

/// How a search ended.
#[derive(Debug)]
pub struct ParallelOutcome {
    /// Why.
    pub status: Status,
    /// What is left.
    pub state: Position,
    /// Some interval was none of this problem's.
    pub misfit: bool,
}

/// How far a search has come.
#[derive(Debug)]
pub struct Moment {
    /// What was counted.
    pub stats: Stats,
    /// The choices of one of the threads.
    pub choices: Vec<Choice>,
    /// How much of what the search began with is done, between 0 and 1.
    pub done: f64,
}

/// A search by several threads.
pub struct Parallel<'a> {
    task: Task<'a>,
    /// What was counted before it began.
    earlier: Stats,
    /// Whether some thread is idle, or all are to pause or to end: then they look at what they share.
    call: AtomicBool,
    /// Solutions, where only their number counts.
    found: AtomicU64,
    shared: Mutex<SharedState>,
    /// Something has changed that a thread may wait for.
    moved: Condvar,
    /// Something has changed that whoever started the search may wait for.
    ready: Condvar,
}

impl<'a> Parallel<'a> {
    /// A search of what is left of `state`.
    pub fn new(task: Task<'a>, state: Position) -> Self {
        let Position { stats, entries } = state;
        Parallel {
            task,
            call: AtomicBool::new(false),
            found: AtomicU64::new(stats.solutions),
            earlier: stats,
            shared: Mutex::new(SharedState::new(entries, task.threads, task.room)),
            moved: Condvar::new(),
            ready: Condvar::new(),
        }
    }

    /// Has the threads at work while `coordinate` runs, which should [wait](Parallel::wait) for the end.
    pub fn run<T>(&self, coordinate: impl FnOnce(&Self) -> T) -> T {
        thread::scope(|scope| {
            for number in 0..self.task.threads.max(1) {
                self.lock().threads += 1;
                let work = move || self.work(number);
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    // The system allows no more of them; fewer do the same, but none does not.
                    self.lock().threads -= 1;
                    if number == 0 {
                        self.stop(&mut self.lock(), Status::Full);
                    }
                    break;
                }
            }
            let result = coordinate(self);
            let mut shared = self.lock();
            if !shared.is_done() {
                self.stop(&mut shared, Status::Stopped);
            }
            result
        })
    }

    /// Waits for something, but not longer than this.
    pub fn wait(&self, time: Duration) -> SearchEvent {
        let end = Instant::now() + time;
        let mut shared = self.lock();
        loop {
            if let Some((lane, bodies)) = shared.next() {
                shared.delivering = true;
                return SearchEvent::Solutions(lane, bodies);
            }
            if shared.threads == 0 {
                return SearchEvent::End;
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return SearchEvent::Time;
            }
            let waited = self.ready.wait_timeout(shared, left);
            shared = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Solutions were taken care of. If there are `more` to come, they are wanted.
    pub fn delivered(&self, bodies: Bodies, more: bool) {
        let mut shared = self.lock();
        shared.delivered(bodies);
        shared.delivering = false;
        if !more {
            shared.closed = true;
            self.stop(&mut shared, Status::Stopped);
        }
        self.wake(&shared);
    }

    /// How far the search has come. What a thread did since it looked up last is not counted yet.
    pub fn moment(&self) -> Moment {
        let shared = self.lock();
        Moment { stats: self.stats(&shared), choices: shared.choices.clone(), done: shared.done() }
    }

    /// Has all threads pause, and tells where the search stands.
    pub fn pause(&self) -> Position {
        let mut shared = self.lock();
        shared.pausing = true;
        self.call.store(true, Ordering::Relaxed);
        while shared.moves() {
            shared = self.ready.wait(shared).unwrap_or_else(PoisonError::into_inner);
        }
        self.state(&shared)
    }

    /// Has them go on.
    pub fn resume(&self) {
        let mut shared = self.lock();
        shared.pausing = false;
        self.wake(&shared);
    }

    /// Has them end.
    pub fn end(&self) {
        self.stop(&mut self.lock(), Status::Stopped);
    }

    /// How it ended, after [`Parallel::run`].
    pub fn outcome(&self) -> ParallelOutcome {
        let shared = self.lock();
        let status = shared.stop.unwrap_or(Status::Exhausted);
        ParallelOutcome { status, state: self.state(&shared), misfit: shared.misfit }
    }

    fn lock(&self) -> MutexGuard<'_, SharedState> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for_change<'s>(&self, mut shared: MutexGuard<'s, SharedState>) -> MutexGuard<'s, SharedState> {
        shared.sleepers += 1;
        // Threads that are asked for work may have none to give: so look again soon.
        let waited = self.moved.wait_timeout(shared, PATIENCE);
        let mut shared = waited.unwrap_or_else(PoisonError::into_inner).0;
        shared.sleepers -= 1;
        shared
    }

    /// Wakes those who wait.
    fn wake(&self, shared: &SharedState) {
        if shared.sleepers > 0 {
            self.moved.notify_all();
        }
        self.ready.notify_all();
    }

    fn stop(&self, shared: &mut SharedState, status: Status) {
        shared.stop.get_or_insert(status);
        shared.pausing = false;
        self.call.store(true, Ordering::Relaxed);
        self.wake(shared);
    }

    fn stats(&self, shared: &SharedState) -> Stats {
        let mut sum = self.earlier.clone();
        shared.stats.iter().for_each(|stats| sum.add(stats));
        sum
    }

    /// Where the search stands, if all pause.
    fn state(&self, shared: &SharedState) -> Position {
        Position { stats: self.stats(shared), entries: shared.entries() }
    }
}
