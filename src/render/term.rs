//! Pictures as text: lines become box-drawing characters, or `+`, `-` and `|` in ASCII.
//!
//! ```text
//! ┌───────┐
//! │ 3     │
//! └───────┘
//! ```
//!
//! A point of the doubled grid is a character; the columns of cell middles are stretched to three
//! or more, so that cells look square, except in boards that would be wider than 80 columns. Thin
//! rules are left out; instead, empty cells show a dot where there are rules. Rows and columns
//! between cells are closed up where no mark lies on any, and an empty rim is left out.

use super::Render;
use crate::picture::{Mark, Picture, Point};
use std::io;

/// Text, see the module.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// Only ASCII characters.
    pub ascii: bool,
    /// ANSI escape sequences for colors.
    pub color: bool,
}

/// ASCII without colors.
pub static ASCII: Term = Term { ascii: true, color: false };

/// Unicode without colors.
pub static UNICODE: Term = Term { ascii: false, color: false };

/// Up to this width a board is stretched.
const COLUMNS: u64 = 80;

/// The ways from a point in which lines go, as bits: north, west, east, south.
const NORTH: u8 = 8;
const WEST: u8 = 4;
const EAST: u8 = 2;
const SOUTH: u8 = 1;

/// The character for each set of ways.
const BOXES: [char; 16] =
    [' ', '╷', '╶', '┌', '╴', '┐', '─', '┬', '╵', '│', '└', '├', '┘', '┤', '┴', '┼'];

/// What lies on one point.
#[derive(Clone, Copy, Debug, Default)]
struct Spot {
    ways: u8,
    dark: bool,
    mark: Option<Symbol>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Dot,
    Circle(bool),
    /// The index of a text mark.
    Text(usize),
}

/// How a stretch of characters is colored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tint {
    Plain,
    Faint,
    Line,
    Dark,
}

impl Render for Term {
    fn name(&self) -> &'static str {
        if self.ascii { "ascii" } else { "unicode" }
    }

    fn about(&self) -> &'static str {
        if self.ascii { "text in ASCII" } else { "text with box-drawing characters" }
    }

    fn render(&self, picture: &Picture, out: &mut dyn io::Write) -> io::Result<()> {
        let canvas = Canvas::of(picture);
        let mut line =
            Line { tints: self.color, text: String::new(), blanks: 0, tint: Tint::Plain };
        for row in 0..=picture.height {
            if row % 2 == 0 && canvas.closed_rows || canvas.is_empty_rim(row, 0) {
                continue;
            }
            for col in 0..=picture.width {
                self.spot(&canvas, Point::new(row, col), &mut line);
            }
            line.end(out)?;
        }
        Ok(())
    }
}

impl Term {
    /// Appends one point, as wide as its column.
    fn spot(&self, canvas: &Canvas, at: Point, line: &mut Line) {
        if canvas.is_empty_rim(at.col, 1) {
            return;
        }
        let spot = canvas.spot(at);
        if at.col.is_multiple_of(2) {
            if canvas.closed_cols {
                // Cells that are closed up are still one blank apart.
                line.push(' ', Tint::Plain);
            } else {
                self.symbol(canvas, spot, line);
            }
            return;
        }
        let width = match spot.mark {
            Some(Symbol::Text(index)) => canvas.text(index).chars().count(),
            _ => 1,
        };
        let right = canvas.middle.saturating_sub(width) / 2;
        let left = canvas.middle.saturating_sub(width) - right;
        for _ in 0..left {
            self.side(spot, WEST, line);
        }
        self.symbol(canvas, spot, line);
        for _ in 0..right {
            self.side(spot, EAST, line);
        }
    }

    /// One character beside the middle of a cell.
    fn side(&self, spot: Spot, way: u8, line: &mut Line) {
        match (spot.dark, spot.ways & way != 0) {
            (true, _) => line.push(if self.ascii { '#' } else { '█' }, Tint::Dark),
            (false, true) => line.push(if self.ascii { '-' } else { '─' }, Tint::Line),
            (false, false) => line.push(' ', Tint::Plain),
        }
    }

    /// The symbol on a point: its mark if it has one, else its lines.
    fn symbol(&self, canvas: &Canvas, spot: Spot, line: &mut Line) {
        match spot.mark {
            Some(Symbol::Text(index)) if spot.dark => {
                // Where there is no room beside it, black hides the text.
                let text = canvas.text(index);
                let hidden = canvas.middle <= text.chars().count();
                for character in text.chars() {
                    let block = if self.ascii { '#' } else { '█' };
                    line.push(if hidden { block } else { character }, Tint::Dark);
                }
            }
            Some(Symbol::Text(index)) => {
                canvas.text(index).chars().for_each(|character| line.push(character, Tint::Plain));
            }
            Some(Symbol::Circle(filled)) => {
                let character = match (self.ascii, filled) {
                    (true, true) => '@',
                    (true, false) => 'O',
                    (false, true) => '●',
                    (false, false) => '○',
                };
                line.push(character, Tint::Plain);
            }
            _ if spot.dark => line.push(if self.ascii { '#' } else { '█' }, Tint::Dark),
            _ if spot.ways != 0 => {
                let character = match (self.ascii, spot.ways) {
                    (false, ways) => BOXES[usize::from(ways)],
                    (true, ways) if ways & (WEST | EAST) == 0 => '|',
                    (true, ways) if ways & (NORTH | SOUTH) == 0 => '-',
                    (true, _) => '+',
                };
                line.push(character, Tint::Line);
            }
            Some(Symbol::Dot) => line.push(if self.ascii { '.' } else { '·' }, Tint::Faint),
            None => line.push(' ', Tint::Plain),
        }
    }
}

/// The marks of a picture, sorted by points.
struct Canvas<'a> {
    marks: &'a [Mark],
    spots: Vec<Spot>,
    last_row: u32,
    last_col: u32,
    /// Columns that a cell takes.
    middle: usize,
    closed_rows: bool,
    closed_cols: bool,
    ruled: bool,
    /// Whether a mark lies on the first, the last row; on the first, the last column.
    rim: [[bool; 2]; 2],
}

impl<'a> Canvas<'a> {
    fn of(picture: &'a Picture) -> Self {
        let points = (picture.height as usize + 1) * (picture.width as usize + 1);
        let mut canvas = Canvas {
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
        for (index, mark) in picture.marks.iter().enumerate() {
            match *mark {
                Mark::Rule(..) => canvas.ruled = true,
                Mark::Line(from, to) => canvas.line(from, to),
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

    fn line(&mut self, from: Point, to: Point) {
        let (from, to) = (from.min(to), from.max(to));
        if from.row == to.row {
            for col in from.col..=to.col {
                let ways =
                    if col > from.col { WEST } else { 0 } | if col < to.col { EAST } else { 0 };
                self.mark(Point::new(from.row, col), |spot| spot.ways |= ways);
            }
        } else if from.col == to.col {
            for row in from.row..=to.row {
                let ways =
                    if row > from.row { NORTH } else { 0 } | if row < to.row { SOUTH } else { 0 };
                self.mark(Point::new(row, from.col), |spot| spot.ways |= ways);
            }
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
    fn is_empty_rim(&self, value: u32, axis: usize) -> bool {
        let last = [self.last_row, self.last_col][axis];
        (value == 0 && !self.rim[axis][0]) || (value == last && !self.rim[axis][1])
    }

    fn index(&self, at: Point) -> usize {
        at.row as usize * (self.last_col as usize + 1) + at.col as usize
    }

    fn spot(&self, at: Point) -> Spot {
        let mut spot = self.spots[self.index(at)];
        if self.ruled && at.row % 2 == 1 && at.col % 2 == 1 {
            spot.mark.get_or_insert(Symbol::Dot);
        }
        spot
    }

    fn text(&self, index: usize) -> &str {
        match &self.marks[index] {
            Mark::Text(_, text) => text,
            _ => "",
        }
    }
}

/// The line that is being put together.
struct Line {
    tints: bool,
    text: String,
    /// Blanks that are not in `text` yet.
    blanks: usize,
    tint: Tint,
}

impl Line {
    fn push(&mut self, character: char, tint: Tint) {
        if character == ' ' && tint != Tint::Dark {
            // Blanks wait: at the end of the line they are left out.
            if self.tint == Tint::Dark {
                self.take(Tint::Plain);
            }
            self.blanks += 1;
            return;
        }
        self.text.extend(std::iter::repeat_n(' ', self.blanks));
        self.blanks = 0;
        self.take(tint);
        // In reverse video a blank is black, and the block would be white.
        self.text.push(if self.tints && character == '█' { ' ' } else { character });
    }

    fn take(&mut self, tint: Tint) {
        if self.tints && tint != self.tint {
            self.text.push_str(match tint {
                Tint::Plain => "\x1b[0m",
                Tint::Faint => "\x1b[0;2m",
                Tint::Line => "\x1b[0;1;32m",
                Tint::Dark => "\x1b[0;7m",
            });
            self.tint = tint;
        }
    }

    fn end(&mut self, out: &mut dyn io::Write) -> io::Result<()> {
        self.take(Tint::Plain);
        writeln!(out, "{}", self.text)?;
        self.text.clear();
        self.blanks = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(term: Term, picture: &Picture) -> String {
        let mut text = Vec::new();
        term.render(picture, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    fn square() -> Picture {
        let mut picture = Picture::new(1, 2, "");
        let corners = [(0, 0), (0, 2), (2, 2), (2, 0), (0, 0)].map(|(r, c)| Point::new(r, c));
        picture.marks.extend(corners.windows(2).map(|two| Mark::Line(two[0], two[1])));
        picture.marks.extend([0, 2, 4].map(|col| Mark::Dot(Point::new(2, col))));
        picture.marks.push(Mark::Text(Point::new(1, 1), "4".into()));
        picture
    }

    #[test]
    fn draws_lines_dots_and_texts() {
        assert_eq!(text(UNICODE, &square()), "┌───┐\n│ 4 │\n└───┘   ·\n");
        assert_eq!(text(ASCII, &square()), "+---+\n| 4 |\n+---+   .\n");
    }

    #[test]
    fn colors_only_where_asked() {
        let colored = text(Term { ascii: true, color: true }, &square());
        let plain: String = ["\x1b[0;1;32m", "\x1b[0;2m", "\x1b[0m"]
            .iter()
            .fold(colored.clone(), |text, escape| text.replace(escape, ""));
        assert_ne!(colored, plain);
        assert_eq!(plain, text(ASCII, &square()));
    }

    #[test]
    fn closes_up_cells_that_have_nothing_between() {
        let mut picture = Picture::new(2, 2, "");
        picture.rule_cells();
        for (row, col, number) in [(1, 1, "1"), (1, 3, "2"), (3, 1, "3"), (3, 3, "4")] {
            picture.marks.push(Mark::Text(Point::new(row, col), number.into()));
        }
        assert_eq!(text(UNICODE, &picture), "1 2\n3 4\n");
        picture.marks.push(Mark::Fill(Point::new(1, 3)));
        assert_eq!(text(ASCII, &picture), " 1  #2#\n 3   4\n");
    }

    #[test]
    fn joins_lines_in_all_sixteen_ways() {
        for ways in 0..16u8 {
            let mut picture = Picture::new(1, 1, "");
            let middle = Point::new(1, 1);
            for (way, end) in [(NORTH, (0, 1)), (WEST, (1, 0)), (EAST, (1, 2)), (SOUTH, (2, 1))] {
                if ways & way != 0 {
                    picture.marks.push(Mark::Line(middle, Point::new(end.0, end.1)));
                }
            }
            assert_eq!(Canvas::of(&picture).spot(middle).ways, ways);
        }
    }
}
