//! How long an engine takes for a node: it is watched at work for a moment.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::vec::IntoIter;

use crate::constraint::Together;
use crate::problem::Problem;
use crate::search::stats::Stats;
use crate::search::stretch::{Bounds, Stretch};
use crate::search::walk::Hand;
use crate::search::{End, Limits, Moment, auto, bits, work_by_links};
use crate::solution::Choices;

/// Seconds for which the engine is watched altogether.
const PATIENCE: f64 = 0.1;

/// Nodes between two looks at the clock.
const NODES: u64 = 256;

/// The same work takes so many times as long, or so much less, at another time: other programs share the caches.
const NOISE: f64 = 1.7;

/// Clocks of processors are read in steps.
const STEP: f64 = 1e-6;

/// How fast an engine is.
pub struct Speed {
    /// Its name.
    pub engine: &'static str,
    /// Seconds that a node takes.
    pub node: f64,
    /// By which factor that may be wrong.
    pub width: f64,
}

/// Watches the engine that visits all solutions of `problem` under these rules, at some places of its tree; or from the
/// beginning on if there are none.
pub fn measure(problem: &Problem, mut rules: Together, places: Vec<Stretch>) -> Speed {
    let places = if places.is_empty() { vec![Stretch::whole()] } else { places };
    let each = PATIENCE / places.len() as f64;
    let mut watch =
        Watch { places: places.into_iter(), each, start: (0, 0.0), nodes: 0, slices: Vec::new() };
    let attention = AtomicBool::new(false);
    let limits = Limits { nodes: NODES, attention: &attention };
    let engine = match rules.is_empty() && auto::suits_bits(problem) {
        true => {
            let plan = bits::Plan::new(problem);
            bits::work(&plan, &limits, &mut watch);
            "bits"
        }
        false => {
            match rules.is_empty() {
                true => work_by_links(problem, &mut (), &limits, &mut watch),
                false => work_by_links(problem, &mut rules, &limits, &mut watch),
            };
            "links"
        }
    };
    let (node, width) = rate(&watch.slices);
    Speed { engine, node, width }
}

/// Seconds a node, and by which factor that may be wrong.
fn rate(slices: &[(u64, f64)]) -> (f64, f64) {
    let nodes: u64 = slices.iter().map(|slice| slice.0).sum();
    let seconds = slices.iter().map(|slice| slice.1).sum::<f64>().max(STEP);
    let mean = seconds / nodes.max(1) as f64;
    // The ratio of two sums, whose error is that of what is left when one is expected from the other.
    let (count, nodes) = (slices.len() as f64, nodes.max(1) as f64);
    let squares: f64 = slices.iter().map(|&(n, time)| (time - mean * n as f64).powi(2)).sum();
    let error = (squares * count / (count - 1.0).max(1.0)).sqrt() / (mean * nodes);
    (mean, NOISE * (2.0 * error).min(5.0).exp())
}

/// Gives an engine one place after the other, and watches.
struct Watch {
    places: IntoIter<Stretch>,
    /// Seconds at each.
    each: f64,
    /// Nodes and seconds when the latest was taken.
    start: (u64, f64),
    nodes: u64,
    /// Nodes and seconds of each.
    slices: Vec<(u64, f64)>,
}

impl Hand for Watch {
    fn take(&mut self) -> Option<Stretch> {
        let place = self.places.next()?;
        self.start = (self.nodes, clock());
        Some(place)
    }

    fn solution(&mut self, _: &dyn Choices) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn pause(&mut self, _: &Moment<'_>, _: &mut Bounds) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn more(&mut self, stats: &Stats) -> u64 {
        match clock() - self.start.1 < self.each {
            true => stats.nodes + NODES,
            false => stats.nodes,
        }
    }

    fn put(&mut self, _: End, _: Option<Stretch>, stats: &Stats) {
        self.slices.push((stats.nodes - self.start.0, clock() - self.start.1));
        self.nodes = stats.nodes;
    }

    fn misfit(&mut self) {
        unreachable!("a place of this tree is there")
    }
}

/// Seconds that the processor has worked for this thread.
#[cfg(unix)]
fn clock() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Seconds since the first call.
#[cfg(not(unix))]
fn clock() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}
