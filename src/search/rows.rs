//! The options of a problem, or of what is left of one: as much as tables and counts want to know.

use crate::branch::Branching;
use crate::entries::Entry;
use crate::problem::Problem;

/// Options as rows of entries. Primary items have the first numbers.
#[derive(Clone, Debug, Default)]
pub struct OptionRows {
    /// How many items are primary.
    pub primary: usize,
    /// How many items there are.
    pub items: usize,
    /// Which item is branched on.
    pub branching: Branching,
    entries: Vec<Entry>,
    /// By option: where its entries end.
    ends: Vec<usize>,
}

impl OptionRows {
    /// All options of `problem`.
    pub fn of(problem: &Problem) -> Self {
        let mut rows = OptionRows::new(problem.primary(), problem.items());
        rows.branching = problem.branching().clone();
        rows.entries.reserve_exact(problem.entries());
        for option in problem.option_ids() {
            rows.push(problem.option(option));
        }
        rows
    }

    /// No options yet.
    pub fn new(primary: usize, items: usize) -> Self {
        OptionRows { primary, items, ..OptionRows::default() }
    }

    /// Adds an option.
    pub fn push(&mut self, entries: impl IntoIterator<Item = Entry>) {
        self.entries.extend(entries);
        self.ends.push(self.entries.len());
    }

    /// How many options there are.
    pub fn options(&self) -> usize {
        self.ends.len()
    }

    /// The entries of an option.
    pub fn entries(&self, option: usize) -> &[Entry] {
        let start = option.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start..self.ends[option]]
    }

    /// The primary items of an option.
    pub fn primary_items(&self, option: usize) -> impl Iterator<Item = usize> {
        let items = self.entries(option).iter().map(|entry| entry.item.index());
        items.filter(|&item| item < self.primary)
    }

    /// The largest number of options that a primary item has.
    pub fn longest(&self) -> u32 {
        let mut lengths = vec![0; self.primary];
        for entry in &self.entries {
            if let Some(length) = lengths.get_mut(entry.item.index()) {
                *length += 1;
            }
        }
        lengths.into_iter().max().unwrap_or(0)
    }
}
