//! Knuth's line-oriented `.dlx` format: reader and writer.
//!
//! ```text
//! | whole lines that begin with | are comments
//! A B C | X Y            primary items, a bar, secondary items
//! A X:0 Y                an option: items, secondary ones with a color if wanted
//! B X:0
//! C Y
//! ```
//!
//! The reader takes the union of what DLX1, DLX2, DLX3 (bounds, `1:3|A`) and DLX5 (costs, `|7`)
//! accept, and lifts their limits: names, colors and lines may have any length, and the last line
//! needs no newline. `docs/format.md` has the grammar and every difference.

pub mod builder;
pub mod error;
pub mod matrix;
pub mod parse;
pub mod write;

use std::ops::Range;

/// Whether `byte` is a blank: what C calls a space in its own locale.
pub const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// The words of `text` from `from` on, with their places.
pub fn words(text: &[u8], from: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = from;
    std::iter::from_fn(move || {
        while text.get(at).is_some_and(|&byte| is_blank(byte)) {
            at += 1;
        }
        let start = at;
        while text.get(at).is_some_and(|&byte| !is_blank(byte)) {
            at += 1;
        }
        (at > start).then_some(start..at)
    })
}
