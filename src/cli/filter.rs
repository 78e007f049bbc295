//! `quadrille filter`: the solutions of a stream that satisfy constraints.

use std::io::BufReader;

use crate::cli::args::FilterArgs;
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::input::{self, Input};
use crate::cli::message::Messages;
use crate::cli::output::Output;
use crate::cli::rules::bind;
use crate::constraint::registry;
use crate::ids::OptionId;
use crate::solutions::catalog::Catalog;
use crate::solutions::record::{Form, Record};
use crate::solutions::stream::{Stream, StreamError};
use crate::solutions::verify::Verifier;
use crate::wording::counted;

/// Runs it.
pub fn run(flags: &FilterArgs, messages: &Messages) -> Outcome {
    if flags.rules.is_empty() {
        return Err(Failure::Usage(format!("filter needs {}", registry::flags("or"))));
    }
    let inputs = [Some(flags.problem.as_path()), flags.solutions.as_deref()];
    input::only_one_stdin("--problem and the solutions", &inputs)?;
    let (name, dlx) = input::read_dlx(input::open(Some(&flags.problem), "a .dlx file")?)?;
    let constraints = bind(&name, &dlx, &flags.rules.asked(), Some(messages))?;
    let mut verifier = Verifier::new(&dlx.problem).under(&constraints);
    let Input { name, bytes } = input::open(flags.solutions.as_deref(), "a stream of solutions")?;
    let catalog = Catalog::new(&dlx.problem);
    let bytes = BufReader::with_capacity(1 << 16, bytes);
    let mut stream = Stream::new(bytes, Some(&catalog), None).trusting();
    let output = Output::open(flags.output.as_deref())?;
    let mut record = Record::default();
    let mut options: Vec<OptionId> = Vec::new();
    let (mut read, mut passed) = (0u64, 0u64);
    let end = loop {
        if stream.may_wait() && output.flush().is_err() {
            break Ok(());
        }
        match stream.next_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(error) => break Err(unreadable(&name, error)),
        }
        let number = match record.form {
            Form::JsonEnd => passed,
            Form::Tour => {
                let what = "a tour does not tell the options of a solution";
                let fault = record.complain_at_head(what);
                let diagnostic = Box::new(fault.expected("options, as solve prints them"));
                break Err(Failure::Input { name, diagnostic });
            }
            _ => {
                read += 1;
                if let Err(fault) = record.cover(&mut options) {
                    break Err(Failure::Input { name, diagnostic: Box::new(fault) });
                }
                if verifier.constraints(&options).is_err() {
                    continue;
                }
                passed += 1;
                if flags.keep_numbers { record.number } else { passed }
            }
        };
        if output.push(|out| record.write(number, out)).is_err() {
            break Ok(());
        }
    };
    // What passed before a fault is out, as with any pipe.
    match output.finish() {
        Err(Failure::BrokenPipe) => return Ok(ExitStatus::Fine),
        finished => finished.and(end)?,
    }
    let verb = if read == 1 { "passes" } else { "pass" };
    messages.note(&format!("{passed} of {} {verb}", counted(read, "solution")));
    Ok(if passed > 0 { ExitStatus::Fine } else { ExitStatus::Nothing })
}

/// The failure of reading a stream of solutions.
pub fn unreadable(name: &str, error: StreamError) -> Failure {
    let name = name.to_owned();
    match error {
        StreamError::Io(error) => Failure::Io { name, error },
        StreamError::Syntax(diagnostic) | StreamError::Foreign(diagnostic) => {
            Failure::Input { name, diagnostic }
        }
    }
}
