//! Reads ZDDs in the text of Knuth's `dlx6`, and unfolds them.

use std::collections::{HashMap, HashSet};

use num_bigint::BigUint;

/// A diagram as it stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// Option (from 0), and the nodes without it and with it; that with number 2 is the first one.
    pub nodes: Vec<(usize, usize, usize)>,
    pub root: usize,
}

/// Reads a diagram, and complains about whatever is not as `dlx6` writes it.
pub fn read(text: &str) -> Diagram {
    assert!(text.ends_with(")\n"), "the last line is whole");
    let mut nodes = Vec::new();
    let hexadecimal = |digits: &str, below: usize| {
        let number = usize::from_str_radix(digits, 16).expect("a hexadecimal number");
        assert_eq!(format!("{number:x}"), digits);
        assert!(number < below, "node {number:x} comes before {below:x}");
        number
    };
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let number = nodes.len() + 2;
        let rest = line.strip_prefix(&format!("{number:x}: (~")).expect("the next number");
        let (option, rest) = rest.split_once('?').expect("an option");
        let (lo, hi) = rest.strip_suffix(')').and_then(|rest| rest.split_once(':')).expect("two");
        let (lo, hi) = (hexadecimal(lo, number), hexadecimal(hi, number));
        let option: usize = option.parse().expect("the number of an option");
        if lines.peek().is_none() {
            assert_eq!((option, lo), (0, 0), "a root");
            return Diagram { nodes, root: hi };
        }
        assert!(option > 0);
        nodes.push((option - 1, lo, hi));
    }
    panic!("no line");
}

impl Diagram {
    /// How many sets it holds.
    pub fn count(&self) -> BigUint {
        let mut counts = vec![BigUint::from(0u32), BigUint::from(1u32)];
        for &(_, lo, hi) in &self.nodes {
            counts.push(&counts[lo] + &counts[hi]);
        }
        counts.swap_remove(self.root)
    }

    /// The sets, each sorted, in no order; none is there twice unless the diagram has it twice.
    pub fn sets(&self) -> Vec<Vec<usize>> {
        let (mut sets, mut path) = (Vec::new(), Vec::new());
        // Nodes that are still to be visited, and how long the path to each is.
        let mut open = vec![(self.root, None, 0)];
        while let Some((node, option, length)) = open.pop() {
            path.truncate(length);
            path.extend(option);
            match node {
                0 => {}
                1 => {
                    let mut set = path.clone();
                    set.sort_unstable();
                    assert!(set.windows(2).all(|pair| pair[0] < pair[1]), "{set:?}");
                    sets.push(set);
                }
                node => {
                    let (option, lo, hi) = self.nodes[node - 2];
                    open.push((lo, None, path.len()));
                    open.push((hi, Some(option), path.len()));
                }
            }
        }
        sets
    }

    /// Its sets, sorted; it has none twice.
    pub fn distinct_sets(&self) -> Vec<Vec<usize>> {
        let mut sets = self.sets();
        sets.sort();
        assert!(sets.windows(2).all(|pair| pair[0] < pair[1]), "a set is there twice");
        sets
    }

    /// Asserts that no node could be left out: none is there twice, none leads nowhere, and all can be reached.
    #[track_caller]
    pub fn is_reduced(&self) {
        let distinct: HashSet<_> = self.nodes.iter().collect();
        assert_eq!(distinct.len(), self.nodes.len(), "a node is there twice");
        assert!(self.nodes.iter().all(|&(_, _, hi)| hi != 0), "an option leads nowhere");
        let mut reached = vec![false; self.nodes.len() + 2];
        reached[self.root] = true;
        for (node, &(_, lo, hi)) in self.nodes.iter().enumerate().rev() {
            assert!(reached[node + 2], "node {:x} cannot be reached", node + 2);
            (reached[lo], reached[hi]) = (true, true);
        }
    }

    /// Whether all paths ask about options in one order: then no cycle leads from option to option.
    pub fn is_ordered(&self) -> bool {
        let mut after: HashMap<usize, HashSet<usize>> = HashMap::new();
        for &(option, lo, hi) in &self.nodes {
            for child in [lo, hi].into_iter().filter(|&child| child > 1) {
                after.entry(option).or_default().insert(self.nodes[child - 2].0);
            }
        }
        // Options without successors are taken away, again and again.
        loop {
            let before = after.len();
            let left: HashSet<usize> = after.keys().copied().collect();
            after.retain(|_, others| others.iter().any(|other| left.contains(other)));
            if after.len() == before {
                return after.is_empty();
            }
        }
    }

    /// The same with its nodes numbered as a walk from the root leaves them. Reduced diagrams of the same sets in the
    /// same order are equal then.
    pub fn renumbered(&self) -> Diagram {
        let mut numbers: HashMap<usize, usize> = HashMap::from([(0, 0), (1, 1)]);
        let mut nodes = Vec::new();
        let mut open = vec![self.root];
        while let Some(&node) = open.last() {
            let known = |node: usize| numbers.get(&node).copied();
            if known(node).is_some() {
                open.pop();
                continue;
            }
            let (option, lo, hi) = self.nodes[node - 2];
            match (known(lo), known(hi)) {
                (Some(lo), Some(hi)) => {
                    nodes.push((option, lo, hi));
                    numbers.insert(node, nodes.len() + 1);
                }
                (None, _) => open.push(lo),
                _ => open.push(hi),
            }
        }
        Diagram { nodes, root: numbers[&self.root] }
    }
}
