//! What is left of a problem with rules when all that is certain is taken out.
//!
//! A frontier counts loops without knowing more than what it has passed; it carries along states that a
//! glance at the other end of the board would refute. `learn` takes such glances. So it says first what all
//! solutions have in common ([`facts`]), as far as that is found out soon, and whatever disagrees is left
//! out before the count:
//!
//! ```text
//! every loop has edge e         options with e:0 go; so does e, since nothing depends on it any more
//! every loop does without f     options with f:1 go
//! ```
//!
//! Where an item has the same color in all options that are left, none of them clash in it. If no rule depends on
//! the color, its entries go. If one does, it has to hear of it once: if all options of some primary item have the
//! color, theirs stay, and the others go.
//!
//! The items and colors keep their numbers, for the rules know them by these. There are equally many
//! solutions, option for option.

use crate::constraint::automaton::Automaton;
use crate::constraint::{Conjunction, Propagator};
use crate::ids::{Color, ItemId, OptionId};
use crate::problem::{CommonItems, Entry, Problem};
use crate::search::engine::Status;
use crate::search::learn::backbone::{Facts, Order, Shared, Subject, facts};
use crate::search::stats::Stats;

/// Conflicts that may be spent on facts. Boards of 20 x 20 cells take some hundreds.
const CONFLICTS: u64 = 3_000;

/// What is left of `problem` under the rules that `make` makes; `None` if nothing is certain. No more than `limit`
/// conflicts are spent on it, and no more time than `stops` allows.
pub fn simplify(
    problem: &Problem,
    make: &dyn Fn() -> Conjunction,
    limit: u64,
    stops: &mut dyn FnMut() -> bool,
) -> Option<Problem> {
    let automata = make().automata()?;
    let mut poll = |_: &Stats| if stops() { Order::Stop } else { Order::Continue };
    let (facts, _) = facts(problem, make, Subject::Colors, limit.min(CONFLICTS), &mut poll);
    if (facts.end, facts.models) == (Status::Exhausted, 0) {
        return Some(problem.restricted(&[], |_, _| true));
    }
    let left = problem.restricted(&agreeing(problem, &facts), |_, _| true);
    let left = without_certain(&left, &automata);
    (left.entries() < problem.entries()).then_some(left)
}

/// The options that agree with the facts.
fn agreeing(problem: &Problem, facts: &Facts) -> Vec<OptionId> {
    let mut shared = vec![Shared::Unknown; problem.items()];
    for &(item, color) in &facts.colors {
        shared[item.index()] = color;
    }
    let agrees = |entry: Entry| match shared[entry.item.index()] {
        Shared::Color(color) => entry.color == color,
        Shared::Uncolored => entry.color.is_none(),
        Shared::Differs | Shared::Unknown => true,
    };
    problem.option_ids().filter(|&option| problem.option(option).iter().all(agrees)).collect()
}

/// Without the entries of items in which no two options clash.
fn without_certain(problem: &Problem, rules: &[Box<dyn Automaton>]) -> Problem {
    // By item: its color in the options so far, unless they differ.
    let mut single: Vec<Option<Option<Color>>> = vec![None; problem.items()];
    for entry in problem.all_entries().iter().filter(|entry| !problem.is_primary(entry.item)) {
        let color = (!entry.color.is_none()).then_some(entry.color);
        let known = single[entry.item.index()].get_or_insert(color);
        if *known != color {
            *known = None;
        }
    }
    let certain = |item: ItemId| single[item.index()].flatten();
    // By item that is certain: a primary item all options of which have it, if there is one.
    let mut hosts = vec![None; problem.items()];
    let mut common = CommonItems::new(problem);
    for primary in (0..problem.primary() as u32).map(ItemId::new) {
        for item in common.of(primary).iter().filter(|&&item| certain(item).is_some()) {
            hosts[item.index()].get_or_insert(primary);
        }
    }
    let options: Vec<OptionId> = problem.option_ids().collect();
    problem.restricted(&options, |option, entry| {
        let Some(color) = certain(entry.item) else { return true };
        let has = |host| problem.option(option).iter().any(|entry| entry.item == host);
        rules.iter().any(|rule| rule.depends_on(entry.item, color))
            && hosts[entry.item.index()].is_none_or(has)
    })
}
