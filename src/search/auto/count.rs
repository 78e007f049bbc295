//! `auto`, asked for the number of solutions only.
//!
//! A small problem is visited for a moment, for a plan of a memo takes some milliseconds. Then a
//! narrow frontier is swept at once, and one of moderate width soon. Otherwise nobody knows: the files where nothing repeats are
//! counted best one solution after the other, and others have more solutions than one could ever
//! visit. So an engine that visits and the engines of memos take turns. The former goes on where it
//! left off, the latter begin again with four times as much work.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use crate::constraint::{Constraint, Together};
use crate::problem::Problem;
use crate::search::auto::{Answer, Engine, Plain, search};
use crate::search::crew::{self, Order, Outcome, Overseer, State, Task};
use crate::search::fraction::fraction;
use crate::search::learn::slices::Slices;
use crate::search::memo::Counter;
use crate::search::stats::Stats;
use crate::search::stretch::Stretch;
use crate::search::{End, Limits, Moment, Observer};
use crate::solution::Choices;

/// Nodes of `bits` or `links` before others have a turn: small problems never get there.
const NODES: u64 = 300_000;

/// Work of `learn` before others have a turn; finished boards never get there.
const WORK: u64 = 150_000;

/// Entries of a problem that is visited before a memo is planned for it.
const LARGE: usize = 100_000;

/// Nodes of a small problem before a memo is planned for it: a millisecond or two.
const FIRST: u64 = 50_000;

/// Entries of a small problem.
const SMALL: usize = 10_000;

/// By how much turns grow.
const GROWTH: u64 = 4;

/// Counts the solutions of `problem` under the rules that `make` makes anew for each search; a memo
/// may take `room` bytes.
pub fn count(
    problem: &Problem,
    make: &dyn Fn(Engine) -> Together,
    room: usize,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Answer {
    let rules = make(Engine::Links);
    if problem.has_bounds() || rules.signatures().is_none() {
        return search(problem, make, u64::MAX, limits, observer);
    }
    let plan = || {
        let signatures = make(Engine::Links).signatures().unwrap_or_default();
        Counter::new(problem, signatures, room)
    };
    let ruled = !rules.is_empty();
    let counter = (ruled || plans_first(problem)).then(plan);
    if let Some(counter) = counter.as_ref().filter(|counter| counter.is_narrow()) {
        let (end, stats) = counter.by_frontier(limits, observer);
        return Answer { end, stats, engine: "memo" };
    }
    if let (Some(counter), true) = (&counter, ruled) {
        return with_learning(problem, make, counter, limits, observer);
    }
    let plain = Plain::of(problem);
    let mut beside = Beside {
        plan: &plan,
        counter,
        observer,
        attention: limits.attention,
        most: limits.nodes,
        turn: 0,
        counted: None,
        stopped: false,
    };
    let nodes = first_turn(problem).min(limits.nodes);
    let within = Limits { nodes, attention: limits.attention };
    let (end, stats) = plain.solve(problem, &within, &mut beside);
    let end = if beside.stopped { End::Stopped } else { end };
    let visited = Answer { end, stats, engine: plain.name() };
    match beside.counted {
        Some(counted) if counted.end == End::Exhausted => counted,
        Some(counted) if end != End::Exhausted => better(visited, counted),
        _ => visited,
    }
}

/// Whether a memo is planned before anything is visited. A plan for a large problem takes longer than many a search, one
/// for a small one longer than some.
fn plans_first(problem: &Problem) -> bool {
    (SMALL + 1..=LARGE).contains(&problem.entries())
}

/// How many nodes are visited before the first turn of a memo.
fn first_turn(problem: &Problem) -> u64 {
    if problem.entries() <= SMALL { FIRST } else { NODES }
}

/// The same without rules and with several threads, those of `task`, which must want all solutions: they
/// visit; the turns of the memo are for one. Tells who has answered.
pub fn count_by_crew(
    task: &Task<'_>,
    room: usize,
    overseer: &dyn Overseer,
) -> (Outcome, &'static str) {
    let plain = if task.bits { Plain::Bits } else { Plain::Links };
    let limits = Limits { nodes: u64::MAX, attention: &task.attention[0] };
    let mut observer = Overseen(overseer);
    let memo = |(end, stats): (End, Stats)| {
        let state = State { stats, entries: Vec::new() };
        (Outcome { end, state, misfit: false }, "memo")
    };
    let plan = || Counter::new(task.problem, Vec::new(), room);
    let mut counter = plans_first(task.problem).then(plan);
    if let Some(counter) = counter.as_ref().filter(|counter| counter.is_narrow()) {
        return memo(counter.by_frontier(&limits, &mut observer));
    }
    // Each thread visits as many nodes before a turn as one would.
    let (mut state, mut turn) = (State::new([Stretch::whole()]), 0);
    let (mut each, mut most) = (0, first_turn(task.problem));
    loop {
        let nodes = state.stats.nodes.saturating_add(most - each);
        let visited = crew::run(&Task { nodes, ..*task }, state, overseer);
        if visited.end != End::NodeLimit {
            return (visited, plain.name());
        }
        each = most;
        let counter = counter.get_or_insert_with(plan);
        if most < NODES {
            if counter.is_narrow() {
                return memo(counter.by_frontier(&limits, &mut observer));
            }
            (state, most) = (visited.state, NODES);
            continue;
        }
        let counted = counter.take_turn(turn, &limits, &mut observer);
        match counted.0 {
            End::Exhausted => return memo(counted),
            // Both know a bound.
            End::Stopped if counted.1.total() > visited.state.stats.total() => {
                return memo(counted);
            }
            End::Stopped => return (Outcome { end: End::Stopped, ..visited }, plain.name()),
            End::NodeLimit => {}
        }
        (state, turn, most) = (visited.state, turn + 1, most.saturating_mul(GROWTH));
    }
}

/// Reports to the overseer of a crew.
struct Overseen<'a>(&'a dyn Overseer);

impl Observer for Overseen<'_> {
    fn solution(&mut self, _: &dyn Choices) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tick(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        match self.0.tick(moment, fraction(moment.choices)) {
            Order::Stop => ControlFlow::Break(()),
            Order::Continue | Order::Record => ControlFlow::Continue(()),
        }
    }
}

/// The better of two bounds; whoever stopped one search stopped both.
fn better(one: Answer, other: Answer) -> Answer {
    let stopped = one.end == End::Stopped || other.end == End::Stopped;
    let end = if stopped { End::Stopped } else { one.end };
    let best = if other.stats.total() > one.stats.total() { other } else { one };
    Answer { end, ..best }
}

/// With rules: `learn` and the frontier.
fn with_learning(
    problem: &Problem,
    make: &dyn Fn(Engine) -> Together,
    counter: &Counter<'_>,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Answer {
    if !counter.has_frontier() {
        return search(problem, make, u64::MAX, limits, observer);
    }
    let mut slices = Slices::new(problem, make(Engine::Learn));
    let mut work = WORK;
    for turn in 0.. {
        let end = slices.go_on(work, limits, &mut Silent(observer));
        if end != End::NodeLimit || slices.stats.conflicts >= limits.nodes {
            return Answer { end, stats: slices.stats, engine: "learn" };
        }
        let (end, stats) = counter.take_turn(turn, limits, observer);
        let counted = Answer { end, stats, engine: "memo" };
        if end == End::Exhausted {
            return counted;
        }
        if end == End::Stopped || counter.spends(turn, limits) {
            return better(Answer { end, stats: slices.stats, engine: "learn" }, counted);
        }
        work = work.saturating_mul(GROWTH);
    }
    unreachable!("some turn is long enough")
}

/// Hears of solutions, and counts elsewhere.
struct Silent<'o>(&'o mut dyn Observer);

impl Observer for Silent<'_> {
    fn solution(&mut self, _: &dyn Choices) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tick(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        self.0.tick(moment)
    }
}

/// A search of `bits` or `links`, beside which the memo has its turns.
struct Beside<'c, 'p, 'o> {
    plan: &'c dyn Fn() -> Counter<'p>,
    counter: Option<Counter<'p>>,
    observer: &'o mut dyn Observer,
    attention: &'c AtomicBool,
    most: u64,
    turn: u32,
    /// The memo's answer, or the largest bound that it has found.
    counted: Option<Answer>,
    /// Whether somebody stopped the memo in its turn.
    stopped: bool,
}

impl Observer for Beside<'_, '_, '_> {
    fn solution(&mut self, _: &dyn Choices) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tick(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        self.observer.tick(moment)
    }

    fn more(&mut self, stats: &Stats) -> u64 {
        if stats.nodes >= self.most {
            return stats.nodes;
        }
        let counter = self.counter.get_or_insert_with(self.plan);
        if stats.nodes < NODES {
            if !counter.is_narrow() {
                return self.most.min(NODES);
            }
            let limits = Limits { nodes: self.most, attention: self.attention };
            let (end, counted) = counter.by_frontier(&limits, self.observer);
            self.counted = Some(Answer { end, stats: counted, engine: "memo" });
            self.stopped = end == End::Stopped;
            return stats.nodes;
        }
        let limits = Limits { nodes: u64::MAX, attention: self.attention };
        let (end, counted) = counter.take_turn(self.turn, &limits, self.observer);
        let known = self.counted.as_ref().map(|answer| answer.stats.total());
        if end == End::Exhausted || known.is_none_or(|known| counted.total() > known) {
            self.counted = Some(Answer { end, stats: counted, engine: "memo" });
        }
        if end != End::NodeLimit {
            self.stopped = end == End::Stopped;
            return stats.nodes;
        }
        self.turn += 1;
        self.most.min(stats.nodes.saturating_mul(GROWTH))
    }
}
