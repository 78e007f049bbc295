//! Signatures: what is left to be covered, as bits, with a hash code.

use super::{Known, Memos, Part, TABLE};
use crate::knuth::flip::Flip;
use crate::knuth::machine::{Machine, RANDOM};
use crate::search::memo::big_count::BigCount;

/// Marks all words of a signature but its last.
const MORE: u64 = 1 << 63;

impl Machine {
    /// All options are read: says which bits of a signature belong to which item.
    pub(in crate::knuth) fn prepare_memos(&mut self) {
        let mut random = self.random.take().unwrap_or_else(|| Flip::new(0));
        let (mut word, mut shift, mut sum) = (1, 0, 0u64);
        let mut parts = vec![Part::default(); self.last_item as usize];
        for item in (1..self.last_item).rev() {
            let at = item as usize;
            if item < self.second {
                if shift == 63 {
                    (word, shift) = (word + 1, 0);
                }
                self.mems += 2 + RANDOM;
                parts[at] = Part { word, shift, codes: vec![(0, random.next())] };
                (shift, sum) = (shift + 1, sum + 1);
                continue;
            }
            self.mems += 1;
            if self.nodes[at].down == item {
                self.leave(item);
                continue;
            }
            self.mems += 1;
            self.nodes[at].color = 0;
            let mut codes = vec![(0, 0)];
            let mut node = self.nodes[at].down;
            while node > item {
                let color = self.nodes[node as usize].color;
                self.mems += 2;
                if color != 0 {
                    self.mems += 2;
                    if codes.iter().all(|code| code.0 != color) {
                        self.mems += 2;
                        codes.push((color, 0));
                    }
                }
                node = self.nodes[node as usize].down;
            }
            let bits = usize::BITS - codes.len().leading_zeros();
            if shift + bits >= 63 {
                (word, shift) = (word + 1, 0);
            }
            for code in &mut codes {
                self.mems += 4 + RANDOM;
                code.1 = random.next();
            }
            sum += codes.len() as u64;
            parts[at] = Part { word, shift, codes };
            shift += bits;
        }
        if self.settings.seed.is_some() {
            self.random = Some(random);
        }
        self.zdd.parts = parts;
        self.zdd.sizes = (sum, word);
    }

    /// Appends the signature of what is left to the cache, without taking its room. Answers with its
    /// hash code.
    fn write_signature(&mut self) -> u32 {
        let (start, last) = (self.zdd.used.0, self.zdd.sizes.1);
        self.zdd.cache.resize(start + last + 1, 0);
        let (mut hash, mut word, mut bits) = (0u32, 1, 0u64);
        for circle in [self.last_item, 0] {
            self.mems += 1;
            let mut item = self.items[circle as usize].before;
            while item != circle {
                let node = self.nodes[item as usize];
                let secondary = circle != 0;
                self.mems += u64::from(secondary);
                if !secondary || node.item != 0 {
                    let part = &self.zdd.parts[item as usize];
                    self.mems += 1;
                    while word < part.word {
                        self.mems += 1;
                        self.zdd.cache[start + word] = bits | MORE;
                        (word, bits) = (word + 1, 0);
                    }
                    let color = if secondary { node.color } else { 0 };
                    let place = part.codes.iter().position(|code| code.0 == color).unwrap_or(0);
                    self.mems += 1 + u64::from(secondary);
                    hash = hash.wrapping_add(part.codes[place].1);
                    bits += (place as u64 + 1) << part.shift;
                }
                self.mems += 1;
                item = self.items[item as usize].before;
            }
        }
        self.mems += 1;
        self.zdd.cache[start + word] = bits;
        hash
    }

    /// Looks the signature of what is left up. Answers with its position, and whether it was there;
    /// otherwise it is there now (TAOCP 6.4, Algorithm D).
    pub(super) fn find_signature(&mut self) -> (u32, bool) {
        let hash = self.write_signature();
        let (Memos { cache, table, used, sizes, .. }, mems) = (&mut self.zdd, &mut self.mems);
        let start = used.0 + 1;
        let mask = (1u32 << TABLE) - 1;
        let step = hash >> (TABLE - 1) | 1;
        let mut position = hash & mask;
        loop {
            *mems += 1;
            let Some(known) = table.get(&position) else { break };
            for l in 0.. {
                *mems += 2;
                if cache[known.at + l] != cache[start + l] {
                    break;
                }
                if cache[known.at + l] & MORE == 0 {
                    return (position, true);
                }
            }
            position = position.wrapping_add(step) & mask;
        }
        *mems += 2;
        table.insert(position, Known { at: start, node: 0, count: BigCount::ZERO });
        *used = (used.0 + sizes.1 + 1, used.0);
        self.zdd.memos += 1;
        (position, false)
    }
}
