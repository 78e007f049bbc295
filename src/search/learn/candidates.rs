//! What all models so far have in common: the candidates for the backbone. Each new model refines them.

use super::backbone::{Facts, Presence, Shared, Subject};
use super::clauses::Lit;
use super::core::Solver;
use super::encoding::Encoding;
use crate::ids::{ItemId, OptionId};
use crate::problem::Problem;
use crate::search::engine::Status;

/// What the models so far have in common.
pub(super) struct Candidates<'e> {
    problem: &'e Problem,
    encoding: &'e Encoding<'e>,
    subject: Subject,
    /// How many models there were.
    pub models: u64,
    watched: Vec<usize>,
    /// By variable: its value in the latest model.
    values: Vec<bool>,
    /// By variable.
    common: Vec<Option<bool>>,
}

impl<'e> Candidates<'e> {
    /// Nothing is known yet of what is asked of `problem`.
    pub fn new(problem: &'e Problem, encoding: &'e Encoding<'e>, subject: Subject) -> Self {
        let mut watched: Vec<usize> = Vec::new();
        if subject != Subject::Options {
            let items = (problem.primary()..problem.items()).map(|item| ItemId::new(item as u32));
            let colors = items.flat_map(|item| encoding.colors(item));
            watched.extend(colors.map(|(_, lit)| lit.var()));
        }
        if subject != Subject::Colors {
            watched.extend(problem.option_ids().filter_map(|o| encoding.option(o)).map(Lit::var));
        }
        watched.sort_unstable();
        watched.dedup();
        let (values, common) = (Vec::new(), Vec::new());
        Candidates { problem, encoding, subject, models: 0, watched, values, common }
    }

    /// Takes a model into account.
    pub fn refine(&mut self, solver: &Solver) {
        self.models += 1;
        self.values.resize(solver.variables(), false);
        for lit in solver.trail() {
            self.values[lit.var()] = lit.is_positive();
        }
        let value = |var| solver.value(Lit::new(var, true));
        if self.models == 1 {
            self.common = vec![None; solver.variables()];
            for &var in &self.watched {
                self.common[var] = value(var);
            }
        }
        for &var in &self.watched {
            if self.common[var] != value(var) {
                self.common[var] = None;
            }
        }
    }

    /// Takes a model into account that differs from the latest one in these variables alone.
    pub fn refine_some(&mut self, solver: &Solver, variables: &[usize]) {
        self.models += 1;
        for &var in variables {
            let value = solver.value(Lit::new(var, true));
            self.values[var] = value == Some(true);
            if self.common[var] != value {
                self.common[var] = None;
            }
        }
    }

    /// The literal of a variable that the latest model has.
    pub fn latest(&self, var: usize) -> Lit {
        Lit::new(var, self.values[var])
    }

    /// The value of a watched variable in all models, if it has one.
    pub fn common(&self, var: usize) -> Option<bool> {
        self.common[var]
    }

    /// The value that a variable does not have in any model, if it is watched; or else its latest one.
    pub fn otherwise(&self, var: usize) -> Lit {
        Lit::new(var, self.common[var].map_or(self.values[var], |value| !value))
    }

    /// The literals that all models have.
    pub fn still_common(&self) -> impl Iterator<Item = Lit> {
        self.watched.iter().filter_map(|&var| Some(Lit::new(var, self.common[var]?)))
    }

    /// What is known of a literal: `Some(None)` if solutions differ.
    fn known(&self, lit: Lit, complete: bool, root: &Solver) -> Option<Option<bool>> {
        if self.models > 0 {
            match self.common[lit.var()] {
                None => return Some(None),
                Some(value) if complete => return Some(Some(value == lit.is_positive())),
                Some(_) => {}
            }
        }
        root.value(lit).map(Some)
    }

    /// The answer. `root` is the solver at its root; without one there is no solution.
    pub fn facts(&self, end: Status, root: Option<&Solver>) -> Facts {
        let complete = end == Status::Exhausted;
        let differ = self.models > 0 && self.watched.iter().any(|&var| self.common[var].is_none());
        let (models, colors, options) = (self.models, Vec::new(), Vec::new());
        let mut facts = Facts { end, models, differ, colors, options };
        let Some(root) = root.filter(|_| !complete || models > 0) else { return facts };
        let known = |lit| self.known(lit, complete, root);
        if self.subject == Subject::Options {
            let presence = |option: OptionId| match self.encoding.option(option).and_then(known) {
                None => Presence::Unknown,
                Some(None) => Presence::Some,
                Some(Some(true)) => Presence::All,
                Some(Some(false)) => Presence::None,
            };
            facts.options = self.problem.option_ids().map(presence).collect();
            return facts;
        }
        for item in self.problem.primary()..self.problem.items() {
            let item = ItemId::new(item as u32);
            let colors = self.encoding.colors(item);
            if colors.is_empty() {
                continue;
            }
            let states: Vec<_> = colors.iter().map(|&(_, lit)| known(lit)).collect();
            let always = states.iter().position(|&state| state == Some(Some(true)));
            let shared = if let Some(always) = always {
                Shared::Color(colors[always].0)
            } else if states.contains(&Some(None)) {
                Shared::Differs
            } else if states.iter().all(|&state| state == Some(Some(false))) {
                Shared::Uncolored
            } else {
                Shared::Unknown
            };
            facts.colors.push((item, shared));
        }
        facts
    }
}
