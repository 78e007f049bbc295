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
//! with walls where different options meet, and with their color if they have one. A file in which all
//! primary places are cells (odd, odd) follows docs/names.md; in any other file every place is a cell,
//! next to those whose row or column is one more or less, as in Knuth's files of polyominoes.

use super::clues::Coloring;
use crate::constraint::graph::colored_width;
use crate::names::{Coord, Role, Width};
use crate::picture::{Mark, Picture, Point};
use crate::problem::Problem;
use crate::wording::counted;
use std::collections::{HashMap, HashSet};

/// The largest picture, in cells.
const MOST_CELLS: u64 = 4_000_000;

/// Where the places of a problem are in its pictures.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How wide coordinates are.
    pub width: Width,
    /// Every place is a cell, with this one in the upper left corner.
    corner: Option<Coord>,
    /// Whether edges are drawn, not cells.
    lines: bool,
    rows: u32,
    cols: u32,
    vertices: Vec<Coord>,
    cells: HashSet<Coord>,
}

impl Plan {
    /// The plan of a problem; `None` if its names are not those of places on one board.
    pub fn of(problem: &Problem) -> Option<Plan> {
        let edges = colored_width(problem, Role::Edge);
        let width = edges.or_else(|| {
            let named = |width: &Width| problem.names().any(|(_, n)| width.decode(n).is_some());
            Width::all().find(named)
        })?;
        let places = |primary: bool| {
            let names =
                problem.names().filter(move |&(item, _)| problem.is_primary(item) == primary);
            names.filter_map(move |(_, name)| width.decode(name))
        };
        let all: Vec<Coord> = places(true).chain(places(false)).collect();
        let with = |role: Role| all.iter().copied().filter(move |at| at.role() == role);
        let is_cell = |at: Coord| at.role() == Role::Cell;
        let doubled = edges.is_some() || places(true).all(is_cell);
        let least = |of: fn(&Coord) -> u32| all.iter().map(of).min();
        let most = |of: fn(&Coord) -> u32| all.iter().map(of).max();
        let (top, left) = (least(|at| at.row)?, least(|at| at.col)?);
        let (bottom, right) = (most(|at| at.row)?, most(|at| at.col)?);
        let cells: HashSet<Coord> = match doubled {
            true => with(Role::Cell).collect(),
            false => all.iter().copied().collect(),
        };
        let (rows, cols) = match doubled {
            true => (bottom.div_ceil(2).max(1), right.div_ceil(2).max(1)),
            false => (bottom - top + 1, right - left + 1),
        };
        let area = u64::from(rows) * u64::from(cols);
        // Names such as `r7` may be meant otherwise; a board has few gaps.
        let sparse = edges.is_none() && (cells.len() as u64) < area.div_ceil(4);
        if sparse || area == 0 || area > MOST_CELLS {
            return None;
        }
        Some(Plan {
            width,
            corner: (!doubled).then_some(Coord::new(top, left)),
            lines: edges.is_some(),
            rows,
            cols,
            vertices: with(Role::Vertex).collect(),
            cells,
        })
    }

    /// Draws a solution: the places of each of its options, and their colors.
    pub fn draw(&self, options: &[Vec<Coord>], coloring: &Coloring) -> Picture {
        let (rows, cols) = (self.rows, self.cols);
        let mut picture = Picture::new(rows, cols, format!("A board of {rows} x {cols} cells"));
        if self.lines {
            self.draw_lines(coloring, &mut picture);
        } else {
            self.draw_regions(options, coloring, &mut picture);
        }
        picture
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

    fn draw_regions(&self, options: &[Vec<Coord>], coloring: &Coloring, picture: &mut Picture) {
        let mut owner: HashMap<Coord, usize> = HashMap::new();
        let mut regions = 0u64;
        for (n, option) in options.iter().enumerate() {
            let cells = || option.iter().filter(|&at| self.cells.contains(at));
            for &at in cells() {
                owner.entry(at).or_insert(n);
            }
            regions += u64::from(cells().next().is_some());
        }
        let at = |row: u32, col: u32| match self.corner {
            Some(corner) => Coord::new(corner.row + row, corner.col + col),
            None => Coord::new(2 * row + 1, 2 * col + 1),
        };
        // Beyond the rim there is nobody.
        let whose = |row: Option<u32>, col: Option<u32>| {
            let cell = at(row.filter(|&row| row < self.rows)?, col.filter(|&col| col < self.cols)?);
            self.cells.contains(&cell).then(|| owner.get(&cell))
        };
        for row in 0..=self.rows {
            for col in 0..=self.cols {
                let here = whose(Some(row), Some(col));
                let corner = Point::new(2 * row, 2 * col);
                if col < self.cols && here != whose(row.checked_sub(1), Some(col)) {
                    picture.marks.push(Mark::Line(corner, Point::new(2 * row, 2 * col + 2)));
                }
                if row < self.rows && here != whose(Some(row), col.checked_sub(1)) {
                    picture.marks.push(Mark::Line(corner, Point::new(2 * row + 2, 2 * col)));
                }
                let color = here.and_then(|_| coloring.get(at(row, col)));
                if let Some(color) = color {
                    let text = String::from_utf8_lossy(color).into_owned();
                    picture.marks.push(Mark::Text(Point::new(2 * row + 1, 2 * col + 1), text));
                }
            }
        }
        let cells = counted(self.cells.len(), "cell");
        let options = counted(regions, "option");
        picture.description = format!("{cells}, covered by {options}.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx::parse;

    fn plan(text: &str) -> Option<Plan> {
        Plan::of(&parse::read(text.as_bytes()).unwrap().problem)
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

    // Queens have names of rows and columns; the first example of Knuth has none of places.
    #[test]
    fn other_names_are_no_places() {
        assert!(plan("r0 r1 r2 r3 c0 c1 c2 c3\nr0 c0\n").is_none());
        assert!(plan("A B C\nA B\n").is_none());
        assert!(plan("00 ZZ\n00\nZZ\n").is_none());
    }
}
