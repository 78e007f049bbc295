//! What a proof needs from a search: lemmas, derived clauses, deletions, in the terms of the direct
//! encoding.

use super::clauses::Lit;
use super::core::drat::Log;
use super::direct_encoding::Direct;
use super::encoding::Encoding;
use crate::constraint::{Literal, Reason};

/// Where a search writes its proof.
///
/// Literals are those of [`Direct`], with the sign of DIMACS. Clauses come in an order in which each
/// follows, by unit propagation, from the direct encoding, *all* lemmas, and those before. One of them
/// is empty if the search was exhausted and found at most one solution; then nothing else comes.
pub trait ProofTracer {
    /// A constraint vouches for this clause. The reason has the facts that it denies, and why they do
    /// not go together; a fact about a color that no option gives has no literal.
    fn lemma(&mut self, clause: &[i32], reason: &Reason);

    /// This clause follows.
    fn derive(&mut self, clause: &[i32]);

    /// This clause, a lemma or a derived one, is not needed any more.
    fn delete(&mut self, clause: &[i32]);
}

/// Words of a log that are worth handing on.
const MANY: usize = 1 << 12;

/// Puts what a search does into the words of a tracer.
pub(super) struct Tracer<'j> {
    tracer: &'j mut dyn ProofTracer,
    direct: &'j Direct<'j>,
    /// By literal of the engine.
    literals: Vec<i32>,
    clause: Vec<i32>,
    other: Vec<i32>,
    reason: Reason,
    /// Lemmas that were needed for one conflict alone, each with a 0 behind it.
    spent: Vec<i32>,
    done: bool,
}

impl<'j> Tracer<'j> {
    /// Begins a proof. Where the engine has one variable for two colors of an item, it takes for
    /// granted that the item has one of them; so that comes first.
    pub fn new(
        tracer: &'j mut dyn ProofTracer,
        direct: &'j Direct<'j>,
        encoding: &Encoding<'_>,
    ) -> Self {
        for (item, [zero, one]) in encoding.pairs() {
            if let (Some(zero), Some(one)) = (direct.color(item, zero), direct.color(item, one)) {
                tracer.derive(&[zero, one]);
            }
        }
        Tracer {
            tracer,
            direct,
            literals: direct.literals(encoding),
            clause: Vec::new(),
            other: Vec::new(),
            reason: Reason::default(),
            spent: Vec::new(),
            done: false,
        }
    }

    /// A constraint says that `reason` and the opposite of `claim` do not go together; the engine made
    /// the clause `lits` of it, and may forget it after the next conflict, if it serves but `once`.
    pub fn lemma(&mut self, reason: &Reason, claim: Option<Literal>, lits: &[Lit], once: bool) {
        self.reason.clone_from(reason);
        self.reason.literals.extend(claim.map(|claim| Literal { holds: !claim.holds, ..claim }));
        self.clause.clear();
        for fact in &self.reason.literals {
            let variable = self.direct.color(fact.item, fact.color);
            self.clause.extend(variable.map(|v| if fact.holds { -v } else { v }));
        }
        self.tracer.lemma(&self.clause, &self.reason);
        if once {
            self.spent.extend(&self.clause);
            self.spent.push(0);
            return;
        }
        self.other.clear();
        self.other.extend(lits.iter().map(|lit| self.literals[lit.index()]));
        if self.other != self.clause {
            // Of the two colors of an item the engine knows but one.
            self.tracer.derive(&self.other);
            self.tracer.delete(&self.clause);
        }
    }

    /// Whether the log should be handed on.
    pub fn wants(&self, log: &Log) -> bool {
        log.words() > MANY
    }

    /// Hands on what the solver did.
    pub fn hand_on(&mut self, log: &mut Log) {
        let Tracer { tracer, literals, clause, spent, done, .. } = self;
        log.drain(|entry| {
            clause.clear();
            clause.extend(entry.literals.iter().map(|&lit| literals[lit as usize]));
            match entry.deleted {
                _ if *done => {}
                true => tracer.delete(clause),
                false => tracer.derive(clause),
            }
            *done |= !entry.deleted && clause.is_empty();
        });
        for clause in spent.split_inclusive(|&lit| lit == 0).filter(|_| !*done) {
            tracer.delete(&clause[..clause.len() - 1]);
        }
        spent.clear();
    }
}
