//! Variables by activity: a binary heap that knows where each variable stands (VSIDS; Moskewicz et
//! al., DAC 2001, in MiniSat's form).

/// What activities grow by is multiplied by this after each conflict. Of 1/.95 to 1/.999 the largest that
/// takes fewer conflicts without being slow on some board (docs/benchmarks/2026-11-30-learn.md).
const GROWTH: f64 = 1.0 / 0.98;

/// Activities are scaled down beyond this.
const LARGE: f64 = 1e100;

/// Not in the heap.
const ABSENT: u32 = u32::MAX;

/// The variables that may be decided, the most active on top.
#[derive(Clone, Debug)]
pub struct Heap {
    heap: Vec<u32>,
    place: Vec<u32>,
    activity: Vec<f64>,
    step: f64,
}

impl Heap {
    /// All variables from 0 to `count` exclusive, none active; the first on top.
    pub fn new(count: usize) -> Self {
        let all: Vec<u32> = (0..count as u32).collect();
        Heap { heap: all.clone(), place: all, activity: vec![0.0; count], step: 1.0 }
    }

    /// Raises the activity of `var`.
    pub fn bump(&mut self, var: usize) {
        self.activity[var] += self.step;
        if self.activity[var] > LARGE {
            self.activity.iter_mut().for_each(|activity| *activity /= LARGE);
            self.step /= LARGE;
        }
        if self.place[var] != ABSENT {
            self.rise(self.place[var] as usize);
        }
    }

    /// Makes later bumps weigh more.
    pub fn decay(&mut self) {
        self.step *= GROWTH;
    }

    /// Puts `var` back, if it is not there.
    pub fn insert(&mut self, var: usize) {
        if self.place[var] == ABSENT {
            self.place[var] = self.heap.len() as u32;
            self.heap.push(var as u32);
            self.rise(self.heap.len() - 1);
        }
    }

    /// Takes the most active variable out.
    pub fn pop(&mut self) -> Option<usize> {
        let top = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.place[top as usize] = ABSENT;
        if top != last {
            self.heap[0] = last;
            self.place[last as usize] = 0;
            self.sink(0);
        }
        Some(top as usize)
    }

    /// Equal activities keep the order of the variables, so that runs can be repeated.
    fn before(&self, a: u32, b: u32) -> bool {
        let (x, y) = (self.activity[a as usize], self.activity[b as usize]);
        x > y || (x == y && a < b)
    }

    fn rise(&mut self, mut at: usize) {
        let var = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.before(var, self.heap[parent]) {
                break;
            }
            self.heap[at] = self.heap[parent];
            self.place[self.heap[at] as usize] = at as u32;
            at = parent;
        }
        self.heap[at] = var;
        self.place[var as usize] = at as u32;
    }

    fn sink(&mut self, mut at: usize) {
        let var = self.heap[at];
        loop {
            let left = 2 * at + 1;
            if left >= self.heap.len() {
                break;
            }
            let right = left + 1;
            let better = right < self.heap.len() && self.before(self.heap[right], self.heap[left]);
            let child = if better { right } else { left };
            if !self.before(self.heap[child], var) {
                break;
            }
            self.heap[at] = self.heap[child];
            self.place[self.heap[at] as usize] = at as u32;
            at = child;
        }
        self.heap[at] = var;
        self.place[var as usize] = at as u32;
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
}
