//! What `dlx5` tells about costs.

use crate::knuth::costs::INFINITE;
use crate::knuth::machine::{Machine, Node};
use crate::knuth::report::digit;

impl Machine {
    /// ` (total cost $7)`, of the choices that stand.
    pub(super) fn write_total(&self, text: &mut Vec<u8>) {
        let spent = self.prices.spent.last().copied().unwrap_or(0);
        let last = self.choices.last().map_or(0, |&node| self.cost(node));
        let total = self.prices.total_tax.wrapping_add(spent).wrapping_add(last);
        text.extend_from_slice(format!(" (total cost ${total})").as_bytes());
    }

    /// Appends the choice on `level` with its rank among the options that are cheap enough, its cost
    /// and its net cost.
    pub(super) fn write_priced(&self, level: usize, text: &mut Vec<u8>) {
        let node = self.choices[level];
        self.write_entries(node, text);
        let item = self.nodes[node as usize].item as u32;
        let limit = self.prices.cutoff.wrapping_sub(self.prices.spent[level]);
        match self.rank(node, item) {
            Some(rank) => {
                let count = self.cheap(item, limit);
                text.extend_from_slice(format!(" ({rank} of {count})").as_bytes());
            }
            None => text.extend_from_slice(b" (?)"),
        }
        let mut cost = self.cost(node);
        let mut at = node;
        loop {
            let Node { up, item, .. } = self.nodes[at as usize];
            match item {
                1.. => {
                    cost = cost.wrapping_add(self.prices.cost[item as usize]);
                    at += 1;
                }
                _ => at = up,
            }
            if at == node {
                break;
            }
        }
        if cost > 0 {
            text.extend_from_slice(format!(" ${cost} [{}]", self.cost(node)).as_bytes());
        }
        text.push(b'\n');
    }

    /// How many options of `item`, from the first on, cost less than `limit`.
    fn cheap(&self, item: u32, limit: u64) -> u32 {
        let (mut count, mut node) = (0, self.nodes[item as usize].down);
        while node >= self.last_item && self.cost(node) < limit {
            (count, node) = (count + 1, self.nodes[node as usize].down);
        }
        count
    }

    /// `, $7`: the cost to be beaten, if there is one.
    pub(super) fn cost_to_beat(&self) -> String {
        match self.prices.cutoff {
            INFINITE => String::new(),
            cutoff => format!(", ${}", cutoff.wrapping_add(self.prices.total_tax)),
        }
    }

    pub(super) fn progress_priced(&self) -> String {
        let mut text = String::new();
        let (mut done, mut parts) = (0.0, 1.0);
        for (level, &node) in self.choices.iter().enumerate() {
            let item = self.nodes[node as usize].item as u32;
            let rank = self.rank(node, item).unwrap_or(1);
            let limit = self.prices.cutoff - self.prices.spent[level];
            let count = self.cheap(item, limit).max(rank - 1);
            parts *= f64::from(count);
            done += f64::from(rank - 1) / parts;
            text += &format!(" {}{}", digit(rank), digit(count));
            if level as i64 >= i64::from(self.settings.levels_max) {
                text += "...";
                break;
            }
        }
        text + &format!(" {:.5}\n", done + 0.5 / parts)
    }

    /// `The optimum cost is $7`, or the costs of the best ones.
    pub(super) fn best_costs(&self) -> String {
        let wanted = self.settings.best as usize;
        let mut best: Vec<u64> = self.prices.best[..wanted].to_vec();
        best.retain(|&cost| cost < INFINITE);
        best.sort_unstable();
        let total = |cost: u64| cost.wrapping_add(self.prices.total_tax);
        let mut text = String::from("The optimum cost");
        text += if wanted == 1 { " is" } else { "s are:\n" };
        for group in best.chunk_by(|a, b| a == b) {
            text += &match group.len() {
                1 => format!(" ${}\n", total(group[0])),
                times => format!(" ${} (repeated {times} times)\n", total(group[0])),
            };
        }
        text
    }
}
