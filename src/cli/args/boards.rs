//! Boards and pictures: `generate`, `convert`, `puzzle`, `draw`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum, ValueHint};

use super::SearchArgs;
use super::values::{at_least, board_format, exporter};
use crate::import::{Exporter, Format as BoardFormat};

/// A board and how to read it.
#[derive(Debug, ClapArgs)]
pub struct BoardArgs {
    /// The kind of puzzle; not needed where the board says it, as a URL of puzz.link does
    #[arg(value_name = "KIND")]
    pub kind: Option<OsString>,
    /// A file, `-` for standard input, or the game ID or URL itself
    #[arg(value_hint = ValueHint::FilePath)]
    pub board: Option<OsString>,
    /// The format of the board; if it is not given, the text of the board tells
    #[arg(long, value_name = "FORMAT", value_parser = board_format())]
    pub from: Option<BoardFormat>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille generate slitherlink board.txt --output board.dlx  write the problem to a file
  quadrille generate masyu board.txt | quadrille solve --loop  solve it at once
  quadrille generate 'https://puzz.link/p?slither/5/5/cbcbcddad'  read the board from an address")]
pub struct Generate {
    #[command(flatten)]
    pub board: BoardArgs,
    /// List the kinds of puzzles, with their rules and clues
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
  quadrille convert slitherlink board.txt --to url  print the address of the board
  quadrille convert 'https://puzz.link/p?slither/5/5/cbcbcddad' --to text  print the board as a grid
  quadrille convert masyu board.id --to pzpr --output board.txt  write a pzprv3 file

A clue that the format cannot hold is an error. Then nothing is written.")]
pub struct Convert {
    #[command(flatten)]
    pub board: BoardArgs,
    /// The format to write
    #[arg(long, value_name = "FORMAT", value_parser = exporter())]
    pub to: &'static Exporter,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille puzzle slitherlink board.txt  a board in a file
  quadrille puzzle 'https://puzz.link/p?slither/5/5/cbcbcddad'  an address tells the kind
  quadrille puzzle slitherlink 3x3t0:3a1d0a --svg=board.svg  a game ID; the drawing goes to a file
  quadrille puzzle slitherlink --batch boards.txt --threads 0  many boards, with all cores

Exit status:
  0  there is exactly one solution
  1  there is no solution
  2  the command line or the board is wrong
  3  a limit or a signal stopped the run before the answer was complete
  4  there is more than one solution

With --batch, the exit status is 0 whatever the verdicts are, 2 if a line cannot be read, and 3 if a limit or a \
signal left a board undecided. --stats then counts all boards together; in jsonl each board has its own counts.")]
pub struct Puzzle {
    #[command(flatten)]
    pub board: BoardArgs,
    /// List the kinds of puzzles, with their rules and clues
    #[arg(long, conflicts_with_all = ["kind", "board", "from", "batch"])]
    pub list: bool,
    /// Solve all boards of FILE, one a line
    ///
    /// A line is a grid with `/` between its rows, a game ID or a URL. With --from text, each line is a
    /// grid.
    ///
    /// The result is a line for each board: its line number, `unique`, `none`, `several` or `incomplete`,
    /// how many edges or cells are open (`-` if that is not known, `17+` if there may be more), and the
    /// seconds.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
          conflicts_with_all = ["board", "svg", "png", "ascii"], help_heading = "Many boards")]
    pub batch: Option<PathBuf>,
    /// With --batch: search with N threads (default 1), or with 0 for as many as there are cores
    #[arg(long, value_name = "N", requires = "batch", value_parser = at_least(0usize),
          help_heading = "Many boards")]
    pub threads: Option<usize>,
    /// With --batch: how to print results; jsonl has counts and seconds only with --stats
    #[arg(long, value_enum, requires = "batch", help_heading = "Many boards")]
    pub format: Option<BatchFormat>,
    #[command(flatten)]
    pub drawing: DrawingArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BatchFormat {
    /// Line, verdict, open, seconds; the default
    Text,
    /// One JSON object a line
    Jsonl,
}

/// Where a picture goes.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub struct DrawingArgs {
    /// Draw as SVG, to FILE if it is given
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, value_hint = ValueHint::FilePath)]
    pub svg: Option<Option<PathBuf>>,
    /// Draw as PNG, to FILE; `-` is standard output
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
  quadrille solve --loop board.dlx | quadrille draw --problem board.dlx  draw in the terminal
  quadrille solve --loop --format tour board.dlx | quadrille draw  draw loops without clues
  quadrille draw --problem board.dlx --svg=board.svg solutions.txt  draw all solutions in one image
  quadrille draw --problem pent.dlx --png=tiling-%d.png solutions.txt  draw an image for each solution

An image holds all solutions, but at most 100 unless --limit is given. If %d stands in its name, there is one \
image for each solution, and its number stands there.

A problem without a board in its comments is drawn from the names of its items, if these are names of cells or \
edges (docs/names.md): as regions with walls between them, as cells with their colors, or as lines.")]
pub struct Draw {
    /// The .dlx file that was solved; its comments hold the board, or its items have names of cells
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub problem: Option<PathBuf>,
    /// Solutions in any format of `solve` but zdd; `-` or nothing is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub solutions: Option<PathBuf>,
    /// Draw the first N solutions only
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    pub limit: Option<u64>,
    #[command(flatten)]
    pub drawing: DrawingArgs,
}
