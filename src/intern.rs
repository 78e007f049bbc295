//! Names as numbers: each distinct byte string is stored once and gets the next number.

use std::hash::{BuildHasher, Hasher};

use hashbrown::HashTable;

/// A set of byte strings, numbered in the order of their first appearance.
///
/// The bytes stand end to end in one buffer; the table holds numbers only, so that a name costs its
/// length and about twelve bytes.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    table: HashTable<u32>,
    hasher: foldhash::fast::FixedState,
}

impl Interner {
    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name with this number.
    pub fn name(&self, number: usize) -> &[u8] {
        slice(&self.bytes, &self.ends, number)
    }

    /// The number of `name`, if it is there.
    #[inline]
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        let same = |&number: &u32| self.name(number as usize) == name;
        self.table.find(hash(&self.hasher, name), same).copied()
    }

    /// Adds `name`. `Err` with its number if it is there already.
    pub fn insert(&mut self, name: &[u8]) -> Result<u32, u32> {
        if let Some(number) = self.find(name) {
            return Err(number);
        }
        let number = u32::try_from(self.len()).expect("a problem has fewer than 2^32 names");
        self.bytes.extend_from_slice(name);
        self.ends.push(self.bytes.len());
        let Interner { bytes, ends, table, hasher } = self;
        table.insert_unique(hash(hasher, name), number, |&number| {
            hash(hasher, slice(bytes, ends, number as usize))
        });
        Ok(number)
    }

    /// The number of `name`, which is added if it is new.
    pub fn intern(&mut self, name: &[u8]) -> u32 {
        self.insert(name).unwrap_or_else(|number| number)
    }

    /// All names in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|number| self.name(number))
    }
}

#[inline]
fn slice<'a>(bytes: &'a [u8], ends: &[usize], number: usize) -> &'a [u8] {
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &bytes[start..ends[number]]
}

#[inline]
fn hash(hasher: &foldhash::fast::FixedState, name: &[u8]) -> u64 {
    let mut state = hasher.build_hasher();
    state.write(name);
    state.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_in_order_and_finds_them_again() {
        let mut names = Interner::default();
        for i in 0..1000u32 {
            assert_eq!(names.insert(format!("n{i}").as_bytes()), Ok(i));
        }
        assert_eq!(names.insert(b"n7"), Err(7));
        assert_eq!(names.intern(b""), 1000);
        assert_eq!((names.find(b"n999"), names.find(b"n1000")), (Some(999), None));
        assert_eq!((names.name(0), names.name(1000)), (&b"n0"[..], &b""[..]));
    }
}
