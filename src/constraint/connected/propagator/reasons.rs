//! Why cells are not connected, in terms of the cells that part them.

use std::collections::HashSet;

use super::{CellState, ConnectedPropagator};
use crate::constraint::connected::lemmas::CUT;
use crate::constraint::{Literal, Reason};

impl ConnectedPropagator {
    pub(super) fn say(&self, cell: u32, holds: bool, out: &mut Reason) {
        let color = self.color.expect("there is a reason only if an option has the color");
        out.literals.push(Literal { item: self.items[cell as usize], color, holds });
    }

    /// The cells that are connected to `start` by cells that `passes`, and the cells around them,
    /// each once and in order.
    fn part(&self, start: u32, passes: impl Fn(u32) -> bool) -> (Vec<u32>, Vec<u32>) {
        let mut inside = vec![start];
        let mut border = Vec::new();
        let mut seen: HashSet<u32> = HashSet::from([start, self.items.len() as u32]);
        let mut at = 0;
        while at < inside.len() {
            for near in self.around[inside[at] as usize] {
                if seen.insert(near) {
                    if passes(near) { inside.push(near) } else { border.push(near) }
                }
            }
            at += 1;
        }
        border.sort_unstable();
        (inside, border)
    }

    pub(super) fn is_open(&self, cell: u32) -> bool {
        self.state[cell as usize] != CellState::Closed
    }

    /// Appends that the closed cells around some part do not have the color.
    fn say_border(&self, border: &[u32], but: u32, out: &mut Reason) {
        border.iter().filter(|&&cell| cell != but).for_each(|&cell| self.say(cell, false, out));
    }

    /// A required cell on each side of `cut`, and the closed cells around one side, on which `start` is.
    pub(super) fn explain_part(&self, start: u32, cut: u32, out: &mut Reason) {
        out.lemma = CUT;
        let (inside, border) = self.part(start, |cell| cell != cut && self.is_open(cell));
        let required = |cell: &u32| self.state[*cell as usize] == CellState::Required;
        inside
            .iter()
            .copied()
            .find(required)
            .into_iter()
            .for_each(|cell| self.say(cell, true, out));
        if let Some(&root) = self.required.first() {
            self.say(root, true, out);
        }
        self.say_border(&border, cut, out);
    }

    /// A required cell, and the closed cells that part it from `cell`.
    pub(super) fn explain_unreached(&self, cell: u32, out: &mut Reason) {
        out.lemma = CUT;
        let (_, border) = self.part(cell, |near| self.is_open(near));
        if let Some(&root) = self.required.first() {
            self.say(root, true, out);
        }
        self.say_border(&border, cell, out);
    }

    /// Two of these cells that `passes` does not connect, and the cells around the smaller part.
    pub(super) fn explain_apart(
        &self,
        cells: &[u32],
        passes: impl Fn(u32) -> bool,
        out: &mut Reason,
    ) {
        out.lemma = CUT;
        let Some(&root) = cells.first() else { return };
        let (inside, border) = self.part(root, &passes);
        let inside: HashSet<u32> = inside.into_iter().collect();
        let Some(&other) = cells.iter().find(|cell| !inside.contains(cell)) else { return };
        let (_, other_border) = self.part(other, &passes);
        self.say(root, true, out);
        self.say(other, true, out);
        let smaller = if other_border.len() < border.len() { other_border } else { border };
        self.say_border(&smaller, self.items.len() as u32, out);
    }
}
