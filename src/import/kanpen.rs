//! URLs of Kanpen, a Japanese puzzle site, and files of its PencilBox: rows first, then columns.
//!
//! ```text
//! http://www.kanpen.net/hitori.html?problem=2/3/1_1_2/3_0_1/
//! ```
//!
//! The same in lines, with blanks for `_`, is a file; its marks of the player after the clues are
//! skipped. `?pzpr=` has a body as the URLs of pzpr have it instead.

use super::fill::{self, Filling, Source, Tokens, decimal, lines, row};
use super::pzpr::{genre, url};
use super::{Format, Importer, no_such_kind};
use crate::diagnostic::Diagnostic;
use crate::puzzle::clues::{Clue, Clues};
use crate::puzzle::{self, KINDS, Kind};

/// The importer, see the module.
#[derive(Clone, Copy, Debug)]
pub struct Kanpen;

/// What stands before the board in a URL.
const PROBLEM: &[u8] = b"?problem=";

/// The same where the body is one of pzpr.
const BODY: &[u8] = b"?pzpr=";

impl Importer for Kanpen {
    fn format(&self) -> Format {
        Format::Kanpen
    }

    fn about(&self) -> &'static str {
        "a URL of Kanpen, or a file of PencilBox"
    }

    fn recognizes(&self, text: &[u8]) -> bool {
        let mut lines = lines(text).filter(|line| !line.text.is_empty());
        let Some(first) = lines.next() else { return false };
        if after(first.text, PROBLEM).or(after(first.text, BODY)).is_some() {
            return true;
        }
        // Two sizes and a row: a grid of one column would go on with single numbers.
        let size = |line: &Source| decimal(line.text);
        let (Some(_), Some(cols)) = (size(&first), lines.next().as_ref().and_then(size)) else {
            return false;
        };
        let cells = |line: Source| line.text.split(u8::is_ascii_whitespace).count();
        cols > 1 && lines.next().map(cells) == usize::try_from(cols).ok()
    }

    fn import(
        &self,
        kind: &dyn Kind,
        text: &[u8],
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Clues, Diagnostic> {
        let mut lines = lines(text).filter(|line| !line.text.is_empty()).peekable();
        let Some(&first) = lines.peek() else {
            let nothing = Source::only_line(text)?;
            return Err(nothing.unexpected(b"").expected("the height of the board"));
        };
        if let Some((page, body)) = after(first.text, BODY) {
            let line = Source::only_line(text)?;
            check_page(kind, &line, page)?;
            return match genre::of(kind) {
                Some(genre) => url::body(genre, line, body, notes),
                None => Err(no_such_kind(kind, &line, "Kanpen")),
            };
        }
        if let Some((page, body)) = after(first.text, PROBLEM) {
            let line = Source::only_line(text)?;
            check_page(kind, &line, page)?;
            let whole = body.len();
            let (_, body) = fill::without_fragment(line, body, notes);
            let (length, fragment) = (body.len(), whole - body.len());
            // Of the same length, so that complaints find their columns.
            let spaced: Vec<u8> =
                text.iter().map(|&byte| if byte == b'_' { b' ' } else { byte }).collect();
            let line = Source::only_line(&spaced)?;
            let line = line.without(&line.text[line.text.len() - fragment..]);
            let body = &line.text[line.text.len() - length..];
            let parts = line.from(body).parts().filter(|part| !part.text.is_empty());
            return file(kind, line, parts);
        }
        file(kind, first, lines)
    }

    fn kind(&self, text: &[u8]) -> Result<Option<&'static dyn Kind>, Diagnostic> {
        let line = lines(text).find(|line| !line.text.is_empty());
        let page =
            |line: &Source| Some(after(line.text, PROBLEM).or(after(line.text, BODY))?.0.len());
        let Some((line, end)) = line.and_then(|line| Some((line, page(&line)?))) else {
            return Ok(None);
        };
        let name = page_name(&line.text[..end]);
        let known = |kind: &&&dyn Kind| is_page(**kind, name);
        match KINDS.iter().find(known) {
            _ if name.is_empty() => Ok(None),
            Some(kind) => Ok(Some(*kind)),
            None => Err(foreign(&line, name).expected(puzzle::names())),
        }
    }
}

/// `hitori` of an address that ends in `hitori.html`.
fn page_name(address: &[u8]) -> &[u8] {
    let page = address.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    page.strip_suffix(b".html").unwrap_or(page)
}

/// Whether a page of this name has boards of this kind.
fn is_page(kind: &dyn Kind, name: &[u8]) -> bool {
    genre::of(kind).is_some_and(|genre| {
        let mut names = genre.names.iter().copied().chain([kind.name()]);
        names.any(|known| known.as_bytes() == name)
    })
}

/// The complaint about a page of another puzzle.
fn foreign(line: &Source, name: &[u8]) -> Diagnostic {
    let start = name.as_ptr() as usize - line.text.as_ptr() as usize;
    let what = format!("this is a board of `{}`", String::from_utf8_lossy(name).escape_debug());
    line.complain(&line.text[start..], name.len(), what)
}

/// What stands before and after the mark, if the text has it.
fn after<'a>(text: &'a [u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = text.windows(mark.len()).position(|window| window == mark)?;
    Some((&text[..at], &text[at + mark.len()..]))
}

/// Refuses an address whose page, such as `hitori.html`, is that of another puzzle.
fn check_page(kind: &dyn Kind, line: &Source, address: &[u8]) -> Result<(), Diagnostic> {
    fill::address(line, address)?;
    let name = page_name(address);
    if name.is_empty() || is_page(kind, name) {
        return Ok(());
    }
    Err(foreign(line, name).expected(format!("`{}`", kind.name())))
}

/// Height, width, rows.
fn file<'a>(
    kind: &dyn Kind,
    first: Source<'a>,
    mut lines: impl Iterator<Item = Source<'a>>,
) -> Result<Clues, Diagnostic> {
    let mut last = first;
    let mut next = |expected: &str| match lines.next() {
        Some(line) => {
            last = line;
            Ok(line)
        }
        None => {
            let end = &last.text[last.text.len()..];
            Err(last.complain(end, 0, "the board ends too early").expected(expected))
        }
    };
    let mut size = |expected: &str| {
        let line = next(expected)?;
        match line.size(line.text, expected)? {
            (b"", size) => Ok((line, size)),
            (rest, _) => Err(line.unexpected(rest).expected("the end of the size")),
        }
    };
    let (_, rows) = size("the height of the board")?;
    let (line, cols) = size("the width of the board")?;
    let Some(mut board) = Filling::new(rows, cols) else {
        let what = "the board is larger than coordinates can say";
        return Err(line.complain(line.text, usize::MAX, what));
    };
    let tokens = codes(kind).ok_or_else(|| no_such_kind(kind, &line, "Kanpen"))?;
    for _ in 0..rows {
        row(&next("a row")?, cols, tokens, &mut board)?;
    }
    Ok(board.finish(false))
}

/// How the clues of a kind are written, `None` if Kanpen has no such boards.
fn codes(kind: &dyn Kind) -> Option<Tokens> {
    Some(match kind.name() {
        "hitori" => Tokens {
            decode: |token| match token {
                b"." | b"0" | b"-1" => Some(Clue::Blank),
                _ => decimal(token).map(Clue::Number),
            },
            expected: "`.` or a number",
        },
        "masyu" => Tokens {
            decode: |token| match token {
                b"1" => Some(Clue::White),
                b"2" => Some(Clue::Black),
                b"." | b"-1" => Some(Clue::Blank),
                _ => None,
            },
            expected: "`.`, 1 (white) or 2 (black)",
        },
        "slitherlink" => Tokens {
            decode: |token| match token {
                [digit @ b'0'..=b'4'] => Some(Clue::Number(u32::from(digit - b'0'))),
                b"." | b"-1" => Some(Clue::Blank),
                _ => None,
            },
            expected: "`.` or 0 to 4",
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
        match Kanpen.import(kind, board.as_bytes(), &mut Vec::new()) {
            Ok(clues) => String::from_utf8(kind.text(&clues)).unwrap(),
            Err(e) => {
                let expected = e.expected.unwrap_or_default();
                format!("{}:{}: {}, expected {expected}", e.line, e.column, e.what)
            }
        }
    }

    // No board of this site is at hand; the rows are those of boards of pzprjs, in the form that its
    // reader of Kanpen takes.
    #[test]
    fn reads_urls_and_files() {
        let slither = "2_._._1_./._2_._._1/._._2_._./3_._._3_./._0_._._3/";
        let board = "2..1.\n.2..1\n..2..\n3..3.\n.0..3\n";
        let url = format!("http://www.kanpen.net/slitherlink.html?problem=5/5/{slither}");
        assert_eq!(text("slitherlink", &url), board);
        let file = format!("5\n5\n{}0 0 0 0 0 0\n", slither.replace('/', "\n").replace('_', " "));
        assert_eq!(text("slitherlink", &file), board);
        assert!(Kanpen.recognizes(file.as_bytes()) && Kanpen.recognizes(url.as_bytes()));
        let body = "http://www.kanpen.net/slitherlink.html?pzpr=5/5/cbcbcddad";
        assert_eq!(text("slitherlink", body), board);
        let hitori = "http://www.kanpen.net/hitori.html?problem=2/3/1_1_77/3_0_./";
        assert_eq!(text("hitori", hitori), "1 1 77\n3 . .\n");
        let masyu = "http://www.kanpen.net/masyu.html?problem=2/3/1_._2/._._./";
        assert_eq!(text("masyu", masyu), "0.1\n...\n");
    }

    #[test]
    fn says_what_is_wrong() {
        for (board, complaint) in [
            ("/hitori.html?problem=1/1/1", "1:2: this is a board of `hitori`, expected `masyu`"),
            ("?problem=1/2/1_3", "1:16: `3` is no clue, expected `.`, 1 (white) or 2 (black)"),
            (
                "?problem=1/2/1",
                "1:15: a row of 1 cells, the width is 2, expected `.`, 1 (white) or 2 (black)",
            ),
            ("?problem=2/2/1_./", "1:17: the board ends too early, expected a row"),
            ("?problem=x/2/1_./", "1:10: illegal character `x`, expected the height of the board"),
            ("1\n2\n. 1 2\n", "3:5: a row of more than 2 cells, expected the end of the row"),
            ("", "1:1: the text ends too early, expected the height of the board"),
        ] {
            assert_eq!(text("masyu", board), complaint, "{board}");
        }
    }

    // A hitori of one column is a file of single numbers, too.
    #[test]
    fn leaves_grids_alone() {
        for grid in ["3\n2\n1\n", "2\n1\n1\n2\n", "1 2\n2 1\n", "", "12\n21\n"] {
            assert!(!Kanpen.recognizes(grid.as_bytes()), "{grid}");
        }
    }
}
