//! The lists of `dlx6`, which keeps those of secondary items right, too.

use crate::search::knuth::machine::{Machine, Neighbors};

impl Machine {
    /// A secondary item leaves the circle of those that some option uses.
    pub(super) fn leave_secondary(&mut self, item: u32) {
        let Neighbors { before, next } = self.items[item as usize];
        self.items[before as usize].next = next;
        self.items[next as usize].before = before;
        self.mems += 3;
    }

    pub(super) fn join_secondary(&mut self, item: u32) {
        let Neighbors { before, next } = self.items[item as usize];
        self.items[before as usize].next = item;
        self.items[next as usize].before = item;
        self.mems += 3;
    }

    /// Takes the option of `node` out of all other lists.
    pub(super) fn drop_memo(&mut self, node: u32) {
        let mut at = node + 1;
        while at != node {
            let here = self.nodes[at as usize];
            self.mems += 1;
            if here.item <= 0 {
                self.mems += 1;
                at = here.up;
                continue;
            }
            if here.color >= 0 {
                self.nodes[here.up as usize].down = here.down;
                self.nodes[here.down as usize].up = here.up;
                self.mems += 3;
            }
            self.updates += 1;
            self.mems += 2;
            self.nodes[here.item as usize].item -= 1;
            if self.nodes[here.item as usize].item == 0 && here.item as u32 >= self.second {
                self.leave_secondary(here.item as u32);
            }
            at += 1;
        }
    }

    pub(super) fn restore_memo(&mut self, node: u32) {
        let mut at = node - 1;
        while at != node {
            let here = self.nodes[at as usize];
            self.mems += 1;
            if here.item <= 0 {
                self.mems += 1;
                at = here.down;
                continue;
            }
            if here.color >= 0 {
                self.nodes[here.up as usize].down = at;
                self.nodes[here.down as usize].up = at;
                self.mems += 3;
            }
            self.mems += 2;
            self.nodes[here.item as usize].item += 1;
            if self.nodes[here.item as usize].item == 1 && here.item as u32 >= self.second {
                self.join_secondary(here.item as u32);
            }
            at -= 1;
        }
    }

    pub(super) fn cover_memo(&mut self, item: u32) {
        self.leave_secondary(item);
        self.updates += 1;
        self.mems += 1;
        let mut node = self.nodes[item as usize].down;
        while node >= self.last_item {
            self.drop_memo(node);
            self.mems += 1;
            node = self.nodes[node as usize].down;
        }
    }

    pub(super) fn uncover_memo(&mut self, item: u32) {
        self.mems += 1;
        let mut node = self.nodes[item as usize].up;
        while node >= self.last_item {
            self.restore_memo(node);
            self.mems += 1;
            node = self.nodes[node as usize].up;
        }
        self.join_secondary(item);
    }

    pub(super) fn purify_memo(&mut self, of: u32) {
        let (item, color) = (self.nodes[of as usize].item, self.nodes[of as usize].color);
        self.nodes[item as usize].color = color;
        let mut length = self.nodes[item as usize].item;
        self.cleansings += 1;
        self.mems += 4;
        let mut node = self.nodes[item as usize].down;
        while node >= self.last_item {
            self.mems += 1;
            if self.nodes[node as usize].color == color {
                self.cleansings += 1;
                self.mems += 1;
                self.nodes[node as usize].color = -1;
            } else {
                length -= 1;
                self.drop_memo(node);
            }
            self.mems += 1;
            node = self.nodes[node as usize].down;
        }
        self.mems += 1;
        // A length of -1 remembers that the item has left its circle.
        self.nodes[item as usize].item = if length > 0 { length } else { -1 };
        if length <= 0 {
            self.leave_secondary(item as u32);
        }
    }

    pub(super) fn unpurify_memo(&mut self, of: u32) {
        let (item, color) = (self.nodes[of as usize].item, self.nodes[of as usize].color);
        self.nodes[item as usize].color = 0;
        let mut length = self.nodes[item as usize].item;
        self.mems += 4;
        if length < 0 {
            length = 0;
            self.join_secondary(item as u32);
        }
        let mut node = self.nodes[item as usize].up;
        while node >= self.last_item {
            self.mems += 1;
            if self.nodes[node as usize].color < 0 {
                self.mems += 1;
                self.nodes[node as usize].color = color;
            } else {
                length += 1;
                self.restore_memo(node);
            }
            self.mems += 1;
            node = self.nodes[node as usize].up;
        }
        self.mems += 1;
        self.nodes[item as usize].item = length;
    }

    /// Whether an item has to be covered or colored: a secondary one without options has not.
    pub(super) fn is_active(&mut self, item: u32) -> bool {
        if item < self.second {
            return true;
        }
        self.mems += 1;
        self.nodes[item as usize].item != 0
    }

    pub(super) fn commit_memo(&mut self, option: u32) {
        let mut at = option + 1;
        while at != option {
            let here = self.nodes[at as usize];
            self.mems += 1;
            if here.item <= 0 {
                self.mems += 1;
                at = here.up;
                continue;
            }
            if self.is_active(here.item as u32) {
                match here.color {
                    0 => self.cover_memo(here.item as u32),
                    1.. => self.purify_memo(at),
                    _ => {}
                }
            }
            at += 1;
        }
    }

    /// Undoes that. Answers with the number of the option.
    pub(super) fn uncommit_memo(&mut self, option: u32) -> i32 {
        let (mut at, mut number) = (option - 1, 0);
        while at != option {
            let here = self.nodes[at as usize];
            self.mems += 1;
            if here.item <= 0 {
                self.mems += 1;
                number = 1 - here.item;
                at = here.down;
                continue;
            }
            if self.is_active(here.item as u32) {
                match here.color {
                    0 => self.uncover_memo(here.item as u32),
                    1.. => self.unpurify_memo(at),
                    _ => {}
                }
            }
            at -= 1;
        }
        number
    }
}
