//! Where the solutions of a search go, and what a run shows of it.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::cli::control::{Control, Stop};
use crate::cli::progress::Progress;
use crate::cli::signals;
use crate::search::engine::Sink;
use crate::search::fraction::fraction;
use crate::search::learn::backbone::Order;
use crate::search::stats::Stats;
use crate::solution::Choices;
use crate::wording::counted;

/// Time between two pictures of the bar.
const SHOW: Duration = Duration::from_millis(50);

/// How many choices the state of an interrupted search shows.
const SHOWN: usize = 16;

/// Hands solutions on, shows progress, and stops a search when it is time.
pub struct Visitor<'a> {
    pub control: &'a Control,
    pub progress: Option<Progress>,
    /// When the bar was drawn last.
    pub shown: Instant,
    pub start: Instant,
    /// Stop after so many solutions.
    pub enough: u64,
    /// How many there were.
    pub found: u64,
    /// Where a signal interrupted the search, if one did.
    pub state: Option<String>,
    /// Gets each solution with its number; answers `Err` to stop.
    pub visit: &'a mut dyn FnMut(u64, &dyn Choices) -> Result<(), ()>,
}

impl Sink for Visitor<'_> {
    fn solution(&mut self, choices: &dyn Choices) -> ControlFlow<()> {
        self.found += 1;
        let visited = (self.visit)(self.found, choices);
        if visited.is_err() {
            self.control.stop(Stop::Output);
        }
        match visited.is_err() || self.found >= self.enough {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn poll(&mut self) -> ControlFlow<()> {
        match self.control.stopped() {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}

impl Visitor<'_> {
    /// Whether the bar should be drawn.
    pub fn is_due(&self) -> bool {
        self.progress.is_some() && self.shown.elapsed() >= SHOW
    }

    /// Draws the bar.
    pub fn show(&mut self, stats: &Stats, done: f64) {
        self.shown = Instant::now();
        if let Some(progress) = &self.progress {
            progress.show(stats, done, self.start.elapsed());
        }
    }

    /// Keeps where a search is, if it was interrupted.
    pub fn note(&mut self, stats: &Stats, choices: &dyn Choices) {
        if self.control.stopped() == Some(Stop::Interrupted) && self.state.is_none() {
            self.state = Some(state(stats, choices, self.start.elapsed()));
        }
    }

    /// Tells where a search is, if a signal asked.
    pub fn answer(&self, stats: &Stats, choices: &dyn Choices) {
        tell(self.progress.as_ref(), stats, choices, self.start.elapsed());
    }

    /// For a search that is made in one piece.
    pub fn order(&mut self, stats: &Stats) -> Order {
        if self.is_due() {
            let (assigned, all) = stats.assigned;
            self.show(stats, assigned as f64 / all.max(1) as f64);
        }
        if self.control.is_asked() {
            self.answer(stats, &Vec::new());
        }
        self.note(stats, &Vec::new());
        match (self.control.stopped(), self.control.take_shortage()) {
            (Some(_), _) => Order::Stop,
            (None, true) => Order::Shrink,
            (None, false) => Order::Continue,
        }
    }
}

/// Tells whoever asked where a search is that goes on.
pub fn tell(progress: Option<&Progress>, stats: &Stats, choices: &dyn Choices, elapsed: Duration) {
    let text = format!("{}\nso far: at least {}", state(stats, choices, elapsed), stats.total());
    match progress {
        Some(progress) => progress.bar().suspend(|| signals::say(&text)),
        None => signals::say(&text),
    }
}

/// Where a search is, for whoever interrupted it or asked: what it has done, and the choices that stand.
/// An engine that learns has none to show.
pub fn state(stats: &Stats, choices: &dyn Choices, elapsed: Duration) -> String {
    let mut text = match stats.conflicts {
        0 => format!("state: {}", counted(stats.nodes, "node")),
        conflicts => {
            let decisions = counted(stats.decisions, "decision");
            format!("state: {}, {decisions}", counted(conflicts, "conflict"))
        }
    };
    text += &format!(" in {:.1} s", elapsed.as_secs_f64());
    let levels = choices.levels();
    if levels > 0 {
        let done = 100.0 * fraction(choices).clamp(0.0, 1.0);
        text += &format!(", about {done:.1}% of the tree; level {levels}, choices");
        for level in 0..levels.min(SHOWN) {
            let choice = choices.choice(level);
            text += &format!(" {}/{}", choice.rank, choice.degree);
        }
        text += if levels > SHOWN { " ..." } else { "" };
    }
    text
}
