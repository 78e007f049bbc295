//! A ZDD of solutions that are visited.
//!
//! They are listed and sorted afterwards. Where a list gets too long, and they come in the order of a tree of
//! choices, they become nodes as they come.

use std::ops::ControlFlow;

use crate::problem::Problem;
use crate::search::engine::{Sink, Status};
use crate::search::fraction::fraction;
use crate::search::memo::elimination_order;
use crate::search::portfolio::count::LARGE;
use crate::search::zdd::Zdd;
use crate::search::zdd::covers::Covers;
use crate::search::zdd::trie::Trie;
use crate::solution::Choices;

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
enum ZddForm {
    /// They are counted, by the engine that visits them.
    Nothing,
    List(Covers),
    Tree(Trie),
}

/// Collects solutions if a ZDD is to be made of them.
pub struct Collector {
    form: ZddForm,
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

impl Collector {
    /// Collects nothing.
    pub fn counting() -> Self {
        Collector::new(ZddForm::Nothing, 0)
    }

    /// Collects for a ZDD, within `room` bytes.
    pub fn drawing(room: usize) -> Self {
        Collector::new(ZddForm::List(Covers::default()), room)
    }

    fn new(form: ZddForm, room: usize) -> Self {
        Collector { form, found: 0, expected: 0.0, in_order: false, room, most: MOST, over: None }
    }

    /// From here on solutions come in the order of a tree; or else there is no other way to make the ZDD, and the
    /// list has no end.
    pub fn set_order(&mut self, in_order: bool) {
        self.in_order = in_order;
        self.most = if in_order { MOST } else { usize::MAX };
    }

    /// Whether a ZDD is made.
    pub fn draws(&self) -> bool {
        !matches!(self.form, ZddForm::Nothing)
    }

    /// From here on the solutions are counted in another way.
    pub fn keep_none(&mut self) {
        self.form = ZddForm::Nothing;
    }

    /// Makes the diagram of what was collected in a search that ended so. `stops` is asked now and then whether
    /// to stop.
    pub fn draw(
        self,
        problem: &Problem,
        status: Status,
        stops: &mut dyn FnMut() -> bool,
    ) -> Result<Zdd, Status> {
        match (self.over, self.form) {
            (Some(Over::Room), _) => Err(Status::Full),
            (_, ZddForm::Nothing) => Err(status),
            _ if status != Status::Exhausted => Err(status),
            (_, ZddForm::Tree(trie)) => trie.finish(),
            (_, ZddForm::List(covers)) => {
                let items = match problem.entries() <= LARGE {
                    true => elimination_order::find(problem).items,
                    false => (0..problem.primary() as u32).collect(),
                };
                covers.diagram(&elimination_order::options(problem, &items), self.room, stops)
            }
        }
    }

    /// Takes a solution; an error if there is no place for it.
    fn keep(&mut self, choices: &dyn Choices) -> Result<(), Over> {
        let bytes = match &mut self.form {
            ZddForm::Nothing => 0,
            ZddForm::Tree(trie) => {
                trie.push(&choices.cover()).map_err(|_| Over::Room)?;
                trie.bytes()
            }
            ZddForm::List(covers) => {
                covers.push(choices);
                if covers.entries() > self.most {
                    if !self.in_order {
                        return Err(Over::Most);
                    }
                    let trie = std::mem::take(covers).into_trie().map_err(|_| Over::Room)?;
                    self.form = ZddForm::Tree(trie);
                    return Ok(());
                }
                covers.bytes()
            }
        };
        if bytes > self.room { Err(Over::Room) } else { Ok(()) }
    }

    /// Takes solutions, and passes questions on.
    pub fn sink<'c>(&'c mut self, sink: &'c mut dyn Sink) -> impl Sink + 'c {
        Collecting { collector: self, sink }
    }
}

/// Takes the place of a sink.
struct Collecting<'c> {
    collector: &'c mut Collector,
    sink: &'c mut dyn Sink,
}

impl Sink for Collecting<'_> {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        let Collecting { collector, .. } = self;
        if !collector.draws() {
            return ControlFlow::Continue(());
        }
        collector.found += 1;
        if collector.in_order && collector.found >= SAMPLE && collector.found.is_power_of_two() {
            collector.expected = collector.found as f64 / fraction(choices);
        }
        match collector.keep(choices) {
            Ok(()) => ControlFlow::Continue(()),
            Err(over) => {
                collector.over = Some(over);
                ControlFlow::Break(())
            }
        }
    }

    fn poll(&mut self) -> ControlFlow<()> {
        self.sink.poll()
    }
}
