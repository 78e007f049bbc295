//! Streams of solutions, read back: whatever items are called, a reader finds what brute force finds; and a
//! stream that was cut is no shorter stream.

mod common;

use std::collections::{BTreeSet, HashMap};
use std::io::{BufReader, Read};

use common::{random, solve};
use quadrille::ids::OptionId;
use quadrille::names::{Coord, Width};
use quadrille::problem::Problem;
use quadrille::solution::Choice;
use quadrille::solutions::catalog::Catalog;
use quadrille::solutions::format::{SolutionFormat, SolutionSource};
use quadrille::solutions::record::{Form, Record};
use quadrille::solutions::stream::{Stream, StreamError};
use quadrille::solutions::{names, numbers, text};

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
    let format: &SolutionFormat = match form {
        Form::Knuth => &text::KNUTH,
        Form::Numbers => &numbers::OPTIONS,
        _ => &names::NAMES,
    };
    let make = format.writer.expect("solutions come one by one");
    let mut writer = make(&SolutionSource { problem, original: None, graph: None });
    let mut out = Vec::new();
    for (n, choices) in (1..).zip(choices) {
        writer.write(n, choices, &mut out);
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

const TEXT: &[u8] = b"A B | X Y\nA X:0 Y\nB X:0\nA X:0 Y\nB Y:1\n";

/// The form, the number and the options of each record, from 1.
fn listed(stream: &[u8]) -> Vec<(Form, u64, Vec<usize>)> {
    let problem = common::problem(TEXT);
    let catalog = Catalog::new(&problem);
    let mut stream = Stream::new(stream, Some(&catalog), None);
    let (mut record, mut options, mut all) = (Record::default(), Vec::new(), Vec::new());
    while stream.next_record(&mut record).expect("a stream") {
        record.cover(&mut options).expect("options of the problem");
        let options = options.iter().map(|option| option.index() + 1).collect();
        all.push((record.form, record.number, options));
    }
    all
}

#[test]
fn an_option_is_known_by_its_entries_in_any_order() {
    let stream = b"7:\n Y A X:0 (1 of 2)\n B X:0\n8: (total cost $3)\n X:0 B (1 of 1) $3 [2]\n";
    let expected = vec![(Form::Knuth, 7, vec![1, 2]), (Form::Knuth, 8, vec![2])];
    assert_eq!(listed(stream), expected);
    let problem = common::problem(TEXT);
    let catalog = Catalog::new(&problem);
    assert_eq!((catalog.copies(OptionId::new(0)), catalog.copies(OptionId::new(1))), (2, 1));
}

#[test]
fn numbers_and_json_are_read() {
    let stream = b"3 2\n{\"v\":1,\"n\":9,\"options\":[1,2]}\n\
        {\"v\":1,\"complete\":true,\"solutions\":\"340282366920938463463374607431768211456\"}";
    let expected = vec![
        (Form::Numbers, 1, vec![3, 2]),
        (Form::Json, 9, vec![1, 2]),
        (Form::JsonEnd, u64::MAX, vec![]),
    ];
    assert_eq!(listed(stream), expected);
}

/// Gives a text, and panics if more is wanted.
struct Impatient<'a>(&'a [u8]);

impl Read for Impatient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        assert!(!self.0.is_empty(), "nobody has to wait for the next solution");
        self.0.read(buffer)
    }
}

#[test]
fn a_solution_comes_as_soon_as_it_is_a_cover() {
    let problem = common::problem(b"11 13 31\n11 13\n31\n11\n13 31\n");
    let catalog = Catalog::new(&problem);
    let (width, mut record) = (Width::new(1), Record::default());
    let bytes = BufReader::new(Impatient(b"1:\n 13 11 (1 of 2)\n 31 (1 of 1)\n"));
    let mut stream = Stream::new(bytes, Some(&catalog), width).trusting();
    assert!(stream.next_record(&mut record).expect("a solution"));
    let places = record.places(&problem, Width::new(1).expect("a width"));
    assert_eq!((record.number, places.len()), (1, 2));
    assert_eq!(places[0], [Coord::new(1, 3), Coord::new(1, 1)]);
    // What comes after a cover is no part of it.
    let stream = &b"1:\n 11 13\n 31\n 13 31\n"[..];
    let mut stream = Stream::new(stream, Some(&catalog), width).trusting();
    assert!(stream.next_record(&mut record).expect("a solution"));
    assert!(matches!(stream.next_record(&mut record), Err(StreamError::Syntax(_))));
    // Bounds do not say when it is enough.
    let problem = common::problem(b"1:2|11\n11\n11\n");
    let catalog = Catalog::new(&problem);
    let stream = &b"1:\n 11\n 11\n2:\n 11\n"[..];
    let mut stream = Stream::new(stream, Some(&catalog), width).trusting();
    let mut options =
        || stream.next_record(&mut record).expect("a stream").then_some(record.options.len());
    assert_eq!((options(), options(), options()), (Some(2), Some(1), None));
}

/// Whoever watches a solution come in cannot tell that it has two readings; a search with a seed may print
/// the words that one without prints for another cover.
#[test]
fn what_the_words_leave_open_is_decided_or_refused() {
    let problem = common::problem(b"null 0:1|a 0:1|b\nnull a\nnull b\n");
    let catalog = Catalog::new(&problem);
    let read = |stream: &str| match read_stream(stream.as_bytes(), &catalog, false) {
        (sets, None) => Some(sets.concat().into_iter().map(|option| option.index() + 1).collect()),
        (_, Some(_)) => None::<Vec<usize>>,
    };
    // As Algorithm M prints them.
    assert_eq!(read("1:\n null a (1 of 2)\n null b (1 of 1)\n"), Some(vec![1]));
    assert_eq!(read("1:\n null b (2 of 2)\n null a (1 of 1)\n"), Some(vec![2]));
    // As nobody does.
    assert_eq!(read("1:\n null b (2 of 3)\n null a (1 of 1)\n"), None);
    assert_eq!(read("1:\n null a (1 of 2)\n"), Some(vec![1]));
}
