//! Which choices Algorithm C would have made on its way to a given cover.
//!
//! A constraint that forbids options shortens lists, and so changes what an engine branches on and
//! what it would print as `(k of n)`. Output must not depend on that. So we take the finished cover
//! and walk down to it once more without any constraint: branch as the problem's rule says, and take the
//! option of the cover that has the item. There is exactly one, and no search.
//!
//! ```
//! use quadrille::search::replay::replay;
//! use quadrille::{dlx, ids::OptionId};
//!
//! let problem = dlx::parse::read(&b"A B C\nA\nA B\nB C\nC\n"[..]).unwrap().problem;
//! let choices = replay(&problem, &[OptionId::new(0), OptionId::new(2)]);
//! assert_eq!((choices[0].rank, choices[0].degree), (1, 2)); // A, as the first of two
//! assert_eq!((choices[1].rank, choices[1].degree), (1, 1)); // B C, as the first of one
//! ```

use std::cell::{OnceCell, RefCell};

use crate::ids::OptionId;
use crate::problem::Problem;
use crate::search::algorithm_m::Multi;
use crate::search::dancing_links::{self, Links};
use crate::search::store::Store;
use crate::search::width::{self, Fit, Huge, Narrow, Wide};
use crate::solution::{Choice, Choices};

/// Replays one cover after the other of the same problem.
#[derive(Debug)]
pub struct Replayer {
    links: AnyLinks,
    /// By option: whether it is in the cover at hand.
    wanted: Vec<bool>,
}

/// The lists, as wide as the problem needs.
#[derive(Debug)]
enum AnyLinks {
    Narrow(Links<Narrow>),
    Wide(Links<Wide>),
    Huge(Links<Huge>),
    Multi(Multi),
}

impl Replayer {
    /// Builds the lists of `problem`, with nothing covered.
    pub fn new(problem: &Problem) -> Self {
        let links = match width::fit(problem, dancing_links::SPARE) {
            _ if problem.has_bounds() => AnyLinks::Multi(Multi::new(problem)),
            Fit::Narrow => AnyLinks::Narrow(Links::new(problem)),
            Fit::Wide => AnyLinks::Wide(Links::new(problem)),
            Fit::Huge => AnyLinks::Huge(Links::new(problem)),
        };
        Replayer { links, wanted: vec![false; problem.options()] }
    }

    /// The choices by which a plain search reaches the cover `options`, given in any order. Panics
    /// if that is no cover.
    pub fn replay(&mut self, options: &[OptionId]) -> Vec<Choice> {
        options.iter().for_each(|option| self.wanted[option.index()] = true);
        let choices = match &mut self.links {
            AnyLinks::Narrow(links) => descend(links, &self.wanted),
            AnyLinks::Wide(links) => descend(links, &self.wanted),
            AnyLinks::Huge(links) => descend(links, &self.wanted),
            AnyLinks::Multi(multi) => descend(multi, &self.wanted),
        };
        options.iter().for_each(|option| self.wanted[option.index()] = false);
        choices
    }
}

/// A cover whose choices are replayed only if somebody looks at them.
pub struct Replayed<'a> {
    problem: &'a Problem,
    replayer: &'a RefCell<Option<Replayer>>,
    cover: &'a dyn Fn() -> Vec<OptionId>,
    choices: OnceCell<Vec<Choice>>,
}

impl<'a> Replayed<'a> {
    /// The cover that `cover` makes. The replayer is made when it is first needed.
    pub fn new(
        problem: &'a Problem,
        replayer: &'a RefCell<Option<Replayer>>,
        cover: &'a dyn Fn() -> Vec<OptionId>,
    ) -> Self {
        Replayed { problem, replayer, cover, choices: OnceCell::new() }
    }

    fn choices(&self) -> &[Choice] {
        self.choices.get_or_init(|| {
            let mut replayer = self.replayer.borrow_mut();
            let replayer = replayer.get_or_insert_with(|| Replayer::new(self.problem));
            replayer.replay(&(self.cover)())
        })
    }
}

impl Choices for Replayed<'_> {
    fn levels(&self) -> usize {
        self.choices().len()
    }

    fn choice(&self, level: usize) -> Choice {
        self.choices()[level]
    }

    fn cover(&self) -> Vec<OptionId> {
        (self.cover)()
    }
}

/// Replays one cover of `problem`; for several, keep a [`Replayer`].
pub fn replay(problem: &Problem, options: &[OptionId]) -> Vec<Choice> {
    Replayer::new(problem).replay(options)
}

/// Walks down to the cover, notes the choices, and undoes everything.
fn descend(store: &mut impl Store, wanted: &[bool]) -> Vec<Choice> {
    let mut level = 0;
    while !store.done() {
        store.branch();
        loop {
            assert!(store.next(), "the options that are replayed are not a cover");
            // The null choice comes last: no option of the item that is left is wanted.
            if store.choice(level).option.is_none_or(|option| wanted[option.index()]) {
                break;
            }
        }
        store.commit(&mut ());
        level += 1;
    }
    let choices = store.to_vec();
    for _ in 0..level {
        store.undo();
        store.close();
    }
    choices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Conjunction;
    use crate::ids::{Color, ItemId};
    use crate::problem::{Bound, ProblemBuilder};
    use crate::search::{engine, links};
    use std::ops::ControlFlow;

    fn random_problem(random: &mut fastrand::Rng) -> Problem {
        let mut builder = ProblemBuilder::default();
        let (primary, secondary) = (random.u32(1..7), random.u32(0..5));
        for name in 0..primary {
            builder.primary_item(format!("p{name}").as_bytes(), Bound::ONCE).unwrap();
        }
        for name in 0..secondary {
            builder.secondary_item(format!("s{name}").as_bytes()).unwrap();
        }
        for _ in 0..random.u32(1..25) {
            for item in (0..primary).filter(|_| random.u32(0..3) == 0).collect::<Vec<_>>() {
                builder.entry(ItemId::new(item), Color::NONE).unwrap();
            }
            for item in (primary..primary + secondary).filter(|_| random.bool()).collect::<Vec<_>>()
            {
                let color = [Color::NONE, builder.color(b"a"), builder.color(b"b")];
                builder.entry(ItemId::new(item), color[random.usize(..3)]).unwrap();
            }
            builder.end_option().unwrap();
        }
        builder.finish()
    }

    #[test]
    fn makes_the_choices_of_the_plain_search() {
        let mut random = fastrand::Rng::with_seed(2);
        let mut solutions = 0;
        for _ in 0..500 {
            let problem = random_problem(&mut random);
            let mut all: Vec<Vec<Choice>> = Vec::new();
            engine::run(&mut *links(&problem, Conjunction::new()), &mut |choices: &dyn Choices| {
                all.push(choices.to_vec());
                ControlFlow::Continue(())
            });
            let mut replayer = Replayer::new(&problem);
            for choices in &all {
                let mut options = choices.options();
                random.shuffle(&mut options);
                assert_eq!(&replayer.replay(&options), choices);
            }
            solutions += all.len();
        }
        assert!(solutions > 1000, "{solutions}");
    }

    #[test]
    #[should_panic(expected = "not a cover")]
    fn refuses_what_is_no_cover() {
        let mut builder = ProblemBuilder::default();
        let items = [b"a", b"b"].map(|name| builder.primary_item(name, Bound::ONCE).unwrap());
        for item in items {
            builder.entry(item, Color::NONE).unwrap();
            builder.end_option().unwrap();
        }
        replay(&builder.finish(), &[OptionId::new(0)]);
    }
}
