//! Files that are whole or not there: a line with a checksum, then JSON.
//!
//! ```text
//! quadrille checkpoint 1 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
//! {"complete":false, ...
//! ```
//!
//! A plan is JSON as a whole, for other programs read it: its checksum is its first member, of all that follows.
//!
//! A new version is written beside the old one, forced to the disk, and takes its name; then the
//! folder is forced to the disk, too. So whenever the power fails, the file is the old one or the new
//! one; and if the disk is full, it is the old one.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::cli::checksum::checksum;
use crate::cli::exit::Failure;
use crate::cli::{files, lock};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

/// The version of all these files.
const VERSION: &str = "1";

/// What is added to the name of a file until it is whole.
pub const NEW: &str = ".new";

/// What the text of a plan begins with.
const FIRST: &str = "{\"sha256\":\"";

/// The only line of text of a value.
fn line(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}

/// Replaces the file by one of this kind, which is locked as long as it is open.
pub fn write(path: &Path, kind: &str, value: &impl Serialize) -> io::Result<File> {
    let path = &place(path)?;
    let text = line(value)?;
    let head = format!("quadrille {kind} {VERSION} {}\n", checksum(text.as_bytes()));
    let new = beside(path, NEW);
    let written = File::create(&new).and_then(|mut file| {
        file.write_all(head.as_bytes())?;
        file.write_all(text.as_bytes())?;
        // Whoever finds it under its name finds it locked.
        lock::own(&file)?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        Ok(file)
    });
    match written {
        Ok(file) => sync_folder(path).map(|()| file),
        Err(error) => {
            // Half a file is of no use, and takes room on a full disk.
            let _ = fs::remove_file(&new);
            Err(error)
        }
    }
}

/// Where a file at `path` comes to be: a device or a folder is not replaced, nor a link; what it leads to is.
pub fn place(path: &Path) -> io::Result<PathBuf> {
    if path.is_symlink() && !path.exists() {
        return Err(io::Error::other("a link that leads to no file"));
    }
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_folder = path.to_string_lossy().ends_with(std::path::is_separator);
    if is_folder || fs::metadata(&path).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::other("not a regular file"));
    }
    // That need not be there, but its name must be one.
    match fs::symlink_metadata(beside(&path, NEW)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    match fs::metadata(files::folder(&path))?.is_dir() {
        true => Ok(path),
        false => Err(io::ErrorKind::NotADirectory.into()),
    }
}

/// The path with something added to its name.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Forces the names in the folder of `path` to the disk, where that can be done.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        // Some file systems cannot, and are none the worse for it.
        match File::open(files::folder(path))?.sync_all() {
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
            synced => synced?,
        }
    }
    Ok(())
}

/// The text of a value, which has members, with its checksum as the first of them.
pub fn with_checksum(value: &impl Serialize) -> io::Result<String> {
    let text = line(value)?;
    let rest = format!("\",{}", text.strip_prefix('{').expect("a value with members"));
    Ok(format!("{FIRST}{}{rest}", checksum(rest.as_bytes())))
}

/// Whether what [`with_checksum`] made is unchanged.
pub fn is_unchanged(text: &[u8]) -> bool {
    let sum = text.strip_prefix(FIRST.as_bytes()).and_then(|text| text.split_at_checked(64));
    sum.is_some_and(|(sum, rest)| checksum(rest).as_bytes() == sum)
}

/// Reads a file of this kind.
pub fn read<T: DeserializeOwned>(path: &Path, kind: &str) -> Result<T, Failure> {
    open(&read_bytes(path)?, kind).map_err(|what| refusal(path, &what))
}

/// Reads JSON of this kind.
pub fn value<T: DeserializeOwned>(text: &[u8], kind: &str) -> Result<T, String> {
    serde_json::from_slice(text).map_err(|error| match error.classify() {
        Category::Data => format!("a {kind} without sense"),
        _ => format!("a damaged {kind}: {error}"),
    })
}

/// Reads all of a file. Nobody knows whether a pipe will ever end.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(refusal(path, "not a regular file"));
    }
    let failure = |error| Failure::Io { name: path.display().to_string(), error };
    fs::read(path).map_err(failure)
}

/// Whether there is a regular file at `path` that begins as no file of this kind does.
pub fn is_other(path: &Path, kind: &str) -> io::Result<bool> {
    if !fs::metadata(path).is_ok_and(|there| there.is_file()) {
        return Ok(false);
    }
    let head = format!("quadrille {kind} ");
    let mut begin = Vec::new();
    File::open(path)?.take(head.len() as u64).read_to_end(&mut begin)?;
    Ok(!begin.is_empty() && begin != head.as_bytes())
}

/// What is wrong with a file as a whole.
pub fn refusal(path: &Path, what: &str) -> Failure {
    Failure::Io { name: path.display().to_string(), error: io::Error::other(what.to_owned()) }
}

fn open<T: DeserializeOwned>(bytes: &[u8], kind: &str) -> Result<T, String> {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let text = bytes.get(line.len() + 1..).unwrap_or_default();
    let words: Vec<&str> = str::from_utf8(line).unwrap_or_default().split(' ').collect();
    match words[..] {
        ["quadrille", found, version, sum] if found == kind => {
            if version != VERSION {
                return Err(format!(
                    "a {kind} of version {version}; this program reads version {VERSION}"
                ));
            }
            if checksum(text) != sum {
                return Err(format!("a damaged {kind}: its checksum is wrong"));
            }
            value(text, kind)
        }
        ["quadrille", found, ..] => Err(format!("a {found}, not a {kind}")),
        _ => Err(format!("no {kind} of quadrille, or a damaged one")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn what_is_damaged_or_foreign_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let value = serde_json::json!({"a": [1, 2, 3]});
        write(&path, "checkpoint", &value).unwrap();
        assert_eq!(read::<Value>(&path, "checkpoint").unwrap(), value);
        let error = read::<Value>(&path, "part").unwrap_err();
        assert!(error.to_string().contains("a checkpoint, not a part"));
        let bytes = fs::read(&path).unwrap();
        for length in 0..bytes.len() {
            assert!(open::<Value>(&bytes[..length], "checkpoint").is_err(), "{length} bytes");
        }
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(open::<Value>(&bytes, "checkpoint").is_err(), "bit {bit}");
        }
    }
}
