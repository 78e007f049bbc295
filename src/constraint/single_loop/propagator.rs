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
use crate::constraint::graph::{Edge, EdgeItems, Graph, NO_EDGE};
use crate::constraint::{Moves, Propagator, Reason, Verdict};
use crate::ids::{Color, ItemId};
use crate::problem::Problem;
use crate::trail::Trail;

mod blocks;
mod reasons;

use super::{automaton::Mates, lemmas};
use blocks::{Blocks, Hop};

/// Why there is a color.
const PRESENT: &str = "an edge is present only if an option has the color";

/// What an engine asks of `--loop`.
#[derive(Clone, Debug)]
pub struct SingleLoopPropagator {
    edges: EdgeItems,
    /// By vertex: its item.
    vertices: Vec<ItemId>,
    mate: Vec<u32>,
    degree: Vec<u8>,
    /// By vertex: the edges present at it, as many as its degree says.
    at: Vec<[u32; 2]>,
    fragments: u32,
    /// The edge that closed the loop, or [`NO_EDGE`]. It is not counted in the degrees.
    closing: u32,
    trail: Trail<LoopChange>,
    refusal: LoopRefusal,
    /// In a box, since they are set aside while they are at work.
    shortcuts: Option<Box<Shortcuts>>,
}

/// Why an edge, or a whole solution, was refused.
#[derive(Clone, Copy, Debug)]
enum LoopRefusal {
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
enum LoopChange {
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
    forbade_rest: bool,
    /// By edge: whether it is known to be absent.
    absent: Vec<bool>,
    blocks: Blocks,
    /// Grows by `allowance` when choices are taken back; the blocks are looked at when it reaches the
    /// number of edges.
    budget: usize,
    allowance: usize,
    /// Why a block was refused.
    apart: Reason,
}

/// How much is added to the budget when choices are taken back, in edges. On a board of 10 x 10 cells a search for
/// blocks then follows every other time, on one of 30 x 30 every sixteenth time.
pub const ALLOWANCE: usize = 120;

impl SingleLoopPropagator {
    /// The edges of `graph` with color `1` form one cycle.
    pub fn new(problem: &Problem, graph: &Graph) -> Self {
        SingleLoopPropagator {
            edges: EdgeItems::new(problem, graph),
            vertices: graph.items.clone(),
            mate: vec![0; graph.vertices.len()],
            degree: vec![0; graph.vertices.len()],
            at: vec![[NO_EDGE; 2]; graph.vertices.len()],
            fragments: 0,
            closing: NO_EDGE,
            trail: Trail::default(),
            refusal: LoopRefusal::Open,
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
        let (forbade_rest, budget, allowance) = (false, 0, 0);
        self.shortcuts = Some(Box::new(Shortcuts {
            at,
            decided,
            fresh,
            forbade_rest,
            absent,
            blocks,
            budget,
            allowance,
            apart,
        }));
        self
    }

    /// Forbids, besides, edges that cannot be in a loop with the first one, since a single vertex parts
    /// them. That takes a search of the whole graph, so we look only now and then: each time when
    /// choices are taken back, unless all of them are, adds `allowance` edges to the budget ([`ALLOWANCE`]).
    pub fn with_blocks(self, allowance: usize) -> Self {
        let mut rule = self.with_shortcuts();
        if let Some(shortcuts) = &mut rule.shortcuts {
            shortcuts.allowance = allowance;
        }
        rule
    }

    /// Adds an edge.
    fn join(&mut self, edge: u32) -> Verdict {
        let Edge { u, v, .. } = self.edges[edge as usize];
        let (du, dv) = (self.degree[u as usize], self.degree[v as usize]);
        if self.closing != NO_EDGE {
            return self.refuse(LoopRefusal::Another(edge));
        }
        if du == 2 || dv == 2 {
            return self.refuse(LoopRefusal::Third(if du == 2 { u } else { v }, edge));
        }
        let a = if du == 0 { u } else { self.mate[u as usize] };
        let b = if dv == 0 { v } else { self.mate[v as usize] };
        if a == v && du == 1 {
            if self.fragments != 1 {
                return self.refuse(LoopRefusal::Early(edge));
            }
            self.closing = edge;
            self.trail.push(LoopChange::Close);
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
        self.trail.push(LoopChange::Join { edge, a, b });
        if let Some(shortcuts) = &mut self.shortcuts {
            shortcuts.fresh.push(a);
        }
        Verdict::Fine
    }

    /// Forbids the edges that no loop through the first one can have.
    fn keep_to_block(&self, shortcuts: &mut Shortcuts, moves: &mut dyn Moves) -> Verdict {
        if self.closing != NO_EDGE || shortcuts.budget < self.edges.len() {
            return Verdict::Fine;
        }
        let first = self.trail.entries().iter().find_map(|change| match *change {
            LoopChange::Join { edge, .. } => Some(edge),
            _ => None,
        });
        let (Some(first), Some(present)) = (first, self.edges.present) else {
            return Verdict::Fine;
        };
        shortcuts.budget = 0;
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

    fn refuse(&mut self, refusal: LoopRefusal) -> Verdict {
        self.refusal = refusal;
        Verdict::Refuse
    }

    /// Adds one end of each fragment to `ends`: the latest edge of a fragment knows its ends.
    fn add_all_ends(&self, ends: &mut Vec<u32>) {
        let mut missing = self.fragments;
        for change in self.trail.entries().iter().rev() {
            let &LoopChange::Join { a, .. } = change else { continue };
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
        trail.undo_to(level, |change| match change {
            LoopChange::Close => *closing = NO_EDGE,
            LoopChange::Join { edge, a, b } => {
                let Edge { u, v, .. } = edges[edge as usize];
                degree[u as usize] -= 1;
                degree[v as usize] -= 1;
                mate[a as usize] = u;
                mate[b as usize] = v;
                let (du, dv) = (degree[u as usize], degree[v as usize]);
                *fragments = *fragments + u32::from(du) + u32::from(dv) - 1;
            }
            LoopChange::Decide(edge) => {
                if let Some(shortcuts) = shortcuts {
                    shortcuts.decided[edge as usize] = 0;
                    shortcuts.absent[edge as usize] = false;
                }
            }
        });
        if let Some(shortcuts) = shortcuts {
            shortcuts.fresh.clear();
            // At the root, engines only try things out.
            let allowance = if level > 0 { shortcuts.allowance } else { 0 };
            shortcuts.budget = shortcuts.budget.saturating_add(allowance);
            shortcuts.forbade_rest &= *closing != NO_EDGE;
        }
    }

    #[inline]
    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict {
        let number = self.edges.number(item);
        if number == NO_EDGE {
            return Verdict::Fine;
        }
        if let Some(shortcuts) = &mut self.shortcuts {
            shortcuts.decided[number as usize] = 1;
            shortcuts.absent[number as usize] = Some(color) != self.edges.present;
            self.trail.push(LoopChange::Decide(number));
        }
        if Some(color) != self.edges.present {
            return Verdict::Fine;
        }
        self.join(number)
    }

    fn settle(&mut self, moves: &mut dyn Moves) -> Verdict {
        let Some(present) = self.edges.present else { return Verdict::Fine };
        let Some(mut shortcuts) = self.shortcuts.take() else { return Verdict::Fine };
        if self.closing != NO_EDGE && !shortcuts.forbade_rest {
            // The loop is complete: whatever is undecided is not in it.
            shortcuts.forbade_rest = true;
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
        if verdict.is_fine() { verdict } else { self.refuse(LoopRefusal::Apart) }
    }

    fn forbids(&self) -> bool {
        self.shortcuts.is_some()
    }

    fn complete(&mut self) -> Verdict {
        if self.closing == NO_EDGE { self.refuse(LoopRefusal::Open) } else { Verdict::Fine }
    }

    fn automata(&self) -> Option<Vec<Box<dyn Automaton>>> {
        Some(vec![Box::new(Mates::new(self.edges.clone()))])
    }

    fn explain(&self, out: &mut Reason) {
        let u = |edge: u32| self.edges[edge as usize].u;
        match self.refusal {
            LoopRefusal::Another(edge) => {
                self.explain_closed(edge, out);
                self.say(&[edge], out);
            }
            LoopRefusal::Third(vertex, edge) => {
                out.lemma = lemmas::THIRD;
                self.say(&self.at[vertex as usize], out);
                self.say(&[edge], out);
            }
            LoopRefusal::Apart => {
                let shortcuts =
                    self.shortcuts.as_ref().expect("only a search for blocks refuses so");
                out.clone_from(&shortcuts.apart);
            }
            LoopRefusal::Early(edge) => {
                self.explain_early(u(edge), out);
                self.say(&[edge], out);
            }
            LoopRefusal::Open => self.explain_open(out),
        }
    }
}
