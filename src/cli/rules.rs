//! The rules beyond exact cover that flags ask for, read from the names of a file; and complaints about
//! files that do not carry what is asked.

use crate::cli::args;
use crate::cli::exit::Failure;
use crate::cli::long::split::is_part;
use crate::cli::message::Messages;
use crate::constraint::connected::propagator::ConnectedPropagator;
use crate::constraint::final_test::FinalTest;
use crate::constraint::graph::{BindError, Cells, Graph, colored_width};
use crate::constraint::single_loop::propagator::{self, SingleLoopPropagator};
use crate::constraint::{Conjunction, Propagator};
use crate::diagnostic::Diagnostic;
use crate::dlx::parse::{Dlx, Notes, nearest};
use crate::dlx::words;
use crate::names::Role;
use crate::problem::Problem;
use crate::proof;
use crate::search::portfolio::Method;
use crate::solutions::verify::Verifier;
use crate::wording::printable;

/// Rules beyond exact cover, bound to a problem.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The edges of color 1 of this graph must form one loop.
    pub single_loop: Option<Graph>,
    /// For each of these colors its cells must be connected.
    pub connected: Vec<(String, ConnectedPropagator)>,
    /// Those cells.
    cells: Option<Cells>,
}

impl Rules {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.single_loop.is_none() && self.connected.is_empty()
    }

    /// Who says of finished solutions whether they obey.
    pub fn verifier<'p>(&self, problem: &'p Problem) -> Verifier<'p> {
        let Rules { single_loop, connected, cells } = self;
        let mut verifier = Verifier::new(problem);
        if let Some(graph) = single_loop {
            verifier = verifier.with_loop(graph.clone());
        }
        for ((color, _), cells) in connected.iter().zip(cells.iter().cycle()) {
            verifier = verifier.with_connected(cells.clone(), color.as_bytes());
        }
        verifier
    }

    /// The same rules as the checker of proofs knows them.
    pub fn of_proof(&self) -> proof::Rules {
        let cells = self.cells.iter().cycle();
        let area = |((color, _), cells): (&(String, _), &Cells)| {
            (color.clone().into_bytes(), cells.clone())
        };
        let connected = self.connected.iter().zip(cells).map(area).collect();
        proof::Rules { single_loop: self.single_loop.clone(), connected }
    }
}

/// Binds the rules that flags ask for to the names of a file. All commands judge a file here, so that all say the
/// same of it; without `messages`, nobody is warned of what cannot hold.
pub fn bind(
    name: &str,
    dlx: &Dlx,
    wanted: &args::Rules,
    messages: Option<&Messages>,
) -> Result<Rules, Failure> {
    let refuse = |error, flag| unbound(name, dlx, &error, flag);
    let warn = |what: &str| {
        if let Some(messages) = messages {
            messages.warning(name, dlx.notes.item_line, what);
        }
    };
    let mut rules = Rules::default();
    // In what `reduce` and `split --copy` make, options are missing that the original has: there a color may well
    // be gone. In any other file it is a mistake.
    let lacks_options = !dlx.origins.is_empty() || is_part(&dlx.header);
    if wanted.single_loop {
        let graph = match Graph::read(&dlx.problem) {
            Err(BindError::PrimaryEdge(_)) if is_uncolored_part(dlx) => Graph::default(),
            read => read.map_err(|error| refuse(error, "--loop"))?,
        };
        if graph.edges.is_empty() {
            warn("no option colors an item that has the name of an edge, so there is no loop");
        }
        rules.single_loop = Some(graph);
    }
    for color in &wanted.connected {
        let cells = match Cells::read(&dlx.problem) {
            Err(BindError::NoCells) if lacks_options => None,
            read => Some(read.map_err(|error| refuse(error, "--connected"))?),
        };
        let colors = cells.as_ref().map_or(Vec::new(), |cells| cells.colors(&dlx.problem));
        if colors.contains(&color.as_bytes()) {
            let rule = ConnectedPropagator::new(&dlx.problem, color.as_bytes());
            let rule = rule.map_err(|error| refuse(error, "--connected"))?;
            rules.connected.push((color.clone(), rule));
            rules.cells = cells;
        } else if lacks_options {
            warn(&format!(
                "no option gives a cell the color `{color}`: there is nothing to connect"
            ));
        } else {
            return Err(unknown_color(name, dlx, color, &colors));
        }
    }
    Ok(rules)
}

/// Whether this is a part of a problem in which no option colors an edge any more. Then names of primary
/// items say nothing: the whole may have its edges elsewhere.
fn is_uncolored_part(dlx: &Dlx) -> bool {
    is_part(&dlx.header) && colored_width(&dlx.problem, Role::Edge).is_none()
}

/// How many colors an error lists.
const LISTED: usize = 8;

/// No option gives a cell the color of a `--connected`.
fn unknown_color(name: &str, dlx: &Dlx, color: &str, colors: &[&[u8]]) -> Failure {
    let quoted = |color: &[u8]| format!("`{}`", printable(color, false));
    let known: Vec<String> = colors.iter().take(LISTED).map(|color| quoted(color)).collect();
    let more = if colors.len() > LISTED { ", ..." } else { "" };
    let near = nearest(color.as_bytes(), colors.iter().copied());
    // Of two colors each is as near as the other.
    let guess = near.or(colors.first().copied().filter(|_| colors.len() == 1));
    let guess = guess.map(|near| format!("; did you mean {}?", quoted(near)));
    let what = format!(
        "no option gives a cell the color `{color}` of --connected, only {}{more}{}",
        known.join(", "),
        guess.unwrap_or_default()
    );
    Failure::Refused { name: name.to_owned(), line: dlx.notes.item_line, what }
}

/// The rules as constraints. For `learn` the loop forbids edges ahead; `links` would not visit the
/// tree of `dlx2-loop` then. Without pruning they are tests of complete solutions only.
pub fn constraints(
    problem: &Problem,
    rules: &Rules,
    method: Method,
    no_prune: bool,
) -> Conjunction {
    let mut constraints = Conjunction::new();
    if let Some(graph) = &rules.single_loop {
        let rule = SingleLoopPropagator::new(problem, graph);
        let rule = match method {
            Method::Backtracking => rule,
            Method::Learning => rule.with_blocks(propagator::PAY),
        };
        constraints.push(pruned(rule, no_prune));
    }
    for (_, rule) in &rules.connected {
        constraints.push(pruned(rule.clone(), no_prune));
    }
    constraints
}

/// The constraint as it is, or without its pruning.
fn pruned<C: Propagator + 'static>(constraint: C, no_prune: bool) -> Box<dyn Propagator> {
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
fn unbound(name: &str, dlx: &Dlx, error: &BindError, flag: &str) -> Failure {
    let text = &dlx.notes.item_text;
    let what = format!("{error}: {flag} needs the names of docs/names.md");
    let item = error.item().map(str::as_bytes);
    // A bound may stand before the name.
    let is = |word: &[u8]| word.rsplit(|&byte| byte == b'|').next() == item;
    let found = words(text, 0).find(|span| is(&text[span.clone()]));
    let diagnostic = Diagnostic::new(dlx.notes.item_line, text, found.unwrap_or(0..0), what);
    Failure::Input { name: name.to_owned(), diagnostic: Box::new(diagnostic) }
}
