//! Runs what the documentation shows: each `console` block of README.md, docs/*.md, docs/notes/*.md,
//! tests/transcripts/*.md and fixtures/regress/*.md, as a person would type it.
//!
//! ```text
//! $ a command for the shell, with pipes; a backslash at the end of a line continues it
//! ? 4
//! what it prints on the terminal: stdout and stderr
//! ```
//!
//! The line with `?` is there if the exit status is not 0. A line `...` stands for any lines, `[..]`
//! for any text within a line. Commands run in a folder in which the files of the repository appear;
//! what they write stays there, and the next blocks of the same document see it.
//!
//! `TRANSCRIPTS=overwrite cargo test --test transcripts` puts what commands really print into the
//! documents. Look at the difference before you believe it.
//!
//! trycmd would do all this, but knows no pipes (its commands are single programs); we compare with
//! the same machinery.

/// The grammar for editors is the one that the package for VS Code names; its rules are all there.
#[test]
fn the_grammar_for_editors_is_whole() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/editors");
    let read = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).expect("is there");
        (serde_json::from_str::<serde_json::Value>(&text).expect("is JSON"), text)
    };
    let (package, _) = read("package.json");
    let named = &package["contributes"]["grammars"][0];
    let (grammar, text) = read(named["path"].as_str().expect("a path"));
    assert_eq!(grammar["scopeName"], "source.dlx");
    assert_eq!(grammar["scopeName"], named["scopeName"]);
    // Rules are included by name.
    let included = text.split("\"#").skip(1).filter_map(|rest| rest.split('"').next());
    let lacking: Vec<&str> =
        included.filter(|&rule| grammar["repository"].get(rule).is_none()).collect();
    assert!(lacking.is_empty(), "{lacking:?}");
}

#[cfg(not(unix))]
#[test]
fn the_documentation_shows_what_commands_print() {
    println!("skipped: needs sh");
}

#[cfg(unix)]
mod sh {
    use std::fs;
    use std::ops::Range;
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    use snapbox::cmd::Command;
    use snapbox::{Assert, Data};

    /// No command of the documentation takes this long, unless it hangs.
    const PATIENCE: Duration = Duration::from_secs(120);

    /// A command and what follows it in a document.
    struct Step {
        /// Where the document has its first line, from 1.
        line: usize,
        command: String,
        status: i32,
        output: String,
        /// The lines of status and output in the document, from 0.
        lines: Range<usize>,
    }

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR"))
    }

    /// The documents, sorted.
    fn documents() -> Vec<PathBuf> {
        let mut all = vec![root().join("README.md")];
        for folder in ["docs", "docs/notes", "tests/transcripts", "fixtures/regress"] {
            let entries = fs::read_dir(root().join(folder)).into_iter().flatten();
            all.extend(entries.map(|entry| entry.expect("a file").path()));
        }
        all.retain(|path| path.is_file() && path.extension().is_some_and(|end| end == "md"));
        all.sort();
        all
    }

    /// The steps of all `console` blocks of a document.
    fn steps(text: &str) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        // Inside a block: its fence, and how far it is indented.
        let mut block: Option<(String, usize)> = None;
        let mut open = false;
        let mut lines = text.lines().enumerate();
        while let Some((i, line)) = lines.next() {
            let trimmed = line.trim_start();
            let indent = line.len() - trimmed.len();
            let fence: String = trimmed.chars().take_while(|&c| c == '`').collect();
            match &block {
                None if fence.len() >= 3 => {
                    open = trimmed[fence.len()..].trim() == "console";
                    block = Some((fence, indent));
                }
                Some((end, _)) if trimmed.trim_end() == end => block = None,
                Some((_, left)) if open => {
                    let line = line.get(*left..).unwrap_or(trimmed);
                    if let Some(command) = line.strip_prefix("$ ") {
                        let mut command = command.to_owned();
                        let mut next = i + 1;
                        while command.ends_with('\\') {
                            let Some((j, more)) = lines.next() else { break };
                            command.push('\n');
                            command.push_str(more.trim_start());
                            next = j + 1;
                        }
                        steps.push(Step {
                            line: i + 1,
                            command,
                            status: 0,
                            output: String::new(),
                            lines: next..next,
                        });
                    } else if let Some(step) = steps.last_mut() {
                        step.lines.end = i + 1;
                        match line.strip_prefix("? ").map(str::parse) {
                            Some(Ok(status)) if step.output.is_empty() => step.status = status,
                            _ => step.output += &format!("{line}\n"),
                        }
                    } else {
                        panic!("line {}: a console block begins with `$ `", i + 1);
                    }
                }
                _ => {}
            }
        }
        steps
    }

    /// A folder in which the files of the repository appear.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for entry in fs::read_dir(root()).expect("the repository") {
            let name = entry.expect("an entry").file_name();
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                std::os::unix::fs::symlink(root().join(&name), folder.path().join(&name))
                    .expect("a link");
            }
        }
        folder
    }

    /// Runs a command with the program that cargo built; answers with its exit status and what a
    /// terminal would show.
    fn run(command: &str, folder: &Path) -> (i32, String) {
        let program = Path::new(env!("CARGO_BIN_EXE_quadrille"));
        let mut path = vec![program.parent().expect("a folder").to_owned()];
        path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(folder)
            .env("PATH", std::env::join_paths(path).expect("a search path"))
            .env("NO_COLOR", "1")
            .env_remove("COLUMNS")
            .timeout(PATIENCE)
            .stderr_to_stdout()
            .output()
            .expect("sh runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        (output.status.code().expect("no signal ends a command"), text)
    }

    /// Runs a document; answers with what does not agree, and with the document as it should be.
    fn check(name: &str, text: &str) -> (usize, Vec<String>, String) {
        let folder = folder();
        let steps = steps(text);
        let assert = Assert::new().normalize_paths(false);
        let mut wrong = Vec::new();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for step in &steps {
            let (status, output) = run(&step.command, folder.path());
            let same = assert.try_eq(
                Some(&format!("{name}:{}: $ {}", step.line, step.command)),
                Data::text(output.clone()),
                Data::text(step.output.clone()),
            );
            let mut fault = same.err().map(|error| error.to_string()).unwrap_or_default();
            if status != step.status {
                fault += &format!(
                    "{name}:{}: $ {}\nexit status {status}, not {}\n",
                    step.line, step.command, step.status
                );
            }
            if !fault.is_empty() {
                wrong.push((step.lines.clone(), status, output, fault));
            }
        }
        for (span, status, output, _) in wrong.iter().rev() {
            let status = (*status != 0).then(|| format!("? {status}"));
            let output = output.lines().map(str::to_owned);
            lines.splice(span.clone(), status.into_iter().chain(output));
        }
        let faults = wrong.into_iter().map(|(_, _, _, fault)| fault).collect();
        (steps.len(), faults, lines.join("\n") + "\n")
    }

    #[test]
    fn the_documentation_shows_what_commands_print() {
        let overwrite = std::env::var_os("TRANSCRIPTS").is_some_and(|how| how == "overwrite");
        let mut faults = Vec::new();
        let mut count = 0;
        for path in documents() {
            let text = fs::read_to_string(&path).expect("a document");
            let name = path.strip_prefix(root()).expect("a file of the repository");
            let (steps, wrong, right) = check(&name.display().to_string(), &text);
            println!("{}: {steps} commands", name.display());
            if overwrite && !wrong.is_empty() {
                fs::write(&path, right).expect("a document that can be written");
            }
            count += steps;
            faults.extend(wrong);
        }
        assert!(count > 0, "no command at all");
        assert!(faults.is_empty() || overwrite, "\n{}", faults.join("\n"));
    }

    #[test]
    fn reads_commands_statuses_and_outputs() {
        let text =
            "words\n```console\n$ one \\\n    two\n? 3\nout\n\n$ three\n```\n```sh\n$ no\n```\n";
        let steps = steps(text);
        let read: Vec<_> = steps
            .iter()
            .map(|step| (step.line, step.command.as_str(), step.status, step.output.as_str()))
            .collect();
        assert_eq!(read, [(3, "one \\\ntwo", 3, "out\n\n"), (8, "three", 0, "")]);
    }

    #[test]
    fn tells_right_from_wrong() {
        let wrong = |text: &str| check("test", text).1.len();
        assert_eq!(wrong("```console\n$ echo a; echo b >&2\na\nb\n```\n"), 0);
        assert_eq!(wrong("```console\n$ echo a b c | wc -w; exit 2\n? 2\n[..]3\n```\n"), 0);
        assert_eq!(wrong("```console\n$ seq 5\n1\n...\n5\n```\n"), 0);
        assert_eq!(wrong("```console\n$ echo a >new\n$ cat new\na\n```\n"), 0);
        assert_eq!(wrong("```console\n$ echo a\nb\n```\n"), 1);
        assert_eq!(wrong("```console\n$ echo a\n```\n"), 1);
        assert_eq!(wrong("```console\n$ false\n```\n"), 1);
        let (_, _, right) = check("test", "x\n```console\n$ echo a; false\nb\n```\ny\n");
        assert_eq!(right, "x\n```console\n$ echo a; false\n? 1\na\n```\ny\n");
    }
}
