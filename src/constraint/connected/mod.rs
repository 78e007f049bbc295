//! `--connected`: the cells of a color are rookwise connected.

pub mod automaton;
pub mod propagator;
