//! The nodes of a tree by level, as far as they were seen, and which part of them can be paid for.

use crate::large::Large;

/// What a probe, or a walk, saw by level.
#[derive(Clone, Debug, Default)]
pub(super) struct LevelSample {
    pub nodes: Vec<f64>,
    pub solutions: Vec<f64>,
    pub updates: Vec<f64>,
    pub work: Vec<f64>,
    /// Nodes that those of a level have below them on the next, if as many of the options that were left out lead
    /// somewhere as of the others.
    pub born: Vec<f64>,
}

impl LevelSample {
    pub fn grow(&mut self, level: usize) {
        let LevelSample { nodes, solutions, updates, work, born } = self;
        for numbers in [nodes, solutions, updates, work, born] {
            if numbers.len() <= level {
                numbers.resize(level + 1, 0.0);
            }
        }
    }

    /// Knows what was born, if one of so many options was taken.
    pub fn bear(&mut self, steps: &[f64]) {
        for level in 1..self.nodes.len() {
            let step = steps.get(level - 1).copied().unwrap_or(1.0);
            self.born[level - 1] = step * self.nodes[level];
        }
    }
}

/// Sums over all levels of a tree, or over what a sample says of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub nodes: Large,
    pub solutions: Large,
    pub updates: Large,
}

impl Sums {
    /// Adds what was seen on a level, where each node stands for `weight`.
    pub fn add(&mut self, seen: &LevelSample, level: usize, weight: Large) {
        self.nodes += weight * seen.nodes[level];
        self.solutions += weight * seen.solutions[level];
        self.updates += weight * seen.updates[level];
    }
}

/// What several probes and walks have told of the levels: how many nodes one of them has below it on the next, and
/// what it costs.
///
/// We keep rates, not numbers of nodes. If a probe is wrong about one level, only the rate of that level is
/// wrong; of a thousand levels below it we still learn all that can be seen there.
#[derive(Clone, Debug, Default)]
pub(super) struct LevelSamples {
    walks: LevelTally,
    probes: LevelTally,
}

/// By level: nodes, what they have below them, and what they cost.
#[derive(Clone, Debug, Default)]
struct LevelTally {
    nodes: Vec<f64>,
    born: Vec<f64>,
    work: Vec<f64>,
}

impl LevelTally {
    fn add(&mut self, seen: &LevelSample) {
        let count = self.nodes.len().max(seen.nodes.len());
        for (numbers, more) in [
            (&mut self.nodes, &seen.nodes),
            (&mut self.born, &seen.born),
            (&mut self.work, &seen.work),
        ] {
            numbers.resize(count, 0.0);
            numbers.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }

    /// Nodes of a level, what they have below them, and what they cost; at most so many of them.
    fn some(&self, level: usize, most: f64) -> [f64; 3] {
        let at = |numbers: &[f64]| numbers.get(level).copied().unwrap_or(0.0);
        let part = (most / at(&self.nodes).max(1.0)).min(1.0);
        [&self.nodes, &self.born, &self.work].map(|numbers| part * at(numbers))
    }
}

/// Walks count as so many nodes. They meet the nodes of a level with unequal probabilities, and so have a wrong
/// idea of them; but it is better than none.
const PRIOR: f64 = 4.0;

/// So many nodes tell how wrong they are.
const ENOUGH: f64 = 3000.0;

impl LevelSamples {
    pub fn add_walks(&mut self, seen: &LevelSample) {
        self.walks.add(seen);
    }

    pub fn add_probe(&mut self, seen: &LevelSample) {
        self.probes.add(seen);
    }

    /// Nodes of a level, what they have below them, and what they cost. What walks say of the second is wrong by
    /// the factor `bias`.
    fn level(&self, level: usize, bias: f64) -> [f64; 3] {
        let [walks, probes] = [self.walks.some(level, PRIOR), self.probes.some(level, f64::MAX)];
        let factors = [1.0, bias, 1.0];
        std::array::from_fn(|which| factors[which] * walks[which] + probes[which])
    }

    /// How wrong walks are on the levels that probes have seen. Thus they are so as well, most likely, where no probe
    /// has come to yet. As long as few nodes tell, chance rules.
    fn bias(&self) -> f64 {
        let (mut born, mut expected) = (ENOUGH, ENOUGH);
        for (level, &walks) in self.walks.nodes.iter().enumerate() {
            let probes = self.probes.some(level, f64::MAX);
            if walks > 0.0 {
                born += probes[1];
                expected += probes[0] * self.walks.born[level] / walks;
            }
        }
        born / expected
    }

    /// How many nodes there are, by level.
    pub fn levels(&self) -> Vec<Large> {
        let mut number = Large::ONE;
        let bias = self.bias();
        let count = self.walks.nodes.len().max(self.probes.nodes.len());
        let mut levels = Vec::with_capacity(count);
        for level in 0..count {
            levels.push(number);
            let [nodes, born, _] = self.level(level, bias);
            number = if nodes > 0.0 { number * (born / nodes) } else { Large::ZERO };
        }
        levels
    }

    /// What one node of a level costs.
    fn price(&self, level: usize) -> f64 {
        let [nodes, _, work] = self.level(level, 1.0);
        if nodes > 0.0 { work / nodes } else { 0.0 }
    }

    /// What it costs to visit at most `most` nodes of each level.
    pub fn cost(&self, levels: &[Large], most: f64) -> f64 {
        let price = |(level, nodes): (usize, &Large)| {
            self.price(level) * nodes.to_f64().min(most).min(f64::MAX)
        };
        levels.iter().enumerate().map(price).sum()
    }

    /// The steps with which a probe costs about so much.
    pub fn steps(&self, work: f64) -> Vec<f64> {
        let levels = self.levels();
        let (mut few, mut many) = (1.0f64, 1e18f64);
        while many / few > 1.01 {
            let most = (few * many).sqrt();
            if self.cost(&levels, most) > work { many = most } else { few = most }
        }
        let mut above = Large::ONE;
        let step = |&nodes: &Large| {
            // A level does not get more nodes than what is above leads to.
            let weight = (nodes / Large::new(few)).max(above);
            let step = (weight / above).to_f64();
            above = weight;
            step
        };
        levels.iter().skip(1).map(step).collect()
    }
}
