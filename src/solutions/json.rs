//! JSON: names in it, and where the members of an object stand.

use std::ops::Range;

use crate::dlx::{is_blank, words};

/// A name or a color as a string of JSON. A byte that is no part of UTF-8 is written `:ff`, a colon and two
/// hexadecimal digits. So different names stay different: none has a colon, and no color of several bytes.
pub fn quoted(name: &[u8]) -> serde_json::Value {
    let mut text = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text += &format!(":{byte:02x}");
        }
    }
    text.into()
}

/// Where the value of `key` stands in a JSON object, whose text is right. Of several the last counts.
pub(super) fn member(text: &[u8], key: &[u8]) -> Option<Range<usize>> {
    let mut depth = 0;
    let mut at = 0;
    // The last string on depth 1, and where a value after its colon begins.
    let mut name = 0..0;
    let mut value = None;
    let mut found = None;
    while at < text.len() {
        match text[at] {
            b'"' => {
                let start = at + 1;
                at = start;
                while text.get(at).is_some_and(|&byte| byte != b'"') {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                if depth == 1 && value.is_none() {
                    name = start..at;
                }
            }
            b'{' | b'[' => depth += 1,
            b':' if depth == 1 && value.is_none() => value = Some(at + 1),
            b',' | b'}' if depth == 1 => {
                if let Some(start) = value.take()
                    && text.get(name.clone()) == Some(key)
                {
                    found = words(&text[..at], start).next().map(|first| first.start..at);
                }
                depth -= i32::from(text[at] == b'}');
            }
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    let Range { start, end } = found?;
    let blanks = text[start..end].iter().rev().take_while(|&&byte| is_blank(byte)).count();
    Some(start..end - blanks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_member_of_an_object_and_no_other() {
        let text = br#"{ "n":1, "a\"n" : {"n":1}, "x":["n",2], "n" : 34 , "b":":," }"#;
        assert_eq!(member(text, b"n").map(|at| &text[at]), Some(&b"34"[..]));
        assert_eq!(member(text, b"b").map(|at| &text[at]), Some(&b"\":,\""[..]));
        assert_eq!(member(text, b"v"), None);
    }

    /// Undone, an escape gives back the bytes of the name, so that no two names have the same.
    #[test]
    fn names_that_are_no_utf8_stay_different() {
        let mut random = fastrand::Rng::with_seed(1);
        let bytes = b"Aaf0\xff\xc3\xa9\xf0\x9f\xa6\x80\x80\xed";
        for _ in 0..2000 {
            let name: Vec<u8> =
                (0..random.usize(..9)).map(|_| bytes[random.usize(..bytes.len())]).collect();
            let text = quoted(&name);
            let mut undone = Vec::new();
            for (n, part) in text.as_str().unwrap().split(':').enumerate() {
                let escape = if n > 0 { 2 } else { 0 };
                undone.extend((escape > 0).then(|| u8::from_str_radix(&part[..2], 16).unwrap()));
                undone.extend_from_slice(&part.as_bytes()[escape..]);
            }
            assert_eq!(undone, name);
        }
        assert_eq!(quoted(b":"), ":");
        assert_eq!(quoted("é".as_bytes()), "é");
    }
}
