//! Mistakes of new users, and what they are told.

use super::problems::*;
use super::run::{Folder, feed, fixture, quadrille};

#[test]
fn a_file_without_solution_says_so_and_why() {
    // No cover of A, B, C by pairs.
    let none = "A B C\nA B\nB C\n";
    solve("", none).exits(1).prints("").says("none: there is no solution");
    solve("--facts", none).exits(1).prints("").says("none: there is no solution");
    solve("-q", none).exits(1).prints("").silently();
    // Where the result says it nothing else does.
    solve("--count", none).exits(1).prints("0\n").silently();
    let end = "{\"v\":1,\"complete\":true,\"solutions\":\"0\"}\n";
    solve("--format jsonl", none).exits(1).prints(end).silently();
    let ran = solve("", "A B\nA\n").exits(1).prints("").says("no solution: item `B` has no option");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    // A part says nothing of the whole, which `merge` knows.
    let folder = Folder::new();
    folder.file("none.dlx", none);
    for part in ["1/2", "2/2"] {
        let output = part.replace('/', "-");
        let ran = folder.quadrille(&format!("solve none.dlx --part {part} --output {output}"));
        assert!(!ran.stderr.contains("none:"), "{ran:?}");
    }
    folder.quadrille("merge .").exits(1).prints("").says("none: there is no solution");
}

#[test]
fn facts_of_a_file_without_colors_name_the_other_facts() {
    solve("--facts", FIRST_EXAMPLE_WITHOUT_COLORS).says("--facts=options tells of options");
}

/// The example of dlx1.w.
const FIRST_EXAMPLE_WITHOUT_COLORS: &str = "A B C D E F G\nC E\nA D G\nB C F\nA D F\nB G\nD E G\n";

#[test]
fn a_value_behind_a_blank_is_taken_or_explained() {
    let ran = solve("--stats json", FIRST_EXAMPLE);
    assert!(ran.stderr.trim_end().ends_with('}'), "{ran:?}");
    quadrille("solve --stats yaml x.dlx").refuses("write `--stats=yaml`");
    quadrille("solve --facts nosuch.dlx x.dlx").refuses("write `--facts=nosuch.dlx`");
    let folder = Folder::new();
    folder.quadrille("draw --svg picture").refuses("write `--svg=picture`");
    folder.feed("draw --svg board.svg", "1: 00 02 22 20 00\n").exits(0);
    assert_eq!(folder.names(), ["board.svg"]);
}

#[test]
fn numbers_that_are_none_are_explained() {
    quadrille("solve --limit 0 x.dlx").refuses("expected a number from 1");
    quadrille("solve --threads x x.dlx").refuses("expected a number from 0");
    let ran = quadrille("solve nosuch.dlx").refuses("No such file");
    assert!(!ran.stderr.contains("os error"), "{ran:?}");
}

#[test]
fn json_is_another_word_for_json_lines() {
    let lines = solve("--format jsonl", FIRST_EXAMPLE).exits(0).stdout;
    solve("--format json", FIRST_EXAMPLE).exits(0).prints(&lines);
}

/// A flag that is not there: a guess only if a letter or so is wrong, and the usage of that command.
#[test]
fn guesses_are_close() {
    for (typed, guess) in [
        ("--cout", Some("'--count'")),
        ("--colour", Some("'--color'")),
        ("--time", Some("'--time-limit'")),
        ("--path", None),
        ("--max-cost", None),
        ("--hint", None),
        ("--svg", None),
    ] {
        let ran = quadrille(&format!("solve {typed} x.dlx")).refuses("unexpected argument");
        match guess {
            Some(guess) => assert!(ran.stderr.contains(guess), "{ran:?}"),
            None => assert!(!ran.stderr.contains("tip:"), "{ran:?}"),
        }
        assert!(ran.stderr.contains("Usage: quadrille solve "), "{ran:?}");
    }
    quadrille("slove x.dlx").refuses("'solve'");
}

#[test]
fn a_board_that_is_not_there_is_missing() {
    for name in ["boards/typo.txt", "./x.txt", "x.txt", "../x"] {
        quadrille(&format!("puzzle slitherlink {name}")).refuses("no such file");
        quadrille(&format!("puzzle {name}")).refuses("no such file");
    }
    quadrille("puzzle slitherlnk x.txt").refuses("did you mean `slitherlink`?");
    quadrille("puzzle").refuses("expected hitori, masyu, slitherlink");
    quadrille("puzzle sudoku x.txt").refuses("expected hitori, masyu, slitherlink");
    quadrille("puzzle slitherlink 7x7t2:a").refuses("a grid that is not square");
}

#[test]
fn an_address_tells_the_kind() {
    let url = "https://puzz.link/p?slither/5/5/cbcbcddad";
    let drawn = quadrille(&format!("puzzle slitherlink {url}")).exits(0).stdout;
    quadrille(&format!("puzzle {url}")).exits(0).prints(&drawn);
    quadrille("puzzle https://puzz.link/p?slither/4/4/dgdh2c7").says("15 of 16 cells");
}

#[test]
fn a_problem_is_no_board_and_a_board_no_problem() {
    feed("puzzle slitherlink -", FIRST_EXAMPLE).refuses("it is a .dlx file");
    feed("solve --loop", "3.1\n.2.\n1.3\n").refuses("is it a board?");
}

#[test]
fn grids_are_read_as_people_write_them() {
    let drawn = feed("puzzle slitherlink -", "3.1\n.2.\n1.3\n").stdout;
    for other in ["3 . 1\n. 2 .\n1 . 3\n", "3-1\n-2-\n1-3\n"] {
        feed("puzzle slitherlink -", other).prints(&drawn);
    }
    let drawn = feed("puzzle masyu -", "...\n.0.\n..1\n").stdout;
    feed("puzzle masyu -", "...\n.W.\n..B\n").prints(&drawn);
}

#[test]
fn rows_of_one_board_are_doubted_in_a_batch() {
    feed("puzzle slitherlink --batch -", "3.1\n.2.\n1.3\n").says("are they one board?");
}

#[test]
fn quiet_boards_have_no_verdict() {
    let board = fixture("slitherlink/sgt-loopy-7x7-t-1.txt");
    quadrille(&format!("puzzle slitherlink {board} -q")).exits(0).silently();
}

#[test]
fn a_color_that_no_option_gives_is_an_error() {
    let dlx = feed("generate hitori -", "11\n21\n").exits(0).stdout;
    feed("solve --connected=w", dlx).refuses("no option gives a cell the color `w`");
}

#[test]
fn a_zdd_is_no_stream_of_solutions() {
    let folder = Folder::new();
    folder.file("a.dlx", FIRST_EXAMPLE);
    let zdd = folder.quadrille("solve --format zdd a.dlx").exits(0).stdout;
    folder.feed("check a.dlx --solutions -", zdd.clone()).refuses("this is a ZDD");
    folder.feed("draw", zdd).refuses("this is a ZDD");
}

#[test]
fn names_that_are_no_lattice_are_not_drawn() {
    // Langford: s1 to s9 look like places, s10 to s14 do not.
    let slots: Vec<String> = (1..=14).map(|slot| format!("s{slot}")).collect();
    let mut dlx = format!("d1 d2 {}\n", slots.join(" "));
    for first in 1..=12 {
        dlx += &format!("d1 s{first} s{}\n", first + 2);
    }
    let folder = Folder::new();
    folder.file("langford.dlx", &dlx);
    folder.feed("draw --problem langford.dlx", "1:\n").refuses("docs/names.md");
    // And nothing there has to do with loops.
    let said = folder.quadrille("check langford.dlx").exits(0).stdout;
    assert!(said.contains("--loop   no edges"), "{said}");
}

#[test]
fn one_thread_is_a_note_unless_quiet() {
    let dlx = feed("generate slitherlink -", "3.1\n.2.\n1.3\n").exits(0).stdout;
    feed("solve --loop --count --threads 2", dlx.clone()).says("threads: 1 (");
    feed("solve --loop --count --threads 2 -q", dlx).silently();
}

#[test]
fn one_has_no_plural() {
    let ran = feed("check -", "| a comment\nA\nA\n").exits(0).stdout;
    assert!(ran.contains("1 comment\n") && ran.contains("1 entry"), "{ran}");
    feed("puzzle slitherlink --batch -", "4\n").says("1 board: 1 unique");
}

#[test]
fn an_estimate_names_the_engine_of_its_seconds() {
    let ran = feed("estimate -", FIRST_EXAMPLE).exits(0);
    let seconds = ran.lines().into_iter().find(|line| line.starts_with("seconds"));
    assert!(seconds.is_some_and(|line| line.ends_with(')')), "{ran:?}");
}

#[test]
fn a_checkpoint_says_with_which_flags_it_was_made() {
    let folder = Folder::new();
    folder.file("a.dlx", FIRST_EXAMPLE);
    folder.quadrille("solve --count --checkpoint ck --node-limit 1 a.dlx").exits(3);
    let what = "a checkpoint of a search with --count; this one is without --count";
    folder.quadrille("solve --resume ck a.dlx").refuses(what);
}

#[test]
fn utf_16_is_named() {
    let text: Vec<u8> = FIRST_EXAMPLE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    feed("solve", text.clone()).refuses("this is UTF-16");
    feed("puzzle slitherlink -", [&b"\xff\xfe"[..], &text].concat()).refuses("this is UTF-16");
}
