//! `quadrille solve`: a `.dlx` file's solutions.

use std::path::PathBuf;

use crate::cli::args::Solve;
use crate::cli::certify::Certificate;
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::long::{self, Job};
use crate::cli::message::Messages;
use crate::cli::output::Output;
use crate::cli::prove::{self, ProofFolder};
use crate::cli::rules::bind;
use crate::cli::session::{Answer, Session};
use crate::cli::{Memory, facts, input, zdd};
use crate::constraint::single_loop;
use crate::ids::{ItemId, OptionId};
use crate::problem::Problem;
use crate::proof::header::Header;
use crate::query::table::{self, Feature};
use crate::query::{Goal, Query};
use crate::search::replay::Replayer;
use crate::solution::Choices;
use crate::solutions::format::{FORMATS, SolutionSource, WriteSolution};
use crate::solutions::jsonl::{self, JSONL};
use crate::solutions::tour::TOUR;
use crate::solutions::zdd::ZDD;
use crate::wording::{counted, printable};

/// Runs it.
pub fn run(flags: &Solve, messages: &Messages, memory: Memory) -> Outcome {
    let asked = parts(flags);
    table::check(&asked).map_err(|clash| Failure::Usage(clash.to_string()))?;
    if flags.facts.is_some() {
        return facts::run(flags, &asked, messages, memory);
    }
    if flags.proof.is_some() {
        messages.note_one_thread(flags.long.threads, "a proof is made by one");
    }
    let session = Session::start(&flags.search, messages, memory);
    session.control.tick(None);
    let (name, mut dlx) = input::read_dlx(input::open(flags.file.as_deref(), "a .dlx file")?)?;
    session.admit(&name, &dlx, &asked)?;
    dlx.problem.branch_by(flags.search.branch.rule);
    let original = flags.seed.map(|seed| {
        let (shuffled, original) = dlx.problem.shuffled(seed);
        dlx.problem = shuffled;
        original
    });
    let constraints = bind(&name, &dlx, &flags.rules.asked(), Some(messages))?;
    if flags.format.is(&ZDD) {
        let query = session.query(&dlx.problem, constraints, Goal::Zdd);
        return zdd::run(flags, &session, &query, original.as_deref());
    }
    let read = session.control.elapsed();
    let problem = &dlx.problem;
    let query = session.query(problem, constraints, goal(flags));
    if flags.proof.is_none()
        && flags.certify.is_none()
        && let Some(way) = long::engine(flags, &query, messages)?
    {
        let job = Job { flags, query: &query, original: original.as_deref(), way };
        return long::run(&job, &session, read);
    }
    let direct = flags.proof.as_ref().map(|_| prove::direct(&name, dlx.notes.item_line, problem));
    let direct = direct.transpose()?;
    let open = |(folder, direct): (&PathBuf, _)| {
        ProofFolder::open(folder, problem, direct, Header::new(problem, query.constraints()))
    };
    let mut proof = flags.proof.as_ref().zip(direct.as_ref()).map(open).transpose()?;
    let mut certificate = flags.certify.as_deref().map(Certificate::open).transpose()?;
    let output = Output::open(flags.output.as_deref())?;

    let graph = query.constraints().tour_graph();
    let mut writer =
        writer(flags, &SolutionSource { problem, original: original.as_deref(), graph });
    let mut first: Option<Vec<OptionId>> = None;
    let mut visit = |n: u64, choices: &dyn Choices| {
        if n == 1 && flags.proof.is_some() {
            first = Some(choices.cover());
        }
        match flags.count || !n.is_multiple_of(flags.every) {
            true => Ok(()),
            false => output.push(|out| writer.write(n, choices, out)),
        }
    };
    let answer = if let Some(certificate) = &mut certificate {
        session.certify(&query, certificate, &output, &mut visit)
    } else if let (Some(direct), Some(proof)) = (&direct, &mut proof) {
        session.prove(&query, (direct, proof.tracer()), &output, &mut visit)
    } else if flags.min_cost || flags.best.is_some() {
        cheapest(&session, &query, flags.best.unwrap_or(1), &output, &mut visit)
    } else {
        session.search(&query, &output, &mut visit)
    };
    let Some(status) = finish(flags, problem, &answer, &output, &session)? else {
        return Ok(ExitStatus::Fine);
    };
    if let Some(proof) = proof {
        first.iter_mut().for_each(|cover| cover.sort_unstable());
        proof.end(&answer, first.as_deref(), messages)?;
    }
    if let Some(certificate) = certificate {
        certificate.end(&query, &answer, messages)?;
    }
    session.print_stats(&answer, read);
    Ok(status)
}

/// Writes what comes last, and says how the search ended; `None` if nobody reads the solutions any more.
fn finish(
    flags: &Solve,
    problem: &Problem,
    answer: &Answer,
    output: &Output,
    session: &Session<'_>,
) -> Result<Option<ExitStatus>, Failure> {
    // A failed push is remembered, and `finish` reports it.
    let _ = output.push(|out| {
        write_end(flags, answer, out);
    });
    match output.finish() {
        Err(Failure::BrokenPipe) => Ok(None),
        Err(failure) => Err(failure),
        Ok(()) => Ok(Some(verdict(asker(flags), problem, answer, session))),
    }
}

/// Finds the cheapest solutions, and hands them to `visit` from the cheapest on.
fn cheapest(
    session: &Session<'_>,
    query: &Query<'_>,
    wanted: u64,
    output: &Output,
    visit: &mut dyn FnMut(u64, &dyn Choices) -> Result<(), ()>,
) -> Answer {
    let (answer, found) = session.cheapest(query, wanted, output);
    let mut replayer = None;
    for (n, cheap) in (1..).zip(found) {
        let replayer = replayer.get_or_insert_with(|| Replayer::new(query.problem()));
        // A failed push is remembered.
        let _ = visit(n, &replayer.replay(&cheap.options));
    }
    answer
}

/// What a run is asked for, by its flags.
pub fn asker(flags: &Solve) -> Asked {
    match flags.unique {
        true => Asked::Unique,
        false if flags.count || flags.format.is_json || flags.long.part.is_some() => Asked::Number,
        false => Asked::Solutions,
    }
}

/// What is printed after the solutions, or in their place.
pub fn write_end(flags: &Solve, answer: &Answer, out: &mut Vec<u8>) {
    let total = answer.stats.total();
    if flags.format.is_json {
        jsonl::write_end(answer.exhausted, &total, answer.optimal, out);
    } else if flags.count {
        out.extend_from_slice(format!("{total}\n").as_bytes());
    }
}

/// What the flags ask for, as the table of what goes together knows it.
fn parts(flags: &Solve) -> Vec<Feature> {
    let Solve { rules, search, long, format, .. } = flags;
    let other =
        !(format.is(FORMATS[0]) || format.is(&JSONL) || format.is(&TOUR) || format.is(&ZDD));
    let given = [
        (Feature::Limit, flags.limit.is_some()),
        (Feature::First, flags.first),
        (Feature::Every, flags.every > 1),
        (Feature::Count, flags.count),
        (Feature::Unique, flags.unique),
        (Feature::Facts, flags.facts.is_some()),
        (Feature::MinCost, flags.min_cost),
        (Feature::Best, flags.best.is_some()),
        (Feature::Proof, flags.proof.is_some()),
        (Feature::Certify, flags.certify.is_some()),
        (Feature::Seed, flags.seed.is_some()),
        (Feature::NoPrune, search.no_prune),
        (Feature::Branch, !search.branch.is_default()),
        (Feature::Threads, long.threads != 1),
        (Feature::Checkpoint, long.checkpoint.is_some()),
        (Feature::Resume, long.resume.is_some()),
        (Feature::Part, long.part.is_some()),
        (Feature::Plan, long.plan.is_some()),
        (Feature::Tour, format.is(&TOUR)),
        (Feature::Zdd, format.is(&ZDD)),
        (Feature::Format, other),
        (Feature::Constraint, !rules.is_empty()),
        (Feature::Loop, rules.has(&single_loop::DECLARATION)),
    ];
    let given = given.into_iter().filter(|(_, is_given)| *is_given).map(|(part, _)| part);
    given.chain(search.engine.part()).collect()
}

/// What the flags want to know.
fn goal(flags: &Solve) -> Goal {
    let most = if flags.first { 1 } else { flags.limit.unwrap_or(u64::MAX) };
    match flags {
        Solve { unique: true, .. } => Goal::Unique,
        Solve { count: true, .. } => Goal::Count(most),
        Solve { min_cost: true, .. } => Goal::Cheapest(1),
        Solve { best: Some(most), .. } => Goal::Cheapest(*most),
        _ => Goal::Solutions(most),
    }
}

/// What is said where there is no solution.
pub const NONE: &str = "none: there is no solution";

/// What a run is asked for, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Solutions. If there is none, nothing is printed that says so.
    Solutions,
    /// Their number, or a result with an end that says whether there are any; or those of a part.
    Number,
    /// Whether there is one, by a flag: even `-q` does not silence the answer.
    Unique,
    /// The same, by the subcommand `puzzle`.
    Board,
}

/// The exit status; says on stderr what must be said.
pub fn verdict(
    asked: Asked,
    problem: &Problem,
    answer: &Answer,
    session: &Session<'_>,
) -> ExitStatus {
    if !answer.complete() {
        session.print_incomplete(answer);
        return ExitStatus::Incomplete;
    }
    let messages = session.messages;
    let (status, words) = match (answer.stats.solutions, asked) {
        (0, _) => (ExitStatus::Nothing, NONE),
        (1, _) => (ExitStatus::Fine, "unique: there is exactly one solution"),
        (_, Asked::Solutions | Asked::Number) => (ExitStatus::Fine, ""),
        (_, _) => (ExitStatus::Several, "several: there is more than one solution"),
    };
    match asked {
        Asked::Solutions | Asked::Number => {}
        Asked::Unique => messages.say(words),
        Asked::Board => messages.note(words),
    }
    // The items of a board are not those of its author.
    if status == ExitStatus::Nothing && asked != Asked::Board {
        note_none(problem, asked, messages);
    }
    status
}

/// Says why there is no solution, if one look at the options is enough to see that; else that there is none, if nothing
/// else says so.
pub fn note_none(problem: &Problem, asked: Asked, messages: &Messages) {
    match lack(problem) {
        Some(why) => messages.note(&format!("no solution: {why}")),
        None if asked == Asked::Solutions => messages.note(NONE),
        None => {}
    }
}

/// An item without enough options, if there is one.
fn lack(problem: &Problem) -> Option<String> {
    let mut options = vec![0u64; problem.primary()];
    for entry in problem.all_entries().iter().filter(|entry| problem.is_primary(entry.item)) {
        options[entry.item.index()] += 1;
    }
    let primary = problem.names().take(problem.primary());
    let lacks =
        |&(item, _): &(ItemId, _)| options[item.index()] < u64::from(problem.bound(item).low);
    let (item, name) = primary.into_iter().find(lacks)?;
    let name = printable(name, false);
    Some(match (options[item.index()], problem.bound(item).low) {
        (0, _) => format!("item `{name}` has no option"),
        (has, low) => format!("item `{name}` has {}, and needs {low}", counted(has, "option")),
    })
}

/// Writes solutions in the format that was asked for.
pub fn writer<'a>(flags: &Solve, source: &SolutionSource<'a>) -> Box<dyn WriteSolution + 'a> {
    let writer = flags.format.writer.expect("a ZDD is not written solution by solution");
    writer(source)
}
