//! Clauses as DIMACS has them, a line each: `-3 12 0`.
//!
//! A proof has a hundred thousand for a board of 30 x 30, which takes fifteen milliseconds to solve, so it matters how
//! they are written. Most of the time would go into digits and into growing the text. Here each literal is
//! a copy of sixteen bytes from a table, to a block that has room for them; and in a run of clauses that have a
//! literal in common so is all that they share.

use std::io::{self, Write};

/// Bytes that are written at a time, or a few more.
const BLOCK: usize = 1 << 16;

/// What is copied at once.
const WIDTH: usize = 16;

/// Literals that are written after one look at the room that is left.
const TOGETHER: usize = 64;

/// Room behind the last byte of a block: for signs and copies, and one copy more.
const ROOM: usize = TOGETHER * (WIDTH + 1) + WIDTH;

/// A short text, which is copied at once, length and all: a number whose lowest byte comes first, and whose
/// highest byte is the length. As an array of bytes it would go through memory twice.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShortText(u128);

impl ShortText {
    /// So many bytes have room.
    const LONGEST: usize = WIDTH - 1;

    fn new(text: &[u8]) -> Self {
        let mut bytes = [b' '; WIDTH];
        bytes[..text.len()].copy_from_slice(text);
        bytes[ShortText::LONGEST] = text.len() as u8;
        ShortText(u128::from_le_bytes(bytes))
    }

    /// A blank and `name`; empty if that is too long.
    pub fn after_blank(name: &[u8]) -> Self {
        match name.len() {
            ..ShortText::LONGEST => ShortText::new(&[b" ", name].concat()),
            _ => ShortText::default(),
        }
    }

    /// Whether it has no text.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    #[inline(always)]
    fn len(self) -> usize {
        // It is no more than that, and a mask says so.
        (self.0 >> (8 * ShortText::LONGEST)) as usize & ShortText::LONGEST
    }

    /// The text, and what follows it.
    #[inline(always)]
    fn bytes(self) -> [u8; WIDTH] {
        self.0.to_le_bytes()
    }
}

/// The text of each variable, with a blank behind it.
#[derive(Debug, Default)]
pub struct Numerals(Vec<ShortText>);

impl Numerals {
    /// For variables up to `variables`.
    pub fn new(variables: i32) -> Self {
        let mut numerals = Numerals::default();
        numerals.reach(variables);
        numerals
    }

    /// The text of a variable.
    #[inline(always)]
    fn of(&self, variable: i32) -> ShortText {
        self.0[variable as usize]
    }

    /// Adds those up to `variables` that are missing.
    pub fn reach(&mut self, variables: i32) {
        for variable in self.0.len()..=variables as usize {
            // All but the last digit stand already where the number without it has them.
            let (front, length) = match variable {
                ..10 => (ShortText::default(), 0),
                _ => (self.0[variable / 10], self.0[variable / 10].len() - 1),
            };
            let mut bytes = front.bytes();
            (bytes[length], bytes[length + 1]) = (b'0' + (variable % 10) as u8, b' ');
            self.0.push(ShortText::new(&bytes[..length + 2]));
        }
    }
}

/// Text on its way to `out`, in blocks. What fails is told at the end.
#[derive(Debug)]
pub struct BlockWriter<W: Write> {
    /// The text up to `end`; the rest is room.
    text: Vec<u8>,
    end: usize,
    out: W,
    failure: Option<io::Error>,
}

impl<W: Write> BlockWriter<W> {
    /// Nothing yet.
    pub fn new(out: W) -> Self {
        BlockWriter { text: vec![0; BLOCK + ROOM], end: 0, out, failure: None }
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

    /// Appends a word.
    #[inline(always)]
    pub fn push_word(&mut self, word: ShortText) {
        self.room()[..WIDTH].copy_from_slice(&word.bytes());
        self.end += word.len();
    }

    /// Appends the literals of a clause, each with a blank behind it.
    #[inline(always)]
    pub fn push_literals(&mut self, literals: &[i32], numerals: &Numerals) {
        for some in literals.chunks(TOGETHER) {
            let room = self.room();
            let mut at = 0;
            for &lit in some {
                // The sign is there in any case, and covered if it is none.
                let sign = usize::from(lit < 0);
                let numeral = numerals.of(lit.abs());
                let place = &mut room[at..at + WIDTH + 1];
                place[0] = b'-';
                place[sign..sign + WIDTH].copy_from_slice(&numeral.bytes());
                at += sign + numeral.len();
            }
            self.end += at;
        }
    }

    /// Appends a clause.
    #[inline(always)]
    pub fn push_clause(&mut self, clause: &[i32], numerals: &Numerals) {
        self.push_literals(clause, numerals);
        self.push(b"0\n");
    }

    /// Appends the clauses `-e -late` for each `e` of `early`.
    pub fn push_exclusions(&mut self, early: &[i32], late: i32, numerals: &Numerals) {
        let mut tail = [b'-'; WIDTH];
        let (late, length) = (numerals.of(late).bytes(), numerals.of(late).len());
        tail[1..].copy_from_slice(&late[..WIDTH - 1]);
        // Ten digits at most, so there is room.
        tail[1 + length..][..2].copy_from_slice(b"0\n");
        let tail = u128::from_le_bytes(tail);
        for some in early.chunks(TOGETHER / 2) {
            let room = self.room();
            let mut at = 0;
            for &early in some {
                let numeral = numerals.of(early);
                let place = &mut room[at..at + 2 * WIDTH + 1];
                place[0] = b'-';
                place[1..1 + WIDTH].copy_from_slice(&numeral.bytes());
                let behind = 1 + numeral.len();
                place[behind..behind + WIDTH].copy_from_slice(&tail.to_le_bytes());
                at += behind + 1 + length + 2;
            }
            self.end += at;
        }
    }

    /// Appends the clauses `-option c` for each `c` of `colors`.
    pub fn push_implications(&mut self, option: i32, colors: &[i32], numerals: &Numerals) {
        let mut head = [b'-'; WIDTH];
        let (option, length) = (numerals.of(option).bytes(), numerals.of(option).len());
        head[1..].copy_from_slice(&option[..WIDTH - 1]);
        let head = u128::from_le_bytes(head);
        for some in colors.chunks(TOGETHER / 2) {
            let room = self.room();
            let mut at = 0;
            for &color in some {
                let numeral = numerals.of(color);
                let place = &mut room[at..at + 2 * WIDTH + 2];
                place[..WIDTH].copy_from_slice(&head.to_le_bytes());
                place[1 + length..1 + length + WIDTH].copy_from_slice(&numeral.bytes());
                at += 1 + length + numeral.len();
                room[at..at + 2].copy_from_slice(b"0\n");
                at += 2;
            }
            self.end += at;
        }
    }

    /// Where the next bytes go.
    #[inline(always)]
    fn room(&mut self) -> &mut [u8] {
        if self.end > BLOCK {
            self.write();
        }
        &mut self.text[self.end..][..ROOM]
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
            let mut block = BlockWriter::new(&mut text);
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
                expected += &format!("0\n{tail}\n");
                let name = &"abcdefghijklmnop"[..random.usize(..=WIDTH)];
                let word = ShortText::after_blank(name.as_bytes());
                assert_eq!(word.is_empty(), name.len() + 1 > ShortText::LONGEST);
                if !word.is_empty() {
                    block.push_word(word);
                    expected += &format!(" {name}");
                }
                let mut variable = || {
                    let digits = random.u32(0..6);
                    random.i32(10i32.pow(digits)..=10i32.pow(digits + 1).min(123_456))
                };
                let (one, many) = (variable(), [(); 100].map(|()| variable()));
                let many = &many[..random.usize(0..100) / random.usize(1..30)];
                block.push_exclusions(many, one, &numerals);
                many.iter().for_each(|early| expected += &format!("-{early} -{one} 0\n"));
                block.push_implications(one, many, &numerals);
                many.iter().for_each(|color| expected += &format!("-{one} {color} 0\n"));
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
        let mut block = BlockWriter::new(Full);
        (0..BLOCK).for_each(|_| block.push(b"text"));
        assert_eq!(
            block.end().expect_err("nothing was written").kind(),
            io::ErrorKind::StorageFull
        );
    }
}
