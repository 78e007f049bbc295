//! Hiding options for a moment, and back.

use crate::knuth::machine::{Machine, Node};

/// Where hiding came upon an item that would have no option left.
#[derive(Clone, Copy, Debug)]
pub struct Blocked {
    pub item: u32,
    /// The node of the option, the node that clashes with it, and the node next to be hidden.
    at: u32,
    clash: u32,
    node: u32,
}

impl Machine {
    /// Hides the options that have the item without a color; answers with the last primary item that
    /// this leaves without options, or 0.
    pub(super) fn hide_uncolored(&mut self, item: u32) -> u32 {
        let mut empty = 0;
        self.each_uncolored(item, |machine, _, Node { up, down, item, .. }| {
            machine.nodes[up as usize].down = down;
            machine.nodes[down as usize].up = up;
            machine.mems += 4;
            let header = &mut machine.nodes[item as usize];
            header.item -= 1;
            if header.item == 0 && (item as u32) < machine.second {
                empty = item as u32;
            }
        });
        empty
    }

    pub(super) fn unhide_uncolored(&mut self, item: u32) {
        self.each_uncolored(item, |machine, at, Node { up, down, item, .. }| {
            machine.mems += 4;
            machine.nodes[up as usize].down = at;
            machine.nodes[down as usize].up = at;
            machine.nodes[item as usize].item += 1;
        });
    }

    /// Visits the other nodes of the options that have the item without a color.
    fn each_uncolored(&mut self, item: u32, mut visit: impl FnMut(&mut Self, u32, Node)) {
        self.each_in_list(item, |machine, option| {
            machine.mems += 1;
            if machine.pre_node(option).color == 0 {
                machine.each_beside(option, &mut visit);
            }
        });
    }

    /// Hides what clashes with the other items of an option, up to where an item is blocked.
    pub(super) fn hide_clashes(&mut self, option: u32) -> Option<Blocked> {
        let mut at = option + 1;
        loop {
            let Node { up, item, color, .. } = self.pre_node(at);
            self.mems += 1;
            if item <= 0 {
                self.mems += 1;
                at = up;
                if at > option {
                    continue;
                }
                return None;
            }
            self.mems += 1;
            let mut clash = self.pre_node(item as u32).down;
            while clash >= self.last_item {
                if !self.agrees(clash, color)
                    && let Some((item, node)) = self.hide_entries(clash, option)
                {
                    return Some(Blocked { item, at, clash, node });
                }
                self.mems += 1;
                clash = self.pre_node(clash).down;
            }
            at += 1;
        }
    }

    /// Whether the node has this color, which is looked at only if there is one.
    pub(super) fn agrees(&mut self, node: u32, color: i32) -> bool {
        self.mems += u64::from(color > 0);
        color > 0 && self.pre_node(node).color == color
    }

    /// Hides the other nodes of the option of `clash`, up to one that would leave its item, which the
    /// option `taken` does not have, without options.
    pub(super) fn hide_entries(&mut self, clash: u32, taken: u32) -> Option<(u32, u32)> {
        let mut at = clash + 1;
        while at != clash {
            let Node { up, down, item, .. } = self.pre_node(at);
            self.mems += 2;
            if item <= 0 {
                at = up;
                continue;
            }
            let header = &mut self.nodes[item as usize];
            let primary = (item as u32) < self.second;
            if header.item == 1 && primary && header.color != taken as i32 {
                return Some((item as u32, at));
            }
            header.item -= 1;
            self.nodes[up as usize].down = down;
            self.nodes[down as usize].up = up;
            self.mems += 4;
            at += 1;
        }
        None
    }

    /// Undoes it, from the last to the first.
    pub(super) fn unhide_clashes(&mut self, option: u32, blocked: Option<Blocked>) {
        let mut from = blocked;
        let mut at = blocked.map_or(option - 1, |blocked| blocked.at);
        while at != option {
            let (mut clash, color);
            match from {
                Some(blocked) => {
                    clash = blocked.clash;
                    color = self.pre_node(at).color;
                }
                None => {
                    let Node { down, item, color: given, .. } = self.pre_node(at);
                    self.mems += 1;
                    if item <= 0 {
                        self.mems += 1;
                        at = down;
                        continue;
                    }
                    self.mems += 1;
                    clash = self.pre_node(item as u32).up;
                    color = given;
                }
            }
            while clash >= self.last_item {
                match from.take() {
                    Some(blocked) => self.unhide_entries(clash, blocked.node - 1),
                    None if self.agrees(clash, color) => {}
                    None => self.unhide_entries(clash, clash - 1),
                }
                self.mems += 1;
                clash = self.pre_node(clash).up;
            }
            at -= 1;
        }
    }

    /// Puts nodes of the option of `clash` back, from `from` leftward around to `clash`.
    pub(super) fn unhide_entries(&mut self, clash: u32, from: u32) {
        let mut at = from;
        while at != clash {
            let Node { up, down, item, .. } = self.pre_node(at);
            self.mems += 1;
            if item <= 0 {
                self.mems += 1;
                at = down;
                continue;
            }
            self.mems += 5;
            self.nodes[item as usize].item += 1;
            self.nodes[up as usize].down = at;
            self.nodes[down as usize].up = at;
            at -= 1;
        }
    }
}
