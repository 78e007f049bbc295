//! How many options each item has left: what an engine of bits spends its time on.
//!
//! The count of every item is a lane of a vector. There are two ways to get the counts of a level:
//! from those of the level above, by *difference*, subtracting the options that are gone; or *anew*,
//! from the bitmap. An option is a vector, too, with a one for each of its items.
//!
//! Differences suit every machine. The lane of a covered item is all ones, so that it is never the
//! least. With vector instructions fewer options may be left than are gone, which is usual near the
//! leaves; then we add up those that are left instead. Without an instruction that counts bits it
//! depends on the problem whether finding out costs more than it saves, so we do without.
//!
//! All of these branch on the first item with the fewest options. For other branching rules there is [`Keyed`],
//! which looks at the items one by one.

use std::fmt::Debug;
use std::marker::PhantomData;

use crate::branch::Branching;
use crate::search::bits::LiveWord;
use crate::search::rows::OptionRows;

/// The item to branch on: the first one with the fewest options, or with the least key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MrvItem {
    /// The number of the item.
    pub item: u32,
    /// How many options it has.
    pub degree: u32,
}

impl MrvItem {
    /// The one that `branching` chooses of items with these lengths; `None` if there is no item.
    pub fn of(branching: &Branching, lengths: impl Iterator<Item = (usize, u32)>) -> Option<MrvItem> {
        let (item, degree) = branching.choose(lengths)?;
        Some(MrvItem { item: item as u32, degree })
    }
}

/// A choice, and what it leaves.
#[derive(Debug)]
pub struct BitStep<'a> {
    /// The level that it leads to; the first choice leads to level 1.
    pub level: usize,
    /// The option that was chosen.
    pub option: usize,
    /// The row of what it excludes.
    pub excluded: &'a [u64],
    /// What was left before.
    pub before: &'a [LiveWord],
    /// What is left now.
    pub after: &'a [LiveWord],
}

/// Counts, level by level.
pub trait OptionCounts: Debug {
    /// Goes down to `step.level`, from the level above it: tells the item to branch on among those not
    /// covered. There is one.
    fn descend(&mut self, step: &BitStep<'_>) -> MrvItem;
}

impl OptionCounts for Box<dyn OptionCounts> {
    #[inline(always)]
    fn descend(&mut self, step: &BitStep<'_>) -> MrvItem {
        (**self).descend(step)
    }
}

impl BitStep<'_> {
    /// Whether it is less work to add up what is left than to subtract what is gone.
    #[inline(always)]
    pub fn leaves_little(&self) -> bool {
        let gone = |word: &LiveWord| (word.bits & self.excluded[word.index as usize]).count_ones();
        let gone: u32 = self.before.iter().map(gone).sum();
        let left: u32 = self.after.iter().map(|word| word.bits.count_ones()).sum();
        left < gone
    }

    /// Calls `visit` with each option that is left, or else gone.
    #[inline(always)]
    pub fn each(&self, left: bool, mut visit: impl FnMut(usize)) {
        let words = if left { self.after } else { self.before };
        for word in words {
            let all = if left { u64::MAX } else { self.excluded[word.index as usize] };
            let mut bits = word.bits & all;
            while bits != 0 {
                visit(word.index as usize * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }
}

/// A number of bits for a lane, of which a word has several.
pub trait LaneWidth: Debug {
    /// Bits of a lane.
    const BITS: u32;
    /// All ones, in the lowest lane.
    const COVERED: u64 = (1 << Self::BITS) - 1;
    /// Lanes of a word.
    const LANES: usize = 64 / Self::BITS as usize;
    /// Counts are less than this.
    const LIMIT: u32 = Self::COVERED as u32;
    /// One, in all lanes.
    const ONES: u64 = u64::MAX / Self::COVERED;

    /// What the least lane holds.
    fn least<const K: usize>(counts: &[u64; K]) -> u32;

    /// The first lane that holds `count`; there is one.
    #[inline(always)]
    fn first<const K: usize>(counts: &[u64; K], count: u32) -> u32 {
        let mut first = 0;
        for (word, lanes) in counts.iter().enumerate().rev() {
            // The lowest lane of zeros has the lowest bit of `zeros` (Mycroft, 1987).
            let rest = lanes ^ (Self::ONES * u64::from(count));
            let zeros = rest.wrapping_sub(Self::ONES) & !rest & (Self::ONES << (Self::BITS - 1));
            if zeros != 0 {
                first = (word * Self::LANES) as u32 + zeros.trailing_zeros() / Self::BITS;
            }
        }
        first
    }
}

macro_rules! lane {
    ($(#[$doc:meta])* $name:ident, $int:ty) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name;

        impl LaneWidth for $name {
            const BITS: u32 = <$int>::BITS;

            #[inline(always)]
            fn least<const K: usize>(counts: &[u64; K]) -> u32 {
                const LANES: usize = size_of::<u64>() / size_of::<$int>();
                let lanes = |word: u64| -> [$int; LANES] {
                    std::array::from_fn(|lane| (word >> (<$int>::BITS as usize * lane)) as $int)
                };
                // Two words at a time: a vector of 16 bytes, which most machines have.
                let mut least = [<$int>::MAX; 2 * LANES];
                for &pair in counts.as_chunks::<2>().0 {
                    for (least, &count) in least.iter_mut().zip(pair.map(lanes).as_flattened()) {
                        *least = (*least).min(count);
                    }
                }
                u32::from(least.into_iter().fold(<$int>::MAX, Ord::min))
            }
        }
    };
}

lane! {
    /// Eight bits.
    Narrow, u8
}
lane! {
    /// Sixteen bits.
    Wide, u16
}

/// Counts by difference, in `K` words, an even number, on any machine.
///
/// An option has few items, so we touch only the words that they are in. No lane borrows from its
/// neighbor: an option is subtracted only where it was counted.
#[derive(Debug)]
pub struct Difference<const K: usize, L> {
    /// The parts of all options, end to end.
    parts: Vec<LaneOnes>,
    /// `starts[o] .. starts[o + 1]` are the parts of option `o`.
    starts: Vec<u32>,
    /// By level; all ones in the lanes of covered items.
    counts: Vec<[u64; K]>,
    lane: PhantomData<L>,
}

/// Ones in the lanes of an option's items that share a word.
#[derive(Clone, Copy, Debug)]
struct LaneOnes {
    word: u32,
    ones: u64,
}

impl<const K: usize, L: LaneWidth> Difference<K, L> {
    /// The counts of `rows` with nothing covered. There must be at most as many primary items as
    /// there are lanes, and no item with [`LaneWidth::LIMIT`] options.
    pub fn new(rows: &OptionRows) -> Self {
        let place = |item: usize| (item / L::LANES, L::BITS * (item % L::LANES) as u32);
        let mut counts = [0; K];
        for (word, shift) in (rows.primary..K * L::LANES).map(place) {
            counts[word] |= L::COVERED << shift;
        }
        let (mut parts, mut starts) = (Vec::<LaneOnes>::new(), vec![0]);
        for option in 0..rows.options() {
            let first = parts.len();
            for (word, shift) in rows.primary_items(option).map(place) {
                counts[word] += 1 << shift;
                match parts[first..].iter_mut().find(|part| part.word == word as u32) {
                    Some(part) => part.ones |= 1 << shift,
                    None => parts.push(LaneOnes { word: word as u32, ones: 1 << shift }),
                }
            }
            starts.push(parts.len() as u32);
        }
        let counts = vec![counts; rows.primary + 1];
        Difference { parts, starts, counts, lane: PhantomData }
    }
}

impl<const K: usize, L: LaneWidth> OptionCounts for Difference<K, L> {
    #[inline(always)]
    fn descend(&mut self, step: &BitStep<'_>) -> MrvItem {
        let Difference { parts, starts, counts, .. } = self;
        let parts = |option: usize| &parts[starts[option] as usize..starts[option + 1] as usize];
        let [above, counts] = &mut counts[step.level - 1..=step.level] else {
            unreachable!("each level has counts")
        };
        counts.copy_from_slice(above);
        step.each(false, |option| {
            for part in parts(option) {
                counts[part.word as usize] -= part.ones;
            }
        });
        for part in parts(step.option) {
            counts[part.word as usize] |= part.ones * L::COVERED;
        }
        let degree = L::least(counts);
        MrvItem { item: L::first(counts, degree), degree }
    }
}

/// The count of a covered item.
const COVERED: u32 = u32::MAX;

/// Counts by difference, a number an item, for any branching rule.
#[derive(Debug)]
pub struct Keyed {
    rows: OptionRows,
    /// By level, by primary item.
    counts: Vec<Vec<u32>>,
}

impl Keyed {
    /// The counts of `rows` with nothing covered.
    pub fn new(rows: &OptionRows) -> Self {
        let mut counts = vec![0; rows.primary];
        for option in 0..rows.options() {
            rows.primary_items(option).for_each(|item| counts[item] += 1);
        }
        Keyed { rows: rows.clone(), counts: vec![counts; rows.primary + 1] }
    }
}

impl OptionCounts for Keyed {
    fn descend(&mut self, step: &BitStep<'_>) -> MrvItem {
        let Keyed { rows, counts } = self;
        let [above, counts] = &mut counts[step.level - 1..=step.level] else {
            unreachable!("each level has counts")
        };
        counts.copy_from_slice(above);
        step.each(false, |option| {
            rows.primary_items(option).for_each(|item| counts[item] -= 1);
        });
        rows.primary_items(step.option).for_each(|item| counts[item] = COVERED);
        let lengths = counts.iter().copied().enumerate();
        let active = lengths.filter(|&(_, count)| count != COVERED);
        MrvItem::of(&rows.branching, active).expect("an item is not covered")
    }
}
