//! The table of exit statuses.

use super::problems::*;
use super::run::{Folder, command, feed, finish, fixture, quadrille};

#[test]
fn solve_exits_with_0_if_there_is_a_solution_and_1_if_there_is_none() {
    solve("", FIRST_EXAMPLE).exits(0).prints(FIRST_SOLUTION).silently();
    solve("", NONE).exits(1).prints("").says("no solution: item `B` has no option");
    solve("", "A\n").exits(1).prints("").says("no solution: item `A` has no option");
    solve("", "A B\nA B\nA\n").exits(0).silently();
    solve("", "A B C\nA B\nB C\n").exits(1).prints("");
}

#[test]
fn count_prints_one_number_and_exits_with_1_if_it_is_0() {
    solve("--count", FIRST_EXAMPLE).exits(0).prints("1\n").silently();
    solve("--count", TWO).exits(0).prints("2\n").silently();
    solve("--count", NONE).exits(1).prints("0\n").says("no solution: item `B` has no option");
}

#[test]
fn unique_exits_with_0_1_or_4() {
    solve("--unique", FIRST_EXAMPLE).exits(0).prints(FIRST_SOLUTION).says("unique");
    solve("--unique", NONE).exits(1).prints("").says("none");
    let several = "1:\n B (1 of 1)\n A (1 of 2)\n2:\n B (1 of 1)\n A (2 of 2)\n";
    solve("--unique", TWO).exits(4).prints(several).says("several");
}

#[test]
fn unique_prints_at_most_two_solutions() {
    let ran = solve("--unique --format options", &bits(10)).exits(4);
    assert_eq!(ran.lines().len(), 2);
}

#[test]
fn a_limit_that_is_reached_is_a_complete_answer() {
    assert_eq!(solve("--limit 3 --format options", &bits(10)).exits(0).lines().len(), 3);
    assert_eq!(solve("--first --format options", &bits(10)).exits(0).lines().len(), 1);
    assert_eq!(solve("--limit 3000 --format options", &bits(10)).exits(0).lines().len(), 1024);
    solve("--count --limit 3", &bits(10)).exits(0).prints("3\n");
    solve("--first", NONE).exits(1).prints("");
    solve("--limit 2", NONE).exits(1).prints("");
}

#[test]
fn first_is_limit_1() {
    let first = solve("--first", &bits(5)).exits(0).stdout;
    solve("--limit 1", &bits(5)).exits(0).prints(&first);
}

#[test]
fn a_search_that_a_limit_stopped_exits_with_3_whatever_it_was_asked() {
    for flags in ["", "--count", "--unique", "--first", "--limit 7", "--format jsonl"] {
        let ran = solve(&format!("{flags} --node-limit 1"), &bits(5)).exits(3);
        ran.says("incomplete: at least 0");
    }
}

#[test]
fn generate_exits_with_0_or_2() {
    let file = fixture("slitherlink/sgt-loopy-7x7-e-1.txt");
    finish(command().args(["generate", "slitherlink", &file])).exits(0).silently();
    feed("generate slitherlink", "3x\n").refuses("illegal character `x`");
}

#[test]
fn check_exits_with_0_even_if_a_file_is_odd_and_2_if_it_is_none() {
    let ran = feed("check", "A B |\nA\nA").exits(0);
    assert!(ran.stdout.contains("Knuth's programs won't read this"), "{ran:?}");
    assert!(ran.stdout.contains("duplicate"), "{ran:?}");
    feed("check", "A\nB\n").refuses("unknown item name `B`");
}

#[test]
fn draw_exits_with_0_if_it_drew_and_1_if_there_was_nothing_to_draw() {
    feed("draw", "1: 00 02 22 20 00\n").exits(0).silently();
    feed("draw", "").exits(1).prints("").says("no solution to draw");
    feed("draw", "hello\n").refuses("no solution");
}

#[test]
fn puzzle_exits_as_unique_does_and_draws_what_it_knows() {
    let one = finish(command().args([
        "puzzle",
        "slitherlink",
        &fixture("slitherlink/sgt-loopy-7x7-e-1.txt"),
    ]));
    assert_eq!(one.exits(0).says("unique").lines().len(), 15);
    let none = feed("puzzle slitherlink -", "00\n00\n").exits(1).says("none");
    assert_eq!(none.lines().len(), 5, "the board without a loop is drawn");
    let several = feed("puzzle slitherlink -", "..\n..\n").exits(4).says("several");
    // Two loops side by side, and what is certain, each under its caption.
    assert_eq!(several.lines().len(), 6 + 1 + 6, "{several:#?}");
    feed("puzzle slitherlink -", "..\n.\n").refuses("<stdin>:2:2: error:");
    feed("puzzle slitherlink - --engine links --node-limit 3", blank(8, 8))
        .exits(3)
        .says("incomplete");
}

#[test]
fn usage_errors_exit_with_2() {
    for args in [
        "",
        "frobnicate",
        "solve --frobnicate",
        "solve --format tour",
        "solve --format knuht",
        "solve --unique --count",
        "solve --unique --limit 2",
        "solve --unique --first",
        "solve --first --limit 2",
        "solve --limit 0",
        "solve --limit -1",
        "solve --limit x",
        "solve --every 0",
        "solve --time-limit soon",
        "solve --time-limit -1",
        "solve --memory-limit lots",
        "solve --node-limit x",
        "solve --engine steam",
        "solve --seed x",
        "solve --stats=xml",
        "solve --progress maybe",
        "solve --color sometimes",
        "solve -q -v",
        "solve a b",
        "generate",
        "generate sudoku -",
        "generate slitherlink - --from gif",
        "generate --list slitherlink",
        "draw --problem - -",
        "draw --problem -",
        "draw --svg --ascii",
        "check --frobnicate",
        "puzzle",
        "puzzle sudoku -",
        "completions",
        "completions tcsh",
    ] {
        let ran = feed(args, FIRST_EXAMPLE);
        assert_eq!(ran.status, 2, "quadrille {args}: {ran:#?}");
        assert_eq!(ran.stdout, "", "quadrille {args}");
        assert_ne!(ran.stderr, "", "quadrille {args}");
    }
}

#[test]
fn usage_errors_name_what_was_wrong() {
    quadrille("solve --format tour").refuses("--loop");
    quadrille("solve --unique --count").refuses("--count");
    quadrille("generate sliterlink -").refuses("did you mean `slitherlink`?");
    quadrille("generate").refuses("slitherlink");
    quadrille("solve --time-limit soon").refuses("10s");
    quadrille("solve --memory-limit lots").refuses("2G");
    quadrille("draw --problem - -").refuses("standard input");
}

#[test]
fn usage_errors_come_before_any_file_is_touched() {
    let folder = Folder::new();
    folder.quadrille("solve missing.dlx --format tour --output out").refuses("--loop");
    assert!(folder.names().is_empty());
}
