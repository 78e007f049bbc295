//! Exact cover with colors by its definition, over plain sets: what the engines are compared with.

use std::collections::BTreeMap;

/// An instance in plain words. Primary items are `0 .. primary`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plain {
    pub names: Vec<String>,
    pub primary: usize,
    /// By option: item and color of each use.
    pub options: Vec<Vec<(usize, Option<char>)>>,
}

impl Plain {
    /// As a `.dlx` file.
    pub fn text(&self) -> String {
        let mut text = self.names[..self.primary].join(" ");
        if self.primary < self.names.len() {
            text += " | ";
            text += &self.names[self.primary..].join(" ");
        }
        text += "\n";
        for option in &self.options {
            let word = |&(item, color): &(usize, Option<char>)| match color {
                Some(color) => format!("{}:{color}", self.names[item]),
                None => self.names[item].clone(),
            };
            text += &option.iter().map(word).collect::<Vec<_>>().join(" ");
            text += "\n";
        }
        text
    }

    /// The options that count: those with a primary item.
    fn kept(&self) -> Vec<&[(usize, Option<char>)]> {
        let has_primary = |option: &&Vec<(usize, Option<char>)>| {
            option.iter().any(|&(item, _)| item < self.primary)
        };
        self.options.iter().filter(has_primary).map(Vec::as_slice).collect()
    }

    /// All solutions as sorted sets of options, sorted: each subset of the options is looked at,
    /// unless a part of it clashes already.
    pub fn solutions_by_subsets(&self) -> Vec<Vec<usize>> {
        let kept = self.kept();
        let mut solutions = Vec::new();
        let mut subset = Vec::new();
        fn grow(
            plain: &Plain,
            kept: &[&[(usize, Option<char>)]],
            next: usize,
            subset: &mut Vec<usize>,
            solutions: &mut Vec<Vec<usize>>,
        ) {
            if next == kept.len() {
                let covered = |item| subset.iter().any(|&o| kept[o].iter().any(|u| u.0 == item));
                if (0..plain.primary).all(covered) {
                    solutions.push(subset.clone());
                }
                return;
            }
            grow(plain, kept, next + 1, subset, solutions);
            if subset.iter().all(|&other| compatible(kept[other], kept[next])) {
                subset.push(next);
                grow(plain, kept, next + 1, subset, solutions);
                subset.pop();
            }
        }
        grow(self, &kept, 0, &mut subset, &mut solutions);
        solutions.sort();
        solutions
    }

    /// The same solutions, found item by item: exactly one option of a solution has the first
    /// primary item that is not covered yet. For problems with more options.
    pub fn solutions_by_items(&self) -> Vec<Vec<usize>> {
        let kept = self.kept();
        let mut solutions = Vec::new();
        let mut chosen = Vec::new();
        fn cover(
            plain: &Plain,
            kept: &[&[(usize, Option<char>)]],
            chosen: &mut Vec<usize>,
            solutions: &mut Vec<Vec<usize>>,
        ) {
            let has = |option: usize, item| kept[option].iter().any(|&(i, _)| i == item);
            let open = (0..plain.primary).find(|&item| !chosen.iter().any(|&o| has(o, item)));
            let Some(open) = open else {
                let mut solution = chosen.clone();
                solution.sort_unstable();
                solutions.push(solution);
                return;
            };
            for option in (0..kept.len()).filter(|&option| has(option, open)) {
                if chosen.iter().all(|&other| compatible(kept[other], kept[option])) {
                    chosen.push(option);
                    cover(plain, kept, chosen, solutions);
                    chosen.pop();
                }
            }
        }
        cover(self, &kept, &mut chosen, &mut solutions);
        solutions.sort();
        solutions
    }

    /// The colors that a set of options gives, by item; `None` for a use without color.
    pub fn colors(&self, solution: &[usize]) -> BTreeMap<usize, Option<char>> {
        let kept = self.kept();
        solution.iter().flat_map(|&option| kept[option].iter().copied()).collect()
    }
}

/// Whether two options can stand together: an item that both have must have the same color in both.
/// (A primary item never has a color, so it is never in both.)
fn compatible(a: &[(usize, Option<char>)], b: &[(usize, Option<char>)]) -> bool {
    a.iter().all(|(item, color)| {
        b.iter().all(|(other, second)| item != other || (color.is_some() && color == second))
    })
}

/// Whether these edges, given by their ends, are exactly one cycle: there is an edge, every vertex has
/// two or none, and all edges hang together.
pub fn is_single_cycle(edges: &[(u32, u32)]) -> bool {
    let degree = |v| edges.iter().filter(|e| e.0 == v || e.1 == v).count();
    if edges.is_empty() || edges.iter().any(|&(u, v)| degree(u) != 2 || degree(v) != 2) {
        return false;
    }
    let mut reached = vec![edges[0].0];
    let mut next = 0;
    while next < reached.len() {
        let here = reached[next];
        for &(u, v) in edges {
            for (from, to) in [(u, v), (v, u)] {
                if from == here && !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        next += 1;
    }
    edges.iter().all(|(u, _)| reached.contains(u))
}
