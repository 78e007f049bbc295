//! Problems beyond the sizes that Knuth's programs are compiled for, and deep ones.

use std::fmt::Write;

use super::problems::*;
use super::run::feed;

/// `items` items, covered by options of `width` consecutive ones: the only solution has all options.
fn blocks(items: usize, width: usize) -> String {
    let names: Vec<String> = (0..items).map(|i| format!("i{i}")).collect();
    let mut text = names.join(" ") + "\n";
    for block in names.chunks(width) {
        writeln!(text, "{}", block.join(" ")).expect("a string takes all");
    }
    text
}

#[test]
fn a_board_of_60_x_60_has_coordinates_of_two_digits() {
    let clues = "3..2.1".repeat(10) + "\n";
    let board = (clues + &".".repeat(60) + "\n").repeat(30);
    let dlx = slitherlink(&board);
    let ran = feed("check", dlx).exits(0).silently();
    assert!(ran.stdout.contains("coordinates of 2 digits"), "{}", ran.stdout);
    assert!(ran.stdout.contains("board    slitherlink, 60 x 60 cells"), "{}", ran.stdout);
    assert!(ran.stdout.contains("3721 vertices, 7320 edges"), "{}", ran.stdout);
}

#[test]
fn a_hundred_thousand_items_are_no_limit() {
    let problem = blocks(100_001, 50);
    solve("--count", &problem).exits(0).prints("1\n");
    let ran = feed("check", problem).exits(0);
    assert!(ran.stdout.contains("more than 100000 items: Knuth's programs won't read this"));
}

#[test]
fn a_solution_may_have_twenty_thousand_options() {
    let ran = solve("--format options", &blocks(20_000, 1)).exits(0);
    let numbers: Vec<String> = (1..=20_000).map(|n: u32| n.to_string()).collect();
    assert_eq!(ran.lines(), [numbers.join(" ")]);
    assert_eq!(solve("", &blocks(20_000, 1)).exits(0).lines().len(), 20_001);
}

#[test]
fn a_hundred_thousand_forced_options_do_not_exhaust_the_stack() {
    solve("--count", &blocks(100_000, 1)).exits(0).prints("1\n");
}

#[test]
fn a_solution_prints_items_in_the_order_of_the_option_from_the_branching_item() {
    let text = "A B C | X\nA B C X:1\n";
    solve("", text).exits(0).prints("1:\n A B C X:1 (1 of 1)\n");
}
