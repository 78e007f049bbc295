//! Clauses as DIMACS has them, a line each: `-3 12 0`.
//!
//! A proof has a hundred thousand for a board of 30 x 30, which takes fifteen milliseconds to solve, so it matters how
//! they are written. Most of the time would go into digits and into growing the text. Here each literal is
//! a copy of sixteen bytes from a table, to a block that has room for them.

use std::io::{self, Write};

/// Bytes that are written at a time, or a few more.
const BLOCK: usize = 1 << 16;

/// What is copied at once.
const WIDTH: usize = 16;

/// Room behind the last byte of a block: for a sign and a copy.
const ROOM: usize = WIDTH + 1;

/// The text of each variable.
#[derive(Debug, Default)]
pub struct Numerals(Vec<[u8; WIDTH]>);

impl Numerals {
    /// Where the length of a numeral stands, its blank included.
    const LENGTH: usize = WIDTH - 1;

    /// For variables up to `variables`.
    pub fn new(variables: i32) -> Self {
        let mut numerals = Numerals::default();
        numerals.reach(variables);
        numerals
    }

    /// Adds those up to `variables` that are missing.
    pub fn reach(&mut self, variables: i32) {
        for variable in self.0.len()..=variables as usize {
            let mut numeral = [b' '; WIDTH];
            numeral[Numerals::LENGTH] = 1;
            if variable >= 10 {
                // All but the last digit stand already where the number without it has them.
                numeral = self.0[variable / 10];
            }
            let end = usize::from(numeral[Numerals::LENGTH]);
            (numeral[end - 1], numeral[end]) = (b'0' + (variable % 10) as u8, b' ');
            numeral[Numerals::LENGTH] += 1;
            self.0.push(numeral);
        }
    }
}

/// Text on its way to `out`, in blocks. What fails is told at the end.
#[derive(Debug)]
pub struct Block<W: Write> {
    /// The text up to `end`; the rest is room.
    text: Vec<u8>,
    end: usize,
    out: W,
    failure: Option<io::Error>,
}

impl<W: Write> Block<W> {
    /// Nothing yet.
    pub fn new(out: W) -> Self {
        Block { text: vec![0; BLOCK + ROOM], end: 0, out, failure: None }
    }

    /// Appends any text.
    #[inline(always)]
    pub fn push(&mut self, text: &[u8]) {
        if text.len() > WIDTH {
            text.chunks(WIDTH).for_each(|piece| self.push(piece));
            return;
        }
        if self.end > BLOCK {
            self.write();
        }
        self.text[self.end..][..text.len()].copy_from_slice(text);
        self.end += text.len();
    }

    /// Appends a clause without the end of its line.
    #[inline(always)]
    pub fn push_clause(&mut self, clause: &[i32], numerals: &Numerals) {
        for &lit in clause {
            if self.end > BLOCK {
                self.write();
            }
            let numeral = &numerals.0[lit.unsigned_abs() as usize];
            // The sign is there in any case, and covered if it is none.
            let sign = usize::from(lit < 0);
            let room = &mut self.text[self.end..][..ROOM];
            room[0] = b'-';
            room[sign..sign + WIDTH].copy_from_slice(numeral);
            self.end += sign + usize::from(numeral[Numerals::LENGTH]);
        }
        self.push(b"0");
    }

    #[cold]
    fn write(&mut self) {
        if self.failure.is_none() {
            self.failure = self.out.write_all(&self.text[..self.end]).err();
        }
        self.end = 0;
    }

    /// Writes what is left, and tells whether all went well.
    pub fn end(mut self) -> io::Result<()> {
        self.write();
        self.failure.map_or_else(|| self.out.flush(), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_what_numbers_are_printed_as() {
        let mut random = fastrand::Rng::with_seed(5);
        let numerals = Numerals::new(123_456);
        for clauses in [0, 1, 10, 20_000] {
            let mut text = Vec::new();
            let mut block = Block::new(&mut text);
            let mut expected = String::new();
            for _ in 0..clauses {
                let mut literal = || {
                    let digits = random.u32(1..6);
                    let variable = random.i32(1..=10i32.pow(digits));
                    if random.bool() { variable } else { -variable }
                };
                let clause: Vec<i32> = (0..5).map(|_| literal()).collect();
                let clause = &clause[..random.usize(0..6)];
                block.push_clause(clause, &numerals);
                clause.iter().for_each(|lit| expected += &format!("{lit} "));
                let tail = "abcdefgh".repeat(random.usize(0..5));
                block.push(format!("{tail}\n").as_bytes());
                expected += &format!("0{tail}\n");
            }
            block.end().expect("a vector takes all");
            assert!(text == expected.as_bytes());
        }
    }

    #[test]
    fn tells_what_failed() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut block = Block::new(Full);
        (0..BLOCK).for_each(|_| block.push(b"text"));
        assert_eq!(
            block.end().expect_err("nothing was written").kind(),
            io::ErrorKind::StorageFull
        );
    }
}
