//! Conditions on whole solutions that options cannot express: one loop, connected cells, no cycle.
//!
//! A [`Constraint`] is such a condition as a value, with its argument if it has one. Each has a folder here, and its
//! declaration in [`REGISTRY`]: command line, messages, proofs, checks and reductions know it from there alone. The folder has
//!
//! | file | what |
//! |---|---|
//! | `mod` | the value, its declaration, how it is bound to the names of a problem |
//! | `propagator` | what an engine asks while it searches: a [`Propagator`] |
//! | `automaton` | what an engine asks that counts: an [`Automaton`] |
//! | `verify` | whether a finished solution satisfies it, in plain loops |
//! | `lemmas` | the kinds of lemmas that the propagator gives as reasons, and how they are judged |
//!
//! The last two share no code with the first two, on purpose: they check them.
//!
//! A propagator watches the colors of secondary items as an engine fixes them, may refuse one, and
//! may forbid colors that lead nowhere. It knows neither the engine nor the text of the file.
//!
//! # The contract of a propagator
//!
//! | when | call | answer |
//! |---|---|---|
//! | a choice begins | [`mark`](Propagator::mark) | |
//! | an option fixes an item, *before* the engine acts on it | [`fixed`](Propagator::fixed) | refuse? |
//! | a color of an item is gone, if the engine [`tells`](Moves::tells) | [`lost`](Propagator::lost) | refuse? |
//! | the whole option stands | [`settle`](Propagator::settle) | refuse? and [`Moves`] |
//! | all primary items are covered | [`complete`](Propagator::complete) | refuse? |
//! | a learning engine asks why it was refused | [`explain`](Propagator::explain) | a [`Reason`] |
//! | choices are taken back | [`backtrack`](Propagator::backtrack) | |
//!
//! 1. An item is fixed at most once on a path.
//! 2. `fixed` may refuse in the middle of an option; the engine then undoes the part that it did,
//!    and calls `backtrack`. Undo is by level, never item by item: engines that restore whole words
//!    or jump back over many levels do not know the items.
//! 3. In the middle of an option nothing is consistent (a vertex may have degree 3 for a moment), so
//!    a constraint relies on its own state alone.
//! 4. `forbid` and `require` concern items that are not fixed (on one that is they do nothing, in a propagator of
//!    [`with_propagator`](crate::Query::with_propagator)). What they remove comes back with the level in which
//!    `settle` was called.
//! 5. A constraint may miss a failure until `complete`, and must be exact there.
//!
//! # Why engines are generic over it
//!
//! With `()` the calls vanish; through a trait object they cost 4 to 7 percent on a plain search.
//! The command line uses two instantiations, `()` and [`Conjunction`], so that code is
//! never multiplied.

#[doc(hidden)]
pub mod acyclic;
#[doc(hidden)]
pub mod automaton;
#[doc(hidden)]
pub mod connected;
#[doc(hidden)]
pub mod edges;
#[doc(hidden)]
pub mod explained;
#[doc(hidden)]
pub mod final_test;
#[doc(hidden)]
pub mod graph;
#[doc(hidden)]
pub mod registry;
#[doc(hidden)]
pub mod single_loop;

#[doc(inline)]
pub use acyclic::Acyclic;
#[doc(inline)]
pub use connected::Connected;
#[doc(inline)]
pub use registry::Constraint;
#[doc(hidden)]
pub use registry::{Constraints, Method};
#[doc(inline)]
pub use single_loop::SingleLoop;

use crate::constraint::automaton::Automaton;
use crate::constraint::registry::Declaration;
use crate::ids::{Color, ItemId};

#[doc(hidden)]
/// All constraints, in the order in which they are listed and asked. A new one is a folder here and a line below.
pub static REGISTRY: [&Declaration; 3] =
    [&single_loop::DECLARATION, &connected::DECLARATION, &acyclic::DECLARATION];

/// A propagator's word on a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The step may stand.
    Fine,
    /// No solution lies beyond this step.
    Refuse,
}

impl Verdict {
    /// [`Verdict::Fine`] exactly if `fine`.
    pub const fn when(fine: bool) -> Self {
        if fine { Verdict::Fine } else { Verdict::Refuse }
    }

    /// Whether the step may stand.
    pub const fn is_fine(self) -> bool {
        matches!(self, Verdict::Fine)
    }
}

/// Something about one item, known or claimed: it has a color, or does not have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    /// A secondary item.
    pub item: ItemId,
    /// The color.
    pub color: Color,
    /// Whether the item has the color. Without it, the item may have another color or none.
    pub holds: bool,
}

/// Literals that no solution has together, and how to see that.
///
/// A learning engine makes a clause of the literals; for a proof that others can check, the lemma says
/// what to look for, so that a few lines of code that know nothing of the search can judge it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    /// The literals. No two are the same.
    pub literals: Vec<Literal>,
    /// Why they do not go together.
    #[doc(hidden)]
    pub lemma: Lemma,
}

impl Reason {
    /// Forgets all that was said.
    #[doc(hidden)]
    pub fn clear(&mut self) {
        self.literals.clear();
        self.lemma = Lemma::default();
    }
}

#[doc(hidden)]
impl Reason {
    /// The words of the line of the lemma after its kind, in order. False if there is no lemma of it.
    #[doc(hidden)]
    pub fn each_word(&self, mut each: impl FnMut(LemmaWord)) -> bool {
        let Lemma { kind, head, names_absent } = self.lemma;
        match head {
            Head::None => {}
            Head::Item(Some(item)) => each(LemmaWord::Item(item)),
            Head::Item(None) => each(LemmaWord::Nothing),
            Head::Color => {
                let first = self.literals.first();
                each(LemmaWord::Color(first.map_or(Color::NONE, |literal| literal.color)));
            }
        }
        let mut name_all = |holds: bool| {
            let is_named = |literal: &&Literal| {
                literal.holds == holds && head != Head::Item(Some(literal.item))
            };
            let named = self.literals.iter().filter(is_named);
            named.for_each(|literal| each(LemmaWord::Item(literal.item)));
        };
        name_all(true);
        if names_absent {
            name_all(false);
        }
        !kind.is_empty()
    }
}

/// A word of the line of a lemma.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LemmaWord {
    /// The name of an item.
    Item(ItemId),
    /// The text of a color; empty if it is none.
    Color(Color),
    /// `-`: no item.
    Nothing,
}

#[doc(hidden)]
/// Why literals do not go together: the kind of a lemma, and what its line in a proof names.
///
/// Kinds belong to constraints: a constraint makes its own in its file `lemmas`, lists their words in its
/// [`Declaration`], and judges them there. The line of a proof has the word, the head, then the
/// items of the literals that hold, and, if the kind wants them, of those that do not; the head is not named again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lemma {
    /// The word of the kind. It is empty if there is no more than the constraint's word: then there is no proof.
    pub kind: &'static str,
    /// What is named first.
    pub head: Head,
    /// Whether the items of literals that do not hold are named, too.
    pub names_absent: bool,
}

#[doc(hidden)]
/// What the line of a lemma names first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Head {
    /// Nothing.
    #[default]
    None,
    /// An item; `-` if there is none.
    Item(Option<ItemId>),
    /// The color of the literals.
    Color,
}

/// Makes a reason: literals that hold now, and from which the claim follows in every solution; together
/// with the opposite of the claim they are what the lemma speaks of. Chronological engines never ask;
/// so the reason is made only on demand.
pub type Explanation<'a> = &'a dyn Fn(&mut Reason);

/// What a constraint may ask of, and do to, the engine's state once a whole option stands.
pub trait Moves {
    /// Removes every option that would give `color` to `item`, a secondary item that is not fixed.
    fn forbid(&mut self, item: ItemId, color: Color, why: Explanation<'_>);

    /// Removes every option that would use `item`, a secondary item that is not fixed, with another
    /// color or with none. That does not make the cover use it.
    fn require(&mut self, item: ItemId, color: Color, why: Explanation<'_>);

    /// Which uses of `item`, a secondary item that is not fixed, the remaining options offer.
    fn uses(&self, item: ItemId, color: Color) -> Uses;

    /// Whether the engine says what changes: an item of which only uses with one color are left is
    /// [`fixed`](Propagator::fixed), and any other color that goes is [`lost`](Propagator::lost). Then there
    /// is no need to ask.
    fn tells(&self) -> bool {
        false
    }
}

/// The uses of an item that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uses {
    /// Some option gives it the color in question.
    pub with: bool,
    /// Some option gives it another color, or none.
    pub without: bool,
}

/// What an engine asks of a constraint while it searches. See the [module](self) for the contract.
pub trait Propagator {
    /// Opens a level: a choice begins.
    fn mark(&mut self);

    /// Closes all levels from `level` on, 0 being the first.
    fn backtrack(&mut self, level: usize);

    /// `item`, a secondary one, gets `color`; or is used without, if [`Color::NONE`].
    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict;

    /// `item`, a secondary one that is not fixed, cannot get `color` any more. Few engines say so:
    /// [`Moves::tells`].
    fn lost(&mut self, item: ItemId, color: Color) -> Verdict {
        let _ = (item, color);
        Verdict::Fine
    }

    /// The option stands: look further, and remove what cannot be.
    fn settle(&mut self, moves: &mut dyn Moves) -> Verdict {
        let _ = moves;
        Verdict::Fine
    }

    /// Whether it may forbid or require, so that an engine may branch otherwise than without it.
    fn forbids(&self) -> bool {
        false
    }

    /// All primary items are covered: does the solution hold? By default it does: all others were refused before.
    fn complete(&mut self) -> Verdict {
        Verdict::Fine
    }

    /// What of the past still matters, for an engine that counts with a memo; one or several
    /// automata that hold exactly if this constraint does. `None` if that is everything fixed so far.
    #[doc(hidden)]
    fn automata(&self) -> Option<Vec<Box<dyn Automaton>>> {
        None
    }

    /// Right after a verdict to refuse: appends literals that hold now and that no solution has together.
    /// At [`complete`](Propagator::complete) they may say what is absent. A learning engine never
    /// meets them again; so the fewer, the better. A propagator that a query got by
    /// [`with_propagator`](crate::Query::with_propagator) may say nothing, as by default.
    fn explain(&self, out: &mut Reason) {
        let _ = out;
    }

    /// How much it has looked at since it was made, in cells or edges, where that is more than a few
    /// for each call. Searches that have a budget of work, not of time, spend it on this too.
    fn work(&self) -> u64 {
        0
    }
}

/// No constraint: every call compiles to nothing.
impl Propagator for () {
    fn mark(&mut self) {}
    fn backtrack(&mut self, _: usize) {}
    fn fixed(&mut self, _: ItemId, _: Color) -> Verdict {
        Verdict::Fine
    }
    fn complete(&mut self) -> Verdict {
        Verdict::Fine
    }
    fn automata(&self) -> Option<Vec<Box<dyn Automaton>>> {
        Some(Vec::new())
    }
    fn explain(&self, _: &mut Reason) {}
}

/// A constraint that is lent: its state can be read after the search.
impl<C: Propagator + ?Sized> Propagator for &mut C {
    fn mark(&mut self) {
        (**self).mark();
    }
    fn backtrack(&mut self, level: usize) {
        (**self).backtrack(level);
    }
    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict {
        (**self).fixed(item, color)
    }
    fn lost(&mut self, item: ItemId, color: Color) -> Verdict {
        (**self).lost(item, color)
    }
    fn settle(&mut self, moves: &mut dyn Moves) -> Verdict {
        (**self).settle(moves)
    }
    fn forbids(&self) -> bool {
        (**self).forbids()
    }
    fn complete(&mut self) -> Verdict {
        (**self).complete()
    }
    fn automata(&self) -> Option<Vec<Box<dyn Automaton>>> {
        (**self).automata()
    }
    fn explain(&self, out: &mut Reason) {
        (**self).explain(out);
    }
    fn work(&self) -> u64 {
        (**self).work()
    }
}

#[doc(hidden)]
/// Several constraints together; the first that refuses decides.
#[derive(Default)]
pub struct Conjunction {
    all: Vec<Box<dyn Propagator>>,
    /// The one that refused last.
    refused: usize,
}

impl Conjunction {
    /// No constraint yet.
    pub fn new() -> Self {
        Conjunction::default()
    }

    /// Adds one.
    pub fn push(&mut self, constraint: Box<dyn Propagator>) {
        self.all.push(constraint);
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    fn ask(&mut self, mut ask: impl FnMut(&mut dyn Propagator) -> Verdict) -> Verdict {
        for (number, constraint) in self.all.iter_mut().enumerate() {
            if !ask(&mut **constraint).is_fine() {
                self.refused = number;
                return Verdict::Refuse;
            }
        }
        Verdict::Fine
    }
}

impl From<Vec<Box<dyn Propagator>>> for Conjunction {
    fn from(all: Vec<Box<dyn Propagator>>) -> Self {
        Conjunction { all, refused: 0 }
    }
}

impl Propagator for Conjunction {
    fn mark(&mut self) {
        self.all.iter_mut().for_each(|constraint| constraint.mark());
    }

    fn backtrack(&mut self, level: usize) {
        self.all.iter_mut().for_each(|constraint| constraint.backtrack(level));
    }

    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict {
        self.ask(|constraint| constraint.fixed(item, color))
    }

    fn lost(&mut self, item: ItemId, color: Color) -> Verdict {
        self.ask(|constraint| constraint.lost(item, color))
    }

    fn settle(&mut self, moves: &mut dyn Moves) -> Verdict {
        self.ask(|constraint| constraint.settle(moves))
    }

    fn forbids(&self) -> bool {
        self.all.iter().any(|constraint| constraint.forbids())
    }

    fn complete(&mut self) -> Verdict {
        self.ask(|constraint| constraint.complete())
    }

    fn automata(&self) -> Option<Vec<Box<dyn Automaton>>> {
        let each: Option<Vec<_>> =
            self.all.iter().map(|constraint| constraint.automata()).collect();
        each.map(|each| each.into_iter().flatten().collect())
    }

    fn explain(&self, out: &mut Reason) {
        if let Some(constraint) = self.all.get(self.refused) {
            constraint.explain(out);
        }
    }

    fn work(&self) -> u64 {
        self.all.iter().map(|constraint| constraint.work()).sum()
    }
}
