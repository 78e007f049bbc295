//! What of a problem decides how wide a frontier is: which items stand in which options.

use std::collections::VecDeque;

use crate::problem::Problem;

/// Parts of a bit in which widths are measured.
pub const UNIT: u32 = 16;

/// Items and options, from either side.
#[derive(Debug)]
pub struct Shape {
    /// Number of primary items.
    pub primary: usize,
    starts: Vec<u32>,
    /// Items, option by option.
    entries: Vec<u32>,
    item_starts: Vec<u32>,
    /// Options, item by item.
    options: Vec<u32>,
    /// By item: the width of what must be known of it, in parts of a bit.
    pub width: Vec<u32>,
}

impl Shape {
    /// Reads `problem`.
    pub fn new(problem: &Problem) -> Self {
        let (mut starts, mut entries) = (vec![0], Vec::with_capacity(problem.entries()));
        let mut item_starts = vec![0u32; problem.items() + 1];
        for option in problem.option_ids() {
            entries.extend(problem.option(option).iter().map(|entry| entry.item.raw()));
            starts.push(entries.len() as u32);
        }
        entries.iter().for_each(|&item| item_starts[item as usize + 1] += 1);
        for item in 0..problem.items() {
            item_starts[item + 1] += item_starts[item];
        }
        let mut next = item_starts.clone();
        let mut options = vec![0; entries.len()];
        for option in 0..problem.options() {
            for &item in &entries[starts[option] as usize..starts[option + 1] as usize] {
                options[next[item as usize] as usize] = option as u32;
                next[item as usize] += 1;
            }
        }
        let values = values(problem);
        let width = values.iter().map(|values| width(values.len() as u32)).collect();
        Shape { primary: problem.primary(), starts, entries, item_starts, options, width }
    }

    /// Number of items.
    pub fn items(&self) -> usize {
        self.width.len()
    }

    /// Number of options.
    pub fn all_options(&self) -> usize {
        self.starts.len() - 1
    }

    /// The options that have `item`.
    #[inline]
    pub fn options(&self, item: u32) -> &[u32] {
        let at = item as usize;
        &self.options[self.item_starts[at] as usize..self.item_starts[at + 1] as usize]
    }

    /// The items of `option`.
    #[inline]
    pub fn option(&self, option: u32) -> &[u32] {
        let at = option as usize;
        &self.entries[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// By item: how many options one must walk through from `item`, each sharing an item with the next;
    /// `u32::MAX` where no way leads.
    pub fn distances(&self, item: u32) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.items()];
        let mut used = vec![false; self.all_options()];
        let mut queue = VecDeque::from([item]);
        distances[item as usize] = 0;
        while let Some(here) = queue.pop_front() {
            for &option in self.options(here) {
                if std::mem::replace(&mut used[option as usize], true) {
                    continue;
                }
                for &there in self.option(option) {
                    if distances[there as usize] == u32::MAX {
                        distances[there as usize] = distances[here as usize] + 1;
                        queue.push_back(there);
                    }
                }
            }
        }
        distances
    }
}

/// By item: in which ways options use it (its colors, 0 for none), ascending.
pub fn values(problem: &Problem) -> Vec<Vec<u32>> {
    let entries = problem.option_ids().flat_map(|option| problem.option(option));
    let mut uses: Vec<(u32, u32)> =
        entries.map(|entry| (entry.item.raw(), entry.color.raw())).collect();
    uses.sort_unstable();
    uses.dedup();
    let mut values = vec![Vec::new(); problem.items()];
    uses.into_iter().for_each(|(item, color)| values[item as usize].push(color));
    values
}

/// The width of an item with so many colors: the logarithm, linear between powers of 2. One color, or
/// none, takes a bit: whether the item is used.
fn width(values: u32) -> u32 {
    let values = values.max(2);
    let whole = values.ilog2();
    UNIT * whole + ((values * UNIT) >> whole) - UNIT
}
