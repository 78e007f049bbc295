//! `quadrille man`: the manual page, one for the program and all its commands, from the definitions of the command line.
//!
//! It uses the macros of man(7) alone: `.SH` and `.SS` for headings, `.TP` for a term and its meaning, `.PP` and `.IP` for
//! paragraphs.

use std::fmt::Write;

use clap::{Arg, Command, CommandFactory};

use crate::cli::args::{Args, GROUPS};
use crate::cli::exit::{ExitStatus, Outcome};
use crate::cli::help::{HelpLine, lines};
use crate::cli::instructions;
use crate::cli::output::write_whole;
use crate::puzzle;

/// Prints the page.
pub fn run() -> Outcome {
    let page = page();
    write_whole(None, |out| out.write_all(page.as_bytes()))?;
    Ok(ExitStatus::Fine)
}

/// What files the commands write, besides results.
const FILES: [(&str, &str); 5] = [
    ("FILE.dlx", "A problem: a line with the names of items, then a line for each option."),
    (
        "FILE of --checkpoint",
        "The state of a search. `solve --resume` continues it, and `split --from` divides what is left.",
    ),
    ("DIR/manifest.json", "The plan that `split` writes to DIR."),
    (
        "FILE.done",
        "Stands beside the FILE that `solve --part` writes when that part is finished; `merge` reads it.",
    ),
    (
        "DIR/proof.cnf, DIR/lemmas.txt, DIR/proof.drat",
        "A proof that `solve --proof DIR` writes: the problem as clauses, consequences of its constraints, and \
         the steps to a contradiction.",
    ),
];

/// What the environment changes.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("NO_COLOR", "If it is set and not empty, there is no color, unless --color asks for it."),
    ("TERM", "If it is `dumb`, there are no color and no progress bar."),
    (
        "COLUMNS",
        "The width of help where there is no terminal to tell it. No line is longer than 100 characters.",
    ),
    (instructions::NAME, instructions::ABOUT),
];

/// What signals do.
const SIGNALS: [(&str, &str); 2] = [
    (
        "SIGINT, SIGTERM, SIGHUP",
        "A search stops as at a limit: it prints what it found and how far it came, and saves its checkpoint. \
         The exit status is 3. Signals that were ignored when the program began stay ignored.",
    ),
    (
        "SIGUSR1, and SIGINFO where it exists",
        "The program prints on stderr how far it is, and continues.",
    ),
];

fn page() -> String {
    let mut command = Args::command();
    command.build();
    let version = command.get_version().unwrap_or_default();
    let mut page =
        format!(".TH QUADRILLE 1 \"\" \"quadrille {version}\" \"User Commands\"\n.nh\n.ad l\n");
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    push(&mut page, ".SH NAME", &format!("quadrille - {about}"));
    page += ".SH SYNOPSIS\n";
    push(&mut page, ".PP", &synopsis(&command));
    describe(&mut page);
    for (heading, names) in GROUPS {
        let _ = writeln!(page, ".SH {}", escaped(heading.to_uppercase()));
        let found = |name: &&str| command.find_subcommand(name).expect("a group has commands");
        let group: Vec<&Command> = names.iter().map(found).collect();
        // Knuth's programs share their letters.
        group
            .chunk_by(|one, other| is_shared(one, other))
            .for_each(|some| section(some, &mut page));
    }
    page += ".SH GENERAL OPTIONS\nAll commands have these options, except \\fB\\-\\-version\\fR.\n";
    command.get_arguments().for_each(|arg| option(arg, &mut page));
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    below(&text, ".SH", &mut page);
    for (heading, rows) in
        [("FILES", &FILES[..]), ("ENVIRONMENT", &ENVIRONMENT[..]), ("SIGNALS", &SIGNALS[..])]
    {
        let _ = writeln!(page, ".SH {heading}");
        rows.iter().for_each(|(term, meaning)| row(term, meaning, &mut page));
    }
    page += ".SH SEE ALSO\n";
    let see = "The folder docs of the source describes the formats of files, names of items, constraints and engines.";
    push(&mut page, ".PP", see);
    let see = "Donald E. Knuth, The Art of Computer Programming, Volume 4B, Section 7.2.2.1; and his programs at \
               https://www-cs-faculty.stanford.edu/~knuth/programs.html";
    push(&mut page, ".PP", see);
    page
}

fn describe(page: &mut String) {
    let kinds = puzzle::names();
    page.push_str(".SH DESCRIPTION\n");
    for paragraph in [
        "A problem has items and options. A solution is a set of options that together contain each primary item \
         exactly once, and that agree on the color of each secondary item. `quadrille` reads problems in the .dlx \
         format of Donald Knuth. It finds their solutions, counts them, and proves that a solution is the only one."
            .to_owned(),
        format!(
            "It turns boards of puzzles ({kinds}) into problems, adds the rules that a problem alone cannot state, \
             such as that the solution is a single loop, and draws solutions."
        ),
        "An input is a file, or standard input if no file is given or if its name is `-`. It may be compressed by \
         gzip or zstd. Results go to standard output, everything else to standard error."
            .to_owned(),
    ] {
        push(page, ".PP", &paragraph);
    }
}

fn is_shared(one: &Command, other: &Command) -> bool {
    let text = |command: &Command| command.get_after_help().map(ToString::to_string);
    text(one).is_some() && text(one) == text(other)
}

/// The usage of a command, without the word before it.
fn synopsis(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    usage.trim_start_matches("Usage:").trim().to_owned()
}

/// One command, or several with the same options.
fn section(commands: &[&Command], page: &mut String) {
    let names: Vec<&str> = commands.iter().map(|command| command.get_name()).collect();
    let _ = writeln!(page, ".SS quadrille {}", escaped(names.join(", ")));
    let about =
        |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    for command in commands {
        push(page, ".PP", &synopsis(command));
        page.push_str(".br\n");
        push(page, "", &format!("{}.", about(command)));
    }
    let Some(command) = commands.last() else { return };
    let options = command.get_arguments().filter(|arg| !arg.is_global_set() && !arg.is_hide_set());
    let mut options: Vec<&Arg> = options.collect();
    // As in the help: arguments, options without a heading, then one heading after the other.
    let mut headings: Vec<Option<&str>> = vec![None];
    headings.extend(options.iter().map(|arg| arg.get_help_heading()));
    let place = |arg: &Arg| headings.iter().position(|&one| one == arg.get_help_heading());
    options.sort_by_key(|arg| (!arg.is_positional(), place(arg)));
    let mut last = None;
    for arg in options {
        if arg.get_help_heading() != last {
            last = arg.get_help_heading();
            push(page, ".PP", &format!("{}:", last.unwrap_or("Options")));
        }
        option(arg, page);
    }
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    below(&text, ".PP", page);
}

/// An option or argument, with its values.
fn option(arg: &Arg, page: &mut String) {
    let names: Vec<String> =
        arg.get_value_names().unwrap_or_default().iter().map(escaped).collect();
    let value = if arg.is_positional() || arg.get_action().takes_values() {
        format!("\\fI{}\\fR", names.join(" "))
    } else {
        String::new()
    };
    let flags = arg.get_short().map(|short| format!("-{short}"));
    let flags = flags.into_iter().chain(arg.get_long().map(|long| format!("--{long}")));
    let flags: Vec<String> = flags.map(|flag| format!("\\fB{}\\fR", escaped(flag))).collect();
    let is_optional = arg.get_num_args().is_some_and(|range| range.min_values() == 0);
    let value = match (flags.is_empty(), value.is_empty()) {
        (true, _) | (_, true) => value,
        _ if is_optional => format!("[={value}]"),
        _ => format!(" {value}"),
    };
    let _ = writeln!(page, ".TP\n{}{value}", flags.join(", "));
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    for (number, paragraph) in help.split("\n\n").enumerate() {
        push(page, if number > 0 { ".IP" } else { "" }, paragraph);
    }
    let values = arg.get_possible_values();
    let is_flag = !arg.get_action().takes_values();
    if !is_flag && !values.is_empty() {
        let explained = values.iter().any(|value| value.get_help().is_some());
        if explained {
            page.push_str(".RS\n");
            for value in &values {
                let help = value.get_help().map(ToString::to_string).unwrap_or_default();
                row(value.get_name(), &help, page);
            }
            page.push_str(".RE\n");
        } else {
            let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
            push(page, ".IP", &format!("Values: {}.", names.join(", ")));
        }
    }
    let defaults = arg.get_default_values();
    if let (false, [default, ..]) = (is_flag, defaults) {
        push(page, ".IP", &format!("The default is {}.", default.display()));
    }
}

/// A text below the options: its headings with this macro.
fn below(text: &str, heading: &str, page: &mut String) {
    let mut is_new = true;
    for line in lines(text) {
        match line {
            HelpLine::Heading(words) if heading == ".SH" => {
                let words = words.trim_end_matches(':').to_uppercase();
                let _ = writeln!(page, ".SH {}", escaped(words));
            }
            HelpLine::Heading(words) => push(page, heading, words),
            HelpLine::Paragraph("") => is_new = true,
            HelpLine::Paragraph(words) => push(page, if is_new { ".PP" } else { "" }, words),
            HelpLine::Row(term, meaning) => row(term, meaning, page),
        }
        is_new |= !matches!(line, HelpLine::Paragraph(_));
    }
}

/// A term and its meaning.
fn row(term: &str, meaning: &str, page: &mut String) {
    let _ = writeln!(page, ".TP\n\\fB{}\\fR", escaped(term));
    push(page, "", meaning);
}

/// A request, if there is one, and a line of text.
fn push(page: &mut String, request: &str, text: &str) {
    if !request.is_empty() {
        page.push_str(request);
        page.push('\n');
    }
    let text = text.replace('\n', " ");
    if !text.is_empty() {
        // What stands in backticks is typed.
        for (number, words) in text.split('`').enumerate() {
            let words = escaped(words);
            match number % 2 {
                0 if number == 0 && words.starts_with(['.', '\\']) => {
                    page.push_str(&format!("\\&{words}"))
                }
                0 => page.push_str(&words),
                _ => page.push_str(&format!("\\fB{words}\\fR")),
            }
        }
        page.push('\n');
    }
}

/// Words without anything that the formatter would obey or replace.
fn escaped(words: impl AsRef<str>) -> String {
    let mut text = String::new();
    for c in words.as_ref().chars() {
        match c {
            '\\' => text.push_str("\\e"),
            '-' => text.push_str("\\-"),
            '\'' => text.push_str("\\(aq"),
            '`' => text.push_str("\\(ga"),
            '^' => text.push_str("\\(ha"),
            '~' => text.push_str("\\(ti"),
            '"' => text.push_str("\\(dq"),
            _ => text.push(c),
        }
    }
    text
}
