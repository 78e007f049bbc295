//! `quadrille convert`: a board in another format.

use crate::cli::args::Convert;
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::message::Messages;
use crate::cli::{board, output};
use crate::import::EXPORTERS;

/// Runs it.
pub fn run(flags: &Convert, messages: &Messages) -> Outcome {
    let board::Read { kind, clues, name } = board::read(&flags.board, messages)?;
    let exporter = EXPORTERS.iter().find(|exporter| exporter.name == flags.to);
    let exporter = exporter.expect("the command line names an exporter");
    let text = (exporter.export)(kind, &clues)
        .map_err(|why| Failure::Unwritable { name, what: why.to_string() })?;
    output::write_whole(flags.output.as_deref(), |out| out.write_all(&text))?;
    Ok(ExitStatus::Fine)
}
