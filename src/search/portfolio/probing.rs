//! All solutions under rules: `learn` for a while, then a probing run of `links`.
//!
//! Rules on real boards are what learning is for; but it pays for each solution again, so where every few
//! nodes have one, as on a board without clues, backtracking is twice as fast (docs/benchmarks). What is
//! found before that is known is kept back.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::ControlFlow;

use crate::constraint::Conjunction;
use crate::ids::OptionId;
use crate::problem::Problem;
use crate::search::engine::{Engine, Sink, Status};
use crate::search::learn::Learn;
use crate::search::links;
use crate::search::replay::{Replayed, Replayer};
use crate::search::stats::Stats;
use crate::solution::Choices;

/// Work of `learn` before `links` is tried: some milliseconds, in which most finished boards are done.
const FIRST_WORK: u64 = 150_000;

/// Nodes of the probing run.
const NODES: u64 = 3_000;

/// `links` stays if it found a solution in so many nodes.
const DENSE: u64 = 100;

/// Solutions that are kept back; more of them than this are dense anyway.
const KEPT: usize = 10_000;

/// Where a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// `learn` has its first work.
    First,
    /// `links` is tried.
    Trial,
    /// One of them goes on to the end.
    Decided,
}

/// Two engines, of which one is chosen.
pub struct Probing<'p> {
    problem: &'p Problem,
    learn: Box<dyn Engine + 'p>,
    /// Not made before it is needed, of these rules.
    links: Option<Box<dyn Engine + 'p>>,
    rules: Option<Conjunction>,
    /// The nodes, or conflicts, that each may have.
    limit: u64,
    stage: Stage,
    /// Whether `links` is at work.
    by_links: bool,
    /// The covers that were kept back, by engine; then those that are not reported yet.
    kept: [VecDeque<Vec<OptionId>>; 2],
    /// How the chosen one ended before it was chosen.
    end: Option<Status>,
    replayer: RefCell<Option<Replayer>>,
}

impl<'p> Probing<'p> {
    /// The same rules, for either engine.
    pub fn new(problem: &'p Problem, for_links: Conjunction, for_learn: Conjunction) -> Self {
        Probing {
            problem,
            learn: Box::new(Learn::new(problem, for_learn)),
            links: None,
            rules: Some(for_links),
            limit: u64::MAX,
            stage: Stage::First,
            by_links: false,
            kept: Default::default(),
            end: None,
            replayer: RefCell::new(None),
        }
    }

    fn engine(&self) -> &(dyn Engine + 'p) {
        match &self.links {
            Some(links) if self.by_links => &**links,
            _ => &*self.learn,
        }
    }

    /// From here on `links` is at work.
    fn begin_links(&mut self) {
        let mut engine: Box<dyn Engine + 'p> =
            links(self.problem, self.rules.take().unwrap_or_default());
        engine.limit(self.limit);
        (self.links, self.by_links) = (Some(engine), true);
    }

    /// Both, as far as they are there.
    fn all(&self) -> impl Iterator<Item = &(dyn Engine + 'p)> {
        [&self.learn].into_iter().chain(&self.links).map(|engine| &**engine)
    }

    /// Goes on before it is decided who stays.
    fn try_out(&mut self, work: u64, sink: &mut dyn Sink) -> Status {
        let (engine, most) = match &mut self.links {
            Some(links) => (links, NODES),
            None => (&mut self.learn, FIRST_WORK),
        };
        let kept = &mut self.kept[usize::from(self.by_links)];
        let work = work.min(most.saturating_sub(engine.work()));
        let status = engine.run(work, &mut Keep { kept, sink });
        let is_full = kept.len() >= KEPT;
        match (self.stage, status) {
            (_, Status::Stopped) if !is_full => return Status::Stopped,
            (_, Status::Paused) if engine.work() < most => return Status::Paused,
            // Solutions are many.
            (Stage::First, Status::Stopped) => {
                self.kept[0].clear();
                self.stage = Stage::Decided;
                self.begin_links();
            }
            (Stage::First, Status::Paused) => {
                self.stage = Stage::Trial;
                self.begin_links();
            }
            (Stage::Trial, Status::Stopped) => self.stage = Stage::Decided,
            (Stage::Trial, Status::Paused) => {
                let Stats { solutions, nodes, .. } = engine.stats();
                self.by_links = solutions * DENSE >= nodes;
                self.stage = Stage::Decided;
            }
            (_, end) => (self.stage, self.end) = (Stage::Decided, Some(end)),
        }
        Status::Paused
    }

    /// Reports what was kept back.
    fn report(&mut self, sink: &mut dyn Sink) -> ControlFlow<()> {
        while let Some(cover) = self.kept[usize::from(self.by_links)].pop_front() {
            let cover = || cover.clone();
            sink.solution(&Replayed::new(self.problem, &self.replayer, &cover))?;
        }
        ControlFlow::Continue(())
    }
}

impl Engine for Probing<'_> {
    fn name(&self) -> &'static str {
        self.engine().name()
    }

    fn run(&mut self, work: u64, sink: &mut dyn Sink) -> Status {
        if self.stage != Stage::Decided {
            return self.try_out(work, sink);
        }
        if self.report(sink).is_break() {
            return Status::Stopped;
        }
        match (self.end, &mut self.links) {
            (Some(end), _) => end,
            (None, Some(links)) if self.by_links => links.run(work, sink),
            (None, _) => self.learn.run(work, sink),
        }
    }

    fn limit(&mut self, nodes: u64) {
        self.limit = nodes;
        self.learn.limit(nodes);
        if let Some(links) = &mut self.links {
            links.limit(nodes);
        }
    }

    fn stats(&self) -> Stats {
        self.engine().stats()
    }

    fn work(&self) -> u64 {
        self.all().map(Engine::work).sum()
    }

    fn effort(&self) -> u64 {
        self.all().map(Engine::effort).sum()
    }

    fn choices(&self) -> &dyn Choices {
        self.engine().choices()
    }

    fn progress(&self) -> f64 {
        self.engine().progress()
    }

    fn shrink(&mut self) {
        self.learn.shrink();
    }
}

/// Keeps covers back.
struct Keep<'s> {
    kept: &'s mut VecDeque<Vec<OptionId>>,
    sink: &'s mut dyn Sink,
}

impl Sink for Keep<'_> {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        self.kept.push_back(choices.cover());
        match self.kept.len() < KEPT {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    fn poll(&mut self) -> ControlFlow<()> {
        self.sink.poll()
    }
}
