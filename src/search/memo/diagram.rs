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

use crate::search::End;
use crate::search::memo::frontier::{Frontier, PATIENCE, Stage, meet, work};
use crate::search::memo::layer::Layer;
use crate::search::memo::plan::MOST_WORDS;
use crate::search::zdd::chunks::Chunks;
use crate::search::zdd::{NONE, Node, Source, UNIT, Unique, Zdd};

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

impl Frontier<'_, '_> {
    /// All covers as a ZDD, within so many bytes. Counts states and covers as [`Frontier::run`] does.
    pub fn diagram(&mut self, room: usize) -> Result<Zdd, End> {
        match self.plan.words {
            1 => self.there_and_back::<1>(room),
            2 => self.there_and_back::<2>(room),
            3 => self.there_and_back::<3>(room),
            4 => self.there_and_back::<4>(room),
            5..=6 => self.there_and_back::<6>(room),
            7..=8 => self.there_and_back::<8>(room),
            9..=16 => self.there_and_back::<16>(room),
            _ => self.there_and_back::<MOST_WORDS>(room),
        }
    }

    fn there_and_back<const N: usize>(&mut self, room: usize) -> Result<Zdd, End> {
        let stages = self.stages::<N>();
        let mut arcs = Chunks::default();
        let mut sizes = Vec::with_capacity(stages.len());
        let (mut layer, mut next) = (Layer::start(), Layer::new(1));
        for stage in &stages {
            self.step_on(stage, &layer, &mut next, &mut arcs, room)?;
            sizes.push(layer.len());
            std::mem::swap(&mut layer, &mut next);
        }
        drop(next);
        self.stats.profile[stages.len()] += layer.len() as u64;
        self.total += layer.sum(|state| self.holds(state));
        let end = |at| if self.holds(&layer.key(at)) { UNIT } else { NONE };
        let mut nodes: Vec<u32> = (0..layer.len()).map(end).collect();
        drop(layer);
        let (mut zdd, mut unique) = (Zdd::new(Source::Frontier), Unique::default());
        for (stage, size) in stages.iter().zip(sizes).rev() {
            let mut above = vec![NONE; size];
            for (looked, node) in above.iter_mut().rev().enumerate() {
                if looked % PATIENCE == 0 {
                    if self.attend(stage.number).is_break() {
                        return Err(self.end);
                    }
                    let lists = (nodes.len() + size) * size_of::<u32>();
                    // A table that grows is there twice for a moment.
                    let bytes = arcs.bytes() + lists + zdd.bytes() + 3 * unique.bytes();
                    if bytes > room {
                        return Err(End::Full);
                    }
                }
                while let Some(Arc { way, to }) = arcs.pop() {
                    let below = if to == NOWHERE { NONE } else { nodes[to as usize] };
                    *node = match stage.ways.get((way & !FIRST) as usize) {
                        None => below,
                        Some(way) => {
                            let option = way.option;
                            unique.node(&mut zdd, Node { option, lo: *node, hi: below })?
                        }
                    };
                    if way & FIRST != 0 {
                        break;
                    }
                }
            }
            unique.clear();
            nodes = above;
        }
        zdd.root = nodes[0];
        Ok(zdd)
    }

    /// Makes the next layer, and writes down how.
    fn step_on<const N: usize>(
        &mut self,
        stage: &Stage<'_, N>,
        layer: &Layer<N>,
        next: &mut Layer<N>,
        arcs: &mut Chunks<Arc>,
        room: usize,
    ) -> Result<(), End> {
        self.look_ahead();
        next.clear(layer.limbs());
        let (begun, mut tried, mut reached) = (self.work, 0, 0);
        for number in 0..layer.len() {
            if number % PATIENCE == 0 {
                self.work = begun + work(tried, reached);
                if self.look_up(stage.number).is_break() {
                    return Err(self.end);
                }
                // A layer that grows is there twice for a moment.
                let bytes = layer.bytes() + 3 * next.bytes() + arcs.bytes();
                if bytes > room || next.len() > MOST_STATES {
                    return Err(End::Full);
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
                stage.pass(self.plan, key).into_iter().for_each(|state| reach(NO_OPTION, state));
            } else {
                for (way, number) in stage.ways.iter().zip(0..) {
                    let after = stage.take(self.plan, way, &key);
                    after.into_iter().for_each(|state| reach(number, state));
                }
                tried += stage.ways.len() as u64;
            }
            if first != 0 {
                arcs.push(Arc { way: NO_OPTION | FIRST, to: NOWHERE });
            }
        }
        self.work = begun + work(tried, reached);
        self.stats.hits += reached - next.len() as u64;
        self.stats.nodes += layer.len() as u64;
        self.stats.profile[stage.number] += layer.len() as u64;
        // States are kept, in a way: as arcs.
        self.stats.memos = self.stats.nodes + next.len() as u64;
        Ok(())
    }
}
