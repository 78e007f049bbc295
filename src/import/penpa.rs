//! Addresses of Penpa+, an editor for puzzles of all kinds.
//!
//! ```text
//! https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VVNb9swDL37VxQ68yBZ8ucta5NdsnRbMxSF...
//! ```
//!
//! After `p=` comes base64 of a raw deflate stream. Its text has lines: the first with the grid and
//! its size, the second with the rows and columns of white space at its sides, the fourth with what
//! the author drew, by the name of the tool. We take the numbers (slitherlink, hitori) or the circles
//! (masyu) from there. What a solver drew is in the fifth line and is skipped. The editor does not
//! know what it draws, so nothing here says which puzzle it is, or which variant.
//!
//! The fourth line is JSON whose usual words are shortened to `z` and a letter, without quotes.

use super::fill::{Filling, Source, address};
use super::{Format, Importer, MOST_CELLS};
use crate::diagnostic::Diagnostic;
use crate::puzzle::Puzzle;
use crate::puzzle::clues::{Clue, Clues};
use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use serde_json::Value;
use std::io::Read;

/// The importer, see the module.
#[derive(Clone, Copy, Debug)]
pub struct Penpa;

/// The most bytes that the text of a board may have. One of four million cells has not so many.
const MOST_BYTES: u64 = 1 << 25;

/// Rows and columns of the editor's own around every board, at each side.
const MARGIN: u64 = 2;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

impl Importer for Penpa {
    fn format(&self) -> Format {
        Format::Penpa
    }

    fn about(&self) -> &'static str {
        "an address of Penpa+"
    }

    fn recognizes(&self, text: &[u8]) -> bool {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
        // The part after the hash sign, or an address that has one.
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let query = line.rsplit(|&byte| byte == b'#' || byte == b'?').next().unwrap_or_default();
        query.starts_with(b"m=") && find(query, b"&p=").is_some()
    }

    fn import(&self, kind: &dyn Puzzle, text: &[u8]) -> Result<Clues, Diagnostic> {
        let line = Source::only_line(text)?;
        let data = match find(line.text, b"p=") {
            Some(at) => &line.text[at + 2..],
            None => return Err(line.complain(line.text, 0, "no board").expected("`p=`")),
        };
        address(&line, &line.text[..line.text.len() - data.len()])?;
        let data = data.split(|&byte| byte == b'&').next().unwrap_or_default();
        let rest = line.text;
        let start = data.as_ptr() as usize - rest.as_ptr() as usize;
        let place = Place { line: &line, rest: &rest[start..], length: data.len() };
        let deflated = BASE64.decode(data).map_err(|error| {
            let at = match error {
                base64::DecodeError::InvalidByte(at, _) => at,
                _ => data.len(),
            };
            let from = &place.rest[at..];
            line.complain(from, 1, "the text is no base64").expected("A to Z, a to z, 0 to 9, +, /")
        })?;
        let mut text = String::new();
        let inflater = flate2::read::DeflateDecoder::new(&deflated[..]);
        match inflater.take(MOST_BYTES).read_to_string(&mut text) {
            Err(_) => return Err(place.complain("the compressed text is damaged")),
            Ok(size) if size as u64 == MOST_BYTES => {
                return Err(place.complain("the board has more text than any board needs"));
            }
            Ok(_) => {}
        }
        let mut lines = text.lines();
        let board = grid(&place, lines.next(), lines.next())?;
        // The third line is how the tools were left.
        let drawn = lines.nth(1).and_then(expand);
        let Some(drawn) = drawn else {
            return Err(place.complain("what is drawn on the board cannot be read"));
        };
        clues(kind, &place, board, &drawn)
    }
}

/// Where a word is in a text.
fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window == word)
}

/// The data, for complaints: nobody can count columns within.
struct Place<'a> {
    line: &'a Source<'a>,
    rest: &'a [u8],
    length: usize,
}

impl Place<'_> {
    fn complain(&self, what: impl Into<String>) -> Diagnostic {
        self.line.complain(self.rest, self.length, what)
    }
}

/// The board within the grid.
#[derive(Clone, Copy)]
struct Window {
    /// Columns of the grid, margins included.
    stride: u64,
    top: u64,
    left: u64,
    rows: u32,
    cols: u32,
}

/// Reads the size of the board from the first two lines.
fn grid(place: &Place, head: Option<&str>, space: Option<&str>) -> Result<Window, Diagnostic> {
    let mut words = head.unwrap_or_default().split(',');
    match words.next() {
        Some("square") => {}
        Some(other) if !other.is_empty() => {
            let what = format!("a grid of the sort `{}`", other.escape_debug());
            return Err(place.complain(what).expected("`square`"));
        }
        _ => return Err(place.complain("the board has no grid")),
    }
    let mut size = || words.next().and_then(|word| word.parse::<u64>().ok());
    let (Some(cols), Some(rows)) = (size(), size()) else {
        return Err(place.complain("the board has no size"));
    };
    let space: Option<[u64; 4]> = space.and_then(|line| {
        let values: Vec<Value> = serde_json::from_str(line).ok()?;
        let values: Vec<u64> = values.iter().filter_map(Value::as_u64).collect();
        values.try_into().ok()
    });
    let [top, bottom, left, right] = space.unwrap_or_default();
    let inner = |size: u64, one: u64, other: u64| {
        let size = size.checked_sub(one)?.checked_sub(other)?;
        u32::try_from(size).ok().filter(|&size| size > 0)
    };
    match (inner(rows, top, bottom), inner(cols, left, right)) {
        (Some(inner_rows), Some(inner_cols))
            if rows.checked_mul(cols).is_some_and(|cells| cells <= MOST_CELLS) =>
        {
            let stride = cols + 2 * MARGIN;
            Ok(Window {
                stride,
                top: top + MARGIN,
                left: left + MARGIN,
                rows: inner_rows,
                cols: inner_cols,
            })
        }
        _ => Err(place.complain(format!("a grid of {cols} x {rows} cells"))),
    }
}

impl Window {
    /// The index of the cell that the editor gives this number.
    fn index(&self, key: &str) -> Option<usize> {
        let key: u64 = key.parse().ok()?;
        let row = (key / self.stride).checked_sub(self.top)?;
        let col = (key % self.stride).checked_sub(self.left)?;
        let inside = row < u64::from(self.rows) && col < u64::from(self.cols);
        usize::try_from(row * u64::from(self.cols) + col).ok().filter(|_| inside)
    }
}

/// JSON with its shortened words as strings, `zO` for null.
fn expand(line: &str) -> Option<Value> {
    let mut json = String::with_capacity(line.len() + line.len() / 4);
    let mut characters = line.chars();
    let (mut quoted, mut escaped) = (false, false);
    while let Some(character) = characters.next() {
        match character {
            'z' if !quoted => match characters.next()? {
                'O' => json.push_str("null"),
                letter if letter == '_' || letter.is_ascii_alphanumeric() => {
                    json.extend(['"', 'z', letter, '"']);
                }
                _ => return None,
            },
            _ => {
                quoted ^= character == '"' && !escaped;
                escaped = quoted && character == '\\' && !escaped;
                json.push(character);
            }
        }
    }
    serde_json::from_str(&json).ok()
}

/// What the author drew with the tool of the kind.
fn clues(
    kind: &dyn Puzzle,
    place: &Place,
    window: Window,
    drawn: &Value,
) -> Result<Clues, Diagnostic> {
    let Some(board) = Filling::new(window.rows, window.cols) else {
        return Err(place.complain("the board is larger than coordinates can say"));
    };
    let mut board = board.finish(false);
    let circles = kind.name() == "masyu";
    let tools = if circles { ["zY", "symbol"] } else { ["zN", "number"] };
    let marks = tools.iter().find_map(|tool| drawn.get(tool)).and_then(Value::as_object);
    for (key, mark) in marks.into_iter().flatten() {
        let clue = match (kind.name(), mark) {
            ("masyu", _) => circle(mark),
            ("hitori", _) => number(mark).map(|clue| match clue {
                Clue::Unknown => Clue::Blank,
                clue => clue,
            }),
            _ => number(mark).filter(|clue| !matches!(clue, Clue::Number(5..))),
        };
        let Some(clue) = clue else {
            let shown: String = mark.to_string().chars().take(60).collect();
            let what = format!("{shown} is no clue of {}", kind.name());
            return Err(place.complain(what).expected(kind.legend()));
        };
        match window.index(key) {
            Some(index) => board.cells[index] = clue,
            None if clue == Clue::Blank => {}
            None => return Err(place.complain("a clue lies beyond the board")),
        }
    }
    Ok(board)
}

/// `[value, style, type]`.
fn number(mark: &Value) -> Option<Clue> {
    match mark.get(0)? {
        Value::Number(number) => Some(Clue::Number(u32::try_from(number.as_u64()?).ok()?)),
        Value::String(text) => match text.trim() {
            "" => Some(Clue::Blank),
            "?" => Some(Clue::Unknown),
            text => super::fill::decimal(text.as_bytes()).map(Clue::Number),
        },
        _ => None,
    }
}

/// `[style, shape, layer]`, where style 1 is white and 2 is black.
fn circle(mark: &Value) -> Option<Clue> {
    if !mark.get(1)?.as_str()?.starts_with("circle_") {
        return None;
    }
    match mark.get(0)?.as_u64()? {
        1 => Some(Clue::White),
        2 => Some(Clue::Black),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::find;

    fn text(kind: &str, board: &str) -> String {
        let kind = find(kind).unwrap();
        match Penpa.import(kind, board.as_bytes()) {
            Ok(clues) => String::from_utf8(kind.text(&clues)).unwrap(),
            Err(e) => {
                let expected = e.expected.map(|what| format!(", expected {what}"));
                format!("{}:{}: {}{}", e.line, e.column, e.what, expected.unwrap_or_default())
            }
        }
    }

    // 4 rows and 5 columns, of which one row above and two columns at the right are white space. Made
    // with zlib, as are all texts here. Boards of the editor itself are in tests/boards.rs.
    #[test]
    fn leaves_white_space_out() {
        let data = "Ky4sTSxK1THVMdExtuCKNtQxAEKjWK7qWq5qpbzS3KTUIiWraiUjSyWraGMdQx0lQ6VYHSUTEFfJXgkqUFsLUg8A";
        for address in ["m=edit&p=", "https://swaroopg92.github.io/penpa-edit/#m=edit&p="] {
            assert_eq!(text("slitherlink", &format!("{address}{data}")), "3..\n...\n..?\n");
            assert_eq!(text("slitherlink", &format!("{address}{data}&a=1")), "3..\n...\n..?\n");
        }
        // Circles alone are clues of a masyu.
        assert_eq!(text("masyu", &format!("m=edit&p={data}")), "...\n...\n...\n");
    }

    #[test]
    fn says_what_is_wrong() {
        for (kind, data, complaint) in [
            (
                "slitherlink",
                "y0it0DHVMeGKNtABw1iu6loQAgA=",
                "1:10: a grid of the sort `hex`, expected `square`",
            ),
            (
                "slitherlink",
                "Ky4sTSxK1THSMeKKNtABw1iu6lqu6io/q2olQxMlq2hTHUMdJUOl2NpaLgA=",
                "1:10: [5,1,\"1\"] is no clue of slitherlink, expected `.`, `?` or 0 to 4",
            ),
            (
                "hitori",
                "Ky4sTSxK1THSMeKKNtABw1iu6lqu6io/q2olQzMlq2hDHUMdJUOl2NpaLgA=",
                "1:10: a clue lies beyond the board",
            ),
            (
                "hitori",
                "Ky4sTSxK1bEEAyjFFW2gA4axXNW1XNVVflbVtbVcAA==",
                "1:10: a grid of 999999 x 999999 cells",
            ),
            (
                "hitori",
                "Ky4sTSxK1THSMeKKNtABw1iu6lqu6io/q2ouAA==",
                "1:10: what is drawn on the board cannot be read",
            ),
            (
                "masyu",
                "Ky4sTSxK1THSMeKKNtABw1iu6lqu6qpIq2olQxMlq2hDHaXiksQiJR3D2NpaLgA=",
                "1:10: [1,\"star\",1] is no clue of masyu, expected `.`, `?`, 0 (white) or 1 (black)",
            ),
            ("masyu", "AwA=", "1:10: the board has no grid"),
            ("masyu", "7VX", "1:10: the compressed text is damaged"),
            ("masyu", "7V!x", "1:12: the text is no base64, expected A to Z, a to z, 0 to 9, +, /"),
        ] {
            assert_eq!(text(kind, &format!("m=edit&p={data}")), complaint);
        }
        assert_eq!(text("masyu", "m=edit"), "1:1: no board, expected `p=`");
    }
}
