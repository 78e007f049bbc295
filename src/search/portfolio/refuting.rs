//! A count that clause learning helps where there is nothing to count.
//!
//! Learning may refute a problem in milliseconds where engines that visit or sweep take hours. Nobody knows that
//! beforehand. So learning gets as much time as the count ([`Engine::effort`]), once the count has taken long. An answer
//! then costs about twice what the better one takes alone. Where solutions are many learning is out at once, since it
//! would have to block each of them.

use std::ops::ControlFlow;

use crate::problem::Problem;
use crate::search::engine::{Engine, Sink, Status};
use crate::search::learn::{self, Learn};
use crate::search::portfolio::{Count, end_of_turn};
use crate::search::stats::Stats;
use crate::solution::Choices;

/// Effort of the count before learning begins: a tenth of a second, in which most counts are done.
const HEAD_START: u64 = 100_000_000;

/// Solutions that learning blocks.
const FEW: u64 = 16;

/// A [`Count`] of the solutions of a problem without constraints, and a search that learns.
pub struct Refuting<'p> {
    count: Count<'p>,
    learn: Learn<'p, ()>,
    /// Effort of the count at which `learn` begins: to make its clauses takes time, too.
    start: u64,
    /// Whether it is the turn of `learn`, and the work at which it ends.
    turn: Option<(bool, u64)>,
    /// Whether `learn` has answered.
    refuted: bool,
}

impl<'p> Refuting<'p> {
    /// Counts with `count` and with a search that learns.
    pub fn new(problem: &'p Problem, count: Count<'p>) -> Self {
        let start = HEAD_START.max(learn::price(problem));
        Refuting { count, learn: Learn::new(problem, ()), start, turn: None, refuted: false }
    }

    fn next_turn(&self) -> (bool, u64) {
        let (counted, learned) = (self.count.effort(), self.learn.effort());
        let known = self.count.stats().solutions.max(self.learn.stats().solutions);
        let all = counted + learned;
        match known <= FEW && counted >= self.start && learned < counted {
            true => (true, end_of_turn(&self.learn, all)),
            false => (false, end_of_turn(&self.count, all)),
        }
    }
}

impl Engine for Refuting<'_> {
    fn name(&self) -> &'static str {
        if self.refuted { self.learn.name() } else { self.count.name() }
    }

    fn run(&mut self, work: u64, sink: &mut dyn Sink) -> Status {
        if self.refuted {
            return Status::Exhausted;
        }
        let (learns, until) = self.turn.unwrap_or_else(|| self.next_turn());
        self.turn = Some((learns, until));
        if !learns {
            let status = self.count.run(work.min(until - self.count.work()), sink);
            if self.count.work() >= until {
                self.turn = None;
            }
            return status;
        }
        let status = self.learn.run(work.min(until - self.learn.work()), &mut Silent { sink });
        self.refuted = status == Status::Exhausted;
        if self.learn.work() >= until || self.learn.stats().solutions > FEW {
            self.turn = None;
        }
        status
    }

    /// The nodes of the count.
    fn limit(&mut self, nodes: u64) {
        self.count.limit(nodes);
    }

    fn stats(&self) -> Stats {
        if self.refuted { self.learn.stats() } else { self.count.stats() }
    }

    fn work(&self) -> u64 {
        self.count.work() + self.learn.work()
    }

    fn effort(&self) -> u64 {
        self.count.effort() + self.learn.effort()
    }

    fn choices(&self) -> &dyn Choices {
        self.count.choices()
    }

    fn progress(&self) -> f64 {
        self.count.progress()
    }

    fn shrink(&mut self) {
        self.count.shrink();
        self.learn.shrink();
    }
}

/// Solutions are not handed on.
struct Silent<'s> {
    sink: &'s mut dyn Sink,
}

impl Sink for Silent<'_> {
    fn solution(&mut self, _: &dyn Choices) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn poll(&mut self) -> ControlFlow<()> {
        self.sink.poll()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Conjunction;
    use crate::dlx;
    use crate::search::bits;
    use crate::search::memo::ROOM;

    /// Three-colorings of a random graph: each vertex has a color, and an edge has each color at one end at most.
    fn colorings(vertices: usize, edges: usize, seed: u64) -> Problem {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut ends: Vec<[usize; 2]> = Vec::new();
        while ends.len() < edges {
            let (u, v) = (rng.usize(0..vertices), rng.usize(0..vertices));
            if u < v && !ends.contains(&[u, v]) {
                ends.push([u, v]);
            }
        }
        let mut text: String = (0..vertices).map(|v| format!("v{v} ")).collect();
        text += "|";
        (0..edges).for_each(|e| text += &format!(" {e}r {e}g {e}b"));
        for (v, color) in (0..3 * vertices).map(|n| (n / 3, ["r", "g", "b"][n % 3])) {
            text += &format!("\nv{v}");
            let at = |e: &usize| ends[*e].contains(&v);
            (0..edges).filter(at).for_each(|e| text += &format!(" {e}{color}"));
        }
        dlx::parse::read((text + "\n").as_bytes()).expect("a file").problem
    }

    /// Sparse graphs have colorings and dense ones have none, or few; `bits` alone says how many there are.
    #[test]
    fn both_count_the_same() {
        let (mut refuted, mut some) = (0, 0);
        for seed in 0..60 {
            let (vertices, twentieths) =
                [(20, 30 + seed % 24), (130, 43 + seed % 8)][seed as usize % 2];
            let problem = colorings(vertices, vertices * twentieths as usize / 20, seed);
            let mut all = bits::engine(&problem);
            let mut heard = 0;
            let mut sink = |_: &dyn Choices| {
                heard += 1;
                ControlFlow::Continue(())
            };
            if all.run(200_000, &mut |_: &dyn Choices| ControlFlow::Continue(()))
                != Status::Exhausted
            {
                continue;
            }
            let make = |_| Conjunction::new();
            let mut count = Refuting::new(&problem, Count::new(&problem, &make, ROOM));
            count.start = 1;
            let mut rng = fastrand::Rng::with_seed(seed);
            while count.run(rng.u64(1..3000), &mut sink) != Status::Exhausted {}
            assert_eq!(count.stats().total(), all.stats().total(), "seed {seed}");
            assert_eq!(heard, 0, "a count hands no solution on");
            refuted += usize::from(count.refuted);
            some += usize::from(all.stats().solutions > 0);
        }
        assert!(
            refuted > 2 && some > 5,
            "learning answered {refuted} times, {some} have colorings"
        );
    }
}
