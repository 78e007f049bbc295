//! What the backtracking loop asks of an engine: branch, commit, undo.

use crate::constraint::{Moves, Propagator};
use crate::ids::ItemId;
use crate::solution::Choices;

/// Why a store has a newest level when it is asked for it.
pub const OPEN: &str = "the loop has opened a level";

/// The state of a search: which items are covered, and which options are left.
///
/// The loop in `algorithm_c` calls these in a fixed order: `branch` opens a level; `next` moves to its next
/// option and `commit` takes it; `undo` takes it back; `close` ends the level. The [`Choices`] are
/// those of the open levels.
pub trait Store: Choices + Moves {
    /// Whether all primary items are covered.
    fn done(&self) -> bool;

    /// Chooses an item by the branching rule of the problem, covers it, and opens a level for it (C3). Only if not [`done`](Store::done).
    fn branch(&mut self);

    /// The item of the newest level.
    fn item(&self) -> ItemId;

    /// The rank of the option at hand on the newest level; 0 before the first.
    fn rank(&self) -> u32;

    /// Moves to the next option of the newest level's item; false if there is none left (C5).
    fn next(&mut self) -> bool;

    /// Covers or colors the other items of the option at hand. If `constraint` refuses one, undoes
    /// what it did and answers false.
    fn commit<C: Propagator>(&mut self, constraint: &mut C) -> bool;

    /// Undoes `commit`, and all that was forbidden since (C6).
    fn undo(&mut self);

    /// Uncovers the item of the newest level, and closes that (C7).
    fn close(&mut self);

    /// All levels are closed, and another search begins. Those who compute ahead of `branch` have to go
    /// back to the root.
    fn rewind(&mut self) {}

    /// Updates and cleansings so far.
    fn counters(&self) -> (u64, u64);

    /// About how many nanoseconds the search took so far that visited so many nodes.
    fn effort(&self, nodes: u64) -> u64;
}
