//! Failed literals: facts that come from assuming each literal once, before the search.
//!
//! At the root each literal in turn is assumed and propagated. If that fails, what the conflict
//! teaches is a fact; and what follows from a literal and from its negation is one as well. We go
//! around until nothing is new or the budget is spent. (The idea is old; James Crawford and Larry
//! Auton, AAAI 1993, choose branches so.)
//!
//! On finished boards of slitherlink that leaves little or nothing to search. On boards in the making
//! it makes the difference: of 105 such boards of 30 x 30 cells plain learning took 8 seconds for
//! one, and takes .03 with the facts.

use crate::constraint::Constraint;
use crate::search::learn::Search;
use crate::search::learn::clauses::Lit;
use crate::search::stats::Stats;
use crate::search::{End, Limits, Observer};

/// Propagations that probing may take, for each variable. Boards up to 100 x 100 take 20 to 60.
const EACH: u64 = 100;

/// And at most so many in all, a fifth of a second or so.
const MOST: u64 = 5_000_000;

/// What the constraint may look at meanwhile, for each variable.
const LOOKS: u64 = 1000;

/// For each literal, in which round it followed from the first value of the variable at hand.
struct Followers {
    rounds: Vec<u32>,
    round: u32,
}

impl Search<'_, '_> {
    /// Probes all variables. `Some` if that already ends the search.
    pub(super) fn probe<C: Constraint>(
        &mut self,
        constraint: &mut C,
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
        stats: &mut Stats,
    ) -> Option<End> {
        let variables = self.solver.variables();
        let budget = (EACH * variables as u64).min(MOST);
        let end = self.solver.counts.propagations + budget;
        let most_looks = constraint.work() + LOOKS * variables as u64;
        let mut followers = Followers { rounds: vec![0; 2 * variables], round: 0 };
        let mut fruitless = 0;
        let mut var = 0;
        self.solver.keep_phases(false);
        while fruitless < variables
            && self.solver.counts.propagations < end
            && self.solver.counts.work < self.rest_at
            && constraint.work() < most_looks
        {
            if let Some(end) = self.attend(limits, observer, stats) {
                return Some(end);
            }
            let before = self.solver.trail().len();
            followers.round += 1;
            for positive in [true, false] {
                let lit = Lit::new(var, positive);
                let open = self.solver.value(lit).is_none();
                if open && !self.assume(lit, positive, &mut followers, constraint) {
                    return Some(End::Exhausted);
                }
            }
            fruitless = if self.solver.trail().len() > before { 0 } else { fruitless + 1 };
            var = (var + 1) % variables;
        }
        self.solver.keep_phases(true);
        None
    }

    /// Assumes `lit`, and learns from what follows; false if the root itself fails.
    fn assume<C: Constraint>(
        &mut self,
        lit: Lit,
        is_first: bool,
        followers: &mut Followers,
        constraint: &mut C,
    ) -> bool {
        constraint.mark();
        self.solver.decide(lit);
        if !self.propagate(constraint) {
            let level = self.solver.resolve();
            return self.go_back(level, constraint) && self.propagate(constraint);
        }
        let start = self.solver.limit(0);
        let mut both = Vec::new();
        for &follower in &self.solver.trail()[start..] {
            let round = &mut followers.rounds[follower.index()];
            if *round == followers.round && !is_first {
                both.push(follower);
            }
            *round = followers.round;
        }
        self.solver.backtrack(0);
        self.go_back(Some(0), constraint);
        if both.is_empty() {
            // The root is as it was.
            return true;
        }
        for fact in both {
            if self.solver.value(fact).is_none() {
                // It follows from the other value by propagation, and from this one now, too.
                self.solver.log.derived(&[!lit, fact]);
                self.solver.learn_fact(fact);
                self.solver.log.deleted(&[!lit, fact]);
            }
        }
        self.propagate(constraint)
    }
}
