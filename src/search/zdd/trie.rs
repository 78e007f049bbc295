//! A diagram of covers that come one after the other, in the order of a search tree.
//!
//! Covers that begin alike come together, so only the path to the last one is open: what has been left
//! becomes nodes, the deepest first, and equal ends are found in the table of nodes (compare Daciuk, Mihov,
//! Watson, Watson, Computational Linguistics 26, 2000, who do so with words of a dictionary).

use crate::ids::OptionId;
use crate::search::engine::Status;
use crate::search::zdd::{NONE, ZddNode, ZddSource, UNIT, Unique, Zdd};

/// A diagram, and where it grows.
#[derive(Debug)]
pub struct Trie {
    zdd: Zdd,
    unique: Unique,
    /// The last cover; none if there was none.
    last: Option<Vec<OptionId>>,
    /// By depth: the node of those covers before the last one that begin like it up to there.
    open: Vec<u32>,
}

impl Trie {
    /// Without covers.
    pub fn new(source: ZddSource) -> Self {
        let (zdd, unique) = (Zdd::new(source), Unique::default());
        Trie { zdd, unique, last: None, open: Vec::new() }
    }

    /// Adds a cover. Those that begin alike come one after the other, and none begins with all of another.
    pub fn push(&mut self, cover: &[OptionId]) -> Result<(), Status> {
        if let Some(mut last) = self.last.take() {
            let same = last.iter().zip(cover).take_while(|(a, b)| a == b).count();
            let node = self.close(&last, same)?;
            self.open.truncate(same);
            self.open.push(node);
            last.truncate(same);
            last.extend_from_slice(&cover[same..]);
            self.last = Some(last);
        } else {
            self.last = Some(cover.to_vec());
        }
        self.open.resize(cover.len(), NONE);
        Ok(())
    }

    /// The diagram of all.
    pub fn finish(mut self) -> Result<Zdd, Status> {
        if let Some(last) = self.last.take() {
            self.zdd.root = self.close(&last, 0)?;
        }
        Ok(self.zdd)
    }

    /// Bytes on the heap; a table that grows is there twice for a moment.
    pub fn bytes(&self) -> usize {
        self.zdd.bytes() + 3 * self.unique.bytes()
    }

    /// The node of all covers so far that begin like the last one up to this depth.
    fn close(&mut self, last: &[OptionId], depth: usize) -> Result<u32, Status> {
        let mut node = UNIT;
        for (&option, &lo) in last.iter().zip(&self.open).skip(depth).rev() {
            node = self.unique.node(&mut self.zdd, ZddNode { option, lo, hi: node })?;
        }
        Ok(node)
    }
}
