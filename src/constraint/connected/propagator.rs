//! `--connected`: the cells of one color are rookwise connected (TAOCP 7.2.2.1, exercise 438).
//!
//! A cell is a secondary item whose name is a pair of odd coordinates, and its neighbors are the
//! cells two further up, left, right or down. It has the color if the cover gives it that color; a
//! cell that the cover uses without a color or not at all has none. No cell of the color is
//! connected, too. In this board of hitori, where white is the color,
//!
//! ```text
//! 11    █1    the upper 1s must not be both white, nor the left ones. If we blacken cells `13` and
//! 12    12    `31` instead of `11`, that corner is cut off from `33`: refused.
//! ```
//!
//! Looking at complete covers alone is hopeless: a board of 8 x 8 cells has 140760 of them. So we
//! keep, after each choice, two sets of cells:
//!
//! * *open*: those that may have the color, since they have it, or are undecided and some option
//!   that remains gives it to them;
//! * *required*: those that have the color in every solution that can still be reached.
//!
//! Every solution connects the required cells by a path of open ones. Hence
//!
//! 1. if two required cells are in different components of the open cells, we refuse;
//! 2. an open cell in a component without a required cell loses the color, if there is a required cell at
//!    all;
//! 3. an open cell without which two required cells would be apart is required itself. These are articulation
//!    points (Robert Tarjan, 1972): we search depth first from a required cell; a cell `c` qualifies if
//!    a child `d` in the search tree has required cells in its subtree, from which no edge leads above
//!    `c`.
//!
//! The third step makes cells required, but such a cell parts no required cells that others did not part
//! before: what separates it from a required cell separates that from another one behind it. So we look
//! again only if the options that went with it closed other cells, or left them no choice.
//!
//! # Which cells are required
//!
//! It is tempting to say: those that have the color, and those that all remaining options give the
//! color. But a secondary item need not be covered: a far cell whose only option colors it may
//! simply stay unused. We need a *witness*, a primary item all of whose options use the cell. Some
//! option of the witness is in every solution, so every solution uses the cell. While the cell is
//! undecided none of its options has been chosen, so its witness is uncovered, and will be covered
//! by an option that still remains and has the cell; if all of those give it the color, it is required.
//! In hitori, `#xy` is the witness of `xy`.
//!
//! A cell that is required by step 3 needs no witness. If it loses its last option, we refuse.
//!
//! # Cost
//!
//! A search of the open cells takes time proportional to them. On hitori that is repaid more than a hundredfold by
//! reachability alone, and forcing adds little (docs/benchmarks/2026-11-29-connected.md). But most choices leave
//! nothing new to be found, and that can be seen from what is near them (`clusters`); then there is no search
//! (`look`). An engine that does not say what changes is asked about all free cells after each choice.
//!
//! # Invariants
//!
//! `state` says for every cell whether it is closed (not open), open and not required, or required; and
//! `closed` for the number of cells, the neighbor that is not there. `free` has exactly the cells
//! that are open and not required. `required` has exactly the required cells, in the order in which they became
//! so. A state only changes from free, and only until its level is taken back. Unless something has changed, no
//! free cell but the `hinges` parts open ones.

use crate::constraint::automaton::Automaton;
use crate::constraint::graph::{BindError, Cells};
use crate::constraint::{Moves, Propagator, Reason, Verdict};
use crate::ids::{Color, ItemId};
use crate::problem::{CommonItems, Problem};
use crate::trail::Trail;

mod cell_set;
mod clusters;
mod look;
mod reach;
mod reasons;

use super::automaton::Labels;
use cell_set::CellSet;
use clusters::Clusters;
use reach::Reach;

/// No cell, in `cell_of`.
pub(super) const NO_CELL: u32 = u32::MAX;

/// What is known of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellState {
    /// It does not get the color.
    Closed,
    /// It may get it.
    Free,
    /// It has it in every solution below.
    Required,
}

/// What can be undone.
#[derive(Clone, Copy, Debug)]
enum CellChange {
    /// The cell was free, and is closed.
    Close(u32),
    /// The cell was free, and is required.
    Require(u32),
    /// The latest of `holders` got the color.
    Hold,
    /// The latest of `hinges` became one.
    Hinge,
}

/// What an engine asks of `--connected`.
#[derive(Clone, Debug)]
pub struct ConnectedPropagator {
    /// The color; `None` if no option has it.
    color: Option<Color>,
    items: Vec<ItemId>,
    around: Vec<[u32; 4]>,
    /// By secondary item, in their order: its cell, or [`NO_CELL`].
    cell_of: Vec<u32>,
    first_secondary: usize,
    witnessed: Vec<bool>,
    state: Vec<CellState>,
    free: CellSet,
    required: Vec<u32>,
    /// By cell: whether it has the color.
    holds: Vec<bool>,
    /// The cells that have the color.
    holders: Vec<u32>,
    /// Whether some state has changed since the last complete look.
    changed: bool,
    /// Whether the next look must be at everything, whatever has changed.
    everything: bool,
    /// Whether a cell that was closed since the last look may have parted open ones.
    torn: bool,
    /// Whether a look at the root stands.
    rooted: bool,
    clusters: Clusters,
    /// Free cells that parted open ones, but no required ones, at the end of a look.
    hinges: Vec<u32>,
    /// By cell: whether it is in `hinges`.
    is_hinge: Vec<bool>,
    /// Cells that searches have reached.
    work: u64,
    forcing: bool,
    reach: Reach,
    trail: Trail<CellChange>,
    refusal: CellRefusal,
}

/// Why the constraint refused.
#[derive(Clone, Copy, Debug)]
enum CellRefusal {
    /// The latest search did not reach all required cells.
    Apart,
    /// The cells that have the color are not connected in the end.
    Unconnected,
    /// A cell got another color than it must, or cannot get the one that it must.
    Clash,
}

impl ConnectedPropagator {
    /// The cells with this color are connected.
    pub fn new(problem: &Problem, color: &[u8]) -> Result<Self, BindError> {
        let Cells { cells, .. } = Cells::read(problem)?;
        let color = problem.find_color(color);
        let mut cell_of = vec![NO_CELL; problem.secondary()];
        for (number, cell) in cells.iter().enumerate() {
            cell_of[cell.item.index() - problem.primary()] = number as u32;
        }
        let mut state = vec![CellState::Closed; cells.len() + 1];
        for entry in problem.all_entries() {
            if !problem.is_primary(entry.item) && Some(entry.color) == color {
                let cell = cell_of[entry.item.index() - problem.primary()];
                if let Some(state) = state.get_mut(cell as usize) {
                    *state = CellState::Free;
                }
            }
        }
        let free = CellSet::of((0..cells.len()).filter(|&cell| state[cell] == CellState::Free));
        let clusters = Clusters::new(&cells, &state);
        Ok(ConnectedPropagator {
            color,
            items: cells.iter().map(|cell| cell.item).collect(),
            around: cells.iter().map(|cell| cell.around).collect(),
            witnessed: witnessed(problem, &cell_of, cells.len()),
            cell_of,
            first_secondary: problem.primary(),
            state,
            free,
            required: Vec::new(),
            holds: vec![false; cells.len()],
            holders: Vec::new(),
            changed: true,
            everything: true,
            torn: false,
            rooted: false,
            clusters,
            hinges: Vec::new(),
            is_hinge: vec![false; cells.len()],
            work: 0,
            forcing: true,
            reach: Reach::new(cells.len()),
            trail: Trail::default(),
            refusal: CellRefusal::Clash,
        })
    }

    /// Only refuses, and forbids or requires nothing (steps 2 and 3): to measure what they are
    /// worth.
    pub fn without_forcing(mut self) -> Self {
        self.forcing = false;
        self
    }

    /// A free cell cannot have the color.
    fn close(&mut self, cell: u32) {
        debug_assert_eq!(self.state[cell as usize], CellState::Free);
        self.state[cell as usize] = CellState::Closed;
        self.free.remove(cell);
        self.trail.push(CellChange::Close(cell));
        self.torn |= self.clusters.close(cell, &self.state);
        self.has_changed();
    }

    /// A free cell has the color in every solution below.
    fn require_cell(&mut self, cell: u32) {
        debug_assert_eq!(self.state[cell as usize], CellState::Free);
        self.state[cell as usize] = CellState::Required;
        self.free.remove(cell);
        self.everything |= self.required.is_empty();
        self.required.push(cell);
        self.trail.push(CellChange::Require(cell));
        self.has_changed();
    }

    fn has_changed(&mut self) {
        self.changed = true;
        self.rooted &= self.trail.levels() > 0;
    }

    fn refuse(&mut self, refusal: CellRefusal) -> Verdict {
        self.refusal = refusal;
        Verdict::Refuse
    }

    /// Looks up what the remaining options say about each free cell. Refuses if a required cell cannot get
    /// the color any more.
    fn consult(&mut self, moves: &dyn Moves, color: Color) -> Verdict {
        // Backward, since a cell that goes is replaced by the last one.
        for place in (0..self.free.len()).rev() {
            let cell = self.free.get(place);
            let uses = moves.uses(self.items[cell as usize], color);
            if !uses.with {
                self.close(cell);
            } else if !uses.without && self.witnessed[cell as usize] {
                self.require_cell(cell);
            }
        }
        // A required cell that has a witness fails there, if it does: the witness has no option left.
        Verdict::when(self.required.iter().all(|&cell| {
            self.witnessed[cell as usize]
                || self.holds[cell as usize]
                || moves.uses(self.items[cell as usize], color).with
        }))
    }
}

impl Propagator for ConnectedPropagator {
    fn mark(&mut self) {
        self.trail.mark();
    }

    fn backtrack(&mut self, level: usize) {
        let ConnectedPropagator { trail, state, free, required, holds, holders, .. } = self;
        let ConnectedPropagator { clusters, hinges, is_hinge, .. } = self;
        trail.undo_to(level, |change| match change {
            CellChange::Hold => {
                let cell = holders.pop().expect("each has its entry in the trail");
                holds[cell as usize] = false;
            }
            CellChange::Require(cell) => {
                required.pop();
                free.restore();
                state[cell as usize] = CellState::Free;
            }
            CellChange::Close(cell) => {
                free.restore();
                clusters.open(cell);
                state[cell as usize] = CellState::Free;
            }
            CellChange::Hinge => {
                let cell = hinges.pop().expect("each has its entry in the trail");
                is_hinge[cell as usize] = false;
            }
        });
        // Before the first choice perhaps nobody asked us to settle; each other level was settled.
        self.changed = level == 0 && !self.rooted;
        (self.everything, self.torn) = (self.changed, false);
        self.clusters.forget_rim();
    }

    #[inline]
    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict {
        let cell = self.cell_of[item.index() - self.first_secondary];
        if cell == NO_CELL || self.color.is_none() {
            return Verdict::Fine;
        }
        let has_color = Some(color) == self.color;
        if has_color {
            self.holds[cell as usize] = true;
            self.holders.push(cell);
            self.trail.push(CellChange::Hold);
        }
        match (self.state[cell as usize], has_color) {
            (CellState::Free, true) => self.require_cell(cell),
            (CellState::Free, false) => self.close(cell),
            (CellState::Required, false) | (CellState::Closed, true) => {
                return self.refuse(CellRefusal::Clash);
            }
            (CellState::Required, true) | (CellState::Closed, false) => {}
        }
        Verdict::Fine
    }

    fn lost(&mut self, item: ItemId, color: Color) -> Verdict {
        let cell = self.cell_of[item.index() - self.first_secondary];
        if cell == NO_CELL || Some(color) != self.color {
            return Verdict::Fine;
        }
        match self.state[cell as usize] {
            CellState::Free => self.close(cell),
            CellState::Required => return self.refuse(CellRefusal::Clash),
            CellState::Closed => {}
        }
        Verdict::Fine
    }

    fn settle(&mut self, moves: &mut dyn Moves) -> Verdict {
        let Some(color) = self.color else { return Verdict::Fine };
        loop {
            if !moves.tells() && !self.consult(moves, color).is_fine() {
                return self.refuse(CellRefusal::Clash);
            }
            let Some(&root) = self.required.first() else { return Verdict::Fine };
            if !self.changed {
                return Verdict::Fine;
            }
            if !self.forcing {
                self.has_looked();
                let is_open = |cell: u32| self.state[cell as usize] != CellState::Closed;
                let required = self.reach.flood(root, &self.around, is_open, &self.required);
                self.work += self.reach.reached();
                return if required { Verdict::Fine } else { self.refuse(CellRefusal::Apart) };
            }
            if !self.needs_look() {
                self.has_looked();
                return Verdict::Fine;
            }
            let required = self.reach.search(root, &self.around, &self.state);
            self.work += self.reach.reached();
            if required != self.required.len() {
                return self.refuse(CellRefusal::Apart);
            }
            self.changed = false;
            self.force(moves, color);
            let forced = self.changed;
            self.note_hinges();
            // What we closed and required ourselves is no reason to look again; see the essay.
            self.has_looked();
            if !forced {
                return Verdict::Fine;
            }
        }
    }

    fn work(&self) -> u64 {
        self.work
    }

    fn forbids(&self) -> bool {
        self.forcing
    }

    fn complete(&mut self) -> Verdict {
        let Some(&root) = self.holders.first() else { return Verdict::Fine };
        let holds = |cell: u32| self.holds.get(cell as usize) == Some(&true);
        match self.reach.flood(root, &self.around, holds, &self.holders) {
            true => Verdict::Fine,
            false => self.refuse(CellRefusal::Unconnected),
        }
    }

    fn automata(&self) -> Option<Vec<Box<dyn Automaton>>> {
        let ConnectedPropagator { color, items, around, cell_of, first_secondary, .. } = self;
        let labels = Labels::new(*color, items, around, cell_of, *first_secondary);
        Some(vec![Box::new(labels)])
    }

    fn explain(&self, out: &mut Reason) {
        let holds = |cell: u32| self.holds.get(cell as usize) == Some(&true);
        match self.refusal {
            CellRefusal::Apart => {
                self.explain_apart(&self.required, |cell| self.is_open(cell), out)
            }
            CellRefusal::Unconnected => self.explain_apart(&self.holders, holds, out),
            CellRefusal::Clash => {
                // All that is known. An engine that learns finds such a clash by itself.
                for cell in 0..self.items.len() as u32 {
                    match self.state[cell as usize] {
                        CellState::Free => {}
                        state => self.say(cell, state == CellState::Required, out),
                    }
                }
            }
        }
    }
}

/// By cell: whether some primary item that must be covered has it in all of its options. Takes time
/// for each primary item and all entries of its options.
fn witnessed(problem: &Problem, cell_of: &[u32], cells: usize) -> Vec<bool> {
    let mut witnessed = vec![false; cells];
    let mut common = CommonItems::new(problem);
    let primary = (0..problem.primary() as u32).map(ItemId::new);
    for item in primary.filter(|&item| problem.bound(item).low > 0) {
        let cells = common.of(item).iter().map(|item| cell_of[item.index() - problem.primary()]);
        cells.filter(|&cell| cell != NO_CELL).for_each(|cell| witnessed[cell as usize] = true);
    }
    witnessed
}
