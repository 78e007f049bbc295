//! `puzzle KIND --batch FILE`.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use super::run::{Folder, PROGRAM, Ran, feed, fixture};

/// A board of a fixture as one line.
fn line(name: &str) -> String {
    let text = std::fs::read_to_string(fixture(name)).unwrap();
    text.trim_end().replace('\n', "/")
}

/// The lines of stdout without their last word, the seconds.
fn timeless(ran: &Ran) -> Vec<String> {
    let cut = |line: &&str| line.rsplit_once(' ').map(|(head, _)| head.to_owned());
    ran.lines().iter().filter_map(cut).collect()
}

#[test]
fn each_line_has_a_result() {
    // The game ID and the URL are those of the README, where `puzzle` and `dlx2-loop` answer.
    let boards = format!(
        "4\n../..\n\n{}\n7x7t0:c2a2a2b1b32a1d11a30d2e13122a3a312a3\n\
         https://puzz.link/p?slither/5/5/cbcbcddad\n44/44\n",
        line("slitherlink/sgt-loopy-10x10-h-1.txt")
    );
    let ran = feed("puzzle slitherlink --batch -", boards).exits(0);
    let ran = ran.says("6 boards: 4 unique, 1 several, 1 none");
    let lines = timeless(&ran);
    assert_eq!(lines[0], "1 unique 0");
    // All twelve edges of the blank board are in some of its 13 loops, and not in others.
    assert_eq!(lines[1], "2 several 12");
    assert_eq!(lines[2..5], ["4 unique 0", "5 unique 0", "6 unique 0"]);
    assert_eq!(lines[5], "7 none -");
}

#[test]
fn the_verdict_is_that_of_puzzle() {
    let boards = [
        ("slitherlink", "slitherlink/sgt-loopy-7x7-t-1.txt"),
        ("slitherlink", "slitherlink/deg-slither-blank-4x4.txt"),
        ("slitherlink", "slitherlink/deg-slither-1x5.txt"),
        ("masyu", "masyu/sgt-pearl-10x10-t-1.txt"),
        ("masyu", "masyu/deg-masyu-white-corner-5x5.txt"),
        ("masyu", "masyu/deg-masyu-1x6-empty.txt"),
        ("hitori", "hitori/sgt-singles-8x9-k-1.txt"),
        ("hitori", "hitori/deg-hitori-all-same-3x3.txt"),
        ("hitori", "hitori/deg-hitori-latin-5x5.txt"),
    ];
    for (kind, board) in boards {
        let status =
            feed(&format!("puzzle {kind} -"), std::fs::read(fixture(board)).unwrap()).status;
        let ran = feed(&format!("puzzle {kind} --batch -"), line(board)).exits(0);
        let verdict = ["unique", "none", "", "", "several"][status as usize];
        assert_eq!(ran.stdout.split(' ').nth(1), Some(verdict), "{board}: {ran:?}");
    }
}

#[test]
fn bad_lines_do_not_stop_the_rest() {
    let folder = Folder::new();
    folder.file("boards.txt", "4\n.../.x.\n4\n7x7t0:zzzz!\n../...\n4\n");
    let ran = folder.quadrille("puzzle slitherlink --batch boards.txt --format jsonl").exits(2);
    let result = |line| format!("{{\"v\":1,\"line\":{line},\"verdict\":\"unique\",\"open\":0}}\n");
    let ran = ran.prints(&[1, 3, 6].map(result).concat());
    let ran = ran.says("boards.txt:2:6: error: illegal character `x`");
    let ran = ran.says("boards.txt:4:").says("boards.txt:5:6: error: this row has 3 cells");
    // The column is one of the whole line.
    ran.says("5 | ../...\n");
    folder.quadrille("puzzle slitherlink --batch missing.txt").refuses("missing.txt");
}

#[test]
fn a_board_without_a_loop_is_no_reason_to_warn() {
    let ran = feed("puzzle masyu --batch -", "11/11\n").exits(0);
    assert_eq!(ran.stderr, "1 board: 0 unique, 0 several, 1 none\n");
}

#[test]
fn threads_do_not_change_the_order() {
    let board = line("slitherlink/sgt-loopy-10x10-h-1.txt");
    let boards: String = (0..400)
        .map(|i| match i % 3 {
            0 => format!("{board}\n"),
            1 => "4/.\n".to_owned(),
            _ => "x\n".to_owned(),
        })
        .collect();
    let one = feed("puzzle slitherlink --batch - --format jsonl", boards.clone()).exits(2);
    for threads in ["2", "7", "0"] {
        let flags = format!("puzzle slitherlink --batch - --format jsonl --threads {threads}");
        let many = feed(&flags, boards.clone()).exits(2);
        assert_eq!((many.stdout, many.stderr), (one.stdout.clone(), one.stderr.clone()));
    }
}

#[test]
fn a_limit_leaves_open_questions() {
    let board = line("slitherlink/deg-slither-blank-4x4.txt");
    let ran = feed("puzzle slitherlink --batch - --node-limit 0", board).exits(3);
    ran.says("incomplete: 1 board undecided (node limit reached)");
}

/// Whoever waits for a line, or makes the problem of a large board, looks at no clock.
#[test]
fn a_limit_ends_a_batch_whatever_it_is_at() {
    let large = ".".repeat(500);
    let large = vec![large; 500].join("/");
    let flags = "puzzle slitherlink --batch - --time-limit 500ms";
    for threads in ["1", "2"] {
        let boards = format!("4\n\n{large}\n");
        let ran = feed(&format!("{flags} --threads {threads}"), boards).exits(3);
        assert_eq!(timeless(&ran), ["1 unique 0", "3 incomplete -"]);
        let ran = ran.says("2 boards: 1 unique, 0 several, 0 none, 1 undecided\n");
        ran.says("incomplete: 2 boards, up to line 3 (time limit reached)");
    }
    let folder = Folder::new();
    let mut command = Command::new(PROGRAM);
    command.args(flags.split(' ')).current_dir(folder.path(""));
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"4\n").expect("the program reads");
    let mut stderr = String::new();
    let mut messages = child.stderr.take().expect("a pipe");
    // It ends with the program, since the other pipe is still open.
    messages.read_to_string(&mut stderr).expect("UTF-8");
    assert_eq!(child.wait().expect("a child ends").code(), Some(3), "{stderr}");
    assert!(stderr.contains("incomplete: 1 board, up to line 1 (time limit"), "{stderr}");
    drop(stdin);
}

#[test]
fn stats_are_those_of_each_board_and_of_all() {
    let boards = "4\n../..\nx\n44/44\n";
    let flags = "puzzle slitherlink --batch - --format jsonl";
    let plain = feed(flags, boards).exits(2);
    let ran = feed(&format!("{flags} --stats=json"), boards).exits(2);
    let mut sums = [0, 0];
    for (line, plain) in ran.lines().iter().zip(plain.lines()) {
        let mut board: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let fields = board.as_object_mut().expect("an object");
        for (sum, name) in sums.iter_mut().zip(["conflicts", "decisions"]) {
            *sum += fields.remove(name).and_then(|value| value.as_u64()).expect("a number");
        }
        assert!(fields.remove("seconds").is_some_and(|value| value.is_f64()), "{line}");
        assert_eq!(board, serde_json::from_str::<serde_json::Value>(plain).expect("JSON"));
    }
    // The blank board has 13 loops: a second one has to be looked for.
    assert!(sums[1] > 0, "{ran:?}");
    let last = ran.stderr.lines().last().expect("a line");
    let all: serde_json::Value = serde_json::from_str(last).expect("JSON");
    assert_eq!((&all["engine"], &all["complete"]), (&"learn".into(), &true.into()));
    let sum = |field: &str| all[field].as_u64().expect("a number");
    assert_eq!([sum("conflicts"), sum("decisions")], sums);
    for field in ["nodes", "updates", "cleansings", "profile"] {
        assert!(all[field].is_null(), "{last}");
    }
    for field in ["read_seconds", "search_seconds", "peak_bytes"] {
        assert!(all[field].is_number(), "{last}");
    }
    let ran = feed("puzzle slitherlink --batch - --stats -q", "4\n").exits(0);
    assert!(ran.stderr.starts_with("engine      learn\n"), "{ran:?}");
}

#[test]
fn flags_that_do_not_fit_are_refused() {
    for flags in ["--batch - --svg", "board.txt --batch -", "--threads 2 -", "--format jsonl -"] {
        feed(&format!("puzzle slitherlink {flags}"), "4\n").exits(2).prints("");
    }
    feed("puzzle --batch -", "4\n").refuses("this does not say which puzzle it is");
    feed("puzzle --batch -", "slither/1/1/4\nmashu/2/2/00\n").exits(0).says("2 unique");
}
