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
        let pair = native_pty_system().openpty(SIZE).expect("a terminal");
        let mut command = CommandBuilder::new(PROGRAM);
        command.cwd(folder.path(""));
        command.args(args.split_whitespace());
        command.env("TERM", "xterm-256color");
        command.env("NO_COLOR", "1");
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
        Terminal { child, output, screen, _master: pair.master }
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
