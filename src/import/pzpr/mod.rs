//! URLs of puzz.link, pzv.jp and pzprxs, and the `pzprv3` files of the same editor.
//!
//! ```text
//! https://puzz.link/p?slither/5/5/cbcbcddad
//! ```
//!
//! After the question mark come the genre, a variant `v:...` and a flag if there are any, width,
//! height, and the clues in an encoding that depends on the genre; clues that are missing at the end
//! are blank. A file has the same in lines, with the **height first**, one token a cell, and then
//! marks of the player, which we skip. `?pzprv3/...` is a whole file with slashes for line ends.
//!
//! Only the flag `f` of loop puzzles is supported: the loop visits every vertex. Other variants have
//! other rules, so we refuse them by name.

pub mod file;
pub(super) mod genre;
pub mod url;

use super::fill::{Source, address, lines};
use super::{Format, Importer};
use crate::diagnostic::Diagnostic;
use crate::puzzle::Puzzle;
use crate::puzzle::clues::Clues;
use genre::{GENRES, Genre};
use nom::branch::alt;
use nom::bytes::complete::{tag, take_until};
use nom::combinator::opt;
use nom::sequence::terminated;
use nom::{IResult, Parser};

/// The importer, see the module.
#[derive(Clone, Copy, Debug)]
pub struct Pzpr;

/// Whether one line of text is an address, or the end of one that begins with the genre, and no grid
/// of clues with slashes between its rows.
pub fn is_address(line: &[u8]) -> bool {
    let begins = |part: &[u8]| {
        let name = part.rsplit(|&byte| byte == b'?').next().unwrap_or(part);
        let plain = [&b"_edit"[..], b"_play"].iter().find_map(|end| name.strip_suffix(*end));
        let plain = plain.unwrap_or(name);
        plain.starts_with(b"pzprv3") || is_genre(plain)
    };
    line.windows(3).any(|three| three == b"://") || line.split(|&byte| byte == b'/').any(begins)
}

/// Whether some genre has this name.
fn is_genre(name: &[u8]) -> bool {
    GENRES.iter().flat_map(|genre| genre.names).any(|known| known.as_bytes() == name)
}

impl Importer for Pzpr {
    fn format(&self) -> Format {
        Format::Pzpr
    }

    fn about(&self) -> &'static str {
        "a URL of puzz.link, pzv.jp or pzprxs, or a pzprv3 file"
    }

    fn recognizes(&self, text: &[u8]) -> bool {
        let mut lines = lines(text).map(|line| line.text).filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or_default();
        // The rows of a hitori could be this header, too. The genre comes after it, and that is hardly as
        // long as a row.
        let is_header = |genre: &[u8]| genre.len() != first.len() || is_genre(genre);
        text.contains(&b'/')
            || first.starts_with(b"v:")
            || first.starts_with(b"pzprv3") && lines.next().is_some_and(is_header)
    }

    fn import(&self, kind: &dyn Puzzle, text: &[u8]) -> Result<Clues, Diagnostic> {
        let mut lines = lines(text).filter(|line| !line.text.is_empty()).peekable();
        let first = match lines.peek() {
            Some(&first) => first,
            None => Source::only_line(text)?,
        };
        let Some(genre) = genre::of(kind) else {
            let what = format!("no genre of this collection is {}", kind.name());
            return Err(first.complain(first.text, 0, what));
        };
        if !first.text.contains(&b'/') {
            return file::read(genre, first, lines);
        }
        let line = Source::only_line(text)?;
        let rest = query(&line)?;
        if rest.starts_with(b"pzprv3") {
            let parts = line.from(rest).parts().filter(|part| !part.text.is_empty());
            file::read(genre, line, parts)
        } else {
            url::read(genre, &line, rest)
        }
    }
}

/// The part of a URL after the question mark, or all of a text that has none.
fn query<'a>(line: &Source<'a>) -> Result<&'a [u8], Diagnostic> {
    let question = terminated(take_until("?"), tag("?"));
    let editor = alt((tag("type=editor&"), tag("type=player&")));
    if let Some(end) = line.text.iter().position(|&byte| byte == b'?') {
        address(line, &line.text[..end])?;
    }
    let parsed: IResult<&[u8], _> = (opt(question), opt(editor)).parse(line.text);
    match parsed {
        Ok((rest, (None, _))) if rest.starts_with(b"http") => {
            let what = "this address holds no board";
            let end = &rest[rest.len()..];
            Err(line.complain(end, 0, what).expected("`?` and the board"))
        }
        Ok((rest, _)) => Ok(rest),
        Err(_) => Ok(line.text),
    }
}

/// Refuses all genres but this one.
fn check_genre(genre: &Genre, line: &Source, rest: &[u8], name: &[u8]) -> Result<(), Diagnostic> {
    let plain = [&b"_edit"[..], b"_play"].iter().find_map(|end| name.strip_suffix(*end));
    let plain = plain.unwrap_or(name);
    let is = |genre: &&Genre| genre.names.iter().any(|known| known.as_bytes() == plain);
    if is(&genre) {
        return Ok(());
    }
    let names: Vec<String> = genre.names.iter().map(|name| format!("`{name}`")).collect();
    let what = match String::from_utf8_lossy(plain) {
        shown if shown.is_empty() => "the genre is missing".into(),
        shown => format!("this is a board of genre `{}`", shown.escape_debug()),
    };
    let help = GENRES
        .iter()
        .find(is)
        .map(|other| format!("`{}` is of the kind {}", String::from_utf8_lossy(plain), other.kind));
    Err(line.complain(rest, name.len(), what).expected(names.join(" or ")).help(help))
}

/// Refuses a variant `v:name`, unless the name is empty.
fn check_variant(line: &Source, rest: &[u8], part: &[u8]) -> Result<(), Diagnostic> {
    match part {
        b"v:" => Ok(()),
        _ => {
            let shown = String::from_utf8_lossy(&part[2..]);
            let what = format!("the variant `{}` has other rules", shown.escape_debug());
            Err(line.complain(rest, part.len(), what).expected("the plain puzzle"))
        }
    }
}

/// Whether a flag is `f`; refuses all others, and `f` where it makes no sense.
fn check_flag(genre: &Genre, line: &Source, rest: &[u8], flag: &[u8]) -> Result<bool, Diagnostic> {
    if genre.full && flag == b"f" {
        return Ok(true);
    }
    let what = format!("the flag `{}` means other rules", flag.escape_ascii());
    let expected =
        if genre.full { "`f` or the size of the board" } else { "the size of the board" };
    Err(line.complain(rest, flag.len(), what).expected(expected))
}

#[cfg(test)]
mod tests;
