//! A loop as a walk from vertex to vertex, as `dlx2-loop m1` prints it.

use std::collections::{HashMap, HashSet};

use crate::constraint::graph::Graph;
use crate::ids::Color;
use crate::names::{Coord, Width};
use crate::problem::Problem;
use crate::solution::Choices;
use crate::solutions::format::{Lifts, SolutionFormat, WriteSolution};
use crate::solutions::verify::SolutionFault;

/// The format.
pub static TOUR: SolutionFormat = SolutionFormat {
    name: "tour",
    help: "As dlx2-loop m1; needs --loop",
    before_number: Some(b""),
    has_more_lines: false,
    is_json: false,
    lifts: Lifts::Never("a tour has no options to lift; use it as it is"),
    writer: Some(|source| {
        let graph = source.graph.expect("a tour is asked for with a loop");
        Box::new(Tours::new(source.problem, graph))
    }),
};

/// The edges of a tour, each by its midpoint, from the start on; a fault unless it is a cycle.
pub fn edges(tour: &[Coord]) -> Result<Vec<Coord>, SolutionFault> {
    let fault = |index: usize, what: &str| Err(SolutionFault { what: what.into(), at: Some(index) });
    let mut edges = Vec::with_capacity(tour.len());
    let mut visited = HashSet::new();
    for (index, &here) in tour.iter().enumerate() {
        if index > 0 {
            let there = tour[index - 1];
            let (rows, cols) = (here.row.abs_diff(there.row), here.col.abs_diff(there.col));
            if rows + cols != 2 || rows == 1 {
                return fault(index, "this vertex is no neighbor of the one before");
            }
            let (row, col) = (here.row.min(there.row), here.col.min(there.col));
            edges.push(Coord::new(row + rows / 2, col + cols / 2));
        }
        let closes = index > 0 && index + 1 == tour.len() && here == tour[0];
        if !visited.insert(here) && !closes {
            return fault(index, "the tour comes to this vertex twice");
        }
        if index + 1 == tour.len() && !closes {
            return fault(index, "the tour does not end where it started");
        }
    }
    if edges.len() < 4 {
        return Err(SolutionFault { what: "the tour is too short to be a loop".into(), at: None });
    }
    Ok(edges)
}

/// Walks along the edges that a solution colors `1`.
#[derive(Debug)]
pub struct Tours<'a> {
    problem: &'a Problem,
    /// `None` if there are no edges.
    width: Option<Width>,
    present: Option<Color>,
    /// By item: the midpoint of its edge.
    edge_at: Vec<Option<Coord>>,
    /// The midpoints of the edges of the solution at hand; for each, whether it was walked.
    edges: HashMap<Coord, bool>,
}

impl WriteSolution for Tours<'_> {
    fn number(&self) -> Option<(&'static [u8], &'static [u8])> {
        Some((b"", b":"))
    }

    /// Appends `n: v0 v1 ... v0`. The walk starts at the left or upper end of the edge that closed
    /// the loop, the last one that the choices in their order make present; at each step it tries up,
    /// left, right, down. Only the edges of one loop may be present.
    fn write(&mut self, n: u64, choices: &dyn Choices, out: &mut Vec<u8>) {
        let last = self.take_edges(choices);
        out.extend_from_slice(format!("{n}:").as_bytes());
        if let Some((start, _)) = last.and_then(Coord::ends) {
            self.walk(start, out);
        }
        out.push(b'\n');
    }
}

impl<'a> Tours<'a> {
    /// Tours over `graph`, which `problem` has.
    pub fn new(problem: &'a Problem, graph: &Graph) -> Self {
        let mut edge_at = vec![None; problem.items()];
        for edge in &graph.edges {
            edge_at[edge.item.index()] = Some(edge.at);
        }
        let present = problem.find_color(b"1");
        Tours { problem, width: graph.width, present, edge_at, edges: HashMap::new() }
    }

    /// Collects the edges of a solution; answers with the last one.
    fn take_edges(&mut self, choices: &dyn Choices) -> Option<Coord> {
        self.edges.clear();
        let mut last = None;
        for level in 0..choices.levels() {
            let choice = choices.choice(level);
            let Some(option) = choice.option else { continue };
            let entries = self.problem.option(option);
            let start = entries.iter().position(|e| e.item == choice.item).unwrap_or(0);
            for entry in entries.around(start) {
                let Some(at) = self.edge_at[entry.item.index()] else { continue };
                if Some(entry.color) == self.present && self.edges.insert(at, false).is_none() {
                    last = Some(at);
                }
            }
        }
        last
    }

    fn walk(&mut self, start: Coord, out: &mut Vec<u8>) {
        let width = self.width.expect("a loop has edges, and they have names");
        let mut here = start;
        loop {
            out.push(b' ');
            out.extend_from_slice(&width.encode(here));
            let Some(next) = self.step(here) else { return };
            here = next;
        }
    }

    /// Takes the first edge at `here` that was not walked yet, and answers with its other end.
    fn step(&mut self, here: Coord) -> Option<Coord> {
        let Coord { row, col } = here;
        let up = row.checked_sub(1).map(|row| Coord { row, col });
        let left = col.checked_sub(1).map(|col| Coord { row, col });
        let right = Some(Coord::new(row, col + 1));
        let down = Some(Coord::new(row + 1, col));
        for at in [up, left, right, down].into_iter().flatten() {
            if let Some(walked @ false) = self.edges.get_mut(&at) {
                *walked = true;
                let (a, b) = at.ends()?;
                return Some(if a == here { b } else { a });
            }
        }
        None
    }
}
