//! Where results go.

use super::problems::*;
use super::run::{Folder, feed};

#[test]
fn output_takes_what_stdout_would_get() {
    let folder = Folder::new();
    folder.file("first.dlx", FIRST_EXAMPLE);
    folder.file("board.txt", "4\n");
    folder.file("board.dlx", slitherlink("4\n"));
    folder.file("tours", "1: 00 02 22 20 00\n");
    for (command, status) in [
        ("solve first.dlx", 0),
        ("solve --count first.dlx", 0),
        ("solve --format jsonl first.dlx", 0),
        ("generate slitherlink board.txt", 0),
        ("generate --list", 0),
        ("check board.dlx", 0),
        ("draw tours", 0),
        ("draw --svg tours", 0),
        ("draw --problem board.dlx tours", 0),
        ("puzzle slitherlink board.txt", 0),
    ] {
        let stdout = folder.quadrille(command).exits(status).stdout;
        folder.quadrille(&format!("{command} --output out")).exits(status).prints("");
        assert_eq!(folder.text("out"), stdout, "{command}");
        std::fs::remove_file(folder.path("out")).unwrap();
    }
}

#[test]
fn output_replaces_what_the_file_held() {
    let folder = Folder::new();
    folder.file("out", "something old and much longer than the new text\n".repeat(100));
    folder.file("first.dlx", FIRST_EXAMPLE);
    folder.quadrille("solve first.dlx --output out").exits(0);
    assert_eq!(folder.text("out"), FIRST_SOLUTION);
    folder.file("out", "old\n");
    folder.quadrille("check first.dlx --output out").exits(0);
    assert!(folder.text("out").starts_with("file "));
}

#[test]
fn bad_input_creates_no_file_and_spoils_none() {
    for command in [
        "solve",
        "solve --count",
        "solve --loop",
        "check",
        "generate slitherlink -",
        "puzzle slitherlink -",
        "draw",
        "draw --svg",
    ] {
        let folder = Folder::new();
        folder.feed(&format!("{command} --output out"), "00 | 01\nbad\n").refuses("<stdin>:");
        assert!(folder.names().is_empty(), "{command} left {:?}", folder.names());
        folder.file("out", "old");
        folder.feed(&format!("{command} --output out"), "00 | 01\nbad\n").refuses("<stdin>:");
        assert_eq!(folder.names(), ["out"], "{command}");
        assert_eq!(folder.text("out"), "old", "{command}");
    }
}

#[test]
fn a_refused_problem_creates_no_file() {
    let folder = Folder::new();
    folder.feed("solve --engine learn --output out", "2|A\nA\nA\n").refuses("bounds");
    folder.feed("solve --loop --output out", "00 | 01\n00 01:1\n").refuses("edge item `01`");
    assert!(folder.names().is_empty());
}

#[test]
fn a_drawing_that_fails_half_way_leaves_no_file() {
    let folder = Folder::new();
    let tours = "1: 00 02 22 20 00\n2: 00 44\n";
    folder.feed("draw --output out", tours).refuses("<stdin>:2:7: error:");
    folder.feed("draw --svg=out", tours).refuses("<stdin>:2:7: error:");
    assert!(folder.names().is_empty());
}

#[test]
fn an_output_that_cannot_be_written_is_an_error_that_names_it() {
    let folder = Folder::new();
    folder.file("first.dlx", FIRST_EXAMPLE);
    folder.file("board.txt", "4\n");
    std::fs::create_dir(folder.path("folder")).unwrap();
    for output in ["missing/out", "folder"] {
        for command in ["solve first.dlx", "check first.dlx", "generate slitherlink board.txt"] {
            folder.quadrille(&format!("{command} --output {output}")).refuses(output);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_rights_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let target = folder.file("target", "old");
    std::fs::set_permissions(&target, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("target", folder.path("link")).unwrap();
    folder.feed("generate slitherlink - --output link", "4\n").exits(0);
    assert_eq!(folder.text("target"), slitherlink("4\n"));
    assert!(folder.path("link").is_symlink());
    assert_eq!(target.metadata().unwrap().permissions().mode() & 0o777, 0o640);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for command in ["solve", "solve --count", "check"] {
        feed(&format!("{command} --output /dev/full"), FIRST_EXAMPLE).exits(2).says("/dev/full");
    }
}

#[cfg(unix)]
#[test]
fn a_device_is_written_not_replaced() {
    for command in ["solve", "check"] {
        feed(&format!("{command} --output /dev/stdout"), FIRST_EXAMPLE).exits(0);
        feed(&format!("{command} --output /dev/null"), FIRST_EXAMPLE).exits(0).prints("");
    }
    assert!(!std::path::Path::new("/dev/null").is_file());
}
