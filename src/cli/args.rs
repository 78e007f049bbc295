//! The command line as it is typed. What it means is in the file of each subcommand.
//!
//! | file | what |
//! |---|---|
//! | `boards` | boards and pictures |
//! | `search` | searches |
//! | `long` | threads, checkpoints and parts |
//! | `rules` | constraints |
//! | `problems` | what else is done with problems and their solutions |
//! | `knuth` | Knuth's programs |
//! | `values` | the values of flags |
//! | `words` | values that stand behind their flag without `=` |

mod boards;
mod knuth;
pub mod long;
mod problems;
mod rules;
mod search;
mod values;
mod words;

use clap::{ArgAction, Args as ClapArgs, Parser, Subcommand, ValueEnum};

use crate::constraint::registry::flags;
pub use boards::{BatchFormat, BoardArgs, Convert, Draw, DrawingArgs, Generate, Puzzle};
pub use knuth::Knuth;
use knuth::{KNUTH, KNUTH_COSTS, KNUTH_PRE, KNUTH_ZDD};
pub use problems::{Check, EstimateArgs, FilterArgs, Lift, Merge, Reduce, Split};
pub use search::{Branch, FactsOf, SearchArgs, Solve, StatsForm};
pub use values::at_least;
#[cfg(feature = "completions")]
pub use values::kinds;
pub use words::{joined, value_of};

const EXAMPLES: &str = "\
Examples:
  quadrille puzzle slitherlink board.txt  solve a board, prove the solution unique, draw it
  quadrille generate slitherlink board.txt  write the board as a .dlx file
  quadrille solve --loop --unique board.dlx  find the only loop
  quadrille check board.dlx  say what a .dlx file holds
  quadrille generate slitherlink board.txt | dlx2-loop m1  solve the board with Knuth's dlx2-loop

Exit status:
  0  there is a solution, or a file was written; with --unique, there is exactly one solution
  1  the search was complete and found no solution
  2  the command line or an input is wrong
  3  a limit or a signal stopped the run before the answer was complete
  4  with --unique, there is more than one solution";

/// Exact cover with colors in Knuth's .dlx format: generate, solve, prove, draw
#[derive(Debug, Parser)]
#[command(name = "quadrille", version, after_help = EXAMPLES, disable_help_flag = true)]
pub struct Args {
    #[command(flatten)]
    pub common: CommonArgs,
    #[command(subcommand)]
    pub command: Command,
}

/// What all subcommands understand.
#[derive(Debug, Default, ClapArgs)]
#[command(next_help_heading = "General options")]
pub struct CommonArgs {
    /// Print help; -h prints less
    #[arg(short, long, global = true, action = ArgAction::Help)]
    pub help: Option<bool>,
    /// When to use color
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub color: When,
    /// Print only errors on stderr, the reason why an answer is incomplete, and what a flag asks for,
    /// such as --stats and --unique
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Print on stderr which engine answered, and other details
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    #[default]
    Auto,
    Always,
    Never,
}

/// The commands in the groups of `quadrille help`, in the order of [`Command`].
pub const GROUPS: [(&str, &[&str]); 5] = [
    ("Boards of puzzles", &["puzzle", "generate", "convert", "draw"]),
    ("Files in the .dlx format", &["solve", "check", "filter", "estimate", "reduce", "lift"]),
    ("Parts of long searches", &["split", "merge"]),
    (
        "Knuth's programs, with his arguments and his output",
        &["dlx1", "dlx2", "dlx2-loop", "dlx3", "dlx5", "dlx6", "dlx-pre"],
    ),
    ("This program", &["completions", "man", "help"]),
];

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Solve a board, prove it unique, and draw it
    Puzzle(Box<Puzzle>),
    /// Turn a board into a .dlx file
    Generate(Generate),
    /// Write a board in another format
    Convert(Convert),
    /// Draw solutions as boards
    Draw(Draw),
    /// Find the solutions of a .dlx file
    Solve(Box<Solve>),
    /// Say what a .dlx file holds, or verify solutions or a proof
    Check(Box<Check>),
    #[command(about = format!("Pass on the solutions that satisfy {}", flags("or")))]
    Filter(FilterArgs),
    /// Estimate the size of the search tree
    Estimate(EstimateArgs),
    /// Remove options and items that no solution needs
    Reduce(Reduce),
    /// Turn solutions of a reduced file into solutions of the original
    Lift(Lift),
    /// Divide a search into independent parts
    Split(Split),
    /// Combine the results of all parts
    Merge(Merge),
    /// Knuth's dlx1: exact cover
    #[command(after_help = KNUTH)]
    Dlx1(Knuth),
    /// Knuth's dlx2: exact cover with colors
    #[command(after_help = KNUTH)]
    Dlx2(Knuth),
    /// Knuth's dlx2-loop: the edges of color 1 form one cycle
    #[command(after_help = KNUTH)]
    Dlx2Loop(Knuth),
    /// Knuth's dlx3: exact cover with bounds on items
    #[command(after_help = KNUTH)]
    Dlx3(Knuth),
    /// Knuth's dlx5: the cheapest solutions
    #[command(after_help = KNUTH_COSTS)]
    Dlx5(Knuth),
    /// Knuth's dlx6: all solutions as a ZDD
    #[command(after_help = KNUTH_ZDD)]
    Dlx6(Knuth),
    /// Knuth's dlx-pre: removes options and items
    #[command(after_help = KNUTH_PRE)]
    DlxPre(Knuth),
    /// Print a completion script for a shell
    #[cfg(feature = "completions")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

impl Command {
    /// Whether it is one of Knuth's programs, which just die of a signal.
    pub fn is_drop_in(&self) -> bool {
        use Command::{Dlx1, Dlx2, Dlx2Loop, Dlx3, Dlx5, Dlx6, DlxPre};
        matches!(self, Dlx1(_) | Dlx2(_) | Dlx2Loop(_) | Dlx3(_) | Dlx5(_) | Dlx6(_) | DlxPre(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
