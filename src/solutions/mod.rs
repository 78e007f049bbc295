//! Solutions as text: the formats of `solve`, written and read back.
//!
//! | format | one solution | as |
//! |---|---|---|
//! | knuth | `1:` and a line for each option, ` A B (1 of 2)` | `dlx2 m1` |
//! | tour | `1: 00 02 22 20 00` | `dlx2-loop m1` |
//! | options | `3 7 12` | option numbers, ascending |
//! | jsonl | `{"v":1,"n":1,"options":[3,7,12]}` | |
//! | names | `{"v":1,"n":1,"options":[{"A":null,"x":"1"}, ...],"numbers":[3,7,12]}` | |
//!
//! All of them at once are a [`zdd`], which is only written. [`format`](mod@format) has the table.
//!
//! [`stream`] reads them, and looks options up in a [`catalog`]. Of a [`record`] the options are taken, which [`verify`] verifies, or
//! the colors of points, for pictures. [`proof`] writes proofs that there is no other solution, with clauses as [`dimacs`] has them.

pub mod catalog;
pub mod dimacs;
pub mod format;
pub mod json;
pub mod jsonl;
mod line;
pub mod names;
mod nulls;
pub mod numbers;
pub mod proof;
pub mod record;
pub mod stream;
pub mod text;
pub mod tour;
pub mod verify;
pub mod write;
pub mod zdd;
