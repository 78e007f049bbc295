//! What importers share: a line with a cursor for complaints, and a board that fills up.

use crate::diagnostic::Diagnostic;
use crate::encoding;
use crate::puzzle::clues::{Clue, Clues};
use crate::puzzle::grid;
use nom::Parser;
use nom::character::complete::u32 as number;

/// The part of a line that is being parsed. Parsers get the rest of `text`; how long the rest is
/// says where it begins, so nothing else needs to be carried along.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    /// Line number, from 1.
    line: u64,
    /// The whole line, for messages.
    whole: &'a [u8],
    /// Where `text` ends in `whole`.
    end: usize,
    /// The line without blanks at both ends.
    pub text: &'a [u8],
}

impl<'a> Source<'a> {
    /// The line `whole` with number `line`.
    pub fn of_line(line: u64, whole: &'a [u8]) -> Self {
        let mark = if line == 1 { encoding::mark(whole) } else { 0 };
        let end = whole.trim_ascii_end().len().max(mark);
        Source { line, whole, end, text: whole[mark..end].trim_ascii_start() }
    }

    /// The only line of `text`; blank lines around it do not count.
    pub fn only_line(text: &'a [u8]) -> Result<Self, Diagnostic> {
        let mut lines = lines(text).filter(|line| !line.text.is_empty());
        let first = lines.next().unwrap_or_else(|| Source::of_line(1, b""));
        match lines.next() {
            None => Ok(first),
            Some(more) => {
                Err(more.complain(more.text, usize::MAX, "a second line").expected("a single line"))
            }
        }
    }

    /// The same line, from `rest` on.
    pub fn from(self, rest: &'a [u8]) -> Self {
        Source { text: rest, ..self }
    }

    /// The same line without `tail`, a suffix of the text.
    pub fn without(self, tail: &[u8]) -> Self {
        let text = &self.text[..self.text.len() - tail.len()];
        Source { end: self.end - tail.len(), text, ..self }
    }

    /// The parts between slashes, each a source of its own in the same line.
    pub fn parts(self) -> impl Iterator<Item = Source<'a>> {
        let mut start = self.end - self.text.len();
        self.text.split(|&byte| byte == b'/').map(move |part| {
            let end = start + part.trim_ascii_end().len();
            start += part.len() + 1;
            Source { end, text: part.trim_ascii(), ..self }
        })
    }

    /// A complaint about the first `length` bytes of `rest`, a suffix of the text.
    pub fn complain(&self, rest: &[u8], length: usize, what: impl Into<String>) -> Diagnostic {
        let start = self.end.saturating_sub(rest.len());
        let end = start.saturating_add(length).min(self.end);
        Diagnostic::new(self.line, self.whole, start..end, what)
    }

    /// A complaint about the character at the start of `rest`, or about its absence.
    pub fn unexpected(&self, rest: &[u8]) -> Diagnostic {
        match rest.utf8_chunks().next().map(|chunk| chunk.valid().chars().next()) {
            None => self.complain(rest, 0, "the text ends too early"),
            Some(None) => self.complain(rest, 1, format!("illegal byte 0x{:02x}", rest[0])),
            Some(Some(c)) => {
                let what = format!("illegal character `{}`", c.escape_debug());
                self.complain(rest, c.len_utf8(), what)
            }
        }
    }

    /// A positive number at the start of `rest`.
    pub fn size<'r>(&self, rest: &'r [u8], expected: &str) -> Result<(&'r [u8], u32), Diagnostic> {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match number::<_, nom::error::Error<&[u8]>>.parse(rest) {
            Ok((_, 0)) => Err(self.complain(rest, digits, "a size of 0").expected(expected)),
            Ok(found) => Ok(found),
            Err(_) if digits > 0 => {
                Err(self.complain(rest, digits, "the number is too large").expected(expected))
            }
            Err(_) => Err(self.unexpected(rest).expected(expected)),
        }
    }
}

/// Refuses the part of a line before a board, `text`, if it is more than an address.
pub(super) fn address(line: &Source, text: &[u8]) -> Result<(), Diagnostic> {
    let Some(blank) = text.iter().position(u8::is_ascii_whitespace) else { return Ok(()) };
    // Words, and then the address; or an address that has a blank in it.
    let words = text.trim_ascii_end().iter().rposition(u8::is_ascii_whitespace);
    let (from, end) = match words {
        Some(last) if text[last + 1..].windows(3).any(|three| three == b"://") => (0, last),
        _ => (blank, blank + 1),
    };
    let what = "an address, and something else in the same line";
    Err(line.complain(&line.text[from..], end - from, what).expected("the address alone"))
}

/// Leaves out the fragment of an address, which sites do not read: `#` and what follows. Says so.
pub(super) fn without_fragment<'a>(
    line: Source<'a>,
    body: &'a [u8],
    notes: &mut Vec<Diagnostic>,
) -> (Source<'a>, &'a [u8]) {
    let Some(at) = body.iter().position(|&byte| byte == b'#') else { return (line, body) };
    let fragment = &body[at..];
    notes.push(skipped(&line, fragment, "is a fragment, and skipped"));
    (line.without(fragment), &body[..at])
}

/// A note about `rest`, the end of a line, which is not read.
pub(super) fn skipped(line: &Source, rest: &[u8], what: &str) -> Diagnostic {
    let cut = if rest.len() > SHOWN { "..." } else { "" };
    let shown = String::from_utf8_lossy(&rest[..rest.len().min(SHOWN)]);
    line.complain(rest, usize::MAX, format!("`{}{cut}` {what}", shown.escape_debug()))
}

/// Bytes of a text that a message repeats.
const SHOWN: usize = 40;

/// The lines of a file.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = Source<'_>> + Clone {
    text.split(|&byte| byte == b'\n').zip(1..).map(|(whole, line)| Source::of_line(line, whole))
}

/// How the cells of a board are written where there are blanks between them.
#[derive(Clone, Copy)]
pub(super) struct Tokens {
    /// Decodes one.
    pub decode: fn(&[u8]) -> Option<Clue>,
    /// What one may be, for messages.
    pub expected: &'static str,
}

/// One row of a board that has a token for each cell, with blanks between them.
pub(super) fn row(
    line: &Source,
    cols: u32,
    tokens: Tokens,
    board: &mut Filling,
) -> Result<(), Diagnostic> {
    let mut rest = line.text;
    for seen in 0..cols {
        if rest.is_empty() {
            let what = format!("a row of {seen} cells, the width is {cols}");
            return Err(line.complain(rest, 0, what).expected(tokens.expected));
        }
        let length = rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let Some(clue) = (tokens.decode)(&rest[..length]) else {
            let shown = String::from_utf8_lossy(&rest[..length.min(SHOWN)]);
            let what = format!("`{}` is no clue", shown.escape_debug());
            return Err(line.complain(rest, length, what).expected(tokens.expected));
        };
        board.push(clue);
        rest = rest[length..].trim_ascii_start();
    }
    match rest {
        [] => Ok(()),
        _ => {
            let what = format!("a row of more than {cols} cells");
            Err(line.complain(rest, usize::MAX, what).expected("the end of the row"))
        }
    }
}

/// A number in plain decimal digits.
pub(super) fn decimal(token: &[u8]) -> Option<u32> {
    let digits = !token.is_empty() && token.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(token).ok().filter(|_| digits)?.parse().ok()
}

/// A board that fills up row by row, never beyond its size.
#[derive(Debug)]
pub(super) struct Filling {
    rows: u32,
    cols: u32,
    cells: Vec<Clue>,
}

impl Filling {
    /// An empty board, `None` if coordinates cannot hold it. Allocates nothing.
    pub fn new(rows: u32, cols: u32) -> Option<Self> {
        let (rows, cols) = grid::size(rows.into(), cols.into())?;
        Some(Filling { rows, cols, cells: Vec::new() })
    }

    /// Cells of the whole board.
    pub fn size(&self) -> u64 {
        u64::from(self.rows) * u64::from(self.cols)
    }

    /// Cells so far.
    pub fn filled(&self) -> u64 {
        self.cells.len() as u64
    }

    /// Whether all cells are there.
    pub fn is_full(&self) -> bool {
        self.filled() >= self.size()
    }

    /// The next cell. `false` if there is none left.
    pub fn push(&mut self, clue: Clue) -> bool {
        let room = !self.is_full();
        if room {
            self.cells.push(clue);
        }
        room
    }

    /// The next `count` cells are blank. `false` if not so many are left.
    pub fn blanks(&mut self, count: u32) -> bool {
        (0..count).all(|_| self.push(Clue::Blank))
    }

    /// The board; missing cells are blank, so the caller has checked that the size is modest.
    pub fn finish(mut self, full: bool) -> Clues {
        let size = self.rows as usize * self.cols as usize;
        self.cells.resize(size, Clue::Blank);
        Clues { rows: self.rows, cols: self.cols, cells: self.cells, full }
    }
}
