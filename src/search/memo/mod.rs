//! The engine of memos: counts covers without finding them one by one.
//!
//! What can still happen depends on little of what has happened: on the items that are left, on the
//! colors that some remaining option asks for, and on what the rules keep in mind
//! ([`Automaton`]). States that agree in this have equally many covers. A board of 16 x 16 cells has
//! 2444888770250892795802079170816 coverings by dominoes, and 25740 states at a time:
//!
//! ```text
//! ██▄▄____    the first row and a half is covered: below, it only matters which cells of the second
//! ▀▀______    and third row are, not by which dominoes
//! ```
//!
//! There are two ways to make use of it.
//!
//! * `frontier`: the items are covered in a fixed order, all states at once, layer by layer. Memory
//!   holds two layers. It takes rules. Everything depends on the order, which `elimination_order` finds.
//! * `algorithm_z`: backtracking by the item with the fewest options, which dead ends end sooner, with a memo
//!   of all that was counted (Knuth's `dlx6`), and components counted apart.
//!
//! Which is better cannot be told from outside except where the frontier is narrow; so they take
//! turns. Both keep their state between calls.
//!
//! | file | what |
//! |---|---|
//! | `elimination_order` | in which order to cover the items |
//! | `frontier_width` | how wide the frontier of an order is |
//! | `hypergraph` | items and options as both see them |
//! | `mini_buckets` | which states have no completion |
//! | `transitions` | states as bits, options as masks |
//! | `step` | a step for states of some width |
//! | `filter` | which options fit a state |
//! | `frontier` | layer by layer |
//! | `layer` | a set of states with counts |
//! | `zdd` | all covers as a ZDD, from the frontier |
//! | `algorithm_z` | backtracking with a memo |
//! | `links` | its dancing links |
//! | `memo_table` | its memo |
//! | `big_count` | counts of any size |

pub mod algorithm_z;
pub mod big_count;
pub mod elimination_order;
pub mod filter;
pub mod frontier;
pub mod frontier_width;
pub mod hypergraph;
pub mod layer;
pub mod links;
pub mod memo_table;
pub mod mini_buckets;
mod step;
pub mod transitions;
pub mod zdd;

use std::rc::Rc;

use crate::constraint::automaton::Automaton;
use crate::problem::Problem;
use crate::search::engine::{Engine, Sink, Status};
use crate::search::memo::algorithm_z::AlgorithmZ;
use crate::search::memo::elimination_order::EliminationOrder;
use crate::search::memo::frontier::Frontier;
use crate::search::memo::transitions::TransitionPlan;
use crate::search::stats::Stats;
use crate::search::zdd::Zdd;

/// Bytes that a memo may take if nobody says how many.
pub const ROOM: usize = 4 << 30;

/// A frontier that has at most so many states in all steps is swept without asking what else could be
/// done: a tenth of a second.
const FEW: f64 = (1 << 20) as f64;

/// One that has at most so many is swept to the end as soon as nothing else was quick. These are bounds;
/// most often there are far fewer.
const MANY: f64 = (1 << 28) as f64;

/// Work of the frontier and of the tree in their first turns, in units of one or two nanoseconds, whatever they are
/// busy with. The tree has more: its nodes are few and dear.
const FRONTIER_WORK: u64 = 425_000;
const TREE_WORK: u64 = 1_125_000;

/// After so much work of a wide frontier it pays to look ahead from the first step on: it begins again.
const BLIND_WORK: u64 = 5 * FRONTIER_WORK;

/// About how many bytes a count needs at least, whatever grows later: the options as masks.
pub fn memory(problem: &Problem) -> usize {
    16 * (problem.entries() + problem.options())
}

/// A way to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CountingWay {
    Frontier,
    Tree,
}

/// An engine that counts covers without visiting them: by a frontier, by a tree, or by turns; whichever is
/// first answers. Its sink hears of none.
pub struct Counter<'p> {
    order: EliminationOrder,
    /// For the frontier, if that is not too wide.
    plan: Option<Rc<TransitionPlan>>,
    /// For the tree, which knows no rules.
    problem: Option<&'p Problem>,
    /// Bytes that it may take.
    room: usize,
    draws: bool,
    frontier: Option<Frontier>,
    tree: Option<AlgorithmZ>,
    /// Work of a frontier that was given up.
    given_up: u64,
    /// Whether the tree has its turn after this one, where both are tried.
    is_tree_next: bool,
    /// Whose turn it is, and the work at which it ends.
    turn: Option<(CountingWay, u64)>,
    /// The states or nodes that each may visit.
    limit: u64,
    /// How it ended, if it did.
    end: Option<Status>,
    /// The count, or the largest bound of those that came to no end.
    best: Stats,
    zdd: Option<Zdd>,
}

impl<'p> Counter<'p> {
    /// Makes plans for `problem`, every item of which must be covered once, under the rules, within so
    /// many bytes.
    pub fn new(problem: &'p Problem, rules: Vec<Box<dyn Automaton>>, room: usize) -> Self {
        let tree = rules.is_empty().then_some(problem);
        Counter { problem: tree, ..Counter::by_frontier_of(problem, rules, room) }
    }

    /// The same, by the frontier alone: it does not need the problem any more.
    pub fn by_frontier_of(
        problem: &Problem,
        rules: Vec<Box<dyn Automaton>>,
        room: usize,
    ) -> Counter<'static> {
        let order = elimination_order::find(problem);
        let plan = match order.states.is_finite() {
            true => TransitionPlan::new(problem, &order.items, rules),
            false => None,
        };
        Counter {
            order,
            plan: plan.map(Rc::new),
            problem: None,
            room,
            draws: false,
            frontier: None,
            tree: None,
            given_up: 0,
            is_tree_next: false,
            turn: None,
            limit: u64::MAX,
            end: None,
            best: Stats::default(),
            zdd: None,
        }
    }

    /// Lets the frontier drop states that come to nothing, as far as tables of so many bits tell, from the
    /// first step. Otherwise it makes tables of [`mini_buckets::BITS`] bits as soon as it has had much to do.
    pub fn look_ahead(&self, bits: u32) {
        if let Some(plan) = &self.plan {
            plan.look_ahead(bits);
        }
    }

    /// The same, but if it counts to the end it makes a ZDD, too. That has no way to do with less memory:
    /// then the count ends with [`Status::Full`].
    pub fn with_diagram(self) -> Self {
        Counter { draws: true, ..self }
    }

    /// Counts by the frontier alone.
    pub fn by_frontier(self) -> Self {
        Counter { problem: None, ..self }
    }

    /// Counts by the tree alone.
    pub fn by_tree(self) -> Self {
        Counter { plan: None, ..self }
    }

    /// The ZDD of a count that came to the end.
    pub fn take_diagram(&mut self) -> Option<Zdd> {
        self.zdd.take()
    }

    /// Whether it can count at all: the frontier may be too wide, and the tree knows no rules.
    pub fn is_able(&self) -> bool {
        self.has_frontier() || self.problem.is_some()
    }

    /// Whether the frontier is narrow for sure. Rules may make more states of one, but not many.
    pub fn is_narrow(&self) -> bool {
        self.plan.is_some() && self.order.states <= FEW
    }

    /// Whether it is so narrow that sweeping it will not take long.
    pub fn is_moderate(&self) -> bool {
        self.plan.is_some() && self.order.states <= MANY
    }

    /// Whether the frontier can be followed at all.
    pub fn has_frontier(&self) -> bool {
        self.plan.is_some()
    }

    /// Whether both ways can be gone, and nobody knows which is better.
    fn is_undecided(&self) -> bool {
        self.plan.is_some() && self.problem.is_some() && !self.is_moderate()
    }

    fn work_of(&self, way: CountingWay) -> u64 {
        match way {
            CountingWay::Frontier => self.given_up + self.frontier.as_ref().map_or(0, Frontier::work),
            CountingWay::Tree => self.tree.as_ref().map_or(0, AlgorithmZ::total_work),
        }
    }

    /// Whose turn it is, until when; `None` if nobody can go on.
    fn next_turn(&mut self) -> Option<(CountingWay, u64)> {
        let [frontier, tree] = [CountingWay::Frontier, CountingWay::Tree].map(|way| self.work_of(way));
        if !self.is_undecided() {
            let way = if self.plan.is_some() { CountingWay::Frontier } else { CountingWay::Tree };
            return self.is_able().then_some((way, u64::MAX));
        }
        // They alternate. To compare their work would not do: a turn may end a little late, and a turn too many is four
        // times as long as all before it.
        self.is_tree_next = !self.is_tree_next;
        if !self.is_tree_next {
            return Some((CountingWay::Tree, end_of_turn(tree, TREE_WORK)));
        }
        if self.given_up == 0 && frontier >= BLIND_WORK {
            self.look_ahead(mini_buckets::BITS);
            self.given_up = frontier;
            self.note_bound(CountingWay::Frontier);
            self.frontier = None;
        }
        Some((CountingWay::Frontier, end_of_turn(frontier, FRONTIER_WORK)))
    }

    /// Keeps the bound of what was counted so far in one way, if it is the largest.
    fn note_bound(&mut self, way: CountingWay) {
        if let Some(stats) = self.stats_of(way)
            && stats.total() >= self.best.total()
        {
            self.best = stats;
        }
    }

    fn stats_of(&self, way: CountingWay) -> Option<Stats> {
        match way {
            CountingWay::Frontier => self.frontier.as_ref().map(Frontier::stats),
            CountingWay::Tree => self.tree.as_ref().map(|tree| {
                let mut stats = tree.stats.clone();
                stats.set_total(tree.total());
                stats
            }),
        }
    }

    /// Goes on in one way.
    fn go_on(&mut self, way: CountingWay, work: u64) -> Status {
        // Both may stand at the same time.
        let room = if self.is_undecided() { self.room / 2 } else { self.room };
        match (way, &self.plan, self.problem) {
            (CountingWay::Frontier, Some(plan), _) => {
                let make = || Frontier::new(plan, self.draws, room);
                let frontier = self.frontier.get_or_insert_with(make);
                frontier.limit(self.limit);
                frontier.run(work)
            }
            (CountingWay::Tree, _, Some(problem)) => {
                let make = || AlgorithmZ::new(problem, &self.order.items, self.draws, room);
                let tree = self.tree.get_or_insert_with(make);
                tree.limit = self.limit;
                tree.run(work)
            }
            _ => unreachable!("it is nobody's turn who cannot go on"),
        }
    }

    /// The count is known.
    fn finish(&mut self, way: CountingWay) {
        if let Some(stats) = self.stats_of(way) {
            self.best = stats;
        }
        let zdd = match way {
            CountingWay::Frontier => self.frontier.as_mut().and_then(Frontier::take_diagram),
            CountingWay::Tree => self.tree.as_mut().and_then(AlgorithmZ::take_diagram),
        };
        self.zdd = zdd.filter(|_| self.draws);
        (self.frontier, self.tree) = (None, None);
        self.end = Some(Status::Exhausted);
    }

    /// One way leads nowhere: what it took is free again.
    fn give_up(&mut self, way: CountingWay, status: Status) {
        self.note_bound(way);
        match way {
            CountingWay::Frontier => (self.plan, self.frontier) = (None, None),
            CountingWay::Tree => (self.problem, self.tree) = (None, None),
        }
        if !self.is_able() {
            self.end = Some(status);
        }
    }
}

/// Until how much work a turn lasts of one that has done so much, and had so much in its first turn: each is four
/// times as long as the one before.
fn end_of_turn(work: u64, first: u64) -> u64 {
    work.saturating_mul(4).saturating_add(first)
}

impl Engine for Counter<'_> {
    fn name(&self) -> &'static str {
        "memo"
    }

    fn run(&mut self, work: u64, _: &mut dyn Sink) -> Status {
        if let Some(end) = self.end {
            return end;
        }
        if self.turn.is_none() {
            self.turn = self.next_turn();
        }
        let Some((way, until)) = self.turn else { return Status::Full };
        let status = self.go_on(way, work.min(until - self.work_of(way)));
        match status {
            Status::Exhausted => self.finish(way),
            Status::Paused if self.work_of(way) < until => return Status::Paused,
            Status::Paused | Status::Stopped => {}
            Status::Limit | Status::Full => self.give_up(way, status),
        }
        self.turn = None;
        self.end.unwrap_or(Status::Paused)
    }

    fn limit(&mut self, nodes: u64) {
        self.limit = nodes;
    }

    fn stats(&self) -> Stats {
        let ways = [CountingWay::Frontier, CountingWay::Tree].map(|way| self.stats_of(way));
        let all = ways.into_iter().flatten().chain([self.best.clone()]);
        all.reduce(|best, one| if one.total() > best.total() { one } else { best })
            .unwrap_or_default()
    }

    fn work(&self) -> u64 {
        self.work_of(CountingWay::Frontier) + self.work_of(CountingWay::Tree)
    }

    fn effort(&self) -> u64 {
        self.work() * 3 / 2
    }

    fn progress(&self) -> f64 {
        self.frontier.as_ref().map_or(0.0, Frontier::progress)
    }
}
