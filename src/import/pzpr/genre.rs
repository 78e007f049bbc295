//! The three genres: their names, and the codes of their clues in URLs and files, both ways.

use super::super::fill::{Filling, Tokens, decimal};
use crate::names::digit_value;
use crate::puzzle::Kind;
use crate::puzzle::clues::Clue;

/// Decodes a group of characters into the board, and answers with what follows.
pub(in super::super) type Group = for<'a> fn(&'a [u8], &mut Filling) -> Option<&'a [u8]>;

/// What differs from genre to genre.
pub(in super::super) struct Genre {
    pub kind: &'static str,
    /// The names of the genre in URLs and files; the first is the usual one.
    pub names: &'static [&'static str],
    /// Whether the flag `f` makes sense.
    pub full: bool,
    /// Decodes one group of a URL into the board; `None` if it does not begin with one.
    pub group: Group,
    /// The same as old versions of the editor wrote them, where that differs.
    pub old_group: Option<Group>,
    /// What a group may be.
    pub groups: &'static str,
    /// Encodes the cells of a URL as the editor itself does; else the place of a clue that has no
    /// code.
    pub encode: fn(&[Clue]) -> Result<String, usize>,
    /// The cells of a file.
    pub tokens: Tokens,
    /// Encodes one token of a file.
    pub write_token: fn(Clue) -> Option<String>,
    /// What follows the clues in a file: sections of marks, as rows and columns beyond those of the
    /// board, and the mark of a place that the player has not touched.
    marks: &'static [(i32, i32, &'static str)],
}

/// The genre of a kind.
pub(in super::super) fn of(kind: &dyn Kind) -> Option<&'static Genre> {
    GENRES.iter().find(|genre| genre.kind == kind.name())
}

pub(super) static GENRES: &[Genre] = &[
    Genre {
        kind: "hitori",
        names: &["hitori"],
        full: false,
        group: hitori_group,
        old_group: Some(old_hitori_group),
        groups: "`.`, `%`, 0 to 9, a to z, or `-` and two of these digits",
        encode: encode_hitori,
        tokens: Tokens {
            decode: |token| match token {
                b"." | b"-" => Some(Clue::Blank),
                _ => decimal(token).map(Clue::Number),
            },
            expected: "`.` or a number",
        },
        write_token: |clue| match clue {
            Clue::Number(number) => Some(number.to_string()),
            Clue::Blank => Some(".".into()),
            _ => None,
        },
        marks: &[(0, 0, ".")],
    },
    Genre {
        kind: "masyu",
        names: &["mashu", "masyu", "pearl"],
        full: true,
        group: mashu_group,
        old_group: None,
        groups: "0 to 9 or a to q",
        encode: encode_mashu,
        tokens: Tokens {
            decode: |token| match token {
                b"1" => Some(Clue::White),
                b"2" => Some(Clue::Black),
                b"-" => Some(Clue::Unknown),
                b"." => Some(Clue::Blank),
                _ => None,
            },
            expected: "`.`, `-`, 1 (white) or 2 (black)",
        },
        write_token: |clue| match clue {
            Clue::White => Some("1".into()),
            Clue::Black => Some("2".into()),
            Clue::Unknown => Some("-".into()),
            Clue::Blank => Some(".".into()),
            Clue::Number(_) => None,
        },
        // Links to the right, links down.
        marks: &[(0, -1, "0"), (-1, 0, "0")],
    },
    Genre {
        kind: "slitherlink",
        names: &["slither", "slitherlink"],
        full: true,
        group: slither_group,
        old_group: None,
        groups: "`.`, 0 to 9, a to e, or g to z",
        encode: encode_slither,
        tokens: Tokens {
            decode: |token| match token {
                [digit @ b'0'..=b'4'] => Some(Clue::Number(u32::from(digit - b'0'))),
                b"-" => Some(Clue::Unknown),
                b"." => Some(Clue::Blank),
                _ => None,
            },
            expected: "`.`, `-` or 0 to 4",
        },
        write_token: |clue| match clue {
            Clue::Number(count @ 0..=4) => Some(count.to_string()),
            Clue::Unknown => Some("-".into()),
            Clue::Blank => Some(".".into()),
            _ => None,
        },
        // Vertical borders, horizontal borders.
        marks: &[(0, 1, "0"), (1, 0, "0")],
    },
];

impl Genre {
    /// The sections of marks of a player who has made none.
    pub fn no_marks(&self, rows: u32, cols: u32) -> String {
        let mut text = String::new();
        for &(more_rows, more_cols, mark) in self.marks {
            let row = vec![mark; cols.saturating_add_signed(more_cols) as usize].join(" ");
            for _ in 0..rows.saturating_add_signed(more_rows) {
                text += &row;
                text.push('\n');
            }
        }
        text
    }
}

/// A number of one digit in base 36, or of two after a minus sign.
fn hitori_group<'a>(rest: &'a [u8], board: &mut Filling) -> Option<&'a [u8]> {
    // Base 36 has no upper case.
    let value = |byte: u8| digit_value(byte).filter(|&value| value < 36);
    let (clue, rest) = match *rest {
        [b'.' | b'%' | b'@', ref rest @ ..] => (Clue::Blank, rest),
        [b'-', high, low, ref rest @ ..] => (Clue::Number(36 * value(high)? + value(low)?), rest),
        [digit, ref rest @ ..] => (Clue::Number(value(digit)?), rest),
        [] => return None,
    };
    board.push(clue);
    Some(rest)
}

/// Of the numbers after a minus sign, 16 to 35 have one digit.
fn old_hitori_group<'a>(rest: &'a [u8], board: &mut Filling) -> Option<&'a [u8]> {
    match *rest {
        [b'-', digit @ b'g'..=b'z', ref rest @ ..] => {
            board.push(Clue::Number(digit_value(digit)?));
            Some(rest)
        }
        _ => hitori_group(rest, board),
    }
}

/// The inverse of [`hitori_group`].
fn encode_hitori(cells: &[Clue]) -> Result<String, usize> {
    let mut text = String::new();
    for (index, &clue) in cells.iter().enumerate() {
        match clue {
            Clue::Blank => text.push('.'),
            Clue::Number(number @ 0..=35) => text.push(base_36(number)),
            Clue::Number(number @ 36..=1295) => {
                text.extend(['-', base_36(number / 36), base_36(number % 36)]);
            }
            _ => return Err(index),
        }
    }
    Ok(text)
}

/// Three cells as a number in base 3. The last group may go beyond the end of the board.
fn mashu_group<'a>(rest: &'a [u8], board: &mut Filling) -> Option<&'a [u8]> {
    let (&byte, rest) = rest.split_first()?;
    let value = digit_value(byte).filter(|&value| value < 27)?;
    for trit in [value / 9, value / 3 % 3, value % 3] {
        board.push([Clue::Blank, Clue::White, Clue::Black][trit as usize]);
    }
    Some(rest)
}

/// The inverse of [`mashu_group`].
fn encode_mashu(cells: &[Clue]) -> Result<String, usize> {
    let mut text = String::new();
    for (group, three) in cells.chunks(3).enumerate() {
        let mut value = 0;
        for (place, weight) in [9, 3, 1].into_iter().enumerate() {
            value += weight
                * match three.get(place) {
                    None | Some(Clue::Blank) => 0,
                    Some(Clue::White) => 1,
                    Some(Clue::Black) => 2,
                    Some(_) => return Err(3 * group + place),
                };
        }
        text.push(base_36(value));
    }
    Ok(text)
}

/// A clue with up to two blanks behind it, or a run of blanks.
fn slither_group<'a>(rest: &'a [u8], board: &mut Filling) -> Option<&'a [u8]> {
    let (&byte, rest) = rest.split_first()?;
    let (clue, blanks) = match byte {
        b'.' => (Some(Clue::Unknown), 0),
        b'0'..=b'4' => (Some(Clue::Number(u32::from(byte - b'0'))), 0),
        b'5'..=b'9' => (Some(Clue::Number(u32::from(byte - b'5'))), 1),
        b'a'..=b'e' => (Some(Clue::Number(u32::from(byte - b'a'))), 2),
        b'g'..=b'z' => (None, u32::from(byte - b'g') + 1),
        _ => return None,
    };
    if let Some(clue) = clue {
        board.push(clue);
    }
    // Blanks may run beyond the end of the board.
    board.blanks(blanks);
    Some(rest)
}

/// The inverse of [`slither_group`]; of several codes for one board that of the editor, where a clue
/// takes as many blanks along as it can, also beyond the end, but not more than two.
fn encode_slither(mut cells: &[Clue]) -> Result<String, usize> {
    let count = cells.len();
    let mut text = String::new();
    while let [clue, rest @ ..] = cells {
        let blanks = rest.iter().take_while(|&&clue| clue == Clue::Blank).count();
        let (code, taken) = match *clue {
            Clue::Unknown => ('.', 1),
            Clue::Number(number @ 0..=4) => {
                let along = if blanks == rest.len() { 2 } else { blanks.min(2) };
                (base_36(5 * along as u32 + number), 1 + along)
            }
            Clue::Blank => {
                let run = (1 + blanks).min(20);
                (base_36(15 + run as u32), run)
            }
            _ => return Err(count - cells.len()),
        };
        text.push(code);
        cells = &cells[taken.min(cells.len())..];
    }
    Ok(text)
}

/// A digit in base 36.
fn base_36(value: u32) -> char {
    char::from_digit(value, 36).expect("a digit")
}
