//! Why cells are not connected, in terms of the cells that part them.

use std::collections::HashSet;

use super::{ConnectedPropagator, State};
use crate::constraint::connected::lemmas::CUT;
use crate::constraint::{Literal, Reason};

impl ConnectedPropagator {
    pub(super) fn say(&self, cell: u32, holds: bool, out: &mut Reason) {
        if let (Some(color), Some(&item)) = (self.color, self.items.get(cell as usize)) {
            out.literals.push(Literal { item, color, holds });
        }
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
        self.state[cell as usize] != State::Closed
    }

    /// Says that the closed cells around some part keep the rest out.
    fn say_border(&self, border: &[u32], but: u32, out: &mut Reason) {
        border.iter().filter(|&&cell| cell != but).for_each(|&cell| self.say(cell, false, out));
    }

    /// A due cell on each side of `cut`, and the closed cells around one side, on which `start` is.
    pub(super) fn explain_part(&self, start: u32, cut: u32, out: &mut Reason) {
        out.lemma = CUT;
        let (inside, border) = self.part(start, |cell| cell != cut && self.is_open(cell));
        let due = |cell: &u32| self.state[*cell as usize] == State::Due;
        inside.iter().copied().find(due).into_iter().for_each(|cell| self.say(cell, true, out));
        if let Some(&root) = self.due.first() {
            self.say(root, true, out);
        }
        self.say_border(&border, cut, out);
    }

    /// A due cell, and the closed cells that part it from `cell`.
    pub(super) fn explain_unreached(&self, cell: u32, out: &mut Reason) {
        out.lemma = CUT;
        let (_, border) = self.part(cell, |near| self.is_open(near));
        if let Some(&root) = self.due.first() {
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
