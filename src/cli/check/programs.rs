//! Which of Knuth's programs read a file.

use crate::dlx::parse::Dlx;

/// What a program reads.
struct Program {
    name: &'static str,
    colors: bool,
    bounds: bool,
    costs: bool,
    /// The most items, nodes, and bytes of a line: `max_cols`, `max_nodes`, `bufsize - 1` in its source.
    limits: [u64; 3],
}

/// A program without extensions.
const fn program(name: &'static str, limits: [u64; 3]) -> Program {
    Program { name, colors: true, bounds: false, costs: false, limits }
}

const LINE: u64 = 900_002;
const SHORT_LINE: u64 = 90_002;
const MANY: [u64; 3] = [100_000, 10_000_000, LINE];

const PROGRAMS: [Program; 10] = [
    Program { colors: false, ..program("DLX1", [100_000, 25_000_000, LINE]) },
    program("DLX2", MANY),
    Program { bounds: true, ..program("DLX3", [10_000, 100_000_000, SHORT_LINE]) },
    Program { costs: true, ..program("DLX5", MANY) },
    program("DLX6", MANY),
    program("DLX-PRE", MANY),
    program("SSXCC", MANY),
    program("SSXCC-BINARY", MANY),
    Program { bounds: true, ..program("SSMCC", MANY) },
    program("XCCDC", [10_000, 50_000_000, SHORT_LINE]),
];

/// The programs that know what the file says, however large it is.
fn speakers(dlx: &Dlx) -> impl Iterator<Item = &'static Program> {
    let Dlx { problem, notes, .. } = dlx;
    let (colors, bounds, costs) = (problem.colors() > 0, notes.bounds, notes.cost_line > 0);
    PROGRAMS.iter().filter(move |program| {
        (program.colors || !colors) && (program.bounds || !bounds) && (program.costs || !costs)
    })
}

/// How many items, nodes, and bytes of the longest line the file has.
fn sizes(dlx: &Dlx) -> [u64; 3] {
    let Dlx { problem, notes, .. } = dlx;
    let nodes = problem.items() + problem.entries() + problem.options() + 1;
    [problem.items() as u64, nodes as u64, notes.longest_line]
}

/// What the file says, and who reads it.
pub fn dialect(dlx: &Dlx) -> String {
    let Dlx { problem, notes, .. } = dlx;
    let says = match (problem.colors(), notes.bounds, notes.cost_line > 0) {
        (_, true, true) => return "bounds and costs: no program of Knuth's reads both".into(),
        (_, true, false) => "bounds",
        (_, false, true) => "costs",
        (0, ..) => "no colors",
        _ => "colors",
    };
    let sizes = sizes(dlx);
    let fits =
        |program: &&Program| sizes.iter().zip(program.limits).all(|(&size, most)| size <= most);
    let names = |all: &mut dyn Iterator<Item = &'static Program>| {
        all.map(|program| program.name).collect::<Vec<&str>>()
    };
    let odd = !refusals(dlx).is_empty() || notes.mark && !notes.marked_name;
    let readers = names(&mut speakers(dlx).filter(fits).filter(|_| !odd));
    let others = names(&mut PROGRAMS.iter().filter(|program| !readers.contains(&program.name)));
    let who = match (&readers[..], &others[..]) {
        ([], _) => "no program of Knuth's reads this file".into(),
        (_, []) => "DLX1, DLX2 and all others".into(),
        (["DLX1", "DLX2", ..], [.., _, _, _, _]) => readers.join(", "),
        (["DLX1", "DLX2", ..], others) => {
            format!("DLX1, DLX2 and all others but {}", others.join(" and "))
        }
        (["DLX2", ..], [_] | [_, _] | [_, _, _]) => {
            format!("DLX2 and all others but {}", others.join(" and "))
        }
        _ => readers.join(", "),
    };
    format!("{says}: {who}")
}

/// Why no program of Knuth's reads the file, although some know what it says.
pub fn refusals(dlx: &Dlx) -> Vec<String> {
    let notes = &dlx.notes;
    let mut all = Vec::new();
    if notes.unterminated {
        all.push("the last line does not end in a newline".to_owned());
    }
    if notes.long_names > 0 {
        let names = if notes.long_names == 1 { "name" } else { "names" };
        all.push(format!("{} {names} of more than 8 bytes", notes.long_names));
    }
    if notes.wide_color_line > 0 {
        let line = notes.wide_color_line;
        all.push(format!("line {line}: a color of more than one byte"));
    }
    let [items, nodes, line] = sizes(dlx);
    let most = |limit: usize| speakers(dlx).map(|program| program.limits[limit]).max();
    let exceeds = |size: u64, limit: usize| most(limit).filter(|&most| size > most);
    all.extend(exceeds(items, 0).map(|most| format!("more than {most} items")));
    all.extend(exceeds(nodes, 1).map(|most| format!("more than {most} nodes")));
    all.extend(exceeds(line, 2).map(|_| format!("a line of {line} bytes")));
    all
}
