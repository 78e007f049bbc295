//! The lattice of a loop puzzle: vertices at even coordinates, edges at their midpoints, and the
//! rule that a vertex has no edge or two.
//!
//! A lattice of 2 x 2 vertices, as item names:
//!
//! ```text
//! 00 01 02
//! 10    12
//! 20 21 22
//! ```

use super::Out;
use super::clues::Sketch;
use crate::names::{Coord, Name, Width};
use crate::picture::{Mark, Picture, Point};
use crate::wording::counted;
use std::io;

/// The colors of an edge: absent, present.
pub const COLOR: [&[u8]; 2] = [b"0", b"1"];

/// Which of the edges north, west, east, south of a vertex are present: the six ways to pass
/// through it, then the way not to come there. The order of `code` in Knuth's slitherlink-dlx.
pub const TILES: [[bool; 4]; 7] = [
    [true, true, false, false],
    [true, false, true, false],
    [false, true, false, true],
    [false, false, true, true],
    [true, false, false, true],
    [false, true, true, false],
    [false, false, false, false],
];

/// A rectangle of vertices.
#[derive(Clone, Copy, Debug)]
pub struct Lattice {
    last_row: u32,
    last_col: u32,
    width: Width,
}

impl Lattice {
    /// `rows` x `cols` vertices, at least one; `largest` is the largest coordinate in the file.
    /// `None` if no name can hold it.
    pub fn new(rows: u32, cols: u32, largest: u32) -> Option<Self> {
        let last = |count: u32| count.checked_sub(1)?.checked_mul(2);
        let (last_row, last_col) = (last(rows)?, last(cols)?);
        let width = Width::holding(largest.max(last_row).max(last_col))?;
        Some(Lattice { last_row, last_col, width })
    }

    /// The item name of a point.
    pub fn name(&self, at: Coord) -> Name {
        self.width.encode(at)
    }

    /// The vertices, row by row.
    pub fn vertices(&self) -> impl Iterator<Item = Coord> + use<> {
        let last_col = self.last_col;
        (0..=self.last_row)
            .step_by(2)
            .flat_map(move |row| (0..=last_col).step_by(2).map(move |col| Coord::new(row, col)))
    }

    /// The edges, in the order of their midpoints.
    pub fn edges(&self) -> impl Iterator<Item = Coord> + use<> {
        let last_col = self.last_col;
        (0..=self.last_row).flat_map(move |row| {
            (1 - row % 2..=last_col).step_by(2).map(move |col| Coord::new(row, col))
        })
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> u64 {
        let (rows, cols) = (u64::from(self.last_row / 2), u64::from(self.last_col / 2));
        rows * (cols + 1) + (rows + 1) * cols
    }

    /// The place of an edge in [`edges`](Self::edges), from 0.
    pub fn rank(&self, edge: Coord) -> u64 {
        let across = u64::from(self.last_col / 2);
        let odd = if edge.row % 2 == 1 { across } else { 0 };
        u64::from(edge.row / 2) * (2 * across + 1) + odd + u64::from(edge.col / 2)
    }

    /// The edge with this place in [`edges`](Self::edges).
    pub fn edge(&self, rank: u64) -> Coord {
        let across = u64::from(self.last_col / 2);
        let (pair, rest) = (rank / (2 * across + 1), rank % (2 * across + 1));
        let (row, col) = match rest.checked_sub(across) {
            None => (2 * pair, 2 * rest + 1),
            Some(down) => (2 * pair + 1, 2 * down),
        };
        Coord::new(row as u32, col as u32)
    }

    /// The edge at distance `steps` from a vertex north, west, east, south; `None` beyond the rim.
    pub fn around(&self, at: Coord, steps: u32) -> [Option<Coord>; 4] {
        let plus = |value: u32, last: u32| value.checked_add(steps).filter(|&v| v <= last);
        [
            at.row.checked_sub(steps).map(|row| Coord::new(row, at.col)),
            at.col.checked_sub(steps).map(|col| Coord::new(at.row, col)),
            plus(at.col, self.last_col).map(|col| Coord::new(at.row, col)),
            plus(at.row, self.last_row).map(|row| Coord::new(row, at.col)),
        ]
    }

    /// Writes the options of a vertex: one per tile that fits there. With `full` the loop has to
    /// come there, so the tile without edges is left out.
    pub fn write_tiles(&self, at: Coord, full: bool, out: &mut Out) -> io::Result<()> {
        let edges = self.around(at, 1);
        for tile in &TILES[..TILES.len() - usize::from(full)] {
            if edges.iter().zip(tile).any(|(edge, &present)| present && edge.is_none()) {
                continue;
            }
            out.entry(&self.name(at))?;
            for (edge, &present) in edges.iter().zip(tile) {
                if let Some(edge) = edge {
                    out.colored(&self.name(*edge), COLOR[usize::from(present)])?;
                }
            }
            out.end_option()?;
        }
        Ok(())
    }
}

/// Draws the edges of a sketch: those that are present, open or, if asked for, excluded. `offset` is how
/// far a vertex is from the corner of the board. Answers with a clause for the description.
pub fn draw_edges(lattice: Lattice, sketch: &Sketch, offset: u32, picture: &mut Picture) -> String {
    let point = |at: Coord| Point::new(at.row + offset, at.col + offset);
    let (mut taken, mut open, mut excluded, mut differ) = (0u64, 0u64, 0u64, 0u64);
    for at in lattice.edges() {
        let Some((one, other)) = at.ends() else { continue };
        let ends = (point(one), point(other));
        if sketch.open.contains(&at) {
            picture.marks.push(Mark::Dotted(ends.0, ends.1));
            open += 1;
        } else if sketch.colors.is(at, COLOR[1]) {
            picture.marks.push(Mark::Line(ends.0, ends.1));
            taken += 1;
        } else if sketch.excluded {
            picture.marks.push(Mark::Cross(point(at)));
            excluded += 1;
        }
        if sketch.differ.contains(&at) {
            picture.marks.push(Mark::Halo(point(at)));
            differ += 1;
        }
    }
    match (sketch.excluded, differ) {
        (true, _) => {
            let taken = counted(taken, "certain edge");
            format!("{taken}, {open} open and {excluded} excluded ones")
        }
        (false, 0) => format!("a path of {}", counted(taken, "edge")),
        (false, _) => {
            let verb = if differ == 1 { "differs" } else { "differ" };
            let (taken, edges) = (counted(taken, "edge"), counted(differ, "edge"));
            format!("a path of {taken}; {edges} {verb} from the other answer")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_come_in_the_order_of_their_midpoints() {
        let lattice = Lattice::new(2, 2, 2).unwrap();
        let edges: Vec<(u32, u32)> = lattice.edges().map(|at| (at.row, at.col)).collect();
        assert_eq!(edges, [(0, 1), (1, 0), (1, 2), (2, 1)]);
        assert_eq!(Lattice::new(1, 1, 0).unwrap().edges().count(), 0);
        assert_eq!(Lattice::new(1, 3, 0).unwrap().edges().count(), 2);
    }

    #[test]
    fn ranks_count_the_edges() {
        for (rows, cols) in [(1, 1), (1, 4), (3, 1), (4, 3)] {
            let lattice = Lattice::new(rows, cols, 0).unwrap();
            assert_eq!(lattice.edge_count(), lattice.edges().count() as u64);
            for (rank, edge) in (0..).zip(lattice.edges()) {
                assert_eq!((lattice.rank(edge), lattice.edge(rank)), (rank, edge));
            }
        }
    }

    #[test]
    fn tiles_are_all_ways_to_have_no_edge_or_two() {
        for code in 0..16u32 {
            let tile = [8, 4, 2, 1].map(|bit| code & bit != 0);
            assert_eq!(TILES.contains(&tile), matches!(code.count_ones(), 0 | 2));
        }
    }
}
