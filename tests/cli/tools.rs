//! Help, version, manual, completions.

use super::run::{command, finish, quadrille};

/// All commands, as the help lists them.
const COMMANDS: [&str; 21] = [
    "puzzle",
    "generate",
    "convert",
    "draw",
    "solve",
    "check",
    "filter",
    "estimate",
    "reduce",
    "lift",
    "split",
    "merge",
    "dlx1",
    "dlx2",
    "dlx2-loop",
    "dlx3",
    "dlx5",
    "dlx6",
    "dlx-pre",
    "completions",
    "man",
];

/// Those that take a file or have results.
const READERS: [&str; 12] = [
    "puzzle", "generate", "convert", "draw", "solve", "check", "filter", "estimate", "reduce",
    "lift", "split", "merge",
];

/// The help of a command, or of the program for an empty name, on a terminal of this width.
fn help(name: &str, flag: &str, width: usize) -> String {
    let command = command().env("COLUMNS", width.to_string());
    finish(command.args(name.split_whitespace()).arg(flag)).exits(0).silently().stdout
}

#[test]
fn help_goes_to_stdout_and_names_all_subcommands_and_statuses() {
    let help = quadrille("--help").exits(0).silently().stdout;
    for command in COMMANDS {
        assert!(help.contains(command), "{command} in {help}");
    }
    for status in 0..=4 {
        assert!(help.contains(&format!("  {status}  ")), "status {status} in {help}");
    }
    quadrille("-h").exits(0).silently();
    quadrille("help").exits(0).silently();
}

#[test]
fn every_subcommand_that_reads_has_help_with_examples() {
    for command in READERS {
        let help = quadrille(&format!("{command} --help")).exits(0).silently().stdout;
        assert!(help.contains("Usage: quadrille "), "{help}");
        assert!(help.contains("Examples:"), "examples of {command}");
        quadrille(&format!("help {command}")).exits(0).prints(&help);
    }
}

#[test]
fn version_is_that_of_the_package() {
    quadrille("--version").exits(0).prints(concat!("quadrille ", env!("CARGO_PKG_VERSION"), "\n"));
    quadrille("-V").exits(0).prints(concat!("quadrille ", env!("CARGO_PKG_VERSION"), "\n"));
}

/// No line is wider than the terminal, and lines of paragraphs are as long as they can be: they are broken once.
#[test]
fn help_is_as_wide_as_the_terminal() {
    for width in [80, 100, 120] {
        for name in COMMANDS.into_iter().chain([""]) {
            for flag in ["-h", "--help"] {
                let help = help(name, flag, width);
                for line in help.lines() {
                    assert!(line.chars().count() <= width, "{name} {flag}, {width}: {line}");
                }
                for (line, next) in help.lines().zip(help.lines().skip(1)) {
                    let is_text = |line: &str| !line.is_empty() && !line.starts_with(' ');
                    let next_word = next.split(' ').next().unwrap_or_default();
                    let longer = line.len() + 1 + next_word.len();
                    let is_broken = is_text(line) && is_text(next);
                    assert!(!is_broken || longer > width.min(100), "{name}, {width}: {line}");
                }
            }
        }
    }
}

#[test]
fn commands_and_flags_stand_under_headings() {
    let program = help("", "--help", 80);
    let place =
        |text: &str, what: &str| text.find(what).unwrap_or_else(|| panic!("no `{what}` in {text}"));
    let places: Vec<usize> =
        COMMANDS.iter().map(|name| place(&program, &format!("\n  {name} "))).collect();
    assert!(places.is_sorted(), "{program}");
    for heading in ["Boards of puzzles:", "Knuth's programs, with his arguments"] {
        place(&program, heading);
    }
    let solve = help("solve", "--help", 80);
    let headings = [
        "\nConstraints:",
        "--loop",
        "\nWhat is asked:",
        "--count",
        "\nOutput:",
        "--format",
        "\nEngines:",
        "--engine",
        "\nLimits:",
        "--time-limit",
        "\nLong searches:",
        "--threads",
        "\nGeneral options:",
        "--quiet",
        "\nExamples:",
    ];
    let places: Vec<usize> = headings.iter().map(|heading| place(&solve, heading)).collect();
    assert!(places.is_sorted(), "{solve}");
    assert!(!solve.contains("\nOptions:"), "all have a heading: {solve}");
    assert_eq!(solve.matches("--quiet").count(), 1, "{solve}");
}

#[test]
fn there_are_completions_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = quadrille(&format!("completions {shell}")).exits(0).silently().stdout;
        for word in ["quadrille", "solve", "time-limit"] {
            assert!(script.contains(word), "{word} for {shell}");
        }
    }
    // Kinds of puzzles and formats are completed, too.
    let script = quadrille("completions bash").exits(0).stdout;
    for values in
        ["hitori masyu slitherlink", "pzpr sgt text url", "penpa kanpen sgt pzpr janko text"]
    {
        assert!(script.contains(values), "{values}");
    }
}

/// The page of man, and the lines of it.
fn page() -> String {
    quadrille("man").exits(0).silently().stdout
}

#[test]
fn the_manual_page_has_all_commands_flags_and_examples() {
    let page = page();
    assert!(page.starts_with(".TH QUADRILLE 1 "), "{page}");
    let escaped = |text: &str| text.replace('-', "\\-");
    for name in COMMANDS {
        let usage = escaped(&format!("\nquadrille {name} "));
        assert!(page.contains(&usage), "usage of {name}");
    }
    for name in READERS {
        // The examples of its help are there.
        let help = help(name, "--help", 100);
        let start = format!("  quadrille {name} ");
        let examples = help.lines().filter_map(|line| line.strip_prefix(&start));
        let examples: Vec<&str> = examples.map(|line| line.split("  ").next().unwrap()).collect();
        assert!(!examples.is_empty(), "{help}");
        for example in examples {
            let example = escaped(&format!("quadrille {name} {example}")).replace('\'', "\\(aq");
            assert!(page.contains(&format!("\\fB{example}")), "{example}");
        }
    }
    let solve = help("solve", "--help", 80);
    let entries = solve.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let flags = entries.filter_map(|line| line.split("--").nth(1));
    let flags = flags.filter_map(|flag| flag.split([' ', '[', ',', '.', '`']).next());
    let mut count = 0;
    for flag in flags {
        count += 1;
        assert!(page.contains(&escaped(&format!("\\fB--{flag}\\fR"))), "{flag}");
    }
    assert!(count >= 30, "{solve}");
    for section in [
        "EXAMPLES",
        "EXIT STATUS",
        "FILES",
        "ENVIRONMENT",
        "SIGNALS",
        "SEE ALSO",
        "GENERAL OPTIONS",
    ] {
        assert!(page.contains(&format!(".SH {section}\n")), "{section}");
    }
    for word in ["NO_COLOR", "QUADRILLE_INSTRUCTIONS", "SIGUSR1", "fBC<n>", "fBZ<abc>", "fBk<n>"] {
        assert!(page.contains(word), "{word}");
    }
    assert_eq!(page.matches("fB\\-\\-color\\fR").count(), 1, "it stands there once");
    assert!(!page.contains("quadrille\\-"), "there is one page only");
}

#[test]
fn the_manual_page_has_no_line_that_is_misread() {
    let requests = [".TH", ".SH", ".SS", ".TP", ".PP", ".IP", ".RS", ".RE", ".br", ".nh", ".ad"];
    let page = page();
    for line in page.lines() {
        let is_request = line.starts_with(['.', '\'']);
        let request = line.split(' ').next().unwrap_or_default();
        assert!(!is_request || requests.contains(&request), "{line}");
        assert!(!line.contains('\t') && !line.contains('`') && !line.is_empty(), "{line}");
        // No sign that a formatter makes another of.
        let words =
            line.replace("\\-", "").replace("\\(", "").replace("\\f", "").replace("\\&", "");
        assert!(!words.contains('-') && !words.contains('\\'), "{line}");
    }
    assert_eq!(page.matches(".RS").count(), page.matches(".RE").count());
    // Where there is a formatter it has nothing to complain of.
    let groff = snapbox::cmd::Command::new("groff").args(["-man", "-ww", "-Tutf8", "-z"]);
    match groff.stdin(snapbox::Data::text(page)).output() {
        Ok(output) => assert_eq!(String::from_utf8_lossy(&output.stderr), ""),
        Err(error) => eprintln!("skipped: no groff ({error})"),
    }
}
