//! Checks a certificate: a search tree, by which a problem has exactly so many solutions, or at least so many.
//!
//! A certificate names the item on which each node is split, in preorder (docs/certificates.md). This module keeps the
//! options that are left as a bit vector and splits on all that have the item; so it believes nothing of the file: whatever
//! items are named, the children of a node together have its solutions. Where a constraint cut a node or took options
//! away, a lemma says why, and it is judged as those of other proofs are. What is covered at the end is judged by the
//! constraint itself.

mod bytes;
mod replay;

use std::fmt;
use std::io::{self, Read};

use crate::constraint::Constraints;
use crate::problem::Problem;
use crate::proof::header::Header;
use bytes::CertificateBytes;
use replay::Tree;

/// The first line of each certificate.
pub const MAGIC: &str = "quadrille certificate 1";

/// What a certificate says of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// There are so many solutions.
    Exactly(u128),
    /// There are so many solutions, or more.
    AtLeast(u128),
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Exactly(number) => write!(f, "exactly {number}"),
            Claim::AtLeast(number) => write!(f, "at least {number}"),
        }
    }
}

impl Claim {
    /// The claim in words of a header.
    fn parse(text: &str) -> Option<Claim> {
        let number = |digits: &str| {
            let canonical = digits == "0" || !digits.starts_with(['0', '+']);
            digits.parse().ok().filter(|_| canonical)
        };
        match text.strip_prefix("exactly ") {
            Some(digits) => number(digits).map(Claim::Exactly),
            None => text.strip_prefix("at least ").and_then(number).map(Claim::AtLeast),
        }
    }

    /// The claim as the end of a sentence about a file.
    pub fn sentence(&self) -> String {
        let (most, number) = match self {
            Claim::Exactly(0) => return "has no solution".into(),
            Claim::Exactly(number) => ("exactly", number),
            Claim::AtLeast(number) => ("at least", number),
        };
        let s = if *number == 1 { "" } else { "s" };
        format!("has {most} {number} solution{s}")
    }
}

/// The header of a certificate about this problem under these constraints.
pub fn header(problem: &Problem, constraints: &Constraints, claim: Claim) -> String {
    let Header { problem, rules } = Header::new(problem, constraints);
    format!("{MAGIC}\nproblem {problem:016x}\nconstraints {rules}\nclaim {claim}\n\n")
}

/// Why a certificate is not accepted.
#[derive(Debug)]
pub enum Refused {
    /// The file cannot be read.
    Io(io::Error),
    /// It is wrong at this byte, counted from 0.
    At(u64, String),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Refused::Io(error)
    }
}

/// What a check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What is proved.
    pub claim: Claim,
    /// Nodes of the tree, solutions among them.
    pub nodes: u64,
    /// Lemmas that were judged.
    pub lemmas: u64,
}

/// Checks a certificate about `problem` under these constraints. Sets of options may take `room` bytes.
///
/// # Errors
///
/// The certificate cannot be read, is about something else, or does not prove what it claims.
pub fn check(
    problem: &Problem,
    constraints: &Constraints,
    certificate: impl Read,
    room: usize,
) -> Result<Checked, Refused> {
    let mut bytes = CertificateBytes::new(certificate);
    let claim = read_header(&mut bytes, problem, constraints)?;
    let mut tree = Tree::new(problem, constraints, room);
    let complete = tree.replay(&mut bytes, matches!(claim, Claim::AtLeast(_)))?;
    let found = u128::from(tree.solutions);
    let at = bytes.at;
    let wrong = |what: String| Err(Refused::At(at, what));
    match claim {
        Claim::Exactly(_) if !complete => wrong("the certificate ends before the tree does".into()),
        Claim::Exactly(number) | Claim::AtLeast(number) if number != found => {
            wrong(format!("the claim is {claim}, but the tree has {found}"))
        }
        _ => Ok(Checked { claim, nodes: tree.nodes, lemmas: tree.lemmas }),
    }
}

/// Reads and compares the header; returns the claim.
fn read_header<R: Read>(
    bytes: &mut CertificateBytes<R>,
    problem: &Problem,
    constraints: &Constraints,
) -> Result<Claim, Refused> {
    let line = bytes.line()?;
    if line != MAGIC {
        return bytes.refuse(format!("this is no certificate: it does not begin with `{MAGIC}`"));
    }
    let Header { problem, rules } = Header::new(problem, constraints);
    let line = bytes.line()?;
    if line != format!("problem {problem:016x}") {
        return bytes.refuse("this is a certificate about another problem".into());
    }
    let line = bytes.line()?;
    let Some(others) = line.strip_prefix("constraints ") else {
        return bytes.refuse("expected a line `constraints ...`".into());
    };
    if others != rules {
        return bytes.refuse(format!(
            "this is a certificate for the constraints `{others}`, not `{rules}`"
        ));
    }
    let line = bytes.line()?;
    let claim = line.strip_prefix("claim ").and_then(Claim::parse);
    let Some(claim) = claim else {
        return bytes.refuse("expected `claim exactly N` or `claim at least N`".into());
    };
    match bytes.line()?.is_empty() {
        true => Ok(claim),
        false => bytes.refuse("expected an empty line after the claim".into()),
    }
}
