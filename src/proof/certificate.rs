//! Checks a certificate: a search tree, by which a problem has exactly so many solutions, or at least so many.
//!
//! A certificate names the item on which each node is split, in preorder (docs/certificates.md). This module keeps the
//! options that are left as a bit vector and splits on all that have the item; so it believes nothing of the file: whatever
//! items are named, the children of a node together have its solutions. Where a constraint cut a node or took options
//! away, a lemma says why, and it is judged as those of other proofs are. What is covered at the end is judged by the
//! constraint itself.

use std::fmt;
use std::io::{self, Read};

use crate::constraint::registry::{JudgeLemma, Verify, unjudged};
use crate::constraint::{Constraints, Literal};
use crate::ids::{Color, ItemId, OptionId};
use crate::problem::Problem;
use crate::proof::header::Header;
use crate::wording::counted;

/// The first line of each certificate.
pub const MAGIC: &str = "quadrille certificate 1";

/// The most bytes of the table of options that exclude each other; beyond that it is found out each time.
const ROOM: usize = 1 << 26;

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

/// Checks a certificate about `problem` under these constraints. Calls `tick` a thousand times a second or so.
///
/// # Errors
///
/// The certificate cannot be read, is about something else, or does not prove what it claims.
pub fn check(
    problem: &Problem,
    constraints: &Constraints,
    certificate: impl Read,
    tick: &mut dyn FnMut() -> bool,
) -> Result<Checked, Refused> {
    let mut bytes = Bytes::new(certificate);
    let claim = read_header(&mut bytes, problem, constraints)?;
    let mut tree = Tree::new(problem, constraints);
    let complete = tree.replay(&mut bytes, matches!(claim, Claim::AtLeast(_)), tick)?;
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
    bytes: &mut Bytes<R>,
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

/// The bytes of a certificate, and where they are.
struct Bytes<R> {
    input: R,
    buffer: Vec<u8>,
    next: usize,
    /// How many bytes were taken.
    at: u64,
}

/// Bytes that are asked of the input at a time.
const PIECE: usize = 1 << 16;

/// The most bytes of a line of the header, and of a lemma.
const LONGEST: usize = 1 << 24;

impl<R: Read> Bytes<R> {
    fn new(input: R) -> Self {
        Bytes { input, buffer: Vec::new(), next: 0, at: 0 }
    }

    fn refuse<T>(&self, what: String) -> Result<T, Refused> {
        Err(Refused::At(self.at, what))
    }

    /// The next byte; `None` at the end.
    #[inline]
    fn byte(&mut self) -> Result<Option<u8>, Refused> {
        if self.next == self.buffer.len() && !self.fill()? {
            return Ok(None);
        }
        self.next += 1;
        self.at += 1;
        Ok(Some(self.buffer[self.next - 1]))
    }

    #[cold]
    fn fill(&mut self) -> Result<bool, Refused> {
        self.buffer.clear();
        self.next = 0;
        self.input.by_ref().take(PIECE as u64).read_to_end(&mut self.buffer)?;
        Ok(!self.buffer.is_empty())
    }

    fn line(&mut self) -> Result<String, Refused> {
        let mut line = Vec::new();
        loop {
            match self.byte()? {
                Some(b'\n') => break,
                Some(byte) if line.len() < LONGEST => line.push(byte),
                _ => return self.refuse("the header is not complete".into()),
            }
        }
        String::from_utf8(line)
            .or_else(|_| self.refuse("the header is not text".into()))
    }

    /// The next number, seven bits a byte, the lowest first; `None` at the end.
    #[inline]
    fn number(&mut self) -> Result<Option<u64>, Refused> {
        let Some(first) = self.byte()? else { return Ok(None) };
        if first < 0x80 {
            return Ok(Some(u64::from(first)));
        }
        let mut number = u64::from(first & 0x7f);
        for shift in (7..35).step_by(7) {
            let Some(byte) = self.byte()? else {
                return self.refuse("the certificate ends in a number".into());
            };
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                // A number has one form only.
                return match byte {
                    0 => self.refuse("a number has a byte too many".into()),
                    _ => Ok(Some(number)),
                };
            }
        }
        self.refuse("a number is too large".into())
    }
}

/// What stands where a node begins.
const CUT: u64 = 0;
const TAKE_AWAY: u64 = 1;
const COVERED: u64 = 2;
const FIRST_ITEM: u64 = 3;

/// How often a primary item may, and must, be covered yet.
#[derive(Clone, Copy, Debug)]
struct Need {
    low: i64,
    high: i64,
}

/// A node that is split, and where its children stand.
struct Frame {
    item: u32,
    /// The number of the first option that was not yet taken.
    next: usize,
    /// Options of the item from there on.
    rest: i64,
    /// How many entries the trail had.
    trail: usize,
    /// Whether the last child, which takes no option more, was visited.
    ended: bool,
}

/// What a choice changed.
enum Change {
    /// A primary item was covered once.
    Covered(u32),
    /// It takes no more.
    Closed(u32, Need),
    /// A secondary item was used.
    Used(u32),
    /// A lemma says which color it has.
    Implied(u32),
}

/// The tree that is replayed.
struct Tree<'p> {
    problem: &'p Problem,
    judges: Vec<Box<dyn JudgeLemma>>,
    verifiers: Vec<Box<dyn Verify>>,
    /// Words of a bit vector of options.
    width: usize,
    /// By option those that it excludes, if there is room for that.
    excluded: Vec<u64>,
    /// The bit vectors of the frames, and of the node.
    live: Vec<u64>,
    frames: Vec<Frame>,
    trail: Vec<Change>,
    needs: Vec<Need>,
    /// Primary items that take options yet.
    open: usize,
    /// By item: how it was used, if it was; only secondary ones.
    colors: Vec<Option<Color>>,
    /// By item: the color that it has in all solutions below the node, by a lemma.
    implied: Vec<Option<Color>>,
    solutions: u64,
    nodes: u64,
    lemmas: u64,
}

impl<'p> Tree<'p> {
    fn new(problem: &'p Problem, constraints: &Constraints) -> Self {
        let width = problem.options().div_ceil(64);
        let mut tree = Tree {
            problem,
            judges: constraints.judges(problem),
            verifiers: constraints.verifiers(problem),
            width,
            excluded: Vec::new(),
            live: vec![u64::MAX; width],
            frames: Vec::new(),
            trail: Vec::new(),
            needs: Vec::new(),
            open: problem.primary(),
            colors: vec![None; problem.items()],
            implied: vec![None; problem.items()],
            solutions: 0,
            nodes: 0,
            lemmas: 0,
        };
        if !problem.options().is_multiple_of(64) {
            tree.live[width - 1] = (1 << (problem.options() % 64)) - 1;
        }
        for item in (0..problem.primary() as u32).map(ItemId::new) {
            let bound = problem.bound(item);
            tree.needs.push(Need { low: bound.low.into(), high: bound.high.into() });
        }
        if problem.options() * width * 8 <= ROOM {
            let mut excluded = vec![0; problem.options() * width];
            for (option, row) in problem.option_ids().zip(excluded.chunks_mut(width.max(1))) {
                tree.exclude(option, row, |word, bits| *word |= bits);
            }
            tree.excluded = excluded;
        }
        tree
    }

    /// Calls `mark` for the bits of the options that cannot stand beside `option`, whatever else is chosen; it is one
    /// of them. Those with an item of a bound are not, unless that is once.
    fn exclude(&self, option: OptionId, row: &mut [u64], mark: impl Fn(&mut u64, u64)) {
        let bit = |option: OptionId| (option.index() / 64, 1 << (option.index() % 64));
        let (word, bits) = bit(option);
        mark(&mut row[word], bits);
        for entry in self.problem.option(option) {
            let item = entry.item;
            if self.problem.is_primary(item) && self.problem.bound(item).high > 1 {
                continue;
            }
            for &other in self.problem.uses().options(item) {
                let agrees = !entry.color.is_none() && self.color_in(other, item) == entry.color;
                if !agrees {
                    let (word, bits) = bit(other);
                    mark(&mut row[word], bits);
                }
            }
        }
    }

    /// The color that an option gives to an item that it has.
    fn color_in(&self, option: OptionId, item: ItemId) -> Color {
        let mut entries = self.problem.option(option).iter();
        entries.find(|entry| entry.item == item).map_or(Color::NONE, |entry| entry.color)
    }

    /// The options that are left at the node.
    fn now(&self) -> &[u64] {
        &self.live[self.live.len() - self.width..]
    }

    fn is_left(&self, option: OptionId) -> bool {
        self.now()[option.index() / 64] >> (option.index() % 64) & 1 == 1
    }

    fn take_away(&mut self, option: OptionId) {
        let start = self.live.len() - self.width;
        self.live[start + option.index() / 64] &= !(1 << (option.index() % 64));
    }

    /// Visits the tree; false if the bytes end before it does, which is right only if it `may_end`.
    fn replay<R: Read>(
        &mut self,
        bytes: &mut Bytes<R>,
        may_end: bool,
        tick: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Refused> {
        loop {
            if self.nodes.is_multiple_of(1 << 14) && !tick() {
                return Err(Refused::Io(io::ErrorKind::Interrupted.into()));
            }
            match bytes.number()? {
                None if may_end => return Ok(false),
                None => return bytes.refuse("the certificate ends before the tree does".into()),
                Some(TAKE_AWAY) => {
                    self.use_lemma(bytes, false)?;
                    continue;
                }
                Some(CUT) => self.use_lemma(bytes, true)?,
                Some(COVERED) => self.cover().or_else(|what| bytes.refuse(what))?,
                Some(number) => {
                    self.nodes += 1;
                    self.split(number - FIRST_ITEM).or_else(|what| bytes.refuse(what))?;
                }
            }
            if !self.step() {
                return match bytes.byte()? {
                    None => Ok(true),
                    Some(_) => bytes.refuse("the tree ends before the certificate does".into()),
                };
            }
        }
    }

    /// All primary items are covered: is it a solution?
    fn cover(&mut self) -> Result<(), String> {
        if self.open > 0 {
            let are = if self.open == 1 { "is" } else { "are" };
            let open = counted(self.open as u64, "primary item");
            return Err(format!("{open} {are} not covered"));
        }
        self.nodes += 1;
        let colors = &self.colors;
        let color = |item: ItemId| colors[item.index()].filter(|color| !color.is_none());
        self.solutions +=
            u64::from(self.verifiers.iter_mut().all(|verifier| verifier.verify(&color).is_ok()));
        Ok(())
    }

    /// Splits the node on an item.
    fn split(&mut self, number: u64) -> Result<(), String> {
        let item = u32::try_from(number).ok().map(ItemId::new);
        let Some(item) = item.filter(|item| item.index() < self.problem.primary()) else {
            return Err(format!("there is no primary item with number {number}"));
        };
        if self.needs[item.index()].high == 0 {
            let name = String::from_utf8_lossy(self.problem.name(item));
            return Err(format!("item `{name}` is covered already"));
        }
        let rest = self.problem.uses().options(item).iter().filter(|&&o| self.is_left(o)).count();
        let (next, trail) = (0, self.trail.len());
        self.frames.push(Frame { item: item.raw(), next, rest: rest as i64, trail, ended: false });
        Ok(())
    }

    /// Goes to the next node in preorder: the next child of the newest frame that has one. False if there is none.
    fn step(&mut self) -> bool {
        loop {
            let Some(frame) = self.frames.last() else { return false };
            // The vector of the child before, if any, stands above that of the frame.
            self.live.truncate(self.frames.len() * self.width);
            self.undo(frame.trail);
            let frame = self.frames.last_mut().expect("it was there");
            let item = ItemId::new(frame.item);
            let Need { low, .. } = self.needs[item.index()];
            if frame.rest >= low.max(1) {
                let options = self.problem.uses().options(item);
                let mut place = frame.next;
                let live = &self.live[self.live.len() - self.width..];
                let is_left = |o: OptionId| live[o.index() / 64] >> (o.index() % 64) & 1 == 1;
                while !is_left(options[place]) {
                    place += 1;
                }
                frame.next = place + 1;
                frame.rest -= 1;
                self.choose(options[place]);
                return true;
            }
            if low <= 0 && !frame.ended {
                frame.ended = true;
                self.live.extend_from_within(self.live.len() - self.width..);
                self.close(item);
                return true;
            }
            self.frames.pop();
        }
    }

    /// Takes an option: the node is the child where it is chosen. Later children do without it.
    fn choose(&mut self, option: OptionId) {
        self.take_away(option);
        let start = self.live.len() - self.width;
        if self.excluded.is_empty() {
            self.live.extend_from_within(start..);
            let mut row = self.live.split_off(start + self.width);
            self.exclude(option, &mut row, |word, bits| *word &= !bits);
            self.live.append(&mut row);
        } else {
            let excluded = &self.excluded[option.index() * self.width..][..self.width];
            for (place, excluded) in excluded.iter().enumerate() {
                self.live.push(self.live[start + place] & !excluded);
            }
        }
        for entry in self.problem.option(option) {
            let item = entry.item;
            if self.problem.is_primary(item) {
                let need = &mut self.needs[item.index()];
                need.low -= 1;
                need.high -= 1;
                self.trail.push(Change::Covered(item.raw()));
                if need.high == 0 {
                    self.open -= 1;
                    if self.problem.bound(item).high > 1 {
                        self.take_all_away(item);
                    }
                }
            } else if self.colors[item.index()].is_none() {
                self.colors[item.index()] = Some(entry.color);
                self.trail.push(Change::Used(item.raw()));
            }
        }
    }

    /// The item takes no option more.
    fn close(&mut self, item: ItemId) {
        let need = self.needs[item.index()];
        self.trail.push(Change::Closed(item.raw(), need));
        self.needs[item.index()] = Need { low: 0, high: 0 };
        self.open -= 1;
        self.take_all_away(item);
    }

    fn take_all_away(&mut self, item: ItemId) {
        for &option in self.problem.uses().options(item) {
            self.take_away(option);
        }
    }

    /// Takes back all changes but the first so many.
    fn undo(&mut self, kept: usize) {
        while self.trail.len() > kept {
            match self.trail.pop().expect("there are more") {
                Change::Covered(item) => {
                    let need = &mut self.needs[item as usize];
                    self.open += usize::from(need.high == 0);
                    need.low += 1;
                    need.high += 1;
                }
                Change::Closed(item, need) => {
                    self.needs[item as usize] = need;
                    self.open += 1;
                }
                Change::Used(item) => self.colors[item as usize] = None,
                Change::Implied(item) => self.implied[item as usize] = None,
            }
        }
    }

    /// Reads a lemma and judges it: none of its literals fails, if it cuts the node; otherwise one is open, and what
    /// would make it true is taken away.
    fn use_lemma<R: Read>(&mut self, bytes: &mut Bytes<R>, cuts: bool) -> Result<(), Refused> {
        let length = bytes.number()?.unwrap_or(u64::MAX);
        let mut text = Vec::new();
        while (text.len() as u64) < length {
            match bytes.byte()? {
                Some(byte) if text.len() < LONGEST => text.push(byte),
                _ => return bytes.refuse("the certificate ends in a lemma".into()),
            }
        }
        self.nodes += u64::from(cuts);
        self.lemmas += 1;
        self.judge(&text, cuts).or_else(|what| {
            bytes.refuse(format!("the lemma `{}`: {what}", String::from_utf8_lossy(&text)))
        })
    }

    fn judge(&mut self, text: &[u8], cuts: bool) -> Result<(), String> {
        let mut words = text.split(|&byte| byte == b' ');
        let kind = words.next().unwrap_or_default();
        let names: Vec<&[u8]> = words.collect();
        let mut judged = self.judges.iter().map(|judge| judge.judge(self.problem, kind, &names));
        let literals = judged.find_map(|judged| judged).unwrap_or_else(|| {
            let unknown = || "there is no lemma of this form".to_owned();
            Err(unjudged(kind, &names).unwrap_or_else(unknown))
        })?;
        let mut open = None;
        for literal in literals {
            match self.value(literal) {
                Some(true) => {}
                Some(false) => return Err(format!("{} does not hold", self.say(literal))),
                None if open.is_some() || cuts => {
                    return Err(format!("{} is not known", self.say(literal)));
                }
                None => open = Some(literal),
            }
        }
        match open {
            Some(literal) => self.refute(literal),
            None if cuts => {}
            None => return Err("it cuts the node, and is said to take options away".into()),
        }
        Ok(())
    }

    fn say(&self, Literal { item, color, holds }: Literal) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (item, color) = (text(self.problem.name(item)), text(self.problem.color_name(color)));
        format!("that `{item}` {} color `{color}`", if holds { "has" } else { "has not" })
    }

    /// Whether the literal holds in all solutions below the node; `None` if that is not known.
    fn value(&self, Literal { item, color, holds }: Literal) -> Option<bool> {
        let has = match self.colors[item.index()].or(self.implied[item.index()]) {
            Some(known) => Some(known == color),
            None => {
                let gives = |&&option: &&OptionId| {
                    self.is_left(option) && self.color_in(option, item) == color
                };
                match self.problem.uses().options(item).iter().find(gives) {
                    None => Some(false),
                    Some(&first) => self.is_forced(first, item, color).then_some(true),
                }
            }
        };
        has.map(|has| has == holds)
    }

    /// Whether some primary item that is to be covered has no options left but those that give `item` the color, of
    /// which `first` is one.
    fn is_forced(&self, first: OptionId, item: ItemId, color: Color) -> bool {
        let forces = |primary: ItemId| {
            let options = self.problem.uses().options(primary).iter();
            let mut left = options.filter(|&&option| self.is_left(option));
            left.all(|&option| self.color_in(option, item) == color)
        };
        let entries = self.problem.option(first).iter().map(|entry| entry.item);
        let mut open = entries
            .filter(|&one| self.problem.is_primary(one) && self.needs[one.index()].low > 0);
        open.any(forces)
    }

    /// Takes the options away that would make the literal true; one that says what an item has not, is true of all that
    /// use it otherwise.
    fn refute(&mut self, Literal { item, color, holds }: Literal) {
        for &option in self.problem.uses().options(item) {
            if (self.color_in(option, item) == color) == holds {
                self.take_away(option);
            }
        }
        if !holds {
            self.implied[item.index()] = Some(color);
            self.trail.push(Change::Implied(item.raw()));
        }
    }
}
