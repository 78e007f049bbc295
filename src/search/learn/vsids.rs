//! Variables by activity: a binary heap that knows where each variable stands (VSIDS; Moskewicz et
//! al., DAC 2001, in MiniSat's form).

/// What activities grow by is multiplied by this after each conflict. Of 1/.95 to 1/.999 the largest that
/// takes fewer conflicts without being slow on some board (docs/benchmarks/2026-11-30-learn.md).
const GROWTH: f64 = 1.0 / 0.98;

/// Activities are scaled down beyond this.
const LARGE: f64 = 1e100;

/// Not in the heap.
const ABSENT: u32 = u32::MAX;

/// Children of a node: together they take one line of a cache.
const CHILDREN: usize = 4;

/// A variable with its activity, beside it so that comparing looks nowhere else.
#[derive(Clone, Copy, Debug)]
struct HeapNode {
    activity: f64,
    var: u32,
}

impl HeapNode {
    /// Equal activities keep the order of the variables, so that runs can be repeated.
    #[inline]
    fn is_before(self, other: HeapNode) -> bool {
        self.activity > other.activity || (self.activity == other.activity && self.var < other.var)
    }
}

/// The variables that may be decided, the most active on top.
#[derive(Clone, Debug)]
pub struct Heap {
    nodes: Vec<HeapNode>,
    place: Vec<u32>,
    activity: Vec<f64>,
    step: f64,
}

impl Heap {
    /// All variables from 0 to `count` exclusive, none active; the first on top.
    pub fn new(count: usize) -> Self {
        let place: Vec<u32> = (0..count as u32).collect();
        let nodes = place.iter().map(|&var| HeapNode { activity: 0.0, var }).collect();
        Heap { nodes, place, activity: vec![0.0; count], step: 1.0 }
    }

    /// Raises the activity of `var`.
    pub fn bump(&mut self, var: usize) {
        self.activity[var] += self.step;
        if self.activity[var] > LARGE {
            self.activity.iter_mut().for_each(|activity| *activity /= LARGE);
            self.nodes.iter_mut().for_each(|node| node.activity /= LARGE);
            self.step /= LARGE;
        }
        if self.place[var] != ABSENT {
            self.rise(self.place[var] as usize, self.node(var));
        }
    }

    /// Makes later bumps weigh more.
    pub fn decay(&mut self) {
        self.step *= GROWTH;
    }

    /// Puts `var` back, if it is not there.
    pub fn insert(&mut self, var: usize) {
        if self.place[var] == ABSENT {
            let node = self.node(var);
            self.nodes.push(node);
            self.rise(self.nodes.len() - 1, node);
        }
    }

    /// Takes the most active variable out.
    pub fn pop(&mut self) -> Option<usize> {
        let top = self.nodes.first()?.var;
        let last = self.nodes.pop()?;
        self.place[top as usize] = ABSENT;
        if top != last.var {
            self.sink(last);
        }
        Some(top as usize)
    }

    fn node(&self, var: usize) -> HeapNode {
        HeapNode { activity: self.activity[var], var: var as u32 }
    }

    fn put(&mut self, at: usize, node: HeapNode) {
        self.nodes[at] = node;
        self.place[node.var as usize] = at as u32;
    }

    /// `node`, which belongs at `at` or above, finds its place.
    fn rise(&mut self, mut at: usize, node: HeapNode) {
        while at > 0 {
            let parent = (at - 1) / CHILDREN;
            if !node.is_before(self.nodes[parent]) {
                break;
            }
            self.put(at, self.nodes[parent]);
            at = parent;
        }
        self.put(at, node);
    }

    /// The top is vacant, and `node` finds its place there or below.
    fn sink(&mut self, node: HeapNode) {
        let mut at = 0;
        loop {
            let first = CHILDREN * at + 1;
            let Some(&(mut best)) = self.nodes.get(first) else { break };
            let mut child = first;
            let last = self.nodes.len().min(first + CHILDREN);
            for other in first + 1..last {
                if self.nodes[other].is_before(best) {
                    (child, best) = (other, self.nodes[other]);
                }
            }
            if !best.is_before(node) {
                break;
            }
            self.put(at, best);
            at = child;
        }
        self.put(at, node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_active_comes_first_and_equals_in_order() {
        let mut heap = Heap::new(6);
        for var in [4, 2, 4] {
            heap.bump(var);
        }
        heap.decay();
        heap.bump(5);
        let order: Vec<usize> = std::iter::from_fn(|| heap.pop()).collect();
        assert_eq!(order, [4, 5, 2, 0, 1, 3]);
        heap.insert(3);
        heap.insert(0);
        heap.insert(3);
        assert_eq!((heap.pop(), heap.pop(), heap.pop()), (Some(0), Some(3), None));
    }

    /// A list in which the first of the best is looked for.
    #[test]
    fn it_is_a_list_that_is_searched() {
        let mut random = fastrand::Rng::with_seed(7);
        for count in [1, 2, 5, 6, 21, 22, 60] {
            let mut heap = Heap::new(count);
            let (mut activity, mut step) = (vec![0.0; count], 1.0);
            let mut list: Vec<usize> = (0..count).collect();
            for _ in 0..2000 {
                let var = random.usize(..count);
                match random.u8(..8) {
                    0..3 => {
                        heap.bump(var);
                        activity[var] += step;
                    }
                    3 => {
                        heap.decay();
                        step *= GROWTH;
                    }
                    4..6 => {
                        heap.insert(var);
                        if !list.contains(&var) {
                            list.push(var);
                        }
                    }
                    _ => {
                        list.sort_by(|&a, &b| {
                            activity[b].total_cmp(&activity[a]).then(a.cmp(&b)).reverse()
                        });
                        assert_eq!(heap.pop(), list.pop());
                    }
                }
            }
        }
    }
}
