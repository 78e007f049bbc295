//! URLs: genre, variant, flag, width, height, and the clues without anything between them.

use super::super::fill::{Filling, Source, skipped, without_fragment};
use super::super::{MOST_CELLS, Unwritable};
use super::genre::{self, Genre, Group};
use super::{check_flag, check_genre, check_variant};
use crate::diagnostic::Diagnostic;
use crate::puzzle::Kind;
use crate::puzzle::clues::Clues;
use nom::Parser;
use nom::bytes::complete::{tag, take_while};
use nom::combinator::opt;
use nom::sequence::terminated;

/// Everything up to the next slash or the end, and what follows the slash.
fn component(rest: &[u8]) -> (&[u8], &[u8]) {
    let slash = opt(tag::<_, _, nom::error::Error<&[u8]>>("/"));
    match terminated(take_while(|byte| byte != b'/'), slash).parse(rest) {
        Ok((after, part)) => (part, after),
        Err(_) => (rest, b""),
    }
}

/// Genre, variant, and the rest.
pub(super) fn read(
    genre: &Genre,
    line: Source,
    text: &[u8],
    notes: &mut Vec<Diagnostic>,
) -> Result<Clues, Diagnostic> {
    let (name, mut rest) = component(text);
    check_genre(genre, &line, text, name)?;
    let (part, after) = component(rest);
    if part.starts_with(b"v:") {
        check_variant(&line, rest, part)?;
        rest = after;
    }
    body(genre, line, rest, notes)
}

/// Flag, width, height, clues.
pub(in super::super) fn body(
    genre: &Genre,
    line: Source,
    rest: &[u8],
    notes: &mut Vec<Diagnostic>,
) -> Result<Clues, Diagnostic> {
    let (line, mut rest) = without_fragment(line, rest, notes);
    let line = &line;
    let mut full = false;
    let (part, after) = component(rest);
    if part.first().is_some_and(u8::is_ascii_alphabetic) {
        full = check_flag(genre, line, rest, part)?;
        rest = after;
    }
    let start = rest;
    let (after, cols) = number(line, rest, "the width of the board")?;
    let (after, rows) = number(line, after, "the height of the board")?;
    let length = start.len() - after.len();
    let board = || Filling::new(rows, cols).filter(|board| board.size() <= MOST_CELLS);
    let Some(mut board) = board().zip(board()) else {
        let what = format!("a board of more than {MOST_CELLS} cells");
        return Err(line.complain(start, length, what).expected("a smaller one"));
    };
    let mut read = groups(genre.group, after, &mut board.0);
    // Once the editor wrote 16 as `-g`, which both it and we now take for the beginning of `-g1`. The
    // next cell is lost then, so that the board is full only if it is read as it was meant.
    if let Some(old) = genre.old_group
        && !read.is_ok_and(|rest| is_end(rest) && board.0.is_full())
        && groups(old, after, &mut board.1).is_ok_and(is_end)
        && board.1.is_full()
    {
        let what = "an address of an old editor, which wrote 16 to 35 as `-g` to `-z`; \
                    read so, it has all cells";
        notes.push(line.complain(after, usize::MAX, what));
        (read, board.0) = (Ok(&[][..]), board.1);
    }
    let board = board.0;
    let rest = read.map_err(|rest| line.unexpected(rest).expected(genre.groups))?;
    if !is_end(rest) {
        notes.push(skipped(line, rest, "follows the last cell, and is skipped"));
    }
    // Without any clue it is a blank board, on purpose.
    if !board.is_full() && !is_end(after) {
        let (filled, size) = (board.filled(), board.size());
        let what = format!("the address ends after {filled} of {size} cells; the others are blank");
        notes.push(line.complain(rest, 0, what));
    }
    Ok(board.finish(full))
}

/// Decodes groups until the board is full; answers with what is left, or with what is no group.
fn groups<'a>(group: Group, mut rest: &'a [u8], board: &mut Filling) -> Result<&'a [u8], &'a [u8]> {
    while !board.is_full() && !is_end(rest) {
        rest = group(rest, board).ok_or(rest)?;
    }
    Ok(rest)
}

/// Whether an address ends here. It may end in a slash.
fn is_end(rest: &[u8]) -> bool {
    matches!(rest, b"" | b"/")
}

/// A size and the slash after it.
fn number<'a>(
    line: &Source<'_>,
    rest: &'a [u8],
    expected: &str,
) -> Result<(&'a [u8], u32), Diagnostic> {
    let (after, size) = line.size(rest, expected)?;
    match after {
        [] => Ok((after, size)),
        [b'/', after @ ..] => Ok((after, size)),
        _ => Err(line.unexpected(after).expected("`/`")),
    }
}

/// The board as a URL of puzz.link, with a line end.
pub fn write(kind: &dyn Kind, clues: &Clues) -> Result<Vec<u8>, Unwritable> {
    let genre = genre::of(kind).ok_or_else(|| Unwritable::kind(kind, "puzz.link"))?;
    let clue = |index| Unwritable::clue(clues, index, "a URL");
    let body = (genre.encode)(&clues.cells).map_err(clue)?;
    let flag = if clues.full { "f/" } else { "" };
    let (name, cols, rows) = (genre.names[0], clues.cols, clues.rows);
    // An address that ends in another character than these is cut short where it is pasted.
    let slash = if body.ends_with(|c: char| c.is_ascii_alphanumeric()) { "" } else { "/" };
    Ok(format!("https://puzz.link/p?{name}/{flag}{cols}/{rows}/{body}{slash}\n").into_bytes())
}
