//! Every problem of `fixtures/xcc` against what Knuth's programs answered, number by number.

mod common;

use std::collections::BTreeSet;

use common::{
    Found, Watched, fixture, generated, learn, slurp, solve, solve_as, solve_by_bits, solve_nodes,
    solve_nodes_by_bits, table,
};
use quadrille::constraint::graph::Graph;
use quadrille::constraint::single_loop::propagator::SingleLoopPropagator;
use quadrille::dlx::parse;
use quadrille::names::{Coord, Width as Digits};
use quadrille::problem::Problem;
use quadrille::search::dancing_links;
use quadrille::search::engine::Status;
use quadrille::search::replay::Replayer;
use quadrille::search::width::{self, Fit, Huge, Narrow, Wide};
use quadrille::solution::Choices;

/// The stored standard output of `program`, if it was short enough to keep.
fn output(file: &str, program: &str) -> Option<Vec<u8>> {
    let name = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".dlx");
    let path = fixture(format!("xcc/{name}.{program}.out"));
    path.exists().then(|| slurp(&path))
}

#[test]
fn searches_as_dlx2() {
    let mut files = 0;
    for row in table("xcc/expected.tsv").iter().filter(|row| row[1] == "dlx2") {
        let problem = common::problem(&slurp(&fixture(&row[0])));
        let found = solve(&problem, ());
        assert_eq!(found.row(), row[2..], "{}", row[0]);
        assert!(solve_by_bits(&problem) == found.without_updates(), "bits, {}", row[0]);
        // By learning in no particular order; there is no file that would take long.
        assert!(learn(&problem, ()).sorted() == found.sorted(), "learn, {}", row[0]);
        if let Some(text) = output(&row[0], "dlx2") {
            let ours = common::knuth_text(&problem, &found.choices);
            assert_eq!(
                String::from_utf8_lossy(&ours),
                String::from_utf8_lossy(&text),
                "{}",
                row[0]
            );
        }
        files += 1;
    }
    assert!(files > 30, "{files} files");
}

/// The search trees of other branching rules, by every engine that visits them; and the choices that are
/// replayed are those of the tree.
#[test]
fn searches_as_dlx2_sharp_and_with_the_leftmost_item() {
    let (mut files, mut printed) = (0, 0);
    for row in table("branch/expected.tsv") {
        let (file, program) = (&row[0], &row[1]);
        let mut problem = common::problem(&slurp(&fixture(file)));
        problem.branch_by(common::rule(program.rsplit('-').next().expect("has a rule")));
        let found = solve(&problem, &mut ());
        assert_eq!(found.row(), row[2..], "{program} {file}");
        if !problem.has_bounds() {
            assert!(solve_as::<Wide>(&problem) == found, "wide, {program} {file}");
            assert!(solve_as::<Huge>(&problem) == found, "huge, {program} {file}");
            let bits = solve_by_bits(&problem);
            assert!(bits == found.without_updates(), "bits, {program} {file}");
        }
        let mut replayer = Replayer::new(&problem);
        for choices in &found.choices {
            assert_eq!(&replayer.replay(&choices.options()), choices, "{program} {file}");
        }
        let stored = fixture(format!("{}.{program}.out", file.trim_end_matches(".dlx")));
        if stored.exists() {
            let ours = common::knuth_text(&problem, &found.choices);
            assert_eq!(
                String::from_utf8_lossy(&ours),
                String::from_utf8_lossy(&slurp(&stored)),
                "{program} {file}"
            );
            printed += 1;
        }
        files += 1;
    }
    assert!(files > 20 && printed > 15, "{files} files, {printed} printed");
}

/// `dlx2-loop` counts a complete cover whenever its edges so far were not refused: closing a fragment
/// while there is another one, a third edge at a vertex, an edge after the loop. So it counts exactly
/// the covers at which `--loop` has its last word, and those that `--loop` then refuses have no
/// closed loop: no edge at all, or open paths. In slitherlink and masyu every vertex has degree 0 or
/// 2, so no edge at all. Up to there the two programs do the same, and count the same.
#[test]
fn searches_as_dlx2_loop_except_for_the_empty_loop() {
    let mut empty_loops = 0;
    for row in table("xcc/expected.tsv").iter().filter(|row| row[1] == "dlx2-loop") {
        let problem = common::problem(&slurp(&fixture(&row[0])));
        let graph = Graph::read(&problem).expect("the file keeps the convention");
        let mut constraint = Watched::new(SingleLoopPropagator::new(&problem, &graph));
        let found = solve(&problem, &mut constraint);
        assert_eq!(found.row()[1..], row[3..], "{}", row[0]);

        let refused = constraint.refused;
        let reached = found.stats.solutions + refused.len() as u64;
        assert_eq!(reached.to_string(), row[2], "{}", row[0]);
        let present = problem.find_color(b"1");
        for colors in &refused {
            let edges = graph.edges.iter();
            let is_present = |item: usize| colors.get(&item).copied() == present;
            assert_eq!(edges.filter(|edge| is_present(edge.item.index())).count(), 0, "{}", row[0]);
        }
        empty_loops += refused.len();
        if let Some(tours) = output(&row[0], "dlx2-loop") {
            assert_eq!(loops(&problem, &graph, &found), read_tours(&tours), "{}", row[0]);
            let ours = common::tour_text(&problem, &graph, &found.choices);
            assert_eq!(
                String::from_utf8_lossy(&ours),
                String::from_utf8_lossy(&tours),
                "{}",
                row[0]
            );
        }
    }
    assert_eq!(empty_loops, 2, "the two blank boards");
}

/// By solution its edges of color 1.
fn loops(problem: &Problem, graph: &Graph, found: &Found) -> Vec<BTreeSet<Coord>> {
    let present = problem.find_color(b"1");
    let edges = |set: Vec<usize>| {
        let mut edges = BTreeSet::new();
        for option in problem.option_ids().filter(|option| set.contains(&option.index())) {
            for entry in problem.option(option).iter().filter(|e| Some(e.color) == present) {
                let edge = graph.edges.iter().find(|edge| edge.item == entry.item);
                edges.extend(edge.map(|edge| edge.at));
            }
        }
        edges
    };
    found.sets().into_iter().map(edges).collect()
}

/// By tour of `dlx2-loop` (`1: 20 00 02 22 20`) its edges: the midpoints of successive vertices.
fn read_tours(text: &[u8]) -> Vec<BTreeSet<Coord>> {
    let width = Digits::new(1).expect("one digit is a width");
    let tour = |line: &str| {
        let (_, tour) = line.split_once(": ").expect("a number, a colon, a tour");
        let vertex = |name: &str| width.decode(name.as_bytes()).expect("a vertex");
        let vertices: Vec<Coord> = tour.split(' ').map(vertex).collect();
        let midpoint = |pair: &[Coord]| {
            Coord::new((pair[0].row + pair[1].row) / 2, (pair[0].col + pair[1].col) / 2)
        };
        vertices.windows(2).map(midpoint).collect()
    };
    std::str::from_utf8(text).expect("tours are ASCII").lines().map(tour).collect()
}

#[test]
fn searches_long_lists_and_many_nodes_as_dlx2_in_every_width() {
    let rows = table("xcc/generated.tsv");
    let mut seen = [0; 3];
    for (name, text) in generated::all() {
        let row = rows.iter().find(|row| row[0] == name).expect("generated.tsv has all of them");
        let problem = common::problem(text.as_bytes());
        let found = solve(&problem, ());
        assert_eq!(found.row(), row[1..], "{name}");
        assert!(solve_by_bits(&problem) == found.without_updates(), "bits, {name}");
        let huge = solve_as::<Huge>(&problem);
        assert_eq!(huge, found, "{name}");
        match width::fit(&problem, dancing_links::SPARE) {
            Fit::Narrow => {
                seen[0] += 1;
                assert_eq!(solve_as::<Narrow>(&problem), found, "{name}");
                assert_eq!(solve_as::<Wide>(&problem), found, "{name}");
            }
            Fit::Wide => {
                seen[1] += 1;
                assert_eq!(solve_as::<Wide>(&problem), found, "{name}");
            }
            Fit::Huge => seen[2] += 1,
        }
    }
    assert!(seen.iter().all(|&n| n >= 2), "some width was not exercised: {seen:?}");
}

/// Two items with the same number of options and nothing in common. The search branches on the first,
/// which is then covered at its full length, and has to go on with the second: a root, a node below it,
/// and a solution for each option of the second; then the limit stops it.
#[test]
fn goes_on_with_the_other_of_two_long_items() {
    for length in [254, 255, 256, 16383, 16384, 16385, 32768, 65536] {
        let text = "first second\n".to_owned() + &"first\nsecond\n".repeat(length);
        let problem = common::problem(text.as_bytes());
        let found = solve_nodes(&problem, (), 3);
        let expected: Vec<Vec<usize>> = (0..length).map(|i| vec![0, 2 * i + 1]).collect();
        assert_eq!(found.end, Status::Limit);
        assert_eq!(found.stats.profile, [1, 1, length as u64]);
        assert!(found.sets() == expected, "length {length}");
        assert!(solve_nodes_by_bits(&problem, 3) == found.without_updates(), "bits, {length}");
    }
}

/// `p` takes one of 300 colors for `x`, `q` must take the same: 300 solutions.
#[test]
fn tells_300_colors_of_several_bytes_apart() {
    let color = |i: usize| format!("rouge-{}é{}", i % 20, i / 20);
    let mut text = String::from("p q | x\n");
    for i in 0..300 {
        text += &format!("p x:{}\nq x:{}\n", color(i), color(299 - i));
    }
    let problem = common::problem(text.as_bytes());
    assert_eq!(problem.colors(), 300);
    let expected: Vec<Vec<usize>> = (0..300)
        .map(|i| {
            let mut pair = vec![2 * i, 2 * (299 - i) + 1];
            pair.sort_unstable();
            pair
        })
        .collect();
    let mut sorted = expected.clone();
    sorted.sort();
    assert_eq!(solve(&problem, ()).sorted(), sorted);
}

/// Two names that differ in their last byte only: as the item `b` is only in the second option, that
/// one is the solution.
#[test]
fn tells_names_of_200_bytes_apart() {
    let (a, b) = ("n".repeat(199) + "a", "n".repeat(199) + "b");
    let problem = common::problem(format!("{a} {b}\n{a}\n{a} {b}\n").as_bytes());
    assert_eq!(solve(&problem, ()).sorted(), [[1]]);
}

/// Items, entries, an option each and one more: 2 + 3 + 2 + 1 = 8 nodes.
#[test]
fn reads_a_problem_that_fills_the_room_and_refuses_one_that_does_not_fit() {
    let text = b"a | x\na x\na\n";
    assert!(parse::read_with_room(&text[..], 8).is_ok());
    let error = parse::read_with_room(&text[..], 7).expect_err("there is one too many");
    assert_eq!(error.to_string(), "3:1: the problem is too large");
    let error = parse::read_with_room(&text[..], 2).expect_err("there are two items");
    assert_eq!(error.to_string(), "1:5: the problem is too large");
}
