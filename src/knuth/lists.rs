//! The moves of Algorithm C (TAOCP 7.2.2.1) on the lists of [`Machine`], and the walks of which those of
//! the other programs are made. What a walk costs is the same in all of them.

use crate::knuth::machine::{Machine, Neighbors, Node};
use crate::knuth::{Console, Program};

impl Machine {
    /// The item leaves its circle.
    pub(super) fn leave(&mut self, item: u32) {
        let Neighbors { before, next } = self.items[item as usize];
        self.items[before as usize].next = next;
        self.items[next as usize].before = before;
        self.mems += 3;
    }

    /// Undoes `leave`.
    pub(super) fn join(&mut self, item: u32) {
        let Neighbors { before, next } = self.items[item as usize];
        self.items[before as usize].next = item;
        self.items[next as usize].before = item;
        self.mems += 3;
    }

    /// Visits the nodes in the list of an item, downward.
    #[inline(always)]
    pub(super) fn each_in_list(&mut self, item: u32, mut visit: impl FnMut(&mut Self, u32)) {
        self.mems += 1;
        let mut node = self.nodes[item as usize].down;
        while node >= self.last_item {
            visit(self, node);
            self.mems += 1;
            node = self.nodes[node as usize].down;
        }
    }

    /// The same upward.
    #[inline(always)]
    pub(super) fn each_in_list_upward(&mut self, item: u32, mut visit: impl FnMut(&mut Self, u32)) {
        self.mems += 1;
        let mut node = self.nodes[item as usize].up;
        while node >= self.last_item {
            visit(self, node);
            self.mems += 1;
            node = self.nodes[node as usize].up;
        }
    }

    /// Visits the other nodes of an option, rightward and around. Reading one takes two mems, as the
    /// programs have it that do not look at its color first.
    #[inline(always)]
    pub(super) fn each_beside(&mut self, option: u32, mut visit: impl FnMut(&mut Self, u32, Node)) {
        let mut at = option + 1;
        while at != option {
            let node = self.nodes[at as usize];
            self.mems += 2;
            if node.item <= 0 {
                at = node.up;
                continue;
            }
            visit(self, at, node);
            at += 1;
        }
    }

    /// The same leftward.
    #[inline(always)]
    pub(super) fn each_beside_leftward(
        &mut self,
        option: u32,
        mut visit: impl FnMut(&mut Self, u32, Node),
    ) {
        let mut at = option - 1;
        while at != option {
            let node = self.nodes[at as usize];
            self.mems += 2;
            if node.item <= 0 {
                at = node.down;
                continue;
            }
            visit(self, at, node);
            at -= 1;
        }
    }

    /// Marks the nodes in the list of an item whose color is that of a choice; `drop` sees the others.
    #[inline(always)]
    pub(super) fn settle_list(
        &mut self,
        item: u32,
        color: i32,
        mut drop: impl FnMut(&mut Self, u32),
    ) {
        self.each_in_list(item, |machine, node| {
            machine.mems += 1;
            if machine.nodes[node as usize].color == color {
                machine.cleansings += 1;
                machine.mems += 1;
                machine.nodes[node as usize].color = -1;
            } else {
                drop(machine, node);
            }
        });
    }

    /// Undoes that, upward; `restore` sees what `drop` saw.
    #[inline(always)]
    pub(super) fn unsettle_list(
        &mut self,
        item: u32,
        color: i32,
        mut restore: impl FnMut(&mut Self, u32),
    ) {
        self.each_in_list_upward(item, |machine, node| {
            machine.mems += 1;
            if machine.nodes[node as usize].color < 0 {
                machine.mems += 1;
                machine.nodes[node as usize].color = color;
            } else {
                restore(machine, node);
            }
        });
    }

    fn unlink(&mut self, node: Node) {
        self.nodes[node.up as usize].down = node.down;
        self.nodes[node.down as usize].up = node.up;
        self.nodes[node.item as usize].item -= 1;
        self.updates += 1;
        self.relinked(node);
    }

    fn relink(&mut self, at: u32, node: Node) {
        self.nodes[node.up as usize].down = at;
        self.nodes[node.down as usize].up = at;
        self.nodes[node.item as usize].item += 1;
        self.relinked(node);
    }

    /// The mems of both: two links, and a length that is read and written.
    #[inline(always)]
    fn relinked(&mut self, node: Node) {
        self.mems += 4;
        if node.item as u32 >= self.second {
            self.length_mems += 2;
        }
    }

    /// Visits the other nodes of an option, rightward and around, except those of items whose color
    /// is settled.
    #[inline(always)]
    pub fn each_other(&mut self, option: u32, visit: impl Fn(&mut Self, u32, Node)) {
        let mut at = option + 1;
        while at != option {
            let node = self.nodes[at as usize];
            self.mems += 1;
            if node.color >= 0 {
                self.mems += 1;
                if node.item <= 0 {
                    at = node.up;
                    continue;
                }
                visit(self, at, node);
            }
            at += 1;
        }
    }

    /// Takes the other nodes of an option out of their lists, rightward and around.
    fn hide(&mut self, option: u32) {
        self.each_other(option, |machine, _, node| machine.unlink(node));
    }

    /// Puts them back, in the same order.
    fn unhide(&mut self, option: u32) {
        self.each_other(option, Self::relink);
    }

    /// Puts them back leftward.
    fn unhide_leftward(&mut self, option: u32) {
        let mut at = option - 1;
        while at != option {
            let node = self.nodes[at as usize];
            self.mems += 1;
            if node.color >= 0 {
                self.mems += 1;
                if node.item <= 0 {
                    at = node.down;
                    continue;
                }
                self.relink(at, node);
            }
            at -= 1;
        }
    }

    /// The item leaves the circle of items, its options all other lists.
    pub(super) fn cover(&mut self, item: u32) {
        self.leave(item);
        self.updates += 1;
        self.each_in_list(item, Self::hide);
    }

    /// Undoes `cover`. The lists are walked in the same direction, which does no harm.
    pub(super) fn uncover(&mut self, item: u32) {
        self.each_in_list(item, Self::unhide);
        self.join(item);
    }

    /// Gives the item of node `of` its color; options with another color leave all other lists.
    /// Answers false, and does nothing, if that edge must not be added.
    fn purify(&mut self, of: u32, console: &mut dyn Console) -> bool {
        let Node { item, color, .. } = self.nodes[of as usize];
        self.mems += 1;
        if self.is_present_edge(item as u32, color) && !self.add_edge(item as u32, console) {
            return false;
        }
        self.nodes[item as usize].color = color;
        self.cleansings += 1;
        self.settle_list(item as u32, color, Self::hide);
        true
    }

    /// Undoes `purify`, upward and leftward.
    fn unpurify(&mut self, of: u32, console: &mut dyn Console) {
        let Node { item, color, .. } = self.nodes[of as usize];
        self.mems += 1;
        if self.settings.program == Program::Dlx2Loop {
            self.nodes[item as usize].color = 0;
        }
        if self.is_present_edge(item as u32, color) {
            self.remove_edge(item as u32, console);
        }
        self.unsettle_list(item as u32, color, Self::unhide_leftward);
    }

    /// Covers or purifies the other items of an option. False if that was cut short at a node that
    /// must not be taken; what was done before it is undone then.
    pub(super) fn commit(&mut self, option: u32, console: &mut dyn Console) -> bool {
        let mut at = option + 1;
        while at != option {
            let Node { up, item, color, .. } = self.nodes[at as usize];
            self.mems += 1;
            if item <= 0 {
                self.mems += 1;
                at = up;
                continue;
            }
            if color == 0 {
                self.cover(item as u32);
            } else if color > 0 && !self.purify(at, console) {
                self.uncommit(option, at, console);
                return false;
            }
            at += 1;
        }
        true
    }

    /// Undoes that for the nodes to the left of `from`, around to `option`.
    pub(super) fn uncommit(&mut self, option: u32, from: u32, console: &mut dyn Console) {
        let mut at = from - 1;
        while at != option {
            let Node { down, item, color, .. } = self.nodes[at as usize];
            self.mems += 1;
            if item <= 0 {
                self.mems += 1;
                at = down;
                continue;
            }
            if color == 0 {
                self.uncover(item as u32);
            } else if color > 0 {
                self.unpurify(at, console);
            }
            at -= 1;
        }
    }
}
