//! Counts by backtracking with a memo, or makes a ZDD (Algorithm Z, TAOCP 7.2.2.1; Knuth's `dlx6`).
//!
//! The item with the fewest options is covered in all ways, as in Algorithm C. Before that we look up
//! what is left: the items, and for each secondary item that a remaining option uses the color that it
//! got. The count of what was met before is known. When what is left falls apart into components that
//! share no item, each is counted on its own, and the counts are multiplied; then it does not matter in
//! which states the others are (Fang et al., SAT 2026). An item with a color does not hold components
//! together: all options that are left agree about it.
//!
//! To find the components takes a walk through all remaining options, so we look less often where that
//! was in vain. There is no recursion; what stands is a stack of frames.

use num_bigint::BigUint;

use crate::ids::OptionId;
use crate::problem::Problem;
use crate::search::engine::Status;
use crate::search::memo::big_count::BigCount;
use crate::search::memo::hypergraph;
use crate::search::memo::links::{MemoLists, OPEN};
use crate::search::memo::memo_table::{Key, KeyStore};
use crate::search::stats::Stats;
use crate::search::zdd::{NONE, ZddNode, ZddSource, UNIT, Unique, Zdd};

/// The longest pause between two looks for components, in nodes.
const LONGEST_PAUSE: u32 = 256;

/// Work ([`super::TREE_WORK`]) of a node, of each item that it looks at, and of an entry that leaves its list and comes back.
const NODE_WORK: u64 = 100;
const ITEM_WORK: u64 = 3;
const UPDATE_WORK: u64 = 6;

/// No item, in the frame of the root.
const ROOT: u32 = u32::MAX;

/// What is known of some items: in how many ways they can be covered, and the node of all these ways, if a
/// ZDD is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// How many.
    pub count: BigCount,
    /// The node.
    pub node: u32,
}

impl Value {
    const ZERO: Value = Value { count: BigCount::ZERO, node: NONE };
    const ONE: Value = Value { count: BigCount::ONE, node: UNIT };

    /// With what is known of other items. Where there is a diagram, there are no others.
    fn times(&self, other: &Value) -> Value {
        let node = if self.node == UNIT { other.node } else { self.node };
        Value { count: self.count.times(&other.count), node }
    }
}

/// A ZDD in the making.
#[derive(Debug)]
struct ZddDraft {
    zdd: Zdd,
    unique: Unique,
    room: usize,
}

impl ZddDraft {
    fn new(room: usize) -> Self {
        ZddDraft { zdd: Zdd::new(ZddSource::Tree), unique: Unique::default(), room }
    }
}

/// A component: some items of `Tree::items`, the primary ones first.
#[derive(Clone, Copy, Debug)]
struct Component {
    start: usize,
    end: usize,
}

/// An item that is being covered.
#[derive(Debug)]
struct CoverFrame {
    item: u32,
    /// The option at hand, or the item before the first.
    node: u32,
    part: Component,
    /// Covers of `part` by options before the one at hand.
    sum: Value,
    /// Covers of the components that are done, under the option at hand.
    product: Value,
    /// Where its components begin in `Tree::parts` and their items in `Tree::items`, and where its key
    /// is in `Tree::keys`.
    parts: usize,
    items: usize,
    key: usize,
    /// Nodes that had been visited before.
    nodes: u64,
}

/// A count at work.
pub struct AlgorithmZ {
    lists: MemoLists,
    store: KeyStore,
    /// By item: word and shift of its bits in a key.
    places: Vec<(u32, u32)>,
    /// By item: its colors, ascending.
    colors: Vec<Vec<u32>>,
    words: Vec<u64>,
    frames: Vec<CoverFrame>,
    items: Vec<u32>,
    parts: Vec<Component>,
    keys: Key,
    /// By item, and by node of an option: when it was met last. Items with a color are met
    /// anew by each component.
    met: Vec<u64>,
    moment: u64,
    /// Nodes until the next look for components, and how many there were before the last one.
    wait: u32,
    pause: u32,
    /// By primary item: which one to cover first among equals.
    rank: Vec<u32>,
    drawing: Option<ZddDraft>,
    /// Work besides that of the lists ([`super::TREE_WORK`]).
    work: u64,
    /// How it ended, if it did.
    end: Option<Status>,
    /// What is counted on the way.
    pub stats: Stats,
    /// The nodes that it may visit.
    pub limit: u64,
}

impl AlgorithmZ {
    /// A count of the covers of `problem`, with a memo of at most `room` bytes. A ZDD of them takes half of the room,
    /// if one is wanted.
    pub fn new(problem: &Problem, order: &[u32], draws: bool, room: usize) -> Self {
        let colors = hypergraph::values(problem);
        let (mut places, mut word, mut shift) = (Vec::new(), 0, 0);
        for (item, colors) in colors.iter().enumerate() {
            let values = if item < problem.primary() { 2 } else { colors.len() as u32 + 2 };
            let bits = u32::BITS - (values - 1).leading_zeros();
            if shift + bits > u64::BITS {
                (word, shift) = (word + 1, 0);
            }
            places.push((word, shift));
            shift += bits;
        }
        let width = word as usize + 1;
        let mut rank = vec![0; problem.primary()];
        order.iter().zip(0..).for_each(|(&item, place)| rank[item as usize] = place);
        let lists = MemoLists::new(problem);
        let half = if draws { room / 2 } else { 0 };
        let room = (room - half).saturating_sub(lists.bytes());
        AlgorithmZ {
            store: KeyStore::new(width, draws, room),
            drawing: draws.then(|| ZddDraft::new(half)),
            met: vec![0; lists.size()],
            lists,
            places,
            colors,
            words: vec![0; width],
            frames: Vec::new(),
            items: Vec::new(),
            parts: Vec::new(),
            keys: Key::new(),
            moment: 0,
            wait: 0,
            pause: 0,
            rank,
            work: 0,
            end: None,
            stats: Stats::default(),
            limit: u64::MAX,
        }
    }

    /// The root has one option, which covers nothing.
    fn begin(&mut self) {
        self.items.extend(0..self.lists.items());
        let part = Component { start: 0, end: self.items.len() };
        self.frames.push(CoverFrame {
            item: ROOT,
            node: ROOT,
            part,
            sum: Value::ZERO,
            product: Value::ONE,
            parts: 0,
            items: self.items.len(),
            key: 0,
            nodes: 0,
        });
        self.divide(part);
    }

    /// Goes on counting for so much work.
    pub fn run(&mut self, work: u64) -> Status {
        if let Some(end) = self.end {
            return end;
        }
        if self.frames.is_empty() {
            self.begin();
        }
        let rest_at = self.total_work().saturating_add(work);
        loop {
            // The components of the newest choice, one after the other.
            let Some(frame) = self.frames.last() else { unreachable!("the root stays") };
            if self.parts.len() == frame.parts || frame.product.count.is_zero() {
                if frame.item == ROOT {
                    if let Some(drawing) = &mut self.drawing {
                        drawing.zdd.root = frame.product.node;
                    }
                    self.end = Some(Status::Exhausted);
                    return Status::Exhausted;
                }
                if let Err(end) = self.finish_option() {
                    self.end = Some(end);
                    return end;
                }
                self.next_option();
                continue;
            }
            if let Some(end) = self.look_up(rest_at) {
                return end;
            }
            let Some(part) = self.parts.pop() else { continue };
            match self.enter(part) {
                Some(value) => self.tell(&value),
                None => self.next_option(),
            }
        }
    }

    /// The count, or a bound for it as long as it is not exhausted.
    pub fn total(&self) -> BigUint {
        match self.end {
            Some(Status::Exhausted) => self.frames[0].product.count.big(),
            _ => self.known(),
        }
    }

    /// A component of the newest choice has these covers.
    fn tell(&mut self, value: &Value) {
        if let Some(frame) = self.frames.last_mut() {
            frame.product = frame.product.times(value);
        }
    }

    /// Looks at what is left of a component: answers with its count if that is clear, or else begins to
    /// cover an item.
    fn enter(&mut self, part: Component) -> Option<Value> {
        self.stats.enter(self.frames.len() - 1);
        let items = &self.items[part.start..part.end];
        self.work += NODE_WORK + ITEM_WORK * items.len() as u64;
        let primary = items.iter().copied().take_while(|&item| self.lists.is_primary(item));
        let Some(item) = primary.min_by_key(|&item| self.lists.length(item)) else {
            return Some(Value::ONE);
        };
        if self.lists.length(item) == 0 {
            return Some(Value::ZERO);
        }
        let key = self.keys.len();
        self.write_key(part);
        if let Some(value) = self.store.find(&self.keys[key..]) {
            self.keys.truncate(key);
            self.stats.hits += 1;
            return Some(value);
        }
        self.lists.cover(item);
        let (parts, items, nodes) = (self.parts.len(), self.items.len(), self.stats.nodes);
        let (sum, product) = (Value::ZERO, Value::ONE);
        self.frames.push(CoverFrame { item, node: item, part, sum, product, parts, items, key, nodes });
        None
    }

    /// Takes the next option of the newest item; after the last one, tells its count.
    fn next_option(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.node = self.lists.next(frame.node);
        if frame.node != frame.item {
            frame.product = Value::ONE;
            let part = frame.part;
            self.lists.commit(frame.node);
            self.divide(part);
            return;
        }
        let Some(CoverFrame { item, sum, key, nodes, .. }) = self.frames.pop() else { return };
        self.lists.uncover(item);
        // What is found out at once need not be remembered.
        if self.stats.nodes > nodes {
            self.store.insert(&self.keys[key..], &sum);
            self.stats.memos = self.store.len() as u64;
        }
        self.keys.truncate(key);
        self.tell(&sum);
    }

    /// Takes the option at hand back.
    fn finish_option(&mut self) -> Result<(), Status> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let CoverFrame { sum, product, node, .. } = frame;
        sum.count = sum.count.plus(&product.count);
        if let Some(ZddDraft { zdd, unique, .. }) = &mut self.drawing {
            let option = OptionId::new(self.lists.number(*node));
            sum.node = unique.node(zdd, ZddNode { option, lo: sum.node, hi: product.node })?;
        }
        self.parts.truncate(frame.parts);
        self.items.truncate(frame.items);
        self.lists.uncommit(*node);
        Ok(())
    }

    /// The ZDD, if one is wanted and the count has come to its end.
    pub fn take_diagram(&mut self) -> Option<Zdd> {
        self.drawing.take().map(|drawing| drawing.zdd)
    }

    /// A bound for the count, from what stands.
    fn known(&self) -> BigUint {
        let mut known = BigCount::ZERO;
        let mut waiting = self.parts.len();
        for frame in self.frames.iter().rev() {
            // Whatever is not counted yet may have no cover.
            let open = waiting > frame.parts;
            known = if open { BigCount::ZERO } else { frame.product.count.times(&known) };
            known = known.plus(&frame.sum.count);
            waiting = frame.parts;
        }
        known.big()
    }

    /// Appends the key of what is left of a component.
    fn write_key(&mut self, part: Component) {
        self.words.fill(0);
        for &item in &self.items[part.start..part.end] {
            if !self.lists.matters(item) {
                continue;
            }
            let value = match self.lists.color(item) {
                OPEN => 1,
                color => match self.colors[item as usize].binary_search(&color) {
                    Ok(number) | Err(number) => number as u64 + 2,
                },
            };
            let (word, shift) = self.places[item as usize];
            self.words[word as usize] |= value << shift;
        }
        self.store.pack(&self.words, &mut self.keys);
    }

    /// Writes down the components of what is left of a component.
    fn divide(&mut self, part: Component) {
        if self.wait > 0 || self.drawing.is_some() {
            self.wait = self.wait.saturating_sub(1);
            self.copy(part);
            return;
        }
        let before = self.parts.len();
        let beginning = self.moment + 1;
        for at in part.start..part.end {
            let item = self.items[at];
            if !self.lists.is_primary(item) {
                break;
            }
            if self.lists.matters(item) && self.met[item as usize] < beginning {
                self.moment += 1;
                self.flood(item, beginning);
            }
        }
        // The smallest is the last, and will be looked at first.
        self.parts[before..].sort_by_key(|part| std::cmp::Reverse(part.end - part.start));
        self.pause = match self.parts.len() - before {
            0 | 1 => (2 * self.pause + 1).min(LONGEST_PAUSE),
            _ => 0,
        };
        self.wait = self.pause;
    }

    /// What is left, as if it were connected.
    fn copy(&mut self, part: Component) {
        let start = self.items.len();
        for at in part.start..part.end {
            let item = self.items[at];
            if self.lists.matters(item) {
                self.items.push(item);
            }
        }
        let end = self.items.len();
        if self.items.get(start).is_some_and(|&item| self.lists.is_primary(item)) {
            self.parts.push(Component { start, end });
        } else {
            self.items.truncate(start);
        }
    }

    /// Writes down the component of a primary item; other ones were met since `beginning`.
    fn flood(&mut self, item: u32, beginning: u64) {
        let AlgorithmZ { lists, items, met, moment, .. } = self;
        let start = items.len();
        let mut secondary = Vec::new();
        // Items whose options are still to be walked through.
        let mut open = vec![item];
        met[item as usize] = *moment;
        while let Some(item) = open.pop() {
            if lists.is_primary(item) {
                items.push(item);
            }
            let mut node = lists.first(item);
            while node != item {
                if met[node as usize] < beginning {
                    let start = lists.start(node);
                    for (node, (item, right)) in (start as usize..).zip(lists.option(start)) {
                        met[node] = *moment;
                        let before = std::mem::replace(&mut met[item as usize], *moment);
                        if before >= if right { *moment } else { beginning } {
                            continue;
                        }
                        if !lists.is_primary(item) {
                            secondary.push(item);
                        }
                        if !right {
                            open.push(item);
                        }
                    }
                }
                node = lists.next(node);
            }
        }
        let rank = &self.rank;
        items[start..].sort_unstable_by_key(|&item| rank[item as usize]);
        items.append(&mut secondary);
        self.parts.push(Component { start, end: self.items.len() });
    }

    /// All work so far.
    pub fn total_work(&self) -> u64 {
        self.work + UPDATE_WORK * self.lists.updates()
    }

    /// Whether it is time to pause, or to end.
    fn look_up(&self, rest_at: u64) -> Option<Status> {
        if let Some(ZddDraft { zdd, unique, room }) = &self.drawing
            && zdd.bytes() + 3 * unique.bytes() > *room
        {
            return Some(Status::Full);
        }
        if self.stats.nodes >= self.limit {
            return Some(Status::Limit);
        }
        (self.total_work() >= rest_at).then_some(Status::Paused)
    }
}
