//! Parts of a search: computed anew by whoever searches one, or taken from a plan.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::cli::exit::Failure;
use crate::cli::long::args::{MOST_PARTS, Part as Number};
use crate::cli::long::checkpoint::{
    Identity, Lane, lanes_from_json, stretch_from_json, stretch_to_json,
};
use crate::cli::long::sealed;
use crate::constraint::Together;
use crate::problem::Problem;
use crate::search::division::{self, Fineness, Part, Piece};
use crate::search::interval::Interval as Stretch;
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
pub const DIVIDING: [&str; 4] = ["--loop", "--connected", "--no-prune", "--seed"];

/// Takes stretches of a search apart. `None` if one is of another search.
pub fn divide(
    problem: &Problem,
    mut constraint: Together,
    stretches: &[Stretch],
    fineness: Fineness,
) -> Option<Vec<Piece>> {
    match constraint.is_empty() {
        true => division::divide(problem, &mut (), stretches, fineness),
        false => division::divide(problem, &mut constraint, stretches, fineness),
    }
}

/// How many pieces make so many parts: enough of them in each that their errors even out, but not so
/// many that dividing takes long.
pub fn fineness(parts: usize) -> Fineness {
    Fineness::Pieces((32 * parts).min((4 * parts).max(4096)))
}

/// The stretches of one part of the whole search.
pub fn stretches(problem: &Problem, constraint: Together, part: Number) -> Vec<Stretch> {
    let whole = [Stretch::whole()];
    let pieces = divide(problem, constraint, &whole, fineness(part.of)).unwrap_or_default();
    let mut parts = division::deal(&pieces, part.of);
    parts.swap_remove(part.number - 1).stretches.into_iter().map(|(_, stretch)| stretch).collect()
}

/// A part as a plan has it.
pub fn part_to_json(number: usize, part: &Part, file: Option<&str>) -> Value {
    let stretches: Vec<Value> = part
        .stretches
        .iter()
        .map(|(lane, stretch)| {
            let mut value = stretch_to_json(stretch);
            value["lane"] = json!(lane);
            value
        })
        .collect();
    let mut value = json!({"part": number, "estimate": part.size.round(), "stretches": stretches});
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
    format!("{SEAL}{}{rest}", sealed::checksum(rest.as_bytes()))
}

/// Whether the text of a plan is what was written.
fn is_unchanged(text: &[u8]) -> bool {
    let sum = text.strip_prefix(SEAL.as_bytes()).and_then(|text| text.split_at_checked(64));
    sum.is_some_and(|(sum, rest)| sealed::checksum(rest).as_bytes() == sum)
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
        let bytes = match std::fs::read(&name) {
            Ok(bytes) => bytes,
            Err(error) => return Err(Failure::Io { name: name.display().to_string(), error }),
        };
        let sum = sealed::checksum(&bytes);
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

    /// The stretches of a part, if the plan is for this search.
    pub fn stretches(&self, part: Number, identity: &Identity) -> Result<Vec<Stretch>, Failure> {
        let refuse = |what: &str| Err(self.refusal(what));
        let identity = identity.with(&DIVIDING);
        if let Some(why) = identity.mismatch(&self.value["search"]) {
            return refuse(&format!("a plan {why}"));
        }
        if self.parts() != part.of {
            let parts = counted(self.parts(), "part");
            return refuse(&format!("a plan of {parts}, not {}", part.of));
        }
        let stretches = self.value["parts"][part.number - 1]["stretches"].as_array();
        match stretches.and_then(|all| all.iter().map(stretch_from_json).collect::<Option<_>>()) {
            Some(stretches) => Ok(stretches),
            None => refuse("a damaged plan"),
        }
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
    /// Its stretches, in the order of the search.
    pub lanes: Vec<Lane>,
    /// Checksum of the output.
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
        sealed::write(&sealed::beside(output, DONE), KIND, &value)
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

    /// Whether the numbers can be those of a part.
    fn is_sound(&self) -> bool {
        let Number { number, of } = self.part;
        let sum = |member: fn(&Lane) -> u64| {
            self.lanes.iter().try_fold(0u64, |sum, lane| sum.checked_add(member(lane)))
        };
        (1..=of).contains(&number)
            && of <= MOST_PARTS
            && self.search.is_object()
            && self.search["flags"].is_object()
            && sum(|lane| lane.solutions).is_some_and(|sum| {
                sum == self.solutions || self.search["flags"]["--count"] == "true"
            })
            && sum(|lane| lane.bytes).is_some()
    }
}

/// The checksum of a file.
pub fn sum_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut sum = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(sealed::hex(&sum.finalize())),
            length => sum.update(&block[..length]),
        }
    }
}
