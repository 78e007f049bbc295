//! `--loop` against a predicate that looks at finished solutions only, and its undo against a replay.

mod common;

use common::brute::is_single_cycle;
use common::random::{self, Lattice};
use common::{learn, solve};
use quadrille::constraint::final_test::FinalTest;
use quadrille::constraint::graph::Graph;
use quadrille::constraint::single_loop::SingleLoop;
use quadrille::constraint::{Constraint, Moves, Together, Uses, Verdict, Why};
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
    let rule = || SingleLoop::new(&problem, &graph);
    let pruned = solve(&problem, rule());
    let tested = solve(&problem, FinalTest::new(rule()));
    let short = solve(&problem, rule().with_shortcuts());
    let tested_short = solve(&problem, FinalTest::new(rule().with_shortcuts()));
    let both: Box<dyn Constraint> = Box::new(rule());
    let listed = solve(&problem, Together::from(vec![both, Box::new(rule().with_shortcuts())]));
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
    fn forbid(&mut self, item: ItemId, color: Color, _: Why<'_>) {
        self.0.push((item, color));
    }

    fn require(&mut self, _: ItemId, _: Color, _: Why<'_>) {
        unreachable!("--loop requires nothing");
    }

    fn uses(&self, _: ItemId, _: Color) -> Uses {
        Uses { with: true, without: true }
    }
}

/// One level of a walk: the items that were fixed, in order, and whether the option then stood.
type Steps = Vec<(ItemId, Color)>;

fn replay<C: Constraint>(constraint: &mut C, levels: &[Steps]) {
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
fn behavior<C: Constraint>(
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
fn walk<C: Constraint>(
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
        let rule = || SingleLoop::new(&problem, &graph);
        walk(seed, &lattice, &problem, true, rule);
        walk(seed, &lattice, &problem, true, || rule().with_shortcuts());
        walk(seed, &lattice, &problem, false, || FinalTest::new(rule()));
        walk(seed, &lattice, &problem, true, || {
            let first: Box<dyn Constraint> = Box::new(FinalTest::new(rule()));
            Together::from(vec![first, Box::new(rule().with_shortcuts())])
        });
    }
}
