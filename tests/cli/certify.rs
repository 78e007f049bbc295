//! `solve --certify` and `check --certificate`. What brute force says of them is in tests/certificates.rs.

use super::problems::*;
use super::run::{Folder, fixture};

const TINY: &str = "A B | x\nA x:1\nA x:2\nB x:1\nB x:2\n";

fn folder(dlx: &str) -> Folder {
    let folder = Folder::new();
    folder.file("it.dlx", dlx);
    folder
}

#[test]
fn each_question_has_its_sentence() {
    let folder = folder(TINY);
    for (question, status, sentence) in [
        ("--count", 0, "it.dlx has exactly 2 solutions"),
        ("", 0, "it.dlx has exactly 2 solutions"),
        ("--limit 1", 0, "it.dlx has at least 1 solution"),
        ("--first", 0, "it.dlx has at least 1 solution"),
        ("--limit 9", 0, "it.dlx has exactly 2 solutions"),
        ("--unique", 4, "it.dlx has at least 2 solutions"),
        ("--count --engine links --branch leftmost", 0, "it.dlx has exactly 2 solutions"),
    ] {
        folder.quadrille(&format!("solve it.dlx {question} --certify c")).exits(status);
        let ran = folder.quadrille("check it.dlx --certificate c").exits(0).silently();
        assert_eq!(ran.lines().last(), Some(&&*format!("proved      {sentence}")), "{question}");
    }
    folder.file("none.dlx", "A B\nA\n");
    folder.quadrille("solve none.dlx --certify c").exits(1);
    let none = folder.quadrille("check none.dlx --certificate c").exits(0).stdout;
    assert!(none.ends_with("proved      none.dlx has no solution\n"), "{none}");
}

#[test]
fn boards_are_proved_under_their_constraints() {
    for (kind, board, rules) in [
        ("slitherlink", "slitherlink/sgt-loopy-10x10-h-1.txt", "--loop"),
        ("masyu", "masyu/sgt-pearl-10x10-t-1.txt", "--loop"),
        ("hitori", "hitori/sgt-singles-8x9-k-1.txt", "--connected=0"),
    ] {
        let folder = folder(&generate(kind, &fixture(board)));
        folder.quadrille(&format!("solve it.dlx --unique {rules} --certify c")).exits(0);
        let ran = folder.quadrille(&format!("check it.dlx {rules} --certificate c")).exits(0);
        let sentence = format!("proved      it.dlx has exactly 1 solution under {rules}");
        assert_eq!(ran.lines().last(), Some(&&sentence[..]));
        let ran = folder.quadrille("check it.dlx --certificate c").exits(1).prints("");
        ran.says(&format!("a certificate for the constraints `{rules}`, not `none`"));
    }
}

#[test]
fn a_wrong_certificate_is_refused_with_its_place() {
    let folder = folder(TINY);
    folder.quadrille("solve it.dlx --count --certify c").exits(0);
    let right = std::fs::read(folder.path("c")).unwrap();
    folder.file("other.dlx", "A B\nA\nB\n");
    folder.quadrille("check other.dlx --certificate c").exits(1).says("about another problem");
    std::fs::write(folder.path("short"), &right[..right.len() - 1]).unwrap();
    let ran = folder.quadrille("check it.dlx --certificate short").exits(1).prints("");
    ran.says(&format!("short: error: byte {}: the certificate ends", right.len() - 1));
    folder.quadrille("check it.dlx --certificate it.dlx").exits(1).says("this is no certificate");
    folder.quadrille("check it.dlx --certificate nowhere").refuses("nowhere");
    folder.quadrille("check it.dlx --certificate c --output c").refuses("output is also an input");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = folder(TINY);
    for flags in [
        "--proof p --unique",
        "--seed 1",
        "--facts",
        "--format zdd",
        "--every 2",
        "--min-cost",
        "--best 2",
        "--engine learn",
        "--engine memo --count",
        "--threads 2",
        "--checkpoint k",
    ] {
        folder.quadrille(&format!("solve it.dlx {flags} --certify c")).refuses("--certify");
        assert!(!folder.path("c").exists(), "{flags}");
    }
    folder.quadrille("solve it.dlx --certify it.dlx").refuses("output is also an input");
    folder.quadrille("solve it.dlx --certify no/c").refuses("the folder no does not exist");
    folder.quadrille("solve it.dlx --certify -").refuses("--certify: give a file");
}

#[test]
fn a_search_that_did_not_end_leaves_no_certificate() {
    let folder = folder(TINY);
    let ran = folder.quadrille("solve it.dlx --count --node-limit 1 --certify c").exits(3);
    ran.says("no certificate was written: the search did not end");
    assert!(!folder.path("c").exists());
}
