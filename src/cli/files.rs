//! Which files a run reads and writes: none is both, whatever it is called. A result that replaced one of
//! the inputs would lose it; one that is appended to an input that is still being read would never end.
//!
//! Files are told apart by what the system knows them by, so links do not matter. Pipes and devices may
//! well be both.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::cli::exit::Failure;
use crate::cli::output::STDOUT;

/// What is said of an input.
const INPUT: &str = "an input";

/// What a file is known by.
#[derive(Clone, Debug, PartialEq, Eq)]
enum FileId {
    /// Its device, and its number there.
    #[cfg(unix)]
    Node(u64, u64),
    /// Its folder and its name, if it does not exist yet, or where the system has no numbers.
    Place(PathBuf),
}

/// Files that no output may be, each with what it is.
static TAKEN: Mutex<Vec<(FileId, &str)>> = Mutex::new(Vec::new());

fn taken() -> MutexGuard<'static, Vec<(FileId, &'static str)>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take(identity: Option<FileId>, what: &'static str) {
    let mut taken = taken();
    if let Some(identity) = identity.filter(|one| taken.iter().all(|(other, _)| one != other)) {
        taken.push((identity, what));
    }
}

/// From here on `path` is an input, or standard input for `None`.
pub fn reads(path: Option<&Path>) {
    take(path.map_or_else(|| of_stream(io::stdin()), of_path), INPUT);
}

/// Refuses `path`, or standard output for `None`, as an output if it is something else, too.
pub fn admit(path: Option<&Path>) -> Result<(), Failure> {
    let identity = path.map_or_else(|| of_stream(io::stdout()), of_path);
    match taken().iter().find(|(other, _)| Some(other) == identity.as_ref()) {
        None => Ok(()),
        Some((_, what)) => Err(Failure::Unwritable {
            name: path.map_or(STDOUT.into(), |path| path.display().to_string()),
            what: format!("output is also {what}"),
        }),
    }
}

/// Refuses these as [`admit`] does; from here on they are `what`, and no output may be one of them.
pub fn claim(paths: &[PathBuf], what: &'static str) -> Result<(), Failure> {
    paths.iter().try_for_each(|path| admit(Some(path)))?;
    paths.iter().for_each(|path| take(of_path(path), what));
    Ok(())
}

/// The folder that `path` is in.
pub fn folder(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// `None` for what is no file, and for what is not there and cannot be.
fn of_path(path: &Path) -> Option<FileId> {
    match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => None,
        #[cfg(unix)]
        Ok(metadata) => Some(of_metadata(&metadata)),
        #[cfg(not(unix))]
        Ok(_) => path.canonicalize().ok().map(FileId::Place),
        Err(_) => {
            let folder = folder(path).canonicalize().ok()?;
            Some(FileId::Place(folder.join(path.file_name()?)))
        }
    }
}

#[cfg(unix)]
fn of_metadata(metadata: &std::fs::Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    FileId::Node(metadata.dev(), metadata.ino())
}

#[cfg(unix)]
fn of_stream(stream: impl std::os::fd::AsFd) -> Option<FileId> {
    let file = std::fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
    let metadata = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    Some(of_metadata(&metadata))
}

/// Elsewhere we cannot tell.
#[cfg(not(unix))]
fn of_stream<S>(_: S) -> Option<FileId> {
    None
}
