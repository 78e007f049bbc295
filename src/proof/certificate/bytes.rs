//! The bytes of a certificate: lines, then numbers.

use std::io::Read;

use super::Refused;

/// The bytes of a certificate, and where they are.
pub(super) struct CertificateBytes<R> {
    input: R,
    buffer: Vec<u8>,
    next: usize,
    /// How many bytes were taken.
    pub at: u64,
}

/// Bytes that are asked of the input at a time.
const PIECE: usize = 1 << 16;

/// The most bytes of a line of the header, and of a lemma.
pub(super) const LONGEST: usize = 1 << 24;

impl<R: Read> CertificateBytes<R> {
    pub fn new(input: R) -> Self {
        CertificateBytes { input, buffer: Vec::new(), next: 0, at: 0 }
    }

    pub fn refuse<T>(&self, what: String) -> Result<T, Refused> {
        Err(Refused::At(self.at, what))
    }

    /// The next byte; `None` at the end.
    #[inline]
    pub fn byte(&mut self) -> Result<Option<u8>, Refused> {
        if self.next == self.buffer.len() && !self.fill()? {
            return Ok(None);
        }
        self.next += 1;
        self.at += 1;
        Ok(Some(self.buffer[self.next - 1]))
    }

    #[cold]
    fn fill(&mut self) -> Result<bool, Refused> {
        self.buffer.clear();
        self.next = 0;
        self.input.by_ref().take(PIECE as u64).read_to_end(&mut self.buffer)?;
        Ok(!self.buffer.is_empty())
    }

    pub fn line(&mut self) -> Result<String, Refused> {
        let mut line = Vec::new();
        loop {
            match self.byte()? {
                Some(b'\n') => break,
                Some(byte) if line.len() < LONGEST => line.push(byte),
                _ => return self.refuse("the header is not complete".into()),
            }
        }
        String::from_utf8(line)
            .or_else(|_| self.refuse("the header is not text".into()))
    }

    /// The next number, seven bits a byte, the lowest first; `None` at the end.
    #[inline]
    pub fn number(&mut self) -> Result<Option<u64>, Refused> {
        let Some(first) = self.byte()? else { return Ok(None) };
        if first < 0x80 {
            return Ok(Some(u64::from(first)));
        }
        let mut number = u64::from(first & 0x7f);
        for shift in (7..35).step_by(7) {
            let Some(byte) = self.byte()? else {
                return self.refuse("the certificate ends in a number".into());
            };
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                // A number has one form only.
                return match byte {
                    0 => self.refuse("a number has a byte too many".into()),
                    _ => Ok(Some(number)),
                };
            }
        }
        self.refuse("a number is too large".into())
    }
}
