//! `--acyclic` in all commands that know constraints, on grids in which each edge is there or not.

use super::problems::*;
use super::run::Folder;

/// A grid of n x n vertices; the edges between them are free.
fn grid(n: usize) -> String {
    let places = |odd| {
        let all = (0..2 * n - 1).flat_map(move |r| (0..2 * n - 1).map(move |c| (r, c)));
        all.filter(move |(r, c)| r % 2 + c % 2 == odd).map(|(r, c)| format!("{r}{c}"))
    };
    let vertices: Vec<String> = places(0).collect();
    let edges: Vec<String> = places(1).collect();
    let choices: Vec<String> = edges.iter().map(|edge| format!("#{edge}")).collect();
    let mut text = format!("{} {} | {}\n", vertices.join(" "), choices.join(" "), edges.join(" "));
    vertices.iter().for_each(|vertex| text += &format!("{vertex}\n"));
    edges.iter().for_each(|edge| text += &format!("#{edge} {edge}:0\n#{edge} {edge}:1\n"));
    text
}

/// A square with three edges; with the fourth one there would be a cycle.
const SQUARE: &str = "\
00 02 20 22 a b c d | 01 10 12 21
00
02
20
22
a 01:1
b 10:1
c 12:1
d 21:1
d 21:0
";

// A grid of 3 x 3 vertices has 3102 forests (OEIS A080691), among 4096 sets of edges.

#[test]
fn all_engines_count_the_forests() {
    for flags in
        ["", "--engine links", "--engine learn", "--engine memo", "--no-prune", "--threads 2"]
    {
        solve(&format!("--acyclic --count {flags}"), &grid(3)).exits(0).prints("3102\n");
        solve(&format!("--acyclic --loop --count {flags}"), &grid(3)).exits(1).prints("0\n");
    }
    solve("--acyclic --engine bits", &grid(3)).refuses("--engine bits knows exact covers only");
}

/// On a slitherlink edges come to no end, so they have a cycle unless there is none.
#[test]
fn a_slitherlink_without_cycle_is_empty() {
    for flags in ["", "--engine links", "--engine learn", "--engine memo", "--no-prune"] {
        let count = |board: &str| solve(&format!("--acyclic --count {flags}"), &slitherlink(board));
        count("...\n...\n...\n").exits(0).prints("1\n");
        count("...\n.0.\n...\n").exits(0).prints("1\n");
        count("...\n.1.\n...\n").exits(1).prints("0\n");
    }
}

#[test]
fn what_passes_is_what_is_found() {
    let folder = Folder::new();
    folder.file("grid.dlx", grid(3));
    let found = folder.quadrille("solve --acyclic --engine links grid.dlx").exits(0).stdout;
    let covers = folder.quadrille("solve grid.dlx").exits(0).stdout;
    let ran = folder.feed("filter --acyclic --problem grid.dlx", covers.clone()).exits(0);
    assert_eq!(ran.stderr, "3102 of 4096 solutions pass\n");
    assert_eq!(ran.stdout, found);
    let verdict = "solutions 3102: all are covers, the edges form no cycle, none comes twice\n";
    folder.feed("check grid.dlx --acyclic --solutions -", found.clone()).exits(0).prints(verdict);
    let ran = folder.feed("check grid.dlx --acyclic --solutions -", covers).exits(1);
    ran.says("the edges of color `1` form a cycle through `");
    for threads in ["2", "3"] {
        let flags = format!("solve --acyclic --engine links --threads {threads} grid.dlx");
        folder.quadrille(&flags).exits(0).prints(&found);
    }
}

#[test]
fn parts_and_stopped_searches_add_up() {
    let folder = Folder::new();
    folder.file("grid.dlx", grid(3));
    let found = folder.quadrille("solve --acyclic --engine links grid.dlx").exits(0).stdout;
    folder.quadrille("split grid.dlx --acyclic --parts 3 --output plan").exits(0);
    for part in 1..=3 {
        let part = format!("--part {part}/3 --plan plan --output plan/{part}.out");
        folder.quadrille(&format!("solve --acyclic grid.dlx {part}")).exits(0);
    }
    folder.quadrille("merge plan").exits(0).prints(&found);
    let other = "solve grid.dlx --part 1/3 --plan plan --output plan/other.out";
    folder
        .quadrille(other)
        .refuses("a plan of a search with --acyclic; this one is without --acyclic");
    folder.quadrille("split grid.dlx --acyclic --parts 3 --copy --output files").exits(0);
    let count = |part: usize| -> usize {
        let ran = folder.quadrille(&format!("solve --acyclic --count files/part-{part}.dlx"));
        ran.stdout.trim().parse().expect("a number")
    };
    assert_eq!((1..=3).map(count).sum::<usize>(), 3102);
    let search = "solve --acyclic --output out grid.dlx";
    folder.quadrille(&format!("{search} --checkpoint ck --node-limit 2000")).exits(3);
    folder.quadrille(&format!("{search} --resume ck")).exits(0);
    assert_eq!(folder.text("out"), found);
}

#[test]
fn a_proof_says_which_edges_are_a_circuit() {
    let folder = Folder::new();
    folder.file("square.dlx", SQUARE);
    folder.quadrille("solve --acyclic --unique --proof p square.dlx").exits(0).says("proof: p");
    let lemmas = folder.text("p/lemmas.txt");
    assert!(lemmas.contains("c rules --acyclic\n"), "{lemmas}");
    let circuit = lemmas.lines().find_map(|line| line.split_once(" 0 circuit "));
    let mut edges: Vec<&str> = circuit.expect("a lemma").1.split(' ').collect();
    edges.sort_unstable();
    assert_eq!(edges, ["01", "10", "12", "21"]);
    let ran = folder.quadrille("check square.dlx --acyclic --proof p").exits(0);
    assert!(ran.stdout.contains("there is exactly one solution"), "{}", ran.stdout);
    folder
        .quadrille("check square.dlx --loop --proof p")
        .exits(1)
        .says("`--acyclic`, not for `--loop`");
    for (right, wrong, why) in [
        ("circuit 10 01", "circuit 10", "the path ends at edge"),
        (" circuit ", " cycle ", "a lemma about loops, but there is no rule --loop"),
        ("-13 0 circuit", "0 circuit", "the clause is not what the lemma says"),
    ] {
        assert!(lemmas.contains(right), "{lemmas}");
        folder.file("p/lemmas.txt", lemmas.replace(right, wrong));
        folder.quadrille("check square.dlx --acyclic --proof p").exits(1).says(why);
    }
}

#[test]
fn facts_estimates_and_reductions_know_it() {
    let facts = solve("--acyclic --facts", SQUARE).exits(0).stdout;
    assert_eq!(facts, "01:1\n10:1\n12:1\n21:0\n");
    let folder = Folder::new();
    folder.file("grid.dlx", grid(3));
    let estimate = folder.quadrille("estimate --acyclic grid.dlx").exits(0).stdout;
    assert!(estimate.contains("solutions  3102 (exact)"), "{estimate}");
    let reduced = folder.quadrille("reduce grid.dlx").exits(0).stdout;
    folder.feed("solve --acyclic --count", reduced).exits(0).prints("3102\n");
    // What is colored is kept, although no two options clash there.
    let reduced = folder.feed("reduce", SQUARE).exits(0).stdout;
    solve("--acyclic --count", &reduced).exits(0).prints("1\n");
    assert!(reduced.contains("a 01:1"), "{reduced}");
}

#[test]
fn names_have_to_carry_it() {
    for flags in ["--acyclic", "--acyclic --count"] {
        let ran = solve(flags, FIRST_EXAMPLE).exits(0);
        ran.says("<stdin>:1:1: warning: no option colors an item that has the name of an edge, so there is no cycle");
    }
    let text = "00 01 02\n00 01\n02\n";
    solve("--acyclic", text).refuses("<stdin>:1:4: error: edge item `01` isn't secondary");
    solve("--acyclic", text).refuses("--acyclic needs the names of docs/names.md");
    let text = "00 | 01\n00 01:1\n";
    solve("--acyclic", text).refuses("edge item `01` has no vertex `02`");
}
