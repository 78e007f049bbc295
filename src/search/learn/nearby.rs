//! Other models near a model: all but a neighborhood is frozen, and the search goes on inside.
//!
//! A board that lacks some clues has loose ends all over, each of which can be settled without regard to
//! the others. A search from scratch settles all of them anew, and pays some hundred conflicts for a model
//! that differs in a few places which are not known to differ yet. So we take the latest model, free the
//! variables around a thing in question, decide all others as the model has them, which meets no
//! contradiction, and ask inside for one thing after the other, with the patience of a few conflicts. What is
//! frozen is assigned once for all these questions. (Large neighborhood search; Paul Shaw, CP 1998.)
//!
//! ```text
//! frozen   | free            | asked  what comes of it
//! 01:1 ... | 10:0 12:1 21:0  | 10:1   12:0 follows: another model, in which 10 and 12 differ
//!          |                 | 21:1   refuted: 21 stays as it is as long as the rest is frozen
//! ```
//!
//! A refutation proves nothing of all models, unless what is learned is a fact by itself. So this finds
//! witnesses that things differ, and leaves proofs to questions that freeze nothing.
//!
//! # Invariants
//!
//! What is frozen is below the solver's floor, and part of a model: no conflict is without a decision above.

use super::Search;
use super::clauses::Lit;
use super::encode::Encoding;
use super::facts::Ledger;
use crate::constraint::Constraint;
use crate::search::stats::Stats;
use crate::search::{End, Limits, Observer};

/// So much of a neighborhood is asked about: what is next to the frozen part has little room.
const INNER: (usize, usize) = (9, 10);

/// Which variables are near to each other, and which were asked about.
pub(super) struct Nearby {
    /// Variables that have an item in common, by item.
    groups: Vec<Vec<u32>>,
    /// By variable: its groups.
    groups_of: Vec<Vec<u32>>,
    /// By variable: the largest neighborhood in which it was asked about.
    asked: Vec<usize>,
    /// By variable: the latest walk that met it.
    met: Vec<u32>,
    walk: u32,
}

impl Nearby {
    pub fn new(encoding: &Encoding<'_>) -> Self {
        let (groups, count) = (encoding.groups(), encoding.variables());
        let mut groups_of = vec![Vec::new(); count];
        for (number, group) in (0..).zip(&groups) {
            group.iter().for_each(|&var| groups_of[var as usize].push(number));
        }
        Nearby { groups, groups_of, asked: vec![0; count], met: vec![0; count], walk: 0 }
    }

    /// The model is another one: all can be asked again.
    pub fn forget(&mut self) {
        self.asked.fill(0);
    }

    /// Whether the latest walk met this variable.
    fn is_met(&self, var: usize) -> bool {
        self.met[var] == self.walk
    }

    /// The variables around `center` for which `is_open`, the nearest first, and at most `size` of them.
    fn around(
        &mut self,
        center: usize,
        size: usize,
        is_open: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        self.walk += 1;
        self.met[center] = self.walk;
        let mut near = vec![center];
        let mut at = 0;
        while at < near.len() {
            for &group in &self.groups_of[near[at]] {
                for var in self.groups[group as usize].iter().map(|&var| var as usize) {
                    if near.len() == size {
                        return near;
                    }
                    if self.met[var] != self.walk && is_open(var) {
                        self.met[var] = self.walk;
                        near.push(var);
                    }
                }
            }
            at += 1;
        }
        near
    }
}

/// What is needed to ask in a neighborhood.
pub(super) struct Neighborhood<'a> {
    /// How many variables are free.
    pub size: usize,
    /// Conflicts for each question.
    pub patience: u64,
    pub limits: &'a Limits<'a>,
    pub observer: &'a mut dyn Observer,
    pub stats: &'a mut Stats,
}

impl Search<'_, '_> {
    /// Frees the neighborhood of something in question, and asks for all that is in question there.
    /// `None` if all was asked in neighborhoods of this size; the end, if the search is to stop. Leaves
    /// the solver anywhere.
    pub(super) fn look_around<C: Constraint>(
        &mut self,
        nearby: &mut Nearby,
        ledger: &mut Ledger<'_>,
        constraint: &mut C,
        hood: &mut Neighborhood<'_>,
    ) -> Option<Result<(), End>> {
        // What is pending belongs to the root.
        if !self.propagate(constraint) {
            return Some(Err(End::Exhausted));
        }
        let in_question =
            |lit: &Lit| self.solver.value(*lit).is_none() && nearby.asked[lit.var()] < hood.size;
        let center = ledger.still_common().find(in_question)?.var();
        let solver = &*self.solver;
        let is_open = |var| solver.value(Lit::new(var, true)).is_none();
        let free = nearby.around(center, hood.size, is_open);
        constraint.mark();
        self.solver.decide_all(ledger.model().filter(|lit| !nearby.is_met(lit.var())));
        if !self.propagate(constraint) {
            unreachable!("a part of a model contradicts nothing");
        }
        self.solver.raise_floor();
        let inner = (free.len() * INNER.0 / INNER.1).max(1);
        for &var in &free[..inner] {
            if ledger.common(var).is_none() || nearby.asked[var] >= hood.size {
                continue;
            }
            nearby.asked[var] = hood.size;
            let solver = &*self.solver;
            let is_open = |var| solver.value(Lit::new(var, true)).is_none();
            if !is_open(var) {
                continue;
            }
            let mut order = nearby.around(var, hood.size, is_open);
            order.extend(free.iter().filter(|&&var| !nearby.is_met(var)));
            if let Err(end) = self.ask_inside(&order, &free, ledger, constraint, hood) {
                return Some(Err(end));
            }
        }
        Some(Ok(()))
    }

    /// Asks for a model in which the first variable is otherwise, and after it, if possible, all that is
    /// still common. Variables are decided in this order: what is near moves first.
    fn ask_inside<C: Constraint>(
        &mut self,
        order: &[usize],
        free: &[usize],
        ledger: &mut Ledger<'_>,
        constraint: &mut C,
        hood: &mut Neighborhood<'_>,
    ) -> Result<(), End> {
        let floor = self.solver.level();
        let last = self.solver.counts.conflicts + hood.patience;
        let mut at = 0;
        while self.solver.counts.conflicts <= last {
            if let Some(end) = self.attend(hood.limits, hood.observer, hood.stats) {
                return Err(end);
            }
            if self.propagate(constraint) {
                self.solver.tidy();
                let is_open = |&var: &usize| self.solver.value(Lit::new(var, true)).is_none();
                at += order[at..].iter().take_while(|var| !is_open(var)).count();
                if at > 0 && self.solver.level() == floor {
                    // Refuted.
                    break;
                }
                if let Some(&var) = order.get(at) {
                    constraint.mark();
                    self.solver.decide(ledger.otherwise(var));
                    continue;
                }
                if constraint.complete().is_fine() {
                    ledger.compare_some(self.solver, free);
                    hood.stats.solutions += 1;
                    break;
                }
                self.set_conflict(constraint);
            }
            let level = self.solver.resolve();
            if !self.go_back(level, constraint) {
                return Err(End::Exhausted);
            }
            at = 0;
        }
        self.solver.backtrack(floor);
        self.go_back(Some(floor), constraint);
        Ok(())
    }
}
