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

#[test]
fn an_svg_holds_one_solution_and_says_how_many_more_there_were() {
    let tours = "1: 00 02 22 20 00\n2: 00 04 24 20 00\n3: 00 02 22 20 00\n";
    let tours = tours.replace("00 04 24 20", "00 02 04 24 22 20");
    let ran = feed("draw --svg", tours).exits(0).says("2 more solutions");
    assert_eq!(ran.stdout.matches("<svg ").count(), 1);
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
