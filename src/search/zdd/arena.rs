//! Stacks that never move what they hold.
//!
//! A `Vec` that grows is there twice for a moment, which is too much for something that takes most of the
//! memory. This one grows by chunks of a fixed size, and gives them back as it shrinks.

/// Elements of a chunk.
const CHUNK: usize = 1 << 14;

/// A stack.
#[derive(Debug)]
pub struct Chunks<T> {
    /// All but the last are full, and none is empty.
    chunks: Vec<Vec<T>>,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Chunks { chunks: Vec::new() }
    }
}

impl<T> Chunks<T> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        match self.chunks.last() {
            Some(last) => (self.chunks.len() - 1) * CHUNK + last.len(),
            None => 0,
        }
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.chunks.len() * CHUNK * size_of::<T>()
    }

    /// Adds an element at the end.
    #[inline]
    pub fn push(&mut self, element: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => last.push(element),
            _ => self.grow(element),
        }
    }

    #[cold]
    fn grow(&mut self, element: T) {
        let mut chunk = Vec::with_capacity(CHUNK);
        chunk.push(element);
        self.chunks.push(chunk);
    }

    /// Takes the last element.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        let last = self.chunks.last_mut()?;
        let element = last.pop();
        if last.is_empty() {
            self.chunks.pop();
        }
        element
    }

    /// The element at `at`, which is there.
    #[inline]
    pub fn get(&self, at: usize) -> &T {
        &self.chunks[at / CHUNK][at % CHUNK]
    }

    /// All elements, the first one first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn does_as_a_vector_does() {
        let mut random = fastrand::Rng::with_seed(5);
        let (mut chunks, mut vector) = (Chunks::default(), Vec::new());
        for turn in 0..12 {
            for _ in 0..random.usize(..3 * CHUNK) {
                if turn % 2 == 0 {
                    let element = random.u64(..);
                    chunks.push(element);
                    vector.push(element);
                } else {
                    assert_eq!(chunks.pop(), vector.pop());
                }
            }
            assert_eq!((chunks.len(), chunks.is_empty()), (vector.len(), vector.is_empty()));
            assert!(chunks.iter().eq(&vector));
            assert!(vector.iter().enumerate().all(|(at, element)| chunks.get(at) == element));
            let full = vector.len().div_ceil(CHUNK);
            assert_eq!(chunks.bytes(), full * CHUNK * size_of::<u64>());
        }
    }
}
