//! What vector instructions are worth to the engine of bits:
//!
//!     cargo run --release --example bits -- [--runs=N] FILE.dlx...
//!
//! For each file the seconds of a search by `links`, and by `bits` with each kind of instructions, the
//! shortest of N runs (5 if not given), making lists or rows included. The kinds run in turn. A machine
//! that lacks a kind uses the next best. Times are those of a clock: keep the machine quiet.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use quadrille::search::bits::{Instructions, Plan, solve_as};
use quadrille::search::{Limits, Observer, solve};
use quadrille::solution::Choices;

struct Count(u64);

impl Observer for Count {
    fn solution(&mut self, _: &dyn Choices) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut runs, mut files) = (5, Vec::new());
    for argument in std::env::args().skip(1) {
        match argument.strip_prefix("--runs=") {
            Some(number) => runs = number.parse()?,
            None => files.push(argument),
        }
    }
    println!("| file | nodes | links | bits, portable | AVX2 | AVX-512 |");
    println!("|---|--:|--:|--:|--:|--:|");
    for file in files {
        let text = std::fs::read(&file)?;
        let problem = quadrille::dlx::parse::read(&text[..])?.problem;
        let attention = AtomicBool::new(false);
        let limits = Limits { nodes: u64::MAX, attention: &attention };
        let kinds = [None].into_iter().chain(Instructions::ALL.map(Some));
        let mut seconds = [f64::INFINITY; 4];
        let mut nodes = Vec::new();
        for _ in 0..runs {
            for (kind, best) in kinds.clone().zip(&mut seconds) {
                let mut count = Count(0);
                let start = Instant::now();
                let (_, stats) = match kind {
                    None => solve(&problem, &mut (), &limits, &mut count),
                    Some(kind) => solve_as(&Plan::by(kind, &problem), &limits, &mut count),
                };
                *best = best.min(start.elapsed().as_secs_f64());
                nodes.push((stats.nodes, count.0));
            }
        }
        nodes.dedup();
        assert!(nodes.len() == 1, "the engines differ on {file}: {nodes:?}");
        let times = seconds.map(|seconds| format!("{seconds:.4}")).join(" | ");
        let name = file.rsplit('/').next().unwrap_or(&file).trim_end_matches(".dlx");
        println!("| {name} | {} | {times} |", nodes[0].0);
    }
    Ok(())
}
