//! `quadrille merge`: the sum of all parts of a search.
//!
//! A part that is finished has a mark beside its output, `FILE.done`, with the checksum of the output
//! and, for each stretch that the part searched, how many solutions and bytes there are. Sorted by where
//! stretches begin, these are the solutions of the undivided search; only their numbers change.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::args::Merge;
use crate::cli::exit::{Failure, Outcome, Status};
use crate::cli::long::args::Part as Number;
use crate::cli::long::checkpoint::{Lane, lanes_from_json};
use crate::cli::long::parts::{DONE, Done, MANIFEST, Plan, sum_of};
use crate::cli::long::sealed;
use crate::cli::message::Messages;
use crate::cli::{files, output};
use crate::solutions::write;
use crate::wording::{counted, reason};

/// A part that is finished.
struct Finished {
    done: Done,
    output: PathBuf,
}

/// Runs it.
pub fn run(flags: &Merge, messages: &Messages) -> Outcome {
    let folder = &flags.folder;
    let plan = match folder.join(MANIFEST).exists() {
        true => Some(Plan::read(folder)?),
        false => None,
    };
    let found = find(folder)?;
    let of = match (&plan, found.first()) {
        (Some(plan), _) => plan.parts(),
        (None, Some(first)) => first.done.part.of,
        (None, None) => {
            let what = format!("{}: no part here is finished", folder.display());
            return Err(Failure::Usage(what));
        }
    };
    files::reads(Some(&folder.join(MANIFEST)));
    for part in &found {
        files::reads(Some(&part.output));
        files::reads(Some(&sealed::beside(&part.output, DONE)));
    }
    if let Some(path) = &flags.before {
        files::reads(Some(path));
    }
    files::admit(flags.output.as_deref())?;
    let (parts, bad) = sift(found, of, plan.as_ref(), messages);
    let missing: Vec<String> =
        (1..).zip(&parts).filter(|(_, part)| part.is_none()).map(|(n, _)| n.to_string()).collect();
    let parts: Vec<Finished> = parts.into_iter().flatten().collect();
    let flag = |name: &str| parts.first().and_then(|part| part.done.search["flags"][name].as_str());
    let counts = flag("--count") == Some("true");
    let format = flag("--format").unwrap_or("none").to_owned();
    let count = |complete: bool, solutions: u64, out: &mut dyn Write| {
        let mut text = Vec::new();
        match format.as_str() {
            "jsonl" => write::jsonl_end(complete, &solutions, None, &mut text),
            _ => text = format!("{solutions}\n").into_bytes(),
        }
        out.write_all(&text)
    };
    let before = plan.as_ref().map_or(&Value::Null, |plan| &plan.value["before"]);
    let earlier = before["solutions"].as_u64().unwrap_or(0);
    let mut all = parts.iter().map(|part| part.done.solutions);
    let Some(solutions) = all.try_fold(earlier, u64::checked_add) else {
        return Err(sealed::refusal(folder, "parts without sense: too many solutions"));
    };
    if !missing.is_empty() {
        let (these, are) = match missing.len() {
            1 => ("part", "is"),
            _ => ("parts", "are"),
        };
        messages.say(&format!("{these} {} of {of} {are} missing", missing.join(", ")));
        if counts {
            output::write_whole(flags.output.as_deref(), |out| count(false, solutions, out))?;
        }
        messages.say(&format!("incomplete: at least {solutions}"));
        return Ok(if bad { Status::Bad } else { Status::Incomplete });
    }
    if bad {
        return Ok(Status::Bad);
    }
    let start = earlier_output(flags, before, counts)?;
    let mut lanes = lanes_from_json(&before["lanes"]).unwrap_or_default();
    output::write_whole(flags.output.as_deref(), |out| {
        if counts {
            return count(true, solutions, out);
        }
        let mut number = 0;
        if let Some((path, bytes)) = &start {
            append(&mut File::open(path)?, *bytes, &format, &mut number, out)?;
        }
        for segment in in_order(&parts, plan.as_ref()) {
            let mut file = File::open(segment.file)?;
            file.seek(SeekFrom::Start(segment.offset))?;
            let before = number;
            let bytes = append(&mut file, segment.bytes, &format, &mut number, out)?;
            if let Some(lane) = segment.lane.and_then(|lane| lanes.get_mut(lane)) {
                lane.solutions += number - before;
                lane.bytes += bytes;
            }
        }
        if format == "jsonl" {
            let mut end = Vec::new();
            write::jsonl_end(true, &number, None, &mut end);
            out.write_all(&end)?;
        }
        Ok(())
    })?;
    if let Some(path) = output::named(flags.output.as_deref()) {
        mark(path, before, lanes, solutions)?;
    }
    Ok(if solutions == 0 { Status::Nothing } else { Status::Fine })
}

/// All marks in a folder, in the order of parts.
fn find(folder: &Path) -> Result<Vec<Finished>, Failure> {
    let failure = |error| Failure::Io { name: folder.display().to_string(), error };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failure)? {
        let path = entry.map_err(failure)?.path();
        let name = path.as_os_str().to_string_lossy().into_owned();
        if let Some(output) = name.strip_suffix(DONE) {
            found.push(Finished { done: Done::read(&path)?, output: output.into() });
        }
    }
    found.sort_by(|a, b| (a.done.part.number, &a.output).cmp(&(b.done.part.number, &b.output)));
    Ok(found)
}

/// The parts of one search that are unchanged, by number; complains about all others.
fn sift(
    found: Vec<Finished>,
    of: usize,
    plan: Option<&Plan>,
    messages: &Messages,
) -> (Vec<Option<Finished>>, bool) {
    let mut parts: Vec<Option<Finished>> = (0..of).map(|_| None).collect();
    let mut bad = false;
    let search = |done: &Done| {
        let mut search = done.search.clone();
        search["flags"]["--part"] = Value::Null;
        search
    };
    let first = found.first().map(|first| search(&first.done));
    for part in found {
        let Number { number, of: its } = part.done.part;
        let planned = part.done.search["flags"]["--plan"].as_str();
        let wrong = if first.as_ref() != Some(&search(&part.done)) {
            Some("a part of another search, or of one with other flags".to_owned())
        } else if its != of || number == 0 || number > of {
            Some(format!("part {number} of {its}, where there are {of}"))
        } else if plan
            .is_some_and(|plan| planned != Some(&plan.sum) && !plan.value["before"].is_null())
        {
            Some(format!("part {number} of another plan than {MANIFEST}"))
        } else if let Some(other) = &parts[number - 1] {
            Some(format!("part {number}, as is {}", other.output.display()))
        } else {
            match sum_of(&part.output) {
                Ok(sum) if sum == part.done.sum => None,
                Ok(_) => Some(format!("part {number} has changed since it was finished")),
                Err(error) => Some(format!("part {number}: {}", reason(&error))),
            }
        };
        match wrong {
            None => parts[number - 1] = Some(part),
            Some(why) => {
                bad = true;
                messages.say(&format!("{}: error: {why}", part.output.display()));
            }
        }
    }
    (parts, bad)
}

/// The output of the search that was stopped and split, and how much of it counts.
fn earlier_output(
    flags: &Merge,
    before: &Value,
    counts: bool,
) -> Result<Option<(PathBuf, u64)>, Failure> {
    if counts || before["solutions"].as_u64().unwrap_or(0) == 0 {
        return Ok(None);
    }
    match (&flags.before, before["bytes"].as_u64()) {
        (Some(path), Some(bytes)) => match fs::metadata(path) {
            Ok(data) if data.len() < bytes => {
                let what = format!(
                    "{}: has {}, fewer than the {bytes} that the search had written",
                    path.display(),
                    counted(data.len(), "byte")
                );
                Err(Failure::Usage(what))
            }
            Ok(_) => Ok(Some((path.clone(), bytes))),
            Err(error) => Err(Failure::Io { name: path.display().to_string(), error }),
        },
        (None, _) => Err(Failure::Usage(
            "the search that was split had printed solutions; give its output with --before FILE"
                .into(),
        )),
        (_, None) => Err(Failure::Usage(
            "the search that was split did not print into a file; only counts can be merged".into(),
        )),
    }
}

/// What a part printed for one of its stretches.
struct Segment<'a> {
    key: &'a [u32],
    /// The stretch that it was cut from, if what was split is a part itself.
    lane: Option<usize>,
    file: &'a Path,
    offset: u64,
    bytes: u64,
}

/// What the parts printed, stretch by stretch, in the order of the undivided search.
fn in_order<'a>(parts: &'a [Finished], plan: Option<&Plan>) -> Vec<Segment<'a>> {
    let mut all = Vec::new();
    for part in parts {
        let planned = plan.map(|plan| &plan.value["parts"][part.done.part.number - 1]["stretches"]);
        let mut offset = 0;
        for (number, Lane { key, bytes, .. }) in part.done.lanes.iter().enumerate() {
            let lane = planned.and_then(|planned| planned[number]["lane"].as_u64());
            let lane = lane.and_then(|lane| usize::try_from(lane).ok());
            all.push(Segment { key, lane, file: &part.output, offset, bytes: *bytes });
            offset += bytes;
        }
    }
    all.sort_by(|a, b| a.key.cmp(b.key));
    all
}

/// Appends so many bytes of a file, with new numbers; answers how many bytes it wrote.
fn append(
    file: &mut File,
    bytes: u64,
    format: &str,
    number: &mut u64,
    out: &mut dyn Write,
) -> io::Result<u64> {
    let mut written = 0;
    let mut lines = BufReader::with_capacity(1 << 16, file.take(bytes));
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        let old = match format {
            "knuth" | "tour" if line.first().is_some_and(u8::is_ascii_digit) => Some(0),
            "jsonl" => Some(JSON.len()),
            _ => None,
        };
        match old {
            None => {}
            Some(start) => {
                *number += 1;
                let digits = line[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                line.splice(start..start + digits, number.to_string().into_bytes());
            }
        }
        // A line of `options` is a solution.
        *number += u64::from(format == "options");
        out.write_all(&line)?;
        written += line.len() as u64;
        line.clear();
    }
    Ok(written)
}

/// What stands before the number of a solution.
const JSON: &str = "{\"v\":1,\"n\":";

/// If what was split was a part itself, marks that as finished.
fn mark(path: &Path, before: &Value, lanes: Vec<Lane>, solutions: u64) -> Result<(), Failure> {
    let number = before["part"].as_str().and_then(|part| part.split_once('/'));
    let number =
        number.and_then(|(n, of)| Some(Number { number: n.parse().ok()?, of: of.parse().ok()? }));
    let Some(part) = number else { return Ok(()) };
    let done = sum_of(path).and_then(|sum| {
        Done { search: before["search"].clone(), part, solutions, lanes, sum }.write(path)
    });
    done.map_err(|error| Failure::Io { name: path.display().to_string(), error })
}
