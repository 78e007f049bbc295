//! A picture of any problem whose items have the names of places: which option covers what.
//!
//! ```text
//! 11 13 31 33          ┌───────┐
//! 11 13                │       │     two dominoes on 2 x 2 cells, the first
//! 31 33                ├───────┤     of two tilings
//! 11 31                │       │
//! 13 33                └───────┘
//! ```
//!
//! If edges are colored, those of color `1` are drawn as lines between vertices. Else cells are drawn,
//! with walls where different options meet, if each option covers neighbors only: walls do not tell
//! which of two distant cells belong together. If cells have colors, those are written in them, which is
//! what word squares want. A file in which all primary places are cells (odd, odd) follows
//! docs/names.md; in any other file every place is a cell, next to those whose row or column is one more
//! or less, as in Knuth's files of polyominoes.

use super::clues::Coloring;
use crate::constraint::graph::colored_width;
use crate::ids::OptionId;
use crate::names::{Coord, Role, Width};
use crate::picture::{Mark, Picture, Point};
use crate::problem::Problem;
use crate::wording::counted;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// The largest picture, in cells.
const MOST_CELLS: u64 = 4_000_000;

/// Where the places of a problem are in its pictures.
#[derive(Clone, Debug)]
pub struct PicturePlan {
    /// How wide coordinates are.
    pub width: Width,
    look: PlainLook,
    /// Every place is a cell, with this one in the upper left corner.
    corner: Option<Coord>,
    rows: u32,
    cols: u32,
    vertices: Vec<Coord>,
    cells: HashSet<Coord>,
}

/// What the pictures show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlainLook {
    /// Edges of color `1`.
    Lines,
    /// Walls between options.
    Walls,
    /// The colors of cells.
    Letters,
}

/// Why a problem has no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// No names are those of places on one board.
    NoBoard,
    /// No option covers two places, and none has a color.
    Single,
    /// Some option covers places that are no neighbors.
    Apart,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Obstacle::NoBoard => "items are not named after its places",
            Obstacle::Single => "no option covers two places or colors one",
            Obstacle::Apart => "some option covers places that are no neighbors",
        })
    }
}

impl PicturePlan {
    /// The plan of a problem.
    pub fn of(problem: &Problem) -> Result<PicturePlan, Obstacle> {
        if let Some(plan) = PicturePlan::of_lines(problem) {
            return Ok(plan);
        }
        let mut colored = vec![false; problem.items()];
        for entry in problem.all_entries() {
            colored[entry.item.index()] |= !entry.color.is_none();
        }
        let mut obstacle = Obstacle::NoBoard;
        for width in Width::all() {
            for look in [PlainLook::Walls, PlainLook::Letters] {
                match PicturePlan::of_cells(problem, width, look, &colored) {
                    Ok(plan) => return Ok(plan),
                    // What comes nearest to a board says best what is missing.
                    Err(why) => obstacle = obstacle.max(why),
                }
            }
        }
        Err(obstacle)
    }

    /// The plan of a problem that colors the edges of a lattice. There vertices are primary items, which
    /// colored cells of the same names could not be.
    fn of_lines(problem: &Problem) -> Option<PicturePlan> {
        let width = colored_width(problem, Role::Edge)?;
        let places: Vec<(bool, Coord)> = problem
            .names()
            .filter_map(|(item, name)| Some((problem.is_primary(item), width.decode(name)?)))
            .collect();
        let vertices = || places.iter().filter(|(_, at)| at.role() == Role::Vertex);
        if vertices().next().is_none() || vertices().any(|&(primary, _)| !primary) {
            return None;
        }
        let bottom = places.iter().map(|(_, at)| at.row).max()?;
        let right = places.iter().map(|(_, at)| at.col).max()?;
        let (rows, cols) = (bottom.div_ceil(2).max(1), right.div_ceil(2).max(1));
        let vertices = vertices().map(|&(_, at)| at).collect();
        let (corner, cells) = (None, HashSet::new());
        let plan = PicturePlan { width, look: PlainLook::Lines, corner, rows, cols, vertices, cells };
        (u64::from(rows) * u64::from(cols) <= MOST_CELLS).then_some(plan)
    }

    /// The plan of a problem whose items are cells: those that no option colors (`Walls`), or those that
    /// some option colors (`Letters`).
    fn of_cells(
        problem: &Problem,
        width: Width,
        look: PlainLook,
        colored: &[bool],
    ) -> Result<PicturePlan, Obstacle> {
        let names =
            problem.names().filter(|(item, _)| colored[item.index()] == (look == PlainLook::Letters));
        let places: Vec<(bool, Coord)> = names
            .filter_map(|(item, name)| Some((problem.is_primary(item), width.decode(name)?)))
            .collect();
        let is_cell = |at: Coord| at.role() == Role::Cell;
        let doubled = match places.iter().any(|&(primary, _)| primary) {
            true => places.iter().all(|&(primary, at)| !primary || is_cell(at)),
            // Midpoints of cells may be among them.
            false => places.iter().all(|(_, at)| at.role() != Role::Vertex),
        };
        let cells: HashSet<Coord> =
            places.iter().map(|&(_, at)| at).filter(|&at| !doubled || is_cell(at)).collect();
        let least = |of: fn(&Coord) -> u32| cells.iter().map(of).min();
        let most = |of: fn(&Coord) -> u32| cells.iter().map(of).max();
        let rows = least(|at| at.row).zip(most(|at| at.row)).ok_or(Obstacle::NoBoard)?;
        let cols = least(|at| at.col).zip(most(|at| at.col)).ok_or(Obstacle::NoBoard)?;
        let size = |(first, last): (u32, u32)| match doubled {
            true => last.div_ceil(2),
            false => last - first + 1,
        };
        let area = u64::from(size(rows)) * u64::from(size(cols));
        // Names such as `r7` may be meant otherwise; a board has few gaps.
        let sparse = (cells.len() as u64) < area.div_ceil(4);
        if sparse || area > MOST_CELLS || is_prefix(width, rows) || is_prefix(width, cols) {
            return Err(Obstacle::NoBoard);
        }
        let plan = PicturePlan {
            width,
            look,
            corner: (!doubled).then_some(Coord::new(rows.0, cols.0)),
            rows: size(rows),
            cols: size(cols),
            vertices: Vec::new(),
            cells,
        };
        if look == PlainLook::Walls {
            plan.check_options(problem)?;
        }
        Ok(plan)
    }

    /// Refuses options whose cells are no neighbors, and options that all have one cell.
    fn check_options(&self, problem: &Problem) -> Result<(), Obstacle> {
        let mut place = vec![None; problem.items()];
        for (item, name) in problem.names() {
            place[item.index()] = self.width.decode(name).filter(|at| self.cells.contains(at));
        }
        let step = if self.corner.is_some() { 1 } else { 2 };
        let mut several = false;
        for option in (0..problem.options()).map(|option| OptionId::new(option as u32)) {
            let entries = problem.option(option).into_iter();
            let mut left: HashSet<Coord> =
                entries.filter_map(|entry| place[entry.item.index()]).collect();
            several |= left.len() > 1;
            // Whoever is next to a cell that was reached is reached.
            let first = left.iter().next().copied();
            let mut reached: Vec<Coord> = first.into_iter().collect();
            while let Some(Coord { row, col }) = reached.pop() {
                left.remove(&Coord { row, col });
                let back = |value: u32| value.wrapping_sub(step);
                let around =
                    [(back(row), col), (row + step, col), (row, back(col)), (row, col + step)];
                let around = around.map(|(row, col)| Coord::new(row, col));
                reached.extend(around.into_iter().filter(|at| left.remove(at)));
            }
            if !left.is_empty() {
                return Err(Obstacle::Apart);
            }
        }
        if several { Ok(()) } else { Err(Obstacle::Single) }
    }

    /// Draws a solution: the places of each of its options, and their colors.
    pub fn draw(&self, options: &[Vec<Coord>], coloring: &Coloring) -> Picture {
        let (rows, cols) = (self.rows, self.cols);
        let mut picture = Picture::new(rows, cols, format!("A board of {rows} x {cols} cells"));
        match self.look {
            PlainLook::Lines => self.draw_lines(coloring, &mut picture),
            PlainLook::Walls => self.draw_walls(options, &mut picture),
            PlainLook::Letters => self.draw_letters(coloring, &mut picture),
        }
        picture
    }

    /// The place of a cell of the picture, if it is one of the board.
    fn cell(&self, row: Option<u32>, col: Option<u32>) -> Option<Coord> {
        let row = row.filter(|&row| row < self.rows)?;
        let col = col.filter(|&col| col < self.cols)?;
        let at = match self.corner {
            Some(corner) => Coord::new(corner.row + row, corner.col + col),
            None => Coord::new(2 * row + 1, 2 * col + 1),
        };
        self.cells.contains(&at).then_some(at)
    }

    /// Draws a wall between each two neighbors that `parted` says are parted. Beyond the rim there is
    /// nobody.
    fn wall_off(
        &self,
        parted: &dyn Fn(Option<Coord>, Option<Coord>) -> bool,
        picture: &mut Picture,
    ) {
        for row in 0..=self.rows {
            for col in 0..=self.cols {
                let here = self.cell(Some(row), Some(col));
                let corner = Point::new(2 * row, 2 * col);
                if col < self.cols && parted(here, self.cell(row.checked_sub(1), Some(col))) {
                    picture.marks.push(Mark::Line(corner, Point::new(2 * row, 2 * col + 2)));
                }
                if row < self.rows && parted(here, self.cell(Some(row), col.checked_sub(1))) {
                    picture.marks.push(Mark::Line(corner, Point::new(2 * row + 2, 2 * col)));
                }
            }
        }
    }

    fn draw_lines(&self, coloring: &Coloring, picture: &mut Picture) {
        let point = |at: Coord| Point::new(at.row, at.col);
        picture.marks.extend(self.vertices.iter().map(|&at| Mark::Dot(point(at))));
        let mut present: Vec<(Coord, Coord)> = coloring
            .iter()
            .filter(|&(_, color)| color == b"1")
            .filter_map(|(at, _)| at.ends())
            .filter(|(_, to)| to.row <= picture.height && to.col <= picture.width)
            .collect();
        present.sort_unstable();
        let edges = counted(present.len(), "edge");
        picture.description = format!("A board with {edges} of color 1.");
        picture.marks.extend(present.into_iter().map(|(a, b)| Mark::Line(point(a), point(b))));
    }

    fn draw_walls(&self, options: &[Vec<Coord>], picture: &mut Picture) {
        let mut owner: HashMap<Coord, usize> = HashMap::new();
        let mut regions = 0u64;
        for (n, option) in options.iter().enumerate() {
            let cells = || option.iter().filter(|&at| self.cells.contains(at));
            for &at in cells() {
                owner.entry(at).or_insert(n);
            }
            regions += u64::from(cells().next().is_some());
        }
        let whose = |at: Option<Coord>| at.map(|at| owner.get(&at));
        self.wall_off(&|one, other| whose(one) != whose(other), picture);
        let cells = counted(self.cells.len(), "cell");
        let options = counted(regions, "option");
        picture.description = format!("{cells}, covered by {options}.");
    }

    fn draw_letters(&self, coloring: &Coloring, picture: &mut Picture) {
        self.wall_off(&|one, other| one != other, picture);
        let mut written = 0u64;
        for row in 0..self.rows {
            for col in 0..self.cols {
                let color = self.cell(Some(row), Some(col)).and_then(|at| coloring.get(at));
                if let Some(color) = color {
                    let text = String::from_utf8_lossy(color).into_owned();
                    picture.marks.push(Mark::Text(Point::new(2 * row + 1, 2 * col + 1), text));
                    written += 1;
                }
            }
        }
        let cells = counted(self.cells.len(), "cell");
        picture.description = format!("{cells}, {written} of them with a color.");
    }
}

/// Whether the first digit of all these coordinates is one letter: then it is a word's rather than a
/// number's, such as that of the slots `s1`, `s2`, ...
fn is_prefix(width: Width, (least, most): (u32, u32)) -> bool {
    let weight = 62u32.pow(width.digits() as u32 - 1);
    least / weight == most / weight && least / weight >= 10
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx::parse;

    fn plan(text: &str) -> Result<PicturePlan, Obstacle> {
        PicturePlan::of(&parse::read(text.as_bytes()).unwrap().problem)
    }

    fn places(width: Width, names: &str) -> Vec<Coord> {
        names.split(' ').filter_map(|name| width.decode(name.as_bytes())).collect()
    }

    /// How many walls there are, each a cell long.
    fn walls(picture: &Picture) -> usize {
        picture.marks.iter().filter(|mark| matches!(mark, Mark::Line(..))).count()
    }

    #[test]
    fn walls_part_options_and_surround_the_board() {
        for (text, options) in [
            ("11 13 31 33\n11 13\n31 33\n", ["11 13", "31 33"]),
            ("I 00 01 10 11\n00 01\n10 11 I\n", ["00 01", "10 11 I"]),
            ("#1 | 11 13 31 33\n#1 11 13\n", ["#1 11 13", "#1 31 33"]),
        ] {
            let plan = plan(text).unwrap();
            let options = options.map(|names| places(plan.width, names));
            let picture = plan.draw(&options, &Coloring::new());
            assert_eq!((picture.height, picture.width), (4, 4), "{text}");
            // Eight around the board, two between the dominoes.
            assert_eq!(walls(&picture), 10, "{text}");
            assert_eq!(picture.description, "4 cells, covered by 2 options.");
        }
    }

    #[test]
    fn a_hole_has_walls_around_it() {
        let ring = "55 56 57 65 67 75 76 77";
        let plan = plan(&format!("{ring}\n{ring}\n")).unwrap();
        let picture = plan.draw(&[places(plan.width, ring)], &Coloring::new());
        assert_eq!((picture.height, walls(&picture)), (6, 12 + 4));
    }

    #[test]
    fn colors_of_cells_are_written_and_edges_are_lines() {
        let plan = plan("a | 11 13\na 11:x 13:1\n").unwrap();
        let mut coloring = Coloring::new();
        coloring.insert(Coord::new(1, 1), b"x");
        let picture = plan.draw(&[], &coloring);
        assert!(picture.marks.contains(&Mark::Text(Point::new(1, 1), "x".into())));
        let edges = super::tests::plan("00 02 | 01 03\n00 01:1\n02 01:1 03:0\n").unwrap();
        let mut coloring = Coloring::new();
        coloring.insert(Coord::new(0, 1), b"1");
        coloring.insert(Coord::new(0, 3), b"0");
        let picture = edges.draw(&[], &coloring);
        assert_eq!((walls(&picture), picture.width), (1, 4));
    }

    // A word square: no wall is where two words cross, and 01 is no edge.
    #[test]
    fn letters_stand_in_their_cells() {
        for head in ["R0 R1 C0 C1", "0a 1a 0d 1d", "across down more less"] {
            let names: Vec<&str> = head.split(' ').collect();
            let text = format!(
                "{head} | 00 01 10 11\n{} 00:b 01:e\n{} 10:y 11:e\n{} 00:b 10:y\n{} 01:e 11:e\n",
                names[0], names[1], names[2], names[3]
            );
            let plan = plan(&text).unwrap();
            let mut coloring = Coloring::new();
            for (row, col, color) in [(0, 0, b"b"), (0, 1, b"e"), (1, 0, b"y"), (1, 1, b"e")] {
                coloring.insert(Coord::new(row, col), color);
            }
            let picture = plan.draw(&[], &coloring);
            assert_eq!((picture.height, picture.width, walls(&picture)), (4, 4, 12), "{head}");
            let texts = picture.marks.iter().filter_map(|mark| match mark {
                Mark::Text(at, text) => Some((at.row, at.col, text.as_str())),
                _ => None,
            });
            let expected = [(1, 1, "b"), (1, 3, "e"), (3, 1, "y"), (3, 3, "e")];
            assert_eq!(texts.collect::<Vec<_>>(), expected);
        }
    }

    // Of these no picture would show the solution.
    #[test]
    fn other_names_are_no_places() {
        use Obstacle::{Apart, NoBoard, Single};
        for (text, obstacle) in [
            ("A B C\nA B\n", NoBoard),
            ("00 ZZ\n00\nZZ\n", NoBoard),
            // Queens: rows and columns; the same with other names.
            ("r0 r1 r2 r3 c0 c1 c2 c3\nr0 c0\n", NoBoard),
            ("x1 x2 x3 y1 y2 y3\nx1 y2\nx2 y1\nx3 y3\n", Apart),
            // Langford pairs: numbers and slots.
            ("1 2 3 s1 s2 s3 s4 s5 s6\n1 s1 s3\n2 s1 s4\n3 s1 s5\n", NoBoard),
            ("1 2 3 00 01 02 03 04 05\n1 00 02\n2 00 03\n3 00 04\n", Apart),
            // A sudoku without colors, by cells; one whose cells have long names.
            ("00 01 10 11 R.a R.b\n00 R.a\n01 R.b\n10 R.b\n11 R.a\n", Single),
            ("R1C1 R1C2 R2C1 R2C2\nR1C1\nR1C2\nR2C1\nR2C2\n", NoBoard),
            ("p11 p12 r11\np11 r11\np12\n", NoBoard),
        ] {
            assert_eq!(plan(text).err(), Some(obstacle), "{text}");
        }
    }
}
