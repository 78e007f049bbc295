//! What came of a board, as a line and in sums.

use std::time::Duration;

use crate::cli::args::BatchFormat;
use crate::search::stats::Stats;

/// A board that was solved, and the answer.
pub(super) struct Solved {
    pub verdict: BoardVerdict,
    /// What is odd about the board.
    pub notes: Vec<String>,
    pub open: Option<usize>,
    pub complete: bool,
    /// What the search counted.
    pub stats: Stats,
    /// Time for making the problem, and for searching.
    pub times: [Duration; 2],
}

/// How many solutions a board has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BoardVerdict {
    None,
    Unique,
    Several,
    Incomplete,
}

impl BoardVerdict {
    fn word(self) -> &'static str {
        match self {
            BoardVerdict::None => "none",
            BoardVerdict::Unique => "unique",
            BoardVerdict::Several => "several",
            BoardVerdict::Incomplete => "incomplete",
        }
    }
}

/// Sums over boards.
#[derive(Default)]
pub(super) struct Tally {
    pub boards: u64,
    pub none: u64,
    pub unique: u64,
    pub several: u64,
    /// Boards of which not everything is known.
    pub open: u64,
    pub bad: u64,
    pub stats: Stats,
    pub times: [Duration; 2],
}

impl Solved {
    /// The line of the board that was on a line of the input.
    pub fn text(&self, line: u64, form: BatchFormat, with_stats: bool) -> String {
        let Solved { verdict, open, complete, stats, times, .. } = self;
        let (word, seconds) = (verdict.word(), times[1].as_secs_f64());
        match form {
            BatchFormat::Text => {
                // Where the search was stopped, there may be more.
                let more = if *complete { "" } else { "+" };
                let open = open.map_or("-".into(), |open| format!("{open}{more}"));
                format!("{line} {word} {open} {seconds:.4}\n")
            }
            BatchFormat::Jsonl => {
                let open = open.map_or("null".into(), |open| open.to_string());
                let part = if *complete { "" } else { ",\"complete\":false" };
                let counts = match with_stats {
                    true => format!(
                        ",\"conflicts\":{},\"decisions\":{},\"seconds\":{seconds:.4}",
                        stats.conflicts, stats.decisions
                    ),
                    false => String::new(),
                };
                let known = format!("\"line\":{line},\"verdict\":\"{word}\",\"open\":{open}");
                format!("{{\"v\":1,{known}{part}{counts}}}\n")
            }
        }
    }
}

impl Tally {
    /// Adds a board.
    pub fn add(&mut self, solved: &Solved) {
        self.boards += 1;
        self.open += u64::from(!solved.complete);
        match solved.verdict {
            BoardVerdict::None => self.none += 1,
            BoardVerdict::Unique => self.unique += 1,
            BoardVerdict::Several => self.several += 1,
            BoardVerdict::Incomplete => {}
        }
        self.stats.add(&solved.stats);
        for (sum, time) in self.times.iter_mut().zip(solved.times) {
            *sum += time;
        }
    }
}
