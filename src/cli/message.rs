//! Messages on stderr: one line that editors understand, then the line of the input, marked.

use std::io::{IsTerminal, Write};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::cli::args::{CommonArgs, When};
use crate::cli::exit::Failure;
use crate::diagnostic::{Diagnostic, Excerpt};
use crate::wording::{printable, reason};

/// Where messages go, and how loud.
#[derive(Clone, Copy, Debug)]
pub struct Messages {
    quiet: bool,
    verbose: bool,
    color: bool,
    color_stdout: bool,
}

impl Messages {
    /// As the flags say; `auto` means color on a terminal unless `NO_COLOR` is set.
    pub fn new(flags: &CommonArgs) -> Messages {
        let wanted = |terminal: bool| match flags.color {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
                terminal && !no_color && !is_dumb()
            }
        };
        Messages {
            quiet: flags.quiet,
            verbose: flags.verbose,
            color: wanted(std::io::stderr().is_terminal()),
            color_stdout: wanted(std::io::stdout().is_terminal()),
        }
    }

    /// Whether results on stdout may be colored.
    pub fn color_stdout(&self) -> bool {
        self.color_stdout
    }

    /// Whether stderr shows no more than it must.
    pub fn quiet(&self) -> bool {
        self.quiet
    }

    /// Says what a flag asked for, however quiet we are. Names in it may come from anywhere: the text is made
    /// [`printable`].
    pub fn say(&self, text: &str) {
        write(&printable(text.as_bytes(), true));
    }

    /// Says something that helps, unless quiet.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.say(text);
        }
    }

    /// Says why there is one thread, if another number is wanted.
    pub fn note_one_thread(&self, wanted: usize, why: &str) {
        if wanted != 1 {
            self.note(&format!("threads: 1 ({why})"));
        }
    }

    /// Says more, if asked to.
    pub fn detail(&self, text: &str) {
        if self.verbose && !self.quiet {
            self.say(text);
        }
    }

    /// Warns about a line of an input; `line` 0 is the whole of it.
    pub fn warning(&self, name: &str, line: u64, what: &str) {
        if !self.quiet {
            let place = if line == 0 { name.to_owned() } else { format!("{name}:{line}:1") };
            self.headed(&place, "warning:", "33", what);
        }
    }

    /// Explains why a subcommand gave up.
    pub fn failure(&self, failure: &Failure) {
        let (place, what) = match failure {
            Failure::Input { name, diagnostic } => {
                let Diagnostic { line, column, what, .. } = &**diagnostic;
                (format!("{name}:{line}:{column}"), what.clone())
            }
            Failure::Refused { name, line, what } => {
                (format!("{name}:{}:1", line.max(&1)), what.clone())
            }
            Failure::Unwritable { name, what } => (name.clone(), what.clone()),
            Failure::Io { name, error } => (name.clone(), reason(error)),
            _ => (String::new(), failure.to_string()),
        };
        self.headed(&place, "error:", "31", &what);
        if let Failure::Input { diagnostic, .. } = failure {
            write(&self.marked(diagnostic));
        }
    }

    /// Advice below an error.
    pub fn help(&self, text: &str) {
        self.say(&format!("  = help: {text}"));
    }

    /// A line that editors understand: where, what kind of message, what. It stays one line.
    fn headed(&self, place: &str, kind: &str, code: &str, what: &str) {
        let place = printable(place.as_bytes(), false);
        let what = printable(what.as_bytes(), false);
        let gap = if place.is_empty() { "" } else { ": " };
        match self.color {
            true => write(&format!("{place}{gap}\x1b[1;{code}m{kind}\x1b[0m {what}")),
            false => write(&format!("{place}{gap}{kind} {what}")),
        }
    }

    /// The excerpt with its mark, what was expected, and the guess.
    fn marked(&self, diagnostic: &Diagnostic) -> String {
        let (text, mark) = shown(&diagnostic.excerpt);
        let label = diagnostic.expected.as_ref();
        let label = label.map(|what| printable(format!("expected {what}").as_bytes(), false));
        let line = usize::try_from(diagnostic.line).unwrap_or(usize::MAX);
        let mut annotation = AnnotationKind::Primary.span(mark);
        if let Some(label) = &label {
            annotation = annotation.label(label);
        }
        let snippet = Snippet::source(&text).line_start(line).annotation(annotation);
        let mut groups = vec![annotate_snippets::Group::with_level(Level::ERROR).element(snippet)];
        if let Some(help) = &diagnostic.help {
            let level = Level::HELP;
            let help = printable(help.as_bytes(), false);
            groups = vec![groups.remove(0).element(level.message(help))];
        }
        let renderer = if self.color { Renderer::styled() } else { Renderer::plain() };
        renderer.term_width(240).render(&groups)
    }
}

/// Puts a text on stderr, and a line feed.
fn write(text: &str) {
    // In one piece, since others may write there too. If it is closed there is nobody to tell.
    let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// Whether the terminal, if there is one, understands no escape sequences.
pub fn is_dumb() -> bool {
    // Without a name nobody knows what it understands; on Windows none has one.
    std::env::var_os("TERM").map_or(cfg!(unix), |term| term == "dumb")
}

/// The excerpt as text of one line, and where its mark falls there.
fn shown(excerpt: &Excerpt) -> (String, std::ops::Range<usize>) {
    let mut text = String::new();
    let mut append = |bytes: &[u8]| -> usize {
        // Tabs stay: the renderer knows how wide they are. A line has no line feed.
        text.push_str(&printable(bytes, true));
        text.len()
    };
    if excerpt.cut.0 {
        append(b"...");
    }
    let start = append(&excerpt.text[..excerpt.mark.start]);
    let end = append(&excerpt.text[excerpt.mark.clone()]);
    append(&excerpt.text[excerpt.mark.end..]);
    if excerpt.cut.1 {
        append(b"...");
    }
    (text, start..end)
}
