//! `quadrille draw`: solutions become pictures of boards.

use std::io::{BufReader, Write};
use std::path::Path;

use crate::cli::args::Draw;
use crate::cli::canvas::Canvas;
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::filter::unreadable;
use crate::cli::input::{self, Input};
use crate::cli::message::Messages;
use crate::constraint::graph::colored_width;
use crate::diagnostic::Diagnostic;
use crate::import::MOST_CELLS;
use crate::names::Width;
use crate::picture::{Mark, Picture};
use crate::problem::Problem;
use crate::puzzle::clues::{Clues, Coloring, Sketch};
use crate::puzzle::plain::PicturePlan;
use crate::puzzle::{self, Kind};
use crate::render::Panel;
use crate::solutions::catalog::Catalog;
use crate::solutions::record::{Form, Record};
use crate::solutions::stream::{Stream, StreamError};
use crate::wording::counted;

/// How many solutions go on a sheet, unless `--limit` says otherwise.
const SHEET: u64 = 100;

/// Runs it.
pub fn run(flags: &Draw, messages: &Messages) -> Outcome {
    if let Some(problem) = &flags.problem {
        let inputs = [Some(problem.as_path()), flags.solutions.as_deref()];
        input::only_one_stdin("--problem and the solutions", &inputs)?;
    }
    let board = match &flags.problem {
        None => None,
        Some(path) => Some(DrawnBoard::open(path, messages)?),
    };
    let Input { name, bytes } = input::open(flags.solutions.as_deref(), "a stream of solutions")?;
    let catalog = board.as_ref().map(|board| Catalog::new(&board.problem));
    let width = board.as_ref().and_then(|board| board.width);
    let stream = Stream::new(BufReader::new(bytes), catalog.as_ref(), width).trusting();
    let mut gallery = Gallery {
        board: board.as_ref(),
        stream,
        record: Record::default(),
        limit: flags.limit,
        seen: 0,
        failure: None,
    };
    let canvas = Canvas::new(&flags.drawing, messages)?;
    let drawn = if canvas.is_stream() {
        canvas.write(&mut |out| gallery.stream(&canvas, out))
    } else if canvas.has_files() {
        gallery.files(&canvas)
    } else {
        gallery.sheet(&canvas, messages)
    };
    match gallery.failure {
        Some(error) => return Err(unreadable(&name, error)),
        None => drawn?,
    }
    if gallery.seen == 0 {
        messages.note("no solution to draw");
    }
    Ok(if gallery.seen == 0 { ExitStatus::Nothing } else { ExitStatus::Fine })
}

/// The solutions and the board that they are drawn on.
struct Gallery<'a, R: std::io::Read> {
    board: Option<&'a DrawnBoard>,
    stream: Stream<'a, 'a, BufReader<R>>,
    /// The one that was read last.
    record: Record,
    /// How many are drawn.
    limit: Option<u64>,
    seen: u64,
    /// Why the stream ended too early.
    failure: Option<StreamError>,
}

impl<R: std::io::Read> Gallery<'_, R> {
    /// The number and the picture of the next solution.
    fn next(&mut self) -> std::io::Result<Option<(u64, Picture)>> {
        if self.limit.is_some_and(|limit| self.seen >= limit) {
            return Ok(None);
        }
        let coloring = match self.read() {
            Ok(Some(coloring)) => coloring,
            Ok(None) => return Ok(None),
            Err(error) => {
                self.failure = Some(error);
                return Err(std::io::Error::other("the solutions could not be read"));
            }
        };
        self.seen += 1;
        let number = self.record.number;
        let picture = match self.board {
            Some(board) => board.draw(&self.record, coloring),
            None => without_clues(coloring)
                .ok_or_else(|| std::io::Error::other("a tour is too large to draw"))?,
        };
        Ok(Some((number, picture)))
    }

    /// Reads the next solution; answers with its colors.
    fn read(&mut self) -> Result<Option<Coloring>, StreamError> {
        while self.stream.next_record(&mut self.record)? {
            if self.record.form != Form::JsonEnd {
                let problem = self.board.map(|board| &board.problem);
                let colors = self.record.colors(problem, self.board.and_then(|board| board.width));
                return colors.map(Some).map_err(|fault| StreamError::Foreign(Box::new(fault)));
            }
        }
        Ok(None)
    }

    /// One after the other, each under its number.
    fn stream(&mut self, canvas: &Canvas, out: &mut dyn Write) -> std::io::Result<()> {
        loop {
            if self.stream.may_wait() {
                // Whoever watches sees what there is so far.
                out.flush()?;
            }
            let Some((number, picture)) = self.next()? else { return Ok(()) };
            writeln!(out, "{}{number}:", if self.seen > 1 { "\n" } else { "" })?;
            canvas.draw(&picture, out)?;
        }
    }

    /// Each in its own file.
    fn files(&mut self, canvas: &Canvas) -> Result<(), Failure> {
        while let Some((number, picture)) = self.next().map_err(unnamed)? {
            canvas.draw_file(number, &picture)?;
        }
        Ok(())
    }

    /// All on one sheet, if they are not too many.
    fn sheet(&mut self, canvas: &Canvas, messages: &Messages) -> Result<(), Failure> {
        let mut panels: Vec<Panel> = Vec::new();
        let mut more = 0u64;
        while let Some((number, picture)) = self.next().map_err(unnamed)? {
            if self.limit.is_none() && panels.len() as u64 >= SHEET {
                more += 1;
                continue;
            }
            panels.push(Panel { caption: number.to_string(), picture });
        }
        let title = match panels.first() {
            None => return Ok(()),
            Some(first) => {
                format!("{}: {}", first.picture.title, counted(panels.len(), "solution"))
            }
        };
        canvas.write(&mut |out| canvas.draw_sheet(&title, &panels, out))?;
        if more > 0 {
            let more = counted(more, "more solution");
            messages.note(&format!("{more} not drawn; --limit draws more"));
        }
        Ok(())
    }
}

/// An error while pictures are made: not that of any file.
fn unnamed(error: std::io::Error) -> Failure {
    Failure::Usage(error.to_string())
}

/// A problem and how to draw it.
struct DrawnBoard {
    problem: Problem,
    width: Option<Width>,
    look: Look,
}

enum Look {
    /// The board that stands in the comments of the file, and what else is drawn on it.
    Puzzle(&'static dyn Kind, Clues, Vec<Mark>),
    /// The places that items are named after.
    Plain(PicturePlan),
}

impl DrawnBoard {
    fn open(path: &Path, messages: &Messages) -> Result<DrawnBoard, Failure> {
        let (name, dlx) = input::read_dlx(input::open(Some(path), "a .dlx file")?)?;
        let read = match puzzle::slitherlink::super_board(&dlx.header) {
            Some((clues, letters)) => {
                Some(Ok((&puzzle::slitherlink::KIND as &dyn Kind, clues, letters)))
            }
            None => puzzle::from_comments(&dlx.header)
                .map(|read| read.map(|(kind, clues)| (kind, clues, Vec::new()))),
        };
        let unreadable = match read {
            Some(Ok((kind, clues, marks))) => {
                let width = colored_width(&dlx.problem, kind.role());
                let look = Look::Puzzle(kind, clues, marks);
                return Ok(DrawnBoard { problem: dlx.problem, width, look });
            }
            Some(Err(diagnostic)) => Some(diagnostic),
            None => None,
        };
        // Without the board, names may tell enough.
        match (PicturePlan::of(&dlx.problem), unreadable) {
            (Ok(plan), unreadable) => {
                if let Some(Diagnostic { line, what, .. }) = unreadable {
                    messages.warning(&name, line, &format!("the board is not drawn: {what}"));
                }
                let width = Some(plan.width);
                Ok(DrawnBoard { problem: dlx.problem, width, look: Look::Plain(plan) })
            }
            (Err(_), Some(diagnostic)) => {
                Err(Failure::Input { name, diagnostic: Box::new(diagnostic) })
            }
            (Err(obstacle), None) => {
                let what = format!(
                    "no comment holds a board, and {obstacle}; to be drawn, cells are items such as \
                     `00` and `01`, row and column, which options cover or color (docs/names.md)"
                );
                Err(Failure::Refused { name, line: 1, what })
            }
        }
    }

    fn draw(&self, record: &Record, coloring: Coloring) -> Picture {
        match &self.look {
            Look::Puzzle(kind, clues, marks) => {
                let mut picture = kind.draw(clues, Some(&coloring.into()));
                picture.marks.extend(marks.iter().cloned());
                picture
            }
            Look::Plain(plan) => plan.draw(&record.places(&self.problem, plan.width), &coloring),
        }
    }
}

/// The picture of a tour without its problem: a slitherlink that states no clue.
/// `None` if that would be larger than any board that an importer reads.
fn without_clues(coloring: Coloring) -> Option<Picture> {
    let (mut rows, mut cols) = (1, 1);
    for (at, _) in coloring.iter() {
        rows = rows.max(at.row.div_ceil(2));
        cols = cols.max(at.col.div_ceil(2));
    }
    if u64::from(rows) * u64::from(cols) > MOST_CELLS {
        return None;
    }
    let sketch = Sketch::from(coloring);
    Some(puzzle::slitherlink::KIND.draw(&Clues::blank(rows, cols), Some(&sketch)))
}
