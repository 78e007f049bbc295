//! Boards and pictures: `generate`, `convert`, `puzzle`, `draw`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum, ValueHint};

use super::Search;
use super::values::{at_least, exporter};
use crate::import::Format as BoardFormat;

/// A board and how to read it.
#[derive(Debug, ClapArgs)]
pub struct Board {
    /// The kind of puzzle; not needed where the board says it, as a URL of puzz.link does
    #[arg(value_name = "KIND")]
    pub kind: Option<OsString>,
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

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  quadrille puzzle slitherlink board.txt
  quadrille puzzle 'https://puzz.link/p?slither/5/5/cbcbcddad'
  quadrille puzzle slitherlink 7x7t0:c2a2a2b1b32a1d11a30d2e13122a3a312a3 --svg=board.svg
  quadrille puzzle slitherlink --batch boards.txt --threads 0

The exit status is that of `solve --unique`: 0 one solution, 1 none, 4 several.
With --batch it is 0 whatever the verdicts, 2 if a line could not be read, 3 if a limit \
or a signal left a board undecided. --stats then counts all boards, conflicts and \
decisions of clause learning; in jsonl each board has its own.")]
pub struct Puzzle {
    #[command(flatten)]
    pub board: Board,
    /// Solve all boards of FILE, one a line: a grid with `/` between its rows, a game ID or a URL; with
    /// --from text, each line is a grid without a doubt.
    /// Prints a line for each: its line number, `unique`, `none`, `several` or `incomplete`, how many
    /// edges or cells are open (`-` if none is known, `17+` if there may be more), and seconds
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
          conflicts_with_all = ["board", "svg", "png", "ascii"])]
    pub batch: Option<PathBuf>,
    /// With --batch: search with N threads (default 1), 0 for as many as there are cores
    #[arg(long, value_name = "N", requires = "batch", value_parser = at_least(0usize))]
    pub threads: Option<usize>,
    /// With --batch: how to print results; jsonl has counts and seconds only with --stats
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

An image holds all solutions, up to 100 without --limit; if %d is in its name, there is one for each \
solution. A problem without a board in its comments is drawn from the names of its items, if they are \
those of cells or edges: regions with walls between them, cells with their colors, or lines.")]
pub struct Draw {
    /// The .dlx file that was solved; its comments hold the board, or its items are named after cells
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub problem: Option<PathBuf>,
    /// Solutions in any format of `solve` but zdd; `-` or nothing for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub solutions: Option<PathBuf>,
    /// Draw the first N solutions only
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    pub limit: Option<u64>,
    #[command(flatten)]
    pub drawing: Drawing,
}
