//! `--loop`: the numbers that are known, and files that break the convention.

use super::problems::*;
use super::run::feed;

#[test]
fn blank_boards_have_as_many_loops_as_a140517_says() {
    for (n, loops) in [(1, 1), (2, 13), (3, 213), (4, 9349)] {
        solve("--loop --count", &slitherlink(&blank(n, n))).exits(0).prints(&format!("{loops}\n"));
    }
}

/// Without the rule the sets of disjoint loops are counted, the empty one among them: the even
/// subgraphs of maximum degree 2. Figures of Knuth's `dlx2`.
#[test]
fn blank_boards_have_more_covers_than_loops() {
    for (n, covers) in [(1, 2), (2, 14), (3, 322), (4, 23858)] {
        solve("--count", &slitherlink(&blank(n, n))).exits(0).prints(&format!("{covers}\n"));
    }
}

#[test]
fn no_edge_at_all_is_no_loop() {
    let zeros = slitherlink("000\n000\n");
    solve("--loop", &zeros).exits(1).prints("").says("none: there is no solution");
    solve("--loop --count", &zeros).exits(1).prints("0\n");
    solve("--loop --unique", &zeros).exits(1).prints("").says("none");
    solve("--count", &zeros).exits(0).prints("1\n");
    feed("puzzle slitherlink", "000\n000\n").exits(1);
}

#[test]
fn two_loops_are_no_loop() {
    // A 4 in each of two opposite corners: two loops without, nothing with the rule.
    let board = slitherlink("4..\n...\n..4\n");
    solve("--count", &board).exits(0);
    solve("--loop --count", &board).exits(1).prints("0\n");
}

#[test]
fn an_open_path_is_no_loop() {
    // One edge between two vertices that ask for no more.
    let path = "00 02 | 01\n00 01:1\n00 01:0\n02 01:1\n02 01:0\n";
    solve("--count", path).exits(0).prints("2\n");
    for flags in ["--loop --count", "--loop --count --no-prune"] {
        solve(flags, path).exits(1).prints("0\n");
    }
}

#[test]
fn colors_other_than_1_and_uncolored_edges_are_absent() {
    let square =
        "00 02 20 22 | 01 10 12 21\n00 01:1 10:1\n02 01:1 12:1\n20 10:1 21:1\n22 12:1 21:1\n";
    solve("--loop --count", square).exits(0).prints("1\n");
    solve("--loop --count", &square.replace(":1", ":2")).exits(1).prints("0\n");
    solve("--loop --count", "00 02 | 01\n00 02 01\n").exits(1).prints("0\n");
}

#[test]
fn a_primary_edge_is_refused() {
    let ran = feed("solve --loop", "00 02 01\n00\n02\n01\n");
    ran.refuses("<stdin>:1:7: error: edge item `01` isn't secondary");
}

#[test]
fn a_secondary_vertex_is_refused() {
    let ran = feed("solve --loop", "00 | 01 02\n00 01:1 02\n");
    ran.refuses("<stdin>:1:9: error: vertex item `02` isn't primary");
}

#[test]
fn an_edge_without_its_vertex_is_refused() {
    let ran = feed("solve --loop", "00 | 01\n00 01:1\n");
    ran.refuses("<stdin>:1:6: error: edge item `01` has no vertex `02`");
}

#[test]
fn the_convention_is_never_guessed() {
    for text in ["00 02 01\n00 02 01\n", "00 | 01 02\n00 01:1 02\n", "00 | 01\n00 01:1\n"] {
        feed("solve --count", text).exits(0).prints("1\n").silently();
    }
}

#[test]
fn a_file_without_edges_has_no_loop() {
    for flags in ["--loop", "--loop --format tour", "--loop --no-prune", "--loop --first"] {
        let ran = solve(flags, FIRST_EXAMPLE).exits(1).prints("");
        ran.says("<stdin>:1:1: warning: no option colors an item that has the name of an edge");
    }
    solve("--loop --count", FIRST_EXAMPLE).exits(1).prints("0\n");
    solve("--loop --facts", FIRST_EXAMPLE).exits(1).says("so there is no loop");
}

#[test]
fn pruning_changes_no_solution() {
    for board in ["..\n..\n", "...\n...\n...\n", "2..\n..2\n...\n", "3.2\n...\n"] {
        let dlx = slitherlink(board);
        let sorted = |flags: &str| {
            let ran = solve(&format!("--loop --format options {flags}"), &dlx);
            let mut lines: Vec<String> = ran.stdout.lines().map(str::to_owned).collect();
            lines.sort();
            (ran.status, lines)
        };
        assert_eq!(sorted(""), sorted("--no-prune"), "{board}");
        assert_eq!(sorted(""), sorted("--engine links"), "{board}");
    }
}

#[test]
fn tours_are_closed_walks() {
    let ran = solve("--loop --format tour", &slitherlink(&blank(3, 3))).exits(0);
    let lines = ran.lines();
    assert_eq!(lines.len(), 213);
    for (i, line) in lines.iter().enumerate() {
        let walk = line.strip_prefix(&format!("{}: ", i + 1)).expect("the number of the tour");
        let vertices: Vec<&str> = walk.split(' ').collect();
        assert!(vertices.len() >= 5, "{line}");
        assert_eq!(vertices.first(), vertices.last(), "{line}");
        let mut once = vertices[1..].to_vec();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), vertices.len() - 1, "{line} visits a vertex twice");
    }
}
