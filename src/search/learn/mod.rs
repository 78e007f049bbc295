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
//! | `survey` | what there is to know before there are variables |
//! | `encode` | which variables there are, and how a model is a cover |
//! | `support` | colors come from the options that give them |
//! | `implicates` | the clauses that say what a small table says |
//! | `core` | the solver |
//! | `probe` | facts from assuming each literal once |
//! | `clauses` | literals, and clauses in one arena |
//! | `heap` | which variable to decide next |
//! | `facts` | what all solutions have in common |
//! | `nearby` | other models near a model |
//! | `direct` | the plain clauses that a proof starts from |
//! | `journal` | what a proof needs from a search |
//! | `slices` | learning bit by bit, beside another search |

pub mod clauses;
pub mod core;
pub mod direct;
pub mod encode;
pub mod facts;
pub mod heap;
pub mod implicates;
pub mod journal;
mod nearby;
pub mod probe;
pub mod slices;
mod support;
mod survey;

use std::cell::RefCell;
use std::sync::atomic::Ordering;

use crate::constraint::{Constraint, Fact, Moves, Reason, Uses, Why};
use crate::ids::{Color, ItemId};
use crate::problem::Problem;
use crate::search::replay::{Replayed, Replayer};
use crate::search::stats::Stats;
use crate::search::{self, End, Limits, Moment, Observer};
use clauses::Lit;
use core::{Solver, luby};
use direct::Direct;
use encode::Encoding;
use journal::{Journal, Scribe};

/// Conflicts before the first restart.
const RESTART: u64 = 50;

/// At least so many bytes are needed for `problem`, before anything is learned.
pub fn memory(problem: &Problem) -> usize {
    encode::memory(problem) + search::memory(problem)
}

/// Visits all solutions of `problem` that satisfy `constraint`.
pub fn solve<C: Constraint>(
    problem: &Problem,
    constraint: &mut C,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> (End, Stats) {
    let built = Encoding::new(problem, &mut || looks(limits, observer));
    let Some((encoding, solver)) = built else { return (End::Stopped, Stats::default()) };
    run(problem, &encoding, solver, None, constraint, limits, observer)
}

/// The same, and writes a proof that there are no other solutions, as long as there is at most one:
/// after the second nothing is written any more. `direct` numbers the variables of `problem`.
pub fn prove<C: Constraint>(
    problem: &Problem,
    direct: &Direct<'_>,
    journal: &mut dyn Journal,
    constraint: &mut C,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> (End, Stats) {
    let built = Encoding::logged(problem, &mut || looks(limits, observer));
    let Some((encoding, solver)) = built else { return (End::Stopped, Stats::default()) };
    let scribe = Scribe::new(journal, direct, &encoding);
    run(problem, &encoding, solver, Some(scribe), constraint, limits, observer)
}

/// Calls the observer if somebody wants attention while nothing is counted yet; false if the search is to
/// stop.
fn looks(limits: &Limits<'_>, observer: &mut dyn Observer) -> bool {
    if !limits.attention.load(Ordering::Relaxed) {
        return true;
    }
    limits.attention.store(false, Ordering::Relaxed);
    let moment = Moment { stats: &Stats::default(), choices: &Vec::new() };
    observer.tick(&moment).is_continue()
}

fn run<'p, C: Constraint>(
    problem: &Problem,
    encoding: &Encoding<'p>,
    mut solver: Solver,
    scribe: Option<Scribe<'p>>,
    constraint: &mut C,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> (End, Stats) {
    let mut stats = Stats::default();
    let replayer = RefCell::new(None);
    let mut search = Search::new(encoding, &mut solver);
    search.scribe = scribe;
    let end = search.run(problem, constraint, limits, observer, &mut stats, &replayer);
    if end == End::Exhausted {
        search.solver.log.noted(&[]);
    }
    search.hand_on();
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
    /// Who writes a proof, if one is wanted.
    scribe: Option<Scribe<'p>>,
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
    /// It ended so.
    End(End),
}

impl<'e, 'p> Search<'e, 'p> {
    fn new(encoding: &'e Encoding<'p>, solver: &'e mut Solver) -> Self {
        Search {
            encoding,
            solver,
            told: 0,
            restarts: 1,
            restart_at: RESTART,
            rest_at: u64::MAX,
            assumption: None,
            scribe: None,
            reason: Reason::default(),
            literals: Vec::new(),
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
            if stats.solutions > 1 {
                self.scribe = None;
                self.solver.log.stop();
            }
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
        if self.scribe.as_ref().is_some_and(|scribe| scribe.wants(&self.solver.log)) {
            self.hand_on();
        }
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
            if observer.lacks_memory() {
                self.solver.give_back();
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
            if self.solver.trail().len() == self.told {
                return true;
            }
        }
    }

    /// Tells the scribe what the solver did.
    fn hand_on(&mut self) {
        if let Some(scribe) = &mut self.scribe {
            scribe.hand_on(&mut self.solver.log);
        }
    }

    /// The constraint's reason to refuse becomes the conflict.
    fn set_conflict(&mut self, constraint: &impl Constraint) {
        self.reason.clear();
        constraint.explain(&mut self.reason);
        self.negate_facts();
        self.solver.set_conflict(&self.literals);
        if let Some(scribe) = &mut self.scribe {
            scribe.lemma(&self.reason, None, &self.literals, true);
        }
    }

    /// Puts the negations of the facts into `literals`.
    fn negate_facts(&mut self) {
        self.literals.clear();
        for fact in &self.reason.facts {
            // A color that an item never has is no news.
            if let Some(lit) = self.encoding.color(fact.item, fact.color) {
                self.literals.push(if fact.holds { !lit } else { lit });
            }
        }
    }

    /// Claims the fact, which `lit` stands for, for a reason; false if it is false.
    fn claim(&mut self, lit: Lit, fact: Fact, why: Why<'_>) -> bool {
        if self.solver.value(lit) == Some(true) {
            return true;
        }
        self.reason.clear();
        why(&mut self.reason);
        self.negate_facts();
        let stands = self.solver.add_lemma(lit, &self.literals);
        if let Some(scribe) = &mut self.scribe {
            self.literals.push(lit);
            scribe.lemma(&self.reason, Some(fact), &self.literals, !stands);
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
    fn forbid(&mut self, item: ItemId, color: Color, why: Why<'_>) {
        if let (Some(lit), false) = (self.search.encoding.color(item, color), self.conflict) {
            let claim = Fact { item, color, holds: false };
            self.conflict = !self.search.claim(!lit, claim, why);
        }
    }

    fn require(&mut self, item: ItemId, color: Color, why: Why<'_>) {
        if let (Some(lit), false) = (self.search.encoding.color(item, color), self.conflict) {
            let claim = Fact { item, color, holds: true };
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
