//! What else is done with problems and their solutions: `check`, `reduce`, `lift`, `filter`, `estimate`,
//! `split`, `merge`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, ValueHint};

use super::rules::{CONSTRAINTS, Rules};
use super::values::{at_least, board_format, duration, kind, range, solution_format};
use super::{Branch, StatsForm};
use crate::cli::args::long::MOST_PARTS;
use crate::import::Format as BoardFormat;
use crate::solutions::format::SolutionFormat;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille check board.dlx  say what the file holds, and what is odd about it
  quadrille check board.dlx --loop --solutions solutions.txt  verify solutions
  quadrille check board.dlx --loop --proof p  verify the proof that `solve --proof p` wrote
  quadrille check soma.dlx --certificate c  verify the certificate that `solve --certify c` wrote
  quadrille check --kind masyu --board board.txt --solutions tours.txt  verify by the rules of the puzzle

With --solutions, --proof or --certificate the exit status is 0 if all is right, 1 if something is wrong, and 2 if it cannot be \
read. Otherwise it is 0, also if something is odd about the file.")]
pub struct Check {
    /// A .dlx file; `-` or nothing is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Verify that the solutions in FILE are solutions, and that none is there twice; in any format of
    /// `solve` but zdd
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub solutions: Option<PathBuf>,
    /// Verify the proof in the folder DIR; with --solutions, also that it is about that solution
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "kind")]
    pub proof: Option<PathBuf>,
    /// Verify the certificate in FILE, and say what it proves; with the constraints of the search
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["proof", "solutions", "kind"])]
    pub certificate: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
    /// Verify the solutions by the rules of this kind of puzzle
    #[arg(long, value_name = "KIND", value_parser = kind, requires = "board", requires = "solutions",
          conflicts_with = CONSTRAINTS)]
    pub kind: Option<&'static str>,
    /// The board of that puzzle: a file, `-`, or the game ID or URL itself
    #[arg(long, requires = "kind", value_hint = ValueHint::FilePath)]
    pub board: Option<OsString>,
    /// The format of the board; if it is not given, the text of the board tells
    #[arg(long, value_name = "FORMAT", requires = "kind", value_parser = board_format())]
    pub from: Option<BoardFormat>,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille reduce big.dlx --output small.dlx  write the reduced file
  quadrille generate masyu board.txt | quadrille reduce | dlx2-loop m1  reduce for Knuth's programs

The reduced file has the same solutions, as sets of options; `lift` turns them into those of the original. The \
items that --loop and other constraints read are kept.

The exit status is 0, or 3 if a limit or a signal stopped the reduction; the file is written in both cases.")]
pub struct Reduce {
    /// A .dlx file; `-` or nothing is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Go through all options at most N times (default: until nothing more can be removed)
    #[arg(long, value_name = "N", value_parser = at_least(0u64))]
    pub rounds: Option<u64>,
    /// Stop after this time: 10s, 500ms, 2m, or a number of seconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille lift --problem small.dlx --original big.dlx solutions.txt  print solutions of big.dlx
  dlx2 m1 <small.dlx | quadrille lift --problem small.dlx  print them as option numbers

Option numbers and JSON lines are printed in their own format. Options as text need --original, and become option \
numbers without it. With --original, each solution is verified.

The exit status is 0 if there was a solution, 1 if there was none, and 2 if an input is wrong.")]
pub struct Lift {
    /// The reduced .dlx file that was solved, with its comments `| (from n)`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub problem: PathBuf,
    /// The original, from which `reduce` made that file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub original: Option<PathBuf>,
    /// Solutions; `-` or nothing is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub solutions: Option<PathBuf>,
    #[command(flatten)]
    pub branch: Branch,
    /// How to print solutions; if it is not given, in the format of the input
    #[arg(long, value_name = "FORMAT", value_parser = solution_format())]
    pub format: Option<&'static SolutionFormat>,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  dlx2 m1 <board.dlx | quadrille filter --loop --problem board.dlx  print the solutions with one loop
  quadrille filter --connected=0 --problem hitori.dlx solutions.txt  the same for a connected color

Solutions are read as dlx2, ssxcc, xccdc and similar programs print them, as option numbers, or as JSON lines.

The exit status is 0 if a solution passed, 1 if none did, and 2 if an input is wrong.")]
pub struct FilterArgs {
    /// The .dlx file that was solved
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub problem: PathBuf,
    /// Solutions; `-` or nothing is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub solutions: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
    /// Keep the numbers of the solutions, instead of numbering those that pass from 1
    #[arg(long)]
    pub keep_numbers: bool,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille estimate big.dlx  how many nodes and solutions the search tree has
  quadrille estimate --loop --probes 400 board.dlx  ten times the probes, a third of the interval

The tree is the one that the engines links and bits visit. The seconds are those of the engine that is named behind \
them; they vary with the load of the machine. An interval is a 95 percent confidence interval. An \
estimate is called unreliable if one probe makes up more than a tenth of it, or if the ends of its interval differ \
by a factor above 4.")]
pub struct EstimateArgs {
    /// A .dlx file; `-` or nothing is standard input
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
    /// Choose the probes at random, fixed by N
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = at_least(0u64))]
    pub seed: u64,
    /// Stop after this time: 10s, 500ms, 2m, or a number of seconds
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
  quadrille split queens.dlx --parts 16 --output plan  write a plan of 16 parts to the folder plan
  quadrille solve queens.dlx --part 3/16 --plan plan --output plan/part-3.out  search the third part
  quadrille merge plan  combine the results when all parts are done
  quadrille split queens.dlx --parts 16 --copy --output files  write a .dlx file for each part
  quadrille split queens.dlx --from run.ck --parts 4 --output rest  split the rest of a stopped search

Give the flags of the search to `split` as well: --loop and other constraints, --branch, --seed, --no-prune. `solve \
--part I/N` without --plan makes the same parts by itself.")]
pub struct Split {
    /// A .dlx file; `-` or nothing is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Divide the search into N parts of about the same size
    #[arg(long, value_name = "N", value_parser = range(1, MOST_PARTS))]
    pub parts: usize,
    /// Divide the search tree at levels up to D only, instead of wherever it is large
    #[arg(long, value_name = "D", value_parser = at_least(1usize), conflicts_with = "copy")]
    pub depth: Option<usize>,
    /// Write each part as a .dlx file of its own, for any program
    #[arg(long, conflicts_with = "from")]
    pub copy: bool,
    /// Divide what is left of the search that saved this checkpoint
    #[arg(long, value_name = "CHECKPOINT", value_hint = ValueHint::FilePath)]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
    /// Plan a search with --no-prune
    #[arg(long)]
    pub no_prune: bool,
    #[command(flatten)]
    pub branch: Branch,
    /// Plan a search with --seed N
    #[arg(long, value_name = "N", value_parser = at_least(0u64))]
    pub seed: Option<u64>,
    /// The folder for the plan, manifest.json, and for copies
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille merge plan  print the solutions of all parts, or their number
  quadrille merge plan --output all.txt  write them to a file
  quadrille merge rest --before run.txt  combine them with those of a search that was stopped and split

The folder holds what `solve --part I/N --output FILE` has written there: FILE and FILE.done.

Exit status:
  0  all parts are there, and there is a solution
  1  all parts are there, and there is no solution
  2  a part has changed or belongs to another search
  3  parts are missing: a message names them, and a count is that of the others")]
pub struct Merge {
    /// The folder with the parts
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
    /// The results that the search printed before it was stopped and split
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub before: Option<PathBuf>,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}
