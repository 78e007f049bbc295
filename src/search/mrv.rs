//! How many options each primary item has left, packed so that the least is found quickly.
//!
//! The lengths stand apart from the nodes, one after the other, so that a vector instruction looks
//! at many of them. A covered item keeps its place and gets a bias that makes it larger than any
//! item that is not covered; so the order of items never changes, and the first minimum is the item
//! that `dlx2` takes.
//!
//! Sixteen bits hold lengths below 2^14 and the bias. An item with more options needs 32: with a
//! length of 16384 the bias would be an ordinary length.

use crate::branch::Branching;
use crate::problem::Problem;
use crate::search::width::{Link, Table, LinkWidth};

/// A width of lengths.
pub trait Length: Copy + Ord + std::fmt::Debug {
    /// What a covered item's length is raised by.
    const BIAS: Self;
    /// Larger than all lengths, biased ones too; fills the array up.
    const PAD: Self;
    /// The length `n`, which must fit.
    fn new(n: u32) -> Self;
    /// The number.
    fn get(self) -> u32;
    /// One more.
    fn up(self) -> Self;
    /// One less.
    fn down(self) -> Self;
    /// With the bias.
    fn raise(self) -> Self;
    /// Without it again.
    fn lower(self) -> Self;
}

macro_rules! length {
    ($(#[$doc:meta])* $name:ident = $int:ty, $bias:expr) => {
        $(#[$doc])*
        pub type $name = $int;

        impl Length for $int {
            const BIAS: $int = $bias;
            const PAD: $int = <$int>::MAX;
            #[inline(always)]
            fn new(n: u32) -> Self {
                n as $int
            }
            #[inline(always)]
            fn get(self) -> u32 {
                self as u32
            }
            #[inline(always)]
            fn up(self) -> Self {
                self.wrapping_add(1)
            }
            #[inline(always)]
            fn down(self) -> Self {
                self.wrapping_sub(1)
            }
            #[inline(always)]
            fn raise(self) -> Self {
                self.wrapping_add($bias)
            }
            #[inline(always)]
            fn lower(self) -> Self {
                self.wrapping_sub($bias)
            }
        }
    };
}

length! {
    /// Lengths up to 2^14 - 1. Signed, since the least of signed 16-bit numbers is what every
    /// x86-64 processor has an instruction for.
    Short = i16, 1 << 14
}
length! {
    /// Lengths up to 2^31 - 1: as many as 2^32 nodes allow, since an option has at least two.
    Long = u32, 1 << 31
}

/// [`Short`] holds lengths below this.
pub const SHORT_LIMIT: u32 = 1 << 14;

/// The largest number of options that a primary item has.
pub fn longest(problem: &Problem) -> u32 {
    let mut lengths = vec![0u32; problem.primary()];
    for entry in problem.all_entries() {
        if let Some(length) = lengths.get_mut(entry.item.index()) {
            *length += 1;
        }
    }
    lengths.into_iter().max().unwrap_or(0)
}

/// Lengths are looked at in groups of this many.
pub const GROUP: usize = 16;

/// The first place with the least length, and that length. `lengths` has a multiple of [`GROUP`]
/// entries, at least one group.
#[inline]
pub fn first_minimum<L: Length>(lengths: &[L]) -> (usize, L) {
    let (groups, _) = lengths.as_chunks::<GROUP>();
    let mut least = [L::PAD; GROUP];
    for group in groups {
        for (least, &length) in least.iter_mut().zip(group) {
            *least = (*least).min(length);
        }
    }
    let minimum = least.iter().copied().fold(L::PAD, Ord::min);
    let holds = |group: &[L; GROUP]| group.iter().fold(false, |any, &l| any | (l == minimum));
    let number = groups.iter().position(holds).unwrap_or(0);
    let place = groups[number].iter().position(|&l| l == minimum).unwrap_or(0);
    (number * GROUP + place, minimum)
}

/// Lengths of a block, a multiple of [`GROUP`].
const BLOCK: usize = 256;

/// The lengths of all items, and which is the least of the first few, the primary ones.
///
/// In a wide problem a search may change a handful of lengths among a hundred thousand at each node.
/// Then each block of them keeps its least, and looks again only after a change.
#[derive(Debug)]
pub struct Lengths<W: LinkWidth> {
    table: Table<W, W::Length>,
    searched: usize,
    /// By block: its least, if it is not stale.
    least: Vec<W::Length>,
    stale: Vec<bool>,
    branching: Branching,
}

impl<W: LinkWidth> Lengths<W> {
    /// These lengths, of which the first `searched` matter; they are a multiple of [`GROUP`].
    pub fn new(lengths: Vec<W::Length>, searched: usize, branching: Branching) -> Self {
        let blocks = if W::BLOCKS { searched.div_ceil(BLOCK) } else { 0 };
        Lengths {
            table: W::Link::table(lengths, W::Length::PAD),
            searched,
            least: vec![W::Length::PAD; blocks],
            stale: vec![true; blocks],
            branching,
        }
    }

    /// Those of the first `primary` items.
    pub fn of_primary(&self, primary: usize) -> &[W::Length] {
        &self.table.as_ref()[..primary]
    }

    /// The branching rule.
    pub fn branching(&self) -> &Branching {
        &self.branching
    }

    /// Changes the length of `item`.
    #[inline(always)]
    pub fn change(&mut self, item: W::Link, to: impl Fn(W::Length) -> W::Length) {
        self.table[item] = to(self.table[item]);
        if W::BLOCKS {
            // Secondary items stand behind all blocks.
            if let Some(stale) = self.stale.get_mut(item.get() as usize / BLOCK) {
                *stale = true;
            }
        }
    }

    /// The item to branch on, and its length. One must be active.
    #[inline(always)]
    pub fn choose(&mut self) -> (usize, W::Length) {
        match self.branching.is_mrv() {
            true => self.first_minimum(),
            false => self.least_key(),
        }
    }

    /// The first item with the least key, and its length.
    #[inline(never)]
    fn least_key(&self) -> (usize, W::Length) {
        let lengths = self.table.as_ref()[..self.searched].iter().enumerate();
        // What is covered, and the padding, is longer than any other.
        let active = lengths.filter(|&(_, &length)| length < W::Length::BIAS);
        let chosen = self.branching.choose(active.map(|(item, length)| (item, length.get())));
        let (item, length) = chosen.expect("an item is active");
        (item, W::Length::new(length))
    }

    /// The first item with the least length, and that length.
    #[inline(always)]
    fn first_minimum(&mut self) -> (usize, W::Length) {
        let lengths = &self.table.as_ref()[..self.searched];
        if !W::BLOCKS {
            return first_minimum(lengths);
        }
        for (block, stale) in self.stale.iter_mut().enumerate() {
            if std::mem::take(stale) {
                let end = lengths.len().min((block + 1) * BLOCK);
                self.least[block] = first_minimum(&lengths[block * BLOCK..end]).1;
            }
        }
        let least = self.least.iter().copied().min().unwrap_or(W::Length::PAD);
        let block = self.least.iter().position(|&other| other == least).unwrap_or(0);
        let end = lengths.len().min((block + 1) * BLOCK);
        let (place, least) = first_minimum(&lengths[block * BLOCK..end]);
        (block * BLOCK + place, least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::width::Wide;

    #[test]
    fn finds_the_first_of_several_minima() {
        let mut random = fastrand::Rng::with_seed(1);
        for groups in 1..6 {
            for _ in 0..200 {
                let lengths: Vec<Short> = (0..groups * GROUP).map(|_| random.i16(0..40)).collect();
                let least = *lengths.iter().min().unwrap();
                let first = lengths.iter().position(|&l| l == least).unwrap();
                assert_eq!(first_minimum(&lengths), (first, least));
                let long: Vec<Long> = lengths.iter().map(|&l| l as u32).collect();
                assert_eq!(first_minimum(&long), (first, least as u32));
            }
        }
    }

    #[test]
    fn blocks_find_the_same_minimum_after_every_change() {
        let mut random = fastrand::Rng::with_seed(2);
        let items = 5 * BLOCK + 3 * GROUP;
        let mut plain: Vec<Short> = (0..items).map(|_| random.i16(1..30)).collect();
        let mut lengths = Lengths::<Wide>::new(plain.clone(), items, Branching::default());
        for _ in 0..2000 {
            let item = random.usize(0..items);
            let to = random.i16(1..30);
            plain[item] = to;
            lengths.change(item as u32, |_| to);
            assert_eq!(lengths.first_minimum(), first_minimum(&plain));
        }
    }

    #[test]
    fn a_covered_item_is_longer_than_any_other() {
        assert!(<Short as Length>::new(0).raise() > <Short as Length>::new((1 << 14) - 1));
        assert!(<Long as Length>::new(0).raise() > <Long as Length>::new((1 << 31) - 1));
        assert_eq!(<Short as Length>::new((1 << 14) - 1).raise().lower(), (1 << 14) - 1);
        assert_eq!(<Short as Length>::new((1 << 14) - 1).raise(), Short::PAD);
    }
}
