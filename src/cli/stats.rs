//! `--stats`: what a run counted and used, for people or as JSON.

use std::time::Duration;

use serde_json::json;

use crate::cli::args::StatsForm;
use crate::search::stats::Stats;

/// All that `--stats` tells.
pub struct Summary<'a> {
    /// The engine that ran.
    pub engine: &'static str,
    /// Whether the search was exhausted.
    pub complete: bool,
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
        let Summary { engine, complete, stats, peak, .. } = self;
        let (read, search) = (self.read.as_secs_f64(), self.search.as_secs_f64());
        match form {
            StatsForm::Json => json!({
                "engine": engine,
                "complete": complete,
                "solutions": stats.solutions.to_string(),
                "nodes": stats.nodes,
                "updates": stats.updates,
                "cleansings": stats.cleansings,
                "profile": stats.profile,
                "conflicts": null,
                "read_seconds": read,
                "search_seconds": search,
                "peak_bytes": peak,
            })
            .to_string(),
            StatsForm::Text => format!(
                "engine      {engine}\n\
                 solutions   {}{}\n\
                 nodes       {}\n\
                 updates     {}\n\
                 cleansings  {}\n\
                 levels      {}\n\
                 reading     {read:.3} s\n\
                 searching   {search:.3} s\n\
                 memory      {:.1} MB",
                stats.solutions,
                if *complete { "" } else { " (the search was not exhausted)" },
                stats.nodes,
                stats.updates,
                stats.cleansings,
                stats.profile.len(),
                *peak as f64 / 1e6,
            ),
        }
    }
}
