//! quadrille
#![forbid(unsafe_code)]
#![deny(missing_docs)]
// A reader makes at most one diagnostic, so its size does not matter.
#![allow(clippy::result_large_err)]
pub mod diagnostic;
pub mod dlx;
pub mod import;
pub mod names;
pub mod picture;
pub mod puzzle;
pub mod render;
