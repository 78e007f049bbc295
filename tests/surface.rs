//! The public surface of the library: what rustdoc sees is what docs/public-api.txt says. Where it is meant to
//! change, `SNAPSHOTS=overwrite cargo test --test surface` writes the file anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use snapbox::{assert_data_eq, file};

/// The most public items there may be.
const MOST: usize = 250;

/// What rustdoc knows of the library without its command line. Its JSON is for tools, so stable compilers want a word.
fn described(root: &Path) -> Value {
    let target = root.join("target/surface");
    let made = Command::new(env!("CARGO"))
        .args(["rustdoc", "--lib", "--locked", "--quiet", "--no-default-features"])
        .args(["--features", "import", "--target-dir"])
        .arg(&target)
        .args(["--", "-Z", "unstable-options", "--output-format", "json"])
        .arg("--document-hidden-items")
        .env("RUSTC_BOOTSTRAP", "1")
        .current_dir(root)
        .output()
        .expect("cargo can be run");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let text = fs::read(target.join("doc/quadrille.json")).expect("rustdoc wrote it");
    serde_json::from_slice(&text).expect("it is JSON")
}

struct Surface<'a> {
    index: &'a Value,
    root: &'a Path,
    lines: BTreeSet<String>,
}

impl Surface<'_> {
    /// The item with this number, unless it is hidden or of another crate.
    fn item(&self, id: &Value) -> Option<&Value> {
        let item = self.index.get(id.to_string())?;
        let attributes = item["attrs"].as_array().into_iter().flatten();
        let hidden = attributes.map(Value::to_string).any(|text| text.contains("doc(hidden)"));
        (!hidden).then_some(item)
    }

    fn items<'v>(&self, ids: &'v Value) -> Vec<&'v Value>
    where
        Self: 'v,
    {
        ids.as_array().into_iter().flatten().collect()
    }

    /// Adds the item with this number, and what is in it.
    fn add(&mut self, id: &Value, path: &str, every: bool) {
        let Some(item) = self.item(id).cloned() else { return };
        if !every && item["visibility"] != "public" {
            return;
        }
        let (kind, inner) =
            item["inner"].as_object().and_then(|all| all.iter().next()).expect("a kind");
        let name = item["name"].as_str().or(inner["name"].as_str()).unwrap_or_default();
        let path = if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") };
        match kind.as_str() {
            "use" if self.index.get(inner["id"].to_string()).is_none() => {
                self.lines.insert(format!(
                    "pub use {path} = {}",
                    inner["source"].as_str().unwrap_or_default()
                ));
            }
            "use" => {
                let above = path.rsplit_once("::").map_or("", |(above, _)| above).to_owned();
                self.add(&inner["id"], &above, true);
            }
            _ => {
                self.lines.insert(self.declaration(&item, kind, name, &path));
                self.add_parts(kind, inner, &path);
            }
        }
    }

    fn add_parts(&mut self, kind: &str, inner: &Value, path: &str) {
        let every = matches!(kind, "enum" | "trait");
        let parts = match kind {
            "module" | "trait" => &inner["items"],
            "struct" => &inner["kind"]["plain"]["fields"],
            "enum" => &inner["variants"],
            _ => &Value::Null,
        };
        for id in self.items(parts) {
            self.add(id, path, every);
        }
        for id in self.items(&inner["impls"]) {
            let block = self.index[id.to_string()]["inner"]["impl"].clone();
            if block["trait"].is_null() {
                self.items(&block["items"]).into_iter().for_each(|id| self.add(id, path, false));
            }
        }
    }

    /// How the source declares it, with its path for its name.
    fn declaration(&self, item: &Value, kind: &str, name: &str, path: &str) -> String {
        let span = &item["span"];
        let line = |end: &str| span[end][0].as_u64().expect("a line") as usize;
        let file = span["filename"].as_str().expect("a file of this crate");
        let text = fs::read_to_string(self.root.join(file)).expect("the source is there");
        let text: Vec<&str> = text.lines().map(str::trim).collect();
        let text = text[line("begin") - 1..line("end")].join(" ");
        let text = text.split(['{', ';']).next().unwrap_or_default().trim_end_matches([',', ' ']);
        match (kind, text.split_once(name)) {
            ("function" | "struct_field", Some((_, rest))) => {
                let rest = rest.replace("( ", "(").replace(", )", ")");
                format!("{} {path}{rest}", if kind == "function" { "fn" } else { "field" })
            }
            _ => format!("{kind} {path}"),
        }
    }
}

#[test]
fn the_public_surface_is_what_its_file_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all = described(root);
    let mut surface = Surface { index: &all["index"], root, lines: BTreeSet::new() };
    surface.add(&all["root"], "", true);
    assert!(surface.lines.len() > 50, "rustdoc says little: {:?}", surface.lines);
    assert!(surface.lines.len() <= MOST, "{} public items", surface.lines.len());
    let text: String = surface.lines.iter().map(|line| format!("{line}\n")).collect();
    assert_data_eq!(text, file!["../docs/public-api.txt"].raw());
}
