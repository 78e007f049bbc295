//! The reader of `.dlx` against `fixtures/dlx`: one mistake per file with its message, and odd but legal
//! files with what they mean.

mod common;

use std::collections::BTreeSet;

use common::{complaint, describe, fixture, fixtures, slurp, solve, table, write_problem};
use quadrille::dlx::error::{Fault, ReadError, SyntaxError};
use quadrille::dlx::parse::{self, Dlx};

fn mistake(text: &[u8], name: &str) -> Box<SyntaxError> {
    match parse::read(text) {
        Err(ReadError::Syntax(error)) => error,
        Err(error) => panic!("{name}: {error}"),
        Ok(_) => panic!("{name}: no mistake was found"),
    }
}

#[test]
fn names_place_and_kind_of_each_mistake() {
    let mut faults = BTreeSet::new();
    let files = fixtures("dlx/bad", "dlx");
    for path in &files {
        let name = path.display().to_string();
        let text = slurp(path);
        let expected = String::from_utf8(slurp(&path.with_extension("err"))).expect("is UTF-8");
        assert_eq!(complaint(&text).as_deref(), Some(expected.as_str()), "{name}");
        let error = mistake(&text, &name);
        faults.insert(format!("{:?}", error.fault));
    }
    assert!(files.len() >= 50);
    // The largest problems do not fit into a file here, and no input is without a name between blanks.
    for fault in [Fault::NoItems, Fault::SecondBar, Fault::CostTooLarge, Fault::BoundTooLarge] {
        assert!(faults.contains(&format!("{fault:?}")), "{fault:?} has no fixture");
    }
    assert_eq!(faults.len(), 21, "a fault lost its fixture: {faults:?}");
}

#[test]
fn marks_the_offending_word() {
    for (text, marked) in [
        (&b"A B\nA C B\n"[..], &b"C"[..]),
        (b"A | X\nA X:1:2\n", b"1:2"),
        (b"A 3:2|B\n", b"3:2|B"),
        (b"A | X\nA X:\n", b"X:"),
        (b"A\nA |x A\n", b"|x"),
    ] {
        let name = String::from_utf8_lossy(text).into_owned();
        let excerpt = mistake(text, &name).diagnostic.excerpt;
        assert_eq!(&excerpt.text[excerpt.mark.clone()], marked, "{name}");
    }
}

#[test]
fn a_long_line_does_not_go_into_the_message() {
    let text = format!("A\n{}B", "A ".repeat(1 << 20));
    let error = mistake(text.as_bytes(), "a long line");
    assert_eq!(error.to_string(), "2:3: duplicate item name `A` in this option");
    assert!(error.diagnostic.excerpt.text.len() <= quadrille::diagnostic::EXCERPT);
}

fn read(name: &str) -> Dlx {
    let path = fixture(format!("dlx/ok/{name}.dlx"));
    match parse::read(&slurp(&path)[..]) {
        Ok(dlx) => dlx,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

#[test]
fn reads_what_is_odd_but_legal() {
    for path in fixtures("dlx/ok", "dlx") {
        let stem = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let problem = read(&stem).problem;
        let plain = String::from_utf8_lossy(&write_problem(&problem)).into_owned();
        let expected = String::from_utf8_lossy(&slurp(&path.with_extension("out"))).into_owned();
        assert_eq!(plain, expected, "{stem}");
        let again = common::problem(&slurp(&path.with_extension("out")));
        assert_eq!(describe(&again), describe(&problem), "{stem}");
    }
}

#[test]
fn notes_what_knuths_programs_would_refuse_or_misread() {
    let notes = |name| read(name).notes;
    assert_eq!((notes("no-final-newline").unterminated, notes("crlf").unterminated), (true, false));
    assert_eq!((notes("crlf").carriage_returns, notes("crlf").lines), (3, 3));
    assert_eq!((notes("long-names").long_names, notes("names-of-eight-bytes").long_names), (2, 0));
    assert_eq!(notes("wide-colors").wide_color_line, 2);
    assert_eq!(notes("colors-colon-and-bar").wide_color_line, 0);
    assert!(notes("trailing-bar").trailing_bar && !notes("bar-glued-to-secondary").trailing_bar);
    assert_eq!((notes("costs").cost_line, notes("crlf").cost_line), (2, 0));
    assert!(notes("bound-upper").bounds && !notes("costs").bounds);
    let dropped = notes("option-without-primary-item");
    assert_eq!((dropped.dropped, dropped.dropped_lines), (1, vec![2]));
    let commented = read("comments-anywhere");
    assert_eq!((commented.notes.comments, commented.notes.item_line), (6, 3));
    assert_eq!(commented.header, b"| before\n| indented\n");
}

/// DLX5 adds costs modulo 2^64, without a word.
const REFUSED_BY_US_ALONE: [&str; 2] = ["bad/cost-sum-too-large.dlx", "bad/cost-too-large.dlx"];

/// Our extensions: long names and colors, and no newline at the end.
const READ_BY_US_ALONE: [&str; 4] = [
    "ok/comment-without-final-newline.dlx",
    "ok/long-names.dlx",
    "ok/no-final-newline.dlx",
    "ok/wide-colors.dlx",
];

#[test]
fn reads_the_union_of_what_knuths_programs_read() {
    let rows = table("dlx/knuth.tsv");
    let files = fixtures("dlx/bad", "dlx").len() + fixtures("dlx/ok", "dlx").len();
    assert_eq!(rows.len(), files, "the table has a row for each file");
    for row in rows {
        let (file, answers) = (row[0].as_str(), &row[1..]);
        let read: Vec<&String> = answers.iter().filter(|&answer| answer != "refuses").collect();
        if file.starts_with("bad/") {
            assert_eq!(!read.is_empty(), REFUSED_BY_US_ALONE.contains(&file), "{file}");
            continue;
        }
        assert_eq!(read.is_empty(), READ_BY_US_ALONE.contains(&file), "{file}");
        let problem = common::problem(&slurp(&fixture(format!("dlx/{file}"))));
        let (primary, secondary, options) =
            (problem.primary(), problem.secondary(), problem.options());
        let size = format!("{primary}+{secondary} {options} {}", problem.entries() + options);
        for answer in read {
            assert!(answer.starts_with(&size), "{file}: {answer}, not {size}");
        }
        if answers[0] != "refuses" {
            let solutions = solve(&problem, ()).stats.solutions;
            assert_eq!(answers[0], format!("{size} {solutions}"), "{file}");
        }
    }
}
