//! The fragments of `dlx2-loop`: paths of edges of color `1`, each known by its two ends.
//!
//! The bookkeeping is Knuth's (dlx2-loop.ch, with ideas of Rory Molinari): an end knows its mate, the
//! other end. An edge may start a fragment, lengthen one, join two, or close the only one there is. A
//! vertex inside of a fragment takes no further edge; for a moment, in the middle of an option, the
//! options alone would allow that.

use crate::knuth::machine::{Ends, Machine};
use crate::knuth::{Console, Program, show};
use crate::names::Coord;

impl Machine {
    /// Whether this is an edge that gets color `1`. Only `dlx2-loop` looks, for a mem.
    pub(super) fn is_present_edge(&mut self, item: u32, color: i32) -> bool {
        if self.settings.program != Program::Dlx2Loop || color != i32::from(b'1') {
            return false;
        }
        self.mems += 1;
        self.ends[item as usize].left != 0
    }

    fn refuse(&self, console: &mut dyn Console, before: &str, item: u32, after: &str) -> bool {
        if self.settings.shows(show::CHOICES) {
            let mut text = before.as_bytes().to_vec();
            text.extend_from_slice(self.name(item));
            text.extend_from_slice(after.as_bytes());
            console.say(&text);
        }
        false
    }

    /// The edge `item` joins the fragments; false, and nothing changes, if it must not.
    pub(super) fn add_edge(&mut self, item: u32, console: &mut dyn Console) -> bool {
        if self.last_edge != 0 {
            return self.refuse(console, " (not adding ", item, " to a loop)\n");
        }
        let Ends { left: u, right: v } = self.ends[item as usize];
        let (at_u, at_v) = (self.ends[u as usize], self.ends[v as usize]);
        self.mems += 2;
        for (vertex, at) in [(u, at_u), (v, at_v)] {
            if at.left != 0 && at.right != 0 {
                return self.refuse(console, "(not allowing ", vertex, " degree 3)\n");
            }
        }
        match (at_u.left, at_v.left) {
            (0, 0) => {
                self.mate(u, v);
                self.fragments += 1;
                self.mems += 2;
            }
            (0, far) => {
                self.mate(u, far);
                self.ends[v as usize].right = 1;
                self.mems += 3;
            }
            (far, 0) => {
                self.mate(v, far);
                self.ends[u as usize].right = 1;
                self.mems += 3;
            }
            (far, _) if far == v && self.fragments != 1 => {
                return self.refuse(console, " (not closing a short loop with ", item, ")\n");
            }
            (far, _) if far == v => self.last_edge = item,
            (far_u, far_v) => {
                self.mate(far_u, far_v);
                self.ends[u as usize].right = 1;
                self.ends[v as usize].right = 1;
                self.fragments -= 1;
                self.mems += 4;
            }
        }
        true
    }

    fn mate(&mut self, one: u32, other: u32) {
        self.ends[one as usize].left = other;
        self.ends[other as usize].left = one;
    }

    /// Undoes `add_edge`. Mates that are inside of a fragment still tell what they were.
    pub(super) fn remove_edge(&mut self, item: u32, console: &mut dyn Console) {
        let Ends { left: u, right: v } = self.ends[item as usize];
        let (mate_u, mate_v) = (self.ends[u as usize].left, self.ends[v as usize].left);
        self.mems += 2;
        if mate_u == mate_v {
            // It lengthened a fragment: one of its vertices became the end that the other had been.
            self.mems += 1;
            let (inside, end) = match self.ends[mate_u as usize].left {
                mate if mate == v => (u, v),
                mate if mate == u => (v, u),
                _ => {
                    let mut text = b"Confusion removing edge ".to_vec();
                    text.extend_from_slice(self.name(item));
                    text.extend_from_slice(b"!\n");
                    return console.say(&text);
                }
            };
            self.ends[mate_u as usize].left = inside;
            self.ends[end as usize].left = 0;
            self.ends[inside as usize].right = 0;
            self.mems += 3;
        } else if mate_u == v {
            if self.last_edge == item {
                self.last_edge = 0;
            } else {
                self.ends[u as usize].left = 0;
                self.ends[v as usize].left = 0;
                self.fragments -= 1;
                self.mems += 2;
            }
        } else {
            self.ends[mate_u as usize].left = u;
            self.ends[mate_v as usize].left = v;
            self.ends[u as usize].right = 0;
            self.ends[v as usize].right = 0;
            self.fragments += 1;
            self.mems += 4;
        }
    }

    /// Whether the edge with this midpoint is present.
    fn has_edge(&self, at: Option<Coord>) -> bool {
        let item = at.and_then(|at| self.places.get(&at)).copied();
        item.is_some_and(|item| {
            item >= self.second
                && self.ends[item as usize].left != 0
                && self.nodes[item as usize].color == i32::from(b'1')
        })
    }

    /// Appends the loop and a newline: it starts at the left or upper end of the edge that closed it,
    /// and tries up, left, right, down at each step, but not whence it came.
    pub(super) fn write_tour(&self, text: &mut Vec<u8>) {
        let (Some(width), start) = (self.width, self.ends[self.last_edge as usize].left) else {
            return;
        };
        let Some(start) = width.decode(self.name(start)) else { return };
        let (mut here, mut came) = (start, None);
        text.push(b' ');
        text.extend_from_slice(&width.encode(here));
        loop {
            let Coord { row, col } = here;
            let ways = [
                (row.checked_sub(1).map(|row| Coord::new(row, col)), (-2, 0)),
                (col.checked_sub(1).map(|col| Coord::new(row, col)), (0, -2)),
                (Some(Coord::new(row, col + 1)), (0, 2)),
                (Some(Coord::new(row + 1, col)), (2, 0)),
            ];
            let way = (0..4).find(|&way| came != Some(way) && self.has_edge(ways[way].0));
            let Some(way) = way else { break };
            let (down, right) = ways[way].1;
            here = Coord::new(row.wrapping_add_signed(down), col.wrapping_add_signed(right));
            came = Some(3 - way);
            text.push(b' ');
            text.extend_from_slice(&width.encode(here));
            if here == start {
                break;
            }
        }
        text.push(b'\n');
    }
}
