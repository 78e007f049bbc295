//! Solutions as option numbers, a line each.

use crate::solution::Choices;
use crate::solutions::format::{Lifts, SolutionFormat, SolutionSource, WriteSolution};
use crate::solutions::write;

/// The format.
pub static OPTIONS: SolutionFormat = SolutionFormat {
    name: "options",
    help: "Option numbers, ascending, one solution a line",
    before_number: None,
    has_more_lines: false,
    is_json: false,
    lifts: Lifts::ByNumbers,
    writer: Some(|source| Box::new(NumbersWriter { source: *source, numbers: Vec::new() })),
};

struct NumbersWriter<'a> {
    source: SolutionSource<'a>,
    /// Those of the last solution.
    numbers: Vec<u64>,
}

impl WriteSolution for NumbersWriter<'_> {
    fn number(&self) -> Option<(&'static [u8], &'static [u8])> {
        None
    }

    /// ` $7` follows if there is a cost.
    fn write(&mut self, _: u64, choices: &dyn Choices, out: &mut Vec<u8>) {
        self.source.option_numbers(choices, &mut self.numbers);
        write::list(&self.numbers, b' ', out);
        if let Some(cost) = self.source.cost(choices) {
            out.extend_from_slice(format!(" ${cost}").as_bytes());
        }
        out.push(b'\n');
    }
}
