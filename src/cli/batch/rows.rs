//! Whether a batch is perhaps the grid of a single board, whose rows look like boards of one row.

use crate::import::{self, Format};

/// Whether all lines so far could be the rows of one board.
#[derive(Clone, Copy, Default)]
pub enum Rows {
    /// There is no line yet.
    #[default]
    None,
    /// Each is a row of so many cells; how many lines there are.
    Alike(usize, u64),
    /// They could not.
    Different,
}

impl Rows {
    /// Takes the next line into account.
    pub fn add(&mut self, text: &[u8], format: Option<Format>) {
        // Where --from says that each line is a grid there is no doubt.
        let is_row = format.is_none() && import::detect(text) == Format::Text;
        let words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
        let cells = if words > 1 { words } else { text.len() };
        *self = match *self {
            Rows::None if is_row && cells > 1 => Rows::Alike(cells, 1),
            Rows::Alike(known, lines) if is_row && cells == known => Rows::Alike(known, lines + 1),
            _ => Rows::Different,
        };
    }

    /// What to say about a batch that is perhaps none.
    pub fn doubt(&self) -> Option<String> {
        let Rows::Alike(cells, lines @ 2..) = *self else { return None };
        Some(format!(
            "each of the {lines} lines is a row of {cells} cells: are they one board? Without \
             --batch they are; with --from text they are {lines} boards for sure"
        ))
    }
}
