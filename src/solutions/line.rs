//! The line of an option in Knuth's format, and what follows the option there.
//!
//! ```text
//!  A X:0 (2 of 3)            dlx2 and most others: the rank of the choice
//!  A X:0 (2 of 3) $7 [4]     dlx5: the cost, and the net cost
//!  A X:0                     ssxcc-binary, ssmcc, xccdc
//!  null A (3 of 3)           dlx3: item A takes no other option
//! ```
//!
//! Items may have names such as `(2`, `of`, `$7` or `null`. So a line is read in each way that its form allows,
//! and it is the file that decides: the first way counts that gives an option of the problem.

use std::ops::Range;

use crate::dlx::{parse, words};
use crate::ids::{Color, ItemId, OptionId};
use crate::problem::{Entry, Problem};
use crate::solutions::catalog::Catalog;
use crate::solutions::nulls::has_slack;

/// What a line says.
pub(super) enum Line {
    /// An option.
    Option {
        /// The first one with these entries, if the problem has one.
        option: Option<OptionId>,
        /// Where its entries are.
        entries: Range<usize>,
        /// Where it stands in the text.
        span: Range<usize>,
        /// Whether a rank follows.
        ranked: bool,
        /// The item that may be meant to take no other option.
        null: Option<ItemId>,
    },
    /// This item takes no other option.
    Null(ItemId),
}

/// What is wrong with a line.
pub(super) struct LineFault {
    pub span: Range<usize>,
    pub what: String,
    pub expected: &'static str,
}

/// Reads the line of `text` from `start` on, and appends its entries.
pub(super) fn read(
    catalog: &Catalog<'_>,
    text: &[u8],
    start: usize,
    entries: &mut Vec<Entry>,
) -> Result<Line, LineFault> {
    let problem = catalog.problem;
    let words: Vec<Range<usize>> = words(text, start).collect();
    let first = entries.len();
    let mut fault = None;
    let mut known = None;
    for (length, ranked) in ways(text, &words) {
        let words = &words[..length];
        let null = null(problem, text, words);
        entries.truncate(first);
        match resolve(problem, text, words, entries) {
            Ok(()) => {
                let mut sorted = entries[first..].to_vec();
                sorted.sort_unstable();
                let option = catalog.find(&sorted);
                if option.is_some() {
                    let span = words[0].start..words[length - 1].end;
                    // Programs that print null choices print ranks.
                    let null = null.filter(|_| ranked);
                    let entries = first..entries.len();
                    return Ok(Line::Option { option, entries, span, ranked, null });
                }
                known = known.or(Some((length, ranked)));
            }
            Err(other) => fault = fault.or(Some(other)),
        }
        if let Some(item) = null {
            entries.truncate(first);
            return Ok(Line::Null(item));
        }
    }
    entries.truncate(first);
    let Some((length, ranked)) = known else {
        let span = start..words.last().map_or(start, |last| last.end);
        let none = || LineFault { span, what: "no option".into(), expected: "items" };
        return Err(fault.unwrap_or_else(none));
    };
    // It is another problem's, but it speaks of the same items.
    let words = &words[..length];
    resolve(problem, text, words, entries)?;
    let span = words[0].start..words[length - 1].end;
    Ok(Line::Option { option: None, entries: first..entries.len(), span, ranked, null: None })
}

/// Whether a rank stands at the end of a line, but for costs.
pub(super) fn is_ranked(line: &[u8]) -> bool {
    let words: Vec<Range<usize>> = words(line, 0).collect();
    ways(line, &words).next().is_some_and(|(_, ranked)| ranked)
}

/// How many words at the start of a line may be the option, and whether a rank follows. What looks like
/// a rank is one, if that makes sense; a cost without a rank before it hardly is one.
fn ways(text: &[u8], words: &[Range<usize>]) -> impl Iterator<Item = (usize, bool)> {
    let digits = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    let framed = |count: usize, back: usize, open: &[u8], close: &[u8]| {
        let word = count.checked_sub(back).map_or(&[][..], |at| &text[words[at].clone()]);
        let inner = word.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        inner.is_some_and(digits)
    };
    let is = |count: usize, back: usize, word: &[u8]| {
        count.checked_sub(back).is_some_and(|at| &text[words[at].clone()] == word)
    };
    let all = words.len();
    let mut bare = all;
    bare -= usize::from(framed(bare, 1, b"[", b"]") || framed(bare, 1, b"[$", b"]"));
    bare -= usize::from(framed(bare, 1, b"$", b""));
    let rank = framed(bare, 3, b"(", b"") && is(bare, 2, b"of") && framed(bare, 1, b"", b")");
    let ranked = match rank {
        true => Some(bare - 3),
        false => is(bare, 1, b"(?)").then(|| bare - 1),
    };
    let ways = [ranked.map(|length| (length, true)), Some((all, false)), Some((bare, false))];
    ways.into_iter().flatten().filter(|&(length, _)| length > 0)
}

/// The item of a line ` null A`, if `A` may be left out or take fewer options than it might.
fn null(problem: &Problem, text: &[u8], words: &[Range<usize>]) -> Option<ItemId> {
    let [null, item] = words else { return None };
    let item = problem.find(&text[item.clone()])?;
    (&text[null.clone()] == b"null" && has_slack(problem, item)).then_some(item)
}

/// Appends the entries that these words are.
fn resolve(
    problem: &Problem,
    text: &[u8],
    words: &[Range<usize>],
    entries: &mut Vec<Entry>,
) -> Result<(), LineFault> {
    for span in words {
        let word = &text[span.clone()];
        let end = memchr::memchr(b':', word).unwrap_or(word.len());
        let Some(item) = problem.find(&word[..end]) else {
            let what = format!("unknown item name `{}`", parse::word(&word[..end]));
            let span = span.start..span.start + end;
            return Err(LineFault { span, what, expected: "an item of the problem" });
        };
        let color = match word.get(end + 1..) {
            None => Some(Color::NONE),
            Some(text) => problem.find_color(text),
        };
        let Some(color) = color else {
            let (span, what) = (span.start + end + 1..span.end, "no option has this color".into());
            return Err(LineFault { span, what, expected: "a color of the problem" });
        };
        entries.push(Entry { item, color });
    }
    Ok(())
}
