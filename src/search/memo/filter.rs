//! Which options fit a state, for many options at once.
//!
//! An option fits if the state has no bits where the option forbids them. By byte of the state and value
//! of that byte a word says which of 64 options can bear it; the options that fit are those in all of
//! these words. So no option is looked at in vain.

use crate::search::memo::transitions::{Move, Transition};

/// Options of a word.
const GROUP: usize = u64::BITS as usize;

/// Values of a byte.
const VALUES: usize = 1 << u8::BITS;

/// Tables of a step. Where more would be needed, to look at each option takes no longer.
const MOST_TABLES: usize = 512;

/// Tables for the moves of a step.
#[derive(Debug)]
pub struct Sieve {
    /// The bytes of a state that some move minds, by word and how far to the left.
    bytes: Vec<(u32, u32)>,
    /// By group of moves.
    groups: Vec<MoveGroup>,
}

/// At most 64 moves in a row.
#[derive(Debug)]
struct MoveGroup {
    /// A bit for each.
    all: u64,
    /// By byte and value: those that can bear it.
    bearing: Vec<[u64; VALUES]>,
}

impl Sieve {
    /// For the moves of `step`; `None` if that would take too many tables.
    pub fn new(step: &Transition) -> Option<Self> {
        let words = step.moves.first().map_or(0, |way| way.forbid.len());
        let minded = |word: usize| step.moves.iter().fold(0, |all, way| all | way.forbid[word]);
        let bytes = (0..words as u32).flat_map(|word| {
            let minded = minded(word as usize);
            let shifts = (0..u64::BITS).step_by(8);
            shifts.filter(move |&shift| minded >> shift & 0xff != 0).map(move |shift| (word, shift))
        });
        let bytes: Vec<(u32, u32)> = bytes.collect();
        if bytes.len() * step.moves.len().div_ceil(GROUP) > MOST_TABLES {
            return None;
        }
        let group = |moves: &[Move]| {
            let all = u64::MAX >> (GROUP - moves.len());
            let bearing = bytes.iter().map(|&(word, shift)| {
                let mut minding = [0u64; u8::BITS as usize];
                for (number, way) in moves.iter().enumerate() {
                    let forbid = way.forbid[word as usize] >> shift;
                    for (bit, minding) in minding.iter_mut().enumerate() {
                        *minding |= (forbid >> bit & 1) << number;
                    }
                }
                let mut bearing = [all; VALUES];
                for value in 1..VALUES {
                    // The same without its lowest bit is known.
                    let bearing_rest = bearing[value & (value - 1)];
                    bearing[value] = bearing_rest & !minding[value.trailing_zeros() as usize];
                }
                bearing
            });
            MoveGroup { all, bearing: bearing.collect() }
        };
        let groups = step.moves.chunks(GROUP).map(group).collect();
        Some(Sieve { bytes, groups })
    }

    /// Tells the numbers of the moves that fit `state`, ascending.
    #[inline(always)]
    pub fn fitting(&self, state: &[u64], mut tell: impl FnMut(usize)) {
        for (number, group) in self.groups.iter().enumerate() {
            let tables = self.bytes.iter().zip(&group.bearing);
            let mut fitting = tables.fold(group.all, |fitting, (&(word, shift), bearing)| {
                fitting & bearing[usize::from((state[word as usize] >> shift) as u8)]
            });
            while fitting != 0 {
                tell(number * GROUP + fitting.trailing_zeros() as usize);
                fitting &= fitting - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::OptionId;

    #[test]
    fn those_fit_that_forbid_none_of_the_bits() {
        let mut random = fastrand::Rng::with_seed(7);
        for round in 0..200 {
            let few =
                |random: &mut fastrand::Rng| (0..3).fold(0, |all, _| all | 1 << random.u32(..64));
            let moves = (0..random.usize(..150)).map(|number| Move {
                option: OptionId::new(number as u32),
                forbid: (0..2).map(|_| if round % 2 == 0 { few(&mut random) } else { 0 }).collect(),
                set: vec![0; 2],
                events: Vec::new(),
            });
            let moves: Vec<Move> = moves.collect();
            let (keep, items) = (vec![!0; 2], Vec::new());
            let step = Transition { covered: None, moves, keep, forgets: false, items };
            let sieve = Sieve::new(&step).expect("there are few");
            for _ in 0..20 {
                let state = [few(&mut random), few(&mut random)];
                let fits = |at: &usize| {
                    let forbid = &step.moves[*at].forbid;
                    forbid.iter().zip(&state).all(|(forbid, word)| forbid & word == 0)
                };
                let wanted: Vec<usize> = (0..step.moves.len()).filter(fits).collect();
                let mut told = Vec::new();
                sieve.fitting(&state, |at| told.push(at));
                assert_eq!(told, wanted);
            }
        }
    }

    #[test]
    fn many_moves_that_mind_much_have_no_tables() {
        let step = |moves: usize| {
            let way = |number| {
                let (option, forbid) = (OptionId::new(number), vec![1 << (number % 64); 4]);
                Move { option, forbid, set: vec![0; 4], events: Vec::new() }
            };
            let (keep, items) = (vec![!0; 4], Vec::new());
            let moves = (0..moves as u32).map(way).collect();
            Transition { covered: None, moves, keep, forgets: false, items }
        };
        assert!(Sieve::new(&step(1024)).is_some());
        assert!(Sieve::new(&step(1025)).is_none());
    }
}
