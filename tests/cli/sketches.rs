//! `puzzle` on boards with several solutions: where two differ, and what is certain.

use super::run::{Folder, feed};

/// Its loops go around the 1 in three ways, as one can see: that of the first row is in all of them.
const OPEN: &str = "3.1\n.1.\n2..\n";

#[test]
fn two_solutions_stand_side_by_side_before_what_is_certain() {
    let ran = feed("puzzle slitherlink - --ascii", OPEN).exits(4);
    let (two, certain) = ran.stdout.split_once("\n\nin all solutions:\n").expect("two pictures");
    assert!(two.starts_with("one solution:    another:\n"), "{two}");
    // Where they differ, lines are heavy.
    assert!(two.contains('=') && two.contains('H'), "{two}");
    let wanted = "+---+ x . x .\n\
                  | 3 |   x 1 x\n\
                  | x +-------+\n\
                  |   x 1 x   |\n\
                  |.... x ....|\n\
                  : 2 :   :   :\n\
                  ....-----....\n";
    assert_eq!(certain, wanted);
    ran.says("several: there is more than one solution\n8 edges open\n");
}

/// The open edges are those that `solve --facts` calls open.
#[test]
fn open_edges_are_counted_as_facts_count_them() {
    let folder = Folder::new();
    for (kind, rule, board, what) in [
        ("slitherlink", "--loop", OPEN, "edges"),
        ("slitherlink", "--loop", "..\n..\n", "edges"),
        ("masyu", "--loop", "....1\n..0..\n.....\n..1..\n.....\n", "edges"),
        ("hitori", "--connected=0", "1213\n2.31\n31.2\n1322\n", "cells"),
    ] {
        folder.file("board.txt", board);
        folder.quadrille(&format!("generate {kind} board.txt --output board.dlx")).exits(0);
        let facts = folder.quadrille(&format!("solve {rule} --facts board.dlx")).exits(0).stdout;
        let digit = |byte: u8| (byte as char).to_digit(36).expect("a digit");
        let open = facts.lines().filter(|line| {
            let name = line.as_bytes();
            let odd = [name[0], name[1]].map(|byte| digit(byte) % 2 == 1);
            line.ends_with(":?") && (odd == [true; 2]) == (what == "cells")
        });
        let said = format!("\n{} {what} open\n", open.count());
        folder.quadrille(&format!("puzzle {kind} board.txt")).exits(4).says(&said);
    }
}

#[test]
fn an_svg_has_three_panels() {
    let svg = feed("puzzle slitherlink - --svg", OPEN).exits(4).stdout;
    for (part, count) in [
        ("<svg ", 1),
        ("<title>Slitherlink, 3 x 3 cells: several solutions</title>", 1),
        ("<title>Slitherlink, 3 x 3 cells</title>", 3),
        (">one solution</text>", 1),
        (">another</text>", 1),
        (">in all solutions</text>", 1),
        // How many depends on which two solutions came first.
        (" edges differ from the other answer.</desc>", 2),
        // As in the picture above; a board of 3 x 3 cells has 24 edges.
        (" and 8 certain edges, 8 open and 8 excluded ones.</desc>", 1),
        ("stroke-dasharray", 1),
    ] {
        assert_eq!(svg.matches(part).count(), count, "{part} in {svg}");
    }
}

#[test]
fn one_solution_or_none_is_a_single_picture() {
    let ran = feed("puzzle slitherlink - --ascii", "4\n").exits(0);
    assert_eq!(ran.stdout, "+---+\n| 4 |\n+---+\n");
    assert!(ran.stderr.contains("unique") && !ran.stderr.contains("open"), "{ran:#?}");
    let ran = feed("puzzle slitherlink - --ascii", "44\n").exits(1);
    assert_eq!(ran.stdout, ".   .   .\n  4   4\n.   .   .\n");
    assert!(ran.stderr.contains("no solution") && !ran.stderr.contains("open"), "{ran:#?}");
}

#[test]
fn cells_that_differ_or_are_open_are_marked() {
    let ran = feed("puzzle hitori - --ascii", "1213\n2.31\n31.2\n1322\n").exits(4);
    let (two, certain) = ran.stdout.split_once("\n\nin all solutions:\n").expect("two pictures");
    assert!(two.contains('[') && two.contains('%'), "{two}");
    assert_eq!(certain, "?1?  2  ?1? ?3?\n?2? ??? ?3? ?1?\n?3? ?1? ???  2\n?1? ?3?  2  #2#\n");
}
