//! `--connected`, and hitori, which needs it.

use super::problems::*;
use super::run::{Folder, feed, fixture};

const BOARD: &str = "hitori/sgt-singles-8x9-k-1";

#[test]
fn a_hitori_has_the_solution_that_the_oracle_knows() {
    let board = std::fs::read_to_string(fixture(&format!("{BOARD}.txt"))).unwrap();
    let expected = std::fs::read_to_string(fixture(&format!("{BOARD}.sol"))).unwrap();
    let ran =
        solve("--connected=0 --unique", &generate("hitori", &fixture(&format!("{BOARD}.txt"))));
    let ran = ran.exits(0).says("unique");
    // Option `#xy ... xy:1` is black; rows and columns are the odd coordinates.
    let rows = board.lines().count();
    let mut picture = vec![vec!['.'; expected.lines().next().unwrap().len()]; rows];
    for entry in ran.stdout.split_whitespace() {
        let Some((name, "1")) = entry.split_once(':') else { continue };
        let digit = |i: usize| name[i..=i].chars().next().and_then(|c| c.to_digit(36)).unwrap();
        picture[digit(0) as usize / 2][digit(1) as usize / 2] = '#';
    }
    let picture: String =
        picture.into_iter().map(|row| row.iter().collect::<String>() + "\n").collect();
    assert_eq!(picture.trim_end(), expected.trim_end());
}

#[test]
fn puzzle_solves_hitori_by_its_own_rule() {
    let board = std::fs::read_to_string(fixture(&format!("{BOARD}.txt"))).unwrap();
    feed("puzzle hitori -", board).exits(0).says("unique");
    feed("puzzle hitori -", "11\n11\n").exits(1).says("none");
}

#[test]
fn a_hitori_in_any_format_makes_the_same_picture() {
    let folder = Folder::new();
    folder.file("board.dlx", generate("hitori", &fixture(&format!("{BOARD}.txt"))));
    let picture = |format: &str| {
        let solve = format!("solve --connected=0 --first --format {format} board.dlx");
        let solution = folder.quadrille(&solve).exits(0).stdout;
        folder.feed("draw --problem board.dlx", solution).exits(0).silently().stdout
    };
    let knuth = picture("knuth");
    assert_eq!(picture("options"), knuth);
    assert_eq!(picture("jsonl"), knuth);
}

#[test]
fn pruning_changes_no_solution() {
    let dlx = feed("generate hitori -", "1 2 2\n2 . 1\n1 1 3\n").exits(0).stdout;
    let sorted = |flags: &str| {
        let ran = solve(&format!("--format options {flags}"), &dlx);
        let mut lines: Vec<String> = ran.stdout.lines().map(str::to_owned).collect();
        lines.sort();
        (ran.status, lines)
    };
    let plain = sorted("--connected=0");
    assert_eq!(sorted("--connected=0 --no-prune"), plain);
    assert_eq!(sorted("--connected=0 --engine links"), plain);
    assert_eq!(sorted("--connected=0 --engine learn"), plain);
    assert!(sorted("").1.len() > plain.1.len(), "the rule makes no difference");
}

/// Three cells in a row, each of color 0 or 1: 8 covers. Those of color 1 are connected unless they
/// are the outer two; no cell at all is connected.
#[test]
fn the_color_is_1_unless_another_is_named() {
    let row = "a b c | 11 13 15\na 11:0\na 11:1\nb 13:0\nb 13:1\nc 15:0\nc 15:1\n";
    solve("--count", row).exits(0).prints("8\n");
    solve("--connected --count", row).exits(0).prints("7\n");
    solve("--connected=1 --count", row).exits(0).prints("7\n");
    solve("--connected=0 --count", row).exits(0).prints("7\n");
    solve("--connected=0 --connected=1 --count", row).exits(0).prints("6\n");
}

#[test]
fn a_file_without_cells_is_refused() {
    solve("--connected", FIRST_EXAMPLE).refuses("<stdin>:1:1: error: ").says("--connected");
    // Cells that no option colors are none.
    solve("--connected", "A | 11\nA 11\n").refuses("<stdin>:1:1: error: ");
}

#[test]
fn tours_still_need_a_loop() {
    solve("--connected --format tour", FIRST_EXAMPLE).refuses("--loop");
}

#[test]
fn what_is_no_color_is_refused_everywhere() {
    let folder = Folder::new();
    folder.file("row.dlx", "a | 11\na 11:0\na 11:1\n");
    folder.file("sols", "");
    for command in [
        "solve row.dlx",
        "filter --problem row.dlx sols",
        "check row.dlx --solutions sols",
        "check row.dlx --proof proof",
        "estimate row.dlx",
        "split row.dlx --parts 2 --output parts",
    ] {
        for color in ["", ":1", "1|", "1:2"] {
            let ran = folder.quadrille(&format!("{command} --connected={color}"));
            ran.exits(2).prints("").says("--connected").says("expected a color");
        }
    }
    assert_eq!(folder.names(), ["row.dlx", "sols"]);
}
