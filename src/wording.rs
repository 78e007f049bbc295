//! How messages put things: text that cannot harm a terminal, and numbers with their nouns.

use std::fmt::Write;

/// `text` without anything that a terminal would obey: control characters become escapes such as `\u{1b}`,
/// bytes that are no UTF-8 such as `\xff`. Line feeds and tabs stay if `lines` says so.
pub fn printable(text: &[u8], lines: bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' | '\t' if lines => shown.push(c),
                _ if c.is_control() => shown.extend(c.escape_debug()),
                _ if reorders(c) => shown.extend(c.escape_unicode()),
                _ => shown.push(c),
            }
        }
        for byte in chunk.invalid() {
            // A string takes all.
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    shown
}

/// Characters that cannot be seen and change what is: the order of others, or where lines end (Boucher and Anderson,
/// "Trojan Source", 2021).
fn reorders(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The reason of an error in words, without the number that the system has for it.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(at) if text.ends_with(')') => text[..at].to_owned(),
        _ => text,
    }
}

/// A number and its noun: `1 board`, `2 boards`, `0 entries`.
pub fn counted(number: impl TryInto<u64> + Copy + std::fmt::Display, noun: &str) -> String {
    match noun {
        _ if number.try_into().is_ok_and(|number| number == 1) => format!("{number} {noun}"),
        "entry" => format!("{number} entries"),
        "vertex" => format!("{number} vertices"),
        _ => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_printable_is_changed() {
        for text in ["", "A1:x", "Zug \\ 'é' 数 ▓", "\u{1F9E9}"] {
            assert_eq!(printable(text.as_bytes(), false), text);
        }
    }

    /// C0, DEL, C1, what is no UTF-8 (an overlong slash, half a character), and what reorders.
    #[test]
    fn nothing_is_left_that_a_terminal_obeys() {
        let text = b"\x1b[31m\x07\x7f\xc2\x9b\x9b\xc0\xaf\xe2\x80\n\t\xe2\x80\xae!";
        let shown = "\\u{1b}[31m\\u{7}\\u{7f}\\u{9b}\\x9b\\xc0\\xaf\\xe2\\x80\\n\\t\\u{202e}!";
        assert_eq!(printable(text, false), shown);
        assert_eq!(printable(text, true), shown.replace("\\n\\t", "\n\t"));
    }

    #[test]
    fn one_has_no_plural() {
        assert_eq!([counted(0, "board"), counted(1, "board")], ["0 boards", "1 board"]);
        assert_eq!([counted(1, "vertex"), counted(2u64, "vertex")], ["1 vertex", "2 vertices"]);
        assert_eq!([counted(1, "entry"), counted(3usize, "entry")], ["1 entry", "3 entries"]);
    }

    #[test]
    fn a_reason_has_no_number() {
        let error = std::io::Error::from_raw_os_error(2);
        assert!(error.to_string().contains("os error") && !reason(&error).contains("os error"));
        assert_eq!(reason(&std::io::Error::other("is a directory")), "is a directory");
    }
}
