//! `--acyclic`: the edges of color 1 form no cycle.
//!
//! The components of the edges that are present are kept by union and find (Bernard Galler and Michael Fischer,
//! 1964). An edge whose ends are in one component closes a cycle, and is refused; the reason is the path between its ends.
//! For example, the edges `01`, `12` and `10` around the cell `11` put the vertices 20, 00, 02, 22 into one component, so that
//! `21` is refused.
//!
//! Paths to the root are not compressed, so that a union is undone by resetting one parent. The smaller component
//! goes below the larger one, so that a path has at most log n steps.
//!
//! # Looking ahead
//!
//! When two components become one, every other edge between them is lost. For an engine that learns it is forbidden at
//! once. The edges are found at the vertices of the smaller component, which are a circular list. A vertex is looked at only
//! when its component at least doubles, thus at most log n times on a path to a solution.
//!
//! # Invariants
//!
//! `parent[v] = v` for roots. `size[r]` and the list through `next` are those of the component of a root `r`. `at[v]` has
//! the edges that are present at `v`, the latest last; together they are a forest.

use super::automaton::Partition;
use super::lemmas::CIRCUIT;
use crate::constraint::automaton::Automaton;
use crate::constraint::graph::{Edge, EdgeItems, Graph, NO_EDGE};
use crate::constraint::{Literal, Moves, Propagator, Reason, Verdict};
use crate::ids::{Color, ItemId};
use crate::problem::Problem;
use crate::trail::Trail;

/// What engines ask of `--acyclic`.
#[derive(Clone, Debug)]
pub struct AcyclicPropagator {
    edges: EdgeItems,
    parent: Vec<u32>,
    size: Vec<u32>,
    /// By vertex: the edges that are present there, with their other ends.
    at: Vec<Vec<Neighbor>>,
    trail: Trail<ForestChange>,
    /// The edge that was refused.
    refused: u32,
    ahead: Option<Box<Ahead>>,
}

/// An edge from some vertex.
#[derive(Clone, Copy, Debug)]
struct Neighbor {
    edge: u32,
    to: u32,
}

/// What can be undone.
#[derive(Clone, Copy, Debug)]
enum ForestChange {
    /// The edge is present, and put the root `below` under another one.
    Union { edge: u32, below: u32 },
    /// The edge is decided, one way or the other.
    Decide(u32),
}

/// What [`AcyclicPropagator::looking_ahead`] needs besides.
#[derive(Clone, Debug)]
struct Ahead {
    /// By vertex: all of its edges.
    all: Vec<Vec<Neighbor>>,
    /// By vertex: another one of its component; all of them are a circle.
    next: Vec<u32>,
    /// By edge: whether it is decided.
    decided: Vec<bool>,
    /// Edges that would close a cycle since the last `settle`.
    lost: Vec<u32>,
    /// How many edges were looked at.
    work: u64,
}

impl AcyclicPropagator {
    /// The edges of `graph` with color `1` have no cycle.
    pub fn new(problem: &Problem, graph: &Graph) -> Self {
        let vertices = graph.vertices.len();
        AcyclicPropagator {
            edges: EdgeItems::new(problem, graph),
            parent: (0..vertices as u32).collect(),
            size: vec![1; vertices],
            at: vec![Vec::new(); vertices],
            trail: Trail::default(),
            refused: NO_EDGE,
            ahead: None,
        }
    }

    /// Forbids, besides, the edges that would close a cycle.
    pub fn looking_ahead(mut self) -> Self {
        let mut all = vec![Vec::new(); self.parent.len()];
        for (&Edge { u, v, .. }, edge) in self.edges.iter().zip(0..) {
            all[u as usize].push(Neighbor { edge, to: v });
            all[v as usize].push(Neighbor { edge, to: u });
        }
        let next = self.parent.clone();
        let decided = vec![false; self.edges.len()];
        self.ahead = Some(Box::new(Ahead { all, next, decided, lost: Vec::new(), work: 0 }));
        self
    }

    fn root(&self, mut vertex: u32) -> u32 {
        while self.parent[vertex as usize] != vertex {
            vertex = self.parent[vertex as usize];
        }
        vertex
    }

    /// Adds an edge.
    fn join(&mut self, edge: u32) -> Verdict {
        let Edge { u, v, .. } = self.edges[edge as usize];
        let (a, b) = (self.root(u), self.root(v));
        if a == b {
            self.refused = edge;
            return Verdict::Refuse;
        }
        let (above, below) =
            if self.size[a as usize] < self.size[b as usize] { (b, a) } else { (a, b) };
        if let Some(mut ahead) = self.ahead.take() {
            self.find_lost(above, below, &mut ahead);
            // Two circles become one if two vertices exchange their successors; and so are parted again.
            ahead.next.swap(above as usize, below as usize);
            self.ahead = Some(ahead);
        }
        self.parent[below as usize] = above;
        self.size[above as usize] += self.size[below as usize];
        self.at[u as usize].push(Neighbor { edge, to: v });
        self.at[v as usize].push(Neighbor { edge, to: u });
        self.trail.push(ForestChange::Union { edge, below });
        Verdict::Fine
    }

    /// Notes the undecided edges between two components, which are about to become one.
    fn find_lost(&self, above: u32, below: u32, ahead: &mut Ahead) {
        let mut vertex = below;
        loop {
            for &Neighbor { edge, to } in &ahead.all[vertex as usize] {
                ahead.work += 1;
                if !ahead.decided[edge as usize] && self.root(to) == above {
                    ahead.lost.push(edge);
                }
            }
            vertex = ahead.next[vertex as usize];
            if vertex == below {
                return;
            }
        }
    }

    /// The edges that are present between the ends of this edge, which are in one component: there is one path.
    fn explain_path(&self, edge: u32, out: &mut Reason) {
        out.lemma = CIRCUIT;
        let Edge { u, v, .. } = self.edges[edge as usize];
        // Depth first. For each vertex on the way: the edge to it, and how many of its edges were tried.
        let mut path: Vec<(Neighbor, usize)> = vec![(Neighbor { edge: NO_EDGE, to: u }, 0)];
        while let Some((hop, tried)) = path.last_mut().filter(|(hop, _)| hop.to != v) {
            let (here, from) = (hop.to, hop.edge);
            match self.at[here as usize].get(*tried) {
                Some(next) => {
                    *tried += 1;
                    if next.edge != from {
                        path.push((*next, 0));
                    }
                }
                None => drop(path.pop()),
            }
        }
        path.iter().skip(1).for_each(|(hop, _)| self.say(hop.edge, out));
    }

    /// Appends that the edge is present.
    fn say(&self, edge: u32, out: &mut Reason) {
        let color = self.edges.present.expect("an edge is present only if its color is there");
        out.literals.push(Literal { item: self.edges[edge as usize].item, color, holds: true });
    }
}

impl Propagator for AcyclicPropagator {
    fn mark(&mut self) {
        self.trail.mark();
    }

    fn backtrack(&mut self, level: usize) {
        let AcyclicPropagator { edges, trail, parent, size, at, ahead, .. } = self;
        trail.undo_to(level, |change| match change {
            ForestChange::Union { edge, below } => {
                let above = parent[below as usize];
                parent[below as usize] = below;
                size[above as usize] -= size[below as usize];
                let Edge { u, v, .. } = edges[edge as usize];
                at[u as usize].pop();
                at[v as usize].pop();
                if let Some(ahead) = ahead {
                    ahead.next.swap(above as usize, below as usize);
                }
            }
            ForestChange::Decide(edge) => {
                if let Some(ahead) = ahead {
                    ahead.decided[edge as usize] = false;
                }
            }
        });
        if let Some(ahead) = ahead {
            ahead.lost.clear();
        }
    }

    #[inline]
    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict {
        let edge = self.edges.number(item);
        if edge == NO_EDGE {
            return Verdict::Fine;
        }
        if let Some(ahead) = &mut self.ahead {
            ahead.decided[edge as usize] = true;
            self.trail.push(ForestChange::Decide(edge));
        }
        if Some(color) == self.edges.present { self.join(edge) } else { Verdict::Fine }
    }

    fn settle(&mut self, moves: &mut dyn Moves) -> Verdict {
        let Some(present) = self.edges.present else { return Verdict::Fine };
        let Some(mut ahead) = self.ahead.take() else { return Verdict::Fine };
        for edge in ahead.lost.drain(..) {
            if !ahead.decided[edge as usize] {
                let item = self.edges[edge as usize].item;
                moves.forbid(item, present, &|out| self.explain_path(edge, out));
            }
        }
        self.ahead = Some(ahead);
        Verdict::Fine
    }

    fn forbids(&self) -> bool {
        self.ahead.is_some()
    }

    /// Each edge was looked at when it became present.
    fn complete(&mut self) -> Verdict {
        Verdict::Fine
    }

    fn automata(&self) -> Option<Vec<Box<dyn Automaton>>> {
        Some(vec![Box::new(Partition::new(self.edges.clone()))])
    }

    fn explain(&self, out: &mut Reason) {
        self.explain_path(self.refused, out);
        self.say(self.refused, out);
    }

    fn work(&self) -> u64 {
        self.ahead.as_ref().map_or(0, |ahead| ahead.work)
    }
}
