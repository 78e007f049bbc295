//! Game IDs of Simon Tatham's puzzles, Loopy, Pearl and Singles, and games saved there.
//!
//! ```text
//! 7x7t0:c2a2a2b1b32a1d11a30d2e13122a3a312a3
//! ```
//!
//! Width, height, parameters, a colon, and the cells row by row, where `a` to `z` are 1 to 26 blank
//! cells. The cells have to fill the board exactly. `7x7t0#123` is a seed: only the game itself can
//! make a board from it. Of Loopy's grids only the square one, `t0`, is slitherlink. The address of a
//! game on the web ends in `loopy.html#` and the ID.
//!
//! ```text
//! SAVEFILE:41:Simon Tatham's Portable Puzzle Collection
//! GAME    :5:Loopy
//! CPARAMS :7:7x7t0dh
//! DESC    :35:c2a2a2b1b32a1d11a30d2e13122a3a312a3
//! ```
//!
//! A saved game has a line for each of its properties: a name, how many bytes follow, and those. We
//! take the parameters and the cells, and skip the moves of the player.

use super::fill::{Filling, Source, lines};
use super::{Format, Importer, Unwritable, no_such_kind};
use crate::diagnostic::Diagnostic;
use crate::encoding;
use crate::names::{digit, digit_value};
use crate::puzzle::clues::{Clue, Clues};
use crate::puzzle::{self, Kind};
use nom::Parser;
use nom::bytes::complete::take_while;
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{opt, recognize};
use nom::sequence::preceded;

/// The importer, see the module.
#[derive(Clone, Copy, Debug)]
pub struct Sgt;

/// What differs from game to game.
struct Game {
    kind: &'static str,
    /// The letters of the difficulties, after `d`.
    levels: &'static str,
    /// Whether `t` and a number choose the grid.
    grids: bool,
    /// Whether `n` is a parameter.
    unchecked: bool,
    /// Whether letters are runs of blanks.
    runs: bool,
    cell: fn(u8) -> Option<Clue>,
    /// The inverse of `cell`.
    byte: fn(Clue) -> Option<u8>,
    expected: &'static str,
}

static GAMES: &[Game] = &[
    Game {
        kind: "hitori",
        levels: "ek",
        grids: false,
        unchecked: false,
        runs: false,
        cell: |byte| digit_value(byte).filter(|&value| value > 0).map(Clue::Number),
        byte: |clue| match clue {
            Clue::Number(number @ 1..) => digit(number),
            _ => None,
        },
        expected: "1 to 9, a to z, or A to Z",
    },
    Game {
        kind: "masyu",
        levels: "et",
        grids: false,
        unchecked: true,
        runs: true,
        cell: |byte| match byte {
            b'B' => Some(Clue::Black),
            b'W' => Some(Clue::White),
            _ => None,
        },
        byte: |clue| match clue {
            Clue::Black => Some(b'B'),
            Clue::White => Some(b'W'),
            _ => None,
        },
        expected: "`B`, `W`, or a to z for 1 to 26 blank cells",
    },
    Game {
        kind: "slitherlink",
        levels: "enth",
        grids: true,
        unchecked: false,
        runs: true,
        cell: |byte| match byte {
            b'0'..=b'4' => Some(Clue::Number(u32::from(byte - b'0'))),
            _ => None,
        },
        byte: |clue| match clue {
            Clue::Number(count @ 0..=4) => digit(count),
            _ => None,
        },
        expected: "0 to 4, or a to z for 1 to 26 blank cells",
    },
];

type Error<'a> = nom::error::Error<&'a [u8]>;

impl Importer for Sgt {
    fn format(&self) -> Format {
        Format::Sgt
    }

    fn about(&self) -> &'static str {
        "a game ID of Simon Tatham's puzzles"
    }

    fn recognizes(&self, text: &[u8]) -> bool {
        if is_save(text) {
            return true;
        }
        let Ok(source) = Source::only_line(text) else { return false };
        let source = page(source).map_or(source, |(_, id)| id);
        let sizes = (digit1::<_, Error>, opt((char('x'), digit1)));
        let letters = take_while(|byte: u8| byte.is_ascii_alphanumeric());
        match (recognize(sizes), letters).parse(source.text) {
            // `7x7` alone is a row of hitori clues.
            Ok((rest, _)) => matches!(rest, [b':' | b'#', ..]),
            Err(_) => false,
        }
    }

    fn import(
        &self,
        kind: &dyn Kind,
        text: &[u8],
        _: &mut Vec<Diagnostic>,
    ) -> Result<Clues, Diagnostic> {
        let game = GAMES.iter().find(|game| game.kind == kind.name());
        let known = |source: &Source| {
            game.ok_or_else(|| no_such_kind(kind, source, "Simon Tatham's collection"))
        };
        if is_save(text) {
            let save = Save::read(text)?;
            let game = known(&save.game)?;
            check_name(kind, &save.game, save.game.text)?;
            let (rest, board) = size(&save.parameters)?;
            let rest = parameters(&save.parameters, game, rest, true)?;
            if !rest.is_empty() {
                return Err(save.parameters.unexpected(rest).expected("the end of the parameters"));
            }
            return cells(&save.cells, game, save.cells.text, board);
        }
        let mut source = Source::only_line(text)?;
        if let Some((name, id)) = page(source) {
            check_name(kind, &source, name)?;
            source = id;
        }
        let game = known(&source)?;
        let (rest, board) = size(&source)?;
        let rest = parameters(&source, game, rest, false)?;
        cells(&source, game, rest, board)
    }

    fn kind(&self, text: &[u8]) -> Result<Option<&'static dyn Kind>, Diagnostic> {
        let (line, name) = if is_save(text) {
            let save = Save::read(text)?;
            (save.game, save.game.text)
        } else {
            let source = Source::only_line(text)?;
            let Some((name, _)) = page(source) else { return Ok(None) };
            (source, name)
        };
        match find(name) {
            Some(kind) => Ok(Some(kind)),
            None => Err(foreign(&line, name).expected(puzzle::names())),
        }
    }
}

/// The kind of a game of this name.
fn find(name: &[u8]) -> Option<&'static dyn Kind> {
    str::from_utf8(name).ok().and_then(puzzle::find)
}

/// The complaint about another game.
fn foreign(line: &Source, name: &[u8]) -> Diagnostic {
    let start = name.as_ptr() as usize - line.text.as_ptr() as usize;
    let what = format!("this is a game of `{}`", String::from_utf8_lossy(name).escape_debug());
    line.complain(&line.text[start..], name.len(), what)
}

/// Refuses a game that is of another kind.
fn check_name(kind: &dyn Kind, line: &Source, name: &[u8]) -> Result<(), Diagnostic> {
    match find(name) {
        Some(known) if known.name() == kind.name() => Ok(()),
        _ => Err(foreign(line, name).expected(format!("`{}`", kind.name()))),
    }
}

/// The name of the game and its ID, if the line is the address of a game on the web.
fn page<'a>(line: Source<'a>) -> Option<(&'a [u8], Source<'a>)> {
    let mark = b".html#";
    let end = line.text.windows(mark.len()).position(|window| window == mark)?;
    let name = line.text[..end].rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    Some((name, line.from(&line.text[end + mark.len()..])))
}

/// What a saved game begins with.
const SAVE: &[u8] = b"SAVEFILE:";

/// Whether the text is a saved game.
fn is_save(text: &[u8]) -> bool {
    encoding::unmarked(text).trim_ascii_start().starts_with(SAVE)
}

/// What we take from a saved game.
struct Save<'a> {
    game: Source<'a>,
    parameters: Source<'a>,
    cells: Source<'a>,
}

impl<'a> Save<'a> {
    fn read(text: &'a [u8]) -> Result<Self, Diagnostic> {
        let (mut last, mut found) = (Source::of_line(1, b""), [None; 4]);
        for line in lines(text).filter(|line| !line.text.is_empty()) {
            last = line;
            // A name, a colon, a number, a colon. No value that we want has a line end.
            let mut parts = line.text.splitn(3, |&byte| byte == b':');
            let name = parts.next().unwrap_or_default().trim_ascii_end();
            let names = [&b"GAME"[..], b"DESC", b"CPARAMS", b"PARAMS"];
            let place = names.iter().position(|known| *known == name);
            if let (Some(place), Some(value)) = (place, parts.nth(1)) {
                found[place].get_or_insert(line.from(value));
            }
        }
        let [game, cells, current, chosen] = found;
        // PARAMS is what the next game will have, CPARAMS what this one has.
        match (game, current.or(chosen), cells) {
            (Some(game), Some(parameters), Some(cells)) => Ok(Save { game, parameters, cells }),
            _ => {
                let end = &last.text[last.text.len()..];
                let what = "the saved game ends too early";
                Err(last.complain(end, 0, what).expected("`GAME`, `CPARAMS` and `DESC`"))
            }
        }
    }
}

/// `WxH`, or `N` for `NxN`.
fn size<'a>(source: &Source<'a>) -> Result<(&'a [u8], Filling), Diagnostic> {
    let text = source.text;
    let (mut rest, width) = source.size(text, "the width of the board")?;
    let mut height = width;
    if let Ok((after, _)) = char::<_, Error>('x').parse(rest) {
        (rest, height) = source.size(after, "the height of the board")?;
    }
    match Filling::new(height, width) {
        Some(board) => Ok((rest, board)),
        None => {
            let what = "the board is larger than coordinates can say";
            Err(source.complain(text, text.len() - rest.len(), what))
        }
    }
}

/// Grid, difficulty and the flag `n`, up to the colon, or to the end if they stand alone.
fn parameters<'a>(
    source: &Source<'a>,
    game: &Game,
    mut rest: &'a [u8],
    alone: bool,
) -> Result<&'a [u8], Diagnostic> {
    loop {
        let start = rest;
        if alone && rest.is_empty() {
            return Ok(rest);
        }
        if let Ok((after, _)) = char::<_, Error>(':').parse(rest) {
            return Ok(after);
        }
        if let Some(b'#') = rest.first() {
            let what = "a random seed, from which only the game itself can make the board";
            return Err(source.complain(rest, usize::MAX, what).expected("`:` and the board"));
        }
        let grid = preceded(char::<_, Error>('t'), digit1);
        let level = preceded(char::<_, Error>('d'), one_of(game.levels));
        if let (true, Ok((after, grid))) = (game.grids, { grid }.parse(rest)) {
            if grid.iter().any(|&digit| digit != b'0') {
                let what = "a grid that is not square";
                let length = start.len() - after.len();
                return Err(source.complain(start, length, what).expected("`t0`"));
            }
            rest = after;
        } else if let Ok((after, _)) = { level }.parse(rest) {
            rest = after;
        } else if let (true, [b'n', after @ ..]) = (game.unchecked, rest) {
            rest = after;
        } else {
            let parameter = match (game.grids, game.unchecked) {
                (true, _) => "`t0`, ",
                (_, true) => "`n`, ",
                _ => "",
            };
            let expected = format!("{parameter}`d` and a difficulty, or `:` and the board");
            return Err(source.unexpected(rest).expected(expected));
        }
    }
}

/// The cells after the colon.
fn cells(
    source: &Source,
    game: &Game,
    mut rest: &[u8],
    mut board: Filling,
) -> Result<Clues, Diagnostic> {
    while let [byte, after @ ..] = rest {
        let fits = match byte {
            b'a'..=b'z' if game.runs => board.blanks(u32::from(byte - b'a') + 1),
            _ => match (game.cell)(*byte) {
                Some(clue) => board.push(clue),
                None => return Err(source.unexpected(rest).expected(game.expected)),
            },
        };
        if !fits {
            let what = format!("more cells than the {} of the board", board.size());
            return Err(source.complain(rest, 1, what).expected("the end of the board"));
        }
        rest = after;
    }
    if !board.is_full() {
        let what = format!("only {} of the {} cells", board.filled(), board.size());
        return Err(source.complain(rest, 0, what).expected(game.expected));
    }
    Ok(board.finish(false))
}

/// The board as a game ID, with a line end, as the game itself prints it.
pub fn write(kind: &dyn Kind, clues: &Clues) -> Result<Vec<u8>, Unwritable> {
    let Some(game) = GAMES.iter().find(|game| game.kind == kind.name()) else {
        return Err(Unwritable::kind(kind, "Simon Tatham's collection"));
    };
    if clues.full {
        let what = "a game ID cannot say that the loop visits every vertex".into();
        return Err(Unwritable { at: None, what });
    }
    let grid = if game.grids { "t0" } else { "" };
    let mut text = format!("{}x{}{grid}:", clues.cols, clues.rows).into_bytes();
    let mut blanks = 0;
    for (index, &clue) in clues.cells.iter().enumerate() {
        if game.runs && clue == Clue::Blank {
            blanks += 1;
            continue;
        }
        push_run(&mut text, blanks);
        blanks = 0;
        let byte = (game.byte)(clue);
        text.push(byte.ok_or_else(|| Unwritable::clue(clues, index, "a game ID"))?);
    }
    push_run(&mut text, blanks);
    text.push(b'\n');
    Ok(text)
}

/// So many blanks, 26 a letter.
fn push_run(text: &mut Vec<u8>, mut blanks: usize) {
    while blanks > 0 {
        let run = blanks.min(26);
        text.push(b'a' + (run - 1) as u8);
        blanks -= run;
    }
}

#[cfg(test)]
mod tests;
