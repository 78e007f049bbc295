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
//! one loop is left to `--loop`. docs/notes/puzzles.md has the sizes and the proof.

use super::clues::{Clue, Clues, Coloring, Sketch};
use super::grid::Sheet;
use super::lattice::{COLOR, Lattice, draw_edges};
use super::rules::{BrokenRule, Path};
use super::{Model, Out, Kind, Report, too_large};
use crate::constraint::{Constraint, SingleLoop};
use crate::diagnostic::Diagnostic;
use crate::names::Coord;
use crate::picture::{Mark, Picture, Point};
use crate::wording::counted;
use std::io;

/// The entry of the registry.
pub static KIND: Slitherlink = Slitherlink;

/// The kind; it has no state.
#[derive(Clone, Copy, Debug)]
pub struct Slitherlink;

/// The sixteen colorings of the edges north, west, east, south of a cell as bits 8, 4, 2, 1, in the
/// order of `bin` in Knuth's program: by the number of ones.
const BORDERS: [u8; 16] = [0, 1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15];

/// The board of Knuth's superslitherlink-dlx in the comments of a .dlx file: the clues that are
/// numbers, and the letters in its other cells. There a letter stands for a region, and a line such as
/// `!a=3` says how many edges of the loop are on its border. `None` if the comments hold no such board.
pub fn super_board(head: &[u8]) -> Option<(Clues, Vec<Mark>)> {
    let mut sheet = Sheet::of_comments(head, KIND.header())?.ok()?;
    sheet.rows.retain(|row| row.text.first() != Some(&b'!'));
    let is_letter = |byte: u8| clue(byte).is_none() && byte.is_ascii_graphic();
    let clues = sheet.clues(KIND.legend(), |byte| match is_letter(byte) {
        true => Some(Clue::Blank),
        false => clue(byte),
    });
    let mut letters = Vec::new();
    for (row, i) in sheet.rows.iter().zip(0..) {
        for (&byte, j) in row.text.iter().zip(0..) {
            if is_letter(byte) {
                let text = char::from(byte).to_string();
                letters.push(Mark::Text(Point::new(2 * i + 1, 2 * j + 1), text));
            }
        }
    }
    clues.ok().filter(|_| !letters.is_empty()).map(|clues| (clues, letters))
}

/// The clue that a character stands for.
fn clue(byte: u8) -> Option<Clue> {
    match byte {
        b'.' => Some(Clue::Blank),
        b'?' => Some(Clue::Unknown),
        b'0'..=b'4' => Some(Clue::Number(u32::from(byte - b'0'))),
        _ => None,
    }
}

impl Kind for Slitherlink {
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

    fn constraints(&self) -> &'static [&'static dyn Constraint] {
        &[&SingleLoop]
    }

    fn header(&self) -> &'static str {
        "slitherlink-dlx:"
    }

    fn parse(&self, sheet: &Sheet) -> Result<Clues, Diagnostic> {
        sheet.clues(self.legend(), clue)
    }

    fn cell(&self, clue: Clue, _: bool, text: &mut Vec<u8>) {
        text.push(match clue {
            Clue::Number(count @ 0..=4) => b'0' + count as u8,
            Clue::Unknown => b'?',
            _ => b'.',
        });
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

    fn draw(&self, clues: &Clues, sketch: Option<&Sketch>) -> Picture {
        let (rows, cols) = (clues.rows, clues.cols);
        let mut picture = Picture::new(rows, cols, format!("Slitherlink, {rows} x {cols} cells"));
        let mut given = 0u64;
        for (row, col, clue) in clues.iter() {
            let text = match clue {
                Clue::Number(count) => count.to_string(),
                Clue::Unknown => "?".into(),
                _ => continue,
            };
            given += 1;
            picture.marks.push(Mark::Text(Point::new(2 * row + 1, 2 * col + 1), text));
        }
        picture.description = format!("A board with {}", counted(given, "clue"));
        if let Some(lattice) = Lattice::new(rows + 1, cols + 1, 0) {
            let vertices = lattice.vertices().map(|at| Mark::Dot(Point::new(at.row, at.col)));
            picture.marks.extend(vertices);
            if let Some(sketch) = sketch {
                let path = draw_edges(lattice, sketch, 0, &mut picture);
                picture.description += &format!(" and {path}");
            }
        }
        picture.description.push('.');
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
                    let borders = counted(taken, "border");
                    let what = format!("the loop takes {borders}, the number is {count}");
                    return Err(BrokenRule::at(cell, what));
                }
            }
        }
        path.single_loop(clues.full)
    }
}

#[cfg(test)]
mod tests {
    use super::super::from_comments;
    use super::super::testing::*;
    use super::*;

    // The .dlx files are what slitherlink-dlx wrote.
    #[test]
    fn writes_what_slitherlink_dlx_writes() {
        for (name, board, golden) in fixtures![
            "slitherlink",
            ".dlx",
            "deg-slither-blank-4x4",
            "limit-2x30",
            "sgt-loopy-10x10-h-1",
            "sgt-loopy-12x17-e-1",
            "sgt-loopy-7x7-e-1",
            "sgt-loopy-7x7-t-1",
            "sgt-loopy-8x9-t-1",
        ] {
            let clues = KIND.read(board.as_bytes()).unwrap();
            assert_eq!(write(&KIND, &clues, false).0, trimmed(golden), "{name}");
        }
    }

    // The .sol files come from an oracle that knows no exact cover, see fixtures/README.md.
    #[test]
    fn the_check_accepts_known_solutions_and_nothing_near_them() {
        for (name, board, solution) in fixtures![
            "slitherlink",
            ".sol",
            "deg-slither-1x5",
            "deg-slither-blank-1x1",
            "deg-slither-one-4",
            "sgt-loopy-10x10-h-1",
            "sgt-loopy-12x17-e-1",
            "sgt-loopy-36x36-e-1",
            "sgt-loopy-7x7-e-1",
            "sgt-loopy-7x7-t-1",
            "sgt-loopy-8x9-t-1",
        ] {
            let clues = KIND.read(board.as_bytes()).unwrap();
            assert_isolated(&KIND, &clues, edges(solution), name);
        }
    }

    // The number of cycles of 2 x 2 cells is 13 (OEIS A140517), and none goes through all nine
    // vertices: a bipartite graph with an odd number of vertices has no Hamilton cycle.
    #[test]
    fn covers_that_are_loops_are_what_the_check_accepts() {
        let points: Vec<Coord> = Lattice::new(3, 3, 0).unwrap().edges().collect();
        let single = |coloring: &Coloring| {
            Path { rows: 3, cols: 3, coloring }.single_loop(false).is_ok()
        };
        let loops = sets_that(&points, single);
        assert_eq!(loops.len(), 13);
        let palette = [Clue::Blank, Clue::Unknown, Clue::Number(1), Clue::Number(2), Clue::Number(3)];
        let mut random = fastrand::Rng::with_seed(410);
        for round in 0..40 {
            let mut clues = random_board(&mut random, 2, 2, &palette);
            clues.full = round % 8 == 7;
            let mut covers = covers(&write(&KIND, &clues, false).0);
            covers.retain(|cover| loops.iter().any(|(_, set)| set == cover));
            let mut accepted: Vec<_> = loops
                .iter()
                .filter(|(coloring, _)| KIND.check(&clues, coloring).is_ok())
                .map(|(_, set)| set.clone())
                .collect();
            accepted.sort();
            assert_eq!(covers, accepted, "{clues:?}");
            assert!(!clues.full || accepted.is_empty());
        }
    }

    #[test]
    fn sizes_obey_the_formulas() {
        for (rows, cols) in [(1, 1), (1, 7), (3, 1), (4, 5), (31, 2), (2, 40)] {
            let mut clues = Clues::blank(rows, cols);
            clues.cells[0] = Clue::Number(2);
            let (_, counts) = write(&KIND, &clues, false);
            let (m, n) = (u64::from(rows), u64::from(cols));
            assert_eq!(counts.primary, (m + 1) * (n + 1) + 1);
            assert_eq!(counts.secondary, m * (n + 1) + n * (m + 1));
            let tiles = 8 + 8 * (m + n - 2) + 7 * (m - 1) * (n - 1);
            assert_eq!(counts.options, tiles + 6);
            clues.full = true;
            assert_eq!(write(&KIND, &clues, false).1.options, tiles - (m + 1) * (n + 1) + 6);
        }
    }

    #[test]
    fn boards_come_back_from_the_comments() {
        let mut wide = Clues::blank(1, 1921);
        wide.cells[1920] = Clue::Number(3);
        wide.cells[7] = Clue::Unknown;
        let mut full = Clues::blank(3, 1);
        full.full = true;
        for clues in [wide, full, Clues::blank(1, 1)] {
            let (text, _) = write(&KIND, &clues, false);
            let (kind, back) = from_comments(text.as_bytes()).unwrap().unwrap();
            assert_eq!((kind.name(), back), ("slitherlink", clues));
        }
    }

    #[test]
    fn refuses_other_characters_with_row_and_column() {
        let error = KIND.read(b"..\n.5\n").unwrap_err();
        assert_eq!((error.line, error.column), (2, 2));
        assert_eq!(error.what, "illegal character `5`");
        assert_eq!(error.expected.as_deref(), Some("`.`, `?` or 0 to 4"));
    }
}
