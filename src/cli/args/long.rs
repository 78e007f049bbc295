//! The flags of long searches.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args as ClapArgs, ValueHint};

use crate::cli::args::at_least;

/// Threads, checkpoints and parts.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Long searches")]
pub struct Long {
    /// Search with N threads, or with 0 for as many as there are cores; the output is the same
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least(0usize))]
    pub threads: usize,
    /// Save the state of the search to FILE at regular times, and when a limit or a signal ends it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = file())]
    pub checkpoint: Option<PathBuf>,
    /// Save a checkpoint every N seconds; 0 is 20 times a second
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = at_least(0u64))]
    pub every_seconds: u64,
    /// Continue from the checkpoint in FILE. Give the same flags again. New checkpoints go to FILE, too,
    /// unless --checkpoint names another file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = file())]
    pub resume: Option<PathBuf>,
    /// Search only part I of N
    #[arg(long, value_name = "I/N", value_parser = part)]
    pub part: Option<PartArg>,
    /// Take --part from the plan that `split` wrote to DIR
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub plan: Option<PathBuf>,
}

/// Part `number` of `of`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartArg {
    pub number: usize,
    pub of: usize,
}

/// A file that is replaced again and again.
fn file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str() == "-" {
        true => Err("expected a file, not standard input or output"),
        false => Ok(path),
    })
}

impl PartArg {
    /// Reads `number/of`.
    pub fn parse(text: &str) -> Option<PartArg> {
        let (number, of) = text.split_once('/')?;
        let part = PartArg { number: number.parse().ok()?, of: of.parse().ok()? };
        part.is_sound().then_some(part)
    }

    /// Whether there can be such a part.
    pub fn is_sound(self) -> bool {
        (1..=self.of).contains(&self.number) && self.of <= MOST_PARTS
    }
}

fn part(text: &str) -> Result<PartArg, String> {
    PartArg::parse(text)
        .ok_or_else(|| format!("expected I/N such as 3/16, with 1 <= I <= N <= {MOST_PARTS}"))
}

/// The most parts that a search can have.
pub const MOST_PARTS: usize = 1_000_000;
