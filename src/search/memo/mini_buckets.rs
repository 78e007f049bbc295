//! Which states cannot be completed, as far as one can tell from a few items at a time.
//!
//! A sweep goes forward, and so it carries along states that come to nothing: a clue further down
//! wants three edges where only two are left. On boards of 10 x 10 cells with half of their clues 45 to
//! 92 percent of the states are of that kind, and the share grows with the board. So we look at the
//! steps once before, from the last to the first, and note which *patterns* of a few items can be
//! completed:
//!
//! ```text
//! after the last step     anything can
//! before a step           a pattern can if some option of the step fits it, and leads to a pattern that can
//! ```
//!
//! A pattern says how some items are used, and nothing of the others. If there are more of them than
//! a table is to hold, some are left out: then a pattern counts as good if any way to use those items
//! is. That is the mini-bucket scheme (Dechter and Rish, Journal of the ACM 50, 2003), for truth
//! values. Whatever it refuses has no completion, since every completion of a state would also complete
//! its patterns. What the rules have to say is left out as well.
//!
//! # Invariant
//!
//! Every state that can be completed before step `t` passes all views that are held for `t`.

use crate::constraint::automaton::Field;
use crate::search::memo::transitions::{TransitionPlan, Transition};

/// Views that are held at a time.
const MOST_VIEWS: usize = 12;

/// Patterns of the items of a step, times its options: beyond that a step is not looked at.
const MOST_TRIALS: usize = 1 << 18;

/// A view of which more patterns than this are good, of 1000, is not worth a test.
const WORTHLESS: usize = 900;

/// Bits of a pattern that pay. Tables of 12 bits take a tenth of a second on a board of 15 x 15 cells; 17 bits
/// instead drop another 3 percent of its states.
pub const BITS: u32 = 12;

/// When an item is used, and how it is written then.
#[derive(Clone, Debug)]
pub struct ItemUsage {
    /// Its bits.
    pub field: Field,
    /// The first and the last step at which it may be used.
    pub first: usize,
    /// See `first`.
    pub last: usize,
    /// The step after which it is used in any case.
    pub settled: usize,
    /// The words that its field may have besides 0, each with the first step that writes it.
    pub codes: Vec<(u64, usize)>,
}

impl ItemUsage {
    /// What may be in the field before step `at`.
    fn values(&self, at: usize) -> Vec<u64> {
        let none = (self.settled >= at).then_some(0);
        let codes = self.codes.iter().filter(|(_, first)| *first < at).map(|&(code, _)| code);
        none.into_iter().chain(codes).collect()
    }
}

/// What the states after a step are asked.
#[derive(Clone, Debug, Default)]
pub struct Test {
    /// Bits of a state that make up the number of its pattern, and by how much they are shifted there.
    parts: Vec<(Field, u32)>,
    /// By pattern: a bit that says whether it can be completed.
    good: Vec<u64>,
}

impl Test {
    /// Whether `state` may have a completion.
    #[inline]
    pub fn passes(&self, state: &[u64]) -> bool {
        let number =
            self.parts.iter().fold(0, |number, (field, at)| number | field.get(state) << at);
        self.good[number as usize >> 6] >> (number & 63) & 1 == 1
    }
}

/// The tests of each step.
pub fn tests(plan: &TransitionPlan, bits: u32) -> Vec<Vec<Test>> {
    let mut tests = vec![Vec::new(); plan.steps.len()];
    let mut views: Vec<View> = Vec::new();
    for (at, step) in plan.steps.iter().enumerate().rev() {
        let touches = |view: &View| view.axes.iter().any(|axis| step.items.contains(&axis.item));
        let (bucket, rest): (Vec<View>, Vec<View>) = views.into_iter().partition(touches);
        let worth = bucket.iter().filter(|view| view.share <= WORTHLESS);
        tests[at] = worth.map(|view| view.test(plan)).collect();
        views = rest;
        views.extend(Back { plan, step, at, bits }.views(bucket));
        views.sort_by_key(|view| (view.share, view.bits));
        views.truncate(MOST_VIEWS);
    }
    tests
}

/// An item of a view.
#[derive(Clone, Debug)]
struct Axis {
    item: u32,
    /// The bits of its field that tell its values apart.
    mask: u64,
    /// Where they go in the number of a pattern.
    at: u32,
}

/// Which patterns of some items can be completed.
#[derive(Clone, Debug)]
struct View {
    axes: Vec<Axis>,
    /// Bits of a pattern's number.
    bits: u32,
    good: Vec<u64>,
    /// How many patterns of 1000 are good.
    share: usize,
}

impl View {
    /// Of these items, as they are before step `at`; nothing is good.
    fn new(plan: &TransitionPlan, items: &[u32], at: usize) -> Self {
        let mut bits = 0;
        let axes = items.iter().map(|&item| {
            let mask = telling(&plan.usage(item).values(at));
            let axis = Axis { item, mask, at: bits };
            bits += mask.count_ones();
            axis
        });
        let axes = axes.collect();
        View { axes, bits, good: vec![0; 1usize << bits >> 6 | 1], share: 0 }
    }

    fn is_good(&self, number: u32) -> bool {
        self.good[number as usize >> 6] >> (number & 63) & 1 == 1
    }

    fn set_good(&mut self, number: u32) {
        self.good[number as usize >> 6] |= 1 << (number & 63);
    }

    fn axis(&self, item: u32) -> Option<&Axis> {
        self.axes.iter().find(|axis| axis.item == item)
    }

    fn test(&self, plan: &TransitionPlan) -> Test {
        let mut parts: Vec<(Field, u32)> = Vec::new();
        for axis in &self.axes {
            let field = plan.usage(axis.item).field;
            let (mut mask, mut at) = (axis.mask, axis.at);
            while mask != 0 {
                let low = mask.trailing_zeros();
                let length = (mask >> low).trailing_ones();
                let ones = u64::MAX >> (64 - length);
                parts.push((Field { word: field.word, shift: field.shift + low, ones }, at));
                mask &= !(ones << low);
                at += length;
            }
        }
        Test { parts, good: self.good.clone() }
    }

    /// What it says of those of its items that are wanted.
    fn without(&self, wanted: impl Fn(u32) -> bool) -> View {
        let mut bits = 0;
        let mut axes = Vec::new();
        let mut moved = Vec::new();
        for axis in self.axes.iter().filter(|axis| wanted(axis.item)) {
            let length = axis.mask.count_ones();
            moved.push((axis.at, (1u32 << length) - 1, bits));
            axes.push(Axis { at: bits, ..axis.clone() });
            bits += length;
        }
        let mut view = View { axes, bits, good: vec![0; 1usize << bits >> 6 | 1], share: 0 };
        for number in (0..1 << self.bits).filter(|&number| self.is_good(number)) {
            let part = |&(from, ones, to): &(u32, u32, u32)| (number >> from & ones) << to;
            view.set_good(moved.iter().map(part).sum());
        }
        view
    }
}

impl Axis {
    /// What `value` contributes to the number of a pattern.
    fn digit(&self, value: u64) -> u32 {
        let (mut mask, mut digit, mut at) = (self.mask, 0, self.at);
        while mask != 0 {
            let bit = mask & mask.wrapping_neg();
            digit |= u32::from(value & bit != 0) << at;
            at += 1;
            mask &= !bit;
        }
        digit
    }
}

/// Bits that tell these values apart, few of them.
fn telling(values: &[u64]) -> u64 {
    let differ = |mask: u64| {
        let mut seen: Vec<u64> = values.iter().map(|value| value & mask).collect();
        seen.sort_unstable();
        seen.dedup();
        seen.len() == values.len()
    };
    let mut mask = values.iter().fold(0, |all, value| all | value);
    for bit in 0..u64::BITS {
        if mask >> bit & 1 == 1 && differ(mask & !(1 << bit)) {
            mask &= !(1 << bit);
        }
    }
    mask
}

/// What to do to get from the views after a step to those before it.
struct Back<'p> {
    plan: &'p TransitionPlan,
    step: &'p Transition,
    at: usize,
    bits: u32,
}

impl Back<'_> {
    /// The views before the step that follow from those after it which have an item in common with it.
    fn views(&self, bucket: Vec<View>) -> Vec<View> {
        let read: Vec<u32> =
            self.step.items.iter().copied().filter(|&i| self.is_before(i)).collect();
        let product = |product: usize, &item: &u32| {
            product.saturating_mul(self.plan.usage(item).values(self.at).len())
        };
        let trials = read.iter().fold(self.step.moves.len().max(1), product);
        let mut found = Vec::new();
        let mut groups: Vec<(Vec<u32>, Vec<View>)> = Vec::new();
        let too_many = trials > MOST_TRIALS || self.width(&read) > self.bits;
        for mut view in bucket {
            let untouched = |item: u32| !self.step.items.contains(&item);
            if too_many {
                found.push(view.without(untouched));
                continue;
            }
            let mut items = self.items_before(&read, &view);
            if self.width(&items) > self.bits {
                found.push(view.without(untouched));
                // Those go that are used again last, as we go back.
                while self.width(&items) > self.bits {
                    let others = items.iter().copied().filter(|&item| untouched(item));
                    let Some(last) = others.min_by_key(|&item| self.plan.usage(item).first) else {
                        break;
                    };
                    items.retain(|&item| item != last);
                    view = view.without(|item| item != last);
                }
            }
            let fits = |(union, _): &&mut (Vec<u32>, Vec<View>)| {
                let more = items.iter().filter(|item| !union.contains(item));
                let all: Vec<u32> = union.iter().chain(more).copied().collect();
                self.width(&all) <= self.bits
            };
            match groups.iter_mut().find(fits) {
                Some((union, views)) => {
                    items.retain(|item| !union.contains(item));
                    union.extend(items);
                    views.push(view);
                }
                None => groups.push((items, vec![view])),
            }
        }
        if groups.is_empty() && !too_many {
            groups.push((read.clone(), Vec::new()));
        }
        found.extend(groups.iter().map(|(items, views)| self.combine(&read, items, views)));
        for view in &mut found {
            self.rate(view);
        }
        found.retain(|view| view.share < 1000);
        found
    }

    /// Whether an item may have been used before.
    fn is_before(&self, item: u32) -> bool {
        self.plan.usage(item).first < self.at
    }

    /// The items of the step, and those of a view, that may have been used before.
    fn items_before(&self, read: &[u32], view: &View) -> Vec<u32> {
        let mut items = read.to_vec();
        let others = view.axes.iter().map(|axis| axis.item);
        items.extend(others.filter(|&item| !read.contains(&item) && self.is_before(item)));
        items
    }

    /// Bits of a pattern of these items.
    fn width(&self, items: &[u32]) -> u32 {
        let width = |&item: &u32| telling(&self.plan.usage(item).values(self.at)).count_ones();
        items.iter().map(width).sum()
    }

    /// The patterns of `items`, the first of which are `read`, that lead to patterns that are good in all
    /// of `views`.
    fn combine(&self, read: &[u32], items: &[u32], views: &[View]) -> View {
        let mut new = View::new(self.plan, items, self.at);
        // The patterns of the items that the step does not touch: their numbers in `new` and in `views`.
        let mut others: Vec<Vec<u32>> = vec![vec![0]; views.len() + 1];
        for axis in &new.axes[read.len()..] {
            let values = self.plan.usage(axis.item).values(self.at);
            let mine = std::iter::once(Some(axis));
            let axes = mine.chain(views.iter().map(|view| view.axis(axis.item)));
            for (numbers, axis) in others.iter_mut().zip(axes) {
                let digits: Vec<u32> =
                    values.iter().map(|&value| axis.map_or(0, |axis| axis.digit(value))).collect();
                let longer = digits.iter().flat_map(|digit| numbers.iter().map(move |n| n | digit));
                *numbers = longer.collect();
            }
        }
        for (number, ways) in self.patterns(&new.axes[..read.len()], views) {
            for at in 0..others[0].len() {
                let leads = |way: &Vec<u32>| {
                    let mut parts = way.iter().zip(&others[1..]).zip(views);
                    parts.all(|((part, numbers), view)| view.is_good(part | numbers[at]))
                };
                if ways.iter().any(leads) {
                    new.set_good(number | others[0][at]);
                }
            }
        }
        new
    }

    /// By pattern of what the step reads: its number by `axes`, and what each option that fits
    /// contributes to the numbers in `views`.
    fn patterns(&self, axes: &[Axis], views: &[View]) -> Vec<(u32, Vec<Vec<u32>>)> {
        let values: Vec<Vec<u64>> =
            axes.iter().map(|axis| self.plan.usage(axis.item).values(self.at)).collect();
        let mut patterns = Vec::new();
        let mut pattern = vec![0; axes.len()];
        loop {
            let mut state = vec![0; self.plan.words];
            let mut number = 0;
            for ((axis, values), &choice) in axes.iter().zip(&values).zip(&pattern) {
                let Some(&value) = values.get(choice) else { return patterns };
                self.plan.usage(axis.item).field.set(&mut state, value);
                number |= axis.digit(value);
            }
            patterns.push((number, self.ways(&state, views)));
            let mut turn = 0;
            while turn < axes.len() {
                pattern[turn] += 1;
                if pattern[turn] < values[turn].len() {
                    break;
                }
                pattern[turn] = 0;
                turn += 1;
            }
            if turn == axes.len() {
                return patterns;
            }
        }
    }

    /// What each option that fits `state` makes of it, in the numbers of `views`.
    fn ways(&self, state: &[u64], views: &[View]) -> Vec<Vec<u32>> {
        let numbers = |after: &[u64]| -> Vec<u32> {
            let number = |view: &View| {
                let touched = view.axes.iter().filter(|axis| self.step.items.contains(&axis.item));
                let digit = |axis: &Axis| axis.digit(self.plan.usage(axis.item).field.get(after));
                touched.map(digit).sum()
            };
            views.iter().map(number).collect()
        };
        if self.step.covered.is_some_and(|covered| covered.get(state) == covered.ones) {
            return vec![numbers(state)];
        }
        let fits = |forbid: &[u64]| forbid.iter().zip(state).all(|(a, b)| a & b == 0);
        let moves = self.step.moves.iter().filter(|way| fits(&way.forbid));
        let after =
            |set: &[u64]| -> Vec<u64> { set.iter().zip(state).map(|(a, b)| a | b).collect() };
        let mut ways: Vec<Vec<u32>> = moves.map(|way| numbers(&after(&way.set))).collect();
        ways.sort_unstable();
        ways.dedup();
        ways
    }

    /// Counts how many of the patterns that there may be are good.
    fn rate(&self, view: &mut View) {
        let all: usize =
            view.axes.iter().map(|axis| self.plan.usage(axis.item).values(self.at).len()).product();
        let good: usize = view.good.iter().map(|word| word.count_ones() as usize).sum();
        view.share = (good * 1000).checked_div(all).unwrap_or(1000).min(1000);
        if good < all {
            view.share = view.share.min(999);
        }
    }
}
