//! What all solutions have in common against the intersection of all solutions.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::brute::{Plain, is_forest, is_single_cycle};
use common::random;
use quadrille::constraint::connected::propagator::ConnectedPropagator;
use quadrille::constraint::graph::Graph;
use quadrille::constraint::single_loop::propagator::SingleLoopPropagator;
use quadrille::constraint::{Acyclic, Method, Propagator};
use quadrille::dlx::write::Writer;
use quadrille::problem::Problem;
use quadrille::puzzle::{self, Model};
use quadrille::search::engine::Status;
use quadrille::search::learn::backbone::{
    Facts, Order, Patience, Presence, Shared, Subject, facts_with_patience,
};
use quadrille::search::stats::Stats;

/// No patience at all, so that new solvers are asked; some, in neighborhoods of a few variables; all that
/// is needed for questions near a model; and that of the program.
fn patiences() -> [Patience; 4] {
    [
        Patience { near: 0, question: 0, afresh: 1, nearby: 0, sizes: [1, 2, 4] },
        Patience { near: 1, question: 2, afresh: 3, nearby: 5, sizes: [3, 6, 12] },
        Patience { near: u64::MAX, question: 0, afresh: 1, nearby: 0, sizes: [1, 2, 4] },
        Patience::default(),
    ]
}

fn facts<C: Propagator>(
    patience: Patience,
    problem: &Problem,
    make: &dyn Fn() -> C,
    subject: Subject,
) -> Facts {
    let (facts, stats) =
        facts_with_patience(patience, problem, make, subject, u64::MAX, &mut |_| Order::Continue);
    assert_eq!((facts.end, facts.models), (Status::Exhausted, stats.solutions));
    facts
}

/// By name what covers say of the items that options color: `name:c`, `name` or `name:?`.
fn expected(problem: &Problem, covers: &[Vec<usize>]) -> Vec<String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let options: Vec<_> = problem.option_ids().collect();
    let colors = |cover: &Vec<usize>| {
        let entries = cover.iter().flat_map(|&option| problem.option(options[option]));
        let colored = entries.filter(|entry| !entry.color.is_none());
        colored.map(|e| (e.item, text(problem.color_name(e.color)))).collect::<BTreeMap<_, _>>()
    };
    let all: Vec<BTreeMap<_, _>> = covers.iter().map(colors).collect();
    let entries = problem.option_ids().flat_map(|option| problem.option(option));
    let items: BTreeSet<_> = entries.filter(|e| !e.color.is_none()).map(|e| e.item).collect();
    let fact = |item| {
        let seen: BTreeSet<_> = all.iter().map(|colors| colors.get(&item)).collect();
        let name = text(problem.name(item));
        match Vec::from_iter(seen)[..] {
            [Some(color)] => format!("{name}:{color}"),
            [None] => name,
            _ => format!("{name}:?"),
        }
    };
    if covers.is_empty() { Vec::new() } else { items.into_iter().map(fact).collect() }
}

fn found(problem: &Problem, facts: &Facts) -> Vec<String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let fact = |&(item, shared)| match shared {
        Shared::Color(color) => text(problem.name(item)) + ":" + &text(problem.color_name(color)),
        Shared::Uncolored => text(problem.name(item)),
        Shared::Differs => text(problem.name(item)) + ":?",
        Shared::Unknown => panic!("a complete search knows everything"),
    };
    facts.colors.iter().map(fact).collect()
}

fn presences(problem: &Problem, covers: &[Vec<usize>]) -> Vec<Presence> {
    let presence =
        |option: usize| match covers.iter().filter(|cover| cover.contains(&option)).count() {
            0 => Presence::None,
            n if n == covers.len() => Presence::All,
            _ => Presence::Some,
        };
    if covers.is_empty() { Vec::new() } else { (0..problem.options()).map(presence).collect() }
}

/// Compares all that can be asked with these covers, which are all.
fn compare<C: Propagator>(
    problem: &Problem,
    make: &dyn Fn() -> C,
    covers: &[Vec<usize>],
    id: &str,
) {
    for patience in patiences() {
        let colors = facts(patience, problem, make, Subject::Colors);
        let expected = expected(problem, covers);
        assert_eq!(colors.models == 0, covers.is_empty(), "{id}");
        assert_eq!(found(problem, &colors), expected, "{id}");
        assert_eq!(colors.differ, expected.iter().any(|fact| fact.ends_with(":?")), "{id}");
        let both = facts(patience, problem, make, Subject::Covers);
        assert_eq!(found(problem, &both), expected, "{id}");
        assert_eq!(both.differ, covers.len() > 1, "{id}");
        let options = facts(patience, problem, make, Subject::Options);
        assert_eq!(options.options, presences(problem, covers), "{id}");
    }
}

fn check_xcc(seed: u64) -> usize {
    let plain: Plain = random::xcc(seed);
    let text = plain.text();
    let problem = common::problem(text.as_bytes());
    let covers = plain.solutions_by_items();
    compare(&problem, &|| (), &covers, &format!("seed {seed}\n{text}"));
    covers.len()
}

fn check_lattice(seed: u64) -> usize {
    let lattice = random::lattice(seed, 1);
    let text = lattice.plain.text();
    let problem = common::problem(text.as_bytes());
    let graph = Graph::read(&problem).expect("a lattice keeps the convention");
    let mut covers = lattice.plain.solutions_by_items();
    covers.retain(|cover| is_single_cycle(&lattice.present(cover)));
    let id = format!("seed {seed}\n{text}");
    compare(&problem, &|| SingleLoopPropagator::new(&problem, &graph), &covers, &id);
    let blocks = || SingleLoopPropagator::new(&problem, &graph).with_blocks(usize::MAX);
    compare(&problem, &blocks, &covers, &id);
    covers.len()
}

fn check_forest(seed: u64) -> usize {
    let lattice = random::lattice(seed, 1);
    let text = lattice.plain.text();
    let problem = common::problem(text.as_bytes());
    let mut covers = lattice.plain.solutions_by_items();
    covers.retain(|cover| is_forest(&lattice.present(cover)));
    let constraints = common::bound(&problem, &[&Acyclic]);
    let make = || constraints.propagators(&problem, Method::Learning, true);
    compare(&problem, &make, &covers, &format!("seed {seed}\n{text}"));
    covers.len()
}

#[test]
fn facts_are_what_all_forests_share() {
    let counts: Vec<usize> = (0..600).map(check_forest).collect();
    assert!(counts.iter().filter(|&&n| n > 1).count() > 30, "few have several solutions");
}

#[test]
fn facts_are_what_all_covers_share() {
    let counts: Vec<usize> = (0..1500).map(check_xcc).collect();
    assert!(counts.iter().filter(|&&n| n > 1).count() > 150, "few have several solutions");
    assert!(counts.iter().filter(|&&n| n == 1).count() > 150, "few have one solution");
}

#[test]
fn facts_are_what_all_loops_share() {
    let counts: Vec<usize> = (0..600).map(check_lattice).collect();
    assert!(counts.iter().filter(|&&n| n > 1).count() > 30, "few have several solutions");
}

/// Random boards of 4 x 4 cells of each kind, with all their solutions by backtracking.
#[test]
fn facts_of_boards_are_what_all_solutions_share() {
    let mut random = fastrand::Rng::with_seed(11);
    let mut counts = Vec::new();
    for (name, signs, rounds) in [
        ("slitherlink", "..........0123", 60),
        ("masyu", "..............01", 60),
        ("hitori", "123456789", 60),
    ] {
        let kind = puzzle::find(name).expect("a kind");
        for round in 0..rounds {
            let row = |random: &mut fastrand::Rng| -> String {
                (0..4).map(|_| char::from(signs.as_bytes()[random.usize(..signs.len())])).collect()
            };
            let board: String = (0..4).map(|_| row(&mut random) + "\n").collect();
            let clues = kind.read(board.as_bytes()).expect("a board");
            let mut text = Vec::new();
            kind.write(&clues, Model::default(), &mut Writer::new(&mut text)).expect("a vector");
            let problem = common::problem(&text);
            let id = format!("{name} {round}\n{board}");
            if name == "hitori" {
                let make = || ConnectedPropagator::new(&problem, b"0").expect("cells");
                let covers = common::solve(&problem, make()).sets();
                compare(&problem, &make, &covers, &id);
                counts.push(covers.len());
            } else {
                let graph = Graph::read(&problem).expect("edges");
                let make = || SingleLoopPropagator::new(&problem, &graph).with_blocks(usize::MAX);
                let covers =
                    common::solve(&problem, SingleLoopPropagator::new(&problem, &graph)).sets();
                compare(&problem, &make, &covers, &id);
                counts.push(covers.len());
            }
        }
    }
    let several = counts.iter().filter(|&&n| n > 1).count();
    assert!(several > 30, "few have several solutions: {several}");
}

/// A search that is stopped tells only what holds.
#[test]
fn what_a_stopped_search_knows_is_true() {
    for seed in 0..300 {
        let lattice = random::lattice(seed, 1);
        let problem = common::problem(lattice.plain.text().as_bytes());
        let graph = Graph::read(&problem).expect("a lattice keeps the convention");
        let mut covers = lattice.plain.solutions_by_items();
        covers.retain(|cover| is_single_cycle(&lattice.present(cover)));
        let expected = expected(&problem, &covers);
        for nodes in 0..6 {
            let make = || SingleLoopPropagator::new(&problem, &graph).with_blocks(usize::MAX);
            let subject = Subject::Colors;
            let patience =
                Patience { near: 1, question: 1, afresh: 1, nearby: 1, sizes: [3, 6, 12] };
            let poll = &mut |_: &Stats| Order::Continue;
            let (mut facts, _) =
                facts_with_patience(patience, &problem, &make, subject, nodes, poll);
            facts.colors.retain(|&(_, shared)| shared != Shared::Unknown);
            for fact in found(&problem, &facts) {
                assert!(covers.is_empty() || expected.contains(&fact), "seed {seed}: {fact}");
            }
        }
    }
}

/// Clauses of a large problem take a while, in which somebody may have lost patience.
#[test]
fn whoever_stops_it_need_not_wait_for_the_clauses() {
    let problem = common::problem(b"A | x\nA x:1\nA x:2\n");
    for subject in [Subject::Colors, Subject::Covers, Subject::Options] {
        let (patience, poll) = (Patience::default(), &mut |_: &Stats| Order::Stop);
        let (facts, stats) =
            facts_with_patience(patience, &problem, &|| (), subject, u64::MAX, poll);
        assert_eq!((facts.end, facts.models, stats.decisions), (Status::Stopped, 0, 0));
        assert!(facts.colors.is_empty() && facts.options.is_empty(), "nothing was made");
    }
}

/// Each color of one item in a solution of its own; and items that have nothing to do with each other. Every
/// other one of many alternatives, or part, once took a round through all that is open.
#[test]
fn many_alternatives_and_many_parts_take_few_rounds() {
    let alternatives: String = (0..1000).map(|i| format!("a x:{i}\n")).collect();
    let (mut names, mut parts) = (String::new(), String::new());
    for i in 0..2000 {
        names += &format!("p{i} ");
        parts += &format!("p{i} s{i}:0\np{i} s{i}:1\n");
    }
    let secondary = names.replace('p', "s");
    for (text, decisions, models) in [
        (format!("a | x\n{alternatives}"), 10_000, 1000),
        (format!("{names}| {secondary}\n{parts}"), 20_000, 200),
    ] {
        let problem = common::problem(text.as_bytes());
        for subject in [Subject::Colors, Subject::Options] {
            let (patience, poll) = (Patience::default(), &mut |_: &Stats| Order::Continue);
            let (facts, stats) =
                facts_with_patience(patience, &problem, &|| (), subject, u64::MAX, poll);
            assert_eq!(facts.end, Status::Exhausted);
            assert!(facts.colors.iter().all(|&(_, shared)| shared == Shared::Differs));
            assert!(facts.options.iter().all(|&presence| presence == Presence::Some));
            assert!(stats.decisions <= decisions, "{} decisions", stats.decisions);
            assert!(facts.models <= models, "{} models", facts.models);
        }
    }
}
