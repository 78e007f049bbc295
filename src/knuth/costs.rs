//! `dlx5`: the cheapest solutions, mem by mem.
//!
//! Each primary item is taxed by what its cheapest option costs, and its options become cheaper by
//! that. So net costs are what a choice adds beyond what must be paid anyway. The lists are sorted by
//! net cost; and options that cost as much as may still be spent, with all behind them, are left where
//! they are when an item is covered, for the search will not get to them. What may be spent is less than
//! the worst of the `k` best solutions so far, which are kept in a heap.

use crate::knuth::Console;
use crate::knuth::machine::{After, Machine, Neighbors, Node};

/// More than anything costs.
pub const INFINITE: u64 = u64::MAX;

/// What `dlx5` knows besides the arrays of `dlx2`.
#[derive(Clone, Debug, Default)]
pub struct Prices {
    /// By node: the net cost of its option; by item: its tax.
    pub cost: Vec<u64>,
    /// The sum of all taxes.
    pub total_tax: u64,
    /// The net costs of the best solutions, a heap with the largest first.
    pub(super) best: Vec<u64>,
    /// That largest, which is to be beaten.
    pub(super) cutoff: u64,
    /// By level: what has been spent before.
    pub(super) spent: Vec<u64>,
    /// By level: what could be spent when its item and when the others were covered.
    limits: Vec<(u64, u64)>,
    /// For [`bound`](super::bound): least costs, the largest first.
    pub(super) sorted: Vec<u64>,
}

/// Where the program goes next.
enum Go {
    Advance,
    Recover,
    Backup,
    Backdown,
}

impl Machine {
    pub(super) fn cost(&self, node: u32) -> u64 {
        self.prices.cost[node as usize]
    }

    fn leave_priced(&mut self, node: Node) {
        self.nodes[node.up as usize].down = node.down;
        self.nodes[node.down as usize].up = node.up;
        self.updates += 1;
        self.mems += 2;
        if (node.item as u32) < self.second {
            self.nodes[node.item as usize].item -= 1;
            self.mems += 2;
        }
    }

    fn join_priced(&mut self, at: u32, node: Node) {
        self.nodes[node.up as usize].down = at;
        self.nodes[node.down as usize].up = at;
        self.mems += 2;
        if (node.item as u32) < self.second {
            self.nodes[node.item as usize].item += 1;
            self.mems += 2;
        }
    }

    /// The other nodes of an option leave their lists, or join them again.
    fn move_others(&mut self, option: u32, join: bool) {
        self.each_other(option, |machine, at, node| match join {
            true => machine.join_priced(at, node),
            false => machine.leave_priced(node),
        });
    }

    /// Moves the other nodes of all options of `item` that cost less than `limit`.
    fn move_options(&mut self, item: u32, limit: u64, join: bool) {
        self.mems += 1;
        let mut option = self.nodes[item as usize].down;
        while option >= self.last_item {
            self.mems += 1;
            if self.cost(option) >= limit {
                break;
            }
            self.move_others(option, join);
            self.mems += 1;
            option = self.nodes[option as usize].down;
        }
    }

    fn cover_priced(&mut self, item: u32, limit: u64) {
        let Neighbors { before, next } = self.items[item as usize];
        self.items[before as usize].next = next;
        self.items[next as usize].before = before;
        self.updates += 1;
        self.mems += 3;
        self.move_options(item, limit, false);
    }

    fn uncover_priced(&mut self, item: u32, limit: u64) {
        self.move_options(item, limit, true);
        let Neighbors { before, next } = self.items[item as usize];
        self.items[before as usize].next = item;
        self.items[next as usize].before = item;
        self.mems += 3;
    }

    /// Purifies, or undoes that.
    fn purify_priced(&mut self, of: u32, limit: u64, undo: bool) {
        let Node { item, color, .. } = self.nodes[of as usize];
        self.mems += 2;
        if !undo {
            self.nodes[item as usize].color = color;
            self.cleansings += 1;
        }
        let mut option = self.nodes[item as usize].down;
        while option >= self.last_item {
            self.mems += 2;
            if self.cost(option) >= limit {
                self.mems -= 1;
                break;
            }
            let here = self.nodes[option as usize].color;
            match undo {
                true if here < 0 => {
                    self.mems += 1;
                    self.nodes[option as usize].color = color;
                }
                false if here == color && option != of => {
                    self.mems += 1;
                    self.cleansings += 1;
                    self.nodes[option as usize].color = -1;
                }
                true if option == of => {}
                false if here == color => {}
                _ => self.move_others(option, undo),
            }
            self.mems += 1;
            option = self.nodes[option as usize].down;
        }
    }

    fn commit_priced(&mut self, option: u32, limit: u64) {
        self.mems += 1;
        let mut at = option + 1;
        while at != option {
            let Node { up, item, color, .. } = self.nodes[at as usize];
            self.mems += 1;
            if item <= 0 {
                self.mems += 1;
                at = up;
                continue;
            }
            if color == 0 {
                self.cover_priced(item as u32, limit);
            } else if color > 0 {
                self.purify_priced(at, limit, false);
            }
            at += 1;
        }
    }

    fn uncommit_priced(&mut self, option: u32, limit: u64) {
        self.mems += 1;
        let mut at = option - 1;
        while at != option {
            let Node { down, item, color, .. } = self.nodes[at as usize];
            self.mems += 1;
            if item <= 0 {
                self.mems += 1;
                at = down;
                continue;
            }
            if color == 0 {
                self.uncover_priced(item as u32, limit);
            } else if color > 0 {
                self.purify_priced(at, limit, true);
            }
            at -= 1;
        }
    }

    /// `A(0)` and the like: an item and what was found out about it.
    fn explain(&self, tell: bool, item: u32, what: std::fmt::Arguments<'_>, c: &mut dyn Console) {
        if tell {
            c.say(b" ");
            c.say(self.name(item));
            c.say(what.to_string().as_bytes());
        }
    }

    /// The item to branch on, and in how many ways; 0 if some item cannot be covered cheaply enough.
    fn best_priced(&mut self, spent: u64, console: &mut dyn Console) -> (u32, i32) {
        let level = self.choices.len() as i64;
        let tell = self.tells_details(level);
        if tell {
            console.say(format!("Level {level}:").as_bytes());
        }
        let left = self.prices.cutoff - spent;
        let (mut best, mut fewest, mut dearest) = (0, i32::MAX, 0);
        self.mems += 1;
        let mut item = self.items[0].next;
        while item != 0 {
            self.mems += 1;
            let first = self.nodes[item as usize].down;
            if first == item {
                self.explain(tell, item, format_args!("(0)"), console);
                (best, fewest) = (item, 0);
                break;
            }
            self.mems += 1;
            let least = self.cost(first);
            if least >= left {
                self.explain(tell, item, format_args!("(0${least})"), console);
                (best, fewest) = (item, 0);
                break;
            }
            if let Some(ways) = self.ways(item, fewest, left, tell, console)
                && (ways < fewest || ways == fewest && least > dearest)
            {
                (best, fewest, dearest) = (item, ways, least);
            }
            self.mems += 1;
            item = self.items[item as usize].next;
        }
        if tell {
            console.say(b" branching on");
            self.tell_item(best, fewest, console);
            console.say(b"\n");
        }
        if console.wants_shape() {
            let mut line = format!("{fewest} ").into_bytes();
            line.extend_from_slice(self.name(best));
            line.push(b'\n');
            console.shape(&line);
        }
        (best, fewest)
    }

    /// How many options of `item` cost less than `left`, or about so; `None` if more than `fewest`.
    fn ways(
        &mut self,
        item: u32,
        fewest: i32,
        left: u64,
        tell: bool,
        console: &mut dyn Console,
    ) -> Option<i32> {
        let first = self.nodes[item as usize].down;
        let least = self.cost(first);
        let (mut ways, mut node) = (1, self.nodes[first as usize].down);
        self.mems += 1;
        loop {
            let ends = node < self.last_item || {
                self.mems += 1;
                self.cost(node) >= left
            };
            if ends {
                self.explain(tell, item, format_args!("({ways}${least})"), console);
                return Some(ways);
            }
            if ways == fewest {
                self.explain(tell, item, format_args!("(>{fewest})"), console);
                return None;
            }
            if ways >= self.settings.look_ahead {
                self.mems += 1;
                let length = self.nodes[item as usize].item;
                self.explain(tell, item, format_args!("({length}?${least})"), console);
                return Some(length);
            }
            self.mems += 1;
            (ways, node) = (ways + 1, self.nodes[node as usize].down);
        }
    }

    /// Searches; false if nobody wants to know the rest.
    pub(super) fn search_priced(&mut self, console: &mut dyn Console) -> bool {
        if self.settings.others > 0 {
            let each = self.settings.others as u32 + self.settings.letters.len() as u32;
            if !(self.second - 1).is_multiple_of(each) {
                let (items, others) = (self.second - 1, self.settings.others);
                let text = format!("There are {items} primary items, but z={others} and Z=");
                console.say(text.as_bytes());
                console.say(&self.settings.letters.clone());
                console.say(b"!\n");
                return true;
            }
        }
        let wanted = self.settings.best as usize;
        self.prices.best = vec![INFINITE; wanted];
        self.mems += wanted as u64;
        if wanted.is_multiple_of(2) {
            self.prices.best.push(0);
        }
        self.prices.cutoff = INFINITE;
        let mut threshold = self.settings.delta;
        let (mut spent, mut item, mut node) = (0u64, 0, 0);
        'forward: loop {
            let level = self.choices.len();
            self.visit(level);
            if !self.watch(&mut threshold, console) {
                return true;
            }
            let mut go = Go::Backdown;
            if !self.costs_too_much(spent, console) {
                let (best, ways) = self.best_priced(spent, console);
                if ways > 0 {
                    item = best;
                    self.mems += 5;
                    node = self.nodes[item as usize].down;
                    self.choices.push(node);
                    self.prices.spent.push(spent);
                    let limit = self.prices.cutoff - (spent + self.cost(node));
                    self.prices.limits.push((limit, 0));
                    self.cover_priced(item, limit);
                    go = Go::Advance;
                }
            }
            loop {
                let level = self.choices.len().wrapping_sub(1);
                go = match go {
                    Go::Advance => {
                        self.tell_choice(console);
                        let after = spent + self.cost(node);
                        let limit = self.prices.cutoff - after;
                        self.prices.limits[level].1 = limit;
                        self.commit_priced(node, limit);
                        self.mems += 1;
                        if self.items[0].next != 0 {
                            self.max_level = self.max_level.max(self.choices.len());
                            spent = after;
                            continue 'forward;
                        }
                        self.visit(level + 1);
                        console.shape(b"sol\n");
                        // Shown before it is kept: ranks are among the options that were cheap
                        // enough to be tried.
                        let came = self.solution(console);
                        self.keep(after, wanted);
                        match came {
                            After::Search => Go::Recover,
                            After::Enough => return true,
                            After::Closed => return false,
                        }
                    }
                    Go::Backup => {
                        self.mems += 1;
                        self.choices.pop();
                        self.prices.spent.pop();
                        let limit = self.prices.limits.pop().unwrap_or_default().0;
                        self.uncover_priced(item, limit);
                        Go::Backdown
                    }
                    Go::Backdown => {
                        let Some(&last) = self.choices.last() else { return true };
                        node = last;
                        item = self.nodes[node as usize].item as u32;
                        self.mems += 3;
                        spent = self.prices.spent[level];
                        Go::Recover
                    }
                    Go::Recover => {
                        let limit = self.prices.limits[level].1;
                        self.uncommit_priced(node, limit);
                        node = self.next_choice(node);
                        if node == item {
                            Go::Backup
                        } else {
                            self.mems += 1;
                            let after = spent.checked_add(self.cost(node));
                            match after.is_some_and(|after| after < self.prices.cutoff) {
                                true => Go::Advance,
                                false => Go::Backup,
                            }
                        }
                    }
                };
            }
        }
    }

    /// A solution of this net cost replaces the worst of the best ones.
    fn keep(&mut self, cost: u64, wanted: usize) {
        let heap = &mut self.prices.best;
        let (mut hole, mut larger) = (0, 2);
        while larger <= wanted {
            self.mems += 2;
            let child = if heap[larger] > heap[larger - 1] { larger } else { larger - 1 };
            if cost >= heap[child] {
                break;
            }
            self.mems += 1;
            heap[hole] = heap[child];
            hole = child;
            larger = hole + hole + 2;
        }
        heap[hole] = cost;
        self.mems += 2;
        self.prices.cutoff = heap[0];
    }
}
