//! Threads, checkpoints and parts: whatever happens on the way, the output is that of one run.
//!
//! The standard is a plain run of the same program; other tests compare those with Knuth's programs. The
//! numbers of queens are known (OEIS A000170).

use super::problems::*;
use super::run::{Folder, Ran};

/// A folder with a problem.
fn folder(problem: &str) -> Folder {
    let folder = Folder::new();
    folder.file("p.dlx", problem);
    folder
}

/// What a plain run prints.
fn plain(folder: &Folder, flags: &str) -> Ran {
    folder.quadrille(&format!("solve p.dlx {flags}"))
}

#[test]
fn threads_do_not_change_the_output() {
    let folder = folder(&queens(9));
    for flags in [
        "--engine links",
        "--engine bits",
        "--format options",
        "--format jsonl",
        "--every 7",
        "--count",
        "--limit 3",
        "--limit 100 --count",
        "--limit 100 --engine links --format jsonl",
        "--first",
        "--unique --engine bits",
        "--seed 5",
    ] {
        let Ran { status, stdout, .. } = plain(&folder, flags);
        for threads in [0, 2, 3] {
            let flags = format!("{flags} --threads {threads}");
            plain(&folder, &flags).exits(status).prints(&stdout);
        }
    }
}

/// Auto visits with all threads, and lets the memo have its turns.
#[test]
fn auto_counts_with_threads() {
    let count = |problem: &str, flags: &str| {
        let folder = folder(problem);
        plain(&folder, &format!("--count --threads 2 -v {flags}"))
    };
    // More nodes than the first turn has; OEIS A000170.
    count(&queens(12), "").exits(0).prints("14200\n").says("engine: bits, 2 threads");
    count(&queens(12), "--seed 3").exits(0).prints("14200\n");
    count(&queens(7), "").exits(0).prints("40\n").says("engine: bits");
    // 2^100: nobody could visit them.
    let all = "1267650600228229401496703205376\n";
    count(&bits(100), "").exits(0).prints(all).says("engine: memo");
    count("A B\nA\n", "").exits(1).prints("0\n");
    // Bounds are for links.
    count(BOUNDED, "").exits(0).prints("22\n").says("engine: links");
}

/// Options that meet bounds in 22 ways, some of them at a cost (by brute force over all sets of options).
const BOUNDED: &str =
    "a b 0:2|c 1:2|d\na b |3\na c\nb c |1\na c d |2\nb d\nb\na\nd c |9\nb c d\na d\n";

#[test]
fn bounds_and_costs_go_anywhere() {
    let folder = folder(BOUNDED);
    for flags in
        ["", "--format options", "--format jsonl", "--format names", "--count", "--limit 4"]
    {
        let Ran { status, stdout, .. } = plain(&folder, flags);
        assert!(stdout.len() > 1 && status == 0, "{stdout}");
        for more in ["--threads 2", "--threads 3 --checkpoint ck", "--threads 2 --engine links"] {
            plain(&folder, &format!("{flags} {more}")).exits(0).prints(&stdout);
        }
        if flags == "--limit 4" {
            continue;
        }
        folder.quadrille("split p.dlx --parts 3 --output plan").exits(0);
        for part in 1..=3 {
            let flags = format!("{flags} --part {part}/3 --plan plan --output plan/{part}");
            let ran = plain(&folder, &flags);
            assert!(ran.status < 2, "{}", ran.stderr);
        }
        folder.quadrille("merge plan").exits(0).prints(&stdout);
    }
    let count = plain(&folder, "--count").stdout;
    piecemeal(&folder, "--count", 3, "").exits(0).prints(&count);
    // Of another problem, although items and options are the same.
    folder.file("p.dlx", BOUNDED.replace("0:2|c", "0:3|c"));
    plain(&folder, "--count --resume ck").exits(2).says("of another problem");
    folder
        .quadrille("split p.dlx --parts 3 --copy --output copies")
        .exits(2)
        .says("without --copy");
}

#[test]
fn threads_count_what_one_counts() {
    let folder = folder(&queens(9));
    for engine in ["links", "bits"] {
        let stats = |threads: u32| {
            let flags = format!("--count --engine {engine} --stats=json --threads {threads}");
            let ran = plain(&folder, &flags).exits(0).prints("352\n");
            let mut stats: serde_json::Value =
                serde_json::from_str(ran.stderr.lines().last().expect("a line")).expect("JSON");
            for varying in ["read_seconds", "search_seconds", "peak_bytes"] {
                stats[varying] = serde_json::Value::Null;
            }
            stats
        };
        assert_eq!(stats(1), stats(3));
    }
}

#[test]
fn there_may_be_more_threads_asked_for_than_a_machine_can_have() {
    let folder = folder(&queens(6));
    plain(&folder, "--count --engine links --threads 100000").exits(0).prints("4\n").silently();
}

#[test]
fn threads_obey_rules() {
    let folder = Folder::new();
    folder.file(
        "p.dlx",
        super::common::slurp(&super::common::fixture("slitherlink/deg-slither-blank-4x4.dlx")),
    );
    for flags in ["--loop", "--loop --no-prune", "--loop --format tour"] {
        let expected = plain(&folder, &format!("{flags} --engine links")).exits(0).stdout;
        plain(&folder, &format!("{flags} --engine links --threads 3")).exits(0).prints(&expected);
    }
}

#[test]
fn a_thread_that_is_no_use_is_not_used() {
    let folder = folder(&queens(6));
    plain(&folder, "--threads 2 --engine learn -v --count")
        .exits(0)
        .prints("4\n")
        .says("threads: 1");
    plain(&folder, "--threads 2 --node-limit 9 -v --count").exits(3).says("threads: 1");
}

/// Stops a search after so many nodes again and again, and goes on from the checkpoint with the same flags.
fn piecemeal(folder: &Folder, flags: &str, step: u64, output: &str) -> Ran {
    let flags = format!("{flags} {output} --node-limit {step}");
    let mut ran = plain(folder, &format!("{flags} --checkpoint ck"));
    for _ in 0..10_000 {
        if ran.status != 3 {
            return ran;
        }
        ran = plain(folder, &format!("{flags} --resume ck"));
    }
    panic!("the search does not end")
}

#[test]
fn a_search_in_many_pieces_prints_what_one_run_prints() {
    for (n, step) in [(6, 10), (7, 97)] {
        let folder = folder(&queens(n));
        for engine in ["links", "bits"] {
            for flags in
                ["", "--format options", "--format jsonl", "--every 3", "--limit 7", "--seed 3"]
            {
                let flags = format!("--engine {engine} {flags}");
                let expected = plain(&folder, &flags);
                let _ = std::fs::remove_file(folder.path("ck"));
                let ran = piecemeal(&folder, &flags, step, "--output out");
                assert_eq!(ran.status, expected.status, "{flags}: {ran:?}");
                assert_eq!(folder.text("out"), expected.stdout, "{flags}");
            }
            let count = plain(&folder, "--count").stdout;
            let _ = std::fs::remove_file(folder.path("ck"));
            piecemeal(&folder, &format!("--engine {engine} --count"), step, "").prints(&count);
        }
    }
}

#[test]
fn counts_and_nodes_are_those_of_one_run() {
    let folder = folder(&queens(7));
    let stats = |ran: &Ran| -> serde_json::Value {
        serde_json::from_str(ran.stderr.lines().last().expect("a line")).expect("JSON")
    };
    let flags = "--engine links --count --stats=json";
    let whole = stats(&plain(&folder, flags));
    let pieces = stats(&piecemeal(&folder, flags, 50, ""));
    for figure in ["solutions", "nodes", "updates", "cleansings", "profile", "complete"] {
        assert_eq!(whole[figure], pieces[figure], "{figure}");
    }
}

#[test]
fn rules_go_on_from_a_checkpoint() {
    let folder = Folder::new();
    folder.file(
        "p.dlx",
        super::common::slurp(&super::common::fixture("slitherlink/deg-slither-blank-4x4.dlx")),
    );
    for flags in ["--loop --format tour", "--loop"] {
        let expected = plain(&folder, &format!("{flags} --engine links")).exits(0).stdout;
        let _ = std::fs::remove_file(folder.path("ck"));
        // `auto` takes links, too.
        piecemeal(&folder, flags, 400, "--output out").exits(0);
        assert_eq!(folder.text("out"), expected);
    }
}

#[test]
fn a_complete_checkpoint_gives_the_answer_at_once() {
    let folder = folder(&queens(8));
    plain(&folder, "--count --checkpoint ck").exits(0).prints("92\n").silently();
    plain(&folder, "--count --resume ck --node-limit 1").exits(0).prints("92\n").silently();
    plain(&folder, "--checkpoint ck --output out --format jsonl").exits(0);
    let before = folder.text("out");
    plain(&folder, "--resume ck --output out --format jsonl").exits(0).silently();
    assert_eq!(folder.text("out"), before);
    plain(&folder, "--limit 2 --checkpoint ck --output out").exits(0);
    plain(&folder, "--limit 2 --resume ck --output out").exits(0).silently();
    folder.file("p.dlx", NONE);
    plain(&folder, "--count --checkpoint ck").exits(1).prints("0\n");
    plain(&folder, "--count --resume ck").exits(1).prints("0\n");
}

#[test]
fn a_checkpoint_of_something_else_is_refused_with_the_reason() {
    let folder = folder(&queens(7));
    let flags = "--engine links --checkpoint ck --output out --node-limit 200";
    plain(&folder, flags).exits(3);
    let refuses = |flags: &str, what: &str| {
        plain(&folder, flags).refuses("ck: error: ".trim_start()).says(what)
    };
    refuses(
        "--resume ck --output out --engine bits",
        "with --engine links; this one is with --engine bits",
    );
    refuses("--resume ck --output out --count", "without --count; this one is with --count\n");
    refuses(
        "--resume ck --output out --format options",
        "with --format knuth; this one is with --format options",
    );
    refuses("--resume ck --output out --seed 3", "without --seed; this one is with --seed 3");
    refuses("--resume ck --output out --limit 3", "without --limit; this one is with --limit 3");
    refuses("--resume ck --output out --every 3", "with --every 1; this one is with --every 3");
    let whole = std::fs::read(folder.path("ck")).unwrap();
    folder.file("ck", &whole[..whole.len() / 2]);
    refuses("--resume ck --output out", "damaged");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    folder.file("ck", flipped);
    refuses("--resume ck --output out", "damaged");
    folder.file("ck", "something\nelse\n");
    refuses("--resume ck --output out", "no checkpoint");
    folder.file("ck", String::from_utf8(whole.clone()).unwrap().replacen(" 1 ", " 2 ", 1));
    refuses("--resume ck --output out", "of version 2");
    folder.file("ck", &whole);
    // The problem may be written otherwise, but must be the same.
    let text = folder.text("p.dlx");
    folder.file("p.dlx", text.clone() + "r0 c0\n");
    refuses("--resume ck --output out", "of another problem");
    folder.file("p.dlx", format!("| a comment\n{text}"));
    let output = folder.text("out");
    folder.file("out", &output[..output.len() / 2]);
    plain(&folder, "--resume ck --output out").refuses("out: error: has ").says("fewer than");
    folder.file("out", output.clone() + "and something more");
    plain(&folder, "--resume ck --output out").exits(0);
    let expected = plain(&folder, "--engine links").stdout;
    assert_eq!(folder.text("out"), expected);
}

#[test]
fn a_checkpoint_that_is_not_there_is_an_error_unless_the_run_makes_it() {
    let folder = folder(&queens(6));
    plain(&folder, "--resume ck --count").refuses("ck: error: ");
    plain(&folder, "--resume ck --checkpoint ck --count")
        .exits(0)
        .prints("4\n")
        .says("no checkpoint");
    plain(&folder, "--resume ck --checkpoint ck --count").exits(0).prints("4\n").silently();
}

#[test]
fn an_unfinished_checkpoint_is_put_aside_not_lost() {
    let folder = folder(&queens(7));
    plain(&folder, "--count --checkpoint ck --node-limit 50").exits(3);
    plain(&folder, "--count --checkpoint ck --node-limit 60").exits(3).says("ck.old");
    plain(&folder, "--count --resume ck.old").exits(0).prints("40\n");
    plain(&folder, "--count --resume ck").exits(0).prints("40\n");
}

#[test]
fn a_checkpoint_that_cannot_be_written_gives_one_warning() {
    let folder = folder(&queens(9));
    // The new one is written here first.
    std::fs::create_dir(folder.path("ck.new")).expect("a folder");
    let flags = "--count --engine links --checkpoint ck --every-seconds 0";
    let ran = plain(&folder, flags).exits(0).prints("352\n");
    assert_eq!(ran.stderr.matches("cannot save a checkpoint").count(), 1, "{ran:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
}

/// Saving renames: that must not put a file in the place of a folder or a device.
#[test]
fn a_checkpoint_replaces_only_files() {
    let folder = folder(&queens(9));
    std::fs::create_dir(folder.path("there")).expect("a folder");
    for flags in ["--checkpoint there", "--resume there", "--resume there --checkpoint there"] {
        plain(&folder, &format!("--count {flags}")).refuses("there: error: not a regular file");
    }
    assert!(folder.path("there").is_dir());
}

#[test]
fn a_checkpoint_in_no_folder_is_refused_before_the_search() {
    let folder = folder(&queens(9));
    let ran = plain(&folder, "--count --checkpoint nowhere/ck");
    ran.refuses("nowhere/ck: error: the folder nowhere does not exist");
    plain(&folder, "--checkpoint p.dlx/ck --output out").refuses("p.dlx/ck: error: ");
    plain(&folder, "--count --checkpoint nowhere/").refuses("nowhere/: error: not a regular file");
    let long = "n".repeat(300);
    plain(&folder, &format!("--count --checkpoint {long}")).refuses(&format!("{long}: error: "));
    assert_eq!(folder.names(), ["p.dlx"]);
}

/// What is no checkpoint may be somebody's notes; what a disk or an older version spoiled is not.
#[test]
fn a_checkpoint_replaces_nothing_but_a_checkpoint() {
    let folder = folder(&queens(6));
    for text in ["remember the milk\n", "q", "quadrille part 1 0\n{}\n"] {
        folder.file("notes.txt", text);
        for flags in ["--checkpoint notes.txt", "--checkpoint notes.txt --output out"] {
            plain(&folder, flags).refuses("notes.txt: error: holds something other");
        }
        assert_eq!(folder.text("notes.txt"), text);
        assert_eq!(folder.names(), ["notes.txt", "p.dlx"]);
    }
    plain(&folder, "--count --checkpoint ck").exits(0).prints("4\n");
    let whole = folder.text("ck");
    let half = &whole[..whole.len() / 2];
    for text in ["", half, &whole.replacen(" 1 ", " 2 ", 1), &whole] {
        folder.file("ck", text);
        plain(&folder, "--count --checkpoint ck").exits(0).prints("4\n");
        assert_eq!(folder.text("ck"), whole);
    }
    let ran = plain(&folder, "--count --resume ck --checkpoint notes.txt");
    ran.refuses("notes.txt: error: holds something other");
}

#[cfg(unix)]
#[test]
fn a_checkpoint_goes_where_a_link_leads() {
    let folder = folder(&queens(9));
    folder.file("real", "");
    std::os::unix::fs::symlink("real", folder.path("link")).expect("a link");
    plain(&folder, "--count --engine links --checkpoint link").exits(0).prints("352\n");
    assert!(folder.path("link").is_symlink());
    plain(&folder, "--count --resume real").exits(0).prints("352\n");
    for (link, place) in [("lost", "far/ck"), ("round", "round")] {
        std::os::unix::fs::symlink(place, folder.path(link)).expect("a link");
        let ran = plain(&folder, &format!("--count --checkpoint {link}"));
        ran.refuses(&format!("{link}: error: a link that leads to no file"));
        assert!(folder.path(link).is_symlink());
    }
}

#[test]
fn engines_without_a_path_have_no_checkpoint() {
    let folder = folder(&queens(6));
    for flags in ["--checkpoint ck", "--resume ck", "--part 1/2"] {
        plain(&folder, &format!("--engine learn {flags}")).refuses("links or bits");
    }
    assert_eq!(folder.names(), ["p.dlx"]);
}

#[test]
fn parts_add_up() {
    let folder = folder(&queens(8));
    for parts in [1, 2, 7, 100] {
        let mut sum = 0;
        for part in 1..=parts {
            let ran = plain(&folder, &format!("--count --part {part}/{parts}"));
            sum += ran.stdout.trim().parse::<u64>().expect("a number");
        }
        assert_eq!(sum, 92, "{parts} parts");
    }
    for wrong in ["0/3", "4/3", "3", "1/0", "a/b", "1/9999999"] {
        plain(&folder, &format!("--count --part {wrong}")).exits(2);
    }
    plain(&folder, "--part 1/2 --limit 3").exits(2);
}

#[test]
fn merged_parts_are_the_undivided_run() {
    let folder = folder(&queens(8));
    for (number, flags) in
        ["", "--engine links", "--format options", "--format jsonl", "--format names", "--seed 4"]
            .iter()
            .enumerate()
    {
        let expected = plain(&folder, flags).stdout;
        let plan = format!("plan{number}");
        for (parts, planned) in [(5, false), (12, true)] {
            let seed = if flags.contains("seed") { flags } else { "" };
            let _ = std::fs::remove_dir_all(folder.path(&plan));
            std::fs::create_dir(folder.path(&plan)).unwrap();
            let mut from = String::new();
            if planned {
                folder.quadrille(&format!("split p.dlx --parts {parts} --output {plan} {seed}"));
                from = format!("--plan {plan}");
            }
            for part in 1..=parts {
                let output = format!("--output {plan}/part-{part}.out");
                plain(&folder, &format!("{flags} --part {part}/{parts} {from} {output}"));
            }
            folder.quadrille(&format!("merge {plan}")).exits(0).prints(&expected).silently();
        }
    }
}

/// Splits, searches each part, and merges.
fn in_parts(folder: &Folder, parts: usize, flags: &str, split: &str) -> Ran {
    let _ = std::fs::remove_dir_all(folder.path("plan"));
    folder.quadrille(&format!("split p.dlx --parts {parts} --output plan {split}")).exits(0);
    for part in 1..=parts {
        let files = format!("--plan plan --output plan/{part}");
        plain(folder, &format!("{flags} --part {part}/{parts} {files}"));
    }
    folder.quadrille("merge plan")
}

#[test]
fn a_stretch_may_begin_after_a_choice_of_the_last_item() {
    for (problem, flags, split) in [
        ("a 2|b\na\na\nb\nb\n", "--format options", ""),
        ("a b\na\na\nb\nb\n", "--engine links", ""),
        ("a b\na\na\nb\nb\n", "--engine bits", ""),
        ("a | 11\na 11:0\na 11:0\na 11:1\n", "--connected=0 --engine links", "--connected=0"),
    ] {
        let folder = folder(problem);
        let expected = plain(&folder, flags).exits(0).stdout;
        for parts in 1..5 {
            in_parts(&folder, parts, flags, split).exits(0).prints(&expected);
        }
    }
}

#[test]
fn parts_of_random_problems_are_the_undivided_runs() {
    use super::common::random::{mcc, xcc};
    let xcc = (0..20).map(|seed| (xcc(seed).text(), "bits"));
    let links = (40..60).map(|seed| (super::common::random::xcc(seed).text(), "links"));
    let mcc = (0..20).map(|seed| (mcc(seed).text(), "links"));
    let mut several = 0;
    for (number, (problem, engine)) in xcc.chain(links).chain(mcc).enumerate() {
        let folder = folder(&problem);
        let flags = format!("--engine {engine}");
        let whole = plain(&folder, &flags);
        several += usize::from(whole.stdout.lines().filter(|line| line.ends_with(':')).count() > 1);
        let parts = 2 + number % 4;
        let split = if number % 3 == 0 { "--depth 99" } else { "" };
        in_parts(&folder, parts, &flags, split).exits(whole.status).prints(&whole.stdout);
    }
    assert!(several > 20, "{several}");
}

#[test]
fn a_node_with_very_many_options_is_divided_into_rows_of_them() {
    let folder = folder(&format!("a b\n{}", "a b\n".repeat(5_000)));
    let expected = plain(&folder, "--engine links").exits(0).stdout;
    in_parts(&folder, 3, "--engine links", "").exits(0).prints(&expected);
    folder.quadrille("split p.dlx --parts 3 --copy --output copies").exits(0);
    let mut sum = 0;
    for part in 1..=3 {
        let ran = folder.quadrille(&format!("solve copies/part-{part}.dlx --count")).exits(0);
        sum += ran.stdout.trim().parse::<u32>().expect("a number");
    }
    assert_eq!(sum, 5_000);
}

#[test]
fn a_damaged_plan_is_refused() {
    let folder = folder(&queens(6));
    folder.quadrille("split p.dlx --parts 2 --output d").exits(0);
    let plan = folder.text("d/manifest.json");
    let solve = || plain(&folder, "--count --part 1/2 --plan d");
    let expected = solve().exits(0).stdout;
    plain(&folder, "--count --part 1/2 --plan d --output d/manifest.json").exits(2).says("input");
    assert_eq!(solve().stdout, expected);
    let mut tampered = vec![plan.replacen("\"to\":", "\"to\":1", 1)];
    tampered.push(plan.replacen("\"lane\":0", "\"lane\":1", 1));
    tampered.push(plan.replacen("\"sha256\":\"", "\"sha256\":\"0", 1));
    for (number, text) in tampered.into_iter().enumerate() {
        assert_ne!(text, plan, "{number}");
        folder.file("d/manifest.json", text);
        solve().exits(2).says("checksum");
        folder.quadrille("merge d").exits(2).says("checksum");
    }
    let value: serde_json::Value = serde_json::from_str(&plan).expect("JSON");
    let write = |mut value: serde_json::Value| {
        value.as_object_mut().expect("an object").remove("sha256");
        let members = value.to_string();
        let rest = format!("\",{}\n", &members[1..]);
        let sum = checksum(&rest);
        folder.file("d/manifest.json", format!("{{\"sha256\":\"{sum}{rest}"));
    };
    write(value.clone());
    assert_eq!(solve().exits(0).stdout, expected);
    let mut elsewhere = value.clone();
    elsewhere["parts"][0]["stretches"] = serde_json::json!([
        {"after": false, "floor": 0, "lane": 0, "path": [[1, 77, 1, 9]], "to": u32::MAX}
    ]);
    write(elsewhere);
    solve().exits(2).says("a plan of choices that this search never makes");
    let none = [serde_json::Value::Null, serde_json::json!([]), serde_json::json!({})];
    for (parts, what) in none.into_iter().zip(["without sense", "no parts", "without sense"]) {
        let mut value = value.clone();
        value["parts"] = parts;
        write(value);
        solve().exits(2).says(what);
        folder.quadrille("merge d").exits(2).prints("").says(what);
    }
}

#[test]
fn marks_of_parts_without_sense_are_refused() {
    let folder = folder(&queens(6));
    std::fs::create_dir(folder.path("d")).unwrap();
    for part in [1, 2] {
        plain(&folder, &format!("--part {part}/2 --output d/{part}"));
    }
    let done = folder.text("d/2.done");
    let (_, members) = done.split_once('\n').expect("two lines");
    let value: serde_json::Value = serde_json::from_str(members).expect("JSON");
    let big = serde_json::json!(u64::MAX);
    for (member, odd) in [
        ("search", serde_json::json!("x")),
        ("search", serde_json::json!({"flags": 3})),
        ("of", serde_json::json!(1_000_000_000_000_000_000u64)),
        ("part", serde_json::json!(0)),
        ("solutions", big.clone()),
        ("lanes", serde_json::json!([])),
        (
            "lanes",
            serde_json::json!([{"key": [], "solutions": 4, "bytes": big}, {"key": [], "solutions": 0, "bytes": 1}]),
        ),
    ] {
        let mut value = value.clone();
        value[member] = odd;
        folder.file("d/2.done", sealed("part", &value));
        let ran = folder.quadrille("merge d").exits(2).prints("");
        assert!(ran.stderr.contains("2.done: error: a part without sense"), "{member}: {ran:?}");
    }
}

#[test]
fn a_checkpoint_whose_path_does_not_fit_is_not_split() {
    let folder = folder(&queens(6));
    plain(&folder, "--count --engine links --checkpoint ck --node-limit 30").exits(3);
    let (_, members) =
        folder.text("ck").split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let value: serde_json::Value = serde_json::from_str(&members).expect("JSON");
    for place in [0, 1, 3] {
        let mut value = value.clone();
        let choice = &mut value["entries"][0]["left"]["path"][0][place];
        assert!(choice.is_u64(), "{choice}");
        *choice = serde_json::json!(u32::MAX - 7);
        folder.file("ck", sealed("checkpoint", &value));
        folder.quadrille("split p.dlx --from ck --parts 2 --output s").exits(2).says("never makes");
        plain(&folder, "--count --engine links --resume ck").exits(2).says("never makes");
    }
}

/// A file with this kind, members and the right checksum.
pub fn sealed(kind: &str, members: &serde_json::Value) -> String {
    let text = format!("{members}\n");
    format!("quadrille {kind} 1 {}\n{text}", checksum(&text))
}

pub fn checksum(text: &str) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_loops_of_parts_are_those_of_one_run() {
    let folder = Folder::new();
    folder.file(
        "p.dlx",
        super::common::slurp(&super::common::fixture("slitherlink/deg-slither-blank-4x4.dlx")),
    );
    let expected = plain(&folder, "--loop --engine links --format tour").stdout;
    folder.quadrille("split p.dlx --loop --parts 4 --depth 6 --output plan").exits(0);
    for part in 1..=4 {
        let output = format!("--output plan/{part}");
        plain(&folder, &format!("--loop --format tour --part {part}/4 --plan plan {output}"));
    }
    folder.quadrille("merge plan").exits(0).prints(&expected);
    plain(&folder, "--part 1/4 --plan plan")
        .refuses("a plan of a search with --loop; this one is without --loop");
    plain(&folder, "--loop --part 1/5 --plan plan").refuses("a plan of 4 parts, not 5");
}

#[test]
fn merge_names_what_is_missing_or_changed() {
    let folder = folder(&queens(7));
    std::fs::create_dir(folder.path("d")).unwrap();
    folder.quadrille("merge d").exits(2).says("no part here is finished");
    let solve = |part: u32, flags: &str| {
        plain(&folder, &format!("--engine links --part {part}/4 --output d/{part} {flags}"))
    };
    solve(1, "");
    solve(3, "");
    // Stopped before its end.
    solve(2, "--node-limit 5").exits(3);
    let ran = folder.quadrille("merge d").exits(3).prints("");
    assert!(ran.stderr.contains("parts 2, 4 of 4 are missing"), "{ran:?}");
    solve(2, "");
    solve(4, "");
    let expected = plain(&folder, "").stdout;
    folder.quadrille("merge d").exits(0).prints(&expected);
    let text = folder.text("d/3");
    folder.file("d/3", text.clone() + " ");
    folder.quadrille("merge d").exits(2).prints("").says("d/3: error: part 3 has changed");
    folder.file("d/3", text);
    std::fs::remove_file(folder.path("d/4")).unwrap();
    folder.quadrille("merge d").exits(2).prints("").says("d/4: error: part 4: ");
    solve(4, "--seed 1");
    folder.quadrille("merge d").exits(2).says("of another search");
    solve(4, "");
    let done = folder.text("d/4.done");
    folder.file("d/4.done", done.replace("\"of\":4", "\"of\":5"));
    folder.quadrille("merge d").exits(2).says("damaged");
    folder.file("d/4.done", done);
    folder.quadrille("merge d --output all").exits(0).prints("");
    assert_eq!(folder.text("all"), expected);
}

#[test]
fn merge_names_ten_missing_parts_at_most() {
    let folder = folder(&queens(6));
    std::fs::create_dir(folder.path("d")).unwrap();
    plain(&folder, "--part 1/40 --output d/1");
    let missing = "parts 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 29 more of 40 are missing\n";
    folder.quadrille("merge d").exits(3).says(missing);
}

#[test]
fn counts_of_parts_are_merged_too() {
    let folder = folder(&queens(8));
    folder.quadrille("split p.dlx --parts 3 --output d").exits(0).prints("");
    let solve = |part: u32| {
        plain(&folder, &format!("--count --part {part}/3 --plan d --output d/{part}")).status
    };
    solve(1);
    solve(2);
    let ran = folder.quadrille("merge d").exits(3).says("part 3 of 3 is missing");
    assert!(ran.stdout.trim().parse::<u64>().expect("a number") < 92);
    solve(3);
    folder.quadrille("merge d").exits(0).prints("92\n");
}

#[test]
fn copies_are_files_whose_solutions_are_the_same_sets() {
    let folder = folder(&queens(7));
    let sets = |text: &str| {
        let mut sets: Vec<Vec<String>> = Vec::new();
        for line in text.lines() {
            match line.strip_prefix(' ').and_then(|line| line.split_once(" (")) {
                None => sets.push(Vec::new()),
                Some((option, _)) => {
                    // An option is printed from the item that was branched on.
                    let mut items: Vec<&str> = option.split(' ').collect();
                    items.sort_unstable();
                    sets.last_mut().expect("a number first").push(items.join(" "));
                }
            }
        }
        sets.iter_mut().for_each(|set| set.sort());
        sets.sort();
        sets
    };
    let expected = sets(&plain(&folder, "").stdout);
    assert_eq!(expected.len(), 40);
    for parts in [1, 2, 9, 30] {
        let args = format!("split p.dlx --parts {parts} --copy --output d{parts}");
        folder.quadrille(&args).exits(0);
        let mut found = Vec::new();
        let mut files = 0;
        for entry in std::fs::read_dir(folder.path(&format!("d{parts}"))).unwrap() {
            let name = entry.unwrap().path().display().to_string();
            if name.ends_with(".dlx") {
                files += 1;
                found.extend(sets(&folder.quadrille(&format!("solve {name}")).stdout));
            }
        }
        found.sort();
        assert_eq!(files, parts);
        assert_eq!(found, expected, "{parts} parts");
    }
}

#[test]
fn what_a_search_has_left_can_be_split() {
    let folder = folder(&queens(8));
    let expected = plain(&folder, "").stdout;
    // A count.
    plain(&folder, "--count --checkpoint ck --node-limit 200").exits(3);
    folder.quadrille("split p.dlx --from ck --parts 16 --output c").exits(0);
    for part in 1..=16 {
        plain(&folder, &format!("--count --part {part}/16 --plan c --output c/{part}"));
    }
    folder.quadrille("merge c").exits(0).prints("92\n");
    // Solutions.
    plain(&folder, "--checkpoint ck --output before --node-limit 200").exits(3);
    folder.quadrille("split p.dlx --from ck --parts 5 --output s").exits(0);
    for part in 1..=5 {
        plain(&folder, &format!("--part {part}/5 --plan s --output s/{part}"));
    }
    folder.quadrille("merge s").refuses("--before FILE");
    folder.quadrille("merge s --before before").exits(0).prints(&expected);
}

#[test]
fn a_part_that_was_stopped_can_be_split_and_takes_its_place() {
    let folder = folder(&queens(8));
    let expected = plain(&folder, "").stdout;
    std::fs::create_dir(folder.path("d")).unwrap();
    for part in [1, 3] {
        plain(&folder, &format!("--part {part}/3 --output d/{part}"));
    }
    plain(&folder, "--part 2/3 --output before --checkpoint ck --node-limit 150").exits(3);
    folder.quadrille("split p.dlx --from ck --parts 4 --output s").exits(0);
    for part in 1..=4 {
        plain(&folder, &format!("--part {part}/4 --plan s --output s/{part}"));
    }
    folder.quadrille("merge s --before before --output d/2").exits(0);
    folder.quadrille("merge d").exits(0).prints(&expected);
}
