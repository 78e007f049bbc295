//! Locks on files that are written: two runs that wrote one file would tear it.
//!
//! A lock is the system's, on the file itself. It ends with the process, however that ends, and there is no
//! second file that could be left over. Pipes and devices have none: many may write there.

#[cfg(unix)]
use std::fs::TryLockError;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// How often a file may be replaced while we try to lock it.
const PATIENCE: usize = 100;

/// Opens a file that nobody else writes, and locks it. An error tells who writes it, if somebody does. Answers also whether
/// there is a lock: some file systems have none.
pub fn open(options: &OpenOptions, path: &Path) -> io::Result<(File, bool)> {
    for _ in 0..PATIENCE {
        let file = options.open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() || !lock(&file, &metadata)? {
            return Ok((file, false));
        }
        // Between the opening and the lock another run may have put a new file in its place.
        if leads_to(path, &metadata) {
            return Ok((file, true));
        }
    }
    Err(io::Error::other("is replaced again and again"))
}

/// Locks the file at `path` that is about to be replaced, or the folder, if there is one and we may open it.
pub fn existing(path: &Path) -> io::Result<Option<File>> {
    let is_folder = path.is_dir();
    if !is_folder && !path.is_file() {
        return Ok(None);
    }
    // Over a network a file has to be open for writing; a folder cannot be.
    let Ok(file) = File::options().read(is_folder).write(!is_folder).open(path) else {
        return Ok(None);
    };
    let metadata = file.metadata()?;
    lock(&file, &metadata).map(|locked| locked.then_some(file))
}

/// Locks a file that has no name yet that others know.
pub fn own(file: &File) -> io::Result<bool> {
    lock(file, &file.metadata()?)
}

/// Whether `path` leads to this file.
#[cfg(unix)]
pub fn leads_to(path: &Path, file: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |there: Metadata| (there.dev(), there.ino()) == (file.dev(), file.ino());
    std::fs::metadata(path).is_ok_and(same)
}

/// Elsewhere files have no numbers.
#[cfg(not(unix))]
pub fn leads_to(path: &Path, _: &Metadata) -> bool {
    path.exists()
}

/// Locks a file until it is closed. False if the file system cannot do that.
#[cfg(unix)]
fn lock(file: &File, metadata: &Metadata) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::Error(_)) => Ok(false),
        Err(TryLockError::WouldBlock) => {
            let by = match holder(metadata) {
                Some(process) => format!("process {process}"),
                None => "another process, perhaps on another machine".to_owned(),
            };
            Err(io::Error::other(format!("is being written by {by}")))
        }
    }
}

/// Elsewhere a lock keeps readers out, too.
#[cfg(not(unix))]
fn lock(_: &File, _: &Metadata) -> io::Result<bool> {
    Ok(false)
}

/// The process that has locked a file. To ask the system needs unsafe code; Linux says it in a file, elsewhere we do
/// not know.
#[cfg(unix)]
fn holder(file: &Metadata) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    // As glibc packs them (gnu_dev_major, gnu_dev_minor).
    let device = file.dev();
    let major = (device >> 8 & 0xfff) | (device >> 32 & !0xfff);
    let minor = (device & 0xff) | (device >> 12 & !0xff);
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    find(&locks, &format!("{major:02x}:{minor:02x}"), &file.ino().to_string())
}

/// The process in a line such as `1: FLOCK  ADVISORY  WRITE 1851 fe:00:1001 0 EOF` for this device and file. Some file systems
/// have another device there than files have; then the number of the file must do, if it is there once. Those who
/// wait for a lock have an arrow.
#[cfg(unix)]
fn find(locks: &str, device: &str, number: &str) -> Option<u32> {
    let mut found = Vec::new();
    for line in locks.lines() {
        let [_, _, _, "WRITE", process, place, ..] =
            line.split_ascii_whitespace().collect::<Vec<_>>()[..]
        else {
            continue;
        };
        let (Some((its, inode)), Ok(process)) = (place.rsplit_once(':'), process.parse()) else {
            continue;
        };
        if inode == number && process > 0 {
            found.push((its == device, process));
        }
    }
    let exact = found.iter().find(|(exact, _)| *exact);
    exact.or(found.first().filter(|_| found.len() == 1)).map(|&(_, process)| process)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_holder_of_a_lock_is_found() {
        let locks = "1: FLOCK  ADVISORY  WRITE 18 fe:00:1001 0 EOF\n\
                     1: -> FLOCK  ADVISORY  WRITE 19 fe:00:1001 0 EOF\n\
                     2: POSIX  ADVISORY  READ 20 fe:00:1002 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 21 00:1f:1001 0 EOF\n\
                     4: OFDLCK ADVISORY  WRITE -1 00:1f:1003 0 EOF\n\
                     5: FLOCK  ADVISORY  WRITE 22 00:1f:1004 0 EOF\n";
        let of = |device, number| find(locks, device, number);
        assert_eq!((of("fe:00", "1001"), of("00:1f", "1001")), (Some(18), Some(21)));
        assert_eq!((of("00:20", "1001"), of("00:20", "1004")), (None, Some(22)));
        assert_eq!((of("fe:00", "1002"), of("00:1f", "1003"), of("", "")), (None, None, None));
    }

    #[test]
    fn a_file_is_locked_once_and_free_when_it_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut options = File::options();
        options.write(true).create(true).truncate(false);
        let (file, locked) = open(&options, &path).unwrap();
        assert!(locked && leads_to(&path, &file.metadata().unwrap()));
        let error = open(&options, &path).unwrap_err().to_string();
        assert!(error.starts_with("is being written by "), "{error}");
        assert!(existing(&path).is_err());
        std::fs::rename(&path, folder.path().join("other")).unwrap();
        assert!(existing(&path).unwrap().is_none());
        assert!(open(&options, &path).unwrap().1);
        drop(file);
        assert!(existing(&folder.path().join("other")).unwrap().is_some());
        assert!(existing(folder.path()).unwrap().is_some());
    }
}
