//! Classes of variables that are equal or complementary: union-find with parity and a constant.
//!
//! ```text
//! 1 = not 2,  2 = 3,  4 = 0      classes {1, 2, 3} and {0, 4}
//! ```
//!
//! Variables are 1, 2, ...; number 0 is the constant false. Each variable knows the leader of its
//! class and whether it is the leader's complement; members of a class form a cycle. Merging goes
//! as in Knuth's masyu-dlx ("Big reductions"), down to who leads and in which order a cycle runs,
//! because the file that is written shows both.
//!
//! # Invariants
//!
//! `leader[leader[v]] == leader[v]`, `flipped[leader[v]] == false`, `leader[0] == 0`; following
//! `next` from v visits the variables with v's leader and no other.

use std::collections::VecDeque;

/// The classes of variables 0 ..= n, of which 0 is the constant false.
#[derive(Clone, Debug)]
pub struct Classes {
    leader: Vec<u32>,
    flipped: Vec<bool>,
    next: Vec<u32>,
    size: Vec<u32>,
    /// The equations that merged two classes: two variables and why. A forest.
    merges: Vec<(u32, u32, u32)>,
}

impl Classes {
    /// Variables 1 ..= `count`, each a class of its own.
    pub fn new(count: u32) -> Self {
        let each: Vec<u32> = (0..=count).collect();
        let mut size = vec![1; each.len()];
        size[0] = 0;
        let flipped = vec![false; each.len()];
        Classes { leader: each.clone(), flipped, next: each, size, merges: Vec::new() }
    }

    /// Demands that `a` is `b`, or its complement if `flip`; `why` names the demand. The smaller
    /// class joins the larger, in a tie that of `a` joins that of `b`, and the constant leads.
    ///
    /// If the demand contradicts earlier ones, the answer is the reasons on the way from `a` to `b`
    /// and `why` itself, which together are contradictory; sorted, each once.
    pub fn unite(&mut self, a: u32, b: u32, flip: bool, why: u32) -> Result<(), Vec<u32>> {
        let [from, to] = [a, b].map(|v| self.leader[v as usize]);
        let flip = flip ^ self.flipped[a as usize] ^ self.flipped[b as usize];
        if from == to {
            return if flip { Err(self.reasons(a, b, why)) } else { Ok(()) };
        }
        self.merges.push((a, b, why));
        let larger = to != 0 && self.size[from as usize] > self.size[to as usize];
        let (from, to) = if from == 0 || larger { (to, from) } else { (from, to) };
        let mut member = from;
        loop {
            self.leader[member as usize] = to;
            self.flipped[member as usize] ^= flip;
            member = self.next[member as usize];
            if member == from {
                break;
            }
        }
        self.size[to as usize] += self.size[from as usize];
        self.next.swap(from as usize, to as usize);
        Ok(())
    }

    /// The leader of `v`, and whether `v` is its complement.
    pub fn leader(&self, v: u32) -> (u32, bool) {
        (self.leader[v as usize], self.flipped[v as usize])
    }

    /// Whether `v` leads a class of two or more.
    pub fn leads(&self, v: u32) -> bool {
        self.leader[v as usize] == v && self.size[v as usize] > 1
    }

    /// The members of the class of `v` after it, in the order of the cycle, without `v` itself, and
    /// whether each is the complement of its leader.
    pub fn others(&self, v: u32) -> impl Iterator<Item = (u32, bool)> {
        let after = move |&member: &u32| Some(self.next[member as usize]);
        std::iter::successors(after(&v), after)
            .take_while(move |&member| member != v)
            .map(|member| (member, self.flipped[member as usize]))
    }

    /// The number of variables that are constant.
    pub fn constants(&self) -> u64 {
        u64::from(self.size[0])
    }

    /// The number of independent equations so far; every one leaves one variable less.
    pub fn rank(&self) -> u64 {
        self.merges.len() as u64
    }

    /// The reasons along the path from `a` to `b` in the forest of merges, and `why`.
    fn reasons(&self, a: u32, b: u32, why: u32) -> Vec<u32> {
        let mut near = vec![Vec::new(); self.leader.len()];
        for &(one, other, why) in &self.merges {
            near[one as usize].push((other, why));
            near[other as usize].push((one, why));
        }
        // Where we came from on the way from a, and why.
        let mut came: Vec<Option<(u32, u32)>> = vec![None; self.leader.len()];
        came[a as usize] = Some((a, why));
        let mut queue = VecDeque::from([a]);
        while let Some(here) = queue.pop_front() {
            for &(there, why) in &near[here as usize] {
                if came[there as usize].is_none() {
                    came[there as usize] = Some((here, why));
                    queue.push_back(there);
                }
            }
        }
        let mut reasons = vec![why];
        let mut here = b;
        while let (true, Some((before, why))) = (here != a, came[here as usize]) {
            reasons.push(why);
            here = before;
        }
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // All assignments of four variables against random equations: two variables may have both
    // equal and different values exactly if the classes say nothing about them.
    #[test]
    fn says_what_follows_from_equations_and_nothing_else() {
        let mut random = fastrand::Rng::with_seed(423);
        for _ in 0..500 {
            let mut classes = Classes::new(4);
            let mut equations = Vec::new();
            for why in 0..random.u32(1..5) {
                let (a, b, flip) = (random.u32(0..5), random.u32(0..5), random.bool());
                let holds = |equations: &[(u32, u32, bool)]| {
                    (0..16u32).map(|bits| bits << 1).any(|bits| {
                        let value = |v: u32| bits >> v & 1 == 1;
                        equations.iter().all(|&(a, b, flip)| value(a) ^ value(b) == flip)
                    })
                };
                equations.push((a, b, flip));
                let result = classes.unite(a, b, flip, why);
                assert_eq!(result.is_ok(), holds(&equations));
                if let Err(reasons) = result {
                    let few: Vec<_> = reasons.iter().map(|&why| equations[why as usize]).collect();
                    assert!(!holds(&few) && (few.is_empty() || holds(&few[..few.len() - 1])));
                    break;
                }
                sanity(&classes);
                for (a, b) in (0..5).flat_map(|a| (0..a).map(move |b| (a, b))) {
                    let may = |flip| holds(&[&equations[..], &[(a, b, flip)]].concat());
                    let ((to, one), (same, other)) = (classes.leader(a), classes.leader(b));
                    assert_eq!(may(false) != may(true), to == same);
                    assert!(to != same || may(one ^ other));
                }
            }
        }
    }

    fn sanity(classes: &Classes) {
        for v in 0..classes.leader.len() as u32 {
            let (leader, _) = classes.leader(v);
            assert_eq!(classes.leader(leader), (leader, false));
            let mut class: Vec<u32> = classes.others(v).map(|(other, _)| other).collect();
            class.push(v);
            class.sort_unstable();
            let all = 0..classes.leader.len() as u32;
            assert_eq!(class, all.filter(|&w| classes.leader(w).0 == leader).collect::<Vec<_>>());
        }
        assert_eq!(classes.leader[0], 0);
    }
}
