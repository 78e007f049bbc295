//! Lists at the top of a tree, bits below: for problems that are too large for bits at the root.
//!
//! At each node that the lists come to we may go on with bits: then what is left is made a problem of
//! its own, of which all of the subtree is searched. That takes time, for its table above all; so it is
//! done where the subtree can be expected to take a multiple of that by lists. What we expect is what
//! the subtrees on the same level took before, counted in updates of lists: never in seconds, although it
//! would change nothing but the time. Small subtrees are left to the lists.
//!
//! The first way down a tree nothing is known. Then the lowest levels are known first, so bits take over
//! low; and higher soon, as subtrees there turn out to be large.

use crate::constraint::Propagator;
use crate::ids::ItemId;
use crate::problem::Problem;
use crate::search::bits::count::OptionCounts;
use crate::search::bits::table::{MOST_OPTIONS, BitTable, most_items};
use crate::search::bits::{Bits, Instructions, Unruled, With, choose};
use crate::search::dancing_links::Links;
use crate::search::dancing_links::rest::{Numbers, Rest};
use crate::search::store::Store;
use crate::search::width::LinkWidth;
use crate::solution::{Choice, Choices};

/// The most bytes of what is below: rows, and vectors of two bytes for an item.
pub const MEMORY: usize = MOST_OPTIONS * (MOST_OPTIONS / 4 + 2 * 2 * 512);

/// The work of a subtree should be so many times that of making rows and table for it.
pub const PAYS: u64 = 2;

/// After so many subtrees of a level the older ones count half.
const MANY: u64 = 64;

/// What is to be expected on a level.
#[derive(Clone, Copy, Debug, Default)]
struct LevelForecast {
    /// Subtrees that were searched.
    subtrees: u64,
    /// The work that they took by lists, or would have taken.
    work: u64,
    /// The nodes and work of those that took nothing but lists.
    by_lists: SubtreeTally,
}

/// Nodes, and work in updates.
#[derive(Clone, Copy, Debug, Default)]
struct SubtreeTally {
    nodes: u64,
    work: u64,
}

/// Where a level of the lists was opened.
#[derive(Clone, Copy, Debug)]
struct Open {
    before: SubtreeTally,
    handed_over: u64,
}

/// The part of the search that bits do.
struct Below<W: LinkWidth> {
    rest: Rest<W>,
    bits: Bits<Box<BitTable>, Box<dyn OptionCounts>>,
    nodes: u64,
}

/// Lists, and bits below a node of theirs.
pub struct Above<W: LinkWidth> {
    by: Instructions,
    pays: u64,
    links: Links<W>,
    below: Option<Box<Below<W>>>,
    /// Entries of primary items in an option, in the mean.
    entries: f64,
    numbers: Numbers,
    /// By level.
    seen: Vec<LevelForecast>,
    /// By level of the lists.
    open: Vec<Open>,
    /// What was done so far, or would have been.
    done: SubtreeTally,
    /// How often bits took over.
    handed_over: u64,
    /// Updates of the lists that are in `done`.
    updates: u64,
}

struct Boxed;

impl With for Boxed {
    type Output = Box<dyn OptionCounts>;
    fn with(self, count: impl OptionCounts + 'static) -> Box<dyn OptionCounts> {
        Box::new(count)
    }
}

impl<W: LinkWidth> Above<W> {
    /// The lists of `problem`, which the widths must hold. Bits take over where the work of a subtree is
    /// expected to be `pays` times that of making rows and table for it.
    pub fn new(by: Instructions, pays: u64, problem: &Problem) -> Self {
        let primary = problem.all_entries().iter().filter(|e| problem.is_primary(e.item)).count();
        Above {
            by,
            pays,
            links: Links::new(problem),
            below: None,
            entries: primary as f64 / problem.options().max(1) as f64,
            numbers: Numbers::default(),
            seen: vec![LevelForecast::default(); problem.primary() + 1],
            open: Vec::new(),
            done: SubtreeTally::default(),
            handed_over: 0,
            updates: 0,
        }
    }

    /// Brings `done` up to date.
    fn tally(&mut self) {
        let (updates, cleansings) = self.links.counters();
        self.done.work += updates + cleansings - self.updates;
        self.updates = updates + cleansings;
    }

    /// Whether bits take over at a node on this level.
    fn pays(&self, level: usize) -> bool {
        let LevelForecast { subtrees, work, .. } = self.seen[level];
        let Some(expected) = work.checked_div(subtrees) else { return false };
        if expected < self.pays * price(0, 0) || self.links.items_left() > most_items(self.by) {
            return false;
        }
        let Some(entries) = self.links.entries_left() else { return false };
        let options = (entries as f64 / self.entries) as usize;
        options <= MOST_OPTIONS && expected >= self.pays * price(options, entries)
    }

    #[inline(never)]
    fn hand_over(&mut self) {
        let rest = self.links.rest(&mut self.numbers);
        if rest.rows.options() > MOST_OPTIONS {
            return;
        }
        let table = Box::new(BitTable::new(&rest.rows));
        let count = choose(self.by, &rest.rows, &table, Boxed);
        self.below = Some(Box::new(Below { rest, bits: Bits::new(table, count), nodes: 0 }));
        self.handed_over += 1;
    }

    /// A subtree that began at `before` was searched.
    fn note(&mut self, level: usize, before: SubtreeTally, by_lists: bool) {
        let nodes = self.done.nodes - before.nodes;
        let work = self.done.work - before.work;
        let seen = &mut self.seen[level];
        seen.subtrees += 1;
        seen.work += work;
        if by_lists {
            seen.by_lists.nodes += nodes;
            seen.by_lists.work += work;
        }
        if seen.subtrees >= MANY {
            let LevelForecast { subtrees, work, by_lists: SubtreeTally { nodes, work: listed } } = *seen;
            let by_lists = SubtreeTally { nodes: nodes / 2, work: listed / 2 };
            *seen = LevelForecast { subtrees: subtrees / 2, work: work / 2, by_lists };
        }
    }

    /// All that was below is searched.
    #[inline(never)]
    fn take_back(&mut self, nodes: u64) {
        self.below = None;
        self.tally();
        let (before, level) = (self.done, self.open.len());
        // As many updates a node as nodes had on this level or below.
        let tally =
            self.seen[level..].iter().map(|seen| seen.by_lists).find(|tally| tally.nodes > 0);
        let SubtreeTally { nodes: some, work } = tally.unwrap_or_default();
        let estimated = u128::from(work) * u128::from(nodes) / u128::from(some.max(1));
        self.done.nodes += nodes;
        self.done.work += u64::try_from(estimated).unwrap_or(u64::MAX >> 1);
        self.note(level, before, false);
    }
}

/// What it takes to make rows and table, in updates of lists; roughly.
fn price(options: usize, entries: usize) -> u64 {
    let width = options.div_ceil(64);
    (5000 + 12 * entries + entries * width + options * width) as u64
}

impl<W: LinkWidth> Store for Above<W> {
    #[inline(always)]
    fn done(&self) -> bool {
        match &self.below {
            Some(below) => below.bits.done(),
            None => self.links.done(),
        }
    }

    #[inline(always)]
    fn branch(&mut self) {
        if self.below.is_none() && self.pays(self.open.len()) {
            self.hand_over();
        }
        match &mut self.below {
            Some(below) => {
                below.nodes += 1;
                below.bits.branch();
            }
            None => {
                self.tally();
                self.open.push(Open { before: self.done, handed_over: self.handed_over });
                self.done.nodes += 1;
                self.links.branch();
            }
        }
    }

    fn item(&self) -> ItemId {
        match &self.below {
            Some(below) if below.bits.levels() > 0 => below.rest.item(below.bits.item()),
            _ => self.links.item(),
        }
    }

    #[inline(always)]
    fn rank(&self) -> u32 {
        match &self.below {
            Some(below) => below.bits.rank(),
            None => self.links.rank(),
        }
    }

    #[inline(always)]
    fn next(&mut self) -> bool {
        match &mut self.below {
            Some(below) => below.bits.next(),
            None => self.links.next(),
        }
    }

    #[inline(always)]
    fn commit<C: Propagator>(&mut self, constraint: &mut C) -> bool {
        match &mut self.below {
            Some(below) => below.bits.commit(constraint),
            None => self.links.commit(constraint),
        }
    }

    #[inline(always)]
    fn undo(&mut self) {
        match &mut self.below {
            Some(below) => below.bits.undo(),
            None => self.links.undo(),
        }
    }

    #[inline(always)]
    fn close(&mut self) {
        if let Some(below) = &mut self.below {
            below.bits.close();
            if below.bits.levels() == 0 {
                let nodes = below.nodes;
                self.take_back(nodes);
            }
            return;
        }
        self.links.close();
        self.tally();
        if let Some(Open { before, handed_over }) = self.open.pop() {
            self.note(self.open.len(), before, handed_over == self.handed_over);
        }
    }

    /// There are none of bits.
    fn counters(&self) -> (u64, u64) {
        (0, 0)
    }

    fn effort(&self, nodes: u64) -> u64 {
        // Those of bits are estimated as if they were done by lists, which takes several times as long.
        45 * nodes + 6 * self.done.work
    }
}

impl<W: LinkWidth> Choices for Above<W> {
    fn levels(&self) -> usize {
        self.open.len() + self.below.as_ref().map_or(0, |below| below.bits.levels())
    }

    fn choice(&self, level: usize) -> Choice {
        match (&self.below, level.checked_sub(self.open.len())) {
            (Some(below), Some(level)) => {
                let Choice { option, item, rank, degree } = below.bits.choice(level);
                let option = option.map(|option| below.rest.option(option, &self.links));
                Choice { option, item: below.rest.item(item), rank, degree }
            }
            _ => self.links.choice(level),
        }
    }
}

impl<W: LinkWidth> Unruled for Above<W> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx;
    use crate::search::algorithm_c::Walk;
    use crate::search::engine::{Engine, Status};
    use crate::search::width::Narrow;
    use std::ops::ControlFlow;

    /// Queens on 8 x 8 cells: bits take over, once for a subtree that is worth it, and often if any is.
    #[test]
    fn hands_over_where_it_pays() {
        let mut text = (0..8).map(|i| format!("r{i} c{i} ")).collect::<String>() + "|";
        (0..15).for_each(|i| text += &format!(" a{i} b{i}"));
        for (r, c) in (0..64).map(|cell| (cell / 8, cell % 8)) {
            text += &format!("\nr{r} c{c} a{} b{}", r + c, r + 7 - c);
        }
        let problem = dlx::parse::read((text + "\n").as_bytes()).expect("a file").problem;
        let mut counts = Vec::new();
        for pays in [0, PAYS, u64::MAX / price(MOST_OPTIONS, 1 << 30)] {
            let above = Above::<Narrow>::new(Instructions::best(), pays, &problem);
            let mut walk = Walk::new("bits", &problem, above, ());
            let status = walk.run(u64::MAX, &mut |_: &dyn Choices| ControlFlow::Continue(()));
            assert_eq!((status, walk.stats().solutions), (Status::Exhausted, 92));
            counts.push(walk.store.handed_over);
        }
        assert!(counts[0] > 7 && counts[0] > counts[1] && counts[2] == 0, "{counts:?}");
    }
}
