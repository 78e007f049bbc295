//! A line of text that is being put together, with its colors.

use std::io;

/// How a stretch of characters is colored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    Plain,
    Faint,
    Line,
    Dark,
}

/// The line that is being put together.
pub struct StyledLine {
    pub tints: bool,
    pub text: String,
    /// Blanks that are not in `text` yet.
    pub blanks: usize,
    pub tint: Tint,
}

impl StyledLine {
    pub fn push(&mut self, character: char, tint: Tint) {
        if character == ' ' && tint != Tint::Dark {
            // Blanks wait: at the end of the line they are left out.
            if self.tint == Tint::Dark {
                self.take(Tint::Plain);
            }
            self.blanks += 1;
            return;
        }
        self.text.extend(std::iter::repeat_n(' ', self.blanks));
        self.blanks = 0;
        self.take(tint);
        self.text.push(match character {
            // In reverse video a blank is black, and the block would be white.
            '█' if self.tints => ' ',
            // Letters in cells may be any, and a terminal would obey this one.
            _ if character.is_control() => char::REPLACEMENT_CHARACTER,
            _ => character,
        });
    }

    fn take(&mut self, tint: Tint) {
        if self.tints && tint != self.tint {
            self.text.push_str(match tint {
                Tint::Plain => "\x1b[0m",
                Tint::Faint => "\x1b[0;2m",
                Tint::Line => "\x1b[0;1;32m",
                Tint::Dark => "\x1b[0;7m",
            });
            self.tint = tint;
        }
    }

    pub fn end(&mut self, out: &mut dyn io::Write) -> io::Result<()> {
        self.take(Tint::Plain);
        writeln!(out, "{}", self.text)?;
        self.text.clear();
        self.blanks = 0;
        Ok(())
    }
}
