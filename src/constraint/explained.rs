//! A propagator that need not say why: where it gives no reason, all that it was told is the reason.
//!
//! That is always true, since a propagator knows nothing else, and it is the weakest reason there is: a
//! learning engine gains little by it. So a constraint that someone writes for one search works with all
//! engines, and can be given reasons later. Nor need it know which items are fixed: engines must not be asked
//! about those.

use std::collections::HashMap;

use crate::constraint::automaton::Automaton;
use crate::constraint::{Explanation, Literal, Moves, Propagator, Reason, Uses, Verdict};
use crate::ids::{Color, ItemId};
use crate::trail::Trail;

/// Gives `C` the reasons that it does not give.
#[derive(Debug)]
pub struct Explained<C> {
    inner: C,
    /// What it was told.
    told: Trail<Literal>,
    /// The colors of items that are fixed.
    fixed: HashMap<ItemId, Color>,
}

impl<C: Propagator> Explained<C> {
    /// Wraps a propagator that has seen nothing yet.
    pub fn new(inner: C) -> Self {
        Explained { inner, told: Trail::default(), fixed: HashMap::new() }
    }
}

/// All that was told, unless there is a reason already.
fn complete_reason(told: &[Literal], out: &mut Reason) {
    if out.literals.is_empty() {
        out.literals.extend(told);
    }
}

/// The moves of an engine, for a propagator that need not say why.
struct ExplainedMoves<'m> {
    moves: &'m mut dyn Moves,
    told: &'m [Literal],
    fixed: &'m HashMap<ItemId, Color>,
}

impl Moves for ExplainedMoves<'_> {
    fn forbid(&mut self, item: ItemId, color: Color, why: Explanation<'_>) {
        if self.fixed.contains_key(&item) {
            return;
        }
        let told = self.told;
        self.moves.forbid(item, color, &|out| {
            why(out);
            complete_reason(told, out);
        });
    }

    fn require(&mut self, item: ItemId, color: Color, why: Explanation<'_>) {
        if self.fixed.contains_key(&item) {
            return;
        }
        let told = self.told;
        self.moves.require(item, color, &|out| {
            why(out);
            complete_reason(told, out);
        });
    }

    fn uses(&self, item: ItemId, color: Color) -> Uses {
        match self.fixed.get(&item) {
            Some(&known) => Uses { with: known == color, without: known != color },
            None => self.moves.uses(item, color),
        }
    }

    fn tells(&self) -> bool {
        self.moves.tells()
    }
}

impl<C: Propagator> Propagator for Explained<C> {
    fn mark(&mut self) {
        self.told.mark();
        self.inner.mark();
    }

    fn backtrack(&mut self, level: usize) {
        let fixed = &mut self.fixed;
        self.told.undo_to(level, |Literal { item, holds, .. }| {
            if holds {
                fixed.remove(&item);
            }
        });
        self.inner.backtrack(level);
    }

    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict {
        self.told.push(Literal { item, color, holds: true });
        self.fixed.insert(item, color);
        self.inner.fixed(item, color)
    }

    fn lost(&mut self, item: ItemId, color: Color) -> Verdict {
        self.told.push(Literal { item, color, holds: false });
        self.inner.lost(item, color)
    }

    fn settle(&mut self, moves: &mut dyn Moves) -> Verdict {
        self.inner.settle(&mut ExplainedMoves {
            moves,
            told: self.told.entries(),
            fixed: &self.fixed,
        })
    }

    fn forbids(&self) -> bool {
        self.inner.forbids()
    }

    fn complete(&mut self) -> Verdict {
        self.inner.complete()
    }

    fn automata(&self) -> Option<Vec<Box<dyn Automaton>>> {
        self.inner.automata()
    }

    fn explain(&self, out: &mut Reason) {
        self.inner.explain(out);
        complete_reason(self.told.entries(), out);
    }

    fn work(&self) -> u64 {
        self.inner.work()
    }
}
