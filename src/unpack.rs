//! Compressed inputs: what begins as gzip or zstd does is unpacked on the way, a block at a time.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// The first bytes of a file of gzip.
const GZIP: &[u8] = b"\x1f\x8b";

/// The first bytes of a frame of zstd.
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";

/// The bytes of `input`, unpacked if they are packed. Looks at no more bytes than it must to know.
///
/// # Errors
///
/// Those of `input`. Later reads fail if the packed data are damaged, or end too early.
pub fn unpacked(mut input: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut head = Vec::new();
    while [GZIP, ZSTD].iter().any(|magic| head.len() < magic.len() && magic.starts_with(&head)) {
        let mut byte = [0];
        match input.read(&mut byte) {
            Ok(0) => break,
            Ok(_) => head.push(byte[0]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let packing = [GZIP, ZSTD].into_iter().find(|magic| head.starts_with(magic));
    let input = Cursor::new(head).chain(input);
    let Some(packing) = packing else { return Ok(Box::new(input)) };
    let state = Arc::new(State::default());
    let input = BufReader::new(Watched { input, state: Arc::clone(&state) });
    Ok(match packing {
        GZIP => Box::new(Unpacked { name: "gzip", bytes: MultiGzDecoder::new(input), state }),
        _ => Box::new(Unpacked { name: "zstd", bytes: Frames::Between(input), state }),
    })
}

/// What happened to the packed bytes.
#[derive(Default)]
struct State {
    /// There are no more.
    ended: AtomicBool,
    /// They could not be had.
    failed: AtomicBool,
}

/// A stream whose first bytes were looked at.
type Peeked = Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>;

/// The packed bytes.
struct Watched {
    input: Peeked,
    state: Arc<State>,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer);
        match read {
            Ok(0) if !buffer.is_empty() => self.state.ended.store(true, Ordering::Relaxed),
            Ok(_) => {}
            Err(_) => self.state.failed.store(true, Ordering::Relaxed),
        }
        read
    }
}

/// The bytes of a decoder, whose complaints it puts into words.
struct Unpacked<R> {
    name: &'static str,
    bytes: R,
    state: Arc<State>,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer).map_err(|error| {
            let Unpacked { name, state, .. } = self;
            if state.failed.load(Ordering::Relaxed) {
                return error;
            }
            let ended = state.ended.load(Ordering::Relaxed);
            let what = if ended { "end too early" } else { "are damaged" };
            io::Error::new(io::ErrorKind::InvalidData, format!("the {name} data {what}"))
        })
    }
}

/// The frames of a file of zstd, one after the other.
enum Frames {
    /// Before a frame, or at the end.
    Between(BufReader<Watched>),
    /// In one.
    In(Box<StreamingDecoder<BufReader<Watched>, FrameDecoder>>),
    /// After an error.
    Broken,
}

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            *self = match std::mem::replace(self, Frames::Broken) {
                Frames::Between(mut input) => {
                    if input.fill_buf()?.is_empty() {
                        *self = Frames::Between(input);
                        return Ok(0);
                    }
                    let decoder = StreamingDecoder::new(input).map_err(io::Error::other)?;
                    Frames::In(Box::new(decoder))
                }
                Frames::In(mut frame) => {
                    let length = frame.read(buffer)?;
                    if length > 0 || buffer.is_empty() {
                        *self = Frames::In(frame);
                        return Ok(length);
                    }
                    Frames::Between(frame.into_inner())
                }
                Frames::Broken => return Err(io::Error::other("read after an error")),
            };
        }
    }
}
