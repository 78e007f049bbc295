//! What all solutions have in common.

use std::collections::HashMap;

use pyo3::prelude::*;
use quadrille::facts::{Presence, Shared};

/// What all solutions have in common.
#[pyclass(frozen, get_all, module = "quadrille")]
pub struct Facts {
    /// Whether there is a solution; without one, the rest is empty.
    solvable: bool,
    /// The items that have the same color in all solutions, with the color.
    colors: HashMap<String, String>,
    /// The items that no solution colors.
    uncolored: Vec<String>,
    /// The items of which solutions disagree.
    open: Vec<String>,
    /// The numbers of the options that are in all solutions.
    always: Vec<u64>,
    /// The numbers of the options that are in none.
    never: Vec<u64>,
}

impl Facts {
    pub fn new(problem: &quadrille::Problem, facts: &quadrille::facts::Facts) -> Self {
        let solvable = facts.models > 0;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut told = Facts {
            solvable,
            colors: HashMap::new(),
            uncolored: Vec::new(),
            open: Vec::new(),
            always: Vec::new(),
            never: Vec::new(),
        };
        for &(item, shared) in facts.colors.iter().filter(|_| solvable) {
            let name = text(problem.name(item));
            match shared {
                Shared::Color(color) => {
                    drop(told.colors.insert(name, text(problem.color_name(color))))
                }
                Shared::Uncolored => told.uncolored.push(name),
                Shared::Differs | Shared::Unknown => told.open.push(name),
            }
        }
        for (number, presence) in (1..).zip(&facts.options).filter(|_| solvable) {
            match presence {
                Presence::All => told.always.push(number),
                Presence::None => told.never.push(number),
                Presence::Some | Presence::Unknown => {}
            }
        }
        told
    }
}

#[pymethods]
impl Facts {
    fn __repr__(&self) -> String {
        let Facts { colors, open, always, .. } = self;
        let (known, open, always) = (colors.len(), open.len(), always.len());
        format!("<quadrille.Facts: {known} colors known, {open} open, {always} options always>")
    }
}
