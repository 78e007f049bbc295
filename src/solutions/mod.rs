//! Solutions as text: the formats of `solve`, written and read back.
//!
//! | format | one solution | as |
//! |---|---|---|
//! | knuth | `1:` and a line for each option, ` A B (1 of 2)` | `dlx2 m1` |
//! | tour | `1: 00 02 22 20 00` | `dlx2-loop m1` |
//! | options | `3 7 12` | option numbers, ascending |
//! | jsonl | `{"v":1,"n":1,"options":[3,7,12]}` | |
//!
//! All of them at once are a [`zdd`], which is only written.
//!
//! [`cover`] reads them as sets of options, which it looks up in a [`catalog`], and [`verify`] verifies those; [`read`] reads them as
//! colors of points, for pictures. [`proof`] writes proofs that there is no other solution, with clauses as [`dimacs`] has them.

pub mod catalog;
pub mod cover;
pub mod dimacs;
pub mod proof;
pub mod read;
pub mod text;
pub mod tour;
pub mod verify;
pub mod write;
pub mod zdd;
