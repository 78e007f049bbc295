//! Boards in all formats: every fixture survives every writer, and every address means its board.

mod common;

use std::path::{Path, PathBuf};

use common::slurp;
use quadrille::import::{EXPORTERS, Format, detect, import};
use quadrille::puzzle::clues::{Clue, Clues};
use quadrille::puzzle::{KINDS, Kind};

/// The fixtures of a kind whose names end so.
fn fixtures(kind: &dyn Kind, end: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(kind.name());
    let entries = std::fs::read_dir(folder).expect("a folder of boards");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == end));
    paths.sort();
    paths
}

fn board(kind: &dyn Kind, path: &Path) -> Clues {
    import(kind, &slurp(path), None).unwrap_or_else(|error| panic!("{path:?}: {error:?}")).clues
}

fn format(name: &str) -> Format {
    if name == "url" { Format::Pzpr } else { name.parse().expect("a format") }
}

/// Writes the board in every format that can hold it, and reads it back. Says in how many.
fn round_trip(kind: &dyn Kind, clues: &Clues) -> usize {
    let mut written = 0;
    for exporter in EXPORTERS {
        let Ok(text) = (exporter.export)(kind, clues) else { continue };
        let shown = String::from_utf8_lossy(&text);
        let back = import(kind, &text, Some(format(exporter.name))).map(|board| board.clues);
        assert_eq!(back.as_ref(), Ok(clues), "{}: {shown}", exporter.name);
        // Without being told, too.
        assert_eq!(detect(&text), format(exporter.name), "{shown}");
        // Nothing but the board decides what is written.
        assert_eq!((exporter.export)(kind, clues).expect("as before"), text);
        written += 1;
    }
    written
}

#[test]
fn boards_survive_every_format() {
    let mut boards = 0;
    for kind in KINDS {
        for path in fixtures(*kind, "txt") {
            let clues = board(*kind, &path);
            let sgt = !clues.cells.iter().any(|&clue| match kind.name() {
                "hitori" => matches!(clue, Clue::Blank | Clue::Number(0 | 62..)),
                _ => clue == Clue::Unknown,
            });
            assert_eq!(round_trip(*kind, &clues), 3 + usize::from(sgt), "{path:?}");
            boards += 1;
        }
    }
    assert!(boards > 25, "only {boards} boards");
}

/// Found by tests/fuzz.rs: rows of hitori are digits in base 62.
#[test]
fn a_row_that_looks_like_the_header_of_a_file_is_a_row() {
    let kind = KINDS.iter().find(|kind| kind.name() == "hitori").expect("a kind");
    for text in ["pzprv3.1\n", "pzprv3.1\n12345678\n"] {
        let clues = import(*kind, text.as_bytes(), Some(Format::Text)).expect("a board").clues;
        assert_eq!((clues.rows as usize, clues.cols), (text.lines().count(), 8));
        round_trip(*kind, &clues);
    }
}

#[test]
fn addresses_mean_their_boards() {
    let mut addresses = 0;
    for kind in KINDS {
        for end in ["id", "url", "penpa"] {
            for path in fixtures(*kind, end) {
                let clues = board(*kind, &path);
                assert_eq!(clues, board(*kind, &path.with_extension("txt")), "{path:?}");
                addresses += 1;
            }
        }
    }
    assert!(addresses > 20, "only {addresses} addresses");
}

/// We write what the programs that these come from write. The one exception was typed by hand.
#[test]
fn writers_agree_with_the_programs_they_write_for() {
    for kind in KINDS {
        for (end, name) in [("id", "sgt"), ("url", "url")] {
            let exporter = EXPORTERS.iter().find(|exporter| exporter.name == name).expect("it");
            for path in fixtures(*kind, end) {
                let written = (exporter.export)(*kind, &board(*kind, &path)).expect("a board");
                let original = slurp(&path);
                let tail = |text: &[u8]| {
                    let text = String::from_utf8_lossy(text).trim().to_owned();
                    let parts = text.rsplit('/').filter(|part| !part.is_empty());
                    parts.take(3).map(str::to_owned).collect::<Vec<String>>()
                };
                let by_hand = path.file_stem().is_some_and(|stem| stem == "cspuzcore-slither-4x4");
                assert_eq!(tail(&written) != tail(&original), by_hand, "{path:?}");
            }
        }
    }
}

/// Random boards with every clue that a kind has.
#[test]
fn random_boards_survive_every_format() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut refused = 0;
    for _ in 0..1500 {
        for kind in KINDS {
            let palette: &[Clue] = match kind.name() {
                "masyu" => &[Clue::White, Clue::Black, Clue::Unknown],
                "hitori" => {
                    &[Clue::Number(0), Clue::Number(7), Clue::Number(61), Clue::Number(1295)]
                }
                _ => &[Clue::Number(0), Clue::Number(1), Clue::Number(4), Clue::Unknown],
            };
            // Boards without rare clues must be common.
            let palette = &palette[..random.usize(1..=palette.len())];
            let (rows, cols) = (random.u32(1..9), random.u32(1..40));
            let density = random.u32(0..=10);
            let mut clues = Clues::blank(rows, cols);
            clues.full = kind.name() != "hitori" && random.u8(..4) == 0;
            for cell in &mut clues.cells {
                if random.u32(0..10) < density {
                    *cell = *random.choice(palette).expect("a clue");
                }
            }
            refused += EXPORTERS.len() - round_trip(*kind, &clues);
        }
    }
    assert!(refused > 100, "only {refused} refusals");
}
