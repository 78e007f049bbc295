//! `quadrille check --solutions`: whether solutions are right, by their definition or by the rules of
//! the puzzle. The first that is wrong is shown.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::cli::args::{Board, Check};
use crate::cli::exit::{Failure, Outcome, Status};
use crate::cli::filter::{unreadable, verifier};
use crate::cli::input::{self, Input};
use crate::cli::message::Messages;
use crate::cli::{board, files, output};
use crate::constraint::graph::{Graph, colored_width};
use crate::diagnostic::Diagnostic;
use crate::dlx::parse::{self, Dlx};
use crate::dlx::write::Writer;
use crate::ids::OptionId;
use crate::names::{Role, Width};
use crate::puzzle::Model;
use crate::solutions::catalog::Catalog;
use crate::solutions::cover::{Cover, CoverError, Covers, Form};
use crate::solutions::read::{Records, StreamError};
use crate::solutions::verify::{Earlier, Fault, Seen, Verifier};

/// What a cover is known by, and how often it may come.
type Key = (Vec<u32>, u64);

/// Runs it on `solutions`.
pub fn run(flags: &Check, solutions: &Path, messages: &Messages) -> Outcome {
    if flags.kind.is_some() {
        return by_rules(flags, solutions, messages);
    }
    let file = flags.file.as_deref();
    input::only_one_stdin("the .dlx file and --solutions", &[file, Some(solutions)])?;
    let (name, dlx) = input::read_dlx(input::open(file, "a .dlx file")?)?;
    let mut judge = Judge {
        verifier: verifier(&name, &dlx, &flags.rules, messages)?,
        catalog: &Catalog::new(&dlx.problem),
        graph: Graph::read(&dlx.problem).unwrap_or_default(),
    };
    let (stream, again) = Again::open(solutions)?;
    files::admit(flags.output.as_deref())?;
    let name = stream.name;
    let mut covers = Covers::new(BufReader::new(stream.bytes), judge.catalog, judge.graph.width);
    let mut cover = Cover::default();
    let mut seen = Seen::default();
    let mut count = 0;
    loop {
        match covers.next_cover(&mut cover) {
            Ok(true) => {}
            Ok(false) => break,
            // It can be read, but there is no such option: so it is no solution.
            Err(CoverError::Foreign(diagnostic)) => return Ok(wrong(&name, *diagnostic, messages)),
            Err(error) => return Err(unreadable(&name, error)),
        }
        if cover.form == Form::JsonEnd {
            if cover.number < count {
                let what = format!("more solutions came before this line: {count}");
                return Ok(wrong(&name, cover.complain_at_head(what), messages));
            }
            continue;
        }
        count += 1;
        let (key, most) = match judge.judge(&cover) {
            Ok(key) => key,
            Err(fault) => return Ok(wrong(&name, place(&cover, &fault), messages)),
        };
        if let Some(Earlier { record, times }) = seen.add(&key, count)
            && times >= most
            && again.key(record, &judge)?.is_some_and(|(earlier, _)| earlier == key)
        {
            let what = format!("this solution is the same as solution {record} of the stream");
            return Ok(wrong(&name, cover.complain_at_head(what), messages));
        }
    }
    let rules = match (flags.rules.single_loop, flags.rules.connected.is_empty()) {
        (false, true) => "",
        (true, true) => ", the loop closes",
        (false, false) => ", the cells are connected",
        (true, false) => ", the loop closes, the cells are connected",
    };
    report(flags, &format!("solutions {count}: all are covers{rules}, none comes twice"))
}

fn report(flags: &Check, verdict: &str) -> Outcome {
    output::write_whole(flags.output.as_deref(), |out| writeln!(out, "{verdict}"))?;
    Ok(Status::Fine)
}

/// Says what is wrong with a solution.
fn wrong(name: &str, diagnostic: Diagnostic, messages: &Messages) -> Status {
    let name = name.to_owned();
    messages.failure(&Failure::Input { name, diagnostic: Box::new(diagnostic) });
    Status::Nothing
}

/// The place of a fault in the stream.
fn place(cover: &Cover, fault: &Fault) -> Diagnostic {
    let listed = fault.at.and_then(|at| match cover.form {
        Form::Tour => cover.tour.get(at).map(|(_, span)| span.clone()),
        _ => cover.options.get(at).map(|listed| listed.span.clone()),
    });
    match listed {
        Some(span) => cover.complain(span, &fault.what),
        None => cover.complain_at_head(&fault.what),
    }
}

/// Judges one solution at a time.
struct Judge<'d> {
    verifier: Verifier<'d>,
    catalog: &'d Catalog<'d>,
    graph: Graph,
}

impl Judge<'_> {
    fn judge(&mut self, cover: &Cover) -> Result<Key, Fault> {
        if cover.form == Form::Tour {
            return self.tour(cover);
        }
        let options: Vec<OptionId> = cover.options.iter().map(|listed| listed.option).collect();
        // Numbers tell copies of an option apart, entries do not.
        let by_entries = cover.form == Form::Knuth;
        let catalog = self.catalog;
        let copies = |option| if by_entries { catalog.copies(option) } else { 1 };
        self.verifier.cover(&options, &copies)?;
        self.verifier.rules(&options)?;
        Ok(self.key(cover))
    }

    fn tour(&self, cover: &Cover) -> Result<Key, Fault> {
        let vertices: Vec<_> = cover.tour.iter().map(|&(at, _)| at).collect();
        let (edges, determined) = self.verifier.tour(&vertices, &self.graph)?;
        // Other covers may have the same edges, unless these leave no choice.
        Ok((edges, if determined { 1 } else { u64::MAX }))
    }

    /// The key of a cover that is right.
    fn key(&self, cover: &Cover) -> Key {
        let mut key: Vec<u32> =
            cover.options.iter().map(|listed| listed.option.index() as u32).collect();
        key.sort_unstable();
        if cover.form != Form::Knuth {
            return (key, 1);
        }
        // Each of several copies may have been meant.
        let groups = key.chunk_by(|a, b| a == b);
        let ways = |group: &[u32]| {
            let copies = self.catalog.copies(OptionId::new(group[0]));
            let taken = group.len() as u64;
            (0..taken).fold(1u64, |ways, i| ways.saturating_mul(copies - i) / (i + 1))
        };
        let most = groups.map(ways).fold(1u64, u64::saturating_mul);
        (key, most)
    }
}

/// Where a stream of solutions can be read once more.
struct Again {
    path: PathBuf,
    /// Kept until the end, if `path` is a copy.
    _copy: Option<NamedTempFile>,
}

impl Again {
    /// Opens a stream so that it can be read again: what is no file is copied to one on the way.
    fn open(path: &Path) -> Result<(Input, Again), Failure> {
        let input = input::open(Some(path), "a stream of solutions")?;
        if path.is_file() {
            return Ok((input, Again { path: path.to_owned(), _copy: None }));
        }
        let failure = |error| Failure::Io { name: "temporary file".into(), error };
        let copy = NamedTempFile::new().map_err(failure)?;
        let Input { name, bytes } = input;
        let bytes = Box::new(Copying { bytes, copy: copy.reopen().map_err(failure)? });
        Ok((Input { name, bytes }, Again { path: copy.path().to_owned(), _copy: Some(copy) }))
    }

    /// The key of record `number`, counted from 1.
    fn key(&self, number: u64, judge: &Judge<'_>) -> Result<Option<Key>, Failure> {
        let Input { name, bytes } = input::open(Some(&self.path), "a stream of solutions")?;
        let mut covers = Covers::new(BufReader::new(bytes), judge.catalog, judge.graph.width);
        let mut cover = Cover::default();
        let mut count = 0;
        while covers.next_cover(&mut cover).map_err(|error| unreadable(&name, error))? {
            count += u64::from(cover.form != Form::JsonEnd);
            if count == number {
                return Ok(match cover.form {
                    Form::Tour => judge.tour(&cover).ok(),
                    _ => Some(judge.key(&cover)),
                });
            }
        }
        Ok(None)
    }
}

/// A reader that keeps a copy of what it reads.
struct Copying {
    bytes: Box<dyn Read + Send>,
    copy: File,
}

impl Read for Copying {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let taken = self.bytes.read(buffer)?;
        self.copy.write_all(&buffer[..taken])?;
        Ok(taken)
    }
}

/// `--kind`: the colors of each solution, by the rules of the puzzle.
fn by_rules(flags: &Check, solutions: &Path, messages: &Messages) -> Outcome {
    let board_path = flags.board.as_deref().map(Path::new);
    // Without a .dlx file the board itself is read as one.
    let inputs = [board_path, Some(solutions), flags.file.as_deref().or(Some(solutions))];
    let used = if flags.file.is_some() { &inputs[..] } else { &inputs[..2] };
    input::only_one_stdin("the board, the .dlx file and --solutions", used)?;
    let kind = flags.kind.map(Into::into);
    let board = Board { kind, board: flags.board.clone(), from: flags.from };
    let board::Read { kind, clues, .. } = board::read(&board, messages)?;
    let dlx: Dlx = match &flags.file {
        Some(path) => input::read_dlx(input::open(Some(path), "a .dlx file")?)?.1,
        None => {
            let mut text = Vec::new();
            let written = kind.write(&clues, Model::default(), &mut Writer::new(&mut text));
            written.map_err(|error| Failure::Io { name: "<generated>".into(), error })?;
            parse::read(&text[..])
                .map_err(|error| Failure::Usage(format!("<generated>: {error}; this is a bug")))?
        }
    };
    let is_loop = kind.constraints().contains(&"--loop");
    let role = if is_loop { Role::Edge } else { Role::Cell };
    let width: Option<Width> = colored_width(&dlx.problem, role);
    let Input { name, bytes } = input::open(Some(solutions), "a stream of solutions")?;
    let mut records = Records::new(BufReader::new(bytes), Some(&dlx.problem), width);
    let mut count = 0u64;
    loop {
        let record = match records.next_record() {
            Ok(Some(record)) => record,
            Ok(None) => break,
            Err(StreamError::Io(error)) => return Err(Failure::Io { name, error }),
            Err(StreamError::Syntax(diagnostic)) => {
                return Err(Failure::Input { name, diagnostic });
            }
        };
        count += 1;
        if let Err(broken) = kind.check(&clues, &record.coloring) {
            let what = format!("solution {}: {broken}", record.number);
            messages.failure(&Failure::Refused { name, line: record.line, what });
            return Ok(Status::Nothing);
        }
    }
    report(flags, &format!("solutions {count}: all obey the rules of {}", kind.name()))
}
