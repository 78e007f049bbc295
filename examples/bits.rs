//! What vector instructions are worth to the engine of bits:
//!
//!     cargo run --release --example bits -- [--runs=N] FILE.dlx...
//!
//! For each file the seconds of a search by `links`, and by `bits` with each kind of instructions, the
//! shortest of N runs (5 if not given), making lists or rows included. The kinds run in turn. A machine
//! that lacks a kind uses the next best. Times are those of a clock: keep the machine quiet.

use std::ops::ControlFlow;
use std::time::Instant;

use quadrille::search::bits::{Instructions, Plan};
use quadrille::search::engine::{Engine, run};
use quadrille::search::links_under;
use quadrille::solution::Choices;

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
        let kinds = [None].into_iter().chain(Instructions::ALL.map(Some));
        let mut seconds = [f64::INFINITY; 4];
        let mut nodes = Vec::new();
        for _ in 0..runs {
            for (kind, best) in kinds.clone().zip(&mut seconds) {
                let mut count = 0u64;
                let start = Instant::now();
                let mut engine = match kind {
                    None => links_under(&problem, ()),
                    Some(kind) => Plan::by(kind, &problem).engine(),
                };
                run(&mut *engine, &mut |_: &dyn Choices| {
                    count += 1;
                    ControlFlow::Continue(())
                });
                *best = best.min(start.elapsed().as_secs_f64());
                nodes.push((engine.stats().nodes, count));
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
