//! Seeded fuzz of the reader: whatever the bytes are, it does not panic, and what it reads it reads
//! again from what the writer makes of it.

mod common;

use std::io::Read;

use common::{describe, fixture, random, slurp, solve_nodes, write_problem};
use quadrille::constraint::graph::Graph;
use quadrille::dlx::error::ReadError;
use quadrille::dlx::parse::{self, Dlx};
use quadrille::search::knuth;
use quadrille::solutions::cover::{Catalog, Cover, Covers};
use quadrille::solutions::verify::Verifier;

/// Inputs of each kind that every run looks at.
const SHORT: u64 = 20_000;

/// Inputs of each kind in a long run.
const LONG: u64 = 2_000_000;

/// Gives its bytes in pieces of random lengths, as a pipe does.
struct Pieces<'a> {
    bytes: &'a [u8],
    random: fastrand::Rng,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(self.bytes.len());
        let length = if most == 0 { 0 } else { self.random.usize(1..=most) };
        let (piece, rest) = self.bytes.split_at(length);
        buffer[..length].copy_from_slice(piece);
        self.bytes = rest;
        Ok(length)
    }
}

/// Reads `text` in every way there is, and searches a little. Answers whether it was right.
fn check(text: &[u8], seed: u64) -> bool {
    let shown = || format!("seed {seed}: {:?}", String::from_utf8_lossy(text));
    let pieces = Pieces { bytes: text, random: fastrand::Rng::with_seed(seed) };
    match (parse::read(text), parse::read(pieces)) {
        (Ok(Dlx { problem, notes, header, origins }), Ok(pieced)) => {
            let description = describe(&problem);
            assert_eq!(describe(&pieced.problem), description, "{}", shown());
            assert_eq!(
                (pieced.notes, pieced.header, pieced.origins),
                (notes, header, origins),
                "{}",
                shown()
            );
            let written = write_problem(&problem);
            // A problem without primary items cannot be written, nor can it be read.
            assert!(problem.primary() > 0, "{}", shown());
            let again = common::problem(&written);
            assert_eq!(describe(&again), description, "{}", shown());
            assert_eq!(write_problem(&again), written, "{}", shown());
            solve_nodes(&problem, &mut (), 200);
            true
        }
        (Err(ReadError::Syntax(error)), Err(ReadError::Syntax(pieced))) => {
            assert_eq!(error, pieced, "{}", shown());
            let lines = text.split(|&byte| byte == b'\n').count() as u64;
            let diagnostic = &error.diagnostic;
            // "No items" is at the line after the last one.
            assert!((1..=lines + 1).contains(&diagnostic.line), "{error}, {}", shown());
            let line = text.split(|&byte| byte == b'\n').nth(diagnostic.line as usize - 1);
            let length = line.unwrap_or_default().len() as u64;
            assert!((1..=length + 1).contains(&diagnostic.column), "{error}, {}", shown());
            assert!(diagnostic.excerpt.mark.end <= diagnostic.excerpt.text.len());
            assert!(!error.to_string().contains('\n'), "{error}, {}", shown());
            false
        }
        (one, other) => panic!("{one:?} but in pieces {other:?}, {}", shown()),
    }
}

fn fuzz(seeds: std::ops::Range<u64>) {
    let models = random::models();
    let [mut bytes_read, mut mutants_read] = [0u64; 2];
    let number = seeds.end - seeds.start;
    for seed in seeds {
        bytes_read += u64::from(check(&random::bytes(seed), seed));
        mutants_read += u64::from(check(&random::mutant(seed, &models), seed));
    }
    // Both answers have to be common, or one of them is hardly tested.
    assert!(bytes_read > number / 50, "{bytes_read} of {number}");
    assert!(
        mutants_read > number / 5 && mutants_read < number * 4 / 5,
        "{mutants_read} of {number}"
    );
}

#[test]
fn never_panics_and_reads_what_it_wrote() {
    fuzz(0..SHORT);
}

#[test]
#[ignore = "takes minutes; `cargo test --test fuzz -- --ignored`"]
fn never_panics_and_reads_what_it_wrote_for_long() {
    fuzz(SHORT..SHORT + LONG);
}

/// A file that is larger than the reader's buffer, so that lines lie across its pieces.
#[test]
fn reads_large_files_in_pieces() {
    let small = slurp(&fixture("xcc/langford-8.dlx"));
    let end_of_items = small.iter().position(|&byte| byte == b'\n').expect("an item line") + 1;
    let (items, options) = small.split_at(end_of_items);
    let text = [items, &options.repeat(1000)].concat();
    assert!(text.len() > 1 << 19);
    let whole = parse::read(&text[..]).expect("is right");
    let options_there = options.iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!(whole.problem.options(), 1000 * options_there);
    for seed in 0..3 {
        let pieces = Pieces { bytes: &text, random: fastrand::Rng::with_seed(seed) };
        let pieced = parse::read(pieces).expect("is right");
        assert_eq!(describe(&pieced.problem), describe(&whole.problem));
    }
}

/// Collects what a program of Knuth's says.
#[derive(Default)]
struct Heard(Vec<u8>);

impl knuth::Console for Heard {
    fn print(&mut self, _: &[u8]) -> bool {
        true
    }

    fn say(&mut self, text: &[u8]) {
        self.0.extend_from_slice(text);
    }
}

/// Two readers that share nothing: they take the same files, and find the same in them.
#[test]
fn knuths_reader_takes_what_ours_takes() {
    let models = random::models();
    let mut taken = 0;
    for seed in 0..SHORT {
        let text = random::mutant(5_000_000 + seed, &models);
        let shown = || format!("seed {seed}: {:?}", String::from_utf8_lossy(&text));
        let ours = parse::read(&text[..]);
        let mut settings = knuth::Settings::new(knuth::Program::Dlx2);
        (settings.verbosity, settings.timeout) = (1, 5000);
        let mut heard = Heard::default();
        let theirs = knuth::read(&text[..], &settings, &mut heard).expect("a slice can be read");
        match (ours, theirs) {
            // Those of DLX3 and DLX5 are not for DLX2.
            (Ok(Dlx { notes, .. }), theirs) if notes.bounds || notes.cost_line > 0 => {
                assert!(theirs.is_err(), "{}", shown());
            }
            (Ok(Dlx { problem, .. }), Ok(mut machine)) => {
                machine.run(&mut heard);
                let (primary, secondary) = (problem.primary(), problem.secondary());
                let (options, entries) = (problem.options(), problem.entries());
                let said = format!(
                    "({options} options, {primary}+{secondary} items, {} entries successfully read)\n",
                    entries + options
                );
                let heard = String::from_utf8_lossy(&heard.0).into_owned();
                assert!(heard.starts_with(&said), "{heard} {}", shown());
                if !heard.contains("TIMEOUT!") {
                    let found = common::solve(&problem, &mut ()).stats;
                    assert!(heard.contains(&format!("Altogether {} s", found.solutions)));
                    let nodes = format!(" {} nodes,", found.nodes);
                    let updates = format!(" {} updates,", found.updates);
                    assert!(heard.contains(&nodes) && heard.contains(&updates), "{}", shown());
                }
                taken += 1;
            }
            (ours, theirs) => {
                assert!(ours.is_err() && theirs.is_err(), "{theirs:?} {}", shown());
            }
        }
    }
    assert!(taken > 1000, "only {taken} files");
}

/// Streams of solutions, mutilated: no panic in the reader and the verifier.
#[test]
fn streams_of_solutions_may_be_anything() {
    let text = "p 00 02 20 22 | 01 10 12 21\np 01:1\n00 01:1 10:1\n02 01:1 12:1\n20 10:1 21:1\n\
                22 12:1 21:1\np\n";
    let problem = common::problem(text.as_bytes());
    let graph = Graph::read(&problem).expect("the names are right");
    let catalog = Catalog::new(&problem);
    let models: [&[u8]; 4] = [
        b"1:\n p 01:1 (1 of 2)\n 00 01:1 10:1\n 02 12:1 01:1\n 20 10:1 21:1\n 22 12:1 21:1 $3 [4]\n",
        b"1 2 3 4 5\n6 5 4 3 2\n",
        b"{\"v\":1,\"n\":7,\"options\":[1,2,3,4,5]}\n{\"v\":1,\"complete\":true,\"solutions\":\"1\"}\n",
        b"1: 00 02 22 20 00\n2: 20 00 02 22 20\n",
    ];
    let spice: [&[u8]; 8] = [b":", b"\n", b" ", b"\"n\":", b"{", b"9", b"\"solutions\":", b"(1 of"];
    let mut right = 0;
    for seed in 0..SHORT {
        let mut random = fastrand::Rng::with_seed(6_000_000 + seed);
        let mut stream = models[random.usize(..4)].to_vec();
        for _ in 0..random.usize(..4) {
            let at = random.usize(..=stream.len());
            let end = random.usize(at..=stream.len().min(at + 8));
            match random.u8(..4) {
                0 => drop(stream.drain(at..end)),
                1 => stream.truncate(at),
                2 if at < stream.len() => stream[at] = random.u8(..),
                _ => drop(stream.splice(at..at, spice[random.usize(..8)].iter().copied())),
            }
        }
        let mut covers = Covers::new(&stream[..], &catalog, graph.width);
        let mut verifier = Verifier::new(&problem).with_loop(graph.clone());
        let mut cover = Cover::default();
        while let Ok(true) = covers.next_cover(&mut cover) {
            let options: Vec<_> = cover.options.iter().map(|listed| listed.option).collect();
            let tour: Vec<_> = cover.tour.iter().map(|&(at, _)| at).collect();
            let good = verifier.cover(&options, &|_| 1).is_ok() && verifier.rules(&options).is_ok();
            right += u32::from(good || verifier.tour(&tour, &graph).is_ok());
            let mut same = Vec::new();
            cover.write(cover.number, &mut same);
            let _ = cover.complain_at_head("nothing");
        }
    }
    assert!(right > 1000, "only {right} solutions");
}
