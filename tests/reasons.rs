//! Reasons, checked: whatever a constraint refuses, forbids or requires for a reason, a fresh copy of
//! it refuses, too, when it is told the facts of the reason and nothing else.
//!
//! A wrong reason is a wrong clause for an engine that learns, and then solutions are lost. So every
//! reason that is asked for on random problems is put to that test; and constraints whose reasons lack
//! a fact show that the test can fail.

mod common;

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use common::{learn, random};
use quadrille::constraint::acyclic::propagator::AcyclicPropagator;
use quadrille::constraint::connected::propagator::ConnectedPropagator;
use quadrille::constraint::graph::Graph;
use quadrille::constraint::single_loop::propagator::SingleLoopPropagator;
use quadrille::constraint::{Explanation, Literal, Moves, Propagator, Reason, Uses, Verdict};
use quadrille::dlx::write::Writer;
use quadrille::ids::{Color, ItemId};
use quadrille::problem::Problem;
use quadrille::puzzle::Model;

/// What a list of facts leaves open.
struct Told(HashMap<(ItemId, Color), bool>);

impl Moves for Told {
    fn forbid(&mut self, item: ItemId, color: Color, _: Explanation<'_>) {
        // What the copy forbids itself may decide the matter.
        self.0.entry((item, color)).or_insert(false);
    }

    fn require(&mut self, item: ItemId, color: Color, _: Explanation<'_>) {
        self.0.entry((item, color)).or_insert(true);
    }

    fn uses(&self, item: ItemId, color: Color) -> Uses {
        match self.0.get(&(item, color)) {
            Some(true) => Uses { with: true, without: false },
            Some(false) => Uses { with: false, without: true },
            None => Uses { with: true, without: true },
        }
    }
}

/// Whether `constraint`, which was told nothing yet, refuses these facts. The facts about absence
/// count at the end as well: then `whole` says that there is nothing else.
fn refuses(constraint: &mut impl Propagator, facts: &[Literal], whole: bool) -> bool {
    constraint.mark();
    let mut told = Told(facts.iter().map(|f| ((f.item, f.color), f.holds)).collect());
    for fact in facts.iter().filter(|fact| fact.holds) {
        if !constraint.fixed(fact.item, fact.color).is_fine() {
            return true;
        }
    }
    if !constraint.settle(&mut told).is_fine() {
        return true;
    }
    // A copy that forbids what the facts say, or the other way around, refuses them as well.
    let clash = facts.iter().any(|f| told.0.get(&(f.item, f.color)) != Some(&f.holds));
    clash || (whole && !constraint.complete().is_fine())
}

/// Looks at reasons.
struct Judge<C> {
    /// A copy that was told nothing.
    fresh: C,
    /// A fact that is left out of each reason, counted from the end: to see that it is missed.
    forget: Option<usize>,
    asked: Cell<usize>,
    wrong: Cell<usize>,
}

impl<C: Propagator + Clone> Judge<C> {
    /// Appends a reason for `claim`, or for refusing if there is none.
    fn look(&self, why: Explanation<'_>, claim: Option<Literal>, whole: bool, out: &mut Reason) {
        why(out);
        // What is passed on is right in any case, so that the search stays right.
        let mut facts = out.literals.clone();
        if let Some(place) = self.forget.and_then(|back| facts.len().checked_sub(back + 1)) {
            facts.remove(place);
        }
        facts.extend(claim.map(|claim| Literal { holds: !claim.holds, ..claim }));
        self.asked.set(self.asked.get() + 1);
        if !refuses(&mut self.fresh.clone(), &facts, whole) {
            self.wrong.set(self.wrong.get() + 1);
        }
    }
}

/// Hands everything on, and has the reasons looked at.
struct Verified<C> {
    inner: C,
    judge: Rc<Judge<C>>,
    whole: bool,
}

/// The engine's moves, with reasons that are looked at on the way.
struct Looking<'a, 'm, C> {
    moves: &'m mut dyn Moves,
    judge: &'a Judge<C>,
}

impl<C: Propagator + Clone> Moves for Looking<'_, '_, C> {
    fn forbid(&mut self, item: ItemId, color: Color, why: Explanation<'_>) {
        let claim = Some(Literal { item, color, holds: false });
        self.moves.forbid(item, color, &|out| self.judge.look(why, claim, false, out));
    }

    fn require(&mut self, item: ItemId, color: Color, why: Explanation<'_>) {
        let claim = Some(Literal { item, color, holds: true });
        self.moves.require(item, color, &|out| self.judge.look(why, claim, false, out));
    }

    fn uses(&self, item: ItemId, color: Color) -> Uses {
        self.moves.uses(item, color)
    }
}

impl<C: Propagator + Clone> Propagator for Verified<C> {
    fn mark(&mut self) {
        self.inner.mark();
    }

    fn backtrack(&mut self, level: usize) {
        self.inner.backtrack(level);
    }

    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict {
        self.whole = false;
        self.inner.fixed(item, color)
    }

    fn settle(&mut self, moves: &mut dyn Moves) -> Verdict {
        self.whole = false;
        self.inner.settle(&mut Looking { moves, judge: &self.judge })
    }

    fn complete(&mut self) -> Verdict {
        self.whole = true;
        self.inner.complete()
    }

    fn explain(&self, out: &mut Reason) {
        self.judge.look(&|out| self.inner.explain(out), None, self.whole, out);
    }
}

/// Searches with every reason looked at. Answers how many there were, and how many are wrong.
fn judge<C: Propagator + Clone>(
    problem: &Problem,
    constraint: C,
    forget: Option<usize>,
) -> (usize, usize) {
    let fresh = constraint.clone();
    let judge = Rc::new(Judge { fresh, forget, asked: Cell::new(0), wrong: Cell::new(0) });
    let verified = Verified { inner: constraint, judge: Rc::clone(&judge), whole: false };
    learn(problem, verified);
    (judge.asked.get(), judge.wrong.get())
}

/// Reasons and wrong ones on many random problems with a loop rule.
fn judge_loops(forget: Option<usize>) -> (usize, usize) {
    let (mut asked, mut wrong) = (0, 0);
    for seed in 0..400 {
        let lattice = random::lattice(seed, 1);
        let problem = common::problem(lattice.plain.text().as_bytes());
        let graph = Graph::read(&problem).expect("a lattice keeps the convention");
        let rule = SingleLoopPropagator::new(&problem, &graph);
        for rule in [rule.clone(), rule.with_shortcuts()] {
            let (more, bad) = judge(&problem, rule, forget);
            assert!(forget.is_some() || bad == 0, "seed {seed}\n{}", lattice.plain.text());
            (asked, wrong) = (asked + more, wrong + bad);
        }
    }
    (asked, wrong)
}

/// Reasons and wrong ones on many random problems whose edges have no cycle.
fn judge_forests(forget: Option<usize>) -> (usize, usize) {
    let (mut asked, mut wrong) = (0, 0);
    for seed in 0..600 {
        let lattice = random::lattice(seed, 1);
        let problem = common::problem(lattice.plain.text().as_bytes());
        let graph = Graph::read(&problem).expect("a lattice keeps the convention");
        let rule = AcyclicPropagator::new(&problem, &graph);
        for rule in [rule.clone(), rule.looking_ahead()] {
            let (more, bad) = judge(&problem, rule, forget);
            assert!(forget.is_some() || bad == 0, "seed {seed}\n{}", lattice.plain.text());
            (asked, wrong) = (asked + more, wrong + bad);
        }
    }
    (asked, wrong)
}

/// Reasons and wrong ones on a board of hitori and on its halves.
fn judge_cells(forget: Option<usize>) -> (usize, usize) {
    let hitori = quadrille::puzzle::find("hitori").expect("a kind");
    let (mut asked, mut wrong) = (0, 0);
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..400 {
        let (rows, cols) = (random.usize(3..6), random.usize(3..6));
        let row = |random: &mut fastrand::Rng| -> String {
            (0..cols).map(|_| random.char('1'..='3')).collect()
        };
        let board: Vec<String> = (0..rows).map(|_| row(&mut random)).collect();
        let clues = hitori.read(format!("{}\n", board.join("\n")).as_bytes()).expect("a board");
        let mut text = Vec::new();
        let mut out: &mut dyn std::io::Write = &mut text;
        hitori.write(&clues, Model::default(), &mut Writer::new(&mut out)).expect("no I/O");
        let problem = common::problem(&text);
        for color in ["0", "1"] {
            let rule =
                ConnectedPropagator::new(&problem, color.as_bytes()).expect("cells with colors");
            let (more, bad) = judge(&problem, rule, forget);
            assert!(forget.is_some() || bad == 0, "color {color}\n{}", board.join("\n"));
            (asked, wrong) = (asked + more, wrong + bad);
        }
    }
    (asked, wrong)
}

#[test]
fn the_reasons_of_the_loop_are_right() {
    let (asked, wrong) = judge_loops(None);
    assert!(asked > 500 && wrong == 0, "{asked} reasons, {wrong} wrong");
}

#[test]
fn the_reasons_of_forests_are_right() {
    let (asked, wrong) = judge_forests(None);
    assert!(asked > 200 && wrong == 0, "{asked} reasons, {wrong} wrong");
}

#[test]
fn the_reasons_of_connected_cells_are_right() {
    let (asked, wrong) = judge_cells(None);
    assert!(asked > 200 && wrong == 0, "{asked} reasons, {wrong} wrong");
}

#[test]
fn a_reason_that_lacks_a_fact_is_noticed() {
    for forget in [0, 1] {
        let (asked, wrong) = judge_loops(Some(forget));
        // Many a reason stays sufficient without one of its facts.
        assert!(wrong * 10 > asked, "loops, {forget}: {wrong} of {asked} noticed");
        let (asked, wrong) = judge_forests(Some(forget));
        assert!(wrong * 10 > asked * 9, "forests, {forget}: {wrong} of {asked} noticed");
        let (asked, wrong) = judge_cells(Some(forget));
        assert!(wrong * 10 > asked, "cells, {forget}: {wrong} of {asked} noticed");
    }
}
