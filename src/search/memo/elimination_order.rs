//! In which order to cover the items so that few of them are open at a time.
//!
//! The order decides everything: the states after a step tell which later items are covered, and which
//! colors are given that some later option still asks for. So we look for a sweep over the items whose
//! frontier, measured in bits, is narrow. Nothing but the structure of the problem is used:
//!
//! * Distances from a few *landmarks*, items far from each other (the corners of a board, if it is one;
//!   for such pseudo-peripheral vertices see Gibbs, Poole, Stockmeyer 1976). Items sorted by the
//!   difference of their distances from two landmarks `a` and `b` are the columns between two corners;
//!   sorted by the distance from `a` alone, the diagonals, as in the algorithm of Cuthill and McKee.
//! * From each landmark, the item that widens the frontier least, again and again.
//!
//! In all of them an item that makes the frontier narrower comes at once, wherever it stands; for
//! instance a clue when its last edge is known. The sum over all steps of 2 to the width, an upper
//! bound for the number of states, says which order is best.

use crate::ids::OptionId;
use crate::problem::Problem;
use crate::search::memo::frontier_width::Sweep;
use crate::search::memo::hypergraph::Hypergraph;

/// Entries that may be looked at in order to find an order.
const WORK: usize = 5_000_000;

/// An order of some primary items.
#[derive(Clone, Debug)]
pub struct EliminationOrder {
    /// The items.
    pub items: Vec<u32>,
    /// An upper bound for the number of states in all steps together; may be infinite.
    pub states: f64,
}

/// The best order that we find for the items of `problem`. It goes through one component after the
/// other. The number of states is infinite if there was no time to find out.
pub fn find(problem: &Problem) -> EliminationOrder {
    let shape = Hypergraph::new(problem);
    let mut sweep = Sweep::new(&shape);
    let mut components = components(problem);
    // Small ones need little work; if there are many, that is enough.
    components.sort_by_key(Vec::len);
    let mut items = Vec::with_capacity(problem.primary());
    for component in &components {
        items.extend(best(&shape, component, &mut sweep));
    }
    let states = sweep.measure(&items);
    EliminationOrder { items, states }
}

/// The options by the first of their items in this order, and those of an item as they are numbered.
pub fn options(problem: &Problem, items: &[u32]) -> Vec<OptionId> {
    let mut place = vec![usize::MAX; problem.items()];
    items.iter().enumerate().for_each(|(step, &item)| place[item as usize] = step);
    let mut options: Vec<OptionId> = problem.option_ids().collect();
    let step = |&option: &OptionId| {
        problem.option(option).iter().map(|entry| place[entry.item.index()]).min()
    };
    options.sort_by_cached_key(step);
    options
}

/// The best order that we find for `items`, which are connected to each other and to no others.
fn best(shape: &Hypergraph<'_>, items: &[u32], sweep: &mut Sweep<'_>) -> Vec<u32> {
    let begun = sweep.work();
    if items.len() < 3 || begun > WORK {
        return items.to_vec();
    }
    let mut best = EliminationOrder { items: items.to_vec(), states: f64::INFINITY };
    for rule in Landmarks::new(shape, items).rules() {
        let (rank, start) = match rule {
            OrderRule::Greedy(start) => (None, start),
            OrderRule::Sorted(rank, start) => (Some(rank), start),
        };
        let order = sweep.run(items, rank.as_deref(), start, best.states, WORK);
        if order.states < best.states {
            best = order;
        }
        // To think longer than it will take makes no sense.
        let work = sweep.work();
        if work > WORK || (work - begun) as f64 > best.states {
            break;
        }
    }
    best.items
}

/// How to make an order.
enum OrderRule {
    /// The item that widens the frontier least, beginning with this one.
    Greedy(u32),
    /// By these ranks, one for each item of the problem.
    Sorted(Vec<i64>, u32),
}

/// Items far from each other, with the distances from them.
struct Landmarks {
    items: Vec<u32>,
    distances: Vec<Vec<u32>>,
}

impl Landmarks {
    fn new(shape: &Hypergraph<'_>, items: &[u32]) -> Self {
        let far = |from: &[u32], near: Option<&[u32]>| {
            let key = |&item: &u32| {
                let near = near.map_or(0, |near| near[item as usize]);
                (from[item as usize], near, std::cmp::Reverse(item))
            };
            items.iter().copied().max_by_key(key).unwrap_or(items[0])
        };
        let start = shape.distances(items[0]);
        let a = far(&start, None);
        let from_a = shape.distances(a);
        let b = far(&from_a, None);
        let from_b = shape.distances(b);
        let nearer: Vec<u32> = from_a.iter().zip(&from_b).map(|(&a, &b)| a.min(b)).collect();
        // On a board all of a diagonal is equally far from two opposite corners. What is farthest from
        // any of it is another corner, or one of the two.
        let between = shape.distances(far(&nearer, None));
        let c = far(&between, Some(&nearer));
        let from_c = shape.distances(c);
        let d = far(&from_c, Some(&nearer));
        let from_d = shape.distances(d);
        Landmarks { items: vec![a, b, c, d], distances: vec![from_a, from_b, from_c, from_d] }
    }

    /// The most promising first.
    fn rules(&self) -> impl Iterator<Item = OrderRule> + '_ {
        let pairs = (0..4).flat_map(|a| (0..4).map(move |b| (a, b))).filter(|(a, b)| a != b);
        let columns = pairs.clone().map(|(a, b)| self.sorted(a, b, true));
        let diagonals = pairs.map(|(a, b)| self.sorted(a, b, false));
        let greedy = self.items.iter().map(|&item| OrderRule::Greedy(item));
        greedy.chain(columns).chain(diagonals)
    }

    fn sorted(&self, a: usize, b: usize, columns: bool) -> OrderRule {
        let size = self.distances[a].len() as i64 + 1;
        let ranks = self.distances[a].iter().zip(&self.distances[b]).map(|(&a, &b)| {
            let (a, b) = (i64::from(a).min(size), i64::from(b).min(size));
            if columns { (a - b) * 2 * size + a } else { a * 2 * size + b }
        });
        OrderRule::Sorted(ranks.collect(), self.items[a])
    }
}

/// The components of the primary items: items that occur in one option, or whose options share an
/// item, belong together.
pub fn components(problem: &Problem) -> Vec<Vec<u32>> {
    let mut parent: Vec<u32> = (0..problem.items() as u32).collect();
    fn find(parent: &mut [u32], mut at: u32) -> u32 {
        while parent[at as usize] != at {
            parent[at as usize] = parent[parent[at as usize] as usize];
            at = parent[at as usize];
        }
        at
    }
    for option in problem.option_ids() {
        let mut entries = problem.option(option).iter().map(|entry| entry.item.raw());
        let Some(first) = entries.next() else { continue };
        for item in entries {
            let (one, other) = (find(&mut parent, first), find(&mut parent, item));
            parent[one.max(other) as usize] = one.min(other);
        }
    }
    let mut number = vec![usize::MAX; problem.items()];
    let mut components: Vec<Vec<u32>> = Vec::new();
    for item in 0..problem.primary() as u32 {
        let root = find(&mut parent, item) as usize;
        if number[root] == usize::MAX {
            number[root] = components.len();
            components.push(Vec::new());
        }
        components[number[root]].push(item);
    }
    components
}
