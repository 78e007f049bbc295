//! A second checker of certificates, apart from the library: docs/certificates.md has the format, and why a tree that is
//! accepted proves its claim. `rustc -O check_certificate.rs`, then `check_certificate FILE.dlx CERTIFICATE`.

use std::collections::{HashMap, HashSet};
use std::process::ExitCode;

type Res<T> = Result<T, String>;

/// Items are numbered as in the file, primary ones first; colors from 1, and 0 is none.
#[derive(Default)]
struct Problem {
    names: Vec<Vec<u8>>,
    items: HashMap<Vec<u8>, usize>,
    primary: usize,
    bounds: Vec<(i64, i64)>,
    colors: Vec<Vec<u8>>,
    options: Vec<Vec<(usize, usize)>>,
    /// By item the options that have it, with its color there.
    uses: Vec<Vec<(usize, usize)>>,
}

fn read(text: &[u8]) -> Res<Problem> {
    let mut p = Problem { colors: vec![vec![]], ..Problem::default() };
    let mut colors = HashMap::new();
    for line in text.split(|&byte| byte == b'\n').filter(|line| !line.starts_with(b"|")) {
        let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let mut option = Vec::new();
        let (heads, mut secondary) = (p.names.is_empty(), false);
        for word in words {
            if heads && word == b"|" {
                secondary = true;
            } else if heads {
                let (bound, name) = match word.iter().position(|&byte| byte == b'|') {
                    Some(bar) => (
                        std::str::from_utf8(&word[..bar]).map_err(|e| e.to_string())?,
                        &word[bar + 1..],
                    ),
                    None => ("1", word),
                };
                let (low, high) = bound.split_once(':').unwrap_or((bound, bound));
                let number =
                    |digits: &str| digits.parse().map_err(|e| format!("bound {digits}: {e}"));
                p.primary += usize::from(!secondary);
                p.bounds.push((number(low)?, number(high)?));
                p.items.insert(name.to_vec(), p.names.len());
                p.names.push(name.to_vec());
                p.uses.push(vec![]);
            } else if !word.starts_with(b"|") {
                let colon = word.iter().position(|&byte| byte == b':').unwrap_or(word.len());
                let item = p.items.get(&word[..colon]).ok_or("an option has an unknown item")?;
                let color = word.get(colon + 1..).unwrap_or_default();
                let number = if color.is_empty() { 0 } else { colors.len() + 1 };
                let number =
                    if number == 0 { 0 } else { *colors.entry(color.to_vec()).or_insert(number) };
                p.colors.extend((number == p.colors.len()).then(|| color.to_vec()));
                option.push((*item, number));
            }
        }
        if option.iter().any(|&(item, _)| item < p.primary) {
            option.iter().for_each(|&(item, color)| p.uses[item].push((p.options.len(), color)));
            p.options.push(option);
        }
    }
    Ok(p)
}

/// A 64-bit FNV-1a hash of items and options; it tells files apart, and proves nothing.
fn digest(p: &Problem) -> u64 {
    let step = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0100_0000_01b3);
    let bytes = |hash, bytes: &[u8]| bytes.iter().fold(hash, |hash, &byte| step(hash, byte.into()));
    let basis = 0xcbf2_9ce4_8422_2325;
    let mut hash = basis;
    for (item, name) in p.names.iter().enumerate() {
        hash = bytes(bytes(hash, if item < p.primary { b"\n" } else { b"|" }), name);
    }
    for option in &p.options {
        hash = step(hash, option.len() as u64);
        for &(item, color) in option {
            let above = if color == 0 { 0 } else { bytes(basis, &p.colors[color]) << 32 };
            hash = step(hash, item as u64 | above);
        }
    }
    hash
}

/// Places of secondary items: an edge is between two vertices, a cell has neighbors.
struct Places {
    at: HashMap<usize, (i64, i64)>,
}

fn places(p: &Problem, edges: bool) -> Places {
    let value = |byte: u8| (byte as char).to_digit(36).filter(|_| !byte.is_ascii_uppercase());
    let value =
        |byte: u8| value(byte).or(byte.is_ascii_uppercase().then(|| u32::from(byte - b'A') + 36));
    let number =
        |half: &[u8]| half.iter().try_fold(0, |sum, &b| Some(sum * 62 + i64::from(value(b)?)));
    let role =
        |(row, col): &(i64, i64)| if edges { (row + col) % 2 == 1 } else { row * col % 2 == 1 };
    let place = |item: usize, k: usize| {
        let name = Some(&p.names[item]).filter(|name| name.len() == 2 * k && item >= p.primary)?;
        Some((number(&name[..k])?, number(&name[k..])?)).filter(role)
    };
    let colored = |item: &usize| p.uses[*item].iter().any(|&(_, color)| color != 0);
    let k = (1..=4).find(|&k| (0..p.names.len()).any(|i| place(i, k).is_some() && colored(&i)));
    let all = (0..p.names.len()).filter_map(|item| Some((item, place(item, k?)?)));
    Places { at: all.collect() }
}

fn ends((row, col): (i64, i64)) -> [(i64, i64); 2] {
    if row % 2 == 1 { [(row - 1, col), (row + 1, col)] } else { [(row, col - 1), (row, col + 1)] }
}

/// Whether these edges are one simple cycle, and how many vertices and parts they have.
fn shape(edges: &[(i64, i64)]) -> (bool, usize, usize) {
    let mut at: HashMap<(i64, i64), Vec<(i64, i64)>> = HashMap::new();
    for [u, v] in edges.iter().map(|&edge| ends(edge)) {
        at.entry(u).or_default().push(v);
        at.entry(v).or_default().push(u);
    }
    let parts = parts(at.keys().copied().collect(), |u| at[&u].clone());
    (parts == 1 && at.values().all(|near| near.len() == 2), at.len(), parts)
}

fn parts(mut rest: HashSet<(i64, i64)>, near: impl Fn((i64, i64)) -> Vec<(i64, i64)>) -> usize {
    let mut parts = 0;
    while let Some(&first) = rest.iter().next() {
        (parts, _) = (parts + 1, rest.remove(&first));
        let mut open = vec![first];
        while let Some(here) = open.pop() {
            open.extend(near(here).into_iter().filter(|next| rest.remove(next)));
        }
    }
    parts
}

fn around((r, c): (i64, i64)) -> Vec<(i64, i64)> {
    vec![(r - 2, c), (r + 2, c), (r, c - 2), (r, c + 2)]
}

struct Checker<'p> {
    p: &'p Problem,
    rules: Vec<String>,
    edges: Places,
    cells: Places,
    excluded: Vec<Vec<u64>>,
    state: State,
}

fn has(set: &[u64], option: usize) -> bool {
    set[option / 64] >> (option % 64) & 1 == 1
}

fn drop_bit(set: &mut [u64], option: usize) {
    set[option / 64] &= !(1 << (option % 64));
}

impl Checker<'_> {
    fn color_in(&self, option: usize, item: usize) -> Option<usize> {
        self.p.options[option].iter().find(|entry| entry.0 == item).map(|entry| entry.1)
    }

    /// Whether all solutions below the node agree with the literal, or none does, as far as is known.
    fn value(&self, (item, color, holds): (usize, usize, bool)) -> Option<bool> {
        let left =
            |item: usize| self.p.uses[item].iter().filter(|one| has(&self.state.live, one.0));
        let gives = match self.state.used[item].or(self.state.implied[item]) {
            Some(known) => Some(known == color),
            None => match left(item).find(|one| one.1 == color) {
                None => Some(false),
                // Some primary item has no options left but those that give the color.
                Some(&(option, _)) => (self.p.options[option].iter())
                    .filter(|one| one.0 < self.p.primary && self.state.needs[one.0].0 > 0)
                    .any(|one| left(one.0).all(|&(o, _)| self.color_in(o, item) == Some(color)))
                    .then_some(true),
            },
        };
        gives.map(|gives| gives == holds)
    }

    /// The literals that do not go together by a lemma: item, color, and whether it has it.
    fn literals(&self, words: &[&[u8]]) -> Res<Vec<(usize, usize, bool)>> {
        let item = |name: &&[u8]| self.p.items.get(*name).copied();
        let one = self.p.colors.iter().position(|color| color == b"1").ok_or("no color 1")?;
        let find = |places: &Places, names: &[&[u8]]| -> Res<Vec<(usize, (i64, i64))>> {
            let place = |name| item(name).and_then(|item| Some((item, *places.at.get(&item)?)));
            let found: Vec<_> =
                names.iter().map(place).collect::<Option<_>>().ok_or("no such place")?;
            let different = found.iter().collect::<HashSet<_>>().len() == found.len();
            if different { Ok(found) } else { Err("a place stands there twice".into()) }
        };
        let (kind, names) = words.split_first().ok_or("no lemma")?;
        let asked = |rule: &str| self.rules.iter().any(|other| other == rule);
        let edges = || find(&self.edges, names);
        let places =
            |edges: &[(usize, (i64, i64))]| edges.iter().map(|edge| edge.1).collect::<Vec<_>>();
        let all = |edges: &[(usize, (i64, i64))]| {
            edges.iter().map(|e| (e.0, one, true)).collect::<Vec<_>>()
        };
        match *kind {
            b"cycle" if asked("--loop") => {
                let edges = edges()?;
                let (_, cycle) = edges.split_first().ok_or("no edge")?;
                if shape(&places(cycle)).0 { Ok(all(&edges)) } else { Err("no cycle".into()) }
            }
            b"circuit" if asked("--acyclic") => {
                let edges = edges()?;
                if shape(&places(&edges)).0 { Ok(all(&edges)) } else { Err("no cycle".into()) }
            }
            b"third" if asked("--loop") => {
                let edges = edges()?;
                let meet = edges.len() == 3
                    && shape(&places(&edges)).1 == 4
                    && shape(&places(&edges)).2 == 1;
                let star = |end: &(i64, i64)| edges.iter().all(|edge| ends(edge.1).contains(end));
                let meet = meet && ends(edges[0].1).iter().any(star);
                if meet { Ok(all(&edges)) } else { Err("they do not meet".into()) }
            }
            b"end" if asked("--loop") && names.len() == 2 => {
                let edge = find(&self.edges, &names[1..])?[0];
                let vertex = ends(edge.1).into_iter().find(|&end| {
                    item(&names[0]).is_some_and(|item| {
                        name_of(end, self.p.names[item].len() / 2) == self.p.names[item]
                    })
                });
                let vertex = vertex.ok_or("the edge does not end there")?;
                let there = self.edges.at.iter().filter(|(_, at)| ends(**at).contains(&vertex));
                Ok(there.map(|(&item, _)| (item, one, item == edge.0)).collect())
            }
            b"empty" if asked("--loop") && names.is_empty() => {
                Ok(self.edges.at.keys().map(|&i| (i, one, false)).collect())
            }
            b"apart" if asked("--loop") && names.len() > 2 => {
                let edges = find(&self.edges, &names[1..])?;
                let without: HashSet<usize> = edges[2..].iter().map(|edge| edge.0).collect();
                let through = |end: (i64, i64)| name_of(end, names[0].len() / 2) == names[0];
                let mut near: HashMap<(i64, i64), Vec<(i64, i64)>> = HashMap::new();
                let places = self.edges.at.iter().filter(|(item, _)| !without.contains(item));
                for [u, v] in places.map(|(_, &at)| ends(at)) {
                    near.entry(u).or_default().push(v);
                    near.entry(v).or_default().push(u);
                }
                let mut reached: HashSet<_> =
                    ends(edges[1].1).into_iter().filter(|&end| !through(end)).take(1).collect();
                let mut open: Vec<_> = reached.iter().copied().collect();
                while let Some(here) = open.pop() {
                    for &next in near.get(&here).into_iter().flatten() {
                        open.extend((!through(next) && reached.insert(next)).then_some(next));
                    }
                }
                if ends(edges[0].1).iter().any(|end| reached.contains(end)) {
                    return Err("they are not apart".into());
                }
                Ok(edges.iter().enumerate().map(|(n, edge)| (edge.0, one, n < 2)).collect())
            }
            b"cut"
                if names.len() > 2
                    && asked(&format!("--connected={}", String::from_utf8_lossy(names[0]))) =>
            {
                let color = self
                    .p
                    .colors
                    .iter()
                    .position(|color| color == names[0])
                    .ok_or("no such color")?;
                let cells = find(&self.cells, &names[1..])?;
                let [one, other, between @ ..] = &cells[..] else {
                    return Err("no two cells".into());
                };
                let mut rest: HashSet<_> = self.cells.at.values().copied().collect();
                rest.retain(|place| between.iter().all(|cell| cell.1 != *place));
                let mut open = vec![one.1];
                while let Some(here) = open.pop() {
                    open.extend(around(here).into_iter().filter(|next| rest.remove(next)));
                }
                if !rest.contains(&other.1) {
                    return Err("they are not parted".into());
                }
                Ok(cells.iter().enumerate().map(|(n, cell)| (cell.0, color, n < 2)).collect())
            }
            _ => Err("there is no such lemma".into()),
        }
    }

    /// Whether what is covered satisfies all constraints.
    fn holds(&self) -> bool {
        let colored = |places: &Places, text: &str| -> Vec<(i64, i64)> {
            let is = |item: &usize| {
                self.state.used[*item]
                    .is_some_and(|c| c != 0 && self.p.colors[c] == text.as_bytes())
            };
            places.at.iter().filter(|(item, _)| is(item)).map(|(_, &at)| at).collect()
        };
        let edges = colored(&self.edges, "1");
        self.rules.iter().all(|rule| match rule.split_once('=') {
            Some((_, color)) => {
                parts(colored(&self.cells, color).into_iter().collect(), around) < 2
            }
            None if rule == "--loop" => shape(&edges).0,
            None => edges.len() + shape(&edges).2 == shape(&edges).1,
        })
    }
}

fn name_of((row, col): (i64, i64), k: usize) -> Vec<u8> {
    let digits = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let half =
        |n: i64| (0..k as u32).rev().map(move |at| digits[(n / 62i64.pow(at) % 62) as usize]);
    half(row).chain(half(col)).collect()
}

/// By item: what it needs; its color, if it is used; and one that a lemma says it has.
#[derive(Clone)]
struct State {
    needs: Vec<(i64, i64)>,
    used: Vec<Option<usize>>,
    implied: Vec<Option<usize>>,
    /// A bit for each option that is left.
    live: Vec<u64>,
}

/// A node that is split: its item, the options that were not taken yet, and what to go back to.
struct Frame {
    item: usize,
    ended: bool,
    state: State,
}

/// The next number, seven bits a byte.
fn number(bytes: &mut &[u8]) -> Res<usize> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or("the certificate ends too early")?;
        *bytes = rest;
        number |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err("a number is too large".into())
}

impl Checker<'_> {
    fn take(&mut self, option: usize) {
        match self.excluded.get(option) {
            Some(excluded) => {
                self.state.live.iter_mut().zip(excluded).for_each(|(word, not)| *word &= !not)
            }
            None => exclude(self.p, option, &mut self.state.live),
        }
        for &(item, color) in &self.p.options[option] {
            if item < self.p.primary {
                let (low, high) = self.state.needs[item];
                self.state.needs[item] = (low - 1, high - 1);
                if high == 1 {
                    self.p.uses[item].iter().for_each(|one| drop_bit(&mut self.state.live, one.0));
                }
            } else {
                self.state.used[item].get_or_insert(color);
            }
        }
    }

    fn lemma(&mut self, bytes: &mut &[u8], cuts: bool) -> Res<()> {
        let length = number(bytes)?;
        let (text, rest) =
            bytes.split_at_checked(length).ok_or("the certificate ends too early")?;
        *bytes = rest;
        let words: Vec<&[u8]> = text.split(|&byte| byte == b' ').collect();
        let mut open = Vec::new();
        for literal in self.literals(&words)? {
            match self.value(literal) {
                Some(true) => {}
                Some(false) => return Err("a literal of the lemma does not hold".into()),
                None => open.push(literal),
            }
        }
        match open[..] {
            [] if cuts => {}
            [(item, color, holds)] if !cuts => {
                for &(option, given) in &self.p.uses[item] {
                    if (given == color) == holds {
                        drop_bit(&mut self.state.live, option);
                    }
                }
                self.state.implied[item] =
                    if holds { self.state.implied[item] } else { Some(color) };
            }
            _ => return Err("the literals of the lemma are not known".into()),
        }
        Ok(())
    }

    /// Visits the tree; the number of solutions.
    fn replay(&mut self, bytes: &mut &[u8], may_end: bool) -> Res<u128> {
        let (mut frames, mut solutions): (Vec<Frame>, u128) = (Vec::new(), 0);
        while !(bytes.is_empty() && may_end) {
            match number(bytes)? {
                1 => {
                    self.lemma(bytes, false)?;
                    continue;
                }
                0 => self.lemma(bytes, true)?,
                2 if self.state.needs.iter().all(|need| need.1 == 0) => {
                    solutions += u128::from(self.holds())
                }
                2 => return Err("an item is not covered".into()),
                number => {
                    let item = number - 3;
                    if self.state.needs.get(item).is_none_or(|need| need.1 == 0) {
                        return Err("the node is split on no item that is open".into());
                    }
                    frames.push(Frame { item, ended: false, state: self.state.clone() });
                }
            }
            loop {
                let Some(frame) = frames.last_mut() else {
                    return if bytes.is_empty() {
                        Ok(solutions)
                    } else {
                        Err("bytes are left".into())
                    };
                };
                self.state = frame.state.clone();
                let low = self.state.needs[frame.item].0;
                let mut left = self.p.uses[frame.item]
                    .iter()
                    .map(|one| one.0)
                    .filter(|&o| has(&frame.state.live, o));
                let option = left.next();
                if let Some(option) = option.filter(|_| 1 + left.count() as i64 >= low) {
                    drop_bit(&mut frame.state.live, option);
                    drop_bit(&mut self.state.live, option);
                    self.take(option);
                } else if low <= 0 && !frame.ended {
                    frame.ended = true;
                    self.state.needs[frame.item] = (0, 0);
                } else {
                    frames.pop();
                    continue;
                }
                break;
            }
        }
        Ok(solutions)
    }
}

/// Takes the options away that cannot stand beside this one, whatever else is taken.
fn exclude(p: &Problem, option: usize, live: &mut [u64]) {
    drop_bit(live, option);
    for &(item, color) in
        p.options[option].iter().filter(|one| one.0 >= p.primary || p.bounds[one.0].1 == 1)
    {
        for &(other, given) in &p.uses[item] {
            if color == 0 || given != color {
                drop_bit(live, other);
            }
        }
    }
}

pub fn check(file: &str, text: &[u8], mut bytes: &[u8]) -> Res<String> {
    let p = read(text)?;
    let mut line = || {
        let end =
            bytes.iter().position(|&byte| byte == b'\n').ok_or("the header is not complete")?;
        let line = std::str::from_utf8(&bytes[..end]).map_err(|error| error.to_string())?;
        bytes = &bytes[end + 1..];
        Ok::<&str, String>(line)
    };
    if line()? != "quadrille certificate 1" || line()? != format!("problem {:016x}", digest(&p)) {
        return Err("this is no certificate about this problem".into());
    }
    let rules =
        line()?.strip_prefix("constraints ").ok_or("the header has no constraints")?.to_owned();
    let claim = line()?.strip_prefix("claim ").ok_or("the header has no claim")?.to_owned();
    let (kind, wanted) = claim.rsplit_once(' ').ok_or("the claim has no number")?;
    let digits = wanted;
    let wanted: u128 = digits.parse().map_err(|_| "the claim has no number")?;
    if !matches!(kind, "exactly" | "at least")
        || digits != wanted.to_string()
        || !line()?.is_empty()
    {
        return Err("the header is wrong".into());
    }
    let words = p.options.len().div_ceil(64);
    let mut live = vec![u64::MAX; words];
    (p.options.len()..64 * words).for_each(|option| drop_bit(&mut live, option));
    let table = if p.options.len() * words < 1 << 23 { p.options.len() } else { 0 };
    let excluded = (0..table).map(|option| {
        let mut rest = vec![u64::MAX; words];
        exclude(&p, option, &mut rest);
        rest.into_iter().map(|word| !word).collect()
    });
    let (excluded, needs) = (excluded.collect(), p.bounds[..p.primary].to_vec());
    let (edges, cells) = (places(&p, true), places(&p, false));
    let known =
        |rule: &&str| matches!(*rule, "--loop" | "--acyclic") || rule.starts_with("--connected=");
    let asked: Vec<String> = rules.split(' ').filter(known).map(Into::into).collect();
    if rules != "none" && asked.join(" ") != rules {
        return Err(format!("there are no constraints `{rules}`"));
    }
    let (used, implied) = (vec![None; p.names.len()], vec![None; p.names.len()]);
    let state = State { needs, used, implied, live };
    let mut tree = Checker { p: &p, rules: asked, edges, cells, excluded, state };
    let found = tree.replay(&mut bytes, kind == "at least")?;
    match found == wanted {
        true => Ok(format!("{file} has {claim} solutions, constraints: {rules}")),
        false => Err(format!("the tree has {found} solutions, not {claim}")),
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, certificate] = &args[..] else {
        eprintln!("usage: check_certificate FILE.dlx CERTIFICATE");
        return ExitCode::from(2);
    };
    let read = |path: &str| std::fs::read(path).map_err(|error| format!("{path}: {error}"));
    let checked = read(file).and_then(|text| check(file, &text, &read(certificate)?));
    match &checked {
        Ok(sentence) => println!("{sentence}"),
        Err(what) => eprintln!("refused: {what}"),
    }
    ExitCode::from(u8::from(checked.is_err()))
}
