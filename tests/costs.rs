//! The cheapest covers, against brute force.

mod common;

use common::brute::is_single_cycle;
use common::random;
use quadrille::constraint::Propagator;
use quadrille::constraint::graph::Graph;
use quadrille::constraint::single_loop::propagator::SingleLoopPropagator;
use quadrille::problem::Problem;
use quadrille::search::algorithm_m::branch_and_bound::{Cheap, Cheapest};
use quadrille::search::engine::{Engine, Status, run};
use quadrille::solution::Choices;

fn best(problem: &Problem, constraint: impl Propagator, wanted: u64) -> Vec<Cheap> {
    let mut engine = Cheapest::new(problem, constraint, wanted);
    let end = run(&mut engine, &mut |_: &dyn Choices| unreachable!("only the answer has covers"));
    let solutions = engine.stats().solutions;
    let found = engine.best();
    assert_eq!((end, solutions), (Status::Exhausted, found.len() as u64));
    found
}

/// The answer for several numbers of covers: costs as expected, and covers that have them, each once.
fn compare<C: Propagator>(
    problem: &Problem,
    mut constraint: impl FnMut() -> C,
    expected: &[(u64, Vec<usize>)],
    place: &str,
) {
    for wanted in [1, 2, 3, 7, 1000] {
        let found = best(problem, constraint(), wanted);
        let set = |cheap: &Cheap| cheap.options.iter().map(|o| o.index()).collect::<Vec<usize>>();
        let mut sets: Vec<(u64, Vec<usize>)> =
            found.iter().map(|cheap| (cheap.cost as u64, set(cheap))).collect();
        let costs = |sets: &[(u64, Vec<usize>)]| sets.iter().map(|s| s.0).collect::<Vec<u64>>();
        let first = &expected[..expected.len().min(wanted as usize)];
        assert_eq!(costs(&sets), costs(first), "{wanted} of {place}");
        assert!(sets.iter().all(|set| expected.contains(set)), "{wanted} of {place}");
        sets.sort();
        sets.dedup();
        assert_eq!(sets.len(), first.len(), "{wanted} of {place}");
    }
}

#[test]
fn finds_the_cheapest_covers_of_random_problems() {
    let (mut several, mut paid) = (0, 0);
    for seed in 0..1000 {
        let priced = random::priced(seed);
        let text = priced.text();
        let problem = common::problem(text.as_bytes());
        let expected = priced.solutions();
        compare(&problem, || (), &expected, &format!("seed {seed}\n{text}"));
        several += usize::from(expected.len() > 2);
        paid += usize::from(expected.first().is_some_and(|(cost, _)| *cost > 0));
    }
    assert!(several > 100 && paid > 200, "{several} with several, {paid} with costs");
}

/// The costs of the options come after their items, so that the file has both.
fn with_costs(text: &str, seed: u64) -> (String, Vec<u64>) {
    let mut random = fastrand::Rng::with_seed(seed);
    let (items, options) = text.split_once('\n').expect("the items have a line");
    let primary: Vec<&str> = items.split(" | ").next().unwrap_or_default().split(' ').collect();
    let is_primary = |word: &str| primary.iter().any(|name| name.rsplit('|').next() == Some(word));
    let mut text = format!("{items}\n");
    let mut costs = Vec::new();
    for option in options.lines() {
        let cost = [0, 1, 2, 3, 5, 10, 100][random.usize(..7)];
        text += &format!("{option} |{cost}\n");
        if option.split(' ').any(is_primary) {
            costs.push(cost);
        }
    }
    (text, costs)
}

#[test]
fn keeps_bounds() {
    let mut several = 0;
    for seed in 0..1000 {
        let bounded = random::mcc(seed);
        let (text, costs) = with_costs(&bounded.text(), seed);
        let problem = common::problem(text.as_bytes());
        let cost = |set: &Vec<usize>| set.iter().map(|&option| costs[option]).sum();
        let mut expected: Vec<(u64, Vec<usize>)> =
            bounded.solutions().into_iter().map(|set| (cost(&set), set)).collect();
        expected.sort();
        compare(&problem, || (), &expected, &format!("seed {seed}\n{text}"));
        several += usize::from(expected.len() > 2);
    }
    assert!(several > 300, "{several}");
}

#[test]
fn keeps_one_loop() {
    let mut loops = 0;
    for seed in 0..400 {
        let lattice = random::lattice(seed, 1);
        let (text, costs) = with_costs(&lattice.plain.text(), seed);
        let problem = common::problem(text.as_bytes());
        let Ok(graph) = Graph::read(&problem) else { continue };
        let mut sets = lattice.plain.solutions_by_items();
        sets.retain(|set| is_single_cycle(&lattice.present(set)));
        let cost = |set: &Vec<usize>| set.iter().map(|&option| costs[option]).sum();
        let mut expected: Vec<(u64, Vec<usize>)> =
            sets.into_iter().map(|set| (cost(&set), set)).collect();
        expected.sort();
        loops += expected.len();
        let rule = || SingleLoopPropagator::new(&problem, &graph);
        compare(&problem, rule, &expected, &format!("seed {seed}\n{text}"));
    }
    assert!(loops > 100, "{loops} loops");
}

/// Two options of the largest cost: their sum has 65 bits.
#[test]
fn adds_beyond_64_bits() {
    let problem = common::problem(b"A B\nA |18446744073709551615\nB |18446744073709551615\n");
    let found = best(&problem, (), 1);
    assert_eq!(found[0].cost, 2 * u128::from(u64::MAX));
}
