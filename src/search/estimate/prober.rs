//! Walks and probes: what visits a part of the tree.

use crate::constraint::Propagator;
use crate::large::Large;
use crate::search::algorithm_c::take;
use crate::search::estimate::levels::{LevelSample, Sums};
use crate::search::interval::{Bounds, Interval};
use crate::search::store::Store;

/// How many places are kept at which a search may be watched.
const PLACES: usize = 16;

/// Goes about in a tree.
pub(super) struct Prober<'a, S, C> {
    store: S,
    constraint: &'a mut C,
    stop: &'a mut dyn FnMut() -> bool,
    random: fastrand::Rng,
    /// Levels that stand.
    base: usize,
    /// What a node costs besides its updates: the search for the item with the fewest options.
    node: u64,
    /// By level: one of so many options is taken.
    pub steps: Vec<f64>,
    /// All nodes that were visited.
    pub visited: u64,
    /// So many different ones were.
    pub different: u64,
    pub stopped: bool,
    /// Some nodes on a level, all with the same probability.
    pub places: Places,
}

/// Nodes on a level, chosen as they come.
#[derive(Default)]
pub(super) struct Places {
    /// The level, if some are wanted.
    pub level: Option<usize>,
    /// How many there were.
    count: u64,
    kept: Vec<Interval>,
}

impl Places {
    pub fn take(&mut self) -> Vec<Interval> {
        std::mem::take(&mut self.kept)
    }
}

/// What came of a probe.
pub(super) enum ProbeResult {
    Complete(LevelSample),
    /// It was given up, after this.
    Given(LevelSample),
}

impl<'a, S: Store, C: Propagator> Prober<'a, S, C> {
    pub fn new(
        store: S,
        constraint: &'a mut C,
        stop: &'a mut dyn FnMut() -> bool,
        seed: u64,
        node: u64,
    ) -> Self {
        Prober {
            base: store.levels(),
            store,
            constraint,
            stop,
            random: fastrand::Rng::with_seed(seed),
            node,
            steps: Vec::new(),
            visited: 0,
            different: 0,
            stopped: false,
            places: Places::default(),
        }
    }

    fn updates(&self) -> u64 {
        self.store.counters().0
    }

    /// What was done so far, in updates of lists, or what takes as long.
    pub fn spent(&self) -> u64 {
        let (updates, cleansings) = self.store.counters();
        updates + cleansings + self.constraint.work() + self.visited * self.node
    }

    /// A node is visited; looks up now and then, and before the first.
    fn enter(&mut self) {
        self.visited += 1;
        if self.visited % 256 == 1 {
            self.stopped |= (self.stop)();
        }
    }

    fn backtrack(&mut self, level: usize) {
        self.store.undo();
        self.constraint.backtrack(level);
    }

    /// A walk as Knuth has it: adds what it sees to `seen`, and answers what it says of the whole tree. `None` if it
    /// costs more than `most` altogether, or is stopped.
    pub fn walk(&mut self, seen: &mut LevelSample, most: u64) -> Option<Sums> {
        let (mut level, mut weight, mut sums) = (0, Large::ONE, Sums::default());
        let mut here = LevelSample::default();
        let limit = self.spent().saturating_add(most);
        let mut whole = false;
        while !self.stopped && self.spent() <= limit {
            let (updates, spent) = (self.updates(), self.spent());
            self.enter();
            self.store.branch();
            let mut degree = 0;
            let mut found = self.store.next();
            if found {
                degree = self.store.choice(self.base + level).degree;
                let others = self.random.u32(0..degree);
                found = (0..others).all(|_| self.store.next());
            }
            let stands = found && take(&mut self.store, self.constraint);
            here.grow(level + 1);
            here.nodes[level] = 1.0;
            here.updates[level] = (self.updates() - updates) as f64;
            here.work[level] = (self.spent() - spent) as f64;
            sums.add(&here, level, weight);
            if !stands {
                whole = true;
                break;
            }
            here.born[level] = f64::from(degree);
            weight = weight * f64::from(degree);
            level += 1;
            if self.store.done() {
                here.nodes[level] = 1.0;
                here.solutions[level] = f64::from(u8::from(self.constraint.complete().is_fine()));
                sums.add(&here, level, weight);
                self.backtrack(self.base + level - 1);
                whole = true;
                break;
            }
        }
        if !whole && self.store.levels() > self.base {
            // The node to which the last choice leads was not entered.
            self.backtrack(self.store.levels() - 1);
        }
        self.ascend();
        seen.grow(here.nodes.len() - 1);
        for level in 0..here.nodes.len() {
            seen.nodes[level] += here.nodes[level];
            seen.updates[level] += here.updates[level];
            seen.work[level] += here.work[level];
            seen.born[level] += here.born[level];
        }
        whole.then_some(sums)
    }

    /// Closes the levels that are open; nothing stands on the last one.
    fn ascend(&mut self) {
        while self.store.levels() > self.base {
            self.store.close();
            if self.store.levels() > self.base {
                self.backtrack(self.store.levels() - 1);
            }
        }
    }

    /// Backtracks, but takes on each level one option of as many as `steps` has there; gives up if that costs more
    /// than `most`, or is stopped.
    pub fn probe(&mut self, most: f64) -> ProbeResult {
        let mut seen = LevelSample::default();
        let random = &mut self.random;
        let mut phases: Vec<f64> = self.steps.iter().map(|step| random.f64() * step).collect();
        let start = self.spent();
        let visited = self.visited;
        let mut before = (self.updates(), start);
        let (mut level, mut whole) = (0, true);
        'enter: loop {
            seen.grow(level);
            seen.nodes[level] += 1.0;
            self.enter();
            if self.places.level == Some(level) {
                self.keep_place();
            }
            if self.stopped || (self.spent() - start) as f64 > most {
                whole = false;
                break;
            }
            self.store.branch();
            loop {
                if !self.store.next() {
                    self.store.close();
                    self.note(&mut seen, level, &mut before);
                    if level == 0 {
                        break 'enter;
                    }
                    level -= 1;
                    self.backtrack(self.base + level);
                    continue;
                }
                if let (Some(step), Some(phase)) = (self.steps.get(level), phases.get_mut(level)) {
                    *phase += 1.0;
                    if *phase < *step {
                        continue;
                    }
                    *phase -= step;
                }
                if !take(&mut self.store, self.constraint) {
                    continue;
                }
                if !self.store.done() {
                    self.note(&mut seen, level, &mut before);
                    level += 1;
                    continue 'enter;
                }
                seen.grow(level + 1);
                seen.nodes[level + 1] += 1.0;
                let holds = self.constraint.complete().is_fine();
                seen.solutions[level + 1] += if holds { 1.0 } else { 0.0 };
                self.backtrack(self.base + level);
            }
        }
        // No probe comes to a node twice.
        self.different = self.different.max(self.visited - visited);
        seen.bear(&self.steps);
        if !whole {
            // The node was entered but opened no level.
            while self.store.levels() > self.base {
                self.backtrack(self.store.levels() - 1);
                self.store.close();
            }
            return ProbeResult::Given(seen);
        }
        ProbeResult::Complete(seen)
    }

    /// Notes what was done since that was done last.
    fn note(&self, seen: &mut LevelSample, level: usize, before: &mut (u64, u64)) {
        let now = (self.updates(), self.spent());
        seen.updates[level] += (now.0 - before.0) as f64;
        seen.work[level] += (now.1 - before.1) as f64;
        *before = now;
    }

    /// Keeps the node that is entered, or not, so that each of its level is kept with the same probability (Vitter's
    /// Algorithm R).
    fn keep_place(&mut self) {
        self.places.count += 1;
        let kept = &mut self.places.kept;
        let at = match kept.len() < PLACES {
            true => kept.len(),
            false => self.random.u64(0..self.places.count) as usize,
        };
        if at < PLACES {
            let path = self.store.to_vec();
            let bounds = Bounds { floor: path.len(), to: u32::MAX };
            let place = Interval { path, after: false, bounds };
            match kept.get_mut(at) {
                Some(old) => *old = place,
                None => kept.push(place),
            }
        }
    }

    /// What a probe with these steps says of the whole tree.
    pub fn sums(&self, seen: &LevelSample) -> (Sums, Vec<Large>) {
        let (mut weight, mut sums, mut levels) = (Large::ONE, Sums::default(), Vec::new());
        for level in 0..seen.nodes.len() {
            sums.add(seen, level, weight);
            levels.push(weight * seen.nodes[level]);
            weight = weight * self.steps.get(level).copied().unwrap_or(1.0);
        }
        (sums, levels)
    }
}
