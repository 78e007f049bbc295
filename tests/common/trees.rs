//! Search trees whose size is known, however large.

use std::collections::HashMap;

use quadrille::large::Large;
use quadrille::problem::Problem;

use super::boards::{dominoes, slitherlink};
use super::problem;

/// The nodes and solutions of the tree that Algorithm C has for `problem`, which has no bounds: by recursion over
/// what options are left, of which each set is looked at once. It shares nothing with any engine.
pub fn tree(problem: &Problem) -> (Large, Large) {
    let options = problem.options();
    let words = options.div_ceil(64);
    let mut items = vec![vec![0u64; words]; problem.items()];
    for (number, option) in problem.option_ids().enumerate() {
        for entry in problem.option(option) {
            items[entry.item.index()][number / 64] |= 1 << (number % 64);
        }
    }
    let all: Vec<Vec<_>> =
        problem.option_ids().map(|o| problem.option(o).iter().collect()).collect();
    let clash = |a: &Vec<quadrille::problem::Entry>, b: &Vec<quadrille::problem::Entry>| {
        let differ = |x: &quadrille::problem::Entry, y: &quadrille::problem::Entry| {
            x.item == y.item && (x.color.is_none() || x.color != y.color)
        };
        a.iter().any(|x| b.iter().any(|y| differ(x, y)))
    };
    // By option: what may still be chosen beside it. Only options that share an item can clash.
    let beside: Vec<Vec<u64>> = all
        .iter()
        .map(|option| {
            let mut beside = vec![u64::MAX; words];
            for word in 0..words {
                let near = option.iter().fold(0, |near, e| near | items[e.item.index()][word]);
                for number in (0..64).filter(|bit| near >> bit & 1 == 1).map(|bit| word * 64 + bit)
                {
                    if clash(option, &all[number]) {
                        beside[word] &= !(1 << (number % 64));
                    }
                }
            }
            beside
        })
        .collect();
    let covers: Vec<Vec<usize>> = all
        .iter()
        .map(|option| {
            option.iter().filter(|e| problem.is_primary(e.item)).map(|e| e.item.index()).collect()
        })
        .collect();
    let mut oracle = Oracle { items, beside, covers, known: HashMap::new() };
    let mut left = vec![0u64; words];
    (0..options).for_each(|number| left[number / 64] |= 1 << (number % 64));
    let mut open: Vec<u64> = vec![0; problem.primary().div_ceil(64)];
    (0..problem.primary()).for_each(|item| open[item / 64] |= 1 << (item % 64));
    // A tree of a thousand levels is as many calls deep.
    std::thread::scope(|scope| {
        let deep = std::thread::Builder::new().stack_size(1 << 30);
        deep.spawn_scoped(scope, || oracle.of(left, open))
            .expect("a thread")
            .join()
            .expect("a size")
    })
}

struct Oracle {
    /// By item: its options.
    items: Vec<Vec<u64>>,
    beside: Vec<Vec<u64>>,
    /// By option: its primary items.
    covers: Vec<Vec<usize>>,
    known: HashMap<Vec<u64>, (Large, Large)>,
}

impl Oracle {
    fn of(&mut self, left: Vec<u64>, open: Vec<u64>) -> (Large, Large) {
        let key: Vec<u64> = left.iter().chain(&open).copied().collect();
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let is_open = |item: usize| open[item / 64] >> (item % 64) & 1 == 1;
        let length = |item: usize| -> u32 {
            self.items[item].iter().zip(&left).map(|(a, b)| (a & b).count_ones()).sum()
        };
        let least =
            (0..open.len() * 64).filter(|&item| is_open(item)).min_by_key(|&item| length(item));
        let Some(item) = least else { return (Large::ONE, Large::ONE) };
        let (mut nodes, mut solutions) = (Large::ONE, Large::ZERO);
        for word in 0..left.len() {
            let here = self.items[item][word] & left[word];
            for bit in (0..64).filter(|bit| here >> bit & 1 == 1) {
                let option = word * 64 + bit;
                let left = left.iter().zip(&self.beside[option]).map(|(a, b)| a & b).collect();
                let mut open = open.clone();
                self.covers[option].iter().for_each(|item| open[item / 64] &= !(1 << (item % 64)));
                let below = self.of(left, open);
                nodes += below.0;
                solutions += below.1;
            }
        }
        self.known.insert(key, (nodes, solutions));
        (nodes, solutions)
    }
}

/// A board of one row: one way to cover it, a level for each domino.
pub fn strip(squares: usize) -> Problem {
    dominoes(1, squares)
}

/// So many items of so many equal options each.
pub fn twins(items: usize, options: usize) -> Problem {
    let mut text = (0..items).map(|item| item.to_string()).collect::<Vec<_>>().join(" ");
    for option in 0..items * options {
        text += &format!("\n{}", option / options);
    }
    problem((text + "\n").as_bytes())
}

/// Queens that do not attack each other.
pub fn queens(side: usize) -> Problem {
    let mut text = (0..side).map(|i| format!("r{i} c{i} ")).collect::<String>() + "|";
    (0..2 * side - 1).for_each(|i| text += &format!(" a{i} b{i}"));
    for (row, column) in (0..side * side).map(|square| (square / side, square % side)) {
        let (up, down) = (row + column, row + side - 1 - column);
        text += &format!("\nr{row} c{column} a{up} b{down}");
    }
    problem((text + "\n").as_bytes())
}

/// Trees from ten nodes to more than 10^300, each with a name.
pub fn trees() -> Vec<(String, Problem)> {
    let mut all = Vec::new();
    for (rows, columns) in [
        (2, 5),
        (2, 20),
        (2, 40),
        (2, 80),
        (2, 160),
        (2, 320),
        (2, 640),
        (2, 1000),
        (2, 1430),
        (3, 8),
        (3, 16),
        (3, 40),
        (3, 100),
        (3, 300),
        (4, 8),
        (4, 12),
        (4, 20),
        (4, 60),
        (4, 120),
        (5, 20),
        (6, 6),
        (6, 12),
        (8, 8),
    ] {
        all.push((format!("dominoes {rows} x {columns}"), dominoes(columns, rows)));
    }
    for (items, options) in [(5, 2), (40, 2), (300, 2), (990, 2), (100, 3), (600, 3)] {
        all.push((format!("twins {items} x {options}"), twins(items, options)));
    }
    for squares in [20, 300, 1500] {
        all.push((format!("strip {squares}"), strip(squares)));
    }
    for side in 8..=14 {
        all.push((format!("queens {side}"), queens(side)));
    }
    for side in 3..=7 {
        all.push((format!("slitherlink {side} x {side}"), slitherlink(side)));
    }
    all
}
