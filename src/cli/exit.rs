//! The exit codes, and how a subcommand fails. One table; `docs` and `--help` repeat it.

use std::fmt;
use std::io;
use std::process::ExitCode;

use crate::diagnostic::Diagnostic;
use crate::wording::reason;

/// What a run comes to, as a number for the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// At least one solution, or a written file; with `--unique` exactly one solution.
    Fine = 0,
    /// The search was complete and found no solution.
    Nothing = 1,
    /// Bad usage or bad input.
    Bad = 2,
    /// Stopped by a limit or a signal before the answer was complete.
    Incomplete = 3,
    /// With `--unique`: more than one solution.
    Several = 4,
    /// Knuth's programs under their own names: bad input.
    KnuthPanic = 102,
    /// Knuth's programs under their own names: bad usage.
    KnuthUsage = 255,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// How a subcommand ends.
pub type Outcome = Result<ExitStatus, Failure>;

/// Why a subcommand gives up.
#[derive(Debug)]
pub enum Failure {
    /// Whoever read our results has seen enough: no failure at all.
    BrokenPipe,
    /// The flags do not fit together, or a file is missing.
    Usage(String),
    /// An input is wrong.
    Input {
        /// What messages call the input.
        name: String,
        /// What is wrong, and where.
        diagnostic: Box<Diagnostic>,
    },
    /// An input is well formed, but cannot be used so.
    Refused {
        /// What messages call the input.
        name: String,
        /// The line that it is about.
        line: u64,
        /// What is wrong.
        what: String,
    },
    /// A board is well formed, but the format that was asked for cannot hold it.
    Unwritable {
        /// What messages call the board.
        name: String,
        /// Why not.
        what: String,
    },
    /// A stream failed.
    Io {
        /// Which.
        name: String,
        /// How.
        error: io::Error,
    },
}

impl Failure {
    /// The failure of writing to `name`; a closed pipe is [`Failure::BrokenPipe`].
    pub fn write(name: &str, error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::Io { name: name.to_owned(), error },
        }
    }

    /// The exit code.
    pub fn status(&self) -> ExitStatus {
        match self {
            Failure::BrokenPipe => ExitStatus::Fine,
            _ => ExitStatus::Bad,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::BrokenPipe => f.write_str("the output was closed"),
            Failure::Usage(what) => f.write_str(what),
            Failure::Input { diagnostic, .. } => f.write_str(&diagnostic.what),
            Failure::Refused { what, .. } | Failure::Unwritable { what, .. } => f.write_str(what),
            Failure::Io { error, .. } => f.write_str(&reason(error)),
        }
    }
}
