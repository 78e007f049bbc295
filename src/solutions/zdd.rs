//! Writes ZDDs as `dlx6 m1` does.
//!
//! A node is a line `5: (~3?2:4)`: node 5 leads to node 2 without option 3 and to node 4 with it; nodes 0 and 1
//! are no solution and the one to which nothing need be added. Numbers of nodes are hexadecimal, those of
//! options decimal. Nodes come before those that refer to them, and at the end stands a root, `6: (~0?0:5)`.

use std::io::{self, Write};

use crate::ids::OptionId;
use crate::search::zdd::{ZddNode, Zdd};
use crate::solutions::format::{Lifts, SolutionFormat};
use crate::solutions::write::number;

/// The format.
pub static ZDD: SolutionFormat = SolutionFormat {
    name: "zdd",
    help: "All solutions at once, as dlx6 m1",
    before_number: None,
    has_more_lines: false,
    is_json: false,
    lifts: Lifts::Never("lift makes no ZDD of solutions; --format zdd is for solve"),
    writer: None,
};

/// Bytes that make a block.
const BLOCK: usize = 1 << 16;

/// Writes all nodes of `zdd`. `original` maps the options of a shuffled problem back to those of the file.
pub fn write(zdd: &Zdd, original: Option<&[OptionId]>, out: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::with_capacity(BLOCK + 100);
    let mut last = 1;
    for (at, ZddNode { option, lo, hi }) in zdd.nodes() {
        let option = original.map_or(option, |original| original[option.index()]);
        line((at, option.index() as u64 + 1, lo, hi), &mut text);
        last = at;
        if text.len() >= BLOCK {
            out.write_all(&text)?;
            text.clear();
        }
    }
    line((last + 1, 0, 0, zdd.root), &mut text);
    out.write_all(&text)
}

/// Appends the line of a node.
fn line((at, option, lo, hi): (u32, u64, u32, u32), out: &mut Vec<u8>) {
    hexadecimal(at, out);
    out.extend_from_slice(b": (~");
    number(option, out);
    out.push(b'?');
    hexadecimal(lo, out);
    out.push(b':');
    hexadecimal(hi, out);
    out.extend_from_slice(b")\n");
}

/// Appends `n` with as many digits as it needs.
fn hexadecimal(n: u32, out: &mut Vec<u8>) {
    let digits = (u32::BITS - n.leading_zeros()).div_ceil(4).max(1);
    out.extend(
        (0..digits).rev().map(|digit| b"0123456789abcdef"[(n >> (4 * digit) & 15) as usize]),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_hexadecimal_numbers_of_any_length() {
        let powers = (0..32).map(|bit| 1u32 << bit);
        for n in powers.flat_map(|power| [power - 1, power, power + 1]).chain([u32::MAX]) {
            let mut out = vec![b'x'];
            hexadecimal(n, &mut out);
            assert_eq!(out, format!("x{n:x}").into_bytes());
        }
    }

    #[test]
    fn no_solution_is_a_root_alone() {
        let mut out = Vec::new();
        write(&Zdd::default(), None, &mut out).expect("memory does not fail");
        assert_eq!(out, b"2: (~0?0:0)\n");
    }
}
