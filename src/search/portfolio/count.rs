//! The number of solutions only, or all of them at once as a ZDD.
//!
//! A small problem is visited for a moment, for a plan of a memo takes some milliseconds. Then a
//! narrow frontier is swept at once, and one of moderate width soon. Otherwise nobody knows: the files where nothing
//! repeats are counted best one solution after the other, and others have more solutions than one could ever
//! visit. So an engine that visits and the engine of memos take turns, each of which goes on where it was.
//!
//! As long as it seems that the visit will come to its end soon, the memo has a small part of the time; then as
//! much as the visit.

use crate::constraint::automaton::Automaton;
use crate::constraint::{Method, Propagator};
use crate::problem::Problem;
use crate::search::bits;
use crate::search::engine::{Engine, Sink, Status};
use crate::search::learn::Learn;
use crate::search::memo::Counter;
use crate::search::portfolio::simplified::simplify;
use crate::search::portfolio::zdd::{Collector, Over};
use crate::search::portfolio::{Make, end_of_turn, search};
use crate::search::stats::Stats;
use crate::search::zdd::Zdd;
use crate::solution::Choices;

/// Nodes of `bits` before a memo has a turn: small problems never get there.
pub(super) const NODES: u64 = 300_000;

/// Work of `learn` before a memo has a turn; finished boards never get there.
const WORK: u64 = 150_000;

/// Entries of a problem that is visited before a memo is planned for it.
pub(super) const LARGE: usize = 100_000;

/// Nodes of a small problem before a memo is planned for it: a millisecond or two.
const FIRST: u64 = 50_000;

/// Entries of a small problem.
const SMALL: usize = 10_000;

/// Solutions of which no search would visit so many.
const HOPELESS: f64 = 1e9;

/// The memo's part of the time while the visit seems to come to its end soon: one of so many.
const LITTLE: u64 = 12;

/// The visit does not seem to come to its end soon if less than this part of the tree is done, or after
/// so much effort.
pub(super) const SLOW: (f64, u64) = (0.02, 1_000_000_000);

/// Who is at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The visit, until it has done so much work.
    Visit(u64),
    /// What is left of the problem is found out, and planned.
    Reduce,
    /// Both, by turns.
    Turns,
    /// The memo alone.
    Memo,
}

/// An engine that counts, or makes a ZDD; its sink hears of no solution.
pub struct Count<'p> {
    problem: &'p Problem,
    make: &'p Make<'p>,
    /// Bytes that a memo may take.
    room: usize,
    draws: bool,
    ruled: bool,
    /// The memo is wanted for its own sake, not as one of two.
    by_memo: bool,
    visit: Option<Box<dyn Engine + 'p>>,
    memo: Option<Counter<'p>>,
    phase: Phase,
    /// In [`Phase::Turns`]: whether it is the memo's, and the work at which it ends.
    turn: Option<(bool, u64)>,
    collector: Collector,
    /// What an engine counted that was given up.
    before: Stats,
    limit: u64,
    /// How it ended, and whether the memo answered.
    end: Option<(Status, bool)>,
}

impl<'p> Count<'p> {
    /// A count of the solutions of `problem` under the rules that `make` makes anew for each search; a memo
    /// may take `room` bytes.
    pub fn new(problem: &'p Problem, make: &'p Make<'p>, room: usize) -> Self {
        let mut count = Count::idle(problem, make, room, Collector::counting());
        count.plan();
        count
    }

    /// Makes a ZDD of the solutions, within so many bytes. It is made by whichever engine is first: those that
    /// visit list the covers that they find.
    pub fn diagram(problem: &'p Problem, make: &'p Make<'p>, room: usize) -> Self {
        let mut count = Count::idle(problem, make, room, Collector::drawing(room));
        count.plan();
        count
    }

    /// The same, by memo alone if that is possible.
    pub fn by_memo(problem: &'p Problem, make: &'p Make<'p>, room: usize, draws: bool) -> Self {
        let collector = if draws { Collector::drawing(room) } else { Collector::counting() };
        let mut count = Count::idle(problem, make, room, collector);
        let Some(automata) = count.automata() else {
            count.plan();
            return count;
        };
        let counter = count.counter(automata);
        count.by_memo = true;
        if !count.ruled || counter.is_narrow() || draws && counter.is_able() {
            (count.memo, count.phase) = (Some(counter), Phase::Memo);
        } else if draws {
            count.plan();
        } else {
            (count.memo, count.phase) = (Some(counter), Phase::Reduce);
        }
        count
    }

    /// Makes a ZDD of the solutions that `visit` finds, within so many bytes. Tells whether they come `in_order`,
    /// that of a tree of choices.
    pub fn listed(
        problem: &'p Problem,
        make: &'p Make<'p>,
        in_order: bool,
        room: usize,
        visit: Box<dyn Engine + 'p>,
    ) -> Self {
        let mut count = Count::idle(problem, make, room, Collector::drawing(room));
        count.collector.set_order(in_order);
        count.visit_alone(visit);
        count
    }

    fn idle(problem: &'p Problem, make: &'p Make<'p>, room: usize, collector: Collector) -> Self {
        Count {
            problem,
            make,
            room,
            draws: collector.draws(),
            ruled: !make(Method::Backtracking).is_empty(),
            by_memo: false,
            visit: None,
            memo: None,
            phase: Phase::Memo,
            turn: None,
            collector,
            before: Stats::default(),
            limit: u64::MAX,
            end: None,
        }
    }

    fn automata(&self) -> Option<Vec<Box<dyn Automaton>>> {
        let rules = (self.make)(Method::Backtracking);
        if self.problem.has_bounds() { None } else { rules.automata() }
    }

    fn counter(&self, automata: Vec<Box<dyn Automaton>>) -> Counter<'p> {
        let mut counter = Counter::new(self.problem, automata, self.room);
        counter.limit(self.limit);
        if self.draws { counter.with_diagram() } else { counter }
    }

    fn visit_alone(&mut self, mut visit: Box<dyn Engine + 'p>) {
        visit.limit(self.limit);
        (self.visit, self.phase) = (Some(visit), Phase::Visit(u64::MAX));
    }

    /// Chooses who begins.
    fn plan(&mut self) {
        let problem = self.problem;
        self.by_memo = false;
        let Some(automata) = self.automata() else {
            self.collector.set_order(false);
            return self.visit_alone(search(problem, self.make, u64::MAX));
        };
        if (self.ruled || plans_first(problem)) && self.memo.is_none() {
            self.memo = Some(self.counter(automata));
        }
        if self.memo.as_ref().is_some_and(Counter::is_narrow) {
            self.phase = Phase::Memo;
            return;
        }
        let (visit, work): (Box<dyn Engine + 'p>, _) = match self.ruled {
            true => (Box::new(Learn::new(problem, (self.make)(Method::Learning))), WORK),
            false => (bits::engine(problem), first_nodes(problem)),
        };
        if !self.ruled {
            self.collector.set_order(true);
        }
        self.visit_alone(visit);
        self.phase = Phase::Visit(work);
    }

    /// The visit had its first work.
    fn after_visit(&mut self, work: u64) {
        if self.ruled {
            self.phase = Phase::Reduce;
            return;
        }
        if self.memo.is_none() {
            let automata = self.automata().unwrap_or_default();
            self.memo = Some(self.counter(automata));
        }
        let is_narrow = self.memo.as_ref().is_some_and(Counter::is_narrow);
        let is_moderate = self.memo.as_ref().is_some_and(Counter::is_moderate);
        self.phase = match work {
            _ if self.collector.expected > HOPELESS => {
                self.collector.keep_none();
                Phase::Memo
            }
            _ if is_narrow => Phase::Memo,
            ..NODES => Phase::Visit(NODES),
            // All states of a diagram are kept, so it is not known whether it can be swept to the end.
            _ if is_moderate && !self.draws => Phase::Memo,
            _ => Phase::Turns,
        };
    }

    /// Takes all out that is certain, and decides how to go on; false if that was stopped.
    fn reduce(&mut self, sink: &mut dyn Sink) -> bool {
        if !self.draws {
            let make = || (self.make)(Method::Learning);
            let mut stopped = false;
            let mut stops = || {
                stopped |= sink.poll().is_break();
                stopped
            };
            let left = simplify(self.problem, &make, self.limit, &mut stops);
            if stopped {
                return false;
            }
            if let (Some(left), Some(automata)) = (left, self.automata()) {
                let mut counter = Counter::by_frontier_of(&left, automata, self.room);
                counter.limit(self.limit);
                self.memo = Some(counter);
            }
        }
        let memo = self.memo.as_ref();
        let (has_frontier, is_moderate) =
            memo.map_or((false, false), |memo| (memo.has_frontier(), memo.is_moderate()));
        match has_frontier {
            true if self.by_memo || is_moderate && !self.draws => self.phase = Phase::Memo,
            true => self.phase = Phase::Turns,
            // The frontier is too wide.
            false if self.by_memo => {
                self.memo = None;
                self.plan();
            }
            false => {
                if let Some(visit) = self.visit.take() {
                    self.before = visit.stats();
                }
                if self.draws {
                    self.collector = Collector::drawing(self.room);
                }
                self.collector.set_order(false);
                self.visit_alone(search(self.problem, self.make, u64::MAX));
            }
        }
        true
    }

    /// Whose turn is next, and the work at which it ends.
    fn next_turn(&self) -> (bool, u64) {
        let (Some(visit), Some(memo)) = (&self.visit, &self.memo) else {
            unreachable!("both take turns");
        };
        let (visited, counted) = (visit.effort(), memo.effort());
        let is_slow = self.ruled || visit.progress() < SLOW.0 || visited > SLOW.1;
        let weight = if is_slow || memo.is_moderate() { 1 } else { LITTLE };
        let all = visited + counted;
        match counted.saturating_mul(weight) < visited {
            true => (true, end_of_turn(memo, all)),
            false => (false, end_of_turn(&**visit, all)),
        }
    }

    fn run_visit(&mut self, work: u64, sink: &mut dyn Sink) -> Status {
        let Some(visit) = &mut self.visit else { unreachable!("there is a visit") };
        let status = visit.run(work, &mut self.collector.sink(sink));
        match (status, self.collector.over) {
            (Status::Paused, _) => Status::Paused,
            (Status::Stopped, Some(Over::Room)) => self.finish(Status::Full, false),
            // If the memo cannot do it either, so it is.
            (Status::Stopped, Some(Over::Most))
                if self.memo.as_ref().is_some_and(Counter::is_able) =>
            {
                self.collector.keep_none();
                self.phase = Phase::Memo;
                Status::Paused
            }
            (Status::Stopped, Some(Over::Most)) => self.finish(Status::Full, false),
            (Status::Stopped, None) => Status::Stopped,
            (status, _) => self.finish(status, false),
        }
    }

    fn run_memo(&mut self, work: u64, sink: &mut dyn Sink) -> Status {
        let Some(memo) = &mut self.memo else { unreachable!("there is a memo") };
        match memo.run(work, sink) {
            status @ (Status::Paused | Status::Stopped) => status,
            Status::Exhausted => self.finish(Status::Exhausted, true),
            status if self.phase == Phase::Turns => {
                // The other engine may do it.
                self.before = better(std::mem::take(&mut self.before), memo.stats());
                self.memo = None;
                if status == Status::Limit {
                    return self.finish(status, false);
                }
                self.phase = Phase::Visit(u64::MAX);
                Status::Paused
            }
            status => self.finish(status, true),
        }
    }

    fn finish(&mut self, status: Status, by_memo: bool) -> Status {
        self.end = Some((status, by_memo));
        status
    }

    /// Makes the ZDD, after a run that came to its end. `stops` is asked now and then whether to stop.
    pub fn draw(mut self, stops: &mut dyn FnMut() -> bool) -> Result<Zdd, Status> {
        match (self.end, &mut self.memo) {
            (Some((Status::Exhausted, true)), Some(memo)) => {
                memo.take_diagram().ok_or(Status::Full)
            }
            (Some((status, _)), _) => self.collector.draw(self.problem, status, stops),
            (None, _) => Err(Status::Stopped),
        }
    }
}

/// Whether a memo is planned before anything is visited. A plan for a large problem takes longer than many a
/// search, one for a small one longer than some.
pub(super) fn plans_first(problem: &Problem) -> bool {
    (SMALL + 1..=LARGE).contains(&problem.entries())
}

/// How many nodes are visited before the first turn of a memo.
pub(super) fn first_nodes(problem: &Problem) -> u64 {
    if problem.entries() <= SMALL { FIRST } else { NODES }
}

/// That with the larger count.
fn better(one: Stats, other: Stats) -> Stats {
    if other.total() > one.total() { other } else { one }
}

impl Engine for Count<'_> {
    fn name(&self) -> &'static str {
        let by_memo = match self.end {
            Some((_, by_memo)) => by_memo,
            None => self.phase == Phase::Memo,
        };
        match &self.visit {
            Some(visit) if !by_memo => visit.name(),
            _ => "memo",
        }
    }

    fn run(&mut self, work: u64, sink: &mut dyn Sink) -> Status {
        if let Some((status, _)) = self.end {
            return status;
        }
        match self.phase {
            Phase::Visit(until) => {
                let done = self.visit.as_ref().map_or(0, |visit| visit.work());
                if done >= until {
                    self.after_visit(until);
                    return Status::Paused;
                }
                self.run_visit(work.min(until - done), sink)
            }
            Phase::Reduce => match self.reduce(sink) {
                true => Status::Paused,
                false => Status::Stopped,
            },
            Phase::Memo => self.run_memo(work, sink),
            Phase::Turns => {
                let (is_memo, until) = self.turn.unwrap_or_else(|| self.next_turn());
                self.turn = Some((is_memo, until));
                let done = |count: &Self| match is_memo {
                    true => count.memo.as_ref().map_or(until, |memo| memo.work()),
                    false => count.visit.as_ref().map_or(until, |visit| visit.work()),
                };
                let work = work.min(until.saturating_sub(done(self)));
                let status = match is_memo {
                    true => self.run_memo(work, sink),
                    false => self.run_visit(work, sink),
                };
                if done(self) >= until {
                    self.turn = None;
                }
                status
            }
        }
    }

    fn limit(&mut self, nodes: u64) {
        self.limit = nodes;
        if let Some(visit) = &mut self.visit {
            visit.limit(nodes);
        }
        if let Some(memo) = &mut self.memo {
            memo.limit(nodes);
        }
    }

    fn stats(&self) -> Stats {
        let visited = self.visit.as_ref().map(|visit| visit.stats());
        let counted = self.memo.as_ref().map(|memo| memo.stats());
        match (self.end, visited, counted) {
            (Some((Status::Exhausted, true)), _, Some(counted)) => counted,
            (Some((Status::Exhausted, false)), Some(visited), _) => visited,
            (_, visited, counted) => {
                let all = visited.into_iter().chain(counted);
                all.fold(None, |best, one| Some(best.map_or(one.clone(), |best| better(best, one))))
                    .map_or_else(|| self.before.clone(), |best| better(best, self.before.clone()))
            }
        }
    }

    fn work(&self) -> u64 {
        let memo = self.memo.as_ref().map_or(0, |memo| memo.work());
        memo + self.visit.as_ref().map_or(0, |visit| visit.work())
    }

    fn effort(&self) -> u64 {
        let memo = self.memo.as_ref().map_or(0, |memo| memo.effort());
        memo + self.visit.as_ref().map_or(0, |visit| visit.effort())
    }

    fn choices(&self) -> &dyn Choices {
        const NONE: &Vec<crate::solution::Choice> = &Vec::new();
        self.visit.as_ref().map_or(NONE, |visit| visit.choices())
    }

    fn progress(&self) -> f64 {
        match (&self.visit, &self.memo) {
            (Some(visit), _) if self.phase != Phase::Memo => visit.progress(),
            (_, Some(memo)) => memo.progress(),
            _ => 0.0,
        }
    }

    fn shrink(&mut self) {
        if let Some(visit) = &mut self.visit {
            visit.shrink();
        }
    }
}
