//! The lower bounds of `dlx5` for its arguments `Z` and `z`.
//!
//! If each option has one item that begins with a certain letter, the least costs of the active items with
//! that letter must all be paid. If it has `z` others, each is paid with `z - 1` more: then of their least
//! costs, sorted, each `z`-th must be paid.

use crate::knuth::Console;
use crate::knuth::costs::INFINITE;
use crate::knuth::machine::Machine;

/// How many least costs are sorted at a time.
const SORTED: usize = 32;

/// A lower bound is not below what may be spent; the program has two ways to say so.
enum TooMuch {
    Overflowed,
    Caused,
}

impl Machine {
    /// Whether the least costs of the active items add up to too much, given that each option has one
    /// item for each letter of `Z`, and `z` others.
    pub(super) fn costs_too_much(&mut self, spent: u64, console: &mut dyn Console) -> bool {
        let letters = self.settings.letters.clone();
        let others = self.settings.others;
        if letters.is_empty() && others == 0 || self.prices.cutoff == INFINITE {
            return false;
        }
        let level = self.choices.len() as i64;
        let mut apart = others;
        if others > 1 {
            let open = i64::from(self.second) - level * i64::from(others);
            if open > SORTED as i64 + 1 {
                if letters.is_empty() {
                    return false;
                }
                apart = 0;
            }
        }
        let tell = self.tells_details(level);
        let (cutoff, mut sum) = (self.prices.cutoff, spent);
        let mut by_letter = vec![spent; letters.len()];
        self.mems += letters.len() as u64;
        self.prices.sorted.clear();
        self.mems += 1;
        let mut item = self.items[0].next;
        while item != 0 {
            self.mems += 1;
            let first = self.nodes[item as usize].down;
            if first < self.last_item {
                self.complain(tell, level, item, "'s list is empty", console);
                return true;
            }
            self.mems += 2;
            let (letter, cost) = (self.name(item)[0], self.cost(first));
            let counted = if let Some(place) = letters.iter().position(|&l| l == letter) {
                self.mems += 1;
                let after = by_letter[place].saturating_add(cost);
                if after < cutoff {
                    self.mems += 1;
                    by_letter[place] = after;
                }
                if after < cutoff { Ok(()) } else { Err(TooMuch::Overflowed) }
            } else if apart == 1 {
                sum = sum.saturating_add(cost);
                if sum < cutoff { Ok(()) } else { Err(TooMuch::Overflowed) }
            } else if apart > 1 {
                self.insert_cost(cost, apart as usize, &mut sum)
            } else {
                Ok(())
            };
            match counted {
                Ok(()) => {}
                Err(TooMuch::Overflowed) => {
                    self.complain(tell, level, item, "'s cost overflowed", console);
                    return true;
                }
                Err(TooMuch::Caused) => {
                    if tell {
                        console.say(b"(");
                        console.say(self.name(item));
                        console.say(b"'s cost caused overflow)\n");
                    }
                    return true;
                }
            }
            self.mems += 1;
            item = self.items[item as usize].next;
        }
        false
    }

    fn complain(&self, tell: bool, level: i64, item: u32, what: &str, console: &mut dyn Console) {
        if tell {
            console.say(format!("(Level {level}, ").as_bytes());
            console.say(self.name(item));
            console.say(what.as_bytes());
            console.say(b")\n");
        }
    }

    /// Sorts `cost` in, the largest first. Of the sorted costs each `apart`-th from the least counts:
    /// `sum` grows by what they grow.
    fn insert_cost(&mut self, cost: u64, apart: usize, sum: &mut u64) -> Result<(), TooMuch> {
        let count = self.prices.sorted.len();
        self.prices.sorted.push(0);
        let (mut place, mut old) = (count, 0);
        while place > 0 {
            self.mems += 1;
            let here = self.prices.sorted[place - 1];
            if cost <= here {
                break;
            }
            if place % apart == 0 {
                *sum = sum.saturating_add(here - old);
                if *sum >= self.prices.cutoff {
                    return Err(TooMuch::Overflowed);
                }
            }
            self.mems += 1;
            self.prices.sorted[place] = here;
            (place, old) = (place - 1, here);
        }
        if place % apart == 0 {
            *sum = sum.saturating_add(cost - old);
            if *sum >= self.prices.cutoff {
                return Err(TooMuch::Caused);
            }
        }
        self.mems += 1;
        self.prices.sorted[place] = cost;
        Ok(())
    }
}
