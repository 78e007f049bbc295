//! One search from the command line: `solve` and `puzzle` share it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cli::Memory;
use crate::cli::args::{self, Engine, Search};
use crate::cli::control::{Control, Stop};
use crate::cli::exit::Failure;
use crate::cli::judge::Judge;
use crate::cli::message::Messages;
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::rules::{Rules, bind, constraints, dialect};
use crate::cli::stats::Summary;
use crate::cli::visitor::{Visitor, Watch};
use crate::constraint::Together;
use crate::dlx::parse::Dlx;
use crate::problem::Problem;
use crate::search::learn::direct::Direct;
use crate::search::learn::facts::{Facts, Subject, facts};
use crate::search::learn::journal::Journal;
use crate::search::memo;
use crate::search::multi::cheapest::{Cheap, cheapest};
use crate::search::stats::Stats;
use crate::search::{self, End, Limits, Observer};
use crate::search::{auto, bits, learn, multi};
use crate::solution::Choices;
use crate::wording::counted;

/// Why a memo does not answer although it is asked.
pub(super) const TOO_WIDE: &str = "the frontier is too wide for memo; another engine counts";

/// What is asked of a search.
#[derive(Clone, Debug)]
pub struct Question {
    /// The rules beyond exact cover.
    pub rules: Rules,
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
        wanted: &args::Rules,
        messages: Option<&Messages>,
    ) -> Result<Rules, Failure> {
        let rules = bind(name, dlx, wanted, messages)?;
        if self.flags.engine == Engine::Bits && (wanted.single_loop || !wanted.connected.is_empty())
        {
            let what = "--engine bits knows exact covers only, without --loop, --connected or \
                        the rules of a puzzle; use links, learn or auto";
            return Err(Failure::Usage(what.into()));
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
        let make = |engine| self.constraints(problem, &question.rules, engine);
        let ask = |limits: &Limits<'_>, observer: &mut dyn Observer| {
            self.ask(problem, &make, question, limits, observer)
        };
        let first = self.first(problem, question);
        let mut judge = Judge::new(problem, &question.rules);
        let mut visit = |n: u64, choices: &dyn Choices| {
            judge.look(choices);
            visit(n, choices)
        };
        self.conduct(first, question.enough, output, &mut visit, ask)
    }

    /// The engine that is asked first, and about how many bytes it needs.
    pub(super) fn first(&self, problem: &Problem, question: &Question) -> (&'static str, usize) {
        match self.flags.engine {
            Engine::Memo if question.count => ("memo", memo::memory(problem)),
            Engine::Memo => ("memo", search::memory(problem)),
            Engine::Bits => ("bits", bits::memory(problem)),
            Engine::Learn => ("learn", learn::memory(problem)),
            Engine::Links => ("links", search::memory(problem)),
            Engine::Auto if question.rules.is_empty() => ("auto", auto::memory(problem)),
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
        let ask = |limits: &Limits<'_>, observer: &mut dyn Observer| {
            let mut rules = self.constraints(problem, &question.rules, auto::Engine::Learn);
            let (end, stats) = learn::prove(problem, direct, journal, &mut rules, limits, observer);
            auto::Answer { end, stats, engine: "learn" }
        };
        let mut judge = Judge::new(problem, &question.rules);
        let mut visit = |n: u64, choices: &dyn Choices| {
            judge.look(choices);
            visit(n, choices)
        };
        let first = ("learn", learn::memory(problem));
        self.conduct(first, question.enough, output, &mut visit, ask)
    }

    /// Finds the `wanted` cheapest solutions.
    pub fn cheapest(
        &self,
        problem: &Problem,
        rules: &Rules,
        wanted: u64,
        output: &Output,
    ) -> (Answer, Vec<Cheap>) {
        let mut found = Vec::new();
        let ask = |limits: &Limits<'_>, observer: &mut dyn Observer| {
            let mut constraint = self.constraints(problem, rules, auto::Engine::Links);
            let (end, stats, best) = cheapest(problem, &mut constraint, wanted, limits, observer);
            found = best;
            auto::Answer { end, stats, engine: "cheapest" }
        };
        let memory = 2 * multi::memory(problem);
        let mut answer =
            self.conduct(("cheapest", memory), u64::MAX, output, &mut |_, _| Ok(()), ask);
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
        rules: &Rules,
        subject: Subject,
        output: &Output,
    ) -> (Answer, Option<Facts>) {
        let mut known = None;
        let ask = |limits: &Limits<'_>, observer: &mut dyn Observer| {
            let make = || self.constraints(problem, rules, auto::Engine::Learn);
            let (facts, stats) = facts(problem, &make, subject, limits, observer);
            let end = facts.end;
            known = Some(facts);
            auto::Answer { end, stats, engine: "learn" }
        };
        let answer = self.conduct(
            ("learn", learn::memory(problem)),
            u64::MAX,
            output,
            &mut |_, _| Ok(()),
            ask,
        );
        (answer, known)
    }

    /// The same for one of many problems: no progress, no memory of its own, and several threads may
    /// ask at once.
    pub fn facts_of_many(
        &self,
        problem: &Problem,
        rules: &Rules,
        subject: Subject,
    ) -> (Facts, Stats) {
        let limits = Limits {
            nodes: self.flags.node_limit.unwrap_or(u64::MAX),
            attention: &self.control.attention,
        };
        let make = || self.constraints(problem, rules, auto::Engine::Learn);
        let mut watch = Watch(&self.control);
        facts(problem, &make, subject, &limits, &mut watch)
    }

    /// Runs a search under the limits, and says how it ended. `first` is the engine that is asked first, and
    /// about how many bytes it needs.
    pub(super) fn conduct(
        &self,
        (first, memory): (&'static str, usize),
        enough: u64,
        output: &Output,
        visit: &mut dyn FnMut(u64, &dyn Choices) -> Result<(), ()>,
        ask: impl FnOnce(&Limits<'_>, &mut dyn Observer) -> auto::Answer,
    ) -> Answer {
        let start = Instant::now();
        let progress = Progress::new(self.flags.progress, self.messages);
        if let Some(progress) = &progress {
            output.share_with(progress.bar());
        }
        self.control.done_reading();
        self.control.tick(Some(output.clone()));
        let mut observer = Visitor {
            control: &self.control,
            progress,
            start,
            enough,
            found: 0,
            state: None,
            visit,
        };
        let limits = Limits {
            nodes: self.flags.node_limit.unwrap_or(u64::MAX),
            attention: &self.control.attention,
        };
        self.control.look_at_clock();
        if self.control.lacks_memory_for(memory) {
            self.control.stop(Stop::Memory);
        }
        let auto::Answer { end, stats, engine } = if self.control.stopped().is_some() {
            auto::Answer { end: End::Stopped, stats: Stats::default(), engine: first }
        } else {
            ask(&limits, &mut observer)
        };
        self.messages.detail(&format!("engine: {engine}"));
        if let Some(progress) = &observer.progress {
            progress.finish();
        }
        Answer {
            exhausted: end == End::Exhausted,
            optimal: None,
            enough: observer.found >= enough,
            engine,
            stats,
            stopped: self.control.why(end),
            state: observer.state,
            time: start.elapsed(),
        }
    }

    /// Asks the engine that the flags name.
    pub(super) fn ask(
        &self,
        problem: &Problem,
        make: &dyn Fn(auto::Engine) -> Together,
        question: &Question,
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
    ) -> auto::Answer {
        let all = question.count && question.enough == u64::MAX;
        // The memo knows no bounds.
        let counts = all && !self.flags.no_prune && !problem.has_bounds();
        if counts && matches!(self.flags.engine, Engine::Auto | Engine::Memo) {
            return self.count(problem, make, limits, observer);
        }
        if self.flags.engine == Engine::Memo {
            let what = "memo only counts, with --count and without --limit, --first and --no-prune; \
                        another engine searches";
            self.messages.note(what);
        }
        let answer = |(end, stats), engine| auto::Answer { end, stats, engine };
        let links = match self.flags.engine {
            Engine::Links => true,
            Engine::Bits => false,
            Engine::Auto | Engine::Learn | Engine::Memo => self.flags.no_prune,
        };
        let rules = make(if links { auto::Engine::Links } else { auto::Engine::Learn });
        match (links, self.flags.engine) {
            (true, _) if rules.is_empty() => {
                answer(search::solve(problem, &mut (), limits, observer), "links")
            }
            (true, _) => {
                let mut rules = rules;
                answer(search::solve(problem, &mut rules, limits, observer), "links")
            }
            (false, Engine::Bits) => answer(bits::solve(problem, limits, observer), "bits"),
            (false, Engine::Learn) => {
                let mut rules = rules;
                answer(learn::solve(problem, &mut rules, limits, observer), "learn")
            }
            (false, _) => auto::search(problem, make, question.enough, limits, observer),
        }
    }

    /// Counts, if that is all that is wanted.
    fn count(
        &self,
        problem: &Problem,
        make: &dyn Fn(auto::Engine) -> Together,
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
    ) -> auto::Answer {
        let room = self.memo_room();
        if self.flags.engine == Engine::Memo {
            if let Some(answer) = auto::count_by_memo(problem, make, room, limits, observer) {
                return answer;
            }
            self.messages.detail(TOO_WIDE);
        }
        auto::count(problem, make, room, limits, observer)
    }

    /// How many bytes a memo may take.
    pub fn memo_room(&self) -> usize {
        // Tables grow by doubling: for a moment there are an old and a new one.
        self.control.memory_left().map_or(memo::ROOM, |left| left / 3)
    }

    /// The rules as constraints for an engine.
    pub fn constraints(&self, problem: &Problem, rules: &Rules, engine: auto::Engine) -> Together {
        constraints(problem, rules, engine, self.flags.no_prune)
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
