//! One solution of a stream, and the two things that are made of it: the numbers of its options, and the
//! colors that they give to places.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::ids::OptionId;
use crate::names::{Coord, Width};
use crate::problem::{Entry, Problem};
use crate::puzzle::clues::Coloring;
use crate::solutions::tour;
use crate::solutions::verify::SolutionFault;

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
    /// Which it is, or the first of several that are the same. `None` if the problem has none with
    /// exactly these entries.
    pub option: Option<OptionId>,
    /// Where it stands in [`Record::text`].
    pub span: Range<usize>,
    /// Where the record has its entries, if it was not given by its number.
    pub(super) entries: Range<usize>,
}

/// One record of a stream.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// What it looks like.
    pub form: Form,
    /// Its number as the stream gives it, or how many there were where it gives none; of
    /// [`Form::JsonEnd`] the number of solutions, or the largest number if that is larger.
    pub number: u64,
    /// Its first line.
    pub line: u64,
    /// The options, in the order of the stream.
    pub options: Vec<Listed>,
    /// The vertices of a tour, with their places in `text`.
    pub tour: Vec<(Coord, Range<usize>)>,
    /// All its lines, each with its newline.
    pub text: Vec<u8>,
    /// The entries of options that were not given by numbers.
    pub(super) entries: Vec<Entry>,
    /// Where `text` has the number.
    pub(super) number_at: Range<usize>,
}

impl Record {
    /// Makes this a record that begins with a line.
    pub(super) fn begin(&mut self, line: u64, text: &[u8]) {
        self.line = line;
        self.options.clear();
        self.entries.clear();
        self.tour.clear();
        self.number_at = 0..0;
        self.text.clear();
        self.text.extend_from_slice(text);
    }

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

    /// Complains about what a verifier found, at the option or vertex that shows it.
    pub fn complain_of(&self, fault: &SolutionFault) -> Diagnostic {
        let shown = fault.at.and_then(|at| match self.form {
            Form::Tour => self.tour.get(at).map(|(_, span)| span.clone()),
            _ => self.options.get(at).map(|listed| listed.span.clone()),
        });
        match shown {
            Some(span) => self.complain(span, &fault.what),
            None => self.complain_at_head(&fault.what),
        }
    }

    /// Appends the record with another number, and otherwise as it came.
    pub fn write(&self, number: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.text[..self.number_at.start]);
        if self.number_at.end > 0 {
            out.extend_from_slice(number.to_string().as_bytes());
        }
        out.extend_from_slice(&self.text[self.number_at.end..]);
    }

    /// Makes `options` those of the record, in its order; complains if the problem does not have one.
    pub fn cover(&self, options: &mut Vec<OptionId>) -> Result<(), Diagnostic> {
        options.clear();
        for Listed { option, span, .. } in &self.options {
            let Some(option) = option else {
                let what = "the problem has no option with exactly these items";
                let fault = self.complain(span.clone(), what);
                return Err(fault.expected("an option of the problem"));
            };
            options.push(*option);
        }
        Ok(())
    }

    /// The colors that the record gives to places whose names are this wide. `problem` is that of the
    /// stream; a tour needs none. Complains of a tour that is no cycle.
    pub fn colors(
        &self,
        problem: Option<&Problem>,
        width: Option<Width>,
    ) -> Result<Coloring, Diagnostic> {
        let mut coloring = Coloring::new();
        if self.form == Form::Tour {
            let vertices: Vec<Coord> = self.tour.iter().map(|&(at, _)| at).collect();
            let edges = tour::edges(&vertices).map_err(|fault| self.complain_of(&fault))?;
            edges.into_iter().for_each(|at| coloring.insert(at, b"1"));
        }
        if let (Some(problem), Some(width)) = (problem, width) {
            for entry in self.options.iter().flat_map(|listed| self.entries_of(listed, problem)) {
                let at = width.decode(problem.name(entry.item));
                if let (Some(at), false) = (at, entry.color.is_none()) {
                    coloring.insert(at, problem.color_name(entry.color));
                }
            }
        }
        Ok(coloring)
    }

    /// The places of each option; a tour has no options.
    pub fn places(&self, problem: &Problem, width: Width) -> Vec<Vec<Coord>> {
        let places = |listed| {
            let entries = self.entries_of(listed, problem).into_iter();
            entries.filter_map(|entry| width.decode(problem.name(entry.item))).collect()
        };
        self.options.iter().map(places).collect()
    }

    /// The entries of an option, in the order of the stream, or of the file if it came as a number.
    fn entries_of(&self, listed: &Listed, problem: &Problem) -> Vec<Entry> {
        match listed.option {
            Some(option) if listed.entries.is_empty() => problem.option(option).iter().collect(),
            _ => self.entries[listed.entries.clone()].to_vec(),
        }
    }
}
