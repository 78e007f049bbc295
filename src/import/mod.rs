//! Boards from other programs and back: one file per family of formats.
//!
//! [`import`] finds out from the text which format it is, or is told. Every importer ends in the
//! same [`Clues`]; a complaint names the line and the column in bytes, and what was expected there.
//! Importers never trust an announced size: a board grows with the data that describe it, and where
//! a format lets cells be missing, up to [`MOST_CELLS`]. [`EXPORTERS`] write what importers read.
//!
//! docs/boards.md has the formats.

mod fill;
pub mod janko;
pub mod kanpen;
pub mod penpa;
pub mod pzpr;
pub mod sgt;

use crate::diagnostic::Diagnostic;
use crate::encoding;
use crate::puzzle::Puzzle;
use crate::puzzle::clues::{Clue, Clues};
use crate::puzzle::grid::FULL;
use std::fmt;
use std::str::FromStr;

/// The largest board that a format may announce without describing every cell.
pub const MOST_CELLS: u64 = 4_000_000;

/// A family of board formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Rows after a line with the size, as janko.at and collections made from it have them.
    Janko,
    /// URLs and files of Kanpen.
    Kanpen,
    /// Addresses of Penpa+.
    Penpa,
    /// URLs of puzz.link and its kin, and pzprv3 files.
    Pzpr,
    /// Game IDs of Simon Tatham's puzzles.
    Sgt,
    /// The puzzle's own grid, [`Puzzle::read`].
    Text,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Format::Janko => "janko",
            Format::Kanpen => "kanpen",
            Format::Penpa => "penpa",
            Format::Pzpr => "pzpr",
            Format::Sgt => "sgt",
            Format::Text => "text",
        })
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = || IMPORTERS.iter().map(|importer| importer.format());
        names().find(|format| format.to_string() == name).ok_or_else(|| {
            let all: Vec<String> = names().map(|format| format!("`{format}`")).collect();
            format!("unknown board format `{name}`, expected {}", all.join(", "))
        })
    }
}

/// One family of formats. Used through `&dyn Importer`: one call per board.
pub trait Importer: Sync {
    /// Its name.
    fn format(&self) -> Format;

    /// What it reads, in a few words.
    fn about(&self) -> &'static str;

    /// Whether the text looks like this format at first sight. Importers are asked in the order of
    /// [`IMPORTERS`], and the last one says yes to everything.
    fn recognizes(&self, text: &[u8]) -> bool;

    /// Reads a board of this kind.
    fn import(&self, kind: &dyn Puzzle, text: &[u8]) -> Result<Clues, Diagnostic>;
}

/// All importers, in the order in which they are asked. What a base64 text or an address of Kanpen
/// has, slashes, is a sign of pzpr as well.
pub static IMPORTERS: &[&dyn Importer] =
    &[&penpa::Penpa, &kanpen::Kanpen, &pzpr::Pzpr, &sgt::Sgt, &janko::Janko, &Text];

/// One format that boards are written in.
#[derive(Clone, Copy, Debug)]
pub struct Exporter {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Writes a board of this kind; the text ends with a line end.
    pub export: fn(&dyn Puzzle, &Clues) -> Result<Vec<u8>, Unwritable>,
}

/// All exporters, by name.
pub static EXPORTERS: &[Exporter] = &[
    Exporter { name: "pzpr", about: "a pzprv3 file", export: pzpr::file::write },
    Exporter { name: "sgt", about: "a game ID of Simon Tatham's puzzles", export: sgt::write },
    Exporter {
        name: "text",
        about: "a grid of clues, one row a line",
        export: |kind, clues| Ok(kind.text(clues)),
    },
    Exporter { name: "url", about: "a URL of puzz.link", export: pzpr::url::write },
];

/// Why a board cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// Row and column of a cell, from 1, if it is about one.
    pub at: Option<(u32, u32)>,
    /// What is wrong, without a final period.
    pub what: String,
}

impl Unwritable {
    /// The format knows no puzzle of this kind.
    fn kind(kind: &dyn Puzzle, format: &str) -> Self {
        Unwritable { at: None, what: format!("{format} has no puzzle of the kind {}", kind.name()) }
    }

    /// The format cannot say the clue with this index.
    fn clue(clues: &Clues, index: usize, format: &str) -> Self {
        let index = index as u32;
        let at = Some((index / clues.cols + 1, index % clues.cols + 1));
        let what = match clues.cells.get(index as usize) {
            Some(Clue::Number(number)) => format!("{format} cannot hold the number {number}"),
            Some(Clue::Unknown) => format!("{format} cannot hold the clue `?`"),
            Some(Clue::Blank) => format!("{format} cannot hold a cell without a number"),
            _ => format!("{format} cannot hold this clue"),
        };
        Unwritable { at, what }
    }
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.at {
            Some((row, col)) => write!(f, "row {row}, column {col}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for Unwritable {}

/// The importer of Knuth's grids.
#[derive(Clone, Copy, Debug)]
struct Text;

impl Importer for Text {
    fn format(&self) -> Format {
        Format::Text
    }

    fn about(&self) -> &'static str {
        "a grid of clues, one row a line"
    }

    fn recognizes(&self, _: &[u8]) -> bool {
        true
    }

    fn import(&self, kind: &dyn Puzzle, text: &[u8]) -> Result<Clues, Diagnostic> {
        kind.read(text)
    }
}

/// The format that the text has at first sight.
pub fn detect(text: &[u8]) -> Format {
    // No other format has this line.
    if text.trim_ascii_end().rsplit(|&byte| byte == b'\n').next() == Some(FULL.as_bytes()) {
        return Format::Text;
    }
    let found = IMPORTERS.iter().find(|importer| importer.recognizes(text));
    found.map_or(Format::Text, |importer| importer.format())
}

/// Whether a line of text is a grid with slashes between its rows, and none of the formats that have
/// slashes of their own.
pub fn is_grid_line(line: &[u8]) -> bool {
    match detect(line) {
        Format::Pzpr => !pzpr::is_address(line),
        _ => false,
    }
}

/// Reads a board of this kind from `text`, in this format or the one that it looks like.
pub fn import(kind: &dyn Puzzle, text: &[u8], format: Option<Format>) -> Result<Clues, Diagnostic> {
    if encoding::is_utf16(text) {
        let fault = Diagnostic::new(1, b"", 0..0, encoding::UTF16).expected(encoding::BYTES);
        return Err(fault.help(Some(encoding::CONVERT.into())));
    }
    let format = format.unwrap_or_else(|| detect(text));
    match IMPORTERS.iter().find(|importer| importer.format() == format) {
        Some(importer) => importer.import(kind, text),
        None => kind.read(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::KINDS;

    #[test]
    fn finds_the_format_out() {
        for (text, format) in [
            ("..\n..\n", Format::Text),
            ("..\nvariant: f\n", Format::Text),
            ("?01.\n", Format::Text),
            ("12 3\n3 12\n", Format::Text),
            ("", Format::Text),
            ("7x7t0:c2a2\n", Format::Sgt),
            ("7:c2a2", Format::Sgt),
            ("7x7#123", Format::Sgt),
            ("\u{feff}7x7dz:", Format::Sgt),
            ("7x7", Format::Text),
            ("https://puzz.link/p?slither/5/5/cbcbcddad", Format::Pzpr),
            (" slither/5/5/cbcbcddad\n", Format::Pzpr),
            ("pzprv3\nslither\n", Format::Pzpr),
            ("pzprv3\nhitori\n", Format::Pzpr),
            // Words of such a line count as clues elsewhere.
            ("02\n.1\nvariant: f\n", Format::Text),
            ("2\n2\nvariant: f\n \n", Format::Text),
            // Rows of hitori.
            ("pzprv3.1\n", Format::Text),
            ("pzprv3.1\n12345678\n", Format::Text),
            ("https://swaroopg92.github.io/penpa-edit/#m=edit&p=7V/x+", Format::Penpa),
            ("m=solve&p=7V/x+&a=x", Format::Penpa),
            ("http://www.kanpen.net/hitori.html?problem=1/2/1_1/", Format::Kanpen),
            ("1\n3\n1 1 2\n", Format::Kanpen),
            ("1 3\n1 1 2\n", Format::Janko),
        ] {
            assert_eq!(detect(text.as_bytes()), format, "{text}");
        }
    }

    // Whatever the bytes are, they are read or refused: no panic, no huge allocation.
    #[test]
    fn survives_mutilated_input() {
        let good = [
            "https://puzz.link/p?slither/v:/f/5/5/cbcbcddad",
            "mashu/6/6/1063000i3000",
            "hitori/4/1/-6i%@a/",
            "v:\npzprv3.1\nslither\n1\n2\nf\n- 4\n",
            "?pzprv3/hitori/2/2/1 . /10 2 /# + /",
            "7x7t0dh:c2a2a2b1b32a1d11a30d2e13122a3a312a3",
            "7x7dtn:BdWdBiBBaBeBjWeBb",
            "3x2:1aZ2b9\n",
            "0.\n.1\nvariant: f\n",
            "1 62 .\n. 3 100\n",
            "m=edit&p=Ky4sTSxK1TECQmMLrmgDHTCM5aqusrSqcqwF0n5W1UqGJkpW0cY6hjpKhkqxQMIUyFWyV4ILGBmABBRgArU6VZEwXUY6SsmZRck5qfE+QGmQVIhVlT/Q4FouAA==&a=1",
            "/masyu.html?problem=2/2/1_./._2/",
            "hitori.html?pzpr=2/2/11.-11",
            "2\n3\n1 2 .\n. 2 1\n",
            "2 3\n- 1 2\n# x\n0 - -\n",
            "[begin]\nsize 2\n[problem]\n1 2\n- 1\n[end]\n",
        ];
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..4000 {
            let mut bytes = good[round % good.len()].as_bytes().to_vec();
            for _ in 0..random.u32(1..4) {
                let at = random.usize(..bytes.len());
                match random.u32(..4) {
                    0 => bytes.truncate(at.max(1)),
                    1 => drop(bytes.remove(at)),
                    2 => bytes.insert(at, *random.choice(b"/?:#.x \n\r019azAZ-%\xff").unwrap()),
                    _ => bytes[at] = random.u8(..),
                }
                bytes.push(b'0');
            }
            for kind in KINDS {
                for format in [None, Some(Format::Pzpr), Some(Format::Sgt), Some(Format::Text)] {
                    if let Ok(clues) = import(*kind, &bytes, format) {
                        let cells = u64::from(clues.rows) * u64::from(clues.cols);
                        assert_eq!(clues.cells.len() as u64, cells);
                        assert!(cells <= MOST_CELLS);
                        // Unknown clues of hitori and the like do not occur, so text is faithful.
                        assert_eq!(kind.read(&kind.text(&clues)), Ok(clues));
                    }
                }
            }
        }
    }

    #[test]
    fn names_of_formats_are_read_back() {
        for importer in IMPORTERS {
            assert_eq!(importer.format().to_string().parse(), Ok(importer.format()));
        }
        let unknown = "unknown board format `csv`, expected `penpa`, `kanpen`, `pzpr`, `sgt`, \
                       `janko`, `text`";
        assert_eq!("csv".parse::<Format>(), Err(unknown.into()));
    }
}
