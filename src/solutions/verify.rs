//! Verifies solutions by the definition, in plain loops.
//!
//! Nothing here is shared with the engines, nor with the propagators that prune a search: a solution
//! is looked at as a whole, and each condition is read off it; constraints bring their own code for that. In the example of Knuth's `dlx2`,
//!
//! ```text
//! A B C | X Y
//! A B X:0 Y:0         this and ...
//! A C X:1 Y:1         ... this both cover A;
//! B X:1               the second and this one cover A, B, C, and agree on the color of X
//! ```
//!
//! Tours tell the edges of a cover, not the cover. What is checked of them: they close, visit no
//! vertex twice, and take edges of the problem; and each primary item has an option that agrees with
//! them, that is, colors edges of the tour `1` and no other edge so. For a slitherlink from `generate`
//! this is all there is to check; in general it is necessary, not sufficient.

use std::collections::HashMap;
use std::hash::BuildHasher;

use crate::constraint::Constraints;
use crate::constraint::graph::Graph;
use crate::constraint::registry::Verify;
use crate::ids::{Color, ItemId, OptionId};
use crate::names::Coord;
use crate::problem::Problem;
use crate::solutions::tour;

/// What is wrong with a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionFault {
    /// In words, without a final period.
    pub what: String,
    /// The place in the list of options or vertices that shows it, if one does.
    pub at: Option<usize>,
}

impl SolutionFault {
    fn at(index: usize, what: String) -> Result<(), SolutionFault> {
        Err(SolutionFault { what, at: Some(index) })
    }

    fn whole(what: String) -> Result<(), SolutionFault> {
        Err(SolutionFault { what, at: None })
    }
}

/// How the solution at hand uses an item.
#[derive(Clone, Copy, Debug)]
struct SolutionUse {
    /// The solution, counted from 1; older uses do not count.
    serial: u64,
    times: u32,
    color: Color,
}

/// Verifies solutions of one problem.
#[derive(Debug)]
pub struct Verifier<'p> {
    problem: &'p Problem,
    constraints: Vec<Box<dyn Verify>>,
    uses: Vec<SolutionUse>,
    /// By option: the solution that took it last, and how often.
    taken: Vec<(u64, u64)>,
    serial: u64,
}

impl<'p> Verifier<'p> {
    /// Solutions of `problem`, which need no more than to be covers.
    pub fn new(problem: &'p Problem) -> Self {
        let unused = SolutionUse { serial: 0, times: 0, color: Color::NONE };
        Verifier {
            problem,
            constraints: Vec::new(),
            uses: vec![unused; problem.items()],
            taken: vec![(0, 0); problem.options()],
            serial: 0,
        }
    }

    /// They must satisfy these constraints, which were bound to the problem.
    pub fn under(self, constraints: &Constraints) -> Self {
        Verifier { constraints: constraints.verifiers(self.problem), ..self }
    }

    fn name(&self, item: ItemId) -> String {
        String::from_utf8_lossy(self.problem.name(item)).into_owned()
    }

    /// Whether `options` are a cover: each primary item as often as its bounds say, and each secondary
    /// one at most once, or with one color. An option may stand there as often as `copies` says, since
    /// options that are the same may go by one of them.
    pub fn cover(
        &mut self,
        options: &[OptionId],
        copies: &dyn Fn(OptionId) -> u64,
    ) -> Result<(), SolutionFault> {
        self.serial += 1;
        for (place, &option) in options.iter().enumerate() {
            let (serial, times) = &mut self.taken[option.index()];
            *times = if *serial == self.serial { *times + 1 } else { 1 };
            *serial = self.serial;
            if *times > copies(option) {
                return SolutionFault::at(place, "this option stands twice in one solution".into());
            }
            for entry in self.problem.option(option) {
                let old = self.uses[entry.item.index()];
                let fresh = old.serial != self.serial;
                let times = if fresh { 1 } else { old.times + 1 };
                let serial = self.serial;
                self.uses[entry.item.index()] = SolutionUse { serial, times, color: entry.color };
                if !fresh {
                    self.meet(entry.item, place, old, entry.color, times)?;
                }
            }
        }
        for (item, _) in self.problem.names().take(self.problem.primary()) {
            let last = self.uses[item.index()];
            let times = if last.serial == self.serial { last.times } else { 0 };
            let least = self.problem.bound(item).low;
            if times < least {
                let name = self.name(item);
                return SolutionFault::whole(match times {
                    0 => format!("primary item `{name}` is not covered"),
                    _ => format!(
                        "primary item `{name}` is covered {times} of at least {least} times"
                    ),
                });
            }
        }
        Ok(())
    }

    /// An item is used again, by the option at `place`.
    fn meet(
        &self,
        item: ItemId,
        place: usize,
        old: SolutionUse,
        color: Color,
        times: u32,
    ) -> Result<(), SolutionFault> {
        let name = self.name(item);
        if self.problem.is_primary(item) {
            let most = self.problem.bound(item).high;
            return match times > most {
                true if most == 1 => {
                    SolutionFault::at(place, format!("primary item `{name}` is covered twice"))
                }
                true => SolutionFault::at(place, format!("primary item `{name}` is covered {times} times")),
                false => Ok(()),
            };
        }
        if old.color.is_none() || color.is_none() {
            let what = "is used twice, and not with one color";
            return SolutionFault::at(place, format!("secondary item `{name}` {what}"));
        }
        if old.color != color {
            let text = |color| String::from_utf8_lossy(self.problem.color_name(color)).into_owned();
            let (old, new) = (text(old.color), text(color));
            let what = format!("the colors of `{name}` clash: `{old}` and `{new}`");
            return SolutionFault::at(place, what);
        }
        Ok(())
    }

    /// Whether `options`, a cover, satisfy the constraints.
    pub fn constraints(&mut self, options: &[OptionId]) -> Result<(), SolutionFault> {
        self.serial += 1;
        let serial = self.serial;
        for &option in options {
            for entry in self.problem.option(option) {
                self.uses[entry.item.index()] = SolutionUse { serial, times: 1, color: entry.color };
            }
        }
        let uses = &self.uses;
        let color = |item: ItemId| {
            let last = uses[item.index()];
            (last.serial == serial && !last.color.is_none()).then_some(last.color)
        };
        let verify = |constraint: &mut Box<dyn Verify>| constraint.verify(&color);
        self.constraints.iter_mut().try_for_each(verify).or_else(SolutionFault::whole)
    }

    /// Whether `tour` may be the loop of a cover; see the [module](self) for what that means. Answers
    /// with its edges, as numbers of items in order, and the options that agree with them.
    pub fn tour(&self, tour: &[Coord], graph: &Graph) -> Result<(Vec<u32>, Vec<OptionId>), SolutionFault> {
        let items: HashMap<Coord, ItemId> =
            graph.edges.iter().map(|edge| (edge.at, edge.item)).collect();
        let edges = tour_edges(tour, &items)?;
        let present = self.problem.find_color(b"1");
        let mut agreeing = Vec::new();
        let mut has_option = vec![false; self.problem.primary()];
        let is_edge: HashMap<u32, ()> = graph.edges.iter().map(|e| (e.item.raw(), ())).collect();
        for option in self.problem.option_ids() {
            let entries = self.problem.option(option);
            let agrees = entries.iter().all(|entry| {
                let taken = edges.binary_search(&entry.item.raw()).is_ok();
                !is_edge.contains_key(&entry.item.raw()) || taken == (Some(entry.color) == present)
            });
            if agrees {
                agreeing.push(option);
                for entry in entries.iter().filter(|entry| self.problem.is_primary(entry.item)) {
                    has_option[entry.item.index()] = true;
                }
            }
        }
        let items = (0..self.problem.primary()).filter(|&item| !has_option[item]);
        let needed = |item: &usize| self.problem.bound(ItemId::new(*item as u32)).low > 0;
        match items.into_iter().find(needed) {
            Some(item) => {
                let name = self.name(ItemId::new(item as u32));
                let what = format!("no option of item `{name}` agrees with this tour");
                Err(SolutionFault { what, at: None })
            }
            None => Ok((edges, agreeing)),
        }
    }
}

/// The edges of a tour as numbers of items, sorted, if it is a cycle over edges that have items.
fn tour_edges(tour: &[Coord], items: &HashMap<Coord, ItemId>) -> Result<Vec<u32>, SolutionFault> {
    let mut edges = Vec::with_capacity(tour.len());
    for (at, index) in tour::edges(tour)?.iter().zip(1..) {
        let Some(item) = items.get(at) else {
            let what = "the problem has no edge from the vertex before to this one";
            return Err(SolutionFault { what: what.into(), at: Some(index) });
        };
        edges.push(item.raw());
    }
    edges.sort_unstable();
    Ok(edges)
}

/// The solutions that were seen, as digests of 128 bits: 40 bytes and a little each.
///
/// Equal digests are not yet equal solutions. Whoever needs to be sure looks at the earlier one again.
#[derive(Debug, Default)]
pub struct SeenSolutions {
    by_digest: HashMap<(u64, u64), Earlier>,
}

/// What is known of a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// The record that had it first, counted from 1.
    pub record: u64,
    /// How many records had it before.
    pub times: u64,
}

impl SeenSolutions {
    /// Adds the solution `key`, of this record. Answers with what was there.
    pub fn add(&mut self, key: &[u32], record: u64) -> Option<Earlier> {
        let digest = |seed| foldhash::quality::FixedState::with_seed(seed).hash_one(key);
        let both = (digest(1), digest(2));
        match self.by_digest.get_mut(&both) {
            Some(earlier) => {
                earlier.times += 1;
                Some(Earlier { times: earlier.times - 1, ..*earlier })
            }
            None => {
                self.by_digest.insert(both, Earlier { record, times: 1 });
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx::parse;

    fn verdict(text: &[u8], options: &[u32]) -> String {
        let problem = parse::read(text).unwrap().problem;
        let options: Vec<OptionId> = options.iter().map(|&n| OptionId::new(n - 1)).collect();
        match Verifier::new(&problem).cover(&options, &|_| 1) {
            Ok(()) => "a cover".into(),
            Err(fault) => fault.what,
        }
    }

    #[test]
    fn tells_a_cover_from_all_else() {
        let text = b"A B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC Y:1\nC X\nB Y:0\n";
        assert_eq!(verdict(text, &[2, 3]), "a cover");
        assert_eq!(verdict(text, &[2]), "primary item `B` is not covered");
        assert_eq!(verdict(text, &[2, 3, 1]), "primary item `A` is covered twice");
        assert_eq!(verdict(text, &[2, 3, 2]), "this option stands twice in one solution");
        assert_eq!(verdict(text, &[1, 4]), "the colors of `Y` clash: `0` and `1`");
        let twice = "secondary item `X` is used twice, and not with one color";
        assert_eq!(verdict(text, &[1, 5]), twice);
    }

    #[test]
    fn keeps_bounds() {
        let text = b"1:2|A 2|B\nA B\nB\nA\nB A\n";
        assert_eq!(verdict(text, &[1, 2]), "a cover");
        assert_eq!(verdict(text, &[1]), "primary item `B` is covered 1 of at least 2 times");
        assert_eq!(verdict(text, &[1, 3, 4]), "primary item `A` is covered 3 times");
    }

    #[test]
    fn counts_how_often_it_has_seen_a_solution() {
        let mut seen = SeenSolutions::default();
        assert_eq!(seen.add(&[1, 2], 1), None);
        assert_eq!(seen.add(&[1, 3], 2), None);
        assert_eq!(seen.add(&[1, 2], 3), Some(Earlier { record: 1, times: 1 }));
        assert_eq!(seen.add(&[1, 2], 4), Some(Earlier { record: 1, times: 2 }));
    }
}
