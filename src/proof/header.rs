//! What ties a proof to its problem: comments at the beginning of its files.

use super::{CheckResult, refuse, show};
use crate::constraint::Constraints;
use crate::ids::Color;
use crate::problem::Problem;

/// The version of the format.
const VERSION: &str = "quadrille 1";

/// To which problem, and to which constraints, a proof belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// A digest of items and options.
    pub problem: u64,
    /// The constraints as flags.
    pub rules: String,
}

impl Header {
    /// Of a proof about `problem` under these constraints.
    pub fn new(problem: &Problem, constraints: &Constraints) -> Self {
        Header { problem: digest(problem), rules: constraints.flags() }
    }

    /// The comments.
    pub fn text(&self) -> String {
        format!("c {VERSION}\nc problem {:016x}\nc rules {}\n", self.problem, self.rules)
    }
}

/// A 64-bit FNV-1a hash (Fowler, Noll, Vo) of names, colors and options, so that comments and blanks
/// of the file do not matter. Names are hashed by bytes; then each entry is one word, its item below and the hash
/// of its color above. It tells whose proof this is, and proves nothing: the clauses do.
fn digest(problem: &Problem) -> u64 {
    let mut hash = BASIS;
    for (item, name) in problem.names() {
        let mark = if problem.is_primary(item) { b"\n" } else { b"|" };
        hash = hash_on(hash_on(hash, mark), name);
    }
    // Color::NONE has number 0.
    let mut colors = vec![0];
    let named = (1..=problem.colors() as u32).map(|color| problem.color_name(Color::new(color)));
    colors.extend(named.map(|name| hash_on(BASIS, name) << 32));
    for option in problem.option_ids() {
        let entries = problem.option(option);
        hash = step(hash, entries.len() as u64);
        for entry in entries {
            hash = step(hash, u64::from(entry.item.raw()) | colors[entry.color.index()]);
        }
    }
    hash
}

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

fn step(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x0100_0000_01b3)
}

fn hash_on(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| step(hash, u64::from(byte)))
}

/// Which of the comments a file had.
#[derive(Debug, Default)]
pub struct SeenComments {
    version: bool,
    problem: bool,
    rules: bool,
}

impl SeenComments {
    /// Looks at a comment.
    pub fn line(&mut self, wanted: &Header, number: u64, comment: &[u8]) -> CheckResult<()> {
        let SeenComments { version, problem, rules } = self;
        if let Some(digest) = comment.strip_prefix(b"problem ") {
            *problem = true;
            if digest != format!("{:016x}", wanted.problem).as_bytes() {
                return refuse(number, "this is a proof about another problem");
            }
        } else if let Some(flags) = comment.strip_prefix(b"rules ") {
            *rules = true;
            if flags != wanted.rules.as_bytes() {
                let what = format!("this is a proof for the rules {}", show(flags));
                return refuse(number, format!("{what}, not for `{}`", wanted.rules));
            }
        } else if comment.starts_with(b"quadrille ") {
            *version = true;
            if comment != VERSION.as_bytes() {
                return refuse(number, format!("expected a proof in format `{VERSION}`"));
            }
        }
        Ok(())
    }

    /// Makes sure that none is missing.
    pub fn complete(&self, number: u64) -> CheckResult<()> {
        match self.version && self.problem && self.rules {
            true => Ok(()),
            false => refuse(number, "no comments say about which problem and rules the proof is"),
        }
    }
}
