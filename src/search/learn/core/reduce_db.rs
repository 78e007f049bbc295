//! Deleting learned clauses of high glue, so that there is room for more.

use super::{Antecedent, Solver};
use crate::search::learn::clauses::{ClauseRef, Clauses};

impl Solver {
    /// Deletes learned clauses when there are too many, and makes room for a few more.
    pub fn reduce_db(&mut self) {
        if self.clauses.learned() < self.room {
            return;
        }
        self.room += 300;
        self.reduce();
        if self.clauses.is_wasteful() {
            self.compact();
        }
    }

    /// Memory is short: deletes half of what was learned, whatever room there is, keeps to that from
    /// here on, and hands back what is not in use.
    pub fn shrink(&mut self) {
        self.reduce();
        self.room = self.clauses.learned() + 300;
        self.compact();
        self.watches.iter_mut().for_each(Vec::shrink_to_fit);
    }

    /// Deletes the worse half of the learned clauses.
    fn reduce(&mut self) {
        let (values, reasons) = (&self.values, &self.reasons);
        let keep = |clauses: &Clauses, clause| {
            let first = clauses.lit(clause, 0);
            values[first.index()] > 0 && reasons[first.var()] == Antecedent::Clause(clause)
        };
        self.clauses.reduce(keep, |literals| self.log.deleted(literals));
        let clauses = &self.clauses;
        for watches in &mut self.watches {
            watches.retain(|watch| !clauses.is_deleted(watch.clause));
        }
    }

    fn compact(&mut self) {
        let mut moves: Vec<(ClauseRef, ClauseRef)> = Vec::new();
        self.clauses.compact(|from, to| moves.push((from, to)));
        let find = |clause: ClauseRef| {
            let at = moves.partition_point(|&(from, _)| from < clause);
            moves[at].1
        };
        for watch in self.watches.iter_mut().flatten() {
            watch.clause = find(watch.clause);
        }
        for lit in &self.trail {
            if let Antecedent::Clause(clause) = &mut self.reasons[lit.var()] {
                *clause = find(*clause);
            }
        }
    }
}
