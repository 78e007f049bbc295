//! A problem as clauses: which variables there are, what they mean, and how a model is a cover.
//!
//! * A secondary item with two colors that every cover gives one of them (since some primary item's
//!   options all color it) is one variable.
//! * Any other color of a secondary item is a variable of its own: true exactly if a chosen option
//!   gives the item that color.
//! * A primary item whose options have no other primary item, and color only secondary items of the
//!   first sort, at most a few and no two options alike, is a *table*: the clauses over those colors
//!   are its prime implicates, and its options need no variables.
//! * An option that alone gives one of its two colors to an item of the first sort is chosen exactly if the
//!   item has that color: one literal stands for both.
//! * Every other option is a variable: exactly one of a primary item's, and each implies its colors.
//!
//! So a model determines a cover, and different models different covers: colors follow from options,
//! and a table's option from the colors.
//!
//! For example, in a slitherlink the edges are variables of the first sort, and vertices and clues are
//! tables; there is no variable for an option. In a hitori a cell is a variable of the first sort, and its two
//! options are the two literals of that.

use crate::ids::{Color, ItemId, OptionId};
use crate::problem::Problem;
use crate::search::learn::clauses::Lit;
use crate::search::learn::core::Solver;
use crate::search::learn::occurrences::{Occurrences, BuildPace};
use crate::search::learn::prime_implicates::Implicates;
use crate::search::learn::support_encoding::Support;

/// The variables of a problem.
#[derive(Debug)]
pub struct Encoding<'p> {
    problem: &'p Problem,
    /// By secondary item: where its colors begin.
    starts: Vec<u32>,
    /// By secondary item: its colors and their literals.
    colors: Vec<(Color, Lit)>,
    /// By literal: the color that it gives to an item.
    facts: Vec<Option<(ItemId, Color)>>,
    /// By option: its variable, unless it is a table's.
    options: Vec<Option<Lit>>,
    /// By option of a table: a variable that says whether its colors agree; empty if nobody asked.
    names: Vec<Option<Lit>>,
    /// The options of each table.
    tables: Vec<Vec<OptionId>>,
    /// By table: its variables, those of its options too; empty unless all primary items are tables.
    scopes: Vec<Vec<u32>>,
}

/// At least so many bytes are taken by the options of each item, and by the solver's arrays for one
/// variable for each secondary item; whatever else there is depends on what items have in common.
pub fn memory(problem: &Problem) -> usize {
    let lists = problem.items() * 4 + problem.entries() * size_of::<OptionId>();
    lists + problem.options() * size_of::<Option<Lit>>() + problem.secondary() * EACH_VARIABLE
}

/// Bytes for each variable in the arrays of a solver and of an [`Encoding`].
const EACH_VARIABLE: usize = 250;

/// How a problem is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Manner {
    /// Options of tables have variables, too.
    naming: bool,
    /// The solver logs what it derives from the direct encoding.
    logging: bool,
}

impl<'p> Encoding<'p> {
    /// Writes `problem` as clauses; `None` if `look`, which is asked now and then whether to go on, says no.
    pub fn new(problem: &'p Problem, look: &mut dyn FnMut() -> bool) -> Option<(Self, Solver)> {
        Encoding::build(problem, Manner::default(), &mut BuildPace::new(look))
    }

    /// The same with a variable for every option, those of tables too.
    pub fn with_options(
        problem: &'p Problem,
        look: &mut dyn FnMut() -> bool,
    ) -> Option<(Self, Solver)> {
        let manner = Manner { naming: true, logging: false };
        Encoding::build(problem, manner, &mut BuildPace::new(look))
    }

    /// As [`new`](Encoding::new), and the solver logs what it derives from the direct encoding.
    pub fn logged(problem: &'p Problem, look: &mut dyn FnMut() -> bool) -> Option<(Self, Solver)> {
        let manner = Manner { naming: false, logging: true };
        Encoding::build(problem, manner, &mut BuildPace::new(look))
    }

    fn build(problem: &'p Problem, manner: Manner, pace: &mut BuildPace<'_>) -> Option<(Self, Solver)> {
        let survey = Occurrences::new(problem, pace)?;
        let mut implicates = Implicates::default();
        let mut clauses = Vec::new();
        let mut is_table = vec![false; problem.primary()];
        let mut scope = Vec::new();
        for (item, is_table) in is_table.iter_mut().enumerate() {
            pace.go(survey.options(item).len())?;
            if !survey.scope(item, &mut scope) {
                continue;
            }
            let Some(table) = survey.table(item, &scope) else { continue };
            if !implicates.knows(&table) {
                pace.go(table.cubes())?;
            }
            if let Some(prime) = implicates.of(&table) {
                clauses.push((scope.clone(), prime));
                *is_table = true;
            }
        }
        let (mut encoding, mut variables) = Encoding::number(problem, &survey, &is_table, pace)?;
        if clauses.len() == problem.primary() {
            let variable = |&s: &u32| encoding.colors_at(s as usize)[1].1.var() as u32;
            let scopes = clauses.iter().map(|(scope, _)| scope.iter().map(variable).collect());
            encoding.scopes = scopes.collect();
        }
        if manner.naming {
            variables = encoding.name_options(variables);
        }
        let mut solver = Solver::new(variables);
        if manner.logging {
            solver.log.start();
        }
        encoding.define_names(&mut solver);
        let mut clause = Vec::new();
        for (scope, prime) in &clauses {
            pace.go(prime.len())?;
            for &(positive, negative) in prime.iter() {
                clause.clear();
                for (column, &s) in scope.iter().enumerate() {
                    let (_, one) = encoding.colors_at(s as usize)[1];
                    if positive >> column & 1 == 1 {
                        clause.push(one);
                    } else if negative >> column & 1 == 1 {
                        clause.push(!one);
                    }
                }
                solver.add_clause(&clause);
            }
        }
        let mut support = Support::new(problem);
        let by_options = |&item: &usize| !is_table[item] && !survey.is_double(item);
        for item in (0..problem.primary()).filter(by_options) {
            let options = survey.options(item);
            pace.go(options.len())?;
            let choice = options.iter().filter_map(|option| encoding.options[option.index()]);
            let choice: Vec<Lit> = choice.collect();
            solver.add_axiom(&choice);
            solver.add_group(&choice);
            support.add(&encoding, &survey, item, &mut solver, pace)?;
        }
        for s in 0..problem.secondary() {
            pace.go(survey.colored(s).len())?;
            encoding.add_secondary(&survey, s, &mut solver);
        }
        // Of options that share a variable the first.
        for lit in encoding.options.iter().rev().flatten() {
            solver.set_phase(*lit);
        }
        Some((encoding, solver))
    }

    /// Numbers the variables: colors first, then options.
    fn number(
        problem: &'p Problem,
        survey: &Occurrences<'_>,
        is_table: &[bool],
        pace: &mut BuildPace<'_>,
    ) -> Option<(Self, usize)> {
        let mut count = 0;
        let mut next = || {
            count += 1;
            Lit::new(count - 1, true)
        };
        let (mut starts, mut colors) = (Vec::with_capacity(problem.secondary() + 1), Vec::new());
        for s in 0..problem.secondary() {
            starts.push(colors.len() as u32);
            match *survey.colors(s) {
                [zero, one] if survey.is_total(s) => {
                    let lit = next();
                    colors.extend([(zero, !lit), (one, lit)]);
                }
                ref named => colors.extend(named.iter().map(|&color| (color, next()))),
            }
        }
        starts.push(colors.len() as u32);
        let mut options = sole_givers(problem, survey, &starts, &colors, pace)?;
        for option in problem.option_ids() {
            pace.go(problem.option(option).len())?;
            let mut primary = problem.option(option).iter().map(|entry| entry.item);
            if primary.any(|item| problem.is_primary(item) && !is_table[item.index()]) {
                options[option.index()].get_or_insert_with(&mut next);
            } else {
                options[option.index()] = None;
            }
        }
        let tables = (0..problem.primary()).filter(|&item| is_table[item]);
        let options_of = |item| survey.options(item).to_vec();
        let tables = tables.map(options_of).collect();
        let mut facts = vec![None; 2 * count];
        for s in 0..problem.secondary() {
            let item = ItemId::new((problem.primary() + s) as u32);
            for &(color, lit) in &colors[starts[s] as usize..starts[s + 1] as usize] {
                let lit: Lit = lit;
                facts[lit.index()] = Some((item, color));
            }
        }
        let encoding = Encoding {
            problem,
            starts,
            colors,
            facts,
            options,
            names: Vec::new(),
            tables,
            scopes: Vec::new(),
        };
        Some((encoding, count))
    }

    /// Gives each option of a table a variable, numbered from `count` on; answers with the new count.
    fn name_options(&mut self, mut count: usize) -> usize {
        self.names = vec![None; self.problem.options()];
        for (table, options) in self.tables.iter().enumerate() {
            let first = count as u32;
            for option in options {
                self.names[option.index()] = Some(Lit::new(count, true));
                count += 1;
            }
            if let Some(scope) = self.scopes.get_mut(table) {
                scope.extend(first..count as u32);
            }
        }
        self.facts.resize(2 * count, None);
        count
    }

    /// An option of a table is chosen exactly if the items have its colors.
    fn define_names(&self, solver: &mut Solver) {
        for option in self.problem.option_ids() {
            let Some(&Some(name)) = self.names.get(option.index()) else { continue };
            let entries = self.problem.option(option).iter();
            let secondary = entries.filter(|entry| !self.problem.is_primary(entry.item));
            let colors: Vec<Lit> =
                secondary.filter_map(|entry| self.color(entry.item, entry.color)).collect();
            let mut clause = vec![name];
            clause.extend(colors.iter().map(|&color| !color));
            solver.add_axiom(&clause);
            for color in colors {
                solver.add_axiom(&[!name, color]);
            }
        }
    }

    /// Options imply their colors, an item has one color or one use without, and a color comes from
    /// an option.
    fn add_secondary(&self, survey: &Occurrences<'_>, s: usize, solver: &mut Solver) {
        let named = self.colors_at(s);
        let uses = survey.colored(s);
        let uses = uses.filter_map(|(option, color)| Some((self.options[option.index()]?, color)));
        if survey.is_total(s) {
            for (lit, color) in uses {
                let (_, own) = named[usize::from(color == named[1].0)];
                if lit != own {
                    solver.add_clause(&[!lit, own]);
                }
            }
            return;
        }
        let mut alone: Vec<Lit> = Vec::new();
        let mut support: Vec<Vec<Lit>> = named.iter().map(|&(_, lit)| vec![!lit]).collect();
        for (lit, color) in uses {
            match named.binary_search_by_key(&color, |&(color, _)| color) {
                Err(_) => alone.push(lit),
                Ok(place) => {
                    solver.add_axiom(&[!lit, named[place].1]);
                    support[place].push(lit);
                }
            }
        }
        alone.extend(named.iter().map(|&(_, lit)| lit));
        solver.add_group(&alone);
        support.iter().for_each(|clause| solver.add_axiom(clause));
    }

    /// The literal that `item`, a secondary one, has `color`; `None` if no option gives it that.
    #[inline]
    pub fn color(&self, item: ItemId, color: Color) -> Option<Lit> {
        match *self.colors(item) {
            [(one, lit), (two, other)] => match color {
                _ if color == one => Some(lit),
                _ if color == two => Some(other),
                _ => None,
            },
            ref named => {
                let place = named.binary_search_by_key(&color, |&(other, _)| other).ok()?;
                Some(named[place].1)
            }
        }
    }

    /// The colors that options give to `item`, a secondary one, with their literals.
    #[inline]
    pub fn colors(&self, item: ItemId) -> &[(Color, Lit)] {
        self.colors_at(item.index() - self.problem.primary())
    }

    /// The same of a secondary item by its number among these.
    #[inline]
    pub(super) fn colors_at(&self, s: usize) -> &[(Color, Lit)] {
        &self.colors[self.starts[s] as usize..self.starts[s + 1] as usize]
    }

    /// The secondary items whose two colors share a variable, which is true for the second.
    pub fn pairs(&self) -> impl Iterator<Item = (ItemId, [Color; 2])> {
        let items = (self.problem.primary() as u32..).map(ItemId::new);
        items.take(self.problem.secondary()).filter_map(|item| match *self.colors(item) {
            [(zero, not), (one, lit)] if not == !lit => Some((item, [zero, one])),
            _ => None,
        })
    }

    /// The variables of each table. Empty if there is a primary item that is none.
    pub fn scopes(&self) -> &[Vec<u32>] {
        &self.scopes
    }

    /// The variables that items have to do with, by item: options that use it, and its colors; of a
    /// table, the colors of its secondary items. Where there are two or more.
    pub fn groups(&self) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); self.problem.items()];
        for option in self.problem.option_ids() {
            let entries = || self.problem.option(option).iter();
            let own = self.option(option).map(|lit| lit.var() as u32);
            for entry in entries() {
                groups[entry.item.index()].extend(own);
            }
            if self.options[option.index()].is_none() {
                let secondary = entries().filter(|entry| !self.problem.is_primary(entry.item));
                let colors = secondary.filter_map(|entry| self.color(entry.item, entry.color));
                let colors: Vec<u32> = colors.map(|lit| lit.var() as u32).collect();
                for entry in entries().filter(|entry| self.problem.is_primary(entry.item)) {
                    groups[entry.item.index()].extend(&colors);
                }
            }
        }
        for item in (self.problem.primary() as u32..self.problem.items() as u32).map(ItemId::new) {
            let named = self.colors(item).iter().map(|(_, lit)| lit.var() as u32);
            groups[item.index()].extend(named);
        }
        for group in &mut groups {
            group.sort_unstable();
            group.dedup();
        }
        groups.retain(|group| group.len() > 1);
        groups
    }

    /// Number of variables.
    pub fn variables(&self) -> usize {
        self.facts.len() / 2
    }

    /// The literal that `option` is chosen; `None` for one of a table without a name.
    pub fn option(&self, option: OptionId) -> Option<Lit> {
        let name = || self.names.get(option.index()).copied().flatten();
        self.options[option.index()].or_else(name)
    }

    /// The color of an item that `lit` stands for, if it stands for one.
    #[inline]
    pub fn fact(&self, lit: Lit) -> Option<(ItemId, Color)> {
        self.facts[lit.index()]
    }

    /// The options of the cover that a model is.
    pub fn cover(&self, solver: &Solver) -> Vec<OptionId> {
        let is_true = |lit: Lit| solver.value(lit) == Some(true);
        let mut cover: Vec<OptionId> = self
            .problem
            .option_ids()
            .filter(|option| self.options[option.index()].is_some_and(is_true))
            .collect();
        for table in &self.tables {
            let agrees = |option: &&OptionId| {
                self.problem.option(**option).iter().all(|entry| {
                    self.problem.is_primary(entry.item)
                        || self.color(entry.item, entry.color).is_some_and(is_true)
                })
            };
            cover.extend(table.iter().find(agrees));
        }
        cover
    }
}

/// By option: the literal of a color that it alone gives to an item which has one of two in every cover.
/// The item has the other color unless the option is chosen, and this one if it is.
fn sole_givers(
    problem: &Problem,
    survey: &Occurrences<'_>,
    starts: &[u32],
    colors: &[(Color, Lit)],
    pace: &mut BuildPace<'_>,
) -> Option<Vec<Option<Lit>>> {
    let mut sole = vec![None; problem.options()];
    for s in (0..problem.secondary()).filter(|&s| survey.is_total(s)) {
        let uses = survey.colored(s);
        pace.go(uses.len())?;
        for &(color, lit) in &colors[starts[s] as usize..starts[s + 1] as usize] {
            let mut giving = uses.clone().filter(|&(_, given)| given == color);
            if let (Some((option, _)), None) = (giving.next(), giving.next()) {
                sole[option.index()] = Some(lit);
            }
        }
    }
    Some(sole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Bound, ProblemBuilder};

    /// Options of `primary` items and `secondary` ones, the latter in the color that an option has.
    fn long(primary: usize, secondary: usize, options: &[&str]) -> Problem {
        let mut builder = ProblemBuilder::default();
        let name = |i: usize| i.to_string();
        let first: Vec<ItemId> = (0..primary)
            .map(|i| builder.primary_item(name(i).as_bytes(), Bound::ONCE).expect("a name"))
            .collect();
        let second: Vec<ItemId> = (primary..primary + secondary)
            .map(|i| builder.secondary_item(name(i).as_bytes()).expect("a name"))
            .collect();
        for option in options {
            let color = builder.color(option.as_bytes());
            first.iter().for_each(|&item| builder.entry(item, Color::NONE).expect("room"));
            second.iter().for_each(|&item| builder.entry(item, color).expect("room"));
            builder.end_option().expect("room");
        }
        builder.finish()
    }

    fn work(problem: &Problem) -> u64 {
        let mut look = || true;
        let mut pace = BuildPace::new(&mut look);
        assert!(Encoding::build(problem, Manner::default(), &mut pace).is_some());
        pace.entries()
    }

    #[test]
    fn long_options_and_long_lists_take_no_more_than_linear_work() {
        let same = ["a"; 4000];
        for problem in [
            long(20_000, 0, &["a"]),
            long(1, 0, &same),
            long(2, 0, &same),
            long(1, 2, &same),
            long(10, 10_000, &["a", "b"]),
            long(10_000, 10, &["a", "b", "a"]),
            long(5000, 5000, &["a", "b"]),
            long(5000, 5000, &["a", "b", "c"]),
        ] {
            let entries = problem.entries() as u64;
            assert!(work(&problem) <= 20 * entries, "{} for {entries}", work(&problem));
        }
    }

    #[test]
    fn whoever_is_asked_can_stop_it_at_any_time() {
        let problem = long(3000, 3000, &["a", "b", "a", "b"]);
        let mut asked = 0;
        let (encoding, _) = Encoding::new(&problem, &mut || {
            asked += 1;
            true
        })
        .expect("nobody stops it");
        assert_eq!(encoding.variables(), 3004);
        assert!(asked > 5, "{asked}");
        for stop in 1..=asked {
            let mut left = stop;
            let mut look = || {
                left -= 1;
                left > 0
            };
            assert!(Encoding::new(&problem, &mut look).is_none());
            assert_eq!(left, 0);
        }
    }
}
