//! Parts of solutions, as `dlx2 m1` writes them byte for byte, and numbers.

use crate::ids::{ItemId, OptionId};
use crate::problem::Problem;
use crate::solution::{Choice, Choices};

/// Appends ` A X:0 (1 of 2)` and a newline: the option from the item that was branched on, around
/// its end, and the rank of the choice. `dlx2` prints it so because it sees the option from there. A
/// null choice is ` null A (3 of 3)`, as in `dlx3`; if the option has a cost, that and its net cost
/// follow, ` $7 [2]`, as in `dlx5`.
pub fn knuth_option(problem: &Problem, choice: Choice, out: &mut Vec<u8>) {
    option_of(problem, choice, out);
    rank(choice, out);
    if let Some(option) = choice.option
        && problem.cost(option) > 0
    {
        out.pop();
        let (cost, net) = (problem.cost(option), problem.net_cost(option));
        out.extend_from_slice(format!(" ${cost} [{net}]\n").as_bytes());
    }
}

/// Appends the option of a choice, without its rank.
pub fn option_of(problem: &Problem, choice: Choice, out: &mut Vec<u8>) {
    match choice.option {
        Some(option) => cyclic_option(problem, option, choice.item, out),
        None => {
            out.extend_from_slice(b" null ");
            out.extend_from_slice(problem.name(choice.item));
        }
    }
}

/// Appends ` (1 of 2)` and a newline.
#[inline]
pub fn rank(choice: Choice, out: &mut Vec<u8>) {
    if choice.degree < 10 {
        // Nearly all are so, and a copy of a fixed length is quick.
        let mut text = *b" (0 of 0)\n";
        text[2] += choice.rank as u8;
        text[7] += choice.degree as u8;
        out.extend_from_slice(&text);
        return;
    }
    out.extend_from_slice(b" (");
    number(u64::from(choice.rank), out);
    out.extend_from_slice(b" of ");
    number(u64::from(choice.degree), out);
    out.extend_from_slice(b")\n");
}

/// Appends the entries of an option, from that of `item` around the end.
fn cyclic_option(problem: &Problem, option: OptionId, item: ItemId, out: &mut Vec<u8>) {
    let entries = problem.option(option);
    let start = entries.iter().position(|entry| entry.item == item).unwrap_or(0);
    for entry in entries.around(start) {
        out.push(b' ');
        out.extend_from_slice(problem.name(entry.item));
        if !entry.color.is_none() {
            out.push(b':');
            out.extend_from_slice(problem.color_name(entry.color));
        }
    }
}

/// Appends solution `n` as `dlx2 m1` prints it; if the problem has costs, as `dlx5` does. For
/// many solutions take [`Text`](super::text::Text).
pub fn knuth(problem: &Problem, n: u64, choices: &dyn Choices, out: &mut Vec<u8>) {
    number(n, out);
    out.push(b':');
    if problem.has_costs() {
        let cost = problem.total_cost(&choices.options());
        out.extend_from_slice(format!(" (total cost ${cost})").as_bytes());
    }
    out.push(b'\n');
    for level in 0..choices.levels() {
        knuth_option(problem, choices.choice(level), out);
    }
}

/// Appends numbers with a separator between them.
pub fn list(numbers: &[u64], separator: u8, out: &mut Vec<u8>) {
    for (i, &n) in numbers.iter().enumerate() {
        if i > 0 {
            out.push(separator);
        }
        number(n, out);
    }
}

/// Appends `n` in decimal. Two digits at a time, because whole solutions are made of numbers.
#[inline]
pub fn number(mut n: u64, out: &mut Vec<u8>) {
    const DIGITS: usize = u64::MAX.ilog10() as usize + 1;
    let mut text = [b'0'; DIGITS];
    let mut start = DIGITS;
    while n >= 100 {
        start -= 2;
        text[start..start + 2].copy_from_slice(&PAIRS[(n % 100) as usize]);
        n /= 100;
    }
    text[start - 2..start].copy_from_slice(&PAIRS[n as usize]);
    start -= if n < 10 { 1 } else { 2 };
    out.extend_from_slice(&text[start..]);
}

/// The two digits of each number below 100.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[b'0'; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n] = [b'0' + n as u8 / 10, b'0' + n as u8 % 10];
        n += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_numbers_of_any_length() {
        let powers = (0..20).map(|digits| 10u64.pow(digits));
        let around = powers.flat_map(|power| [power - 1, power, power + 1]);
        for n in around.chain(0..2000).chain([u64::MAX - 1, u64::MAX]) {
            let mut out = vec![b'x'];
            number(n, &mut out);
            assert_eq!(out, format!("x{n}").into_bytes());
        }
    }
}
