//! A crew: one search by several threads, or by one that others may take over from.
//!
//! The tree is cut into stretches, and these are in the order of the search. A thread takes the first that
//! nobody has begun. One that finds none raises the attention flags of the others; whoever is at work then
//! cuts off a part of what it has left as a new stretch. So work moves only when somebody needs it, and
//! with a path of choices, not with lists.
//!
//! Results keep the order of one thread: those of the first stretch are handed on as they come, by whoever
//! has some and finds nobody at it; those of later ones wait. So that few wait, a thread whose solutions are
//! many gives away what comes next, not what comes last; and if too many wait nevertheless, a thread that is
//! far ahead puts its stretch back and takes one nearer to the front, or pauses. The thread that has
//! the first stretch goes on unless another is handing on what it found; when it is done it takes the first
//! that is left. So there is no deadlock.
//!
//! Counts belong to threads and are summed; as stretches do not overlap, the sums are those of one
//! search. Now and then all threads pause at a node, and what is left and what waits is all there is
//! to know: a [`State`], from which another crew of any size can go on.
//!
//! We keep no deque for each thread, as a library of work stealing would: the work that could be stolen
//! stands in the levels of the store already, and is cut off for whoever asks.
//!
//! | file | what |
//! |---|---|
//! | `worker` | what one thread does |
//! | `share` | what threads know of each other: stretches, and what waits |
//! | `bodies` | solutions in words |

mod bodies;
mod share;
mod worker;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

pub use bodies::{Bodies, Reader};

use crate::constraint::Together;
use crate::problem::Problem;
use crate::search::bits::Plan;
use crate::search::crew::share::Shared;
use crate::search::stats::Stats;
use crate::search::stretch::Stretch;
use crate::search::{End, Moment};
use crate::solution::Choices;

/// How often a thread without work asks for some.
const PATIENCE: Duration = Duration::from_millis(1);

/// A stretch with what was found on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// From which of the stretches that the search began with it was cut.
    pub lane: usize,
    /// Its place in the order of the search, which is that of these keys.
    pub key: Vec<u32>,
    /// What is left of it.
    pub left: Option<Stretch>,
    /// Solutions that wait for those of earlier stretches.
    pub waiting: Bodies,
}

/// Where a search stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// What was counted.
    pub stats: Stats,
    /// What is left, in order.
    pub entries: Vec<Entry>,
}

impl State {
    /// A search that has these stretches before it.
    pub fn new(stretches: impl IntoIterator<Item = Stretch>) -> Self {
        let entry = |(lane, stretch): (usize, Stretch)| Entry {
            lane,
            key: stretch.start(),
            left: Some(stretch),
            waiting: Bodies::default(),
        };
        let entries = stretches.into_iter().enumerate().map(entry).collect();
        State { stats: Stats::default(), entries }
    }

    /// Whether the numbers can be those of a search: stretches are in order and do not overlap, and counts are
    /// so small that a search can go on from them.
    pub fn is_sound(&self) -> bool {
        let Stats { solutions, nodes, updates, cleansings, profile, .. } = &self.stats;
        let all = profile.iter().try_fold(0u64, |sum, nodes| sum.checked_add(*nodes));
        let small = |&count: &u64| count <= MOST;
        let inside = |entry: &Entry| match &entry.left {
            Some(left) => left.is_sound() && entry.key <= left.start(),
            None => true,
        };
        // What comes next begins behind the end, not below it.
        let in_order = |pair: &[Entry]| {
            let (key, end) = (&pair[1].key, pair[0].left.as_ref().map(Stretch::end));
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

/// What the overseer wants at a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Go on.
    Continue,
    /// All pause; then [`Overseer::record`] is called.
    Record,
    /// All stop.
    Stop,
}

/// Puts a solution into words, without its number: appends what follows the first bytes of the words that it
/// made last, and answers how many these are; none if it is told to begin anew.
pub type Render<'a> = Box<dyn FnMut(&dyn Choices, bool, &mut Vec<u8>) -> usize + 'a>;

/// Where a crew reports to. Calls of each kind come one at a time, except for `renderer`.
pub trait Overseer: Sync {
    /// How a thread puts solutions into words; `None` if they are only counted.
    fn renderer(&self) -> Option<Render<'_>>;

    /// The next solutions, in the order of the search; break to stop it. Other threads may tick
    /// meanwhile.
    fn deliver(&self, lane: usize, solutions: &Bodies) -> ControlFlow<()>;

    /// An attention flag was up. The choices are those of one thread; so much of what the crew began with is
    /// `done`, between 0 and 1.
    fn tick(&self, moment: &Moment<'_>, done: f64) -> Order;

    /// This is where the search stands. Nothing is being delivered.
    fn record(&self, state: State);
}

/// What a crew is to search.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// Search by bits instead of links.
    pub bits: bool,
    /// Makes the constraint, if there is one.
    pub rules: Option<&'a (dyn Fn() -> Together + Sync)>,
    /// Stop when one thread has visited so many nodes.
    pub nodes: u64,
    /// Stop after so many solutions.
    pub enough: u64,
    /// A flag for each thread; see [`Limits::attention`](crate::search::Limits::attention).
    pub attention: &'a [AtomicBool],
    /// How many bytes of solutions may wait, about.
    pub room: usize,
}

/// How the work of a crew ended.
#[derive(Debug)]
pub struct Outcome {
    /// Why.
    pub end: End,
    /// What is left.
    pub state: State,
    /// Some stretch was none of this problem's.
    pub misfit: bool,
}

/// Searches what is left of `state`, with one thread for each flag of the task.
pub fn run(task: &Task<'_>, state: State, overseer: &dyn Overseer) -> Outcome {
    let State { stats, entries } = state;
    let crew = Crew {
        task,
        plan: task.bits.then(|| Plan::new(task.problem)),
        overseer,
        hungry: AtomicUsize::new(0),
        found: AtomicU64::new(stats.solutions),
        earlier: stats,
        shared: Mutex::new(Shared::new(entries, task.attention.len(), task.room)),
        moved: Condvar::new(),
    };
    drop(crew.hand_on(crew.lock()));
    thread::scope(|scope| {
        for number in 1..task.attention.len() {
            let crew = &crew;
            let spawned = thread::Builder::new().spawn_scoped(scope, move || crew.work(number));
            if spawned.is_err() {
                // The system allows no more of them; fewer do the same.
                break;
            }
        }
        crew.work(0);
    });
    let shared = crew.lock();
    let end = shared.stop.unwrap_or(End::Exhausted);
    Outcome { end, state: crew.state(&shared), misfit: shared.misfit }
}

struct Crew<'a> {
    task: &'a Task<'a>,
    plan: Option<Plan<'a>>,
    overseer: &'a dyn Overseer,
    /// What was counted before this crew began.
    earlier: Stats,
    /// Threads without work.
    hungry: AtomicUsize,
    /// Solutions, where only their number counts.
    found: AtomicU64,
    shared: Mutex<Shared>,
    /// Something has changed that somebody may wait for.
    moved: Condvar,
}

impl Crew<'_> {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, mut shared: MutexGuard<'s, Shared>) -> MutexGuard<'s, Shared> {
        shared.sleepers += 1;
        let mut shared = self.moved.wait(shared).unwrap_or_else(PoisonError::into_inner);
        shared.sleepers -= 1;
        shared
    }

    /// Waits, but looks again soon: those who are asked for work may have had none to give.
    fn wait_a_little<'s>(&self, mut shared: MutexGuard<'s, Shared>) -> MutexGuard<'s, Shared> {
        shared.sleepers += 1;
        let waited = self.moved.wait_timeout(shared, PATIENCE);
        let mut shared = waited.unwrap_or_else(PoisonError::into_inner).0;
        shared.sleepers -= 1;
        shared
    }

    /// Wakes whoever waits.
    fn wake(&self, shared: &Shared) {
        if shared.sleepers > 0 {
            self.moved.notify_all();
        }
    }

    fn raise(&self) {
        self.task.attention.iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
    }

    fn stop(&self, shared: &mut Shared, end: End) {
        shared.stop.get_or_insert(end);
        self.raise();
        self.wake(shared);
    }

    /// Hands on what waits and need not wait any more, unless somebody is at it. The others go on
    /// meanwhile.
    fn hand_on<'s>(&'s self, mut shared: MutexGuard<'s, Shared>) -> MutexGuard<'s, Shared> {
        if shared.delivering {
            return shared;
        }
        shared.delivering = true;
        while let Some((lane, bodies)) = shared.next() {
            drop(shared);
            let delivered = self.overseer.deliver(lane, &bodies);
            shared = self.lock();
            shared.delivered(bodies);
            if delivered.is_break() {
                shared.closed = true;
                self.stop(&mut shared, End::Stopped);
            }
            self.wake(&shared);
        }
        shared.delivering = false;
        self.wake(&shared);
        shared
    }

    fn stats(&self, shared: &Shared) -> Stats {
        let mut sum = self.earlier.clone();
        shared.stats.iter().for_each(|stats| sum.add(stats));
        sum
    }

    /// Where the search stands, if everybody pauses.
    fn state(&self, shared: &Shared) -> State {
        State { stats: self.stats(shared), entries: shared.entries() }
    }
}
