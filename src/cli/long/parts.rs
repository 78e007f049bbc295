//! Parts of a search: computed anew by whoever searches one, or taken from a plan.

use std::io;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli::checksum::checksum;
use crate::cli::exit::Failure;
use crate::cli::long::args::Part as Number;
use crate::cli::long::checkpoint::{
    Identity, Lane, MOST, interval_from_json, interval_to_json, lanes_from_json, sum,
};
use crate::cli::long::sealed;
use crate::constraint::{Conjunction, REGISTRY};
use crate::large::Large;
use crate::problem::Problem;
use crate::search::interval::Interval;
use crate::search::parallel::State;
use crate::search::partition::{self, Fineness, Part, Piece};
use crate::solutions::format::SolutionFormat;
use crate::wording::counted;

/// The plan in its folder.
pub const MANIFEST: &str = "manifest.json";

/// What the text of a plan begins with: the checksum of all that follows.
const SEAL: &str = "{\"sha256\":\"";

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
    fineness: Fineness,
) -> Option<Vec<Piece>> {
    match constraint.is_empty() {
        true => partition::divide(problem, &mut (), intervals, fineness),
        false => partition::divide(problem, &mut constraint, intervals, fineness),
    }
}

/// How many pieces make so many parts: enough of them in each that their errors even out, but not so
/// many that dividing takes long.
pub fn fineness(parts: usize) -> Fineness {
    Fineness::Pieces((32 * parts).min((4 * parts).max(4096)))
}

/// The intervals of one part of the whole search.
pub fn intervals(problem: &Problem, constraint: Conjunction, part: Number) -> Vec<Interval> {
    let whole = [Interval::whole()];
    let pieces = divide(problem, constraint, &whole, fineness(part.of)).unwrap_or_default();
    let mut parts = partition::deal(&pieces, part.of);
    parts.swap_remove(part.number - 1).intervals.into_iter().map(|(_, interval)| interval).collect()
}

/// A number of nodes as a plan has it: null if it is beyond the range of JSON numbers in most programs.
pub fn rounded(nodes: Large) -> Value {
    json!(nodes.to_f64().round())
}

/// A part as a plan has it.
pub fn part_to_json(number: usize, part: &Part, file: Option<&str>) -> Value {
    let intervals: Vec<Value> = part
        .intervals
        .iter()
        .map(|(lane, interval)| {
            let mut value = interval_to_json(interval);
            value["lane"] = json!(lane);
            value
        })
        .collect();
    let mut value = json!({"part": number, "estimate": rounded(part.size), "stretches": intervals});
    if let Some(file) = file {
        value["file"] = json!(file);
    }
    value
}

/// The text of a plan with these members, with a checksum.
pub fn sealed_plan(members: &Value) -> String {
    let text = format!("{members}\n");
    // A first member before the others: what is sealed is a plan as JSON nevertheless.
    let rest = format!("\",{}", text.strip_prefix('{').unwrap_or(&text));
    format!("{SEAL}{}{rest}", checksum(rest.as_bytes()))
}

/// Whether the text of a plan is what was written.
fn is_unchanged(text: &[u8]) -> bool {
    let sum = text.strip_prefix(SEAL.as_bytes()).and_then(|text| text.split_at_checked(64));
    sum.is_some_and(|(sum, rest)| checksum(rest).as_bytes() == sum)
}

/// A plan that was read.
pub struct Plan {
    /// What it says.
    pub value: Value,
    /// Its checksum.
    pub sum: String,
    name: std::path::PathBuf,
}

impl Plan {
    /// Reads the plan in a folder.
    pub fn read(folder: &Path) -> Result<Plan, Failure> {
        let name = folder.join(MANIFEST);
        let bytes = sealed::read_bytes(&name)?;
        let sum = checksum(&bytes);
        match serde_json::from_slice::<Value>(&bytes) {
            Ok(value) if value["quadrille"] == "plan" && value["v"] == 1 => {
                if !is_unchanged(&bytes) {
                    return Err(sealed::refusal(&name, "a damaged plan: its checksum is wrong"));
                }
                match value["parts"].as_array().is_some_and(|parts| !parts.is_empty()) {
                    true => Ok(Plan { value, sum, name }),
                    false => Err(sealed::refusal(&name, "a damaged plan: it has no parts")),
                }
            }
            Ok(_) => Err(sealed::refusal(&name, "no plan that this program reads")),
            Err(error) => Err(sealed::refusal(&name, &format!("a damaged plan: {error}"))),
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
        self.value["parts"].as_array().map_or(0, Vec::len)
    }

    /// What a search had done before it was stopped and split, if the plan is for the rest of one.
    pub fn before(&self) -> Result<Option<Before>, Failure> {
        match &self.value["before"] {
            Value::Null => Ok(None),
            value => match Before::from_json(value) {
                Some(before) => Ok(Some(before)),
                None => Err(self.refusal("a plan without sense")),
            },
        }
    }

    /// Whether a part that was searched with this plan has the intervals that it gives it.
    pub fn has(&self, done: &Done) -> bool {
        let intervals = self.value["parts"][done.part.number - 1]["stretches"].as_array();
        let starts = |interval| interval_from_json(interval).map(|interval| interval.start());
        intervals.is_some_and(|all| {
            let keys = done.lanes.iter().map(|lane| Some(lane.key.clone()));
            all.iter().map(starts).eq(keys)
        })
    }

    /// The intervals of a part, if the plan is for this search.
    pub fn intervals(&self, part: Number, identity: &Identity) -> Result<Vec<Interval>, Failure> {
        let refuse = |what: &str| Err(self.refusal(what));
        let identity = identity.with(&dividing());
        if let Some(why) = identity.mismatch(&self.value["search"]) {
            return refuse(&format!("a plan {why}"));
        }
        if self.parts() != part.of {
            let parts = counted(self.parts(), "part");
            return refuse(&format!("a plan of {parts}, not {}", part.of));
        }
        let intervals = self.value["parts"][part.number - 1]["stretches"].as_array();
        let intervals: Option<Vec<Interval>> =
            intervals.and_then(|all| all.iter().map(interval_from_json).collect());
        match intervals {
            Some(intervals) if State::new(intervals.clone()).is_sound() => Ok(intervals),
            _ => refuse("a plan without sense"),
        }
    }
}

/// What a search had done that was stopped and split.
pub struct Before {
    /// How many solutions it had.
    pub solutions: u64,
    /// How many bytes it had printed, if it did into a file.
    pub bytes: Option<u64>,
    /// What its intervals had come to.
    pub lanes: Vec<Lane>,
    /// Which part it was, if it was one.
    pub part: Option<Number>,
    /// The search.
    pub search: Value,
}

impl Before {
    fn from_json(value: &Value) -> Option<Before> {
        let part = match value["part"].as_str()? {
            "none" => None,
            part => Some(Number::parse(part)?),
        };
        let search = value["search"].clone();
        let (lanes, solutions) = (lanes_from_json(&value["lanes"])?, value["solutions"].as_u64()?);
        let sound = search["flags"].is_object() && solutions <= MOST;
        sound.then_some(Before { solutions, bytes: value["bytes"].as_u64(), lanes, part, search })
    }
}

/// What a part that is finished says of itself.
pub struct Done {
    /// The search, and which part.
    pub search: Value,
    /// Which part, of how many.
    pub part: Number,
    /// How many solutions it has.
    pub solutions: u64,
    /// Its intervals, in the order of the search.
    pub lanes: Vec<Lane>,
    /// Checksum of the output, taken while it was written.
    pub sum: String,
}

impl Done {
    /// Marks the part whose output is `output` as finished.
    pub fn write(&self, output: &Path) -> io::Result<()> {
        let lanes: Vec<Value> = self.lanes.iter().map(Lane::to_json).collect();
        let value = json!({
            "search": self.search,
            "part": self.part.number,
            "of": self.part.of,
            "solutions": self.solutions,
            "lanes": lanes,
            "sha256": self.sum,
        });
        sealed::write(&sealed::beside(output, DONE), KIND, &value).map(drop)
    }

    /// Reads the mark of a part.
    pub fn read(path: &Path) -> Result<Done, Failure> {
        let value = sealed::read(path, KIND)?;
        let done = || {
            let number = |name: &str| usize::try_from(value[name].as_u64()?).ok();
            let done = Done {
                search: value["search"].clone(),
                part: Number { number: number("part")?, of: number("of")? },
                solutions: value["solutions"].as_u64()?,
                lanes: lanes_from_json(&value["lanes"])?,
                sum: value["sha256"].as_str()?.to_owned(),
            };
            done.is_sound().then_some(done)
        };
        done().ok_or_else(|| sealed::refusal(path, "a part without sense"))
    }

    /// The value of a flag of the search.
    pub fn flag(&self, name: &str) -> Option<&str> {
        self.search["flags"][name].as_str()
    }

    /// Whether the numbers can be those of a part.
    fn is_sound(&self) -> bool {
        let counts = self.flag("--count") == Some("true");
        let format = self.flag("--format");
        self.part.is_sound()
            && self.search.is_object()
            && self.search["flags"].is_object()
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
