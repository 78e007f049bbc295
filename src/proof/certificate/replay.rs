//! The tree of a certificate, replayed: the options that are left at a node as a bit vector, and what is to be covered.

use std::io::Read;

use super::Refused;
use super::bytes::{CertificateBytes, LONGEST};
use crate::constraint::registry::{JudgeLemma, Verify, unjudged};
use crate::constraint::{Constraints, Literal};
use crate::ids::{Color, ItemId, OptionId};
use crate::problem::Problem;
use crate::wording::counted;

/// The most bytes of the table of options that exclude each other; beyond that it is found out each time.
const ROOM: usize = 1 << 26;

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
pub(super) struct Tree<'p> {
    problem: &'p Problem,
    judges: Vec<Box<dyn JudgeLemma>>,
    verifiers: Vec<Box<dyn Verify>>,
    /// Words of a bit vector of options.
    width: usize,
    /// Bytes that `live` may take.
    room: usize,
    /// By option those that it excludes, if there is room for that; nothing if it was never chosen.
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
    pub solutions: u64,
    pub nodes: u64,
    pub lemmas: u64,
}

impl<'p> Tree<'p> {
    pub fn new(problem: &'p Problem, constraints: &Constraints, room: usize) -> Self {
        let width = problem.options().div_ceil(64);
        let mut tree = Tree {
            problem,
            judges: constraints.judges(problem),
            verifiers: constraints.verifiers(problem),
            width,
            room,
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
        if problem.options().saturating_mul(width * 8) <= ROOM {
            tree.excluded = vec![0; problem.options() * width];
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
    pub fn replay<R: Read>(
        &mut self,
        bytes: &mut CertificateBytes<R>,
        may_end: bool,
    ) -> Result<bool, Refused> {
        loop {
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
        if (self.live.len() + self.width) * size_of::<u64>() > self.room {
            return Err("the tree is deeper than memory allows".into());
        }
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
            let places = option.index() * self.width..(option.index() + 1) * self.width;
            // It excludes itself, at least.
            if self.excluded[places.clone()].iter().all(|&word| word == 0) {
                let mut row = vec![0; self.width];
                self.exclude(option, &mut row, |word, bits| *word |= bits);
                self.excluded[places.clone()].copy_from_slice(&row);
            }
            let excluded = &self.excluded[places];
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
    fn use_lemma<R: Read>(&mut self, bytes: &mut CertificateBytes<R>, cuts: bool) -> Result<(), Refused> {
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
