//! `--branch`: the order and the choices of another search tree, whoever visits it.
//!
//! What is expected was printed by Knuth's `dlx2-sharp` and `dlx3-sharp`, and by a `dlx2` that takes the leftmost
//! item (fixtures/branch).

use serde_json::Value;

use super::problems::queens;
use super::run::{Folder, Ran, feed, fixture, quadrille};

/// The rules, each with the program that has it.
const RULES: [(&str, &str); 2] = [("sharp", "dlx2-sharp"), ("leftmost", "dlx2-leftmost")];

/// Problems with solutions that are stored.
const FILES: [&str; 4] =
    ["queens-6-rows", "langford-4-numbers", "random-sharp-4", "random-sharp-5"];

fn stored(file: &str, program: &str) -> String {
    std::fs::read_to_string(fixture(&format!("branch/{file}.{program}.out"))).expect("is there")
}

/// The last line of stderr.
fn stats(ran: &Ran) -> Value {
    let last = ran.stderr.lines().last().expect("a line on stderr");
    serde_json::from_str(last).expect("JSON in the last line")
}

/// A folder with a problem whose columns, which are not the first items, are sharp.
fn columns(n: usize) -> Folder {
    let folder = Folder::new();
    folder.file("p.dlx", queens(n).replace('c', "#c"));
    folder
}

#[test]
fn engines_and_threads_print_what_the_programs_print() {
    for (rule, program) in RULES {
        for file in FILES {
            let expected = stored(file, program);
            for flags in ["", "--engine links", "--engine bits", "--threads 2", "--limit 99"] {
                let path = fixture(&format!("branch/{file}.dlx"));
                quadrille(&format!("solve --branch {rule} {flags} {path}"))
                    .exits(0)
                    .prints(&expected);
            }
        }
    }
    let file = fixture("branch/random-sharp-bounds-2.dlx");
    let expected = stored("random-sharp-bounds-2", "dlx3-sharp");
    for flags in ["", "--threads 2", "--engine links"] {
        quadrille(&format!("solve --branch sharp {flags} {file}")).exits(0).prints(&expected);
    }
}

/// Engines that do not visit that tree print its choices, in an order of their own.
#[test]
fn learn_replays_the_choices_of_the_rule() {
    let bodies = |text: &str| -> Vec<String> {
        let numbered = |line: &str| line.trim_end_matches(':').parse::<u64>().is_ok();
        let mut bodies: Vec<String> = Vec::new();
        for line in text.lines() {
            match bodies.last_mut() {
                Some(body) if !numbered(line) => body.push_str(line),
                _ => bodies.push(String::new()),
            }
        }
        bodies.sort();
        bodies
    };
    for (rule, program) in RULES {
        for file in FILES {
            let path = fixture(&format!("branch/{file}.dlx"));
            for engine in ["learn", "memo"] {
                let ran = quadrille(&format!("solve --branch {rule} --engine {engine} {path}"));
                assert_eq!(bodies(&ran.exits(0).stdout), bodies(&stored(file, program)));
            }
        }
    }
}

#[test]
fn parts_and_checkpoints_keep_the_order() {
    for (rule, _) in RULES {
        let folder = columns(8);
        let branch = format!("--branch {rule}");
        let whole =
            folder.quadrille(&format!("solve p.dlx {branch} --engine links")).exits(0).stdout;
        assert!(whole != folder.quadrille("solve p.dlx").stdout, "{rule} is like mrv");
        folder.quadrille(&format!("split p.dlx {branch} --parts 3 --output plan")).exits(0);
        for part in 1..=3 {
            let to = format!("--part {part}/3 --plan plan --output plan/{part}");
            folder.quadrille(&format!("solve p.dlx {branch} {to}")).exits(0);
        }
        folder.quadrille("merge plan").exits(0).prints(&whole);
        folder
            .quadrille("solve p.dlx --part 1/3 --plan plan")
            .exits(2)
            .says(&format!("--branch {rule}; this one is with --branch mrv"));

        let run = |flags: &str| folder.quadrille(&format!("solve p.dlx {flags} --output out"));
        run(&format!("{branch} --checkpoint ck --node-limit 200")).exits(3);
        run("--resume ck")
            .exits(2)
            .says(&format!("--branch {rule}; this one is with --branch mrv"));
        run(&format!("{branch} --resume ck --threads 2")).exits(0);
        assert_eq!(folder.text("out"), whole);
    }
}

/// The nodes and updates are those of `dlx2-sharp` and its kin (fixtures/branch/expected.tsv).
#[test]
fn stats_and_estimates_are_of_the_tree() {
    let file = fixture("branch/queens-6-rows.dlx");
    for (rule, nodes, updates) in [("sharp", 92, 1533), ("leftmost", 159, 2080)] {
        let flags = format!("--branch {rule} --engine links --stats=json --count {file}");
        let stats = stats(&quadrille(&format!("solve {flags}")).exits(0).prints("4\n"));
        assert_eq!(stats["branch"], rule);
        assert_eq!((&stats["nodes"], &stats["updates"]), (&nodes.into(), &updates.into()));
        let ran = quadrille(&format!("estimate --branch {rule} {file}")).exits(0);
        assert!(ran.stdout.starts_with(&format!("nodes      {nodes} (exact)\n")), "{ran:?}");
        quadrille(&format!("solve --branch {rule} --count --stats {file}"))
            .exits(0)
            .says(&format!("branching   {rule}\n"));
    }
    assert_eq!(stats(&quadrille(&format!("solve --stats=json {file}")))["branch"], "mrv");
}

/// What is lifted looks as a search of the original prints it.
#[test]
fn solutions_are_lifted_by_the_rule() {
    let folder = columns(6);
    folder.quadrille("reduce p.dlx --output small.dlx").exits(0);
    let expected = folder.quadrille("solve p.dlx --branch sharp").exits(0).stdout;
    let found = folder.quadrille("solve small.dlx --branch sharp").exits(0).stdout;
    let lift = "lift --problem small.dlx --original p.dlx --branch sharp";
    folder.feed(lift, found).exits(0).prints(&expected);
}

#[test]
fn what_has_no_such_tree_is_refused() {
    for flags in ["--facts", "--min-cost", "--best 2", "--format zdd"] {
        feed(&format!("solve --branch sharp {flags}"), "A B\nA\nB\n")
            .refuses("--branch is for searches");
        feed(&format!("solve --branch mrv {flags}"), "A B\nA\nB\n").exits(0);
    }
    feed("solve --branch blunt", "A\nA\n").refuses("possible values: mrv, sharp, leftmost");
}
