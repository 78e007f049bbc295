//! What else is done with problems and their solutions: `check`, `reduce`, `lift`, `filter`, `estimate`,
//! `split`, `merge`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, ValueHint};

use super::rules::{CONSTRAINTS, Rules};
use super::values::{at_least, duration, kind, range, solution_format};
use super::{Branch, StatsForm};
use crate::cli::args::long::MOST_PARTS;
use crate::import::Format as BoardFormat;
use crate::solutions::format::SolutionFormat;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille check board.dlx
  quadrille generate slitherlink board.txt | quadrille check
  quadrille check board.dlx --loop --solutions solutions.txt
  quadrille check --kind masyu --board board.txt --solutions tours.txt
  quadrille check board.dlx --loop --proof p      the proof that solve wrote

With --solutions or --proof the exit status is 0 if all is right, 1 if something is wrong, 2 if it cannot \
be read.")]
pub struct Check {
    /// A .dlx file; `-` or nothing for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Verify these solutions, in any format of `solve` but zdd: covers, and none twice
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub solutions: Option<PathBuf>,
    /// Check the proof in the folder DIR; with --solutions, also that it is about that solution
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "kind")]
    pub proof: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
    /// Verify them by the rules of this kind of puzzle
    #[arg(long, value_name = "KIND", value_parser = kind, requires = "board", requires = "solutions",
          conflicts_with = CONSTRAINTS)]
    pub kind: Option<&'static str>,
    /// The board of that puzzle: a file, `-`, or the game ID or URL itself
    #[arg(long, requires = "kind", value_hint = ValueHint::FilePath)]
    pub board: Option<OsString>,
    /// The format of the board, found out from its text if not given: text, sgt, pzpr,
    /// penpa, kanpen, janko
    #[arg(long, value_name = "FORMAT", requires = "kind")]
    pub from: Option<BoardFormat>,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille reduce big.dlx --output small.dlx
  quadrille generate masyu board.txt | quadrille reduce | quadrille solve --loop
  quadrille generate masyu board.txt | quadrille reduce | dlx2-loop m1

The reduced file has the same solutions, as sets of options; `lift` tells which. What constraints \
read stays. Exit status: 0, or 3 if a limit or a signal stopped it: what it had come to is written.")]
pub struct Reduce {
    /// A .dlx file; `-` or nothing for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Look at all options at most N times (default: until nothing can be removed)
    #[arg(long, value_name = "N", value_parser = at_least(0u64))]
    pub rounds: Option<u64>,
    /// Stop after this time: 10s, 500ms, 2m, or seconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille solve small.dlx | quadrille lift --problem small.dlx --original big.dlx
  dlx2 m1 < small.dlx | quadrille lift --problem small.dlx

Option numbers and JSON come as they went; options as text need --original, and become option \
numbers without it. With --original each solution is verified. Exit status: 0 there was a solution, \
1 there was none, 2 bad input.")]
pub struct Lift {
    /// The reduced .dlx file that was solved, with its comments `| (from n)`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub problem: PathBuf,
    /// The file that it was made from
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub original: Option<PathBuf>,
    /// Solutions; `-` or nothing for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub solutions: Option<PathBuf>,
    #[command(flatten)]
    pub branch: Branch,
    /// How to print solutions, instead of as they come
    #[arg(long, value_name = "FORMAT", value_parser = solution_format())]
    pub format: Option<&'static SolutionFormat>,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  dlx2 m1 < board.dlx | quadrille filter --loop --problem board.dlx
  quadrille filter --connected=0 --problem hitori.dlx solutions.txt

Solutions come as the lines of dlx2, ssxcc, xccdc and their kin, as option numbers, or as JSON \
lines. Exit status: 0 some solution passed, 1 none did, 2 bad input.")]
pub struct Filter {
    /// The .dlx file that was solved
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub problem: PathBuf,
    /// Solutions; `-` or nothing for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub solutions: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
    /// Keep the numbers that the solutions have, instead of counting those that pass
    #[arg(long)]
    pub keep_numbers: bool,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille estimate big.dlx
  quadrille estimate --loop --probes 400 board.dlx      a third of the width

The tree is that of the engine links: its nodes and solutions, and the time for visiting it. What cannot be believed is \
called unreliable: one probe makes up over a tenth of all, or the ends differ by a factor above 4.")]
pub struct Estimate {
    /// A .dlx file; `-` or nothing for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
    #[command(flatten)]
    pub branch: Branch,
    /// Make N probes; each costs as much as 600000 updates of a search
    #[arg(long, value_name = "N", default_value_t = 40,
          value_parser = range(2u32, 1_000_000))]
    pub probes: u32,
    /// Fixes all that is random
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = at_least(0u64))]
    pub seed: u64,
    /// Stop after this time: 10s, 500ms, 2m, or seconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
    /// How to print the estimate
    #[arg(long, value_enum, default_value_t = StatsForm::Text)]
    pub format: StatsForm,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille split queens.dlx --parts 16 --output plan
  quadrille solve queens.dlx --part 3/16 --plan plan --output plan/part-3.out
  quadrille merge plan                            when all are done
  quadrille split queens.dlx --parts 16 --copy --output files
  quadrille split queens.dlx --from run.ck --parts 4 --output rest

Without --plan `solve --part I/N` makes the same division by itself.")]
pub struct Split {
    /// A .dlx file; `-` or nothing for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Divide the search into N parts of about the same size
    #[arg(long, value_name = "N", value_parser = range(1, MOST_PARTS))]
    pub parts: usize,
    /// Take the tree apart down to level D, instead of where it is large
    #[arg(long, value_name = "D", value_parser = at_least(1usize), conflicts_with = "copy")]
    pub depth: Option<usize>,
    /// Write each part as a .dlx file of its own, for any program
    #[arg(long, conflicts_with = "from")]
    pub copy: bool,
    /// Divide what a search has left whose checkpoint this is
    #[arg(long, value_name = "CHECKPOINT", value_hint = ValueHint::FilePath)]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
    /// The search is one with --no-prune
    #[arg(long)]
    pub no_prune: bool,
    #[command(flatten)]
    pub branch: Branch,
    /// The search is one with --seed N
    #[arg(long, value_name = "N", value_parser = at_least(0u64))]
    pub seed: Option<u64>,
    /// The folder for the plan, manifest.json, and for copies
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille merge plan                            the solutions or the count of all parts
  quadrille merge plan --output all.txt
  quadrille merge rest --before run.txt           of a search that was stopped and split

The folder holds what `solve --part I/N --output FILE` has left there: FILE and FILE.done. \
Exit status: 0 all parts are there, with a solution; 1 without any; 2 a part has changed or belongs to \
another search; 3 parts are missing: they are named, and a count is that of the others.")]
pub struct Merge {
    /// The folder with the parts
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
    /// What the search had printed before it was stopped and split
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub before: Option<PathBuf>,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}
