//! `filter`: what passes is what `solve` finds with the same rules.

use super::problems::*;
use super::run::{Folder, fixture};

/// The option sets of a stream in Knuth's format.
fn sets(stream: &str) -> Vec<Vec<String>> {
    let mut sets: Vec<Vec<String>> = Vec::new();
    for line in stream.lines() {
        match line.strip_prefix(' ') {
            None => sets.push(Vec::new()),
            Some(option) => {
                let entries = option.split(" (").next().unwrap_or_default();
                let mut entries: Vec<&str> = entries.split(' ').collect();
                entries.sort_unstable();
                sets.last_mut().expect("a head comes first").push(entries.join(" "));
            }
        }
    }
    sets.iter_mut().for_each(|set| set.sort());
    sets.sort();
    sets
}

#[test]
fn keeps_exactly_the_loops() {
    for (kind, board) in [
        ("slitherlink", fixture("slitherlink/deg-slither-blank-4x4.txt")),
        ("slitherlink", fixture("slitherlink/sgt-loopy-7x7-e-1.txt")),
        ("masyu", fixture("masyu/sgt-pearl-10x10-t-1.txt")),
    ] {
        let folder = Folder::new();
        folder.file("board.dlx", generate(kind, &board));
        let covers = folder.quadrille("solve board.dlx").exits(0).stdout;
        let all = sets(&covers).len();
        let loops = folder.quadrille("solve --loop board.dlx").exits(0).stdout;
        let wanted = sets(&loops);
        let ran = folder.feed("filter --loop --problem board.dlx", covers.clone()).exits(0);
        assert_eq!(sets(&ran.stdout), wanted, "{board}");
        let said = format!("{} of {all} solutions pass\n", wanted.len());
        assert_eq!(ran.stderr, said);
        // Numbered from 1, in order.
        let heads = ran.stdout.lines().filter(|line| !line.starts_with(' '));
        assert!(heads.eq((1..=wanted.len()).map(|n| format!("{n}:"))));
        // As ssxcc-binary and xccdc print them: no ranks.
        let bare: String = covers
            .lines()
            .map(|line| line.split(" (").next().unwrap_or_default().to_owned() + "\n")
            .collect();
        let ran = folder.feed("filter --loop --problem board.dlx", bare).exits(0);
        assert!(!ran.stdout.contains('('));
        assert_eq!(sets(&ran.stdout), wanted, "{board}");
    }
}

#[test]
fn keeps_connected_covers_only() {
    let folder = Folder::new();
    let board = fixture("hitori/sgt-singles-7x7-e-1.txt");
    folder.file("board.dlx", generate("hitori", &board));
    let covers = folder.quadrille("solve board.dlx").exits(0).stdout;
    let wanted = folder.quadrille("solve --connected=0 board.dlx").exits(0).stdout;
    let ran = folder.feed("filter --connected=0 --problem board.dlx", covers).exits(0);
    assert_eq!(sets(&ran.stdout), sets(&wanted));
}

/// The 14 covers of the blank board of 2 x 2 cells, of which the one without edges is no loop.
#[test]
fn numbers_and_json_pass_as_well() {
    let folder = Folder::new();
    folder.file("board.dlx", slitherlink(&blank(2, 2)));
    let filter = |format: &str, flags: &str| {
        let solve = format!("solve --format {format} board.dlx");
        let covers = folder.quadrille(&solve).exits(0).stdout;
        let filter = format!("filter --loop --problem board.dlx {flags}");
        (covers.clone(), folder.feed(&filter, covers).exits(0).says("13 of 14").stdout)
    };
    let (all, passed) = filter("options", "");
    assert_eq!(passed.lines().count(), 13);
    assert!(passed.lines().all(|line| all.lines().any(|other| other == line)));
    let (_, passed) = filter("jsonl", "");
    let last = "{\"v\":1,\"complete\":true,\"solutions\":\"13\"}";
    assert_eq!(passed.lines().last(), Some(last));
    for (line, n) in passed.lines().take(13).zip(1..) {
        assert!(line.starts_with(&format!("{{\"v\":1,\"n\":{n},\"options\":[")), "{line}");
    }
    let (all, passed) = filter("jsonl", "--keep-numbers");
    assert!(passed.lines().take(13).all(|line| all.lines().any(|other| other == line)));
    let (all, passed) = filter("knuth", "--keep-numbers");
    let heads = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with(' ')).map(str::to_owned).collect()
    };
    let missing: Vec<String> =
        heads(&all).into_iter().filter(|head| !heads(&passed).contains(head)).collect();
    assert_eq!((heads(&passed).len(), missing.len()), (13, 1));
}

#[test]
fn says_so_if_nothing_passes() {
    let folder = Folder::new();
    folder.file("board.dlx", slitherlink("4..\n...\n..4\n"));
    let covers = folder.quadrille("solve board.dlx").exits(0).stdout;
    let ran = folder.feed("filter --loop --problem board.dlx", covers.clone());
    ran.exits(1).prints("").says("0 of 4 solutions pass");
    folder.feed("filter -q --loop --problem board.dlx", covers).exits(1).silently();
    folder.feed("filter --loop --problem board.dlx", "").exits(1).says("0 of 0");
}

#[test]
fn writes_to_a_file() {
    let folder = Folder::new();
    folder.file("board.dlx", slitherlink("4\n"));
    let covers = folder.quadrille("solve board.dlx").exits(0).stdout;
    folder.file("covers", covers.clone());
    let filter = "filter --loop --problem board.dlx covers --output loops";
    folder.quadrille(filter).exits(0).prints("");
    assert_eq!(folder.text("loops"), covers);
}

#[test]
fn refuses_what_is_no_solution_of_the_problem_with_its_place() {
    let folder = Folder::new();
    folder.file("board.dlx", slitherlink("4\n"));
    for (stream, place, what) in [
        ("what?\n", "1:1", "no solution"),
        ("1:\n 00 01:1 QQ (1 of 1)\n", "2:10", "unknown item name `QQ`"),
        ("1:\n 00 01:7 10:1 (1 of 1)\n", "2:8", "no option has this color"),
        ("1:\n 00 01:1 10:0 (1 of 1)\n", "2:2", "no option with exactly these items"),
        ("1: 00 02 22 20 00\n", "1:1", "a tour does not tell"),
        ("1 9999\n", "1:3", "there is no option 9999"),
        ("{\"v\":2}\n", "1:1", "version"),
        ("{\"v\":1,\"n\":1,\"options\":[0]}\n", "1:1", "there is no option 0"),
        ("{\"v\":x}\n", "1:6", "JSON"),
    ] {
        let ran = folder.feed("filter --loop --problem board.dlx", stream);
        assert_eq!(ran.status, 2, "{stream:?}: {ran:#?}");
        let start = format!("<stdin>:{place}: error: ");
        assert!(ran.stderr.starts_with(&start), "{stream:?}: {ran:#?}");
        assert!(ran.stderr.contains(what), "{stream:?}: {ran:#?}");
    }
}

#[test]
fn refuses_flags_that_ask_for_nothing() {
    let folder = Folder::new();
    folder.file("board.dlx", slitherlink("4\n"));
    folder
        .feed("filter --problem board.dlx", "")
        .refuses("filter needs --loop, --connected or --acyclic");
    folder.feed("filter --loop --problem -", "").refuses("standard input");
    folder.feed("filter --loop", "").exits(2).says("--problem");
    folder.feed("filter --connected --problem board.dlx", "").refuses("docs/names.md");
}
