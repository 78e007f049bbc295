//! A diagram of covers that are there one by one, from an engine that visits them.
//!
//! The covers are sorted, each by the rank of its options and all of them like words in a dictionary,
//! and become a [`Trie`] from the last to the first; so its paths have their options in one order.

use std::collections::BinaryHeap;

use crate::ids::OptionId;
use crate::search::engine::Status;
use crate::search::zdd::trie::Trie;
use crate::search::zdd::{ZddSource, Zdd};
use crate::solution::Choices;

/// Covers between two looks at whether to go on.
const PATIENCE: usize = 1 << 12;

/// Covers of a run: they are sorted by runs, which are then merged on the way, so that nothing takes long.
const RUN: usize = 1 << 16;

/// Covers, as they were found.
#[derive(Debug, Default)]
pub struct Covers {
    /// The numbers of their options, one cover after the other.
    options: Vec<u32>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Covers {
    /// Adds a cover, which is not there yet.
    pub fn push(&mut self, choices: &dyn Choices) {
        self.options.extend(choices.cover().iter().map(|option| option.index() as u32));
        self.ends.push(self.options.len());
    }

    /// The diagram of what is there, to which others can be added, if the covers came in the order of a tree.
    pub fn into_trie(self) -> Result<Trie, Status> {
        let mut trie = Trie::new(ZddSource::Tree);
        let mut options = Vec::new();
        for at in 0..self.len() {
            options.clear();
            options.extend(self.cover(at).iter().map(|&option| OptionId::new(option)));
            trie.push(&options)?;
        }
        Ok(trie)
    }

    /// Number of covers.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no cover.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of options in all of them.
    pub fn entries(&self) -> usize {
        self.options.len()
    }

    /// Bytes on the heap, while they grow, or are sorted.
    pub fn bytes(&self) -> usize {
        2 * self.options.capacity() * size_of::<u32>()
            + 3 * self.ends.capacity() * size_of::<usize>()
    }

    fn cover(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.options[start..self.ends[at]]
    }

    /// The last cover of a run, and the others.
    fn head<'a>(&'a self, run: &'a [usize]) -> Option<(&'a [u32], &'a [usize])> {
        run.split_last().map(|(&last, rest)| (self.cover(last), rest))
    }

    /// Their diagram within so many bytes, whose paths ask about options in this order, which has all of them. Ends
    /// early when `stops` says so.
    pub fn diagram(
        mut self,
        order: &[OptionId],
        room: usize,
        stops: &mut dyn FnMut() -> bool,
    ) -> Result<Zdd, Status> {
        let mut ranks = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(option, rank)| ranks[option.index()] = rank);
        let mut start = 0;
        for (at, &end) in self.ends.iter().enumerate() {
            let cover = &mut self.options[start..end];
            cover.iter_mut().for_each(|option| *option = ranks[*option as usize]);
            cover.sort_unstable();
            start = end;
            if at % PATIENCE == 0 && stops() {
                return Err(Status::Stopped);
            }
        }
        let mut all: Vec<usize> = (0..self.len()).collect();
        for run in all.chunks_mut(RUN) {
            run.sort_unstable_by(|&a, &b| self.cover(a).cmp(self.cover(b)));
            if stops() {
                return Err(Status::Stopped);
            }
        }
        // The greatest cover of each run that was not taken yet, with the others of its run.
        let mut runs: BinaryHeap<(&[u32], &[usize])> = BinaryHeap::new();
        runs.extend(all.chunks(RUN).filter_map(|run| self.head(run)));
        let mut trie = Trie::new(ZddSource::List);
        let (mut options, mut taken) = (Vec::new(), 0);
        while let Some((cover, rest)) = runs.pop() {
            runs.extend(self.head(rest));
            options.clear();
            options.extend(cover.iter().map(|&rank| order[rank as usize]));
            trie.push(&options)?;
            taken += 1;
            if taken % PATIENCE == 0 {
                if stops() {
                    return Err(Status::Stopped);
                }
                if self.bytes() + trie.bytes() > room {
                    return Err(Status::Full);
                }
            }
        }
        trie.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::ItemId;
    use crate::solution::Choice;

    /// The first `k` of `n` options, then the next set of `k`, and so on, as words in a dictionary.
    fn combinations(n: u32, k: usize) -> Vec<Vec<Choice>> {
        let choice = |option| Choice {
            option: Some(OptionId::new(option)),
            item: ItemId::new(0),
            rank: 1,
            degree: 1,
        };
        let (mut all, mut open) = (Vec::new(), vec![Vec::new()]);
        while let Some(set) = open.pop() {
            if set.len() == k {
                all.push(set.into_iter().map(choice).collect());
                continue;
            }
            let first = set.last().map_or(0, |last| last + 1);
            let next = |option| set.iter().copied().chain([option]).collect();
            open.extend((first..n).rev().map(next));
        }
        all
    }

    /// Sets of 8 out of 20 options: a node asks about the i-th option and has j left to choose, in 8 times 13 ways.
    /// There are several runs of them.
    #[test]
    fn all_combinations_take_few_nodes_in_any_order() {
        let mut sets = combinations(20, 8);
        assert!(sets.len() == 125_970 && sets.len() > RUN);
        let mut random = fastrand::Rng::with_seed(9);
        for shuffled in [false, true] {
            if shuffled {
                random.shuffle(&mut sets);
            }
            let mut order: Vec<OptionId> = (0..20).map(OptionId::new).collect();
            random.shuffle(&mut order);
            let mut covers = Covers::default();
            sets.iter().for_each(|set| covers.push(set));
            let zdd = covers.diagram(&order, usize::MAX, &mut || false).expect("a diagram");
            assert_eq!((count(&zdd), zdd.nodes().count()), (125_970, 8 * 13));
        }
    }

    /// How many sets a diagram holds.
    fn count(zdd: &Zdd) -> u64 {
        let mut counts = vec![0, 1];
        for (_, node) in zdd.nodes() {
            counts.push(counts[node.lo as usize] + counts[node.hi as usize]);
        }
        counts[zdd.root as usize]
    }

    #[test]
    fn a_list_can_go_on_as_a_tree() {
        let sets = combinations(12, 4);
        let mut nodes = Vec::new();
        for listed in [0, 1, 100, sets.len()] {
            let mut covers = Covers::default();
            sets[..listed].iter().for_each(|set| covers.push(set));
            let mut trie = covers.into_trie().expect("few nodes");
            for set in &sets[listed..] {
                trie.push(&set.cover()).expect("few nodes");
            }
            let zdd = trie.finish().expect("few nodes");
            assert_eq!((zdd.source, count(&zdd)), (ZddSource::Tree, 495));
            nodes.push(zdd.nodes().collect::<Vec<_>>());
        }
        assert!(nodes.iter().all(|others| *others == nodes[0]));
    }

    #[test]
    fn whoever_stops_gets_nothing() {
        for calls in 0..4 {
            let mut covers = Covers::default();
            combinations(18, 9).iter().for_each(|set| covers.push(set));
            let order: Vec<OptionId> = (0..18).map(OptionId::new).collect();
            let mut left = calls;
            let mut stops = || {
                left -= 1;
                left < 0
            };
            let made = covers.diagram(&order, usize::MAX, &mut stops);
            assert_eq!(made.err(), Some(Status::Stopped), "{calls}");
        }
        let mut covers = Covers::default();
        combinations(18, 9).iter().for_each(|set| covers.push(set));
        let order: Vec<OptionId> = (0..18).map(OptionId::new).collect();
        assert_eq!(covers.diagram(&order, 1 << 10, &mut || false).err(), Some(Status::Full));
    }
}
