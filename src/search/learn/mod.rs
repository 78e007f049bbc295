//! Clause learning: real boards of any size in milliseconds, where backtracking takes for ever.
//!
//! Algorithm C forgets why it failed, and meets the same contradiction again in every part of its
//! tree. This engine writes the problem as clauses ([`encode`]), searches with a solver that learns
//! from its conflicts ([`core`]), and lets the constraints take part: they are told what is assigned,
//! and say why they refuse or forbid, in facts that become clauses.
//!
//! It finds exactly the solutions of `links`, each once, in no promised order. It is the engine for
//! the first solution, for proofs that there is no other, and for puzzles; for counting millions of
//! solutions of a problem without structure, `links` is faster.
//!
//! | file | what |
//! |---|---|
//! | `encode` | which variables there are, and how a model is a cover |
//! | `implicates` | the clauses that say what a small table says |
//! | `core` | the solver |
//! | `probe` | facts from assuming each literal once |
//! | `clauses` | literals, and clauses in one arena |
//! | `heap` | which variable to decide next |
//! | `facts` | what all solutions have in common |
//! | `slices` | learning bit by bit, beside another search |

pub mod clauses;
pub mod core;
pub mod encode;
pub mod facts;
pub mod heap;
pub mod implicates;
pub mod probe;
pub mod slices;

use std::cell::RefCell;
use std::sync::atomic::Ordering;

use crate::constraint::{Constraint, Fact, Moves, Uses, Why};
use crate::ids::{Color, ItemId};
use crate::problem::Problem;
use crate::search::replay::{Replayed, Replayer};
use crate::search::stats::Stats;
use crate::search::{End, Limits, Moment, Observer};
use clauses::Lit;
use core::{Solver, luby};
use encode::Encoding;

/// Conflicts before the first restart.
const RESTART: u64 = 50;

/// Visits all solutions of `problem` that satisfy `constraint`.
pub fn solve<C: Constraint>(
    problem: &Problem,
    constraint: &mut C,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> (End, Stats) {
    let (encoding, solver) = Encoding::new(problem);
    let mut stats = Stats::default();
    let Some(mut solver) = solver else { return (End::Exhausted, stats) };
    let mut search = Search::new(&encoding, &mut solver);
    let replayer = RefCell::new(None);
    let end = search.run(problem, constraint, limits, observer, &mut stats, &replayer);
    count(&solver, &mut stats);
    (end, stats)
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
    /// How much of the trail the constraint has been told.
    told: usize,
    restarts: u64,
    /// Conflicts at which the next restart is due.
    restart_at: u64,
    /// Work ([`core::Counts::work`]) at which to pause.
    rest_at: u64,
    /// A literal that is decided before all others, from the root on.
    assumption: Option<Lit>,
    facts: Vec<Fact>,
    literals: Vec<Lit>,
}

/// Where a search stands when it hands over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    /// All variables are assigned, and the constraint agrees.
    Model,
    /// No model has the assumption: its negation is a fact at the root.
    Refuted,
    /// It ended so.
    End(End),
}

impl<'e, 'p> Search<'e, 'p> {
    fn new(encoding: &'e Encoding<'p>, solver: &'e mut Solver) -> Self {
        let (facts, literals) = (Vec::new(), Vec::new());
        let (told, restarts, restart_at) = (0, 1, RESTART);
        let (rest_at, assumption) = (u64::MAX, None);
        Search {
            encoding,
            solver,
            told,
            restarts,
            restart_at,
            rest_at,
            assumption,
            facts,
            literals,
        }
    }

    fn run<C: Constraint>(
        &mut self,
        problem: &Problem,
        constraint: &mut C,
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
        stats: &mut Stats,
        replayer: &RefCell<Option<Replayer>>,
    ) -> End {
        if let Some(end) = self.prepare(constraint, limits, observer, stats) {
            return end;
        }
        self.visit(problem, constraint, limits, observer, stats, replayer)
    }

    /// Visits the models that are left.
    fn visit<C: Constraint>(
        &mut self,
        problem: &Problem,
        constraint: &mut C,
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
        stats: &mut Stats,
        replayer: &RefCell<Option<Replayer>>,
    ) -> End {
        loop {
            if let Stand::End(end) = self.next_model(constraint, limits, observer, stats) {
                return end;
            }
            if let Some(end) = self.attend(limits, observer, stats) {
                return end;
            }
            stats.solutions += 1;
            let (encoding, solver) = (self.encoding, &*self.solver);
            let cover = || encoding.cover(solver);
            let cover = Replayed::new(problem, replayer, &cover);
            if observer.solution(&cover).is_break() {
                return End::Stopped;
            }
            let level = self.solver.leave_solution();
            if !self.go_back(level, constraint) {
                return End::Exhausted;
            }
        }
    }

    /// What can be found out at the root; `Some` if that ends the search.
    fn prepare<C: Constraint>(
        &mut self,
        constraint: &mut C,
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
        stats: &mut Stats,
    ) -> Option<End> {
        if !self.propagate(constraint) {
            return Some(End::Exhausted);
        }
        self.probe(constraint, limits, observer, stats)
    }

    /// Searches for the next model.
    fn next_model(
        &mut self,
        constraint: &mut impl Constraint,
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
        stats: &mut Stats,
    ) -> Stand {
        loop {
            if let Some(end) = self.attend(limits, observer, stats) {
                return Stand::End(end);
            }
            if !self.propagate(constraint) {
                let level = self.solver.resolve();
                match self.go_back(level, constraint) {
                    true => continue,
                    false => return Stand::End(End::Exhausted),
                }
            }
            if self.solver.counts.conflicts >= self.restart_at {
                self.restarts += 1;
                self.restart_at = self.solver.counts.conflicts + RESTART * luby(self.restarts);
                let level = self.solver.restart();
                self.go_back(Some(level), constraint);
                continue;
            }
            self.solver.tidy();
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
                return Stand::End(End::Exhausted);
            }
        }
    }

    /// Calls the observer if somebody wants attention; `Some` if the search is to stop.
    fn attend(
        &mut self,
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
        stats: &mut Stats,
    ) -> Option<End> {
        let counts = &self.solver.counts;
        if counts.conflicts >= limits.nodes || counts.work >= self.rest_at {
            return Some(End::NodeLimit);
        }
        if limits.attention.load(Ordering::Relaxed) {
            limits.attention.store(false, Ordering::Relaxed);
            count(self.solver, stats);
            if observer.tick(&Moment { stats, choices: &Vec::new() }).is_break() {
                return Some(End::Stopped);
            }
        }
        None
    }

    /// The solver went back to `level`, if anywhere: the constraint follows.
    fn go_back(&mut self, level: Option<usize>, constraint: &mut impl Constraint) -> bool {
        let Some(level) = level else { return false };
        constraint.backtrack(level);
        self.told = self.told.min(self.solver.limit(level));
        true
    }

    /// Propagates clauses and the constraint until nothing follows; false on a conflict.
    fn propagate(&mut self, constraint: &mut impl Constraint) -> bool {
        loop {
            if !self.solver.propagate() {
                return false;
            }
            while let Some(&lit) = self.solver.trail().get(self.told) {
                self.told += 1;
                let Some((item, color)) = self.encoding.fact(lit) else { continue };
                if !constraint.fixed(item, color).is_fine() {
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
            if self.solver.trail().len() == self.told {
                return true;
            }
        }
    }

    /// The constraint's reason to refuse becomes the conflict.
    fn set_conflict(&mut self, constraint: &impl Constraint) {
        self.facts.clear();
        constraint.explain(&mut self.facts);
        self.negate_facts();
        self.solver.set_conflict(&self.literals);
    }

    /// Puts the negations of the facts into `literals`.
    fn negate_facts(&mut self) {
        self.literals.clear();
        for fact in &self.facts {
            // A color that an item never has is no news.
            if let Some(lit) = self.encoding.color(fact.item, fact.color) {
                self.literals.push(if fact.holds { !lit } else { lit });
            }
        }
    }

    /// Claims `lit` for a reason; false if it is false.
    fn claim(&mut self, lit: Lit, why: Why<'_>) -> bool {
        if self.solver.value(lit) == Some(true) {
            return true;
        }
        self.facts.clear();
        why(&mut self.facts);
        self.negate_facts();
        self.solver.add_lemma(lit, &self.literals)
    }
}

/// The moves of a constraint while it settles.
struct Acting<'s, 'e, 'p> {
    search: &'s mut Search<'e, 'p>,
    conflict: bool,
}

impl Moves for Acting<'_, '_, '_> {
    fn forbid(&mut self, item: ItemId, color: Color, why: Why<'_>) {
        if let (Some(lit), false) = (self.search.encoding.color(item, color), self.conflict) {
            self.conflict = !self.search.claim(!lit, why);
        }
    }

    fn require(&mut self, item: ItemId, color: Color, why: Why<'_>) {
        if let (Some(lit), false) = (self.search.encoding.color(item, color), self.conflict) {
            self.conflict = !self.search.claim(lit, why);
        }
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
