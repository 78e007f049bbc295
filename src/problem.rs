//! An instance of exact cover with colors: items, and options that use them.
//!
//! A [`Problem`] is what a `.dlx` file says, without its text: it never changes once it is built.
//! Options without a primary item are not kept (they can be in no solution that is minimal, and
//! Knuth's programs drop them), and do not use up a number.
//!
//! The entries of all options stand end to end in one array, as a rule of four bytes each ([`entries`]).
//!
//! [`entries`]: crate::entries

mod builder;
mod uses;

use std::sync::OnceLock;

pub use builder::{ProblemBuilder, Refusal};
pub use uses::{CommonItems, OptionsByItem};

use crate::branch::{Branching, Rule};
use crate::entries::Entries;
pub use crate::entries::{Entry, Row};
use crate::ids::{Color, ItemId, OptionId};
use crate::intern::{Interner, ShortName};

/// The largest number of nodes (items, entries, spacers) that the engines' 32-bit links can reach.
pub const MAX_NODES: u64 = u32::MAX as u64;

/// How often a primary item must be covered: between `low` and `high` times (DLX3's multiplicity).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The least number of options.
    pub low: u32,
    /// The largest number of options, at least 1.
    pub high: u32,
}

impl Bound {
    /// Exactly once: the bound of an item that states none.
    pub const ONCE: Bound = Bound { low: 1, high: 1 };
}

/// An instance of exact cover with colors.
#[derive(Clone, Debug)]
pub struct Problem {
    names: Interner,
    primary: usize,
    colors: Interner,
    entries: Entries,
    /// `starts[o] .. starts[o + 1]` are the entries of option `o`.
    starts: Vec<u32>,
    /// By primary item; empty if every bound is [`Bound::ONCE`].
    bounds: Vec<Bound>,
    /// By option; empty if no option states a cost.
    costs: Vec<u64>,
    /// By option its net cost; empty if no option states a cost.
    net_costs: Vec<u64>,
    branching: Branching,
    /// Made on the first call that needs it.
    uses: OnceLock<OptionsByItem>,
}

impl Problem {
    /// Number of items, primary and secondary.
    pub fn items(&self) -> usize {
        self.names.len()
    }

    /// Number of primary items; they come first.
    pub fn primary(&self) -> usize {
        self.primary
    }

    /// Number of secondary items.
    #[doc(hidden)]
    pub fn secondary(&self) -> usize {
        self.items() - self.primary
    }

    /// Number of options.
    pub fn options(&self) -> usize {
        self.starts.len() - 1
    }

    /// All options.
    pub fn option_ids(&self) -> impl Iterator<Item = OptionId> + use<> {
        (0..self.options() as u32).map(OptionId::new)
    }

    /// Number of entries in all options together.
    #[doc(hidden)]
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// Whether `item` must be covered.
    pub fn is_primary(&self, item: ItemId) -> bool {
        item.index() < self.primary
    }

    /// The entries of `option`, in the order of the file.
    #[inline]
    pub fn option(&self, option: OptionId) -> Row<'_> {
        let start = self.starts[option.index()] as usize;
        self.entries.row(start..self.starts[option.index() + 1] as usize)
    }

    /// The entries of all options, one option after the other.
    #[doc(hidden)]
    pub fn all_entries(&self) -> Row<'_> {
        self.entries.row(0..self.entries.len())
    }

    /// The options by item. The first call takes time for all entries; the problem keeps what it makes.
    #[doc(hidden)]
    pub fn uses(&self) -> &OptionsByItem {
        self.uses.get_or_init(|| OptionsByItem::new(self))
    }

    /// The name of `item`.
    pub fn name(&self, item: ItemId) -> &[u8] {
        self.names.name(item.index())
    }

    /// All items with their names, in order.
    pub fn names(&self) -> impl Iterator<Item = (ItemId, &[u8])> {
        self.names.iter().enumerate().map(|(i, name)| (ItemId::new(i as u32), name))
    }

    /// The item called `name`.
    pub fn find(&self, name: &[u8]) -> Option<ItemId> {
        self.names.find(name).map(ItemId::new)
    }

    /// The item whose name, of at most eight bytes, is `word`.
    #[inline(always)]
    #[doc(hidden)]
    pub fn find_short(&self, word: ShortName) -> Option<ItemId> {
        self.names.find_short(word).map(ItemId::new)
    }

    /// Number of different colors in the options.
    pub fn colors(&self) -> usize {
        self.colors.len()
    }

    /// The text of `color`. Must not be [`Color::NONE`], which has none.
    pub fn color_name(&self, color: Color) -> &[u8] {
        self.colors.name(color.index() - 1)
    }

    /// The color written `text`, if some option uses it.
    pub fn find_color(&self, text: &[u8]) -> Option<Color> {
        self.colors.find(text).map(|number| Color::new(number + 1))
    }

    /// How often `item`, a primary one, must be covered.
    pub fn bound(&self, item: ItemId) -> Bound {
        self.bounds.get(item.index()).copied().unwrap_or(Bound::ONCE)
    }

    /// Whether some item may be covered other than exactly once.
    pub fn has_bounds(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// The cost of `option`; 0 where none is stated.
    pub fn cost(&self, option: OptionId) -> u64 {
        self.costs.get(option.index()).copied().unwrap_or(0)
    }

    /// Whether some option states a cost.
    pub fn has_costs(&self) -> bool {
        !self.costs.is_empty()
    }

    /// What is left of the cost of `option` when each primary item has been taxed by what its cheapest
    /// option still costs, from the first item to the last, and its options have become cheaper by
    /// that. A cover costs the same beyond the sum of all taxes. As in `dlx5`.
    #[doc(hidden)]
    pub fn net_cost(&self, option: OptionId) -> u64 {
        self.net_costs.get(option.index()).copied().unwrap_or(0)
    }

    /// What these options cost together; the sum of 64-bit costs of 2^32 options cannot overflow.
    pub fn total_cost(&self, options: &[OptionId]) -> u128 {
        options.iter().map(|&option| u128::from(self.cost(option))).sum()
    }

    /// No cover costs more. Of the options that have an item as their first primary one, a cover has at
    /// most as many as the item's upper bound says.
    #[doc(hidden)]
    pub fn most_cost(&self) -> u128 {
        if !self.has_costs() {
            return 0;
        }
        let mut dearest = vec![0u64; self.primary];
        for option in self.option_ids() {
            let mut items = self.option(option).iter().filter(|entry| self.is_primary(entry.item));
            if let Some(first) = items.next() {
                let place = &mut dearest[first.item.index()];
                *place = self.cost(option).max(*place);
            }
        }
        let most = |(item, &cost): (usize, &u64)| {
            u128::from(self.bound(ItemId::new(item as u32)).high) * u128::from(cost)
        };
        let by_items = dearest.iter().enumerate().map(most).sum();
        self.costs.iter().map(|&cost| u128::from(cost)).sum::<u128>().min(by_items)
    }

    fn assess_net_costs(&mut self) {
        if !self.has_costs() {
            return;
        }
        let uses = OptionsByItem::new(self);
        self.net_costs = self.costs.clone();
        for item in (0..self.primary as u32).map(ItemId::new) {
            let options = uses.options(item).iter().map(|option| option.index());
            let tax = options.clone().map(|option| self.net_costs[option]).min().unwrap_or(0);
            options.for_each(|option| self.net_costs[option] -= tax);
        }
    }

    /// Which item a search of this problem branches on. It stands here so that all who walk down the tree, for
    /// whatever end, walk down the same one.
    #[doc(hidden)]
    pub fn branching(&self) -> &Branching {
        &self.branching
    }

    /// Changes that.
    #[doc(hidden)]
    pub fn branch_by(&mut self, rule: &'static Rule) {
        let primary = self.names().take(self.primary);
        self.branching = Branching::new(rule, primary.map(|(_, name)| name));
    }

    /// Bytes on the heap, names aside: what the arrays of options take.
    #[doc(hidden)]
    pub fn bytes(&self) -> usize {
        self.entries.bytes() + self.starts.len() * size_of::<u32>()
    }

    /// The same items with these options alone, in this order, and of these with the entries that are to `keep`,
    /// all primary ones among them. They have no costs.
    #[doc(hidden)]
    pub fn restricted(
        &self,
        options: &[OptionId],
        keep: impl Fn(OptionId, &Entry) -> bool,
    ) -> Problem {
        let mut entries = Entries::of_items(self.items());
        let mut starts = vec![0];
        for &option in options {
            let kept = self.option(option).iter().filter(|entry| keep(option, entry));
            kept.for_each(|entry| entries.push(entry));
            starts.push(entries.len() as u32);
        }
        Problem {
            names: self.names.clone(),
            primary: self.primary,
            colors: self.colors.clone(),
            entries,
            starts,
            bounds: self.bounds.clone(),
            costs: Vec::new(),
            net_costs: Vec::new(),
            branching: self.branching.clone(),
            uses: OnceLock::new(),
        }
    }

    /// The same problem with items and options in a random order that `seed` fixes, and for each
    /// new option the number that it had before. Primary items stay before secondary ones, and the
    /// entries of an option keep their order.
    #[doc(hidden)]
    pub fn shuffled(&self, seed: u64) -> (Problem, Vec<OptionId>) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut items: Vec<ItemId> = (0..self.items() as u32).map(ItemId::new).collect();
        random.shuffle(&mut items[..self.primary]);
        random.shuffle(&mut items[self.primary..]);
        let mut options: Vec<OptionId> = self.option_ids().collect();
        random.shuffle(&mut options);

        let mut names = Interner::default();
        let mut moved = vec![ItemId::new(0); self.items()];
        for (new, &old) in items.iter().enumerate() {
            names.intern(self.name(old));
            moved[old.index()] = ItemId::new(new as u32);
        }
        let mut entries = Entries::of_items(self.items());
        let mut starts = vec![0];
        for &option in &options {
            for Entry { item, color } in self.option(option) {
                entries.push(Entry { item: moved[item.index()], color });
            }
            starts.push(entries.len() as u32);
        }
        let pick_bound = |&old: &ItemId| self.bound(old);
        let mut shuffled = Problem {
            names,
            primary: self.primary,
            colors: self.colors.clone(),
            entries,
            starts,
            bounds: match self.has_bounds() {
                true => items[..self.primary].iter().map(pick_bound).collect(),
                false => Vec::new(),
            },
            costs: match self.has_costs() {
                true => options.iter().map(|&old| self.cost(old)).collect(),
                false => Vec::new(),
            },
            net_costs: Vec::new(),
            branching: Branching::default(),
            uses: OnceLock::new(),
        };
        shuffled.assess_net_costs();
        shuffled.branch_by(self.branching.rule());
        (shuffled, options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_more_nodes_than_there_is_room_for() {
        // Two items, one option of two entries: 1 + 2 + 2 + 1 = 6 nodes.
        let build = |room| {
            let mut builder = ProblemBuilder::with_room(room);
            let a = builder.primary_item(b"a", Bound::ONCE)?;
            let x = builder.secondary_item(b"x")?;
            builder.entry(a, Color::NONE)?;
            builder.entry(x, Color::NONE)?;
            builder.end_option()
        };
        assert_eq!(build(6), Ok(Some(OptionId::new(0))));
        assert_eq!([build(5), build(4), build(2), build(0)], [Err(Refusal::TooLarge); 4]);
    }

    #[test]
    fn an_option_without_primary_item_uses_no_number_and_no_room() {
        let mut builder = ProblemBuilder::with_room(6);
        let a = builder.primary_item(b"a", Bound::ONCE).unwrap();
        let x = builder.secondary_item(b"x").unwrap();
        for _ in 0..10 {
            builder.entry(x, Color::NONE).unwrap();
            assert_eq!(builder.end_option(), Ok(None));
        }
        builder.entry(x, Color::NONE).unwrap();
        builder.entry(a, Color::NONE).unwrap();
        assert_eq!(builder.end_option(), Ok(Some(OptionId::new(0))));
        assert_eq!(builder.finish().entries(), 2);
    }

    #[test]
    fn a_shuffled_problem_has_the_same_options_under_other_numbers() {
        let mut builder = ProblemBuilder::default();
        let items: Vec<ItemId> =
            (0..9).map(|i| builder.primary_item(&[b'a' + i], Bound::ONCE).unwrap()).collect();
        for i in 0..8 {
            builder.entry(items[i], Color::NONE).unwrap();
            builder.entry(items[i + 1], Color::NONE).unwrap();
            builder.end_option().unwrap();
        }
        let problem = builder.finish();
        let (shuffled, old) = problem.shuffled(7);
        assert_ne!(old, problem.option_ids().collect::<Vec<_>>());
        for new in shuffled.option_ids() {
            let text = |p: &Problem, o| -> Vec<Vec<u8>> {
                p.option(o).iter().map(|e| p.name(e.item).to_vec()).collect()
            };
            assert_eq!(text(&shuffled, new), text(&problem, old[new.index()]));
        }
        assert_eq!(old, problem.shuffled(7).1);
    }
}
