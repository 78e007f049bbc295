//! Knuth's programs `dlx1`, `dlx2`, `dlx2-loop`, `dlx3`, `dlx5` and `dlx-pre` to the letter: what they
//! print, and what they count.
//!
//! TAOCP states the cost of a search in *mems*, accesses to 64-bit words of memory. So that figures can
//! be compared, we do here what those programs do, in their order, and count what they count; the
//! engine [`links`](mod@crate::search::dancing_links) would rather be quick. In Knuth's first example,
//!
//! ```text
//! A B C D E F G          1 solution, 430+466-0 mems, 29 updates, 0 cleansings, 6 nodes:
//! C E                    430 mems to read that, 466 to search, of which none serves only to know
//! A D G                  the lengths of secondary lists
//! ...
//! ```
//!
//! | file | what |
//! |---|---|
//! | `input` | reading a file, with his complaints |
//! | `machine` | Algorithm C over his data structure |
//! | `edges` | the fragments of `dlx2-loop` |
//! | `bounds` | Algorithm M, of `dlx3` |
//! | `costs` | the search of `dlx5` |
//! | `taxes`, `bound`, `bill` | what it does before, its lower bounds, what it tells about costs |
//! | `pre` | Algorithm P, of `dlx-pre` |
//! | `zdd` | `dlx6` |
//! | `report` | what goes to the terminal |
//! | `flip` | the random numbers of `s` |
//!
//! # What counts
//!
//! Two fields of a node that share 64 bits cost one mem: its two links, or its item and its color. The
//! same holds for the two links of an item. Registers, counters and what is done for the sake of
//! printing cost nothing; a random number costs four. Knuth looks names up one by one, a mem each: we
//! have a hash table, and add what his search would have cost.
//!
//! # Differences
//!
//! His limits are not there: names and colors may be long, the last line may lack its end, coordinates
//! may have several digits. `dlx2-loop` counts a cover without a loop; here it is no solution. `dlx5` adds costs
//! modulo 2^64; here they must not get there.

mod bill;
mod bound;
mod bounds;
mod costs;
mod edges;
mod flip;
mod input;
mod lists;
mod machine;
mod pre;
mod report;
mod taxes;
mod zdd;

pub use input::{Panic, read};
pub use machine::Machine;

/// Which program to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// `dlx1`, exact cover.
    Dlx1,
    /// `dlx2`, with colors.
    Dlx2,
    /// `dlx2-loop`, with one loop.
    Dlx2Loop,
    /// `dlx3`, with bounds.
    Dlx3,
    /// `dlx5`, with costs.
    Dlx5,
    /// `dlx-pre`, which removes what is not needed.
    DlxPre,
    /// `dlx6`, which caches what it found.
    Dlx6,
}

impl Program {
    /// All of them.
    pub const ALL: &[Program] = &[
        Program::Dlx1,
        Program::Dlx2,
        Program::Dlx2Loop,
        Program::Dlx3,
        Program::Dlx5,
        Program::DlxPre,
        Program::Dlx6,
    ];

    /// The name of the command.
    pub const fn name(self) -> &'static str {
        match self {
            Program::Dlx1 => "dlx1",
            Program::Dlx2 => "dlx2",
            Program::Dlx2Loop => "dlx2-loop",
            Program::Dlx3 => "dlx3",
            Program::Dlx5 => "dlx5",
            Program::DlxPre => "dlx-pre",
            Program::Dlx6 => "dlx6",
        }
    }
}

/// The bits of `v`.
mod show {
    pub const BASICS: i32 = 1;
    pub const CHOICES: i32 = 2;
    pub const DETAILS: i32 = 4;
    /// Of `dlx-pre` only.
    pub const ORIGINALS: i32 = 8;
    /// Of `dlx5` only, like the next.
    pub const TAXES: i32 = 8;
    pub const BEST_COSTS: i32 = 16;
    /// Of `dlx6` only, like the next.
    pub const HITS: i32 = 8;
    pub const SECONDARY: i32 = 16;
    pub const PROFILE: i32 = 128;
    pub const FULL_STATE: i32 = 256;
    pub const TOTALS: i32 = 512;
    pub const WARNINGS: i32 = 1024;
    /// Of `dlx1` only.
    pub const MAX_DEGREE: i32 = 2048;
}

/// Mems between reports, if nothing else is said.
const DELTA: u64 = 10_000_000_000;

/// The round in which `dlx-pre` stops, if nothing else is said.
const ROUNDS: u64 = 10_000_000;

/// What the arguments say; the letters are Knuth's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The program.
    pub program: Program,
    /// `v`: what to tell on the way.
    pub verbosity: i32,
    /// `m`: print solutions whose number is a multiple of this.
    pub spacing: i32,
    /// `s`: choose at random where there is a choice.
    pub seed: Option<i32>,
    /// `c`: the level from which on choices are not shown.
    pub choices_max: i32,
    /// `C`: the level from which on reports stop.
    pub levels_max: i32,
    /// `l`: how far below the deepest level details are shown.
    pub choices_gap: i32,
    /// `d`: mems between reports.
    pub delta: u64,
    /// `t`: stop after so many solutions; `dlx-pre`: in this round.
    pub most: u64,
    /// `T`: stop after so many mems.
    pub timeout: u64,
    /// `k` of `dlx5`: how many of the best solutions are wanted.
    pub best: u32,
    /// `Z` of `dlx6`: stop when there are more nodes of the ZDD.
    pub most_nodes: u64,
    /// `Z` of `dlx5`: each option has one item that begins with each of these.
    pub letters: Vec<u8>,
    /// `z` of `dlx5`: and so many other primary ones; 0 if that is not known.
    pub others: i32,
    /// `h` of `dlx5`: how many options of an item are counted one by one.
    pub look_ahead: i32,
}

impl Settings {
    /// No argument is given.
    pub fn new(program: Program) -> Self {
        let priced = if program == Program::Dlx5 { show::BEST_COSTS } else { 0 };
        Settings {
            program,
            verbosity: show::BASICS + show::WARNINGS + priced,
            spacing: 0,
            seed: None,
            choices_max: 1_000_000,
            levels_max: 1_000_000,
            choices_gap: 1_000_000,
            delta: DELTA,
            most: if program == Program::DlxPre { ROUNDS } else { u64::MAX },
            timeout: 0x1fff_ffff_ffff_ffff,
            best: 1,
            most_nodes: u64::MAX,
            letters: Vec::new(),
            others: 0,
            look_ahead: 10,
        }
    }

    fn shows(&self, bit: i32) -> bool {
        self.verbosity & bit != 0
    }
}

/// Where a program prints.
pub trait Console {
    /// A solution, for standard output. Answers false if nobody wants more of them.
    fn print(&mut self, text: &[u8]) -> bool;

    /// Something for standard error.
    fn say(&mut self, text: &[u8]);

    /// Everything that was said so far should be seen now.
    fn see(&mut self) {}

    /// Whether there is a shape file.
    fn wants_shape(&self) -> bool {
        false
    }

    /// A line for the shape file.
    fn shape(&mut self, _: &[u8]) {}
}
