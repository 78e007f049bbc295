//! Messages on stderr: one line that editors understand, then the line of the input, marked.

use std::io::{IsTerminal, Write};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::cli::args::{Common, When};
use crate::cli::exit::Failure;
use crate::diagnostic::{Diagnostic, Excerpt};

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
    pub fn new(flags: &Common) -> Messages {
        let wanted = |terminal: bool| match flags.color {
            When::Always => true,
            When::Never => false,
            When::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
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

    /// Says what a flag asked for, however quiet we are.
    pub fn say(&self, text: &str) {
        // In one piece, since others may write there too. If it is closed there is nobody to tell.
        let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
    }

    /// Says something that helps, unless quiet.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.say(text);
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
        if line == 0 {
            self.note(&format!("{name}: {} {what}", self.label("warning:", "33")));
        } else {
            self.note(&format!("{name}:{line}:1: {} {what}", self.label("warning:", "33")));
        }
    }

    /// Explains why a subcommand gave up.
    pub fn failure(&self, failure: &Failure) {
        let error = self.label("error:", "31");
        match failure {
            Failure::Input { name, diagnostic } => self.diagnostic(name, diagnostic),
            Failure::Refused { name, line, what } => {
                self.say(&format!("{name}:{}:1: {error} {what}", line.max(&1)));
            }
            Failure::Unwritable { name, what } => self.say(&format!("{name}: {error} {what}")),
            Failure::Io { name, error: why } => self.say(&format!("{name}: {error} {why}")),
            _ => self.say(&format!("{error} {failure}")),
        }
    }

    fn label(&self, text: &str, code: &str) -> String {
        if self.color { format!("\x1b[1;{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn diagnostic(&self, name: &str, diagnostic: &Diagnostic) {
        let Diagnostic { line, column, what, .. } = diagnostic;
        self.say(&format!("{name}:{line}:{column}: {} {what}", self.label("error:", "31")));
        self.say(&self.marked(diagnostic));
    }

    /// The excerpt with its mark, what was expected, and the guess.
    fn marked(&self, diagnostic: &Diagnostic) -> String {
        let (text, mark) = printable(&diagnostic.excerpt);
        let label = diagnostic.expected.as_ref().map(|what| format!("expected {what}"));
        let line = usize::try_from(diagnostic.line).unwrap_or(usize::MAX);
        let mut annotation = AnnotationKind::Primary.span(mark);
        if let Some(label) = &label {
            annotation = annotation.label(label);
        }
        let snippet = Snippet::source(&text).line_start(line).annotation(annotation);
        let mut groups = vec![annotate_snippets::Group::with_level(Level::ERROR).element(snippet)];
        if let Some(help) = &diagnostic.help {
            let level = Level::HELP;
            groups = vec![groups.remove(0).element(level.message(help))];
        }
        let renderer = if self.color { Renderer::styled() } else { Renderer::plain() };
        renderer.term_width(240).render(&groups)
    }
}

/// The excerpt as text of one line, and where its mark falls there.
fn printable(excerpt: &Excerpt) -> (String, std::ops::Range<usize>) {
    let mut text = String::new();
    let mut append = |bytes: &[u8]| -> usize {
        for c in String::from_utf8_lossy(bytes).chars() {
            text.push(if c == '\t' || !c.is_control() { c } else { char::REPLACEMENT_CHARACTER });
        }
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
