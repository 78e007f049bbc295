//! Flags that may stand alone, or have a value behind `=`: `--stats`, `--stats=json`. Many people write
//! `--stats json`. Where that can mean nothing else it is taken so; where it may be a file, an error says how to
//! write it.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::constraint::REGISTRY;

/// Such flags, besides those of constraints that have an argument.
const FLAGS: [&str; 3] = ["--stats", "--facts", "--svg"];

/// Whether a word behind such a flag can only be its value.
fn is_value(flag: &str, word: &str) -> bool {
    match flag {
        "--stats" => matches!(word, "json" | "text") && !is_file(word),
        "--facts" => matches!(word, "colors" | "options") && !is_file(word),
        // No input is a picture.
        "--svg" => word.to_ascii_lowercase().ends_with(".svg"),
        // Longer arguments look like names of files.
        _ if word.chars().count() != 1 || is_file(word) => false,
        _ => REGISTRY.iter().any(|kind| kind.flag == flag && (kind.parse)(word).is_ok()),
    }
}

fn is_file(word: &str) -> bool {
    Path::new(word).exists()
}

/// Such a flag and the word behind it, if both are there and the word is no flag.
fn pair<'w>(flag: &OsStr, word: &'w OsStr) -> Option<(&'static str, &'w str)> {
    let word = word.to_str().filter(|word| !word.starts_with('-'))?;
    let constraints = REGISTRY.into_iter().filter(|kind| kind.argument.is_some());
    let mut flags = FLAGS.into_iter().chain(constraints.map(|kind| kind.flag));
    flags.find(|name| flag == *name).map(|name| (name, word))
}

/// The command line with `=` before values that can be nothing else.
pub fn joined(args: Vec<OsString>) -> Vec<OsString> {
    let mut out: Vec<OsString> = Vec::with_capacity(args.len());
    let mut ends = false;
    // `generate` has a --stats that never has a value.
    let generates = args.get(1).is_some_and(|word| word == "generate");
    for arg in args {
        ends |= arg == "--";
        let found = out.last().filter(|_| !ends && !generates).and_then(|flag| pair(flag, &arg));
        match found {
            Some((name, word)) if is_value(name, word) => {
                let flag = format!("{name}={word}");
                out.pop();
                out.push(flag.into());
            }
            _ => out.push(arg),
        }
    }
    out
}

/// How to write `word` as the value of the flag before it, if it stands behind such a flag; or, without
/// `word`, the first one that does and is no file.
pub fn value_of(args: &[OsString], word: Option<&str>) -> Option<String> {
    let mut pairs = args.windows(2).filter_map(|two| pair(&two[0], &two[1]));
    let is_meant = |found: &str| word.map_or(!is_file(found), |word| word == found);
    let (name, value) = pairs.find(|(_, found)| is_meant(found))?;
    Some(format!("to give {name} a value, write `{name}={value}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn values_are_joined_where_they_can_be_nothing_else() {
        for (typed, meant) in [
            ("q solve --stats json F", "q solve --stats=json F"),
            ("q solve --facts options F", "q solve --facts=options F"),
            ("q solve --connected 0 --connected F", "q solve --connected=0 --connected=F"),
            ("q draw --svg a.svg --problem F", "q draw --svg=a.svg --problem F"),
            ("q solve --stats yaml F", "q solve --stats yaml F"),
            ("q solve --connected x.dlx", "q solve --connected x.dlx"),
            ("q solve --connected -", "q solve --connected -"),
            ("q solve --stats Cargo.toml", "q solve --stats Cargo.toml"),
            ("q generate masyu --stats json", "q generate masyu --stats json"),
            ("q solve -- --stats json", "q solve -- --stats json"),
        ] {
            assert_eq!(joined(words(typed)), words(meant), "{typed}");
        }
    }

    #[test]
    fn tells_how_to_write_what_is_not_joined() {
        let tip = "to give --stats a value, write `--stats=yaml`";
        assert_eq!(value_of(&words("q solve --stats yaml F"), None).as_deref(), Some(tip));
        assert_eq!(value_of(&words("q solve --stats yaml"), Some("yaml")).as_deref(), Some(tip));
        assert_eq!(value_of(&words("q solve --stats --loop x"), Some("x")), None);
    }
}
