//! `quadrille generate`: a board becomes a `.dlx` file.

use crate::cli::args::Generate;
use crate::cli::exit::{ExitStatus, Outcome};
use crate::cli::message::Messages;
use crate::cli::{board, kinds, output};
use crate::dlx::write::Writer;
use crate::puzzle::Model;

/// Runs it.
pub fn run(flags: &Generate, messages: &Messages) -> Outcome {
    if flags.list {
        return kinds::list(flags.output.as_deref());
    }
    let board::Read { kind, clues, .. } = board::read(&flags.board, messages)?;
    let model = Model { unreduced: flags.unreduced };
    let mut report = None;
    output::write_whole(flags.output.as_deref(), |out| {
        report = Some(kind.write(&clues, model, &mut Writer::new(out))?);
        Ok(())
    })?;
    let report = report.unwrap_or_default();
    if let Some(contradiction) = &report.contradiction {
        messages.note(contradiction);
    }
    if flags.stats {
        for (name, figure) in &report.figures {
            messages.say(&format!("{:<16} {figure}", name.replace('_', " ")));
        }
    }
    Ok(ExitStatus::Fine)
}
