//! What is left of a problem in the middle of a search by lists.

use crate::entries::Entry;
use crate::ids::{Color, ItemId, OptionId};
use crate::search::dancing_links::Links;
use crate::search::mrv::Length;
use crate::search::rows::OptionRows;
use crate::search::width::{Link, LinkWidth};

/// The options that are left, with the items that they may still take. A secondary item that has its
/// color already is none, for those that are left agree about it.
#[derive(Debug)]
pub struct Rest<W: LinkWidth> {
    /// Items and options in their old order, with new numbers.
    pub rows: OptionRows,
    /// By primary item: what it was.
    items: Vec<W::Link>,
    /// By option: the first of its nodes.
    options: Vec<W::Link>,
}

/// New numbers for secondary items, by slot. Made once for many rests.
#[derive(Debug, Default)]
pub struct Numbers(Vec<u32>);

/// No number yet.
const NONE: u32 = u32::MAX;

impl<W: LinkWidth> Links<W> {
    /// How many primary items are left.
    pub fn items_left(&self) -> usize {
        self.active
    }

    /// How many entries of primary items are left; `None` if an item has no option.
    pub fn entries_left(&self) -> Option<usize> {
        let mut entries = 0;
        for &length in self.lengths.of_primary(self.primary) {
            match length {
                length if length == W::Length::new(0) => return None,
                length if length < W::Length::BIAS => entries += length.get() as usize,
                _ => {}
            }
        }
        Some(entries)
    }

    /// What is left.
    pub fn rest(&self, numbers: &mut Numbers) -> Rest<W> {
        let lengths = self.lengths.of_primary(self.primary);
        let active = lengths.iter().enumerate().filter(|&(_, &length)| length < W::Length::BIAS);
        let items: Vec<W::Link> = active.map(|(slot, _)| W::Link::new(slot)).collect();
        numbers.0.resize(self.second.get() as usize + self.secondary, NONE);
        for (number, slot) in (0..).zip(&items) {
            numbers.0[slot.get() as usize] = number;
        }
        let mut options = Vec::new();
        for &head in &items {
            let mut node = self.nodes[head].down;
            while node != head {
                let start = self.runs[node].start;
                if self.first_primary(start) == node {
                    options.push(start);
                }
                node = self.nodes[node].down;
            }
        }
        options.sort_unstable();
        let mut rows = OptionRows::new(items.len(), items.len());
        rows.branching = self.lengths.branching().of(items.iter().map(|slot| slot.get() as usize));
        let mut seconds = Vec::new();
        for &start in &options {
            let run = self.runs[start];
            let nodes = (run.start.get()..run.end.get()).map(|node| W::Link::new(node as usize));
            let entries = nodes.map(|node| self.nodes[node]).filter(|n| n.color != W::Link::MAX);
            rows.push(entries.map(|node| {
                let number = &mut numbers.0[node.item.get() as usize];
                if *number == NONE {
                    *number = (items.len() + seconds.len()) as u32;
                    seconds.push(node.item);
                }
                Entry { item: ItemId::new(*number), color: Color::new(node.color.get()) }
            }));
        }
        rows.items += seconds.len();
        for slot in items.iter().chain(&seconds) {
            numbers.0[slot.get() as usize] = NONE;
        }
        Rest { rows, items, options }
    }

    /// The first node of a primary item in the option that begins at `node`.
    fn first_primary(&self, mut node: W::Link) -> W::Link {
        while self.nodes[node].item >= self.second {
            node = node.next();
        }
        node
    }
}

impl<W: LinkWidth> Rest<W> {
    /// What primary item `number` was.
    pub fn item(&self, number: ItemId) -> ItemId {
        ItemId::new(self.items[number.index()].get())
    }

    /// What option `number` was.
    pub fn option(&self, number: OptionId, links: &Links<W>) -> OptionId {
        links.option(self.options[number.index()])
    }
}
