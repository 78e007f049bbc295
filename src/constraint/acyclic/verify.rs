//! Whether the edges of a finished solution form no cycle: leaves are taken away, with their edges, until none is left; what
//! stays then has a cycle.

use crate::constraint::graph::Graph;
use crate::constraint::registry::Verify;
use crate::ids::{Color, ItemId};
use crate::problem::Problem;

/// The edges of one problem.
#[derive(Debug)]
pub(super) struct Forest {
    graph: Graph,
    present: Option<Color>,
}

impl Forest {
    pub(super) fn new(problem: &Problem, graph: Graph) -> Self {
        Forest { graph, present: problem.find_color(b"1") }
    }
}

impl Verify for Forest {
    fn verify(&mut self, color: &dyn Fn(ItemId) -> Option<Color>) -> Result<(), String> {
        // By vertex: its neighbors along edges that are present and not taken away.
        let mut around: Vec<Vec<u32>> = vec![Vec::new(); self.graph.vertices.len()];
        for edge in &self.graph.edges {
            if self.present.is_some() && color(edge.item) == self.present {
                around[edge.u as usize].push(edge.v);
                around[edge.v as usize].push(edge.u);
            }
        }
        let mut leaves: Vec<u32> =
            (0..around.len() as u32).filter(|&v| around[v as usize].len() == 1).collect();
        while let Some(leaf) = leaves.pop() {
            // Of two leaves that were neighbors, the second one is alone by now.
            let Some(next) = around[leaf as usize].pop() else { continue };
            around[next as usize].retain(|&other| other != leaf);
            if around[next as usize].len() == 1 {
                leaves.push(next);
            }
        }
        let Some(start) = around.iter().position(|next| !next.is_empty()) else {
            return Ok(());
        };
        // Each vertex that is left has two neighbors or more, so a walk that never turns back comes to a
        // vertex for the second time, and that one is on a cycle.
        let mut visited = vec![false; around.len()];
        let (mut before, mut here) = (None, start as u32);
        while !std::mem::replace(&mut visited[here as usize], true) {
            let next = around[here as usize].iter().copied().find(|&next| Some(next) != before);
            (before, here) = (Some(here), next.expect("no vertex that is left is a leaf"));
        }
        let name = self.graph.vertex_name(here as usize);
        Err(format!("the edges of color `1` form a cycle through `{name}`"))
    }
}
