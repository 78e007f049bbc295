//! `quadrille check --solutions`: whether solutions are right, by their definition or by the rules of
//! the puzzle. The first that is wrong is shown.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::cli::args::{BoardArgs, Check};
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::filter::unreadable;
use crate::cli::input::{self, Input};
use crate::cli::message::Messages;
use crate::cli::rules::bind;
use crate::cli::{board, files, output};
use crate::constraint::graph::{Graph, colored_width};
use crate::constraint::registry::claims;
use crate::constraint::single_loop::propagator::SingleLoopPropagator;
use crate::diagnostic::Diagnostic;
use crate::dlx::parse::{self, Dlx};
use crate::dlx::write::Writer;
use crate::ids::OptionId;
use crate::names::Width;
use crate::problem::Problem;
use crate::puzzle::Model;
use crate::search;
use crate::search::engine::{Engine as _, Status};
use crate::solution::Choices;
use crate::solutions::catalog::Catalog;
use crate::solutions::record::{Form, Record};
use crate::solutions::stream::{Stream, StreamError};
use crate::solutions::verify::{Earlier, SolutionFault, SeenSolutions, Verifier};

/// What a cover is known by: its options in order, or of a tour the items of its edges.
type CoverKey = Vec<u32>;

/// Runs it on `solutions`.
pub fn run(flags: &Check, solutions: &Path, messages: &Messages) -> Outcome {
    if flags.kind.is_some() {
        return by_rules(flags, solutions, messages);
    }
    let file = flags.file.as_deref();
    input::only_one_stdin("the .dlx file and --solutions", &[file, Some(solutions)])?;
    let (name, dlx) = input::read_dlx(input::open(file, "a .dlx file")?)?;
    let constraints = bind(&name, &dlx, &flags.rules.asked(), Some(messages))?;
    let mut judge = SolutionJudge {
        verifier: Verifier::new(&dlx.problem).under(&constraints),
        catalog: &Catalog::new(&dlx.problem),
        graph: Graph::read(&dlx.problem).unwrap_or_default(),
        options: Vec::new(),
        covers: HashMap::new(),
        uncounted: false,
    };
    let (stream, again) = Again::open(solutions)?;
    files::admit(flags.output.as_deref())?;
    let name = stream.name;
    let mut stream = judge.stream(stream.bytes);
    let mut record = Record::default();
    let mut seen = SeenSolutions::default();
    let mut count = 0;
    loop {
        match stream.next_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            // It can be read, but there is no such option: so it is no solution.
            Err(StreamError::Foreign(diagnostic)) => {
                return Ok(wrong(&name, *diagnostic, messages));
            }
            Err(error) => return Err(unreadable(&name, error)),
        }
        if record.form == Form::JsonEnd {
            if record.number < count {
                let what = format!("more solutions came before this line: {count}");
                return Ok(wrong(&name, record.complain_at_head(what), messages));
            }
            continue;
        }
        count += 1;
        let key = match judge.judge(&record) {
            Ok(key) => key,
            Err(fault) => return Ok(wrong(&name, fault, messages)),
        };
        if let Some(Earlier { record: first, times }) = seen.add(&key, count)
            && times >= judge.most(&record, &key)
            && again.key(first, &mut judge)? == Some(key)
        {
            let what = format!("this solution is the same as solution {first} of the stream");
            return Ok(wrong(&name, record.complain_at_head(what), messages));
        }
    }
    let claims = claims(&flags.rules.asked());
    let twice = match judge.uncounted {
        false => "none comes twice",
        true => "but tours come again, and nobody counted how many covers they have",
    };
    report(flags, &format!("solutions {count}: all are covers{claims}, {twice}"))
}

fn report(flags: &Check, verdict: &str) -> Outcome {
    output::write_whole(flags.output.as_deref(), |out| writeln!(out, "{verdict}"))?;
    Ok(ExitStatus::Fine)
}

/// Says what is wrong with a solution.
fn wrong(name: &str, diagnostic: Diagnostic, messages: &Messages) -> ExitStatus {
    let name = name.to_owned();
    messages.failure(&Failure::Input { name, diagnostic: Box::new(diagnostic) });
    ExitStatus::Nothing
}

/// The most nodes of a search that counts the covers of one tour.
const MOST_NODES: u64 = 100_000;

/// Judges one solution at a time.
struct SolutionJudge<'d> {
    verifier: Verifier<'d>,
    catalog: &'d Catalog<'d>,
    graph: Graph,
    /// The options of the record at hand.
    options: Vec<OptionId>,
    /// By the edges of a tour that came again: how many covers have these.
    covers: HashMap<CoverKey, u64>,
    /// Whether one of these has too many to be counted.
    uncounted: bool,
}

impl<'d> SolutionJudge<'d> {
    fn stream<R: Read>(&self, bytes: R) -> Stream<'d, 'd, BufReader<R>> {
        Stream::new(BufReader::new(bytes), Some(self.catalog), self.graph.width)
    }

    /// The key of a solution that is right.
    fn judge(&mut self, record: &Record) -> Result<CoverKey, Diagnostic> {
        let key = self.key(record)?;
        if record.form != Form::Tour {
            // Numbers tell copies of an option apart, entries do not.
            let catalog = self.catalog;
            let by_entries = record.form == Form::Knuth;
            let copies = |option| if by_entries { catalog.copies(option) } else { 1 };
            let verdict = self.verifier.cover(&self.options, &copies);
            let verdict = verdict.and_then(|()| self.verifier.constraints(&self.options));
            verdict.map_err(|fault| record.complain_of(&fault))?;
        }
        Ok(key)
    }

    /// What a solution is known by.
    fn key(&mut self, record: &Record) -> Result<CoverKey, Diagnostic> {
        if record.form == Form::Tour {
            let (edges, agreeing) =
                self.tour(record).map_err(|fault| record.complain_of(&fault))?;
            self.options = agreeing;
            return Ok(edges);
        }
        record.cover(&mut self.options)?;
        let mut key: CoverKey = self.options.iter().map(|option| option.index() as u32).collect();
        key.sort_unstable();
        Ok(key)
    }

    fn tour(&self, record: &Record) -> Result<(CoverKey, Vec<OptionId>), SolutionFault> {
        let vertices: Vec<_> = record.tour.iter().map(|&(at, _)| at).collect();
        self.verifier.tour(&vertices, &self.graph)
    }

    /// How often the solution at hand may come, whose key this is.
    fn most(&mut self, record: &Record, key: &CoverKey) -> u64 {
        match record.form {
            Form::Tour => {
                let SolutionJudge { catalog, graph, options, covers, .. } = self;
                let count = || covers_of(catalog.problem, options, graph);
                let most = *covers.entry(key.clone()).or_insert_with(count);
                self.uncounted |= most == u64::MAX;
                most
            }
            Form::Knuth => {
                // Each of several copies may have been meant.
                let ways = |group: &[u32]| {
                    let copies = self.catalog.copies(OptionId::new(group[0]));
                    let taken = group.len() as u64;
                    (0..taken).fold(1u64, |ways, i| ways.saturating_mul(copies - i) / (i + 1))
                };
                key.chunk_by(|a, b| a == b).map(ways).fold(1u64, u64::saturating_mul)
            }
            _ => 1,
        }
    }
}

/// How many covers of `options`, those that agree with the edges of a tour, have all of these; the largest number
/// if that would take long. A part of a cycle is none, so `--loop` tells which covers have all.
fn covers_of(problem: &Problem, options: &[OptionId], graph: &Graph) -> u64 {
    let problem = problem.restricted(options, |_, _| true);
    let mut engine = search::links_under(&problem, SingleLoopPropagator::new(&problem, graph));
    engine.limit(MOST_NODES);
    match engine.run(u64::MAX, &mut |_: &dyn Choices| ControlFlow::Continue(())) {
        Status::Exhausted => engine.stats().solutions,
        _ => u64::MAX,
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
    fn key(&self, number: u64, judge: &mut SolutionJudge<'_>) -> Result<Option<CoverKey>, Failure> {
        let Input { name, bytes } = input::open(Some(&self.path), "a stream of solutions")?;
        let mut stream = judge.stream(bytes);
        let mut record = Record::default();
        let mut count = 0;
        while stream.next_record(&mut record).map_err(|error| unreadable(&name, error))? {
            count += u64::from(record.form != Form::JsonEnd);
            if count == number {
                return Ok(judge.key(&record).ok());
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
    let board = BoardArgs { kind, board: flags.board.clone(), from: flags.from };
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
    let width: Option<Width> = colored_width(&dlx.problem, kind.role());
    let Input { name, bytes } = input::open(Some(solutions), "a stream of solutions")?;
    let catalog = Catalog::new(&dlx.problem);
    let mut stream = Stream::new(BufReader::new(bytes), Some(&catalog), width);
    let mut record = Record::default();
    let mut count = 0u64;
    loop {
        let colors = match stream.next_record(&mut record) {
            Ok(true) if record.form == Form::JsonEnd => continue,
            Ok(true) => record.colors(Some(&dlx.problem), width),
            Ok(false) => break,
            Err(StreamError::Foreign(diagnostic)) => Err(*diagnostic),
            Err(error) => return Err(unreadable(&name, error)),
        };
        let colors = match colors {
            Ok(colors) => colors,
            Err(fault) => return Ok(wrong(&name, fault, messages)),
        };
        count += 1;
        if let Err(broken) = kind.check(&clues, &colors) {
            let what = format!("solution {}: {broken}", record.number);
            messages.failure(&Failure::Refused { name, line: record.line, what });
            return Ok(ExitStatus::Nothing);
        }
    }
    report(flags, &format!("solutions {count}: all obey the rules of {}", kind.name()))
}
