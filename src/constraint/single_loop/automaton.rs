//! `--loop` as an automaton: the mates of the vertices on the frontier.
//!
//! A vertex is on the frontier while one of its edges may still become present, that is from the first
//! to the last step at which an option has such an edge with color `1`. It is free (no edge), inner
//! (two), or the end of a path; then we keep the slot of its mate. An end that leaves the frontier stays
//! open for good, so it is refused; hence mates are on the frontier, too. Once the loop is closed
//! nothing is kept but that (Yoshinaka, Saitoh, Kawahara, Tsuruma, Iwashita, Minato: Finding All
//! Solutions and Instances of Numberlink and Slitherlink by ZDDs, Algorithms 5, 2012; TAOCP 7.1.4,
//! exercise 225).

use crate::constraint::Verdict;
use crate::constraint::automaton::{Automaton, Field, Room, Slots, Spans};
use crate::constraint::graph::{EdgeItems, NO_EDGE};
use crate::ids::{Color, ItemId};

/// A vertex without edge, and one with two; other values are 2 more than the slot of the mate.
const FREE: u64 = 0;
const INNER: u64 = 1;
const MATE: u64 = 2;

/// Why there are fields.
const PLANNED: &str = "the steps were planned before the first one";

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Mates {
    edges: EdgeItems,
    slots: Slots,
    closed: Option<Field>,
    /// By secondary item, in their order: the slots of the ends of its edge, with their fields.
    ends: Vec<[(u64, Field); 2]>,
    /// All slots.
    all: Mask,
    /// By step: the slots whose vertices leave at its end.
    leaving: Vec<Mask>,
}

/// Some slots in all words of a state.
#[derive(Clone, Debug, Default)]
struct Mask {
    /// By word: the bits of their fields.
    bits: Vec<u64>,
    /// By word: those that are set only where a path ends: all but the lowest of each field.
    mated: Vec<u64>,
}

impl Mask {
    fn new(fields: impl Iterator<Item = Field>) -> Self {
        let mut mask = Mask::default();
        for field in fields {
            let word = field.word as usize;
            let words = mask.bits.len().max(word + 1);
            mask.bits.resize(words, 0);
            mask.mated.resize(words, 0);
            mask.bits[word] |= field.ones << field.shift;
            mask.mated[word] |= (field.ones & !(MATE - 1)) << field.shift;
        }
        mask
    }

    /// Whether a path ends in one of the slots.
    #[inline]
    fn has_end(&self, state: &[u64]) -> bool {
        self.mated.iter().zip(state).any(|(mated, word)| mated & word != 0)
    }

    /// Makes them [`FREE`].
    #[inline]
    fn clear(&self, state: &mut [u64]) {
        self.bits.iter().zip(state).for_each(|(bits, word)| *word &= !bits);
    }
}

impl Mates {
    pub(super) fn new(edges: EdgeItems) -> Self {
        Mates {
            edges,
            slots: Slots::default(),
            closed: None,
            ends: Vec::new(),
            all: Mask::default(),
            leaving: Vec::new(),
        }
    }

    #[inline]
    fn join(&self, item: ItemId, closed: Field, state: &mut [u64]) -> Verdict {
        let [(u, field_u), (v, field_v)] = self.ends[self.edges.place(item)];
        let (at_u, at_v) = (field_u.get(state), field_v.get(state));
        if at_u == INNER || at_v == INNER || closed.get(state) == 1 {
            return Verdict::Refuse;
        }
        field_u.set(state, INNER);
        field_v.set(state, INNER);
        if at_u == v + MATE {
            // The loop is closed, so there must be no other path.
            let refused = self.all.has_end(state);
            self.all.clear(state);
            closed.set(state, 1);
            return Verdict::when(!refused);
        }
        let mate = |slot, at| if at == FREE { slot } else { at - MATE };
        let (a, b) = (mate(u, at_u), mate(v, at_v));
        self.slots.field(a).set(state, b + MATE);
        self.slots.field(b).set(state, a + MATE);
        Verdict::Fine
    }
}

impl Automaton for Mates {
    fn plan(&mut self, spans: &dyn Spans, room: &mut Room) {
        let span = self.edges.vertex_spans(spans);
        self.closed = Some(room.claim(1, 0, usize::MAX));
        self.slots = Slots::new(&span, MATE, room);
        let slots = &self.slots;
        // An edge without slots cannot become present.
        let none = Field { word: 0, shift: 0, ones: 0 };
        let end = |vertex: u32| {
            let slot = slots.slot[vertex as usize].map(u64::from);
            slot.map_or((0, none), |slot| (slot, slots.field(slot)))
        };
        let ends = self
            .edges
            .by_place()
            .map(|edge| edge.map_or([(0, none); 2], |edge| [end(edge.u), end(edge.v)]));
        self.ends = ends.collect();
        self.all = Mask::new(slots.fields.iter().copied());
        let leaving = slots
            .leaving
            .iter()
            .map(|leaving| Mask::new(leaving.iter().map(|&slot| slots.field(slot.into()))));
        self.leaving = leaving.collect();
    }

    fn depends_on(&self, item: ItemId, color: Color) -> bool {
        Some(color) == self.edges.present && self.edges.number(item) != NO_EDGE
    }

    fn fixed(&self, _: usize, item: ItemId, _: Color, state: &mut [u64]) -> Verdict {
        self.join(item, self.closed.expect(PLANNED), state)
    }

    fn projects(&self, step: usize) -> bool {
        self.leaving.get(step).is_some_and(|leaving| !leaving.bits.is_empty())
    }

    fn project(&self, step: usize, state: &mut [u64]) -> Verdict {
        match self.leaving.get(step) {
            Some(leaving) if leaving.has_end(state) => return Verdict::Refuse,
            Some(leaving) => leaving.clear(state),
            None => {}
        }
        Verdict::Fine
    }

    fn complete(&self, state: &[u64]) -> Verdict {
        Verdict::when(self.closed.expect(PLANNED).get(state) == 1)
    }
}
