//! Writes solutions: as `dlx2 m1` does, byte for byte, or as numbers.

use std::io::Write;

use crate::ids::{ItemId, OptionId};
use crate::problem::Problem;
use crate::solution::{Choice, Choices};

/// Appends ` A X:0 (1 of 2)` and a newline: the option from the item that was branched on, around
/// its end, and the rank of the choice. `dlx2` prints it so because it sees the option from there. A
/// null choice is ` null A (3 of 3)`, as in `dlx3`.
pub fn knuth_option(problem: &Problem, choice: Choice, out: &mut Vec<u8>) {
    match choice.option {
        Some(option) => cyclic_option(problem, option, choice.item, out),
        None => {
            out.extend_from_slice(b" null ");
            out.extend_from_slice(problem.name(choice.item));
        }
    }
    out.extend_from_slice(b" (");
    number(u64::from(choice.rank), out);
    out.extend_from_slice(b" of ");
    number(u64::from(choice.degree), out);
    out.extend_from_slice(b")\n");
}

/// Appends the entries of an option, from that of `item` around the end.
fn cyclic_option(problem: &Problem, option: OptionId, item: ItemId, out: &mut Vec<u8>) {
    let entries = problem.option(option);
    let start = entries.iter().position(|entry| entry.item == item).unwrap_or(0);
    for entry in entries.around(start) {
        out.push(b' ');
        out.extend_from_slice(problem.name(entry.item));
        if !entry.color.is_none() {
            out.push(b':');
            out.extend_from_slice(problem.color_name(entry.color));
        }
    }
}

/// Appends solution `n` as `dlx2 m1` prints it.
pub fn knuth(problem: &Problem, n: u64, choices: &dyn Choices, out: &mut Vec<u8>) {
    number(n, out);
    out.extend_from_slice(b":\n");
    for level in 0..choices.levels() {
        knuth_option(problem, choices.choice(level), out);
    }
}

/// The numbers of the chosen options, from 1, ascending. `original` maps the options of a shuffled
/// problem back to those of the file.
pub fn option_numbers(choices: &dyn Choices, original: Option<&[OptionId]>) -> Vec<u64> {
    let number = |option: OptionId| {
        original.map_or(option, |original| original[option.index()]).index() as u64 + 1
    };
    let mut numbers: Vec<u64> = choices.options().into_iter().map(number).collect();
    numbers.sort_unstable();
    numbers
}

/// Appends option numbers as a line.
pub fn options(numbers: &[u64], out: &mut Vec<u8>) {
    list(numbers, b' ', out);
    out.push(b'\n');
}

/// Appends solution `n` as a line of JSON.
pub fn jsonl(n: u64, numbers: &[u64], out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"v\":1,\"n\":");
    number(n, out);
    out.extend_from_slice(b",\"options\":[");
    list(numbers, b',', out);
    out.extend_from_slice(b"]}\n");
}

/// Appends the last line of a stream of JSON: whether the search was complete, and how many
/// solutions it found. The number is a string, since JSON readers lose digits of large numbers.
pub fn jsonl_end(complete: bool, solutions: u64, out: &mut Vec<u8>) {
    let line = format!("{{\"v\":1,\"complete\":{complete},\"solutions\":\"{solutions}\"}}\n");
    out.extend_from_slice(line.as_bytes());
}

fn list(numbers: &[u64], separator: u8, out: &mut Vec<u8>) {
    for (i, &n) in numbers.iter().enumerate() {
        if i > 0 {
            out.push(separator);
        }
        number(n, out);
    }
}

/// Appends a number.
pub fn number(n: u64, out: &mut Vec<u8>) {
    // Writing to a vector cannot fail.
    let _ = write!(out, "{n}");
}
