//! What the threads of a search know of each other: the intervals in order, and what was found on them.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;

use crate::search::engine::Status;
use crate::search::interval::Interval;
use crate::search::parallel::IntervalRecord;
use crate::search::parallel::chunks::Bodies;
use crate::search::stats::Stats;
use crate::solution::Choice;

/// Bytes of solutions that a thread keeps to itself; then they wait, or are handed on.
pub const BLOCK: usize = 1 << 16;

/// What is known of an interval.
#[derive(Debug)]
pub enum IntervalStage {
    /// No thread is at it.
    Open(Interval),
    /// A thread is at it; if that pauses, this is what is left.
    Taken(Option<Interval>),
    Done,
}

#[derive(Debug)]
struct ThreadSlot {
    lane: usize,
    stage: IntervalStage,
    /// How much of the tree was left of it when its thread looked up last.
    left: f64,
    /// In blocks.
    waiting: VecDeque<Bodies>,
}

/// What threads share. All of it is behind one lock, which they take once for some thousand nodes.
#[derive(Debug)]
pub struct SharedState {
    /// By place in the order of the search.
    slots: BTreeMap<Vec<u32>, ThreadSlot>,
    /// How much of the tree was left when the search began.
    all: f64,
    /// By thread.
    pub stats: Vec<Stats>,
    /// How many bytes may wait.
    room: usize,
    /// How many do, those that are being delivered included.
    waiting: usize,
    /// Bytes of all solutions so far.
    pub made: u64,
    /// Blocks that were handed on, to be filled again.
    spare: Vec<Bodies>,
    /// Some solutions are being taken care of.
    pub delivering: bool,
    /// All threads are to pause.
    pub pausing: bool,
    /// No more solutions are wanted.
    pub closed: bool,
    /// Threads that have not ended.
    pub threads: usize,
    /// Those of them that wait for something.
    pub sleepers: usize,
    /// Those of them that have no interval.
    pub idle: usize,
    /// The choices of the thread that looked up last.
    pub choices: Vec<Choice>,
    /// Why the search is to end.
    pub stop: Option<Status>,
    /// Some interval was none of this problem's.
    pub misfit: bool,
}

/// What a thread without work finds.
pub enum Offer {
    /// An interval and its place.
    Interval(Vec<u32>, Interval),
    /// Nothing that it may take now.
    Wait,
    /// Nothing is left to be done.
    End,
}

impl SharedState {
    /// What `threads` are to work on.
    pub fn new(entries: Vec<IntervalRecord>, threads: usize, room: usize) -> Self {
        let waiting = entries.iter().map(|entry| entry.waiting.size()).sum();
        let slot = |IntervalRecord { lane, key, left, waiting }| {
            let waiting = Some(waiting).filter(|waiting: &Bodies| !waiting.is_empty());
            let measure = left.as_ref().map_or(0.0, Interval::measure);
            let stage = left.map_or(IntervalStage::Done, IntervalStage::Open);
            (key, ThreadSlot { lane, stage, left: measure, waiting: waiting.into_iter().collect() })
        };
        let slots: BTreeMap<_, _> = entries.into_iter().map(slot).collect();
        SharedState {
            all: slots.values().map(|slot| slot.left).sum(),
            slots,
            stats: vec![Stats::default(); threads],
            room,
            waiting,
            made: 0,
            spare: Vec::new(),
            delivering: false,
            pausing: false,
            closed: false,
            threads: 0,
            sleepers: 0,
            idle: 0,
            choices: Vec::new(),
            stop: None,
            misfit: false,
        }
    }

    /// What is left, if everybody pauses.
    pub fn entries(&self) -> Vec<IntervalRecord> {
        let entry = |(key, slot): (&Vec<u32>, &ThreadSlot)| IntervalRecord {
            lane: slot.lane,
            key: key.clone(),
            left: match &slot.stage {
                IntervalStage::Open(interval) => Some(interval.clone()),
                IntervalStage::Taken(left) => left.clone(),
                IntervalStage::Done => None,
            },
            waiting: slot.waiting.iter().fold(Bodies::default(), |mut all, bodies| {
                all.append(&mut bodies.clone());
                all
            }),
        };
        self.slots.iter().map(entry).collect()
    }

    /// The next solutions to be handed on, if they are there, and their lane.
    pub fn next(&mut self) -> Option<(usize, Bodies)> {
        if self.closed {
            return None;
        }
        while let Some(mut first) = self.slots.first_entry() {
            let slot = first.get_mut();
            if let Some(bodies) = slot.waiting.pop_front() {
                return Some((slot.lane, bodies));
            }
            if !matches!(slot.stage, IntervalStage::Done) {
                return None;
            }
            first.remove();
        }
        None
    }

    /// They were handed on.
    pub fn delivered(&mut self, mut bodies: Bodies) {
        self.waiting -= bodies.size();
        bodies.clear();
        if (self.spare.len() + 1) * BLOCK + self.waiting <= self.room {
            self.spare.push(bodies);
        }
    }

    /// A block to be filled.
    pub fn block(&mut self) -> Bodies {
        self.spare.pop().unwrap_or_else(|| Bodies::with_capacity(BLOCK + BLOCK / 8))
    }

    /// Puts solutions of an interval where they wait. They are gone from `bodies`, which may be another
    /// block afterwards.
    pub fn add(&mut self, key: &[u32], bodies: &mut Bodies) {
        let size = bodies.size();
        let Some(slot) = self.slots.get_mut(key) else { return };
        self.waiting += size;
        self.made += size as u64;
        match slot.waiting.back_mut() {
            // Small ones would take more room than they say.
            Some(last) if last.size() + size <= BLOCK => last.append(bodies),
            _ => {
                let block = self.block();
                let bodies = std::mem::replace(bodies, block);
                if let Some(slot) = self.slots.get_mut(key) {
                    slot.waiting.push_back(bodies);
                }
            }
        }
    }

    /// Whether an interval is the first in order.
    pub fn is_first(&self, key: &[u32]) -> bool {
        self.slots.first_key_value().is_some_and(|(first, _)| first == key)
    }

    /// How many bytes may wait before the thread at an interval must stop: more than for others if those
    /// behind it wait for it.
    fn limit(&self, key: &[u32]) -> usize {
        let mut behind = self.slots.range::<[u32], _>((Bound::Excluded(key), Bound::Unbounded));
        match behind.any(|(_, slot)| !slot.waiting.is_empty()) {
            true => self.room + self.room / 4,
            false => self.room,
        }
    }

    /// Whether there are solutions that could be handed on now.
    fn is_ready(&self) -> bool {
        let first = self.slots.values().next();
        !self.closed && first.is_some_and(|slot| !slot.waiting.is_empty())
    }

    /// Whether nothing is left to be searched.
    pub fn is_done(&self) -> bool {
        self.slots.values().all(|slot| matches!(slot.stage, IntervalStage::Done))
    }

    /// Whether so much waits that only the first interval may be begun.
    pub fn is_crammed(&self) -> bool {
        self.waiting > self.room
    }

    /// Whether more than a little waits, and not for what is found on this interval.
    pub fn is_behind(&self, key: &[u32]) -> bool {
        self.waiting > self.room / 4 && !self.is_first(key)
    }

    /// Whether the thread at an interval must stop, since too much waits.
    pub fn is_full(&self, key: &[u32]) -> bool {
        // What the first finds does not wait, unless for an output that is slow.
        self.waiting > self.room
            && self.waiting > self.limit(key)
            && (self.delivering || self.is_ready() || !self.is_first(key))
    }

    /// Whether the thread at an interval may go on that had to stop, or another begin with it.
    pub fn has_room(&self, key: &[u32]) -> bool {
        let first = !self.delivering && !self.is_ready() && self.is_first(key);
        first || self.waiting <= self.limit(key) - self.room / 4
    }

    /// Whether an interval that no thread is at could be taken.
    pub fn has_open(&self) -> bool {
        let open = |(key, slot): (&Vec<u32>, &ThreadSlot)| {
            matches!(slot.stage, IntervalStage::Open(_)) && self.has_room(key)
        };
        self.slots.iter().any(open)
    }

    /// The first interval that no thread is at, which is taken.
    pub fn take(&mut self) -> Offer {
        let open = |(_, slot): &(&Vec<u32>, &ThreadSlot)| matches!(slot.stage, IntervalStage::Open(_));
        let mut open = self.slots.iter().filter(open).map(|(key, _)| key);
        let found = open.find(|key| self.has_room(key)).cloned();
        if let Some(key) = found
            && let Some(slot) = self.slots.get_mut(&key)
            && let IntervalStage::Open(interval) = std::mem::replace(&mut slot.stage, IntervalStage::Taken(None))
        {
            return Offer::Interval(key, interval);
        }
        if self.is_done() { Offer::End } else { Offer::Wait }
    }

    /// Says what a thread would leave of an interval if all paused now; or that it goes on.
    pub fn stand(&mut self, key: &[u32], left: Option<Interval>) {
        if let Some(slot) = self.slots.get_mut(key) {
            slot.stage = IntervalStage::Taken(left);
        }
    }

    /// What was left of an interval when its thread paused last.
    pub fn see(&mut self, key: &[u32], left: &Interval) {
        if let Some(slot) = self.slots.get_mut(key) {
            slot.left = left.measure();
        }
        self.choices.clone_from(&left.path);
    }

    /// How much of what the search began with is done, between 0 and 1.
    pub fn done(&self) -> f64 {
        let left: f64 = self.slots.values().map(|slot| slot.left).sum();
        1.0 - (left / self.all.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    }

    /// Whether some thread is at work.
    pub fn moves(&self) -> bool {
        self.slots.values().any(|slot| matches!(slot.stage, IntervalStage::Taken(None)))
    }

    /// No thread is at an interval any more, of which this is left.
    pub fn put(&mut self, key: &[u32], left: Option<Interval>) {
        let Some(slot) = self.slots.get_mut(key) else { return };
        slot.left = left.as_ref().map_or(0.0, Interval::measure);
        slot.stage = left.map_or(IntervalStage::Done, IntervalStage::Open);
        // Of a search that takes days there would be many.
        if matches!(slot.stage, IntervalStage::Done) && slot.waiting.is_empty() {
            self.slots.remove(key);
        }
    }

    /// An interval was cut off the one at `key`.
    pub fn insert(&mut self, key: &[u32], interval: Interval) {
        let lane = self.slots.get(key).map_or(0, |slot| slot.lane);
        let (key, left) = (interval.start(), interval.measure());
        let slot = ThreadSlot { lane, stage: IntervalStage::Open(interval), left, waiting: VecDeque::new() };
        self.slots.insert(key, slot);
    }
}
