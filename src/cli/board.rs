//! BOARD on the command line: a file, standard input, or the game ID or URL itself; and the kind of
//! puzzle before it, which may be left out where the board says what it is.

use std::ffi::OsStr;
use std::path::Path;

use crate::cli::args::BoardArgs;
use crate::cli::exit::Failure;
use crate::cli::input;
use crate::cli::message::Messages;
use crate::diagnostic::Diagnostic;
use crate::dlx::parse;
use crate::import::{self, Format};
use crate::puzzle::clues::Clues;
use crate::puzzle::{self, Kind};

/// What messages call a board that was typed.
const TYPED: &str = "<argument>";

/// A board that the flags name.
pub struct Read {
    /// Its kind.
    pub kind: &'static dyn Kind,
    /// Its clues.
    pub clues: Clues,
    /// What messages call it.
    pub name: String,
}

/// Reads it; warns of what is odd about it.
pub fn read(flags: &BoardArgs, messages: &Messages) -> Result<Read, Failure> {
    let (kind, board) = asked(flags)?;
    if kind.is_none() && board.is_none() {
        return Err(Failure::Usage(format!("which kind of puzzle? expected {}", puzzle::names())));
    }
    let (name, text) = text(kind, board, flags.from)?;
    match interpret(kind, &text, flags.from) {
        Ok((kind, board)) => {
            for note in &board.notes {
                messages.warning(&name, note.line, &note.what);
            }
            Ok(Read { kind, clues: board.clues, name })
        }
        Err(mut diagnostic) => {
            if name == TYPED && flags.from.is_some() && diagnostic.help.is_none() {
                diagnostic.help = Some("there is no file of this name".into());
            }
            Err(Failure::Input { name, diagnostic: Box::new(diagnostic) })
        }
    }
}

/// Reads a board of this kind, or of the kind that the text names.
pub fn interpret(
    kind: Option<&'static dyn Kind>,
    text: &[u8],
    format: Option<Format>,
) -> Result<(&'static dyn Kind, import::Imported), Diagnostic> {
    let read = || {
        let kind = kind.map_or_else(|| import::kind(text, format), Ok)?;
        Ok((kind, import::import(kind, text, format)?))
    };
    read().map_err(|mut diagnostic: Diagnostic| {
        if diagnostic.help.is_none() && is_problem(text) {
            let what =
                "it is a .dlx file; `quadrille solve` solves it, `quadrille draw` draws solutions";
            diagnostic.help = Some(what.into());
        }
        diagnostic
    })
}

/// Whether the text is a .dlx file, and not a grid that can be read as one.
fn is_problem(text: &[u8]) -> bool {
    parse::read(text).is_ok_and(|dlx| dlx.problem.items() > 1)
}

/// The kind and the board that the flags name. A single word that is no kind is a board.
pub fn asked(flags: &BoardArgs) -> Result<(Option<&'static dyn Kind>, Option<&OsStr>), Failure> {
    let known = flags.kind.as_deref().and_then(OsStr::to_str).and_then(puzzle::find);
    match (&flags.kind, known, flags.board.as_deref()) {
        (None, _, board) | (Some(_), Some(_), board) => Ok((known, board)),
        (Some(word), None, None) => Ok((None, Some(word))),
        (Some(word), None, Some(_)) => {
            let what = format!("`{}` is no kind of puzzle, {}", word.display(), kinds(word));
            Err(Failure::Usage(what))
        }
    }
}

/// The end of a message about a word that is no kind: the kinds, and a guess.
fn kinds(word: &OsStr) -> String {
    let guess = word.to_str().and_then(puzzle::near);
    let guess = guess.map(|near| format!("; did you mean `{near}`?"));
    format!("expected {}{}", puzzle::names(), guess.unwrap_or_default())
}

/// The text of the board and its name. A file that exists wins.
fn text(
    kind: Option<&'static dyn Kind>,
    board: Option<&OsStr>,
    format: Option<Format>,
) -> Result<(String, Vec<u8>), Failure> {
    match board {
        Some(board) if board != "-" && !Path::new(board).exists() => {
            let text = board.as_encoded_bytes().to_vec();
            if matches!(format, None | Some(Format::Pzpr)) && !import::is_typed(&text) {
                let what = match kind {
                    Some(_) => "no such file, and no game ID or URL".into(),
                    None => {
                        format!("no such file, game ID, URL or kind of puzzle; {}", kinds(board))
                    }
                };
                return Err(Failure::Usage(format!("{}: {what}", board.display())));
            }
            Ok((TYPED.into(), text))
        }
        _ => input::read_all(input::open(board.map(Path::new), "a board")?),
    }
}
