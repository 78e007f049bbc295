//! What a scan of the options finds out before there are variables.
//!
//! A file may have options of thousands of items, and items of thousands of options. So nothing here
//! asks, of each item of an option, for all of its other items: what is asked so often stands in
//! [`Survey::row`], and items with the same options are looked at once.
//!
//! Still a large file takes its time. So whoever builds goes at a [`Pace`], at which somebody may stop it.

use crate::ids::{Color, OptionId};
use crate::problem::Problem;
use crate::search::learn::prime_implicates::{MOST_COLUMNS, Table};

/// Entries between two looks at whoever may stop a build: a fraction of a millisecond.
const EACH: u64 = 10_000;

/// How far a build has come, and who may stop it.
pub struct Pace<'a> {
    look: &'a mut dyn FnMut() -> bool,
    /// Entries of options that were looked at.
    entries: u64,
    next: u64,
}

impl<'a> Pace<'a> {
    /// `look` answers whether to go on.
    pub fn new(look: &'a mut dyn FnMut() -> bool) -> Self {
        Pace { look, entries: 0, next: 0 }
    }

    /// So many entries are about to be looked at; `None` if somebody stops that.
    #[inline]
    pub fn go(&mut self, entries: usize) -> Option<()> {
        self.entries += entries as u64;
        if self.entries < self.next {
            return Some(());
        }
        self.next = self.entries + EACH;
        (self.look)().then_some(())
    }

    /// How many entries were looked at.
    #[cfg(test)]
    pub fn entries(&self) -> u64 {
        self.entries
    }
}

/// What is known of a problem.
pub struct Survey {
    /// By item: where its uses begin.
    starts: Vec<u32>,
    /// By item: the options that use it, and the colors that they give it.
    uses: Uses,
    /// By secondary item: where its colors begin.
    color_starts: Vec<u32>,
    /// By secondary item: its colors, in the order of their numbers.
    colors: Vec<Color>,
    /// By option: where its row begins.
    row_starts: Vec<u32>,
    rows: Vec<u32>,
    /// By secondary item: whether two colors are all there is, and every cover gives it one.
    is_total: Vec<bool>,
    /// By primary item: whether an item before it has the same options.
    is_double: Vec<bool>,
}

impl Survey {
    /// Looks at `problem`.
    pub fn new(problem: &Problem, pace: &mut Pace<'_>) -> Option<Self> {
        let (starts, uses) = transposed(problem, pace)?;
        let mut survey = Survey {
            starts,
            uses,
            color_starts: Vec::with_capacity(problem.secondary() + 1),
            colors: Vec::with_capacity(2 * problem.secondary()),
            row_starts: Vec::with_capacity(problem.options() + 1),
            rows: Vec::new(),
            is_total: Vec::new(),
            is_double: vec![false; problem.primary()],
        };
        let is_pair = survey.list_colors(problem, pace)?;
        survey.list_rows(problem, &is_pair, pace)?;
        survey.find_doubles(problem, pace)?;
        survey.is_total = survey.find_total(problem.secondary(), pace)?;
        Some(survey)
    }

    /// Answers for each secondary item whether it is always used with one of the same two colors.
    fn list_colors(&mut self, problem: &Problem, pace: &mut Pace<'_>) -> Option<Vec<bool>> {
        let mut is_pair = Vec::with_capacity(problem.secondary());
        let mut some: Vec<Color> = Vec::new();
        self.color_starts.push(0);
        for item in problem.primary()..problem.items() {
            let uses = &self.uses[self.starts[item] as usize..self.starts[item + 1] as usize];
            pace.go(uses.len())?;
            let mut is_plain = false;
            some.clear();
            for &(_, color) in uses {
                is_plain |= color.is_none();
                // Mostly it is the first or the second of two.
                if !color.is_none() && !some.iter().take(2).any(|&other| other == color) {
                    some.push(color);
                }
            }
            some.sort_unstable();
            some.dedup();
            is_pair.push(some.len() == 2 && !is_plain);
            self.colors.extend_from_slice(&some);
            self.color_starts.push(self.colors.len() as u32);
        }
        Some(is_pair)
    }

    fn list_rows(
        &mut self,
        problem: &Problem,
        is_pair: &[bool],
        pace: &mut Pace<'_>,
    ) -> Option<()> {
        self.row_starts.push(0);
        for option in problem.option_ids() {
            let entries = problem.option(option);
            pace.go(entries.len())?;
            for entry in entries.iter() {
                if let Some(s) = entry.item.index().checked_sub(problem.primary())
                    && is_pair[s]
                {
                    let is_second = entry.color == self.colors(s)[1];
                    self.rows.push(2 * s as u32 + u32::from(is_second));
                }
            }
            self.row_starts.push(self.rows.len() as u32);
        }
        Some(())
    }

    /// Items are doubles only if their options have several primary items. Lists of options are compared
    /// by what they hash to; of those that hash to the same only neighbors, so now and then one is missed.
    fn find_doubles(&mut self, problem: &Problem, pace: &mut Pace<'_>) -> Option<()> {
        let mut lists: Vec<(u64, usize)> = Vec::new();
        for item in 0..problem.primary() {
            let Some(&(first, _)) = self.options(item).first() else { continue };
            let mut primary = problem.option(first).iter().filter(|e| problem.is_primary(e.item));
            if primary.nth(1).is_none() {
                continue;
            }
            pace.go(self.options(item).len())?;
            // Multiplication by the golden ratio spreads small numbers over all bits.
            let hash = self.options(item).iter().fold(0u64, |hash, &(option, _)| {
                (hash ^ option.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
            });
            lists.push((hash, item));
        }
        lists.sort_unstable();
        for pair in lists.windows(2) {
            let [(_, one), (_, two)] = [pair[0], pair[1]];
            if pair[0].0 == pair[1].0 {
                pace.go(self.options(one).len())?;
                self.is_double[two] = self.options(one) == self.options(two);
            }
        }
        Some(())
    }

    /// Answers by secondary item whether some primary item decides its color in any case.
    fn find_total(&self, secondary: usize, pace: &mut Pace<'_>) -> Option<Vec<bool>> {
        let (mut is_total, mut count) = (vec![false; secondary], vec![0u32; secondary]);
        let items = |option| self.row(option).iter().map(|&place| place as usize / 2);
        for item in (0..self.is_double.len()).filter(|&item| !self.is_double[item]) {
            let options = self.options(item);
            let Some(&(first, _)) = options.first() else { continue };
            if self.row(first).is_empty() {
                continue;
            }
            for &(option, _) in options {
                pace.go(2 * self.row(option).len())?;
                items(option).for_each(|s| count[s] += 1);
            }
            for s in items(first) {
                is_total[s] |= count[s] as usize == options.len();
            }
            for &(option, _) in options {
                items(option).for_each(|s| count[s] = 0);
            }
        }
        Some(is_total)
    }

    /// The options of an item, with the colors that they give it.
    #[inline]
    pub fn options(&self, item: usize) -> &[(OptionId, Color)] {
        &self.uses[self.starts[item] as usize..self.starts[item + 1] as usize]
    }

    /// The colors of a secondary item, numbered among these.
    #[inline]
    pub fn colors(&self, s: usize) -> &[Color] {
        &self.colors[self.color_starts[s] as usize..self.color_starts[s + 1] as usize]
    }

    /// What an option says of secondary items that have one of two colors wherever they are used: twice the
    /// number of the item, plus one if it gets the second color.
    #[inline]
    pub fn row(&self, option: OptionId) -> &[u32] {
        let starts = &self.row_starts[option.index()..];
        &self.rows[starts[0] as usize..starts[1] as usize]
    }

    /// Whether a secondary item has one of two colors in every cover.
    #[inline]
    pub fn is_total(&self, s: usize) -> bool {
        self.is_total[s]
    }

    /// Whether a primary item has the options of another one, which comes first.
    pub fn is_double(&self, item: usize) -> bool {
        self.is_double[item]
    }

    /// Puts the secondary items of a primary one into `scope`, if it may be a table.
    pub fn scope(&self, problem: &Problem, item: usize, scope: &mut Vec<u32>) -> bool {
        scope.clear();
        for &(option, _) in self.options(item) {
            let row = self.row(option);
            if row.len() + 1 != problem.option(option).len() {
                return false;
            }
            for s in row.iter().map(|place| place / 2) {
                if !scope.contains(&s) {
                    scope.push(s);
                    if scope.len() > MOST_COLUMNS || !self.is_total[s as usize] {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The table of a primary item over `scope`; `None` if two options have a row in common.
    pub fn table(&self, item: usize, scope: &[u32]) -> Option<Table> {
        let mut table = Table::new(scope.len());
        for &(option, _) in self.options(item) {
            let (mut fixed, mut values) = (0usize, 0usize);
            for &place in self.row(option) {
                let column = scope.iter().position(|&other| other == place / 2)?;
                fixed |= 1 << column;
                values |= (place as usize & 1) << column;
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

/// By item: the options that use it, and the colors that they give it.
type Uses = Vec<(OptionId, Color)>;

/// By item: where its uses begin, and all uses.
fn transposed(problem: &Problem, pace: &mut Pace<'_>) -> Option<(Vec<u32>, Uses)> {
    // Places are shifted by one, since counting makes them the ends of the items before.
    let mut starts = vec![0u32; problem.items() + 2];
    for option in problem.option_ids() {
        pace.go(problem.option(option).len())?;
        problem.option(option).iter().for_each(|entry| starts[entry.item.index() + 2] += 1);
    }
    for item in 0..problem.items() {
        starts[item + 2] += starts[item + 1];
    }
    let mut uses = vec![(OptionId::new(0), Color::NONE); problem.entries()];
    for option in problem.option_ids() {
        pace.go(problem.option(option).len())?;
        for entry in problem.option(option).iter() {
            let place = &mut starts[entry.item.index() + 1];
            uses[*place as usize] = (option, entry.color);
            *place += 1;
        }
    }
    starts.pop();
    Some((starts, uses))
}
