//! The one undo log of the constraints: push what was done, mark where a choice begins, and take
//! everything after a mark back, last in, first out.

/// A log of reversible entries, cut into levels by marks.
#[derive(Clone, Debug)]
pub struct Trail<T> {
    log: Vec<T>,
    marks: Vec<usize>,
}

impl<T> Default for Trail<T> {
    fn default() -> Self {
        Trail { log: Vec::new(), marks: Vec::new() }
    }
}

impl<T> Trail<T> {
    /// Opens a new level.
    pub fn mark(&mut self) {
        self.marks.push(self.log.len());
    }

    /// Adds an entry to the newest level.
    #[inline]
    pub fn push(&mut self, entry: T) {
        self.log.push(entry);
    }

    /// Number of levels that are open.
    pub fn levels(&self) -> usize {
        self.marks.len()
    }

    /// Closes all levels from `level` on (0 is the first) and hands their entries to `undo`, the
    /// latest first. Does nothing if fewer levels are open.
    #[inline]
    pub fn undo_to(&mut self, level: usize, mut undo: impl FnMut(T)) {
        let Some(&start) = self.marks.get(level) else { return };
        while self.log.len() > start {
            if let Some(entry) = self.log.pop() {
                undo(entry);
            }
        }
        self.marks.truncate(level);
    }

    /// All entries that stand, the oldest first.
    pub fn entries(&self) -> &[T] {
        &self.log
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undoes_by_level_in_reverse_order() {
        let mut trail = Trail::default();
        for level in 0..3 {
            trail.mark();
            trail.push(10 * level);
            trail.push(10 * level + 1);
        }
        let mut undone = Vec::new();
        trail.undo_to(1, |entry| undone.push(entry));
        assert_eq!(undone, [21, 20, 11, 10]);
        assert_eq!((trail.levels(), trail.entries()), (1, &[0, 1][..]));
        trail.undo_to(5, |_| unreachable!("level 5 is not open"));
    }
}
