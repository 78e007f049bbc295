//! Exact cover with colors in Donald Knuth's `.dlx` format (TAOCP 7.2.2.1): solve, count, and prove unique.
//!
//! A [`Problem`] is a list of *items* and a list of *options*. A [`Solution`] is a set of options in which
//! every primary item occurs exactly once, and every secondary item at most once, unless all options
//! that use it give it the same color. A [`Query`] is what is asked of a problem. Here is Knuth's first example,
//! with its only solution:
//!
//! ```
//! use quadrille::{Problem, Query};
//!
//! let problem = Problem::parse("A B C D E F G\nC E\nA D G\nB C F\nA D F\nB G\nD E G\n")?;
//! assert_eq!(Query::new(&problem).count()?, 1u32.into());
//! for solution in Query::new(&problem).solutions() {
//!     assert_eq!(solution?.to_string(), "C E\nA D F\nB G");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | what | where |
//! |---|---|
//! | read a problem, or build one | [`Problem::parse`], [`Problem::builder`] |
//! | all solutions, some, the first, the cheapest | [`Query::solutions`], [`Query::limit`], [`Query::first`], [`Query::cheapest`] |
//! | how many; whether there is one | [`Query::count`], [`Query::unique`] |
//! | what all solutions have in common | [`Query::facts`] |
//! | conditions on whole solutions: one loop, connected cells, no cycle, your own | [`constraint`], [`Query::with`], [`Query::with_propagator`] |
//! | puzzles, and pictures of them | [`Board`] |
//! | end a search from another thread | [`Query::cancelled_by`] |
//!
//! # Features
//!
//! | feature | brings |
//! |---|---|
//! | `cli` (default) | the program `quadrille` |
//! | `completions`, `png`, `zstd` (default) | what the program has beside: completions, pictures as PNG, `.zst` inputs |
//! | `import` (with `cli`) | [`Board`]s in the formats of other programs |
//!
//! A library needs none of them: `quadrille = { version = "0.1", default-features = false }`.
//!
//! What is not listed here is for the program and its tests, and may change at any time.
#![deny(unsafe_code)]
#![deny(missing_docs)]
// A reader makes at most one diagnostic, so its size does not matter.
#![allow(clippy::result_large_err)]

mod board;
pub mod constraint;

#[doc(inline)]
pub use board::{Board, BoardError};
#[doc(inline)]
pub use dlx::builder::{BuildError, Builder};
#[doc(inline)]
pub use dlx::error::ReadError;
#[doc(inline)]
pub use ids::{Color, ItemId, OptionId};
#[doc(inline)]
pub use num_bigint::BigUint;
#[doc(inline)]
pub use problem::{Bound, Entry, Problem};
#[doc(inline)]
pub use query::{EngineName, NameAndColor, Query, QueryError, Solution, Solutions, Uniqueness};

/// What all solutions have in common: the answer to [`Query::facts`].
pub mod facts {
    #[doc(inline)]
    pub use crate::search::learn::backbone::{Facts, Presence, Shared, Subject};
}

/// Declares the modules of the program, which its tests and benches see, too.
macro_rules! internal {
    ($($(#[$gate:meta])? $module:ident),* $(,)?) => {
        $($(#[$gate])? #[doc(hidden)] pub mod $module;)*
    };
}

internal! {
    branch,
    #[cfg(feature = "cli")]
    cli,
    diagnostic,
    dlx,
    encoding,
    entries,
    ids,
    #[cfg(feature = "import")]
    import,
    intern,
    #[cfg(feature = "cli")]
    knuth,
    large,
    names,
    picture,
    problem,
    #[cfg(feature = "cli")]
    proof,
    puzzle,
    query,
    #[cfg(feature = "cli")]
    reduce,
    render,
    rup,
    search,
    solution,
    #[cfg(feature = "cli")]
    solutions,
    trail,
    #[cfg(feature = "cli")]
    unpack,
    wording,
}
