//! Grids: the puzzle's own text, and what people write instead.
//!
//! ```text
//! 3 . 1      [[3, -1, 1],      3 1       -W-
//! . . .       [-1, -1, -1]]              B--
//! ```
//!
//! The puzzle's own reader has the first word. What it refuses may be one of our drawings
//! ([`drawn`]), or a grid with something between its cells: blanks, tabs, commas, semicolons,
//! brackets, quotes. Its cells may be empty, `-`, `_`, `-1` or a raised dot instead of `.`; circles may
//! be letters, `W`, `O` and `B`, or characters that look like them. A grid in which blanks neither
//! part all the cells nor stand at the ends of lines has blanks for its empty cells.

use super::{Format, Importer, MOST_CELLS, drawn};
use crate::diagnostic::Diagnostic;
use crate::encoding;
use crate::puzzle::Kind;
use crate::puzzle::clues::{Clue, Clues};
use crate::puzzle::grid::{FULL, size};

/// The importer, see the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridText;

impl Importer for GridText {
    fn format(&self) -> Format {
        Format::Text
    }

    fn about(&self) -> &'static str {
        "a grid of clues, one row a line"
    }

    fn recognizes(&self, _: &[u8]) -> bool {
        true
    }

    fn import(
        &self,
        kind: &dyn Kind,
        text: &[u8],
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Clues, Diagnostic> {
        let refused = match kind.read(text) {
            Ok(clues) => return Ok(clues),
            Err(refused) => refused,
        };
        if let Some(clues) = drawn::read(kind, text) {
            return Ok(clues);
        }
        let (rows, full) = rows(text);
        // Some kinds have no variant.
        if full && kind.read(format!(".\n{FULL}").as_bytes()).is_err() {
            return Err(refused);
        }
        match Separator::of(kind, &rows) {
            // Nothing stands between the cells, so the puzzle's reader said what is wrong.
            Separator::Closed => cells(kind, &rows, full, closed).map_err(|_| refused),
            Separator::Parted => {
                let rows: Vec<GridLine> = rows.iter().flat_map(unbracketed).collect();
                cells(kind, &rows, full, parted)
            }
            Separator::Blanks => {
                let clues = blanks(kind, &rows, full)?;
                let GridLine { line, whole, .. } = rows[0];
                let what = format!(
                    "read as a board of {} rows and {} columns, with blanks for empty cells",
                    clues.rows, clues.cols
                );
                notes.push(Diagnostic::new(line, whole, 0..0, what));
                Ok(clues)
            }
        }
    }
}

/// A line of the grid.
#[derive(Clone, Copy)]
struct GridLine<'a> {
    line: u64,
    whole: &'a [u8],
    /// Where `text` begins.
    start: usize,
    /// The line without its end and without blanks there.
    text: &'a [u8],
}

impl GridLine<'_> {
    fn complain(&self, at: usize, length: usize, what: impl Into<String>) -> Diagnostic {
        let from = self.start + at;
        Diagnostic::new(self.line, self.whole, from..from + length, what)
    }
}

/// The lines up to the last one that is not blank, and whether the variant follows.
fn rows(text: &[u8]) -> (Vec<GridLine<'_>>, bool) {
    let row = |(line, whole, start): (u64, _, _)| {
        let text: &[u8] = whole;
        GridLine { line, whole, start, text: text[start..].trim_ascii_end() }
    };
    let mut rows: Vec<GridLine> = encoding::lines(text).map(row).collect();
    while rows.pop_if(|row| row.text.is_empty()).is_some() {}
    let full = rows.len() > 1 && rows.pop_if(|row| row.text == FULL.as_bytes()).is_some();
    (rows, full)
}

/// A cell of the text: its place in the row, and what it is.
type CellText<'a> = (usize, &'a [u8]);

/// What stands between the cells of a row.
enum Separator {
    /// Nothing.
    Closed,
    /// Blanks or punctuation.
    Parted,
    /// Nothing, and blanks are empty cells.
    Blanks,
}

impl Separator {
    fn of(kind: &dyn Kind, rows: &[GridLine]) -> Separator {
        let has = |byte: fn(&u8) -> bool| rows.iter().any(|row| row.text.iter().any(byte));
        if has(|byte| b",;[\t".contains(byte)) {
            return Separator::Parted;
        }
        if !has(|&byte| byte == b' ') {
            return Separator::Closed;
        }
        // A kind that has blanks between its numbers has no blank cells. Else blanks part the cells if
        // each row has as many, with one blank between them unless some are longer.
        let has_numbers = kind.read(b"1 1").is_ok_and(|clues| clues.cols == 2);
        let count = |row: &GridLine| words(row).count();
        let first = rows.first().map_or(0, count);
        let even = |row: &GridLine| {
            let long = words(row).any(|(_, word)| word.len() > 1 && word.is_ascii());
            long || row
                .text
                .trim_ascii()
                .chunks(2)
                .all(|pair| pair.get(1).is_none_or(|&b| b == b' '))
        };
        let parted =
            rows.iter().all(|row| count(row) == first && (!row.text.is_ascii() || even(row)));
        if has_numbers || parted { Separator::Parted } else { Separator::Blanks }
    }
}

/// The parts between blanks, and where they begin.
fn words<'a>(row: &GridLine<'a>) -> impl Iterator<Item = CellText<'a>> {
    let mut at = 0;
    let parts = row.text.split(u8::is_ascii_whitespace).map(move |word| {
        at += word.len() + 1;
        (at - word.len() - 1, word)
    });
    parts.filter(|(_, word)| !word.is_empty())
}

/// A line as rows: each of what stands in innermost brackets, or all of it. None if there is nothing
/// but brackets and commas.
fn unbracketed<'a>(row: &GridLine<'a>) -> Vec<GridLine<'a>> {
    let is = |marks: &'static [u8]| move |byte: &u8| marks.contains(byte);
    if !row.text.iter().any(is(b"[](){}")) {
        return vec![*row];
    }
    let part =
        |from: usize, to: usize| GridLine { start: row.start + from, text: &row.text[from..to], ..*row };
    let mut parts = Vec::new();
    // Where the innermost bracket begins, if it has not ended.
    let mut open = None;
    for (at, byte) in row.text.iter().enumerate() {
        match byte {
            b'[' | b'(' | b'{' => open = Some(at + 1),
            b']' | b')' | b'}' => parts.extend(open.take().map(|from| part(from, at))),
            _ => {}
        }
    }
    parts.extend(open.map(|from| part(from, row.text.len())));
    parts.retain(|part| !part.text.trim_ascii().is_empty());
    parts
}

/// The cells of a row between punctuation or blanks, each with its place. Between commas or semicolons a
/// cell may be empty.
fn parted<'a>(row: &GridLine<'a>) -> Vec<CellText<'a>> {
    let is_comma = |byte: &u8| b",;".contains(byte);
    if !row.text.iter().any(is_comma) {
        return words(row).collect();
    }
    let mut at = 0;
    let cells = row.text.split(is_comma).map(|part| {
        let begins = at + part.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        at += part.len() + 1;
        (begins, part.trim_ascii())
    });
    cells.collect()
}

/// The characters of a row, each with its place.
fn closed<'a>(row: &GridLine<'a>) -> Vec<CellText<'a>> {
    let mut cells = Vec::new();
    let mut at = 0;
    for chunk in row.text.utf8_chunks() {
        let valid = chunk.valid().char_indices();
        let lengths = valid.map(|(_, c)| c.len_utf8());
        for length in lengths.chain(std::iter::repeat_n(1, chunk.invalid().len())) {
            cells.push((at, &row.text[at..at + length]));
            at += length;
        }
    }
    cells
}

/// The board of rows that `split` takes apart.
fn cells(
    kind: &dyn Kind,
    rows: &[GridLine],
    full: bool,
    split: for<'a> fn(&GridLine<'a>) -> Vec<CellText<'a>>,
) -> Result<Clues, Diagnostic> {
    let mut cells = Vec::new();
    let mut cols = 0;
    let mut count = 0u64;
    for row in rows {
        let found = split(row);
        if found.is_empty() {
            return Err(row.complain(0, 0, "blank line inside the board").expected("a row"));
        }
        if count == 0 {
            cols = found.len();
        }
        count += 1;
        for &(at, token) in &found {
            let clue = drawn::clue(kind, token).ok_or_else(|| {
                let shown = String::from_utf8_lossy(&token[..token.len().min(40)]);
                let what = format!("`{}` is no clue", shown.escape_debug());
                row.complain(at, token.len(), what).expected(kind.legend())
            })?;
            cells.push(clue);
        }
        if found.len() != cols {
            let at = found.get(cols).map_or(row.text.len(), |&(at, _)| at);
            let plural = if found.len() == 1 { "cell" } else { "cells" };
            let what = format!("this row has {} {plural}, the first has {cols}", found.len());
            return Err(row
                .complain(at, row.text.len() - at, what)
                .expected("rows of equal length"));
        }
    }
    board(count, cols as u64, cells, full)
}

/// The board of rows whose blanks are empty cells; at the ends of lines they may be missing.
fn blanks(kind: &dyn Kind, rows: &[GridLine], full: bool) -> Result<Clues, Diagnostic> {
    let split: Vec<_> = rows.iter().map(closed).collect();
    let cols = split.iter().map(Vec::len).max().unwrap_or(0);
    if rows.len() as u64 * cols as u64 > MOST_CELLS {
        let what = format!("a board of more than {MOST_CELLS} cells");
        return Err(rows[0].complain(0, 0, what).expected("a smaller one"));
    }
    let mut cells = Vec::new();
    for (row, found) in rows.iter().zip(&split) {
        // A line of blanks is a row, an empty one is not.
        if row.whole.iter().all(|&byte| byte == b'\r') {
            return Err(row.complain(0, 0, "blank line inside the board").expected("a row"));
        }
        for &(at, token) in found {
            let clue = if token == b" " { Some(Clue::Blank) } else { drawn::clue(kind, token) };
            cells.push(clue.ok_or_else(|| {
                let shown = String::from_utf8_lossy(token);
                let what = format!("illegal character `{}`", shown.escape_debug());
                row.complain(at, token.len(), what).expected(kind.legend())
            })?);
        }
        cells.resize(cells.len() + cols - found.len(), Clue::Blank);
    }
    board(rows.len() as u64, cols as u64, cells, full)
}

fn board(rows: u64, cols: u64, cells: Vec<Clue>, full: bool) -> Result<Clues, Diagnostic> {
    match size(rows, cols) {
        Some((rows, cols)) => Ok(Clues { rows, cols, cells, full }),
        None => Err(Diagnostic::new(1, b"", 0..0, "the board has no rows").expected("a row")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::find;

    /// The board as the puzzle's own text, with the notes; or the complaint.
    fn read(kind: &str, text: &str) -> String {
        let kind = find(kind).unwrap();
        let mut notes = Vec::new();
        match GridText.import(kind, text.as_bytes(), &mut notes) {
            Ok(clues) => {
                let notes = notes.iter().map(|note| format!("({})\n", note.what));
                String::from_utf8(kind.text(&clues)).unwrap() + &notes.collect::<String>()
            }
            Err(e) => format!("{}:{}: {}", e.line, e.column, e.what),
        }
    }

    #[test]
    fn reads_grids_that_people_write() {
        for text in [
            "3.1\n...\n.20\n",
            "3 . 1\n. . .\n. 2 0\n",
            "3-1\n---\n-20\n",
            "3_1\r\n___\r\n_20\r\n",
            "3 -1 1\n-1 -1 -1\n-1 2 0\n",
            " 3 -1  1\n-1 -1 -1\n-1  2  0\n",
            "3,-1,1\n-1,-1,-1\n-1,2,0\n",
            "3,,1\n,,\n,2,0\n",
            "3\t.\t1\n.\t.\t.\n.\t2\t0\n",
            "[[3, -1, 1],\n [-1, -1, -1],\n [-1, 2, 0]]\n",
            "[[3,-1,1],[-1,-1,-1],[-1,2,0]]\n",
            "[\n  [\"3\", \".\", \"1\"],\n  [\".\", \".\", \".\"],\n  [\".\", \"2\", \"0\"]\n]\n",
            "[[ 3 -1  1]\n [-1 -1 -1]\n [-1  2  0]]\n",
            "3·1\n···\n·20\n",
        ] {
            assert_eq!(read("slitherlink", text), "3.1\n...\n.20\n", "{text}");
        }
        for text in [
            "W.B\n.W.\n",
            "w-b\n-w-\n",
            "O . @\n. o .\n",
            "○·●\n·○·\n",
            "W,,B\n,W,\n",
            "-W-B\n".replace("-W-B", "0.1\n.0.").as_str(),
        ] {
            assert_eq!(read("masyu", text), "0.1\n.0.\n", "{text}");
        }
        for text in ["1 -1 112\n2 3 4\n", "1,-1,112\n2,3,4\n", "[[1, , 112], [2, 3, 4]]\n"] {
            assert_eq!(read("hitori", text), "1 . 112\n2 3 4\n", "{text}");
        }
        assert_eq!(read("slitherlink", "3 -\n- 1\nvariant: f\n"), "3.\n.1\nvariant: f\n");
    }

    #[test]
    fn blanks_may_be_empty_cells() {
        let note = |rows, cols| {
            format!(
                "(read as a board of {rows} rows and {cols} columns, with blanks for empty cells)\n"
            )
        };
        assert_eq!(
            read("slitherlink", "3  1\n  2\n0\n"),
            format!("3..1\n..2.\n0...\n{}", note(3, 4))
        );
        assert_eq!(
            read("slitherlink", "3 1\n   \n 22\n"),
            format!("3.1\n...\n.22\n{}", note(3, 3))
        );
        assert_eq!(read("masyu", " W B\nB\n"), format!(".0.1\n1...\n{}", note(2, 4)));
        assert_eq!(read("slitherlink", "3  1\n\n0\n"), "2:1: blank line inside the board");
        let long = format!("3  1{}\n{}", "\n ".repeat(4000), " ".repeat(4000) + "1\n");
        assert_eq!(read("slitherlink", &long), "1:1: a board of more than 4000000 cells");
    }

    #[test]
    fn says_what_is_wrong() {
        for (kind, text, complaint) in [
            ("slitherlink", "3 . 1\n. 7 .\n", "2:3: `7` is no clue"),
            ("slitherlink", "3,1\n1\n", "2:2: this row has 1 cell, the first has 2"),
            ("slitherlink", "3,1\n1,1,2\n", "2:5: this row has 3 cells, the first has 2"),
            ("slitherlink", "[[3,1],[0,W]]\n", "1:11: `W` is no clue"),
            ("slitherlink", "W.B\n.W.\n", "1:1: illegal character `W`"),
            ("slitherlink", "3-\n-x\n", "1:2: illegal character `-`"),
            ("masyu", "02\n..\n", "1:2: illegal character `2`"),
            ("hitori", "12\n3%\n", "2:2: illegal character `%`"),
            ("slitherlink", "[\n]\n", "1:1: the board has no rows"),
        ] {
            assert_eq!(read(kind, text), complaint, "{text}");
        }
    }

    #[test]
    fn reads_drawings() {
        let boxes = "┌───┐   ·\n│ 3 │ ?\n│   ╵   ·\n│     1\n└───╴   ·\n";
        assert_eq!(read("slitherlink", boxes), "3?\n.1\n");
        let ascii = "7:\n+---+   .\n| 3 | ?\n|   .   .\nx     1\n+---.===+\n\n8:\n";
        assert_eq!(read("slitherlink", ascii), "3?\n.1\n");
        assert_eq!(read("slitherlink", "┌─┐ ·\n│3│?\n└─┘ ·\n"), "3?\n");
        let certain = "in all solutions:\n┌───╴┈┈┈·\n│ 3 ┊   ┊\n╵┈┈┈· × ·\n";
        assert_eq!(read("slitherlink", certain), "3.\n");
        let pearls = " ●───○   ·\n │   │\n ?   │   ●\n";
        assert_eq!(read("masyu", pearls), "10.\n?.1\n");
        assert_eq!(read("masyu", " @---O   .\n |   |\n ?...+   @\n"), "10.\n?.1\n");
        assert_eq!(read("masyu", "· ○\n? ●\n"), ".0\n?1\n");
        assert_eq!(read("hitori", " 5  █3█ [2]\n░1░ ▓4▓ ███\n"), "532\n14.\n");
        assert_eq!(read("hitori", "  1  #100#\n#####  2\n"), "1 100\n. 2\n");
        // Black hides numbers.
        assert_eq!(read("hitori", "█8 14\n██  1\n"), "1:1: `█8` is no clue");
    }
}
