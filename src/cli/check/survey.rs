//! Which items occur, and which options are the same as an earlier one: found with one look at all
//! entries, which in a large file are too many for the processor's cache.
//!
//! An option has a digest, four bytes for a while, and sets the bit that it chooses (Bloom, 1970, with
//! one function). The digests of those that find their bit set, a few in a hundred, are noted; they and
//! their twins are then sorted, and only options with the same digest are compared.

use crate::ids::OptionId;
use crate::problem::{Entry, Problem, Row};

/// What there is to know of a problem's options.
pub struct Survey {
    /// By item, whether an option has it.
    pub used: Vec<bool>,
    /// The options that are the same as an earlier one, in order, each with the first such.
    pub twins: Vec<(OptionId, OptionId)>,
}

impl Survey {
    /// Looks at all options.
    pub fn new(problem: &Problem) -> Self {
        let mut used = vec![false; problem.items()];
        let digest = |option| digest(problem.option(option), &mut used);
        let digests: Vec<u32> = problem.option_ids().map(digest).collect();
        // A loop by itself, so short that the processor waits for many words of the filter at once.
        let mut seen = Filter::new(problem.options());
        let suspects: Vec<u32> =
            digests.iter().copied().filter(|&digest| seen.set(digest)).collect();
        drop(seen);
        Survey { used, twins: twins(problem, &digests, &suspects) }
    }
}

/// The twins, of which all but the first are suspects.
fn twins(problem: &Problem, digests: &[u32], suspects: &[u32]) -> Vec<(OptionId, OptionId)> {
    if suspects.is_empty() {
        return Vec::new();
    }
    // Other bits than before: an option that only happened to set the bit of a suspect is none.
    let other = |digest: u32| digest.rotate_left(16);
    let mut noted = Filter::new(8 * suspects.len());
    suspects.iter().for_each(|&digest| _ = noted.set(other(digest)));
    let numbered = digests.iter().copied().zip(problem.option_ids());
    let mut alike: Vec<(u32, OptionId)> =
        numbered.filter(|&(digest, _)| noted.has(other(digest))).collect();
    alike.sort_unstable();
    let groups = alike.chunk_by(|one, other| one.0 == other.0).filter(|group| group.len() > 1);
    let mut twins: Vec<_> = groups.flat_map(|group| same(problem, group)).collect();
    twins.sort_unstable();
    twins
}

/// Those of a group with one digest that are the same as an earlier one.
fn same(problem: &Problem, group: &[(u32, OptionId)]) -> Vec<(OptionId, OptionId)> {
    let sorted = |&(_, option): &(u32, OptionId)| {
        let mut entries: Vec<Entry> = problem.option(option).iter().collect();
        entries.sort_unstable();
        (entries, option)
    };
    let mut rows: Vec<(Vec<Entry>, OptionId)> = group.iter().map(sorted).collect();
    rows.sort_unstable();
    let equal = rows.chunk_by(|one, other| one.0 == other.0);
    equal.flat_map(|rows| rows[1..].iter().map(|row| (row.1, rows[0].1))).collect()
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
struct Filter {
    bits: Vec<u64>,
}

impl Filter {
    /// For about so many digests.
    fn new(digests: usize) -> Self {
        let bits = (BITS * digests).clamp(64, 1 << MOST).next_power_of_two();
        Filter { bits: vec![0; bits / 64] }
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
