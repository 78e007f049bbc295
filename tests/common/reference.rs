//! Knuth's programs, where they are installed: in the directory `$QUADRILLE_REF`, or on the `PATH`.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The reference program of this name, or a line that says that a test is skipped. The line goes past
/// the test harness, which hides what a passing test prints.
pub fn find(name: &str) -> Option<PathBuf> {
    find_unless(name, is_ours)
}

/// The same for a program that may be written in Rust.
pub fn find_public(name: &str) -> Option<PathBuf> {
    find_unless(name, |_| false)
}

fn find_unless(name: &str, ours: fn(&Path) -> bool) -> Option<PathBuf> {
    static KNOWN: Mutex<Option<HashMap<String, Option<PathBuf>>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let entry = known.get_or_insert_default().entry(name.to_owned());
    entry
        .or_insert_with(|| {
            let found = look_up(name, ours);
            if found.is_none() {
                // In one piece, since tests run side by side.
                let line = format!("skipped: no {name} found\n");
                let _ = std::io::stderr().write_all(line.as_bytes());
            }
            found
        })
        .clone()
}

fn look_up(name: &str, ours: fn(&Path) -> bool) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let first = std::env::var_os("QUADRILLE_REF").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = first.into_iter().chain(std::env::split_paths(&path));
    folders.map(|folder| folder.join(&file)).find(|path| path.is_file() && !ours(path))
}

/// Whether a program is quadrille, which answers to the names of Knuth's programs, too. Those are
/// written in C; every Rust program has the name of this variable in it.
fn is_ours(path: &Path) -> bool {
    let text = std::fs::read(path).unwrap_or_default();
    memchr::memmem::find(&text, b"RUST_BACKTRACE").is_some()
}

/// What a reference program said.
#[derive(Clone, Debug)]
pub struct Answer {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

/// Runs `program` on `input`.
pub fn run(program: &Path, arguments: &[&str], input: &[u8]) -> Answer {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the reference program starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    let output = std::thread::scope(|scope| {
        // It may stop reading at a mistake: then the rest of the input is lost, and that is right.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the reference program ends")
    });
    Answer {
        code: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

impl Answer {
    /// Solutions, nodes, updates, cleansings, profile, from a run with `v1153` (or any verbosity that
    /// includes 1 and 128); in the order of `Found::row`.
    pub fn row(&self) -> Vec<String> {
        let total = self.stderr.lines().find(|line| line.starts_with("Altogether "));
        let total = total.unwrap_or_else(|| panic!("no total in {self:?}"));
        let words: Vec<&str> = total.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let before = |name: &str| {
            let at = words.iter().position(|word| word.starts_with(name));
            words[at.unwrap_or_else(|| panic!("no {name} in {total}")) - 1].to_owned()
        };
        let level = |line: &str| {
            let (level, nodes) = line.trim_start().split_once(": ")?;
            level.parse::<u32>().ok()?;
            nodes.parse::<u64>().ok()
        };
        let profile = self.stderr.lines().skip_while(|line| *line != "Profile:");
        let profile: Vec<String> = profile.filter_map(level).map(|n| n.to_string()).collect();
        let numbers = ["solution", "nodes", "updates", "cleansings"].map(before);
        numbers.into_iter().chain([profile.join(" ")]).collect()
    }
}
