//! A reduced problem as a `.dlx` file.

use std::io;

use crate::dlx::write::Writer;
use crate::ids::{ItemId, OptionId};
use crate::problem::{Bound, Problem};
use crate::reduce::Reduction;

/// Writes what is left of `problem`, below the comments of `header`. After each option comes
/// `| (from n)`, its number in `problem`. If an item cannot be covered, the file has that alone: an item
/// without options.
pub fn write<W: io::Write>(
    problem: &Problem,
    reduction: &Reduction,
    header: &[u8],
    out: &mut Writer<W>,
) -> io::Result<()> {
    for line in header.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let text = line.strip_prefix(b"|").unwrap_or(line);
        out.comment(text.strip_prefix(b" ").unwrap_or(text))?;
    }
    if let Some(item) = reduction.unfeasible {
        out.primary(problem.name(item))?;
        return out.end_items();
    }
    let left = |item: &ItemId| reduction.items[item.index()];
    for item in (0..problem.primary() as u32).map(ItemId::new).filter(left) {
        let mut word = match problem.bound(item) {
            Bound::ONCE => Vec::new(),
            Bound { low, high } if low == high => format!("{high}|").into_bytes(),
            Bound { low, high } => format!("{low}:{high}|").into_bytes(),
        };
        word.extend_from_slice(problem.name(item));
        out.primary(&word)?;
    }
    let secondary = problem.primary() as u32..problem.items() as u32;
    for item in secondary.map(ItemId::new).filter(left) {
        out.secondary(problem.name(item))?;
    }
    out.end_items()?;
    for option in problem.option_ids().filter(|option| reduction.options[option.index()]) {
        write_option(problem, option, reduction, out)?;
        out.comment(format!("(from {})", option.index() + 1).as_bytes())?;
    }
    Ok(())
}

fn write_option<W: io::Write>(
    problem: &Problem,
    option: OptionId,
    reduction: &Reduction,
    out: &mut Writer<W>,
) -> io::Result<()> {
    for entry in problem.option(option) {
        let name = problem.name(entry.item);
        if !reduction.items[entry.item.index()] {
            continue;
        }
        match entry.color.is_none() {
            true => out.entry(name)?,
            false => out.colored(name, problem.color_name(entry.color))?,
        }
    }
    match problem.cost(option) {
        0 => {}
        cost => out.entry(format!("|{cost}").as_bytes())?,
    }
    out.end_option()
}
