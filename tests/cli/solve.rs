//! The flags of `solve` that shape what it prints.

use serde_json::Value;

use super::problems::*;
use super::run::{Folder, Ran, feed, fixture};

/// The solutions as lists of option numbers, sorted.
fn solutions(flags: &str, problem: &str) -> Vec<Vec<u64>> {
    let ran = solve(&format!("--format options {flags}"), problem);
    let mut all: Vec<Vec<u64>> = ran
        .lines()
        .iter()
        .map(|line| line.split(' ').map(|number| number.parse().expect("a number")).collect())
        .collect();
    all.sort();
    all
}

#[test]
fn options_are_ascending_numbers_a_line_for_a_solution() {
    solve("--format options", FIRST_EXAMPLE).exits(0).prints("1 4 5\n").silently();
    solve("--format options", NONE).exits(1).prints("");
}

#[test]
fn jsonl_ends_with_a_line_that_says_whether_the_search_was_complete() {
    let two = "{\"v\":1,\"n\":1,\"options\":[1,3]}\n{\"v\":1,\"n\":2,\"options\":[2,3]}\n";
    let end = "{\"v\":1,\"complete\":true,\"solutions\":\"2\"}\n";
    solve("--format jsonl", TWO).exits(0).prints(&format!("{two}{end}"));
    let end = "{\"v\":1,\"complete\":true,\"solutions\":\"0\"}\n";
    solve("--format jsonl", NONE).exits(1).prints(end);
    let ran = solve("--format jsonl --node-limit 40", &bits(6)).exits(3);
    let last: Value = serde_json::from_str(ran.lines().last().unwrap()).unwrap();
    assert_eq!(last["complete"], false);
    assert_eq!(last["solutions"], (ran.lines().len() - 1).to_string());
    for (i, line) in ran.lines().iter().rev().skip(1).rev().enumerate() {
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!((value["v"].as_u64(), value["n"].as_u64()), (Some(1), Some(i as u64 + 1)));
        assert_eq!(value["options"].as_array().unwrap().len(), 6);
    }
}

#[test]
fn tour_and_knuth_number_the_solutions_alike() {
    let dlx = slitherlink(&blank(2, 2));
    let tours = solve("--loop --format tour", &dlx).exits(0);
    let knuth = solve("--loop", &dlx).exits(0);
    let heads = knuth.stdout.lines().filter(|line| line.ends_with(':')).count();
    assert_eq!((tours.lines().len(), heads), (13, 13));
}

#[test]
fn every_prints_each_mth_solution_under_its_own_number() {
    let numbers = |flags: &str| -> Vec<u64> {
        let ran = solve(&format!("--format jsonl {flags}"), &bits(4)).exits(0);
        let lines = ran.lines().into_iter().map(|line| serde_json::from_str(line).unwrap());
        lines.filter_map(|value: Value| value["n"].as_u64()).collect()
    };
    assert_eq!(numbers("--every 5"), [5, 10, 15]);
    assert_eq!(numbers("--every 16"), [16]);
    assert_eq!(numbers("--every 17"), Vec::<u64>::new());
    assert_eq!(numbers("--every 3 --limit 7"), [3, 6]);
    // They are the solutions that a plain run numbers so.
    let all = solve("--format options", &bits(4)).exits(0);
    let every = solve("--format options --every 5", &bits(4)).exits(0);
    let picked: Vec<&str> = all.lines().into_iter().skip(4).step_by(5).collect();
    assert_eq!(every.lines(), picked);
}

#[test]
fn a_seed_changes_the_order_but_not_the_solutions() {
    for problem in [&bits(6), &slitherlink(&blank(3, 3))] {
        let plain = solutions("", problem);
        let mut orders = Vec::new();
        for seed in [0, 1, 2, 18446744073709551615u64] {
            let flags = format!("--seed {seed}");
            assert_eq!(solutions(&flags, problem), plain, "seed {seed}");
            let once = solve(&format!("--format options {flags}"), problem).exits(0).stdout;
            let again = solve(&format!("--format options {flags}"), problem).exits(0).stdout;
            assert_eq!(once, again, "seed {seed} is reproducible");
            orders.push(once);
        }
        orders.sort();
        orders.dedup();
        assert!(orders.len() > 1, "no seed made a difference");
    }
}

#[test]
fn a_seed_keeps_option_numbers_and_names_as_the_file_has_them() {
    for seed in 0..10 {
        solve(&format!("--seed {seed} --format options"), FIRST_EXAMPLE).exits(0).prints("1 4 5\n");
        let ran = solve(&format!("--seed {seed}"), FIRST_EXAMPLE).exits(0);
        let mut options: Vec<Vec<&str>> = ran.lines()[1..]
            .iter()
            .map(|line| {
                let names = line.split(" (").next().unwrap_or_default();
                let mut names: Vec<&str> = names.split_whitespace().collect();
                names.sort();
                names
            })
            .collect();
        options.sort();
        assert_eq!(options, [vec!["A", "D", "F"], vec!["B", "G"], vec!["C", "E"]]);
    }
}

#[test]
fn every_engine_writes_the_same_bytes_for_a_board_with_one_solution() {
    for (kind, name) in [
        ("slitherlink", "slitherlink/sgt-loopy-7x7-e-1.txt"),
        ("slitherlink", "slitherlink/sgt-loopy-7x7-t-1.txt"),
        ("slitherlink", "slitherlink/sgt-loopy-10x10-h-1.txt"),
        ("masyu", "masyu/sgt-pearl-7x7-e-1.txt"),
        ("masyu", "masyu/sgt-pearl-8x9-t-1.txt"),
        ("masyu", "masyu/sgt-pearl-10x10-t-1.txt"),
    ] {
        let dlx = generate(kind, &fixture(name));
        for format in ["knuth", "options", "jsonl"] {
            for flags in ["", "--unique", "--first", "--limit 1"] {
                let with = |engine: &str| {
                    let flags = format!("--loop {flags} --format {format} --engine {engine}");
                    solve(&flags, &dlx).exits(0).stdout
                };
                let links = with("links");
                for engine in ["auto", "learn"] {
                    assert_eq!(links, with(engine), "{engine}: {name} {flags} {format}");
                }
            }
        }
        let plain = solve("--loop", &dlx).exits(0).stdout;
        solve("--loop --no-prune --first --node-limit 3000000", &dlx).exits(0).prints(&plain);
    }
}

#[test]
fn the_same_input_and_flags_give_the_same_bytes() {
    let dlx = slitherlink(&blank(4, 4));
    for flags in ["--loop", "", "--loop --limit 100", "--loop --format tour", "--seed 7"] {
        let once = solve(flags, &dlx).exits(0).stdout;
        assert!(once == solve(flags, &dlx).exits(0).stdout, "{flags}");
    }
}

/// Both visit the tree of `dlx2`; only figures that an engine does not have differ.
#[test]
fn bits_writes_the_bytes_of_links() {
    let blank = slitherlink(&blank(3, 3));
    for dlx in [FIRST_EXAMPLE, TWO, NONE, &bits(7), &barren(5, 5), &blank] {
        for flags in [
            "",
            "--count",
            "--limit 10",
            "--first",
            "--unique",
            "--every 7",
            "--every 3 --limit 20",
            "--seed 1",
            "--seed 2 --limit 7",
            "--node-limit 50",
            "--no-prune",
        ] {
            for format in ["knuth", "options", "jsonl"] {
                let with = |engine: &str| {
                    let flags = format!("{flags} --format {format} --engine {engine}");
                    let Ran { status, stdout, stderr } = solve(&flags, dlx);
                    (status, stdout, stderr)
                };
                assert_eq!(with("bits"), with("links"), "{flags} {format}");
            }
        }
    }
}

#[test]
fn bits_has_no_updates_to_report() {
    let ran = solve("--engine bits --stats=json", FIRST_EXAMPLE).exits(0);
    let stats: Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!(stats["engine"], "bits");
    assert_eq!((&stats["nodes"], &stats["updates"]), (&6.into(), &Value::Null));
    assert_eq!(stats["cleansings"], Value::Null);
    assert_eq!(stats["profile"], serde_json::json!([1, 2, 2, 1]));
    let text = solve("--engine bits --stats", FIRST_EXAMPLE).exits(0).stderr;
    assert!(text.contains("nodes") && !text.contains("updates"), "{text}");
}

#[test]
fn bits_refuses_rules_and_nothing_else() {
    let board = slitherlink("4\n");
    solve("--engine bits --loop", &board).refuses("--engine bits knows exact covers only");
    feed("puzzle slitherlink - --engine bits", "4\n").refuses("knows exact covers only");
    let items: String = (0..600).map(|i| format!("p{i} ")).collect();
    solve("--engine bits --count", &format!("{items}\np0\n")).exits(1).prints("0\n");
    let options = "a\n".to_owned() + &"a\n".repeat(30_000);
    solve("--engine bits --count", &options).exits(0).prints("30000\n");
}

/// What the text of `--format knuth` says, as `--format names` has it: read from the file and from the numbers alone.
fn named(dlx: &str, numbers: &str) -> Vec<String> {
    let options: Vec<&str> = dlx.lines().filter(|line| !line.starts_with('|')).skip(1).collect();
    let object = |number: &str| {
        let words = options[number.parse::<usize>().unwrap() - 1].split_whitespace();
        let members = words.filter(|word| !word.starts_with('|')).map(|word| {
            let (item, color) = word.split_once(':').unwrap_or((word, ""));
            let color = if color.is_empty() { "null".into() } else { format!("\"{color}\"") };
            format!("\"{item}\":{color}")
        });
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    };
    let line = |(n, line): (usize, &str)| {
        let (numbers, cost) = line.split_once(" $").unwrap_or((line, ""));
        let numbers: Vec<&str> = numbers.split_whitespace().collect();
        let options: Vec<String> = numbers.iter().map(|number| object(number)).collect();
        let cost = if cost.is_empty() { String::new() } else { format!(",\"cost\":{cost}") };
        let (n, options, numbers) = (n + 1, options.join(","), numbers.join(","));
        format!("{{\"v\":1,\"n\":{n},\"options\":[{options}],\"numbers\":[{numbers}]{cost}}}")
    };
    numbers.lines().enumerate().map(line).collect()
}

/// Expected lines are made here, from the file and from `--format options`.
#[test]
fn names_gives_items_and_colors_and_is_read_back() {
    let costs = "A B | x\nA x:1 |3\nA x:2 |1\nB x:1 |2\nB\n";
    let empty = "0:1|A 0:1|B\nA\nA\nB\n";
    let loops = slitherlink(&blank(2, 2));
    for (dlx, flags) in
        [(FIRST_EXAMPLE, ""), (TWO, ""), (costs, ""), (empty, ""), (&loops, "--loop")]
    {
        let folder = Folder::new();
        folder.file("p.dlx", dlx);
        let numbers = folder.quadrille(&format!("solve p.dlx --format options {flags}")).exits(0);
        let expected = named(dlx, &numbers.stdout);
        let names = folder.quadrille(&format!("solve p.dlx --format names {flags}")).exits(0);
        assert_eq!(names.lines().split_last().unwrap().1, expected);
        let end = format!("{{\"v\":1,\"complete\":true,\"solutions\":\"{}\"}}", expected.len());
        assert_eq!(names.lines().last().unwrap(), &end);
        folder.file("s.jsonl", &names.stdout);
        folder.quadrille(&format!("check p.dlx --solutions s.jsonl {flags}")).exits(0);
        if !flags.is_empty() {
            let filtered = folder.quadrille(&format!("filter --problem p.dlx s.jsonl {flags}"));
            assert_eq!(filtered.exits(0).stdout, names.stdout);
        }
    }
}

/// A name that is no UTF-8 is escaped as in other JSON, and a quotation mark as JSON has it.
#[test]
fn names_escapes_what_json_cannot_hold() {
    let ran = feed("solve --format names", "A\"b | x\nA\"b x:c\n").exits(0);
    assert_eq!(
        ran.lines()[0],
        "{\"v\":1,\"n\":1,\"options\":[{\"A\\\"b\":null,\"x\":\"c\"}],\"numbers\":[1]}"
    );
}
