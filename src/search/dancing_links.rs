//! Dancing links: Algorithm C of TAOCP 7.2.2.1 over doubly linked lists, after Knuth's `dlx2`.
//!
//! The nodes stand in one array. First come the heads of the items' lists, then the options, entry
//! by entry:
//!
//! ```text
//! A B | X          head A  head B  head X   A  X:0   B  X:1
//! A X:0
//! B X:1
//! ```
//!
//! Hiding a node takes it out of its item's list, where its two neighbors close ranks; but the node
//! remembers them, so that unhiding restores the list exactly.
//!
//! Differences from `dlx2`, none of which changes the tree, the order or the counts:
//!
//! * A node has 8 bytes where 16-bit links suffice, else 16; and lengths stand apart ([`lengths`](super::mrv)).
//! * There is no list of active items. A covered item's length is raised beyond all others instead,
//!   and the first minimum of the packed lengths is the item that `dlx2` finds.
//! * There are no spacers between the options. A node knows where its option starts and ends, so that
//!   the loops over an option do not stumble over its end (worth 25 percent on langford12).
//! * The rank of a choice is counted as the choices are tried, not looked up when it is printed.
//!
//! # Invariants
//!
//! Between calls, `down[up[x]] = up[down[x]] = x` for every node `x` that is in its list;
//! `lengths[i]` is the length of the list of item `i` if it is not covered, and that plus
//! [`Length::BIAS`] if it is; `active` is the number of primary items that are not covered; a node is
//! [`Link::MAX`] in its `color` exactly if its item has the node's color from an option that was chosen.

pub mod rest;

use crate::constraint::Propagator;
use crate::ids::{Color, ItemId, OptionId};
use crate::problem::Problem;
use crate::search::lists::Lists;
use crate::search::mrv::{GROUP, Length, Lengths};
use crate::search::store::{OPEN, Store};
use crate::search::width::{Fit, Link, Table, LinkWidth, fit};
use crate::solution::{Choice, Choices};

/// Nodes that are neither heads of items nor entries of options: padding, at most.
pub const SPARE: usize = GROUP;

#[derive(Clone, Copy, Debug)]
struct DlxNode<I> {
    up: I,
    down: I,
    /// The slot of the item.
    item: I,
    /// 0 for none. [`Link::MAX`] if the item was purified and this node agrees with its color.
    color: I,
}

/// The nodes of an option: `start .. end`.
#[derive(Clone, Copy, Debug)]
struct OptionRun<I> {
    start: I,
    end: I,
}

/// One level of the search.
#[derive(Clone, Copy, Debug)]
struct ListLevel<I> {
    /// The head of the item that is branched on.
    head: I,
    /// The node of the option at hand, in that item's list.
    node: I,
    rank: u32,
    degree: u32,
    /// How many nodes had been forbidden when the option was chosen.
    forbidden: usize,
}

type Nodes<W> = Table<W, DlxNode<<W as LinkWidth>::Link>>;

/// The engine of dancing links.
///
/// An item is known here by its *slot*: the number of its head and of its length. Primary items have
/// their own numbers as slots; then comes padding up to a whole group of lengths, then the secondary
/// items, whose lengths are kept (that costs less than asking) but never read.
#[derive(Debug)]
pub struct Links<W: LinkWidth> {
    nodes: Nodes<W>,
    /// By node: the option that it belongs to.
    runs: Table<W, OptionRun<W::Link>>,
    /// By option: its first node.
    starts: Vec<W::Link>,
    lengths: Lengths<W>,
    primary: usize,
    secondary: usize,
    /// First slot of a secondary item; the lengths before it are searched for the least.
    second: W::Link,
    active: usize,
    levels: Vec<ListLevel<W::Link>>,
    /// Nodes that a constraint took out of their lists, option and all, the latest last.
    forbidden: Vec<W::Link>,
    updates: u64,
    cleansings: u64,
}

/// About how many bytes the engine needs for `problem`.
pub fn memory(problem: &Problem) -> usize {
    let nodes = problem.items() + SPARE + problem.entries();
    match fit(problem, SPARE) {
        Fit::Narrow => (1 << 16) * (size_of::<DlxNode<u16>>() + size_of::<OptionRun<u16>>() + 2),
        _ => nodes * (size_of::<DlxNode<u32>>() + size_of::<OptionRun<u32>>()) + problem.options() * 4,
    }
}

impl<W: LinkWidth> Links<W> {
    /// The lists of `problem`, with nothing covered. The widths must hold it.
    pub fn new(problem: &Problem) -> Self {
        let link = <W::Link as Link>::new;
        let primary = problem.primary();
        let second = primary.next_multiple_of(GROUP).max(GROUP);
        let slots = second + problem.secondary();
        let count = slots + problem.entries();
        let mut lengths = vec![0u32; slots];
        let mut nodes = Vec::with_capacity(count);
        nodes.extend((0..slots).map(link).map(|s| DlxNode {
            up: s,
            down: s,
            item: s,
            color: W::Link::ZERO,
        }));
        let nothing = OptionRun { start: W::Link::ZERO, end: W::Link::ZERO };
        let mut runs = Vec::with_capacity(count);
        runs.resize(slots, nothing);
        let mut starts = Vec::with_capacity(problem.options());
        for option in problem.option_ids() {
            let entries = problem.option(option);
            let run = OptionRun { start: link(nodes.len()), end: link(nodes.len() + entries.len()) };
            starts.push(run.start);
            for entry in entries {
                let head = match problem.is_primary(entry.item) {
                    true => entry.item.index(),
                    false => second + entry.item.index() - primary,
                };
                let this = nodes.len();
                let DlxNode { up, item, .. } = nodes[head];
                nodes.push(DlxNode { up, down: item, item, color: link(entry.color.index()) });
                runs.push(run);
                nodes[up.get() as usize].down = link(this);
                nodes[head].up = link(this);
                lengths[head] += 1;
            }
        }
        let packed = lengths.iter().enumerate().map(|(slot, &length)| match slot {
            slot if slot < primary => W::Length::new(length),
            _ => W::Length::PAD,
        });
        let filler = nodes[0];
        Links {
            nodes: W::Link::table(nodes, filler),
            runs: W::Link::table(runs, nothing),
            starts,
            lengths: Lengths::new(packed.collect(), second, problem.branching().clone()),
            primary,
            secondary: problem.secondary(),
            second: link(second),
            active: primary,
            levels: Vec::new(),
            forbidden: Vec::new(),
            updates: 0,
            cleansings: 0,
        }
    }

    /// Takes all nodes of an option, except `node`, out of their lists, rightward and around; answers
    /// how many. The node at hand and the two tables are passed, not the engine, so that they stay in
    /// registers.
    #[inline(always)]
    fn hide(
        nodes: &mut Nodes<W>,
        lengths: &mut Lengths<W>,
        run: OptionRun<W::Link>,
        node: W::Link,
    ) -> u64 {
        let mut hidden = 0;
        let mut at = node.next();
        loop {
            if at == run.end {
                at = run.start;
            }
            if at == node {
                return hidden;
            }
            let DlxNode { up, down, item, color } = nodes[at];
            if color != W::Link::MAX {
                nodes[up].down = down;
                nodes[down].up = up;
                lengths.change(item, W::Length::down);
                hidden += 1;
            }
            at = at.next();
        }
    }

    /// Puts them back, leftward and around.
    #[inline(always)]
    fn unhide(nodes: &mut Nodes<W>, lengths: &mut Lengths<W>, run: OptionRun<W::Link>, node: W::Link) {
        let mut at = node;
        loop {
            if at == run.start {
                at = run.end;
            }
            at = at.before();
            if at == node {
                return;
            }
            let DlxNode { up, down, item, color } = nodes[at];
            if color != W::Link::MAX {
                nodes[up].down = at;
                nodes[down].up = at;
                lengths.change(item, W::Length::up);
            }
        }
    }

    /// Hides all options of an item, which is no longer active.
    #[inline(never)]
    fn cover(&mut self, head: W::Link) {
        let (nodes, lengths) = (&mut self.nodes, &mut self.lengths);
        lengths.change(head, W::Length::raise);
        self.active -= usize::from(head < self.second);
        let mut updates = 1;
        let mut node = nodes[head].down;
        while node != head {
            updates += Self::hide(nodes, lengths, self.runs[node], node);
            node = nodes[node].down;
        }
        self.updates += updates;
    }

    /// Unhides them, from the last to the first.
    #[inline(never)]
    fn uncover(&mut self, head: W::Link) {
        let (nodes, lengths) = (&mut self.nodes, &mut self.lengths);
        let mut node = nodes[head].up;
        while node != head {
            Self::unhide(nodes, lengths, self.runs[node], node);
            node = nodes[node].up;
        }
        lengths.change(head, W::Length::lower);
        self.active += usize::from(head < self.second);
    }

    /// Gives its color to the item of node `of`: hides the options that disagree, and marks the nodes
    /// that agree so that nothing is done about them again.
    #[inline(never)]
    fn purify(&mut self, of: W::Link) {
        let (nodes, lengths) = (&mut self.nodes, &mut self.lengths);
        let DlxNode { item: head, color: wanted, .. } = nodes[of];
        let mut updates = 0;
        let mut cleansings = 1;
        let mut node = nodes[head].down;
        while node != head {
            if nodes[node].color != wanted {
                updates += Self::hide(nodes, lengths, self.runs[node], node);
            } else {
                nodes[node].color = W::Link::MAX;
                cleansings += 1;
            }
            node = nodes[node].down;
        }
        self.updates += updates;
        self.cleansings += cleansings;
    }

    /// Undoes `purify`, from the last option to the first.
    #[inline(never)]
    fn unpurify(&mut self, of: W::Link) {
        let (nodes, lengths) = (&mut self.nodes, &mut self.lengths);
        let DlxNode { item: head, color: wanted, .. } = nodes[of];
        let mut node = nodes[head].up;
        while node != head {
            if nodes[node].color == W::Link::MAX {
                nodes[node].color = wanted;
            } else {
                Self::unhide(nodes, lengths, self.runs[node], node);
            }
            node = nodes[node].up;
        }
    }

    /// Covers or purifies the item of one node of the chosen option. Answers false, and does nothing,
    /// if `constraint` refuses.
    #[inline(always)]
    fn take<C: Propagator>(&mut self, at: W::Link, constraint: &mut C) -> bool {
        let DlxNode { item, color, .. } = self.nodes[at];
        if color == W::Link::MAX {
            return true;
        }
        if item >= self.second {
            let secondary = self.item(item);
            if !constraint.fixed(secondary, Color::new(color.get())).is_fine() {
                return false;
            }
        }
        if color == W::Link::ZERO {
            self.cover(item);
        } else {
            self.purify(at);
        }
        true
    }

    /// Undoes `take`.
    #[inline(always)]
    fn untake(&mut self, at: W::Link) {
        let DlxNode { item, color, .. } = self.nodes[at];
        if color == W::Link::ZERO {
            self.uncover(item);
        } else if color != W::Link::MAX {
            self.unpurify(at);
        }
    }

    /// Takes the other nodes of the option of `node`, rightward and around. If `constraint` refuses
    /// one, answers with it.
    #[inline(always)]
    fn take_others<C: Propagator>(&mut self, node: W::Link, constraint: &mut C) -> Option<W::Link> {
        let OptionRun { start, end } = self.runs[node];
        let mut at = node.next();
        loop {
            if at == end {
                at = start;
            }
            if at == node {
                return None;
            }
            if !self.take(at, constraint) {
                return Some(at);
            }
            at = at.next();
        }
    }

    /// Undoes that, leftward from `from`, exclusive, to `node`.
    #[inline(always)]
    fn untake_others(&mut self, node: W::Link, from: W::Link) {
        let OptionRun { start, end } = self.runs[node];
        let mut at = from;
        loop {
            if at == start {
                at = end;
            }
            at = at.before();
            if at == node {
                return;
            }
            self.untake(at);
        }
    }

    /// The item with this slot.
    fn item(&self, slot: W::Link) -> ItemId {
        match slot.get().checked_sub(self.second.get()) {
            None => ItemId::new(slot.get()),
            Some(secondary) => ItemId::new(self.primary as u32 + secondary),
        }
    }

    /// Undoes `forbid_option`.
    fn allow(&mut self, node: W::Link) {
        let DlxNode { up, down, .. } = self.nodes[node];
        self.nodes[up].down = node;
        self.nodes[down].up = node;
        Self::unhide(&mut self.nodes, &mut self.lengths, self.runs[node], node);
    }

    /// The option that `node` belongs to.
    fn option(&self, node: W::Link) -> OptionId {
        OptionId::new(self.starts.partition_point(|&start| start <= node) as u32 - 1)
    }
}

impl<W: LinkWidth> Store for Links<W> {
    #[inline(always)]
    fn done(&self) -> bool {
        self.active == 0
    }

    #[inline(always)]
    fn branch(&mut self) {
        let (best, length) = self.lengths.choose();
        let head = W::Link::new(best);
        self.cover(head);
        let forbidden = self.forbidden.len();
        self.levels.push(ListLevel { head, node: head, rank: 0, degree: length.get(), forbidden });
    }

    fn item(&self) -> ItemId {
        Links::item(self, self.levels.last().expect(OPEN).head)
    }

    #[inline(always)]
    fn rank(&self) -> u32 {
        self.levels.last().map_or(0, |level| level.rank)
    }

    #[inline(always)]
    fn next(&mut self) -> bool {
        let level = self.levels.last_mut().expect(OPEN);
        level.node = self.nodes[level.node].down;
        level.rank += 1;
        level.node != level.head
    }

    #[inline(always)]
    fn commit<C: Propagator>(&mut self, constraint: &mut C) -> bool {
        let &ListLevel { node, .. } = self.levels.last().expect(OPEN);
        match self.take_others(node, constraint) {
            None => true,
            Some(refused) => {
                self.untake_others(node, refused);
                false
            }
        }
    }

    #[inline(always)]
    fn undo(&mut self) {
        let &ListLevel { node, forbidden, .. } = self.levels.last().expect(OPEN);
        while self.forbidden.len() > forbidden {
            let last = self.forbidden.pop().expect("more than so many are left");
            self.allow(last);
        }
        self.untake_others(node, node);
    }

    #[inline(always)]
    fn close(&mut self) {
        let level = self.levels.pop().expect(OPEN);
        self.uncover(level.head);
    }

    fn counters(&self) -> (u64, u64) {
        (self.updates, self.cleansings)
    }

    fn effort(&self, nodes: u64) -> u64 {
        // Each node goes through the lengths once.
        nodes * (30 + self.primary as u64 / 8) + 3 * (self.updates + self.cleansings)
    }
}

impl<W: LinkWidth> Choices for Links<W> {
    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn choice(&self, level: usize) -> Choice {
        let ListLevel { head, node, rank, degree, .. } = self.levels[level];
        Choice { option: Some(self.option(node)), item: self.item(head), rank, degree }
    }
}

impl<W: LinkWidth> Lists for Links<W> {
    type Node = W::Link;

    #[inline(always)]
    fn head(&self, item: ItemId) -> W::Link {
        match item.index().checked_sub(self.primary) {
            None => W::Link::new(item.index()),
            Some(secondary) => W::Link::new(self.second.get() as usize + secondary),
        }
    }

    #[inline(always)]
    fn below(&self, node: W::Link) -> (W::Link, u32) {
        let DlxNode { down, color, .. } = self.nodes[node];
        (down, color.get())
    }

    fn forbid_option(&mut self, node: W::Link) {
        let DlxNode { up, down, .. } = self.nodes[node];
        self.updates += 1 + Self::hide(&mut self.nodes, &mut self.lengths, self.runs[node], node);
        self.nodes[up].down = down;
        self.nodes[down].up = up;
        self.forbidden.push(node);
    }
}
