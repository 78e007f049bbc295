//! Estimates of trees whose size is known.

mod common;

use common::boards::{dominoes, slitherlink};
use common::{fixture, random, slurp, solve, trees};
use quadrille::constraint::graph::Graph;
use quadrille::constraint::single_loop::propagator::SingleLoopPropagator;
use quadrille::large::Large;
use quadrille::problem::Problem;
use quadrille::search::estimate::{Confidence, Estimate, EstimatePlan, estimate};
use quadrille::search::stats::Stats;
use quadrille::solution::Choices;

fn plan(work: u64, seed: u64) -> EstimatePlan {
    EstimatePlan { work, seed, ..EstimatePlan::default() }
}

fn sampled(problem: &Problem, work: u64, seed: u64) -> Estimate {
    estimate(problem, &mut (), &plan(work, seed), &mut || false)
}

/// Whether an interval has the truth in it. An oracle that adds in another order is not exact to the last bit.
fn covers(Confidence { low, high, .. }: Confidence, truth: Large) -> bool {
    low <= truth * (1.0 + 1e-9) && truth <= high * (1.0 + 1e-9)
}

/// Trees from 11 nodes to more than 10^300, whose sizes an oracle knows.
#[test]
fn deep_trees_are_estimated() {
    let problems = [
        ("2 x 60 dominoes", dominoes(60, 2)),
        ("2 x 400 dominoes", dominoes(400, 2)),
        ("2 x 1430 dominoes", dominoes(1430, 2)),
        ("4 x 40 dominoes", dominoes(40, 4)),
        ("twins", trees::twins(1100, 2)),
        ("a strip", trees::strip(3000)),
        ("queens", trees::queens(9)),
        ("a blank slitherlink", slitherlink(5)),
    ];
    for (name, problem) in problems {
        let (nodes, solutions) = trees::tree(&problem);
        for seed in 0..3 {
            let found = sampled(&problem, 3_000_000, seed);
            let Estimate { nodes: of_nodes, solutions: of_solutions, .. } = found;
            assert!(covers(of_nodes, nodes), "{name}, seed {seed}: {of_nodes:?}, not {nodes}");
            assert!(covers(of_solutions, solutions), "{name}, seed {seed}: {of_solutions:?}");
            assert!(found.exact || of_nodes.low < of_nodes.high, "{name}: a point");
        }
    }
}

/// Most probes of this board (dlx2 visits 4551534 nodes) see little of it, and some nearly all. What one has visited is there.
#[test]
fn what_was_visited_counts() {
    let problem = common::problem(&slurp(&fixture("bench/slitherlink15-weak.dlx")));
    for seed in 0..5 {
        let found = sampled(&problem, 6_000_000, seed);
        assert!(covers(found.nodes, Large::new(4_551_534.0)), "seed {seed}: {:?}", found.nodes);
        assert!(!found.nodes.reliable && found.nodes.low >= Large::new(100_000.0), "seed {seed}");
    }
}

/// All trees and a hundred seeds: an interval that is said to be reliable is right; of the others as well as of these,
/// at least 95 of 100 are.
#[test]
#[ignore = "takes an hour"]
fn intervals_of_many_trees_are_right() {
    for (name, problem) in trees::trees() {
        let (nodes, solutions) = trees::tree(&problem);
        let mut covered = [0; 2];
        for seed in 0..100 {
            let found = sampled(&problem, EstimatePlan::default().work, seed);
            let intervals = [(found.nodes, nodes), (found.solutions, solutions)];
            for (covered, (interval, truth)) in covered.iter_mut().zip(intervals) {
                let is_right = covers(interval, truth);
                assert!(is_right || !interval.reliable, "{name}, seed {seed}: {interval:?}");
                *covered += u32::from(is_right);
            }
        }
        assert!(covered.into_iter().all(|covered| covered >= 95), "{name}: {covered:?}");
    }
}

/// A search for 100000 probes that is stopped after a while has some of them: 12988816 coverings of a
/// chessboard by dominoes (Kasteleyn), 73712 of queens on 13 x 13 squares (OEIS A000170).
#[test]
fn many_probes_may_be_stopped() {
    for (file, solutions) in [("domino8x8", 12_988_816.0), ("queens13", 73_712.0)] {
        let problem = common::problem(&slurp(&fixture(format!("bench/{file}.dlx"))));
        let plan =
            EstimatePlan { probes: 100_000, work: 100_000 * 20_000, ..EstimatePlan::default() };
        let mut asked = 0;
        let mut stop = || {
            asked += 1;
            asked > 2000
        };
        let found = estimate(&problem, &mut (), &plan, &mut stop);
        assert!(found.stopped && found.probes >= 20, "{file}: {found:?}");
        assert!(covers(found.solutions, Large::new(solutions)), "{file}: {:?}", found.solutions);
    }
}

#[test]
fn a_tree_that_can_be_paid_for_is_visited() {
    for seed in 0..500 {
        let bounded = seed % 2 == 0;
        let text = if bounded { random::mcc(seed).text() } else { random::xcc(seed).text() };
        let problem = common::problem(text.as_bytes());
        let Stats { nodes, solutions, updates, profile, .. } = solve(&problem, ()).stats;
        let found = sampled(&problem, 30_000_000, seed);
        assert!(found.exact && found.nodes.reliable, "seed {seed}\n{text}");
        let numbers = [found.nodes, found.solutions, found.updates].map(|n| n.mean.to_f64() as u64);
        assert_eq!(numbers, [nodes, solutions, updates], "seed {seed}\n{text}");
        let levels: Vec<u64> = found.profile.iter().map(|nodes| nodes.to_f64() as u64).collect();
        assert_eq!(levels, profile, "seed {seed}\n{text}");
    }
}

/// How often the interval covers the truth, or is called unreliable; and the mean of all estimates, as
/// a part of the truth.
fn coverage(truth: f64, estimates: impl Iterator<Item = Confidence>) -> (f64, f64) {
    let (mut good, mut sum, mut count) = (0.0, 0.0, 0.0);
    for interval in estimates {
        let Confidence { mean, low, high, reliable } = interval;
        assert!(!reliable || high <= low * 4.0, "{low} to {high}");
        good += f64::from(u8::from(!reliable || covers(interval, Large::new(truth))));
        sum += mean.to_f64() / truth;
        count += 1.0;
    }
    (good / count, sum / count)
}

/// Trees that cost ten times what the probes may. That so many of 200 intervals cover the truth
/// has, were they right, a probability of more than 0.999.
#[test]
fn intervals_cover_the_truth_and_estimates_are_right_on_average() {
    for (name, problem) in [("slitherlink", slitherlink(4)), ("dominoes", dominoes(8, 6))] {
        let truth = solve(&problem, ()).stats;
        let found = (0..200).map(|seed| sampled(&problem, truth.updates / 10, seed));
        let found: Vec<Estimate> = found.collect();
        assert!(found.iter().all(|found| !found.exact), "{name}: the tree is too small");
        let reliable = found.iter().filter(|found| found.nodes.reliable).count();
        let nodes = coverage(truth.nodes as f64, found.iter().map(|found| found.nodes));
        assert!(nodes.0 >= 0.95 && (0.9..1.1).contains(&nodes.1), "{name}: {nodes:?}");
        assert!(reliable > 100, "{name}: {reliable} reliable");
        let of = found.iter().map(|found| found.solutions);
        let solutions = coverage(truth.solutions as f64, of);
        assert!(solutions.0 >= 0.95, "{name}: {solutions:?}");
    }
}

/// A blank slitherlink of 4 x 4 cells has 9349 loops (OEIS A140517).
#[test]
fn loops_are_counted_as_well() {
    let problem = common::problem(&slurp(&fixture("slitherlink/deg-slither-blank-4x4.dlx")));
    let graph = Graph::read(&problem).expect("a board");
    let truth = solve(&problem, SingleLoopPropagator::new(&problem, &graph)).stats;
    assert_eq!(truth.solutions, 9349);
    let found = (0..50).map(|seed| {
        let rule = &mut SingleLoopPropagator::new(&problem, &graph);
        estimate(&problem, rule, &plan(truth.updates / 10, seed), &mut || false)
    });
    let found: Vec<Estimate> = found.collect();
    let nodes = coverage(truth.nodes as f64, found.iter().map(|found| found.nodes));
    let solutions = coverage(9349.0, found.iter().map(|found| found.solutions));
    assert!(nodes.0 >= 0.8 && solutions.0 >= 0.8, "{nodes:?} {solutions:?}");
    let whole = estimate(
        &problem,
        &mut SingleLoopPropagator::new(&problem, &graph),
        &plan(30_000_000, 0),
        &mut || false,
    );
    assert_eq!((whole.exact, whole.solutions.mean.to_f64()), (true, 9349.0));
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let problem = common::problem(&slurp(&fixture("xcc/langford-8.dlx")));
    let of = |seed| sampled(&problem, 5000, seed).nodes;
    assert_eq!(of(3), of(3));
    assert_ne!(of(3), of(4));
}

/// The trees below the choices of a path add up to what is there.
#[test]
fn a_part_of_the_tree_can_be_asked_for() {
    let problem = common::problem(&slurp(&fixture("xcc/langford-8.dlx")));
    let found = solve(&problem, ());
    let first = found.choices[0].to_vec();
    for length in 0..first.len() {
        let below = first[..length].to_vec();
        let inside = found.choices.iter().filter(|choices| choices.starts_with(&below)).count();
        let part = estimate(
            &problem,
            &mut (),
            &EstimatePlan { below, ..EstimatePlan::default() },
            &mut || false,
        );
        assert!(part.exact);
        assert_eq!(part.solutions.mean.to_f64(), inside as f64, "{length}");
    }
}

#[test]
fn it_can_be_stopped() {
    let problem = common::problem(&slurp(&fixture("mcc/motley5x6.dlx")));
    for patience in [0, 1] {
        let mut asked = 0;
        let mut stop = || {
            asked += 1;
            asked > patience
        };
        let found = estimate(&problem, &mut (), &plan(100_000, 1), &mut stop);
        assert!(found.stopped && found.probes < 40);
    }
}
