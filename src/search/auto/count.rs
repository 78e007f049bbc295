//! `auto`, asked for the number of solutions only, or for all of them at once as a ZDD.
//!
//! A small problem is visited for a moment, for a plan of a memo takes some milliseconds. Then a
//! narrow frontier is swept at once, and one of moderate width soon. Otherwise nobody knows: the files where nothing repeats are
//! counted best one solution after the other, and others have more solutions than one could ever
//! visit. So an engine that visits and the engines of memos take turns. The former goes on where it
//! left off, the latter begin again with four times as much work.

use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use crate::constraint::{Constraint, Together};
use crate::problem::Problem;
use crate::search::auto::audience::{Audience, Over};
use crate::search::auto::residue::residue;
use crate::search::auto::{Answer, Engine, Plain, search};
use crate::search::crew::{self, Order, Outcome, Overseer, State, Task};
use crate::search::fraction::fraction;
use crate::search::learn::slices::Slices;
use crate::search::memo::{Counter, Turn};
use crate::search::stats::Stats;
use crate::search::stretch::Stretch;
use crate::search::zdd::Zdd;
use crate::search::{End, Limits, Moment, Observer};
use crate::solution::Choices;

/// Nodes of `bits` or `links` before others have a turn: small problems never get there.
const NODES: u64 = 300_000;

/// Work of `learn` before others have a turn; finished boards never get there.
const WORK: u64 = 150_000;

/// Entries of a problem that is visited before a memo is planned for it.
pub(super) const LARGE: usize = 100_000;

/// Nodes of a small problem before a memo is planned for it: a millisecond or two.
const FIRST: u64 = 50_000;

/// Entries of a small problem.
const SMALL: usize = 10_000;

/// By how much turns grow.
const GROWTH: u64 = 4;

/// Nobody visits so many solutions.
const HOPELESS: f64 = 1e9;

/// Counts the solutions of `problem` under the rules that `make` makes anew for each search; a memo
/// may take `room` bytes.
pub fn count(
    problem: &Problem,
    make: &dyn Fn(Engine) -> Together,
    room: usize,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Answer {
    let mut audience = Audience::counting(observer);
    take_turns(problem, make, room, limits, &mut audience).0
}

/// Makes a ZDD of the solutions, within so many bytes; there is one if the answer is exhaustive. It is made by whoever
/// is first: the engines that visit list the covers that they find.
pub fn diagram(
    problem: &Problem,
    make: &dyn Fn(Engine) -> Together,
    room: usize,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> (Answer, Option<Zdd>) {
    let mut audience = Audience::drawing(observer, room);
    match take_turns(problem, make, room, limits, &mut audience) {
        (answer, Some(zdd)) => (answer, Some(zdd)),
        (answer, None) => audience.draw(problem, answer, limits),
    }
}

/// Makes a ZDD of the solutions that `visit` finds, within so many bytes. Tells whether they come `in_order`, that of
/// a tree of choices.
pub fn listed(
    problem: &Problem,
    in_order: bool,
    room: usize,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
    visit: impl FnOnce(&mut dyn Observer) -> Answer,
) -> (Answer, Option<Zdd>) {
    let mut audience = Audience::drawing(observer, room);
    audience.set_order(in_order);
    let answer = visit(&mut audience);
    audience.draw(problem, answer, limits)
}

/// Counts; makes a ZDD if the audience lists covers, and the memo was first.
fn take_turns(
    problem: &Problem,
    make: &dyn Fn(Engine) -> Together,
    room: usize,
    limits: &Limits<'_>,
    audience: &mut Audience<'_>,
) -> (Answer, Option<Zdd>) {
    let rules = make(Engine::Links);
    if problem.has_bounds() || rules.signatures().is_none() {
        audience.set_order(false);
        return (search(problem, make, u64::MAX, limits, audience), None);
    }
    let draws = audience.draws();
    let plan = || {
        let signatures = make(Engine::Links).signatures().unwrap_or_default();
        let counter = Counter::new(problem, signatures, room);
        if draws { counter.with_diagram() } else { counter }
    };
    let ruled = !rules.is_empty();
    let counter = (ruled || plans_first(problem)).then(plan);
    if let Some(counter) = counter.as_ref().filter(|counter| counter.is_narrow()) {
        let (end, stats) = counter.by_frontier(limits, audience);
        return (Answer { end, stats, engine: "memo" }, counter.take_diagram());
    }
    if let (Some(counter), true) = (&counter, ruled) {
        let answer = with_learning(problem, make, counter, room, limits, audience);
        return (answer, counter.take_diagram());
    }
    let plain = Plain::of(problem);
    audience.set_order(true);
    let mut beside = Beside {
        name: plain.name(),
        plan: &plan,
        counter,
        audience,
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
    let Beside { counter, counted, .. } = beside;
    let zdd = counter.and_then(|counter| counter.take_diagram());
    let answer = match counted {
        Some(counted) if counted.end == End::Exhausted => counted,
        Some(counted) if end != End::Exhausted => better(visited, counted),
        _ => return (visited, None),
    };
    (answer, zdd)
}

/// Counts the solutions of `problem` by memo alone; `None` if it cannot.
pub fn count_by_memo(
    problem: &Problem,
    make: &dyn Fn(Engine) -> Together,
    room: usize,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Option<Answer> {
    let counter = Counter::new(problem, make(Engine::Links).signatures()?, room);
    let left = match counter.is_narrow() || counter.has_tree() {
        true => None,
        false => residue(problem, &|| make(Engine::Learn), limits, observer),
    };
    let counter = match &left {
        None => counter,
        Some(left) => Counter::new(left, make(Engine::Links).signatures()?, room),
    };
    let (end, stats) = counter.run(limits, observer)?;
    Some(Answer { end, stats, engine: "memo" })
}

/// Makes a ZDD of the solutions by memo alone; `None` if it cannot.
pub fn diagram_by_memo(
    problem: &Problem,
    make: &dyn Fn(Engine) -> Together,
    room: usize,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Option<(Answer, Option<Zdd>)> {
    let counter = Counter::new(problem, make(Engine::Links).signatures()?, room).with_diagram();
    let (end, stats) = counter.run(limits, observer)?;
    Some((Answer { end, stats, engine: "memo" }, counter.take_diagram()))
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
        let visited = crew::run(&Task { nodes: most - each, ..*task }, state, overseer);
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
        let Turn { end, stats, .. } = counter.take_turn(turn, &limits, &mut observer);
        match end {
            End::Exhausted => return memo((end, stats)),
            // Both know a bound.
            End::Stopped if stats.total() > visited.state.stats.total() => {
                return memo((end, stats));
            }
            End::Stopped => return (Outcome { end: End::Stopped, ..visited }, plain.name()),
            End::NodeLimit | End::Full => {}
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
    let is = |end| one.end == end || other.end == end;
    let end = [End::Stopped, End::Full].into_iter().find(|&end| is(end)).unwrap_or(one.end);
    let best = if other.stats.total() > one.stats.total() { other } else { one };
    Answer { end, ..best }
}

/// There are too many covers to list them. If the memo cannot do it either, so it is.
fn by_memo_alone(
    audience: &mut Audience<'_>,
    listed: Answer,
    counter: &Counter<'_>,
    limits: &Limits<'_>,
) -> Answer {
    audience.keep_none();
    let Some((end, stats)) = counter.run(limits, audience) else {
        return Answer { end: End::Full, ..listed };
    };
    let counted = Answer { end, stats, engine: "memo" };
    match end {
        End::Exhausted => counted,
        _ => better(Answer { end, ..listed }, counted),
    }
}

/// With rules: `learn`, and the frontier of what is left when all is taken out that `learn` finds certain.
fn with_learning(
    problem: &Problem,
    make: &dyn Fn(Engine) -> Together,
    counter: &Counter<'_>,
    room: usize,
    limits: &Limits<'_>,
    audience: &mut Audience<'_>,
) -> Answer {
    let (left, reduced) = (OnceCell::new(), OnceCell::new());
    let mut counter = counter;
    let mut slices = Slices::new(problem, make(Engine::Learn));
    let mut work = WORK;
    for turn in 0.. {
        let end = slices.go_on(work, limits, audience);
        if audience.over == Some(Over::Most) {
            let listed = Answer { end, stats: slices.stats, engine: "learn" };
            return by_memo_alone(audience, listed, counter, limits);
        }
        if end != End::NodeLimit || slices.stats.conflicts >= limits.nodes {
            return Answer { end, stats: slices.stats, engine: "learn" };
        }
        if turn == 0 && !counter.has_diagram() {
            let make_learn = || make(Engine::Learn);
            if let Some(residue) = residue(problem, &make_learn, limits, audience) {
                let signatures = make(Engine::Links).signatures().unwrap_or_default();
                let residue: &Problem = left.get_or_init(|| residue);
                counter = reduced.get_or_init(|| Counter::new(residue, signatures, room));
            }
        }
        if !counter.has_frontier() {
            audience.set_order(false);
            return search(problem, make, u64::MAX, limits, audience);
        }
        let Turn { end, stats, spent } = counter.take_turn(turn, limits, audience);
        let counted = Answer { end, stats, engine: "memo" };
        if end == End::Exhausted {
            return counted;
        }
        if end != End::NodeLimit || spent {
            return better(Answer { end, stats: slices.stats, engine: "learn" }, counted);
        }
        work = work.saturating_mul(GROWTH);
    }
    unreachable!("some turn is long enough")
}

/// A search of `bits` or `links`, beside which the memo has its turns.
struct Beside<'c, 'p, 'a, 'o> {
    name: &'static str,
    plan: &'c dyn Fn() -> Counter<'p>,
    counter: Option<Counter<'p>>,
    audience: &'a mut Audience<'o>,
    attention: &'c AtomicBool,
    most: u64,
    turn: u32,
    /// The memo's answer, or the largest bound that it has found.
    counted: Option<Answer>,
    /// Whether somebody stopped the memo in its turn.
    stopped: bool,
}

impl Observer for Beside<'_, '_, '_, '_> {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        self.audience.solution(choices)
    }

    fn tick(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        self.audience.tick(moment)
    }

    fn more(&mut self, stats: &Stats) -> u64 {
        if stats.nodes >= self.most {
            return stats.nodes;
        }
        let counter = self.counter.get_or_insert_with(self.plan);
        if self.audience.expected > HOPELESS {
            let limits = Limits { nodes: self.most, attention: self.attention };
            let known = Answer { end: End::NodeLimit, stats: stats.clone(), engine: self.name };
            let answer = by_memo_alone(self.audience, known, counter, &limits);
            self.stopped = answer.end == End::Stopped;
            self.counted = Some(answer);
            return stats.nodes;
        }
        if stats.nodes < NODES {
            if !counter.is_narrow() {
                return self.most.min(NODES);
            }
            let limits = Limits { nodes: self.most, attention: self.attention };
            let (end, counted) = counter.by_frontier(&limits, self.audience);
            self.counted = Some(Answer { end, stats: counted, engine: "memo" });
            self.stopped = end == End::Stopped;
            return stats.nodes;
        }
        let limits = Limits { nodes: u64::MAX, attention: self.attention };
        let Turn { end, stats: counted, .. } = counter.take_turn(self.turn, &limits, self.audience);
        let known = self.counted.as_ref().map(|answer| answer.stats.total());
        let ends = matches!(end, End::Exhausted | End::Full);
        if ends || known.is_none_or(|known| counted.total() > known) {
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
