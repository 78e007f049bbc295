//! Boards from our own drawings, in Unicode and in ASCII: the clues are read, and lines, black cells
//! and marks of what is open are skipped, as those of a player are.
//!
//! ```text
//! ┌───┐   ·       +---+   .       @---O---+       1  #2#
//! │ 3 │           | 3 |           |       |      #1#  2
//! └───┘   ·       +---+   .       +-------+
//! ```
//!
//! [`term`](crate::render::term) draws a point of the doubled grid as a character, and the middle of a
//! cell as one or as three. In a puzzle whose lines are borders of cells the corners are drawn, in
//! others the drawing begins in the middles of the first cells. Where no lines are, cells stand next to
//! each other, one blank apart.

use crate::picture::{Mark, Point};
use crate::puzzle::Kind;
use crate::puzzle::clues::{Clue, Clues};
use crate::puzzle::grid::size;

/// Characters that a cell without a clue has, or nothing.
const BLANKS: [&str; 6] = ["", ".", "-", "_", "-1", "·"];

/// White and black circles, as people write and as we draw them.
const CIRCLES: [(&[&str], Clue); 2] = [
    (&["W", "w", "O", "o", "○", "◯", "⚪"], Clue::White),
    (&["B", "b", "●", "•", "⚫", "@"], Clue::Black),
];

/// The clue that a few characters stand for; `None` if the kind has no such clue.
pub(super) fn clue(kind: &dyn Kind, token: &[u8]) -> Option<Clue> {
    let token = str::from_utf8(token).ok()?.trim_matches(['"', '\'']);
    if BLANKS.contains(&token) {
        return Some(Clue::Blank);
    }
    // A blank before it says that it is one number where a kind has long ones.
    let single =
        |text: &str| kind.read(text.as_bytes()).ok().filter(|clues| clues.cells.len() == 1);
    let own = match token.len() {
        1 => single(token),
        _ => single(&format!(" {token}")),
    };
    if let Some(clues) = own {
        return clues.cells.first().copied();
    }
    let (_, circle) = CIRCLES.iter().find(|(names, _)| names.contains(&token))?;
    let mut text = Vec::new();
    kind.cell(*circle, false, &mut text);
    let is_read = kind.read(&text).is_ok_and(|clues| clues.cells == [*circle]);
    is_read.then_some(*circle)
}

/// The board of a drawing; `None` if the text is none.
pub(super) fn read(kind: &dyn Kind, text: &[u8]) -> Option<Clues> {
    let text = str::from_utf8(text).ok()?;
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    // Above a picture may stand its number or another caption, and after it an empty line.
    if let Some(caption) = lines.first().and_then(|line| line.strip_suffix(':'))
        && caption.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ')
    {
        let end = lines.iter().position(|line| line.is_empty()).unwrap_or(lines.len());
        lines = lines[1..end].to_vec();
    }
    while lines.pop_if(|line| line.is_empty()).is_some() {}
    let rows: Vec<Vec<char>> = lines.iter().map(|line| line.chars().collect()).collect();
    let corners = has_corners(kind);
    let open = [3, 1].into_iter().find_map(|middle| Layout { corners, middle }.board(kind, &rows));
    open.or_else(|| closed(kind, &lines))
}

/// Whether the drawings of a kind have something in the corners of cells.
fn has_corners(kind: &dyn Kind) -> bool {
    let picture = kind.draw(&Clues::blank(1, 1), None);
    picture.marks.contains(&Mark::Dot(Point::new(0, 0)))
}

/// Where the points of a drawing with lines are.
struct Layout {
    /// Whether the first line is a row of corners, not of middles.
    corners: bool,
    /// Columns that the middle of a cell takes.
    middle: usize,
}

impl Layout {
    fn board(&self, kind: &dyn Kind, rows: &[Vec<char>]) -> Option<Clues> {
        let step = self.middle + 1;
        let wide = rows.iter().map(Vec::len).max()?;
        // Lines end with the last corner, or with the last middle.
        let (rest, cols, count) = match self.corners {
            true => (wide.checked_sub(1)? % step, wide / step, rows.len() / 2),
            false => ((wide + step / 2) % step, wide / step + 1, rows.len().div_ceil(2)),
        };
        if rest != 0 || rows.len().is_multiple_of(2) || rows.len() < 3 {
            return None;
        }
        let (height, width) = size(count as u64, cols as u64)?;
        let mut cells = Vec::new();
        for (y, row) in rows.iter().enumerate() {
            let is_middle = y % 2 == usize::from(self.corners);
            // Only blanks are left out at the end of a line, and corners and middles are never blank.
            if row.len() != wide && is_middle != self.corners {
                return None;
            }
            for (x, &character) in row.iter().enumerate() {
                let (column, side) = self.column(x);
                match (is_middle, column % 2 == 1) {
                    (true, true) if side == 0 => cells.push(middle(kind, character)?),
                    (odd_row, odd_column) => {
                        self.fits(character, odd_row, odd_column, side).then_some(())?;
                    }
                }
            }
            if is_middle {
                let begun = cells.len() % cols;
                cells.resize(cells.len() + if begun > 0 { cols - begun } else { 0 }, Clue::Blank);
            }
        }
        // A grid of dashes is no drawing.
        let is_drawn = |&c: &char| c == '+' || !c.is_ascii();
        let is_board = cells.len() == count * cols
            && (cells.iter().any(|&clue| clue != Clue::Blank)
                || rows.iter().flatten().any(is_drawn));
        is_board.then_some(Clues { rows: height, cols: width, cells, full: false })
    }

    /// Whether a character may be on a point that is no middle of a cell, or beside one.
    fn fits(&self, character: char, odd_row: bool, odd_column: bool, side: usize) -> bool {
        const ACROSS: &str = " -=.xX×";
        const DOWN: &str = " |H:xX×";
        match (self.corners, odd_row, odd_column) {
            // Lines along the borders of cells, which are blank but for their middles.
            (true, true, true) => character == ' ',
            (true, true, false) => is_one_of(character, DOWN),
            (true, false, true) => is_one_of(character, ACROSS),
            (true, false, false) => is_one_of(character, ".·+|-H=:"),
            // Lines through the middles of cells.
            (false, true, _) => is_one_of(character, ACROSS),
            (false, false, true) if side == 0 => is_one_of(character, DOWN),
            (false, false, _) => character == ' ',
        }
    }

    /// The column of the doubled grid in which column `x` of the text lies, counted so that middles are
    /// odd; and how far it is from its middle.
    fn column(&self, x: usize) -> (usize, usize) {
        let half = self.middle / 2;
        let x = if self.corners { x } else { x + 1 };
        match x % (self.middle + 1) {
            0 => (2 * (x / (self.middle + 1)), 0),
            place => (2 * (x / (self.middle + 1)) + 1, (place - 1).abs_diff(half)),
        }
    }
}

/// Whether a character is one of these, or one of those that lines are made of.
fn is_one_of(character: char, others: &str) -> bool {
    ('\u{2500}'..='\u{257f}').contains(&character) || others.contains(character)
}

/// The clue in the middle of a cell, where a line may pass.
fn middle(kind: &dyn Kind, character: char) -> Option<Clue> {
    match is_one_of(character, " .·-|+=H") {
        true => Some(Clue::Blank),
        false => clue(kind, character.to_string().as_bytes()),
    }
}

/// What stands between the marks of a cell, such as `█10█` or `[2]`; the whole if there are none.
/// `None` if they are on one side only.
fn unmarked(token: &str) -> Option<&str> {
    const MARKS: [(char, char); 7] =
        [('█', '█'), ('▓', '▓'), ('░', '░'), ('#', '#'), ('%', '%'), ('?', '?'), ('[', ']')];
    let is_mark = |c: char| MARKS.iter().any(|&(open, close)| c == open || c == close);
    if token == "?" || !token.contains(is_mark) {
        return Some(token);
    }
    let (open, close) =
        MARKS.iter().find(|(open, close)| token.starts_with(*open) && token.ends_with(*close))?;
    let inner = token.trim_start_matches(*open).trim_end_matches(*close);
    (!inner.contains(is_mark)).then_some(inner)
}

/// The board of a drawing without lines.
fn closed(kind: &dyn Kind, lines: &[&str]) -> Option<Clues> {
    // A grid that people write has none of these; without them it is no drawing.
    if !lines.iter().any(|line| line.contains(['█', '▓', '░', '#', '%', '[', '?', '○', '●', '·']))
    {
        return None;
    }
    let split = |line: &&str| line.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    let rows: Vec<Vec<String>> = lines.iter().map(split).collect();
    let cols = rows.first()?.len();
    let mut cells = Vec::new();
    let (mut longest, mut empty) = (1, usize::MAX);
    for row in &rows {
        if row.len() != cols {
            return None;
        }
        for token in row {
            let inner = unmarked(token)?;
            if inner.is_empty() {
                empty = empty.min(token.chars().count());
            }
            longest = longest.max(inner.chars().count());
            cells.push(clue(kind, inner.as_bytes())?);
        }
    }
    // Black that is not wider than the numbers may hide one.
    let (height, width) = size(rows.len() as u64, cols as u64)?;
    (empty > longest).then_some(Clues { rows: height, cols: width, cells, full: false })
}
