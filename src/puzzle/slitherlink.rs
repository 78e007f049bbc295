//! Slitherlink: a loop along the borders of cells; a number says how many of the four borders of
//! its cell the loop takes.
//!
//! ```text
//! 3.   the board       ┌───────┐
//!                      │ 3     │   its only solution: around the first cell
//!                      └───────┘   alone, the loop would take four borders
//! ```
//!
//! The construction is that of Knuth's slitherlink-dlx (TAOCP 7.2.2.1, exercises 410 and 412).
//! Primary items are the vertices and the cells with a number; secondary items are the edges, with
//! color `1` if the loop takes them and `0` if not. An option of a vertex colors all its edges, two
//! of them or none `1`; an option of a number colors the four edges of its cell. That the edges are
//! one loop is left to `--loop`. docs/puzzles.md has the sizes and the proof.

use super::clues::{Clue, Clues, Coloring};
use super::grid::Sheet;
use super::lattice::{COLOR, Lattice};
use super::rules::{BrokenRule, Path};
use super::{Model, Out, Puzzle, Report, too_large};
use crate::diagnostic::Diagnostic;
use crate::names::Coord;
use crate::picture::{Mark, Picture, Point};
use std::io;

/// The entry of the registry.
pub static KIND: Slitherlink = Slitherlink;

/// The kind; it has no state.
#[derive(Clone, Copy, Debug)]
pub struct Slitherlink;

/// The sixteen colorings of the edges north, west, east, south of a cell as bits 8, 4, 2, 1, in the
/// order of `bin` in Knuth's program: by the number of ones.
const BORDERS: [u8; 16] = [0, 1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15];

impl Puzzle for Slitherlink {
    fn name(&self) -> &'static str {
        "slitherlink"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["fences", "loopy", "slither"]
    }

    fn rule(&self) -> &'static str {
        "one loop along the borders; a number counts the borders of its cell that the loop takes"
    }

    fn legend(&self) -> &'static str {
        "`.`, `?` or 0 to 4"
    }

    fn constraints(&self) -> &'static [&'static str] {
        &["--loop"]
    }

    fn header(&self) -> &'static str {
        "slitherlink-dlx:"
    }

    fn parse(&self, sheet: &Sheet) -> Result<Clues, Diagnostic> {
        sheet.clues(self.legend(), |byte| match byte {
            b'.' => Some(Clue::Blank),
            b'?' => Some(Clue::Unknown),
            b'0'..=b'4' => Some(Clue::Number(u32::from(byte - b'0'))),
            _ => None,
        })
    }

    fn row(&self, clues: &Clues, row: u32, text: &mut Vec<u8>) {
        text.extend((0..clues.cols).map(|col| match clues.at(row, col) {
            Clue::Number(count @ 0..=4) => b'0' + count as u8,
            Clue::Unknown => b'?',
            _ => b'.',
        }));
    }

    fn write(&self, clues: &Clues, _: Model, out: &mut Out) -> io::Result<Report> {
        let sides = clues.rows.checked_add(1).zip(clues.cols.checked_add(1));
        let lattice = sides.and_then(|(rows, cols)| Lattice::new(rows, cols, 0));
        let lattice = lattice.ok_or_else(too_large)?;
        let numbers = || {
            clues.iter().filter_map(|(row, col, clue)| match clue {
                Clue::Number(count @ 0..=4) => Some((Coord::new(2 * row + 1, 2 * col + 1), count)),
                _ => None,
            })
        };
        self.board_comments(clues, out)?;
        for vertex in lattice.vertices() {
            out.primary(&lattice.name(vertex))?;
        }
        for (cell, _) in numbers() {
            out.primary(&lattice.name(cell))?;
        }
        for edge in lattice.edges() {
            out.secondary(&lattice.name(edge))?;
        }
        out.end_items()?;
        for vertex in lattice.vertices() {
            lattice.write_tiles(vertex, clues.full, out)?;
        }
        for (cell, count) in numbers() {
            let edges = lattice.around(cell, 1);
            for borders in BORDERS.into_iter().filter(|borders| borders.count_ones() == count) {
                out.entry(&lattice.name(cell))?;
                for (edge, bit) in edges.iter().flatten().zip([3, 2, 1, 0]) {
                    let present = usize::from(borders >> bit & 1);
                    out.colored(&lattice.name(*edge), COLOR[present])?;
                }
                out.end_option()?;
            }
        }
        Ok(Report::default())
    }

    fn draw(&self, clues: &Clues, coloring: Option<&Coloring>) -> Picture {
        let (rows, cols) = (clues.rows, clues.cols);
        let mut picture = Picture::new(rows, cols, format!("Slitherlink, {rows} x {cols} cells"));
        let (mut given, mut taken) = (0u64, 0u64);
        for (row, col, clue) in clues.iter() {
            let text = match clue {
                Clue::Number(count) => count.to_string(),
                Clue::Unknown => "?".into(),
                _ => continue,
            };
            given += 1;
            picture.marks.push(Mark::Text(Point::new(2 * row + 1, 2 * col + 1), text));
        }
        for row in 0..=2 * rows {
            for col in 0..=2 * cols {
                let at = Coord::new(row, col);
                if row % 2 == 0 && col % 2 == 0 {
                    picture.marks.push(Mark::Dot(Point::new(row, col)));
                } else if let (Some(colors), Some((one, other))) = (coloring, at.ends())
                    && colors.is(at, b"1")
                {
                    let (one, other) =
                        (Point::new(one.row, one.col), Point::new(other.row, other.col));
                    picture.marks.push(Mark::Line(one, other));
                    taken += 1;
                }
            }
        }
        picture.description = match coloring {
            None => format!("A board with {given} clues."),
            Some(_) => format!("A board with {given} clues and a path of {taken} edges."),
        };
        picture
    }

    fn check(&self, clues: &Clues, coloring: &Coloring) -> Result<(), BrokenRule> {
        let path = Path { rows: clues.rows + 1, cols: clues.cols + 1, coloring };
        for row in 0..clues.rows {
            for col in 0..clues.cols {
                let Clue::Number(count) = clues.at(row, col) else { continue };
                let (i, j) = (i64::from(2 * row + 1), i64::from(2 * col + 1));
                let borders = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)];
                let taken = borders.iter().filter(|&&(i, j)| path.has(i, j)).count();
                if taken != count as usize {
                    let cell = Coord::new(2 * row + 1, 2 * col + 1);
                    let what = format!("the loop takes {taken} borders, the number is {count}");
                    return Err(BrokenRule::at(cell, what));
                }
            }
        }
        path.single_loop(clues.full)
    }
}
