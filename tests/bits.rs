//! The engine of bits against the engine of links, on problems that need vectors of every size. Small
//! ones are in `oracle.rs`, and what Knuth's programs say in `fixtures.rs`.

mod common;

use std::fmt::Write;

use common::{solve_by_bits, solve_nodes, solve_nodes_by_bits};
use quadrille::search::bits::Instructions;
use quadrille::search::bits::table::{MOST_OPTIONS, fits, most_items};
use quadrille::search::engine::Status;

/// Nodes of a search that would not end.
const NODES: u64 = 3000;

/// A problem with `primary` items and a planted solution, to which options are added: some of them are
/// the planted ones in part, so that search trees are deep. `crowd` of them have the same first item,
/// and few others.
fn problem(seed: u64, primary: usize, options: usize, crowd: usize) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let secondary = random.usize(1..40);
    let mut text: Vec<String> = (0..primary).map(|i| format!("p{i}")).collect();
    text.push("|".into());
    text.extend((0..secondary).map(|i| format!("s{i}")));
    let mut text = text.join(" ") + "\n";
    let mut items: Vec<usize> = (0..primary).collect();
    random.shuffle(&mut items);
    let mut rest = &items[..];
    let mut lines = Vec::new();
    let colors: Vec<u32> = (0..secondary).map(|_| random.u32(0..3)).collect();
    while !rest.is_empty() {
        let (these, others) = rest.split_at(random.usize(1..=rest.len().min(5)));
        rest = others;
        let mut line = String::new();
        these.iter().for_each(|item| write!(line, "p{item} ").unwrap());
        let mut part = format!("p{} ", random.choice(these).unwrap());
        for _ in 0..random.usize(0..3) {
            let item = random.usize(0..secondary);
            let color = if random.u8(0..8) == 0 { random.u32(0..3) } else { colors[item] };
            let used = format!("s{item}:{color} ");
            if !line.contains(&used[..used.len() - 2]) {
                line += &used;
                part += &used;
            }
        }
        lines.push(line);
        lines.push(part);
    }
    for _ in lines.len()..options {
        let mut line = format!("p{} ", random.usize(0..primary));
        for _ in 0..random.usize(0..3) {
            let item = format!("p{} ", random.usize(0..primary));
            if !line.contains(&item) {
                line += &item;
            }
        }
        match random.usize(0..4 * secondary) {
            item if item >= secondary => {}
            item if random.bool() => write!(line, "s{item}").unwrap(),
            item => write!(line, "s{item}:{}", colors[item]).unwrap(),
        }
        lines.push(line);
    }
    for number in 0..crowd {
        lines.push(format!("p0 s{} ", number % secondary));
    }
    random.shuffle(&mut lines);
    for line in lines {
        text += &(line + "\n");
    }
    text
}

#[test]
fn visits_the_tree_of_links_with_any_number_of_items() {
    let sizes = [
        1, 8, 9, 16, 17, 24, 31, 32, 33, 40, 48, 56, 63, 64, 65, 72, 80, 81, 96, 97, 127, 128, 129,
        160, 192, 193, 255, 256, 257, 320, 321, 384, 385, 500, 512, 513, 700,
    ];
    let (mut deep, mut found) = (0, 0);
    for (seed, primary) in (0..).zip(sizes) {
        for (options, crowd) in [(primary * 2, 0), (primary * 4 + 20, 0), (primary * 3, 300)] {
            let text = problem(seed, primary, options, crowd);
            let problem = common::problem(text.as_bytes());
            let links = solve_nodes(&problem, (), NODES);
            let bits = solve_nodes_by_bits(&problem, NODES);
            assert!(bits == links.without_updates(), "{primary} items, {options} options, {crowd}");
            deep += usize::from(links.stats.nodes > 500);
            found += links.choices.len();
        }
    }
    assert!(deep > 30 && found > 100, "{deep} large trees, {found} solutions");
}

#[test]
fn stops_at_the_node_where_links_stops() {
    let text = problem(1, 20, 80, 0);
    let problem = common::problem(text.as_bytes());
    for nodes in [0, 1, 2, 3, 10, 100] {
        let links = solve_nodes(&problem, (), nodes);
        assert_eq!(solve_nodes_by_bits(&problem, nodes), links.without_updates());
        assert_eq!(links.end, Status::Limit);
    }
}

#[test]
fn solves_what_is_hardly_a_problem() {
    for text in ["a\n", "a\na\n", "a | x\na x\na x:1\n", "a b\na\n", "a b\na b\na\nb\n"] {
        let problem = common::problem(text.as_bytes());
        let links = common::solve(&problem, ());
        assert_eq!(solve_by_bits(&problem), links.without_updates(), "{text}");
    }
}

/// As far as bits reach from the root on; beyond, lists begin, and bits take over.
#[test]
fn takes_problems_of_any_size() {
    let items = |n: usize| (0..n).map(|i| format!("p{i} ")).collect::<String>() + "\np0\n";
    let options = |n: usize| "a b\n".to_owned() + &"a\n".repeat(n);
    for by in Instructions::ALL {
        let fits = |text: &str| fits(by, &common::problem(text.as_bytes()));
        assert!(fits(&items(most_items(by))) && !fits(&items(most_items(by) + 1)));
        assert!(fits(&options(MOST_OPTIONS)) && !fits(&options(MOST_OPTIONS + 1)));
    }
    let text = problem(7, 40, 2 * MOST_OPTIONS, 0);
    let problem = common::problem(text.as_bytes());
    let links = solve_nodes(&problem, (), 20 * NODES);
    assert_eq!(solve_nodes_by_bits(&problem, 20 * NODES), links.without_updates());
}
