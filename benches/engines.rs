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
use std::sync::atomic::AtomicBool;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use quadrille::dlx::parse;
use quadrille::problem::Problem;
use quadrille::search::bits::{Instructions, Plan, solve_as};
use quadrille::search::stats::Stats;
use quadrille::search::{Limits, Observer, learn, solve};
use quadrille::solution::Choices;
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

/// Counts what it sees.
struct Count(u64);

impl Observer for Count {
    fn solution(&mut self, _: &dyn Choices) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

fn measure(
    bencher: Bencher<'_, '_>,
    name: &str,
    search: impl Fn(&Problem, &Limits<'_>, &mut Count) -> Stats,
) {
    let problem = problem(name);
    let attention = AtomicBool::new(false);
    let limits = Limits { nodes: NODES, attention: &attention };
    let nodes = search(&problem, &limits, &mut Count(0)).nodes;
    bencher
        .counter(ItemsCount::new(nodes))
        .bench_local(|| search(&problem, &limits, &mut Count(0)));
}

#[divan::bench(args = INSTANCES)]
fn links(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, |problem, limits, count| solve(problem, &mut (), limits, count).1);
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
    measure(bencher, name, |problem, limits, count| {
        solve_as(&Plan::by(kind, problem), limits, count).1
    });
}

/// Conflicts, not nodes.
#[divan::bench(args = INSTANCES, sample_count = 10)]
fn learning(bencher: Bencher<'_, '_>, name: &str) {
    let problem = problem(name);
    let attention = AtomicBool::new(false);
    let limits = Limits { nodes: 300, attention: &attention };
    let search = || learn::solve(&problem, &mut (), &limits, &mut Count(0)).1;
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
    struct Writer<'p>(Text<'p>, Vec<u8>, u64);

    impl Observer for Writer<'_> {
        fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
            self.1.clear();
            self.2 += 1;
            self.0.write(self.2, choices, &mut self.1);
            ControlFlow::Continue(())
        }
    }

    let problem = problem("domino8x8");
    let attention = AtomicBool::new(false);
    let limits = Limits { nodes: NODES, attention: &attention };
    let write = || {
        let mut writer = Writer(Text::new(&problem), Vec::new(), 0);
        solve_as(&Plan::new(&problem), &limits, &mut writer);
        writer.2
    };
    bencher.counter(ItemsCount::new(write())).bench_local(write);
}
