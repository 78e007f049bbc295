//! Puzzles that are exact cover problems with colors: what a kind of puzzle has to say about itself.
//!
//! ```
//! use quadrille::dlx::write::Writer;
//! use quadrille::puzzle::{Model, find};
//!
//! let slitherlink = find("slither").unwrap();
//! let clues = slitherlink.read(b"4\n").unwrap();
//! let mut text = Vec::new();
//! slitherlink.write(&clues, Model::default(), &mut Writer::new(&mut text)).unwrap();
//! assert!(text.ends_with(b"11 01:1 10:1 12:1 21:1\n"));
//! ```
//!
//! A new kind is a file here that implements [`Kind`], one word in the list at the end of this
//! one, and its fixtures. Nothing else has a list of kinds.

pub mod clues;
pub mod grid;
pub mod lattice;
pub mod parity;
pub mod plain;
pub mod rules;
#[cfg(test)]
mod testing;

use crate::constraint::Constraint;
use crate::diagnostic::Diagnostic;
use crate::dlx::write::Writer;
use crate::names::Role;
use crate::picture::Picture;
use clues::{Clue, Clues, Coloring, Sketch};
use grid::Sheet;
use rules::BrokenRule;
use std::io;

/// How to write a board as a problem, where a kind knows several ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// Leave out the reductions that clues allow; same solutions, larger search.
    pub unreduced: bool,
}

/// What [`Kind::write`] has to say about the problem it wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// A sentence that says which clues contradict each other, if some do in an obvious way.
    pub contradiction: Option<String>,
    /// Names and values for statistics.
    pub figures: Vec<(&'static str, u64)>,
}

/// The destination of a generator.
pub type Out<'w> = Writer<&'w mut dyn io::Write>;

/// One kind of puzzle. Used through `&dyn Kind`: a run calls each method once or twice.
pub trait Kind: Sync {
    /// The name on the command line, lower case.
    fn name(&self) -> &'static str;

    /// Other names that people use.
    fn aliases(&self) -> &'static [&'static str];

    /// The rule in one line.
    fn rule(&self) -> &'static str;

    /// What one may write in a cell, for messages and help.
    fn legend(&self) -> &'static str;

    /// The constraints that complete the rule: what a cover alone cannot say.
    fn constraints(&self) -> &'static [&'static dyn Constraint];

    /// Which places a solution colors: those that the constraints read.
    fn role(&self) -> Role {
        self.constraints().first().map_or(Role::Cell, |first| first.declaration().role)
    }

    /// The comment before the board in a .dlx file, such as `slitherlink-dlx:`.
    fn header(&self) -> &'static str;

    /// The clues of a sheet of rows, or what is wrong with it.
    fn parse(&self, sheet: &Sheet) -> Result<Clues, Diagnostic>;

    /// Appends the text of one clue; the inverse of `parse`. `separated` is what
    /// [`is_separated`](Self::is_separated) says about the board.
    fn cell(&self, clue: Clue, separated: bool, text: &mut Vec<u8>);

    /// Whether the clues of this board need blanks between them, since some have several digits.
    fn is_separated(&self, _: &Clues) -> bool {
        false
    }

    /// Pushes the problem: [`board_comments`](Self::board_comments), items, options. Fails only
    /// when `out` does, or when `clues` are larger than coordinates can say, which no reader lets
    /// pass.
    fn write(&self, clues: &Clues, model: Model, out: &mut Out) -> io::Result<Report>;

    /// Draws the clues, and a solution if there is one, or what is known of all. The sketch may be
    /// partial or wrong.
    fn draw(&self, clues: &Clues, sketch: Option<&Sketch>) -> Picture;

    /// Whether a coloring obeys the rules of the puzzle, all of them. Shares no code with `write`,
    /// since tests use it as the oracle.
    fn check(&self, clues: &Clues, coloring: &Coloring) -> Result<(), BrokenRule>;

    /// Reads a board from text in the puzzle's own format.
    fn read(&self, text: &[u8]) -> Result<Clues, Diagnostic> {
        self.parse(&Sheet::of_text(text)?)
    }

    /// The board as text that `read` takes back, with a line end after each line.
    fn text(&self, clues: &Clues) -> Vec<u8> {
        let mut text = Vec::new();
        let separated = self.is_separated(clues);
        for (_, col, clue) in clues.iter() {
            // In a board of one column, a blank before the number says that it is one number.
            if separated && (col > 0 || clues.cols == 1) {
                text.push(b' ');
            }
            self.cell(clue, separated, &mut text);
            if col + 1 == clues.cols {
                text.push(b'\n');
            }
        }
        if clues.full {
            text.extend_from_slice(grid::FULL.as_bytes());
            text.push(b'\n');
        }
        text
    }

    /// Pushes the header and the board as comments, from which [`from_comments`] reads them back.
    fn board_comments(&self, clues: &Clues, out: &mut Out) -> io::Result<()> {
        out.comment(self.header().as_bytes())?;
        let text = self.text(clues);
        text.trim_ascii_end().split(|&byte| byte == b'\n').try_for_each(|row| out.comment(row))
    }
}

/// The kind with this name or alias, in any case.
pub fn find(name: &str) -> Option<&'static dyn Kind> {
    let is = |other: &&str| other.eq_ignore_ascii_case(name);
    KINDS.iter().copied().find(|kind| is(&kind.name()) || kind.aliases().iter().any(is))
}

/// The names of all kinds, for messages.
pub fn names() -> String {
    KINDS.iter().map(|kind| kind.name()).collect::<Vec<&str>>().join(", ")
}

/// The name or alias of a kind that differs from this one by a letter or two.
pub fn near(name: &str) -> Option<&'static str> {
    let known = KINDS.iter().flat_map(|kind| kind.aliases().iter().copied().chain([kind.name()]));
    let near = known.map(|known| (strsim::levenshtein(known, &name.to_lowercase()), known));
    near.filter(|&(distance, _)| distance <= 2).min().map(|(_, near)| near)
}

/// Reads the kind and the board back from the comments at the head of a .dlx file. `head` is the
/// file, or at least its lines before the item line. `None` if no comment is the header of a kind.
pub fn from_comments(head: &[u8]) -> Option<Result<(&'static dyn Kind, Clues), Diagnostic>> {
    KINDS.iter().copied().find_map(|kind| {
        let sheet = Sheet::of_comments(head, kind.header())?;
        Some(sheet.and_then(|sheet| Ok((kind, kind.parse(&sheet)?))))
    })
}

/// The error of a generator that got a board beyond all coordinates.
pub(crate) fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "the board is larger than coordinates can say")
}

/// Declares the modules of the kinds and registers them; one word a kind, sorted.
macro_rules! kinds {
    ($($kind:ident),* $(,)?) => {
        $(pub mod $kind;)*
        /// All kinds of puzzles, by name.
        pub static KINDS: &[&dyn Kind] = &[$(&$kind::KIND),*];
    };
}

kinds! { hitori, masyu, slitherlink }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_sorted_and_their_names_differ() {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name()).collect();
        assert!(names.is_sorted());
        let mut all: Vec<&str> = KINDS.iter().flat_map(|kind| kind.aliases()).copied().collect();
        all.extend(names);
        for name in &all {
            assert_eq!(all.iter().filter(|other| other == &name).count(), 1, "{name}");
            assert!(find(&name.to_uppercase()).is_some());
        }
        assert!(find("chess").is_none());
    }
}
