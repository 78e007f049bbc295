//! What is left of a problem with rules when all that is certain is taken out.
//!
//! A frontier counts loops without knowing more than what it has passed; it carries along states that a
//! glance at the other end of the board would refute. `learn` takes such glances. So it says first what all
//! solutions have in common ([`facts`]), as far as that is found out soon, and whatever disagrees is left
//! out before the count:
//!
//! ```text
//! every loop has edge e         options with e:0 go; so does e, for nobody asks for it any more
//! every loop does without f     options with f:1 go
//! ```
//!
//! Where an item has the same color in all options that are left, none of them clash in it. If no rule minds
//! the color, its entries go. If one does, it has to hear of it once: if all options of some primary item have the
//! color, theirs stay, and the others go.
//!
//! The items and colors keep their numbers, for the rules know them by these. There are equally many
//! solutions, option for option.

use crate::constraint::automaton::Automaton;
use crate::constraint::{Conjunction, Propagator};
use crate::ids::{Color, ItemId, OptionId};
use crate::problem::{Entry, Problem, ProblemBuilder};
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
        return rebuild(problem, &[]);
    }
    let options = agreeing(problem, &facts);
    let options = without_certain(problem, options, &automata);
    let entries: usize = options.iter().map(Vec::len).sum();
    if entries == problem.entries() {
        return None;
    }
    rebuild(problem, &options)
}

/// The options that agree with the facts, with all of their entries.
fn agreeing(problem: &Problem, facts: &Facts) -> Vec<Vec<Entry>> {
    let mut shared = vec![Shared::Unknown; problem.items()];
    for &(item, color) in &facts.colors {
        shared[item.index()] = color;
    }
    let agrees = |entry: &Entry| match shared[entry.item.index()] {
        Shared::Color(color) => entry.color == color,
        Shared::Uncolored => entry.color.is_none(),
        Shared::Differs | Shared::Unknown => true,
    };
    let row = |option: OptionId| -> Vec<Entry> { problem.option(option).iter().collect() };
    problem.option_ids().map(row).filter(|row| row.iter().all(agrees)).collect()
}

/// Without the entries of items in which no two options clash.
fn without_certain(
    problem: &Problem,
    mut options: Vec<Vec<Entry>>,
    rules: &[Box<dyn Automaton>],
) -> Vec<Vec<Entry>> {
    // By item: its color in the options so far, unless they differ.
    let mut single: Vec<Option<Option<Color>>> = vec![None; problem.items()];
    for entry in options.iter().flatten().filter(|entry| !problem.is_primary(entry.item)) {
        let color = (!entry.color.is_none()).then_some(entry.color);
        let known = single[entry.item.index()].get_or_insert(color);
        if *known != color {
            *known = None;
        }
    }
    let certain = |item: ItemId| single[item.index()].flatten();
    let hosts = hosts(problem, &options, &certain);
    for row in &mut options {
        let items: Vec<ItemId> = row.iter().map(|entry| entry.item).collect();
        row.retain(|entry| {
            let Some(color) = certain(entry.item) else { return true };
            if !rules.iter().any(|rule| rule.depends_on(entry.item, color)) {
                return false;
            }
            hosts[entry.item.index()].is_none_or(|host| items.contains(&host))
        });
    }
    options
}

/// By secondary item that is certain: a primary item all options of which have it, if there is one.
fn hosts(
    problem: &Problem,
    options: &[Vec<Entry>],
    certain: &dyn Fn(ItemId) -> Option<Color>,
) -> Vec<Option<ItemId>> {
    let mut uses: Vec<Vec<usize>> = vec![Vec::new(); problem.primary()];
    for (number, row) in options.iter().enumerate() {
        for entry in row.iter().filter(|entry| problem.is_primary(entry.item)) {
            uses[entry.item.index()].push(number);
        }
    }
    let mut hosts = vec![None; problem.items()];
    let mut count = vec![0; problem.items()];
    for (primary, uses) in uses.iter().enumerate() {
        let entries = || uses.iter().flat_map(|&number| &options[number]);
        for item in entries().map(|entry| entry.item).filter(|&item| certain(item).is_some()) {
            count[item.index()] += 1;
            if count[item.index()] == uses.len() {
                hosts[item.index()].get_or_insert(ItemId::new(primary as u32));
            }
        }
        entries().for_each(|entry| count[entry.item.index()] = 0);
    }
    hosts
}

/// The items of `problem` with other options.
fn rebuild(problem: &Problem, options: &[Vec<Entry>]) -> Option<Problem> {
    let mut builder = ProblemBuilder::default();
    for (item, name) in problem.names() {
        match problem.is_primary(item) {
            true => builder.primary_item(name, problem.bound(item)).ok()?,
            false => builder.secondary_item(name).ok()?,
        };
    }
    for color in 1..=problem.colors() as u32 {
        builder.color(problem.color_name(Color::new(color)));
    }
    for row in options {
        row.iter().try_for_each(|entry| builder.entry(entry.item, entry.color)).ok()?;
        builder.end_option().ok()?;
    }
    Some(builder.finish())
}
