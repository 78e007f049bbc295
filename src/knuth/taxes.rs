//! What `dlx5` does to a problem before it searches: taxes, and lists sorted by net cost.

use crate::knuth::costs::INFINITE;
use crate::knuth::machine::{Machine, Node};
use crate::knuth::{Console, show};

impl Machine {
    /// Taxes the primary items.
    pub(super) fn assign_taxes(&mut self, console: &mut dyn Console) {
        self.prices.cost.resize(self.nodes.len(), 0);
        for item in 1..self.second {
            let mut least = INFINITE;
            let mut node = self.nodes[item as usize].up;
            while node > item && least > 0 {
                least = least.min(self.cost(node));
                self.mems += 2;
                node = self.nodes[node as usize].up;
            }
            if least == 0 {
                continue;
            }
            if self.settings.shows(show::TAXES) {
                console.say(b" ");
                console.say(self.name(item));
                console.say(format!(" tax=${least}\n").as_bytes());
            }
            self.prices.total_tax = self.prices.total_tax.wrapping_add(least);
            let mut node = self.nodes[item as usize].up;
            while node > item {
                let mut at = node + 1;
                loop {
                    let Node { up, item, .. } = self.nodes[at as usize];
                    self.mems += 1;
                    if item <= 0 {
                        self.mems += 1;
                        at = up;
                        continue;
                    }
                    self.mems += 2;
                    self.prices.cost[at as usize] -= least;
                    if at == node {
                        break;
                    }
                    at += 1;
                }
                self.mems += 1;
                node = self.nodes[node as usize].up;
            }
            self.prices.cost[item as usize] = least;
        }
        let total = self.prices.total_tax;
        if total > 0 && self.settings.shows(show::TAXES) {
            console.say(format!(" (total tax is ${total})\n").as_bytes());
        }
    }

    /// Sorts each list by net cost, stably, and makes its `down` links: Algorithm 5.2.4L on the `up`
    /// links, whose sign says where a sorted stretch ends.
    pub(super) fn sort_lists(&mut self) {
        let mut up: Vec<i32> = self.nodes.iter().map(|node| node.up as i32).collect();
        for item in 1..self.last_item as i32 {
            let (mut p, mut q) = (item, up[item as usize]);
            let mut tail = 0i32;
            self.mems += 2;
            (p, q) = (up[p as usize], up[q as usize]);
            while q > item {
                self.mems += 2;
                if self.cost(p as u32) < self.cost(q as u32) {
                    up[tail as usize] = -q;
                    tail = p;
                }
                (p, q) = (q, up[q as usize]);
            }
            if tail != 0 {
                self.mems += 2;
                up[tail as usize] = 0;
                up[p as usize] = 0;
                self.merge(item, &mut up);
            }
            self.mems += 1;
            (p, q) = (item, up[item as usize]);
            while q > item {
                self.mems += 2;
                self.nodes[q as usize].down = p as u32;
                (p, q) = (q, up[q as usize]);
            }
            self.mems += 2;
            up[p as usize] = item;
            self.nodes[item as usize].down = p as u32;
        }
        for (node, up) in self.nodes.iter_mut().zip(up).skip(1) {
            node.up = up as u32;
        }
    }

    fn merge(&mut self, item: i32, up: &mut [i32]) {
        loop {
            self.mems += 1;
            if up[0] == 0 {
                return;
            }
            self.mems += 2;
            let (mut s, mut t) = (item, 0);
            let (mut p, mut q) = (up[s as usize], -up[0]);
            loop {
                self.mems += 1;
                let advance_q = self.cost(p as u32) < self.cost(q as u32);
                let (front, other) = if advance_q { (&mut q, &mut p) } else { (&mut p, &mut q) };
                self.mems += 2;
                up[s as usize] = if up[s as usize] <= 0 { -*front } else { *front };
                (s, *front) = (*front, up[*front as usize]);
                if *front > 0 {
                    continue;
                }
                // One stretch is used up: the rest of the other follows.
                self.mems += 1;
                up[s as usize] = *other;
                s = t;
                while *other > 0 {
                    t = *other;
                    self.mems += 1;
                    *other = up[t as usize];
                }
                (p, q) = (-p, -q);
                if q == 0 {
                    break;
                }
            }
            self.mems += 2;
            up[s as usize] = -p;
            up[t as usize] = 0;
        }
    }
}
