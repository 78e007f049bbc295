//! BOARD on the command line: a file, standard input, or the game ID or URL itself.

use std::path::Path;

use crate::cli::args::Board;
use crate::cli::exit::Failure;
use crate::cli::input;
use crate::import::{self, Format};
use crate::puzzle::clues::Clues;
use crate::puzzle::{self, KINDS, Puzzle};

/// What messages call a board that was typed.
const TYPED: &str = "<argument>";

/// The kind and the clues that the flags name.
pub fn read(flags: &Board) -> Result<(&'static dyn Puzzle, Clues), Failure> {
    let (kind, clues, _) = read_named(flags)?;
    Ok((kind, clues))
}

/// The same, and what messages call the board.
pub fn read_named(flags: &Board) -> Result<(&'static dyn Puzzle, Clues, String), Failure> {
    let kind = kind(flags)?;
    let (name, text) = text(flags)?;
    match import::import(kind, &text, flags.from) {
        Ok(clues) => Ok((kind, clues, name)),
        Err(diagnostic) => Err(Failure::Input { name, diagnostic: Box::new(diagnostic) }),
    }
}

/// The kind that the flags name.
pub fn kind(flags: &Board) -> Result<&'static dyn Puzzle, Failure> {
    flags.kind.and_then(puzzle::find).ok_or_else(|| {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name()).collect();
        Failure::Usage(format!("which kind of puzzle? expected {}", names.join(", ")))
    })
}

/// The text of the board and its name. A file that exists wins.
fn text(flags: &Board) -> Result<(String, Vec<u8>), Failure> {
    let path = flags.board.as_deref().map(Path::new);
    match &flags.board {
        Some(board) if board != "-" && !Path::new(board).exists() => {
            let text = board.as_encoded_bytes().to_vec();
            if flags.from.is_none() && import::detect(&text) == Format::Text {
                let what = "no such file, and no game ID or URL";
                return Err(Failure::Usage(format!("{}: {what}", board.display())));
            }
            Ok((TYPED.into(), text))
        }
        _ => input::read_all(input::open(path, "a board")?),
    }
}
