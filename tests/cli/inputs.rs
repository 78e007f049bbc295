//! Where inputs come from.

use super::problems::*;
use super::run::{Folder, feed, quadrille};

#[test]
fn a_file_standard_input_and_a_dash_are_read_alike() {
    let folder = Folder::new();
    folder.file("first.dlx", FIRST_EXAMPLE);
    folder.quadrille("solve first.dlx").exits(0).prints(FIRST_SOLUTION);
    feed("solve", FIRST_EXAMPLE).exits(0).prints(FIRST_SOLUTION);
    feed("solve -", FIRST_EXAMPLE).exits(0).prints(FIRST_SOLUTION);

    folder.file("board.txt", "2.\n..\n");
    let dlx = folder.quadrille("generate slitherlink board.txt").exits(0).stdout;
    feed("generate slitherlink", "2.\n..\n").exits(0).prints(&dlx);
    feed("generate slitherlink -", "2.\n..\n").exits(0).prints(&dlx);

    let picture = folder.quadrille("puzzle slitherlink board.txt").exits(4).stdout;
    feed("puzzle slitherlink", "2.\n..\n").exits(4).prints(&picture);

    folder.file("tour", "1: 00 02 22 20 00\n");
    let picture = folder.quadrille("draw tour").exits(0).stdout;
    feed("draw", "1: 00 02 22 20 00\n").exits(0).prints(&picture);
    feed("draw -", "1: 00 02 22 20 00\n").exits(0).prints(&picture);
}

#[test]
fn check_names_its_input() {
    let folder = Folder::new();
    folder.file("first.dlx", FIRST_EXAMPLE);
    let file = folder.quadrille("check first.dlx").exits(0).stdout;
    let stdin = feed("check", FIRST_EXAMPLE).exits(0).stdout;
    assert!(file.contains("first.dlx: 7 lines"), "{file}");
    assert_eq!(stdin, file.replace("first.dlx", "<stdin>"));
}

#[test]
fn messages_name_the_file_or_stdin() {
    let folder = Folder::new();
    folder.file("bad.dlx", "A\nB\n");
    folder.file("bad.txt", "..\n.\n");
    folder.quadrille("solve bad.dlx").refuses("bad.dlx:2:1: error: ");
    folder.quadrille("check bad.dlx").refuses("bad.dlx:2:1: error: ");
    folder.quadrille("draw --problem bad.dlx -").refuses("bad.dlx:2:1: error: ");
    folder.quadrille("generate slitherlink bad.txt").refuses("bad.txt:2:2: error: ");
    feed("solve", "A\nB\n").refuses("<stdin>:2:1: error: ");
}

#[test]
fn the_problem_of_draw_may_be_standard_input_if_the_solutions_are_a_file() {
    let folder = Folder::new();
    folder.file("tours", "1: 00 02 22 20 00\n");
    folder.feed("draw --problem - tours", slitherlink("4\n")).exits(0).silently();
}

#[test]
fn a_missing_file_is_an_error_that_names_it() {
    for command in ["solve", "check", "draw", "draw --problem", "puzzle slitherlink"] {
        let folder = Folder::new();
        folder.quadrille(&format!("{command} missing.dlx")).refuses("missing.dlx");
    }
    quadrille("generate slitherlink missing.txt").refuses("missing.txt");
}

#[test]
fn a_directory_is_an_error_that_says_so() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder")).unwrap();
    for command in ["solve", "check", "draw", "draw --problem", "generate slitherlink"] {
        folder.quadrille(&format!("{command} folder")).refuses("folder: error: is a directory");
    }
}

#[test]
fn an_existing_file_wins_over_a_game_id() {
    // As a game ID, `1x1:4` is the board with a single 4; the file holds a blank board.
    let folder = Folder::new();
    let id = "1x1t0:4";
    let from_id = folder.quadrille(&format!("generate slitherlink {id}")).exits(0).stdout;
    assert_eq!(from_id, slitherlink("4\n"));
    #[cfg(unix)]
    {
        folder.file(id, "..\n");
        let from_file = folder.quadrille(&format!("generate slitherlink {id}")).exits(0).stdout;
        assert_eq!(from_file, slitherlink("..\n"));
    }
}

#[test]
fn blank_lines_comments_tabs_and_carriage_returns_do_not_matter() {
    let odd = "| a comment\r\n\r\n  A\tB C  D E F G\r\n| another\r\n C  E\r\nA D G\r\nB C F\r\n\
               \tA D F\r\nB G\r\n\r\nD E G";
    feed("solve", odd).exits(0).prints(FIRST_SOLUTION).silently();
}

#[test]
fn names_are_bytes_not_characters() {
    let text = b"\xff\xfe b\xe9 | \xc3\xa4\n\xff\xfe \xc3\xa4:\xff\nb\xe9 \xc3\xa4:\xff\n";
    let output = super::run::command()
        .arg("solve")
        .stdin(snapbox::Data::binary(text.to_vec()))
        .output()
        .unwrap();
    let expected = b"1:\n \xff\xfe \xc3\xa4:\xff (1 of 1)\n b\xe9 \xc3\xa4:\xff (1 of 1)\n";
    assert_eq!(output.stdout, expected, "{output:?}");
}

#[test]
fn a_message_about_bytes_that_are_no_text_is_text() {
    let output = super::run::command()
        .arg("solve")
        .stdin(snapbox::Data::binary(b"A\n\xff\x1b[31m\n".to_vec()))
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr.starts_with("<stdin>:2:1: error: "), "{stderr}");
    assert!(!stderr.contains('\x1b'), "what controls terminals stays out of messages: {stderr}");
}

#[cfg(unix)]
#[test]
fn file_names_are_bytes_too() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let name = std::ffi::OsStr::from_bytes(b"b\xe9ta.txt");
    std::fs::write(folder.path("").join(name), "4\n").unwrap();
    for args in [["generate", "slitherlink"], ["puzzle", "slitherlink"]] {
        let command = super::run::command().current_dir(folder.path("")).args(args).arg(name);
        super::run::finish(command).exits(0);
    }
    std::fs::write(folder.path("").join(name), FIRST_EXAMPLE).unwrap();
    let command = super::run::command().current_dir(folder.path("")).arg("solve").arg(name);
    super::run::finish(command).exits(0).prints(FIRST_SOLUTION);
}
