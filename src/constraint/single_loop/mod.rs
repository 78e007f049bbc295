//! `--loop`: the edges of color 1 form exactly one cycle.

pub mod automaton;
mod lemmas;
pub mod propagator;
mod verify;

use std::sync::Arc;

use crate::constraint::Propagator;
use crate::constraint::graph::{BindError, Graph};
use crate::constraint::registry::{
    Binding, BoundConstraint, Constraint, Declaration, JudgeLemma, Method, Origin, Verify,
};
use crate::names::Role;
use crate::problem::Problem;

/// The constraint as a value.
#[derive(Clone, Copy, Debug)]
pub struct SingleLoop;

/// What others know of it.
pub static DECLARATION: Declaration = Declaration {
    flag: "--loop",
    help: "The edges of color 1 must form exactly one cycle",
    argument: None,
    parse: |_| Ok(Arc::new(SingleLoop)),
    role: Role::Edge,
    claim: "the loop closes",
    about: "loops",
    lemmas: &lemmas::KINDS,
};

impl Constraint for SingleLoop {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn bind(&self, problem: &Problem, origin: Origin) -> Result<Binding, BindError> {
        let graph = Graph::bind(problem, origin)?;
        let warning = graph.edges.is_empty().then(|| {
            "no option colors an item that has the name of an edge, so there is no loop".into()
        });
        // Without edges no cover satisfies it, so it is bound in any case.
        Ok(Binding { bound: Some(Arc::new(BoundLoop { graph })), warning })
    }
}

/// The constraint in one problem.
#[derive(Debug)]
struct BoundLoop {
    graph: Graph,
}

impl BoundConstraint for BoundLoop {
    /// For `learn` it forbids edges ahead; `links` would not visit the tree of `dlx2-loop` then.
    fn propagator(&self, problem: &Problem, method: Method) -> Box<dyn Propagator> {
        let propagator = propagator::SingleLoopPropagator::new(problem, &self.graph);
        Box::new(match method {
            Method::Backtracking => propagator,
            Method::Learning => propagator.with_blocks(propagator::ALLOWANCE),
        })
    }

    fn verifier(&self, problem: &Problem) -> Box<dyn Verify> {
        Box::new(verify::Loop::new(problem, self.graph.clone()))
    }

    fn judge(&self, problem: &Problem) -> Box<dyn JudgeLemma> {
        Box::new(lemmas::LoopLemmas::new(problem, &self.graph))
    }

    fn tour_graph(&self) -> Option<&Graph> {
        Some(&self.graph)
    }
}
