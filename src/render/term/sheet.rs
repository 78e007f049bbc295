//! Texts side by side.

use std::io;

/// Columns between two pictures.
pub const BETWEEN: usize = 4;

/// The longest line of a text without colors.
pub fn columns(text: &[u8]) -> usize {
    let text = String::from_utf8_lossy(text);
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

/// A picture and its caption as lines.
pub struct Block {
    pub width: usize,
    pub lines: Vec<String>,
}

impl Block {
    /// `width` is how many columns the text takes.
    pub fn new(caption: &str, text: &[u8], width: usize) -> Self {
        let mut lines = vec![format!("{caption}:")];
        lines.extend(String::from_utf8_lossy(text).lines().map(str::to_owned));
        Block { width: width.max(caption.chars().count() + 1), lines }
    }
}

/// Writes blocks side by side.
pub fn write_row(row: &[Block], out: &mut dyn io::Write) -> io::Result<()> {
    let height = row.iter().map(|block| block.lines.len()).max().unwrap_or(0);
    for line in 0..height {
        let mut text = String::new();
        let mut missing = 0;
        for block in row {
            text.extend(std::iter::repeat_n(' ', missing));
            let own = block.lines.get(line).map_or("", String::as_str);
            text.push_str(own);
            missing = block.width + BETWEEN - visible(own);
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

/// Characters of a line that take a column: all but escape sequences.
fn visible(line: &str) -> usize {
    let mut count = 0;
    let mut escaped = false;
    for character in line.chars() {
        match character {
            '\x1b' => escaped = true,
            'm' if escaped => escaped = false,
            _ => count += usize::from(!escaped),
        }
    }
    count
}
