//! quadrille: exact cover with colors in Donald Knuth's `.dlx` format (TAOCP 7.2.2.1).
//!
//! An instance is a list of *items* and a list of *options*. A solution is a set of options in which
//! every primary item occurs exactly once, and every secondary item at most once, unless all options
//! that use it give it the same color. Here is Knuth's first example, with its only solution:
//!
//! ```
//! use quadrille::{problem::Problem, query::Query};
//!
//! let text = "\
//! A B C D E F G
//! C E
//! A D G
//! B C F
//! A D F
//! B G
//! D E G
//! ";
//! let problem = Problem::parse(text)?;
//! let first = Query::new(&problem).first()?.expect("there is one");
//! assert_eq!(first.numbers(), [1, 4, 5]); // C E, A D F, B G
//! assert_eq!(Query::new(&problem).count()?, 1u32.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The modules, from the ground up; each uses only what stands above it (docs/architecture.md):
//!
//! * words: [`ids`], [`intern`], [`encoding`], [`entries`], [`names`], [`diagnostic`], [`trail`], [`picture`],
//!   [`rup`], [`unpack`], [`large`], [`wording`]
//! * the instance: [`problem`], [`solution`]
//! * the file format: [`dlx`]
//! * conditions on whole solutions: [`constraint`]
//! * engines: [`search`]; and, knowing nothing of them, puzzles: [`puzzle`], and proofs: [`proof`]
//! * what is asked, and who answers: [`query`]
//! * whole files, in and out: [`reduce`], [`import`], [`solutions`], [`render`]
//! * the command line: [`cli`]
#![deny(unsafe_code)]
#![deny(missing_docs)]
// A reader makes at most one diagnostic, so its size does not matter.
#![allow(clippy::result_large_err)]

pub mod branch;
pub mod cli;
pub mod constraint;
pub mod diagnostic;
pub mod dlx;
pub mod encoding;
pub mod entries;
pub mod ids;
pub mod import;
pub mod intern;
pub mod knuth;
pub mod large;
pub mod names;
pub mod picture;
pub mod problem;
pub mod proof;
pub mod puzzle;
pub mod query;
pub mod reduce;
pub mod render;
pub mod rup;
pub mod search;
pub mod solution;
pub mod solutions;
pub mod trail;
pub mod unpack;
pub mod wording;
