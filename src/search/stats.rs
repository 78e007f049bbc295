//! What a search counts, in Knuth's terms; the same numbers as `dlx2` reports.

use num_bigint::BigUint;

/// Counters of one search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Solutions that were found, or as many as 64 bits hold.
    pub solutions: u64,
    /// Solutions that were counted without being found, if an engine does that.
    pub exact: Option<BigUint>,
    /// Nodes of the search tree. A solution is a node, one level below its last choice.
    pub nodes: u64,
    /// Removals of a node from its list, and of an item from the list of items.
    pub updates: u64,
    /// Items that got a color, and options found to agree with it.
    pub cleansings: u64,
    /// Nodes on each level, the root's level first.
    pub profile: Vec<u64>,
    /// Conflicts from which an engine learned.
    pub conflicts: u64,
    /// How often it started again.
    pub restarts: u64,
    /// Literals that it decided.
    pub decisions: u64,
    /// Learned clauses that it keeps.
    pub learned: u64,
    /// Variables that are assigned, and all of them; or steps of a count.
    pub assigned: (u64, u64),
    /// How often a state was reached again.
    pub hits: u64,
    /// The most states that were kept at a time.
    pub memos: u64,
    /// Nodes of the ZDD, if one was made.
    pub diagram: Option<u64>,
}

impl Stats {
    /// Sets the number of solutions.
    pub fn set_total(&mut self, total: BigUint) {
        self.solutions = u64::try_from(&total).unwrap_or(u64::MAX);
        self.exact = Some(total);
    }

    /// The number of solutions, however large.
    pub fn total(&self) -> BigUint {
        self.exact.clone().unwrap_or_else(|| self.solutions.into())
    }

    /// Counts a node on `level`.
    #[inline]
    pub fn enter(&mut self, level: usize) {
        self.nodes += 1;
        match self.profile.get_mut(level) {
            Some(nodes) => *nodes += 1,
            None => self.profile.resize(level, 0),
        }
        if self.profile.len() == level {
            self.profile.push(1);
        }
    }

    /// Adds what was counted on another part of the same tree, or in another search.
    pub fn add(&mut self, other: &Stats) {
        self.solutions += other.solutions;
        self.nodes += other.nodes;
        self.updates += other.updates;
        self.cleansings += other.cleansings;
        if self.profile.len() < other.profile.len() {
            self.profile.resize(other.profile.len(), 0);
        }
        for (sum, nodes) in self.profile.iter_mut().zip(&other.profile) {
            *sum += nodes;
        }
        self.conflicts += other.conflicts;
        self.restarts += other.restarts;
        self.decisions += other.decisions;
        self.learned += other.learned;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_has_a_count_for_every_level() {
        let mut stats = Stats::default();
        for level in [0, 1, 2, 1, 3, 3] {
            stats.enter(level);
        }
        assert_eq!((stats.nodes, stats.profile), (6, vec![1, 2, 1, 2]));
    }
}
