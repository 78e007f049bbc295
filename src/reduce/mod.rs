//! Takes from a problem what no solution needs: options that are in none, and items that all solutions
//! cover anyway. What is left has the same solutions, as sets of options.
//!
//! The rules, of which the first two are Knuth's `dlx-pre` (Algorithm P of TAOCP 7.2.2.1):
//!
//! 1. If every option of a primary item `p` has the item `c`, uncolored, then `c` is covered with `p`.
//!    Options with `c` but without `p` go, and `c` itself.
//! 2. An option goes if with it some primary item would have no option left; here also if that
//!    comes out further on, when items that have one option left are covered by it.
//! 3. A secondary item goes if no two options clash in it, or only those that clash elsewhere, too: all
//!    give it the same color, or all share a primary item, or any two of them do.
//!
//! Rule 2 tries an option as an engine would, but on counters: how many options of each item clash with
//! what was taken. So nothing has to be undone.
//!
//! # What must stay
//!
//! Constraints read colors and names. An item whose name is that of an edge, a vertex or a
//! cell of a board stays, with all of its uses ([`protected`]). Options may go even so: none that is in a
//! solution does.
//!
//! # Bounds
//!
//! An item with bounds is only used where that is plainly right: options clash in it only if its upper
//! bound is 1, it lacks options if fewer are left than its lower bound, and rules 1 and 3 want items
//! that are covered exactly once. Costs do not matter.

mod text;

pub use text::write;

use crate::constraint::graph::{Graph, colored_width};
use crate::constraint::registry::roles;
use crate::ids::{Color, ItemId, OptionId};
use crate::names::Role;
use crate::problem::{Bound, Entry, Problem};

/// Entries that are looked at when an option is tried, beyond what it clashes with itself.
const DEEP: usize = 20_000;

/// An option is not tried if its items have more uses than this altogether: that would take a time that
/// grows with the square of the file.
const WIDE: usize = 200_000;

/// Lists up to this length are searched for two uses that clash nowhere else.
const PAIRS: usize = 48;

/// What is left of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// By option: whether it is left.
    pub options: Vec<bool>,
    /// By item: whether it is left.
    pub items: Vec<bool>,
    /// How many times all was looked at.
    pub rounds: u64,
    /// A primary item that cannot be covered: there is no solution.
    pub unfeasible: Option<ItemId>,
    /// Whether it was stopped before the last round.
    pub stopped: bool,
}

/// Which items constraints read.
pub fn protected(problem: &Problem) -> Vec<bool> {
    let widths: Vec<_> =
        roles().into_iter().map(|role| (role, colored_width(problem, role))).collect();
    let is_read = |(item, name): (ItemId, &[u8])| {
        widths.iter().any(|&(role, width)| {
            let at = width.and_then(|width| width.decode(name)).map(|at| at.role());
            match problem.is_primary(item) {
                true => role == Role::Edge && matches!(at, Some(Role::Vertex | Role::Edge)),
                false => at == Some(role),
            }
        })
    };
    let mut read: Vec<bool> = problem.names().map(is_read).collect();
    // What a constraint on edges refuses is refused afterwards, too.
    if let Some(item) = misnamed(problem) {
        read[item.index()] = true;
    }
    read
}

/// The item for which constraints on edges refuse the file, if they do.
fn misnamed(problem: &Problem) -> Option<ItemId> {
    let error = Graph::read(problem).err()?;
    problem.find(error.item()?.as_bytes())
}

/// Reduces `problem` until nothing changes, or in at most so many rounds, or until `stop` says so,
/// which is asked again and again.
pub fn reduce(problem: &Problem, rounds: u64, stop: &mut dyn FnMut() -> bool) -> Reduction {
    let mut reducer = Reducer::new(problem, stop);
    let end = reducer.run(rounds);
    Reduction {
        options: reducer.options,
        items: reducer.items,
        rounds: reducer.rounds,
        unfeasible: if let Err(Halt::Unfeasible(item)) = end { Some(item) } else { None },
        stopped: end == Err(Halt::Stopped),
    }
}

/// Why no more is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Halt {
    Unfeasible(ItemId),
    Stopped,
}

/// A use of an item.
#[derive(Clone, Copy, Debug)]
struct Use {
    option: u32,
    color: Color,
}

struct Reducer<'a> {
    problem: &'a Problem,
    stop: &'a mut dyn FnMut() -> bool,
    protected: Vec<bool>,
    bounds: Vec<Bound>,
    options: Vec<bool>,
    items: Vec<bool>,
    rounds: u64,
    /// By item its uses; those of options that are gone stay until the next round.
    uses: Vec<Vec<Use>>,
    /// By primary item: how many of its options are left.
    lengths: Vec<u32>,
    /// By primary item: whether it has lost an option since the last round.
    lost: Vec<bool>,
    trial: Trial,
}

/// What was found out about an option by taking it. A number or mark counts only with the serial of the
/// trial.
#[derive(Default)]
struct Trial {
    serial: u32,
    /// By option: whether it is out, or taken.
    out: Vec<u32>,
    taken: Vec<u32>,
    /// By primary item: how many of its options are out.
    counts: Vec<(u32, u32)>,
    /// Options that are taken and whose clashes are not looked at yet.
    open: Vec<u32>,
    /// Items that have as many options left as they need.
    tight: Vec<u32>,
}

impl<'a> Reducer<'a> {
    fn new(problem: &'a Problem, stop: &'a mut dyn FnMut() -> bool) -> Self {
        let mut uses = vec![Vec::new(); problem.items()];
        for option in problem.option_ids() {
            for Entry { item, color } in problem.option(option) {
                uses[item.index()].push(Use { option: option.index() as u32, color });
            }
        }
        let primary = problem.primary();
        let item = |number: usize| ItemId::new(number as u32);
        Reducer {
            problem,
            stop,
            protected: protected(problem),
            bounds: (0..primary).map(|number| problem.bound(item(number))).collect(),
            options: vec![true; problem.options()],
            items: vec![true; problem.items()],
            rounds: 0,
            lengths: uses[..primary].iter().map(|uses| uses.len() as u32).collect(),
            uses,
            lost: vec![false; primary],
            trial: Trial {
                out: vec![0; problem.options()],
                taken: vec![0; problem.options()],
                counts: vec![(0, 0); primary],
                ..Trial::default()
            },
        }
    }

    fn run(&mut self, rounds: u64) -> Result<(), Halt> {
        for item in 0..self.problem.primary() {
            self.require(item)?;
        }
        self.drop_secondary();
        // A round looks at all options, or at those that may be concerned by what went before.
        let mut whole = true;
        while self.rounds < rounds {
            self.rounds += 1;
            let before = self.left();
            let todo = if whole { None } else { Some(self.concerned()) };
            self.lost.fill(false);
            self.drop_implied()?;
            self.try_options(todo.as_deref())?;
            self.drop_secondary();
            match (self.left() == before, whole) {
                (true, true) => return Ok(()),
                (same, _) => whole = same,
            }
        }
        Ok(())
    }

    /// Options and items that are left.
    fn left(&self) -> (usize, usize) {
        let count = |left: &[bool]| left.iter().filter(|&&left| left).count();
        (count(&self.options), count(&self.items))
    }

    /// Complains if a primary item has too few options.
    fn require(&self, item: usize) -> Result<(), Halt> {
        match self.items[item] && self.lengths[item] < self.bounds[item].low {
            true => Err(Halt::Unfeasible(ItemId::new(item as u32))),
            false => Ok(()),
        }
    }

    fn is_once(&self, item: ItemId) -> bool {
        self.problem.is_primary(item) && self.bounds[item.index()] == Bound::ONCE
    }

    /// The entries of an option whose items are left.
    fn entries(&self, option: u32) -> impl Iterator<Item = Entry> + '_ {
        let entries = self.problem.option(OptionId::new(option)).iter();
        entries.filter(|entry| self.items[entry.item.index()])
    }

    fn drop_option(&mut self, option: u32) -> Result<(), Halt> {
        if !std::mem::replace(&mut self.options[option as usize], false) {
            return Ok(());
        }
        for entry in self.problem.option(OptionId::new(option)) {
            let item = entry.item.index();
            if self.problem.is_primary(entry.item) && self.items[item] {
                self.lengths[item] -= 1;
                self.lost[item] = true;
                self.require(item)?;
            }
        }
        Ok(())
    }

    /// Forgets the uses by options that are gone.
    fn tidy(&mut self, item: usize) {
        let options = &self.options;
        self.uses[item].retain(|use_of| options[use_of.option as usize]);
    }

    /// By option: whether it has an item in common with an option of an item that lost one.
    fn concerned(&self) -> Vec<bool> {
        let mut touched = vec![false; self.problem.items()];
        for (item, _) in self.lost.iter().enumerate().filter(|&(_, &lost)| lost) {
            for use_of in
                self.uses[item].iter().filter(|use_of| self.options[use_of.option as usize])
            {
                self.entries(use_of.option).for_each(|entry| touched[entry.item.index()] = true);
            }
        }
        let concerned = |option: OptionId| {
            self.problem.option(option).iter().any(|entry| touched[entry.item.index()])
        };
        self.problem.option_ids().map(concerned).collect()
    }

    /// Rule 1.
    fn drop_implied(&mut self) -> Result<(), Halt> {
        for item in 0..self.problem.primary() {
            let by = ItemId::new(item as u32);
            if !self.items[item] || !self.is_once(by) {
                continue;
            }
            self.tidy(item);
            for implied in self.common(item, |reducer, entry| {
                let covered =
                    !reducer.problem.is_primary(entry.item) || reducer.is_once(entry.item);
                entry.item != by && entry.color.is_none() && covered
            }) {
                self.drop_without(implied.index(), by)?;
                self.items[implied.index()] &= self.protected[implied.index()];
            }
            if (self.stop)() {
                return Err(Halt::Stopped);
            }
        }
        Ok(())
    }

    /// The items that all options of `item` have, in entries that are wanted.
    fn common(&self, item: usize, wanted: impl Fn(&Self, &Entry) -> bool) -> Vec<ItemId> {
        let mut uses = self.uses[item].iter();
        let Some(first) = uses.next() else { return Vec::new() };
        let mut common: Vec<ItemId> =
            self.entries(first.option).filter(|e| wanted(self, e)).map(|e| e.item).collect();
        for use_of in uses {
            if common.is_empty() {
                break;
            }
            let entries = self.problem.option(OptionId::new(use_of.option));
            common.retain(|&item| entries.iter().any(|e| e.item == item && wanted(self, &e)));
        }
        common
    }

    /// Drops the options that have `item` but not `by`.
    fn drop_without(&mut self, item: usize, by: ItemId) -> Result<(), Halt> {
        for place in 0..self.uses[item].len() {
            let option = self.uses[item][place].option;
            let has = self.problem.option(OptionId::new(option)).iter().any(|e| e.item == by);
            if !has {
                self.drop_option(option)?;
            }
        }
        self.tidy(item);
        Ok(())
    }

    /// Rule 2, for the options that are to be tried.
    fn try_options(&mut self, todo: Option<&[bool]>) -> Result<(), Halt> {
        (0..self.problem.items()).for_each(|item| self.tidy(item));
        for option in 0..self.problem.options() as u32 {
            let place = option as usize;
            if self.options[place] && todo.is_none_or(|todo| todo[place]) {
                let width: usize =
                    self.entries(option).map(|entry| self.uses[entry.item.index()].len()).sum();
                if width <= WIDE && self.fails(option) {
                    self.drop_option(option)?;
                }
                if (self.stop)() {
                    return Err(Halt::Stopped);
                }
            }
        }
        Ok(())
    }

    /// Whether an item cannot be covered if this option is taken.
    fn fails(&mut self, option: u32) -> bool {
        let mut trial = std::mem::take(&mut self.trial);
        let fails = self.fails_in(&mut trial, option);
        self.trial = trial;
        fails
    }

    fn fails_in(&self, trial: &mut Trial, option: u32) -> bool {
        trial.begin(option);
        let mut seen = 0;
        let mut first = true;
        while let Some(taken) = trial.open.pop() {
            for Entry { item, color } in self.entries(taken) {
                if self.problem.is_primary(item) && self.bounds[item.index()].high != 1 {
                    continue;
                }
                for &Use { option, color: other } in &self.uses[item.index()] {
                    let agrees = option == taken || !color.is_none() && color == other;
                    if agrees || !self.options[option as usize] || !trial.put_out(option) {
                        continue;
                    }
                    for entry in self.entries(option) {
                        seen += 1;
                        if self.problem.is_primary(entry.item)
                            && self.lacks(trial, entry.item.index())
                        {
                            return true;
                        }
                    }
                    if !first && seen > DEEP {
                        return false;
                    }
                }
            }
            first = false;
            while let Some(item) = trial.tight.pop() {
                for &Use { option, .. } in &self.uses[item as usize] {
                    if self.options[option as usize] {
                        trial.take(option);
                    }
                }
            }
        }
        false
    }

    /// One more option of a primary item is out: is that too much?
    fn lacks(&self, trial: &mut Trial, item: usize) -> bool {
        let low = self.bounds[item].low;
        if low == 0 {
            return false;
        }
        let left = self.lengths[item] - trial.count(item);
        if left == low {
            trial.tight.push(item as u32);
        }
        left < low
    }

    /// Rule 3.
    fn drop_secondary(&mut self) {
        for item in self.problem.primary()..self.problem.items() {
            if self.items[item] {
                self.tidy(item);
                let free =
                    self.uses[item].is_empty() || !self.protected[item] && self.never_decides(item);
                self.items[item] = !free;
            }
        }
    }

    /// Whether two options that clash in this secondary item also clash elsewhere.
    fn never_decides(&self, item: usize) -> bool {
        let uses = &self.uses[item];
        let color = uses[0].color;
        if uses.len() == 1 || !color.is_none() && uses.iter().all(|use_of| use_of.color == color) {
            return true;
        }
        if !self.common(item, |reducer, entry| reducer.is_once(entry.item)).is_empty() {
            return true;
        }
        uses.len() <= PAIRS
            && uses.iter().enumerate().all(|(place, one)| {
                uses[..place].iter().all(|other| {
                    let agree = !one.color.is_none() && one.color == other.color;
                    agree || self.clash_beside(item, one.option, other.option)
                })
            })
    }

    /// Whether two options clash in another item than this one.
    fn clash_beside(&self, item: usize, one: u32, other: u32) -> bool {
        let beside = |entry: &Entry| entry.item.index() != item;
        self.entries(one).filter(beside).any(|mine| {
            let at_once =
                !self.problem.is_primary(mine.item) || self.bounds[mine.item.index()].high == 1;
            let clashes = |theirs: Entry| {
                theirs.item == mine.item && (mine.color.is_none() || mine.color != theirs.color)
            };
            at_once && self.entries(other).any(clashes)
        })
    }
}

impl Trial {
    fn begin(&mut self, option: u32) {
        self.serial = match self.serial.checked_add(1) {
            Some(next) => next,
            None => {
                self.out.fill(0);
                self.taken.fill(0);
                self.counts.fill((0, 0));
                1
            }
        };
        self.open.clear();
        self.tight.clear();
        self.take(option);
    }

    /// Takes an option, unless it is taken or out.
    fn take(&mut self, option: u32) {
        let place = option as usize;
        if self.out[place] != self.serial && self.taken[place] != self.serial {
            self.taken[place] = self.serial;
            self.open.push(option);
        }
    }

    /// The option is out; false if it was.
    fn put_out(&mut self, option: u32) -> bool {
        std::mem::replace(&mut self.out[option as usize], self.serial) != self.serial
    }

    /// Counts one more option of `item` that is out.
    fn count(&mut self, item: usize) -> u32 {
        let (serial, count) = &mut self.counts[item];
        if *serial != self.serial {
            (*serial, *count) = (self.serial, 0);
        }
        *count += 1;
        *count
    }
}
