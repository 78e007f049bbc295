//! A constraint as an automaton over the frontier: a few bits of state, by which an engine that counts tells partial
//! covers apart.
//!
//! Two partial covers can be continued in the same ways if they leave the same items, and if no constraint
//! sees a difference. `--loop` need not know all edges that are present: only which open ends belong to
//! one path, and only those ends that can still be extended. The automaton reads what is fixed, in an order of
//! steps that the engine announces, keeps its state in fields of a few bits, and projects away what lies
//! behind the *frontier*.
//!
//! Invariant: states from which different continuations hold have different bits; and it should have the
//! same bits for all others, or else the engine counts them more than once (slowly, but rightly).

use crate::constraint::Verdict;
use crate::ids::{Color, ItemId};

/// A constraint as an automaton over the frontier. A state is a row of words, at first all zero, of which the
/// automaton uses only the fields that it claimed.
pub trait Automaton {
    /// Learns when the steps are at which an item may be fixed, and claims room for that.
    fn plan(&mut self, spans: &dyn Spans, room: &mut Room);

    /// Whether its state depends on it that `item` gets `color`.
    fn depends_on(&self, item: ItemId, color: Color) -> bool;

    /// At this step `item` gets `color`, on which it depends; at most once on a path.
    fn fixed(&self, step: usize, item: ItemId, color: Color, state: &mut [u64]) -> Verdict;

    /// Whether it has something to project away at the end of this step.
    fn projects(&self, step: usize) -> bool;

    /// This step is over: projects away what can change no more, or refuses it as it is.
    fn project(&self, step: usize, state: &mut [u64]) -> Verdict;

    /// After the last step: does the solution hold? Exact.
    fn complete(&self, state: &[u64]) -> Verdict;
}

/// When an item can get a color.
pub trait Spans {
    /// The first and the last step at which `item` may get `color`, if it may. A later option may have
    /// the color, too, but only where the item has it already.
    fn span(&self, item: ItemId, color: Color) -> Option<(usize, usize)>;
}

/// Some neighboring bits of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Which word.
    pub word: u32,
    /// How far to the left.
    pub shift: u32,
    /// As many ones as there are bits.
    pub ones: u64,
}

impl Field {
    /// Its value.
    #[inline]
    pub fn get(self, state: &[u64]) -> u64 {
        state[self.word as usize] >> self.shift & self.ones
    }

    /// Sets it to `value`, which fits.
    #[inline]
    pub fn set(self, state: &mut [u64], value: u64) {
        let word = &mut state[self.word as usize];
        *word = *word & !(self.ones << self.shift) | value << self.shift;
    }
}

/// The most words of a state. Nobody uses a room that needs more, so there nothing is looked for.
pub const MOST_WORDS: usize = 32;

/// The bits of a state, which are claimed for some steps and then free for others. Claims come in the
/// order of their first steps.
#[derive(Clone, Debug, Default)]
pub struct Room {
    /// By word: the bits that are taken.
    taken: Vec<u64>,
    leases: Vec<(usize, Field)>,
}

impl Room {
    /// No bits yet.
    pub fn new() -> Self {
        Room::default()
    }

    /// Number of words.
    pub fn words(&self) -> usize {
        self.taken.len()
    }

    /// A field of `bits` bits, at most 64, from step `first` to the end of step `last`.
    pub fn claim(&mut self, bits: u32, first: usize, last: usize) -> Field {
        let ones = u64::MAX >> (64 - bits.clamp(1, 64));
        let Room { taken, leases } = self;
        if taken.len() > MOST_WORDS {
            return Field { word: 0, shift: 0, ones };
        }
        leases.retain(|&(last, field)| {
            let over = last < first;
            if over {
                taken[field.word as usize] &= !(field.ones << field.shift);
            }
            !over
        });
        let place = |&word: &u64| (0..=64 - bits).find(|&shift| word & ones << shift == 0);
        let found = taken.iter().enumerate().find_map(|(at, word)| Some((at, place(word)?)));
        let (word, shift) = found.unwrap_or((taken.len(), 0));
        if word == taken.len() {
            taken.push(0);
        }
        taken[word] |= ones << shift;
        let field = Field { word: word as u32, shift, ones };
        leases.push((last, field));
        field
    }
}

/// Fields of equal width that are handed out for spans of steps and then used again: a vertex gets a
/// small number for as long as it lies on the frontier.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    /// By slot.
    pub fields: Vec<Field>,
    /// By owner: its slot, if it has a span.
    pub slot: Vec<Option<u32>>,
    /// By step: the slots whose owners leave at its end.
    pub leaving: Vec<Vec<u32>>,
}

impl Slots {
    /// Gives each owner that has a span (first and last step) a slot, and each slot a field that holds
    /// `extra` values and the number of any slot.
    pub fn new(spans: &[Option<(usize, usize)>], extra: u64, room: &mut Room) -> Self {
        let mut order: Vec<usize> =
            (0..spans.len()).filter(|&owner| spans[owner].is_some()).collect();
        order.sort_by_key(|&owner| (spans[owner], owner));
        // By slot: the last step of its owner.
        let mut until: Vec<usize> = Vec::new();
        let mut slots = Slots { slot: vec![None; spans.len()], ..Slots::default() };
        for owner in order {
            let Some((first, last)) = spans[owner] else { continue };
            let slot = until.iter().position(|&until| until < first).unwrap_or(until.len());
            match until.get_mut(slot) {
                Some(until) => *until = last,
                None => until.push(last),
            }
            slots.slot[owner] = Some(slot as u32);
            if slots.leaving.len() <= last {
                slots.leaving.resize(last + 1, Vec::new());
            }
            slots.leaving[last].push(slot as u32);
        }
        let values = until.len() as u64 + extra;
        let bits = u64::BITS - (values - 1).leading_zeros();
        slots.fields = until.iter().map(|_| room.claim(bits.max(1), 0, usize::MAX)).collect();
        slots
    }

    /// The field of a slot.
    #[inline]
    pub fn field(&self, slot: u64) -> Field {
        self.fields[slot as usize]
    }

    /// Sets all fields with value `from` to `to`: two components become one, or one gets another label.
    pub fn relabel(&self, from: u64, to: u64, state: &mut [u64]) {
        for field in &self.fields {
            if field.get(state) == from {
                field.set(state, to);
            }
        }
    }

    /// The slots whose owners leave at the end of this step.
    pub fn leaving(&self, step: usize) -> &[u32] {
        self.leaving.get(step).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_live_at_once_are_apart() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut room = Room::new();
        let mut live: Vec<(usize, Field)> = Vec::new();
        for first in 0..300 {
            live.retain(|&(last, _)| last >= first);
            for _ in 0..random.usize(0..4) {
                let last = first + random.usize(0..20);
                let field = room.claim(random.u32(1..8), first, last);
                let bits = |field: Field| field.ones << field.shift;
                for &(_, other) in &live {
                    assert!(other.word != field.word || bits(other) & bits(field) == 0);
                }
                live.push((last, field));
            }
        }
        assert!(room.words() < 6, "bits are used again: {}", room.words());
    }

    #[test]
    fn a_room_that_is_too_large_looks_for_no_more() {
        let mut room = Room::new();
        // All are wanted to the end, so each would look at all that were before.
        (0..1_000_000).for_each(|first| _ = room.claim(2, first, usize::MAX));
        assert_eq!((room.words(), room.leases.len()), (MOST_WORDS + 1, 32 * MOST_WORDS + 1));
    }

    #[test]
    fn a_field_keeps_what_it_is_told() {
        let field = Field { word: 1, shift: 60, ones: 15 };
        let mut state = [u64::MAX, u64::MAX];
        field.set(&mut state, 5);
        assert_eq!((state, field.get(&state)), ([u64::MAX, 0x5fff_ffff_ffff_ffff], 5));
    }
}
