//! `quadrille reduce`: a `.dlx` file without what no solution needs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::cli::args::Reduce;
use crate::cli::exit::{ExitStatus, Outcome};
use crate::cli::message::Messages;
use crate::cli::{files, input, output, signals};
use crate::dlx::write::Writer;
use crate::reduce::{self, Reduction};
use crate::wording::{counted, printable};

/// A signal came.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Runs it. A limit or a signal ends the reduction early; what it has come to is written all the same.
pub fn run(flags: &Reduce, messages: &Messages) -> Outcome {
    let start = Instant::now();
    let (name, dlx) = input::read_dlx(input::open(flags.file.as_deref(), "a .dlx file")?)?;
    files::admit(flags.output.as_deref())?;
    if dlx.notes.dropped > 0 {
        let dropped = counted(dlx.notes.dropped, "option");
        messages.warning(&name, 0, &format!("{dropped} ignored (no primary items)"));
    }
    signals::on_stop(|| INTERRUPTED.store(true, Ordering::Relaxed));
    let mut stop = || {
        let late = flags.time_limit.is_some_and(|limit| start.elapsed() >= limit);
        late || INTERRUPTED.load(Ordering::Relaxed)
    };
    let problem = &dlx.problem;
    let rounds = flags.rounds.unwrap_or(u64::MAX);
    let reduction = signals::during("reducing", || reduce::reduce(problem, rounds, &mut stop));
    output::write_whole(flags.output.as_deref(), |out| {
        reduce::write(problem, &reduction, &dlx.header, &mut Writer::new(out))
    })?;
    let Reduction { options, items, rounds, unfeasible, stopped } = &reduction;
    if let Some(item) = unfeasible {
        let item = printable(problem.name(*item), false);
        messages.note(&format!("there is no solution: item `{item}` cannot be covered"));
        return Ok(ExitStatus::Fine);
    }
    let gone = |left: &[bool]| left.iter().filter(|&&left| !left).count();
    messages.note(&format!(
        "removed {} of {} and {} of {} in {}",
        gone(options),
        counted(options.len(), "option"),
        gone(items),
        counted(items.len(), "item"),
        counted(*rounds, "round")
    ));
    if *stopped {
        messages.say("incomplete: stopped before nothing more could be removed");
        return Ok(ExitStatus::Incomplete);
    }
    Ok(ExitStatus::Fine)
}
