//! Costs of options: `--min-cost`, `--best`, and how solutions show what they cost.

use super::problems::FIRST_EXAMPLE;
use super::run::{Folder, feed};

/// The covers: 1 3 for 7 and 2 3 for 5; 4 alone for 8.
const COSTS: &str = "A B C\nA B |4\nA B |1 |1\nC |3\nA B C |8\n";

#[test]
fn prints_costs_in_every_format() {
    feed("solve --format options", COSTS).exits(0).prints("1 3 $7\n2 3 $5\n4 $8\n");
    let json = "{\"v\":1,\"n\":1,\"options\":[2,3],\"cost\":5}\n\
                {\"v\":1,\"complete\":false,\"solutions\":\"1\",\"optimal\":true}\n";
    feed("solve --min-cost --format jsonl", COSTS).exits(0).prints(json);
    // The taxes: A pays 2, B nothing, C 3.
    let text = "1: (total cost $5)\n C (1 of 2) $3 [0]\n A B (2 of 2) $2 [0]\n";
    feed("solve --min-cost", COSTS).exits(0).prints(text).silently();
}

#[test]
fn the_best_come_from_the_cheapest_on() {
    for (wanted, lines) in [(1, 1), (2, 2), (3, 3), (1000, 3)] {
        let all = ["2 3 $5\n", "1 3 $7\n", "4 $8\n"][..lines].concat();
        feed(&format!("solve --best {wanted} --format options"), COSTS).exits(0).prints(&all);
    }
    let ran = feed("solve --best 2 --format options --seed 5", COSTS).exits(0);
    ran.prints("2 3 $5\n1 3 $7\n");
    feed("solve --min-cost -v", COSTS).exits(0).says("engine: cheapest");
}

#[test]
fn streams_with_costs_can_be_read_again() {
    let folder = Folder::new();
    folder.file("costs.dlx", COSTS);
    for format in ["knuth", "options", "jsonl"] {
        let found = folder.feed(&format!("solve costs.dlx --format {format}"), "").exits(0).stdout;
        folder.feed("check costs.dlx --solutions -", found).exits(0);
    }
}

#[test]
fn all_that_a_search_can_be_told_holds() {
    feed("solve --min-cost", "A\n").exits(1).prints("");
    feed("solve --min-cost --node-limit 1", COSTS).exits(3).says("incomplete");
    feed("solve --min-cost --format options", FIRST_EXAMPLE).exits(0).prints("1 4 5\n");
    feed("solve --min-cost --stats=json", COSTS).exits(0).says("\"engine\":\"cheapest\"");
    // Bounds and costs: two options of A, one of which may be dear.
    let both = "2|A B\nA |1\nA |2\nA B |9\nB |5\n";
    feed("solve --best 2 --format options", both).exits(0).prints("1 2 4 $8\n1 3 $10\n");
    for flags in ["--threads 2", "--part 1/2"] {
        feed(&format!("solve --min-cost {flags}"), FIRST_EXAMPLE).exits(2).prints("");
    }
    for flags in ["--count", "--unique", "--first", "--best 2", "--facts", "--engine learn"] {
        feed(&format!("solve --min-cost {flags}"), COSTS).exits(2).prints("");
    }
    feed("solve --best 0", COSTS).exits(2);
}

#[test]
fn with_a_loop_the_cheapest_loop_is_found() {
    // Two cells side by side: two loops of four edges and one of six. An edge costs 1 in the options of
    // its vertices, so each is paid twice.
    let text = super::problems::slitherlink("..\n");
    let mut lines = text.lines();
    let items = lines.by_ref().find(|line| !line.starts_with('|')).expect("items");
    let price = |option: &str| format!("{option} |{}\n", option.matches(":1").count());
    let text = format!("{items}\n{}", lines.map(price).collect::<String>());
    let costs = |flags: &str| -> Vec<String> {
        let found = feed(&format!("solve --loop --format jsonl {flags}"), text.clone()).exits(0);
        let lines = found.stdout.lines().filter(|line| line.contains("cost"));
        lines.map(|line| line.rsplit(':').next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(costs("--best 3"), ["8}", "8}", "12}"]);
    assert_eq!(costs("--min-cost"), ["8}"]);
}

#[test]
fn sums_beyond_64_bits_are_refused() {
    let text = "A B\nA |18446744073709551615\nB |1\n";
    for flags in ["", "--min-cost", "--count"] {
        feed(&format!("solve {flags}"), text).refuses("<stdin>:2:3: error: the costs");
    }
    let text = "A B\nA |18446744073709551615\nB\n";
    feed("solve --min-cost --format options", text).exits(0).prints("1 2 $18446744073709551615\n");
    let text = "A\nA |18446744073709551615 |1\n";
    feed("solve", text).refuses("<stdin>:2:");
}
