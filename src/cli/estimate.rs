//! `quadrille estimate`: how large the search tree of a `.dlx` file is, without a search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::cli::args::{Estimate as Flags, StatsForm};
use crate::cli::exit::{Outcome, Status};
use crate::cli::message::Messages;
use crate::cli::rules::{bind, constraints};
use crate::cli::{files, input, output, signals};
use crate::search::estimate::{Estimate, Interval, Plan, estimate};
use crate::search::portfolio::Method;
use crate::wording::counted;

/// A signal came.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Runs it.
pub fn run(flags: &Flags, messages: &Messages) -> Outcome {
    let (name, mut dlx) = input::read_dlx(input::open(flags.file.as_deref(), "a .dlx file")?)?;
    dlx.problem.branch_by(flags.branch.rule);
    files::admit(flags.output.as_deref())?;
    let rules = bind(&name, &dlx, &flags.rules, Some(messages))?;
    let problem = &dlx.problem;
    let mut constraint = constraints(problem, &rules, Method::Backtracking, false);
    signals::on_stop(|| INTERRUPTED.store(true, Ordering::Relaxed));
    let start = Instant::now();
    let mut stop = || {
        let late = flags.time_limit.is_some_and(|limit| start.elapsed() >= limit);
        late || INTERRUPTED.load(Ordering::Relaxed)
    };
    let plan = Plan { seed: flags.seed, ..Plan::default() };
    let updates = plan.updates / u64::from(plan.probes) * u64::from(flags.probes);
    let plan = Plan { probes: flags.probes, updates, ..plan };
    let estimate = signals::during("probing the tree", || {
        estimate(problem, &mut constraint, &plan, &mut stop)
    });
    let second = start.elapsed().as_secs_f64() / estimate.spent.max(1) as f64;
    let text = match flags.format {
        StatsForm::Text => text(&estimate, second),
        StatsForm::Json => json(&estimate, second),
    };
    output::write_whole(flags.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
    if estimate.stopped {
        messages.say(&format!(
            "incomplete: {} of {}",
            estimate.probes,
            counted(flags.probes, "probe")
        ));
        return Ok(Status::Incomplete);
    }
    Ok(Status::Fine)
}

/// What is to be said, by name: its interval, and whether it is a number of seconds.
fn lines(estimate: &Estimate, second: f64) -> [(&'static str, Interval); 3] {
    let Interval { mean, low, high, reliable } = estimate.updates;
    let seconds =
        Interval { mean: mean * second, low: low * second, high: high * second, reliable };
    [("nodes", estimate.nodes), ("solutions", estimate.solutions), ("seconds", seconds)]
}

fn text(estimate: &Estimate, second: f64) -> String {
    let mut text = String::new();
    for (name, Interval { mean, low, high, reliable }) in lines(estimate, second) {
        text += &match (name, estimate.exact) {
            ("seconds", true) => format!("{name:<10} {}\n", short(mean)),
            (_, true) => format!("{name:<10} {mean:.0} (exact)\n"),
            (_, false) if mean == 0.0 => format!("{name:<10} none found (unreliable)\n"),
            (_, false) => {
                let doubt = if reliable { "" } else { " (unreliable)" };
                let (mean, low, high) = (short(mean), short(low), short(high));
                format!("{name:<10} {mean}, 95%: {low} to {high}{doubt}\n")
            }
        };
    }
    let Estimate { probes, visited, .. } = estimate;
    let head = if *probes == 1 { "probe" } else { "probes" };
    text + &format!("{head:<10} {probes}, {} visited\n", counted(*visited, "node"))
}

/// A number in three digits, with an exponent if it is large.
fn short(number: f64) -> String {
    match number {
        0.0 => "0".into(),
        ..0.001 => format!("{number:.1e}"),
        ..1.0 => format!("{number:.3}"),
        ..10.0 => format!("{number:.2}"),
        ..100.0 => format!("{number:.1}"),
        ..1e6 => format!("{number:.0}"),
        _ => format!("{number:.2e}"),
    }
}

fn json(estimate: &Estimate, second: f64) -> String {
    let mut object = serde_json::Map::new();
    object.insert("v".into(), 1.into());
    for (name, Interval { mean, low, high, reliable }) in lines(estimate, second) {
        let interval = serde_json::json!({
            "estimate": mean, "low": low, "high": high, "reliable": reliable,
        });
        object.insert(name.into(), interval);
    }
    object.insert("exact".into(), estimate.exact.into());
    object.insert("complete".into(), (!estimate.stopped).into());
    object.insert("probes".into(), estimate.probes.into());
    object.insert("visited".into(), estimate.visited.into());
    serde_json::Value::Object(object).to_string() + "\n"
}
