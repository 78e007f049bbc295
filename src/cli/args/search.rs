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

/// How to search.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "The search")]
pub struct Search {
    /// The engine; auto chooses by the input and the flags
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    pub engine: EngineName,
    #[command(flatten)]
    pub branch: Branch,
    #[arg(long, help = format!(
        "Keep {} as tests of complete solutions only, to see what pruning saves", flags("and")))]
    pub no_prune: bool,
    /// Stop after this time: 10s, 500ms, 2m, or seconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
    /// Stop beyond this much memory: 500M, 2G, or bytes; nearly all that there is if not given
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory_limit: Option<u64>,
    /// Stop after this many nodes of the search tree; conflicts, if the engine learns. A run with --resume has
    /// as many again
    #[arg(long, value_name = "N", value_parser = at_least(0u64))]
    pub node_limit: Option<u64>,
    /// Show a progress bar on stderr; auto: if that is a terminal
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub progress: When,
    /// Nodes, updates, time and memory on stderr; json: one object, the last line
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true,
          default_missing_value = "text")]
    pub stats: Option<StatsForm>,
}

/// Which tree is searched.
#[derive(Debug, ClapArgs)]
pub struct Branch {
    /// Which item a node of the search tree branches on; solutions come in the order of that tree
    #[arg(long = "branch", value_name = "RULE", value_parser = branching_rule(),
          default_value = RULES[0].name)]
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
  quadrille solve langford.dlx                    all solutions, as dlx2 m1 prints them
  quadrille solve --count queens.dlx              only their number
  quadrille solve --loop --unique board.dlx       one loop, and no other
  quadrille solve --loop --format tour board.dlx  the loop as a walk, as dlx2-loop m1 prints it
  quadrille solve --connected=0 --unique hitori.dlx
  quadrille solve --loop --facts board.dlx        what is forced, and what is open
  quadrille solve --best 3 costs.dlx              the three cheapest (options with costs, `A B |7`)
  quadrille solve --loop --unique --proof p board.dlx      with a proof, in the folder p
  quadrille solve --format zdd domino.dlx         all solutions as a diagram, as dlx6 m1 prints it
  quadrille solve --branch sharp words.dlx        items such as #A first, as dlx2-sharp m1
  quadrille solve --time-limit 10s --stats big.dlx
  quadrille solve --threads 0 big.dlx             with all cores
  quadrille solve --output big.txt --checkpoint big.ck big.dlx
  quadrille solve --output big.txt --resume big.ck big.dlx       after a power cut
  quadrille solve --part 3/16 --count big.dlx     the third of sixteen parts")]
pub struct Solve {
    /// A .dlx file; `-` or nothing for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
    /// Stop after N solutions
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    pub limit: Option<u64>,
    /// Stop after the first solution
    #[arg(long)]
    pub first: bool,
    /// Print every M-th solution only
    #[arg(long, value_name = "M", default_value_t = 1, value_parser = at_least(1u64))]
    pub every: u64,
    /// Print only the number of solutions
    #[arg(long)]
    pub count: bool,
    /// Stop as soon as two solutions are known; exit status 0, 1 or 4
    #[arg(long)]
    pub unique: bool,
    /// With --unique, or where there is no solution: write a proof to the folder DIR that `check`
    /// --proof and public DRAT checkers accept
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub proof: Option<PathBuf>,
    /// What all solutions have in common, a line an item: `name:c`, `name` if none gives it a color, or
    /// `name:?` where they differ; with =options a line an option: `N all`, `N some` or `N none`
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true,
          default_missing_value = "colors")]
    pub facts: Option<FactsOf>,
    /// Find a solution of least cost, and print that alone
    #[arg(long)]
    pub min_cost: bool,
    /// Find the K cheapest solutions, and print them from the cheapest on
    #[arg(long, value_name = "K", value_parser = at_least(1u64))]
    pub best: Option<u64>,
    /// How to print solutions
    #[arg(long, value_name = "FORMAT", value_parser = solution_format(), default_value = FORMATS[0].name)]
    pub format: &'static SolutionFormat,
    /// Put items and options in a random order, fixed by N
    #[arg(long, value_name = "N", value_parser = at_least(0u64))]
    pub seed: Option<u64>,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub search: Search,
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
