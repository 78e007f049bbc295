//! Compressed inputs: gzip and zstd, wherever a file is read.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::problems::*;
use super::run::{Folder, feed, fixture};

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &[u8]) -> Vec<u8> {
    compress_to_vec(text, CompressionLevel::Fastest)
}

/// Two files that gzip 1.12 and zstd 1.5.4 wrote, of the slitherlink that is a single 4.
#[test]
fn files_of_the_programs_themselves_are_read() {
    for name in ["dlx/packed/one-cell.gz", "dlx/packed/one-cell.zst"] {
        let bytes = std::fs::read(fixture(name)).unwrap();
        feed("solve --loop --count", bytes).exits(0).prints("1\n");
    }
}

#[test]
fn every_input_may_be_compressed() {
    for pack in [gzip, zstd] {
        let folder = Folder::new();
        let problem = slitherlink("4\n");
        folder.file("board.dlx", &problem);
        folder.file("packed.dlx", pack(problem.as_bytes()));
        folder.file("board.txt", pack(b"4\n"));
        folder.file("boards.txt", pack(b"4\n44\n"));
        let solution = folder.quadrille("solve --loop board.dlx").exits(0).stdout;
        folder.file("solution", pack(solution.as_bytes()));
        folder.quadrille("solve --loop packed.dlx").exits(0).prints(&solution);
        folder.quadrille("generate slitherlink board.txt").exits(0).prints(&problem);
        folder.quadrille("convert slitherlink board.txt --to text").exits(0).prints("4\n");
        let batch = folder.quadrille("puzzle slitherlink --batch boards.txt --format jsonl");
        assert_eq!(batch.exits(0).stdout.lines().count(), 2);
        folder.quadrille("check packed.dlx --loop --solutions solution").exits(0);
        folder.quadrille("filter --loop --problem packed.dlx solution").exits(0).prints(&solution);
        let drawn = folder.quadrille("draw --ascii --problem packed.dlx solution").exits(0);
        assert_eq!(drawn.stdout, "1:\n+---+\n| 4 |\n+---+\n");
        // Parts that were packed one after the other are one file.
        let (one, other) = problem.as_bytes().split_at(problem.len() / 2);
        feed("solve --loop", [pack(one), pack(other)].concat()).exits(0).prints(&solution);
    }
}

#[test]
fn what_is_cut_off_or_damaged_is_an_error() {
    let problem = slitherlink(&blank(4, 4));
    for (name, packed) in [("gzip", gzip(problem.as_bytes())), ("zstd", zstd(problem.as_bytes()))] {
        for length in [5, packed.len() / 2, packed.len() - 1] {
            let ran = feed("solve --loop --count", &packed[..length]).exits(2).prints("");
            assert!(ran.stderr.starts_with("<stdin>: error: "), "{ran:#?}");
            let what = format!("the {name} data end too early");
            assert!(ran.stderr.contains(&what), "{length} bytes: {ran:#?}");
        }
        let mut damaged = packed.clone();
        let middle = packed.len() / 2;
        damaged[middle..middle + 8].fill(0xff);
        feed("solve --loop --count", damaged).exits(2).prints("");
    }
}

#[test]
fn what_follows_packed_data_is_an_error() {
    for (name, packed) in [("gzip", gzip(b"A\nA\n")), ("zstd", zstd(b"A\nA\n"))] {
        for more in [&b"\n"[..], b"A\n", b"something longer than a head\n"] {
            let ran = feed("solve --count", [&packed, more].concat()).exits(2).prints("");
            let what = format!("<stdin>: error: the {name} data end, and something else follows\n");
            assert_eq!(ran.stderr, what);
        }
    }
}

/// Knuth's programs read theirs from standard input.
#[test]
fn drop_ins_read_it_too() {
    for program in ["dlx1", "dlx2", "dlx2-loop", "dlx3", "dlx5", "dlx6", "dlx-pre"] {
        let text = if program == "dlx1" { "A B\nA\nB\n" } else { FIRST_EXAMPLE };
        let command = match program {
            "dlx-pre" => program.to_owned(),
            _ => format!("{program} m1"),
        };
        let plain = feed(&command, text).exits(0);
        for packed in [gzip(text.as_bytes()), zstd(text.as_bytes())] {
            let ran = feed(&command, packed).exits(0).prints(&plain.stdout);
            assert_eq!(ran.stderr, plain.stderr, "{program}");
        }
        let cut = &gzip(text.as_bytes())[..20];
        feed(program, cut).exits(2).says("<stdin>: the gzip data end too early");
    }
}

/// A thousandfold: blank lines, which the reader of problems skips as they come.
#[test]
fn a_bomb_takes_no_memory() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let blank = vec![b'\n'; 1 << 20];
    (0..64).for_each(|_| encoder.write_all(&blank).unwrap());
    encoder.write_all(FIRST_EXAMPLE.as_bytes()).unwrap();
    let ran = feed("solve --count --memory-limit 30M --stats=json", encoder.finish().unwrap());
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "1\n"), "{ran:#?}");
}
