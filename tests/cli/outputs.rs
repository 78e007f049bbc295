//! Where results go.

use super::problems::*;
use super::run::{Folder, PROGRAM, feed};

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
    for command in ["solve first.dlx", "check first.dlx", "generate slitherlink board.txt"] {
        folder.quadrille(&format!("{command} --output folder")).refuses("folder");
        let what = "missing/out: error: the folder missing does not exist\n";
        folder.quadrille(&format!("{command} --output missing/out")).refuses(what);
    }
    let ran = folder.quadrille("solve first.dlx --unique --proof missing/proof");
    ran.refuses("missing/proof: error: the folder missing does not exist\n");
}

#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::new();
    folder.file("first.dlx", FIRST_EXAMPLE);
    folder.file("tours", "1: 00 02 22 20 00\n");
    for command in [
        "solve first.dlx",
        "solve first.dlx --part 1/1",
        "solve first.dlx --facts",
        "check first.dlx",
        "reduce first.dlx",
        "draw tours",
        "draw tours --svg",
    ] {
        let stdout = folder.quadrille(command).exits(0).stdout;
        folder.quadrille(&format!("{command} --output -")).exits(0).prints(&stdout);
    }
    for flag in ["--checkpoint -", "--checkpoint=-", "--resume -"] {
        folder.quadrille(&format!("solve first.dlx {flag}")).refuses("expected a file");
    }
    assert_eq!(folder.names(), ["first.dlx", "tours"]);
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

/// Every flag that names an output, in every subcommand, where that is an input: by its name, by a hard link,
/// and by a symbolic link.
#[cfg(unix)]
#[test]
fn no_output_is_an_input() {
    let first = FIRST_EXAMPLE;
    let solution = FIRST_SOLUTION;
    let hitori = "1 2\n2 1\n";
    let tours = "1: 00 02 22 20 00\n";
    let cases: &[(&str, &str)] = &[
        ("solve IN --output OUT", first),
        ("solve IN --count --output OUT", first),
        ("solve IN --facts --output OUT", first),
        ("solve IN --best 2 --output OUT", first),
        ("solve IN --threads 2 --engine links --output OUT", first),
        ("solve IN --part 1/2 --output OUT", first),
        ("solve IN --checkpoint OUT", first),
        ("solve IN --output new --checkpoint OUT", first),
        ("generate hitori IN --output OUT", hitori),
        ("convert hitori IN --to sgt --output OUT", hitori),
        ("puzzle hitori IN --output OUT", hitori),
        ("puzzle hitori IN --svg=OUT", hitori),
        ("puzzle hitori IN --png OUT", hitori),
        ("puzzle hitori --batch IN --output OUT", "12/21\n"),
        ("reduce IN --output OUT", first),
        ("estimate IN --output OUT", first),
        ("check IN --output OUT", first),
        ("check IN --solutions solution --output OUT", first),
        ("check first.dlx --solutions IN --output OUT", solution),
        ("check --kind hitori --board IN --solutions nothing --output OUT", hitori),
        ("check IN --proof proof --output OUT", first),
        ("draw IN --output OUT", tours),
        ("draw IN --svg=OUT", tours),
        ("draw IN --png OUT", tours),
        ("draw IN --svg --output OUT", tours),
        ("draw --problem IN tours --output OUT", &slitherlink("4\n")),
        ("draw --problem IN tours --png OUT", &slitherlink("4\n")),
        ("filter --loop --problem IN tours --output OUT", &slitherlink("4\n")),
        ("filter --connected --problem cells.dlx IN --output OUT", "1\n"),
        ("lift --problem IN --output OUT", "A\nA\n| (from 1)\n"),
        ("lift --problem small.dlx --original IN --output OUT", first),
        ("lift --problem small.dlx IN --output OUT", "1 2 3\n"),
    ];
    for (command, input) in cases {
        for way in ["the name", "a hard link", "a symbolic link", "another path"] {
            let folder = Folder::new();
            folder.file("first.dlx", first);
            folder.file("solution", solution);
            folder.file("tours", tours);
            folder.file("nothing", "");
            folder.file("cells.dlx", "a | 11\na 11:1\n");
            folder.quadrille("reduce first.dlx --output small.dlx").exits(0);
            folder.quadrille("solve first.dlx --unique --proof proof").exits(0);
            let path = folder.file("in", input);
            let out = match way {
                "the name" => "in",
                "another path" => "./proof/../in",
                "a hard link" => {
                    std::fs::hard_link(path, folder.path("out")).unwrap();
                    "out"
                }
                _ => {
                    std::os::unix::fs::symlink("in", folder.path("out")).unwrap();
                    "out"
                }
            };
            let names = folder.names();
            let command = command.replace("IN", "in").replace("OUT", out);
            let ran = folder.quadrille(&command);
            assert!(folder.text("in") == *input, "{command}, by {way}: {ran:?}");
            assert_eq!(folder.names(), names, "{command}, by {way}");
            ran.exits(2).prints("").says(&format!("{out}: error: output is also an input\n"));
        }
    }
}

#[cfg(unix)]
#[test]
fn no_file_of_a_folder_that_is_read_is_an_output() {
    let folder = Folder::new();
    folder.file("first.dlx", FIRST_EXAMPLE);
    folder.quadrille("solve first.dlx --unique --proof proof").exits(0);
    folder.quadrille("split first.dlx --parts 2 --output plan").exits(0);
    for part in [1, 2] {
        let command = format!("solve first.dlx --part {part}/2 --plan plan --output plan/{part}");
        folder.quadrille(&command);
    }
    folder.file("proof.cnf", FIRST_EXAMPLE);
    folder.file("manifest.json", FIRST_EXAMPLE);
    folder.file("part-1.dlx", FIRST_EXAMPLE);
    folder.file("out.done", FIRST_EXAMPLE);
    folder.file("ck.new", FIRST_EXAMPLE);
    folder.file("tour-1", "1: 00 02 22 20 00\n");
    for (command, file) in [
        ("check first.dlx --proof proof --output proof/proof.cnf", "proof/proof.cnf"),
        ("check first.dlx --proof proof --output proof/lemmas.txt", "proof/lemmas.txt"),
        ("check first.dlx --proof proof --output proof/proof.drat", "proof/proof.drat"),
        ("solve proof.cnf --unique --proof .", "proof.cnf"),
        ("merge plan --output plan/1", "plan/1"),
        ("merge plan --output plan/1.done", "plan/1.done"),
        ("merge plan --output plan/manifest.json", "plan/manifest.json"),
        ("merge plan --before first.dlx --output first.dlx", "first.dlx"),
        ("split manifest.json --parts 2 --output .", "manifest.json"),
        ("split part-1.dlx --parts 2 --copy --output .", "part-1.dlx"),
        ("solve out.done --part 1/2 --output out", "out.done"),
        ("solve ck.new --output new --checkpoint ck", "ck.new"),
        ("draw tour-1 --svg=tour-%d", "tour-1"),
    ] {
        let (text, names) = (folder.text(file), folder.names());
        let ran = folder.quadrille(command).exits(2).prints("");
        ran.says("error: output is also an input\n").says(file);
        assert_eq!((folder.text(file), folder.names()), (text, names), "{command}");
    }
    let out = "new: error: output is also the checkpoint\n";
    folder.quadrille("solve first.dlx --output new --checkpoint new").exits(2).says(out);
    assert!(!folder.path("new").exists());
    let command = "solve first.dlx --unique --proof new --output new/proof.drat";
    folder.quadrille(command).exits(2);
}

/// Standard input and output may be files, too.
#[cfg(unix)]
#[test]
fn no_stream_is_both() {
    let folder = Folder::new();
    let run = |script: &str| {
        let mut sh = std::process::Command::new("sh");
        sh.current_dir(folder.path("")).env("Q", PROGRAM).args(["-c", script]);
        let output = sh.output().expect("sh runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let said = |what: &str| format!("{what}: error: output is also an input\n");
    for (script, what) in [
        ("\"$Q\" solve --output in < in", "in"),
        ("\"$Q\" solve < in >> in", "<stdout>"),
        ("\"$Q\" reduce in >> in", "<stdout>"),
        ("\"$Q\" filter -q --problem in --loop in >> in", "<stdout>"),
    ] {
        folder.file("in", FIRST_EXAMPLE);
        assert_eq!(run(script), (Some(2), said(what)), "{script}");
        assert_eq!(folder.text("in"), FIRST_EXAMPLE, "{script}");
    }
    // Knuth's programs go on without a shape.
    let (status, stderr) = run("\"$Q\" dlx2 Sin < in");
    assert!(status == Some(0) && stderr.contains("Sorry, I can't open file `in'"), "{stderr}");
    assert_eq!(folder.text("in"), FIRST_EXAMPLE);
    // What is no file may well be both.
    assert_eq!(run("\"$Q\" solve < /dev/null > /dev/null").0, Some(2));
    assert_eq!(run("\"$Q\" solve in --output /dev/null").0, Some(0));
    assert_eq!(run("cat in | \"$Q\" solve | cat > out; cat out").0, Some(0));
}
