use super::*;
use crate::puzzle::find;

fn text(kind: &str, url: &str) -> String {
    let kind = find(kind).unwrap();
    let mut notes = Vec::new();
    match Pzpr.import(kind, url.as_bytes(), &mut notes) {
        Ok(clues) => {
            let notes = notes.iter().map(|e| format!("{}:{}: {}\n", e.line, e.column, e.what));
            String::from_utf8(kind.text(&clues)).unwrap() + &notes.collect::<String>()
        }
        Err(e) => match e.expected {
            Some(expected) => {
                format!("{}:{}: {}; expected {expected}", e.line, e.column, e.what)
            }
            None => format!("{}:{}: {}", e.line, e.column, e.what),
        },
    }
}

// The example of the slither encoding in pzprjs, whose own checker agrees with the board.
#[test]
fn reads_slither_urls_with_all_their_ornaments() {
    let board = "2..1.\n.2..1\n..2..\n3..3.\n.0..3\n";
    for start in [
        "https://puzz.link/p?",
        "http://pzv.jp/p.html?",
        "pzv.jp/p.html?",
        "https://pzprxs.vercel.app/p?type=editor&",
        "\u{feff} https://pzprxs.vercel.app/p.html?type=player&",
        "",
    ] {
        for genre in ["slither", "slitherlink", "slither_edit", "slither_play", "slither/v:"] {
            for end in ["", "/", "\n", " \r\n\n"] {
                let url = format!("{start}{genre}/5/5/cbcbcddad{end}");
                assert_eq!(text("slitherlink", &url), board, "{url}");
            }
        }
    }
    // Two encodings of one board, a board that stops early, and an unknown clue.
    assert_eq!(
        text("slitherlink", "slither/4/4/dgdh2c71"),
        text("slitherlink", "slither/4/4/dgdh2c7b")
    );
    assert_eq!(
        text("slitherlink", "slither/3/2/1."),
        "1?.\n...\n1:15: the address ends after 2 of 6 cells; the others are blank\n"
    );
    assert_eq!(text("slitherlink", "slither/2/2"), "..\n..\n");
    assert_eq!(text("slitherlink", "slither/f/3/3/gdk"), ".3.\n...\n...\nvariant: f\n");
}

// Boards from the test scripts of pzprjs and, the second of hitori, cspuz_core.
#[test]
fn reads_mashu_and_hitori_urls() {
    let mashu = "..0...\n.1..0.\n......\n...1..\n.0....\n......\n";
    for genre in ["mashu", "masyu", "pearl"] {
        assert_eq!(text("masyu", &format!("{genre}/6/6/1063000i3000")), mashu);
    }
    assert_eq!(text("masyu", "mashu/f/2/2/60"), ".1\n..\nvariant: f\n");
    let hitori = "1114\n1423\n3321\n4213\n";
    assert_eq!(text("hitori", "pzv.jp/p.html?hitori/4/4/1114142333214213"), hitori);
    let blanks = "111.45\n.2..45\n3.3.1.\n.2....\n3.3.1.\n";
    assert_eq!(text("hitori", "hitori/6/5/111.45.2..453.3.1..2....3.3.1."), blanks);
    assert_eq!(text("hitori", "hitori/4/1/-6i%@a/"), "234 . . 10\n");
    for (kind, url, complaint) in [
        ("masyu", "mashu/2/2/r", "1:11: illegal character `r`; expected 0 to 9 or a to q"),
        (
            "masyu",
            "slither/2/2/0",
            "1:1: this is a board of genre `slither`; expected `mashu` or `masyu` or `pearl`",
        ),
        (
            "hitori",
            "hitori/f/2/2/1",
            "1:8: the flag `f` means other rules; expected the size of the board",
        ),
        (
            "hitori",
            "hitori/2/2/-1",
            "1:12: illegal character `-`; expected `.`, `%`, 0 to 9, a to z, or `-` and two of these digits",
        ),
        (
            "hitori",
            "hitori/2/2/A",
            "1:12: illegal character `A`; expected `.`, `%`, 0 to 9, a to z, or `-` and two of these digits",
        ),
    ] {
        assert_eq!(text(kind, url), complaint, "{url}");
    }
}

// What the decoders of pzprjs make of these addresses (its decode4Cell, decodeCircle, decodeHitori).
#[test]
fn reads_what_the_site_reads_and_notes_what_is_odd() {
    let board = "2..1.\n.2..1\n..2..\n3..3.\n.0..3\n";
    for (tail, note) in [
        ("#comment", "1:24: `#comment` is a fragment, and skipped\n"),
        ("/#comment", "1:25: `#comment` is a fragment, and skipped\n"),
        ("/5", "1:24: `/5` follows the last cell, and is skipped\n"),
        ("0.0", "1:24: `0.0` follows the last cell, and is skipped\n"),
        ("?x=y", "1:24: `?x=y` follows the last cell, and is skipped\n"),
    ] {
        let url = format!("p?slither/5/5/cbcbcddad{tail}");
        assert_eq!(text("slitherlink", &url), format!("{board}{note}"), "{url}");
    }
    for (kind, url, read) in [
        (
            "slitherlink",
            "slither/4/4/dgdh2c7",
            "3...\n3...\n.22.\n.2..\n1:20: the address ends after 15 of 16 cells; the others are blank\n",
        ),
        ("slitherlink", "slither/2/2", "..\n..\n"),
        (
            "masyu",
            "mashu/2/2/6#x",
            ".1\n..\n1:12: `#x` is a fragment, and skipped\n1:12: the address ends after 3 of 4 cells; the others are blank\n",
        ),
        ("masyu", "mashu/2/2/000", "..\n..\n1:13: `0` follows the last cell, and is skipped\n"),
        (
            "hitori",
            "hitori/3/3/-g1...",
            "577 . .\n. . .\n. . .\n1:18: the address ends after 4 of 9 cells; the others are blank\n",
        ),
        // As an old editor wrote 16 and 1; read as the site does today, it has a cell too few.
        (
            "hitori",
            "hitori/2/3/-g1-h2-103",
            "g1\nh2\nA3\n1:12: an address of an old editor, which wrote 16 to 35 as `-g` to `-z`; \
             read so, it has all cells\n",
        ),
        ("hitori", "hitori/2/2/1221@", "12\n21\n1:16: `@` follows the last cell, and is skipped\n"),
    ] {
        assert_eq!(text(kind, url), read, "{url}");
    }
}

#[test]
fn an_address_says_which_puzzle_it_is() {
    for (url, kind) in [
        ("https://puzz.link/p?slither/5/5/cbcbcddad", "slitherlink"),
        ("pzv.jp/p.html?type=editor&mashu_edit/6/6/1063000i3000", "masyu"),
        ("hitori/2/2/1221", "hitori"),
        ("https://puzz.link/p?pzprv3/slither/1/1/4 /", "slitherlink"),
        ("pzprv3.1\nmashu\n1\n1\n.\n", "masyu"),
        ("v:\npzprv3\nhitori\n1\n1\n.\n", "hitori"),
    ] {
        assert_eq!(Pzpr.kind(url.as_bytes()).unwrap().map(|kind| kind.name()), Some(kind), "{url}");
    }
    let error = Pzpr.kind(b"https://puzz.link/p?yajilin/2/2/").err().unwrap();
    assert_eq!((error.column, error.what.as_str()), (21, "this is a board of genre `yajilin`"));
}

// The hitori file is one of pzprjs, with its answer; the masyu file was made by hand.
#[test]
fn reads_mashu_and_hitori_files() {
    let file = "pzprv3/hitori/4/4/1 1 1 4 /1 4 2 3 /3 3 2 1 /4 2 1 3 /# + # . /+ + + . /# + # . /+ + + # /";
    assert_eq!(text("hitori", file), "1114\n1423\n3321\n4213\n");
    assert_eq!(text("hitori", "pzprv3\nhitori\n1\n3\n100 . -\n"), "100 . .\n");
    assert_eq!(text("masyu", "pzprv3\nmashu\n2\n3\n1 . 2\n- . .\n0 0\n"), "0.1\n?..\n");
    assert_eq!(
        text("hitori", "pzprv3/hitori/1/1/-1/"),
        "1:19: `-1` is no clue; expected `.` or a number"
    );
}

// The first is the file of pzprjs for the board above, answers included.
#[test]
fn reads_slither_files() {
    let rows = "2 . . 1 . /. 2 . . 1 /. . 2 . . /3 . . 3 . /. 0 . . 3 /";
    let marks = "0 0 0 0 0 0 /-1 0 1 1 0 1 /";
    let board = "2..1.\n.2..1\n..2..\n3..3.\n.0..3\n";
    for (head, tail) in [("", ""), ("", marks), ("v:/", ""), ("v:/", marks)] {
        for version in ["pzprv3", "pzprv3.1"] {
            let file = format!("{head}{version}/slither/5/5/{rows}{tail}");
            let lines = file.replace('/', "\n");
            assert_eq!(text("slitherlink", &lines), board, "{lines}");
            assert_eq!(text("slitherlink", &lines.replace('\n', "\r\n")), board);
        }
    }
    let url = format!("https://puzz.link/p?pzprv3/slither/5/5/{rows}{marks}");
    assert_eq!(text("slitherlink", &url), board);
    // Height before width, and the flag line.
    let file = "pzprv3\nslither\n1\n2\nf\n- 4\n";
    assert_eq!(text("slitherlink", file), "?4\nvariant: f\n");
}

#[test]
fn says_what_is_wrong_with_a_url() {
    let groups = "`.`, 0 to 9, a to e, or g to z";
    for (url, complaint) in [
        ("slither/2/2/f", format!("1:13: illegal character `f`; expected {groups}")),
        ("slither/2/2/1é", format!("1:14: illegal character `é`; expected {groups}")),
        ("slither/2/2/1/1", format!("1:14: illegal character `/`; expected {groups}")),
        ("slither/0/2/", "1:9: a size of 0; expected the width of the board".into()),
        ("slither/2/", "1:11: the text ends too early; expected the height of the board".into()),
        ("slither/2x/2/", "1:10: illegal character `x`; expected `/`".into()),
        (
            "slither/99999999/99999999/0",
            "1:9: a board of more than 4000000 cells; expected a smaller one".into(),
        ),
        (
            "slither/99999999999/2/0",
            "1:9: the number is too large; expected the width of the board".into(),
        ),
        (
            "slither/v:touch/2/2/",
            "1:9: the variant `touch` has other rules; expected the plain puzzle".into(),
        ),
        (
            "slither/d/2/2/",
            "1:9: the flag `d` means other rules; expected `f` or the size of the board".into(),
        ),
        (
            "https://puzz.link/p?yajilin/2/2/",
            "1:21: this is a board of genre `yajilin`; expected `slither` or `slitherlink`".into(),
        ),
        (
            "https://puzz.link/",
            "1:19: this address holds no board; expected `?` and the board".into(),
        ),
        ("/2/2/", "1:1: the genre is missing; expected `slither` or `slitherlink`".into()),
    ] {
        assert_eq!(text("slitherlink", url), complaint, "{url}");
    }
}

#[test]
fn says_what_is_wrong_with_a_file() {
    let tokens = "`.`, `-` or 0 to 4";
    for (file, complaint) in [
        ("pzprv3\nslither\n1\n2\n. 5\n", format!("5:3: `5` is no clue; expected {tokens}")),
        (
            "pzprv3\nslither\n1\n2\n.\n",
            format!("5:2: a row of 1 cells, the width is 2; expected {tokens}"),
        ),
        (
            "pzprv3\nslither\n1\n2\n. . .\n",
            "5:5: a row of more than 2 cells; expected the end of the row".into(),
        ),
        ("pzprv3\nslither\n2\n2\n. .\n", "5:4: the file ends too early; expected a row".into()),
        (
            "pzprv3\nslither\n2\n",
            "3:2: the file ends too early; expected the width of the board".into(),
        ),
        ("pzprv3\n", "1:7: the file ends too early; expected the genre".into()),
        ("pzprv2\nslither\n", "1:1: no file of pzpr; expected `pzprv3`".into()),
        (
            "pzprv3\nslither\n9999999\n9999999\n. .\n",
            "4:1: the board is larger than coordinates can say".into(),
        ),
        (
            "pzprv3\nslither\n6999999\n6999999\n. .\n",
            format!("5:4: a row of 2 cells, the width is 6999999; expected {tokens}"),
        ),
        ("v:x\npzprv3\n", "1:1: the variant `x` has other rules; expected the plain puzzle".into()),
        (
            "p?pzprv3/slither/1/1/x/",
            "1:22: the flag `x` means other rules; expected `f` or the size of the board".into(),
        ),
    ] {
        assert_eq!(text("slitherlink", file), complaint, "{file}");
    }
}
