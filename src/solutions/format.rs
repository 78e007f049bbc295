//! The formats of solutions: what each is called, and who writes it. A format is a file of its own, and a word in
//! [`FORMATS`]; flags, help, parts, merging and lifting follow.

use super::{jsonl, names, numbers, text, tour, zdd};
use crate::constraint::graph::Graph;
use crate::ids::OptionId;
use crate::problem::Problem;
use crate::solution::Choices;

/// All formats; the first is that of who asks for none.
pub static FORMATS: [&SolutionFormat; 6] =
    [&text::KNUTH, &tour::TOUR, &numbers::OPTIONS, &jsonl::JSONL, &names::NAMES, &zdd::ZDD];

/// A format of solutions.
#[derive(Debug)]
pub struct SolutionFormat {
    /// What `--format` calls it.
    pub name: &'static str,
    /// Its help, a line.
    pub help: &'static str,
    /// What the first line of a solution has before its number; `None` if solutions have no number.
    pub before_number: Option<&'static [u8]>,
    /// Whether lines that begin with a blank belong to the solution above.
    pub has_more_lines: bool,
    /// Whether each line is an object of JSON. Then the last one says how the search ended.
    pub is_json: bool,
    /// What `lift` can do with it.
    pub lifts: Lifts,
    /// Makes its writer; `None` if all solutions are written at once, by [`zdd::write`].
    pub writer: Option<MakeWriter>,
}

/// Makes the writer of a format.
pub type MakeWriter = for<'a> fn(&SolutionSource<'a>) -> Box<dyn WriteSolution + 'a>;

/// Whether solutions of a reduced problem can be written as solutions of the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifts {
    /// The numbers of their options are enough.
    ByNumbers,
    /// If the original is there.
    ByItems,
    /// No, and why.
    Never(&'static str),
}

impl SolutionFormat {
    /// The format of this name.
    pub fn find(name: &str) -> Option<&'static SolutionFormat> {
        FORMATS.into_iter().find(|format| format.name == name)
    }

    /// Whether it is this one.
    pub fn is(&self, other: &SolutionFormat) -> bool {
        std::ptr::eq(self, other)
    }
}

/// Where solutions come from.
#[derive(Clone, Copy, Debug)]
pub struct SolutionSource<'a> {
    /// The problem whose options they have.
    pub problem: &'a Problem,
    /// By option of that problem: the one to be named in its place, if it was made from another one.
    pub original: Option<&'a [OptionId]>,
    /// The graph of the loop, if there must be one.
    pub graph: Option<&'a Graph>,
}

impl SolutionSource<'_> {
    /// The number of an option in the file, from 1.
    pub fn number_of(&self, option: OptionId) -> u64 {
        let option = self.original.map_or(option, |original| original[option.index()]);
        option.index() as u64 + 1
    }

    /// Makes `numbers` those of the chosen options, ascending.
    pub fn option_numbers(&self, choices: &dyn Choices, numbers: &mut Vec<u64>) {
        numbers.clear();
        choices.each_option(&mut |option| numbers.push(self.number_of(option)));
        numbers.sort_unstable();
    }

    /// What a solution costs, if its problem has costs.
    pub fn cost(&self, choices: &dyn Choices) -> Option<u128> {
        self.problem.has_costs().then(|| self.problem.total_cost(&choices.options()))
    }
}

/// Writes solutions one by one.
pub trait WriteSolution {
    /// Appends solution `n`.
    fn write(&mut self, n: u64, choices: &dyn Choices, out: &mut Vec<u8>);

    /// What stands before and behind the number of a solution, if it has one.
    fn number(&self) -> Option<(&'static [u8], &'static [u8])>;

    /// Appends what follows the number of a solution, which its caller may not know yet; without the first bytes of the last
    /// body that are the same, and answers how many these are: none if it is to begin `anew`.
    fn write_body(&mut self, choices: &dyn Choices, anew: bool, out: &mut Vec<u8>) -> usize {
        let _ = anew;
        let start = out.len();
        self.write(0, choices, out);
        // The number 0 has one digit.
        let head = self.number().map_or(0, |(before, after)| before.len() + 1 + after.len());
        out.drain(start..start + head);
        0
    }
}
