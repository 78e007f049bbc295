//! Divides a search into parts of about the same size, the same way whenever it is asked.
//!
//! The tree is taken apart at its largest piece, again and again; how large a piece is, random probes tell
//! (Knuth, 7.2.2E): a probe goes down at random, and the product of the degrees that it meets on the way to
//! a node is what the node stands for. The estimate of one piece may be far off. So there are many
//! more pieces than parts, each goes to the part that has least so far, the largest first, and
//! errors even out.
//!
//! A piece is one option at one node, or some that are neighbors and small. Those that are neighbors in the same
//! part are put together.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use fastrand::Rng;

use crate::constraint::Constraint;
use crate::problem::Problem;
use crate::search::interval::Interval as Stretch;
use crate::search::links::{self, Links};
use crate::search::multi::Multi;
use crate::search::store::Store;
use crate::search::walk::replay;
use crate::search::width::{self, Fit, Huge, Narrow, Wide};
use crate::solution::Choice;

/// Probes of each piece. They cost as much as visiting a few thousand nodes for each part.
const PROBES: u32 = 4;

/// So many times as many pieces as were wanted are too many.
const TOO_MANY: usize = 4;

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fineness {
    /// About so many pieces.
    Pieces(usize),
    /// All nodes on this level.
    Depth(usize),
}

/// An option at a node, or some in a row, and what comes below.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The choices to the node, and the one that is tried there; the first, if there are some.
    pub path: Vec<Choice>,
    /// The choice that is tried before it.
    pub before: Option<Choice>,
    /// The other ones, in order.
    pub others: Vec<Choice>,
    /// From which of the stretches that are divided it was taken.
    pub lane: usize,
    /// How many nodes it may have.
    pub size: f64,
    /// Nothing can be taken apart here.
    leaf: bool,
}

impl Piece {
    /// Where it stands in the order of the search.
    pub fn key(&self) -> impl Iterator<Item = u32> {
        self.path.iter().map(|choice| choice.rank)
    }

    /// The choices to the node.
    pub fn node(&self) -> &[Choice] {
        &self.path[..self.path.len() - 1]
    }

    /// The choices at the node.
    pub fn choices(&self) -> impl DoubleEndedIterator<Item = &Choice> {
        self.path.last().into_iter().chain(&self.others)
    }

    fn last(&self) -> Option<&Choice> {
        self.choices().next_back()
    }

    fn is_before(&self, other: &Piece) -> bool {
        self.lane == other.lane
            && other.before.as_ref() == self.last()
            && self.node() == other.node()
    }
}

/// Takes stretches apart. The pieces are in the order of the search. `constraint` has no level open.
/// `None` if a stretch is none of this problem's.
pub fn divide<C: Constraint>(
    problem: &Problem,
    constraint: &mut C,
    stretches: &[Stretch],
    fineness: Fineness,
) -> Option<Vec<Piece>> {
    match width::fit(problem, links::SPARE) {
        _ if problem.has_bounds() => of(Multi::new(problem), constraint, stretches, fineness),
        Fit::Narrow => of(Links::<Narrow>::new(problem), constraint, stretches, fineness),
        Fit::Wide => of(Links::<Wide>::new(problem), constraint, stretches, fineness),
        Fit::Huge => of(Links::<Huge>::new(problem), constraint, stretches, fineness),
    }
}

fn of<S: Store, C: Constraint>(
    store: S,
    constraint: &mut C,
    stretches: &[Stretch],
    fineness: Fineness,
) -> Option<Vec<Piece>> {
    Divider::new(store, constraint).divide(stretches, fineness)
}

/// Deals pieces to `parts`, so that these have about the same size. The stretches of each are in the
/// order of the search; with each is its lane.
pub fn deal(pieces: &[Piece], parts: usize) -> Vec<Part> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by(|&a, &b| pieces[b].size.total_cmp(&pieces[a].size).then(a.cmp(&b)));
    let mut hands: Vec<Vec<usize>> = vec![Vec::new(); parts];
    let mut least: BinaryHeap<Least> = (0..parts).map(|part| Least { size: 0.0, part }).collect();
    for piece in order {
        let Some(Least { size, part }) = least.pop() else { break };
        hands[part].push(piece);
        least.push(Least { size: size + pieces[piece].size, part });
    }
    hands.iter_mut().for_each(|hand| hand.sort_unstable());
    hands.iter().map(|hand| together(hand.iter().map(|&piece| &pieces[piece]))).collect()
}

/// Pieces that are searched together.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// In the order of the search, each with its lane.
    pub stretches: Vec<(usize, Stretch)>,
    /// How many nodes it may have.
    pub size: f64,
}

/// Puts pieces together that are in order.
pub fn together<'p>(pieces: impl Iterator<Item = &'p Piece>) -> Part {
    let mut part = Part::default();
    let mut last: Option<&Piece> = None;
    for piece in pieces {
        part.size += piece.size;
        let to = piece.last().map_or(0, |choice| choice.rank);
        match part.stretches.last_mut() {
            Some((_, stretch)) if last.is_some_and(|last| last.is_before(piece)) => {
                stretch.bounds.to = to;
            }
            _ => {
                let stretch = Stretch::options(piece.node(), piece.before, to);
                part.stretches.push((piece.lane, stretch));
            }
        }
        last = Some(piece);
    }
    part
}

/// Puts neighbors together that are smaller than one of `count` pieces should be: a node may have a hundred thousand
/// options, and whoever begins with the last of them goes by all others.
fn gather(pieces: Vec<Piece>, count: usize) -> Vec<Piece> {
    let most = pieces.iter().map(|piece| piece.size).sum::<f64>() / count as f64;
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
#[derive(PartialEq)]
struct Least {
    size: f64,
    part: usize,
}

impl Eq for Least {}

impl Ord for Least {
    fn cmp(&self, other: &Self) -> Ordering {
        other.size.total_cmp(&self.size).then(other.part.cmp(&self.part))
    }
}

impl PartialOrd for Least {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A piece that may be taken apart, by its size.
struct Largest(Piece, usize);

impl Largest {
    fn rank(&self) -> (bool, f64, std::cmp::Reverse<usize>) {
        (!self.0.leaf, self.0.size, std::cmp::Reverse(self.1))
    }
}

impl Ord for Largest {
    fn cmp(&self, other: &Self) -> Ordering {
        let ((open, size, number), other) = (self.rank(), other.rank());
        open.cmp(&other.0).then(size.total_cmp(&other.1)).then(number.cmp(&other.2))
    }
}

impl PartialOrd for Largest {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Largest {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Largest {}

struct Divider<'c, S, C> {
    store: S,
    constraint: &'c mut C,
    random: Rng,
}

impl<'c, S: Store, C: Constraint> Divider<'c, S, C> {
    fn new(store: S, constraint: &'c mut C) -> Self {
        Divider { store, constraint, random: Rng::with_seed(0) }
    }

    fn divide(&mut self, stretches: &[Stretch], fineness: Fineness) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        for (lane, stretch) in stretches.iter().enumerate() {
            if !replay(&mut self.store, self.constraint, &stretch.path, stretch.after) {
                return None;
            }
            if stretch.after {
                self.store.close();
            }
            self.ascend(0);
            let floor = stretch.bounds.floor;
            let to = |level: usize| if level == floor { stretch.bounds.to } else { u32::MAX };
            let path = &stretch.path;
            if !stretch.after {
                self.open(path, 1, to(path.len()), lane, &mut pieces);
            }
            for level in (floor..path.len()).rev() {
                let from = path[level].rank.saturating_add(1);
                self.open(&path[..level], from, to(level), lane, &mut pieces);
            }
        }
        let mut heap: BinaryHeap<Largest> =
            pieces.drain(..).enumerate().map(|(number, piece)| Largest(piece, number)).collect();
        let mut done = Vec::new();
        let mut number = heap.len();
        while let Some(Largest(piece, _)) = heap.pop() {
            let stays = match fineness {
                Fineness::Pieces(count) => heap.len() + done.len() + 1 >= count,
                Fineness::Depth(depth) => piece.path.len() >= depth,
            };
            if piece.leaf || stays {
                done.push(piece);
                continue;
            }
            self.open(&piece.path, 1, u32::MAX, piece.lane, &mut pieces);
            for piece in pieces.drain(..) {
                heap.push(Largest(piece, number));
                number += 1;
            }
        }
        done.sort_by(|a, b| a.key().cmp(b.key()));
        match fineness {
            Fineness::Pieces(count) if done.len() / TOO_MANY > count => Some(gather(done, count)),
            _ => Some(done),
        }
    }

    /// Finds the options of these ranks at a node.
    fn open(&mut self, path: &[Choice], from: u32, to: u32, lane: usize, out: &mut Vec<Piece>) {
        let level = path.len();
        if replay(&mut self.store, self.constraint, path, false) {
            self.store.branch();
            let mut before = None;
            while self.store.next() {
                let choice = self.store.choice(level);
                if choice.rank > to {
                    break;
                }
                if choice.rank >= from {
                    self.constraint.mark();
                    if self.store.commit(self.constraint) {
                        let (size, leaf) = match self.constraint.settle(&mut self.store).is_fine() {
                            true => (self.probe(), self.store.done()),
                            false => (0.0, true),
                        };
                        let path = path.iter().copied().chain([choice]).collect();
                        let others = Vec::new();
                        out.push(Piece { path, before, others, lane, size, leaf });
                        self.store.undo();
                    }
                    self.constraint.backtrack(level);
                }
                before = Some(choice);
            }
            self.store.close();
        }
        self.ascend(0);
    }

    /// Guesses how many nodes there are from here on.
    fn probe(&mut self) -> f64 {
        let level = self.store.levels();
        let mut sum = 0.0;
        for _ in 0..PROBES {
            let mut stands_for = 1.0;
            sum += stands_for;
            while !self.store.done() {
                self.store.branch();
                let here = self.store.levels() - 1;
                if !self.store.next() {
                    self.store.close();
                    break;
                }
                let degree = self.store.choice(here).degree;
                for _ in 0..self.random.u32(..degree) {
                    self.store.next();
                }
                self.constraint.mark();
                if !self.store.commit(self.constraint) {
                    self.constraint.backtrack(here);
                    self.store.close();
                    break;
                }
                if !self.constraint.settle(&mut self.store).is_fine() {
                    break;
                }
                stands_for *= f64::from(degree);
                sum += stands_for;
            }
            self.ascend(level);
        }
        sum / f64::from(PROBES)
    }

    /// Takes back the choices below a level.
    fn ascend(&mut self, level: usize) {
        while self.store.levels() > level {
            self.store.undo();
            self.constraint.backtrack(self.store.levels() - 1);
            self.store.close();
        }
    }
}
