//! The texts of `--help`, laid out for the width of the terminal.
//!
//! What stands below the flags of a command is written without regard to widths, and `man` reads it too. A line is a
//! paragraph. A line that begins with a blank is a row: a term, two blanks, and its meaning. A line before rows that
//! ends with a colon is a heading.

use std::fmt::Write;

use clap::builder::{StyledStr, Styles};
use clap::{Command, CommandFactory};

use crate::cli::args::{Args, GROUPS};

/// Longer lines are hard to read.
const WIDEST: usize = 100;

/// Narrower terminals break words anyhow.
const NARROWEST: usize = 40;

/// Where meanings do not fit beside all terms, those of longer terms than this begin on the next line.
const LONGEST_TERM: usize = 12;

/// How far lines are indented that do not begin behind a term.
const INDENT: usize = 6;

/// How wide texts may be: as the terminal, or else as the variable COLUMNS says, within reason.
pub fn width() -> usize {
    // clap finds it out, and shows it by where it breaks lines: one of these texts has a line of exactly that width.
    let widest = |first: &str| {
        let text = first.to_owned() + &" x".repeat(WIDEST);
        let command = Command::new("").max_term_width(WIDEST).about(text);
        let help = command.help_template("{about}").render_help().to_string();
        help.lines().map(str::len).max().unwrap_or(0)
    };
    widest("x").max(widest("xx")).clamp(NARROWEST, WIDEST)
}

/// The command line with help for this width.
pub fn command(width: usize) -> Command {
    let command = Args::command().term_width(width);
    let template = template(&command, width);
    below(command, width).help_template(template)
}

/// The help of a command and its subcommands gets texts that are laid out.
fn below(command: Command, width: usize) -> Command {
    let text = command.get_after_help().map(ToString::to_string);
    let command = match text {
        Some(text) => command.after_help(StyledStr::from(laid_out(&text, width))),
        None => command,
    };
    command.mut_subcommands(|command| below(command, width))
}

/// The help of the program, with its commands in groups: clap knows one list of them only.
fn template(command: &Command, width: usize) -> StyledStr {
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    // A command is missing that this build has no feature for; clap itself adds `help`.
    let about = |name: &str| match command.find_subcommand(name).and_then(Command::get_about) {
        Some(about) => Some(about.to_string()),
        None => (name == "help").then(|| "Print this message, or the help of a command".into()),
    };
    let widest = GROUPS.iter().flat_map(|(_, names)| *names).map(|name| name.len()).max();
    for (heading, names) in GROUPS {
        text += &format!("\n{}\n", styled(&format!("{heading}:")));
        let rows: Vec<(&str, String)> =
            names.iter().filter_map(|&name| Some((name, about(name)?))).collect();
        push_rows(&rows, widest.unwrap_or(0), width, &mut text);
    }
    text += &format!("\n{}\n{{options}}{{after-help}}", styled("Options:"));
    text.into()
}

/// A heading, as clap writes its own.
fn styled(heading: &str) -> String {
    let styles = Styles::styled();
    let style = styles.get_header();
    format!("{style}{heading}{style:#}")
}

/// A line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpLine<'t> {
    /// A heading, with its colon.
    Heading(&'t str),
    /// A paragraph; one without words is a blank line.
    Paragraph(&'t str),
    /// A term and its meaning.
    Row(&'t str, &'t str),
}

/// The lines of a text.
pub fn lines(text: &str) -> Vec<HelpLine<'_>> {
    let mut lines = Vec::new();
    let mut rest = text.lines().peekable();
    while let Some(line) = rest.next() {
        let is_before_rows = rest.peek().is_some_and(|next| next.starts_with(' '));
        lines.push(match line.trim_start().split_once("  ") {
            Some((term, meaning)) if line.starts_with(' ') => HelpLine::Row(term, meaning.trim_start()),
            _ if line.starts_with(' ') => HelpLine::Row(line.trim_start(), ""),
            _ if is_before_rows && line.ends_with(':') => HelpLine::Heading(line),
            _ => HelpLine::Paragraph(line),
        });
    }
    lines
}

/// The text in lines of at most this width.
fn laid_out(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut rows: Vec<(&str, String)> = Vec::new();
    let flush = |rows: &mut Vec<(&str, String)>, out: &mut String| {
        let longest = |most| {
            let terms = rows.iter().map(|(term, _)| term.len());
            terms.filter(|&term| term <= most).max().unwrap_or(INDENT - 4)
        };
        let all = longest(usize::MAX);
        let fits = rows.iter().all(|(_, meaning)| 2 + all + 2 + meaning.len() <= width);
        push_rows(rows, if fits { all } else { longest(LONGEST_TERM) }, width, out);
        rows.clear();
    };
    for line in lines(text) {
        if let HelpLine::Row(term, meaning) = line {
            rows.push((term, meaning.to_owned()));
            continue;
        }
        flush(&mut rows, &mut out);
        match line {
            HelpLine::Heading(heading) => out += &styled(heading),
            HelpLine::Paragraph(words) => push_filled(words, 0, 0, width, &mut out),
            HelpLine::Row(..) => {}
        }
        out.push('\n');
    }
    flush(&mut rows, &mut out);
    out.truncate(out.trim_end().len());
    out
}

/// Adds rows, whose meanings begin behind terms of this length, or on the next line if the term is longer.
pub fn push_rows(rows: &[(&str, String)], longest: usize, width: usize, out: &mut String) {
    let column = 2 + longest + 2;
    for (term, meaning) in rows {
        // A string takes all.
        let _ = write!(out, "  {term}");
        if !meaning.is_empty() {
            let mut at = 2 + term.len();
            if term.len() > longest {
                out.push('\n');
                at = 0;
            }
            out.extend(std::iter::repeat_n(' ', column - at));
            push_filled(meaning, column, column, width, out);
        }
        out.push('\n');
    }
}

/// Adds words in lines of at most this width. The first line has `at` characters already; the others are indented.
pub fn push_filled(words: &str, mut at: usize, indent: usize, width: usize, out: &mut String) {
    let mut is_first = true;
    for word in words.split_ascii_whitespace() {
        let length = word.chars().count();
        if !is_first && at + 1 + length > width {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            at = indent;
        } else if !is_first {
            out.push(' ');
            at += 1;
        }
        out.push_str(word);
        at += length;
        is_first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Rows:\n  a  the first\n  abc  the second one\n\nA paragraph: it ends here.";

    #[test]
    fn texts_have_headings_rows_and_paragraphs() {
        use HelpLine::{Heading, Paragraph, Row};
        let [first, second] = [Row("a", "the first"), Row("abc", "the second one")];
        let [blank, end] = [Paragraph(""), Paragraph("A paragraph: it ends here.")];
        assert_eq!(lines(TEXT), [Heading("Rows:"), first, second, blank, end]);
    }

    #[test]
    fn meanings_stand_in_a_column_and_are_filled() {
        let text = StyledStr::from(laid_out(TEXT, 16)).to_string();
        let rows = "Rows:\n  a    the first\n  abc  the\n       second\n       one\n";
        assert_eq!(text, format!("{rows}\nA paragraph: it\nends here."));
    }

    #[test]
    fn each_command_is_in_one_group() {
        let command = Args::command();
        let commands = command.get_subcommands().map(Command::get_name).chain(["help"]);
        let grouped = GROUPS.iter().flat_map(|(_, names)| *names).copied();
        assert_eq!(grouped.collect::<Vec<_>>(), commands.collect::<Vec<_>>());
    }

    /// The man page has a paragraph for each row.
    #[test]
    fn each_row_has_a_meaning() {
        let command = Args::command();
        for command in command.get_subcommands().chain([&command]) {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            for line in lines(&text) {
                let is_whole = !matches!(line, HelpLine::Row(term, meaning) if term.is_empty() || meaning.is_empty());
                assert!(is_whole, "{}: {line:?}", command.get_name());
            }
        }
    }
}
