//! Search: engines, what they are asked, and what they answer.
//!
//! | file | what |
//! |---|---|
//! | `engine` | what all engines have in common: budgets, status, sinks |
//! | `algorithm_c` | the one backtracking loop of the chronological engines |
//! | `store` | what that loop asks of a data structure |
//! | `portfolio` | which engines answer which question, and how they share the time |
//! | `dancing_links` | the engine of dancing links |
//! | `bits` | the engine of bits: the same tree, faster, for problems that are not too large |
//! | `algorithm_m` | Algorithm M: items with bounds, for which it is `links` |
//! | `learn` | the engine of clause learning |
//! | `memo` | the engine of memos, which counts without visiting |
//! | `mrv` | how many options each item has left, and the least of them |
//! | `lists` | what constraints ask of lists of options |
//! | `rows` | the options of a problem, or of what lists have left of one, for bits |
//! | `zdd` | sets of solutions as diagrams |
//! | `width` | how wide links and lengths are |
//! | `replay` | the choices that lead to a given cover, as a search without constraint makes them |
//! | `interval` | a part of the tree: for threads, checkpoints and parts |
//! | `parallel` | one search by several threads |
//! | `partition` | one search as parts of about the same size |
//! | `stats` | nodes, updates, cleansings, profile |
//! | `estimate` | how large a tree is, from a part of it |
//! | `fraction` | how far a search has come, from its choices alone |

pub mod algorithm_c;
pub mod algorithm_m;
pub mod bits;
pub mod certificate_log;
pub mod dancing_links;
pub mod engine;
pub mod estimate;
pub mod fraction;
pub mod interval;
pub mod learn;
mod lists;
pub mod memo;
pub mod mrv;
pub mod parallel;
pub mod partition;
pub mod portfolio;
pub mod replay;
pub mod rows;
pub mod stats;
pub mod store;
pub mod width;
pub mod zdd;

use crate::constraint::{Conjunction, Propagator};
use crate::problem::Problem;
use crate::search::algorithm_c::{TreeSearch, Walk};
use crate::search::algorithm_m::Multi;
use crate::search::dancing_links::Links;
use crate::search::width::{Fit, Huge, Narrow, Wide};

/// About how many bytes the engine needs for `problem`.
pub fn memory(problem: &Problem) -> usize {
    if problem.has_bounds() { algorithm_m::memory(problem) } else { dancing_links::memory(problem) }
}

/// The engine of dancing links: it visits the solutions of `problem` that satisfy `constraint` in the
/// order of `dlx2`; or, if items have bounds, of `dlx3`.
pub fn links<'p>(problem: &'p Problem, constraint: Conjunction) -> Box<dyn TreeSearch + 'p> {
    match constraint.is_empty() {
        true => links_under(problem, ()),
        false => links_under(problem, constraint),
    }
}

/// The same with a constraint of one's own.
pub fn links_under<'p, C: Propagator + 'p>(
    problem: &'p Problem,
    constraint: C,
) -> Box<dyn TreeSearch + 'p> {
    let name = "links";
    match width::fit(problem, dancing_links::SPARE) {
        _ if problem.has_bounds() => {
            Box::new(Walk::new(name, problem, Multi::new(problem), constraint))
        }
        Fit::Narrow => {
            Box::new(Walk::new(name, problem, Links::<Narrow>::new(problem), constraint))
        }
        Fit::Wide => Box::new(Walk::new(name, problem, Links::<Wide>::new(problem), constraint)),
        Fit::Huge => Box::new(Walk::new(name, problem, Links::<Huge>::new(problem), constraint)),
    }
}
