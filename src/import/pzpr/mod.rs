//! URLs of puzz.link, pzv.jp and pzprxs, and the `pzprv3` files of the same editor.
//!
//! ```text
//! https://puzz.link/p?slither/5/5/cbcbcddad
//! ```
//!
//! After the question mark come the genre, a variant `v:...` and a flag if there are any, width,
//! height, and the clues in an encoding that depends on the genre. We read what the site reads, and note
//! what looks like an accident: clues that are missing at the end are blank, what follows the last
//! cell is skipped, and so is a fragment, `#` and what follows. A file has the same in lines, with the **height first**, one token a cell, and then
//! marks of the player, which we skip. `?pzprv3/...` is a whole file with slashes for line ends.
//!
//! Only the flag `f` of loop puzzles is supported: the loop visits every vertex. Other variants have
//! other rules, so we refuse them by name.

pub mod file;
pub(super) mod genre;
pub mod url;

use super::fill::{Source, address, lines};
use super::{Format, Importer, no_such_kind};
use crate::diagnostic::Diagnostic;
use crate::puzzle::clues::Clues;
use crate::puzzle::{self, Kind};
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
        let plain = plain_name(name);
        plain.starts_with(b"pzprv3") || is_genre(plain)
    };
    line.windows(3).any(|three| three == b"://") || line.split(|&byte| byte == b'/').any(begins)
}

/// Whether some parts between slashes are a size, as in `yajilin/10/10/...`, after a name.
pub fn has_size(line: &[u8]) -> bool {
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let parts: Vec<&[u8]> = line.trim_ascii().split(|&byte| byte == b'/').collect();
    let word = |part: &[u8]| part.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_');
    parts.first().is_some_and(|name| !name.is_empty() && !digits(name) && word(name))
        && parts.windows(2).skip(1).any(|two| digits(two[0]) && digits(two[1]))
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

    fn import(
        &self,
        kind: &dyn Kind,
        text: &[u8],
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Clues, Diagnostic> {
        let mut lines = lines(text).filter(|line| !line.text.is_empty()).peekable();
        let first = match lines.peek() {
            Some(&first) => first,
            None => Source::only_line(text)?,
        };
        let Some(genre) = genre::of(kind) else {
            return Err(no_such_kind(kind, &first, "pzpr"));
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
            url::read(genre, line, rest, notes)
        }
    }

    fn kind(&self, text: &[u8]) -> Result<Option<&'static dyn Kind>, Diagnostic> {
        let mut lines = lines(text).filter(|line| !line.text.is_empty());
        let Some(first) = lines.next() else { return Ok(None) };
        let (line, name) = if first.text.contains(&b'/') {
            let rest = query(&first)?;
            // The part after the version, if it is a file.
            let parts = || rest.split(|&byte| byte == b'/');
            let mut after = parts().skip_while(|part| !part.starts_with(b"pzprv3")).skip(1);
            (first, after.next().or(parts().next()).unwrap_or_default().trim_ascii())
        } else {
            let line = match first.text.starts_with(b"v:") {
                true => lines.nth(1),
                false => lines.next(),
            };
            let Some(line) = line else { return Ok(None) };
            (line, line.text)
        };
        let plain = plain_name(name);
        let is = |genre: &&Genre| genre.names.iter().any(|known| known.as_bytes() == plain);
        match GENRES.iter().find(is).and_then(|genre| puzzle::find(genre.kind)) {
            Some(kind) => Ok(Some(kind)),
            None => {
                let start = name.as_ptr() as usize - line.text.as_ptr() as usize;
                Err(foreign(&line, &line.text[start..], name).expected(puzzle::names()))
            }
        }
    }
}

/// The name of a genre without what tells the editor from the player.
fn plain_name(name: &[u8]) -> &[u8] {
    let plain = [&b"_edit"[..], b"_play"].iter().find_map(|end| name.strip_suffix(*end));
    plain.unwrap_or(name)
}

/// The complaint about a genre that is not expected.
fn foreign(line: &Source, rest: &[u8], name: &[u8]) -> Diagnostic {
    let what = match String::from_utf8_lossy(plain_name(name)) {
        shown if shown.is_empty() => "the genre is missing".into(),
        shown => format!("this is a board of genre `{}`", shown.escape_debug()),
    };
    line.complain(rest, name.len(), what)
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
    let plain = plain_name(name);
    let is = |genre: &&Genre| genre.names.iter().any(|known| known.as_bytes() == plain);
    if is(&genre) {
        return Ok(());
    }
    let names: Vec<String> = genre.names.iter().map(|name| format!("`{name}`")).collect();
    let help = GENRES
        .iter()
        .find(is)
        .map(|other| format!("`{}` is of the kind {}", String::from_utf8_lossy(plain), other.kind));
    Err(foreign(line, rest, name).expected(names.join(" or ")).help(help))
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
