//! `check --solutions`: right answers are accepted, and each way to tamper with them has its message.

use super::problems::*;
use super::run::{Folder, Ran, fixture};

/// Two squares of edges side by side: covers are sets of loops.
fn board() -> Folder {
    let folder = Folder::new();
    folder.file("board.dlx", slitherlink(&blank(1, 3)));
    folder
}

#[track_caller]
fn verdict(folder: &Folder, flags: &str, solutions: &str) -> Ran {
    folder.feed(&format!("check board.dlx --solutions - {flags}"), solutions)
}

#[test]
fn accepts_what_solve_prints_in_any_format() {
    let folder = board();
    // 1 x 3 cells: a loop around each run of cells, and none; two squares apart are no loop.
    for (flags, count) in [("--loop", 6), ("", 8)] {
        for format in ["knuth", "options", "jsonl", "tour"] {
            if format == "tour" && flags.is_empty() {
                continue;
            }
            let solve = format!("solve {flags} --format {format} board.dlx");
            let solutions = folder.quadrille(&solve).exits(0).stdout;
            let ran = verdict(&folder, flags, &solutions).exits(0).silently();
            let start = format!("solutions {count}: all are covers");
            assert!(ran.stdout.starts_with(&start), "{}", ran.stdout);
        }
    }
}

#[test]
fn accepts_the_stored_answers_of_dlx2() {
    let mut files = 0;
    for entry in std::fs::read_dir(fixture("xcc")).expect("the folder is there") {
        let path = entry.expect("is readable").path().display().to_string();
        let Some(stem) = path.strip_suffix(".dlx2.out") else { continue };
        if !std::path::Path::new(&format!("{stem}.dlx")).exists() {
            continue;
        }
        let folder = Folder::new();
        let check = format!("check {stem}.dlx --solutions {path}");
        folder.quadrille(&check).exits(0).silently();
        files += 1;
    }
    assert!(files > 20, "only {files} files");
}

/// The example of the introduction to `dlx2`, with one option more.
const COLORS: &str = "\
A B C | X Y
A B X:0 Y:0
A C X:1 Y:1
X:0 Y:1
B X:1
C Y:1
B X:0
C Y
B Y:1
";

#[test]
fn each_way_to_tamper_has_its_message() {
    let folder = Folder::new();
    folder.file("colors.dlx", COLORS);
    let good = "1:\n A C X:1 Y:1 (2 of 2)\n B X:1 (1 of 1)\n";
    let rest = "2:\n A C X:1 Y:1 (2 of 2)\n B Y:1 (2 of 2)\n";
    let check = |stream: &str| folder.feed("check colors.dlx --solutions -", stream);
    check(&format!("{good}{rest}")).exits(0).says("");
    for (stream, place, what) in [
        // An option is missing, doubled, too many, of another file, or was changed.
        ("1:\n A C X:1 Y:1 (2 of 2)\n", "1:1", "primary item `B` is not covered"),
        ("1:\n B X:1\n A C X:1 Y:1\n B X:1\n", "4:2", "stands twice in one solution"),
        ("1:\n A C X:1 Y:1\n B X:1\n C Y:1\n", "4:2", "primary item `C` is covered twice"),
        ("1:\n A C X:1 Y:1\n Q X:1\n", "3:2", "unknown item name `Q`"),
        ("1:\n A C X:1 Y:1\n B X:3\n", "3:6", "no option has this color"),
        ("1:\n A C X:1 Y:1\n B X:1 Y:1\n", "3:2", "no option with exactly these items"),
        // Colors clash, and an item without color is used twice.
        ("1:\n A C X:1 Y:1\n B X:0\n", "3:2", "the colors of `X` clash: `1` and `0`"),
        ("1:\n A B X:0 Y:0\n C Y\n", "3:2", "secondary item `Y` is used twice"),
        ("1:\n A B X:0 Y:0\n C Y:1\n", "3:2", "the colors of `Y` clash"),
        // A solution is repeated, its options and entries in another order.
        (
            "1:\n A C X:1 Y:1\n B X:1\n2:\n X:1 B\n Y:1 C A X:1\n",
            "4:1",
            "the same as solution 1 of the stream",
        ),
        ("2 3\n2 7\n3 2\n", "3:1", "the same as solution 1 of the stream"),
        // Numbers.
        ("2 3 4\n", "1:5", "primary item `C` is covered twice"),
        ("2 99\n", "1:3", "there is no option 99"),
        ("{\"v\":1,\"n\":1,\"options\":[2]}\n", "1:12", "primary item `B` is not covered"),
        (
            "{\"v\":1,\"n\":1,\"options\":[2,3]}\n{\"v\":1,\"complete\":true,\"solutions\":\"0\"}\n",
            "2:37",
            "more solutions came before this line: 1",
        ),
    ] {
        let ran = check(stream);
        assert_eq!(ran.status, 1, "{stream:?}: {ran:#?}");
        let start = format!("<stdin>:{place}: error: ");
        assert!(ran.stderr.starts_with(&start), "{stream:?}: {ran:#?}");
        assert!(ran.stderr.contains(what), "{stream:?}: {ran:#?}");
        assert_eq!(ran.stdout, "");
    }
}

#[test]
fn what_cannot_be_read_is_no_wrong_solution() {
    let folder = Folder::new();
    folder.file("colors.dlx", COLORS);
    for (stream, place) in [
        ("what?\n", "1:1"),
        ("1 x\n", "1:3"),
        ("{\"v\":1,\"n\":\n", "1:"),
        ("1: 00 #Q\n", "1:7"),
        ("18446744073709551616:\n", "1:1"),
    ] {
        let ran = folder.feed("check colors.dlx --solutions -", stream);
        assert_eq!(ran.status, 2, "{stream:?}: {ran:#?}");
        assert!(ran.stderr.starts_with(&format!("<stdin>:{place}")), "{stream:?}: {ran:#?}");
    }
    folder.quadrille("check colors.dlx --solutions nothing").refuses("nothing");
    folder.feed("check --solutions -", "").refuses("standard input");
    folder.feed("check --loop", COLORS).refuses("--solutions");
}

#[test]
fn rules_are_looked_at() {
    let folder = board();
    let covers = folder.quadrille("solve board.dlx").exits(0).stdout;
    verdict(&folder, "--loop", &covers).exits(1).says("error: ").prints("");
    // The blank board of 1 x 3 cells: no edge, then the outer squares without the one between.
    let numbers = folder.quadrille("solve --format options board.dlx").exits(0).stdout;
    let loops = folder.quadrille("solve --loop --format options board.dlx").exits(0).stdout;
    let mut messages = Vec::new();
    for line in numbers.lines().filter(|line| !loops.lines().any(|other| other == *line)) {
        let ran = verdict(&folder, "--loop", &format!("{line}\n")).exits(1);
        messages.push(ran.stderr.lines().next().unwrap_or_default().to_owned());
    }
    messages.sort();
    assert_eq!(
        messages,
        [
            "<stdin>:1:1: error: there are several loops: one of them has 4 of 8 edges",
            "<stdin>:1:1: error: there is no loop: no edge has color `1`",
        ]
    );
}

#[test]
fn an_open_path_and_a_crossing_are_no_loop() {
    let folder = Folder::new();
    folder.file("free.dlx", "00 02 04 | 01 03\n00 01:1\n00 01:0\n02\n04 03:1\n04 03:0\n");
    let check = |numbers: &str| folder.feed("check free.dlx --loop --solutions -", numbers);
    check("1 3 4\n").exits(1).says("the path ends at vertex `00`");
    let star = "02 20 22 24 42 | 12 21 23 32\n02 12:1\n20 21:1\n22\n24 23:1\n42 32:1\n";
    folder.file("free.dlx", star);
    check("1 2 3 4 5\n").exits(1).says("the path ends at vertex `02`");
}

#[test]
fn a_hitori_that_falls_apart_is_wrong() {
    let folder = Folder::new();
    let board = fixture("hitori/sgt-singles-7x7-e-1.txt");
    folder.file("board.dlx", generate("hitori", &board));
    let numbers = folder.quadrille("solve --format options board.dlx").exits(0).stdout;
    let right = folder.quadrille("solve --connected=0 --format options board.dlx").exits(0).stdout;
    verdict(&folder, "--connected=0", &right).exits(0);
    for line in numbers.lines().filter(|line| !right.lines().any(|other| other == *line)) {
        let ran = verdict(&folder, "--connected=0", &format!("{line}\n"));
        ran.exits(1).says("cells of color `0` are apart");
    }
}

#[test]
fn tours_are_cycles_of_the_problem() {
    let folder = Folder::new();
    folder.file("board.dlx", slitherlink("4..\n...\n"));
    let tour = "1: 20 00 02 22 20\n";
    verdict(&folder, "--loop", tour).exits(0).silently();
    for (tour, place, what) in [
        ("1: 20 00 02 22\n", "1:13", "does not end where it started"),
        ("1: 20 00 02 24 20\n", "1:13", "no neighbor of the one before"),
        ("1: 20 00 20\n", "1:1", "too short"),
        ("1: 20 00 02 22 02 22 20\n", "1:16", "comes to this vertex twice"),
        ("1: 06 08 28 26 06\n", "1:7", "no edge from the vertex before"),
        // The clue wants the square.
        ("1: 00 02 04 24 22 20 00\n", "1:1", "no option of item `11` agrees"),
        ("1: 20 00 02 22 20\n2: 00 02 22 20 00\n", "2:1", "the same as solution 1"),
    ] {
        let ran = verdict(&folder, "--loop", tour);
        assert_eq!(ran.status, 1, "{tour:?}: {ran:#?}");
        assert!(ran.stderr.starts_with(&format!("<stdin>:{place}: ")), "{tour:?}: {ran:#?}");
        assert!(ran.stderr.contains(what), "{tour:?}: {ran:#?}");
    }
}

/// Options that are the same make solutions that look the same: as many as there are such options.
#[test]
fn copies_of_an_option_are_solutions_of_their_own() {
    let folder = Folder::new();
    folder.file("two.dlx", TWO);
    let check = |stream: &str| folder.feed("check two.dlx --solutions -", stream);
    let solution = |n: u32| format!("{n}:\n A (1 of 2)\n B (1 of 1)\n");
    check(&(solution(1) + &solution(2))).exits(0);
    let three = solution(1) + &solution(2) + &solution(3);
    check(&three).exits(1).says("the same as solution 1").says("<stdin>:7:1:");
    check("1 3\n2 3\n").exits(0);
    check("1 3\n2 3\n1 3\n").exits(1).says("the same as solution 1");
}

#[test]
fn a_file_is_read_again_where_solutions_look_the_same() {
    let folder = Folder::new();
    folder.file("two.dlx", TWO);
    folder.file("numbers", "1 3\n2 3\n3 1\n");
    let ran = folder.quadrille("check two.dlx --solutions numbers").exits(1);
    assert!(ran.stderr.starts_with("numbers:3:1: error: this solution"), "{}", ran.stderr);
}

#[test]
fn bounds_are_kept() {
    let folder = Folder::new();
    folder.file("bounds.dlx", "1:2|A 2|B\nA B\nB\nA\nB A\n");
    let check = |stream: &str| folder.feed("check bounds.dlx --solutions -", stream);
    check("1 2\n1 4\n2 4\n").exits(0);
    check("1\n").exits(1).says("primary item `B` is covered 1 of at least 2 times");
    check("1 3 4\n").exits(1).says("primary item `A` is covered 3 times");
    // DLX3 says when an item takes no further option.
    check("1:\n A B (1 of 3)\n B (1 of 1)\n null A (1 of 2)\n").exits(0);
}

#[test]
fn solutions_are_checked_by_the_rules_of_the_puzzle() {
    for (kind, name, flags) in [
        ("slitherlink", "slitherlink/sgt-loopy-7x7-e-1.txt", "--loop"),
        ("masyu", "masyu/sgt-pearl-7x7-e-1.txt", "--loop"),
        ("hitori", "hitori/sgt-singles-7x7-e-1.txt", "--connected=0"),
    ] {
        let folder = Folder::new();
        let board = fixture(name);
        folder.file("board.dlx", generate(kind, &board));
        let check = format!("check --kind {kind} --board {board} --solutions -");
        for format in ["knuth", "options", "jsonl", "tour"] {
            if format == "tour" && kind == "hitori" {
                continue;
            }
            let solve = format!("solve {flags} --format {format} board.dlx");
            let solution = folder.quadrille(&solve).exits(0).stdout;
            let rules = format!("solutions 1: all obey the rules of {kind}\n");
            folder.feed(&check, solution.clone()).exits(0).silently().prints(&rules);
        }
        // Covers that break the rule.
        let covers = folder.quadrille("solve --format options board.dlx").exits(0).stdout;
        let right = format!("solve {flags} --format options board.dlx");
        let right = folder.quadrille(&right).exits(0).stdout;
        for line in covers.lines().filter(|line| *line != right.trim_end()) {
            folder.feed(&check, format!("{line}\n")).exits(1).says("<stdin>:1:1: error: ");
        }
    }
    let folder = Folder::new();
    let wrong =
        "check --kind slitherlink --board 7x7t0:0b3c2a02a2g2b2a03a32111a1d1a23d23 --solutions -";
    folder.feed(wrong, "1: 00 02 22 20 00\n").exits(1).says("solution 1: ");
    folder.feed("check --kind slitherlink --solutions -", "").exits(2).says("--board");
}
