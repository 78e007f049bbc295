//! A streaming writer of the subset of .dlx that all of Knuth's programs read with one meaning.
//!
//! ```text
//! | a comment
//! 00 02 11 | 01 10
//! 00 01:1 10:0
//! ```
//!
//! One blank between words and none at the end of a line, LF line ends, the bar only if there is a
//! secondary item, comments only as whole lines. Generators push names one at a time; a line goes
//! out in one piece, and nothing is allocated per entry.

use std::io;

use crate::problem::{Bound, Entry, Problem};

/// A line that has grown beyond this many bytes goes out in parts: the item line of a large board
/// has many megabytes.
const PART: usize = 1 << 16;

/// What has been written so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Primary items.
    pub primary: u64,
    /// Secondary items.
    pub secondary: u64,
    /// Options.
    pub options: u64,
    /// Entries of all options.
    pub entries: u64,
}

/// Writes one problem, in the order of the file: comments, items, options.
#[derive(Debug)]
pub struct Writer<W: io::Write> {
    out: W,
    line: Vec<u8>,
    begun: bool,
    counts: Counts,
}

impl<W: io::Write> Writer<W> {
    /// Writes to `out`, one call per line.
    pub fn new(out: W) -> Self {
        Writer { out, line: Vec::new(), begun: false, counts: Counts::default() }
    }

    /// A comment line; blanks at the end of `text` are left out. `text` has no line end.
    pub fn comment(&mut self, text: &[u8]) -> io::Result<()> {
        self.line.extend_from_slice(b"| ");
        self.line.extend_from_slice(text);
        let length = self.line.trim_ascii_end().len();
        self.line.truncate(length);
        self.end_line()
    }

    /// One more primary item.
    pub fn primary(&mut self, name: &[u8]) -> io::Result<()> {
        self.counts.primary += 1;
        self.word(name, b"")
    }

    /// One more secondary item; the first one brings the bar.
    pub fn secondary(&mut self, name: &[u8]) -> io::Result<()> {
        if self.counts.secondary == 0 {
            self.line.extend_from_slice(b" |");
        }
        self.counts.secondary += 1;
        self.word(name, b"")
    }

    /// Ends the item line.
    pub fn end_items(&mut self) -> io::Result<()> {
        self.end_line()
    }

    /// One more entry of the current option.
    pub fn entry(&mut self, name: &[u8]) -> io::Result<()> {
        self.counts.entries += 1;
        self.word(name, b"")
    }

    /// One more entry, with a color.
    pub fn colored(&mut self, name: &[u8], color: &[u8]) -> io::Result<()> {
        self.counts.entries += 1;
        self.word(name, color)
    }

    /// Ends the current option. Without any entry this is a blank line, which readers skip.
    pub fn end_option(&mut self) -> io::Result<()> {
        self.counts.options += u64::from(self.begun);
        self.end_line()
    }

    /// What has been written so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    fn word(&mut self, name: &[u8], color: &[u8]) -> io::Result<()> {
        if self.begun {
            self.line.push(b' ');
        }
        self.begun = true;
        self.line.extend_from_slice(name);
        if !color.is_empty() {
            self.line.push(b':');
            self.line.extend_from_slice(color);
        }
        if self.line.len() > PART {
            self.out.write_all(&self.line)?;
            self.line.clear();
        }
        Ok(())
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.begun = false;
        self.line.push(b'\n');
        self.out.write_all(&self.line)?;
        self.line.clear();
        Ok(())
    }
}

impl Problem {
    /// Writes the problem as a `.dlx` file, which [`Problem::parse`] takes back.
    ///
    /// # Errors
    ///
    /// Those of `out`, which is asked once a line: a buffer saves time.
    ///
    /// # Examples
    ///
    /// ```
    /// let text = "A 2:3|B | x\nA x:1\nB x:1 |7\n";
    /// let mut written = Vec::new();
    /// quadrille::Problem::parse(text)?.write(&mut written)?;
    /// assert_eq!(written, text.as_bytes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, out: impl io::Write) -> io::Result<()> {
        let mut out = Writer::new(out);
        for (item, name) in self.names() {
            match (self.is_primary(item), self.bound(item)) {
                (false, _) => out.secondary(name)?,
                (true, Bound::ONCE) => out.primary(name)?,
                (true, Bound { low, high }) if low == high => {
                    out.primary(&[format!("{high}|").as_bytes(), name].concat())?;
                }
                (true, Bound { low, high }) => {
                    out.primary(&[format!("{low}:{high}|").as_bytes(), name].concat())?;
                }
            }
        }
        out.end_items()?;
        for option in self.option_ids() {
            for Entry { item, color } in self.option(option) {
                match color.is_none() {
                    true => out.entry(self.name(item))?,
                    false => out.colored(self.name(item), self.color_name(color))?,
                }
            }
            match self.cost(option) {
                0 => {}
                cost => out.entry(format!("|{cost}").as_bytes())?,
            }
            out.end_option()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_the_canonical_subset() {
        let mut text = Vec::new();
        let mut out = Writer::new(&mut text);
        out.comment(b"two items  ").unwrap();
        out.comment(b"").unwrap();
        out.primary(b"a").unwrap();
        out.primary(b"b").unwrap();
        out.secondary(b"x").unwrap();
        out.secondary(b"y").unwrap();
        out.end_items().unwrap();
        out.entry(b"a").unwrap();
        out.colored(b"x", b"1").unwrap();
        out.end_option().unwrap();
        let counts = Counts { primary: 2, secondary: 2, options: 1, entries: 2 };
        assert_eq!(out.counts(), counts);
        assert_eq!(text, b"| two items\n|\na b | x y\na x:1\n");
    }

    #[test]
    fn writes_no_bar_without_secondary_items() {
        let mut text = Vec::new();
        let mut out = Writer::new(&mut text);
        out.primary(b"a").unwrap();
        out.end_items().unwrap();
        assert_eq!(text, b"a\n");
    }

    #[test]
    fn a_long_item_line_goes_out_in_parts_unchanged() {
        let mut text = Vec::new();
        let mut out = Writer::new(&mut text);
        for _ in 0..50_000 {
            out.primary(b"abc").unwrap();
        }
        out.end_items().unwrap();
        let expected = ["abc"; 50_000].join(" ") + "\n";
        assert_eq!(text, expected.as_bytes());
    }
}
