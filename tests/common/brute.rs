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

    /// The tree of a search that branches on the item that `choose` takes of those not covered, each given with
    /// its number of options: nodes by level, and the solutions in order, as sorted sets of options.
    pub fn tree(&self, choose: Chooser<'_>) -> (Vec<u64>, Vec<Vec<usize>>) {
        let (mut profile, mut solutions) = (vec![], vec![]);
        self.grow_tree(choose, &mut vec![], &mut profile, &mut solutions);
        (profile, solutions)
    }

    fn grow_tree(
        &self,
        choose: Chooser<'_>,
        chosen: &mut Vec<usize>,
        profile: &mut Vec<u64>,
        solutions: &mut Vec<Vec<usize>>,
    ) {
        profile.resize(profile.len().max(chosen.len() + 1), 0);
        profile[chosen.len()] += 1;
        let kept = self.kept();
        let has = |option: usize, item| kept[option].iter().any(|&(i, _)| i == item);
        let left: Vec<usize> = (0..kept.len())
            .filter(|&option| chosen.iter().all(|&other| compatible(kept[other], kept[option])))
            .collect();
        let open: Vec<(usize, usize)> = (0..self.primary)
            .filter(|&item| !chosen.iter().any(|&option| has(option, item)))
            .map(|item| (item, left.iter().filter(|&&option| has(option, item)).count()))
            .collect();
        if open.is_empty() {
            let mut solution = chosen.clone();
            solution.sort_unstable();
            solutions.push(solution);
            return;
        }
        let item = choose(&open);
        for option in left.into_iter().filter(|&option| has(option, item)) {
            chosen.push(option);
            self.grow_tree(choose, chosen, profile, solutions);
            chosen.pop();
        }
    }

    /// The colors that a set of options gives, by item; `None` for a use without color.
    pub fn colors(&self, solution: &[usize]) -> BTreeMap<usize, Option<char>> {
        let kept = self.kept();
        solution.iter().flat_map(|&option| kept[option].iter().copied()).collect()
    }
}

/// Takes one of some items with their numbers of options.
pub type Chooser<'a> = &'a dyn Fn(&[(usize, usize)]) -> usize;

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

/// Whether these edges, which differ, form no cycle: there are as many of them as vertices, less one for each component.
pub fn is_forest(edges: &[(u32, u32)]) -> bool {
    let mut left: Vec<u32> = edges.iter().flat_map(|&(u, v)| [u, v]).collect();
    left.sort_unstable();
    left.dedup();
    let vertices = left.len();
    let mut components = 0;
    while let Some(start) = left.pop() {
        components += 1;
        let mut reached = vec![start];
        while let Some(here) = reached.pop() {
            for &(u, v) in edges {
                let there = if u == here { v } else { u };
                if (u == here || v == here) && left.contains(&there) {
                    left.retain(|&other| other != there);
                    reached.push(there);
                }
            }
        }
    }
    edges.len() + components == vertices
}

/// The same with bounds: how often each primary item is covered, from and to.
#[derive(Clone, Debug)]
pub struct Bounded {
    pub plain: Plain,
    pub bounds: Vec<(usize, usize)>,
}

impl Bounded {
    /// As a `.dlx` file.
    pub fn text(&self) -> String {
        let text = self.plain.text();
        let rest = text.split_once('\n').expect("the items have a line").1;
        let word = |(name, &(low, high)): (&String, &(usize, usize))| match (low, high) {
            (1, 1) => name.clone(),
            _ if low == high => format!("{high}|{name}"),
            _ => format!("{low}:{high}|{name}"),
        };
        let primary = &self.plain.names[..self.plain.primary];
        let mut items: Vec<String> = primary.iter().zip(&self.bounds).map(word).collect();
        let secondary = &self.plain.names[self.plain.primary..];
        if !secondary.is_empty() {
            items.push("|".into());
            items.extend_from_slice(secondary);
        }
        format!("{}\n{rest}", items.join(" "))
    }

    /// All solutions as sorted sets of options, sorted: each subset is looked at.
    pub fn solutions(&self) -> Vec<Vec<usize>> {
        let kept = self.plain.kept();
        let mut solutions = Vec::new();
        for subset in 0u64..1 << kept.len() {
            let chosen: Vec<usize> = (0..kept.len()).filter(|&o| subset >> o & 1 == 1).collect();
            let times = |item| {
                chosen.iter().filter(|&&o| kept[o].iter().any(|use_of| use_of.0 == item)).count()
            };
            let bounded = |(item, &(low, high)): (usize, &(usize, usize))| {
                (low..=high).contains(&times(item))
            };
            let secondary = |option: usize| {
                let uses = kept[option].iter().copied();
                uses.filter(|&(item, _)| item >= self.plain.primary).collect::<Vec<_>>()
            };
            let agree = chosen.iter().enumerate().all(|(i, &one)| {
                chosen[..i].iter().all(|&other| compatible(&secondary(one), &secondary(other)))
            });
            if agree && self.bounds.iter().enumerate().all(bounded) {
                solutions.push(chosen);
            }
        }
        solutions.sort();
        solutions
    }
}

/// The same with costs: by option, dropped ones included, what adds up to its cost.
#[derive(Clone, Debug)]
pub struct Priced {
    pub plain: Plain,
    pub costs: Vec<Vec<u64>>,
}

impl Priced {
    /// As a `.dlx` file.
    pub fn text(&self) -> String {
        let text = self.plain.text();
        let (items, options) = text.split_once('\n').expect("the items have a line");
        let mut text = format!("{items}\n");
        for (option, costs) in options.lines().zip(&self.costs) {
            text += option;
            costs.iter().for_each(|cost| text += &format!(" |{cost}"));
            text += "\n";
        }
        text
    }

    /// All solutions with their costs, sorted by them.
    pub fn solutions(&self) -> Vec<(u64, Vec<usize>)> {
        let options = self.plain.options.iter().zip(&self.costs);
        let kept = options.filter(|(option, _)| option.iter().any(|u| u.0 < self.plain.primary));
        let costs: Vec<u64> = kept.map(|(_, costs)| costs.iter().sum()).collect();
        let cost = |set: &Vec<usize>| set.iter().map(|&option| costs[option]).sum();
        let sets = self.plain.solutions_by_subsets().into_iter();
        let mut solutions: Vec<(u64, Vec<usize>)> = sets.map(|set| (cost(&set), set)).collect();
        solutions.sort();
        solutions
    }
}
