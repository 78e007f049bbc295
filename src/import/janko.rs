//! Rows of tokens after a line with the size, as collections made from janko.at have them.
//!
//! ```text
//! 2 3
//! w - -        2 rows and 3 columns; of a masyu: a white circle, blanks, and a black circle
//! - - b
//! ```
//!
//! A size of one number is that of a square. A row may have its cells without blanks between them. Lines that begin with `#` or `@` are comments, blank
//! lines mean nothing. The files of the site itself are read as well: their board follows `[problem]`
//! and ends at the next such heading, with the size, if it is there, in a line `size`, or in `rows`
//! and `cols`; else the rows are counted.

use super::fill::{Filling, Source, Tokens, decimal, lines, row};
use super::{Format, Importer, no_such_kind};
use crate::diagnostic::Diagnostic;
use crate::puzzle::clues::{Clue, Clues};
use crate::puzzle::{self, Kind};

/// The importer, see the module.
#[derive(Clone, Copy, Debug)]
pub struct Janko;

/// The heading of the board in a file of the site.
const HEADING: &[u8] = b"[problem]";

impl Importer for Janko {
    fn format(&self) -> Format {
        Format::Janko
    }

    fn about(&self) -> &'static str {
        "rows after a line with the size, or a file of janko.at"
    }

    fn recognizes(&self, text: &[u8]) -> bool {
        let mut rows = significant(text);
        let Some(first) = rows.next() else { return false };
        if first.text.eq_ignore_ascii_case(b"[begin]") || first.text.eq_ignore_ascii_case(HEADING) {
            return true;
        }
        match sizes(&first) {
            // A grid of two columns looks the same unless its rows differ, and one of one always does.
            Some((1, 1)) => false,
            Some((count, 1)) => rows.clone().count() == count as usize && is_board(1, &first, rows),
            Some((_, cols)) => is_board(cols, &first, rows),
            None => false,
        }
    }

    fn import(
        &self,
        kind: &dyn Kind,
        text: &[u8],
        _: &mut Vec<Diagnostic>,
    ) -> Result<Clues, Diagnostic> {
        let mut lines = significant(text).peekable();
        let Some(&first) = lines.peek() else {
            let nothing = Source::only_line(text)?;
            return Err(nothing.unexpected(b"").expected("the height and width of the board"));
        };
        if first.text.starts_with(b"[") {
            return site(kind, first, lines);
        }
        let Some((rows, cols)) = sizes(&first) else {
            let what = "no size";
            let expected = "the height and width of the board";
            return Err(first.complain(first.text, usize::MAX, what).expected(expected));
        };
        lines.next();
        board(kind, &first, rows, cols, lines)
    }

    fn kind(&self, text: &[u8]) -> Result<Option<&'static dyn Kind>, Diagnostic> {
        let mut lines =
            significant(text).take_while(|line| !line.text.eq_ignore_ascii_case(HEADING));
        let Some((line, name)) = lines.find_map(|line| Some((line, named(&line)?))) else {
            return Ok(None);
        };
        match str::from_utf8(name).ok().and_then(puzzle::find) {
            Some(kind) => Ok(Some(kind)),
            None => Err(foreign(&line, name).expected(puzzle::names())),
        }
    }
}

/// The complaint about a board of another puzzle.
fn foreign(line: &Source, name: &[u8]) -> Diagnostic {
    let what = format!("this is a board of `{}`", String::from_utf8_lossy(name).escape_debug());
    line.complain(name, name.len(), what)
}

/// Whether some line is a row of so many cells after a line with their number, and no row of a grid that
/// has that line, too.
fn is_board<'a>(cols: u32, first: &Source, mut rows: impl Iterator<Item = Source<'a>>) -> bool {
    rows.any(|line| {
        let cells = tokens(line.text).count();
        // A row without blanks is longer than a size, and shorter than a number of so many digits.
        let closed = cells == 1 && cols > 2 && line.text.len() == cols as usize;
        closed && decimal(line.text).is_none()
            || cells == cols as usize
                && (cells != tokens(first.text).count()
                    || tokens(line.text).any(|token| token != b"." && decimal(token).is_none()))
    })
}

/// The name in a line `puzzle Name`, as files of the site have it; without leading blanks.
fn named<'a>(line: &Source<'a>) -> Option<&'a [u8]> {
    let (word, rest) = line.text.split_at_checked(b"puzzle".len())?;
    let blank = rest.first().is_some_and(u8::is_ascii_whitespace);
    (word.eq_ignore_ascii_case(b"puzzle") && blank).then(|| rest.trim_ascii_start())
}

/// Lines that are neither blank nor comments.
fn significant(text: &[u8]) -> impl Iterator<Item = Source<'_>> + Clone {
    lines(text).filter(|line| !matches!(line.text, [] | [b'#' | b'@', ..]))
}

/// The tokens of a line.
fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty())
}

/// Rows and columns, or one number for both.
fn sizes(line: &Source) -> Option<(u32, u32)> {
    let mut tokens = tokens(line.text).map(|token| decimal(token).filter(|&size| size > 0));
    let rows = tokens.next()??;
    let cols = tokens.next().unwrap_or(Some(rows))?;
    tokens.next().is_none().then_some((rows, cols))
}

/// A file of the site: settings, the board under its heading, the solution.
fn site<'a>(
    kind: &dyn Kind,
    first: Source<'a>,
    mut lines: impl Iterator<Item = Source<'a>>,
) -> Result<Clues, Diagnostic> {
    let (mut rows, mut cols) = (None, None);
    let mut last = first;
    loop {
        let Some(line) = lines.next() else {
            let end = &last.text[last.text.len()..];
            return Err(last.complain(end, 0, "the file ends too early").expected("`[problem]`"));
        };
        last = line;
        if line.text.eq_ignore_ascii_case(HEADING) {
            break;
        }
        let mut words = tokens(line.text);
        let (name, value) = (words.next().unwrap_or_default(), words.next());
        let size = value.and_then(decimal);
        match name.to_ascii_lowercase().as_slice() {
            b"puzzle" => check_kind(kind, &line)?,
            b"size" => (rows, cols) = (size, size),
            b"rows" => rows = size,
            b"cols" | b"columns" => cols = size,
            _ => {}
        }
    }
    let grid: Vec<Source> = lines.take_while(|line| !line.text.starts_with(b"[")).collect();
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let rows = rows.unwrap_or(count(grid.len()));
    let cols = cols.unwrap_or(grid.first().map_or(0, |row| count(tokens(row.text).count())));
    board(kind, &last, rows, cols, grid.into_iter())
}

/// Refuses a file of another puzzle.
fn check_kind(kind: &dyn Kind, line: &Source) -> Result<(), Diagnostic> {
    let name = named(line).unwrap_or_default();
    let mut names = kind.aliases().iter().copied().chain([kind.name()]);
    if names.any(|known| known.as_bytes().eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    Err(foreign(line, name).expected(format!("`{}`", kind.name())))
}

/// The rows of the board, nothing after them.
fn board<'a>(
    kind: &dyn Kind,
    size: &Source<'a>,
    rows: u32,
    cols: u32,
    mut lines: impl Iterator<Item = Source<'a>>,
) -> Result<Clues, Diagnostic> {
    let Some(mut board) = Filling::new(rows, cols) else {
        let what = "no board has this size";
        return Err(size.complain(size.text, usize::MAX, what).expected("its height and width"));
    };
    let tokens = codes(kind).ok_or_else(|| no_such_kind(kind, size, "janko.at"))?;
    let mut last = *size;
    for seen in 0..rows {
        let Some(line) = lines.next() else {
            let what = format!("only {seen} of the {rows} rows");
            let end = &last.text[last.text.len()..];
            return Err(last.complain(end, 0, what).expected("a row"));
        };
        if !closed_row(&line, cols, tokens, &mut board) {
            row(&line, cols, tokens, &mut board)?;
        }
        last = line;
    }
    match lines.next() {
        None => Ok(board.finish(false)),
        Some(line) => {
            let what = format!("more than the {rows} rows of the board");
            Err(line.complain(line.text, usize::MAX, what).expected("the end of the board"))
        }
    }
}

/// A row of as many characters as there are cells, each of them a clue. False, and nothing is taken, if
/// it is none.
fn closed_row(line: &Source, cols: u32, tokens: Tokens, board: &mut Filling) -> bool {
    if cols == 1 || line.text.len() as u64 != u64::from(cols) {
        return false;
    }
    let clues: Option<Vec<Clue>> = line.text.chunks(1).map(tokens.decode).collect();
    clues.is_some_and(|clues| clues.into_iter().all(|clue| board.push(clue)))
}

/// How the clues of a kind are written, `None` if this format has no such boards.
fn codes(kind: &dyn Kind) -> Option<Tokens> {
    Some(match kind.name() {
        "hitori" => Tokens {
            decode: |token| match token {
                b"-" | b"." | b"-1" => Some(Clue::Blank),
                _ => decimal(token).map(Clue::Number),
            },
            expected: "`-` or a number",
        },
        "masyu" => Tokens {
            decode: |token| match token {
                b"w" | b"W" => Some(Clue::White),
                b"b" | b"B" => Some(Clue::Black),
                b"-" | b"." | b"-1" => Some(Clue::Blank),
                b"?" => Some(Clue::Unknown),
                _ => None,
            },
            expected: "`-`, `w` or `b`",
        },
        "slitherlink" => Tokens {
            decode: |token| match token {
                [digit @ b'0'..=b'4'] => Some(Clue::Number(u32::from(digit - b'0'))),
                b"-" | b"." | b"-1" => Some(Clue::Blank),
                b"?" => Some(Clue::Unknown),
                _ => None,
            },
            expected: "`-` or 0 to 4",
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::find;

    fn text(kind: &str, board: &str) -> String {
        let kind = find(kind).unwrap();
        match Janko.import(kind, board.as_bytes(), &mut Vec::new()) {
            Ok(clues) => String::from_utf8(kind.text(&clues)).unwrap(),
            Err(e) => {
                let expected = e.expected.unwrap_or_default();
                format!("{}:{}: {}, expected {expected}", e.line, e.column, e.what)
            }
        }
    }

    #[test]
    fn reads_rows_after_their_size() {
        assert_eq!(text("slitherlink", "2 3\n- 2 -\n0 - 4\n"), ".2.\n0.4\n");
        assert_eq!(text("masyu", "2 3\nw - -\n- - b\n\n"), "0..\n..1\n");
        assert_eq!(text("slitherlink", "2 3\n-1 2 -1\n0 -1 4\n"), ".2.\n0.4\n");
        assert_eq!(text("slitherlink", "2 3\n-2-\n0.4\n"), ".2.\n0.4\n");
        assert_eq!(text("hitori", "# by hand\n2\n\n77 2\r\n3 -\r\n@HASH\n"), "77 2\n3 .\n");
    }

    #[test]
    fn reads_files_of_the_site() {
        let file =
            "[begin]\npuzzle Slitherlink\nauthor x\nsize 2\n[problem]\n- 3\n2 -\n[solution]\n1";
        assert_eq!(text("slitherlink", file), ".3\n2.\n");
        let file = "[begin]\npuzzle hitori\n[problem]\n1 2 2\n[end]\n";
        assert_eq!(text("hitori", file), "122\n");
        assert_eq!(text("masyu", file), "2:8: this is a board of `hitori`, expected `masyu`");
    }

    #[test]
    fn says_what_is_wrong() {
        for (board, complaint) in [
            ("2 2\n- -\n", "2:4: only 1 of the 2 rows, expected a row"),
            (
                "1 2\n- -\n- -\n",
                "3:1: more than the 1 rows of the board, expected the end of the board",
            ),
            ("1 2\n- x\n", "2:3: `x` is no clue, expected `-`, `w` or `b`"),
            ("1 2 3\n", "1:1: no size, expected the height and width of the board"),
            ("9999999 9999999\n", "1:1: no board has this size, expected its height and width"),
            ("[begin]\n", "1:8: the file ends too early, expected `[problem]`"),
            ("[problem]\n", "1:1: no board has this size, expected its height and width"),
            ("", "1:1: the text ends too early, expected the height and width of the board"),
        ] {
            assert_eq!(text("masyu", board), complaint, "{board}");
        }
    }

    #[test]
    fn recognizes_what_is_no_grid() {
        for (board, is) in [
            ("2 3\n- 2 -\n- - -\n", true),
            ("1 2\n- 2\n", true),
            ("4\n\n1 2 3 4\n", true),
            ("[begin]\n", true),
            ("2 3\n-2-\n0.4\n", true),
            ("2 1\n-\n3\n", true),
            ("3  1\n  2\n", false),
            ("1 2\n2 1\n", false),
            ("12\n21\n", false),
            ("1\n1\n2\n", false),
            ("1\n.\n", false),
            ("2 2\n. 1\n", false),
            ("10 2 3\n1 10 2\n", false),
            ("", false),
        ] {
            assert_eq!(Janko.recognizes(board.as_bytes()), is, "{board}");
        }
    }
}
