//! Going back, and from one solution to the next without a clause that blocks it.
//!
//! After a solution its last decision is turned around, and stays so: the level that it opened is
//! closed, and its negation stands on the level below without a reason. That level is now the *floor*:
//! restarts and backjumps do not go below it, since that would forget which part of the tree is done.
//! A conflict that depends on nothing above the floor ends the level of the floor in the same way. So
//! every solution is visited once without a clause that blocks it (Gebser, Kaufmann, Neumann, Schaub,
//! LPNMR 2007; Spallitta, Sebastiani, Biere, AAAI 2024). What is learned on the way treats the
//! negations as decisions, and so follows from the problem alone. For a proof that there is no other
//! solution we note, whenever a level ends, that its decisions and those below do not go together; with
//! a clause that blocks the solution that follows by unit propagation.

use super::{Antecedent, Solver};
use crate::search::learn::clauses::Lit;

impl Solver {
    /// Ends the level of the floor, all of which was visited: its decision is turned around.
    pub fn leave_floor(&mut self) -> Option<usize> {
        self.note_floor();
        let level = self.floor.checked_sub(1)?;
        let decision = self.trail[self.limits[level]];
        self.backtrack(level);
        self.floor = level;
        match self.value(decision) {
            None => {
                if level == 0 {
                    // All that is learned from here on takes it for granted.
                    self.log.axiom(&[!decision]);
                }
                self.assign(!decision, Antecedent::None);
            }
            // A fact that came back says the same; then this level is done as well.
            Some(true) => return self.leave_floor(),
            Some(false) => {}
        }
        Some(level)
    }

    /// For a proof: nothing is left below the decisions up to the floor.
    fn note_floor(&mut self) {
        if self.log.is_on() {
            let decisions = self.limits[..self.floor].iter().map(|&limit| !self.trail[limit]);
            let clause: Vec<Lit> = decisions.collect();
            self.log.noted(&clause);
        }
    }

    /// A solution was visited: goes on behind it.
    pub fn leave_solution(&mut self) -> Option<usize> {
        self.floor = self.level();
        self.leave_floor()
    }

    /// From here on, restarts and backjumps do not go below the level at hand, part of a model, until
    /// [`Solver::leave_all`].
    pub fn raise_floor(&mut self) {
        self.floor = self.level();
    }

    /// Goes back to `level`, which is the floor again.
    pub fn lower_floor(&mut self, level: usize) {
        self.floor = level;
        self.backtrack(level);
    }

    /// Forgets where the search was, and goes back to the root.
    pub fn leave_all(&mut self) {
        self.lower_floor(0);
    }

    /// Goes back to the floor.
    pub fn restart(&mut self) -> usize {
        self.counts.restarts += 1;
        self.backtrack(self.floor);
        self.floor
    }

    /// Takes back all levels above `level`.
    pub fn backtrack(&mut self, level: usize) {
        if self.level() <= level {
            return;
        }
        let start = self.limits[level];
        for i in (start..self.trail.len()).rev() {
            let lit = self.trail[i];
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            if self.keep_phases {
                self.phases[lit.var()] = lit.is_positive();
            }
            self.heap.insert(lit.var());
            if self.is_fact[lit.var()] {
                self.lost_facts.push(lit);
            }
        }
        self.trail.truncate(start);
        self.limits.truncate(level);
        self.head = start;
        while let Some(fact) = self.lost_facts.pop() {
            self.set_fact(fact);
        }
    }
}
