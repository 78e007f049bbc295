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
use crate::solutions::write;

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
    problem: &'p Problem,
    /// The choices of the last solution.
    choices: Vec<Choice>,
    /// Their lines.
    lines: Vec<u8>,
    /// Where each line ends.
    ends: Vec<usize>,
    /// By entry of the problem.
    kept: Vec<Kept>,
    /// By option, if texts are kept: the number of its first entry. Empty before the first solution.
    starts: Vec<u32>,
}

impl<'p> Text<'p> {
    /// For solutions of `problem`, from any engine.
    pub fn new(problem: &'p Problem) -> Self {
        let (choices, lines, ends) = (Vec::new(), Vec::new(), Vec::new());
        Text { problem, choices, lines, ends, kept: Vec::new(), starts: Vec::new() }
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

    /// Appends solution `n`.
    pub fn write(&mut self, n: u64, choices: &dyn Choices, out: &mut Vec<u8>) {
        if self.problem.has_costs() {
            // Costs stand between the lines; and who wants the cheapest wants few.
            return write::knuth(self.problem, n, choices, out);
        }
        if self.starts.is_empty() {
            self.begin();
        }
        let same = choices.update(&mut self.choices);
        self.ends.truncate(same);
        self.lines.truncate(self.ends.last().copied().unwrap_or(0));
        for level in same..self.choices.len() {
            self.line(self.choices[level]);
            self.ends.push(self.lines.len());
        }
        write::number(n, out);
        out.extend_from_slice(b":\n");
        out.extend_from_slice(&self.lines);
    }

    #[inline]
    fn line(&mut self, choice: Choice) {
        let start = choice.option.and_then(|option| self.starts.get(option.index()));
        let (Some(&start), Some(option), false) = (start, choice.option, self.kept.is_empty())
        else {
            return write::knuth_option(self.problem, choice, &mut self.lines);
        };
        let mut entries = self.problem.option(option).iter();
        let place = entries.position(|entry| entry.item == choice.item).unwrap_or(0);
        let Kept { bytes, length } = &self.kept[start as usize + place];
        if *length == 0 {
            return self.new_line(choice, start as usize + place);
        }
        // As many bytes as there are, because a copy of a fixed length is two instructions.
        let line = self.lines.len();
        self.lines.extend_from_slice(bytes);
        self.lines.truncate(line + usize::from(*length));
        write::rank(choice, &mut self.lines);
    }

    /// Makes a line, and keeps the text of its option if it is short.
    #[inline(never)]
    fn new_line(&mut self, choice: Choice, entry: usize) {
        let line = self.lines.len();
        write::option_of(self.problem, choice, &mut self.lines);
        let text = &self.lines[line..];
        let kept = &mut self.kept[entry];
        if let Some(bytes) = kept.bytes.get_mut(..text.len()) {
            bytes.copy_from_slice(text);
            kept.length = text.len() as u8;
        }
        write::rank(choice, &mut self.lines);
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
        }
        assert!(problem.is_primary(ItemId::new(2)));
    }
}
