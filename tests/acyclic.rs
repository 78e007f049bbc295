//! `--acyclic` against a predicate over finished solutions, on random lattices and on grids; its undo, and what it
//! forbids, against the definition.

mod common;

use std::collections::BTreeSet;

use common::brute::is_forest;
use common::random::{self, Lattice};
use common::{bound, learn, solve};
use num_bigint::BigUint;
use quadrille::constraint::acyclic::propagator::AcyclicPropagator;
use quadrille::constraint::final_test::FinalTest;
use quadrille::constraint::graph::Graph;
use quadrille::constraint::{
    Acyclic, Conjunction, Constraint, Explanation, Method, Moves, Propagator, SingleLoop, Uses,
};
use quadrille::ids::{Color, ItemId, OptionId};
use quadrille::problem::Problem;
use quadrille::search::engine::{Engine, Status};
use quadrille::search::memo::Counter;
use quadrille::solutions::verify::Verifier;

const ACYCLIC: &[&dyn Constraint] = &[&Acyclic];

fn propagator(problem: &Problem) -> AcyclicPropagator {
    AcyclicPropagator::new(problem, &Graph::read(problem).expect("the convention is kept"))
}

/// The number of covers, by the frontier alone; with so many bytes for states.
fn count(problem: &Problem, rules: &Conjunction, room: usize) -> BigUint {
    let automata = rules.automata().expect("the rules have automata");
    let mut counter = Counter::new(problem, automata, room);
    assert_eq!(common::run(&mut counter).end, Status::Exhausted);
    counter.stats().total()
}

fn check_solutions(seed: u64) -> usize {
    let lattice = random::lattice(seed, 1 + seed as usize % 3);
    let text = lattice.plain.text();
    let all = lattice.plain.solutions_by_items();
    let problem = common::problem(text.as_bytes());
    let constraints = bound(&problem, ACYCLIC);
    let mut verifier = Verifier::new(&problem).under(&constraints);
    let mut expected = all.clone();
    expected.retain(|solution| {
        let holds = is_forest(&lattice.present(solution));
        let options: Vec<OptionId> = solution.iter().map(|&o| OptionId::new(o as u32)).collect();
        assert_eq!(verifier.constraints(&options).is_ok(), holds, "verify, seed {seed}\n{text}");
        holds
    });
    let rule = || propagator(&problem);
    let ahead = || propagator(&problem).looking_ahead();
    let both: Vec<Box<dyn Propagator>> = vec![Box::new(rule()), Box::new(ahead())];
    let plain = solve(&problem, rule());
    let tested = solve(&problem, FinalTest::new(rule()));
    for (name, found) in [
        ("plain", &plain),
        ("final test", &tested),
        ("ahead", &solve(&problem, ahead())),
        ("final test of ahead", &solve(&problem, FinalTest::new(ahead()))),
        ("both", &solve(&problem, Conjunction::from(both))),
        ("learn, plain", &learn(&problem, rule())),
        ("learn, ahead", &learn(&problem, ahead())),
        ("learn, final test", &learn(&problem, FinalTest::new(rule()))),
    ] {
        assert_eq!(found.sorted(), expected, "{name}, seed {seed}\n{text}");
    }
    // It cuts branches off and changes nothing else.
    assert_eq!(plain.choices, tested.choices, "seed {seed}\n{text}");
    let rules = constraints.propagators(&problem, Method::Backtracking, true);
    for room in [1 << 20, 1 << (10 + seed % 8)] {
        let counted = count(&problem, &rules, room);
        assert_eq!(counted, BigUint::from(expected.len()), "memo, seed {seed}\n{text}");
    }
    // A loop is a cycle.
    let two = bound(&problem, &[&SingleLoop, &Acyclic]);
    let rules = || two.propagators(&problem, Method::Learning, true);
    assert_eq!(solve(&problem, rules()).choices.len(), 0, "with a loop, seed {seed}\n{text}");
    assert_eq!(count(&problem, &rules(), 1 << 20), BigUint::ZERO, "with a loop, seed {seed}");
    expected.len().min(all.len() - expected.len())
}

#[test]
fn finds_the_forests_of_random_lattices() {
    let mixed = (0..800).map(check_solutions).filter(|&both| both > 0).count();
    assert!(mixed > 100, "few have solutions with a cycle and solutions without: {mixed}");
}

#[test]
#[ignore = "takes a minute; `cargo test --test acyclic -- --ignored`"]
fn finds_the_forests_of_many_random_lattices() {
    (800..50_000).for_each(|seed| _ = check_solutions(seed));
}

/// A grid of vertices in which each edge is there or not, for itself.
fn grid(rows: usize, cols: usize) -> (Problem, Vec<(u32, u32)>) {
    let (mut names, mut options, mut edges) = (Vec::new(), String::new(), Vec::new());
    let mut vertices = Vec::new();
    for r in 0..2 * rows - 1 {
        for c in 0..2 * cols - 1 {
            let vertex = |r: usize, c: usize| (r / 2 * cols + c / 2) as u32;
            match (r % 2, c % 2) {
                (0, 0) => vertices.push(format!("{r:x}{c:x}")),
                (0, 1) => edges.push((vertex(r, c - 1), vertex(r, c + 1))),
                (1, 0) => edges.push((vertex(r - 1, c), vertex(r + 1, c))),
                _ => continue,
            }
            if r % 2 + c % 2 == 1 {
                names.push(format!("{r:x}{c:x}"));
            }
        }
    }
    for name in &vertices {
        options += &format!("{name}\n");
    }
    for name in &names {
        options += &format!("#{name} {name}:0\n#{name} {name}:1\n");
    }
    let choices: Vec<String> = names.iter().map(|name| format!("#{name}")).collect();
    let items = format!("{} {} | {}", vertices.join(" "), choices.join(" "), names.join(" "));
    (common::problem(format!("{items}\n{options}").as_bytes()), edges)
}

/// Forests are sets of edges without a cycle. Up to 2^17 sets each one is looked at.
#[test]
fn counts_the_forests_of_grids() {
    for (rows, cols) in [(1, 4), (2, 2), (2, 4), (3, 3), (3, 4)] {
        let (problem, edges) = grid(rows, cols);
        let chosen = |set: u32| -> Vec<(u32, u32)> {
            (0..edges.len()).filter(|edge| set >> edge & 1 == 1).map(|edge| edges[edge]).collect()
        };
        let expected = (0..1 << edges.len()).filter(|&set| is_forest(&chosen(set))).count();
        let rules = |method| bound(&problem, ACYCLIC).propagators(&problem, method, true);
        let counted = count(&problem, &rules(Method::Backtracking), 1 << 24);
        assert_eq!(counted, BigUint::from(expected), "{rows} x {cols}");
        if expected < 4000 {
            let found = solve(&problem, rules(Method::Backtracking)).choices.len();
            assert_eq!(found, expected, "links, {rows} x {cols}");
            let found = learn(&problem, rules(Method::Learning)).choices.len();
            assert_eq!(found, expected, "learn, {rows} x {cols}");
        }
    }
    for (rows, cols, expected) in FORESTS {
        let (problem, _) = grid(rows, cols);
        let rules = bound(&problem, ACYCLIC).propagators(&problem, Method::Backtracking, true);
        assert_eq!(count(&problem, &rules, 1 << 26).to_string(), expected, "{rows} x {cols}");
    }
}

/// OEIS A080691: rows and columns of vertices, and the forests.
const FORESTS: [(usize, usize, &str); 4] = [
    (4, 4, "8790016"),
    (5, 5, "341008617408"),
    (6, 6, "181075508242067552"),
    (7, 7, "1315927389374152034113856"),
];

/// An engine that writes down what is forbidden.
struct Forbidden<'a>(&'a mut BTreeSet<ItemId>);

impl Moves for Forbidden<'_> {
    fn forbid(&mut self, item: ItemId, _: Color, _: Explanation<'_>) {
        self.0.insert(item);
    }

    fn require(&mut self, _: ItemId, _: Color, _: Explanation<'_>) {
        unreachable!("--acyclic requires nothing");
    }

    fn uses(&self, _: ItemId, _: Color) -> Uses {
        Uses { with: true, without: true }
    }
}

/// A level of a walk: the edges that were fixed, and what was forbidden then.
type Level = (Vec<(ItemId, Color)>, BTreeSet<ItemId>);

/// Fixes random edges, several to a level, and takes back random numbers of levels. What is refused, and what has been
/// forbidden, is exactly what the definition says.
fn walk(seed: u64, lattice: &Lattice, problem: &Problem) {
    let mut random = fastrand::Rng::with_seed(seed);
    let present = problem.find_color(b"1").expect("the color is there");
    let absent = Color::new(present.raw() + 1);
    let edges: Vec<(ItemId, (u32, u32))> =
        lattice.edges.iter().map(|&(item, u, v)| (ItemId::new(item as u32), (u, v))).collect();
    let mut rule = propagator(problem).looking_ahead();
    let mut levels: Vec<Level> = Vec::new();
    for _ in 0..60 {
        let fixed = |levels: &[Level]| -> Vec<(ItemId, Color)> {
            levels.iter().flat_map(|level| level.0.clone()).collect()
        };
        let there = |levels: &[Level]| -> Vec<(u32, u32)> {
            let fixed = fixed(levels);
            edges.iter().filter(|e| fixed.contains(&(e.0, present))).map(|e| e.1).collect()
        };
        let mut back = random.u8(..5) == 0;
        if !back {
            let before = fixed(&levels);
            let mut open = edges.clone();
            open.retain(|edge| !before.iter().any(|&(item, _)| item == edge.0));
            random.shuffle(&mut open);
            rule.mark();
            levels.push(Level::default());
            for &(item, ends) in open.iter().take(random.usize(0..=3)) {
                let color = random.choice([present, present, absent, Color::NONE]).expect("one");
                let mut after = there(&levels);
                after.extend((color == present).then_some(ends));
                let verdict = rule.fixed(item, color);
                assert_eq!(verdict.is_fine(), is_forest(&after), "seed {seed}: {after:?}");
                if !verdict.is_fine() {
                    back = true;
                    break;
                }
                levels.last_mut().expect("a level").0.push((item, color));
            }
            if !back {
                let forbidden = &mut levels.last_mut().expect("a level").1;
                assert!(rule.settle(&mut Forbidden(forbidden)).is_fine());
                assert!(rule.complete().is_fine());
                let (now, all) = (fixed(&levels), there(&levels));
                for &(item, ends) in &edges {
                    let closes = !is_forest(&[&all[..], &[ends]].concat());
                    let was_forbidden = levels.iter().any(|level| level.1.contains(&item));
                    if !now.iter().any(|&(other, _)| other == item) {
                        assert_eq!(was_forbidden, closes, "seed {seed}: {item:?} after {now:?}");
                    }
                }
            }
        }
        if back && !levels.is_empty() {
            let jump = if random.u8(..3) == 0 { random.usize(1..=levels.len()) } else { 1 };
            levels.truncate(levels.len() - jump);
            rule.backtrack(levels.len());
        }
    }
}

#[test]
fn refuses_and_forbids_what_closes_a_cycle() {
    let mut walked = 0;
    for seed in 0..600 {
        let lattice = random::lattice(seed, 1);
        let problem = common::problem(lattice.plain.text().as_bytes());
        if problem.find_color(b"1").is_some() && lattice.edges.len() > 3 {
            walk(seed, &lattice, &problem);
            walked += 1;
        }
    }
    assert!(walked > 300, "{walked}");
}
