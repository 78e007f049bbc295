//! Solutions as objects of JSON that name the items of each option, with their colors.
//!
//! ```text
//! {"v":1,"n":1,"options":[{"A":null,"x":"1"},{"B":null,"x":"1"}],"numbers":[3,7]}
//! ```
//!
//! An option is an object: its items, in the order of the file, each with its color or `null`. The numbers of the options are
//! there as well, in the same order: options may have the same items, and the reader of solutions goes by them.

use crate::ids::OptionId;
use crate::solution::Choices;
use crate::solutions::format::{Lifts, SolutionFormat, SolutionSource, WriteSolution};
use crate::solutions::json::quoted;
use crate::solutions::jsonl::{self, BEFORE};
use crate::solutions::write;

/// The format.
pub static NAMES: SolutionFormat = SolutionFormat {
    name: "names",
    help: "One JSON object a line, with the items and colors of each option",
    before_number: Some(BEFORE),
    has_more_lines: false,
    is_json: true,
    lifts: Lifts::ByItems,
    writer: Some(|source| Box::new(NamesWriter::new(*source))),
};

struct NamesWriter<'a> {
    source: SolutionSource<'a>,
    /// The options of the last solution, each with the number it has in the file.
    options: Vec<(u64, OptionId)>,
    /// By option: its text, once it was made. Options come back again and again.
    texts: Vec<String>,
}

impl<'a> NamesWriter<'a> {
    fn new(source: SolutionSource<'a>) -> Self {
        let texts = vec![String::new(); source.problem.options()];
        NamesWriter { source, options: Vec::new(), texts }
    }

    /// The text of an option.
    fn text(&mut self, option: OptionId) -> &str {
        let NamesWriter { source: SolutionSource { problem, .. }, texts, .. } = self;
        let text = &mut texts[option.index()];
        if text.is_empty() {
            let color = |color: crate::ids::Color| match color.is_none() {
                true => serde_json::Value::Null,
                false => quoted(problem.color_name(color)),
            };
            let entries = problem.option(option).iter();
            let items =
                entries.map(|e| format!("{}:{}", quoted(problem.name(e.item)), color(e.color)));
            *text = format!("{{{}}}", items.collect::<Vec<_>>().join(","));
        }
        text
    }
}

impl WriteSolution for NamesWriter<'_> {
    fn number(&self) -> Option<(&'static [u8], &'static [u8])> {
        Some((BEFORE, b","))
    }

    fn write(&mut self, n: u64, choices: &dyn Choices, out: &mut Vec<u8>) {
        let mut options = std::mem::take(&mut self.options);
        options.clear();
        choices.each_option(&mut |option| options.push((self.source.number_of(option), option)));
        options.sort_unstable();
        out.extend_from_slice(BEFORE);
        write::number(n, out);
        out.extend_from_slice(b",\"options\":[");
        for (place, &(_, option)) in options.iter().enumerate() {
            out.extend_from_slice(if place > 0 { b"," } else { b"" });
            out.extend_from_slice(self.text(option).as_bytes());
        }
        out.extend_from_slice(b"],\"numbers\":[");
        for (place, &(number, _)) in options.iter().enumerate() {
            out.extend_from_slice(if place > 0 { b"," } else { b"" });
            write::number(number, out);
        }
        out.push(b']');
        jsonl::close(self.source.cost(choices), out);
        self.options = options;
    }
}
