//! `solve --format zdd`.

use std::path::Path;

use num_bigint::BigUint;

use super::common::{brute, random, reference, zdd};
use super::problems::*;
use super::run::{Folder, feed, fixture};

#[test]
fn prints_small_diagrams_line_by_line() {
    for engine in ["auto", "links", "bits", "learn", "memo"] {
        let flags = format!("--format zdd --engine {engine}");
        let ran = solve(&flags, FIRST_EXAMPLE).exits(0).silently();
        let made = zdd::read(&ran.stdout);
        assert_eq!(made.distinct_sets(), [[0, 3, 4]], "{engine}");
        assert_eq!(made.nodes.len(), 3, "{engine}");
        // As `dlx6 m1` prints it.
        solve(&flags, NONE).exits(1).says("no option").prints("2: (~0?0:0)\n");
        solve(&flags, "A\nA\n").exits(0).silently().prints("2: (~1?0:1)\n3: (~0?0:2)\n");
        let two = zdd::read(&solve(&flags, TWO).exits(0).silently().stdout);
        assert_eq!(two.distinct_sets(), [[0, 2], [1, 2]], "{engine}");
    }
}

#[test]
fn an_option_has_the_number_that_it_has_in_the_file() {
    // The second line has no primary item and no number.
    let dlx = "A B | x y\nA x:1\nx:1 y\nB x:1\nB x:0\nA y\n";
    let expected = vec![vec![0, 1], vec![1, 3], vec![2, 3]];
    for flags in ["", "--seed 1", "--seed 2 --engine memo", "--seed 3 --engine learn"] {
        let ran = solve(&format!("--format zdd {flags}"), dlx).exits(0);
        assert_eq!(zdd::read(&ran.stdout).distinct_sets(), expected, "{flags}");
    }
}

/// OEIS A140517, and what `--loop` itself visits one by one.
#[test]
fn keeps_the_rules() {
    for (n, count) in [(2, "13"), (3, "213"), (6, "487150371")] {
        let dlx = slitherlink(&blank(n, n));
        for engine in ["auto", "memo"] {
            let ran = solve(&format!("--loop --format zdd --engine {engine}"), &dlx).exits(0);
            assert_eq!(zdd::read(&ran.stdout).count().to_string(), count, "{engine}");
        }
    }
    for (flags, file) in [
        ("--loop", generate("slitherlink", &fixture("slitherlink/deg-slither-blank-4x4.txt"))),
        ("--loop --no-prune", slitherlink(&blank(3, 3))),
        ("--loop", generate("masyu", &fixture("masyu/pzprjs-mashu-6x6.txt"))),
        ("--connected=0", generate("hitori", &fixture("hitori/cspuzcore-hitori-6x5-blank.txt"))),
    ] {
        let visited = solve(&format!("{flags} --engine links --format options"), &file).exits(0);
        let numbers = |line: &str| -> Vec<usize> {
            line.split(' ').map(|n| n.parse::<usize>().expect("a number") - 1).collect()
        };
        let mut expected: Vec<Vec<usize>> = visited.lines().into_iter().map(numbers).collect();
        expected.sort();
        for engine in ["auto", "memo", "learn", "links"] {
            let ran = solve(&format!("{flags} --format zdd --engine {engine}"), &file).exits(0);
            let made = zdd::read(&ran.stdout);
            assert!(made.distinct_sets() == expected, "{flags} {engine}");
            assert!(made.is_ordered(), "{flags} {engine}");
        }
    }
}

#[test]
fn says_how_the_diagram_was_made() {
    let board = slitherlink(&blank(4, 4));
    let ran = solve("-v --format zdd --loop --stats=json", &board).exits(0).says("engine: memo");
    let nodes = zdd::read(&ran.stdout).nodes.len() + 2;
    let ran =
        ran.says(&format!("zdd: {nodes} nodes, from the frontier; its options are ordered\n"));
    let last = ran.stderr.lines().last().expect("a line");
    let stats: serde_json::Value = serde_json::from_str(last).expect("JSON");
    assert_eq!((&stats["engine"], &stats["zdd_nodes"]), (&"memo".into(), &nodes.into()));
    assert_eq!((&stats["solutions"], &stats["complete"]), (&"9349".into(), &true.into()));
    let ran = solve("-v --format zdd --engine links", FIRST_EXAMPLE).says("engine: links");
    ran.says("zdd: 5 nodes, from a list of the solutions; its options are ordered\n");
    let ran = solve("--format zdd --stats", NONE).exits(1).says("solutions   0\n");
    ran.says("ZDD nodes   1\n");
    let ran = solve("--stats=json", FIRST_EXAMPLE).exits(0);
    assert!(ran.stderr.contains("\"zdd_nodes\":null"), "{ran:?}");
    solve("--format zdd -v --threads 2", TWO).exits(0).says("threads: 1 (a ZDD is made by one)");
}

#[test]
fn refuses_what_has_no_place_in_a_diagram() {
    let folder = Folder::new();
    for flag in [
        "--count",
        "--limit 3",
        "--first",
        "--every 2",
        "--unique",
        "--facts",
        "--min-cost",
        "--best 2",
        "--checkpoint c",
        "--resume c",
        "--part 1/2",
    ] {
        let name = flag.split(' ').next().expect("a name");
        let ran = folder.feed(&format!("solve --format zdd {flag}"), FIRST_EXAMPLE);
        ran.refuses(&format!("--format zdd is one diagram of all solutions, without {name}\n"));
    }
    let ran = folder.feed("solve --format zdd --unique --proof p", FIRST_EXAMPLE);
    ran.refuses("--format zdd is one diagram of all solutions, without --unique\n");
    assert!(folder.names().is_empty());
    let ran = folder.feed("solve --format zdd --output out", "A 2|B\nA B\nB\n");
    ran.refuses("<stdin>:1:3: error: --format zdd: a diagram knows no bounds on items");
    let ran = folder.feed("solve --format zdd --output out", "A\nA |3\n");
    ran.refuses("<stdin>:2:3: error: --format zdd: a diagram has no place for costs");
    assert!(folder.names().is_empty());
    folder.file("a.dlx", "A\nA\n| (from 1)\n");
    folder.feed("lift --problem a.dlx --format zdd", "1\n").refuses("lift makes no ZDD");
}

#[test]
fn what_is_stopped_prints_nothing_and_writes_nothing() {
    let folder = Folder::new();
    let queens = queens(16);
    for (flags, why) in [
        ("--time-limit 300ms", "time limit reached"),
        ("--time-limit 300ms --engine memo", "time limit reached"),
        ("--time-limit 300ms --engine links", "time limit reached"),
        ("--node-limit 1000", "node limit reached"),
        ("--node-limit 1000 --engine memo", "node limit reached"),
        ("--memory-limit 3M", "memory limit reached"),
        ("--memory-limit 3M --engine memo", "memory limit reached"),
        ("--memory-limit 3M --engine bits", "memory limit reached"),
    ] {
        folder
            .feed(&format!("solve --format zdd {flags}"), queens.clone())
            .exits(3)
            .prints("")
            .says(why);
        let written =
            folder.feed(&format!("solve --format zdd --output new {flags}"), queens.clone());
        written.exits(3).says("incomplete: at least ");
        assert!(folder.names().is_empty());
    }
    folder.file("old", "as it was");
    folder.feed("solve --format zdd --output old --node-limit 9", queens).exits(3);
    assert_eq!(folder.text("old"), "as it was");
    let board = slitherlink(&blank(10, 10));
    for (flags, why) in
        [("--memory-limit 4M", "memory limit reached"), ("--node-limit 1000", "node limit reached")]
    {
        solve(&format!("--loop --format zdd {flags}"), &board).exits(3).prints("").says(why);
    }
}

#[test]
fn writes_to_a_file_what_it_prints() {
    let folder = Folder::new();
    let queens = queens(8);
    let printed = folder.feed("solve --format zdd", queens.clone()).exits(0).stdout;
    assert_eq!(zdd::read(&printed).count(), BigUint::from(92u32));
    folder.file("out", "old");
    folder.feed("solve --format zdd --output out", queens.clone()).exits(0).prints("");
    assert_eq!(folder.text("out"), printed);
    folder.feed("solve --format zdd --output -", queens.clone()).exits(0).prints(&printed);
    let ran = folder.feed("solve --format zdd --output missing/out", queens.clone());
    ran.refuses("missing/out: error: the folder missing does not exist\n");
    std::fs::create_dir(folder.path("folder")).expect("a folder");
    folder.feed("solve --format zdd --output folder", queens).refuses("folder: error: ");
    assert_eq!(folder.names(), ["folder", "out"]);
    // Several blocks of lines, and numbers of several digits.
    let board = slitherlink(&blank(6, 6));
    let ran = solve("--format zdd --loop", &board).exits(0);
    assert!(ran.stdout.len() > 200_000);
}

/// As `head` does: takes a line and goes.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_it_quietly() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    folder.file("board.dlx", slitherlink(&blank(8, 8)));
    let mut run = Command::new(super::run::PROGRAM)
        .current_dir(folder.path(""))
        .args(["solve", "--loop", "--format", "zdd", "board.dlx"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut line = String::new();
    BufReader::new(run.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    assert!(line.starts_with("2: (~"), "{line}");
    let mut stderr = String::new();
    run.stderr.take().expect("a pipe").read_to_string(&mut stderr).expect("is text");
    assert_eq!((run.wait().expect("it ends").code(), stderr.as_str()), (Some(0), ""));
}

/// `dlx6` where it is installed: its diagram has the same sets.
#[test]
fn has_the_sets_of_the_diagram_of_dlx6() {
    let Some(path) = reference::find("dlx6") else { return };
    let theirs = |text: &str| {
        let answer = reference::run(Path::new(&path), &["m1"], text.as_bytes());
        zdd::read(&String::from_utf8(answer.stdout).expect("text"))
    };
    let mut nodes = 0;
    for seed in 0..60 {
        let plain: brute::Plain = random::xcc(9_000_000 + seed);
        let text = plain.text();
        let expected = theirs(&text).distinct_sets();
        for engine in ["auto", "memo", "links"] {
            let status = i32::from(expected.is_empty());
            let ran = solve(&format!("--format zdd --engine {engine}"), &text).exits(status);
            let made = zdd::read(&ran.stdout);
            assert_eq!(made.distinct_sets(), expected, "{engine}, seed {seed}\n{text}");
            nodes += made.nodes.len();
        }
    }
    assert!(nodes > 300, "{nodes}");
    for text in [bits(20), queens(8), slitherlink(&blank(5, 5)), slitherlink(&blank(8, 8))] {
        let ran = feed("solve --format zdd", text.clone()).exits(0);
        assert_eq!(zdd::read(&ran.stdout).count(), theirs(&text).count());
    }
}
