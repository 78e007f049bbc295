//! `quadrille solve --proof`: the files of a proof. They appear together, or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::cli::exit::Failure;
use crate::cli::message::Messages;
use crate::cli::output;
use crate::cli::session::Answer;
use crate::cli::{files, lock};
use crate::ids::OptionId;
use crate::problem::Problem;
use crate::proof::header::Header;
use crate::search::learn::direct_encoding::Direct;
use crate::search::learn::proof_tracer::ProofTracer;
use crate::solutions::proof::{ProofWriter, clauses};

/// The files of a proof, in the order in which they are checked.
pub const FILES: [&str; 3] = ["proof.cnf", "lemmas.txt", "proof.drat"];

/// The numbers of the variables that a proof about `problem`, read from `name`, speaks of.
pub fn direct<'p>(name: &str, line: u64, problem: &'p Problem) -> Result<Direct<'p>, Failure> {
    Direct::new(problem).ok_or_else(|| {
        let what = "too large for a proof: it would have more than 2^31 variables".into();
        Failure::Refused { name: name.to_owned(), line, what }
    })
}

/// Refuses a folder in which no proof can be put: a file does not replace a folder.
fn free(target: &Path) -> Result<(), Failure> {
    let is_folder = |path: &PathBuf| path.symlink_metadata().is_ok_and(|there| there.is_dir());
    match FILES.map(|file| target.join(file)).into_iter().find(is_folder) {
        None => Ok(()),
        Some(path) => {
            let error = io::Error::from(io::ErrorKind::IsADirectory);
            Err(Failure::Io { name: path.display().to_string(), error })
        }
    }
}

/// A proof that is being written, in a folder of its own until it is complete.
pub struct ProofFolder<'p> {
    direct: &'p Direct<'p>,
    header: Header,
    target: PathBuf,
    folder: TempDir,
    transcript: ProofWriter<'p, File, File>,
    /// The lock on the target, if that is a folder that is there already.
    _lock: Option<File>,
}

impl<'p> ProofFolder<'p> {
    /// Begins a proof about `problem` that is to be in the folder `target`.
    pub fn open(
        target: &Path,
        problem: &'p Problem,
        direct: &'p Direct<'p>,
        header: Header,
    ) -> Result<Self, Failure> {
        files::claim(&FILES.map(|file| target.join(file)), "a file of the proof")?;
        let name = target.display().to_string();
        let failure = |error: io::Error| Failure::Io { name: name.clone(), error };
        let inside = match target {
            _ if target.is_dir() => {
                free(target)?;
                target
            }
            _ if target.exists() => {
                return Err(failure(io::Error::from(io::ErrorKind::NotADirectory)));
            }
            _ if target.is_symlink() => {
                let what = "a link to a folder that does not exist";
                return Err(failure(io::Error::new(io::ErrorKind::NotFound, what)));
            }
            _ => files::folder(target),
        };
        let lock = lock::existing(target).map_err(failure)?;
        let folder = tempfile::Builder::new().prefix(".quadrille-").tempdir_in(inside);
        // The name of the temporary folder would only confuse.
        let folder = folder
            .map_err(|error| failure(output::unplaced(target, io::Error::from(error.kind()))))?;
        output::begin(folder.path());
        let create = |name: &str| File::create(folder.path().join(name)).map_err(failure);
        let transcript =
            ProofWriter::new(problem, direct, &header, create(FILES[1])?, create(FILES[2])?);
        let target = target.to_owned();
        Ok(ProofFolder { direct, header, target, folder, transcript, _lock: lock })
    }

    /// Where the search writes.
    pub fn tracer(&mut self) -> &mut dyn ProofTracer {
        &mut self.transcript
    }

    /// Ends the proof after a search that found no more than `cover`, or says why there is none.
    pub fn end(
        self,
        answer: &Answer,
        cover: Option<&[OptionId]>,
        messages: &Messages,
    ) -> Result<(), Failure> {
        let name = self.target.display().to_string();
        let why = match answer.stats.solutions {
            2.. => "there is more than one solution",
            _ if !answer.complete() => "the search was stopped",
            _ if !answer.exhausted => "nobody looked for another solution (--unique does)",
            _ if self.transcript.is_unfounded() => "a rule gave no reason; this is a bug",
            _ => {
                let written = self.publish(cover);
                output::end();
                written.map_err(|error| Failure::Io { name: name.clone(), error })?;
                messages.note(&format!("proof: {name}"));
                return Ok(());
            }
        };
        drop(self);
        output::end();
        messages.say(&format!("no proof is written to {name}: {why}"));
        Ok(())
    }

    fn publish(self, cover: Option<&[OptionId]>) -> io::Result<()> {
        let ProofFolder { direct, header, target, folder, transcript, _lock } = self;
        let numerals = transcript.end()?;
        let file = File::create(folder.path().join(FILES[0]))?;
        clauses(&header, direct, cover, numerals, &file)?;
        if target.exists() {
            return FILES
                .iter()
                .try_for_each(|name| fs::rename(folder.path().join(name), target.join(name)));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // A temporary folder is private; a result may be read by whoever may read its files.
            let mode = file.metadata()?.permissions().mode();
            let mode = mode | (mode & 0o444) >> 2 | 0o700;
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode))?;
        }
        let folder = folder.keep();
        fs::rename(&folder, target).inspect_err(|_| {
            // What is left is of no use; the error says what matters.
            let _ = fs::remove_dir_all(&folder);
        })
    }
}
