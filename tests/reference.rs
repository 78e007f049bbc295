//! Random problems, and the generated ones, against Knuth's programs where they are installed.

mod common;

use common::{Watched, fixture, generated, random, reference, slurp, solve, table};
use quadrille::constraint::graph::Graph;
use quadrille::constraint::single_loop::propagator::SingleLoopPropagator;
use quadrille::dlx::parse;

#[test]
fn agrees_with_dlx2_on_random_problems_to_the_last_byte() {
    let Some(dlx2) = reference::find("dlx2") else { return };
    for seed in 0..200 {
        let text = random::xcc(1_000_000 + seed).text();
        let answer = reference::run(&dlx2, &["v1153", "m1"], text.as_bytes());
        let problem = common::problem(text.as_bytes());
        let found = solve(&problem, ());
        assert_eq!(found.row(), answer.row(), "seed {seed}\n{text}");
        let ours = common::knuth_text(&problem, &found.choices);
        assert_eq!(ours, answer.stdout, "seed {seed}\n{text}");
    }
}

/// Gives some primary items a name with `#`.
fn sharpened(text: &str, seed: u64) -> String {
    let sharp = (0..8).filter(|item| (seed >> item) & 1 == 1);
    sharp.fold(text.to_owned(), |text, i| text.replace(&format!("p{i}"), &format!("#p{i}")))
}

#[test]
fn agrees_with_dlx2_sharp_and_dlx3_sharp_on_random_problems_to_the_last_byte() {
    let bounded = |seed| random::mcc(seed).text();
    let makers: [(&str, &dyn Fn(u64) -> String); 2] =
        [("dlx2-sharp", &|seed| random::xcc(seed).text()), ("dlx3-sharp", &bounded)];
    for (name, make) in makers {
        let Some(program) = reference::find(name) else { continue };
        for seed in 0..200 {
            let text = sharpened(&make(3_000_000 + seed), seed);
            let mut problem = common::problem(text.as_bytes());
            // Without bounds it is Algorithm C that we run, which counts otherwise.
            if problem.has_bounds() != (name == "dlx3-sharp") {
                continue;
            }
            problem.branch_by(common::rule("sharp"));
            let answer = reference::run(&program, &["v1153", "m1"], text.as_bytes());
            let found = solve(&problem, &mut ());
            assert_eq!(found.row(), answer.row(), "{name}, seed {seed}\n{text}");
            let ours = common::knuth_text(&problem, &found.choices);
            assert_eq!(ours, answer.stdout, "{name}, seed {seed}\n{text}");
        }
    }
}

/// As in `fixtures.rs`: `dlx2-loop` counts every cover that `--loop` has the last word on.
#[test]
fn agrees_with_dlx2_loop_on_random_lattices() {
    let Some(dlx2_loop) = reference::find("dlx2-loop") else { return };
    let mut loops = 0;
    for seed in 0..200 {
        let lattice = random::lattice(2_000_000 + seed, 1);
        let text = lattice.plain.text();
        let answer = reference::run(&dlx2_loop, &["v1153", "m1"], text.as_bytes());
        let problem = common::problem(text.as_bytes());
        let graph = Graph::read(&problem).expect("a lattice keeps the convention");
        let mut constraint = Watched::new(SingleLoopPropagator::new(&problem, &graph));
        let found = solve(&problem, &mut constraint);
        let mut ours = found.row();
        ours[0] = (found.stats.solutions + constraint.refused.len() as u64).to_string();
        assert_eq!(ours, answer.row(), "seed {seed}\n{text}");
        // The covers without a cycle have a number there, but no line.
        let lines = |text: &[u8]| -> Vec<String> {
            let text = String::from_utf8_lossy(text);
            let tour = |line: &str| line.split_once(": ").map(|(_, tour)| tour.to_owned());
            text.lines().map(|line| tour(line).expect("a number, then a tour")).collect()
        };
        let tours = lines(&common::tour_text(&problem, &graph, &found.choices));
        assert_eq!(tours, lines(&answer.stdout), "seed {seed}\n{text}");
        loops += tours.len();
    }
    assert!(loops > 100, "only {loops} loops");
}

#[test]
fn the_table_of_generated_problems_is_what_dlx2_says() {
    let Some(dlx2) = reference::find("dlx2") else { return };
    let rows = table("xcc/generated.tsv");
    let mut missing = String::new();
    for (name, text) in generated::all() {
        let answer = reference::run(&dlx2, &["v1153"], text.as_bytes());
        let mut expected = vec![name];
        expected.extend(answer.row());
        if !rows.contains(&expected) {
            missing += &(expected.join("\t") + "\n");
        }
    }
    assert!(missing.is_empty(), "rows that the table does not have:\n{missing}");
}

/// How a program of Knuth's reads a file, as `fixtures/dlx/knuth.tsv` has it.
fn reading(answer: &reference::Answer) -> String {
    if answer.code == Some(102) {
        return "refuses".into();
    }
    let numbers = |line: &str| -> Vec<String> {
        line.split(|c: char| !c.is_ascii_digit())
            .filter(|n| !n.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let line = |part: &str| answer.stderr.lines().find(|line| line.contains(part)).map(numbers);
    let read = line("entries successfully read").unwrap_or_else(|| panic!("{answer:?}"));
    let total = line("Altogether").unwrap_or_else(|| panic!("{answer:?}"));
    format!("{}+{} {} {} {}", read[1], read[2], read[0], read[3], total[0])
}

#[test]
fn the_table_of_odd_files_is_what_knuths_programs_say() {
    for (column, name) in ["dlx2", "dlx3", "dlx5"].into_iter().enumerate() {
        let Some(program) = reference::find(name) else { continue };
        for row in table("dlx/knuth.tsv") {
            let answer = reference::run(&program, &[], &slurp(&fixture(format!("dlx/{}", row[0]))));
            let mut reading = reading(&answer);
            if let (true, Some((size, _))) = (name == "dlx5", reading.rsplit_once(' ')) {
                reading = size.to_owned();
            }
            assert_eq!(row[column + 1], reading, "{name} on {}", row[0]);
        }
    }
}

/// What `dlx2` reads we read, with the same number of everything and the same solutions. What it
/// refuses we may read: there are our extensions, bounds and costs.
#[test]
fn reads_whatever_dlx2_reads() {
    let Some(dlx2) = reference::find("dlx2") else { return };
    let models = random::models();
    let mut read = 0;
    for seed in 0..800 {
        let text = random::mutant(seed, &models);
        let shown = || format!("seed {seed}: {:?}", String::from_utf8_lossy(&text));
        let reading = reading(&reference::run(&dlx2, &[], &text));
        if reading == "refuses" {
            continue;
        }
        read += 1;
        let problem = match parse::read(&text[..]) {
            Ok(dlx) => dlx.problem,
            Err(error) => panic!("{error}, {}", shown()),
        };
        let options = problem.options();
        let ours = format!(
            "{}+{} {options} {} {}",
            problem.primary(),
            problem.secondary(),
            problem.entries() + options,
            solve(&problem, ()).stats.solutions
        );
        assert_eq!(ours, reading, "{}", shown());
    }
    assert!(read > 150, "dlx2 read only {read} inputs");
}
