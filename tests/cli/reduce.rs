//! `reduce` and `lift`.

use super::problems::FIRST_EXAMPLE;
use super::run::{Folder, feed};

/// Knuth's first example has one cover: options 1, 4, 5. As in the introduction to `dlx-pre`, which
/// leaves three items with an option each.
#[test]
fn the_first_example_shrinks_to_three_options() {
    let ran = feed("reduce", FIRST_EXAMPLE).exits(0);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 7);
    assert_eq!([lines[2], lines[4], lines[6]], ["| (from 1)", "| (from 4)", "| (from 5)"]);
    ran.says("removed 3 of 6 options and 4 of 7 items");
    feed("reduce -q", FIRST_EXAMPLE).exits(0).silently();
    let ran = feed("reduce --rounds 0", FIRST_EXAMPLE).exits(0).says("removed 0 of 6 options");
    assert_eq!(ran.stdout.lines().count(), 13);
}

#[test]
fn solutions_of_every_format_are_lifted() {
    let folder = Folder::new();
    folder.file("big.dlx", FIRST_EXAMPLE);
    folder.quadrille("reduce big.dlx --output small.dlx").exits(0);
    let original = folder.quadrille("solve big.dlx").exits(0).stdout;
    let found = folder.quadrille("solve small.dlx").exits(0).stdout;
    let lift = "lift --problem small.dlx";
    folder.feed(&format!("{lift} --original big.dlx"), found.clone()).exits(0).prints(&original);
    folder.feed(lift, found).exits(0).prints("1 4 5\n");
    let numbers = folder.quadrille("solve small.dlx --format options").exits(0).stdout;
    assert_eq!(numbers, "1 2 3\n");
    folder.feed(lift, numbers.clone()).exits(0).prints("1 4 5\n");
    folder
        .feed(&format!("{lift} --original big.dlx --format knuth"), numbers.clone())
        .prints(&original);
    let json = folder.quadrille("solve small.dlx --format jsonl").exits(0).stdout;
    let lifted = folder.feed(lift, json).exits(0).stdout;
    assert_eq!(
        lifted,
        "{\"v\":1,\"n\":1,\"options\":[1,4,5]}\n{\"v\":1,\"complete\":true,\"solutions\":\"1\"}\n"
    );
    folder.feed(lift, "").exits(1).prints("");
    // Whoever takes another file for the original is told.
    folder.file("other.dlx", FIRST_EXAMPLE.replace("A D F", "A D E"));
    folder.feed(&format!("{lift} --original other.dlx"), numbers).exits(2).says("no solution");
    folder.feed("lift --problem big.dlx", "1\n").exits(2).says("(from n)");
    folder.feed(&format!("{lift} --format knuth"), "1\n").exits(2).says("--original");
    folder.feed(&format!("{lift} --format tour"), "1\n").exits(2);
}

/// Two options become alike; each of the two solutions means another one.
#[test]
fn copies_are_told_apart() {
    let folder = Folder::new();
    folder.file("big.dlx", "A B | X Y\nA X\nA Y\nB\n");
    folder.quadrille("reduce big.dlx --output small.dlx").exits(0);
    assert_eq!(folder.text("small.dlx"), "A B\nA\n| (from 1)\nA\n| (from 2)\nB\n| (from 3)\n");
    let found = folder.quadrille("solve small.dlx").exits(0).stdout;
    let lifted = folder.feed("lift --problem small.dlx --original big.dlx", found).exits(0).stdout;
    folder.feed("check big.dlx --solutions -", lifted).exits(0);
}

#[test]
fn what_has_no_solution_says_so() {
    let reduced = feed("reduce", "A B | X\nA X:0\nB X:1\n").exits(0).says("no solution");
    assert_eq!(reduced.stdout, "A\n");
    feed("solve", reduced.stdout.clone()).exits(1).prints("");
    feed("reduce", "A B\nA\n").exits(0).prints("B\n");
}

/// Boards without a solution: all cells alike; all four edges of a cell and of its neighbor; white circles in
/// the corners, which no loop crosses straight.
#[test]
fn rules_still_read_what_has_no_solution() {
    for (kind, board, rule) in [
        ("hitori", "2222\n", "--connected=0"),
        ("slitherlink", "44\n", "--loop"),
        ("slitherlink", "4\n.\n3\n", "--loop"),
        ("masyu", "000\n000\n000\n", "--loop"),
        ("masyu", "0..\n...\n..0\n", "--loop"),
    ] {
        let folder = Folder::new();
        folder.file("board", board);
        folder.quadrille(&format!("generate {kind} board --output big.dlx")).exits(0);
        folder.quadrille("reduce big.dlx --output small.dlx").exits(0);
        for engine in ["auto", "links", "learn"] {
            for file in ["big.dlx", "small.dlx"] {
                let command = format!("solve {rule} --engine {engine} --count {file}");
                folder.quadrille(&command).exits(1).prints("0\n");
            }
        }
        folder.quadrille("check small.dlx").exits(0);
        let found = folder.quadrille(&format!("solve {rule} small.dlx")).exits(1).prints("").stdout;
        let lift = "lift --problem small.dlx --original big.dlx";
        folder.feed(lift, found).exits(1).prints("");
        let filter = format!("filter --problem small.dlx {rule}");
        folder.feed(&filter, "").exits(1).prints("");
        folder.quadrille("reduce small.dlx --output again.dlx").exits(0);
        folder.quadrille(&format!("solve {rule} again.dlx")).exits(1).prints("");
    }
    // The name of the item that nobody covers may be taken.
    let taken = feed("reduce", "a ! | 11 b\n! 11:0 b\n").exits(0).says("`a` cannot be covered");
    taken.prints("!1 a ! | 11 b\n! 11:0 b\n| (from 1)\n");
}

#[test]
fn bounds_costs_and_the_board_in_the_comments_stay() {
    let text = "| a board\n2|A 1:2|B\nA B |3\nA\n";
    let reduced = feed("reduce", text).exits(0);
    reduced.prints("| a board\n2|A 1:2|B\nA B |3\n| (from 1)\nA\n| (from 2)\n");
}

/// The loops of a masyu board, by way of a reduced file or not.
#[test]
fn loops_come_out_the_same() {
    for kind in ["masyu", "slitherlink"] {
        let board = super::run::fixture(match kind {
            "masyu" => "masyu/sgt-pearl-10x10-t-1.txt",
            _ => "slitherlink/pzprjs-slither-5x5.txt",
        });
        let folder = Folder::new();
        folder.file("big.dlx", super::problems::generate(kind, &board));
        folder.quadrille("reduce big.dlx --output small.dlx").exits(0).says("removed");
        let tours = folder.quadrille("solve --loop --format tour big.dlx").exits(0).stdout;
        let small = folder.quadrille("solve --loop --format tour small.dlx").exits(0).stdout;
        // A loop may be walked from elsewhere.
        let vertices = |tours: &str| {
            let mut words: Vec<String> = tours.split_whitespace().map(str::to_owned).collect();
            words.sort();
            words.dedup();
            words
        };
        assert_eq!(vertices(&small), vertices(&tours), "{kind}");
        let found = folder.quadrille("solve --loop small.dlx").exits(0).stdout;
        let lifted =
            folder.feed("lift --problem small.dlx --original big.dlx", found).exits(0).stdout;
        assert_eq!(lifted, folder.quadrille("solve --loop big.dlx").exits(0).stdout, "{kind}");
        // Its comments still hold the board.
        folder.quadrille("solve --loop small.dlx --output found").exits(0);
        folder.quadrille("draw --problem small.dlx found").exits(0);
    }
}

#[test]
fn a_time_limit_leaves_a_file_that_is_right() {
    let ran = feed("reduce --time-limit 0", FIRST_EXAMPLE).exits(3).says("incomplete");
    feed("solve --format options", ran.stdout).exits(0);
}
