//! Solutions as `dlx2 m1` prints them, of which one after the other changes little.
//!
//! A solution differs from the one before by its last few choices, as a rule. So we keep its text, and
//! where each line ends; only the lines of choices that changed are made anew. And since options come
//! back again and again, the short text of each is kept, too, with the suffix to follow.
//!
//! Dominoes on 8 x 8 have 13 million solutions of 585 bytes. The search takes 70 nanoseconds for each;
//! to write 32 lines number by number and name by name took ten times as long.

use crate::problem::Problem;
use crate::solution::{Choice, Choices};
use crate::solutions::format::{Lifts, SolutionFormat, WriteSolution};
use crate::solutions::write;

/// The format.
pub static KNUTH: SolutionFormat = SolutionFormat {
    name: "knuth",
    help: "As dlx2 m1",
    before_number: Some(b""),
    has_more_lines: true,
    is_json: false,
    lifts: Lifts::ByItems,
    writer: Some(|source| Box::new(Text::new(source.problem))),
};

/// The most bytes of a line that are kept, its suffix aside.
const SHORT: usize = 31;

/// The most entries of a problem whose options' texts are kept, 32 bytes for each entry.
const MOST_ENTRIES: usize = 1 << 16;

/// The text of an option, from one of its entries around; of no length if it was not made yet, or is too
/// long.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    bytes: [u8; SHORT],
    length: u8,
}

/// Writes solutions, and remembers the last one.
#[derive(Debug)]
pub struct Text<'p> {
    changes: Changes<'p>,
    /// The lines of the last solution.
    lines: Vec<u8>,
}

impl<'p> Text<'p> {
    /// For solutions of `problem`, from any engine.
    pub fn new(problem: &'p Problem) -> Self {
        Text { changes: Changes::new(problem), lines: Vec::new() }
    }
}

impl WriteSolution for Text<'_> {
    fn number(&self) -> Option<(&'static [u8], &'static [u8])> {
        Some((b"", if self.changes.problem.has_costs() { b":" } else { b":\n" }))
    }

    fn write(&mut self, n: u64, choices: &dyn Choices, out: &mut Vec<u8>) {
        if self.changes.problem.has_costs() {
            // Costs stand between the lines; and who wants the cheapest wants few.
            return write::knuth(self.changes.problem, n, choices, out);
        }
        let (same, keep) = self.changes.turn_to(choices, false);
        self.lines.truncate(keep);
        self.changes.append(same, &mut self.lines);
        write::number(n, out);
        out.extend_from_slice(b":\n");
        out.extend_from_slice(&self.lines);
    }

    fn write_body(&mut self, choices: &dyn Choices, anew: bool, out: &mut Vec<u8>) -> usize {
        if self.changes.problem.has_costs() {
            let mut text = Vec::new();
            write::knuth(self.changes.problem, 0, choices, &mut text);
            out.extend_from_slice(&text["0:".len()..]);
            return 0;
        }
        self.changes.write(choices, anew, out)
    }
}

/// Writes of each solution only the lines that differ from the one before.
#[derive(Debug)]
pub struct Changes<'p> {
    problem: &'p Problem,
    /// The choices of the last solution.
    choices: Vec<Choice>,
    /// Where each of their lines ends.
    ends: Vec<usize>,
    /// By entry of the problem.
    kept: Vec<Kept>,
    /// By option, if texts are kept: the number of its first entry. Empty before the first solution.
    starts: Vec<u32>,
}

impl<'p> Changes<'p> {
    /// For solutions of `problem`, which has no costs, from any engine.
    pub fn new(problem: &'p Problem) -> Self {
        let (choices, ends) = (Vec::new(), Vec::new());
        Changes { problem, choices, ends, kept: Vec::new(), starts: Vec::new() }
    }

    /// Appends what follows the first bytes of the last solution's lines, and answers how many these are; none
    /// if it is to begin `anew`.
    pub fn write(&mut self, choices: &dyn Choices, anew: bool, out: &mut Vec<u8>) -> usize {
        let (same, keep) = self.turn_to(choices, anew);
        self.append(same, out);
        keep
    }

    /// Makes room for the texts of options, when the first solution is there.
    #[cold]
    fn begin(&mut self) {
        self.starts.push(0);
        if self.problem.entries() <= MOST_ENTRIES {
            self.kept.resize(self.problem.entries(), Kept::default());
            let mut start = 0;
            for option in self.problem.option_ids() {
                start += self.problem.option(option).len() as u32;
                self.starts.push(start);
            }
        }
    }

    /// Makes the choices those of a solution; answers how many lines stay, and how many bytes.
    #[inline]
    fn turn_to(&mut self, choices: &dyn Choices, anew: bool) -> (usize, usize) {
        if self.starts.is_empty() {
            self.begin();
        }
        if anew {
            self.choices.clear();
        }
        let same = choices.update(&mut self.choices);
        self.ends.truncate(same);
        (same, self.ends.last().copied().unwrap_or(0))
    }

    /// Appends the lines of the choices from level `same` on.
    #[inline]
    fn append(&mut self, same: usize, out: &mut Vec<u8>) {
        let before = self.ends.last().copied().unwrap_or(0);
        let start = out.len();
        for level in same..self.choices.len() {
            self.line(self.choices[level], out);
            self.ends.push(before + out.len() - start);
        }
    }

    #[inline]
    fn line(&mut self, choice: Choice, out: &mut Vec<u8>) {
        let start = choice.option.and_then(|option| self.starts.get(option.index()));
        let (Some(&start), Some(option), false) = (start, choice.option, self.kept.is_empty())
        else {
            return write::knuth_option(self.problem, choice, out);
        };
        let mut entries = self.problem.option(option).iter();
        let place = entries.position(|entry| entry.item == choice.item).unwrap_or(0);
        let Kept { bytes, length } = &self.kept[start as usize + place];
        if *length == 0 {
            return self.new_line(choice, start as usize + place, out);
        }
        // As many bytes as there are, because a copy of a fixed length is two instructions.
        let line = out.len();
        out.extend_from_slice(bytes);
        out.truncate(line + usize::from(*length));
        write::rank(choice, out);
    }

    /// Makes a line, and keeps the text of its option if it is short.
    #[inline(never)]
    fn new_line(&mut self, choice: Choice, entry: usize, out: &mut Vec<u8>) {
        let line = out.len();
        write::option_of(self.problem, choice, out);
        let text = &out[line..];
        let kept = &mut self.kept[entry];
        if let Some(bytes) = kept.bytes.get_mut(..text.len()) {
            bytes.copy_from_slice(text);
            kept.length = text.len() as u8;
        }
        write::rank(choice, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx;
    use crate::ids::{ItemId, OptionId};

    /// Solutions in any order, with as many levels as they like, come out as if each were the first.
    #[test]
    fn writes_what_it_would_write_without_a_memory() {
        let text = b"A B long-names-of-many-bytes | X Y\nA X:1\nB\nA B\n\
            long-names-of-many-bytes B X:1 Y:another\nA Y X:2\n";
        let problem = dlx::parse::read(&text[..]).expect("a file").problem;
        let mut random = fastrand::Rng::with_seed(1);
        let mut writer = Text::new(&problem);
        let (mut changes, mut body) = (Changes::new(&problem), Vec::new());
        let mut choices: Vec<Choice> = Vec::new();
        for n in 0..3000 {
            choices.truncate(random.usize(0..=choices.len()));
            for _ in 0..random.usize(0..3) {
                let option = OptionId::new(random.u32(0..5));
                let row = problem.option(option);
                let item = row.get(random.usize(0..row.len())).item;
                let (rank, degree) = (random.u32(1..120), random.u32(1..120));
                let null = random.u8(0..9) == 0;
                let option = (!null).then_some(option);
                choices.push(Choice { option, item, rank, degree });
            }
            let mut expected = format!("{n}:\n").into_bytes();
            choices.iter().for_each(|&c| write::knuth_option(&problem, c, &mut expected));
            let mut out = Vec::new();
            writer.write(n, &choices, &mut out);
            assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&expected));
            let mut tail = Vec::new();
            let anew = random.u8(0..20) == 0;
            let keep = changes.write(&choices, anew, &mut tail);
            assert!(!anew || keep == 0);
            body.truncate(keep);
            body.extend(tail);
            assert!(out.ends_with(&body) && out.len() == body.len() + format!("{n}:\n").len());
        }
        assert!(problem.is_primary(ItemId::new(2)));
    }
}
