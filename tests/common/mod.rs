//! What the integration tests share: fixtures, reference programs, brute force, random problems, and
//! a search that collects everything.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod boards;
pub mod brute;
pub mod generated;
pub mod proof;
pub mod random;
pub mod reference;
pub mod trees;
pub mod zdd;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use quadrille::branch::{RULES, Rule};
use quadrille::constraint::graph::Graph;
use quadrille::constraint::registry::Origin;
use quadrille::constraint::{Constraint, Constraints, Moves, Propagator, Reason, Verdict};
use quadrille::dlx::error::ReadError;
use quadrille::dlx::parse;
use quadrille::ids::{Color, ItemId};
use quadrille::problem::{Bound, Problem};
use quadrille::search;
use quadrille::search::algorithm_c::Walk;
use quadrille::search::bits::{BitsPlan, Instructions};
use quadrille::search::dancing_links::Links;
use quadrille::search::engine::{Engine, Status};
use quadrille::search::learn::Learn;
use quadrille::search::stats::Stats;
use quadrille::search::width::LinkWidth;
use quadrille::solution::{Choice, Choices};
use quadrille::solutions::format::WriteSolution;
use quadrille::solutions::tour::Tours;
use quadrille::solutions::verify::Verifier;
use quadrille::solutions::write;

/// A path below `fixtures/`.
pub fn fixture(path: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(path)
}

/// All files of a folder of `fixtures/` with this extension, in the order of their names.
pub fn fixtures(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(fixture(folder)).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("is readable").path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == extension));
    files.sort();
    files
}

/// The file's bytes, with its name in the complaint if it cannot be read.
pub fn slurp(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Constraints of `problem`, whose names have to be right. It may be that no option has a color.
pub fn bound(problem: &Problem, wanted: &[&dyn Constraint]) -> Constraints {
    let bound = Constraints::bind(problem, Origin::Reduced, wanted, &mut |_| ());
    bound.expect("the names are right")
}

/// The problem that `text` describes; it has to be right.
pub fn problem(text: &[u8]) -> Problem {
    match parse::read(text) {
        Ok(dlx) => dlx.problem,
        Err(error) => panic!("{error} in\n{}", String::from_utf8_lossy(text)),
    }
}

/// The rows of a table of fixtures: tabs between columns, `#` before comments.
pub fn table(path: &str) -> Vec<Vec<String>> {
    let text = String::from_utf8(slurp(&fixture(path))).expect("a table is UTF-8");
    let rows = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|row| row.split('\t').map(str::to_owned).collect()).collect()
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub end: Status,
    pub stats: Stats,
    /// The choices of each solution, in the order of the search.
    pub choices: Vec<Vec<Choice>>,
}

impl Found {
    /// The same without updates and cleansings, which only lists have.
    pub fn without_updates(&self) -> Found {
        let stats = Stats { updates: 0, cleansings: 0, ..self.stats.clone() };
        Found { stats, ..self.clone() }
    }

    /// By solution the sorted numbers of its options, from 0; in the order of the search.
    pub fn sets(&self) -> Vec<Vec<usize>> {
        let set = |choices: &Vec<Choice>| {
            let mut set: Vec<usize> = choices.options().iter().map(|o| o.index()).collect();
            set.sort_unstable();
            set
        };
        self.choices.iter().map(set).collect()
    }

    /// The same, sorted: the multiset of solutions.
    pub fn sorted(&self) -> Vec<Vec<usize>> {
        let mut sets = self.sets();
        sets.sort();
        sets
    }

    /// Solutions, nodes, updates, cleansings, profile: what tables of fixtures hold.
    pub fn row(&self) -> Vec<String> {
        let Stats { solutions, nodes, updates, cleansings, profile, .. } = &self.stats;
        let profile: Vec<String> = profile.iter().map(u64::to_string).collect();
        let numbers = [solutions, nodes, updates, cleansings].map(u64::to_string);
        numbers.into_iter().chain([profile.join(" ")]).collect()
    }
}

/// All that an engine finds, run in one piece.
pub fn run(engine: &mut dyn Engine) -> Found {
    run_in_pieces(engine, || u64::MAX)
}

/// All that an engine finds, with so much work a call.
pub fn run_in_pieces(engine: &mut dyn Engine, mut work: impl FnMut() -> u64) -> Found {
    let mut all = Vec::new();
    let mut sink = |choices: &dyn Choices| {
        all.push(choices.to_vec());
        ControlFlow::Continue(())
    };
    let end = loop {
        match engine.run(work(), &mut sink) {
            Status::Paused => {}
            end => break end,
        }
    };
    Found { end, stats: engine.stats(), choices: all }
}

/// The branching rule of this name.
pub fn rule(name: &str) -> &'static Rule {
    RULES.iter().find(|rule| rule.name == name).expect("a rule has this name")
}

/// All solutions that satisfy `constraint`.
pub fn solve(problem: &Problem, constraint: impl Propagator) -> Found {
    solve_nodes(problem, constraint, u64::MAX)
}

/// The same, up to a number of nodes.
pub fn solve_nodes(problem: &Problem, constraint: impl Propagator, nodes: u64) -> Found {
    let mut engine = search::links_under(problem, constraint);
    engine.limit(nodes);
    run(&mut *engine)
}

/// All solutions that satisfy `constraint`, by clause learning.
pub fn learn(problem: &Problem, constraint: impl Propagator) -> Found {
    let found = run(&mut Learn::new(problem, constraint));
    let mut verifier = Verifier::new(problem);
    for choices in &found.choices {
        let verdict = verifier.cover(&choices.options(), &|_| 1);
        assert!(verdict.is_ok(), "learn found what is no cover: {verdict:?}");
    }
    found
}

/// All solutions by the engine of bits with each kind of instructions, in turn, from the root on and below
/// lists; they find the same.
pub fn solve_by_bits(problem: &Problem) -> Found {
    solve_nodes_by_bits(problem, u64::MAX)
}

/// The same, up to a number of nodes.
pub fn solve_nodes_by_bits(problem: &Problem, nodes: u64) -> Found {
    let by = |plan: BitsPlan<'_>| {
        let mut engine = plan.engine();
        engine.limit(nodes);
        run(&mut *engine)
    };
    let portable = by(BitsPlan::by(Instructions::Portable, problem));
    for instructions in Instructions::ALL {
        let (whole, above) =
            (BitsPlan::by(instructions, problem), BitsPlan::above(instructions, problem));
        assert!(by(whole) == portable, "{instructions:?} differs from portable");
        assert!(by(above) == portable, "lists above {instructions:?} differ from portable");
    }
    portable
}

/// All solutions, with nodes and lengths as wide as `W` says. It has to hold the problem.
pub fn solve_as<W: LinkWidth>(problem: &Problem) -> Found {
    run(&mut Walk::new("links", problem, Links::<W>::new(problem), ()))
}

/// The solutions as `--format knuth` prints them.
pub fn knuth_text(problem: &Problem, choices: &[Vec<Choice>]) -> Vec<u8> {
    let mut text = Vec::new();
    for (number, solution) in (1..).zip(choices) {
        write::knuth(problem, number, solution, &mut text);
    }
    text
}

/// The loops as `--format tour` prints them.
pub fn tour_text(problem: &Problem, graph: &Graph, choices: &[Vec<Choice>]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut tours = Tours::new(problem, graph);
    for (number, solution) in (1..).zip(choices) {
        tours.write(number, solution, &mut text);
    }
    text
}

/// Counts how often `C` is asked for its last word: the complete covers that a search reaches.
#[derive(Debug)]
pub struct Watched<C> {
    pub constraint: C,
    /// The colors that stand when a cover is complete and `C` refuses it, one map per cover.
    pub refused: Vec<BTreeMap<usize, Color>>,
    colors: Vec<(usize, ItemId, Color)>,
    level: usize,
}

impl<C> Watched<C> {
    pub fn new(constraint: C) -> Self {
        Watched { constraint, refused: Vec::new(), colors: Vec::new(), level: 0 }
    }
}

impl<C: Propagator> Propagator for Watched<C> {
    fn mark(&mut self) {
        self.level += 1;
        self.constraint.mark();
    }

    fn backtrack(&mut self, level: usize) {
        self.level = self.level.min(level);
        self.colors.retain(|&(made, ..)| made <= level);
        self.constraint.backtrack(level);
    }

    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict {
        self.colors.push((self.level, item, color));
        self.constraint.fixed(item, color)
    }

    fn lost(&mut self, item: ItemId, color: Color) -> Verdict {
        self.constraint.lost(item, color)
    }

    fn settle(&mut self, moves: &mut dyn Moves) -> Verdict {
        self.constraint.settle(moves)
    }

    fn explain(&self, out: &mut Reason) {
        self.constraint.explain(out);
    }

    fn complete(&mut self) -> Verdict {
        let verdict = self.constraint.complete();
        if !verdict.is_fine() {
            self.refused.push(self.colors.iter().map(|&(_, i, c)| (i.index(), c)).collect());
        }
        verdict
    }
}

/// A use of an item: its name and, if it has one, its color.
pub type Use = (Vec<u8>, Option<Vec<u8>>);

/// Everything that a problem says, in words that do not depend on how it numbers colors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    pub primary: Vec<(Vec<u8>, Bound)>,
    pub secondary: Vec<Vec<u8>>,
    /// By option: its cost and what it uses.
    pub options: Vec<(u64, Vec<Use>)>,
}

/// Describes `problem`.
pub fn describe(problem: &Problem) -> Description {
    let (primary, secondary): (Vec<_>, Vec<_>) =
        problem.names().partition(|&(item, _)| problem.is_primary(item));
    let describe_use = |entry: quadrille::problem::Entry| {
        let color = (!entry.color.is_none()).then(|| problem.color_name(entry.color).to_vec());
        (problem.name(entry.item).to_vec(), color)
    };
    let option =
        |option| (problem.cost(option), problem.option(option).iter().map(describe_use).collect());
    Description {
        primary: primary.into_iter().map(|(i, name)| (name.to_vec(), problem.bound(i))).collect(),
        secondary: secondary.into_iter().map(|(_, name)| name.to_vec()).collect(),
        options: problem.option_ids().map(option).collect(),
    }
}

/// The problem as a file.
pub fn write_problem(problem: &Problem) -> Vec<u8> {
    let mut text = Vec::new();
    problem.write(&mut text).expect("a vector takes all bytes");
    text
}

/// What is wrong with `text`, as the `.err` files of fixtures have it: the message with its place, what
/// was expected, and a guess if there is one. `None` if nothing is wrong.
pub fn complaint(text: &[u8]) -> Option<String> {
    let error = match parse::read(text) {
        Ok(_) => return None,
        Err(ReadError::Syntax(error)) => error,
        Err(error) => panic!("a slice can be read: {error}"),
    };
    let expected = error.diagnostic.expected.as_deref().expect("each mistake says what is right");
    let mut message = format!("{error}\nexpected {expected}\n");
    if let Some(help) = &error.diagnostic.help {
        message += &format!("help: {help}\n");
    }
    Some(message)
}
