//! `--engine auto`: which engine answers which question.
//!
//! The choice depends on the problem, the rules and the question alone, never on the clock or the
//! machine; so the same command gives the same output. Where a look at the problem cannot tell, two
//! engines share the time by counts of what they did, or one tries within a budget of nodes, and what
//! it found is kept back until it is done.
//!
//! A file with bounds is for `links` alone. Otherwise:
//!
//! | rules | question | engine |
//! |---|---|---|
//! | none | more than two solutions | `bits` or `links`: their order is promised |
//! | none | one or two solutions | `bits` or `links`, and `learn` in slices beside it |
//! | some | a limited number of solutions | `learn` |
//! | some | all solutions | `learn` for a while, then `links` for a short trial; it stays if solutions are many, otherwise `learn` goes on |
//!
//! Where only their number is wanted, or a ZDD of all, `memo` may answer ([`count`], [`diagram`]).
//!
//! `bits` and `links` visit the same tree, and `bits` takes as long or less, as it begins with lists where
//! a problem is large. Constraints are for `links` alone.
//!
//! The reasons are measured (docs/benchmarks): rules on real boards are what learning is for; but it
//! pays for each solution again, so where every few nodes have one, as on a board without clues,
//! backtracking is twice as fast.

mod audience;
mod count;
mod residue;

pub use count::{count, count_by_crew, count_by_memo, diagram, diagram_by_memo, listed};
pub use residue::residue;

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use crate::constraint::Together;
use crate::ids::OptionId;
use crate::problem::Problem;
use crate::search::learn::slices::Slices;
use crate::search::memory as memory_of_links;
use crate::search::replay::Replayed;
use crate::search::stats::Stats;
use crate::search::{End, Limits, Moment, Observer, bits, learn, solve};
use crate::solution::Choices;

/// Work of `learn` before `links` is tried where all solutions are wanted: some milliseconds, in
/// which most finished boards are done.
const FIRST_WORK: u64 = 150_000;

/// Nodes of the trial of `links` before it is decided whether it stays.
const TRIAL: u64 = 3_000;

/// A trial stays if it found a solution in so many nodes.
const DENSE: u64 = 100;

/// Solutions that are kept back; more of them than this are dense anyway.
const KEPT: usize = 10_000;

/// How a backtracking engine and `learn` share the time: after so many nodes of the one the other
/// may do so much work.
#[derive(Clone, Copy, Debug)]
struct Turn {
    nodes: u64,
    work: u64,
}

impl Turn {
    /// An eighth of the time or so is for `learn`; nodes of `links` take longer.
    fn of(problem: &Problem) -> Self {
        match Plain::of(problem) {
            Plain::Bits => Turn { nodes: 100_000, work: 60_000 },
            Plain::Links => Turn { nodes: 100_000, work: 400_000 },
        }
    }
}

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
        (false, 0..=2) => side_by_side(problem, Turn::of(problem), limits, observer),
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
        Plain::Bits => bits::memory(problem),
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

/// Whether `bits` should be faster than `links` on `problem`.
pub fn suits_bits(problem: &Problem) -> bool {
    !problem.has_bounds()
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
    let by_links = |limits: &Limits<'_>, observer: &mut dyn Observer| {
        let (end, stats) = solve(problem, &mut make(Engine::Links), limits, observer);
        Answer { end, stats, engine: "links" }
    };
    let mut slices = Slices::new(problem, make(Engine::Learn));
    let mut learned = Kept::new(observer);
    let end = slices.go_on(FIRST_WORK, limits, &mut learned);
    if learned.is_full() {
        return by_links(limits, observer);
    }
    let found = learned.covers;
    if end != End::NodeLimit || slices.stats.conflicts >= limits.nodes {
        let end = hand_on(problem, &found, end, observer);
        return Answer { end, stats: slices.stats, engine: "learn" };
    }
    let mut kept = Kept::new(observer);
    let within = Limits { nodes: limits.nodes.min(TRIAL), attention: limits.attention };
    let answer = by_links(&within, &mut kept);
    if kept.is_full() || answer.stats.solutions * DENSE >= answer.stats.nodes {
        return by_links(limits, observer);
    }
    if answer.end != End::NodeLimit || answer.stats.nodes >= limits.nodes {
        let covers = kept.covers;
        let end = hand_on(problem, &covers, answer.end, observer);
        return Answer { end, ..answer };
    }
    let end = match hand_on(problem, &found, End::NodeLimit, observer) {
        End::NodeLimit => slices.go_on(u64::MAX, limits, observer),
        end => end,
    };
    Answer { end, stats: slices.stats, engine: "learn" }
}

fn side_by_side(
    problem: &Problem,
    turn: Turn,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Answer {
    let plain = Plain::of(problem);
    let mut beside = Beside {
        problem,
        found: Found { inner: observer, covers: Vec::new() },
        most: limits.nodes,
        attention: limits.attention,
        turn,
        slices: None,
        learned: None,
        stopped: false,
    };
    let within = Limits { nodes: limits.nodes.min(turn.nodes), attention: limits.attention };
    let (end, stats) = plain.solve(problem, &within, &mut beside);
    let Beside { found, slices, learned, stopped, .. } = beside;
    let (end, mut stats, engine) = match (learned, slices) {
        _ if stopped => (End::Stopped, stats, plain.name()),
        (Some(end), Some(slices)) => (end, slices.stats, "learn"),
        _ => (end, stats, plain.name()),
    };
    stats.solutions = found.covers.len() as u64;
    Answer { end, stats, engine }
}

/// A search of `bits` or `links`, which lets `learn` have a slice after each turn.
struct Beside<'o, 'p> {
    problem: &'p Problem,
    found: Found<'o>,
    most: u64,
    attention: &'o AtomicBool,
    turn: Turn,
    slices: Option<Slices<'p, ()>>,
    /// How `learn` ended, if it did.
    learned: Option<End>,
    /// Whether somebody stopped it before it began.
    stopped: bool,
}

impl Observer for Beside<'_, '_> {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        self.found.solution(choices)
    }

    fn tick(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        self.found.inner.tick(moment)
    }

    fn more(&mut self, stats: &Stats) -> u64 {
        if stats.nodes >= self.most {
            return stats.nodes;
        }
        let slices = self.slices.get_or_insert_with(|| Slices::new(self.problem, ()));
        let attentive = Limits { nodes: u64::MAX, attention: self.attention };
        if !slices.build(&attentive, &mut self.found) {
            self.stopped = true;
            return stats.nodes;
        }
        // A slice is short: whoever wants attention waits for the other search.
        let quiet = AtomicBool::new(false);
        let within = Limits { nodes: u64::MAX, attention: &quiet };
        match slices.go_on(self.turn.work, &within, &mut self.found) {
            End::NodeLimit => self.most.min(stats.nodes.saturating_add(self.turn.nodes)),
            end => {
                self.learned = Some(end);
                stats.nodes
            }
        }
    }
}

/// The covers that either search found. Whoever is first hands it on.
struct Found<'o> {
    inner: &'o mut dyn Observer,
    /// Each in ascending order.
    covers: Vec<Vec<OptionId>>,
}

impl Observer for Found<'_> {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        let mut cover = choices.cover();
        cover.sort_unstable();
        if self.covers.contains(&cover) {
            return ControlFlow::Continue(());
        }
        self.covers.push(cover);
        self.inner.solution(choices)
    }

    fn tick(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        self.inner.tick(moment)
    }
}

/// Hands `covers` on. The search ended with `end`, unless the observer wants no more.
fn hand_on(
    problem: &Problem,
    covers: &[Vec<OptionId>],
    end: End,
    observer: &mut dyn Observer,
) -> End {
    let replayer = RefCell::new(None);
    let wanted = |cover: &Vec<OptionId>| {
        let choices = || cover.clone();
        observer.solution(&Replayed::new(problem, &replayer, &choices)).is_continue()
    };
    if covers.iter().all(wanted) { end } else { End::Stopped }
}

/// Keeps back the covers that a trial finds.
struct Kept<'o> {
    inner: &'o mut dyn Observer,
    covers: Vec<Vec<OptionId>>,
}

impl<'o> Kept<'o> {
    fn new(inner: &'o mut dyn Observer) -> Self {
        Kept { inner, covers: Vec::new() }
    }

    /// Whether the trial was stopped because it found so many.
    fn is_full(&self) -> bool {
        self.covers.len() >= KEPT
    }
}

impl Observer for Kept<'_> {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        self.covers.push(choices.cover());
        if self.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn tick(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        self.inner.tick(moment)
    }

    fn lacks_memory(&mut self) -> bool {
        self.inner.lacks_memory()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx;

    struct Covers(Vec<Vec<OptionId>>, usize);

    impl Observer for Covers {
        fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
            let mut cover = choices.cover();
            cover.sort_unstable();
            self.0.push(cover);
            if self.0.len() >= self.1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

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

    /// Two searches that take turns at every node find what `links` finds, and nothing twice.
    #[test]
    fn turns_do_not_change_the_answer() {
        let quiet = AtomicBool::new(false);
        let limits = Limits { nodes: u64::MAX, attention: &quiet };
        let mut learned = 0;
        for seed in 0..600 {
            let problem = random(seed);
            let mut all = Covers(Vec::new(), usize::MAX);
            solve(&problem, &mut (), &limits, &mut all);
            let turn = Turn { nodes: 1 + seed % 3, work: 1 << (seed % 7) };
            for enough in [1, 2] {
                let mut some = Covers(Vec::new(), enough);
                let answer = side_by_side(&problem, turn, &limits, &mut some);
                learned += usize::from(answer.engine == "learn");
                assert_eq!(some.0.len(), all.0.len().min(enough), "seed {seed}");
                assert!(some.0.iter().all(|cover| all.0.contains(cover)), "seed {seed}");
                assert!(enough == 1 || some.0.len() < 2 || some.0[0] != some.0[1], "seed {seed}");
                assert_eq!(answer.end == End::Exhausted, some.0.len() < enough, "seed {seed}");
            }
        }
        assert!(learned > 20, "learning answered {learned} times");
    }
}
