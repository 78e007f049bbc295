//! Who hears of a search from the command line.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::cli::control::{Control, Stop};
use crate::cli::progress::Progress;
use crate::cli::signals;
use crate::search::fraction::fraction;
use crate::search::{Moment, Observer};
use crate::solution::Choices;
use crate::wording::counted;

/// Stops one of several searches that run at once.
pub struct Watch<'a>(pub &'a Control);

impl Observer for Watch<'_> {
    fn solution(&mut self, _: &dyn Choices) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tick(&mut self, _: &Moment<'_>) -> ControlFlow<()> {
        if self.0.stopped().is_none() {
            return ControlFlow::Continue(());
        }
        // The flag is up again for the others.
        self.0.attention.store(true, Ordering::Relaxed);
        ControlFlow::Break(())
    }
}

/// How many choices the state of an interrupted search shows.
const SHOWN: usize = 16;

/// Hands solutions on, shows progress, and stops a search when it is time.
pub struct Visitor<'a> {
    pub control: &'a Control,
    pub progress: Option<Progress>,
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

impl Observer for Visitor<'_> {
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

    fn lacks_memory(&mut self) -> bool {
        self.control.take_shortage()
    }

    fn tick(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        if let Some(progress) = &self.progress {
            progress.show(moment, fraction(moment.choices), self.start.elapsed());
        }
        if self.control.is_asked() {
            tell(self.progress.as_ref(), moment, self.start.elapsed());
        }
        match self.control.stopped() {
            Some(why) => {
                if why == Stop::Interrupted {
                    self.state = Some(state(moment, self.start.elapsed()));
                }
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        }
    }
}

/// Tells whoever asked where a search is that goes on.
pub fn tell(progress: Option<&Progress>, moment: &Moment<'_>, elapsed: Duration) {
    let text = format!("{}\nso far: at least {}", state(moment, elapsed), moment.stats.total());
    match progress {
        Some(progress) => progress.bar().suspend(|| signals::say(&text)),
        None => signals::say(&text),
    }
}

/// Where a search is, for whoever interrupted it: what it has done, and the choices that stand.
/// An engine that learns has none to show.
pub fn state(moment: &Moment<'_>, elapsed: Duration) -> String {
    let Moment { stats, choices } = moment;
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
        let done = 100.0 * fraction(*choices).clamp(0.0, 1.0);
        text += &format!(", about {done:.1}% of the tree; level {levels}, choices");
        for level in 0..levels.min(SHOWN) {
            let choice = choices.choice(level);
            text += &format!(" {}/{}", choice.rank, choice.degree);
        }
        text += if levels > SHOWN { " ..." } else { "" };
    }
    text
}
