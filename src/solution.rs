//! A solution as the choices that Algorithm C made, one per level.

use crate::ids::{ItemId, OptionId};

/// One choice: an item was to be covered, and this option covers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The option that was taken. `None` is the null choice of Algorithm M: the item, whose lower
    /// bound is met, takes no other option.
    pub option: Option<OptionId>,
    /// The item on which the search branched; the option has it.
    pub item: ItemId,
    /// Rank of the option among those that the item had left, from 1: Knuth's `k`.
    pub rank: u32,
    /// How many options the item had left: Knuth's `n` in `(k of n)`.
    pub degree: u32,
}

/// The choices of a search at some moment, the first level first.
pub trait Choices {
    /// Number of levels.
    fn levels(&self) -> usize;

    /// The choice on `level`, which is less than [`Choices::levels`].
    fn choice(&self, level: usize) -> Choice;

    /// The options that were chosen, in order; null choices have none.
    fn options(&self) -> Vec<OptionId> {
        let mut options = Vec::new();
        self.each_option(&mut |option| options.push(option));
        options
    }

    /// Calls `visit` with each of them.
    fn each_option(&self, visit: &mut dyn FnMut(OptionId)) {
        (0..self.levels()).filter_map(|level| self.choice(level).option).for_each(visit);
    }

    /// Makes `known`, choices of the same problem in the same order of branching, those of now; tells how
    /// many stood there already, the first ones.
    fn update(&self, known: &mut Vec<Choice>) -> usize {
        let most = self.levels().min(known.len());
        let same = (0..most).find(|&level| self.choice(level) != known[level]).unwrap_or(most);
        known.truncate(same);
        known.extend((same..self.levels()).map(|level| self.choice(level)));
        same
    }

    /// All choices in order.
    fn to_vec(&self) -> Vec<Choice> {
        (0..self.levels()).map(|level| self.choice(level)).collect()
    }

    /// The same options in any order: some searches have them before the choices.
    fn cover(&self) -> Vec<OptionId> {
        self.options()
    }
}

impl Choices for Vec<Choice> {
    fn levels(&self) -> usize {
        self.len()
    }

    fn choice(&self, level: usize) -> Choice {
        self[level]
    }
}
