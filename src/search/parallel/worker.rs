//! What one thread of a search does.

use std::ops::ControlFlow;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::search::algorithm_c::TreeSearch;
use crate::search::engine::{Sink, Status};
use crate::search::interval::{Bounds, Interval, open};
use crate::search::parallel::chunks::Bodies;
use crate::search::parallel::coordinator::{BLOCK, Offer, SharedState};
use crate::search::parallel::{Parallel, RenderSolution};
use crate::solution::Choices;

/// Nodes between two intervals that a thread gives away, and the fewest that such an interval should have; so
/// handing over costs little.
const APART: u64 = 500;

/// The most bytes of solutions that an interval should have that is given away.
const CHUNK: usize = 4 << 20;

/// About how long an engine runs before its thread looks whether another is idle.
const SLICE: Duration = Duration::from_micros(500);

/// How often it tells the others where it is.
const LOOK: Duration = Duration::from_millis(20);

impl Parallel<'_> {
    /// What one thread does.
    pub(super) fn work(&self, number: usize) {
        let mut engine = (self.task.engine)();
        engine.limit(self.task.nodes);
        let mut worker = Worker {
            parallel: self,
            engine: &mut *engine,
            number,
            key: Vec::new(),
            words: Words {
                render: self.task.render.map(|render| render()),
                bodies: Bodies::default(),
                found: &self.found,
                enough: self.task.enough,
            },
            slice: 64,
            looked: Instant::now(),
            gave: 0,
        };
        while let Some(interval) = worker.take() {
            if !worker.engine.begin(&interval) {
                let mut shared = self.lock();
                shared.misfit = true;
                shared.put(&worker.key, Some(interval));
                self.stop(&mut shared, Status::Stopped);
                break;
            }
            worker.visit();
        }
        let mut shared = self.lock();
        shared.threads -= 1;
        self.wake(&shared);
    }
}

/// A thread at work.
struct Worker<'w, 'a> {
    parallel: &'w Parallel<'a>,
    engine: &'w mut (dyn TreeSearch + 'a),
    number: usize,
    /// Of the interval that it is at.
    key: Vec<u32>,
    words: Words<'w, 'a>,
    /// Nodes that take about as long as a slice.
    slice: u64,
    /// When it last told the others where it is.
    looked: Instant,
    /// Its nodes when it last gave work away.
    gave: u64,
}

/// Where the solutions of a thread go.
struct Words<'w, 'a> {
    render: Option<RenderSolution<'a>>,
    /// Those that no other thread knows of yet.
    bodies: Bodies,
    found: &'w AtomicU64,
    enough: u64,
}

impl Sink for Words<'_, '_> {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        let Words { render, bodies, found, enough } = self;
        let goes_on = match render {
            None => *enough == u64::MAX || found.fetch_add(1, Ordering::Relaxed) + 1 < *enough,
            Some(render) => {
                let anew = bodies.is_empty();
                bodies.push(|out| render(choices, anew, out));
                *enough == u64::MAX && bodies.size() < BLOCK
            }
        };
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Whether a thread goes on with its interval.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    GoOn,
    /// It puts it back, for this reason if all others are to end, too.
    Leave(Option<Status>),
}

impl<'w, 'a> Worker<'w, 'a> {
    /// The next interval to visit, if there is one.
    fn take(&mut self) -> Option<Interval> {
        let parallel = self.parallel;
        let mut shared = parallel.lock();
        loop {
            if shared.stop.is_some() {
                return None;
            }
            if !shared.pausing {
                match shared.take() {
                    Offer::Interval(key, interval) => {
                        self.key = key;
                        return Some(interval);
                    }
                    Offer::Wait => {}
                    Offer::End => return None,
                }
            }
            if shared.pausing || shared.is_crammed() {
                shared = parallel.wait_for_change(shared);
                continue;
            }
            shared.idle += 1;
            parallel.call.store(true, Ordering::Relaxed);
            shared = parallel.wait_for_change(shared);
            shared.idle -= 1;
        }
    }

    /// Visits the interval that was taken.
    fn visit(&mut self) {
        let parallel = self.parallel;
        loop {
            let begun = Instant::now();
            let status = self.engine.run(self.slice, &mut self.words);
            let now = Instant::now();
            if status == Status::Paused {
                let long = now - begun > SLICE;
                self.slice = if long { self.slice / 2 } else { self.slice * 2 }.clamp(1, 1 << 20);
                if !parallel.call.load(Ordering::Relaxed) && now - self.looked < LOOK {
                    continue;
                }
            }
            let next = self.look_up(status);
            self.looked = now;
            if let Next::Leave(why) = next {
                let mut shared = self.tell(parallel.lock());
                shared.put(&self.key, self.engine.rest());
                if let Some(why) = why {
                    parallel.stop(&mut shared, why);
                }
                parallel.wake(&shared);
                return;
            }
        }
    }

    /// Leaves what it found where the others find it, and says what it counted.
    fn tell(&mut self, mut shared: MutexGuard<'w, SharedState>) -> MutexGuard<'w, SharedState> {
        if !self.words.bodies.is_empty() {
            shared.add(&self.key, &mut self.words.bodies);
            self.parallel.ready.notify_all();
        }
        shared.stats[self.number] = self.engine.stats();
        shared
    }

    /// Sees to what the others want. The engine gave the thread back for this reason.
    fn look_up(&mut self, status: Status) -> Next {
        match status {
            Status::Exhausted => return Next::Leave(None),
            Status::Limit | Status::Full => return Next::Leave(Some(status)),
            Status::Stopped if self.words.render.is_none() => {
                return Next::Leave(Some(Status::Stopped));
            }
            Status::Stopped | Status::Paused => {}
        }
        // Behind the last solution of an interval nothing is left.
        let Some(left) = self.engine.rest() else { return Next::Leave(None) };
        let parallel = self.parallel;
        let mut shared = self.tell(parallel.lock());
        shared.see(&self.key, &left);
        if shared.is_full(&self.key) && !shared.is_first(&self.key) && !shared.pausing {
            return Next::Leave(None);
        }
        let mut waits = shared.is_full(&self.key);
        while shared.stop.is_none() && (shared.pausing || waits) {
            shared.stand(&self.key, Some(left.clone()));
            parallel.wake(&shared);
            shared = parallel.wait_for_change(shared);
            waits = waits && !shared.has_room(&self.key);
        }
        shared.stand(&self.key, None);
        if shared.stop.is_some() {
            return Next::Leave(None);
        }
        if shared.idle == 0 {
            parallel.call.store(false, Ordering::Relaxed);
        } else {
            self.give(&mut shared);
        }
        Next::GoOn
    }

    /// Gives work away, which some thread needs, if nothing else is there to take.
    fn give(&mut self, shared: &mut SharedState) {
        let nodes = self.engine.work();
        if nodes < self.gave + APART || shared.has_open() {
            return;
        }
        let (choices, bounds) = (self.engine.choices(), self.engine.bounds());
        let level = match self.words.render {
            None => open(choices, &bounds).next(),
            // What comes of it would wait even longer than what waits already.
            Some(_) if shared.is_behind(&self.key) => None,
            Some(_) => {
                let stats = self.parallel.stats(shared);
                let most = most(shared.made, stats.nodes, self.chunk());
                near(choices, &bounds, &stats.profile, most)
            }
        };
        let Some(level) = level else { return };
        self.gave = nodes;
        let (interval, rest) = self.engine.split(level);
        shared.insert(&self.key, interval);
        rest.into_iter().for_each(|rest| shared.insert(&self.key, rest));
        if let Some(left) = self.engine.rest() {
            shared.see(&self.key, &left);
        }
        self.parallel.wake(shared);
    }

    /// How many bytes of solutions should come of an interval that is given away.
    fn chunk(&self) -> u64 {
        let task = &self.parallel.task;
        (task.room / (4 * task.threads.max(1))).min(CHUNK) as u64
    }
}

/// How many nodes may have so many bytes of solutions, if the first `nodes` have so many, or what threads
/// keep to themselves.
fn most(bytes: u64, nodes: u64, chunk: u64) -> u64 {
    let most = u128::from(chunk) * u128::from(nodes) / u128::from(bytes.max(BLOCK as u64));
    u64::try_from(most).unwrap_or(u64::MAX)
}

/// The level to cut so that what is cut off has at most so many nodes, and as many as that allows. The search
/// so far tells how many there are below a node of each level.
fn near(choices: &dyn Choices, bounds: &Bounds, profile: &[u64], most: u64) -> Option<usize> {
    let size = |level: usize| {
        let choice = choices.choice(level);
        let below: u64 = profile.iter().skip(level + 1).sum();
        let among = profile.get(level + 1).copied().unwrap_or(0).max(1);
        // Below the only node of a level nothing is complete.
        let known = among > 1;
        let last = choice.degree.min(bounds.last(level));
        let options = u64::from(last.saturating_sub(choice.rank));
        known.then(|| below.saturating_mul(options) / among)
    };
    let mut larger = None;
    for level in open(choices, bounds) {
        match size(level) {
            Some(nodes) if nodes < APART => break,
            Some(nodes) if nodes <= most => return Some(level),
            _ => larger = Some(level),
        }
    }
    larger
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{ItemId, OptionId};
    use crate::solution::Choice;

    #[test]
    fn an_interval_is_given_away_that_is_large_but_not_too_large() {
        let choice = |(rank, degree)| Choice {
            option: Some(OptionId::new(0)),
            item: ItemId::new(0),
            rank,
            degree,
        };
        let choices: Vec<Choice> = [(1, 3), (1, 2), (2, 6), (1, 2)].map(choice).to_vec();
        let bounds = Bounds { floor: 0, to: u32::MAX };
        // Below a node of level 1 there is no telling; below one of level 2, 3, 4: 40030, 2001 and 100.
        let profile = [1, 1, 2, 40, 800, 79_220];
        let level = |bounds: Bounds, most| near(&choices, &bounds, &profile, most);
        assert_eq!(level(bounds, u64::MAX), Some(1));
        assert_eq!(level(bounds, 40_031), Some(1));
        assert_eq!(level(bounds, 40_030), Some(2));
        // Too few are left below; so it is the level above that.
        assert_eq!(level(bounds, 8000), Some(2));
        assert_eq!(level(Bounds { floor: 2, to: 2 }, 8000), None);
        assert_eq!(level(Bounds { floor: 3, to: 2 }, 8000), None);
        // A text of 1 MB from 1000 nodes, and 4 KB at most: four nodes. Of no text yet there may be 64 KB.
        assert_eq!(most(1 << 20, 1000, 4 << 10), 3);
        assert_eq!(most(0, 1000, 4 << 10), 62);
        assert_eq!(most(0, u64::MAX, 4 << 20), u64::MAX);
    }
}
