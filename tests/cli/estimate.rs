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
