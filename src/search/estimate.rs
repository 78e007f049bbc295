//! How large a search tree is, from a part of it.
//!
//! Knuth's method (TAOCP 7.2.2E; Math. Comp. 29, 1975) walks down at random, and multiplies the degrees on
//! the way. It is right on average; but most walks miss the few large subtrees that make up the tree, so
//! that its mean is usually too small, and so is its standard error. We walk on many paths at once
//! instead, as Purdom (SIAM J. Comput. 7, 1978) and Chen (SIAM J. Comput. 21, 1992) do: a *probe*
//! backtracks through the tree, but of the options that it meets on a level it takes one in `k`, where
//! `k` belongs to the level, in equal steps from a random start. So its nodes on a level are spread evenly
//! over the tree, from left to right, and stand for as many nodes each: for `W`, the product of the `k`s
//! above.
//!
//! # Why that is right on average
//!
//! Which options a probe meets on a level depends on the starts of the levels above, not on that of this
//! level. Whatever these are, an option that is met is taken with probability `1/k`. So a node of the
//! tree is visited with probability `1/W`, and the sum of the `W` of visited nodes has the size of the
//! tree as its mean.
//!
//! # The plan
//!
//! Some of Knuth's walks, and then a few small probes, tell how many nodes one of each level has below it and what it
//! costs; the `k`s are chosen so that a probe has about as many nodes on each level as there are, or
//! as can be paid for. Costs are counted in updates, not in seconds, so that the same seed gives the same
//! answer. A tree that can be paid for is visited, and the answer is exact.
//!
//! # The interval
//!
//! Probes are independent and alike; their mean is nearly log-normal. The interval is that of Student's
//! distribution on a scale of logarithms. It is not to be believed if a probe makes up more than a tenth
//! of the sum of all: then others that are as large may have been missed. Nor is it if there were few nodes on a level
//! on which others were left out, or if a probe was given up that was much larger.
//!
//! On a tree of a thousand levels or more a probe can only have a few nodes on each. Their number comes and goes as in
//! any population, so that results differ by orders of magnitude; walks do no better. Then the spread of their
//! logarithms says how large the tree may be (`interval`), and that is unreliable.

mod confidence;
mod levels;
mod pilot;
mod prober;

pub use confidence::Confidence;

use crate::constraint::Propagator;
use crate::large::Large;
use crate::problem::Problem;
use crate::search::algorithm_c::replay;
use crate::search::algorithm_m::Multi;
use crate::search::dancing_links::{self, Links};
use crate::search::interval::Interval;
use crate::search::store::Store;
use crate::search::width::{self, Fit, Huge, Narrow, Wide};
use crate::solution::Choice;
use pilot::Pilot;
use prober::Prober;

/// What to find out, and at what cost.
#[derive(Clone, Debug)]
pub struct EstimatePlan {
    /// How many probes, at least 2. There are fewer if the tree is so deep that they would see nothing.
    pub probes: u32,
    /// What all of them may cost, in updates or what takes as long.
    pub work: u64,
    /// Fixes all that is random.
    pub seed: u64,
    /// The tree below these choices, instead of all of it.
    pub below: Vec<Choice>,
}

impl Default for EstimatePlan {
    /// What takes some tenths of a second.
    fn default() -> Self {
        EstimatePlan { probes: 40, work: 24_000_000, seed: 0, below: Vec::new() }
    }
}

/// What was found out.
#[derive(Clone, Debug, Default)]
pub struct Estimate {
    /// Nodes of the tree, as an engine counts them.
    pub nodes: Confidence,
    /// Solutions.
    pub solutions: Confidence,
    /// Updates.
    pub updates: Confidence,
    /// Nodes by level, the root's first.
    pub profile: Vec<Large>,
    /// Probes that were made.
    pub probes: u32,
    /// Nodes visited, some of them several times.
    pub visited: u64,
    /// What that cost, preparations included.
    pub spent: u64,
    /// Whether all of the tree was visited.
    pub exact: bool,
    /// Whether it was stopped early.
    pub stopped: bool,
    /// Some subtrees of moderate size, all of the same level, for whoever wants to know how long a node takes.
    pub places: Vec<Interval>,
}

/// Estimates the tree of `links` for `problem` under `constraint`. Stops early, with what there is, if
/// `stop` says so.
///
/// ```
/// use quadrille::{dlx, search::estimate::{EstimatePlan, estimate}};
///
/// let problem = dlx::parse::read(&b"A B\nA\nA\nB\nB\n"[..]).unwrap().problem;
/// let estimate = estimate(&problem, &mut (), &EstimatePlan::default(), &mut || false);
/// assert!(estimate.exact);
/// assert_eq!((estimate.nodes.mean.to_f64(), estimate.solutions.mean.to_f64()), (7.0, 4.0));
/// ```
pub fn estimate<C: Propagator>(
    problem: &Problem,
    constraint: &mut C,
    plan: &EstimatePlan,
    stop: &mut dyn FnMut() -> bool,
) -> Estimate {
    let items = problem.primary() as u64;
    // To find the item with the fewest options all are looked at, sixteen lengths an instruction; or blocks of
    // them; or one after the other. Roughly, as updates.
    let (all, blocks, list) = (4 + items / 64, 12 + items / 4096, 4 + items / 4);
    let most = most(problem);
    match width::fit(problem, dancing_links::SPARE) {
        _ if problem.has_bounds() => run(Multi::new(problem), constraint, plan, stop, (list, most)),
        Fit::Narrow => run(Links::<Narrow>::new(problem), constraint, plan, stop, (all, most)),
        Fit::Wide => run(Links::<Wide>::new(problem), constraint, plan, stop, (blocks, most)),
        Fit::Huge => run(Links::<Huge>::new(problem), constraint, plan, stop, (blocks, most)),
    }
}

/// No tree has more nodes than this: those of a level differ in what they choose for some items, and there are no
/// more levels than options.
fn most(problem: &Problem) -> Large {
    let mut lengths = vec![0.0f64; problem.primary()];
    for entry in problem.all_entries() {
        if let Some(length) = lengths.get_mut(entry.item.index()) {
            *length += 1.0;
        }
    }
    let levels = Large::new(problem.options() as f64 + 1.0);
    if problem.has_bounds() {
        // An option is chosen or not.
        return levels * Large::from_ln(problem.options() as f64 * std::f64::consts::LN_2);
    }
    lengths.iter().fold(levels, |product, &length| product * length.max(1.0))
}

fn run<S: Store, C: Propagator>(
    mut store: S,
    constraint: &mut C,
    plan: &EstimatePlan,
    stop: &mut dyn FnMut() -> bool,
    (node, most): (u64, Large),
) -> Estimate {
    if !replay(&mut store, constraint, &plan.below, false) {
        return Estimate::default();
    }
    if store.done() {
        let one = Confidence::exact(Large::ONE);
        return Estimate { nodes: one, solutions: one, exact: true, ..Estimate::default() };
    }
    let prober = Prober::new(store, constraint, stop, plan.seed, node);
    Pilot::new(prober, plan, most).run(plan)
}
