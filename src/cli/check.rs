//! `quadrille check`: what a `.dlx` file holds, and what is odd about it.

use std::io::{self, Write};

use crate::cli::args::Check;
use crate::cli::check::usage::Usage;
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::message::Messages;
use crate::cli::{certify, input, output, proof, verify};
use crate::constraint::graph::{Graph, colored_width};
use crate::constraint::registry;
use crate::dlx::parse::Dlx;
use crate::ids::OptionId;
use crate::names::{Role, Width};
use crate::problem::Problem;
use crate::puzzle;
use crate::wording::counted;

mod programs;
mod usage;

/// How many names or numbers a line lists.
const LISTED: usize = 8;

/// Runs it.
pub fn run(flags: &Check, messages: &Messages) -> Outcome {
    if let Some(proof) = &flags.proof {
        return proof::run(flags, proof, messages);
    }
    if let Some(certificate) = &flags.certificate {
        return certify::run(flags, certificate, messages);
    }
    if let Some(solutions) = &flags.solutions {
        return verify::run(flags, solutions, messages);
    }
    if !flags.rules.is_empty() {
        let what = format!("check with {} needs --solutions, --proof or --certificate", registry::flags("or"));
        return Err(Failure::Usage(what));
    }
    let (name, dlx) = input::read_dlx(input::open(flags.file.as_deref(), "a .dlx file")?)?;
    output::write_whole(flags.output.as_deref(), |out| {
        write_contents(&name, &dlx, out)?;
        for oddity in oddities(&dlx) {
            writeln!(out, "odd      {oddity}")?;
        }
        Ok(())
    })?;
    Ok(ExitStatus::Fine)
}

fn write_contents(name: &str, dlx: &Dlx, out: &mut dyn Write) -> io::Result<()> {
    let Dlx { problem, notes, .. } = dlx;
    let (lines, comments) = (counted(notes.lines, "line"), counted(notes.comments, "comment"));
    writeln!(out, "file     {name}: {lines}, {comments}")?;
    match &notes.made_from {
        Some(made_from) => writeln!(out, "dialect  none, this is {made_from}")?,
        None => writeln!(out, "dialect  {}", programs::dialect(dlx))?,
    }
    let (primary, secondary) = (problem.primary(), problem.secondary());
    writeln!(out, "items    {primary} primary, {secondary} secondary")?;
    let (options, entries) = (problem.options(), counted(problem.entries(), "entry"));
    let colors = counted(problem.colors(), "color");
    writeln!(out, "options  {options} with {entries}, {colors}")?;
    // Where no option colors an edge nobody thinks of a loop, whatever the names of items are.
    match colored_width(problem, Role::Edge).map(|_| Graph::read(problem)) {
        Some(Ok(Graph { width: Some(width), vertices, edges, .. })) => {
            let vertices = counted(vertices.len(), "vertex");
            let edges = counted(edges.len(), "edge");
            writeln!(out, "--loop   {vertices}, {edges}, {}", digits(width))?;
        }
        None | Some(Ok(_)) => writeln!(out, "--loop   no edges")?,
        Some(Err(error)) => writeln!(out, "--loop   cannot be used: {error}")?,
    }
    match colored_width(problem, Role::Cell) {
        Some(width) => {
            let cells = problem.names().skip(problem.primary());
            let cells = cells
                .filter(|(_, name)| width.decode(name).is_some_and(|at| at.role() == Role::Cell));
            writeln!(out, "cells    {} with colors, {}", cells.count(), digits(width))?;
        }
        None => writeln!(out, "cells    none with colors")?,
    }
    match puzzle::from_comments(&dlx.header) {
        Some(Ok((kind, clues))) => {
            writeln!(out, "board    {}, {} x {} cells", kind.name(), clues.rows, clues.cols)
        }
        Some(Err(error)) => {
            writeln!(out, "board    unreadable, line {}: {}", error.line, error.what)
        }
        None => Ok(()),
    }
}

fn digits(width: Width) -> String {
    match width.digits() {
        1 => "coordinates of 1 digit".into(),
        k => format!("coordinates of {k} digits"),
    }
}

/// What is odd, a sentence each.
fn oddities(dlx: &Dlx) -> Vec<String> {
    let Dlx { problem, notes, .. } = dlx;
    let mut odd = Vec::new();
    let refuse = "Knuth's programs won't read this";
    if notes.mark {
        let part = "Knuth's programs take it for a part of the first name";
        odd.push(format!("a byte order mark, skipped: {part}"));
    }
    odd.extend(programs::refusals(dlx).into_iter().map(|what| format!("{what}: {refuse}")));
    if notes.trailing_bar {
        odd.push("a bar without secondary items: SSXCC then gives a wrong answer".into());
    }
    if notes.carriage_returns > 0 {
        let lines = counted(notes.carriage_returns, "line");
        odd.push(format!("{lines} with a carriage return at the end"));
    }
    if notes.dropped > 0 {
        let lines = list(notes.dropped_lines.iter(), notes.dropped);
        let options = counted(notes.dropped, "option");
        odd.push(format!("{options} without primary items, ignored: line {lines}"));
    }
    let Usage { used, twins } = Usage::new(problem);
    odd.extend(unused_items(problem, &used));
    odd.extend(duplicates(&twins));
    odd
}

/// Options that consist of the same entries as an earlier one.
fn duplicates(twins: &[(OptionId, OptionId)]) -> Option<String> {
    let count = twins.len() as u64;
    let pairs = twins.iter().take(LISTED + 1);
    let pair = |(later, first): &(OptionId, OptionId)| {
        format!("{} = {}", later.index() + 1, first.index() + 1)
    };
    let pairs: Vec<String> = pairs.map(pair).collect();
    let options = counted(count, "duplicate option");
    (count > 0).then(|| format!("{options}: {}", list(pairs.iter(), count)))
}

fn unused_items(problem: &Problem, used: &[bool]) -> Vec<String> {
    let mut odd = Vec::new();
    for (primary, kind) in [(true, "primary"), (false, "secondary")] {
        let unused: Vec<String> = problem
            .names()
            .filter(|&(item, _)| !used[item.index()] && problem.is_primary(item) == primary)
            .map(|(_, name)| format!("`{}`", String::from_utf8_lossy(name)))
            .collect();
        if !unused.is_empty() {
            let so = if primary { ", so there is no solution" } else { "" };
            let names = list(unused.iter(), unused.len() as u64);
            let items = counted(unused.len(), &format!("{kind} item"));
            odd.push(format!("{items} without options{so}: {names}"));
        }
    }
    odd
}

/// The first few of `all`, which are `count`.
fn list(all: impl ExactSizeIterator<Item = impl ToString>, count: u64) -> String {
    let shown = all.len().min(LISTED) as u64;
    let words: Vec<String> = all.take(LISTED).map(|word| word.to_string()).collect();
    let more = if count > shown { ", ..." } else { "" };
    format!("{}{more}", words.join(", "))
}
