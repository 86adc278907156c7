//! One pair on one metric, replication by replication.

use crate::compare::judge::Judge;
use crate::compare::relation::Relation;
use crate::compare::signs::Signs;
use crate::score::{Direction, LaneResult};

/// One pair.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    pub(super) metric: String,
    /// Places of a and b in the run.
    pub(super) a: usize,
    pub(super) b: usize,
    signs: Signs,
    pub(super) decided: bool,
    /// Whether all D were exactly 0; none before the first value.
    pub(super) identical: Option<bool>,
    /// The places of those of the two that broke off.
    pub(super) broken: [Option<usize>; 2],
}

impl Watch {
    /// Nothing seen of a pair, by places in the run; `alpha`: its share.
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

    /// How a compares with b, where more is better or less.
    pub(super) fn relation(&self, better: Direction) -> Relation {
        match self.signs.side() {
            _ if self.is_broken() => Relation::None,
            _ if !self.signs.has_scale() => Relation::Open,
            Some(side) if side == better => Relation::Better,
            Some(_) => Relation::Worse,
            None if self.signs.is_within() => Relation::Even,
            None => Relation::Open,
        }
    }
}
