//! Counts by sweeping over the items, layer by layer.
//!
//! A layer has the states that can be reached after so many items, each with the number of partial
//! covers that lead to it. The next layer is made from it, and then it is forgotten: two of them are all
//! that is kept. The last layer has one state.
//!
//! When two layers do not fit into the memory that is allowed, the one at hand is cut in halves, and
//! each is followed to the end on its own. That finds the same count in more time, since states which
//! both halves reach are followed twice. States for which there is no room at all are followed one by
//! one, without any table.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use num_bigint::BigUint;

use crate::constraint::signature::Field;
use crate::ids::OptionId;
use crate::search::memo::layer::{Arrivals, Layer, big};
use crate::search::memo::outlook::{self, Test};
use crate::search::memo::plan::{Event, MOST_WORDS, Plan, Step};
use crate::search::memo::sieve::Sieve;
use crate::search::stats::Stats;
use crate::search::{End, Limits, Moment, Observer};
use crate::solution::Choice;

/// States between two looks at the attention flag.
pub(super) const PATIENCE: usize = 1 << 10;

/// The least number of bytes for which it pays to have layers.
const LEAST: usize = 1 << 16;

/// States of a layer for which tables of options pay.
const SIEVED: usize = 1 << 9;

/// Work (see [`work`]) after which it pays to look ahead: about as much as that is.
const MUCH: u64 = 1 << 26;

/// The way of a state whose item is covered already.
const NO_WAY: usize = usize::MAX;

/// A count at work.
pub struct Frontier<'a, 'o> {
    /// What to do.
    pub plan: &'a Plan,
    /// When to stop.
    pub limits: &'a Limits<'a>,
    /// Whom to tell.
    pub observer: &'o mut dyn Observer,
    /// What is counted on the way.
    pub stats: &'o mut Stats,
    /// Covers that are known.
    pub total: BigUint,
    /// How it ended.
    pub end: End,
    /// Work that was done, and how much there may be.
    pub work: u64,
    most_work: u64,
}

/// A move for states of `N` words.
pub(super) struct Way<'p, const N: usize> {
    pub(super) option: OptionId,
    forbid: [u64; N],
    set: [u64; N],
    events: &'p [Event],
}

/// A step for states of `N` words.
pub(super) struct Stage<'p, const N: usize> {
    pub(super) number: usize,
    pub(super) covered: [u64; N],
    keep: [u64; N],
    pub(super) ways: Vec<Way<'p, N>>,
    forgets: bool,
    /// Whether a rule may refuse a state.
    ruled: bool,
    step: &'p Step,
}

/// Work ([`super::FRONTIER_WORK`]) of so many options that were tried, of which so many fit or nothing was to be done.
pub(super) fn work(tried: u64, reached: u64) -> u64 {
    2 * tried + 20 * reached
}

/// Words, and zeros after them.
fn words<const N: usize>(words: &[u64]) -> [u64; N] {
    std::array::from_fn(|at| words.get(at).copied().unwrap_or(0))
}

#[inline(always)]
pub(super) fn meet<const N: usize>(a: &[u64; N], b: &[u64; N]) -> bool {
    a.iter().zip(b).fold(0, |all, (a, b)| all | a & b) != 0
}

impl<'p, const N: usize> Stage<'p, N> {
    pub(super) fn new(number: usize, step: &'p Step) -> Self {
        let mut covered = [0; N];
        if let Some(field) = step.covered {
            covered[field.word as usize] = field.ones << field.shift;
        }
        let ways = step.moves.iter().map(|way| Way {
            option: way.option,
            forbid: words(&way.forbid),
            set: words(&way.set),
            events: &way.events,
        });
        let (keep, forgets) = (words(&step.keep), step.forgets);
        let ways: Vec<Way<'p, N>> = ways.collect();
        let ruled = forgets || ways.iter().any(|way| !way.events.is_empty());
        Stage { number, covered, keep, ways, forgets, ruled, step }
    }

    /// The state after an option, if it fits, and if that may come to something.
    #[inline(always)]
    pub(super) fn take(&self, plan: &Plan, way: &Way<'p, N>, key: &[u64; N]) -> Option<[u64; N]> {
        let mut after = way.after(key);
        let tests = plan.tests(self.number);
        let fits = !meet(key, &way.forbid) && self.hears(plan, tests, way, || *key, &mut after);
        if fits { self.pass(plan, after) } else { None }
    }

    /// The state after this step, if no rule refuses it.
    #[inline(always)]
    pub(super) fn pass(&self, plan: &Plan, mut state: [u64; N]) -> Option<[u64; N]> {
        let fine = self.forget(plan, &mut state);
        self.clean(&mut state);
        fine.then_some(state)
    }

    /// Tells the rules what an option that fits does to a state, of which it made `after`; false if that
    /// comes to nothing. `before` is the state.
    #[inline(always)]
    fn hears(
        &self,
        plan: &Plan,
        tests: &[Test],
        way: &Way<'p, N>,
        before: impl Fn() -> [u64; N],
        after: &mut [u64; N],
    ) -> bool {
        let is_new = |known: Field| known.get(&before()) != known.ones;
        let news = |event: &&Event| event.known.is_none_or(is_new);
        tests.iter().all(|test| test.passes(after))
            && way.events.iter().filter(news).all(|event| {
                let rule = &plan.rules[event.rule as usize];
                rule.fixed(self.number, event.item, event.color, after).is_fine()
            })
    }

    /// Lets the rules forget what they need no longer; false if one refuses the state.
    #[inline(always)]
    fn forget(&self, plan: &Plan, state: &mut [u64; N]) -> bool {
        let mut forget = || plan.rules.iter().all(|rule| rule.forget(self.number, state).is_fine());
        !self.forgets || forget()
    }

    /// Forgets how items were used that no later step asks for.
    #[inline(always)]
    fn clean(&self, state: &mut [u64; N]) {
        state.iter_mut().zip(&self.keep).for_each(|(word, keep)| *word &= keep);
    }

    /// Does to all arrivals from `layer` what [`Stage::take`] and [`Stage::pass`] do to a state whose
    /// option fits, and leaves those for which there is hope.
    fn sift(&self, plan: &Plan, layer: &Layer<N>, arrivals: &mut Arrivals<N>) {
        let tests = plan.tests(self.number);
        if self.ruled || !tests.is_empty() {
            arrivals.retain(|state, way, origin| {
                let mut hears =
                    |way: &Way<'p, N>| self.hears(plan, tests, way, || layer.key(origin), state);
                self.ways.get(way).is_none_or(&mut hears) && self.forget(plan, state)
            });
        }
        arrivals.for_each(|state| self.clean(state));
    }
}

impl<const N: usize> Way<'_, N> {
    /// What it makes of a state that it fits.
    #[inline(always)]
    fn after(&self, state: &[u64; N]) -> [u64; N] {
        std::array::from_fn(|at| state[at] | self.set[at])
    }
}

impl<'a, 'o> Frontier<'a, 'o> {
    /// Nothing is known yet.
    pub fn new(
        plan: &'a Plan,
        most_work: u64,
        limits: &'a Limits<'a>,
        observer: &'o mut dyn Observer,
        stats: &'o mut Stats,
    ) -> Self {
        let (total, end) = (BigUint::default(), End::Exhausted);
        Frontier { plan, limits, observer, stats, total, end, work: 0, most_work }
    }

    /// Counts within so many bytes.
    pub fn run(&mut self, room: usize) {
        let _ = match self.plan.words {
            1 => self.start::<1>(room),
            2 => self.start::<2>(room),
            3 => self.start::<3>(room),
            4 => self.start::<4>(room),
            5..=6 => self.start::<6>(room),
            7..=8 => self.start::<8>(room),
            9..=16 => self.start::<16>(room),
            _ => self.start::<MOST_WORDS>(room),
        };
    }

    fn start<const N: usize>(&mut self, room: usize) -> ControlFlow<()> {
        let stages = self.stages::<N>();
        self.sweep(&stages, 0, Layer::start(), room)
    }

    /// The steps, for states of `N` words.
    pub(super) fn stages<const N: usize>(&mut self) -> Vec<Stage<'a, N>> {
        let levels = self.stats.profile.len().max(self.plan.steps.len() + 1);
        self.stats.profile.resize(levels, 0);
        let steps = self.plan.steps.iter().enumerate();
        steps.map(|(number, step)| Stage::new(number, step)).collect()
    }

    /// Counts what comes of the states of `layer`, before stage `from`, within so many bytes.
    fn sweep<const N: usize>(
        &mut self,
        stages: &[Stage<'a, N>],
        from: usize,
        mut layer: Layer<N>,
        room: usize,
    ) -> ControlFlow<()> {
        let mut next = Layer::new(layer.limbs());
        for (at, stage) in stages.iter().enumerate().skip(from) {
            next.clear(layer.limbs());
            if !self.step(stage, &layer, &mut next, room)? {
                drop(next);
                if layer.len() == 1 || room < LEAST {
                    return self.follow(stages, at, &layer);
                }
                let later = layer.split();
                self.sweep(stages, at, layer, room.saturating_sub(later.bytes()))?;
                return self.sweep(stages, at, later, room);
            }
            std::mem::swap(&mut layer, &mut next);
        }
        self.stats.profile[stages.len()] += layer.len() as u64;
        self.total += layer.sum(|state| self.holds(state));
        ControlFlow::Continue(())
    }

    /// Whether the rules accept a last state.
    pub(super) fn holds(&self, state: &[u64]) -> bool {
        self.plan.rules.iter().all(|rule| rule.complete(state).is_fine())
    }

    /// Makes the next layer; false if it does not fit.
    fn step<const N: usize>(
        &mut self,
        stage: &Stage<'a, N>,
        layer: &Layer<N>,
        next: &mut Layer<N>,
        room: usize,
    ) -> ControlFlow<(), bool> {
        self.look_ahead();
        let (begun, mut tried, mut reached) = (self.work, 0, 0);
        let sieve = (layer.len() >= SIEVED).then(|| Sieve::new(stage.step)).flatten();
        let mut arrivals = Arrivals::default();
        for number in 0..layer.len() {
            if number % PATIENCE == 0 {
                self.work = begun + work(tried, reached);
                self.look_up(stage.number)?;
                if layer.bytes() + next.bytes() > room {
                    return ControlFlow::Continue(false);
                }
            }
            let key = layer.key(number);
            if arrivals.are_many() {
                reached += self.arrive(stage, layer, &mut arrivals, next);
            }
            if meet(&key, &stage.covered) {
                arrivals.push(key, NO_WAY, number);
                continue;
            }
            let mut fits = |way: usize| arrivals.push(stage.ways[way].after(&key), way, number);
            match &sieve {
                Some(sieve) => sieve.fitting(&key, fits),
                None => {
                    let fitting = |way: &usize| !meet(&key, &stage.ways[*way].forbid);
                    (0..stage.ways.len()).filter(fitting).for_each(&mut fits);
                }
            }
            tried += stage.ways.len() as u64;
        }
        reached += self.arrive(stage, layer, &mut arrivals, next);
        self.work = begun + work(tried, reached);
        self.stats.hits += reached - next.len() as u64;
        self.stats.nodes += layer.len() as u64;
        self.stats.profile[stage.number] += layer.len() as u64;
        self.stats.memos = self.stats.memos.max((layer.len() + next.len()) as u64);
        ControlFlow::Continue(true)
    }

    /// Looks ahead, if there was so much to do that this pays.
    pub(super) fn look_ahead(&self) {
        if self.work >= MUCH {
            self.plan.look_ahead(outlook::BITS);
        }
    }

    /// Lets the arrivals from `layer` into the next one; answers with their number.
    fn arrive<const N: usize>(
        &self,
        stage: &Stage<'a, N>,
        layer: &Layer<N>,
        arrivals: &mut Arrivals<N>,
        next: &mut Layer<N>,
    ) -> u64 {
        stage.sift(self.plan, layer, arrivals);
        next.receive(arrivals, layer)
    }

    /// Follows each state of `layer`, before stage `from`, by itself.
    fn follow<const N: usize>(
        &mut self,
        stages: &[Stage<'a, N>],
        from: usize,
        layer: &Layer<N>,
    ) -> ControlFlow<()> {
        // States, the stages before which they are, and how many options were tried.
        let mut stack: Vec<([u64; N], usize, usize)> = Vec::new();
        let mut looked = 0;
        for number in 0..layer.len() {
            stack.push((layer.key(number), from, 0));
            let mut found = 0u64;
            while let Some((state, at, tried)) = stack.last_mut() {
                let (key, at) = (*state, *at);
                let Some(stage) = stages.get(at) else {
                    found += u64::from(self.holds(&key));
                    stack.pop();
                    continue;
                };
                let after = match meet(&key, &stage.covered) {
                    true if *tried == 0 => stage.pass(self.plan, key),
                    true => None,
                    false => {
                        let way = stage.ways.get(*tried);
                        way.and_then(|way| stage.take(self.plan, way, &key))
                    }
                };
                *tried += 1;
                let last = *tried > stage.ways.len() || meet(&key, &stage.covered);
                if *tried == 1 {
                    looked += 1;
                    self.stats.nodes += 1;
                    self.stats.profile[at] += 1;
                    if looked % PATIENCE == 0 {
                        self.total += big(layer.count(number)) * std::mem::take(&mut found);
                        self.look_up(at)?;
                    }
                }
                if last {
                    stack.pop();
                }
                if let Some(after) = after {
                    stack.push((after, at + 1, 0));
                }
            }
            self.total += big(layer.count(number)) * found;
        }
        ControlFlow::Continue(())
    }

    /// Looks at the attention flag and the limit of nodes.
    pub(super) fn look_up(&mut self, at: usize) -> ControlFlow<()> {
        self.attend(at)?;
        if self.stats.nodes >= self.limits.nodes || self.work >= self.most_work {
            self.end = End::NodeLimit;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Looks at the attention flag.
    pub(super) fn attend(&mut self, at: usize) -> ControlFlow<()> {
        let attention = self.limits.attention;
        if attention.load(Ordering::Relaxed) {
            attention.store(false, Ordering::Relaxed);
            self.stats.assigned = (at as u64, self.plan.steps.len() as u64);
            let moment = Moment { stats: self.stats, choices: &Vec::<Choice>::new() };
            if self.observer.tick(&moment).is_break() {
                self.end = End::Stopped;
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}
