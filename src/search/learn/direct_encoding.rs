//! The direct encoding of a problem: the clauses that a proof starts from.
//!
//! The engine's own clauses ([`encode`](super::encoding)) are chosen to propagate well. These are chosen
//! to be plain, so that another program can make them from the file alone and compare:
//!
//! * Variable `k` says that option `k` (counted from 1) is chosen. After the options each color of each
//!   secondary item has a variable: items in order, the colors of one in the order in which the file
//!   first mentions them.
//! * For each primary item: one of its options, and at most one of them.
//! * For each entry that colors: the option implies the color.
//! * For each secondary item: at most one of its colors and the options that use it without one.
//! * For each color of a secondary item: it comes from an option that gives it.
//! * If a cover is to be blocked: not all of its options.
//!
//! "At most one" is said by pairs for up to 32 literals, beyond by a ladder of new variables.
//! `docs/notes/proofs.md` has the order. All clauses of the engine follow from these by unit propagation.

use crate::ids::{Color, ItemId, OptionId};
use crate::problem::{Entry, Problem};
use crate::search::learn::encoding::Encoding;

/// "At most one" of up to so many literals is said by pairs.
const PAIRS: usize = 32;

/// The numbering of a problem's variables, from 1 as in DIMACS.
#[derive(Debug)]
pub struct Direct<'p> {
    problem: &'p Problem,
    /// By secondary item: where its colors begin.
    starts: Vec<u32>,
    /// By secondary item: its colors, in the order of their numbers. Variables follow those of the options
    /// in this order.
    colors: Vec<Color>,
    /// Variables of options and colors.
    variables: i32,
}

/// Takes the clauses of a problem. Most of them come in runs, which are told as such.
pub trait Emit {
    /// Any clause.
    fn clause(&mut self, clause: &[i32]);

    /// The variable `late` excludes each of `early`: `-e -late` for each.
    fn exclude(&mut self, early: &[i32], late: i32) {
        early.iter().for_each(|&early| self.clause(&[-early, -late]));
    }

    /// The variable `option` implies each of `colors`: `-option c` for each.
    fn imply(&mut self, option: i32, colors: &[i32]) {
        colors.iter().for_each(|&color| self.clause(&[-option, color]));
    }
}

impl<F: FnMut(&[i32])> Emit for F {
    fn clause(&mut self, clause: &[i32]) {
        self(clause);
    }
}

impl<'p> Direct<'p> {
    /// Numbers the options and colors of `problem`. `None` if there are too many for 31 bits.
    pub fn new(problem: &'p Problem) -> Option<Self> {
        // Mostly an item has two colors; what it has beyond is put aside.
        let mut pairs = vec![[Color::NONE; 2]; problem.secondary()];
        let mut more: Vec<(usize, Color)> = Vec::new();
        for entry in problem.all_entries().iter().filter(|entry| !entry.color.is_none()) {
            let s = entry.item.index() - problem.primary();
            let [one, two] = &mut pairs[s];
            if *one == entry.color || *two == entry.color {
                continue;
            }
            match () {
                () if one.is_none() => *one = entry.color,
                () if two.is_none() => *two = entry.color,
                () => more.push((s, entry.color)),
            }
        }
        more.sort_unstable();
        more.dedup();
        let (mut starts, mut colors) = (Vec::with_capacity(pairs.len() + 1), Vec::new());
        colors.reserve(2 * pairs.len() + more.len());
        let mut more = more.into_iter().peekable();
        for (s, pair) in pairs.iter().enumerate() {
            let start = colors.len();
            starts.push(start as u32);
            colors.extend(pair.iter().filter(|color| !color.is_none()));
            colors
                .extend(std::iter::from_fn(|| more.next_if(|more| more.0 == s)).map(|more| more.1));
            colors[start..].sort_unstable();
        }
        starts.push(colors.len() as u32);
        let count = problem.options() + colors.len();
        // Ladders take no more than a variable for each literal, and that is each entry and color.
        i32::try_from(2 * (count + problem.entries()) + 2).ok()?;
        Some(Direct { problem, starts, colors, variables: count as i32 })
    }

    /// The colors of a secondary item, and the variable of the first.
    #[inline(always)]
    fn colors_of(&self, item: usize) -> (&[Color], i32) {
        let s = item - self.problem.primary();
        let (start, end) = (self.starts[s] as usize, self.starts[s + 1] as usize);
        (&self.colors[start..end], (self.problem.options() + 1 + start) as i32)
    }

    /// How many variables options and colors have: those that a search speaks of.
    pub fn variables(&self) -> i32 {
        self.variables
    }

    /// The variable of an option.
    pub fn option(&self, option: OptionId) -> i32 {
        option.index() as i32 + 1
    }

    /// The variable of a color of a secondary item; `None` if no option gives it that.
    #[inline(always)]
    pub fn color(&self, item: ItemId, color: Color) -> Option<i32> {
        let (colors, first) = self.colors_of(item.index());
        match *colors {
            [one, two] => match color {
                _ if color == one => Some(first),
                _ if color == two => Some(first + 1),
                _ => None,
            },
            ref colors => Some(first + colors.binary_search(&color).ok()? as i32),
        }
    }

    /// The literals of the engine, by their index: a color of two is the negation of the other.
    pub fn literals(&self, encoding: &Encoding<'_>) -> Vec<i32> {
        let mut literals = vec![0; 2 * encoding.variables()];
        for item in self.problem.primary()..self.problem.items() {
            let item = ItemId::new(item as u32);
            for &(color, lit) in encoding.colors(item) {
                // Of the two that share a variable the last stands, which is the positive one.
                if let Some(direct) = self.color(item, color) {
                    (literals[lit.index()], literals[(!lit).index()]) = (direct, -direct);
                }
            }
        }
        for option in self.problem.option_ids() {
            // One that shares a variable with a color is called by that.
            if let Some(lit) = encoding.option(option)
                && literals[lit.index()] == 0
            {
                let direct = self.option(option);
                (literals[lit.index()], literals[(!lit).index()]) = (direct, -direct);
            }
        }
        literals
    }

    /// All clauses; the last one blocks `cover`, if there is one.
    pub fn formula<'d>(&'d self, cover: Option<&'d [OptionId]>) -> Formula<'d> {
        Formula { direct: self, uses: ColorPlaces::new(self), cover }
    }
}

/// The clauses of a problem.
#[derive(Debug)]
pub struct Formula<'d> {
    direct: &'d Direct<'d>,
    uses: ColorPlaces,
    cover: Option<&'d [OptionId]>,
}

impl Formula<'_> {
    /// How many variables and clauses there are.
    pub fn size(&self) -> (i32, usize) {
        let Formula { direct, uses, cover } = self;
        let (problem, given) = (direct.problem, uses.giving);
        let (mut variables, mut clauses) = (direct.variables, usize::from(cover.is_some()) + given);
        let mut most_one = |literals: usize| match literals {
            0..=PAIRS => clauses += literals * literals.saturating_sub(1) / 2,
            _ => {
                variables += literals as i32 - 1;
                clauses += 3 * literals - 4;
            }
        };
        (0..problem.primary()).for_each(|item| most_one(uses.of(item).len()));
        for item in problem.primary()..problem.items() {
            most_one(direct.colors_of(item).0.len() + uses.of(item).len());
        }
        (variables, clauses + problem.primary() + direct.colors.len())
    }

    /// Hands all clauses to `out`, in order.
    pub fn clauses(&self, out: &mut impl Emit) {
        let Formula { direct, uses, cover } = self;
        let problem = direct.problem;
        let mut next = direct.variables + 1;
        for item in 0..problem.primary() {
            out.clause(uses.of(item));
            next = most_one(uses.of(item), next, out);
        }
        let mut clause: Vec<i32> = Vec::new();
        let mut places = uses.places.iter();
        for option in problem.option_ids() {
            clause.clear();
            let own = places.by_ref().take(problem.option(option).len());
            clause.extend(own.filter_map(|&place| uses.color(place)));
            out.imply(direct.option(option), &clause);
        }
        for item in problem.primary()..problem.items() {
            let (colors, first) = direct.colors_of(item);
            clause.clear();
            clause.extend(first..first + colors.len() as i32);
            clause.extend(uses.of(item));
            next = most_one(&clause, next, out);
            for variable in (first..).take(colors.len()) {
                clause.clear();
                clause.push(-variable);
                clause.extend(uses.of(uses.place(variable)));
                out.clause(&clause);
            }
        }
        if let Some(cover) = cover {
            clause.clear();
            clause.extend(cover.iter().map(|&option| -direct.option(option)));
            out.clause(&clause);
        }
    }
}

/// Which options use an item without a color, or give it one. Each of these has a place: items in order,
/// then the variables of colors.
#[derive(Debug)]
struct ColorPlaces {
    /// By entry of the problem: its place.
    places: Vec<u32>,
    /// By place: where its options begin.
    starts: Vec<usize>,
    /// Variables of options, place by place, in order.
    options: Vec<i32>,
    /// The first place of a color.
    items: usize,
    /// What to add to the place of a color to have its variable.
    to_variable: i32,
    /// How many entries give a color.
    giving: usize,
}

impl ColorPlaces {
    fn new(direct: &Direct<'_>) -> Self {
        let problem = direct.problem;
        let (items, colors) = (problem.items(), direct.colors.len());
        let to_variable = problem.options() as i32 + 1 - items as i32;
        let place = |entry: Entry| match entry.color.is_none() {
            true => entry.item.raw(),
            false => direct.color(entry.item, entry.color).map_or(0, |v| (v - to_variable) as u32),
        };
        let places: Vec<u32> = problem.all_entries().iter().map(place).collect();
        let mut starts = vec![0; items + colors + 1];
        places.iter().for_each(|&place| starts[place as usize + 1] += 1);
        for place in 0..items + colors {
            starts[place + 1] += starts[place];
        }
        let giving = places.len() - starts[items];
        let (mut ends, mut options) = (starts.clone(), vec![0; places.len()]);
        let mut all = places.iter();
        for option in problem.option_ids() {
            for &place in all.by_ref().take(problem.option(option).len()) {
                let end = &mut ends[place as usize];
                options[*end] = direct.option(option);
                *end += 1;
            }
        }
        ColorPlaces { places, starts, options, items, to_variable, giving }
    }

    /// The variables of the options with this place.
    fn of(&self, place: usize) -> &[i32] {
        &self.options[self.starts[place]..self.starts[place + 1]]
    }

    /// The variable of the color that has this place, if it is one.
    fn color(&self, place: u32) -> Option<i32> {
        (place as usize >= self.items).then_some(place as i32 + self.to_variable)
    }

    /// The place of a color.
    fn place(&self, variable: i32) -> usize {
        (variable - self.to_variable) as usize
    }
}

/// Says that at most one of these is true, with new variables from `next` on; answers with the first
/// that is left.
fn most_one(literals: &[i32], next: i32, out: &mut impl Emit) -> i32 {
    if literals.len() <= PAIRS {
        for (i, &late) in literals.iter().enumerate() {
            out.exclude(&literals[..i], late);
        }
        return next;
    }
    // Variable `next + i` says that one of the literals up to number `i` is true.
    let last = literals.len() - 1;
    for ((i, &lit), step) in literals.iter().enumerate().zip(next..) {
        if i > 0 {
            out.clause(&[-(step - 1), -lit]);
        }
        if i < last {
            out.clause(&[-lit, step]);
        }
        if 0 < i && i < last {
            out.clause(&[-(step - 1), step]);
        }
    }
    next + last as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Bound, ProblemBuilder};

    #[test]
    fn counts_the_clauses_that_it_makes() {
        let mut random = fastrand::Rng::with_seed(4);
        for most in [3, 20, 150].repeat(30) {
            let mut builder = ProblemBuilder::default();
            for name in 0..3 {
                builder.primary_item(format!("p{name}").as_bytes(), Bound::ONCE).unwrap();
            }
            for name in 0..3 {
                builder.secondary_item(format!("s{name}").as_bytes()).unwrap();
            }
            for _ in 0..random.u32(0..most) {
                builder.entry(ItemId::new(random.u32(0..3)), Color::NONE).unwrap();
                let color = [Color::NONE, builder.color(b"a"), builder.color(b"b")];
                builder.entry(ItemId::new(random.u32(3..6)), color[random.usize(0..3)]).unwrap();
                builder.end_option().unwrap();
            }
            let problem = builder.finish();
            let direct = Direct::new(&problem).expect("few variables");
            let cover = [OptionId::new(0)];
            for cover in [None, Some(&cover[..]).filter(|_| problem.options() > 0)] {
                let (mut largest, mut count) = (direct.variables, 0);
                let formula = direct.formula(cover);
                formula.clauses(&mut |clause: &[i32]| {
                    count += 1;
                    largest = clause.iter().map(|lit| lit.abs()).fold(largest, i32::max);
                });
                assert_eq!(formula.size(), (largest, count));
            }
        }
    }
}
