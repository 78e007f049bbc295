//! Checks a proof that a problem has no solution, or none but one.
//!
//! A proof is three files (docs/notes/proofs.md). This module believes none of them, and shares no code with
//! the search that wrote them: it makes the clauses of the problem anew and compares, it looks at each
//! lemma by itself, and it checks that each derived clause follows, up to the empty one. Whether the
//! cover that the clauses block is a solution is for `solutions::verify` to say.
//!
//! | file | what is checked | by |
//! |---|---|---|
//! | `proof.cnf` | it says what the problem says, and blocks one cover | `expected` |
//! | `lemmas.txt` | each lemma follows from its constraint | `lemma` |
//! | `proof.drat` | each clause follows by unit propagation | [`Rup`] |

use std::io::{self, BufRead, Read};

use crate::constraint::Constraints;
use crate::constraint::edges::show;
use crate::ids::OptionId;
use crate::problem::Problem;
use crate::rup::{Code, Rup};
use crate::wording::counted;

pub mod certificate;
pub mod expected;
pub mod header;
pub mod lemma;

use expected::Expected;
use header::Header;
use lemma::Lemmas;

/// Why a proof is not accepted.
#[derive(Debug)]
pub enum ProofFault {
    /// A file cannot be read.
    Io(io::Error),
    /// A line is not of the format.
    Unreadable(u64, String),
    /// A line can be read, and is wrong.
    Refused(u64, String),
}

impl From<io::Error> for ProofFault {
    fn from(error: io::Error) -> Self {
        ProofFault::Io(error)
    }
}

/// What a check may report.
type CheckResult<T> = Result<T, ProofFault>;

fn refuse<T>(line: u64, what: impl Into<String>) -> CheckResult<T> {
    Err(ProofFault::Refused(line, what.into()))
}

/// Checks the files of a proof, one after the other.
#[derive(Debug)]
pub struct Checker<'p> {
    expected: Expected<'p>,
    header: Header,
    judge: Lemmas<'p>,
    rup: Rup,
    variables: i32,
    /// The most bytes that clauses may take.
    room: usize,
    /// The most bytes that a line of a proof of this problem has.
    longest: usize,
}

impl<'p> Checker<'p> {
    /// For proofs about `problem` under these constraints.
    pub fn new(problem: &'p Problem, constraints: &Constraints) -> Self {
        let header = Header::new(problem, constraints);
        let expected = Expected::new(problem);
        let judge = Lemmas::new(problem, constraints);
        let (room, longest) = (usize::MAX, longest_line(problem));
        Checker { expected, header, judge, rup: Rup::default(), variables: 0, room, longest }
    }

    /// Clauses may take so many bytes altogether.
    pub fn with_room(self, bytes: usize) -> Self {
        Checker { room: bytes, ..self }
    }

    /// Reads `proof.cnf`. Answers with the number of clauses, and with the cover that is blocked.
    pub fn clauses(&mut self, file: impl BufRead) -> CheckResult<(usize, Option<Vec<OptionId>>)> {
        let mut lines = NumberedLines::new(file, self.longest);
        let mut clause = Vec::new();
        // `None` until the line that has the cover.
        let mut named: Option<Option<Vec<OptionId>>> = None;
        let mut seen = header::SeenComments::default();
        let (variables, count) = loop {
            let Some((number, line)) = lines.next_line()? else {
                return refuse(lines.number, "the file is cut off before its `p cnf` line");
            };
            match line.strip_prefix(b"c ") {
                Some(comment) => {
                    seen.line(&self.header, number, comment)?;
                    if let Some(cover) = comment.strip_prefix(b"cover ") {
                        named = Some(self.cover(number, cover)?);
                    }
                }
                None => break counts(number, line)?,
            }
        };
        seen.complete(lines.number)?;
        let Some(cover) = named else {
            return refuse(lines.number, "no comment says which cover is blocked");
        };
        let wanted = self.expected.clauses(cover.as_deref());
        self.variables = wanted.variables;
        let start = lines.number;
        let mut at = 0;
        while let Some((number, line)) = lines.next_line()? {
            only_integers(number, line, &mut clause)?;
            let Some(right) = wanted.clause(at) else {
                let what = format!("one clause too many: {}", text(&clause));
                return refuse(number, what);
            };
            if clause != right {
                let (right, clause_text) = (text(right), text(&clause));
                return refuse(
                    number,
                    match wanted.clause(at + 1) == Some(&clause[..]) {
                        true => format!("a clause of the problem is missing here: {right}"),
                        false if at + 1 == wanted.len() && cover.is_some() => format!(
                            "the last clause does not block the cover: {clause_text} instead of {right}"
                        ),
                        false => format!("{clause_text} stands where the problem says {right}"),
                    },
                );
            }
            self.add(&clause);
            at += 1;
        }
        if at < wanted.len() {
            let what = format!("the file is cut off: {at} of {} clauses", wanted.len());
            return refuse(lines.number, what);
        }
        if (variables, count) != (i64::from(wanted.variables), wanted.len() as i64) {
            let variables = counted(wanted.variables, "variable");
            let clauses = counted(wanted.len(), "clause");
            return refuse(start, format!("expected {variables} and {clauses}"));
        }
        Ok((count as usize, cover))
    }

    /// The cover in a comment: `none`, or option numbers.
    fn cover(&self, line: u64, text: &[u8]) -> CheckResult<Option<Vec<OptionId>>> {
        if text == b"none" {
            return Ok(None);
        }
        let mut cover = Vec::new();
        for word in words(text) {
            let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<u32>().ok());
            match number.filter(|&n| n > 0 && n as usize <= self.expected.problem.options()) {
                Some(number) => cover.push(OptionId::new(number - 1)),
                None => return refuse(line, format!("the problem has no option {}", show(word))),
            }
        }
        Ok(Some(cover))
    }

    /// Reads `lemmas.txt`. Answers with the number of lemmas.
    pub fn lemmas(&mut self, file: impl BufRead) -> CheckResult<u64> {
        let mut lines = NumberedLines::new(file, self.longest);
        let mut seen = header::SeenComments::default();
        let (mut clause, mut count) = (Vec::new(), 0u64);
        let mut end = None;
        while let Some((number, line)) = lines.next_line()? {
            if end.is_some() {
                return refuse(number, "there is more after the end");
            }
            if let Some(comment) = line.strip_prefix(b"c ") {
                seen.line(&self.header, number, comment)?;
                end = comment.strip_prefix(b"end ").map(<[u8]>::to_vec);
                continue;
            }
            seen.complete(number)?;
            let rest = integers(number, line, &mut clause)?;
            self.judge.judge(&self.expected, number, &clause, rest)?;
            self.add(&clause);
            count += 1;
        }
        match end {
            Some(end) if end == count.to_string().as_bytes() => Ok(count),
            Some(end) => {
                let what = format!("a lemma is missing: there are {count} of {}", show(&end));
                refuse(lines.number, what)
            }
            None => refuse(lines.number, "the file is cut off: its last line is missing"),
        }
    }

    /// Reads `proof.drat`. Answers with the number of clauses that follow, the empty one among them.
    pub fn derivation(&mut self, file: impl BufRead) -> CheckResult<u64> {
        let mut lines = NumberedLines::new(file, self.longest);
        let (mut clause, mut codes, mut count) = (Vec::new(), Vec::new(), 0);
        while let Some((number, line)) = lines.next_line()? {
            let (deleted, line) = match line.strip_prefix(b"d ") {
                Some(line) => (true, line),
                None => (false, line),
            };
            only_integers(number, line, &mut clause)?;
            if let Some(lit) = clause.iter().find(|lit| lit.abs() > self.variables) {
                return refuse(number, format!("the problem has no variable {}", lit.abs()));
            }
            codes.clear();
            codes.extend(clause.iter().copied().map(code));
            if deleted {
                self.rup.delete(&codes);
                continue;
            }
            if !self.rup.follows(&codes) {
                let what = format!("this clause does not follow: {}", text(&clause));
                return refuse(number, what);
            }
            count += 1;
            if clause.is_empty() {
                return Ok(count);
            }
            if self.rup.bytes() > self.room {
                let what = "the clauses up to here take more memory than there is";
                return Err(ProofFault::Unreadable(number, what.into()));
            }
            self.rup.add(&codes);
        }
        refuse(lines.number, "the derivation ends without the empty clause")
    }

    fn add(&mut self, clause: &[i32]) {
        let codes: Vec<Code> = clause.iter().copied().map(code).collect();
        self.rup.add(&codes);
    }
}

fn code(lit: i32) -> Code {
    2 * (lit.unsigned_abs() - 1) + u32::from(lit < 0)
}

/// No line that a proof needs is longer, in bytes: each has each variable and each name at most once.
fn longest_line(problem: &Problem) -> usize {
    const NUMBER: usize = "-2147483648 ".len();
    let variables = problem.options() + 2 * problem.entries();
    let names: usize = problem.names().map(|(_, name)| name.len() + 1).sum();
    (1 << 16) + 2 * variables * NUMBER + 2 * names
}

/// Lines of a file, without newlines, counted from 1.
struct NumberedLines<R> {
    file: R,
    line: Vec<u8>,
    number: u64,
    longest: usize,
}

impl<R: BufRead> NumberedLines<R> {
    /// Lines of at most so many bytes.
    fn new(file: R, longest: usize) -> Self {
        NumberedLines { file, line: Vec::new(), number: 0, longest }
    }

    fn next_line(&mut self) -> CheckResult<Option<(u64, &[u8])>> {
        self.line.clear();
        let mut most = self.file.by_ref().take(self.longest as u64);
        if most.read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.line.len() == self.longest && !self.line.ends_with(b"\n") {
            let what = format!(
                "a line of more than {} bytes: no proof of this problem has one",
                self.longest
            );
            return Err(ProofFault::Unreadable(self.number, what));
        }
        let end = self.line.trim_ascii_end().len();
        Ok(Some((self.number, &self.line[..end])))
    }
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| byte == b' ').filter(|word| !word.is_empty())
}

/// Reads the literals of a clause up to its final 0. Answers with what comes after.
fn integers<'l>(number: u64, line: &'l [u8], out: &mut Vec<i32>) -> CheckResult<&'l [u8]> {
    out.clear();
    let mut rest = line;
    loop {
        rest = rest.trim_ascii_start();
        let end = rest.iter().position(|&byte| byte == b' ').unwrap_or(rest.len());
        let (word, more) = rest.split_at(end);
        if word.is_empty() {
            return refuse(number, "the file is cut off: this line has no final 0");
        }
        let value = std::str::from_utf8(word).ok().and_then(|word| word.parse::<i32>().ok());
        match value {
            Some(0) => return Ok(more.trim_ascii_start()),
            Some(lit) if lit != i32::MIN => out.push(lit),
            _ => {
                let what = format!("expected a literal, found {}", show(word));
                return Err(ProofFault::Unreadable(number, what));
            }
        }
        rest = more;
    }
}

/// Reads a clause that is all there is in its line.
fn only_integers(number: u64, line: &[u8], out: &mut Vec<i32>) -> CheckResult<()> {
    match integers(number, line, out)? {
        [] => Ok(()),
        more => refuse(number, format!("there is more behind the final 0: {}", show(more))),
    }
}

/// The numbers of a `p cnf` line.
fn counts(number: u64, line: &[u8]) -> CheckResult<(i64, i64)> {
    let number_of = |word: &[u8]| std::str::from_utf8(word).ok()?.parse::<i64>().ok();
    let parts: Vec<&[u8]> = words(line).collect();
    let read = match parts[..] {
        [b"p", b"cnf", v, c] => number_of(v).zip(number_of(c)),
        _ => None,
    };
    read.ok_or_else(|| ProofFault::Unreadable(number, "expected `p cnf VARIABLES CLAUSES`".into()))
}

/// A clause as DIMACS has it.
fn text(clause: &[i32]) -> String {
    let mut text: Vec<String> = clause.iter().take(12).map(i32::to_string).collect();
    if clause.len() > text.len() {
        text.push("...".into());
    }
    text.push("0".into());
    format!("`{}`", text.join(" "))
}
