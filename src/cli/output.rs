//! Where results go: standard output, or a file.
//!
//! Results that come while a search runs go through [`Output`], which hands on whole records only: in
//! blocks when they are many, and within a tick of the metronome when they are rare. Results that are
//! there all at once go through [`write_whole`], which leaves no half-written file behind.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indicatif::ProgressBar;

use crate::cli::exit::Failure;

/// Bytes that make a block.
const BLOCK: usize = 1 << 16;

/// A stream of records. Copies share it.
#[derive(Clone)]
pub struct Output {
    state: Arc<Mutex<State>>,
}

struct State {
    name: String,
    target: Box<dyn Write + Send>,
    pending: Vec<u8>,
    failure: Option<io::Error>,
    /// A bar on the terminal that the records go to as well; it makes room for them.
    bar: Option<ProgressBar>,
}

impl Output {
    /// Opens `path`, which loses what it held; or standard output.
    pub fn open(path: Option<&Path>) -> Result<Output, Failure> {
        let (name, target): (_, Box<dyn Write + Send>) = match path {
            None => ("<stdout>".into(), Box::new(io::stdout())),
            Some(path) => {
                let name = path.display().to_string();
                match File::create(path) {
                    Ok(file) => (name, Box::new(file)),
                    Err(error) => return Err(Failure::Io { name, error }),
                }
            }
        };
        let state = State { name, target, pending: Vec::new(), failure: None, bar: None };
        Ok(Output { state: Arc::new(Mutex::new(state)) })
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

    /// Adds one record, which `write` appends to the bytes it is given.
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

/// Writes a result that is there all at once: to standard output, or to a file that appears whole or
/// not at all.
pub fn write_whole(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let Some(path) = path else {
        let mut stdout = io::BufWriter::with_capacity(BLOCK, io::stdout().lock());
        let written = write(&mut stdout).and_then(|()| stdout.flush());
        return written.map_err(|error| Failure::write("<stdout>", error));
    };
    let name = path.display().to_string();
    let written = if path.exists() && !path.is_file() {
        // A device or a pipe cannot be replaced by a new file.
        File::create(path).and_then(|file| {
            let mut file = io::BufWriter::with_capacity(BLOCK, file);
            write(&mut file).and_then(|()| file.flush())
        })
    } else {
        replace(path, write)
    };
    written.map_err(|error| Failure::write(&name, error))
}

fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A link is followed, so that the file it points to gets the result.
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".quadrille-");
    // A temporary file is private; a result has the rights that a new file has.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    // The name of the temporary file would only confuse.
    let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
    begin(file.path());
    let mut buffer = io::BufWriter::with_capacity(BLOCK, file);
    write(&mut buffer)?;
    let file = buffer.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Ok(old) = std::fs::metadata(path) {
        std::fs::set_permissions(file.path(), old.permissions())?;
    }
    file.persist(path)?;
    end();
    Ok(())
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
