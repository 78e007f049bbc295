//! The command line as it is typed. What it means is in the file of each subcommand.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args as ClapArgs, Parser, Subcommand, ValueEnum, ValueHint};

use crate::cli::long::args::{Long, MOST_PARTS};
use crate::dlx::is_blank;
use crate::import::{EXPORTERS, Format as BoardFormat};
use crate::puzzle::KINDS;

const EXAMPLES: &str = "\
Examples:
  quadrille puzzle slitherlink board.txt          solve a board, prove it unique, draw it
  quadrille generate slitherlink board.txt        the board as a .dlx file
  quadrille solve --loop --unique board.dlx       the only loop, or why there is none
  quadrille generate slitherlink board.txt | dlx2-loop m1      chained with Knuth's programs
  quadrille check board.dlx                       what a .dlx file holds, and what is odd about it

Exit status:
  0  at least one solution, or a written file; with --unique exactly one solution
  1  complete, and no solution
  2  bad usage or input
  3  stopped by a limit or a signal before the answer was complete
  4  with --unique: more than one solution";

const KNUTH: &str = "\
Arguments are a letter and a number in one word; of several with one letter the first counts.
  v<n>     what to tell on stderr, a sum of: 1 statistics, 2 choices, 4 their details, 128 profile,
           256 full states, 512 lengths of lists, 1024 warnings, 2048 largest degree (dlx1)
           (default 1025)
  m<n>     print solutions whose number is a multiple of n (default 0: only count them)
  s<n>     make random choices, fixed by n
  d<n>     mems between reports, 0 for none (default 10000000000)
  c<n>     show choices above level n only
  C<n>     show n levels in reports
  l<n>     show details down to n levels above the deepest so far
  t<n>     stop after n solutions
  T<n>     stop after n mems
  S<file>  write the shape of the search tree to a file

The program also answers to the names of Knuth's programs, for instance through a link.

Exit status: 0 whatever was found, 102 bad input, 255 bad usage.";

const KNUTH_COSTS: &str = "\
Arguments are a letter and a number in one word; of several with one letter the first counts.
  k<n>     find the n cheapest solutions, and show what improves on them (default 1)
  Z<abc>   each option has one primary item that begins with each of these letters
  z<n>     each option has n other primary items: with Z and z, bounds are better
  h<n>     count at most n options of an item one by one (default 10)
  v<n>     what to tell on stderr, a sum of: 1 statistics, 2 choices, 4 their details, 8 taxes,
           16 least costs, 128 profile, 256 full states, 512 lengths of lists, 1024 warnings
           (default 1041)
  m<n>, d<n>, c<n>, C<n>, l<n>, t<n>, T<n>, S<file>: as for dlx2

The program also answers to the names of Knuth's programs, for instance through a link.

Exit status: 0 whatever was found, 102 bad input, 255 bad usage.";

const KNUTH_PRE: &str = "\
Arguments are a letter and a number in one word; of several with one letter the first counts.
  v<n>     what to tell, a sum of: 1 statistics, 2 rounds, 4 what is removed and why, 8 the numbers
           of the options in the output, 512 lengths of lists, 1024 warnings (default 1025)
  t<n>     stop before round n
  d<n>     mems between reports, 0 for none (default 10000000000)
  T<n>     stop after n mems

The program also answers to the names of Knuth's programs, for instance through a link. `reduce`
removes more, and leaves what --loop reads.

Exit status: 0, 102 bad input, 255 bad usage.";

const KNUTH_ZDD: &str = "\
Arguments are a letter and a number in one word; of several with one letter the first counts.
  m<n>     print a ZDD of all solutions, if n is not 0 (default 0: only count them). `5: (~3?2:4)` is
           node 5, which goes to node 2 without option 3 and to node 4 with it; 0 is no solution, 1 is
           one, and the last line leads to the root
  Z<n>     stop when the ZDD has more than n nodes
  v<n>     what to tell on stderr, a sum of: 1 statistics, 2 choices, 4 their details, 8 what was met
           before, 16 secondary items, 128 profile, 256 full states, 512 lengths of lists, 1024
           warnings (default 1025)
  s<n>, d<n>, c<n>, C<n>, l<n>, t<n>, T<n>, S<file>: as for dlx2

The program also answers to the names of Knuth's programs, for instance through a link.

Exit status: 0 whatever was found, 102 bad input, 255 bad usage.";

/// Exact cover with colors in Knuth's .dlx format: generate, solve, prove unique, draw.
#[derive(Debug, Parser)]
#[command(name = "quadrille", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// What all subcommands understand.
#[derive(Debug, ClapArgs)]
pub struct Common {
    /// When to use color
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub color: When,
    /// Nothing on stderr but errors, and what a flag asks for
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say more on stderr
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Turn a board into a .dlx file
    Generate(Generate),
    /// Write a board in another format
    Convert(Convert),
    /// Find the solutions of a .dlx file
    Solve(Box<Solve>),
    /// Pass on the solutions that satisfy --loop or --connected
    Filter(Filter),
    /// Draw solutions as boards
    Draw(Draw),
    /// Say what a .dlx file holds and what is odd about it, or verify solutions
    Check(Box<Check>),
    /// Solve a board, prove it unique, and draw it
    Puzzle(Box<Puzzle>),
    /// Remove options and items that no solution needs
    Reduce(Reduce),
    /// Turn solutions of a reduced file into solutions of the original
    Lift(Lift),
    /// Estimate the size of the search tree
    Estimate(Estimate),
    /// Knuth's dlx1: exact cover, with his arguments and his output
    #[command(after_help = KNUTH)]
    Dlx1(Knuth),
    /// Knuth's dlx2: exact cover with colors, with his arguments and his output
    #[command(after_help = KNUTH)]
    Dlx2(Knuth),
    /// Knuth's dlx2-loop: the edges of color 1 are one cycle, with his arguments and his output
    #[command(after_help = KNUTH)]
    Dlx2Loop(Knuth),
    /// Knuth's dlx3: items with bounds, with his arguments and his output
    #[command(after_help = KNUTH)]
    Dlx3(Knuth),
    /// Knuth's dlx5: the cheapest solutions, with his arguments and his output
    #[command(after_help = KNUTH_COSTS)]
    Dlx5(Knuth),
    /// Knuth's dlx6: all solutions as a ZDD, with his arguments and his output
    #[command(after_help = KNUTH_ZDD)]
    Dlx6(Knuth),
    /// Divide a search into independent parts
    Split(Split),
    /// Put the results of all parts together
    Merge(Merge),
    /// Knuth's dlx-pre: removes options and items, with his arguments and his output
    #[command(after_help = KNUTH_PRE)]
    DlxPre(Knuth),
    /// Print a completion script for a shell
    Completions { shell: clap_complete::Shell },
    /// Print the manual page
    Man,
}

impl Command {
    /// Whether a signal is its own affair: a search has results to hand on, and Knuth's programs just
    /// die of it.
    pub fn minds_signals(&self) -> bool {
        use Command::{
            Dlx1, Dlx2, Dlx2Loop, Dlx3, Dlx5, Dlx6, DlxPre, Estimate, Puzzle, Reduce, Solve,
        };
        matches!(
            self,
            Solve(_)
                | Puzzle(_)
                | Dlx1(_)
                | Dlx2(_)
                | Dlx2Loop(_)
                | Dlx3(_)
                | Dlx5(_)
                | Dlx6(_)
                | Reduce(_)
                | Estimate(_)
                | DlxPre(_)
        )
    }
}

/// The arguments of a program of Knuth's, which it reads itself.
#[derive(Debug, ClapArgs)]
pub struct Knuth {
    /// v1, m1, t2, ...; the problem comes from standard input
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "LETTER-NUMBER")]
    pub args: Vec<OsString>,
}

/// A board and how to read it.
#[derive(Debug, ClapArgs)]
pub struct Board {
    /// The kind of puzzle
    #[arg(value_parser = kind, value_name = "KIND")]
    pub kind: Option<&'static str>,
    /// A file, `-` for standard input, or the game ID or URL itself
    #[arg(value_hint = ValueHint::FilePath)]
    pub board: Option<OsString>,
    /// The format of the board, found out from its text if not given: text, sgt, pzpr,
    /// penpa, kanpen, janko
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<BoardFormat>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille generate slitherlink board.txt --output board.dlx
  quadrille generate slitherlink 'https://puzz.link/p?slither/5/5/cbcbcddad' | quadrille solve --loop")]
pub struct Generate {
    #[command(flatten)]
    pub board: Board,
    /// List the kinds of puzzles
    #[arg(long, conflicts_with_all = ["kind", "board", "from"])]
    pub list: bool,
    /// Masyu: keep an item for every edge, without the reduction of exercise 423
    #[arg(long)]
    pub unreduced: bool,
    /// Masyu: say on stderr what the reduction saved
    #[arg(long)]
    pub stats: bool,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille convert slitherlink board.txt --to url
  quadrille convert hitori 'https://puzz.link/p?hitori/4/4/1114142333214213' --to text
  quadrille convert masyu board.id --to pzpr --output board.txt

A clue that the format cannot hold is an error, and nothing is written.")]
pub struct Convert {
    #[command(flatten)]
    pub board: Board,
    /// The format: text (a grid), sgt (a game ID), pzpr (a pzprv3 file), url (of puzz.link)
    #[arg(long, value_name = "FORMAT", value_parser = exporter)]
    pub to: &'static str,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

/// How to search.
#[derive(Debug, ClapArgs)]
pub struct Search {
    /// The engine; auto chooses by the input and the flags
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    pub engine: Engine,
    /// Keep --loop and --connected as tests of complete solutions only, to see what pruning saves
    #[arg(long)]
    pub no_prune: bool,
    /// Stop after this time: 10s, 500ms, 2m, or seconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
    /// Stop beyond this much memory: 500M, 2G, or bytes; nearly all that there is if not given
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory_limit: Option<u64>,
    /// Stop after this many nodes of the search tree; conflicts, if the engine learns
    #[arg(long, value_name = "N")]
    pub node_limit: Option<u64>,
    /// Show a progress bar on stderr; auto: if that is a terminal
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub progress: When,
    /// Nodes, updates, time and memory on stderr; json: one object, the last line
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true,
          default_missing_value = "text")]
    pub stats: Option<StatsForm>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    Auto,
    Links,
    Bits,
    Learn,
    /// Counts without visiting, with --count; another engine finds solutions
    Memo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StatsForm {
    Text,
    Json,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille solve langford.dlx                    all solutions, as dlx2 m1 prints them
  quadrille solve --count queens.dlx              only their number
  quadrille solve --loop --unique board.dlx       one loop, and no other
  quadrille solve --loop --format tour board.dlx  the loop as a walk, as dlx2-loop m1 prints it
  quadrille solve --connected=0 --unique hitori.dlx
  quadrille solve --loop --facts board.dlx        what is forced, and what is open
  quadrille solve --best 3 costs.dlx              the three cheapest (options with costs, `A B |7`)
  quadrille solve --loop --unique --proof p board.dlx      with a proof, in the folder p
  quadrille solve --time-limit 10s --stats big.dlx
  quadrille solve --threads 0 big.dlx             with all cores
  quadrille solve --output big.txt --checkpoint big.ck big.dlx
  quadrille solve --output big.txt --resume big.ck big.dlx       after a power cut
  quadrille solve --part 3/16 --count big.dlx     the third of sixteen parts")]
pub struct Solve {
    /// A .dlx file; `-` or nothing for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// The edges of color 1 must form exactly one cycle
    #[arg(long = "loop")]
    pub single_loop: bool,
    /// The cells of COLOR (1 if not given) must be rookwise connected; repeatable
    #[arg(long, value_name = "COLOR", num_args = 0..=1, require_equals = true,
          default_missing_value = "1", action = ArgAction::Append, value_parser = color)]
    pub connected: Vec<String>,
    /// Stop after N solutions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Stop after the first solution
    #[arg(long, conflicts_with = "limit")]
    pub first: bool,
    /// Print every M-th solution only
    #[arg(long, value_name = "M", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub every: u64,
    /// Print only the number of solutions
    #[arg(long, conflicts_with = "every")]
    pub count: bool,
    /// Stop as soon as two solutions are known; exit status 0, 1 or 4
    #[arg(long, conflicts_with_all = ["count", "limit", "first", "every"])]
    pub unique: bool,
    /// With --unique, or where there is no solution: write a proof to the folder DIR that `check`
    /// --proof and public DRAT checkers accept
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "seed")]
    pub proof: Option<PathBuf>,
    /// What all solutions have in common, a line an item: `name:c`, or `name:?` where they differ;
    /// with =options a line an option: `N all`, `N some` or `N none`
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true,
          default_missing_value = "colors",
          conflicts_with_all = ["unique", "count", "limit", "first", "every", "seed", "proof", "checkpoint",
                                "resume", "part"])]
    pub facts: Option<FactsOf>,
    /// Find a solution of least cost, and print that alone
    #[arg(long, conflicts_with_all = ["unique", "count", "limit", "first", "every", "facts", "best"])]
    pub min_cost: bool,
    /// Find the K cheapest solutions, and print them from the cheapest on
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..),
          conflicts_with_all = ["unique", "count", "limit", "first", "every", "facts"])]
    pub best: Option<u64>,
    /// How to print solutions
    #[arg(long, value_enum, default_value_t = Format::Knuth)]
    pub format: Format,
    /// Put items and options in a random order, fixed by N
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub search: Search,
    #[command(flatten)]
    pub long: Long,
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
  quadrille split queens.dlx --parts 16 --copy --output files    sixteen .dlx files
  quadrille split queens.dlx --from run.ck --parts 4 --output rest

Without --plan `solve --part I/N` makes the same division by itself.")]
pub struct Split {
    /// A .dlx file; `-` or nothing for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Divide the search into N parts of about the same size
    #[arg(long, value_name = "N", value_parser = parts)]
    pub parts: usize,
    /// Take the tree apart down to level D, instead of where it is large
    #[arg(long, value_name = "D", value_parser = depth, conflicts_with = "copy")]
    pub depth: Option<usize>,
    /// Write each part as a .dlx file of its own, for any program
    #[arg(long, conflicts_with = "from")]
    pub copy: bool,
    /// Divide what a search has left whose checkpoint this is
    #[arg(long, value_name = "CHECKPOINT", value_hint = ValueHint::FilePath)]
    pub from: Option<PathBuf>,
    /// The search is one with --loop
    #[arg(long = "loop")]
    pub single_loop: bool,
    /// The search is one with --connected
    #[arg(long, value_name = "COLOR", num_args = 0..=1, require_equals = true,
          default_missing_value = "1", action = ArgAction::Append, value_parser = color)]
    pub connected: Vec<String>,
    /// The search is one with --no-prune
    #[arg(long)]
    pub no_prune: bool,
    /// The search is one with --seed N
    #[arg(long, value_name = "N")]
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

The folder holds what `solve --part I/N --output FILE` has left there: FILE and FILE.done.
Exit status: 0 all parts are there, with a solution; 1 without any; 2 a part has changed or belongs to
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

/// What `--facts` is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FactsOf {
    /// The colors of items
    Colors,
    /// Which options are chosen
    Options,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// As dlx2 m1
    Knuth,
    /// As dlx2-loop m1; needs --loop
    Tour,
    /// Option numbers, ascending, one solution a line
    Options,
    /// One JSON object a line
    Jsonl,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille estimate big.dlx
  quadrille estimate --loop --probes 400 board.dlx      ten times the work, a third of the width

The tree is that of the engine links: its nodes, its solutions, its time. What cannot be believed is
called unreliable: one probe makes up over a tenth of all, or the ends differ by a factor above 4.")]
pub struct Estimate {
    /// A .dlx file; `-` or nothing for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
    /// Make N probes; each costs as much as 750000 updates of a search
    #[arg(long, value_name = "N", default_value_t = 40,
          value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub probes: u32,
    /// Fixes all that is random
    #[arg(long, value_name = "N", default_value_t = 0)]
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
  quadrille reduce big.dlx --output small.dlx
  quadrille generate masyu board.txt | quadrille reduce | quadrille solve --loop
  quadrille generate masyu board.txt | quadrille reduce | dlx2-loop m1

The reduced file has the same solutions, as sets of options; `lift` tells which. What --loop and
--connected read stays. Exit status: 0, or 3 if a limit or a signal stopped it: what it had come to
is written.")]
pub struct Reduce {
    /// A .dlx file; `-` or nothing for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Look at all options at most N times (default: until nothing can be removed)
    #[arg(long, value_name = "N")]
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
  dlx2 m1 < small.dlx | quadrille lift --problem small.dlx      option numbers of the original

Option numbers and JSON come as they went; options as text need --original, and become option
numbers without it. With --original each solution is verified. Exit status: 0 there was a solution,
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
    /// How to print solutions, instead of as they come
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  dlx2 m1 < board.dlx | quadrille filter --loop --problem board.dlx
  quadrille filter --connected=0 --problem hitori.dlx solutions.txt

Solutions come as the lines of dlx2, ssxcc, xccdc and their kin, as option numbers, or as JSON
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

/// Rules beyond exact cover, for solutions that are there already.
#[derive(Debug, ClapArgs)]
pub struct Rules {
    /// The edges of color 1 must form exactly one cycle
    #[arg(long = "loop")]
    pub single_loop: bool,
    /// The cells of COLOR (1 if not given) must be rookwise connected; repeatable
    #[arg(long, value_name = "COLOR", num_args = 0..=1, require_equals = true,
          default_missing_value = "1", action = ArgAction::Append)]
    pub connected: Vec<String>,
}

/// Where a picture goes.
#[derive(Debug, ClapArgs)]
pub struct Drawing {
    /// Draw as SVG, to FILE if given
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, value_hint = ValueHint::FilePath)]
    pub svg: Option<Option<PathBuf>>,
    /// Draw as PNG, to FILE; `-` for standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["svg", "output"], value_hint = ValueHint::FilePath)]
    pub png: Option<PathBuf>,
    /// Draw with ASCII characters only
    #[arg(long, conflicts_with_all = ["svg", "png"])]
    pub ascii: bool,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille solve --loop board.dlx | quadrille draw --problem board.dlx
  quadrille solve --loop board.dlx | quadrille draw --problem board.dlx --svg=board.svg
  quadrille solve --loop --format tour board.dlx | quadrille draw      without clues
  quadrille solve pentominoes.dlx | quadrille draw --problem pentominoes.dlx --png sheet.png
  quadrille solve dominoes.dlx | quadrille draw --problem dominoes.dlx --svg=tiling-%d.svg

An image holds all solutions, up to 100 without --limit; if %d is in its name, there is one for each
solution. A problem without a board in its comments is drawn from the names of its items, if they are
those of cells or edges: regions with walls between them, or lines.")]
pub struct Draw {
    /// The .dlx file that was solved; its comments hold the board, or its items are named after cells
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub problem: Option<PathBuf>,
    /// Solutions in any format of `solve`; `-` or nothing for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub solutions: Option<PathBuf>,
    /// Draw the first N solutions only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    #[command(flatten)]
    pub drawing: Drawing,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille check board.dlx
  quadrille generate slitherlink board.txt | quadrille check
  quadrille check board.dlx --loop --solutions solutions.txt
  quadrille check --kind masyu --board board.txt --solutions tours.txt
  quadrille check board.dlx --loop --proof p      the proof that `solve --loop --unique --proof p` wrote

With --solutions or --proof the exit status is 0 if all is right, 1 if something is wrong, 2 if it cannot
be read.")]
pub struct Check {
    /// A .dlx file; `-` or nothing for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Verify these solutions, in any format of `solve`: covers, and none twice
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub solutions: Option<PathBuf>,
    /// Check the proof in the folder DIR; with --solutions, also that it is about that solution
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "kind")]
    pub proof: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
    /// Verify them by the rules of this kind of puzzle
    #[arg(long, value_name = "KIND", value_parser = kind, requires = "board", requires = "solutions",
          conflicts_with_all = ["single_loop", "connected"])]
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
  quadrille puzzle slitherlink board.txt
  quadrille puzzle slitherlink 7x7t0:c2a2a2b1b32a1d11a30d2e13122a3a312a3 --svg=board.svg
  quadrille puzzle slitherlink --batch boards.txt --threads 0

The exit status is that of `solve --unique`: 0 one solution, 1 none, 4 several. With --batch it is 0,
2 if a line could not be read, 3 if a limit or a signal left a board undecided.")]
pub struct Puzzle {
    #[command(flatten)]
    pub board: Board,
    /// Solve all boards of FILE, one a line: a grid with `/` between its rows, a game ID or a URL.
    /// Prints a line for each: its line number, `unique`, `none` or `several`, how many edges or cells
    /// are open, and seconds
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
          conflicts_with_all = ["board", "svg", "png", "ascii"])]
    pub batch: Option<PathBuf>,
    /// With --batch: search with N threads (default 1), 0 for as many as there are cores
    #[arg(long, value_name = "N", requires = "batch")]
    pub threads: Option<usize>,
    /// With --batch: how to print results; jsonl has seconds only with --stats
    #[arg(long, value_enum, requires = "batch")]
    pub format: Option<BatchFormat>,
    #[command(flatten)]
    pub drawing: Drawing,
    #[command(flatten)]
    pub search: Search,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BatchFormat {
    /// Line, verdict, open, seconds; the default
    Text,
    /// One JSON object a line
    Jsonl,
}

/// A number of parts.
fn parts(text: &str) -> Result<usize, String> {
    let parts = text.parse().ok().filter(|parts| (1..=MOST_PARTS).contains(parts));
    parts.ok_or_else(|| format!("expected a number from 1 to {MOST_PARTS}"))
}

/// A level of a tree, from 1.
fn depth(text: &str) -> Result<usize, String> {
    let depth = text.parse().ok().filter(|&depth| depth > 0);
    depth.ok_or_else(|| "expected a number from 1".into())
}

/// The name of a kind, from any of its aliases.
fn kind(name: &str) -> Result<&'static str, String> {
    let known =
        || KINDS.iter().flat_map(|kind| kind.aliases().iter().copied().chain([kind.name()]));
    match crate::puzzle::find(name) {
        Some(kind) => Ok(kind.name()),
        None => {
            let near = known()
                .map(|known| (strsim::levenshtein(known, &name.to_lowercase()), known))
                .filter(|&(distance, _)| distance <= 2)
                .min();
            let guess = near.map(|(_, near)| format!("; did you mean `{near}`?"));
            let names: Vec<&str> = KINDS.iter().map(|kind| kind.name()).collect();
            Err(format!("expected {}{}", names.join(", "), guess.unwrap_or_default()))
        }
    }
}

/// The name of a format that boards are written in.
fn exporter(name: &str) -> Result<&'static str, String> {
    let names = || EXPORTERS.iter().map(|exporter| exporter.name);
    names()
        .find(|&known| known == name)
        .ok_or_else(|| format!("expected {}", names().collect::<Vec<&str>>().join(", ")))
}

/// A color as it may stand in a file.
fn color(text: &str) -> Result<String, String> {
    let legal = !text.is_empty() && !text.contains([':', '|', '\0']) && !text.bytes().any(is_blank);
    match legal || text == ":" || text == "|" {
        true => Ok(text.to_owned()),
        false => Err("expected a color: `:`, `|`, or text without blank, `:` and `|`".into()),
    }
}

/// A duration with a unit, or a number of seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let seconds = || text.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    let parsed = humantime::parse_duration(text).ok().or_else(seconds);
    parsed.ok_or_else(|| "expected a time such as 10s, 500ms, 2m or 1h30m".into())
}

/// A number of bytes, with K, M, G or T for powers of 1024.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let power = match text[digits.len()..]
        .to_ascii_uppercase()
        .trim_end_matches("IB")
        .trim_end_matches('B')
    {
        "" => Some(0),
        "K" => Some(1),
        "M" => Some(2),
        "G" => Some(3),
        "T" => Some(4),
        _ => None,
    };
    let number: Option<u64> = digits.parse().ok();
    let bytes = number.zip(power).and_then(|(n, power)| n.checked_mul(1 << (10 * power)));
    bytes.ok_or_else(|| "expected a size such as 500M or 2G".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn reads_times_and_sizes() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2.5"), Ok(Duration::from_millis(2500)));
        assert!(duration("-1").is_err() && duration("soon").is_err() && duration("1e400").is_err());
        assert_eq!((size("2G"), size("17"), size("3KiB")), (Ok(2 << 30), Ok(17), Ok(3072)));
        assert!(size("99999999999T").is_err() && size("G").is_err() && size("1X").is_err());
    }
}
