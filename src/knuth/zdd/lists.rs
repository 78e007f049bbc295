//! The lists of `dlx6`, which keeps those of secondary items right, too.

use crate::knuth::machine::Machine;

impl Machine {
    /// Takes the option of `node` out of all other lists. A secondary item that no option uses any more
    /// leaves its circle.
    fn drop_memo(&mut self, node: u32) {
        self.each_beside(node, |machine, _, here| {
            if here.color >= 0 {
                machine.nodes[here.up as usize].down = here.down;
                machine.nodes[here.down as usize].up = here.up;
                machine.mems += 3;
            }
            machine.updates += 1;
            machine.mems += 1;
            machine.nodes[here.item as usize].item -= 1;
            if machine.nodes[here.item as usize].item == 0 && here.item as u32 >= machine.second {
                machine.leave(here.item as u32);
            }
        });
    }

    fn restore_memo(&mut self, node: u32) {
        self.each_beside_leftward(node, |machine, at, here| {
            if here.color >= 0 {
                machine.nodes[here.up as usize].down = at;
                machine.nodes[here.down as usize].up = at;
                machine.mems += 3;
            }
            machine.mems += 1;
            machine.nodes[here.item as usize].item += 1;
            if machine.nodes[here.item as usize].item == 1 && here.item as u32 >= machine.second {
                machine.join(here.item as u32);
            }
        });
    }

    pub(super) fn cover_memo(&mut self, item: u32) {
        self.leave(item);
        self.updates += 1;
        self.each_in_list(item, Self::drop_memo);
    }

    pub(super) fn uncover_memo(&mut self, item: u32) {
        self.each_in_list_upward(item, Self::restore_memo);
        self.join(item);
    }

    fn purify_memo(&mut self, of: u32) {
        let (item, color) = (self.nodes[of as usize].item, self.nodes[of as usize].color);
        self.nodes[item as usize].color = color;
        let mut length = self.nodes[item as usize].item;
        self.cleansings += 1;
        self.mems += 3;
        self.settle_list(item as u32, color, |machine, node| {
            length -= 1;
            machine.drop_memo(node);
        });
        self.mems += 1;
        // A length of -1 remembers that the item has left its circle.
        self.nodes[item as usize].item = if length > 0 { length } else { -1 };
        if length <= 0 {
            self.leave(item as u32);
        }
    }

    fn unpurify_memo(&mut self, of: u32) {
        let (item, color) = (self.nodes[of as usize].item, self.nodes[of as usize].color);
        self.nodes[item as usize].color = 0;
        let mut length = self.nodes[item as usize].item;
        self.mems += 3;
        if length < 0 {
            length = 0;
            self.join(item as u32);
        }
        self.unsettle_list(item as u32, color, |machine, node| {
            length += 1;
            machine.restore_memo(node);
        });
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
