//! An instance of exact cover with colors: items, and options that use them.
//!
//! A [`Problem`] is what a `.dlx` file says, without its text: it never changes once it is built.
//! Options without a primary item are not kept (they can be in no solution that is minimal, and
//! Knuth's programs drop them), and do not use up a number.
//!
//! The entries of all options stand end to end in one array, as a rule of four bytes each ([`entries`]).
//!
//! [`entries`]: crate::entries

use crate::entries::Entries;
pub use crate::entries::{Entry, Row};
use crate::ids::{Color, ItemId, OptionId};
use crate::intern::{Interner, Word};

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
    pub fn all_entries(&self) -> Row<'_> {
        self.entries.row(0..self.entries.len())
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
    pub fn find_short(&self, word: Word) -> Option<ItemId> {
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

    /// Bytes on the heap, names aside: what the arrays of options take.
    pub fn bytes(&self) -> usize {
        self.entries.bytes() + self.starts.len() * size_of::<u32>()
    }

    /// The same problem with items and options in a random order that `seed` fixes, and for each
    /// new option the number that it had before. Primary items stay before secondary ones, and the
    /// entries of an option keep their order.
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
        let shuffled = Problem {
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
        };
        (shuffled, options)
    }
}

/// Why the builder refuses something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// The name is taken.
    DuplicateItem,
    /// The item stands in this option already.
    DuplicateInOption,
    /// A primary item cannot have a color.
    ColoredPrimary,
    /// The option has no primary item.
    NoPrimary,
    /// There would be more than [`MAX_NODES`] nodes.
    TooLarge,
    /// The costs of this option add up to more than 64 bits hold.
    CostOverflow,
}

/// In options of at most so many entries we look at all of them for one that stands there twice. That
/// takes less time than to keep a number for each item, which is not in the cache.
const FEW: usize = 8;

/// Builds a [`Problem`], item by item, then option by option.
#[derive(Debug)]
pub struct ProblemBuilder {
    problem: Problem,
    /// Nodes that there may still be.
    room: u64,
    /// Where the entries of the option at hand begin.
    start: usize,
    /// By item: the number of the option that used it last, from 1, if that had more than a few.
    used_by: Vec<u32>,
    /// The number of the option at hand, from 1, ignored ones included; wraps harmlessly.
    serial: u32,
    has_primary: bool,
    cost: u64,
}

impl Default for ProblemBuilder {
    fn default() -> Self {
        ProblemBuilder::with_room(MAX_NODES)
    }
}

impl ProblemBuilder {
    /// A builder that refuses more than `room` nodes (items, entries and one per option, plus one).
    pub fn with_room(room: u64) -> Self {
        let problem = Problem {
            names: Interner::default(),
            primary: 0,
            colors: Interner::default(),
            entries: Entries::of_items(0),
            starts: vec![0],
            bounds: Vec::new(),
            costs: Vec::new(),
        };
        let room = room.saturating_sub(1);
        ProblemBuilder {
            problem,
            room,
            start: 0,
            used_by: Vec::new(),
            serial: 1,
            has_primary: false,
            cost: 0,
        }
    }

    /// What has been built so far.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Adds a primary item. All of them come before the first secondary one.
    pub fn primary_item(&mut self, name: &[u8], bound: Bound) -> Result<ItemId, BuildError> {
        debug_assert_eq!(self.problem.secondary(), 0, "primary items come first");
        let item = self.item(name)?;
        let problem = &mut self.problem;
        if bound != Bound::ONCE || problem.has_bounds() {
            problem.bounds.resize(problem.primary, Bound::ONCE);
            problem.bounds.push(bound);
        }
        problem.primary += 1;
        Ok(item)
    }

    /// Adds a secondary item.
    pub fn secondary_item(&mut self, name: &[u8]) -> Result<ItemId, BuildError> {
        self.item(name)
    }

    fn item(&mut self, name: &[u8]) -> Result<ItemId, BuildError> {
        self.take_room()?;
        let number = self.problem.names.insert(name).map_err(|_| BuildError::DuplicateItem)?;
        if self.problem.entries.is_empty() {
            self.problem.entries = Entries::of_items(self.problem.items());
        }
        Ok(ItemId::new(number))
    }

    #[inline]
    fn take_room(&mut self) -> Result<(), BuildError> {
        self.room = self.room.checked_sub(1).ok_or(BuildError::TooLarge)?;
        Ok(())
    }

    /// The color written `text`, made if it is new.
    pub fn color(&mut self, text: &[u8]) -> Color {
        Color::new(self.problem.colors.intern(text) + 1)
    }

    /// Adds a whole option with a primary item; or refuses it, and leaves everything as it was. In the
    /// middle of another option it must not be called. The option is the first `count` of `items` and
    /// of `colors`; it takes less time if there are eight.
    #[inline(always)]
    pub fn option(
        &mut self,
        items: &[ItemId],
        colors: &[Color],
        count: usize,
    ) -> Result<OptionId, BuildError> {
        debug_assert_eq!(self.start, self.problem.entries.len(), "no option is at hand");
        let Some(few) = items.first_chunk().filter(|_| count <= FEW) else {
            return self.long_option(&items[..count], &colors[..count]);
        };
        let (items, colors) = (&items[..count], &colors[..count]);
        let (mut kept, mut colored) = (false, false);
        for (&item, color) in items.iter().zip(colors) {
            let primary = self.problem.is_primary(item);
            kept |= primary;
            colored |= primary & !color.is_none();
        }
        match self.room.checked_sub(count as u64 + 1) {
            _ if !all_differ(few, count) => return Err(BuildError::DuplicateInOption),
            _ if colored => return Err(BuildError::ColoredPrimary),
            _ if !kept => return Err(BuildError::NoPrimary),
            None => return Err(BuildError::TooLarge),
            Some(room) => self.room = room,
        }
        self.problem.entries.extend(items, colors);
        Ok(self.next_number())
    }

    #[inline(never)]
    fn long_option(&mut self, items: &[ItemId], colors: &[Color]) -> Result<OptionId, BuildError> {
        let mut all = items.iter().zip(colors);
        let added = all.try_for_each(|(&item, &color)| self.entry(item, color));
        let added = added.and_then(|()| self.end_option());
        if added.is_err() {
            self.abandon_option();
        }
        added.and_then(|option| option.ok_or(BuildError::NoPrimary))
    }

    /// Adds a use of `item` to the option at hand.
    pub fn entry(&mut self, item: ItemId, color: Color) -> Result<(), BuildError> {
        let primary = self.problem.is_primary(item);
        if primary && !color.is_none() {
            return Err(BuildError::ColoredPrimary);
        }
        let so_far = self.problem.entries.row(self.start..self.problem.entries.len());
        let stands = match so_far.len() {
            0..FEW => so_far.iter().any(|entry| entry.item == item),
            _ => self.stands_among_many(item),
        };
        if stands {
            return Err(BuildError::DuplicateInOption);
        }
        self.take_room()?;
        self.has_primary |= primary;
        self.problem.entries.push(Entry { item, color });
        Ok(())
    }

    /// Whether the option at hand, of [`FEW`] entries or more, has `item`; it will have.
    fn stands_among_many(&mut self, item: ItemId) -> bool {
        let so_far = self.problem.entries.row(self.start..self.problem.entries.len());
        if so_far.len() == FEW {
            self.used_by.resize(self.problem.items(), 0);
            so_far.iter().for_each(|entry| self.used_by[entry.item.index()] = self.serial);
        }
        std::mem::replace(&mut self.used_by[item.index()], self.serial) == self.serial
    }

    /// Adds to the cost of the option at hand.
    pub fn cost(&mut self, cost: u64) -> Result<(), BuildError> {
        self.cost = self.cost.checked_add(cost).ok_or(BuildError::CostOverflow)?;
        Ok(())
    }

    /// Ends the option at hand. `None` if it has no primary item and was dropped.
    pub fn end_option(&mut self) -> Result<Option<OptionId>, BuildError> {
        if !self.has_primary {
            self.abandon_option();
            return Ok(None);
        }
        self.take_room()?;
        Ok(Some(self.next_number()))
    }

    /// Gives the option whose entries and room are taken its number, and begins another one.
    #[inline(always)]
    fn next_number(&mut self) -> OptionId {
        let option = self.problem.options();
        if self.cost != 0 || self.problem.has_costs() {
            self.problem.costs.resize(option, 0);
            self.problem.costs.push(self.cost);
        }
        self.start = self.problem.entries.len();
        self.problem.starts.push(self.start as u32);
        self.begin_option();
        OptionId::new(option as u32)
    }

    /// Forgets the option at hand.
    fn abandon_option(&mut self) {
        self.room += (self.problem.entries.len() - self.start) as u64;
        self.problem.entries.truncate(self.start);
        self.begin_option();
    }

    #[inline(always)]
    fn begin_option(&mut self) {
        self.cost = 0;
        self.has_primary = false;
        self.serial = self.serial.wrapping_add(1);
        if self.serial == 0 {
            self.used_by.fill(0);
            self.serial = 1;
        }
    }

    /// The problem.
    pub fn finish(mut self) -> Problem {
        self.problem.entries.shrink_to_fit();
        self.problem.starts.shrink_to_fit();
        self.problem
    }
}

/// Whether no two of the first `count` items are the same. Each is compared with the four that follow
/// it on a circle of eight: no branch, and vector instructions do it.
#[inline(always)]
fn all_differ(items: &[ItemId; FEW], count: usize) -> bool {
    // No item has one of the highest numbers, because there are fewer than 2^32 nodes.
    let circle: [u32; FEW] = std::array::from_fn(|place| match place < count {
        true => items[place].raw(),
        false => u32::MAX - place as u32,
    });
    let mut same = false;
    for distance in 1..=FEW / 2 {
        for place in 0..FEW {
            same |= circle[place] == circle[(place + distance) % FEW];
        }
    }
    !same
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
        assert_eq!([build(5), build(4), build(2), build(0)], [Err(BuildError::TooLarge); 4]);
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
