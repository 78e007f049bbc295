//! No file uses a floor above its own. The floors are the table under "Floors" in docs/architecture.md.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A module's place: its floor, and the row of the table. Rows on the same floor do not see each other.
type Place = (u32, usize);

/// Reads rows such as ``| 1 | `problem`, `solution` | ... |``.
fn floors(text: &str) -> BTreeMap<String, Place> {
    let mut floors = BTreeMap::new();
    let section = text.lines().skip_while(|line| line.trim() != "## Floors").skip(1);
    for (row, line) in section.take_while(|line| !line.starts_with("## ")).enumerate() {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let Some(Ok(floor)) = cells.next().map(str::parse::<u32>) else { continue };
        // Every other piece between backticks is a name.
        for name in cells.next().unwrap_or_default().split('`').skip(1).step_by(2) {
            let twice = floors.insert(name.to_owned(), (floor, row));
            assert!(twice.is_none(), "`{name}` is twice in the table");
        }
    }
    floors
}

/// The modules that a source uses by `crate::`: the first word of each path, also in groups.
fn uses(source: &str) -> Vec<(usize, String)> {
    let mut uses = Vec::new();
    for (number, line) in source.lines().enumerate() {
        // Comments may speak of anything.
        let code = line.split("//").next().unwrap_or_default();
        for (at, _) in code.match_indices("crate::") {
            let path = &code[at + "crate::".len()..];
            let mut add = |path: &str| {
                let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let word: String = path.trim_start().chars().take_while(|&c| is_word(c)).collect();
                if !word.is_empty() {
                    uses.push((number + 1, word));
                }
            };
            match path.strip_prefix('{') {
                // rustfmt puts a group on one line, or each part on a line of its own.
                Some(group) => {
                    let rest = source.lines().skip(number + 1).take_while(|_| !group.contains('}'));
                    let group: String = std::iter::once(group).chain(rest).collect();
                    top_level(group.split("};").next().unwrap_or_default()).for_each(&mut add);
                }
                None => add(path),
            }
        }
    }
    uses
}

/// The parts of a group that are not in an inner group.
fn top_level(group: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    group.split(move |c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    })
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("is readable").path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn no_file_uses_a_floor_above_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("docs/architecture.md")).expect("is there");
    let floors = floors(&text);
    assert!(floors.len() > 10, "the table was not found: {floors:?}");
    let source = root.join("src");
    let mut files = Vec::new();
    sources(&source, &mut files);
    files.sort();
    let mut complaints = Vec::new();
    let mut edges = 0;
    let mut seen = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&source).expect("is below src");
        let first = inside.components().next().expect("is below src").as_os_str();
        let module = first.to_string_lossy().trim_end_matches(".rs").to_owned();
        if module == "lib" || module == "main" {
            continue;
        }
        let Some(&(floor, row)) = floors.get(&module) else {
            complaints.push(format!("`{module}` is not in the table of docs/architecture.md"));
            continue;
        };
        let text = std::fs::read_to_string(&file).expect("is text");
        for (line, used) in uses(&text) {
            edges += 1;
            let place = format!("src/{}:{line}", inside.display());
            match floors.get(&used) {
                None => complaints.push(format!("{place} uses `{used}`, not in the table")),
                Some(&(other, _)) if other < floor => {}
                Some(&(other, there)) if other == floor && there == row => {}
                Some(&(other, _)) => complaints.push(format!(
                    "{place}: `{module}` (floor {floor}) uses `{used}` (floor {other})"
                )),
            }
        }
        seen.push(module);
    }
    for module in floors.keys().filter(|&module| !seen.contains(module)) {
        complaints.push(format!("`{module}` is in the table but not in src"));
    }
    assert!(edges > 50, "only {edges} uses were found");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_checker_sees_every_form_of_use() {
    let source = "\
use crate::ids::{Color, ItemId};
use crate::{problem, search::{End, walk}};
// crate::cli is only spoken of
fn f(p: &crate::render::Svg) {}
use crate::{
    names,
    dlx::{parse, write},
};
";
    let found: Vec<String> = uses(source).into_iter().map(|(_, word)| word).collect();
    assert_eq!(found, ["ids", "problem", "search", "render", "names", "dlx"]);
}
