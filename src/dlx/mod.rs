//! The .dlx format.
pub mod write;
