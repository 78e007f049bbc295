//! Several threads, and searches that stop and go on, find what one search finds, in its order.
//!
//! The standard is `search::links` on one thread, which other tests compare with Knuth's programs.

mod common;

use std::ops::ControlFlow;
use std::time::Duration;

use common::boards::dominoes;
use common::random;
use quadrille::constraint::Conjunction;
use quadrille::problem::Problem;
use quadrille::search::algorithm_c::TreeSearch;
use quadrille::search::engine::{Engine, Status};
use quadrille::search::interval::{Interval, open};
use quadrille::search::parallel::{
    Parallel, ParallelOutcome, Position, RenderSolution, SearchEvent, Task,
};
use quadrille::search::stats::Stats;
use quadrille::search::{bits, engine, links};
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
fn single(problem: &Problem) -> (Vec<Vec<u8>>, Stats) {
    let mut found = Vec::new();
    let mut engine = links(problem, Conjunction::new());
    let end = engine::run(&mut *engine, &mut |choices: &dyn Choices| {
        let mut text = Vec::new();
        words(choices, &mut text);
        found.push(text);
        ControlFlow::Continue(())
    });
    assert_eq!(end, Status::Exhausted);
    (found, engine.stats())
}

fn render<'a>() -> RenderSolution<'a> {
    let (mut text, mut before) = (Vec::new(), Vec::new());
    Box::new(move |choices: &dyn Choices, anew, out: &mut Vec<u8>| {
        std::mem::swap(&mut text, &mut before);
        text.clear();
        words(choices, &mut text);
        let same = || before.iter().zip(&text).take_while(|(a, b)| a == b).count();
        let keep = if anew { 0 } else { same() };
        out.extend_from_slice(&text[keep..]);
        keep
    })
}

/// How a search is made, and disturbed.
#[derive(Clone, Copy)]
struct Way {
    threads: usize,
    bits: bool,
    nodes: u64,
    enough: usize,
    room: usize,
    /// Whether it pauses whenever that can be.
    records: bool,
    /// It is stopped after so many pauses.
    patience: usize,
}

/// Nothing disturbs it.
fn way(threads: usize, bits: bool) -> Way {
    let (enough, patience, nodes) = (usize::MAX, usize::MAX, u64::MAX);
    Way { threads, bits, nodes, enough, room: 1 << 20, records: false, patience }
}

/// What a search by threads came to.
struct Found {
    outcome: ParallelOutcome,
    solutions: Vec<Vec<u8>>,
    /// Where it stood at each pause, and how many solutions had been delivered.
    records: Vec<(Position, usize)>,
}

fn parallel(problem: &Problem, state: Position, way: Way) -> Found {
    let Way { threads, bits, nodes, enough, room, records, patience } = way;
    let plan = bits.then(|| bits::BitsPlan::new(problem));
    let engine = || -> Box<dyn TreeSearch + '_> {
        match &plan {
            Some(plan) => plan.engine(),
            None => links(problem, Conjunction::new()),
        }
    };
    let most = if enough == usize::MAX { u64::MAX } else { enough as u64 };
    let (engine, render) = (&engine, Some(&render as _));
    let search = Parallel::new(Task { engine, render, threads, nodes, enough: most, room }, state);
    let (mut solutions, mut stood) = (Vec::new(), Vec::new());
    search.run(|search| {
        loop {
            match search.wait(Duration::from_micros(if records { 1 } else { 10_000 })) {
                SearchEvent::Solutions(_, bodies) => {
                    let mut text = Vec::new();
                    let mut reader = bodies.read(&mut text);
                    while let Some(body) = reader.next().filter(|_| solutions.len() < enough) {
                        solutions.push(body.to_vec());
                    }
                    search.delivered(bodies, solutions.len() < enough);
                }
                SearchEvent::Time => {}
                SearchEvent::End => break,
            }
            let done = search.moment().done;
            assert!((0.0..=1.0).contains(&done), "{done}");
            if records {
                stood.push((search.pause(), solutions.len()));
                if stood.len() >= patience {
                    search.end();
                }
                search.resume();
            }
        }
    });
    Found { outcome: search.outcome(), solutions, records: stood }
}

fn whole() -> Position {
    Position::new([Interval::whole()])
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
            let Found { outcome, solutions, .. } = parallel(&problem, whole(), way(threads, bits));
            assert_eq!(outcome.status, Status::Exhausted);
            assert_eq!(outcome.state.entries, []);
            same(&solutions, &expected);
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
        let found = parallel(&problem, whole(), Way { room: 1000, ..way(threads, false) });
        same(&found.solutions, &expected);
    }
}

#[test]
fn a_limit_takes_the_first_ones() {
    let problem = dominoes(6, 6);
    let (expected, _) = single(&problem);
    for (threads, enough) in [(1, 1), (2, 2), (4, 1000), (3, 6728), (2, 7000)] {
        let found = parallel(&problem, whole(), Way { enough, ..way(threads, false) });
        same(&found.solutions, &expected[..enough.min(expected.len())]);
    }
}

#[test]
fn from_every_pause_another_search_goes_on_to_the_same_end() {
    let mut paused = 0;
    for problem in [dominoes(5, 6), dominoes(6, 6), dominoes(4, 9)] {
        let (expected, stats) = single(&problem);
        for (threads, bits) in [(1, false), (1, true), (3, false), (2, true)] {
            let first = Way { records: true, ..way(threads, bits) };
            let Found { solutions, records, .. } = parallel(&problem, whole(), first);
            same(&solutions, &expected);
            paused += records.len();
            let some = 1 + records.len() / 8;
            for (state, delivered) in records.into_iter().step_by(some) {
                assert!(state.is_sound(), "{state:?}");
                let next = parallel(&problem, state, way(4 - threads, bits));
                same(&next.solutions, &expected[delivered..]);
                assert_eq!(next.outcome.state.stats, comparable(&stats, bits));
            }
        }
    }
    assert!(paused > 20, "{paused} pauses");
}

#[test]
fn a_search_that_is_stopped_again_and_again_gets_to_the_end() {
    let mut problems = problems();
    problems.truncate(12);
    problems.push(dominoes(4, 6));
    for problem in problems {
        let (expected, stats) = single(&problem);
        for (threads, nodes) in [(1, 3), (3, 5), (1, 50)] {
            let (mut state, mut found) = (whole(), Vec::new());
            for rounds in 1.. {
                let Found { outcome, solutions, .. } =
                    parallel(&problem, state, Way { nodes, ..way(threads, false) });
                found.extend(solutions);
                state = outcome.state;
                assert!(state.is_sound(), "{state:?}");
                if outcome.status == Status::Exhausted {
                    break;
                }
                assert_eq!(outcome.status, Status::Limit);
                assert!(rounds <= stats.nodes, "nothing is done twice");
            }
            same(&found, &expected);
            assert_eq!(state.stats, stats);
        }
    }
}

#[test]
fn a_search_can_be_stopped_while_it_is_paused() {
    let problem = dominoes(6, 8);
    let stopped = parallel(&problem, whole(), Way { records: true, patience: 2, ..way(2, false) });
    assert_eq!(stopped.outcome.status, Status::Stopped);
    let rest = parallel(&problem, stopped.outcome.state, way(2, false));
    let (expected, stats) = single(&problem);
    same(&[stopped.solutions, rest.solutions].concat(), &expected);
    assert_eq!(rest.outcome.state.stats, stats);
}

#[test]
fn pieces_add_up_in_any_order() {
    let problem = dominoes(4, 6);
    let (expected, stats) = single(&problem);
    let nothing = &mut |_: &dyn Choices| ControlFlow::Continue(());
    let mut first = links(&problem, Conjunction::new());
    let mut pieces = Vec::new();
    // Takes a search apart wherever it stands.
    while first.run(1, nothing) == Status::Paused {
        let nodes = first.work();
        if nodes.is_multiple_of(3) {
            // The highest level, and now and then the lowest, after which something is left.
            let bounds = first.bounds();
            let mut levels = open(first.choices(), &bounds);
            let lowest = nodes.is_multiple_of(4);
            let level = if lowest { levels.next_back() } else { levels.next() };
            drop(levels);
            if let Some(level) = level {
                let (piece, rest) = first.split(level);
                pieces.push(piece);
                pieces.extend(rest);
            }
        }
    }
    // The first tree was narrowed as it was cut, so it is not all of the tree.
    let mut sum = first.stats();
    assert!(sum.nodes < stats.nodes && pieces.len() > 3);
    // One engine visits one piece after the other.
    let mut other = links(&problem, Conjunction::new());
    for piece in pieces.into_iter().rev() {
        assert!(other.begin(&piece));
        assert_eq!(other.run(u64::MAX, nothing), Status::Exhausted);
        assert_eq!(other.rest(), None);
    }
    sum.add(&other.stats());
    assert_eq!(sum, stats);
    assert_eq!(sum.solutions, expected.len() as u64);
}

#[test]
fn an_interval_of_another_problem_is_noticed() {
    let (problem, other) = (dominoes(4, 4), dominoes(3, 6));
    let state = parallel(&problem, whole(), Way { nodes: 5, ..way(1, false) }).outcome.state;
    for bits in [false, true] {
        assert!(parallel(&other, state.clone(), way(1, bits)).outcome.misfit);
    }
}
