//! `--stats`: what a run counted and used, for people or as JSON.

use std::time::Duration;

use serde_json::json;

use crate::cli::args::StatsForm;
use crate::search::stats::Stats;

/// All that `--stats` tells.
pub struct Summary<'a> {
    /// The engine that ran.
    pub engine: &'static str,
    /// The branching rule of the search tree in whose order solutions are printed.
    pub branch: &'static str,
    /// Whether the search was exhausted.
    pub complete: bool,
    /// Of a search for the cheapest, whether no other solution is cheaper.
    pub optimal: Option<bool>,
    /// What it counted.
    pub stats: &'a Stats,
    /// Time for reading.
    pub read: Duration,
    /// Time for searching.
    pub search: Duration,
    /// The most memory used, in bytes.
    pub peak: usize,
}

impl Summary<'_> {
    /// The text for stderr, without a final newline.
    pub fn text(&self, form: StatsForm) -> String {
        let Summary { engine, branch, complete, stats, peak, .. } = self;
        let (read, search) = (self.read.as_secs_f64(), self.search.as_secs_f64());
        // A figure that an engine does not have is null.
        let learns = *engine == "learn";
        let tree = |value: serde_json::Value| if learns { json!(null) } else { value };
        let lists = |value: u64| if *engine == "links" { json!(value) } else { json!(null) };
        let learned = |value: u64| if learns { json!(value) } else { json!(null) };
        let kept = |value: u64| if *engine == "memo" { json!(value) } else { json!(null) };
        match form {
            StatsForm::Json => json!({
                "v": 1,
                "engine": engine,
                "branch": branch,
                "complete": complete,
                "optimal": self.optimal,
                "solutions": stats.total().to_string(),
                "nodes": tree(json!(stats.nodes)),
                "updates": lists(stats.updates),
                "cleansings": lists(stats.cleansings),
                "profile": tree(json!(stats.profile)),
                "conflicts": learned(stats.conflicts),
                "decisions": learned(stats.decisions),
                "restarts": learned(stats.restarts),
                "learned": learned(stats.learned),
                "hits": kept(stats.hits),
                "memos": kept(stats.memos),
                "zdd_nodes": stats.diagram,
                "read_seconds": read,
                "search_seconds": search,
                "peak_bytes": peak,
            })
            .to_string(),
            StatsForm::Text => {
                let open = match (complete, self.optimal) {
                    (true, _) => "",
                    (false, Some(true)) => " (no other is cheaper)",
                    (false, _) => " (the search was not exhausted)",
                };
                let mut lines = vec![
                    ("engine", (*engine).to_owned()),
                    ("branching", (*branch).to_owned()),
                    ("solutions", format!("{}{open}", stats.total())),
                ];
                if learns {
                    lines.extend([
                        ("conflicts", stats.conflicts.to_string()),
                        ("decisions", stats.decisions.to_string()),
                        ("restarts", stats.restarts.to_string()),
                        ("learned", stats.learned.to_string()),
                    ]);
                } else {
                    lines.push(("nodes", stats.nodes.to_string()));
                    if *engine == "links" {
                        lines.push(("updates", stats.updates.to_string()));
                        lines.push(("cleansings", stats.cleansings.to_string()));
                    }
                    if *engine == "memo" {
                        lines.push(("hits", stats.hits.to_string()));
                        lines.push(("memos", stats.memos.to_string()));
                    }
                    lines.push(("levels", stats.profile.len().to_string()));
                }
                lines.extend(stats.diagram.map(|nodes| ("ZDD nodes", nodes.to_string())));
                lines.extend([
                    ("reading", format!("{read:.3} s")),
                    ("searching", format!("{search:.3} s")),
                    ("memory", format!("{:.1} MB", *peak as f64 / 1e6)),
                ]);
                let lines: Vec<String> =
                    lines.iter().map(|(name, value)| format!("{name:<11} {value}")).collect();
                lines.join("\n")
            }
        }
    }
}
