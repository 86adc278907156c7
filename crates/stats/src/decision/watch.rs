//! One pair on one metric, replication by replication.

use crate::judge::Judge;
use crate::relation::Relation;
use crate::signs::Signs;
use kleroterion_core::score::{Direction, LaneResult};

/// The state of one pair on one metric.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    pub(super) metric: String,
    /// Places of a and b in the run.
    pub(super) a: usize,
    pub(super) b: usize,
    signs: Signs,
    pub(super) decided: bool,
    /// True if all D were exactly 0. `None` before the first value.
    pub(super) identical: Option<bool>,
    /// The places of those of the two that broke off.
    pub(super) broken: [Option<usize>; 2],
}

impl Watch {
    /// Makes the watch of a pair, by places in the run, before any replication; `alpha` is its
    /// share.
    pub(super) fn new(metric: &str, (a, b): (usize, usize), judge: &Judge, alpha: f64) -> Self {
        Self {
            metric: metric.to_owned(),
            a,
            b,
            signs: Signs::new(metric, judge, alpha),
            decided: false,
            identical: None,
            broken: [None; 2],
        }
    }

    pub(super) fn add(&mut self, a: &LaneResult, b: &LaneResult, judge: &Judge) {
        let comparable = |lane: &LaneResult| lane.ending.is_comparable(judge.source_end_is_short);
        for (side, (place, lane)) in [(self.a, a), (self.b, b)].into_iter().enumerate() {
            if !comparable(lane) {
                // For good: nothing clears a lane.
                self.broken[side] = Some(place);
                self.decided = true;
            }
        }
        let values = judge.values(&self.metric, [a, b]);
        let Some([a, b]) = values.filter(|_| !self.is_broken()) else {
            return;
        };
        if !self.signs.has_scale() {
            return;
        }
        self.identical = Some(self.identical.unwrap_or(true) && a == b);
        self.signs.add(a - b);
        self.decided = self.signs.side().is_some() || self.signs.is_within();
    }

    fn is_broken(&self) -> bool {
        self.broken != [None; 2]
    }

    /// Returns the relation of a to b; `better` says whether more or less is better.
    pub(super) fn relation(&self, better: Direction) -> Relation {
        match self.signs.side() {
            _ if self.is_broken() => Relation::None,
            Some(side) if side == better => Relation::Better,
            Some(_) => Relation::Worse,
            None if self.signs.is_within() => Relation::Even,
            None => Relation::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::protocol::Ending;
    use kleroterion_core::score::MetricRow;

    const RATE: &str = "selection_rate";

    fn lane(metric: &str, value: f64, ending: Ending) -> LaneResult {
        let row = MetricRow {
            metric: metric.into(),
            at: None,
            value,
        };
        LaneResult::new(ending, None, [row])
    }

    fn judge(margin: Option<f64>) -> Judge {
        Judge {
            margins: margin
                .map(|margin| (RATE.to_owned(), margin))
                .into_iter()
                .collect(),
            ..Judge::default()
        }
    }

    /// Places 4 and 2 of a run after these differences of a metric.
    fn after(metric: &str, margin: Option<f64>, differences: &[f64]) -> Watch {
        let judge = judge(margin);
        let mut watch = Watch::new(metric, (4, 2), &judge, 0.05);
        let filled = |value| lane(metric, value, Ending::Filled);
        for difference in differences {
            watch.add(&filled(0.5 + difference), &filled(0.5), &judge);
        }
        watch
    }

    #[test]
    fn the_side_that_is_sure_is_better_or_worse_by_what_counts_as_better() {
        use Direction::{Higher, Lower};
        for (difference, higher, lower) in [
            (0.4, Relation::Better, Relation::Worse),
            (-0.4, Relation::Worse, Relation::Better),
        ] {
            let watch = after(RATE, None, &[difference; 60]);
            assert_eq!(watch.relation(Higher), higher, "{difference}");
            assert_eq!(watch.relation(Lower), lower, "{difference}");
            assert!(watch.decided);
        }
        // Two values are too few, and within the margin neither is better.
        let few = after(RATE, Some(0.3), &[0.4; 2]);
        assert_eq!((few.relation(Higher), few.decided), (Relation::Open, false));
        let even = after(RATE, Some(0.3), &[0.0; 60]);
        assert_eq!(
            (even.relation(Higher), even.decided),
            (Relation::Even, true)
        );
        let without = after(RATE, None, &[0.0; 60]);
        assert_eq!(
            (without.relation(Higher), without.decided),
            (Relation::Open, false)
        );
    }

    #[test]
    fn a_lane_that_broke_off_leaves_its_pair_without_a_relation_for_good() {
        let judge = judge(None);
        for (endings, broken) in [
            ([Ending::Panicked, Ending::Filled], [Some(4), None]),
            ([Ending::Filled, Ending::Left], [None, Some(2)]),
        ] {
            let mut watch = after(RATE, None, &[0.4; 60]);
            let [a, b] = endings.map(|ending| lane(RATE, 0.5, ending));
            watch.add(&a, &b, &judge);
            let whole = lane(RATE, 0.5, Ending::Filled);
            watch.add(&whole, &whole, &judge);
            assert_eq!((watch.broken, watch.decided), (broken, true));
            assert_eq!(watch.relation(Direction::Higher), Relation::None);
            // Nothing that came then was taken in.
            assert_eq!(watch.identical, Some(false));
        }
    }

    #[test]
    fn without_a_range_or_beyond_it_nothing_is_ever_decided() {
        let unknown = after("cost", None, &[0.4; 60]);
        assert_eq!((unknown.identical, unknown.decided), (None, false));
        assert_eq!(unknown.relation(Direction::Lower), Relation::Open);
        let mut beyond = vec![0.4; 60];
        beyond[20] = 7.0;
        let beyond = after(RATE, None, &beyond);
        assert_eq!(beyond.relation(Direction::Higher), Relation::Open);
        assert!(!beyond.decided);
    }

    #[test]
    fn a_pair_is_identical_until_it_differs_once() {
        for (differences, identical) in [
            (&[][..], None),
            (&[0.0], Some(true)),
            (&[0.0, 0.0], Some(true)),
            (&[0.0, 0.25], Some(false)),
            (&[0.25, 0.0], Some(false)),
        ] {
            assert_eq!(
                after(RATE, None, differences).identical,
                identical,
                "{differences:?}"
            );
        }
    }
}
