//! Several threads, and searches that stop and go on, find what one search finds, in its order.
//!
//! The standard is `search::solve`, which other tests compare with Knuth's programs.

mod common;

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use common::boards::dominoes;
use common::random;
use quadrille::problem::Problem;
use quadrille::search::crew::{self, Bodies, Order, Overseer, Render, State, Task};
use quadrille::search::stats::Stats;
use quadrille::search::stretch::{Bounds, Stretch, cut, open};
use quadrille::search::{End, Limits, Moment, Observer, solve};
use quadrille::solution::Choices;

/// A solution in words: each choice with its rank.
fn words(choices: &dyn Choices, out: &mut Vec<u8>) {
    for choice in choices.to_vec() {
        let (k, n) = (choice.rank, choice.degree);
        let option = choice.option.map(|option| option.index());
        out.extend_from_slice(format!("{option:?} {k}/{n}, ").as_bytes());
    }
    out.push(b'\n');
}

/// Says where two lists differ, not all that is in them.
#[track_caller]
fn same(found: &[Vec<u8>], expected: &[Vec<u8>]) {
    let differ = found.iter().zip(expected).position(|(a, b)| a != b);
    assert_eq!((found.len(), differ), (expected.len(), None));
}

/// What one search finds.
struct Single(Vec<Vec<u8>>);

impl Observer for Single {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        let mut text = Vec::new();
        words(choices, &mut text);
        self.0.push(text);
        ControlFlow::Continue(())
    }
}

fn single(problem: &Problem) -> (Vec<Vec<u8>>, Stats) {
    let attention = AtomicBool::new(false);
    let mut found = Single(Vec::new());
    let limits = Limits { nodes: u64::MAX, attention: &attention };
    let (end, stats) = solve(problem, &mut (), &limits, &mut found);
    assert_eq!(end, End::Exhausted);
    (found.0, stats)
}

/// Collects what a crew finds, and interferes.
struct Desk<'a> {
    found: Mutex<Vec<Vec<u8>>>,
    /// With each record, how many solutions had been delivered.
    records: Mutex<Vec<(State, usize)>>,
    enough: usize,
    /// Every so many ticks the crew records.
    every: usize,
    /// After so many ticks it stops.
    patience: usize,
    ticks: Mutex<usize>,
    attention: &'a [AtomicBool],
}

impl<'a> Desk<'a> {
    fn new(attention: &'a [AtomicBool]) -> Self {
        let (found, records, ticks) = Default::default();
        let (enough, every, patience) = (usize::MAX, usize::MAX, usize::MAX);
        Desk { found, records, enough, every, patience, ticks, attention }
    }
}

impl Overseer for Desk<'_> {
    fn renderer(&self) -> Option<Render<'_>> {
        let (mut text, mut before) = (Vec::new(), Vec::new());
        Some(Box::new(move |choices: &dyn Choices, anew, out: &mut Vec<u8>| {
            std::mem::swap(&mut text, &mut before);
            text.clear();
            words(choices, &mut text);
            let same = || before.iter().zip(&text).take_while(|(a, b)| a == b).count();
            let keep = if anew { 0 } else { same() };
            out.extend_from_slice(&text[keep..]);
            keep
        }))
    }

    fn deliver(&self, _: usize, solutions: &Bodies) -> ControlFlow<()> {
        let mut found = self.found.lock().unwrap();
        let mut text = Vec::new();
        let mut solutions = solutions.read(&mut text);
        while let Some(body) = solutions.next() {
            found.push(body.to_vec());
            if found.len() == self.enough {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn tick(&self, _: &Moment<'_>, done: f64) -> Order {
        assert!((0.0..=1.0).contains(&done), "{done}");
        // The next node ticks again.
        self.attention.iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
        let mut ticks = self.ticks.lock().unwrap();
        *ticks += 1;
        match *ticks {
            ticks if ticks >= self.patience => Order::Stop,
            ticks if ticks % self.every == 0 => Order::Record,
            _ => Order::Continue,
        }
    }

    fn record(&self, state: State) {
        let delivered = self.found.lock().unwrap().len();
        self.records.lock().unwrap().push((state, delivered));
    }
}

fn flags(threads: usize) -> Vec<AtomicBool> {
    (0..threads).map(|_| AtomicBool::new(true)).collect()
}

fn task<'a>(problem: &'a Problem, bits: bool, attention: &'a [AtomicBool]) -> Task<'a> {
    let (nodes, enough) = (u64::MAX, u64::MAX);
    Task { problem, bits, rules: None, nodes, enough, attention, room: 1 << 20 }
}

/// The counts that both engines have.
fn comparable(stats: &Stats, bits: bool) -> Stats {
    let mut stats = stats.clone();
    if bits {
        (stats.updates, stats.cleansings) = (0, 0);
    }
    stats
}

/// Random problems, larger ones of dominoes on a board, and some with bounds.
fn problems() -> Vec<Problem> {
    let random = |seed| common::problem(random::xcc(seed).text().as_bytes());
    let mut problems: Vec<Problem> = (0..40).map(random).collect();
    problems.push(dominoes(4, 6));
    problems.push(dominoes(6, 6));
    let bounded = |seed| common::problem(random::mcc(seed).text().as_bytes());
    problems.extend((0..40).map(bounded));
    problems.push(common::problem(&common::slurp(&common::fixture("mcc/motley5x6.dlx"))));
    problems
}

#[test]
fn any_number_of_threads_finds_the_same_in_the_same_order() {
    for problem in problems() {
        let (expected, stats) = single(&problem);
        for (threads, bits) in [(1, false), (2, false), (3, true), (8, false), (5, true)] {
            let bits = bits && !problem.has_bounds();
            let flags = flags(threads);
            let desk = Desk::new(&flags);
            let outcome =
                crew::run(&task(&problem, bits, &flags), State::new([Stretch::whole()]), &desk);
            assert_eq!(outcome.end, End::Exhausted);
            assert_eq!(outcome.state.entries, []);
            same(&desk.found.into_inner().unwrap(), &expected);
            assert_eq!(outcome.state.stats, comparable(&stats, bits));
        }
    }
}

#[test]
fn little_room_for_what_waits_changes_nothing() {
    let problem = dominoes(6, 6);
    // A domino tiling of 6 x 6: OEIS A004003.
    let (expected, _) = single(&problem);
    assert_eq!(expected.len(), 6728);
    for threads in [2, 4] {
        let flags = flags(threads);
        let desk = Desk::new(&flags);
        let task = Task { room: 1000, ..task(&problem, false, &flags) };
        crew::run(&task, State::new([Stretch::whole()]), &desk);
        same(&desk.found.into_inner().unwrap(), &expected);
    }
}

#[test]
fn a_limit_takes_the_first_ones() {
    let problem = dominoes(6, 6);
    let (expected, _) = single(&problem);
    for (threads, enough) in [(1, 1), (2, 2), (4, 1000), (3, 6728), (2, 7000)] {
        let flags = flags(threads);
        let desk = Desk { enough, ..Desk::new(&flags) };
        let task = Task { enough: enough as u64, ..task(&problem, false, &flags) };
        crew::run(&task, State::new([Stretch::whole()]), &desk);
        let wanted = &expected[..enough.min(expected.len())];
        same(&desk.found.into_inner().unwrap(), wanted);
    }
}

#[test]
fn from_every_record_another_crew_goes_on_to_the_same_end() {
    let others = problems();
    let bounded = others.iter().filter(|problem| problem.has_bounds());
    for problem in
        [dominoes(4, 6), dominoes(5, 6)].iter().chain(&others[..10]).chain(bounded.take(10))
    {
        let (expected, stats) = single(problem);
        for (threads, bits) in [(1, false), (1, true), (3, false), (2, true)] {
            let bits = bits && !problem.has_bounds();
            let first = flags(threads);
            let desk = Desk { every: 7, ..Desk::new(&first) };
            crew::run(&task(problem, bits, &first), State::new([Stretch::whole()]), &desk);
            let found = desk.found.into_inner().unwrap();
            same(&found, &expected);
            let records = desk.records.into_inner().unwrap();
            for (state, delivered) in records.into_iter().step_by(threads + 2) {
                assert!(state.is_sound(), "{state:?}");
                let flags = flags(4 - threads);
                let desk = Desk::new(&flags);
                let outcome = crew::run(&task(problem, bits, &flags), state, &desk);
                let rest = desk.found.into_inner().unwrap();
                same(&rest, &expected[delivered..]);
                assert_eq!(outcome.state.stats, comparable(&stats, bits));
            }
        }
    }
}

#[test]
fn a_search_that_is_stopped_again_and_again_gets_to_the_end() {
    let problem = dominoes(4, 6);
    let (expected, stats) = single(&problem);
    let (any, never) = (u64::MAX, usize::MAX);
    for (threads, patience, nodes) in [(1, 2, any), (1, 9, any), (3, 5, any), (1, never, 3)] {
        let mut state = State::new([Stretch::whole()]);
        let mut found = Vec::new();
        let mut rounds = 0;
        loop {
            let flags = flags(threads);
            let desk = Desk { patience, ..Desk::new(&flags) };
            let task = Task { nodes, ..task(&problem, false, &flags) };
            let outcome = crew::run(&task, state, &desk);
            found.extend(desk.found.into_inner().unwrap());
            state = outcome.state;
            assert!(state.is_sound(), "{state:?}");
            rounds += 1;
            if outcome.end == End::Exhausted {
                break;
            }
            assert_eq!(outcome.end, if nodes == any { End::Stopped } else { End::NodeLimit });
        }
        assert!(rounds > 10, "{rounds}");
        same(&found, &expected);
        assert_eq!(state.stats, stats);
    }
}

#[test]
fn pieces_add_up_in_any_order() {
    let problem = dominoes(4, 6);
    let (expected, stats) = single(&problem);
    // Takes a search apart wherever it stands.
    struct Cutter<'a>(Vec<Stretch>, &'a AtomicBool);
    impl quadrille::search::walk::Hand for Cutter<'_> {
        fn take(&mut self) -> Option<Stretch> {
            self.0.is_empty().then(Stretch::whole)
        }
        fn solution(&mut self, _: &dyn Choices) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
        fn pause(&mut self, moment: &Moment<'_>, bounds: &mut Bounds) -> ControlFlow<()> {
            self.1.store(true, Ordering::Relaxed);
            if moment.stats.nodes.is_multiple_of(3) {
                // The highest level, and now and then the lowest, after which something is left.
                let mut levels = open(moment.choices, bounds);
                let lowest = moment.stats.nodes.is_multiple_of(4);
                if let Some(level) = if lowest { levels.next_back() } else { levels.next() } {
                    let (stretch, rest) = cut(moment.choices, bounds, level);
                    self.0.push(stretch);
                    self.0.extend(rest);
                }
            }
            ControlFlow::Continue(())
        }
        fn put(&mut self, _: End, _: Option<Stretch>, _: &Stats) {}
        fn misfit(&mut self) {
            panic!("all of the tree fits");
        }
    }
    let attention = AtomicBool::new(true);
    let mut cutter = Cutter(Vec::new(), &attention);
    let limits = Limits { nodes: u64::MAX, attention: &attention };
    let first = quadrille::search::work_by_links(&problem, &mut (), &limits, &mut cutter);
    // The first tree was narrowed as it was cut, so it is not all of the tree.
    assert!(first.nodes < stats.nodes && cutter.0.len() > 3);
    let mut sum = first;
    for stretch in cutter.0.into_iter().rev() {
        let flags = flags(1);
        let desk = Desk::new(&flags);
        let outcome = crew::run(&task(&problem, false, &flags), State::new([stretch]), &desk);
        sum.add(&outcome.state.stats);
    }
    assert_eq!(sum, stats);
    assert_eq!(sum.solutions, expected.len() as u64);
}

#[test]
fn a_stretch_of_another_problem_is_noticed() {
    let (problem, other) = (dominoes(4, 4), dominoes(3, 6));
    let flags = flags(1);
    let desk = Desk { every: 5, ..Desk::new(&flags) };
    crew::run(&task(&problem, false, &flags), State::new([Stretch::whole()]), &desk);
    let (state, _) = desk.records.into_inner().unwrap().remove(1);
    for bits in [false, true] {
        let desk = Desk::new(&flags);
        assert!(crew::run(&task(&other, bits, &flags), state.clone(), &desk).misfit);
    }
}
