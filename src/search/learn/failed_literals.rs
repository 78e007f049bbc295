//! Failed literals: facts that come from assuming each literal once, before the search.
//!
//! At the root each literal in turn is assumed and propagated. If that fails, what the conflict
//! teaches is a fact; and what follows from a literal and from its negation is one as well. We go
//! around, to what is near to new facts, until nothing is due or the budget is spent. (The idea is old; James
//! Crawford and Larry Auton, AAAI 1993, choose branches so.)
//!
//! On finished boards of slitherlink that leaves little or nothing to search. On boards in the making
//! it makes the difference: of 105 such boards of 30 x 30 cells plain learning took 8 seconds for
//! one, and takes .03 with the facts.

use crate::constraint::Propagator;
use crate::search::engine::Status;
use crate::search::learn::Search;
use crate::search::learn::clauses::Lit;
use crate::search::learn::encoding::Encoding;

/// Propagations that probing may take, for each variable. Boards up to 100 x 100 take 3 to 20.
const EACH: u64 = 100;

/// And at most so many in all, a fifth of a second or so.
const MOST: u64 = 5_000_000;

/// What the constraint may look at meanwhile, for each variable.
const LOOKS: u64 = 1000;

/// For each literal, in which round it followed from the first value of the variable at hand.
struct Followers {
    rounds: Vec<u32>,
    round: u32,
}

/// Which variables are due: all at first, and again those from which something followed that a new fact is
/// near to. For others the same would follow as before. (If a rule looks far, that misses something, which
/// the search has to find out then.)
struct Dues {
    /// By variable: the era in which it was probed.
    probed: Vec<u32>,
    /// All that was probed in another era is due.
    era: u32,
    /// How many are due.
    count: usize,
    /// By variable: the tables that it is in; empty if not all is tables, where each fact is near to all.
    tables: Vec<Vec<u32>>,
    /// By table: the variables from which something followed there.
    reached: Vec<Vec<u32>>,
}

impl Dues {
    fn new(encoding: &Encoding<'_>, variables: usize) -> Self {
        let scopes = encoding.scopes();
        let mut tables = vec![Vec::new(); if scopes.is_empty() { 0 } else { variables }];
        for (table, scope) in (0..).zip(scopes) {
            scope.iter().for_each(|&var| tables[var as usize].push(table));
        }
        let reached = vec![Vec::new(); scopes.len()];
        Dues { probed: vec![0; variables], era: 1, count: variables, tables, reached }
    }

    /// Whether a variable is due, which it is not from here on.
    fn take(&mut self, var: usize) -> bool {
        let is_due = self.probed[var] != self.era;
        self.probed[var] = self.era;
        self.count -= usize::from(is_due);
        is_due
    }

    /// Something followed for `follower` from a value of `var`.
    fn followed(&mut self, var: usize, follower: usize) {
        let var = var as u32;
        for &table in self.tables.get(follower).into_iter().flatten() {
            let reached = &mut self.reached[table as usize];
            if reached.last() != Some(&var) {
                reached.push(var);
            }
        }
    }

    /// There is a fact about `var`.
    fn learned(&mut self, var: usize) {
        if self.tables.is_empty() {
            self.era += 1;
            self.count = self.probed.len();
        }
        for &table in self.tables.get(var).into_iter().flatten() {
            for other in self.reached[table as usize].drain(..) {
                let probed = &mut self.probed[other as usize];
                self.count += usize::from(*probed == self.era);
                *probed = 0;
            }
        }
    }
}

/// How far probing has come.
#[derive(Default)]
pub(super) enum FailedLiterals {
    /// It has not begun.
    #[default]
    Before,
    /// It is at work.
    At(Box<LiteralProbe>),
    /// It is done.
    Done,
}

impl FailedLiterals {
    /// Whether it has not begun.
    pub fn is_due(&self) -> bool {
        matches!(self, FailedLiterals::Before)
    }
}

/// FailedLiterals at work.
pub(super) struct LiteralProbe {
    followers: Followers,
    dues: Dues,
    /// The variable that is next.
    var: usize,
    /// Propagations at which it ends.
    end: u64,
    /// Work of the constraint at which it ends.
    most_looks: u64,
}

impl LiteralProbe {
    fn new(search: &Search<'_, '_>, constraint: &impl Propagator) -> Self {
        let variables = search.solver.variables();
        let budget = (EACH * variables as u64).min(MOST);
        LiteralProbe {
            followers: Followers { rounds: vec![0; 2 * variables], round: 0 },
            dues: Dues::new(search.encoding, variables),
            var: 0,
            end: search.solver.counts.propagations + budget,
            most_looks: constraint.work() + LOOKS * variables as u64,
        }
    }
}

impl Search<'_, '_> {
    /// Probes all variables. `Some` if that already ends the search, or if it pauses before that is
    /// done.
    pub(super) fn probe<C: Propagator>(&mut self, constraint: &mut C) -> Option<Status> {
        let mut probe = match std::mem::replace(&mut self.course.probing, FailedLiterals::Done) {
            FailedLiterals::Done => return None,
            FailedLiterals::At(probe) => probe,
            FailedLiterals::Before => Box::new(LiteralProbe::new(self, constraint)),
        };
        let variables = self.solver.variables();
        self.solver.keep_phases(false);
        while probe.dues.count > 0
            && self.solver.counts.propagations < probe.end
            && constraint.work() < probe.most_looks
        {
            if let Some(end) = self.attend() {
                self.course.probing = FailedLiterals::At(probe);
                return Some(end);
            }
            let before = self.solver.trail().len();
            let LiteralProbe { followers, dues, var, .. } = &mut *probe;
            followers.round += 1;
            if dues.take(*var) {
                for positive in [true, false] {
                    let lit = Lit::new(*var, positive);
                    let open = self.solver.value(lit).is_none();
                    if open && !self.assume(lit, positive, followers, dues, constraint) {
                        return Some(Status::Exhausted);
                    }
                }
            }
            for fact in &self.solver.trail()[before..] {
                dues.learned(fact.var());
            }
            *var = (*var + 1) % variables;
        }
        self.solver.keep_phases(true);
        None
    }

    /// Assumes `lit`, and learns from what follows; false if the root itself fails.
    fn assume<C: Propagator>(
        &mut self,
        lit: Lit,
        is_first: bool,
        followers: &mut Followers,
        dues: &mut Dues,
        constraint: &mut C,
    ) -> bool {
        constraint.mark();
        self.solver.decide(lit);
        if !self.propagate(constraint) {
            let level = self.solver.resolve();
            return self.go_back(level, constraint) && self.propagate(constraint);
        }
        let start = self.solver.limit(0);
        let mut both = Vec::new();
        for &follower in &self.solver.trail()[start..] {
            dues.followed(lit.var(), follower.var());
            let round = &mut followers.rounds[follower.index()];
            if *round == followers.round && !is_first {
                both.push(follower);
            }
            *round = followers.round;
        }
        self.solver.backtrack(0);
        self.go_back(Some(0), constraint);
        if both.is_empty() {
            // The root is as it was.
            return true;
        }
        for fact in both {
            if self.solver.value(fact).is_none() {
                // It follows from the other value by propagation, and from this one now, too.
                self.solver.log.derived(&[!lit, fact]);
                self.solver.learn_fact(fact);
                self.solver.log.deleted(&[!lit, fact]);
            }
        }
        self.propagate(constraint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx::parse;

    /// Tables of three or four of `columns` columns, in rows that are chosen at random.
    fn tables(random: &mut fastrand::Rng, columns: usize) -> String {
        let (mut names, mut options) = (String::new(), String::new());
        for table in 0..columns {
            let mut scope: Vec<usize> =
                (0..4).map(|_| random.usize(table..table + 6) % columns).collect();
            scope.sort_unstable();
            scope.dedup();
            names += &format!("t{table} ");
            let rows = 1 << scope.len();
            let more = if random.bool() { random.usize(0..1 << rows) } else { 1 };
            let present = random.usize(0..1 << rows) | more;
            for row in (0..rows).filter(|row| present >> row & 1 == 1) {
                options += &format!("t{table}");
                for (place, column) in scope.iter().enumerate() {
                    options += &format!(" c{column}:{}", row >> place & 1);
                }
                options += "\n";
            }
        }
        let columns: Vec<String> = (0..columns).map(|column| format!("c{column}")).collect();
        format!("{names}| {}\n{options}", columns.join(" "))
    }

    /// FailedLiterals everything once more, by the definition, finds nothing.
    #[test]
    fn nothing_is_left_to_probe() {
        let mut random = fastrand::Rng::with_seed(12);
        let (mut open, mut facts) = (0, 0);
        for _ in 0..400 {
            let text = tables(&mut random, 30);
            let problem = parse::read(text.as_bytes()).expect("a problem").problem;
            let built = match random.bool() {
                true => Encoding::new(&problem, &mut || true),
                false => Encoding::with_options(&problem, &mut || true),
            };
            let (encoding, mut solver) = built.expect("not stopped");
            if encoding.scopes().is_empty() {
                // A column has but one color.
                continue;
            }
            let mut search = Search::new(&encoding, &mut solver);
            if !search.propagate(&mut ()) {
                continue;
            }
            let before = search.solver.trail().len();
            if search.probe(&mut ()).is_some() {
                continue;
            }
            facts += search.solver.trail().len() - before;
            for var in 0..solver.variables() {
                let mut followers = [true, false].map(|positive| {
                    let lit = Lit::new(var, positive);
                    if solver.value(lit).is_some() {
                        return Vec::new();
                    }
                    open += 1;
                    solver.decide(lit);
                    assert!(solver.propagate(), "{lit:?} fails");
                    let followers = solver.trail()[solver.limit(0)..].to_vec();
                    solver.backtrack(0);
                    followers
                });
                let [one, other] = &mut followers;
                one.retain(|lit| other.contains(lit));
                assert!(one.is_empty(), "{one:?} follow either way");
            }
        }
        assert!(open > 1000 && facts > 300, "{open} {facts}");
    }
}
