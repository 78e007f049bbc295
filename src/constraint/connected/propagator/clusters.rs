//! Clusters of closed cells, and which cells part the open ones.
//!
//! A search of all open cells after every choice costs as much as the board is large, and nearly always finds
//! what the one before found. What can be new is read from the closed cells near the change, by a
//! duality: open cells are connected along sides, closed ones along corners, too (Azriel Rosenfeld,
//! "Connectivity in digital pictures", JACM 17, 1970). A *cluster* is a component of closed cells in this
//! sense; all places without a cell belong to one cluster, so that the edge of the board is in it.
//!
//! ```text
//! . # .      Around the open cell `c` closed cells stand in two gaps between its open neighbors. If they
//! . c .      are of one cluster, then that and `c` together enclose one of these neighbors: `c` parts the
//! # . .      open cells. If not, there is a way around each of them, and `c` parts nothing.
//! ```
//!
//! So a closed cell, too, has parted open ones if it did so in this sense just before; and another cell
//! becomes one that parts them only if clusters unite that it touches both. To find those we go around all
//! of these clusters but the largest.
//!
//! Two places without a cell may be in truth of different clusters. Then a cell that parts nothing may seem to
//! do so, which costs a search, but no cell that does is missed.
//!
//! # Invariants
//!
//! `up` leads from each closed cell to the one that stands for its cluster, in as many steps as a cluster has
//! at least doubled, and `size` there is the number of its cells. `next` goes around the cells of a cluster. An
//! open cell is alone in all of these. `united` has what to take back, the latest last.

use super::CellState;
use crate::constraint::graph::Cell;

/// See the [module](self).
#[derive(Clone, Debug)]
pub(super) struct Clusters {
    /// By cell: the cells around it, clockwise from the one above.
    ring: Vec<[u32; 8]>,
    up: Vec<u32>,
    size: Vec<u32>,
    next: Vec<u32>,
    /// What stood for a cluster before it became part of another, and the cell that was closed.
    united: Vec<(u32, u32)>,
    /// The cells of clusters that became part of a larger one, since somebody forgot them.
    rim: Vec<u32>,
}

impl Clusters {
    /// The closed ones of these cells; the last state is that of the places without a cell.
    pub fn new(cells: &[Cell], state: &[CellState]) -> Self {
        let ring = |cell: &Cell| {
            let ([n, w, e, s], [nw, ne, sw, se]) = (cell.around, cell.corners);
            [n, ne, e, se, s, sw, w, nw]
        };
        let alone: Vec<u32> = (0..=cells.len() as u32).collect();
        let mut size = vec![1; cells.len() + 1];
        // The places without a cell are larger than all others together.
        size[cells.len()] = u32::MAX / 2;
        let mut clusters = Clusters {
            ring: cells.iter().map(ring).collect(),
            up: alone.clone(),
            size,
            next: alone,
            united: Vec::new(),
            rim: Vec::new(),
        };
        for cell in (0..cells.len()).filter(|&cell| state[cell] == CellState::Closed) {
            clusters.close(cell as u32, state);
        }
        clusters.united.clear();
        clusters.forget_rim();
        clusters
    }

    /// What stands for the cluster of a closed cell.
    fn cluster(&self, mut cell: u32) -> u32 {
        while self.up[cell as usize] != cell {
            cell = self.up[cell as usize];
        }
        cell
    }

    /// Whether a cell parts the open cells, or would if it were open.
    pub fn parts(&self, cell: u32, state: &[CellState]) -> bool {
        let ring = &self.ring[cell as usize];
        let is_open = |place: usize| state[ring[place % 8] as usize] != CellState::Closed;
        let Some(first) = [0, 2, 4, 6].into_iter().find(|&side| is_open(side)) else {
            return false;
        };
        // In a gap between two open sides all closed cells are of one cluster.
        let (mut gaps, mut count, mut last) = ([0; 4], 0, None);
        for place in first + 1..=first + 8 {
            if !is_open(place) {
                last = Some(ring[place % 8]);
            } else if let (0, Some(closed)) = (place % 2, last) {
                (gaps[count], last) = (closed, None);
                count += 1;
            }
        }
        if count < 2 {
            return false;
        }
        let gaps = &mut gaps[..count];
        gaps.iter_mut().for_each(|gap| *gap = self.cluster(*gap));
        (1..count).any(|gap| gaps[..gap].contains(&gaps[gap]))
    }

    /// A cell is closed from here on, and `state` says so. Answers whether it parted the open cells.
    pub fn close(&mut self, cell: u32, state: &[CellState]) -> bool {
        let parted = self.parts(cell, state);
        for near in self.ring[cell as usize] {
            if state[near as usize] == CellState::Closed {
                self.unite(cell, near);
            }
        }
        parted
    }

    /// The clusters of a cell that was just closed and of another one are one. The smaller goes to the rim; so
    /// the largest of all that are united by and by does not.
    fn unite(&mut self, cell: u32, near: u32) {
        let (one, other) = (self.cluster(cell), self.cluster(near));
        if one == other {
            return;
        }
        let is_smaller = self.size[one as usize] <= self.size[other as usize];
        let (small, large) = if is_smaller { (one, other) } else { (other, one) };
        let mut member = small;
        loop {
            self.rim.push(member);
            member = self.next[member as usize];
            if member == small {
                break;
            }
        }
        self.up[small as usize] = large;
        self.size[large as usize] += self.size[small as usize];
        self.next.swap(small as usize, large as usize);
        self.united.push((small, cell));
    }

    /// The cell that was closed last is open again.
    pub fn open(&mut self, cell: u32) {
        while let Some((small, _)) = self.united.pop_if(|&mut (_, closed)| closed == cell) {
            let large = self.up[small as usize];
            self.next.swap(small as usize, large as usize);
            self.size[large as usize] -= self.size[small as usize];
            self.up[small as usize] = small;
        }
    }

    /// The cells of clusters that became part of a larger one, since they were forgotten.
    pub fn rim(&self) -> &[u32] {
        &self.rim
    }

    /// The cells around those, and the number of cells where none is.
    pub fn around_rim(&self) -> impl Iterator<Item = u32> {
        self.rim.iter().flat_map(|&cell| self.ring[cell as usize])
    }

    /// Empties the rim.
    pub fn forget_rim(&mut self) {
        self.rim.clear();
    }
}
