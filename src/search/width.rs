//! How wide the numbers of an engine are: links between nodes, and lengths of lists.
//!
//! A problem of fewer than 2^16 nodes, which nearly every puzzle is, gets 16-bit links. Its nodes
//! take half the space; and since a 16-bit number cannot miss an array of 2^16 elements, the compiler
//! leaves out the bounds checks, of which the inner loops of an engine are full. Measured on queens13
//! that is worth about a quarter of the time (docs/benchmarks).

use std::ops::{Index, IndexMut};

use crate::problem::Problem;
use crate::search::mrv::{Length, Long, SHORT_LIMIT, Short, longest};

/// A set of widths.
pub trait LinkWidth {
    /// What nodes, slots, colors and options' ends are numbered by.
    type Link: Link;
    /// What counts the options of an item.
    type Length: Length;
    /// Whether the least length is kept by blocks, which pays where there are many items.
    const BLOCKS: bool;
}

/// An array with an element for every node.
pub type Table<W, T> = <<W as LinkWidth>::Link as Link>::Table<T>;

/// A number of a node.
pub trait Link: Copy + Eq + Ord + std::fmt::Debug {
    /// An array with one element for every node.
    type Table<T: Copy + std::fmt::Debug>: Index<Self, Output = T>
        + IndexMut<Self>
        + AsRef<[T]>
        + AsMut<[T]>
        + std::fmt::Debug;
    /// The largest number; no node has it.
    const MAX: Self;
    /// Zero.
    const ZERO: Self;
    /// The number `n`, which must fit.
    fn new(n: usize) -> Self;
    /// The number.
    fn get(self) -> u32;
    /// The next number.
    fn next(self) -> Self;
    /// The number before.
    fn before(self) -> Self;
    /// An array that begins with `elements`; what follows, if anything, is `filler`.
    fn table<T: Copy + std::fmt::Debug>(elements: Vec<T>, filler: T) -> Self::Table<T>;
}

/// An array with an element for every 16-bit number.
#[derive(Debug)]
pub struct Table16<T>(Box<[T; 1 << 16]>);

/// An array with an element for every node there is.
#[derive(Debug)]
pub struct Table32<T>(Vec<T>);

macro_rules! link {
    ($int:ty, $table:ident, $make:expr) => {
        impl Link for $int {
            type Table<T: Copy + std::fmt::Debug> = $table<T>;
            const MAX: $int = <$int>::MAX;
            const ZERO: $int = 0;
            #[inline(always)]
            fn new(n: usize) -> Self {
                n as $int
            }
            #[inline(always)]
            fn get(self) -> u32 {
                u32::from(self)
            }
            #[inline(always)]
            fn next(self) -> Self {
                self.wrapping_add(1)
            }
            #[inline(always)]
            fn before(self) -> Self {
                self.wrapping_sub(1)
            }
            fn table<T: Copy + std::fmt::Debug>(elements: Vec<T>, filler: T) -> $table<T> {
                $make(elements, filler)
            }
        }

        impl<T> Index<$int> for $table<T> {
            type Output = T;
            #[inline(always)]
            fn index(&self, index: $int) -> &T {
                &self.0[index as usize]
            }
        }

        impl<T> AsRef<[T]> for $table<T> {
            #[inline(always)]
            fn as_ref(&self) -> &[T] {
                &self.0[..]
            }
        }

        impl<T> AsMut<[T]> for $table<T> {
            #[inline(always)]
            fn as_mut(&mut self) -> &mut [T] {
                &mut self.0[..]
            }
        }

        impl<T> IndexMut<$int> for $table<T> {
            #[inline(always)]
            fn index_mut(&mut self, index: $int) -> &mut T {
                &mut self.0[index as usize]
            }
        }
    };
}

fn table16<T: Copy>(mut elements: Vec<T>, filler: T) -> Table16<T> {
    elements.resize(1 << 16, filler);
    match elements.into_boxed_slice().try_into() {
        Ok(array) => Table16(array),
        Err(_) => unreachable!("the vector was resized to the length of the array"),
    }
}

fn table32<T: Copy>(elements: Vec<T>, _: T) -> Table32<T> {
    Table32(elements)
}

link!(u16, Table16, table16);
link!(u32, Table32, table32);

/// Fewer than 2^16 nodes and colors; no list of 2^14 options.
#[derive(Debug)]
pub struct Narrow;

/// Any number of nodes; no list of 2^14 options.
#[derive(Debug)]
pub struct Wide;

/// Any number of nodes, lists of any length.
#[derive(Debug)]
pub struct Huge;

impl LinkWidth for Narrow {
    const BLOCKS: bool = false;
    type Link = u16;
    type Length = Short;
}

impl LinkWidth for Wide {
    const BLOCKS: bool = true;
    type Link = u32;
    type Length = Short;
}

impl LinkWidth for Huge {
    const BLOCKS: bool = true;
    type Link = u32;
    type Length = Long;
}

/// Which widths hold a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// [`Narrow`] and all others.
    Narrow,
    /// [`Wide`] and [`Huge`].
    Wide,
    /// [`Huge`] alone.
    Huge,
}

/// The least width for `problem`, if the engine has `spare` nodes besides items and entries.
pub fn fit(problem: &Problem, spare: usize) -> Fit {
    let nodes = problem.items() + problem.entries() + spare;
    if longest(problem) >= SHORT_LIMIT {
        Fit::Huge
    } else if nodes < usize::from(u16::MAX) && problem.colors() < usize::from(u16::MAX) - 1 {
        Fit::Narrow
    } else {
        Fit::Wide
    }
}
