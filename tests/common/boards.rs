//! Blank boards whose solutions are known.

use quadrille::constraint::Conjunction;
use quadrille::constraint::graph::Graph;
use quadrille::constraint::single_loop::propagator::SingleLoopPropagator;
use quadrille::problem::Problem;

/// OEIS A140517: a side, and the cycles in the grid of so many cells a side.
pub const CYCLES: [(usize, &str); 9] = [
    (1, "1"),
    (2, "13"),
    (3, "213"),
    (4, "9349"),
    (5, "1222363"),
    (6, "487150371"),
    (7, "603841648931"),
    (8, "2318527339461265"),
    (9, "27359264067916806101"),
];

/// A blank slitherlink of n x n cells: a vertex has no edge or two of those around it.
pub fn slitherlink(n: usize) -> Problem {
    const DIGITS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let name = |r: usize, c: usize| format!("{}{}", DIGITS[r] as char, DIGITS[c] as char);
    let places = |odd: usize| {
        let all = (0..=2 * n).flat_map(move |r| (0..=2 * n).map(move |c| (r, c)));
        all.filter(move |(r, c)| r % 2 + c % 2 == odd)
    };
    let names = |odd| places(odd).map(|(r, c)| name(r, c)).collect::<Vec<_>>().join(" ");
    let mut text = format!("{} | {}\n", names(0), names(1));
    for (r, c) in places(0) {
        let around = [(r.wrapping_sub(1), c), (r, c.wrapping_sub(1)), (r, c + 1), (r + 1, c)];
        let edges: Vec<_> = around.iter().filter(|(r, c)| *r <= 2 * n && *c <= 2 * n).collect();
        for tile in (0..1usize << edges.len()).filter(|tile| [0, 2].contains(&tile.count_ones())) {
            text += &name(r, c);
            for (i, &&(r, c)) in edges.iter().enumerate() {
                text += &format!(" {}:{}", name(r, c), tile >> i & 1);
            }
            text += "\n";
        }
    }
    super::problem(text.as_bytes())
}

pub fn looped(problem: &Problem) -> Conjunction {
    let graph = Graph::read(problem).expect("the names of edges are right");
    let mut rules = Conjunction::new();
    rules.push(Box::new(SingleLoopPropagator::new(problem, &graph)));
    rules
}

/// A board of `rows` x `cols` cells to be covered with dominoes.
pub fn dominoes(rows: usize, cols: usize) -> Problem {
    let (items, options) = tagged_dominoes(rows, cols, "");
    super::problem(format!("{items}\n{options}").as_bytes())
}

/// A board of cells that dominoes cover; `tag` sets its names apart.
pub fn tagged_dominoes(rows: usize, cols: usize, tag: &str) -> (String, String) {
    let name = |r: usize, c: usize| format!("{tag}{r},{c}");
    let (mut items, mut options) = (String::new(), String::new());
    for r in 0..rows {
        for c in 0..cols {
            items += &format!("{} ", name(r, c));
            if c + 1 < cols {
                options += &format!("{} {}\n", name(r, c), name(r, c + 1));
            }
            if r + 1 < rows {
                options += &format!("{} {}\n", name(r, c), name(r + 1, c));
            }
        }
    }
    (items, options)
}
