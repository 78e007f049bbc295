//! Proofs in memory: written by the search, checked by the checker.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use quadrille::constraint::Constraint;
use quadrille::constraint::graph::{Cells, Graph};
use quadrille::ids::OptionId;
use quadrille::problem::Problem;
use quadrille::proof::header::Header;
use quadrille::proof::{Checker, Fault, Rules};
use quadrille::search::learn::direct::Direct;
use quadrille::search::{End, Limits, Observer, learn};
use quadrille::solution::Choices;
use quadrille::solutions::proof::{Transcript, clauses};
use quadrille::solutions::verify::Verifier;

/// The rules of a search, by what a proof knows of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Named<'a> {
    pub single_loop: bool,
    pub connected: &'a [&'a str],
}

/// The files of a proof, and whether every lemma has a form.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    pub clauses: Vec<u8>,
    pub lemmas: Vec<u8>,
    pub steps: Vec<u8>,
    pub unfounded: bool,
}

struct Two(Vec<Vec<OptionId>>);

impl Observer for Two {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        self.0.push(choices.cover());
        if self.0.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Looks for two solutions. `None` if it found them.
pub fn prove(
    problem: &Problem,
    constraint: &mut impl Constraint,
    named: Named<'_>,
) -> Option<Proof> {
    let header = Header::new(problem, named.single_loop, named.connected);
    let direct = Direct::new(problem).expect("few variables");
    let attention = AtomicBool::new(false);
    let limits = Limits { nodes: u64::MAX, attention: &attention };
    let mut two = Two(Vec::new());
    let mut proof = Proof::default();
    let mut transcript =
        Transcript::new(problem, &direct, &header, &mut proof.lemmas, &mut proof.steps);
    let (end, _) = learn::prove(problem, &direct, &mut transcript, constraint, &limits, &mut two);
    proof.unfounded = transcript.is_unfounded();
    let numerals = transcript.end().expect("a vector takes all");
    if end != End::Exhausted || two.0.len() > 1 {
        return None;
    }
    let cover = two.0.first().map(Vec::as_slice);
    clauses(&header, &direct, cover, numerals, &mut proof.clauses).expect("a vector takes all");
    Some(proof)
}

/// Checks a proof as `check --proof` does. Answers with the number of solutions that it leaves.
pub fn check(problem: &Problem, proof: &Proof, named: Named<'_>) -> Result<u64, String> {
    let header = Header::new(problem, named.single_loop, named.connected);
    let cells = || Cells::read(problem).expect("cells with colors");
    let graph = || Graph::read(problem).expect("a graph");
    let mut verifier = Verifier::new(problem);
    let mut rules = Rules::default();
    if named.single_loop {
        verifier = verifier.with_loop(graph());
        rules.single_loop = Some(graph());
    }
    for color in named.connected {
        verifier = verifier.with_connected(cells(), color.as_bytes());
        rules.connected.push((color.as_bytes().to_vec(), cells()));
    }
    let mut checker = Checker::new(problem, header, rules);
    let text = |file: &'static str| {
        move |fault: Fault| match fault {
            Fault::Io(error) => format!("{file}: {error}"),
            Fault::Unreadable(line, what) => format!("{file}:{line}: unreadable: {what}"),
            Fault::Refused(line, what) => format!("{file}:{line}: {what}"),
        }
    };
    let (_, cover) = checker.clauses(&proof.clauses[..]).map_err(text("proof.cnf"))?;
    if let Some(cover) = &cover {
        verifier.cover(cover, &|_| 1).map_err(|fault| fault.what)?;
        verifier.rules(cover).map_err(|fault| fault.what)?;
    }
    checker.lemmas(&proof.lemmas[..]).map_err(text("lemmas.txt"))?;
    checker.derivation(&proof.steps[..]).map_err(text("proof.drat"))?;
    Ok(u64::from(cover.is_some()))
}
