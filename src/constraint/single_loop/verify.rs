//! Whether a finished solution has one loop: every vertex has degree 0 or 2, and a walk along the edges meets all.

use crate::constraint::graph::Graph;
use crate::constraint::registry::Verify;
use crate::ids::{Color, ItemId};
use crate::problem::Problem;

/// The edges of one problem.
#[derive(Debug)]
pub(super) struct Loop {
    graph: Graph,
    present: Option<Color>,
    /// By vertex: the edges of the solution that end there.
    ends: Vec<Vec<u32>>,
}

impl Loop {
    pub(super) fn new(problem: &Problem, graph: Graph) -> Self {
        let ends = vec![Vec::new(); graph.vertices.len()];
        Loop { graph, present: problem.find_color(b"1"), ends }
    }
}

impl Verify for Loop {
    fn verify(&mut self, color: &dyn Fn(ItemId) -> Option<Color>) -> Result<(), String> {
        let Loop { graph, present, ends } = self;
        ends.iter_mut().for_each(Vec::clear);
        let mut edges = 0;
        let mut start = None;
        for (number, edge) in graph.edges.iter().enumerate() {
            if present.is_some() && color(edge.item) == *present {
                ends[edge.u as usize].push(number as u32);
                ends[edge.v as usize].push(number as u32);
                start = start.or(Some(number as u32));
                edges += 1;
            }
        }
        let Some(start) = start else {
            return Err("there is no loop: no edge has color `1`".into());
        };
        for (vertex, at) in ends.iter().enumerate() {
            let name = || graph.vertex_name(vertex);
            match at.len() {
                0 | 2 => {}
                1 => return Err(format!("the path ends at vertex `{}`", name())),
                degree => {
                    return Err(format!("{degree} edges of color `1` meet in `{}`", name()));
                }
            }
        }
        let (mut edge, mut length) = (start, 0);
        let mut here = graph.edges[start as usize].u;
        loop {
            let ends_of = &graph.edges[edge as usize];
            here = if ends_of.u == here { ends_of.v } else { ends_of.u };
            length += 1;
            let at = &ends[here as usize];
            edge = if at[0] == edge { at[1] } else { at[0] };
            if edge == start {
                break;
            }
        }
        if length < edges {
            return Err(format!(
                "there are several loops: one of them has {length} of {edges} edges"
            ));
        }
        Ok(())
    }
}
