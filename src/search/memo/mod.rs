//! The engine of memos: counts covers without finding them one by one.
//!
//! What can still happen depends on little of what has happened: on the items that are left, on the
//! colors that some remaining option asks for, and on what the rules keep in mind
//! ([`Signature`]). States that agree in this have equally many covers. A board of 16 x 16 cells has
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
//!   holds two layers. It takes rules. Everything depends on the order, which `order` finds.
//! * `tree`: backtracking by the item with the fewest options, which dead ends end sooner, with a memo
//!   of all that was counted (Knuth's `dlx6`), and components counted apart.
//!
//! Which is better cannot be told from outside except where the frontier is narrow; so they try in
//! turns, with budgets that grow.
//!
//! | file | what |
//! |---|---|
//! | `order` | in which order to cover the items |
//! | `sweep` | how wide the frontier of an order is |
//! | `shape` | items and options as both see them |
//! | `outlook` | which states come to nothing |
//! | `plan` | states as bits, options as masks |
//! | `sieve` | which options fit a state |
//! | `frontier` | layer by layer |
//! | `layer` | a set of states with counts |
//! | `diagram` | all covers as a ZDD, from the frontier |
//! | `tree` | backtracking with a memo |
//! | `lists` | its dancing links |
//! | `store` | its memo |
//! | `number` | counts of any size |

pub mod diagram;
pub mod frontier;
pub mod layer;
pub mod lists;
pub mod number;
pub mod order;
pub mod outlook;
pub mod plan;
pub mod shape;
pub mod sieve;
pub mod store;
pub mod sweep;
pub mod tree;

use std::cell::RefCell;

use crate::constraint::signature::Signature;
use crate::problem::Problem;
use crate::search::memo::frontier::Frontier;
use crate::search::memo::order::Order;
use crate::search::memo::plan::Plan;
use crate::search::memo::tree::Tree;
use crate::search::stats::Stats;
use crate::search::zdd::Zdd;
use crate::search::{End, Limits, Observer};

/// Bytes that a memo may take if nobody says how many.
pub const ROOM: usize = 4 << 30;

/// A frontier that has at most so many states in all steps is swept without asking what else could be
/// done: a tenth of a second.
const FEW: f64 = (1 << 20) as f64;

/// One that has at most so many is swept to the end as soon as nothing else was quick. These are bounds;
/// most often there are far fewer.
const MANY: f64 = (1 << 28) as f64;

/// Work that the frontier and the tree may do in their first turns, in units of one or two nanoseconds, whatever they are
/// busy with. So what is in vain costs no more than what is not. The tree has more: its nodes are few and dear.
const FRONTIER_WORK: u64 = 425_000;
const TREE_WORK: u64 = 1_125_000;

/// The same for a moderate frontier from which a ZDD is to be made. All of its states would be kept, so it is not swept to the
/// end at once.
const KEPT: u64 = FRONTIER_WORK << 5;

/// By how much that grows from turn to turn.
const GROWTH: u64 = 4;

/// So many turns of a wide frontier end before it would pay to look ahead from the first step on.
const BLIND_TURNS: u32 = 2;

/// About how many bytes a count needs at least, whatever grows later: the options as masks.
pub fn memory(problem: &Problem) -> usize {
    16 * (problem.entries() + problem.options())
}

/// What came of a turn.
#[derive(Debug)]
pub struct Turn {
    /// How it ended; [`End::NodeLimit`] if it was too short, or the limits are narrower.
    pub end: End,
    /// The count, or a lower bound.
    pub stats: Stats,
    /// Whether the limits are what ended it, so that there is no use in another one.
    pub spent: bool,
}

/// A problem that is to be counted.
pub struct Counter<'p> {
    problem: &'p Problem,
    order: Order,
    plan: Option<Plan>,
    ruled: bool,
    room: usize,
    /// The diagram that was made last, if diagrams are wanted.
    zdd: Option<RefCell<Option<Zdd>>>,
}

impl<'p> Counter<'p> {
    /// Makes plans for `problem`, every item of which must be covered once, under the rules, within so
    /// many bytes.
    pub fn new(problem: &'p Problem, rules: Vec<Box<dyn Signature>>, room: usize) -> Self {
        let order = order::find(problem);
        let ruled = !rules.is_empty();
        let plan = match order.states.is_finite() {
            true => Plan::new(problem, &order.items, rules),
            false => None,
        };
        Counter { problem, order, plan, ruled, room, zdd: None }
    }

    /// Lets the frontier drop states that come to nothing, as far as tables of so many bits tell, from the
    /// first step. Otherwise it makes tables of [`outlook::BITS`] bits as soon as it has had much to do.
    pub fn look_ahead(&self, bits: u32) {
        if let Some(plan) = &self.plan {
            plan.look_ahead(bits);
        }
    }

    /// The same, but whoever counts to the end makes a ZDD, too. That has no way to do with less memory:
    /// then the count ends with [`End::Full`].
    pub fn with_diagram(self) -> Self {
        Counter { zdd: Some(RefCell::default()), ..self }
    }

    /// Whether it makes a ZDD, which names the options of the problem.
    pub fn has_diagram(&self) -> bool {
        self.zdd.is_some()
    }

    /// The ZDD of the count that came to the end, if one did.
    pub fn take_diagram(&self) -> Option<Zdd> {
        self.zdd.as_ref()?.take()
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

    /// Whether the tree can be searched: it knows no rules.
    pub fn has_tree(&self) -> bool {
        !self.ruled
    }

    /// Counts layer by layer. If it is stopped, the count is a lower bound.
    pub fn by_frontier(&self, limits: &Limits<'_>, observer: &mut dyn Observer) -> (End, Stats) {
        self.sweep(u64::MAX, limits, observer)
    }

    fn sweep(&self, work: u64, limits: &Limits<'_>, observer: &mut dyn Observer) -> (End, Stats) {
        let mut stats = Stats::default();
        let Some(plan) = &self.plan else { return (End::NodeLimit, stats) };
        let mut frontier = Frontier::new(plan, work, limits, observer, &mut stats);
        match &self.zdd {
            None => frontier.run(self.room),
            Some(zdd) => match frontier.diagram(self.room) {
                Ok(made) => *zdd.borrow_mut() = Some(made),
                Err(end) => frontier.end = end,
            },
        }
        let Frontier { end, total, .. } = frontier;
        stats.set_total(total);
        (end, stats)
    }

    /// Counts by backtracking. If it is stopped, the count is a lower bound.
    pub fn by_tree(&self, limits: &Limits<'_>, observer: &mut dyn Observer) -> (End, Stats) {
        self.backtrack(u64::MAX, limits, observer)
    }

    fn backtrack(
        &self,
        work: u64,
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
    ) -> (End, Stats) {
        let (items, draws) = (&self.order.items, self.zdd.is_some());
        let mut tree = Tree::new(self.problem, items, draws, self.room, work, limits, observer);
        let (end, total) = tree.run();
        if let (End::Exhausted, Some(zdd)) = (end, &self.zdd) {
            *zdd.borrow_mut() = tree.take_diagram();
        }
        let mut stats = tree.stats;
        stats.set_total(total);
        (end, stats)
    }

    /// Counts in whichever way ends first. `None` if neither can be gone: the frontier is too wide, and
    /// there are rules.
    pub fn run(&self, limits: &Limits<'_>, observer: &mut dyn Observer) -> Option<(End, Stats)> {
        match (self.has_frontier(), self.has_tree()) {
            (false, false) => return None,
            (true, tree) if !tree || self.is_moderate() => {
                return Some(self.by_frontier(limits, observer));
            }
            (false, true) => return Some(self.by_tree(limits, observer)),
            _ => {}
        }
        let mut best = Stats::default();
        for turn in 0.. {
            let Turn { end, stats, spent } = self.take_turn(turn, limits, observer);
            if end == End::Exhausted {
                return Some((end, stats));
            }
            if stats.total() >= best.total() {
                best = stats;
            }
            if end != End::NodeLimit || spent {
                return Some((end, best));
            }
        }
        unreachable!("some turn is long enough")
    }

    /// Tries each way with as much work as this turn has, or as `limits` allow; a moderate frontier to
    /// the end, if it is only counted, or with more. If neither is enough, the larger bound.
    pub fn take_turn(&self, turn: u32, limits: &Limits<'_>, observer: &mut dyn Observer) -> Turn {
        let is_spent = |stats: &Stats| stats.nodes >= limits.nodes;
        if self.is_moderate() {
            let work = self.zdd.as_ref().map_or(u64::MAX, |_| turn_of(KEPT, turn));
            let (end, stats) = self.sweep(work, limits, observer);
            let spent = is_spent(&stats);
            return Turn { end, stats, spent };
        }
        if turn >= BLIND_TURNS {
            self.look_ahead(outlook::BITS);
        }
        let mut best = Turn { end: End::NodeLimit, stats: Stats::default(), spent: true };
        for (is_there, tree) in [(self.has_frontier(), false), (self.has_tree(), true)] {
            let (end, stats) = match tree {
                _ if !is_there => continue,
                true => self.backtrack(turn_of(TREE_WORK, turn), limits, observer),
                false => self.sweep(turn_of(FRONTIER_WORK, turn), limits, observer),
            };
            let spent = best.spent && is_spent(&stats);
            if end == End::Exhausted {
                return Turn { end, stats, spent };
            }
            let stats = if stats.total() >= best.stats.total() { stats } else { best.stats };
            best = Turn { end, stats, spent };
            if end != End::NodeLimit {
                break;
            }
        }
        best
    }
}

/// How much work a turn has that had so much at first.
fn turn_of(first: u64, turn: u32) -> u64 {
    first.saturating_mul(GROWTH.saturating_pow(turn))
}
