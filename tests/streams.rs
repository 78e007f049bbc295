//! Streams of solutions, read back: whatever items are called, a reader finds what brute force finds; and a
//! stream that was cut is no shorter stream.

mod common;

use std::collections::{BTreeSet, HashMap};

use common::{random, solve};
use quadrille::ids::OptionId;
use quadrille::problem::Problem;
use quadrille::solution::Choice;
use quadrille::solutions::catalog::Catalog;
use quadrille::solutions::record::{Form, Record};
use quadrille::solutions::stream::{Stream, StreamError};
use quadrille::solutions::text::Text;
use quadrille::solutions::write;

/// Names that look like something else in a stream.
const NAMES: [&str; 16] = [
    "null", "(1", "of", "1)", "2)", "$3", "[2]", "(?)", "1", "00", "{", "$0", "(total", "cost",
    "(~3?2", "{}",
];

/// A problem whose items have such names, as text, with its solutions by brute force.
fn instance(seed: u64) -> (String, Vec<Vec<usize>>) {
    let mut random = fastrand::Rng::with_seed(9_000_000_000 + seed);
    let mut names: Vec<String> = NAMES.map(str::to_owned).to_vec();
    random.shuffle(&mut names);
    if random.bool() {
        let null = names.iter().position(|name| name == "null").expect("is there");
        names.swap(null, random.usize(..3));
    }
    let rename = |old: &mut Vec<String>| {
        let number = old.len();
        old.clone_from_slice(&names[..number]);
    };
    match seed % 4 {
        0 => {
            let mut plain = random::xcc(seed);
            rename(&mut plain.names);
            (plain.text(), plain.solutions_by_subsets())
        }
        1 => {
            let mut priced = random::priced(seed);
            rename(&mut priced.plain.names);
            let solutions = priced.plain.solutions_by_subsets();
            (priced.text(), solutions)
        }
        _ => {
            let mut bounded = random::mcc(seed);
            rename(&mut bounded.plain.names);
            // Many options of two items, and items that may be left out.
            for option in &mut bounded.plain.options {
                option.truncate(random.usize(1..=2).max(usize::from(option.len() < 2)));
            }
            for bound in &mut bounded.bounds {
                bound.0 = if random.bool() { 0 } else { bound.0 };
            }
            let solutions = bounded.solutions();
            (bounded.text(), solutions)
        }
    }
}

/// The solutions as a stream in a format.
fn write_stream(problem: &Problem, choices: &[Vec<Choice>], form: Form) -> Vec<u8> {
    let (mut out, mut numbers) = (Vec::new(), Vec::new());
    let mut text = Text::new(problem);
    for (n, choices) in (1..).zip(choices) {
        write::option_numbers(choices, None, &mut numbers);
        let cost = write::cost(problem, choices);
        match form {
            Form::Knuth => text.write(n, choices, &mut out),
            Form::Numbers => write::options(&numbers, cost, &mut out),
            _ => write::jsonl(n, &numbers, cost, &mut out),
        }
    }
    out
}

/// The options of each record, those of several alike by the first; and whether an error ended the stream.
fn read_stream(
    stream: &[u8],
    catalog: &Catalog<'_>,
    trusting: bool,
) -> (Vec<Vec<OptionId>>, Option<StreamError>) {
    let mut stream = Stream::new(stream, Some(catalog), None);
    if trusting {
        stream = stream.trusting();
    }
    let (mut record, mut all) = (Record::default(), Vec::new());
    loop {
        match stream.next_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return (all, None),
            Err(error) => return (all, Some(error)),
        }
        let mut options = Vec::new();
        if let Err(fault) = record.cover(&mut options) {
            return (all, Some(StreamError::Foreign(Box::new(fault))));
        }
        options.sort_unstable();
        all.push(options);
    }
}

/// The first of the options that are the same as each.
fn firsts(problem: &Problem) -> Vec<OptionId> {
    let mut first = HashMap::new();
    let entries = |option| {
        let mut entries: Vec<_> = problem.option(option).iter().collect();
        entries.sort_unstable();
        entries
    };
    problem.option_ids().map(|option| *first.entry(entries(option)).or_insert(option)).collect()
}

#[test]
fn names_do_not_matter() {
    let (mut read, mut nulls, mut empty) = (0, 0, 0);
    for seed in 0..4000 {
        let (text, expected) = instance(seed);
        let problem = common::problem(text.as_bytes());
        let found = solve(&problem, &mut ());
        assert_eq!(found.sorted(), expected, "seed {seed}\n{text}");
        let (catalog, firsts) = (Catalog::new(&problem), firsts(&problem));
        for form in [Form::Knuth, Form::Numbers, Form::Json] {
            let stream = write_stream(&problem, &found.choices, form);
            let by_entries = |option: usize| match form {
                Form::Knuth => firsts[option],
                _ => OptionId::new(option as u32),
            };
            let sets = found.sets().into_iter().map(|set| {
                let mut options: Vec<OptionId> = set.into_iter().map(by_entries).collect();
                options.sort_unstable();
                options
            });
            let sets: Vec<Vec<OptionId>> = sets.collect();
            for trusting in [false, true] {
                let (ours, error) = read_stream(&stream, &catalog, trusting);
                let shown = String::from_utf8_lossy(&stream);
                assert!(
                    error.is_none() && ours == sets,
                    "seed {seed}: {error:?}\n{text}\n{shown}\n{ours:?}"
                );
            }
            read += sets.len();
            empty += sets.iter().filter(|set| set.is_empty()).count();
        }
        let null = problem.find(b"null");
        let is_doubtful = |option| {
            let option = problem.option(option);
            option.len() == 2 && option.iter().any(|entry| Some(entry.item) == null)
        };
        nulls += usize::from(problem.has_bounds() && problem.option_ids().any(is_doubtful));
    }
    assert!(read > 10_000 && nulls > 400 && empty > 100, "{read} {nulls} {empty}");
}

/// What is read of a stream that was cut are solutions of the problem, and then an error, unless nothing shows
/// that it was cut.
#[test]
fn a_cut_is_noticed() {
    let (mut noticed, mut unnoticed) = (0, 0);
    for seed in 0..400 {
        let (text, expected) = instance(seed);
        let problem = common::problem(text.as_bytes());
        let choices = solve(&problem, &mut ()).choices;
        let (catalog, firsts) = (Catalog::new(&problem), firsts(&problem));
        for form in [Form::Knuth, Form::Numbers, Form::Json] {
            let right: BTreeSet<Vec<OptionId>> = (expected.iter())
                .map(|set| {
                    let first = |&option: &usize| match form {
                        Form::Knuth => firsts[option],
                        _ => OptionId::new(option as u32),
                    };
                    let mut options: Vec<OptionId> = set.iter().map(first).collect();
                    options.sort_unstable();
                    options
                })
                .collect();
            let stream = write_stream(&problem, &choices[..choices.len().min(4)], form);
            for end in 0..stream.len() {
                let part = &stream[..end];
                let ends = part.ends_with(b"\n") || part.is_empty();
                let begun = match form {
                    Form::Knuth => !stream[end].is_ascii_digit(),
                    _ => false,
                };
                let (read, error) = read_stream(part, &catalog, true);
                let shown = format!("seed {seed}\n{text}\n{}", String::from_utf8_lossy(part));
                let whole = read.iter().all(|set| right.contains(set));
                assert!(whole, "{shown}\n{read:?}");
                match error {
                    Some(StreamError::Syntax(fault)) => {
                        assert!(fault.what.contains("inside of a solution"), "{fault:?} {shown}");
                        noticed += 1;
                    }
                    Some(error) => panic!("{error:?} {shown}"),
                    None => unnoticed += usize::from(!ends || begun),
                }
                // Who verifies solutions says the same of a line that does not end.
                let (again, error) = read_stream(part, &catalog, false);
                if !ends {
                    assert!(
                        matches!(error, None | Some(StreamError::Syntax(_))),
                        "{error:?} {shown}"
                    );
                    assert!(again.iter().all(|set| right.contains(set)), "{shown}");
                }
            }
        }
    }
    // What follows the last option may be missing: a newline, a cost, a null choice.
    assert!(noticed > 5 * unnoticed, "{noticed} {unnoticed}");
}
