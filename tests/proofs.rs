//! Proofs of random problems and of boards: whatever is proved is accepted by the checker, which shares
//! no code with the search; and the number of solutions is that of brute force.
//!
//! What the checker refuses is tested in `tests/cli/proofs.rs`, file by file, and here for constraints
//! that give wrong reasons.

mod common;

use common::proof::{check, prove};
use common::{brute, fixtures, random, slurp, solve_nodes};
use quadrille::constraint::acyclic::propagator::AcyclicPropagator;
use quadrille::constraint::connected::propagator::ConnectedPropagator;
use quadrille::constraint::graph::Graph;
use quadrille::constraint::single_loop::propagator::SingleLoopPropagator;
use quadrille::constraint::{
    Acyclic, Conjunction, Connected, Constraint, Constraints, Explanation, Literal, Moves,
    Propagator, Reason, SingleLoop, Uses, Verdict,
};
use quadrille::dlx::write::Writer;
use quadrille::ids::{Color, ItemId};
use quadrille::problem::Problem;
use quadrille::proof::{Checker, ProofFault};
use quadrille::puzzle::Model;

/// Proves and checks; `solutions` is how many there are.
#[track_caller]
fn accepted(
    problem: &Problem,
    constraint: &mut impl Propagator,
    wanted: &[&dyn Constraint],
    solutions: usize,
    what: &str,
) {
    match prove(problem, constraint, wanted) {
        Some(proof) => {
            assert!(!proof.unfounded, "a lemma without a form: {what}");
            let proved = check(problem, &proof, wanted);
            assert_eq!(proved, Ok(solutions as u64), "{what}");
        }
        None => assert!(solutions > 1, "no proof: {what}"),
    }
}

#[test]
fn random_problems() {
    let mut counts = [0; 3];
    for seed in 0..1000 {
        let plain = random::xcc(seed);
        let solutions = plain.solutions_by_items().len();
        let problem = common::problem(plain.text().as_bytes());
        accepted(&problem, &mut (), &[], solutions, &format!("seed {seed}"));
        counts[solutions.min(2)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// A random problem whose items have so many options and colors that "at most one" is a ladder.
#[test]
fn long_lists() {
    let mut random = fastrand::Rng::with_seed(6);
    for _ in 0..40 {
        let colors = random.usize(30..60);
        let mut text = "a b c | x y\n".to_owned();
        for _ in 0..random.usize(60..200) {
            let color = |random: &mut fastrand::Rng| format!("k{}", random.usize(0..colors));
            let (x, y) = (color(&mut random), color(&mut random));
            text += &match random.u8(0..4) {
                0 => format!("a b x:{x}\n"),
                1 => format!("c x:{x} y\n"),
                2 => format!("b c y:{y} x:{x}\n"),
                _ => format!("a y:{y} x\n"),
            };
        }
        let problem = common::problem(text.as_bytes());
        let solutions = solve_nodes(&problem, (), u64::MAX).choices.len();
        accepted(&problem, &mut (), &[], solutions, &text);
    }
}

/// A derivation that goes on and on, each step of which follows: three pigeons in two holes.
#[test]
fn the_memory_of_a_derivation_is_bounded() {
    let text = "a b c | x y\na x\na y\nb x\nb y\nc x\nc y\n";
    let problem = common::problem(text.as_bytes());
    let wanted = &[];
    let proof = prove(&problem, (), wanted).expect("a proof");
    let last = proof.clauses.trim_ascii_end().rsplit(|&byte| byte == b'\n').next();
    let steps = [last.expect("a line"), b"\n"].concat().repeat(100_000);
    let checked = |room: usize| {
        let mut checker = Checker::new(&problem, &Constraints::default()).with_room(room);
        assert!(checker.clauses(&proof.clauses[..]).is_ok());
        assert!(checker.lemmas(&proof.lemmas[..]).is_ok());
        match checker.derivation(&steps[..]) {
            Err(ProofFault::Unreadable(line, what)) => Err((line, what)),
            Err(ProofFault::Refused(line, what)) => Ok((line, what)),
            other => panic!("{other:?}"),
        }
    };
    let (line, what) = checked(1 << 20).expect_err("too little memory");
    assert!((1000..50_000).contains(&line) && what.contains("more memory"), "{line}: {what}");
    let (line, what) = checked(1 << 30).expect("enough memory");
    assert!(line == 100_000 && what.contains("without the empty clause"), "{line}: {what}");
}

#[test]
fn random_lattices() {
    let wanted = &[&SingleLoop as &dyn Constraint];
    let mut counts = [0; 3];
    for seed in 0..600 {
        let lattice = random::lattice(seed, 1 + seed as usize % 3);
        let mut solutions = lattice.plain.solutions_by_items();
        solutions.retain(|solution| brute::is_single_cycle(&lattice.present(solution)));
        let problem = common::problem(lattice.plain.text().as_bytes());
        let graph = Graph::read(&problem).expect("a lattice keeps the convention");
        let rule = SingleLoopPropagator::new(&problem, &graph);
        let what = format!("seed {seed}\n{}", lattice.plain.text());
        for mut rule in [rule.clone(), rule.clone().with_shortcuts(), rule.with_blocks(usize::MAX)]
        {
            accepted(&problem, &mut rule, wanted, solutions.len(), &what);
        }
        counts[solutions.len().min(2)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
}

#[test]
fn random_forests() {
    let wanted = &[&Acyclic as &dyn Constraint];
    let mut counts = [0; 3];
    for seed in 0..600 {
        let lattice = random::lattice(seed, 1 + seed as usize % 3);
        let mut solutions = lattice.plain.solutions_by_items();
        solutions.retain(|solution| brute::is_forest(&lattice.present(solution)));
        let problem = common::problem(lattice.plain.text().as_bytes());
        let graph = Graph::read(&problem).expect("a lattice keeps the convention");
        let rule = AcyclicPropagator::new(&problem, &graph);
        let what = format!("seed {seed}\n{}", lattice.plain.text());
        for mut rule in [rule.clone(), rule.looking_ahead()] {
            accepted(&problem, &mut rule, wanted, solutions.len(), &what);
        }
        counts[solutions.len().min(2)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
}

/// A random board of hitori as a problem.
fn hitori(random: &mut fastrand::Rng) -> Problem {
    let kind = quadrille::puzzle::find("hitori").expect("a kind");
    let (rows, cols) = (random.usize(2..6), random.usize(2..6));
    let row = |random: &mut fastrand::Rng| -> String {
        (0..cols).map(|_| random.char('1'..='4')).collect()
    };
    let board: Vec<String> = (0..rows).map(|_| row(random)).collect();
    let clues = kind.read(format!("{}\n", board.join("\n")).as_bytes()).expect("a board");
    let mut text = Vec::new();
    let mut out: &mut dyn std::io::Write = &mut text;
    kind.write(&clues, Model::default(), &mut Writer::new(&mut out)).expect("no I/O");
    common::problem(&text)
}

#[test]
fn random_cells() {
    let mut random = fastrand::Rng::with_seed(12);
    let mut counts = [0; 3];
    for _ in 0..400 {
        let problem = hitori(&mut random);
        for connected in [&["0"][..], &["1"], &["0", "1"], &["0", "7"]] {
            let make = || -> Conjunction {
                let rule = |color: &&str| -> Box<dyn Propagator> {
                    Box::new(ConnectedPropagator::new(&problem, color.as_bytes()).expect("cells"))
                };
                connected.iter().map(rule).collect::<Vec<_>>().into()
            };
            let solutions = solve_nodes(&problem, make(), u64::MAX).choices.len();
            let values: Vec<Connected> =
                connected.iter().map(|&color| Connected::new(color)).collect();
            let wanted: Vec<&dyn Constraint> =
                values.iter().map(|one| one as &dyn Constraint).collect();
            accepted(&problem, &mut make(), &wanted, solutions, "hitori");
            counts[solutions.min(2)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

/// Files of slitherlink and masyu in the fixtures, with at most 144 cells or so. Their solutions are
/// counted by `links`, which `tests/fixtures.rs` holds to the stored counts.
#[test]
fn boards() {
    let wanted = &[&SingleLoop as &dyn Constraint];
    let mut proved = 0;
    for path in fixtures("slitherlink", "dlx").into_iter().chain(fixtures("masyu", "dlx")) {
        let text = slurp(&path);
        if text.len() > 60_000 {
            continue;
        }
        let problem = common::problem(&text);
        let graph = Graph::read(&problem).expect("a board keeps the convention");
        let rule = || SingleLoopPropagator::new(&problem, &graph);
        let Some(proof) = prove(&problem, rule().with_blocks(120), wanted) else { continue };
        let found = solve_nodes(&problem, rule(), 3_000_000);
        let solutions = check(&problem, &proof, wanted);
        assert_eq!(solutions, Ok(found.choices.len() as u64), "{}", path.display());
        proved += 1;
    }
    assert!(proved > 5, "{proved} boards");
}

/// Passes everything on, and spoils what the inner rule says of its reasons.
struct Spoiled<C> {
    inner: C,
    spoil: fn(&mut Reason),
}

struct Spoiling<'a> {
    moves: &'a mut dyn Moves,
    spoil: fn(&mut Reason),
}

impl Moves for Spoiling<'_> {
    fn forbid(&mut self, item: ItemId, color: Color, why: Explanation<'_>) {
        let spoil = self.spoil;
        self.moves.forbid(item, color, &|out| {
            why(out);
            spoil(out);
        });
    }

    fn require(&mut self, item: ItemId, color: Color, why: Explanation<'_>) {
        let spoil = self.spoil;
        self.moves.require(item, color, &|out| {
            why(out);
            spoil(out);
        });
    }

    fn uses(&self, item: ItemId, color: Color) -> Uses {
        self.moves.uses(item, color)
    }
}

impl<C: Propagator> Propagator for Spoiled<C> {
    fn mark(&mut self) {
        self.inner.mark();
    }

    fn backtrack(&mut self, level: usize) {
        self.inner.backtrack(level);
    }

    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict {
        self.inner.fixed(item, color)
    }

    fn settle(&mut self, moves: &mut dyn Moves) -> Verdict {
        self.inner.settle(&mut Spoiling { moves, spoil: self.spoil })
    }

    fn complete(&mut self) -> Verdict {
        self.inner.complete()
    }

    fn explain(&self, out: &mut Reason) {
        self.inner.explain(out);
        (self.spoil)(out);
    }
}

/// How many proofs of random boards are refused if reasons are spoiled, of how many with lemmas.
fn refused(spoil: fn(&mut Reason)) -> [(usize, usize); 2] {
    let mut counts = [(0, 0); 2];
    let mut note = |which: usize,
                    problem: &Problem,
                    proof: Option<common::proof::Proof>,
                    wanted: &[&dyn Constraint]| {
        let Some(proof) = proof else { return };
        if proof.lemmas.iter().filter(|&&byte| byte == b'\n').count() > 4 {
            counts[which].1 += 1;
            let verdict = check(problem, &proof, wanted);
            counts[which].0 += usize::from(verdict.is_err_and(|what| what.contains("lemmas.txt")));
        }
    };
    for seed in 0..300 {
        let lattice = random::lattice(seed, 1);
        let problem = common::problem(lattice.plain.text().as_bytes());
        let graph = Graph::read(&problem).expect("a lattice keeps the convention");
        let inner = SingleLoopPropagator::new(&problem, &graph).with_blocks(usize::MAX);
        let wanted = &[&SingleLoop as &dyn Constraint];
        note(0, &problem, prove(&problem, Spoiled { inner, spoil }, wanted), wanted);
    }
    let mut random = fastrand::Rng::with_seed(13);
    for _ in 0..300 {
        let problem = hitori(&mut random);
        let inner = ConnectedPropagator::new(&problem, b"0").expect("cells");
        let white = Connected::new("0");
        let wanted: &[&dyn Constraint] = &[&white];
        note(1, &problem, prove(&problem, Spoiled { inner, spoil }, wanted), wanted);
    }
    counts
}

/// A wrong reason is a wrong clause, and solutions are lost; so the checker must notice.
#[test]
fn wrong_reasons_are_noticed() {
    for (wrong, all) in refused(|_| {}) {
        assert!(wrong == 0 && all > 20, "{wrong} of {all} refused");
    }
    let forget_first = |reason: &mut Reason| {
        reason.literals.drain(..reason.literals.len().min(1));
    };
    let forget_last = |reason: &mut Reason| {
        reason.literals.pop();
    };
    for spoil in [forget_first as fn(&mut Reason), forget_last] {
        for (wrong, all) in refused(spoil) {
            // Some cells around a part lead nowhere, so that the others suffice.
            assert!(all > 20 && wrong * 10 > all * 6, "{wrong} of {all} refused");
        }
    }
}

/// A reason that does not even hold when it is given stops a build for tests on the spot.
#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "a reason holds")]
fn a_reason_that_does_not_hold_is_noticed_at_once() {
    let turn = |reason: &mut Reason| {
        if let Some(Literal { holds, .. }) = reason.literals.first_mut() {
            *holds = !*holds;
        }
    };
    refused(turn);
}
