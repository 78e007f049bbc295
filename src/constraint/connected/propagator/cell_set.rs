//! The cells that are open and not required.

/// A set of cells that shrinks, and grows again in the reverse order. The cells that left stand
/// behind the others, the latest first.
#[derive(Clone, Debug)]
pub(super) struct CellSet {
    cells: Vec<u32>,
    /// By cell: where it stands.
    place: Vec<u32>,
    len: usize,
}

impl CellSet {
    /// Cells in increasing order.
    pub fn of(cells: impl Iterator<Item = usize>) -> Self {
        let cells: Vec<u32> = cells.map(|cell| cell as u32).collect();
        let mut place = vec![0; cells.last().map_or(0, |&last| last as usize + 1)];
        for (at, &cell) in cells.iter().enumerate() {
            place[cell as usize] = at as u32;
        }
        let len = cells.len();
        CellSet { cells, place, len }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The cell in this place, which is less than the length.
    pub fn get(&self, place: usize) -> u32 {
        self.cells[place]
    }

    /// Takes a cell of the set out; the last one moves to its place.
    pub fn remove(&mut self, cell: u32) {
        self.len -= 1;
        let (hole, last) = (self.place[cell as usize], self.cells[self.len]);
        self.cells.swap(hole as usize, self.len);
        self.place[last as usize] = hole;
        self.place[cell as usize] = self.len as u32;
    }

    /// Takes back the cell that left last.
    pub fn restore(&mut self) {
        self.len += 1;
    }
}
