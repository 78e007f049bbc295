//! The shape of src: no file uses a floor above its own, few files know a constraint or a format, files and functions are
//! short, folders do not use each other in a circle, and the engines use the crates that docs/architecture.md names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join(path)).expect("is there")
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

/// All files below src, by their paths there, with their texts.
fn files() -> Vec<(PathBuf, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&source, &mut files);
    files.sort();
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).expect("is text");
        (file.strip_prefix(&source).expect("is below src").to_owned(), text)
    };
    files.into_iter().map(read).collect()
}

/// A source without comments, which may speak of anything.
fn uncommented(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// What of a source is no test, without comments.
fn code(text: &str) -> String {
    uncommented(&text[..text.find("#[cfg(test)]\nmod ").unwrap_or(text.len())])
}

/// What may stand before the name of a function.
const BEFORE: [&str; 8] =
    ["pub", "pub(super)", "pub(crate)", "const", "unsafe", "extern", "\"C\"", "fn"];

/// Where functions begin, their names, and how many lines they have: up to the brace that closes them, which rustfmt
/// has put where they begin.
fn functions(text: &str) -> Vec<(usize, &str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut functions = Vec::new();
    for (start, &line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let mut words = code.split(' ').skip_while(|word| BEFORE.contains(word) && *word != "fn");
        let (Some("fn"), Some(name)) = (words.next(), words.next()) else { continue };
        let name = name.split(['(', '<']).next().expect("there is a first part");
        let close = format!("{}}}", &line[..line.len() - code.len()]);
        let on_one = line.ends_with('}') || line.ends_with(';');
        let more = lines[start..].iter().position(|&line| line == close);
        let more = if on_one { 0 } else { more.expect("a function ends") };
        functions.push((start + 1, name, more + 1));
    }
    functions
}

#[test]
fn no_file_has_more_than_500_lines_and_no_function_more_than_80() {
    let mut complaints = Vec::new();
    let mut count = 0;
    for (inside, text) in files() {
        let lines = text.lines().count();
        if lines > 500 {
            complaints.push(format!("src/{} has {lines} lines", inside.display()));
        }
        // Those of Knuth's programs are as long as there.
        let is_knuths = inside.starts_with("knuth");
        for (line, name, lines) in functions(&text) {
            count += 1;
            if lines > 80 && !is_knuths {
                let place = inside.display();
                complaints.push(format!("src/{place}:{line}: `{name}` has {lines} lines"));
            }
        }
    }
    assert!(count > 2000, "only {count} functions were found");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_counter_finds_where_functions_end() {
    let source = "\
fn short() {}
impl X {
    /// The fn of comments is none.
    pub(super) fn long<T>(a: T) -> T {
        if a {
        }
        a
    }
    fn required(&self);
}
";
    assert_eq!(functions(source), [(1, "short", 1), (4, "long", 5), (9, "required", 1)]);
}

/// Paths of modules that a source uses by `crate::`, as far as they are names.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        expand(&code[at + "crate::".len()..], &[], &mut paths);
    }
    paths
}

/// Adds the paths of a tree of uses, which begins here, behind `prefix`.
fn expand(text: &str, prefix: &[String], paths: &mut Vec<Vec<String>>) {
    let text = text.trim_start();
    if let Some(group) = text.strip_prefix('{') {
        let mut depth = 1;
        let mut start = 0;
        for (at, c) in group.char_indices() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if depth == 0 || depth == 1 && c == ',' {
                expand(&group[start..at], prefix, paths);
                start = at + 1;
            }
            if depth == 0 {
                return;
            }
        }
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word: String = text.chars().take_while(|&c| is_word(c)).collect();
    let mut path = prefix.to_vec();
    path.extend((!word.is_empty()).then(|| word.clone()));
    match text[word.len()..].strip_prefix("::") {
        Some(rest) => expand(rest, &path, paths),
        // Behind the last comma of a group there is nothing.
        None if word.is_empty() => {}
        None => paths.push(path),
    }
}

#[test]
fn uses_are_expanded() {
    let source = "use crate::a::{b, c::{d, e::F}};\n// crate::no\nuse crate::{\n    i,\n    j::k,\n};\nfn f(x: &crate::g::H) {}\n";
    let source = uncommented(source);
    let found: Vec<String> = paths(&source).iter().map(|path| path.join("/")).collect();
    assert_eq!(found, ["a/b", "a/c/d", "a/c/e/F", "i", "j/k", "g/H"]);
}

/// The folder of a module: `a/b` of `a/b.rs` and of `a/b/mod.rs` if there is such a folder.
fn folder(module: &[String], folders: &BTreeSet<Vec<String>>) -> Vec<String> {
    let mut folder = module.to_vec();
    while !folder.is_empty() && !folders.contains(&folder) {
        folder.pop();
    }
    folder
}

#[test]
fn folders_do_not_use_each_other_in_a_circle() {
    let files = files();
    let words = |path: &Path| -> Vec<String> {
        path.iter().map(|part| part.to_string_lossy().into_owned()).collect()
    };
    let module = |inside: &Path| match inside.ends_with("mod.rs") {
        true => words(inside.parent().expect("is below src")),
        false => words(&inside.with_extension("")),
    };
    let folders = files.iter().map(|(inside, _)| words(inside.parent().expect("is below src")));
    let folders: BTreeSet<Vec<String>> = folders.collect();
    // Edges between folders of which neither is inside of the other.
    let mut edges: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for (inside, text) in &files {
        let from = folder(&module(inside), &folders);
        for path in paths(&code(text)) {
            let to = folder(&path, &folders);
            if !from.starts_with(&to) && !to.starts_with(&from) {
                edges.entry(from.clone()).or_default().insert(to);
            }
        }
    }
    assert!(edges.len() > 15, "only {} folders use others", edges.len());
    // Takes away what uses nothing that is left, until nothing is left, or only circles are.
    loop {
        let left: BTreeSet<Vec<String>> = edges.keys().cloned().collect();
        edges.retain(|_, used| used.iter().any(|folder| left.contains(folder)));
        if edges.len() == left.len() {
            break;
        }
    }
    let show = |(from, to): (&Vec<String>, &BTreeSet<Vec<String>>)| {
        let to = to.iter().filter(|to| edges.contains_key(*to)).map(|to| to.join("/"));
        format!("{} uses {}", from.join("/"), to.collect::<Vec<_>>().join(", "))
    };
    assert!(edges.is_empty(), "{}", edges.iter().map(show).collect::<Vec<_>>().join("\n"));
}

/// The names between backticks in the rest of the sentence that begins with this.
fn named(page: &str, sentence: &str) -> BTreeSet<String> {
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let rest = page.split_once(sentence).expect("the page has the sentence").1;
    let list = rest.split_once('.').expect("it ends").0;
    list.split('`').skip(1).step_by(2).map(|name| name.replace('-', "_")).collect()
}

/// Which of these crates a source names: by `name::`, where that is no module of another path.
fn crates_in<'c>(text: &str, crates: &'c [String]) -> BTreeSet<&'c String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let used = |name: &&String| {
        text.match_indices(&format!("{name}::"))
            .any(|(at, _)| !text[..at].ends_with("::") && !text[..at].ends_with(is_word))
    };
    crates.iter().filter(used).collect()
}

#[test]
fn search_and_constraint_use_the_crates_that_the_page_names() {
    let manifest = read("Cargo.toml");
    let tables = manifest
        .split("\n[")
        .filter(|table| table.lines().next().is_some_and(|head| head.ends_with("dependencies]")));
    let lines = tables.flat_map(str::lines).filter_map(|line| line.split_once(" = "));
    let crates: Vec<String> = lines.map(|(name, _)| name.replace('-', "_")).collect();
    assert!(crates.len() > 20, "{crates:?}");
    let page = read("docs/architecture.md");
    let for_tests = named(&page, "Their tests use");
    for module in ["search", "constraint"] {
        let (mut inside, mut in_tests) = (BTreeSet::new(), BTreeSet::new());
        for (_, text) in files().iter().filter(|(path, _)| path.starts_with(module)) {
            inside.extend(crates_in(&code(text), &crates).into_iter().cloned());
            in_tests.extend(crates_in(text, &crates).into_iter().cloned());
        }
        let expected = named(&page, &format!("Crates that `{module}` uses:"));
        assert_eq!(inside, expected, "crates that src/{module} uses");
        assert!(in_tests.difference(&inside).all(|name| for_tests.contains(name)), "{in_tests:?}");
    }
}

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

#[test]
fn no_file_uses_a_floor_above_its_own() {
    let floors = floors(&read("docs/architecture.md"));
    assert!(floors.len() > 10, "the table was not found: {floors:?}");
    let (mut complaints, mut edges, mut seen) = (Vec::new(), 0, BTreeSet::new());
    for (inside, text) in files() {
        let first = inside.iter().next().expect("is below src").to_string_lossy();
        let module = first.trim_end_matches(".rs").to_owned();
        if module == "lib" || module == "main" {
            continue;
        }
        let Some(&(floor, row)) = floors.get(&module) else {
            complaints.push(format!("`{module}` is not in the table of docs/architecture.md"));
            continue;
        };
        let used: BTreeSet<String> = paths(&uncommented(&text))
            .into_iter()
            .filter_map(|path| path.into_iter().next())
            .collect();
        for used in used {
            edges += 1;
            let place = format!("src/{}", inside.display());
            match floors.get(&used) {
                None => complaints.push(format!("{place} uses `{used}`, not in the table")),
                Some(&(other, _)) if other < floor => {}
                Some(&(other, there)) if other == floor && there == row => {}
                Some(&(other, _)) => complaints.push(format!(
                    "{place}: `{module}` (floor {floor}) uses `{used}` (floor {other})"
                )),
            }
        }
        seen.insert(module);
    }
    for module in floors.keys().filter(|&module| !seen.contains(module)) {
        complaints.push(format!("`{module}` is in the table but not in src"));
    }
    assert!(edges > 50, "only {edges} uses were found");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The files outside of `own` whose code has one of the words.
fn knowing(own: &str, words: &[&str]) -> Vec<String> {
    let others = files().into_iter().filter(|(path, _)| !path.starts_with(own));
    let knows = |text: &str| words.iter().any(|word| uncommented(text).contains(word));
    others
        .filter(|(_, text)| knows(text))
        .map(|(path, _)| path.to_string_lossy().replace('\\', "/"))
        .collect()
}

/// The registry is the one place that has to know a constraint, besides its own folder.
#[test]
fn one_file_outside_its_folder_knows_a_constraint() {
    let registry = "constraint/mod.rs";
    assert_eq!(knowing("constraint/acyclic", &["acyclic", "Acyclic"]), [registry]);
    // Besides, the puzzles that ask for it; of loops, whatever prints and reads tours.
    let connected = knowing("constraint/connected", &["Connected", "connected::"]);
    assert_eq!(connected, [registry, "puzzle/hitori.rs"]);
    let loops = knowing("constraint/single_loop", &["SingleLoop", "single_loop::"]);
    assert!(loops.len() <= 5, "{loops:?}");
}

/// A format of solutions is a word in one table, besides its own file and the line that makes that a module.
#[test]
fn one_file_outside_its_own_knows_a_format() {
    assert_eq!(knowing("solutions/names.rs", &["NAMES"]), ["solutions/format.rs"]);
}

/// The table of terms leads to files that are there.
#[test]
fn terms_lead_to_files() {
    let page = read("docs/architecture.md");
    let section = page.split("\n## Terms\n").nth(1).expect("the page has the section");
    let rows = section.lines().take_while(|line| !line.starts_with("## "));
    let files: Vec<&str> = rows
        .filter_map(|row| {
            row.trim_end_matches([' ', '|']).rsplit('|').next()?.trim().strip_prefix('`')
        })
        .map(|file| file.trim_end_matches('`'))
        .collect();
    assert!(files.len() >= 40, "only {} terms were found", files.len());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let missing: Vec<&&str> = files.iter().filter(|file| !root.join(file).is_file()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The types that a file declares: structs, enums, traits, and aliases outside of traits and their implementations.
fn types(text: &str) -> BTreeSet<&str> {
    let declared = |line: &str| -> Option<usize> {
        let rest = line.trim_start();
        let rest = match rest.strip_prefix("pub") {
            Some(after) if after.starts_with('(') => after.split_once(") ")?.1,
            Some(after) => after.strip_prefix(' ')?,
            None => rest,
        };
        let (keyword, _) = rest.split_once(' ')?;
        let is_type = match keyword {
            "struct" | "enum" | "trait" => true,
            "type" => !line.starts_with(' '),
            _ => false,
        };
        is_type.then(|| line.len() - rest.len() + keyword.len() + 1)
    };
    text.lines()
        .filter_map(|line| Some(&line[declared(line)?..]))
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default())
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn no_two_types_have_one_name() {
    let mut declaring: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    // Knuth's programs have their own words.
    for (path, text) in files().into_iter().filter(|(path, _)| !path.starts_with("knuth")) {
        for name in types(&code(&text)) {
            declaring.entry(name.to_owned()).or_default().push(path.clone());
        }
    }
    let twice: Vec<_> = declaring.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(declaring.len() > 300, "few types were found: {}", declaring.len());
    assert!(twice.is_empty(), "{twice:#?}");
}
