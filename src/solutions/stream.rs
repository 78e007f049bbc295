//! Reads streams of solutions, in every format that `solve` or Knuth's programs write.
//!
//! A stream is read a line at a time, and only the solution at hand is kept, with the text that it came in.
//! What is made of it is left to the [`Record`]: the numbers of its options, or colors of places.

use std::io::{BufRead, BufReader, Read};
use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::dlx::{is_blank, words};
use crate::encoding;
use crate::ids::{ItemId, OptionId};
use crate::names::{Role, Width};
use crate::solutions::catalog::Catalog;
use crate::solutions::json::member;
use crate::solutions::line::{self, Line};
use crate::solutions::nulls;
use crate::solutions::record::{Form, Listed, Record};
use crate::solutions::verify::Verifier;

/// Why a stream could not be read.
#[derive(Debug)]
pub enum StreamError {
    /// The bytes could not be had.
    Io(std::io::Error),
    /// They are no stream of solutions, or one that was cut.
    Syntax(Box<Diagnostic>),
    /// They are, but of another problem: this one has no such option.
    Foreign(Box<Diagnostic>),
}

impl From<std::io::Error> for StreamError {
    fn from(error: std::io::Error) -> Self {
        StreamError::Io(error)
    }
}

fn syntax(diagnostic: Diagnostic) -> StreamError {
    StreamError::Syntax(Box::new(diagnostic))
}

fn foreign(diagnostic: Diagnostic) -> StreamError {
    StreamError::Foreign(Box::new(diagnostic))
}

/// Reads records from a stream.
#[derive(Debug)]
pub struct Stream<'c, 'p, R> {
    input: R,
    catalog: Option<&'c Catalog<'p>>,
    /// The width of the vertices of tours; if it is not given, that of the first vertex.
    width: Option<Width>,
    /// A cover has nothing after it.
    trusting: bool,
    /// Whether a cover may have no options.
    may_be_empty: bool,
    /// The line that was read last, and its number.
    ahead: Vec<u8>,
    line: u64,
    /// Whether `ahead` has not been taken yet.
    full: bool,
    /// Whether `ahead` had no newline, so that the stream may have been cut there.
    unterminated: bool,
    /// Whether there are no more lines.
    ended: bool,
    /// Blank lines before the first record that may be solutions.
    blanks: u64,
    /// The form of the record before.
    form: Option<Form>,
    /// Whether a line of an option had a rank.
    ranked: bool,
    /// Whether the record makes no sense, whatever its lines ` null A` mean.
    unfit: bool,
    /// Records so far, [`Form::JsonEnd`] aside.
    count: u64,
}

impl<S: Read> Stream<'_, '_, BufReader<S>> {
    /// Whether the next solution may have to be waited for: no whole line is at hand.
    pub fn may_wait(&self) -> bool {
        memchr::memchr(b'\n', self.input.buffer()).is_none()
    }
}

impl<'c, 'p, R: BufRead> Stream<'c, 'p, R> {
    /// Reads `input`, solutions of the problem of `catalog`; without one only tours can be read. Tours
    /// have coordinates of this width.
    pub fn new(input: R, catalog: Option<&'c Catalog<'p>>, width: Option<Width>) -> Self {
        let may_be_empty = catalog.is_some_and(|Catalog { problem, .. }| {
            (0..problem.primary() as u32).all(|item| problem.bound(ItemId::new(item)).low == 0)
        });
        Stream {
            input,
            catalog,
            width,
            trusting: false,
            may_be_empty,
            ahead: Vec::new(),
            line: 0,
            full: false,
            unterminated: false,
            ended: false,
            blanks: 0,
            form: None,
            ranked: false,
            unfit: false,
            count: 0,
        }
    }

    /// Takes it that every record is a cover. So each is there as soon as it is complete, for whoever
    /// watches, and one that is not complete when the stream ends was cut.
    pub fn trusting(self) -> Self {
        Stream { trusting: true, ..self }
    }

    /// Reads the next record; false if there is none.
    pub fn next_record(&mut self, record: &mut Record) -> Result<bool, StreamError> {
        let before = self.form;
        match self.read_record(record) {
            Ok(true) => {
                self.count += u64::from(record.form != Form::JsonEnd);
                self.form = Some(record.form);
                self.look_for_a_cut(record, before).map_or(Ok(true), |fault| Err(cut(fault)))
            }
            Err(StreamError::Syntax(fault) | StreamError::Foreign(fault))
                if self.unterminated && !self.full =>
            {
                Err(cut(*fault))
            }
            read => read,
        }
    }

    /// Makes the next line that is not skipped stand in `ahead`; false at the end.
    fn look_ahead(&mut self) -> Result<bool, StreamError> {
        while !self.full {
            self.ahead.clear();
            if self.input.read_until(b'\n', &mut self.ahead)? == 0 {
                self.ended = true;
                return Ok(false);
            }
            self.line += 1;
            if self.line == 1 {
                if encoding::is_utf16(&self.ahead) {
                    let fault = Diagnostic::new(1, &self.ahead, 0..0, encoding::UTF16);
                    let help = Some(encoding::CONVERT.into());
                    return Err(syntax(fault.expected(encoding::BYTES).help(help)));
                }
                self.ahead.drain(..encoding::mark(&self.ahead));
            }
            self.unterminated = self.ahead.last() != Some(&b'\n');
            if self.unterminated {
                self.ahead.push(b'\n');
            }
            let is_blank = self.ahead.iter().all(|&byte| is_blank(byte));
            // Among lines of numbers it is a solution without options, if there can be one.
            self.full = !is_blank || self.may_be_empty && self.form == Some(Form::Numbers);
            self.blanks += u64::from(is_blank && self.may_be_empty && self.form.is_none());
        }
        Ok(true)
    }

    fn read_record(&mut self, record: &mut Record) -> Result<bool, StreamError> {
        if self.blanks == 0 {
            self.look_ahead()?;
        }
        if self.blanks > 0 {
            // The first line that is not blank tells what the blank ones before it are.
            if !self.full || is_numbers(&self.ahead) {
                self.blanks -= 1;
                record.begin(self.count + 1, b"\n");
                record.form = Form::Numbers;
                record.number = self.count + 1;
                return Ok(true);
            }
            self.blanks = 0;
        }
        if !self.full {
            return Ok(false);
        }
        self.full = false;
        record.begin(self.line, &self.ahead);
        let colon = memchr::memchr(b':', &record.text);
        match record.text[0] {
            b'{' => self.json(record)?,
            _ if is_numbers(&record.text) => self.numbers(record)?,
            first => match colon {
                Some(colon) if record.text[colon + 1..].starts_with(b" (~") => {
                    let end = record.text.trim_ascii_end().len();
                    let what = "this is a ZDD, one diagram of all solutions";
                    let fault = record.complain(0..end, what);
                    let help =
                        "solve prints a ZDD with --format zdd, and solutions with the others";
                    return Err(syntax(fault.expected(STREAM).help(Some(help.into()))));
                }
                Some(colon) if first.is_ascii_digit() => self.headed(record, colon)?,
                _ if is_blank(first) => {
                    let end = record.text.trim_ascii_end().len();
                    let fault = record.complain(0..end, "this line belongs to no solution");
                    return Err(syntax(fault.expected(STREAM)));
                }
                _ => return Err(syntax(record.complain(0..1, "no solution").expected(STREAM))),
            },
        }
        Ok(true)
    }

    /// `7:` begins a solution in Knuth's format, `7: 00 02 ...` is a tour. DLX5 writes a cost.
    fn headed(&mut self, record: &mut Record, colon: usize) -> Result<(), StreamError> {
        record.number = number(record, 0..colon)?;
        record.number_at = 0..colon;
        let rest = record.text[colon + 1..].trim_ascii();
        if !rest.is_empty() && !rest.starts_with(b"(total cost") {
            record.form = Form::Tour;
            return self.tour(record, colon + 1);
        }
        record.form = Form::Knuth;
        self.form = Some(Form::Knuth);
        self.options(record)
    }

    /// The lines of options.
    fn options(&mut self, record: &mut Record) -> Result<(), StreamError> {
        // Bounds do not say when it is enough.
        let counts = |catalog: &&Catalog<'_>| self.trusting && !catalog.problem.has_bounds();
        let mut missing = self.catalog.filter(counts).map(|catalog| catalog.problem.primary());
        self.unfit = false;
        let (mut doubts, mut nulls) = (Vec::new(), Vec::new());
        while missing != Some(0) && self.look_ahead()? && is_blank(self.ahead[0]) {
            self.full = false;
            let start = record.text.len();
            record.text.extend_from_slice(&self.ahead);
            let Some(catalog) = self.catalog else {
                return Err(foreign(record.complain(start..record.text.len() - 1, NO_PROBLEM)));
            };
            let read = line::read(catalog, &record.text, start, &mut record.entries);
            let read = read.map_err(|line::LineFault { span, what, expected }| {
                foreign(record.complain(span, what).expected(expected))
            })?;
            match read {
                Line::Null(item) => {
                    self.ranked = true;
                    nulls.push(item);
                }
                Line::Option { option, entries, span, ranked, null } => {
                    self.ranked |= ranked;
                    doubts.extend(null.map(|item| (record.options.len(), item)));
                    let items = record.entries[entries.clone()].iter();
                    let primary = items.filter(|entry| catalog.problem.is_primary(entry.item));
                    missing = missing.map(|missing| missing.saturating_sub(primary.count()));
                    record.options.push(Listed { option, span, entries });
                }
            }
        }
        match self.catalog {
            Some(catalog) if !doubts.is_empty() => {
                let fits = nulls::decide(record, &doubts, &nulls, catalog).map_err(|place| {
                    let what =
                        "this line may be an option, or say that the item takes no other one";
                    let help = "--format options and jsonl of solve leave no doubt";
                    let fault = record.complain(record.options[place].span.clone(), what);
                    syntax(fault.help(Some(help.into())))
                })?;
                self.unfit = !fits;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn numbers(&mut self, record: &mut Record) -> Result<(), StreamError> {
        record.form = Form::Numbers;
        record.number = self.count + 1;
        let mut spans: Vec<Range<usize>> = words(&record.text, 0).collect();
        if spans.last().is_some_and(|last| is_cost(&record.text[last.clone()])) {
            spans.pop();
        }
        for span in spans {
            let option = number(record, span.clone())?;
            self.add_option(record, option, span)?;
        }
        Ok(())
    }

    fn json(&mut self, record: &mut Record) -> Result<(), StreamError> {
        record.form = Form::Json;
        let value: serde_json::Value = serde_json::from_slice(&record.text).map_err(|error| {
            let at = error.column().saturating_sub(1).min(record.text.len() - 1);
            syntax(record.complain(at..at + 1, "this is not JSON").expected("a JSON object"))
        })?;
        if value["v"].as_u64() != Some(1) {
            return Err(bad_json(record, "unknown version"));
        }
        if !value["complete"].is_null() {
            let digits = value["solutions"].as_str().unwrap_or_default();
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let at = member(&record.text, b"solutions").filter(|_| is_number);
            let at = at.ok_or_else(|| bad_json(record, "no number of solutions"))?;
            record.number = digits.parse().unwrap_or(u64::MAX);
            record.form = Form::JsonEnd;
            record.number_at = at.start + 1..at.end - 1;
            return Ok(());
        }
        // Where options are named, their numbers are there as well.
        let key = if value["numbers"].is_null() { "options" } else { "numbers" };
        let (Some(number), Some(options)) = (value["n"].as_u64(), value[key].as_array()) else {
            return Err(bad_json(record, "no solution"));
        };
        record.number_at = member(&record.text, b"n").ok_or_else(|| bad_json(record, "no `n`"))?;
        record.number = number;
        let numbers: Option<Vec<u64>> = options.iter().map(serde_json::Value::as_u64).collect();
        let numbers = numbers.ok_or_else(|| bad_json(record, "no option number"))?;
        for option in numbers {
            let all = 0..record.text.len() - 1;
            self.add_option(record, option, all)?;
        }
        Ok(())
    }

    /// Adds option `number`, from 1.
    fn add_option(
        &self,
        record: &mut Record,
        number: u64,
        span: Range<usize>,
    ) -> Result<(), StreamError> {
        let Some(catalog) = self.catalog else {
            return Err(foreign(record.complain(span, NO_PROBLEM)));
        };
        let options = catalog.problem.options() as u64;
        let Some(option) = number.checked_sub(1).filter(|&index| index < options) else {
            let fault = record.complain(span, format!("there is no option {number}"));
            return Err(foreign(fault.expected(format!("a number from 1 to {options}"))));
        };
        let option = Some(OptionId::new(option as u32));
        record.options.push(Listed { option, span, entries: 0..0 });
        Ok(())
    }

    fn tour(&mut self, record: &mut Record, from: usize) -> Result<(), StreamError> {
        let spans: Vec<Range<usize>> = words(&record.text, from).collect();
        for span in spans {
            let name = &record.text[span.clone()];
            self.width = self.width.or_else(|| Width::new(name.len() / 2));
            let at = self.width.and_then(|width| width.decode(name));
            let Some(at) = at.filter(|at| at.role() == Role::Vertex) else {
                let fault = record.complain(span, "no vertex");
                return Err(syntax(fault.expected("a vertex such as `00`")));
            };
            record.tour.push((at, span));
        }
        Ok(())
    }

    /// What is missing of a record, if there is reason to think that the stream was cut: its last line does not
    /// end, or it ends and nobody will look whether a solution is whole.
    fn look_for_a_cut(&self, record: &Record, before: Option<Form>) -> Option<Diagnostic> {
        let unended = self.unterminated && !self.full;
        if unended && record.form == Form::Numbers && before.is_some_and(|form| form != record.form)
        {
            return Some(record.complain_at_head("this line is not whole"));
        }
        let trusted = self.trusting && self.ended && record.form == Form::Knuth;
        match record.form {
            Form::Json | Form::JsonEnd => return None,
            Form::Tour => {
                let closed = record.tour.len() > 1 && record.tour[0].0 == record.tour.last()?.0;
                let what = "the tour does not end where it started";
                return (unended && !closed).then(|| record.complain_at_head(what));
            }
            Form::Numbers if !unended => return None,
            Form::Knuth if !unended && !trusted => return None,
            Form::Numbers => {}
            Form::Knuth => {
                let end = record.text.len() - 1;
                let start = memchr::memrchr(b'\n', &record.text[..end]).map_or(end, |at| at + 1);
                let unranked = unended && !line::is_ranked(&record.text[start..]);
                let known = record.options.iter().take_while(|one| one.option.is_some()).count();
                let unknown = unended && known + 1 == record.options.len();
                // The lines of one program all have ranks, or none has. A stream of a reduced file has more
                // than one option that the file itself does not have.
                if unranked && self.ranked || unknown {
                    return Some(record.complain(end..end, "this line is not whole"));
                }
            }
        }
        let mut options = Vec::new();
        record.cover(&mut options).ok()?;
        let mut verifier = Verifier::new(self.catalog?.problem);
        let numbers = record.form == Form::Numbers;
        let copies =
            |option| if numbers { 1 } else { self.catalog.map_or(1, |c| c.copies(option)) };
        let fault = verifier.cover(&options, &copies).err()?;
        // A line that was cut may be another option, or other numbers.
        let last = unended && fault.at == options.len().checked_sub(1);
        (last || self.unfit || fault.at.is_none()).then(|| record.complain_at_head(fault.what))
    }
}

/// What was expected of a line outside of a solution.
const STREAM: &str = "`1:`, a tour, option numbers, or a JSON object";

/// What is wrong with an option, or its number, where the problem is not known.
const NO_PROBLEM: &str = "options need --problem; only a tour does without";

/// The fault of a stream whose last solution is not whole.
fn cut(fault: Diagnostic) -> StreamError {
    let what = format!("the stream ends inside of a solution: {}", fault.what);
    syntax(Diagnostic { what, ..fault })
}

fn bad_json(record: &Record, what: &str) -> StreamError {
    let fault = record.complain(0..1, what);
    syntax(fault.expected("`v` 1, `n`, and `options`, an array of numbers"))
}

fn number(record: &Record, at: Range<usize>) -> Result<u64, StreamError> {
    let digits = std::str::from_utf8(&record.text[at.clone()]).ok();
    let number = digits.and_then(|digits| digits.parse().ok());
    number.ok_or_else(|| syntax(record.complain(at, "no number").expected("a decimal number")))
}

/// Whether a line has option numbers, or is blank or has a cost alone, where no solution is open.
fn is_numbers(line: &[u8]) -> bool {
    match line.trim_ascii() {
        [] => true,
        cost @ [b'$', ..] => is_cost(cost),
        _ => line[0].is_ascii_digit() && !line.contains(&b':'),
    }
}

/// Whether a word is `$7`.
fn is_cost(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"$");
    digits.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}
