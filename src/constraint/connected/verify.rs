//! Whether the cells of a color are connected in a finished solution: a flood fill from the first meets all.

use crate::constraint::graph::Cells;
use crate::constraint::registry::Verify;
use crate::ids::{Color, ItemId};
use crate::problem::Problem;

/// The cells of one problem.
#[derive(Debug)]
pub(super) struct Area {
    cells: Cells,
    name: String,
    color: Option<Color>,
}

impl Area {
    pub(super) fn new(problem: &Problem, cells: Cells, color: &str) -> Self {
        Area { cells, name: color.to_owned(), color: problem.find_color(color.as_bytes()) }
    }
}

impl Verify for Area {
    fn verify(&mut self, color: &dyn Fn(ItemId) -> Option<Color>) -> Result<(), String> {
        let cells = &self.cells.cells;
        let has = |cell: u32| {
            let of = cells.get(cell as usize).and_then(|cell| color(cell.item));
            of.is_some() && of == self.color
        };
        let all: Vec<u32> = (0..cells.len() as u32).filter(|&cell| has(cell)).collect();
        let mut reached = vec![false; cells.len()];
        let mut open: Vec<u32> = all.first().copied().into_iter().collect();
        while let Some(cell) = open.pop() {
            if !std::mem::replace(&mut reached[cell as usize], true) {
                let around = cells[cell as usize].around;
                open.extend(around.iter().filter(|&&next| has(next) && !reached[next as usize]));
            }
        }
        match all.iter().find(|&&cell| !reached[cell as usize]) {
            None => Ok(()),
            Some(&apart) => {
                let name = |cell: u32| {
                    let name = self.cells.width.encode(cells[cell as usize].at);
                    String::from_utf8_lossy(&name).into_owned()
                };
                let (from, to, color) = (name(all[0]), name(apart), &self.name);
                Err(format!("cells of color `{color}` are apart: `{from}` and `{to}`"))
            }
        }
    }
}
