//! One search from the command line: `solve` and `puzzle` share it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::cli::Memory;
use crate::cli::args::{Engine, Search};
use crate::cli::control::{Control, Stop};
use crate::cli::exit::Failure;
use crate::cli::judge::Judge;
use crate::cli::message::Messages;
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::stats::Summary;
use crate::constraint::connected::Connected;
use crate::constraint::final_test::FinalTest;
use crate::constraint::graph::{BindError, Graph};
use crate::constraint::single_loop::{self, SingleLoop};
use crate::constraint::{Constraint, Together};
use crate::diagnostic::Diagnostic;
use crate::dlx::parse::{Dlx, Notes};
use crate::problem::Problem;
use crate::search::fraction::fraction;
use crate::search::learn::direct::Direct;
use crate::search::learn::facts::{Facts, Subject, facts};
use crate::search::learn::journal::Journal;
use crate::search::memo::{self, Counter};
use crate::search::multi::cheapest::{Cheap, cheapest};
use crate::search::stats::Stats;
use crate::search::{self, End, Limits, Moment, Observer};
use crate::search::{auto, bits, learn, multi};
use crate::solution::Choices;
use crate::solutions::cover::words;

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

/// Rules beyond exact cover, bound to a problem.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The edges of color 1 of this graph must form one loop.
    pub single_loop: Option<Graph>,
    /// For each of these the cells of its color must be connected.
    pub connected: Vec<Connected>,
    /// Their colors, in the same order.
    pub colors: Vec<String>,
}

impl Rules {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.single_loop.is_none() && self.connected.is_empty()
    }
}

/// What came of it.
#[derive(Debug)]
pub struct Answer {
    /// The engine that answered.
    pub engine: &'static str,
    /// What was counted.
    pub stats: Stats,
    /// Whether the tree was exhausted.
    pub exhausted: bool,
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
        for &line in &notes.dropped_lines {
            self.messages.warning(name, line, "option ignored (no primary items)");
        }
        let more = notes.dropped - notes.dropped_lines.len() as u64;
        if more > 0 {
            let what = format!("{more} more options ignored (no primary items)");
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

    /// Reads from the names of a file what the rules need: `single_loop` for `--loop`, `connected` for
    /// the color of each `--connected`.
    pub fn rules(
        &self,
        name: &str,
        dlx: &Dlx,
        single_loop: bool,
        connected: &[&str],
    ) -> Result<Rules, Failure> {
        let rules = read_rules(name, dlx, single_loop, connected)?;
        if self.flags.engine == Engine::Bits && (single_loop || !connected.is_empty()) {
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
        let first = match self.flags.engine {
            Engine::Memo if question.count => ("memo", memo::memory(problem)),
            Engine::Memo => ("memo", search::memory(problem)),
            Engine::Bits => ("bits", bits::memory(problem)),
            Engine::Learn => ("learn", learn::memory(problem)),
            Engine::Links => ("links", search::memory(problem)),
            Engine::Auto if question.rules.is_empty() => ("auto", auto::memory(problem)),
            Engine::Auto if question.enough < u64::MAX => ("auto", learn::memory(problem)),
            Engine::Auto => ("auto", search::memory(problem)),
        };
        let mut judge = Judge::new(problem, &question.rules);
        let mut visit = |n: u64, choices: &dyn Choices| {
            judge.look(choices);
            visit(n, choices)
        };
        self.conduct(first, question.enough, output, &mut visit, ask)
    }

    /// The same by the engine `learn`, which writes a proof of it. `direct` numbers the variables.
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
        let answer = self.conduct(("cheapest", memory), u64::MAX, output, &mut |_, _| Ok(()), ask);
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
    /// ask at once. Says how long it took.
    pub fn facts_of_many(
        &self,
        problem: &Problem,
        rules: &Rules,
        subject: Subject,
    ) -> (Facts, Duration) {
        let start = Instant::now();
        let limits = Limits {
            nodes: self.flags.node_limit.unwrap_or(u64::MAX),
            attention: &self.control.attention,
        };
        let make = || self.constraints(problem, rules, auto::Engine::Learn);
        let mut watch = Watch(&self.control);
        let (facts, _) = facts(problem, &make, subject, &limits, &mut watch);
        (facts, start.elapsed())
    }

    /// Runs a search under the limits, and says how it ended. `first` is the engine that is asked first, and
    /// about how many bytes it needs.
    fn conduct(
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
        let stopped = match end {
            End::Exhausted => None,
            End::NodeLimit => Some("node limit reached"),
            End::Stopped => self.control.stopped().map(Stop::text),
        };
        Answer {
            exhausted: end == End::Exhausted,
            enough: observer.found >= enough,
            engine,
            stats,
            stopped,
            state: observer.state,
            time: start.elapsed(),
        }
    }

    /// Asks the engine that the flags name.
    fn ask(
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
            let signatures = make(auto::Engine::Links).signatures();
            let counter = signatures.map(|rules| Counter::new(problem, rules, room));
            if let Some((end, stats)) = counter.and_then(|counter| counter.run(limits, observer)) {
                return auto::Answer { end, stats, engine: "memo" };
            }
            self.messages.detail("the frontier is too wide for memo; another engine counts");
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
            complete: answer.exhausted,
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

/// Reads from the names of a file what the rules need.
pub fn read_rules(
    name: &str,
    dlx: &Dlx,
    single_loop: bool,
    connected: &[&str],
) -> Result<Rules, Failure> {
    let refuse = |error, flag| unbound(name, dlx, &error, flag);
    let mut rules = Rules::default();
    if single_loop {
        let graph = Graph::read(&dlx.problem).map_err(|error| refuse(error, "--loop"))?;
        rules.single_loop = Some(graph);
    }
    for color in connected {
        let rule = Connected::new(&dlx.problem, color.as_bytes());
        rules.connected.push(rule.map_err(|error| refuse(error, "--connected"))?);
        rules.colors.push((*color).to_owned());
    }
    Ok(rules)
}

/// The rules as constraints. For `learn` the loop forbids edges ahead; `links` would not visit the
/// tree of `dlx2-loop` then. Without pruning they are tests of complete solutions only.
pub fn constraints(
    problem: &Problem,
    rules: &Rules,
    engine: auto::Engine,
    no_prune: bool,
) -> Together {
    let mut constraints = Together::new();
    if let Some(graph) = &rules.single_loop {
        let rule = SingleLoop::new(problem, graph);
        let rule = match engine {
            auto::Engine::Links => rule,
            auto::Engine::Learn => rule.with_blocks(single_loop::PAY),
        };
        constraints.push(pruned(rule, no_prune));
    }
    for rule in &rules.connected {
        constraints.push(pruned(rule.clone(), no_prune));
    }
    constraints
}

/// The constraint as it is, or without its pruning.
fn pruned<C: Constraint + 'static>(constraint: C, no_prune: bool) -> Box<dyn Constraint> {
    if no_prune { Box::new(FinalTest::new(constraint)) } else { Box::new(constraint) }
}

/// Stops one of several searches that run at once.
struct Watch<'a>(&'a Control);

impl Observer for Watch<'_> {
    fn solution(&mut self, _: &dyn Choices) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tick(&mut self, _: &Moment<'_>) -> ControlFlow<()> {
        if self.0.stopped().is_none() {
            return ControlFlow::Continue(());
        }
        // The flag is up again for the others.
        self.0.attention.store(true, Ordering::Relaxed);
        ControlFlow::Break(())
    }
}

/// Complains about the first bound of a file, or, if it has none, about the first cost.
pub fn dialect(name: &str, dlx: &Dlx, what: impl Into<String>) -> Failure {
    let Notes { item_line, item_text, first_cost, bounds, .. } = &dlx.notes;
    let diagnostic = if *bounds {
        // A bar on its own has secondary items behind it.
        let is_bound = |word: &[u8]| word.len() > 1 && word.contains(&b'|');
        let found = words(item_text, 0).find(|span| is_bound(&item_text[span.clone()]));
        let end = item_text.len();
        Diagnostic::new(*item_line, item_text, found.unwrap_or(end..end), what)
    } else {
        first_cost.complain(what)
    };
    Failure::Input { name: name.to_owned(), diagnostic: Box::new(diagnostic) }
}

/// The names of a file do not carry what `flag` needs; shows the item.
pub fn unbound(name: &str, dlx: &Dlx, error: &BindError, flag: &str) -> Failure {
    let text = &dlx.notes.item_text;
    let what = format!("{error}: {flag} needs the names of docs/names.md");
    let item = error.item().map(str::as_bytes);
    // A bound may stand before the name.
    let is = |word: &[u8]| word.rsplit(|&byte| byte == b'|').next() == item;
    let found = words(text, 0).find(|span| is(&text[span.clone()]));
    let diagnostic = Diagnostic::new(dlx.notes.item_line, text, found.unwrap_or(0..0), what);
    Failure::Input { name: name.to_owned(), diagnostic: Box::new(diagnostic) }
}

/// How many choices the state of an interrupted search shows.
const SHOWN: usize = 16;

struct Visitor<'a> {
    control: &'a Control,
    progress: Option<Progress>,
    start: Instant,
    enough: u64,
    found: u64,
    state: Option<String>,
    visit: &'a mut dyn FnMut(u64, &dyn Choices) -> Result<(), ()>,
}

impl Observer for Visitor<'_> {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        self.found += 1;
        let visited = (self.visit)(self.found, choices);
        if visited.is_err() {
            self.control.stop(Stop::Output);
        }
        match visited.is_err() || self.found >= self.enough {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn lacks_memory(&mut self) -> bool {
        self.control.take_shortage()
    }

    fn tick(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        if let Some(progress) = &self.progress {
            progress.show(moment, fraction(moment.choices), self.start.elapsed());
        }
        match self.control.stopped() {
            Some(why) => {
                if why == Stop::Interrupted {
                    self.state = Some(state(moment, self.start.elapsed()));
                }
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        }
    }
}

/// Where a search is, for whoever interrupted it: what it has done, and the choices that stand.
/// An engine that learns has none to show.
pub fn state(moment: &Moment<'_>, elapsed: Duration) -> String {
    let Moment { stats, choices } = moment;
    let mut text = match stats.conflicts {
        0 => format!("state: {} nodes", stats.nodes),
        conflicts => format!("state: {conflicts} conflicts, {} decisions", stats.decisions),
    };
    text += &format!(" in {:.1} s", elapsed.as_secs_f64());
    let levels = choices.levels();
    if levels > 0 {
        let done = 100.0 * fraction(*choices).clamp(0.0, 1.0);
        text += &format!(", about {done:.1}% of the tree; level {levels}, choices");
        for level in 0..levels.min(SHOWN) {
            let choice = choices.choice(level);
            text += &format!(" {}/{}", choice.rank, choice.degree);
        }
        text += if levels > SHOWN { " ..." } else { "" };
    }
    text
}
