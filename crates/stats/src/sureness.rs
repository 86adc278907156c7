//! The moments since which a running average is sure, value by value.
//!
//! An interval says something else only where one of its ends crosses a threshold: 0, a margin, a
//! bound. Computing the interval at every value would cost more than the run. The boundary never
//! falls, and grows with the variance: so most values are settled by one known below, or one known
//! for a variance to come.

use super::sequence::StreamSequence;

/// The factor by which the variance may grow until a boundary ahead is recomputed.
const AHEAD: f64 = 1.05;

/// A hair for rounding.
const HAIR: f64 = 1e-9;

/// A follower of the conclusion from an interval of a running average.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sureness<S> {
    /// The thresholds, in the unit of the sequence.
    thresholds: Vec<f64>,
    /// The side of each threshold on which the interval lay when it was last computed. `None` if it
    /// contained the threshold.
    sides: Vec<Option<bool>>,
    /// The boundary at some variance that there was.
    least: f64,
    /// A variance to come, and the boundary at it.
    ahead: (f64, f64),
    now: Option<S>,
    first: Option<(u64, S)>,
    opened: Option<u64>,
    since: Option<u64>,
}

impl<S: Copy + PartialEq> Sureness<S> {
    /// Makes the follower before any value; `thresholds` are those on which the conclusion depends.
    pub(super) fn new(mut thresholds: Vec<f64>) -> Self {
        // No end of an interval lies beyond the unit.
        thresholds.retain(|threshold| (0.0..=1.0).contains(threshold));
        Self {
            sides: vec![None; thresholds.len()],
            thresholds,
            least: 0.0,
            ahead: (f64::NEG_INFINITY, 0.0),
            now: None,
            first: None,
            opened: None,
            since: None,
        }
    }

    /// Takes in the sequence after its next value; `say` gives the conclusion from an interval.
    /// Returns true if the conclusion changed.
    pub(super) fn note(
        &mut self,
        stream: &StreamSequence,
        say: impl FnOnce((f64, f64)) -> Option<S>,
    ) -> bool {
        if self.is_as_before(stream) {
            return false;
        }
        self.least = stream.boundary();
        let (lo, hi) = stream.interval_within(self.least);
        let sides = self.thresholds.iter().map(|threshold| match () {
            () if lo > *threshold => Some(true),
            () if hi < *threshold => Some(false),
            () => None,
        });
        self.sides = sides.collect();
        if self.sides.iter().any(Option::is_some) {
            let ahead = AHEAD * stream.variance() + 0.1;
            self.ahead = (ahead, stream.boundary_at(ahead));
        }
        let said = say((lo, hi));
        self.become_at(stream.count(), said)
    }

    fn is_as_before(&self, stream: &StreamSequence) -> bool {
        let is_ahead = stream.variance() <= self.ahead.0;
        let mut all = self.thresholds.iter().zip(&self.sides);
        all.all(|(threshold, side)| {
            let gap = stream.sum_less(*threshold);
            match side {
                None => gap.abs() * (1.0 + HAIR) < self.least,
                Some(above) => {
                    let gap = if *above { gap } else { -gap };
                    is_ahead && gap > self.ahead.1 * (1.0 + HAIR)
                }
            }
        })
    }

    fn become_at(&mut self, n: u64, said: Option<S>) -> bool {
        if said == self.now {
            return false;
        }
        self.since = said.map(|_| n);
        if let Some(said) = said {
            self.first.get_or_insert((n, said));
        } else {
            self.opened = Some(n);
        }
        self.now = said;
        true
    }

    /// The current conclusion, if it is sure.
    pub(super) const fn now(&self) -> Option<S> {
        self.now
    }

    /// Returns the first sure moment and conclusion, the last moment of being open again, and the
    /// moment since which it is sure.
    pub(super) fn dates(&self) -> Option<Dates<S>> {
        self.first.map(|first| (first, self.opened, self.since))
    }
}

/// The first sure moment and conclusion, the last moment of being open again, and the moment since
/// which it is sure.
pub(super) type Dates<S> = ((u64, S), Option<u64>, Option<u64>);

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::draw::{Key, Purpose};

    /// Returns the conclusions by computing every interval.
    fn plainly(values: &[f64], thresholds: &[f64]) -> Vec<Option<usize>> {
        let mut stream = StreamSequence::new(0.05, 1.0);
        let each = values.iter().map(|value| {
            stream.add(*value);
            said(stream.interval(), thresholds)
        });
        each.collect()
    }

    /// A number for each way in which an interval can lie about thresholds; none where it holds the
    /// first.
    fn said((lo, hi): (f64, f64), thresholds: &[f64]) -> Option<usize> {
        let at = |threshold: &f64| match () {
            () if lo > *threshold => 1,
            () if hi < *threshold => 2,
            () => 0,
        };
        let all = thresholds.iter().map(at).fold(0, |all, one| 3 * all + one);
        (all > 0).then_some(all)
    }

    #[test]
    fn it_is_what_all_intervals_say_at_every_value() {
        let key = Key::new(62, 1);
        let mut turns = 0;
        for number in 0..40 {
            let mut draw = key.draw(Purpose::World, number, 0);
            // The mean goes up and down, so that what was sure is open again.
            let value = |at: usize| {
                let mean = 0.5 + 0.45 * libm::sin(at as f64 / (40.0 + number as f64));
                match number % 2 {
                    0 => f64::from(u8::from(draw.uniform() < mean)),
                    _ => 0.9 * mean + 0.1 * draw.uniform(),
                }
            };
            let values: Vec<f64> = (0..800).map(value).collect();
            for thresholds in [&[0.5][..], &[0.5, 0.45, 0.55], &[0.5, -0.1, 1.1]] {
                let plain = plainly(&values, thresholds);
                let mut sureness = Sureness::new(thresholds.to_vec());
                let mut stream = StreamSequence::new(0.05, 1.0);
                let (mut first, mut before) = (None, None);
                for (at, (value, known)) in values.iter().zip(&plain).enumerate() {
                    stream.add(*value);
                    let turned = sureness.note(&stream, |interval| said(interval, thresholds));
                    assert_eq!(sureness.now(), *known, "{number} at {at}");
                    assert_eq!(turned, before != *known, "{number} at {at}");
                    let n = at as u64 + 1;
                    if turned {
                        turns += 1;
                        first = first.or(known.map(|known| (n, known)));
                        let since = known.map(|_| n);
                        let dates = sureness.dates();
                        assert_eq!(dates.map(|dates| dates.0), first);
                        assert_eq!(dates.and_then(|dates| dates.2), since);
                    }
                    before = *known;
                }
            }
        }
        assert!(turns > 100, "{turns}");
    }

    /// An interval costs more than a round of a run: it is computed where what is sure may change,
    /// and now and then as the variance grows.
    #[test]
    fn few_intervals_are_computed() {
        for (drift, noise, thresholds) in [
            (0.0, 0.1, &[0.5][..]),
            (0.02, 0.1, &[0.5]),
            (-0.02, 0.1, &[0.5]),
            (0.0, 0.4, &[0.5, 0.4, 0.6]),
            (0.02, 0.4, &[0.5, 0.4, 0.6]),
            (-0.02, 0.4, &[0.5, 0.42, 0.58]),
        ] {
            let mut sureness = Sureness::new(thresholds.to_vec());
            let mut stream = StreamSequence::new(0.05, 1.0);
            let mut computed = 0;
            for n in 1..=10_000_u64 {
                stream.add(0.5 + drift + if n % 2 == 0 { noise } else { -noise });
                let before = (sureness.least, sureness.ahead);
                sureness.note(&stream, |interval| said(interval, thresholds));
                computed += u64::from((sureness.least, sureness.ahead) != before);
            }
            assert!(computed < 600, "{drift} {noise}: {computed}");
        }
    }

    /// 2,000 null streams: how often one is ever dated as sure is at most the error rate.
    #[test]
    fn streams_of_no_difference_are_rarely_dated() {
        const STREAMS: u64 = 2_000;
        let key = Key::new(63, 1);
        let dated = [0.05, 0.5].map(|alpha| {
            let is_dated = |number: &u64| {
                let mut draw = key.draw(Purpose::World, *number, 0);
                let mut sureness = Sureness::new(vec![0.5]);
                let mut stream = StreamSequence::new(alpha, 1.0);
                for _ in 0..400 {
                    // Differences of two policies that choose alike in half of the rounds.
                    stream.add([0.5, 0.5, 0.0, 1.0][(draw.uniform() * 4.0) as usize]);
                    sureness.note(&stream, |interval| said(interval, &[0.5]));
                }
                sureness.dates().is_some()
            };
            let dated = (0..STREAMS).filter(is_dated).count();
            assert!(dated as f64 <= alpha * STREAMS as f64, "{alpha}: {dated}");
            dated
        });
        println!("dated of {STREAMS} at .05 and at .5: {dated:?}");
        assert!(dated[1] > 0, "none can be seen");
    }
}
