//! `dlx1`, `dlx2` and `dlx2-loop` under their own names: what they print is Knuth's, to the byte.
//!
//! Expected lines are those of his programs. Where they are installed, the programs are run, too.

use super::problems::*;
use super::run::{Folder, PROGRAM, Ran, command, feed, finish, fixture};
use crate::common::{fixture as fixture_path, random, reference, slurp, table};

/// The last line on stderr.
fn last(ran: &Ran) -> &str {
    ran.stderr.lines().last().unwrap_or_default()
}

#[test]
fn counts_mems_as_knuth_does() {
    let mut files = 0;
    let tables = ["xcc/altogether.tsv", "mcc/altogether.tsv", "costs/altogether.tsv"];
    for row in tables.into_iter().flat_map(table) {
        let [file, program, line, ..] = &row[..] else { panic!("{row:?}") };
        let text = slurp(&fixture_path(file));
        let ran = feed(program, text).exits(0).prints("");
        // dlx2-loop counts a cover without edges, and says so; all else is the same.
        let after_count = |line: &str| line.split_once(", ").map(|(_, rest)| rest.to_owned());
        match program.as_str() {
            "dlx2-loop" => assert_eq!(after_count(last(&ran)), after_count(line), "{file}"),
            // The optimum comes after it.
            "dlx5" => assert!(ran.stderr.contains(&format!("\n{line}\n")), "{file} {}", ran.stderr),
            _ => assert_eq!(last(&ran), line, "{file}"),
        }
        files += 1;
    }
    assert!(files > 50, "only {files} files");
}

/// Golden output of `dlx3 m1` and `dlx5 m1`, and the optima of `dlx5`.
#[test]
fn prints_the_stored_solutions_with_bounds_and_costs() {
    let mut files = 0;
    for row in ["mcc", "costs"].iter().flat_map(|folder| table(&format!("{folder}/altogether.tsv")))
    {
        let (file, program) = (&row[0], &row[1]);
        let ran = feed(&format!("{program} m1"), slurp(&fixture_path(file))).exits(0);
        let path = fixture_path(file.replace(".dlx", &format!(".{program}.out")));
        if path.exists() {
            assert_eq!(ran.stdout.as_bytes(), slurp(&path), "{file}");
            files += 1;
        }
        if let Some(optimum) = row.get(3) {
            ran.says(&format!("The optimum cost is ${optimum}\n"));
        }
    }
    assert!(files > 30, "only {files} files");
}

/// Standard output of `dlx-pre v9`.
#[test]
fn reduces_as_dlx_pre_does() {
    let mut files = 0;
    for path in crate::common::fixtures("xcc", "out") {
        let name = path.to_string_lossy().into_owned();
        let Some(base) = name.strip_suffix(".dlx-pre.out") else { continue };
        let text = slurp(format!("{base}.dlx").as_ref());
        let wanted = String::from_utf8(slurp(&path)).expect("is text");
        feed("dlx-pre v9", text).exits(0).prints(&wanted).says("Removed ");
        files += 1;
    }
    assert!(files > 10, "only {files} files");
}

#[test]
fn prints_the_stored_solutions_and_tours() {
    let mut files = 0;
    for row in table("xcc/altogether.tsv") {
        let name = row[0].rsplit('/').next().unwrap_or_default().trim_end_matches(".dlx");
        let path = fixture_path(format!("xcc/{name}.{}.out", row[1]));
        if !path.exists() {
            continue;
        }
        let wanted = String::from_utf8(slurp(&path)).expect("is text");
        let ran = feed(&format!("{} m1", row[1]), slurp(&fixture_path(&row[0]))).exits(0);
        let tours = |text: &str| -> Vec<String> {
            let tour = |line: &str| line.split_once(": ").map(|(_, tour)| tour.to_owned());
            text.lines().filter_map(tour).collect()
        };
        match row[1].as_str() {
            "dlx2-loop" => assert_eq!(tours(&ran.stdout), tours(&wanted), "{name}"),
            _ => assert_eq!(ran.stdout, wanted, "{name}"),
        }
        files += 1;
    }
    assert!(files > 30, "only {files} files");
}

/// What `dlx2 m1 v135` says about Knuth's first example.
#[test]
fn tells_all_about_the_first_example() {
    let ran = feed("dlx2 m1 v135", FIRST_EXAMPLE).exits(0).prints(FIRST_SOLUTION);
    assert_eq!(
        ran.stderr,
        "\
(6 options, 7+0 items, 22 entries successfully read)
Level 0: A(2) B(2) C(2) D(3) E(2) F(2) G(3) branching on A(2)
L0: A D G (1 of 2)
Level 1: B(1) C(2) E(1) F(1) branching on B(1)
L1: B C F (1 of 1)
Level 2: E(0) branching on E(0)
L0: A D F (2 of 2)
Level 1: B(1) C(1) E(1) G(1) branching on B(1)
L1: B G (1 of 1)
Level 2: C(1) E(1) branching on C(1)
L2: C E (1 of 1)
Profile:
  0: 1
  1: 2
  2: 2
  3: 1
Altogether 1 solution, 430+466-0 mems, 29 updates, 0 cleansings, 620 bytes, 6 nodes, ccost 9%.
"
    );
}

#[test]
fn writes_the_shape_of_the_tree() {
    let folder = Folder::new();
    folder.feed("dlx2 Sshape", FIRST_EXAMPLE).exits(0);
    assert_eq!(folder.text("shape"), "2 A\n1 B\n0 E\n1 B\n1 C\nsol\n");
    let ran = folder.feed("dlx1 Snowhere/shape", FIRST_EXAMPLE).exits(0);
    ran.says("Sorry, I can't open file `nowhere/shape' for writing!\n").says("Altogether 1 ");
}

#[test]
fn bad_input_is_told_in_his_words() {
    for (program, text, message) in [
        ("dlx2", "A B\nA Q\n", "Unknown item name!\n2: A Q\n\n"),
        ("dlx2", "A A\n", "Duplicate item name!\n2: A A\n\n"),
        ("dlx2", "A | X\nA X:\n", "Color must be a single character!\n2: A X:\n\n"),
        ("dlx2", "A B\nA B:1\n", "Primary item must be uncolored!\n2: A B:1\n\n"),
        ("dlx1", "A | X\nA X:1\n", "Unknown item name!\n2: A X:1\n\n"),
        ("dlx2", "A | X | Y\n", "Item name line contains | twice!\n6: A | X | Y\n\n"),
        ("dlx2", "2|A\n", "Illegal character in item name!\n0: 2|A\n\n"),
        ("dlx2", "A\n\0\n", "Option line too long!\n-1: \n"),
        ("dlx2", "", "No items!\n0: \n"),
        ("dlx2-loop", "00 02 01\n", "Edge item isn't secondary!\n6: 00 02 01\n\n"),
        ("dlx2-loop", "00 | 01\n", "Edge item for nonexistent vertex!\n5: 00 | 01\n\n"),
        ("dlx3", "0|A\n", "Upper bound is zero!\n2: 0|A\n\n"),
        ("dlx3", "3:2|A\n", "Lower bound exceeds upper bound!\n4: 3:2|A\n\n"),
        ("dlx3", "x|A\n", "Illegal digit in bound spec!\n0: x|A\n\n"),
        ("dlx3", "2| A\n", "Item name empty!\n2: 2| A\n\n"),
        ("dlx3", "1:1:2|A\n", "Illegal `:' in item name!\n2: 1:1:2|A\n\n"),
        ("dlx3", "2|3|A\n", "Illegal `|' in item name!\n2: 2|3|A\n\n"),
        ("dlx3", "A | 2|X\n", "Illegal `|' in item name!\n4: A | 2|X\n\n"),
        ("dlx3", "1:A\n", "Lower bound without upper bound!\n2: 1:A\n\n"),
        ("dlx5", "A\nA | 3\n", "Option cost should be a decimal number!\n2: A | 3\n\n"),
        ("dlx5", "A\nA |3x\n", "Illegal digit in option cost!\n2: A |3x\n\n"),
        ("dlx5", "A\nA|3\n", "Unknown item name!\n0: A|3\n\n"),
        ("dlx2-loop", "00 | 02\n", "Vertex item isn't primary!\n5: 00 | 02\n\n"),
    ] {
        let ran = feed(program, text).exits(102).prints("");
        assert_eq!(ran.stderr, message, "{program} {text:?}");
    }
    let ran = feed("dlx2 m1", "A | X\nX\nA X\n").exits(0).prints("1:\n A X (1 of 1)\n");
    ran.says("Option ignored (no primary items): X\n");
}

#[test]
fn bad_usage_has_his_exit_status() {
    for args in ["dlx2 x1", "dlx2 m", "dlx1 vv", "dlx2-loop -1", "dlx2 m1 t"] {
        feed(args, FIRST_EXAMPLE).exits(255).prints("").says("Usage: quadrille dlx");
    }
    feed("dlx2 m1x", FIRST_EXAMPLE).exits(0).prints(FIRST_SOLUTION);
    feed("dlx2 m1 m0", FIRST_EXAMPLE).exits(0).prints(FIRST_SOLUTION);
    feed("dlx5 k0", FIRST_EXAMPLE).exits(255).says("Sorry, parameter k must be");
    feed("dlx5 Zabcdefgh", FIRST_EXAMPLE).exits(255).says("at most 7 prefix characters");
    feed("dlx5 s1", FIRST_EXAMPLE).exits(255).says("Usage: quadrille dlx5 [v<n>] [m<n>] [k<n>]");
    feed("dlx2 --help", "").exits(0).silently();
}

#[test]
fn stops_at_his_limits_with_status_0() {
    let ran = feed("dlx2 m1 t3", bits(5)).exits(0).says("Altogether 3 solutions, ");
    assert_eq!(ran.stdout.matches(":\n").count(), 3);
    let ran = feed("dlx1 T100", bits(9)).exits(0).says("TIMEOUT!\n");
    assert!(ran.stderr.contains("Altogether "), "{}", ran.stderr);
    feed("dlx2 T0", FIRST_EXAMPLE).exits(0).says("TIMEOUT!\nAltogether 0 solutions, ");
}

#[test]
fn reads_what_his_programs_cannot() {
    let text =
        "a-long-name b | long-secondary\na-long-name long-secondary:red\nb long-secondary:red";
    let solution = "1:\n a-long-name long-secondary:red (1 of 1)\n b long-secondary:red (1 of 1)\n";
    feed("dlx2 m1", text).exits(0).prints(solution).says("Altogether 1 solution, ");
    // Coordinates of two digits.
    let wide = slitherlink(&blank(1, 40));
    let tours = solve("--loop --format tour", &wide).exits(0).stdout;
    let ran = feed("dlx2-loop m1", wide).exits(0).prints(&tours);
    assert_eq!(tours.lines().count(), 820);
    ran.says("Altogether 820 solutions, ");
}

/// The empty set of edges is no loop. Knuth's program counts it: 14 for this board.
#[test]
fn the_empty_loop_does_not_count() {
    let ran = feed("dlx2-loop m1", slitherlink(&blank(2, 2))).exits(0);
    assert_eq!(ran.stdout.lines().count(), 13);
    assert!(ran.stdout.starts_with("1: ") && last(&ran).starts_with("Altogether 13 "));
    assert!(!ran.stderr.contains("can't happen"));
}

/// Knuth's program adds modulo 2^64, and says that $200376420520689663 is the optimum of the first.
#[test]
fn costs_beyond_64_bits_are_refused() {
    for costs in ["|99999999999999999999999", "|9223372036854775807 |9223372036854775807"] {
        let ran = feed("dlx5", format!("A\nA {costs}\n")).exits(102);
        ran.says("Option costs add up to too much!\n");
    }
}

#[cfg(unix)]
#[test]
fn answers_to_the_names_of_his_programs() {
    let folder = Folder::new();
    for name in ["dlx6", "dlx1", "dlx2", "dlx2-loop", "dlx3", "dlx5", "dlx-pre"] {
        let link = folder.path(name);
        std::os::unix::fs::symlink(PROGRAM, &link).expect("a link");
        let by_link = |args: &[&str], input: &str| {
            let run = snapbox::cmd::Command::new(&link).args(args);
            finish(run.stdin(snapbox::Data::binary(input.to_owned())))
        };
        let said = if name == "dlx-pre" { "Removed " } else { "Altogether " };
        by_link(&["v1", "t1"], FIRST_EXAMPLE).exits(0).says(said);
        let usage = format!("Usage: {} [v<n>]", link.display());
        by_link(&["--help"], "").exits(255).says(&usage);
    }
    finish(command().args(["-q", "dlx2", "m1"]).stdin(snapbox::Data::binary(FIRST_EXAMPLE)))
        .exits(0)
        .prints(FIRST_SOLUTION);
}

#[test]
fn stores_random_choices_of_his_generator() {
    // Standard output of dlx2 with these seeds.
    for (seed, solution) in [
        ("s1", include_str!("../../fixtures/xcc/queens-8.s1.t2.dlx2.out")),
        ("s314159", include_str!("../../fixtures/xcc/queens-8.s314159.t2.dlx2.out")),
    ] {
        let text = std::fs::read(fixture("xcc/queens-8.dlx")).expect("is readable");
        feed(&format!("dlx2 m1 t2 {seed}"), text).exits(0).prints(solution);
    }
}

/// Random problems with random arguments: both streams and the shape file, byte by byte.
#[test]
fn is_the_same_as_his_programs_on_random_problems() {
    const ARGS: &[&str] = &[
        "v1", "v1153", "v2047", "v4095", "v513", "v261", "m1", "m1", "m2", "s1", "s77", "d1",
        "d50", "d1000", "C2", "c2", "l1", "t2", "T200", "Sshape",
    ];
    const ARGS_OF_DLX5: &[&str] = &[
        "v1041", "v1177", "v2047", "v529", "v277", "m1", "m1", "m2", "k1", "k2", "k3", "k7", "h1",
        "h3", "d1", "d50", "d1000", "C2", "c2", "l1", "t2", "T200", "Zp", "z1", "z2", "Sshape",
    ];
    const ARGS_OF_DLX_PRE: &[&str] =
        &["v1", "v9", "v15", "v1551", "v513", "t1", "t2", "d1", "d1000", "T500", "T2000"];
    for program in ["dlx1", "dlx2", "dlx3", "dlx5", "dlx-pre"] {
        let Some(path) = reference::find(program) else { continue };
        let folder = Folder::new();
        for seed in 0..100 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut plain = random::xcc(3_000_000 + seed);
            if program == "dlx1" {
                plain.options.iter_mut().flatten().for_each(|(_, color)| *color = None);
            }
            let text = match program {
                "dlx3" => random::mcc(3_000_000 + seed).text(),
                "dlx5" => random::priced(3_000_000 + seed).text(),
                _ => plain.text(),
            };
            let all = match program {
                "dlx5" => ARGS_OF_DLX5,
                "dlx-pre" => ARGS_OF_DLX_PRE,
                _ => ARGS,
            };
            let mut args = vec![program];
            args.extend((0..random.usize(..6)).map(|_| all[random.usize(..all.len())]));
            let ours = folder.feed(&args.join(" "), text.clone());
            let shape = args.contains(&"Sshape").then(|| folder.text("shape"));
            let theirs = snapbox::cmd::Command::new(&path)
                .current_dir(folder.path(""))
                .args(&args[1..])
                .stdin(snapbox::Data::binary(text.clone()));
            let theirs = theirs.output().expect("the reference program runs");
            let place = format!("{args:?}\n{text}");
            assert_eq!(ours.stdout.as_bytes(), theirs.stdout, "{place}");
            assert_eq!(ours.stderr, String::from_utf8_lossy(&theirs.stderr), "{place}");
            if let Some(shape) = shape {
                assert_eq!(shape, folder.text("shape"), "{place}");
            }
        }
    }
}

/// The same for `dlx6`: the ZDD, and all that it tells about its cache.
#[test]
fn prints_the_zdd_of_dlx6_on_random_problems() {
    const ARGS: &[&str] = &[
        "v1", "v1153", "v2047", "v31", "v13", "m1", "m1", "s1", "s77", "d1", "d50", "C2", "c2",
        "l1", "t2", "T200", "Z5", "Z0",
    ];
    let Some(path) = reference::find("dlx6") else { return };
    for seed in 0..30 {
        let mut random = fastrand::Rng::with_seed(seed);
        let text = random::xcc(6_000_000 + seed).text();
        let args: Vec<&str> =
            (0..random.usize(..5)).map(|_| ARGS[random.usize(..ARGS.len())]).collect();
        let theirs = reference::run(&path, &args, text.as_bytes());
        let ours = feed(&format!("dlx6 {}", args.join(" ")), text.clone());
        assert_eq!(ours.stdout.as_bytes(), theirs.stdout, "{args:?}\n{text}");
        assert_eq!(ours.stderr, theirs.stderr, "{args:?}\n{text}");
    }
}

/// `dlx6` counts with 64 bits; A004003 says what is right.
#[test]
fn dlx6_counts_beyond_a_word() {
    let mut dlx = String::new();
    let name = |r: usize, c: usize| format!("{r},{c}");
    let cells = || (0..16).flat_map(|r| (0..16).map(move |c| (r, c)));
    cells().for_each(|(r, c)| dlx += &format!("{} ", name(r, c)));
    dlx += "\n";
    for (r, c) in cells() {
        for (s, d) in [(r + 1, c), (r, c + 1)].into_iter().filter(|&(s, d)| s < 16 && d < 16) {
            dlx += &format!("{} {}\n", name(r, c), name(s, d));
        }
    }
    feed("dlx6", dlx).exits(0).says("Altogether 2444888770250892795802079170816 solutions, ");
}

/// Random lattices, on which every vertex has degree 0 or 2 in a cover, or not.
#[test]
fn does_as_dlx2_loop_does_on_random_lattices() {
    let Some(path) = reference::find("dlx2-loop") else { return };
    for seed in 0..100 {
        let text = random::lattice(4_000_000 + seed, 1).plain.text();
        let theirs = reference::run(&path, &["v1153", "m1"], text.as_bytes());
        let ours = feed("dlx2-loop v1153 m1", text.clone()).exits(0);
        let said = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| *line != "This can't happen!");
            let lines = lines.map(|line| match line.strip_prefix("Altogether ") {
                Some(rest) => rest.split_once(", ").map_or("", |(_, rest)| rest),
                None => line,
            });
            lines.map(str::to_owned).collect()
        };
        assert_eq!(said(&ours.stderr), said(&theirs.stderr), "seed {seed}\n{text}");
        let tours = |text: &str| -> Vec<String> {
            text.lines().filter_map(|line| Some(line.split_once(": ")?.1.to_owned())).collect()
        };
        let stdout = String::from_utf8_lossy(&theirs.stdout);
        assert_eq!(tours(&ours.stdout), tours(&stdout), "seed {seed}\n{text}");
    }
}

/// As `head` does: takes a line and goes.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_it_quietly() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};
    let mut run = Command::new(PROGRAM)
        .args(["dlx2", "m1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    run.stdin.take().expect("a pipe").write_all(bits(30).as_bytes()).expect("it reads");
    let mut line = String::new();
    BufReader::new(run.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    assert_eq!(line, "1:\n");
    let mut stderr = String::new();
    run.stderr.take().expect("a pipe").read_to_string(&mut stderr).expect("is text");
    assert_eq!(run.wait().expect("it ends").code(), Some(0));
    assert_eq!(stderr, "(60 options, 30+0 items, 120 entries successfully read)\n");
}
