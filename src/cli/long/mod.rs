//! Long searches: several threads, checkpoints, and parts of a search.
//!
//! | file | what |
//! |---|---|
//! | `threads` | a search by threads |
//! | `printer` | numbers and prints what threads find, and has their state saved |
//! | `checkpoint` | that state as a file |
//! | `parts` | one part of a search |
//! | `split` | a plan of all parts |
//! | `merge` | their sum |
//! | `sealed` | files that are whole or not there |
//! | `json` | what these have in common |

mod checkpoint;
mod json;
pub mod merge;
mod parts;
mod printer;
mod sealed;
pub mod split;
mod threads;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cli::args::{SearchArgs, Solve};
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::long::checkpoint::{
    Checkpoint, Checkpointer, Hold, Identity, Saved, fingerprint, is_there,
};
use crate::cli::long::json::IntervalResult;
use crate::cli::long::parts::{DONE, Done, PartPlan};
use crate::cli::long::threads::{Misfit, conduct};
use crate::cli::message::Messages;
use crate::cli::output::{Output, named};
use crate::cli::session::Session;
use crate::cli::solve::{asker, verdict, write_end};
use crate::cli::{files, signals};
use crate::constraint::{Method, registry};
use crate::ids::OptionId;
use crate::query::{EngineName, Query};
use crate::search::interval::Interval;
use crate::search::parallel::Position;
use crate::search::portfolio;
use crate::solutions::format::SolutionSource;

/// A search to be made by threads.
pub struct Job<'a> {
    /// The command line.
    pub flags: &'a Solve,
    /// What is asked.
    pub query: &'a Query<'a>,
    /// The options of a shuffled problem as they are numbered in the file.
    pub original: Option<&'a [OptionId]>,
    /// How.
    pub way: Way,
}

/// How the threads search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By links.
    Links,
    /// By bits.
    Bits,
    /// By the one or the other, in turns with a memo.
    Count {
        /// Whether that is bits.
        bits: bool,
    },
}

impl Way {
    fn plain(bits: bool) -> Self {
        if bits { Way::Bits } else { Way::Links }
    }

    fn is_bits(self) -> bool {
        matches!(self, Way::Bits | Way::Count { bits: true })
    }
}

/// How threads make the search that the flags ask for; `None` if another engine has to, or one thread will do.
pub fn engine(
    flags: &Solve,
    query: &Query<'_>,
    messages: &Messages,
) -> Result<Option<Way>, Failure> {
    let SearchArgs { engine, no_prune, .. } = flags.search;
    let (problem, enough) = (query.problem(), query.enough());
    let bounded = problem.has_bounds();
    let long = &flags.long;
    let saved = long.checkpoint.is_some() || long.resume.is_some() || long.part.is_some();
    let plain = query.constraints().is_empty();
    let may_be_bits = plain && portfolio::suits_bits(problem);
    let by_size = || Way::plain(may_be_bits);
    if saved {
        return match engine {
            EngineName::Links => Ok(Some(Way::Links)),
            EngineName::Bits => Ok(Some(Way::Bits)),
            EngineName::Auto => match &long.resume {
                // Whatever the run had that is gone on with.
                Some(path) if is_there(path) => {
                    let bits = Checkpoint::read(path)?.flag("--engine") == Some("bits");
                    Ok(Some(Way::plain(bits && may_be_bits)))
                }
                _ => Ok(Some(by_size())),
            },
            EngineName::Learn | EngineName::Memo => unreachable!("the table refuses them"),
        };
    }
    if long.threads == 1 {
        return Ok(None);
    }
    let by_threads = match engine {
        _ if flags.proof.is_some() => None,
        EngineName::Links => Some(Way::Links),
        EngineName::Bits => Some(Way::Bits),
        EngineName::Auto if no_prune || bounded => Some(Way::Links),
        // A memo may have the number at once, where no visit would ever end.
        EngineName::Auto if plain && flags.count && enough == u64::MAX => {
            Some(Way::Count { bits: by_size() == Way::Bits })
        }
        EngineName::Auto if plain && enough > 2 => Some(by_size()),
        _ => None,
    };
    let one = match by_threads {
        None if engine == EngineName::Auto => {
            Some("auto asks learn, which uses one; --engine links and bits use more")
        }
        None => Some("the engine that answers this question uses one"),
        Some(_) if flags.search.node_limit.is_some() => Some("--node-limit is exact with one"),
        Some(_) => None,
    };
    match one {
        None => Ok(by_threads),
        Some(why) => {
            messages.note_one_thread(long.threads, why);
            Ok(None)
        }
    }
}

/// Searches.
pub fn run(job: &Job<'_>, session: &Session<'_>, read: Duration) -> Outcome {
    let Job { flags, .. } = *job;
    let (messages, long) = (session.messages, &flags.long);
    let plan = long.plan.as_deref().map(PartPlan::read).transpose()?;
    if let Some(plan) = &plan {
        // Only now it is known which file that is, and outputs were looked at before.
        files::reads(Some(plan.name()));
        files::admit(flags.output.as_deref())?;
    }
    let identity = identity(job, plan.as_ref());
    let place = long.checkpoint.as_ref().or(long.resume.as_ref());
    // First of all: what is read there is then the last state.
    let hold = place.map(|path| Hold::take(path, long.checkpoint.is_some())).transpose()?;
    let checkpoint = match &long.resume {
        // The flags of a job that is begun and begun again.
        Some(path) if !is_there(path) && long.checkpoint.as_ref() == Some(path) => {
            messages.note(&format!("{}: no checkpoint yet; a new search begins", path.display()));
            None
        }
        Some(path) => Some(Checkpoint::read(path)?),
        None => None,
    };
    let saved = match &checkpoint {
        Some(checkpoint) => checkpoint.open(&identity)?,
        None => begin(intervals(job, plan.as_ref(), &identity)?),
    };
    let marked = long.part.zip(named(flags.output.as_deref()));
    let output = open(flags, place, marked.map(|(_, path)| path), &saved)?;
    let lacks_lock = output.lacks_lock() || hold.as_ref().is_some_and(|hold| hold.lacks_lock);
    if cfg!(unix) && lacks_lock {
        messages.note("the file system has no locks; let no other run write the same files");
    }
    let checkpointer = place.zip(hold).map(|(path, hold)| {
        if !flags.count && !output.is_file() {
            messages.note(
                "solutions do not go to a file: after a crash those since the last checkpoint will \
                 be printed again",
            );
        }
        let checkpointer =
            Checkpointer::new((path, hold), identity.clone(), checkpoint.is_none(), messages);
        (checkpointer, Duration::from_secs(long.every_seconds))
    });
    let (answer, saved) = match conduct(job, session, &output, checkpointer, saved) {
        Ok(answer) => answer,
        Err(Misfit) => {
            return Err(match (checkpoint, &plan) {
                (Some(checkpoint), _) => checkpoint.refusal(&format!("a checkpoint of {MISFIT}")),
                (None, Some(plan)) => plan.refusal(&format!("a plan of {MISFIT}")),
                (None, None) => unreachable!("a division made here fits"),
            });
        }
    };
    let solutions = answer.stats.solutions;
    // A failed push is remembered, and `finish` reports it.
    let _ = output.push(|out| {
        write_end(flags, &answer, out);
    });
    match output.finish() {
        Err(Failure::BrokenPipe) => return Ok(ExitStatus::Fine),
        finished => finished?,
    }
    if let (Some((part, path)), true, Some(sum)) = (marked, answer.exhausted, output.sum()) {
        let (search, lanes) = (identity.search(), saved.lanes);
        let done = Done { search, part, solutions, lanes, sum }.write(path);
        done.map_err(|error| Failure::Io { name: path.display().to_string(), error })?;
    }
    let status = verdict(asker(flags), job.query.problem(), &answer, session);
    session.print_stats(&answer, read);
    Ok(status)
}

/// Opens the output of a run that saves at `place`, and leaves a mark beside `marked` when it has finished.
fn open(
    flags: &Solve,
    place: Option<&PathBuf>,
    marked: Option<&Path>,
    saved: &Saved,
) -> Result<Output, Failure> {
    if let Some(path) = place {
        files::claim(&Checkpointer::files(path), "the checkpoint")?;
        Checkpointer::admit(path)?;
    }
    if let Some(path) = flags.long.resume.as_ref().filter(|path| is_there(path)) {
        files::reads(Some(path));
    }
    let mark = marked.map(|path| sealed::beside(path, DONE));
    if let Some(mark) = &mark {
        files::claim(std::slice::from_ref(mark), "the mark of a finished part")?;
    }
    let output = match saved.offset {
        Some(offset) => Output::reopen(flags.output.as_deref(), offset, saved.sum.as_deref())?,
        None => Output::open(flags.output.as_deref())?,
    };
    if let Some(mark) = mark {
        output.keep_tally()?;
        // What is printed anew is not finished.
        let _ = std::fs::remove_file(mark);
    }
    Ok(output)
}

/// What a run does that makes parts, in words.
const DIVIDING: &str = "dividing the search";

/// Of what a checkpoint or a plan is whose numbers are sound, and lead nowhere.
const MISFIT: &str = "choices that this search never makes";

/// What a search has before it.
fn intervals(
    job: &Job<'_>,
    plan: Option<&PartPlan>,
    identity: &Identity,
) -> Result<Vec<Interval>, Failure> {
    match (job.flags.long.part, plan) {
        (None, _) => Ok(vec![Interval::whole()]),
        (Some(part), Some(plan)) => plan.intervals(part, identity),
        (Some(part), None) => {
            let (problem, constraint) =
                (job.query.problem(), job.query.conjunction(Method::Backtracking));
            Ok(signals::during(DIVIDING, || parts::intervals(problem, constraint, part)))
        }
    }
}

/// Where the solutions of a job come from.
fn source<'a>(job: &'a Job<'_>) -> SolutionSource<'a> {
    let (problem, graph) = (job.query.problem(), job.query.constraints().tour_graph());
    SolutionSource { problem, original: job.original, graph }
}

/// What makes two searches the same.
fn identity(job: &Job<'_>, plan: Option<&PartPlan>) -> Identity {
    let Job { flags, query, way, .. } = job;
    let format = if flags.count && !flags.format.is_json { "none" } else { flags.format.name };
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "none".into());
    let enough = query.enough();
    let part = flags.long.part.map(|part| format!("{}/{}", part.number, part.of));
    let mut all = vec![("--engine", if way.is_bits() { "bits" } else { "links" }.into())];
    all.extend(registry::identity(&flags.rules.asked()));
    all.extend(vec![
        ("--no-prune", flags.search.no_prune.to_string()),
        ("--branch", flags.search.branch.rule.name.into()),
        ("--seed", or_none(flags.seed.map(|seed| seed.to_string()))),
        ("--count", flags.count.to_string()),
        ("--format", format.into()),
        ("--every", flags.every.to_string()),
        ("--limit", or_none((enough != u64::MAX).then(|| enough.to_string()))),
        ("--unique", flags.unique.to_string()),
        ("--part", or_none(part)),
        ("--plan", or_none(plan.map(|plan| plan.sum.clone()))),
    ]);
    Identity { problem: fingerprint(query.problem()), flags: all }
}

/// A search that begins.
fn begin(intervals: Vec<Interval>) -> Saved {
    let lane = |interval: &Interval| IntervalResult { key: interval.start(), ..IntervalResult::default() };
    let lanes = intervals.iter().map(lane).collect();
    Saved { state: Position::new(intervals), lanes, ..Saved::default() }
}
