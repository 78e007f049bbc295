//! ZDDs: sets of solutions as a diagram of yes or no (Minato, DAC 1993; TAOCP 7.1.4).
//!
//! A node asks about one option: `lo` leads to the solutions without it, `hi` to those with it. What
//! begins alike or ends alike is written once, so that a few thousand nodes may hold more solutions than
//! anybody could list. These are the solutions of Knuth's first example, option 4 with 5 and 1, no other:
//!
//! ```text
//! 2: (~1?0:1)       with option 1: done
//! 3: (~5?0:2)       with option 5: go on at 2
//! 4: (~4?0:3)       with option 4: go on at 3
//! ```
//!
//! | file | what |
//! |---|---|
//! | `arena` | stacks that never move what they hold |
//! | `trie` | a diagram of covers that come in the order of a tree |
//! | `covers` | a diagram of covers that are listed in any order |
//!
//! # Invariants
//!
//! `hi` of a node is never [`NONE`], children are made before their parents, and no two nodes that
//! [`Unique`] has made since it was cleared are equal. So if all paths ask about options in the same order, the
//! diagram is the only one for its set that does (and as small as that order allows).

pub mod arena;
pub mod covers;
pub mod trie;

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::ids::OptionId;
use crate::search::engine::Status;
use crate::search::zdd::arena::Chunks;

/// The node of no solution.
pub const NONE: u32 = 0;

/// The node of the solution to which no option need be added.
pub const UNIT: u32 = 1;

/// The number of the first node proper.
const FIRST: u32 = 2;

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZddNode {
    /// Is this option chosen?
    pub option: OptionId,
    /// If not, go on here.
    pub lo: u32,
    /// If it is, go on there.
    pub hi: u32,
}

/// What a diagram was made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZddSource {
    /// Layers of states: all paths ask about options in the same order.
    #[default]
    Frontier,
    /// A search tree with a memo: paths have orders of their own.
    Tree,
    /// A list of the solutions: all paths ask about options in the same order.
    List,
}

/// A diagram.
#[derive(Debug, Default)]
pub struct Zdd {
    nodes: Chunks<ZddNode>,
    /// Where to begin; at first there is no solution.
    pub root: u32,
    /// What it was made from.
    pub source: ZddSource,
}

impl Zdd {
    /// To be made from `source`.
    pub fn new(source: ZddSource) -> Self {
        Zdd { source, ..Zdd::default() }
    }

    /// Number of nodes, [`NONE`] and [`UNIT`] among them, as `dlx6` counts them: it has no need of the
    /// latter where there is no solution.
    pub fn size(&self) -> u64 {
        match self.root {
            NONE => 1,
            _ => self.nodes.len() as u64 + u64::from(FIRST),
        }
    }

    /// The nodes proper with their numbers; those that a node refers to come before it.
    pub fn nodes(&self) -> impl Iterator<Item = (u32, ZddNode)> + '_ {
        (FIRST..).zip(self.nodes.iter().copied())
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
    }

    fn node(&self, number: u32) -> ZddNode {
        *self.nodes.get((number - FIRST) as usize)
    }
}

/// Sees to it that nodes are not written twice.
#[derive(Debug, Default)]
pub struct Unique {
    table: HashTable<u32>,
}

/// The hash of a node. The seed is fixed, so that runs can be repeated.
fn hash(node: ZddNode) -> u64 {
    let mut hasher = FixedState::with_seed(0).build_hasher();
    hasher.write_u64(u64::from(node.lo) << 32 | u64::from(node.hi));
    hasher.write_u64(node.option.index() as u64);
    hasher.finish()
}

impl Unique {
    /// The number of this node, which is added to `zdd` if it is not there yet. [`Status::Full`] if there are
    /// more nodes than 32 bits can number.
    pub fn node(&mut self, zdd: &mut Zdd, node: ZddNode) -> Result<u32, Status> {
        if node.hi == NONE {
            return Ok(node.lo);
        }
        let same = |&number: &u32| zdd.node(number) == node;
        match self.table.entry(hash(node), same, |&number| hash(zdd.node(number))) {
            Entry::Occupied(entry) => Ok(*entry.get()),
            Entry::Vacant(entry) => {
                let number = u32::try_from(zdd.nodes.len() + FIRST as usize);
                let number = number.map_err(|_| Status::Full)?;
                entry.insert(number);
                zdd.nodes.push(node);
                Ok(number)
            }
        }
    }

    /// Forgets all nodes: none of them will be asked for again.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.table.allocation_size()
    }
}
