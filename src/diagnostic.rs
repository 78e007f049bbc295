//! A complaint about input: where, what, what was expected, and a guess at what was meant.
//!
//! Readers make these, `cli` prints them. A diagnostic owns a short excerpt of the offending line,
//! so that the reader may forget the line and a line of a gigabyte is never copied.

use std::ops::Range;

/// The most bytes of a line that a diagnostic shows.
pub const EXCERPT: usize = 80;

/// One complaint about one place of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Line, counted from 1.
    pub line: u64,
    /// Column in bytes, counted from 1.
    pub column: u64,
    /// The text around the place.
    pub excerpt: Excerpt,
    /// What is wrong, without a final period.
    pub what: String,
    /// What would have been right, where that can be said.
    pub expected: Option<String>,
    /// A guess or advice, a whole clause ("did you mean `2a`?").
    pub help: Option<String>,
}

impl Diagnostic {
    /// Complains about the bytes `span` of `text`, the line with number `line`.
    pub fn new(line: u64, text: &[u8], span: Range<usize>, what: impl Into<String>) -> Self {
        Diagnostic {
            line,
            column: span.start as u64 + 1,
            excerpt: Excerpt::around(text, span),
            what: what.into(),
            expected: None,
            help: None,
        }
    }

    /// Adds what was expected.
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Adds a guess, if there is one.
    pub fn help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}

/// At most [`EXCERPT`] bytes of a line, with the offending part marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The bytes shown, as they stand in the input.
    pub text: Vec<u8>,
    /// The marked part of `text`; may be empty at the end of the line.
    pub mark: Range<usize>,
    /// Whether the line goes on to the left and to the right of `text`.
    pub cut: (bool, bool),
}

impl Excerpt {
    /// The part of `line` around `span`. A span beyond the line is moved to its end.
    pub fn around(line: &[u8], span: Range<usize>) -> Self {
        let start = span.start.min(line.len());
        let end = span.end.clamp(start, line.len()).min(start + EXCERPT);
        let context = (EXCERPT - (end - start)) / 2;
        let mut from = start.saturating_sub(context);
        let to = line.len().min(from + EXCERPT);
        from = to.saturating_sub(EXCERPT).min(from);
        Excerpt {
            text: line[from..to].to_vec(),
            mark: start - from..end - from,
            cut: (from > 0, to < line.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_never_exceeds_its_limit_and_keeps_the_mark() {
        let line: Vec<u8> = (0..200).map(|i| b'a' + i % 26).collect();
        for start in 0..=200 {
            for length in [0, 1, 5, 79, 80, 81, 200] {
                let excerpt = Excerpt::around(&line, start..start + length);
                assert!(excerpt.text.len() <= EXCERPT);
                let marked = &excerpt.text[excerpt.mark.clone()];
                assert_eq!(marked, &line[start..(start + length).min(200).min(start + EXCERPT)]);
            }
        }
    }

    #[test]
    fn a_span_beyond_the_line_marks_its_end() {
        assert_eq!(Excerpt::around(b"AB", 5..6).mark, 2..2);
    }
}
