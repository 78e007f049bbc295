//! `solve --certify`: the tree of a search, written as it grows; and `check --certificate`, which replays it.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use crate::cli::args::Check;
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::message::Messages;
use crate::cli::rules::bind;
use crate::cli::session::Answer;
use crate::cli::{files, input, memory, output};
use crate::proof::certificate::{Claim, Refused, check, header};
use crate::query::Query;
use crate::search::algorithm_c::TreeSearch;
use crate::search::engine::{Engine, Sink, Status};
use crate::search::stats::Stats;
use crate::solution::Choices;
use crate::wording::counted;

/// A certificate that is being written. The claim, which comes first, is known last; so the tree goes to a file without
/// a name beside it.
pub struct Certificate {
    path: PathBuf,
    body: BufWriter<File>,
    failure: Option<io::Error>,
    unfounded: bool,
}

impl Certificate {
    /// Nothing yet.
    ///
    /// # Errors
    ///
    /// There can be no such file.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Err(Failure::Usage("--certify: give a file".into()));
        }
        files::admit(Some(path))?;
        output::probe(Some(path))?;
        let named = |error| Failure::Io { name: path.display().to_string(), error };
        let body = tempfile::tempfile_in(files::folder(path))
            .map_err(|error| named(output::unplaced(path, error)))?;
        let (body, path) = (BufWriter::with_capacity(1 << 16, body), path.to_owned());
        Ok(Certificate { path, body, failure: None, unfounded: false })
    }

    /// Takes what the engine recorded; false if it cannot be written.
    fn drain(&mut self, engine: &mut dyn Engine) -> bool {
        if let Some((bytes, unfounded)) = engine.recorded() {
            self.unfounded |= unfounded;
            let written = self.body.write_all(bytes);
            self.failure = self.failure.take().or(written.err());
            bytes.clear();
        }
        self.failure.is_none()
    }

    /// The search is over. Writes the certificate, if it proves anything.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn end(
        self,
        query: &Query<'_>,
        answer: &Answer,
        messages: &Messages,
    ) -> Result<(), Failure> {
        let Certificate { path, body, failure, unfounded } = self;
        let named = |error| Failure::Io { name: path.display().to_string(), error };
        if let Some(error) = failure {
            return Err(named(error));
        }
        assert!(!unfounded, "each reason of a constraint is a lemma");
        let found = u128::from(answer.stats.solutions);
        let claim = match (answer.exhausted, answer.enough) {
            (true, _) => Claim::Exactly(found),
            (false, true) => Claim::AtLeast(found),
            (false, false) => {
                messages.note("no certificate was written: the search did not end");
                return Ok(());
            }
        };
        let mut body = body.into_inner().map_err(|error| named(error.into_error()))?;
        body.rewind().map_err(named)?;
        let head = header(query.problem(), query.constraints(), claim);
        output::write_whole(Some(&path), |out| {
            out.write_all(head.as_bytes())?;
            io::copy(&mut body, out).map(drop)
        })
    }
}

/// A search whose record goes to a certificate after each call.
pub struct Certified<'c, 'p> {
    engine: Box<dyn TreeSearch + 'p>,
    certificate: &'c mut Certificate,
}

impl<'c, 'p> Certified<'c, 'p> {
    /// Records from the root on.
    pub fn new(mut engine: Box<dyn TreeSearch + 'p>, certificate: &'c mut Certificate) -> Self {
        engine.record();
        Certified { engine, certificate }
    }
}

impl Engine for Certified<'_, '_> {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn run(&mut self, work: u64, sink: &mut dyn Sink) -> Status {
        let status = self.engine.run(work, sink);
        if self.certificate.drain(&mut *self.engine) { status } else { Status::Stopped }
    }

    fn limit(&mut self, nodes: u64) {
        self.engine.limit(nodes);
    }

    fn stats(&self) -> Stats {
        self.engine.stats()
    }

    fn work(&self) -> u64 {
        self.engine.work()
    }

    fn effort(&self) -> u64 {
        self.engine.effort()
    }

    fn choices(&self) -> &dyn Choices {
        self.engine.choices()
    }
}

/// Runs `check --certificate`.
pub fn run(flags: &Check, certificate: &Path, messages: &Messages) -> Outcome {
    let file = flags.file.as_deref();
    input::only_one_stdin("the .dlx file and --certificate", &[file, Some(certificate)])?;
    let (name, dlx) = input::read_dlx(input::open(file, "a .dlx file")?)?;
    let constraints = bind(&name, &dlx, &flags.rules.asked(), Some(messages))?;
    files::reads(output::named(Some(certificate)));
    files::admit(flags.output.as_deref())?;
    let input = input::open(Some(certificate), "a certificate")?;
    let (source, bytes) = (input.name, BufReader::new(input.bytes));
    let room = memory::room().unwrap_or(usize::MAX);
    let checked = check(&dlx.problem, &constraints, bytes, room);
    match checked {
        Ok(checked) => {
            let lemmas = match checked.lemmas {
                0 => String::new(),
                lemmas => format!("; {}: each follows from its constraint", counted(lemmas, "lemma")),
            };
            let under = match constraints.flags().as_str() {
                "none" => String::new(),
                flags => format!(" under {flags}"),
            };
            let nodes = counted(checked.nodes, "node");
            let report = format!(
                "tree        {nodes}: each is split on all options of its item{lemmas}\n\
                 proved      {name} {}{under}\n",
                checked.claim.sentence()
            );
            output::write_whole(flags.output.as_deref(), |out| out.write_all(report.as_bytes()))?;
            Ok(ExitStatus::Fine)
        }
        Err(Refused::Io(error)) => Err(Failure::Io { name: source, error }),
        Err(Refused::At(byte, what)) => {
            messages.failure(&Failure::Unwritable { name: source, what: format!("byte {byte}: {what}") });
            Ok(ExitStatus::Nothing)
        }
    }
}
