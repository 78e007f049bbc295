//! quadrille
#![forbid(unsafe_code)]
pub mod diagnostic;
pub mod names;
