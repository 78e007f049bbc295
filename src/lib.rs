//! quadrille
#![forbid(unsafe_code)]
#![deny(missing_docs)]
pub mod constraint;
pub mod diagnostic;
pub mod dlx;
pub mod ids;
pub mod intern;
pub mod names;
pub mod problem;
pub mod search;
pub mod solution;
pub mod trail;
