//! Conflict-driven clause learning: assign, propagate, analyze, backtrack.
//!
//! The architecture is that of MiniSat (Eén and Sörensson, SAT 2003): two watched literals, first
//! unique implication points, activities, saved phases, Luby restarts, deletion by glue (Audemard and
//! Simon, IJCAI 2009). Two things are ours because exact cover is full of them: clauses of two
//! literals are lists of implications, and "at most one of these" is a group that propagates itself,
//! since an item with a thousand options would need half a million clauses.
//!
//! # Enumeration
//!
//! After a solution its last decision is turned around, and stays so: the level that it opened is
//! closed, and its negation stands on the level below without a reason. That level is now the *floor*:
//! restarts and backjumps do not go below it, since that would forget which part of the tree is done.
//! A conflict that depends on nothing above the floor ends the level of the floor in the same way. So
//! every solution is visited once without a clause that blocks it (Gebser, Kaufmann, Neumann, Schaub,
//! LPNMR 2007; Spallitta, Sebastiani, Biere, AAAI 2024). What is learned on the way treats the
//! negations as decisions, and so follows from the problem alone.
//!
//! # Invariants
//!
//! `values[l] = -values[!l]`. A literal with a clause as reason is that clause's first. The literals of
//! a reason stand before what they imply on the trail, on the same or lower levels. A variable that
//! is not assigned is in the heap.

use crate::search::learn::clauses::{ClauseRef, Clauses, Lit, Watch};
use crate::search::learn::heap::Heap;

/// Why a literal is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// It was decided, turned around, or is a fact.
    None,
    /// This other literal implies it.
    Lit(Lit),
    /// It is the first literal of this clause, and the others are false.
    Clause(ClauseRef),
}

/// What a solver counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Conflicts that were analyzed or ended a level.
    pub conflicts: u64,
    /// Decisions.
    pub decisions: u64,
    /// Literals that were propagated.
    pub propagations: u64,
    /// Clauses and alternatives that they looked at.
    pub work: u64,
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
    reasons: Vec<Reason>,
    levels: Vec<u32>,
    heap: Heap,
    phases: Vec<bool>,
    /// Whether backtracking keeps phases; probing must not spoil them.
    keep_phases: bool,
    floor: usize,
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
    /// What was counted.
    pub counts: Counts,
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
            reasons: vec![Reason::None; count],
            levels: vec![0; count],
            heap: Heap::new(count),
            phases: vec![false; count],
            keep_phases: true,
            floor: 0,
            is_fact: vec![false; count],
            lost_facts: Vec::new(),
            conflict: Vec::new(),
            learned: Vec::new(),
            seen: vec![false; count],
            marked: Vec::new(),
            stamps: vec![0; count + 1],
            stamp: 0,
            room: 4000,
            counts: Counts::default(),
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

    /// Bytes of clauses and watches, about.
    pub fn bytes(&self) -> usize {
        self.clauses.bytes() * 2
    }

    // Building, at the root.

    /// Adds a clause at the root; false if it cannot be satisfied any more.
    pub fn add_clause(&mut self, literals: &[Lit]) -> bool {
        debug_assert_eq!(self.level(), 0, "clauses of the problem are added at the root");
        let mut lits: Vec<Lit> = literals.to_vec();
        lits.sort_unstable();
        lits.dedup();
        let satisfied = lits.iter().any(|&lit| self.value(lit) == Some(true));
        if satisfied || lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return true;
        }
        lits.retain(|&lit| self.value(lit).is_none());
        match lits[..] {
            [] => return false,
            [lit] => self.assign(lit, Reason::None),
            [a, b] => self.add_implications(a, b),
            _ => {
                let clause = self.clauses.add(&lits, 0);
                self.watch(clause);
            }
        }
        true
    }

    /// Adds "at most one of these", at the root.
    pub fn add_group(&mut self, literals: &[Lit]) {
        match *literals {
            [] | [_] => {}
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

    // Assigning and propagating.

    fn assign(&mut self, lit: Lit, reason: Reason) {
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.reasons[lit.var()] = reason;
        self.levels[lit.var()] = self.limits.len() as u32;
        self.trail.push(lit);
    }

    /// Opens a level, and makes `lit` true there.
    pub fn decide(&mut self, lit: Lit) {
        self.counts.decisions += 1;
        self.limits.push(self.trail.len());
        self.assign(lit, Reason::None);
    }

    /// The next variable to decide and the value to try; `None` if all are assigned.
    pub fn pick(&mut self) -> Option<Lit> {
        loop {
            let var = self.heap.pop()?;
            if self.values[2 * var] == 0 {
                return Some(Lit::new(var, self.phases[var]));
            }
        }
    }

    /// Finds all that follows from the literals on the trail; false on a conflict.
    pub fn propagate(&mut self) -> bool {
        while self.head < self.trail.len() {
            let lit = self.trail[self.head];
            self.head += 1;
            self.counts.propagations += 1;
            self.counts.work +=
                self.implied[lit.index()].len() as u64 + self.watches[(!lit).index()].len() as u64;
            if !(self.imply(lit) && self.exclude(lit) && self.visit_watches(!lit)) {
                self.head = self.trail.len();
                return false;
            }
        }
        true
    }

    fn imply(&mut self, lit: Lit) -> bool {
        for i in 0..self.implied[lit.index()].len() {
            let other = self.implied[lit.index()][i];
            match self.values[other.index()] {
                0 => self.assign(other, Reason::Lit(lit)),
                1 => {}
                _ => return self.conflict_of(&[other, !lit]),
            }
        }
        true
    }

    fn exclude(&mut self, lit: Lit) -> bool {
        for g in 0..self.groups_of[lit.index()].len() {
            let group = self.groups_of[lit.index()][g] as usize;
            self.counts.work += self.groups[group].len() as u64;
            for i in 0..self.groups[group].len() {
                let other = self.groups[group][i];
                match self.values[other.index()] {
                    0 => self.assign(!other, Reason::Lit(lit)),
                    1 if other != lit => return self.conflict_of(&[!other, !lit]),
                    _ => {}
                }
            }
        }
        true
    }

    fn conflict_of(&mut self, literals: &[Lit]) -> bool {
        self.conflict.clear();
        self.conflict.extend_from_slice(literals);
        false
    }

    /// Looks at the clauses that watch `lit`, which became false.
    fn visit_watches(&mut self, lit: Lit) -> bool {
        let mut watches = std::mem::take(&mut self.watches[lit.index()]);
        let mut kept = 0;
        let mut at = 0;
        let mut fine = true;
        while at < watches.len() {
            let watch = watches[at];
            at += 1;
            if self.values[watch.blocker.index()] > 0 {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let literals = self.clauses.literals_mut(watch.clause);
            if Clauses::as_lit(literals[0]) == lit {
                literals.swap(0, 1);
            }
            let first = Clauses::as_lit(literals[0]);
            if self.values[first.index()] > 0 {
                watches[kept] = Watch { clause: watch.clause, blocker: first };
                kept += 1;
                continue;
            }
            let values = &self.values;
            let free = literals[2..].iter().position(|&w| values[Clauses::as_lit(w).index()] >= 0);
            if let Some(place) = free {
                literals.swap(1, place + 2);
                let other = Clauses::as_lit(literals[1]);
                self.watches[other.index()].push(Watch { clause: watch.clause, blocker: first });
                continue;
            }
            watches[kept] = Watch { clause: watch.clause, blocker: first };
            kept += 1;
            if self.values[first.index()] < 0 {
                self.conflict.clear();
                let literals = self.clauses.literals_mut(watch.clause);
                self.conflict.extend(literals.iter().map(|&word| Clauses::as_lit(word)));
                fine = false;
                break;
            }
            self.assign(first, Reason::Clause(watch.clause));
        }
        watches.copy_within(at.., kept);
        watches.truncate(kept + watches.len() - at);
        self.watches[lit.index()] = watches;
        fine
    }

    /// Adds a lemma of a constraint while the search goes on: `claim` follows from the literals whose
    /// negations are `others`, all of which are false. False if `claim` is false too: a conflict.
    pub fn add_lemma(&mut self, claim: Lit, others: &[Lit]) -> bool {
        match self.value(claim) {
            Some(true) => return true,
            Some(false) => {
                self.conflict_of(others);
                self.conflict.push(claim);
                return false;
            }
            None => {}
        }
        let reason = match *others {
            [] => {
                self.learn_fact(claim);
                return true;
            }
            [other] => {
                self.add_implications(claim, other);
                Reason::Lit(!other)
            }
            _ => {
                let mut literals = Vec::with_capacity(others.len() + 1);
                literals.push(claim);
                literals.extend_from_slice(others);
                let latest = (1..literals.len()).max_by_key(|&i| self.levels[literals[i].var()]);
                literals.swap(1, latest.unwrap_or(1));
                let glue = self.glue(others) + 1;
                let clause = self.clauses.add(&literals, glue);
                self.watch(clause);
                Reason::Clause(clause)
            }
        };
        self.assign(claim, reason);
        true
    }

    /// Makes the negations of these literals, all false, the conflict.
    pub fn set_conflict(&mut self, literals: &[Lit]) {
        self.conflict_of(literals);
    }

    /// A fact learned anywhere: it holds on the level at hand, and on all others.
    pub fn learn_fact(&mut self, lit: Lit) {
        self.is_fact[lit.var()] = true;
        self.assign(lit, Reason::None);
    }

    // Conflicts.

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
        self.backtrack(target.max(self.floor));
        let claim = self.learned[0];
        match self.learned.len() {
            1 => self.learn_fact(claim),
            2 => {
                let other = self.learned[1];
                self.add_implications(claim, other);
                self.assign(claim, Reason::Lit(!other));
            }
            _ => {
                let learned = std::mem::take(&mut self.learned);
                let glue = self.glue(&learned[1..]) + 1;
                let clause = self.clauses.add(&learned, glue);
                self.watch(clause);
                self.assign(claim, Reason::Clause(clause));
                self.learned = learned;
            }
        }
        self.heap.decay();
        Some(self.level())
    }

    /// Ends the level of the floor, all of which was visited: its decision is turned around.
    pub fn leave_floor(&mut self) -> Option<usize> {
        let level = self.floor.checked_sub(1)?;
        let decision = self.trail[self.limits[level]];
        self.backtrack(level);
        self.floor = level;
        match self.value(decision) {
            None => self.assign(!decision, Reason::None),
            // A fact that came back says the same; then this level is done as well.
            Some(true) => return self.leave_floor(),
            Some(false) => {}
        }
        Some(level)
    }

    /// A solution was visited: goes on behind it.
    pub fn leave_solution(&mut self) -> Option<usize> {
        self.floor = self.level();
        self.leave_floor()
    }

    /// A solution was visited: forgets where the search was, and goes back to the root.
    pub fn leave_all(&mut self) {
        self.floor = 0;
        self.backtrack(0);
    }

    /// Goes back to the floor.
    pub fn restart(&mut self) -> usize {
        self.counts.restarts += 1;
        self.backtrack(self.floor);
        self.floor
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
                Reason::Lit(other) => open += self.mark(!other, level),
                Reason::Clause(clause) => {
                    for i in 1..self.clauses.len(clause) {
                        open += self.mark(self.clauses.lit(clause, i), level);
                    }
                }
                Reason::None => unreachable!("a decision is the last literal of its level"),
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
                Reason::None => false,
                Reason::Lit(other) => seen(other),
                Reason::Clause(clause) => {
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
    fn glue(&mut self, literals: &[Lit]) -> u32 {
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
            self.assign(fact, Reason::None);
        }
    }

    /// Deletes learned clauses when there are too many, and makes room for a few more.
    pub fn tidy(&mut self) {
        if self.clauses.learned() < self.room {
            return;
        }
        self.room += 300;
        let (values, reasons) = (&self.values, &self.reasons);
        self.clauses.reduce(|clauses, clause| {
            let first = clauses.lit(clause, 0);
            values[first.index()] > 0 && reasons[first.var()] == Reason::Clause(clause)
        });
        let clauses = &self.clauses;
        for watches in &mut self.watches {
            watches.retain(|watch| !clauses.is_deleted(watch.clause));
        }
        if self.clauses.is_wasteful() {
            self.compact();
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
            if let Reason::Clause(clause) = &mut self.reasons[lit.var()] {
                *clause = find(*clause);
            }
        }
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
        if !clauses.iter().all(|clause| solver.add_clause(clause)) {
            return 0;
        }
        let mut models = 0;
        loop {
            if !solver.propagate() {
                if solver.resolve().is_none() {
                    return models;
                }
                if solver.counts.conflicts.is_multiple_of(3) {
                    solver.restart();
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
