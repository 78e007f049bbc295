//! URLs: genre, variant, flag, width, height, and the clues without anything between them.

use super::super::fill::{Filling, Source};
use super::super::{MOST_CELLS, Unwritable};
use super::genre::{self, Genre};
use super::{check_flag, check_genre, check_variant};
use crate::diagnostic::Diagnostic;
use crate::puzzle::Puzzle;
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
pub(super) fn read(genre: &Genre, line: &Source, text: &[u8]) -> Result<Clues, Diagnostic> {
    let (name, mut rest) = component(text);
    check_genre(genre, line, text, name)?;
    let (part, after) = component(rest);
    if part.starts_with(b"v:") {
        check_variant(line, rest, part)?;
        rest = after;
    }
    body(genre, line, rest)
}

/// Flag, width, height, clues.
pub(in super::super) fn body(
    genre: &Genre,
    line: &Source,
    mut rest: &[u8],
) -> Result<Clues, Diagnostic> {
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
    let board = Filling::new(rows, cols).filter(|board| board.size() <= MOST_CELLS);
    let Some(mut board) = board else {
        let what = format!("a board of more than {MOST_CELLS} cells");
        return Err(line.complain(start, length, what).expected("a smaller one"));
    };
    rest = after;
    while !board.is_full() && !matches!(rest, b"" | b"/") {
        match (genre.group)(rest, &mut board) {
            Some(after) => rest = after,
            None => return Err(line.unexpected(rest).expected(genre.groups)),
        }
    }
    match rest {
        b"" | b"/" => Ok(board.finish(full)),
        _ => {
            let what = format!("more than the {} cells of the board", board.size());
            Err(line.complain(rest, usize::MAX, what).expected("the end of the board"))
        }
    }
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
pub fn write(kind: &dyn Puzzle, clues: &Clues) -> Result<Vec<u8>, Unwritable> {
    let genre = genre::of(kind).ok_or_else(|| Unwritable::kind(kind, "puzz.link"))?;
    let clue = |index| Unwritable::clue(clues, index, "a URL");
    let body = (genre.encode)(&clues.cells).map_err(clue)?;
    let flag = if clues.full { "f/" } else { "" };
    let (name, cols, rows) = (genre.names[0], clues.cols, clues.rows);
    // An address that ends in another character than these is cut short where it is pasted.
    let slash = if body.ends_with(|c: char| c.is_ascii_alphanumeric()) { "" } else { "/" };
    Ok(format!("https://puzz.link/p?{name}/{flag}{cols}/{rows}/{body}{slash}\n").into_bytes())
}
