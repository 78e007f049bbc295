//! Reading rectangular clue text: one row a line, and perhaps a last line `variant: f`.
//!
//! The same reader takes a board from a file of its own and from the comments at the head of a
//! .dlx file; there every line begins with `| `, and the rows end at the first line that is no
//! comment or an empty one. A [`Sheet`] hides that difference and remembers lines and columns.

use super::clues::{Clue, Clues};
use crate::diagnostic::Diagnostic;
use crate::encoding;
use crate::names::Width;
use crate::wording::counted;

/// The line that follows the board when the loop has to visit every vertex.
pub const FULL: &str = "variant: f";

/// One row of clue text.
#[derive(Clone, Copy, Debug)]
pub struct ClueRow<'a> {
    /// Line number, from 1.
    pub line: u64,
    /// The whole line, for messages.
    pub whole: &'a [u8],
    /// Where the row begins in `whole`.
    pub start: usize,
    /// The row, without blanks at its end.
    pub text: &'a [u8],
}

impl ClueRow<'_> {
    /// A complaint about `length` bytes from byte `at` of the row.
    pub fn complain(&self, at: usize, length: usize, what: impl Into<String>) -> Diagnostic {
        let from = self.start + at;
        Diagnostic::new(self.line, self.whole, from..from + length, what)
    }
}

/// The rows of one board.
#[derive(Clone, Debug)]
pub struct Sheet<'a> {
    /// The rows, at least one.
    pub rows: Vec<ClueRow<'a>>,
    /// Whether the line [`FULL`] follows.
    pub full: bool,
}

impl<'a> Sheet<'a> {
    /// The rows of a board file. Skips a byte order mark, blanks at line ends and blank lines after
    /// the board.
    pub fn of_text(text: &'a [u8]) -> Result<Self, Diagnostic> {
        Self::of_lines(encoding::lines(text).map(|(line, whole, start)| ClueRow {
            line,
            whole,
            start,
            text: whole[start..].trim_ascii_end(),
        }))
    }

    /// The rows in the comments of a .dlx file that follow the comment `header`. `head` is the
    /// file, or at least its lines before the item line. `None` if there is no such comment.
    pub fn of_comments(head: &'a [u8], header: &str) -> Option<Result<Self, Diagnostic>> {
        let mut comments = head
            .split(|&byte| byte == b'\n')
            .zip(1..)
            .take_while(|(line, _)| line.trim_ascii().first().is_none_or(|&byte| byte == b'|'))
            .filter_map(|(whole, line)| {
                let bar = whole.iter().position(|&byte| byte == b'|')?;
                let blank = usize::from(whole.get(bar + 1) == Some(&b' '));
                let start = bar + 1 + blank;
                Some(ClueRow { line, whole, start, text: whole[start..].trim_ascii_end() })
            });
        comments.find(|row| row.text == header.as_bytes())?;
        Some(Self::of_lines(comments.take_while(|row| !row.text.is_empty())))
    }

    fn of_lines(lines: impl Iterator<Item = ClueRow<'a>>) -> Result<Self, Diagnostic> {
        let mut sheet = Sheet { rows: Vec::new(), full: false };
        let mut gap: Option<ClueRow> = None;
        for row in lines {
            match (row.text, gap) {
                ([], _) => gap = gap.or(Some(row)),
                (_, Some(gap)) => {
                    return Err(gap
                        .complain(0, 0, "blank line inside the board")
                        .expected("a row"));
                }
                (text, None) if sheet.full => {
                    let what = format!("a line follows `{FULL}`");
                    return Err(row.complain(0, text.len(), what).expected("the end of the board"));
                }
                (text, None) if text == FULL.as_bytes() => sheet.full = true,
                (_, None) => sheet.rows.push(row),
            }
        }
        match sheet.rows.first() {
            Some(_) => Ok(sheet),
            None => Err(Diagnostic::new(1, b"", 0..0, "the board has no rows").expected("a row")),
        }
    }

    /// The clues, one byte a cell. `expected` says which bytes `clue` takes.
    pub fn clues(
        &self,
        expected: &str,
        clue: impl Fn(u8) -> Option<Clue>,
    ) -> Result<Clues, Diagnostic> {
        let cols = self.rows[0].text.len();
        let mut cells = Vec::with_capacity(self.rows.iter().map(|row| row.text.len()).sum());
        for row in &self.rows {
            for (at, &byte) in row.text.iter().enumerate() {
                let Some(clue) = clue(byte) else {
                    // A character of several bytes is shown whole.
                    let more = row.text[at + 1..].iter().take_while(|&&b| b & 0xc0 == 0x80);
                    let length = 1 + if byte < 0x80 { 0 } else { more.count() };
                    let shown = String::from_utf8_lossy(&row.text[at..at + length]);
                    let what = format!("illegal character `{}`", shown.escape_debug());
                    return Err(row.complain(at, length, what).expected(expected));
                };
                cells.push(clue);
            }
            same_length(row, row.text.len(), cols, row.text.len().min(cols))?;
        }
        self.board(cols, cells)
    }

    /// The board of these cells, if coordinates can hold it.
    pub fn board(&self, cols: usize, cells: Vec<Clue>) -> Result<Clues, Diagnostic> {
        match size(self.rows.len() as u64, cols as u64) {
            Some((rows, cols)) => Ok(Clues { rows, cols, cells, full: self.full }),
            None => {
                Err(self.rows[0].complain(0, 0, "the board is larger than coordinates can say"))
            }
        }
    }

    /// Refuses the line [`FULL`], for puzzles that have no such variant.
    pub fn no_variant(&self) -> Result<(), Diagnostic> {
        match (self.full, self.rows.last()) {
            (true, Some(last)) => {
                let at = last.text.len();
                let what = format!("`{FULL}` follows, but this puzzle has no variants");
                Err(last.complain(at, 0, what).expected("the end of the board"))
            }
            _ => Ok(()),
        }
    }
}

/// Complains about a row of `cells` cells where the first one has `cols`; `at` is where.
pub fn same_length(row: &ClueRow, cells: usize, cols: usize, at: usize) -> Result<(), Diagnostic> {
    if cells == cols {
        return Ok(());
    }
    let cells = counted(cells, "cell");
    let what = format!("this row has {cells}, the first has {cols}");
    Err(row.complain(at, row.text.len() - at, what).expected("rows of equal length"))
}

/// The size as numbers of a board that coordinates can hold, `None` for all others.
pub fn size(rows: u64, cols: u64) -> Option<(u32, u32)> {
    let (rows, cols) = (u32::try_from(rows).ok()?, u32::try_from(cols).ok()?);
    let largest = rows.max(cols).checked_mul(2)?;
    (rows > 0 && cols > 0 && Width::holding(largest).is_some()).then_some((rows, cols))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Result<Clues, (u64, u64, String)> {
        Sheet::of_text(text)
            .and_then(|sheet| {
                sheet.clues("`.`", |byte| match byte {
                    b'.' => Some(Clue::Blank),
                    b'?' => Some(Clue::Unknown),
                    _ => None,
                })
            })
            .map_err(|e| (e.line, e.column, e.what))
    }

    fn complaint(line: u64, column: u64, what: &str) -> Result<Clues, (u64, u64, String)> {
        Err((line, column, what.into()))
    }

    #[test]
    fn skips_mark_blanks_and_blank_lines_at_the_end() {
        let clean = read(b".?.\n...\n");
        assert_eq!(clean.as_ref().map(|clues| (clues.rows, clues.cols)), Ok((2, 3)));
        for text in ["\u{feff}.?.\r\n...\r\n", ".?.  \n...\t\n\n \n", ".?.\n..."] {
            assert_eq!(read(text.as_bytes()), clean);
        }
    }

    #[test]
    fn says_where_the_board_is_wrong() {
        assert_eq!(read(b""), complaint(1, 1, "the board has no rows"));
        assert_eq!(read(b"\n\n"), complaint(1, 1, "the board has no rows"));
        assert_eq!(read(b"..\n\n..\n"), complaint(2, 1, "blank line inside the board"));
        assert_eq!(read(b"\n..\n"), complaint(1, 1, "blank line inside the board"));
        assert_eq!(read(b"..\n.x\n"), complaint(2, 2, "illegal character `x`"));
        assert_eq!(read("..\né.\n".as_bytes()), complaint(2, 1, "illegal character `é`"));
        assert_eq!(read(b" ..\n"), complaint(1, 1, "illegal character ` `"));
        assert_eq!(read(b"\xef\xbb\xbfx\n"), complaint(1, 4, "illegal character `x`"));
        assert_eq!(read(b"..\n...\n"), complaint(2, 3, "this row has 3 cells, the first has 2"));
        assert_eq!(read(b"..\n.\n"), complaint(2, 2, "this row has 1 cell, the first has 2"));
    }

    #[test]
    fn reads_the_variant_after_the_board_only() {
        assert_eq!(read(b"..\nvariant: f\n").map(|clues| clues.full), Ok(true));
        assert_eq!(read(b"variant: f\n"), complaint(1, 1, "the board has no rows"));
        assert_eq!(read(b"..\nvariant: f\n..\n"), complaint(3, 1, "a line follows `variant: f`"));
    }

    #[test]
    fn finds_the_rows_among_comments() {
        let head = b"| by hand\n\n| x-dlx:\n| .?\n| ..\n|\n| more\n00 02\n| x-dlx:\n";
        let sheet = Sheet::of_comments(head, "x-dlx:").unwrap().unwrap();
        let rows: Vec<_> = sheet.rows.iter().map(|row| (row.line, row.start, row.text)).collect();
        assert_eq!(rows, [(4, 2, &b".?"[..]), (5, 2, b"..")]);
        assert!(Sheet::of_comments(b"a b\n| x-dlx:\n| ..\n", "x-dlx:").is_none());
    }
}
