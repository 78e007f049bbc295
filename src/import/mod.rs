//! Boards from other programs: one file per family of formats.
//!
//! [`import`] finds out from the text which format it is, or is told. Every importer ends in the
//! same [`Clues`]; a complaint names the line and the column in bytes, and what was expected there.
//! Importers never trust an announced size: a board grows with the data that describe it, and where
//! a format lets cells be missing, up to [`MOST_CELLS`].

mod fill;
pub mod pzpr;
pub mod sgt;

use crate::diagnostic::Diagnostic;
use crate::puzzle::Puzzle;
use crate::puzzle::clues::Clues;
use std::fmt;
use std::str::FromStr;

/// The largest board that a format may announce without describing every cell.
pub const MOST_CELLS: u64 = 4_000_000;

/// A family of board formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
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

/// All importers, in the order in which they are asked.
pub static IMPORTERS: &[&dyn Importer] = &[&pzpr::Pzpr, &sgt::Sgt, &Text];

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
    let found = IMPORTERS.iter().find(|importer| importer.recognizes(text));
    found.map_or(Format::Text, |importer| importer.format())
}

/// Reads a board of this kind from `text`, in this format or the one that it looks like.
pub fn import(kind: &dyn Puzzle, text: &[u8], format: Option<Format>) -> Result<Clues, Diagnostic> {
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
        let unknown = "unknown board format `penpa`, expected `pzpr`, `sgt`, `text`";
        assert_eq!("penpa".parse::<Format>(), Err(unknown.into()));
    }
}
