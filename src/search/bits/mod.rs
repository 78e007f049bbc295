//! The engine of bits: the tree of `links`, node by node, from a bitmap of the options that are left.
//!
//! A choice excludes every option that shares a primary item with it, or uses a secondary one
//! otherwise: uncolored, or with another color. Which ones these are does not depend on the search, so
//! each option has a row of bits for it, and a choice is `active & !row`. Nothing has to be undone,
//! because every level has a bitmap of its own. The options of an item are those of `active & mask`,
//! in the order of the file, as they stand in the lists of `dlx2`; and of the items with the fewest we
//! take the first, as it does (or as another branching rule says). Hence the same nodes, choices and ranks; but no updates, so none are
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
//! | `table` | what they exclude, and which problems are small enough for that |
//! | `count` | what has to be counted, and how it is done on any machine |
//! | `simd` | the same with the vector instructions of x86-64 |
//! | `hybrid` | lists at the top of a tree whose root is too large |
//!
//! A level keeps only the words of its bitmap that are not zero, which deep in a tree are few: of the
//! 32 of a packing of pentominoes (docs/benchmarks, pent6x10x) 8 in the mean.
//!
//! # Invariants
//!
//! With `d` open levels, `words[d]` is the set of options that are compatible with the first `d`
//! choices, each word once, none of them zero, in ascending order; `least` is the item to branch on,
//! if an item is left; `left` is the number of primary items not covered.

pub mod count;
mod hybrid;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod simd;
pub mod table;

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::constraint::Propagator;
use crate::ids::{ItemId, OptionId};
use crate::problem::Problem;
use crate::search::algorithm_c::{TreeSearch, Walk};
use crate::search::bits::count::{OptionCounts, Difference, Keyed, LaneWidth, MrvItem, Narrow, BitStep, Wide};
use crate::search::bits::hybrid::Above;
use crate::search::bits::table::{BitTable, fits};
use crate::search::dancing_links;
use crate::search::lists::Lists;
use crate::search::rows::OptionRows;
use crate::search::store::{OPEN, Store};
use crate::search::width::{self, Fit};
use crate::solution::{Choice, Choices};

/// Which instructions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

    /// The best that the machine has, and that [`restrict`](Instructions::restrict) allows.
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        let machine = simd::best();
        #[cfg(not(target_arch = "x86_64"))]
        let machine = Instructions::Portable;
        let most = Self::ALL[usize::from(MOST.load(Ordering::Relaxed))];
        machine.min(most)
    }

    /// Does from now on, in all of the process, without better ones than these: for tests of what
    /// other machines do.
    pub fn restrict(self) {
        MOST.store(self as u8, Ordering::Relaxed);
    }
}

/// The best instructions that are allowed.
static MOST: AtomicU8 = AtomicU8::new(Instructions::Avx512 as u8);

/// Sixty-four neighboring options, some of which are left.
#[derive(Clone, Copy, Debug, Default)]
pub struct LiveWord {
    /// The options that are left.
    pub bits: u64,
    /// The number of the first of the 64, divided by 64.
    pub index: u32,
}

/// One level of the search.
#[derive(Clone, Copy, Debug)]
struct BitLevel {
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
struct Bits<T, C> {
    table: T,
    levels: Vec<BitLevel>,
    /// By level `table.width` words, of which the first `lengths[level]` count.
    words: Vec<LiveWord>,
    lengths: Vec<u32>,
    left: u32,
    least: MrvItem,
    count: C,
    /// Words that were looked at, for [`Store::effort`].
    looked: u64,
}

impl<T: Deref<Target = BitTable>, C: OptionCounts> Bits<T, C> {
    fn new(table: T, count: C) -> Self {
        let mut words = vec![LiveWord::default(); (table.primary + 1) * table.width];
        let mut lengths = vec![0; table.primary + 1];
        lengths[0] = table.options.div_ceil(64) as u32;
        for option in 0..table.options {
            let word = &mut words[option / 64];
            *word = LiveWord { bits: word.bits | 1 << (option % 64), index: (option / 64) as u32 };
        }
        let levels = Vec::with_capacity(table.primary);
        let (left, least) = (table.primary as u32, table.least);
        Bits { table, levels, words, lengths, left, least, count, looked: 0 }
    }

    /// Takes the option of the newest level: leaves the words that it does not exclude.
    #[inline(always)]
    fn descend(&mut self, option: usize) {
        let (level, width) = (self.levels.len(), self.table.width);
        let (above, below) =
            self.words[(level - 1) * width..(level + 1) * width].split_at_mut(width);
        let before = &above[..self.lengths[level - 1] as usize];
        let excluded = self.table.excluded(option);
        self.looked += before.len() as u64;
        let mut length = 0;
        for word in before {
            let bits = word.bits & !excluded[word.index as usize];
            below[length] = LiveWord { bits, index: word.index };
            length += usize::from(bits != 0);
        }
        self.lengths[level] = length as u32;
        let after = &below[..length];
        self.least = self.count.descend(&BitStep { level, option, excluded, before, after });
    }
}

impl<T: Deref<Target = BitTable>, C: OptionCounts> Store for Bits<T, C> {
    #[inline(always)]
    fn done(&self) -> bool {
        self.left == 0
    }

    #[inline(always)]
    fn branch(&mut self) {
        let (MrvItem { item, degree }, left) = (self.least, self.left);
        self.levels.push(BitLevel { item, option: 0, rank: 0, degree, left, at: 0, bits: 0 });
    }

    fn item(&self) -> ItemId {
        ItemId::new(self.levels.last().expect(OPEN).item)
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
    fn commit<R: Propagator>(&mut self, _: &mut R) -> bool {
        let Some(&BitLevel { option, left, .. }) = self.levels.last() else { return false };
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

    fn effort(&self, nodes: u64) -> u64 {
        // Fitted, as that of `learn` is. Four times as many words a node take twice as long, since most nodes are
        // decided by the first words of those that are looked at together.
        14 * (u128::from(nodes) * u128::from(self.looked)).isqrt() as u64
    }
}

impl<T, C> Choices for Bits<T, C> {
    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn choice(&self, level: usize) -> Choice {
        let BitLevel { item, option, rank, degree, .. } = self.levels[level];
        Choice { option: Some(OptionId::new(option)), item: ItemId::new(item), rank, degree }
    }

    fn update(&self, known: &mut Vec<Choice>) -> usize {
        // After the same choices the same options are left: if the next option is the same, so are its
        // item and rank.
        let pairs = || self.levels.iter().zip(known.iter());
        let differ =
            |(level, known): (&BitLevel, &Choice)| known.option != Some(OptionId::new(level.option));
        let same = pairs().position(differ).unwrap_or(pairs().len());
        known.truncate(same);
        known.extend((same..self.levels.len()).map(|level| self.choice(level)));
        same
    }
}

/// A state that no constraint ever looks at: those of this engine.
trait Unruled {}

impl<T, C> Unruled for Bits<T, C> {}

/// Only constraints ask for lists.
impl<S: Unruled> Lists for S {
    type Node = u32;

    fn head(&self, _: ItemId) -> u32 {
        unreachable!("the engine of bits knows no constraint")
    }

    fn below(&self, _: u32) -> (u32, u32) {
        unreachable!("the engine of bits knows no constraint")
    }

    fn forbid_option(&mut self, _: u32) {
        unreachable!("the engine of bits knows no constraint")
    }
}

/// How a problem is searched, and what is made of it before; threads share it. None of this changes
/// anything but the time.
#[derive(Clone, Debug)]
pub struct BitsPlan<'p> {
    problem: &'p Problem,
    by: Instructions,
    way: BitsWay,
}

#[derive(Clone, Debug)]
enum BitsWay {
    /// By bits from the root on.
    Whole(Arc<(OptionRows, BitTable)>),
    /// By lists, and by bits where a subtree takes so many times as long as making a table for it.
    Above(u64),
}

/// The table of a problem that is searched by bits from the root on.
struct SharedTable(Arc<(OptionRows, BitTable)>);

impl Deref for SharedTable {
    type Target = BitTable;
    #[inline(always)]
    fn deref(&self) -> &BitTable {
        &self.0.1
    }
}

impl<'p> BitsPlan<'p> {
    /// For a search of `problem`, which has no bounds, with the best instructions.
    pub fn new(problem: &'p Problem) -> Self {
        BitsPlan::by(Instructions::best(), problem)
    }

    /// The same with these instructions, or the next best that the machine has.
    pub fn by(by: Instructions, problem: &'p Problem) -> Self {
        let way = match fits(by, problem) {
            true => {
                let rows = OptionRows::of(problem);
                let table = BitTable::new(&rows);
                BitsWay::Whole(Arc::new((rows, table)))
            }
            false => BitsWay::Above(hybrid::PAYS),
        };
        BitsPlan { problem, by, way }
    }

    /// Begins with lists, however small the problem is. Bits take over as soon as anything is known
    /// about how large a subtree will be, however small.
    pub fn above(by: Instructions, problem: &'p Problem) -> Self {
        BitsPlan { problem, by, way: BitsWay::Above(0) }
    }

    /// A search as planned.
    pub fn engine(&self) -> Box<dyn TreeSearch + 'p> {
        let &BitsPlan { problem, by, ref way } = self;
        let pays = match way {
            BitsWay::Whole(made) => {
                let (rows, table) = &**made;
                return choose(by, rows, table, Whole { problem, table: Arc::clone(made) });
            }
            BitsWay::Above(pays) => *pays,
        };
        macro_rules! above {
            ($width:ty) => {
                Box::new(Walk::new("bits", problem, Above::<$width>::new(by, pays, problem), ()))
            };
        }
        match width::fit(problem, dancing_links::SPARE) {
            Fit::Narrow => above!(width::Narrow),
            Fit::Wide => above!(width::Wide),
            Fit::Huge => above!(width::Huge),
        }
    }
}

/// About how many bytes the engine needs for `problem`.
pub fn memory(problem: &Problem) -> usize {
    match fits(Instructions::best(), problem) {
        true => table::memory(problem),
        false => dancing_links::memory(problem) + hybrid::MEMORY,
    }
}

/// The engine for `problem`, which has no bounds: it visits the solutions in the order of `dlx2`.
pub fn engine(problem: &Problem) -> Box<dyn TreeSearch + '_> {
    BitsPlan::new(problem).engine()
}

/// What is done with a way to count.
trait With {
    type Output;
    /// Does it.
    fn with(self, count: impl OptionCounts + 'static) -> Self::Output;
}

/// Finds the fastest way to count the options of `rows`.
fn choose<W: With>(by: Instructions, rows: &OptionRows, table: &BitTable, what: W) -> W::Output {
    if !rows.branching.is_mrv() {
        return what.with(Keyed::new(rows));
    }
    #[cfg(target_arch = "x86_64")]
    let what = match simd::choose(by, rows, table, what) {
        Ok(output) => return output,
        Err(what) => what,
    };
    let _ = (by, table);
    match (rows.longest() < Narrow::LIMIT, rows.primary) {
        (true, ..=32) => what.with(Difference::<4, Narrow>::new(rows)),
        (true, ..=64) => what.with(Difference::<8, Narrow>::new(rows)),
        (true, ..=128) => what.with(Difference::<16, Narrow>::new(rows)),
        (true, ..=192) => what.with(Difference::<24, Narrow>::new(rows)),
        (true, ..=256) => what.with(Difference::<32, Narrow>::new(rows)),
        (true, ..=320) => what.with(Difference::<40, Narrow>::new(rows)),
        (true, _) => what.with(Difference::<64, Narrow>::new(rows)),
        (false, ..=16) => what.with(Difference::<4, Wide>::new(rows)),
        (false, ..=32) => what.with(Difference::<8, Wide>::new(rows)),
        (false, ..=64) => what.with(Difference::<16, Wide>::new(rows)),
        (false, ..=128) => what.with(Difference::<32, Wide>::new(rows)),
        (false, _) => what.with(Difference::<128, Wide>::new(rows)),
    }
}

/// A search that lacks nothing but a way to count.
struct Whole<'p> {
    problem: &'p Problem,
    table: Arc<(OptionRows, BitTable)>,
}

impl<'p> With for Whole<'p> {
    type Output = Box<dyn TreeSearch + 'p>;
    fn with(self, count: impl OptionCounts + 'static) -> Box<dyn TreeSearch + 'p> {
        let bits = Bits::new(SharedTable(self.table), count);
        Box::new(Walk::new("bits", self.problem, bits, ()))
    }
}
