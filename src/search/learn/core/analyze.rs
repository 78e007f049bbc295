//! Conflicts: what they teach, up to the first unique implication point, and how far back that leads.

use super::{Antecedent, Solver};
use crate::search::learn::clauses::Lit;

impl Solver {
    /// Learns from the conflict and goes back; answers with the number of levels that remain, or
    /// `None` if there is nothing left to search.
    pub fn resolve(&mut self) -> Option<usize> {
        self.counts.conflicts += 1;
        let deepest = self.conflict.iter().map(|lit| self.levels[lit.var()]).max().unwrap_or(0);
        if deepest as usize <= self.floor {
            return self.leave_floor();
        }
        self.backtrack(deepest as usize);
        let target = self.analyze(deepest);
        self.log.derived(&self.learned);
        self.backtrack(target.max(self.floor));
        let claim = self.learned[0];
        match self.learned.len() {
            1 => self.set_fact(claim),
            2 => {
                let other = self.learned[1];
                self.add_implications(claim, other);
                self.assign(claim, Antecedent::Lit(!other));
            }
            _ => {
                let learned = std::mem::take(&mut self.learned);
                let glue = self.glue(&learned[1..]) + 1;
                let clause = self.clauses.add(&learned, glue);
                self.watch(clause);
                self.assign(claim, Antecedent::Clause(clause));
                self.learned = learned;
            }
        }
        self.heap.decay();
        Some(self.level())
    }

    /// The first unique implication point: puts a clause into `learned` whose first literal is the
    /// only one of `level`, and the second one of the latest level below, which is the answer.
    fn analyze(&mut self, level: u32) -> usize {
        self.learned.clear();
        self.marked.clear();
        self.learned.push(Lit::new(0, true));
        let mut open = 0;
        let mut at = self.trail.len();
        let conflict = std::mem::take(&mut self.conflict);
        conflict.iter().for_each(|&lit| open += self.mark(lit, level));
        self.conflict = conflict;
        loop {
            at -= 1;
            while !self.seen[self.trail[at].var()] || self.levels[self.trail[at].var()] != level {
                at -= 1;
            }
            let lit = self.trail[at];
            open -= 1;
            if open == 0 {
                self.learned[0] = !lit;
                break;
            }
            match self.reasons[lit.var()] {
                Antecedent::Lit(other) => open += self.mark(!other, level),
                Antecedent::Clause(clause) => {
                    for i in 1..self.clauses.len(clause) {
                        open += self.mark(self.clauses.lit(clause, i), level);
                    }
                }
                Antecedent::None => unreachable!("a decision is the last literal of its level"),
            }
        }
        self.minimize();
        for &var in &self.marked {
            self.seen[var] = false;
        }
        let latest = (1..self.learned.len()).max_by_key(|&i| self.levels[self.learned[i].var()]);
        match latest {
            Some(latest) => {
                self.learned.swap(1, latest);
                self.levels[self.learned[1].var()] as usize
            }
            None => 0,
        }
    }

    /// Notes a false literal of a reason; 1 if it is a new one of `level`.
    #[inline]
    fn mark(&mut self, lit: Lit, level: u32) -> usize {
        let var = lit.var();
        if self.seen[var] || self.levels[var] == 0 {
            return 0;
        }
        self.seen[var] = true;
        self.marked.push(var);
        self.heap.bump(var);
        if self.levels[var] == level {
            return 1;
        }
        self.learned.push(lit);
        0
    }

    /// Drops literals whose reasons are in the clause already, directly or through others of them.
    fn minimize(&mut self) {
        let mut kept = 1;
        for i in 1..self.learned.len() {
            let lit = self.learned[i];
            let seen = |other: Lit| self.seen[other.var()] || self.levels[other.var()] == 0;
            let implied = match self.reasons[lit.var()] {
                Antecedent::None => false,
                Antecedent::Lit(other) => seen(other),
                Antecedent::Clause(clause) => {
                    (1..self.clauses.len(clause)).all(|i| seen(self.clauses.lit(clause, i)))
                }
            };
            if !implied {
                self.learned[kept] = lit;
                kept += 1;
            }
        }
        self.learned.truncate(kept);
    }

    /// Number of different levels among these literals.
    pub(super) fn glue(&mut self, literals: &[Lit]) -> u32 {
        self.stamp += 1;
        let mut glue = 0;
        for lit in literals {
            let level = self.levels[lit.var()] as usize;
            if self.stamps[level] != self.stamp {
                self.stamps[level] = self.stamp;
                glue += 1;
            }
        }
        glue
    }
}
