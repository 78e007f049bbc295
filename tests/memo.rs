//! The engine of memos against brute force, formulas, and programs that share nothing with it.

mod common;

use common::boards::{CYCLES, dominoes, looped, slitherlink, tagged_dominoes};
use common::{fixture, random, slurp, table};
use num_bigint::BigUint;
use quadrille::constraint::connected::propagator::ConnectedPropagator;
use quadrille::constraint::{Acyclic, Conjunction, Constraint, Method, Propagator, SingleLoop};
use quadrille::dlx::write::Writer;
use quadrille::problem::Problem;
use quadrille::puzzle::{self, Model};
use quadrille::search::engine::{self, Engine, Status};
use quadrille::search::memo::Counter;
use quadrille::search::portfolio::{Count, simplify};
use quadrille::search::stats::Stats;
use quadrille::solution::Choices;

/// Counts to an end.
fn run(engine: &mut dyn Engine) -> Status {
    engine::run(engine, &mut |_: &dyn Choices| unreachable!("a count visits nothing"))
}

/// One of the ways to count.
#[derive(Clone, Copy, Debug)]
enum Way {
    Frontier,
    /// With tables of so many bits for what comes to nothing.
    Ahead(u32),
    Tree,
    Either,
}

fn count(problem: &Problem, rules: &dyn Propagator, way: Way, room: usize) -> Stats {
    let automata = rules.automata().expect("the rules have automata");
    let counter = Counter::new(problem, automata, room);
    if let Way::Ahead(bits) = way {
        counter.look_ahead(bits);
    }
    let mut counter = match way {
        Way::Frontier | Way::Ahead(_) => counter.by_frontier(),
        Way::Tree => counter.by_tree(),
        Way::Either => counter,
    };
    assert_eq!(run(&mut counter), Status::Exhausted);
    counter.stats()
}

const ROOM: usize = 1 << 30;

/// From nothing at all to plenty.
const ROOMS: [usize; 4] = [0, 1 << 10, 1 << 17, ROOM];

#[test]
fn counts_the_solutions_of_random_problems() {
    let mut solvable = 0;
    for seed in 0..1500 {
        let plain = random::xcc(seed);
        let text = plain.text();
        let expected = BigUint::from(plain.solutions_by_subsets().len());
        let (problem, room) = (common::problem(text.as_bytes()), ROOMS[seed as usize % 4]);
        let ahead = Way::Ahead(1 + seed as u32 % 13);
        for way in [Way::Frontier, ahead, Way::Tree, Way::Either] {
            let found = count(&problem, &(), way, room).total();
            assert_eq!(found, expected, "{way:?}, seed {seed}\n{text}");
        }
        let (shuffled, _) = problem.shuffled(seed);
        assert_eq!(count(&shuffled, &(), Way::Frontier, room).total(), expected, "seed {seed}");
        solvable += u64::from(expected > BigUint::default());
    }
    assert!(solvable > 700, "{solvable}");
}

/// Counts the solutions of random lattices whose edges satisfy a constraint, and its definition. Answers with how many
/// have one, and how many of those can be reduced.
fn lattices(wanted: &dyn Constraint, holds: fn(&[(u32, u32)]) -> bool) -> (usize, usize) {
    let (mut solvable, mut reduced) = (0, 0);
    for seed in 0..1000 {
        let lattice = random::lattice(seed, 1);
        let text = lattice.plain.text();
        let problem = common::problem(text.as_bytes());
        let solutions = lattice.plain.solutions_by_items();
        let expected = solutions.iter().filter(|cover| holds(&lattice.present(cover))).count();
        let make = |problem: &Problem| {
            common::bound(problem, &[wanted]).propagators(problem, Method::Backtracking, true)
        };
        let rules = make(&problem);
        for room in [ROOM, ROOMS[seed as usize % 4]] {
            for way in [Way::Frontier, Way::Ahead(2 + seed as u32 % 12)] {
                let found = count(&problem, &rules, way, room).total();
                assert_eq!(found, BigUint::from(expected), "{way:?}, seed {seed}\n{text}");
            }
        }
        if let Some(left) = residue_of(&problem, &make) {
            let found = count(&left, &rules, Way::Frontier, ROOM).total();
            assert_eq!(found, BigUint::from(expected), "what is left, seed {seed}\n{text}");
            reduced += usize::from(expected > 0);
        }
        solvable += usize::from(expected > 0);
    }
    (solvable, reduced)
}

#[test]
fn counts_the_loops_of_random_lattices() {
    let (solvable, reduced) = lattices(&SingleLoop, common::brute::is_single_cycle);
    assert!(solvable > 100 && reduced > 100, "{solvable}, {reduced}");
}

#[test]
fn counts_the_forests_of_random_lattices() {
    let (solvable, reduced) = lattices(&Acyclic, common::brute::is_forest);
    assert!(solvable > 100 && reduced > 100, "{solvable}, {reduced}");
}

/// What is left of a problem when all is taken out that its solutions have in common.
fn residue_of(problem: &Problem, rules: &dyn Fn(&Problem) -> Conjunction) -> Option<Problem> {
    simplify(problem, &|| rules(problem), u64::MAX, &mut || false)
}

/// Boards of sgt-loopy and sgt-pearl without half of their clues, with the number of loops that `links` and
/// `learn` find one by one.
const HALF: [(&str, &str, u64); 4] = [
    ("slitherlink", "0..3... .....2. ......2 .....3. .2..1.. ....1.2 .....23", 2_838_282),
    ("slitherlink", "3..1... ....2.. .2..... .0..2.. ....1.. ...2... 0.32.3.", 121_846),
    (
        "masyu",
        "....1.0. ........ ...1..0. ........ .....0.. 0....... ......0. ........ ..1.00..",
        144_241,
    ),
    (
        "masyu",
        "1..0.... ........ ....00.. .......0 ........ .....1.. ....1.1. 0....... ....1...",
        198_814,
    ),
];

#[test]
fn counts_the_loops_of_boards_with_half_of_their_clues() {
    let mut dropped = 0;
    for (kind, board, expected) in HALF {
        let problem = generated(kind, &board.replace(' ', "\n"));
        let expected = BigUint::from(expected);
        let plain = count(&problem, &looped(&problem), Way::Ahead(0), ROOM);
        assert_eq!(plain.total(), expected, "{board}");
        for bits in [4, 8, 12] {
            let found = count(&problem, &looped(&problem), Way::Ahead(bits), ROOM);
            assert_eq!(found.total(), expected, "{board}, {bits} bits");
            assert!(found.nodes <= plain.nodes, "{board}, {bits} bits: {} states", found.nodes);
            dropped += u64::from(3 * found.nodes < 2 * plain.nodes);
        }
        let rules = |_| looped(&problem);
        let mut counter = Count::by_memo(&problem, &rules, ROOM, false);
        assert_eq!((run(&mut counter), counter.name()), (Status::Exhausted, "memo"), "{board}");
        assert_eq!(counter.stats().total(), expected, "{board}");
        let left = residue_of(&problem, &looped);
        let left = left.as_ref().unwrap_or(&problem);
        let found = count(left, &looped(left), Way::Frontier, ROOM);
        assert_eq!(found.total(), expected, "{board}, what is left");
    }
    assert!(dropped >= 4, "{dropped}");
}

/// A board as a problem.
fn generated(kind: &str, board: &str) -> Problem {
    let kind = puzzle::find(kind).expect("a kind");
    let clues = kind.read(board.as_bytes()).expect("a board");
    let mut text = Vec::new();
    kind.write(&clues, Model::default(), &mut Writer::new(&mut text)).expect("a vector");
    common::problem(&text)
}

/// Random colors of a few cells, which options share; one color or both must be connected.
#[test]
fn counts_connected_colorings_of_random_boards() {
    let (mut several, mut reduced) = (0, 0);
    for seed in 0..600 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (rows, cols) = (random.usize(1..4), random.usize(1..5));
        let name = |r: usize, c: usize| format!("{}{}", 2 * r + 1, 2 * c + 1);
        let cells: Vec<(usize, usize)> =
            (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))).collect();
        let mut text: String = (0..cells.len()).map(|i| format!("p{i} ")).collect();
        text += "|";
        cells.iter().for_each(|&(r, c)| text += &format!(" {}", name(r, c)));
        text += "\n";
        for i in 0..cells.len() {
            for _ in 0..random.usize(1..4) {
                text += &format!("p{i}");
                for &(r, c) in &cells {
                    let near = cells[i].0.abs_diff(r) + cells[i].1.abs_diff(c);
                    if near == 0 && random.u8(..8) > 0 || near == 1 && random.u8(..4) == 0 {
                        text += &format!(" {}", name(r, c));
                        text += [":0", ":1", ":1", ""][random.usize(..4)];
                    }
                }
                text += "\n";
            }
        }
        let problem = common::problem(text.as_bytes());
        let Ok(ones) = ConnectedPropagator::new(&problem, b"1") else { continue };
        let mut rules = Conjunction::new();
        rules.push(Box::new(ones));
        if random.bool() {
            let zeros = ConnectedPropagator::new(&problem, b"0").expect("there are cells");
            rules.push(Box::new(zeros));
        }
        // `links` judges complete covers by a search of its own.
        let expected = common::solve(&problem, &mut rules).stats.solutions;
        for way in [Way::Frontier, Way::Ahead(1 + seed as u32 % 13)] {
            let found = count(&problem, &rules, way, ROOMS[seed as usize % 4]);
            assert_eq!(found.total(), BigUint::from(expected), "{way:?}, seed {seed}\n{text}");
        }
        let make = |problem: &Problem| {
            let mut rules = Conjunction::new();
            rules.push(Box::new(ConnectedPropagator::new(problem, b"1").expect("there are cells")));
            rules
        };
        let ones = common::solve(&problem, make(&problem)).stats.solutions;
        if let Some(left) = residue_of(&problem, &make) {
            let found = count(&left, &make(&problem), Way::Frontier, ROOM);
            assert_eq!(found.total(), BigUint::from(ones), "what is left, seed {seed}\n{text}");
            reduced += usize::from(ones > 1);
        }
        several += usize::from(expected > 1);
    }
    assert!(several > 200 && reduced > 100, "{several}, {reduced}");
}

/// The counts of Knuth's `dlx2`, which are those of his `dlx6`.
#[test]
fn counts_the_stored_problems_as_knuth_does() {
    let mut files = 0;
    for row in table("xcc/expected.tsv") {
        if row[1] != "dlx2" {
            continue;
        }
        let problem = common::problem(&slurp(&fixture(&row[0])));
        let ways = match problem.primary() < 50 {
            true => &[Way::Frontier, Way::Tree, Way::Either][..],
            false => &[Way::Tree, Way::Either],
        };
        for &way in ways {
            let found = count(&problem, &(), way, ROOM).total();
            assert_eq!(found.to_string(), row[2], "{way:?} {}", row[0]);
        }
        files += 1;
    }
    assert!(files > 30, "only {files} files");
}

/// Kasteleyn's formula (1961): the product over 0 < j <= m, 0 < k <= n of the fourth root of
/// 4 cos^2(pi j / (m + 1)) + 4 cos^2(pi k / (n + 1)).
fn kasteleyn(m: usize, n: usize) -> f64 {
    let cosine = |i: usize, size: usize| {
        (std::f64::consts::PI * i as f64 / (size as f64 + 1.0)).cos().powi(2)
    };
    let factor = |j, k| (4.0 * cosine(j, m) + 4.0 * cosine(k, n)).powf(0.25);
    (1..=m).flat_map(|j| (1..=n).map(move |k| (j, k))).map(|(j, k)| factor(j, k)).product()
}

#[test]
fn counts_domino_coverings_by_kasteleyns_formula() {
    for (m, n) in (1..=8).flat_map(|m| (1..=8).map(move |n| (m, n))) {
        if m * n % 2 == 1 {
            continue;
        }
        let wanted = kasteleyn(m, n).round() as u64;
        for way in [Way::Frontier, Way::Tree] {
            let found = count(&dominoes(m, n), &(), way, ROOM).total();
            assert_eq!(found, BigUint::from(wanted), "{m} x {n}");
        }
    }
    // OEIS A004003.
    for (n, wanted) in [(12, "53060477521960000"), (16, "2444888770250892795802079170816")] {
        let found = count(&dominoes(n, n), &(), Way::Either, ROOM).total();
        assert_eq!(found.to_string(), wanted);
        let near: f64 = wanted.parse().expect("a number");
        assert!((kasteleyn(n, n) / near - 1.0).abs() < 1e-9);
    }
}

#[test]
fn multiplies_the_counts_of_components() {
    let boards: Vec<(String, String)> =
        ["a", "b", "c", "d"].map(|tag| tagged_dominoes(8, 8, tag)).into();
    let items: String = boards.iter().map(|(items, _)| items.as_str()).collect();
    let options: String = boards.iter().map(|(_, options)| options.as_str()).collect();
    let problem = common::problem(format!("{items}\n{options}").as_bytes());
    let one = BigUint::from(12_988_816u32);
    for way in [Way::Frontier, Way::Tree] {
        let found = count(&problem, &(), way, ROOM);
        assert_eq!(found.total(), one.pow(4), "{way:?}");
        assert!(found.nodes < 20_000, "{way:?}: {} nodes", found.nodes);
    }
}

/// Sets of edges of an n x n grid of cells in which every vertex has none or two, by a transfer matrix:
/// row by row, the state is which vertical edges come down.
fn even_sets(n: usize) -> BigUint {
    let mut above = vec![BigUint::default(); 1 << (n + 1)];
    above[0] = 1u32.into();
    for row in 0..=n {
        let mut below = vec![BigUint::default(); 1 << (n + 1)];
        for (down, ways) in above.iter().enumerate() {
            // Horizontal edges of this row; then the vertical ones follow, or do not.
            for across in 0..1usize << n {
                let degree = |v: usize| {
                    let left = v.checked_sub(1).map_or(0, |edge| across >> edge & 1);
                    (down >> v & 1) + left + (if v < n { across >> v & 1 } else { 0 })
                };
                if (0..=n).any(|v| degree(v) == 3) {
                    continue;
                }
                let next: usize = (0..=n).map(|v| (degree(v) & 1) << v).sum();
                if row < n || next == 0 {
                    below[next] += ways;
                }
            }
        }
        above = below;
    }
    above[0].clone()
}

#[test]
fn counts_weak_slitherlinks_as_a_transfer_matrix_does() {
    for n in 1..=7 {
        let problem = slitherlink(n);
        for way in [Way::Frontier, Way::Tree] {
            assert_eq!(count(&problem, &(), way, ROOM).total(), even_sets(n), "{n} {way:?}");
        }
    }
    // Known from two other programs.
    for (n, wanted) in
        [(8, "92343922085798834"), (14, "1472766734483767235739512634492941295727845673093474")]
    {
        let found = count(&slitherlink(n), &(), Way::Either, ROOM).total();
        assert_eq!(found.to_string(), wanted);
    }
}

/// OEIS A140517: cycles in the grid of n x n cells.
#[test]
fn counts_the_cycles_of_a_grid() {
    for (n, wanted) in CYCLES {
        let problem = slitherlink(n);
        let found = count(&problem, &looped(&problem), Way::Either, ROOM).total();
        assert_eq!(found.to_string(), wanted, "{n}");
    }
}

/// The order of items is found from the structure: names and numbers do not matter.
#[test]
fn a_permuted_file_takes_at_most_twice_the_states() {
    for (problem, name) in [(dominoes(16, 16), "domino"), (slitherlink(12), "weak")] {
        let plain = count(&problem, &(), Way::Frontier, ROOM);
        for seed in 1..=10 {
            let (shuffled, _) = problem.shuffled(seed);
            let found = count(&shuffled, &(), Way::Frontier, ROOM);
            assert_eq!(found.total(), plain.total(), "{name}, seed {seed}");
            assert!(found.nodes <= 2 * plain.nodes, "{name}, seed {seed}: {}", found.nodes);
        }
    }
}

#[test]
fn a_small_memory_takes_longer_but_counts_the_same() {
    let (problem, wanted) = (dominoes(8, 8), BigUint::from(12_988_816u32));
    let mut nodes = Vec::new();
    for room in [1 << 14, ROOM] {
        let found = count(&problem, &(), Way::Tree, room);
        assert_eq!(found.total(), wanted, "{room}");
        nodes.push(found.nodes);
    }
    assert!(nodes.is_sorted_by(|a, b| a > b), "{nodes:?}");
    let problem = slitherlink(7);
    let rules = looped(&problem);
    for room in [1 << 16, ROOM] {
        let found = count(&problem, &rules, Way::Frontier, room);
        assert_eq!(found.total(), BigUint::from(603_841_648_931u64), "{room}");
    }
}

#[test]
fn what_is_known_when_it_stops_is_a_lower_bound() {
    let problem = dominoes(6, 6);
    let mut known = Vec::new();
    for nodes in [0, 1, 5, 20, 50, 100, 150] {
        let counter = || Counter::new(&problem, Vec::new(), ROOM);
        let (mut tree, mut frontier) = (counter().by_tree(), counter().by_frontier());
        tree.limit(nodes);
        assert_eq!(run(&mut tree), Status::Limit, "{nodes}");
        known.push(tree.stats().solutions);
        frontier.limit(nodes);
        assert_eq!(run(&mut frontier), Status::Limit, "{nodes}");
        assert!(frontier.stats().solutions <= 6728, "{nodes}");
    }
    assert!(known.is_sorted() && known[6] > 0 && known[6] <= 6728, "{known:?}");
}
