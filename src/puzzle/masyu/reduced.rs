//! The reduced problem of a masyu board: options speak of one edge of each class.

use super::super::lattice::COLOR;
use super::super::parity::Classes;
use super::super::{Out, Report};
use super::{PearlBoard, Clue, Demands, is_beyond};
use crate::names::{Coord, Name};
use std::io;

/// A board and the classes of its edges. The variable of an edge is its rank plus 1; variable 0 is
/// the constant, which edges beyond the rim are.
pub(super) struct Reduced<'a> {
    board: &'a PearlBoard<'a>,
    classes: Classes,
}

impl<'a> Reduced<'a> {
    /// Makes the classes. If they contradict each other, the answer is the circles that do, as
    /// numbers of cells.
    pub fn new(board: &'a PearlBoard<'a>) -> Result<Self, Vec<u32>> {
        let mut classes = Classes::new(board.lattice.edge_count() as u32);
        for circle in board.circles() {
            let [n, w, e, s] = board.lattice.around(circle, 1).map(|edge| variable(board, edge));
            let cell = circle.row / 2 * board.clues.cols + circle.col / 2;
            if board.clue(circle) == Clue::Black {
                classes.unite(n, s, true, cell)?;
                classes.unite(e, w, true, cell)?;
            } else {
                classes.unite(n, s, false, cell)?;
                classes.unite(e, w, false, cell)?;
                classes.unite(s, w, true, cell)?;
            }
        }
        Ok(Reduced { board, classes })
    }

    /// Writes items and options.
    pub fn write(&self, out: &mut Out) -> io::Result<Report> {
        self.write_items(out)?;
        self.write_constants(out)?;
        self.write_classes(out)?;
        let options_before = self.write_vertices(out)?;
        let (edges, rank) = (self.board.lattice.edge_count(), self.classes.rank());
        let figures = vec![
            ("edges", edges),
            ("classes", edges - rank),
            ("constants", self.classes.constants()),
            ("rank", rank),
            ("options_before", options_before),
            ("options_after", out.counts().options),
        ];
        Ok(Report { contradiction: None, figures })
    }

    fn write_items(&self, out: &mut Out) -> io::Result<()> {
        let lattice = &self.board.lattice;
        for vertex in lattice.vertices() {
            out.primary(&lattice.name(vertex))?;
        }
        for circle in self.board.circles() {
            out.primary(&self.circle_name(circle))?;
        }
        for leader in self.leaders() {
            let (name, length) = self.class_name(leader);
            out.primary(&name[..length])?;
        }
        for edge in lattice.edges() {
            out.secondary(&lattice.name(edge))?;
        }
        out.end_items()
    }

    /// The vertices of circles have nothing to decide, and neither have constant edges. Without any
    /// circle this is an empty line, as in Knuth's program.
    fn write_constants(&self, out: &mut Out) -> io::Result<()> {
        for circle in self.board.circles() {
            out.entry(&self.board.lattice.name(circle))?;
        }
        for (edge, present) in self.classes.others(0) {
            self.color(edge, present, out)?;
        }
        out.end_option()
    }

    /// Two options for each class of two or more.
    fn write_classes(&self, out: &mut Out) -> io::Result<()> {
        for leader in self.leaders() {
            let (name, length) = self.class_name(leader);
            for flip in [false, true] {
                out.entry(&name[..length])?;
                for (edge, flipped) in self.classes.others(leader) {
                    self.color(edge, flipped ^ flip, out)?;
                }
                self.color(leader, flip, out)?;
                out.end_option()?;
            }
        }
        Ok(())
    }

    /// The options of vertices and circles. Says how many the unreduced problem has.
    fn write_vertices(&self, out: &mut Out) -> io::Result<u64> {
        let mut before = 0;
        for vertex in self.board.lattice.vertices() {
            let name = match self.board.clue(vertex) {
                Clue::White | Clue::Black => self.circle_name(vertex),
                _ => self.board.lattice.name(vertex),
            };
            self.board.ways(vertex, |demands| {
                before += u64::from(!is_beyond(demands));
                let mut leading = [(0, false); 6];
                let Some(count) = self.reduce(demands, &mut leading) else {
                    return Ok(());
                };
                out.entry(&name)?;
                for &(edge, present) in &leading[..count] {
                    self.color(edge, present, out)?;
                }
                out.end_option()
            })?;
        }
        Ok(before)
    }

    /// Says an option in terms of leaders, sorted, each once. `None` if it contradicts itself.
    fn reduce(&self, demands: &Demands, leading: &mut [(u32, bool); 6]) -> Option<usize> {
        let mut count = 0;
        for &(edge, present) in demands {
            let (leader, flipped) = self.classes.leader(variable(self.board, edge));
            let present = present ^ flipped;
            if leader == 0 {
                if present {
                    return None;
                }
                continue;
            }
            match leading[..count].iter().find(|(other, _)| *other == leader) {
                Some(&(_, other)) if other != present => return None,
                Some(_) => {}
                None => {
                    leading[count] = (leader, present);
                    count += 1;
                }
            }
        }
        leading[..count].sort_unstable();
        Some(count)
    }

    /// The leaders of classes of two or more edges.
    fn leaders(&self) -> impl Iterator<Item = u32> {
        let variables = 1..=self.board.lattice.edge_count() as u32;
        variables.filter(|&edge| self.classes.leads(edge))
    }

    /// Writes `edge:color`.
    fn color(&self, variable: u32, present: bool, out: &mut Out) -> io::Result<()> {
        out.colored(&self.edge_name(variable), COLOR[usize::from(present)])
    }

    fn edge_name(&self, variable: u32) -> Name {
        self.board.lattice.name(self.board.lattice.edge(u64::from(variable) - 1))
    }

    /// The item of a circle, one to the right and down of its vertex.
    fn circle_name(&self, at: Coord) -> Name {
        self.board.lattice.name(Coord::new(at.row + 1, at.col + 1))
    }

    /// The item of a class, `#` and its leader, and the length of that name.
    fn class_name(&self, leader: u32) -> ([u8; 9], usize) {
        let mut name = [b'#'; 9];
        let edge = self.edge_name(leader);
        name[1..=edge.len()].copy_from_slice(&edge);
        (name, edge.len() + 1)
    }
}

/// The variable of an edge; 0, the constant, beyond the rim.
fn variable(board: &PearlBoard, edge: Option<Coord>) -> u32 {
    edge.map_or(0, |edge| board.lattice.rank(edge) as u32 + 1)
}
