//! What editors of some systems put at the start of a text, and texts that are not made of bytes at all.

/// A byte order mark in UTF-8. It says nothing, and is skipped.
pub const MARK: &[u8] = b"\xef\xbb\xbf";

/// How many bytes at the start of `text` are a byte order mark.
pub fn mark(text: &[u8]) -> usize {
    if text.starts_with(MARK) { MARK.len() } else { 0 }
}

/// The text behind its mark, if it has one.
pub fn unmarked(text: &[u8]) -> &[u8] {
    &text[mark(text)..]
}

/// The lines of a text, from 1, and how many bytes at the start of each are a mark.
pub fn lines(text: &[u8]) -> impl Iterator<Item = (u64, &[u8], usize)> {
    let lines = text.split(|&byte| byte == b'\n').zip(1..);
    lines.map(|(line, number)| (number, line, if number == 1 { mark(line) } else { 0 }))
}

/// What is said of a text in UTF-16.
pub const UTF16: &str = "this is UTF-16";

/// What was expected in its place.
pub const BYTES: &str = "UTF-8, or another encoding that contains ASCII";

/// How to get from the one to the other.
pub const CONVERT: &str = "`iconv -f UTF-16 -t UTF-8` converts it";

/// Whether a text that begins with `head` is in UTF-16, or in UTF-32.
///
/// Each format that we read has its first character from ASCII, which there has a NUL byte beside it; or
/// there is a mark, and NUL bytes after it. Bytes alone that look like the mark may be a name.
pub fn is_utf16(head: &[u8]) -> bool {
    match head {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => memchr::memchr(0, head).is_some(),
        [0, 0, 0xfe, 0xff, ..] => true,
        &[a, b, ..] if (a == 0) != (b == 0) => {
            // One NUL byte may be a mistake; of characters from ASCII each has one, on the same side.
            head.chunks_exact(2)
                .take(8)
                .all(|pair| (pair[0] == 0, pair[1] == 0) == (a == 0, b == 0))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_utf16_from_bytes() {
        for text in ["A B\nA B\n", "| comment\n", "1:\n", "{}"] {
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            assert!(!is_utf16(text.as_bytes()) && is_utf16(&little) && is_utf16(&big));
            assert!(is_utf16(&[b"\xff\xfe", &little[..]].concat()));
            assert!(is_utf16(&[b"\xfe\xff", &big[..]].concat()));
        }
        assert!(!is_utf16(b"A\0B\n") && !is_utf16(b"\0A\n\0"));
        assert!(!is_utf16(b"\xff\xfe B\n") && !is_utf16(b"") && !is_utf16(b"A"));
    }
}
