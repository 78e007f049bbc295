//! `quadrille solve --format zdd`: all solutions at once, as a diagram in the text of `dlx6`.
//!
//! It is written when it is complete, or not at all.

use crate::cli::args::Solve;
use crate::cli::drive::drive;
use crate::cli::exit::Outcome;
use crate::cli::output::{self, Output};
use crate::cli::session::{Answer, Run, Session, TOO_WIDE};
use crate::cli::solve::{Asked, verdict};
use crate::ids::OptionId;
use crate::query::{EngineName, Query};
use crate::search::engine::{Engine as _, Status};
use crate::search::learn::backbone::Order;
use crate::search::memo;
use crate::search::portfolio::Count;
use crate::search::zdd::{ZddSource, Zdd};
use crate::solutions::zdd;
use crate::wording::counted;

/// Runs it on a problem that has been read.
pub fn run(
    flags: &Solve,
    session: &Session<'_>,
    query: &Query<'_>,
    original: Option<&[OptionId]>,
) -> Outcome {
    let messages = session.messages;
    let read = session.control.elapsed();
    let path = flags.output.as_deref();
    output::probe(path)?;
    messages.note_one_thread(flags.long.threads, "a ZDD is made by one");
    let (mut answer, zdd) = diagram(session, query);
    if let Some(zdd) = &zdd {
        answer.stats.diagram = Some(zdd.size());
        let source = match zdd.source {
            ZddSource::Frontier => "from the frontier; its options are ordered",
            ZddSource::Tree => "from a search tree; its options are not ordered",
            ZddSource::List => "from a list of the solutions; its options are ordered",
        };
        messages.detail(&format!("zdd: {}, {source}", counted(zdd.size(), "node")));
        output::write_whole(path, |out| zdd::write(zdd, original, out))?;
    }
    let status = verdict(Asked::Number, query.problem(), &answer, session);
    session.print_stats(&answer, read);
    Ok(status)
}

/// Makes a ZDD of all solutions, unless it is stopped before.
fn diagram(session: &Session<'_>, query: &Query<'_>) -> (Answer, Option<Zdd>) {
    let (problem, make) = (query.problem(), query.make());
    let unconstrained = query.constraints().is_empty();
    // Where nothing is pruned there is no automaton, either.
    let pruned = !session.flags.no_prune || unconstrained;
    let memo = pruned && session.flags.engine == EngineName::Memo;
    let (answer, zdd) = session.watch(
        query.first_engine(),
        u64::MAX,
        &Output::nowhere(),
        &mut |_, _| Ok(()),
        |visitor| {
            // The rest is for what grows between two looks at the memory.
            let room = session.control.memory_left().map_or(memo::ROOM, |left| left - left / 8);
            let mut count = match session.flags.engine {
                EngineName::Auto if pruned => Count::diagram(problem, make, room),
                EngineName::Memo if pruned => Count::by_memo(problem, make, room, true),
                engine => {
                    session.note_memo(query);
                    let in_order = engine != EngineName::Learn && unconstrained;
                    Count::listed(problem, make, in_order, room, query.visitor())
                }
            };
            count.limit(query.most_nodes());
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
        },
    );
    (answer, zdd.flatten())
}
