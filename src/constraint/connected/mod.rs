//! `--connected=COLOR`: the cells of a color are rookwise connected.

pub mod automaton;
mod lemmas;
pub mod propagator;
mod verify;

use std::borrow::Cow;
use std::sync::Arc;

use crate::constraint::Propagator;
use crate::constraint::graph::{BindError, Cells};
use crate::constraint::registry::{
    Argument, Binding, BoundConstraint, Constraint, Declaration, JudgeLemma, Method, Origin, Verify,
};
use crate::dlx::is_blank;
use crate::dlx::parse::nearest;
use crate::names::Role;
use crate::problem::Problem;
use crate::wording::printable;
use propagator::ConnectedPropagator;

/// The constraint as a value.
#[derive(Clone, Debug)]
pub struct Connected {
    /// The color.
    pub color: Cow<'static, str>,
}

impl Connected {
    /// The cells of this color are connected.
    pub const fn new(color: &'static str) -> Self {
        Connected { color: Cow::Borrowed(color) }
    }
}

/// What others know of it.
pub static DECLARATION: Declaration = Declaration {
    flag: "--connected",
    help: "The cells of COLOR (1 if not given) must be rookwise connected; repeatable",
    argument: Some(Argument { name: "COLOR", default: "1" }),
    parse: |text| Ok(Arc::new(Connected { color: Cow::Owned(color(text)?) })),
    role: Role::Cell,
    claim: "the cells are connected",
    about: "connected cells",
    lemmas: &lemmas::KINDS,
};

/// Text that a file may have as a color.
fn color(text: &str) -> Result<String, String> {
    let legal = !text.is_empty() && !text.contains([':', '|', '\0']) && !text.bytes().any(is_blank);
    match legal || text == ":" || text == "|" {
        true => Ok(text.to_owned()),
        false => Err("expected a color: `:`, `|`, or text without blank, `:` and `|`".into()),
    }
}

impl Constraint for Connected {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn argument(&self) -> Option<&str> {
        Some(&self.color)
    }

    fn bind(&self, problem: &Problem, origin: Origin) -> Result<Binding, BindError> {
        let lacks_options = origin != Origin::Whole;
        let cells = match Cells::read(problem) {
            Err(BindError::NoCells) if lacks_options => None,
            read => Some(read?),
        };
        let colors = cells.as_ref().map_or(Vec::new(), |cells| cells.colors(problem));
        match cells.filter(|_| colors.contains(&self.color.as_bytes())) {
            Some(cells) => {
                let color = self.color.clone().into_owned();
                let propagator = ConnectedPropagator::new(problem, color.as_bytes())?;
                let bound = BoundCells { color, cells, propagator };
                Ok(Binding { bound: Some(Arc::new(bound)), warning: None })
            }
            None if lacks_options => {
                let color = &self.color;
                let warning = format!(
                    "no option gives a cell the color `{color}`: there is nothing to connect"
                );
                Ok(Binding { bound: None, warning: Some(warning) })
            }
            None => Err(BindError::Other(unknown(&self.color, &colors))),
        }
    }
}

/// How many colors an error lists.
const LISTED: usize = 8;

/// No option gives a cell the color.
fn unknown(color: &str, colors: &[&[u8]]) -> String {
    let quoted = |color: &[u8]| format!("`{}`", printable(color, false));
    let known: Vec<String> = colors.iter().take(LISTED).map(|color| quoted(color)).collect();
    let more = if colors.len() > LISTED { ", ..." } else { "" };
    let near = nearest(color.as_bytes(), colors.iter().copied());
    // Of two colors each is as near as the other.
    let guess = near.or(colors.first().copied().filter(|_| colors.len() == 1));
    let guess = guess.map(|near| format!("; did you mean {}?", quoted(near)));
    format!(
        "no option gives a cell the color `{color}` of --connected, only {}{more}{}",
        known.join(", "),
        guess.unwrap_or_default()
    )
}

/// The constraint in one problem.
#[derive(Debug)]
struct BoundCells {
    color: String,
    cells: Cells,
    /// In its first state. A copy takes less time than a look at all options for each engine.
    propagator: ConnectedPropagator,
}

impl BoundConstraint for BoundCells {
    fn propagator(&self, _: &Problem, _: Method) -> Box<dyn Propagator> {
        Box::new(self.propagator.clone())
    }

    fn verifier(&self, problem: &Problem) -> Box<dyn Verify> {
        Box::new(verify::Area::new(problem, self.cells.clone(), &self.color))
    }

    fn judge(&self, problem: &Problem) -> Box<dyn JudgeLemma> {
        Box::new(lemmas::CellLemmas::new(problem, self.cells.clone(), &self.color))
    }
}
