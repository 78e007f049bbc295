//! What goes to a terminal is printable: names and colors of a file may hold anything, and a terminal would obey it.
//! Pipes and files get every byte as it is.

use std::io::{self, IsTerminal, Write};

use crate::wording::printable;

/// `target`, behind a guard if it is a terminal.
pub fn guarded<W: Write + IsTerminal + Send + 'static>(target: W) -> Box<dyn Write + Send> {
    match target.is_terminal() {
        true => Box::new(Guard { target, cut: Vec::new() }),
        false => Box::new(target),
    }
}

/// A writer that makes text printable, line by line.
struct Guard<W> {
    target: W,
    /// The start of a character whose other bytes have not come yet.
    cut: Vec<u8>,
}

impl<W: Write> Write for Guard<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.cut.extend_from_slice(bytes);
        let end = whole(&self.cut);
        let rest = self.cut.split_off(end);
        let shown = printable(&std::mem::replace(&mut self.cut, rest), true);
        self.target.write_all(shown.as_bytes()).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let shown = printable(&std::mem::take(&mut self.cut), true);
        self.target.write_all(shown.as_bytes())?;
        self.target.flush()
    }
}

/// How many bytes there are before a character that is cut off at the end.
fn whole(bytes: &[u8]) -> usize {
    // A character has at most four bytes, so it begins among the last three.
    let tail = bytes.len().saturating_sub(3);
    let last = bytes[tail..].utf8_chunks().last();
    match last.map(|chunk| chunk.invalid()) {
        Some(cut) if std::str::from_utf8(cut).is_err_and(|error| error.error_len().is_none()) => {
            bytes.len() - cut.len()
        }
        _ => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the pieces are, the text is the same.
    #[test]
    fn a_character_may_come_in_pieces() {
        let text = "1:\n é\u{1b} 数🧩\x7f\u{202e}".as_bytes();
        let text = [text, b"\xff\xe2\x80"].concat();
        let expected = "1:\n é\\u{1b} 数🧩\\u{7f}\\u{202e}\\xff\\xe2\\x80";
        for size in 1..=text.len() {
            let mut guard = Guard { target: Vec::new(), cut: Vec::new() };
            for piece in text.chunks(size) {
                guard.write_all(piece).expect("a vector takes all");
            }
            guard.flush().expect("a vector takes all");
            assert_eq!(String::from_utf8(guard.target).as_deref(), Ok(expected), "{size}");
        }
    }
}
