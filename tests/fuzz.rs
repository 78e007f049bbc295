//! Seeded fuzz of all readers: whatever the bytes are, it does not panic, and what it reads it reads
//! again from what the writer makes of it.

mod common;

use std::io::{Cursor, Read, Write};
use std::time::{Duration, Instant};

use common::{bound, describe, fixture, random, slurp, solve_nodes, write_problem};
use quadrille::constraint::graph::Graph;
use quadrille::constraint::{Constraint, SingleLoop};
use quadrille::dlx::error::ReadError;
use quadrille::dlx::parse::{self, Dlx};
use quadrille::import::{EXPORTERS, Format, IMPORTERS, Imported, MOST_CELLS, import};
use quadrille::knuth;
use quadrille::puzzle::KINDS;
use quadrille::puzzle::plain::PicturePlan;
use quadrille::render::{Render, svg, term};
use quadrille::solutions::catalog::Catalog;
use quadrille::solutions::record::Record;
use quadrille::solutions::stream::Stream;
use quadrille::solutions::verify::Verifier;
use quadrille::unpack::unpacked;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

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
            solve_nodes(&problem, (), 200);
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
                    let found = common::solve(&problem, ()).stats;
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

/// Cuts, fills and spices a text at a few places.
fn mutilated(random: &mut fastrand::Rng, model: &[u8], spice: &[&[u8]]) -> Vec<u8> {
    let mut text = model.to_vec();
    for _ in 0..random.usize(..4) {
        let at = random.usize(..=text.len());
        let end = random.usize(at..=text.len().min(at + 8));
        match random.u8(..4) {
            0 => drop(text.drain(at..end)),
            1 => text.truncate(at),
            2 if at < text.len() => text[at] = random.u8(..),
            _ => drop(text.splice(at..at, spice[random.usize(..spice.len())].iter().copied())),
        }
    }
    text
}

/// A loop of four edges.
const LOOP: &str = "p 00 02 20 22 | 01 10 12 21\np 01:1\n00 01:1 10:1\n02 01:1 12:1\n20 10:1 21:1\n\
                    22 12:1 21:1\np\n";

/// Cells that may be left out, one of which is called `null`.
const BOUNDS: &str =
    "0:1|null 0:2|11 0:1|13 | 31\nnull 11\n11 31:1 |3\n13 null |1\n11 31:1 |3\nnull 13\n";

/// Streams of solutions in all formats, mutilated: no panic in the reader and the verifier. Answers
/// how many solutions were right.
fn streams(seeds: std::ops::Range<u64>) -> u32 {
    let models: [(&str, &[u8]); 10] = [
        (LOOP, b"1:\n p 01:1 (1 of 2)\n 00 01:1 10:1\n 02 12:1 01:1\n 20 10:1 21:1\n 22 12:1 21:1 $3 [4]\n"),
        (LOOP, b"1 2 3 4 5\n6 5 4 3 2\n"),
        (LOOP, b"{\"v\":1,\"n\":7,\"options\":[1,2,3,4,5]}\n{\"v\":1,\"complete\":true,\"solutions\":\"1\"}\n"),
        (LOOP, b"1: 00 02 22 20 00\n2: 20 00 02 22 20\n"),
        (BOUNDS, b"1: (total cost $3)\n null 11 (1 of 3)\n 11 31:1 (1 of 2) $3 [3]\n null 13 (1 of 1)\n"),
        (BOUNDS, b"1: (total cost $6)\n 11 31:1 (1 of 2) $3 [3]\n 11 31:1 (1 of 1) $3 [3]\n null null (1 of 1)\n null 13 (1 of 1)\n"),
        (BOUNDS, b" $0\n\n1 $0\n2 4 $6\n2 3 $4\n"),
        (BOUNDS, b"\xef\xbb\xbf{\"v\":1,\"n\":1,\"options\":[]}\n"),
        (BOUNDS, b"2: (~3?0:1)\na: (~2?2:2)\n"),
        (BOUNDS, b"1\0:\0\n\0"),
    ];
    let spice: [&[u8]; 12] = [
        b":",
        b"\n",
        b" ",
        b"\"n\":",
        b"{",
        b"9",
        b"\"solutions\":",
        b"(1 of",
        b" null ",
        b"\x1b[31m",
        b" null 11\n",
        b" null 13\n",
    ];
    let problems = [LOOP, BOUNDS].map(|text| (text, common::problem(text.as_bytes())));
    let catalogs = problems.each_ref().map(|(text, problem)| (*text, Catalog::new(problem)));
    let mut right = 0;
    for seed in seeds {
        let mut random = fastrand::Rng::with_seed(6_000_000_000 + seed);
        let (text, model) = models[random.usize(..models.len())];
        let (_, catalog) = catalogs.iter().find(|(other, _)| *other == text).expect("is there");
        let problem = catalog.problem;
        // There `null` has the name of an edge, and is primary.
        let graph = Graph::read(problem).unwrap_or_default();
        let wanted: &[&dyn Constraint] = if text == BOUNDS { &[] } else { &[&SingleLoop] };
        let constraints = bound(problem, wanted);
        let plan = PicturePlan::of(problem).expect("the names are right");
        let stream = mutilated(&mut random, model, &spice);
        let mut covers = Stream::new(&stream[..], Some(catalog), graph.width);
        let mut verifier = Verifier::new(problem).under(&constraints);
        let (mut cover, mut options) = (Record::default(), Vec::new());
        while let Ok(true) = covers.next_record(&mut cover) {
            let _ = cover.cover(&mut options);
            let tour: Vec<_> = cover.tour.iter().map(|&(at, _)| at).collect();
            let good = verifier.cover(&options, &|_| 1).is_ok()
                && (text == BOUNDS || verifier.constraints(&options).is_ok());
            right += u32::from(good || verifier.tour(&tour, &graph).is_ok());
            let mut same = Vec::new();
            cover.write(cover.number, &mut same);
            let _ = cover.complain_at_head("nothing");
        }
        let known = random.bool().then_some(catalog);
        let mut records = Stream::new(&stream[..], known, Some(plan.width)).trusting();
        while let Ok(true) = records.next_record(&mut cover) {
            if let Ok(colors) = cover.colors(known.map(|_| problem), Some(plan.width)) {
                plan.draw(&cover.places(problem, plan.width), &colors);
            }
        }
    }
    right
}

#[test]
fn streams_of_solutions_may_be_anything() {
    let right = streams(0..SHORT);
    assert!(right > 1000, "only {right} solutions");
}

/// Boards in all formats, mutilated: what is read is read again from its own text, and drawn. Answers how
/// many were read.
fn boards(seeds: std::ops::Range<u64>) -> u64 {
    let penpa = slurp(&fixture("slitherlink/noqx-penpa-slitherlink-7x7-1.penpa"));
    let models: [&[u8]; 22] = [
        b"2..1.\n.2..1\n..2..\n",
        b"0.\n.1\nvariant: f\n",
        b"1 62 .\n. 3 100\n",
        b"1213\n2.31\n31a2\n",
        b"7x7t0dh:c2a2a2b1b32a1d11a30d2e13122a3a312a3",
        b"7x7dtn:BdWdBiBBaBeBjWeBb",
        b"3x2:1aZ2b9\n",
        b"https://puzz.link/p?slither/v:/f/5/5/cbcbcddad",
        b"mashu/6/6/1063000i3000",
        b"hitori/4/1/-6i%@a/",
        b"v:\npzprv3.1\nslither\n1\n2\nf\n- 4\n",
        b"?pzprv3/hitori/2/2/1 . /10 2 /# + /",
        b"http://www.kanpen.net/masyu.html?problem=2/2/1_./._2/",
        b"hitori.html?pzpr=2/2/11.-11",
        b"2\n3\n1 2 .\n. 2 1\n",
        b"[begin]\nsize 2\n[problem]\n1 2\n- 1\n[end]\n",
        b"SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\nGAME    :5:Loopy\nPARAMS  :5:2x2t0\nDESC    :3:3a1\n",
        b"+---+   .\n| 3 |\n+---+   .\n",
        " @───○   ·\n │   │\n ·   ·   ●\n".as_bytes(),
        b"[[3,-1],[-1,1]]\n",
        b"3  1\n  2\n0\n",
        &penpa,
    ];
    let spice: [&[u8]; 12] =
        [b"/", b"\n", b" ", b"9", b"z", b"?", b"#", b"=", b"\xff", b"p=", b"f/", b"99999999"];
    let formats = IMPORTERS.iter().map(|importer| Some(importer.format())).chain([None]);
    let formats: Vec<Option<Format>> = formats.collect();
    let mut read = 0;
    for seed in seeds {
        let mut random = fastrand::Rng::with_seed(7_000_000_000 + seed);
        let model = models[random.usize(..models.len())];
        let text = mutilated(&mut random, model, &spice);
        let format = formats[random.usize(..formats.len())];
        for kind in KINDS {
            let Ok(Imported { clues, .. }) = import(*kind, &text, format) else { continue };
            let shown = || format!("seed {seed}: {:?}", String::from_utf8_lossy(&text));
            let cells = u64::from(clues.rows) * u64::from(clues.cols);
            assert!(cells == clues.cells.len() as u64 && cells <= MOST_CELLS, "{}", shown());
            read += 1;
            // The rare large one takes its time.
            if cells > 10_000 {
                continue;
            }
            for exporter in EXPORTERS {
                let Ok(text) = (exporter.export)(*kind, &clues) else { continue };
                let back = import(*kind, &text, None).map(|board| board.clues);
                assert_eq!(back.as_ref(), Ok(&clues), "{}", shown());
            }
            let picture = kind.draw(&clues, None);
            for renderer in [&term::ASCII as &dyn Render, &svg::Svg] {
                renderer.render(&picture, &mut Vec::new()).expect("a vector takes all");
            }
        }
    }
    read
}

#[test]
fn boards_may_be_anything() {
    let read = boards(0..SHORT);
    assert!(read > 1000, "only {read} boards");
}

/// Packed bytes, mutilated: they are unpacked, or there is an error, and never more than there can be.
/// Answers how many came through whole.
fn packed(seeds: std::ops::Range<u64>) -> u64 {
    let text = slurp(&fixture("xcc/langford-3.dlx")).repeat(20);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&text).expect("a vector takes all");
    let gzip = gzip.finish().expect("a vector takes all");
    let zstd = compress_to_vec(&text[..], CompressionLevel::Fastest);
    let spice: [&[u8]; 3] = [b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\0"];
    let mut whole = 0;
    for seed in seeds {
        let mut random = fastrand::Rng::with_seed(8_000_000_000 + seed);
        let bytes = mutilated(&mut random, if seed % 2 == 0 { &gzip } else { &zstd }, &spice);
        let Ok(unpacked) = unpacked(Box::new(Cursor::new(bytes))) else { continue };
        let mut out = Vec::new();
        let read = unpacked.take(1 << 20).read_to_end(&mut out);
        whole += u64::from(read.is_ok() && out == text);
    }
    whole
}

#[test]
fn packed_files_may_be_anything() {
    let whole = packed(0..SHORT / 4);
    assert!(whole > 1000, "only {whole} files");
}

/// All of it, for so many seconds.
#[test]
#[ignore = "takes as long as FUZZ_SECONDS says, or ten minutes; `cargo test --test fuzz -- --ignored`"]
fn everything_may_be_anything_for_long() {
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(600));
    let mut done = 0;
    while Instant::now() < end {
        // Seeds that no short run has.
        let next = |step: u64| SHORT + LONG + done * step..SHORT + LONG + (done + 1) * step;
        fuzz(next(2000));
        streams(next(2000));
        boards(next(2000));
        packed(next(500));
        done += 1;
    }
    println!("{done} rounds of 2000 files, 2000 streams, 2000 boards and 500 packed files");
}
