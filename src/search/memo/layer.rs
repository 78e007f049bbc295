//! States and how many partial covers lead to each: a hash table whose counts grow as they must.
//!
//! All counts of a layer have equally many 64-bit limbs, the least significant first. They only ever
//! grow by addition; when one overflows all get another limb. So most layers pay for one.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use num_bigint::BigUint;

/// A set of states of `N` words, each with a count.
#[derive(Debug)]
pub struct Layer<const N: usize> {
    keys: Vec<[u64; N]>,
    /// By state `limbs` limbs.
    counts: Vec<u64>,
    limbs: usize,
    table: HashTable<u32>,
}

/// The hash of a state. The seed is fixed, so that runs can be repeated.
#[inline(always)]
pub fn hash<const N: usize>(key: &[u64; N]) -> u64 {
    let mut hasher = FixedState::with_seed(0).build_hasher();
    key.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}

impl<const N: usize> Layer<N> {
    /// No states, whose counts will have at least so many limbs.
    pub fn new(limbs: usize) -> Self {
        let (keys, counts) = (Vec::new(), Vec::new());
        Layer { keys, counts, limbs, table: HashTable::new() }
    }

    /// The state in which nothing has happened, once.
    pub fn start() -> Self {
        let mut layer = Layer::new(1);
        layer.add([0; N], &[1]);
        layer
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Limbs of a count.
    pub fn limbs(&self) -> usize {
        self.limbs
    }

    /// The state with this number.
    #[inline]
    pub fn key(&self, at: usize) -> [u64; N] {
        self.keys[at]
    }

    /// Its count.
    #[inline]
    pub fn count(&self, at: usize) -> &[u64] {
        &self.counts[at * self.limbs..][..self.limbs]
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<[u64; N]>()
            + self.counts.capacity() * size_of::<u64>()
            + self.table.allocation_size()
    }

    /// Forgets all states but not the room for them.
    pub fn clear(&mut self, limbs: usize) {
        self.keys.clear();
        self.counts.clear();
        self.table.clear();
        self.limbs = limbs;
    }

    /// Adds to the count of `key`; answers with the number of the state.
    #[inline(always)]
    pub fn add(&mut self, key: [u64; N], count: &[u64]) -> u32 {
        use hashbrown::hash_table::Entry;
        let keys = &mut self.keys;
        let same = |&at: &u32| keys[at as usize] == key;
        match self.table.entry(hash(&key), same, |&at| hash(&keys[at as usize])) {
            Entry::Occupied(entry) => {
                let at = *entry.get();
                self.increase(at as usize, count);
                at
            }
            Entry::Vacant(entry) => {
                let at = keys.len() as u32;
                entry.insert(at);
                keys.push(key);
                debug_assert!(count.len() <= self.limbs);
                self.counts.extend_from_slice(count);
                self.counts.resize(keys.len() * self.limbs, 0);
                at
            }
        }
    }

    #[inline(always)]
    fn increase(&mut self, at: usize, count: &[u64]) {
        let own = &mut self.counts[at * self.limbs..][..self.limbs];
        let mut carry = false;
        for (own, &more) in own.iter_mut().zip(count) {
            let (sum, first) = own.overflowing_add(more);
            let (sum, second) = sum.overflowing_add(carry.into());
            (*own, carry) = (sum, first || second);
        }
        for own in &mut own[count.len()..] {
            (*own, carry) = own.overflowing_add(carry.into());
        }
        if carry {
            self.widen();
            self.counts[(at + 1) * self.limbs - 1] = 1;
        }
    }

    /// Gives each count another limb.
    #[cold]
    fn widen(&mut self) {
        let wide = self.limbs + 1;
        let mut counts = Vec::with_capacity(self.keys.capacity() * wide);
        for count in self.counts.chunks_exact(self.limbs) {
            counts.extend_from_slice(count);
            counts.push(0);
        }
        (self.counts, self.limbs) = (counts, wide);
    }

    /// Takes the later half of the states out, without their table: they are not looked up again.
    pub fn split(&mut self) -> Layer<N> {
        let half = self.len() / 2;
        let mut later = Layer::new(self.limbs);
        later.keys = self.keys.split_off(half);
        later.counts = self.counts.split_off(half * self.limbs);
        self.table = HashTable::new();
        self.keys.shrink_to_fit();
        self.counts.shrink_to_fit();
        later
    }

    /// The sum of the counts of the states that pass.
    pub fn sum(&self, mut passes: impl FnMut(&[u64; N]) -> bool) -> BigUint {
        let passing = (0..self.len()).filter(|&at| passes(&self.keys[at]));
        passing.map(|at| big(self.count(at))).sum()
    }
}

/// A number from its limbs.
pub fn big(limbs: &[u64]) -> BigUint {
    let digits = limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]);
    BigUint::new(digits.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_grow_beyond_any_word() {
        let mut layer = Layer::<1>::new(1);
        let mut wanted = [BigUint::from(0u32), BigUint::from(0u32)];
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..300 {
            let key = random.usize(..2);
            // Doubles it, and adds a little.
            let at = (0..layer.len()).find(|&at| layer.key(at) == [key as u64]);
            let count = at.map_or(vec![1], |at| layer.count(at).to_vec());
            let little = random.u64(..);
            layer.add([key as u64], &count);
            layer.add([key as u64], &[little]);
            wanted[key] += big(&count) + little;
        }
        assert!(layer.limbs() > 2);
        for at in 0..2 {
            assert_eq!(big(layer.count(at)), wanted[layer.key(at)[0] as usize]);
        }
        let both = layer.sum(|_| true);
        let later = layer.split();
        assert_eq!((layer.len(), later.len()), (1, 1));
        assert_eq!(layer.sum(|_| true) + later.sum(|_| true), both);
    }
}
