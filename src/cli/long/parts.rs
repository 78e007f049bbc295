//! Parts of a search: computed anew by whoever searches one, or taken from a plan.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cli::args::long::PartArg as Number;
use crate::cli::checksum::checksum;
use crate::cli::exit::Failure;
use crate::cli::long::checkpoint::{Checkpoint, Identity, Saved};
use crate::cli::long::json::{IntervalResult, MOST, SearchIdentity, Span, sum};
use crate::cli::long::sealed;
use crate::constraint::{Conjunction, REGISTRY};
use crate::large::Large;
use crate::problem::Problem;
use crate::search::interval::Interval;
use crate::search::parallel::Position;
use crate::search::partition::{self, Granularity, PartLoad, Piece};
use crate::solutions::format::SolutionFormat;
use crate::wording::counted;

/// The plan in its folder.
pub const MANIFEST: &str = "manifest.json";

/// What a finished part leaves beside its output.
pub const DONE: &str = ".done";

/// The kind of that file.
const KIND: &str = "part";

/// The flags on which a division depends.
fn dividing() -> Vec<&'static str> {
    let constraints = REGISTRY.iter().map(|kind| kind.flag);
    constraints.chain(["--no-prune", "--branch", "--seed"]).collect()
}

/// Takes intervals of a search apart. `None` if one is of another search.
pub fn divide(
    problem: &Problem,
    mut constraint: Conjunction,
    intervals: &[Interval],
    granularity: Granularity,
) -> Option<Vec<Piece>> {
    match constraint.is_empty() {
        true => partition::divide(problem, &mut (), intervals, granularity),
        false => partition::divide(problem, &mut constraint, intervals, granularity),
    }
}

/// How many pieces make so many parts: enough of them in each that their errors even out, but not so
/// many that dividing takes long.
pub fn granularity(parts: usize) -> Granularity {
    Granularity::Pieces((32 * parts).min((4 * parts).max(4096)))
}

/// The intervals of one part of the whole search.
pub fn intervals(problem: &Problem, constraint: Conjunction, part: Number) -> Vec<Interval> {
    let whole = [Interval::whole()];
    let pieces = divide(problem, constraint, &whole, granularity(part.of)).unwrap_or_default();
    let mut parts = partition::deal(&pieces, part.of);
    parts.swap_remove(part.number - 1).intervals.into_iter().map(|(_, interval)| interval).collect()
}

/// A number of nodes as a plan has it: null if it is beyond the range of JSON numbers in most programs.
pub fn rounded(nodes: Large) -> Option<f64> {
    Some(nodes.to_f64().round()).filter(|nodes| nodes.is_finite())
}

/// The members of a plan.
#[derive(Serialize, Deserialize)]
pub struct PlanMembers {
    /// What a search had done before it was stopped and split, if the plan is for the rest of one.
    pub before: Option<Before>,
    /// Nodes of all parts, about.
    pub estimate: Option<f64>,
    /// The file.
    pub input: String,
    /// The parts, by number.
    pub parts: Vec<Planned>,
    /// What this is: a plan.
    pub quadrille: String,
    /// The search that is divided.
    pub search: SearchIdentity,
    /// The version.
    pub v: u64,
}

/// A part as a plan has it.
#[derive(Serialize, Deserialize)]
pub struct Planned {
    estimate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    part: usize,
    stretches: Vec<Span>,
}

impl Planned {
    /// The part with this number, which is copied to a file of its own or not.
    pub fn new(number: usize, part: &PartLoad, file: Option<String>) -> Planned {
        let span = |(lane, interval): &(usize, Interval)| Span::new(interval).cut_from(*lane);
        let stretches = part.intervals.iter().map(span).collect();
        Planned { estimate: rounded(part.size), file, part: number, stretches }
    }
}

/// What a plan is, in JSON that may be anything.
#[derive(Deserialize)]
struct Version {
    quadrille: Option<Value>,
    v: Option<Value>,
}

/// A plan that was read.
pub struct PartPlan {
    /// What it says.
    members: PlanMembers,
    /// Its checksum.
    pub sum: String,
    name: std::path::PathBuf,
}

impl PartPlan {
    /// Reads the plan in a folder.
    pub fn read(folder: &Path) -> Result<PartPlan, Failure> {
        let name = folder.join(MANIFEST);
        let bytes = sealed::read_bytes(&name)?;
        let members = PartPlan::open(&bytes).map_err(|what| sealed::refusal(&name, &what))?;
        Ok(PartPlan { members, sum: checksum(&bytes), name })
    }

    fn open(bytes: &[u8]) -> Result<PlanMembers, String> {
        let not_ours = || "no plan that this program reads".to_owned();
        let version = match serde_json::from_slice::<Version>(bytes) {
            Err(error) if !error.is_data() => return Err(format!("a damaged plan: {error}")),
            version => version.map_err(|_| not_ours())?,
        };
        if (version.quadrille, version.v) != (Some("plan".into()), Some(1.into())) {
            return Err(not_ours());
        }
        if !sealed::is_unchanged(bytes) {
            return Err("a damaged plan: its checksum is wrong".into());
        }
        let members: PlanMembers = sealed::value(bytes, "plan")?;
        match members.parts.is_empty() {
            true => Err("a damaged plan: it has no parts".into()),
            false => Ok(members),
        }
    }

    /// Its file.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// What is wrong with it.
    pub fn refusal(&self, what: &str) -> Failure {
        sealed::refusal(&self.name, what)
    }

    /// Into how many parts it divides the search.
    pub fn parts(&self) -> usize {
        self.members.parts.len()
    }

    /// What a search had done before it was stopped and split, if the plan is for the rest of one.
    pub fn before(&self) -> Result<Option<&Before>, Failure> {
        match &self.members.before {
            Some(before) if !before.is_sound() => Err(self.refusal("a plan without sense")),
            before => Ok(before.as_ref()),
        }
    }

    /// Whether it is for the rest of a search.
    pub fn is_rest(&self) -> bool {
        self.members.before.is_some()
    }

    /// The intervals of a part.
    pub fn spans(&self, part: Number) -> &[Span] {
        &self.members.parts[part.number - 1].stretches
    }

    /// Whether a part that was searched with this plan has the intervals that it gives it.
    pub fn has(&self, done: &Done) -> bool {
        let starts = self.spans(done.part).iter().map(|span| Some(span.interval()?.start()));
        starts.eq(done.lanes.iter().map(|lane| Some(lane.key.clone())))
    }

    /// The intervals of a part, if the plan is for this search.
    pub fn intervals(&self, part: Number, identity: &Identity) -> Result<Vec<Interval>, Failure> {
        let refuse = |what: &str| Err(self.refusal(what));
        let identity = identity.with(&dividing());
        if let Some(why) = identity.mismatch(&self.members.search) {
            return refuse(&format!("a plan {why}"));
        }
        if self.parts() != part.of {
            let parts = counted(self.parts(), "part");
            return refuse(&format!("a plan of {parts}, not {}", part.of));
        }
        let intervals: Option<Vec<Interval>> =
            self.spans(part).iter().map(Span::interval).collect();
        match intervals {
            Some(intervals) if Position::new(intervals.clone()).is_sound() => Ok(intervals),
            _ => refuse("a plan without sense"),
        }
    }
}

/// What a search had done that was stopped and split.
#[derive(Clone, Serialize, Deserialize)]
pub struct Before {
    /// How many bytes it had printed, if it did into a file.
    pub bytes: Option<u64>,
    /// Whether it only counted.
    pub count: bool,
    /// What its intervals had come to.
    pub lanes: Vec<IntervalResult>,
    /// Which part it was, or `none`.
    part: String,
    /// The search.
    pub search: SearchIdentity,
    /// How many solutions it had.
    pub solutions: u64,
}

impl Before {
    /// What was done before `checkpoint` was written.
    pub fn new(checkpoint: &Checkpoint, saved: &Saved) -> Before {
        let count = checkpoint.flag("--count") == Some("true");
        Before {
            bytes: saved.offset,
            count,
            lanes: saved.lanes.clone(),
            part: checkpoint.flag("--part").unwrap_or("none").into(),
            search: checkpoint.search().clone(),
            solutions: if count { saved.state.stats.solutions } else { saved.delivered },
        }
    }

    /// Which part it was, if it was one.
    pub fn part(&self) -> Option<Number> {
        Number::parse(&self.part)
    }

    fn is_sound(&self) -> bool {
        (self.part == "none" || self.part().is_some()) && self.solutions <= MOST
    }
}

/// What a part that is finished says of itself.
#[derive(Serialize, Deserialize)]
struct PartMark {
    lanes: Vec<IntervalResult>,
    of: usize,
    part: usize,
    search: SearchIdentity,
    sha256: String,
    solutions: u64,
}

/// A part that is finished.
pub struct Done {
    /// The search, and which part.
    pub search: SearchIdentity,
    /// Which part, of how many.
    pub part: Number,
    /// How many solutions it has.
    pub solutions: u64,
    /// Its intervals, in the order of the search.
    pub lanes: Vec<IntervalResult>,
    /// Checksum of the output, taken while it was written.
    pub sum: String,
}

impl Done {
    /// Marks the part whose output is `output` as finished.
    pub fn write(self, output: &Path) -> io::Result<()> {
        let Done { search, part: Number { number: part, of }, solutions, lanes, sum } = self;
        let mark = PartMark { lanes, of, part, search, sha256: sum, solutions };
        sealed::write(&sealed::beside(output, DONE), KIND, &mark).map(drop)
    }

    /// Reads the mark of a part.
    pub fn read(path: &Path) -> Result<Done, Failure> {
        let PartMark { lanes, of, part: number, search, sha256: sum, solutions } =
            sealed::read(path, KIND)?;
        let done = Done { search, part: Number { number, of }, solutions, lanes, sum };
        match done.is_sound() {
            true => Ok(done),
            false => Err(sealed::refusal(path, "a part without sense")),
        }
    }

    /// The value of a flag of the search.
    pub fn flag(&self, name: &str) -> Option<&str> {
        self.search.flag(name)
    }

    /// Whether the numbers can be those of a part.
    fn is_sound(&self) -> bool {
        let counts = self.flag("--count") == Some("true");
        let format = self.flag("--format");
        self.part.is_sound()
            && (counts
                || format
                    .and_then(SolutionFormat::find)
                    .is_some_and(|format| format.writer.is_some()))
            && self.solutions <= MOST
            && sum(&self.lanes, |lane| lane.solutions)
                .is_some_and(|sum| sum == self.solutions || counts)
            && sum(&self.lanes, |lane| lane.bytes).is_some()
    }
}
