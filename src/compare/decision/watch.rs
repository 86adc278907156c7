//! One pair on one metric, replication by replication.

use crate::compare::judge::Judge;
use crate::compare::relation::Relation;
use crate::compare::sequence::{Bets, Range, Tilted};
use crate::score::{Direction, LaneResult};

/// One pair.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    pub(super) metric: String,
    /// Places of a and b in the run.
    pub(super) a: usize,
    pub(super) b: usize,
    /// ln(2/alpha).
    level: f64,
    /// None where a value has left it: then nothing is ever decided.
    scale: Option<Scale>,
    /// Against a mean D of at most 0, at least 0.
    signs: [Against; 2],
    /// Against a mean D of at most minus the margin, at least the margin; none where a side is
    /// sure.
    margins: Option<[Option<Against>; 2]>,
    pub(super) decided: bool,
    /// Whether all D were exactly 0; none before the first value.
    pub(super) identical: Option<bool>,
    /// The places of those of the two that broke off.
    pub(super) broken: [Option<usize>; 2],
}

/// The scale of a metric's differences.
#[derive(Clone, Copy, Debug)]
enum Scale {
    /// They lie in a range.
    Range(Range),
    /// Their variance is at most so much.
    Variance(f64),
}

impl Scale {
    fn of(metric: &str, judge: &Judge) -> Option<Self> {
        let range = judge.range(metric).map(Range::of_differences);
        let variance = || judge.variance(metric).map(Self::Variance);
        range.map(Self::Range).or_else(variance)
    }

    /// A difference and its mirror image as evidence takes them in; none where it leaves the range.
    fn sides(self, difference: f64) -> Option<[f64; 2]> {
        match self {
            Self::Range(range) => {
                let up = range.unit(difference).ok()?;
                Some([up, 1.0 - up])
            }
            Self::Variance(_) => difference.is_finite().then_some([difference, -difference]),
        }
    }

    /// Evidence against a mean of at most `bound`; none where that is sure beforehand.
    fn against(self, bound: f64, alpha: f64) -> Option<Against> {
        match self {
            Self::Range(range) => {
                let unit = range.unit(bound).ok().filter(|unit| *unit >= 1e-100);
                unit.map(|unit| Against::Bets(Bets::against(unit)))
            }
            Self::Variance(variance) => {
                let tilted = Tilted::against(bound, variance, alpha);
                Some(Against::Tilted(tilted))
            }
        }
    }
}

/// Evidence against a mean of at most some bound.
#[derive(Clone, Debug)]
enum Against {
    Bets(Bets),
    Tilted(Tilted),
}

impl Against {
    fn add(&mut self, value: f64) {
        match self {
            Self::Bets(bets) => bets.add(value),
            Self::Tilted(tilted) => tilted.add(value),
        }
    }

    fn ln_e(&self) -> f64 {
        match self {
            Self::Bets(bets) => bets.ln_e(),
            Self::Tilted(tilted) => tilted.ln_e(),
        }
    }
}

impl Watch {
    /// Nothing seen of a pair, by places in the run; `alpha`: its share.
    pub(super) fn new(metric: &str, (a, b): (usize, usize), judge: &Judge, alpha: f64) -> Self {
        let scale = Scale::of(metric, judge);
        let margin = judge.margins.get(metric);
        let bounds = scale.zip(margin).map(|(scale, margin)| {
            let against = scale.against(-margin, alpha);
            [against.clone(), against]
        });
        let sign = scale.and_then(|scale| scale.against(0.0, alpha));
        // Without a scale nothing is taken in.
        let sign = sign.unwrap_or_else(|| Against::Bets(Bets::against(0.5)));
        Self {
            metric: metric.to_owned(),
            a,
            b,
            level: libm::log(2.0 / alpha),
            scale,
            signs: [sign.clone(), sign],
            margins: bounds,
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
                (self.decided, self.scale) = (true, None);
            }
        }
        let values = judge.values(&self.metric, [a, b]);
        let (Some([a, b]), Some(scale)) = (values, self.scale) else {
            return;
        };
        self.identical = Some(self.identical.unwrap_or(true) && a == b);
        let Some(sides) = scale.sides(a - b) else {
            (self.decided, self.scale) = (false, None);
            return;
        };
        for (side, bets) in sides.into_iter().zip(&mut self.signs) {
            bets.add(side);
        }
        if let Some(bounds) = &mut self.margins {
            for (side, bets) in sides.into_iter().zip(bounds) {
                bets.iter_mut().for_each(|bets| bets.add(side));
            }
        }
        self.decided = self.side().is_some() || self.is_within();
    }

    fn refutes(&self, bets: &Against) -> bool {
        bets.ln_e() > self.level
    }

    /// On which side of 0 the mean D surely lies.
    fn side(&self) -> Option<Direction> {
        let [above, below] = &self.signs;
        match (self.refutes(above), self.refutes(below)) {
            (true, _) => Some(Direction::Higher),
            (_, true) => Some(Direction::Lower),
            _ => None,
        }
    }

    /// Whether the mean D surely lies within the margin.
    fn is_within(&self) -> bool {
        let refuted = |bets: &Option<Against>| bets.as_ref().is_none_or(|bets| self.refutes(bets));
        let margins = self.margins.as_ref();
        margins.is_some_and(|sides| sides.iter().all(refuted))
    }

    /// How a compares with b, where more is better or less.
    pub(super) fn relation(&self, better: Direction) -> Relation {
        match self.side() {
            _ if self.broken != [None; 2] => Relation::None,
            _ if self.scale.is_none() => Relation::Open,
            Some(side) if side == better => Relation::Better,
            Some(_) => Relation::Worse,
            None if self.is_within() => Relation::Even,
            None => Relation::Open,
        }
    }
}
