//! Solutions in the words in which they will be handed on.

/// Solutions in words, of which one after the other changes little: each keeps some of the first bytes of the
/// one before, so that many can wait in little room. Only the first stands there in full.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bodies {
    /// What is new in each, end to end.
    bytes: Vec<u8>,
    tails: Vec<Tail>,
}

/// One solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tail {
    /// The bytes that it has in common with the one before.
    keep: usize,
    /// Where its own end.
    end: usize,
}

impl Bodies {
    /// None yet, and room for about so many bytes of them.
    pub fn with_capacity(bytes: usize) -> Self {
        Bodies { bytes: Vec::with_capacity(bytes), tails: Vec::new() }
    }

    /// Adds what `write` appends after the first bytes of the last solution, whose number it answers.
    pub fn push(&mut self, write: impl FnOnce(&mut Vec<u8>) -> usize) {
        let keep = write(&mut self.bytes);
        self.tails.push(Tail { keep, end: self.bytes.len() });
    }

    /// How many bytes each has in common with the one before, and what follows them.
    pub fn tails(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let starts = [0].into_iter().chain(self.tails.iter().map(|tail| tail.end));
        starts.zip(&self.tails).map(|(start, tail)| (tail.keep, &self.bytes[start..tail.end]))
    }

    /// Whole solutions, one after the other, put together in `text`.
    pub fn read<'b>(&'b self, text: &'b mut Vec<u8>) -> ChunkReader<'b> {
        text.clear();
        ChunkReader { bodies: self, next: 0, start: 0, text }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tails.is_empty()
    }

    /// About how much memory they take, in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len() + size_of_val(&self.tails[..])
    }

    /// Takes those of `other` behind its own; of those the first stands in full.
    pub fn append(&mut self, other: &mut Bodies) {
        let before = self.bytes.len();
        self.bytes.append(&mut other.bytes);
        let moved = |tail: Tail| Tail { end: before + tail.end, ..tail };
        self.tails.extend(other.tails.drain(..).map(moved));
    }

    /// Forgets them; the memory stays.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.tails.clear();
    }
}

/// Reads whole solutions.
#[derive(Debug)]
pub struct ChunkReader<'b> {
    bodies: &'b Bodies,
    next: usize,
    start: usize,
    text: &'b mut Vec<u8>,
}

impl ChunkReader<'_> {
    /// The next one, if there is one.
    #[inline]
    #[expect(clippy::should_implement_trait, reason = "an iterator cannot lend")]
    pub fn next(&mut self) -> Option<&[u8]> {
        let Tail { keep, end } = *self.bodies.tails.get(self.next)?;
        self.text.truncate(keep);
        self.text.extend_from_slice(&self.bodies.bytes[self.start..end]);
        self.next += 1;
        self.start = end;
        Some(self.text)
    }

    /// Whether one is left.
    pub fn has_more(&self) -> bool {
        self.next < self.bodies.tails.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_come_back_whole() {
        let texts: [&[u8]; 5] = [b"one two", b"one three", b"one", b"", b"another"];
        let mut bodies = Bodies::default();
        let mut before: &[u8] = b"";
        for text in texts {
            bodies.push(|out| {
                let keep = before.iter().zip(text).take_while(|(a, b)| a == b).count();
                out.extend_from_slice(&text[keep..]);
                keep
            });
            before = text;
        }
        let mut twice = bodies.clone();
        twice.append(&mut bodies);
        assert!(bodies.is_empty());
        let mut text = b"left over".to_vec();
        let mut reader = twice.read(&mut text);
        for text in texts.iter().chain(&texts) {
            assert!(reader.has_more());
            assert_eq!(reader.next(), Some(*text));
        }
        assert_eq!((reader.has_more(), reader.next()), (false, None));
    }
}
