//! Random instances. The same seed gives the same instance.

use super::brute::{Bounded, Plain, Priced};
use super::{fixtures, slurp};

/// A random problem: at most 8 items and 14 options, up to 4 colors, uses without color, options
/// that occur twice, options without primary items. Half of them have a solution by construction.
pub fn xcc(seed: u64) -> Plain {
    let mut random = fastrand::Rng::with_seed(seed);
    let primary = random.usize(1..=6);
    let secondary = random.usize(0..=8 - primary);
    let colors = &['0', '1', 'a', ':'][..random.usize(1..=4)];
    let mut names: Vec<String> = (0..primary).map(|i| format!("p{i}")).collect();
    names.extend((0..secondary).map(|i| format!("s{i}")));

    let planted: Vec<Option<char>> =
        (0..secondary).map(|_| random.choice(colors).copied()).collect();
    let mut options = Vec::new();
    if random.bool() {
        let mut items: Vec<usize> = (0..primary).collect();
        random.shuffle(&mut items);
        while !items.is_empty() {
            let size = random.usize(1..=items.len().min(3));
            let mut option: Vec<_> = items.drain(..size).map(|item| (item, None)).collect();
            for (i, &color) in planted.iter().enumerate() {
                if random.u8(..3) == 0 {
                    option.push((primary + i, color));
                }
            }
            random.shuffle(&mut option);
            options.push(option);
        }
    }
    for _ in options.len()..random.usize(options.len()..=14) {
        if !options.is_empty() && random.u8(..8) == 0 {
            let twin = random.usize(..options.len());
            options.push(options[twin].clone());
            continue;
        }
        let size = random.usize(1..=(primary + secondary).min(4));
        let mut items: Vec<usize> = (0..primary + secondary).collect();
        random.shuffle(&mut items);
        let option = items[..size].iter().map(|&item| match item < primary {
            true => (item, None),
            false if random.u8(..4) == 0 => (item, None),
            false => (item, random.choice(colors).copied()),
        });
        options.push(option.collect());
    }
    random.shuffle(&mut options);
    Plain { names, primary, options }
}

/// A random problem with bounds, three quarters of which have a planted solution: some options are
/// taken until a secondary item clashes, and the bounds are about what they come to.
pub fn mcc(seed: u64) -> Bounded {
    let mut random = fastrand::Rng::with_seed(seed);
    let plain = loop {
        let plain = xcc(random.u64(..));
        if plain.options.len() <= 12 {
            break plain;
        }
    };
    let planted = random.u8(..4) > 0;
    let mut times = vec![0; plain.primary];
    let mut colors = vec![None; plain.names.len()];
    for option in plain.options.iter().filter(|o| o.iter().any(|u| u.0 < plain.primary)) {
        let clashes = option.iter().any(|&(item, color)| {
            item >= plain.primary && colors[item].is_some_and(|old| color.is_none() || old != color)
        });
        if !clashes && random.u8(..3) > 0 {
            for &(item, color) in option {
                match item < plain.primary {
                    true => times[item] += 1,
                    false => colors[item] = Some(color),
                }
            }
        }
    }
    let mut bound = |times: usize| {
        let high = if planted { times.max(1) + random.usize(..2) } else { random.usize(1..4) };
        (random.usize(..=if planted { times.min(high) } else { high }), high)
    };
    let bounds = times.into_iter().map(&mut bound).collect();
    Bounded { plain, bounds }
}

/// A random problem with costs: of most options, some in two parts, and many of them alike.
pub fn priced(seed: u64) -> Priced {
    let plain = xcc(seed);
    let mut random = fastrand::Rng::with_seed(seed);
    let costs = plain.options.iter().map(|_| match random.u8(..10) {
        0..3 => Vec::new(),
        3..9 => vec![[0, 1, 2, 3, 5, 10, 100][random.usize(..7)]],
        _ => vec![random.u64(..4), random.u64(..4)],
    });
    let costs = costs.collect();
    Priced { plain, costs }
}

/// A part of a lattice as a problem for `--loop`.
#[derive(Clone, Debug)]
pub struct Lattice {
    pub plain: Plain,
    /// The edges: their items, and their ends as numbers of primary items.
    pub edges: Vec<(usize, u32, u32)>,
}

impl Lattice {
    /// The ends of the edges that have color 1 in a solution.
    pub fn present(&self, solution: &[usize]) -> Vec<(u32, u32)> {
        let colors = self.plain.colors(solution);
        let is_present = |item: usize| colors.get(&item) == Some(&Some('1'));
        self.edges.iter().filter(|e| is_present(e.0)).map(|&(_, u, v)| (u, v)).collect()
    }
}

/// Random vertices and edges of a lattice with up to 3 x 4 vertices, with coordinates of `digits`
/// digits. The options of a vertex and of a cell color some of the edges around it 0, 1 or 2, use
/// them without a color, or leave them alone; most respect degrees, some do not. So edges get their
/// colors from cells first, vertices get degree 3 for a moment, and paths stay open.
pub fn lattice(seed: u64, digits: usize) -> Lattice {
    let mut random = fastrand::Rng::with_seed(seed);
    let (rows, cols) = (random.usize(2..=3), random.usize(2..=4));
    let name = |r: usize, c: usize| format!("{r:0digits$}{c:0digits$}");
    let keep = if random.bool() { 100 } else { random.u32(60..100) };
    let vertices: Vec<(usize, usize)> = (0..rows * cols)
        .map(|i| (2 * (i / cols), 2 * (i % cols)))
        .filter(|_| random.u32(..100) < keep)
        .collect();
    let find = |r: usize, c: usize| vertices.iter().position(|&v| v == (r, c));
    let mut names: Vec<String> = vertices.iter().map(|&(r, c)| name(r, c)).collect();
    let cells: Vec<(usize, usize)> = (0..(rows - 1) * (cols - 1))
        .map(|i| (2 * (i / (cols - 1)) + 1, 2 * (i % (cols - 1)) + 1))
        .filter(|_| random.u8(..3) == 0)
        .collect();
    names.extend(cells.iter().map(|&(r, c)| name(r, c)));
    if names.is_empty() {
        names.push("none".to_owned());
    }
    let primary = names.len();

    let mut midpoints = Vec::new();
    let mut edges = Vec::new();
    for r in 0..2 * rows - 1 {
        for c in (1 - r % 2..2 * cols - 1).step_by(2) {
            let (ends, dropped) = match r % 2 {
                0 => (find(r, c - 1).zip(find(r, c + 1)), random.u32(..100) >= keep),
                _ => (find(r - 1, c).zip(find(r + 1, c)), random.u32(..100) >= keep),
            };
            if let (Some((u, v)), false) = (ends, dropped) {
                midpoints.push((r, c));
                edges.push((names.len(), u as u32, v as u32));
                names.push(name(r, c));
            }
        }
    }
    let at = |r: usize, c: usize| midpoints.iter().position(|&m| m == (r, c)).map(|i| primary + i);
    let around = |(r, c): (usize, usize)| {
        let west = c.checked_sub(1).and_then(|c| at(r, c));
        let north = r.checked_sub(1).and_then(|r| at(r, c));
        [north, west, at(r, c + 1), at(r + 1, c)].into_iter().flatten().collect::<Vec<_>>()
    };

    let orderly = random.bool();
    let mut options = Vec::new();
    for (item, &place) in vertices.iter().chain(&cells).enumerate() {
        let here = around(place);
        if orderly && item < vertices.len() {
            // The tiles of slitherlink: no edge or two.
            for tile in 0..1u32 << here.len() {
                if matches!(tile.count_ones(), 0 | 2) {
                    let color = |i: usize| Some(if tile >> i & 1 == 1 { '1' } else { '0' });
                    let uses = here.iter().enumerate().map(|(i, &edge)| (edge, color(i)));
                    options.push([(item, None)].into_iter().chain(uses).collect());
                }
            }
            continue;
        }
        for _ in 0..random.usize(1..=4) {
            let mut option = vec![(item, None)];
            for &edge in &here {
                match random.u8(..10) {
                    0 => option.push((edge, Some('2'))),
                    1 if !orderly => option.push((edge, None)),
                    1..=3 => {}
                    4..=6 => option.push((edge, Some('1'))),
                    _ => option.push((edge, Some('0'))),
                }
            }
            random.shuffle(&mut option);
            options.push(option);
        }
    }
    if vertices.is_empty() && cells.is_empty() {
        options.push(vec![(0, None)]);
    }
    Lattice { plain: Plain { names, primary, options }, edges }
}

/// Small `.dlx` files to start from.
pub fn models() -> Vec<Vec<u8>> {
    let files = ["dlx/ok", "dlx/bad", "xcc"].map(|folder| fixtures(folder, "dlx"));
    let mut models: Vec<Vec<u8>> = files.iter().flatten().map(|path| slurp(path)).collect();
    models.retain(|text| text.len() < 400);
    models
}

/// Bytes of which most mean something to the reader.
pub fn bytes(seed: u64) -> Vec<u8> {
    const LIKELY: &[u8] = b"AABBCX01  \n\n\n|:\t\r";
    let mut random = fastrand::Rng::with_seed(seed);
    let length = random.usize(..60);
    let byte = |random: &mut fastrand::Rng| match random.u8(..40) {
        0 => random.u8(..),
        _ => LIKELY[random.usize(..LIKELY.len())],
    };
    (0..length).map(|_| byte(&mut random)).collect()
}

/// A fixture or a random problem with a few changes: bytes changed, cut, doubled, pieces of lines moved.
pub fn mutant(seed: u64, models: &[Vec<u8>]) -> Vec<u8> {
    const SPICE: &[&[u8]] = &[
        b" |", b"|3", b":", b":1", b"2|", b"1:3|", b"\n", b"\r\n", b"\0", b" A", b"\n| c\n",
        b"\xff",
    ];
    let mut random = fastrand::Rng::with_seed(seed);
    let mut text = match random.bool() {
        true => xcc(seed).text().into_bytes(),
        false => models[random.usize(..models.len())].clone(),
    };
    for _ in 0..random.usize(..4) {
        let at = random.usize(..=text.len());
        let end = random.usize(at..=text.len().min(at + 10));
        match random.u8(..5) {
            0 => drop(text.drain(at..end)),
            1 => text.truncate(at),
            2 => {
                let piece = text[at..end].to_vec();
                let to = random.usize(..=text.len());
                text.splice(to..to, piece);
            }
            3 if at < text.len() => text[at] = random.u8(..),
            _ => {
                let spice = SPICE[random.usize(..SPICE.len())];
                text.splice(at..at, spice.iter().copied());
            }
        }
    }
    text
}
