//! `--acyclic` as an automaton: the components of the vertices on the frontier.
//!
//! A vertex is on the frontier while one of its edges may still become present, that is from the first to the last
//! step at which an option has such an edge with color `1`. It has a label: 0 if no other vertex on the frontier
//! is in its component, else one more than the least slot of its component. An edge between two vertices of one label
//! other than 0 closes a cycle. Vertices that have left cannot be on another cycle, so that they are forgotten (Kyoko
//! Sekine, Hiroshi Imai, Seiichiro Tani: Computing the Tutte Polynomial of a Graph of Moderate Size, 1995, where the
//! partition of the frontier is the state, too).

use crate::constraint::Verdict;
use crate::constraint::automaton::{Automaton, Room, Slots, Spans};
use crate::constraint::graph::{Edge, EdgeItems, NO_EDGE};
use crate::ids::{Color, ItemId};

/// The label of a vertex whose component has no other one on the frontier.
const ALONE: u64 = 0;

/// See the [module](self).
#[derive(Clone, Debug)]
pub(super) struct Partition {
    edges: EdgeItems,
    slots: Slots,
}

impl Partition {
    pub(super) fn new(edges: EdgeItems) -> Self {
        Partition { edges, slots: Slots::default() }
    }

    fn slot(&self, vertex: u32) -> u64 {
        let slot = self.slots.slot[vertex as usize];
        u64::from(slot.expect("an edge that becomes present has its ends on the frontier"))
    }
}

impl Automaton for Partition {
    fn plan(&mut self, spans: &dyn Spans, room: &mut Room) {
        let span = self.edges.vertex_spans(spans);
        self.slots = Slots::new(&span, 1, room);
    }

    fn depends_on(&self, item: ItemId, color: Color) -> bool {
        Some(color) == self.edges.present && self.edges.number(item) != NO_EDGE
    }

    fn fixed(&self, _: usize, item: ItemId, _: Color, state: &mut [u64]) -> Verdict {
        let Edge { u, v, .. } = self.edges[self.edges.number(item) as usize];
        let ends = [self.slot(u), self.slot(v)];
        // A vertex that is alone has the label that it would have as the least of a component.
        let [a, b] = ends.map(|slot| match self.slots.field(slot).get(state) {
            ALONE => slot + 1,
            label => label,
        });
        if a == b {
            return Verdict::Refuse;
        }
        for (slot, label) in ends.into_iter().zip([a, b]) {
            self.slots.field(slot).set(state, label);
        }
        self.slots.relabel(a.max(b), a.min(b), state);
        Verdict::Fine
    }

    fn projects(&self, step: usize) -> bool {
        !self.slots.leaving(step).is_empty()
    }

    fn project(&self, step: usize, state: &mut [u64]) -> Verdict {
        for &slot in self.slots.leaving(step) {
            let slot = u64::from(slot);
            let label = self.slots.field(slot).get(state);
            self.slots.field(slot).set(state, ALONE);
            if label == ALONE {
                continue;
            }
            let mut rest = (0u64..).zip(&self.slots.fields).filter(|(_, f)| f.get(state) == label);
            let least = rest.next().expect("a label has two vertices or more").0;
            let label_of_rest = if rest.next().is_none() { ALONE } else { least + 1 };
            if label_of_rest != label {
                self.slots.relabel(label, label_of_rest, state);
            }
        }
        Verdict::Fine
    }

    /// Each edge was looked at when it became present.
    fn complete(&self, _: &[u64]) -> Verdict {
        Verdict::Fine
    }
}
