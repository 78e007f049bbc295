//! The lemma of `--acyclic`: `circuit EDGE...`. Not all of the edges are present, for they are a simple cycle.

use crate::constraint::edges::{Edges, all_hold, is_simple_cycle};
use crate::constraint::graph::Graph;
use crate::constraint::registry::{JudgeLemma, Judgement};
use crate::constraint::{Head, Lemma};
use crate::problem::Problem;

/// The words of all kinds. `cycle` is one of `--loop`, which allows one cycle.
pub(super) const KINDS: [&str; 1] = ["circuit"];

/// The edges are a simple cycle, and present.
pub(super) const CIRCUIT: Lemma = Lemma { kind: KINDS[0], head: Head::None, names_absent: false };

/// Judges it.
#[derive(Debug)]
pub(super) struct ForestLemmas {
    graph: Edges,
}

impl ForestLemmas {
    pub(super) fn new(problem: &Problem, graph: &Graph) -> Self {
        ForestLemmas { graph: Edges::new(problem, graph) }
    }

    fn circuit(&self, problem: &Problem, names: &[&[u8]]) -> Judgement {
        let present = self.graph.present()?;
        let edges = self.graph.edges(problem, names)?;
        is_simple_cycle(problem, &edges)?;
        Ok(all_hold(edges.into_iter().map(|(item, _)| item), present))
    }
}

impl JudgeLemma for ForestLemmas {
    fn judge(&self, problem: &Problem, kind: &[u8], names: &[&[u8]]) -> Option<Judgement> {
        (kind == KINDS[0].as_bytes()).then(|| self.circuit(problem, names))
    }
}
