//! Clause learning in slices, before or beside another search.
//!
//! A look at a file does not tell whether learning or backtracking will answer first. So `auto` lets
//! both work, each where it left off; here is what learning keeps between its slices.

use std::cell::RefCell;

use crate::constraint::Constraint;
use crate::problem::Problem;
use crate::search::learn::core::Solver;
use crate::search::learn::encode::Encoding;
use crate::search::learn::{RESTART, Search, count, looks};
use crate::search::replay::Replayer;
use crate::search::stats::Stats;
use crate::search::{End, Limits, Observer};

/// A search that rests between slices.
pub struct Slices<'p, C> {
    problem: &'p Problem,
    constraint: C,
    /// Not there before the first slice.
    built: Option<(Encoding<'p>, Solver)>,
    /// Whether the root has been seen to.
    prepared: bool,
    /// How much of the trail the constraint has been told.
    told: usize,
    restarts: u64,
    restart_at: u64,
    replayer: RefCell<Option<Replayer>>,
    /// What has been counted.
    pub stats: Stats,
}

impl<'p, C: Constraint> Slices<'p, C> {
    /// A search of `problem` under `constraint`, not yet begun.
    pub fn new(problem: &'p Problem, constraint: C) -> Self {
        Slices {
            problem,
            constraint,
            built: None,
            prepared: false,
            told: 0,
            restarts: 1,
            restart_at: RESTART,
            replayer: RefCell::new(None),
            stats: Stats::default(),
        }
    }

    /// Makes the clauses, unless they are there; false if somebody stops that.
    pub fn build(&mut self, limits: &Limits<'_>, observer: &mut dyn Observer) -> bool {
        if self.built.is_none() {
            self.built = Encoding::new(self.problem, &mut || looks(limits, observer));
        }
        self.built.is_some()
    }

    /// Goes on within `limits`, for so much more work ([`super::core::Counts::work`]) or a little
    /// over. [`End::NodeLimit`] says that it was not enough, and that there may be more.
    pub fn go_on(&mut self, work: u64, limits: &Limits<'_>, observer: &mut dyn Observer) -> End {
        if !self.build(limits, observer) {
            return End::Stopped;
        }
        let Some((encoding, solver)) = &mut self.built else { return End::Stopped };
        let rest_at = solver.counts.work.saturating_add(work);
        let (constraint, stats) = (&mut self.constraint, &mut self.stats);
        let mut search = Search::new(encoding, solver);
        (search.told, search.rest_at) = (self.told, rest_at);
        (search.restarts, search.restart_at) = (self.restarts, self.restart_at);
        let begun = std::mem::replace(&mut self.prepared, true);
        let end = match begun {
            true => None,
            false => search.prepare(constraint, limits, observer, stats),
        };
        let end = end.unwrap_or_else(|| {
            search.visit(self.problem, constraint, limits, observer, stats, &self.replayer)
        });
        (self.restarts, self.restart_at) = (search.restarts, search.restart_at);
        self.told = search.told;
        count(solver, &mut self.stats);
        end
    }
}
