//! `--connected` as an automaton: the components of the cells on the frontier.
//!
//! A cell is on the frontier from the first step at which it may get the color to the last one at which
//! it or a neighbor may. It has a label: 0 without the color, else one more than the least slot of its
//! component. When the last cell of a component leaves, that component is all there is: no other one may
//! be there, and no cell may get the color any more.

use crate::constraint::Verdict;
use crate::constraint::automaton::{Automaton, Field, Room, Slots, Spans};
use crate::constraint::connected::propagator::NO_CELL;
use crate::ids::{Color, ItemId};

/// Why there are fields.
const PLANNED: &str = "the steps were planned before the first one";

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Labels {
    color: Option<Color>,
    items: Vec<ItemId>,
    around: Vec<[u32; 4]>,
    cell_of: Vec<u32>,
    first_secondary: usize,
    /// By cell: the step at which it enters the frontier.
    enters: Vec<usize>,
    slots: Slots,
    done: Option<Field>,
}

impl Labels {
    pub(super) fn new(
        color: Option<Color>,
        items: &[ItemId],
        around: &[[u32; 4]],
        cell_of: &[u32],
        first_secondary: usize,
    ) -> Self {
        Labels {
            color,
            items: items.to_vec(),
            around: around.to_vec(),
            cell_of: cell_of.to_vec(),
            first_secondary,
            enters: Vec::new(),
            slots: Slots::default(),
            done: None,
        }
    }

    fn cell(&self, item: ItemId) -> u32 {
        self.cell_of[item.index() - self.first_secondary]
    }
}

impl Automaton for Labels {
    fn plan(&mut self, spans: &dyn Spans, room: &mut Room) {
        let own: Vec<Option<(usize, usize)>> = self
            .items
            .iter()
            .map(|&item| self.color.and_then(|color| spans.span(item, color)))
            .collect();
        let span: Vec<Option<(usize, usize)>> = own
            .iter()
            .zip(&self.around)
            .map(|(&own_span, around)| {
                let (first, last) = own_span?;
                let beside = around.iter().filter_map(|&cell| *own.get(cell as usize)?);
                Some((first, beside.fold(last, |last, (_, other)| last.max(other))))
            })
            .collect();
        self.enters = span.iter().map(|span| span.map_or(usize::MAX, |span| span.0)).collect();
        self.done = Some(room.claim(1, 0, usize::MAX));
        self.slots = Slots::new(&span, 1, room);
    }

    fn depends_on(&self, item: ItemId, color: Color) -> bool {
        Some(color) == self.color && self.cell(item) != NO_CELL
    }

    fn fixed(&self, step: usize, item: ItemId, _: Color, state: &mut [u64]) -> Verdict {
        let cell = self.cell(item) as usize;
        let slot = self.slots.slot[cell].expect("a cell that gets the color is on the frontier");
        if self.done.expect(PLANNED).get(state) == 1 {
            return Verdict::Refuse;
        }
        let mut label = u64::from(slot) + 1;
        self.slots.field(slot.into()).set(state, label);
        for &cell in &self.around[cell] {
            let cell = cell as usize;
            // A neighbor that never has the color has no slot, one that comes later not yet.
            let Some(&enters) = self.enters.get(cell) else { continue };
            let (true, Some(slot)) = (enters <= step, self.slots.slot[cell]) else { continue };
            let other = self.slots.field(slot.into()).get(state);
            if other != 0 && other != label {
                self.slots.relabel(label.max(other), label.min(other), state);
                label = label.min(other);
            }
        }
        Verdict::Fine
    }

    fn projects(&self, step: usize) -> bool {
        !self.slots.leaving(step).is_empty()
    }

    fn project(&self, step: usize, state: &mut [u64]) -> Verdict {
        let done = self.done.expect(PLANNED);
        for &slot in self.slots.leaving(step) {
            let slot = u64::from(slot);
            let label = self.slots.field(slot).get(state);
            self.slots.field(slot).set(state, 0);
            if label == 0 {
                continue;
            }
            let mut labels = self.slots.fields.iter().map(|field| field.get(state));
            match labels.position(|other| other == label) {
                Some(least) if label == slot + 1 => {
                    self.slots.relabel(label, least as u64 + 1, state)
                }
                Some(_) => {}
                None if self.slots.fields.iter().any(|field| field.get(state) != 0) => {
                    return Verdict::Refuse;
                }
                None => done.set(state, 1),
            }
        }
        Verdict::Fine
    }

    /// All cells have left the frontier, and all but one component would have been refused then.
    fn complete(&self, _: &[u64]) -> Verdict {
        Verdict::Fine
    }
}
