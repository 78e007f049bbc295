//! `--stats`.

use serde_json::Value;

use super::problems::*;
use super::run::{Ran, fixture};

/// The last line of stderr, which is one JSON object.
#[track_caller]
fn json(ran: &Ran) -> Value {
    let last = ran.stderr.lines().last().expect("a line on stderr");
    let value: Value = serde_json::from_str(last).expect("JSON in the last line");
    assert!(value.is_object());
    assert!(ran.stderr.ends_with("}\n"));
    value
}

#[test]
fn json_has_the_keys_and_types_that_are_promised() {
    for flags in ["", "--count", "--unique", "--first", "--format jsonl", "-q", "-v"] {
        let ran = solve(&format!("{flags} --stats=json"), FIRST_EXAMPLE).exits(0);
        let stats = json(&ran);
        assert!(stats["engine"].is_string());
        assert!(stats["complete"].is_boolean());
        assert_eq!(stats["solutions"], "1");
        for key in ["nodes", "updates", "cleansings", "conflicts", "peak_bytes"] {
            assert!(stats[key].is_u64() || stats[key].is_null(), "{key} in {stats}");
            assert!(stats.get(key).is_some(), "{key} in {stats}");
        }
        for key in ["read_seconds", "search_seconds"] {
            assert!(stats[key].as_f64().is_some_and(|seconds| seconds >= 0.0), "{key} in {stats}");
        }
        let profile = stats["profile"].as_array().expect("a profile");
        assert!(profile.iter().all(Value::is_u64));
        assert!(stats["peak_bytes"].as_u64().is_some_and(|bytes| bytes > 1000));
    }
}

/// Knuth's `dlx2 m1 v129` says 29 updates, 0 cleansings, 6 nodes, and this profile.
#[test]
fn links_counts_as_dlx2_does() {
    let stats = json(&solve("--engine links --stats=json", FIRST_EXAMPLE).exits(0));
    assert_eq!(stats["engine"], "links");
    assert_eq!((&stats["nodes"], &stats["updates"]), (&6.into(), &29.into()));
    assert_eq!(stats["cleansings"], 0);
    assert_eq!(stats["profile"], serde_json::json!([1, 2, 2, 1]));
}

#[test]
fn complete_says_whether_the_search_was_exhausted() {
    let complete = |flags: &str, status| {
        let flags = format!("{flags} --stats=json");
        json(&solve(&flags, &bits(6)).exits(status))["complete"].clone()
    };
    assert_eq!(complete("", 0), true);
    assert_eq!(complete("--limit 3", 0), false);
    assert_eq!(complete("--first", 0), false);
    assert_eq!(complete("--unique", 4), false);
    assert_eq!(complete("--node-limit 9", 3), false);
    assert_eq!(json(&solve("--unique --stats=json", FIRST_EXAMPLE))["complete"], true);
}

#[test]
fn json_is_last_also_after_warnings_and_verdicts() {
    let ran = solve("--unique --stats=json", "A | X\nX\nA X\n").exits(0);
    assert!(ran.stderr.contains("warning") && ran.stderr.contains("unique"), "{ran:?}");
    assert_eq!(json(&ran)["solutions"], "1");
    let ran = solve("--node-limit 1 --stats=json", &bits(3)).exits(3);
    assert!(ran.stderr.contains("incomplete"), "{ran:?}");
    json(&ran);
    let ran =
        solve("--stats=json --progress always --loop --time-limit 300ms", &endless()).exits(3);
    json(&ran);
}

#[test]
fn puzzle_has_stats_too() {
    let board = std::fs::read_to_string(fixture("slitherlink/sgt-loopy-7x7-e-1.txt")).unwrap();
    let ran = super::run::feed("puzzle slitherlink - --stats=json", board).exits(0);
    assert_eq!(json(&ran)["solutions"], "1");
}

#[test]
fn text_is_for_people() {
    let ran = solve("--engine links --stats", FIRST_EXAMPLE).exits(0).prints(FIRST_SOLUTION);
    for word in ["engine", "solutions", "nodes", "updates", "reading", "searching", "memory"] {
        assert!(ran.stderr.contains(word), "{word} in {}", ran.stderr);
    }
}

#[test]
fn quiet_keeps_what_a_flag_asks_for() {
    solve("-q --stats", FIRST_EXAMPLE).exits(0).says("nodes");
    solve("-q --unique", FIRST_EXAMPLE).exits(0).says("unique");
}
