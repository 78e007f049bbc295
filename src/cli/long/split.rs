//! `quadrille split`: a plan of independent parts of one search.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use crate::cli::args::Split;
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::long::checkpoint::{Checkpoint, Identity, fingerprint};
use crate::cli::long::parts::{self, Before, MANIFEST, PlanMembers, Planned, rounded};
use crate::cli::long::sealed;
use crate::cli::long::{DIVIDING, MISFIT};
use crate::cli::message::Messages;
use crate::cli::rules::{bind, dialect};
use crate::cli::{files, input, lock, output, signals};
use crate::constraint::{Method, registry};
use crate::dlx::write::Writer;
use crate::ids::{ItemId, OptionId};
use crate::large::Large;
use crate::problem::Problem;
use crate::search::interval::Interval;
use crate::search::partition::{Granularity, PartLoad, Piece, deal, together};
use crate::wording::counted;

/// Runs it.
pub fn run(flags: &Split, messages: &Messages) -> Outcome {
    let (name, mut dlx) = input::read_dlx(input::open(flags.file.as_deref(), "a .dlx file")?)?;
    if flags.copy && (dlx.problem.has_bounds() || dlx.problem.has_costs()) {
        let what = "--copy makes files without bounds and costs; without --copy this can be split";
        return Err(dialect(&name, &dlx, what));
    }
    dlx.problem.branch_by(flags.branch.rule);
    if let Some(seed) = flags.seed {
        dlx.problem = dlx.problem.shuffled(seed).0;
    }
    let rules = bind(&name, &dlx, &flags.rules.asked(), Some(messages))?;
    let problem = &dlx.problem;
    let mut all = registry::identity(&flags.rules.asked());
    all.extend([
        ("--no-prune", flags.no_prune.to_string()),
        ("--branch", flags.branch.rule.name.into()),
        ("--seed", or_none(&flags.seed.map(|seed| seed.to_string()).unwrap_or_default())),
    ]);
    let identity = Identity { problem: fingerprint(problem), flags: all };
    let (intervals, before) = match &flags.from {
        None => (vec![(0, Interval::whole())], None),
        Some(path) => {
            let (left, before) = rest(path, &identity)?;
            (left, Some(before))
        }
    };
    let folder = &flags.output;
    files::admit(Some(&folder.join(MANIFEST)))?;
    let constraint = rules.propagators(problem, Method::Backtracking, !flags.no_prune);
    let whole: Vec<Interval> = intervals.iter().map(|(_, interval)| interval.clone()).collect();
    let granularity = match flags.depth {
        Some(depth) => Granularity::Depth(depth),
        None if flags.copy => Granularity::Pieces(flags.parts),
        None => parts::granularity(flags.parts),
    };
    let divide = || parts::divide(problem, constraint, &whole, granularity);
    let Some(mut pieces) = signals::during(DIVIDING, divide) else {
        let checkpoint = flags.from.as_deref().unwrap_or(Path::new("-"));
        return Err(sealed::refusal(checkpoint, &format!("a checkpoint of {MISFIT}")));
    };
    // Lanes are those of the search that the checkpoint is of.
    pieces.iter_mut().for_each(|piece| piece.lane = intervals[piece.lane].0);

    let groups = if flags.copy { neighbors(&pieces, flags.parts) } else { Vec::new() };
    let divided = match flags.copy {
        true => groups.iter().map(|group| together(group.iter().map(|&i| &pieces[i]))).collect(),
        false => deal(&pieces, flags.parts),
    };
    let digits = divided.len().to_string().len();
    let file = |number: usize| flags.copy.then(|| format!("part-{number:0digits$}.dlx"));
    for name in (1..=groups.len()).filter_map(file) {
        files::admit(Some(&folder.join(name)))?;
    }
    fs::create_dir_all(folder).map_err(|error| io_failure(folder, error))?;
    // Copies and the plan are one thing.
    let _lock = lock::existing(folder).map_err(|error| io_failure(folder, error))?;
    for (number, group) in (1..).zip(&groups) {
        let text = copy(problem, &name, number, groups.len(), group.iter().map(|&i| &pieces[i]))
            .map_err(|error| io_failure(folder, error))?;
        let path = folder.join(file(number).unwrap_or_default());
        output::write_whole(Some(&path), |out| out.write_all(&text))?;
    }
    let listed = (1..).zip(&divided).map(|(n, part)| Planned::new(n, part, file(n)));
    let plan = PlanMembers {
        before,
        estimate: rounded(divided.iter().map(|part| part.size).sum()),
        input: name,
        parts: listed.collect(),
        quadrille: "plan".into(),
        search: identity.search(),
        v: 1,
    };
    let text = sealed::with_checksum(&plan).map_err(|error| io_failure(folder, error))?;
    output::write_whole(Some(&folder.join(MANIFEST)), |out| out.write_all(text.as_bytes()))?;
    report(&divided, flags.parts, messages);
    Ok(ExitStatus::Fine)
}

fn io_failure(path: &Path, error: std::io::Error) -> Failure {
    Failure::Io { name: path.display().to_string(), error }
}

fn or_none(text: &str) -> String {
    if text.is_empty() { "none" } else { text }.to_owned()
}

/// The intervals that a search has left, each with its part of the output.
type Left = Vec<(usize, Interval)>;

/// What a search has left, and what it had done before.
fn rest(path: &Path, identity: &Identity) -> Result<(Left, Before), Failure> {
    let checkpoint = Checkpoint::read(path)?;
    files::reads(Some(path));
    let saved = checkpoint.open(identity)?;
    let flag = |name| checkpoint.flag(name).unwrap_or("none");
    if flag("--limit") != "none" || flag("--every") != "1" {
        return Err(checkpoint.refusal("a search with a limit or --every cannot be split"));
    }
    let entries = &saved.state.entries;
    if entries.iter().any(|entry| !entry.waiting.is_empty()) {
        return Err(checkpoint.refusal(
            "holds solutions that wait for earlier ones; resume it for a moment with \
             `--threads 1 --time-limit 1s`, or until they are printed",
        ));
    }
    let left = |entry: &crate::search::parallel::IntervalRecord| Some((entry.lane, entry.left.clone()?));
    let before = Before::new(&checkpoint, &saved);
    Ok((entries.iter().filter_map(left).collect(), before))
}

/// Puts neighbors together until there are so many groups, where that can be done: the smallest ones,
/// for a group is as good as its node is few.
fn neighbors(pieces: &[Piece], parts: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<(Vec<usize>, Large)> =
        pieces.iter().enumerate().map(|(i, piece)| (vec![i], piece.size)).collect();
    while groups.len() > parts {
        let node = |group: usize| pieces[groups[group].0[0]].node();
        let pairs = (0..groups.len())
            .flat_map(|a| (a + 1..groups.len()).map(move |b| (a, b)))
            .filter(|&(a, b)| node(a) == node(b));
        let sum = |&(a, b): &(usize, usize)| groups[a].1 + groups[b].1;
        let Some((a, b)) = pairs.min_by(|x, y| sum(x).cmp(&sum(y))) else { break };
        let (other, size) = groups.remove(b);
        groups[a].0.extend(other);
        groups[a].0.sort_unstable();
        groups[a].1 += size;
    }
    groups.into_iter().map(|(group, _)| group).collect()
}

/// How the first comment of a copy begins.
const PART: &str = "part ";

/// Whether comments before the items are those of a part that [`copy`] wrote.
pub fn is_part(header: &[u8]) -> bool {
    let first = header.strip_prefix(b"| ").and_then(|text| text.strip_prefix(PART.as_bytes()));
    let words = first.map(|text| text.split(|&byte| byte == b' ').take(4).collect::<Vec<_>>());
    let is_number = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    matches!(words.as_deref(), Some([number, b"of", of, b"of"]) if is_number(number) && is_number(of))
}

/// A file with the solutions of pieces that share a node: the items of the problem, and its options
/// except those that would cover an item of the path otherwise.
fn copy<'p>(
    problem: &Problem,
    name: &str,
    number: usize,
    of: usize,
    pieces: impl Iterator<Item = &'p Piece>,
) -> std::io::Result<Vec<u8>> {
    let pieces: Vec<&Piece> = pieces.collect();
    // By item on which the path branches: the options that cover it here.
    let mut wanted: HashMap<ItemId, HashSet<OptionId>> = HashMap::new();
    let node = pieces.first().map_or(&[][..], |piece| piece.node());
    for choice in node.iter().chain(pieces.iter().flat_map(|piece| piece.choices())) {
        wanted.entry(choice.item).or_default().extend(choice.option);
    }
    let kept = |option: &OptionId| {
        let fits = |item| wanted.get(&item).is_none_or(|options| options.contains(option));
        problem.option(*option).iter().all(|entry| fits(entry.item))
    };
    let mut text = Vec::new();
    let mut out = Writer::new(&mut text);
    out.comment(format!("{PART}{number} of {of} of {name}").replace('\n', " ").as_bytes())?;
    for (item, name) in problem.names() {
        match problem.is_primary(item) {
            true => out.primary(name)?,
            false => out.secondary(name)?,
        }
    }
    out.end_items()?;
    for option in problem.option_ids().filter(kept) {
        for entry in problem.option(option) {
            match entry.color.is_none() {
                true => out.entry(problem.name(entry.item))?,
                false => out.colored(problem.name(entry.item), problem.color_name(entry.color))?,
            }
        }
        out.end_option()?;
    }
    Ok(text)
}

/// Says what there is.
fn report(parts: &[PartLoad], wanted: usize, messages: &Messages) {
    let sizes = || parts.iter().map(|part| part.size);
    let (sum, most) = (sizes().sum::<Large>(), sizes().max().unwrap_or_default());
    let mean = sum / Large::new(parts.len().max(1) as f64);
    messages.note(&format!(
        "{}, about {sum} nodes; the largest has {:.1} times the mean",
        counted(parts.len(), "part"),
        (most / mean.max(Large::ONE)).to_f64(),
    ));
    let used = parts.iter().filter(|part| !part.intervals.is_empty()).count();
    if used < wanted {
        let used = counted(used, "part");
        messages.note(&format!("the search has only {used} with something in"));
    }
}
