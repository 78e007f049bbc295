//! What is left, as a file and in messages.

use crate::knuth::machine::{Machine, Node};
use crate::knuth::{Console, show};

impl Machine {
    /// Appends the entries of the option of `node` in their order; answers with its number.
    pub(super) fn write_left(&self, node: u32, text: &mut Vec<u8>) -> u32 {
        let mut at = node - 1;
        while self.pre_node(at).item > 0 || self.pre_node(at).down < at {
            at -= 1;
        }
        loop {
            at += 1;
            let Node { item, color, .. } = self.pre_node(at);
            match item {
                ..0 => return item.unsigned_abs(),
                0 => {}
                _ => {
                    text.push(b' ');
                    text.extend_from_slice(self.name(item as u32));
                    if color != 0 {
                        self.write_color(color, text);
                    }
                }
            }
        }
    }

    pub(super) fn say_option(&self, before: &[u8], node: u32, console: &mut dyn Console) {
        let mut text = before.to_vec();
        let number = self.write_left(node, &mut text);
        text.extend_from_slice(format!(" (option {number})\n").as_bytes());
        console.say(&text);
    }

    pub(super) fn write_reduced(&mut self, text: &mut Vec<u8>) {
        let mut bar = false;
        for item in 1..self.last_item {
            self.mems += 1;
            if self.pre_node(item).item != 0 {
                if item >= self.second && !std::mem::replace(&mut bar, true) {
                    text.extend_from_slice(b" |");
                }
                text.push(b' ');
                text.extend_from_slice(self.name(item));
            }
        }
        text.push(b'\n');
        for item in 1..self.last_item {
            self.mems += 1;
            if self.pre_node(item).item == 0 {
                continue;
            }
            self.mems += 1;
            let mut option = self.pre_node(item).down;
            while option >= self.last_item {
                if self.is_first(option) {
                    let number = self.write_left(option, text);
                    text.push(b'\n');
                    if self.settings.shows(show::ORIGINALS) {
                        text.extend_from_slice(format!("| (from {number})\n").as_bytes());
                    }
                }
                self.mems += 1;
                option = self.pre_node(option).down;
            }
        }
    }
}
