//! `quadrille convert`, and boards that come as addresses.

use super::run::{feed, fixture, quadrille};

#[test]
fn writes_every_format() {
    let board = "2..1.\n.2..1\n..2..\n3..3.\n.0..3\n";
    // URL and file are those of pzprjs's own test.
    let file = "pzprv3\nslither\n5\n5\n2 . . 1 .\n. 2 . . 1\n. . 2 . .\n3 . . 3 .\n. 0 . . 3\n\
                0 0 0 0 0 0\n0 0 0 0 0 0\n0 0 0 0 0 0\n0 0 0 0 0 0\n0 0 0 0 0 0\n\
                0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n";
    for (to, text) in [
        ("text", board),
        ("url", "https://puzz.link/p?slither/5/5/cbcbcddad\n"),
        ("sgt", "5x5t0:2b1b2b1b2b3b3b0b3\n"),
        ("pzpr", file),
    ] {
        feed(&format!("convert slitherlink - --to {to}"), board).exits(0).prints(text);
        feed("convert loopy - --to text", text).exits(0).prints(board);
    }
    for (url, text) in
        [("mashu/f/2/2/6", ".1\n..\nvariant: f\n"), ("hitori/4/1/-6i%@a/", "234 . . 10\n")]
    {
        let kind = if url.starts_with("hitori") { "hitori" } else { "masyu" };
        quadrille(&format!("convert {kind} {url} --to text")).exits(0).prints(text);
    }
}

#[test]
fn an_address_of_penpa_is_a_board() {
    for (kind, name) in [
        ("slitherlink", "slitherlink/noqx-penpa-slitherlink-7x7-1"),
        ("masyu", "masyu/noqx-penpa-masyu-10x10-1"),
        ("hitori", "hitori/noqx-penpa-hitori-8x8-1"),
    ] {
        let text = std::fs::read_to_string(fixture(&format!("{name}.txt"))).unwrap();
        let address = std::fs::read_to_string(fixture(&format!("{name}.penpa"))).unwrap();
        let typed = format!("convert {kind} {} --to text", address.trim());
        quadrille(&typed).exits(0).prints(&text);
        // In a batch, its slashes do not part the rows of a grid.
        let batch = feed(&format!("puzzle {kind} --batch - --format jsonl"), address.as_str());
        assert!(batch.stdout.contains("\"line\":1,\"verdict\":"), "{batch:#?}");
    }
}

#[test]
fn an_address_stands_alone() {
    let penpa = fixture("hitori/noqx-penpa-hitori-8x8-1.penpa");
    let penpa = std::fs::read_to_string(penpa).unwrap();
    let penpa = format!("https://swaroopg92.github.io/penpa-edit/#{}", penpa.trim());
    for address in [
        "https://puzz.link/p?hitori/2/2/1221",
        "http://pzv.jp/p.html?hitori/2/2/1221",
        "https://puzz.link/p?pzprv3/hitori/2/2/1 2 /2 1 /",
        "http://www.kanpen.net/hitori.html?problem=2/2/1_2/2_1/",
        "http://www.kanpen.net/hitori.html?pzpr=2/2/1221",
        &penpa,
    ] {
        feed("convert hitori - --to text", format!(" {address} \n")).exits(0);
        for before in ["see ", "a board: "] {
            let ran = feed("convert hitori - --to text", format!("{before}{address}\n"));
            ran.refuses("<stdin>:1:1: error: ");
        }
        let ran = feed("convert hitori - --to text", format!("see this: {address}\n"));
        ran.refuses("an address, and something else in the same line");
    }
}

#[test]
fn a_clue_that_does_not_fit_is_an_error_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("board");
    for (kind, board, to, what) in [
        ("hitori", "1.\n21\n", "sgt", "row 1, column 2: a game ID cannot hold a cell without"),
        ("hitori", "0 62\n", "sgt", "row 1, column 1: a game ID cannot hold the number 0"),
        ("hitori", "1 62\n", "sgt", "row 1, column 2: a game ID cannot hold the number 62"),
        ("hitori", "1 1296\n", "url", "row 1, column 2: a URL cannot hold the number 1296"),
        ("masyu", "..\n.?\n", "url", "row 2, column 2: a URL cannot hold the clue `?`"),
        ("slitherlink", "?\n", "sgt", "row 1, column 1: a game ID cannot hold the clue `?`"),
        ("slitherlink", "3\nvariant: f\n", "sgt", "a game ID cannot say that the loop visits"),
    ] {
        let ran = feed(&format!("convert {kind} - --to {to} --output {}", target.display()), board)
            .exits(2)
            .prints("");
        assert!(ran.stderr.contains(what), "{ran:#?}");
        assert!(ran.stderr.starts_with("<stdin>: error: "), "{ran:#?}");
        assert!(!target.exists());
    }
    quadrille("convert slitherlink 2x2t0:d --to csv").refuses("pzpr, sgt, text, url");
}
