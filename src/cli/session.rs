//! One search from the command line: `solve` and `puzzle` share it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cli::Memory;
use crate::cli::args::SearchArgs;
use crate::cli::certify::{Certificate, Certified};
use crate::cli::control::{Control, Stop};
use crate::cli::drive::drive;
use crate::cli::exit::Failure;
use crate::cli::judge::Judge;
use crate::cli::message::Messages;
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::rules::dialect;
use crate::cli::stats::Summary;
use crate::cli::visitor::Visitor;
use crate::constraint::{Constraints, Method};
use crate::dlx::parse::Dlx;
use crate::problem::Problem;
use crate::query::table::{self, Feature};
use crate::query::{EngineName, Goal, Query};
use crate::search::algorithm_m::branch_and_bound::{Cheap, Cheapest};
use crate::search::engine::{Engine, Status};
use crate::search::learn::Learn;
use crate::search::learn::backbone::{Facts, Order, Subject, facts};
use crate::search::learn::direct_encoding::Direct;
use crate::search::learn::proof_tracer::ProofTracer;
use crate::search::stats::Stats;
use crate::search::{algorithm_m, learn, memo};
use crate::solution::Choices;
use crate::wording::counted;

/// Why a memo does not answer although it is asked.
pub(super) const TOO_WIDE: &str = "the frontier is too wide for memo; another engine counts";

/// What came of it.
#[derive(Debug)]
pub struct Answer {
    /// The engine that answered.
    pub engine: &'static str,
    /// What was counted.
    pub stats: Stats,
    /// Whether the tree was exhausted: there are no other solutions.
    pub exhausted: bool,
    /// Of a search for the cheapest: whether it came to its end, so that no other solution is cheaper.
    pub optimal: Option<bool>,
    /// Whether as many solutions were found as were asked for.
    pub enough: bool,
    /// Why it was stopped, if it was.
    pub stopped: Option<&'static str>,
    /// Where a signal interrupted it, if one did.
    pub state: Option<String>,
    /// Time of the search.
    pub time: Duration,
}

impl Answer {
    /// Whether the question was answered: nothing that was asked for is missing.
    pub fn complete(&self) -> bool {
        self.exhausted || self.enough
    }
}

/// What came of a search.
pub(super) struct Run<T> {
    /// How it ended.
    pub status: Status,
    /// What was counted.
    pub stats: Stats,
    /// The engine that answered.
    pub engine: &'static str,
    /// What else it found.
    pub result: T,
}

/// A run of the program that searches.
pub struct Session<'a> {
    /// Who may stop it.
    pub control: Arc<Control>,
    /// Its flags.
    pub flags: &'a SearchArgs,
    /// Where it says something.
    pub messages: &'a Messages,
}

impl<'a> Session<'a> {
    /// Starts the clock, and catches signals.
    pub fn start(flags: &'a SearchArgs, messages: &'a Messages, memory: Memory) -> Self {
        Session { control: Control::start(flags, memory), flags, messages }
    }

    /// Warns about dropped options, and refuses what does not go together with what the problem has.
    pub fn admit(&self, name: &str, dlx: &Dlx, asked: &[Feature]) -> Result<(), Failure> {
        let notes = &dlx.notes;
        if let Some(made_from) = &notes.made_from {
            self.messages.note(&format!("{name}: read as {made_from}"));
        }
        for &line in &notes.dropped_lines {
            self.messages.warning(name, line, "option ignored (no primary items)");
        }
        let more = notes.dropped - notes.dropped_lines.len() as u64;
        if more > 0 {
            let what = format!("{} ignored (no primary items)", counted(more, "more option"));
            self.messages.warning(name, 0, &what);
        }
        let parts: Vec<Feature> =
            asked.iter().copied().chain(table::of_problem(&dlx.problem)).collect();
        table::check(&parts).map_err(|clash| match clash.of_problem {
            Some(_) => dialect(name, dlx, clash.to_string()),
            None => Failure::Usage(clash.to_string()),
        })?;
        let most = dlx.problem.most_cost();
        if most > u128::from(u64::MAX) {
            let what =
                format!("the costs of a solution may add up to {most}: more than 64 bits hold");
            let diagnostic = Box::new(notes.first_cost.complain(what));
            return Err(Failure::Input { name: name.to_owned(), diagnostic });
        }
        Ok(())
    }

    /// What the flags ask of a problem to which constraints are bound.
    pub fn query<'p>(
        &self,
        problem: &'p Problem,
        constraints: Constraints,
        goal: Goal,
    ) -> Query<'p> {
        let SearchArgs { engine, no_prune, .. } = *self.flags;
        let query = Query::under(problem, constraints).goal(goal).by(engine);
        query.pruning(!no_prune).nodes(self.flags.node_limit.unwrap_or(u64::MAX))
    }

    /// Answers a query, and hands each solution to `visit`; that answers `Err` to stop.
    pub fn search(
        &self,
        query: &Query<'_>,
        output: &Output,
        visit: &mut dyn FnMut(u64, &dyn Choices) -> Result<(), ()>,
    ) -> Answer {
        let mut judge = Judge::new(query.problem(), query.constraints());
        let mut visit = |n: u64, choices: &dyn Choices| {
            judge.look(choices);
            visit(n, choices)
        };
        self.note_memo(query);
        let engine = || query.engine(self.memo_room());
        let answer = self.conduct(query, query.first_engine(), output, &mut visit, engine).0;
        if query.is_for_memo() && answer.engine != "memo" {
            self.messages.detail(TOO_WIDE);
        }
        answer
    }

    /// As [`search`](Self::search), by the engine `learn`, which writes a proof of it. `direct` numbers the variables.
    pub fn prove(
        &self,
        query: &Query<'_>,
        (direct, tracer): (&Direct<'_>, &mut dyn ProofTracer),
        output: &Output,
        visit: &mut dyn FnMut(u64, &dyn Choices) -> Result<(), ()>,
    ) -> Answer {
        let problem = query.problem();
        let mut judge = Judge::new(problem, query.constraints());
        let mut visit = |n: u64, choices: &dyn Choices| {
            judge.look(choices);
            visit(n, choices)
        };
        let first = ("learn", learn::memory(problem));
        let conducted = self.conduct(query, first, output, &mut visit, move || {
            Learn::proving(problem, query.conjunction(Method::Learning), direct, tracer)
        });
        conducted.0
    }

    /// As [`search`](Self::search), by an engine that visits a tree, which goes to a certificate.
    pub fn certify(
        &self,
        query: &Query<'_>,
        certificate: &mut Certificate,
        output: &Output,
        visit: &mut dyn FnMut(u64, &dyn Choices) -> Result<(), ()>,
    ) -> Answer {
        let mut judge = Judge::new(query.problem(), query.constraints());
        let mut visit = |n: u64, choices: &dyn Choices| {
            judge.look(choices);
            visit(n, choices)
        };
        let conducted = self.conduct(query, query.first_engine(), output, &mut visit, move || {
            Certified::new(query.tree_search(), certificate)
        });
        conducted.0
    }

    /// Finds the `wanted` cheapest solutions.
    pub fn cheapest(
        &self,
        query: &Query<'_>,
        wanted: u64,
        output: &Output,
    ) -> (Answer, Vec<Cheap>) {
        let problem = query.problem();
        let engine = || Cheapest::new(problem, query.conjunction(Method::Backtracking), wanted);
        let first = ("cheapest", 2 * algorithm_m::memory(problem));
        let (mut answer, engine) = self.conduct(query, first, output, &mut |_, _| Ok(()), engine);
        let found = engine.map_or(Vec::new(), Cheapest::best);
        answer.optimal = Some(answer.exhausted);
        // What costs more than those that were found was passed over.
        answer.enough = answer.exhausted && found.len() as u64 == wanted;
        answer.exhausted &= !answer.enough;
        (answer, found)
    }

    /// Finds out what all solutions have in common, if the search is not stopped before the first
    /// look. The answer counts the solutions that were looked at.
    pub fn facts(
        &self,
        query: &Query<'_>,
        subject: Subject,
        output: &Output,
    ) -> (Answer, Option<Facts>) {
        let make = || query.conjunction(Method::Learning);
        let run = |visitor: &mut Visitor<'_>| {
            let mut poll = |stats: &Stats| visitor.order(stats);
            let (facts, stats) =
                facts(query.problem(), &make, subject, query.most_nodes(), &mut poll);
            Run { status: facts.end, stats, engine: "learn", result: facts }
        };
        let first = ("learn", learn::memory(query.problem()));
        self.watch(first, u64::MAX, output, &mut |_, _| Ok(()), run)
    }

    /// The same for one of many problems: no progress, no memory of its own, and several threads may
    /// ask at once.
    pub fn facts_of_many(&self, query: &Query<'_>, subject: Subject) -> (Facts, Stats) {
        let make = || query.conjunction(Method::Learning);
        let mut poll = |_: &Stats| match self.control.stopped() {
            Some(_) => Order::Stop,
            None => Order::Continue,
        };
        facts(query.problem(), &make, subject, query.most_nodes(), &mut poll)
    }

    /// Runs an engine under the limits, and says how that ended; the engine has the results, unless it was not
    /// even made. `first` is the engine that is asked first, and about how many bytes it needs.
    pub(super) fn conduct<E: Engine>(
        &self,
        query: &Query<'_>,
        first: (&'static str, usize),
        output: &Output,
        visit: &mut dyn FnMut(u64, &dyn Choices) -> Result<(), ()>,
        make: impl FnOnce() -> E,
    ) -> (Answer, Option<E>) {
        self.watch(first, query.enough(), output, visit, |visitor| {
            let mut engine = make();
            engine.limit(query.most_nodes());
            let status = drive(&mut engine, visitor);
            Run { status, stats: engine.stats(), engine: engine.name(), result: engine }
        })
    }

    /// Makes a search under the limits.
    pub(super) fn watch<T>(
        &self,
        (first, memory): (&'static str, usize),
        enough: u64,
        output: &Output,
        visit: &mut dyn FnMut(u64, &dyn Choices) -> Result<(), ()>,
        run: impl FnOnce(&mut Visitor<'_>) -> Run<T>,
    ) -> (Answer, Option<T>) {
        let start = Instant::now();
        let progress = Progress::new(self.flags.progress, self.messages);
        if let Some(progress) = &progress {
            output.share_with(progress.bar());
        }
        self.control.done_reading();
        self.control.tick(Some(output.clone()));
        let mut visitor = Visitor {
            control: &self.control,
            progress,
            shown: start,
            start,
            enough,
            found: 0,
            state: None,
            visit,
        };
        self.control.look_at_clock();
        if self.control.lacks_memory_for(memory) {
            self.control.stop(Stop::Memory);
        }
        let (status, stats, engine, result) = if self.control.stopped().is_some() {
            (Status::Stopped, Stats::default(), first, None)
        } else {
            let Run { status, stats, engine, result } = run(&mut visitor);
            (status, stats, engine, Some(result))
        };
        self.messages.detail(&format!("engine: {engine}"));
        if let Some(progress) = &visitor.progress {
            progress.finish();
        }
        let answer = Answer {
            exhausted: status == Status::Exhausted,
            optimal: None,
            enough: visitor.found >= enough,
            engine,
            stats,
            stopped: self.control.why(status),
            state: visitor.state,
            time: start.elapsed(),
        };
        (answer, result)
    }

    /// Says that a memo is asked for what it cannot do.
    pub fn note_memo(&self, query: &Query<'_>) {
        if self.flags.engine == EngineName::Memo && !query.is_for_memo() {
            let what = "memo only counts, with --count and without --limit, --first and --no-prune; \
                        another engine searches";
            self.messages.note(what);
        }
    }

    /// How many bytes a memo may take.
    pub fn memo_room(&self) -> usize {
        // Tables grow by doubling: for a moment there are an old and a new one.
        self.control.memory_left().map_or(memo::ROOM, |left| left / 3)
    }

    /// Prints `--stats`, if asked for.
    pub fn print_stats(&self, answer: &Answer, read: Duration) {
        let summary = Summary {
            engine: answer.engine,
            branch: self.flags.branch.rule.name,
            complete: answer.exhausted,
            optimal: answer.optimal,
            stats: &answer.stats,
            read,
            search: answer.time,
            peak: self.control.peak(),
        };
        if let Some(form) = self.flags.stats {
            self.messages.say(&summary.text(form));
        }
    }

    /// Says that an answer is incomplete, and why.
    pub fn print_incomplete(&self, answer: &Answer) {
        self.print_incomplete_as(&format!("at least {}", answer.stats.total()), answer);
    }

    /// Says in these words what there is of an incomplete answer, and why it is incomplete.
    pub fn print_incomplete_as(&self, what: &str, answer: &Answer) {
        if let Some(state) = &answer.state {
            self.messages.note(state);
        }
        let why = answer.stopped.map(|why| format!(" ({why})")).unwrap_or_default();
        self.messages.say(&format!("incomplete: {what}{why}"));
    }
}
