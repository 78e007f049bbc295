//! The steps of a plan for states of some width: which options fit a state, and what it becomes.

use crate::constraint::automaton::Field;
use crate::ids::OptionId;
use crate::search::memo::layer::{Arrivals, Layer};
use crate::search::memo::mini_buckets::Test;
use crate::search::memo::transitions::{ColorEvent, TransitionPlan, Transition};

/// The way of a state whose item is covered already.
pub(super) const NO_WAY: usize = usize::MAX;

/// The steps, for states of `N` words.
pub(super) fn stages<const N: usize>(plan: &TransitionPlan) -> Vec<WideStep<N>> {
    let steps = plan.steps.iter().enumerate();
    steps.map(|(number, step)| WideStep::new(number, step)).collect()
}

/// Whether the rules accept a last state.
pub(super) fn holds(plan: &TransitionPlan, state: &[u64]) -> bool {
    plan.rules.iter().all(|rule| rule.complete(state).is_fine())
}

/// A move for states of `N` words.
pub(super) struct WideMove<const N: usize> {
    pub(super) option: OptionId,
    pub(super) forbid: [u64; N],
    set: [u64; N],
    events: Box<[ColorEvent]>,
}

/// A step for states of `N` words.
pub(super) struct WideStep<const N: usize> {
    pub(super) number: usize,
    pub(super) covered: [u64; N],
    keep: [u64; N],
    pub(super) ways: Vec<WideMove<N>>,
    forgets: bool,
    /// Whether a rule may refuse a state.
    ruled: bool,
}

/// Work ([`super::FRONTIER_WORK`]) of so many options that were tried, of which so many fit or nothing was to be done.
pub(super) fn work(tried: u64, reached: u64) -> u64 {
    2 * tried + 20 * reached
}

/// Words, and zeros after them.
fn words<const N: usize>(words: &[u64]) -> [u64; N] {
    std::array::from_fn(|at| words.get(at).copied().unwrap_or(0))
}

#[inline(always)]
pub(super) fn meet<const N: usize>(a: &[u64; N], b: &[u64; N]) -> bool {
    a.iter().zip(b).fold(0, |all, (a, b)| all | a & b) != 0
}

impl<const N: usize> WideStep<N> {
    fn new(number: usize, step: &Transition) -> Self {
        let mut covered = [0; N];
        if let Some(field) = step.covered {
            covered[field.word as usize] = field.ones << field.shift;
        }
        let ways = step.moves.iter().map(|way| WideMove {
            option: way.option,
            forbid: words(&way.forbid),
            set: words(&way.set),
            events: way.events.clone().into_boxed_slice(),
        });
        let (keep, forgets) = (words(&step.keep), step.forgets);
        let ways: Vec<WideMove<N>> = ways.collect();
        let ruled = forgets || ways.iter().any(|way| !way.events.is_empty());
        WideStep { number, covered, keep, ways, forgets, ruled }
    }

    /// The state after an option, if it fits, and if that may come to something.
    #[inline(always)]
    pub(super) fn take(&self, plan: &TransitionPlan, way: &WideMove<N>, key: &[u64; N]) -> Option<[u64; N]> {
        let mut after = way.after(key);
        let tests = plan.tests(self.number);
        let fits = !meet(key, &way.forbid) && self.hears(plan, tests, way, || *key, &mut after);
        if fits { self.pass(plan, after) } else { None }
    }

    /// The state after this step, if no rule refuses it.
    #[inline(always)]
    pub(super) fn pass(&self, plan: &TransitionPlan, mut state: [u64; N]) -> Option<[u64; N]> {
        let fine = self.forget(plan, &mut state);
        self.clean(&mut state);
        fine.then_some(state)
    }

    /// Tells the rules what an option that fits does to a state, of which it made `after`; false if that
    /// comes to nothing. `before` is the state.
    #[inline(always)]
    fn hears(
        &self,
        plan: &TransitionPlan,
        tests: &[Test],
        way: &WideMove<N>,
        before: impl Fn() -> [u64; N],
        after: &mut [u64; N],
    ) -> bool {
        let is_new = |known: Field| known.get(&before()) != known.ones;
        let news = |event: &&ColorEvent| event.known.is_none_or(is_new);
        tests.iter().all(|test| test.passes(after))
            && way.events.iter().filter(news).all(|event| {
                let rule = &plan.rules[event.rule as usize];
                rule.fixed(self.number, event.item, event.color, after).is_fine()
            })
    }

    /// Lets the rules forget what they need no longer; false if one refuses the state.
    #[inline(always)]
    fn forget(&self, plan: &TransitionPlan, state: &mut [u64; N]) -> bool {
        let mut forget =
            || plan.rules.iter().all(|rule| rule.project(self.number, state).is_fine());
        !self.forgets || forget()
    }

    /// Forgets how items were used that no later step asks for.
    #[inline(always)]
    fn clean(&self, state: &mut [u64; N]) {
        state.iter_mut().zip(&self.keep).for_each(|(word, keep)| *word &= keep);
    }

    /// Does to all arrivals from `layer` what [`WideStep::take`] and [`WideStep::pass`] do to a state whose
    /// option fits, and leaves those for which there is hope.
    pub(super) fn sift(&self, plan: &TransitionPlan, layer: &Layer<N>, arrivals: &mut Arrivals<N>) {
        let tests = plan.tests(self.number);
        if self.ruled || !tests.is_empty() {
            arrivals.retain(|state, way, origin| {
                let mut hears =
                    |way: &WideMove<N>| self.hears(plan, tests, way, || layer.key(origin), state);
                self.ways.get(way).is_none_or(&mut hears) && self.forget(plan, state)
            });
        }
        arrivals.for_each(|state| self.clean(state));
    }
}

impl<const N: usize> WideMove<N> {
    /// What it makes of a state that it fits.
    #[inline(always)]
    pub(super) fn after(&self, state: &[u64; N]) -> [u64; N] {
        std::array::from_fn(|at| state[at] | self.set[at])
    }
}
