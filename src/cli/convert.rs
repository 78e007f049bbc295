//! `quadrille convert`: a board in another format.

use crate::cli::args::Convert;
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::message::Messages;
use crate::cli::{board, output};

/// Runs it.
pub fn run(flags: &Convert, messages: &Messages) -> Outcome {
    let board::Read { kind, clues, name } = board::read(&flags.board, messages)?;
    let text = (flags.to.export)(kind, &clues)
        .map_err(|why| Failure::Unwritable { name, what: why.to_string() })?;
    output::write_whole(flags.output.as_deref(), |out| out.write_all(&text))?;
    Ok(ExitStatus::Fine)
}
