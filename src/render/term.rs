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
//!
//! Lines that may be there or not are dotted. Where two pictures differ, lines are heavy and cells are
//! in brackets, or of a lighter black.

mod canvas;
mod line;
mod sheet;

use super::{Panel, Render};
use crate::picture::{Picture, Point};
use canvas::{CharGrid, EAST, NORTH, SOUTH, Spot, Symbol, WEST};
use line::{StyledLine, Tint};
use sheet::{BETWEEN, Block, columns, write_row};
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

impl Render for Term {
    fn name(&self) -> &'static str {
        if self.ascii { "ascii" } else { "unicode" }
    }

    fn about(&self) -> &'static str {
        if self.ascii { "text in ASCII" } else { "text with box-drawing characters" }
    }

    fn render(&self, picture: &Picture, out: &mut dyn io::Write) -> io::Result<()> {
        let canvas = CharGrid::of(picture);
        let mut line =
            StyledLine { tints: self.color, text: String::new(), blanks: 0, tint: Tint::Plain };
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

    /// Pictures stand side by side while they fit.
    fn sheet(&self, _: &str, panels: &[Panel], out: &mut dyn io::Write) -> io::Result<()> {
        let plain = Term { color: false, ..*self };
        let mut row: Vec<Block> = Vec::new();
        let mut wide = 0;
        for panel in panels {
            let mut text = Vec::new();
            self.render(&panel.picture, &mut text)?;
            let width = match self.color {
                false => columns(&text),
                true => {
                    let mut text = Vec::new();
                    plain.render(&panel.picture, &mut text)?;
                    columns(&text)
                }
            };
            let block = Block::new(&panel.caption, &text, width);
            if !row.is_empty() && wide + BETWEEN + block.width > COLUMNS as usize {
                write_row(&row, out)?;
                writeln!(out)?;
                (row, wide) = (Vec::new(), 0);
            }
            wide += block.width + if row.is_empty() { 0 } else { BETWEEN };
            row.push(block);
        }
        write_row(&row, out)
    }
}

impl Term {
    /// Appends one point, as wide as its column.
    fn spot(&self, canvas: &CharGrid, at: Point, line: &mut StyledLine) {
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
    fn side(&self, spot: Spot, way: u8, line: &mut StyledLine) {
        let character = |unicode: char, ascii: char| if self.ascii { ascii } else { unicode };
        if spot.dark {
            line.push(self.black(spot), Tint::Dark);
        } else if spot.shaded {
            line.push(character('░', '?'), Tint::Faint);
        } else if spot.ways & way != 0 {
            let one = Spot { ways: WEST | EAST, ..spot };
            line.push(if self.ascii { self.ascii_line(one) } else { one.lines() }, Tint::Line);
        } else if spot.dotted & way != 0 {
            line.push(character('┈', '.'), Tint::Faint);
        } else if spot.boxed {
            line.push(if way == WEST { '[' } else { ']' }, Tint::Line);
        } else {
            line.push(' ', Tint::Plain);
        }
    }

    /// The symbol on a point: its mark if it has one, else its lines.
    fn symbol(&self, canvas: &CharGrid, spot: Spot, line: &mut StyledLine) {
        let character = |unicode: char, ascii: char| if self.ascii { ascii } else { unicode };
        match spot.mark {
            Some(Symbol::Text(index)) if spot.dark => {
                // Where there is no room beside it, black hides the text.
                let text = canvas.text(index);
                let hidden = canvas.middle <= text.chars().count();
                for digit in text.chars() {
                    line.push(if hidden { self.black(spot) } else { digit }, Tint::Dark);
                }
            }
            Some(Symbol::Text(index)) => {
                canvas.text(index).chars().for_each(|character| line.push(character, Tint::Plain));
            }
            Some(Symbol::Circle(true)) => line.push(character('●', '@'), Tint::Plain),
            Some(Symbol::Circle(false)) => line.push(character('○', 'O'), Tint::Plain),
            _ if spot.dark => line.push(self.black(spot), Tint::Dark),
            _ if spot.shaded => line.push(character('░', '?'), Tint::Faint),
            _ if spot.ways != 0 => {
                let lines = if self.ascii { self.ascii_line(spot) } else { spot.lines() };
                line.push(lines, Tint::Line);
            }
            Some(Symbol::Cross) => line.push(character('×', 'x'), Tint::Faint),
            Some(Symbol::Dot) => line.push(character('·', '.'), Tint::Faint),
            None => match (spot.dotted & (NORTH | SOUTH) != 0, spot.dotted & (WEST | EAST) != 0) {
                (false, false) => line.push(' ', Tint::Plain),
                (true, false) => line.push(character('┊', ':'), Tint::Faint),
                (false, true) => line.push(character('┈', '.'), Tint::Faint),
                (true, true) => line.push(character('·', '.'), Tint::Faint),
            },
        }
    }

    /// What black cells are made of.
    fn black(&self, spot: Spot) -> char {
        match (self.ascii, spot.differs) {
            (false, false) => '█',
            (false, true) => '▓',
            (true, false) => '#',
            (true, true) => '%',
        }
    }

    /// The lines of a point in ASCII.
    fn ascii_line(&self, spot: Spot) -> char {
        let heavy = spot.ways & spot.heavy != 0;
        match (spot.ways & (WEST | EAST) != 0, spot.ways & (NORTH | SOUTH) != 0) {
            (false, _) => {
                if heavy {
                    'H'
                } else {
                    '|'
                }
            }
            (true, false) => {
                if heavy {
                    '='
                } else {
                    '-'
                }
            }
            (true, true) => '+',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::canvas::BOXES;
    use super::*;
    use crate::picture::Mark;

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
            assert_eq!(CharGrid::of(&picture).spot(middle).ways, ways);
        }
    }

    #[test]
    fn knows_every_box_of_light_and_heavy_lines() {
        assert_eq!(BOXES.chars().count(), 81);
        for (ways, heavy, character) in [
            (NORTH | SOUTH, 0, '│'),
            (NORTH | SOUTH, NORTH | SOUTH, '┃'),
            (WEST | EAST, EAST, '╼'),
            (EAST | SOUTH, EAST | SOUTH, '┏'),
            (NORTH | WEST | EAST | SOUTH, WEST, '┽'),
            (NORTH, SOUTH, '╵'),
        ] {
            assert_eq!(Spot { ways, heavy, ..Spot::default() }.lines(), character);
        }
    }

    /// A line of two edges, of which the second differs, an open edge, and an excluded one.
    fn sketch() -> Picture {
        let mut picture = Picture::new(1, 2, "");
        picture.marks.extend([
            Mark::Line(Point::new(0, 0), Point::new(0, 4)),
            Mark::Halo(Point::new(0, 3)),
            Mark::Dotted(Point::new(0, 0), Point::new(2, 0)),
            Mark::Dotted(Point::new(2, 0), Point::new(2, 2)),
            Mark::Cross(Point::new(1, 2)),
            Mark::Dot(Point::new(2, 4)),
        ]);
        picture
    }

    #[test]
    fn draws_what_differs_is_open_or_excluded() {
        assert_eq!(text(UNICODE, &sketch()), "╶───╼━━━╸\n┊   ×\n·┈┈┈┈   ·\n");
        assert_eq!(text(ASCII, &sketch()), "----=====\n:   x\n.....   .\n");
    }

    #[test]
    fn draws_cells_that_are_open_or_differ() {
        let mut picture = Picture::new(1, 3, "");
        picture.rule_cells();
        for (col, number) in [(1, "1"), (3, "2"), (5, "3")] {
            picture.marks.push(Mark::Text(Point::new(1, col), number.into()));
        }
        picture.marks.extend([
            Mark::Shade(Point::new(1, 1)),
            Mark::Halo(Point::new(1, 3)),
            Mark::Halo(Point::new(1, 5)),
            Mark::Fill(Point::new(1, 5)),
        ]);
        assert_eq!(text(UNICODE, &picture), "░1░ [2] ▓3▓\n");
        assert_eq!(text(ASCII, &picture), "?1? [2] %3%\n");
    }

    #[test]
    fn pictures_stand_side_by_side_while_they_fit() {
        let panel = |caption: &str| Panel { caption: caption.into(), picture: square() };
        let side_by_side = |term: Term, panels: &[Panel]| {
            let mut text = Vec::new();
            term.sheet("", panels, &mut text).unwrap();
            String::from_utf8(text).unwrap()
        };
        let two = [panel("1"), panel("other")];
        let text =
            "1:           other:\n+---+        +---+\n| 4 |        | 4 |\n+---+   .    +---+   .\n";
        assert_eq!(side_by_side(ASCII, &two), text);
        let colored = side_by_side(Term { ascii: true, color: true }, &two);
        let plain = ["\x1b[0;1;32m", "\x1b[0;2m", "\x1b[0m"]
            .iter()
            .fold(colored, |text, escape| text.replace(escape, ""));
        assert_eq!(plain, text);
        // Of 9 columns each and 4 between, six fit into 80.
        let seven: Vec<Panel> = (1..=7).map(|n| panel(&n.to_string())).collect();
        let rows = side_by_side(ASCII, &seven);
        assert_eq!(rows.lines().map(str::len).max(), Some(6 * 9 + 5 * 4));
        assert_eq!(rows.lines().count(), 4 + 1 + 4);
    }
}
