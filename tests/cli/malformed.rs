//! `.dlx` files that are none. The conditions are those of Knuth's DLX2, DLX3 and DLX5, which print
//! a sentence and a byte offset; we print line, column, the text, and what was expected.

use super::run::{Folder, feed};

/// What a message is about: the text, the line and column, and a part of the message.
const FAULTS: &[(&str, u64, u64, &str)] = &[
    ("", 1, 1, "no items"),
    ("| only a comment\n\n", 3, 1, "no items"),
    ("A B A\n", 1, 5, "duplicate item name `A`"),
    ("A B | X A\n", 1, 9, "duplicate item name `A`"),
    ("A B| X\nA\n", 1, 3, "B|"),
    ("A || X\n", 1, 4, "illegal `|` in secondary item"),
    ("A | X | Y\n", 1, 7, "contains `|` twice"),
    ("A | | Y\n", 1, 5, "illegal `|` in secondary item"),
    ("A B:C\n", 1, 3, "B:C"),
    ("A | X:1\n", 1, 5, "illegal character in item name `X:1`"),
    ("A | 2|X\n", 1, 5, "illegal `|` in secondary item"),
    ("A 0|B\n", 1, 3, "upper bound is zero"),
    ("A 3:2|B\n", 1, 3, "lower bound exceeds upper bound"),
    ("A x|B\n", 1, 3, "illegal digit in bound"),
    ("A -1:2|B\n", 1, 3, "illegal digit in bound"),
    ("A 2| B\n", 1, 3, "without an item name"),
    ("A 1:B\n", 1, 3, "illegal `:`"),
    ("A 12345678|B\n", 1, 3, "too large"),
    ("A B\nA C\n", 2, 3, "unknown item name `C`"),
    ("A B\n\n| comment\nA\n B  A B\n", 5, 7, "duplicate item name `B`"),
    ("A | X\nA X:1 X:1\n", 2, 7, "duplicate item name `X`"),
    ("A | X\nA X X:2\n", 2, 5, "duplicate item name `X`"),
    ("A B\nA:1\n", 2, 1, "primary item `A` must be uncolored"),
    ("A | X\nA X:\n", 2, 3, "empty color"),
    ("A | X\nA X: 1\n", 2, 3, "empty color"),
    ("A | X\nA X:1:2\n", 2, 5, "illegal color `1:2`"),
    ("A | X\nA X:1|\n", 2, 5, "illegal color `1|`"),
    ("A | X\nA :1\n", 2, 3, "empty item name"),
    ("A B\nA | B\n", 2, 3, "illegal option cost `|`"),
    ("A B\nA |3x\n", 2, 3, "illegal option cost `|3x`"),
    ("A B\nA |-3\n", 2, 3, "illegal option cost `|-3`"),
    ("A B\nA |99999999999999999999\n", 2, 3, "too large"),
    ("A B\nA|3\n", 2, 1, "unknown item name `A|3`"),
    ("A B\nA \0B\n", 2, 3, "NUL"),
    ("A B\n| \0\n", 2, 3, "NUL"),
    ("A \0 B\n", 1, 3, "NUL"),
    ("A\r\nB\r\n", 2, 1, "unknown item name `B`"),
];

/// The marked line of a message, without what stands for the parts left out.
fn excerpt(stderr: &str, line: u64) -> &str {
    let head = format!("{line} |");
    let marked = stderr.lines().find_map(|text| text.strip_prefix(&head)).unwrap_or_default();
    let marked = marked.strip_prefix(' ').unwrap_or(marked);
    let marked = marked.strip_prefix("...").unwrap_or(marked);
    marked.strip_suffix("...").unwrap_or(marked)
}

#[test]
fn each_fault_is_refused_with_its_place_and_what_was_expected() {
    let mut wrong = Vec::new();
    for command in ["solve", "check"] {
        for &(text, line, column, what) in FAULTS {
            let ran = feed(command, text);
            let head = format!("<stdin>:{line}:{column}: error: ");
            let first = ran.stderr.lines().next().unwrap_or("");
            let right = ran.status == 2
                && ran.stdout.is_empty()
                && first.starts_with(&head)
                && first.contains(what)
                && ran.stderr.contains('^')
                && ran.stderr.contains("expected ")
                && excerpt(&ran.stderr, line).len() <= 80;
            if !right {
                wrong.push(format!("{text:?} should be {head}{what}, but {command} says {ran:#?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_file_is_named_as_it_was_given() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    folder.file("sub/bad.dlx", "A B\nA C\n");
    let ran = folder.quadrille("solve sub/bad.dlx").refuses("unknown item name `C`");
    let first = ran.stderr.lines().next().unwrap();
    assert_eq!(first, "sub/bad.dlx:2:3: error: unknown item name `C`");
}

#[test]
fn only_the_first_fault_is_reported() {
    let ran = feed("solve", "A B\nC\nD\nE\n").refuses("`C`");
    assert_eq!(ran.stderr.matches("error:").count(), 1);
}

#[test]
fn a_near_name_is_guessed() {
    feed("solve", "alpha beta\nalpha betta\n").refuses("did you mean `beta`?");
    let ran = feed("solve", "alpha beta\nalpha zzzzzzz\n").refuses("unknown item name");
    assert!(!ran.stderr.contains("did you mean"), "{ran:?}");
}

#[test]
fn a_long_line_is_cut_around_the_fault() {
    for lead in [0, 1, 40, 100, 5_000, 1_000_000] {
        for tail in [0, 1, 40, 100, 5_000, 1_000_000] {
            let padding = " ".repeat(lead);
            let end = " B".repeat(tail.min(1)) + &" ".repeat(tail);
            let ran = feed("solve", format!("A B\nA {padding}QQQ{end}\n")).refuses("`QQQ`");
            assert!(ran.stderr.starts_with(&format!("<stdin>:2:{}: error: ", lead + 3)));
            let shown = excerpt(&ran.stderr, 2);
            assert!(shown.contains("QQQ") && shown.len() <= 80, "{} bytes: {shown}", shown.len());
            assert!(ran.stderr.len() < 500, "{} bytes for {lead}, {tail}", ran.stderr.len());
        }
    }
}

#[test]
fn a_long_name_is_cut_too() {
    let name = "Q".repeat(100_000);
    let ran = feed("solve", format!("A B\nA {name}\n")).refuses("<stdin>:2:3: error: ");
    assert!(excerpt(&ran.stderr, 2).len() <= 80);
    assert!(ran.stderr.len() < 1000, "{} bytes on stderr", ran.stderr.len());
}

#[test]
fn the_mark_stands_under_the_fault() {
    let ran = feed("solve", "A B | X\nA B X:1 QQQ B\n").refuses("`QQQ`");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    let at = lines.iter().position(|line| line.contains("A B X:1 QQQ B")).unwrap();
    assert_eq!(lines[at].find("QQQ"), lines[at + 1].find("^^^"), "{}", ran.stderr);
}

#[test]
fn what_dlx2_reads_only_by_its_limits_is_read() {
    // Long names, colors of several bytes, no final newline.
    let text = "a-name-of-many-bytes | another-one\na-name-of-many-bytes another-one:red";
    let printed = "1:\n a-name-of-many-bytes another-one:red (1 of 1)\n";
    feed("solve", text).exits(0).prints(printed).silently();
    let ran = feed("check", text).exits(0);
    assert_eq!(ran.stdout.matches("Knuth's programs won't read this").count(), 3, "{ran:?}");
}

#[test]
fn a_colon_and_a_bar_are_colors() {
    let text = "A | X Y\nA X:: Y:|\n";
    feed("solve", text).exits(0).prints("1:\n A X:: Y:| (1 of 1)\n").silently();
}

#[test]
fn options_without_primary_items_are_ignored_with_a_warning_and_not_counted() {
    let text = "A | X\nX\nA X\n";
    let ran = feed("solve --format options", text).exits(0).prints("1\n");
    ran.says("<stdin>:2:1: warning: option ignored (no primary items)");
    feed("solve --format options -q", text).exits(0).prints("1\n").silently();
}

#[test]
fn check_tells_the_dialect() {
    let bounds = feed("check", "A 1:2|B\nA B\n").exits(0);
    assert!(bounds.stdout.contains("DLX3"), "{bounds:?}");
    let costs = feed("check", "A B\nA |3\nB\n").exits(0);
    assert!(costs.stdout.contains("DLX5"), "{costs:?}");
}

#[test]
fn names_that_a_rule_cannot_read_are_shown_in_their_line() {
    for (text, flag, place, shown) in [
        ("| c\n00 02 01\n00 02 01\n", "--loop", "2:7", "00 02 01"),
        ("00 #x | 01 02\n00 01:1\n", "--loop", "1:12", "00 #x | 01 02"),
        ("00 | 01\n00 01:1\n", "--loop", "1:6", "00 | 01"),
    ] {
        let ran = feed(&format!("solve {flag}"), text).exits(2).prints("");
        assert!(ran.stderr.starts_with(&format!("<stdin>:{place}: error: ")), "{ran:#?}");
        assert!(ran.stderr.contains(shown) && ran.stderr.contains('^'), "{ran:#?}");
        let ran = feed(&format!("filter {flag} --problem - /dev/null"), text).exits(2);
        assert!(ran.stderr.starts_with(&format!("<stdin>:{place}: error: ")), "{ran:#?}");
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    for text in ["\u{feff}A B\nA B\n", "\u{feff}| comment\nA B\nA B\n", "\u{feff}\n\nA B\nA B\n"] {
        feed("solve", text).exits(0).prints("1:\n A B (1 of 1)\n").silently();
        let ran = feed("check", text).exits(0);
        assert!(ran.stdout.contains("odd      a byte order mark, skipped"), "{ran:?}");
        assert!(ran.stdout.contains("no colors: no program of Knuth's reads this file"), "{ran:?}");
    }
    // It is a legal name, and Knuth's programs take it so.
    let ran = feed("solve --count", "\u{feff}A B\n\u{feff}A B\n").exits(0).prints("1\n");
    let named = feed("check", "\u{feff}A B\n\u{feff}A B\n").exits(0);
    assert!(named.stdout.contains("DLX1, DLX2 and all others"), "{named:?} {ran:?}");
    // Only at the start, and only the first name.
    feed("solve", "A B\n\u{feff}A B\n").refuses("unknown item name");
    feed("solve", "\u{feff}A B\n\u{feff}B A\n").refuses("unknown item name");
    // Columns count its bytes, as in boards.
    feed("solve", "\u{feff}A A\n").refuses("<stdin>:1:6: error: duplicate item name `A`");
    feed("solve --loop", "\u{feff}00 | 01\n00 01:1\n").refuses("<stdin>:1:9: error: ");
}

#[test]
fn utf16_is_called_so() {
    for mark in ["", "\u{feff}"] {
        for text in ["A B\nA B\n", "| comment\nA B\nA B\n"] {
            let units: Vec<u16> = format!("{mark}{text}").encode_utf16().collect();
            let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            for bytes in [little, big] {
                for command in ["solve", "check", "draw", "puzzle slitherlink"] {
                    feed(command, bytes.clone()).refuses("<stdin>:1:1: error: this is UTF-16");
                }
            }
        }
    }
    feed("solve", &b"A\0B\n"[..]).refuses("NUL byte");
    feed("solve", &b"\xff\xfe B\n\xff\xfe B\n"[..]).exits(0);
}

/// Whoever gives a board to the solver is told what to do with it; who mistypes a name is not.
#[test]
fn a_board_is_recognized() {
    let boards = [
        "3.2\n.1.\n2.3\n",
        "111.45\n.2..45\n",
        "5x5:a3b2c\n",
        "https://puzz.link/p?slither/3/3/abc\n",
    ];
    for board in boards {
        feed("solve", board).refuses("is it a board? `quadrille puzzle` solves it");
    }
    for text in [
        "A B\nA C\n",
        "12 11\n12 13\n",
        "A:B\n",
        "a1\nb1\n",
        "A\nA\n.2.\n",
        "",
        "| x\n",
        "\n",
        "A C\nB\n",
        "1 2 3\n4\n",
        "2|A\nB\n",
    ] {
        let ran = feed("solve", text).exits(2);
        assert!(!ran.stderr.contains("board"), "{ran:?}");
    }
}
