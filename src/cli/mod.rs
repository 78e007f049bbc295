//! The command line: the only floor that touches files, standard streams, clocks and terminals.
//!
//! [`run`] is the program. One file per subcommand says what it means; `args` says how it is typed.

mod args;
mod batch;
mod board;
mod canvas;
mod certify;
mod check;
mod checksum;
#[cfg(feature = "completions")]
mod completions;
mod control;
mod convert;
mod draw;
mod drive;
mod estimate;
mod exit;
mod facts;
mod files;
mod filter;
mod generate;
mod guard;
mod help;
mod input;
mod instructions;
mod judge;
mod kinds;
mod knuth;
mod lift;
mod lock;
mod long;
mod man;
mod memory;
mod message;
mod output;
mod progress;
mod proof;
mod prove;
mod puzzle;
mod reduce;
mod rules;
mod session;
mod signals;
mod solve;
mod speed;
mod stats;
mod usage;
mod verify;
mod visitor;
mod zdd;

use std::ffi::OsString;
use std::io;

use args::Command;
pub use exit::ExitStatus;
use exit::{Failure, Outcome};
use message::Messages;

use crate::knuth::Program;

/// How to ask the allocator about memory; `main` has it.
#[derive(Clone, Copy)]
pub struct Memory {
    /// Bytes on the heap now.
    pub now: fn() -> usize,
    /// The most bytes that were ever on it.
    pub peak: fn() -> usize,
}

/// Runs the program on `args`, the first of which is its own name.
pub fn run(args: impl IntoIterator<Item = OsString>, memory: Memory) -> ExitStatus {
    let args: Vec<OsString> = args.into_iter().collect();
    if let Some((program, name, rest)) = knuth::asked_for(&args) {
        return knuth::run(program, &name, rest);
    }
    let typed = args::joined(args);
    let args = match usage::parse(&typed) {
        Ok(args) => args,
        Err(error) => return usage::answer(error, &typed),
    };
    let messages = Messages::new(&args.common);
    signals::on_lack_of_memory();
    if !args.command.is_drop_in() {
        signals::watch();
    }
    if let Err(failure) = instructions::restrict() {
        messages.failure(&failure);
        return failure.status();
    }
    let outcome: Outcome = match args.command {
        Command::Generate(flags) => generate::run(&flags, &messages),
        Command::Convert(flags) => convert::run(&flags, &messages),
        Command::Solve(flags) => solve::run(&flags, &messages, memory),
        Command::Filter(flags) => filter::run(&flags, &messages),
        Command::Draw(flags) => draw::run(&flags, &messages),
        Command::Check(flags) => check::run(&flags, &messages),
        Command::Puzzle(flags) => puzzle::run(&flags, &messages, memory),
        Command::Estimate(flags) => estimate::run(&flags, &messages),
        Command::Reduce(flags) => reduce::run(&flags, &messages),
        Command::Lift(flags) => lift::run(&flags, &messages),
        Command::Dlx1(flags) => return drop_in(Program::Dlx1, &flags),
        Command::Dlx2(flags) => return drop_in(Program::Dlx2, &flags),
        Command::Dlx2Loop(flags) => return drop_in(Program::Dlx2Loop, &flags),
        Command::Dlx3(flags) => return drop_in(Program::Dlx3, &flags),
        Command::Dlx5(flags) => return drop_in(Program::Dlx5, &flags),
        Command::DlxPre(flags) => return drop_in(Program::DlxPre, &flags),
        Command::Dlx6(flags) => return drop_in(Program::Dlx6, &flags),
        Command::Split(flags) => long::split::run(&flags, &messages),
        Command::Merge(flags) => long::merge::run(&flags, &messages),
        #[cfg(feature = "completions")]
        Command::Completions { shell } => completions::run(shell),
        Command::Man => man::run(),
    };
    match outcome {
        Ok(status) => status,
        Err(Failure::BrokenPipe) => ExitStatus::Fine,
        Err(failure) => {
            messages.failure(&failure);
            // A file that is not there may be the value of the flag before it.
            if let Failure::Io { name, error } = &failure
                && error.kind() == io::ErrorKind::NotFound
                && let Some(help) = args::value_of(&typed, Some(name))
            {
                messages.help(&help);
            }
            failure.status()
        }
    }
}

/// One of Knuth's programs after flags of ours, which mean nothing to it.
fn drop_in(program: Program, flags: &args::Knuth) -> ExitStatus {
    knuth::run(program, &format!("quadrille {}", program.name()), &flags.args)
}
