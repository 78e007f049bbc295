//! Diagrams of all solutions against brute force, other engines, formulas, and programs that share nothing
//! with them. What is written is read back by a reader of the tests' own.

mod common;

use common::boards::{CYCLES, dominoes, looped, slitherlink};
use common::zdd::{Diagram, read};
use common::{fixture, random, slurp, table};
use num_bigint::BigUint;
use quadrille::constraint::connected::propagator::ConnectedPropagator;
use quadrille::constraint::{Acyclic, Conjunction, Constraint, Method, Propagator, SingleLoop};
use quadrille::problem::Problem;
use quadrille::search::engine::{Engine, Status, run};
use quadrille::search::learn::Learn;
use quadrille::search::memo::Counter;
use quadrille::search::portfolio::Count;
use quadrille::search::stats::Stats;
use quadrille::search::zdd::{Zdd, ZddSource};
use quadrille::search::{self, bits};
use quadrille::solution::Choices;
use quadrille::solutions::zdd::write;

/// One of the ways to make a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Frontier,
    Tree,
    Memo,
    Auto,
    Links,
    Bits,
    Learn,
}

const ALL: [Way; 7] =
    [Way::Frontier, Way::Tree, Way::Memo, Way::Auto, Way::Links, Way::Bits, Way::Learn];

type Rules<'a> = &'a dyn Fn() -> Conjunction;

fn make(
    problem: &Problem,
    rules: Rules<'_>,
    way: Way,
    room: usize,
    nodes: u64,
) -> (Status, Stats, Option<Zdd>) {
    let none = &mut |_: &dyn Choices| unreachable!("a diagram visits nothing");
    let counter = || {
        let automata = rules().automata().expect("the rules have automata");
        Counter::new(problem, automata, room).with_diagram()
    };
    let mut by_memo = |mut counter: Counter<'_>| {
        counter.limit(nodes);
        let end = run(&mut counter, none);
        (end, counter.stats(), counter.take_diagram())
    };
    let make = |_| rules();
    let listed = |in_order, engine| Count::listed(problem, &make, in_order, room, engine);
    let mut count = match way {
        Way::Frontier => return by_memo(counter().by_frontier()),
        Way::Tree => return by_memo(counter().by_tree()),
        Way::Memo => return by_memo(counter()),
        Way::Auto => Count::diagram(problem, &make, room),
        Way::Links => listed(rules().is_empty(), search::links(problem, rules())),
        Way::Bits => listed(true, bits::engine(problem)),
        Way::Learn => listed(false, Box::new(Learn::new(problem, rules()))),
    };
    count.limit(nodes);
    let end = run(&mut count, &mut |_: &dyn Choices| unreachable!("a diagram visits nothing"));
    let stats = count.stats();
    match count.draw(&mut || false) {
        Ok(zdd) => (end, stats, Some(zdd)),
        Err(end) => (end, stats, None),
    }
}

const ROOM: usize = 1 << 30;

fn text(zdd: &Zdd) -> String {
    let mut text = Vec::new();
    write(zdd, None, &mut text).expect("memory does not fail");
    String::from_utf8(text).expect("text")
}

/// The diagram, which has as many solutions as were counted.
#[track_caller]
fn diagram(problem: &Problem, rules: Rules<'_>, way: Way) -> Diagram {
    let (end, stats, zdd) = make(problem, rules, way, ROOM, u64::MAX);
    assert_eq!(end, Status::Exhausted, "{way:?}");
    let zdd = zdd.expect("a diagram");
    let diagram = read(&text(&zdd));
    diagram.is_reduced();
    assert_eq!(diagram.count(), stats.total(), "{way:?}");
    // As `dlx6` counts nodes.
    let size = if diagram.root == 0 { 1 } else { diagram.nodes.len() as u64 + 2 };
    assert_eq!(zdd.size(), size, "{way:?}");
    if zdd.source != ZddSource::Tree {
        assert!(diagram.is_ordered(), "{way:?}");
    }
    diagram
}

fn none() -> Conjunction {
    Conjunction::new()
}

#[test]
fn has_each_solution_of_random_problems_once() {
    let mut solvable = 0;
    for seed in 0..1200 {
        let plain = random::xcc(seed);
        let text = plain.text();
        let expected = plain.solutions_by_subsets();
        let problem = common::problem(text.as_bytes());
        let mut ordered = None;
        for way in ALL {
            let made = diagram(&problem, &none, way);
            assert_eq!(made.distinct_sets(), expected, "{way:?}, seed {seed}\n{text}");
            // A set has one diagram for each order, whoever makes it.
            if !matches!(way, Way::Tree | Way::Memo | Way::Auto) {
                let made = made.renumbered();
                let first = ordered.get_or_insert_with(|| made.clone());
                assert_eq!(*first, made, "{way:?}, seed {seed}\n{text}");
            }
        }
        solvable += usize::from(!expected.is_empty());
    }
    assert!(solvable > 600, "{solvable}");
}

/// Random lattices whose edges satisfy a constraint, and its definition. Answers with how many have a solution.
fn lattices(wanted: &dyn Constraint, holds: fn(&[(u32, u32)]) -> bool) -> usize {
    let mut solvable = 0;
    for seed in 0..600 {
        let lattice = random::lattice(seed, 1);
        let text = lattice.plain.text();
        let problem = common::problem(text.as_bytes());
        let mut expected = lattice.plain.solutions_by_items();
        expected.retain(|cover| holds(&lattice.present(cover)));
        let constraints = common::bound(&problem, &[wanted]);
        let rules = || constraints.propagators(&problem, Method::Backtracking, true);
        for way in [Way::Frontier, Way::Auto, Way::Links, Way::Learn] {
            let made = diagram(&problem, &rules, way);
            assert_eq!(made.distinct_sets(), expected, "{way:?}, seed {seed}\n{text}");
        }
        solvable += usize::from(!expected.is_empty());
    }
    solvable
}

#[test]
fn has_each_loop_of_random_lattices_once() {
    let solvable = lattices(&SingleLoop, common::brute::is_single_cycle);
    assert!(solvable > 60, "{solvable}");
}

#[test]
fn has_each_forest_of_random_lattices_once() {
    let solvable = lattices(&Acyclic, common::brute::is_forest);
    assert!(solvable > 60, "{solvable}");
}

/// Cells that options color 0 or 1, themselves and those beside them; what is 1 must be connected.
#[test]
fn has_each_connected_coloring_once() {
    let mut several = 0;
    for seed in 0..300 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (rows, cols) = (random.usize(1..4), random.usize(1..4));
        let cells: Vec<(usize, usize)> =
            (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))).collect();
        let name = |&(r, c): &(usize, usize)| format!("{}{}", 2 * r + 1, 2 * c + 1);
        let mut text: String = (0..cells.len()).map(|i| format!("p{i} ")).collect();
        text += "|";
        cells.iter().for_each(|cell| text += &format!(" {}", name(cell)));
        text += "\n";
        for (i, cell) in cells.iter().enumerate() {
            for color in 0..2 {
                text += &format!("p{i} {}:{color}", name(cell));
                for other in &cells {
                    let near = cell.0.abs_diff(other.0) + cell.1.abs_diff(other.1) == 1;
                    if near && random.u8(..8) == 0 {
                        text += &format!(" {}:{}", name(other), random.u8(..2));
                    }
                }
                text += "\n";
            }
        }
        let problem = common::problem(text.as_bytes());
        let rules = || {
            let mut rules = Conjunction::new();
            rules
                .push(Box::new(ConnectedPropagator::new(&problem, b"1").expect("there are cells")));
            rules
        };
        // `links` judges complete covers by a search of its own.
        let mut expected = common::solve(&problem, rules()).sets();
        expected.iter_mut().for_each(|set| set.sort_unstable());
        expected.sort();
        for way in [Way::Frontier, Way::Auto, Way::Learn] {
            let made = diagram(&problem, &rules, way);
            assert_eq!(made.distinct_sets(), expected, "{way:?}, seed {seed}\n{text}");
        }
        several += usize::from(expected.len() > 1);
    }
    assert!(several > 150, "{several}");
}

/// The counts of Knuth's `dlx2`, which are those of his `dlx6`.
#[test]
fn has_as_many_solutions_of_the_stored_problems_as_knuth_counts() {
    let mut files = 0;
    for row in table("xcc/expected.tsv") {
        if row[1] != "dlx2" {
            continue;
        }
        let problem = common::problem(&slurp(&fixture(&row[0])));
        let ways = match problem.primary() < 50 {
            true => &[Way::Frontier, Way::Tree, Way::Auto][..],
            false => &[Way::Auto],
        };
        for &way in ways {
            assert_eq!(
                diagram(&problem, &none, way).count().to_string(),
                row[2],
                "{way:?} {}",
                row[0]
            );
        }
        files += 1;
    }
    assert!(files > 30, "only {files} files");
}

/// OEIS A004003.
#[test]
fn has_all_coverings_by_dominoes() {
    for (n, count) in [(2, "2"), (4, "36"), (6, "6728"), (8, "12988816"), (12, "53060477521960000")]
    {
        for way in [Way::Frontier, Way::Tree, Way::Memo, Way::Auto] {
            let made = diagram(&dominoes(n, n), &none, way);
            assert_eq!(made.count().to_string(), count, "{way:?}, {n}");
        }
    }
}

/// OEIS A140517: cycles in the grid of n x n cells.
#[test]
fn has_all_cycles_of_a_grid() {
    for &(n, count) in &CYCLES[..8] {
        let problem = slitherlink(n);
        let made = diagram(&problem, &|| looped(&problem), Way::Auto);
        assert_eq!(made.count().to_string(), count, "{n}");
    }
}

/// Items without anything in common double the solutions; their diagram has two nodes for each.
#[test]
fn what_is_independent_takes_two_nodes() {
    let names: Vec<String> = (0..100).map(|i| format!("a{i}")).collect();
    let options: String = names.iter().map(|name| format!("{name}\n{name}\n")).collect();
    let problem = common::problem(format!("{}\n{options}", names.join(" ")).as_bytes());
    for way in [Way::Frontier, Way::Tree, Way::Memo, Way::Auto] {
        let made = diagram(&problem, &none, way);
        assert_eq!(made.count(), BigUint::from(2u32).pow(100), "{way:?}");
        assert_eq!(made.nodes.len(), 200, "{way:?}");
    }
}

/// Within little memory there is a right diagram or none.
#[test]
fn without_memory_there_is_no_diagram() {
    let board = slitherlink(5);
    let problems: [(&Problem, &dyn Fn() -> Conjunction, &str); 2] =
        [(&board, &|| looped(&board), "1222363"), (&dominoes(8, 8), &none, "12988816")];
    for (problem, rules, count) in problems {
        let mut ends = Vec::new();
        for room in (8..24).map(|bits| 1 << bits) {
            for way in [Way::Frontier, Way::Tree, Way::Auto] {
                if way == Way::Tree && !rules().is_empty() {
                    continue;
                }
                let (end, _, zdd) = make(problem, rules, way, room, u64::MAX);
                match zdd {
                    Some(zdd) if end == Status::Exhausted => {
                        assert_eq!(read(&text(&zdd)).count().to_string(), count, "{way:?} {room}");
                    }
                    Some(_) => panic!("{way:?}: a diagram that is not complete"),
                    None => assert_eq!(end, Status::Full, "{way:?} {room}"),
                }
                ends.push(end);
            }
        }
        assert!(ends.contains(&Status::Full) && ends.contains(&Status::Exhausted), "{ends:?}");
    }
}

/// With any limit of nodes there is a right diagram or none.
#[test]
fn a_limit_of_nodes_leaves_no_diagram() {
    for seed in 0..200 {
        let plain = random::xcc(seed);
        let text_of = plain.text();
        let expected = plain.solutions_by_subsets();
        let problem = common::problem(text_of.as_bytes());
        for (way, nodes) in ALL.into_iter().flat_map(|way| [0, 1, 2, 5, 20].map(|n| (way, n))) {
            let (end, stats, zdd) = make(&problem, &none, way, ROOM, nodes);
            assert_eq!(end == Status::Exhausted, zdd.is_some(), "{way:?} {nodes} {seed}");
            match zdd {
                Some(zdd) => assert_eq!(read(&text(&zdd)).distinct_sets(), expected),
                None => {
                    assert_eq!(end, Status::Limit, "{way:?} {nodes} {seed}");
                    assert!(stats.total() <= expected.len().into(), "{way:?} {nodes} {seed}");
                }
            }
        }
    }
}

/// A diagram that is stopped is none, at whatever time that is.
#[test]
fn what_is_stopped_leaves_no_diagram() {
    let problem = dominoes(8, 8);
    let counter = || Counter::new(&problem, Vec::new(), ROOM).with_diagram();
    for mut counter in [counter().by_frontier(), counter().by_tree()] {
        let nothing = &mut |_: &dyn Choices| unreachable!("a diagram visits nothing");
        while counter.run(100_000, nothing) == Status::Paused {
            assert!(counter.take_diagram().is_none());
        }
        assert!(counter.take_diagram().is_some());
    }
    let make = |_| none();
    assert_eq!(
        Count::diagram(&problem, &make, ROOM).draw(&mut || false).err(),
        Some(Status::Stopped)
    );
}
