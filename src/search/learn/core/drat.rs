//! What a solver derives and deletes, written down for a proof.
//!
//! In builds for tests and debugging every clause that is derived is checked on the spot, by unit
//! propagation and by code that knows nothing of the solver ([`Rup`]): a solver that learns what does
//! not follow loses solutions, and nobody would notice.

#[cfg(debug_assertions)]
use crate::rup::Rup;
use crate::search::learn::clauses::Lit;

/// The log of one solver.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Clauses, if they are wanted: twice the length, plus one if it is deleted, then the literals.
    words: Option<Vec<u32>>,
    #[cfg(debug_assertions)]
    audit: Rup,
}

/// An entry of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEntry<'a> {
    /// Whether the clause is deleted; otherwise it is derived.
    pub deleted: bool,
    /// The literals as [`Lit::index`] has them.
    pub literals: &'a [u32],
}

impl Log {
    /// From now on clauses are written down.
    pub fn start(&mut self) {
        self.words.get_or_insert_default();
    }

    /// From now on they are not.
    pub fn stop(&mut self) {
        self.words = None;
    }

    /// Whether clauses are written down.
    pub fn is_on(&self) -> bool {
        self.words.is_some()
    }

    /// How many words are written down.
    pub fn words(&self) -> usize {
        self.words.as_ref().map_or(0, Vec::len)
    }

    /// Hands over what is written down, the oldest first.
    pub fn drain(&mut self, mut take: impl FnMut(LogEntry<'_>)) {
        let Some(words) = &mut self.words else { return };
        let mut rest = &words[..];
        while let [head, more @ ..] = rest {
            let (literals, after) = more.split_at((head >> 1) as usize);
            take(LogEntry { deleted: head & 1 == 1, literals });
            rest = after;
        }
        words.clear();
    }

    /// A clause of the problem, or one for which somebody else vouches; what was visited, too.
    pub fn axiom(&mut self, _clause: &[Lit]) {
        #[cfg(debug_assertions)]
        self.audit.add(&indices(_clause));
    }

    /// A constraint vouches for a clause.
    pub fn lemma(&mut self, _others: &[Lit], _claim: Option<Lit>) {
        #[cfg(debug_assertions)]
        {
            let mut clause = indices(_others);
            clause.extend(_claim.map(|lit| lit.index() as u32));
            self.audit.add(&clause);
        }
    }

    /// At most one of these.
    pub fn group(&mut self, _literals: &[Lit]) {
        #[cfg(debug_assertions)]
        self.audit.add_at_most_one(&indices(_literals));
    }

    /// A clause that follows from those before by unit propagation.
    pub fn derived(&mut self, clause: &[Lit]) {
        #[cfg(debug_assertions)]
        {
            let indices = indices(clause);
            let follows = self.audit.follows(&indices);
            assert!(follows, "the solver learned a clause that does not follow: {clause:?}");
            self.audit.add(&indices);
        }
        self.noted(clause);
    }

    /// The same, if nobody makes use of it but the proof. It need not follow from the problem alone:
    /// clauses for parts of the tree that are done also rest on the solutions that were visited there.
    pub fn noted(&mut self, clause: &[Lit]) {
        if let Some(words) = &mut self.words {
            words.push(2 * clause.len() as u32);
            words.extend(clause.iter().map(|lit| lit.index() as u32));
        }
    }

    /// The clause is not used any more.
    pub fn deleted(&mut self, clause: &[Lit]) {
        #[cfg(debug_assertions)]
        self.audit.delete(&indices(clause));
        if let Some(words) = &mut self.words {
            words.push(2 * clause.len() as u32 + 1);
            words.extend(clause.iter().map(|lit| lit.index() as u32));
        }
    }
}

#[cfg(debug_assertions)]
fn indices(clause: &[Lit]) -> Vec<u32> {
    clause.iter().map(|lit| lit.index() as u32).collect()
}
