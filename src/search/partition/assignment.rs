//! Pieces of a search are dealt to parts.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::large::Large;
use crate::search::interval::Interval;
use crate::search::partition::Piece;

/// Deals pieces to `parts`, so that these have about the same size. The intervals of each are in the
/// order of the search; with each is its lane.
pub fn deal(pieces: &[Piece], parts: usize) -> Vec<PartLoad> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by(|&a, &b| pieces[b].size.cmp(&pieces[a].size).then(a.cmp(&b)));
    let mut hands: Vec<Vec<usize>> = vec![Vec::new(); parts];
    let mut least: BinaryHeap<LightestPart> =
        (0..parts).map(|part| LightestPart { size: Large::ZERO, part }).collect();
    for piece in order {
        let Some(LightestPart { size, part }) = least.pop() else { break };
        hands[part].push(piece);
        least.push(LightestPart { size: size + pieces[piece].size, part });
    }
    hands.iter_mut().for_each(|hand| hand.sort_unstable());
    hands.iter().map(|hand| together(hand.iter().map(|&piece| &pieces[piece]))).collect()
}

/// Pieces that are searched together.
#[derive(Clone, Debug, Default)]
pub struct PartLoad {
    /// In the order of the search, each with its lane.
    pub intervals: Vec<(usize, Interval)>,
    /// How many nodes it may have.
    pub size: Large,
}

/// Puts pieces together that are in order.
pub fn together<'p>(pieces: impl Iterator<Item = &'p Piece>) -> PartLoad {
    let mut part = PartLoad::default();
    let mut last: Option<&Piece> = None;
    for piece in pieces {
        part.size += piece.size;
        let to = piece.last().map_or(0, |choice| choice.rank);
        match part.intervals.last_mut() {
            Some((_, interval)) if last.is_some_and(|last| last.is_before(piece)) => {
                interval.bounds.to = to;
            }
            _ => {
                let interval = Interval::options(piece.node(), piece.before, to);
                part.intervals.push((piece.lane, interval));
            }
        }
        last = Some(piece);
    }
    part
}

/// Puts neighbors together that are smaller than one of `count` pieces should be: a node may have a hundred thousand
/// options, and whoever begins with the last of them goes by all others.
pub(super) fn gather(pieces: Vec<Piece>, count: usize) -> Vec<Piece> {
    let most = pieces.iter().map(|piece| piece.size).sum::<Large>() / Large::new(count as f64);
    let mut gathered: Vec<Piece> = Vec::new();
    for piece in pieces {
        match gathered.last_mut() {
            Some(last) if last.is_before(&piece) && last.size + piece.size <= most => {
                last.size += piece.size;
                last.others.extend(piece.choices());
            }
            _ => gathered.push(piece),
        }
    }
    gathered
}

/// A part and how much it has; the least is the greatest, as a heap wants it.
#[derive(PartialEq, Eq)]
struct LightestPart {
    size: Large,
    part: usize,
}

impl Ord for LightestPart {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.size, other.part).cmp(&(self.size, self.part))
    }
}

impl PartialOrd for LightestPart {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
