//! Certificates: what brute force finds is proved, by the checker of the library and by the second one; and no certificate
//! that was changed proves anything false.

mod common;
#[path = "../examples/check_certificate.rs"]
#[allow(dead_code)]
mod second;

use std::ops::ControlFlow;

use common::brute::{is_forest, is_single_cycle};
use common::{bound, random};
use quadrille::constraint::{Acyclic, Connected, Constraint, Constraints, SingleLoop};
use quadrille::problem::Problem;
use quadrille::proof::certificate::{Checked, Claim, Refused, check, header};
use quadrille::query::{EngineName, Query};
use quadrille::search::engine::{Engine, Status};
use quadrille::solution::Choices;

/// Searches, and writes the certificate of at most so many solutions.
fn certificate(
    problem: &Problem,
    constraints: &Constraints,
    engine: EngineName,
    most: u64,
) -> Vec<u8> {
    let query = Query::under(problem, constraints.clone()).by(engine);
    let mut engine = query.tree_search();
    engine.record();
    let (mut found, mut body) = (0, Vec::new());
    let status = loop {
        let status = engine.run(7, &mut |_: &dyn Choices| {
            found += 1;
            if found < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let (bytes, unfounded) = engine.recorded().expect("it records");
        assert!(!unfounded, "each reason is a lemma");
        body.append(bytes);
        if status != Status::Paused {
            break status;
        }
    };
    let claim = match status {
        Status::Exhausted => Claim::Exactly(found.into()),
        _ => Claim::AtLeast(found.into()),
    };
    let mut certificate = header(problem, constraints, claim).into_bytes();
    certificate.append(&mut body);
    certificate
}

/// What the checker of the library says, and whether the second one agrees.
fn checked(
    text: &str,
    problem: &Problem,
    constraints: &Constraints,
    certificate: &[u8],
) -> Result<Checked, String> {
    let first = check(problem, constraints, certificate, usize::MAX);
    // The second one takes the constraints from the certificate, and names them in its sentence.
    let under = format!("constraints: {}", constraints.flags());
    let second = second::check("it", text.as_bytes(), certificate)
        .and_then(|said| if said.ends_with(&under) { Ok(said) } else { Err(said) });
    assert_eq!(first.is_ok(), second.is_ok(), "{first:?}, {second:?}\n{text}");
    first.map_err(|refused| match refused {
        Refused::At(_, what) => what,
        Refused::Io(error) => panic!("a slice can be read: {error}"),
    })
}

/// Certificates of this many solutions are accepted: of all, and of some.
fn assert_proved(seed: u64, text: &str, wanted: &[&dyn Constraint], expected: usize) {
    let problem = common::problem(text.as_bytes());
    let constraints = bound(&problem, wanted);
    for engine in [EngineName::Auto, EngineName::Links] {
        let whole = certificate(&problem, &constraints, engine, u64::MAX);
        let proved = checked(text, &problem, &constraints, &whole);
        let claim = Claim::Exactly(expected as u128);
        assert_eq!(proved.map(|proved| proved.claim), Ok(claim), "seed {seed}\n{text}");
        if expected > 1 {
            let some = certificate(&problem, &constraints, engine, 2);
            let proved = checked(text, &problem, &constraints, &some);
            let claim = Claim::AtLeast(2);
            assert_eq!(proved.map(|proved| proved.claim), Ok(claim), "seed {seed}\n{text}");
        }
    }
}

#[test]
fn the_solutions_of_random_problems_are_proved() {
    for seed in 0..1000 {
        let plain = random::xcc(seed);
        assert_proved(seed, &plain.text(), &[], plain.solutions_by_subsets().len());
        let bounded = random::mcc(seed);
        assert_proved(seed, &bounded.text(), &[], bounded.solutions().len());
    }
}

#[test]
fn the_loops_and_forests_of_random_lattices_are_proved() {
    for seed in 0..1000 {
        let lattice = random::lattice(seed, 1 + seed as usize % 3);
        let (text, all) = (lattice.plain.text(), lattice.plain.solutions_by_items());
        let count = |holds: fn(&[(u32, u32)]) -> bool| {
            all.iter().filter(|solution| holds(&lattice.present(solution))).count()
        };
        assert_proved(seed, &text, &[&SingleLoop], count(is_single_cycle));
        assert_proved(seed, &text, &[&Acyclic], count(is_forest));
    }
}

/// White and black cells on a small board: a cell has an item that is white or black, some by chance alone.
fn cells(seed: u64) -> (String, Vec<Vec<(usize, usize)>>) {
    let mut random = fastrand::Rng::with_seed(seed);
    let (rows, cols) = (random.usize(1..=3), random.usize(2..=3));
    let name = |cell: usize| format!("{}{}", 2 * (cell / cols) + 1, 2 * (cell % cols) + 1);
    let all: Vec<usize> = (0..rows * cols).collect();
    let items: Vec<String> = all.iter().map(|cell| format!("c{cell}")).collect();
    let places: Vec<String> = all.iter().map(|&cell| name(cell)).collect();
    let mut text = format!("{} | {}\n", items.join(" "), places.join(" "));
    let mut allowed: Vec<Vec<bool>> = Vec::new();
    for &cell in &all {
        let colors: Vec<bool> = [false, true].into_iter().filter(|_| random.u8(..5) > 0).collect();
        for &white in &colors {
            text += &format!("c{cell} {}:{}\n", name(cell), u8::from(!white));
        }
        allowed.push(colors);
    }
    let mut colorings = vec![Vec::new()];
    for (cell, colors) in all.iter().zip(&allowed) {
        colorings = colorings
            .iter()
            .flat_map(|so_far: &Vec<(usize, usize)>| {
                colors.iter().map(move |&white| {
                    let mut next = so_far.clone();
                    next.extend(white.then_some((cell / cols, cell % cols)));
                    next
                })
            })
            .collect();
    }
    (text, colorings)
}

/// Whether cells hang together, rook by rook.
fn is_connected(cells: &[(usize, usize)]) -> bool {
    let mut reached: Vec<(usize, usize)> = cells.first().copied().into_iter().collect();
    let mut next = 0;
    while next < reached.len() {
        let (r, c) = reached[next];
        let near = |&&(a, b): &&(usize, usize)| a.abs_diff(r) + b.abs_diff(c) == 1;
        let new: Vec<_> = cells.iter().filter(near).filter(|one| !reached.contains(one)).collect();
        reached.extend(new);
        next += 1;
    }
    reached.len() == cells.len()
}

#[test]
fn the_connected_cells_of_random_boards_are_proved() {
    for seed in 0..500 {
        let (text, colorings) = cells(seed);
        if !text.contains(":0") {
            continue;
        }
        let expected = colorings.iter().filter(|white| is_connected(white)).count();
        assert_proved(seed, &text, &[&Connected::new("0")], expected);
    }
}

/// Changes a bit, a byte, or the end; or puts a piece in, or takes one out, or from another certificate.
fn changed(random: &mut fastrand::Rng, certificate: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = certificate.to_vec();
    let at = random.usize(..bytes.len());
    match random.u8(..7) {
        0 => bytes[at] ^= 1 << random.u8(..8),
        1 => bytes[at] = random.u8(..),
        2 => bytes.truncate(at),
        3 => bytes.insert(at, random.u8(..12)),
        4 => drop(bytes.drain(at..(at + random.usize(1..9)).min(certificate.len()))),
        5 => bytes.extend(std::iter::repeat_with(|| random.u8(..6)).take(3)),
        _ => {
            bytes.truncate(at);
            bytes.extend(other.iter().skip(at));
        }
    }
    bytes
}

/// Checks so many changed certificates; says how many were accepted all the same.
fn assert_nothing_false(seeds: std::ops::Range<u64>, changes: usize) -> usize {
    let mut accepted = 0;
    let mut before = vec![b'q'; 200];
    for seed in seeds {
        let lattice = random::lattice(seed, 1);
        let (plain, wanted): (_, &[&dyn Constraint]) = match seed % 3 {
            0 => (random::xcc(seed), &[]),
            1 => (lattice.plain.clone(), &[&SingleLoop]),
            _ => (lattice.plain.clone(), &[&Acyclic]),
        };
        let all = plain.solutions_by_items();
        let holds = |solution: &&Vec<usize>| match seed % 3 {
            0 => true,
            1 => is_single_cycle(&lattice.present(solution)),
            _ => is_forest(&lattice.present(solution)),
        };
        let expected = all.iter().filter(holds).count() as u128;
        let text = plain.text();
        let problem = common::problem(text.as_bytes());
        let constraints = bound(&problem, wanted);
        let most = if seed % 2 == 0 { u64::MAX } else { 2 };
        let right = certificate(&problem, &constraints, EngineName::Auto, most);
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..changes {
            let changed = changed(&mut random, &right, &before);
            let sentence = checked(&text, &problem, &constraints, &changed);
            let is_true = match sentence.as_ref().map(|checked| checked.claim) {
                Ok(Claim::Exactly(number)) => number == expected,
                Ok(Claim::AtLeast(number)) => number <= expected,
                Err(what) => !what.is_empty(),
            };
            assert!(is_true, "seed {seed}: {sentence:?} of {expected}\n{text}\n{changed:?}");
            accepted += usize::from(sentence.is_ok());
        }
        before = right;
    }
    accepted
}

#[test]
fn a_changed_certificate_proves_nothing_false() {
    let accepted = assert_nothing_false(0..300, 40);
    assert!(accepted > 0, "another tree may prove the same");
}

#[test]
#[ignore = "long: 100000 changed certificates"]
fn many_changed_certificates_prove_nothing_false() {
    assert_nothing_false(1000..3500, 40);
}

#[test]
fn a_tree_takes_no_more_memory_than_it_may() {
    let text = "A B C\nA\nB\nC\n";
    let problem = common::problem(text.as_bytes());
    let none = Constraints::default();
    let right = certificate(&problem, &none, EngineName::Links, u64::MAX);
    // A word for each level.
    assert!(check(&problem, &none, &right[..], 32).is_ok());
    let refused = check(&problem, &none, &right[..], 16);
    assert!(matches!(refused, Err(Refused::At(_, what)) if what.contains("memory")));
}

#[test]
fn each_refusal_has_its_words() {
    let text = "A B | x\nA x:1\nA x:2\nB x:1\n";
    let problem = common::problem(text.as_bytes());
    let none = Constraints::default();
    let right = certificate(&problem, &none, EngineName::Links, u64::MAX);
    // B has one option, and A one that goes with it.
    let body = right.len() - 3;
    assert_eq!(right[body..], [4, 3, 2]);
    let with = |tail: &[u8]| [&right[..body], tail].concat();
    let header = |from: &str, to: &str| {
        let head = String::from_utf8(right[..body].to_vec()).unwrap();
        assert!(head.contains(from));
        [head.replace(from, to).as_bytes(), &right[body..]].concat()
    };
    for (changed, what) in [
        (with(&[4, 3]), "the certificate ends before the tree does"),
        (with(&[4, 3, 2, 2]), "the tree ends before the certificate does"),
        (with(&[4, 2]), "1 primary item is not covered"),
        (with(&[4, 4]), "item `B` is covered already"),
        (with(&[5]), "there is no primary item with number 2"),
        (with(&[0, 3, b'c', b'a', b't']), "the lemma `cat`: there is no lemma of this form"),
        (with(&[0, 9, b'c']), "the certificate ends in a lemma"),
        (with(&[0x84]), "the certificate ends in a number"),
        (with(&[0x84, 0]), "a number has a byte too many"),
        (with(&[0xff, 0xff, 0xff, 0xff, 0xff]), "a number is too large"),
        (header("exactly 1", "exactly 2"), "the claim is exactly 2, but the tree has 1"),
        (header("exactly 1", "about 1"), "expected `claim exactly N` or `claim at least N`"),
        (
            header("constraints none", "constraints --loop"),
            "this is a certificate for the constraints `--loop`, not `none`",
        ),
        (header("problem ", "problem 1"), "this is a certificate about another problem"),
        (
            header("quadrille", "quadrilla"),
            "this is no certificate: it does not begin with `quadrille certificate 1`",
        ),
        (right[..20].to_vec(), "the header is not complete"),
    ] {
        assert_eq!(checked(text, &problem, &none, &changed).map(|_| ()), Err(what.into()));
    }
}
