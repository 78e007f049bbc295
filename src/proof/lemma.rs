//! Judges lemmas, one at a time: each follows from its rule alone, or is refused.
//!
//! A lemma is a clause in DIMACS, then a word that says of which form it is, then names:
//!
//! | form | what follows | what is looked at |
//! |---|---|---|
//! | `cycle OUTSIDE EDGE...` | not all are present | the edges are a simple cycle, without the first one |
//! | `third EDGE EDGE EDGE` | not all are present | they meet in one vertex |
//! | `end VERTEX EDGE` | if the edge is present, another one at the vertex is, too | it ends there |
//! | `empty` | some edge is present | nothing |
//! | `apart VERTEX EDGE EDGE ABSENT...` | not both are present, unless one of the absent is | the graph without the absent edges and the vertex (`-` for none) has no way from one to the other |
//! | `cut COLOR CELL CELL BETWEEN...` | not both have the color, unless one between has it | the cells between part the two |
//!
//! For example, `-7 -9 -12 -15 -31 0 cycle 45 01 10 12 21`: four edges around a cell, and one elsewhere.

use std::collections::{HashMap, HashSet};

use super::expected::Expected;
use super::{Checked, Rules, refuse, show, words};
use crate::constraint::graph::Cells;
use crate::ids::{Color, ItemId};
use crate::problem::Problem;

/// What the lemmas of one problem are judged by.
#[derive(Debug)]
pub struct Judge<'p> {
    problem: &'p Problem,
    single_loop: Option<Loop>,
    areas: Vec<Area>,
    present: Option<Color>,
}

#[derive(Debug)]
struct Loop {
    /// By edge: its ends.
    ends: HashMap<ItemId, [u32; 2]>,
    vertices: HashMap<ItemId, u32>,
    /// By vertex: the edges there, with their other ends.
    at: Vec<Vec<(ItemId, u32)>>,
}

#[derive(Debug)]
struct Area {
    name: Vec<u8>,
    color: Option<Color>,
    cells: Cells,
    numbers: HashMap<ItemId, u32>,
}

/// A lemma: that not all of these are so. Each has an item, a color, and whether the item has it.
type Facts = Vec<(ItemId, Color, bool)>;

/// What is wrong with a lemma.
type Verdict<T> = Result<T, String>;

impl<'p> Judge<'p> {
    /// Judges by these rules.
    pub fn new(problem: &'p Problem, rules: Rules) -> Self {
        let single_loop = rules.single_loop.map(|graph| {
            let mut at = vec![Vec::new(); graph.vertices.len()];
            for edge in &graph.edges {
                at[edge.u as usize].push((edge.item, edge.v));
                at[edge.v as usize].push((edge.item, edge.u));
            }
            let ends = graph.edges.iter().map(|edge| (edge.item, [edge.u, edge.v])).collect();
            let vertices = graph.items.iter().copied().zip(0..).collect();
            Loop { ends, vertices, at }
        });
        let area = |(name, cells): (Vec<u8>, Cells)| {
            let numbers = cells.cells.iter().map(|cell| cell.item).zip(0..).collect();
            Area { color: problem.find_color(&name), name, cells, numbers }
        };
        let areas = rules.connected.into_iter().map(area).collect();
        Judge { problem, single_loop, areas, present: problem.find_color(b"1") }
    }

    /// Judges the lemma in line `line`: a clause, and why it follows.
    pub fn judge(
        &self,
        expected: &Expected<'_>,
        line: u64,
        clause: &[i32],
        why: &[u8],
    ) -> Checked<()> {
        let mut parts = words(why);
        let form = parts.next().unwrap_or_default();
        let names: Vec<&[u8]> = parts.collect();
        let facts = match form {
            b"cycle" => self.cycle(&names),
            b"third" => self.third(&names),
            b"end" => self.end(&names),
            b"empty" => self.empty(&names),
            b"apart" => self.apart(&names),
            b"cut" => self.cut(&names),
            b"" => Err("the lemma does not say why it follows".into()),
            other => Err(format!("there is no lemma of the form {}", show(other))),
        };
        let says = |facts: Facts| {
            let mut literals = Vec::new();
            for (item, color, holds) in facts {
                match expected.color(item, color) {
                    Some(variable) => literals.push(if holds { -variable } else { variable }),
                    None if holds => {
                        return Err(format!("no option colors {} so", self.name(item)));
                    }
                    None => {}
                }
            }
            literals.sort_unstable();
            let mut given = clause.to_vec();
            given.sort_unstable();
            match given == literals {
                true => Ok(()),
                false => Err("the clause is not what the lemma says".to_owned()),
            }
        };
        facts.and_then(says).or_else(|what| refuse(line, what))
    }

    fn name(&self, item: ItemId) -> String {
        show(self.problem.name(item))
    }

    fn graph(&self) -> Verdict<(&Loop, Color)> {
        let graph = self.single_loop.as_ref();
        let graph = graph.ok_or("a lemma about loops, but there is no rule --loop")?;
        // Without the color no edge is ever present; only `empty` makes sense then.
        Ok((graph, self.present.ok_or("no option gives an edge the color `1`")?))
    }

    /// The edge of this name, with its ends.
    fn edge(&self, graph: &Loop, name: &[u8]) -> Verdict<(ItemId, [u32; 2])> {
        let item = self.problem.find(name);
        let found = item.and_then(|item| Some((item, *graph.ends.get(&item)?)));
        found.ok_or_else(|| format!("{} is no edge of the graph", show(name)))
    }

    fn edges(&self, graph: &Loop, names: &[&[u8]]) -> Verdict<Vec<(ItemId, [u32; 2])>> {
        let edges: Vec<_> =
            names.iter().map(|name| self.edge(graph, name)).collect::<Result<_, _>>()?;
        let mut seen = HashSet::new();
        match edges.iter().find(|(item, _)| !seen.insert(*item)) {
            Some(&(item, _)) => Err(format!("edge {} stands there twice", self.name(item))),
            None => Ok(edges),
        }
    }

    fn vertex(&self, graph: &Loop, name: &[u8]) -> Verdict<u32> {
        let vertex = self.problem.find(name).and_then(|item| graph.vertices.get(&item));
        vertex.copied().ok_or_else(|| format!("{} is no vertex of the graph", show(name)))
    }

    /// The edges are one simple cycle, and the first named is not among them.
    fn cycle(&self, names: &[&[u8]]) -> Verdict<Facts> {
        let (graph, present) = self.graph()?;
        let [outside, cycle @ ..] = names else { return Err("the lemma names no edge".into()) };
        let outside = self.edge(graph, outside)?.0;
        let cycle = self.edges(graph, cycle)?;
        if cycle.iter().any(|&(item, _)| item == outside) {
            return Err(format!("edge {} is not outside of the cycle", self.name(outside)));
        }
        let mut at: HashMap<u32, Vec<usize>> = HashMap::new();
        for (number, (_, ends)) in cycle.iter().enumerate() {
            ends.iter().for_each(|&end| at.entry(end).or_default().push(number));
        }
        for (item, ends) in &cycle {
            for end in ends {
                match at[end].len() {
                    1 => return Err(format!("the path ends at edge {}", self.name(*item))),
                    2 => {}
                    _ => return Err(format!("more than two edges meet at {}", self.name(*item))),
                }
            }
        }
        // From edge to edge; in a single cycle the walk meets all of them before it is back.
        let Some(&(_, [start, mut here])) = cycle.first() else {
            return Err("the lemma has no cycle".into());
        };
        let (mut number, mut length) = (0, 1);
        while here != start {
            let next = &at[&here];
            number = if next[0] == number { next[1] } else { next[0] };
            let [u, v] = cycle[number].1;
            here = if u == here { v } else { u };
            length += 1;
        }
        if length < cycle.len() {
            return Err(format!("several cycles: one has {length} of {} edges", cycle.len()));
        }
        let all = cycle.into_iter().map(|(item, _)| item).chain([outside]);
        Ok(all.map(|item| (item, present, true)).collect())
    }

    fn third(&self, names: &[&[u8]]) -> Verdict<Facts> {
        let (graph, present) = self.graph()?;
        let edges = self.edges(graph, names)?;
        let [first, rest @ ..] = &edges[..] else { return Err("the lemma names no edge".into()) };
        let meets = |&end: &u32| rest.iter().all(|(_, ends)| ends.contains(&end));
        if edges.len() != 3 || !first.1.iter().any(meets) {
            return Err("these are not three edges at one vertex".into());
        }
        Ok(edges.iter().map(|&(item, _)| (item, present, true)).collect())
    }

    fn end(&self, names: &[&[u8]]) -> Verdict<Facts> {
        let (graph, present) = self.graph()?;
        let &[vertex, edge] = names else {
            return Err("expected a vertex and an edge".into());
        };
        let at = &graph.at[self.vertex(graph, vertex)? as usize];
        let (edge, _) = self.edge(graph, edge)?;
        if !at.iter().any(|&(item, _)| item == edge) {
            return Err(format!("edge {} does not end at {}", self.name(edge), show(vertex)));
        }
        Ok(at.iter().map(|&(item, _)| (item, present, item == edge)).collect())
    }

    fn empty(&self, names: &[&[u8]]) -> Verdict<Facts> {
        let graph = self.single_loop.as_ref();
        let graph = graph.ok_or("a lemma about loops, but there is no rule --loop")?;
        if !names.is_empty() {
            return Err("expected no names".into());
        }
        let Some(present) = self.present else { return Ok(Vec::new()) };
        Ok(graph.ends.keys().map(|&item| (item, present, false)).collect())
    }

    /// Without the absent edges, and without the vertex, no way leads from one edge to the other.
    fn apart(&self, names: &[&[u8]]) -> Verdict<Facts> {
        let (graph, present) = self.graph()?;
        let [vertex, edges @ ..] = names else { return Err("the lemma names no vertex".into()) };
        let through = match *vertex {
            b"-" => None,
            name => Some(self.vertex(graph, name)?),
        };
        let edges = self.edges(graph, edges)?;
        let [one, other, absent @ ..] = &edges[..] else {
            return Err("the lemma names fewer than two edges".into());
        };
        let absent: HashSet<ItemId> = absent.iter().map(|&(item, _)| item).collect();
        let from = other.1.iter().copied().filter(|&end| Some(end) != through);
        let mut open: Vec<u32> = from.take(1).collect();
        let mut reached: HashSet<u32> = open.iter().copied().collect();
        while let Some(vertex) = open.pop() {
            if one.1.contains(&vertex) {
                let (one, other) = (self.name(one.0), self.name(other.0));
                return Err(format!("edges {one} and {other} are not apart"));
            }
            for &(item, next) in &graph.at[vertex as usize] {
                if !absent.contains(&item) && Some(next) != through && reached.insert(next) {
                    open.push(next);
                }
            }
        }
        let both = [one.0, other.0].map(|item| (item, present, true));
        Ok(both.into_iter().chain(absent.into_iter().map(|item| (item, present, false))).collect())
    }

    /// The cells between part the two.
    fn cut(&self, names: &[&[u8]]) -> Verdict<Facts> {
        let [color, cells @ ..] = names else { return Err("the lemma names no color".into()) };
        let area = self.areas.iter().find(|area| area.name == *color);
        let area = area.ok_or_else(|| format!("there is no rule --connected={}", text(color)))?;
        let color = area.color.ok_or_else(|| format!("no option has color {}", show(color)))?;
        let cell = |name: &&[u8]| {
            let number = self.problem.find(name).and_then(|item| area.numbers.get(&item));
            number.copied().ok_or_else(|| format!("{} is no cell", show(name)))
        };
        let cells: Vec<u32> = cells.iter().map(cell).collect::<Result<_, _>>()?;
        let mut seen = HashSet::new();
        if let Some(&twice) = cells.iter().find(|&&cell| !seen.insert(cell)) {
            let item = area.cells.cells[twice as usize].item;
            return Err(format!("cell {} stands there twice", self.name(item)));
        }
        let &[one, other, ref between @ ..] = &cells[..] else {
            return Err("the lemma names fewer than two cells".into());
        };
        let item = |cell: u32| area.cells.cells[cell as usize].item;
        let mut closed: HashSet<u32> = between.iter().copied().collect();
        // The cell that is not there.
        closed.insert(area.cells.cells.len() as u32);
        let mut open = vec![one];
        while let Some(cell) = open.pop() {
            if cell == other {
                let (one, other) = (self.name(item(one)), self.name(item(other)));
                return Err(format!("the cells between do not part {one} and {other}"));
            }
            for near in area.cells.cells[cell as usize].around {
                if closed.insert(near) {
                    open.push(near);
                }
            }
        }
        let both = [one, other].map(|cell| (item(cell), color, true));
        let rest = between.iter().map(|&cell| (item(cell), color, false));
        Ok(both.into_iter().chain(rest).collect())
    }
}

fn text(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}
