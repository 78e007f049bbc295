//! What all solutions have in common: forced colors, and options that are always or never chosen.
//!
//! Enumerating solutions would be hopeless: a board from which a few clues are missing has millions.
//! So we find one, take everything that it says for common, and then assume for one thing after the
//! other that it is not so. Either that is refuted, and a fact is proved; or there is another
//! solution, and all in which it differs are no candidates any more (Janota, Lynce and Marques-Silva, "Algorithms
//! for computing backbones of propositional formulae", AI Communications 28, 2015, algorithm 3).
//!
//! For example, of these two solutions
//!
//! ```text
//! 01:1 10:1 12:0
//! 01:1 10:0 12:0      the second differs in `10`; a third would have to differ in `01` or `12`
//! ```
//!
//! the second was found when we assumed that `10` is not 1. Each question is asked up to three times:
//! first so that the answer stays near the latest model, which takes few conflicts where there is one
//! (`local_search`); then by a search of the whole board that tries the other value of all that is still common;
//! then by a new solver. The second model is searched for on the whole board first, since it may differ nearly
//! everywhere. Whenever there is another model, those that differ from it in a small part are looked for in
//! neighborhoods (`local_search` again), since they cost least.
//!
//! Three beliefs that fail:
//!
//! * *Refute at one stroke, by a clause, that any of the rest differs.* It takes fewer searches; but
//!   now and then one of them takes minutes, since it wanders from one end of the board to the other
//!   (bank-loopy30-2 without 30 percent of its clues). An assumption of one thing stays where it is.
//! * *One assumption after the other, however long it takes.* Most take a few conflicts, a few take
//!   hundreds of thousands; and those are easy a little later, when more facts are known. So each has
//!   the patience of some conflicts, and is put off if that is not enough.
//! * *The solver only gets wiser.* What it learned and preferred for other questions leads it astray.
//!   Of two edges that took 500000 conflicts and more, a new solver that knows the facts alone, and
//!   has the assumption at its root so that it can probe, refutes one in 2 conflicts and the other in
//!   451. So what is put off goes to a new one.
//!
//! # Invariants
//!
//! `common[v]` is the value of `v` in all models so far, for watched variables with one. What is
//! assigned at the root follows from the problem; so a search that is stopped can tell what it has.

use super::candidates::Candidates;
use super::clauses::Lit;
use super::core::Solver;
use super::encoding::Encoding;
use super::local_search::{Asking, Nearby};
use super::{RESTART, Search, Stand, count};
use crate::constraint::Propagator;
use crate::ids::{Color, ItemId};
use crate::problem::Problem;
use crate::search::engine::Status;
use crate::search::stats::Stats;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// The colors of items.
    Colors,
    /// Whether options are chosen.
    Options,
    /// The colors of items, and besides whether there is more than one solution at all: two may have
    /// the same colors.
    Covers,
}

/// What solutions say of the color of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// All give it this color.
    Color(Color),
    /// None gives it a color.
    Uncolored,
    /// They do not agree.
    Differs,
    /// The search was stopped before that was known.
    Unknown,
}

/// In which solutions an option is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// In all.
    All,
    /// In some, but not in all.
    Some,
    /// In none.
    None,
    /// The search was stopped before that was known.
    Unknown,
}

/// What all solutions have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Why the search ended; everything is known after [`Status::Exhausted`].
    #[doc(hidden)]
    pub end: Status,
    /// How many solutions were looked at: none only if there is none, or the search was stopped.
    pub models: u64,
    /// Whether two of them differ in what was asked.
    pub differ: bool,
    /// Each secondary item that some option colors, in order; empty for [`Subject::Options`].
    pub colors: Vec<(ItemId, Shared)>,
    /// By option; empty unless [`Subject::Options`] was asked.
    pub options: Vec<Presence>,
}

impl Facts {
    /// The search was stopped before it began.
    const NONE: Facts = Facts {
        end: Status::Stopped,
        models: 0,
        differ: false,
        colors: Vec::new(),
        options: Vec::new(),
    };
}

/// How much is spent on a question.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Conflicts for each question that stays near the latest model.
    pub near: u64,
    /// Conflicts for each question, if that was not enough.
    pub question: u64,
    /// Conflicts for a new solver; doubled when some of them in a row were not enough.
    pub afresh: u64,
    /// Conflicts for each question in a neighborhood.
    pub nearby: u64,
    /// Sizes of neighborhoods, in variables, ascending.
    pub sizes: [usize; 3],
}

impl Default for Patience {
    /// Chosen on slitherlinks of 30 x 30 to 60 x 60 cells from which 5 to 70 percent of the clues were
    /// dropped; half or twice of each makes no difference beyond that of chance.
    fn default() -> Self {
        Patience { near: 100, question: 600, afresh: 1000, nearby: 16, sizes: [100, 300, 900] }
    }
}

/// How a question is asked.
#[derive(Clone, Copy, Debug)]
enum AskingWay {
    /// By a short search of the whole board: where all is loose, the second model differs nearly everywhere.
    Loose,
    /// So that the answer stays near the latest model.
    Near,
    /// By a search of the whole board.
    Whole,
    /// By a new solver.
    Afresh,
}

/// One after the other, until there is an answer; the first one for the second model alone.
const WAYS: [AskingWay; 4] = [AskingWay::Loose, AskingWay::Near, AskingWay::Whole, AskingWay::Afresh];

/// After so many questions in a row that took too long a new solver has twice the conflicts.
const IN_A_ROW: u64 = 4;

/// What the caller of a search wants that is made in one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Go on.
    Continue,
    /// Go on with less memory.
    Shrink,
    /// Stop.
    Stop,
}

/// Asked a thousand times a second or so what to do; is shown what was counted.
pub type Poll<'a> = dyn FnMut(&Stats) -> Order + 'a;

/// Work ([`Counts::work`](super::core::Counts::work)) between two questions to [`Poll`].
const SLICE: u64 = 50_000;

/// Finds out what the solutions of `problem` have in common that satisfy the constraint which `make`
/// makes anew for each of several searches, with at most so many conflicts. If there is no
/// solution, the answer has no model and says nothing else.
pub fn facts<C: Propagator>(
    problem: &Problem,
    make: &dyn Fn() -> C,
    subject: Subject,
    conflicts: u64,
    poll: &mut Poll<'_>,
) -> (Facts, Stats) {
    facts_with_patience(Patience::default(), problem, make, subject, conflicts, poll)
}

/// The same with another patience. For tests, whose problems are too small to try anybody's.
pub fn facts_with_patience<C: Propagator>(
    patience: Patience,
    problem: &Problem,
    make: &dyn Fn() -> C,
    subject: Subject,
    conflicts: u64,
    poll: &mut Poll<'_>,
) -> (Facts, Stats) {
    let look = &mut || poll(&Stats::default()) != Order::Stop;
    let built = match subject {
        Subject::Options => Encoding::with_options(problem, look),
        Subject::Colors | Subject::Covers => Encoding::new(problem, look),
    };
    let Some((encoding, mut solver)) = built else { return (Facts::NONE, Stats::default()) };
    let mut stats = Stats::default();
    let mut candidates = Candidates::new(problem, &encoding, subject);
    let fresh = solver.clone();
    let mut search = Search::new(&encoding, &mut solver);
    let end = search.refine(
        make,
        &fresh,
        &mut candidates,
        &mut Asker { patience, most: conflicts, poll, stats: &mut stats },
    );
    count(&solver, &mut stats);
    solver.backtrack(0);
    (candidates.facts(end, Some(&solver)), stats)
}

/// What all searches for one answer share.
struct Asker<'a> {
    patience: Patience,
    /// Conflicts that there may be in all.
    most: u64,
    poll: &'a mut Poll<'a>,
    stats: &'a mut Stats,
}

impl Asker<'_> {
    /// What is needed to ask near the latest model.
    fn asking<'a, 'e>(
        &'a mut self,
        nearby: &'a mut Nearby,
        candidates: &'a mut Candidates<'e>,
    ) -> Asking<'a, 'e> {
        let Asker { patience, most, poll, stats } = self;
        let (sizes, patience) = (&patience.sizes, patience.nearby);
        Asking { nearby, candidates, sizes, patience, most: *most, poll: *poll, stats }
    }
}

impl Search<'_, '_> {
    /// Asks until nothing is left that might differ.
    fn refine<C: Propagator>(
        &mut self,
        make: &dyn Fn() -> C,
        fresh: &Solver,
        candidates: &mut Candidates<'_>,
        asker: &mut Asker<'_>,
    ) -> Status {
        let mut constraint = make();
        if let Some(end) = self.prepare_all(&mut constraint, asker.most, asker.poll, asker.stats) {
            return end;
        }
        let mut stand = self.ask(&mut constraint, u64::MAX, candidates, asker);
        let mut nearby: Option<Nearby> = None;
        let mut failures = 0;
        loop {
            match stand {
                Stand::End(end) if self.assumption.is_some() && self.is_tired(end, asker.most) => {
                    failures += 1;
                }
                Stand::End(end) => return end,
                Stand::Refuted => failures = 0,
                Stand::Model => {
                    failures = 0;
                    if let Some(nearby) = &mut nearby {
                        let asking = &mut asker.asking(nearby, candidates);
                        let looked = self.look_nearby(&mut constraint, asking);
                        self.leave_all(&mut constraint);
                        if let Err(end) = looked {
                            return end;
                        }
                    }
                }
            }
            let open: Vec<Lit> =
                candidates.still_common().filter(|&lit| self.solver.value(lit).is_none()).collect();
            if open.is_empty() {
                return Status::Exhausted;
            }
            open.iter().for_each(|&lit| self.solver.set_phase(!lit));
            // After a failure another one, far away.
            let claim = !open[failures as usize * open.len() * 3 / 8 % open.len()];
            self.assumption = Some(claim);
            let patience = asker.patience;
            let nearby = nearby.get_or_insert_with(|| Nearby::new(self.encoding));
            let ways = if candidates.models == 1 { &WAYS[..] } else { &WAYS[1..] };
            for way in ways {
                stand = match way {
                    AskingWay::Loose => self.ask(&mut constraint, patience.near, candidates, asker),
                    AskingWay::Near => {
                        let asking = &mut asker.asking(nearby, candidates);
                        self.ask_near(claim, patience.near, &mut constraint, asking)
                    }
                    AskingWay::Whole => self.ask(&mut constraint, patience.question, candidates, asker),
                    AskingWay::Afresh => {
                        let conflicts = patience.afresh.max(1) << (failures / IN_A_ROW).min(40);
                        self.ask_afresh(claim, make, fresh, candidates, conflicts, asker)
                    }
                };
                if !self.has_tired(stand, asker) {
                    break;
                }
                self.leave_all(&mut constraint);
            }
        }
    }

    /// Asks the caller what to do if it is time to; `Some` if that ends the search.
    pub(super) fn attend_to(&mut self, poll: &mut Poll<'_>, stats: &mut Stats) -> Option<Status> {
        match self.attend() {
            Some(Status::Paused) => {}
            end => return end,
        }
        self.rest_at = self.solver.counts.work + SLICE;
        count(self.solver, stats);
        match poll(stats) {
            Order::Continue => {}
            Order::Shrink => self.solver.shrink(),
            Order::Stop => return Some(Status::Stopped),
        }
        None
    }

    /// Probes at the root; `Some` if that ends the search.
    fn prepare_all(
        &mut self,
        constraint: &mut impl Propagator,
        most: u64,
        poll: &mut Poll<'_>,
        stats: &mut Stats,
    ) -> Option<Status> {
        self.limit = most;
        loop {
            match self.prepare(constraint) {
                Some(Status::Paused) => {
                    if let Some(end) = self.attend_to(poll, stats) {
                        return Some(end);
                    }
                }
                end => return end,
            }
        }
    }

    /// Searches for the next model until there are `limit` conflicts in all.
    fn seek(
        &mut self,
        constraint: &mut impl Propagator,
        limit: u64,
        poll: &mut Poll<'_>,
        stats: &mut Stats,
    ) -> Stand {
        let before = std::mem::replace(&mut self.limit, limit);
        let stand = loop {
            match self.next_model(constraint) {
                Stand::End(Status::Paused) => {
                    if let Some(end) = self.attend_to(poll, stats) {
                        break Stand::End(end);
                    }
                }
                stand => break stand,
            }
        };
        self.limit = before;
        stand
    }

    /// Whether a question took too long, and others may be asked.
    fn has_tired(&self, stand: Stand, asker: &Asker<'_>) -> bool {
        matches!(stand, Stand::End(end) if self.is_tired(end, asker.most))
    }

    /// Goes back to the root, with nothing to come back to.
    fn leave_all(&mut self, constraint: &mut impl Propagator) {
        self.solver.leave_all();
        self.go_back(Some(0), constraint);
    }

    /// Searches for a model that has the assumption, if there is one, with the patience of some
    /// conflicts.
    fn ask(
        &mut self,
        constraint: &mut impl Propagator,
        patience: u64,
        candidates: &mut Candidates<'_>,
        asker: &mut Asker<'_>,
    ) -> Stand {
        let Asker { most, poll, stats, .. } = asker;
        let conflicts = self.solver.counts.conflicts;
        (self.course.restarts, self.course.restart_at) = (1, conflicts + RESTART);
        let limit = (*most).min(conflicts.saturating_add(patience));
        let stand = self.seek(constraint, limit, *poll, stats);
        if stand == Stand::Model {
            candidates.refine(self.solver);
            stats.solutions += 1;
            self.leave_all(constraint);
        }
        stand
    }

    /// Asks a new solver. What it proves is a fact here.
    fn ask_afresh<C: Propagator>(
        &mut self,
        assumption: Lit,
        make: &dyn Fn() -> C,
        fresh: &Solver,
        candidates: &mut Candidates<'_>,
        patience: u64,
        asker: &mut Asker<'_>,
    ) -> Stand {
        let mut solver = fresh.clone();
        let known = self.solver.trail().iter().copied().chain([assumption]);
        known.for_each(|lit| solver.add_axiom(&[lit]));
        let mut search = Search::new(self.encoding, &mut solver);
        let mut constraint = make();
        let Asker { most, poll, stats, .. } = asker;
        let left = most.saturating_sub(self.solver.counts.conflicts);
        let stand = match search.prepare_all(&mut constraint, u64::MAX, *poll, stats) {
            Some(end) => Stand::End(end),
            None => search.seek(&mut constraint, patience.min(left), *poll, stats),
        };
        self.solver.counts.conflicts += solver.counts.conflicts;
        match stand {
            Stand::Model => {
                candidates.refine(&solver);
                stats.solutions += 1;
            }
            Stand::Refuted | Stand::End(Status::Exhausted) => {
                if self.solver.value(assumption).is_none() {
                    self.solver.accept_fact(!assumption);
                }
                return Stand::Refuted;
            }
            Stand::End(_) => {}
        }
        stand
    }
}
