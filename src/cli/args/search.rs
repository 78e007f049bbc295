//! Searches: `solve`, and what it has in common with others.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, ValueEnum, ValueHint};

use super::When;
use super::rules::Rules;
use super::values::{at_least, branching_rule, duration, size, solution_format};
use crate::branch::{RULES, Rule};
use crate::cli::args::long::Long;
use crate::constraint::registry::flags;
use crate::query::EngineName;
use crate::solutions::format::{FORMATS, SolutionFormat};

const QUESTION: &str = "What is asked";
const OUTPUT: &str = "Output";
const ENGINES: &str = "Engines";

/// How to search.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Limits")]
pub struct SearchArgs {
    /// Which engine searches; auto chooses by the input and the flags
    #[arg(long, value_enum, default_value_t = EngineName::Auto, help_heading = ENGINES)]
    pub engine: EngineName,
    #[command(flatten)]
    pub branch: Branch,
    #[arg(long, help_heading = ENGINES, help = format!(
        "Test {} on complete solutions only, to see what pruning saves", flags("and")))]
    pub no_prune: bool,
    /// Stop after this time: 10s, 500ms, 2m, or a number of seconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
    /// Stop when more memory than this is used: 500M, 2G, or a number of bytes (default: nearly all memory)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory_limit: Option<u64>,
    /// Stop after N nodes of the search tree, or N conflicts if the engine is learn; a run with --resume
    /// counts from 0 again
    #[arg(long, value_name = "N", value_parser = at_least(0u64))]
    pub node_limit: Option<u64>,
    /// Show a progress bar on stderr; auto shows it if stderr is a terminal
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN", help_heading = OUTPUT)]
    pub progress: When,
    /// Print nodes, updates, time and memory on stderr; json prints one object on the last line
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true,
          default_missing_value = "text", help_heading = OUTPUT)]
    pub stats: Option<StatsForm>,
}

/// Which tree is searched.
#[derive(Debug, ClapArgs)]
pub struct Branch {
    /// Which item a node of the search tree branches on; solutions come in the order of that tree
    #[arg(long = "branch", value_name = "RULE", value_parser = branching_rule(),
          default_value = RULES[0].name, help_heading = ENGINES)]
    pub rule: &'static Rule,
}

impl Branch {
    /// Whether it is the rule that needs no flag.
    pub fn is_default(&self) -> bool {
        std::ptr::eq(self.rule, &RULES[0])
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StatsForm {
    Text,
    Json,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille solve langford.dlx  print all solutions, as `dlx2 m1` does
  quadrille solve --count queens.dlx  print only their number
  quadrille solve --loop --unique board.dlx  find the loop, and prove that there is no other
  quadrille solve --loop --format tour board.dlx  print each loop as a walk, as `dlx2-loop m1` does
  quadrille solve --connected=0 hitori.dlx  require that the cells of color 0 are connected
  quadrille solve --loop --facts board.dlx  print what all solutions have in common
  quadrille solve --best 3 costs.dlx  print the three cheapest solutions
  quadrille solve --loop --unique --proof p board.dlx  write a proof to the folder p
  quadrille solve --count --certify c soma.dlx  write a certificate of the count to the file c
  quadrille solve --format zdd domino.dlx  print all solutions as a ZDD, as `dlx6 m1` does
  quadrille solve --branch sharp words.dlx  branch on items such as #A first, as `dlx2-sharp m1` does
  quadrille solve --time-limit 10s --stats big.dlx  stop after ten seconds, and print statistics
  quadrille solve --threads 0 big.dlx  search with all cores
  quadrille solve --checkpoint big.ck --output big.txt big.dlx  save the state once a minute
  quadrille solve --resume big.ck --output big.txt big.dlx  continue that search
  quadrille solve --part 3/16 --count big.dlx  search the third of sixteen parts")]
pub struct Solve {
    /// A .dlx file; `-` or nothing is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
    /// Stop after N solutions
    #[arg(long, value_name = "N", value_parser = at_least(1u64), help_heading = QUESTION)]
    pub limit: Option<u64>,
    /// Stop after the first solution
    #[arg(long, help_heading = QUESTION)]
    pub first: bool,
    /// Print only the number of solutions
    #[arg(long, help_heading = QUESTION)]
    pub count: bool,
    /// Find out whether there is exactly one solution: stop as soon as two are known. The exit status is
    /// 0 for one, 1 for none, 4 for more
    #[arg(long, help_heading = QUESTION)]
    pub unique: bool,
    /// With --unique, or where there is no solution: write a proof to the folder DIR, which `check
    /// --proof` and public DRAT checkers accept
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = QUESTION)]
    pub proof: Option<PathBuf>,
    /// Write a certificate of the answer to FILE, the tree of the search, which `check --certificate` replays
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = QUESTION)]
    pub certify: Option<PathBuf>,
    /// Print what all solutions have in common
    ///
    /// Each item has a line: `name:c` if all solutions give it the color c,
    /// `name` if none colors it, `name:?` if they differ. With =options, each option has a line: `N all`,
    /// `N some` or `N none`.
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true,
          default_missing_value = "colors", help_heading = QUESTION)]
    pub facts: Option<FactsOf>,
    /// Find a solution of least cost, and print only that
    #[arg(long, help_heading = QUESTION)]
    pub min_cost: bool,
    /// Find the K cheapest solutions, and print them from the cheapest on
    #[arg(long, value_name = "K", value_parser = at_least(1u64), help_heading = QUESTION)]
    pub best: Option<u64>,
    /// How to print solutions
    #[arg(long, value_name = "FORMAT", value_parser = solution_format(), default_value = FORMATS[0].name,
          help_heading = OUTPUT)]
    pub format: &'static SolutionFormat,
    /// Print only every M-th solution
    #[arg(long, value_name = "M", default_value_t = 1, value_parser = at_least(1u64), help_heading = OUTPUT)]
    pub every: u64,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub search: SearchArgs,
    /// Put items and options in a random order, fixed by N
    #[arg(long, value_name = "N", value_parser = at_least(0u64), help_heading = ENGINES)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub long: Long,
}

/// What `--facts` is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FactsOf {
    /// The colors of items
    Colors,
    /// Which options are chosen
    Options,
}
