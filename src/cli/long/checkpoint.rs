//! The state of a search as a file.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::cli::checksum::hex;
use crate::cli::exit::Failure;
use crate::cli::long::json::{IntervalResult, MOST, SearchIdentity, Span, sum};
use crate::cli::long::sealed;
use crate::cli::message::Messages;
use crate::cli::{lock, output};
use crate::problem::{Bound, Problem};
use crate::search::parallel::{Bodies, IntervalRecord, Position};
use crate::search::stats::Stats;
use crate::wording::reason;

/// What is added to the name of a checkpoint that is put aside.
const OLD: &str = ".old";

/// The kind of file.
const KIND: &str = "checkpoint";

/// What a search is: two runs with the same identity print the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The checksum of the problem, comments aside.
    pub problem: String,
    /// The flags that matter, with their values.
    pub flags: Vec<(&'static str, String)>,
}

impl Identity {
    /// As files have it.
    pub fn search(&self) -> SearchIdentity {
        let flags = self.flags.iter().map(|(name, value)| ((*name).into(), value.clone()));
        SearchIdentity { flags: flags.collect(), problem: self.problem.clone() }
    }

    /// With these flags alone.
    pub fn with(&self, flags: &[&str]) -> Identity {
        let flags = self.flags.iter().filter(|(name, _)| flags.contains(name)).cloned().collect();
        Identity { problem: self.problem.clone(), flags }
    }

    /// Why a file with this identity is not of this search.
    pub fn mismatch(&self, file: &SearchIdentity) -> Option<String> {
        let before = |name: &str| file.flag(name).unwrap_or("missing");
        let differs = |(name, value): &&(&'static str, String)| before(name) != value;
        if let Some((name, value)) = self.flags.iter().find(differs) {
            return Some(format!(
                "of a search {}; this one is {}",
                flag(name, before(name)),
                flag(name, value)
            ));
        }
        (file.problem != self.problem).then(|| "of another problem".into())
    }
}

/// How a search has a flag, in words.
fn flag(name: &str, value: &str) -> String {
    match value {
        "true" => format!("with {name}"),
        "false" | "none" | "missing" => format!("without {name}"),
        _ => format!("with {name} {value}"),
    }
}

/// The checksum of a problem: items, options and colors by name, in order; bounds and costs if it has any.
pub fn fingerprint(problem: &Problem) -> String {
    let mut sum = Sha256::new();
    let mut word = |bytes: &[u8]| {
        sum.update((bytes.len() as u64).to_le_bytes());
        sum.update(bytes);
    };
    word(&(problem.primary() as u64).to_le_bytes());
    problem.names().for_each(|(_, name)| word(name));
    if problem.has_bounds() {
        for (item, _) in problem.names().take(problem.primary()) {
            let Bound { low, high } = problem.bound(item);
            word(&low.to_le_bytes());
            word(&high.to_le_bytes());
        }
    }
    for option in problem.option_ids() {
        word(b"");
        if problem.has_costs() {
            word(&problem.cost(option).to_le_bytes());
        }
        for entry in problem.option(option) {
            word(&(entry.item.raw() + 1).to_le_bytes());
            word(match entry.color.is_none() {
                true => b"",
                false => problem.color_name(entry.color),
            });
        }
    }
    hex(&sum.finalize())
}

/// A search that is under way.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    /// What is counted and what is left.
    pub state: Position,
    /// Solutions that were handed on.
    pub delivered: u64,
    /// The intervals that the search began with.
    pub lanes: Vec<IntervalResult>,
    /// Length of the output, if it is a file.
    pub offset: Option<u64>,
    /// Its checksum, if that is wanted.
    pub sum: Option<String>,
    /// Whether nothing is missing any more.
    pub complete: bool,
}

impl Saved {
    /// As a file has it.
    fn members(&self, identity: &Identity) -> CheckpointMembers {
        let Saved { state, delivered, lanes, offset, sum, complete } = self;
        let Position { stats, entries } = state;
        let entry = |entry: &IntervalRecord| SavedEntry {
            key: entry.key.clone(),
            lane: entry.lane,
            left: entry.left.as_ref().map(Span::new),
            waiting: entry.waiting.tails().map(Body::new).collect(),
        };
        CheckpointMembers {
            complete: *complete,
            delivered: *delivered,
            entries: entries.iter().map(entry).collect(),
            lanes: lanes.clone(),
            offset: *offset,
            search: identity.search(),
            sha256: sum.clone(),
            stats: Counters {
                cleansings: stats.cleansings,
                nodes: stats.nodes,
                profile: stats.profile.clone(),
                solutions: stats.solutions,
                updates: stats.updates,
            },
        }
    }

    /// From a file; `None` if it makes no sense.
    fn new(members: &CheckpointMembers) -> Option<Saved> {
        let entry = |entry: &SavedEntry| {
            let left = match &entry.left {
                None => None,
                Some(span) => Some(span.interval()?),
            };
            let (lane, key) = (entry.lane, entry.key.clone());
            Some(IntervalRecord { lane, key, left, waiting: bodies(&entry.waiting)? })
        };
        let Counters { cleansings, nodes, ref profile, solutions, updates } = members.stats;
        let profile = profile.clone();
        let stats = Stats { solutions, nodes, updates, cleansings, profile, ..Stats::default() };
        let entries = members.entries.iter().map(entry).collect::<Option<Vec<_>>>()?;
        let saved = Saved {
            state: Position { stats, entries },
            delivered: members.delivered,
            lanes: members.lanes.clone(),
            offset: members.offset,
            sum: members.sha256.clone(),
            complete: members.complete,
        };
        saved.is_sound().then_some(saved)
    }

    /// Whether the numbers can be those of a search that is under way.
    fn is_sound(&self) -> bool {
        let Saved { state, delivered, lanes, .. } = self;
        state.is_sound()
            && state.entries.iter().all(|entry| entry.lane < lanes.len())
            && *delivered <= MOST
            && sum(lanes, |lane| lane.solutions).is_some()
            && sum(lanes, |lane| lane.bytes).is_some()
    }
}

/// The members of a checkpoint.
#[derive(Serialize, Deserialize)]
struct CheckpointMembers {
    complete: bool,
    delivered: u64,
    entries: Vec<SavedEntry>,
    lanes: Vec<IntervalResult>,
    offset: Option<u64>,
    search: SearchIdentity,
    sha256: Option<String>,
    stats: Counters,
}

/// An [`IntervalRecord`].
#[derive(Serialize, Deserialize)]
struct SavedEntry {
    key: Vec<u32>,
    lane: usize,
    left: Option<Span>,
    waiting: Vec<Body>,
}

/// What of [`Stats`] a search by trees counts.
#[derive(Serialize, Deserialize)]
struct Counters {
    cleansings: u64,
    nodes: u64,
    profile: Vec<u64>,
    solutions: u64,
    updates: u64,
}

/// A solution that waits: its text, or how much of the text before it begins with, and the rest.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Body {
    Whole(String),
    Tail(usize, String),
}

impl Body {
    fn new((keep, tail): (usize, &[u8])) -> Body {
        match keep {
            0 => Body::Whole(latin(tail)),
            _ => Body::Tail(keep, latin(tail)),
        }
    }
}

/// All that wait.
fn bodies(waiting: &[Body]) -> Option<Bodies> {
    let mut bodies = Bodies::default();
    let mut before = 0;
    for body in waiting {
        let (keep, tail) = match body {
            Body::Whole(text) => (0, unlatin(text)?),
            Body::Tail(keep, tail) => (*keep, unlatin(tail)?),
        };
        if keep > before {
            return None;
        }
        before = keep + tail.len();
        bodies.push(|out| {
            out.extend_from_slice(&tail);
            keep
        });
    }
    Some(bodies)
}

/// Bytes as text that has a character for each.
fn latin(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

fn unlatin(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|c| u8::try_from(c).ok()).collect()
}

/// Whether there is a checkpoint to go on from. A run that was killed before it saved anything leaves an empty file.
pub fn is_there(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file() || there.len() > 0)
}

/// The place of a checkpoint, where no other run may save. Each version is locked before it gets its name.
pub struct Hold {
    place: PathBuf,
    file: Mutex<Option<File>>,
    /// Whether the file is new. It is empty until the first version is saved.
    new: bool,
    /// Whether the file system has no locks.
    pub lacks_lock: bool,
}

impl Hold {
    /// Holds `path`. A file that is not there yet is made if we may `create` it; if that cannot be, whoever saves there
    /// will say so.
    pub fn take(path: &Path, create: bool) -> Result<Hold, Failure> {
        let place = sealed::place(path);
        let new = create && place.as_ref().is_ok_and(|place| !place.exists());
        let mut options = File::options();
        let options = options.write(true).create(create).truncate(false);
        let (file, locked) = match place.as_ref().map(|place| lock::open(options, place)) {
            Ok(Ok((file, locked))) => (Some(file), locked),
            Ok(Err(error)) if error.kind() == io::ErrorKind::Other => {
                return Err(sealed::refusal(path, &error.to_string()));
            }
            Ok(Err(_)) | Err(_) => (None, true),
        };
        let place = place.unwrap_or_else(|_| path.to_owned());
        Ok(Hold { place, new: new && file.is_some(), file: Mutex::new(file), lacks_lock: !locked })
    }

    fn replace(&self, file: File) {
        // The lock on the version before ends here, when that has no name any more.
        self.file.lock().unwrap_or_else(PoisonError::into_inner).replace(file);
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        // Nothing was saved.
        if self.new && fs::metadata(&self.place).is_ok_and(|there| there.len() == 0) {
            let _ = fs::remove_file(&self.place);
        }
    }
}

/// Writes checkpoints of one search.
pub struct Checkpointer<'a> {
    path: PathBuf,
    hold: Hold,
    identity: Identity,
    messages: &'a Messages,
    /// Whether a failure was reported.
    warned: AtomicBool,
}

impl<'a> Checkpointer<'a> {
    /// Checkpoints of this search go to `path`. An unfinished one that is there already, and that
    /// is not gone on with, is put aside.
    pub fn new(
        (path, hold): (&Path, Hold),
        identity: Identity,
        fresh: bool,
        messages: &'a Messages,
    ) -> Self {
        if fresh && let Ok(CheckpointMembers { complete: false, .. }) = sealed::read(path, KIND) {
            let aside = sealed::beside(&hold.place, OLD);
            let _ = fs::remove_file(&aside);
            // It keeps its old name until the first version takes that, so that others find it locked. Some file
            // systems give a file one name only.
            if fs::hard_link(&hold.place, &aside)
                .or_else(|_| fs::rename(&hold.place, &aside))
                .is_ok()
            {
                messages.note(&format!(
                    "{}: the checkpoint of an unfinished search was there; it is {} now",
                    path.display(),
                    aside.display()
                ));
            }
        }
        let warned = AtomicBool::new(false);
        Checkpointer { path: path.to_owned(), hold, identity, messages, warned }
    }

    /// Refuses a place where no file can be: it would take a minute until somebody notices. And a file that
    /// somebody else may miss: one that is there, is not empty, and is no checkpoint. A damaged one is ours all
    /// the same.
    pub fn admit(path: &Path) -> Result<(), Failure> {
        let admitted = sealed::place(path).and_then(|place| sealed::is_other(&place, KIND));
        match admitted.map_err(|error| output::unplaced(path, error)) {
            Ok(false) => Ok(()),
            Ok(true) => {
                let what = "holds something other than a checkpoint, which would replace it";
                Err(sealed::refusal(path, what))
            }
            Err(error) => Err(Failure::Io { name: path.display().to_string(), error }),
        }
    }

    /// The files that come and go with checkpoints at `path`.
    pub fn files(path: &Path) -> [PathBuf; 3] {
        ["", sealed::NEW, OLD].map(|suffix| sealed::beside(path, suffix))
    }

    /// Replaces the checkpoint. If that fails the old one stays, and we say so once.
    pub fn keep(&self, saved: &Saved) {
        let written = sealed::write(&self.path, KIND, &saved.members(&self.identity));
        let Err(error) = written.map(|file| self.hold.replace(file)) else { return };
        if !self.warned.swap(true, Ordering::Relaxed) {
            let what = format!(
                "cannot save a checkpoint ({}); the search goes on, and the last one that was \
                 saved stays",
                reason(&error)
            );
            self.messages.warning(&self.path.display().to_string(), 0, &what);
        }
    }
}

/// A checkpoint as it was read, before anybody knows whose it is.
pub struct Checkpoint {
    path: PathBuf,
    members: CheckpointMembers,
}

impl Checkpoint {
    /// Reads it.
    pub fn read(path: &Path) -> Result<Checkpoint, Failure> {
        Ok(Checkpoint { path: path.to_owned(), members: sealed::read(path, KIND)? })
    }

    /// The value of a flag of its search.
    pub fn flag(&self, name: &str) -> Option<&str> {
        self.members.search.flag(name)
    }

    /// The identity of its search.
    pub fn search(&self) -> &SearchIdentity {
        &self.members.search
    }

    /// The search, if it is this one.
    pub fn open(&self, identity: &Identity) -> Result<Saved, Failure> {
        if let Some(why) = identity.mismatch(&self.members.search) {
            return Err(self.refusal(&format!("a checkpoint {why}")));
        }
        Saved::new(&self.members).ok_or_else(|| self.refusal("a checkpoint without sense"))
    }

    /// Why it cannot be used.
    pub fn refusal(&self, what: &str) -> Failure {
        sealed::refusal(&self.path, what)
    }
}
