//! `quadrille estimate`: how large the search tree of a `.dlx` file is, without a search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde_json::{Value, json};

use crate::cli::args::{EstimateArgs as Flags, StatsForm};
use crate::cli::exit::{ExitStatus, Outcome};
use crate::cli::message::Messages;
use crate::cli::rules::bind;
use crate::cli::speed::{Speed, measure};
use crate::cli::{files, input, output, signals};
use crate::constraint::Method;
use crate::large::Large;
use crate::search::estimate::{Confidence, Estimate, EstimatePlan, estimate};
use crate::wording::counted;

/// A signal came.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Runs it.
pub fn run(flags: &Flags, messages: &Messages) -> Outcome {
    let (name, mut dlx) = input::read_dlx(input::open(flags.file.as_deref(), "a .dlx file")?)?;
    dlx.problem.branch_by(flags.branch.rule);
    files::admit(flags.output.as_deref())?;
    let rules = bind(&name, &dlx, &flags.rules.asked(), Some(messages))?;
    let problem = &dlx.problem;
    let mut constraint = rules.propagators(problem, Method::Backtracking, true);
    signals::on_stop(|| INTERRUPTED.store(true, Ordering::Relaxed));
    let start = Instant::now();
    let mut stop = || {
        let late = flags.time_limit.is_some_and(|limit| start.elapsed() >= limit);
        late || INTERRUPTED.load(Ordering::Relaxed)
    };
    let plan = EstimatePlan { seed: flags.seed, ..EstimatePlan::default() };
    let work = plan.work / u64::from(plan.probes) * u64::from(flags.probes);
    let plan = EstimatePlan { probes: flags.probes, work, ..plan };
    let (estimate, speed) = signals::during("probing the tree", || {
        let estimate = estimate(problem, &mut constraint, &plan, &mut stop);
        let anew = rules.propagators(problem, Method::Backtracking, true);
        let speed = measure(problem, anew, estimate.places.clone());
        (estimate, speed)
    });
    let text = match flags.format {
        StatsForm::Text => text(&estimate, &speed),
        StatsForm::Json => json(&estimate, &speed),
    };
    output::write_whole(flags.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
    if estimate.stopped {
        messages.say(&format!(
            "incomplete: {} of {}",
            estimate.probes,
            counted(flags.probes, "probe")
        ));
        return Ok(ExitStatus::Incomplete);
    }
    Ok(ExitStatus::Fine)
}

/// What is to be said, by name.
fn lines(estimate: &Estimate, speed: &Speed) -> [(&'static str, Confidence); 3] {
    let seconds = estimate.nodes.times(speed.node, speed.width);
    [("nodes", estimate.nodes), ("solutions", estimate.solutions), ("seconds", seconds)]
}

fn text(estimate: &Estimate, speed: &Speed) -> String {
    let mut text = String::new();
    for (name, Confidence { mean, low, high, reliable }) in lines(estimate, speed) {
        let is_time = name == "seconds";
        let number = match (estimate.exact, mean.is_zero()) {
            (true, _) if !is_time => format!("{:.0} (exact)", mean.to_f64()),
            (false, true) if name == "solutions" => "none found".into(),
            (false, true) => format!("too large to estimate, at least {low}"),
            _ => format!("{mean}, 95%: {low} to {high}"),
        };
        let doubt = (!reliable).then_some("unreliable");
        let notes: Vec<&str> = is_time.then_some(speed.engine).into_iter().chain(doubt).collect();
        let notes =
            if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
        text += &format!("{name:<10} {number}{notes}\n");
    }
    let Estimate { probes, visited, .. } = estimate;
    let head = if *probes == 1 { "probe" } else { "probes" };
    text + &format!("{head:<10} {probes}, {} visited\n", counted(*visited, "node"))
}

fn json(estimate: &Estimate, speed: &Speed) -> String {
    let mut object = serde_json::Map::new();
    object.insert("v".into(), 1.into());
    for (name, Confidence { mean, low, high, reliable }) in lines(estimate, speed) {
        // What was not found is 0; what is too large is not known.
        let known = name == "solutions" || estimate.exact || !mean.is_zero();
        let mean = known.then_some(mean);
        // A number that is infinite is null.
        let number = |number: Large| json!(number.to_f64());
        let logarithm = |number: Large| json!(number.log10());
        object.insert(
            name.into(),
            json!({
                "estimate": mean.map(number), "low": number(low), "high": number(high),
                "log10": {
                    "estimate": mean.map(logarithm), "low": logarithm(low),
                    "high": logarithm(high),
                },
                "reliable": reliable,
            }),
        );
    }
    object.insert("engine".into(), speed.engine.into());
    object.insert("exact".into(), estimate.exact.into());
    object.insert("complete".into(), (!estimate.stopped).into());
    object.insert("probes".into(), estimate.probes.into());
    object.insert("visited".into(), estimate.visited.into());
    Value::Object(object).to_string() + "\n"
}
