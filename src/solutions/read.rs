//! Reads streams of solutions, in any format that `solve` or Knuth's programs write.
//!
//! A stream is read a line at a time; only the solution at hand is kept. Each solution comes as what
//! it says about names: which item has which color, or which edges a tour takes.

use std::io::{BufRead, BufReader, Read};

use crate::diagnostic::Diagnostic;
use crate::dlx::is_blank;
use crate::ids::OptionId;
use crate::names::{Coord, Role, Width};
use crate::problem::Problem;
use crate::puzzle::clues::Coloring;
use crate::solutions::cover::words;

/// One solution of a stream.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Its number, as the stream gives it; counted where it gives none.
    pub number: u64,
    /// Its first line, counted from 1.
    pub line: u64,
    /// The colors of points that it tells.
    pub coloring: Coloring,
    /// The places in each of its options; none of a tour.
    pub options: Vec<Vec<Coord>>,
}

/// Why a stream could not be read.
#[derive(Debug)]
pub enum StreamError {
    /// The bytes could not be had.
    Io(std::io::Error),
    /// They are no stream of solutions.
    Syntax(Box<Diagnostic>),
}

impl From<std::io::Error> for StreamError {
    fn from(error: std::io::Error) -> Self {
        StreamError::Io(error)
    }
}

/// Reads records from a stream.
pub struct Records<'p, R> {
    input: R,
    problem: Option<&'p Problem>,
    /// The width of coordinates; of a tour without problem, found from its first vertex.
    width: Option<Width>,
    line: u64,
    count: u64,
    text: Vec<u8>,
    /// A solution in Knuth's format whose options are still coming.
    open: Option<Record>,
    /// Primary items that it has to cover yet. A problem with bounds does not tell.
    missing: usize,
}

impl<S: Read> Records<'_, BufReader<S>> {
    /// Whether the next solution may have to be waited for: no whole line is at hand.
    pub fn may_wait(&self) -> bool {
        memchr::memchr(b'\n', self.input.buffer()).is_none()
    }
}

impl<'p, R: BufRead> Records<'p, R> {
    /// Reads `input`. Without a `problem` only tours can be read.
    pub fn new(input: R, problem: Option<&'p Problem>, width: Option<Width>) -> Self {
        let (line, count) = (0, 0);
        Records { input, problem, width, line, count, text: Vec::new(), open: None, missing: 0 }
    }

    /// The next solution.
    pub fn next_record(&mut self) -> Result<Option<Record>, StreamError> {
        loop {
            self.text.clear();
            let taken = self.input.read_until(b'\n', &mut self.text)?;
            if taken == 0 {
                return Ok(self.open.take());
            }
            self.line += 1;
            while self.text.last().is_some_and(|&byte| is_blank(byte)) {
                self.text.pop();
            }
            let text = std::mem::take(&mut self.text);
            let read = self.take_line(&text);
            self.text = text;
            if let Some(record) = read? {
                return Ok(Some(record));
            }
        }
    }

    fn error(&self, text: &[u8], at: std::ops::Range<usize>, what: &str) -> Diagnostic {
        Diagnostic::new(self.line, text, at, what)
    }

    /// Takes a line; answers with the solution that it completes.
    fn take_line(&mut self, text: &[u8]) -> Result<Option<Record>, StreamError> {
        let Some(&first) = text.first() else { return Ok(None) };
        let fault = match first {
            b' ' if self.open.is_some() => self.option_line(text),
            b'{' => self.json(text),
            b'0'..=b'9' => match memchr::memchr(b':', text) {
                Some(colon) => self.headed(text, colon),
                None => self.numbers(text).map(Some),
            },
            _ => {
                let fault = self.error(text, 0..1, "no solution");
                Err(fault.expected("`1:`, option numbers, or a JSON object"))
            }
        };
        fault.map_err(|diagnostic| StreamError::Syntax(Box::new(diagnostic)))
    }

    /// `7:` begins a solution in Knuth's format, `7: 00 02 ...` is a tour. DLX5 writes a cost.
    fn headed(&mut self, text: &[u8], colon: usize) -> Result<Option<Record>, Diagnostic> {
        let number = self.number(text, 0..colon)?;
        let rest = text[colon + 1..].trim_ascii();
        let finished = self.open.take();
        if rest.is_empty() || rest.starts_with(b"(total cost") {
            self.open = Some(Record { number, line: self.line, ..Record::default() });
            self.missing = self.problem.map_or(0, Problem::primary);
            return Ok(finished);
        }
        let coloring = self.tour(text, colon + 1)?;
        Ok(Some(Record { number, line: self.line, coloring, ..Record::default() }))
    }

    fn number(&self, text: &[u8], at: std::ops::Range<usize>) -> Result<u64, Diagnostic> {
        let digits = std::str::from_utf8(&text[at.clone()]).ok();
        let number = digits.and_then(|digits| digits.parse().ok());
        number.ok_or_else(|| self.error(text, at, "no number").expected("a decimal number"))
    }

    fn tour(&mut self, text: &[u8], from: usize) -> Result<Coloring, Diagnostic> {
        let mut coloring = Coloring::new();
        let mut first: Option<Coord> = None;
        let mut last: Option<Coord> = None;
        for span in words(text, from) {
            let name = &text[span.clone()];
            let width = *self.width.get_or_insert(
                Width::new(name.len() / 2)
                    .ok_or_else(|| self.error(text, span.clone(), "no vertex"))?,
            );
            let here = width.decode(name).filter(|at| at.role() == Role::Vertex);
            let here = here.ok_or_else(|| {
                let what = "no vertex";
                self.error(text, span.clone(), what).expected("a vertex such as `00`")
            })?;
            if let Some(there) = last {
                let (rows, cols) = (here.row.abs_diff(there.row), here.col.abs_diff(there.col));
                if rows + cols != 2 || rows == 1 {
                    let what = "this vertex is no neighbor of the one before";
                    return Err(self.error(text, span, what));
                }
                let middle = Coord::new(
                    here.row.min(there.row) + rows / 2,
                    here.col.min(there.col) + cols / 2,
                );
                coloring.insert(middle, b"1");
            }
            first = first.or(Some(here));
            last = Some(here);
        }
        if first != last {
            let end = text.len();
            let fault = self.error(text, end..end, "the tour does not return to its start");
            return Err(fault.expected("the first vertex once more"));
        }
        Ok(coloring)
    }

    /// An option as `dlx2` prints it: items, then ` (k of n)` or nothing. Answers with the solution as
    /// soon as it is a cover, for whoever watches.
    fn option_line(&mut self, text: &[u8]) -> Result<Option<Record>, Diagnostic> {
        let Some(mut record) = self.open.take() else { return Ok(None) };
        let mut places = Vec::new();
        for span in words(text, 0) {
            let word = &text[span.clone()];
            if word.starts_with(b"(") || word.starts_with(b"$") || word.starts_with(b"[") {
                break;
            }
            let end = memchr::memchr(b':', word).unwrap_or(word.len());
            let item = self.problem.map(|problem| (problem, problem.find(&word[..end])));
            if let Some((_, None)) = item {
                let what = format!("unknown item name `{}`", String::from_utf8_lossy(&word[..end]));
                let fault = self.error(text, span.start..span.start + end, &what);
                return Err(fault.expected("an item of the problem"));
            }
            let at = self.width.and_then(|width| width.decode(&word[..end]));
            places.extend(at);
            if let (Some(at), Some(color)) = (at, word.get(end + 1..)) {
                record.coloring.insert(at, color);
            }
            if let Some((problem, Some(item))) = item {
                self.missing -= usize::from(problem.is_primary(item) && self.missing > 0);
            }
        }
        record.options.push(places);
        if self.missing == 0 && self.problem.is_some_and(|problem| !problem.has_bounds()) {
            return Ok(Some(record));
        }
        self.open = Some(record);
        Ok(None)
    }

    fn numbers(&mut self, text: &[u8]) -> Result<Record, Diagnostic> {
        self.count += 1;
        let mut record = Record { number: self.count, line: self.line, ..Record::default() };
        for span in words(text, 0) {
            let number = self.number(text, span.clone())?;
            self.add_option(number, &mut record).map_err(|what| self.error(text, span, &what))?;
        }
        Ok(record)
    }

    fn json(&mut self, text: &[u8]) -> Result<Option<Record>, Diagnostic> {
        let value: serde_json::Value = serde_json::from_slice(text).map_err(|error| {
            let at = error.column().saturating_sub(1).min(text.len());
            self.error(text, at..at + 1, "this is not JSON").expected("a JSON object")
        })?;
        let bad = |what: &str| {
            self.error(text, 0..1, what).expected("`v` 1, `n`, and `options`, an array of numbers")
        };
        if value["v"].as_u64() != Some(1) {
            return Err(bad("unknown version"));
        }
        if !value["complete"].is_null() {
            return Ok(None);
        }
        let (Some(number), Some(options)) = (value["n"].as_u64(), value["options"].as_array())
        else {
            return Err(bad("no solution"));
        };
        let mut record = Record { number, line: self.line, ..Record::default() };
        for option in options {
            let option = option.as_u64().ok_or_else(|| bad("no option number"))?;
            self.add_option(option, &mut record).map_err(|what| bad(&what))?;
        }
        Ok(Some(record))
    }

    /// Adds option `number`, from 1: its places and their colors.
    fn add_option(&self, number: u64, record: &mut Record) -> Result<(), String> {
        let problem = self.problem.ok_or("option numbers need --problem")?;
        let option = number.checked_sub(1).filter(|&index| index < problem.options() as u64);
        let option = option.ok_or_else(|| format!("there is no option {number}"))?;
        let mut places = Vec::new();
        for entry in problem.option(OptionId::new(option as u32)) {
            let Some(at) = self.width.and_then(|width| width.decode(problem.name(entry.item)))
            else {
                continue;
            };
            places.push(at);
            if !entry.color.is_none() {
                record.coloring.insert(at, problem.color_name(entry.color));
            }
        }
        record.options.push(places);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx::parse;

    /// Gives a text, and panics if more is wanted.
    struct Impatient<'a>(&'a [u8]);

    impl Read for Impatient<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            assert!(!self.0.is_empty(), "nobody has to wait for the next solution");
            self.0.read(buffer)
        }
    }

    #[test]
    fn a_solution_comes_as_soon_as_it_is_a_cover() {
        let problem = parse::read(&b"11 13 31\n11 13\n31\n11\n13 31\n"[..]).unwrap().problem;
        let stream = Impatient(b"1:\n 13 11 (1 of 2)\n 31 (1 of 1)\n");
        let width = Width::new(1);
        let mut records = Records::new(BufReader::new(stream), Some(&problem), width);
        let record = records.next_record().unwrap().unwrap();
        assert_eq!((record.number, record.options.len()), (1, 2));
        assert_eq!(record.options[0], [Coord::new(1, 3), Coord::new(1, 1)]);
        // Bounds do not say when it is enough.
        let problem = parse::read(&b"1:2|11\n11\n11\n"[..]).unwrap().problem;
        let stream = &b"1:\n 11\n 11\n2:\n 11\n"[..];
        let mut records = Records::new(BufReader::new(stream), Some(&problem), width);
        let mut options = || records.next_record().unwrap().map(|record| record.options.len());
        assert_eq!((options(), options(), options()), (Some(2), Some(1), None));
    }
}
