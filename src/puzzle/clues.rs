//! The clues of a rectangular board, the colors of a solution, and what to draw of it.

use crate::names::Coord;
use std::collections::{HashMap, HashSet};

/// What is printed in one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clue {
    /// Nothing.
    #[default]
    Blank,
    /// A number.
    Number(u32),
    /// A clue that does not say its value, written `?`.
    Unknown,
    /// A white circle.
    White,
    /// A black circle.
    Black,
}

/// A board of clues, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clues {
    /// Rows of cells, at least 1.
    pub rows: u32,
    /// Columns of cells, at least 1.
    pub cols: u32,
    /// `rows * cols` clues, row by row.
    pub cells: Vec<Clue>,
    /// Variant `f` of puzz.link: the loop visits every vertex.
    pub full: bool,
}

impl Clues {
    /// A board without any clue.
    pub fn blank(rows: u32, cols: u32) -> Self {
        let cells = vec![Clue::Blank; rows as usize * cols as usize];
        Clues { rows, cols, cells, full: false }
    }

    /// The clue in `row`, `col`; `Blank` outside of the board.
    pub fn at(&self, row: u32, col: u32) -> Clue {
        if row >= self.rows || col >= self.cols {
            return Clue::Blank;
        }
        let index = row as usize * self.cols as usize + col as usize;
        self.cells.get(index).copied().unwrap_or_default()
    }

    /// All positions and their clues, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, Clue)> + '_ {
        (0..self.rows)
            .flat_map(move |row| (0..self.cols).map(move |col| (row, col, self.at(row, col))))
    }
}

/// The colors of the items of one solution, by coordinates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coloring(HashMap<Coord, Vec<u8>>);

impl Coloring {
    /// No colors yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Colors the item at `at`.
    pub fn insert(&mut self, at: Coord, color: &[u8]) {
        self.0.insert(at, color.to_vec());
    }

    /// The color of the item at `at`, if it has one.
    pub fn get(&self, at: Coord) -> Option<&[u8]> {
        self.0.get(&at).map(Vec::as_slice)
    }

    /// Whether the item at `at` has exactly this color.
    pub fn is(&self, at: Coord, color: &[u8]) -> bool {
        self.get(at) == Some(color)
    }

    /// All colored coordinates, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Coord, &[u8])> {
        self.0.iter().map(|(&at, color)| (at, color.as_slice()))
    }
}

/// What to draw on a board besides its clues: a solution, or what is known of all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sketch {
    /// The colors that are certain.
    pub colors: Coloring,
    /// Points whose color is open.
    pub open: HashSet<Coord>,
    /// Whether to show what is certainly not there.
    pub excluded: bool,
    /// Points that have another color in another sketch, which is shown as well.
    pub differ: HashSet<Coord>,
}

impl From<Coloring> for Sketch {
    fn from(colors: Coloring) -> Self {
        Sketch { colors, ..Sketch::default() }
    }
}

impl Sketch {
    /// Marks where two solutions differ, in both.
    pub fn compare(one: Coloring, other: Coloring) -> [Sketch; 2] {
        let differ: HashSet<Coord> = one
            .iter()
            .filter(|&(at, color)| other.get(at) != Some(color))
            .map(|(at, _)| at)
            .chain(other.iter().filter(|&(at, _)| one.get(at).is_none()).map(|(at, _)| at))
            .collect();
        [one, other].map(|colors| Sketch { differ: differ.clone(), ..colors.into() })
    }
}
