//! Assigning, and finding all that follows: unit propagation with two watched literals.

use super::{Antecedent, Solver};
use crate::search::learn::clauses::{ClauseRef, Clauses, LONG, Lit, Watch};

impl Solver {
    pub(super) fn assign(&mut self, lit: Lit, reason: Antecedent) {
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
        self.assign(lit, Antecedent::None);
    }

    /// Opens a level, and makes all of these true there that have no value yet. No conflict may be analyzed at this level.
    pub fn decide_all(&mut self, lits: impl Iterator<Item = Lit>) {
        self.counts.decisions += 1;
        self.limits.push(self.trail.len());
        for lit in lits {
            if self.value(lit).is_none() {
                self.assign(lit, Antecedent::None);
            }
        }
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
        if self.broken {
            return self.conflict_of(&[]);
        }
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
                0 => self.assign(other, Antecedent::Lit(lit)),
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
                    0 => self.assign(!other, Antecedent::Lit(lit)),
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
            let is_free = |&word: &u32| values[Clauses::as_lit(word).index()] >= 0;
            let free = match literals.len() {
                ..=LONG => literals[2..].iter().position(is_free),
                _ => self.find_in_long(watch.clause),
            };
            if let Some(place) = free {
                let literals = self.clauses.literals_mut(watch.clause);
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
            self.assign(first, Antecedent::Clause(watch.clause));
        }
        // Mostly none has gone.
        if kept < at {
            watches.copy_within(at.., kept);
            watches.truncate(kept + watches.len() - at);
        }
        self.watches[lit.index()] = watches;
        fine
    }

    /// A literal of a long clause that is not false, behind the first two: its place among the others.
    #[cold]
    fn find_in_long(&mut self, clause: ClauseRef) -> Option<usize> {
        let (literals, last) = self.clauses.long_mut(clause);
        let values = &self.values;
        let is_free = |&word: &u32| values[Clauses::as_lit(word).index()] >= 0;
        let others = &literals[2..];
        let (before, behind) = others.split_at(*last as usize);
        let found = behind.iter().position(is_free).map(|place| before.len() + place);
        let found = found.or_else(|| before.iter().position(is_free));
        let looks = match found {
            Some(place) if place >= before.len() => place - before.len(),
            Some(place) => behind.len() + place,
            None => others.len(),
        };
        self.counts.looks += looks as u64 + 1;
        *last = found.unwrap_or(0) as u32;
        found
    }

    /// Adds a lemma of a constraint while the search goes on: `claim` follows from the literals whose
    /// negations are `others`, all of which are false. False if `claim` is false too: a conflict.
    pub fn add_lemma(&mut self, claim: Lit, others: &[Lit]) -> bool {
        debug_assert!(others.iter().all(|&lit| self.value(lit) == Some(false)), "a reason holds");
        self.log.lemma(others, Some(claim));
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
                self.set_fact(claim);
                return true;
            }
            [other] => {
                self.add_implications(claim, other);
                Antecedent::Lit(!other)
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
                Antecedent::Clause(clause)
            }
        };
        self.assign(claim, reason);
        true
    }

    /// Makes these literals, all false, the conflict.
    pub fn set_conflict(&mut self, literals: &[Lit]) {
        debug_assert!(literals.iter().all(|&lit| self.value(lit) == Some(false)), "a reason holds");
        self.log.lemma(literals, None);
        self.conflict_of(literals);
    }

    /// A fact that follows from the clauses, wherever it was learned: it holds on the level at hand,
    /// and on all others.
    pub fn learn_fact(&mut self, lit: Lit) {
        self.log.derived(&[lit]);
        self.set_fact(lit);
    }

    /// A fact for which somebody else vouches.
    pub fn accept_fact(&mut self, lit: Lit) {
        self.log.axiom(&[lit]);
        self.set_fact(lit);
    }

    pub(super) fn set_fact(&mut self, lit: Lit) {
        self.is_fact[lit.var()] = true;
        self.assign(lit, Antecedent::None);
        self.levels[lit.var()] = 0;
    }
}
