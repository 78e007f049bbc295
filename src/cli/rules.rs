//! The rules beyond exact cover that flags ask for, read from the names of a file; and complaints about
//! files that do not carry what is asked.

use crate::cli::exit::Failure;
use crate::cli::message::Messages;
use crate::constraint::connected::Connected;
use crate::constraint::final_test::FinalTest;
use crate::constraint::graph::{BindError, Graph};
use crate::constraint::single_loop::{self, SingleLoop};
use crate::constraint::{Constraint, Together};
use crate::diagnostic::Diagnostic;
use crate::dlx::parse::{Dlx, Notes};
use crate::problem::Problem;
use crate::search::portfolio::Method;
use crate::solutions::cover::words;

/// Rules beyond exact cover, bound to a problem.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The edges of color 1 of this graph must form one loop.
    pub single_loop: Option<Graph>,
    /// For each of these the cells of its color must be connected.
    pub connected: Vec<Connected>,
    /// Their colors, in the same order.
    pub colors: Vec<String>,
}

impl Rules {
    /// Warns if they want a loop of a file in which there can be none.
    pub fn warn_of_no_edges(&self, messages: &Messages, name: &str, dlx: &Dlx) {
        if self.single_loop.as_ref().is_some_and(|graph| graph.edges.is_empty()) {
            let what = "no option colors an item that has the name of an edge, so there is no loop";
            messages.warning(name, dlx.notes.item_line, what);
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.single_loop.is_none() && self.connected.is_empty()
    }
}

/// Reads from the names of a file what the rules need.
pub fn read_rules(
    name: &str,
    dlx: &Dlx,
    single_loop: bool,
    connected: &[&str],
) -> Result<Rules, Failure> {
    let refuse = |error, flag| unbound(name, dlx, &error, flag);
    let mut rules = Rules::default();
    if single_loop {
        let graph = Graph::read(&dlx.problem).map_err(|error| refuse(error, "--loop"))?;
        rules.single_loop = Some(graph);
    }
    for color in connected {
        let rule = Connected::new(&dlx.problem, color.as_bytes());
        rules.connected.push(rule.map_err(|error| refuse(error, "--connected"))?);
        rules.colors.push((*color).to_owned());
    }
    Ok(rules)
}

/// The rules as constraints. For `learn` the loop forbids edges ahead; `links` would not visit the
/// tree of `dlx2-loop` then. Without pruning they are tests of complete solutions only.
pub fn constraints(problem: &Problem, rules: &Rules, method: Method, no_prune: bool) -> Together {
    let mut constraints = Together::new();
    if let Some(graph) = &rules.single_loop {
        let rule = SingleLoop::new(problem, graph);
        let rule = match method {
            Method::Backtracking => rule,
            Method::Learning => rule.with_blocks(single_loop::PAY),
        };
        constraints.push(pruned(rule, no_prune));
    }
    for rule in &rules.connected {
        constraints.push(pruned(rule.clone(), no_prune));
    }
    constraints
}

/// The constraint as it is, or without its pruning.
fn pruned<C: Constraint + 'static>(constraint: C, no_prune: bool) -> Box<dyn Constraint> {
    if no_prune { Box::new(FinalTest::new(constraint)) } else { Box::new(constraint) }
}

/// Complains about the first bound of a file, or, if it has none, about the first cost.
pub fn dialect(name: &str, dlx: &Dlx, what: impl Into<String>) -> Failure {
    let Notes { item_line, item_text, first_cost, bounds, .. } = &dlx.notes;
    let diagnostic = if *bounds {
        // A bar on its own has secondary items behind it.
        let is_bound = |word: &[u8]| word.len() > 1 && word.contains(&b'|');
        let found = words(item_text, 0).find(|span| is_bound(&item_text[span.clone()]));
        let end = item_text.len();
        Diagnostic::new(*item_line, item_text, found.unwrap_or(end..end), what)
    } else {
        first_cost.complain(what)
    };
    Failure::Input { name: name.to_owned(), diagnostic: Box::new(diagnostic) }
}

/// The names of a file do not carry what `flag` needs; shows the item.
pub fn unbound(name: &str, dlx: &Dlx, error: &BindError, flag: &str) -> Failure {
    let text = &dlx.notes.item_text;
    let what = format!("{error}: {flag} needs the names of docs/names.md");
    let item = error.item().map(str::as_bytes);
    // A bound may stand before the name.
    let is = |word: &[u8]| word.rsplit(|&byte| byte == b'|').next() == item;
    let found = words(text, 0).find(|span| is(&text[span.clone()]));
    let diagnostic = Diagnostic::new(dlx.notes.item_line, text, found.unwrap_or(0..0), what);
    Failure::Input { name: name.to_owned(), diagnostic: Box::new(diagnostic) }
}
