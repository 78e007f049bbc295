//! `quadrille puzzle`: a board is solved by the rule of its kind, proved unique, and drawn.

use crate::board::Board;
use crate::cli::args::Puzzle;
use crate::cli::canvas::Canvas;
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::message::Messages;
use crate::cli::output::Output;
use crate::cli::session::Session;
use crate::cli::solve::{Asked, verdict};
use crate::cli::{Memory, batch, board, kinds};
use crate::puzzle::clues::{Coloring, Sketch};
use crate::query::table::{self, Feature};
use crate::query::{Goal, Query};
use crate::render::Panel;
use crate::search::learn::backbone::{Facts, Shared, Subject};
use crate::solution::Choices;
use crate::wording::counted;

/// The caption of what all solutions have in common.
const CERTAIN: &str = "in all solutions";

/// Runs it.
pub fn run(flags: &Puzzle, messages: &Messages, memory: Memory) -> Outcome {
    if flags.list {
        return kinds::list(flags.drawing.output.as_deref());
    }
    let session = Session::start(&flags.search, messages, memory);
    session.control.tick(None);
    let asked: Vec<Feature> =
        flags.search.engine.part().into_iter().chain([Feature::Constraint]).collect();
    table::check(&asked).map_err(|clash| Failure::Usage(clash.to_string()))?;
    if let Some(file) = &flags.batch {
        return batch::run(flags, file, &session, messages);
    }
    // clap does not ask for --batch when there is a board, which excludes it.
    if flags.threads.is_some() || flags.format.is_some() {
        return Err(Failure::Usage("--threads and --format need --batch".into()));
    }
    let board::Read { kind, clues, .. } = board::read(&flags.board, messages)?;
    let mut board = Board::new(kind, clues);
    board.problem.branch_by(session.flags.branch.rule);
    if let Some(contradiction) = board.contradiction() {
        messages.note(contradiction);
    }
    let canvas = Canvas::new(&flags.drawing, messages)?;
    let read = session.control.elapsed();
    let output = Output::open(None)?;
    let mut found: Vec<Coloring> = Vec::new();
    let mut visit = |_: u64, choices: &dyn Choices| {
        found.push(board.coloring(&choices.options()));
        Ok(())
    };
    let query = session.query(&board.problem, board.constraints.clone(), Goal::Unique);
    let answer = session.search(&query, &output, &mut visit);

    let answers = Answers { board: &board, query: &query };
    let drawn = match <[Coloring; 2]>::try_from(found) {
        Ok(two) => answers.draw(two, &canvas, &session, &output),
        Err(mut found) => {
            let sketch = found.pop().map(Sketch::from);
            let picture = kind.draw(&board.clues, sketch.as_ref());
            canvas.write(&mut |out| canvas.draw(&picture, out)).map(|()| None)
        }
    };
    let open = match drawn {
        Err(Failure::BrokenPipe) => return Ok(ExitStatus::Fine),
        drawn => drawn?,
    };
    let status = verdict(Asked::Board, &board.problem, &answer, &session);
    if let Some(open) = open {
        messages.note(&open);
    }
    session.print_stats(&answer, read);
    Ok(status)
}

/// A board that has several solutions.
struct Answers<'a> {
    board: &'a Board,
    query: &'a Query<'a>,
}

impl Answers<'_> {
    /// Draws two solutions side by side, with what they differ in, and what is certain of all
    /// solutions. Says how much is open.
    fn draw(
        &self,
        two: [Coloring; 2],
        canvas: &Canvas,
        session: &Session<'_>,
        output: &Output,
    ) -> Result<Option<String>, Failure> {
        let draw = |caption: &str, sketch: &Sketch| Panel {
            caption: caption.into(),
            picture: self.board.kind.draw(&self.board.clues, Some(sketch)),
        };
        let [one, other] = two;
        let [one, other] = Sketch::compare(one, other);
        let answers = [draw("one solution", &one), draw("another", &other)];
        // In a terminal there is something to look at while the rest is found out.
        let at_once = canvas.is_console();
        if at_once {
            canvas.write(&mut |out| canvas.draw_sheet("", &answers, out))?;
        }
        let (answer, facts) = session.facts(self.query, Subject::Colors, output);
        // Whoever stopped it at once learns nothing.
        let sketch = facts.map(|facts| self.certain(&facts));
        let certain = sketch.as_ref().map(|sketch| draw(CERTAIN, sketch));
        canvas.write(&mut |out| match (at_once, &certain) {
            (true, None) => Ok(()),
            (true, Some(certain)) => {
                writeln!(out, "\n{CERTAIN}:")?;
                canvas.draw(&certain.picture, out)
            }
            (false, _) => {
                let title = format!("{}: several solutions", answers[0].picture.title);
                let panels: Vec<Panel> = answers.iter().chain(&certain).cloned().collect();
                canvas.draw_sheet(&title, &panels, out)
            }
        })?;
        let what = self.board.kind.role().noun();
        Ok(sketch.map(|sketch| {
            let count = counted(sketch.open.len(), what);
            let most = if answer.exhausted { "" } else { "at most " };
            format!("{most}{count} open")
        }))
    }

    /// What is certain, and what may be open.
    fn certain(&self, facts: &Facts) -> Sketch {
        let mut sketch = Sketch { excluded: true, ..Sketch::default() };
        let role = self.board.kind.role();
        for &(item, shared) in &facts.colors {
            let at = self.board.width.and_then(|width| width.decode(self.query.problem().name(item)));
            let Some(at) = at.filter(|at| at.role() == role) else { continue };
            match shared {
                Shared::Color(color) => {
                    sketch.colors.insert(at, self.query.problem().color_name(color))
                }
                Shared::Differs | Shared::Unknown => drop(sketch.open.insert(at)),
                Shared::Uncolored => {}
            }
        }
        sketch
    }
}
