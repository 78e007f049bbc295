//! What one thread of a crew does.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::constraint::Constraint;
use crate::search::bits;
use crate::search::crew::bodies::Bodies;
use crate::search::crew::share::{BLOCK, Offer, Shared};
use crate::search::crew::{Crew, Order, Render};
use crate::search::replay::{Replayed, Replayer};
use crate::search::stats::Stats;
use crate::search::stretch::{Bounds, Stretch, cut, open};
use crate::search::walk::Hand;
use crate::search::{End, Limits, Moment, work_by_links};
use crate::solution::Choices;

/// Nodes between two stretches that a thread gives away, and the fewest that such a stretch should have; so
/// handing over costs little.
const APART: u64 = 500;

/// The most bytes of solutions that a stretch should have that is given away.
const MOUTHFUL: usize = 4 << 20;

impl Crew<'_> {
    /// What one thread does.
    pub(super) fn work(&self, number: usize) {
        match self.task.rules {
            None => self.work_under(number, &mut ()),
            Some(make) => self.work_under(number, &mut make()),
        }
    }

    fn work_under<C: Constraint>(&self, number: usize, constraint: &mut C) {
        let problem = self.task.problem;
        let attention = &self.task.attention[number];
        let limits = Limits { nodes: self.task.nodes, attention };
        let mut worker = Worker {
            crew: self,
            number,
            key: Vec::new(),
            render: self.overseer.renderer(),
            bodies: Bodies::default(),
            gave: 0,
            steps_back: false,
            replayer: constraint.forbids().then(|| RefCell::new(None)),
        };
        match &self.plan {
            Some(plan) => bits::work(plan, &limits, &mut worker),
            None => work_by_links(problem, constraint, &limits, &mut worker),
        };
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
    /// It is about to put its stretch back, since too many solutions wait.
    steps_back: bool,
    /// If the constraint forbids: makes the choices of a search without it.
    replayer: Option<RefCell<Option<Replayer>>>,
}

impl<'a> Worker<'a> {
    /// Hands on the solutions that it has, or puts them where they wait.
    fn hand_on(&mut self, mut shared: MutexGuard<'a, Shared>) -> MutexGuard<'a, Shared> {
        if !self.bodies.is_empty() {
            shared.add(&self.key, &mut self.bodies);
            shared = self.crew.hand_on(shared);
            if shared.is_full(&self.key) {
                // The next node has to wait.
                self.attention().store(true, Ordering::Relaxed);
            }
        }
        shared
    }

    fn attention(&self) -> &AtomicBool {
        &self.crew.task.attention[self.number]
    }

    /// Waits until all pause, and has it recorded where they are.
    fn record(&self, mut shared: MutexGuard<'a, Shared>, left: &Stretch) -> MutexGuard<'a, Shared> {
        shared.pausing = true;
        self.crew.raise();
        shared.stand(&self.key, Some(left.clone()));
        while shared.moves() {
            shared = self.crew.wait(shared);
        }
        if shared.stop.is_none() {
            self.crew.overseer.record(self.crew.state(&shared));
        }
        shared.pausing = false;
        self.crew.wake(&shared);
        shared
    }

    /// Gives work away, if somebody needs it and nothing else is there to take.
    fn give(&mut self, shared: &mut Shared, moment: &Moment<'_>, bounds: &mut Bounds) {
        let wanted = self.crew.hungry.load(Ordering::Relaxed) > 0;
        if !wanted || moment.stats.nodes < self.gave + APART || shared.has_open() {
            return;
        }
        let stats = self.crew.stats(shared);
        let level = match self.render {
            None => open(moment.choices, bounds).next(),
            // What comes of it would wait even longer than what waits already.
            Some(_) if shared.is_behind(&self.key) => None,
            Some(_) => {
                let most = most(shared.made, stats.nodes, self.mouthful());
                near(moment.choices, bounds, &stats.profile, most)
            }
        };
        let Some(level) = level else { return };
        self.gave = moment.stats.nodes;
        let (stretch, rest) = cut(moment.choices, bounds, level);
        shared.insert(&self.key, stretch);
        rest.into_iter().for_each(|rest| shared.insert(&self.key, rest));
        shared.see(&self.key, &Stretch::rest(moment.choices, *bounds));
        self.crew.wake(shared);
    }

    /// How many bytes of solutions should come of a stretch that is given away.
    fn mouthful(&self) -> u64 {
        let task = self.crew.task;
        (task.room / (4 * task.attention.len())).min(MOUTHFUL) as u64
    }
}

/// How many nodes may have so many bytes of solutions, if the first `nodes` have so many, or what threads
/// keep to themselves.
fn most(bytes: u64, nodes: u64, mouthful: u64) -> u64 {
    let most = u128::from(mouthful) * u128::from(nodes) / u128::from(bytes.max(BLOCK as u64));
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

impl Hand for Worker<'_> {
    fn take(&mut self) -> Option<Stretch> {
        let crew = self.crew;
        let mut shared = crew.lock();
        loop {
            if shared.stop.is_some() {
                return None;
            }
            if !shared.pausing {
                match shared.take() {
                    Offer::Stretch(key, stretch) => {
                        self.key = key;
                        return Some(stretch);
                    }
                    Offer::Wait => {}
                    Offer::End => {
                        crew.wake(&shared);
                        return None;
                    }
                }
            }
            if shared.pausing || shared.is_crammed() {
                shared = crew.wait_a_little(shared);
                continue;
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
        let anew = self.bodies.is_empty();
        self.bodies.push(|out| match &self.replayer {
            None => render(choices, anew, out),
            Some(replayer) => {
                let cover = || choices.options();
                render(&Replayed::new(self.crew.task.problem, replayer, &cover), anew, out)
            }
        });
        if enough == u64::MAX && self.bodies.size() < BLOCK {
            return ControlFlow::Continue(());
        }
        let shared = self.hand_on(self.crew.lock());
        match shared.stop {
            None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        }
    }

    fn pause(&mut self, moment: &Moment<'_>, bounds: &mut Bounds) -> ControlFlow<()> {
        let crew = self.crew;
        let mut shared = self.hand_on(crew.lock());
        shared.stats[self.number].clone_from(moment.stats);
        let left = Stretch::rest(moment.choices, *bounds);
        shared.see(&self.key, &left);
        if shared.stop.is_none() && !shared.pausing {
            let sum = crew.stats(&shared);
            let moment = Moment { stats: &sum, choices: moment.choices };
            match crew.overseer.tick(&moment, shared.done()) {
                Order::Continue => {}
                Order::Record => shared = self.record(shared, &left),
                Order::Stop => crew.stop(&mut shared, End::Stopped),
            }
        }
        self.steps_back = shared.is_full(&self.key) && !shared.is_first(&self.key);
        let mut waits = shared.is_full(&self.key) && !self.steps_back;
        while shared.pausing || (waits && shared.stop.is_none()) {
            shared.stand(&self.key, Some(left.clone()));
            crew.wake(&shared);
            shared = crew.wait(shared);
            waits = waits && !shared.has_room(&self.key);
        }
        shared.stand(&self.key, None);
        if shared.stop.is_some() || self.steps_back {
            return ControlFlow::Break(());
        }
        self.give(&mut shared, moment, bounds);
        ControlFlow::Continue(())
    }

    fn put(&mut self, end: End, left: Option<Stretch>, stats: &Stats) {
        let crew = self.crew;
        let mut shared = self.hand_on(crew.lock());
        shared.stats[self.number].clone_from(stats);
        shared.put(&self.key, left);
        if end != End::Exhausted && !self.steps_back {
            crew.stop(&mut shared, end);
        }
        self.steps_back = false;
        let shared = crew.hand_on(shared);
        crew.wake(&shared);
    }

    fn misfit(&mut self) {
        let mut shared = self.crew.lock();
        shared.misfit = true;
        self.crew.stop(&mut shared, End::Stopped);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{ItemId, OptionId};
    use crate::solution::Choice;

    #[test]
    fn a_stretch_is_given_away_that_is_large_but_not_too_large() {
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
