//! Runs the program.

use std::path::{Path, PathBuf};
use std::time::Duration;

use snapbox::Data;
use snapbox::cmd::Command;
use tempfile::TempDir;

/// No run of these tests takes this long, unless it hangs.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The program that cargo built for these tests.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_quadrille");

/// What a run left behind.
#[derive(Debug)]
pub struct Ran {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Asserts the exit status; shows all of the run if it is another.
    #[track_caller]
    pub fn exits(self, status: i32) -> Ran {
        assert_eq!(self.status, status, "exit status of {self:#?}");
        self
    }

    /// Asserts stdout to the byte.
    #[track_caller]
    pub fn prints(self, stdout: &str) -> Ran {
        assert_eq!(self.stdout, stdout, "stdout; stderr is {:?}", self.stderr);
        self
    }

    /// Asserts that stderr contains a text.
    #[track_caller]
    pub fn says(self, what: &str) -> Ran {
        assert!(self.stderr.contains(what), "no `{what}` on stderr of {self:#?}");
        self
    }

    /// Asserts that stderr is empty.
    #[track_caller]
    pub fn silently(self) -> Ran {
        assert_eq!(self.stderr, "", "stderr");
        self
    }

    /// Asserts a refusal: exit status 2, a sentence on stderr, nothing on stdout.
    #[track_caller]
    pub fn refuses(self, what: &str) -> Ran {
        self.exits(2).prints("").says("error: ").says(what)
    }

    /// The lines of stdout.
    pub fn lines(&self) -> Vec<&str> {
        self.stdout.lines().collect()
    }
}

/// A run to be, without input and without what the environment says about colors and instructions.
pub fn command() -> Command {
    ["NO_COLOR", "CLICOLOR_FORCE", "QUADRILLE_INSTRUCTIONS"]
        .iter()
        .fold(Command::new(PROGRAM), |command, name| command.env_remove(name))
        .timeout(PATIENCE)
}

/// Runs a command.
#[track_caller]
pub fn finish(command: Command) -> Ran {
    let output = command.output().expect("the program runs");
    Ran {
        status: output.status.code().expect("no signal ends the program"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs `quadrille` with these arguments, which contain no blanks, and no input.
#[track_caller]
pub fn quadrille(args: &str) -> Ran {
    finish(command().args(args.split_whitespace()))
}

/// Runs `quadrille` with these arguments, which contain no blanks, and an input.
#[track_caller]
pub fn feed(args: &str, input: impl Into<Vec<u8>>) -> Ran {
    finish(command().args(args.split_whitespace()).stdin(Data::binary(input)))
}

/// A folder of its own for a test, which is removed after it.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(TempDir::new().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file.
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("a file in the temporary folder");
        path
    }

    /// Runs `quadrille` in the folder.
    #[track_caller]
    pub fn quadrille(&self, args: &str) -> Ran {
        finish(command().current_dir(self.0.path()).args(args.split_whitespace()))
    }

    /// Runs `quadrille` in the folder with an input.
    #[track_caller]
    pub fn feed(&self, args: &str, input: impl Into<Vec<u8>>) -> Ran {
        let command = command().current_dir(self.0.path()).args(args.split_whitespace());
        finish(command.stdin(Data::binary(input)))
    }

    /// The names of all files in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("the folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The text of a file.
    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file of the folder")
    }
}

/// A file of `fixtures/`, as an argument.
pub fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    assert!(path.exists(), "no fixture {name}");
    path.display().to_string()
}
