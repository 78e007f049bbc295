//! The engine of bits: the tree of `links`, node by node, from a bitmap of the options that are left.
//!
//! A choice excludes every option that shares a primary item with it, or uses a secondary one
//! otherwise: uncolored, or with another color. Which ones these are does not depend on the search, so
//! each option has a row of bits for it, and a choice is `active & !row`. Nothing has to be undone,
//! because every level has a bitmap of its own. The options of an item are those of `active & mask`,
//! in the order of the file, as they stand in the lists of `dlx2`; and of the items with the fewest we
//! take the first, as it does. Hence the same nodes, choices and ranks; but no updates, so none are
//! reported.
//!
//! ```text
//! A B | X        options  1 2 3     excluded by 1: 1 (itself) and 2 (A); not 3, which agrees on X
//! A X:0                             excluded by 2: 1, 2 and 3 (another color)
//! A X:1                             mask of A: 1 2; mask of B: 3
//! B X:0
//! ```
//!
//! | file | what |
//! |---|---|
//! | `table` | rows and masks, and which problems are small enough for them |
//! | `count` | what has to be counted, and how it is done on any machine |
//! | `vector` | the same with the vector instructions of x86-64 |
//!
//! A level keeps only the words of its bitmap that are not zero, which deep in a tree are few: of the
//! 32 of a packing of pentominoes (docs/benchmarks, pent6x10x) 8 in the mean.
//!
//! # Invariants
//!
//! With `d` open levels, `words[d]` is the set of options that are compatible with the first `d`
//! choices, each word once, none of them zero, in ascending order; `least` is the first item with the
//! fewest options in it, if an item is left; `left` is the number of primary items not covered.

pub mod count;
pub mod table;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod vector;

use crate::constraint::{Constraint, Moves, Uses, Why};
use crate::ids::{Color, ItemId, OptionId};
use crate::problem::Problem;
use crate::search::bits::count::{Count, Difference, Lane, Least, Narrow, Step, Wide};
use crate::search::bits::table::Table;
use crate::search::stats::Stats;
use crate::search::store::Store;
use crate::search::walk::{self, Hand, Whole};
use crate::search::{End, Limits, Observer, lengths};
use crate::solution::{Choice, Choices};

/// Which instructions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// Those of every machine.
    Portable,
    /// AVX2, if the machine has it.
    Avx2,
    /// AVX-512 with VPOPCNTDQ, if the machine has it.
    Avx512,
}

impl Instructions {
    /// All of them, the fastest last.
    pub const ALL: [Instructions; 3] =
        [Instructions::Portable, Instructions::Avx2, Instructions::Avx512];
}

/// Sixty-four neighboring options, some of which are left.
#[derive(Clone, Copy, Debug, Default)]
pub struct Word {
    /// The options that are left.
    pub bits: u64,
    /// The number of the first of the 64, divided by 64.
    pub index: u32,
}

/// One level of the search.
#[derive(Clone, Copy, Debug)]
struct Level {
    item: u32,
    /// The option at hand.
    option: u32,
    rank: u32,
    degree: u32,
    /// How many items were left when the level was opened.
    left: u32,
    /// How many words were looked at for options of the item, and what is to be tried of the last.
    at: u32,
    bits: u64,
}

/// The state of a search.
#[derive(Debug)]
struct Bits<'t, C> {
    table: &'t Table,
    levels: Vec<Level>,
    /// By level `table.width` words, of which the first `lengths[level]` count.
    words: Vec<Word>,
    lengths: Vec<u32>,
    left: u32,
    least: Least,
    count: C,
}

impl<'t, C: Count> Bits<'t, C> {
    fn new(table: &'t Table, count: C) -> Self {
        let mut words = vec![Word::default(); (table.primary + 1) * table.width];
        let mut lengths = vec![0; table.primary + 1];
        lengths[0] = table.options.div_ceil(64) as u32;
        for option in 0..table.options {
            let word = &mut words[option / 64];
            *word = Word { bits: word.bits | 1 << (option % 64), index: (option / 64) as u32 };
        }
        let levels = Vec::with_capacity(table.primary);
        let (left, least) = (table.primary as u32, table.least);
        Bits { table, levels, words, lengths, left, least, count }
    }

    /// Takes the option of the newest level: leaves the words that it does not exclude.
    #[inline(always)]
    fn descend(&mut self, option: usize) {
        let (level, width) = (self.levels.len(), self.table.width);
        let (above, below) =
            self.words[(level - 1) * width..(level + 1) * width].split_at_mut(width);
        let before = &above[..self.lengths[level - 1] as usize];
        let excluded = self.table.excluded(option);
        let mut length = 0;
        for word in before {
            let bits = word.bits & !excluded[word.index as usize];
            below[length] = Word { bits, index: word.index };
            length += usize::from(bits != 0);
        }
        self.lengths[level] = length as u32;
        let after = &below[..length];
        self.least = self.count.descend(&Step { level, option, excluded, before, after });
    }
}

impl<C: Count> Store for Bits<'_, C> {
    #[inline(always)]
    fn done(&self) -> bool {
        self.left == 0
    }

    #[inline(always)]
    fn branch(&mut self) {
        let (Least { item, degree }, left) = (self.least, self.left);
        self.levels.push(Level { item, option: 0, rank: 0, degree, left, at: 0, bits: 0 });
    }

    #[inline(always)]
    fn rank(&self) -> u32 {
        self.levels.last().map_or(0, |level| level.rank)
    }

    #[inline(always)]
    fn next(&mut self) -> bool {
        let number = self.levels.len() - 1;
        let level = &mut self.levels[number];
        if level.rank == level.degree {
            return false;
        }
        level.rank += 1;
        let words = &self.words[number * self.table.width..][..self.table.width];
        while level.bits == 0 {
            let word = words[level.at as usize];
            level.bits = word.bits & self.table.mask(word.index, level.item);
            level.at += 1;
        }
        level.option = words[level.at as usize - 1].index * 64 + level.bits.trailing_zeros();
        level.bits &= level.bits - 1;
        true
    }

    #[inline(always)]
    fn commit<R: Constraint>(&mut self, _: &mut R) -> bool {
        let Some(&Level { option, left, .. }) = self.levels.last() else { return false };
        self.left = left - self.table.sizes[option as usize];
        // Nobody looks at what is below a solution.
        if self.left != 0 {
            self.descend(option as usize);
        }
        true
    }

    #[inline(always)]
    fn undo(&mut self) {
        if let Some(level) = self.levels.last() {
            self.left = level.left;
        }
    }

    #[inline(always)]
    fn close(&mut self) {
        self.levels.pop();
    }

    fn rewind(&mut self) {
        self.least = self.table.least;
    }

    fn counters(&self) -> (u64, u64) {
        (0, 0)
    }
}

impl<C> Choices for Bits<'_, C> {
    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn choice(&self, level: usize) -> Choice {
        let Level { item, option, rank, degree, .. } = self.levels[level];
        Choice { option: Some(OptionId::new(option)), item: ItemId::new(item), rank, degree }
    }

    fn update(&self, known: &mut Vec<Choice>) -> usize {
        // After the same choices the same options are left: if the next option is the same, so are its
        // item and rank.
        let pairs = || self.levels.iter().zip(known.iter());
        let differ =
            |(level, known): (&Level, &Choice)| known.option != Some(OptionId::new(level.option));
        let same = pairs().position(differ).unwrap_or(pairs().len());
        known.truncate(same);
        known.extend((same..self.levels.len()).map(|level| self.choice(level)));
        same
    }
}

/// Only constraints ask for moves, and this engine has none.
impl<C> Moves for Bits<'_, C> {
    fn forbid(&mut self, _: ItemId, _: Color, _: Why<'_>) {
        unreachable!("the engine of bits knows no constraint")
    }

    fn require(&mut self, _: ItemId, _: Color, _: Why<'_>) {
        unreachable!("the engine of bits knows no constraint")
    }

    fn uses(&self, _: ItemId, _: Color) -> Uses {
        unreachable!("the engine of bits knows no constraint")
    }
}

/// Visits all solutions of `problem`, which must be [small enough](table::fits), in the order of
/// `dlx2`.
pub fn solve(problem: &Problem, limits: &Limits<'_>, observer: &mut dyn Observer) -> (End, Stats) {
    solve_by(Instructions::Avx512, problem, limits, observer)
}

/// The same with certain instructions, or the next best that the machine has. That changes nothing
/// but the time.
pub fn solve_by(
    best: Instructions,
    problem: &Problem,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> (End, Stats) {
    let mut whole = Whole::new(observer);
    let stats = work(best, problem, &Table::new(problem), limits, &mut whole);
    (whole.end, stats)
}

/// Visits the stretches that `hand` gives it.
pub fn work(
    best: Instructions,
    problem: &Problem,
    table: &Table,
    limits: &Limits<'_>,
    hand: &mut dyn Hand,
) -> Stats {
    #[cfg(target_arch = "x86_64")]
    if let Some(stats) = vector::work(best, problem, table, limits, hand) {
        return stats;
    }
    let _ = best;
    let run = Run { table, limits, hand };
    match (lengths::longest(problem) < Narrow::LIMIT, problem.primary()) {
        (true, ..=32) => run.with(Difference::<4, Narrow>::new(problem)),
        (true, ..=64) => run.with(Difference::<8, Narrow>::new(problem)),
        (true, ..=128) => run.with(Difference::<16, Narrow>::new(problem)),
        (true, ..=192) => run.with(Difference::<24, Narrow>::new(problem)),
        (true, ..=256) => run.with(Difference::<32, Narrow>::new(problem)),
        (true, ..=320) => run.with(Difference::<40, Narrow>::new(problem)),
        (true, _) => run.with(Difference::<64, Narrow>::new(problem)),
        (false, ..=16) => run.with(Difference::<4, Wide>::new(problem)),
        (false, ..=32) => run.with(Difference::<8, Wide>::new(problem)),
        (false, ..=64) => run.with(Difference::<16, Wide>::new(problem)),
        (false, ..=128) => run.with(Difference::<32, Wide>::new(problem)),
        (false, _) => run.with(Difference::<128, Wide>::new(problem)),
    }
}

/// A search that lacks nothing but a way to count.
struct Run<'a> {
    table: &'a Table,
    limits: &'a Limits<'a>,
    hand: &'a mut dyn Hand,
}

impl Run<'_> {
    fn with(self, count: impl Count) -> Stats {
        walk::work(&mut Bits::new(self.table, count), &mut (), self.limits, self.hand)
    }
}
