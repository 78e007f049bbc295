//! `dlx-pre`: Algorithm P, mem by mem.
//!
//! It tries two things with each item. If hiding its options leaves another item without any, it is
//! covered with that one, and goes. Otherwise each option that begins with it is taken for a moment, by
//! hiding all that clash, and goes if that leaves some item without an option. The reducer of quadrille is
//! [`reduce`](crate::reduce), which does more, and does not count.
//!
//! A node that left a shortened option has become a spacer whose links lead to its neighbors.

mod hide;
mod write;

use crate::knuth::machine::{Machine, Node};
use crate::knuth::{Console, DELTA, show};
use hide::Blocked;

/// If reports come at their usual distance, the first comes earlier.
const FIRST_REPORT: u64 = 1_000_000_000;

/// An item that must be covered has no option.
struct Unfeasible(u32);

/// What stops a round.
enum Halt {
    Unfeasible(Unfeasible),
    Timeout,
}

impl From<Unfeasible> for Halt {
    fn from(item: Unfeasible) -> Self {
        Halt::Unfeasible(item)
    }
}

#[derive(Default)]
struct Work {
    /// The item that was left without options; or the latest option that is to go, linked by `item`.
    stack: u32,
    changed: bool,
    options_out: u64,
    items_out: u64,
    round: u64,
    threshold: u64,
}

impl Machine {
    fn pre_node(&self, at: u32) -> Node {
        self.nodes[at as usize]
    }

    /// Runs the program.
    pub(super) fn reduce(&mut self, console: &mut dyn Console) {
        let threshold = match self.settings.delta {
            DELTA => FIRST_REPORT,
            delta => delta,
        };
        let mut work = Work { threshold, ..Work::default() };
        let halt = self.reduce_rounds(&mut work, console);
        let mut text = Vec::new();
        let feasible = match halt {
            Err(Halt::Unfeasible(Unfeasible(item))) => {
                if self.settings.shows(show::DETAILS) {
                    self.say_of(b"Primary item ", item, b" is in no options!\n", console);
                }
                work.options_out = self.options;
                work.items_out = u64::from(self.last_item) - 1;
                text.extend_from_slice(self.name(item));
                text.push(b'\n');
                false
            }
            _ => {
                self.write_reduced(&mut text);
                true
            }
        };
        if !console.print(&text) {
            return;
        }
        if feasible {
            self.report_totals(console);
        }
        if self.settings.shows(show::BASICS) {
            let plural = |number: u64| if number == 1 { "" } else { "s" };
            let Work { options_out, items_out, round, .. } = work;
            let text = format!(
                "Removed {options_out} option{} and {items_out} item{}, after {}+{} mems, \
                 {round} round{}.\n",
                plural(options_out),
                plural(items_out),
                self.input_mems,
                self.mems,
                plural(round)
            );
            console.say(text.as_bytes());
        }
        console.see();
    }

    fn say_of(&self, before: &[u8], item: u32, after: &[u8], console: &mut dyn Console) {
        console.say(before);
        console.say(self.name(item));
        console.say(after);
    }

    fn reduce_rounds(&mut self, work: &mut Work, console: &mut dyn Console) -> Result<(), Halt> {
        for item in 1..self.last_item {
            self.mems += 1;
            if self.pre_node(item).item == 0 {
                self.note_empty(item, work, console)?;
            }
        }
        work.round = 1;
        while work.round < self.settings.most {
            if self.settings.shows(show::CHOICES) {
                console.say(format!("Beginning round {}:\n", work.round).as_bytes());
            }
            work.changed = false;
            for item in 1..self.last_item {
                self.mems += 1;
                if self.pre_node(item).item != 0 {
                    self.try_item(item, work, console)?;
                }
            }
            if !work.changed {
                break;
            }
            work.round += 1;
        }
        Ok(())
    }

    fn note_empty(
        &mut self,
        item: u32,
        work: &mut Work,
        console: &mut dyn Console,
    ) -> Result<(), Unfeasible> {
        work.items_out += 1;
        if item < self.second {
            return Err(Unfeasible(item));
        }
        if self.settings.shows(show::DETAILS) {
            self.say_of(b" ", item, b" is in no options\n", console);
        }
        Ok(())
    }

    fn try_item(
        &mut self,
        item: u32,
        work: &mut Work,
        console: &mut dyn Console,
    ) -> Result<(), Halt> {
        if self.settings.delta > 0 && self.mems >= work.threshold {
            work.threshold = work.threshold.wrapping_add(self.settings.delta);
            let Work { round, items_out, options_out, .. } = work;
            let text = format!(
                " after {} mems: {round}.{item}, {items_out} items out, {options_out} options out\n",
                self.mems
            );
            console.say(text.as_bytes());
            console.see();
        }
        if self.mems >= self.settings.timeout {
            return Err(Halt::Timeout);
        }
        work.stack = self.hide_uncolored(item);
        if work.stack != 0 {
            return Ok(self.remove_item(item, work, console)?);
        }
        self.mems += 1;
        let mut option = self.pre_node(item).down;
        while option >= self.last_item {
            if self.is_first(option) {
                self.mems += 1;
                if self.pre_node(option).color == 0 {
                    self.try_option(option, work, console);
                }
            }
            self.mems += 1;
            option = self.pre_node(option).down;
        }
        self.unhide_uncolored(item);
        let mut option = work.stack;
        while option != 0 {
            self.mems += 2;
            let next = self.pre_node(option).item as u32;
            self.nodes[option as usize].item = item as i32;
            self.delete_marked(option, work, console)?;
            option = next;
        }
        Ok(())
    }

    fn remove_item(
        &mut self,
        item: u32,
        work: &mut Work,
        console: &mut dyn Console,
    ) -> Result<(), Unfeasible> {
        self.unhide_uncolored(item);
        let tell = self.settings.shows(show::DETAILS);
        if tell {
            self.say_of(b"Deleting item ", item, b", forced by ", console);
            self.say_of(b"", work.stack, b"\n", console);
        }
        self.mems += 1;
        let mut option = self.pre_node(item).down;
        while option >= self.last_item {
            self.mems += 1;
            let next = self.pre_node(option).down;
            if self.has_item(option, work.stack) {
                if tell {
                    self.say_option(b" shortening", option, console);
                }
                self.mems += 2;
                let node = &mut self.nodes[option as usize];
                (node.up, node.down, node.item) = (option + 1, option - 1, 0);
            } else {
                self.delete_option(option, work, console)?;
            }
            option = next;
        }
        self.mems += 2;
        let header = &mut self.nodes[item as usize];
        (header.up, header.down, header.item) = (item, item, 0);
        work.items_out += 1;
        work.changed = true;
        Ok(())
    }

    /// Whether the node is the first of its option, but for items that were removed.
    fn is_first(&mut self, node: u32) -> bool {
        let mut left = node - 1;
        self.mems += 1;
        while self.pre_node(left).down == left - 1 {
            left -= 1;
            self.mems += 1;
        }
        self.mems += 1;
        self.pre_node(left).item <= 0
    }

    fn has_item(&mut self, option: u32, wanted: u32) -> bool {
        let mut at = option + 1;
        while at != option {
            let Node { up, item, .. } = self.pre_node(at);
            self.mems += 1;
            if item <= 0 {
                self.mems += 1;
                at = up;
                continue;
            }
            if item as u32 == wanted {
                return true;
            }
            at += 1;
        }
        false
    }

    fn delete_option(
        &mut self,
        option: u32,
        work: &mut Work,
        console: &mut dyn Console,
    ) -> Result<(), Unfeasible> {
        if self.settings.shows(show::DETAILS) {
            self.say_option(b" deleting", option, console);
        }
        work.options_out += 1;
        self.mems += 1;
        let mut at = option + 1;
        while at != option {
            let Node { up, down, item, .. } = self.pre_node(at);
            self.mems += 1;
            if item <= 0 {
                self.mems += 1;
                at = up;
                continue;
            }
            self.mems += 1;
            if self.pre_node(item as u32).item == 1 {
                self.note_empty(item as u32, work, console)?;
            }
            self.mems += 4;
            self.nodes[item as usize].item -= 1;
            self.nodes[up as usize].down = down;
            self.nodes[down as usize].up = up;
            at += 1;
        }
        Ok(())
    }

    /// The same for an option that was marked, the node of its first item included.
    fn delete_marked(
        &mut self,
        option: u32,
        work: &mut Work,
        console: &mut dyn Console,
    ) -> Result<(), Unfeasible> {
        let mut at = option + 1;
        loop {
            let Node { up, down, item, .. } = self.pre_node(at);
            self.mems += 1;
            if item <= 0 {
                self.mems += 1;
                at = up;
                continue;
            }
            self.mems += 5;
            self.nodes[up as usize].down = down;
            self.nodes[down as usize].up = up;
            self.nodes[item as usize].item -= 1;
            if self.pre_node(item as u32).item == 0 {
                self.note_empty(item as u32, work, console)?;
            }
            if at == option {
                return Ok(());
            }
            at += 1;
        }
    }

    /// Marks the option if with it another primary item has no option left.
    fn try_option(&mut self, option: u32, work: &mut Work, console: &mut dyn Console) {
        let mut at = option + 1;
        while at > option {
            let Node { up, item, .. } = self.pre_node(at);
            self.mems += 2;
            if item <= 0 {
                at = up;
                continue;
            }
            self.nodes[item as usize].color = option as i32;
            at += 1;
        }
        let blocked = self.hide_clashes(option);
        self.unhide_clashes(option, blocked);
        if let Some(Blocked { item, .. }) = blocked {
            if self.settings.shows(show::DETAILS) {
                self.say_of(b" ", item, b" blocked by", console);
                self.say_option(b"", option, console);
            }
            work.options_out += 1;
            work.changed = true;
            self.mems += 1;
            self.nodes[option as usize].item = work.stack as i32;
            work.stack = option;
        }
    }
}
