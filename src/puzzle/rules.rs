//! The rules in plain loops: what `check` has to say, and the single loop as a walk.
//!
//! Nothing here is used to write problems, so that a mistake in a construction cannot hide behind
//! the same mistake in its check.

use super::clues::Coloring;
use crate::names::{Coord, Role};
use std::fmt;

/// A rule that a coloring breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenRule {
    /// The coordinates of the vertex, edge or cell, where there is one.
    pub at: Option<Coord>,
    /// What is wrong, without a final period.
    pub what: String,
}

impl BrokenRule {
    /// Something is wrong at one place.
    pub fn at(at: Coord, what: impl Into<String>) -> Self {
        BrokenRule { at: Some(at), what: what.into() }
    }

    /// Something is wrong with the whole.
    pub fn everywhere(what: impl Into<String>) -> Self {
        BrokenRule { at: None, what: what.into() }
    }
}

impl fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.at {
            None => f.write_str(&self.what),
            // People count rows and columns from 1; of cells or of vertices, as the case may be.
            Some(at) => {
                let place = match at.role() {
                    Role::Vertex | Role::Cell => at.role().noun(),
                    Role::Edge => {
                        return write!(f, "edge {},{}: {}", at.row, at.col, self.what);
                    }
                };
                write!(f, "{place} {},{}: {}", at.row / 2 + 1, at.col / 2 + 1, self.what)
            }
        }
    }
}

impl std::error::Error for BrokenRule {}

/// The edges of color `1` on a lattice of `rows` x `cols` vertices.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    /// Rows of vertices.
    pub rows: u32,
    /// Columns of vertices.
    pub cols: u32,
    /// The colors.
    pub coloring: &'a Coloring,
}

impl Path<'_> {
    /// Whether the edge at this midpoint is present. Takes signed numbers, so that callers may ask
    /// for edges beyond the rim: those are absent.
    pub fn has(&self, row: i64, col: i64) -> bool {
        let (last_row, last_col) = (2 * i64::from(self.rows) - 2, 2 * i64::from(self.cols) - 2);
        if row < 0 || col < 0 || row > last_row || col > last_col {
            return false;
        }
        let edge = Coord::new(row as u32, col as u32);
        edge.role() == Role::Edge && self.coloring.is(edge, b"1")
    }

    /// How many edges meet in the vertex.
    pub fn degree(&self, vertex: Coord) -> usize {
        self.next(vertex).count()
    }

    /// The vertices next to `vertex` along present edges.
    fn next(&self, vertex: Coord) -> impl Iterator<Item = Coord> {
        let (row, col) = (i64::from(vertex.row), i64::from(vertex.col));
        [(-1, 0), (0, -1), (0, 1), (1, 0)]
            .into_iter()
            .filter(move |(down, right)| self.has(row + down, col + right))
            .map(move |(down, right)| Coord::new((row + 2 * down) as u32, (col + 2 * right) as u32))
    }

    /// Checks that the present edges are exactly one cycle; with `full` one through all vertices.
    pub fn single_loop(&self, full: bool) -> Result<(), BrokenRule> {
        let mut edges = 0;
        for (at, color) in self.coloring.iter() {
            if at.role() == Role::Edge && color == b"1" {
                if !self.has(i64::from(at.row), i64::from(at.col)) {
                    return Err(BrokenRule::everywhere("an edge lies beyond the board"));
                }
                edges += 1;
            }
        }
        let mut start = None;
        for row in 0..self.rows {
            for col in 0..self.cols {
                let vertex = Coord::new(2 * row, 2 * col);
                match self.degree(vertex) {
                    0 if full => {
                        return Err(BrokenRule::at(vertex, "the loop does not come here"));
                    }
                    0 => {}
                    2 => start = start.or(Some(vertex)),
                    1 => return Err(BrokenRule::at(vertex, "the loop has an end")),
                    _ => return Err(BrokenRule::at(vertex, "the loop touches or crosses itself")),
                }
            }
        }
        let Some(start) = start else {
            return Err(BrokenRule::everywhere("there is no loop"));
        };
        let (mut before, mut here, mut length) = (start, start, 0);
        while length == 0 || here != start {
            let Some(next) = self.next(here).find(|&next| length == 0 || next != before) else {
                return Err(BrokenRule::at(here, "the loop has an end"));
            };
            (before, here) = (here, next);
            length += 1;
        }
        if length < edges {
            return Err(BrokenRule::everywhere("there are several loops"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coloring(edges: &[(u32, u32)]) -> Coloring {
        let mut coloring = Coloring::new();
        for &(row, col) in edges {
            coloring.insert(Coord::new(row, col), b"1");
        }
        coloring
    }

    fn verdict(rows: u32, cols: u32, full: bool, edges: &[(u32, u32)]) -> String {
        let coloring = coloring(edges);
        match (Path { rows, cols, coloring: &coloring }.single_loop(full)) {
            Ok(()) => "a loop".into(),
            Err(broken) => broken.to_string(),
        }
    }

    const SQUARE: [(u32, u32); 4] = [(0, 1), (1, 0), (1, 2), (2, 1)];

    #[test]
    fn tells_a_loop_from_all_else() {
        let two = [SQUARE, SQUARE.map(|(row, col)| (row, col + 4))].concat();
        let eight = [SQUARE, SQUARE.map(|(row, col)| (row + 2, col + 2))].concat();
        assert_eq!(verdict(2, 2, true, &SQUARE), "a loop");
        assert_eq!(verdict(2, 4, true, &SQUARE), "vertex 1,3: the loop does not come here");
        assert_eq!(verdict(2, 4, false, &SQUARE), "a loop");
        assert_eq!(verdict(2, 4, false, &two), "there are several loops");
        assert_eq!(verdict(2, 2, false, &[]), "there is no loop");
        assert_eq!(verdict(2, 2, false, &SQUARE[..3]), "vertex 2,1: the loop has an end");
        assert_eq!(verdict(3, 3, false, &eight), "vertex 2,2: the loop touches or crosses itself");
        assert_eq!(verdict(1, 2, false, &SQUARE), "an edge lies beyond the board");
    }
}
