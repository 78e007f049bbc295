//! An interval of the search tree: where a search begins, and where it ends.
//!
//! Algorithm C visits its tree from left to right, so that a path says all about a search: what is left
//! of it is what lies to the right of the path. That is why one notion serves checkpoints (the rest of
//! a run), parts of a search that is divided among machines, and the work that one thread takes over
//! from another.
//!
//! ```text
//!           root
//!        1/  2|  \3        floor 1, path (2 of 3) (1 of 4), to 3: the search stands at `x`, goes on
//!            / ...         with a, b and stops before c; it does not return to the root.
//!       1/ 2|  3|  \4
//!       x   a   b   c
//! ```
//!
//! A path is replayed from the root, against the lists of the undivided problem. So the order of its
//! solutions and their `(k of n)` are those of the undivided search, and what is counted on intervals
//! that make up the tree adds up to what one search counts: the replay counts nothing, and a node is
//! counted by the interval that has its first option.

use crate::solution::{Choice, Choices};

/// What bounds a search on its right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The level to which the search returns, and that it does not leave.
    pub floor: usize,
    /// On that level the option of this rank is the last.
    pub to: u32,
}

impl Bounds {
    /// The largest rank that an option may have on a level that is not above the floor.
    pub fn last(&self, level: usize) -> u32 {
        if level == self.floor { self.to } else { u32::MAX }
    }
}

/// An interval of the search tree. See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The choices to the node where it begins.
    pub path: Vec<Choice>,
    /// Whether it begins after that node's subtree: with the next option, on the level of the last
    /// choice.
    pub after: bool,
    /// Where it ends. The floor is at most the length of the path, and less if it begins `after` it.
    pub bounds: Bounds,
}

impl Interval {
    /// All of the tree.
    pub fn whole() -> Self {
        let bounds = Bounds { floor: 0, to: u32::MAX };
        Interval { path: Vec::new(), after: false, bounds }
    }

    /// What is left of a search that is about to enter the node to which `choices` lead.
    pub fn rest(choices: &dyn Choices, bounds: Bounds) -> Self {
        Interval { path: choices.to_vec(), after: false, bounds }
    }

    /// What is left of a search that is done with that node.
    pub fn rest_after(choices: &dyn Choices, bounds: Bounds) -> Self {
        Interval { path: choices.to_vec(), after: true, bounds }
    }

    /// The options of ranks `from..=to` at the node to which `path` leads. `before` is the choice of
    /// rank `from - 1` there, which exists unless `from` is 1.
    pub fn options(path: &[Choice], before: Option<Choice>, to: u32) -> Self {
        let bounds = Bounds { floor: path.len(), to };
        let after = before.is_some();
        Interval { path: path.iter().copied().chain(before).collect(), after, bounds }
    }

    /// Whether the numbers can be those of an interval.
    pub fn is_sound(&self) -> bool {
        let Bounds { floor, to } = self.bounds;
        // One more than the last rank is a number, too.
        let sound = |choice: &Choice| {
            (1..=choice.degree).contains(&choice.rank) && choice.degree < u32::MAX
        };
        let within = self.path.get(floor).is_none_or(|choice| choice.rank <= to);
        floor <= self.path.len().saturating_sub(usize::from(self.after))
            && self.path.len() >= usize::from(self.after)
            && to > 0
            && within
            && self.path.iter().all(sound)
    }

    /// How much of the tree it is, if all options of a node have as much below them; see
    /// [`fraction`](crate::search::fraction).
    pub fn measure(&self) -> f64 {
        let (mut part, mut sum) = (1.0, 0.0);
        for (level, choice) in self.path.iter().enumerate() {
            part /= f64::from(choice.degree);
            if level >= self.bounds.floor {
                let last = choice.degree.min(self.bounds.last(level));
                sum += part * f64::from(last.saturating_sub(choice.rank));
            }
        }
        if self.after { sum } else { sum + part }
    }

    /// The last option that it may have on its floor: what begins with this, or before it, is not behind it.
    pub fn end(&self) -> Vec<u32> {
        let Bounds { floor, to } = self.bounds;
        self.path[..floor].iter().map(|choice| choice.rank).chain([to]).collect()
    }

    /// Where it begins: by level, the rank of the option that comes first. Intervals that do not overlap
    /// are in the order of the search if these are in lexicographic order.
    pub fn start(&self) -> Vec<u32> {
        let mut ranks: Vec<u32> = self.path.iter().map(|choice| choice.rank).collect();
        if let (true, Some(last)) = (self.after, ranks.last_mut()) {
            *last += 1;
        }
        ranks
    }
}

/// Levels on which a search at `choices` has options left that it has not tried, from the highest on.
pub fn open<'c>(
    choices: &'c dyn Choices,
    bounds: &Bounds,
) -> impl DoubleEndedIterator<Item = usize> + 'c {
    let bounds = *bounds;
    (bounds.floor..choices.levels()).filter(move |&level| {
        let choice = choices.choice(level);
        choice.rank < choice.degree.min(bounds.last(level))
    })
}

/// Cuts off the options that a search at `choices` has not tried on `level`, which is
/// [open](open()); and, as a second interval, what comes after them, if there is anything.
pub fn cut(
    choices: &dyn Choices,
    bounds: &mut Bounds,
    level: usize,
) -> (Interval, Option<Interval>) {
    let path = |level| (0..=level).map(|level| choices.choice(level)).collect();
    let above = open(choices, bounds).take_while(|&above| above < level).last();
    let rest = above.map(|above| Interval { path: path(above), after: true, bounds: *bounds });
    let to = bounds.last(level);
    *bounds = Bounds { floor: level, to: choices.choice(level).rank };
    let bounds = Bounds { floor: level, to };
    (Interval { path: path(level), after: true, bounds }, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{ItemId, OptionId};

    fn path(ranks: &[(u32, u32)]) -> Vec<Choice> {
        let (option, item) = (Some(OptionId::new(0)), ItemId::new(0));
        ranks.iter().map(|&(rank, degree)| Choice { option, item, rank, degree }).collect()
    }

    #[test]
    fn an_open_level_is_cut_off() {
        let choices = path(&[(3, 3), (1, 4), (1, 2)]);
        let mut bounds = Bounds { floor: 0, to: u32::MAX };
        assert_eq!(open(&choices, &bounds).collect::<Vec<_>>(), [1, 2]);
        let (cut_off, rest) = cut(&choices, &mut bounds, 1);
        assert_eq!(cut_off.path, path(&[(3, 3), (1, 4)]));
        assert_eq!((cut_off.after, cut_off.start(), rest), (true, vec![3, 2], None));
        assert_eq!(cut_off.bounds, Bounds { floor: 1, to: u32::MAX });
        assert_eq!(bounds, Bounds { floor: 1, to: 1 });
        // Next comes the level below, and then there is nothing.
        assert_eq!(open(&choices, &bounds).collect::<Vec<_>>(), [2]);
        let (cut_off, rest) = cut(&choices, &mut bounds, 2);
        assert_eq!((cut_off.start(), rest), (vec![3, 1, 2], None));
        assert_eq!(bounds, Bounds { floor: 2, to: 1 });
        assert_eq!(open(&choices, &bounds).next(), None);
    }

    #[test]
    fn what_comes_after_the_cut_is_a_interval_of_its_own() {
        let choices = path(&[(1, 3), (1, 4), (2, 2), (1, 2)]);
        let mut bounds = Bounds { floor: 0, to: 2 };
        let (cut_off, rest) = cut(&choices, &mut bounds, 3);
        assert_eq!((cut_off.start(), cut_off.bounds.floor), (vec![1, 1, 2, 2], 3));
        assert_eq!(bounds, Bounds { floor: 3, to: 1 });
        let rest = rest.unwrap();
        assert_eq!((rest.start(), rest.bounds), (vec![1, 2], Bounds { floor: 0, to: 2 }));
        assert!(cut_off.is_sound() && rest.is_sound());
        // The first two thirds of the tree, of which half of a 24th is done, and its other half is in two.
        let before = Interval::rest(&choices, bounds).measure();
        let sum = before + cut_off.measure() + rest.measure();
        assert!((before - 1.0 / 48.0).abs() < 1e-12 && (cut_off.measure() - before).abs() < 1e-12);
        assert!((sum - (2.0 / 3.0 - 1.0 / 24.0)).abs() < 1e-12, "{sum}");
        assert_eq!(Interval::whole().measure(), 1.0);
    }

    #[test]
    fn what_is_cut_off_ends_where_the_whole_did() {
        let choices = path(&[(1, 9)]);
        let mut bounds = Bounds { floor: 0, to: 4 };
        assert_eq!(cut(&choices, &mut bounds, 0).0.bounds, Bounds { floor: 0, to: 4 });
        assert_eq!(open(&choices, &bounds).next(), None);
    }

    #[test]
    fn unsound_numbers_are_noticed() {
        assert!(Interval::whole().is_sound());
        let sound = Interval::options(&path(&[(2, 3)]), path(&[(1, 2)]).pop(), 2);
        assert!(sound.is_sound());
        let floor = |floor, to| Interval { bounds: Bounds { floor, to }, ..sound.clone() };
        assert!(!floor(2, 9).is_sound() && !floor(3, 9).is_sound() && !floor(0, 1).is_sound());
        assert!(!Interval { path: path(&[(4, 3)]), ..sound.clone() }.is_sound());
    }
}
