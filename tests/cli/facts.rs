//! `solve --facts`. The expected facts are read off the solutions, which are few.

use super::problems::*;
use super::run::{Folder, feed, fixture};

/// `a` has color 1 in both solutions, `b` differs, `c` has none in either, and no option colors `d`.
const MIXED: &str = "\
A B | a b c d
A a:1 b:0
A a:1 b:2 d
B a:1
B a:2 b:0 c:2
A c:1
";

#[test]
fn colors_are_forced_open_or_absent() {
    // Option 3 agrees with 1, 2 and 5; option 4 with none of them.
    let ran = solve("--count", MIXED).exits(0);
    assert_eq!(ran.stdout, "3\n");
    solve("--facts", MIXED).exits(0).prints("a:1\nb:?\nc:?\n").silently();
    let without = MIXED.replace("A c:1\n", "");
    solve("--facts", &without).exits(0).prints("a:1\nb:?\nc\n").silently();
}

#[test]
fn options_are_in_all_some_or_no_solution() {
    let ran = solve("--facts=options", MIXED).exits(0);
    ran.prints("1 some\n2 some\n3 all\n4 none\n5 some\n");
    let all = "1 all\n2 none\n3 none\n4 all\n5 all\n6 none\n";
    solve("--facts=options", FIRST_EXAMPLE).exits(0).prints(all).silently();
}

#[test]
fn json_tells_the_same() {
    let lines = "\
{\"v\":1,\"item\":\"a\",\"color\":\"1\"}
{\"v\":1,\"item\":\"b\",\"differs\":true}
{\"v\":1,\"item\":\"c\",\"color\":null}
{\"v\":1,\"complete\":true,\"solvable\":true}
";
    let without = MIXED.replace("A c:1\n", "");
    solve("--facts --format jsonl", &without).exits(0).prints(lines);
    let lines = "\
{\"v\":1,\"option\":1,\"in\":\"some\"}
{\"v\":1,\"option\":2,\"in\":\"some\"}
{\"v\":1,\"option\":3,\"in\":\"all\"}
{\"v\":1,\"complete\":true,\"solvable\":true}
";
    solve("--facts=options --format jsonl", TWO).exits(0).prints(lines);
    let none = "{\"v\":1,\"complete\":true,\"solvable\":false}\n";
    solve("--facts --format jsonl", NONE).exits(1).prints(none);
}

#[test]
fn without_a_solution_nothing_is_printed() {
    solve("--facts", NONE).exits(1).prints("");
    solve("--facts=options", NONE).exits(1).prints("");
    let board = generate("slitherlink", &fixture("slitherlink/deg-slither-1x5.txt"));
    let ran = solve("--loop --unique", &board);
    let facts = solve("--loop --facts", &board);
    assert_eq!(facts.status == 0, ran.status == 0);
}

#[test]
fn the_facts_of_a_unique_board_are_its_solution() {
    let dlx = generate("slitherlink", &fixture("slitherlink/sgt-loopy-10x10-h-1.txt"));
    let expected = std::fs::read_to_string(fixture("slitherlink/sgt-loopy-10x10-h-1.sol")).unwrap();
    let ran = solve("--loop --facts", &dlx).exits(0).silently();
    let mut edges: Vec<&str> = ran.lines();
    edges.retain(|line| line.ends_with(":1"));
    let mut edges: Vec<&str> = edges.iter().map(|line| &line[..line.len() - 2]).collect();
    let mut expected: Vec<&str> = expected.split_whitespace().collect();
    edges.sort_unstable();
    expected.sort_unstable();
    assert_eq!(edges, expected);
    assert!(!ran.stdout.contains('?'));
}

#[test]
fn rules_count() {
    // Three cells in a row, the outer two of color 1: with the rule the middle one is, too.
    let row = "a b c | 11 13 15\na 11:1\nb 13:0\nb 13:1\nc 15:1\n";
    solve("--facts", row).exits(0).prints("11:1\n13:?\n15:1\n");
    solve("--connected --facts", row).exits(0).prints("11:1\n13:1\n15:1\n");
    solve("--connected --facts --no-prune", row).exits(0).prints("11:1\n13:1\n15:1\n");
}

#[test]
fn a_stopped_search_says_so() {
    // There is a solution; that there is no other, no limit lets us prove.
    let holes = barren(0, 12);
    let ran = solve("--facts=options --node-limit 200", &holes).exits(3);
    let ran = ran.says("incomplete: only what is proved so far").says("node limit reached");
    assert!(!ran.stdout.contains("some"), "{ran:?}");
    let json = solve("--facts=options --format jsonl --node-limit 200", &holes).exits(3).stdout;
    assert!(json.ends_with("{\"v\":1,\"complete\":false,\"solvable\":true}\n"), "{json}");
}

#[test]
fn flags_that_ask_something_else_are_refused() {
    for flag in ["--unique", "--count", "--first", "--limit 3", "--every 2", "--seed 1"] {
        solve(&format!("--facts {flag}"), TWO).exits(2).prints("");
    }
    for engine in ["links", "bits", "memo"] {
        solve(&format!("--facts --engine {engine}"), TWO).refuses("--facts needs the engine learn");
    }
    solve("--facts --format options", TWO).refuses("--facts");
    solve("--facts=colours", TWO).exits(2);
}

#[test]
fn facts_can_go_to_a_file() {
    let folder = Folder::new();
    folder.feed("solve --facts --output facts.txt", MIXED).exits(0).prints("");
    assert_eq!(folder.text("facts.txt"), "a:1\nb:?\nc:?\n");
    feed("solve --facts --stats=json", MIXED).exits(0).says("\"engine\":\"learn\"");
}
