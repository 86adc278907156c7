//! Evidence about the mean of D, difference by difference, over replications.

use super::judge::Judge;
use super::sequence::{Bets, Range, Tilted};
use crate::score::Direction;

/// Evidence on which side of 0 the mean of D lies, and whether it lies within the margin; valid at
/// any time.
#[derive(Clone, Debug)]
pub(super) struct Signs {
    /// ln(2/alpha).
    level: f64,
    /// None where a value has left it: then nothing is ever known.
    scale: Option<Scale>,
    /// Against a mean D of at most 0, at least 0.
    signs: [Against; 2],
    /// Against a mean D of at most minus the margin, at least the margin; none where a side is
    /// sure.
    margins: Option<[Option<Against>; 2]>,
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
            Self::Bets(bets) => bets.bet(value),
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

impl Signs {
    /// No difference of a metric seen yet; `alpha`: the pair's share.
    pub(super) fn new(metric: &str, judge: &Judge, alpha: f64) -> Self {
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
            level: libm::log(2.0 / alpha),
            scale,
            signs: [sign.clone(), sign],
            margins: bounds,
        }
    }

    /// Takes in the next difference.
    pub(super) fn add(&mut self, difference: f64) {
        let Some(scale) = self.scale else { return };
        let Some(sides) = scale.sides(difference) else {
            self.scale = None;
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
    }

    /// Whether all differences lay on a scale that is known.
    pub(super) fn has_scale(&self) -> bool {
        self.scale.is_some()
    }

    /// On which side of 0 the mean D surely lies.
    pub(super) fn side(&self) -> Option<Direction> {
        let [above, below] = &self.signs;
        match (self.refutes(above), self.refutes(below)) {
            _ if self.scale.is_none() => None,
            (true, _) => Some(Direction::Higher),
            (_, true) => Some(Direction::Lower),
            _ => None,
        }
    }

    /// Whether the mean D surely lies within the margin.
    pub(super) fn is_within(&self) -> bool {
        let refuted = |bets: &Option<Against>| bets.as_ref().is_none_or(|bets| self.refutes(bets));
        let margins = self.margins.as_ref().filter(|_| self.scale.is_some());
        margins.is_some_and(|sides| sides.iter().all(refuted))
    }

    fn refutes(&self, bets: &Against) -> bool {
        bets.ln_e() > self.level
    }
}
