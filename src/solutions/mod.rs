//! Streams of solutions.
