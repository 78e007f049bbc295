//! Boards from other programs and back: one file per family of formats.
//!
//! [`import`] finds out from the text which format it is, or is told. Every importer ends in the
//! same [`Clues`]; a complaint names the line and the column in bytes, and what was expected there.
//! What is read although it is odd, such as an address that ends early, comes with a note. [`kind`]
//! tells which puzzle a text says it is, where the format says so.
//! Importers never trust an announced size: a board grows with the data that describe it, and where
//! a format lets cells be missing, up to [`MOST_CELLS`]. [`EXPORTERS`] write what importers read.
//!
//! docs/boards.md has the formats.

mod drawn;
mod fill;
pub mod janko;
pub mod kanpen;
pub mod penpa;
pub mod pzpr;
pub mod sgt;
mod text;

use crate::diagnostic::Diagnostic;
use crate::encoding;
use crate::puzzle::clues::{Clue, Clues};
use crate::puzzle::grid::FULL;
use crate::puzzle::{self, Kind};
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
    /// Game IDs and saved games of Simon Tatham's puzzles.
    Sgt,
    /// A grid: the puzzle's own, [`Kind::read`], or one that people write, or one of our drawings.
    Text,
}

impl Format {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Format::Janko => "janko",
            Format::Kanpen => "kanpen",
            Format::Penpa => "penpa",
            Format::Pzpr => "pzpr",
            Format::Sgt => "sgt",
            Format::Text => "text",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
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

    /// Reads a board of this kind. What is odd about it, though it can be read, goes to `notes`.
    fn import(
        &self,
        kind: &dyn Kind,
        text: &[u8],
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Clues, Diagnostic>;

    /// The kind that the text says it is, `None` if it does not say; an error if it says one that we
    /// do not know.
    fn kind(&self, _: &[u8]) -> Result<Option<&'static dyn Kind>, Diagnostic> {
        Ok(None)
    }
}

/// All importers, in the order in which they are asked. What a base64 text or an address of Kanpen
/// or of Simon Tatham's games has, slashes, is a sign of pzpr as well.
pub static IMPORTERS: &[&dyn Importer] =
    &[&penpa::Penpa, &kanpen::Kanpen, &sgt::Sgt, &pzpr::Pzpr, &janko::Janko, &text::GridText];

/// A board, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Its clues.
    pub clues: Clues,
    /// What is odd about the text, in the order of reading.
    pub notes: Vec<Diagnostic>,
}

/// One format that boards are written in.
#[derive(Clone, Copy, Debug)]
pub struct Exporter {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Writes a board of this kind; the text ends with a line end.
    pub export: fn(&dyn Kind, &Clues) -> Result<Vec<u8>, Unwritable>,
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
    fn kind(kind: &dyn Kind, format: &str) -> Self {
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

/// Whether a text that names no file may be meant as a board: a game ID or an address.
pub fn is_typed(text: &[u8]) -> bool {
    match detect(text) {
        Format::Text => false,
        // A path has slashes, too.
        Format::Pzpr => pzpr::is_address(text) || pzpr::has_size(text),
        _ => true,
    }
}

/// Reads a board of this kind from `text`, in this format or the one that it looks like.
pub fn import(
    kind: &dyn Kind,
    text: &[u8],
    format: Option<Format>,
) -> Result<Imported, Diagnostic> {
    let mut notes = Vec::new();
    let clues = importer(text, format)?.import(kind, text, &mut notes)?;
    Ok(Imported { clues, notes })
}

/// The kind that `text` says it is, in this format or the one that it looks like.
pub fn kind(text: &[u8], format: Option<Format>) -> Result<&'static dyn Kind, Diagnostic> {
    let importer = importer(text, format)?;
    if let Some(kind) = importer.kind(text)? {
        return Ok(kind);
    }
    let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let what = format!("this does not say which puzzle it is; it is read as {}", importer.about());
    let expected = format!("the kind before it: {}", puzzle::names());
    Err(Diagnostic::new(1, first, 0..first.len(), what).expected(expected))
}

fn importer(text: &[u8], format: Option<Format>) -> Result<&'static dyn Importer, Diagnostic> {
    if encoding::is_utf16(text) {
        let fault = Diagnostic::new(1, b"", 0..0, encoding::UTF16).expected(encoding::BYTES);
        return Err(fault.help(Some(encoding::CONVERT.into())));
    }
    let format = format.unwrap_or_else(|| detect(text));
    let known = IMPORTERS.iter().copied().find(|importer| importer.format() == format);
    Ok(known.unwrap_or(&text::GridText))
}

/// The complaint of an importer that has no codes for the clues of this kind.
fn no_such_kind(kind: &dyn Kind, line: &fill::Source, format: &str) -> Diagnostic {
    let what = format!("{format} has no boards of the kind {}", kind.name());
    line.complain(line.text, 0, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Constraint;
    use crate::picture::Picture;
    use crate::puzzle::clues::{Coloring, Sketch};
    use crate::puzzle::grid::Sheet;
    use crate::puzzle::rules::BrokenRule;
    use crate::puzzle::{KINDS, Model, Out, Report, slitherlink};

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
            ("SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\nVERSION :1:1\n", Format::Sgt),
            ("https://example.org/puzzles/js/loopy.html#7x7t0:c2a2", Format::Sgt),
            ("https://example.org/puzzles/js/loopy.html", Format::Pzpr),
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
            ("m=solve&p=7V/x+#comment", Format::Penpa),
            ("http://www.kanpen.net/hitori.html?problem=1/2/1_1/", Format::Kanpen),
            ("1\n3\n1 1 2\n", Format::Kanpen),
            ("1 3\n1 1 2\n", Format::Janko),
        ] {
            assert_eq!(detect(text.as_bytes()), format, "{text}");
        }
    }

    /// A kind that no importer has codes for.
    struct Foreign;

    impl Kind for Foreign {
        fn name(&self) -> &'static str {
            "nurikabe"
        }
        fn aliases(&self) -> &'static [&'static str] {
            &[]
        }
        fn rule(&self) -> &'static str {
            ""
        }
        fn legend(&self) -> &'static str {
            "anything"
        }
        fn constraints(&self) -> &'static [&'static dyn Constraint] {
            &[]
        }
        fn header(&self) -> &'static str {
            "nurikabe:"
        }
        fn parse(&self, sheet: &Sheet) -> Result<Clues, Diagnostic> {
            slitherlink::KIND.parse(sheet)
        }
        fn cell(&self, clue: Clue, separated: bool, text: &mut Vec<u8>) {
            slitherlink::KIND.cell(clue, separated, text);
        }
        fn write(&self, clues: &Clues, model: Model, out: &mut Out) -> std::io::Result<Report> {
            slitherlink::KIND.write(clues, model, out)
        }
        fn draw(&self, clues: &Clues, sketch: Option<&Sketch>) -> Picture {
            slitherlink::KIND.draw(clues, sketch)
        }
        fn check(&self, clues: &Clues, coloring: &Coloring) -> Result<(), BrokenRule> {
            slitherlink::KIND.check(clues, coloring)
        }
    }

    #[test]
    fn a_kind_without_codes_is_refused() {
        let penpa = include_bytes!("../../fixtures/slitherlink/noqx-penpa-slitherlink-7x7-1.penpa");
        let texts: [(Format, &[u8]); 8] = [
            (Format::Penpa, penpa),
            (Format::Kanpen, b"http://www.kanpen.net/?problem=1/2/._1/"),
            (Format::Kanpen, b"http://www.kanpen.net/?pzpr=2/1/1"),
            (Format::Kanpen, b"1\n2\n. 1\n"),
            (Format::Sgt, b"2x1:a1"),
            (Format::Pzpr, b"slither/2/1/1"),
            (Format::Janko, b"1 2\n- 1\n"),
            (Format::Janko, b"[begin]\n[problem]\n- 1\n[end]\n"),
        ];
        for (format, text) in texts {
            assert_eq!(detect(text), format, "{}", String::from_utf8_lossy(text));
            let complaint = import(&Foreign, text, None).unwrap_err();
            assert!(complaint.what.ends_with("no boards of the kind nurikabe"), "{complaint:?}");
        }
        assert!(import(&Foreign, b".1\n..\n", None).is_ok());
        for exporter in EXPORTERS.iter().filter(|exporter| exporter.name != "text") {
            assert!((exporter.export)(&Foreign, &Clues::blank(2, 2)).is_err());
        }
    }

    #[test]
    fn a_board_may_say_what_it_is() {
        let masyu = include_bytes!("../../fixtures/masyu/noqx-penpa-masyu-10x10-1.penpa");
        let hitori = include_bytes!("../../fixtures/hitori/noqx-penpa-hitori-8x8-1.penpa");
        let texts: [(&[u8], Option<&str>); 9] = [
            (masyu, Some("masyu")),
            (hitori, None),
            (b"http://www.kanpen.net/slitherlink.html?problem=1/2/._1/", Some("slitherlink")),
            (b"http://www.kanpen.net/yajilin.html?pzpr=2/1/1", None),
            (b"[begin]\nPuzzle Hitori\n[problem]\n1 2\n[end]\n", Some("hitori")),
            (b"[begin]\npuzzle Sudoku\n[problem]\n1 2\n[end]\n", None),
            (b"2x1t0:a1", None),
            (b".1\n..\n", None),
            (b"", None),
        ];
        for (text, name) in texts {
            let found = kind(text, None).ok().map(|kind| kind.name());
            assert_eq!(found, name, "{}", String::from_utf8_lossy(text));
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
            "SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\nGAME    :5:Loopy\nPARAMS  :5:2x2t0\nDESC    :3:3a1\n",
            "+---+   .\n| 3 |    \n+---+   .\n",
            " @---O---+\n |       |\n +---.---+\n",
            "[[3,-1],\n [-1,1]]\n",
            "3 1\n  2\n",
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
                    if let Ok(Imported { clues, .. }) = import(*kind, &bytes, format) {
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
        let unknown = "unknown board format `csv`, expected `penpa`, `kanpen`, `sgt`, `pzpr`, \
                       `janko`, `text`";
        assert_eq!("csv".parse::<Format>(), Err(unknown.into()));
    }
}
