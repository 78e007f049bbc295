//! `--loop`: the edges of color 1 form exactly one cycle (TAOCP 7.2.2.1, exercise 413).
//!
//! The idea is that of Knuth's `dlx2-loop`, with Rory Molinari's simplification: keep for each
//! fragment (a path of edges that are present) only its two ends, each the *mate* of the other. An
//! edge joins two fragments, extends one, or starts one; and it closes the loop if its ends are each
//! other's mates, which is right only if this fragment is the only one.
//!
//! For example, the edges `01`, `12` and `10` around the cell `11` make the path 20 00 02 22, whose
//! ends 20 and 22 are mates. The edge `21` may close it only if no other edge is present.
//!
//! Three beliefs that fail:
//!
//! * *A closed loop ends the search.* It does not: vertices and clues may still be uncovered, and are
//!   covered by options without edges. We refuse further edges, and go on.
//! * *No vertex ever has three edges, since its options see to that.* An edge is often colored by the
//!   clue beside it, so that a vertex has degree 3 until its own options are looked at (35 of 150
//!   real boards). We count degrees and refuse a third edge.
//! * *All covers without refused edges are loops.* The cover may have no edge at all, or (in a model
//!   that allows degree 1) leave the path open. `complete` refuses both; `dlx2-loop` counts them.
//!
//! # Invariants
//!
//! `degree[v]` is the number of edges present at `v`. If `degree[v] = 1` then `degree[mate[v]] = 1`
//! and `mate[mate[v]] = v`. `fragments` is half the number of such `v`. Once `closed`, nothing changes.

use crate::constraint::graph::{Edge, Graph};
use crate::constraint::{Constraint, Moves, Verdict};
use crate::ids::{Color, ItemId};
use crate::problem::Problem;
use crate::trail::Trail;

/// No edge, in `edge_of`.
const NO_EDGE: u32 = u32::MAX;

/// The constraint behind `--loop`.
#[derive(Clone, Debug)]
pub struct SingleLoop {
    edges: Vec<Edge>,
    /// By secondary item, in their order: its edge, or [`NO_EDGE`].
    edge_of: Vec<u32>,
    first_secondary: usize,
    /// The color that makes an edge present; `None` if the file does not have it.
    present: Option<Color>,
    mate: Vec<u32>,
    degree: Vec<u8>,
    fragments: u32,
    closed: bool,
    trail: Trail<Deed>,
    shortcuts: Option<Shortcuts>,
}

/// What can be undone.
#[derive(Clone, Copy, Debug)]
enum Deed {
    /// The edge `u v` joined the fragments that end in `a` and `b`.
    Join { u: u32, v: u32, a: u32, b: u32 },
    /// The loop closed.
    Close,
    /// The edge is decided, one way or the other.
    Decide(u32),
}

/// What [`SingleLoop::with_shortcuts`] needs besides.
#[derive(Clone, Debug)]
struct Shortcuts {
    /// By vertex: its edges.
    at: Vec<Vec<u32>>,
    decided: Vec<bool>,
    /// Ends of fragments that are new since the last `settle`.
    fresh: Vec<u32>,
}

impl SingleLoop {
    /// The rule that the edges of `graph` with color `1` form one cycle.
    pub fn new(problem: &Problem, graph: &Graph) -> Self {
        let mut edge_of = vec![NO_EDGE; problem.secondary()];
        for (number, edge) in graph.edges.iter().enumerate() {
            edge_of[edge.item.index() - problem.primary()] = number as u32;
        }
        SingleLoop {
            edges: graph.edges.clone(),
            edge_of,
            first_secondary: problem.primary(),
            present: problem.find_color(b"1"),
            mate: vec![0; graph.vertices.len()],
            degree: vec![0; graph.vertices.len()],
            fragments: 0,
            closed: false,
            trail: Trail::default(),
            shortcuts: None,
        }
    }

    /// Forbids, besides, every edge that would close a fragment while there is another one. Once
    /// two fragments are there, such an edge is lost for good: the loop contains both of them.
    pub fn with_shortcuts(mut self) -> Self {
        let mut at = vec![Vec::new(); self.mate.len()];
        for (number, edge) in self.edges.iter().enumerate() {
            at[edge.u as usize].push(number as u32);
            at[edge.v as usize].push(number as u32);
        }
        let decided = vec![false; self.edges.len()];
        self.shortcuts = Some(Shortcuts { at, decided, fresh: Vec::new() });
        self
    }

    /// Adds the edge from `u` to `v`.
    fn join(&mut self, u: u32, v: u32) -> Verdict {
        let (du, dv) = (self.degree[u as usize], self.degree[v as usize]);
        if self.closed || du == 2 || dv == 2 {
            return Verdict::Refuse;
        }
        let a = if du == 0 { u } else { self.mate[u as usize] };
        let b = if dv == 0 { v } else { self.mate[v as usize] };
        if a == v && du == 1 {
            if self.fragments != 1 {
                return Verdict::Refuse;
            }
            self.closed = true;
            self.trail.push(Deed::Close);
            return Verdict::Fine;
        }
        self.mate[a as usize] = b;
        self.mate[b as usize] = a;
        self.degree[u as usize] += 1;
        self.degree[v as usize] += 1;
        self.fragments = self.fragments + 1 - u32::from(du) - u32::from(dv);
        self.trail.push(Deed::Join { u, v, a, b });
        if let Some(shortcuts) = &mut self.shortcuts {
            shortcuts.fresh.push(a);
        }
        Verdict::Fine
    }

    /// Adds one end of each fragment to `ends`: the latest edge of a fragment knows its ends.
    fn add_all_ends(&self, ends: &mut Vec<u32>) {
        let mut missing = self.fragments;
        for deed in self.trail.deeds().iter().rev() {
            let &Deed::Join { a, .. } = deed else { continue };
            if missing == 0 {
                break;
            }
            let is_end = self.degree[a as usize] == 1;
            if is_end && !ends.contains(&a) && !ends.contains(&self.mate[a as usize]) {
                ends.push(a);
                missing -= 1;
            }
        }
    }

    /// The edge between the ends of the fragment that ends in `a`, if it is there and undecided.
    fn closing_edge(&self, shortcuts: &Shortcuts, a: u32) -> Option<u32> {
        if self.degree[a as usize] != 1 {
            return None;
        }
        let b = self.mate[a as usize];
        let edges = shortcuts.at[a as usize].iter().copied();
        edges.into_iter().find(|&number| {
            let edge = self.edges[number as usize];
            (edge.u == b || edge.v == b) && !shortcuts.decided[number as usize]
        })
    }
}

impl Constraint for SingleLoop {
    fn mark(&mut self) {
        self.trail.mark();
    }

    fn backtrack(&mut self, level: usize) {
        let SingleLoop { trail, mate, degree, fragments, closed, shortcuts, .. } = self;
        trail.undo_to(level, |deed| match deed {
            Deed::Close => *closed = false,
            Deed::Join { u, v, a, b } => {
                degree[u as usize] -= 1;
                degree[v as usize] -= 1;
                mate[a as usize] = u;
                mate[b as usize] = v;
                let (du, dv) = (degree[u as usize], degree[v as usize]);
                *fragments = *fragments + u32::from(du) + u32::from(dv) - 1;
            }
            Deed::Decide(edge) => {
                if let Some(shortcuts) = shortcuts {
                    shortcuts.decided[edge as usize] = false;
                }
            }
        });
        if let Some(shortcuts) = shortcuts {
            shortcuts.fresh.clear();
        }
    }

    #[inline]
    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict {
        let number = self.edge_of[item.index() - self.first_secondary];
        if number == NO_EDGE {
            return Verdict::Fine;
        }
        if let Some(shortcuts) = &mut self.shortcuts {
            shortcuts.decided[number as usize] = true;
            self.trail.push(Deed::Decide(number));
        }
        if Some(color) != self.present {
            return Verdict::Fine;
        }
        let Edge { u, v, .. } = self.edges[number as usize];
        self.join(u, v)
    }

    fn settle(&mut self, moves: &mut dyn Moves) -> Verdict {
        let (Some(mut shortcuts), Some(present)) = (self.shortcuts.take(), self.present) else {
            return Verdict::Fine;
        };
        if self.fragments == 2 {
            // The older of the two may have been alone until now, when its edge was not lost yet.
            self.add_all_ends(&mut shortcuts.fresh);
        }
        if self.fragments > 1 && !self.closed {
            for &end in &shortcuts.fresh {
                if let Some(edge) = self.closing_edge(&shortcuts, end) {
                    moves.forbid(self.edges[edge as usize].item, present);
                }
            }
        }
        shortcuts.fresh.clear();
        self.shortcuts = Some(shortcuts);
        Verdict::Fine
    }

    fn complete(&mut self) -> Verdict {
        Verdict::when(self.closed)
    }
}
