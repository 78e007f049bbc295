//! Algorithm M: items that are covered between `a` and `b` times, after Knuth's `dlx3`.
//!
//! For a file with bounds this is the engine `links`: dancing links with a budget. An item of bound
//! `b` may take `b` options yet, and has to take `b - s` of them, where `s`, its slack, is at most `b`.
//! It is covered when its bound comes down to 0; until then it stays active while it is used.
//!
//! An item that is branched on either takes its options in turn as in Algorithm C, if that is the last
//! one it may and must take; or it *tweaks*: the option at hand leaves all lists, that of the item
//! included, and if it was tried in vain it stays out while the later ones are tried. So each set of
//! options is met once, in the order of the list. Where the lower bound is met, a last *null* choice
//! takes none of those that are left. Untweaking needs no record but the first option: a node that
//! left its list still knows the next one.
//!
//! With length `l` the item has `l + s - b + 1` choices. The least number is branched on, or the least key of
//! another branching rule; among equals the item of least slack, then the longest, then the first.
//!
//! The tree, the order of solutions, and updates and cleansings are those of `dlx3` (and of `dlx3-sharp`).
pub mod branch_and_bound;

use crate::branch::Branching;
use crate::constraint::Propagator;
use crate::ids::{Color, ItemId, OptionId};
use crate::problem::Problem;
use crate::search::lists::{ListNode, Lists};
use crate::search::store::{OPEN, Store};
use crate::solution::{Choice, Choices};

/// The color of a node whose item has that color by a choice.
const AGREES: u32 = u32::MAX;

/// What an item knows; secondary items use the length alone, which is never read.
#[derive(Clone, Copy, Debug)]
struct Item {
    before: u32,
    next: u32,
    length: i64,
    /// How many more options may cover it.
    bound: i64,
    slack: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TweakWay {
    /// The item has too few options: there is no choice.
    Dead,
    /// One option covers it, as in Algorithm C.
    Cover,
    /// Options leave the list one after the other; `first` was the first of them.
    Tweak { first: u32 },
}

#[derive(Clone, Copy, Debug)]
struct TweakLevel {
    item: u32,
    way: TweakWay,
    /// The node of the option at hand; the head, if the choice is null.
    node: u32,
    rank: u32,
    degree: u32,
    /// How many nodes had been forbidden when the option was chosen.
    forbidden: usize,
}

/// Items are numbered as in the problem, and are the first nodes; the root of the list of active items
/// comes after them in `items`.
#[derive(Debug)]
pub struct Multi {
    nodes: Vec<ListNode>,
    /// By node: the option that it belongs to.
    option_of: Vec<u32>,
    /// By option: its first node; and the end of the last one.
    starts: Vec<u32>,
    items: Vec<Item>,
    root: u32,
    second: u32,
    levels: Vec<TweakLevel>,
    forbidden: Vec<u32>,
    updates: u64,
    cleansings: u64,
    branching: Branching,
}

/// About how many bytes the engine needs for `problem`.
pub fn memory(problem: &Problem) -> usize {
    let nodes = problem.items() + problem.entries();
    nodes * (size_of::<ListNode>() + 4)
        + problem.options() * 4
        + problem.items() * size_of::<Item>()
}

impl Multi {
    /// The lists of `problem`, with nothing covered.
    pub fn new(problem: &Problem) -> Self {
        let count = problem.items() as u32;
        let second = problem.primary() as u32;
        let all = problem.items() + problem.entries();
        let (mut nodes, mut option_of) = (Vec::with_capacity(all), Vec::with_capacity(all));
        nodes.extend((0..count).map(|item| ListNode { up: item, down: item, item, color: 0 }));
        option_of.resize(nodes.len(), u32::MAX);
        let item = |number: u32| {
            let (bound, slack) = match number < second {
                true => {
                    let bound = problem.bound(ItemId::new(number));
                    (i64::from(bound.high), i64::from(bound.high - bound.low))
                }
                false => (1, 0),
            };
            Item { before: number, next: number, length: 0, bound, slack }
        };
        let mut items: Vec<Item> = (0..=count).map(item).collect();
        let circle: Vec<u32> = (0..second).chain([count]).collect();
        for (i, &here) in circle.iter().enumerate() {
            let next = circle[(i + 1) % circle.len()];
            items[here as usize].next = next;
            items[next as usize].before = here;
        }
        let mut starts = vec![count];
        for option in problem.option_ids() {
            for entry in problem.option(option) {
                let (this, item) = (nodes.len() as u32, entry.item.raw());
                let up = nodes[item as usize].up;
                nodes.push(ListNode { up, down: item, item, color: entry.color.raw() });
                option_of.push(option.index() as u32);
                nodes[up as usize].down = this;
                nodes[item as usize].up = this;
                items[item as usize].length += 1;
            }
            starts.push(nodes.len() as u32);
        }
        Multi {
            nodes,
            option_of,
            starts,
            items,
            root: count,
            second,
            levels: Vec::new(),
            forbidden: Vec::new(),
            updates: 0,
            cleansings: 0,
            branching: problem.branching().clone(),
        }
    }

    /// The nodes of the option of `node`: `start .. end`.
    fn run(&self, node: u32) -> (u32, u32) {
        let option = self.option_of[node as usize] as usize;
        (self.starts[option], self.starts[option + 1])
    }

    fn down(&self, node: u32) -> u32 {
        self.nodes[node as usize].down
    }

    /// Takes a node out of its list.
    fn unlink(&mut self, node: u32) {
        let ListNode { up, down, item, .. } = self.nodes[node as usize];
        self.nodes[up as usize].down = down;
        self.nodes[down as usize].up = up;
        self.items[item as usize].length -= 1;
        self.updates += 1;
    }

    /// Puts it back.
    fn relink(&mut self, node: u32) {
        let ListNode { up, down, item, .. } = self.nodes[node as usize];
        self.nodes[up as usize].down = node;
        self.nodes[down as usize].up = node;
        self.items[item as usize].length += 1;
    }

    /// Takes the other nodes of an option out of their lists, rightward and around.
    fn hide(&mut self, node: u32) {
        let (start, end) = self.run(node);
        for at in (node + 1..end).chain(start..node) {
            if self.nodes[at as usize].color != AGREES {
                self.unlink(at);
            }
        }
    }

    /// Puts them back, leftward and around.
    fn unhide(&mut self, node: u32) {
        let (start, end) = self.run(node);
        for at in (start..node).rev().chain((node + 1..end).rev()) {
            if self.nodes[at as usize].color != AGREES {
                self.relink(at);
            }
        }
    }

    fn deactivate(&mut self, item: u32) {
        let Item { before, next, .. } = self.items[item as usize];
        self.items[before as usize].next = next;
        self.items[next as usize].before = before;
    }

    fn activate(&mut self, item: u32) {
        let Item { before, next, .. } = self.items[item as usize];
        self.items[before as usize].next = item;
        self.items[next as usize].before = item;
    }

    /// The item is no longer active, and its options leave all other lists.
    fn cover(&mut self, item: u32) {
        if item < self.second {
            self.deactivate(item);
        }
        self.updates += 1;
        let mut node = self.down(item);
        while node != item {
            self.hide(node);
            node = self.down(node);
        }
    }

    fn uncover(&mut self, item: u32) {
        let mut node = self.nodes[item as usize].up;
        while node != item {
            self.unhide(node);
            node = self.nodes[node as usize].up;
        }
        if item < self.second {
            self.activate(item);
        }
    }

    fn purify(&mut self, of: u32) {
        let ListNode { item, color, .. } = self.nodes[of as usize];
        self.cleansings += 1;
        let mut node = self.down(item);
        while node != item {
            if self.nodes[node as usize].color != color {
                self.hide(node);
            } else if node != of {
                self.nodes[node as usize].color = AGREES;
                self.cleansings += 1;
            }
            node = self.down(node);
        }
    }

    fn unpurify(&mut self, of: u32) {
        let ListNode { item, color, .. } = self.nodes[of as usize];
        let mut node = self.nodes[item as usize].up;
        while node != item {
            if self.nodes[node as usize].color == AGREES {
                self.nodes[node as usize].color = color;
            } else if node != of {
                self.unhide(node);
            }
            node = self.nodes[node as usize].up;
        }
    }

    /// Uses the item of one node of the chosen option; false, and nothing is done, if `constraint`
    /// refuses.
    fn take<C: Propagator>(&mut self, at: u32, constraint: &mut C) -> bool {
        let ListNode { item, color, .. } = self.nodes[at as usize];
        if color == AGREES {
            return true;
        }
        if item < self.second {
            self.items[item as usize].bound -= 1;
            if self.items[item as usize].bound == 0 {
                self.cover(item);
            }
            return true;
        }
        if !constraint.fixed(ItemId::new(item), Color::new(color)).is_fine() {
            return false;
        }
        match color {
            0 => self.cover(item),
            _ => self.purify(at),
        }
        true
    }

    /// Undoes `take`.
    fn untake(&mut self, at: u32) {
        let ListNode { item, color, .. } = self.nodes[at as usize];
        if item < self.second {
            if self.items[item as usize].bound == 0 {
                self.uncover(item);
            }
            self.items[item as usize].bound += 1;
        } else if color == 0 {
            self.uncover(item);
        } else if color != AGREES {
            self.unpurify(at);
        }
    }

    /// Undoes it for the nodes that were taken after `node` and before `from`, around.
    fn untake_others(&mut self, node: u32, from: u32) {
        let (start, end) = self.run(node);
        if from > node {
            (node + 1..from).rev().for_each(|at| self.untake(at));
        } else {
            (start..from).rev().for_each(|at| self.untake(at));
            (node + 1..end).rev().for_each(|at| self.untake(at));
        }
    }

    /// Takes the first option of its item, `node`, out of that list, and out of the others unless
    /// the item is covered.
    fn tweak(&mut self, node: u32, covered: bool) {
        if !covered {
            self.hide(node);
        }
        self.unlink(node);
    }

    /// Puts all options back that were tweaked, from the last to the first.
    fn untweak(&mut self, item: u32, first: u32, covered: bool) {
        let end = self.down(item);
        let mut tweaked = Vec::new();
        let mut node = first;
        while node != end {
            tweaked.push(node);
            node = self.down(node);
        }
        for node in tweaked.into_iter().rev() {
            self.relink(node);
            if !covered {
                self.unhide(node);
            }
        }
    }

    /// The item to branch on, and how many choices it has.
    fn best(&self) -> (u32, i64) {
        let mut best = (i64::MAX, 0, 0);
        let mut chosen = (self.root, 0);
        let mut item = self.items[self.root as usize].next;
        while item != self.root {
            let Item { next, length, bound, slack, .. } = self.items[item as usize];
            let slack = slack.min(bound);
            let choices = length + slack - bound + 1;
            let merit = (self.branching.key(item as usize, choices), slack, -length);
            if merit < best {
                (best, chosen) = (merit, (item, choices));
            }
            item = next;
        }
        chosen
    }

    /// Puts all forbidden options back but the first so many.
    fn allow(&mut self, kept: usize) {
        while self.forbidden.len() > kept {
            let last = self.forbidden.pop().expect("more than so many are left");
            self.relink(last);
            self.unhide(last);
        }
    }
}

impl Store for Multi {
    fn done(&self) -> bool {
        self.items[self.root as usize].next == self.root
    }

    fn branch(&mut self) {
        let (item, degree) = self.best();
        let forbidden = self.forbidden.len();
        let mut way = TweakWay::Dead;
        if degree > 0 {
            let first = self.down(item);
            let Item { bound, slack, .. } = &mut self.items[item as usize];
            *bound -= 1;
            way = match (*bound, *slack) {
                (0, 0) => TweakWay::Cover,
                _ => TweakWay::Tweak { first },
            };
            if *bound == 0 {
                self.cover(item);
            }
        }
        let degree = u32::try_from(degree.max(0)).unwrap_or(u32::MAX);
        self.levels.push(TweakLevel { item, way, node: item, rank: 0, degree, forbidden });
    }

    fn item(&self) -> ItemId {
        ItemId::new(self.levels.last().expect(OPEN).item)
    }

    #[inline(always)]
    fn rank(&self) -> u32 {
        self.levels.last().map_or(0, |level| level.rank)
    }

    fn next(&mut self) -> bool {
        let &TweakLevel { item, way, node, rank, .. } = self.levels.last().expect(OPEN);
        let next = match (way, rank) {
            (TweakWay::Dead, _) => return false,
            (TweakWay::Tweak { first }, 0) => first,
            // After the null choice there is none.
            (TweakWay::Tweak { .. }, _) if node == item => return false,
            _ => self.down(node),
        };
        if way == TweakWay::Cover {
            if next == item {
                return false;
            }
        } else {
            let Item { length, bound, slack, .. } = self.items[item as usize];
            if length <= bound - slack {
                return false;
            } else if next != item {
                self.tweak(next, bound == 0);
            }
        }
        let level = self.levels.last_mut().expect(OPEN);
        (level.node, level.rank) = (next, rank + 1);
        true
    }

    fn commit<C: Propagator>(&mut self, constraint: &mut C) -> bool {
        let &TweakLevel { item, node, .. } = self.levels.last().expect(OPEN);
        if node == item {
            if self.items[item as usize].bound != 0 {
                self.deactivate(item);
            }
            return true;
        }
        let (start, end) = self.run(node);
        for at in (node + 1..end).chain(start..node) {
            if !self.take(at, constraint) {
                self.untake_others(node, at);
                return false;
            }
        }
        true
    }

    fn undo(&mut self) {
        let &TweakLevel { item, node, forbidden, .. } = self.levels.last().expect(OPEN);
        self.allow(forbidden);
        if node != item {
            self.untake_others(node, node);
        } else if self.items[item as usize].bound != 0 {
            self.activate(item);
        }
    }

    fn close(&mut self) {
        let TweakLevel { item, way, .. } = self.levels.pop().expect(OPEN);
        let covered = self.items[item as usize].bound == 0;
        match way {
            TweakWay::Dead => return,
            TweakWay::Cover => {}
            TweakWay::Tweak { first } => self.untweak(item, first, covered),
        }
        if covered {
            self.uncover(item);
        }
        self.items[item as usize].bound += 1;
    }

    fn counters(&self) -> (u64, u64) {
        (self.updates, self.cleansings)
    }

    fn effort(&self, nodes: u64) -> u64 {
        nodes * (30 + u64::from(self.second)) + 4 * (self.updates + self.cleansings)
    }
}

impl Choices for Multi {
    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn choice(&self, level: usize) -> Choice {
        let TweakLevel { item, node, rank, degree, .. } = self.levels[level];
        let option = (node != item).then(|| OptionId::new(self.option_of[node as usize]));
        Choice { option, item: ItemId::new(item), rank, degree }
    }
}

impl Lists for Multi {
    type Node = u32;

    fn head(&self, item: ItemId) -> u32 {
        item.raw()
    }

    fn below(&self, node: u32) -> (u32, u32) {
        let ListNode { down, color, .. } = self.nodes[node as usize];
        (down, color)
    }

    fn forbid_option(&mut self, node: u32) {
        self.hide(node);
        self.unlink(node);
        self.forbidden.push(node);
    }
}
