//! `dlx6`: Algorithm Z over the arrays of [`Machine`], mem by mem.
//!
//! It caches what it found: a *signature* has bits for the items that are left and for the colors of the
//! secondary ones that some remaining option uses. What was met before is not searched again. What it
//! prints is a ZDD of all solutions, a line for each choice that leads to one: `5: (~3?2:4)` says that
//! node 5 leads to node 2 without option 3 and to node 4 with it; node 0 is no solution, node 1 is one.
//!
//! Unlike `dlx2` this program keeps the lengths of secondary lists right also where an item has a
//! color, and takes secondary items without options out of a circle of their own; so there are lists for
//! that here, too. Signatures stand in memory as they stand in his, and hash codes are those of his
//! random numbers, because to find them costs mems.

mod lists;
mod signature;

use std::collections::HashMap;

use crate::knuth::machine::Machine;
use crate::knuth::report::digit;
use crate::knuth::{Console, Program, show};
use crate::search::memo::big_count::BigCount;

/// Bits of a position in his hash table.
const TABLE: u32 = 30;

/// Bytes of an item, of a part of the signature, and of a word in his arrays.
const ITEM: u64 = 24;
const PART: u64 = 8;
const WORD: u64 = 8;

/// A signature that was met.
#[derive(Clone, Debug)]
struct Known {
    /// Where it stands.
    at: usize,
    /// The node of the ZDD; 0 if there is no solution, or none yet.
    node: u32,
    count: BigCount,
}

/// Where an item contributes to a signature, and what it adds to the hash code.
#[derive(Clone, Debug, Default)]
struct Part {
    word: usize,
    shift: u32,
    /// Its colors with their hash codes; the first one is no color.
    codes: Vec<(i32, u32)>,
}

/// What `dlx6` has besides.
#[derive(Debug)]
pub struct Memos {
    parts: Vec<Part>,
    /// Parts of a signature, and its last word; words are numbered from 1.
    sizes: (u64, usize),
    cache: Vec<u64>,
    /// How many words of `cache` are in use, and were before the latest signature.
    used: (usize, usize),
    /// By position in the hash table.
    table: HashMap<u32, Known>,
    /// By level: the position of its signature, solutions so far, and the node so far.
    levels: Vec<(u32, BigCount, u32)>,
    pub(super) count: BigCount,
    hits: u64,
    memos: u64,
    good: u64,
    nodes: u32,
}

impl Default for Memos {
    fn default() -> Self {
        Memos {
            parts: Vec::new(),
            sizes: (0, 1),
            cache: Vec::new(),
            used: (0, 0),
            table: HashMap::new(),
            levels: Vec::new(),
            count: BigCount::ZERO,
            hits: 0,
            memos: 0,
            good: 0,
            nodes: 2,
        }
    }
}

/// Where the program goes next.
enum Go {
    Forward,
    Advance(u32),
    Backup,
    Backdown,
    Recover(u32),
}

impl Machine {
    /// Searches; false if nobody wants to know the rest.
    pub(super) fn search_memos(&mut self, console: &mut dyn Console) -> bool {
        let (mut threshold, mut timeout) = (self.settings.delta, self.settings.timeout);
        let most = self.settings.most;
        // Without a limit there is none.
        let is_enough = |count: &BigCount| {
            most < u64::MAX && !matches!(count, BigCount::Small(count) if *count < most)
        };
        // Nodes of the ZDD: of the level at hand, and of the choice that was just followed.
        let (mut node, mut below) = (0, 0);
        let mut go = Go::Forward;
        loop {
            go = match go {
                Go::Forward => {
                    self.visit(self.choices.len());
                    if self.settings.delta > 0 && self.mems >= threshold {
                        threshold = threshold.wrapping_add(self.settings.delta);
                        self.report_state(console);
                    }
                    if self.mems >= timeout {
                        console.say(b"TIMEOUT!\n");
                        timeout = 0;
                    }
                    let (position, found) = self.find_signature();
                    if found {
                        node = self.reuse(position, console);
                        if node != 0 && is_enough(&self.zdd.count) {
                            timeout = 0;
                        }
                        Go::Backdown
                    } else {
                        self.mems += 1;
                        self.zdd.levels.push((position, BigCount::ZERO, 0));
                        node = 0;
                        let (item, _) = self.best_item(console);
                        self.cover_memo(item);
                        self.mems += 2;
                        let first = self.nodes[item as usize].down;
                        self.choices.push(first);
                        Go::Advance(first)
                    }
                }
                Go::Advance(choice) if choice < self.last_item => Go::Backup,
                Go::Advance(choice) => {
                    self.tell_choice(console);
                    self.commit_memo(choice);
                    self.mems += 1;
                    if self.items[0].next == 0 {
                        self.visit(self.choices.len());
                        self.zdd.hits += 1;
                        if self.settings.shows(show::HITS) {
                            console.say(b"Solution\n");
                        }
                        console.shape(b"sol\n");
                        below = 1;
                        self.find(&BigCount::ONE);
                        if is_enough(&self.zdd.count) {
                            timeout = 0;
                        }
                        Go::Recover(choice)
                    } else {
                        self.mems += 1;
                        if let Some(level) = self.zdd.levels.last_mut() {
                            level.2 = node;
                        }
                        self.max_level = self.max_level.max(self.choices.len());
                        Go::Forward
                    }
                }
                Go::Backup => {
                    let item = self.choices.pop().unwrap_or(0);
                    let item = match item < self.last_item {
                        true => item,
                        false => self.nodes[item as usize].item as u32,
                    };
                    self.uncover_memo(item);
                    self.remember(node);
                    Go::Backdown
                }
                Go::Backdown => {
                    let Some(&choice) = self.choices.last() else { break };
                    self.mems += 3;
                    below = node;
                    node = self.zdd.levels.last().map_or(0, |level| level.2);
                    Go::Recover(choice)
                }
                Go::Recover(choice) => {
                    let option = self.uncommit_memo(choice);
                    if below != 0 {
                        let made = self.zdd.nodes;
                        let line = format!("{made:x}: (~{option}?{node:x}:{below:x})\n");
                        if self.settings.spacing != 0 && !console.print(line.as_bytes()) {
                            return false;
                        }
                        node = made;
                        self.zdd.nodes += 1;
                        if u64::from(self.zdd.nodes) > self.settings.most_nodes {
                            timeout = 0;
                        }
                    }
                    if timeout == 0 { Go::Backup } else { Go::Advance(self.next_choice(choice)) }
                }
            }
        }
        let line = format!("{:x}: (~0?0:{node:x})\n", self.zdd.nodes);
        self.settings.spacing == 0 || console.print(line.as_bytes())
    }

    /// Counts solutions, also for the newest level.
    fn find(&mut self, count: &BigCount) {
        self.zdd.count = self.zdd.count.plus(count);
        if let Some((_, found, _)) = self.zdd.levels.last_mut() {
            *found = found.plus(count);
        }
    }

    /// Does at high speed what was done before; answers with its node.
    fn reuse(&mut self, position: u32, console: &mut dyn Console) -> u32 {
        self.mems += 1;
        let known = &self.zdd.table[&position];
        let (at, node, count) = (known.at - 1, known.node, known.count.clone());
        if self.settings.shows(show::HITS) {
            let sols = count.big();
            console.say(format!("Hit[{at:x}] (zdd={node:x}, sols={sols})\n").as_bytes());
        }
        if node != 0 {
            self.mems += 1;
            self.find(&count);
        }
        self.zdd.hits += 1;
        node
    }

    /// The newest level is done, with this node: remembers what was found.
    fn remember(&mut self, node: u32) {
        let Some((position, found, _)) = self.zdd.levels.pop() else { return };
        if node != 0 {
            self.mems += 5;
            self.zdd.good += 1;
            if let Some(known) = self.zdd.table.get_mut(&position) {
                (known.node, known.count) = (node, found.clone());
            }
        }
        // What the level found counts for the one above.
        if let Some((_, above, _)) = self.zdd.levels.last_mut() {
            *above = above.plus(&found);
        }
    }

    /// Tells of `dlx6` besides, `before` the lengths of the items or after them: how many words of the
    /// cache were in use, and the secondary items that some option uses.
    pub(super) fn tell_memos(&self, before: bool, console: &mut dyn Console) {
        if self.settings.program != Program::Dlx6 {
            return;
        }
        if before && self.settings.shows(show::HITS) {
            console.say(format!("[{:x}]", self.zdd.used.1).as_bytes());
        }
        let tells = self.settings.shows(show::SECONDARY);
        if !before && tells && self.tells_about(self.choices.len() as i64) {
            console.say(b";");
            let mut item = self.items[self.last_item as usize].next;
            while item != self.last_item {
                self.tell_item(item, self.nodes[item as usize].item, console);
                item = self.items[item as usize].next;
            }
        }
    }

    /// The number of solutions.
    pub(super) fn solutions(&self) -> String {
        match self.settings.program {
            Program::Dlx6 => self.zdd.count.big().to_string(),
            _ => self.count.to_string(),
        }
    }

    /// The number of hits, for reports on the way.
    pub(super) fn hits(&self) -> String {
        format!(", {} hits", self.zdd.hits)
    }

    pub(super) fn progress_memos(&self) -> String {
        let mut text = String::new();
        let (mut done, mut parts) = (0.0, 1.0);
        for (level, &node) in self.choices.iter().enumerate() {
            let item = self.nodes[node as usize].item as u32;
            let degree = self.nodes[item as usize].item as u32;
            let rank = self.rank(node, item).unwrap_or(degree);
            parts *= f64::from(degree);
            done += f64::from(rank - 1) / parts;
            text += &format!(" {}{}", digit(rank), digit(degree));
            if level as i64 >= i64::from(self.settings.levels_max) {
                text += "...";
                break;
            }
        }
        text + &format!(" {:.5}\n", done + 0.5 / parts)
    }

    pub(super) fn altogether_memos(&self) -> String {
        let Machine { zdd, input_mems, mems, updates, cleansings, nodes_visited, .. } = self;
        let table = (2 * zdd.memos).min(1 << TABLE);
        let bytes = u64::from(self.last_item) * ITEM
            + u64::from(self.last_node()) * 16
            + self.max_level as u64 * 4
            + zdd.sizes.0 * PART
            + (zdd.used.0 as u64 + table) * WORD;
        let plural = |is_one: bool| if is_one { "" } else { "s" };
        let (count, one) = (zdd.count.big(), plural(zdd.count == BigCount::ONE));
        let (nodes, single) = if zdd.nodes == 2 { (1, "") } else { (zdd.nodes, "s") };
        let (bad, good, hits) = (zdd.memos - zdd.good, zdd.good + 1, zdd.hits);
        format!(
            "Altogether {count} solution{one}, {input_mems}+{mems} mems, {updates} updates, \
             {cleansings} cleansings, {bytes} bytes, {nodes_visited} search nodes, \
             {nodes} ZDD node{single}, {bad}+{good} signatures, {hits} hits.\n"
        )
    }
}
