//! What the tests of all kinds share: fixtures, and a solver too simple to be wrong.

use super::clues::{Clue, Clues, Coloring};
use super::{Kind, Model};
use crate::dlx::write::{Counts, Writer};
use crate::names::{Coord, Width};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// `(name, board, other file)` of fixtures of one kind.
macro_rules! fixtures {
    ($kind:literal, $end:literal, $($name:literal),* $(,)?) => {
        [$((
            $name,
            include_str!(concat!("../../fixtures/", $kind, "/", $name, ".txt")),
            include_str!(concat!("../../fixtures/", $kind, "/", $name, $end)),
        )),*]
    };
}
pub(crate) use fixtures;

/// The problem of a board as text.
pub fn write(kind: &dyn Kind, clues: &Clues, unreduced: bool) -> (String, Counts) {
    let mut text = Vec::new();
    let mut out = Writer::new(&mut text as &mut dyn io::Write);
    kind.write(clues, Model { unreduced }, &mut out).unwrap();
    let counts = out.counts();
    (String::from_utf8(text).unwrap(), counts)
}

/// What Knuth's program wrote, without the blanks at the ends of its lines.
pub fn trimmed(golden: &str) -> String {
    golden.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// A loop from a list of edges, as item names or as `row,column`.
pub fn edges(solution: &str) -> Coloring {
    let mut coloring = Coloring::new();
    for word in solution.split_whitespace() {
        let at = match word.split_once(',') {
            Some((row, col)) => Coord::new(row.parse().unwrap(), col.parse().unwrap()),
            None => Width::new(1).unwrap().decode(word.as_bytes()).unwrap(),
        };
        coloring.insert(at, b"1");
    }
    coloring
}

/// Checks that a solution is accepted, and refused after any one color in it has changed.
pub fn assert_isolated(kind: &dyn Kind, clues: &Clues, mut coloring: Coloring, name: &str) {
    assert_eq!(kind.check(clues, &coloring), Ok(()), "{name}");
    let points: Vec<(Coord, bool)> =
        coloring.iter().map(|(at, color)| (at, color == b"1")).collect();
    for (at, one) in points {
        coloring.insert(at, if one { b"0" } else { b"1" });
        assert!(kind.check(clues, &coloring).is_err(), "{name} with other {at:?}");
        coloring.insert(at, if one { b"1" } else { b"0" });
    }
}

/// A board with some of these clues; the first one most of the time.
pub fn random_board(random: &mut fastrand::Rng, rows: u32, cols: u32, palette: &[Clue]) -> Clues {
    let mut clues = Clues::blank(rows, cols);
    for cell in &mut clues.cells {
        *cell = palette[if random.bool() { 0 } else { random.usize(..palette.len()) }];
    }
    clues
}

/// The points of color 1 of every cover of a problem with one digit a coordinate, sorted. By plain
/// backtracking, one primary item after the other.
pub fn covers(text: &str) -> Vec<BTreeSet<Coord>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('|') && !line.is_empty());
    let items = lines.next().unwrap();
    let primary: Vec<&str> = items.split(" |").next().unwrap().split(' ').collect();
    let options: Vec<Vec<&str>> = lines.map(|line| line.split(' ').collect()).collect();
    let mut covers = Vec::new();
    cover(&primary, &options, &mut BTreeMap::new(), &mut covers);
    covers.sort();
    covers
}

fn cover<'a>(
    primary: &[&str],
    options: &[Vec<&'a str>],
    taken: &mut BTreeMap<&'a str, Option<&'a str>>,
    covers: &mut Vec<BTreeSet<Coord>>,
) {
    let Some(item) = primary.iter().find(|&item| !taken.contains_key(item)) else {
        let ones = taken.iter().filter(|(_, color)| **color == Some("1"));
        let point = |name: &str| Width::new(1).unwrap().decode(name.as_bytes()).unwrap();
        covers.push(ones.map(|(name, _)| point(name)).collect());
        return;
    };
    for option in options.iter().filter(|option| option.contains(item)) {
        let split = |entry: &'a str| match entry.split_once(':') {
            Some((name, color)) => (name, Some(color)),
            None => (entry, None),
        };
        let fits = |entry: &&'a str| {
            let (name, color) = split(entry);
            taken.get(name).is_none_or(|other| color.is_some() && *other == color)
        };
        if option.iter().all(fits) {
            let before = taken.clone();
            taken.extend(option.iter().map(|entry| split(entry)));
            cover(primary, options, taken, covers);
            *taken = before;
        }
    }
}

/// All sets of these points that a rule accepts, as colorings and as sets.
pub fn sets_that(
    points: &[Coord],
    accepts: impl Fn(&Coloring) -> bool,
) -> Vec<(Coloring, BTreeSet<Coord>)> {
    let mut sets = Vec::new();
    for bits in 0..1u32 << points.len() {
        let mut coloring = Coloring::new();
        let mut set = BTreeSet::new();
        for (index, &at) in points.iter().enumerate() {
            let one = bits >> index & 1 == 1;
            coloring.insert(at, if one { b"1" } else { b"0" });
            if one {
                set.insert(at);
            }
        }
        if accepts(&coloring) {
            sets.push((coloring, set));
        }
    }
    sets
}
