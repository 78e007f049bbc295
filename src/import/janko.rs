//! Rows of tokens after a line with the size, as collections made from janko.at have them.
//!
//! ```text
//! 2 3
//! w - -        2 rows and 3 columns; of a masyu: a white circle, blanks, and a black circle
//! - - b
//! ```
//!
//! A size of one number is that of a square. Lines that begin with `#` or `@` are comments, blank
//! lines mean nothing. The files of the site itself are read as well: their board follows `[problem]`
//! and ends at the next such heading, with the size, if it is there, in a line `size`, or in `rows`
//! and `cols`; else the rows are counted.

use super::fill::{Filling, Source, Tokens, decimal, lines, row};
use super::{Format, Importer};
use crate::diagnostic::Diagnostic;
use crate::puzzle::Puzzle;
use crate::puzzle::clues::{Clue, Clues};

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
            Some((_, cols)) => rows.any(|line| {
                let cells = tokens(line.text).count();
                cells == cols as usize
                    && (cells != tokens(first.text).count()
                        || tokens(line.text).any(|token| token != b"." && decimal(token).is_none()))
            }),
            None => false,
        }
    }

    fn import(&self, kind: &dyn Puzzle, text: &[u8]) -> Result<Clues, Diagnostic> {
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
}

/// Lines that are neither blank nor comments.
fn significant(text: &[u8]) -> impl Iterator<Item = Source<'_>> {
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
    kind: &dyn Puzzle,
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
            b"puzzle" => check_kind(kind, &line, value.unwrap_or_default())?,
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
fn check_kind(kind: &dyn Puzzle, line: &Source, name: &[u8]) -> Result<(), Diagnostic> {
    let mut names = kind.aliases().iter().copied().chain([kind.name()]);
    if names.any(|known| known.as_bytes().eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    let at = line.text.len() - line.text["puzzle".len()..].trim_ascii_start().len();
    let what = format!("this is a board of `{}`", String::from_utf8_lossy(name).escape_debug());
    Err(line.complain(&line.text[at..], name.len(), what).expected(format!("`{}`", kind.name())))
}

/// The rows of the board, nothing after them.
fn board<'a>(
    kind: &dyn Puzzle,
    size: &Source<'a>,
    rows: u32,
    cols: u32,
    mut lines: impl Iterator<Item = Source<'a>>,
) -> Result<Clues, Diagnostic> {
    let Some(mut board) = Filling::new(rows, cols) else {
        let what = "no board has this size";
        return Err(size.complain(size.text, usize::MAX, what).expected("its height and width"));
    };
    let tokens = codes(kind);
    let mut last = *size;
    for seen in 0..rows {
        let Some(line) = lines.next() else {
            let what = format!("only {seen} of the {rows} rows");
            let end = &last.text[last.text.len()..];
            return Err(last.complain(end, 0, what).expected("a row"));
        };
        row(&line, cols, tokens, &mut board)?;
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

/// How the clues of a kind are written.
fn codes(kind: &dyn Puzzle) -> Tokens {
    match kind.name() {
        "hitori" => Tokens {
            decode: |token| match token {
                b"-" | b"." => Some(Clue::Blank),
                _ => decimal(token).map(Clue::Number),
            },
            expected: "`-` or a number",
        },
        "masyu" => Tokens {
            decode: |token| match token {
                b"w" | b"W" => Some(Clue::White),
                b"b" | b"B" => Some(Clue::Black),
                b"-" | b"." => Some(Clue::Blank),
                b"?" => Some(Clue::Unknown),
                _ => None,
            },
            expected: "`-`, `w` or `b`",
        },
        _ => Tokens {
            decode: |token| match token {
                [digit @ b'0'..=b'4'] => Some(Clue::Number(u32::from(digit - b'0'))),
                b"-" | b"." => Some(Clue::Blank),
                b"?" => Some(Clue::Unknown),
                _ => None,
            },
            expected: "`-` or 0 to 4",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::find;

    fn text(kind: &str, board: &str) -> String {
        let kind = find(kind).unwrap();
        match Janko.import(kind, board.as_bytes()) {
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
