//! Problems that the tests make.

use super::run::{Ran, command, feed, finish};
use std::fmt::Write;

/// Knuth's first example (TAOCP 7.2.2.1, (6)): one solution, options 1, 4 and 5.
pub const FIRST_EXAMPLE: &str = "\
A B C D E F G
C E
A D G
B C F
A D F
B G
D E G
";

/// The first example's solution as `dlx2 m1` prints it.
pub const FIRST_SOLUTION: &str = "\
1:
 A D F (2 of 2)
 B G (1 of 1)
 C E (1 of 1)
";

/// Two solutions: A is covered by option 1 or 2.
pub const TWO: &str = "A B\nA\nA\nB\n";

/// No solution: nothing covers B.
pub const NONE: &str = "A B\nA\n";

/// `n` independent items with two options each: 2^n solutions.
pub fn bits(n: usize) -> String {
    let mut text = (0..n).map(|i| format!("a{i}")).collect::<Vec<_>>().join(" ") + "\n";
    for i in 0..n {
        writeln!(text, "a{i}\na{i}").expect("a string takes all");
    }
    text
}

/// `n` queens, a row and a column each, that do not attack each other: 92 ways for 8, 352 for 9, 724 for
/// 10, 2680 for 11, 14200 for 12 (OEIS A000170).
pub fn queens(n: usize) -> String {
    let names = |letter: char, count: usize| (0..count).map(move |i| format!("{letter}{i}"));
    let primary: Vec<_> = names('r', n).chain(names('c', n)).collect();
    let secondary: Vec<_> = names('a', 2 * n - 1).chain(names('b', 2 * n - 1)).collect();
    let mut text = format!("{} | {}\n", primary.join(" "), secondary.join(" "));
    for row in 0..n {
        for column in 0..n {
            let (a, b) = (row + column, row + n - 1 - column);
            writeln!(text, "r{row} c{column} a{a} b{b}").expect("a string takes all");
        }
    }
    text
}

/// A problem with 2^`bits` solutions that are found at once, and then nothing for a long time: the
/// attempt to put `pigeons` pigeons into one hole less takes about e (`pigeons` - 1)! nodes.
///
/// `P` either takes all pigeons, or leaves them to the holes. Of items with two options, the first
/// one is tried first.
pub fn barren(bits: usize, pigeons: usize) -> String {
    pigeonholes("P".to_owned() + &selectors(bits), bits, pigeons)
}

/// The same solutions, but there is such an attempt after each of them.
#[allow(dead_code, reason = "for tests of the progress bar")]
pub fn slow(bits: usize, pigeons: usize) -> String {
    pigeonholes(selectors(bits) + " P", bits, pigeons)
}

fn selectors(bits: usize) -> String {
    (0..bits).map(|i| format!(" s{i}")).collect()
}

fn pigeonholes(first: String, bits: usize, pigeons: usize) -> String {
    let flock: Vec<String> = (0..pigeons).map(|i| format!("p{i}")).collect();
    let holes: Vec<String> = (1..pigeons).map(|i| format!("h{i}")).collect();
    let mut text = format!("{first} {} | {}\n", flock.join(" "), holes.join(" "));
    for i in 0..bits {
        writeln!(text, "s{i}\ns{i}").expect("a string takes all");
    }
    writeln!(text, "P {}\nP", flock.join(" ")).expect("a string takes all");
    for pigeon in &flock {
        for hole in &holes {
            writeln!(text, "{pigeon} {hole}").expect("a string takes all");
        }
    }
    text
}

/// A board without clues.
pub fn blank(rows: usize, cols: usize) -> String {
    (".".repeat(cols) + "\n").repeat(rows)
}

/// What `generate slitherlink` makes of a board.
#[track_caller]
pub fn slitherlink(board: &str) -> String {
    feed("generate slitherlink -", board).exits(0).silently().stdout
}

/// The cycles on a blank board, to be counted for a very long time.
pub fn endless() -> String {
    slitherlink(&blank(8, 8))
}

/// Runs `solve` with these flags.
#[track_caller]
pub fn solve(flags: &str, problem: &str) -> Ran {
    feed(&format!("solve {flags}"), problem)
}

/// What `generate` makes of a board file.
#[track_caller]
pub fn generate(kind: &str, file: &str) -> String {
    finish(command().args(["generate", kind, file])).exits(0).silently().stdout
}
