//! Edges and vertices by name: what judges of lemmas about edges have in common. No propagator uses it.

use std::collections::{HashMap, HashSet};

use crate::constraint::Literal;
use crate::constraint::graph::Graph;
use crate::ids::{Color, ItemId};
use crate::problem::Problem;

/// An edge with its ends.
pub type NamedEdge = (ItemId, [u32; 2]);

/// The edges of a problem.
#[derive(Debug)]
pub struct Edges {
    /// By edge: its ends.
    pub ends: HashMap<ItemId, [u32; 2]>,
    /// By vertex: the edges there, with their other ends.
    pub at: Vec<Vec<(ItemId, u32)>>,
    vertices: HashMap<ItemId, u32>,
    /// The color `1`, if an option has it.
    pub present: Option<Color>,
}

impl Edges {
    /// The edges of `graph`, which `problem` has.
    pub fn new(problem: &Problem, graph: &Graph) -> Self {
        let mut at = vec![Vec::new(); graph.vertices.len()];
        for edge in &graph.edges {
            at[edge.u as usize].push((edge.item, edge.v));
            at[edge.v as usize].push((edge.item, edge.u));
        }
        let ends = graph.edges.iter().map(|edge| (edge.item, [edge.u, edge.v])).collect();
        let vertices = graph.items.iter().copied().zip(0..).collect();
        Edges { ends, at, vertices, present: problem.find_color(b"1") }
    }

    /// The color `1`. Without it no edge is ever present, and there is nothing to say of one that is.
    pub fn present(&self) -> Result<Color, String> {
        self.present.ok_or_else(|| "no option gives an edge the color `1`".into())
    }

    /// The edge of this name.
    pub fn edge(&self, problem: &Problem, name: &[u8]) -> Result<NamedEdge, String> {
        let item = problem.find(name);
        let found = item.and_then(|item| Some((item, *self.ends.get(&item)?)));
        found.ok_or_else(|| format!("{} is no edge of the graph", show(name)))
    }

    /// The edges of these names, which differ.
    pub fn edges(&self, problem: &Problem, names: &[&[u8]]) -> Result<Vec<NamedEdge>, String> {
        let edges: Vec<_> =
            names.iter().map(|name| self.edge(problem, name)).collect::<Result<_, _>>()?;
        let mut seen = HashSet::new();
        match edges.iter().find(|(item, _)| !seen.insert(*item)) {
            Some(&(item, _)) => Err(format!("edge {} stands there twice", name_of(problem, item))),
            None => Ok(edges),
        }
    }

    /// The vertex of this name.
    pub fn vertex(&self, problem: &Problem, name: &[u8]) -> Result<u32, String> {
        let vertex = problem.find(name).and_then(|item| self.vertices.get(&item));
        vertex.copied().ok_or_else(|| format!("{} is no vertex of the graph", show(name)))
    }
}

/// Makes sure that these edges, which differ, are one simple cycle.
pub fn is_simple_cycle(problem: &Problem, cycle: &[NamedEdge]) -> Result<(), String> {
    let mut at: HashMap<u32, Vec<usize>> = HashMap::new();
    for (number, (_, ends)) in cycle.iter().enumerate() {
        ends.iter().for_each(|&end| at.entry(end).or_default().push(number));
    }
    for &(item, ends) in cycle {
        for end in ends {
            match at[&end].len() {
                1 => return Err(format!("the path ends at edge {}", name_of(problem, item))),
                2 => {}
                _ => {
                    return Err(format!("more than two edges meet at {}", name_of(problem, item)));
                }
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
    Ok(())
}

/// The literals that all of these items have the color.
pub fn all_hold(items: impl IntoIterator<Item = ItemId>, color: Color) -> Vec<Literal> {
    items.into_iter().map(|item| Literal { item, color, holds: true }).collect()
}

/// The name of an item in a message.
pub fn name_of(problem: &Problem, item: ItemId) -> String {
    show(problem.name(item))
}

/// A word of a proof in a message.
pub fn show(word: &[u8]) -> String {
    format!("`{}`", String::from_utf8_lossy(&word[..word.len().min(40)]))
}
