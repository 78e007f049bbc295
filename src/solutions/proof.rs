//! The text of a proof, as docs/notes/proofs.md describes it.

use std::io::{self, Write};

use crate::constraint::{LemmaWord, Reason};
use crate::ids::{ItemId, OptionId};
use crate::problem::Problem;
use crate::proof::header::Header;
use crate::search::learn::direct_encoding::{Direct, Emit};
use crate::search::learn::proof_tracer::ProofTracer;
use crate::solutions::dimacs::{BlockWriter, Numerals, ShortText};

/// Writes the clauses of a problem, and one that blocks `cover`: `proof.cnf`.
pub fn clauses(
    header: &Header,
    direct: &Direct<'_>,
    cover: Option<&[OptionId]>,
    mut numerals: Numerals,
    out: impl Write,
) -> io::Result<()> {
    let mut block = BlockWriter::new(out);
    block.push(header.text().as_bytes());
    let numbers: Vec<String> = match cover {
        Some(cover) => cover.iter().map(|option| (option.index() + 1).to_string()).collect(),
        None => vec!["none".into()],
    };
    let formula = direct.formula(cover);
    let (variables, count) = formula.size();
    block.push(format!("c cover {}\np cnf {variables} {count}\n", numbers.join(" ")).as_bytes());
    numerals.reach(variables);
    let mut text = ClauseText { block, numerals };
    formula.clauses(&mut text);
    text.block.end()
}

/// Clauses on their way to a file.
struct ClauseText<W: Write> {
    block: BlockWriter<W>,
    numerals: Numerals,
}

impl<W: Write> Emit for ClauseText<W> {
    fn clause(&mut self, clause: &[i32]) {
        self.block.push_clause(clause, &self.numerals);
    }

    fn exclude(&mut self, early: &[i32], late: i32) {
        self.block.push_exclusions(early, late, &self.numerals);
    }

    fn imply(&mut self, option: i32, colors: &[i32]) {
        self.block.push_implications(option, colors, &self.numerals);
    }
}

/// Writes what a search tells: the lemmas to `lemmas`, derived clauses and deletions to `steps`.
#[derive(Debug)]
pub struct ProofWriter<'p, L: Write, S: Write> {
    problem: &'p Problem,
    numerals: Numerals,
    /// By item: a blank and its name, if that fits.
    words: Vec<ShortText>,
    lemmas: BlockWriter<L>,
    steps: BlockWriter<S>,
    count: u64,
    /// A reason that nobody could check.
    unfounded: bool,
}

impl<'p, L: Write, S: Write> ProofWriter<'p, L, S> {
    /// Begins `lemmas.txt` and `proof.drat`.
    pub fn new(
        problem: &'p Problem,
        direct: &Direct<'_>,
        header: &Header,
        lemmas: L,
        steps: S,
    ) -> Self {
        let mut lemmas = BlockWriter::new(lemmas);
        lemmas.push(header.text().as_bytes());
        ProofWriter {
            problem,
            numerals: Numerals::new(direct.variables()),
            words: problem.names().map(|(_, name)| ShortText::after_blank(name)).collect(),
            lemmas,
            steps: BlockWriter::new(steps),
            count: 0,
            unfounded: false,
        }
    }

    /// Whether some lemma has no more than a rule's word for it, so that there is no proof.
    pub fn is_unfounded(&self) -> bool {
        self.unfounded
    }

    /// Ends both files, if all went well. What it leaves is for [`clauses`].
    pub fn end(mut self) -> io::Result<Numerals> {
        self.lemmas.push(format!("c end {}\n", self.count).as_bytes());
        self.lemmas.end()?;
        self.steps.end()?;
        Ok(self.numerals)
    }

    /// A blank and a name. A board of 30 x 30 has a hundred thousand of them.
    #[inline]
    fn push_name(&mut self, item: ItemId) {
        match self.words[item.index()] {
            word if !word.is_empty() => self.lemmas.push_word(word),
            _ => self.push_long_name(item),
        }
    }

    #[cold]
    fn push_long_name(&mut self, item: ItemId) {
        self.lemmas.push(b" ");
        self.lemmas.push(self.problem.name(item));
    }

    fn push_reason(&mut self, reason: &Reason) {
        if reason.lemma.kind.is_empty() {
            self.unfounded = true;
            return;
        }
        self.lemmas.push(b" ");
        self.lemmas.push(reason.lemma.kind.as_bytes());
        reason.each_word(|word| match word {
            LemmaWord::Item(item) => self.push_name(item),
            LemmaWord::Nothing => self.lemmas.push(b" -"),
            LemmaWord::Color(color) => {
                self.lemmas.push(b" ");
                if !color.is_none() {
                    self.lemmas.push(self.problem.color_name(color));
                }
            }
        });
    }
}

impl<L: Write, S: Write> ProofTracer for ProofWriter<'_, L, S> {
    fn lemma(&mut self, clause: &[i32], reason: &Reason) {
        self.count += 1;
        self.lemmas.push_literals(clause, &self.numerals);
        self.lemmas.push(b"0");
        self.push_reason(reason);
        self.lemmas.push(b"\n");
    }

    fn derive(&mut self, clause: &[i32]) {
        self.steps.push_clause(clause, &self.numerals);
    }

    fn delete(&mut self, clause: &[i32]) {
        self.steps.push(b"d ");
        self.derive(clause);
    }
}
