//! Addresses of Penpa+, an editor for puzzles of all kinds.
//!
//! ```text
//! https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VVNb9swDL37VxQ68yBZ8ucta5NdsnRbMxSF...
//! ```
//!
//! After `p=` comes base64 of a raw deflate stream. Its text has lines: the first with the grid and
//! its size, the second with the rows and columns of white space at its sides, the fourth with what
//! the author drew, by the name of the tool. We take the numbers (slitherlink, hitori) or the circles
//! (masyu) from there; a board that has the others is of another kind, and refused. What else the
//! author drew is noted. What a solver drew is in the fifth line and is skipped. The editor does not
//! know what it draws: only a tag in the eighteenth line may say which puzzle it is.
//!
//! The fourth line is JSON whose usual words are shortened to `z` and a letter, without quotes.

use super::fill::{Filling, Source, address, without_fragment};
use super::{Format, Importer, MOST_CELLS, no_such_kind};
use crate::diagnostic::Diagnostic;
use crate::encoding;
use crate::puzzle::clues::{Clue, Clues};
use crate::puzzle::{self, Kind};
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
        let text = encoding::unmarked(text).trim_ascii_start();
        // The part after the hash sign, or an address that has one.
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let mut parts = line.split(|&byte| byte == b'#' || byte == b'?');
        parts.any(|part| part.starts_with(b"m=") && find(part, b"&p=").is_some())
    }

    fn import(
        &self,
        kind: &dyn Kind,
        text: &[u8],
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Clues, Diagnostic> {
        let line = Source::only_line(text)?;
        let place = PenpaData::of(&line, notes)?;
        let text = place.inflated()?;
        let mut lines = text.lines();
        let board = grid(&place, lines.next(), lines.next())?;
        // The third line is how the tools were left.
        let drawn = lines.nth(1).and_then(expand);
        let Some(drawn) = drawn else {
            return Err(place.complain("what is drawn on the board cannot be read"));
        };
        clues(kind, &place, board, &drawn, notes)
    }

    fn kind(&self, text: &[u8]) -> Result<Option<&'static dyn Kind>, Diagnostic> {
        let line = Source::only_line(text)?;
        let text = PenpaData::of(&line, &mut Vec::new())?.inflated()?;
        let tags = text.lines().nth(17).unwrap_or_default();
        let tags: Vec<String> = serde_json::from_str(tags).unwrap_or_default();
        if let Some(kind) = tags.iter().find_map(|tag| puzzle::find(tag)) {
            return Ok(Some(kind));
        }
        // Of the kinds that we know one has circles, and no numbers.
        let drawn = text.lines().nth(3).and_then(expand).unwrap_or_default();
        let circles = !marks(&drawn, SYMBOLS).is_empty() && marks(&drawn, NUMBERS).is_empty();
        Ok(circles.then(|| puzzle::find("masyu")).flatten())
    }
}

/// Where a word is in a text.
fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window == word)
}

/// The data, for complaints: nobody can count columns within.
struct PenpaData<'a> {
    line: &'a Source<'a>,
    rest: &'a [u8],
    length: usize,
}

impl<'a> PenpaData<'a> {
    /// The data of an address.
    fn of(line: &'a Source<'a>, notes: &mut Vec<Diagnostic>) -> Result<Self, Diagnostic> {
        let data = match find(line.text, b"p=") {
            Some(at) => &line.text[at + 2..],
            None => return Err(line.complain(line.text, 0, "no board").expected("`p=`")),
        };
        let start = line.text.len() - data.len();
        address(line, &line.text[..start])?;
        let length = data.iter().position(|&byte| byte == b'&').unwrap_or(data.len());
        let (_, data) = without_fragment(*line, &data[..length], notes);
        Ok(PenpaData { line, rest: &line.text[start..], length: data.len() })
    }

    /// The text of the board.
    fn inflated(&self) -> Result<String, Diagnostic> {
        let deflated = BASE64.decode(&self.rest[..self.length]).map_err(|error| {
            let at = match error {
                base64::DecodeError::InvalidByte(at, _) => at,
                _ => self.length,
            };
            let what = "the text is no base64";
            self.line.complain(&self.rest[at..], 1, what).expected("A to Z, a to z, 0 to 9, +, /")
        })?;
        let mut text = String::new();
        let inflater = flate2::read::DeflateDecoder::new(&deflated[..]);
        match inflater.take(MOST_BYTES).read_to_string(&mut text) {
            Err(_) => Err(self.complain("the compressed text is damaged")),
            Ok(size) if size as u64 == MOST_BYTES => {
                Err(self.complain("the board has more text than any board needs"))
            }
            Ok(_) => Ok(text),
        }
    }

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
fn grid(place: &PenpaData, head: Option<&str>, space: Option<&str>) -> Result<Window, Diagnostic> {
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

/// The names of the tools, short and long.
type Tool = [&'static str; 2];
const NUMBERS: Tool = ["zN", "number"];
const SYMBOLS: Tool = ["zY", "symbol"];

/// Other tools whose marks may mean something, and what they draw.
const OTHERS: [(Tool, &str); 9] = [
    (["zS", "surface"], "shaded cells"),
    (["z1", "numberS"], "small numbers"),
    (["zL", "line"], "lines"),
    (["zE", "lineE"], "edges"),
    (["zW", "wall"], "walls"),
    (["zC", "cage"], "cages"),
    (["zT", "thermo"], "thermometers"),
    (["z3", "arrows"], "arrows"),
    (["zD", "direction"], "directions"),
];

/// What the author drew with a tool: the numbers of places, and marks. Blank numbers are none.
fn marks(drawn: &Value, tool: Tool) -> Vec<(&str, &Value)> {
    let all = tool.iter().find_map(|name| drawn.get(name)).and_then(Value::as_object);
    let marks = all.into_iter().flatten().map(|(key, mark)| (key.as_str(), mark));
    marks.filter(|(_, mark)| tool != NUMBERS || number(mark) != Some(Clue::Blank)).collect()
}

/// What the author drew with the tool of the kind.
fn clues(
    kind: &dyn Kind,
    place: &PenpaData,
    window: Window,
    drawn: &Value,
    notes: &mut Vec<Diagnostic>,
) -> Result<Clues, Diagnostic> {
    let Some(board) = Filling::new(window.rows, window.cols) else {
        return Err(place.complain("the board is larger than coordinates can say"));
    };
    type Decode = fn(&Value) -> Option<Clue>;
    let (tool, other, decode): (Tool, Tool, Decode) = match kind.name() {
        "masyu" => (SYMBOLS, NUMBERS, circle),
        "hitori" => (NUMBERS, SYMBOLS, |mark| match number(mark)? {
            Clue::Unknown => Some(Clue::Blank),
            clue => Some(clue),
        }),
        "slitherlink" => (NUMBERS, SYMBOLS, |mark| {
            number(mark).filter(|clue| !matches!(clue, Clue::Number(5..)))
        }),
        _ => return Err(no_such_kind(kind, place.line, "our reader of Penpa+")),
    };
    // Of whatever rules these are, they are not those of this kind.
    if let Some((_, mark)) = marks(drawn, other).first() {
        let what = format!("{} is no clue of {}", shown(mark), kind.name());
        let is_circle = other == SYMBOLS && circle(mark).is_some();
        let help = is_circle.then(|| "circles are the clues of masyu".into());
        return Err(place.complain(what).expected(kind.legend()).help(help));
    }
    let mut board = board.finish(false);
    for (key, mark) in marks(drawn, tool) {
        let Some(clue) = decode(mark) else {
            let what = format!("{} is no clue of {}", shown(mark), kind.name());
            return Err(place.complain(what).expected(kind.legend()));
        };
        match window.index(key) {
            Some(index) => board.cells[index] = clue,
            None if clue == Clue::Blank => {}
            None => return Err(place.complain("a clue lies beyond the board")),
        }
    }
    let is_drawn = |tool: Tool| {
        let all = tool.iter().find_map(|name| drawn.get(name));
        let object = all.and_then(Value::as_object).is_some_and(|all| !all.is_empty());
        object || all.and_then(Value::as_array).is_some_and(|all| !all.is_empty())
    };
    let others = OTHERS.iter().filter(|(tool, _)| is_drawn(*tool));
    let others: Vec<&str> = others.map(|&(_, name)| name).collect();
    if !others.is_empty() {
        let what = format!("the author also drew {}, which are skipped", others.join(", "));
        notes.push(place.complain(what));
    }
    Ok(board)
}

/// The beginning of a mark, for messages.
fn shown(mark: &Value) -> String {
    mark.to_string().chars().take(60).collect()
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
        match Penpa.import(kind, board.as_bytes(), &mut Vec::new()) {
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
        let complaint =
            "1:10: [3,1,\"1\"] is no clue of masyu, expected `.`, `?`, 0 (white) or 1 (black)";
        assert_eq!(text("masyu", &format!("m=edit&p={data}")), complaint);
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
