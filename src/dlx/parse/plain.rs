//! Options as nearly all files write them: a quick way through lines that have nothing odd.
//!
//! Eight bytes are looked at at a time. Where the token ends in them is found by arithmetic, and the
//! bytes before are the [`ShortName`] that the table of names has; so nothing branches on the length of a
//! name. Some lines are taken apart, then all their names are looked up, then they become options.
//! The table of a large file is not in the processor's cache: a loop that does nothing but look up
//! waits for a dozen names at once.
//!
//! What this does not understand it does not judge: a line with a comment, a mistake, a cost, a new
//! color, and the last bytes of a piece are left to [`Reader::line`].

use crate::dlx::parse::Reader;
use crate::ids::{Color, ItemId};
use crate::intern::{SHORT, ShortName};

const ONES: u64 = u64::MAX / 255;
const HIGHS: u64 = ONES << 7;

/// The lowest bit that is set stands in the first byte of `word` that is less than `bound`, which is
/// at most 128 (Mycroft, 1987).
#[inline(always)]
fn less(word: u64, bound: u8) -> u64 {
    word.wrapping_sub(ONES * bound as u64) & !word & HIGHS
}

/// The same for the first blank or other byte below.
#[inline(always)]
fn blanks(word: u64) -> u64 {
    less(word, b' ' + 1)
}

/// The same for the first colon.
#[inline(always)]
fn colons(word: u64) -> u64 {
    less(word ^ (ONES * b':' as u64), 1)
}

/// The first `length` bytes of `word`; at most seven.
#[inline(always)]
fn first(word: u64, length: u32) -> u64 {
    word & ((1 << (8 * length)) - 1)
}

/// Eight bytes of `text` from `at`, the first one lowest.
#[inline(always)]
fn load(text: &[u8], at: usize) -> Option<u64> {
    let (bytes, _) = text.get(at..)?.split_first_chunk()?;
    Some(u64::from_le_bytes(*bytes))
}

/// The most entries of the lines that are taken at once.
const MOST: usize = 256;

/// Some lines, taken apart.
#[derive(Debug)]
pub(super) struct LineBatch {
    /// The names, if they are short; else [`LONG`].
    words: [u64; MOST],
    colors: [Color; MOST],
    items: [ItemId; MOST],
    /// How many entries there are.
    entries: usize,
    lines: Vec<PlainLine>,
}

/// The word of a longer name, whose item is known already.
const LONG: u64 = 0;

/// The item of a name that is none.
const UNKNOWN: ItemId = ItemId::new(u32::MAX);

/// A line of a batch.
#[derive(Clone, Copy, Debug)]
struct PlainLine {
    /// How many entries it and those before have.
    entries: usize,
    /// Where the next line begins.
    end: usize,
    carriage_return: bool,
}

impl Default for LineBatch {
    fn default() -> Self {
        LineBatch {
            words: [LONG; MOST],
            colors: [Color::NONE; MOST],
            items: [UNKNOWN; MOST],
            entries: 0,
            lines: Vec::with_capacity(MOST),
        }
    }
}

impl Reader {
    /// Reads whole lines from the start of `text`, which begins a line after the item names; tells
    /// how many bytes.
    pub(super) fn plain_options(&mut self, text: &[u8], batch: &mut LineBatch) -> usize {
        let mut start = 0;
        loop {
            self.take_apart(text, start, batch);
            self.look_up(batch);
            let mut entries = 0;
            for line in &batch.lines {
                let (items, colors) = (&batch.items[entries..], &batch.colors[entries..]);
                let count = line.entries - entries;
                let known = !items[..count].contains(&UNKNOWN);
                if !known || self.builder.option(items, colors, count).is_err() {
                    return start;
                }
                self.notes.lines += 1;
                self.notes.longest_line = self.notes.longest_line.max((line.end - start) as u64);
                self.notes.carriage_returns += u64::from(line.carriage_return);
                (entries, start) = (line.entries, line.end);
            }
            if batch.lines.is_empty() {
                return start;
            }
        }
    }

    /// Makes a batch of the lines from `start` on.
    fn take_apart(&self, text: &[u8], start: usize, batch: &mut LineBatch) {
        batch.entries = 0;
        batch.lines.clear();
        let mut at = start;
        while let Some((end, separator)) = self.token(text, at, batch) {
            at = end + 1;
            match separator {
                b' ' => continue,
                b'\n' => {}
                b'\r' if text.get(at) == Some(&b'\n') => at += 1,
                _ => return,
            }
            // A blank line has no option. It, too, is left; if those that follow were taken apart each
            // time that one is left, many of them would take long.
            if batch.entries == batch.lines.last().map_or(0, |line| line.entries) {
                return;
            }
            let carriage_return = separator == b'\r';
            batch.lines.push(PlainLine { entries: batch.entries, end: at, carriage_return });
        }
    }

    /// Adds the token at `at` to the batch; tells where it ends, and the byte there.
    #[inline(always)]
    fn token(&self, text: &[u8], at: usize, batch: &mut LineBatch) -> Option<(usize, u8)> {
        let mut word = load(text, at)?;
        let blanks = blanks(word);
        if blanks == 0 {
            return self.long_token(text, at, word, batch);
        }
        let length = blanks.trailing_zeros() / 8;
        let (end, separator) = (at + length as usize, (word >> (8 * length)) as u8);
        if length == 0 {
            return Some((end, separator));
        }
        word = first(word, length);
        let colons = colons(word);
        let mut color = Color::NONE;
        if colons != 0 {
            let colon = colons.trailing_zeros() / 8;
            color = self.byte_colors[(word >> (8 * (colon + 1))) as u8 as usize];
            if colon == 0 || colon + 2 != length || color.is_none() {
                return None;
            }
            word = first(word, colon);
        }
        batch.add(word, color, UNKNOWN)?;
        Some((end, separator))
    }

    /// The same for a token of eight bytes or more, of which the first eight are `word`.
    #[inline(never)]
    fn long_token(
        &self,
        text: &[u8],
        at: usize,
        word: u64,
        batch: &mut LineBatch,
    ) -> Option<(usize, u8)> {
        let mut end = at + SHORT;
        let blanks = loop {
            match blanks(load(text, end)?) {
                0 => end += SHORT,
                blanks => break blanks,
            }
        };
        end += blanks.trailing_zeros() as usize / 8;
        let token = &text[at..end];
        let colon = match colons(word) {
            0 => memchr::memchr(b':', &token[SHORT..]).map_or(token.len(), |colon| SHORT + colon),
            colons => colons.trailing_zeros() as usize / 8,
        };
        let color = match token[colon..] {
            [] => Color::NONE,
            [b':', byte] if !self.byte_colors[byte as usize].is_none() => {
                self.byte_colors[byte as usize]
            }
            _ => return None,
        };
        match colon {
            0 => return None,
            1..SHORT => batch.add(first(word, colon as u32), color, UNKNOWN)?,
            SHORT => batch.add(word, color, UNKNOWN)?,
            _ => batch.add(LONG, color, self.builder.problem().find(&token[..colon])?)?,
        }
        Some((end, text[end]))
    }

    /// Looks up the short names of a batch.
    fn look_up(&self, batch: &mut LineBatch) {
        let names = self.builder.problem();
        let words = &batch.words[..batch.entries];
        for (item, &word) in batch.items.iter_mut().zip(words) {
            if word != LONG {
                *item = names.find_short(ShortName::short(word)).unwrap_or(UNKNOWN);
            }
        }
    }
}

impl LineBatch {
    /// Adds an entry, if there is room.
    #[inline(always)]
    fn add(&mut self, word: u64, color: Color, item: ItemId) -> Option<()> {
        let place = self.entries;
        *self.words.get_mut(place)? = word;
        self.colors[place] = color;
        self.items[place] = item;
        self.entries = place + 1;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx::parse::{Dlx, read_all};
    use crate::problem::MAX_NODES;

    /// What reading `text` gives.
    fn read(text: &[u8], room: u64, quick: bool) -> String {
        match read_all(text, Reader { quick, ..Reader::new(room) }) {
            Ok(Dlx { problem, notes, header, origins }) => {
                format!("{problem:?}\n{notes:?}\n{header:?}\n{origins:?}")
            }
            Err(error) => format!("{error:?}"),
        }
    }

    fn same_both_ways(text: &[u8], room: u64) {
        let (quick, slow) = (read(text, room, true), read(text, room, false));
        assert_eq!(quick, slow, "{}", String::from_utf8_lossy(text));
    }

    /// Lines with names of all lengths from 1 to 20, and now and then something odd.
    fn some_lines(random: &mut fastrand::Rng) -> Vec<u8> {
        let names: Vec<String> = (0..24).map(|n| format!("{}{n:x}", "n".repeat(n % 20))).collect();
        let mut text = names[..16].join(" ") + " | " + &names[16..].join(" ") + "\n";
        for _ in 0..random.usize(0..60) {
            let mut order: Vec<usize> = (0..24).collect();
            random.shuffle(&mut order);
            for &name in &order[..random.usize(1..13)] {
                text += &names[name];
                if name >= 16 && random.bool() {
                    text += [":a", ":b", ":", ":::", ":||", ":long"]
                        [random.usize(0..6).min(random.usize(0..30))];
                }
                text += [" ", "  ", "\t", " \t"][random.usize(0..4).min(random.usize(0..30))];
            }
            text += ["\n", " \n", "\r\n", "\n| a comment\n", "\n\n", " |5\n"]
                [random.usize(0..6).min(random.usize(0..30))];
        }
        text.into_bytes()
    }

    #[test]
    fn blank_lines_are_left_one_after_the_other() {
        // If all of them were taken apart whenever one is left, this would take hours.
        let text = format!("A B\nA\n{}B\n", "\n".repeat(1_000_000));
        let found = read_all(text.as_bytes(), Reader::new(MAX_NODES)).unwrap();
        assert_eq!((found.problem.options(), found.notes.lines), (2, 1_000_003));
    }

    #[test]
    fn reads_what_the_other_way_reads() {
        let mut random = fastrand::Rng::with_seed(6);
        for _ in 0..2000 {
            let mut text = some_lines(&mut random);
            same_both_ways(&text, MAX_NODES);
            same_both_ways(&text, random.u64(0..400));
            for _ in 0..random.usize(1..4) {
                let place = random.usize(0..text.len());
                match random.u8(0..3) {
                    0 => {
                        text[place] = random.choice(b"|:\0\x01 \n\xffnab0".iter().copied()).unwrap()
                    }
                    1 => text.truncate(place.max(1)),
                    _ => _ = text.remove(place),
                }
            }
            same_both_ways(&text, MAX_NODES);
        }
    }

    #[test]
    fn reads_lines_and_options_longer_than_a_batch_and_a_piece() {
        let names: Vec<String> = (0..60_000).map(|n| format!("{n:x}")).collect();
        let mut text = names.join(" ");
        for length in [MOST - 1, MOST, MOST + 1, 1, 2 * MOST, 60_000, 3] {
            text += "\n";
            text += &names[..length].join(" ");
        }
        same_both_ways(text.as_bytes(), MAX_NODES);
        text += " 0";
        same_both_ways(text.as_bytes(), MAX_NODES);
        text += "\n";
        same_both_ways(text.as_bytes(), MAX_NODES);
    }

    #[test]
    fn finds_bytes_by_arithmetic() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..10_000 {
            let bytes: [u8; 8] =
                std::array::from_fn(|_| random.choice(*b":; !\x1f\x20\x21\0\x80\xff9a").unwrap());
            let word = u64::from_le_bytes(bytes);
            let place = |set: u64| (set != 0).then_some(set.trailing_zeros() as usize / 8);
            assert_eq!(place(blanks(word)), bytes.iter().position(|&b| b <= b' '));
            assert_eq!(place(colons(word)), bytes.iter().position(|&b| b == b':'));
        }
    }
}
