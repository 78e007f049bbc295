//! One search from the command line: `solve` and `puzzle` share it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cli::Memory;
use crate::cli::args::{Engine, Search};
use crate::cli::control::{Control, Stop};
use crate::cli::drive::drive;
use crate::cli::exit::Failure;
use crate::cli::judge::Judge;
use crate::cli::message::Messages;
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::rules::{bind, dialect};
use crate::cli::stats::Summary;
use crate::cli::visitor::Visitor;
use crate::constraint::{Conjunction, Constraint, Constraints, Method, registry};
use crate::dlx::parse::Dlx;
use crate::problem::Problem;
use crate::search::engine::{Engine as Searches, Status};
use crate::search::learn::Learn;
use crate::search::learn::direct::Direct;
use crate::search::learn::facts::{Facts, Order, Subject, facts};
use crate::search::learn::journal::Journal;
use crate::search::multi::cheapest::{Cheap, Cheapest};
use crate::search::portfolio::{self, Count, Make};
use crate::search::stats::Stats;
use crate::search::{self, bits, learn, memo, multi};
use crate::solution::Choices;
use crate::wording::counted;

/// Why a memo does not answer although it is asked.
pub(super) const TOO_WIDE: &str = "the frontier is too wide for memo; another engine counts";

/// What is asked of a search.
#[derive(Clone, Debug)]
pub struct Question {
    /// The rules beyond exact cover.
    pub rules: Constraints,
    /// Stop after so many solutions.
    pub enough: u64,
    /// Only their number is wanted.
    pub count: bool,
}

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
    pub flags: &'a Search,
    /// Where it says something.
    pub messages: &'a Messages,
}

impl<'a> Session<'a> {
    /// Starts the clock, and catches signals.
    pub fn start(flags: &'a Search, messages: &'a Messages, memory: Memory) -> Self {
        Session { control: Control::start(flags, memory), flags, messages }
    }

    /// Warns about dropped options, and refuses what the engine that the flags name cannot solve.
    pub fn admit(&self, name: &str, dlx: &Dlx) -> Result<(), Failure> {
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
        let engine = match self.flags.engine {
            Engine::Auto | Engine::Links => None,
            Engine::Bits => Some("bits"),
            Engine::Learn => Some("learn"),
            Engine::Memo => Some("memo"),
        };
        if let (true, Some(engine)) = (dlx.problem.has_bounds(), engine) {
            let what = format!("--engine {engine} knows no bounds on items; use links or auto");
            return Err(dialect(name, dlx, what));
        }
        let most = dlx.problem.most_cost();
        if most > u128::from(u64::MAX) {
            let what =
                format!("the costs of a solution may add up to {most}: more than 64 bits hold");
            let diagnostic = Box::new(notes.first_cost.complain(what));
            return Err(Failure::Input { name: name.to_owned(), diagnostic });
        }
        Ok(())
    }

    /// Binds rules to a file, if the engine that the flags name knows rules. Warnings go to `messages`.
    pub fn rules(
        &self,
        name: &str,
        dlx: &Dlx,
        wanted: &[&dyn Constraint],
        messages: Option<&Messages>,
    ) -> Result<Constraints, Failure> {
        let rules = bind(name, dlx, wanted, messages)?;
        if self.flags.engine == Engine::Bits && !wanted.is_empty() {
            let flags = registry::flags("or");
            let what = format!(
                "--engine bits knows exact covers only, without constraints ({flags}) or the rules of a \
                 puzzle; use links, learn or auto"
            );
            return Err(Failure::Usage(what));
        }
        Ok(rules)
    }

    /// Searches `problem`, to which the rules are bound, and hands each solution to `visit`; that
    /// answers `Err` to stop.
    pub fn search(
        &self,
        problem: &Problem,
        question: &Question,
        output: &Output,
        visit: &mut dyn FnMut(u64, &dyn Choices) -> Result<(), ()>,
    ) -> Answer {
        let make = |method| self.constraints(problem, &question.rules, method);
        let engine = || self.engine(problem, &make, question);
        let first = self.first(problem, question);
        let mut judge = Judge::new(problem, &question.rules);
        let mut visit = |n: u64, choices: &dyn Choices| {
            judge.look(choices);
            visit(n, choices)
        };
        let answer = self.conduct(first, question.enough, output, &mut visit, engine).0;
        if self.counts_by_memo(problem, question) && answer.engine != "memo" {
            self.messages.detail(TOO_WIDE);
        }
        answer
    }

    /// The engine that is asked first, and about how many bytes it needs.
    pub(super) fn first(&self, problem: &Problem, question: &Question) -> (&'static str, usize) {
        match self.flags.engine {
            Engine::Memo if question.count => ("memo", memo::memory(problem)),
            Engine::Memo => ("memo", search::memory(problem)),
            Engine::Bits => ("bits", bits::memory(problem)),
            Engine::Learn => ("learn", learn::memory(problem)),
            Engine::Links => ("links", search::memory(problem)),
            Engine::Auto if question.rules.is_empty() => ("auto", portfolio::memory(problem)),
            Engine::Auto if question.enough < u64::MAX => ("auto", learn::memory(problem)),
            Engine::Auto => ("auto", search::memory(problem)),
        }
    }

    /// As [`search`](Self::search), by the engine `learn`, which writes a proof of it. `direct` numbers the variables.
    pub fn prove(
        &self,
        problem: &Problem,
        question: &Question,
        (direct, journal): (&Direct<'_>, &mut dyn Journal),
        output: &Output,
        visit: &mut dyn FnMut(u64, &dyn Choices) -> Result<(), ()>,
    ) -> Answer {
        let mut judge = Judge::new(problem, &question.rules);
        let mut visit = |n: u64, choices: &dyn Choices| {
            judge.look(choices);
            visit(n, choices)
        };
        let first = ("learn", learn::memory(problem));
        let conducted = self.conduct(first, question.enough, output, &mut visit, move || {
            let rules = self.constraints(problem, &question.rules, Method::Learning);
            Learn::proving(problem, rules, direct, journal)
        });
        conducted.0
    }

    /// Finds the `wanted` cheapest solutions.
    pub fn cheapest(
        &self,
        problem: &Problem,
        rules: &Constraints,
        wanted: u64,
        output: &Output,
    ) -> (Answer, Vec<Cheap>) {
        let engine = || {
            let rules = self.constraints(problem, rules, Method::Backtracking);
            Cheapest::new(problem, rules, wanted)
        };
        let first = ("cheapest", 2 * multi::memory(problem));
        let (mut answer, engine) =
            self.conduct(first, u64::MAX, output, &mut |_, _| Ok(()), engine);
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
        problem: &Problem,
        rules: &Constraints,
        subject: Subject,
        output: &Output,
    ) -> (Answer, Option<Facts>) {
        let make = || self.constraints(problem, rules, Method::Learning);
        let run = |visitor: &mut Visitor<'_>| {
            let mut poll = |stats: &Stats| visitor.order(stats);
            let (facts, stats) = facts(problem, &make, subject, self.node_limit(), &mut poll);
            Run { status: facts.end, stats, engine: "learn", result: facts }
        };
        let first = ("learn", learn::memory(problem));
        self.watch(first, u64::MAX, output, &mut |_, _| Ok(()), run)
    }

    /// The same for one of many problems: no progress, no memory of its own, and several threads may
    /// ask at once.
    pub fn facts_of_many(
        &self,
        problem: &Problem,
        rules: &Constraints,
        subject: Subject,
    ) -> (Facts, Stats) {
        let make = || self.constraints(problem, rules, Method::Learning);
        let mut poll = |_: &Stats| match self.control.stopped() {
            Some(_) => Order::Stop,
            None => Order::Continue,
        };
        facts(problem, &make, subject, self.node_limit(), &mut poll)
    }

    /// How many nodes, or conflicts, there may be.
    pub fn node_limit(&self) -> u64 {
        self.flags.node_limit.unwrap_or(u64::MAX)
    }

    /// Runs an engine under the limits, and says how that ended; the engine has the results, unless it was not
    /// even made. `first` is the engine that is asked first, and about how many bytes it needs.
    pub(super) fn conduct<E: Searches>(
        &self,
        first: (&'static str, usize),
        enough: u64,
        output: &Output,
        visit: &mut dyn FnMut(u64, &dyn Choices) -> Result<(), ()>,
        make: impl FnOnce() -> E,
    ) -> (Answer, Option<E>) {
        self.watch(first, enough, output, visit, |visitor| {
            let mut engine = make();
            engine.limit(self.node_limit());
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

    /// Whether the answer is a number that a memo may find.
    fn counts(&self, problem: &Problem, question: &Question) -> bool {
        let all = question.count && question.enough == u64::MAX;
        // The memo knows no bounds.
        all && !self.flags.no_prune && !problem.has_bounds()
    }

    /// Whether a memo is to find it.
    fn counts_by_memo(&self, problem: &Problem, question: &Question) -> bool {
        self.flags.engine == Engine::Memo && self.counts(problem, question)
    }

    /// The engine that the flags name.
    pub(super) fn engine<'p>(
        &self,
        problem: &'p Problem,
        make: &'p Make<'p>,
        question: &Question,
    ) -> Box<dyn Searches + 'p> {
        let engine = self.flags.engine;
        if self.counts(problem, question) && matches!(engine, Engine::Auto | Engine::Memo) {
            let room = self.memo_room();
            return match engine {
                Engine::Memo => Box::new(Count::by_memo(problem, make, room, false)),
                _ => portfolio::count(problem, make, room),
            };
        }
        if engine == Engine::Memo {
            let what = "memo only counts, with --count and without --limit, --first and --no-prune; \
                        another engine searches";
            self.messages.note(what);
        }
        match engine {
            Engine::Links => search::links(problem, make(Method::Backtracking)),
            Engine::Bits => bits::engine(problem),
            Engine::Auto | Engine::Learn | Engine::Memo if self.flags.no_prune => {
                search::links(problem, make(Method::Backtracking))
            }
            Engine::Learn => Box::new(Learn::new(problem, make(Method::Learning))),
            Engine::Auto | Engine::Memo => portfolio::search(problem, make, question.enough),
        }
    }

    /// How many bytes a memo may take.
    pub fn memo_room(&self) -> usize {
        // Tables grow by doubling: for a moment there are an old and a new one.
        self.control.memory_left().map_or(memo::ROOM, |left| left / 3)
    }

    /// The rules as constraints for an engine.
    pub fn constraints(
        &self,
        problem: &Problem,
        rules: &Constraints,
        method: Method,
    ) -> Conjunction {
        rules.propagators(problem, method, !self.flags.no_prune)
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
