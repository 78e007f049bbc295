//! The lemmas of `--loop`. *Present* is an edge that is said to have color 1, *absent* one that is said not to have it.
//!
//! | lemma | what follows | what is looked at |
//! |---|---|---|
//! | `cycle OUTSIDE EDGE...` | not all are present | the edges are a simple cycle, without the first one |
//! | `third EDGE EDGE EDGE` | not all are present | they meet in one vertex |
//! | `end VERTEX EDGE` | if the edge is present, another one at the vertex is, too | it ends there |
//! | `empty` | some edge is present | nothing |
//! | `apart VERTEX EDGE EDGE ABSENT...` | not both are present, unless one of the absent is | the graph without the absent edges and the vertex (`-` for none) has no way from one to the other |
//!
//! For example, `-7 -9 -12 -15 -31 0 cycle 45 01 10 12 21`: four edges around a cell, and one elsewhere.

use std::collections::HashSet;

use crate::constraint::edges::{Edges, all_hold, is_simple_cycle, name_of, show};
use crate::constraint::graph::Graph;
use crate::constraint::registry::{JudgeLemma, Judgement};
use crate::constraint::{Head, Lemma, Literal};
use crate::ids::ItemId;
use crate::problem::Problem;

/// The words of all kinds.
pub(super) const KINDS: [&str; 5] = ["cycle", "third", "end", "empty", "apart"];

/// Three present edges meet in a vertex.
pub(super) const THIRD: Lemma = Lemma { kind: "third", head: Head::None, names_absent: false };

/// All edges are absent.
pub(super) const EMPTY: Lemma = Lemma { kind: "empty", head: Head::None, names_absent: false };

/// All literals but one are edges of a simple cycle, present; this edge is present, too.
pub(super) fn cycle(outside: ItemId) -> Lemma {
    Lemma { kind: "cycle", head: Head::Item(Some(outside)), names_absent: false }
}

/// One edge at this vertex is present, all others there are absent.
pub(super) fn end(vertex: ItemId) -> Lemma {
    Lemma { kind: "end", head: Head::Item(Some(vertex)), names_absent: false }
}

/// Two present edges. Without the absent ones, and without this vertex, there is no way from one
/// of them to the other: so no cycle has both, since it would pass the vertex twice.
pub(super) fn apart(through: Option<ItemId>) -> Lemma {
    Lemma { kind: "apart", head: Head::Item(through), names_absent: true }
}

/// Judges them.
#[derive(Debug)]
pub(super) struct LoopLemmas {
    graph: Edges,
}

impl JudgeLemma for LoopLemmas {
    fn judge(&self, problem: &Problem, kind: &[u8], names: &[&[u8]]) -> Option<Judgement> {
        Some(match kind {
            b"cycle" => self.cycle(problem, names),
            b"third" => self.third(problem, names),
            b"end" => self.end(problem, names),
            b"empty" => self.empty(names),
            b"apart" => self.apart(problem, names),
            _ => return None,
        })
    }
}

impl LoopLemmas {
    pub(super) fn new(problem: &Problem, graph: &Graph) -> Self {
        LoopLemmas { graph: Edges::new(problem, graph) }
    }

    /// The edges are one simple cycle, and the first named is not among them.
    fn cycle(&self, problem: &Problem, names: &[&[u8]]) -> Judgement {
        let present = self.graph.present()?;
        let [outside, cycle @ ..] = names else { return Err("the lemma names no edge".into()) };
        let outside = self.graph.edge(problem, outside)?.0;
        let cycle = self.graph.edges(problem, cycle)?;
        if cycle.iter().any(|&(item, _)| item == outside) {
            let name = name_of(problem, outside);
            return Err(format!("edge {name} is not outside of the cycle"));
        }
        is_simple_cycle(problem, &cycle)?;
        Ok(all_hold(cycle.into_iter().map(|(item, _)| item).chain([outside]), present))
    }

    fn third(&self, problem: &Problem, names: &[&[u8]]) -> Judgement {
        let present = self.graph.present()?;
        let edges = self.graph.edges(problem, names)?;
        let [first, rest @ ..] = &edges[..] else { return Err("the lemma names no edge".into()) };
        let meets = |&end: &u32| rest.iter().all(|(_, ends)| ends.contains(&end));
        if edges.len() != 3 || !first.1.iter().any(meets) {
            return Err("these are not three edges at one vertex".into());
        }
        Ok(all_hold(edges.iter().map(|&(item, _)| item), present))
    }

    fn end(&self, problem: &Problem, names: &[&[u8]]) -> Judgement {
        let color = self.graph.present()?;
        let &[vertex, edge] = names else {
            return Err("expected a vertex and an edge".into());
        };
        let at = &self.graph.at[self.graph.vertex(problem, vertex)? as usize];
        let (edge, _) = self.graph.edge(problem, edge)?;
        if !at.iter().any(|&(item, _)| item == edge) {
            let name = name_of(problem, edge);
            return Err(format!("edge {name} does not end at {}", show(vertex)));
        }
        Ok(at.iter().map(|&(item, _)| Literal { item, color, holds: item == edge }).collect())
    }

    fn empty(&self, names: &[&[u8]]) -> Judgement {
        if !names.is_empty() {
            return Err("expected no names".into());
        }
        let Some(color) = self.graph.present else { return Ok(Vec::new()) };
        let absent = |&item: &ItemId| Literal { item, color, holds: false };
        Ok(self.graph.ends.keys().map(absent).collect())
    }

    /// Without the absent edges, and without the vertex, no way leads from one edge to the other.
    fn apart(&self, problem: &Problem, names: &[&[u8]]) -> Judgement {
        let color = self.graph.present()?;
        let [vertex, edges @ ..] = names else { return Err("the lemma names no vertex".into()) };
        let through = match *vertex {
            b"-" => None,
            name => Some(self.graph.vertex(problem, name)?),
        };
        let edges = self.graph.edges(problem, edges)?;
        let [one, other, absent @ ..] = &edges[..] else {
            return Err("the lemma names fewer than two edges".into());
        };
        let absent: HashSet<ItemId> = absent.iter().map(|&(item, _)| item).collect();
        let from = other.1.iter().copied().filter(|&end| Some(end) != through);
        let mut open: Vec<u32> = from.take(1).collect();
        let mut reached: HashSet<u32> = open.iter().copied().collect();
        while let Some(vertex) = open.pop() {
            if one.1.contains(&vertex) {
                let (one, other) = (name_of(problem, one.0), name_of(problem, other.0));
                return Err(format!("edges {one} and {other} are not apart"));
            }
            for &(item, next) in &self.graph.at[vertex as usize] {
                if !absent.contains(&item) && Some(next) != through && reached.insert(next) {
                    open.push(next);
                }
            }
        }
        let mut literals = all_hold([one.0, other.0], color);
        literals.extend(absent.into_iter().map(|item| Literal { item, color, holds: false }));
        Ok(literals)
    }
}
