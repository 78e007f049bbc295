//! A search by threads, and where it counts, by a memo beside them.

use super::{Job, Way, source};
use crate::cli::control::Stop;
use crate::cli::drive::{Pace, SLICE};
use crate::cli::long::checkpoint::{Checkpointer, Saved};
use crate::cli::long::printer::Printer;
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::session::{Answer, Session};
use crate::cli::solve::writer;
use crate::constraint::Method;
use crate::problem::Problem;
use crate::search::algorithm_c::TreeSearch;
use crate::search::engine::{Engine as _, Status};
use crate::search::memo::Counter;
use crate::search::parallel::{Moment, ParallelOutcome as Ended, Parallel, RenderSolution, Position, Task};
use crate::search::portfolio::concurrent::{ConcurrentMemo, Share};
use crate::search::stats::Stats;
use crate::search::{self, bits};
use crate::solution::Choices;
use crate::wording::counted;
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of solutions that may wait for those before them, without what each has in common with the one before.
const ROOM: usize = 48 << 20;

/// The same if they are written to checkpoints.
const ROOM_SAVED: usize = 8 << 20;

/// More threads than any machine has use for; each wants a stack.
const MOST_THREADS: usize = 1024;

/// A path that the search does not make.
pub(super) struct Misfit;

/// Runs threads, and says how that ended.
pub(super) fn conduct(
    job: &Job<'_>,
    session: &Session<'_>,
    output: &Output,
    checkpointer: Option<(Checkpointer<'_>, Duration)>,
    saved: Saved,
) -> Result<(Answer, Saved), Misfit> {
    let Job { flags, query, .. } = *job;
    let control = &session.control;
    let start = Instant::now();
    let progress = Progress::new(session.flags.progress, session.messages);
    if let Some(progress) = &progress {
        output.share_with(progress.bar());
    }
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let threads = match flags.long.threads {
        _ if flags.search.node_limit.is_some() => 1,
        0 => cores(),
        threads => threads.min(MOST_THREADS),
    };
    control.done_reading();
    control.tick(Some(output.clone()));

    let enough = query.enough();
    let room = if checkpointer.is_some() { ROOM_SAVED } else { ROOM };
    let most =
        control.memory_limit().map_or(room, |limit| usize::try_from(limit / 4).unwrap_or(room));
    let mut printer = Printer {
        session,
        output,
        prints: !flags.count,
        number: writer(flags, &source(job)).number(),
        every: flags.every,
        enough,
        checkpointer,
        saved,
        text: Vec::new(),
        interrupted: None,
        progress,
    };
    let (mut stats, end, engine) = go_on(job, session, threads, room.min(most), &mut printer)?;
    let Printer { saved, interrupted, progress, .. } = printer;
    if let Some(progress) = &progress {
        progress.finish();
    }
    session.messages.detail(&format!("engine: {engine}, {}", counted(threads, "thread")));
    // Threads may have found more than is asked for, or what cannot be printed yet.
    stats.solutions = if flags.count { stats.solutions.min(enough) } else { saved.delivered };
    let answer = Answer {
        exhausted: end == Status::Exhausted,
        optimal: None,
        enough: stats.solutions >= enough,
        engine,
        stopped: control.why(end),
        state: interrupted,
        time: start.elapsed(),
        stats,
    };
    Ok((answer, saved))
}

/// Searches what is left, unless nothing is or a limit forbids it. Tells what was counted, how it ended, and who has
/// answered.
fn go_on(
    job: &Job<'_>,
    session: &Session<'_>,
    threads: usize,
    room: usize,
    printer: &mut Printer<'_>,
) -> Result<(Stats, Status, &'static str), Misfit> {
    let (control, problem, enough) = (&session.control, job.query.problem(), job.query.enough());
    let engine = if job.way.is_bits() { "bits" } else { "links" };
    let state = printer.saved.state.clone();
    if printer.saved.complete {
        let end =
            if printer.saved.delivered >= enough { Status::Stopped } else { Status::Exhausted };
        return Ok((state.stats, end, engine));
    }
    printer.keep(state.clone(), false);
    let memory = match job.way.is_bits() {
        true => bits::memory(problem),
        false => search::memory(problem).saturating_mul(threads),
    };
    control.look_at_clock();
    if control.lacks_memory_for(memory) {
        control.stop(Stop::Memory);
    }
    if control.stopped().is_some() {
        return Ok((state.stats, Status::Stopped, engine));
    }
    let (outcome, engine) = visit(job, session, state, threads, room, printer);
    if outcome.misfit {
        return Err(Misfit);
    }
    let found = match job.flags.count {
        true => outcome.state.stats.solutions,
        false => printer.saved.delivered,
    };
    let stats = outcome.state.stats.clone();
    printer.keep(outcome.state, outcome.status == Status::Exhausted || found >= enough);
    Ok((stats, outcome.status, engine))
}

/// Searches what is left of `state`. Tells who has answered.
fn visit(
    job: &Job<'_>,
    session: &Session<'_>,
    state: Position,
    threads: usize,
    room: usize,
    printer: &mut Printer<'_>,
) -> (Ended, &'static str) {
    let Job { flags, query, .. } = *job;
    let problem = query.problem();
    let plan = job.way.is_bits().then(|| bits::BitsPlan::new(problem));
    let engine = || -> Box<dyn TreeSearch + '_> {
        match &plan {
            Some(plan) => plan.engine(),
            None => search::links(problem, query.conjunction(Method::Backtracking)),
        }
    };
    let render = || {
        let mut writer = writer(flags, &source(job));
        let body = move |choices: &dyn Choices, anew: bool, out: &mut Vec<u8>| {
            writer.write_body(choices, anew, out)
        };
        Box::new(body) as RenderSolution<'_>
    };
    let task = Task {
        engine: &engine,
        render: if flags.count { None } else { Some(&render) },
        threads,
        nodes: query.most_nodes(),
        enough: query.enough(),
        room,
    };
    if let Way::Count { .. } = job.way {
        return count(task, state, session, problem, printer);
    }
    let search = Parallel::new(task, state);
    search.run(|search| printer.attend(search, &mut |_| true));
    (search.outcome(), if job.way.is_bits() { "bits" } else { "links" })
}

/// Counts by threads that visit, and beside them by a memo, on the thread that attends to them. Tells who has
/// answered.
fn count(
    task: Task<'_>,
    state: Position,
    session: &Session<'_>,
    problem: &Problem,
    printer: &mut Printer<'_>,
) -> (Ended, &'static str) {
    let mut memo = ConcurrentMemo::new(problem, session.memo_room());
    let mut pace = Pace::new(SLICE / 5);
    let search = Parallel::new(task, state);
    let (mut counted, mut alone) = (None, false);
    search.run(|search| {
        // A narrow frontier needs no help.
        if memo.share(0, 0.0) == Share::All {
            alone = true;
            return;
        }
        printer.attend(search, &mut |Moment { stats, done, .. }| {
            let slices = match memo.share(stats.nodes, *done) {
                Share::None => return true,
                Share::Little => 1,
                Share::Equal => 5,
                Share::All => {
                    alone = true;
                    return false;
                }
            };
            for _ in 0..slices {
                if let Some(status) = run_memo(&mut memo.counter, &mut pace) {
                    counted = Some(status);
                    return status != Status::Exhausted;
                }
            }
            true
        });
    });
    let moment = |memo: &ConcurrentMemo<'_>| {
        let of = |counter: &Counter<'_>| (counter.stats(), counter.progress());
        let (stats, done) = memo.counter.as_ref().map(of).unwrap_or_default();
        Moment { stats, choices: Vec::new(), done }
    };
    let mut outcome = search.outcome();
    alone &= outcome.status != Status::Exhausted;
    while alone && counted.is_none() && printer.look(|| moment(&memo)) {
        counted = run_memo(&mut memo.counter, &mut pace);
    }
    let Moment { stats, .. } = moment(&memo);
    match counted {
        Some(Status::Exhausted) => {
            outcome.status = Status::Exhausted;
            outcome.state = Position { stats, entries: Vec::new() };
            (outcome, "memo")
        }
        // Both know a bound.
        _ if stats.total() > outcome.state.stats.total() => {
            outcome.state.stats = stats;
            (outcome, "memo")
        }
        _ => (outcome, "bits"),
    }
}

/// Runs a memo for a slice; tells if it has come to an end, after which there is none any more unless
/// it has the answer.
fn run_memo(memo: &mut Option<Counter<'_>>, pace: &mut Pace) -> Option<Status> {
    let begun = Instant::now();
    let status = memo.as_mut()?.run(pace.work, &mut |_: &dyn Choices| ControlFlow::Continue(()));
    pace.adapt(begun.elapsed());
    (status != Status::Paused).then_some(status)
}
