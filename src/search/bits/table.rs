//! What does not change during a search: which options exclude each other, and which have an item.

use std::fmt;

use crate::ids::Color;
use crate::problem::Problem;
use crate::search::bits::count::Least;

/// The most primary items that a problem may have.
pub const MOST_ITEMS: usize = 512;

/// The most bytes that the rows of excluded options may take: those of 23168 options. So sixteen bits
/// count the options of an item.
pub const MOST_BYTES: usize = 64 << 20;

/// Options whose rows are counted to learn how dense a problem is.
const SAMPLE: usize = 64;

/// Why a problem is too large for the engine of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// So many primary items.
    Items(usize),
    /// So many options.
    Options(usize),
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::Items(n) => write!(f, "{n} primary items, more than {MOST_ITEMS}"),
            TooLarge::Options(n) => {
                write!(f, "{n} options, whose table takes more than {} MB", MOST_BYTES >> 20)
            }
        }
    }
}

/// Whether the engine of bits takes `problem`.
pub fn fits(problem: &Problem) -> Result<(), TooLarge> {
    let (options, primary) = (problem.options(), problem.primary());
    if primary > MOST_ITEMS {
        return Err(TooLarge::Items(primary));
    }
    if options.div_ceil(64) * 8 > MOST_BYTES / options.max(1) {
        return Err(TooLarge::Options(options));
    }
    Ok(())
}

/// About how many bytes the engine needs for `problem`, if it fits.
pub fn memory(problem: &Problem) -> usize {
    let (options, primary) = (problem.options(), problem.primary());
    let rows = (options + 3 * primary) * options.div_ceil(64) * 8;
    let counts = (options + 2 * primary) * primary * 2;
    rows + counts + problem.entries() * size_of::<(Color, usize)>()
}

/// Rows of bits, one bit an option.
#[derive(Debug)]
pub struct Table {
    /// Number of options.
    pub options: usize,
    /// Number of primary items.
    pub primary: usize,
    /// Words in a row.
    pub width: usize,
    /// By option: its number of primary items.
    pub sizes: Vec<u32>,
    /// The first item with the fewest options.
    pub least: Least,
    /// By option the row of those that it excludes, itself among them.
    excluded: Vec<u64>,
    /// By word, by primary item: the options that have it. In this order, because a search looks
    /// for the options of one item in few words, and at most words for all items.
    masks: Vec<u64>,
}

impl Table {
    /// The table of `problem`, which must fit.
    pub fn new(problem: &Problem) -> Self {
        let (options, primary) = (problem.options(), problem.primary());
        let width = options.div_ceil(64).max(1);
        let mut masks = vec![0; width * primary];
        let mut sizes = vec![0; options];
        let mut uses: Vec<Vec<(Color, usize)>> = vec![Vec::new(); problem.items()];
        for id in problem.option_ids() {
            let option = id.index();
            for entry in problem.option(id) {
                uses[entry.item.index()].push((entry.color, option));
                if problem.is_primary(entry.item) {
                    masks[option / 64 * primary + entry.item.index()] |= 1 << (option % 64);
                    sizes[option] += 1;
                }
            }
        }
        let counts = uses.iter().take(primary).map(Vec::len).zip(0..);
        let (degree, item) = counts.min().unwrap_or_default();
        let least = Least { item, degree: degree as u32 };
        let mut excluded = vec![0; options * width];
        for mut uses in uses {
            uses.sort();
            exclude(&uses, &mut excluded, width);
        }
        Table { options, primary, width, sizes, least, excluded, masks }
    }

    /// The row of the options that `option` excludes.
    #[inline(always)]
    pub fn excluded(&self, option: usize) -> &[u64] {
        &self.excluded[option * self.width..][..self.width]
    }

    /// How many options an option excludes in the mean, itself among them; of a sample, since rows are
    /// long.
    pub fn exclusions(&self) -> usize {
        let sample = (0..self.options).step_by(self.options.div_ceil(SAMPLE).max(1));
        let size = sample.len().max(1);
        let count =
            |option| self.excluded(option).iter().map(|word| word.count_ones()).sum::<u32>();
        sample.map(|option| count(option) as usize).sum::<usize>() / size
    }

    /// Those of the 64 options of word `index` that have `item`.
    #[inline(always)]
    pub fn mask(&self, index: u32, item: u32) -> u64 {
        self.masks[index as usize * self.primary + item as usize]
    }
}

/// Adds to the rows what options exclude because of one item, whose uses are sorted by color.
fn exclude(uses: &[(Color, usize)], rows: &mut [u64], width: usize) {
    let mut others = vec![0; width];
    for group in uses.chunk_by(|one, other| one.0 == other.0) {
        let color = group[0].0;
        let excluded = || uses.iter().filter(move |other| color.is_none() || other.0 != color);
        let place = |option: usize| (option / 64, 1 << (option % 64));
        if uses.len() < width {
            // Few bits: less than words.
            for &(_, option) in group {
                for (word, bit) in excluded().map(|&(_, other)| place(other)) {
                    rows[option * width + word] |= bit;
                }
            }
            continue;
        }
        others.fill(0);
        for (word, bit) in excluded().map(|&(_, other)| place(other)) {
            others[word] |= bit;
        }
        for &(_, option) in group {
            let row = &mut rows[option * width..][..width];
            row.iter_mut().zip(&others).for_each(|(row, others)| *row |= others);
        }
    }
}
