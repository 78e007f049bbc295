//! The Python module `quadrille._quadrille`: problems, queries and puzzles of the library for Python.
//!
//! A search runs on a thread of its own, without the interpreter's lock; the calling thread looks for signals
//! meanwhile, so that Ctrl-C ends it.

mod ask;
mod facts;
mod problem;
mod puzzle;
mod solution;

use pyo3::prelude::*;

pyo3::create_exception!(
    quadrille,
    ParseError,
    pyo3::exceptions::PyValueError,
    "A text is no problem, or no board. `line` and `column` say where, in bytes from 1."
);
pyo3::create_exception!(
    quadrille,
    QueryError,
    pyo3::exceptions::PyValueError,
    "What is asked does not go together, or does not fit the names of the problem."
);

/// The error with its place.
fn parse_error(py: Python<'_>, text: String, place: Option<(u64, u64)>) -> PyErr {
    let error = ParseError::new_err(text);
    let value = error.value(py);
    let (line, column) = place.unzip();
    match value.setattr("line", line).and_then(|()| value.setattr("column", column)) {
        Ok(()) => error,
        Err(other) => other,
    }
}

#[pymodule]
fn _quadrille(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("ParseError", module.py().get_type::<ParseError>())?;
    module.add("QueryError", module.py().get_type::<QueryError>())?;
    module.add_class::<problem::Problem>()?;
    module.add_class::<puzzle::Puzzle>()?;
    module.add_class::<solution::Solution>()?;
    module.add_class::<solution::Solutions>()?;
    module.add_class::<facts::Facts>()
}
