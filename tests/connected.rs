//! `--connected` against plain recursion over options and a flood fill of its own, on random files
//! that have everything the constraint must not trip over.

use quadrille::constraint::connected::propagator::ConnectedPropagator;
use quadrille::constraint::final_test::FinalTest;
use quadrille::constraint::graph::{BindError, Cells, Graph};
use quadrille::constraint::single_loop::propagator::SingleLoopPropagator;
use quadrille::constraint::{Conjunction, Propagator};
use quadrille::dlx::{self, write::Writer};
use quadrille::problem::Problem;
use quadrille::puzzle::{self, Model};
use quadrille::search::engine::{Engine, run};
use quadrille::search::learn::Learn;
use quadrille::search::links_under;
use quadrille::search::stats::Stats;
use quadrille::solution::Choices;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// Covers as sorted lists of options.
type Covers = Vec<Vec<usize>>;

/// All solutions, sorted.
fn covers(engine: &mut dyn Engine) -> Covers {
    let mut covers = Vec::new();
    run(engine, &mut |choices: &dyn Choices| {
        let mut cover: Vec<_> = choices.options().iter().map(|option| option.index()).collect();
        cover.sort_unstable();
        covers.push(cover);
        ControlFlow::Continue(())
    });
    covers.sort();
    covers
}

/// The same by `links`, and the counts of the search.
fn search(problem: &Problem, constraint: impl Propagator) -> (Covers, Stats) {
    let mut engine = links_under(problem, constraint);
    (covers(&mut *engine), engine.stats())
}

fn learn(problem: &Problem, constraint: impl Propagator) -> Covers {
    covers(&mut Learn::new(problem, constraint))
}

fn read(text: &str) -> Problem {
    dlx::parse::read(text.as_bytes()).unwrap_or_else(|_| panic!("unreadable:\n{text}")).problem
}

/// What a cover says of the items: by name their color, empty if they are used without.
type Colors<'a> = BTreeMap<&'a str, &'a str>;

/// The text of a problem, taken apart at the blanks.
struct Plain<'a> {
    primary: Vec<&'a str>,
    options: Vec<Vec<(&'a str, &'a str)>>,
}

impl<'a> Plain<'a> {
    fn new(text: &'a str) -> Self {
        let mut lines = text.lines();
        let items = lines.next().unwrap();
        let primary = items.split('|').next().unwrap().split_whitespace().collect();
        let split = |entry: &'a str| entry.split_once(':').unwrap_or((entry, ""));
        let options = lines.map(|line| line.split(' ').map(split).collect()).collect();
        Plain { primary, options }
    }

    /// All covers whose colors `accept` likes, sorted, and how many others there are.
    fn covers(&self, accept: impl Fn(&Colors) -> bool) -> (Covers, usize) {
        let (mut covers, mut others) = (Vec::new(), 0);
        self.cover(&mut Colors::new(), &mut Vec::new(), &mut |colors, cover| {
            if !accept(colors) {
                others += 1;
                return;
            }
            let mut cover = cover.to_vec();
            cover.sort_unstable();
            covers.push(cover);
        });
        covers.sort();
        (covers, others)
    }

    fn cover(
        &self,
        colors: &mut Colors<'a>,
        cover: &mut Vec<usize>,
        visit: &mut impl FnMut(&Colors, &[usize]),
    ) {
        let Some(item) = self.primary.iter().find(|&item| !colors.contains_key(item)) else {
            return visit(colors, cover);
        };
        for (number, option) in self.options.iter().enumerate() {
            let fits = |&(name, color): &(&str, &str)| {
                colors.get(name).is_none_or(|&other| !color.is_empty() && color == other)
            };
            if option.iter().any(|(name, _)| name == item) && option.iter().all(fits) {
                let before = colors.clone();
                colors.extend(option.iter().copied());
                cover.push(number);
                self.cover(colors, cover, visit);
                cover.pop();
                *colors = before;
            }
        }
    }
}

/// Row and column of a name of two digits.
fn place(name: &str) -> Option<(u8, u8)> {
    match name.as_bytes() {
        &[row @ b'0'..=b'9', col @ b'0'..=b'9'] => Some((row - b'0', col - b'0')),
        _ => None,
    }
}

/// The places of these parities that have the color. Primary items never have one.
fn places(colors: &Colors, color: &str, parities: &[(u8, u8)]) -> BTreeSet<(u8, u8)> {
    let of_color = colors.iter().filter(|(_, given)| **given == color);
    let at = of_color.filter_map(|(name, _)| place(name));
    at.filter(|(row, col)| parities.contains(&(row % 2, col % 2))).collect()
}

/// Whether the cells of this color hang together.
fn is_connected(colors: &Colors, color: &str) -> bool {
    let mut apart = places(colors, color, &[(1, 1)]);
    let mut todo = Vec::from_iter(apart.pop_first());
    while let Some((row, col)) = todo.pop() {
        let is_near = |&(r, c): &(u8, u8)| r.abs_diff(row) + c.abs_diff(col) == 2;
        let near: Vec<_> = apart.iter().copied().filter(is_near).collect();
        near.iter().for_each(|at| assert!(apart.remove(at)));
        todo.extend(near);
    }
    apart.is_empty()
}

/// Whether the edges of color 1 are exactly one cycle.
fn is_loop(colors: &Colors) -> bool {
    let mut edges = places(colors, "1", &[(0, 1), (1, 0)]);
    let ends = |(row, col): (u8, u8)| match row % 2 {
        0 => [(row, col - 1), (row, col + 1)],
        _ => [(row - 1, col), (row + 1, col)],
    };
    let mut degrees = BTreeMap::new();
    edges.iter().flat_map(|&edge| ends(edge)).for_each(|v| *degrees.entry(v).or_insert(0) += 1);
    let Some(first) = edges.pop_first() else { return false };
    let mut todo = ends(first).to_vec();
    while let Some(vertex) = todo.pop() {
        let here: Vec<_> = edges.iter().copied().filter(|&e| ends(e).contains(&vertex)).collect();
        for edge in here {
            edges.remove(&edge);
            todo.extend(ends(edge));
        }
    }
    edges.is_empty() && degrees.values().all(|&degree| degree == 2)
}

/// A file of up to 3 x 4 cells in up to 4 colors. Some cells are missing, or primary, or have no
/// color; some must be covered and some need not; some options have several cells, others none.
fn random_file(random: &mut fastrand::Rng) -> String {
    let (rows, cols, colors) = (random.u8(1..=3), random.u8(1..=4), random.usize(2..=4));
    let palette = &["0", "1", "2", "x"][..colors];
    let all = (0..rows).flat_map(|row| (0..cols).map(move |col| (2 * row + 1, 2 * col + 1)));
    let (mut cells, mut primary, mut options) = (Vec::new(), Vec::new(), Vec::new());
    for (row, col) in all {
        let name = format!("{row}{col}");
        match random.u8(0..14) {
            0 => continue,
            1 => {
                options.push(name.clone());
                primary.push(name);
            }
            _ => cells.push(name),
        }
    }
    // The last cells of some files have no color.
    let bleak = if random.u8(0..4) == 0 { random.usize(..=cells.len()) } else { cells.len() };
    let entry = |random: &mut fastrand::Rng, cell: usize| match random.u8(0..8) {
        0 => cells[cell].clone(),
        _ if cell >= bleak => cells[cell].clone(),
        _ => format!("{}:{}", cells[cell], palette[random.usize(..colors)]),
    };
    for (cell, name) in cells.iter().enumerate() {
        if random.u8(0..4) == 0 {
            continue;
        }
        primary.push(format!("#{name}"));
        for _ in 0..random.u8(1..=3) {
            let mut option = format!("#{name} {}", entry(random, cell));
            let other = random.usize(..cells.len());
            if other != cell && random.u8(0..3) == 0 {
                option = format!("{option} {}", entry(random, other));
            }
            options.push(option);
        }
    }
    for name in 0..random.u8(1..4) {
        primary.push(format!("p{name}"));
        for _ in 0..random.u8(1..5) {
            let mut option = format!("p{name}");
            if name > 0 && random.u8(0..4) == 0 {
                option += &format!(" p{}", name - 1);
            }
            for cell in 0..cells.len() {
                if random.u8(0..6) == 0 {
                    option = format!("{option} {}", entry(random, cell));
                }
            }
            options.push(option);
        }
    }
    let mut secondary = cells.clone();
    random.shuffle(&mut secondary);
    random.shuffle(&mut primary);
    random.shuffle(&mut options);
    format!("{} | s {}\n{}\n", primary.join(" "), secondary.join(" "), options.join("\n"))
}

/// A file of 1 x 1 to 2 x 2 cells with vertices of degree 0 or 2, whose edges share options with
/// cells.
fn random_lattice(random: &mut fastrand::Rng) -> String {
    let (rows, cols) = (2 * random.u8(1..=2), 2 * random.u8(1..=2));
    let points = |is: fn(u8, u8) -> bool| {
        let all = (0..=rows).flat_map(move |row| (0..=cols).map(move |col| (row, col)));
        all.filter(move |(row, col)| is(row % 2, col % 2)).collect::<Vec<_>>()
    };
    let name = |(row, col): (u8, u8)| format!("{row}{col}");
    let edges = points(|row, col| row != col);
    let mut cells = points(|row, col| row + col == 2);
    cells.retain(|_| random.u8(0..8) > 0);
    let (mut primary, mut options) = (Vec::new(), Vec::new());
    for vertex in points(|row, col| row + col == 0) {
        primary.push(name(vertex));
        let near = |at: (u8, u8)| at.0.abs_diff(vertex.0) < 2 && at.1.abs_diff(vertex.1) < 2;
        let at: Vec<_> = edges.iter().copied().filter(|&edge| near(edge)).collect();
        let at: Vec<_> =
            at.into_iter().filter(|edge| edge.0 == vertex.0 || edge.1 == vertex.1).collect();
        for bits in (0u32..1 << at.len()).filter(|bits| [0, 2].contains(&bits.count_ones())) {
            for _ in 0..1 + random.u8(0..8) / 7 {
                let mut option = name(vertex);
                for (index, &edge) in at.iter().enumerate() {
                    option += &format!(" {}:{}", name(edge), bits >> index & 1);
                }
                for &cell in cells.iter().filter(|&&cell| near(cell)) {
                    if random.u8(0..4) == 0 {
                        let color = ["", ":0", ":1", ":1"][random.usize(..4)];
                        option += &format!(" {}{color}", name(cell));
                    }
                }
                options.push(option);
            }
        }
    }
    for &cell in cells.iter().filter(|_| random.bool()) {
        primary.push(format!("#{}", name(cell)));
        for color in ["0", "1"] {
            options.push(format!("#{0} {0}:{color}", name(cell)));
        }
    }
    let secondary: Vec<String> = edges.iter().chain(&cells).copied().map(name).collect();
    random.shuffle(&mut options);
    format!("{} | {}\n{}\n", primary.join(" "), secondary.join(" "), options.join("\n"))
}

/// One of the ways to judge connectedness.
type Way = fn(ConnectedPropagator) -> Box<dyn Propagator>;

const WAYS: [(&str, Way); 3] = [
    ("full", |connected| Box::new(connected)),
    ("without forcing", |connected| Box::new(connected.without_forcing())),
    ("final test", |connected| Box::new(FinalTest::new(connected))),
];

/// Compares the solutions that constraints leave, in all ways, with those that `accept` likes.
/// Answers how many there are, and how many it does not like.
fn assert_agreement(
    text: &str,
    make: impl Fn(Way) -> Vec<Box<dyn Propagator>>,
    accept: impl Fn(&Colors) -> bool,
) -> [usize; 2] {
    let problem = read(text);
    let plain = Plain::new(text);
    let (expected, others) = plain.covers(accept);
    for (name, way) in WAYS {
        let found = search(&problem, Conjunction::from(make(way))).0;
        assert_eq!(found, expected, "{name}:\n{text}");
        let learned = learn(&problem, Conjunction::from(make(way)));
        assert_eq!(learned, expected, "learn, {name}:\n{text}");
    }
    [expected.len(), others]
}

fn assert_many(counts: &[[usize; 2]], least: usize) {
    let sum = |part: usize| counts.iter().map(|count| count[part]).sum::<usize>();
    assert!(sum(0) > least && sum(1) > least, "{} solutions, {} others", sum(0), sum(1));
}

/// Whether some cell has a color in some option.
fn has_cell(text: &str) -> bool {
    let colored = text.split_whitespace().filter_map(|entry| entry.split_once(':'));
    let mut at = colored.filter_map(|(name, _)| place(name));
    at.any(|(row, col)| row % 2 == 1 && col % 2 == 1)
}

#[test]
fn finds_what_plain_recursion_finds() {
    let mut counts = Vec::new();
    for seed in 0..750 {
        let text = random_file(&mut fastrand::Rng::with_seed(seed));
        let color = ["0", "1", "x"][seed as usize % 3];
        match ConnectedPropagator::new(&read(&text), color.as_bytes()) {
            Err(error) => assert!(error == BindError::NoCells && !has_cell(&text), "{text}"),
            Ok(connected) => counts.push(assert_agreement(
                &text,
                |way| vec![way(connected.clone())],
                |colors| is_connected(colors, color),
            )),
        }
    }
    assert_many(&counts, 2000);
}

#[test]
fn two_colors_are_connected_at_once() {
    let mut counts = Vec::new();
    for seed in 1000..1500 {
        let text = random_file(&mut fastrand::Rng::with_seed(seed));
        let Ok(zero) = ConnectedPropagator::new(&read(&text), b"0") else { continue };
        let one = ConnectedPropagator::new(&read(&text), b"1").unwrap();
        counts.push(assert_agreement(
            &text,
            |way| vec![way(zero.clone()), way(one.clone())],
            |colors| is_connected(colors, "0") && is_connected(colors, "1"),
        ));
    }
    assert_many(&counts, 1000);
}

#[test]
fn works_beside_the_single_loop() {
    let mut counts = Vec::new();
    for seed in 0..500 {
        let text = random_lattice(&mut fastrand::Rng::with_seed(seed));
        let problem = read(&text);
        let Ok(connected) = ConnectedPropagator::new(&problem, b"1") else { continue };
        let single = SingleLoopPropagator::new(&problem, &Graph::read(&problem).unwrap());
        let single = if seed % 2 == 0 { single } else { single.with_shortcuts() };
        counts.push(assert_agreement(
            &text,
            |way| vec![Box::new(single.clone()), way(connected.clone())],
            |colors| is_loop(colors) && is_connected(colors, "1"),
        ));
    }
    assert_many(&counts, 1000);
}

/// The color `C` connected, in all ways: the numbers of solutions.
fn count_connected(text: &str) -> usize {
    let connected = ConnectedPropagator::new(&read(text), b"C").unwrap();
    assert_agreement(text, |way| vec![way(connected.clone())], |colors| is_connected(colors, "C"))
        [0]
}

// 15 has the color in every option that is left, but no item needs any of them.
#[test]
fn a_cell_that_may_stay_unused_is_not_required() {
    assert_eq!(count_connected("a b | 11 15\na 11:C\nb\nb 15:C\n"), 1);
}

#[test]
fn a_cell_whose_witness_stays_is_required() {
    let text = "a b c | 11 13 15\na 11:C\nb 15:C\nb 15:C 13:C\nc\nc 13:D\n";
    assert_eq!(count_connected(text), 1);
    // a and b fix 11 and 15; then 13 is required, and c has one option left.
    let problem = read("a b c d | 11 13 15\na 11:C\nb 15:C\nc 13:C\nc 13:D\nc 13\nd\nd\n");
    let connected = ConnectedPropagator::new(&problem, b"C").unwrap();
    let reachable = connected.clone().without_forcing();
    let (covers, stats) = search(&problem, connected);
    assert_eq!((covers.len(), stats.nodes), (2, 6));
    let (same, more) = search(&problem, reachable);
    assert!(same == covers && more.nodes > stats.nodes);
}

#[test]
fn one_cell_or_none_is_connected() {
    assert_eq!(count_connected("a b | 11 15\na 11:C\na 11:D\nb 15:C\nb 15\n"), 3);
}

#[test]
fn a_color_that_no_option_has_is_connected() {
    assert_eq!(count_connected("a b | 11 15\na 11:D\nb 15:D\n"), 1);
}

#[test]
fn cells_are_neighbors_along_rows_and_columns_only() {
    assert_eq!(count_connected("a | 11 33\na 11:C 33:C\n"), 0);
    assert_eq!(count_connected("a | 11 13 33\na 11:C 33:C\na 11:C 33:C 13\n"), 0);
    assert_eq!(count_connected("a | 11 13 33\na 11:C 33:C 13:C\n"), 1);
}

#[test]
fn a_primary_item_is_no_cell_whatever_its_name() {
    assert_eq!(count_connected("11 13 15 | 31 35\n11 13 15 31:C 35:C\n"), 0);
    let error = ConnectedPropagator::new(&read("11 | 12\n11 12:C\n"), b"C").unwrap_err();
    assert_eq!(error, BindError::NoCells);
    assert_eq!(error.to_string(), "no option colors a cell, such as `11`");
}

// Nothing colors 11, so that the cells are those with two digits a coordinate.
#[test]
fn takes_the_least_width_that_some_option_colors() {
    let problem = read("a | 11 13 0101 0105 0Z01 Z\na 11 0101:C 0105:C\n");
    let cells = Cells::read(&problem).unwrap();
    assert_eq!((cells.width.digits(), cells.cells.len()), (2, 3));
    assert_eq!(cells.cells[0].around, [3; 4]);
    assert_eq!(
        search(&problem, ConnectedPropagator::new(&problem, b"C").unwrap()).0,
        Covers::new()
    );
}

/// The problem of a board of hitori.
fn hitori(board: &str) -> Problem {
    let kind = puzzle::find("hitori").unwrap();
    let mut text = Vec::new();
    let clues = kind.read(board.as_bytes()).unwrap();
    kind.write(&clues, Model::default(), &mut Writer::new(&mut text)).unwrap();
    dlx::parse::read(&text[..]).unwrap_or_else(|_| panic!("unreadable")).problem
}

/// Solutions of hitori as boards of `#` and `.`.
fn boards(problem: &Problem, rows: usize, covers: &Covers) -> Vec<String> {
    // Per cell white comes before black.
    let draw = |cover: &Vec<usize>| {
        let cells: Vec<char> = cover.iter().map(|o| if o % 2 == 0 { '.' } else { '#' }).collect();
        let lines =
            cells.chunks(cells.len() / rows).map(|row| row.iter().collect::<String>() + "\n");
        lines.collect()
    };
    assert!(covers.iter().all(|cover| 2 * cover.len() == problem.options()));
    covers.iter().map(draw).collect()
}

macro_rules! board {
    ($name:literal, $end:literal) => {
        include_str!(concat!("../fixtures/hitori/", $name, $end))
    };
}

#[test]
fn hitori_boards_have_the_one_solution_of_the_oracle() {
    let fixtures = [
        (board!("sgt-singles-7x7-e-1", ".txt"), board!("sgt-singles-7x7-e-1", ".sol")),
        (board!("sgt-singles-8x9-k-1", ".txt"), board!("sgt-singles-8x9-k-1", ".sol")),
        (board!("sgt-singles-12x17-k-1", ".txt"), board!("sgt-singles-12x17-k-1", ".sol")),
        (board!("sgt-singles-40x40-k-1", ".txt"), board!("sgt-singles-40x40-k-1", ".sol")),
    ];
    for (board, solution) in fixtures {
        let problem = hitori(board);
        let connected = ConnectedPropagator::new(&problem, b"0").unwrap();
        let rows = solution.lines().count();
        for connected in [connected.clone().without_forcing(), connected] {
            let (covers, stats) = search(&problem, connected);
            assert_eq!(boards(&problem, rows, &covers), [solution]);
            assert!(stats.nodes < 2 * problem.primary() as u64, "{} nodes", stats.nodes);
        }
    }
}

// Larger than what plain recursion can do: here the ways to judge check each other. Seed 3 notices
// if the cuts of a refused search are not forgotten.
#[test]
fn all_ways_agree_on_random_hitori() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut solutions = 0;
    for _ in 0..120 {
        let (rows, cols) = (random.usize(4..6), random.usize(4..6));
        // Twice as many numbers as columns, or few boards have a solution.
        let numbers = &b"123456789abc"[..2 * cols];
        let cell = |random: &mut fastrand::Rng| char::from(numbers[random.usize(..2 * cols)]);
        let row = |random: &mut fastrand::Rng| (0..cols).map(|_| cell(random)).collect::<String>();
        let board: Vec<String> = (0..rows).map(|_| row(&mut random)).collect();
        let problem = hitori(&board.join("\n"));
        let connected = ConnectedPropagator::new(&problem, b"0").unwrap();
        let found = WAYS
            .map(|(_, way)| search(&problem, Conjunction::from(vec![way(connected.clone())])).0);
        assert!(found[0] == found[2] && found[1] == found[2], "{board:?}");
        solutions += found[0].len();
    }
    assert!(solutions > 1000, "{solutions}");
}

// 1234 is the number of sets of cells without neighbors in 4 x 4 cells (OEIS A006506); the numbers
// of those whose complement is connected are from brute force over all sets.
#[test]
fn latin_squares_count_sets_of_cells_without_neighbors() {
    let count = |board: &str| {
        let problem = hitori(board);
        let connected = ConnectedPropagator::new(&problem, b"0").unwrap();
        let weak = search(&problem, ()).0.len();
        let counts = WAYS.map(|(_, way)| {
            search(&problem, Conjunction::from(vec![way(connected.clone())])).0.len()
        });
        (weak, counts)
    };
    assert_eq!(count("1234\n2341\n3412\n4123\n"), (1234, [562; 3]));
    assert_eq!(count(board!("deg-hitori-all-same-3x3", ".txt")).1, [0; 3]);
    assert_eq!(count(board!("deg-hitori-1x5", ".txt")), (13, [4; 3]));
}
