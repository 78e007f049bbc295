//! `--acyclic`: the edges of color 1 form no cycle.

mod automaton;
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
pub struct Acyclic;

/// What others know of it.
pub static DECLARATION: Declaration = Declaration {
    flag: "--acyclic",
    help: "The edges of color 1 must not form a cycle",
    argument: None,
    parse: |_| Ok(Arc::new(Acyclic)),
    role: Role::Edge,
    claim: "the edges form no cycle",
    about: "cycles",
    lemmas: &lemmas::KINDS,
};

impl Constraint for Acyclic {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn bind(&self, problem: &Problem, origin: Origin) -> Result<Binding, BindError> {
        let graph = Graph::bind(problem, origin)?;
        if graph.edges.is_empty() {
            let warning =
                "no option colors an item that has the name of an edge, so there is no cycle";
            return Ok(Binding { bound: None, warning: Some(warning.into()) });
        }
        Ok(Binding { bound: Some(Arc::new(BoundEdges { graph })), warning: None })
    }
}

/// The constraint in one problem.
#[derive(Debug)]
struct BoundEdges {
    graph: Graph,
}

impl BoundConstraint for BoundEdges {
    /// For `learn` it forbids edges ahead; for `links` to refuse them is enough, and its tree stays as it is.
    fn propagator(&self, problem: &Problem, method: Method) -> Box<dyn Propagator> {
        let propagator = propagator::AcyclicPropagator::new(problem, &self.graph);
        Box::new(match method {
            Method::Backtracking => propagator,
            Method::Learning => propagator.looking_ahead(),
        })
    }

    fn verifier(&self, problem: &Problem) -> Box<dyn Verify> {
        Box::new(verify::Forest::new(problem, self.graph.clone()))
    }

    fn judge(&self, problem: &Problem) -> Box<dyn JudgeLemma> {
        Box::new(lemmas::ForestLemmas::new(problem, &self.graph))
    }
}
