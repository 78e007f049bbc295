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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx::write::{Counts, Writer};
    use crate::names::Width;
    use crate::puzzle::from_comments;

    fn write(clues: &Clues) -> (String, Counts) {
        let mut text = Vec::new();
        let mut out = Writer::new(&mut text as &mut dyn io::Write);
        KIND.write(clues, Model::default(), &mut out).unwrap();
        let counts = out.counts();
        (String::from_utf8(text).unwrap(), counts)
    }

    fn without_trailing_blanks(text: &str) -> String {
        text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
    }

    /// Solutions are lists of edges, as item names or as `row,column`.
    fn coloring(solution: &str) -> Coloring {
        let mut coloring = Coloring::new();
        for word in solution.split_whitespace() {
            let at = match word.split_once(',') {
                Some((row, col)) => Coord::new(row.parse().unwrap(), col.parse().unwrap()),
                None => Width::new(1).unwrap().decode(word.as_bytes()).unwrap(),
            };
            coloring.insert(at, b"1");
        }
        coloring
    }

    macro_rules! fixture {
        ($name:literal, $end:literal) => {
            include_str!(concat!("../../fixtures/slitherlink/", $name, $end))
        };
    }

    // The .dlx files are what slitherlink-dlx wrote.
    macro_rules! golden {
        ($($name:literal),* $(,)?) => {
            [$(($name, fixture!($name, ".txt"), fixture!($name, ".dlx"))),*]
        };
    }

    // The .sol files come from an oracle that knows no exact cover, see fixtures/README.md.
    macro_rules! solved {
        ($($name:literal),* $(,)?) => {
            [$(($name, fixture!($name, ".txt"), fixture!($name, ".sol"))),*]
        };
    }

    #[test]
    fn writes_what_slitherlink_dlx_writes() {
        for (name, board, golden) in golden![
            "deg-slither-blank-4x4",
            "limit-2x30",
            "sgt-loopy-10x10-h-1",
            "sgt-loopy-12x17-e-1",
            "sgt-loopy-7x7-e-1",
            "sgt-loopy-7x7-t-1",
            "sgt-loopy-8x9-t-1",
        ] {
            let (text, _) = write(&KIND.read(board.as_bytes()).unwrap());
            assert_eq!(text, without_trailing_blanks(golden), "{name}");
        }
    }

    #[test]
    fn the_oracle_accepts_published_solutions_and_nothing_near_them() {
        for (name, board, solution) in solved![
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
            let mut coloring = coloring(solution);
            assert_eq!(KIND.check(&clues, &coloring), Ok(()), "{name}");
            let edges: Vec<Coord> = coloring.iter().map(|(at, _)| at).collect();
            for at in edges {
                coloring.insert(at, b"0");
                assert!(KIND.check(&clues, &coloring).is_err(), "{name} without {at:?}");
                coloring.insert(at, b"1");
            }
        }
    }

    // The number of cycles of 2 x 2 cells is 13 (OEIS A140517); one goes through all vertices but
    // the middle, and none through all nine, since a grid of nine vertices has no Hamilton cycle.
    #[test]
    fn the_oracle_counts_the_loops_of_a_blank_board() {
        let lattice = Lattice::new(3, 3, 0).unwrap();
        let edges: Vec<Coord> = lattice.edges().collect();
        let mut clues = Clues::blank(2, 2);
        let mut counts = [0, 0];
        for set in 0..1u32 << edges.len() {
            let mut coloring = Coloring::new();
            for (index, &edge) in edges.iter().enumerate() {
                coloring.insert(edge, COLOR[(set >> index & 1) as usize]);
            }
            for full in [false, true] {
                clues.full = full;
                counts[usize::from(full)] += u32::from(KIND.check(&clues, &coloring).is_ok());
            }
        }
        assert_eq!(counts, [13, 0]);
    }

    #[test]
    fn sizes_obey_the_formulas() {
        for (rows, cols) in [(1, 1), (1, 7), (3, 1), (4, 5), (31, 2), (2, 40)] {
            let mut clues = Clues::blank(rows, cols);
            clues.cells[0] = Clue::Number(2);
            let (_, counts) = write(&clues);
            let (m, n) = (u64::from(rows), u64::from(cols));
            assert_eq!(counts.primary, (m + 1) * (n + 1) + 1);
            assert_eq!(counts.secondary, m * (n + 1) + n * (m + 1));
            let tiles = 8 + 8 * (m + n - 2) + 7 * (m - 1) * (n - 1);
            assert_eq!(counts.options, tiles + 6);
            clues.full = true;
            assert_eq!(write(&clues).1.options, tiles - (m + 1) * (n + 1) + 6);
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
            let (text, _) = write(&clues);
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
