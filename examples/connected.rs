//! What the parts of `--connected` are worth: nodes and time on boards of hitori, as a table.
//!
//! `cargo run --release --example connected -- [--limit=NODES] BOARD...`
//!
//! Each board is searched until there is a second solution, or none: first with all of the
//! constraint, then without forcing, then judging complete covers only. A search that ran into the
//! limit of nodes (default 10 million) has a `>`.

use quadrille::constraint::Propagator;
use quadrille::constraint::connected::propagator::ConnectedPropagator;
use quadrille::constraint::final_test::FinalTest;
use quadrille::dlx::{self, write::Writer};
use quadrille::problem::Problem;
use quadrille::puzzle::{self, Model};
use quadrille::search::engine::{Engine, Status, run as run_engine};
use quadrille::search::links_under;
use quadrille::solution::Choices;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

/// Solutions, and nodes and milliseconds as cells of the table. A run of less than a second is
/// repeated, and the shortest of ten counts.
fn run(
    problem: &Problem,
    constraint: &(impl Propagator + Clone),
    nodes: u64,
) -> (Option<u32>, String) {
    let mut runs = 0;
    let mut best = f64::INFINITY;
    let (end, stats, two) = loop {
        let mut two = 0;
        runs += 1;
        let constraint = constraint.clone();
        let start = Instant::now();
        let mut engine = links_under(problem, constraint);
        engine.limit(nodes);
        let end = run_engine(&mut *engine, &mut |_: &dyn Choices| {
            two += 1;
            if two == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        best = best.min(start.elapsed().as_secs_f64());
        if best > 1.0 || runs == 10 {
            let stats = engine.stats();
            drop(engine);
            break (end, stats, two);
        }
    };
    let limited = end == Status::Limit;
    let sign = if limited { ">" } else { "" };
    ((!limited).then_some(two), format!("{sign}{} | {:.2}", stats.nodes, 1e3 * best))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut limit = 10_000_000;
    println!("| board | cells | solutions | full | ms | reachability | ms | none | ms |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for argument in std::env::args().skip(1) {
        if let Some(number) = argument.strip_prefix("--limit=") {
            limit = number.parse()?;
            continue;
        }
        let hitori = puzzle::find("hitori").ok_or("there is no hitori")?;
        let clues = hitori.read(&std::fs::read(&argument)?).map_err(|error| error.what)?;
        let mut text = Vec::new();
        hitori.write(&clues, Model::default(), &mut Writer::new(&mut text))?;
        let problem =
            dlx::parse::read(&text[..]).map_err(|_| "the problem is not readable")?.problem;
        let connected = ConnectedPropagator::new(&problem, b"0")?;
        let (full, with_all) = run(&problem, &connected, limit);
        let (reachable, without) = run(&problem, &connected.clone().without_forcing(), limit);
        let (judged, none) = run(&problem, &FinalTest::new(connected), limit);
        let known: Vec<u32> = [full, reachable, judged].into_iter().flatten().collect();
        assert!(known.windows(2).all(|pair| pair[0] == pair[1]), "{argument}: {known:?}");
        let solutions = match known.first() {
            None => "?".into(),
            Some(2) => "2 or more".into(),
            Some(number) => number.to_string(),
        };
        let name = Path::new(&argument).file_stem().unwrap_or_default().to_string_lossy();
        let (rows, cols) = (clues.rows, clues.cols);
        println!("| {name} | {rows} x {cols} | {solutions} | {with_all} | {without} | {none} |");
    }
    Ok(())
}
