//! Inputs: a file, or standard input under the name `<stdin>`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::Path;

use crate::cli::exit::Failure;
use crate::cli::{files, signals};
use crate::diagnostic::Excerpt;
use crate::dlx::error::ReadError;
use crate::dlx::matrix::{self, Translated};
use crate::dlx::parse::{self, Dlx};
use crate::import::{self, Format};
use crate::unpack::unpacked;

/// What messages call standard input.
pub const STDIN: &str = "<stdin>";

/// What a run does that reads, in words.
const READING: &str = "reading";

/// An input, opened.
pub struct Input {
    /// What messages call it.
    pub name: String,
    /// Its bytes, unpacked if they were compressed.
    pub bytes: Box<dyn Read + Send>,
}

/// Opens `path`, or standard input for `-` and nothing. `what` says what to type if standard input
/// is a terminal.
pub fn open(path: Option<&Path>, what: &str) -> Result<Input, Failure> {
    let (name, bytes): (String, Box<dyn Read + Send>) = match path {
        Some(path) if path != Path::new("-") => {
            let name = path.display().to_string();
            let file = File::open(path).and_then(|file| match file.metadata()?.is_dir() {
                true => Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory")),
                false => Ok(file),
            });
            match file {
                Ok(file) => {
                    files::reads(Some(path));
                    (name, Box::new(file))
                }
                Err(error) => return Err(Failure::Io { name, error }),
            }
        }
        None if io::stdin().is_terminal() => {
            return Err(Failure::Usage(format!(
                "standard input is a terminal; give {what}, or `-` to type it here"
            )));
        }
        _ => {
            files::reads(None);
            (STDIN.into(), Box::new(io::stdin()))
        }
    };
    match signals::during(READING, || unpacked(bytes)) {
        Ok(bytes) => Ok(Input { name, bytes }),
        Err(error) => Err(Failure::Io { name, error }),
    }
}

/// Refuses a command line on which several inputs are standard input.
pub fn only_one_stdin(what: &str, paths: &[Option<&Path>]) -> Result<(), Failure> {
    let dashes = paths.iter().filter(|path| path.is_none_or(|path| path == Path::new("-")));
    match dashes.count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::Usage(format!("{what} cannot both be standard input"))),
    }
}

/// Reads all of an input.
pub fn read_all(mut input: Input) -> Result<(String, Vec<u8>), Failure> {
    let mut bytes = Vec::new();
    match signals::during(READING, || input.bytes.read_to_end(&mut bytes)) {
        Ok(_) => Ok((input.name, bytes)),
        Err(error) => Err(Failure::Io { name: input.name, error }),
    }
}

/// How much of an input is looked at to tell whether it is a `.dlx` file.
const HEAD: u64 = 1 << 20;

/// The same input as `.dlx` text, and what it was before if it was something else.
fn translated(mut input: Input) -> Result<(Input, Option<String>), Failure> {
    let fault = |error| Failure::Io { name: input.name.clone(), error };
    // Two lines that are not blank tell.
    let mut head = Vec::new();
    let mut reader = BufReader::new(input.bytes);
    for _ in 0..2 {
        let mut start = head.len();
        while head[start..].trim_ascii().is_empty() && (head.len() as u64) < HEAD {
            start = head.len();
            let room = HEAD - start as u64;
            if reader.by_ref().take(room).read_until(b'\n', &mut head).map_err(fault)? == 0 {
                break;
            }
        }
    }
    let Some(form) = matrix::recognize(&head) else {
        input.bytes = Box::new(io::Cursor::new(head).chain(reader));
        return Ok((input, None));
    };
    reader.read_to_end(&mut head).map_err(fault)?;
    match matrix::translate(form, &head) {
        Ok(Translated { text, was }) => {
            input.bytes = Box::new(io::Cursor::new(text));
            Ok((input, Some(was)))
        }
        Err(diagnostic) => {
            Err(Failure::Input { name: input.name, diagnostic: Box::new(diagnostic) })
        }
    }
}

/// Reads a `.dlx` file, or a problem that can be turned into one.
pub fn read_dlx(input: Input) -> Result<(String, Dlx), Failure> {
    let (input, made_from) = translated(input)?;
    match signals::during(READING, || parse::read(input.bytes)) {
        Ok(mut dlx) => {
            dlx.notes.made_from = made_from;
            Ok((input.name, dlx))
        }
        Err(ReadError::Io(error)) => Err(Failure::Io { name: input.name, error }),
        Err(ReadError::Syntax(error)) => {
            let mut diagnostic = error.diagnostic;
            if diagnostic.line <= 2 && diagnostic.help.is_none() && is_board(&diagnostic.excerpt) {
                let what = "is it a board? `quadrille puzzle` solves it, `quadrille generate` makes a .dlx file";
                diagnostic.help = Some(what.into());
            }
            Err(Failure::Input { name: input.name, diagnostic: Box::new(diagnostic) })
        }
    }
}

/// A row of fewer cells may well be a name.
const SMALLEST: usize = 3;

/// Whether a line is a single word that looks like the row of a board, a game ID or an address. A word with
/// a bar is more likely an item with bounds than a game ID.
fn is_board(line: &Excerpt) -> bool {
    let word = line.text.trim_ascii();
    let is_row = word.iter().all(|byte| byte.is_ascii_digit() || b".-?WBwb".contains(byte));
    let is_code = !word.contains(&b'|') && import::detect(word) != Format::Text;
    line.mark.len() == word.len()
        && word.len() >= SMALLEST
        && (is_row || is_code && !import::is_grid_line(word))
}
