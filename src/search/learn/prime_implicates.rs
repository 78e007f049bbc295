//! The prime implicates of a small table: the strongest clauses that its rows satisfy.
//!
//! A primary item whose options color the same few secondary items, two colors each, says only that
//! these colors are one of its options' rows. Clauses over the colors say the same without a variable
//! for each option; and with all prime implicates, unit propagation finds every color that all
//! remaining options share. For a vertex of a slitherlink with two edges, 00 and 11 are the rows and
//! (a or not b), (not a or b) the implicates.
//!
//! A clause is an implicate if the cube of assignments that falsify all its literals holds no row. So
//! we ask of all `3^n` cubes whether they are empty, the large ones from the small; and keep the empty
//! ones that cannot be widened.

use std::collections::HashMap;
use std::rc::Rc;

/// The most columns of a table.
pub const MOST_COLUMNS: usize = 9;

/// The most clauses that are worth it.
const MOST_CLAUSES: usize = 400;

/// A clause over the columns of a table: bit masks of its positive and negative literals.
pub type Clause = (u32, u32);

/// A table: for each assignment to the columns, whether it is a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TruthTable {
    columns: usize,
    rows: Vec<u64>,
}

impl TruthTable {
    /// A table without rows. At most [`MOST_COLUMNS`] columns.
    pub fn new(columns: usize) -> Self {
        TruthTable { columns, rows: vec![0; (1usize << columns).div_ceil(64)] }
    }

    /// Adds the row whose bit `i` is the value of column `i`; false if it is there already.
    pub fn insert(&mut self, row: usize) -> bool {
        let (word, bit) = (row / 64, 1 << (row % 64));
        let fresh = self.rows[word] & bit == 0;
        self.rows[word] |= bit;
        fresh
    }

    /// How many cubes there are in it.
    pub fn cubes(&self) -> usize {
        3usize.pow(self.columns as u32)
    }

    fn has(&self, row: usize) -> bool {
        self.rows[row / 64] >> (row % 64) & 1 == 1
    }
}

/// Prime implicates, each table's computed once.
#[derive(Debug, Default)]
pub struct Implicates {
    known: HashMap<TruthTable, Option<Rc<[Clause]>>>,
}

impl Implicates {
    /// Whether those of `table` are computed.
    pub fn knows(&self, table: &TruthTable) -> bool {
        self.known.contains_key(table)
    }

    /// The prime implicates of `table`, shorter ones first; `None` if they are too many.
    pub fn of(&mut self, table: &TruthTable) -> Option<Rc<[Clause]>> {
        if let Some(known) = self.known.get(table) {
            return known.clone();
        }
        let clauses = prime_implicates(table);
        let clauses = (clauses.len() <= MOST_CLAUSES).then(|| clauses.into());
        self.known.insert(table.clone(), clauses.clone());
        clauses
    }
}

/// A cube is a number in base 3: digit `i` is 0 or 1 for the value of column `i`, 2 for either.
fn prime_implicates(table: &TruthTable) -> Vec<Clause> {
    let powers: Vec<usize> = (0..=table.columns).map(|i| 3usize.pow(i as u32)).collect();
    let cubes = powers[table.columns];
    let mut empty = vec![false; cubes];
    for cube in 0..cubes {
        let free = powers[..table.columns].iter().find(|&&power| cube / power % 3 == 2);
        empty[cube] = match free {
            // Its two halves have smaller numbers.
            Some(power) => empty[cube - power] && empty[cube - 2 * power],
            None => {
                let bit = |i: usize| (cube / powers[i] % 3) << i;
                !table.has((0..table.columns).map(bit).sum())
            }
        };
    }
    let mut clauses: Vec<Clause> = Vec::new();
    for cube in (0..cubes).filter(|&cube| empty[cube]) {
        let digit = |i: usize| cube / powers[i] % 3;
        let wide = (0..table.columns).any(|i| match digit(i) {
            2 => false,
            d => empty[cube + (2 - d) * powers[i]],
        });
        if !wide {
            let mask = |d| (0..table.columns).filter(|&i| digit(i) == d).map(|i| 1 << i).sum();
            clauses.push((mask(0), mask(1)));
        }
    }
    clauses.sort_by_key(|&(p, n)| (p.count_ones() + n.count_ones(), p, n));
    clauses
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: usize, rows: &[usize]) -> TruthTable {
        let mut table = TruthTable::new(columns);
        assert!(rows.iter().all(|&row| table.insert(row)));
        table
    }

    #[test]
    fn two_equal_columns_have_two_implicates() {
        assert_eq!(prime_implicates(&table(2, &[0b00, 0b11])), [(0b01, 0b10), (0b10, 0b01)]);
    }

    #[test]
    fn an_empty_table_has_the_empty_clause() {
        assert_eq!(prime_implicates(&table(3, &[])), [(0, 0)]);
        assert_eq!(prime_implicates(&table(0, &[0])), []);
    }

    #[test]
    fn implicates_are_those_that_brute_force_finds() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..200 {
            let columns = random.usize(1..5);
            let mut random_table = TruthTable::new(columns);
            for row in 0..1 << columns {
                if random.bool() {
                    random_table.insert(row);
                }
            }
            let holds = |&(p, n): &Clause| {
                let rows = (0..1usize << columns).filter(|&row| random_table.has(row));
                rows.into_iter().all(|row| row & p as usize != 0 || !row & n as usize != 0)
            };
            let all: Vec<Clause> = (0..1u32 << columns)
                .flat_map(|p| (0..1u32 << columns).map(move |n| (p, n)))
                .filter(|&(p, n)| p & n == 0 && holds(&(p, n)))
                .collect();
            let below = |c: &Clause, d: &Clause| c != d && c.0 & !d.0 == 0 && c.1 & !d.1 == 0;
            let mut prime: Vec<Clause> =
                all.iter().filter(|d| !all.iter().any(|c| below(c, d))).copied().collect();
            prime.sort_by_key(|&(p, n)| (p.count_ones() + n.count_ones(), p, n));
            assert_eq!(prime_implicates(&random_table), prime);
        }
    }
}
