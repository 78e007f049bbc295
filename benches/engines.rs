//! Nodes a second of each engine, on the instances of `fixtures/bench`; and how fast files are read and
//! solutions written.
//!
//! ```text
//! cargo bench                            all
//! cargo bench -- 'bits.*(soma|queens)'   those that a regular expression finds
//! ```
//!
//! A search stops after so many nodes that a sample takes some milliseconds. Whole runs, beside other
//! programs, are what `scripts/bench` measures.

use std::ops::ControlFlow;
use std::path::Path;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use quadrille::dlx::parse;
use quadrille::problem::Problem;
use quadrille::search::bits::{BitsPlan, Instructions};
use quadrille::search::engine::Engine;
use quadrille::search::learn::Learn;
use quadrille::search::links_under;
use quadrille::search::stats::Stats;
use quadrille::solution::Choices;
use quadrille::solutions::format::WriteSolution;
use quadrille::solutions::text::Text;

const INSTANCES: &[&str] = &[
    "debruijn055",
    "domino8x8",
    "langford12",
    "macmahon_fix",
    "pent6x10",
    "queens13",
    "slitherlink12-weak",
    "slitherlink15-weak",
    "soma",
    "sudoku-79335",
    "wordrect4x5",
    "sud16", // 608 items
];

/// Nodes of a sample.
const NODES: u64 = 30_000;

fn main() {
    divan::main();
}

fn text(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/bench").join(name);
    std::fs::read(path.with_extension("dlx")).expect("an instance")
}

fn problem(name: &str) -> Problem {
    parse::read(&text(name)[..]).expect("an instance is a .dlx file").problem
}

/// What an engine counts up to a limit of nodes.
fn run(mut engine: impl Engine, limit: u64) -> Stats {
    let mut count = 0;
    engine.limit(limit);
    engine.run(u64::MAX, &mut |_: &dyn Choices| {
        count += 1;
        ControlFlow::Continue(())
    });
    let stats = engine.stats();
    assert_eq!(stats.solutions, count);
    stats
}

fn measure(bencher: Bencher<'_, '_>, name: &str, search: impl Fn(&Problem) -> Stats) {
    let problem = problem(name);
    let nodes = search(&problem).nodes;
    bencher.counter(ItemsCount::new(nodes)).bench_local(|| search(&problem));
}

#[divan::bench(args = INSTANCES)]
fn links(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, |problem| run(links_under(problem, ()), NODES));
}

#[divan::bench(args = INSTANCES)]
fn bits(bencher: Bencher<'_, '_>, name: &str) {
    by_bits(bencher, name, Instructions::Avx512);
}

#[divan::bench(args = INSTANCES)]
fn bits_avx2(bencher: Bencher<'_, '_>, name: &str) {
    by_bits(bencher, name, Instructions::Avx2);
}

#[divan::bench(args = INSTANCES)]
fn bits_portable(bencher: Bencher<'_, '_>, name: &str) {
    by_bits(bencher, name, Instructions::Portable);
}

fn by_bits(bencher: Bencher<'_, '_>, name: &str, kind: Instructions) {
    measure(bencher, name, |problem| run(BitsPlan::by(kind, problem).engine(), NODES));
}

/// Those where conflicts are not rare: dominoes have hardly any.
fn with_conflicts() -> impl Iterator<Item = &'static &'static str> {
    INSTANCES.iter().filter(|&&name| name != "domino8x8")
}

/// Conflicts, not nodes.
#[divan::bench(args = with_conflicts(), sample_count = 10)]
fn learning(bencher: Bencher<'_, '_>, name: &str) {
    let problem = problem(name);
    let search = || run(Learn::new(&problem, ()), 300);
    bencher.counter(ItemsCount::new(search().conflicts)).bench_local(search);
}

#[divan::bench(args = INSTANCES)]
fn reading(bencher: Bencher<'_, '_>, name: &str) {
    let text = text(name);
    bencher.counter(BytesCount::of_slice(&text)).bench_local(|| parse::read(&text[..]));
}

/// Solutions of dominoes, found and written.
#[divan::bench]
fn writing(bencher: Bencher<'_, '_>) {
    let problem = problem("domino8x8");
    let write = || {
        let (mut text, mut out, mut count) = (Text::new(&problem), Vec::new(), 0);
        let mut engine = BitsPlan::new(&problem).engine();
        engine.limit(NODES);
        engine.run(u64::MAX, &mut |choices: &dyn Choices| {
            out.clear();
            count += 1;
            text.write(count, choices, &mut out);
            ControlFlow::Continue(())
        });
        count
    };
    bencher.counter(ItemsCount::new(write())).bench_local(write);
}
