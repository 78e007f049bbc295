//! The library as others use it: names at the root alone. Expected answers are those of brute force.

mod common;

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::random;
use quadrille::constraint::{Moves, Propagator, SingleLoop, Verdict};
use quadrille::facts::{Presence, Subject};
use quadrille::{
    BigUint, Board, Color, EngineName, ItemId, Problem, Query, QueryError, Solution, Uniqueness,
};

/// Options of a solution as places among those that have a primary item.
fn places(solution: &Solution<'_>) -> Vec<usize> {
    solution.options().iter().map(|option| option.index()).collect()
}

#[test]
fn queries_answer_as_brute_force_does() {
    for seed in 0..500 {
        let plain = random::xcc(seed);
        let expected = plain.solutions_by_subsets();
        let problem = Problem::parse(plain.text()).unwrap();
        let query = || Query::new(&problem);
        let mut found: Vec<_> = query().solutions().map(|one| places(&one.unwrap())).collect();
        found.sort();
        assert_eq!(found, expected, "seed {seed}");
        assert_eq!(query().count().unwrap(), BigUint::from(expected.len()), "seed {seed}");
        for most in 0..4 {
            let count = query().limit(most).count().unwrap();
            assert_eq!(count, most.min(expected.len() as u64).into(), "seed {seed}");
            let some = query().limit(most).solutions().count();
            assert_eq!(some, expected.len().min(most as usize), "seed {seed}");
        }
        let first = query().first().unwrap();
        assert_eq!(first.is_some(), !expected.is_empty(), "seed {seed}");
        match query().unique().unwrap() {
            Uniqueness::None => assert!(expected.is_empty(), "seed {seed}"),
            Uniqueness::One(one) => assert_eq!([places(&one)], expected[..], "seed {seed}"),
            Uniqueness::Several(one, other) => {
                assert_ne!(places(&one), places(&other), "seed {seed}");
                let known = [one, other].iter().all(|one| expected.contains(&places(one)));
                assert!(known, "seed {seed}");
            }
        }
        let facts = query().facts(Subject::Options).unwrap();
        for (option, presence) in facts.options.iter().enumerate().filter(|_| facts.models > 0) {
            let uses = expected.iter().filter(|set| set.contains(&option)).count();
            let right = match presence {
                Presence::All => uses == expected.len(),
                Presence::Some => 0 < uses && uses < expected.len(),
                Presence::None => uses == 0,
                Presence::Unknown => false,
            };
            assert!(right, "seed {seed}, option {option}");
        }
    }
}

#[test]
fn a_count_may_have_any_size() {
    let names: Vec<String> = (0..200).map(|number| format!("i{number}")).collect();
    let mut builder = Problem::builder();
    for name in &names {
        builder.primary(name).unwrap();
    }
    for name in names.iter().chain(&names) {
        builder.option([name]).unwrap();
    }
    let problem = builder.build().unwrap();
    assert_eq!(Query::new(&problem).count().unwrap(), BigUint::from(2u32).pow(200));
}

#[test]
fn a_solution_has_names() {
    let problem = Problem::parse("A B | x y\nA x:red |3\nB x:red y |4\n").unwrap();
    let solution = Query::new(&problem).first().unwrap().unwrap();
    assert_eq!(solution.to_string(), "A x:red\nB x:red y");
    assert_eq!((solution.numbers(), solution.cost()), (vec![1, 2], 7));
    assert_eq!(solution.color("x").as_deref(), Some("red"));
    assert_eq!((solution.color("y"), solution.color("A"), solution.color("z")), (None, None, None));
    let last = solution.items().last().unwrap();
    assert_eq!(last[1], ("x".into(), Some("red".into())));
    let mut cheapest = Query::new(&problem).cheapest(5).unwrap();
    assert_eq!(cheapest.pop().map(|one| one.numbers()), Some(vec![1, 2]));
}

/// A condition on the number of items that have a color, by three ways to enforce it.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// At most so many: refused as soon as there are more.
    AtMost,
    /// The same: when there are as many, all others are forbidden.
    Forbidding,
    /// Not this many: known at the end alone.
    Other,
}

struct Colored {
    way: Way,
    color: Option<Color>,
    number: usize,
    /// Items that each level colored.
    levels: Vec<Vec<ItemId>>,
    secondary: Vec<ItemId>,
}

impl Colored {
    fn new(problem: &Problem, way: Way, number: usize) -> Self {
        let secondary =
            problem.names().map(|(item, _)| item).filter(|&item| !problem.is_primary(item));
        let color = problem.find_color(b"1");
        Colored { way, color, number, levels: vec![vec![]], secondary: secondary.collect() }
    }

    fn now(&self) -> usize {
        self.levels.iter().map(Vec::len).sum()
    }
}

impl Propagator for Colored {
    fn mark(&mut self) {
        self.levels.push(Vec::new());
    }

    fn backtrack(&mut self, level: usize) {
        self.levels.truncate(level + 1);
    }

    fn fixed(&mut self, item: ItemId, color: Color) -> Verdict {
        if Some(color) == self.color {
            self.levels.last_mut().unwrap().push(item);
        }
        Verdict::when(matches!(self.way, Way::Other) || self.now() <= self.number)
    }

    fn settle(&mut self, moves: &mut dyn Moves) -> Verdict {
        if let (Way::Forbidding, Some(color), true) =
            (self.way, self.color, self.now() == self.number)
        {
            // Items that are fixed are among them; then this does nothing.
            for &item in &self.secondary {
                moves.forbid(item, color, &|_| ());
            }
        }
        Verdict::Fine
    }

    fn forbids(&self) -> bool {
        matches!(self.way, Way::Forbidding)
    }

    fn complete(&mut self) -> Verdict {
        Verdict::when(!matches!(self.way, Way::Other) || self.now() != self.number)
    }
}

#[test]
fn a_propagator_of_ones_own_needs_no_reasons() {
    let mut refused = 0;
    for seed in 0..1000 {
        let plain = random::xcc(seed);
        let problem = Problem::parse(plain.text()).unwrap();
        let all = plain.solutions_by_subsets();
        for (way, number) in
            [(Way::AtMost, 1), (Way::Forbidding, 1), (Way::Other, 0), (Way::Other, 2)]
        {
            let holds = |set: &&Vec<usize>| {
                let colors: BTreeMap<usize, Option<char>> = plain.colors(set);
                let ones = colors.values().filter(|&&color| color == Some('1')).count();
                if matches!(way, Way::Other) { ones != number } else { ones <= number }
            };
            let expected: Vec<&Vec<usize>> = all.iter().filter(holds).collect();
            refused += all.len() - expected.len();
            let query = || {
                Query::new(&problem).with_propagator(move |file| Colored::new(file, way, number))
            };
            for engine in [EngineName::Auto, EngineName::Links, EngineName::Learn] {
                let found = query().by(engine).solutions();
                let mut found: Vec<_> = found.map(|one| places(&one.unwrap())).collect();
                found.sort();
                let shown =
                    || format!("seed {seed}, {engine:?}, {way:?} {number}\n{}", plain.text());
                assert!(found.iter().eq(expected.iter().copied()), "{}", shown());
                let count = query().by(engine).count().unwrap();
                assert_eq!(count, expected.len().into(), "{}", shown());
            }
            let facts = query().facts(Subject::Covers).unwrap();
            assert_eq!(facts.models > 0, !expected.is_empty(), "seed {seed}");
            assert_eq!(facts.differ, expected.len() > 1, "seed {seed}");
        }
    }
    assert!(refused > 500, "{refused} solutions were refused");
}

/// Loops on so many cells a side.
fn blank(side: usize) -> Board {
    Board::read("slitherlink", format!("{}\n", ".".repeat(side)).repeat(side)).unwrap()
}

#[test]
fn a_search_can_be_cancelled_from_another_thread() {
    type Ask = fn(Query<'_>) -> Option<QueryError>;
    let asks: [(&str, Ask); 5] = [
        ("solutions", |query| query.solutions().find_map(Result::err)),
        ("count", |query| query.by(EngineName::Links).count().err()),
        ("memo", |query| query.by(EngineName::Memo).count().err()),
        ("cheapest", |query| query.cheapest(1 << 40).err()),
        ("facts", |query| query.facts(Subject::Options).err()),
    ];
    // More loops than any engine visits, and more states than a memo counts in the time.
    let board = blank(24);
    for (name, ask) in asks {
        let flag = Arc::new(AtomicBool::new(false));
        let query = Query::new(board.problem()).with(SingleLoop).cancelled_by(Arc::clone(&flag));
        let error = std::thread::scope(|scope| {
            let asking = scope.spawn(|| ask(query));
            std::thread::sleep(Duration::from_millis(50));
            flag.store(true, Ordering::Relaxed);
            asking.join().unwrap()
        });
        assert!(matches!(error, Some(QueryError::Cancelled)), "{name}: {error:?}");
    }
}

#[test]
fn what_cannot_be_answered_is_an_error() {
    let board = blank(6);
    let query = || Query::new(board.problem()).by(EngineName::Links).nodes(100);
    assert!(matches!(query().count(), Err(QueryError::NodeLimit)));
    let last = query().solutions().last().unwrap();
    assert!(matches!(last, Err(QueryError::NodeLimit)));
    let problem = Problem::parse("A | 01\nA 01:1\n").unwrap();
    let mut refused = Query::new(&problem).with(SingleLoop).solutions();
    assert!(matches!(refused.next(), Some(Err(QueryError::Unbound(_)))));
    assert!(refused.next().is_none());
    let clash = Query::new(board.problem()).with(SingleLoop).by(EngineName::Bits).count();
    assert!(matches!(clash, Err(QueryError::Clash(_))));
    let wrong = Problem::parse("A B\nA C\n").unwrap_err();
    assert_eq!(
        (wrong.place(), wrong.to_string()),
        (Some((2, 3)), "2:3: unknown item name `C`".into())
    );
}

#[test]
fn boards_are_read_solved_and_drawn() {
    let unknown = Board::read("slitherlnk", "3\n").unwrap_err();
    assert!(unknown.to_string().contains("did you mean `slitherlink`?"), "{unknown}");
    let wrong = Board::read("slitherlink", "3\nx\n").unwrap_err();
    assert_eq!(wrong.place(), Some((2, 1)), "{wrong}");
    // All four cells inside: the one loop that has two edges at each.
    let board = Board::read("slither", "22\n22\n").unwrap();
    let Uniqueness::One(solution) = board.query().unique().unwrap() else { panic!("one loop") };
    assert!(board.text(Some(&solution)).contains('┌') && !board.text(None).contains('┌'));
    assert!(board.svg(Some(&solution)).len() > board.svg(None).len());
    let again = Problem::parse(board.dlx()).unwrap();
    assert_eq!(Query::new(&again).with(SingleLoop).count().unwrap(), 1u32.into());
    let address = Board::detect("https://puzz.link/p?slither/2/2/2a2").unwrap();
    assert_eq!(address.kind(), "slitherlink");
    assert!(Board::kinds().any(|(name, _)| name == "masyu"));
}

/// Runs an example as its first comment says.
fn example(name: &str, arguments: &[&str]) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--locked", "--example", name, "--"]).args(arguments);
    let ran = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo can be run");
    assert!(ran.status.success(), "{name}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("examples write text")
}

#[test]
fn examples_do_what_they_say() {
    let solved = "1:\nA x:red\nB x:red\nC\n2:\nA x:red\nB x:red\nC x:red\n";
    assert_eq!(example("solve", &[]), solved);
    // OEIS A140517 has the loops.
    assert!(example("count", &[]).ends_with("\n603841648931 loops\n"));
    // Of the 2^16 sets of cells, 711 have a border that is one cycle of at most 12 edges.
    assert_eq!(example("own_constraint", &[]), "711 loops have at most 12 edges\n");
    assert!(example("svg", &["slitherlink", "22\n22\n"]).trim_end().ends_with("</svg>"));
    let queens = Problem::parse(example("generator", &["8"])).unwrap();
    assert_eq!(Query::new(&queens).count().unwrap(), 92u32.into());
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).unwrap() {
        let path = file.unwrap().path();
        // That one is a program of its own.
        if path.ends_with("check_certificate.rs") {
            continue;
        }
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 30, "{} has {lines} lines", path.display());
    }
}
