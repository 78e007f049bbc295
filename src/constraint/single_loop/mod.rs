//! `--loop`: the edges of color 1 form one cycle.

pub mod automaton;
pub mod propagator;
