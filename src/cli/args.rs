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

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use crate::constraint::registry::flags;
pub use boards::{BatchFormat, Board, Convert, Draw, Drawing, Generate, Puzzle};
pub use knuth::Knuth;
use knuth::{KNUTH, KNUTH_COSTS, KNUTH_PRE, KNUTH_ZDD};
pub use problems::{Check, Estimate, Filter, Lift, Merge, Reduce, Split};
pub use search::{Branch, FactsOf, Search, Solve, StatsForm};
pub use values::at_least;
pub use words::{joined, value_of};

const EXAMPLES: &str = "\
Examples:
  quadrille puzzle slitherlink board.txt     solve a board, prove it unique, draw it
  quadrille generate slitherlink board.txt   the board as a .dlx file
  quadrille solve --loop --unique board.dlx  the only loop, or whether there is none
  quadrille generate slitherlink board.txt | dlx2-loop m1
                                             chained with Knuth's programs
  quadrille check board.dlx                  what a .dlx file holds

Exit status:
  0  at least one solution, or a written file; with --unique exactly one solution
  1  complete, and no solution
  2  bad usage or input
  3  stopped by a limit or a signal before the answer was complete
  4  with --unique: more than one solution";

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
#[derive(Debug, Default, ClapArgs)]
#[command(next_help_heading = "Messages")]
pub struct Common {
    /// When to use color
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub color: When,
    /// Print nothing on stderr but errors, why an answer is incomplete, and what a flag asks for, such
    /// as --stats and --unique
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
    /// Say what a .dlx file holds and what is odd about it, or verify solutions
    Check(Box<Check>),
    #[command(about = format!("Pass on the solutions that satisfy {}", flags("or")))]
    Filter(Filter),
    /// Estimate the size of the search tree
    Estimate(Estimate),
    /// Remove options and items that no solution needs
    Reduce(Reduce),
    /// Turn solutions of a reduced file into solutions of the original
    Lift(Lift),
    /// Divide a search into independent parts
    Split(Split),
    /// Put the results of all parts together
    Merge(Merge),
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
    /// Knuth's dlx-pre: removes options and items, with his arguments and his output
    #[command(after_help = KNUTH_PRE)]
    DlxPre(Knuth),
    /// Print a completion script for a shell
    Completions { shell: clap_complete::Shell },
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
