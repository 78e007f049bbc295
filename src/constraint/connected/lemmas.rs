//! The lemma of `--connected`: `cut COLOR CELL CELL BETWEEN...`. Not both cells have the color, unless one between has it;
//! for the cells between part the two.

use std::collections::{HashMap, HashSet};

use crate::constraint::edges::{all_hold, name_of, show};
use crate::constraint::graph::Cells;
use crate::constraint::registry::{JudgeLemma, Judgement};
use crate::constraint::{Head, Lemma, Literal};
use crate::ids::{Color, ItemId};
use crate::problem::Problem;

/// The words of all kinds.
pub(super) const KINDS: [&str; 1] = ["cut"];

/// Two cells have a color; the others, which do not have it, part them.
pub(super) const CUT: Lemma = Lemma { kind: KINDS[0], head: Head::Color, names_absent: true };

/// Judges it.
#[derive(Debug)]
pub(super) struct CellLemmas {
    name: String,
    color: Option<Color>,
    cells: Cells,
    numbers: HashMap<ItemId, u32>,
}

impl JudgeLemma for CellLemmas {
    fn judge(&self, problem: &Problem, kind: &[u8], names: &[&[u8]]) -> Option<Judgement> {
        if kind != KINDS[0].as_bytes() {
            return None;
        }
        let [color, cells @ ..] = names else {
            return Some(Err("the lemma names no color".into()));
        };
        (*color == self.name.as_bytes()).then(|| self.cut(problem, cells))
    }
}

impl CellLemmas {
    pub(super) fn new(problem: &Problem, cells: Cells, color: &str) -> Self {
        let numbers = cells.cells.iter().map(|cell| cell.item).zip(0..).collect();
        let (name, color) = (color.to_owned(), problem.find_color(color.as_bytes()));
        CellLemmas { name, color, cells, numbers }
    }

    /// The cells between part the two.
    fn cut(&self, problem: &Problem, cells: &[&[u8]]) -> Judgement {
        let color = self.color;
        let color =
            color.ok_or_else(|| format!("no option has color {}", show(self.name.as_bytes())))?;
        let cell = |name: &&[u8]| {
            let number = problem.find(name).and_then(|item| self.numbers.get(&item));
            number.copied().ok_or_else(|| format!("{} is no cell", show(name)))
        };
        let cells: Vec<u32> = cells.iter().map(cell).collect::<Result<_, _>>()?;
        let item = |cell: u32| self.cells.cells[cell as usize].item;
        let mut seen = HashSet::new();
        if let Some(&twice) = cells.iter().find(|&&cell| !seen.insert(cell)) {
            return Err(format!("cell {} stands there twice", name_of(problem, item(twice))));
        }
        let &[one, other, ref between @ ..] = &cells[..] else {
            return Err("the lemma names fewer than two cells".into());
        };
        let mut closed: HashSet<u32> = between.iter().copied().collect();
        // The cell that is not there.
        closed.insert(self.cells.cells.len() as u32);
        let mut open = vec![one];
        while let Some(cell) = open.pop() {
            if cell == other {
                let (one, other) = (name_of(problem, item(one)), name_of(problem, item(other)));
                return Err(format!("the cells between do not part {one} and {other}"));
            }
            for near in self.cells.cells[cell as usize].around {
                if closed.insert(near) {
                    open.push(near);
                }
            }
        }
        let mut literals = all_hold([one, other].map(item), color);
        let absent = |&cell: &u32| Literal { item: item(cell), color, holds: false };
        literals.extend(between.iter().map(absent));
        Ok(literals)
    }
}
