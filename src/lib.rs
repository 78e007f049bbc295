//! quadrille
#![forbid(unsafe_code)]
#![deny(missing_docs)]
pub mod diagnostic;
pub mod dlx;
pub mod import;
pub mod names;
pub mod picture;
pub mod puzzle;
pub mod render;
