//! `estimate`: what it says; whether that is right is in `tests/estimate.rs`.

use super::problems::FIRST_EXAMPLE;
use super::run::{feed, fixture, quadrille};

#[test]
fn small_trees_are_exact() {
    // dlx2 says: 6 nodes, 1 solution.
    let ran = feed("estimate", FIRST_EXAMPLE).exits(0).silently();
    assert!(
        ran.stdout.starts_with("nodes      6 (exact)\nsolutions  1 (exact)\nseconds "),
        "{ran:?}"
    );
    let ran = feed("estimate --format json", FIRST_EXAMPLE).exits(0);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).expect("is JSON");
    assert_eq!(
        (json["nodes"]["estimate"].as_f64(), json["exact"].as_bool()),
        (Some(6.0), Some(true))
    );
    feed("estimate --loop", super::problems::slitherlink("..\n")).exits(0).silently();
    feed("estimate", "A 0:2|B\nA\nB\nB\n").exits(0).silently();
}

/// A board of 2 x n squares, to be covered by dominoes, has a tree of L(n + 2) - 2 nodes (L: Lucas numbers).
fn dominoes(n: usize) -> String {
    let mut text = (0..n).map(|c| format!("0.{c} 1.{c} ")).collect::<String>();
    for c in 0..n {
        text += &format!("\n0.{c} 1.{c}");
        for row in (0..2).filter(|_| c + 1 < n) {
            text += &format!("\n{row}.{c} {row}.{}", c + 1);
        }
    }
    text + "\n"
}

/// Numbers beyond the range of most programs are null, and their logarithms are there.
#[test]
fn there_is_no_largest_number() {
    let of = |n| {
        let ran = feed("estimate --probes 10 --format json", dominoes(n)).exits(0).silently();
        serde_json::from_str::<serde_json::Value>(&ran.stdout).expect("is JSON")
    };
    let check = |json: &serde_json::Value, n: usize| {
        let truth = (n as f64 + 2.0) * ((1.0 + 5f64.sqrt()) / 2.0).log10();
        let end = |name: &str| json["nodes"]["log10"][name].as_f64().expect("a number");
        let covers = end("low") <= truth && truth <= end("high");
        assert!(end("low") < end("high"), "{json}");
        assert!(covers || json["nodes"]["reliable"] == false, "{json}");
        assert_eq!(json["engine"], "bits");
        assert_eq!(json["exact"], false);
    };
    let json = of(100);
    check(&json, 100);
    let [number, logarithm] = ["/nodes/low", "/nodes/log10/low"]
        .map(|path| json.pointer(path).and_then(|value| value.as_f64()).expect("a number"));
    assert!((number.log10() - logarithm).abs() < 1e-9, "{json}");
    let json = of(1600);
    check(&json, 1600);
    assert!(json["nodes"]["high"].is_null() && json["nodes"]["reliable"] == false, "{json}");
}

#[test]
fn the_engine_that_will_run_is_timed() {
    let engine = |args: &str, text: String| {
        let ran = feed(&format!("estimate {args}"), text).exits(0).silently();
        let line = ran.stdout.lines().find(|line| line.starts_with("seconds")).map(str::to_owned);
        line.expect("seconds").split('(').nth(1).expect("an engine").to_owned()
    };
    assert_eq!(engine("", dominoes(3)), "bits)");
    assert_eq!(engine("", "A 0:2|B\nA\nB\nB\n".into()), "links)");
    assert_eq!(engine("--loop", super::problems::slitherlink("..\n")), "links)");
}

#[test]
fn a_seed_fixes_what_is_random() {
    let file = fixture("xcc/langford-8.dlx");
    let of = |flags: &str| {
        let ran = quadrille(&format!("estimate --probes 2 {flags} {file}")).exits(0);
        ran.stdout.lines().filter(|line| !line.starts_with("seconds")).collect::<String>()
    };
    assert_eq!(of("--seed 1"), of("--seed 1"));
}

#[test]
fn what_cannot_be_answered_is_refused_or_incomplete() {
    feed("estimate --probes 1", FIRST_EXAMPLE).exits(2);
    feed("estimate --connected", FIRST_EXAMPLE).refuses("--connected");
    feed("estimate --time-limit 0", super::problems::endless()).exits(3).says("incomplete");
}
