//! Puzzles: boards that are solved by the rule of their kind, and drawn.

use std::sync::Arc;

use pyo3::prelude::*;
use quadrille::{Board, BoardError, Uniqueness};

use crate::ask::{Subject, Terms, ask};
use crate::facts::Facts;
use crate::parse_error;
use crate::problem::{Problem, Text};
use crate::solution::{Solution, Solutions};

/// A board of a kind of puzzle, in any format that the program reads; or an address that says its kind.
#[pyclass(frozen, module = "quadrille")]
pub struct Puzzle {
    board: Arc<Board>,
}

impl Puzzle {
    fn subject(&self) -> Subject {
        Subject::Board(Arc::clone(&self.board))
    }
}

#[pymethods]
impl Puzzle {
    #[new]
    #[pyo3(signature = (kind_or_address, text=None))]
    fn new(py: Python<'_>, kind_or_address: &str, text: Option<Text>) -> PyResult<Self> {
        let read = py.detach(|| match &text {
            Some(text) => Board::read(kind_or_address, text.bytes()),
            None => Board::detect(kind_or_address),
        });
        let wrong = |error: BoardError| parse_error(py, error.to_string(), error.place());
        Ok(Puzzle { board: Arc::new(read.map_err(wrong)?) })
    }

    /// The names of all kinds, each with its rule.
    #[staticmethod]
    fn kinds() -> Vec<(&'static str, &'static str)> {
        Board::kinds().collect()
    }

    /// The name of the kind.
    #[getter]
    fn kind(&self) -> &'static str {
        self.board.kind()
    }

    /// The problem without the constraints of its rule.
    #[getter]
    fn problem(&self) -> Problem {
        Problem::of(Subject::Problem(Arc::new(self.board.problem().clone())))
    }

    /// The problem as a `.dlx` file.
    fn dlx(&self) -> String {
        self.board.dlx()
    }

    /// Iterates over the solutions, as they are found.
    #[pyo3(signature = (*, limit=None))]
    fn solve(&self, limit: Option<u64>) -> Solutions {
        Solutions::begin(&self.subject(), Terms::default(), limit)
    }

    /// The only solution; None if there is none, or more than one.
    fn solution(&self, py: Python<'_>) -> PyResult<Option<Solution>> {
        let subject = self.subject();
        ask(py, &subject, &Terms::default(), |query| {
            Ok(match query.unique()? {
                Uniqueness::One(one) => Some(Solution::new(&subject, one.options())),
                Uniqueness::None | Uniqueness::Several(..) => None,
            })
        })
    }

    /// Whether there is exactly one solution.
    fn unique(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.solution(py)?.is_some())
    }

    /// How many solutions there are.
    fn count(&self, py: Python<'_>) -> PyResult<quadrille::BigUint> {
        ask(py, &self.subject(), &Terms::default(), |query| query.count())
    }

    /// The colors of items that all solutions have in common.
    fn facts(&self, py: Python<'_>) -> PyResult<Facts> {
        let about = quadrille::facts::Subject::Colors;
        let facts = ask(py, &self.subject(), &Terms::default(), |query| query.facts(about))?;
        Ok(Facts::new(self.board.problem(), &facts))
    }

    /// The clues as SVG, with a solution if one is given.
    #[pyo3(signature = (solution=None))]
    fn svg(&self, solution: Option<&Solution>) -> String {
        self.board.svg(solution.map(Solution::found).as_ref())
    }

    /// The clues as text, with a solution if one is given.
    #[pyo3(signature = (solution=None))]
    fn text(&self, solution: Option<&Solution>) -> String {
        self.board.text(solution.map(Solution::found).as_ref())
    }

    /// For notebooks: the board, with its solution if that is the only one.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        let solution = self.solution(py)?;
        Ok(self.svg(solution.as_ref()))
    }

    fn __str__(&self) -> String {
        self.text(None)
    }

    fn __repr__(&self) -> String {
        format!("<quadrille.Puzzle: {}>", self.board.kind())
    }
}
