//! What a scan of the options finds out before there are variables.
//!
//! A file may have options of thousands of items, and items of thousands of options. So nothing here
//! asks, of each item of an option, for all of its other items: what is asked so often stands in
//! [`Occurrences::row`], and items with the same options are looked at once.
//!
//! Still a large file takes its time. So whoever builds goes at a [`BuildPace`], at which somebody may stop it.

use crate::ids::{Color, ItemId, OptionId};
use crate::problem::{CommonItems, Problem, OptionsByItem};
use crate::search::learn::prime_implicates::{MOST_COLUMNS, TruthTable};

/// Entries between two looks at whoever may stop a build: a fraction of a millisecond.
const EACH: u64 = 10_000;

/// How far a build has come, and who may stop it.
pub struct BuildPace<'a> {
    look: &'a mut dyn FnMut() -> bool,
    /// Entries of options that were looked at.
    entries: u64,
    next: u64,
}

impl<'a> BuildPace<'a> {
    /// `look` answers whether to go on.
    pub fn new(look: &'a mut dyn FnMut() -> bool) -> Self {
        BuildPace { look, entries: 0, next: 0 }
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
pub struct Occurrences<'p> {
    problem: &'p Problem,
    uses: &'p OptionsByItem,
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

impl<'p> Occurrences<'p> {
    /// Looks at `problem`.
    pub fn new(problem: &'p Problem, pace: &mut BuildPace<'_>) -> Option<Self> {
        pace.go(2 * problem.entries())?;
        let mut survey = Occurrences {
            problem,
            uses: problem.uses(),
            color_starts: Vec::with_capacity(problem.secondary() + 1),
            colors: Vec::with_capacity(2 * problem.secondary()),
            row_starts: Vec::with_capacity(problem.options() + 1),
            rows: Vec::new(),
            is_total: vec![false; problem.secondary()],
            is_double: vec![false; problem.primary()],
        };
        let is_pair = survey.list_colors(pace)?;
        survey.list_rows(&is_pair, pace)?;
        survey.find_doubles(pace)?;
        survey.find_total(&is_pair, pace)?;
        Some(survey)
    }

    /// Answers for each secondary item whether it is always used with one of the same two colors.
    fn list_colors(&mut self, pace: &mut BuildPace<'_>) -> Option<Vec<bool>> {
        let problem = self.problem;
        let mut is_pair = Vec::with_capacity(problem.secondary());
        let mut some: Vec<Color> = Vec::new();
        self.color_starts.push(0);
        for item in problem.primary()..problem.items() {
            let given = self.uses.colors(ItemId::new(item as u32));
            pace.go(given.len())?;
            let mut is_plain = false;
            some.clear();
            for &color in given {
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

    fn list_rows(&mut self, is_pair: &[bool], pace: &mut BuildPace<'_>) -> Option<()> {
        let problem = self.problem;
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
    fn find_doubles(&mut self, pace: &mut BuildPace<'_>) -> Option<()> {
        let problem = self.problem;
        let mut lists: Vec<(u64, usize)> = Vec::new();
        for item in 0..problem.primary() {
            let Some(&first) = self.options(item).first() else { continue };
            let mut primary = problem.option(first).iter().filter(|e| problem.is_primary(e.item));
            if primary.nth(1).is_none() {
                continue;
            }
            pace.go(self.options(item).len())?;
            // Multiplication by the golden ratio spreads small numbers over all bits.
            let hash = self.options(item).iter().fold(0u64, |hash, option| {
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

    /// Finds the secondary items that have one of two colors since some primary item decides it in any case.
    fn find_total(&mut self, is_pair: &[bool], pace: &mut BuildPace<'_>) -> Option<()> {
        let mut common = CommonItems::new(self.problem);
        for item in (0..self.is_double.len()).filter(|&item| !self.is_double[item]) {
            let Some(&first) = self.options(item).first() else { continue };
            if self.row(first).is_empty() {
                continue;
            }
            let work = common.work();
            for other in common.of(ItemId::new(item as u32)) {
                let s = other.index() - self.problem.primary();
                self.is_total[s] |= is_pair[s];
            }
            pace.go(common.work() - work)?;
        }
        Some(())
    }

    /// The options of an item.
    #[inline]
    pub fn options(&self, item: usize) -> &'p [OptionId] {
        self.uses.options(ItemId::new(item as u32))
    }

    /// The options of a secondary item, numbered among these, with the colors that they give it.
    #[inline]
    pub fn colored(&self, s: usize) -> impl ExactSizeIterator<Item = (OptionId, Color)> + Clone {
        self.uses.colored(ItemId::new((self.problem.primary() + s) as u32))
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
    pub fn scope(&self, item: usize, scope: &mut Vec<u32>) -> bool {
        scope.clear();
        for &option in self.options(item) {
            let row = self.row(option);
            if row.len() + 1 != self.problem.option(option).len() {
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
    pub fn table(&self, item: usize, scope: &[u32]) -> Option<TruthTable> {
        let mut table = TruthTable::new(scope.len());
        for &option in self.options(item) {
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
