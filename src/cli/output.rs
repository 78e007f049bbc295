//! Where results go: standard output, or a file.
//!
//! Results that come while a search runs go through [`Output`], which hands on whole records only: in
//! blocks when they are many, and within a tick of the metronome when they are rare. Results that are
//! there all at once go through [`write_whole`], which leaves no half-written file behind.

use std::fs::File;
use std::io::{self, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indicatif::ProgressBar;

use crate::cli::exit::Failure;
use crate::cli::files;
use crate::cli::guard::guarded;
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
    pending: Vec<u8>,
    failure: Option<io::Error>,
    /// A bar on the terminal that the records go to as well; it makes room for them.
    bar: Option<ProgressBar>,
}

impl Output {
    /// Opens `path`, which loses what it held; or standard output. No input is opened so ([`files`]).
    pub fn open(path: Option<&Path>) -> Result<Output, Failure> {
        let path = named(path);
        files::admit(path)?;
        match path {
            None => Ok(Output::new(STDOUT.into(), guarded(io::stdout()), stdout_file())),
            Some(path) => Output::to_file(path, File::create(path)),
        }
    }

    /// Opens `path`, or standard output, which must be a file, too, to go on after `offset` bytes. What
    /// was written later is cut off.
    pub fn reopen(path: Option<&Path>, offset: u64) -> Result<Output, Failure> {
        let output = match named(path) {
            None => Output::open(None)?,
            Some(path) => {
                files::admit(Some(path))?;
                Output::to_file(path, File::options().write(true).open(path))?
            }
        };
        let cut = {
            let state = output.lock();
            match &state.file {
                None => Err(io::Error::other(
                    "not a file, as it was when the search began; use --output FILE or >> FILE",
                )),
                Some(file) => file.metadata().and_then(|metadata| match metadata.len() {
                    length if length < offset => Err(io::Error::other(format!(
                        "has {}, fewer than the {offset} that were written before the \
                         checkpoint (`>` empties a file, `>>` does not)",
                        counted(length, "byte")
                    ))),
                    _ => file
                        .set_len(offset)
                        .and_then(|()| (&*file).seek(SeekFrom::End(0)).map(drop)),
                }),
            }
            .map_err(|error| Failure::Io { name: state.name.clone(), error })
        };
        cut.map(|()| output)
    }

    /// For results that [`write_whole`] will write: there are no records.
    pub fn nowhere() -> Output {
        Output::new(STDOUT.into(), Box::new(io::sink()), None)
    }

    fn to_file(path: &Path, file: io::Result<File>) -> Result<Output, Failure> {
        let name = path.display().to_string();
        let file = file.map_err(|error| unplaced(path, error));
        let copied = file.and_then(|file| Ok((file.try_clone()?, file)));
        match copied {
            Ok((copy, file)) => {
                let copy = copy.metadata().is_ok_and(|data| data.is_file()).then_some(copy);
                Ok(Output::new(name, guarded(file), copy))
            }
            Err(error) => Err(Failure::Io { name, error }),
        }
    }

    fn new(name: String, target: Box<dyn Write + Send>, file: Option<File>) -> Output {
        let (pending, failure, bar) = (Vec::new(), None, None);
        Output { state: Arc::new(Mutex::new(State { name, target, file, pending, failure, bar })) }
    }

    /// Hands on what is pending and, if the target is a file, forces it to the disk; answers with
    /// the length of that file.
    pub fn secure(&self) -> Result<Option<u64>, ()> {
        let mut state = self.lock();
        state.flush()?;
        let Some(file) = &state.file else { return Ok(None) };
        match file.sync_data().and_then(|()| file.metadata()) {
            Ok(metadata) => Ok(Some(metadata.len())),
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
        let _ = state.flush();
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
            let State { target, pending, bar, .. } = self;
            let mut write = || target.write_all(pending).and_then(|()| target.flush());
            let written = match bar {
                Some(bar) => bar.suspend(write),
                None => write(),
            };
            self.failure = written.err();
        }
        self.pending.clear();
        self.healthy()
    }
}

/// Finds out whether [`write_whole`] can write to `path`, as far as that can be known before.
pub fn probe(path: Option<&Path>) -> Result<(), Failure> {
    let path = named(path);
    files::admit(path)?;
    match path {
        Some(path) if !path.exists() || path.is_file() => {
            let made = make_beside(&path.canonicalize().unwrap_or_else(|_| path.to_owned()));
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
