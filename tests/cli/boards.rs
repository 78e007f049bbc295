//! Boards that are none, and boards in their different clothes.

use super::problems::*;
use super::run::{command, feed, finish, fixture, quadrille};

#[test]
fn a_malformed_board_is_refused_with_row_and_column() {
    for (kind, board, place, what) in [
        ("slitherlink", "3.\n.x\n", "2:2", "illegal character `x`"),
        ("slitherlink", "3.\n.5\n", "2:2", "illegal character `5`"),
        ("slitherlink", "3.\n.\n", "2:2", "this row has 1 cell"),
        ("slitherlink", "3.\n...\n", "2:3", "row"),
        ("slitherlink", "3.\n\n..\n", "2:1", "blank line inside the board"),
        ("slitherlink", "", "1:1", ""),
        ("slitherlink", "\n\n", "1:1", ""),
        ("masyu", "01\n.2\n", "2:2", "illegal character `2`"),
        ("masyu", "01\n.\n", "2:2", "this row has 1 cell"),
        ("hitori", "12\n3%\n", "2:2", "%"),
        ("hitori", "1 2\n3 x\n", "2:3", "x"),
        ("hitori", "1 2\n3\n", "2:2", "row"),
    ] {
        for verb in ["generate", "puzzle"] {
            let ran = feed(&format!("{verb} {kind} -"), board);
            let context = format!("{verb} {kind} of {board:?}: {ran:#?}");
            assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{context}");
            assert!(ran.stderr.starts_with(&format!("<stdin>:{place}: error: ")), "{context}");
            assert!(ran.stderr.contains(what), "{context}");
            assert!(ran.stderr.contains("expected"), "{context}");
        }
    }
}

#[test]
fn a_malformed_game_id_is_refused_with_its_position() {
    for id in ["3x3t0:z9z9", "3x3t0:abcdefghijklmnop", "0x3t0:a", "3x3t0:"] {
        let ran = quadrille(&format!("generate slitherlink {id}")).exits(2).prints("");
        assert!(ran.stderr.starts_with("<argument>:1:"), "{id}: {ran:#?}");
    }
}

#[test]
fn what_is_neither_a_file_nor_a_board_is_a_usage_error() {
    quadrille("generate slitherlink hello").refuses("hello");
}

#[test]
fn a_game_id_and_the_board_it_stands_for_make_the_same_problem() {
    for (kind, name) in [
        ("slitherlink", "slitherlink/sgt-loopy-7x7-e-1"),
        ("slitherlink", "slitherlink/sgt-loopy-12x17-e-1"),
        ("masyu", "masyu/sgt-pearl-8x9-t-1"),
        ("hitori", "hitori/sgt-singles-8x9-k-1"),
    ] {
        let text = generate(kind, &fixture(&format!("{name}.txt")));
        let file = fixture(&format!("{name}.id"));
        let id = std::fs::read_to_string(&file).unwrap();
        assert_eq!(generate(kind, id.trim()), text, "{name}");
        assert_eq!(generate(kind, &file), text, "{name}");
    }
}

#[test]
fn the_format_may_be_fixed() {
    let id = "1x1t0:4";
    quadrille(&format!("generate slitherlink {id} --from sgt")).exits(0);
    quadrille(&format!("generate slitherlink {id} --from pzpr")).exits(2).prints("");
    quadrille("generate slitherlink 4 --from text").exits(0).prints(&slitherlink("4\n"));
}

#[test]
fn a_byte_order_mark_blanks_and_blank_lines_after_the_board_are_skipped() {
    let plain = slitherlink("3.\n..\n");
    for board in ["\u{feff}3.\n..\n", "3. \n..\t\r\n", "3.\n..\n\n  \n", "3.\n.."] {
        assert_eq!(slitherlink(board), plain, "{board:?}");
    }
}

#[test]
fn aliases_name_the_same_kind() {
    for (alias, kind, board) in [
        ("slither", "slitherlink", "3\n"),
        ("pearl", "masyu", "..\n..\n"),
        ("singles", "hitori", "12\n"),
    ] {
        let by_name = feed(&format!("generate {kind} -"), board).exits(0).stdout;
        feed(&format!("generate {alias} -"), board).exits(0).prints(&by_name);
    }
}

#[test]
fn generate_lists_all_kinds() {
    let ran = quadrille("generate --list").exits(0).silently();
    for kind in quadrille::puzzle::KINDS {
        assert!(ran.stdout.contains(kind.name()), "{ran:?}");
        for alias in kind.aliases() {
            assert!(ran.stdout.contains(alias), "{ran:?}");
        }
    }
    quadrille("puzzle --list").exits(0).prints(&ran.stdout);
}

#[test]
fn the_list_of_kinds_is_as_wide_as_the_terminal() {
    for width in [80, 120] {
        let command = command().env("COLUMNS", width.to_string()).args(["puzzle", "--list"]);
        let list = finish(command).exits(0).stdout;
        assert!(list.lines().all(|line| line.chars().count() <= width), "{list}");
    }
}

#[test]
fn a_contradictory_masyu_is_a_valid_problem_without_solution() {
    let dlx = feed("generate masyu -", "0..\n...\n...\n").exits(0);
    assert!(dlx.stderr.contains("corner") || !dlx.stderr.is_empty(), "the note: {dlx:?}");
    solve("--loop", &dlx.stdout).exits(1).prints("");
}

#[test]
fn unreduced_masyu_has_the_same_loops() {
    let file = fixture("masyu/sgt-pearl-7x7-e-1.txt");
    let unreduced = finish(command().args(["generate", "masyu", "--unreduced", &file])).exits(0);
    let unreduced = solve("--loop --format tour", &unreduced.stdout).exits(0).stdout;
    let reduced = solve("--loop --format tour", &generate("masyu", &file)).exits(0).stdout;
    let edges = |tour: &str| {
        let mut steps: Vec<[String; 2]> = tour
            .split_whitespace()
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
            .windows(2)
            .map(|pair| {
                let mut pair = [pair[0].clone(), pair[1].clone()];
                pair.sort();
                pair
            })
            .collect();
        steps.sort();
        steps
    };
    assert_eq!(edges(&unreduced), edges(&reduced));
}

/// The edge or vertex `name` of a large board, two digits in base 62 for the row and two for the column
/// (docs/names.md), as the files of solutions have it.
fn large(name: &str) -> String {
    let digit = |c: u8| match c {
        b'0'..=b'9' => c - b'0',
        b'a'..=b'z' => c - b'a' + 10,
        _ => c - b'A' + 36,
    };
    let number = |pair: &[u8]| pair.iter().fold(0, |n, &c| 62 * n + usize::from(digit(c)));
    let (row, column) = name.as_bytes().split_at(name.len() / 2);
    format!("{},{}", number(row), number(column))
}

// The .sol files come from an oracle that knows no exact cover, see fixtures/README.md.
#[test]
fn boards_of_100x100_cells_have_the_solution_that_is_known_and_no_other() {
    for name in ["made-100x100-1", "made-100x100-2"] {
        let text = generate("slitherlink", &fixture(&format!("slitherlink/{name}.txt")));
        let ran = feed("solve --loop --unique", text).exits(0);
        let mut found: Vec<String> = ran
            .stdout
            .split_whitespace()
            .filter_map(|it| it.strip_suffix(":1"))
            .map(large)
            .collect();
        let known = std::fs::read_to_string(fixture(&format!("slitherlink/{name}.sol"))).unwrap();
        let mut known: Vec<String> = known.split_whitespace().map(str::to_owned).collect();
        found.sort();
        known.sort();
        found.dedup();
        assert!(found == known, "{name}");
    }
}
