//! The options of each item: the transpose of a problem, made on the first call that needs it.

use crate::ids::{Color, ItemId, OptionId};
use crate::problem::Problem;

/// By item: the options that use it, in order, and the colors that they give it.
#[derive(Clone, Debug)]
pub struct OptionsByItem {
    /// By item: where its options begin.
    starts: Vec<u32>,
    options: Vec<OptionId>,
    /// The colors that go with the last of `options`: primary items, which come first, have none.
    colors: Vec<Color>,
}

impl OptionsByItem {
    /// Those of `problem`. [`Problem::uses`] keeps them, which pays if others ask, too.
    pub(super) fn new(problem: &Problem) -> Self {
        // Counts are shifted by two places: their sums are where items begin, one place behind the item; and what is
        // there moves to the end of the item while its options are filled in, which is where the next one begins.
        let mut starts = vec![0u32; problem.items() + 2];
        problem.all_entries().iter().for_each(|entry| starts[entry.item.index() + 2] += 1);
        for item in 0..problem.items() {
            starts[item + 2] += starts[item + 1];
        }
        let uncolored = starts[problem.primary() + 1] as usize;
        let mut options = vec![OptionId::new(0); problem.entries()];
        let mut colors = vec![Color::NONE; problem.entries() - uncolored];
        for option in problem.option_ids() {
            for entry in problem.option(option) {
                let place = &mut starts[entry.item.index() + 1];
                options[*place as usize] = option;
                if let Some(place) = (*place as usize).checked_sub(uncolored) {
                    colors[place] = entry.color;
                }
                *place += 1;
            }
        }
        starts.pop();
        OptionsByItem { starts, options, colors }
    }

    fn places(&self, item: ItemId) -> std::ops::Range<usize> {
        self.starts[item.index()] as usize..self.starts[item.index() + 1] as usize
    }

    /// The options that use `item`.
    #[inline]
    pub fn options(&self, item: ItemId) -> &[OptionId] {
        &self.options[self.places(item)]
    }

    /// The colors that they give `item`, a secondary one.
    #[inline]
    pub fn colors(&self, item: ItemId) -> &[Color] {
        let uncolored = self.options.len() - self.colors.len();
        let places = self.places(item);
        &self.colors[places.start - uncolored..places.end - uncolored]
    }

    /// The options that use `item`, a secondary one, with the colors that they give it.
    #[inline]
    pub fn colored(
        &self,
        item: ItemId,
    ) -> impl ExactSizeIterator<Item = (OptionId, Color)> + Clone {
        self.options(item).iter().copied().zip(self.colors(item).iter().copied())
    }
}

/// Finds the secondary items that all options of a primary one use: each of them is in every cover.
#[derive(Debug)]
pub struct CommonItems<'p> {
    problem: &'p Problem,
    /// By secondary item: how many options have it, all of the primary item so far.
    count: Vec<u32>,
    items: Vec<ItemId>,
    work: usize,
}

impl<'p> CommonItems<'p> {
    /// Of no item yet.
    pub fn new(problem: &'p Problem) -> Self {
        CommonItems { problem, count: vec![0; problem.secondary()], items: Vec::new(), work: 0 }
    }

    /// Those of `item`, in the order of its first option. Looks at its options until they have none in common.
    pub fn of(&mut self, item: ItemId) -> &[ItemId] {
        let CommonItems { problem, count, items, work } = self;
        let primary = problem.primary();
        let secondary = |option| {
            let entries = problem.option(option).iter();
            entries.map(|entry| entry.item).filter(move |item| item.index() >= primary)
        };
        let options = problem.uses().options(item);
        items.clear();
        items.extend(options.iter().take(1).copied().flat_map(secondary));
        let first = items.len();
        // Only items of the first option are ever counted, so that only they need to be reset.
        items.iter().for_each(|item| count[item.index() - primary] = 1);
        *work += first;
        for (before, &option) in (1..).zip(&options[options.len().min(1)..]) {
            let mut any = false;
            for item in secondary(option) {
                let count = &mut count[item.index() - primary];
                if *count == before {
                    *count += 1;
                    any = true;
                }
            }
            *work += problem.option(option).len();
            if !any {
                break;
            }
        }
        items.retain(|item| {
            std::mem::take(&mut count[item.index() - primary]) as usize == options.len()
        });
        items
    }

    /// How many entries were looked at.
    pub fn work(&self) -> usize {
        self.work
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Bound, Entry, ProblemBuilder};

    /// Against a look at all options for each item.
    #[test]
    fn uses_are_those_of_the_options() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..300 {
            let mut builder = ProblemBuilder::default();
            let (primary, secondary) = (random.usize(1..5), random.usize(0..5));
            let mut items = Vec::new();
            for i in 0..primary + secondary {
                let name = [b'a' + i as u8];
                items.push(match i < primary {
                    true => builder.primary_item(&name, Bound::ONCE).unwrap(),
                    false => builder.secondary_item(&name).unwrap(),
                });
            }
            let colors = [Color::NONE, builder.color(b"0"), builder.color(b"1")];
            for _ in 0..random.usize(0..8) {
                let wanted = random.f64();
                for (i, &item) in items.iter().enumerate() {
                    let color = if i < primary { 0 } else { random.usize(0..3) };
                    if random.f64() < wanted {
                        builder.entry(item, colors[color]).unwrap();
                    }
                }
                builder.end_option().unwrap();
            }
            let problem = builder.finish();
            let mut common = CommonItems::new(&problem);
            let has = |option: OptionId, item: ItemId| {
                problem.option(option).iter().find(|entry: &Entry| entry.item == item)
            };
            for &item in &items {
                let uses = problem.uses();
                let all = || problem.option_ids().filter_map(|o| Some((o, has(o, item)?.color)));
                assert!(uses.options(item).iter().copied().eq(all().map(|(option, _)| option)));
                if !problem.is_primary(item) {
                    assert!(uses.colored(item).eq(all()));
                    continue;
                }
                let in_all = |s: &ItemId| all().all(|(option, _)| has(option, *s).is_some());
                let mut expected: Vec<ItemId> = Vec::new();
                if all().next().is_some() {
                    expected = items[primary..].iter().copied().filter(in_all).collect();
                }
                assert_eq!(common.of(item), expected);
            }
        }
    }
}
