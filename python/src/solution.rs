//! Solutions, and the search that finds one after the other.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use quadrille::{OptionId, QueryError};

use crate::ask::{Subject, Terms, receive, refused};

/// How many solutions may wait for Python.
const AHEAD: usize = 4096;

/// Options that cover a problem. It is a sequence of their numbers.
#[pyclass(frozen, module = "quadrille")]
pub struct Solution {
    subject: Subject,
    options: Vec<OptionId>,
}

impl Solution {
    pub fn new(subject: &Subject, options: &[OptionId]) -> Self {
        Solution { subject: subject.clone(), options: options.to_vec() }
    }

    pub fn found(&self) -> quadrille::Solution<'_> {
        quadrille::Solution::new(self.subject.problem(), self.options.clone())
    }
}

#[pymethods]
impl Solution {
    /// The numbers of the options, from 1, ascending.
    #[getter]
    fn numbers(&self) -> Vec<u64> {
        self.found().numbers()
    }

    /// The options: lists of names, each with its color or None.
    #[getter]
    fn options(&self) -> Vec<Vec<(String, Option<String>)>> {
        let owned = |(name, color): quadrille::NameAndColor<'_>| {
            (name.into_owned(), color.map(|color| color.into_owned()))
        };
        let found = self.found();
        found.items().map(|option| option.into_iter().map(owned).collect()).collect()
    }

    /// The colors of items by name.
    #[getter]
    fn colors(&self) -> HashMap<String, String> {
        let all = self.options().into_iter().flatten();
        all.filter_map(|(name, color)| Some((name, color?))).collect()
    }

    /// The sum of the costs of the options.
    #[getter]
    fn cost(&self) -> u128 {
        self.found().cost()
    }

    fn __len__(&self) -> usize {
        self.options.len()
    }

    fn __str__(&self) -> String {
        self.found().to_string()
    }

    fn __repr__(&self) -> String {
        format!("<quadrille.Solution {:?}>", self.numbers())
    }

    fn __eq__(&self, other: &Solution) -> bool {
        self.subject.is(&other.subject) && self.found().options() == other.found().options()
    }

    fn __hash__(&self) -> u64 {
        self.numbers().iter().fold(0, |hash, &number| {
            (hash.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }
}

/// An iterator over solutions, as they are found.
#[pyclass(frozen, module = "quadrille")]
pub struct Solutions {
    subject: Subject,
    receiver: Mutex<Receiver<Result<Vec<OptionId>, QueryError>>>,
    flag: Arc<AtomicBool>,
}

impl Solutions {
    /// Begins the search.
    pub fn begin(subject: &Subject, terms: Terms, limit: Option<u64>) -> Self {
        let flag = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = sync_channel(AHEAD);
        let (searched, raised) = (subject.clone(), Arc::clone(&flag));
        std::thread::spawn(move || {
            let mut query = terms.query(&searched, &raised);
            if let Some(most) = limit {
                query = query.limit(most);
            }
            for found in query.solutions() {
                // Nobody listens any more when the iterator is gone.
                if sender.send(found.map(|found| found.options().to_vec())).is_err() {
                    return;
                }
            }
        });
        Solutions { subject: subject.clone(), receiver: Mutex::new(receiver), flag }
    }
}

impl Drop for Solutions {
    fn drop(&mut self) {
        self.flag.store(true, Ordering::Relaxed);
    }
}

#[pymethods]
impl Solutions {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Solution>> {
        // `list` and the like do not look for signals themselves.
        py.check_signals()?;
        match receive(py, &self.receiver, &self.flag)? {
            None => Ok(None),
            Some(Ok(options)) => Ok(Some(Solution { subject: self.subject.clone(), options })),
            Some(Err(error)) => Err(refused(&error)),
        }
    }
}
