//! `dlx3`: Algorithm M over the arrays of [`Machine`], mem by mem.
//!
//! What differs from `dlx2` is explained in [`algorithm_m`](crate::search::algorithm_m). Here an option that is
//! tweaked leaves its lists in the order in which `dlx3` takes it out, and comes back in the order in
//! which `dlx3` puts it back; a bound is read together with its slack, for one mem.

use crate::knuth::Console;
use crate::knuth::machine::{After, Machine, Node, RANDOM};
use crate::knuth::report::digit;

/// How many more options an item may have, and the difference between its two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub bound: i32,
    pub slack: i32,
}

impl Budget {
    /// Once.
    pub const ONCE: Budget = Budget { bound: 1, slack: 0 };

    fn is_plain(self) -> bool {
        self.bound == 0 && self.slack == 0
    }
}

/// A level of `dlx3` besides its choice.
#[derive(Clone, Copy, Debug)]
pub struct Tweaks {
    /// How many ways there were.
    score: i32,
    /// The first option, if options are tweaked; otherwise 0.
    first: u32,
}

/// Where the program goes next.
enum Go {
    Advance,
    Backup,
    Backdown,
}

impl Machine {
    fn drop_node(&mut self, node: Node) {
        self.nodes[node.up as usize].down = node.down;
        self.nodes[node.down as usize].up = node.up;
        self.nodes[node.item as usize].item -= 1;
        self.updates += 1;
        self.mems += 4;
    }

    fn take_node(&mut self, at: u32, node: Node) {
        self.nodes[node.up as usize].down = at;
        self.nodes[node.down as usize].up = at;
        self.nodes[node.item as usize].item += 1;
        self.mems += 4;
    }

    /// The other nodes of an option leave their lists.
    fn drop_others(&mut self, option: u32) {
        self.each_other(option, |machine, _, node| machine.drop_node(node));
    }

    fn take_others(&mut self, option: u32) {
        self.each_other(option, Self::take_node);
    }

    fn cover_bounded(&mut self, item: u32) {
        self.leave(item);
        self.updates += 1;
        self.each_in_list(item, Self::drop_others);
    }

    fn uncover_options(&mut self, item: u32) {
        self.each_in_list(item, Self::take_others);
    }

    fn uncover_bounded(&mut self, item: u32) {
        self.uncover_options(item);
        self.join(item);
    }

    fn purify_bounded(&mut self, of: u32) {
        let Node { item, color, .. } = self.nodes[of as usize];
        self.nodes[item as usize].color = color;
        self.cleansings += 1;
        self.mems += 1;
        self.each_in_list(item as u32, |machine, option| {
            machine.mems += 1;
            if machine.nodes[option as usize].color != color {
                machine.each_beside(option, |machine, _, node| {
                    if node.color >= 0 {
                        machine.drop_node(node);
                    }
                });
            } else if option != of {
                machine.cleansings += 1;
                machine.mems += 1;
                machine.nodes[option as usize].color = -1;
            }
        });
    }

    fn unpurify_bounded(&mut self, of: u32) {
        let Node { item, color, .. } = self.nodes[of as usize];
        self.mems += 1;
        self.each_in_list_upward(item as u32, |machine, option| {
            machine.mems += 1;
            if machine.nodes[option as usize].color < 0 {
                machine.mems += 1;
                machine.nodes[option as usize].color = color;
            } else if option != of {
                machine.each_beside_leftward(option, |machine, at, node| {
                    if node.color >= 0 {
                        machine.take_node(at, node);
                    }
                });
            }
        });
    }

    /// The first option leaves the list, and the others as well if it is to be blocked.
    fn tweak(&mut self, option: u32, block: bool) {
        if block {
            self.drop_others(option);
        }
        let node = self.nodes[option as usize];
        self.mems += 2;
        self.drop_node(node);
    }

    fn untweak(&mut self, item: u32, first: u32, unblock: bool) {
        let end = self.nodes[item as usize].down;
        self.nodes[item as usize].down = first;
        self.mems += 2;
        let (mut node, mut before, mut count) = (first, item, 0);
        while node != end {
            self.mems += 1;
            self.nodes[node as usize].up = before;
            count += 1;
            if unblock {
                self.take_others(node);
            }
            self.mems += 1;
            (before, node) = (node, self.nodes[node as usize].down);
        }
        self.nodes[node as usize].up = before;
        self.nodes[item as usize].item += count;
        self.mems += 3;
        if !unblock {
            self.uncover_options(item);
        }
    }

    /// The other items of an option are used.
    fn use_others(&mut self, option: u32) {
        let mut at = option + 1;
        while at != option {
            let Node { up, item, color, .. } = self.nodes[at as usize];
            self.mems += 1;
            if item <= 0 {
                self.mems += 1;
                at = up;
                continue;
            }
            if (item as u32) < self.second {
                self.mems += 2;
                self.budgets[item as usize].bound -= 1;
                if self.budgets[item as usize].bound == 0 {
                    self.cover_bounded(item as u32);
                }
            } else if color == 0 {
                self.cover_bounded(item as u32);
            } else if color > 0 {
                self.purify_bounded(at);
            }
            at += 1;
        }
    }

    fn unuse_others(&mut self, option: u32) {
        let mut at = option - 1;
        while at != option {
            let Node { down, item, color, .. } = self.nodes[at as usize];
            self.mems += 1;
            if item <= 0 {
                self.mems += 1;
                at = down;
                continue;
            }
            if (item as u32) < self.second {
                self.mems += 2;
                if self.budgets[item as usize].bound == 0 {
                    self.uncover_bounded(item as u32);
                }
                self.budgets[item as usize].bound += 1;
            } else if color == 0 {
                self.uncover_bounded(item as u32);
            } else if color > 0 {
                self.unpurify_bounded(at);
            }
            at -= 1;
        }
    }

    /// The item with the fewest ways to go on, and their number; `None` if all is done.
    fn best_bounded(&mut self, console: &mut dyn Console) -> Option<(u32, i32)> {
        let level = self.choices.len() as i64;
        let tell = self.tells_details(level);
        if tell {
            console.say(format!("Level {level}:").as_bytes());
        }
        let before = self.mems;
        let (mut best, mut merit, mut ties) = (0, (i32::MAX, 0, 0), 0u32);
        self.mems += 1;
        let mut item = self.items[0].next;
        while item != 0 {
            self.mems += 1;
            let Budget { bound, slack } = self.budgets[item as usize];
            let slack = slack.min(bound);
            let length = self.nodes[item as usize].item;
            let score = length + slack - bound + 1;
            if tell {
                match (bound, slack) {
                    (1, 0) => self.tell_item(item, length, console),
                    _ => {
                        console.say(b" ");
                        console.say(self.name(item));
                        let text = format!("({}:{bound},{score})", bound - slack);
                        console.say(text.as_bytes());
                    }
                }
            }
            let this = (score, slack, -length);
            if this < merit {
                (best, merit, ties) = (item, this, 1);
            } else if this == merit {
                ties += 1;
                if let Some(random) = &mut self.random {
                    self.mems += RANDOM;
                    if random.below(ties) == 0 {
                        best = item;
                    }
                }
            }
            self.mems += 1;
            item = self.items[item as usize].next;
        }
        let score = merit.0;
        if tell && best != 0 {
            console.say(b" branching on");
            self.tell_item(best, score, console);
            console.say(b"\n");
        } else if tell {
            console.say(b" solution\n");
        }
        if console.wants_shape() && best != 0 {
            let mut line = format!("{} ", score.max(0)).into_bytes();
            line.extend_from_slice(self.name(best));
            line.push(b'\n');
            console.shape(&line);
        }
        self.choosing_mems += self.mems - before;
        (best != 0).then_some((best, score))
    }

    /// Searches; false if nobody wants to know the rest.
    pub(super) fn search_bounded(&mut self, console: &mut dyn Console) -> bool {
        let mut threshold = self.settings.delta;
        let (mut item, mut node) = (0, 0);
        'forward: loop {
            self.visit(self.choices.len());
            if !self.watch(&mut threshold, console) {
                return true;
            }
            let mut go = match self.best_bounded(console) {
                Some((_, ..=0)) => Go::Backdown,
                Some((best, score)) => {
                    item = best;
                    node = self.open_bounded(item, score);
                    Go::Advance
                }
                None => {
                    console.shape(b"sol\n");
                    match self.solution(console) {
                        After::Search => Go::Backdown,
                        After::Enough => return true,
                        After::Closed => return false,
                    }
                }
            };
            loop {
                go = match go {
                    Go::Advance if self.may_advance(item, node) => {
                        self.tell_choice(console);
                        if node > self.last_item {
                            self.use_others(node);
                        }
                        continue 'forward;
                    }
                    Go::Advance => Go::Backup,
                    Go::Backup => {
                        let Some(Tweaks { first, .. }) = self.tweaks.pop() else { return true };
                        self.choices.pop();
                        let budget = self.budgets[item as usize];
                        self.mems += 1;
                        if budget.is_plain() {
                            self.uncover_bounded(item);
                        } else {
                            self.mems += 1;
                            self.untweak(item, first, budget.bound != 0);
                        }
                        self.mems += 2;
                        self.budgets[item as usize].bound += 1;
                        Go::Backdown
                    }
                    Go::Backdown => {
                        let Some(&last) = self.choices.last() else { return true };
                        self.mems += 2;
                        node = last;
                        if node < self.last_item {
                            item = node;
                            self.join(item);
                            Go::Backup
                        } else {
                            item = self.nodes[node as usize].item as u32;
                            self.unuse_others(node);
                            node = self.next_choice(node);
                            Go::Advance
                        }
                    }
                };
            }
        }
    }

    /// Opens a level for `item`, which has so many ways to go on; answers with the first option.
    fn open_bounded(&mut self, item: u32, score: i32) -> u32 {
        self.mems += 3;
        let node = self.nodes[item as usize].down;
        self.choices.push(node);
        self.max_level = self.max_level.max(self.choices.len());
        self.budgets[item as usize].bound -= 1;
        let budget = self.budgets[item as usize];
        let first = if budget.is_plain() { 0 } else { node };
        self.tweaks.push(Tweaks { score, first });
        self.mems += u64::from(first != 0);
        if budget.bound == 0 {
            self.cover_bounded(item);
        }
        node
    }

    /// Whether there is a way at `node`; if so, it is tweaked or nulled where that is due.
    fn may_advance(&mut self, item: u32, node: u32) -> bool {
        self.mems += 1;
        let budget = self.budgets[item as usize];
        if budget.is_plain() {
            return node != item;
        }
        self.mems += 2;
        if self.nodes[item as usize].item <= budget.bound - budget.slack {
            return false;
        }
        if node != item {
            self.tweak(node, budget.bound != 0);
        } else if budget.bound != 0 {
            self.leave(item);
        }
        true
    }

    /// Appends the choice on `level`, with its rank among the options that the item had at first.
    pub(super) fn write_bounded(&self, level: usize, text: &mut Vec<u8>) {
        let node = self.choices[level];
        if node < self.last_item {
            text.extend_from_slice(b" null ");
            text.extend_from_slice(self.name(node));
        } else {
            self.write_entries(node, text);
        }
        let score = self.tweaks[level].score;
        match self.rank_bounded(level) {
            Some(rank) => text.extend_from_slice(format!(" ({rank} of {score})\n").as_bytes()),
            None => text.extend_from_slice(b" (?)\n"),
        }
    }

    fn rank_bounded(&self, level: usize) -> Option<u32> {
        let node = self.choices[level];
        let item = match node < self.last_item {
            true => node,
            false => self.nodes[node as usize].item as u32,
        };
        let Tweaks { first, .. } = self.tweaks[level];
        let mut at = if first == 0 { self.nodes[item as usize].down } else { first };
        let mut rank = 1;
        while at != node {
            if at == item {
                return None;
            }
            (at, rank) = (self.nodes[at as usize].down, rank + 1);
        }
        Some(rank)
    }

    /// Rank and number of the ways on each level, and how far that is.
    pub(super) fn progress_bounded(&self) -> String {
        let mut text = String::new();
        let (mut done, mut parts) = (0.0, 1.0);
        for (level, tweaks) in self.tweaks.iter().enumerate() {
            let ways = tweaks.score as u32;
            let rank = self.rank_bounded(level).unwrap_or(ways);
            parts *= f64::from(ways);
            done += f64::from(rank - 1) / parts;
            text += &format!(" {}{}", digit(rank), digit(ways));
            if level as i64 >= i64::from(self.settings.levels_max) {
                text += "...";
                break;
            }
        }
        text + &format!(" {:.5}\n", done + 0.5 / parts)
    }
}
