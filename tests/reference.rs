//! Random problems, and the generated ones, against Knuth's programs where they are installed.

mod common;

use common::{Watched, generated, random, reference, solve, table};
use quadrille::constraint::graph::Graph;
use quadrille::constraint::single_loop::SingleLoop;

#[test]
fn agrees_with_dlx2_on_random_problems_to_the_last_byte() {
    let Some(dlx2) = reference::find("dlx2") else { return };
    for seed in 0..200 {
        let text = random::xcc(1_000_000 + seed).text();
        let answer = reference::run(&dlx2, &["v1153", "m1"], text.as_bytes());
        let problem = common::problem(text.as_bytes());
        let found = solve(&problem, &mut ());
        assert_eq!(found.row(), answer.row(), "seed {seed}\n{text}");
        let ours = common::knuth_text(&problem, &found.choices);
        assert_eq!(ours, answer.stdout, "seed {seed}\n{text}");
    }
}

/// As in `fixtures.rs`: `dlx2-loop` counts every cover that `--loop` has the last word on.
#[test]
fn agrees_with_dlx2_loop_on_random_lattices() {
    let Some(dlx2_loop) = reference::find("dlx2-loop") else { return };
    for seed in 0..200 {
        let lattice = random::lattice(2_000_000 + seed, 1);
        let text = lattice.plain.text();
        let answer = reference::run(&dlx2_loop, &["v1153"], text.as_bytes());
        let problem = common::problem(text.as_bytes());
        let graph = Graph::read(&problem).expect("a lattice keeps the convention");
        let mut constraint = Watched::new(SingleLoop::new(&problem, &graph));
        let found = solve(&problem, &mut constraint);
        let mut ours = found.row();
        ours[0] = (found.stats.solutions + constraint.refused.len() as u64).to_string();
        assert_eq!(ours, answer.row(), "seed {seed}\n{text}");
    }
}

#[test]
fn the_table_of_generated_problems_is_what_dlx2_says() {
    let Some(dlx2) = reference::find("dlx2") else { return };
    let rows = table("xcc/generated.tsv");
    let mut missing = String::new();
    for (name, text) in generated::all() {
        let answer = reference::run(&dlx2, &["v1153"], text.as_bytes());
        let mut expected = vec![name];
        expected.extend(answer.row());
        if !rows.contains(&expected) {
            missing += &(expected.join("\t") + "\n");
        }
    }
    assert!(missing.is_empty(), "rows that the table does not have:\n{missing}");
}
