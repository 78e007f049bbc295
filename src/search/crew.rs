//! A crew: one search by several threads, or by one that others may take over from.
//!
//! The tree is cut into stretches, and these are in the order of the search. A thread takes the first that
//! nobody has begun. One that finds none raises the attention flags of the others; whoever is at work then
//! cuts off the last part of what it has left, the highest level with untried options, as a new
//! stretch. So work moves only when somebody needs it, and with a path of choices, not with lists.
//!
//! Results keep the order of one thread: the first stretch hands its solutions on as they come, those of
//! later ones wait, and a thread stops for a while if too many wait. The thread that has the
//! first stretch never stops; when it is done it takes the first that is left. So there is no deadlock.
//!
//! Counts belong to threads and are summed; as stretches do not overlap, the sums are those of one
//! search. Now and then all threads pause at a node, and what is left and what waits is all there is
//! to know: a [`State`], from which another crew of any size can go on.
//!
//! We keep no deque for each thread, as a library of work stealing would: the work that could be stolen
//! stands in the levels of the store already, and is cut off for whoever asks.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::constraint::{Constraint, Together};
use crate::problem::Problem;
use crate::search::bits::{self, Plan};
use crate::search::replay::{Replayed, Replayer};
use crate::search::stats::Stats;
use crate::search::stretch::{Bounds, Stretch, cut};
use crate::search::walk::Hand;
use crate::search::{End, Limits, Moment, work_by_links};
use crate::solution::Choices;

/// Bytes of solutions that a thread keeps to itself.
const BLOCK: usize = 1 << 16;

/// Nodes between two stretches that a thread gives away; so handing over costs little.
const APART: u64 = 500;

/// How often a thread without work asks for some.
const PATIENCE: Duration = Duration::from_millis(1);

/// Solutions in the words in which they will be handed on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bodies {
    /// All of them, end to end.
    pub bytes: Vec<u8>,
    /// Where each ends.
    pub ends: Vec<usize>,
}

impl Bodies {
    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.bytes[start..end])
    }

    fn append(&mut self, other: &mut Bodies) {
        let before = self.bytes.len();
        self.bytes.append(&mut other.bytes);
        self.ends.extend(other.ends.drain(..).map(|end| before + end));
    }

    /// About how much memory they take.
    fn size(&self) -> usize {
        self.bytes.len() + self.ends.len() * size_of::<usize>()
    }
}

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
}

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

/// Puts a solution into words, without its number.
pub type Render<'a> = Box<dyn FnMut(&dyn Choices, &mut Vec<u8>) + 'a>;

/// Where a crew reports to. Except for `renderer`, calls come one at a time.
pub trait Overseer: Sync {
    /// How a thread puts solutions into words; `None` if they are only counted.
    fn renderer(&self) -> Option<Render<'_>>;

    /// The next solutions, in the order of the search; break to stop it.
    fn deliver(&self, lane: usize, solutions: &Bodies) -> ControlFlow<()>;

    /// An attention flag was up. The choices are those of one thread, the first in order if `first`.
    fn tick(&self, moment: &Moment<'_>, first: bool) -> Order;

    /// This is where the search stands.
    fn record(&self, state: State);
}

/// What a crew is to search.
pub struct Task<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// Search by bits instead of links.
    pub bits: bool,
    /// Makes the constraint, if there is one.
    pub rules: Option<&'a (dyn Fn() -> Together + Sync)>,
    /// Stop after so many nodes. Exact for one thread.
    pub nodes: u64,
    /// Stop after so many solutions.
    pub enough: u64,
    /// A flag for each thread; see [`Limits::attention`].
    pub attention: &'a [AtomicBool],
    /// How many bytes of solutions may wait.
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
    let plan = task.bits.then(|| Plan::new(task.problem));
    let slot = |entry: Entry| {
        let Entry { lane, key, left, waiting } = entry;
        (key, Slot { lane, stage: left.map_or(Stage::Done, Stage::Open), waiting })
    };
    let slots: BTreeMap<_, _> = entries.into_iter().map(slot).collect();
    let crew = Crew {
        task,
        plan,
        overseer,
        earlier: stats,
        hungry: AtomicUsize::new(0),
        found: AtomicU64::new(0),
        shared: Mutex::new(Shared {
            waiting: slots.values().map(|slot| slot.waiting.size()).sum(),
            slots,
            stats: vec![Stats::default(); task.attention.len()],
            pausing: false,
            closed: false,
            stop: None,
            misfit: false,
        }),
        moved: Condvar::new(),
    };
    crew.found.store(crew.earlier.solutions, Ordering::Relaxed);
    crew.hand_on(&mut crew.lock());
    thread::scope(|scope| {
        for number in 1..task.attention.len() {
            let crew = &crew;
            scope.spawn(move || crew.work(number));
        }
        crew.work(0);
    });
    let shared = crew.lock();
    let end = shared.stop.unwrap_or(End::Exhausted);
    Outcome { end, state: crew.state(&shared), misfit: shared.misfit }
}

/// What is known of a stretch.
#[derive(Debug)]
enum Stage {
    /// Nobody is at it.
    Open(Stretch),
    /// A thread is at it; if that pauses, this is what is left.
    Taken(Option<Stretch>),
    Done,
}

#[derive(Debug)]
struct Slot {
    lane: usize,
    stage: Stage,
    waiting: Bodies,
}

#[derive(Debug)]
struct Shared {
    slots: BTreeMap<Vec<u32>, Slot>,
    /// By thread.
    stats: Vec<Stats>,
    /// Bytes that wait.
    waiting: usize,
    /// Everybody is to pause.
    pausing: bool,
    /// The overseer takes no more solutions.
    closed: bool,
    stop: Option<End>,
    misfit: bool,
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

    fn wait<'s>(&self, shared: MutexGuard<'s, Shared>) -> MutexGuard<'s, Shared> {
        self.moved.wait(shared).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits, but looks again soon: those who are asked for work may have had none to give.
    fn wait_a_little<'s>(&self, shared: MutexGuard<'s, Shared>) -> MutexGuard<'s, Shared> {
        self.moved.wait_timeout(shared, PATIENCE).unwrap_or_else(PoisonError::into_inner).0
    }

    fn raise(&self) {
        self.task.attention.iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
    }

    fn stop(&self, shared: &mut Shared, end: End) {
        shared.stop.get_or_insert(end);
        self.raise();
        self.moved.notify_all();
    }

    /// What one thread does.
    fn work(&self, number: usize) {
        match self.task.rules {
            None => self.work_under(number, &mut ()),
            Some(make) => self.work_under(number, &mut make()),
        }
    }

    fn work_under<C: Constraint>(&self, number: usize, constraint: &mut C) {
        let problem = self.task.problem;
        let attention = &self.task.attention[number];
        let nodes = self.task.nodes.saturating_sub(self.earlier.nodes);
        let limits = Limits { nodes, attention };
        let mut worker = Worker {
            crew: self,
            number,
            key: Vec::new(),
            render: self.overseer.renderer(),
            bodies: Bodies::default(),
            gave: 0,
            replayer: constraint.forbids().then(|| RefCell::new(None)),
        };
        match &self.plan {
            Some(plan) => bits::work(plan, &limits, &mut worker),
            None => work_by_links(problem, constraint, &limits, &mut worker),
        };
    }

    /// Hands on what waits and need not wait any more.
    fn hand_on(&self, shared: &mut Shared) {
        while let Some(mut first) = shared.slots.first_entry() {
            let slot = first.get_mut();
            if !slot.waiting.ends.is_empty() && !shared.closed {
                let waiting = std::mem::take(&mut slot.waiting);
                shared.waiting -= waiting.size();
                if self.overseer.deliver(slot.lane, &waiting).is_break() {
                    shared.closed = true;
                    self.stop(shared, End::Stopped);
                    return;
                }
                self.moved.notify_all();
                continue;
            }
            if !matches!(slot.stage, Stage::Done) || !slot.waiting.ends.is_empty() {
                return;
            }
            first.remove();
        }
    }

    fn stats(&self, shared: &Shared) -> Stats {
        let mut sum = self.earlier.clone();
        shared.stats.iter().for_each(|stats| sum.add(stats));
        sum
    }

    /// Where the search stands, if everybody pauses.
    fn state(&self, shared: &Shared) -> State {
        let entry = |(key, slot): (&Vec<u32>, &Slot)| Entry {
            lane: slot.lane,
            key: key.clone(),
            left: match &slot.stage {
                Stage::Open(stretch) => Some(stretch.clone()),
                Stage::Taken(left) => left.clone(),
                Stage::Done => None,
            },
            waiting: slot.waiting.clone(),
        };
        State { stats: self.stats(shared), entries: shared.slots.iter().map(entry).collect() }
    }
}

/// A thread at work.
struct Worker<'a> {
    crew: &'a Crew<'a>,
    number: usize,
    /// Of the stretch that it is at.
    key: Vec<u32>,
    render: Option<Render<'a>>,
    /// Solutions that are not handed on yet.
    bodies: Bodies,
    /// Its nodes when it last gave work away.
    gave: u64,
    /// If the constraint forbids: makes the choices of a search without it.
    replayer: Option<RefCell<Option<Replayer>>>,
}

impl Worker<'_> {
    /// Hands on the solutions that it has, or puts them where they wait.
    fn hand_on(&mut self, shared: &mut Shared) {
        if self.bodies.ends.is_empty() {
            return;
        }
        let Some(slot) = shared.slots.get_mut(&self.key) else { return };
        shared.waiting += self.bodies.size();
        slot.waiting.append(&mut self.bodies);
        if self.is_first(shared) {
            self.crew.hand_on(shared);
        } else if shared.waiting > self.crew.task.room {
            // The next node has to wait.
            self.attention().store(true, Ordering::Relaxed);
        }
    }

    fn attention(&self) -> &AtomicBool {
        &self.crew.task.attention[self.number]
    }

    fn is_first(&self, shared: &Shared) -> bool {
        shared.slots.first_key_value().is_some_and(|(key, _)| *key == self.key)
    }

    /// Says what is left if all pause now; or that the search goes on.
    fn stand(&self, shared: &mut Shared, left: Option<Stretch>) {
        if let Some(slot) = shared.slots.get_mut(&self.key) {
            slot.stage = Stage::Taken(left);
        }
    }

    /// Waits until all pause, and has it recorded where they are.
    fn record<'s>(
        &self,
        mut shared: MutexGuard<'s, Shared>,
        left: &Stretch,
    ) -> MutexGuard<'s, Shared> {
        shared.pausing = true;
        self.crew.raise();
        self.stand(&mut shared, Some(left.clone()));
        let moves = |slot: &Slot| matches!(slot.stage, Stage::Taken(None));
        while shared.slots.values().any(moves) {
            shared = self.crew.wait(shared);
        }
        if shared.stop.is_none() {
            self.crew.overseer.record(self.crew.state(&shared));
        }
        shared.pausing = false;
        self.crew.moved.notify_all();
        shared
    }

    /// Gives work away, if somebody needs it and nothing else is there to take.
    fn give(&mut self, shared: &mut Shared, moment: &Moment<'_>, bounds: &mut Bounds) {
        let open = |slot: &Slot| matches!(slot.stage, Stage::Open(_));
        if self.crew.hungry.load(Ordering::Relaxed) == 0 || shared.slots.values().any(open) {
            return;
        }
        if moment.stats.nodes < self.gave + APART {
            return;
        }
        let Some(stretch) = cut(moment.choices, bounds) else { return };
        self.gave = moment.stats.nodes;
        let lane = shared.slots.get(&self.key).map_or(0, |slot| slot.lane);
        let key = stretch.start();
        let slot = Slot { lane, stage: Stage::Open(stretch), waiting: Bodies::default() };
        shared.slots.insert(key, slot);
        self.crew.moved.notify_all();
    }
}

impl Hand for Worker<'_> {
    fn take(&mut self) -> Option<Stretch> {
        let crew = self.crew;
        let mut shared = crew.lock();
        loop {
            if shared.stop.is_some() {
                return None;
            }
            let mut taken = false;
            if !shared.pausing {
                for (key, slot) in &mut shared.slots {
                    if let Stage::Open(stretch) = &slot.stage {
                        let stretch = stretch.clone();
                        slot.stage = Stage::Taken(None);
                        self.key.clone_from(key);
                        return Some(stretch);
                    }
                    taken |= matches!(slot.stage, Stage::Taken(_));
                }
                if !taken {
                    crew.moved.notify_all();
                    return None;
                }
            }
            crew.hungry.fetch_add(1, Ordering::Relaxed);
            crew.raise();
            shared = crew.wait_a_little(shared);
            crew.hungry.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        let enough = self.crew.task.enough;
        let Some(render) = &mut self.render else {
            if enough != u64::MAX && self.crew.found.fetch_add(1, Ordering::Relaxed) + 1 >= enough {
                return ControlFlow::Break(());
            }
            return ControlFlow::Continue(());
        };
        match &self.replayer {
            None => render(choices, &mut self.bodies.bytes),
            Some(replayer) => {
                let cover = || choices.options();
                let replayed = Replayed::new(self.crew.task.problem, replayer, &cover);
                render(&replayed, &mut self.bodies.bytes);
            }
        }
        self.bodies.ends.push(self.bodies.bytes.len());
        if enough == u64::MAX && self.bodies.size() < BLOCK {
            return ControlFlow::Continue(());
        }
        let crew = self.crew;
        let mut shared = crew.lock();
        self.hand_on(&mut shared);
        match shared.stop {
            None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        }
    }

    fn pause(&mut self, moment: &Moment<'_>, bounds: &mut Bounds) -> ControlFlow<()> {
        let crew = self.crew;
        let mut shared = crew.lock();
        self.hand_on(&mut shared);
        shared.stats[self.number].clone_from(moment.stats);
        let left = Stretch::rest(moment.choices, *bounds);
        if shared.stop.is_none() && !shared.pausing {
            let sum = crew.stats(&shared);
            let moment = Moment { stats: &sum, choices: moment.choices };
            match crew.overseer.tick(&moment, self.is_first(&shared)) {
                Order::Continue => {}
                Order::Record => shared = self.record(shared, &left),
                Order::Stop => crew.stop(&mut shared, End::Stopped),
            }
        }
        let waits = |shared: &Shared| {
            let full = shared.waiting > crew.task.room && !self.is_first(shared);
            shared.pausing || (full && shared.stop.is_none())
        };
        if waits(&shared) {
            self.stand(&mut shared, Some(left));
            crew.moved.notify_all();
            while waits(&shared) {
                shared = crew.wait(shared);
            }
        }
        self.stand(&mut shared, None);
        if shared.stop.is_some() {
            return ControlFlow::Break(());
        }
        self.give(&mut shared, moment, bounds);
        ControlFlow::Continue(())
    }

    fn put(&mut self, end: End, left: Option<Stretch>, stats: &Stats) {
        let crew = self.crew;
        let mut shared = crew.lock();
        self.hand_on(&mut shared);
        shared.stats[self.number].clone_from(stats);
        if let Some(slot) = shared.slots.get_mut(&self.key) {
            slot.stage = left.map_or(Stage::Done, Stage::Open);
            // Of a search that takes days there would be many.
            if matches!(slot.stage, Stage::Done) && slot.waiting.ends.is_empty() {
                shared.slots.remove(&self.key);
            }
        }
        if end != End::Exhausted {
            crew.stop(&mut shared, end);
        }
        crew.hand_on(&mut shared);
        crew.moved.notify_all();
    }

    fn misfit(&mut self) {
        let mut shared = self.crew.lock();
        shared.misfit = true;
        self.crew.stop(&mut shared, End::Stopped);
    }
}
