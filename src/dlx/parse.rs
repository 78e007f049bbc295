//! Reads a `.dlx` file into a [`Problem`].
//!
//! The input streams through one buffer that holds a piece of it and always whole lines; nothing is
//! allocated per token. Options take a quick way (`plain`) unless there is something odd about them.
//! Every other line is looked at once: memchr finds its end, a table of byte classes the ends of its
//! tokens, a hash table the items. What has a grammar of its own, bounds and costs, is left to nom.

mod plain;
mod token;

use std::io::{self, Read};
use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::dlx::error::{Fault, ReadError, SyntaxError, color_fault, name_fault};
use crate::dlx::parse::token::{CLASS, bound, cost, origin, skip_blanks, token_end};
use crate::encoding;
use crate::ids::{Color, ItemId};
use crate::problem::{Bound, MAX_NODES, Problem, ProblemBuilder, Refusal};

/// Bytes that are asked of the input at a time.
const PIECE: usize = 1 << 16;

/// Bytes of the item-name line that are kept for messages.
const ITEM_TEXT: usize = 1 << 20;

/// A `.dlx` file, read.
#[derive(Debug)]
pub struct Dlx {
    /// What it says.
    pub problem: Problem,
    /// What is odd about how it says it.
    pub notes: Notes,
    /// The comment lines before the item-name line, each with its bar and a newline.
    pub header: Vec<u8>,
    /// By option the number `n` of a comment `| (from n)` after it, 0 if there is none; options after
    /// the last such comment have no place here.
    pub origins: Vec<u64>,
}

/// What a reader noticed that a [`Problem`] does not tell. Lines are counted from 1; 0 is "none".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Lines of the file.
    pub lines: u64,
    /// Comment lines.
    pub comments: u64,
    /// Line of the item names.
    pub item_line: u64,
    /// The item names as they stand there, for messages; of a very long line its beginning.
    pub item_text: Vec<u8>,
    /// Options without a primary item; they were dropped.
    pub dropped: u64,
    /// Lines of the first few of them.
    pub dropped_lines: Vec<u64>,
    /// The file does not end in a newline: Knuth's programs refuse it.
    pub unterminated: bool,
    /// Item names of more than eight bytes, which Knuth's programs refuse.
    pub long_names: u64,
    /// First line with a color of more than one byte, which Knuth's programs refuse.
    pub wide_color_line: u64,
    /// A bar after which no item follows: SSXCC then gives a wrong answer.
    pub trailing_bar: bool,
    /// The item-name line states bounds: only DLX3 and SSMCC read it.
    pub bounds: bool,
    /// First line that states a cost: only DLX5 reads it.
    pub cost_line: u64,
    /// The cost there.
    pub first_cost: Place,
    /// Length of the longest line in bytes, its newline included.
    pub longest_line: u64,
    /// Lines that end in a carriage return.
    pub carriage_returns: u64,
    /// The file begins with a byte order mark, which is skipped. Knuth's programs take it for a part of the
    /// first name.
    pub mark: bool,
    /// Options name the first item with the mark.
    pub marked_name: bool,
    /// What the text was made from, if it is no `.dlx` file (`dlx::matrix`).
    pub made_from: Option<String>,
}

/// A place that somebody may complain about later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place(Diagnostic);

impl Default for Place {
    fn default() -> Self {
        Place(Diagnostic::new(1, b"", 0..0, ""))
    }
}

impl Place {
    /// Complains about it.
    pub fn complain(&self, what: impl Into<String>) -> Diagnostic {
        Diagnostic { what: what.into(), ..self.0.clone() }
    }
}

/// How many dropped options are remembered by line.
const DROPPED_LINES: usize = 5;

impl Problem {
    /// The problem of a `.dlx` text.
    ///
    /// # Errors
    ///
    /// The text is no such file; the error says where, and what was expected.
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Problem, ReadError> {
        read(text.as_ref()).map(|dlx| dlx.problem)
    }
}

/// Reads `input` to its end.
pub fn read(input: impl Read) -> Result<Dlx, ReadError> {
    read_with_room(input, MAX_NODES)
}

/// Reads `input`, but no more than `room` nodes ([`ProblemBuilder::with_room`]).
pub fn read_with_room(input: impl Read, room: u64) -> Result<Dlx, ReadError> {
    read_all(input, Reader::new(room))
}

fn read_all(mut input: impl Read, mut reader: Reader) -> Result<Dlx, ReadError> {
    let mut buffer = vec![0; PIECE];
    let mut filled = 0;
    let mut batch = plain::LineBatch::default();
    loop {
        let ended = fill(&mut input, &mut buffer, &mut filled)?;
        let text = &buffer[..filled];
        if reader.notes.lines == 0 && encoding::is_utf16(text) {
            reader.notes.lines = 1;
            let line = memchr::memchr(b'\n', text).map_or(text, |end| &text[..end]);
            return Err(reader.error(Fault::Utf16, line, 0..0).into());
        }
        let mut start = 0;
        loop {
            if reader.has_items && reader.quick {
                start += reader.plain_options(&text[start..], &mut batch);
            }
            let Some(length) = memchr::memchr(b'\n', &text[start..]) else { break };
            reader.line(&text[start..start + length], true)?;
            start += length + 1;
        }
        if ended {
            if start < filled {
                reader.line(&text[start..], false)?;
            }
            return reader.finish();
        }
        buffer.copy_within(start..filled, 0);
        filled -= start;
        if filled > buffer.len() / 2 {
            // The beginning of a long line, which is looked at anew: so there shall be more of it.
            buffer.resize(2 * buffer.len(), 0);
        }
    }
}

/// Fills the buffer up; tells whether the input has ended.
fn fill(input: &mut impl Read, buffer: &mut [u8], filled: &mut usize) -> io::Result<bool> {
    while *filled < buffer.len() {
        match input.read(&mut buffer[*filled..]) {
            Ok(0) => return Ok(true),
            Ok(more) => *filled += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

struct Reader {
    builder: ProblemBuilder,
    notes: Notes,
    header: Vec<u8>,
    origins: Vec<u64>,
    has_items: bool,
    /// Whether options may take the quick way.
    quick: bool,
    /// Colors of one byte, by that byte; [`Color::NONE`] where the byte was not seen yet.
    byte_colors: [Color; 256],
}

impl Reader {
    fn new(room: u64) -> Self {
        Reader {
            builder: ProblemBuilder::with_room(room),
            notes: Notes::default(),
            header: Vec::new(),
            origins: Vec::new(),
            has_items: false,
            quick: true,
            byte_colors: [Color::NONE; 256],
        }
    }

    /// Takes one line without its newline.
    fn line(&mut self, line: &[u8], terminated: bool) -> Result<(), Box<SyntaxError>> {
        self.notes.lines += 1;
        self.notes.unterminated = !terminated;
        self.notes.longest_line = self.notes.longest_line.max(line.len() as u64 + 1);
        self.notes.carriage_returns += u64::from(line.last() == Some(&b'\r'));
        let mark = if self.notes.lines == 1 { encoding::mark(line) } else { 0 };
        self.notes.mark |= mark > 0;
        let start = skip_blanks(line, mark);
        match line.get(start) {
            None => Ok(()),
            Some(b'|') => self.comment(line, start),
            Some(_) if self.has_items => self.option(line, start),
            Some(_) => self.items(line, start),
        }
    }

    fn comment(&mut self, line: &[u8], start: usize) -> Result<(), Box<SyntaxError>> {
        if let Some(at) = memchr::memchr(0, line) {
            return Err(self.error(Fault::NulByte, line, at..at + 1));
        }
        self.notes.comments += 1;
        if !self.has_items {
            self.header.extend_from_slice(&line[start..]);
            self.header.push(b'\n');
        } else if let (Some(number), Some(last)) =
            (origin(&line[start..]), self.builder.problem().options().checked_sub(1))
        {
            self.origins.resize(last + 1, 0);
            self.origins[last] = number;
        }
        Ok(())
    }

    fn items(&mut self, line: &[u8], mut at: usize) -> Result<(), Box<SyntaxError>> {
        self.has_items = true;
        self.notes.item_line = self.notes.lines;
        self.notes.item_text = line[..line.len().min(ITEM_TEXT)].to_vec();
        if self.notes.lines == 1 && self.notes.mark {
            // As blanks, so that columns stay right and the mark is not read again.
            self.notes.item_text[..encoding::MARK.len()].fill(b' ');
        }
        let mut secondary = false;
        while at < line.len() {
            let end = token_end(line, at);
            self.item(line, at..end, secondary)?;
            at = skip_blanks(line, end);
            if line.get(at) == Some(&b'|') {
                if secondary {
                    return Err(self.error(Fault::SecondBar, line, at..at + 1));
                }
                secondary = true;
                at = skip_blanks(line, at + 1);
                self.notes.trailing_bar = at == line.len();
            }
        }
        Ok(())
    }

    fn item(
        &mut self,
        line: &[u8],
        span: Range<usize>,
        second: bool,
    ) -> Result<(), Box<SyntaxError>> {
        let token = &line[span.clone()];
        let (bound, prefix) = match memchr::memchr2(b'|', b':', token) {
            None => (None, 0),
            Some(_) if second && !token.contains(&b'|') => {
                return Err(self.error(Fault::IllegalInName, line, span));
            }
            Some(_) if second => return Err(self.error(Fault::SecondaryBound, line, span)),
            Some(_) => {
                let read = bound(token);
                let (bound, length) =
                    read.map_err(|fault| self.error(fault, line, span.clone()))?;
                (Some(bound), length)
            }
        };
        let name = &token[prefix..];
        if let Some(fault) = name_fault(name) {
            return Err(self.error(fault, line, span));
        }
        self.notes.bounds |= bound.is_some();
        self.notes.long_names += u64::from(name.len() > 8);
        let added = match second {
            true => self.builder.secondary_item(name),
            false => self.builder.primary_item(name, bound.unwrap_or(Bound::ONCE)),
        };
        added
            .map(|_| ())
            .map_err(|refusal| self.refused(refusal, line, span.start + prefix..span.end))
    }

    fn option(&mut self, line: &[u8], mut at: usize) -> Result<(), Box<SyntaxError>> {
        while at < line.len() {
            let mut end = at;
            while end < line.len() && CLASS[line[end] as usize] == 0 {
                end += 1;
            }
            let known = self.builder.problem().find(&line[at..end]);
            let Some(item) = known.or_else(|| self.find_marked(&line[at..end])) else {
                at = self.cost(line, at)?;
                continue;
            };
            let mut color = Color::NONE;
            let name = at..end;
            if line.get(end) == Some(&b':') {
                let start = end + 1;
                end = token_end(line, start);
                color = self.color(item, line, name.clone(), start..end)?;
            }
            self.builder.entry(item, color).map_err(|refusal| self.refused(refusal, line, name))?;
            at = skip_blanks(line, end);
        }
        let ended = self.builder.end_option();
        match ended.map_err(|refusal| self.refused(refusal, line, 0..line.len()))? {
            Some(_) => {}
            None => {
                self.notes.dropped += 1;
                if self.notes.dropped_lines.len() < DROPPED_LINES {
                    self.notes.dropped_lines.push(self.notes.lines);
                }
            }
        }
        Ok(())
    }

    /// The first item, if `name` is that with the byte order mark that the file begins with: to Knuth's programs
    /// the mark is a part of the name, and a file may be true to that.
    #[cold]
    fn find_marked(&mut self, name: &[u8]) -> Option<ItemId> {
        let bare = name.strip_prefix(encoding::MARK)?;
        let item = self.builder.problem().find(bare)?;
        let first = self.notes.mark && self.notes.item_line == 1 && item.index() == 0;
        self.notes.marked_name |= first;
        first.then_some(item)
    }

    #[inline]
    fn color(
        &mut self,
        item: ItemId,
        line: &[u8],
        name: Range<usize>,
        span: Range<usize>,
    ) -> Result<Color, Box<SyntaxError>> {
        if let &[byte] = &line[span.clone()] {
            let known = self.byte_colors[byte as usize];
            if !known.is_none() {
                return Ok(known);
            }
        }
        self.new_color(item, line, name, span)
    }

    /// A color that is not one byte seen before.
    #[cold]
    fn new_color(
        &mut self,
        item: ItemId,
        line: &[u8],
        name: Range<usize>,
        span: Range<usize>,
    ) -> Result<Color, Box<SyntaxError>> {
        if self.builder.problem().is_primary(item) {
            return Err(self.error(Fault::ColoredPrimary, line, name));
        }
        let text = &line[span.clone()];
        match color_fault(text) {
            Some(Fault::EmptyColor) => {
                return Err(self.error(Fault::EmptyColor, line, name.start..span.end));
            }
            Some(fault) => return Err(self.error(fault, line, span)),
            None => {}
        }
        let color = self.builder.color(text);
        match text {
            &[byte] => self.byte_colors[byte as usize] = color,
            _ if self.notes.wide_color_line == 0 => self.notes.wide_color_line = self.notes.lines,
            _ => {}
        }
        Ok(color)
    }

    /// Reads a token that is no item: a cost, or a mistake. Returns where the next token begins.
    #[cold]
    fn cost(&mut self, line: &[u8], at: usize) -> Result<usize, Box<SyntaxError>> {
        let end = token_end(line, at);
        let token = &line[at..end];
        let fault = match token {
            [b'|', digits @ ..] => match cost(digits) {
                Ok(cost) => {
                    if self.notes.cost_line == 0 {
                        self.notes.cost_line = self.notes.lines;
                        self.notes.first_cost =
                            Place(Diagnostic::new(self.notes.lines, line, at..end, ""));
                    }
                    let added = self.builder.cost(cost);
                    added.map_err(|refusal| self.refused(refusal, line, at..end))?;
                    return Ok(skip_blanks(line, end));
                }
                Err(fault) => fault,
            },
            _ if token.contains(&0) => {
                let at = at + memchr::memchr(0, token).unwrap_or(0);
                return Err(self.error(Fault::NulByte, line, at..at + 1));
            }
            [b':', ..] => Fault::EmptyItemName,
            _ => {
                let length = memchr::memchr(b':', token).unwrap_or(token.len());
                return Err(self.error(Fault::UnknownItem, line, at..at + length));
            }
        };
        Err(self.error(fault, line, at..end))
    }

    fn refused(&self, refusal: Refusal, line: &[u8], span: Range<usize>) -> Box<SyntaxError> {
        self.error(refusal.into(), line, span)
    }

    #[cold]
    fn error(&self, fault: Fault, line: &[u8], span: Range<usize>) -> Box<SyntaxError> {
        let word = word(&line[span.clone()]);
        let help = self.help(&fault, &line[span.clone()]);
        let diagnostic = Diagnostic::new(self.notes.lines, line, span, fault.what(&word))
            .expected(fault.expected())
            .help(help);
        Box::new(SyntaxError { fault, diagnostic })
    }

    /// What may have been meant by `typed`, or what to do with the file.
    fn help(&self, fault: &Fault, typed: &[u8]) -> Option<String> {
        if matches!(fault, Fault::Utf16) {
            return Some(encoding::CONVERT.into());
        }
        let is_unknown = matches!(fault, Fault::UnknownItem);
        let names = self.builder.problem().names().map(|(_, name)| name);
        let near = if is_unknown { nearest(typed, names) } else { None };
        near.map(|name| format!("did you mean `{}`?", word(name)))
    }

    fn finish(self) -> Result<Dlx, ReadError> {
        if !self.has_items {
            let end = Reader { notes: Notes { lines: self.notes.lines + 1, ..self.notes }, ..self };
            return Err(end.error(Fault::NoItems, b"", 0..0).into());
        }
        let Reader { builder, notes, header, origins, .. } = self;
        Ok(Dlx { problem: builder.finish(), notes, header, origins })
    }
}

/// The name nearest to `typed`, if one is near: a third of its bytes may differ, but not all of them,
/// unless by case alone.
pub fn nearest<'n>(typed: &[u8], names: impl Iterator<Item = &'n [u8]>) -> Option<&'n [u8]> {
    let reach = typed.len().clamp(2, 24).div_ceil(3);
    names
        .filter(|name| name.len().abs_diff(typed.len()) <= reach && name.len() <= 64)
        .map(|name| (strsim::generic_levenshtein(&Spelling(name), &Spelling(typed)), name))
        .filter(|&(distance, name)| {
            let shares_a_byte = distance < name.len().max(typed.len());
            distance <= reach && (shares_a_byte || name.eq_ignore_ascii_case(typed))
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// What strsim needs to compare bytes.
struct Spelling<'a>(&'a [u8]);

impl<'b> IntoIterator for &'b Spelling<'_> {
    type Item = u8;
    type IntoIter = std::iter::Copied<std::slice::Iter<'b, u8>>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().copied()
    }
}

/// `bytes` for a message: at most 40 characters, printable.
pub(crate) fn word(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(160)]);
    let mut word: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().count() > 40 || bytes.len() > 160 {
        word.push_str("...");
    }
    word
}
