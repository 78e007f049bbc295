//! The cheapest covers, by branch and bound over the lists of Algorithm M.
//!
//! Knuth's `dlx5` *taxes* each item by what its cheapest option costs, and makes its options cheaper by
//! that; what an option still costs is its net cost, and the taxes are a lower bound of any cover. That
//! is a solution of the dual of the linear relaxation (a dual ascent: Garfinkel and Nemhauser, Operations
//! Research 17, 1969, used such costs for this problem). We do so not once but at each node: options
//! have left, so the cheapest one of some item is not free any more. The bound of a node thus
//! is what was paid net, and all taxes on the way to it. When a node is left its taxes are given
//! back.
//!
//! * An item that must be covered `a` more times pays its tax `a` times.
//! * At the root the taxes are found in three ways, of which the best is kept: item by item from the first,
//!   from the last, and by sharing the cost of an option among its items before.
//! * Only options whose net cost keeps below the cost to be beaten are looked at; neither bound nor
//!   net cost can make them usable further down. The item with the fewest of them is branched on, the
//!   cheapest first.
//!
//! An option that was tried leaves all lists while the later ones of its item are tried. Sums have 128
//! bits and cannot overflow.

mod dual_ascent;

use std::collections::BinaryHeap;

use crate::constraint::Propagator;
use crate::ids::{ItemId, OptionId};
use crate::problem::Problem;
use crate::search::algorithm_m::{Item, Multi};
use crate::search::engine::{Engine, Sink, Status};
use crate::search::lists::Lists;
use crate::search::stats::Stats;
use crate::search::store::{OPEN, Store};
use crate::solution::{Choice, Choices};
use dual_ascent::First;

/// A cover and what it costs. They are ordered by cost, and among equals as they were found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cheap {
    /// The sum of the costs of its options.
    pub cost: u128,
    /// Its rank in the order in which they were found.
    pub serial: u64,
    /// Its options, ascending.
    pub options: Vec<OptionId>,
}

/// A node of the tree whose item was chosen.
#[derive(Clone, Copy, Debug)]
struct Rung {
    item: u32,
    /// Its usable options are `tries[first..]`; `at` is the next one.
    first: usize,
    at: usize,
    /// The option at hand, as a node of the item; the item itself for the null choice.
    node: u32,
    rank: u32,
    degree: u32,
    /// The bound of this node, and what the options before it cost.
    bound: u128,
    paid: u128,
    /// How many options had been forbidden, when this node was entered and with the option at hand.
    forbidden: usize,
    kept: usize,
    /// How many taxes had been levied before this node.
    taxes: usize,
}

/// A search for the cheapest covers that satisfy a constraint. Its sink hears of none, since most that are
/// found are superseded: they are [`best`](Cheapest::best). Until it is exhausted there may be cheaper ones.
pub struct Cheapest<'a, C> {
    problem: &'a Problem,
    constraint: C,
    store: Multi,
    wanted: u64,
    best: BinaryHeap<Cheap>,
    found: u64,
    /// By option: its net cost.
    net: Vec<u64>,
    /// Item and tax, the latest last.
    taxes: Vec<(u32, u64)>,
    tries: Vec<u32>,
    rungs: Vec<Rung>,
    first: First,
    stats: Stats,
    /// The nodes that it may visit.
    limit: u64,
    /// What the node that it is about to enter is bounded by, and what its choices cost.
    next: (u128, u128),
    done: bool,
}

impl<C: Propagator> Choices for Cheapest<'_, C> {
    fn levels(&self) -> usize {
        self.rungs.len()
    }

    fn choice(&self, level: usize) -> Choice {
        let Rung { item, node, rank, degree, .. } = self.rungs[level];
        let option = (node != item).then(|| self.option(node));
        Choice { option, item: ItemId::new(item), rank, degree }
    }
}

impl<'a, C: Propagator> Cheapest<'a, C> {
    /// A search for the `wanted` cheapest covers of `problem`, or all there are.
    pub fn new(problem: &'a Problem, constraint: C, wanted: u64) -> Self {
        let mut search = Cheapest {
            problem,
            constraint,
            store: Multi::new(problem),
            wanted,
            best: BinaryHeap::new(),
            found: 0,
            net: problem.option_ids().map(|option| problem.cost(option)).collect(),
            taxes: Vec::new(),
            tries: Vec::new(),
            rungs: Vec::new(),
            first: First::Forward,
            stats: Stats::default(),
            limit: u64::MAX,
            next: (0, 0),
            done: false,
        };
        search.first = search.best_first();
        search
    }

    /// The cheapest covers that were found, the cheapest first.
    pub fn best(self) -> Vec<Cheap> {
        self.best.into_sorted_vec()
    }

    fn option(&self, node: u32) -> OptionId {
        OptionId::new(self.store.option_of[node as usize])
    }

    fn net(&self, node: u32) -> u64 {
        self.net[self.store.option_of[node as usize] as usize]
    }

    /// The cost to be beaten.
    fn cutoff(&self) -> u128 {
        match self.best.peek() {
            Some(worst) if self.best.len() as u64 >= self.wanted => worst.cost,
            _ => u128::MAX,
        }
    }

    /// How many options of the item must still be taken.
    fn need(&self, item: u32) -> i64 {
        let Item { bound, slack, .. } = self.store.items[item as usize];
        (bound - slack).max(0)
    }

    /// The active items, from the first.
    fn active(&self) -> impl Iterator<Item = u32> + '_ {
        let next = |&item: &u32| {
            let next = self.store.items[item as usize].next;
            (next != self.store.root).then_some(next)
        };
        std::iter::successors(next(&self.store.root), next)
    }

    /// The nodes in the list of an item.
    fn list(&self, item: u32) -> impl Iterator<Item = u32> + '_ {
        let next = move |&node: &u32| {
            let next = self.store.down(node);
            (next != item).then_some(next)
        };
        std::iter::successors(next(&item), next)
    }

    /// The item with the fewest usable options, and in how many ways one can go on; `None` if some item
    /// has none.
    fn choose(&self, bound: u128) -> Option<(u32, i64)> {
        let room = self.cutoff().saturating_sub(bound);
        let mut best: Option<(u32, i64)> = None;
        for item in self.active() {
            let Item { bound, slack, .. } = self.store.items[item as usize];
            let need = bound - slack.min(bound);
            let most = best.map_or(i64::MAX, |(_, ways)| ways);
            let mut ways = 1 - need;
            for node in self.list(item) {
                if ways >= most {
                    break;
                }
                ways += i64::from(u128::from(self.net(node)) < room);
            }
            if ways <= 0 {
                return None;
            }
            if ways < most {
                best = Some((item, ways));
            }
        }
        best
    }

    /// Enters a node for which so much was paid, of which the bound is at least `bound`. False if it
    /// leads nowhere.
    fn enter(&mut self, bound: u128, paid: u128) -> bool {
        let (taxes, forbidden) = (self.taxes.len(), self.store.forbidden.len());
        let levied = if self.rungs.is_empty() {
            let first = std::mem::replace(&mut self.first, First::Forward);
            self.tax_root(&first)
        } else {
            let items: Vec<u32> = self.active().collect();
            self.tax(&items)
        };
        let bound = bound + levied.unwrap_or(0);
        let chosen = match levied {
            Some(_) if bound < self.cutoff() => self.choose(bound),
            _ => None,
        };
        let Some((item, ways)) = chosen else {
            self.give_back(taxes);
            return false;
        };
        let first = self.tries.len();
        let room = self.cutoff() - bound;
        let mut node = self.store.down(item);
        while node != item {
            if u128::from(self.net(node)) < room {
                self.tries.push(node);
            }
            node = self.store.down(node);
        }
        let (net, option_of) = (&self.net, &self.store.option_of);
        self.tries[first..].sort_by_key(|&node| net[option_of[node as usize] as usize]);
        let degree = u32::try_from(ways).unwrap_or(u32::MAX);
        let rung = Rung {
            item,
            first,
            at: first,
            node: item,
            rank: 0,
            degree,
            bound,
            paid,
            forbidden,
            kept: forbidden,
            taxes,
        };
        self.rungs.push(rung);
        true
    }

    /// Leaves the newest node.
    fn leave(&mut self) {
        let Rung { first, forbidden, taxes, .. } = self.rungs.pop().expect(OPEN);
        self.tries.truncate(first);
        self.store.allow(forbidden);
        self.give_back(taxes);
    }

    /// Moves to the next way to go on at the newest node; false if there is none.
    fn advance(&mut self) -> bool {
        let &Rung { item, at, node, rank, bound, .. } = self.rungs.last().expect(OPEN);
        if rank > 0 && node == item {
            // That was the null choice.
            return false;
        }
        let need = self.need(item);
        let option = self.tries.get(at).copied().filter(|&option| {
            let net = u128::from(self.net(option));
            self.store.items[item as usize].length >= need && bound + net < self.cutoff()
        });
        let null = need == 0 && bound < self.cutoff();
        let rung = self.rungs.last_mut().expect(OPEN);
        rung.rank += 1;
        match option {
            Some(option) => {
                rung.node = option;
                rung.at += 1;
                self.store.forbid_option(option);
                rung.kept = self.store.forbidden.len();
                true
            }
            None if null => {
                rung.node = item;
                rung.kept = self.store.forbidden.len();
                true
            }
            None => false,
        }
    }

    /// Takes the current option; false, and nothing is done, if the constraint refuses.
    fn commit(&mut self) -> bool {
        let &Rung { item, node, .. } = self.rungs.last().expect(OPEN);
        if node == item {
            self.store.deactivate(item);
            return true;
        }
        let (start, end) = self.store.run(node);
        for at in (node..end).chain(start..node) {
            if !self.store.take(at, &mut self.constraint) {
                if at != node {
                    self.store.untake_others(node, at);
                    self.store.untake(node);
                }
                return false;
            }
        }
        true
    }

    /// Undoes `commit`, and what was forbidden since.
    fn undo(&mut self) {
        let &Rung { item, node, kept, .. } = self.rungs.last().expect(OPEN);
        self.store.allow(kept);
        if node == item {
            self.store.activate(item);
        } else {
            self.store.untake_others(node, node);
            self.store.untake(node);
        }
    }

    /// A cover stands.
    fn keep(&mut self, paid: u128) {
        self.found += 1;
        if paid >= self.cutoff() {
            return;
        }
        if self.best.len() as u64 >= self.wanted {
            self.best.pop();
        }
        let mut options = self.options();
        options.sort_unstable();
        self.best.push(Cheap { cost: paid, serial: self.found, options });
    }

    /// Visits nodes until there are so many.
    fn search(&mut self, most: u64) -> Status {
        if self.done {
            return Status::Exhausted;
        }
        'enter: loop {
            if self.stats.nodes >= most {
                return Status::Paused;
            }
            self.stats.enter(self.rungs.len());
            let (bound, paid) = self.next;
            let mut opened = self.enter(bound, paid);
            loop {
                if !opened {
                    let Some(level) = self.rungs.len().checked_sub(1) else {
                        self.done = true;
                        return Status::Exhausted;
                    };
                    self.undo();
                    self.constraint.backtrack(level);
                }
                opened = true;
                if !self.advance() {
                    self.leave();
                    opened = false;
                    continue;
                }
                let level = self.rungs.len() - 1;
                self.constraint.mark();
                if !self.commit() {
                    self.constraint.backtrack(level);
                    continue;
                }
                let Rung { item, node, bound: here, paid: before, .. } = self.rungs[level];
                self.next = match node == item {
                    true => (here, before),
                    false => {
                        let cost = self.problem.cost(self.option(node));
                        (here + u128::from(self.net(node)), before + u128::from(cost))
                    }
                };
                if self.constraint.settle(&mut self.store).is_fine() {
                    if !self.store.done() {
                        continue 'enter;
                    }
                    self.stats.enter(level + 1);
                    if self.constraint.complete().is_fine() {
                        self.keep(self.next.1);
                    }
                }
                self.undo();
                self.constraint.backtrack(level);
            }
        }
    }
}

impl<C: Propagator> Engine for Cheapest<'_, C> {
    fn name(&self) -> &'static str {
        "cheapest"
    }

    fn run(&mut self, work: u64, _: &mut dyn Sink) -> Status {
        let most = self.stats.nodes.saturating_add(work).min(self.limit);
        match self.search(most) {
            Status::Paused if self.stats.nodes >= self.limit => Status::Limit,
            status => status,
        }
    }

    fn limit(&mut self, nodes: u64) {
        self.limit = nodes;
    }

    fn stats(&self) -> Stats {
        let (updates, cleansings) = self.store.counters();
        let solutions = self.best.len() as u64;
        Stats { updates, cleansings, solutions, ..self.stats.clone() }
    }

    fn work(&self) -> u64 {
        self.stats.nodes
    }

    fn effort(&self) -> u64 {
        self.store.effort(self.stats.nodes)
    }

    fn choices(&self) -> &dyn Choices {
        self
    }
}
