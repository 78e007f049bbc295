//! Masyu: a loop through the middles of cells that passes all circles; it turns in a black one and
//! goes straight before and after, it goes straight through a white one and turns before or after.
//!
//! ```text
//! .0.    ┌─○─┐
//! ...    │   │
//! ..1    └───●
//! ```
//!
//! Unreduced, every vertex is a primary item, whose options color its four edges and the edges
//! further on that a circle asks for. But a black circle says N = not S, E = not W of its edges and
//! a white one N = S, E = W, E = not N; edges beyond the rim are absent. So many edges are equal,
//! complementary or constant ([`parity`](super::parity)). The reduced problem, Knuth's masyu-dlx
//! (TAOCP 7.2.2.1, exercises 422 and 423), speaks of one edge of each class. All edges and vertices
//! stay items, since `--loop` wants to see them. docs/notes/puzzles.md has the details.

mod reduced;

use super::clues::{Clue, Clues, Coloring, Sketch};
use super::grid::Sheet;
use super::lattice::{COLOR, Lattice, TILES, draw_edges};
use super::rules::{BrokenRule, Path};
use super::{Model, Out, Kind, Report, too_large};
use crate::constraint::{Constraint, SingleLoop};
use crate::diagnostic::Diagnostic;
use crate::names::Coord;
use crate::picture::{Mark, Picture, Point};
use crate::wording::counted;
use reduced::Reduced;
use std::io;

/// The entry of the registry.
pub static KIND: Masyu = Masyu;

/// The kind; it has no state.
#[derive(Clone, Copy, Debug)]
pub struct Masyu;

impl Kind for Masyu {
    fn name(&self) -> &'static str {
        "masyu"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["mashu", "pearl"]
    }

    fn rule(&self) -> &'static str {
        "one loop through all circles: it turns in black ones, not next to them; \
         it turns next to white ones, not in them"
    }

    fn legend(&self) -> &'static str {
        "`.`, `?`, 0 (white) or 1 (black)"
    }

    fn constraints(&self) -> &'static [&'static dyn Constraint] {
        &[&SingleLoop]
    }

    fn header(&self) -> &'static str {
        "masyu-dlx:"
    }

    fn parse(&self, sheet: &Sheet) -> Result<Clues, Diagnostic> {
        sheet.clues(self.legend(), |byte| match byte {
            b'.' => Some(Clue::Blank),
            b'?' => Some(Clue::Unknown),
            b'0' => Some(Clue::White),
            b'1' => Some(Clue::Black),
            _ => None,
        })
    }

    fn cell(&self, clue: Clue, _: bool, text: &mut Vec<u8>) {
        text.push(match clue {
            Clue::White => b'0',
            Clue::Black => b'1',
            Clue::Unknown => b'?',
            _ => b'.',
        });
    }

    fn write(&self, clues: &Clues, model: Model, out: &mut Out) -> io::Result<Report> {
        let board = PearlBoard::new(clues).ok_or_else(too_large)?;
        self.board_comments(clues, out)?;
        if model.unreduced {
            return board.write_unreduced(out).map(|()| Report::default());
        }
        match Reduced::new(&board) {
            Ok(reduced) => reduced.write(out),
            Err(circles) => {
                // An item without options: no solution, and still a problem.
                out.primary(b"abort")?;
                out.end_items()?;
                let contradiction = Some(board.contradiction(&circles));
                Ok(Report { contradiction, figures: Vec::new() })
            }
        }
    }

    fn draw(&self, clues: &Clues, sketch: Option<&Sketch>) -> Picture {
        let (rows, cols) = (clues.rows, clues.cols);
        let mut picture = Picture::new(rows, cols, format!("Masyu, {rows} x {cols} cells"));
        picture.rule_cells();
        let (mut white, mut black) = (0u64, 0u64);
        for (row, col, clue) in clues.iter() {
            let at = Point::new(2 * row + 1, 2 * col + 1);
            let filled = clue == Clue::Black;
            match clue {
                Clue::White | Clue::Black => picture.marks.push(Mark::Circle { at, filled }),
                Clue::Unknown => picture.marks.push(Mark::Text(at, "?".into())),
                _ => {}
            }
            white += u64::from(clue == Clue::White);
            black += u64::from(filled);
        }
        let black = counted(black, "black circle");
        picture.description = format!("A board with {white} white and {black}");
        if let (Some(sketch), Some(lattice)) = (sketch, Lattice::new(rows, cols, 0)) {
            // Vertices are the middles of cells, one to the right and down.
            let path = draw_edges(lattice, sketch, 1, &mut picture);
            picture.description += &format!(" and {path}");
        }
        picture.description.push('.');
        picture
    }

    fn check(&self, clues: &Clues, coloring: &Coloring) -> Result<(), BrokenRule> {
        let path = Path { rows: clues.rows, cols: clues.cols, coloring };
        for row in 0..clues.rows {
            for col in 0..clues.cols {
                let vertex = Coord::new(2 * row, 2 * col);
                let (i, j) = (i64::from(vertex.row), i64::from(vertex.col));
                let steps = [(-1, 0), (1, 0), (0, -1), (0, 1)];
                let taken = steps.map(|(down, right)| path.has(i + down, j + right));
                let further = steps.map(|(down, right)| path.has(i + 3 * down, j + 3 * right));
                let degree = taken.iter().filter(|&&taken| taken).count();
                let straight = taken[0] == taken[1] && taken[2] == taken[3];
                let goes_on = (0..4).filter(|&way| taken[way] && further[way]).count();
                let clue = clues.at(row, col);
                let broken = match clue {
                    Clue::White | Clue::Black | Clue::Unknown if degree != 2 => {
                        "the loop does not pass this circle"
                    }
                    Clue::White if !straight => "the loop turns in a white circle",
                    Clue::White if goes_on == 2 => "the loop does not turn next to a white circle",
                    Clue::Black if straight => "the loop does not turn in a black circle",
                    Clue::Black if goes_on < 2 => "the loop turns next to a black circle",
                    _ => continue,
                };
                return Err(BrokenRule::at(vertex, broken));
            }
        }
        path.single_loop(clues.full)
    }
}

/// One option: edges that it colors, `None` for those beyond the rim.
type Demands = [(Option<Coord>, bool)];

/// A board and its lattice.
struct PearlBoard<'a> {
    clues: &'a Clues,
    lattice: Lattice,
}

impl<'a> PearlBoard<'a> {
    fn new(clues: &'a Clues) -> Option<Self> {
        let largest = clues.rows.max(clues.cols).checked_mul(2)?.checked_sub(1)?;
        let lattice = Lattice::new(clues.rows, clues.cols, largest)?;
        (lattice.edge_count() < u64::from(u32::MAX)).then_some(PearlBoard { clues, lattice })
    }

    fn clue(&self, vertex: Coord) -> Clue {
        self.clues.at(vertex.row / 2, vertex.col / 2)
    }

    /// The vertices with a white or black circle.
    fn circles(&self) -> impl Iterator<Item = Coord> + '_ {
        let is_circle = |&vertex: &Coord| matches!(self.clue(vertex), Clue::White | Clue::Black);
        self.lattice.vertices().filter(is_circle)
    }

    /// Calls `visit` for every way in which the loop may pass a vertex, also for ways that need an
    /// edge beyond the rim. A way tells the color of the four edges at the vertex and of those
    /// further on that matter.
    fn ways(
        &self,
        vertex: Coord,
        mut visit: impl FnMut(&Demands) -> io::Result<()>,
    ) -> io::Result<()> {
        let (near, far) = (self.lattice.around(vertex, 1), self.lattice.around(vertex, 3));
        let mut demands = [(None, false); 6];
        let clue = self.clue(vertex);
        let tiles = match clue {
            Clue::Black => &TILES[..4],
            Clue::White => &TILES[4..6],
            Clue::Unknown => &TILES[..6],
            _ => &TILES[..TILES.len() - usize::from(self.clues.full)],
        };
        for tile in tiles {
            for way in 0..4 {
                demands[way] = (near[way], tile[way]);
            }
            let mut taken = (0..4).filter(|&way| tile[way]).map(|way| far[way]);
            let (first, second) = (taken.next().flatten(), taken.next().flatten());
            // What the next edges may be in the two directions in which the loop goes on.
            let next: &[(bool, bool)] = match clue {
                Clue::Black => &[(true, true)],
                Clue::White => &[(false, false), (false, true), (true, false)],
                _ => {
                    visit(&demands[..4])?;
                    continue;
                }
            };
            for &(one, other) in next {
                demands[4..].copy_from_slice(&[(first, one), (second, other)]);
                visit(&demands)?;
            }
        }
        Ok(())
    }

    fn write_unreduced(&self, out: &mut Out) -> io::Result<()> {
        let lattice = &self.lattice;
        for vertex in lattice.vertices() {
            out.primary(&lattice.name(vertex))?;
        }
        for edge in lattice.edges() {
            out.secondary(&lattice.name(edge))?;
        }
        out.end_items()?;
        for vertex in lattice.vertices() {
            self.ways(vertex, |demands| {
                if is_beyond(demands) {
                    return Ok(());
                }
                out.entry(&lattice.name(vertex))?;
                for &(edge, present) in demands {
                    if let Some(edge) = edge {
                        out.colored(&lattice.name(edge), COLOR[usize::from(present)])?;
                    }
                }
                out.end_option()
            })?;
        }
        Ok(())
    }

    /// Which circles clash, in words; `circles` are numbers of cells.
    fn contradiction(&self, circles: &[u32]) -> String {
        let place = |&cell: &u32| {
            let (row, col) = (cell / self.clues.cols, cell % self.clues.cols);
            let color = if self.clues.at(row, col) == Clue::White { "white" } else { "black" };
            format!("the {color} circle in row {}, column {}", row + 1, col + 1)
        };
        let places: Vec<String> = circles.iter().map(place).collect();
        match places.as_slice() {
            [one] => format!("no loop can pass {one}"),
            _ => format!("no loop can pass all of these: {}", places.join("; ")),
        }
    }
}

/// Whether an option needs an edge beyond the rim.
fn is_beyond(demands: &Demands) -> bool {
    demands.iter().any(|&(edge, present)| present && edge.is_none())
}

#[cfg(test)]
mod tests {
    use super::super::from_comments;
    use super::super::testing::*;
    use super::*;

    // The .dlx files are what masyu-dlx wrote.
    #[test]
    fn writes_what_masyu_dlx_writes() {
        for (name, board, golden) in fixtures![
            "masyu",
            ".dlx",
            "bank-pearl15-0",
            "deg-masyu-empty-2x2",
            "deg-masyu-white-corner-5x5",
            "limit-2x31",
            "sgt-pearl-10x10-t-1",
            "sgt-pearl-7x7-e-1",
            "sgt-pearl-8x9-t-1",
        ] {
            let clues = KIND.read(board.as_bytes()).unwrap();
            assert_eq!(write(&KIND, &clues, false).0, trimmed(golden), "{name}");
        }
    }

    // The .sol files come from an oracle that knows no exact cover, see fixtures/README.md.
    #[test]
    fn the_check_accepts_known_solutions_and_nothing_near_them() {
        for (name, board, solution) in fixtures![
            "masyu",
            ".sol",
            "deg-masyu-empty-2x2",
            "sgt-pearl-10x10-t-1",
            "sgt-pearl-7x7-e-1",
            "sgt-pearl-8x9-t-1",
        ] {
            let clues = KIND.read(board.as_bytes()).unwrap();
            assert_isolated(&KIND, &clues, edges(solution), name);
        }
    }

    // Both models against all loops through 3 x 4 vertices. There are 40: Knuth's dlx2-loop counts 41
    // on a blank slitherlink of 2 x 3 cells, the empty set of edges among them.
    #[test]
    fn covers_that_are_loops_are_what_the_check_accepts() {
        let points: Vec<Coord> = Lattice::new(3, 4, 0).unwrap().edges().collect();
        let single = |coloring: &Coloring| {
            Path { rows: 3, cols: 4, coloring }.single_loop(false).is_ok()
        };
        let loops = sets_that(&points, single);
        assert_eq!(loops.len(), 40);
        let palette = [Clue::Blank, Clue::Unknown, Clue::White, Clue::Black, Clue::Blank];
        let mut random = fastrand::Rng::with_seed(422);
        let mut solvable = 0;
        for round in 0..60 {
            let mut clues = random_board(&mut random, 3, 4, &palette);
            clues.full = round % 8 == 7;
            let mut accepted: Vec<_> = loops
                .iter()
                .filter(|(coloring, _)| KIND.check(&clues, coloring).is_ok())
                .map(|(_, set)| set.clone())
                .collect();
            accepted.sort();
            solvable += u32::from(!accepted.is_empty());
            let all = [true, false].map(|unreduced| covers(&write(&KIND, &clues, unreduced).0));
            assert_eq!(all[0], all[1], "{clues:?}");
            let [mut covers, _] = all;
            covers.retain(|cover| loops.iter().any(|(_, set)| set == cover));
            assert_eq!(covers, accepted, "{clues:?}");
        }
        assert!(solvable > 5);
    }

    fn report(board: &[u8]) -> Report {
        let mut sink = io::sink();
        let mut out = Out::new(&mut sink);
        KIND.write(&KIND.read(board).unwrap(), Model::default(), &mut out).unwrap()
    }

    #[test]
    fn says_which_circles_clash() {
        let sentence = |board: &[u8]| report(board).contradiction.unwrap();
        assert_eq!(
            sentence(b"...\n...\n..0\n"),
            "no loop can pass the white circle in row 3, column 3"
        );
        // At the rim white circles go along it; a black one between two of them cannot turn. The
        // circle in the middle has no part in that.
        assert_eq!(
            sentence(b".....\n..0..\n.....\n.010.\n"),
            "no loop can pass all of these: the white circle in row 4, column 2; \
             the black circle in row 4, column 3; the white circle in row 4, column 4"
        );
    }

    // Rank and classes by Gauss over GF(2) on paper: the black corner of a 2 x 2 board says
    // N = not S and W = not E with N and W beyond the rim, so two of four edges are constant.
    #[test]
    fn counts_what_the_reduction_leaves() {
        let figures = report(b"1..\n...\n...\n").figures;
        assert_eq!(figures[..4], [("edges", 12), ("classes", 10), ("constants", 2), ("rank", 2)]);
    }

    #[test]
    fn boards_come_back_from_the_comments() {
        let mut clues = Clues::blank(1, 1922);
        clues.cells[5..9].copy_from_slice(&[Clue::White, Clue::Black, Clue::Unknown, Clue::Blank]);
        clues.full = true;
        for unreduced in [false, true] {
            let (text, _) = write(&KIND, &clues, unreduced);
            let (kind, back) = from_comments(text.as_bytes()).unwrap().unwrap();
            assert_eq!((kind.name(), back), ("masyu", clues.clone()));
        }
    }

    #[test]
    fn refuses_the_digits_that_knuth_swallows() {
        let error = KIND.read(b"0.\n.2\n").unwrap_err();
        assert_eq!((error.line, error.column), (2, 2));
        assert_eq!(error.what, "illegal character `2`");
        assert_eq!(error.expected.as_deref(), Some("`.`, `?`, 0 (white) or 1 (black)"));
    }
}
