//! Dual ascent: taxes on items give lower bounds for what a cover costs.

use super::Cheapest;
use crate::constraint::Propagator;

/// How the root is taxed.
pub(super) enum First {
    Forward,
    Backward,
    /// These taxes first.
    Shared(Vec<(u32, u64)>),
}

impl<C: Propagator> Cheapest<'_, C> {
    /// Levies a tax on `item`, and answers what that comes to.
    pub(super) fn levy(&mut self, item: u32, tax: u64) -> u128 {
        let mut node = self.store.down(item);
        while node != item {
            self.net[self.store.option_of[node as usize] as usize] -= tax;
            node = self.store.down(node);
        }
        self.taxes.push((item, tax));
        u128::from(tax) * self.need(item) as u128
    }

    /// Gives back all taxes but the first so many.
    pub(super) fn give_back(&mut self, kept: usize) {
        while self.taxes.len() > kept {
            let Some((item, tax)) = self.taxes.pop() else { return };
            let mut node = self.store.down(item);
            while node != item {
                self.net[self.store.option_of[node as usize] as usize] += tax;
                node = self.store.down(node);
            }
        }
    }

    /// Taxes all `items` that must be covered until each has an option without net cost. `None` if
    /// one has no option.
    pub(super) fn tax(&mut self, items: &[u32]) -> Option<u128> {
        let mut sum = 0;
        for &item in items {
            if self.need(item) > 0 {
                let mut least = None;
                for node in self.list(item) {
                    let net = self.net(node);
                    least = Some(least.map_or(net, |least: u64| least.min(net)));
                    if net == 0 {
                        break;
                    }
                }
                match least? {
                    0 => {}
                    tax => sum += self.levy(item, tax),
                }
            }
        }
        Some(sum)
    }

    /// The way to tax the root that gives the most.
    pub(super) fn best_first(&mut self) -> First {
        let shares = self.shares();
        let ways = [First::Forward, First::Backward, First::Shared(shares)];
        let mut best = (None, First::Forward);
        for way in ways {
            let sum = self.tax_root(&way);
            self.give_back(0);
            if sum > best.0 {
                best = (sum, way);
            }
        }
        best.1
    }

    pub(super) fn tax_root(&mut self, way: &First) -> Option<u128> {
        let mut items: Vec<u32> = self.active().collect();
        let mut sum = 0;
        match way {
            First::Forward => {}
            First::Backward => items.reverse(),
            First::Shared(shares) => {
                for &(item, tax) in shares {
                    sum += self.levy(item, tax);
                }
            }
        }
        self.tax(&items).map(|rest| sum + rest)
    }

    /// What each item could pay if each option shared its cost among its items.
    fn shares(&self) -> Vec<(u32, u64)> {
        let share = |node: u32| {
            let entries = self.problem.option(self.option(node)).iter();
            let primary = entries.filter(|entry| self.problem.is_primary(entry.item)).count();
            self.net(node) / primary.max(1) as u64
        };
        let tax = |item: u32| {
            let least = self.list(item).map(share).min().unwrap_or(0);
            (self.need(item) > 0 && least > 0).then_some((item, least))
        };
        self.active().filter_map(tax).collect()
    }
}
