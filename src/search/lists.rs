//! Lists of options: their nodes where numbers have 32 bits, and what constraints ask of them: to forbid the options that
//! give an item some color, or others.

use crate::constraint::{Explanation, Moves, Uses};
use crate::ids::{Color, ItemId};

/// A node of dancing links: an option in the list of an item, or the head of such a list.
#[derive(Clone, Copy, Debug)]
pub struct ListNode {
    /// The node above in the list.
    pub up: u32,
    /// The node below.
    pub down: u32,
    /// The item.
    pub item: u32,
    /// The number of the color, 0 for none.
    pub color: u32,
}

/// Dancing links, as far as constraints see them: a list of nodes for each item, each an option's.
pub trait Lists {
    /// The number of a node.
    type Node: Copy + PartialEq;

    /// The head of the list of `item`.
    fn head(&self, item: ItemId) -> Self::Node;

    /// The node below `node` in its list, and the color that the option of `node` gives the item.
    fn below(&self, node: Self::Node) -> (Self::Node, u32);

    /// Takes the option of `node` out of all lists, that of `node` included, until the current choice is undone. The
    /// node still knows the one below it.
    fn forbid_option(&mut self, node: Self::Node);
}

/// Forbids all options that give `item`, which is not fixed, a color like that.
fn forbid_where<L: Lists>(lists: &mut L, item: ItemId, unwanted: impl Fn(u32) -> bool) {
    let head = lists.head(item);
    let (mut node, _) = lists.below(head);
    while node != head {
        let (below, color) = lists.below(node);
        if unwanted(color) {
            lists.forbid_option(node);
        }
        node = below;
    }
}

impl<L: Lists> Moves for L {
    fn forbid(&mut self, item: ItemId, color: Color, _: Explanation<'_>) {
        forbid_where(self, item, |given| given == color.raw());
    }

    fn require(&mut self, item: ItemId, color: Color, _: Explanation<'_>) {
        forbid_where(self, item, |given| given != color.raw());
    }

    fn uses(&self, item: ItemId, color: Color) -> Uses {
        let head = self.head(item);
        let mut uses = Uses { with: false, without: false };
        let (mut node, _) = self.below(head);
        while node != head && !(uses.with && uses.without) {
            let (below, given) = self.below(node);
            uses.with |= given == color.raw();
            uses.without |= given != color.raw();
            node = below;
        }
        uses
    }
}
