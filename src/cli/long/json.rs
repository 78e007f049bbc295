//! What checkpoints, plans and finished parts have in common, as JSON. Members are in the order of their names.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::branch::RULES;
use crate::constraint::registry;
use crate::ids::{ItemId, OptionId};
use crate::search::interval::{Bounds, Interval};
use crate::solution::Choice;

/// The search that a file is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchIdentity {
    /// The flags that matter, with their values.
    pub flags: BTreeMap<String, String>,
    /// The checksum of the problem.
    pub problem: String,
}

impl SearchIdentity {
    /// The value of a flag. In files that were written before there was --branch, or some constraint, it is missing.
    pub fn flag(&self, name: &str) -> Option<&str> {
        let default = || match name {
            "--branch" => Some(RULES[0].name),
            _ => registry::absent(name),
        };
        self.flags.get(name).map(String::as_str).or_else(default)
    }

    /// Whether it is the same search, or another part of it.
    pub fn has_parts_with(&self, other: &SearchIdentity) -> bool {
        let mut names = self.flags.keys().chain(other.flags.keys());
        self.problem == other.problem
            && names.all(|name| name == "--part" || self.flag(name) == other.flag(name))
    }
}

/// What an interval that the search began with has come to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntervalResult {
    /// The bytes that its solutions took.
    pub bytes: u64,
    /// Where it begins.
    pub key: Vec<u32>,
    /// Solutions that were handed on.
    pub solutions: u64,
}

/// No search has more solutions than this, or bytes of them, so that sums of a few numbers are numbers, too.
pub const MOST: u64 = u64::MAX / 8;

/// The sum of something over all lanes, unless no search has as much.
pub fn sum(lanes: &[IntervalResult], member: fn(&IntervalResult) -> u64) -> Option<u64> {
    let sum = lanes.iter().try_fold(0u64, |sum, lane| sum.checked_add(member(lane)));
    sum.filter(|&sum| sum <= MOST)
}

/// An interval of the search tree. See [`Interval`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Span {
    after: bool,
    floor: usize,
    /// The interval that it was cut from, in a plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lane: Option<usize>,
    /// A choice is the item, the option, its rank and how many there are; items and options are counted from 1, and
    /// the option is 0 if it took none.
    path: Vec<[u32; 4]>,
    to: u32,
}

impl Span {
    /// The interval as JSON.
    pub fn new(interval: &Interval) -> Span {
        let Interval { path, after, bounds: Bounds { floor, to } } = interval;
        let choice = |choice: &Choice| {
            let Choice { option, item, rank, degree } = *choice;
            [item.raw() + 1, option.map_or(0, |option| option.index() as u32 + 1), rank, degree]
        };
        let path = path.iter().map(choice).collect();
        Span { after: *after, floor: *floor, lane: None, path, to: *to }
    }

    /// The same, cut from the interval with this number.
    pub fn cut_from(self, lane: usize) -> Span {
        Span { lane: Some(lane), ..self }
    }

    /// The interval that it was cut from, if that is said.
    pub fn lane(&self) -> Option<usize> {
        self.lane
    }

    /// The interval, if it is one.
    pub fn interval(&self) -> Option<Interval> {
        let choice = |&[item, option, rank, degree]: &[u32; 4]| {
            let item = ItemId::new(item.checked_sub(1)?);
            let option = option.checked_sub(1).map(OptionId::new);
            Some(Choice { option, item, rank, degree })
        };
        let path = self.path.iter().map(choice).collect::<Option<_>>()?;
        let bounds = Bounds { floor: self.floor, to: self.to };
        Some(Interval { path, after: self.after, bounds }).filter(Interval::is_sound)
    }
}
