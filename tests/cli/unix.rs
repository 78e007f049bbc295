//! Pipes that close, signals, and results that leave while the search goes on.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::problems::*;
use super::run::{Folder, PROGRAM};

/// How long we wait for what should happen at once.
const DEADLINE: Duration = Duration::from_secs(60);

/// A run that is killed if the test ends without it.
struct Run(Child);

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Run {
    /// Starts `quadrille`, in a folder, with everything from and to `/dev/null` except stderr.
    fn start(folder: &Folder, args: &str, stdout: Stdio) -> Run {
        let mut command = Command::new(PROGRAM);
        command.current_dir(folder.path("")).args(args.split_whitespace());
        command.stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped());
        Run(command.spawn().expect("the program runs"))
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().expect("a child can be asked").is_none()
    }

    /// Waits for the end.
    #[track_caller]
    fn finish(&mut self) -> (ExitStatus, String) {
        let end = Instant::now() + DEADLINE;
        wait_until("the program ends", end, || !self.is_running());
        let mut stderr = String::new();
        self.0.stderr.take().expect("a pipe").read_to_string(&mut stderr).expect("UTF-8");
        (self.0.wait().expect("a child ends"), stderr)
    }

    /// Sends a signal by its name.
    fn send(&self, signal: &str) {
        let kill = format!("kill -{signal} {}", self.0.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().expect("sh runs").success());
    }
}

/// Asks again and again until `done`.
#[track_caller]
fn wait_until(what: &str, end: Instant, mut done: impl FnMut() -> bool) {
    while !done() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until a file has so many lines, which a running program writes.
#[track_caller]
fn wait_for_lines(run: &mut Run, file: &Path, lines: usize) -> String {
    let mut text = String::new();
    wait_until("lines in a file", Instant::now() + DEADLINE, || {
        text = std::fs::read_to_string(file).unwrap_or_default();
        text.lines().count() >= lines
    });
    assert!(run.is_running(), "the search ended too soon for this test");
    text
}

/// A folder with a problem that has solutions soon and then none for ages.
fn folder(problem: &str) -> Folder {
    let folder = Folder::new();
    folder.file("problem.dlx", problem);
    folder
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let folder = folder(&endless());
    for flags in ["--loop", "", "--loop --format tour", "--format jsonl", "--stats=json"] {
        let args = format!("solve {flags} problem.dlx");
        let mut run = Run::start(&folder, &args, Stdio::piped());
        let mut line = String::new();
        let mut stdout = BufReader::new(run.0.stdout.take().expect("a pipe"));
        stdout.read_line(&mut line).expect("a line");
        drop(stdout);
        let (status, stderr) = run.finish();
        assert_eq!((status.code(), stderr.as_str()), (Some(0), ""), "{args}");
        assert_ne!(line, "");
    }
}

#[test]
fn a_pipe_that_nobody_reads_ends_every_subcommand_quietly() {
    let folder = folder(&endless());
    folder.file("board.txt", blank(200, 200));
    folder.file("tours", "1: 00 02 22 20 00\n".repeat(100_000));
    for args in [
        "solve --loop problem.dlx",
        "generate slitherlink board.txt",
        "generate --list",
        "check problem.dlx",
        "draw tours",
        "puzzle slitherlink board.txt",
        "--help",
        "--version",
        "man",
        "completions zsh",
    ] {
        let mut run = Run::start(&folder, args, Stdio::piped());
        drop(run.0.stdout.take());
        let (status, stderr) = run.finish();
        assert_eq!((status.code(), stderr.as_str()), (Some(0), ""), "{args}");
    }
}

#[test]
fn signals_end_the_search_with_the_counts_so_far() {
    let folder = folder(&barren(2, 13));
    for signal in ["INT", "TERM", "HUP"] {
        let path = folder.path("out");
        let out = File::create(&path).unwrap();
        let args = "solve --engine links --format options problem.dlx";
        let mut run = Run::start(&folder, args, out.into());
        wait_for_lines(&mut run, &path, 1);
        run.send(signal);
        let (status, stderr) = run.finish();
        assert_eq!(status.code(), Some(3), "{signal}: {stderr}");
        let lines = folder.text("out").lines().count();
        assert!(stderr.contains(&format!("incomplete: at least {lines}")), "{signal}: {stderr}");
        assert!(stderr.contains("interrupted"), "{signal}: {stderr}");
        // The second choice of P is being explored, and the first choices of the next items.
        assert!(stderr.starts_with("state: "), "{signal}: {stderr}");
        assert!(stderr.contains(" nodes in ") && stderr.contains("choices 2/2 "), "{stderr}");
    }
}

/// As `nohup` does it: what was ignored when we were started stays ignored.
#[test]
#[cfg(target_os = "linux")]
fn a_signal_that_is_ignored_stays_ignored() {
    let folder = folder(&barren(2, 13));
    let path = folder.path("out");
    let mut command = Command::new("sh");
    let solve = "trap '' HUP; exec \"$0\" solve --engine links --format options problem.dlx";
    command.current_dir(folder.path("")).args(["-c", solve, PROGRAM]);
    command.stdin(Stdio::null()).stdout(File::create(&path).unwrap()).stderr(Stdio::piped());
    let mut run = Run(command.spawn().expect("sh runs"));
    let first = wait_for_lines(&mut run, &path, 1).lines().count();
    run.send("HUP");
    // It goes on, and ends when it is told to in another way.
    std::thread::sleep(Duration::from_millis(200));
    assert!(run.is_running() && first > 0);
    run.send("TERM");
    let (status, stderr) = run.finish();
    assert_eq!(status.code(), Some(3), "{stderr}");
}

#[test]
fn an_interrupted_count_is_printed() {
    let folder = folder(&endless());
    let path = folder.path("out");
    let args = "solve --loop --count --engine links --stats=json --progress always problem.dlx";
    let out = File::create(&path).unwrap();
    let mut run = Run::start(&folder, args, out.into());
    // The first line of progress tells that the search runs.
    let mut stderr = BufReader::new(run.0.stderr.take().expect("a pipe"));
    let mut line = String::new();
    stderr.read_line(&mut line).expect("a line");
    assert!(line.contains("nodes/s"), "{line}");
    run.send("INT");
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).expect("UTF-8");
    assert_eq!(run.0.wait().expect("a child ends").code(), Some(3), "{rest}");
    let count: u64 = folder.text("out").trim().parse().expect("the number so far");
    assert!(count > 0);
    assert!(rest.contains(&format!("incomplete: at least {count}")), "{rest}");
    let stats: serde_json::Value = serde_json::from_str(rest.lines().last().unwrap()).unwrap();
    assert_eq!(stats["solutions"], count.to_string());
    assert_eq!(stats["complete"], false);
}

#[test]
fn a_signal_ends_a_run_that_waits_for_input() {
    let folder = Folder::new();
    for command in ["solve", "puzzle slitherlink -"] {
        let mut child = Command::new(PROGRAM);
        child.current_dir(folder.path("")).args(command.split_whitespace());
        child.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut run = Run(child.spawn().expect("the program runs"));
        let stdin = run.0.stdin.take();
        // Until its handler is installed a signal ends the program by itself, which is as good.
        run.send("INT");
        let (status, stderr) = run.finish();
        assert!(status.code().is_none_or(|code| code == 3), "{status:?}: {stderr}");
        drop(stdin);
    }
}

#[test]
fn a_solution_leaves_while_the_search_goes_on() {
    let folder = folder(&barren(0, 14));
    for format in ["knuth", "options", "jsonl"] {
        // To a file by name, and to a file that is stdout.
        let args = format!("solve --engine links --format {format} problem.dlx");
        let path = folder.path("stdout");
        let mut run = Run::start(&folder, &args, File::create(&path).unwrap().into());
        wait_for_lines(&mut run, &path, 1);
        let path = folder.path(format);
        let args = format!("{args} --output {format}");
        let mut run = Run::start(&folder, &args, Stdio::null());
        let text = wait_for_lines(&mut run, &path, 1);
        assert!(text.ends_with('\n'), "whole records only: {text:?}");
    }
}

#[test]
fn a_solution_comes_out_of_a_pipe_while_the_search_goes_on() {
    let folder = folder(&barren(0, 14));
    let mut run = Run::start(&folder, "solve --engine links problem.dlx", Stdio::piped());
    let mut stdout = BufReader::new(run.0.stdout.take().expect("a pipe"));
    let mut line = String::new();
    stdout.read_line(&mut line).expect("a line");
    assert_eq!(line, "1:\n");
    assert!(run.is_running());
}

#[test]
fn kill_9_leaves_the_solutions_that_were_found() {
    let folder = folder(&barren(3, 14));
    let path = folder.path("out");
    let args = "solve --engine links --output out problem.dlx";
    let mut run = Run::start(&folder, args, Stdio::null());
    // Eight solutions of 5 lines: a head, P and the three s.
    let before = wait_for_lines(&mut run, &path, 8 * 5);
    run.0.kill().expect("a child can be killed");
    run.finish();
    assert_eq!(folder.text("out"), before);
    folder.quadrille("solve --engine links --limit 8 problem.dlx").exits(0).prints(&before);
}

#[test]
fn a_picture_is_drawn_while_more_solutions_are_awaited() {
    let folder = Folder::new();
    let mut child = Command::new(PROGRAM);
    child.current_dir(folder.path("")).arg("draw");
    child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = Run(child.spawn().expect("the program runs"));
    let mut stdin = run.0.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(run.0.stdout.take().expect("a pipe"));
    let (sender, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        while stdout.read_line(&mut line).is_ok_and(|length| length > 0) {
            if sender.send(std::mem::take(&mut line)).is_err() {
                return;
            }
        }
    });
    for n in [1, 2] {
        stdin.write_all(format!("{n}: 00 02 22 20 00\n").as_bytes()).expect("draw reads");
        stdin.flush().expect("draw reads");
        loop {
            let line = lines.recv_timeout(DEADLINE).expect("the picture, before the input ends");
            if line.starts_with('└') {
                break;
            }
        }
    }
    drop(stdin);
    assert_eq!(run.finish().0.code(), Some(0));
}

/// A limit on the size of files stands for a full disk.
#[test]
fn a_file_that_cannot_be_written_whole_is_not_there_and_is_called_by_its_name() {
    let folder = Folder::new();
    folder.file("board.txt", blank(10, 10));
    let line = format!(
        "trap '' XFSZ; ulimit -f 1; exec {PROGRAM} generate slitherlink board.txt --output out.dlx"
    );
    let ran = Command::new("sh").args(["-c", &line]).current_dir(folder.path("")).output();
    let ran = ran.expect("sh runs");
    let stderr = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(2), "{stderr}");
    assert!(stderr.starts_with("out.dlx: error: File too large\n"), "{stderr}");
    assert_eq!(folder.names(), ["board.txt"]);
}

/// Lists for a million options take 60 MB, which do not go into 60 MB of address space with the program.
#[test]
#[cfg(target_os = "linux")]
fn under_a_limit_of_the_shell_a_run_ends_with_what_it_has() {
    let folder = folder(&endless());
    let run = |limit: u32, args: &str| {
        let line = format!("ulimit -v {limit}; exec {PROGRAM} {args}");
        let ran = Command::new("sh").args(["-c", &line]).current_dir(folder.path("")).output();
        let ran = ran.expect("sh runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (ran.status.code(), text(&ran.stdout), text(&ran.stderr))
    };
    let large = format!("A B | X\n{}B\n", "A X\n".repeat(1_000_000));
    folder.file("large.dlx", large);
    let (status, stdout, stderr) = run(60_000, "solve --count --engine links large.dlx");
    assert_eq!((status, stdout.as_str()), (Some(3), "0\n"), "{stderr}");
    assert!(stderr.contains("memory limit reached"), "{stderr}");
    let (status, stdout, stderr) = run(1_000_000, "solve --count --engine links large.dlx");
    assert_eq!((status, stdout.as_str()), (Some(0), "1000000\n"), "{stderr}");
    // Some find out only when there is nothing left.
    for args in ["check", "reduce", "estimate", "split --parts 2 --output plan", "solve --first"] {
        let mut ended = 0;
        for limit in [16_000, 24_000, 32_000, 40_000, 48_000, 56_000] {
            let (status, _, stderr) = run(limit, &format!("{args} large.dlx"));
            let unloaded = status == Some(127);
            assert!(unloaded || matches!(status, Some(0 | 1 | 3)), "{limit} {args}: {stderr}");
            ended += usize::from(status == Some(3));
        }
        assert!(ended > 0, "{args}");
    }
}

/// A search with output, killed whenever it likes, and gone on with until it is done.
#[test]
fn kill_9_at_any_moment_loses_and_doubles_nothing() {
    let folder = folder(&queens(11));
    let mut random = fastrand::Rng::with_seed(8);
    for engine in ["links", "bits"] {
        let expected = folder.quadrille(&format!("solve --engine {engine} problem.dlx")).stdout;
        for threads in [1, 2] {
            let _ = std::fs::remove_file(folder.path("ck"));
            let mut kills = 0;
            loop {
                let args = format!(
                    "solve --engine {engine} --threads {threads} --checkpoint ck --resume ck \
                     --every-seconds 0 --output out problem.dlx"
                );
                let mut run = Run::start(&folder, &args, Stdio::null());
                // More and more time, so that the search gets to its end.
                let time = random.u64(0..=10 * kills);
                std::thread::sleep(Duration::from_millis(time));
                let _ = run.0.kill();
                let (status, stderr) = run.finish();
                match status.code() {
                    None => kills += 1,
                    code => {
                        assert_eq!(code, Some(0), "{stderr}");
                        break;
                    }
                }
            }
            assert!(kills > 0);
            assert_eq!(folder.text("out"), expected, "{engine} {threads} after {kills} kills");
        }
    }
}

#[test]
fn a_signal_saves_where_the_search_is() {
    let folder = folder(&barren(4, 10));
    let args = "--engine links --format options problem.dlx";
    let expected = folder.quadrille(&format!("solve {args}")).exits(0).stdout;
    let path = folder.path("out");
    let save = format!("solve {args} --checkpoint ck --every-seconds 9999");
    let mut run = Run::start(&folder, &save, File::create(&path).unwrap().into());
    wait_for_lines(&mut run, &path, 16);
    run.send("TERM");
    assert_eq!(run.finish().0.code(), Some(3));
    // The nodes that are left are few enough only because most were visited before.
    let append = File::options().append(true).open(&path).unwrap();
    let again = format!("solve {args} --resume ck --stats=json");
    let mut run = Run::start(&folder, &again, append.into());
    let (status, stderr) = run.finish();
    assert_eq!(status.code(), Some(0), "{stderr}");
    assert_eq!(folder.text("out"), expected);
    let empty = File::create(&path).unwrap();
    let mut run = Run::start(&folder, &again, empty.into());
    let (status, stderr) = run.finish();
    assert_eq!(status.code(), Some(2), "{stderr}");
    assert!(stderr.contains(">>"), "{stderr}");
}

/// A device that is always full. (Not every system has one.)
#[test]
fn help_that_cannot_be_printed_is_an_error() {
    if !std::path::Path::new("/dev/full").exists() {
        println!("skipped: no /dev/full");
        return;
    }
    for args in [
        "--help",
        "-h",
        "--version",
        "help solve",
        "solve --help",
        "dlx2 --help",
        "man",
        "completions bash",
        "completions zsh",
        "generate --list",
    ] {
        let ran =
            Command::new("sh").args(["-c", &format!("exec {PROGRAM} {args} > /dev/full")]).output();
        let ran = ran.expect("sh runs");
        assert_eq!(ran.status.code(), Some(2), "{args}");
        assert_eq!(ran.stderr, b"<stdout>: error: No space left on device\n", "{args}");
    }
    // Whoever closes a pipe has read enough.
    let line = format!("{{ {PROGRAM} --help; echo $? >&2; }} | true");
    let ran = Command::new("sh").args(["-c", &line]).output().expect("sh runs");
    assert_eq!(ran.stderr, b"0\n");
    // A message that cannot be written changes no status.
    let line = format!("echo A | {PROGRAM} solve --progress always 2> /dev/full");
    assert_eq!(Command::new("sh").args(["-c", &line]).status().expect("sh runs").code(), Some(1));
}

/// A run that writes holds its files: another is told who, and touches nothing.
#[test]
fn what_a_run_writes_no_other_run_writes() {
    let folder = folder(&barren(3, 14));
    std::fs::create_dir(folder.path("d")).unwrap();
    for (flags, held) in [
        ("--output out", "out"),
        ("--count --checkpoint ck", "ck"),
        ("--output o --checkpoint c", "c"),
        ("--part 1/1 --output d/1", "d/1"),
    ] {
        let args = format!("solve --engine links problem.dlx {flags}");
        let mut run = Run::start(&folder, &args, Stdio::null());
        wait_until("a file", Instant::now() + DEADLINE, || {
            std::fs::metadata(folder.path(held)).is_ok_and(|there| there.len() > 0)
        });
        let before = folder.text(held);
        let who = format!("{held}: error: is being written by process {}", run.0.id());
        let who = if cfg!(target_os = "linux") { &who[..] } else { "is being written by " };
        folder.quadrille(&args).refuses(who);
        if held == "out" {
            // Nor is it replaced.
            folder.quadrille("generate --list --output out").refuses(who);
            folder.quadrille("solve --first problem.dlx --output out").refuses(who);
        }
        if held == "ck" {
            folder.quadrille("solve --count problem.dlx --resume ck").refuses(who);
        }
        assert!(folder.text(held).starts_with(&before) && run.is_running());
        // The lock ends with the process, however that ends.
        run.0.kill().expect("a child can be killed");
        run.finish();
        folder.quadrille(&format!("{args} --node-limit 5")).exits(3);
    }
    // Many may write to a device.
    let mut run = Run::start(&folder, "solve problem.dlx --output /dev/null", Stdio::null());
    folder.quadrille("solve problem.dlx --first --output /dev/null").exits(0);
    assert!(run.is_running());
    let names = folder.names();
    assert_eq!(names, ["c", "c.old", "ck", "ck.old", "d", "o", "out", "problem.dlx"]);
}

/// A task that is put back into a queue too early.
#[test]
fn a_part_that_is_searched_twice_at_once_is_searched_once() {
    let folder = folder(&queens(13));
    folder.quadrille("split problem.dlx --parts 2 --output d").exits(0);
    let solve = |part: u32| {
        format!(
            "solve problem.dlx --engine links --format options --part {part}/2 --plan d --output d/{part} \
             --checkpoint d/{part}.ck --resume d/{part}.ck"
        )
    };
    let mut run = Run::start(&folder, &solve(1), Stdio::null());
    wait_for_lines(&mut run, &folder.path("d/1"), 1);
    folder.quadrille(&solve(1)).refuses("is being written by ");
    assert_eq!(run.finish().0.code(), Some(0));
    folder.quadrille(&solve(2)).exits(0);
    let expected = folder.quadrille("solve problem.dlx --engine links --format options").stdout;
    folder.quadrille("merge d").exits(0).prints(&expected);
}

/// Where a file system has no locks, or somebody else writes.
#[test]
fn a_file_that_somebody_else_wrote_is_noticed() {
    let folder = folder(&barren(3, 14));
    let path = folder.path("out");
    let args = "solve --engine links problem.dlx --time-limit 3s --output out";
    let empty = || drop(File::options().write(true).truncate(true).open(&path).expect("a file"));
    let remove = || std::fs::remove_file(&path).expect("a file");
    let spoil: [(&dyn Fn(), &str); 2] =
        [(&empty, "something else writes it, too"), (&remove, "was removed or replaced")];
    for (spoil, says) in spoil {
        let mut run = Run::start(&folder, args, Stdio::null());
        wait_for_lines(&mut run, &path, 8);
        spoil();
        let (status, stderr) = run.finish();
        assert_eq!(status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("out: error: ") && stderr.contains(says), "{stderr}");
    }
}

/// What a part counted is what counts, not what is in the file when it ends.
#[test]
fn the_output_of_a_part_that_changed_before_it_went_on_is_refused() {
    let folder = folder(&queens(8));
    let args =
        "solve problem.dlx --engine links --part 1/1 --output out --checkpoint ck --resume ck";
    folder.quadrille(&format!("{args} --node-limit 600")).exits(3);
    let text = folder.text("out");
    folder.file("out", text.replacen("r0", "r1", 1) + "more");
    let ran = folder.quadrille(args).refuses("out: error: has changed since the checkpoint");
    assert!(ran.stderr.lines().count() == 1 && folder.text("out").ends_with("more"));
    folder.file("out", text + "more");
    folder.quadrille(args).exits(0);
    assert_eq!(folder.text("out"), folder.quadrille("solve problem.dlx --engine links").stdout);
}

#[test]
fn a_signal_that_asks_is_answered_and_the_run_goes_on() {
    let folder = folder(&barren(2, 13));
    folder.file("large.dlx", queens(13));
    folder.file("boards", ". . .\n");
    folder.file("loop.dlx", "00 02 | 01\n00 01:1\n02 01:1\n");
    // Commands that search say where they are, others what they do.
    for (args, answer) in [
        ("solve --engine links problem.dlx", " nodes in "),
        ("solve --engine bits problem.dlx", " nodes in "),
        ("solve --engine links --threads 2 problem.dlx", " nodes in "),
        ("solve --count --engine links --checkpoint ck problem.dlx", " nodes in "),
        ("solve -", "state: reading, after "),
        (
            "split large.dlx --parts 2 --depth 40 --output plan",
            "state: dividing the search, after ",
        ),
        ("solve large.dlx --part 1/1000000", "state: dividing the search, after "),
        ("check -", "state: reading, after "),
        ("reduce -", "state: reading, after "),
        ("estimate -", "state: reading, after "),
        ("filter --problem loop.dlx --loop -", "state: "),
        ("puzzle slitherlink --batch -", "state: 0 boards up to line 1 in "),
    ] {
        let mut command = Command::new(PROGRAM);
        command.current_dir(folder.path("")).args(args.split_whitespace());
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut run = Run(command.spawn().expect("the program runs"));
        // Before its handler is there a signal would end the program.
        wait_until("the handler", Instant::now() + DEADLINE, || {
            let status = format!("/proc/{}/status", run.0.id());
            let status = std::fs::read_to_string(status).unwrap_or_default();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
            !cfg!(target_os = "linux") || caught.is_some_and(|mask| mask >> 9 & 1 == 1)
        });
        if args.contains("--batch") {
            run.0.stdin.as_mut().expect("a pipe").write_all(b"no board\n").expect("it reads");
        }
        std::thread::sleep(Duration::from_millis(300));
        let mut stderr = BufReader::new(run.0.stderr.take().expect("a pipe"));
        let mut said = String::new();
        for _ in 0..2 {
            run.send("USR1");
            said.clear();
            while !said.starts_with("state: ") {
                said.clear();
                assert!(stderr.read_line(&mut said).expect("a line") > 0, "{args} says nothing");
            }
            assert!(said.contains(answer), "{args}: {said}");
        }
        assert!(run.is_running(), "{args}: {said}");
    }
}

#[test]
fn a_signal_says_what_it_interrupted() {
    let folder = folder(&queens(13));
    let dividing = "incomplete: interrupted while dividing the search\n";
    for (args, says) in [
        ("split problem.dlx --parts 2 --depth 40 --output plan", dividing),
        ("solve problem.dlx --part 1/1000000", dividing),
    ] {
        let mut run = Run::start(&folder, args, Stdio::null());
        std::thread::sleep(Duration::from_millis(700));
        run.send("TERM");
        let (status, stderr) = run.finish();
        assert_eq!((status.code(), stderr.as_str()), (Some(3), says), "{args}");
    }
    assert_eq!(folder.names(), ["problem.dlx"]);
}
