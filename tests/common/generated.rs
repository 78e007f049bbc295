//! Problems too long to keep as files. What `dlx2` says of each stands in `fixtures/xcc/generated.tsv`.

use std::fmt::Write;

/// By name, all of them.
pub fn all() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for longest in [16383, 16384, 16390, 32767, 32768, 40000, 65535, 65536, 70000] {
        all.push((format!("long-list-{longest}"), long_lists(&[longest])));
    }
    all.push(("long-lists".into(), long_lists(&[16383, 16384, 40000, 70000])));
    for nodes in [65517, 65518, 65519, 65520, 65534, 65535, 65536, 65537, 65600] {
        all.push((format!("nodes-{nodes}"), many_nodes(nodes)));
    }
    all
}

/// For each number an item `L0`, `L1`, ... with that many options. `z` covers one of them while
/// all its options and others are still there, so that an engine which cannot tell a covered item from a
/// short one goes astray; the color that `z` gives to `x` then leaves few options of the others.
pub fn long_lists(lengths: &[usize]) -> String {
    let mut text = String::from("z");
    for i in 0..lengths.len() {
        write!(text, " L{i}").expect("a string takes all text");
    }
    text += " b | x y\n";
    for color in 0..3 {
        for i in 0..lengths.len() {
            writeln!(text, "z L{i} x:{color}").expect("a string takes all text");
        }
        writeln!(text, "z x:{color}").expect("a string takes all text");
    }
    for number in 0..30 {
        writeln!(text, "b x:{} y:{}", number % 4, number % 5).expect("a string takes all text");
    }
    for (i, &length) in lengths.iter().enumerate() {
        for number in 3..length {
            let color = match number % 16001 {
                7 => '1',
                8 => '2',
                _ => 'n',
            };
            match number % 3 {
                0 => writeln!(text, "L{i} x:{color} y:1"),
                _ => writeln!(text, "x:{color} L{i}"),
            }
            .expect("a string takes all text");
        }
    }
    text
}

/// A problem whose items and entries together are `nodes`: perfect matchings of a path, and an item `q`
/// with thousands of options of five entries, which only the options of the first item cover in time.
pub fn many_nodes(nodes: usize) -> String {
    let primary = 32; // and q: 33, so that an engine that pads to a multiple of 16 pads most
    let mut options = vec!["p0 q c:1".to_owned(), "p0 p1 q c:0".to_owned()];
    options.extend((1..primary - 1).map(|i| format!("p{i} p{} c:{}", i + 1, i % 2)));
    let mut total = primary + 5 + 3 + 4 + 3 * (primary - 2);
    let mut i = 0;
    while total + 5 <= nodes {
        options.push(format!("q c:{} d:{} e:{} f:{}", i % 3, i % 7, i % 5, i % 2));
        total += 5;
        i += 1;
    }
    let mut text: Vec<String> = (0..primary).map(|i| format!("p{i}")).collect();
    text.push("q | c d e f".into());
    text.extend((total..nodes).map(|i| format!("f{i}")));
    text.join(" ") + "\n" + &options.join("\n") + "\n"
}
