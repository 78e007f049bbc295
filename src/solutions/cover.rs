//! Reads streams of solutions as sets of options, with the text that they came in.
//!
//! A stream is read a line at a time, and only the solution at hand is kept: `filter` hands on what
//! passes, `check` verifies it. [`read`](super::read) reads the same formats for pictures, which want
//! colors and need no options.

use std::io::{BufRead, BufReader, Read};
use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::dlx::is_blank;
use crate::ids::{Color, OptionId};
use crate::names::{Coord, Role, Width};
use crate::problem::{Entry, Problem};
use crate::solutions::catalog::Catalog;

/// The form of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// `7:`, then a line for each option.
    #[default]
    Knuth,
    /// Option numbers on a line.
    Numbers,
    /// A JSON object.
    Json,
    /// The JSON object that ends a stream.
    JsonEnd,
    /// `7: 00 02 ...`
    Tour,
}

/// One option of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Which it is.
    pub option: OptionId,
    /// Its line in the stream.
    pub line: u64,
    /// Where it stands in [`Cover::text`].
    pub span: Range<usize>,
}

/// One record of a stream.
#[derive(Clone, Debug, Default)]
pub struct Cover {
    /// What it looks like.
    pub form: Form,
    /// Its number as the stream gives it, or how many there were where it gives none; of
    /// [`Form::JsonEnd`] the number of solutions.
    pub number: u64,
    /// Its first line.
    pub line: u64,
    /// The options, in the order of the stream.
    pub options: Vec<Listed>,
    /// The vertices of a tour, with their places in `text`.
    pub tour: Vec<(Coord, Range<usize>)>,
    /// All its lines, each with its newline.
    pub text: Vec<u8>,
    /// Where `text` has the number.
    number_at: Range<usize>,
}

impl Cover {
    /// Complains about the bytes `span` of the record's text.
    pub fn complain(&self, span: Range<usize>, what: impl Into<String>) -> Diagnostic {
        let before = &self.text[..span.start.min(self.text.len())];
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let line = self.line + memchr::memchr_iter(b'\n', before).count() as u64;
        let rest = &self.text[start..];
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        Diagnostic::new(line, &rest[..end], span.start - start..span.end - start, what)
    }

    /// Complains about the record as a whole, at its head.
    pub fn complain_at_head(&self, what: impl Into<String>) -> Diagnostic {
        let end = memchr::memchr(b'\n', &self.text).unwrap_or(self.text.len());
        let head = if self.number_at.end > 0 { self.number_at.clone() } else { 0..end };
        self.complain(head, what)
    }

    /// Appends the record with another number, and otherwise as it came.
    pub fn write(&self, number: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.text[..self.number_at.start]);
        if self.number_at.end > 0 {
            out.extend_from_slice(number.to_string().as_bytes());
        }
        out.extend_from_slice(&self.text[self.number_at.end..]);
    }
}

/// Why a stream could not be read.
#[derive(Debug)]
pub enum CoverError {
    /// The bytes could not be had.
    Io(std::io::Error),
    /// They are no stream of solutions.
    Syntax(Box<Diagnostic>),
    /// They are, but of another problem: this one has no such option.
    Foreign(Box<Diagnostic>),
}

impl From<std::io::Error> for CoverError {
    fn from(error: std::io::Error) -> Self {
        CoverError::Io(error)
    }
}

fn syntax(diagnostic: Diagnostic) -> CoverError {
    CoverError::Syntax(Box::new(diagnostic))
}

fn foreign(diagnostic: Diagnostic) -> CoverError {
    CoverError::Foreign(Box::new(diagnostic))
}

/// Reads covers from a stream.
#[derive(Debug)]
pub struct Covers<'c, 'p, R> {
    input: R,
    catalog: &'c Catalog<'p>,
    /// The width of the vertices of tours.
    width: Option<Width>,
    /// The line that was read last, and its number.
    ahead: Vec<u8>,
    line: u64,
    /// Whether `ahead` has not been taken yet.
    full: bool,
    /// Records so far, [`Form::JsonEnd`] aside.
    count: u64,
    entries: Vec<Entry>,
}

impl<S: Read> Covers<'_, '_, BufReader<S>> {
    /// Whether the next solution may have to be waited for: no whole line is at hand.
    pub fn may_wait(&self) -> bool {
        memchr::memchr(b'\n', self.input.buffer()).is_none()
    }
}

impl<'c, 'p, R: BufRead> Covers<'c, 'p, R> {
    /// Reads `input`, solutions of the problem of `catalog`. Tours have coordinates of this width.
    pub fn new(input: R, catalog: &'c Catalog<'p>, width: Option<Width>) -> Self {
        Covers {
            input,
            catalog,
            width,
            ahead: Vec::new(),
            line: 0,
            full: false,
            count: 0,
            entries: Vec::new(),
        }
    }

    /// Makes the next line that is not blank stand in `ahead`; false at the end.
    fn look_ahead(&mut self) -> Result<bool, CoverError> {
        while !self.full {
            self.ahead.clear();
            if self.input.read_until(b'\n', &mut self.ahead)? == 0 {
                return Ok(false);
            }
            self.line += 1;
            if self.ahead.last() != Some(&b'\n') {
                self.ahead.push(b'\n');
            }
            self.full = !self.ahead.iter().all(|&byte| is_blank(byte));
        }
        Ok(true)
    }

    /// Reads the next record into `cover`; false if there is none.
    pub fn next_cover(&mut self, cover: &mut Cover) -> Result<bool, CoverError> {
        if !self.look_ahead()? {
            return Ok(false);
        }
        self.full = false;
        cover.line = self.line;
        cover.options.clear();
        cover.tour.clear();
        cover.number_at = 0..0;
        cover.text.clear();
        cover.text.extend_from_slice(&self.ahead);
        match cover.text[0] {
            b'{' => self.json(cover)?,
            b'0'..=b'9' => match memchr::memchr(b':', &cover.text) {
                Some(colon) => self.headed(cover, colon)?,
                None => self.numbers(cover)?,
            },
            _ => {
                let fault = cover.complain(0..1, "no solution");
                return Err(syntax(
                    fault.expected("`1:`, a tour, option numbers, or a JSON object"),
                ));
            }
        }
        self.count += u64::from(cover.form != Form::JsonEnd);
        Ok(true)
    }

    /// `7:` begins a solution in Knuth's format, `7: 00 02 ...` is a tour. DLX5 writes a cost.
    fn headed(&mut self, cover: &mut Cover, colon: usize) -> Result<(), CoverError> {
        cover.number = number(cover, 0..colon)?;
        cover.number_at = 0..colon;
        let rest = cover.text[colon + 1..].trim_ascii();
        if !rest.is_empty() && !rest.starts_with(b"(total cost") {
            cover.form = Form::Tour;
            return self.tour(cover, colon + 1);
        }
        cover.form = Form::Knuth;
        while self.look_ahead()? && is_blank(self.ahead[0]) {
            self.full = false;
            let start = cover.text.len();
            cover.text.extend_from_slice(&self.ahead);
            self.option(cover, start)?;
        }
        Ok(())
    }

    /// The line of an option, which begins at `start`.
    fn option(&mut self, cover: &mut Cover, start: usize) -> Result<(), CoverError> {
        let problem = self.catalog.problem;
        let mut words: Vec<Range<usize>> = words(&cover.text, start).collect();
        strip_ranks(&cover.text, &mut words);
        if problem.has_bounds() && is_null(problem, &cover.text, &words) {
            return Ok(());
        }
        self.entries.clear();
        for span in &words {
            let word = &cover.text[span.clone()];
            let end = memchr::memchr(b':', word).unwrap_or(word.len());
            let Some(item) = problem.find(&word[..end]) else {
                let what = format!("unknown item name `{}`", String::from_utf8_lossy(&word[..end]));
                let fault = cover.complain(span.start..span.start + end, what);
                return Err(foreign(fault.expected("an item of the problem")));
            };
            let color = match word.get(end + 1..) {
                None => Some(Color::NONE),
                Some(text) => problem.find_color(text),
            };
            let Some(color) = color else {
                let what = "no option has this color";
                let fault = cover.complain(span.start + end + 1..span.end, what);
                return Err(foreign(fault.expected("a color of the problem")));
            };
            self.entries.push(Entry { item, color });
        }
        let span = match (words.first(), words.last()) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => start..start,
        };
        self.entries.sort_unstable();
        let Some(option) = self.catalog.find(&self.entries) else {
            let fault = cover.complain(span, "the problem has no option with exactly these items");
            return Err(foreign(fault.expected("an option of the problem")));
        };
        cover.options.push(Listed { option, line: self.line, span });
        Ok(())
    }

    fn numbers(&mut self, cover: &mut Cover) -> Result<(), CoverError> {
        cover.form = Form::Numbers;
        cover.number = self.count + 1;
        let mut spans: Vec<Range<usize>> = words(&cover.text, 0).collect();
        strip_cost(&cover.text, &mut spans);
        for span in spans {
            let option = number(cover, span.clone())?;
            self.add_option(cover, option, span)?;
        }
        Ok(())
    }

    fn json(&mut self, cover: &mut Cover) -> Result<(), CoverError> {
        cover.form = Form::Json;
        let value: serde_json::Value = serde_json::from_slice(&cover.text).map_err(|error| {
            let at = error.column().saturating_sub(1).min(cover.text.len() - 1);
            syntax(cover.complain(at..at + 1, "this is not JSON").expected("a JSON object"))
        })?;
        if value["v"].as_u64() != Some(1) {
            return Err(bad_json(cover, "unknown version"));
        }
        if !value["complete"].is_null() {
            let solutions = value["solutions"].as_str().and_then(|text| text.parse().ok());
            cover.number = solutions.ok_or_else(|| bad_json(cover, "no number of solutions"))?;
            cover.form = Form::JsonEnd;
            let at = member(&cover.text, b"solutions")
                .ok_or_else(|| bad_json(cover, "no `solutions`"))?;
            cover.number_at = at.start + 1..at.end - 1;
            return Ok(());
        }
        let (Some(number), Some(options)) = (value["n"].as_u64(), value["options"].as_array())
        else {
            return Err(bad_json(cover, "no solution"));
        };
        cover.number_at = member(&cover.text, b"n").ok_or_else(|| bad_json(cover, "no `n`"))?;
        cover.number = number;
        let numbers: Option<Vec<u64>> = options.iter().map(serde_json::Value::as_u64).collect();
        let numbers = numbers.ok_or_else(|| bad_json(cover, "no option number"))?;
        for option in numbers {
            let all = 0..cover.text.len() - 1;
            self.add_option(cover, option, all)?;
        }
        Ok(())
    }

    /// Adds option `number`, from 1.
    fn add_option(
        &self,
        cover: &mut Cover,
        number: u64,
        span: Range<usize>,
    ) -> Result<(), CoverError> {
        let options = self.catalog.problem.options() as u64;
        let Some(option) = number.checked_sub(1).filter(|&index| index < options) else {
            let fault = cover.complain(span, format!("there is no option {number}"));
            return Err(foreign(fault.expected(format!("a number from 1 to {options}"))));
        };
        let option = OptionId::new(option as u32);
        cover.options.push(Listed { option, line: self.line, span });
        Ok(())
    }

    fn tour(&mut self, cover: &mut Cover, from: usize) -> Result<(), CoverError> {
        let spans: Vec<Range<usize>> = words(&cover.text, from).collect();
        for span in spans {
            let name = &cover.text[span.clone()];
            let width = self.width.or_else(|| Width::new(name.len() / 2));
            let at = width.and_then(|width| width.decode(name));
            let Some(at) = at.filter(|at| at.role() == Role::Vertex) else {
                let fault = cover.complain(span, "no vertex");
                return Err(syntax(fault.expected("a vertex such as `00`")));
            };
            cover.tour.push((at, span));
        }
        Ok(())
    }
}

fn bad_json(cover: &Cover, what: &str) -> CoverError {
    let fault = cover.complain(0..1, what);
    syntax(fault.expected("`v` 1, `n`, and `options`, an array of numbers"))
}

fn number(cover: &Cover, at: Range<usize>) -> Result<u64, CoverError> {
    let digits = std::str::from_utf8(&cover.text[at.clone()]).ok();
    let number = digits.and_then(|digits| digits.parse().ok());
    number.ok_or_else(|| syntax(cover.complain(at, "no number").expected("a decimal number")))
}

/// The words of `text` from `from` on, with their places.
pub(crate) fn words(text: &[u8], from: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = from;
    std::iter::from_fn(move || {
        while text.get(at).is_some_and(|&byte| is_blank(byte)) {
            at += 1;
        }
        let start = at;
        while text.get(at).is_some_and(|&byte| !is_blank(byte)) {
            at += 1;
        }
        (at > start).then_some(start..at)
    })
}

/// Takes off a last ` $7`, the cost.
pub(super) fn strip_cost(text: &[u8], words: &mut Vec<Range<usize>>) {
    let is_cost = |word: &Range<usize>| {
        let digits = text[word.clone()].strip_prefix(b"$");
        digits.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
    };
    if words.len() > 1 && words.last().is_some_and(is_cost) {
        words.pop();
    }
}

/// Takes what does not belong to the option off its end: `(2 of 3)` or `(?)`, and the costs of DLX5.
fn strip_ranks(text: &[u8], words: &mut Vec<Range<usize>>) {
    let digits = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    let word = |words: &[Range<usize>], back: usize| -> &[u8] {
        words.len().checked_sub(back).map_or(&[], |at| &text[words[at].clone()])
    };
    let framed = |word: &[u8], open: &[u8], close: &[u8]| {
        let inner = word.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        inner.is_some_and(digits)
    };
    if framed(word(words, 1), b"[", b"]") || framed(word(words, 1), b"[$", b"]") {
        words.pop();
    }
    if framed(word(words, 1), b"$", b"") {
        words.pop();
    }
    let ranks = framed(word(words, 3), b"(", b"")
        && word(words, 2) == b"of"
        && framed(word(words, 1), b"", b")");
    if ranks {
        words.truncate(words.len() - 3);
    } else if word(words, 1) == b"(?)" {
        words.pop();
    }
}

/// DLX3 prints ` null A` when an item takes no further option.
fn is_null(problem: &Problem, text: &[u8], words: &[Range<usize>]) -> bool {
    let [null, item] = words else { return false };
    &text[null.clone()] == b"null"
        && problem.find(b"null").is_none()
        && problem.find(&text[item.clone()]).is_some()
}

/// Where the value of `key` stands in a JSON object, whose text is right. Of several the last counts.
fn member(text: &[u8], key: &[u8]) -> Option<Range<usize>> {
    let mut depth = 0;
    let mut at = 0;
    // The last string on depth 1, and where a value after its colon begins.
    let mut name = 0..0;
    let mut value = None;
    let mut found = None;
    while at < text.len() {
        match text[at] {
            b'"' => {
                let start = at + 1;
                at = start;
                while text.get(at).is_some_and(|&byte| byte != b'"') {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                if depth == 1 && value.is_none() {
                    name = start..at;
                }
            }
            b'{' | b'[' => depth += 1,
            b':' if depth == 1 && value.is_none() => value = Some(at + 1),
            b',' | b'}' if depth == 1 => {
                if let Some(start) = value.take()
                    && text.get(name.clone()) == Some(key)
                {
                    found = words(&text[..at], start).next().map(|first| first.start..at);
                }
                depth -= i32::from(text[at] == b'}');
            }
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    let Range { start, end } = found?;
    let blanks = text[start..end].iter().rev().take_while(|&&byte| is_blank(byte)).count();
    Some(start..end - blanks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx::parse;

    const TEXT: &[u8] = b"A B | X Y\nA X:0 Y\nB X:0\nA X:0 Y\nB Y:1\n";

    fn read(stream: &[u8]) -> Vec<(Form, u64, Vec<usize>)> {
        let problem = parse::read(TEXT).unwrap().problem;
        let catalog = Catalog::new(&problem);
        let mut covers = Covers::new(stream, &catalog, None);
        let mut cover = Cover::default();
        let mut all = Vec::new();
        while covers.next_cover(&mut cover).unwrap() {
            let options = cover.options.iter().map(|listed| listed.option.index() + 1).collect();
            all.push((cover.form, cover.number, options));
        }
        all
    }

    #[test]
    fn knows_an_option_by_its_entries_in_any_order() {
        let stream = b"7:\n Y A X:0 (1 of 2)\n B X:0\n8: (total cost $3)\n X:0 B (1 of 1) $3 [2]\n";
        let expected = vec![(Form::Knuth, 7, vec![1, 2]), (Form::Knuth, 8, vec![2])];
        assert_eq!(read(stream), expected);
        let problem = parse::read(TEXT).unwrap().problem;
        let catalog = Catalog::new(&problem);
        assert_eq!((catalog.copies(OptionId::new(0)), catalog.copies(OptionId::new(1))), (2, 1));
    }

    #[test]
    fn reads_numbers_and_json() {
        let stream = b"3 2\n{\"v\":1,\"n\":9,\"options\":[1,2]}\n{\"v\":1,\"complete\":true,\"solutions\":\"2\"}";
        let expected = vec![
            (Form::Numbers, 1, vec![3, 2]),
            (Form::Json, 9, vec![1, 2]),
            (Form::JsonEnd, 2, vec![]),
        ];
        assert_eq!(read(stream), expected);
    }

    #[test]
    fn finds_a_member_of_an_object_and_no_other() {
        let text = br#"{ "n":1, "a\"n" : {"n":1}, "x":["n",2], "n" : 34 , "b":":," }"#;
        assert_eq!(member(text, b"n").map(|at| &text[at]), Some(&b"34"[..]));
        assert_eq!(member(text, b"b").map(|at| &text[at]), Some(&b"\":,\""[..]));
        assert_eq!(member(text, b"v"), None);
    }
}
