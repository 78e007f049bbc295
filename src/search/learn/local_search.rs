//! Other models near a model.
//!
//! A board that lacks some clues has loose ends all over, each of which can be settled without regard to
//! the others. A search from scratch settles all of them anew, and pays some hundred conflicts for a model
//! that differs in a few places which are not known to differ yet. So we start from the latest model.
//!
//! # Neighborhoods
//!
//! We free the variables around a thing in question, decide all others as the model has them, which meets no
//! contradiction, and ask inside for one thing after the other, with the patience of a few conflicts. (Large
//! neighborhood search; Paul Shaw, CP 1998.)
//!
//! ```text
//! frozen   | free            | asked  what comes of it
//! 01:1 ... | 10:0 12:1 21:0  | 10:1   12:0 follows: another model, in which 10 and 12 differ
//!          |                 | 21:1   refuted: 21 stays as it is as long as the rest is frozen
//! ```
//!
//! A refutation proves nothing of all models, unless what is learned is a fact by itself. So this finds
//! witnesses that things differ, and leaves proofs to questions that freeze nothing.
//!
//! Small neighborhoods are the cheapest, but to freeze a whole board for each takes more time than what is
//! asked there. So we free a large one, and inside of it first small ones: these freeze no more than what the
//! large one left free.
//!
//! # Nearest first
//!
//! What is left differs in no small neighborhood, or in no model. Then nothing is frozen: the thing in
//! question is decided otherwise, and then all else as the model has it, *the farthest first*. A conflict
//! turns the latest decision around that it depends on, which is the nearest. So the change grows from where
//! it was asked for, as far as it must; what is learned on the way holds everywhere; and a refutation is a proof. On
//! boards of 30 x 30 cells an answer takes 17 conflicts where a search by activity takes 178
//! (docs/benchmarks/2026-11-30-learn.md).
//!
//! # Invariants
//!
//! What is frozen is below the solver's floor, and part of a model: no conflict is without a decision above.

use super::backbone::Poll;
use super::candidates::Candidates;
use super::clauses::Lit;
use super::encoding::Encoding;
use super::{Search, Stand};
use crate::constraint::Propagator;
use crate::search::engine::Status;
use crate::search::stats::Stats;

/// So much of a neighborhood is asked about: what is next to the frozen part has little room.
const INNER: (usize, usize) = (9, 10);

/// Which variables are near to each other, and which were asked about.
pub(super) struct Nearby {
    /// Variables that have an item in common, by item.
    groups: Vec<Vec<u32>>,
    /// By variable: its groups.
    groups_of: Vec<Vec<u32>>,
    /// By variable: the largest neighborhood in which it was asked about.
    asked: Vec<usize>,
    /// By variable: the latest walk that met it.
    met: Vec<u32>,
    /// By group: the latest walk that went through it.
    passed: Vec<u32>,
    walk: u32,
}

impl Nearby {
    pub fn new(encoding: &Encoding<'_>) -> Self {
        let (groups, count) = (encoding.groups(), encoding.variables());
        let mut groups_of = vec![Vec::new(); count];
        for (number, group) in (0..).zip(&groups) {
            group.iter().for_each(|&var| groups_of[var as usize].push(number));
        }
        let passed = vec![0; groups.len()];
        let (asked, met) = (vec![0; count], vec![0; count]);
        Nearby { groups, groups_of, asked, met, passed, walk: 0 }
    }

    /// The model is another one: all can be asked again.
    pub fn forget(&mut self) {
        self.asked.fill(0);
    }

    /// Whether the latest walk met this variable.
    fn is_met(&self, var: usize) -> bool {
        self.met[var] == self.walk
    }

    /// The variables around the first of `centers` for which `is_open`, the nearest first; then those around
    /// the next one that was not met, and so on; at most `size` of them. Of a group that is larger, first
    /// those for which `is_true`: if the chosen one of many is frozen, no other can be. Takes no more time
    /// than there are members of groups.
    fn around(
        &mut self,
        mut centers: impl Iterator<Item = usize>,
        size: usize,
        is_open: impl Fn(usize) -> bool,
        is_true: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        self.walk += 1;
        let mut near = Vec::new();
        let mut at = 0;
        while near.len() < size {
            if at == near.len() {
                let next = centers.find(|&var| self.met[var] != self.walk && is_open(var));
                let Some(center) = next else { break };
                self.met[center] = self.walk;
                near.push(center);
            }
            let here = near[at];
            for &group in &self.groups_of[here] {
                if self.passed[group as usize] == self.walk {
                    continue;
                }
                self.passed[group as usize] = self.walk;
                let members = &self.groups[group as usize];
                let mut add = |var: usize| {
                    if near.len() < size && self.met[var] != self.walk && is_open(var) {
                        self.met[var] = self.walk;
                        near.push(var);
                    }
                };
                let mut from = 0;
                if members.len() > size {
                    let chosen =
                        members.iter().map(|&var| var as usize).filter(|&var| is_true(var));
                    chosen.for_each(&mut add);
                    from = members.partition_point(|&var| (var as usize) < here);
                }
                let (before, behind) = members.split_at(from);
                behind.iter().chain(before).for_each(|&var| add(var as usize));
            }
            at += 1;
        }
        near
    }
}

/// What is needed to ask near a model.
pub(super) struct Asking<'a, 'e> {
    pub nearby: &'a mut Nearby,
    pub candidates: &'a mut Candidates<'e>,
    /// Sizes of neighborhoods, in variables, ascending.
    pub sizes: &'a [usize],
    /// Conflicts for each question.
    pub patience: u64,
    /// Conflicts that there may be in all.
    pub most: u64,
    pub poll: &'a mut Poll<'a>,
    pub stats: &'a mut Stats,
}

impl Search<'_, '_> {
    /// Asks in neighborhoods for all that is in question. Leaves the solver anywhere.
    pub(super) fn look_nearby<C: Propagator>(
        &mut self,
        constraint: &mut C,
        asking: &mut Asking<'_, '_>,
    ) -> Result<(), Status> {
        asking.nearby.forget();
        // What is pending belongs to the root.
        if !self.propagate(constraint) {
            return Err(Status::Exhausted);
        }
        let open: Vec<usize> =
            (0..self.solver.variables()).filter(|&var| self.is_open(var)).collect();
        // Where one is as large as all that is open, larger ones are the same.
        let sizes = asking.sizes;
        let enough = sizes.iter().position(|&size| size >= open.len());
        self.look_in(
            &open,
            &sizes[..enough.map_or(sizes.len(), |last| last + 1)],
            constraint,
            asking,
        )
    }

    fn is_open(&self, var: usize) -> bool {
        self.solver.value(Lit::new(var, true)).is_none()
    }

    /// Asks for all that is in question in a region, outside of which all is frozen, in neighborhoods of
    /// the last of these sizes; and inside each of them first in those of the others.
    fn look_in<C: Propagator>(
        &mut self,
        region: &[usize],
        sizes: &[usize],
        constraint: &mut C,
        asking: &mut Asking<'_, '_>,
    ) -> Result<(), Status> {
        let Some((&size, smaller)) = sizes.split_last() else { return Ok(()) };
        let level = self.solver.level();
        loop {
            if let Some(end) = self.attend_to(asking.poll, asking.stats) {
                return Err(end);
            }
            let Asking { nearby, candidates, .. } = asking;
            let in_question =
                |var: usize| candidates.common(var).is_some() && nearby.asked[var] < size;
            let first = region.iter().position(|&var| in_question(var) && self.is_open(var));
            let Some(first) = first else { return Ok(()) };
            let centers = region[first..].iter().copied();
            let is_true = |var| candidates.latest(var).is_positive();
            let free = nearby.around(centers, size, |var| self.is_open(var), is_true);
            constraint.mark();
            let frozen = region.iter().filter(|&&var| !nearby.is_met(var));
            self.solver.decide_all(frozen.map(|&var| candidates.latest(var)));
            if !self.propagate(constraint) {
                unreachable!("a part of a model contradicts nothing");
            }
            self.solver.raise_floor();
            for size in smaller {
                self.look_in(&free, std::slice::from_ref(size), constraint, asking)?;
            }
            let inner = (free.len() * INNER.0 / INNER.1).max(1);
            for (place, &var) in free.iter().enumerate() {
                let Asking { nearby, candidates, .. } = asking;
                let is_frozen = !self.is_open(var);
                if candidates.common(var).is_none() || nearby.asked[var] >= size {
                    continue;
                }
                if is_frozen || place < inner {
                    nearby.asked[var] = size;
                }
                if is_frozen || place >= inner {
                    continue;
                }
                let centers = std::iter::once(var).chain(free.iter().copied());
                let is_true = |var| candidates.latest(var).is_positive();
                let order = nearby.around(centers, size, |var| self.is_open(var), is_true);
                let order: Vec<Lit> = order.iter().map(|&var| candidates.otherwise(var)).collect();
                let patience = asking.patience;
                match self.ask_inside(&order, &free, patience, constraint, asking) {
                    Stand::End(end) if !self.is_tired(end, asking.most) => return Err(end),
                    _ => {}
                }
            }
            self.solver.lower_floor(level);
            self.go_back(Some(level), constraint);
            if !self.propagate(constraint) {
                return Err(Status::Exhausted);
            }
        }
    }

    /// Asks for a model that has `claim`, with nothing frozen, but as near to the latest one as
    /// possible: all else is decided as it is there, the farthest first. So conflicts turn around what is
    /// near, and reach as far as they must.
    pub(super) fn ask_near<C: Propagator>(
        &mut self,
        claim: Lit,
        patience: u64,
        constraint: &mut C,
        asking: &mut Asking<'_, '_>,
    ) -> Stand {
        // What is pending belongs to the root.
        if !self.propagate(constraint) {
            return Stand::End(Status::Exhausted);
        }
        if !self.is_open(claim.var()) {
            return Stand::Refuted;
        }
        let Asking { nearby, candidates, .. } = asking;
        let centers = std::iter::once(claim.var()).chain(0..self.solver.variables());
        let is_true = |var| candidates.latest(var).is_positive();
        let free = nearby.around(centers, usize::MAX, |var| self.is_open(var), is_true);
        let far_first = free[1..].iter().rev().map(|&var| candidates.latest(var));
        let order: Vec<Lit> = std::iter::once(claim).chain(far_first).collect();
        self.ask_inside(&order, &free, patience, constraint, asking)
    }

    /// Whether a search ended since its own patience was at an end, and not the limit of all.
    pub(super) fn is_tired(&self, end: Status, most: u64) -> bool {
        end == Status::Limit && self.solver.counts.conflicts < most
    }

    /// Asks for a model that has the first of these literals and as many of the others as there can be,
    /// decided in this order. A model that is found is compared: it differs from the latest one in `free`
    /// alone.
    fn ask_inside<C: Propagator>(
        &mut self,
        order: &[Lit],
        free: &[usize],
        patience: u64,
        constraint: &mut C,
        asking: &mut Asking<'_, '_>,
    ) -> Stand {
        let floor = self.solver.level();
        let last = self.solver.counts.conflicts.saturating_add(patience);
        let mut at = 0;
        let mut stand = Stand::End(Status::Limit);
        while self.solver.counts.conflicts <= last {
            if let Some(end) = self.attend_to(asking.poll, asking.stats) {
                stand = Stand::End(end);
                break;
            }
            if self.propagate(constraint) {
                self.solver.reduce_db();
                let is_assigned = |lit: &&Lit| self.solver.value(**lit).is_some();
                at += order[at..].iter().take_while(is_assigned).count();
                if at > 0 && self.solver.level() == floor {
                    stand = Stand::Refuted;
                    break;
                }
                if let Some(&lit) = order.get(at) {
                    constraint.mark();
                    self.solver.decide(lit);
                    continue;
                }
                if constraint.complete().is_fine() {
                    asking.candidates.refine_some(self.solver, free);
                    asking.stats.solutions += 1;
                    stand = Stand::Model;
                    break;
                }
                self.set_conflict(constraint);
            }
            let level = self.solver.resolve();
            if !self.go_back(level, constraint) {
                return Stand::End(Status::Exhausted);
            }
            at = 0;
        }
        self.solver.backtrack(floor);
        self.go_back(Some(floor), constraint);
        stand
    }
}
