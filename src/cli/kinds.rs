//! `--list`: the kinds of puzzles, with the flags of their constraints, their rules, their other names and their clues.

use std::path::Path;

use crate::cli::exit::{ExitStatus, Outcome};
use crate::cli::{help, output};
use crate::puzzle::{KINDS, Kind};

/// Prints the list.
pub fn list(output: Option<&Path>) -> Outcome {
    let text = text(help::width());
    output::write_whole(output, |out| out.write_all(text.as_bytes()))?;
    Ok(ExitStatus::Fine)
}

/// The list, in lines of at most this width.
fn text(width: usize) -> String {
    let flags = |kind: &dyn Kind| {
        let flags: Vec<String> = kind.constraints().iter().map(|one| one.to_string()).collect();
        flags.join(" ")
    };
    let longest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let names = longest(&mut KINDS.iter().map(|kind| kind.name().len()));
    let wide = longest(&mut KINDS.iter().map(|&kind| flags(kind).len()));
    let column = names + 2 + wide + 2;
    let mut text = String::new();
    for &kind in KINDS {
        text += &format!("{:<names$}  {:<wide$}  ", kind.name(), flags(kind));
        help::push_filled(kind.rule(), column, column, width, &mut text);
        text += &format!("\n{:column$}", "");
        let other = format!("also {}; clues {}", kind.aliases().join(", "), kind.legend());
        help::push_filled(&other, column, column, width, &mut text);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_as_wide_as_the_terminal() {
        for width in [60, 80, 100] {
            let text = text(width);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
            assert!(text.lines().any(|line| line.len() > width - 20), "{text}");
        }
    }
}
