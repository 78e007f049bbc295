//! The options of a problem by what they consist of.
//!
//! In Knuth's format an option is known by its entries alone, in any order and with or without
//! `(k of n)`: `ssxcc-binary` and `xccdc` print none. If a problem has an option several times, they
//! all go by the first of them; [`Catalog::copies`] tells how many there are.

use std::collections::HashMap;

use hashbrown::HashTable;

use crate::ids::OptionId;
use crate::problem::{Entry, Problem};

/// The options of a problem by their entries.
#[derive(Debug)]
pub struct Catalog<'p> {
    /// The problem.
    pub problem: &'p Problem,
    /// By option: its entries in order.
    sorted: Vec<Entry>,
    starts: Vec<usize>,
    /// The first option with each set of entries.
    table: HashTable<u32>,
    /// By option: how many have its entries, if it is the first of them.
    copies: Vec<u32>,
}

impl<'p> Catalog<'p> {
    /// Sorts the options of `problem`.
    pub fn new(problem: &'p Problem) -> Self {
        let mut catalog = Catalog {
            problem,
            sorted: Vec::with_capacity(problem.entries()),
            starts: vec![0],
            table: HashTable::with_capacity(problem.options()),
            copies: vec![0; problem.options()],
        };
        for option in problem.option_ids() {
            let start = catalog.sorted.len();
            catalog.sorted.extend(problem.option(option));
            catalog.sorted[start..].sort_unstable();
            catalog.starts.push(catalog.sorted.len());
            let entries = &catalog.sorted[start..];
            match catalog.find(entries) {
                Some(first) => catalog.copies[first.index()] += 1,
                None => {
                    catalog.copies[option.index()] = 1;
                    let Catalog { table, sorted, starts, .. } = &mut catalog;
                    let hash = |&number: &u32| digest(of(sorted, starts, number));
                    let number = option.index() as u32;
                    table.insert_unique(hash(&number), number, hash);
                }
            }
        }
        catalog
    }

    /// The first option with these entries, which are sorted.
    pub(super) fn find(&self, entries: &[Entry]) -> Option<OptionId> {
        let same = |&number: &u32| of(&self.sorted, &self.starts, number) == entries;
        self.table.find(digest(entries), same).map(|&number| OptionId::new(number))
    }

    /// How many options are the same as `option`, itself included; `option` is the first of them.
    pub fn copies(&self, option: OptionId) -> u64 {
        u64::from(self.copies[option.index()])
    }
}

fn of<'a>(sorted: &'a [Entry], starts: &[usize], option: u32) -> &'a [Entry] {
    &sorted[starts[option as usize]..starts[option as usize + 1]]
}

fn digest(entries: &[Entry]) -> u64 {
    use std::hash::BuildHasher;
    foldhash::fast::FixedState::default().hash_one(entries)
}

/// Which copies of its options a solution means, if it comes in Knuth's format.
///
/// Where options are the same, each choice among them is a solution of its own, with the same text. So
/// the first of several such records is taken to mean the first copies, the next one the next, and all
/// of them together mean all.
#[derive(Debug)]
pub struct Copies {
    /// By option: all that are the same, if it is the first of several.
    groups: HashMap<OptionId, Vec<OptionId>>,
    /// How often a set of options came.
    seen: HashMap<Vec<OptionId>, u64>,
}

impl Copies {
    /// The copies in a catalog.
    pub fn new(catalog: &Catalog<'_>) -> Self {
        let mut groups: HashMap<OptionId, Vec<OptionId>> = HashMap::new();
        if catalog.table.len() < catalog.problem.options() {
            for option in catalog.problem.option_ids() {
                let entries = of(&catalog.sorted, &catalog.starts, option.index() as u32);
                if let Some(first) = catalog.find(entries)
                    && catalog.copies(first) > 1
                {
                    groups.entry(first).or_default().push(option);
                }
            }
        }
        Copies { groups, seen: HashMap::new() }
    }

    /// Puts copies in the place of the first ones. False if there have been more of these records
    /// than ways to do so.
    pub fn tell_apart(&mut self, options: &mut [OptionId]) -> bool {
        if options.iter().all(|option| !self.groups.contains_key(option)) {
            return true;
        }
        options.sort_unstable();
        let seen = self.seen.entry(options.to_vec()).or_default();
        let mut rest = *seen;
        *seen += 1;
        for same in options.chunk_by_mut(|a, b| a == b) {
            let Some(group) = self.groups.get(&same[0]) else { continue };
            let ways = binomial(group.len() as u64, same.len() as u64);
            if ways == 0 {
                return false;
            }
            choose(group, rest % ways, same);
            rest /= ways;
        }
        rest == 0
    }
}

/// How many subsets of `k` out of `n` there are.
fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    (0..k).fold(1u64, |ways, i| ways.saturating_mul(n - i) / (i + 1))
}

/// Puts the subset of `group` with this number into `place`, which is as large.
fn choose(group: &[OptionId], mut number: u64, place: &mut [OptionId]) {
    let mut from = 0;
    for at in 0..place.len() {
        let after = (place.len() - at - 1) as u64;
        loop {
            let ways = binomial((group.len() - from - 1) as u64, after);
            if number < ways {
                break;
            }
            number -= ways;
            from += 1;
        }
        place[at] = group[from];
        from += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx::parse;

    #[test]
    fn tells_copies_apart_until_there_is_none_left() {
        let problem = parse::read(&b"2|A B\nA\nA\nB\nA\nB\n"[..]).unwrap().problem;
        let catalog = Catalog::new(&problem);
        let mut copies = Copies::new(&catalog);
        let mut seen = Vec::new();
        loop {
            // Two options `A`, one `B`.
            let mut options = [OptionId::new(2), OptionId::new(0), OptionId::new(0)];
            if !copies.tell_apart(&mut options) {
                break;
            }
            options.sort_unstable();
            seen.push(options.map(|option| option.index() + 1));
        }
        seen.sort_unstable();
        // 3 ways to choose two of A, 2 to choose one of B.
        let expected = [[1, 2, 3], [1, 2, 5], [1, 3, 4], [1, 4, 5], [2, 3, 4], [2, 4, 5]];
        assert_eq!(seen, expected);
    }
}
