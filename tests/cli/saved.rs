//! Files that runs leave for other runs, mutilated: plans, results and marks of parts, checkpoints, proofs. A checksum is made
//! anew, so that what is behind it is reached. Whatever is in them, the program neither breaks off nor hangs.

use std::path::Path;

use fastrand::Rng;
use serde_json::{Value, json};

use super::long::{checksum, sealed};
use super::problems::*;
use super::run::{Folder, PROGRAM, fixture};

/// Files of each kind that every run looks at.
const SHORT: u64 = 60;

/// Files of each kind in a long run.
const LONG: u64 = 26_000;

/// Seconds that a run may take.
const PATIENCE: u64 = 60;

/// Runs the program under a clock; whether it answered, or refused, as it should.
#[track_caller]
fn holds(folder: &Folder, args: &str, seed: u64) {
    let ran = snapbox::cmd::Command::new(PROGRAM)
        .current_dir(folder.path(""))
        .args(args.split_whitespace())
        .timeout(std::time::Duration::from_secs(PATIENCE))
        .output()
        .expect("the program runs");
    let stderr = String::from_utf8_lossy(&ran.stderr);
    let status = ran.status.code();
    let keep = || {
        // What broke it, for whoever looks for the reason.
        let kept = std::env::temp_dir().join(format!("quadrille-saved-{seed}"));
        let _ = std::process::Command::new("cp").arg("-r").arg(folder.path("")).arg(&kept).status();
        kept
    };
    assert!(
        matches!(status, Some(0..=3)) && !stderr.contains("panicked"),
        "seed {seed}: `{args}` ends with {status:?} in {}: {stderr}",
        keep().display()
    );
    assert!(status != Some(2) || stderr.contains("error: "), "seed {seed}: {args}: {stderr}");
}

/// A plan with one finished part and a checkpoint that were written before there were --branch and --acyclic.
#[test]
fn files_of_an_older_version_are_read() {
    let folder = Folder::new();
    folder.file("p.dlx", queens(6));
    for (name, copy) in [
        ("old.checkpoint", "ck"),
        ("old-plan/manifest.json", "d/manifest.json"),
        ("old-plan/1", "d/1"),
        ("old-plan/1.done", "d/1.done"),
    ] {
        let path = folder.path(copy);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("room");
        std::fs::copy(fixture(&format!("saved/{name}")), path).expect("room");
    }
    let expected = folder.quadrille("solve p.dlx").exits(0).stdout;
    folder.quadrille("solve p.dlx --part 2/2 --plan d --output d/2").exits(0);
    folder.quadrille("merge d").exits(0).prints(&expected);
    folder.file("out", "");
    folder.quadrille("solve p.dlx --resume ck --output out").exits(0);
    assert_eq!(folder.text("out"), expected);
    folder.quadrille("solve p.dlx --branch leftmost --resume ck --output out").exits(2);
}

/// Some value inside of `value`, each as likely as any other.
fn any<'v>(value: &'v mut Value, random: &mut Rng) -> &'v mut Value {
    fn count(value: &Value) -> usize {
        1 + match value {
            Value::Array(all) => all.iter().map(count).sum(),
            Value::Object(all) => all.values().map(count).sum(),
            _ => 0,
        }
    }
    fn find(value: &mut Value, mut at: usize) -> &mut Value {
        if at == 0 {
            return value;
        }
        at -= 1;
        let inside: Vec<&mut Value> = match value {
            Value::Array(all) => all.iter_mut().collect(),
            Value::Object(all) => all.values_mut().collect(),
            _ => Vec::new(),
        };
        for part in inside {
            match count(part) {
                size if at < size => return find(part, at),
                size => at -= size,
            }
        }
        unreachable!("counted before")
    }
    let at = random.usize(..count(value));
    find(value, at)
}

/// Spoils a value in one to three places.
fn mutilate(value: &mut Value, random: &mut Rng) {
    for _ in 0..random.u32(1..=3) {
        let other = any(value, random).clone();
        let place = any(value, random);
        let number = [0, 1, 2, 3, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 62) + 1, u64::MAX];
        match (random.u32(..8), &mut *place) {
            (0 | 1, Value::Number(n)) => {
                let n = n.as_u64().unwrap_or(0);
                *place = json!(if random.bool() { n.wrapping_add(1) } else { n.wrapping_sub(1) });
            }
            (2, Value::Array(all)) if !all.is_empty() => {
                all.remove(random.usize(..all.len()));
            }
            (3, Value::Array(all)) if !all.is_empty() => {
                let (from, to) = (random.usize(..all.len()), random.usize(..=all.len()));
                all.insert(to, all[from].clone());
            }
            (4, Value::Object(all)) if !all.is_empty() => {
                let name = all.keys().nth(random.usize(..all.len())).cloned();
                all.remove(&name.unwrap_or_default());
            }
            (5, Value::String(text)) => {
                let texts =
                    ["", "none", "true", "bits", "links", "jsonl", "7/3", "3/7", "\u{1b}[m"];
                *text = texts[random.usize(..texts.len())].into();
            }
            (6, _) => *place = other,
            (7, _) => {
                let odd = [json!(null), json!([]), json!({}), json!(-1), json!(1.5), json!("x")];
                *place = odd[random.usize(..odd.len())].clone();
            }
            _ => *place = json!(number[random.usize(..number.len())]),
        }
    }
}

/// Spoils bytes in one to three places.
fn mutilate_bytes(bytes: &mut Vec<u8>, random: &mut Rng) {
    for _ in 0..random.u32(1..=3) {
        let at = random.usize(..=bytes.len());
        let to = (at + random.usize(..40)).min(bytes.len());
        let words: [&[u8]; 12] = [
            b"\n",
            b"\n\n",
            b" ",
            b"0",
            b"-",
            b"{",
            b"\0",
            b"\xff",
            b"99999999999999999999",
            b"c ",
            b"d ",
            b" 0 ",
        ];
        match random.u32(..5) {
            0 => drop(bytes.drain(at..to)),
            1 => {
                let piece = bytes[at..to].to_vec();
                let there = random.usize(..=bytes.len());
                bytes.splice(there..there, piece);
            }
            2 if at < bytes.len() => bytes[at] = random.u8(..),
            3 => bytes.truncate(at),
            _ => drop(bytes.splice(at..at, words[random.usize(..words.len())].iter().copied())),
        }
    }
}

/// The members of a sealed file.
fn members(text: &str) -> Value {
    let (_, members) = text.split_once('\n').expect("two lines");
    serde_json::from_str(members).expect("JSON")
}

/// A plan with the right checksum.
fn plan(mut value: Value) -> String {
    if let Some(members) = value.as_object_mut() {
        members.remove("sha256");
    }
    let members = value.to_string();
    let rest = format!("\",{}\n", members.strip_prefix('{').unwrap_or(&members));
    format!("{{\"sha256\":\"{}{rest}", checksum(&rest))
}

/// A problem and the flags of one of its searches.
fn search(random: &mut Rng) -> (Folder, String) {
    let folder = Folder::new();
    let engine = ["links", "bits", "auto"][random.usize(..3)];
    let format = ["knuth", "options", "jsonl"][random.usize(..3)];
    let count = if random.u32(..4) == 0 { "--count" } else { "" };
    let flags = match random.u32(..3) {
        0 => {
            let name = fixture("slitherlink/deg-slither-blank-4x4.dlx");
            folder.file("p.dlx", std::fs::read(name).expect("a fixture"));
            format!(
                "--loop --engine links --format {} {count}",
                ["tour", "knuth"][random.usize(..2)]
            )
        }
        1 => {
            // With bounds.
            folder.file("p.dlx", "a b 0:2|c 1:2|d\na b\na c\nb c\na c d\nb d\nb\na\nd c\na d\n");
            format!("--format {format} {count}")
        }
        _ => {
            folder.file("p.dlx", queens(5 + random.usize(..2)));
            format!("--engine {engine} --format {format} {count}")
        }
    };
    (folder, flags)
}

/// Splits and searches the parts; some of them were stopped before, and split.
fn parts(random: &mut Rng) -> (Folder, String) {
    let (folder, flags) = search(random);
    let dividing = if flags.contains("--loop") { "--loop" } else { "" };
    let mut from = String::new();
    if random.bool() {
        let limit = format!("--checkpoint ck --output before --node-limit {}", random.u32(1..20));
        folder.quadrille(&format!("solve p.dlx {flags} {limit}"));
        from = "--from ck".into();
    }
    folder.quadrille(&format!("split p.dlx {dividing} --parts 2 {from} --output d"));
    for part in [1, 2] {
        let files = format!("--part {part}/2 --plan d --output d/{part}");
        folder.quadrille(&format!("solve p.dlx {flags} {files}"));
    }
    (folder, flags)
}

fn plans(seeds: std::ops::Range<u64>) {
    let (mut folder, mut flags) = parts(&mut Rng::with_seed(seeds.start));
    let mut whole = folder.text("d/manifest.json");
    for seed in seeds {
        let random = &mut Rng::with_seed(seed);
        if seed % 50 == 0 {
            (folder, flags) = parts(random);
            whole = folder.text("d/manifest.json");
        }
        let mut value: Value = serde_json::from_str(&whole).expect("JSON");
        mutilate(&mut value, random);
        folder.file("d/manifest.json", plan(value));
        let part = random.u32(1..=2);
        holds(&folder, &format!("solve p.dlx {flags} --part {part}/2 --plan d --output x"), seed);
        holds(&folder, "merge d --before before --output merged", seed);
    }
}

fn results(seeds: std::ops::Range<u64>) {
    let mut folder = Folder::new();
    for seed in seeds {
        let random = &mut Rng::with_seed(seed);
        if seed % 20 == 0 || !folder.path("d/1.done").exists() {
            folder = parts(random).0;
        }
        if !folder.path("d/1.done").exists() {
            continue;
        }
        let (mark, output) = (folder.text("d/1.done"), std::fs::read(folder.path("d/1")).unwrap());
        let (mut value, mut bytes) = (members(&mark), output.clone());
        if random.bool() {
            mutilate(&mut value, random);
        }
        if random.bool() {
            mutilate_bytes(&mut bytes, random);
            let more = bytes.len().wrapping_sub(output.len()) as u64;
            let lanes = value.get_mut("lanes").and_then(Value::as_array_mut);
            let last = lanes.and_then(|lanes| lanes.last_mut()?.get_mut("bytes"));
            if let Some((last, old)) = last.and_then(|last| last.as_u64().map(|old| (last, old))) {
                *last = json!(old.wrapping_add(more));
            }
            if value.is_object() {
                value["sha256"] = json!(checksum_of(&bytes));
            }
        }
        folder.file("d/1.done", sealed("part", &value));
        folder.file("d/1", &bytes);
        if random.bool() && folder.path("d/manifest.json").exists() {
            std::fs::rename(folder.path("d/manifest.json"), folder.path("manifest")).unwrap();
        }
        holds(&folder, "merge d --before before", seed);
        folder.file("d/1.done", mark);
        folder.file("d/1", output);
        if folder.path("manifest").exists() {
            std::fs::rename(folder.path("manifest"), folder.path("d/manifest.json")).unwrap();
        }
    }
}

fn checksum_of(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn checkpoints(seeds: std::ops::Range<u64>) {
    let mut made = None;
    for seed in seeds {
        let random = &mut Rng::with_seed(seed);
        if seed % 20 == 0 || made.is_none() {
            let (folder, flags) = search(random);
            let limit = format!("--checkpoint ck --output o --node-limit {}", random.u32(1..60));
            let part = if random.bool() { "--part 1/1" } else { "" };
            folder.quadrille(&format!("solve p.dlx {flags} {part} {limit}"));
            let (whole, output) = (folder.text("ck"), std::fs::read(folder.path("o")).unwrap());
            made = Some((folder, format!("{flags} {part}"), whole, output));
        }
        let Some((folder, flags, whole, output)) = &made else { continue };
        let mut value = members(whole);
        mutilate(&mut value, random);
        let first = value.pointer_mut("/entries/0").and_then(Value::as_object_mut);
        if let Some(first) = first.filter(|_| random.bool()) {
            // What waits is hardly ever there by itself.
            let waiting = json!([" a b\n", [2, "c\n"], [random.u64(..9), "d"]]);
            first.insert("waiting".into(), waiting);
            mutilate(&mut value["entries"], random);
        }
        folder.file("ck", sealed("checkpoint", &value));
        folder.file("o", output);
        let dividing = if flags.contains("--loop") { "--loop" } else { "" };
        holds(folder, &format!("split p.dlx {dividing} --parts 3 --from ck --output s"), seed);
        let threads = random.u32(1..=2);
        let args = format!("solve p.dlx {flags} --threads {threads} --resume ck --output o");
        holds(folder, &args, seed);
    }
}

fn proofs(seeds: std::ops::Range<u64>) {
    let names = ["proof.cnf", "lemmas.txt", "proof.drat"];
    let mut made = Vec::new();
    for (kind, board, rules) in [
        ("slitherlink", "slitherlink/sgt-loopy-7x7-t-1.txt", "--loop"),
        ("hitori", "hitori/sgt-singles-8x9-k-1.txt", "--connected=0"),
    ] {
        let folder = Folder::new();
        folder.file("p.dlx", generate(kind, &fixture(board)));
        let solve = format!("solve p.dlx --unique {rules} --proof proof --output found");
        folder.quadrille(&solve).exits(0);
        let files = names.map(|name| {
            std::fs::read(folder.path(&Path::new("proof").join(name).to_string_lossy())).unwrap()
        });
        made.push((folder, rules, files));
    }
    for seed in seeds {
        let random = &mut Rng::with_seed(seed);
        let (folder, rules, files) = &made[random.usize(..made.len())];
        let at = random.usize(..3);
        let mut bytes = files[at].clone();
        mutilate_bytes(&mut bytes, random);
        folder.file(&format!("proof/{}", names[at]), bytes);
        holds(folder, &format!("check p.dlx {rules} --proof proof --solutions found"), seed);
        folder.file(&format!("proof/{}", names[at]), &files[at]);
    }
}

#[test]
fn no_plan_breaks_a_run_off() {
    plans(0..SHORT);
}

#[test]
fn no_result_of_a_part_breaks_a_run_off() {
    results(0..SHORT);
}

#[test]
fn no_checkpoint_breaks_a_run_off() {
    checkpoints(0..SHORT);
}

#[test]
fn no_proof_breaks_a_run_off() {
    proofs(0..SHORT);
}

#[test]
#[ignore = "takes long"]
fn no_file_breaks_a_run_off_for_long() {
    let seeds = 1_000_000..1_000_000 + LONG;
    std::thread::scope(|scope| {
        for kind in [plans, results, checkpoints, proofs] {
            let seeds = seeds.clone();
            scope.spawn(move || kind(seeds));
        }
    });
}
