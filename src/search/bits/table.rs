//! What does not change during a search: which options exclude each other, and which have an item.

use crate::ids::Color;
use crate::problem::Problem;
use crate::search::bits::Instructions;
use crate::search::bits::count::MrvItem;
use crate::search::rows::OptionRows;

/// The most options that are searched by bits. For 8000 of them it takes 9 to 29 milliseconds to make
/// rows, where lists take one.
pub const MOST_OPTIONS: usize = 6000;

/// Options whose rows are counted to learn how dense a problem is.
const SAMPLE: usize = 64;

/// The most primary items that are searched by bits: without vectors counts of many items take longer
/// than lists.
pub fn most_items(by: Instructions) -> usize {
    match by {
        Instructions::Portable => 128,
        _ => 512,
    }
}

/// Whether all of `problem` may be searched by bits.
pub fn fits(by: Instructions, problem: &Problem) -> bool {
    problem.primary() <= most_items(by) && problem.options() <= MOST_OPTIONS
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
pub struct BitTable {
    /// Number of options.
    pub options: usize,
    /// Number of primary items.
    pub primary: usize,
    /// Words in a row.
    pub width: usize,
    /// By option: its number of primary items.
    pub sizes: Vec<u32>,
    /// The item that the root branches on.
    pub least: MrvItem,
    /// By option the row of those that it excludes, itself among them.
    excluded: Vec<u64>,
    /// By word, by primary item: the options that have it. In this order, because a search looks
    /// for the options of one item in few words, and at most words for all items.
    masks: Vec<u64>,
}

impl BitTable {
    /// The table of `rows`, which must be few enough.
    pub fn new(rows: &OptionRows) -> Self {
        let (options, primary) = (rows.options(), rows.primary);
        let width = options.div_ceil(64).max(1);
        let mut masks = vec![0; width * primary];
        let mut sizes = vec![0; options];
        let mut uses: Vec<Vec<(Color, usize)>> = vec![Vec::new(); rows.items];
        for option in 0..options {
            for entry in rows.entries(option) {
                uses[entry.item.index()].push((entry.color, option));
            }
            for item in rows.primary_items(option) {
                masks[option / 64 * primary + item] |= 1 << (option % 64);
                sizes[option] += 1;
            }
        }
        let lengths = uses.iter().take(primary).map(|uses| uses.len() as u32);
        let least = MrvItem::of(&rows.branching, lengths.enumerate()).unwrap_or_default();
        let mut excluded = vec![0; options * width];
        for mut uses in uses {
            uses.sort();
            exclude(&uses, &mut excluded, width);
        }
        BitTable { options, primary, width, sizes, least, excluded, masks }
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
