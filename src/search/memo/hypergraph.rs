//! What of a problem decides how wide a frontier is: which items stand in which options.

use std::collections::VecDeque;

use crate::ids::{ItemId, OptionId};
use crate::problem::{Problem, OptionsByItem};

/// Parts of a bit in which widths are measured.
pub const UNIT: u32 = 16;

/// Items and options, from either side.
#[derive(Debug)]
pub struct Hypergraph<'p> {
    /// Number of primary items.
    pub primary: usize,
    starts: Vec<u32>,
    /// Items, option by option: a list of them is quicker to go over than entries, and that is done again and again.
    entries: Vec<u32>,
    uses: &'p OptionsByItem,
    /// By item: the width of what must be known of it, in parts of a bit.
    pub width: Vec<u32>,
}

impl<'p> Hypergraph<'p> {
    /// Reads `problem`.
    pub fn new(problem: &'p Problem) -> Self {
        let (mut starts, mut entries) = (vec![0], Vec::with_capacity(problem.entries()));
        for option in problem.option_ids() {
            entries.extend(problem.option(option).iter().map(|entry| entry.item.raw()));
            starts.push(entries.len() as u32);
        }
        let width = values(problem).iter().map(|values| width(values.len() as u32)).collect();
        Hypergraph { primary: problem.primary(), starts, entries, uses: problem.uses(), width }
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
    pub fn options(&self, item: u32) -> &'p [OptionId] {
        self.uses.options(ItemId::new(item))
    }

    /// The items of `option`.
    #[inline]
    pub fn option(&self, option: OptionId) -> &[u32] {
        let at = option.index();
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
                if std::mem::replace(&mut used[option.index()], true) {
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
    let uses = problem.uses();
    let mut values = Vec::new();
    let mut values_of = |item: ItemId| {
        values.clear();
        match problem.is_primary(item) {
            true => values.extend(uses.options(item).first().map(|_| 0)),
            false => values.extend(uses.colors(item).iter().map(|color| color.raw())),
        }
        values.sort_unstable();
        values.dedup();
        values.clone()
    };
    (0..problem.items() as u32).map(ItemId::new).map(&mut values_of).collect()
}

/// The width of an item with so many colors: the logarithm, linear between powers of 2. One color, or
/// none, takes a bit: whether the item is used.
fn width(values: u32) -> u32 {
    let values = values.max(2);
    let whole = values.ilog2();
    UNIT * whole + ((values * UNIT) >> whole) - UNIT
}
