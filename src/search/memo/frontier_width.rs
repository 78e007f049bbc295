//! Goes over the items one by one and measures the frontier.

use crate::search::memo::elimination_order::EliminationOrder;
use crate::search::memo::hypergraph::{Hypergraph, UNIT};

/// Between two items, some covered and some not.
#[derive(Debug)]
pub struct Sweep<'a> {
    shape: &'a Hypergraph<'a>,
    /// By option: whether one of its items has been passed.
    passed: Vec<bool>,
    /// By item: whether it is on the frontier.
    open: Vec<bool>,
    /// By item: how many of its options have not been passed.
    left: Vec<u32>,
    /// By item: as many as `left`, less those that the item at hand would pass.
    after: Vec<u32>,
    touched: Vec<u32>,
    width: u32,
    work: usize,
}

impl<'a> Sweep<'a> {
    /// Over the items of `shape`.
    pub fn new(shape: &'a Hypergraph<'a>) -> Self {
        Sweep {
            shape,
            passed: vec![false; shape.all_options()],
            open: vec![false; shape.items()],
            left: vec![0; shape.items()],
            after: vec![0; shape.items()],
            touched: Vec::new(),
            width: 0,
            work: 0,
        }
    }

    /// Entries that were looked at.
    pub fn work(&self) -> usize {
        self.work
    }

    /// Covers nothing any more.
    fn rewind(&mut self) {
        self.passed.fill(false);
        self.open.fill(false);
        for item in 0..self.shape.items() {
            self.left[item] = self.shape.options(item as u32).len() as u32;
        }
        self.after.copy_from_slice(&self.left);
        self.width = 0;
    }

    /// An upper bound for the number of states if the items are covered in this order.
    pub fn measure(&mut self, order: &[u32]) -> f64 {
        self.rewind();
        let mut pass = |&item: &u32| {
            self.pass(item);
            power(self.width)
        };
        order.iter().map(&mut pass).sum()
    }

    /// Goes over `items` by their ranks, or greedily from `start`; but an item that makes the frontier
    /// narrower comes at once. Gives up (infinite) when there are more states than `most`, or when all
    /// runs together have looked at `enough` entries.
    pub fn run(
        &mut self,
        items: &[u32],
        rank: Option<&[i64]>,
        start: u32,
        most: f64,
        enough: usize,
    ) -> EliminationOrder {
        self.work += self.shape.items() + self.shape.all_options();
        self.rewind();
        let mut queue: Vec<u32> = items.to_vec();
        if let Some(rank) = rank {
            queue.sort_by_key(|&item| (rank[item as usize], item));
        }
        let mut queue = queue.into_iter();
        let mut beside = Beside {
            covered: vec![false; self.shape.primary],
            items: Vec::new(),
            change: vec![None; self.shape.primary],
            is_in: vec![false; self.shape.primary],
        };
        let mut order = EliminationOrder { items: Vec::with_capacity(items.len()), states: 0.0 };
        let mut next = Some(start);
        while let Some(item) = next {
            beside.covered[item as usize] = true;
            beside.items.retain(|&other| other != item);
            self.pass(item);
            order.items.push(item);
            order.states += power(self.width);
            self.work += beside.items.len();
            if order.states > most || self.work > enough {
                order.states = f64::INFINITY;
                return order;
            }
            self.look_around(item, &mut beside);
            let mut least: Option<(i64, u32)> = None;
            for at in 0..beside.items.len() {
                let item = beside.items[at];
                let known = beside.change[item as usize];
                let change = known.unwrap_or_else(|| self.change(item));
                beside.change[item as usize] = Some(change);
                if least.is_none_or(|(least, _)| change < least) {
                    least = Some((change, item));
                }
            }
            next = match (least, rank) {
                (Some((change, item)), _) if change < 0 => Some(item),
                (Some((_, item)), None) => Some(item),
                _ => queue.by_ref().find(|&item| !beside.covered[item as usize]),
            };
        }
        order
    }

    /// Notes the uncovered items that share an item with an option of `item`.
    fn look_around(&mut self, item: u32, beside: &mut Beside) {
        let shape = self.shape;
        self.touched.clear();
        for &option in shape.options(item) {
            for &other in shape.option(option) {
                if (other as usize) < shape.primary {
                    beside.see(other);
                } else if self.after[other as usize] == self.left[other as usize] {
                    // Marked, so that its options are looked at once.
                    self.after[other as usize] = self.left[other as usize].wrapping_add(1);
                    self.touched.push(other);
                }
            }
        }
        for &other in &self.touched {
            self.after[other as usize] = self.left[other as usize];
            for &option in shape.options(other) {
                self.work += shape.option(option).len();
                let others = shape.option(option).iter().copied();
                others.filter(|&item| (item as usize) < shape.primary).for_each(|o| beside.see(o));
            }
        }
    }

    /// By how much the frontier becomes wider if `item` is next. The options of `item` that were not
    /// passed are noted in `touched` by their items, and counted in `after`.
    fn change(&mut self, item: u32) -> i64 {
        let shape = self.shape;
        let mut change = if self.open[item as usize] { -i64::from(UNIT) } else { 0 };
        self.touched.clear();
        for &option in shape.options(item) {
            if self.passed[option.index()] {
                continue;
            }
            for &other in shape.option(option) {
                if self.after[other as usize] == self.left[other as usize] {
                    self.touched.push(other);
                }
                self.after[other as usize] -= 1;
            }
            self.work += shape.option(option).len();
        }
        for &other in &self.touched {
            let at = other as usize;
            let lasts = other != item && (at < shape.primary || self.after[at] > 0);
            let width = i64::from(if at < shape.primary { UNIT } else { shape.width[at] });
            match (self.open[at], lasts) {
                (false, true) => change += width,
                (true, false) if other != item => change -= width,
                _ => {}
            }
            self.after[at] = self.left[at];
        }
        change
    }

    /// Covers `item`.
    fn pass(&mut self, item: u32) {
        let change = self.change(item);
        self.width = (i64::from(self.width) + change).max(0) as u32;
        let shape = self.shape;
        for &option in shape.options(item) {
            if std::mem::replace(&mut self.passed[option.index()], true) {
                continue;
            }
            for &other in shape.option(option) {
                self.left[other as usize] -= 1;
            }
        }
        for &other in &self.touched {
            let at = other as usize;
            self.after[at] = self.left[at];
            self.open[at] = at < shape.primary || self.left[at] > 0;
        }
        self.open[item as usize] = false;
    }
}

/// The items beside the frontier: not covered, but one of their options shares an item with a covered
/// one.
struct Beside {
    covered: Vec<bool>,
    /// The oldest first.
    items: Vec<u32>,
    /// By item: by how much it would widen the frontier, if that is known.
    change: Vec<Option<i64>>,
    is_in: Vec<bool>,
}

impl Beside {
    /// Something happened next to `item`.
    fn see(&mut self, item: u32) {
        if self.covered[item as usize] {
            return;
        }
        self.change[item as usize] = None;
        if !std::mem::replace(&mut self.is_in[item as usize], true) {
            self.items.push(item);
        }
    }
}

/// 2 to so many parts of a bit, linear between powers of 2.
fn power(width: u32) -> f64 {
    let whole = i32::try_from(width / UNIT).unwrap_or(i32::MAX).min(1100);
    2f64.powi(whole) * f64::from(UNIT + width % UNIT) / f64::from(UNIT)
}
