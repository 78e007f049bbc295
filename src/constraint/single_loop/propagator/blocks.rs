//! Which edges can be in one cycle with a given edge, as long as some edges are absent.
//!
//! A cycle passes a vertex once. So it stays in one *block* of the graph, a largest part that no
//! single vertex cuts (John Hopcroft and Robert Tarjan, "Algorithm 447", CACM 16, 1973). We search
//! depth first, through the given edge first; when the search leaves a child from whose subtree no
//! edge leads above its parent, the edges seen since then are a block, and the subtree is a *part*
//! that hangs on the rest by the parent alone.
//!
//! ```text
//! 00-02-04    Edge 01 is given, and 23 is absent. Then 04 and 24 hang on the rest by 02 alone: neither
//!  |  |  |    03 nor 14 can be in a cycle with 01, since it would have to pass 02 twice. The border of
//! 20-22 24    this part is 23; it is the reason, together with 01.
//! ```

use crate::constraint::graph::Edge;

/// An edge as a vertex sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    pub edge: u32,
    /// The vertex at its other end.
    pub to: u32,
}

/// A set of vertices that hangs on the others by one vertex, or by none.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockPart {
    through: Option<u32>,
    /// Its vertices in the order of the search.
    span: (usize, usize),
}

impl BlockPart {
    /// The vertex by which it hangs on the others, if there is one.
    pub fn through(self) -> Option<u32> {
        self.through
    }
}

#[derive(Clone, Copy, Debug)]
struct BlockFrame {
    vertex: u32,
    /// The edge by which the search came.
    from: u32,
    next: usize,
}

/// Buffers of the search, and what the latest one found.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// By vertex: when it was reached, from 1; 0 if it was not.
    number: Vec<u32>,
    low: Vec<u32>,
    order: Vec<u32>,
    frames: Vec<BlockFrame>,
    pending: Vec<u32>,
    /// The edges that are not absent and in no cycle with the given one, each with its part.
    pub lost: Vec<(u32, BlockPart)>,
}

impl Blocks {
    /// For so many vertices.
    pub fn new(vertices: usize) -> Self {
        Blocks {
            number: vec![0; vertices],
            low: vec![0; vertices],
            order: Vec::with_capacity(vertices),
            frames: Vec::new(),
            pending: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// Finds the edges that are lost for a cycle with `given`. `at` has the hops of each vertex.
    pub fn search(&mut self, given: u32, edges: &[Edge], at: &[Vec<Hop>], absent: &[bool]) {
        self.number.fill(0);
        self.order.clear();
        self.pending.clear();
        self.lost.clear();
        let Edge { u, v, .. } = edges[given as usize];
        self.reach(u, given);
        self.reach(v, given);
        self.pending.push(given);
        self.run(given, at, absent);
        // What was not reached is lost altogether.
        for vertex in 0..at.len() as u32 {
            let is_open = |hop: &Hop| !absent[hop.edge as usize];
            if self.number[vertex as usize] == 0 && at[vertex as usize].iter().any(is_open) {
                let start = self.order.len();
                self.reach(vertex, u32::MAX);
                self.run(u32::MAX, at, absent);
                let part = BlockPart { through: None, span: (start, self.order.len()) };
                let inside = &self.order[start..];
                // Each edge is seen from both ends; once is enough.
                let near = inside
                    .iter()
                    .flat_map(|&v| at[v as usize].iter().map(move |hop| (v, hop.edge)));
                let once = near.filter(|&(v, e)| !absent[e as usize] && edges[e as usize].u == v);
                self.lost.extend(once.map(|(_, edge)| (edge, part)));
            }
        }
    }

    fn reach(&mut self, vertex: u32, from: u32) {
        self.order.push(vertex);
        self.number[vertex as usize] = self.order.len() as u32;
        self.low[vertex as usize] = self.order.len() as u32;
        self.frames.push(BlockFrame { vertex, from, next: 0 });
    }

    /// Searches until no frame is left. Notes the blocks without `given`; none without one.
    fn run(&mut self, given: u32, at: &[Vec<Hop>], absent: &[bool]) {
        while let Some(frame) = self.frames.last_mut() {
            let BlockFrame { vertex, from, .. } = *frame;
            let own = self.number[vertex as usize];
            let mut low = self.low[vertex as usize];
            let mut next = None;
            for &hop in &at[vertex as usize][frame.next..] {
                frame.next += 1;
                if absent[hop.edge as usize] || hop.edge == from {
                    continue;
                }
                match self.number[hop.to as usize] {
                    0 => {
                        next = Some(hop);
                        break;
                    }
                    number if number < own => low = low.min(number),
                    _ => continue,
                }
                self.pending.push(hop.edge);
            }
            self.low[vertex as usize] = low;
            if let Some(Hop { edge, to }) = next {
                self.pending.push(edge);
                self.reach(to, edge);
                continue;
            }
            self.frames.pop();
            let Some(&BlockFrame { vertex: parent, .. }) = self.frames.last() else { return };
            if low < self.number[parent as usize] {
                let above = &mut self.low[parent as usize];
                *above = low.min(*above);
                continue;
            }
            let start = own as usize - 1;
            let part = BlockPart { through: Some(parent), span: (start, self.order.len()) };
            while let Some(edge) = self.pending.pop() {
                if given != u32::MAX && from != given {
                    self.lost.push((edge, part));
                }
                if edge == from {
                    break;
                }
            }
        }
    }

    /// The edges that lead out of a part, but for those to the vertex on which it hangs: all absent.
    pub fn border(&self, part: BlockPart, at: &[Vec<Hop>]) -> Vec<u32> {
        let (start, end) = part.span;
        let mut border = Vec::new();
        for &vertex in &self.order[start..end] {
            for &Hop { edge, to } in &at[vertex as usize] {
                let number = self.number[to as usize] as usize;
                if !(start < number && number <= end) && Some(to) != part.through {
                    border.push(edge);
                }
            }
        }
        border
    }
}
