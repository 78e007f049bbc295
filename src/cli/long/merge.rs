//! `quadrille merge`: the sum of all parts of a search.
//!
//! A part that is finished has a mark beside its output, `FILE.done`, with the checksum of the output
//! and, for each interval that the part searched, how many solutions and bytes there are, all of it counted by the part
//! while it wrote. Each output is compared with that before anything is merged. Sorted by where
//! intervals begin, these are the solutions of the undivided search; only their numbers change.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::cli::args::Merge;
use crate::cli::args::long::PartArg as Number;
use crate::cli::checksum::Checksum;
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::long::json::IntervalResult;
use crate::cli::long::parts::{Before, DONE, Done, MANIFEST, PartPlan};
use crate::cli::long::sealed;
use crate::cli::message::Messages;
use crate::cli::solve::NONE;
use crate::cli::{files, output};
use crate::solutions::format::SolutionFormat;
use crate::solutions::jsonl;
use crate::wording::{counted, reason};

/// A part that is finished.
struct Finished {
    done: Done,
    output: PathBuf,
}

/// Runs it.
pub fn run(flags: &Merge, messages: &Messages) -> Outcome {
    let folder = &flags.folder;
    let planned = folder.join(MANIFEST).exists();
    let plan = planned.then(|| PartPlan::read(folder)).transpose()?;
    let found = find(folder)?;
    let of = match (&plan, found.first()) {
        (Some(plan), _) => plan.parts(),
        (None, Some(first)) => first.done.part.of,
        (None, None) => {
            let what = format!("{}: no part here is finished", folder.display());
            return Err(Failure::Usage(what));
        }
    };
    let marks = found.iter().map(|part| sealed::beside(&part.output, DONE));
    let outputs = found.iter().map(|part| part.output.clone());
    let inputs = marks.chain(outputs).chain([folder.join(MANIFEST)]).chain(flags.before.clone());
    inputs.for_each(|path| files::reads(Some(&path)));
    files::admit(flags.output.as_deref())?;
    let (parts, bad) = sift(found, of, plan.as_ref(), messages);
    let missing: Vec<String> =
        (1..).zip(&parts).filter(|(_, part)| part.is_none()).map(|(n, _)| n.to_string()).collect();
    let parts: Vec<Finished> = parts.into_iter().flatten().collect();
    let flag = |name: &str| parts.first().and_then(|part| part.done.flag(name));
    let counts = flag("--count") == Some("true");
    let format = flag("--format").unwrap_or("none").to_owned();
    let count = |complete: bool, solutions: u64, out: &mut dyn Write| {
        out.write_all(&count(&format, complete, solutions))
    };
    let before = plan.as_ref().map(PartPlan::before).transpose()?.flatten();
    let earlier = before.map_or(0, |before| before.solutions);
    let mut all = parts.iter().map(|part| part.done.solutions);
    let Some(solutions) = all.try_fold(earlier, u64::checked_add) else {
        return Err(sealed::refusal(folder, "parts without sense: too many solutions"));
    };
    if !missing.is_empty() {
        messages.say(&which(&missing, of));
        if counts {
            output::write_whole(flags.output.as_deref(), |out| count(false, solutions, out))?;
        }
        messages.say(&format!("incomplete: at least {solutions}"));
        return Ok(if bad { ExitStatus::Bad } else { ExitStatus::Incomplete });
    }
    if bad {
        return Ok(ExitStatus::Bad);
    }
    let start = earlier_output(flags, before, counts, &format)?;
    let mut lanes = before.map_or(Vec::new(), |before| before.lanes.clone());
    let mut tally = Checksum::default();
    output::write_whole(flags.output.as_deref(), |out| {
        let out = &mut Both(out, &mut tally);
        if counts {
            return count(true, solutions, out);
        }
        join(&parts, plan.as_ref(), start.as_ref(), &mut lanes, (&format, solutions), out)
    })?;
    if let Some(path) = output::named(flags.output.as_deref())
        && let Some((before, part)) = before.and_then(|before| Some((before, before.part()?)))
    {
        // What was split was a part itself, which is finished now.
        let search = before.search.clone();
        let done = Done { search, part, solutions, lanes, sum: tally.sum() };
        let failure = |error| Failure::Io { name: path.display().to_string(), error };
        done.write(path).map_err(failure)?;
    }
    if solutions == 0 && !counts && end(&format, 0).is_empty() {
        messages.note(NONE);
    }
    Ok(if solutions == 0 { ExitStatus::Nothing } else { ExitStatus::Fine })
}

/// Appends what an earlier search had printed, and what the parts printed, in the order of the undivided search. Fails unless
/// there are `solutions` of them.
fn join(
    parts: &[Finished],
    plan: Option<&PartPlan>,
    start: Option<&(PathBuf, u64)>,
    lanes: &mut [IntervalResult],
    (format, solutions): (&str, u64),
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut number = 0;
    if let Some((path, bytes)) = start {
        append(&mut File::open(path)?, *bytes, format, &mut number, out)?;
    }
    for segment in in_order(parts, plan) {
        let mut file = File::open(segment.file)?;
        file.seek(SeekFrom::Start(segment.offset))?;
        let before = number;
        let bytes = append(&mut file, segment.bytes, format, &mut number, out)?;
        if let Some(lane) = segment.lane.and_then(|lane| lanes.get_mut(lane)) {
            lane.solutions = lane.solutions.saturating_add(number - before);
            lane.bytes = lane.bytes.saturating_add(bytes);
        }
    }
    if number != solutions {
        let what = format!("there are {number} solutions where {solutions} were counted");
        return Err(io::Error::other(what));
    }
    out.write_all(&end(format, number))
}

/// How many missing parts are named.
const NAMED: usize = 10;

/// Which parts are missing.
fn which(missing: &[String], of: usize) -> String {
    match missing {
        [part] => format!("part {part} of {of} is missing"),
        parts if parts.len() <= NAMED => format!("parts {} of {of} are missing", parts.join(", ")),
        parts => {
            let more = parts.len() - NAMED;
            format!("parts {} and {more} more of {of} are missing", parts[..NAMED].join(", "))
        }
    }
}

/// What is behind the last of so many solutions.
fn end(format: &str, solutions: u64) -> Vec<u8> {
    let mut end = Vec::new();
    if SolutionFormat::find(format).is_some_and(|format| format.is_json) {
        jsonl::write_end(true, &solutions, None, &mut end);
    }
    end
}

/// Writes to one, and has the other count that.
struct Both<'a>(&'a mut dyn Write, &'a mut Checksum);

impl Write for Both<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.0.write(bytes)?;
        self.1.write(&bytes[..length])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
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
    plan: Option<&PartPlan>,
    messages: &Messages,
) -> (Vec<Option<Finished>>, bool) {
    let mut parts: Vec<Option<Finished>> = (0..of).map(|_| None).collect();
    let mut bad = false;
    let first = found.first().map(|first| first.done.search.clone());
    for part in found {
        let Number { number, of: its } = part.done.part;
        let planned = part.done.flag("--plan");
        let wrong = if !first.as_ref().is_some_and(|first| part.done.search.has_parts_with(first)) {
            Some("a part of another search, or of one with other flags".to_owned())
        } else if its != of || number == 0 || number > of {
            Some(format!("part {number} of {its}, where there are {of}"))
        } else if plan.is_some_and(|plan| planned != Some(&plan.sum) && plan.is_rest()) {
            Some(format!("part {number} of another plan than {MANIFEST}"))
        } else if let Some(other) = &parts[number - 1] {
            Some(format!("part {number}, as is {}", other.output.display()))
        } else if plan.is_some_and(|plan| planned == Some(&plan.sum) && !plan.has(&part.done)) {
            Some(format!("part {number} with other intervals than {MANIFEST} has"))
        } else {
            match compare(&part) {
                Ok(None) => None,
                Ok(Some(what)) => {
                    Some(format!("part {number} has changed since it was finished: {what}"))
                }
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

/// What a search with `--count` prints.
fn count(format: &str, complete: bool, solutions: u64) -> Vec<u8> {
    if SolutionFormat::find(format).is_none_or(|format| !format.is_json) {
        return format!("{solutions}\n").into_bytes();
    }
    let mut text = Vec::new();
    jsonl::write_end(complete, &solutions, None, &mut text);
    text
}

/// What of a part's output is not as the part counted it.
fn compare(Finished { done, output }: &Finished) -> io::Result<Option<String>> {
    let there = fs::metadata(output)?;
    if !there.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let counts = done.flag("--count") == Some("true");
    let format = done.flag("--format").unwrap_or("none");
    let mut tally = Checksum::default();
    if counts {
        let number = count(format, true, done.solutions);
        tally.write_all(&number)?;
        let same = there.len() == tally.bytes && fs::read(output)? == number;
        let what = || format!("it does not hold the number {}", done.solutions);
        return Ok((!same || tally.sum() != done.sum).then(what));
    }
    let end = end(format, done.solutions);
    let bytes = done.lanes.iter().map(|lane| lane.bytes).sum::<u64>() + end.len() as u64;
    if there.len() != bytes {
        return Ok(Some(format!("it has {} bytes, not {bytes}", there.len())));
    }
    let mut file = Overheard(File::open(output)?, &mut tally);
    for lane in &done.lanes {
        let mut number = 0;
        let counted = append(&mut file, lane.bytes, format, &mut number, &mut io::sink());
        match counted {
            Ok(_) if number == lane.solutions => {}
            Err(error) if error.kind() != io::ErrorKind::InvalidData => return Err(error),
            _ => return Ok(Some("it does not hold the solutions that were counted".into())),
        }
    }
    let mut rest = Vec::new();
    file.read_to_end(&mut rest)?;
    let same = rest == end && tally.sum() == done.sum;
    Ok((!same).then(|| "its checksum is another".into()))
}

/// Reads from one, and has the other count that.
struct Overheard<'a>(File, &'a mut Checksum);

impl Read for Overheard<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(bytes)?;
        self.1.write(&bytes[..length])
    }
}

/// The output of the search that was stopped and split, and how much of it counts.
fn earlier_output(
    flags: &Merge,
    before: Option<&Before>,
    counts: bool,
    format: &str,
) -> Result<Option<(PathBuf, u64)>, Failure> {
    let Some(Before { solutions: 1.., .. }) = before.filter(|_| !counts) else { return Ok(None) };
    let Some(Before { solutions, bytes: Some(bytes), .. }) = before else {
        return Err(Failure::Usage(
            "the search that was split did not print into a file; only counts can be merged".into(),
        ));
    };
    let Some(path) = &flags.before else {
        return Err(Failure::Usage(
            "the search that was split had printed solutions; give its output with --before FILE"
                .into(),
        ));
    };
    let failure = |error| Failure::Io { name: path.display().to_string(), error };
    let there = fs::metadata(path).map_err(failure)?;
    if !there.is_file() {
        return Err(sealed::refusal(path, "not a regular file"));
    }
    if there.len() < *bytes {
        let has = counted(there.len(), "byte");
        let what = format!("has {has}, fewer than the {bytes} that the search had written");
        return Err(sealed::refusal(path, &what));
    }
    let mut number = 0;
    let mut file = File::open(path).map_err(failure)?;
    append(&mut file, *bytes, format, &mut number, &mut io::sink()).map_err(failure)?;
    match number == *solutions {
        true => Ok(Some((path.clone(), *bytes))),
        false => {
            let what = format!("has {number} solutions where the search had printed {solutions}");
            Err(sealed::refusal(path, &what))
        }
    }
}

/// What a part printed for one of its intervals.
struct Segment<'a> {
    key: &'a [u32],
    /// The interval that it was cut from, if what was split is a part itself.
    lane: Option<usize>,
    file: &'a Path,
    offset: u64,
    bytes: u64,
}

/// What the parts printed, interval by interval, in the order of the undivided search.
fn in_order<'a>(parts: &'a [Finished], plan: Option<&PartPlan>) -> Vec<Segment<'a>> {
    let mut all = Vec::new();
    for part in parts {
        let planned = plan.map(|plan| plan.spans(part.done.part));
        let mut offset = 0;
        for (number, IntervalResult { key, bytes, .. }) in part.done.lanes.iter().enumerate() {
            let lane = planned.and_then(|planned| planned.get(number)?.lane());
            all.push(Segment { key, lane, file: &part.output, offset, bytes: *bytes });
            offset += bytes;
        }
    }
    all.sort_by(|a, b| a.key.cmp(b.key));
    all
}

/// Appends so many bytes of a file, with new numbers; answers how many bytes it wrote.
fn append(
    file: &mut impl Read,
    bytes: u64,
    format: &str,
    number: &mut u64,
    out: &mut dyn Write,
) -> io::Result<u64> {
    let format = SolutionFormat::find(format);
    let mut written = 0;
    let mut lines = BufReader::with_capacity(1 << 16, file.take(bytes));
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        let digits = |start: usize| {
            let digits = line.get(start..).unwrap_or_default().iter();
            start..start + digits.take_while(|byte| byte.is_ascii_digit()).count()
        };
        let before = format.and_then(|format| format.before_number);
        let old = before.filter(|before| line.starts_with(before));
        let old = old.map(|before| digits(before.len()));
        let is_solution = old.as_ref().is_some_and(|old| !old.is_empty());
        let is_unnumbered = format.is_some() && before.is_none();
        let has_more = format.is_some_and(|format| format.has_more_lines);
        let goes_on = has_more && *number > 0 && line.starts_with(b" ");
        if !line.ends_with(b"\n") || !(is_solution || is_unnumbered || goes_on) {
            let what = "holds something other than solutions";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        *number += u64::from(!goes_on);
        if let (true, Some(old)) = (is_solution, old) {
            line.splice(old, number.to_string().into_bytes());
        }
        out.write_all(&line)?;
        written += line.len() as u64;
        line.clear();
    }
    Ok(written)
}
