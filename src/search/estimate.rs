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
//! Some of Knuth's walks, and then a few small probes, tell how many nodes each level has and what a node
//! costs; the `k`s are chosen so that a probe has about as many nodes on each level as there are, or
//! as can be paid for. Costs are counted in updates, not in seconds, so that the same seed gives the same
//! answer. If all of the tree can be paid for it is visited, and the answer is exact.
//!
//! # The interval
//!
//! Probes are independent and alike; their mean is nearly log-normal. The interval is that of Student's
//! distribution on a scale of logarithms. It is not to be believed if a probe makes up more than a tenth
//! of the sum of all: then others that are as large may have been missed.

mod levels;

use crate::constraint::Constraint;
use crate::problem::Problem;
use crate::search::links::{self, Links};
use crate::search::multi::Multi;
use crate::search::store::Store;
use crate::search::walk::replay;
use crate::search::width::{self, Fit, Huge, Narrow, Wide};
use crate::solution::Choice;
use levels::Levels;

/// What to find out, and at what cost.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many probes, at least 2.
    pub probes: u32,
    /// About how many updates all of them may make.
    pub updates: u64,
    /// Fixes all that is random.
    pub seed: u64,
    /// The tree below these choices, instead of all of it.
    pub below: Vec<Choice>,
}

impl Default for Plan {
    /// What takes some tenths of a second.
    fn default() -> Self {
        Plan { probes: 40, updates: 30_000_000, seed: 0, below: Vec::new() }
    }
}

/// An estimated number. It is between `low` and `high` with a probability of 95 percent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Whether one may believe this.
    pub reliable: bool,
}

impl Interval {
    fn exact(number: f64) -> Self {
        Interval { mean: number, low: number, high: number, reliable: true }
    }

    /// From the results of independent probes.
    fn of(results: &[f64]) -> Self {
        let count = results.len() as f64;
        let sum: f64 = results.iter().sum();
        let mean = sum / count.max(1.0);
        if results.len() < 2 || mean == 0.0 {
            return Interval { mean, low: 0.0, high: mean, reliable: false };
        }
        let squares: f64 = results.iter().map(|result| (result - mean).powi(2)).sum();
        let relative = (squares / (count - 1.0) / count).sqrt() / mean;
        // Of the mean's logarithm, if the mean is log-normal.
        let deviation = relative.powi(2).ln_1p().sqrt();
        let freedom = count - 1.0;
        let quantile = 1.96 + 2.37 / freedom + 2.82 / freedom.powi(2);
        let largest = results.iter().fold(0.0f64, |largest, &result| largest.max(result));
        let (low, high) =
            (mean * (-quantile * deviation).exp(), mean * (quantile * deviation).exp());
        // Of few probes each is a large part of the sum.
        let part = (2.0 / count).max(0.1);
        Interval { mean, low, high, reliable: largest <= part * sum && high <= 4.0 * low }
    }
}

/// What was found out.
#[derive(Clone, Debug, Default)]
pub struct Estimate {
    /// Nodes of the tree, as an engine counts them.
    pub nodes: Interval,
    /// Solutions.
    pub solutions: Interval,
    /// Updates, which are about proportional to the time of the search.
    pub updates: Interval,
    /// Nodes by level, the root's first.
    pub profile: Vec<f64>,
    /// Probes that were made, and nodes and updates that this took.
    pub probes: u32,
    /// Nodes visited.
    pub visited: u64,
    /// Updates made, preparations included.
    pub spent: u64,
    /// Whether all of the tree was visited.
    pub exact: bool,
    /// Whether it was stopped early.
    pub stopped: bool,
}

/// Estimates the tree of `links` for `problem` under `constraint`. Stops early, with what there is, if
/// `stop` says so.
///
/// ```
/// use quadrille::{dlx, search::estimate::{Plan, estimate}};
///
/// let problem = dlx::parse::read(&b"A B\nA\nA\nB\nB\n"[..]).unwrap().problem;
/// let estimate = estimate(&problem, &mut (), &Plan::default(), &mut || false);
/// assert!(estimate.exact);
/// assert_eq!((estimate.nodes.mean, estimate.solutions.mean), (7.0, 4.0));
/// ```
pub fn estimate<C: Constraint>(
    problem: &Problem,
    constraint: &mut C,
    plan: &Plan,
    stop: &mut dyn FnMut() -> bool,
) -> Estimate {
    match width::fit(problem, links::SPARE) {
        _ if problem.has_bounds() => probe(Multi::new(problem), constraint, plan, stop),
        Fit::Narrow => probe(Links::<Narrow>::new(problem), constraint, plan, stop),
        Fit::Wide => probe(Links::<Wide>::new(problem), constraint, plan, stop),
        Fit::Huge => probe(Links::<Huge>::new(problem), constraint, plan, stop),
    }
}

/// Walks by Knuth's method, to begin with.
const WALKS: u64 = 200;

/// Small probes after them, and which part of the updates each may make.
const TRIALS: u32 = 4;
const TRIAL: f64 = 0.03;

/// A probe that costs so many times what it should is given up, and the plan is made anew.
const TOO_MUCH: f64 = 8.0;

/// So many updates are never too much. A plan is given up only in view of a large probe, so that the
/// probes of the last plan lack such; where probes are small that would show in the mean.
const LITTLE: f64 = 100_000.0;

/// However many probes are wanted, what goes before them costs no more than before so many.
const FEW: u32 = 40;

/// How often a plan may be given up.
const PLANS: u32 = 6;

fn probe<S: Store, C: Constraint>(
    store: S,
    constraint: &mut C,
    plan: &Plan,
    stop: &mut dyn FnMut() -> bool,
) -> Estimate {
    let mut prober = Prober {
        store,
        constraint,
        stop,
        random: fastrand::Rng::with_seed(plan.seed),
        base: plan.below.len(),
        steps: Vec::new(),
        visited: 0,
        stopped: false,
    };
    if !replay(&mut prober.store, prober.constraint, &plan.below, false) {
        return Estimate::default();
    }
    if prober.store.done() {
        let one = Interval::exact(1.0);
        return Estimate { nodes: one, solutions: one, exact: true, ..Estimate::default() };
    }
    prober.run(plan)
}

struct Prober<'a, S, C> {
    store: S,
    constraint: &'a mut C,
    stop: &'a mut dyn FnMut() -> bool,
    random: fastrand::Rng,
    /// Levels that stand.
    base: usize,
    /// By level: one of so many options is taken.
    steps: Vec<f64>,
    visited: u64,
    stopped: bool,
}

impl<S: Store, C: Constraint> Prober<'_, S, C> {
    fn run(&mut self, plan: &Plan) -> Estimate {
        let updates = plan.updates as f64;
        let each = updates / f64::from(plan.probes);
        let few = updates.min(each * f64::from(FEW));
        let mut known = self.walks(few * TRIAL);
        for _ in 0..TRIALS {
            self.steps = known.steps(few * TRIAL);
            if let Some(trial) = self.probe(few * TRIAL * TOO_MUCH) {
                let mut both = Levels::default();
                both.add(&known, 0.5);
                both.add(&trial, 0.5);
                known = both;
            } else {
                // It is larger than what we know: take fewer of each level.
                let mut more = Levels::default();
                more.add(&known, 4.0);
                known = more;
            }
        }
        let mut results = Vec::new();
        if known.cost(f64::INFINITY) <= few
            && let Some(all) = self.whole(few * 2.0)
        {
            return self.exact(&all);
        }
        // Where all of the tree costs less than many probes, there is something to show before.
        let mut later = plan.probes > FEW && known.cost(f64::INFINITY) <= updates;
        for _ in 0..PLANS {
            results.clear();
            self.steps = known.steps(each);
            let start = self.store.counters().0;
            while results.len() < plan.probes as usize && !self.stopped {
                if later && results.len() == FEW as usize {
                    later = false;
                    if let Some(all) = self.whole(updates * 2.0) {
                        return self.exact(&all);
                    }
                    continue;
                }
                // Of many probes some are large, as long as they are not too large altogether.
                let spent = (self.store.counters().0 - start) as f64;
                let due = TOO_MUCH * each * (results.len() + 1) as f64 - spent;
                let most = due.min(TOO_MUCH * updates / f64::from(FEW)).max(TOO_MUCH * each);
                let Some(result) = self.probe(most.max(LITTLE)) else { break };
                results.push(result);
            }
            if self.stopped || results.len() == plan.probes as usize {
                break;
            }
            let mut more = Levels::default();
            more.add(&known, 3.0);
            known = more;
        }
        self.summary(&results)
    }

    /// All of the tree, unless that costs more than so many updates.
    fn whole(&mut self, most: f64) -> Option<Levels> {
        let steps = std::mem::take(&mut self.steps);
        let all = self.probe(most);
        self.steps = steps;
        all
    }

    fn exact(&self, all: &Levels) -> Estimate {
        let sum = |numbers: &[f64]| Interval::exact(numbers.iter().sum());
        Estimate {
            nodes: sum(&all.nodes),
            solutions: sum(&all.solutions),
            updates: sum(&all.updates),
            profile: all.nodes.clone(),
            probes: 1,
            visited: self.visited,
            spent: self.store.counters().0,
            exact: true,
            stopped: false,
        }
    }

    fn summary(&self, results: &[Levels]) -> Estimate {
        let interval = |numbers: fn(&Levels) -> &Vec<f64>| {
            let sums: Vec<f64> =
                results.iter().map(|levels| numbers(levels).iter().sum()).collect();
            Interval::of(&sums)
        };
        let mut mean = Levels::default();
        results.iter().for_each(|levels| mean.add(levels, 1.0 / results.len().max(1) as f64));
        Estimate {
            nodes: interval(|levels| &levels.nodes),
            solutions: interval(|levels| &levels.solutions),
            updates: interval(|levels| &levels.updates),
            profile: mean.nodes,
            probes: results.len() as u32,
            visited: self.visited,
            spent: self.store.counters().0,
            exact: false,
            stopped: self.stopped,
        }
    }

    fn backtrack(&mut self, level: usize) {
        self.store.undo();
        self.constraint.backtrack(level);
    }

    /// Takes the option at hand; false, and nothing is done, if the constraint refuses.
    fn take(&mut self) -> bool {
        let level = self.store.levels() - 1;
        self.constraint.mark();
        if !self.store.commit(self.constraint) {
            self.constraint.backtrack(level);
            return false;
        }
        let stands = self.constraint.settle(&mut self.store).is_fine();
        if !stands {
            self.backtrack(level);
        }
        stands
    }

    /// Levels by Knuth's walks, as long as they cost no more than so many updates.
    fn walks(&mut self, updates: f64) -> Levels {
        let before = self.store.counters().0;
        let mut sum = Levels::default();
        let mut count = 0.0;
        for _ in 0..WALKS {
            self.walk(&mut sum);
            count += 1.0;
            self.stopped |= (self.stop)();
            if self.stopped || (self.store.counters().0 - before) as f64 > updates {
                break;
            }
        }
        let mut mean = Levels::default();
        mean.add(&sum, 1.0 / count);
        mean
    }

    fn walk(&mut self, sum: &mut Levels) {
        let (mut level, mut weight) = (0, 1.0);
        loop {
            let before = self.store.counters().0;
            sum.grow(level);
            sum.nodes[level] += weight;
            self.visited += 1;
            self.store.branch();
            let mut degree = 0;
            let mut found = self.store.next();
            if found {
                degree = self.store.choice(self.base + level).degree;
                let others = self.random.u32(0..degree);
                found = (0..others).all(|_| self.store.next());
            }
            let stands = found && self.take();
            sum.updates[level] += weight * (self.store.counters().0 - before) as f64;
            if !stands {
                break;
            }
            weight *= f64::from(degree);
            level += 1;
            if self.store.done() {
                sum.grow(level);
                sum.nodes[level] += weight;
                let holds = self.constraint.complete().is_fine();
                sum.solutions[level] += if holds { weight } else { 0.0 };
                self.backtrack(self.base + level - 1);
                break;
            }
        }
        while self.store.levels() > self.base {
            self.store.close();
            if self.store.levels() > self.base {
                self.backtrack(self.store.levels() - 1);
            }
        }
    }

    /// What one probe says of the levels; `None` if it costs more than so many updates, or is stopped.
    fn probe(&mut self, most: f64) -> Option<Levels> {
        let mut seen = Levels::default();
        let random = &mut self.random;
        let mut phases: Vec<f64> = self.steps.iter().map(|step| random.f64() * step).collect();
        let start = self.store.counters().0;
        let mut before = start;
        let (mut level, mut whole) = (0, true);
        'enter: loop {
            let now = self.store.counters().0;
            seen.grow(level);
            seen.nodes[level] += 1.0;
            self.visited += 1;
            if self.visited.is_multiple_of(256) {
                self.stopped |= (self.stop)();
            }
            if self.stopped || (now - start) as f64 > most {
                whole = false;
                break;
            }
            self.store.branch();
            loop {
                if !self.store.next() {
                    self.store.close();
                    let now = self.store.counters().0;
                    seen.updates[level] += (now - before) as f64;
                    before = now;
                    if level == 0 {
                        break 'enter;
                    }
                    level -= 1;
                    self.backtrack(self.base + level);
                    continue;
                }
                if let (Some(step), Some(phase)) = (self.steps.get(level), phases.get_mut(level)) {
                    *phase += 1.0;
                    if *phase < *step {
                        continue;
                    }
                    *phase -= step;
                }
                if !self.take() {
                    continue;
                }
                if !self.store.done() {
                    let now = self.store.counters().0;
                    seen.updates[level] += (now - before) as f64;
                    before = now;
                    level += 1;
                    continue 'enter;
                }
                seen.grow(level + 1);
                seen.nodes[level + 1] += 1.0;
                let holds = self.constraint.complete().is_fine();
                seen.solutions[level + 1] += if holds { 1.0 } else { 0.0 };
                self.backtrack(self.base + level);
            }
        }
        if !whole {
            // The node was entered but opened no level.
            while self.store.levels() > self.base {
                self.backtrack(self.store.levels() - 1);
                self.store.close();
            }
            return None;
        }
        let mut weight = 1.0;
        for level in 0..seen.nodes.len() {
            seen.nodes[level] *= weight;
            seen.solutions[level] *= weight;
            seen.updates[level] *= weight;
            weight *= self.steps.get(level).copied().unwrap_or(1.0);
        }
        Some(seen)
    }
}
