//! Builds a [`Problem`], and refuses what none can have.

use std::sync::OnceLock;

use crate::branch::Branching;
use crate::entries::{Entries, Entry};
use crate::ids::{Color, ItemId, OptionId};
use crate::intern::Interner;
use crate::problem::{Bound, MAX_NODES, Problem};

/// Why the builder refuses something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
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
            net_costs: Vec::new(),
            branching: Branching::default(),
            uses: OnceLock::new(),
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
    ///
    /// # Panics
    ///
    /// There is a secondary item.
    pub fn primary_item(&mut self, name: &[u8], bound: Bound) -> Result<ItemId, Refusal> {
        assert_eq!(self.problem.secondary(), 0, "primary items come first");
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
    pub fn secondary_item(&mut self, name: &[u8]) -> Result<ItemId, Refusal> {
        self.item(name)
    }

    fn item(&mut self, name: &[u8]) -> Result<ItemId, Refusal> {
        self.take_room()?;
        let number = self.problem.names.insert(name).map_err(|_| Refusal::DuplicateItem)?;
        if self.problem.entries.is_empty() {
            self.problem.entries = Entries::of_items(self.problem.items());
        }
        Ok(ItemId::new(number))
    }

    #[inline]
    fn take_room(&mut self) -> Result<(), Refusal> {
        self.room = self.room.checked_sub(1).ok_or(Refusal::TooLarge)?;
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
    ) -> Result<OptionId, Refusal> {
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
            _ if !all_differ(few, count) => return Err(Refusal::DuplicateInOption),
            _ if colored => return Err(Refusal::ColoredPrimary),
            _ if !kept => return Err(Refusal::NoPrimary),
            None => return Err(Refusal::TooLarge),
            Some(room) => self.room = room,
        }
        self.problem.entries.extend(items, colors);
        Ok(self.next_number())
    }

    #[inline(never)]
    fn long_option(&mut self, items: &[ItemId], colors: &[Color]) -> Result<OptionId, Refusal> {
        let mut all = items.iter().zip(colors);
        let added = all.try_for_each(|(&item, &color)| self.entry(item, color));
        let added = added.and_then(|()| self.end_option());
        if added.is_err() {
            self.abandon_option();
        }
        added.and_then(|option| option.ok_or(Refusal::NoPrimary))
    }

    /// Adds a use of `item` to the option at hand.
    pub fn entry(&mut self, item: ItemId, color: Color) -> Result<(), Refusal> {
        let primary = self.problem.is_primary(item);
        if primary && !color.is_none() {
            return Err(Refusal::ColoredPrimary);
        }
        let so_far = self.problem.entries.row(self.start..self.problem.entries.len());
        let stands = match so_far.len() {
            0..FEW => so_far.iter().any(|entry| entry.item == item),
            _ => self.stands_among_many(item),
        };
        if stands {
            return Err(Refusal::DuplicateInOption);
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
    pub fn cost(&mut self, cost: u64) -> Result<(), Refusal> {
        self.cost = self.cost.checked_add(cost).ok_or(Refusal::CostOverflow)?;
        Ok(())
    }

    /// Ends the option at hand. `None` if it has no primary item and was dropped.
    pub fn end_option(&mut self) -> Result<Option<OptionId>, Refusal> {
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
    pub fn abandon_option(&mut self) {
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
        self.problem.assess_net_costs();
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
