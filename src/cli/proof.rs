//! `quadrille check --proof`: whether a proof of uniqueness holds.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cli::args::Check;
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::filter::unreadable;
use crate::cli::message::Messages;
use crate::cli::prove::FILES;
use crate::cli::rules::{bind, dialect};
use crate::cli::{files, input, memory, output};
use crate::constraint::graph::Graph;
use crate::dlx::parse::Dlx;
use crate::ids::OptionId;
use crate::problem::Entry;
use crate::proof::{Checker, ProofFault};
use crate::solutions::catalog::Catalog;
use crate::solutions::record::{Form, Record};
use crate::solutions::stream::Stream;
use crate::solutions::verify::Verifier;
use crate::wording::counted;

/// Public programs that check derivations: their names, and what each says if one holds.
const PUBLIC: [(&str, &str); 2] = [("drat-trim", "s VERIFIED"), ("rate", "s VERIFIED")];

/// Why a proof is not accepted.
enum No {
    /// It cannot be looked at.
    Failure(Failure),
    /// It is wrong.
    Wrong(Failure),
}

impl From<Failure> for No {
    fn from(failure: Failure) -> Self {
        No::Failure(failure)
    }
}

/// Runs it on the proof in the folder `proof`.
pub fn run(flags: &Check, proof: &Path, messages: &Messages) -> Outcome {
    let file = flags.file.as_deref();
    if let Some(solutions) = &flags.solutions {
        input::only_one_stdin("the .dlx file and --solutions", &[file, Some(solutions)])?;
    }
    let (name, dlx) = input::read_dlx(input::open(file, "a .dlx file")?)?;
    if dlx.problem.has_bounds() || dlx.problem.has_costs() {
        return Err(dialect(&name, &dlx, "there are no proofs about bounds or costs"));
    }
    FILES.iter().for_each(|file| files::reads(Some(&proof.join(file))));
    files::admit(flags.output.as_deref())?;
    match check(flags, proof, &name, &dlx, messages) {
        Ok(report) => {
            output::write_whole(flags.output.as_deref(), |out| out.write_all(report.as_bytes()))?;
            Ok(ExitStatus::Fine)
        }
        Err(No::Failure(failure)) => Err(failure),
        Err(No::Wrong(failure)) => {
            messages.failure(&failure);
            Ok(ExitStatus::Nothing)
        }
    }
}

/// Checks everything; answers with a report.
fn check(
    flags: &Check,
    proof: &Path,
    name: &str,
    dlx: &Dlx,
    messages: &Messages,
) -> Result<String, No> {
    let problem = &dlx.problem;
    let room = memory::room().unwrap_or(usize::MAX);
    let constraints = bind(name, dlx, &flags.rules.asked(), Some(messages))?;
    let mut checker = Checker::new(problem, &constraints).with_room(room);
    let paths = FILES.map(|file| proof.join(file));
    let open = |path: &Path| {
        // Nobody knows whether a pipe will ever end, and what is read is read again by others.
        let file = match std::fs::metadata(path) {
            Ok(there) if !there.is_file() => Err(io::Error::other("not a regular file")),
            _ => File::open(path),
        };
        match file {
            Ok(file) => Ok(BufReader::with_capacity(1 << 16, file)),
            Err(error) => Err(No::Failure(Failure::Io { name: path.display().to_string(), error })),
        }
    };

    let clauses = checker.clauses(open(&paths[0])?);
    let (clauses, cover) = clauses.map_err(|fault| no(&paths[0], fault))?;
    if let Some(cover) = &cover {
        let mut verifier = Verifier::new(problem).under(&constraints);
        let holds = verifier.cover(cover, &|_| 1).and_then(|()| verifier.constraints(cover));
        holds.map_err(|fault| {
            wrong(&paths[0], 1, format!("the blocked cover is no solution: {}", fault.what))
        })?;
    }
    if let Some(solutions) = &flags.solutions {
        compare(solutions, dlx, cover.as_deref())?;
    }
    let lemmas = checker.lemmas(open(&paths[1])?).map_err(|fault| no(&paths[1], fault))?;
    let steps = checker.derivation(open(&paths[2])?).map_err(|fault| no(&paths[2], fault))?;
    let steps = counted(steps, "clause");
    let public = ask_public(&paths, clauses + lemmas as usize)?;

    let (blocked, proved) = match &cover {
        Some(_) => (
            match flags.solutions {
                Some(_) => "it is a solution, the one that was given; the clauses block no other",
                None => "it is a solution; the clauses block no other",
            },
            "there is exactly one solution",
        ),
        None => ("none: the clauses are those of the problem alone", "there is no solution"),
    };
    Ok(format!(
        "clauses     {clauses}: as made anew from the file\n\
         blocked     {blocked}\n\
         lemmas      {lemmas}: each follows from its rule\n\
         derivation  {steps}: each follows by unit propagation, the empty one too\n\
         public      {public}\n\
         proved      {proved}\n"
    ))
}

fn wrong(path: &Path, line: u64, what: String) -> No {
    No::Wrong(Failure::Refused { name: path.display().to_string(), line, what })
}

fn no(path: &Path, fault: ProofFault) -> No {
    let name = path.display().to_string();
    match fault {
        ProofFault::Io(error) => No::Failure(Failure::Io { name, error }),
        ProofFault::Unreadable(line, what) => No::Failure(Failure::Refused { name, line, what }),
        ProofFault::Refused(line, what) => wrong(path, line, what),
    }
}

/// Whether the solution that was printed is the one that is blocked.
fn compare(solutions: &Path, dlx: &Dlx, cover: Option<&[OptionId]>) -> Result<(), No> {
    let catalog = Catalog::new(&dlx.problem);
    let graph = Graph::read(&dlx.problem).unwrap_or_default();
    let input = input::open(Some(solutions), "a stream of solutions")?;
    let name = input.name;
    let mut stream = Stream::new(BufReader::new(input.bytes), Some(&catalog), graph.width);
    let (mut given, mut options) = (Record::default(), Vec::new());
    let mut count = 0;
    while stream.next_record(&mut given).map_err(|error| unreadable(&name, error))? {
        if given.form == Form::JsonEnd {
            continue;
        }
        count += 1;
        let refuse = |what: &str| Err(wrong(Path::new(&name), given.line, what.into()));
        let Some(cover) = cover else {
            return refuse("a solution, and the proof is that there is none");
        };
        if given.form == Form::Tour {
            return refuse("a tour does not name options; give the solution in another format");
        }
        // Options that are the same may go by each other's numbers.
        let key = |options: &mut dyn Iterator<Item = OptionId>| {
            let entries = |option| {
                let mut entries: Vec<Entry> = dlx.problem.option(option).iter().collect();
                entries.sort_unstable();
                entries
            };
            let mut key: Vec<_> = options.map(entries).collect();
            key.sort_unstable();
            key
        };
        let foreign = |fault| Failure::Input { name: name.clone(), diagnostic: Box::new(fault) };
        given.cover(&mut options).map_err(foreign)?;
        let given_key = key(&mut options.iter().copied());
        if count > 1 || given_key != key(&mut cover.iter().copied()) {
            return refuse("this solution is not the one that the proof blocks");
        }
    }
    match (count, cover) {
        (0, Some(_)) => Err(wrong(Path::new(&name), 1, "there is no solution here".into())),
        _ => Ok(()),
    }
}

/// Has a public checker look at the derivation, if there is one on the path.
fn ask_public(paths: &[PathBuf; 3], count: usize) -> Result<String, No> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // A relative folder would be one that came with the proof.
    let folders: Vec<PathBuf> =
        std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
    let find = |name: &str| {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        folders.iter().map(|folder| folder.join(&name)).find(|path| path.is_file())
    };
    let found = PUBLIC.iter().find_map(|&(name, yes)| Some((name, yes, find(name)?)));
    let Some((name, yes, program)) = found else {
        return Ok("not asked: neither drat-trim nor rate is on the PATH".into());
    };
    let failure = |error| Failure::Io { name: name.into(), error };
    let together = tempfile::NamedTempFile::new().map_err(failure)?;
    if !put_together(paths, count, together.as_file()).map_err(failure)? {
        return Ok(format!("{name} was not asked: one of the clauses is empty"));
    }
    let ran = Command::new(program).arg(together.path()).arg(&paths[2]).output();
    let ran = ran.map_err(failure)?;
    let says = String::from_utf8_lossy(&ran.stdout);
    match says.lines().any(|line| line.trim() == yes) {
        true => Ok(format!("{name}: verified, from clauses and lemmas")),
        false => Err(wrong(&paths[2], 1, format!("{name} does not accept the derivation"))),
    }
}

/// Writes clauses and lemmas as one file in DIMACS. False if there is an empty clause: some programs
/// do not take that, and there is nothing to derive.
fn put_together(paths: &[PathBuf; 3], count: usize, file: &File) -> io::Result<bool> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let mut line = Vec::new();
    for path in &paths[..2] {
        let mut lines = BufReader::with_capacity(1 << 16, File::open(path)?);
        loop {
            line.clear();
            if lines.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            if line.starts_with(b"p cnf ") {
                let words: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
                out.write_all(b"p cnf ")?;
                out.write_all(words[2])?;
                writeln!(out, " {count}")?;
            } else if !line.starts_with(b"c ") {
                if line.starts_with(b"0") {
                    return Ok(false);
                }
                // A lemma goes on behind its clause.
                let end = memchr::memmem::find(&line, b" 0 ").map_or(line.len(), |at| at + 2);
                out.write_all(line[..end].trim_ascii_end())?;
                out.write_all(b"\n")?;
            }
        }
    }
    out.flush()?;
    Ok(true)
}
