//! `quadrille generate`: a board becomes a `.dlx` file.

use crate::cli::args::Generate;
use crate::cli::exit::{ExitStatus, Outcome};
use crate::cli::message::Messages;
use crate::cli::{board, output};
use crate::dlx::write::Writer;
use crate::puzzle::{KINDS, Model};

/// Runs it.
pub fn run(flags: &Generate, messages: &Messages) -> Outcome {
    if flags.list {
        return list(flags);
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

/// `--list`: the kinds, their other names, their flags, their rules.
fn list(flags: &Generate) -> Outcome {
    output::write_whole(flags.output.as_deref(), |out| {
        for kind in KINDS {
            let flags: Vec<String> = kind.constraints().iter().map(|one| one.to_string()).collect();
            let flags = flags.join(" ");
            writeln!(out, "{:<12} {:<14} {}", kind.name(), flags, kind.rule())?;
            writeln!(
                out,
                "{:<27} also {}; clues {}",
                "",
                kind.aliases().join(", "),
                kind.legend()
            )?;
        }
        Ok(())
    })?;
    Ok(ExitStatus::Fine)
}
