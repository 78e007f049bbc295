//! A picture: what a puzzle looks like, as a list of drawing primitives.
//!
//! A puzzle composes marks, a renderer draws them; neither knows the other. The list of marks is
//! closed and none is named after a puzzle, so that a new puzzle needs no new renderer and a new
//! renderer needs no puzzle.
//!
//! Points are those of the doubled grid of cells, whatever the item names of the puzzle are: the
//! corner of cell (i, j) is (2i, 2j), its middle is (2i + 1, 2j + 1).

/// A point of the doubled grid, row 0 at the top, column 0 at the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// Row; even on the borders of cells, odd in their middles.
    pub row: u32,
    /// Column; even on the borders of cells, odd in their middles.
    pub col: u32,
}

impl Point {
    /// The point in `row`, `col`.
    pub const fn new(row: u32, col: u32) -> Self {
        Point { row, col }
    }
}

/// One drawing primitive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A thin line of the printed grid. Renderers that have little room leave it out.
    Rule(Point, Point),
    /// A thick line from point to point, horizontal or vertical.
    Line(Point, Point),
    /// A dotted line from point to point, horizontal or vertical: it may be there or not.
    Dotted(Point, Point),
    /// A small cross: there is no line here.
    Cross(Point),
    /// A small dot.
    Dot(Point),
    /// A circle in the middle of a cell.
    Circle {
        /// Where.
        at: Point,
        /// Black inside, or white.
        filled: bool,
    },
    /// The cell around this middle is black.
    Fill(Point),
    /// The cell around this middle is shaded: it may be black or not.
    Shade(Point),
    /// What is drawn here differs from another picture.
    Halo(Point),
    /// A short text, centered.
    Text(Point, String),
}

/// Marks, and what they show in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The largest row of the doubled grid, twice the number of rows of cells.
    pub height: u32,
    /// The largest column of the doubled grid.
    pub width: u32,
    /// A few words.
    pub title: String,
    /// A sentence for those who cannot see the picture.
    pub description: String,
    /// What to draw. The order has no meaning: renderers draw kind by kind.
    pub marks: Vec<Mark>,
}

impl Picture {
    /// An empty picture of `rows` x `cols` cells.
    pub fn new(rows: u32, cols: u32, title: impl Into<String>) -> Self {
        Picture {
            height: 2 * rows,
            width: 2 * cols,
            title: title.into(),
            description: String::new(),
            marks: Vec::new(),
        }
    }

    /// Adds the thin lines around all cells.
    pub fn rule_cells(&mut self) {
        let (height, width) = (self.height, self.width);
        for row in (0..=height).step_by(2) {
            self.marks.push(Mark::Rule(Point::new(row, 0), Point::new(row, width)));
        }
        for col in (0..=width).step_by(2) {
            self.marks.push(Mark::Rule(Point::new(0, col), Point::new(height, col)));
        }
    }
}
