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
//!
//! Trees may be a hundred thousand levels deep. So we stay where we are and go from one piece to the next only as far
//! up and down as their paths differ; and there is an end of probes, and of paths.

mod assignment;

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

use fastrand::Rng;

pub use assignment::{PartLoad, deal, together};

use crate::constraint::Propagator;
use crate::large::Large;
use crate::problem::Problem;
use crate::search::algorithm_c::{replay, take};
use crate::search::algorithm_m::Multi;
use crate::search::dancing_links::{self, Links};
use crate::search::interval::Interval;
use crate::search::store::Store;
use crate::search::width::{self, Fit, Huge, Narrow, Wide};
use crate::solution::Choice;
use assignment::gather;

/// Probes of each piece. They cost as much as visiting a few thousand nodes for each part.
const PROBES: f64 = 4.0;

/// What all probes may cost, in updates. After that the options of a node are taken to be of equal size.
const PROBING: u64 = 100_000_000;

/// When probes have cost so much, there are none any more at nodes with a single option, where nothing is taken apart.
/// On the forced ways of a board they cost nothing to speak of.
const SINGLE: u64 = 30_000_000;

/// What it costs to choose one of so many items, in updates; roughly.
fn choosing(items: usize) -> u64 {
    16 + items as u64 / 256
}

/// The paths of all pieces have at most about so many choices: whoever searches a piece makes those of its path first,
/// and a plan has them all.
const MOST_CHOICES: usize = 1 << 21;

/// So many times as many pieces as were wanted are too many.
const TOO_MANY: usize = 4;

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
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
    /// From which of the intervals that are divided it was taken.
    pub lane: usize,
    /// How many nodes it may have.
    pub size: Large,
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

/// Takes intervals apart. The pieces are in the order of the search. `constraint` has no level open.
/// `None` if a interval is none of this problem's.
pub fn divide<C: Propagator>(
    problem: &Problem,
    constraint: &mut C,
    intervals: &[Interval],
    granularity: Granularity,
) -> Option<Vec<Piece>> {
    let items = problem.primary();
    macro_rules! divide {
        ($store:expr) => {
            Divider::new($store, constraint, items).divide(intervals, granularity)
        };
    }
    match width::fit(problem, dancing_links::SPARE) {
        _ if problem.has_bounds() => divide!(Multi::new(problem)),
        Fit::Narrow => divide!(Links::<Narrow>::new(problem)),
        Fit::Wide => divide!(Links::<Wide>::new(problem)),
        Fit::Huge => divide!(Links::<Huge>::new(problem)),
    }
}

/// A piece that may be taken apart, by its size.
struct Largest(Piece, usize);

impl Largest {
    fn rank(&self) -> (bool, Large, std::cmp::Reverse<usize>) {
        (!self.0.leaf, self.0.size, std::cmp::Reverse(self.1))
    }
}

impl Ord for Largest {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
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

/// What is at a node.
#[derive(Default)]
struct Opened {
    /// Its options; or, if probes have cost much and it has one only, those of the first node below that has more.
    pieces: Vec<Piece>,
    /// Its only option.
    only: Option<Choice>,
    /// How many nodes below have one option, too.
    levels: usize,
    /// Whether they lead to a solution.
    solved: bool,
}

struct Divider<'c, S, C> {
    store: S,
    constraint: &'c mut C,
    random: Rng,
    /// The choices that stand.
    here: Vec<Choice>,
    /// How often an item was chosen, and what that costs.
    chosen: u64,
    choosing: u64,
}

impl<'c, S: Store, C: Propagator> Divider<'c, S, C> {
    fn new(store: S, constraint: &'c mut C, items: usize) -> Self {
        let (random, choosing) = (Rng::with_seed(0), choosing(items));
        Divider { store, constraint, random, here: Vec::new(), chosen: 0, choosing }
    }

    fn divide(&mut self, intervals: &[Interval], granularity: Granularity) -> Option<Vec<Piece>> {
        let deepest = match granularity {
            Granularity::Pieces(_) => usize::MAX,
            Granularity::Depth(depth) => depth,
        };
        let mut pieces = Vec::new();
        for (lane, interval) in intervals.iter().enumerate() {
            self.begin(interval, lane, deepest, &mut pieces)?;
        }
        let mut choices: usize = pieces.iter().map(|piece| piece.path.len()).sum();
        let mut number = pieces.len();
        let mut heap: BinaryHeap<Largest> =
            pieces.into_iter().enumerate().map(|(number, piece)| Largest(piece, number)).collect();
        let mut done = Vec::new();
        while let Some(Largest(mut piece, _)) = heap.pop() {
            let stays = match granularity {
                Granularity::Pieces(count) => heap.len() + done.len() + 1 >= count,
                Granularity::Depth(depth) => piece.path.len() >= depth,
            };
            if piece.leaf || stays || choices > MOST_CHOICES {
                done.push(piece);
                continue;
            }
            let opened = self.open(&piece.path, 1..=u32::MAX, piece.lane, piece.size, deepest);
            if opened.solved {
                piece.size = Large::new(opened.levels as f64 + 1.0);
                piece.leaf = true;
                done.push(piece);
                continue;
            }
            choices -= piece.path.len();
            for piece in opened.pieces {
                choices += piece.path.len();
                heap.push(Largest(piece, number));
                number += 1;
            }
        }
        done.sort_by(|a, b| a.key().cmp(b.key()));
        match granularity {
            Granularity::Pieces(count) if done.len() / TOO_MANY > count => {
                Some(gather(done, count))
            }
            _ => Some(done),
        }
    }

    /// The first pieces of a interval; `None` if it is none of this problem's.
    fn begin(
        &mut self,
        interval: &Interval,
        lane: usize,
        deepest: usize,
        pieces: &mut Vec<Piece>,
    ) -> Option<()> {
        self.go_to(&[]);
        if !replay(&mut self.store, self.constraint, &interval.path, interval.after) {
            return None;
        }
        if interval.after {
            self.store.close();
        }
        self.here.extend(&interval.path[..self.store.levels()]);
        let floor = interval.bounds.floor;
        let to = |level: usize| if level == floor { interval.bounds.to } else { u32::MAX };
        let path = &interval.path;
        let mut open = |path: &[Choice], from| {
            let ranks = from..=to(path.len());
            let opened = self.open(path, ranks, lane, Large::ONE, deepest);
            if let (Some(only), true) = (opened.only, opened.solved) {
                let size = Large::new(opened.levels as f64 + 1.0);
                let path = path.iter().copied().chain([only]).collect();
                let others = Vec::new();
                pieces.push(Piece { path, before: None, others, lane, size, leaf: true });
            }
            pieces.extend(opened.pieces);
        };
        if !interval.after {
            open(path, 1);
        }
        for level in (floor..path.len()).rev() {
            open(&path[..level], path[level].rank.saturating_add(1));
        }
        Some(())
    }

    /// Finds the options of these ranks at a node that may have `size` nodes below it. Goes down as long as there is a
    /// single one, but no piece has more choices than `deepest`.
    fn open(
        &mut self,
        path: &[Choice],
        ranks: RangeInclusive<u32>,
        lane: usize,
        size: Large,
        deepest: usize,
    ) -> Opened {
        self.go_to(path);
        let mut opened = Opened::default();
        let mut ranks = ranks;
        loop {
            let level = self.here.len();
            self.branch();
            if !self.store.next() {
                self.store.close();
                return opened;
            }
            let choice = self.store.choice(level);
            let is_only = choice.degree == 1 && ranks.contains(&1) && level + 1 < deepest;
            if !is_only || self.cost() <= SINGLE {
                break;
            }
            if !take(&mut self.store, self.constraint) {
                self.store.close();
                return opened;
            }
            self.here.push(choice);
            opened.only = opened.only.or(Some(choice));
            opened.levels += 1;
            if self.store.done() {
                opened.solved = true;
                return opened;
            }
            ranks = 1..=u32::MAX;
        }
        let level = self.here.len();
        let mut before = None;
        loop {
            let choice = self.store.choice(level);
            if choice.rank > *ranks.end() {
                break;
            }
            if ranks.contains(&choice.rank) {
                self.constraint.mark();
                if self.store.commit(self.constraint) {
                    let (size, leaf) = match self.constraint.settle(&mut self.store).is_fine() {
                        true => (self.probe(size, choice.degree), self.store.done()),
                        false => (Large::ZERO, true),
                    };
                    let path = self.here.iter().copied().chain([choice]).collect();
                    let others = Vec::new();
                    opened.pieces.push(Piece { path, before, others, lane, size, leaf });
                    self.store.undo();
                }
                self.constraint.backtrack(level);
            }
            before = Some(choice);
            if !self.store.next() {
                break;
            }
        }
        self.store.close();
        opened
    }

    /// Guesses how many nodes there are from here on: from probes; or, when they have cost enough, as an equal
    /// share of those of the node above, which has so many options.
    fn probe(&mut self, above: Large, degree: u32) -> Large {
        let level = self.store.levels();
        let mut sum = Large::ZERO;
        let mut count = 0.0;
        while count < PROBES {
            if self.cost() > PROBING {
                break;
            }
            count += 1.0;
            let mut stands_for = Large::ONE;
            sum += stands_for;
            while !self.store.done() {
                self.branch();
                let here = self.store.levels() - 1;
                if !self.store.next() {
                    self.store.close();
                    break;
                }
                let degree = self.store.choice(here).degree;
                for _ in 0..self.random.u32(..degree) {
                    self.store.next();
                }
                if !take(&mut self.store, self.constraint) {
                    self.store.close();
                    break;
                }
                stands_for = stands_for * f64::from(degree);
                sum += stands_for;
            }
            self.ascend(level);
        }
        match count > 0.0 {
            true => sum / Large::new(count),
            false => above / Large::new(f64::from(degree)),
        }
    }

    fn branch(&mut self) {
        self.chosen += 1;
        self.store.branch();
    }

    /// What was done so far, in updates.
    fn cost(&self) -> u64 {
        let (updates, cleansings) = self.store.counters();
        updates + cleansings + self.constraint.work() + self.chosen * self.choosing
    }

    /// Makes the choices of a path that were made here before, and takes back what it does not have.
    fn go_to(&mut self, path: &[Choice]) {
        let same = self.here.iter().zip(path).take_while(|(here, there)| here == there).count();
        self.ascend(same);
        self.here.truncate(same);
        for &choice in &path[same..] {
            self.branch();
            let found = (0..choice.rank).all(|_| self.store.next());
            assert!(
                found && take(&mut self.store, self.constraint),
                "a path that was made once can be made again"
            );
            self.here.push(choice);
        }
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
