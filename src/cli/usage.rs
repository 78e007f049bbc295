//! How the command line is read, and what its user is told of it: help, the version, or what is wrong.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use crate::cli::args::{self, Args, CommonArgs};
use crate::cli::exit::{ExitStatus, Failure};
use crate::cli::message::Messages;
use crate::cli::{help, output};
use crate::wording;

/// The command line as it is meant, or what clap has to say to it. Help is laid out only if somebody wants it.
pub fn parse(typed: &[OsString]) -> Result<Args, clap::Error> {
    use ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand};
    Args::try_parse_from(typed).map_err(|error| match error.kind() {
        DisplayHelp | DisplayHelpOnMissingArgumentOrSubcommand => {
            let again = help::command(help::width()).try_get_matches_from(typed);
            again.err().unwrap_or(error)
        }
        _ => error,
    })
}

/// Prints what clap has to say to a command line: help, the version, or what is wrong with it.
pub fn answer(mut error: clap::Error, typed: &[OsString]) -> ExitStatus {
    if !error.use_stderr() {
        return match error.print().and_then(|()| io::stdout().flush()) {
            Ok(()) => ExitStatus::Fine,
            Err(error) => match Failure::write(output::STDOUT, error) {
                // A closed pipe is no reason to complain about the help text.
                Failure::BrokenPipe => ExitStatus::Fine,
                failure => {
                    Messages::new(&CommonArgs::default()).failure(&failure);
                    failure.status()
                }
            },
        };
    }
    let is_word = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(arg)) => !arg.starts_with('-'),
        _ => false,
    };
    if error.kind() == ErrorKind::UnknownArgument
        && is_word
        && let Some(tip) = args::value_of(typed, None)
    {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    temper(&mut error, typed);
    let shown = |word: &OsString| wording::printable(word.as_encoded_bytes(), false);
    if typed.iter().all(|word| shown(word).as_bytes() == word.as_encoded_bytes()) {
        // If stderr is closed there is nobody to tell.
        let _ = error.print();
    } else {
        // clap repeats what was typed as it is: let it complain about words without control characters.
        let error = Args::try_parse_from(typed.iter().map(shown)).err().unwrap_or(error);
        Messages::new(&CommonArgs::default()).say(error.render().to_string().trim_end());
    }
    ExitStatus::Bad
}

/// Takes away what clap guesses about an unknown flag, if it is not close: another flag that shares some letters, or that the
/// flag is meant as a file.
fn temper(error: &mut clap::Error, typed: &[OsString]) {
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return };
    let Some(flag) = flag.strip_prefix("--").filter(|_| error.kind() == ErrorKind::UnknownArgument)
    else {
        return;
    };
    let is_near = |guess: &str| {
        let guess = guess.trim_start_matches('-');
        let most = 1 + flag.len() / 10;
        strsim::osa_distance(guess, flag) <= most || flag.len() >= 3 && guess.starts_with(flag)
    };
    let keeps = match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(guess)) => is_near(guess),
        _ => false,
    };
    if keeps {
        return;
    }
    error.remove(ContextKind::Suggested);
    error.remove(ContextKind::SuggestedArg);
    let mut command = Args::command();
    command.build();
    let name =
        typed.iter().skip(1).find_map(|word| word.to_str().filter(|word| !word.starts_with('-')));
    let usage = match name.and_then(|name| command.find_subcommand_mut(name)) {
        Some(command) => command.render_usage(),
        None => command.render_usage(),
    };
    error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
}
