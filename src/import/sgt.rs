//! Game IDs of Simon Tatham's puzzles: Loopy, Pearl and Singles.
//!
//! ```text
//! 7x7t0:c2a2a2b1b32a1d11a30d2e13122a3a312a3
//! ```
//!
//! Width, height, parameters, a colon, and the cells row by row, where `a` to `z` are 1 to 26 blank
//! cells. The cells have to fill the board exactly. `7x7t0#123` is a seed: only the game itself can
//! make a board from it. Of Loopy's grids only the square one, `t0`, is slitherlink.

use super::fill::{Filling, Source};
use super::{Format, Importer, Unwritable};
use crate::diagnostic::Diagnostic;
use crate::names::{digit, digit_value};
use crate::puzzle::Puzzle;
use crate::puzzle::clues::{Clue, Clues};
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
        let Ok(source) = Source::only_line(text) else { return false };
        let sizes = (digit1::<_, Error>, opt((char('x'), digit1)));
        let letters = take_while(|byte: u8| byte.is_ascii_alphanumeric());
        match (recognize(sizes), letters).parse(source.text) {
            // `7x7` alone is a row of hitori clues.
            Ok((rest, _)) => matches!(rest, [b':' | b'#', ..]),
            Err(_) => false,
        }
    }

    fn import(&self, kind: &dyn Puzzle, text: &[u8]) -> Result<Clues, Diagnostic> {
        let source = Source::only_line(text)?;
        let Some(game) = GAMES.iter().find(|game| game.kind == kind.name()) else {
            let what = format!("no game of this collection is {}", kind.name());
            return Err(source.complain(source.text, 0, what));
        };
        let (rest, board) = size(&source)?;
        let rest = parameters(&source, game, rest)?;
        cells(&source, game, rest, board)
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

/// Grid, difficulty and the flag `n`, up to the colon.
fn parameters<'a>(
    source: &Source<'a>,
    game: &Game,
    mut rest: &'a [u8],
) -> Result<&'a [u8], Diagnostic> {
    loop {
        let start = rest;
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
pub fn write(kind: &dyn Puzzle, clues: &Clues) -> Result<Vec<u8>, Unwritable> {
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
mod tests {
    use super::*;
    use crate::puzzle::find;

    fn text(kind: &str, id: &str) -> String {
        let kind = find(kind).unwrap();
        match Sgt.import(kind, id.as_bytes()) {
            Ok(clues) => String::from_utf8(kind.text(&clues)).unwrap(),
            Err(e) => {
                let expected = e.expected.unwrap_or_default();
                format!("{}:{}: {}, expected {expected}", e.line, e.column, e.what)
            }
        }
    }

    // Board and ID are the worked example of a Loopy board printed by the game's own generator.
    #[test]
    fn reads_a_printed_loopy_board() {
        let board = "...2.2.\n2..1..3\n2.1....\n11.30..\n..2....\n.13122.\n3.312.3\n";
        let cells = "c2a2a2b1b32a1d11a30d2e13122a3a312a3";
        for size in ["7x7t0", "7x7", "7", "7t0de", "7x7t0dh", "\u{feff} 7"] {
            assert_eq!(text("slitherlink", &format!("{size}:{cells}\n")), board);
        }
    }

    macro_rules! printed {
        ($kind:literal, $($name:literal),* $(,)?) => {
            [$(($kind, include_str!(concat!("../../fixtures/", $kind, "/", $name, ".id")),
                include_str!(concat!("../../fixtures/", $kind, "/", $name, ".txt")))),*]
        };
    }

    #[test]
    fn reads_printed_ids_of_all_games() {
        let slitherlink = printed![
            "slitherlink",
            "sgt-loopy-10x10-h-1",
            "sgt-loopy-12x17-e-1",
            "sgt-loopy-36x36-e-1",
            "sgt-loopy-7x7-e-1",
            "sgt-loopy-7x7-t-1",
            "sgt-loopy-8x9-t-1",
        ];
        let masyu = printed![
            "masyu",
            "bank-pearl15-0",
            "sgt-pearl-10x10-t-1",
            "sgt-pearl-7x7-e-1",
            "sgt-pearl-8x9-t-1",
        ];
        let hitori = printed![
            "hitori",
            "sgt-singles-12x17-k-1",
            "sgt-singles-40x40-k-1",
            "sgt-singles-7x7-e-1",
            "sgt-singles-8x9-k-1",
        ];
        for (kind, id, board) in slitherlink.into_iter().chain(masyu).chain(hitori) {
            assert_eq!(text(kind, id), board, "{id}");
        }
    }

    #[test]
    fn games_have_their_own_parameters_and_cells() {
        assert_eq!(text("masyu", "2x1dtn:BW"), "10\n");
        assert_eq!(text("hitori", "2x1dk:1Z"), "1Z\n");
        for (kind, id, complaint) in [
            (
                "masyu",
                "2x1t0:BW",
                "1:4: illegal character `t`, expected `n`, `d` and a difficulty, or `:` and the board",
            ),
            (
                "masyu",
                "2x1:0W",
                "1:5: illegal character `0`, expected `B`, `W`, or a to z for 1 to 26 blank cells",
            ),
            (
                "hitori",
                "2x1n:12",
                "1:4: illegal character `n`, expected `d` and a difficulty, or `:` and the board",
            ),
            ("hitori", "2x1:10", "1:6: illegal character `0`, expected 1 to 9, a to z, or A to Z"),
            (
                "hitori",
                "2x1:123",
                "1:7: more cells than the 2 of the board, expected the end of the board",
            ),
        ] {
            assert_eq!(text(kind, id), complaint);
        }
    }

    #[test]
    fn says_what_is_wrong_with_an_id() {
        let expected = "0 to 4, or a to z for 1 to 26 blank cells";
        for (id, complaint) in [
            ("2x2:d", None),
            ("2x2:c", Some(format!("1:6: only 3 of the 4 cells, expected {expected}"))),
            ("2x2:e", Some("1:5: more cells than the 4 of the board, expected the end of the board".into())),
            ("2x2:0123 4", Some(format!("1:9: illegal character ` `, expected {expected}"))),
            ("2x2:5c", Some(format!("1:5: illegal character `5`, expected {expected}"))),
            ("2x2t1:d", Some("1:4: a grid that is not square, expected `t0`".into())),
            ("2x2#77", Some("1:4: a random seed, from which only the game itself can make the board, expected `:` and the board".into())),
            ("0x2:", Some("1:1: a size of 0, expected the width of the board".into())),
            ("2x:", Some("1:3: illegal character `:`, expected the height of the board".into())),
            ("99999999x99999999:a", Some("1:1: the board is larger than coordinates can say, expected ".into())),
            ("9999999999x1:a", Some("1:1: the number is too large, expected the width of the board".into())),
            ("6000000x6000000:a", Some(format!("1:18: only 1 of the 36000000000000 cells, expected {expected}"))),
            ("2x2dz:d", Some("1:4: illegal character `d`, expected `t0`, `d` and a difficulty, or `:` and the board".into())),
            ("", Some("1:1: the text ends too early, expected the width of the board".into())),
            ("2x2:d\n2x2:d\n", Some("2:1: a second line, expected a single line".into())),
        ] {
            assert_eq!(text("slitherlink", id), complaint.unwrap_or("..\n..\n".into()), "{id}");
        }
    }
}
