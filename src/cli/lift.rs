//! `quadrille lift`: solutions of a reduced file as solutions of the original.

use std::collections::HashMap;
use std::io::BufReader;

use crate::cli::args::Lift;
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::filter::unreadable;
use crate::cli::input::{self, Input};
use crate::cli::message::Messages;
use crate::cli::output::Output;
use crate::dlx::parse::Dlx;
use crate::ids::OptionId;
use crate::search::replay::Replayer;
use crate::solution::Choice;
use crate::solutions::catalog::{Catalog, Copies};
use crate::solutions::format::{Lifts, SolutionFormat, SolutionSource, WriteSolution};
use crate::solutions::jsonl::JSONL;
use crate::solutions::numbers::OPTIONS;
use crate::solutions::record::{Form, Record};
use crate::solutions::stream::Stream;
use crate::solutions::text::KNUTH;
use crate::solutions::verify::Verifier;
use crate::wording::counted;

/// Runs it.
pub fn run(flags: &Lift, messages: &Messages) -> Outcome {
    let inputs =
        [Some(flags.problem.as_path()), flags.original.as_deref(), flags.solutions.as_deref()];
    let used = if flags.original.is_some() { &inputs[..] } else { &[inputs[0], inputs[2]] };
    input::only_one_stdin("--problem, --original and the solutions", used)?;
    let (name, dlx) = input::read_dlx(input::open(Some(&flags.problem), "a .dlx file")?)?;
    let mut original = match &flags.original {
        Some(path) => Some(input::read_dlx(input::open(Some(path), "a .dlx file")?)?),
        None => None,
    };
    if let Some((_, original)) = &mut original {
        original.problem.branch_by(flags.branch.rule);
    }
    match flags.format.map(|format| (format.lifts, format.name)) {
        Some((Lifts::Never(why), _)) => return Err(Failure::Usage(why.into())),
        Some((Lifts::ByItems, name)) if original.is_none() => {
            return Err(Failure::Usage(format!("--format {name} needs --original")));
        }
        _ => {}
    }
    let lifter = Lifter::new(&name, &dlx, original.as_ref())?;
    let Input { name, bytes } = input::open(flags.solutions.as_deref(), "a stream of solutions")?;
    let output = Output::open(flags.output.as_deref())?;
    let lifted = lifter.lift_all(&name, bytes, flags, &output);
    // What was lifted before a fault is out, as with any pipe.
    let count = match output.finish() {
        Err(Failure::BrokenPipe) => return Ok(ExitStatus::Fine),
        finished => finished.and(lifted)?,
    };
    messages.detail(&format!("{} lifted", counted(count, "solution")));
    Ok(if count > 0 { ExitStatus::Fine } else { ExitStatus::Nothing })
}

struct Lifter<'a> {
    dlx: &'a Dlx,
    original: Option<&'a (String, Dlx)>,
    /// By option of the reduced problem: that of the original.
    origins: Vec<OptionId>,
}

impl<'a> Lifter<'a> {
    fn new(name: &str, dlx: &'a Dlx, original: Option<&'a (String, Dlx)>) -> Result<Self, Failure> {
        let refuse = |name: &str, line, what: String| {
            Err(Failure::Refused { name: name.to_owned(), line, what })
        };
        let mut origins = Vec::with_capacity(dlx.problem.options());
        for option in dlx.problem.option_ids() {
            let number = dlx.origins.get(option.index()).copied().unwrap_or(0);
            let Some(index) = u32::try_from(number).ok().and_then(|number| number.checked_sub(1))
            else {
                let what = format!("option {} has no comment `| (from n)`", option.index() + 1);
                return refuse(name, dlx.notes.item_line, what);
            };
            if let Some((original, other)) = original
                && index as usize >= other.problem.options()
            {
                let what = format!("there is no option {number}, of which {name} speaks");
                return refuse(original, other.notes.item_line, what);
            }
            origins.push(OptionId::new(index));
        }
        Ok(Lifter { dlx, original, origins })
    }

    /// Writes solutions of the original, which come as such where the format needs it, and otherwise as options of the
    /// reduced problem.
    fn writer(&self, format: &SolutionFormat) -> Box<dyn WriteSolution + '_> {
        let source = match (self.original, format.lifts) {
            (Some((_, dlx)), Lifts::ByItems) => {
                SolutionSource { problem: &dlx.problem, original: None, graph: None }
            }
            _ => SolutionSource {
                problem: &self.dlx.problem,
                original: Some(&self.origins),
                graph: None,
            },
        };
        let writer = format.writer.expect("a ZDD is not lifted");
        writer(&source)
    }

    /// Lifts a stream; answers how many solutions there were.
    fn lift_all(
        &self,
        name: &str,
        stream: impl std::io::Read,
        flags: &Lift,
        output: &Output,
    ) -> Result<u64, Failure> {
        let problem = &self.dlx.problem;
        let catalog = Catalog::new(problem);
        let mut copies = Copies::new(&catalog);
        let bytes = BufReader::with_capacity(1 << 16, stream);
        let mut stream = Stream::new(bytes, Some(&catalog), None).trusting();
        let mut verifier = self.original.map(|(_, dlx)| Verifier::new(&dlx.problem));
        let mut replayer = self.original.map(|(_, dlx)| Replayer::new(&dlx.problem));
        let mut writers: HashMap<&str, Box<dyn WriteSolution + '_>> = HashMap::new();
        let (mut record, mut options) = (Record::default(), Vec::new());
        let mut count = 0;
        loop {
            if stream.may_wait() && output.flush().is_err() {
                return Ok(count);
            }
            match stream.next_record(&mut record) {
                Ok(true) => {}
                Ok(false) => return Ok(count),
                Err(error) => return Err(unreadable(name, error)),
            }
            let complain = |what: String| Failure::Input {
                name: name.to_owned(),
                diagnostic: Box::new(record.complain_at_head(what)),
            };
            let came = match record.form {
                Form::JsonEnd => {
                    if output.push(|out| out.extend_from_slice(&record.text)).is_err() {
                        return Ok(count);
                    }
                    continue;
                }
                Form::Tour => return Err(complain("a tour has no options to lift".into())),
                Form::Knuth if self.original.is_some() => &KNUTH,
                Form::Knuth | Form::Numbers => &OPTIONS,
                Form::Json => &JSONL,
            };
            let format = flags.format.unwrap_or(came);
            count += 1;
            record.cover(&mut options).map_err(|fault| Failure::Input {
                name: name.to_owned(),
                diagnostic: Box::new(fault),
            })?;
            if record.form == Form::Knuth && !copies.tell_apart(&mut options) {
                let what =
                    "this solution comes more often than the problem has copies of its options";
                return Err(complain(what.into()));
            }
            let only = |&option: &OptionId| {
                let item = problem.option(option).get(0).item;
                Choice { option: Some(option), item, rank: 1, degree: 1 }
            };
            let chosen: Vec<Choice> = options.iter().map(only).collect();
            options.iter_mut().for_each(|option| *option = self.origins[option.index()]);
            if let Some(verifier) = &mut verifier
                && let Err(fault) = verifier.cover(&options, &|_| 1)
            {
                let what = format!("lifted, this is no solution of the original: {}", fault.what);
                return Err(complain(what));
            }
            options.sort_unstable();
            let writer = writers.entry(format.name).or_insert_with(|| self.writer(format));
            let pushed = output.push(|out| match (&mut replayer, format.lifts) {
                (Some(replayer), Lifts::ByItems) => {
                    writer.write(record.number, &replayer.replay(&options), out);
                }
                _ => writer.write(record.number, &chosen, out),
            });
            if pushed.is_err() {
                return Ok(count);
            }
        }
    }
}
