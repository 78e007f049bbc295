//! `quadrille dlx2` and its like: Knuth's programs under their own command lines.
//!
//! They are there as subcommands, and also if the program is called by one of their names. An argument
//! is a letter and a number in one word; the first of several with one letter counts.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use crate::cli::exit::{ExitStatus, Failure};
use crate::cli::guard::guarded;
use crate::cli::output::Output;
use crate::cli::{files, input};
use crate::knuth::{self, Console, Panic, Program, Settings};
use crate::wording::reason;

/// The most of the best solutions of `dlx5` that may be asked for; Knuth's limit is 15000.
const MOST_BEST: i32 = 10_000_000;

/// How long a solution may wait for others.
const PATIENCE: Duration = Duration::from_millis(50);

/// Bytes that are said at a time, while nobody needs to see them.
const SAID: usize = 1 << 16;

/// The program that a command line asks for, with the name it goes by and its arguments: the first
/// word is its name, or the second one is. `--help` is left to the usual way.
pub fn asked_for(args: &[OsString]) -> Option<(Program, String, &[OsString])> {
    let called = Path::new(args.first()?).file_name()?;
    let called = called.to_str()?.trim_end_matches(std::env::consts::EXE_SUFFIX);
    let named = |name: &str| Program::ALL.iter().copied().find(|program| program.name() == name);
    if let Some(program) = named(called) {
        return Some((program, args[0].display().to_string(), &args[1..]));
    }
    let program = named(args.get(1)?.to_str()?)?;
    let rest = &args[2..];
    let helps = |word: &OsStr| word == "--help" || word == "-h";
    match rest.first().is_some_and(|word| helps(word)) {
        true => None,
        false => Some((program, format!("quadrille {}", program.name()), rest)),
    }
}

/// Runs it.
pub fn run(program: Program, name: &str, args: &[OsString]) -> ExitStatus {
    let mut stderr = Said { text: Vec::new(), stderr: guarded(io::stderr()) };
    files::reads(None);
    let Some((settings, shape)) = settings(program, args, &mut stderr) else {
        let letters = match program {
            Program::DlxPre => "[v<n>] [d<n>] [t<n>] [T<n>]",
            Program::Dlx5 => {
                "[v<n>] [m<n>] [k<n>] [Z<ABC>] [z<n>] [h<n>] [d<n>] [c<n>] [C<n>] [l<n>] [t<n>] \
                 [T<n>] [S<bar>]"
            }
            Program::Dlx6 => {
                "[v<n>] [m<n>] [s<n>] [d<n>] [c<n>] [C<n>] [l<n>] [t<n>] [T<n>] [S<bar>] [Z<n]"
            }
            _ => "[v<n>] [m<n>] [s<n>] [d<n>] [c<n>] [C<n>] [l<n>] [t<n>] [T<n>] [S<bar>]",
        };
        let target = if program == Program::DlxPre { " > bar.dlx" } else { "" };
        stderr.say(format!("Usage: {name} {letters} < foo.dlx{target}\n").as_bytes());
        return ExitStatus::KnuthUsage;
    };
    let output = match Output::open(None) {
        Ok(output) => output,
        Err(failure) => {
            stderr.say(format!("<stdout>: {failure}\n").as_bytes());
            return ExitStatus::Bad;
        }
    };
    let mut terminal = Terminal { stderr, output: output.clone(), shape };
    let read = match input::open(Some(Path::new("-")), "") {
        Ok(input) => knuth::read(BufReader::new(input.bytes), &settings, &mut terminal),
        Err(failure) => Err(io::Error::other(failure.to_string())),
    };
    let mut machine = match read {
        Ok(Ok(machine)) => machine,
        Ok(Err(Panic(text))) => {
            terminal.say(&text);
            return ExitStatus::KnuthPanic;
        }
        Err(error) => {
            terminal.say(format!("<stdin>: {}\n", reason(&error)).as_bytes());
            return ExitStatus::Bad;
        }
    };
    let clock = flush_now_and_then(output.clone());
    machine.run(&mut terminal);
    drop(clock);
    match output.finish() {
        Ok(()) | Err(Failure::BrokenPipe) => ExitStatus::Fine,
        Err(failure) => {
            terminal.say(format!("<stdout>: {failure}\n").as_bytes());
            ExitStatus::Bad
        }
    }
}

/// Hands on what waits, until the answer is dropped.
fn flush_now_and_then(output: Output) -> Sender<()> {
    let (clock, stop) = mpsc::channel();
    // Without it blocks leave when they are full.
    let _ = thread::Builder::new().spawn(move || {
        while stop.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            if output.flush().is_err() {
                return;
            }
        }
    });
    clock
}

/// What the arguments say, and the shape file. `None` if one of them is unknown, or lacks its number.
fn settings(
    program: Program,
    args: &[OsString],
    stderr: &mut Said,
) -> Option<(Settings, Option<File>)> {
    let mut settings = Settings::new(program);
    let priced = program == Program::Dlx5;
    let mut shape = None;
    let mut good = true;
    // From the last to the first, which so has the last word.
    for arg in args.iter().rev() {
        let bytes = arg.as_encoded_bytes();
        let number = bytes.get(1..).and_then(number);
        let int = number.map(|number| number as i32);
        let set = |place: &mut i32| int.map(|value| *place = value).is_some();
        let set_long = |place: &mut u64| number.map(|value| *place = value as u64).is_some();
        good &= match bytes.first() {
            Some(b'm' | b's' | b'c' | b'C' | b'l' | b'S') if program == Program::DlxPre => false,
            Some(b'v') => set(&mut settings.verbosity),
            Some(b'm') => set(&mut settings.spacing),
            Some(b'k') if priced => match int {
                Some(best @ 1..=MOST_BEST) => {
                    settings.best = best as u32;
                    true
                }
                Some(_) => {
                    let text = format!("Sorry, parameter k must be between 1 and {MOST_BEST}!\n");
                    stderr.say(text.as_bytes());
                    false
                }
                None => false,
            },
            Some(b'Z') if priced && bytes.len() > 8 => {
                let text = "Sorry, parameter Z must specify at most 7 prefix characters!\n";
                stderr.say(text.as_bytes());
                false
            }
            Some(b'Z') if priced => {
                settings.letters = bytes[1..].to_vec();
                true
            }
            Some(b'Z') if program == Program::Dlx6 => set_long(&mut settings.most_nodes),
            Some(b'z') if priced => set(&mut settings.others),
            Some(b'h') if priced => set(&mut settings.look_ahead),
            Some(b's') if !priced => {
                settings.seed = int.or(settings.seed);
                int.is_some()
            }
            Some(b'd') => set_long(&mut settings.delta),
            Some(b'c') => set(&mut settings.choices_max),
            Some(b'C') => set(&mut settings.levels_max),
            Some(b'l') => set(&mut settings.choices_gap),
            Some(b't') => set_long(&mut settings.most),
            Some(b'T') => set_long(&mut settings.timeout),
            Some(b'S') => {
                let path = tail(arg);
                shape =
                    files::admit(Some(path.as_ref())).ok().and_then(|()| File::create(&path).ok());
                if shape.is_none() {
                    let path = path.display();
                    let text = format!("Sorry, I can't open file `{path}' for writing!\n");
                    stderr.say(text.as_bytes());
                }
                true
            }
            _ => false,
        };
    }
    good.then_some((settings, shape))
}

/// The argument without its first letter.
#[cfg(unix)]
fn tail(arg: &OsStr) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    OsString::from_vec(arg.as_bytes()[1..].to_vec())
}

/// The argument without its first letter.
#[cfg(not(unix))]
fn tail(arg: &OsStr) -> OsString {
    arg.to_string_lossy()[1..].into()
}

/// The number at the start of `text`, as `scanf` reads it: blanks, a sign, digits, and then anything.
fn number(text: &[u8]) -> Option<i64> {
    let text = text.trim_ascii_start();
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let magnitude = digits[..length].iter().fold(0i64, |number, &digit| {
        number.saturating_mul(10).saturating_add(i64::from(digit - b'0'))
    });
    (length > 0).then_some(if negative { -magnitude } else { magnitude })
}

/// Standard error, in blocks.
struct Said {
    text: Vec<u8>,
    stderr: Box<dyn Write + Send>,
}

impl Said {
    fn say(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
        if self.text.len() >= SAID {
            self.flush();
        }
    }

    fn flush(&mut self) {
        // If stderr is closed there is nobody to tell.
        let _ = self.stderr.write_all(&self.text).and_then(|()| self.stderr.flush());
        self.text.clear();
    }
}

impl Drop for Said {
    fn drop(&mut self) {
        self.flush();
    }
}

/// The streams of a run.
struct Terminal {
    stderr: Said,
    output: Output,
    shape: Option<File>,
}

impl Console for Terminal {
    fn print(&mut self, text: &[u8]) -> bool {
        self.output.push(|out| out.extend_from_slice(text)).is_ok()
    }

    fn say(&mut self, text: &[u8]) {
        self.stderr.say(text);
    }

    fn see(&mut self) {
        // Solutions come before what is said after them. If the output fails, `print` tells.
        let _ = self.output.flush();
        self.stderr.flush();
    }

    fn wants_shape(&self) -> bool {
        self.shape.is_some()
    }

    fn shape(&mut self, line: &[u8]) {
        if let Some(file) = &mut self.shape {
            // A full disk is no reason to stop.
            let _ = file.write_all(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_as_scanf_does() {
        let read = |text: &str| number(text.as_bytes());
        assert_eq!((read("1"), read("1x"), read(" +7")), (Some(1), Some(1), Some(7)));
        assert_eq!((read("-3"), read(""), read("x"), read("-")), (Some(-3), None, None, None));
        assert_eq!(read("99999999999999999999"), Some(i64::MAX));
    }

    #[test]
    fn the_first_of_several_arguments_counts() {
        let args: Vec<OsString> = ["m2", "t5", "m3"].map(OsString::from).to_vec();
        let read = settings(
            Program::Dlx2,
            &args,
            &mut Said { text: Vec::new(), stderr: Box::new(io::sink()) },
        );
        assert_eq!(read.map(|(read, _)| (read.spacing, read.most)), Some((2, 5)));
    }

    #[test]
    fn goes_by_either_name() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let found = |text: &str| {
            asked_for(&words(text)).map(|(program, name, rest)| (program.name(), name, rest.len()))
        };
        assert_eq!(found("/bin/dlx2-loop m1"), Some(("dlx2-loop", "/bin/dlx2-loop".into(), 1)));
        assert_eq!(found("q dlx1 v1 m1"), Some(("dlx1", "quadrille dlx1".into(), 2)));
        assert_eq!(found("q solve dlx1"), None);
        assert_eq!(found("q dlx1 --help"), None);
    }
}
