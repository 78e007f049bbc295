//! `quadrille completions` and `quadrille man`, from the definitions of the command line.

use std::io::{self, Write};

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::cli::args::Args;
use crate::cli::exit::{ExitStatus, Outcome};
use crate::cli::instructions;
use crate::cli::output::write_whole;

/// Prints a completion script.
pub fn completions(shell: clap_complete::Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "quadrille", &mut script);
    write_whole(None, |out| out.write_all(&script))?;
    Ok(ExitStatus::Fine)
}

/// Prints the manual page, one for the program and all its subcommands.
pub fn man() -> Outcome {
    let mut command = Args::command();
    command.build();
    let mut page = Vec::new();
    // Writing to a vector cannot fail.
    let _ = write_page(&command, &mut page);
    write_whole(None, |out| out.write_all(&page))?;
    Ok(ExitStatus::Fine)
}

/// clap_mangen makes a page for each subcommand; here they are sections of one page, so that it refers to
/// none that is not there.
fn write_page(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let man = Man::new(command.clone());
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    write_text(command, page)?;
    let globals: Vec<&str> = command
        .get_arguments()
        .filter(|arg| arg.is_global_set())
        .map(|arg| arg.get_id().as_str())
        .collect();
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        // Once is enough for the flags that all have.
        let hidden =
            globals.iter().fold(sub.clone(), |sub, &id| sub.mut_arg(id, |arg| arg.hide(true)));
        let man = Man::new(hidden);
        writeln!(page, ".SH \"QUADRILLE {}\"", sub.get_name().to_uppercase())?;
        man.render_synopsis_section(page)?;
        man.render_description_section(page)?;
        man.render_options_section(page)?;
        write_text(sub, page)?;
    }
    writeln!(
        page,
        ".SH ENVIRONMENT\n.TP\nNO_COLOR\nif set and not empty: no color, unless \\-\\-color asks for it"
    )?;
    writeln!(page, ".TP\n{}\n{}", instructions::NAME, instructions::ABOUT)
}

/// What stands below the options in `--help`: prose is filled, lines that are indented stay as they are.
fn write_text(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let Some(text) = command.get_after_help() else { return Ok(()) };
    writeln!(page, ".PP")?;
    let mut fills = true;
    for line in text.to_string().lines() {
        if !line.is_empty() && line.starts_with(' ') == fills {
            fills = !fills;
            writeln!(page, "{}", if fills { ".fi" } else { ".nf" })?;
        }
        match line {
            "" => writeln!(page, ".PP")?,
            // `\&` before it, so that no line is taken for a request.
            _ => writeln!(page, "\\&{}", line.replace('\\', "\\e").replace('-', "\\-"))?,
        }
    }
    if fills { Ok(()) } else { writeln!(page, ".fi") }
}
