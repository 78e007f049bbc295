//! `quadrille solve --facts`: what all solutions have in common.
//!
//! A line an item, in the order of the file: `01:1` where all solutions agree, `01:?` where they
//! differ, and `01` alone, as an option would write it, where none gives it a color. Items that no
//! option colors are left out.

use crate::cli::args::{FactsOf, Solve};
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::message::Messages;
use crate::cli::output::Output;
use crate::cli::rules::bind;
use crate::cli::session::Session;
use crate::cli::solve::{asker, note_none};
use crate::cli::{Memory, input};
use crate::problem::Problem;
use crate::query::Goal;
use crate::query::table::Feature;
use crate::search::learn::backbone::{Facts, Presence, Shared, Subject};
use crate::solutions::json::quoted;
use crate::solutions::jsonl::JSONL;

/// Runs it.
pub fn run(flags: &Solve, asked: &[Feature], messages: &Messages, memory: Memory) -> Outcome {
    let session = Session::start(&flags.search, messages, memory);
    session.control.tick(None);
    let (name, dlx) = input::read_dlx(input::open(flags.file.as_deref(), "a .dlx file")?)?;
    session.admit(&name, &dlx, asked)?;
    let constraints = bind(&name, &dlx, &flags.rules.asked(), Some(messages))?;
    messages.note_one_thread(flags.long.threads, "--facts has one");
    if dlx.problem.colors() == 0 && flags.facts != Some(FactsOf::Options) {
        messages.warning(&name, 0, "no option colors an item; --facts=options tells of options");
    }
    let read = session.control.elapsed();
    let output = Output::open(flags.output.as_deref())?;
    let subject = match flags.facts {
        Some(FactsOf::Options) => Subject::Options,
        _ => Subject::Colors,
    };
    let query = session.query(&dlx.problem, constraints, Goal::Facts);
    let (answer, facts) = session.facts(&query, subject, &output);
    let json = flags.format.is(&JSONL);
    // A failed push is remembered, and `finish` reports it.
    let _ = output.push(|out| {
        if let Some(facts) = &facts {
            write_colors(&dlx.problem, facts, json, out);
            write_options(facts, json, out);
        }
        if json {
            let solvable = match (&facts, answer.exhausted) {
                (Some(Facts { models: 1.., .. }), _) => "true",
                (_, true) => "false",
                (_, false) => "null",
            };
            let complete = answer.exhausted;
            let end = format!("{{\"v\":1,\"complete\":{complete},\"solvable\":{solvable}}}\n");
            out.extend_from_slice(end.as_bytes());
        }
    });
    match output.finish() {
        Err(Failure::BrokenPipe) => return Ok(ExitStatus::Fine),
        finished => finished?,
    }
    session.print_stats(&answer, read);
    if !answer.exhausted {
        let what = match &facts {
            Some(facts) if facts.models > 0 => "only what is proved so far",
            _ => "only what is proved so far, should there be a solution",
        };
        session.print_incomplete_as(what, &answer);
        return Ok(ExitStatus::Incomplete);
    }
    if facts.is_none_or(|facts| facts.models == 0) {
        note_none(&dlx.problem, asker(flags), messages);
        return Ok(ExitStatus::Nothing);
    }
    Ok(ExitStatus::Fine)
}

fn write_colors(problem: &Problem, facts: &Facts, json: bool, out: &mut Vec<u8>) {
    for &(item, shared) in &facts.colors {
        let name = problem.name(item);
        if json {
            let fact = match shared {
                Shared::Color(color) => format!("\"color\":{}", quoted(problem.color_name(color))),
                Shared::Uncolored => "\"color\":null".into(),
                Shared::Differs => "\"differs\":true".into(),
                Shared::Unknown => continue,
            };
            let line = format!("{{\"v\":1,\"item\":{},{fact}}}\n", quoted(name));
            out.extend_from_slice(line.as_bytes());
            continue;
        }
        let color: &[u8] = match shared {
            Shared::Color(color) => problem.color_name(color),
            Shared::Differs => b"?",
            Shared::Uncolored => b"",
            Shared::Unknown => continue,
        };
        out.extend_from_slice(name);
        if !color.is_empty() {
            out.push(b':');
            out.extend_from_slice(color);
        }
        out.push(b'\n');
    }
}

fn write_options(facts: &Facts, json: bool, out: &mut Vec<u8>) {
    for (number, presence) in (1..).zip(&facts.options) {
        let word = match presence {
            Presence::All => "all",
            Presence::Some => "some",
            Presence::None => "none",
            Presence::Unknown => continue,
        };
        let line = match json {
            true => format!("{{\"v\":1,\"option\":{number},\"in\":\"{word}\"}}\n"),
            false => format!("{number} {word}\n"),
        };
        out.extend_from_slice(line.as_bytes());
    }
}
