//! `solve --proof` and `check --proof`: what is proved is accepted, and each way to tamper with a proof
//! has its message.

use super::problems::*;
use super::run::{Folder, Ran, command, finish, fixture};

/// A folder with `board.dlx`, its solution in `found`, and a proof in `proof`.
#[track_caller]
fn proved(dlx: &str, rules: &str) -> Folder {
    let folder = Folder::new();
    folder.file("board.dlx", dlx);
    let solve = format!("solve --unique {rules} board.dlx --proof proof --output found");
    let ran = folder.quadrille(&solve);
    assert!(matches!(ran.status, 0 | 1), "{ran:#?}");
    assert!(ran.stderr.contains("proof: proof"), "{ran:#?}");
    folder
}

/// The board of 10 x 10 cells from Simon Tatham's collection, which has one solution.
fn loops() -> Folder {
    let board = generate("slitherlink", &fixture("slitherlink/sgt-loopy-10x10-h-1.txt"));
    proved(&board, "--loop")
}

/// The board of 8 x 9 cells from Simon Tatham's collection, which has one solution.
fn cells() -> Folder {
    let board = generate("hitori", &fixture("hitori/sgt-singles-8x9-k-1.txt"));
    proved(&board, "--connected=0")
}

#[test]
fn a_proof_is_accepted_with_all_that_was_looked_at() {
    for (folder, rules) in [(loops(), "--loop"), (cells(), "--connected=0")] {
        let ran = folder.quadrille(&format!("check board.dlx {rules} --proof proof")).exits(0);
        let lines: Vec<&str> = ran.lines();
        let starts = ["clauses ", "blocked ", "lemmas ", "derivation ", "public ", "proved "];
        assert!(
            lines.len() == 6 && lines.iter().zip(starts).all(|(l, s)| l.starts_with(s)),
            "{ran:#?}"
        );
        assert!(lines[5].ends_with("there is exactly one solution"), "{ran:#?}");
        let with = format!("check board.dlx {rules} --proof proof --solutions found");
        let ran = folder.quadrille(&with).exits(0).silently();
        assert!(ran.lines()[1].contains("the one that was given"), "{ran:#?}");
        assert_eq!(folder.names(), ["board.dlx", "found", "proof"]);
    }
}

/// A public checker, if there is one, agrees; on a sample.
#[test]
fn a_public_checker_verifies_the_derivation() {
    let found = ["drat-trim", "rate"].map(super::common::reference::find_public);
    if found.iter().all(Option::is_none) {
        return;
    }
    let boards = [
        ("slitherlink", "slitherlink/sgt-loopy-7x7-t-1.txt", "--loop"),
        ("slitherlink", "slitherlink/sgt-loopy-12x17-e-1.txt", "--loop"),
        ("slitherlink", "slitherlink/deg-slither-one-4.txt", "--loop"),
        ("masyu", "masyu/sgt-pearl-10x10-t-1.txt", "--loop"),
        ("hitori", "hitori/sgt-singles-12x17-k-1.txt", "--connected=0"),
        ("hitori", "hitori/deg-hitori-all-same-3x3.txt", "--connected=0"),
    ];
    for (kind, file, rules) in boards {
        let folder = proved(&generate(kind, &fixture(file)), rules);
        let ran = folder.quadrille(&format!("check board.dlx {rules} --proof proof")).exits(0);
        let public = ran.lines()[4];
        assert!(public.contains("verified") || public.contains("is empty"), "{file}: {ran:#?}");
    }
    let folder = proved(FIRST_EXAMPLE, "");
    let ran = folder.quadrille("check board.dlx --proof proof").exits(0);
    assert!(ran.lines()[4].contains("verified"), "{ran:#?}");
}

#[test]
fn without_a_solution_that_is_proved() {
    for (text, rules) in [
        (NONE, ""),
        // Nothing can be covered, no edge can be present, two pigeons go into one hole.
        ("A\n", ""),
        ("00 02 | 01\n00 01:0\n02 01:0\n", "--loop"),
        ("a b | x\na x:1\nb x:2\n", ""),
        ("a b | x\na x\nb x\n", ""),
    ] {
        let folder = proved(text, rules);
        let ran = folder.quadrille(&format!("check board.dlx {rules} --proof proof")).exits(0);
        assert!(ran.stdout.ends_with("proved      there is no solution\n"), "{text}: {ran:#?}");
        let solve = format!("solve {rules} board.dlx --proof again");
        folder.quadrille(&solve).exits(1).prints("").says("proof: again");
    }
}

#[test]
fn rules_go_together() {
    // Two cells side by side, both of color 1, and the loop around them.
    let text = "00 02 04 20 22 24 a | 01 03 10 12 14 21 23 11 13\n\
                00 01:1 10:1\n02 01:1 03:1 12:0\n02 01:0 03:0 12:0\n04 03:1 14:1\n20 10:1 21:1\n\
                22 21:1 23:1 12:0\n24 14:1 23:1\na 11:1 13:1\na 11:1 13:2\n";
    let rules = "--loop --connected --connected=2 --connected=2";
    let folder = Folder::new();
    folder.file("board.dlx", text);
    let solve = format!("solve --unique {rules} board.dlx --proof proof");
    folder.quadrille(&solve).exits(4).says("no proof is written to proof: there is more than one");
    assert_eq!(folder.names(), ["board.dlx"]);
    // The option with color 2 clashes with the only one of `00`.
    let folder = proved(&text.replace("13:2\n", "13:2 01:0\n"), rules);
    folder.quadrille(&format!("check board.dlx {rules} --proof proof")).exits(0).silently();
    folder.quadrille("check board.dlx --loop --connected=2 --connected --proof proof").exits(0);
    let ran = folder.quadrille("check board.dlx --loop --proof proof").exits(1);
    ran.says(
        "this is a proof for the rules `--loop --connected=1 --connected=2`, not for `--loop`",
    );
}

#[test]
fn several_solutions_leave_nothing_behind() {
    let folder = Folder::new();
    folder.file("two.dlx", TWO);
    let ran = folder.quadrille("solve --unique two.dlx --proof proof").exits(4);
    ran.says("no proof is written to proof: there is more than one solution");
    folder.quadrille("solve two.dlx --count --proof proof").exits(0).prints("2\n").says("no proof");
    folder.file("first.dlx", FIRST_EXAMPLE);
    let ran = folder.quadrille("solve --first first.dlx --proof proof").exits(0);
    ran.says("no proof is written to proof: nobody looked for another solution");
    let ran = folder.quadrille("solve --unique first.dlx --proof proof --node-limit 0").exits(3);
    ran.says("no proof is written to proof: the search was stopped");
    folder.file("barren.dlx", barren(0, 30));
    let limit = "solve --unique barren.dlx --proof proof --time-limit 300ms";
    folder.quadrille(limit).exits(3).says("no proof is written");
    assert_eq!(folder.names(), ["barren.dlx", "first.dlx", "two.dlx"]);
    // What was there stays.
    folder.quadrille("solve --unique first.dlx --proof proof").exits(0).prints(FIRST_SOLUTION);
    let before = folder.text("proof/proof.cnf");
    folder.quadrille("solve --unique two.dlx --proof proof").exits(4);
    assert_eq!(folder.text("proof/proof.cnf"), before);
    folder.quadrille("check first.dlx --proof proof").exits(0);
    // It takes one thread, whatever is offered, and a limit that is large enough does not matter.
    folder.quadrille("solve first.dlx --threads 2 --proof proof --limit 2").exits(0);
    folder.quadrille("check first.dlx --proof proof").exits(0);
    // A new proof replaces the old one.
    folder.file("none.dlx", NONE);
    folder.quadrille("solve --unique none.dlx --proof proof").exits(1);
    folder.quadrille("check none.dlx --proof proof").exits(0);
    let mut names: Vec<String> = std::fs::read_dir(folder.path("proof"))
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["lemmas.txt", "proof.cnf", "proof.drat"]);
}

#[test]
fn what_cannot_be_proved_is_refused() {
    let folder = Folder::new();
    folder.file("first.dlx", FIRST_EXAMPLE);
    folder.file("bounds.dlx", "1:2|A B\nA\nB\n");
    folder.file("costs.dlx", "A B\nA |3\nB\n");
    folder.file("taken", "");
    for (flags, what) in [
        ("first.dlx --engine links", "--proof needs the engine learn"),
        ("first.dlx --engine bits", "--proof needs the engine learn"),
        ("first.dlx --no-prune", "--proof needs pruning"),
        ("first.dlx --checkpoint kept", "no --checkpoint, --resume or --part"),
        ("first.dlx --seed 3", "cannot be used with"),
        ("bounds.dlx", "no proofs about bounds or costs"),
        ("costs.dlx", "no proofs about bounds or costs"),
    ] {
        folder.quadrille(&format!("solve --unique {flags} --proof proof")).refuses(what);
    }
    folder.quadrille("solve first.dlx --facts --proof proof").refuses("cannot be used with");
    folder.quadrille("solve first.dlx --part 1/2 --proof proof").refuses("no --checkpoint,");
    folder.quadrille("solve --unique first.dlx --proof no/proof").refuses("no/proof: error: ");
    folder.quadrille("solve --unique first.dlx --proof taken").refuses("taken: error: ");
    folder.quadrille("check bounds.dlx --proof proof").refuses("no proofs about bounds or costs");
    folder.quadrille("check first.dlx --proof proof").refuses("proof.cnf: error: ");
    assert_eq!(folder.names(), ["bounds.dlx", "costs.dlx", "first.dlx", "taken"]);
}

/// Whoever waited for a search for an hour does not want to hear then that there is no place for its proof.
#[test]
fn a_place_that_cannot_hold_a_proof_is_refused_before_the_search() {
    let folder = Folder::new();
    folder.file("first.dlx", FIRST_EXAMPLE);
    std::fs::create_dir_all(folder.path("there/lemmas.txt")).expect("folders");
    let solve = "solve --unique first.dlx --output out --proof";
    folder.quadrille(&format!("{solve} there")).refuses("there/lemmas.txt: error: ");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", folder.path("link")).expect("a link");
        folder.quadrille(&format!("{solve} link")).refuses("link: error: ");
        std::fs::remove_file(folder.path("link")).expect("the link");
        // A link to a folder is as good as the folder.
        std::os::unix::fs::symlink("real", folder.path("link")).expect("a link");
        std::fs::create_dir(folder.path("real")).expect("a folder");
        folder.quadrille(&format!("{solve} link")).exits(0);
        folder.quadrille("check first.dlx --proof real").exits(0);
        for gone in ["link", "out"] {
            std::fs::remove_file(folder.path(gone)).expect("a file");
        }
        std::fs::remove_dir_all(folder.path("real")).expect("a folder");
    }
    assert_eq!(folder.names(), ["first.dlx", "there"]);
    assert_eq!(std::fs::read_dir(folder.path("there")).expect("a folder").count(), 1);
}

/// A proof with one file changed.
struct Tampering {
    folder: Folder,
    rules: &'static str,
}

impl Tampering {
    #[track_caller]
    fn check(&self, file: &str, change: impl FnOnce(&str) -> String) -> Ran {
        let name = format!("proof/{file}");
        let before = self.folder.text(&name);
        let after = change(&before);
        assert_ne!(before, after, "nothing was changed");
        self.folder.file(&name, after);
        let ran = self.folder.quadrille(&format!("check board.dlx {} --proof proof", self.rules));
        self.folder.file(&name, before);
        assert_eq!(ran.stdout, "", "{ran:#?}");
        ran
    }

    /// With the first lemma replaced.
    #[track_caller]
    fn lemma(&self, lemma: &str) -> Ran {
        self.check("lemmas.txt", |text| replace_line(text, |line| !line.starts_with("c "), lemma))
    }
}

/// The first line that fits, replaced.
fn replace_line(text: &str, mut fits: impl FnMut(&str) -> bool, new: &str) -> String {
    let mut done = false;
    let lines = text.split_inclusive('\n').map(|line| match !done && fits(line) {
        true => {
            done = true;
            if new.is_empty() { String::new() } else { format!("{new}\n") }
        }
        false => line.to_owned(),
    });
    lines.collect()
}

fn without_last_line(text: &str) -> String {
    let end = text.trim_end().rfind('\n').expect("several lines");
    text[..=end].to_owned()
}

#[test]
fn clauses_that_are_not_those_of_the_problem_are_refused() {
    let tamper = Tampering { folder: loops(), rules: "--loop" };
    let cnf = |change: &dyn Fn(&str) -> String| tamper.check("proof.cnf", change).exits(1);
    let binary = |line: &str| line.starts_with('-') && line.split(' ').count() == 3;
    cnf(&|text| replace_line(text, binary, "1 -2 0"))
        .says("stands where the problem says `-1 -2 0`");
    cnf(&|text| replace_line(text, binary, ""))
        .says("a clause of the problem is missing here: `-1 ");
    cnf(&|text| text.to_owned() + "1 0\n").says("one clause too many: `1 0`");
    cnf(&without_last_line).says("the file is cut off: ");
    cnf(&|text| text[..text.len() / 2].to_owned()).says("error: ");
    cnf(&|text| text.trim_end().trim_end_matches(" 0").to_owned()).says("has no final 0");
    cnf(&|text| text.trim_end().to_owned() + " 1 0\n").says("more behind the final 0: `1 0`");
    cnf(&|text| without_last_line(text) + "-1 -2 0\n")
        .says("the last clause does not block the cover");
    cnf(&|text| text.replace("p cnf ", "p cnf 1")).says(" variables and ");
    cnf(&|text| replace_line(text, |line| line.starts_with("c cover"), ""))
        .says("no comment says which cover is blocked");
    cnf(&|text| replace_line(text, |line| line.starts_with("c problem"), ""))
        .says("no comments say about which problem and rules");
    cnf(&|text| text.replace("c quadrille 1", "c quadrille 2")).says("format `quadrille 1`");
    cnf(&|text| text.replace("c cover ", "c cover 99999 "))
        .says("the problem has no option `99999`");
    tamper
        .check("proof.cnf", |text| text.replacen("\n-", "\nx", 1))
        .exits(2)
        .says("expected a literal");
    tamper
        .check("proof.cnf", |text| text.replace("p cnf", "p dnf"))
        .exits(2)
        .says("expected `p cnf");
}

#[test]
fn a_cover_that_is_not_the_solution_is_refused() {
    // Options 1, 4 and 5 are the solution.
    let folder = proved(FIRST_EXAMPLE, "");
    let tamper = Tampering { folder, rules: "" };
    let other = |cover: &'static str, clause: &'static str| {
        tamper
            .check("proof.cnf", |text| {
                let text = text.replace("c cover 1 4 5", &format!("c cover {cover}"));
                without_last_line(&text) + clause + "\n"
            })
            .exits(1)
    };
    other("1 4", "-1 -4 0")
        .says("the blocked cover is no solution: primary item `B` is not covered");
    other("1 2 5", "-1 -2 -5 0").says("the blocked cover is no solution: primary item `G`");
    let given = |solution: &str| {
        tamper.folder.feed("check board.dlx --proof proof --solutions -", solution)
    };
    given(FIRST_SOLUTION).exits(0);
    given("1 4 5\n").exits(0);
    given("1 3 5\n").exits(1).says("this solution is not the one that the proof blocks");
    given("1 4 5\n1 4 5\n").exits(1).says("not the one");
    given("").exits(1).says("there is no solution here");
    let none = proved(NONE, "");
    none.feed("check board.dlx --proof proof --solutions -", "1\n")
        .exits(1)
        .says("a solution, and the proof is that there is none");
}

#[test]
fn the_proof_of_another_board_is_refused() {
    let folder = loops();
    let text = folder.text("board.dlx");
    // Comments do not matter; an option does.
    folder.file("same.dlx", format!("| another comment\n{text}"));
    folder.file("other.dlx", without_last_line(&text));
    folder.quadrille("check same.dlx --loop --proof proof").exits(0);
    let ran = folder.quadrille("check other.dlx --loop --proof proof").exits(1);
    ran.says("proof.cnf:2:1: error: this is a proof about another problem");
    let ran = folder.quadrille("check board.dlx --proof proof").exits(1);
    ran.says("this is a proof for the rules `--loop`, not for `none`");
    let other = cells();
    for file in ["lemmas.txt", "proof.drat"] {
        let name = format!("proof/{file}");
        let before = folder.text(&name);
        folder.file(&name, other.text(&name));
        folder.quadrille("check board.dlx --loop --proof proof").exits(1).says(file);
        folder.file(&name, before);
    }
}

#[test]
fn lemmas_about_loops_are_judged() {
    let tamper = Tampering { folder: loops(), rules: "--loop" };
    for (lemma, what) in [
        // Around cell 11, without its lower side.
        ("-1 0 cycle 45 01 10 12", "the path ends at edge `10`"),
        // Around two cells, with the edge between.
        ("-1 0 cycle 45 01 03 10 14 21 23 12", "more than two edges meet at `01`"),
        // Around cell 11 and around cell 55.
        ("-1 0 cycle 03 01 10 12 21 54 45 56 65", "several cycles: one has 4 of 8 edges"),
        ("-1 0 cycle 12 01 10 12 21", "edge `12` is not outside of the cycle"),
        ("-1 0 cycle 45 01 10 12 21 21", "edge `21` stands there twice"),
        ("-1 0 cycle 45 01 10 12 2Z", "`2Z` is no edge of the graph"),
        ("-1 0 cycle 00 01 10 12 21", "`00` is no edge of the graph"),
        ("-1 0 cycle 45", "the lemma has no cycle"),
        ("-1 0 cycle", "the lemma names no edge"),
        ("-1 0 third 01 03 05", "not three edges at one vertex"),
        ("-1 0 third 01 03", "not three edges at one vertex"),
        ("-1 0 end 00 12", "edge `12` does not end at `00`"),
        ("-1 0 end 01 12", "`01` is no vertex of the graph"),
        ("-1 0 apart - 01 45", "edges `01` and `45` are not apart"),
        ("-1 0 apart 02 01 45 12", "edges `01` and `45` are not apart"),
        ("-1 0 apart -", "fewer than two edges"),
        ("-1 0 empty", "the clause is not what the lemma says"),
        ("-1 0 apart - 45 01 10 12 03", "the clause is not what the lemma says"),
        ("-1 0 cut 0 11 33", "there is no rule --connected=0"),
        ("-1 0 circle 01 02", "no lemma of the form `circle`"),
        ("-1 0", "the lemma does not say why it follows"),
        ("-1 cycle 45 01 10 12 21", "expected a literal, found `cycle`"),
    ] {
        let status = if what.starts_with("expected a") { 2 } else { 1 };
        tamper.lemma(lemma).exits(status).says("lemmas.txt:4:1: error: ").says(what);
    }
    let lemmas = |change: &dyn Fn(&str) -> String| tamper.check("lemmas.txt", change).exits(1);
    let is_lemma = |line: &str| !line.starts_with("c ");
    lemmas(&|text| text.replacen("\n-", "\n", 1)).says("the clause is not what the lemma says");
    lemmas(&|text| replace_line(text, is_lemma, "")).says("a lemma is missing: there are ");
    lemmas(&without_last_line).says("the file is cut off: its last line is missing");
    lemmas(&|text| text[..text.len() / 2].to_owned()).says("error: ");
    lemmas(&|text| text.to_owned() + "-1 0 empty\n").says("there is more after the end");
    lemmas(&|text| text.replacen("c problem ", "c problem 0", 1)).says("about another problem");
}

#[test]
fn lemmas_about_cells_are_judged() {
    let tamper = Tampering { folder: cells(), rules: "--connected=0" };
    for (lemma, what) in [
        ("-1 0 cut 0 11 33 13", "the cells between do not part `11` and `33`"),
        ("-1 0 cut 0 11 11", "cell `11` stands there twice"),
        ("-1 0 cut 0 11 12", "`12` is no cell"),
        ("-1 0 cut 0 11", "fewer than two cells"),
        ("-1 0 cut 1 11 33 13 31", "there is no rule --connected=1"),
        ("-1 0 cut 0 11 33 13 31", "the clause is not what the lemma says"),
        ("-1 0 cycle 45 01 10 12 21", "a lemma about loops, but there is no rule --loop"),
    ] {
        tamper.lemma(lemma).exits(1).says("lemmas.txt:4:1: error: ").says(what);
    }
}

#[test]
fn a_derivation_with_a_gap_is_refused() {
    // Option 1 takes all pigeons; that they do not fit into the holes takes more than propagation.
    let tamper = Tampering { folder: proved(&barren(0, 6), ""), rules: "" };
    let drat = |change: &dyn Fn(&str) -> String| tamper.check("proof.drat", change).exits(1);
    let is_step = |line: &str| !line.starts_with('d');
    drat(&|text| replace_line(text, is_step, "1 0"))
        .says("proof.drat:1:1: error: this clause does not follow: `1 0`");
    drat(&|text| replace_line(text, is_step, "0")).says("this clause does not follow: `0`");
    drat(&|text| replace_line(text, is_step, "1 999999 0"))
        .says("the problem has no variable 999999");
    // Two clauses in a line, as a lost newline leaves them.
    drat(&|text| text.replacen('\n', " ", 1))
        .says("proof.drat:1:1: error: there is more behind the final 0");
    drat(&without_last_line).says("the derivation ends without the empty clause");
    drat(&|text| text[..text.len() / 2].trim_end_matches(['0', '\n']).to_owned()).says("error: ");
    drat(&|_| String::new()).says("the derivation ends without the empty clause");
    tamper
        .check("proof.drat", |text| text.replacen(' ', " x", 1))
        .exits(2)
        .says("expected a literal");
}

/// Files of 50 GB that take no room on the disk, and a pipe, with little memory.
#[test]
#[cfg(target_os = "linux")]
fn files_without_an_end_are_refused() {
    let folder = proved(FIRST_EXAMPLE, "");
    for file in ["proof.cnf", "lemmas.txt", "proof.drat"] {
        let name = format!("proof/{file}");
        let text = folder.text(&name);
        let check = |what: &str| {
            let mut sh = std::process::Command::new("sh");
            sh.current_dir(folder.path("")).env("Q", super::run::PROGRAM);
            let script = "ulimit -v 2000000; \"$Q\" check board.dlx --proof proof";
            let ran = sh.args(["-c", script]).output().expect("sh runs");
            let stderr = String::from_utf8_lossy(&ran.stderr);
            assert_eq!(ran.status.code(), Some(2), "{file}: {stderr}");
            assert!(stderr.contains(&name) && stderr.contains(what), "{file}: {stderr}");
        };
        for begin in ["", "1 2", &text[..text.len() - 2]] {
            let path = folder.file(&name, begin);
            let file = std::fs::File::options().write(true).open(path).expect("a file");
            file.set_len(50 << 30).expect("a sparse file");
            check("a line of more than");
        }
        let path = folder.path(&name);
        std::fs::remove_file(&path).expect("a file");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("mkfifo runs").success());
        check("not a regular file");
        std::fs::remove_file(&path).expect("a pipe");
        folder.file(&name, text);
    }
}

/// What a public checker says is believed, if it says no.
#[test]
#[cfg(unix)]
fn a_public_checker_may_refuse() {
    use std::os::unix::fs::PermissionsExt;
    let folder = proved(FIRST_EXAMPLE, "");
    let ask = |says: &str| {
        let script = folder.file(
            "drat-trim",
            format!("#!/bin/sh\ntest -s \"$1\" -a -s \"$2\" && echo '{says}'\n"),
        );
        std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).expect("a file");
        let path = format!("{}:/usr/bin:/bin", folder.path("").display());
        let args = ["check", "board.dlx", "--proof", "proof"];
        finish(command().current_dir(folder.path("")).env("PATH", path).args(args))
    };
    let ran = ask("s VERIFIED").exits(0);
    assert!(ran.lines()[4].ends_with("drat-trim: verified, from clauses and lemmas"), "{ran:#?}");
    ask("s NOT VERIFIED").exits(1).says("drat-trim does not accept the derivation");
    let args = ["check", "board.dlx", "--proof", "proof"];
    let none = command().current_dir(folder.path("")).env("PATH", "").args(args);
    let ran = finish(none).exits(0);
    assert!(ran.lines()[4].contains("not asked: neither drat-trim nor rate is on the PATH"));
}
