//! How long an engine takes for a node: it is watched at work for a moment.

use std::ops::ControlFlow;

use crate::constraint::Conjunction;
use crate::problem::Problem;
use crate::search::engine::Status;
use crate::search::interval::Interval;
use crate::search::{self, bits};
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
pub fn measure(problem: &Problem, rules: Conjunction, places: Vec<Interval>) -> Speed {
    let places = if places.is_empty() { vec![Interval::whole()] } else { places };
    let each = PATIENCE / places.len() as f64;
    let mut engine = match rules.is_empty() && !problem.has_bounds() {
        true => bits::engine(problem),
        false => search::links(problem, rules),
    };
    let mut sink = |_: &dyn Choices| ControlFlow::Continue(());
    // Nodes and seconds of each place.
    let mut slices: Vec<(u64, f64)> = Vec::new();
    for place in &places {
        assert!(engine.begin(place), "a place of this tree is there");
        let (nodes, start) = (engine.stats().nodes, clock());
        while engine.run(NODES, &mut sink) == Status::Paused && clock() - start < each {}
        slices.push((engine.stats().nodes - nodes, clock() - start));
    }
    let (node, width) = rate(&slices);
    Speed { engine: engine.name(), node, width }
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
