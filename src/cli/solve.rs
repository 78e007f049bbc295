//! `quadrille solve`: a `.dlx` file's solutions.

use crate::cli::args::{Engine, Solve};
use crate::cli::exit::{Failure, Outcome, Status};
use crate::cli::long::{self, Job};
use crate::cli::message::Messages;
use crate::cli::output::Output;
use crate::cli::prove::{self, Draft};
use crate::cli::rules::dialect;
use crate::cli::session::{Answer, Question, Session};
use crate::cli::{Memory, diagram, facts, input};
use crate::constraint::single_loop;
use crate::ids::{ItemId, OptionId};
use crate::problem::Problem;
use crate::proof::header::Header;
use crate::search::replay::Replayer;
use crate::solution::Choices;
use crate::solutions::format::{Source, WriteSolution};
use crate::solutions::jsonl;
use crate::solutions::tour::TOUR;
use crate::solutions::zdd::ZDD;
use crate::wording::{counted, printable};

/// Runs it.
pub fn run(flags: &Solve, messages: &Messages, memory: Memory) -> Outcome {
    if flags.format.is(&TOUR) && !flags.rules.has(&single_loop::DECLARATION) {
        return Err(Failure::Usage("--format tour needs --loop".into()));
    }
    if flags.format.is(&ZDD) {
        diagram::admit(flags)?;
    }
    admit_branch(flags)?;
    if flags.min_cost || flags.best.is_some() {
        let long = &flags.long;
        let saved = long.checkpoint.is_some() || long.resume.is_some() || long.part.is_some();
        let own = matches!(flags.search.engine, Engine::Auto | Engine::Links);
        if !own || saved || long.threads != 1 || flags.proof.is_some() {
            let what = "--min-cost and --best have an engine of their own, with one thread and without \
                        proof, checkpoint or parts";
            return Err(Failure::Usage(what.into()));
        }
    }
    if flags.facts.is_some() {
        return facts::run(flags, messages, memory);
    }
    if flags.proof.is_some() {
        prove::admit(flags)?;
        flags.long.warn_of_one_thread("a proof is made by one", messages);
    }
    let session = Session::start(&flags.search, messages, memory);
    session.control.tick(None);
    let (name, mut dlx) = input::read_dlx(input::open(flags.file.as_deref(), "a .dlx file")?)?;
    session.admit(&name, &dlx)?;
    if flags.proof.is_some() && (dlx.problem.has_bounds() || dlx.problem.has_costs()) {
        let what = "--proof: there are no proofs about bounds or costs";
        return Err(dialect(&name, &dlx, what));
    }
    dlx.problem.branch_by(flags.search.branch.rule);
    let original = flags.seed.map(|seed| {
        let (shuffled, original) = dlx.problem.shuffled(seed);
        dlx.problem = shuffled;
        original
    });
    let rules = session.rules(&name, &dlx, &flags.rules.asked(), Some(messages))?;
    if flags.format.is(&ZDD) {
        return diagram::run(flags, &session, (&name, &dlx), &rules, original.as_deref());
    }
    let read = session.control.elapsed();
    if flags.proof.is_none()
        && let Some(way) = long::engine(flags, &rules, &dlx.problem, messages)?
    {
        let job = Job { flags, problem: &dlx.problem, rules, original: original.as_deref(), way };
        return long::run(&job, &session, read);
    }
    let problem = &dlx.problem;
    let direct = match flags.proof {
        Some(_) => Some(prove::direct(&name, dlx.notes.item_line, problem)?),
        None => None,
    };
    let mut draft = match (&flags.proof, &direct) {
        (Some(folder), Some(direct)) => {
            let header = Header::new(problem, &rules);
            Some(Draft::open(folder, problem, direct, header)?)
        }
        _ => None,
    };
    let output = Output::open(flags.output.as_deref())?;

    let question = Question { rules, enough: enough(flags), count: flags.count };
    let graph = question.rules.tour_graph();
    let mut writer = writer(flags, &Source { problem, original: original.as_deref(), graph });
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
    let answer = match (flags.min_cost, flags.best) {
        (false, None) => match (&direct, &mut draft) {
            (Some(direct), Some(draft)) => {
                session.prove(problem, &question, (direct, draft.journal()), &output, &mut visit)
            }
            _ => session.search(problem, &question, &output, &mut visit),
        },
        (_, best) => {
            let (answer, found) =
                session.cheapest(problem, &question.rules, best.unwrap_or(1), &output);
            let mut replayer = None;
            for (n, cheap) in (1..).zip(found) {
                let replayer = replayer.get_or_insert_with(|| Replayer::new(problem));
                // A failed push is remembered.
                let _ = visit(n, &replayer.replay(&cheap.options));
            }
            answer
        }
    };

    // A failed push is remembered, and `finish` reports it.
    let _ = output.push(|out| {
        write_end(flags, &answer, out);
    });
    let finished = output.finish();
    if let Err(Failure::BrokenPipe) = finished {
        return Ok(Status::Fine);
    }
    finished?;
    let status = verdict(asked(flags), problem, &answer, &session);
    if let Some(draft) = draft {
        let cover = first.map(|mut cover| {
            cover.sort_unstable();
            cover
        });
        draft.end(&answer, cover.as_deref(), messages)?;
    }
    session.print_stats(&answer, read);
    Ok(status)
}

/// What the flags ask for.
pub fn asked(flags: &Solve) -> Asked {
    if flags.unique { Asked::Unique } else { Asked::Solutions }
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

/// Refuses a branching rule where no search tree shows it.
fn admit_branch(flags: &Solve) -> Result<(), Failure> {
    let own_tree = flags.min_cost || flags.best.is_some();
    let no_choices = flags.facts.is_some() || flags.format.is(&ZDD);
    match !flags.search.branch.is_default() && (own_tree || no_choices) {
        true => Err(Failure::Usage(
            "--branch is for searches that visit solutions in the order of a tree, not for --facts, \
             --min-cost, --best and --format zdd"
                .into(),
        )),
        false => Ok(()),
    }
}

/// After how many solutions the flags let the search stop.
pub fn enough(flags: &Solve) -> u64 {
    match flags.limit {
        _ if flags.unique => 2,
        _ if flags.first => 1,
        Some(limit) => limit,
        None => u64::MAX,
    }
}

/// What a run is asked for, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Solutions, or their number.
    Solutions,
    /// Whether there is one, by a flag: even `-q` does not silence the answer.
    Unique,
    /// The same, by the subcommand `puzzle`.
    Board,
}

/// The exit status; says on stderr what must be said.
pub fn verdict(asked: Asked, problem: &Problem, answer: &Answer, session: &Session<'_>) -> Status {
    if !answer.complete() {
        session.print_incomplete(answer);
        return Status::Incomplete;
    }
    let messages = session.messages;
    let (status, words) = match (answer.stats.solutions, asked) {
        (0, _) => (Status::Nothing, "none: there is no solution"),
        (1, _) => (Status::Fine, "unique: there is exactly one solution"),
        (_, Asked::Solutions) => (Status::Fine, ""),
        (_, _) => (Status::Several, "several: there is more than one solution"),
    };
    match asked {
        Asked::Solutions => {}
        Asked::Unique => messages.say(words),
        Asked::Board => messages.note(words),
    }
    // The items of a board are not those of its author.
    if status == Status::Nothing && asked != Asked::Board {
        note_lack(problem, messages);
    }
    status
}

/// Says that there is no solution, if one look at the options is enough to see why.
pub fn note_lack(problem: &Problem, messages: &Messages) {
    let mut options = vec![0u64; problem.primary()];
    for entry in problem.all_entries().iter().filter(|entry| problem.is_primary(entry.item)) {
        options[entry.item.index()] += 1;
    }
    let primary = problem.names().take(problem.primary());
    let lacks =
        |&(item, _): &(ItemId, _)| options[item.index()] < u64::from(problem.bound(item).low);
    if let Some((item, name)) = primary.into_iter().find(lacks) {
        let name = printable(name, false);
        let why = match (options[item.index()], problem.bound(item).low) {
            (0, _) => format!("item `{name}` has no option"),
            (has, low) => format!("item `{name}` has {}, and needs {low}", counted(has, "option")),
        };
        messages.note(&format!("no solution: {why}"));
    }
}

/// Writes solutions in the format that was asked for.
pub fn writer<'a>(flags: &Solve, source: &Source<'a>) -> Box<dyn WriteSolution + 'a> {
    let writer = flags.format.writer.expect("a ZDD is not written solution by solution");
    writer(source)
}
