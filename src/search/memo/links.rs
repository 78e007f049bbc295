//! Dancing links that also know how many options a secondary item has left.
//!
//! Knuth's `dlx6` needs these lengths, unlike `dlx2`: a secondary item that no remaining option uses
//! makes no difference to what can still happen. So when an option leaves, the lengths of all its items
//! go down, those with the right color included, which otherwise stay in their lists.

use crate::problem::Problem;
use crate::search::lists::ListNode;

/// The item of a spacer behind an option. There `up` is the first node of the option, and `color` its number.
const SPACER: u32 = u32::MAX;

/// The color of a node while its item has this color.
const RIGHT: u32 = u32::MAX;

/// Not colored, in [`MemoLists::color`].
pub const OPEN: u32 = 0;

/// The lists of a problem.
#[derive(Debug)]
pub struct MemoLists {
    /// The heads of the items come first, then the options with a spacer after each.
    nodes: Vec<ListNode>,
    items: u32,
    primary: u32,
    lengths: Vec<u32>,
    /// By item: whether it is covered.
    covered: Vec<bool>,
    /// By secondary item, and primary ones for simplicity: its color, or [`OPEN`].
    colors: Vec<u32>,
    /// Entries that were taken out of lists.
    updates: u64,
}

impl MemoLists {
    /// Nothing is covered yet.
    pub fn new(problem: &Problem) -> Self {
        let items = problem.items() as u32;
        let header = |item| ListNode { up: item, down: item, item, color: 0 };
        let mut nodes: Vec<ListNode> = (0..items).map(header).collect();
        nodes.reserve(problem.entries() + problem.options() + 1);
        let spacer = |first, number| ListNode { up: first, down: 0, item: SPACER, color: number };
        nodes.push(spacer(0, 0));
        let mut lengths = vec![0; items as usize];
        for (option, number) in problem.option_ids().zip(0..) {
            let first = nodes.len() as u32;
            for entry in problem.option(option) {
                let (at, item) = (nodes.len() as u32, entry.item.raw());
                let up = nodes[item as usize].up;
                nodes.push(ListNode { up, down: item, item, color: entry.color.raw() });
                nodes[up as usize].down = at;
                nodes[item as usize].up = at;
                lengths[item as usize] += 1;
            }
            nodes.push(spacer(first, number));
        }
        let (covered, colors) = (vec![false; items as usize], vec![OPEN; items as usize]);
        let primary = problem.primary() as u32;
        MemoLists { nodes, items, primary, lengths, covered, colors, updates: 0 }
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<ListNode>() + self.items as usize * 9
    }

    /// How many entries were taken out of lists so far; they were put back in the same time.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// Number of nodes.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Number of items.
    pub fn items(&self) -> u32 {
        self.items
    }

    /// Whether `item` must be covered.
    pub fn is_primary(&self, item: u32) -> bool {
        item < self.primary
    }

    /// Number of options that `item` has left.
    #[inline]
    pub fn length(&self, item: u32) -> u32 {
        self.lengths[item as usize]
    }

    /// Whether `item` still matters: it is to be covered, or some option that is left uses it.
    #[inline]
    pub fn matters(&self, item: u32) -> bool {
        !self.covered[item as usize] && (item < self.primary || self.lengths[item as usize] > 0)
    }

    /// The color that `item` got, or [`OPEN`].
    #[inline]
    pub fn color(&self, item: u32) -> u32 {
        self.colors[item as usize]
    }

    /// The first option of `item`, as a node; `item` itself if there is none.
    #[inline]
    pub fn first(&self, item: u32) -> u32 {
        self.nodes[item as usize].down
    }

    /// The option after this one in the list of its item; the item itself after the last one.
    #[inline]
    pub fn next(&self, node: u32) -> u32 {
        self.nodes[node as usize].down
    }

    /// The first node of the option of `node`.
    pub fn start(&self, node: u32) -> u32 {
        let mut at = node;
        while self.nodes[at as usize].item != SPACER {
            at += 1;
        }
        self.nodes[at as usize].up
    }

    /// The number of the option of `node`.
    pub fn number(&self, node: u32) -> u32 {
        self.nodes[self.end(node) as usize + 1].color
    }

    /// The items of the option that starts at `start`, and whether they have the color that the option
    /// gives them already.
    pub fn option(&self, start: u32) -> impl Iterator<Item = (u32, bool)> + '_ {
        let nodes = self.nodes[start as usize..].iter().take_while(|node| node.item != SPACER);
        nodes.map(|node| (node.item, node.color == RIGHT))
    }

    /// Takes the option of `node` out of all other lists.
    fn hide(&mut self, node: u32) {
        let mut at = node + 1;
        while at != node {
            let ListNode { up, down, item, color } = self.nodes[at as usize];
            if item == SPACER {
                at = up;
                continue;
            }
            if color != RIGHT {
                self.nodes[up as usize].down = down;
                self.nodes[down as usize].up = up;
            }
            self.lengths[item as usize] -= 1;
            self.updates += 1;
            at += 1;
        }
    }

    /// Undoes `hide`.
    fn unhide(&mut self, node: u32) {
        let mut at = node + 1;
        while at != node {
            let ListNode { up, down, item, color } = self.nodes[at as usize];
            if item == SPACER {
                at = up;
                continue;
            }
            if color != RIGHT {
                self.nodes[up as usize].down = at;
                self.nodes[down as usize].up = at;
            }
            self.lengths[item as usize] += 1;
            at += 1;
        }
    }

    /// Covers `item`: its options leave all other lists.
    pub fn cover(&mut self, item: u32) {
        self.covered[item as usize] = true;
        let mut node = self.nodes[item as usize].down;
        while node != item {
            self.hide(node);
            node = self.nodes[node as usize].down;
        }
    }

    /// Undoes `cover`.
    pub fn uncover(&mut self, item: u32) {
        let mut node = self.nodes[item as usize].up;
        while node != item {
            self.unhide(node);
            node = self.nodes[node as usize].up;
        }
        self.covered[item as usize] = false;
    }

    /// Gives the item of `of` its color.
    fn purify(&mut self, of: u32) {
        let ListNode { item, color, .. } = self.nodes[of as usize];
        self.colors[item as usize] = color;
        let mut node = self.nodes[item as usize].down;
        let mut right = 0;
        while node != item {
            if self.nodes[node as usize].color == color {
                self.nodes[node as usize].color = RIGHT;
                right += 1;
            } else {
                self.hide(node);
            }
            node = self.nodes[node as usize].down;
        }
        self.lengths[item as usize] = right;
    }

    /// Undoes `purify`.
    fn unpurify(&mut self, of: u32) {
        let ListNode { item, color, .. } = self.nodes[of as usize];
        let mut node = self.nodes[item as usize].up;
        let mut length = 0;
        while node != item {
            if self.nodes[node as usize].color == RIGHT {
                self.nodes[node as usize].color = color;
            } else {
                self.unhide(node);
            }
            length += 1;
            node = self.nodes[node as usize].up;
        }
        self.lengths[item as usize] = length;
        self.colors[item as usize] = OPEN;
    }

    /// Covers or colors the other items of the option of `node`, whose item is covered.
    pub fn commit(&mut self, node: u32) {
        let mut at = node + 1;
        while at != node {
            let ListNode { up, item, color, .. } = self.nodes[at as usize];
            if item == SPACER {
                at = up;
                continue;
            }
            match color {
                0 => self.cover(item),
                RIGHT => {}
                _ => self.purify(at),
            }
            at += 1;
        }
    }

    /// Undoes `commit`.
    pub fn uncommit(&mut self, node: u32) {
        let mut at = node - 1;
        while at != node {
            let ListNode { item, color, .. } = self.nodes[at as usize];
            if item == SPACER {
                // The last node of this option: its spacer's neighbor.
                at = self.end(node);
                continue;
            }
            match color {
                0 => self.uncover(item),
                RIGHT => {}
                _ => self.unpurify(at),
            }
            at -= 1;
        }
    }

    /// The last node of the option of `node`.
    fn end(&self, node: u32) -> u32 {
        let mut at = node;
        while self.nodes[at as usize + 1].item != SPACER {
            at += 1;
        }
        at
    }
}
