use super::*;
use crate::puzzle::find;

fn text(kind: &str, id: &str) -> String {
    let kind = find(kind).unwrap();
    match Sgt.import(kind, id.as_bytes(), &mut Vec::new()) {
        Ok(clues) => String::from_utf8(kind.text(&clues)).unwrap(),
        Err(e) => {
            let expected = e.expected.unwrap_or_default();
            format!("{}:{}: {}, expected {expected}", e.line, e.column, e.what)
        }
    }
}

// Board and ID are the worked example of a Loopy board printed by the game's own generator.
#[test]
fn reads_a_printed_loopy_board() {
    let board = "...2.2.\n2..1..3\n2.1....\n11.30..\n..2....\n.13122.\n3.312.3\n";
    let cells = "c2a2a2b1b32a1d11a30d2e13122a3a312a3";
    for size in ["7x7t0", "7x7", "7", "7t0de", "7x7t0dh", "\u{feff} 7"] {
        assert_eq!(text("slitherlink", &format!("{size}:{cells}\n")), board);
    }
}

macro_rules! printed {
    ($kind:literal, $($name:literal),* $(,)?) => {
        [$(($kind, include_str!(concat!("../../../fixtures/", $kind, "/", $name, ".id")),
            include_str!(concat!("../../../fixtures/", $kind, "/", $name, ".txt")))),*]
    };
}

#[test]
fn reads_printed_ids_of_all_games() {
    let slitherlink = printed![
        "slitherlink",
        "sgt-loopy-10x10-h-1",
        "sgt-loopy-12x17-e-1",
        "sgt-loopy-36x36-e-1",
        "sgt-loopy-7x7-e-1",
        "sgt-loopy-7x7-t-1",
        "sgt-loopy-8x9-t-1",
    ];
    let masyu = printed![
        "masyu",
        "bank-pearl15-0",
        "sgt-pearl-10x10-t-1",
        "sgt-pearl-7x7-e-1",
        "sgt-pearl-8x9-t-1",
    ];
    let hitori = printed![
        "hitori",
        "sgt-singles-12x17-k-1",
        "sgt-singles-40x40-k-1",
        "sgt-singles-7x7-e-1",
        "sgt-singles-8x9-k-1",
    ];
    for (kind, id, board) in slitherlink.into_iter().chain(masyu).chain(hitori) {
        assert_eq!(text(kind, id), board, "{id}");
    }
}

#[test]
fn games_have_their_own_parameters_and_cells() {
    assert_eq!(text("masyu", "2x1dtn:BW"), "10\n");
    assert_eq!(text("hitori", "2x1dk:1Z"), "1Z\n");
    for (kind, id, complaint) in [
        (
            "masyu",
            "2x1t0:BW",
            "1:4: illegal character `t`, expected `n`, `d` and a difficulty, or `:` and the board",
        ),
        (
            "masyu",
            "2x1:0W",
            "1:5: illegal character `0`, expected `B`, `W`, or a to z for 1 to 26 blank cells",
        ),
        (
            "hitori",
            "2x1n:12",
            "1:4: illegal character `n`, expected `d` and a difficulty, or `:` and the board",
        ),
        ("hitori", "2x1:10", "1:6: illegal character `0`, expected 1 to 9, a to z, or A to Z"),
        (
            "hitori",
            "2x1:123",
            "1:7: more cells than the 2 of the board, expected the end of the board",
        ),
    ] {
        assert_eq!(text(kind, id), complaint);
    }
}

// The lines are those that the collection writes, with a move of the player.
#[test]
fn reads_saved_games_and_addresses() {
    let save = |game: &str, parameters: &str, cells: &str| {
        format!(
            "SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\nVERSION :1:1\n\
             GAME    :{}:{game}\nPARAMS  :7:9x9t0de\nCPARAMS :{}:{parameters}\n\
             DESC    :{}:{cells}\nNSTATES :1:2\nSTATEPOS:1:2\nMOVE    :3:17y\n",
            game.len(),
            parameters.len(),
            cells.len()
        )
    };
    let loopy = save("Loopy", "3x2t0de", "a3d");
    assert_eq!(text("slitherlink", &loopy), ".3.\n...\n");
    assert_eq!(text("slitherlink", &loopy.replace('\n', "\r\n")), ".3.\n...\n");
    assert_eq!(text("hitori", &save("Singles", "2x1dk", "1Z")), "1Z\n");
    assert_eq!(text("masyu", &save("Pearl", "2x1dtn", "BW")), "10\n");
    let id = "https://example.org/puzzles/js/loopy.html#3x2t0de:a3d";
    assert_eq!(text("slitherlink", id), ".3.\n...\n");
    let kind = |text: &str| Sgt.kind(text.as_bytes()).unwrap().map(|kind| kind.name());
    assert_eq!(kind(&loopy), Some("slitherlink"));
    assert_eq!(kind(id), Some("slitherlink"));
    assert_eq!(kind("3x2t0de:a3d"), None);
    for (kind, board, complaint) in [
        ("masyu", &loopy, "3:12: this is a game of `Loopy`, expected `masyu`"),
        ("masyu", &id.into(), "1:32: this is a game of `loopy`, expected `masyu`"),
        (
            "slitherlink",
            &save("Loopy", "3x2t0de", "a3"),
            "6:14: only 2 of the 6 cells, expected 0 to 4, or a to z for 1 to 26 blank cells",
        ),
        (
            "slitherlink",
            &loopy[..loopy.len() / 2].to_owned(),
            "4:6: the saved game ends too early, expected `GAME`, `CPARAMS` and `DESC`",
        ),
    ] {
        assert_eq!(text(kind, board), complaint);
    }
}

#[test]
fn says_what_is_wrong_with_an_id() {
    let expected = "0 to 4, or a to z for 1 to 26 blank cells";
    for (id, complaint) in [
        ("2x2:d", None),
        ("2x2:c", Some(format!("1:6: only 3 of the 4 cells, expected {expected}"))),
        ("2x2:e", Some("1:5: more cells than the 4 of the board, expected the end of the board".into())),
        ("2x2:0123 4", Some(format!("1:9: illegal character ` `, expected {expected}"))),
        ("2x2:5c", Some(format!("1:5: illegal character `5`, expected {expected}"))),
        ("2x2t1:d", Some("1:4: a grid that is not square, expected `t0`".into())),
        ("2x2#77", Some("1:4: a random seed, from which only the game itself can make the board, expected `:` and the board".into())),
        ("0x2:", Some("1:1: a size of 0, expected the width of the board".into())),
        ("2x:", Some("1:3: illegal character `:`, expected the height of the board".into())),
        ("99999999x99999999:a", Some("1:1: the board is larger than coordinates can say, expected ".into())),
        ("9999999999x1:a", Some("1:1: the number is too large, expected the width of the board".into())),
        ("6000000x6000000:a", Some(format!("1:18: only 1 of the 36000000000000 cells, expected {expected}"))),
        ("2x2dz:d", Some("1:4: illegal character `d`, expected `t0`, `d` and a difficulty, or `:` and the board".into())),
        ("", Some("1:1: the text ends too early, expected the width of the board".into())),
        ("2x2:d\n2x2:d\n", Some("2:1: a second line, expected a single line".into())),
    ] {
        assert_eq!(text("slitherlink", id), complaint.unwrap_or("..\n..\n".into()), "{id}");
    }
}
