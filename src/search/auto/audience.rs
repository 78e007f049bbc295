//! Who hears of the solutions that are visited, and keeps them if a ZDD is to be made of them.
//!
//! They are listed and sorted afterwards. Where a list gets too long, and they come in the order of a tree of
//! choices, they become nodes as they come.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use crate::problem::Problem;
use crate::search::auto::Answer;
use crate::search::auto::count::LARGE;
use crate::search::fraction::fraction;
use crate::search::memo::order;
use crate::search::zdd::Zdd;
use crate::search::zdd::covers::Covers;
use crate::search::zdd::trie::Trie;
use crate::search::{End, Limits, Moment, Observer};
use crate::solution::{Choice, Choices};

/// Options of covers that are listed for a ZDD. If there are more, it grows while they are found, which is possible if
/// they come in the order of a tree; or else it is made by a memo alone.
const MOST: usize = 1 << 24;

/// Solutions from which their number is estimated.
const SAMPLE: u64 = 64;

/// Why no more covers are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// There are too many, whatever the machine.
    Most,
    /// They take more memory than is allowed.
    Room,
}

/// What is done with solutions.
enum Heard {
    /// They are counted, but by somebody else.
    Nothing,
    List(Covers),
    Tree(Trie),
}

/// Hears of solutions; keeps them if a ZDD is to be made of them.
pub struct Audience<'o> {
    observer: &'o mut dyn Observer,
    heard: Heard,
    /// How many there were.
    found: u64,
    /// About how many there will be; 0 until that can be told.
    pub expected: f64,
    /// Whether they come in the order of a tree.
    in_order: bool,
    /// Bytes that they may take, and options that a list may have.
    room: usize,
    most: usize,
    /// Whether there were too many, or they were too large.
    pub over: Option<Over>,
}

impl<'o> Audience<'o> {
    /// Whoever only counts.
    pub fn counting(observer: &'o mut dyn Observer) -> Self {
        Audience::new(observer, Heard::Nothing, 0)
    }

    /// Whoever makes a ZDD, within `room` bytes.
    pub fn drawing(observer: &'o mut dyn Observer, room: usize) -> Self {
        Audience::new(observer, Heard::List(Covers::default()), room)
    }

    fn new(observer: &'o mut dyn Observer, heard: Heard, room: usize) -> Self {
        let (found, expected, in_order, most, over) = (0, 0.0, false, MOST, None);
        Audience { observer, heard, found, expected, in_order, room, most, over }
    }

    /// From here on solutions come in the order of a tree, or nobody else has a way to go: then a list has no end.
    pub fn set_order(&mut self, in_order: bool) {
        self.in_order = in_order;
        self.most = if in_order { MOST } else { usize::MAX };
    }

    /// Whether a ZDD is made.
    pub fn draws(&self) -> bool {
        !matches!(self.heard, Heard::Nothing)
    }

    /// Makes the diagram of what was heard in a search that came to this answer.
    pub fn draw(
        self,
        problem: &Problem,
        answer: Answer,
        limits: &Limits<'_>,
    ) -> (Answer, Option<Zdd>) {
        let made = match (self.over, self.heard) {
            (Some(Over::Room), _) => Err(End::Full),
            _ if answer.end != End::Exhausted => Err(answer.end),
            (_, Heard::Nothing) => Err(answer.end),
            (_, Heard::Tree(trie)) => trie.finish(),
            (_, Heard::List(covers)) => {
                let items = match problem.entries() <= LARGE {
                    true => order::find(problem).items,
                    false => (0..problem.primary() as u32).collect(),
                };
                let order = order::options(problem, &items);
                let moment = Moment { stats: &answer.stats, choices: &Vec::<Choice>::new() };
                let observer = self.observer;
                let mut stops = || {
                    let calls = limits.attention.swap(false, Ordering::Relaxed);
                    calls && observer.tick(&moment).is_break()
                };
                covers.diagram(&order, self.room, &mut stops)
            }
        };
        match made {
            Ok(zdd) => (answer, Some(zdd)),
            Err(end) => (Answer { end, ..answer }, None),
        }
    }

    /// From here on solutions are counted, by somebody else.
    pub fn keep_none(&mut self) {
        self.heard = Heard::Nothing;
    }

    /// Writes a solution down.
    fn keep(&mut self, choices: &dyn Choices) -> Result<(), Over> {
        let bytes = match &mut self.heard {
            Heard::Nothing => 0,
            Heard::Tree(trie) => {
                trie.push(&choices.cover()).map_err(|_| Over::Room)?;
                trie.bytes()
            }
            Heard::List(covers) => {
                covers.push(choices);
                if covers.entries() > self.most {
                    if !self.in_order {
                        return Err(Over::Most);
                    }
                    let trie = std::mem::take(covers).into_trie().map_err(|_| Over::Room)?;
                    self.heard = Heard::Tree(trie);
                    return Ok(());
                }
                covers.bytes()
            }
        };
        if bytes > self.room { Err(Over::Room) } else { Ok(()) }
    }
}

impl Observer for Audience<'_> {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        if !self.draws() {
            return ControlFlow::Continue(());
        }
        self.found += 1;
        if self.in_order && self.found >= SAMPLE && self.found.is_power_of_two() {
            self.expected = self.found as f64 / fraction(choices);
        }
        match self.keep(choices) {
            Ok(()) => ControlFlow::Continue(()),
            Err(over) => {
                self.over = Some(over);
                ControlFlow::Break(())
            }
        }
    }

    fn tick(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        self.observer.tick(moment)
    }

    fn lacks_memory(&mut self) -> bool {
        self.observer.lacks_memory()
    }
}
