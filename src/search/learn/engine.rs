//! Clause learning as an engine that rests between calls.

use std::cell::RefCell;

use super::core::{SolverCounts, Solver};
use super::direct_encoding::Direct;
use super::encoding::Encoding;
use super::failed_literals::FailedLiterals;
use super::proof_tracer::{ProofTracer, Tracer};
use super::{RESTART, Search, Stand, count};
use crate::constraint::Propagator;
use crate::problem::Problem;
use crate::search::engine::{Engine, Sink, Status};
use crate::search::replay::{Replayed, Replayer};
use crate::search::stats::Stats;

/// What a search keeps between calls.
#[derive(Default)]
pub(super) struct Suspended {
    /// How much of the trail the constraint has been told.
    pub told: usize,
    /// Restarts, one more.
    pub restarts: u64,
    /// Conflicts at which the next restart is due.
    pub restart_at: u64,
    /// Failed literals, as long as they are looked for.
    pub probing: FailedLiterals,
}

/// A search of a problem by clause learning: it visits all solutions, each once, in no promised order.
pub struct Learn<'p, C> {
    problem: &'p Problem,
    constraint: C,
    /// For a proof: who writes it, until it is told.
    proof: Option<(&'p Direct<'p>, &'p mut dyn ProofTracer)>,
    tracer: Option<Tracer<'p>>,
    /// Not there before the first call.
    built: Option<(Encoding<'p>, Solver)>,
    course: Suspended,
    /// The model that stands was visited.
    visited: bool,
    done: bool,
    /// The conflicts that it may meet.
    limit: u64,
    replayer: RefCell<Option<Replayer>>,
    stats: Stats,
}

impl<'p, C: Propagator> Learn<'p, C> {
    /// A search of `problem` under `constraint`, not yet begun.
    pub fn new(problem: &'p Problem, constraint: C) -> Self {
        Learn {
            problem,
            constraint,
            proof: None,
            tracer: None,
            built: None,
            course: Suspended { restarts: 1, restart_at: RESTART, ..Suspended::default() },
            visited: false,
            done: false,
            limit: u64::MAX,
            replayer: RefCell::new(None),
            stats: Stats::default(),
        }
    }

    /// The same, and writes a proof that there are no other solutions, as long as there is at most one:
    /// after the second nothing is written any more. `direct` numbers the variables of `problem`.
    pub fn proving(
        problem: &'p Problem,
        constraint: C,
        direct: &'p Direct<'p>,
        tracer: &'p mut dyn ProofTracer,
    ) -> Self {
        Learn { proof: Some((direct, tracer)), ..Learn::new(problem, constraint) }
    }

    /// What the solver counted.
    pub fn counts(&self) -> SolverCounts {
        self.built.as_ref().map_or_else(SolverCounts::default, |(_, solver)| solver.counts)
    }

    /// Makes the clauses, unless they are there; false if the sink stops that.
    fn build(&mut self, sink: &mut dyn Sink) -> bool {
        if self.built.is_some() {
            return true;
        }
        let mut goes_on = || sink.poll().is_continue();
        self.built = match self.proof {
            None => Encoding::new(self.problem, &mut goes_on),
            Some(_) => Encoding::logged(self.problem, &mut goes_on),
        };
        if let Some((encoding, _)) = &self.built {
            let proof = self.proof.take();
            self.tracer = proof.map(|(direct, tracer)| Tracer::new(tracer, direct, encoding));
        }
        self.built.is_some()
    }
}

impl<C: Propagator> Engine for Learn<'_, C> {
    fn name(&self) -> &'static str {
        "learn"
    }

    fn run(&mut self, work: u64, sink: &mut dyn Sink) -> Status {
        if self.done {
            return Status::Exhausted;
        }
        if !self.build(sink) {
            return Status::Stopped;
        }
        let Some((encoding, solver)) = &mut self.built else { unreachable!("it was built") };
        let mut search = Search::new(encoding, solver);
        search.course = std::mem::take(&mut self.course);
        search.rest_at = search.solver.counts.work.saturating_add(work);
        search.limit = self.limit;
        search.tracer = self.tracer.take();
        let end = loop {
            if std::mem::take(&mut self.visited) {
                let level = search.solver.leave_solution();
                if !search.go_back(level, &mut self.constraint) {
                    break Status::Exhausted;
                }
            }
            if let Some(end) = search.prepare(&mut self.constraint) {
                break end;
            }
            match search.next_model(&mut self.constraint) {
                Stand::End(end) => break end,
                Stand::Refuted => unreachable!("nothing is assumed"),
                Stand::Model => {}
            }
            self.stats.solutions += 1;
            if self.stats.solutions > 1 {
                search.tracer = None;
                search.solver.log.stop();
            }
            self.visited = true;
            let cover = || encoding.cover(search.solver);
            let cover = Replayed::new(self.problem, &self.replayer, &cover);
            if sink.solution(&cover).is_break() {
                break Status::Stopped;
            }
        };
        if end == Status::Exhausted {
            search.solver.log.noted(&[]);
            self.done = true;
        }
        search.hand_on();
        (self.course, self.tracer) = (search.course, search.tracer);
        count(solver, &mut self.stats);
        end
    }

    fn limit(&mut self, nodes: u64) {
        self.limit = nodes;
    }

    fn stats(&self) -> Stats {
        self.stats.clone()
    }

    fn work(&self) -> u64 {
        self.built.as_ref().map_or(0, |(_, solver)| solver.counts.work)
    }

    fn effort(&self) -> u64 {
        let Some((_, solver)) = &self.built else { return 0 };
        price(self.problem) + solver.effort() + 5 * self.constraint.work()
    }

    fn progress(&self) -> f64 {
        let (assigned, all) = self.stats.assigned;
        assigned as f64 / all.max(1) as f64
    }

    fn shrink(&mut self) {
        if let Some((_, solver)) = &mut self.built {
            solver.shrink();
        }
    }
}

/// About how many nanoseconds it takes to make the clauses of `problem`.
pub fn price(problem: &Problem) -> u64 {
    100 * problem.entries() as u64
}
