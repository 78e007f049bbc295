//! The nodes of a tree by level, as far as they were seen, and which part of them can be paid for.

/// What a probe, or several, saw by level.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    pub nodes: Vec<f64>,
    pub solutions: Vec<f64>,
    pub updates: Vec<f64>,
}

impl Levels {
    pub fn grow(&mut self, level: usize) {
        for numbers in [&mut self.nodes, &mut self.solutions, &mut self.updates] {
            if numbers.len() <= level {
                numbers.resize(level + 1, 0.0);
            }
        }
    }

    pub fn add(&mut self, other: &Levels, part: f64) {
        self.grow(other.nodes.len().saturating_sub(1));
        for (level, ((&nodes, &solutions), &updates)) in
            other.nodes.iter().zip(&other.solutions).zip(&other.updates).enumerate()
        {
            self.nodes[level] += part * nodes;
            self.solutions[level] += part * solutions;
            self.updates[level] += part * updates;
        }
    }

    /// Updates if at most `most` nodes of each level are visited.
    pub fn cost(&self, most: f64) -> f64 {
        let cost = |(&nodes, &updates): (&f64, &f64)| match nodes > 0.0 {
            true => updates * (most / nodes).min(1.0),
            false => 0.0,
        };
        self.nodes.iter().zip(&self.updates).map(cost).sum()
    }

    /// The steps with which a probe costs about so many updates.
    pub fn steps(&self, updates: f64) -> Vec<f64> {
        let (mut few, mut many) = (1.0f64, 1e18f64);
        while many / few > 1.01 {
            let most = (few * many).sqrt();
            if self.cost(most) > updates { many = most } else { few = most }
        }
        let mut above = 1.0;
        let step = |&nodes: &f64| {
            // A level does not get more nodes than what is above leads to.
            let weight = (nodes / few).max(above);
            let step = weight / above;
            above = weight;
            step
        };
        self.nodes.iter().skip(1).map(step).collect()
    }
}
