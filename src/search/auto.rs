//! `--engine auto`: which engine answers which question.
//!
//! The choice depends on the problem, the rules and the question alone, never on the clock or the
//! machine; so the same command gives the same output. Where a look at the problem cannot tell, an
//! engine tries within a budget of nodes or conflicts, and what it found is kept back until it is done.
//!
//! A file with bounds is for `links` alone. Otherwise:
//!
//! | rules | question | engine |
//! |---|---|---|
//! | none | more than two solutions | `bits` or `links`: their order is promised |
//! | none | one or two solutions | `bits` or `links`, then `learn`, in turns with growing budgets |
//! | some | a limited number of solutions | `learn` |
//! | some | all solutions | `links` for a short trial; it stays if solutions are many, otherwise `learn` |
//!
//! `bits` and `links` visit the same tree; which of them is faster is guessed from the size of the
//! problem ([`suits_bits`]). Constraints are for `links` alone.
//!
//! The reasons are measured (docs/benchmarks): rules on real boards are what learning is for; but it
//! pays for each solution again, so where every few nodes have one, as on a board without clues,
//! backtracking is twice as fast.

use std::ops::ControlFlow;

use crate::constraint::Together;
use crate::problem::Problem;
use crate::search::memory as memory_of_links;
use crate::search::stats::Stats;
use crate::search::{End, Limits, Moment, Observer, bits, learn, solve};
use crate::solution::{Choice, Choices};

/// Nodes of the trial of `links` before it is decided whether it stays.
const TRIAL: u64 = 20_000;

/// A trial stays if it found a solution in so many nodes.
const DENSE: u64 = 100;

/// Solutions that are kept back; more of them than this are dense anyway.
const KEPT: usize = 10_000;

/// Nodes of `bits` or `links` and conflicts of `learn` in turns; the last turn of the former has no
/// end.
const TURNS: [(u64, u64); 3] = [(50_000, 2_000), (1_000_000, 50_000), (u64::MAX, 0)];

/// For which engine rules are made: what pays for one may not pay for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// `links`.
    Links,
    /// `learn`.
    Learn,
}

/// What was answered, and by whom.
#[derive(Debug)]
pub struct Answer {
    /// Why the search ended.
    pub end: End,
    /// What the engine that answered counted.
    pub stats: Stats,
    /// Its name.
    pub engine: &'static str,
}

/// Searches `problem` under the rules that `make` makes anew for each search, until `enough`
/// solutions are found.
pub fn search(
    problem: &Problem,
    make: &dyn Fn(Engine) -> Together,
    enough: u64,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Answer {
    if problem.has_bounds() {
        let (end, stats) = solve(problem, &mut make(Engine::Links), limits, observer);
        return Answer { end, stats, engine: "links" };
    }
    let ruled = !make(Engine::Links).is_empty();
    match (ruled, enough) {
        (false, 0..=2) => in_turns(problem, enough, limits, observer),
        (false, _) => {
            let plain = Plain::of(problem);
            let (end, stats) = plain.solve(problem, limits, observer);
            Answer { end, stats, engine: plain.name() }
        }
        (true, u64::MAX) => by_trial(problem, make, limits, observer),
        (true, _) => by_learning(problem, make, limits, observer),
    }
}

/// About how many bytes an engine needs that answers without rules.
pub fn memory(problem: &Problem) -> usize {
    match Plain::of(problem) {
        Plain::Bits => bits::table::memory(problem),
        Plain::Links => memory_of_links(problem),
    }
}

/// An engine that visits the tree of `dlx2` without rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plain {
    Bits,
    Links,
}

impl Plain {
    /// The one that should be faster.
    fn of(problem: &Problem) -> Self {
        if suits_bits(problem) { Plain::Bits } else { Plain::Links }
    }

    fn name(self) -> &'static str {
        match self {
            Plain::Bits => "bits",
            Plain::Links => "links",
        }
    }

    fn solve(
        self,
        problem: &Problem,
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
    ) -> (End, Stats) {
        match self {
            Plain::Bits => bits::solve(problem, limits, observer),
            Plain::Links => solve(problem, &mut (), limits, observer),
        }
    }
}

/// More options than this are for `links`: for 8000 of them `bits` makes its rows in 9 to 29
/// milliseconds, `links` its lists in one.
const MOST_OPTIONS: usize = 6000;

/// Whether `bits` should be faster than `links` on `problem`.
pub fn suits_bits(problem: &Problem) -> bool {
    let small = problem.options() <= MOST_OPTIONS && bits::table::fits(problem).is_ok();
    small && !problem.has_bounds()
}

fn by_learning(
    problem: &Problem,
    make: &dyn Fn(Engine) -> Together,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Answer {
    let (end, stats) = learn::solve(problem, &mut make(Engine::Learn), limits, observer);
    Answer { end, stats, engine: "learn" }
}

fn by_trial(
    problem: &Problem,
    make: &dyn Fn(Engine) -> Together,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Answer {
    let trial = |observer: &mut dyn Observer, limits: &Limits<'_>| {
        solve(problem, &mut make(Engine::Links), limits, observer)
    };
    match attempt(TRIAL, u64::MAX, limits, observer, trial) {
        Attempt::Done(end, stats) => Answer { end, stats, engine: "links" },
        Attempt::Open(stats) if stats.solutions * DENSE >= stats.nodes => {
            let (end, stats) = solve(problem, &mut make(Engine::Links), limits, observer);
            Answer { end, stats, engine: "links" }
        }
        Attempt::Open(_) => by_learning(problem, make, limits, observer),
    }
}

fn in_turns(
    problem: &Problem,
    enough: u64,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Answer {
    let plain = Plain::of(problem);
    let search =
        |observer: &mut dyn Observer, limits: &Limits<'_>| plain.solve(problem, limits, observer);
    let learn = |observer: &mut dyn Observer, limits: &Limits<'_>| {
        learn::solve(problem, &mut (), limits, observer)
    };
    for (nodes, conflicts) in TURNS {
        if let Attempt::Done(end, stats) = attempt(nodes, enough, limits, observer, search) {
            return Answer { end, stats, engine: plain.name() };
        }
        if let Attempt::Done(end, stats) = attempt(conflicts, enough, limits, observer, learn) {
            return Answer { end, stats, engine: "learn" };
        }
    }
    unreachable!("the last turn of backtracking ends only with its answer")
}

/// How a bounded search ended.
enum Attempt {
    /// It answered, or was stopped from outside.
    Done(End, Stats),
    /// Its budget ran out.
    Open(Stats),
}

/// Runs an engine within a budget, and hands its solutions on if it is done.
fn attempt(
    budget: u64,
    enough: u64,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
    run: impl Fn(&mut dyn Observer, &Limits<'_>) -> (End, Stats),
) -> Attempt {
    if budget >= limits.nodes {
        let (end, stats) = run(observer, limits);
        return Attempt::Done(end, stats);
    }
    let mut kept = Kept { inner: observer, solutions: Vec::new(), enough };
    let within = Limits { nodes: budget, attention: limits.attention };
    let (end, stats) = run(&mut kept, &within);
    let Kept { solutions, .. } = kept;
    if end == End::NodeLimit || solutions.len() >= KEPT {
        return Attempt::Open(stats);
    }
    for choices in &solutions {
        if observer.solution(choices).is_break() {
            return Attempt::Done(End::Stopped, stats);
        }
    }
    Attempt::Done(end, stats)
}

/// Keeps solutions back.
struct Kept<'o> {
    inner: &'o mut dyn Observer,
    solutions: Vec<Vec<Choice>>,
    enough: u64,
}

impl Observer for Kept<'_> {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        self.solutions.push(choices.to_vec());
        let found = self.solutions.len();
        match found >= KEPT || found as u64 >= self.enough {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn tick(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        self.inner.tick(moment)
    }
}
