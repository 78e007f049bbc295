//! `--engine auto`: which engines answer which question, and how they share the time.
//!
//! The choice depends on the problem, the rules and the question alone, never on the clock or the
//! machine; so the same command gives the same output. Where a look at the problem cannot tell, engines
//! take turns, measured by counts of what they did ([`Engine::effort`]): the first that is exhausted
//! answers.
//!
//! A file with bounds is for `links` alone. Otherwise:
//!
//! | rules | question | engines |
//! |---|---|---|
//! | none | more than two solutions | `bits`: their order is promised |
//! | none | one or two solutions | `bits` and `learn`, the same time for each |
//! | some | a limited number of solutions | `learn` |
//! | some | all solutions | `learn` for a while, then `links` for a short probing run; it stays if solutions are many, otherwise `learn` goes on ([`probing`]) |
//! | any | their number, or a ZDD | what visits them, and `memo` ([`count`](mod@count)) |
//! | none | their number | these, and `learn` if that takes long and there seems to be no solution (`refuting`) |
//!
//! `bits` and `links` visit the same tree, and `bits` takes as long or less, as it begins with lists where
//! a problem is large. Constraints are for `links` alone.
//!
//! # How turns are shared
//!
//! Whoever has the least effort behind it is next. So if nobody knows which of two engines is right, the
//! answer takes twice as long as the better one alone. To make the clauses for `learn` takes time, too: that
//! counts as effort, and is not begun before the others have spent as much.

pub mod concurrent;
pub mod count;
pub mod probing;
mod refuting;
mod simplified;
pub mod zdd;

pub use count::Count;
pub use simplified::simplify;

use std::ops::ControlFlow;

use crate::constraint::{Conjunction, Method};
use crate::ids::OptionId;
use crate::problem::Problem;
use crate::search::engine::{Engine, Sink, Status, units};
use crate::search::learn::{self, Learn};
use crate::search::portfolio::probing::Probing;
use crate::search::portfolio::refuting::Refuting;
use crate::search::stats::Stats;
use crate::search::{bits, links};
use crate::solution::Choices;

/// Makes the rules of a search anew.
pub type Make<'m> = dyn Fn(Method) -> Conjunction + 'm;

/// The engine that searches `problem` under the rules that `make` makes, for `enough` solutions.
pub fn search<'p>(problem: &'p Problem, make: &Make<'_>, enough: u64) -> Box<dyn Engine + 'p> {
    let rules = make(Method::Backtracking);
    match (rules.is_empty(), enough) {
        _ if problem.has_bounds() => links(problem, rules),
        (true, 0..=2) => Box::new(Portfolio::of_one(problem)),
        (true, _) => bits::engine(problem),
        (false, u64::MAX) => Box::new(Probing::new(problem, rules, make(Method::Learning))),
        (false, _) => Box::new(Learn::new(problem, make(Method::Learning))),
    }
}

/// The engine that counts the solutions of `problem` under the rules that `make` makes; a memo may take `room` bytes.
pub fn count<'p>(problem: &'p Problem, make: &'p Make<'p>, room: usize) -> Box<dyn Engine + 'p> {
    let count = Count::new(problem, make, room);
    match make(Method::Backtracking).is_empty() && !problem.has_bounds() {
        true => Box::new(Refuting::new(problem, count)),
        false => Box::new(count),
    }
}

/// About how many bytes an engine needs that answers without rules.
pub fn memory(problem: &Problem) -> usize {
    if suits_bits(problem) { bits::memory(problem) } else { crate::search::memory(problem) }
}

/// Whether `bits` should be faster than `links` on `problem`, without rules.
pub fn suits_bits(problem: &Problem) -> bool {
    !problem.has_bounds()
}

/// Effort before an engine that must prepare itself is begun: 5 ms or so, in which most problems are done.
const HEAD_START: u64 = 5_000_000;

/// The least and the most effort of a turn. Caches are cold after each.
const TURN: (u64, u64) = (1_000_000, 16_000_000);

/// A turn is at most this part of all effort so far.
const PART: u64 = 8;

/// Until how much work of `engine` a turn lasts, if all did so much so far.
fn end_of_turn(engine: &dyn Engine, all: u64) -> u64 {
    let turn = (all / PART).clamp(TURN.0, TURN.1);
    engine.work().saturating_add(units(engine, turn).max(1))
}

/// An engine of a portfolio.
struct Member<'p> {
    engine: Box<dyn Engine + 'p>,
    /// What it takes to begin with it.
    price: u64,
}

impl Member<'_> {
    /// Its effort so far, or with what it takes to begin.
    fn effort(&self) -> u64 {
        self.engine.effort().max(self.price)
    }
}

/// Engines that take turns; the first that is exhausted answers. No solution is reported twice.
pub struct Portfolio<'p> {
    members: Vec<Member<'p>>,
    /// The covers that were reported, each in ascending order.
    found: Vec<Vec<OptionId>>,
    /// Whose turn it is, and the work at which it ends.
    turn: Option<(usize, u64)>,
    /// Whose word counts: the last one that had something to say.
    speaker: usize,
    end: Option<Status>,
}

impl<'p> Portfolio<'p> {
    /// Who answers for one or two solutions of a problem without rules.
    pub fn of_one(problem: &'p Problem) -> Self {
        let price = HEAD_START.max(learn::price(problem));
        let learn: Box<dyn Engine + 'p> = Box::new(Learn::new(problem, ()));
        Portfolio::new([(bits::engine(problem) as Box<dyn Engine>, 0), (learn, price)])
    }

    /// Engines, and the effort that it takes to begin with each.
    pub fn new(members: impl IntoIterator<Item = (Box<dyn Engine + 'p>, u64)>) -> Self {
        let member = |(engine, price)| Member { engine, price };
        let members = members.into_iter().map(member).collect();
        Portfolio { members, found: Vec::new(), turn: None, speaker: 0, end: None }
    }

    fn next_turn(&self) -> (usize, u64) {
        let all = self.members.iter().map(|member| member.engine.effort()).sum();
        let least = (0..self.members.len()).min_by_key(|&at| self.members[at].effort());
        let next = least.unwrap_or_default();
        (next, end_of_turn(&*self.members[next].engine, all))
    }
}

impl Engine for Portfolio<'_> {
    fn name(&self) -> &'static str {
        self.members[self.speaker].engine.name()
    }

    fn run(&mut self, work: u64, sink: &mut dyn Sink) -> Status {
        if let Some(end) = self.end {
            return end;
        }
        let (now, until) = self.turn.unwrap_or_else(|| self.next_turn());
        self.turn = Some((now, until));
        let engine = &mut self.members[now].engine;
        let found = self.found.len();
        let mut sink = New { found: &mut self.found, sink };
        let status = engine.run(work.min(until - engine.work()), &mut sink);
        match status {
            Status::Paused if engine.work() < until => return status,
            Status::Paused => self.turn = None,
            // Otherwise it was stopped while it prepared itself.
            Status::Stopped if self.found.len() > found => self.speaker = now,
            Status::Stopped => {}
            Status::Exhausted | Status::Limit | Status::Full => {
                (self.speaker, self.end) = (now, Some(status));
            }
        }
        status
    }

    /// The nodes of the first.
    fn limit(&mut self, nodes: u64) {
        self.members[0].engine.limit(nodes);
    }

    fn stats(&self) -> Stats {
        let solutions = self.found.len() as u64;
        Stats { solutions, ..self.members[self.speaker].engine.stats() }
    }

    fn work(&self) -> u64 {
        self.members.iter().map(|member| member.engine.work()).sum()
    }

    fn effort(&self) -> u64 {
        self.members.iter().map(|member| member.engine.effort()).sum()
    }

    fn choices(&self) -> &dyn Choices {
        self.members[self.speaker].engine.choices()
    }

    fn progress(&self) -> f64 {
        self.members[self.speaker].engine.progress()
    }

    fn shrink(&mut self) {
        self.members.iter_mut().for_each(|member| member.engine.shrink());
    }
}

/// Lets through what is found for the first time.
struct New<'s> {
    found: &'s mut Vec<Vec<OptionId>>,
    sink: &'s mut dyn Sink,
}

impl Sink for New<'_> {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        let mut cover = choices.cover();
        cover.sort_unstable();
        if self.found.contains(&cover) {
            return ControlFlow::Continue(());
        }
        self.found.push(cover);
        self.sink.solution(choices)
    }

    fn poll(&mut self) -> ControlFlow<()> {
        self.sink.poll()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx;

    /// Six items in threes out of sixteen, two colored: a few solutions or none.
    fn random(seed: u64) -> Problem {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut text = String::from("a b c d e f | x y\n");
        for _ in 0..rng.usize(4..22) {
            let mut names = ["a", "b", "c", "d", "e", "f"];
            rng.shuffle(&mut names);
            text.push_str(&names[..rng.usize(1..4)].join(" "));
            for item in ["x", "y"] {
                match rng.u32(0..4) {
                    0 => text.push_str(&format!(" {item}")),
                    1 => text.push_str(&format!(" {item}:A")),
                    2 => text.push_str(&format!(" {item}:B")),
                    _ => {}
                }
            }
            text.push('\n');
        }
        dlx::parse::read(text.as_bytes()).expect("a file").problem
    }

    fn covers(
        engine: &mut dyn Engine,
        enough: usize,
        budget: impl Fn() -> u64,
    ) -> (Status, Vec<Vec<OptionId>>) {
        let mut covers = Vec::new();
        let mut sink = |choices: &dyn Choices| {
            let mut cover = choices.cover();
            cover.sort_unstable();
            covers.push(cover);
            if covers.len() >= enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        loop {
            match engine.run(budget(), &mut sink) {
                Status::Paused => {}
                status => return (status, covers),
            }
        }
    }

    /// Two searches that take turns at nearly every node find what `links` finds, and nothing twice; however
    /// the caller divides the work into calls.
    #[test]
    fn turns_do_not_change_the_answer() {
        let mut learned = 0;
        for seed in 0..600 {
            let problem = random(seed);
            let all = covers(&mut *links(&problem, Conjunction::new()), usize::MAX, || u64::MAX).1;
            for enough in [1, 2] {
                let portfolio = || {
                    let learn = Box::new(Learn::new(&problem, ())) as Box<dyn Engine>;
                    let bits = bits::engine(&problem) as Box<dyn Engine>;
                    Portfolio::new([(bits, 20 * (seed % 4)), (learn, 10)])
                };
                let mut one = portfolio();
                let (status, some) = covers(&mut one, enough, || u64::MAX);
                let mut other = portfolio();
                let random = std::cell::RefCell::new(fastrand::Rng::with_seed(seed));
                let again = covers(&mut other, enough, || random.borrow_mut().u64(1..40));
                assert_eq!((status, &some), (again.0, &again.1), "seed {seed}");
                assert_eq!((one.name(), one.stats()), (other.name(), other.stats()), "seed {seed}");
                learned += usize::from(one.name() == "learn");
                assert_eq!(some.len(), all.len().min(enough), "seed {seed}");
                assert!(some.iter().all(|cover| all.contains(cover)), "seed {seed}");
                assert!(enough == 1 || some.len() < 2 || some[0] != some[1], "seed {seed}");
                assert_eq!(status == Status::Exhausted, some.len() < enough, "seed {seed}");
            }
        }
        assert!(learned > 20, "learning answered {learned} times");
    }
}
