//! Random problems against brute force: the same solutions, each once, in every width and in every
//! order of items and options.

mod common;

use common::brute::Chooser;
use common::{Found, learn, random, solve, solve_as, solve_by_bits};
use quadrille::search::width::{Huge, Narrow, Wide};
use quadrille::solution::Choices;

/// Problems that every run looks at.
const SHORT: u64 = 1000;

/// Problems of a long run.
const LONG: u64 = 100_000;

fn check(seed: u64) -> usize {
    let plain = random::xcc(seed);
    let text = plain.text();
    let expected = plain.solutions_by_subsets();
    assert_eq!(plain.solutions_by_items(), expected, "the oracles differ, seed {seed}\n{text}");

    let problem = common::problem(text.as_bytes());
    let found = solve(&problem, ());
    assert_eq!(found.sorted(), expected, "seed {seed}\n{text}");
    assert_eq!(found.stats.solutions, expected.len() as u64, "seed {seed}\n{text}");
    for (width, other) in [
        ("narrow", solve_as::<Narrow>(&problem)),
        ("wide", solve_as::<Wide>(&problem)),
        ("huge", solve_as::<Huge>(&problem)),
    ] {
        assert_eq!(other, found, "{width}, seed {seed}\n{text}");
    }

    assert_eq!(solve_by_bits(&problem), found.without_updates(), "bits, seed {seed}\n{text}");

    let learned = learn(&problem, ());
    assert_eq!(learned.sorted(), expected, "learn, seed {seed}\n{text}");
    assert_eq!(learned.stats.solutions, expected.len() as u64, "learn, seed {seed}\n{text}");
    assert!(
        learned.choices.iter().all(|c| found.choices.contains(c)),
        "learn, seed {seed}\n{text}"
    );

    let (shuffled, before) = problem.shuffled(seed);
    let found = solve(&shuffled, ());
    let bits = solve_by_bits(&shuffled);
    assert_eq!(bits, found.without_updates(), "bits, shuffled, seed {seed}\n{text}");
    let Found { choices, .. } = found;
    let old = |option: quadrille::ids::OptionId| before[option.index()].index();
    let mut sets: Vec<Vec<usize>> =
        choices.iter().map(|c| c.options().into_iter().map(old).collect()).collect();
    sets.iter_mut().for_each(|set| set.sort_unstable());
    sets.sort();
    assert_eq!(sets, expected, "shuffled, seed {seed}\n{text}");
    expected.len()
}

#[test]
fn finds_the_solutions_of_random_problems() {
    let solvable = (0..SHORT).filter(|&seed| check(seed) > 0).count() as u64;
    // The generator plants a solution in every other problem; without any, nothing is tested.
    assert!(solvable > SHORT / 3, "only {solvable} problems have solutions");
}

#[test]
#[ignore = "takes half a minute; `cargo test --test oracle -- --ignored`"]
fn finds_the_solutions_of_many_random_problems() {
    (SHORT..SHORT + LONG).for_each(|seed| {
        check(seed);
    });
}

/// What the generator is there for: each of these shapes occurs among the problems of a short run.
#[test]
fn the_random_problems_have_all_shapes() {
    let mut shapes = [0; 6];
    for seed in 0..SHORT {
        let plain = random::xcc(seed);
        let has_primary = |option: &Vec<(usize, Option<char>)>| {
            option.iter().any(|&(item, _)| item < plain.primary)
        };
        let uses = || plain.options.iter().flatten();
        let solutions = plain.solutions_by_items().len();
        let twins = (1..plain.options.len()).any(|i| {
            has_primary(&plain.options[i]) && plain.options[..i].contains(&plain.options[i])
        });
        let here = [
            plain.options.iter().any(|option| !has_primary(option)),
            twins,
            uses().any(|&(item, color)| item >= plain.primary && color.is_none()),
            uses().any(|&(_, color)| color == Some(':')),
            solutions > 1,
            solutions == 0,
        ];
        here.iter().zip(&mut shapes).for_each(|(&here, count)| *count += u64::from(here));
    }
    assert!(shapes.iter().all(|&count| count > SHORT / 20), "{shapes:?}");
}

/// The trees of all branching rules, grown by their definitions over plain sets; a third of the items are
/// sharp.
#[test]
fn grows_the_trees_of_the_branching_rules() {
    let (mut solvable, mut differ) = (0, 0);
    for seed in 0..SHORT {
        let mut plain = random::xcc(seed);
        let primary = plain.primary;
        let sharp: Vec<bool> = (0..primary as u64).map(|item| (seed + item) % 3 == 0).collect();
        for item in (0..primary).filter(|&item| sharp[item]) {
            plain.names[item].insert(0, '#');
        }
        let shortest =
            |items: &[(usize, usize)]| items.iter().min_by_key(|item| item.1).map(|i| i.0);
        let by_sharp = |items: &[(usize, usize)]| {
            if items.iter().any(|&(_, length)| length < 2) {
                return shortest(items).expect("an item");
            }
            let preferred: Vec<_> =
                items.iter().copied().filter(|&(item, _)| sharp[item]).collect();
            shortest(&preferred).or(shortest(items)).expect("an item")
        };
        let by_mrv = |items: &[(usize, usize)]| shortest(items).expect("an item");
        let rules: [(&str, Chooser<'_>); 3] =
            [("mrv", &by_mrv), ("sharp", &by_sharp), ("leftmost", &|items| items[0].0)];
        let mut problem = common::problem(plain.text().as_bytes());
        let trees = rules.map(|(rule, choose)| {
            problem.branch_by(common::rule(rule));
            let (profile, solutions) = plain.tree(choose);
            let found = solve(&problem, &mut ());
            let said = || format!("{rule}, seed {seed}\n{}", plain.text());
            assert_eq!(found.stats.profile, profile, "{}", said());
            assert_eq!(found.sets(), solutions, "{}", said());
            assert_eq!(solve_by_bits(&problem), found.without_updates(), "bits, {}", said());
            let learned = learn(&problem, &mut ());
            assert_eq!(learned.sorted(), found.sorted(), "learn, {}", said());
            let replayed = learned.choices.iter().all(|choices| found.choices.contains(choices));
            assert!(replayed, "learn, {}", said());
            solvable += usize::from(!solutions.is_empty());
            profile
        });
        differ += usize::from(trees[0] != trees[1] && trees[0] != trees[2]);
    }
    assert!(solvable > 1000 && differ > 50, "{solvable} {differ}");
}
