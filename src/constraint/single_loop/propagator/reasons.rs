//! Why edges do not go together, in terms of fragments and of the edges around a part.

use super::blocks::{BlockPart, Blocks, Hop};
use super::{LoopChange, PRESENT, SingleLoopPropagator};
use crate::constraint::graph::{Edge, NO_EDGE};
use crate::constraint::single_loop::lemmas;
use crate::constraint::{Literal, Reason};

impl SingleLoopPropagator {
    /// The first edge, and the absent edges without which a part hangs on one vertex.
    pub(super) fn explain_part(
        &self,
        blocks: &Blocks,
        part: BlockPart,
        at: &[Vec<Hop>],
        first: u32,
        out: &mut Reason,
    ) {
        out.lemma = lemmas::apart(part.through().map(|v| self.vertices[v as usize]));
        self.say(&[first], out);
        let color = self.edges.present.expect(PRESENT);
        let border = blocks.border(part, at);
        let item = |&edge: &u32| self.edges[edge as usize].item;
        out.literals.extend(border.iter().map(item).map(|item| Literal {
            item,
            color,
            holds: false,
        }));
    }

    /// Appends the edges of the fragment that ends in `end`.
    pub(super) fn fragment(&self, end: u32, out: &mut Vec<u32>) {
        let (mut here, mut last) = (end, NO_EDGE);
        loop {
            let [first, second] = self.at[here as usize];
            let next = if first == last { second } else { first };
            if last != NO_EDGE && self.degree[here as usize] == 1 {
                return;
            }
            out.push(next);
            let Edge { u, v, .. } = self.edges[next as usize];
            here = if u == here { v } else { u };
            last = next;
        }
    }

    /// The fragment that ends in `end`, and an edge outside of it: together with the edge between
    /// the ends of the fragment, no loop has them all.
    pub(super) fn explain_early(&self, end: u32, out: &mut Reason) {
        let mut edges = Vec::new();
        self.fragment(end, &mut edges);
        let joined = self.trail.entries().iter().filter_map(|change| match *change {
            LoopChange::Join { edge, .. } => Some(edge),
            _ => None,
        });
        let mut is_inside = vec![false; self.edges.len()];
        edges.iter().for_each(|&edge| is_inside[edge as usize] = true);
        let outside = joined.into_iter().find(|&edge| !is_inside[edge as usize]);
        if let Some(edge) = outside {
            out.lemma = lemmas::cycle(self.edges[edge as usize].item);
        }
        edges.extend(outside);
        self.say(&edges, out);
    }

    /// The edges of the closed loop: none goes with this other one.
    pub(super) fn explain_closed(&self, other: u32, out: &mut Reason) {
        out.lemma = lemmas::cycle(self.edges[other as usize].item);
        let mut edges = vec![self.closing];
        self.fragment(self.edges[self.closing as usize].u, &mut edges);
        self.say(&edges, out);
    }

    /// A complete solution without a closed loop: an edge that comes to an end, or no edge at all.
    pub(super) fn explain_open(&self, out: &mut Reason) {
        let Some(color) = self.edges.present else {
            out.lemma = lemmas::EMPTY;
            return;
        };
        let end = self.degree.iter().position(|&degree| degree == 1);
        out.lemma = match end {
            Some(vertex) => lemmas::end(self.vertices[vertex]),
            None => lemmas::EMPTY,
        };
        let last = end.map(|vertex| self.at[vertex][0]);
        for (number, edge) in self.edges.iter().enumerate() {
            let is_there = |vertex: usize| edge.u as usize == vertex || edge.v as usize == vertex;
            if end.is_none_or(is_there) {
                out.literals.push(Literal {
                    item: edge.item,
                    color,
                    holds: last == Some(number as u32),
                });
            }
        }
    }

    /// Appends that these edges are present.
    pub(super) fn say(&self, edges: &[u32], out: &mut Reason) {
        let color = self.edges.present.expect(PRESENT);
        let item = |&edge: &u32| self.edges[edge as usize].item;
        out.literals.extend(edges.iter().map(item).map(|item| Literal {
            item,
            color,
            holds: true,
        }));
    }
}
