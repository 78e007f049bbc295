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
//! # Blocks
//!
//! Reasons that name the edges of a fragment rule out that fragment alone. A board with few clues has
//! so many that a proof may need a million conflicts, even if it is as small as 10 x 10 cells: there
//! is no way left between two parts of the board, and each attempt to find one teaches us one path
//! less. So we also look from time to time which edges can be in one loop at all (`blocks`). The
//! reason is the edges that are absent around a part, whatever the loop does inside.
//!
//! # Invariants
//!
//! `degree[v]` is the number of edges present at `v`. If `degree[v] = 1` then `degree[mate[v]] = 1`
//! and `mate[mate[v]] = v`. `fragments` is half the number of such `v`. Once closed, nothing changes.

use crate::constraint::automaton::Automaton;
use crate::constraint::graph::{Edge, Graph};
use crate::constraint::{Literal, Moves, Propagator, Reason, Verdict};
use crate::ids::{Color, ItemId};
use crate::problem::Problem;
use crate::trail::Trail;

mod blocks;

use super::{automaton::Mates, lemmas};
use blocks::{Blocks, Hop, Part};

/// No edge, in `edge_of`.
pub(super) const NO_EDGE: u32 = u32::MAX;

/// The constraint behind `--loop`.
#[derive(Clone, Debug)]
pub struct SingleLoopPropagator {
    edges: Vec<Edge>,
    /// By vertex: its item.
    vertices: Vec<ItemId>,
    /// By secondary item, in their order: its edge, or [`NO_EDGE`].
    edge_of: Vec<u32>,
    first_secondary: usize,
    /// The color that makes an edge present; `None` if the file does not have it.
    present: Option<Color>,
    mate: Vec<u32>,
    degree: Vec<u8>,
    /// By vertex: the edges present at it, as many as its degree says.
    at: Vec<[u32; 2]>,
    fragments: u32,
    /// The edge that closed the loop, or [`NO_EDGE`]. It is not counted in the degrees.
    closing: u32,
    trail: Trail<Deed>,
    refusal: Refusal,
    /// In a box, since they are set aside while they are at work.
    shortcuts: Option<Box<Shortcuts>>,
}

/// Why an edge, or a whole solution, was refused.
#[derive(Clone, Copy, Debug)]
enum Refusal {
    /// The loop is closed, and here is another edge.
    Another(u32),
    /// The edge is the third at this vertex.
    Third(u32, u32),
    /// The edge closes a fragment, but there is another one.
    Early(u32),
    /// This edge and the first one are in different blocks: the reason is written down.
    Apart,
    /// There is no closed loop in the end.
    Open,
}

/// What can be undone.
#[derive(Clone, Copy, Debug)]
enum Deed {
    /// The edge joined the fragments that end in `a` and `b`.
    Join { edge: u32, a: u32, b: u32 },
    /// The loop closed.
    Close,
    /// The edge is decided, one way or the other.
    Decide(u32),
}

/// What [`SingleLoopPropagator::with_shortcuts`] needs besides.
#[derive(Clone, Debug)]
struct Shortcuts {
    /// By vertex: its edges.
    at: Vec<Vec<Hop>>,
    /// By edge: 1 if it is decided, or 0; bytes, so that `memchr` finds the others.
    decided: Vec<u8>,
    /// Ends of fragments that are new since the last `settle`.
    fresh: Vec<u32>,
    /// Whether the closed loop has forbidden all other edges.
    told_closed: bool,
    /// By edge: whether it is known to be absent.
    absent: Vec<bool>,
    blocks: Blocks,
    /// Grows by `pay` when choices are taken back; the blocks are looked at when it reaches the
    /// number of edges.
    credit: usize,
    pay: usize,
    /// Why a block was refused.
    apart: Reason,
}

/// What a return pays for the search for blocks, in edges: on a board of 10 x 10 cells every other one
/// is followed by a search, on one of 30 x 30 every sixteenth.
pub const PAY: usize = 120;

impl SingleLoopPropagator {
    /// The rule that the edges of `graph` with color `1` form one cycle.
    pub fn new(problem: &Problem, graph: &Graph) -> Self {
        let mut edge_of = vec![NO_EDGE; problem.secondary()];
        for (number, edge) in graph.edges.iter().enumerate() {
            edge_of[edge.item.index() - problem.primary()] = number as u32;
        }
        SingleLoopPropagator {
            edges: graph.edges.clone(),
            vertices: graph.items.clone(),
            edge_of,
            first_secondary: problem.primary(),
            present: problem.find_color(b"1"),
            mate: vec![0; graph.vertices.len()],
            degree: vec![0; graph.vertices.len()],
            at: vec![[NO_EDGE; 2]; graph.vertices.len()],
            fragments: 0,
            closing: NO_EDGE,
            trail: Trail::default(),
            refusal: Refusal::Open,
            shortcuts: None,
        }
    }

    /// Forbids, besides, every edge that would close a fragment while there is another one, and every
    /// further edge once the loop is closed. Once two fragments are there, such an edge is lost for good: the loop contains both of them.
    pub fn with_shortcuts(mut self) -> Self {
        let mut at = vec![Vec::new(); self.mate.len()];
        for (number, edge) in self.edges.iter().enumerate() {
            let number = number as u32;
            at[edge.u as usize].push(Hop { edge: number, to: edge.v });
            at[edge.v as usize].push(Hop { edge: number, to: edge.u });
        }
        let decided = vec![0; self.edges.len()];
        let absent = vec![false; self.edges.len()];
        let blocks = Blocks::new(self.mate.len());
        let (fresh, apart) = (Vec::new(), Reason::default());
        let (told_closed, credit, pay) = (false, 0, 0);
        self.shortcuts = Some(Box::new(Shortcuts {
            at,
            decided,
            fresh,
            told_closed,
            absent,
            blocks,
            credit,
            pay,
            apart,
        }));
        self
    }

    /// Forbids, besides, edges that cannot be in a loop with the first one, since a single vertex parts
    /// them. That takes a search of the whole graph, so we look only now and then: each time when
    /// choices are taken back, unless all of them are, pays for `pay` edges ([`PAY`]).
    pub fn with_blocks(self, pay: usize) -> Self {
        let mut rule = self.with_shortcuts();
        if let Some(shortcuts) = &mut rule.shortcuts {
            shortcuts.pay = pay;
        }
        rule
    }

    /// Adds an edge.
    fn join(&mut self, edge: u32) -> Verdict {
        let Edge { u, v, .. } = self.edges[edge as usize];
        let (du, dv) = (self.degree[u as usize], self.degree[v as usize]);
        if self.closing != NO_EDGE {
            return self.refuse(Refusal::Another(edge));
        }
        if du == 2 || dv == 2 {
            return self.refuse(Refusal::Third(if du == 2 { u } else { v }, edge));
        }
        let a = if du == 0 { u } else { self.mate[u as usize] };
        let b = if dv == 0 { v } else { self.mate[v as usize] };
        if a == v && du == 1 {
            if self.fragments != 1 {
                return self.refuse(Refusal::Early(edge));
            }
            self.closing = edge;
            self.trail.push(Deed::Close);
            return Verdict::Fine;
        }
        self.mate[a as usize] = b;
        self.mate[b as usize] = a;
        for end in [u, v] {
            let degree = &mut self.degree[end as usize];
            self.at[end as usize][usize::from(*degree)] = edge;
            *degree += 1;
        }
        self.fragments = self.fragments + 1 - u32::from(du) - u32::from(dv);
        self.trail.push(Deed::Join { edge, a, b });
        if let Some(shortcuts) = &mut self.shortcuts {
            shortcuts.fresh.push(a);
        }
        Verdict::Fine
    }

    /// Forbids the edges that no loop through the first one can have.
    fn keep_to_block(&self, shortcuts: &mut Shortcuts, moves: &mut dyn Moves) -> Verdict {
        if self.closing != NO_EDGE || shortcuts.credit < self.edges.len() {
            return Verdict::Fine;
        }
        let first = self.trail.deeds().iter().find_map(|deed| match *deed {
            Deed::Join { edge, .. } => Some(edge),
            _ => None,
        });
        let (Some(first), Some(present)) = (first, self.present) else { return Verdict::Fine };
        shortcuts.credit = 0;
        let Shortcuts { at, decided, absent, blocks, apart, .. } = shortcuts;
        blocks.search(first, &self.edges, at, absent);
        for &(edge, part) in &blocks.lost {
            if decided[edge as usize] != 0 {
                apart.clear();
                self.explain_part(blocks, part, at, first, apart);
                self.say(&[edge], apart);
                return Verdict::Refuse;
            }
        }
        for &(edge, part) in &blocks.lost {
            moves.forbid(self.edges[edge as usize].item, present, &|out| {
                self.explain_part(blocks, part, at, first, out);
            });
        }
        Verdict::Fine
    }

    /// The first edge, and the absent edges without which a part hangs on one vertex.
    fn explain_part(
        &self,
        blocks: &Blocks,
        part: Part,
        at: &[Vec<Hop>],
        first: u32,
        out: &mut Reason,
    ) {
        out.lemma = lemmas::apart(part.through().map(|v| self.vertices[v as usize]));
        self.say(&[first], out);
        let Some(color) = self.present else { return };
        let border = blocks.border(part, at);
        let item = |&edge: &u32| self.edges[edge as usize].item;
        out.literals.extend(border.iter().map(item).map(|item| Literal {
            item,
            color,
            holds: false,
        }));
    }

    fn refuse(&mut self, refusal: Refusal) -> Verdict {
        self.refusal = refusal;
        Verdict::Refuse
    }

    /// Appends the edges of the fragment that ends in `end`.
    fn fragment(&self, end: u32, out: &mut Vec<u32>) {
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
    fn explain_early(&self, end: u32, out: &mut Reason) {
        let mut edges = Vec::new();
        self.fragment(end, &mut edges);
        let joined = self.trail.deeds().iter().filter_map(|deed| match *deed {
            Deed::Join { edge, .. } => Some(edge),
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
    fn explain_closed(&self, other: u32, out: &mut Reason) {
        out.lemma = lemmas::cycle(self.edges[other as usize].item);
        let mut edges = vec![self.closing];
        self.fragment(self.edges[self.closing as usize].u, &mut edges);
        self.say(&edges, out);
    }

    /// A complete solution without a closed loop: an edge that comes to an end, or no edge at all.
    fn explain_open(&self, out: &mut Reason) {
        let Some(color) = self.present else {
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

    /// Says that these edges are present.
    fn say(&self, edges: &[u32], out: &mut Reason) {
        let Some(color) = self.present else { return };
        let item = |&edge: &u32| self.edges[edge as usize].item;
        out.literals.extend(edges.iter().map(item).map(|item| Literal {
            item,
            color,
            holds: true,
        }));
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
        let is_it = |hop: &&Hop| hop.to == b && shortcuts.decided[hop.edge as usize] == 0;
        shortcuts.at[a as usize].iter().find(is_it).map(|hop| hop.edge)
    }
}

impl Propagator for SingleLoopPropagator {
    fn mark(&mut self) {
        self.trail.mark();
    }

    fn backtrack(&mut self, level: usize) {
        let SingleLoopPropagator {
            edges, trail, mate, degree, fragments, closing, shortcuts, ..
        } = self;
        trail.undo_to(level, |deed| match deed {
            Deed::Close => *closing = NO_EDGE,
            Deed::Join { edge, a, b } => {
                let Edge { u, v, .. } = edges[edge as usize];
                degree[u as usize] -= 1;
                degree[v as usize] -= 1;
                mate[a as usize] = u;
                mate[b as usize] = v;
                let (du, dv) = (degree[u as usize], degree[v as usize]);
                *fragments = *fragments + u32::from(du) + u32::from(dv) - 1;
            }
            Deed::Decide(edge) => {
                if let Some(shortcuts) = shortcuts {
                    shortcuts.decided[edge as usize] = 0;
                    shortcuts.absent[edge as usize] = false;
                }
            }
        });
        if let Some(shortcuts) = shortcuts {
            shortcuts.fresh.clear();
            // At the root, engines only try things out.
            let pay = if level > 0 { shortcuts.pay } else { 0 };
            shortcuts.credit = shortcuts.credit.saturating_add(pay);
            shortcuts.told_closed &= *closing != NO_EDGE;
        }
    }

    #[inline]
    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict {
        let number = self.edge_of[item.index() - self.first_secondary];
        if number == NO_EDGE {
            return Verdict::Fine;
        }
        if let Some(shortcuts) = &mut self.shortcuts {
            shortcuts.decided[number as usize] = 1;
            shortcuts.absent[number as usize] = Some(color) != self.present;
            self.trail.push(Deed::Decide(number));
        }
        if Some(color) != self.present {
            return Verdict::Fine;
        }
        self.join(number)
    }

    fn settle(&mut self, moves: &mut dyn Moves) -> Verdict {
        let (Some(mut shortcuts), Some(present)) = (self.shortcuts.take(), self.present) else {
            return Verdict::Fine;
        };
        if self.closing != NO_EDGE && !shortcuts.told_closed {
            // The loop is complete: whatever is undecided is not in it.
            shortcuts.told_closed = true;
            for edge in memchr::memchr_iter(0, &shortcuts.decided) {
                let why = |out: &mut Reason| self.explain_closed(edge as u32, out);
                moves.forbid(self.edges[edge].item, present, &why);
            }
        }
        if self.fragments == 2 {
            // The older of the two may have been alone until now, when its edge was not lost yet.
            self.add_all_ends(&mut shortcuts.fresh);
        }
        if self.fragments > 1 && self.closing == NO_EDGE {
            for &end in &shortcuts.fresh {
                if let Some(edge) = self.closing_edge(&shortcuts, end) {
                    let item = self.edges[edge as usize].item;
                    moves.forbid(item, present, &|out| self.explain_early(end, out));
                }
            }
        }
        shortcuts.fresh.clear();
        let verdict = self.keep_to_block(&mut shortcuts, moves);
        self.shortcuts = Some(shortcuts);
        if verdict.is_fine() { verdict } else { self.refuse(Refusal::Apart) }
    }

    fn forbids(&self) -> bool {
        self.shortcuts.is_some()
    }

    fn complete(&mut self) -> Verdict {
        if self.closing == NO_EDGE { self.refuse(Refusal::Open) } else { Verdict::Fine }
    }

    fn automata(&self) -> Option<Vec<Box<dyn Automaton>>> {
        let SingleLoopPropagator { edges, edge_of, first_secondary, present, .. } = self;
        Some(vec![Box::new(Mates::new(edges, edge_of, *first_secondary, *present))])
    }

    fn explain(&self, out: &mut Reason) {
        let u = |edge: u32| self.edges[edge as usize].u;
        match self.refusal {
            Refusal::Another(edge) => {
                self.explain_closed(edge, out);
                self.say(&[edge], out);
            }
            Refusal::Third(vertex, edge) => {
                out.lemma = lemmas::THIRD;
                self.say(&self.at[vertex as usize], out);
                self.say(&[edge], out);
            }
            Refusal::Apart => {
                if let Some(shortcuts) = &self.shortcuts {
                    out.clone_from(&shortcuts.apart);
                }
            }
            Refusal::Early(edge) => {
                self.explain_early(u(edge), out);
                self.say(&[edge], out);
            }
            Refusal::Open => self.explain_open(out),
        }
    }
}
