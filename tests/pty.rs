//! A terminal that shows both results and the progress bar.
#![cfg(unix)]

use std::io::Read;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

#[allow(dead_code, reason = "the other tests use the rest")]
#[path = "cli/problems.rs"]
mod problems;
#[allow(dead_code, reason = "the other tests use the rest")]
#[path = "cli/run.rs"]
mod run;

use run::{Folder, PROGRAM};

/// How long we wait for what should happen soon.
const DEADLINE: Duration = Duration::from_secs(120);

/// The size of the terminal: few rows, so that it scrolls.
const SIZE: PtySize = PtySize { rows: 12, cols: 120, pixel_width: 0, pixel_height: 0 };

/// Lines that the terminal remembers.
const MEMORY: usize = 100_000;

/// A program on a terminal of its own.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    /// All that came, as it came.
    bytes: Vec<u8>,
    screen: vt100::Parser,
    /// Keeps the terminal open.
    _master: Box<dyn MasterPty + Send>,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Terminal {
    /// Starts `quadrille` with standard input, output and error on the terminal.
    fn start(folder: &Folder, args: &str) -> Terminal {
        Terminal::start_with(folder, args, &[("TERM", "xterm-256color"), ("NO_COLOR", "1")])
    }

    /// The same with these variables.
    fn start_with(folder: &Folder, args: &str, variables: &[(&str, &str)]) -> Terminal {
        let mut command = CommandBuilder::new(PROGRAM);
        command.args(args.split(' '));
        Terminal::run(folder, command, variables)
    }

    /// Runs any command.
    fn run(folder: &Folder, mut command: CommandBuilder, variables: &[(&str, &str)]) -> Terminal {
        let pair = native_pty_system().openpty(SIZE).expect("a terminal");
        command.cwd(folder.path(""));
        command.env_remove("NO_COLOR");
        variables.iter().for_each(|(name, value)| command.env(name, value));
        let child = pair.slave.spawn_command(command).expect("the program runs");
        let mut reader = pair.master.try_clone_reader().expect("what the program writes");
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        let screen = {
            let side = |length| NonZero::new(length).expect("a terminal has rows and columns");
            vt100::Parser::new(side(SIZE.rows), side(SIZE.cols), MEMORY)
        };
        Terminal { child, output, bytes: Vec::new(), screen, _master: pair.master }
    }

    /// Lets the program run to its end; `watch` sees the screen whenever a line is complete or overwritten,
    /// however many of them arrive at once.
    fn finish(&mut self, mut watch: impl FnMut(&str)) -> ExitStatus {
        let end = Instant::now() + DEADLINE;
        let mut status = None;
        let mut silent = 0;
        loop {
            assert!(
                Instant::now() < end,
                "the program hangs:\n{}",
                self.screen.screen().contents()
            );
            match self.output.recv_timeout(Duration::from_millis(20)) {
                Ok(bytes) => {
                    silent = 0;
                    self.bytes.extend_from_slice(&bytes);
                    for line in bytes.split_inclusive(|byte| matches!(byte, b'\r' | b'\n')) {
                        self.screen.process(line);
                        watch(&self.screen.screen().contents());
                    }
                }
                // The end of the program is the end once nothing more comes for half a second: its
                // output may still be on its way through the terminal.
                Err(_) => match status {
                    Some(status) if silent > 25 => return status,
                    Some(_) => silent += 1,
                    None => status = self.child.try_wait().expect("a child can be asked"),
                },
            }
        }
    }

    /// All lines that are or were on the screen, without the blank ones.
    fn lines(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        self.screen.screen_mut().set_scrollback(MEMORY);
        let above = self.screen.screen().scrollback();
        for back in (1..=above).rev() {
            self.screen.screen_mut().set_scrollback(back);
            lines.extend(self.screen.screen().rows(0, SIZE.cols).next());
        }
        self.screen.screen_mut().set_scrollback(0);
        lines.extend(self.screen.screen().rows(0, SIZE.cols));
        lines.retain(|line| !line.trim().is_empty());
        lines
    }
}

/// What `solve` writes where there is no terminal.
fn plain(folder: &Folder, args: &str) -> Vec<String> {
    folder.quadrille(args).lines().into_iter().map(str::to_owned).collect()
}

#[test]
fn solutions_stay_whole_under_a_progress_bar() {
    let folder = Folder::new();
    folder.file("problem.dlx", problems::slow(5, 9));
    for format in ["knuth", "options", "jsonl"] {
        let solve = format!("solve --engine links --format {format} problem.dlx");
        let expected = plain(&folder, &solve);
        let mut terminal = Terminal::start(&folder, &format!("{solve} --progress always"));
        let mut seen = 0;
        let status = terminal.finish(|screen| seen += u32::from(screen.contains("nodes/s")));
        assert!(status.success(), "{status:?}");
        assert!(seen > 0, "the bar was never shown, so this test tests nothing");
        // The bar is gone, and each line is there, once and in its place.
        assert_eq!(terminal.lines(), expected, "{format}");
    }
}

#[test]
fn at_every_moment_the_screen_shows_whole_solutions_and_at_most_one_bar() {
    let folder = Folder::new();
    folder.file("problem.dlx", problems::slow(5, 9));
    let solve = "solve --engine links --format jsonl problem.dlx";
    let expected = plain(&folder, solve);
    let mut terminal = Terminal::start(&folder, &format!("{solve} --progress always"));
    terminal.finish(|screen| {
        let lines: Vec<&str> = screen.lines().filter(|line| !line.trim().is_empty()).collect();
        let (last, above) = lines.split_last().unwrap_or((&"", &[]));
        // A piece of output may end in the middle of the last line, not before.
        for line in above {
            assert!(expected.iter().any(|whole| whole == line), "{line:?} on the screen\n{screen}");
        }
        assert!(!last.contains("nodes/s") || !last.contains('{'), "{last:?}");
    });
}

#[test]
fn verdict_and_statistics_come_after_the_bar() {
    let folder = Folder::new();
    folder.file("problem.dlx", problems::barren(0, 8));
    let solve = "solve --engine links --unique --format options problem.dlx";
    let mut terminal = Terminal::start(&folder, &format!("{solve} --progress always --stats=json"));
    let status = terminal.finish(|_| ());
    assert!(status.success(), "{status:?}");
    let lines = terminal.lines();
    assert_eq!(lines[0], "1");
    assert!(lines[1].starts_with("unique"), "{lines:?}");
    assert!(lines[2].starts_with('{') && lines[2..].concat().ends_with('}'), "{lines:?}");
}

#[test]
fn progress_auto_shows_a_bar_on_a_terminal_and_never_shows_none() {
    let folder = Folder::new();
    folder.file("problem.dlx", problems::barren(0, 14));
    let solve = "solve --engine links --count --time-limit 1500ms problem.dlx";
    for (flag, wanted) in [("auto", true), ("never", false), ("auto -q", false)] {
        let mut terminal = Terminal::start(&folder, &format!("{solve} --progress {flag}"));
        let mut seen = false;
        let status = terminal.finish(|screen| seen |= screen.contains("nodes/s"));
        assert_eq!((status.exit_code(), seen), (3, wanted), "--progress {flag}");
        let lines = terminal.lines();
        assert_eq!(lines[0], "1", "{lines:?}");
        assert!(!lines.concat().contains("nodes/s"), "{lines:?}");
    }
}

#[test]
fn a_terminal_as_input_gets_a_hint_of_one_line() {
    let folder = Folder::new();
    for args in ["solve", "check", "draw", "generate slitherlink", "puzzle masyu"] {
        let mut terminal = Terminal::start(&folder, args);
        let status = terminal.finish(|_| ());
        let lines = terminal.lines();
        assert_eq!(status.exit_code(), 2, "{args}: {lines:?}");
        assert_eq!(lines.len(), 1, "{args}: {lines:?}");
        assert!(lines[0].starts_with("error: standard input is a terminal"), "{args}: {lines:?}");
    }
}

#[test]
fn pictures_are_colored_on_a_terminal_unless_no_color_is_set() {
    let folder = Folder::new();
    folder.file("tour", "1: 00 02 22 20 00\n");
    for (flag, colored) in [("auto", false), ("always", true), ("never", false)] {
        let mut terminal = Terminal::start(&folder, &format!("draw --color {flag} tour"));
        assert!(terminal.finish(|_| ()).success());
        let text = terminal.screen.screen().contents_formatted();
        assert_eq!(text.contains("\x1b[3") || text.contains("\x1b[9"), colored, "{flag}: {text:?}");
        assert_eq!(terminal.lines(), ["1:", "┌───┐", "│   │", "└───┘"]);
    }
}

#[test]
fn a_bar_counts_boards_and_leaves_the_results_alone() {
    let folder = Folder::new();
    let boards = "7x7t0:c2a2a2b1b32a1d11a30d2e13122a3a312a3\n".repeat(400) + "what?\n";
    folder.file("boards", boards);
    let args = "puzzle slitherlink --batch boards --format jsonl --progress always";
    let mut terminal = Terminal::start(&folder, args);
    let mut seen = false;
    let status = terminal.finish(|screen| seen |= screen.contains(" boards in "));
    assert!(seen, "no bar");
    assert_eq!(status.exit_code(), 2);
    let left = terminal.screen.screen().contents();
    assert!(!left.contains(" boards in "), "{left}");
    assert!(left.contains("400 boards: 400 unique"), "{left}");
}

/// What a terminal would obey: control characters but line ends and tabs, in any encoding.
fn commands(bytes: &[u8]) -> Vec<char> {
    let text = bytes.utf8_chunks().flat_map(|chunk| {
        let bad = (!chunk.invalid().is_empty()).then_some('\u{9b}');
        chunk.valid().chars().chain(bad)
    });
    text.filter(|&c| {
        c.is_control() && !matches!(c, '\n' | '\r' | '\t') || c > '\u{2000}' && c < '\u{2100}'
    })
    .collect()
}

/// Names and colors with escape sequences, with C1 as one byte and as two, DEL, and what reorders text.
#[test]
fn no_input_reaches_the_terminal_as_a_command() {
    let folder = Folder::new();
    let one = b"A\x1b[31m \x07B\x7f | X\xc2\x9b Y\xe2\x80\xae\nA\x1b[31m X\xc2\x9b:\x9b\n\x07B\x7f Y\xe2\x80\xae:\xff\n";
    folder.file("one.dlx", one);
    folder.file("none.dlx", b"\x1b[2JA B\n\x1b[2JA\n");
    folder.file("bad.dlx", b"\x1b[2JA B\nB \x1b[2J\n");
    folder.file("letters.dlx", b"a b | 11 13\na 11:\x1b\nb 13:\x9b\n");
    folder.file("letters.out", b"1:\n a 11:\x1b (1 of 1)\n b 13:\x9b (1 of 1)\n");
    folder.file("tour", "1: 00 02 22 20 00\n");
    folder.file("\u{1b}[31mred.dlx", b"A\nB\n");
    for (args, status) in [
        ("solve one.dlx", 0),
        ("solve --format jsonl --facts one.dlx", 0),
        ("solve --facts one.dlx", 0),
        ("solve --threads 2 one.dlx", 0),
        ("solve --output /dev/tty one.dlx", 0),
        ("solve none.dlx", 1),
        ("solve bad.dlx", 2),
        ("solve \u{1b}[31mred.dlx", 2),
        ("solve --limit \u{1b}[31m", 2),
        ("\u{1b}[31m", 2),
        ("check one.dlx", 0),
        ("check none.dlx", 0),
        ("check one.dlx --solutions bad.dlx", 2),
        ("reduce none.dlx", 0),
        ("reduce one.dlx", 0),
        ("puzzle slitherlink bad.dlx", 2),
        ("puzzle slitherlink --batch bad.dlx --progress never", 2),
        ("draw --problem letters.dlx letters.out", 0),
        ("draw --problem letters.dlx letters.out --svg", 0),
        ("draw tour --png -", 2),
        ("split --copy --parts 2 --output \u{1b}[31mplan bad.dlx", 2),
    ] {
        let mut terminal = Terminal::start(&folder, args);
        let ended = terminal.finish(|_| {});
        assert_eq!(ended.exit_code(), status, "{args}: {}", terminal.bytes.escape_ascii());
        assert_eq!(commands(&terminal.bytes), [], "{args}: {}", terminal.bytes.escape_ascii());
    }
    // Knuth's programs under their own names read standard input; what they print there and to pipes is his.
    for (file, shown) in [("one.dlx", "\\u{1b}[31m X"), ("bad.dlx", "Unknown item name!")] {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", &format!("exec {PROGRAM} dlx2 m1 v4095 < {file}")]);
        let mut terminal = Terminal::run(&folder, command, &[]);
        terminal.finish(|_| {});
        assert_eq!(commands(&terminal.bytes), [], "{file}: {}", terminal.bytes.escape_ascii());
        assert!(String::from_utf8_lossy(&terminal.bytes).contains(shown), "{file}");
    }
}

/// A terminal that understands no escape sequences gets none: no color, and no bar that is drawn and erased.
#[test]
fn a_dumb_terminal_gets_no_escape_sequences() {
    let folder = Folder::new();
    folder.file("bad.dlx", "A\nB\n");
    folder.file("long.dlx", problems::barren(0, 14));
    folder.file("tour", "1: 00 02 22 20 00\n");
    for args in [
        "solve bad.dlx",
        "draw tour",
        "solve --count --engine links --progress always --time-limit 1s long.dlx",
    ] {
        for (term, wanted) in [("dumb", false), ("xterm-256color", true)] {
            let mut terminal = Terminal::start_with(&folder, args, &[("TERM", term)]);
            terminal.finish(|_| {});
            let escapes = terminal.bytes.contains(&0x1b);
            assert_eq!(escapes, wanted, "{args}: {}", terminal.bytes.escape_ascii());
        }
    }
}
