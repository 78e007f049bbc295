//! Counts by sweeping over the items, layer by layer.
//!
//! A layer has the states that can be reached after so many items, each with the number of partial
//! covers that lead to it. The next layer is made from it, and then it is forgotten: two of them are all
//! that is kept. The last layer has one state.
//!
//! The state of a sweep is the layer at hand, the next one, and how many states were taken from the one to
//! the other; so it can pause within a layer.
//!
//! When two layers do not fit into the memory that is allowed, the one at hand is cut in halves, and
//! each is followed to the end on its own. That finds the same count in more time, since states which
//! both halves reach are followed twice. States for which there is no room at all are followed one by
//! one, without any table.

use std::ops::ControlFlow;
use std::rc::Rc;

use num_bigint::BigUint;

use crate::search::engine::Status;
use crate::search::memo::filter::Sieve;
use crate::search::memo::layer::{Arrivals, Layer, big};
use crate::search::memo::mini_buckets;
use crate::search::memo::step::{NO_WAY, WideStep, holds, meet, stages, work};
use crate::search::memo::transitions::{MOST_WORDS, TransitionPlan};
use crate::search::memo::zdd::Diagram;
use crate::search::stats::Stats;
use crate::search::zdd::Zdd;

/// States between two looks at the budget.
pub(super) const PATIENCE: usize = 1 << 10;

/// The least number of bytes for which it pays to have layers.
const LEAST: usize = 1 << 16;

/// States of a layer for which tables of options pay.
const SIEVED: usize = 1 << 9;

/// Work (see [`work`]) after which it pays to look ahead: about as much as that is.
const MUCH: u64 = 1 << 26;

/// What a sweep counts on its way, and when it is to pause.
#[derive(Default)]
pub(super) struct SweepCounts {
    pub stats: Stats,
    /// Covers that are known.
    pub total: BigUint,
    /// Work that was done.
    pub work: u64,
    /// Work at which to pause.
    rest_at: u64,
    /// States at which to end.
    limit: u64,
}

impl SweepCounts {
    /// Whether it is time to pause, or to end.
    pub fn look_up(&self) -> ControlFlow<Status> {
        if self.stats.nodes >= self.limit {
            return ControlFlow::Break(Status::Limit);
        }
        self.pause()
    }

    /// Whether it is time to pause.
    pub fn pause(&self) -> ControlFlow<Status> {
        match self.work >= self.rest_at {
            true => ControlFlow::Break(Status::Paused),
            false => ControlFlow::Continue(()),
        }
    }

    /// Looks ahead, if there was so much to do that this pays.
    pub fn look_ahead(&self, plan: &TransitionPlan) {
        if self.work >= MUCH {
            plan.look_ahead(mini_buckets::BITS);
        }
    }
}

/// A sweep over states of some width.
pub(super) trait FrontierSweep {
    /// Goes on until it is time to pause, or to end.
    fn go_on(&mut self, plan: &TransitionPlan, tally: &mut SweepCounts) -> ControlFlow<Status>;

    /// How far it has come, between 0 and 1.
    fn progress(&self) -> f64;

    /// The ZDD, if one was made.
    fn take_diagram(&mut self) -> Option<Zdd> {
        None
    }
}

/// A count at work.
pub struct Frontier {
    plan: Rc<TransitionPlan>,
    tally: SweepCounts,
    course: Box<dyn FrontierSweep>,
    end: Option<Status>,
}

impl Frontier {
    /// Nothing is known yet. It may take so many bytes. If it `draws`, it makes a ZDD, too.
    pub fn new(plan: &Rc<TransitionPlan>, draws: bool, room: usize) -> Self {
        let course = match plan.words {
            1 => course::<1>(plan, draws, room),
            2 => course::<2>(plan, draws, room),
            3 => course::<3>(plan, draws, room),
            4 => course::<4>(plan, draws, room),
            5..=6 => course::<6>(plan, draws, room),
            7..=8 => course::<8>(plan, draws, room),
            9..=16 => course::<16>(plan, draws, room),
            _ => course::<MOST_WORDS>(plan, draws, room),
        };
        let mut tally = SweepCounts { limit: u64::MAX, ..SweepCounts::default() };
        tally.stats.profile.resize(plan.steps.len() + 1, 0);
        Frontier { plan: Rc::clone(plan), tally, course, end: None }
    }

    /// Goes on for so much work.
    pub fn run(&mut self, work: u64) -> Status {
        if let Some(end) = self.end {
            return end;
        }
        self.tally.rest_at = self.tally.work.saturating_add(work);
        match self.course.go_on(&self.plan, &mut self.tally) {
            ControlFlow::Continue(()) => {
                self.end = Some(Status::Exhausted);
                Status::Exhausted
            }
            ControlFlow::Break(status) => {
                self.end = Some(status).filter(|&status| status == Status::Full);
                status
            }
        }
    }

    /// From here on it ends after so many states.
    pub fn limit(&mut self, states: u64) {
        self.tally.limit = states;
    }

    /// What was counted; the number of covers is a lower bound unless it is exhausted.
    pub fn stats(&self) -> Stats {
        let mut stats = self.tally.stats.clone();
        stats.set_total(self.tally.total.clone());
        stats
    }

    /// Work so far.
    pub fn work(&self) -> u64 {
        self.tally.work
    }

    /// How far it has come, between 0 and 1.
    pub fn progress(&self) -> f64 {
        self.course.progress()
    }

    /// The ZDD, if one was made.
    pub fn take_diagram(&mut self) -> Option<Zdd> {
        self.course.take_diagram()
    }
}

fn course<const N: usize>(plan: &TransitionPlan, draws: bool, room: usize) -> Box<dyn FrontierSweep> {
    match draws {
        true => Box::new(Diagram::<N>::new(plan, room)),
        false => Box::new(LayerSweep::<N>::new(plan, room)),
    }
}

/// Counts what comes of states, layer by layer.
struct LayerSweep<const N: usize> {
    stages: Vec<WideStep<N>>,
    /// Bytes that it may take.
    room: usize,
    /// Layers that were cut off and are swept later, the next one last: before which stage they are, and
    /// the bytes that they may take.
    later: Vec<(usize, Layer<N>, usize)>,
    now: Now<N>,
}

/// What a sweep is at.
enum Now<const N: usize> {
    Making(Making<N>),
    Following(Following<N>),
}

/// A layer from which the next one is made.
struct Making<const N: usize> {
    /// The stage before which the layer is.
    at: usize,
    layer: Layer<N>,
    next: Layer<N>,
    /// The step, once it has begun.
    step: Option<StepProgress<N>>,
}

/// How far a step has come.
struct StepProgress<const N: usize> {
    /// States that were taken.
    taken: usize,
    sieve: Option<Sieve>,
    arrivals: Arrivals<N>,
    /// Work before it.
    begun: u64,
    tried: u64,
    reached: u64,
}

/// A layer whose states are followed one by one, without any table.
struct Following<const N: usize> {
    /// The stage before which the layer is.
    from: usize,
    layer: Layer<N>,
    /// The state that is followed.
    number: usize,
    /// States, the stages before which they are, and how many options were tried.
    stack: Vec<([u64; N], usize, usize)>,
    found: u64,
    looked: usize,
}

impl<const N: usize> Making<N> {
    fn new(at: usize, layer: Layer<N>) -> Self {
        let next = Layer::new(layer.limbs());
        Making { at, layer, next, step: None }
    }

    /// Makes the next layer; false if it does not fit.
    fn step(
        &mut self,
        stage: &WideStep<N>,
        room: usize,
        plan: &TransitionPlan,
        tally: &mut SweepCounts,
    ) -> ControlFlow<Status, bool> {
        let Making { layer, next, step, .. } = self;
        let doing = step.get_or_insert_with(|| {
            next.clear(layer.limbs());
            tally.look_ahead(plan);
            let sieve = (layer.len() >= SIEVED).then(|| Sieve::new(&plan.steps[stage.number]));
            StepProgress {
                taken: 0,
                sieve: sieve.flatten(),
                arrivals: Arrivals::default(),
                begun: tally.work,
                tried: 0,
                reached: 0,
            }
        });
        let StepProgress { taken, sieve, arrivals, begun, tried, reached } = doing;
        for number in *taken..layer.len() {
            if number % PATIENCE == 0 {
                *taken = number;
                tally.work = *begun + work(*tried, *reached);
                tally.look_up()?;
                if layer.bytes() + next.bytes() > room {
                    return ControlFlow::Continue(false);
                }
            }
            let key = layer.key(number);
            if arrivals.are_many() {
                *reached += arrive(stage, plan, layer, arrivals, next);
            }
            if meet(&key, &stage.covered) {
                arrivals.push(key, NO_WAY, number);
                continue;
            }
            let mut fits = |way: usize| arrivals.push(stage.ways[way].after(&key), way, number);
            match sieve {
                Some(sieve) => sieve.fitting(&key, fits),
                None => {
                    let fitting = |way: &usize| !meet(&key, &stage.ways[*way].forbid);
                    (0..stage.ways.len()).filter(fitting).for_each(&mut fits);
                }
            }
            *tried += stage.ways.len() as u64;
        }
        *reached += arrive(stage, plan, layer, arrivals, next);
        tally.work = *begun + work(*tried, *reached);
        tally.stats.hits += *reached - next.len() as u64;
        tally.stats.nodes += layer.len() as u64;
        tally.stats.profile[stage.number] += layer.len() as u64;
        tally.stats.memos = tally.stats.memos.max((layer.len() + next.len()) as u64);
        *step = None;
        ControlFlow::Continue(true)
    }
}

/// Lets the arrivals from `layer` into the next one; answers with their number.
fn arrive<const N: usize>(
    stage: &WideStep<N>,
    plan: &TransitionPlan,
    layer: &Layer<N>,
    arrivals: &mut Arrivals<N>,
    next: &mut Layer<N>,
) -> u64 {
    stage.sift(plan, layer, arrivals);
    next.receive(arrivals, layer)
}

impl<const N: usize> Following<N> {
    fn new(from: usize, layer: Layer<N>) -> Self {
        Following { from, layer, number: 0, stack: Vec::new(), found: 0, looked: 0 }
    }

    /// Adds what was found so far below the state that is followed.
    fn add(&mut self, tally: &mut SweepCounts) {
        tally.total += big(self.layer.count(self.number)) * std::mem::take(&mut self.found);
    }

    /// Follows each state of the layer by itself.
    fn go_on(
        &mut self,
        stages: &[WideStep<N>],
        plan: &TransitionPlan,
        tally: &mut SweepCounts,
    ) -> ControlFlow<Status> {
        while self.number < self.layer.len() {
            if self.stack.is_empty() {
                self.stack.push((self.layer.key(self.number), self.from, 0));
            }
            while let Some((state, at, tried)) = self.stack.last_mut() {
                let (key, at) = (*state, *at);
                let Some(stage) = stages.get(at) else {
                    self.found += u64::from(holds(plan, &key));
                    self.stack.pop();
                    continue;
                };
                let is_covered = meet(&key, &stage.covered);
                let after = match is_covered {
                    true if *tried == 0 => stage.pass(plan, key),
                    true => None,
                    false => {
                        let way = stage.ways.get(*tried);
                        way.and_then(|way| stage.take(plan, way, &key))
                    }
                };
                *tried += 1;
                let (is_first, is_last) = (*tried == 1, *tried > stage.ways.len() || is_covered);
                if is_last {
                    self.stack.pop();
                }
                if let Some(after) = after {
                    self.stack.push((after, at + 1, 0));
                }
                if is_first {
                    self.looked += 1;
                    tally.stats.nodes += 1;
                    tally.stats.profile[at] += 1;
                    tally.work += work(stage.ways.len() as u64, 1);
                    if self.looked.is_multiple_of(PATIENCE) {
                        self.add(tally);
                        // An empty stack would be that of a state that nobody has begun to follow.
                        if !self.stack.is_empty() {
                            tally.look_up()?;
                        }
                    }
                }
            }
            self.add(tally);
            self.number += 1;
        }
        ControlFlow::Continue(())
    }
}

impl<const N: usize> LayerSweep<N> {
    fn new(plan: &TransitionPlan, room: usize) -> Self {
        let now = Now::Making(Making::new(0, Layer::start()));
        LayerSweep { stages: stages(plan), room, later: Vec::new(), now }
    }

    /// Makes one layer after the other, until states are left to be followed one by one; or none.
    fn make(&mut self, plan: &TransitionPlan, tally: &mut SweepCounts) -> ControlFlow<Status> {
        let Now::Making(making) = &mut self.now else { return ControlFlow::Continue(()) };
        while let Some(stage) = self.stages.get(making.at) {
            if making.step(stage, self.room, plan, tally)? {
                std::mem::swap(&mut making.layer, &mut making.next);
                making.at += 1;
                continue;
            }
            let (at, mut layer) = (making.at, std::mem::replace(&mut making.layer, Layer::new(1)));
            if layer.len() == 1 || self.room < LEAST {
                self.now = Now::Following(Following::new(at, layer));
                return ControlFlow::Continue(());
            }
            let later = layer.split();
            let room = self.room.saturating_sub(later.bytes());
            self.later.push((at, later, self.room));
            self.room = room;
            *making = Making::new(at, layer);
        }
        tally.stats.profile[self.stages.len()] += making.layer.len() as u64;
        tally.total += making.layer.sum(|state| holds(plan, state));
        ControlFlow::Continue(())
    }
}

impl<const N: usize> FrontierSweep for LayerSweep<N> {
    fn go_on(&mut self, plan: &TransitionPlan, tally: &mut SweepCounts) -> ControlFlow<Status> {
        loop {
            self.make(plan, tally)?;
            if let Now::Following(following) = &mut self.now {
                following.go_on(&self.stages, plan, tally)?;
            }
            let Some((at, layer, room)) = self.later.pop() else {
                // Nothing is counted twice if it is asked again.
                self.now = Now::Following(Following::new(0, Layer::new(1)));
                return ControlFlow::Continue(());
            };
            self.room = room;
            self.now = Now::Making(Making::new(at, layer));
        }
    }

    fn progress(&self) -> f64 {
        match &self.now {
            Now::Making(making) => making.at as f64 / self.stages.len().max(1) as f64,
            Now::Following(following) => following.from as f64 / self.stages.len().max(1) as f64,
        }
    }
}
