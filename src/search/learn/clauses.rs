//! Clauses, and literals that watch them.
//!
//! A clause of three or more literals stands in one arena: its length, its glue (0 for a clause that
//! is never deleted), then its literals, of which the first two are watched. Clauses of two literals
//! are kept as implications instead.

use std::ops::Not;

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The variable `var`, or its negation.
    pub const fn new(var: usize, positive: bool) -> Self {
        Lit((var as u32) << 1 | !positive as u32)
    }

    /// The variable.
    pub const fn var(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the variable itself.
    pub const fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// A number for arrays: twice the variable, plus one for a negation.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// A clause, by its place in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClauseRef(u32);

impl ClauseRef {
    /// Its place as a number below 2^31.
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// The clause at a place that [`ClauseRef::raw`] gave.
    pub const fn from_raw(raw: u32) -> Self {
        ClauseRef(raw)
    }
}

/// Words before the literals.
const HEADER: usize = 2;

/// A clause of more literals has a word behind them: where a literal to watch was found last. Those before
/// are false most likely, and to look at all of them whenever one more becomes false takes quadratic time
/// (Ian Gent, "Optimal implementation of watched literals and more general techniques", JAIR 2013).
pub const LONG: usize = 1000;

/// Words behind so many literals.
const fn tail(literals: usize) -> usize {
    (literals > LONG) as usize
}

/// A literal's interest in a clause.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// The clause.
    pub clause: ClauseRef,
    /// Some other literal of it: if that is true, there is no need to look at the clause.
    pub blocker: Lit,
}

/// The arena.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    words: Vec<u32>,
    /// Learned clauses, in the order in which they were learned.
    learned: Vec<ClauseRef>,
    /// Words of clauses that were deleted.
    waste: usize,
}

impl Clauses {
    /// Adds a clause; `glue` is 0 for one that stays.
    pub fn add(&mut self, literals: &[Lit], glue: u32) -> ClauseRef {
        assert!(self.words.len() < (1 << 31), "the clauses take more than 8 GB");
        let clause = ClauseRef(self.words.len() as u32);
        self.words.push(literals.len() as u32);
        self.words.push(glue);
        self.words.extend(literals.iter().map(|lit| lit.0));
        self.words.resize(self.words.len() + tail(literals.len()), 0);
        if glue > 0 {
            self.learned.push(clause);
        }
        clause
    }

    /// Number of literals.
    #[inline]
    pub fn len(&self, clause: ClauseRef) -> usize {
        self.words[clause.0 as usize] as usize
    }

    /// Literal number `i`.
    #[inline]
    pub fn lit(&self, clause: ClauseRef, i: usize) -> Lit {
        Lit(self.words[clause.0 as usize + HEADER + i])
    }

    /// Its literals as raw words, for [`Clauses::as_lit`]; the propagation loop moves them about.
    #[inline]
    pub fn literals_mut(&mut self, clause: ClauseRef) -> &mut [u32] {
        let start = clause.0 as usize;
        let len = self.words[start] as usize;
        &mut self.words[start + HEADER..start + HEADER + len]
    }

    /// Its literals, and where one was found last: for one that is [`LONG`].
    pub fn long_mut(&mut self, clause: ClauseRef) -> (&mut [u32], &mut u32) {
        let start = clause.0 as usize + HEADER;
        let end = start + self.len(clause);
        let (literals, place) = self.words[start..=end].split_at_mut(end - start);
        (literals, &mut place[0])
    }

    /// The literal that a raw word is.
    #[inline]
    pub fn as_lit(word: u32) -> Lit {
        Lit(word)
    }

    /// Number of learned clauses.
    pub fn learned(&self) -> usize {
        self.learned.len()
    }

    /// Bytes of all clauses.
    pub fn bytes(&self) -> usize {
        self.words.len() * 4
    }

    /// Deletes the worse half of the learned clauses, by glue and then length, except those of glue 2
    /// or less and those that `keep` names. `dropped` is told the literals of each. Their watches must
    /// then go: [`Clauses::is_deleted`].
    pub fn reduce(
        &mut self,
        keep: impl Fn(&Clauses, ClauseRef) -> bool,
        mut dropped: impl FnMut(&[Lit]),
    ) {
        let mut literals = Vec::new();
        let mut learned = std::mem::take(&mut self.learned);
        learned
            .sort_by_key(|&clause| (self.words[clause.0 as usize + 1], self.len(clause), clause));
        let half = learned.len() / 2;
        let mut stay = Vec::with_capacity(learned.len());
        for (rank, clause) in learned.into_iter().enumerate() {
            let good = rank < half || self.words[clause.0 as usize + 1] <= 2;
            if good || keep(self, clause) {
                stay.push(clause);
            } else {
                literals.clear();
                literals.extend((0..self.len(clause)).map(|i| self.lit(clause, i)));
                dropped(&literals);
                self.waste += HEADER + literals.len() + tail(literals.len());
                self.words[clause.0 as usize + 1] = u32::MAX;
            }
        }
        stay.sort_unstable();
        self.learned = stay;
    }

    /// Whether [`Clauses::reduce`] deleted this clause.
    pub fn is_deleted(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize + 1] == u32::MAX
    }

    /// Whether it is time to [`compact`](Clauses::compact).
    pub fn is_wasteful(&self) -> bool {
        self.waste * 3 > self.words.len()
    }

    /// Moves the clauses together. `moved` is called with the old and the new place of each.
    pub fn compact(&mut self, mut moved: impl FnMut(ClauseRef, ClauseRef)) {
        let old = std::mem::take(&mut self.words);
        self.words.reserve_exact(old.len() - self.waste);
        self.learned.clear();
        self.learned.shrink_to_fit();
        self.waste = 0;
        let mut at = 0;
        while at < old.len() {
            let end = at + HEADER + old[at] as usize + tail(old[at] as usize);
            if old[at + 1] != u32::MAX {
                let clause = ClauseRef(self.words.len() as u32);
                moved(ClauseRef(at as u32), clause);
                self.words.extend_from_slice(&old[at..end]);
                if old[at + 1] > 0 {
                    self.learned.push(clause);
                }
            }
            at = end;
        }
    }
}
