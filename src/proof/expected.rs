//! The clauses that a problem is, made from its items and options in plain loops.
//!
//! The search has its own way to the same clauses. What both must agree on is in docs/notes/proofs.md, and a
//! third program can be written from there.

use crate::ids::{Color, ItemId, OptionId};
use crate::problem::Problem;

/// "At most one" of more literals than this is said by a ladder.
const MOST_PAIRED: usize = 32;

/// The variables of a problem.
#[derive(Debug)]
pub struct Expected<'p> {
    /// The problem.
    pub problem: &'p Problem,
    /// By item, empty for primary ones: its colors as the file comes to them, with their variables.
    colors: Vec<Vec<(Color, i32)>>,
    named: i32,
}

/// The clauses, end to end.
#[derive(Debug, Default)]
pub struct ProblemClauses {
    literals: Vec<i32>,
    ends: Vec<usize>,
    /// How many variables they have.
    pub variables: i32,
}

impl ProblemClauses {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Clause number `at`, from 0.
    pub fn clause(&self, at: usize) -> Option<&[i32]> {
        let end = *self.ends.get(at)?;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        Some(&self.literals[start..end])
    }

    fn push(&mut self, clause: impl IntoIterator<Item = i32>) {
        self.literals.extend(clause);
        self.ends.push(self.literals.len());
    }

    /// At most one of these is true.
    fn push_at_most_one(&mut self, literals: &[i32]) {
        let count = literals.len();
        if count <= MOST_PAIRED {
            for later in 0..count {
                for earlier in 0..later {
                    self.push([-literals[earlier], -literals[later]]);
                }
            }
            return;
        }
        // Step `i` is a variable: one of the literals up to number `i`, from 1, is true.
        let steps = self.variables;
        let step = |i: usize| steps + i as i32;
        self.push([-literals[0], step(1)]);
        for i in 2..=count {
            self.push([-step(i - 1), -literals[i - 1]]);
            if i < count {
                self.push([-literals[i - 1], step(i)]);
                self.push([-step(i - 1), step(i)]);
            }
        }
        self.variables += count as i32 - 1;
    }
}

impl<'p> Expected<'p> {
    /// Numbers options, then the colors of items.
    pub fn new(problem: &'p Problem) -> Self {
        let mut colors: Vec<Vec<(Color, i32)>> = vec![Vec::new(); problem.items()];
        // Colors are numbered as the file comes to them, but one that is new to an item may be old to
        // the file.
        for option in problem.option_ids() {
            for entry in problem.option(option) {
                let list = &mut colors[entry.item.index()];
                if !entry.color.is_none() && !list.iter().any(|&(color, _)| color == entry.color) {
                    list.push((entry.color, 0));
                }
            }
        }
        let mut named = problem.options() as i32;
        for list in &mut colors {
            list.sort_unstable();
            for (_, variable) in list {
                named += 1;
                *variable = named;
            }
        }
        Expected { problem, colors, named }
    }

    /// The variable that says that `item` has `color`, if an option gives it that.
    pub fn color(&self, item: ItemId, color: Color) -> Option<i32> {
        let list = &self.colors[item.index()];
        list.iter().find(|&&(other, _)| other == color).map(|&(_, variable)| variable)
    }

    /// The clauses, with one that blocks `cover`.
    pub fn clauses(&self, cover: Option<&[OptionId]>) -> ProblemClauses {
        let problem = self.problem;
        let mut clauses = ProblemClauses { variables: self.named, ..ProblemClauses::default() };
        let number = |option: OptionId| option.index() as i32 + 1;
        let mut having: Vec<Vec<(i32, Color)>> = vec![Vec::new(); problem.items()];
        for option in problem.option_ids() {
            for entry in problem.option(option) {
                having[entry.item.index()].push((number(option), entry.color));
            }
        }
        for options in &having[..problem.primary()] {
            let options: Vec<i32> = options.iter().map(|&(option, _)| option).collect();
            clauses.push(options.iter().copied());
            clauses.push_at_most_one(&options);
        }
        for option in problem.option_ids() {
            for entry in problem.option(option) {
                if let Some(color) = self.color(entry.item, entry.color) {
                    clauses.push([-number(option), color]);
                }
            }
        }
        for (having, colors) in having.iter().zip(&self.colors).skip(problem.primary()) {
            let mut uses: Vec<i32> = colors.iter().map(|&(_, variable)| variable).collect();
            uses.extend(having.iter().filter(|(_, c)| c.is_none()).map(|&(option, _)| option));
            clauses.push_at_most_one(&uses);
            for &(color, variable) in colors {
                let giving = having.iter().filter(|&&(_, other)| other == color);
                clauses.push([-variable].into_iter().chain(giving.map(|&(option, _)| option)));
            }
        }
        if let Some(cover) = cover {
            clauses.push(cover.iter().map(|&option| -number(option)));
        }
        clauses
    }
}
