//! What the programs say on the way and at the end.

use crate::knuth::machine::Machine;
use crate::knuth::{Console, Program, show};

/// Bytes of a node, of an item, and of a level in Knuth's arrays.
const NODE: u64 = 16;
const ITEM: u64 = 16;
const LARGE_ITEM: u64 = 24;
const PRICED_NODE: u64 = 24;
const LEVEL: u64 = 4;

const DIGITS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// A number as one character; `*` beyond 61.
pub(super) fn digit(number: u32) -> char {
    DIGITS.get(number as usize).map_or('*', |&byte| char::from(byte))
}

impl Machine {
    pub(super) fn name(&self, item: u32) -> &[u8] {
        self.names.name(item as usize - 1)
    }

    /// Whether details are shown on `level`.
    pub(super) fn tells_details(&self, level: i64) -> bool {
        self.settings.shows(show::DETAILS) && self.tells_about(level)
    }

    /// Whether `level` is not too deep for details, and not too far from the deepest one.
    pub(super) fn tells_about(&self, level: i64) -> bool {
        let lowest = self.max_level as i64 - i64::from(self.settings.choices_gap);
        level < i64::from(self.settings.choices_max) && level >= lowest
    }

    /// Appends the choice on `level`, with its rank.
    pub(super) fn write_choice(&self, level: usize, text: &mut Vec<u8>) {
        match self.settings.program {
            Program::Dlx3 => self.write_bounded(level, text),
            Program::Dlx5 => self.write_priced(level, text),
            _ => self.write_option(self.choices[level], text),
        }
    }

    /// Appends the entries of the option of `node`, from there around.
    pub(super) fn write_entries(&self, node: u32, text: &mut Vec<u8>) {
        let mut at = node;
        loop {
            let here = self.nodes[at as usize];
            text.push(b' ');
            text.extend_from_slice(self.name(here.item as u32));
            if here.color != 0 {
                let color = match here.color {
                    ..0 => self.nodes[here.item as usize].color,
                    color => color,
                };
                self.write_color(color, text);
            }
            at += 1;
            if self.nodes[at as usize].item <= 0 {
                at = self.nodes[at as usize].up;
            }
            if at == node {
                break;
            }
        }
    }

    /// Appends `:0`, or a longer color.
    pub(super) fn write_color(&self, color: i32, text: &mut Vec<u8>) {
        text.push(b':');
        match color {
            0..256 => text.push(color as u8),
            _ => text.extend_from_slice(self.wide_colors.name(color as usize - 256)),
        }
    }

    /// Appends the option of `node`, from there around, with its rank.
    fn write_option(&self, node: u32, text: &mut Vec<u8>) {
        self.write_entries(node, text);
        let item = self.nodes[node as usize].item as u32;
        let length = self.nodes[item as usize].item;
        match self.rank(node, item) {
            Some(rank) => text.extend_from_slice(format!(" ({rank} of {length})\n").as_bytes()),
            None => text.extend_from_slice(b" (?)\n"),
        }
    }

    /// The place of `node` in the list of `item`, from 1.
    pub(super) fn rank(&self, node: u32, item: u32) -> Option<u32> {
        let (mut at, mut rank) = (self.nodes[item as usize].down, 1);
        while at != node {
            if at == item {
                return None;
            }
            (at, rank) = (self.nodes[at as usize].down, rank + 1);
        }
        Some(rank)
    }

    /// ` A(3)`
    pub(super) fn tell_item(&self, item: u32, length: i32, console: &mut dyn Console) {
        console.say(b" ");
        console.say(self.name(item));
        console.say(format!("({length})").as_bytes());
    }

    /// `L0: A B (1 of 2)`, if choices are shown.
    pub(super) fn tell_choice(&self, console: &mut dyn Console) {
        let level = self.choices.len() as i64 - 1;
        if self.settings.shows(show::CHOICES) && level < i64::from(self.settings.choices_max) {
            let mut text = format!("L{level}:").into_bytes();
            self.write_choice(level as usize, &mut text);
            console.say(&text);
        }
    }

    pub(super) fn report_totals(&self, console: &mut dyn Console) {
        if !self.settings.shows(show::TOTALS) {
            return;
        }
        let mut text = String::from("Item totals:");
        for item in 1..self.last_item {
            if item == self.second {
                text += " |";
            }
            text += &format!(" {}", self.nodes[item as usize].item);
        }
        console.say((text + "\n").as_bytes());
    }

    pub(super) fn report_input(&self, console: &mut dyn Console) {
        if self.settings.shows(show::BASICS) {
            let (primary, secondary) = (self.second - 1, self.last_item - self.second);
            let entries = self.last_node() - self.last_item;
            let text = format!(
                "({} options, {primary}+{secondary} items, {entries} entries successfully read)\n",
                self.options
            );
            console.say(text.as_bytes());
        }
        self.report_totals(console);
        console.see();
    }

    /// Every `d` mems: where the search is.
    pub(super) fn report_state(&self, console: &mut dyn Console) {
        if self.settings.shows(show::FULL_STATE) {
            self.report_choices(console);
        } else {
            self.report_progress(console);
        }
        console.see();
    }

    fn report_choices(&self, console: &mut dyn Console) {
        let level = self.choices.len();
        let mut text = format!("Current state (level {level}):\n").into_bytes();
        for level in 0..self.choices.len() {
            self.write_choice(level, &mut text);
            if level as i64 >= i64::from(self.settings.levels_max) {
                text.extend_from_slice(b" ...\n");
                break;
            }
        }
        let (count, mems, deepest) = (self.solutions(), self.mems, self.max_level);
        let (what, cost) = match self.settings.program {
            Program::Dlx3 => ("sols", String::new()),
            Program::Dlx5 => ("solutions", self.cost_to_beat()),
            Program::Dlx6 => ("solutions", self.hits()),
            _ => ("solutions", String::new()),
        };
        let end = format!(" {count} {what}{cost}, {mems} mems, and max level {deepest} so far.\n");
        text.extend_from_slice(end.as_bytes());
        console.say(&text);
    }

    /// Rank and degree of each choice as two digits, and how far that is if all subtrees are alike.
    fn report_progress(&self, console: &mut dyn Console) {
        let (count, mems) = (self.solutions(), self.mems);
        let mut text = format!(" after {mems} mems: {count} sols,");
        match self.settings.program {
            Program::Dlx3 => return console.say((text + &self.progress_bounded()).as_bytes()),
            Program::Dlx5 => {
                let cost = self.cost_to_beat();
                text = format!(" after {mems} mems: {count} sols{cost},{}", self.progress_priced());
                return console.say(text.as_bytes());
            }
            Program::Dlx6 => {
                let (hits, progress) = (self.hits(), self.progress_memos());
                text = format!(" after {mems} mems: {count} sols{hits},{progress}");
                return console.say(text.as_bytes());
            }
            _ => {}
        }
        let (mut done, mut parts) = (0.0, 1.0);
        let first_program = self.settings.program == Program::Dlx1;
        let mut cut = false;
        for (level, &choice) in self.choices.iter().enumerate() {
            let item = self.nodes[choice as usize].item as u32;
            let degree = self.nodes[item as usize].item as u32;
            let rank = self.rank(choice, item).unwrap_or(degree);
            parts *= f64::from(degree);
            done += f64::from(rank - 1) / parts;
            let beyond = level as i64 >= i64::from(self.settings.levels_max);
            // dlx1 shows one choice more, and then stops adding up, too.
            if !beyond || first_program {
                text += &format!(" {}{}", digit(rank), digit(degree));
            }
            if beyond && !cut {
                cut = true;
                text += "...";
                if first_program {
                    break;
                }
            }
        }
        text += &format!(" {:.5}\n", done + 0.5 / parts);
        console.say(text.as_bytes());
    }

    pub(super) fn report_end(&self, console: &mut dyn Console) {
        let settings = &self.settings;
        self.report_totals(console);
        if settings.shows(show::PROFILE) {
            let mut text = String::from("Profile:\n");
            // dlx5 may stop before the first node.
            let profile = if self.profile.is_empty() { &[0] } else { &self.profile[..] };
            for (level, nodes) in profile.iter().enumerate() {
                text += &format!("{level:3}: {nodes}\n");
            }
            console.say(text.as_bytes());
        }
        if settings.program == Program::Dlx1 && settings.shows(show::MAX_DEGREE) {
            let degree = self.max_degree;
            console.say(format!("The maximum branching degree was {degree}.\n").as_bytes());
        }
        if settings.shows(show::BASICS) {
            let text = match settings.program {
                Program::Dlx6 => self.altogether_memos(),
                _ => self.altogether(),
            };
            console.say(text.as_bytes());
        }
        if self.settings.program == Program::Dlx5
            && settings.shows(show::BEST_COSTS)
            && self.count > 0
        {
            console.say(self.best_costs().as_bytes());
        }
        console.see();
    }

    fn altogether(&self) -> String {
        let Machine { count, input_mems, mems, length_mems, updates, cleansings, .. } = self;
        let program = self.settings.program;
        let item = match program {
            Program::Dlx2Loop | Program::Dlx3 => LARGE_ITEM,
            _ => ITEM,
        };
        let node = if program == Program::Dlx5 { PRICED_NODE } else { NODE };
        let bytes = u64::from(self.last_item) * item
            + u64::from(self.last_node()) * node
            + self.max_level as u64 * LEVEL;
        // dlx2 says which mems only serve to know the lengths of secondary lists.
        let (lean, saved) = match program {
            Program::Dlx2 | Program::Dlx2Loop => (mems - length_mems, format!("-{length_mems}")),
            _ => (*mems, String::new()),
        };
        let cleansings = match program {
            Program::Dlx1 => String::new(),
            _ => format!(" {cleansings} cleansings,"),
        };
        // The share of choosing, in percent, rounded.
        let choosing = (200 * self.choosing_mems + lean).checked_div(2 * lean).unwrap_or(0);
        let choosing = match program {
            Program::Dlx5 => String::new(),
            _ => format!(", ccost {choosing}%"),
        };
        let plural = if *count == 1 { "" } else { "s" };
        let nodes = self.nodes_visited;
        format!(
            "Altogether {count} solution{plural}, {input_mems}+{mems}{saved} mems, \
             {updates} updates,{cleansings} {bytes} bytes, {nodes} nodes{choosing}.\n"
        )
    }
}
