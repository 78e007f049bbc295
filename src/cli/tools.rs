//! `quadrille completions` and `quadrille man`, from the definitions of the command line.

use clap::CommandFactory;

use crate::cli::args::Args;
use crate::cli::exit::{Outcome, Status};
use crate::cli::output::write_whole;

/// Prints a completion script.
pub fn completions(shell: clap_complete::Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "quadrille", &mut script);
    write_whole(None, |out| out.write_all(&script))?;
    Ok(Status::Fine)
}

/// Prints the manual page, one for the program and all its subcommands.
pub fn man() -> Outcome {
    let mut command = Args::command();
    command.build();
    let mut page = Vec::new();
    // Writing to a vector cannot fail.
    let _ = clap_mangen::Man::new(command.clone()).render(&mut page);
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let man = clap_mangen::Man::new(sub.clone());
        page.extend_from_slice(
            format!(".SH \"QUADRILLE {}\"\n", sub.get_name().to_uppercase()).as_bytes(),
        );
        let _ = man.render_synopsis_section(&mut page);
        let _ = man.render_description_section(&mut page);
        let _ = man.render_options_section(&mut page);
    }
    write_whole(None, |out| out.write_all(&page))?;
    Ok(Status::Fine)
}
