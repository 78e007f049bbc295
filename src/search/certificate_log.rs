//! What a search did, for a certificate: the item branched on at each node, in preorder, and the lemmas by which a
//! constraint cut nodes or took options away.
//!
//! docs/certificates.md has the format. The tree needs no more: who reads it splits a node on all options of the item that
//! are left, in their order, and comes to the same children. It costs a byte or two for each node.

use crate::constraint::{Explanation, LemmaWord, Literal, Moves, Reason, Uses};
use crate::ids::{Color, ItemId};
use crate::problem::Problem;

/// A lemma cuts the node.
const CUT: u64 = 0;

/// A lemma takes options away.
const TAKE_AWAY: u64 = 1;

/// All primary items are covered.
const COVERED: u64 = 2;

/// The number of the first item.
const FIRST_ITEM: u64 = 3;

/// What was recorded since it was last drained.
#[derive(Debug)]
pub struct Trace<'p> {
    problem: &'p Problem,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether a constraint gave a reason that no lemma says.
    pub unfounded: bool,
    reason: Reason,
    words: Vec<u8>,
}

impl<'p> Trace<'p> {
    /// Nothing yet.
    pub fn new(problem: &'p Problem) -> Self {
        let (bytes, words, reason) = (Vec::new(), Vec::new(), Reason::default());
        Trace { problem, bytes, unfounded: false, reason, words }
    }

    /// A node is split on `item`.
    #[inline]
    pub fn branch(&mut self, item: ItemId) {
        self.number(u64::from(item.raw()) + FIRST_ITEM);
    }

    /// A node has all primary items covered.
    #[inline]
    pub fn covered(&mut self) {
        self.number(COVERED);
    }

    /// Seven bits a byte, the lowest first; all bytes but the last have the highest bit.
    #[inline]
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// A constraint refused the node, and `explain` says why.
    #[cold]
    pub fn cut(&mut self, explain: impl FnOnce(&mut Reason)) {
        self.lemma(CUT, None, explain);
    }

    /// The lemma that the reason, and the opposite of what it is a reason for, do not go together.
    fn lemma(&mut self, mark: u64, claim: Option<Literal>, explain: impl FnOnce(&mut Reason)) {
        self.reason.clear();
        explain(&mut self.reason);
        let opposite = claim.map(|claim| Literal { holds: !claim.holds, ..claim });
        self.reason.literals.extend(opposite);
        self.words.clear();
        self.words.extend_from_slice(self.reason.lemma.kind.as_bytes());
        let is_founded = self.reason.each_word(|word| {
            self.words.push(b' ');
            self.words.extend_from_slice(match word {
                LemmaWord::Item(item) => self.problem.name(item),
                LemmaWord::Color(Color::NONE) => b"",
                LemmaWord::Color(color) => self.problem.color_name(color),
                LemmaWord::Nothing => b"-",
            });
        });
        self.unfounded |= !is_founded;
        self.number(mark);
        self.number(self.words.len() as u64);
        self.bytes.extend_from_slice(&self.words);
    }
}

/// The moves of a constraint, recorded.
pub struct Recorded<'t, 'p> {
    pub moves: &'t mut dyn Moves,
    pub trace: &'t mut Trace<'p>,
}

impl Moves for Recorded<'_, '_> {
    fn forbid(&mut self, item: ItemId, color: Color, why: Explanation<'_>) {
        // Where no option is left that would do it, there is nothing to say.
        if self.moves.uses(item, color).with {
            self.trace.lemma(TAKE_AWAY, Some(Literal { item, color, holds: false }), why);
            self.moves.forbid(item, color, why);
        }
    }

    fn require(&mut self, item: ItemId, color: Color, why: Explanation<'_>) {
        if self.moves.uses(item, color).without {
            self.trace.lemma(TAKE_AWAY, Some(Literal { item, color, holds: true }), why);
            self.moves.require(item, color, why);
        }
    }

    fn uses(&self, item: ItemId, color: Color) -> Uses {
        self.moves.uses(item, color)
    }

    fn tells(&self) -> bool {
        self.moves.tells()
    }
}
