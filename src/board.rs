//! A puzzle, read: its clues, the problem that it is, the query that its rules make, and pictures.

use std::fmt;
use std::io;

use crate::constraint::Constraints;
use crate::constraint::graph::colored_width;
use crate::constraint::registry::Origin;
use crate::diagnostic::Diagnostic;
use crate::dlx::parse;
use crate::dlx::write::Writer;
use crate::ids::OptionId;
use crate::names::Width;
use crate::problem::Problem;
use crate::puzzle::clues::{Clues, Coloring, Sketch};
use crate::puzzle::{self, Kind, Model};
use crate::query::{Query, Solution};
use crate::render::{Render, svg, term};

/// A board of one kind of puzzle, and the problem that it is.
///
/// # Examples
///
/// ```
/// use quadrille::{Board, Uniqueness};
///
/// let board = Board::read("slitherlink", "22\n22\n")?;
/// let Uniqueness::One(solution) = board.query().unique()? else { panic!("there is one loop") };
/// assert!(board.svg(Some(&solution)).starts_with("<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Board {
    pub(crate) kind: &'static dyn Kind,
    pub(crate) clues: Clues,
    pub(crate) problem: Problem,
    /// The rules of its kind.
    pub(crate) constraints: Constraints,
    /// How wide the coordinates of edges (of cells, if it has no loop) are.
    pub(crate) width: Option<Width>,
    /// Which clues contradict each other, if some do in an obvious way.
    pub(crate) contradiction: Option<String>,
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, clues) = (self.kind.name(), &self.clues);
        f.debug_struct("Board").field("kind", &kind).field("clues", clues).finish_non_exhaustive()
    }
}

/// Why a board cannot be read. Its text has line and column, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError(Cause);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    /// The kind, and one that may be meant.
    UnknownKind(String, Option<&'static str>),
    Text(Box<Diagnostic>),
}

impl BoardError {
    /// Line and column of the mistake, in bytes from 1; `None` if there is no such kind of puzzle.
    pub fn place(&self) -> Option<(u64, u64)> {
        match &self.0 {
            Cause::UnknownKind(..) => None,
            Cause::Text(diagnostic) => Some((diagnostic.line, diagnostic.column)),
        }
    }
}

impl From<Diagnostic> for BoardError {
    fn from(diagnostic: Diagnostic) -> Self {
        BoardError(Cause::Text(Box::new(diagnostic)))
    }
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Cause::UnknownKind(name, near) => {
                write!(f, "no kind of puzzle is called `{name}`; expected {}", puzzle::names())?;
                near.map_or(Ok(()), |near| write!(f, "; did you mean `{near}`?"))
            }
            Cause::Text(diagnostic) => {
                let Diagnostic { line, column, what, expected, .. } = &**diagnostic;
                write!(f, "{line}:{column}: {what}")?;
                expected.as_ref().map_or(Ok(()), |expected| write!(f, "; expected {expected}"))
            }
        }
    }
}

impl std::error::Error for BoardError {}

impl Board {
    /// Reads a board of this kind, `slitherlink` or another name of [`kinds`](Self::kinds): rows of clues, or with
    /// the feature `import` any format that the program reads.
    ///
    /// # Errors
    ///
    /// There is no such kind, or the text is no such board.
    pub fn read(kind: &str, text: impl AsRef<[u8]>) -> Result<Board, BoardError> {
        let unknown = || BoardError(Cause::UnknownKind(kind.into(), puzzle::near(kind)));
        let kind = puzzle::find(kind).ok_or_else(unknown)?;
        #[cfg(feature = "import")]
        let clues = crate::import::import(kind, text.as_ref(), None)?.clues;
        #[cfg(not(feature = "import"))]
        let clues = kind.read(text.as_ref())?;
        Ok(Board::new(kind, clues))
    }

    /// Reads a board that says itself which kind it is, such as an address.
    ///
    /// # Errors
    ///
    /// The text does not say its kind, or is no such board.
    #[cfg(feature = "import")]
    pub fn detect(text: impl AsRef<[u8]>) -> Result<Board, BoardError> {
        let kind = crate::import::kind(text.as_ref(), None)?;
        Ok(Board::new(kind, crate::import::import(kind, text.as_ref(), None)?.clues))
    }

    /// The names of all kinds, each with its rule in a line.
    pub fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
        puzzle::KINDS.iter().map(|kind| (kind.name(), kind.rule()))
    }

    /// The problem of these clues, as the generator writes it.
    ///
    /// # Panics
    ///
    /// The clues are larger than coordinates can say; no reader lets that pass.
    pub(crate) fn new(kind: &'static dyn Kind, clues: Clues) -> Board {
        let mut text = Vec::new();
        let report = kind.write(&clues, Model::default(), &mut Writer::new(&mut text));
        let report = report.expect("a reader checked the size");
        let problem = parse::read(&text[..]).expect("a generator writes what can be read").problem;
        let bound = Constraints::bind(&problem, Origin::Whole, kind.constraints(), &mut |_| ());
        let constraints = bound.expect("a generator writes names that carry its constraints");
        let width = colored_width(&problem, kind.role());
        Board { kind, clues, problem, constraints, width, contradiction: report.contradiction }
    }

    /// The name of the kind.
    pub fn kind(&self) -> &'static str {
        self.kind.name()
    }

    /// The problem: its solutions under the rules of the kind are those of the puzzle.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Which clues contradict each other, if some do in an obvious way.
    pub fn contradiction(&self) -> Option<&str> {
        self.contradiction.as_deref()
    }

    /// The problem as a `.dlx` file.
    pub fn dlx(&self) -> String {
        let mut text = Vec::new();
        let written = self.kind.write(&self.clues, Model::default(), &mut Writer::new(&mut text));
        written.expect("it was written before");
        String::from_utf8(text).expect("a generator writes ASCII")
    }

    /// All solutions under the rules of the kind.
    pub fn query(&self) -> Query<'_> {
        Query::under(&self.problem, self.constraints.clone())
    }

    /// The clues as SVG, with a solution of this board if there is one.
    pub fn svg(&self, solution: Option<&Solution<'_>>) -> String {
        self.drawn(&svg::Svg, solution)
    }

    /// The same with the characters of a terminal.
    pub fn text(&self, solution: Option<&Solution<'_>>) -> String {
        self.drawn(&term::UNICODE, solution)
    }

    fn drawn(&self, render: &dyn Render, solution: Option<&Solution<'_>>) -> String {
        let sketch = solution.map(|found| Sketch::from(self.coloring(found.options())));
        let picture = self.kind.draw(&self.clues, sketch.as_ref());
        let mut drawn = Vec::new();
        let written: io::Result<()> = render.render(&picture, &mut drawn);
        written.expect("a vector takes all bytes");
        String::from_utf8(drawn).expect("pictures are text")
    }

    /// The colors that these options give to places.
    pub(crate) fn coloring(&self, options: &[OptionId]) -> Coloring {
        let mut coloring = Coloring::new();
        let entries = options.iter().flat_map(|&option| self.problem.option(option));
        for entry in entries.filter(|entry| !entry.color.is_none()) {
            let name = self.problem.name(entry.item);
            if let Some(at) = self.width.and_then(|width| width.decode(name)) {
                coloring.insert(at, self.problem.color_name(entry.color));
            }
        }
        coloring
    }
}
