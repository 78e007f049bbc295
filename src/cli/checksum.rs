//! How many bytes went by, and their checksum.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

/// Counts what is written to it, and keeps nothing else.
#[derive(Clone, Default)]
pub struct Checksum {
    /// How many bytes.
    pub bytes: u64,
    sum: Sha256,
}

impl Checksum {
    /// The checksum in hexadecimal.
    pub fn sum(&self) -> String {
        hex(&self.sum.clone().finalize())
    }
}

impl Write for Checksum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A checksum in hexadecimal.
pub fn checksum(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
