//! A propagator without its pruning: it only judges complete solutions (`--no-prune`).
//!
//! What is fixed on the way is recorded, and the real propagator gets it when a solution is
//! complete. So the two ways to the same answer share the judgement alone, and a test can compare
//! them.

use crate::constraint::{Propagator, Reason, Verdict};
use crate::ids::{Color, ItemId};
use crate::trail::Trail;

/// Keeps `C` silent until a solution is complete.
#[derive(Clone, Debug)]
pub struct FinalTest<C> {
    inner: C,
    fixed: Trail<(ItemId, Color)>,
    /// Why the latest solution was refused.
    reason: Reason,
}

impl<C: Propagator> FinalTest<C> {
    /// Wraps a constraint that has seen nothing yet.
    pub fn new(inner: C) -> Self {
        FinalTest { inner, fixed: Trail::default(), reason: Reason::default() }
    }
}

impl<C: Propagator> Propagator for FinalTest<C> {
    fn mark(&mut self) {
        self.fixed.mark();
    }

    fn backtrack(&mut self, level: usize) {
        self.fixed.undo_to(level, |_| ());
    }

    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict {
        self.fixed.push((item, color));
        Verdict::Fine
    }

    fn complete(&mut self) -> Verdict {
        self.inner.mark();
        let inner = &mut self.inner;
        let told =
            self.fixed.entries().iter().all(|&(item, color)| inner.fixed(item, color).is_fine());
        let holds = told && self.inner.complete().is_fine();
        if !holds {
            self.reason.clear();
            self.inner.explain(&mut self.reason);
        }
        self.inner.backtrack(0);
        Verdict::when(holds)
    }

    fn explain(&self, out: &mut Reason) {
        out.clone_from(&self.reason);
    }
}
