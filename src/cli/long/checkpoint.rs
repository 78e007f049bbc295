//! The state of a search as a file.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::branch::RULES;
use crate::cli::checksum::hex;
use crate::cli::exit::Failure;
use crate::cli::long::sealed;
use crate::cli::message::Messages;
use crate::cli::{lock, output};
use crate::constraint::registry;
use crate::ids::{ItemId, OptionId};
use crate::problem::{Bound, Problem};
use crate::search::interval::{Bounds, Interval};
use crate::search::parallel::{Bodies, Entry, State};
use crate::search::stats::Stats;
use crate::solution::Choice;
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
    /// As JSON.
    pub fn to_json(&self) -> Value {
        let flags: serde_json::Map<String, Value> =
            self.flags.iter().map(|(name, value)| ((*name).into(), json!(value))).collect();
        json!({"problem": self.problem, "flags": flags})
    }

    /// With these flags alone.
    pub fn with(&self, flags: &[&str]) -> Identity {
        let flags = self.flags.iter().filter(|(name, _)| flags.contains(name)).cloned().collect();
        Identity { problem: self.problem.clone(), flags }
    }

    /// Why a file with this identity is not of this search.
    pub fn mismatch(&self, file: &Value) -> Option<String> {
        // In files that were written before there was --branch, or some constraint, it is missing.
        let default =
            |name: &str| (name == "--branch").then_some(RULES[0].name).or(registry::absent(name));
        let before =
            |name: &str| file["flags"][name].as_str().or(default(name)).unwrap_or("missing");
        let differs = |(name, value): &&(&'static str, String)| before(name) != value;
        if let Some((name, value)) = self.flags.iter().find(differs) {
            return Some(format!(
                "of a search {}; this one is {}",
                flag(name, before(name)),
                flag(name, value)
            ));
        }
        (file["problem"] != json!(self.problem)).then(|| "of another problem".into())
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
    pub state: State,
    /// Solutions that were handed on.
    pub delivered: u64,
    /// The intervals that the search began with.
    pub lanes: Vec<Lane>,
    /// Length of the output, if it is a file.
    pub offset: Option<u64>,
    /// Its checksum, if that is wanted.
    pub sum: Option<String>,
    /// Whether nothing is missing any more.
    pub complete: bool,
}

/// What an interval that the search began with has come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// Where it begins.
    pub key: Vec<u32>,
    /// Solutions that were handed on.
    pub solutions: u64,
    /// The bytes that they took.
    pub bytes: u64,
}

impl Lane {
    /// As JSON.
    pub fn to_json(&self) -> Value {
        json!({"key": self.key, "solutions": self.solutions, "bytes": self.bytes})
    }

    /// From JSON.
    pub fn from_json(value: &Value) -> Option<Lane> {
        let number = |name: &str| value[name].as_u64();
        let (solutions, bytes) = (number("solutions")?, number("bytes")?);
        Some(Lane { key: numbers(&value["key"])?, solutions, bytes })
    }
}

/// No search has more solutions than this, or bytes of them, so that sums of a few numbers are numbers, too.
pub const MOST: u64 = u64::MAX / 8;

/// The sum of something over all lanes, unless no search has as much.
pub fn sum(lanes: &[Lane], member: fn(&Lane) -> u64) -> Option<u64> {
    let sum = lanes.iter().try_fold(0u64, |sum, lane| sum.checked_add(member(lane)));
    sum.filter(|&sum| sum <= MOST)
}

/// All of a list of lanes.
pub fn lanes_from_json(value: &Value) -> Option<Vec<Lane>> {
    value.as_array()?.iter().map(Lane::from_json).collect()
}

impl Saved {
    fn to_json(&self, identity: &Identity) -> Value {
        let Saved { state, delivered, lanes, offset, sum, complete } = self;
        let State { stats, entries } = state;
        let Stats { solutions, nodes, updates, cleansings, profile, .. } = stats;
        let entries: Vec<Value> = entries
            .iter()
            .map(|entry| {
                json!({
                    "lane": entry.lane,
                    "key": entry.key,
                    "left": entry.left.as_ref().map(interval_to_json),
                    "waiting": entry.waiting.tails().map(body_to_json).collect::<Vec<_>>(),
                })
            })
            .collect();
        json!({
            "search": identity.to_json(),
            "complete": complete,
            "delivered": delivered,
            "lanes": lanes.iter().map(Lane::to_json).collect::<Vec<_>>(),
            "offset": offset,
            "sha256": sum,
            "stats": {"solutions": solutions, "nodes": nodes, "updates": updates,
                      "cleansings": cleansings, "profile": profile},
            "entries": entries,
        })
    }

    fn from_json(value: &Value) -> Option<Saved> {
        let entry = |entry: &Value| {
            let waiting = bodies_from_json(&entry["waiting"])?;
            let left = match &entry["left"] {
                Value::Null => None,
                interval => Some(interval_from_json(interval)?),
            };
            let lane = usize::try_from(entry["lane"].as_u64()?).ok()?;
            Some(Entry { lane, key: numbers(&entry["key"])?, left, waiting })
        };
        let stats = &value["stats"];
        let stats = Stats {
            solutions: stats["solutions"].as_u64()?,
            nodes: stats["nodes"].as_u64()?,
            updates: stats["updates"].as_u64()?,
            cleansings: stats["cleansings"].as_u64()?,
            profile: stats["profile"]
                .as_array()?
                .iter()
                .map(Value::as_u64)
                .collect::<Option<_>>()?,
            ..Stats::default()
        };
        let entries = value["entries"].as_array()?.iter().map(entry).collect::<Option<Vec<_>>>()?;
        let saved = Saved {
            state: State { stats, entries },
            delivered: value["delivered"].as_u64()?,
            lanes: lanes_from_json(&value["lanes"])?,
            offset: value["offset"].as_u64(),
            sum: value["sha256"].as_str().map(str::to_owned),
            complete: value["complete"].as_bool()?,
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

/// An interval as JSON: a choice is `[item, option, k, n]`, items and options counted from 1,
/// the option 0 if it took none.
pub fn interval_to_json(interval: &Interval) -> Value {
    let Interval { path, after, bounds } = interval;
    let choice = |choice: &Choice| {
        let Choice { option, item, rank, degree } = choice;
        json!([item.index() + 1, option.map_or(0, |option| option.index() + 1), rank, degree])
    };
    let path: Vec<Value> = path.iter().map(choice).collect();
    json!({"path": path, "after": after, "floor": bounds.floor, "to": bounds.to})
}

/// The interval, if it is one.
pub fn interval_from_json(value: &Value) -> Option<Interval> {
    let choice = |value: &Value| {
        let [item, option, rank, degree] = numbers(value)?[..] else { return None };
        let item = ItemId::new(item.checked_sub(1)?);
        let option = option.checked_sub(1).map(OptionId::new);
        Some(Choice { option, item, rank, degree })
    };
    let bounds = Bounds {
        floor: usize::try_from(value["floor"].as_u64()?).ok()?,
        to: u32::try_from(value["to"].as_u64()?).ok()?,
    };
    let path = value["path"].as_array()?.iter().map(choice).collect::<Option<_>>()?;
    let interval = Interval { path, after: value["after"].as_bool()?, bounds };
    interval.is_sound().then_some(interval)
}

/// A list of numbers.
pub fn numbers(value: &Value) -> Option<Vec<u32>> {
    value.as_array()?.iter().map(|n| u32::try_from(n.as_u64()?).ok()).collect()
}

/// A solution that waits: its text, or how much of the text before it begins with, and the rest.
fn body_to_json((keep, tail): (usize, &[u8])) -> Value {
    match keep {
        0 => json!(latin(tail)),
        _ => json!([keep, latin(tail)]),
    }
}

/// All that wait.
fn bodies_from_json(value: &Value) -> Option<Bodies> {
    let mut bodies = Bodies::default();
    let mut before = 0;
    for body in value.as_array()? {
        let (keep, tail) = match body.as_array() {
            None => (0, body),
            Some(body) => (usize::try_from(body.first()?.as_u64()?).ok()?, body.get(1)?),
        };
        let tail = unlatin(tail.as_str()?)?;
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
pub struct Keeper<'a> {
    path: PathBuf,
    hold: Hold,
    identity: Identity,
    messages: &'a Messages,
    /// Whether a failure was reported.
    warned: AtomicBool,
}

impl<'a> Keeper<'a> {
    /// Checkpoints of this search go to `path`. An unfinished one that is there already, and that
    /// is not gone on with, is put aside.
    pub fn new(
        (path, hold): (&Path, Hold),
        identity: Identity,
        fresh: bool,
        messages: &'a Messages,
    ) -> Self {
        if fresh
            && let Ok(old) = sealed::read(path, KIND)
            && old["complete"] != json!(true)
        {
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
        Keeper { path: path.to_owned(), hold, identity, messages, warned }
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
        let written = sealed::write(&self.path, KIND, &saved.to_json(&self.identity));
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
    value: Value,
}

impl Checkpoint {
    /// Reads it.
    pub fn read(path: &Path) -> Result<Checkpoint, Failure> {
        Ok(Checkpoint { path: path.to_owned(), value: sealed::read(path, KIND)? })
    }

    /// The value of a flag of its search.
    pub fn flag(&self, name: &str) -> Option<&str> {
        self.value["search"]["flags"][name].as_str()
    }

    /// The identity of its search.
    pub fn search(&self) -> &Value {
        &self.value["search"]
    }

    /// The search, if it is this one.
    pub fn open(&self, identity: &Identity) -> Result<Saved, Failure> {
        if let Some(why) = identity.mismatch(&self.value["search"]) {
            return Err(self.refusal(&format!("a checkpoint {why}")));
        }
        Saved::from_json(&self.value).ok_or_else(|| self.refusal("a checkpoint without sense"))
    }

    /// Why it cannot be used.
    pub fn refusal(&self, what: &str) -> Failure {
        sealed::refusal(&self.path, what)
    }
}
