//! `quadrille solve --format zdd`: all solutions at once, as a diagram in the text of `dlx6`.
//!
//! It is written when it is complete, or not at all.

use crate::cli::args::{Engine, Solve};
use crate::cli::drive::drive;
use crate::cli::exit::{Failure, Outcome};
use crate::cli::output::{self, Output};
use crate::cli::rules::dialect;
use crate::cli::session::{Answer, Question, Run, Session, TOO_WIDE};
use crate::cli::solve::{Asked, verdict};
use crate::constraint::Constraints;
use crate::dlx::parse::Dlx;
use crate::ids::OptionId;
use crate::problem::Problem;
use crate::search::engine::{Engine as _, Status};
use crate::search::learn::facts::Order;
use crate::search::memo;
use crate::search::portfolio::Count;
use crate::search::zdd::{Source, Zdd};
use crate::solutions::zdd;
use crate::wording::counted;

/// Refuses flags that a diagram of all solutions leaves no room for.
pub fn admit(flags: &Solve) -> Result<(), Failure> {
    let long = &flags.long;
    let given = [
        ("--count", flags.count),
        ("--limit", flags.limit.is_some()),
        ("--first", flags.first),
        ("--every", flags.every > 1),
        ("--unique", flags.unique),
        ("--proof", flags.proof.is_some()),
        ("--facts", flags.facts.is_some()),
        ("--min-cost", flags.min_cost),
        ("--best", flags.best.is_some()),
        ("--checkpoint", long.checkpoint.is_some()),
        ("--resume", long.resume.is_some()),
        ("--part", long.part.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => {
            let what = format!("--format zdd is one diagram of all solutions, without {flag}");
            Err(Failure::Usage(what))
        }
        None => Ok(()),
    }
}

/// Runs it on a problem that has been read.
pub fn run(
    flags: &Solve,
    session: &Session<'_>,
    (name, dlx): (&str, &Dlx),
    rules: &Constraints,
    original: Option<&[OptionId]>,
) -> Outcome {
    let (messages, problem) = (session.messages, &dlx.problem);
    if problem.has_bounds() {
        return Err(dialect(name, dlx, "--format zdd: a diagram knows no bounds on items"));
    }
    if problem.has_costs() {
        return Err(dialect(name, dlx, "--format zdd: a diagram has no place for costs"));
    }
    let read = session.control.elapsed();
    let path = flags.output.as_deref();
    output::probe(path)?;
    flags.long.warn_of_one_thread("a ZDD is made by one", messages);
    let (mut answer, zdd) = diagram(session, problem, rules);
    if let Some(zdd) = &zdd {
        answer.stats.diagram = Some(zdd.size());
        let source = match zdd.source {
            Source::Frontier => "from the frontier; its options are ordered",
            Source::Tree => "from a search tree; its options are not ordered",
            Source::List => "from a list of the solutions; its options are ordered",
        };
        messages.detail(&format!("zdd: {}, {source}", counted(zdd.size(), "node")));
        output::write_whole(path, |out| zdd::write(zdd, original, out))?;
    }
    let status = verdict(Asked::Solutions, problem, &answer, session);
    session.print_stats(&answer, read);
    Ok(status)
}

/// Makes a ZDD of all solutions, unless it is stopped before.
fn diagram(session: &Session<'_>, problem: &Problem, rules: &Constraints) -> (Answer, Option<Zdd>) {
    let make = |method| session.constraints(problem, rules, method);
    // Where nothing is pruned there is no automaton, either.
    let pruned = !session.flags.no_prune || rules.is_empty();
    let memo = pruned && session.flags.engine == Engine::Memo;
    let question = Question { rules: rules.clone(), enough: u64::MAX, count: memo };
    let first = session.first(problem, &question);
    let (answer, zdd) =
        session.watch(first, u64::MAX, &Output::nowhere(), &mut |_, _| Ok(()), |visitor| {
            // The rest is for what grows while nobody looks.
            let room = session.control.memory_left().map_or(memo::ROOM, |left| left - left / 8);
            let mut count = match session.flags.engine {
                Engine::Auto if pruned => Count::diagram(problem, &make, room),
                Engine::Memo if pruned => Count::by_memo(problem, &make, room, true),
                engine => {
                    let in_order = engine != Engine::Learn && rules.is_empty();
                    let visit = session.engine(problem, &make, &question);
                    Count::listed(problem, &make, in_order, room, visit)
                }
            };
            count.limit(session.node_limit());
            let status = drive(&mut count, visitor);
            let (stats, engine) = (count.stats(), count.name());
            if memo && engine != "memo" {
                session.messages.detail(TOO_WIDE);
            }
            let mut stops = || visitor.order(&stats) == Order::Stop;
            match (status, count.draw(&mut stops)) {
                (Status::Exhausted, Ok(zdd)) => Run { status, stats, engine, result: Some(zdd) },
                (Status::Exhausted, Err(status)) | (status, _) => {
                    Run { status, stats, engine, result: None }
                }
            }
        });
    (answer, zdd.flatten())
}
