//! `quadrille completions`: a script for a shell, from the definitions of the command line.

use clap::{Command, CommandFactory};

use crate::cli::args::{Args, kinds};
use crate::cli::exit::{ExitStatus, Outcome};
use crate::cli::output::write_whole;

/// Commands with an argument KIND. A board may stand in its place, so the command line itself takes any word.
const WITH_KIND: [&str; 4] = ["puzzle", "generate", "convert", "check"];

/// Prints a completion script.
pub fn run(shell: clap_complete::Shell) -> Outcome {
    let with_kinds = |command: Command| command.mut_arg("kind", |arg| arg.value_parser(kinds()));
    let mut command = WITH_KIND
        .into_iter()
        .fold(Args::command(), |command, name| command.mut_subcommand(name, with_kinds));
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "quadrille", &mut script);
    write_whole(None, |out| out.write_all(&script))?;
    Ok(ExitStatus::Fine)
}
