//! Reduced problems have the solutions of the original; checked by engines and by brute force.

mod common;

use common::brute::is_single_cycle;
use common::{fixtures, random, slurp, solve, table};
use quadrille::constraint::graph::Graph;
use quadrille::constraint::single_loop::propagator::SingleLoopPropagator;
use quadrille::dlx::parse::{self, Dlx};
use quadrille::dlx::write::Writer;
use quadrille::problem::Problem;
use quadrille::reduce::{Reduction, reduce, write};

/// The reduced file, read again.
fn reduced(problem: &Problem, rounds: u64) -> (Reduction, Dlx) {
    let reduction = reduce(problem, rounds, &mut || false);
    let mut text = Vec::new();
    write(problem, &reduction, b"", &mut Writer::new(&mut text)).expect("a vector takes all bytes");
    let dlx = parse::read(&text[..]).unwrap_or_else(|error| panic!("{error}"));
    (reduction, dlx)
}

/// Options and items that are left. What stays only so that `--loop` and `--connected` find their names,
/// where there is no solution, does not count.
fn left(reduction: &Reduction, dlx: &Dlx) -> (usize, usize) {
    match reduction.unfeasible {
        Some(_) => (0, 1),
        None => (dlx.problem.options(), dlx.problem.items()),
    }
}

/// Solutions of the reduced problem, as options of the original.
fn lifted(dlx: &Dlx, sets: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let lift = |set: Vec<usize>| {
        let mut set: Vec<usize> = set.iter().map(|&o| dlx.origins[o] as usize - 1).collect();
        set.sort_unstable();
        set
    };
    let mut sets: Vec<Vec<usize>> = sets.into_iter().map(lift).collect();
    sets.sort();
    sets
}

#[test]
fn random_problems_keep_their_solutions() {
    let (mut options, mut items) = ((0, 0), (0, 0));
    for seed in 0..2000 {
        let plain = random::xcc(seed);
        let text = plain.text();
        let problem = common::problem(text.as_bytes());
        let expected = plain.solutions_by_subsets();
        for rounds in [0, 1, u64::MAX] {
            let (reduction, dlx) = reduced(&problem, rounds);
            let found = lifted(&dlx, solve(&dlx.problem, ()).sets());
            assert_eq!(found, expected, "seed {seed}\n{text}");
            assert!(!reduction.stopped && reduction.rounds <= rounds);
            let left = left(&reduction, &dlx);
            options = (options.0 + left.0, options.1 + problem.options());
            items = (items.0 + left.1, items.1 + problem.items());
        }
    }
    assert!(options.0 * 5 < options.1 * 4 && items.0 * 5 < items.1 * 3, "{options:?} {items:?}");
}

#[test]
fn problems_with_bounds_keep_their_solutions() {
    let (mut left, mut all) = (0, 0);
    for seed in 0..2000 {
        let bounded = random::mcc(seed);
        let text = bounded.text();
        let problem = common::problem(text.as_bytes());
        let (_, dlx) = reduced(&problem, u64::MAX);
        let found = lifted(&dlx, solve(&dlx.problem, ()).sets());
        assert_eq!(found, bounded.solutions(), "seed {seed}\n{text}");
        left += dlx.problem.options();
        all += problem.options();
    }
    assert!(left * 10 < all * 9, "{left} of {all}");
}

#[test]
fn loops_stay_as_they_are() {
    let (mut loops, mut left, mut all) = (0, 0, 0);
    for seed in 0..1000 {
        let lattice = random::lattice(seed, 1 + (seed % 2) as usize);
        let text = lattice.plain.text();
        let problem = common::problem(text.as_bytes());
        let Ok(graph) = Graph::read(&problem) else { continue };
        let (_, dlx) = reduced(&problem, u64::MAX);
        let mut expected = lattice.plain.solutions_by_items();
        expected.retain(|set| is_single_cycle(&lattice.present(set)));
        let again = Graph::read(&dlx.problem).expect("the names are still those of a board");
        let rule = &mut SingleLoopPropagator::new(&dlx.problem, &again);
        let found = lifted(&dlx, solve(&dlx.problem, rule).sets());
        assert_eq!(found, expected, "seed {seed}\n{text}");
        loops += expected.len();
        left += dlx.problem.options();
        all += problem.options();
        let _ = graph;
    }
    assert!(loops > 300 && left * 4 < all * 3, "{loops} loops, {left} of {all} options");
}

/// What `dlx2` counts on the original.
#[test]
fn the_fixtures_keep_their_number_of_solutions() {
    let mut files = 0;
    for row in table("xcc/expected.tsv").iter().filter(|row| row[1] == "dlx2") {
        let problem = common::problem(&slurp(&common::fixture(&row[0])));
        let (_, dlx) = reduced(&problem, u64::MAX);
        let found = solve(&dlx.problem, ());
        assert_eq!(found.stats.solutions.to_string(), row[2], "{}", row[0]);
        // Reduced once more it stays as it is.
        let (again, _) = reduced(&dlx.problem, u64::MAX);
        let all = again.options.iter().chain(&again.items).all(|&left| left);
        assert!(all || found.stats.solutions == 0, "{} was not at a fixpoint", row[0]);
        files += 1;
    }
    assert!(files > 30, "{files}");
}

/// `dlx-pre` on the fixtures: options and items that it leaves, from its standard output.
#[test]
fn at_least_as_much_goes_as_in_dlx_pre() {
    let rows = table("xcc/reduced.tsv");
    let (mut ours, mut theirs) = ((0, 0), (0, 0));
    for row in &rows {
        let problem = common::problem(&slurp(&common::fixture(&row[0])));
        let (reduction, dlx) = reduced(&problem, u64::MAX);
        let left = left(&reduction, &dlx);
        let number = |column: usize| row[column].parse::<usize>().expect("a number");
        assert!(left.0 <= number(1), "options of {}: {} and {}", row[0], left.0, row[1]);
        ours = (ours.0 + left.0, ours.1 + left.1);
        theirs = (theirs.0 + number(1), theirs.1 + number(2));
    }
    assert!(rows.len() > 20 && ours.0 <= theirs.0 && ours.1 <= theirs.1, "{ours:?} {theirs:?}");
}

#[test]
fn a_reduction_that_is_stopped_is_right_as_far_as_it_goes() {
    for path in fixtures("xcc", "dlx").iter().take(20) {
        let problem = common::problem(&slurp(path));
        let whole = solve(&problem, ()).sorted();
        for patience in [0, 1, 7, 50] {
            let mut asked = 0;
            let mut stop = || {
                asked += 1;
                asked > patience
            };
            let reduction = reduce(&problem, u64::MAX, &mut stop);
            let mut text = Vec::new();
            write(&problem, &reduction, b"", &mut Writer::new(&mut text)).expect("fits");
            let dlx = parse::read(&text[..]).expect("is a problem");
            let found = lifted(&dlx, solve(&dlx.problem, ()).sets());
            assert_eq!(found, whole, "{}", path.display());
        }
    }
}
