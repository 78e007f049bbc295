//! Whether a clause follows from others by unit propagation (RUP: Evgenii Goldberg and Yakov Novikov,
//! "Verification of proofs of unsatisfiability for CNF formulas", DATE 2003).
//!
//! A clause follows if, once all its literals are taken to be false, propagating units comes to a
//! contradiction. A derivation is a list of such clauses, each of which may use those before; the last
//! one is empty. To check one takes little more than two watched literals a clause, and that is all
//! there is here: nothing is decided, learned or guessed, and no code is shared with the solver.
//!
//! For example, from *a or b*, *a or not b*, *not a or b* the clause *b* follows:
//!
//! ```
//! use quadrille::rup::Rup;
//!
//! let (a, b, not) = (0, 2, 1); // twice the variable, plus one for a negation
//! let mut rup = Rup::default();
//! rup.add(&[a, b]);
//! rup.add(&[a, b + not]);
//! rup.add(&[a + not, b]);
//! assert!(rup.follows(&[b]) && !rup.follows(&[b + not]));
//! ```
//!
//! Deleting clauses only saves time. A unit that was found stays, whatever is deleted: it followed
//! once, so it follows.

use hashbrown::HashTable;

/// A literal: twice the number of its variable, plus one for the negation.
pub type Code = u32;

/// A clause, by its place in the arena; the highest bit says that it has two literals.
#[derive(Clone, Copy, Debug)]
struct RupWatch {
    clause: u32,
    /// Another literal of it: if that is true, there is no need to look.
    blocker: Code,
}

const BINARY: u32 = 1 << 31;

/// The length of a clause that was deleted has this bit.
const DELETED: u32 = 1 << 31;

/// Up to so many literals "at most one" is said by pairs, beyond by a ladder.
const PAIRS: usize = 32;

/// Clauses, and what follows from them.
#[derive(Clone, Debug, Default)]
pub struct Rup {
    /// By literal: 1 true, -1 false, 0 open.
    values: Vec<i8>,
    /// By literal: the clauses that watch it.
    watches: Vec<Vec<RupWatch>>,
    /// Each clause: its length, its literals. Clauses that are true or units are not kept.
    arena: Vec<u32>,
    /// Clauses by their literals in any order.
    table: HashTable<u32>,
    trail: Vec<Code>,
    head: usize,
    refuted: bool,
    /// By literal: the clause that had it last.
    seen: Vec<u32>,
    serial: u32,
    clause: Vec<Code>,
}

impl Rup {
    /// Whether the clauses contradict each other.
    pub fn refuted(&self) -> bool {
        self.refuted
    }

    /// About how many bytes the clauses take, with the room that they grow into.
    pub fn bytes(&self) -> usize {
        // Two watches, of lists that are as long again, and a place in the table.
        const CLAUSE: usize = 4 * size_of::<RupWatch>() + 2 * size_of::<u32>();
        // While an array grows there are the old one and one of twice its size.
        3 * (size_of::<u32>() * self.arena.len() + CLAUSE * self.table.len())
    }

    /// Adds a clause, and finds the units that follow.
    pub fn add(&mut self, clause: &[Code]) {
        let mut literals = std::mem::take(&mut self.clause);
        if self.simplify(clause, &mut literals) {
            match literals[..] {
                [] => self.refuted = true,
                [lit] => {
                    self.assign(lit);
                    self.refuted |= !self.propagate();
                }
                _ => self.store(&literals),
            }
        }
        self.clause = literals;
    }

    /// Puts the literals that are open into `out`, each once; false if the clause is true already.
    fn simplify(&mut self, clause: &[Code], out: &mut Vec<Code>) -> bool {
        out.clear();
        self.serial += 1;
        for &lit in clause {
            self.reserve(lit);
            if self.values[lit as usize] > 0 || self.seen[(lit ^ 1) as usize] == self.serial {
                return false;
            }
            if self.values[lit as usize] == 0 && self.seen[lit as usize] != self.serial {
                self.seen[lit as usize] = self.serial;
                out.push(lit);
            }
        }
        !self.refuted
    }

    fn reserve(&mut self, lit: Code) {
        let literals = (lit as usize | 1) + 1;
        if literals > self.values.len() {
            self.values.resize(literals, 0);
            self.watches.resize(literals, Vec::new());
            self.seen.resize(literals, 0);
        }
    }

    fn store(&mut self, literals: &[Code]) {
        assert!(self.arena.len() < BINARY as usize, "the clauses take more than 8 GB");
        let clause = self.arena.len() as u32;
        self.arena.push(literals.len() as u32);
        self.arena.extend_from_slice(literals);
        let (a, b) = (literals[0], literals[1]);
        let name = if literals.len() == 2 { clause | BINARY } else { clause };
        self.watches[a as usize].push(RupWatch { clause: name, blocker: b });
        self.watches[b as usize].push(RupWatch { clause: name, blocker: a });
        let arena = &self.arena;
        let hash = |&clause: &u32| hash(literals_of(arena, clause));
        self.table.insert_unique(hash(&clause), clause, hash);
    }

    /// Adds "at most one of these". A long list gets variables of its own, numbered from the first
    /// that is not in use.
    pub fn add_at_most_one(&mut self, literals: &[Code]) {
        literals.iter().for_each(|&lit| self.reserve(lit));
        let first = self.values.len() as Code;
        at_most_one(literals, first, &mut |clause| self.add(&clause));
    }

    /// Deletes a clause. Nothing happens if it is not there, or served to find a unit.
    pub fn delete(&mut self, clause: &[Code]) {
        let mut literals = std::mem::take(&mut self.clause);
        // What was added before its literals became false is longer than what is left of it.
        for kept in [self.distinct(clause), self.open(clause)] {
            literals.clone_from(&kept);
            literals.sort_unstable();
            let arena = &self.arena;
            let mut sorted = Vec::new();
            let same = |&clause: &u32| {
                sorted.clear();
                sorted.extend_from_slice(literals_of(arena, clause));
                sorted.sort_unstable();
                sorted == literals
            };
            if let Ok(entry) = self.table.find_entry(hash(&literals), same) {
                let (clause, _) = entry.remove();
                self.drop_clause(clause);
                break;
            }
        }
        self.clause = literals;
    }

    fn distinct(&self, clause: &[Code]) -> Vec<Code> {
        let mut literals = clause.to_vec();
        literals.sort_unstable();
        literals.dedup();
        literals
    }

    fn open(&self, clause: &[Code]) -> Vec<Code> {
        let is_open = |&lit: &Code| self.values.get(lit as usize) == Some(&0);
        self.distinct(clause).into_iter().filter(is_open).collect()
    }

    fn drop_clause(&mut self, clause: u32) {
        let at = clause as usize;
        if self.arena[at] == 2 {
            for lit in [self.arena[at + 1], self.arena[at + 2]] {
                self.watches[lit as usize].retain(|watch| watch.clause != clause | BINARY);
            }
        }
        // Longer ones leave the watches when these are looked at next.
        self.arena[at] |= DELETED;
    }

    /// Whether the clause follows by unit propagation.
    pub fn follows(&mut self, clause: &[Code]) -> bool {
        if self.refuted {
            return true;
        }
        let start = self.trail.len();
        let mut follows = false;
        for &lit in clause {
            self.reserve(lit);
            match self.values[lit as usize] {
                0 => self.assign(lit ^ 1),
                1 => {
                    follows = true;
                    break;
                }
                _ => {}
            }
        }
        follows = follows || !self.propagate();
        for &lit in &self.trail[start..] {
            self.values[lit as usize] = 0;
            self.values[(lit ^ 1) as usize] = 0;
        }
        self.trail.truncate(start);
        self.head = start;
        follows
    }

    fn assign(&mut self, lit: Code) {
        self.values[lit as usize] = 1;
        self.values[(lit ^ 1) as usize] = -1;
        self.trail.push(lit);
    }

    /// Finds all units; false on a contradiction.
    fn propagate(&mut self) -> bool {
        while let Some(&lit) = self.trail.get(self.head) {
            self.head += 1;
            if !self.visit(lit ^ 1) {
                return false;
            }
        }
        true
    }

    /// Looks at the clauses that watch `lit`, which is false.
    fn visit(&mut self, lit: Code) -> bool {
        let mut watches = std::mem::take(&mut self.watches[lit as usize]);
        let (mut kept, mut at, mut fine) = (0, 0, true);
        while at < watches.len() && fine {
            let RupWatch { clause, blocker } = watches[at];
            at += 1;
            let value = self.values[blocker as usize];
            if value > 0 || clause & BINARY != 0 {
                watches[kept] = RupWatch { clause, blocker };
                kept += 1;
                match value {
                    0 => self.assign(blocker),
                    1 => {}
                    _ => fine = false,
                }
                continue;
            }
            let start = clause as usize + 1;
            let length = self.arena[clause as usize];
            if length & DELETED != 0 {
                continue;
            }
            let literals = &mut self.arena[start..start + length as usize];
            if literals[0] == lit {
                literals.swap(0, 1);
            }
            let first = literals[0];
            let values = &self.values;
            if values[first as usize] <= 0
                && let Some(place) = literals[2..].iter().position(|&l| values[l as usize] >= 0)
            {
                literals.swap(1, place + 2);
                self.watches[literals[1] as usize].push(RupWatch { clause, blocker: first });
                continue;
            }
            watches[kept] = RupWatch { clause, blocker: first };
            kept += 1;
            match values[first as usize] {
                0 => self.assign(first),
                1 => {}
                _ => fine = false,
            }
        }
        watches.copy_within(at.., kept);
        watches.truncate(kept + watches.len() - at);
        self.watches[lit as usize] = watches;
        fine
    }
}

fn literals_of(arena: &[u32], clause: u32) -> &[Code] {
    let start = clause as usize + 1;
    &arena[start..start + (arena[clause as usize] & !DELETED) as usize]
}

/// A hash that does not depend on the order of the literals.
fn hash(literals: &[Code]) -> u64 {
    let mix = |lit: Code| {
        let bits = (u64::from(lit) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (bits ^ bits >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    literals.iter().fold(0, |sum, &lit| sum.wrapping_add(mix(lit)))
}

/// Clauses for "at most one of these": each pair; or, for more than a few, a ladder of new variables
/// from the literal `first` on, the `i`-th of which says that one of the first `i` is true.
fn at_most_one(literals: &[Code], first: Code, add: &mut dyn FnMut([Code; 2])) {
    if literals.len() <= PAIRS {
        for (i, &a) in literals.iter().enumerate() {
            literals[..i].iter().for_each(|&b| add([b ^ 1, a ^ 1]));
        }
        return;
    }
    for (i, &lit) in literals.iter().enumerate() {
        let step = first + 2 * i as Code;
        if i > 0 {
            add([(step - 2) ^ 1, lit ^ 1]);
        }
        if i + 1 < literals.len() {
            add([lit ^ 1, step]);
            if i > 0 {
                add([(step - 2) ^ 1, step]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether assuming the negations comes to a contradiction, by looking at every clause again and
    /// again.
    fn follows_plainly(clauses: &[Vec<Code>], clause: &[Code]) -> bool {
        let mut known: Vec<Code> = clause.iter().map(|lit| lit ^ 1).collect();
        loop {
            let before = known.len();
            if known.iter().any(|lit| known.contains(&(lit ^ 1))) {
                return true;
            }
            for clause in clauses {
                let open: Vec<&Code> =
                    clause.iter().filter(|&lit| !known.contains(&(lit ^ 1))).collect();
                match open[..] {
                    [] => return true,
                    [&lit] if !known.contains(&lit) => known.push(lit),
                    _ => {}
                }
            }
            if known.len() == before {
                return false;
            }
        }
    }

    #[test]
    fn agrees_with_looking_at_every_clause() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut yes = 0;
        for _ in 0..3000 {
            let variables = random.u32(1..9);
            let mut some = |longest: usize| -> Vec<Code> {
                // Each variable once: a plain clause has no doubles.
                let mut of: Vec<u32> = (0..variables).collect();
                random.shuffle(&mut of);
                of.truncate(random.usize(1..=longest));
                of.into_iter().map(|v| 2 * v + random.u32(0..2)).collect()
            };
            let mut clauses: Vec<Vec<Code>> = (0..variables * 2).map(|_| some(4)).collect();
            let mut rup = Rup::default();
            clauses.iter().for_each(|clause| rup.add(clause));
            for _ in 0..6 {
                let clause = some(3);
                let follows = follows_plainly(&clauses, &clause);
                assert_eq!(rup.follows(&clause), follows, "{clause:?} of {clauses:?}");
                yes += u32::from(follows);
                if follows {
                    clauses.push(clause.clone());
                    rup.add(&clause);
                }
            }
            assert_eq!(rup.refuted(), follows_plainly(&clauses, &[]));
        }
        assert!(yes > 2000, "{yes}");
    }

    #[test]
    fn a_clause_that_was_deleted_does_not_serve() {
        let mut rup = Rup::default();
        for clause in [&[0, 2, 4][..], &[1, 4], &[0, 2, 4], &[6, 3, 4]] {
            rup.add(clause);
        }
        rup.delete(&[4, 0, 2]);
        assert!(rup.follows(&[2, 4]), "there is another copy");
        rup.delete(&[2, 4, 0]);
        assert!(!rup.follows(&[2, 4]));
        rup.delete(&[2, 4, 0]);
        assert!(rup.follows(&[4, 1]));
        rup.delete(&[4, 1]);
        assert!(!rup.follows(&[4, 1]) && rup.follows(&[6, 3, 4]));
    }

    #[test]
    fn both_ways_of_at_most_one_propagate_alike() {
        for count in [2, 5, PAIRS as u32, PAIRS as u32 + 1, 50] {
            let literals: Vec<Code> = (0..count).map(|i| 2 * i).collect();
            let mut rup = Rup::default();
            rup.add_at_most_one(&literals);
            for a in 0..count {
                assert!(!rup.follows(&[2 * a]) && !rup.follows(&[2 * a + 1]));
                for b in (0..count).filter(|&b| b != a) {
                    assert!(rup.follows(&[2 * a + 1, 2 * b + 1]));
                }
            }
        }
    }
}
