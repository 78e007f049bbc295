//! The lines of a batch, one after the other.

use std::io::{self, BufRead, BufReader, Read};

use crate::encoding;

/// The input.
pub struct Lines {
    bytes: BufReader<Box<dyn Read + Send>>,
    /// The line that was read last, from 1.
    line: u64,
}

impl Lines {
    /// Nothing is read yet.
    pub fn new(bytes: Box<dyn Read + Send>) -> Self {
        Lines { bytes: BufReader::new(bytes), line: 0 }
    }

    /// The next line that is not blank: its number and its text.
    pub fn next(&mut self) -> io::Result<Option<(u64, Vec<u8>)>> {
        loop {
            let mut text = Vec::new();
            if self.bytes.read_until(b'\n', &mut text)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            if self.line == 1 {
                text.drain(..encoding::mark(&text));
            }
            let length = text.trim_ascii_end().len();
            text.truncate(length);
            if !text.is_empty() {
                return Ok(Some((self.line, text)));
            }
        }
    }
}
