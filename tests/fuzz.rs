//! Seeded fuzz of the reader: whatever the bytes are, it does not panic, and what it reads it reads
//! again from what the writer makes of it.

mod common;

use std::io::Read;

use common::{describe, fixture, random, slurp, solve_nodes, write_problem};
use quadrille::dlx::error::ReadError;
use quadrille::dlx::parse::{self, Dlx};

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
        (Ok(Dlx { problem, notes, header }), Ok(pieced)) => {
            let description = describe(&problem);
            assert_eq!(describe(&pieced.problem), description, "{}", shown());
            assert_eq!((pieced.notes, pieced.header), (notes, header), "{}", shown());
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
