//! `quadrille check`: what a `.dlx` file holds, and what is odd about it.

use std::io::{self, Write};

use crate::cli::args::Check;
use crate::cli::check::survey::Survey;
use crate::cli::exit::{Failure, Outcome, Status};
use crate::cli::message::Messages;
use crate::cli::{input, output, proof, verify};
use crate::constraint::graph::{Graph, colored_width};
use crate::dlx::parse::Dlx;
use crate::ids::OptionId;
use crate::names::{Role, Width};
use crate::problem::Problem;
use crate::puzzle;

mod survey;

/// How many names or numbers a line lists.
const LISTED: usize = 8;

/// Runs it.
pub fn run(flags: &Check, messages: &Messages) -> Outcome {
    if let Some(proof) = &flags.proof {
        return proof::run(flags, proof, messages);
    }
    if let Some(solutions) = &flags.solutions {
        return verify::run(flags, solutions, messages);
    }
    if flags.rules.single_loop || !flags.rules.connected.is_empty() {
        return Err(Failure::Usage(
            "check with --loop or --connected needs --solutions or --proof".into(),
        ));
    }
    let (name, dlx) = input::read_dlx(input::open(flags.file.as_deref(), "a .dlx file")?)?;
    output::write_whole(flags.output.as_deref(), |out| {
        write_contents(&name, &dlx, out)?;
        for oddity in oddities(&dlx) {
            writeln!(out, "odd      {oddity}")?;
        }
        Ok(())
    })?;
    Ok(Status::Fine)
}

fn write_contents(name: &str, dlx: &Dlx, out: &mut dyn Write) -> io::Result<()> {
    let Dlx { problem, notes, .. } = dlx;
    let dialect = match (problem.colors(), notes.bounds, notes.cost_line > 0) {
        (_, true, true) => "bounds and costs: no program of Knuth's reads both",
        (_, true, false) => "bounds: DLX3",
        (_, false, true) => "costs: DLX5",
        (0, ..) => "no colors: DLX1, DLX2 and all others",
        _ => "colors: DLX2 and all others but DLX1",
    };
    writeln!(out, "file     {name}: {} lines, {} comments", notes.lines, notes.comments)?;
    match &notes.made_from {
        Some(made_from) => writeln!(out, "dialect  none, this is {made_from}")?,
        None => writeln!(out, "dialect  {dialect}")?,
    }
    let (primary, secondary) = (problem.primary(), problem.secondary());
    writeln!(out, "items    {primary} primary, {secondary} secondary")?;
    let (options, entries) = (problem.options(), problem.entries());
    writeln!(out, "options  {options} with {entries} entries, {} colors", problem.colors())?;
    match Graph::read(problem) {
        Ok(Graph { width: Some(width), vertices, edges, .. }) => {
            let (vertices, edges) = (vertices.len(), edges.len());
            writeln!(out, "--loop   {vertices} vertices, {edges} edges, {}", digits(width))?;
        }
        Ok(_) => writeln!(out, "--loop   no edges")?,
        Err(error) => writeln!(out, "--loop   cannot be used: {error}")?,
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
    if notes.unterminated {
        odd.push(format!("the last line does not end in a newline: {refuse}"));
    }
    if notes.long_names > 0 {
        odd.push(format!("{} names of more than 8 bytes: {refuse}", notes.long_names));
    }
    if notes.wide_color_line > 0 {
        let line = notes.wide_color_line;
        odd.push(format!("line {line}: a color of more than one byte: {refuse}"));
    }
    odd.extend(limits(dlx).into_iter().map(|what| format!("{what}: {refuse}")));
    if notes.trailing_bar {
        odd.push("a bar without secondary items: SSXCC then gives a wrong answer".into());
    }
    if notes.carriage_returns > 0 {
        odd.push(format!("{} lines end in a carriage return", notes.carriage_returns));
    }
    if notes.dropped > 0 {
        let lines = list(notes.dropped_lines.iter(), notes.dropped);
        odd.push(format!("{} options without primary items, ignored: line {lines}", notes.dropped));
    }
    let Survey { used, twins } = Survey::new(problem);
    odd.extend(unused_items(problem, &used));
    odd.extend(duplicates(&twins));
    odd
}

/// The compiled-in limits of DLX2 that the file exceeds.
fn limits(dlx: &Dlx) -> Vec<String> {
    const ITEMS: usize = 100_000;
    const NODES: usize = 10_000_000;
    const LINE: u64 = 900_000;
    let Dlx { problem, notes, .. } = dlx;
    let nodes = problem.items() + problem.entries() + problem.options() + 1;
    let mut over = Vec::new();
    if problem.items() > ITEMS {
        over.push(format!("more than {ITEMS} items"));
    }
    if nodes > NODES {
        over.push(format!("more than {NODES} nodes"));
    }
    if notes.longest_line > LINE {
        over.push(format!("a line of {} bytes", notes.longest_line));
    }
    over
}

/// Options that consist of the same entries as an earlier one.
fn duplicates(twins: &[(OptionId, OptionId)]) -> Option<String> {
    let count = twins.len() as u64;
    let pairs = twins.iter().take(LISTED + 1);
    let pair = |(later, first): &(OptionId, OptionId)| {
        format!("{} = {}", later.index() + 1, first.index() + 1)
    };
    let pairs: Vec<String> = pairs.map(pair).collect();
    (count > 0).then(|| format!("{count} duplicate options: {}", list(pairs.iter(), count)))
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
            odd.push(format!("{} {kind} items without options{so}: {names}", unused.len()));
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
