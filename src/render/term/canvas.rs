//! A picture as a table of what lies on each point.

use super::COLUMNS;
use crate::picture::{Mark, Picture, Point};

/// The ways from a point in which lines go, as bits: north, west, east, south.
pub const NORTH: u8 = 8;
pub const WEST: u8 = 4;
pub const EAST: u8 = 2;
pub const SOUTH: u8 = 1;

/// The character for each way in which lines go from a point: north, west, east, south, the last one
/// varying fastest; each of them none, light or heavy.
pub const BOXES: &str =
    " ╷╻╶┌┎╺┍┏╴┐┒─┬┰╼┮┲╸┑┓╾┭┱━┯┳╵│╽└├┟┕┝┢┘┤┧┴┼╁┶┾╆┙┥┪┵┽╅┷┿╈╹╿┃┖┞┠┗┡┣┚┦┨┸╀╂┺╄╊┛┩┫┹╃╉┻╇╋";

/// What lies on one point.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spot {
    /// The ways that lines go.
    pub ways: u8,
    /// Those of them that are heavy.
    pub heavy: u8,
    /// The ways that dotted lines go.
    pub dotted: u8,
    pub dark: bool,
    pub shaded: bool,
    /// Whether it differs from another picture.
    pub differs: bool,
    /// Whether it is a cell that differs.
    pub boxed: bool,
    pub mark: Option<Symbol>,
}

impl Spot {
    /// The character of its lines.
    pub fn lines(self) -> char {
        let weight = |way: u8| {
            usize::from(self.ways & way != 0) + usize::from(self.ways & self.heavy & way != 0)
        };
        let index = [NORTH, WEST, EAST, SOUTH].iter().fold(0, |sum, &way| 3 * sum + weight(way));
        BOXES.chars().nth(index).unwrap_or(' ')
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    Dot,
    Cross,
    Circle(bool),
    /// The index of a text mark.
    Text(usize),
}

/// The marks of a picture, sorted by points.
pub struct CharGrid<'a> {
    pub marks: &'a [Mark],
    pub spots: Vec<Spot>,
    pub last_row: u32,
    pub last_col: u32,
    /// Columns that a cell takes.
    pub middle: usize,
    pub closed_rows: bool,
    pub closed_cols: bool,
    pub ruled: bool,
    /// Whether a mark lies on the first, the last row; on the first, the last column.
    pub rim: [[bool; 2]; 2],
}

impl<'a> CharGrid<'a> {
    pub fn of(picture: &'a Picture) -> Self {
        let points = (picture.height as usize + 1) * (picture.width as usize + 1);
        let mut canvas = CharGrid {
            marks: &picture.marks,
            spots: vec![Spot::default(); points],
            last_row: picture.height,
            last_col: picture.width,
            middle: 1,
            closed_rows: true,
            closed_cols: true,
            ruled: false,
            rim: [[false; 2]; 2],
        };
        let (mut longest, mut dark) = (1, false);
        // Lines ask whether they are heavy.
        for mark in &picture.marks {
            if let Mark::Halo(at) = *mark
                && at.row <= canvas.last_row
                && at.col <= canvas.last_col
            {
                let index = canvas.index(at);
                let boxed = at.row % 2 == 1 && at.col % 2 == 1;
                let spot = &mut canvas.spots[index];
                (spot.differs, spot.boxed) = (true, boxed);
                dark |= boxed;
            }
        }
        for (index, mark) in picture.marks.iter().enumerate() {
            match *mark {
                Mark::Rule(..) => canvas.ruled = true,
                Mark::Line(from, to) => canvas.line(from, to, true),
                Mark::Dotted(from, to) => canvas.line(from, to, false),
                Mark::Halo(_) => {}
                Mark::Cross(at) => canvas.mark(at, |spot| {
                    spot.mark.get_or_insert(Symbol::Cross);
                }),
                Mark::Shade(at) => {
                    dark = true;
                    canvas.mark(at, |spot| spot.shaded = true);
                }
                Mark::Dot(at) => canvas.mark(at, |spot| {
                    spot.mark.get_or_insert(Symbol::Dot);
                }),
                Mark::Circle { at, filled } => {
                    canvas.mark(at, |spot| spot.mark = Some(Symbol::Circle(filled)));
                }
                Mark::Fill(at) => {
                    dark = true;
                    canvas.mark(at, |spot| spot.dark = true);
                }
                Mark::Text(at, ref text) => {
                    longest = longest.max(text.chars().count());
                    canvas.mark(at, |spot| spot.mark = Some(Symbol::Text(index)));
                }
            }
        }
        // Square cells: a character is twice as high as wide.
        let wanted = match (canvas.closed_rows, dark) {
            (true, true) => longest + 2,
            (true, false) => longest,
            (false, _) => 3.max(longest),
        };
        let cells = u64::from(picture.width / 2);
        let fits = cells * (wanted as u64 + 1) < COLUMNS;
        canvas.middle = if fits { wanted } else { longest };
        canvas
    }

    /// Marks the points of a line; of one that is dotted, if not `solid`.
    fn line(&mut self, from: Point, to: Point, solid: bool) {
        let (from, to) = (from.min(to), from.max(to));
        let across = from.row == to.row;
        let (before, after, length) = match across {
            true => (WEST, EAST, to.col - from.col),
            false if from.col == to.col => (NORTH, SOUTH, to.row - from.row),
            false => return,
        };
        let point = |step: u32| match across {
            true => Point::new(from.row, from.col + step),
            false => Point::new(from.row + step, from.col),
        };
        // A line between two corners differs if its middle does.
        let differs = |at: Point| {
            let inside = at.row <= self.last_row && at.col <= self.last_col;
            inside && self.spots[self.index(at)].differs
        };
        let heavy: Vec<bool> = (0..length.div_ceil(2)).map(|n| differs(point(2 * n + 1))).collect();
        for step in 0..=length {
            let mut ways = 0;
            let mut thick = 0;
            let sides = [(before, step.checked_sub(1)), (after, (step < length).then_some(step))];
            for (way, segment) in sides {
                if let Some(segment) = segment {
                    ways |= way;
                    thick |= if heavy[segment as usize / 2] { way } else { 0 };
                }
            }
            self.mark(point(step), |spot| match solid {
                true => (spot.ways, spot.heavy) = (spot.ways | ways, spot.heavy | thick),
                false => spot.dotted |= ways,
            });
        }
    }

    fn mark(&mut self, at: Point, change: impl FnOnce(&mut Spot)) {
        if at.row <= self.last_row && at.col <= self.last_col {
            self.closed_rows &= at.row % 2 == 1;
            self.closed_cols &= at.col % 2 == 1;
            let rim =
                [[at.row == 0, at.row == self.last_row], [at.col == 0, at.col == self.last_col]];
            for (known, here) in self.rim.as_flattened_mut().iter_mut().zip(rim.as_flattened()) {
                *known |= here;
            }
            let index = self.index(at);
            change(&mut self.spots[index]);
        }
    }

    /// Whether a row (`axis` 0) or column (1) is the first or last one and has no mark.
    pub fn is_empty_rim(&self, value: u32, axis: usize) -> bool {
        let last = [self.last_row, self.last_col][axis];
        (value == 0 && !self.rim[axis][0]) || (value == last && !self.rim[axis][1])
    }

    fn index(&self, at: Point) -> usize {
        at.row as usize * (self.last_col as usize + 1) + at.col as usize
    }

    pub fn spot(&self, at: Point) -> Spot {
        let mut spot = self.spots[self.index(at)];
        if self.ruled && at.row % 2 == 1 && at.col % 2 == 1 {
            spot.mark.get_or_insert(Symbol::Dot);
        }
        spot
    }

    pub fn text(&self, index: usize) -> &str {
        match &self.marks[index] {
            Mark::Text(_, text) => text,
            _ => "",
        }
    }
}
