//! Branching rules: which item a search branches on (TAOCP 7.2.2.1, step C3).
//!
//! A rule gives each item a key, made of the number of options that the item has left and of a constant of the
//! item. The item with the least key is branched on, and the first one among equals. So the engines that visit
//! the tree of Algorithm C serve all rules, and only MRV has faster code of its own: there the key is the length.
//!
//! A new rule is a row of [`RULES`].

/// A branching rule.
#[derive(Debug)]
pub struct Rule {
    /// The value of `--branch`.
    pub name: &'static str,
    /// What it does, for `--help`.
    pub help: &'static str,
    /// The constant of a primary item, from its place in the file, from 0, and its name.
    constant: fn(place: usize, name: &[u8]) -> i64,
    /// The key of an item with so many options and this constant. Both are below 2^32. With bounds the
    /// number is that of choices, which may be negative.
    key: fn(length: i64, constant: i64) -> i64,
}

/// All rules. The first one is the default.
pub static RULES: &[Rule] = &[
    Rule {
        name: "mrv",
        help: "the item with the fewest options left (minimum remaining values), as dlx2 does",
        constant: |_, _| 0,
        key: |length, _| length,
    },
    Rule {
        name: "sharp",
        help: "the same, but items whose name begins with # come first, unless another one has at most one \
               option left, as dlx2-sharp does",
        constant: |_, name| i64::from(!name.starts_with(b"#")),
        key: |length, plain| if length > 1 { (plain << 32) + length } else { length },
    },
    Rule {
        name: "leftmost",
        help: "the first item of the file that is not covered, as in Algorithm X without a heuristic; an item \
               that has no options left is noticed only when its turn comes",
        constant: |place, _| place as i64,
        key: |_, place| place,
    },
];

/// A rule, bound to the primary items of a problem.
#[derive(Clone, Debug)]
pub struct Branching {
    rule: &'static Rule,
    /// By primary item. There are none under MRV, so that whoever has faster code for it need only ask that.
    constants: Vec<i64>,
}

impl Default for Branching {
    fn default() -> Self {
        Branching { rule: &RULES[0], constants: Vec::new() }
    }
}

impl Branching {
    /// Binds `rule` to primary items with these names, in the order of the file.
    pub fn new<'a>(rule: &'static Rule, names: impl Iterator<Item = &'a [u8]>) -> Self {
        let constants = match rule.name == RULES[0].name {
            true => Vec::new(),
            false => names.enumerate().map(|(place, name)| (rule.constant)(place, name)).collect(),
        };
        Branching { rule, constants }
    }

    /// The same for a part of the items, which get new numbers in this order.
    pub fn of(&self, items: impl Iterator<Item = usize>) -> Self {
        let constants = match self.is_mrv() {
            true => Vec::new(),
            false => items.map(|item| self.constants[item]).collect(),
        };
        Branching { rule: self.rule, constants }
    }

    /// The rule.
    pub fn rule(&self) -> &'static Rule {
        self.rule
    }

    /// Whether the first item with the fewest options is branched on.
    #[inline(always)]
    pub fn is_mrv(&self) -> bool {
        self.constants.is_empty()
    }

    /// The key of `item` with so many options, or choices.
    #[inline(always)]
    pub fn key(&self, item: usize, length: i64) -> i64 {
        match self.constants.get(item) {
            None => length,
            Some(&constant) => (self.rule.key)(length, constant),
        }
    }

    /// The item to branch on, and its length, of items with these lengths, in the order of the file. `None` if
    /// there is no item.
    pub fn choose(&self, lengths: impl Iterator<Item = (usize, u32)>) -> Option<(usize, u32)> {
        // The first one of several minima: that is what `min_by_key` promises.
        lengths.min_by_key(|&(item, length)| self.key(item, i64::from(length)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(rule: usize, lengths: &[(usize, u32)]) -> usize {
        let names: [&[u8]; 5] = [b"a", b"#b", b"c", b"#d", b"e"];
        let branching = Branching::new(&RULES[rule], names.into_iter());
        branching.choose(lengths.iter().copied()).expect("an item").0
    }

    #[test]
    fn each_rule_has_its_order() {
        let lengths = [(0, 3), (1, 7), (2, 2), (3, 7), (4, 2)];
        assert_eq!([0, 1, 2].map(|rule| choose(rule, &lengths)), [2, 1, 0]);
        let forced = [(0, 3), (1, 2), (2, 1), (3, 1), (4, 0)];
        assert_eq!([0, 1, 2].map(|rule| choose(rule, &forced)), [4, 4, 0]);
        assert_eq!([0, 1, 2].map(|rule| choose(rule, &forced[..4])), [2, 2, 0]);
        // No sharp item is left.
        assert_eq!([0, 1, 2].map(|rule| choose(rule, &[(2, 5), (4, 4)])), [4, 4, 2]);
    }

    #[test]
    fn constants_move_with_their_items() {
        let names: [&[u8]; 3] = [b"a", b"b", b"#c"];
        let sharp = Branching::new(&RULES[1], names.into_iter()).of([1, 2].into_iter());
        assert_eq!(sharp.choose([(0, 2), (1, 9)].into_iter()), Some((1, 9)));
        assert!(Branching::new(&RULES[0], names.into_iter()).is_mrv());
    }
}
