//! Items with bounds: what `solve` prints, and who refuses them.

use super::run::{Folder, feed};

/// The example in the introduction to `dlx3`, whose only solution is stated there.
const EXAMPLE: &str = "\
| A simple example of color controls
A B 2:3|C | X Y
A B X:0 Y:0
A C X:1 Y:1
C X:0
B X:1
C Y:1
";

#[test]
fn solves_the_example_of_dlx3() {
    feed("solve --format options", EXAMPLE).exits(0).prints("2 4 5\n").silently();
    feed("solve --format jsonl --unique", EXAMPLE).exits(0).says("unique");
    feed("solve -v", EXAMPLE).exits(0).says("engine: links");
}

/// One of two options, or none. `dlx3 m1` prints that.
#[test]
fn prints_null_choices_as_dlx3_does() {
    let text = "A 0:1|B\nA\nB\n";
    feed("solve", text)
        .exits(0)
        .prints("1:\n A (1 of 1)\n B (1 of 2)\n2:\n A (1 of 1)\n null B (2 of 2)\n");
    feed("solve --format options", text).exits(0).prints("1 2\n1\n");
    feed("solve --count --engine links", text).exits(0).prints("2\n");
}

#[test]
fn what_cannot_keep_bounds_says_so() {
    for flags in ["--engine bits", "--engine learn", "--facts"] {
        let ran = feed(&format!("solve {flags}"), EXAMPLE);
        ran.refuses("<stdin>:2:5: error: ").says("bounds");
    }
}

#[test]
fn check_verifies_what_solve_finds() {
    let folder = Folder::new();
    folder.file("bounds.dlx", EXAMPLE);
    let found = folder.feed("solve bounds.dlx", "").exits(0).stdout;
    folder.feed("check bounds.dlx --solutions -", found).exits(0);
    let folder = Folder::new();
    folder.file("null.dlx", "A 0:1|B\nA\nB\n");
    let found = folder.feed("solve null.dlx", "").exits(0).stdout;
    folder.feed("check null.dlx --solutions -", found).exits(0);
}
