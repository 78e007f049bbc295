//! The memo: what is left of a problem, and in how many ways that can be covered.
//!
//! A key is a set of bits: the items that are left, and the colors that some remaining option asks for.
//! Most words of a key are zero when few items are left, or when a component is far from all others;
//! so an entry is a mask that tells which words are not, those words, and the count; and, if a ZDD is made, a
//! node.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use num_bigint::BigUint;

use crate::search::memo::algorithm_z::Value;
use crate::search::memo::big_count::BigCount;

/// Counts from here on are the numbers of big ones.
const BIG: u64 = 1 << 63;

/// A key: the words that are not zero, after masks of 64 words each that tell which they are.
pub type Key = Vec<u64>;

/// Keys with counts.
#[derive(Debug)]
pub struct KeyStore {
    /// Words of a key before it is packed.
    width: usize,
    /// Words of an entry before the key: the count, and perhaps a node.
    head: usize,
    /// Entries.
    entries: Vec<u64>,
    table: HashTable<u32>,
    bigs: Vec<BigUint>,
    big_bytes: usize,
    /// Bytes that it may take; no entry is added when they are used up.
    room: usize,
}

fn hash(key: &[u64]) -> u64 {
    let mut hasher = FixedState::with_seed(0).build_hasher();
    key.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}

impl KeyStore {
    /// For keys of `width` words. Nodes are kept if `draws` says so.
    pub fn new(width: usize, draws: bool, room: usize) -> Self {
        let (entries, bigs) = (Vec::new(), Vec::new());
        let head = 1 + usize::from(draws);
        KeyStore { width, head, entries, table: HashTable::new(), bigs, big_bytes: 0, room }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * 8 + self.table.allocation_size() + self.big_bytes
    }

    /// Packs `words` at the end of `key`.
    pub fn pack(&self, words: &[u64], key: &mut Key) {
        if self.width == 1 {
            key.extend_from_slice(words);
            return;
        }
        for words in words.chunks(64) {
            let bit = |(at, &word): (usize, &u64)| u64::from(word != 0) << at;
            key.push(words.iter().enumerate().map(bit).sum());
            key.extend(words.iter().filter(|&&word| word != 0));
        }
    }

    /// What is known about `key`.
    pub fn find(&self, key: &[u64]) -> Option<Value> {
        let KeyStore { width, head, entries, .. } = self;
        let same = |&at: &u32| key_at(entries, *width, *head, at) == key;
        let at = *self.table.find(hash(key), same)? as usize;
        let count = match entries[at] {
            count if count < BIG => BigCount::Small(count),
            count => BigCount::from_big(self.bigs[(count - BIG) as usize].clone()),
        };
        let node = if *head > 1 { entries[at + 1] as u32 } else { 0 };
        Some(Value { count, node })
    }

    /// Remembers it, if there is room.
    pub fn insert(&mut self, key: &[u64], value: &Value) {
        let (entries, table) = (&self.entries, &self.table);
        let grows = entries.len() + key.len() + self.head > entries.capacity();
        let rehashes = table.len() == table.capacity();
        // For a moment the old and the new array are there.
        let more = usize::from(grows) * 2 * (entries.capacity() + key.len() + self.head) * 8
            + usize::from(rehashes) * 2 * table.allocation_size();
        if self.bytes().saturating_add(more) > self.room || entries.len() > u32::MAX as usize {
            return;
        }
        let count = match &value.count {
            BigCount::Small(small) if *small < BIG => *small,
            big => {
                self.bigs.push(big.big());
                self.big_bytes += size_of::<BigUint>() + big.big().bits().div_ceil(8) as usize;
                BIG + self.bigs.len() as u64 - 1
            }
        };
        let at = self.entries.len() as u32;
        self.entries.push(count);
        self.entries.extend((1..self.head).map(|_| u64::from(value.node)));
        self.entries.extend_from_slice(key);
        let KeyStore { width, head, entries, table, .. } = self;
        table.insert_unique(hash(key), at, |&at| hash(key_at(entries, *width, *head, at)));
    }
}

/// The key of the entry at `at`.
fn key_at(entries: &[u64], width: usize, head: usize, at: u32) -> &[u64] {
    let entry = &entries[at as usize + head..];
    if width == 1 {
        return &entry[..1];
    }
    let mut length = 0;
    for _ in 0..width.div_ceil(64) {
        length += 1 + entry[length].count_ones() as usize;
    }
    &entry[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_what_it_is_told_while_there_is_room() {
        for width in [1, 2, 5, 64, 70] {
            let mut random = fastrand::Rng::with_seed(width as u64);
            let draws = width % 2 == 0;
            let mut store = KeyStore::new(width, draws, 1 << 16);
            let mut told = std::collections::HashMap::new();
            for _ in 0..5000 {
                let mut words: Vec<u64> = vec![0; width];
                for _ in 0..random.usize(..4) {
                    words[random.usize(..width)] |= 1 << random.u32(..8);
                }
                let mut key = Key::new();
                store.pack(&words, &mut key);
                let wanted = told.get(&words);
                let found = store.find(&key);
                if let (Some(found), Some(wanted)) = (&found, wanted) {
                    assert_eq!(found, wanted);
                } else {
                    assert!(found.is_none());
                    let count =
                        BigCount::Small(random.u64(..)).times(&BigCount::Small(random.u64(..3)));
                    let node = if draws { random.u32(..) } else { 0 };
                    let value = Value { count, node };
                    store.insert(&key, &value);
                    told.insert(words, value);
                }
                assert!(store.bytes() <= 1 << 16);
            }
            assert!(store.len() > 10);
        }
    }
}
