//! Problems.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use quadrille::facts::Subject as About;
use quadrille::{BigUint, Uniqueness};

use crate::ask::{Colors, Subject, Terms, ask};
use crate::facts::Facts;
use crate::parse_error;
use crate::solution::{Solution, Solutions};

/// An item: its name, and for a primary one how often it is covered, if not once.
#[derive(FromPyObject)]
enum Item {
    Once(String),
    Between(String, u32, u32),
}

/// A use of an item in an option, with its color if it has one.
#[derive(FromPyObject)]
enum Entry {
    Spelled(String),
    Colored(String, String),
}

/// An exact cover problem with colors.
#[pyclass(frozen, module = "quadrille")]
pub struct Problem {
    subject: Subject,
}

impl Problem {
    pub fn of(subject: Subject) -> Self {
        Problem { subject }
    }

    fn problem(&self) -> &quadrille::Problem {
        self.subject.problem()
    }

    fn name(name: &[u8]) -> String {
        String::from_utf8_lossy(name).into_owned()
    }
}

/// The things that an iterable gives.
fn list<'py, T>(iterable: &Bound<'py, PyAny>) -> PyResult<Vec<T>>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    iterable.try_iter()?.map(|one| one?.extract().map_err(Into::into)).collect()
}

/// The things that an iterable gives; a string is a list of words, as in a file.
fn words<'py, T>(iterable: &Bound<'py, PyAny>, spelled: impl Fn(String) -> T) -> PyResult<Vec<T>>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    match iterable.extract::<String>() {
        Ok(text) => Ok(text.split_ascii_whitespace().map(|word| spelled(word.into())).collect()),
        Err(_) => list(iterable),
    }
}

fn wrong(error: quadrille::BuildError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl Problem {
    #[new]
    #[pyo3(signature = (items, options, *, secondary=None, costs=None))]
    fn new(
        items: &Bound<'_, PyAny>,
        options: &Bound<'_, PyAny>,
        secondary: Option<&Bound<'_, PyAny>>,
        costs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut items: Vec<Item> = words(items, Item::Once)?;
        let mut secondary = secondary.map_or(Ok(Vec::new()), |names| words(names, |name| name))?;
        // A line of items may have a bar, as in a file.
        let is_bar = |item: &Item| matches!(item, Item::Once(name) if name == "|");
        if let Some(bar) = items.iter().position(is_bar) {
            for item in items.split_off(bar).into_iter().skip(1) {
                match item {
                    Item::Once(name) => secondary.push(name),
                    Item::Between(..) => {
                        return Err(PyValueError::new_err("only primary items have bounds"));
                    }
                }
            }
        }
        let costs = costs.map(list::<u64>).transpose()?;
        let options = list::<Bound<'_, PyAny>>(options)?;
        let mut builder = quadrille::Problem::builder();
        for item in items {
            match item {
                Item::Once(name) => builder.primary(name),
                Item::Between(name, low, high) => builder.primary_between(low, high, name),
            }
            .map_err(wrong)?;
        }
        for name in secondary {
            builder.secondary(name).map_err(wrong)?;
        }
        if costs.as_ref().is_some_and(|costs| costs.len() != options.len()) {
            return Err(PyValueError::new_err("expected as many costs as options"));
        }
        for (number, option) in options.into_iter().enumerate() {
            let cost = costs.as_ref().map_or(0, |costs| costs[number]);
            let spelled = words(&option, Entry::Spelled)?.into_iter().map(|entry| match entry {
                Entry::Spelled(text) => text,
                Entry::Colored(name, color) => format!("{name}:{color}"),
            });
            let added = builder.option_at_cost(cost, spelled);
            added.map_err(|error| {
                PyValueError::new_err(format!("option {}: {error}", number + 1))
            })?;
        }
        let problem = builder.build().map_err(wrong)?;
        Ok(Problem::of(Subject::Problem(Arc::new(problem))))
    }

    /// Reads a `.dlx` text, str or bytes.
    #[staticmethod]
    fn parse(py: Python<'_>, text: Text) -> PyResult<Self> {
        let read = py.detach(|| quadrille::Problem::parse(text.bytes()));
        let problem = read.map_err(|error| parse_error(py, error.to_string(), error.place()))?;
        Ok(Problem::of(Subject::Problem(Arc::new(problem))))
    }

    /// The names of the primary items.
    #[getter]
    fn primary(&self) -> Vec<String> {
        let problem = self.problem();
        let names = problem.names().filter(|&(item, _)| problem.is_primary(item));
        names.map(|(_, name)| Problem::name(name)).collect()
    }

    /// The names of the secondary items.
    #[getter]
    fn secondary(&self) -> Vec<String> {
        let problem = self.problem();
        let names = problem.names().filter(|&(item, _)| !problem.is_primary(item));
        names.map(|(_, name)| Problem::name(name)).collect()
    }

    /// The number of options.
    fn __len__(&self) -> usize {
        self.problem().options()
    }

    fn __repr__(&self) -> String {
        let problem = self.problem();
        let (items, options) = (problem.items(), problem.options());
        format!("<quadrille.Problem: {items} items, {options} options>")
    }

    /// The problem as a `.dlx` file, as bytes.
    fn dlx<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut text = Vec::new();
        self.problem().write(&mut text)?;
        Ok(PyBytes::new(py, &text))
    }

    /// Iterates over the solutions, as they are found.
    #[pyo3(signature = (*, r#loop=false, connected=None, acyclic=false, limit=None, engine="auto"))]
    fn solve(
        &self,
        r#loop: bool,
        connected: Option<Colors>,
        acyclic: bool,
        limit: Option<u64>,
        engine: &str,
    ) -> PyResult<Solutions> {
        let terms = Terms::new(r#loop, connected, acyclic, engine)?;
        Ok(Solutions::begin(&self.subject, terms, limit))
    }

    /// How many solutions there are.
    #[pyo3(signature = (*, r#loop=false, connected=None, acyclic=false, engine="auto"))]
    fn count(
        &self,
        py: Python<'_>,
        r#loop: bool,
        connected: Option<Colors>,
        acyclic: bool,
        engine: &str,
    ) -> PyResult<BigUint> {
        let terms = Terms::new(r#loop, connected, acyclic, engine)?;
        ask(py, &self.subject, &terms, |query| query.count())
    }

    /// Whether there is exactly one solution.
    #[pyo3(signature = (*, r#loop=false, connected=None, acyclic=false, engine="auto"))]
    fn unique(
        &self,
        py: Python<'_>,
        r#loop: bool,
        connected: Option<Colors>,
        acyclic: bool,
        engine: &str,
    ) -> PyResult<bool> {
        let terms = Terms::new(r#loop, connected, acyclic, engine)?;
        ask(py, &self.subject, &terms, |query| Ok(matches!(query.unique()?, Uniqueness::One(_))))
    }

    /// The cheapest solutions, `most` at most, from the cheapest on.
    #[pyo3(signature = (most=1, *, r#loop=false, connected=None, acyclic=false))]
    fn cheapest(
        &self,
        py: Python<'_>,
        most: u64,
        r#loop: bool,
        connected: Option<Colors>,
        acyclic: bool,
    ) -> PyResult<Vec<Solution>> {
        let terms = Terms::new(r#loop, connected, acyclic, "auto")?;
        let subject = &self.subject;
        ask(py, subject, &terms, |query| {
            let found = query.cheapest(most)?;
            Ok(found.iter().map(|one| Solution::new(subject, one.options())).collect())
        })
    }

    /// What all solutions have in common: colors of items, or with `options` which options.
    #[pyo3(signature = (*, options=false, r#loop=false, connected=None, acyclic=false))]
    fn facts(
        &self,
        py: Python<'_>,
        options: bool,
        r#loop: bool,
        connected: Option<Colors>,
        acyclic: bool,
    ) -> PyResult<Facts> {
        let terms = Terms::new(r#loop, connected, acyclic, "auto")?;
        let about = if options { About::Options } else { About::Colors };
        let facts = ask(py, &self.subject, &terms, |query| query.facts(about))?;
        Ok(Facts::new(self.problem(), &facts))
    }
}

/// Text as str or bytes.
#[derive(FromPyObject)]
pub enum Text {
    Str(String),
    Bytes(Vec<u8>),
}

impl Text {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Text::Str(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }
}
