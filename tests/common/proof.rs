//! Proofs in memory: written by the search, checked by the checker.

use std::ops::ControlFlow;

use quadrille::constraint::{Constraint, Propagator};
use quadrille::problem::Problem;
use quadrille::proof::header::Header;
use quadrille::proof::{Checker, ProofFault};
use quadrille::search::engine::{Status, run};
use quadrille::search::learn::Learn;
use quadrille::search::learn::direct_encoding::Direct;
use quadrille::solution::Choices;
use quadrille::solutions::proof::{ProofWriter, clauses};
use quadrille::solutions::verify::Verifier;

/// The files of a proof, and whether every lemma has a form.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    pub clauses: Vec<u8>,
    pub lemmas: Vec<u8>,
    pub steps: Vec<u8>,
    pub unfounded: bool,
}

/// Looks for two solutions. `None` if it found them.
pub fn prove(
    problem: &Problem,
    constraint: impl Propagator,
    wanted: &[&dyn Constraint],
) -> Option<Proof> {
    let header = Header::new(problem, &super::bound(problem, wanted));
    let direct = Direct::new(problem).expect("few variables");
    let mut two = Vec::new();
    let mut proof = Proof::default();
    let mut transcript =
        ProofWriter::new(problem, &direct, &header, &mut proof.lemmas, &mut proof.steps);
    let mut engine = Learn::proving(problem, constraint, &direct, &mut transcript);
    let end = run(&mut engine, &mut |choices: &dyn Choices| {
        two.push(choices.cover());
        if two.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    drop(engine);
    proof.unfounded = transcript.is_unfounded();
    let numerals = transcript.end().expect("a vector takes all");
    if end != Status::Exhausted || two.len() > 1 {
        return None;
    }
    let cover = two.first().map(Vec::as_slice);
    clauses(&header, &direct, cover, numerals, &mut proof.clauses).expect("a vector takes all");
    Some(proof)
}

/// Checks a proof as `check --proof` does. Answers with the number of solutions that it leaves.
pub fn check(problem: &Problem, proof: &Proof, wanted: &[&dyn Constraint]) -> Result<u64, String> {
    let constraints = super::bound(problem, wanted);
    let mut verifier = Verifier::new(problem).under(&constraints);
    let mut checker = Checker::new(problem, &constraints);
    let text = |file: &'static str| {
        move |fault: ProofFault| match fault {
            ProofFault::Io(error) => format!("{file}: {error}"),
            ProofFault::Unreadable(line, what) => format!("{file}:{line}: unreadable: {what}"),
            ProofFault::Refused(line, what) => format!("{file}:{line}: {what}"),
        }
    };
    let (_, cover) = checker.clauses(&proof.clauses[..]).map_err(text("proof.cnf"))?;
    if let Some(cover) = &cover {
        verifier.cover(cover, &|_| 1).map_err(|fault| fault.what)?;
        verifier.constraints(cover).map_err(|fault| fault.what)?;
    }
    checker.lemmas(&proof.lemmas[..]).map_err(text("lemmas.txt"))?;
    checker.derivation(&proof.steps[..]).map_err(text("proof.drat"))?;
    Ok(u64::from(cover.is_some()))
}
