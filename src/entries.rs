//! The entries of all options, end to end: four bytes each if they can be.
//!
//! The low bits of a word are the number of the item, as many as the largest one needs; the others
//! are the color. A file with a hundred thousand items may thus have 32767 colors. If a color or an
//! item does not fit, all entries move, once, to an array with eight bytes for each.

use crate::ids::{Color, ItemId};

/// One use of an item by an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// The item that is used.
    pub item: ItemId,
    /// The color that it gets; [`Color::NONE`] if none.
    pub color: Color,
}

/// Entries, end to end.
#[derive(Clone, Debug)]
pub enum Entries {
    /// An item of so many bits, and above them a color.
    Packed(Vec<u32>, ItemBits),
    /// Items and colors beside each other.
    Plain(Vec<Entry>),
}

/// How many of the 32 bits of a packed entry are the item's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemBits(u32);

impl ItemBits {
    /// As many as the numbers below `items` need.
    fn of(items: usize) -> Self {
        ItemBits(usize::BITS - items.saturating_sub(1).leading_zeros())
    }

    #[inline(always)]
    fn pack(self, entry: Entry) -> Option<u32> {
        let word = u64::from(entry.color.raw()) << self.0 | u64::from(entry.item.raw());
        let fits = u64::from(entry.item.raw()) >> self.0 == 0 && word >> 32 == 0;
        fits.then_some(word as u32)
    }

    #[inline(always)]
    fn unpack(self, word: u32) -> Entry {
        let word = u64::from(word);
        let color = Color::new((word >> self.0) as u32);
        Entry { item: ItemId::new((word & ((1 << self.0) - 1)) as u32), color }
    }
}

impl Entries {
    /// Nothing yet; the items will have numbers below `items`.
    pub fn of_items(items: usize) -> Self {
        Entries::Packed(Vec::new(), ItemBits::of(items))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Entries::Packed(words, _) => words.len(),
            Entries::Plain(entries) => entries.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        match self {
            Entries::Packed(words, _) => size_of_val(&words[..]),
            Entries::Plain(entries) => size_of_val(&entries[..]),
        }
    }

    /// Adds one.
    #[inline]
    pub fn push(&mut self, entry: Entry) {
        if let Entries::Packed(words, bits) = self
            && let Some(word) = bits.pack(entry)
        {
            words.push(word);
        } else {
            self.push_plain(entry);
        }
    }

    /// Adds a few. The items must be those that were announced.
    #[inline(always)]
    pub fn extend(&mut self, items: &[ItemId], colors: &[Color]) {
        let all = items.iter().zip(colors);
        if let Entries::Packed(words, ItemBits(bits)) = self {
            // In two steps, since a word cannot be shifted by 32 bits at once.
            let beyond = |color: &Color| color.raw() >> (31 - (*bits).min(31)) >> 1;
            let pack = |(item, color): (&ItemId, &Color)| item.raw() | color.raw() << (*bits & 31);
            if colors.iter().fold(0, |any, color| any | beyond(color)) == 0 {
                words.extend(all.map(pack));
                return;
            }
        }
        all.for_each(|(&item, &color)| self.push(Entry { item, color }));
    }

    #[cold]
    fn push_plain(&mut self, entry: Entry) {
        if let Entries::Packed(words, bits) = self {
            *self = Entries::Plain(words.iter().map(|&word| bits.unpack(word)).collect());
        }
        if let Entries::Plain(entries) = self {
            entries.push(entry);
        }
    }

    /// Keeps the first `len`.
    pub fn truncate(&mut self, len: usize) {
        match self {
            Entries::Packed(words, _) => words.truncate(len),
            Entries::Plain(entries) => entries.truncate(len),
        }
    }

    /// Gives back the memory that is not in use.
    pub fn shrink_to_fit(&mut self) {
        match self {
            Entries::Packed(words, _) => words.shrink_to_fit(),
            Entries::Plain(entries) => entries.shrink_to_fit(),
        }
    }

    /// Those of one option, or all.
    #[inline]
    pub fn row(&self, range: std::ops::Range<usize>) -> Row<'_> {
        match self {
            Entries::Packed(words, bits) => Row::Packed(&words[range], *bits),
            Entries::Plain(entries) => Row::Plain(&entries[range]),
        }
    }
}

/// Some entries that follow each other: those of one option, say. Equal rows of one problem have the same
/// entries in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row<'a> {
    /// As in [`Entries::Packed`].
    Packed(&'a [u32], ItemBits),
    /// As in [`Entries::Plain`].
    Plain(&'a [Entry]),
}

impl<'a> Row<'a> {
    /// How many entries there are.
    #[inline]
    pub fn len(self) -> usize {
        match self {
            Row::Packed(words, _) => words.len(),
            Row::Plain(entries) => entries.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The entry at `index`, which is less than [`len`](Row::len).
    #[inline]
    pub fn get(self, index: usize) -> Entry {
        match self {
            Row::Packed(words, bits) => bits.unpack(words[index]),
            Row::Plain(entries) => entries[index],
        }
    }

    /// The sum of what `of` makes of the entries. It is told a number that no other entry of the same
    /// problem has, and the item.
    #[inline(always)]
    pub fn sum(self, mut of: impl FnMut(u64, ItemId) -> u64) -> u64 {
        let mut sum = 0u64;
        match self {
            Row::Packed(words, bits) => words.iter().for_each(|&word| {
                sum = sum.wrapping_add(of(u64::from(word), bits.unpack(word).item));
            }),
            Row::Plain(entries) => entries.iter().for_each(|&Entry { item, color }| {
                let word = u64::from(color.raw()) << 32 | u64::from(item.raw());
                sum = sum.wrapping_add(of(word, item));
            }),
        }
        sum
    }

    /// The entries from `start` on, and after the last one those before it.
    pub fn around(self, start: usize) -> impl Iterator<Item = Entry> + use<'a> {
        let part = |range| match self {
            Row::Packed(words, bits) => Row::Packed(&words[range], bits).iter(),
            Row::Plain(entries) => Row::Plain(&entries[range]).iter(),
        };
        part(start..self.len()).chain(part(0..start))
    }

    /// The entries in the order of the file.
    #[inline]
    pub fn iter(self) -> RowIter<'a> {
        match self {
            Row::Packed(words, bits) => RowIter::Packed(words.iter(), bits),
            Row::Plain(entries) => RowIter::Plain(entries.iter()),
        }
    }
}

impl<'a> IntoIterator for Row<'a> {
    type Item = Entry;
    type IntoIter = RowIter<'a>;

    #[inline]
    fn into_iter(self) -> RowIter<'a> {
        self.iter()
    }
}

/// Iterates over a [`Row`].
#[derive(Clone, Debug)]
pub enum RowIter<'a> {
    /// Over [`Row::Packed`].
    Packed(std::slice::Iter<'a, u32>, ItemBits),
    /// Over [`Row::Plain`].
    Plain(std::slice::Iter<'a, Entry>),
}

impl Iterator for RowIter<'_> {
    type Item = Entry;

    #[inline]
    fn next(&mut self) -> Option<Entry> {
        match self {
            RowIter::Packed(words, bits) => words.next().map(|&word| bits.unpack(word)),
            RowIter::Plain(entries) => entries.next().copied(),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            RowIter::Packed(words, _) => words.size_hint(),
            RowIter::Plain(entries) => entries.size_hint(),
        }
    }

    // One loop for each kind, not one that asks at each entry.
    #[inline]
    fn fold<B, F: FnMut(B, Entry) -> B>(self, start: B, mut f: F) -> B {
        match self {
            RowIter::Packed(words, bits) => {
                words.fold(start, |folded, &word| f(folded, bits.unpack(word)))
            }
            RowIter::Plain(entries) => entries.fold(start, |folded, &entry| f(folded, entry)),
        }
    }
}

impl ExactSizeIterator for RowIter<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(item: u32, color: u32) -> Entry {
        Entry { item: ItemId::new(item), color: Color::new(color) }
    }

    #[test]
    fn holds_what_fits_in_a_word_and_what_does_not() {
        // Numbers below 5 have 3 bits, so colors have 29.
        let last = (1 << 29) - 1;
        let all = [entry(4, 0), entry(0, last), entry(4, last)];
        for beyond in [entry(0, 1 << 29), entry(8, 0), entry(u32::MAX, u32::MAX)] {
            let mut entries = Entries::of_items(5);
            all.iter().for_each(|&entry| entries.push(entry));
            assert!(matches!(entries, Entries::Packed(..)));
            assert_eq!(entries.row(0..3).iter().collect::<Vec<_>>(), all);
            entries.push(beyond);
            assert!(matches!(entries, Entries::Plain(_)));
            assert_eq!(entries.row(1..4).iter().collect::<Vec<_>>(), [all[1], all[2], beyond]);
            assert_eq!((entries.len(), entries.row(1..4).get(2)), (4, beyond));
        }
    }

    #[test]
    fn a_single_item_needs_no_bits() {
        let mut entries = Entries::of_items(1);
        entries.push(entry(0, u32::MAX));
        assert!(matches!(entries, Entries::Packed(..)));
        assert_eq!(entries.row(0..1).get(0), entry(0, u32::MAX));
    }
}
