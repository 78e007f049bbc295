//! Which items occur, and which options are the same as an earlier one: found with one look at all
//! entries, which in a large file are too many for the processor's cache.
//!
//! An option has a digest, four bytes for a while, and sets the bit that it chooses (Bloom, 1970, with
//! one function). The digests of those that find their bit set, a few in a hundred, are noted; where there are
//! very many digests they are parted first, and have a bit each. Those that are noted and their twins are
//! then sorted, and only options with the same digest are compared.

use crate::ids::OptionId;
use crate::problem::{Entry, Problem, Row};

/// What there is to know of a problem's options.
pub struct Usage {
    /// By item, whether an option has it.
    pub used: Vec<bool>,
    /// The options that are the same as an earlier one, in order, each with the first such.
    pub twins: Vec<(OptionId, OptionId)>,
}

impl Usage {
    /// Looks at all options.
    pub fn new(problem: &Problem) -> Self {
        let mut used = vec![false; problem.items()];
        let digest = |option| digest(problem.option(option), &mut used);
        let digests: Vec<u32> = problem.option_ids().map(digest).collect();
        let suspects = match digests.len() {
            ..LARGE => suspects(&digests),
            _ => suspects_of_many(&digests),
        };
        Usage { used, twins: twins(problem, &digests, &suspects) }
    }
}

/// As many digests as this have a filter that is not in the cache.
const LARGE: usize = 1 << 23;

/// Digests that seem to have been there before, and all those that were.
fn suspects(digests: &[u32]) -> Vec<u32> {
    // A loop by itself, so short that the processor waits for many words of the filter at once.
    let mut seen = BloomFilter::new(digests.len());
    digests.iter().copied().filter(|&digest| seen.set(digest)).collect()
}

/// Bits of a digest by which many are parted.
const PART: u32 = 9;

/// The digests that were there before. They are parted by their highest bits, so that a bit for each
/// of the others, a megabyte, is in the cache.
fn suspects_of_many(digests: &[u32]) -> Vec<u32> {
    let part = |digest: u32| (digest >> (32 - PART)) as usize;
    let mut ends = [0usize; 1 << PART];
    digests.iter().for_each(|&digest| ends[part(digest)] += 1);
    let mut sum = 0;
    for end in &mut ends {
        (*end, sum) = (sum, sum + *end);
    }
    let mut parted = vec![0; digests.len()];
    for &digest in digests {
        let end = &mut ends[part(digest)];
        parted[*end] = digest;
        *end += 1;
    }
    let mut suspects = Vec::new();
    let mut seen = vec![0u64; 1 << (32 - PART - 6)];
    for digests in parted.chunk_by(|&one, &other| part(one) == part(other)) {
        seen.fill(0);
        for &digest in digests {
            let place = (digest as usize) & ((1 << (32 - PART)) - 1);
            let (word, bit) = (&mut seen[place / 64], 1 << (place % 64));
            if *word & bit != 0 {
                suspects.push(digest);
            }
            *word |= bit;
        }
    }
    suspects
}

/// The twins, of which all but the first are suspects.
fn twins(problem: &Problem, digests: &[u32], suspects: &[u32]) -> Vec<(OptionId, OptionId)> {
    if suspects.is_empty() {
        return Vec::new();
    }
    // Other bits than before: an option that only happened to set the bit of a suspect is none.
    let other = |digest: u32| digest.rotate_left(16);
    let mut noted = BloomFilter::new(8 * suspects.len());
    suspects.iter().for_each(|&digest| _ = noted.set(other(digest)));
    let numbered = digests.iter().zip(0..).filter(|&(&digest, _)| noted.has(other(digest)));
    let mut alike: Vec<u64> =
        numbered.map(|(&digest, option): (_, u64)| u64::from(digest) << 32 | option).collect();
    drop(noted);
    alike.sort_unstable();
    let mut twins = Vec::new();
    let mut known = EqualOptions { problem, rows: Vec::new(), row: Vec::new() };
    for group in alike.chunk_by(|one, other| one >> 32 == other >> 32).filter(|g| g.len() > 1) {
        known.group(group.iter().map(|&word| OptionId::new(word as u32)), &mut twins);
    }
    twins.sort_unstable();
    twins
}

/// Different options with one digest. Usually there is one.
struct EqualOptions<'p> {
    problem: &'p Problem,
    /// The first of each kind, with its entries in order.
    rows: Vec<(OptionId, Vec<Entry>)>,
    /// The entries of another one.
    row: Vec<Entry>,
}

/// If more options than this have a digest, somebody made them so, and we sort them.
const MANY: usize = 8;

impl EqualOptions<'_> {
    /// Adds those of a group, whose options come in order, that are the same as an earlier one.
    fn group(
        &mut self,
        group: impl Iterator<Item = OptionId> + Clone,
        twins: &mut Vec<(OptionId, OptionId)>,
    ) {
        self.rows.clear();
        let found = twins.len();
        for option in group.clone() {
            if let Some(first) = self.first(option) {
                twins.push((option, first));
            } else if self.rows.len() > MANY {
                twins.truncate(found);
                twins.extend(self.sorted(group));
                return;
            }
        }
    }

    /// The first option that is the same as `option`; if there is none, it becomes one.
    fn first(&mut self, option: OptionId) -> Option<OptionId> {
        let row = self.problem.option(option);
        // Copies have their entries in the same order, mostly.
        let same = |first: OptionId| self.problem.option(first) == row;
        if let Some(&(first, _)) = self.rows.first()
            && same(first)
        {
            return Some(first);
        }
        self.row.clear();
        self.row.extend(row);
        self.row.sort_unstable();
        if let Some((first, _)) = self.rows.iter().find(|(_, row)| *row == self.row) {
            return Some(*first);
        }
        self.rows.push((option, std::mem::take(&mut self.row)));
        None
    }

    /// The same by sorting.
    fn sorted(&self, group: impl Iterator<Item = OptionId>) -> Vec<(OptionId, OptionId)> {
        let sorted = |option| {
            let mut entries: Vec<Entry> = self.problem.option(option).iter().collect();
            entries.sort_unstable();
            (entries, option)
        };
        let mut rows: Vec<(Vec<Entry>, OptionId)> = group.map(sorted).collect();
        rows.sort_unstable();
        let equal = rows.chunk_by(|one, other| one.0 == other.0);
        equal.flat_map(|rows| rows[1..].iter().map(|row| (row.1, rows[0].1))).collect()
    }
}

/// A number that looks random and does not depend on the order of the entries: a sum of products,
/// whose halves are folded. Notes the items as used.
#[inline(always)]
fn digest(row: Row<'_>, used: &mut [bool]) -> u32 {
    let sum = row.sum(|word, item| {
        used[item.index()] = true;
        let product = u128::from(word ^ 0x2545_f491_4f6c_dd1d) * 0x9e37_79b9_7f4a_7c15;
        product as u64 ^ (product >> 64) as u64
    });
    (sum >> 32) as u32
}

/// Bits for each digest, if there are not very many of them.
const BITS: usize = 16;

/// The logarithm of the most bits: those take 64 MB.
const MOST: u32 = 29;

/// A set of digests that may take others for members.
struct BloomFilter {
    bits: Vec<u64>,
}

impl BloomFilter {
    /// For about so many digests.
    fn new(digests: usize) -> Self {
        let bits = (BITS * digests).clamp(64, 1 << MOST).next_power_of_two();
        BloomFilter { bits: vec![0; bits / 64] }
    }

    #[inline]
    fn place(&self, digest: u32) -> (usize, u64) {
        let place = (digest >> (32 - MOST)) as usize;
        ((place / 64) & (self.bits.len() - 1), 1 << (place % 64))
    }

    /// Adds a digest; tells whether it seems to have been there.
    #[inline]
    fn set(&mut self, digest: u32) -> bool {
        let (word, bit) = self.place(digest);
        let old = self.bits[word];
        self.bits[word] = old | bit;
        old & bit != 0
    }

    #[inline]
    fn has(&self, digest: u32) -> bool {
        let (word, bit) = self.place(digest);
        self.bits[word] & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx;

    fn twins_of(text: &str) -> (Problem, Vec<(OptionId, OptionId)>) {
        let problem = dlx::parse::read(text.as_bytes()).expect("a file").problem;
        let twins = Usage::new(&problem).twins;
        (problem, twins)
    }

    /// Each with the first of its kind, whatever the order of its entries: as a map of sorted rows has it.
    #[test]
    fn finds_the_first_of_each_kind() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..200 {
            let mut text = String::from("a b c d | x y\n");
            for _ in 0..random.usize(1..60) {
                let mut row = vec!["a"];
                row.extend(["b", "c", "d"].into_iter().filter(|_| random.bool()));
                row.extend(["x", "x:1", "x:2", "y:1"].get(random.usize(0..9)));
                random.shuffle(&mut row);
                text += &(row.join(" ") + "\n");
            }
            let (problem, twins) = twins_of(&text);
            let mut firsts = std::collections::HashMap::new();
            let mut expected = Vec::new();
            for option in problem.option_ids() {
                let mut row: Vec<Entry> = problem.option(option).iter().collect();
                row.sort_unstable();
                let first = *firsts.entry(row).or_insert(option);
                expected.extend((first != option).then_some((option, first)));
            }
            assert_eq!(twins, expected, "{text}");
        }
    }

    /// Both ways find all that are there twice; that of many digests finds no others.
    #[test]
    fn suspects_what_was_there_before() {
        let mut random = fastrand::Rng::with_seed(4);
        for bits in [8, 16, 32] {
            let digests: Vec<u32> = (0..20_000).map(|_| random.u32(..) >> (32 - bits)).collect();
            let digests: Vec<u32> = digests.iter().map(|d| d.rotate_right(bits / 2)).collect();
            let mut seen = std::collections::HashSet::new();
            let mut expected: Vec<u32> =
                digests.iter().copied().filter(|&digest| !seen.insert(digest)).collect();
            expected.sort_unstable();
            let mut exact = suspects_of_many(&digests);
            exact.sort_unstable();
            assert_eq!(exact, expected);
            let some = suspects(&digests);
            assert!(expected.iter().all(|digest| some.contains(digest)));
        }
    }

    /// No two options of a kind, but all with one digest: they are told apart all the same.
    #[test]
    fn tells_many_options_with_one_digest_apart() {
        let names: Vec<String> = (0..40).map(|n| format!("n{n}")).collect();
        let rows: String = names.iter().map(|name| format!("{name}\n{name} x\n")).collect();
        let text = names.join(" ") + " | x\n" + &rows + &rows;
        let (problem, _) = twins_of(&text);
        let mut known = EqualOptions { problem: &problem, rows: Vec::new(), row: Vec::new() };
        let mut twins = Vec::new();
        known.group((0..160).map(OptionId::new), &mut twins);
        twins.sort_unstable();
        let pair = |n| (OptionId::new(80 + n), OptionId::new(n));
        assert_eq!(twins, (0..80).map(pair).collect::<Vec<_>>());
    }
}
