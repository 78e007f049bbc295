//! Files: one token a cell, with blanks and line ends between them.

use super::super::Unwritable;
use super::super::fill::{Filling, Source, row};
use super::genre::{self, Genre};
use super::{check_flag, check_genre, check_variant};
use crate::diagnostic::Diagnostic;
use crate::puzzle::Kind;
use crate::puzzle::clues::Clues;

/// The lines of a file, none of them empty: version, genre, height, width, a flag, rows.
pub(super) fn read<'a>(
    genre: &Genre,
    first: Source<'a>,
    lines: impl Iterator<Item = Source<'a>>,
) -> Result<Clues, Diagnostic> {
    let mut lines = lines.peekable();
    let mut last = first;
    let mut next = |expected: &str| match lines.next() {
        Some(line) => {
            last = line;
            Ok(line)
        }
        None => {
            let end = &last.text[last.text.len()..];
            Err(last.complain(end, 0, "the file ends too early").expected(expected))
        }
    };
    let mut line = next("`pzprv3`")?;
    if line.text.starts_with(b"v:") {
        check_variant(&line, line.text, line.text)?;
        line = next("`pzprv3`")?;
    }
    if line.text != b"pzprv3" && !line.text.starts_with(b"pzprv3.") {
        return Err(line.complain(line.text, usize::MAX, "no file of pzpr").expected("`pzprv3`"));
    }
    line = next("the genre")?;
    check_genre(genre, &line, line.text, line.text)?;
    let mut size = |expected: &str| {
        let line = next(expected)?;
        match line.size(line.text, expected)? {
            (b"", size) => Ok((line, size)),
            (rest, _) => Err(line.unexpected(rest).expected("the end of the line")),
        }
    };
    let (_, rows) = size("the height of the board")?;
    let (line, cols) = size("the width of the board")?;
    let Some(mut board) = Filling::new(rows, cols) else {
        let what = "the board is larger than coordinates can say";
        return Err(line.complain(line.text, usize::MAX, what));
    };
    let mut line = next("a row")?;
    let mut full = false;
    if line.text.iter().all(u8::is_ascii_alphabetic) {
        full = check_flag(genre, &line, line.text, line.text)?;
        line = next("a row")?;
    }
    row(&line, cols, genre.tokens, &mut board)?;
    for _ in 1..rows {
        row(&next("a row")?, cols, genre.tokens, &mut board)?;
    }
    Ok(board.finish(full))
}

/// The board as a file, without the marks of a player.
pub fn write(kind: &dyn Kind, clues: &Clues) -> Result<Vec<u8>, Unwritable> {
    let genre = genre::of(kind).ok_or_else(|| Unwritable::kind(kind, "pzpr"))?;
    let (name, rows, cols) = (genre.names[0], clues.rows, clues.cols);
    let mut text = format!("pzprv3\n{name}\n{rows}\n{cols}\n");
    if clues.full {
        text.push_str("f\n");
    }
    for (index, &clue) in clues.cells.iter().enumerate() {
        let token = (genre.write_token)(clue);
        text += &token.ok_or_else(|| Unwritable::clue(clues, index, "a file of pzpr"))?;
        text.push(if (index + 1) % cols as usize == 0 { '\n' } else { ' ' });
    }
    text += &genre.no_marks(rows, cols);
    Ok(text.into_bytes())
}
