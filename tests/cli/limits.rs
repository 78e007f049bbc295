//! Limits of time, nodes and memory.

use std::time::{Duration, Instant};

use super::problems::*;
use super::run::feed;

/// The number after `incomplete: at least`.
fn at_least(stderr: &str) -> u64 {
    let rest = stderr.split("incomplete: at least ").nth(1).expect("the number so far");
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}

#[test]
fn a_time_limit_ends_the_search_soon() {
    let dlx = endless();
    let start = Instant::now();
    let ran = solve("--loop --count --engine links --time-limit 200ms", &dlx).exits(3);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert!(start.elapsed() >= Duration::from_millis(200), "{:?}", start.elapsed());
    assert_eq!(ran.stdout, format!("{}\n", at_least(&ran.stderr)));
    assert!(ran.stderr.contains("time limit reached"), "{ran:?}");
}

/// The engines that take turns for a count have budgets of nodes of their own.
#[test]
fn a_count_in_turns_tells_what_stopped_it() {
    for _ in 0..3 {
        let ran = solve("--count --time-limit 200ms", &queens(15)).exits(3);
        assert!(ran.stderr.contains("time limit reached"), "{ran:?}");
    }
}

#[test]
fn what_was_found_before_the_limit_is_printed() {
    let ran = solve("--loop --format options --time-limit 200ms", &endless()).exits(3);
    assert_eq!(ran.lines().len() as u64, at_least(&ran.stderr));
    let ran = solve("--loop --format options --node-limit 1000", &endless()).exits(3);
    assert_eq!(ran.lines().len() as u64, at_least(&ran.stderr));
    assert!(ran.stdout.ends_with('\n'));
}

#[test]
fn a_time_limit_of_0_is_over_at_once() {
    solve("--loop --count --engine links --time-limit 0", &endless()).exits(3);
    for engine in ["auto", "links", "bits", "learn", "memo"] {
        for flags in ["", "--first", "--unique", "--threads 2", "--part 1/2"] {
            if flags == "--part 1/2" && matches!(engine, "learn" | "memo") {
                continue;
            }
            let flags = format!("--engine {engine} --time-limit 0 {flags}");
            let ran = solve(&flags, FIRST_EXAMPLE).exits(3).prints("");
            ran.says("incomplete: at least 0 (time limit reached)");
        }
        let flags = format!("--engine {engine} --time-limit 0 --count");
        solve(&flags, FIRST_EXAMPLE).exits(3).prints("0\n").says("time limit reached");
    }
    for flags in ["--facts", "--min-cost", "--unique --proof never"] {
        let ran = solve(&format!("{flags} --time-limit 0"), FIRST_EXAMPLE).exits(3).prints("");
        ran.says("time limit reached");
    }
    feed("puzzle slitherlink - --time-limit 0", "4\n").exits(3).says("time limit reached");
    let batch = feed("puzzle slitherlink --batch - --time-limit 0", "4\n").exits(3).prints("");
    batch.says("incomplete: 0 boards (time limit reached)");
    for command in ["estimate", "reduce"] {
        feed(&format!("{command} --time-limit 0"), FIRST_EXAMPLE).exits(3).says("incomplete");
    }
}

#[test]
fn a_node_limit_is_exact_and_reproducible() {
    let dlx = endless();
    let once = solve("--loop --count --node-limit 5000", &dlx).exits(3).says("node limit").stdout;
    solve("--loop --count --node-limit 5000", &dlx).exits(3).prints(&once);
}

#[test]
fn a_node_limit_that_is_not_reached_changes_nothing() {
    solve("--node-limit 1000000", FIRST_EXAMPLE).exits(0).prints(FIRST_SOLUTION).silently();
}

#[test]
fn a_memory_limit_that_is_too_small_stops_the_run() {
    let dlx = endless();
    solve("--loop --count --memory-limit 100K", &dlx).exits(3).says("memory limit");
    solve("--loop --count --memory-limit 1", &dlx).exits(3).says("memory limit");
}

/// What an engine is sure to need is counted before it builds anything.
#[test]
fn a_memory_limit_below_the_need_stops_before_the_search() {
    let dlx = slitherlink(&blank(40, 40));
    for flags in ["--engine learn", "--unique", "--facts", "--unique --proof never"] {
        let flags = format!("--loop --memory-limit 2M --stats=json {flags}");
        let ran = solve(&flags, &dlx).exits(3).prints("").says("memory limit");
        let stats = ran.stderr.lines().find(|line| line.starts_with('{')).expect("an object");
        let stats: serde_json::Value = serde_json::from_str(stats).expect("JSON");
        assert_eq!(stats["engine"], if flags.ends_with("unique") { "auto" } else { "learn" });
        assert!(stats["peak_bytes"].as_u64().is_some_and(|peak| peak < 2 << 20), "{stats}");
        assert!(!std::path::Path::new("never").exists());
    }
}

#[test]
fn a_memory_limit_that_is_large_enough_changes_nothing() {
    solve("--memory-limit 2G", FIRST_EXAMPLE).exits(0).prints(FIRST_SOLUTION).silently();
}

/// Blank boards of 20 x 20 cells have more loops than anybody has counted.
#[test]
fn limits_stop_a_count_by_memo() {
    let dlx = slitherlink(&blank(20, 20));
    for engine in ["auto", "memo"] {
        let flags = format!("--loop --count --engine {engine}");
        for (limit, why) in [
            ("--time-limit 300ms", "time limit reached"),
            ("--node-limit 3000", "node limit reached"),
        ] {
            let ran = solve(&format!("{flags} {limit}"), &dlx).exits(3).says(why);
            assert_eq!(ran.stdout, format!("{}\n", at_least(&ran.stderr)));
        }
    }
}

/// A memo that is full is no reason to stop: counting goes on, and takes longer.
#[test]
fn a_memo_stops_at_the_memory_limit_with_a_lower_bound() {
    let dlx = slitherlink(&blank(9, 9));
    let flags = "--loop --count --engine memo";
    solve(flags, &dlx).exits(0).prints("27359264067916806101\n");
    let ran = solve(&format!("{flags} --memory-limit 200K"), &dlx).exits(3).says("memory limit");
    let known: u128 = ran.stdout.trim().parse().expect("a number");
    assert!(known < 27_359_264_067_916_806_101, "{known}");
}

/// Bits need a row of all options for each option: 5000 * 5000 / 8 bytes are more than 3 MB. Links need
/// a node for each entry.
#[test]
fn the_memory_limit_is_that_of_the_engine_which_auto_takes() {
    let dlx = format!("A B | X\n{}B\n", "A X\n".repeat(5000));
    solve("--count --memory-limit 3M", &dlx).exits(3).says("memory limit");
    solve("--count --memory-limit 3M --engine links", &dlx).exits(0).prints("5000\n");
}

#[test]
fn puzzle_obeys_limits_too() {
    feed("puzzle slitherlink - --engine links --node-limit 5", blank(8, 8))
        .exits(3)
        .says("incomplete");
    feed("puzzle slitherlink - --memory-limit 100K", blank(8, 8)).exits(3).says("incomplete");
}

#[test]
fn an_incomplete_count_is_no_verdict() {
    let ran = solve("--unique --engine links --time-limit 300ms", &barren(0, 14)).exits(3);
    let first = format!("1:\n P {} (1 of 2)\n", pigeons(14));
    let ran = ran.prints(&first).says("incomplete: at least 1");
    assert!(!ran.stderr.contains("unique"), "{ran:?}");
}

fn pigeons(n: usize) -> String {
    (0..n).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" ")
}
