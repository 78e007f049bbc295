//! A color that all options of a primary item decide comes from one of them: if an item has the color, one of
//! those is chosen that give it.

use crate::problem::Problem;
use crate::search::learn::clauses::Lit;
use crate::search::learn::core::Solver;
use crate::search::learn::encoding::Encoding;
use crate::search::learn::occurrences::{Pace, Survey};

/// Counters and lists that are used for one primary item after the other.
pub(super) struct Support {
    /// By secondary item: how many options of the primary item color it.
    count: Vec<u32>,
    /// By secondary item: its place in `giving`, from 1.
    place: Vec<u32>,
    /// The options that give the one and the other color.
    giving: Vec<[Vec<Lit>; 2]>,
}

impl Support {
    /// For the items of `problem`.
    pub fn new(problem: &Problem) -> Self {
        let none = vec![0; problem.secondary()];
        Support { count: none.clone(), place: none, giving: Vec::new() }
    }

    /// Adds the clauses of a primary item.
    pub fn add(
        &mut self,
        encoding: &Encoding<'_>,
        survey: &Survey,
        item: usize,
        solver: &mut Solver,
        pace: &mut Pace<'_>,
    ) -> Option<()> {
        let Support { count, place, giving } = self;
        let options = survey.options(item);
        let Some(&(first, _)) = options.first() else { return Some(()) };
        let is_total = |&s: &usize| survey.is_total(s);
        let secondary = |&row: &u32| row as usize / 2;
        if !survey.row(first).iter().map(secondary).any(|s| is_total(&s)) {
            return Some(());
        }
        for &(option, _) in options {
            pace.go(3 * survey.row(option).len())?;
            survey.row(option).iter().map(secondary).for_each(|s| count[s] += 1);
        }
        let mut places = 0;
        for s in survey.row(first).iter().map(secondary).filter(is_total) {
            if count[s] as usize == options.len() {
                places += 1;
                place[s] = places;
            }
        }
        giving.resize_with(giving.len().max(places as usize), Default::default);
        for &(option, _) in options {
            for &row in survey.row(option) {
                if let (Some(place), Some(lit)) =
                    ((place[row as usize / 2] as usize).checked_sub(1), encoding.option(option))
                {
                    giving[place][row as usize & 1].push(lit);
                }
            }
        }
        let mut clause = Vec::new();
        for s in survey.row(first).iter().map(secondary) {
            let Some(place) = (place[s] as usize).checked_sub(1) else { continue };
            let named = encoding.colors_at(s);
            for (&(_, lit), options) in named.iter().zip(&mut giving[place]) {
                clause.clear();
                clause.push(!lit);
                clause.append(options);
                // One that alone gives the color is the color.
                if clause[1..] != [lit] {
                    solver.add_clause(&clause);
                }
            }
        }
        for &(option, _) in options {
            for s in survey.row(option).iter().map(secondary) {
                (count[s], place[s]) = (0, 0);
            }
        }
        Some(())
    }
}
