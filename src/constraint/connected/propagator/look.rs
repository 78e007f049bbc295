//! When to search the open cells, and what follows from a search.
//!
//! A search finds nothing new unless
//!
//! * a cell was closed that parted open cells just before;
//! * or a free cell parts open cells that did not before (both are known from the [`clusters`](super::clusters));
//! * or a free cell parted open cells all along, with no required cell on one side: a *hinge*. Whatever becomes required
//!   there makes it required, too;
//! * or there was no required cell to search from, or the root was not examined yet: then everything is new.

use super::{CellChange, CellState, ConnectedPropagator};
use crate::constraint::Moves;
use crate::ids::Color;

impl ConnectedPropagator {
    /// Whether a search of the open cells might find anything, after something has changed.
    pub(super) fn needs_look(&mut self) -> bool {
        let ConnectedPropagator { clusters, state, hinges, work, .. } = self;
        let parts =
            |cell: u32| state[cell as usize] == CellState::Free && clusters.parts(cell, state);
        if self.everything || self.torn || hinges.iter().any(|&cell| parts(cell)) {
            return true;
        }
        *work += clusters.rim().len() as u64;
        clusters.around_rim().any(parts)
    }

    /// A look is over: notes the free cells that part open ones nevertheless.
    pub(super) fn note_hinges(&mut self) {
        let ConnectedPropagator { clusters, state, hinges, is_hinge, trail, free, .. } = self;
        let mut note = |cell: u32| {
            let is_new = state[cell as usize] == CellState::Free && !is_hinge[cell as usize];
            if is_new && clusters.parts(cell, state) {
                is_hinge[cell as usize] = true;
                hinges.push(cell);
                trail.push(CellChange::Hinge);
            }
        };
        match self.everything {
            true => (0..free.len()).for_each(|place| note(free.get(place))),
            false => clusters.around_rim().for_each(note),
        }
    }

    /// What there was to look at has been looked at.
    pub(super) fn has_looked(&mut self) {
        self.clusters.forget_rim();
        (self.changed, self.everything, self.torn) = (false, false, false);
        self.rooted |= self.trail.levels() == 0;
    }

    /// Steps 2 and 3, after a search from a required cell has reached all required cells.
    pub(super) fn force(&mut self, moves: &mut dyn Moves, color: Color) {
        for place in (0..self.free.len()).rev() {
            let cell = self.free.get(place);
            if !self.reach.has_reached(cell) {
                self.close(cell);
                let item = self.items[cell as usize];
                moves.forbid(item, color, &|out| self.explain_unreached(cell, out));
            }
        }
        while let Some((cell, below)) = self.reach.pop_cut() {
            if self.state[cell as usize] == CellState::Free {
                self.require_cell(cell);
                let item = self.items[cell as usize];
                moves.require(item, color, &|out| self.explain_part(below, cell, out));
            }
        }
    }
}
