//! `draw` and the pictures of `puzzle`.

use super::problems::*;
use super::run::{Folder, feed, fixture};

#[test]
fn a_solution_in_any_format_makes_the_same_picture() {
    for (kind, name) in [
        ("slitherlink", "slitherlink/sgt-loopy-7x7-e-1.txt"),
        ("slitherlink", "slitherlink/sgt-loopy-12x17-e-1.txt"),
        ("masyu", "masyu/sgt-pearl-10x10-t-1.txt"),
    ] {
        let folder = Folder::new();
        folder.file("board.dlx", generate(kind, &fixture(name)));
        let picture = |format: &str| {
            let solve = format!("solve --loop --first --format {format} board.dlx");
            let solution = folder.quadrille(&solve).exits(0).stdout;
            folder.feed("draw --problem board.dlx", solution).exits(0).silently().stdout
        };
        let knuth = picture("knuth");
        assert!(knuth.starts_with("1:\n"), "{knuth}");
        for format in ["tour", "options", "jsonl"] {
            assert_eq!(picture(format), knuth, "{format} of {name}");
        }
        // `puzzle` draws the same, without the number.
        let board = std::fs::read_to_string(fixture(name)).unwrap();
        let puzzle = feed(&format!("puzzle {kind} -"), board).exits(0).stdout;
        assert_eq!(format!("1:\n{puzzle}"), knuth);
    }
}

#[test]
fn all_solutions_of_a_stream_are_drawn() {
    let folder = Folder::new();
    folder.file("board.dlx", slitherlink(&blank(2, 2)));
    let mut pictures = Vec::new();
    for format in ["knuth", "tour", "options", "jsonl"] {
        let solve = format!("solve --loop --format {format} board.dlx");
        let solutions = folder.quadrille(&solve).exits(0).stdout;
        pictures.push(folder.feed("draw --problem board.dlx", solutions).exits(0).stdout);
    }
    pictures.dedup();
    assert_eq!(pictures.len(), 1, "the formats differ");
    for n in 1..=13 {
        assert!(pictures[0].contains(&format!("{n}:\n")), "solution {n} in {}", pictures[0]);
    }
}

#[test]
fn a_tour_is_drawn_without_its_problem() {
    let picture = feed("draw --ascii", "1: 00 02 22 20 00\n").exits(0).silently().stdout;
    assert_eq!(picture, "1:\n+---+\n|   |\n+---+\n");
    let picture = feed("draw", "1: 00 02 22 20 00\n").exits(0).silently().stdout;
    assert_eq!(picture, "1:\n┌───┐\n│   │\n└───┘\n");
}

#[test]
fn what_is_no_tour_needs_its_problem() {
    feed("draw", "1 2 3\n").refuses("--problem");
    feed("draw", "{\"v\":1,\"n\":1,\"options\":[1]}\n").refuses("--problem");
}

#[test]
fn ascii_pictures_are_ascii() {
    let board = std::fs::read_to_string(fixture("slitherlink/sgt-loopy-7x7-e-1.txt")).unwrap();
    let ran = feed("puzzle slitherlink - --ascii", board).exits(0);
    assert!(ran.stdout.is_ascii(), "{}", ran.stdout);
    let board = std::fs::read_to_string(fixture("masyu/sgt-pearl-7x7-e-1.txt")).unwrap();
    let ran = feed("puzzle masyu - --ascii", board).exits(0);
    assert!(ran.stdout.is_ascii(), "{}", ran.stdout);
}

#[test]
fn svg_goes_to_stdout_or_to_a_file() {
    let folder = Folder::new();
    folder.file("board.dlx", slitherlink("4\n"));
    folder.file("tour", "1: 00 02 22 20 00\n");
    let stdout = folder.quadrille("draw --problem board.dlx tour --svg").exits(0).stdout;
    assert!(stdout.contains("<svg ") && stdout.trim_end().ends_with("</svg>"), "{stdout}");
    folder.quadrille("draw --problem board.dlx tour --svg=board.svg").exits(0).prints("");
    assert_eq!(folder.text("board.svg"), stdout);
    folder.file("board.txt", "4\n");
    folder.quadrille("puzzle slitherlink board.txt --svg=puzzle.svg").exits(0).prints("");
    assert_eq!(folder.text("puzzle.svg"), stdout);
}

const THREE_TOURS: &str = "1: 00 02 22 20 00\n2: 00 02 04 24 22 20 00\n3: 00 02 22 20 00\n";

#[test]
fn several_solutions_make_a_sheet() {
    let svg = feed("draw --svg", THREE_TOURS).exits(0).silently().stdout;
    assert_eq!((svg.matches("<svg ").count(), svg.matches("</text>").count()), (1, 3));
    assert!(svg.contains("<title>Slitherlink, 1 x 1 cells: 3 solutions</title>"), "{svg}");
    let one = feed("draw --svg --limit 1", THREE_TOURS).exits(0).silently().stdout;
    assert!(!one.contains("</text>"), "{one}");
    // A hundred fit, unless more are asked for.
    let many = "1: 00 02 22 20 00\n".repeat(102);
    let svg = feed("draw --svg", many.as_str()).exits(0).says("2 more solutions").stdout;
    assert_eq!(svg.matches("</text>").count(), 100);
    let svg = feed("draw --svg --limit 101", many.as_str()).exits(0).silently().stdout;
    assert_eq!(svg.matches("</text>").count(), 101);
    // The terminal has no such limit, but --limit holds for it.
    assert_eq!(feed("draw --ascii", many.as_str()).stdout.matches(':').count(), 102);
    assert_eq!(feed("draw --ascii --limit 7", many.as_str()).stdout.matches(':').count(), 7);
}

#[test]
fn each_solution_may_have_a_file() {
    let folder = Folder::new();
    folder.feed("draw --svg=tour-%d.svg", THREE_TOURS).exits(0).prints("").silently();
    folder.feed("draw --png tour-%d.png --limit 2", THREE_TOURS).exits(0).prints("").silently();
    for (n, size) in [(1, 56), (2, 88), (3, 56)] {
        let svg = folder.text(&format!("tour-{n}.svg"));
        assert!(svg.contains(&format!("width=\"{size}\" height=\"56\"")), "{n}: {svg}");
    }
    assert!(folder.path("tour-2.png").exists() && !folder.path("tour-3.png").exists());
    assert!(!folder.path("tour-%d.svg").exists());
}

/// Width and height stand in the first chunk of a PNG.
fn size_of_png(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn a_png_is_twice_as_large_as_an_svg() {
    let folder = Folder::new();
    folder.file("board.txt", "4\n");
    folder.quadrille("puzzle slitherlink board.txt --png board.png").exits(0).prints("");
    assert_eq!(size_of_png(&std::fs::read(folder.path("board.png")).unwrap()), (112, 112));
    folder.quadrille("puzzle slitherlink board.txt --png board.png --svg").exits(2);
    // The rim of a board of 300 x 300 cells has too many pixels within; no file is begun.
    let digits = |value: usize| {
        let digit = |value: usize| {
            b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[value] as char
        };
        format!("{}{}", digit(value / 62), digit(value % 62))
    };
    let vertex = |row: usize, col: usize| format!("{}{}", digits(2 * row), digits(2 * col));
    let down = (0..300).map(|n| vertex(n, 0)).chain((0..300).map(|n| vertex(300, n)));
    let up = (1..=300).rev().map(|n| vertex(n, 300)).chain((0..=300).rev().map(|n| vertex(0, n)));
    let tour: Vec<String> = down.chain(up).collect();
    let ran = folder.feed("draw --png large.png", format!("1: {}\n", tour.join(" ")));
    ran.exits(2).says("large.png: error: the picture has too many pixels");
    assert!(!folder.path("large.png").exists());
}

#[test]
fn tilings_are_drawn_from_the_names_of_their_cells() {
    let folder = Folder::new();
    // 2 x 3 cells and dominoes: three tilings.
    folder.file(
        "doubled.dlx",
        "11 13 15 31 33 35\n11 13\n13 15\n31 33\n33 35\n11 31\n13 33\n15 35\n",
    );
    folder
        .file("plain.dlx", "00 01 02 10 11 12\n00 01\n01 02\n10 11\n11 12\n00 10\n01 11\n02 12\n");
    // The three tilings, drawn by hand.
    let mut tilings = [
        "+-------+---+\n|       |   |\n+-------+   |\n|       |   |\n+-------+---+",
        "+---+-------+\n|   |       |\n|   +-------+\n|   |       |\n+---+-------+",
        "+---+---+---+\n|   |   |   |\n|   |   |   |\n|   |   |   |\n+---+---+---+",
    ];
    tilings.sort_unstable();
    for problem in ["doubled.dlx", "plain.dlx"] {
        for format in ["knuth", "options", "jsonl"] {
            let solve = format!("solve {problem} --format {format}");
            let solutions = folder.quadrille(&solve).exits(0).stdout;
            let draw = format!("draw --ascii --problem {problem}");
            let drawn = folder.feed(&draw, solutions).exits(0).silently().stdout;
            let pictures = drawn.trim_end().split("\n\n");
            let mut pictures: Vec<&str> =
                pictures.map(|one| one.split_once('\n').expect("a number").1).collect();
            pictures.sort_unstable();
            assert_eq!(pictures, tilings, "{problem} {format}");
        }
    }
}

#[test]
fn a_problem_without_a_board_is_refused() {
    let folder = Folder::new();
    folder.file("first.dlx", FIRST_EXAMPLE);
    folder.feed("draw --problem first.dlx -", FIRST_SOLUTION).refuses("first.dlx:1:1: error:");
}

#[test]
fn a_stream_that_does_not_fit_its_problem_is_refused_with_its_place() {
    let folder = Folder::new();
    folder.file("board.dlx", slitherlink("4\n"));
    for (stream, place, what) in [
        ("1:\n 00 01:1 QQ (1 of 1)\n", "2:10", "unknown item name `QQ`"),
        ("1 2 9999\n", "1:5", "there is no option 9999"),
        ("0\n", "1:1", "there is no option 0"),
        ("1: 00 02 44\n", "1:10", "neighbor"),
        ("1: 00 QQ\n", "1:7", "vertex"),
        ("{\"v\":2,\"n\":1,\"options\":[]}\n", "1:1", "version"),
        ("{\"v\":x}\n", "1:6", "JSON"),
        ("{\"v\":1,\"n\":1,\"options\":[9999]}\n", "1:1", "there is no option 9999"),
        ("what?\n", "1:1", "no solution"),
    ] {
        let ran = folder.feed("draw --problem board.dlx", stream);
        assert_eq!(ran.status, 2, "{stream:?}: {ran:#?}");
        assert!(
            ran.stderr.starts_with(&format!("<stdin>:{place}: error: ")),
            "{stream:?}: {ran:#?}"
        );
        assert!(ran.stderr.contains(what), "{stream:?}: {ran:#?}");
    }
}
