//! A problem as clauses: which variables there are, what they mean, and how a model is a cover.
//!
//! * A secondary item with two colors that every cover gives one of them (since some primary item's
//!   options all color it) is one variable.
//! * Any other color of a secondary item is a variable of its own: true exactly if a chosen option
//!   gives the item that color.
//! * A primary item whose options have no other primary item, and color only secondary items of the
//!   first sort, at most a few and no two options alike, is a *table*: the clauses over those colors
//!   are its prime implicates, and its options need no variables.
//! * Every other option is a variable: exactly one of a primary item's, and each implies its colors.
//!
//! So a model determines a cover, and different models different covers: colors follow from options,
//! and a table's option from the colors.
//!
//! For example, in a slitherlink the edges are variables of the first sort, and vertices and clues are
//! tables; there is no variable for an option.

use crate::ids::{Color, ItemId, OptionId};
use crate::problem::Problem;
use crate::search::learn::clauses::Lit;
use crate::search::learn::core::Solver;
use crate::search::learn::implicates::{Implicates, MOST_COLUMNS, Table};

/// The variables of a problem.
#[derive(Debug)]
pub struct Encoding<'p> {
    problem: &'p Problem,
    /// By secondary item: its colors and their literals.
    colors: Vec<Vec<(Color, Lit)>>,
    /// By literal: the color that it gives to an item.
    facts: Vec<Option<(ItemId, Color)>>,
    /// By option: its variable, unless it is a table's.
    options: Vec<Option<Lit>>,
    /// By option of a table: a variable that says whether its colors agree; empty if nobody asked.
    names: Vec<Option<Lit>>,
    /// The options of each table.
    tables: Vec<Vec<OptionId>>,
}

/// What a scan of the options finds out before there are variables.
struct Survey {
    /// By item: its options.
    uses: Vec<Vec<OptionId>>,
    /// By secondary item: its colors, in the order of their numbers.
    colors: Vec<Vec<Color>>,
    /// By secondary item: whether two colors are all there is, and every cover gives it one.
    is_total: Vec<bool>,
}

impl Survey {
    fn new(problem: &Problem) -> Self {
        let mut uses = vec![Vec::new(); problem.items()];
        let mut colors: Vec<Vec<Color>> = vec![Vec::new(); problem.secondary()];
        let mut plain = vec![false; problem.secondary()];
        for option in problem.option_ids() {
            for entry in problem.option(option) {
                uses[entry.item.index()].push(option);
                let Some(s) = entry.item.index().checked_sub(problem.primary()) else { continue };
                plain[s] |= entry.color.is_none();
                if let (false, Err(at)) =
                    (entry.color.is_none(), colors[s].binary_search(&entry.color))
                {
                    colors[s].insert(at, entry.color);
                }
            }
        }
        let mut is_total = vec![false; problem.secondary()];
        let mut count = vec![0usize; problem.secondary()];
        for options in &uses[..problem.primary()] {
            let seconds = |option: OptionId| {
                let entries = problem.option(option).iter();
                entries.filter_map(|entry| entry.item.index().checked_sub(problem.primary()))
            };
            options.iter().flat_map(|&option| seconds(option)).for_each(|s| count[s] += 1);
            for s in options.iter().flat_map(|&option| seconds(option)) {
                is_total[s] |= count[s] == options.len() && colors[s].len() == 2 && !plain[s];
            }
            options.iter().flat_map(|&option| seconds(option)).for_each(|s| count[s] = 0);
        }
        Survey { uses, colors, is_total }
    }

    /// The secondary items of a primary one, if it may be a table.
    fn scope(&self, problem: &Problem, item: usize) -> Option<Vec<usize>> {
        let mut scope = Vec::new();
        for &option in &self.uses[item] {
            for entry in problem.option(option) {
                match entry.item.index().checked_sub(problem.primary()) {
                    None if entry.item.index() == item => {}
                    Some(s) if self.is_total[s] => {
                        if !scope.contains(&s) {
                            scope.push(s);
                        }
                        if scope.len() > MOST_COLUMNS {
                            return None;
                        }
                    }
                    _ => return None,
                }
            }
        }
        Some(scope)
    }

    /// The table of a primary item over `scope`; `None` if two options have a row in common.
    fn table(&self, problem: &Problem, item: usize, scope: &[usize]) -> Option<Table> {
        let mut table = Table::new(scope.len());
        for &option in &self.uses[item] {
            let (mut fixed, mut values) = (0usize, 0usize);
            for entry in problem.option(option) {
                let Some(s) = entry.item.index().checked_sub(problem.primary()) else { continue };
                let column = scope.iter().position(|&other| other == s)?;
                fixed |= 1 << column;
                values |= usize::from(entry.color == self.colors[s][1]) << column;
            }
            // All rows that agree with the option: the columns that it does not fix run through
            // their values, from none of them to all.
            let free = !fixed & ((1 << scope.len()) - 1);
            let mut some = free;
            loop {
                if !table.insert(values | some) {
                    return None;
                }
                if some == 0 {
                    break;
                }
                some = (some - 1) & free;
            }
        }
        Some(table)
    }
}

/// At least so many bytes are taken by the lists of the survey, and by the solver's arrays for one
/// variable for each secondary item; whatever else there is depends on what items have in common.
pub fn memory(problem: &Problem) -> usize {
    let lists = problem.items() * size_of::<Vec<OptionId>>() + problem.entries() * 4;
    lists + problem.options() * size_of::<Option<Lit>>() + problem.secondary() * EACH_VARIABLE
}

/// Bytes for each variable in the arrays of a solver and of an [`Encoding`].
const EACH_VARIABLE: usize = 250;

impl<'p> Encoding<'p> {
    /// Writes `problem` as clauses.
    pub fn new(problem: &'p Problem) -> (Self, Solver) {
        Encoding::build(problem, false, false)
    }

    /// The same, and the solver logs what it derives from the direct encoding.
    pub fn logged(problem: &'p Problem) -> (Self, Solver) {
        Encoding::build(problem, false, true)
    }

    /// The same with a variable for every option, those of tables too.
    pub fn with_options(problem: &'p Problem) -> (Self, Solver) {
        Encoding::build(problem, true, false)
    }

    fn build(problem: &'p Problem, naming: bool, logging: bool) -> (Self, Solver) {
        let survey = Survey::new(problem);
        let mut implicates = Implicates::default();
        let mut clauses = Vec::new();
        let mut is_table = vec![false; problem.primary()];
        for (item, is_table) in is_table.iter_mut().enumerate() {
            let Some(scope) = survey.scope(problem, item) else { continue };
            let Some(table) = survey.table(problem, item, &scope) else { continue };
            if let Some(prime) = implicates.of(&table) {
                clauses.push((scope, prime));
                *is_table = true;
            }
        }
        let (mut encoding, mut variables) = Encoding::number(problem, &survey, &is_table);
        if naming {
            variables = encoding.name_options(variables);
        }
        let mut solver = Solver::new(variables);
        if logging {
            solver.log.start();
        }
        encoding.define_names(&mut solver);
        let mut clause = Vec::new();
        for (scope, prime) in &clauses {
            for &(positive, negative) in prime.iter() {
                clause.clear();
                for (column, &s) in scope.iter().enumerate() {
                    let one = encoding.colors[s][1].1;
                    if positive >> column & 1 == 1 {
                        clause.push(one);
                    } else if negative >> column & 1 == 1 {
                        clause.push(!one);
                    }
                }
                solver.add_clause(&clause);
            }
        }
        for item in (0..problem.primary()).filter(|&item| !is_table[item]) {
            let choice: Vec<Lit> =
                survey.uses[item].iter().filter_map(|o| encoding.options[o.index()]).collect();
            solver.add_axiom(&choice);
            solver.add_group(&choice);
            encoding.add_support(&survey, item, &mut solver);
        }
        for s in 0..problem.secondary() {
            encoding.add_secondary(&survey, s, &mut solver);
        }
        for lit in encoding.options.iter().flatten() {
            solver.set_phase(*lit);
        }
        (encoding, solver)
    }

    /// Numbers the variables: colors first, then options.
    fn number(problem: &'p Problem, survey: &Survey, is_table: &[bool]) -> (Self, usize) {
        let mut count = 0;
        let mut next = || {
            count += 1;
            Lit::new(count - 1, true)
        };
        let mut colors = Vec::with_capacity(problem.secondary());
        for (s, named) in survey.colors.iter().enumerate() {
            colors.push(match named[..] {
                [zero, one] if survey.is_total[s] => {
                    let lit = next();
                    vec![(zero, !lit), (one, lit)]
                }
                _ => named.iter().map(|&color| (color, next())).collect(),
            });
        }
        let mut options = vec![None; problem.options()];
        for option in problem.option_ids() {
            let mut primary = problem.option(option).iter().map(|entry| entry.item);
            if primary.any(|item| problem.is_primary(item) && !is_table[item.index()]) {
                options[option.index()] = Some(next());
            }
        }
        let mut facts = vec![None; 2 * count];
        for (s, named) in colors.iter().enumerate() {
            let item = ItemId::new((problem.primary() + s) as u32);
            for &(color, lit) in named {
                let lit: Lit = lit;
                facts[lit.index()] = Some((item, color));
            }
        }
        let tables = (0..problem.primary()).filter(|&item| is_table[item]);
        let tables = tables.map(|item| survey.uses[item].clone()).collect();
        (Encoding { problem, colors, facts, options, names: Vec::new(), tables }, count)
    }

    /// Gives each option of a table a variable, numbered from `count` on; answers with the new count.
    fn name_options(&mut self, mut count: usize) -> usize {
        self.names = vec![None; self.problem.options()];
        for option in self.tables.iter().flatten() {
            self.names[option.index()] = Some(Lit::new(count, true));
            count += 1;
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

    /// A color that all options of a primary item decide comes from one of them.
    fn add_support(&self, survey: &Survey, item: usize, solver: &mut Solver) {
        let options = &survey.uses[item];
        let Some(&first) = options.first() else { return };
        for entry in self.problem.option(first) {
            let Some(s) = entry.item.index().checked_sub(self.problem.primary()) else { continue };
            let color_in = |option: OptionId| {
                let entries = self.problem.option(option).iter();
                entries.filter(|other| other.item == entry.item).map(|other| other.color).next()
            };
            if !survey.is_total[s] || options.iter().any(|&option| color_in(option).is_none()) {
                continue;
            }
            for &(color, lit) in &self.colors[s] {
                let mut clause = vec![!lit];
                let giving = options.iter().filter(|&&option| color_in(option) == Some(color));
                clause.extend(giving.filter_map(|option| self.options[option.index()]));
                solver.add_clause(&clause);
            }
        }
    }

    /// Options imply their colors, an item has one color or one use without, and a color comes from
    /// an option.
    fn add_secondary(&self, survey: &Survey, s: usize, solver: &mut Solver) {
        let item = self.problem.primary() + s;
        let mut alone: Vec<Lit> = Vec::new();
        let mut support: Vec<Vec<Lit>> =
            self.colors[s].iter().map(|&(_, lit)| vec![!lit]).collect();
        for &option in &survey.uses[item] {
            let Some(lit) = self.options[option.index()] else { continue };
            let entries = self.problem.option(option).iter();
            let color = entries.filter(|entry| entry.item.index() == item).map(|e| e.color).next();
            let named = &self.colors[s];
            let place = color.and_then(|c| named.binary_search_by_key(&c, |&(c, _)| c).ok());
            match place {
                None => alone.push(lit),
                Some(place) => {
                    let implied = [!lit, self.colors[s][place].1];
                    match survey.is_total[s] {
                        true => solver.add_clause(&implied),
                        false => solver.add_axiom(&implied),
                    }
                    support[place].push(lit);
                }
            }
        }
        if survey.is_total[s] {
            return;
        }
        alone.extend(self.colors[s].iter().map(|&(_, lit)| lit));
        solver.add_group(&alone);
        support.iter().for_each(|clause| solver.add_axiom(clause));
    }

    /// The literal that `item`, a secondary one, has `color`; `None` if no option gives it that.
    pub fn color(&self, item: ItemId, color: Color) -> Option<Lit> {
        let named = &self.colors[item.index() - self.problem.primary()];
        let place = named.binary_search_by_key(&color, |&(other, _)| other).ok()?;
        Some(named[place].1)
    }

    /// The colors that options give to `item`, a secondary one, with their literals.
    pub fn colors(&self, item: ItemId) -> &[(Color, Lit)] {
        &self.colors[item.index() - self.problem.primary()]
    }

    /// The secondary items whose two colors share a variable, which is true for the second.
    pub fn pairs(&self) -> impl Iterator<Item = (ItemId, [Color; 2])> {
        let items = (self.problem.primary() as u32..).map(ItemId::new);
        items.zip(&self.colors).filter_map(|(item, named)| match named[..] {
            [(zero, not), (one, lit)] if not == !lit => Some((item, [zero, one])),
            _ => None,
        })
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
