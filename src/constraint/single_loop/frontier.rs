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
use crate::constraint::graph::Edge;
use crate::constraint::signature::{Field, Room, Signature, Slots, Spans};
use crate::constraint::single_loop::NO_EDGE;
use crate::ids::{Color, ItemId};

/// A vertex without edge, and one with two; other values are 2 more than the slot of the mate.
const FREE: u64 = 0;
const INNER: u64 = 1;
const MATE: u64 = 2;

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Mates {
    edges: Vec<Edge>,
    /// By secondary item, in their order: its edge, or [`NO_EDGE`].
    edge_of: Vec<u32>,
    first_secondary: usize,
    present: Option<Color>,
    slots: Slots,
    closed: Option<Field>,
    /// By edge: the slots of its ends.
    ends: Vec<(u32, u32)>,
}

impl Mates {
    pub(super) fn new(
        edges: &[Edge],
        edge_of: &[u32],
        first_secondary: usize,
        present: Option<Color>,
    ) -> Self {
        Mates {
            edges: edges.to_vec(),
            edge_of: edge_of.to_vec(),
            first_secondary,
            present,
            slots: Slots::default(),
            closed: None,
            ends: Vec::new(),
        }
    }

    fn edge(&self, item: ItemId) -> u32 {
        self.edge_of[item.index() - self.first_secondary]
    }

    fn join(&self, edge: u32, closed: Field, state: &mut [u64]) -> Verdict {
        let (u, v) = self.ends[edge as usize];
        let (u, v) = (u64::from(u), u64::from(v));
        let (at_u, at_v) = (self.slots.field(u).get(state), self.slots.field(v).get(state));
        if at_u == INNER || at_v == INNER || closed.get(state) == 1 {
            return Verdict::Refuse;
        }
        let mate = |slot, at| if at == FREE { slot } else { at - MATE };
        let (a, b) = (mate(u, at_u), mate(v, at_v));
        if at_u == v + MATE {
            let mut others = self.slots.fields.iter().map(|field| field.get(state));
            if others.by_ref().filter(|&at| at >= MATE).count() > 2 {
                return Verdict::Refuse;
            }
            self.slots.fields.iter().for_each(|field| field.set(state, FREE));
            closed.set(state, 1);
            return Verdict::Fine;
        }
        self.slots.field(u).set(state, INNER);
        self.slots.field(v).set(state, INNER);
        self.slots.field(a).set(state, b + MATE);
        self.slots.field(b).set(state, a + MATE);
        Verdict::Fine
    }
}

impl Signature for Mates {
    fn plan(&mut self, spans: &dyn Spans, room: &mut Room) {
        let vertices = self.edges.iter().map(|edge| edge.u.max(edge.v) as usize + 1).max();
        let mut span: Vec<Option<(usize, usize)>> = vec![None; vertices.unwrap_or(0)];
        for edge in &self.edges {
            let Some((first, last)) = self.present.and_then(|color| spans.span(edge.item, color))
            else {
                continue;
            };
            for end in [edge.u, edge.v] {
                let (from, to) = span[end as usize].unwrap_or((first, last));
                span[end as usize] = Some((from.min(first), to.max(last)));
            }
        }
        self.closed = Some(room.claim(1, 0, usize::MAX));
        self.slots = Slots::new(&span, MATE, room);
        let slot = |end: u32| self.slots.slot[end as usize].unwrap_or(0);
        self.ends = self.edges.iter().map(|edge| (slot(edge.u), slot(edge.v))).collect();
    }

    fn watches(&self, item: ItemId, color: Color) -> bool {
        Some(color) == self.present && self.edge(item) != NO_EDGE
    }

    fn fixed(&self, _: usize, item: ItemId, _: Color, state: &mut [u64]) -> Verdict {
        let Some(closed) = self.closed else { return Verdict::Refuse };
        self.join(self.edge(item), closed, state)
    }

    fn forgets(&self, step: usize) -> bool {
        !self.slots.leaving(step).is_empty()
    }

    fn forget(&self, step: usize, state: &mut [u64]) -> Verdict {
        for &slot in self.slots.leaving(step) {
            let field = self.slots.field(slot.into());
            if field.get(state) >= MATE {
                return Verdict::Refuse;
            }
            field.set(state, FREE);
        }
        Verdict::Fine
    }

    fn complete(&self, state: &[u64]) -> Verdict {
        Verdict::when(self.closed.is_some_and(|closed| closed.get(state) == 1))
    }
}
