//! Reads a file as Knuth's programs do, counting mems, and complains in their words.
//!
//! A mem is paid for each byte of a line that is looked at, for each byte of a name that is stored,
//! and for each name that is compared. A name of eight bytes ends without a look at the next one.

use std::io::{self, BufRead};

use crate::dlx::is_blank;
use crate::knuth::bounds::Budget;
use crate::knuth::flip::Flip;
use crate::knuth::machine::{Machine, Node};
use crate::knuth::{Console, Program, Settings, show};
use crate::names::{Coord, Role, Width};

/// How many bytes of a line a complaint shows.
const SHOWN: usize = 99;

/// The largest bound; no item has more options.
const MOST: i32 = 1_000_000_000;

/// What all options together may cost, not to overflow.
const MOST_PAID: u64 = u64::MAX / 4;

/// The length of a name that fills its field.
const FULL: usize = 8;

/// A complaint, as the programs print it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic(pub Vec<u8>);

/// Why there is nothing to search.
#[derive(Debug)]
enum Fault {
    Io(io::Error),
    Panic(Panic),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Io(error)
    }
}

/// A line with its newline, and beyond it nothing but zeros.
struct Line(Vec<u8>);

impl Line {
    fn at(&self, p: usize) -> u8 {
        self.0.get(p).copied().unwrap_or(0)
    }

    fn panic<T>(&self, what: &str, p: usize) -> Result<T, Fault> {
        Err(Fault::Panic(panic(what, p as i64, &self.0)))
    }

    /// The end of the name at `p`, and what it costs to find it and store the name.
    fn name(&self, p: usize, ends: impl Fn(u8) -> bool) -> (usize, u64) {
        let mut end = p;
        while !is_blank(self.at(end)) && !ends(self.at(end)) {
            end += 1;
        }
        let length = end - p;
        let looks = if length < FULL { length + 1 } else { length };
        (end, (looks + length) as u64)
    }
}

fn panic(what: &str, p: i64, line: &[u8]) -> Panic {
    let shown = line.split(|&byte| byte == 0).next().unwrap_or_default();
    let mut text = format!("{what}!\n{p}: ").into_bytes();
    text.extend_from_slice(&shown[..shown.len().min(SHOWN)]);
    text.push(b'\n');
    Panic(text)
}

/// Reads `input`. The inner error is a complaint about it.
pub fn read(
    input: impl BufRead,
    settings: &Settings,
    console: &mut dyn Console,
) -> io::Result<Result<Machine, Panic>> {
    let random = settings.seed.map(Flip::new);
    let mut reader = Reader {
        input,
        line: Line(Vec::new()),
        machine: Machine::new(settings.clone(), random),
        prices: 0,
    };
    match reader.read(console) {
        Ok(()) => Ok(Ok(reader.machine)),
        Err(Fault::Panic(panic)) => Ok(Err(panic)),
        Err(Fault::Io(error)) => Err(error),
    }
}

/// What primary items an option of `dlx5` has.
#[derive(Debug, Default)]
struct Shape {
    /// A bit for each letter of `Z` that an item begins with.
    letters: u8,
    /// The other items.
    others: i32,
}

struct Reader<R> {
    input: R,
    line: Line,
    machine: Machine,
    /// What all options so far cost.
    prices: u64,
}

impl<R: BufRead> Reader<R> {
    fn read(&mut self, console: &mut dyn Console) -> Result<(), Fault> {
        let Some(start) = self.next_line("Input line way too long")? else {
            return self.line.panic("No items", 0);
        };
        self.items(start)?;
        let program = self.machine.settings.program;
        // dlx5 looks whether there is a `Z`.
        self.machine.mems += u64::from(program == Program::Dlx5);
        while let Some(start) = self.next_line("Option line too long")? {
            self.option(start, console)?;
        }
        match program {
            Program::Dlx2Loop => self.wide_edges()?,
            Program::Dlx6 => self.machine.prepare_memos(),
            Program::Dlx5 => {
                self.machine.assign_taxes(console);
                self.machine.sort_lists();
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads up to the next line that is neither blank nor a comment; answers where its text starts.
    fn next_line(&mut self, too_long: &str) -> Result<Option<usize>, Fault> {
        loop {
            let line = &mut self.line.0;
            let mut fresh = Vec::new();
            std::mem::swap(line, &mut fresh);
            fresh.clear();
            if self.input.read_until(b'\n', &mut fresh)? == 0 {
                return Ok(None);
            }
            if fresh.last() != Some(&b'\n') {
                fresh.push(b'\n');
            }
            *line = fresh;
            if let Some(length) = memchr::memchr(0, line) {
                // A string ends there, and not with a newline.
                return Err(Fault::Panic(panic(too_long, length as i64 - 1, line)));
            }
            self.machine.mems += 1;
            let start = self.skip(0);
            if !matches!(self.line.at(start), b'|' | 0) {
                return Ok(Some(start));
            }
        }
    }

    /// The first byte from `p` on that is no blank.
    fn skip(&mut self, p: usize) -> usize {
        let mut at = p;
        while is_blank(self.line.at(at)) {
            at += 1;
        }
        self.machine.mems += (at - p + 1) as u64;
        at
    }

    fn items(&mut self, start: usize) -> Result<(), Fault> {
        let mut p = start;
        let mut bar = false;
        loop {
            self.machine.mems += 1;
            if self.line.at(p) == 0 {
                break;
            }
            let bounded = self.machine.settings.program == Program::Dlx3;
            let budget = if bounded { self.bounds(&mut p, bar)? } else { Budget::ONCE };
            let (end, cost) = self.line.name(p, |byte| byte == b':' || byte == b'|');
            if !is_blank(self.line.at(end)) {
                return self.line.panic("Illegal character in item name", p);
            }
            let name = &self.line.0[p..end];
            let machine = &mut self.machine;
            if machine.names.insert(name).is_err() {
                return self.line.panic("Duplicate item name", p);
            }
            // The new name was compared with all others and itself.
            machine.mems += cost + machine.names.len() as u64;
            machine.mems += match (machine.settings.program, bar) {
                (Program::Dlx3 | Program::DlxPre, true) => 2,
                (Program::Dlx3, false) => 4,
                _ => 3,
            };
            machine.new_item(budget);
            if machine.settings.program == Program::Dlx2Loop {
                let at = Width::new(1).and_then(|width| width.decode(name));
                self.place(at, bar, p)?;
            }
            p = self.skip(end + 1);
            if self.line.at(p) == b'|' {
                if bar {
                    return self.line.panic("Item name line contains | twice", p);
                }
                bar = true;
                self.machine.second = self.machine.last_item;
                p = self.skip(p + 1);
            }
        }
        self.machine.end_items(bar);
        Ok(())
    }

    /// Reads `2:3|` before a name, and moves `p` to the name.
    fn bounds(&mut self, p: &mut usize, secondary: bool) -> Result<Budget, Fault> {
        let (mut low, mut high) = (None, secondary.then_some(1));
        loop {
            let (end, cost) = self.line.name(*p, |byte| byte == b':' || byte == b'|');
            let end_byte = self.line.at(end);
            if end_byte == b':' && (low.is_some() || high.is_some()) {
                return self.line.panic("Illegal `:' in item name", *p);
            }
            if end_byte == b'|' && high.is_some() {
                return self.line.panic("Illegal `|' in item name", *p);
            }
            if end_byte != b':' && end_byte != b'|' {
                break;
            }
            let mut number = 0i32;
            for &digit in &self.line.0[*p..end] {
                if !digit.is_ascii_digit() {
                    return self.line.panic("Illegal digit in bound spec", *p);
                }
                number = number.saturating_mul(10).saturating_add(i32::from(digit - b'0'));
            }
            self.machine.mems += cost;
            *p = end + 1;
            let number = number.min(MOST);
            if end_byte == b':' {
                low = Some(number);
                continue;
            }
            if number == 0 {
                return self.line.panic("Upper bound is zero", *p);
            }
            if low.is_some_and(|low| low > number) {
                return self.line.panic("Lower bound exceeds upper bound", *p);
            }
            high = Some(number);
        }
        if low.is_some() && high.is_none() {
            return self.line.panic("Lower bound without upper bound", *p);
        }
        if is_blank(self.line.at(*p)) {
            return self.line.panic("Item name empty", *p);
        }
        let bound = high.unwrap_or(1);
        Ok(Budget { bound, slack: bound - low.unwrap_or(bound) })
    }

    /// The latest item has a place on the board, if `at` says so.
    fn place(&mut self, at: Option<Coord>, secondary: bool, p: usize) -> Result<(), Fault> {
        let Some(at) = at else { return Ok(()) };
        let machine = &mut self.machine;
        let item = machine.last_item - 1;
        machine.mems += 1;
        machine.places.insert(at, item);
        match at.ends() {
            Some(_) if !secondary => self.line.panic("Edge item isn't secondary", p),
            Some((one, other)) => {
                let ends = (machine.places.get(&one), machine.places.get(&other));
                let (Some(&one), Some(&other)) = ends else {
                    return self.line.panic("Edge item for nonexistent vertex", p);
                };
                machine.mems += 1;
                machine.make_edge(item, (one, other), Width::new(1));
                Ok(())
            }
            None if at.role() == Role::Vertex && secondary => {
                self.line.panic("Vertex item isn't primary", p)
            }
            None => Ok(()),
        }
    }

    /// Coordinates of several digits, which `dlx2-loop` does not know: the least width for which some
    /// option colors an edge.
    fn wide_edges(&mut self) -> Result<(), Fault> {
        let machine = &mut self.machine;
        if machine.width.is_some() {
            return Ok(());
        }
        let mut colored = vec![false; machine.last_item as usize];
        for node in &machine.nodes[machine.last_item as usize..] {
            if node.item > 0 && node.color != 0 {
                colored[node.item as usize] = true;
            }
        }
        let name = |item: usize| machine.names.name(item - 1);
        let items = 1..machine.last_item as usize;
        let has_edges = |width: &Width| {
            let edge = |item: usize| width.decode(name(item)).is_some_and(|at| at.ends().is_some());
            items.clone().any(|item| colored[item] && edge(item))
        };
        let Some(width) = Width::all().skip(1).find(has_edges) else { return Ok(()) };
        let places: Vec<(Coord, u32)> =
            items.filter_map(|item| Some((width.decode(name(item))?, item as u32))).collect();
        machine.places = places.iter().copied().collect();
        for (at, item) in places {
            let secondary = item >= machine.second;
            let what = match at.ends() {
                Some(_) if !secondary => "Edge item isn't secondary",
                Some((one, other)) => {
                    let ends = (machine.places.get(&one), machine.places.get(&other));
                    if let (Some(&one), Some(&other)) = ends {
                        machine.make_edge(item, (one, other), Some(width));
                        continue;
                    }
                    "Edge item for nonexistent vertex"
                }
                None if at.role() == Role::Vertex && secondary => "Vertex item isn't primary",
                None => continue,
            };
            let name = machine.names.name(item as usize - 1);
            return Err(Fault::Panic(panic(what, 0, name)));
        }
        Ok(())
    }

    fn option(&mut self, start: usize, console: &mut dyn Console) -> Result<(), Fault> {
        let program = self.machine.settings.program;
        let colors = program != Program::Dlx1;
        let left = self.machine.last_node();
        let mut has_primary = false;
        let mut price = 0;
        let mut shape = Shape::default();
        let mut p = start;
        while self.line.at(p) != 0 {
            let (end, cost) = self.line.name(p, |byte| colors && byte == b':');
            if end == p {
                return self.line.panic("Empty item name", p);
            }
            self.machine.mems += cost + u64::from(end - p < FULL);
            let Some(number) = self.machine.names.find(&self.line.0[p..end]) else {
                return self.line.panic("Unknown item name", p);
            };
            let item = number + 1;
            // The names before it were compared, the root's empty one included, and then its own.
            self.machine.mems += u64::from(item) + 2;
            if self.machine.nodes[item as usize].color >= left as i32 {
                return self.line.panic("Duplicate item name in this option", p);
            }
            has_primary |= item < self.machine.second;
            if program == Program::Dlx5 && item < self.machine.second {
                self.count_shape(&mut shape, self.line.at(p), console);
            }
            self.machine.new_node(item);
            let mut after = end;
            if colors {
                self.machine.mems += 1;
                if self.line.at(end) == b':' {
                    after = self.color(item, p, end + 1)?;
                }
            }
            p = self.skip(after + 1);
            while program == Program::Dlx5 && self.line.at(p) == b'|' {
                p = self.price(p, &mut price)?;
            }
        }
        if has_primary {
            if program == Program::Dlx5 {
                self.check_shape(&shape, console);
                let machine = &mut self.machine;
                machine.mems += u64::from(machine.last_node() - left);
                machine.prices.cost.resize(left as usize + 1, 0);
                machine.prices.cost.resize(machine.nodes.len(), price);
            }
            self.machine.end_option(left);
            return Ok(());
        }
        if self.machine.settings.shows(show::WARNINGS) {
            console.say(b"Option ignored (no primary items): ");
            console.say(&self.line.0);
        }
        self.machine.drop_option(left);
        Ok(())
    }

    /// Reads `|7` at `p` and adds it to the price of the option; answers where the next word starts.
    fn price(&mut self, p: usize, price: &mut u64) -> Result<usize, Fault> {
        if !self.line.at(p + 1).is_ascii_digit() {
            return self.line.panic("Option cost should be a decimal number", p);
        }
        let mut end = p + 1;
        let mut number = Some(0u64);
        while !is_blank(self.line.at(end)) {
            let digit = self.line.at(end);
            if !digit.is_ascii_digit() {
                return self.line.panic("Illegal digit in option cost", p);
            }
            let add = |number: u64| number.checked_mul(10)?.checked_add(u64::from(digit - b'0'));
            number = number.and_then(add);
            end += 1;
        }
        self.machine.mems += (end - p) as u64;
        // What all options cost together bounds any sum that the search makes.
        let all = number.and_then(|number| self.prices.checked_add(number));
        match (all, number) {
            (Some(all @ ..MOST_PAID), Some(number)) => {
                (self.prices, *price) = (all, *price + number)
            }
            _ => return self.line.panic("Option costs add up to too much", p),
        }
        Ok(self.skip(end + 1))
    }

    /// A primary item whose name begins with `first` is in the option at hand.
    fn count_shape(&self, shape: &mut Shape, first: u8, console: &mut dyn Console) {
        let letters = &self.machine.settings.letters;
        let Some(place) = letters.iter().position(|&letter| letter == first) else {
            shape.others += 1;
            return;
        };
        if shape.letters >> place & 1 == 1 {
            let letter = [first];
            for part in [b"Option has two ", &letter[..], b" items: ", &self.line.0] {
                console.say(part);
            }
        }
        shape.letters |= 1 << place;
    }

    /// Warns of an option that is not as `Z` and `z` say.
    fn check_shape(&self, shape: &Shape, console: &mut dyn Console) {
        let (letters, wanted) = (&self.machine.settings.letters, self.machine.settings.others);
        if wanted != 0 && shape.others != wanted {
            let others = shape.others;
            let text = format!("Option has {others} non-Z primary items, not {wanted}: ");
            console.say(text.as_bytes());
            console.say(&self.line.0);
        }
        for (place, &letter) in letters.iter().enumerate() {
            if shape.letters >> place & 1 == 0 {
                for part in [b"Option lacks a ", &[letter][..], b" item: ", &self.line.0] {
                    console.say(part);
                }
            }
        }
    }

    /// The color that starts at `start`, of the node made last. Answers with its end.
    fn color(&mut self, item: u32, p: usize, start: usize) -> Result<usize, Fault> {
        if item < self.machine.second {
            return self.line.panic("Primary item must be uncolored", p);
        }
        let mut end = start;
        while !is_blank(self.line.at(end)) {
            end += 1;
        }
        let text = &self.line.0[start..end];
        let single = text.len() == 1;
        if text.is_empty() || !single && memchr::memchr2(b':', b'|', text).is_some() {
            return self.line.panic("Color must be a single character", p);
        }
        self.machine.mems += 2;
        let color = match text {
            &[byte] => i32::from(byte),
            _ => 256 + self.machine.wide_colors.intern(text) as i32,
        };
        if let Some(Node { color: place, .. }) = self.machine.nodes.last_mut() {
            *place = color;
        }
        Ok(end)
    }
}
