//! Where results go: standard output, or a file.
//!
//! Results that come while a search runs go through [`Output`], which hands on whole records only: in
//! blocks when they are many, and within a tick of the metronome when they are rare. Results that are
//! there all at once go through [`write_whole`], which leaves no half-written file behind. Either way nobody
//! else writes the file meanwhile ([`lock`]).

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indicatif::ProgressBar;

use crate::cli::checksum::Checksum;
use crate::cli::exit::Failure;
use crate::cli::guard::guarded;
use crate::cli::{files, lock};
use crate::wording::counted;

/// Bytes that make a block: of records that come one by one, no more are kept back.
pub const BLOCK: usize = 1 << 16;

/// What messages call standard output.
pub const STDOUT: &str = "<stdout>";

/// A stream of records. Copies share it.
#[derive(Clone)]
pub struct Output {
    state: Arc<Mutex<State>>,
}

struct State {
    name: String,
    target: Box<dyn Write + Send>,
    /// The file that the target writes to, if it is one.
    file: Option<File>,
    /// What is known of it, if it is there for us alone.
    own: Option<Own>,
    /// What was written, for whoever wants to know.
    tally: Option<Checksum>,
    pending: Vec<u8>,
    failure: Option<io::Error>,
    /// A bar on the terminal that the records go to as well; it makes room for them.
    bar: Option<ProgressBar>,
}

/// A file that we write alone.
struct Own {
    path: PathBuf,
    /// How long it is when all that was handed on is written.
    length: u64,
    /// Whether it is locked.
    locked: bool,
}

impl Own {
    /// A tally of its first bytes.
    fn tally(&self, bytes: u64) -> io::Result<Checksum> {
        let mut tally = Checksum::default();
        if bytes > 0 {
            io::copy(&mut File::open(&self.path)?.take(bytes), &mut tally)?;
        }
        Ok(tally)
    }
}

/// What of a file is on the disk.
pub struct Secured {
    /// How long it is.
    pub length: u64,
    /// The checksum of its bytes, if there is a tally.
    pub sum: Option<String>,
}

impl Output {
    /// Opens `path`, which loses what it held; or standard output. No input is opened so ([`files`]).
    pub fn open(path: Option<&Path>) -> Result<Output, Failure> {
        let path = named(path);
        files::admit(path)?;
        let Some(path) = path else {
            return Ok(Output::new(STDOUT.into(), guarded(io::stdout()), stdout_file(), None));
        };
        // It loses nothing before we know that nobody else writes it.
        let output = Output::to_file(path, File::options().create(true).truncate(false))?;
        output.cut(0, None)?;
        Ok(output)
    }

    /// Opens `path`, or standard output, which must be a file, too, to go on after `offset` bytes, which have the checksum
    /// `sum` if there is one. What was written later is cut off.
    pub fn reopen(path: Option<&Path>, offset: u64, sum: Option<&str>) -> Result<Output, Failure> {
        let output = match named(path) {
            None => Output::open(None)?,
            Some(path) => {
                files::admit(Some(path))?;
                Output::to_file(path, &mut File::options())?
            }
        };
        if !output.is_file() {
            return Err(output.failure(io::Error::other(
                "not a file, as it was when the search began; use --output FILE or >> FILE",
            )));
        }
        output.cut(offset, sum)?;
        Ok(output)
    }

    /// Cuts the target, if that is a file, off after `offset` bytes, which have the checksum `sum` if there is one.
    fn cut(&self, offset: u64, sum: Option<&str>) -> Result<(), Failure> {
        let mut state = self.lock();
        let State { file, own, tally, .. } = &mut *state;
        let Some(file) = file else { return Ok(()) };
        let mut cut = || {
            let length = file.metadata()?.len();
            if length < offset {
                return Err(io::Error::other(format!(
                    "has {}, fewer than the {offset} that were written before the \
                     checkpoint (`>` empties a file, `>>` does not)",
                    counted(length, "byte")
                )));
            }
            if let Some((own, sum)) = own.as_ref().zip(sum) {
                let begun = own.tally(offset)?;
                if begun.sum() != sum {
                    return Err(io::Error::other("has changed since the checkpoint was saved"));
                }
                *tally = Some(begun);
            }
            own.iter_mut().for_each(|own| own.length = offset);
            file.set_len(offset)?;
            file.seek(SeekFrom::End(0)).map(drop)
        };
        let cut = cut();
        drop(state);
        cut.map_err(|error| self.failure(error))
    }

    fn failure(&self, error: io::Error) -> Failure {
        Failure::Io { name: self.lock().name.clone(), error }
    }

    /// From here on there is a tally of all that is in the file, if there is none yet.
    pub fn keep_tally(&self) -> Result<(), Failure> {
        let mut state = self.lock();
        let State { own, tally, .. } = &mut *state;
        let begun = match (&tally, own) {
            (None, Some(own)) => own.tally(own.length).map(|begun| *tally = Some(begun)),
            _ => Ok(()),
        };
        drop(state);
        begun.map_err(|error| self.failure(error))
    }

    /// The checksum of all that was written, if there is a tally.
    pub fn sum(&self) -> Option<String> {
        self.lock().tally.as_ref().map(Checksum::sum)
    }

    /// Whether the target is a file that another run may write at the same time, for want of locks.
    pub fn lacks_lock(&self) -> bool {
        self.lock().own.as_ref().is_some_and(|own| !own.locked)
    }

    /// For results that [`write_whole`] will write: there are no records.
    pub fn nowhere() -> Output {
        Output::new(STDOUT.into(), Box::new(io::sink()), None, None)
    }

    fn to_file(path: &Path, options: &mut OpenOptions) -> Result<Output, Failure> {
        let name = path.display().to_string();
        // What is appended does not leave a hole where another run has emptied the file for want of locks: the file is
        // too short then, and `look_after` sees that. On Windows whoever may append may not cut off.
        let options = options.write(true).append(cfg!(unix));
        let file = lock::open(options, path).map_err(|error| unplaced(path, error));
        match file.and_then(|(file, locked)| Ok((file.try_clone()?, file, locked))) {
            Ok((copy, file, locked)) => {
                let copy = copy.metadata().is_ok_and(|data| data.is_file()).then_some(copy);
                let own = copy.is_some().then(|| Own { path: path.to_owned(), length: 0, locked });
                Ok(Output::new(name, guarded(file), copy, own))
            }
            Err(error) => Err(Failure::Io { name, error }),
        }
    }

    fn new(
        name: String,
        target: Box<dyn Write + Send>,
        file: Option<File>,
        own: Option<Own>,
    ) -> Output {
        let (tally, pending, failure, bar) = (None, Vec::new(), None, None);
        let state = State { name, target, file, own, tally, pending, failure, bar };
        Output { state: Arc::new(Mutex::new(state)) }
    }

    /// Hands on what is pending and, if the target is a file, forces it to the disk; answers with what
    /// is there then.
    pub fn secure(&self) -> Result<Option<Secured>, ()> {
        let mut state = self.lock();
        state.flush()?;
        let Some(file) = &state.file else { return Ok(None) };
        match file.sync_data().and_then(|()| state.look_after(file)) {
            Ok(length) => {
                Ok(Some(Secured { length, sum: state.tally.as_ref().map(Checksum::sum) }))
            }
            Err(error) => {
                state.failure = Some(error);
                Err(())
            }
        }
    }

    /// Whether the target is a file, whose end can be cut off.
    pub fn is_file(&self) -> bool {
        self.lock().file.is_some()
    }

    /// Makes `bar` step aside while records are written, if both are on a terminal.
    pub fn share_with(&self, bar: &ProgressBar) {
        if io::stdout().is_terminal() {
            self.lock().bar = Some(bar.clone());
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds records, which `write` appends to the bytes it is given.
    pub fn push(&self, write: impl FnOnce(&mut Vec<u8>)) -> Result<(), ()> {
        let mut state = self.lock();
        write(&mut state.pending);
        if state.pending.len() >= BLOCK { state.flush() } else { state.healthy() }
    }

    /// Hands on what is pending.
    pub fn flush(&self) -> Result<(), ()> {
        self.lock().flush()
    }

    /// Hands on the rest, and tells whether all went well.
    pub fn finish(&self) -> Result<(), Failure> {
        let mut state = self.lock();
        if state.flush().is_ok()
            && let Some(file) = &state.file
        {
            state.failure = state.look_after(file).err();
        }
        match state.failure.take() {
            Some(error) => Err(Failure::write(&state.name, error)),
            None => Ok(()),
        }
    }
}

/// Standard output, if it is a file.
#[cfg(unix)]
fn stdout_file() -> Option<File> {
    use std::os::fd::AsFd;
    let file = File::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
    file.metadata().is_ok_and(|metadata| metadata.is_file()).then_some(file)
}

/// Elsewhere we cannot tell.
#[cfg(not(unix))]
fn stdout_file() -> Option<File> {
    None
}

impl State {
    fn healthy(&self) -> Result<(), ()> {
        if self.failure.is_none() { Ok(()) } else { Err(()) }
    }

    fn flush(&mut self) -> Result<(), ()> {
        if !self.pending.is_empty() && self.failure.is_none() {
            let State { target, pending, bar, own, tally, .. } = self;
            own.iter_mut().for_each(|own| own.length += pending.len() as u64);
            let mut write = || target.write_all(pending).and_then(|()| target.flush());
            let written = match bar {
                Some(bar) => bar.suspend(write),
                None => write(),
            };
            // A tally takes all.
            let written = written.and_then(|()| match tally {
                Some(tally) => tally.write_all(pending),
                None => Ok(()),
            });
            self.failure = written.err();
        }
        self.pending.clear();
        self.healthy()
    }

    /// How long the file is. If it is ours alone, it must be what we made of it: where there are no locks another
    /// run may have emptied it, and somebody may have removed it anywhere.
    fn look_after(&self, file: &File) -> io::Result<u64> {
        let there = file.metadata()?;
        match &self.own {
            Some(own) if !lock::leads_to(&own.path, &there) => {
                Err(io::Error::other("was removed or replaced while it was written"))
            }
            Some(own) if own.length != there.len() => Err(io::Error::other(format!(
                "has {} bytes, not the {} that were written: something else writes it, too",
                there.len(),
                own.length
            ))),
            _ => Ok(there.len()),
        }
    }
}

/// Finds out whether [`write_whole`] can write to `path`, as far as that can be known before.
pub fn probe(path: Option<&Path>) -> Result<(), Failure> {
    let path = named(path);
    files::admit(path)?;
    match path {
        Some(path) if !path.exists() || path.is_file() => {
            let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            let made = lock::existing(&place).and_then(|_| make_beside(&place));
            let name = || path.display().to_string();
            made.map(drop).map_err(|error| Failure::Io { name: name(), error })
        }
        Some(path) if path.is_dir() => {
            let error = io::Error::from(io::ErrorKind::IsADirectory);
            Err(Failure::Io { name: path.display().to_string(), error })
        }
        _ => Ok(()),
    }
}

/// Writes a result that is there all at once: to standard output, or to a file that appears whole or
/// not at all.
pub fn write_whole(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    write_guarded(path, true, write)
}

/// The same for a picture, which may well have colors on a terminal.
pub fn write_picture(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    write_guarded(path, false, write)
}

fn write_guarded(
    path: Option<&Path>,
    guard: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let path = named(path);
    files::admit(path)?;
    let Some(path) = path else {
        let stdout = if guard { guarded(io::stdout()) } else { Box::new(io::stdout()) };
        let written = write_buffered(stdout, write);
        return written.map_err(|error| Failure::write(STDOUT, error));
    };
    let name = path.display().to_string();
    let written = if path.exists() && !path.is_file() {
        // A device or a pipe cannot be replaced by a new file.
        File::create(path).and_then(|file| write_buffered(guarded(file), write))
    } else {
        replace(path, write)
    };
    written.map_err(|error| Failure::write(&name, error))
}

fn write_buffered(
    target: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut target = io::BufWriter::with_capacity(BLOCK, target);
    write(&mut target).and_then(|()| target.flush())
}

fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A link is followed, so that the file it points to gets the result.
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let _lock = lock::existing(path)?;
    let mut file = make_beside(path)?;
    begin(file.path());
    // The file below: errors of the temporary one have its name, which would only confuse.
    write_buffered(file.as_file_mut(), write)?;
    if let Ok(old) = std::fs::metadata(path) {
        std::fs::set_permissions(file.path(), old.permissions())?;
    }
    file.persist(path)?;
    end();
    Ok(())
}

/// A temporary file in the folder of `path`.
fn make_beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".quadrille-");
    // A temporary file is private; a result has the rights that a new file has.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    // The name of the temporary file would only confuse.
    let file = builder.tempfile_in(files::folder(path));
    file.map_err(|error| unplaced(path, io::Error::from(error.kind())))
}

/// Why a file could not be made at `path`: says so if its folder does not exist.
pub fn unplaced(path: &Path, error: io::Error) -> io::Error {
    match path.parent() {
        Some(folder) if error.kind() == io::ErrorKind::NotFound && !folder.exists() => {
            let what = format!("the folder {} does not exist", folder.display());
            io::Error::new(io::ErrorKind::NotFound, what)
        }
        _ => error,
    }
}

/// `path`, unless it is `-`, which stands for standard output.
pub fn named(path: Option<&Path>) -> Option<&Path> {
    path.filter(|&path| path != Path::new("-"))
}

/// Something half-written is in this file or folder.
pub fn begin(path: &Path) {
    unfinished().replace(path.to_owned());
}

/// It is complete, or gone.
pub fn end() {
    unfinished().take();
}

/// The temporary file or folder that is being written, if one is.
fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what a run leaves half-written when a signal ends it.
pub fn clean_up() {
    if let Some(path) = unfinished().take() {
        // If it is gone already, so much the better.
        let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(path));
    }
}
