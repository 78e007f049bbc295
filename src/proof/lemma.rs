//! Judges lemmas, one at a time: each follows from its constraint alone, or is refused.
//!
//! A lemma is a clause in DIMACS, then a word that says of which kind it is, then names. The constraint to which the kind
//! belongs says which literals do not go together, from the names alone; here the clause is compared with them. For example,
//! `-7 -9 -12 -15 -31 0 cycle 45 01 10 12 21`: four edges around a cell, and one elsewhere.

use super::expected::Expected;
use super::{CheckResult, refuse, show, words};
use crate::constraint::registry::{JudgeLemma, unjudged};
use crate::constraint::{Constraints, Literal};
use crate::problem::Problem;

/// What the lemmas of one problem are judged by.
#[derive(Debug)]
pub struct Lemmas<'p> {
    problem: &'p Problem,
    judges: Vec<Box<dyn JudgeLemma>>,
}

impl<'p> Lemmas<'p> {
    /// Judges by these constraints.
    pub fn new(problem: &'p Problem, constraints: &Constraints) -> Self {
        Lemmas { problem, judges: constraints.judges(problem) }
    }

    /// Judges the lemma in line `line`: a clause, and why it follows.
    pub fn judge(
        &self,
        expected: &Expected<'_>,
        line: u64,
        clause: &[i32],
        why: &[u8],
    ) -> CheckResult<()> {
        let mut parts = words(why);
        let kind = parts.next().unwrap_or_default();
        let names: Vec<&[u8]> = parts.collect();
        let mut judged = self.judges.iter().map(|judge| judge.judge(self.problem, kind, &names));
        let literals = judged.find_map(|judged| judged).unwrap_or_else(|| {
            Err(unjudged(kind, &names).unwrap_or_else(|| match kind {
                b"" => "the lemma does not say why it follows".into(),
                other => format!("there is no lemma of the form {}", show(other)),
            }))
        });
        let says = |literals| self.is_said(expected, clause, literals);
        literals.and_then(says).or_else(|what| refuse(line, what))
    }

    /// Whether the clause says that these literals do not go together.
    fn is_said(
        &self,
        expected: &Expected<'_>,
        clause: &[i32],
        literals: Vec<Literal>,
    ) -> Result<(), String> {
        let mut right = Vec::new();
        for Literal { item, color, holds } in literals {
            match expected.color(item, color) {
                Some(variable) => right.push(if holds { -variable } else { variable }),
                None if holds => {
                    let name = show(self.problem.name(item));
                    return Err(format!("no option colors {name} so"));
                }
                None => {}
            }
        }
        right.sort_unstable();
        let mut given = clause.to_vec();
        given.sort_unstable();
        match given == right {
            true => Ok(()),
            false => Err("the clause is not what the lemma says".to_owned()),
        }
    }
}
