//! A reduced problem as a `.dlx` file.

use std::collections::HashSet;
use std::io;

use crate::constraint::graph::colored_width;
use crate::constraint::registry::roles;
use crate::dlx::write::Writer;
use crate::ids::{ItemId, OptionId};
use crate::problem::{Bound, Entry, Problem};
use crate::reduce::{Reduction, misnamed};

/// Writes what is left of `problem`, below the comments of `header`. After each option comes
/// `| (from n)`, its number in `problem`.
///
/// If an item cannot be covered, the file has that alone (and one for which constraints refuse it, if there is
/// such): an item without options. But where constraints read names it has all items, an option for each role of
/// places that shows how wide the coordinates are, and one more item that no option covers.
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
    match reduction.unfeasible {
        None => write_left(problem, reduction, None, out),
        Some(item) => match witnesses(problem) {
            witnesses if witnesses.iter().any(|&is_one| is_one) => {
                let items = vec![true; problem.items()];
                let all = Reduction { options: witnesses, items, ..reduction.clone() };
                write_left(problem, &all, Some(&unused_name(problem)), out)
            }
            _ => {
                out.primary(problem.name(item))?;
                if let Some(misnamed) =
                    misnamed(problem).filter(|&named| named != item && problem.is_primary(named))
                {
                    out.primary(problem.name(misnamed))?;
                }
                out.end_items()
            }
        },
    }
}

/// By option: whether it is the first of those that tell how wide the coordinates of edges or cells are.
fn witnesses(problem: &Problem) -> Vec<bool> {
    let mut witnesses = vec![false; problem.options()];
    for role in roles() {
        let Some(width) = colored_width(problem, role) else { continue };
        let tells = |entry: Entry| {
            let at = width.decode(problem.name(entry.item));
            let has_role = at.is_some_and(|at| at.role() == role);
            has_role && !entry.color.is_none() && !problem.is_primary(entry.item)
        };
        let mut options = problem.option_ids();
        if let Some(first) = options.find(|&option| problem.option(option).iter().any(tells)) {
            witnesses[first.index()] = true;
        }
    }
    witnesses
}

/// A name that no item has, and that is none of a vertex, an edge or a cell.
fn unused_name(problem: &Problem) -> Vec<u8> {
    let taken: HashSet<&[u8]> = problem.names().map(|(_, name)| name).collect();
    let mut names = (0..).map(|n: u64| match n {
        0 => b"!".to_vec(),
        n => format!("!{n}").into_bytes(),
    });
    names.find(|name| !taken.contains(&name[..])).unwrap_or_default()
}

/// Writes the items and options that are left, and another item before them that is in none.
fn write_left<W: io::Write>(
    problem: &Problem,
    reduction: &Reduction,
    uncovered: Option<&[u8]>,
    out: &mut Writer<W>,
) -> io::Result<()> {
    let left = |item: &ItemId| reduction.items[item.index()];
    if let Some(name) = uncovered {
        out.primary(name)?;
    }
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
