//! Lines ` null A`: item `A` takes no other option, says DLX3, or option `null A` was taken.
//!
//! An item may be called `null`. If no option consists of `null` and `A` alone there is no doubt. Else the
//! words leave it open: of
//!
//! ```text
//! null 0:1|a 0:1|b
//! null a
//! null b
//! ```
//!
//! each of the two covers has the lines ` null a` and ` null b`. So we ask Algorithm M which of them it prints so.

use crate::ids::{ItemId, OptionId};
use crate::problem::Problem;
use crate::search::replay::Replayer;
use crate::solutions::catalog::{Catalog, Copies};
use crate::solutions::record::Record;
use crate::solutions::verify::Verifier;
use crate::solutions::write;

/// The most lines of one solution that are looked at in both ways: each doubles the work.
const MOST: usize = 8;

/// The most ways to choose among options that are the same that are tried for one solution.
const MOST_CHOICES: usize = 2000;

/// Whether an item may be left out after it took an option or none: only then is there a null choice.
pub(super) fn has_slack(problem: &Problem, item: ItemId) -> bool {
    problem.is_primary(item) && problem.bound(item).low < problem.bound(item).high
}

/// Removes from `record` the options that are meant as null choices. `doubts` are those that may be, by
/// their places, with the items; `nulls` the items that certainly have a null choice. Answers whether the
/// record then makes sense, or with the place of an option that may be meant in either way.
pub(super) fn decide(
    record: &mut Record,
    doubts: &[(usize, ItemId)],
    nulls: &[ItemId],
    catalog: &Catalog<'_>,
) -> Result<bool, usize> {
    let problem = catalog.problem;
    let known: Option<Vec<OptionId>> = record.options.iter().map(|one| one.option).collect();
    // Where an option is unknown there is nothing to compare with: a stream of a reduced file, to be drawn.
    let Some(known) = known else {
        remove(record, doubts, &|_| true);
        return Ok(true);
    };
    if doubts.len() > MOST {
        return Err(doubts[0].0);
    }
    let mut verifier = Verifier::new(problem);
    let mut replayer = None;
    let (mut possible, mut left_to_try) = (Vec::new(), MOST_CHOICES);
    for mask in 0..1usize << doubts.len() {
        let is_null = |bit: usize| mask >> bit & 1 == 1;
        let meant =
            || doubts.iter().enumerate().filter(|&(bit, _)| is_null(bit)).map(|(_, one)| one);
        let places = (0..known.len()).filter(|&at| meant().all(|&(place, _)| place != at));
        let options: Vec<OptionId> = places.map(|at| known[at]).collect();
        let left: Vec<ItemId> =
            nulls.iter().copied().chain(meant().map(|&(_, item)| item)).collect();
        let copies = |option| catalog.copies(option);
        if verifier.cover(&options, &copies).is_err() || !fits(problem, &options, &left) {
            continue;
        }
        let mut sorted = options;
        sorted.sort_unstable();
        let replayer = replayer.get_or_insert_with(|| Replayer::new(problem));
        if is_printed(record, &sorted, catalog, replayer, &mut left_to_try) {
            remove(record, doubts, &is_null);
            return Ok(true);
        }
        // The same line twice: it does not matter which of them is the null choice.
        if possible.iter().all(|(_, other)| *other != sorted) {
            possible.push((mask, sorted));
        }
    }
    match possible[..] {
        [] => return Ok(false),
        [(mask, _)] => remove(record, doubts, &|bit| mask >> bit & 1 == 1),
        _ => return Err(doubts[0].0),
    }
    Ok(true)
}

/// Whether Algorithm M prints the text of `record` for `options`. Of options that are the same each may be meant: they
/// have the same text, but not the same rank.
fn is_printed(
    record: &Record,
    options: &[OptionId],
    catalog: &Catalog<'_>,
    replayer: &mut Replayer,
    left_to_try: &mut usize,
) -> bool {
    let mut copies = Copies::new(catalog);
    let has_copies = options.iter().any(|&option| catalog.copies(option) > 1);
    for _ in 0..if has_copies { *left_to_try } else { 1 } {
        *left_to_try = left_to_try.saturating_sub(1);
        let mut chosen = options.to_vec();
        if !copies.tell_apart(&mut chosen) {
            return false;
        }
        let (choices, mut text) = (replayer.replay(&chosen), Vec::new());
        write::knuth(catalog.problem, record.number, &choices, &mut text);
        if text == record.text {
            return true;
        }
    }
    false
}

/// Whether exactly the items of `left` have a null choice beside these options: those that might have taken
/// more. Programs that print no null choices print none at all.
fn fits(problem: &Problem, options: &[OptionId], left: &[ItemId]) -> bool {
    let mut times = vec![0u32; problem.primary()];
    for &option in options {
        for entry in problem.option(option).iter().filter(|entry| problem.is_primary(entry.item)) {
            times[entry.item.index()] += 1;
        }
    }
    let mut open: Vec<ItemId> = (0..problem.primary() as u32).map(ItemId::new).collect();
    open.retain(|&item| has_slack(problem, item) && times[item.index()] < problem.bound(item).high);
    let mut left = left.to_vec();
    left.sort_unstable();
    left.is_empty() || left == open
}

/// Removes the doubtful options that `is_null` names.
fn remove(record: &mut Record, doubts: &[(usize, ItemId)], is_null: &dyn Fn(usize) -> bool) {
    // From the last one on, so that the places of the others stay right.
    for (number, &(place, _)) in doubts.iter().enumerate().rev() {
        if is_null(number) {
            record.options.remove(place);
        }
    }
}
