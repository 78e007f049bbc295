//! The graph that a file's item names describe: vertices, edges and cells with coordinates.

use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;

use crate::constraint::automaton::Spans;
use crate::constraint::registry::Origin;
use crate::ids::{Color, ItemId};
use crate::names::{Coord, Role, Width};
use crate::problem::Problem;

/// Why the names do not carry what a constraint needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BindError {
    /// This edge is a primary item.
    PrimaryEdge(String),
    /// This vertex is a secondary item.
    SecondaryVertex(String),
    /// No option colors a secondary item that has the name of a cell.
    NoCells,
    /// This edge ends in a vertex that is no item.
    NoVertex {
        /// Name of the edge.
        edge: String,
        /// Name that the vertex would have.
        vertex: String,
    },
    /// Something else, in a sentence.
    Other(String),
}

impl BindError {
    /// The name of the item that it is about, if it is about one.
    pub fn item(&self) -> Option<&str> {
        match self {
            BindError::PrimaryEdge(item) | BindError::SecondaryVertex(item) => Some(item),
            BindError::NoVertex { edge, .. } => Some(edge),
            BindError::NoCells | BindError::Other(_) => None,
        }
    }
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BindError::PrimaryEdge(edge) => write!(f, "edge item `{edge}` isn't secondary"),
            BindError::SecondaryVertex(vertex) => write!(f, "vertex item `{vertex}` isn't primary"),
            BindError::NoCells => f.write_str("no option colors a cell, such as `11`"),
            BindError::NoVertex { edge, vertex } => {
                write!(f, "edge item `{edge}` has no vertex `{vertex}`")
            }
            BindError::Other(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for BindError {}

/// An edge between two vertices, which are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The item that carries the edge's color.
    pub item: ItemId,
    /// Its midpoint.
    pub at: Coord,
    /// The left or upper end.
    pub u: u32,
    /// The right or lower end.
    pub v: u32,
}

/// Vertices and edges, as `--loop` and other constraints on edges read them.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// How wide the coordinates are; `None` if there is no edge.
    pub width: Option<Width>,
    /// The vertices in the order of their items.
    pub vertices: Vec<Coord>,
    /// Their items.
    pub items: Vec<ItemId>,
    /// The edges in the order of their items.
    pub edges: Vec<Edge>,
}

impl Graph {
    /// [`read`](Self::read) for a constraint on edges. In a part of a problem in which no option colors an edge any
    /// more, names of primary items say nothing: the whole may have its edges elsewhere.
    pub fn bind(problem: &Problem, origin: Origin) -> Result<Graph, BindError> {
        let is_uncolored =
            || origin == Origin::Part && colored_width(problem, Role::Edge).is_none();
        match Graph::read(problem) {
            Err(BindError::PrimaryEdge(_)) if is_uncolored() => Ok(Graph::default()),
            read => read,
        }
    }

    /// The name of a vertex.
    pub fn vertex_name(&self, vertex: usize) -> String {
        let width = self.width.expect("a graph with a vertex has a width");
        text(&width.encode(self.vertices[vertex]))
    }

    /// Reads the names of `problem`. Its width is the least for which an option colors a secondary
    /// item that has the name of an edge. Without any such item the graph is empty, unless a primary
    /// item has the name of an edge: that is an error, as in `dlx2-loop`.
    pub fn read(problem: &Problem) -> Result<Graph, BindError> {
        let width = colored_width(problem, Role::Edge);
        let Some(width) = width.or_else(|| primary_edge_width(problem)) else {
            return Ok(Graph::default());
        };
        let mut graph = Graph { width: Some(width), ..Graph::default() };
        let mut numbers: HashMap<Coord, u32> = HashMap::new();
        for (item, name) in problem.names() {
            let Some(at) = width.decode(name) else { continue };
            let primary = problem.is_primary(item);
            match at.role() {
                Role::Vertex if !primary => return Err(BindError::SecondaryVertex(text(name))),
                Role::Edge if primary => return Err(BindError::PrimaryEdge(text(name))),
                Role::Vertex => {
                    numbers.insert(at, graph.vertices.len() as u32);
                    graph.vertices.push(at);
                    graph.items.push(item);
                }
                Role::Edge | Role::Cell => {}
            }
        }
        for (item, name) in problem.names().skip(problem.primary()) {
            let Some(at) = width.decode(name) else { continue };
            let Some(ends) = at.ends() else { continue };
            let number = |end: Coord| {
                numbers.get(&end).copied().ok_or_else(|| BindError::NoVertex {
                    edge: text(name),
                    vertex: text(&width.encode(end)),
                })
            };
            graph.edges.push(Edge { item, at, u: number(ends.0)?, v: number(ends.1)? });
        }
        Ok(graph)
    }
}

/// No edge.
pub const NO_EDGE: u32 = u32::MAX;

/// The edges of a graph, by number and by item: what propagators and automata of constraints on edges begin with.
#[derive(Clone, Debug)]
pub struct EdgeItems {
    edges: Vec<Edge>,
    /// By secondary item, in their order: its edge, or [`NO_EDGE`].
    edge_of: Vec<u32>,
    first_secondary: usize,
    /// The color that makes an edge present; `None` if the file does not have it.
    pub present: Option<Color>,
}

impl EdgeItems {
    /// The edges of `graph`, which `problem` has.
    pub fn new(problem: &Problem, graph: &Graph) -> Self {
        let mut edge_of = vec![NO_EDGE; problem.secondary()];
        for (edge, number) in graph.edges.iter().zip(0..) {
            edge_of[edge.item.index() - problem.primary()] = number;
        }
        let (edges, present) = (graph.edges.clone(), problem.find_color(b"1"));
        EdgeItems { edges, edge_of, first_secondary: problem.primary(), present }
    }

    /// The number of an edge, or [`NO_EDGE`], by its item, a secondary one.
    #[inline]
    pub fn number(&self, item: ItemId) -> u32 {
        self.edge_of[self.place(item)]
    }

    /// The place of a secondary item among all secondary items.
    #[inline]
    pub fn place(&self, item: ItemId) -> usize {
        item.index() - self.first_secondary
    }

    /// By place of a secondary item: its edge, if it is one.
    pub fn by_place(&self) -> impl Iterator<Item = Option<&Edge>> {
        self.edge_of.iter().map(|&number| self.edges.get(number as usize))
    }

    /// By vertex: the first and the last step at which an edge there may become present.
    pub fn vertex_spans(&self, spans: &dyn Spans) -> Vec<Option<(usize, usize)>> {
        let vertices = self.iter().map(|edge| edge.u.max(edge.v) as usize + 1).max();
        let mut all: Vec<Option<(usize, usize)>> = vec![None; vertices.unwrap_or(0)];
        for edge in &self.edges {
            let own = self.present.and_then(|color| spans.span(edge.item, color));
            let Some((first, last)) = own else { continue };
            for end in [edge.u, edge.v] {
                let (from, to) = all[end as usize].unwrap_or((first, last));
                all[end as usize] = Some((from.min(first), to.max(last)));
            }
        }
        all
    }
}

/// By number.
impl Deref for EdgeItems {
    type Target = [Edge];
    fn deref(&self) -> &[Edge] {
        &self.edges
    }
}

/// A cell, and the cells around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The item that carries the cell's color.
    pub item: ItemId,
    /// Its place.
    pub at: Coord,
    /// The numbers of the cells above, left, right and below; the number of cells where none is.
    pub around: [u32; 4],
    /// The same of the cells above to the left and to the right, and below to the left and to the right.
    pub corners: [u32; 4],
}

/// The cells, as `--connected` reads them, numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    /// How wide the coordinates are.
    pub width: Width,
    /// The cells in the order of their items.
    pub cells: Vec<Cell>,
}

impl Cells {
    /// The colors that options give to cells, in the order in which options first do.
    pub fn colors<'p>(&self, problem: &'p Problem) -> Vec<&'p [u8]> {
        let mut is_cell = vec![false; problem.items()];
        self.cells.iter().for_each(|cell| is_cell[cell.item.index()] = true);
        let mut seen = vec![false; problem.colors() + 1];
        let mut colors = Vec::new();
        for entry in problem.all_entries() {
            let is_new = is_cell[entry.item.index()] && !entry.color.is_none();
            if is_new && !std::mem::replace(&mut seen[entry.color.index()], true) {
                colors.push(problem.color_name(entry.color));
            }
        }
        colors
    }

    /// Reads the names of `problem`. The width is the least for which an option colors a secondary
    /// item that has the name of a cell. A primary item is no cell, whatever its name.
    pub fn read(problem: &Problem) -> Result<Cells, BindError> {
        let width = colored_width(problem, Role::Cell).ok_or(BindError::NoCells)?;
        let secondary = problem.names().skip(problem.primary());
        let places: Vec<(ItemId, Coord)> = secondary
            .filter_map(|(item, name)| Some((item, width.decode(name)?)))
            .filter(|(_, at)| at.role() == Role::Cell)
            .collect();
        let number = |(number, &(_, at)): (usize, &(ItemId, Coord))| (at, number as u32);
        let numbers: HashMap<Coord, u32> = places.iter().enumerate().map(number).collect();
        let cells = places.iter().map(|&(item, at)| {
            let Coord { row, col } = at;
            // Odd coordinates are at least 1, so one below 1 wraps around to where no cell is.
            let (above, left) = (row.wrapping_sub(2), col.wrapping_sub(2));
            let (right, below) = (col + 2, row + 2);
            let number = |(row, col)| {
                numbers.get(&Coord::new(row, col)).copied().unwrap_or(places.len() as u32)
            };
            let around = [(above, col), (row, left), (row, right), (below, col)].map(number);
            let corners = [(above, left), (above, right), (below, left), (below, right)];
            Cell { item, at, around, corners: corners.map(number) }
        });
        Ok(Cells { width, cells: cells.collect() })
    }
}

/// The least width for which an option colors a secondary item whose name has this role.
pub fn colored_width(problem: &Problem, role: Role) -> Option<Width> {
    let has_role = |width: Width, name| width.decode(name).is_some_and(|at| at.role() == role);
    let secondary = || problem.names().skip(problem.primary());
    let named = |&width: &Width| secondary().any(|(_, name)| has_role(width, name));
    let widths: Vec<Width> = Width::all().filter(named).collect();
    if widths.is_empty() {
        // Most files have no such names; then there is no need to look at all options.
        return None;
    }
    let mut colored = vec![false; problem.items()];
    for entry in problem.all_entries() {
        colored[entry.item.index()] |= !entry.color.is_none();
    }
    widths.into_iter().find(|&width| {
        secondary().any(|(item, name)| colored[item.index()] && has_role(width, name))
    })
}

/// The least width for which a primary item has the name of an edge.
fn primary_edge_width(problem: &Problem) -> Option<Width> {
    let primary = || problem.names().take(problem.primary());
    let is_edge = |width: Width, name| width.decode(name).is_some_and(|at| at.role() == Role::Edge);
    Width::all().find(|&width| primary().any(|(_, name)| is_edge(width, name)))
}

fn text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}
