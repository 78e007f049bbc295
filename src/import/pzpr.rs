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

use super::fill::{Filling, Source, lines};
use super::{Format, Importer, MOST_CELLS};
use crate::diagnostic::Diagnostic;
use crate::names::digit_value;
use crate::puzzle::Puzzle;
use crate::puzzle::clues::{Clue, Clues};
use nom::branch::alt;
use nom::bytes::complete::{tag, take_until, take_while};
use nom::combinator::opt;
use nom::sequence::terminated;
use nom::{IResult, Parser};

/// The importer, see the module.
#[derive(Clone, Copy, Debug)]
pub struct Pzpr;

/// What differs from genre to genre.
struct Genre {
    kind: &'static str,
    /// The names of the genre in URLs and files; the first is the usual one.
    names: &'static [&'static str],
    /// Whether the flag `f` makes sense.
    full: bool,
    /// Decodes one group of a URL into the board; `None` if it does not begin with one.
    group: for<'a> fn(&'a [u8], &mut Filling) -> Option<&'a [u8]>,
    /// What a group may be.
    groups: &'static str,
    /// Decodes one token of a file.
    token: fn(&[u8]) -> Option<Clue>,
    /// What a token may be.
    tokens: &'static str,
}

static GENRES: &[Genre] = &[
    Genre {
        kind: "hitori",
        names: &["hitori"],
        full: false,
        group: hitori_group,
        groups: "`.`, `%`, 0 to 9, a to z, or `-` and two of these digits",
        token: |token| match token {
            b"." | b"-" => Some(Clue::Blank),
            _ if !token.iter().all(u8::is_ascii_digit) => None,
            _ => std::str::from_utf8(token).ok()?.parse().ok().map(Clue::Number),
        },
        tokens: "`.` or a number",
    },
    Genre {
        kind: "masyu",
        names: &["mashu", "masyu", "pearl"],
        full: true,
        group: mashu_group,
        groups: "0 to 9 or a to q",
        token: |token| match token {
            b"1" => Some(Clue::White),
            b"2" => Some(Clue::Black),
            b"-" => Some(Clue::Unknown),
            b"." => Some(Clue::Blank),
            _ => None,
        },
        tokens: "`.`, `-`, 1 (white) or 2 (black)",
    },
    Genre {
        kind: "slitherlink",
        names: &["slither", "slitherlink"],
        full: true,
        group: slither_group,
        groups: "`.`, 0 to 9, a to e, or g to z",
        token: |token| match token {
            [digit @ b'0'..=b'4'] => Some(Clue::Number(u32::from(digit - b'0'))),
            b"-" => Some(Clue::Unknown),
            b"." => Some(Clue::Blank),
            _ => None,
        },
        tokens: "`.`, `-` or 0 to 4",
    },
];

/// A number of one digit in base 36, or of two after a minus sign.
fn hitori_group<'a>(rest: &'a [u8], board: &mut Filling) -> Option<&'a [u8]> {
    // Base 36 has no upper case.
    let value = |byte: u8| digit_value(byte).filter(|&value| value < 36);
    let (clue, rest) = match *rest {
        [b'.' | b'%' | b'@', ref rest @ ..] => (Clue::Blank, rest),
        [b'-', high, low, ref rest @ ..] => (Clue::Number(36 * value(high)? + value(low)?), rest),
        [digit, ref rest @ ..] => (Clue::Number(value(digit)?), rest),
        [] => return None,
    };
    board.push(clue);
    Some(rest)
}

/// Three cells as a number in base 3. The last group may go beyond the end of the board.
fn mashu_group<'a>(rest: &'a [u8], board: &mut Filling) -> Option<&'a [u8]> {
    let (&byte, rest) = rest.split_first()?;
    let value = digit_value(byte).filter(|&value| value < 27)?;
    for trit in [value / 9, value / 3 % 3, value % 3] {
        board.push([Clue::Blank, Clue::White, Clue::Black][trit as usize]);
    }
    Some(rest)
}

/// A clue with up to two blanks behind it, or a run of blanks.
fn slither_group<'a>(rest: &'a [u8], board: &mut Filling) -> Option<&'a [u8]> {
    let (&byte, rest) = rest.split_first()?;
    let (clue, blanks) = match byte {
        b'.' => (Some(Clue::Unknown), 0),
        b'0'..=b'4' => (Some(Clue::Number(u32::from(byte - b'0'))), 0),
        b'5'..=b'9' => (Some(Clue::Number(u32::from(byte - b'5'))), 1),
        b'a'..=b'e' => (Some(Clue::Number(u32::from(byte - b'a'))), 2),
        b'g'..=b'z' => (None, u32::from(byte - b'g') + 1),
        _ => return None,
    };
    if let Some(clue) = clue {
        board.push(clue);
    }
    // Blanks may run beyond the end of the board.
    board.blanks(blanks);
    Some(rest)
}

/// Whether one line of text is an address, or the end of one that begins with the genre, and no grid
/// of clues with slashes between its rows.
pub fn is_address(line: &[u8]) -> bool {
    let is_genre = |part: &[u8]| {
        let name = part.rsplit(|&byte| byte == b'?').next().unwrap_or(part);
        let plain = [&b"_edit"[..], b"_play"].iter().find_map(|end| name.strip_suffix(*end));
        let plain = plain.unwrap_or(name);
        plain.starts_with(b"pzprv3")
            || GENRES.iter().flat_map(|genre| genre.names).any(|known| known.as_bytes() == plain)
    };
    line.windows(3).any(|three| three == b"://") || line.split(|&byte| byte == b'/').any(is_genre)
}

impl Importer for Pzpr {
    fn format(&self) -> Format {
        Format::Pzpr
    }

    fn about(&self) -> &'static str {
        "a URL of puzz.link, pzv.jp or pzprxs, or a pzprv3 file"
    }

    fn recognizes(&self, text: &[u8]) -> bool {
        let first = lines(text).find(|line| !line.text.is_empty());
        text.contains(&b'/')
            || first.is_some_and(|line| {
                line.text.starts_with(b"pzprv3") || line.text.starts_with(b"v:")
            })
    }

    fn import(&self, kind: &dyn Puzzle, text: &[u8]) -> Result<Clues, Diagnostic> {
        let mut lines = lines(text).filter(|line| !line.text.is_empty()).peekable();
        let first = match lines.peek() {
            Some(&first) => first,
            None => Source::only_line(text)?,
        };
        let Some(genre) = GENRES.iter().find(|genre| genre.kind == kind.name()) else {
            let what = format!("no genre of this collection is {}", kind.name());
            return Err(first.complain(first.text, 0, what));
        };
        if !first.text.contains(&b'/') {
            return file(genre, first, lines);
        }
        let line = Source::only_line(text)?;
        let rest = query(&line)?;
        if rest.starts_with(b"pzprv3") {
            let parts = line.from(rest).parts().filter(|part| !part.text.is_empty());
            file(genre, line, parts)
        } else {
            url(genre, &line, rest)
        }
    }
}

/// The part of a URL after the question mark, or all of a text that has none.
fn query<'a>(line: &Source<'a>) -> Result<&'a [u8], Diagnostic> {
    let question = terminated(take_until("?"), tag("?"));
    let editor = alt((tag("type=editor&"), tag("type=player&")));
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

/// Everything up to the next slash or the end, and what follows the slash.
fn component(rest: &[u8]) -> (&[u8], &[u8]) {
    let slash = opt(tag::<_, _, nom::error::Error<&[u8]>>("/"));
    match terminated(take_while(|byte| byte != b'/'), slash).parse(rest) {
        Ok((after, part)) => (part, after),
        Err(_) => (rest, b""),
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

/// Genre, variant, flag, width, height, clues.
fn url(genre: &Genre, line: &Source, text: &[u8]) -> Result<Clues, Diagnostic> {
    let (name, mut rest) = component(text);
    check_genre(genre, line, text, name)?;
    let (part, after) = component(rest);
    if part.starts_with(b"v:") {
        check_variant(line, rest, part)?;
        rest = after;
    }
    let mut full = false;
    let (part, after) = component(rest);
    if part.first().is_some_and(u8::is_ascii_alphabetic) {
        full = check_flag(genre, line, rest, part)?;
        rest = after;
    }
    let start = rest;
    let (after, cols) = number(line, rest, "the width of the board")?;
    let (after, rows) = number(line, after, "the height of the board")?;
    let length = start.len() - after.len();
    let board = Filling::new(rows, cols).filter(|board| board.size() <= MOST_CELLS);
    let Some(mut board) = board else {
        let what = format!("a board of more than {MOST_CELLS} cells");
        return Err(line.complain(start, length, what).expected("a smaller one"));
    };
    rest = after;
    while !board.is_full() && !matches!(rest, b"" | b"/") {
        match (genre.group)(rest, &mut board) {
            Some(after) => rest = after,
            None => return Err(line.unexpected(rest).expected(genre.groups)),
        }
    }
    match rest {
        b"" | b"/" => Ok(board.finish(full)),
        _ => {
            let what = format!("more than the {} cells of the board", board.size());
            Err(line.complain(rest, usize::MAX, what).expected("the end of the board"))
        }
    }
}

/// A size and the slash after it.
fn number<'a>(
    line: &Source<'_>,
    rest: &'a [u8],
    expected: &str,
) -> Result<(&'a [u8], u32), Diagnostic> {
    let (after, size) = line.size(rest, expected)?;
    match after {
        [] => Ok((after, size)),
        [b'/', after @ ..] => Ok((after, size)),
        _ => Err(line.unexpected(after).expected("`/`")),
    }
}

/// The lines of a file, none of them empty: version, genre, height, width, a flag, rows.
fn file<'a>(
    genre: &Genre,
    first: Source<'a>,
    lines: impl Iterator<Item = Source<'a>>,
) -> Result<Clues, Diagnostic> {
    let mut lines = lines.peekable();
    let mut last = first;
    let mut next = |expected: &str| match lines.next() {
        Some(line) => {
            last = line;
            Ok(line)
        }
        None => {
            let end = &last.text[last.text.len()..];
            Err(last.complain(end, 0, "the file ends too early").expected(expected))
        }
    };
    let mut line = next("`pzprv3`")?;
    if line.text.starts_with(b"v:") {
        check_variant(&line, line.text, line.text)?;
        line = next("`pzprv3`")?;
    }
    if line.text != b"pzprv3" && !line.text.starts_with(b"pzprv3.") {
        return Err(line.complain(line.text, usize::MAX, "no file of pzpr").expected("`pzprv3`"));
    }
    line = next("the genre")?;
    check_genre(genre, &line, line.text, line.text)?;
    let mut size = |expected: &str| {
        let line = next(expected)?;
        match line.size(line.text, expected)? {
            (b"", size) => Ok((line, size)),
            (rest, _) => Err(line.unexpected(rest).expected("the end of the line")),
        }
    };
    let (_, rows) = size("the height of the board")?;
    let (line, cols) = size("the width of the board")?;
    let Some(mut board) = Filling::new(rows, cols) else {
        let what = "the board is larger than coordinates can say";
        return Err(line.complain(line.text, usize::MAX, what));
    };
    let mut line = next("a row")?;
    let mut full = false;
    if line.text.iter().all(u8::is_ascii_alphabetic) {
        full = check_flag(genre, &line, line.text, line.text)?;
        line = next("a row")?;
    }
    row(genre, &line, cols, &mut board)?;
    for _ in 1..rows {
        row(genre, &next("a row")?, cols, &mut board)?;
    }
    Ok(board.finish(full))
}

/// One row of a file: `cols` tokens with blanks between them.
fn row(genre: &Genre, line: &Source, cols: u32, board: &mut Filling) -> Result<(), Diagnostic> {
    let mut rest = line.text;
    for seen in 0..cols {
        if rest.is_empty() {
            let what = format!("a row of {seen} cells, the width is {cols}");
            return Err(line.complain(rest, 0, what).expected(genre.tokens));
        }
        let length = rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let Some(clue) = (genre.token)(&rest[..length]) else {
            let shown = String::from_utf8_lossy(&rest[..length.min(40)]);
            let what = format!("`{}` is no clue", shown.escape_debug());
            return Err(line.complain(rest, length, what).expected(genre.tokens));
        };
        board.push(clue);
        rest = rest[length..].trim_ascii_start();
    }
    match rest {
        [] => Ok(()),
        _ => {
            let what = format!("a row of more than {cols} cells");
            Err(line.complain(rest, usize::MAX, what).expected("the end of the row"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::find;

    fn text(kind: &str, url: &str) -> String {
        let kind = find(kind).unwrap();
        match Pzpr.import(kind, url.as_bytes()) {
            Ok(clues) => String::from_utf8(kind.text(&clues)).unwrap(),
            Err(e) => match e.expected {
                Some(expected) => {
                    format!("{}:{}: {}; expected {expected}", e.line, e.column, e.what)
                }
                None => format!("{}:{}: {}", e.line, e.column, e.what),
            },
        }
    }

    // The example of the slither encoding in pzprjs, whose own checker agrees with the board.
    #[test]
    fn reads_slither_urls_with_all_their_ornaments() {
        let board = "2..1.\n.2..1\n..2..\n3..3.\n.0..3\n";
        for start in [
            "https://puzz.link/p?",
            "http://pzv.jp/p.html?",
            "pzv.jp/p.html?",
            "https://pzprxs.vercel.app/p?type=editor&",
            "\u{feff} https://pzprxs.vercel.app/p.html?type=player&",
            "",
        ] {
            for genre in ["slither", "slitherlink", "slither_edit", "slither_play", "slither/v:"] {
                for end in ["", "/", "\n", " \r\n\n"] {
                    let url = format!("{start}{genre}/5/5/cbcbcddad{end}");
                    assert_eq!(text("slitherlink", &url), board, "{url}");
                }
            }
        }
        // Two encodings of one board, a board that stops early, and an unknown clue.
        assert_eq!(
            text("slitherlink", "slither/4/4/dgdh2c71"),
            text("slitherlink", "slither/4/4/dgdh2c7b")
        );
        assert_eq!(text("slitherlink", "slither/3/2/1."), "1?.\n...\n");
        assert_eq!(text("slitherlink", "slither/2/2"), "..\n..\n");
        assert_eq!(text("slitherlink", "slither/f/3/3/gdk"), ".3.\n...\n...\nvariant: f\n");
    }

    // Boards from the test scripts of pzprjs and, the second of hitori, cspuz_core.
    #[test]
    fn reads_mashu_and_hitori_urls() {
        let mashu = "..0...\n.1..0.\n......\n...1..\n.0....\n......\n";
        for genre in ["mashu", "masyu", "pearl"] {
            assert_eq!(text("masyu", &format!("{genre}/6/6/1063000i3000")), mashu);
        }
        assert_eq!(text("masyu", "mashu/f/2/2/6"), ".1\n..\nvariant: f\n");
        let hitori = "1114\n1423\n3321\n4213\n";
        assert_eq!(text("hitori", "pzv.jp/p.html?hitori/4/4/1114142333214213"), hitori);
        let blanks = "111.45\n.2..45\n3.3.1.\n.2....\n3.3.1.\n";
        assert_eq!(text("hitori", "hitori/6/5/111.45.2..453.3.1..2....3.3.1."), blanks);
        assert_eq!(text("hitori", "hitori/4/1/-6i%@a/"), "234 . . 10\n");
        for (kind, url, complaint) in [
            ("masyu", "mashu/2/2/r", "1:11: illegal character `r`; expected 0 to 9 or a to q"),
            (
                "masyu",
                "mashu/2/2/000",
                "1:13: more than the 4 cells of the board; expected the end of the board",
            ),
            (
                "masyu",
                "slither/2/2/0",
                "1:1: this is a board of genre `slither`; expected `mashu` or `masyu` or `pearl`",
            ),
            (
                "hitori",
                "hitori/f/2/2/1",
                "1:8: the flag `f` means other rules; expected the size of the board",
            ),
            (
                "hitori",
                "hitori/2/2/-1",
                "1:12: illegal character `-`; expected `.`, `%`, 0 to 9, a to z, or `-` and two of these digits",
            ),
            (
                "hitori",
                "hitori/2/2/A",
                "1:12: illegal character `A`; expected `.`, `%`, 0 to 9, a to z, or `-` and two of these digits",
            ),
        ] {
            assert_eq!(text(kind, url), complaint, "{url}");
        }
    }

    // The hitori file is one of pzprjs, with its answer; the masyu file was made by hand.
    #[test]
    fn reads_mashu_and_hitori_files() {
        let file = "pzprv3/hitori/4/4/1 1 1 4 /1 4 2 3 /3 3 2 1 /4 2 1 3 /# + # . /+ + + . /# + # . /+ + + # /";
        assert_eq!(text("hitori", file), "1114\n1423\n3321\n4213\n");
        assert_eq!(text("hitori", "pzprv3\nhitori\n1\n3\n100 . -\n"), "100 . .\n");
        assert_eq!(text("masyu", "pzprv3\nmashu\n2\n3\n1 . 2\n- . .\n0 0\n"), "0.1\n?..\n");
        assert_eq!(
            text("hitori", "pzprv3/hitori/1/1/-1/"),
            "1:19: `-1` is no clue; expected `.` or a number"
        );
    }

    // The first is the file of pzprjs for the board above, answers included.
    #[test]
    fn reads_slither_files() {
        let rows = "2 . . 1 . /. 2 . . 1 /. . 2 . . /3 . . 3 . /. 0 . . 3 /";
        let marks = "0 0 0 0 0 0 /-1 0 1 1 0 1 /";
        let board = "2..1.\n.2..1\n..2..\n3..3.\n.0..3\n";
        for (head, tail) in [("", ""), ("", marks), ("v:/", ""), ("v:/", marks)] {
            for version in ["pzprv3", "pzprv3.1"] {
                let file = format!("{head}{version}/slither/5/5/{rows}{tail}");
                let lines = file.replace('/', "\n");
                assert_eq!(text("slitherlink", &lines), board, "{lines}");
                assert_eq!(text("slitherlink", &lines.replace('\n', "\r\n")), board);
            }
        }
        let url = format!("https://puzz.link/p?pzprv3/slither/5/5/{rows}{marks}");
        assert_eq!(text("slitherlink", &url), board);
        // Height before width, and the flag line.
        let file = "pzprv3\nslither\n1\n2\nf\n- 4\n";
        assert_eq!(text("slitherlink", file), "?4\nvariant: f\n");
    }

    #[test]
    fn says_what_is_wrong_with_a_url() {
        let groups = "`.`, 0 to 9, a to e, or g to z";
        for (url, complaint) in [
            ("slither/2/2/f", format!("1:13: illegal character `f`; expected {groups}")),
            ("slither/2/2/1é", format!("1:14: illegal character `é`; expected {groups}")),
            ("slither/2/2/1/1", format!("1:14: illegal character `/`; expected {groups}")),
            (
                "slither/2/2/gggg4",
                "1:17: more than the 4 cells of the board; expected the end of the board".into(),
            ),
            ("slither/0/2/", "1:9: a size of 0; expected the width of the board".into()),
            (
                "slither/2/",
                "1:11: the text ends too early; expected the height of the board".into(),
            ),
            ("slither/2x/2/", "1:10: illegal character `x`; expected `/`".into()),
            (
                "slither/99999999/99999999/0",
                "1:9: a board of more than 4000000 cells; expected a smaller one".into(),
            ),
            (
                "slither/99999999999/2/0",
                "1:9: the number is too large; expected the width of the board".into(),
            ),
            (
                "slither/v:touch/2/2/",
                "1:9: the variant `touch` has other rules; expected the plain puzzle".into(),
            ),
            (
                "slither/d/2/2/",
                "1:9: the flag `d` means other rules; expected `f` or the size of the board".into(),
            ),
            (
                "https://puzz.link/p?yajilin/2/2/",
                "1:21: this is a board of genre `yajilin`; expected `slither` or `slitherlink`"
                    .into(),
            ),
            (
                "https://puzz.link/",
                "1:19: this address holds no board; expected `?` and the board".into(),
            ),
            ("/2/2/", "1:1: the genre is missing; expected `slither` or `slitherlink`".into()),
        ] {
            assert_eq!(text("slitherlink", url), complaint, "{url}");
        }
    }

    #[test]
    fn says_what_is_wrong_with_a_file() {
        let tokens = "`.`, `-` or 0 to 4";
        for (file, complaint) in [
            ("pzprv3\nslither\n1\n2\n. 5\n", format!("5:3: `5` is no clue; expected {tokens}")),
            (
                "pzprv3\nslither\n1\n2\n.\n",
                format!("5:2: a row of 1 cells, the width is 2; expected {tokens}"),
            ),
            (
                "pzprv3\nslither\n1\n2\n. . .\n",
                "5:5: a row of more than 2 cells; expected the end of the row".into(),
            ),
            ("pzprv3\nslither\n2\n2\n. .\n", "5:4: the file ends too early; expected a row".into()),
            (
                "pzprv3\nslither\n2\n",
                "3:2: the file ends too early; expected the width of the board".into(),
            ),
            ("pzprv3\n", "1:7: the file ends too early; expected the genre".into()),
            ("pzprv2\nslither\n", "1:1: no file of pzpr; expected `pzprv3`".into()),
            (
                "pzprv3\nslither\n9999999\n9999999\n. .\n",
                "4:1: the board is larger than coordinates can say".into(),
            ),
            (
                "pzprv3\nslither\n6999999\n6999999\n. .\n",
                format!("5:4: a row of 2 cells, the width is 6999999; expected {tokens}"),
            ),
            (
                "v:x\npzprv3\n",
                "1:1: the variant `x` has other rules; expected the plain puzzle".into(),
            ),
            (
                "p?pzprv3/slither/1/1/x/",
                "1:22: the flag `x` means other rules; expected `f` or the size of the board"
                    .into(),
            ),
        ] {
            assert_eq!(text("slitherlink", file), complaint, "{file}");
        }
    }
}
