//! From walks to small probes to the probes that count.

use crate::constraint::Propagator;
use crate::large::Large;
use crate::search::estimate::confidence::{Confidence, Limits};
use crate::search::estimate::levels::{LevelSamples, LevelSample, Sums};
use crate::search::estimate::prober::{ProbeResult, Prober};
use crate::search::estimate::{Estimate, EstimatePlan};
use crate::search::store::Store;

/// Walks by Knuth's method, to begin with, and which part of the work they may take.
const WALKS: usize = 200;
const WALKING: f64 = 0.05;

/// Small probes after them: at least, at most, and which part of the work each may take.
const TRIALS: [u32; 2] = [4, 100];
const TRIAL: f64 = 0.02;
const TRYING: f64 = 0.8;
const DEEP: f64 = 0.06;
const STEADY: f64 = 3.0;

/// A probe has at least so many nodes on a level, if that leaves so many probes.
const NODES: f64 = 40.0;
const LEAST_PROBES: u32 = 10;

/// On a level on which others are left out, all probes together have at least so many nodes; fewer are not to be
/// believed.
const MEET: f64 = 100.0;

/// Where probes leave a factor above this, walks are asked as well.
const WIDE: f64 = 100.0;

/// A probe that costs so many times what it should is given up, and the plan is made anew.
const TOO_MUCH: f64 = 8.0;

/// So much is never too much. A plan is given up only in view of a large probe, so that the
/// probes of the last plan lack such; where probes are small that would show in the mean.
const LITTLE: f64 = 100_000.0;

/// However many probes are wanted, what goes before them costs no more than before so many.
const FEW: u32 = 40;

/// Plans that are given up, and what comes after them, cost no more than so many times the work.
const PATIENCE: f64 = 1.3;

/// How often a plan may be given up.
const PLANS: u32 = 6;

/// About how many nodes are below a place.
const PLACE: f64 = 20_000.0;

/// What is known of a tree so far.
pub(super) struct Pilot<'a, S, C> {
    prober: Prober<'a, S, C>,
    /// What some probes cost.
    few: f64,
    known: LevelSamples,
    most: Large,
    /// Solutions that are surely different.
    found: Large,
    walks: Vec<Sums>,
    results: Vec<Sums>,
    /// So many probes are to be made.
    probes: u32,
    /// Sums of what the probes say of the levels, and of the nodes that they had there.
    profile: Vec<Large>,
    population: Vec<f64>,
    /// What a probe that was given up would have added to the mean, at least.
    lost: Large,
}

impl<'a, S: Store, C: Propagator> Pilot<'a, S, C> {
    /// Nothing is known but that the tree has no more than `most` nodes.
    pub fn new(prober: Prober<'a, S, C>, plan: &EstimatePlan, most: Large) -> Self {
        let work = plan.work as f64;
        Pilot {
            prober,
            few: work.min(work / f64::from(plan.probes) * f64::from(FEW)),
            known: LevelSamples::default(),
            most,
            found: Large::ZERO,
            walks: Vec::new(),
            results: Vec::new(),
            probes: plan.probes,
            profile: Vec::new(),
            population: Vec::new(),
            lost: Large::ZERO,
        }
    }

    /// Finds out what the plan wants to know.
    pub fn run(&mut self, plan: &EstimatePlan) -> Estimate {
        let (work, few) = (plan.work as f64, self.few);
        if let Some(all) = self.whole(few * 0.2) {
            return self.exact(&all);
        }
        self.walk();
        self.try_probes();
        let cost = self.known.cost(&self.known.levels(), f64::INFINITY);
        if cost <= few * 1.2
            && let Some(all) = self.whole(few * 1.5)
        {
            return self.exact(&all);
        }
        // As few as there must be if each is to meet some nodes on all levels.
        let thin = self.known.cost(&self.known.levels(), NODES);
        let least = plan.probes.min(LEAST_PROBES);
        let each = work / f64::from(plan.probes);
        let each = each.max(thin.min(work / f64::from(least)));
        let probes = ((work / each) as u32).clamp(least, plan.probes);
        self.probes = probes;
        self.choose_places();
        // Where all of the tree costs less than many probes, there is something to show before.
        let mut later = plan.probes > FEW && cost <= work;
        let mut part = each;
        let limit = self.prober.spent() as f64 + work * PATIENCE;
        for round in 0..PLANS {
            self.forget();
            let start = self.prober.spent();
            while self.results.len() < probes as usize && !self.prober.stopped {
                if later && self.results.len() == FEW as usize {
                    later = false;
                    if let Some(all) = self.whole(work * 2.0) {
                        return self.exact(&all);
                    }
                    continue;
                }
                // Each probe is right on average, whatever those before it have taught.
                self.prober.steps = self.known.steps(part);
                // Of many probes some are large, as long as they are not too large altogether.
                let spent = (self.prober.spent() - start) as f64;
                let due = TOO_MUCH * each * (self.results.len() + 1) as f64 - spent;
                let most = due.min(TOO_MUCH * work / f64::from(FEW)).max(TOO_MUCH * each);
                let room = limit - self.prober.spent() as f64;
                if room <= 0.0 || !self.take_probe(most.max(LITTLE).min(room)) {
                    break;
                }
            }
            let over = self.prober.stopped || self.prober.spent() as f64 >= limit;
            if over || self.results.len() == probes as usize || round + 1 == PLANS {
                break;
            }
            part /= 3.0;
        }
        self.summary()
    }

    /// All of the tree, unless that costs more than so much.
    fn whole(&mut self, most: f64) -> Option<LevelSample> {
        let steps = std::mem::take(&mut self.prober.steps);
        let level = self.prober.places.level.take();
        let all = self.prober.probe(most);
        self.prober.steps = steps;
        self.prober.places.level = level;
        match all {
            ProbeResult::Complete(all) => Some(all),
            ProbeResult::Given(some) => {
                self.find(&some);
                None
            }
        }
    }

    /// Solutions of one probe are different.
    fn find(&mut self, seen: &LevelSample) {
        self.found = self.found.max(Large::new(seen.solutions.iter().sum()));
    }

    /// Knuth's walks, as long as they are cheap.
    fn walk(&mut self) {
        let most = (self.few * WALKING) as u64;
        let limit = self.prober.spent() + most;
        let mut seen = LevelSample::default();
        while self.walks.len() < WALKS && !self.prober.stopped {
            // One may cost as much as all of them should.
            match self.prober.walk(&mut seen, 2 * most) {
                Some(sums) => self.walks.push(sums),
                None => break,
            }
            if self.prober.spent() >= limit {
                break;
            }
        }
        self.known.add_walks(&seen);
    }

    /// Small probes, until what one says of the size of the tree is what is known.
    fn try_probes(&mut self) {
        let each = self.few * TRIAL;
        let limit = self.prober.spent() + (self.few * TRYING) as u64;
        for trial in 1..=TRIALS[1] {
            // On a deep tree a probe that meets few nodes on a level dies out.
            let thin = self.known.cost(&self.known.levels(), NODES);
            let work = each.max(thin.min(self.few * DEEP));
            self.prober.steps = self.known.steps(work);
            let (seen, complete) = match self.prober.probe(work * 2.0) {
                ProbeResult::Complete(seen) => (seen, true),
                ProbeResult::Given(seen) => (seen, false),
            };
            self.find(&seen);
            let seems = self.prober.sums(&seen).0.nodes;
            self.known.add_probe(&seen);
            let all: Large = self.known.levels().into_iter().sum();
            let steady = complete && seems <= all * STEADY && all <= seems * STEADY;
            if self.prober.stopped
                || steady && trial >= TRIALS[0]
                || self.prober.spent() > limit && trial >= TRIALS[0]
            {
                return;
            }
        }
    }

    /// Places where a search may be watched have a subtree of moderate size.
    fn choose_places(&mut self) {
        let levels = self.known.levels();
        let all: Large = levels.iter().copied().sum();
        let small = |nodes: &Large| nodes.is_zero() || (all / *nodes).to_f64() < PLACE;
        self.prober.places.level = levels.iter().position(small).map(|level| level.max(1) - 1);
    }

    fn forget(&mut self) {
        self.results.clear();
        self.profile.clear();
        self.population.clear();
    }

    /// One probe; false if it is given up.
    fn take_probe(&mut self, most: f64) -> bool {
        match self.prober.probe(most) {
            ProbeResult::Complete(seen) => {
                let (sums, levels) = self.prober.sums(&seen);
                let count = self.profile.len().max(levels.len());
                self.profile.resize(count, Large::ZERO);
                self.population.resize(count, 0.0);
                for (level, &nodes) in levels.iter().enumerate() {
                    self.profile[level] += nodes;
                    self.population[level] += seen.nodes[level];
                }
                self.find(&seen);
                self.known.add_probe(&seen);
                self.results.push(sums);
                true
            }
            ProbeResult::Given(seen) => {
                let (sums, _) = self.prober.sums(&seen);
                let count = Large::new(self.results.len() as f64 + 1.0);
                self.lost = self.lost.max(sums.nodes / count);
                self.find(&seen);
                self.known.add_probe(&seen);
                false
            }
        }
    }

    fn exact(&mut self, all: &LevelSample) -> Estimate {
        let sum = |numbers: &[f64]| Confidence::exact(Large::new(numbers.iter().sum()));
        Estimate {
            nodes: sum(&all.nodes),
            solutions: sum(&all.solutions),
            updates: sum(&all.updates),
            profile: all.nodes.iter().map(|&nodes| Large::new(nodes)).collect(),
            probes: 1,
            visited: self.prober.visited,
            spent: self.prober.spent(),
            exact: true,
            stopped: false,
            places: Vec::new(),
        }
    }

    /// Whether the probes have too few nodes on some level to know what is below it.
    fn is_thin(&self) -> bool {
        let all: Large = self.profile.iter().copied().sum();
        let (mut weight, mut above) = (1.0f64, Large::ZERO);
        for (level, &nodes) in self.profile.iter().enumerate() {
            // What is below the last twentieth makes no difference.
            if above > all * 0.95 {
                return false;
            }
            if weight > 1.01 && self.population[level] < MEET {
                return true;
            }
            above += nodes;
            weight = (weight * self.prober.steps.get(level).copied().unwrap_or(1.0)).min(2.0);
        }
        false
    }

    fn summary(&mut self) -> Estimate {
        let lacks = !self.prober.stopped && self.results.len() < self.probes as usize;
        let doubtful = lacks || self.is_thin();
        let least = Large::new(self.prober.different as f64);
        let limits = Limits { least, most: self.most };
        let interval = |number: fn(&Sums) -> Large, limits: Limits| {
            let of = |sums: &[Sums]| -> Vec<Large> { sums.iter().map(number).collect() };
            let mut probed = Confidence::of(&of(&self.results), limits);
            probed.reliable &= !doubtful;
            match probed.high <= probed.low * WIDE && !doubtful {
                true => probed,
                false => probed.or(Confidence::of(&of(&self.walks), limits)),
            }
        };
        let mut nodes = interval(|sums| sums.nodes, limits);
        if self.lost > nodes.mean {
            // As many probes may have been made before it in vain.
            let low = self.lost * (0.05 / f64::from(PLANS));
            let high = nodes.high.max(self.lost * 20.0);
            let lost = Confidence { mean: self.lost, low, high, reliable: false };
            nodes = nodes.or(lost).within(limits);
        }
        let limits = Limits { least: self.found, most: nodes.high };
        let solutions = interval(|sums| sums.solutions, limits);
        let count = Large::new(self.results.len().max(1) as f64);
        Estimate {
            nodes,
            solutions: Confidence { reliable: solutions.reliable && nodes.reliable, ..solutions },
            updates: interval(
                |sums| sums.updates,
                // More than anybody has options to take out of lists.
                Limits { least, most: self.most * 1e12 },
            ),
            profile: self.profile.iter().map(|&nodes| nodes / count).collect(),
            probes: self.results.len() as u32,
            visited: self.prober.visited,
            spent: self.prober.spent(),
            exact: false,
            stopped: self.prober.stopped,
            places: self.prober.places.take(),
        }
    }
}
