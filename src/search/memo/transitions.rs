//! The steps of a count: what each option demands of a state, and does to it, as masks of bits.
//!
//! A state is a row of bits. A primary item has one while it is on the frontier: whether it is covered.
//! A secondary item has a few: nothing yet, or the way in which it is used. Ways are written as words
//! of equal weight, so that none is part of another (Sperner, 1928): two colors as 01 and 10, up to six
//! with two ones of four bits. Hence an option fits a state exactly if the state has no bits where the
//! option forbids them, and what it does is to set bits:
//!
//! ```text
//! A B X:0     forbids  B 1  X 10     sets  B 1  X 01        (A is the item at hand)
//! A X         forbids       X 11     sets       X ..        a way of its own, if other options use X
//! ```

use std::sync::OnceLock;

pub use crate::constraint::automaton::MOST_WORDS;
use crate::constraint::automaton::{Automaton, Field, Room, Spans};
use crate::ids::{Color, ItemId, OptionId};
use crate::problem::{CommonItems, Entry, Problem};
use crate::search::memo::hypergraph;
use crate::search::memo::mini_buckets::{self, Test, ItemUsage};

/// The most bytes for the masks of all options.
const MOST_BYTES: usize = 256 << 20;

/// A rule is to hear that an item gets a color, unless it has it already.
#[derive(Clone, Copy, Debug)]
pub struct ColorEvent {
    /// Which rule.
    pub rule: u32,
    /// The item.
    pub item: ItemId,
    /// Its color.
    pub color: Color,
    /// The item's bits that say that it has the color, if it may have it before.
    pub known: Option<Field>,
}

/// What covers the item of a step.
#[derive(Clone, Debug)]
pub struct Move {
    /// The option.
    pub option: OptionId,
    /// Bits that must not be set, with their words.
    pub forbid: Vec<u64>,
    /// Bits that are set then.
    pub set: Vec<u64>,
    /// What rules must hear.
    pub events: Vec<ColorEvent>,
}

/// One item.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Where it is written that the item is covered; `None` if it never is before.
    pub covered: Option<Field>,
    /// The options that cover it and no earlier item.
    pub moves: Vec<Move>,
    /// The bits that stay.
    pub keep: Vec<u64>,
    /// Whether some rule forgets something.
    pub forgets: bool,
    /// The items with a field that it reads or writes.
    pub items: Vec<u32>,
}

/// All steps.
pub struct TransitionPlan {
    /// In order.
    pub steps: Vec<Transition>,
    /// Words of a state.
    pub words: usize,
    /// The rules.
    pub rules: Vec<Box<dyn Automaton>>,
    /// By item: when it is used, if it has a field.
    usages: Vec<Option<ItemUsage>>,
    /// By step: what the states after it are asked, if it is known.
    tests: OnceLock<Vec<Vec<Test>>>,
}

/// What moves are made from: the problem, the uses of its items, where states have them, and the constraints.
type Context<'a> = (&'a Problem, &'a UseTimes, &'a [Option<Field>], &'a [Box<dyn Automaton>]);

impl Move {
    /// The move of an option that covers `item` in a step, for states of `words` words.
    fn of(
        option: OptionId,
        (number, item): (usize, u32),
        words: usize,
        (problem, spans, fields, rules): Context<'_>,
    ) -> Move {
        let mut made =
            Move { option, forbid: vec![0; words], set: vec![0; words], events: Vec::new() };
        for entry in problem.option(option) {
            let at = entry.item.index();
            let way = spans.ways[at].binary_search(&entry.color.raw()).unwrap_or(0);
            let field = if entry.item.raw() == item { None } else { fields[at] };
            let code = if problem.is_primary(entry.item) { 1 } else { spans.code(at, way) };
            if let Some(field) = field {
                let single = problem.is_primary(entry.item) || entry.color.is_none();
                let forbidden = if single { field.ones } else { field.ones & !code };
                if spans.is_written(at, number) {
                    made.forbid[field.word as usize] |= forbidden << field.shift;
                }
                made.set[field.word as usize] |= code << field.shift;
            }
            if !problem.is_primary(entry.item) && !spans.is_settled(at, number) {
                let known = field.map(|field| Field { ones: code, ..field });
                let known = known.filter(|_| spans.is_written(at, number));
                let Entry { item, color } = entry;
                let depends = |rule: &usize| rules[*rule].depends_on(item, color);
                let depending = (0..rules.len()).filter(depends);
                made.events.extend(depending.map(|rule| ColorEvent {
                    rule: rule as u32,
                    item,
                    color,
                    known,
                }));
            }
        }
        made
    }
}

impl TransitionPlan {
    /// Covers the items in this order. `None` if a state would take more than [`MOST_WORDS`] words, or
    /// the options more than `MOST_BYTES`.
    pub fn new(
        problem: &Problem,
        order: &[u32],
        mut rules: Vec<Box<dyn Automaton>>,
    ) -> Option<TransitionPlan> {
        let spans = UseTimes::new(problem, order);
        let mut room = Room::new();
        rules.iter_mut().for_each(|rule| rule.plan(&spans, &mut room));
        let fields = spans.claim(order, &mut room);
        let words = room.words().max(1);
        if words > MOST_WORDS || problem.options() * words * size_of::<[u64; 2]>() > MOST_BYTES {
            return None;
        }
        let mut options: Vec<Vec<OptionId>> = vec![Vec::new(); order.len()];
        for option in problem.option_ids() {
            if let Some(step) = spans.step[option.index()] {
                options[step].push(option);
            }
        }
        let mut steps: Vec<Transition> = Vec::with_capacity(order.len());
        for (number, &item) in order.iter().enumerate() {
            let context = (problem, &spans, &fields[..], &rules[..]);
            let make = |&option: &OptionId| Move::of(option, (number, item), words, context);
            let moves = options[number].iter().map(make).collect();
            let entries = options[number].iter().flat_map(|&option| problem.option(option));
            let mut items: Vec<u32> = entries.map(|entry| entry.item.raw()).collect();
            items.push(item);
            items.sort_unstable();
            items.dedup();
            items.retain(|&item| fields[item as usize].is_some());
            let forgets = rules.iter().any(|rule| rule.projects(number));
            steps.push(Transition {
                covered: fields[item as usize],
                moves,
                keep: vec![!0; words],
                forgets,
                items,
            });
        }
        for (item, field) in fields.iter().enumerate() {
            if let (Some(field), Some((_, last))) = (field, spans.items[item]) {
                steps[last].keep[field.word as usize] &= !(field.ones << field.shift);
            }
        }
        let usages = fields.iter().enumerate().map(|(item, field)| spans.usage(item, (*field)?));
        let usages = usages.collect();
        Some(TransitionPlan { steps, words, rules, usages, tests: OnceLock::new() })
    }

    /// Looks ahead with tables of so many bits, once.
    pub fn look_ahead(&self, bits: u32) {
        self.tests.get_or_init(|| mini_buckets::tests(self, bits));
    }

    /// What the states after a step are asked: nothing unless one looked ahead.
    pub fn tests(&self, step: usize) -> &[Test] {
        self.tests.get().map_or(&[], |tests| &tests[step])
    }

    /// When an item of [`Transition::items`] is used.
    pub fn usage(&self, item: u32) -> &ItemUsage {
        match &self.usages[item as usize] {
            Some(usage) => usage,
            None => unreachable!("the items of a step have fields"),
        }
    }
}

/// When items are used, and how.
struct UseTimes {
    primary: usize,
    /// By option: its step, if it is one of ours.
    step: Vec<Option<usize>>,
    /// By item: its first and last step.
    items: Vec<Option<(usize, usize)>>,
    /// By item: its colors, ascending.
    ways: Vec<Vec<u32>>,
    /// By item and way: the first and last step.
    spans: Vec<Vec<(usize, usize)>>,
    /// By secondary item: the step after which it is used in any case, if there is one.
    settled: Vec<usize>,
}

impl UseTimes {
    fn new(problem: &Problem, order: &[u32]) -> Self {
        let mut place = vec![usize::MAX; problem.items()];
        order.iter().enumerate().for_each(|(step, &item)| place[item as usize] = step);
        let ways = hypergraph::values(problem);
        let mut spans: Vec<Vec<(usize, usize)>> =
            ways.iter().map(|ways| vec![(usize::MAX, 0); ways.len()]).collect();
        let mut items: Vec<Option<(usize, usize)>> = vec![None; problem.items()];
        let widen = |span: &mut (usize, usize), step: usize| {
            *span = (span.0.min(step), span.1.max(step));
        };
        let mut steps = vec![None; problem.options()];
        for option in problem.option_ids() {
            let row = problem.option(option);
            let step = row.iter().map(|entry| place[entry.item.index()]).min();
            let Some(step) = step.filter(|&step| step != usize::MAX) else { continue };
            steps[option.index()] = Some(step);
            for entry in row {
                let at = entry.item.index();
                let way = ways[at].binary_search(&entry.color.raw()).unwrap_or(0);
                widen(&mut spans[at][way], step);
                widen(items[at].get_or_insert((step, step)), step);
            }
        }
        for (step, &item) in order.iter().enumerate() {
            widen(items[item as usize].get_or_insert((step, step)), step);
        }
        let settled = settled(problem, &place);
        UseTimes { primary: problem.primary(), step: steps, items, ways, spans, settled }
    }

    /// The fields of the items that live for more than one step.
    fn claim(&self, order: &[u32], room: &mut Room) -> Vec<Option<Field>> {
        let mut fields = vec![None; self.items.len()];
        let mut claims: Vec<(usize, usize, usize)> = Vec::new();
        let secondary = self.primary..self.items.len();
        for item in order.iter().map(|&item| item as usize).chain(secondary) {
            if let Some((first, last)) = self.items[item].filter(|(first, last)| first < last) {
                claims.push((first, last, item));
            }
        }
        claims.sort_unstable();
        for (first, last, item) in claims {
            let bits = if item < self.primary { 1 } else { self.code_size(item).0 };
            fields[item] = Some(room.claim(bits, first, last));
        }
        fields
    }

    /// When and how an item with this field is used.
    fn usage(&self, item: usize, field: Field) -> Option<ItemUsage> {
        let (first, last) = self.items[item]?;
        let Some(secondary) = item.checked_sub(self.primary) else {
            return Some(ItemUsage {
                field,
                first,
                last,
                settled: usize::MAX,
                codes: vec![(1, first)],
            });
        };
        let firsts = self.spans[item].iter().map(|span| span.0);
        let codes = firsts.enumerate().map(|(way, first)| (self.code(item, way), first));
        Some(ItemUsage { field, first, last, settled: self.settled[secondary], codes: codes.collect() })
    }

    /// Whether an item may be used before this step; otherwise its field is zero there.
    fn is_written(&self, item: usize, step: usize) -> bool {
        self.items[item].is_some_and(|(first, _)| first < step)
    }

    /// Whether a secondary item is used before this step in any case, so that an option can only use it
    /// as it is used already.
    fn is_settled(&self, item: usize, step: usize) -> bool {
        self.settled[item - self.primary] < step
    }

    /// Length and weight of the codes of a secondary item.
    fn code_size(&self, item: usize) -> (u32, u32) {
        let ways = self.ways[item].len() as u64;
        let length = (1..64).find(|&length| choose(length, length / 2) >= ways).unwrap_or(64);
        (length, length / 2)
    }

    /// The word for this way to use a secondary item.
    fn code(&self, item: usize, way: usize) -> u64 {
        let (length, weight) = self.code_size(item);
        if length == 1 {
            // The only way there is.
            return 1;
        }
        // The combinations in lexicographic order, from the highest bit.
        let (mut rank, mut left, mut code) = (way as u64, weight, 0);
        for bit in (0..length).rev() {
            let without = choose(bit, left);
            if rank >= without {
                rank -= without;
                left -= 1;
                code |= 1 << bit;
            }
        }
        code
    }
}

impl Spans for UseTimes {
    fn span(&self, item: ItemId, color: Color) -> Option<(usize, usize)> {
        let way = self.ways[item.index()].binary_search(&color.raw()).ok()?;
        let (first, last) = self.spans[item.index()][way];
        let last = last.min(self.settled[item.index() - self.primary]);
        Some((first, last)).filter(|(first, last)| first <= last)
    }
}

/// By secondary item: the first step whose item has no option without it, or `usize::MAX`. Whatever
/// covers that item, here or before, has used the secondary one by then.
fn settled(problem: &Problem, place: &[usize]) -> Vec<usize> {
    let mut settled = vec![usize::MAX; problem.secondary()];
    let mut common = CommonItems::new(problem);
    for (item, &step) in (0..problem.primary() as u32).map(ItemId::new).zip(place) {
        for secondary in common.of(item) {
            let settled = &mut settled[secondary.index() - problem.primary()];
            *settled = step.min(*settled);
        }
    }
    settled
}

/// Binomial coefficients, as large as 64 bits hold.
fn choose(n: u32, k: u32) -> u64 {
    if k > n {
        return 0;
    }
    (0..u64::from(k)).fold(1u64, |product, i| product.saturating_mul(u64::from(n) - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Bound, ProblemBuilder};

    #[test]
    fn no_code_is_part_of_another() {
        for ways in 1..40 {
            let mut builder = ProblemBuilder::default();
            let a = builder.primary_item(b"a", Bound::ONCE).unwrap();
            let x = builder.secondary_item(b"x").unwrap();
            for way in 0..ways {
                builder.entry(a, Color::NONE).unwrap();
                let color = builder.color(format!("{way}").as_bytes());
                builder.entry(x, color).unwrap();
                builder.end_option().unwrap();
            }
            let uses = UseTimes::new(&builder.finish(), &[0]);
            let codes: Vec<u64> = (0..ways).map(|way| uses.code(1, way)).collect();
            for (a, &one) in codes.iter().enumerate() {
                assert!(one != 0 && one >> uses.code_size(1).0 == 0);
                assert!(codes.iter().enumerate().all(|(b, &other)| a == b || one & !other != 0));
            }
        }
        assert_eq!((choose(6, 3), choose(4, 0), choose(2, 3)), (20, 1, 0));
    }
}
