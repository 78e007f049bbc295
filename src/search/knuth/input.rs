//! Reads a file as Knuth's programs do, counting mems, and complains in their words.
//!
//! A mem is paid for each byte of a line that is looked at, for each byte of a name that is stored,
//! and for each name that is compared. A name of eight bytes ends without a look at the next one.

use std::io::{self, BufRead};

use crate::dlx::is_blank;
use crate::names::{Coord, Role, Width};
use crate::search::knuth::flip::Flip;
use crate::search::knuth::machine::{Machine, Node};
use crate::search::knuth::{Console, Program, Settings, show};

/// How many bytes of a line a complaint shows.
const SHOWN: usize = 99;

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
    let mut reader =
        Reader { input, line: Line(Vec::new()), machine: Machine::new(settings.clone(), random) };
    match reader.read(console) {
        Ok(()) => Ok(Ok(reader.machine)),
        Err(Fault::Panic(panic)) => Ok(Err(panic)),
        Err(Fault::Io(error)) => Err(error),
    }
}

struct Reader<R> {
    input: R,
    line: Line,
    machine: Machine,
}

impl<R: BufRead> Reader<R> {
    fn read(&mut self, console: &mut dyn Console) -> Result<(), Fault> {
        let Some(start) = self.next_line("Input line way too long")? else {
            return self.line.panic("No items", 0);
        };
        self.items(start)?;
        while let Some(start) = self.next_line("Option line too long")? {
            self.option(start, console)?;
        }
        if self.machine.settings.program == Program::Dlx2Loop {
            self.wide_edges()?;
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
            machine.mems += cost + machine.names.len() as u64 + 3;
            machine.new_item();
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
        let colors = self.machine.settings.program != Program::Dlx1;
        let left = self.machine.last_node();
        let mut has_primary = false;
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
            self.machine.new_node(item);
            let mut after = end;
            if colors {
                self.machine.mems += 1;
                if self.line.at(end) == b':' {
                    after = self.color(item, p, end + 1)?;
                }
            }
            p = self.skip(after + 1);
        }
        if has_primary {
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
