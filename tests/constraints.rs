//! `--loop` against a predicate that looks at finished solutions only, and its undo against a replay;
//! what `--connected` forces against its definition.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::brute::is_single_cycle;
use common::random::{self, Lattice};
use common::{learn, solve};
use quadrille::constraint::connected::propagator::ConnectedPropagator;
use quadrille::constraint::final_test::FinalTest;
use quadrille::constraint::graph::Graph;
use quadrille::constraint::single_loop::propagator::SingleLoopPropagator;
use quadrille::constraint::{Conjunction, Explanation, Moves, Propagator, Uses, Verdict};
use quadrille::dlx;
use quadrille::ids::{Color, ItemId, OptionId};
use quadrille::problem::Problem;
use quadrille::search::replay::Replayer;
use quadrille::solution::Choices;

/// Lattices that every run looks at.
const SHORT: u64 = 600;

/// Lattices of a long run.
const LONG: u64 = 50_000;

fn check_solutions(seed: u64) -> usize {
    let lattice = random::lattice(seed, 1 + seed as usize % 3);
    let text = lattice.plain.text();
    let mut expected = lattice.plain.solutions_by_items();
    let all = expected.len();
    expected.retain(|solution| is_single_cycle(&lattice.present(solution)));

    let problem = common::problem(text.as_bytes());
    let graph = Graph::read(&problem).expect("a lattice keeps the convention");
    let rule = || SingleLoopPropagator::new(&problem, &graph);
    let pruned = solve(&problem, rule());
    let tested = solve(&problem, FinalTest::new(rule()));
    let short = solve(&problem, rule().with_shortcuts());
    let tested_short = solve(&problem, FinalTest::new(rule().with_shortcuts()));
    let both: Box<dyn Propagator> = Box::new(rule());
    let listed = solve(&problem, Conjunction::from(vec![both, Box::new(rule().with_shortcuts())]));
    let learned = learn(&problem, rule());
    let learned_short = learn(&problem, rule().with_shortcuts());
    let blocks = solve(&problem, rule().with_blocks(usize::MAX));
    let learned_blocks = learn(&problem, rule().with_blocks(usize::MAX));
    let learned_test = learn(&problem, FinalTest::new(rule()));
    for (name, found) in [
        ("learn, plain", &learned),
        ("learn, shortcuts", &learned_short),
        ("learn, blocks", &learned_blocks),
        ("blocks", &blocks),
        ("learn, final test", &learned_test),
        ("plain", &pruned),
        ("final test", &tested),
        ("shortcuts", &short),
        ("final test of shortcuts", &tested_short),
        ("a list of two", &listed),
    ] {
        assert_eq!(found.sorted(), expected, "{name}, seed {seed}\n{text}");
    }
    // The plain rule cuts branches off and changes nothing else.
    assert_eq!(pruned.choices, tested.choices, "seed {seed}\n{text}");
    assert!(pruned.stats.nodes <= tested.stats.nodes, "seed {seed}\n{text}");
    // What was forbidden does not show in the choices that are printed.
    for cover in &learned_short.choices {
        assert!(pruned.choices.contains(cover), "seed {seed}\n{text}");
    }
    let mut replayer = Replayer::new(&problem);
    for cover in &short.choices {
        let mut options: Vec<OptionId> = cover.options();
        options.sort_unstable();
        let choices = replayer.replay(&options);
        assert!(pruned.choices.contains(&choices), "seed {seed}\n{text}");
    }
    // Without the rule, the tree of the final test is the plain one.
    let free = solve(&problem, ());
    assert_eq!((free.stats.nodes, free.choices.len()), (tested.stats.nodes, all), "seed {seed}");
    expected.len()
}

#[test]
fn finds_the_single_loops_of_random_lattices() {
    let loops: Vec<usize> = (0..SHORT).map(check_solutions).collect();
    let with = |least: usize| loops.iter().filter(|&&n| n >= least).count() as u64;
    assert!(with(1) > SHORT / 10 && with(2) > SHORT / 20, "too few loops: {} {}", with(1), with(2));
}

#[test]
#[ignore = "takes half a minute; `cargo test --test constraints -- --ignored`"]
fn finds_the_single_loops_of_many_random_lattices() {
    (SHORT..SHORT + LONG).for_each(|seed| {
        check_solutions(seed);
    });
}

/// An engine without options: it writes down what is forbidden.
#[derive(Default, PartialEq, Eq, Debug)]
struct Record(Vec<(ItemId, Color)>);

impl Moves for Record {
    fn forbid(&mut self, item: ItemId, color: Color, _: Explanation<'_>) {
        self.0.push((item, color));
    }

    fn require(&mut self, _: ItemId, _: Color, _: Explanation<'_>) {
        unreachable!("--loop requires nothing");
    }

    fn uses(&self, _: ItemId, _: Color) -> Uses {
        Uses { with: true, without: true }
    }
}

/// One level of a walk: the items that were fixed, in order, and whether the option then stood.
type Steps = Vec<(ItemId, Color)>;

fn replay<C: Propagator>(constraint: &mut C, levels: &[Steps]) {
    for steps in levels {
        constraint.mark();
        for &(item, color) in steps {
            assert!(constraint.fixed(item, color).is_fine(), "what stood once stands again");
        }
        constraint.settle(&mut Record::default());
    }
}

/// A constraint's answers to one edge: does it stand, what is forbidden then, is the cover complete.
type Answers = (Verdict, Vec<(ItemId, Color)>, Verdict);

/// How a constraint answers: to each edge alone that is not fixed, to what is forbidden then, and to a
/// complete cover before and after. Leaves it as it was.
fn behavior<C: Propagator>(
    constraint: &mut C,
    levels: usize,
    open: &[ItemId],
    present: Color,
) -> Vec<Answers> {
    let mut answers = vec![(Verdict::Fine, Vec::new(), constraint.complete())];
    for &item in open {
        constraint.mark();
        let verdict = constraint.fixed(item, present);
        let mut forbidden = Record::default();
        let mut complete = Verdict::Refuse;
        if verdict.is_fine() {
            constraint.settle(&mut forbidden);
            complete = constraint.complete();
        }
        forbidden.0.sort();
        answers.push((verdict, forbidden.0, complete));
        constraint.backtrack(levels);
    }
    answers
}

/// Fixes random edges, several to a level, and backtracks by random numbers of levels.
fn walk<C: Propagator>(
    seed: u64,
    lattice: &Lattice,
    problem: &Problem,
    prunes: bool,
    make: impl Fn() -> C,
) {
    let mut random = fastrand::Rng::with_seed(seed);
    let (present, absent) = (Color::new(1), Color::new(2));
    assert_eq!(problem.find_color(b"1"), Some(present));
    let item = |edge: usize| ItemId::new(lattice.edges[edge].0 as u32);
    let ends = |fixed: ItemId| {
        let edge = lattice.edges.iter().find(|edge| edge.0 == fixed.index());
        edge.map(|&(_, u, v)| (u, v)).expect("only edges are fixed")
    };
    let mut constraint = make();
    let mut levels: Vec<Steps> = Vec::new();
    for _ in 0..40 {
        let is_fixed = |levels: &[Steps], item| levels.iter().flatten().any(|&(i, _)| i == item);
        let present_edges = |levels: &[Steps]| -> Vec<(u32, u32)> {
            let steps = levels.iter().flatten();
            steps.filter(|step| step.1 == present).map(|step| ends(step.0)).collect()
        };
        let mut backtracks = random.u8(..5) == 0;
        if !backtracks {
            let mut open: Vec<usize> = (0..lattice.edges.len()).collect();
            open.retain(|&edge| !is_fixed(&levels, item(edge)));
            random.shuffle(&mut open);
            constraint.mark();
            levels.push(Vec::new());
            for &edge in open.iter().take(random.usize(0..=4)) {
                let color =
                    random.choice([present, present, absent, Color::NONE]).unwrap_or(absent);
                let before = present_edges(&levels);
                let verdict = constraint.fixed(item(edge), color);
                let mut after = before.clone();
                after.extend((color == present).then(|| ends(item(edge))));
                let allowed = !prunes || after.len() == before.len() || may_be_part(&after);
                assert_eq!(verdict.is_fine(), allowed, "{before:?} and {edge}, seed {seed}");
                if !verdict.is_fine() {
                    backtracks = true;
                    break;
                }
                if let Some(level) = levels.last_mut() {
                    level.push((item(edge), color));
                }
            }
            if !backtracks {
                constraint.settle(&mut Record::default());
            }
        }
        if backtracks && !levels.is_empty() {
            // Mostly the newest level, as engines do; now and then a jump.
            let jump = if random.u8(..3) == 0 { random.usize(1..=levels.len()) } else { 1 };
            levels.truncate(levels.len() - jump);
            constraint.backtrack(levels.len());
        }
        let open: Vec<ItemId> =
            (0..lattice.edges.len()).map(item).filter(|&i| !is_fixed(&levels, i)).collect();
        let mut fresh = make();
        replay(&mut fresh, &levels);
        let ours = behavior(&mut constraint, levels.len(), &open, present);
        let theirs = behavior(&mut fresh, levels.len(), &open, present);
        assert_eq!(ours, theirs, "after {levels:?}, seed {seed}");
        let holds = is_single_cycle(&present_edges(&levels));
        assert_eq!(ours[0].2.is_fine(), holds, "complete after {levels:?}, seed {seed}");
    }
}

/// Whether these edges, without the last one a part of a single cycle, are still one as far as
/// can be seen from them alone: no vertex has three, and if some of them are a cycle, all are.
fn may_be_part(edges: &[(u32, u32)]) -> bool {
    let degree = |v| edges.iter().filter(|e| e.0 == v || e.1 == v).count();
    if edges.iter().any(|&(u, v)| degree(u) > 2 || degree(v) > 2) {
        return false;
    }
    // The edges are paths and cycles now. Peel off edges with a free end; cycles stay.
    let mut left = edges.to_vec();
    loop {
        let degree = |v| left.iter().filter(|e| e.0 == v || e.1 == v).count();
        let Some(at) = left.iter().position(|&(u, v)| degree(u) == 1 || degree(v) == 1) else {
            return left.is_empty() || is_single_cycle(edges);
        };
        left.remove(at);
    }
}

#[test]
fn behaves_after_backtracking_as_if_replayed() {
    for seed in 0..400 {
        let lattice = random::lattice(seed, 1);
        // The color 1 has to exist, whatever the options say.
        let mut text = lattice.plain.text();
        let Some(first) = lattice.edges.first() else { continue };
        let edge = &lattice.plain.names[first.0];
        let items_end = text.find('\n').map_or(0, |end| end + 1);
        let color = |c: u8| format!("{} {edge}:{c}\n", lattice.plain.names[0]);
        text.insert_str(items_end, &(color(1) + &color(0)));
        let problem = common::problem(text.as_bytes());
        let graph = Graph::read(&problem).expect("a lattice keeps the convention");
        let rule = || SingleLoopPropagator::new(&problem, &graph);
        walk(seed, &lattice, &problem, true, rule);
        walk(seed, &lattice, &problem, true, || rule().with_shortcuts());
        walk(seed, &lattice, &problem, false, || FinalTest::new(rule()));
        walk(seed, &lattice, &problem, true, || {
            let first: Box<dyn Propagator> = Box::new(FinalTest::new(rule()));
            Conjunction::from(vec![first, Box::new(rule().with_shortcuts())])
        });
    }
}

/// An engine that says what changes, and writes down what it is told: cells that cannot have the color, and
/// cells that must.
#[derive(Default)]
struct Forced(BTreeSet<(ItemId, bool)>);

impl Moves for Forced {
    fn forbid(&mut self, item: ItemId, _: Color, _: Explanation<'_>) {
        self.0.insert((item, false));
    }

    fn require(&mut self, item: ItemId, _: Color, _: Explanation<'_>) {
        self.0.insert((item, true));
    }

    fn uses(&self, _: ItemId, _: Color) -> Uses {
        unreachable!("it says what changes")
    }

    fn tells(&self) -> bool {
        true
    }
}

/// What is known of cells by their places: whether they have the color.
type Known = BTreeMap<(u32, u32), bool>;

/// The cells that can be reached from one without those that are known to lack the color, and without `but`.
fn reached(cells: &[(u32, u32)], known: &Known, from: (u32, u32), but: (u32, u32)) -> Known {
    let (mut reached, mut todo) = (Known::from([(from, true)]), vec![from]);
    while let Some((row, col)) = todo.pop() {
        for &(r, c) in cells.iter().filter(|&&(r, c)| r.abs_diff(row) + c.abs_diff(col) == 2) {
            let passes = (r, c) != but && known.get(&(r, c)) != Some(&false);
            if passes && reached.insert((r, c), true).is_none() {
                todo.push((r, c));
            }
        }
    }
    reached
}

/// What follows from what is known: each cell that is cut off lacks the color, each that parts two which have it
/// has it. `None` if two that have it are apart.
fn what_follows(cells: &[(u32, u32)], known: &Known) -> Option<Known> {
    let nowhere = (0, 0);
    let mut due = known.iter().filter(|(_, holds)| **holds).map(|(&cell, _)| cell);
    let mut all = known.clone();
    let Some(root) = due.clone().next() else { return Some(all) };
    let open = reached(cells, known, root, nowhere);
    if !due.all(|cell| open.contains_key(&cell)) {
        return None;
    }
    for cell in cells.iter().filter(|cell| !known.contains_key(cell)) {
        let beyond = reached(cells, known, root, *cell);
        let parts = known.iter().any(|(cell, holds)| *holds && !beyond.contains_key(cell));
        if parts || !open.contains_key(cell) {
            all.insert(*cell, parts);
        }
    }
    Some(all)
}

/// Cells get the color or lose it at random, several to a level, and levels are taken back. Some cells of some
/// boards are missing; some boards have loose ends, since only few cells get the color.
#[test]
fn connected_cells_are_forced_as_by_definition() {
    let (mut refused, mut forced_in_all) = (0, 0);
    for seed in 0..600 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (rows, cols) = (random.u32(1..8), random.u32(1..8));
        let mut cells: Vec<(u32, u32)> = (0..rows * cols)
            .map(|cell| (2 * (cell / cols) + 1, 2 * (cell % cols) + 1))
            .filter(|_| seed % 3 > 0 || random.u8(..7) > 0)
            .collect();
        random.shuffle(&mut cells);
        let names: Vec<String> = cells.iter().map(|(row, col)| format!("{row:x}{col:x}")).collect();
        let option =
            |color: &str| names.iter().map(|name| format!(" {name}:{color}")).collect::<String>();
        let text = format!("a | {}\na\na{}\na{}\n", names.join(" "), option("0"), option("1"));
        let problem = dlx::parse::read(text.as_bytes()).expect("a problem").problem;
        let Ok(mut constraint) = ConnectedPropagator::new(&problem, b"0") else { continue };
        let [white, black] = [&b"0"[..], b"1"].map(|color| problem.find_color(color).unwrap());
        let item = |cell: usize| ItemId::new(1 + cell as u32);
        let mut levels: Vec<(Known, Known)> = Vec::new();
        if seed % 2 == 0 {
            assert!(constraint.settle(&mut Forced::default()).is_fine());
        }
        for _ in 0..60 {
            constraint.mark();
            let (mut known, mut all) = levels.last().cloned().unwrap_or_default();
            let mut stands = true;
            for _ in 0..random.usize(1..=3) {
                let cell = random.usize(..cells.len());
                let holds = random.u64(..4) <= seed % 5 / 2;
                if known.contains_key(&cells[cell]) {
                    continue;
                }
                let verdict = match (holds, random.bool()) {
                    (true, _) => constraint.fixed(item(cell), white),
                    (false, true) => constraint.fixed(item(cell), black),
                    (false, false) => constraint.lost(item(cell), white),
                };
                known.insert(cells[cell], holds);
                let agrees = all.get(&cells[cell]).is_none_or(|&other| other == holds);
                assert_eq!(verdict.is_fine(), agrees, "seed {seed}: {known:?}");
                all.insert(cells[cell], holds);
                stands = agrees;
                if !stands {
                    break;
                }
            }
            if stands {
                let mut forced = Forced::default();
                let verdict = constraint.settle(&mut forced);
                let expected = what_follows(&cells, &known);
                assert_eq!(verdict.is_fine(), expected.is_some(), "seed {seed}: {known:?}");
                stands = verdict.is_fine();
                forced_in_all += forced.0.len();
                all.extend(forced.0.iter().map(|&(i, holds)| (cells[i.index() - 1], holds)));
                assert!(!stands || Some(&all) == expected.as_ref(), "seed {seed}: {known:?}");
                levels.push((known, all));
            } else {
                levels.push(Default::default());
            }
            refused += usize::from(!stands);
            if !stands || random.u8(..5) == 0 {
                let jump = if random.u8(..3) == 0 { random.usize(1..=levels.len()) } else { 1 };
                levels.truncate(levels.len() - jump);
                constraint.backtrack(levels.len());
            }
        }
    }
    assert!(refused > 1000 && forced_in_all > 1000, "{refused} refused, {forced_in_all} forced");
}
