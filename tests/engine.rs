//! However the work of an engine is divided into calls, it finds the same in the same order, and counts the
//! same; and whoever stops it at a solution can go on behind it.

mod common;

use std::ops::ControlFlow;

use common::boards::{looped, slitherlink};
use common::{Found, random, run, run_in_pieces};
use quadrille::constraint::{Acyclic, Conjunction, Method, Propagator};
use quadrille::problem::Problem;
use quadrille::search::algorithm_m::branch_and_bound::Cheapest;
use quadrille::search::engine::{Engine, Status};
use quadrille::search::learn::Learn;
use quadrille::search::memo::Counter;
use quadrille::search::portfolio::{Count, Make, search};
use quadrille::search::{bits, links};
use quadrille::solution::Choices;

/// All engines for a problem without bounds under rules.
fn engines<'p>(
    problem: &'p Problem,
    make: &'p Make<'p>,
    rules: &dyn Fn() -> Conjunction,
) -> Vec<Box<dyn Engine + 'p>> {
    let mut engines: Vec<Box<dyn Engine + 'p>> = vec![
        links(problem, rules()),
        Box::new(Learn::new(problem, rules())),
        Box::new(Cheapest::new(problem, rules(), 3)),
        Box::new(Count::new(problem, make, 1 << 20)),
        Box::new(Count::by_memo(problem, make, 1 << 20, false)),
        Box::new(Count::diagram(problem, make, 1 << 20)),
    ];
    engines.extend([1, 2, u64::MAX].map(|enough| search(problem, make, enough)));
    if rules().is_empty() {
        engines.push(bits::engine(problem));
        engines.push(bits::BitsPlan::above(bits::Instructions::best(), problem).engine());
    }
    if let Some(automata) = rules().automata() {
        let counter = |room| {
            let automata = rules().automata().unwrap_or_default();
            Counter::new(problem, automata, room)
        };
        engines.push(Box::new(Counter::new(problem, automata, 1 << 20)));
        if problem.entries() < 300 {
            // States that do not fit are followed one by one.
            engines.push(Box::new(counter(0).by_frontier()));
            engines.push(Box::new(counter(1 << 17).by_frontier()));
        }
        engines.push(Box::new(counter(1 << 20).with_diagram().by_frontier()));
        if rules().is_empty() {
            engines.push(Box::new(counter(1 << 20).by_tree()));
        }
    }
    engines
}

/// All that an engine finds if its sink stops it at each solution.
fn one_by_one(engine: &mut dyn Engine) -> Found {
    let mut all = Vec::new();
    let end = loop {
        let before = all.len();
        let status = engine.run(u64::MAX, &mut |choices: &dyn Choices| {
            all.push(choices.to_vec());
            ControlFlow::Break(())
        });
        match status {
            Status::Paused => {}
            Status::Stopped => assert_eq!(all.len(), before + 1),
            end => break end,
        }
    };
    assert_eq!(engine.run(1, &mut |_: &dyn Choices| unreachable!("it has ended")), end);
    Found { end, stats: engine.stats(), choices: all }
}

fn compare(problem: &Problem, rules: &dyn Fn() -> Conjunction, seed: u64) {
    let make = |_| rules();
    let all = || engines(problem, &make, rules);
    for (number, mut engine) in all().into_iter().enumerate() {
        let expected = run(&mut *engine);
        let place = format!("engine {number}, {}, seed {seed}", engine.name());
        let mut random = fastrand::Rng::with_seed(seed);
        let mut largest = [1, 2, 30, 1000][seed as usize % 4];
        let pieces = run_in_pieces(&mut *all().swap_remove(number), || {
            // It comes to an end.
            largest += 1 + largest / 100;
            random.u64(1..=largest)
        });
        assert!(pieces == expected, "in pieces: {place}\n{pieces:?}\n{expected:?}");
        let stopped = one_by_one(&mut *all().swap_remove(number));
        assert!(stopped == expected, "one by one: {place}\n{stopped:?}\n{expected:?}");
    }
}

#[test]
fn random_problems() {
    for seed in 0..400 {
        let problem = common::problem(random::xcc(seed).text().as_bytes());
        compare(&problem, &Conjunction::new, seed);
    }
}

#[test]
fn random_problems_with_bounds_and_costs() {
    for seed in 0..200 {
        for text in [random::mcc(seed).text(), random::priced(seed).text()] {
            let problem = common::problem(text.as_bytes());
            let engine = |at| -> Box<dyn Engine + '_> {
                match at {
                    0 => links(&problem, Conjunction::new()),
                    _ => Box::new(Cheapest::new(&problem, (), 2)),
                }
            };
            for at in [0, 1] {
                let expected = run(&mut *engine(at));
                assert_eq!(run_in_pieces(&mut *engine(at), || 1), expected, "seed {seed}");
                assert_eq!(one_by_one(&mut *engine(at)), expected, "seed {seed}");
            }
        }
    }
}

#[test]
fn loops_of_random_lattices_and_boards() {
    for seed in 0..200 {
        let problem = common::problem(random::lattice(seed, 1).plain.text().as_bytes());
        compare(&problem, &|| looped(&problem), seed);
    }
    for seed in 0..200 {
        let problem = common::problem(random::lattice(seed, 1).plain.text().as_bytes());
        let constraints = common::bound(&problem, &[&Acyclic]);
        let rules = || constraints.propagators(&problem, Method::Learning, true);
        compare(&problem, &rules, seed);
    }
    // There is time for probing, restarts, and a decision between two engines.
    let problem = slitherlink(4);
    compare(&problem, &|| looped(&problem), 3);
}
