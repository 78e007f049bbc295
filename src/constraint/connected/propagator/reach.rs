//! Searches over the cells: what hangs together, and which cells part others.
//!
//! Boards have millions of cells at most, but long thin components, so there is no recursion; and a
//! search follows every choice, so it allocates and clears nothing. Cells are stamped with a clock
//! that is never set back: what has a stamp from before the search is unseen.

use super::CellState;

/// What a search knows of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Visited {
    /// When it was reached.
    at: u32,
    /// The earliest cell next to one of its subtree.
    low: u32,
    /// Required cells in its subtree.
    required: u32,
    /// The cell from which it was reached.
    parent: u32,
    /// How many of its neighbors have been looked at.
    looked: u8,
}

/// Buffers of the searches.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    seen: Vec<Visited>,
    /// The clock before the latest search; everything it reached is later.
    start: u32,
    clock: u32,
    todo: Vec<u32>,
    /// Free cells that part required ones, each with a cell of the part that it cuts off from the root;
    /// perhaps several times.
    cuts: Vec<(u32, u32)>,
}

impl Reach {
    /// For so many cells.
    pub fn new(cells: usize) -> Self {
        let (todo, cuts) = (Vec::with_capacity(cells), Vec::with_capacity(cells));
        Reach { seen: vec![Visited::default(); cells], start: 0, clock: 0, todo, cuts }
    }

    /// Whether all `targets` are connected to `root` by open cells.
    pub fn flood(
        &mut self,
        root: u32,
        around: &[[u32; 4]],
        is_open: impl Fn(u32) -> bool,
        targets: &[u32],
    ) -> bool {
        self.begin();
        self.todo.clear();
        self.todo.push(root);
        self.reach(root);
        while let Some(cell) = self.todo.pop() {
            for near in around[cell as usize] {
                if is_open(near) && !self.has_reached(near) {
                    self.reach(near);
                    self.todo.push(near);
                }
            }
        }
        targets.iter().all(|&cell| self.has_reached(cell))
    }

    /// Searches the open cells from `root`, a required one, depth first. Answers how many required cells it
    /// reached, and collects the cuts.
    pub fn search(&mut self, root: u32, around: &[[u32; 4]], state: &[CellState]) -> usize {
        self.begin();
        self.cuts.clear();
        let is_due = |cell: u32| u32::from(state[cell as usize] == CellState::Required);
        let now = self.reach(root);
        self.seen[root as usize] =
            Visited { at: now, low: now, required: 1, parent: root, looked: 0 };
        let mut cell = root;
        loop {
            let seen = &mut self.seen[cell as usize];
            if let Some(&near) = around[cell as usize].get(usize::from(seen.looked)) {
                seen.looked += 1;
                if state[near as usize] == CellState::Closed {
                    continue;
                }
                if self.has_reached(near) {
                    let at = self.seen[near as usize].at;
                    let low = &mut self.seen[cell as usize].low;
                    *low = at.min(*low);
                } else {
                    let at = self.reach(near);
                    let required = is_due(near);
                    self.seen[near as usize] =
                        Visited { at, low: at, required, parent: cell, looked: 0 };
                    cell = near;
                }
                continue;
            }
            // The subtree of `cell` is complete; the root is required itself and outside of all others.
            let Visited { low, required, parent, .. } = *seen;
            if cell == root {
                return required as usize;
            }
            let above = &mut self.seen[parent as usize];
            above.low = above.low.min(low);
            above.required += required;
            if low >= above.at && required > 0 && state[parent as usize] == CellState::Free {
                self.cuts.push((parent, cell));
            }
            cell = parent;
        }
    }

    /// How many cells the latest search reached.
    pub fn reached(&self) -> u64 {
        u64::from(self.clock - self.start)
    }

    /// Whether the latest search reached `cell`.
    pub fn has_reached(&self, cell: u32) -> bool {
        self.seen[cell as usize].at > self.start
    }

    /// One of the cuts that the latest search found and that was not taken yet.
    pub fn pop_cut(&mut self) -> Option<(u32, u32)> {
        self.cuts.pop()
    }

    fn begin(&mut self) {
        if self.clock > u32::MAX - 1 - self.seen.len() as u32 {
            self.seen.fill(Visited::default());
            self.clock = 0;
        }
        self.start = self.clock;
    }

    fn reach(&mut self, cell: u32) -> u32 {
        self.clock += 1;
        self.seen[cell as usize].at = self.clock;
        self.clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of so many cells; the last number is the cell that is not there.
    fn row(cells: u32) -> Vec<[u32; 4]> {
        let left = |cell: u32| cell.checked_sub(1).unwrap_or(cells);
        (0..cells).map(|cell| [cells, left(cell), cell + 1, cells]).collect()
    }

    #[test]
    fn between_two_due_cells_of_a_row_all_are_cuts() {
        let mut state = [CellState::Free; 8];
        (state[2], state[5], state[7]) =
            (CellState::Required, CellState::Required, CellState::Closed);
        let mut reach = Reach::new(7);
        for clock in [0, u32::MAX - 7, u32::MAX - 20] {
            reach.clock = clock;
            for _ in 0..5 {
                assert_eq!(reach.search(2, &row(7), &state), 2);
                let cuts: Vec<u32> =
                    std::iter::from_fn(|| reach.pop_cut()).map(|(cut, _)| cut).collect();
                assert_eq!(cuts, [3, 4]);
                assert!(reach.flood(2, &row(7), |cell| cell < 7, &[0, 6]));
                assert!(!reach.flood(2, &row(7), |cell| cell < 6, &[0, 6]));
            }
        }
        state[4] = CellState::Closed;
        assert_eq!(reach.search(2, &row(7), &state), 1);
        assert!(reach.has_reached(3) && !reach.has_reached(5));
    }

    #[test]
    fn a_row_of_a_million_cells_needs_no_stack() {
        let state = [vec![CellState::Required; 1_000_000], vec![CellState::Closed]].concat();
        assert_eq!(Reach::new(1_000_000).search(0, &row(1_000_000), &state), 1_000_000);
    }
}
