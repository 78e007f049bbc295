//! Compressed inputs: what begins as gzip or zstd does is unpacked on the way, a block at a time.

use std::fmt;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::bufread::GzDecoder;
#[cfg(feature = "zstd")]
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
    let state = Arc::new(InputState::default());
    let input = BufReader::new(WatchedInput { input, state: Arc::clone(&state) });
    Ok(match packing {
        GZIP => {
            let bytes = MemberStream::<GzDecoder<_>>::Between(input);
            Box::new(Unpacked { name: "gzip", bytes, state })
        }
        #[cfg(feature = "zstd")]
        _ => {
            let bytes = MemberStream::<StreamingDecoder<_, _>>::Between(input);
            Box::new(Unpacked { name: "zstd", bytes, state })
        }
        #[cfg(not(feature = "zstd"))]
        _ => {
            let what = "the input is zstd, which this build cannot read (feature `zstd`)";
            return Err(io::Error::new(io::ErrorKind::Unsupported, what));
        }
    })
}

/// What happened to the packed bytes.
#[derive(Default)]
struct InputState {
    /// There are no more.
    ended: AtomicBool,
    /// They could not be had.
    failed: AtomicBool,
}

/// A stream whose first bytes were looked at.
type Peeked = Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>;

/// The packed bytes.
struct WatchedInput {
    input: Peeked,
    state: Arc<InputState>,
}

impl Read for WatchedInput {
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
    state: Arc<InputState>,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer).map_err(|error| {
            let Unpacked { name, state, .. } = self;
            if state.failed.load(Ordering::Relaxed) {
                return error;
            }
            let what = match error.get_ref() {
                Some(inner) if inner.is::<ForeignData>() => "end, and something else follows",
                _ if state.ended.load(Ordering::Relaxed) => "end too early",
                _ => "are damaged",
            };
            io::Error::new(io::ErrorKind::InvalidData, format!("the {name} data {what}"))
        })
    }
}

/// A decoder of one member of a packed file, of which there may be several, one after the other.
trait PackedMember: Read + Sized {
    /// The first bytes of each.
    const MAGIC: &[u8];

    fn begin(input: BufReader<WatchedInput>) -> io::Result<Self>;

    /// What comes after it.
    fn end(self) -> BufReader<WatchedInput>;
}

impl PackedMember for GzDecoder<BufReader<WatchedInput>> {
    const MAGIC: &[u8] = GZIP;

    fn begin(input: BufReader<WatchedInput>) -> io::Result<Self> {
        Ok(GzDecoder::new(input))
    }

    fn end(self) -> BufReader<WatchedInput> {
        self.into_inner()
    }
}

#[cfg(feature = "zstd")]
impl PackedMember for StreamingDecoder<BufReader<WatchedInput>, FrameDecoder> {
    const MAGIC: &[u8] = ZSTD;

    fn begin(input: BufReader<WatchedInput>) -> io::Result<Self> {
        StreamingDecoder::new(input).map_err(io::Error::other)
    }

    fn end(self) -> BufReader<WatchedInput> {
        self.into_inner()
    }
}

/// The members of a packed file.
enum MemberStream<M> {
    /// Before a member, or at the end.
    Between(BufReader<WatchedInput>),
    /// In one.
    In(Box<M>),
    /// After an error.
    Broken,
}

impl<M: PackedMember> Read for MemberStream<M> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            *self = match std::mem::replace(self, MemberStream::Broken) {
                MemberStream::Between(mut input) => {
                    let next = input.fill_buf()?;
                    if next.is_empty() {
                        *self = MemberStream::Between(input);
                        return Ok(0);
                    }
                    let known = next.len().min(M::MAGIC.len());
                    if next[..known] != M::MAGIC[..known] {
                        return Err(io::Error::new(io::ErrorKind::Unsupported, ForeignData));
                    }
                    MemberStream::In(Box::new(M::begin(input)?))
                }
                MemberStream::In(mut member) => {
                    let length = member.read(buffer)?;
                    if length > 0 || buffer.is_empty() {
                        *self = MemberStream::In(member);
                        return Ok(length);
                    }
                    MemberStream::Between(member.end())
                }
                MemberStream::Broken => return Err(io::Error::other("read after an error")),
            };
        }
    }
}

/// There is something else behind the packed data.
#[derive(Debug)]
struct ForeignData;

impl fmt::Display for ForeignData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("something else follows")
    }
}

impl std::error::Error for ForeignData {}
