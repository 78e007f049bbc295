//! States and how many partial covers lead to each: a hash table whose counts grow as they must.
//!
//! All counts of a layer have equally many 64-bit limbs, the least significant first. They only ever
//! grow by addition; when one overflows all get another limb. So most layers pay for one.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use num_bigint::BigUint;

/// Bits of a slot of the table that say which state it means; the others are taken from its hash.
const INDEX: u32 = 40;

/// Slots of the least table.
const LEAST_SLOTS: usize = 16;

/// States that are looked up together.
const MANY: usize = 64;

/// A set of states of `N` words, each with a count.
#[derive(Debug)]
pub struct Layer<const N: usize> {
    /// By state its words, and then `limbs` limbs of its count.
    rows: Vec<u64>,
    limbs: usize,
    len: usize,
    /// By hash 0, or one more than the number of a state below the highest bits of the hash. A power of
    /// 2 of them, at most half of which are in use; who finds a slot taken takes the next.
    table: Vec<u64>,
}

/// States on their way into a layer. They are looked up together, step by step: so the memory is asked
/// for many things at once instead of for one after the other.
#[derive(Debug, Default)]
pub struct Arrivals<const N: usize> {
    all: Vec<Arrival<N>>,
}

#[derive(Debug)]
struct Arrival<const N: usize> {
    key: [u64; N],
    /// How it came about.
    way: usize,
    /// The state before, by its number.
    origin: usize,
    hash: u64,
    /// What the table has where the hash says; then 0 unless that is this state.
    slot: u64,
}

impl<const N: usize> Arrivals<N> {
    /// Whether it is time that the layer receives them.
    #[inline]
    pub fn are_many(&self) -> bool {
        self.all.len() >= MANY
    }

    /// One more, that came in this way from `origin`.
    #[inline(always)]
    pub fn push(&mut self, key: [u64; N], way: usize, origin: usize) {
        self.all.push(Arrival { key, way, origin, hash: 0, slot: 0 });
    }

    /// Changes each.
    #[inline(always)]
    pub fn for_each(&mut self, mut change: impl FnMut(&mut [u64; N])) {
        self.all.iter_mut().for_each(|one| change(&mut one.key));
    }

    /// Leaves those that pass, which may be changed, given their way and origin.
    #[inline(always)]
    pub fn retain(&mut self, mut passes: impl FnMut(&mut [u64; N], usize, usize) -> bool) {
        self.all.retain_mut(|one| passes(&mut one.key, one.way, one.origin));
    }
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
        Layer { rows: Vec::new(), limbs, len: 0, table: vec![0; LEAST_SLOTS] }
    }

    /// The state in which nothing has happened, once.
    pub fn start() -> Self {
        let mut layer = Layer::new(1);
        layer.add([0; N], &[1]);
        layer
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Limbs of a count.
    pub fn limbs(&self) -> usize {
        self.limbs
    }

    /// Words of a row.
    fn stride(&self) -> usize {
        N + self.limbs
    }

    /// The state with this number.
    #[inline]
    pub fn key(&self, at: usize) -> [u64; N] {
        let row = &self.rows[at * self.stride()..][..N];
        std::array::from_fn(|word| row[word])
    }

    /// Its count.
    #[inline]
    pub fn count(&self, at: usize) -> &[u64] {
        &self.rows[at * self.stride() + N..][..self.limbs]
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        (self.rows.capacity() + self.table.capacity()) * size_of::<u64>()
    }

    /// Forgets all states but not the room for them.
    pub fn clear(&mut self, limbs: usize) {
        self.rows.clear();
        self.table.fill(0);
        (self.limbs, self.len) = (limbs, 0);
    }

    /// Adds to the count of `key`; answers with the number of the state.
    #[inline(always)]
    pub fn add(&mut self, key: [u64; N], count: &[u64]) -> usize {
        let hash = hash(&key);
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.table[at];
            if slot == 0 {
                return self.insert(at, hash, key, count);
            }
            if let Some(state) = self.meant(slot, hash, &key) {
                self.increase(state, count);
                return state;
            }
            at = (at + 1) & mask;
        }
    }

    /// The state that a slot means, if it is `key`.
    #[inline(always)]
    fn meant(&self, slot: u64, hash: u64, key: &[u64; N]) -> Option<usize> {
        let may_be = slot != 0 && (slot ^ hash) >> INDEX == 0;
        may_be.then(|| state_of(slot)).filter(|&state| self.key(state) == *key)
    }

    /// Adds all that arrived from `layer`, with the counts of their origins; answers with their number.
    pub fn receive(&mut self, arrivals: &mut Arrivals<N>, layer: &Layer<N>) -> u64 {
        let number = arrivals.all.len() as u64;
        let mask = self.table.len() - 1;
        for one in &mut arrivals.all {
            one.hash = hash(&one.key);
            one.slot = self.table[one.hash as usize & mask];
        }
        // A slot keeps its meaning, so what is found now remains true.
        for one in &mut arrivals.all {
            let state = self.meant(one.slot, one.hash, &one.key);
            one.slot = if state.is_some() { one.slot } else { 0 };
        }
        for one in arrivals.all.drain(..) {
            let count = layer.count(one.origin);
            match one.slot {
                0 => _ = self.add(one.key, count),
                slot => self.increase(state_of(slot), count),
            }
        }
        number
    }

    /// A new state, for which the table has a free slot.
    #[inline(always)]
    fn insert(&mut self, slot: usize, hash: u64, key: [u64; N], count: &[u64]) -> usize {
        let state = self.len;
        self.len += 1;
        self.table[slot] = mark(state, hash);
        self.rows.extend_from_slice(&key);
        self.rows.extend_from_slice(count);
        debug_assert!(count.len() <= self.limbs);
        if count.len() < self.limbs {
            self.rows.resize(self.len * self.stride(), 0);
        }
        if 2 * self.len > self.table.len() {
            self.grow();
        }
        state
    }

    /// Makes the table twice as large.
    #[cold]
    fn grow(&mut self) {
        let slots = 2 * self.table.len();
        self.table.clear();
        self.table.resize(slots, 0);
        for state in 0..self.len {
            let hash = hash(&self.key(state));
            let mut at = hash as usize & (slots - 1);
            while self.table[at] != 0 {
                at = (at + 1) & (slots - 1);
            }
            self.table[at] = mark(state, hash);
        }
    }

    #[inline(always)]
    fn increase(&mut self, at: usize, count: &[u64]) {
        let from = at * self.stride() + N;
        let mut carry = false;
        match (&mut self.rows[from..][..self.limbs], count) {
            ([own], &[more]) => (*own, carry) = own.overflowing_add(more),
            (own, count) => {
                for (own, &more) in own.iter_mut().zip(count) {
                    let (sum, first) = own.overflowing_add(more);
                    let (sum, second) = sum.overflowing_add(carry.into());
                    (*own, carry) = (sum, first || second);
                }
                for own in &mut own[count.len()..] {
                    (*own, carry) = own.overflowing_add(carry.into());
                }
            }
        }
        if carry {
            self.widen();
            let last = (at + 1) * self.stride() - 1;
            self.rows[last] = 1;
        }
    }

    /// Gives each count another limb.
    #[cold]
    fn widen(&mut self) {
        let narrow = self.stride();
        let mut rows = Vec::with_capacity(self.rows.capacity() / narrow * (narrow + 1));
        for row in self.rows.chunks_exact(narrow) {
            rows.extend_from_slice(row);
            rows.push(0);
        }
        self.rows = rows;
        self.limbs += 1;
    }

    /// Takes the later half of the states out, without their table: they are not looked up again.
    pub fn split(&mut self) -> Layer<N> {
        let half = self.len / 2;
        let mut later = Layer::new(self.limbs);
        later.rows = self.rows.split_off(half * self.stride());
        (self.len, later.len) = (half, self.len - half);
        self.table = vec![0; LEAST_SLOTS];
        self.rows.shrink_to_fit();
        later
    }

    /// The sum of the counts of the states that pass.
    pub fn sum(&self, mut passes: impl FnMut(&[u64; N]) -> bool) -> BigUint {
        let passing = (0..self.len).filter(|&at| passes(&self.key(at)));
        passing.map(|at| big(self.count(at))).sum()
    }
}

/// What a slot says of a state.
fn mark(state: usize, hash: u64) -> u64 {
    hash >> INDEX << INDEX | (state as u64 + 1)
}

/// The state that a slot means.
#[inline(always)]
fn state_of(slot: u64) -> usize {
    (slot & !(!0 << INDEX)) as usize - 1
}

/// A number from its limbs.
pub fn big(limbs: &[u64]) -> BigUint {
    let digits = limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]);
    BigUint::new(digits.collect())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

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

    #[test]
    fn arrivals_are_counted_as_if_they_came_one_by_one() {
        let mut random = fastrand::Rng::with_seed(5);
        for most in [3, 100, 5000] {
            let mut origins = Layer::<2>::start();
            (1..20).for_each(|at| _ = origins.add([at, 0], &[at << 59]));
            let mut layer = Layer::<2>::new(1);
            let mut arrivals = Arrivals::default();
            let mut wanted: HashMap<[u64; 2], BigUint> = HashMap::new();
            let mut order = Vec::new();
            for _ in 0..5 * most {
                let (key, origin) =
                    ([random.u64(..most), random.u64(..2) << 63], random.usize(..20));
                arrivals.push(key, 0, origin);
                let count = wanted.entry(key).or_insert_with(|| {
                    order.push(key);
                    BigUint::default()
                });
                *count += big(origins.count(origin));
                if arrivals.are_many() {
                    assert_eq!(layer.receive(&mut arrivals, &origins), MANY as u64);
                }
            }
            layer.receive(&mut arrivals, &origins);
            assert_eq!(layer.receive(&mut arrivals, &origins), 0);
            assert_eq!(layer.len(), order.len());
            for (at, key) in order.iter().enumerate() {
                assert_eq!((layer.key(at), &big(layer.count(at))), (*key, &wanted[key]));
            }
            layer.clear(2);
            assert_eq!((layer.len(), layer.add([1, 1], &[7]), layer.len()), (0, 0, 1));
            assert_eq!(layer.count(0), [7, 0]);
        }
    }
}
