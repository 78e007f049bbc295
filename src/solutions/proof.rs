//! The text of a proof, as docs/proofs.md describes it.

use std::io::{self, Write};

use crate::constraint::{Form, Reason};
use crate::ids::{ItemId, OptionId};
use crate::problem::Problem;
use crate::proof::header::Header;
use crate::search::learn::direct::Direct;
use crate::search::learn::journal::Journal;

/// Bytes that are written at a time.
const BLOCK: usize = 1 << 16;

/// Writes the clauses of a problem, and one that blocks `cover`: `proof.cnf`.
pub fn clauses(
    header: &Header,
    direct: &Direct<'_>,
    cover: Option<&[OptionId]>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut text = header.text().into_bytes();
    let numbers: Vec<String> = match cover {
        Some(cover) => cover.iter().map(|option| (option.index() + 1).to_string()).collect(),
        None => vec!["none".into()],
    };
    let (variables, count) = direct.size(cover.is_some());
    writeln!(text, "c cover {}\np cnf {variables} {count}", numbers.join(" "))?;
    let numerals = Numerals::new(variables);
    let mut failure = None;
    direct.clauses(cover, &mut |clause| {
        numerals.push_clause(clause, &mut text);
        text.push(b'\n');
        if text.len() >= BLOCK {
            failure = failure.take().or(out.write_all(&text).err());
            text.clear();
        }
    });
    failure.map_or(Ok(()), Err)?;
    out.write_all(&text)
}

/// Writes what a search tells: the lemmas to `lemmas`, derived clauses and deletions to `steps`.
#[derive(Debug)]
pub struct Transcript<'p, L: Write, S: Write> {
    problem: &'p Problem,
    numerals: Numerals,
    lemmas: Block<L>,
    steps: Block<S>,
    count: u64,
    /// A reason that nobody could check.
    unfounded: bool,
}

/// A block of text that is not written yet, and why writing failed, if it did.
#[derive(Debug)]
struct Block<W> {
    text: Vec<u8>,
    out: W,
    failure: Option<io::Error>,
}

impl<W: Write> Block<W> {
    fn new(text: Vec<u8>, out: W) -> Self {
        Block { text, out, failure: None }
    }

    fn end_line(&mut self) {
        self.text.push(b'\n');
        if self.text.len() >= BLOCK {
            self.write();
        }
    }

    fn write(&mut self) {
        if self.failure.is_none() {
            self.failure = self.out.write_all(&self.text).err();
        }
        self.text.clear();
    }

    fn end(mut self) -> io::Result<()> {
        self.write();
        self.failure.map_or_else(|| self.out.flush(), Err)
    }
}

impl<'p, L: Write, S: Write> Transcript<'p, L, S> {
    /// Begins `lemmas.txt` and `proof.drat`.
    pub fn new(
        problem: &'p Problem,
        direct: &Direct<'_>,
        header: &Header,
        lemmas: L,
        steps: S,
    ) -> Self {
        Transcript {
            problem,
            numerals: Numerals::new(direct.variables()),
            lemmas: Block::new(header.text().into_bytes(), lemmas),
            steps: Block::new(Vec::new(), steps),
            count: 0,
            unfounded: false,
        }
    }

    /// Whether some lemma has no more than a rule's word for it, so that there is no proof.
    pub fn is_unfounded(&self) -> bool {
        self.unfounded
    }

    /// Ends both files, and tells whether all went well.
    pub fn end(mut self) -> io::Result<()> {
        self.lemmas.text.extend_from_slice(format!("c end {}\n", self.count).as_bytes());
        self.lemmas.end()?;
        self.steps.end()
    }

    fn push_name(&mut self, item: ItemId) {
        self.lemmas.text.push(b' ');
        push_word(self.problem.name(item), &mut self.lemmas.text);
    }

    fn push_reason(&mut self, reason: &Reason) {
        let name_all = |text: &mut Self, holds: bool| {
            let facts = reason.facts.iter().filter(|fact| fact.holds == holds);
            facts.for_each(|fact| text.push_name(fact.item));
        };
        match reason.form {
            Form::Word => self.unfounded = true,
            Form::Cycle { outside } => {
                self.lemmas.text.extend_from_slice(b" cycle");
                self.push_name(outside);
                let cycle = reason.facts.iter().filter(|fact| fact.item != outside);
                cycle.for_each(|fact| self.push_name(fact.item));
            }
            Form::Third => {
                self.lemmas.text.extend_from_slice(b" third");
                name_all(self, true);
            }
            Form::End { vertex } => {
                self.lemmas.text.extend_from_slice(b" end");
                self.push_name(vertex);
                name_all(self, true);
            }
            Form::Empty => self.lemmas.text.extend_from_slice(b" empty"),
            Form::Apart { through } => {
                self.lemmas.text.extend_from_slice(b" apart");
                match through {
                    Some(vertex) => self.push_name(vertex),
                    None => self.lemmas.text.extend_from_slice(b" -"),
                }
                name_all(self, true);
                name_all(self, false);
            }
            Form::Cut => {
                self.lemmas.text.extend_from_slice(b" cut ");
                if let Some(fact) = reason.facts.first() {
                    self.lemmas.text.extend_from_slice(self.problem.color_name(fact.color));
                }
                name_all(self, true);
                name_all(self, false);
            }
        }
    }
}

impl<L: Write, S: Write> Journal for Transcript<'_, L, S> {
    fn lemma(&mut self, clause: &[i32], reason: &Reason) {
        self.count += 1;
        self.numerals.push_clause(clause, &mut self.lemmas.text);
        self.push_reason(reason);
        self.lemmas.end_line();
    }

    fn derive(&mut self, clause: &[i32]) {
        self.numerals.push_clause(clause, &mut self.steps.text);
        self.steps.end_line();
    }

    fn delete(&mut self, clause: &[i32]) {
        self.steps.text.extend_from_slice(b"d ");
        self.derive(clause);
    }
}

/// The text of each literal. A proof has millions of them, so that it matters how they are written: most of
/// the time of logging would go into digits.
#[derive(Debug)]
struct Numerals(Vec<Numeral>);

/// A variable in digits and the blank behind them, and how many characters these are.
#[derive(Clone, Copy, Debug)]
struct Numeral {
    text: [u8; Numeral::LONGEST],
    length: u8,
}

impl Numeral {
    /// Ten digits and a blank.
    const LONGEST: usize = 11;
}

impl Numerals {
    /// For variables up to `variables`.
    fn new(variables: i32) -> Self {
        let mut all: Vec<Numeral> = Vec::with_capacity(variables as usize + 1);
        for variable in 0..=variables {
            // All but the last digit stand already where the number without it has them.
            let (front, last) = (variable / 10, b'0' + (variable % 10) as u8);
            let mut numeral = Numeral { text: [b' '; Numeral::LONGEST], length: 1 };
            if front > 0 {
                numeral = all[front as usize];
            }
            numeral.text[usize::from(numeral.length) - 1] = last;
            numeral.length += 1;
            all.push(numeral);
        }
        Numerals(all)
    }

    /// Appends a clause as DIMACS has it.
    fn push_clause(&self, clause: &[i32], out: &mut Vec<u8>) {
        for &lit in clause {
            if lit < 0 {
                out.push(b'-');
            }
            let Numeral { text, length } = &self.0[lit.unsigned_abs() as usize];
            // A copy of known length needs no call.
            let end = out.len() + usize::from(*length);
            out.extend_from_slice(text);
            out.truncate(end);
        }
        out.push(b'0');
    }
}

/// Appends a name, which is short nearly always.
fn push_word(word: &[u8], out: &mut Vec<u8>) {
    const SHORT: usize = 16;
    if word.len() > SHORT {
        return out.extend_from_slice(word);
    }
    let mut padded = [0; SHORT];
    for (to, &from) in padded.iter_mut().zip(word) {
        *to = from;
    }
    let end = out.len() + word.len();
    out.extend_from_slice(&padded);
    out.truncate(end);
}
