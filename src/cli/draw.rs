//! `quadrille draw`: solutions become pictures of boards.

use std::io::{BufReader, Write};
use std::path::Path;

use crate::cli::args::{Draw, Drawing};
use crate::cli::exit::{Failure, Outcome, Status};
use crate::cli::input::{self, Input};
use crate::cli::message::Messages;
use crate::cli::output::write_whole;
use crate::constraint::graph::colored_width;
use crate::import::MOST_CELLS;
use crate::names::{Role, Width};
use crate::picture::Picture;
use crate::problem::Problem;
use crate::puzzle::clues::{Clues, Coloring};
use crate::puzzle::{self, Puzzle};
use crate::render::{Render, svg, term};
use crate::solutions::read::{Records, StreamError};

/// Runs it.
pub fn run(flags: &Draw, messages: &Messages) -> Outcome {
    if let Some(problem) = &flags.problem {
        let inputs = [Some(problem.as_path()), flags.solutions.as_deref()];
        input::only_one_stdin("--problem and the solutions", &inputs)?;
    }
    let problem = match &flags.problem {
        None => None,
        Some(path) => Some(board_of(path)?),
    };
    let Input { name, bytes } = input::open(flags.solutions.as_deref(), "a stream of solutions")?;
    let (dlx, width) = match &problem {
        Some(board) => (Some(&board.problem), board.width),
        None => (None, None),
    };
    let mut records = Records::new(BufReader::new(bytes), dlx, width);
    let mut drawn = 0u64;
    let mut failure = None;
    let mut too_large = false;
    let canvas = Canvas::new(&flags.drawing, messages);
    canvas
        .write(&mut |out| {
            loop {
                if records.may_wait() {
                    // Whoever watches sees what there is so far.
                    out.flush()?;
                }
                let record = match records.next_record() {
                    Ok(Some(record)) => record,
                    Ok(None) => return Ok(()),
                    Err(error) => {
                        failure = Some(error);
                        return Err(std::io::Error::other("the solutions could not be read"));
                    }
                };
                drawn += 1;
                if drawn > 1 && canvas.single() {
                    continue;
                }
                let picture = match &problem {
                    Some(board) => board.kind.draw(&board.clues, Some(&record.coloring)),
                    None => match without_clues(&record.coloring) {
                        Some(picture) => picture,
                        None => {
                            too_large = true;
                            return Err(std::io::Error::other("too large to draw"));
                        }
                    },
                };
                if !canvas.single() {
                    writeln!(out, "{}{}:", if drawn > 1 { "\n" } else { "" }, record.number)?;
                }
                canvas.draw(&picture, out)?;
            }
        })
        .map_err(|error| match failure {
            Some(StreamError::Io(error)) => Failure::Io { name: name.clone(), error },
            Some(StreamError::Syntax(diagnostic)) => {
                Failure::Input { name: name.clone(), diagnostic }
            }
            None => error,
        })?;
    if drawn > 1 && canvas.single() {
        messages.note(&format!("{} more solutions were not drawn", drawn - 1));
    }
    if drawn == 0 {
        messages.note("no solution to draw");
    }
    Ok(if drawn == 0 { Status::Nothing } else { Status::Fine })
}

/// A board that stands in the comments of a `.dlx` file.
struct Board {
    kind: &'static dyn Puzzle,
    clues: Clues,
    problem: Problem,
    width: Option<Width>,
}

fn board_of(path: &Path) -> Result<Board, Failure> {
    let (name, dlx) = input::read_dlx(input::open(Some(path), "a .dlx file")?)?;
    let (kind, clues) = match puzzle::from_comments(&dlx.header) {
        Some(Ok(board)) => board,
        Some(Err(diagnostic)) => {
            return Err(Failure::Input { name, diagnostic: Box::new(diagnostic) });
        }
        None => {
            let what = "no comment holds a board; `quadrille generate` writes one".into();
            return Err(Failure::Refused { name, line: 1, what });
        }
    };
    let width = colored_width(&dlx.problem, Role::Edge);
    let width = match kind.constraints().contains(&"--loop") {
        true => width,
        false => colored_width(&dlx.problem, Role::Cell),
    };
    Ok(Board { kind, clues, problem: dlx.problem, width })
}

/// The picture of a tour without its problem: a slitherlink that states no clue.
/// `None` if that would be larger than any board that an importer reads.
fn without_clues(coloring: &Coloring) -> Option<Picture> {
    let (mut rows, mut cols) = (1, 1);
    for (at, _) in coloring.iter() {
        rows = rows.max(at.row.div_ceil(2));
        cols = cols.max(at.col.div_ceil(2));
    }
    if u64::from(rows) * u64::from(cols) > MOST_CELLS {
        return None;
    }
    Some(puzzle::slitherlink::KIND.draw(&Clues::blank(rows, cols), Some(coloring)))
}

/// Where pictures go, and in what form.
pub struct Canvas<'a> {
    path: Option<&'a Path>,
    render: Box<dyn Render>,
    single: bool,
}

impl<'a> Canvas<'a> {
    /// As the flags say.
    pub fn new(flags: &'a Drawing, messages: &Messages) -> Self {
        match &flags.svg {
            Some(file) => Canvas {
                path: file.as_deref().or(flags.output.as_deref()),
                render: Box::new(svg::Svg),
                single: true,
            },
            None => {
                let color = messages.color_stdout() && flags.output.is_none();
                Canvas {
                    path: flags.output.as_deref(),
                    render: Box::new(term::Term { ascii: flags.ascii, color }),
                    single: false,
                }
            }
        }
    }

    /// Whether only one picture fits.
    pub fn single(&self) -> bool {
        self.single
    }

    /// Opens the canvas for `write`.
    pub fn write(
        &self,
        write: &mut dyn FnMut(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<(), Failure> {
        write_whole(self.path, write)
    }

    /// Draws one picture.
    pub fn draw(&self, picture: &Picture, out: &mut dyn Write) -> std::io::Result<()> {
        self.render.render(picture, out)
    }
}
