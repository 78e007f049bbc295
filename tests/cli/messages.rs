//! Quiet, verbose, and colors.

use super::problems::*;
use super::run::{command, feed, finish};

#[test]
fn quiet_leaves_errors_and_drops_warnings() {
    feed("solve -q", "A\nB\n").refuses("unknown item name");
    feed("solve -q --loop", FIRST_EXAMPLE).exits(1).silently();
    feed("draw -q", "").exits(1).silently();
    feed("generate masyu - -q", "0..\n...\n...\n").exits(0).silently();
    feed("-q solve", "A | X\nX\nA\n").exits(0).silently();
}

#[test]
fn verbose_says_more_on_stderr_and_changes_no_result() {
    let ran = solve("-v", FIRST_EXAMPLE).exits(0).prints(FIRST_SOLUTION);
    assert!(ran.stderr.contains("engine"), "{ran:?}");
}

#[test]
fn nothing_is_colored_that_is_no_terminal() {
    let ran = feed("solve", "A\nB\n").exits(2);
    assert!(!ran.stderr.contains('\x1b'), "{ran:?}");
    let ran = feed("draw", "1: 00 02 22 20 00\n").exits(0);
    assert!(!ran.stdout.contains('\x1b'), "{ran:?}");
}

#[test]
fn color_always_colors_also_what_is_no_terminal() {
    let ran = feed("solve --color always", "A\nB\n").exits(2);
    assert!(ran.stderr.contains("\x1b["), "{ran:?}");
    assert!(ran.stderr.starts_with("<stdin>:2:1: "), "editors read the start: {ran:?}");
    let ran = feed("draw --color always", "1: 00 02 22 20 00\n").exits(0);
    assert!(ran.stdout.contains("\x1b["), "{ran:?}");
}

#[test]
fn what_goes_to_a_file_is_never_colored() {
    let folder = super::run::Folder::new();
    folder.feed("draw --color always --output out", "1: 00 02 22 20 00\n").exits(0);
    assert!(!folder.text("out").contains('\x1b'));
}

#[test]
fn a_flag_is_stronger_than_no_color() {
    let colored = |flag: &str| {
        let command = command().env("NO_COLOR", "1").args(["solve", "--color", flag]);
        finish(command.stdin(snapbox::Data::binary("A\nB\n"))).exits(2).stderr.contains('\x1b')
    };
    assert!(colored("always") && !colored("auto") && !colored("never"));
}

#[test]
fn results_are_the_same_with_and_without_color() {
    let plain = solve("--color never", FIRST_EXAMPLE).exits(0).stdout;
    solve("--color always", FIRST_EXAMPLE).exits(0).prints(&plain);
}
