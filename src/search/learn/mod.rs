//! Clause learning: real boards of any size in milliseconds, where backtracking takes for ever.
//!
//! Algorithm C forgets why it failed, and meets the same contradiction again in every part of its
//! tree. This engine writes the problem as clauses ([`encoding`]), searches with a solver that learns
//! from its conflicts ([`core`]), and lets the constraints take part: they are told what is assigned,
//! and say why they refuse or forbid, in facts that become clauses.
//!
//! It finds exactly the solutions of `links`, each once, in no promised order. It is the engine for
//! the first solution, for proofs that there is no other, and for puzzles; for counting millions of
//! solutions of a problem without structure, `links` is faster.
//!
//! | file | what |
//! |---|---|
//! | `occurrences` | what there is to know before there are variables |
//! | `encoding` | which variables there are, and how a model is a cover |
//! | `support_encoding` | colors come from the options that give them |
//! | `prime_implicates` | the clauses that say what a small table says |
//! | `core` | the solver |
//! | `failed_literals` | facts from assuming each literal once |
//! | `clauses` | literals, and clauses in one arena |
//! | `vsids` | which variable to decide next |
//! | `backbone` | what all solutions have in common |
//! | `candidates` | what all models so far have in common |
//! | `local_search` | other models near a model |
//! | `direct_encoding` | the plain clauses that a proof starts from |
//! | `proof_tracer` | what a proof needs from a search |
//! | `engine` | what rests between two calls |

pub mod backbone;
mod candidates;
pub mod clauses;
pub mod core;
pub mod direct_encoding;
pub mod encoding;
mod engine;
pub mod failed_literals;
mod local_search;
mod occurrences;
pub mod prime_implicates;
pub mod proof_tracer;
mod support_encoding;
pub mod vsids;

pub use engine::{Learn, price};

use crate::constraint::{Explanation, Literal, Moves, Propagator, Reason, Uses};
use crate::ids::{Color, ItemId};
use crate::problem::Problem;
use crate::search;
use crate::search::engine::Status;
use crate::search::stats::Stats;
use clauses::Lit;
use core::{Solver, luby};
use encoding::Encoding;
use engine::Suspended;
use proof_tracer::Tracer;

/// Conflicts before the first restart.
const RESTART: u64 = 50;

/// At least so many bytes are needed for `problem`, before anything is learned.
pub fn memory(problem: &Problem) -> usize {
    encoding::memory(problem) + search::memory(problem)
}

fn count(solver: &Solver, stats: &mut Stats) {
    stats.conflicts = solver.counts.conflicts;
    stats.restarts = solver.counts.restarts;
    stats.decisions = solver.counts.decisions;
    stats.learned = solver.learned_clauses() as u64;
    stats.assigned = (solver.trail().len() as u64, solver.variables() as u64);
}

struct Search<'e, 'p> {
    encoding: &'e Encoding<'p>,
    solver: &'e mut Solver,
    course: Suspended,
    /// Work ([`core::SolverCounts::work`]) at which to pause.
    rest_at: u64,
    /// Conflicts at which to end.
    limit: u64,
    /// A literal that is decided before all others, from the root on.
    assumption: Option<Lit>,
    /// Who writes a proof, if one is wanted.
    tracer: Option<Tracer<'p>>,
    reason: Reason,
    literals: Vec<Lit>,
}

/// Where a search stands when it hands over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    /// All variables are assigned, and the constraint agrees.
    Model,
    /// No model has the assumption: its negation is a fact at the root.
    Refuted,
    /// It ended or paused so.
    End(Status),
}

impl<'e, 'p> Search<'e, 'p> {
    fn new(encoding: &'e Encoding<'p>, solver: &'e mut Solver) -> Self {
        Search {
            encoding,
            solver,
            course: Suspended { restarts: 1, restart_at: RESTART, ..Suspended::default() },
            rest_at: u64::MAX,
            limit: u64::MAX,
            assumption: None,
            tracer: None,
            reason: Reason::default(),
            literals: Vec::new(),
        }
    }

    /// What can be found out at the root, once; `Some` if that ends the search, or if it pauses before
    /// that is done.
    fn prepare<C: Propagator>(&mut self, constraint: &mut C) -> Option<Status> {
        // What the constraint does must not depend on pauses, so it is not asked once more after one.
        if self.course.probing.is_due() && !self.propagate(constraint) {
            return Some(Status::Exhausted);
        }
        self.probe(constraint)
    }

    /// Searches for the next model.
    fn next_model(&mut self, constraint: &mut impl Propagator) -> Stand {
        loop {
            if let Some(end) = self.attend() {
                return Stand::End(end);
            }
            if !self.propagate(constraint) {
                let level = self.solver.resolve();
                match self.go_back(level, constraint) {
                    true => continue,
                    false => return Stand::End(Status::Exhausted),
                }
            }
            if self.solver.counts.conflicts >= self.course.restart_at {
                self.course.restarts += 1;
                self.course.restart_at =
                    self.solver.counts.conflicts + RESTART * luby(self.course.restarts);
                let level = self.solver.restart();
                self.go_back(Some(level), constraint);
                continue;
            }
            self.solver.reduce_db();
            let assumed = self.assumption.filter(|&lit| self.solver.value(lit) != Some(true));
            if assumed.is_some_and(|lit| self.solver.value(lit).is_some()) {
                return Stand::Refuted;
            }
            if let Some(lit) = assumed.or_else(|| self.solver.pick()) {
                constraint.mark();
                self.solver.decide(lit);
                continue;
            }
            if constraint.complete().is_fine() {
                return Stand::Model;
            }
            self.set_conflict(constraint);
            let level = self.solver.resolve();
            if !self.go_back(level, constraint) {
                return Stand::End(Status::Exhausted);
            }
        }
    }

    /// `Some` if it is time to pause, or to end.
    fn attend(&mut self) -> Option<Status> {
        if self.tracer.as_ref().is_some_and(|tracer| tracer.wants(&self.solver.log)) {
            self.hand_on();
        }
        let counts = &self.solver.counts;
        if counts.conflicts >= self.limit {
            return Some(Status::Limit);
        }
        (counts.work >= self.rest_at).then_some(Status::Paused)
    }

    /// The solver went back to `level`, if anywhere: the constraint follows.
    fn go_back(&mut self, level: Option<usize>, constraint: &mut impl Propagator) -> bool {
        let Some(level) = level else { return false };
        constraint.backtrack(level);
        self.course.told = self.course.told.min(self.solver.limit(level));
        true
    }

    /// Propagates clauses and the constraint until nothing follows; false on a conflict.
    fn propagate(&mut self, constraint: &mut impl Propagator) -> bool {
        loop {
            if !self.solver.propagate() {
                return false;
            }
            while let Some(&lit) = self.solver.trail().get(self.course.told) {
                self.course.told += 1;
                let verdict = match (self.encoding.fact(lit), self.encoding.fact(!lit)) {
                    (Some((item, color)), _) => constraint.fixed(item, color),
                    (None, Some((item, color))) => constraint.lost(item, color),
                    (None, None) => continue,
                };
                if !verdict.is_fine() {
                    self.set_conflict(constraint);
                    return false;
                }
            }
            let mut acting = Acting { search: self, conflict: false };
            let stands = constraint.settle(&mut acting).is_fine();
            if acting.conflict {
                return false;
            }
            if !stands {
                self.set_conflict(constraint);
                return false;
            }
            if self.solver.trail().len() == self.course.told {
                return true;
            }
        }
    }

    /// Tells the tracer what the solver did.
    fn hand_on(&mut self) {
        if let Some(tracer) = &mut self.tracer {
            tracer.hand_on(&mut self.solver.log);
        }
    }

    /// The constraint's reason to refuse becomes the conflict.
    fn set_conflict(&mut self, constraint: &impl Propagator) {
        self.reason.clear();
        constraint.explain(&mut self.reason);
        self.negate_facts();
        self.solver.set_conflict(&self.literals);
        if let Some(tracer) = &mut self.tracer {
            tracer.lemma(&self.reason, None, &self.literals, true);
        }
    }

    /// Puts the negations of the facts into `literals`.
    fn negate_facts(&mut self) {
        self.literals.clear();
        for fact in &self.reason.literals {
            // A color that an item never has is no news.
            if let Some(lit) = self.encoding.color(fact.item, fact.color) {
                self.literals.push(if fact.holds { !lit } else { lit });
            }
        }
    }

    /// Claims the fact, which `lit` stands for, for a reason; false if it is false.
    fn claim(&mut self, lit: Lit, fact: Literal, why: Explanation<'_>) -> bool {
        if self.solver.value(lit) == Some(true) {
            return true;
        }
        self.reason.clear();
        why(&mut self.reason);
        self.negate_facts();
        let stands = self.solver.add_lemma(lit, &self.literals);
        if let Some(tracer) = &mut self.tracer {
            self.literals.push(lit);
            tracer.lemma(&self.reason, Some(fact), &self.literals, !stands);
        }
        stands
    }
}

/// The moves of a constraint while it settles.
struct Acting<'s, 'e, 'p> {
    search: &'s mut Search<'e, 'p>,
    conflict: bool,
}

impl Moves for Acting<'_, '_, '_> {
    fn forbid(&mut self, item: ItemId, color: Color, why: Explanation<'_>) {
        if let (Some(lit), false) = (self.search.encoding.color(item, color), self.conflict) {
            let claim = Literal { item, color, holds: false };
            self.conflict = !self.search.claim(!lit, claim, why);
        }
    }

    fn require(&mut self, item: ItemId, color: Color, why: Explanation<'_>) {
        if let (Some(lit), false) = (self.search.encoding.color(item, color), self.conflict) {
            let claim = Literal { item, color, holds: true };
            self.conflict = !self.search.claim(lit, claim, why);
        }
    }

    fn tells(&self) -> bool {
        true
    }

    fn uses(&self, item: ItemId, color: Color) -> Uses {
        let lit = self.search.encoding.color(item, color);
        match lit.map(|lit| self.search.solver.value(lit)) {
            None | Some(Some(false)) => Uses { with: false, without: true },
            Some(Some(true)) => Uses { with: true, without: false },
            Some(None) => Uses { with: true, without: true },
        }
    }
}
