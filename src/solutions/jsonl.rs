//! Solutions as objects of JSON, a line each.

use std::fmt::Display;

use crate::solution::Choices;
use crate::solutions::format::{Lifts, SolutionFormat, SolutionSource, WriteSolution};
use crate::solutions::write;

/// The format.
pub static JSONL: SolutionFormat = SolutionFormat {
    name: "jsonl",
    help: "One JSON object a line",
    before_number: Some(BEFORE),
    has_more_lines: false,
    is_json: true,
    lifts: Lifts::ByNumbers,
    writer: Some(|source| Box::new(JsonlWriter { source: *source, numbers: Vec::new() })),
};

/// What stands before the number of a solution.
pub(super) const BEFORE: &[u8] = b"{\"v\":1,\"n\":";

struct JsonlWriter<'a> {
    source: SolutionSource<'a>,
    /// The option numbers of the last solution.
    numbers: Vec<u64>,
}

impl WriteSolution for JsonlWriter<'_> {
    fn number(&self) -> Option<(&'static [u8], &'static [u8])> {
        Some((BEFORE, b","))
    }

    fn write(&mut self, n: u64, choices: &dyn Choices, out: &mut Vec<u8>) {
        self.source.option_numbers(choices, &mut self.numbers);
        out.extend_from_slice(BEFORE);
        write::number(n, out);
        out.extend_from_slice(b",\"options\":[");
        write::list(&self.numbers, b',', out);
        out.push(b']');
        close(self.source.cost(choices), out);
    }
}

/// Ends an object, with the cost of the solution if there is one.
pub(super) fn close(cost: Option<u128>, out: &mut Vec<u8>) {
    if let Some(cost) = cost {
        out.extend_from_slice(format!(",\"cost\":{cost}").as_bytes());
    }
    out.extend_from_slice(b"}\n");
}

/// Appends the last line of a stream of JSON: whether the search was complete, and how many
/// solutions it found. The number is a string, since JSON readers lose digits of large numbers. A search for
/// the cheapest solutions also tells whether there are no cheaper ones.
pub fn write_end(
    complete: bool,
    solutions: &dyn Display,
    optimal: Option<bool>,
    out: &mut Vec<u8>,
) {
    let optimal = optimal.map(|is| format!(",\"optimal\":{is}")).unwrap_or_default();
    let line =
        format!("{{\"v\":1,\"complete\":{complete},\"solutions\":\"{solutions}\"{optimal}}}\n");
    out.extend_from_slice(line.as_bytes());
}
