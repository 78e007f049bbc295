//! The progress bar: solutions, nodes per second, how far the search has come, what is left.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::cli::args::When;
use crate::cli::message::{Messages, is_dumb};
use crate::search::stats::Stats;
use crate::wording::counted;

/// Positions of the bar.
const STEPS: u64 = 10_000;

/// A search that ends sooner than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(300);

/// Whether stderr is a terminal on which a bar can be drawn and erased.
fn can_draw() -> bool {
    io::stderr().is_terminal() && !is_dumb()
}

/// A bar on stderr.
pub struct Progress {
    bar: ProgressBar,
    patience: Duration,
}

impl Progress {
    /// A bar, if one is wanted.
    pub fn new(when: When, messages: &Messages) -> Option<Progress> {
        let patience = match when {
            When::Never => return None,
            When::Auto if messages.quiet() || !can_draw() => return None,
            When::Auto => PATIENCE,
            When::Always => Duration::ZERO,
        };
        let target = match can_draw() {
            true => ProgressDrawTarget::stderr_with_hz(10),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(STEPS), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {percent:>3}% {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        Some(Progress { bar, patience })
    }

    /// The bar itself, for whoever writes to the same terminal.
    pub fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// Shows where the search is, of which this part is `done`, `elapsed` after its start. If stderr is no terminal but a bar is
    /// wanted, a line is written instead.
    pub fn show(&self, stats: &Stats, done: f64, elapsed: Duration) {
        if elapsed < self.patience {
            return;
        }
        let done = done.clamp(0.0, 1.0);
        let seconds = elapsed.as_secs_f64().max(1e-3);
        let rate = stats.nodes as f64 / seconds;
        let left = seconds * (1.0 - done) / done.max(1e-12);
        let left = match Duration::try_from_secs_f64(left) {
            Ok(left) if left < Duration::from_secs(100 * 365 * 86_400) => {
                format!("about {} left", HumanDuration(left))
            }
            _ => "ages left".into(),
        };
        let solutions = stats.solutions;
        let text = if stats.decisions > 0 {
            let Stats { conflicts, restarts, learned, .. } = stats;
            let conflicts = match conflicts {
                ..1000 => counted(*conflicts, "conflict"),
                _ => format!("{} conflicts", short(*conflicts as f64)),
            };
            format!(
                "{}, {conflicts}, {}, {}",
                counted(solutions, "solution"),
                counted(*restarts, "restart"),
                counted(*learned, "learned clause")
            )
        } else {
            format!("{}, {} nodes/s, {left}", counted(solutions, "solution"), short(rate))
        };
        if self.bar.is_hidden() {
            self.print(done, &text, elapsed);
        } else {
            self.bar.set_position((done * STEPS as f64) as u64);
            self.bar.set_message(text);
        }
    }

    /// A line for a log, once a second.
    fn print(&self, done: f64, text: &str, elapsed: Duration) {
        if self.bar.position() < elapsed.as_secs() {
            self.bar.set_position(elapsed.as_secs());
            // If stderr is closed there is nobody to tell.
            let _ = writeln!(io::stderr(), "{:5.1}% {text}", 100.0 * done);
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A number with three digits and a letter.
fn short(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{:.2}G", n / 1e9),
        n if n >= 1e6 => format!("{:.2}M", n / 1e6),
        n if n >= 1e3 => format!("{:.1}k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// A bar for many boards: how many are done, and how many a second. Nobody knows how many there are.
pub struct Boards {
    bar: ProgressBar,
}

impl Boards {
    /// A bar, if one is wanted and stderr is a terminal.
    pub fn new(when: When, messages: &Messages) -> Option<Boards> {
        let wanted = match when {
            When::Never => false,
            When::Auto => !messages.quiet(),
            When::Always => true,
        };
        if !wanted || !can_draw() {
            return None;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{spinner} {boards} in {elapsed}, {rate}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            // If it cannot be written there is no bar.
            let _ = match state.per_sec() {
                slow @ ..10.0 => write!(out, "{slow:.1}/s"),
                rate => write!(out, "{}/s", short(rate)),
            };
        };
        let boards = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = out.write_str(&counted(state.pos(), "board"));
        };
        bar.set_style(style.with_key("rate", rate).with_key("boards", boards));
        Some(Boards { bar })
    }

    /// The bar itself, for whoever writes to the same terminal.
    pub fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// One more is done.
    pub fn advance(&self) {
        self.bar.inc(1);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
