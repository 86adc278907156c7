//! One group's contexts, sorted under an anchor.

use std::collections::VecDeque;

use super::drift::{Band, Extent};

/// The number of contexts computed in bands that cost as much as sorting one context under a new
/// anchor (measured). A new anchor is set when the bands have cost as much as it will.
const BANDS: usize = 8;

/// The contexts of one group. Each has a number, in the order in which they came.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    dimension: usize,
    /// The anchor mu0.
    anchor: Vec<f64>,
    /// The contexts that were there when the anchor was set, sorted by key.
    settled: Sorted,
    /// The contexts under the anchor before. Their memory is reused, because fresh pages cost a run
    /// of 100,000 rounds a quarter of its time.
    spare: Sorted,
    /// (key, place) of those that are being sorted.
    ranking: Vec<(f64, u32)>,
    /// The keys of `settled` by number, from `start` on.
    keys: Vec<f64>,
    start: u64,
    /// The keys of those in `settled` that are forgotten, sorted.
    gone: Vec<f64>,
    /// The contexts that came since, in order.
    fresh: Vec<f64>,
    /// (key, place in `fresh`), sorted by key.
    order: Vec<(f64, u32)>,
    /// The rounds of those that are not forgotten, in order.
    rounds: VecDeque<u64>,
    /// The number of the oldest that is not forgotten.
    oldest: u64,
    /// The extent of all contexts since the anchor was set.
    extent: Extent,
    /// Computed in bands since the anchor was set.
    spent: usize,
    computed: u64,
}

/// Contexts sorted by key.
#[derive(Clone, Debug, Default)]
struct Sorted {
    keys: Vec<f64>,
    numbers: Vec<u64>,
    /// The contexts, one after the other.
    contexts: Vec<f64>,
}

impl Standing {
    /// Makes an empty standing.
    pub(super) fn new(dimension: usize) -> Self {
        Self {
            dimension,
            anchor: vec![0.0; dimension],
            settled: Sorted::default(),
            spare: Sorted::default(),
            ranking: Vec::new(),
            keys: Vec::new(),
            start: 0,
            gone: Vec::new(),
            fresh: Vec::new(),
            order: Vec::new(),
            rounds: VecDeque::new(),
            oldest: 0,
            extent: Extent::none(dimension),
            spent: 0,
            computed: 0,
        }
    }

    /// The number of contexts not forgotten.
    pub(super) fn len(&self) -> usize {
        self.rounds.len()
    }

    /// The number of contexts computed in bands.
    pub(super) fn computed(&self) -> u64 {
        self.computed
    }

    /// Adds a context.
    pub(super) fn insert(&mut self, round: u64, context: &[f64]) {
        let key = dot(&self.anchor, context);
        let at = self.order.partition_point(|(other, _)| *other <= key);
        self.order.insert(at, (key, self.order.len() as u32));
        self.fresh.extend_from_slice(context);
        self.extent.include(context);
        self.rounds.push_back(round);
    }

    /// Forgets those of the rounds up to `last`.
    pub(super) fn forget(&mut self, last: u64) {
        let leaving = self.rounds.partition_point(|round| *round <= last);
        self.rounds.drain(..leaving);
        let first = (self.oldest - self.start) as usize;
        self.oldest += leaving as u64;
        if let Some(keys) = self.keys.get(first..first + leaving)
            && leaving <= 64
        {
            for key in keys {
                let at = self.gone.partition_point(|other| other <= key);
                self.gone.insert(at, *key);
            }
        } else {
            let anchor = std::mem::take(&mut self.anchor);
            self.settle(anchor);
        }
    }

    /// The number of contexts with mu.x <= `value`.
    pub(super) fn count(&mut self, mu: &[f64], value: f64) -> usize {
        let len = self.len();
        if self.spent > BANDS * (len + 8) || self.order.len() > 256 + len / 4 {
            self.settle(mu.to_vec());
        }
        let band = self.extent.band(&self.anchor, mu, value);
        let (below, settled) = self.count_settled(mu, value, band);
        let (below_too, fresh) = self.count_fresh(mu, value, band);
        self.spent += settled + fresh;
        self.computed += (settled + fresh) as u64;
        below + below_too
    }

    /// The number of contexts in `settled` that count, and the number computed.
    fn count_settled(&self, mu: &[f64], value: f64, band: Option<Band>) -> (usize, usize) {
        let up_to = |keys: &[f64], bound: f64| keys.partition_point(|key| *key <= bound);
        let keys = &self.settled.keys[..];
        let (from, to) = band.map_or((0, keys.len()), |band| {
            (up_to(keys, band.low), up_to(keys, band.high))
        });
        let certain = from - band.map_or(0, |band| up_to(&self.gone, band.low));
        let contexts = &self.settled.contexts[from * self.dimension..to * self.dimension];
        let ambiguous = self.settled.numbers[from..to]
            .iter()
            .zip(contexts.chunks_exact(self.dimension));
        let counts = |number: &u64, x: &[f64]| *number >= self.oldest && dot(mu, x) <= value;
        let between = ambiguous.filter(|(number, x)| counts(number, x)).count();
        (certain + between, to - from)
    }

    /// The number of contexts in `fresh` that count, and the number computed.
    fn count_fresh(&self, mu: &[f64], value: f64, band: Option<Band>) -> (usize, usize) {
        let up_to = |bound: f64| self.order.partition_point(|(key, _)| *key <= bound);
        let (from, to) = band.map_or((0, self.order.len()), |band| {
            (up_to(band.low), up_to(band.high))
        });
        let context = |place: u32| {
            let start = place as usize * self.dimension;
            &self.fresh[start..start + self.dimension]
        };
        let ambiguous = self.order[from..to].iter();
        let between = ambiguous.filter(|(_, place)| dot(mu, context(*place)) <= value);
        (from + between.count(), to - from)
    }

    /// Sorts all that are not forgotten under a new anchor.
    fn settle(&mut self, anchor: Vec<f64>) {
        let (old, new) = (&self.settled, &mut self.spare);
        let came = self.start + self.keys.len() as u64;
        let fresh = came..self.oldest + self.rounds.len() as u64;
        let numbers = old.numbers.iter().copied().chain(fresh);
        let contexts = old.contexts.chunks_exact(self.dimension);
        let contexts = contexts.chain(self.fresh.chunks_exact(self.dimension));
        self.ranking.clear();
        self.extent = Extent::none(self.dimension);
        for (place, (number, context)) in (0..).zip(numbers.zip(contexts)) {
            if number >= self.oldest {
                self.ranking.push((dot(&anchor, context), place));
                self.extent.include(context);
            }
        }
        self.ranking.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        self.keys.clear();
        self.keys.resize(self.ranking.len(), 0.0);
        new.clear();
        for (key, place) in &self.ranking {
            let place = *place as usize;
            let (number, contexts, place) = match place.checked_sub(old.numbers.len()) {
                None => (old.numbers[place], &old.contexts, place),
                Some(place) => (came + place as u64, &self.fresh, place),
            };
            let context = &contexts[place * self.dimension..][..self.dimension];
            self.keys[(number - self.oldest) as usize] = *key;
            new.keys.push(*key);
            new.numbers.push(number);
            new.contexts.extend_from_slice(context);
        }
        std::mem::swap(&mut self.settled, &mut self.spare);
        self.anchor = anchor;
        self.start = self.oldest;
        self.gone.clear();
        self.fresh.clear();
        self.order.clear();
        self.spent = 0;
    }
}

impl Sorted {
    fn clear(&mut self) {
        self.keys.clear();
        self.numbers.clear();
        self.contexts.clear();
    }
}

/// Returns the inner product of two vectors of the same length, always added up in the same order.
#[inline]
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (fours_a, fours_b) = (a.chunks_exact(4), b.chunks_exact(4));
    let (tail_a, tail_b) = (fours_a.remainder(), fours_b.remainder());
    for (a, b) in fours_a.zip(fours_b) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    let tail: f64 = tail_a.iter().zip(tail_b).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}
