//! Counting with the vector instructions of x86-64. This file has all `unsafe` of the crate.
//!
//! * With VPOPCNTDQ, which counts the bits of eight words at once, counts are made *anew*: for each word
//!   of the bitmap, eight items an instruction. No branch depends on the options.
//! * Otherwise, and with many items, by *difference*, as `count` explains, with a byte an item.
//!
//! Compilers make vector code of plain loops; but what they made of these loops took twice as long
//! (docs/benchmarks): it kept the counts in memory. Counts that live in variables of the vector types
//! stay in registers. Masks and options are stored in those types, too, so that no load is unsafe.
//!
//! What is unsafe is to call a function that was compiled for more than every machine has. A value of
//! one of the types here exists only on a machine that has it: `new` asks.

use std::arch::x86_64::*;

use crate::search::bits::count::{OptionCounts, MrvItem, BitStep};
use crate::search::bits::table::BitTable;
use crate::search::bits::{Instructions, With, LiveWord};
use crate::search::rows::OptionRows;

/// Takes the best instructions up to `most` that the machine has and that count the options of
/// `rows`; gives `what` back if there are none.
pub fn choose<W: With>(
    most: Instructions,
    rows: &OptionRows,
    table: &BitTable,
    what: W,
) -> Result<W::Output, W> {
    macro_rules! by {
        ($way:ident, $($size:literal)*, $needed:expr) => {
            match $needed {
                $(..=$size => return match $way::<$size>::new(rows) {
                    Some(count) => Ok(what.with(count)),
                    None => Err(what),
                },)*
                _ => {}
            }
        };
    }
    let (items, longest) = (rows.primary, rows.longest());
    let bytes = longest < u32::from(u8::MAX);
    if most == Instructions::Avx512 && has_avx512() {
        if longest < Anew::<1>::LIMIT && dense(rows, table) {
            by!(Anew, 1 2 3 4 5 6 7 8 9 10 12 16, items.div_ceil(8));
        }
        match bytes {
            true => by!(Bytes512, 1 2 3 4 5 6 8, items.div_ceil(64)),
            false => by!(Words512, 1 2 4 8 16, items.div_ceil(32)),
        }
    }
    if most != Instructions::Portable && has_avx2() {
        match bytes {
            true => by!(Bytes256, 1 2 3 4 5 6 8 10 12 16, items.div_ceil(32)),
            false => by!(Words256, 1 2 3 4 5 6 8 12 16 32, items.div_ceil(16)),
        }
    }
    Err(what)
}

/// The best instructions that the machine has.
pub fn best() -> Instructions {
    match (has_avx512(), has_avx2()) {
        (true, _) => Instructions::Avx512,
        (_, true) => Instructions::Avx2,
        _ => Instructions::Portable,
    }
}

/// Whether choices exclude so many options that it is less work to count anew.
fn dense(rows: &OptionRows, table: &BitTable) -> bool {
    table.exclusions() >= 4 * rows.primary.div_ceil(8)
}

fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

/// Counts anew: `G` groups of eight items, in lanes of 64 bits.
#[derive(Debug)]
struct Anew<const G: usize> {
    /// By word: by item, the options that have it.
    masks: Vec<[__m512i; G]>,
    /// By option: by group, which items it covers.
    options: Vec<[u8; G]>,
    /// By level: by group, which items are covered.
    covered: Vec<[u8; G]>,
}

impl<const G: usize> Anew<G> {
    /// A key is `count << 4 | group`, in sixteen bits, and all ones for a covered item.
    const LIMIT: u32 = 0xfff;

    fn new(rows: &OptionRows) -> Option<Self> {
        if !has_avx512() {
            return None;
        }
        let primary = rows.primary;
        let mut words = vec![[[0u64; 8]; G]; rows.options().div_ceil(64)];
        let mut options = vec![[0u8; G]; rows.options()];
        for option in 0..rows.options() {
            for item in rows.primary_items(option) {
                words[option / 64][item / 8][item % 8] |= 1 << (option % 64);
                options[option][item / 8] |= 1 << (item % 8);
            }
        }
        let mut covered = vec![[0; G]; primary + 1];
        for item in primary..8 * G {
            covered[0][item / 8] |= 1 << (item % 8);
        }
        let masks = words.into_iter().map(|groups| groups.map(Vector::from)).collect();
        Some(Anew { masks, options, covered })
    }

    #[inline]
    #[target_feature(
        enable = "avx2,popcnt,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq"
    )]
    fn count(&mut self, level: usize, option: usize, words: &[LiveWord]) -> MrvItem {
        let mut covered = self.covered[level - 1];
        let mut counts = [_mm512_setzero_si512(); G];
        for group in 0..G {
            covered[group] |= self.options[option][group];
            counts[group] = _mm512_maskz_set1_epi64(covered[group], 1 << 16);
        }
        self.covered[level] = covered;
        for word in words {
            let bits = _mm512_set1_epi64(word.bits.cast_signed());
            let masks = &self.masks[word.index as usize];
            for group in 0..G {
                let left = _mm512_popcnt_epi64(_mm512_and_si512(masks[group], bits));
                counts[group] = _mm512_add_epi64(counts[group], left);
            }
        }
        let mut least = _mm512_set1_epi64(i64::MAX);
        for (group, &counts) in counts.iter().enumerate() {
            let number = _mm512_set1_epi64(group as i64);
            let keys = _mm512_or_si512(_mm512_slli_epi64::<4>(counts), number);
            least = _mm512_min_epu32(least, keys);
        }
        // The first lane with the least key: so the first group, and in it the first item.
        let first = _mm_minpos_epu16(_mm512_cvtusepi64_epi16(least));
        let key = _mm_extract_epi16::<0>(first) as u32;
        let lane = _mm_extract_epi16::<1>(first) as u32;
        MrvItem { item: (key & 15) * 8 + lane, degree: key >> 4 }
    }
}

impl<const G: usize> OptionCounts for Anew<G> {
    #[inline(always)]
    fn descend(&mut self, step: &BitStep<'_>) -> MrvItem {
        // SAFETY: `new` has found that the machine has these features.
        unsafe { self.count(step.level, step.option, step.after) }
    }
}

/// Defines a way to count by difference with vectors of a certain type.
macro_rules! difference {
    (
        $(#[$doc:meta])* $name:ident: $lane:ty [$lanes:literal] as $vector:ty,
        $has:ident, $features:literal,
        $zero:ident $add:ident $sub:ident $or:ident $min:ident $fill:ident $least:ident $equal:ident
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        struct $name<const K: usize> {
            /// By option: ones in the lanes of its primary items.
            options: Vec<[$vector; K]>,
            /// By level.
            counts: Vec<[$vector; K]>,
            /// By level: all ones in the lanes of covered items.
            covered: Vec<[$vector; K]>,
        }

        impl<const K: usize> $name<K> {
            fn new(rows: &OptionRows) -> Option<Self> {
                if !$has() {
                    return None;
                }
                let primary = rows.primary;
                let place = |item: usize| (item / $lanes, item % $lanes);
                let nothing: [[$lane; $lanes]; K] = [[0; $lanes]; K];
                let mut options = vec![nothing; rows.options()];
                let (mut counts, mut covered) = (nothing, nothing);
                for (number, option) in options.iter_mut().enumerate() {
                    for (k, lane) in rows.primary_items(number).map(place) {
                        option[k][lane] = 1;
                        counts[k][lane] += 1;
                    }
                }
                for (k, lane) in (primary..K * $lanes).map(place) {
                    counts[k][lane] = <$lane>::MAX;
                    covered[k][lane] = <$lane>::MAX;
                }
                let vector = |lanes: [$lane; $lanes]| -> $vector { Vector::from(lanes) };
                Some($name {
                    options: options.into_iter().map(|option| option.map(vector)).collect(),
                    counts: vec![counts.map(vector); primary + 1],
                    covered: vec![covered.map(vector); primary + 1],
                })
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn count(&mut self, step: &BitStep<'_>) -> MrvItem {
                let options = &self.options[..];
                let mut covered = self.covered[step.level - 1];
                for k in 0..K {
                    covered[k] = $or(covered[k], $sub($zero(), options[step.option][k]));
                }
                let mut counts = [$zero(); K];
                if step.leaves_little() {
                    step.each(true, |option| {
                        for k in 0..K {
                            counts[k] = $add(counts[k], options[option][k]);
                        }
                    });
                } else {
                    counts = self.counts[step.level - 1];
                    step.each(false, |option| {
                        for k in 0..K {
                            counts[k] = $sub(counts[k], options[option][k]);
                        }
                    });
                }
                let mut least = $fill(-1);
                for k in 0..K {
                    counts[k] = $or(counts[k], covered[k]);
                    least = $min(least, counts[k]);
                }
                self.counts[step.level] = counts;
                self.covered[step.level] = covered;
                let degree = $least(least);
                let same = $fill(degree.cast_signed());
                let mut item = 0;
                for k in (0..K).rev() {
                    let places = $equal(counts[k], same);
                    if places != 0 {
                        item = (k * $lanes) as u32 + places.trailing_zeros();
                    }
                }
                MrvItem { item, degree: u32::from(degree) }
            }
        }

        impl<const K: usize> OptionCounts for $name<K> {
            #[inline(always)]
            fn descend(&mut self, step: &BitStep<'_>) -> MrvItem {
                // SAFETY: `new` has found that the machine has these features.
                unsafe { self.count(step) }
            }
        }
    };
}

difference! {
    /// Counts by difference, 64 in a vector.
    Bytes512: u8 [64] as __m512i,
    has_avx512, "avx2,popcnt,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq",
    _mm512_setzero_si512 _mm512_add_epi8 _mm512_sub_epi8 _mm512_or_si512 _mm512_min_epu8
    _mm512_set1_epi8 least_byte512 _mm512_cmpeq_epi8_mask
}

difference! {
    /// Counts by difference, 32 in a vector.
    Words512: u16 [32] as __m512i,
    has_avx512, "avx2,popcnt,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq",
    _mm512_setzero_si512 _mm512_add_epi16 _mm512_sub_epi16 _mm512_or_si512 _mm512_min_epu16
    _mm512_set1_epi16 least_word512 _mm512_cmpeq_epi16_mask
}

difference! {
    /// Counts by difference, 32 in a vector.
    Bytes256: u8 [32] as __m256i,
    has_avx2, "avx2,popcnt,bmi1,bmi2",
    _mm256_setzero_si256 _mm256_add_epi8 _mm256_sub_epi8 _mm256_or_si256 _mm256_min_epu8
    _mm256_set1_epi8 least_byte256 equal_bytes256
}

difference! {
    /// Counts by difference, 16 in a vector.
    Words256: u16 [16] as __m256i,
    has_avx2, "avx2,popcnt,bmi1,bmi2",
    _mm256_setzero_si256 _mm256_add_epi16 _mm256_sub_epi16 _mm256_or_si256 _mm256_min_epu16
    _mm256_set1_epi16 least_word256 equal_words256
}

/// The least of 64 bytes.
#[inline]
#[target_feature(enable = "avx512f,avx2")]
fn least_byte512(v: __m512i) -> u8 {
    least_byte256(_mm256_min_epu8(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v)))
}

/// The least of 32 numbers of 16 bits.
#[inline]
#[target_feature(enable = "avx512f,avx2")]
fn least_word512(v: __m512i) -> u16 {
    least_word256(_mm256_min_epu16(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v)))
}

/// The least of 32 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn least_byte256(v: __m256i) -> u8 {
    let v = _mm_min_epu8(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
    // The least of each pair, in the lower byte; the upper one becomes 0.
    let v = _mm_min_epu8(v, _mm_srli_epi16::<8>(v));
    _mm_extract_epi16::<0>(_mm_minpos_epu16(v)) as u8
}

/// The least of 16 numbers of 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn least_word256(v: __m256i) -> u16 {
    let v = _mm_min_epu16(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
    _mm_extract_epi16::<0>(_mm_minpos_epu16(v)) as u16
}

/// A bit for each byte: whether they are equal.
#[inline]
#[target_feature(enable = "avx2")]
fn equal_bytes256(a: __m256i, b: __m256i) -> u32 {
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(a, b)).cast_unsigned()
}

/// A bit for each number of 16 bits: whether they are equal.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
fn equal_words256(a: __m256i, b: __m256i) -> u32 {
    let bytes = _mm256_movemask_epi8(_mm256_cmpeq_epi16(a, b)).cast_unsigned();
    _pext_u32(bytes, 0x5555_5555)
}

/// A vector type, made from the numbers in its lanes.
trait Vector<Lanes> {
    /// The vector with these numbers.
    fn from(lanes: Lanes) -> Self;
}

macro_rules! vectors {
    ($($lanes:ty => $vector:ty)*) => {
        $(impl Vector<$lanes> for $vector {
            fn from(lanes: $lanes) -> $vector {
                // SAFETY: both have the same size, and any bits are a vector.
                unsafe { std::mem::transmute(lanes) }
            }
        })*
    };
}

vectors! {
    [u64; 8] => __m512i
    [u8; 64] => __m512i
    [u16; 32] => __m512i
    [u8; 32] => __m256i
    [u16; 16] => __m256i
}
