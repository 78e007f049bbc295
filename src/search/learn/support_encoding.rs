//! A color that all options of a primary item decide comes from one of them: if an item has the color, one of
//! those is chosen that give it.

use crate::ids::ItemId;
use crate::problem::{CommonItems, Problem};
use crate::search::learn::clauses::Lit;
use crate::search::learn::core::Solver;
use crate::search::learn::encoding::Encoding;
use crate::search::learn::occurrences::{Occurrences, BuildPace};

/// Counters and lists that are used for one primary item after the other.
pub(super) struct Support<'p> {
    /// Number of primary items.
    primary: usize,
    common: CommonItems<'p>,
    /// By secondary item: its place in `giving`, from 1.
    place: Vec<u32>,
    /// The options that give the one and the other color.
    giving: Vec<[Vec<Lit>; 2]>,
}

impl<'p> Support<'p> {
    /// For the items of `problem`.
    pub fn new(problem: &'p Problem) -> Self {
        let place = vec![0; problem.secondary()];
        let (primary, common) = (problem.primary(), CommonItems::new(problem));
        Support { primary, common, place, giving: Vec::new() }
    }

    /// Adds the clauses of a primary item.
    pub fn add(
        &mut self,
        encoding: &Encoding<'_>,
        survey: &Occurrences<'_>,
        item: usize,
        solver: &mut Solver,
        pace: &mut BuildPace<'_>,
    ) -> Option<()> {
        let Support { primary, common, place, giving } = self;
        let options = survey.options(item);
        let Some(&first) = options.first() else { return Some(()) };
        let is_total = |&s: &usize| survey.is_total(s);
        let secondary = |&row: &u32| row as usize / 2;
        if !survey.row(first).iter().map(secondary).any(|s| is_total(&s)) {
            return Some(());
        }
        let all = common.of(ItemId::new(item as u32)).iter().map(|item| item.index() - *primary);
        let decided: Vec<usize> = all.filter(is_total).collect();
        if decided.is_empty() {
            return Some(());
        }
        for &option in options {
            pace.go(3 * survey.row(option).len())?;
        }
        (1..).zip(&decided).for_each(|(number, &s)| place[s] = number);
        giving.resize_with(giving.len().max(decided.len()), Default::default);
        for &option in options {
            for &row in survey.row(option) {
                if let (Some(place), Some(lit)) =
                    ((place[row as usize / 2] as usize).checked_sub(1), encoding.option(option))
                {
                    giving[place][row as usize & 1].push(lit);
                }
            }
        }
        let mut clause = Vec::new();
        for s in decided {
            let place = std::mem::take(&mut place[s]) as usize - 1;
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
        Some(())
    }
}
