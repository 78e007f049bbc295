//! The constraints that flags ask for, bound to the names of a file; and complaints about files that do not carry what is asked.

use crate::cli::exit::Failure;
use crate::cli::long::split::is_part;
use crate::cli::message::Messages;
use crate::constraint::graph::BindError;
use crate::constraint::registry::{Origin, Unbound};
use crate::constraint::{Constraint, Constraints};
use crate::diagnostic::Diagnostic;
use crate::dlx::parse::{Dlx, Notes};
use crate::dlx::words;

/// Binds constraints to the names of a file. All commands judge a file here, so that all say the
/// same of it; without `messages`, nobody is warned of what cannot hold.
pub fn bind(
    name: &str,
    dlx: &Dlx,
    wanted: &[&dyn Constraint],
    messages: Option<&Messages>,
) -> Result<Constraints, Failure> {
    let mut warn = |what: &str| {
        if let Some(messages) = messages {
            messages.warning(name, dlx.notes.item_line, what);
        }
    };
    let origin = match (is_part(&dlx.header), dlx.origins.is_empty()) {
        (true, _) => Origin::Part,
        (false, false) => Origin::Reduced,
        (false, true) => Origin::Whole,
    };
    let bound = Constraints::bind(&dlx.problem, origin, wanted, &mut warn);
    bound.map_err(|error| unbound(name, dlx, &error))
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

/// The names of a file do not carry what a constraint needs; shows the item.
fn unbound(name: &str, dlx: &Dlx, Unbound { flag, error }: &Unbound) -> Failure {
    let (name, line) = (name.to_owned(), dlx.notes.item_line);
    if let BindError::Other(what) = error {
        return Failure::Refused { name, line, what: what.clone() };
    }
    let text = &dlx.notes.item_text;
    let what = format!("{error}: {flag} needs the names of docs/names.md");
    let item = error.item().map(str::as_bytes);
    // A bound may stand before the name.
    let is = |word: &[u8]| word.rsplit(|&byte| byte == b'|').next() == item;
    let found = words(text, 0).find(|span| is(&text[span.clone()]));
    let diagnostic = Diagnostic::new(line, text, found.unwrap_or(0..0), what);
    Failure::Input { name, diagnostic: Box::new(diagnostic) }
}
