//! Algorithm C (TAOCP 7.2.2.1) over the arrays of `dlx2`, mem by mem.
//!
//! ```text
//!          item headers        spacer    A X:0        spacer    B X:1        spacer
//! node     0  A  B  X          |0        A    X:0     |1        B    X:1     |2
//! up          last in list     -         before ...   first     ...          first of this option
//! down        first in list    last of the next option          ...
//! item        length           0         A    X       -1        B    X       -2
//! ```
//!
//! A header has the length of its list where other nodes have their item. A spacer has minus the number
//! of its option; its links lead to the ends of the options beside it, so that one walks around an
//! option in either direction.
//!
//! # Invariants
//!
//! `up` and `down` of the nodes in a list are inverse to each other, and the header's `item` is their
//! number. A node's color is negative while its item has that color by a choice; the header then has
//! the color.

use std::collections::HashMap;

use crate::intern::Interner;
use crate::knuth::bounds::{Budget, Tweaks};
use crate::knuth::costs::Prices;
use crate::knuth::flip::Flip;
use crate::knuth::zdd::Memos;
use crate::knuth::{Console, Program, Settings};
use crate::names::{Coord, Width};

/// The mems of a random number.
pub(super) const RANDOM: u64 = 4;

/// A node of the lists.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub up: u32,
    pub down: u32,
    pub item: i32,
    pub color: i32,
}

/// The neighbors of an item among those that are not covered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Neighbors {
    pub before: u32,
    pub next: u32,
}

/// The two vertices of an edge; or of a vertex its mate, which is the other end of the fragment that
/// it is on, and whether (not 0) it lies inside of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ends {
    pub left: u32,
    pub right: u32,
}

/// What comes after a solution.
pub(super) enum After {
    Search,
    /// There were as many as were wanted.
    Enough,
    /// The output is closed.
    Closed,
}

/// A problem and the state of its search.
#[derive(Debug)]
pub struct Machine {
    pub(super) settings: Settings,
    pub(super) random: Option<Flip>,
    /// Items are numbered from 1; 0 is the root.
    pub(super) names: Interner,
    pub(super) wide_colors: Interner,
    pub(super) nodes: Vec<Node>,
    pub(super) items: Vec<Neighbors>,
    /// The first number of a secondary item, and the first of no item.
    pub(super) second: u32,
    pub(super) last_item: u32,
    pub(super) options: u64,
    pub(super) mems: u64,
    pub(super) input_mems: u64,
    /// Mems that only serve to know lengths of secondary lists.
    pub(super) length_mems: u64,
    /// Mems for choosing items.
    pub(super) choosing_mems: u64,
    pub(super) updates: u64,
    pub(super) cleansings: u64,
    pub(super) nodes_visited: u64,
    pub(super) count: u64,
    pub(super) profile: Vec<u64>,
    pub(super) max_level: usize,
    pub(super) max_degree: u32,
    pub(super) choices: Vec<u32>,
    // Of dlx2-loop:
    pub(super) places: HashMap<Coord, u32>,
    pub(super) width: Option<Width>,
    pub(super) ends: Vec<Ends>,
    pub(super) fragments: u32,
    /// The edge that closed the loop, or 0.
    pub(super) last_edge: u32,
    /// Of `dlx3`: by item, and by level.
    pub(super) budgets: Vec<Budget>,
    pub(super) tweaks: Vec<Tweaks>,
    /// Of `dlx5`.
    pub(super) prices: Prices,
    // Of dlx6:
    pub(super) zdd: Memos,
}

impl Machine {
    pub(super) fn new(settings: Settings, random: Option<Flip>) -> Self {
        let root = Node { up: 0, down: 0, item: 0, color: 0 };
        Machine {
            settings,
            random,
            names: Interner::default(),
            wide_colors: Interner::default(),
            nodes: vec![root],
            items: vec![Neighbors::default()],
            second: u32::MAX,
            last_item: 1,
            options: 0,
            mems: 0,
            input_mems: 0,
            length_mems: 0,
            choosing_mems: 0,
            updates: 0,
            cleansings: 0,
            nodes_visited: 0,
            count: 0,
            profile: Vec::new(),
            max_level: 0,
            max_degree: 0,
            choices: Vec::new(),
            places: HashMap::new(),
            width: None,
            ends: vec![Ends::default()],
            fragments: 0,
            last_edge: 0,
            budgets: vec![Budget::ONCE],
            tweaks: Vec::new(),
            prices: Prices::default(),
            zdd: Memos::default(),
        }
    }

    pub(super) fn last_node(&self) -> u32 {
        self.nodes.len() as u32 - 1
    }

    /// Makes an item with an empty list; what that costs is on the reader's bill.
    pub(super) fn new_item(&mut self, budget: Budget) {
        let item = self.last_item;
        self.nodes.push(Node { up: item, down: item, item: 0, color: 0 });
        self.items.push(Neighbors { before: item - 1, next: item + 1 });
        self.ends.push(Ends::default());
        self.budgets.push(budget);
        self.last_item += 1;
    }

    pub(super) fn make_edge(&mut self, item: u32, ends: (u32, u32), width: Option<Width>) {
        self.ends[item as usize] = Ends { left: ends.0, right: ends.1 };
        self.width = width;
    }

    /// All items are there: links the primary ones into one circle, the others into another.
    pub(super) fn end_items(&mut self, has_bar: bool) {
        if !has_bar {
            self.second = self.last_item;
        }
        let (second, last) = (self.second, self.last_item);
        // The circle of the secondary items goes by way of a place after the last one.
        self.items.push(Neighbors { before: last - 1, next: second });
        self.items[last as usize - 1].next = last;
        self.items[second as usize].before = last;
        if second == last {
            self.items[last as usize].next = second;
        }
        self.items[0] = Neighbors { before: second - 1, next: 1 };
        self.items[second as usize - 1].next = 0;
        self.mems += match self.settings.program {
            Program::Dlx3 | Program::DlxPre => 2,
            _ => 6,
        };
        // The first spacer.
        self.nodes.push(Node { up: 0, down: 0, item: 0, color: 0 });
    }

    /// Makes a node for `item` and puts it at the end of the list, or anywhere.
    pub(super) fn new_node(&mut self, item: u32) {
        let node = self.nodes.len() as u32;
        let length = self.nodes[item as usize].item + 1;
        let header = &mut self.nodes[item as usize];
        (header.item, header.color) = (length, node as i32);
        // The new node's item, the length and its change.
        self.mems += 3;
        let before = match &mut self.random {
            None => {
                // dlx5 makes the links downward later, when it sorts.
                self.mems += if self.settings.program == Program::Dlx5 { 3 } else { 4 };
                item
            }
            Some(random) => {
                let skipped = random.below(length as u32);
                self.mems += RANDOM + 1 + u64::from(skipped) + 4;
                (0..skipped).fold(item, |at, _| self.nodes[at as usize].down)
            }
        };
        let after = self.nodes[before as usize].up;
        self.nodes.push(Node { up: after, down: before, item: item as i32, color: 0 });
        self.nodes[after as usize].down = node;
        self.nodes[before as usize].up = node;
    }

    /// The option that began after the spacer `left` is complete.
    pub(super) fn end_option(&mut self, left: u32) {
        self.options += 1;
        self.mems += 3;
        self.nodes[left as usize].down = self.last_node();
        let item = -(self.options as i32);
        self.nodes.push(Node { up: left + 1, down: 0, item, color: 0 });
    }

    /// The option that began after the spacer `left` is none.
    pub(super) fn drop_option(&mut self, left: u32) {
        while self.last_node() > left {
            let Some(Node { up, down, item, .. }) = self.nodes.pop() else { return };
            let header = &mut self.nodes[item as usize];
            (header.item, header.color) = (header.item - 1, left as i32 - 1);
            self.nodes[up as usize].down = down;
            self.nodes[down as usize].up = up;
            self.mems += if self.settings.program == Program::Dlx5 { 5 } else { 6 };
        }
    }

    /// The item with the fewest options; the first of several, or any.
    pub(super) fn best_item(&mut self, console: &mut dyn Console) -> (u32, i32) {
        let level = self.choices.len() as i64;
        let tell = self.tells_details(level);
        if tell {
            console.say(format!("Level {level}:").as_bytes());
            self.tell_memos(true, console);
        }
        let before = self.mems;
        let (mut best, mut least, mut ties) = (0, i32::MAX, 0u32);
        self.mems += 1;
        let mut item = self.items[0].next;
        while least > 0 && item != 0 {
            let length = self.nodes[item as usize].item;
            if tell {
                self.tell_item(item, length, console);
            }
            self.mems += 1;
            if length < least {
                (best, least, ties) = (item, length, 1);
            } else if length == least {
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
        self.tell_memos(false, console);
        if tell {
            console.say(b" branching on");
            self.tell_item(best, least, console);
            console.say(b"\n");
        }
        self.max_degree = self.max_degree.max(least as u32);
        if console.wants_shape() {
            let mut line = format!("{least} ").into_bytes();
            line.extend_from_slice(self.name(best));
            line.push(b'\n');
            console.shape(&line);
        }
        self.choosing_mems += self.mems - before;
        (best, least)
    }

    /// Counts a node on `level`.
    pub(super) fn visit(&mut self, level: usize) {
        self.nodes_visited += 1;
        self.max_level = self.max_level.max(level);
        if self.profile.len() <= level {
            self.profile.resize(level + 1, 0);
        }
        self.profile[level] += 1;
    }

    /// Runs the program: reports, searches, reports.
    pub fn run(&mut self, console: &mut dyn Console) {
        self.report_input(console);
        self.input_mems = std::mem::take(&mut self.mems);
        if self.settings.program == Program::Dlx2Loop {
            let secondary = self.second as usize..self.last_item as usize;
            self.nodes[secondary].iter_mut().for_each(|header| header.color = 0);
        }
        let finished = match self.settings.program {
            Program::DlxPre => return self.reduce(console),
            Program::Dlx3 => self.search_bounded(console),
            Program::Dlx5 => self.search_priced(console),
            Program::Dlx6 => self.search_memos(console),
            _ => self.search(console),
        };
        if finished {
            self.report_end(console);
        }
    }

    /// Reports when it is time; false if the time is up.
    pub(super) fn watch(&mut self, threshold: &mut u64, console: &mut dyn Console) -> bool {
        if self.settings.delta > 0 && self.mems >= *threshold {
            *threshold = threshold.wrapping_add(self.settings.delta);
            self.report_state(console);
        }
        let late = self.mems >= self.settings.timeout;
        if late {
            console.say(b"TIMEOUT!\n");
        }
        !late
    }

    /// Searches; false if nobody wants to know the rest.
    fn search(&mut self, console: &mut dyn Console) -> bool {
        // C1 [Initialize.]
        let mut threshold = self.settings.delta;
        // C2 [Enter level.]
        'enter: loop {
            self.visit(self.choices.len());
            if !self.watch(&mut threshold, console) {
                return true;
            }
            // C3, C4 [Choose and cover an item.]
            let (mut item, _) = self.best_item(console);
            self.cover(item);
            self.mems += 2;
            let mut node = self.nodes[item as usize].down;
            self.choices.push(node);
            loop {
                // C7 [Backtrack.]
                while node == item {
                    self.uncover(item);
                    self.choices.pop();
                    let Some(&last) = self.choices.last() else { return true };
                    self.mems += 2;
                    item = self.nodes[last as usize].item as u32;
                    self.uncommit(last, last, console);
                    node = self.next_choice(last);
                }
                // C5 [Try it.]
                self.tell_choice(console);
                if self.commit(node, console) {
                    self.mems += 1;
                    if self.items[0].next != 0 {
                        self.max_level = self.max_level.max(self.choices.len());
                        continue 'enter;
                    }
                    // C8 [Visit a solution.]
                    self.visit(self.choices.len());
                    console.shape(b"sol\n");
                    match self.solution(console) {
                        After::Search => {}
                        After::Enough => return true,
                        After::Closed => return false,
                    }
                    self.uncommit(node, node, console);
                }
                // C6 [Try again.]
                node = self.next_choice(node);
            }
        }
    }

    /// Goes on to the next option in the list of the latest choice.
    pub(super) fn next_choice(&mut self, node: u32) -> u32 {
        self.mems += 2;
        let next = self.nodes[node as usize].down;
        if let Some(last) = self.choices.last_mut() {
            *last = next;
        }
        next
    }

    /// Counts and prints a solution.
    pub(super) fn solution(&mut self, console: &mut dyn Console) -> After {
        let loops = self.settings.program == Program::Dlx2Loop;
        if loops && self.last_edge == 0 {
            return After::Search;
        }
        self.count += 1;
        let spacing = i64::from(self.settings.spacing) as u64;
        if spacing != 0 && self.count.is_multiple_of(spacing) {
            let mut text = format!("{}:", self.count).into_bytes();
            if loops {
                self.write_tour(&mut text);
            } else {
                if self.settings.program == Program::Dlx5 {
                    self.write_total(&mut text);
                }
                text.push(b'\n');
                for level in 0..self.choices.len() {
                    self.write_choice(level, &mut text);
                }
            }
            if !console.print(&text) {
                return After::Closed;
            }
        }
        if self.count < self.settings.most { After::Search } else { After::Enough }
    }
}
