//! `--engine links`, `bits` and `auto` write the same bytes: those of Knuth's `dlx2`, wherever it has
//! answered (fixtures/xcc), and each other's, however a search begins and ends.

use std::fmt::Write;

use super::common;
use super::problems::solve;
use super::run::{command, finish};

const ENGINES: [&str; 3] = ["links", "bits", "auto"];

/// The files for which there is what `dlx2 m1` printed, with that.
fn golden() -> Vec<(String, String, String)> {
    let text = |path: &std::path::Path| String::from_utf8(common::slurp(path)).expect("UTF-8");
    let files = common::fixtures("xcc", "dlx").into_iter().filter_map(|path| {
        let answer = path.with_extension("dlx2.out");
        answer.exists().then(|| (path.display().to_string(), text(&path), text(&answer)))
    });
    let files: Vec<_> = files.collect();
    assert!(files.len() >= 25, "{} files", files.len());
    files
}

/// Solutions as records: a line with the number, and lines that begin with a blank.
fn records(text: &str) -> Vec<String> {
    let mut records = Vec::new();
    for line in text.split_inclusive('\n') {
        match (line.starts_with(' '), records.last_mut()) {
            (true, Some(record)) => *record += line,
            _ => records.push(line.to_owned()),
        }
    }
    records
}

#[test]
fn print_what_dlx2_prints() {
    for (name, text, answer) in golden() {
        for engine in ENGINES {
            let ran = solve(&format!("--engine {engine}"), &text);
            assert_eq!(ran.stdout, answer, "{engine} on {name}");
            assert_eq!(ran.status, i32::from(answer.is_empty()), "{engine} on {name}");
        }
    }
}

#[test]
fn print_a_part_of_what_dlx2_prints() {
    for (name, text, answer) in golden() {
        let all = records(&answer);
        for engine in &ENGINES[..2] {
            let every = solve(&format!("--engine {engine} --every 3"), &text);
            let expected: String = all.iter().skip(2).step_by(3).map(String::as_str).collect();
            assert_eq!(every.stdout, expected, "--every 3 with {engine} on {name}");
            let limit = all.len() / 2 + 1;
            let some = solve(&format!("--engine {engine} --limit {limit}"), &text);
            assert_eq!(some.stdout, all[..limit.min(all.len())].concat(), "{engine} on {name}");
        }
    }
}

/// Memo only counts; what it is asked for beyond that is found all the same.
#[test]
fn find_what_memo_does_not() {
    for (name, text, answer) in golden() {
        let (mut wanted, mut found) = (records(&answer), Vec::new());
        let ran = solve("--engine memo", &text);
        found.extend(records(&ran.stdout));
        wanted.sort();
        found.sort();
        assert_eq!(found, wanted, "{name}");
        ran.says("memo only counts");
    }
}

#[test]
fn agree_after_a_shuffle_and_at_a_limit_of_nodes() {
    for (number, (name, text, _)) in golden().into_iter().enumerate() {
        for flags in [
            format!("--seed {number}"),
            format!("--seed {} --format options", 1000 + number),
            format!("--seed {} --format jsonl --limit 3", 2000 + number),
            format!("--node-limit {}", number % 7),
            format!("--seed {number} --node-limit {}", 8 + number),
        ] {
            let links = solve(&format!("--engine links {flags}"), &text);
            let bits = solve(&format!("--engine bits {flags}"), &text);
            assert_eq!((links.status, links.stdout), (bits.status, bits.stdout), "{flags}: {name}");
        }
    }
}

/// Dominoes on a square board. On 8 x 8 cells there are 12988816 ways (Kasteleyn, 1961); 24 x 24 cells are
/// too many items for bits alone.
fn dominoes(size: usize) -> String {
    let cells = || (0..size * size).map(|cell| (cell / size, cell % size));
    let names: Vec<String> = cells().map(|(row, col)| format!("{row}.{col}")).collect();
    let mut text = names.join(" ") + "\n";
    for (row, col) in cells() {
        if col + 1 < size {
            writeln!(text, "{row}.{col} {row}.{}", col + 1).expect("a string takes all");
        }
        if row + 1 < size {
            writeln!(text, "{row}.{col} {}.{col}", row + 1).expect("a string takes all");
        }
    }
    text
}

#[test]
fn agree_where_lists_begin_and_bits_go_on() {
    let text = dominoes(24);
    for flags in [
        "--limit 300",
        "--limit 500 --format options",
        "--node-limit 20000 --seed 1",
        "--every 50 --limit 900 --format jsonl",
        "--node-limit 40000 --every 100",
        "--node-limit 30000 --count",
    ] {
        let [links, bits, auto] = ENGINES.map(|engine| {
            let ran = solve(&format!("--engine {engine} {flags}"), &text);
            (ran.status, ran.stdout, ran.stderr)
        });
        assert!(links == bits && (links == auto || flags.contains("--count")), "{flags}");
    }
}

/// Whatever the machine has: if it lacks some, the test is of those that it has.
#[test]
fn instructions_change_nothing() {
    let mut texts: Vec<String> = golden().into_iter().map(|(_, text, _)| text).collect();
    texts.push(dominoes(24));
    for (seed, text) in texts.iter().enumerate() {
        let flags = format!("--seed {seed} --node-limit 5000 --engine bits");
        let expected = solve(&flags, text);
        for instructions in ["portable", "avx2", "avx512"] {
            let command = command().env("QUADRILLE_INSTRUCTIONS", instructions);
            let ran = finish(command.arg("solve").args(flags.split(' ')).stdin(text));
            assert_eq!(ran.status, expected.status);
            assert!(ran.stdout == expected.stdout, "{instructions}, {flags}");
        }
    }
    let wrong = command().env("QUADRILLE_INSTRUCTIONS", "sse");
    finish(wrong.arg("solve").stdin(texts[0].as_str())).refuses("portable, avx2 or avx512");
}

/// Where a run is stopped is chance; but what it has printed until then is the beginning of what there
/// is, and whole.
#[test]
fn print_whole_solutions_in_order_until_they_are_stopped() {
    for (engine, text) in ENGINES.into_iter().zip([8, 8, 24].map(dominoes)) {
        let text = &text;
        let flags = format!("--engine {engine} --every 1000 --time-limit 100ms");
        let stopped = solve(&flags, text).exits(3);
        let count = records(&stopped.stdout).len();
        for other in ["links", "bits"] {
            let flags = format!("--engine {other} --every 1000 --limit {}", 1000 * count);
            let whole = solve(&flags, text);
            assert!(whole.stdout == stopped.stdout, "{count} of {engine} and of {other}");
        }
    }
}
