//! Names as numbers: each distinct byte string is stored once and gets the next number.
//!
//! Nearly all names have at most eight bytes, which Knuth's programs allow. They stand in the hash
//! table itself, as a number; whoever reads eight bytes at a time has that number already ([`ShortName`]).
//! Five of them share a line of the processor's cache, and all five are compared at once: to find a
//! name is a multiplication, one access to memory, and no branch that depends on the name. (With one
//! name at a place, as in most tables, those branches cost half of the time that it took to read a
//! large file.) Of a longer name the table has the hash.

use std::hash::{BuildHasher, Hasher};

/// A byte string as the hash table sees it: up to eight bytes, the first one lowest; or, if there are
/// more or one of them is 0, a hash whose lowest byte is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortName(u64);

/// The most bytes that a table has in itself.
pub const SHORT: usize = 8;

impl ShortName {
    /// The name whose bytes are these, the first one lowest, up to the first zero. After that there
    /// must be zeros only.
    #[inline(always)]
    pub fn short(bytes: u64) -> Self {
        ShortName(bytes)
    }

    #[inline]
    fn of(name: &[u8]) -> Self {
        if name.len() <= SHORT && !name.contains(&0) {
            return ShortName(name.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
        }
        let mut state = foldhash::fast::FixedState::default().build_hasher();
        state.write(name);
        ShortName(state.finish() << 8 | 1 << 63)
    }

    #[inline(always)]
    fn is_short(self) -> bool {
        self.0 == 0 || self.0 & 255 != 0
    }

    /// Where the search for it begins, as a part of 2^64: all bits of the word take part.
    #[inline(always)]
    fn place(self) -> u64 {
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15; // 2^64 divided by the golden ratio
        let product = u128::from(self.0 ^ 0x2545_f491_4f6c_dd1d) * u128::from(FACTOR);
        product as u64 ^ (product >> 64) as u64
    }
}

/// Names that share a line of the cache.
const WAYS: usize = 5;

/// The first places of a bucket are taken, the others free.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket {
    words: [ShortName; WAYS],
    numbers: [u32; WAYS],
}

/// The number at a free place.
const FREE: u32 = u32::MAX;

/// The word at a free place, which no byte string has.
const NOTHING: ShortName = ShortName(1 << 8);

/// How many names there are in a bucket in the mean, at most.
const LOAD: usize = 3;

/// A set of byte strings, numbered in the order of their first appearance.
///
/// The bytes stand end to end in one buffer; with its place in the table a name costs its length and
/// 30 to 51 bytes.
#[derive(Clone, Debug)]
pub struct Interner {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// A power of two.
    buckets: Vec<Bucket>,
    /// 64 less its logarithm.
    shift: u32,
}

impl Default for Interner {
    fn default() -> Self {
        Interner { bytes: Vec::new(), ends: Vec::new(), buckets: free(2), shift: 63 }
    }
}

fn free(count: usize) -> Vec<Bucket> {
    vec![Bucket { words: [NOTHING; WAYS], numbers: [FREE; WAYS] }; count]
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
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.bytes[start..self.ends[number]]
    }

    /// The number of `name`, if it is there.
    #[inline]
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        match ShortName::of(name) {
            word if word.is_short() => self.find_short(word),
            word => self.find_long(word, name),
        }
    }

    /// The number of a short name, if it is there.
    #[inline(always)]
    pub fn find_short(&self, word: ShortName) -> Option<u32> {
        let mask = self.buckets.len() - 1;
        let mut at = self.start(word);
        loop {
            let Bucket { words, numbers } = &self.buckets[at & mask];
            // Written so that it stays arithmetic: as a search it would become five branches.
            let equal = (0..WAYS).fold(0, |set, way| set | u32::from(words[way] == word) << way);
            if let Some(&number) = numbers.get(equal.trailing_zeros() as usize) {
                return Some(number);
            }
            if numbers[WAYS - 1] == FREE {
                return None;
            }
            at += 1;
        }
    }

    #[cold]
    fn find_long(&self, word: ShortName, name: &[u8]) -> Option<u32> {
        let mask = self.buckets.len() - 1;
        for at in self.start(word).. {
            let Bucket { words, numbers } = &self.buckets[at & mask];
            for (&other, &number) in words.iter().zip(numbers) {
                if number == FREE {
                    return None;
                }
                if other == word && self.name(number as usize) == name {
                    return Some(number);
                }
            }
        }
        None
    }

    /// The bucket in which the search for `word` begins.
    #[inline(always)]
    fn start(&self, word: ShortName) -> usize {
        (word.place() >> self.shift) as usize
    }

    /// Adds `name`. `Err` with its number if it is there already.
    pub fn insert(&mut self, name: &[u8]) -> Result<u32, u32> {
        if let Some(number) = self.find(name) {
            return Err(number);
        }
        let number = u32::try_from(self.len()).expect("a problem has fewer than 2^32 names");
        self.bytes.extend_from_slice(name);
        self.ends.push(self.bytes.len());
        if self.len() > LOAD * self.buckets.len() {
            self.grow();
        }
        self.place(ShortName::of(name), number);
        Ok(number)
    }

    /// Puts a word, which is not there, at the first free place.
    fn place(&mut self, word: ShortName, number: u32) {
        let mask = self.buckets.len() - 1;
        for at in self.start(word).. {
            let bucket = &mut self.buckets[at & mask];
            if let Some(way) = bucket.numbers.iter().position(|&number| number == FREE) {
                bucket.words[way] = word;
                bucket.numbers[way] = number;
                return;
            }
        }
    }

    #[cold]
    fn grow(&mut self) {
        let more = free(2 * self.buckets.len());
        self.shift -= 1;
        for Bucket { words, numbers } in std::mem::replace(&mut self.buckets, more) {
            for (word, number) in words.into_iter().zip(numbers).filter(|&(_, n)| n != FREE) {
                self.place(word, number);
            }
        }
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
        for i in 0..1000u32 {
            assert_eq!(names.find(format!("n{i}").as_bytes()), Some(i));
        }
    }

    #[test]
    fn tells_short_names_and_long_ones_apart() {
        let all: [&[u8]; 8] =
            [b"", b"\0", b"\0\0", b"a", b"a\0", b"abcdefgh", b"abcdefghi", b"abcdefghij"];
        for first in 0..all.len() {
            let mut names = Interner::default();
            let all = || all.iter().cycle().skip(first).take(all.len());
            for (number, name) in (0..).zip(all()) {
                assert_eq!((names.find(name), names.insert(name)), (None, Ok(number)));
            }
            for (number, name) in (0..).zip(all()) {
                assert_eq!((names.find(name), names.insert(name)), (Some(number), Err(number)));
            }
        }
        let mut names = Interner::default();
        all.iter().for_each(|name| _ = names.intern(name));
        let word = ShortName::short(u64::from_le_bytes(*b"abcdefgh"));
        assert_eq!(names.find_short(word), Some(5));
        assert_eq!(names.find_short(ShortName::short(u64::from(b'a'))), Some(3));
        assert_eq!(names.find_short(ShortName::short(u64::from(b'b'))), None);
    }

    #[test]
    fn finds_what_overflowed_into_other_buckets() {
        // All of these begin in the same bucket, as long as there are at most 64.
        let same = |name: &String| ShortName::of(name.as_bytes()).place() >> 58 == 7;
        let crowd: Vec<String> = (0u32..).map(|n| format!("{n:x}")).filter(same).take(40).collect();
        let mut names = Interner::default();
        for (number, name) in (0..).zip(&crowd) {
            assert_eq!(names.insert(name.as_bytes()), Ok(number));
        }
        for (number, name) in (0..).zip(&crowd) {
            assert_eq!(names.find(name.as_bytes()), Some(number));
        }
    }
}
