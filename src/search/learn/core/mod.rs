//! Conflict-driven clause learning: assign, propagate, analyze, backtrack.
//!
//! The architecture is that of MiniSat (Eén and Sörensson, SAT 2003): two watched literals, first
//! unique implication points, activities, saved phases, Luby restarts, deletion by glue (Audemard and
//! Simon, IJCAI 2009). Two things are ours because exact cover is full of them: clauses of two
//! literals are lists of implications, and "at most one of these" is a group that propagates itself,
//! since an item with a thousand options would need half a million clauses.
//!
//! | file | what |
//! |---|---|
//! | `propagate` | assigning, and finding all that follows |
//! | `analyze` | conflicts: what they teach |
//! | `all_solutions` | going back, and from one solution to the next |
//! | `reduce_db` | deleting what was learned |
//! | `drat` | what was derived, for proofs |
//!
//! # Invariants
//!
//! `values[l] = -values[!l]`. A literal with a clause as reason is that clause's first. The literals of
//! a reason stand before what they imply on the trail, on the same or lower levels. A variable that
//! is not assigned is in the heap. The level of a fact is 0, wherever it stands on the trail.

mod all_solutions;
mod analyze;
pub mod drat;
mod propagate;
mod reduce_db;

use drat::Log;

use crate::search::learn::clauses::{ClauseRef, Clauses, Lit, Watch};
use crate::search::learn::vsids::Heap;

/// Why a literal is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Antecedent {
    /// It was decided, turned around, or is a fact.
    None,
    /// This other literal implies it.
    Lit(Lit),
    /// It is the first literal of this clause, and the others are false.
    Clause(ClauseRef),
}

/// What a solver counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverCounts {
    /// Conflicts that were analyzed or ended a level.
    pub conflicts: u64,
    /// Decisions.
    pub decisions: u64,
    /// Literals that were propagated.
    pub propagations: u64,
    /// Clauses and alternatives that they looked at.
    pub work: u64,
    /// Literals of [`LONG`](super::clauses::LONG) clauses that were looked at to find one to watch.
    pub looks: u64,
    /// Restarts.
    pub restarts: u64,
}

/// A solver. Its conflict, once found, stands in `conflict`.
#[derive(Clone, Debug)]
pub struct Solver {
    values: Vec<i8>,
    clauses: Clauses,
    watches: Vec<Vec<Watch>>,
    implied: Vec<Vec<Lit>>,
    groups: Vec<Vec<Lit>>,
    groups_of: Vec<Vec<u32>>,
    trail: Vec<Lit>,
    /// Where on the trail each level begins, with its decision.
    limits: Vec<usize>,
    head: usize,
    reasons: Vec<Antecedent>,
    levels: Vec<u32>,
    heap: Heap,
    phases: Vec<bool>,
    /// Whether backtracking keeps phases; probing must not spoil them.
    keep_phases: bool,
    floor: usize,
    /// Whether the clauses of the problem contradict each other outright.
    broken: bool,
    /// Variables that are facts, learned above the root: backtracking must not lose them.
    is_fact: Vec<bool>,
    lost_facts: Vec<Lit>,
    /// The clause whose literals are all false.
    conflict: Vec<Lit>,
    learned: Vec<Lit>,
    seen: Vec<bool>,
    marked: Vec<usize>,
    stamps: Vec<u64>,
    stamp: u64,
    /// Number of learned clauses at which some are deleted.
    room: usize,
    /// What was derived.
    pub log: Log,
    /// What was counted.
    pub counts: SolverCounts,
}

impl Solver {
    /// A solver for `count` variables and no clause.
    pub fn new(count: usize) -> Self {
        Solver {
            values: vec![0; 2 * count],
            clauses: Clauses::default(),
            watches: vec![Vec::new(); 2 * count],
            implied: vec![Vec::new(); 2 * count],
            groups: Vec::new(),
            groups_of: vec![Vec::new(); 2 * count],
            trail: Vec::with_capacity(count),
            limits: Vec::new(),
            head: 0,
            reasons: vec![Antecedent::None; count],
            levels: vec![0; count],
            heap: Heap::new(count),
            phases: vec![false; count],
            keep_phases: true,
            floor: 0,
            broken: false,
            is_fact: vec![false; count],
            lost_facts: Vec::new(),
            conflict: Vec::new(),
            learned: Vec::new(),
            seen: vec![false; count],
            marked: Vec::new(),
            stamps: vec![0; count + 1],
            stamp: 0,
            room: 4000,
            log: Log::default(),
            counts: SolverCounts::default(),
        }
    }

    /// Whether a literal is true or false, if it is assigned.
    #[inline]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.values[lit.index()] {
            0 => None,
            value => Some(value > 0),
        }
    }

    /// Number of variables.
    pub fn variables(&self) -> usize {
        self.levels.len()
    }

    /// The literals that are true, in the order in which they became so.
    pub fn trail(&self) -> &[Lit] {
        &self.trail
    }

    /// The level of the latest decision; 0 is the root.
    pub fn level(&self) -> usize {
        self.limits.len()
    }

    /// How much of the trail belongs to `level` and those below.
    pub fn limit(&self, level: usize) -> usize {
        self.limits.get(level).copied().unwrap_or(self.head)
    }

    /// Which value to try first.
    pub fn set_phase(&mut self, lit: Lit) {
        self.phases[lit.var()] = lit.is_positive();
    }

    /// Whether backtracking keeps the values that it takes back as phases.
    pub fn keep_phases(&mut self, keep: bool) {
        self.keep_phases = keep;
    }

    /// Learned clauses that are kept now.
    pub fn learned_clauses(&self) -> usize {
        self.clauses.learned()
    }

    /// About how many nanoseconds it took so far; fitted to the times of unsatisfiable and large problems of nine
    /// kinds (docs/benchmarks/2026-12-01-portfolio.md).
    pub fn effort(&self) -> u64 {
        let SolverCounts { propagations, work, looks, .. } = self.counts;
        30 * propagations + work * 87 / 10 + looks * 3 / 5
    }

    /// Bytes of clauses and watches, about.
    pub fn bytes(&self) -> usize {
        self.clauses.bytes() * 2
    }

    // Building, at the root.

    /// Adds a clause that the direct encoding of the problem has as well, or that somebody else vouches
    /// for. At the root, as all that builds.
    pub fn add_axiom(&mut self, clause: &[Lit]) {
        self.log.axiom(clause);
        self.store(clause);
    }

    /// Adds a clause that follows from the direct encoding by unit propagation.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.log.noted(clause);
        self.add_axiom(clause);
    }

    fn store(&mut self, clause: &[Lit]) {
        debug_assert_eq!(self.level(), 0, "clauses of the problem are added at the root");
        let mut lits = std::mem::take(&mut self.learned);
        lits.clear();
        lits.extend_from_slice(clause);
        lits.sort_unstable();
        lits.dedup();
        let satisfied = lits.iter().any(|&lit| self.value(lit) == Some(true));
        if !satisfied && lits.windows(2).all(|pair| pair[0] != !pair[1]) {
            lits.retain(|&lit| self.value(lit).is_none());
            match lits[..] {
                [] => self.broken = true,
                [lit] => self.assign(lit, Antecedent::None),
                [a, b] => self.add_implications(a, b),
                _ => {
                    let clause = self.clauses.add(&lits, 0);
                    self.watch(clause);
                }
            }
        }
        self.learned = lits;
    }

    /// Adds "at most one of these", at the root.
    pub fn add_group(&mut self, literals: &[Lit]) {
        self.log.group(literals);
        match *literals {
            [] | [_] => {}
            [a, b] if a == !b => {}
            [a, b] => self.add_implications(!a, !b),
            _ => {
                for lit in literals {
                    self.groups_of[lit.index()].push(self.groups.len() as u32);
                }
                self.groups.push(literals.to_vec());
            }
        }
    }

    fn add_implications(&mut self, a: Lit, b: Lit) {
        self.implied[(!a).index()].push(b);
        self.implied[(!b).index()].push(a);
    }

    fn watch(&mut self, clause: ClauseRef) {
        let (a, b) = (self.clauses.lit(clause, 0), self.clauses.lit(clause, 1));
        self.watches[a.index()].push(Watch { clause, blocker: b });
        self.watches[b.index()].push(Watch { clause, blocker: a });
    }
}

/// The Luby sequence 1 1 2 1 1 2 4 ..., from `i` = 1 (Luby, Sinclair, Zuckerman, 1993).
pub fn luby(mut i: u64) -> u64 {
    loop {
        let k = 64 - i.leading_zeros();
        if i == (1 << k) - 1 {
            return 1 << (k - 1);
        }
        i -= (1 << (k - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luby_is_as_published() {
        let first: Vec<u64> = (1..16).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    /// Counts the models by search, restarting now and then.
    fn count(variables: usize, clauses: &[Vec<Lit>], groups: &[Vec<Lit>]) -> usize {
        let mut solver = Solver::new(variables);
        groups.iter().for_each(|group| solver.add_group(group));
        clauses.iter().for_each(|clause| solver.add_axiom(clause));
        let mut models = 0;
        loop {
            if !solver.propagate() {
                if solver.resolve().is_none() {
                    return models;
                }
                if solver.counts.conflicts.is_multiple_of(3) {
                    solver.restart();
                }
                if solver.counts.conflicts.is_multiple_of(2) {
                    solver.shrink();
                }
            } else if let Some(lit) = solver.pick() {
                solver.decide(lit);
            } else {
                models += 1;
                if solver.leave_solution().is_none() {
                    return models;
                }
            }
        }
    }

    /// Each literal in turn becomes false; of the rest some are false already.
    #[test]
    fn long_clauses_are_gone_through_but_once() {
        let count = 5000;
        let clause: Vec<Lit> = (0..count).map(|var| Lit::new(var, true)).collect();
        for step in [1, 7, count - 1] {
            let mut solver = Solver::new(count);
            solver.add_axiom(&clause);
            for i in 0..count - 1 {
                solver.decide(!clause[i * step % count]);
                assert!(solver.propagate());
            }
            assert_eq!(solver.value(clause[(count - 1) * step % count]), Some(true));
            assert!(solver.counts.looks <= 4 * count as u64, "{}", solver.counts.looks);
        }
    }

    #[test]
    fn visits_every_model_once() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..2000 {
            let variables = random.usize(1..9);
            let mut some = |longest: usize| -> Vec<Lit> {
                let length = random.usize(1..=longest);
                (0..length).map(|_| Lit::new(random.usize(0..variables), random.bool())).collect()
            };
            let clauses: Vec<Vec<Lit>> = (0..variables * 2).map(|_| some(4)).collect();
            let mut groups: Vec<Vec<Lit>> = (0..2).map(|_| some(5)).collect();
            for group in &mut groups {
                group.sort_unstable();
                group.dedup_by_key(|lit| lit.var());
            }
            let holds =
                |model: usize, lit: &Lit| (model >> lit.var() & 1 == 1) == lit.is_positive();
            let models = (0..1usize << variables).filter(|&model| {
                clauses.iter().all(|clause| clause.iter().any(|lit| holds(model, lit)))
                    && groups
                        .iter()
                        .all(|group| group.iter().filter(|lit| holds(model, lit)).count() < 2)
            });
            assert_eq!(count(variables, &clauses, &groups), models.count());
        }
    }
}
