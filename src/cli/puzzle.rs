//! `quadrille puzzle`: a board is solved by the rule of its kind, proved unique, and drawn.

use crate::cli::args::Puzzle;
use crate::cli::draw::Canvas;
use crate::cli::exit::{Failure, Outcome, Status};
use crate::cli::message::Messages;
use crate::cli::output::Output;
use crate::cli::session::{Question, Rules, Session};
use crate::cli::solve::verdict;
use crate::cli::{Memory, batch, board};
use crate::constraint::graph::colored_width;
use crate::dlx::parse::{self, Dlx};
use crate::dlx::write::Writer;
use crate::ids::ItemId;
use crate::names::{Role, Width};
use crate::problem::Problem;
use crate::puzzle::clues::{Clues, Coloring};
use crate::puzzle::{Model, Puzzle as Kind};
use crate::solution::Choices;

/// What messages call the problem that is made on the way.
const GENERATED: &str = "<generated>";

/// Runs it.
pub fn run(flags: &Puzzle, messages: &Messages, memory: Memory) -> Outcome {
    let session = Session::start(&flags.search, messages, memory);
    session.control.tick(None);
    if let Some(file) = &flags.batch {
        return batch::run(flags, file, &session, messages);
    }
    // clap does not ask for --batch when there is a board, which excludes it.
    if flags.threads.is_some() || flags.format.is_some() {
        return Err(Failure::Usage("--threads and --format need --batch".into()));
    }
    let (kind, clues) = board::read(&flags.board)?;
    let Ready { dlx, rules, width, contradiction } = ready(kind, &clues, &session)?;
    if let Some(contradiction) = &contradiction {
        messages.note(contradiction);
    }
    let read = session.control.elapsed();
    let output = Output::open(None)?;
    let problem = &dlx.problem;
    let mut found: Vec<Coloring> = Vec::new();
    let mut visit = |_: u64, choices: &dyn Choices| {
        found.push(coloring(problem, width, choices));
        Ok(())
    };
    let question = Question { rules, enough: 2, count: false };
    let answer = session.search(problem, &question, &output, &mut visit);

    let canvas = Canvas::new(&flags.drawing, messages);
    let drawn = canvas.write(&mut |out| {
        if found.is_empty() {
            return canvas.draw(&kind.draw(&clues, None), out);
        }
        let shown = if canvas.single() { 1 } else { found.len() };
        for (i, coloring) in found.iter().take(shown).enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            canvas.draw(&kind.draw(&clues, Some(coloring)), out)?;
        }
        Ok(())
    });
    match drawn {
        Err(Failure::BrokenPipe) => return Ok(Status::Fine),
        drawn => drawn?,
    }
    let status = verdict(true, &answer, &session, messages);
    session.print_stats(&answer, read);
    Ok(status)
}

/// A board, ready to be solved.
pub struct Ready {
    /// The problem that it is.
    pub dlx: Dlx,
    /// The rules of its kind.
    pub rules: Rules,
    /// How wide the coordinates of edges (of cells, if it has no loop) are.
    pub width: Option<Width>,
    /// Which clues contradict each other, if some do in an obvious way.
    pub contradiction: Option<String>,
}

/// Makes the problem of a board, as `generate` and `solve` would in turn.
pub fn ready(
    kind: &'static dyn Kind,
    clues: &Clues,
    session: &Session<'_>,
) -> Result<Ready, Failure> {
    let mut text = Vec::new();
    let report = kind
        .write(clues, Model::default(), &mut Writer::new(&mut text))
        .map_err(|error| Failure::Io { name: GENERATED.into(), error })?;
    let dlx = parse::read(&text[..])
        .map_err(|error| Failure::Usage(format!("{GENERATED}: {error}; this is a bug")))?;
    drop(text);
    let single_loop = kind.constraints().contains(&"--loop");
    let connected = kind.constraints().iter().filter_map(|flag| flag.strip_prefix("--connected="));
    let rules = session.rules(GENERATED, &dlx, single_loop, &connected.collect::<Vec<&str>>())?;
    let width = colored_width(&dlx.problem, if single_loop { Role::Edge } else { Role::Cell });
    Ok(Ready { dlx, rules, width, contradiction: report.contradiction })
}

/// The colors of the points that a solution colors.
fn coloring(problem: &Problem, width: Option<Width>, choices: &dyn Choices) -> Coloring {
    let mut coloring = Coloring::new();
    let name = |item: ItemId| width.and_then(|width| width.decode(problem.name(item)));
    for option in choices.options() {
        for entry in problem.option(option) {
            if let (Some(at), false) = (name(entry.item), entry.color.is_none()) {
                coloring.insert(at, problem.color_name(entry.color));
            }
        }
    }
    coloring
}
