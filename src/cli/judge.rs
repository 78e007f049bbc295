//! In builds for tests and debugging, every solution is verified by code that shares nothing with the
//! engines; the first thousand of them, since tests count millions.

use crate::constraint::Constraints;
use crate::problem::Problem;
use crate::solution::Choices;
#[cfg(debug_assertions)]
use crate::solutions::verify::Verifier;

/// Looks at solutions.
#[cfg(debug_assertions)]
pub struct Judge<'p> {
    verifier: Verifier<'p>,
    left: u32,
}

#[cfg(debug_assertions)]
impl<'p> Judge<'p> {
    pub fn new(problem: &'p Problem, constraints: &Constraints) -> Self {
        Judge { verifier: Verifier::new(problem).under(constraints), left: 1000 }
    }

    pub fn look(&mut self, choices: &dyn Choices) {
        if self.left > 0 {
            self.left -= 1;
            let options = choices.options();
            let verdict = self.verifier.cover(&options, &|_| 1);
            let verdict = verdict.and_then(|()| self.verifier.constraints(&options));
            assert!(verdict.is_ok(), "an engine found what is no solution: {verdict:?}");
        }
    }
}

/// Looks at nothing.
#[cfg(not(debug_assertions))]
pub struct Judge;

#[cfg(not(debug_assertions))]
impl Judge {
    pub fn new(_: &Problem, _: &Constraints) -> Self {
        Judge
    }

    pub fn look(&mut self, _: &dyn Choices) {}
}
