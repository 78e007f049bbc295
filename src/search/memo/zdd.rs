//! All covers as a ZDD, from the frontier.
//!
//! The layers are made as for a count, but what leads from state to state is written down, an *arc* for
//! each option that fits. A ZDD begins at the end: so when the last layer is there, we go back and take
//! the arcs up again, the last one first. A state becomes the node of all covers that complete it:
//!
//! ```text
//! state with arcs    option 3 to a state of node 0,  option 5 to node 7,  option 8 to node 2
//! becomes            (~5?(~8?0:2):7)
//! ```
//!
//! What leads nowhere has node 0 and leaves no trace. The options of a step are in no other step; so
//! equal nodes come from one layer, and a table for the layer at hand finds them all. The paths of the diagram ask about
//! the options step by step, and in a step in their order: it is the smallest for this order of options.
//!
//! Frontier-based search does the same for graphs (Simpath: Knuth, 7.1.4; Kawahara, Inoue, Iwashita,
//! Minato, IEICE Trans. E100-A, 2017), from the top down without going back, and is left with a diagram to be
//! reduced.

use std::ops::ControlFlow;

use crate::search::engine::Status;
use crate::search::memo::frontier::{FrontierSweep, PATIENCE, SweepCounts};
use crate::search::memo::layer::Layer;
use crate::search::memo::step::{WideStep, holds, meet, stages, work};
use crate::search::memo::transitions::TransitionPlan;
use crate::search::zdd::arena::Chunks;
use crate::search::zdd::{NONE, ZddNode, ZddSource, UNIT, Unique, Zdd};

/// What leads from a state to one of the next layer.
#[derive(Clone, Copy)]
struct Arc {
    /// The number of the option in its step, or [`NO_OPTION`]; [`FIRST`] marks the first arc of a state.
    way: u32,
    /// The number of a state, or [`NOWHERE`].
    to: u32,
}

/// The item is covered already.
const NO_OPTION: u32 = FIRST - 1;

/// The first arc of a state.
const FIRST: u32 = 1 << 31;

/// States of a layer for which the number of a state fits an arc, whatever a few of them add.
const MOST_STATES: usize = 1 << 31;

/// The only arc of a state that leads to none.
const NOWHERE: u32 = u32::MAX;

/// A diagram in the making. Counts states and covers as a sweep does.
pub(super) struct Diagram<const N: usize> {
    stages: Vec<WideStep<N>>,
    /// Bytes that it may take.
    room: usize,
    arcs: Chunks<Arc>,
    /// By stage: states before it.
    sizes: Vec<usize>,
    way: Direction<N>,
    zdd: Zdd,
    unique: Unique,
}

/// Where a diagram is.
enum Direction<const N: usize> {
    /// Layers are made, and what leads from one to the next is written down.
    There { layer: Layer<N>, next: Layer<N>, step: Option<ZddProgress> },
    /// The states before the last `stages` have these nodes; those above them some.
    Back { stages: usize, nodes: Vec<u32>, above: Vec<u32>, looked: usize },
}

/// How far a step has come: states that were taken, work before it, options that were tried, and those that
/// fit.
#[derive(Clone, Copy)]
struct ZddProgress {
    taken: usize,
    begun: u64,
    tried: u64,
    reached: u64,
}

impl<const N: usize> Diagram<N> {
    /// A diagram that may take so many bytes.
    pub fn new(plan: &TransitionPlan, room: usize) -> Self {
        let stages = stages(plan);
        Diagram {
            sizes: Vec::with_capacity(stages.len()),
            stages,
            room,
            arcs: Chunks::default(),
            way: Direction::There { layer: Layer::start(), next: Layer::new(1), step: None },
            zdd: Zdd::new(ZddSource::Frontier),
            unique: Unique::default(),
        }
    }

    /// Makes the layers that are left, and turns around.
    fn there(&mut self, plan: &TransitionPlan, tally: &mut SweepCounts) -> ControlFlow<Status> {
        let Direction::There { layer, next, step } = &mut self.way else {
            return ControlFlow::Continue(());
        };
        while let Some(stage) = self.stages.get(self.sizes.len()) {
            if step.is_none() {
                tally.look_ahead(plan);
                next.clear(layer.limbs());
            }
            let begun = tally.work;
            let doing = step.get_or_insert(ZddProgress { taken: 0, begun, tried: 0, reached: 0 });
            step_on(stage, (layer, next), &mut self.arcs, doing, self.room, plan, tally)?;
            *step = None;
            self.sizes.push(layer.len());
            std::mem::swap(layer, next);
        }
        tally.stats.profile[self.stages.len()] += layer.len() as u64;
        tally.total += layer.sum(|state| holds(plan, state));
        let end = |at| if holds(plan, &layer.key(at)) { UNIT } else { NONE };
        let nodes: Vec<u32> = (0..layer.len()).map(end).collect();
        let stages = self.stages.len();
        self.way = Direction::Back { stages, nodes, above: Vec::new(), looked: 0 };
        ControlFlow::Continue(())
    }

    /// Makes nodes of the arcs that are left.
    fn back(&mut self, tally: &mut SweepCounts) -> ControlFlow<Status> {
        let Direction::Back { stages, nodes, above, looked } = &mut self.way else {
            unreachable!("it has turned around");
        };
        while *stages > 0 {
            let (stage, size) = (&self.stages[*stages - 1], self.sizes[*stages - 1]);
            if *looked == 0 {
                above.clear();
                above.resize(size, NONE);
            }
            while *looked < size {
                if *looked % PATIENCE == 0 {
                    tally.pause()?;
                    let lists = (nodes.len() + size) * size_of::<u32>();
                    // A table that grows is there twice for a moment.
                    let (zdd, unique) = (self.zdd.bytes(), 3 * self.unique.bytes());
                    if self.arcs.bytes() + lists + zdd + unique > self.room {
                        return ControlFlow::Break(Status::Full);
                    }
                    tally.work += work(0, PATIENCE as u64);
                }
                let node = &mut above[size - 1 - *looked];
                *looked += 1;
                while let Some(Arc { way, to }) = self.arcs.pop() {
                    let below = if to == NOWHERE { NONE } else { nodes[to as usize] };
                    *node = match stage.ways.get((way & !FIRST) as usize) {
                        None => below,
                        Some(way) => {
                            let made = ZddNode { option: way.option, lo: *node, hi: below };
                            match self.unique.node(&mut self.zdd, made) {
                                Ok(node) => node,
                                Err(full) => return ControlFlow::Break(full),
                            }
                        }
                    };
                    if way & FIRST != 0 {
                        break;
                    }
                }
            }
            self.unique.clear();
            std::mem::swap(nodes, above);
            (*stages, *looked) = (*stages - 1, 0);
        }
        self.zdd.root = nodes[0];
        ControlFlow::Continue(())
    }
}

impl<const N: usize> FrontierSweep for Diagram<N> {
    fn go_on(&mut self, plan: &TransitionPlan, tally: &mut SweepCounts) -> ControlFlow<Status> {
        self.there(plan, tally)?;
        self.back(tally)
    }

    fn progress(&self) -> f64 {
        let all = 2.0 * self.stages.len().max(1) as f64;
        match &self.way {
            Direction::There { .. } => self.sizes.len() as f64 / all,
            Direction::Back { stages, .. } => 1.0 - *stages as f64 / all,
        }
    }

    fn take_diagram(&mut self) -> Option<Zdd> {
        Some(std::mem::replace(&mut self.zdd, Zdd::new(ZddSource::Frontier)))
    }
}

/// Makes the next of two layers, and writes down how.
fn step_on<const N: usize>(
    stage: &WideStep<N>,
    (layer, next): (&Layer<N>, &mut Layer<N>),
    arcs: &mut Chunks<Arc>,
    doing: &mut ZddProgress,
    room: usize,
    plan: &TransitionPlan,
    tally: &mut SweepCounts,
) -> ControlFlow<Status> {
    let ZddProgress { taken, begun, mut tried, mut reached } = *doing;
    for number in taken..layer.len() {
        if number % PATIENCE == 0 {
            tally.work = begun + work(tried, reached);
            *doing = ZddProgress { taken: number, begun, tried, reached };
            tally.look_up()?;
            // A layer that grows is there twice for a moment.
            let bytes = layer.bytes() + 3 * next.bytes() + arcs.bytes();
            if bytes > room || next.len() > MOST_STATES {
                return ControlFlow::Break(Status::Full);
            }
        }
        let (key, count) = (layer.key(number), layer.count(number));
        let mut first = FIRST;
        let mut reach = |way: u32, state: [u64; N]| {
            arcs.push(Arc { way: way | first, to: next.add(state, count) as u32 });
            first = 0;
            reached += 1;
        };
        if meet(&key, &stage.covered) {
            stage.pass(plan, key).into_iter().for_each(|state| reach(NO_OPTION, state));
        } else {
            for (way, number) in stage.ways.iter().zip(0..) {
                let after = stage.take(plan, way, &key);
                after.into_iter().for_each(|state| reach(number, state));
            }
            tried += stage.ways.len() as u64;
        }
        if first != 0 {
            arcs.push(Arc { way: NO_OPTION | FIRST, to: NOWHERE });
        }
    }
    tally.work = begun + work(tried, reached);
    tally.stats.hits += reached - next.len() as u64;
    tally.stats.nodes += layer.len() as u64;
    tally.stats.profile[stage.number] += layer.len() as u64;
    // States are kept, in a way: as arcs.
    tally.stats.memos = tally.stats.nodes + next.len() as u64;
    ControlFlow::Continue(())
}
