//! Problems with bounds: Algorithm M against brute force, and against `dlx3` to the last byte.

mod common;

use common::brute::Bounded;
use common::{fixture, random, reference, slurp, solve, table};
use quadrille::constraint::single_loop::propagator::SingleLoopPropagator;
use quadrille::constraint::{Moves, Propagator, Reason, Verdict, graph::Graph};
use quadrille::ids::{Color, ItemId};
use quadrille::search::replay::Replayer;
use quadrille::solution::Choices;

#[test]
fn finds_the_solutions_of_random_problems() {
    let (mut solvable, mut nulls, mut colored) = (0, 0, 0);
    for seed in 0..1000 {
        let bounded = random::mcc(seed);
        let text = bounded.text();
        let expected = bounded.solutions();
        let problem = common::problem(text.as_bytes());
        let found = solve(&problem, ());
        assert_eq!(found.sorted(), expected, "seed {seed}\n{text}");
        // The choices can be found again from the options alone.
        let mut replayer = Replayer::new(&problem);
        for choices in &found.choices {
            let mut options = choices.options();
            options.reverse();
            assert_eq!(&replayer.replay(&options), choices, "seed {seed}\n{text}");
            nulls += choices.iter().filter(|choice| choice.option.is_none()).count();
        }
        let (shuffled, before) = problem.shuffled(seed);
        let found = solve(&shuffled, ());
        let old = |set: Vec<usize>| {
            let mut set: Vec<usize> = set.into_iter().map(|o| before[o].index()).collect();
            set.sort_unstable();
            set
        };
        let mut sets: Vec<Vec<usize>> = found.sets().into_iter().map(old).collect();
        sets.sort();
        assert_eq!(sets, expected, "shuffled, seed {seed}\n{text}");
        solvable += usize::from(!expected.is_empty());
        colored += usize::from(text.contains(":1") && !expected.is_empty());
    }
    assert!(solvable > 500 && nulls > 1000 && colored > 100, "{solvable} {nulls} {colored}");
}

/// Refuses each item its color now and then, and forbids colors: which, depends on a seed alone.
struct Moody {
    seed: u64,
    items: usize,
    primary: usize,
    /// The colors that have been fixed, with their levels.
    fixed: Vec<(usize, ItemId, Color)>,
    level: usize,
}

impl Moody {
    fn allows(&self, item: ItemId, color: Color) -> bool {
        let mut random = fastrand::Rng::with_seed(self.seed ^ (item.raw() as u64) << 32);
        (0..=color.index()).map(|_| random.u8(..4) > 0).last().unwrap_or(true)
    }
}

impl Propagator for Moody {
    fn mark(&mut self) {
        self.level += 1;
    }
    fn backtrack(&mut self, level: usize) {
        self.level = level;
        self.fixed.retain(|&(made, ..)| made <= level);
    }
    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict {
        assert!(self.fixed.iter().all(|&(_, other, _)| other != item), "it is fixed once");
        self.fixed.push((self.level, item, color));
        // One half refuses at once, the other is forbidden or found at the end.
        Verdict::when(item.index().is_multiple_of(2) || self.allows(item, color))
    }
    fn settle(&mut self, moves: &mut dyn Moves) -> Verdict {
        for number in (self.primary..self.items).filter(|number| number % 4 == 0) {
            let item = ItemId::new(number as u32);
            if self.fixed.iter().all(|&(_, other, _)| other != item) {
                for color in (0..5).map(Color::new).filter(|&color| !self.allows(item, color)) {
                    moves.forbid(item, color, &|_| ());
                    assert!(!moves.uses(item, color).with, "it was forbidden");
                }
            }
        }
        Verdict::Fine
    }
    fn forbids(&self) -> bool {
        true
    }
    fn complete(&mut self) -> Verdict {
        Verdict::when(self.fixed.iter().all(|&(_, item, color)| self.allows(item, color)))
    }
    fn explain(&self, _: &mut Reason) {}
}

#[test]
fn obeys_a_constraint_that_refuses_and_forbids() {
    let (mut kept, mut all) = (0, 0);
    for seed in 0..1000 {
        let bounded = random::mcc(seed);
        let text = bounded.text();
        let problem = common::problem(text.as_bytes());
        let (items, primary) = (problem.items(), problem.primary());
        let moody = Moody { seed, items, primary, fixed: Vec::new(), level: 0 };
        let mut expected = bounded.solutions();
        all += expected.len();
        expected.retain(|set| {
            let uses = set
                .iter()
                .flat_map(|&o| problem.option(quadrille::ids::OptionId::new(o as u32)).iter());
            let mut secondary = uses.filter(|entry| !problem.is_primary(entry.item));
            secondary.all(|entry| moody.allows(entry.item, entry.color))
        });
        kept += expected.len();
        assert_eq!(solve(&problem, moody).sorted(), expected, "seed {seed}\n{text}");
    }
    assert!(kept > 1000 && all > kept + 1000, "{kept} of {all}");
}

#[test]
fn agrees_with_dlx3_on_random_problems_to_the_last_byte() {
    let Some(dlx3) = reference::find("dlx3") else { return };
    for seed in 0..400 {
        let text = random::mcc(3_000_000 + seed).text();
        let answer = reference::run(&dlx3, &["v1153", "m1"], text.as_bytes());
        let problem = common::problem(text.as_bytes());
        let found = solve(&problem, ());
        assert_eq!(found.row(), answer.row(), "seed {seed}\n{text}");
        let ours = common::knuth_text(&problem, &found.choices);
        assert_eq!(ours, answer.stdout, "seed {seed}\n{text}");
    }
}

/// Loops through a lattice whose cells may have bounds on the options that color their edges.
#[test]
fn keeps_one_loop_together_with_bounds() {
    let mut loops = 0;
    for seed in 0..300 {
        let lattice = random::lattice(seed, 1);
        if lattice.plain.options.len() > 16 {
            continue;
        }
        let mut random = fastrand::Rng::with_seed(seed);
        let mut bounds = vec![(1, 1); lattice.plain.primary];
        for bound in &mut bounds {
            if random.u8(..4) == 0 {
                *bound = (random.usize(..=1), random.usize(1..3));
            }
        }
        let bounded = Bounded { plain: lattice.plain.clone(), bounds };
        let text = bounded.text();
        let problem = common::problem(text.as_bytes());
        let Ok(graph) = Graph::read(&problem) else { continue };
        let mut expected = bounded.solutions();
        expected.retain(|set| common::brute::is_single_cycle(&lattice.present(set)));
        let found = solve(&problem, SingleLoopPropagator::new(&problem, &graph));
        assert_eq!(found.sorted(), expected, "seed {seed}\n{text}");
        loops += expected.len();
    }
    assert!(loops > 30, "{loops} loops");
}

#[test]
fn searches_the_fixtures_as_dlx3() {
    let rows = table("mcc/expected.tsv");
    let mut printed = 0;
    for row in &rows {
        let problem = common::problem(&slurp(&fixture(&row[0])));
        let found = solve(&problem, ());
        let mut ours = found.row();
        if !problem.has_bounds() {
            // `1|A` is `A`; dlx2, which is asked then, covers items that have no option left, too.
            (ours[2], ours[3]) = (row[4].clone(), row[5].clone());
        }
        assert_eq!(ours, row[2..], "{}", row[0]);
        let path = fixture(row[0].replace(".dlx", ".dlx3.out"));
        if path.exists() {
            let ours = common::knuth_text(&problem, &found.choices);
            assert_eq!(ours, slurp(&path), "{}", row[0]);
            printed += 1;
        }
    }
    assert!(rows.len() > 30 && printed > 15, "{} files, {printed} printed", rows.len());
}
