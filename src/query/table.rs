//! What goes together in a query, and what is said where something does not. Every refusal stands here, once.

use std::fmt;

use crate::constraint::registry;
use crate::problem::Problem;

/// Something that a query asks for, or that its problem has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // most are the flag of this name
pub enum Feature {
    Limit,
    First,
    Every,
    Count,
    Unique,
    Facts,
    MinCost,
    Best,
    Proof,
    Certify,
    Seed,
    NoPrune,
    /// Another branching rule than MRV.
    Branch,
    /// More than one thread.
    Threads,
    Checkpoint,
    Resume,
    /// A part of the search.
    Part,
    Plan,
    Tour,
    Zdd,
    /// A format that is not the first, nor `jsonl`, and none of those above.
    Format,
    /// `--engine links`, and so on.
    Links,
    Bits,
    Learn,
    Memo,
    /// Some constraint, or the rules of a puzzle.
    Constraint,
    /// The one that makes tours.
    Loop,
    /// The problem has bounds on items.
    Bounds,
    /// Its options have costs.
    Costs,
}

use Feature::{
    Best, Bits, Bounds, Branch, Certify, Checkpoint, Constraint, Costs, Count, Every, Facts, First, Format,
    Learn, Limit, Links, Loop, Memo, MinCost, NoPrune, Part, Plan, Proof, Resume, Seed, Threads,
    Tour, Unique, Zdd,
};

impl Feature {
    /// The flag that asks for it.
    pub const fn flag(self) -> &'static str {
        match self {
            Limit => "--limit",
            First => "--first",
            Every => "--every",
            Count => "--count",
            Unique => "--unique",
            Facts => "--facts",
            MinCost => "--min-cost",
            Best => "--best",
            Proof => "--proof",
            Certify => "--certify",
            Seed => "--seed",
            NoPrune => "--no-prune",
            Branch => "--branch",
            Threads => "--threads",
            Checkpoint => "--checkpoint",
            Resume => "--resume",
            Part => "--part",
            Plan => "--plan",
            Tour => "--format tour",
            Zdd => "--format zdd",
            Format => "--format",
            Links => "--engine links",
            Bits => "--engine bits",
            Learn => "--engine learn",
            Memo => "--engine memo",
            Constraint => "a constraint",
            Loop => "--loop",
            Bounds => "bounds",
            Costs => "costs",
        }
    }
}

/// Each of `these` with each of `those`, and why not. In the reason `{1}` and `{2}` are the flags, and `{constraints}` those of
/// all constraints.
struct Exclusion {
    these: &'static [Feature],
    those: &'static [Feature],
    why: &'static str,
}

/// Flags that mean different things.
const OTHER: &str = "{1} cannot be used with {2}";

const fn exclusion(
    these: &'static [Feature],
    those: &'static [Feature],
    why: &'static str,
) -> Exclusion {
    Exclusion { these, those, why }
}

/// What does not go together; the first row that applies is the one that speaks.
static TABLE: [Exclusion; 29] = [
    exclusion(&[First], &[Limit], OTHER),
    exclusion(&[Count], &[Every], OTHER),
    exclusion(&[Unique], &[Count, Limit, First, Every], OTHER),
    exclusion(&[Proof], &[Seed], OTHER),
    exclusion(
        &[Zdd],
        &[
            Count, Limit, First, Every, Unique, Proof, Facts, MinCost, Best, Checkpoint, Resume,
            Part,
        ],
        "{1} is one diagram of all solutions, without {2}",
    ),
    exclusion(
        &[Facts],
        &[Unique, Count, Limit, First, Every, Seed, Proof, Checkpoint, Resume, Part],
        OTHER,
    ),
    exclusion(&[MinCost, Best], &[Unique, Count, Limit, First, Every, Facts], OTHER),
    exclusion(&[MinCost], &[Best], OTHER),
    exclusion(&[Part], &[Unique, First, Limit, Every], OTHER),
    exclusion(
        &[Branch],
        &[Facts, MinCost, Best, Zdd],
        "--branch is for searches that visit solutions in the order of a tree, not for --facts, --min-cost, --best \
         and --format zdd",
    ),
    exclusion(
        &[MinCost, Best],
        &[Bits, Learn, Memo, Checkpoint, Resume, Part, Threads, Proof],
        "--min-cost and --best have an engine of their own, with one thread and without proof, checkpoint or parts",
    ),
    exclusion(&[Facts], &[Tour, Format], "--facts has no other format than its own and jsonl"),
    exclusion(&[Facts], &[Links, Bits, Memo], "--facts needs the engine learn"),
    exclusion(
        &[Facts],
        &[Bounds],
        "--facts needs the engine learn, which knows no bounds on items",
    ),
    exclusion(
        &[Proof],
        &[Links, Bits, Memo],
        "--proof needs the engine learn: the others write no proofs",
    ),
    exclusion(
        &[Proof],
        &[Checkpoint, Resume, Part],
        "--proof is about a whole search: no --checkpoint, --resume or --part",
    ),
    exclusion(
        &[Proof],
        &[NoPrune],
        "--proof needs pruning: a test of complete solutions gives no lemmas",
    ),
    exclusion(&[Proof], &[Bounds, Costs], "--proof: there are no proofs about bounds or costs"),
    exclusion(&[Certify], &[Proof, Seed, Facts, Zdd, Every], OTHER),
    exclusion(
        &[Certify],
        &[MinCost, Best],
        "--certify is about solutions and their number, not about costs: no {2}",
    ),
    exclusion(
        &[Certify],
        &[Learn, Memo],
        "--certify needs an engine that visits the tree: links or bits, of which auto takes one",
    ),
    exclusion(
        &[Certify],
        &[Threads, Checkpoint, Resume, Part],
        "--certify is about a whole search by one thread: no {2}",
    ),
    exclusion(
        &[Checkpoint, Resume, Part],
        &[Learn, Memo],
        "--checkpoint, --resume and --part need an engine whose state is a path of choices: links or bits, of which \
         auto takes one",
    ),
    exclusion(
        &[Bits],
        &[Constraint],
        "--engine bits knows exact covers only, without constraints ({constraints}) or the rules of a puzzle; use \
         links, learn or auto",
    ),
    exclusion(&[Bits], &[Bounds], "{1} knows no bounds on items; use links or auto"),
    exclusion(&[Learn], &[Bounds], "{1} knows no bounds on items; use links or auto"),
    exclusion(&[Memo], &[Bounds], "{1} knows no bounds on items; use links or auto"),
    exclusion(&[Zdd], &[Bounds], "--format zdd: a diagram knows no bounds on items"),
    exclusion(&[Zdd], &[Costs], "--format zdd: a diagram has no place for costs"),
];

/// What makes no sense without something else.
static NEEDS: [(Feature, Feature); 2] = [(Tour, Loop), (Plan, Part)];

/// What does not go together in a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// What the problem has that does not go with the query: [`Feature::Bounds`] or [`Feature::Costs`].
    pub of_problem: Option<Feature>,
    what: String,
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Clash {}

/// Whether all of this goes together.
///
/// # Errors
///
/// Says which two do not, and why.
pub fn check(parts: &[Feature]) -> Result<(), Clash> {
    let has = |part: &Feature| parts.contains(part);
    for &(part, needed) in &NEEDS {
        if has(&part) && !has(&needed) {
            let what = format!("{} needs {}", part.flag(), needed.flag());
            return Err(Clash { of_problem: None, what });
        }
    }
    for Exclusion { these, those, why } in &TABLE {
        let (Some(this), Some(that)) =
            (these.iter().find(|part| has(part)), those.iter().find(|part| has(part)))
        else {
            continue;
        };
        let what = why.replace("{1}", this.flag()).replace("{2}", that.flag());
        let what = what.replace("{constraints}", &registry::flags("or"));
        let of_problem = matches!(that, Bounds | Costs).then_some(*that);
        return Err(Clash { of_problem, what });
    }
    Ok(())
}

/// What a problem has that not all engines know.
pub fn of_problem(problem: &Problem) -> impl Iterator<Item = Feature> {
    let bounds = problem.has_bounds().then_some(Bounds);
    bounds.into_iter().chain(problem.has_costs().then_some(Costs))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each pair of each row is refused, whichever row speaks; and nothing is refused alone but what needs another.
    #[test]
    fn every_row_speaks() {
        for row in &TABLE {
            for &this in row.these {
                assert!(check(&[this]).is_ok() || NEEDS.iter().any(|&(part, _)| part == this));
                for &that in row.those {
                    let clash = check(&[that, this]).expect_err("the row refuses them");
                    assert!(!clash.to_string().contains('{'), "{clash}");
                    assert_eq!(clash, check(&[this, that]).expect_err("in any order"));
                }
            }
        }
        assert_eq!(check(&[Plan]).expect_err("alone").to_string(), "--plan needs --part");
        let clash = check(&[Unique, Count]).expect_err("they differ");
        assert_eq!(clash.to_string(), "--unique cannot be used with --count");
        assert_eq!(clash.of_problem, None);
        assert_eq!(check(&[Zdd, Costs]).expect_err("no place").of_problem, Some(Costs));
    }
}
