//! One instance per bug that was fixed, in `fixtures/regress`: NAME.dlx with what is right for it, the
//! message (NAME.err) or the number of solutions (NAME.count). `transcripts.rs` runs its NAME.md.

mod common;

use common::{complaint, fixtures, problem, slurp, solve};

#[test]
fn bugs_that_were_fixed_stay_fixed() {
    let files = fixtures("regress", "dlx");
    assert!(!files.is_empty());
    for path in files {
        let (name, text) = (path.display(), slurp(&path));
        let (err, count) = (path.with_extension("err"), path.with_extension("count"));
        assert!(err.exists() != count.exists(), "{name} has either .err or .count");
        let (ours, expected) = match err.exists() {
            true => (complaint(&text).unwrap_or_default(), slurp(&err)),
            false => {
                let solutions = solve(&problem(&text), ()).stats.solutions;
                (format!("{solutions}\n"), slurp(&count))
            }
        };
        assert_eq!(ours, String::from_utf8_lossy(&expected), "{name}");
    }
}
