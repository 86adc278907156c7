//! Evidence about the mean of D, difference by difference, over replications.

use super::judge::Judge;
use super::sequence::{Bets, Range, Tilted};
use kleroterion_core::score::Direction;

/// Evidence on which side of 0 the mean of D lies, and whether it lies within the margin; valid at
/// any time. What was sure once stays sure by betting, whose intervals are intersected.
#[derive(Clone, Debug)]
pub(super) struct Signs {
    /// ln(2/alpha).
    level: f64,
    /// The scale. `None` once a value has left it: then nothing is ever known.
    scale: Option<Scale>,
    /// The evidence against a mean D of at most 0, and of at least 0.
    signs: [Against; 2],
    /// The evidence against a mean D of at most minus the margin, and of at least the margin.
    /// `None` for a side that is sure.
    margins: Option<[Option<Against>; 2]>,
    /// The side of 0 that was sure first.
    side: Option<Direction>,
    /// True for each side of the margin that was ever sure.
    within: [bool; 2],
}

/// The scale of a metric's differences.
#[derive(Clone, Copy, Debug)]
enum Scale {
    /// The differences lie in a range.
    Range(Range),
    /// The variance of the differences is at most this.
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
    /// Makes the evidence on a metric before any difference; `alpha` is the pair's share.
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
        let within = match &bounds {
            Some(sides) => [sides[0].is_none(), sides[1].is_none()],
            None => [false; 2],
        };
        Self {
            level: libm::log(2.0 / alpha),
            scale,
            signs: [sign.clone(), sign],
            margins: bounds,
            side: None,
            within,
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
        let level = self.level;
        let refutes = |against: &Against| against.ln_e() > level;
        // By Catoni's method intervals are not intersected: what is sure is so at this moment.
        if matches!(scale, Scale::Variance(_)) {
            (self.side, self.within) = (None, [false; 2]);
        }
        if self.side.is_none() {
            self.side = match self.signs.each_ref().map(refutes) {
                [true, _] => Some(Direction::Higher),
                [_, true] => Some(Direction::Lower),
                _ => None,
            };
        }
        let margins = self.margins.iter_mut().flatten().zip(sides);
        for ((against, side), within) in margins.zip(&mut self.within) {
            if let Some(against) = against {
                against.add(side);
                *within |= refutes(against);
            }
        }
    }

    /// Returns true if all differences lay on a known scale.
    pub(super) fn has_scale(&self) -> bool {
        self.scale.is_some()
    }

    /// Returns the side of 0 on which the mean D surely lies.
    pub(super) fn side(&self) -> Option<Direction> {
        self.side.filter(|_| self.scale.is_some())
    }

    /// Returns true if the mean D surely lies within the margin.
    pub(super) fn is_within(&self) -> bool {
        self.scale.is_some() && self.within == [true; 2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(metric: &str, margin: Option<f64>, variance: Option<f64>) -> Signs {
        let of = |value: Option<f64>| value.map(|value| (metric.to_owned(), value));
        let judge = Judge {
            margins: of(margin).into_iter().collect(),
            variances: of(variance).into_iter().collect(),
            ..Judge::default()
        };
        Signs::new(metric, &judge, 0.05)
    }

    fn after(mut signs: Signs, differences: &[f64]) -> (bool, Option<Direction>, bool) {
        differences.iter().for_each(|d| signs.add(*d));
        (signs.has_scale(), signs.side(), signs.is_within())
    }

    #[test]
    fn differences_of_a_range_show_their_side_or_that_they_lie_within_the_margin() {
        let of =
            |margin, differences: &[f64]| after(signs("selection_rate", margin, None), differences);
        assert_eq!(of(None, &[]), (true, None, false));
        assert_eq!(
            of(None, &[0.3; 200]),
            (true, Some(Direction::Higher), false)
        );
        assert_eq!(
            of(None, &[-0.3; 200]),
            (true, Some(Direction::Lower), false)
        );
        assert_eq!(of(Some(0.5), &[]), (true, None, false));
        assert_eq!(of(Some(0.5), &[0.0; 200]), (true, None, true));
        // Within one bound and not within the other.
        assert_eq!(
            of(Some(0.1), &[0.6; 200]),
            (true, Some(Direction::Higher), false)
        );
        assert_eq!(
            of(Some(0.1), &[-0.6; 200]),
            (true, Some(Direction::Lower), false)
        );
        // No difference of rates leaves a margin of 2.
        assert_eq!(of(Some(2.0), &[]), (true, None, true));
    }

    #[test]
    fn of_a_stated_variance_the_same_holds_without_a_range() {
        let of = |margin, differences: &[f64]| after(signs("cost", margin, Some(1.0)), differences);
        assert_eq!(
            of(None, &[3.0; 200]),
            (true, Some(Direction::Higher), false)
        );
        assert_eq!(
            of(None, &[-3.0; 200]),
            (true, Some(Direction::Lower), false)
        );
        assert_eq!(of(Some(1.0), &[]), (true, None, false));
        assert_eq!(of(Some(1.0), &[0.0; 200]), (true, None, true));
        assert_eq!(of(Some(1.0), &[f64::NAN]), (false, None, false));
    }

    #[test]
    fn without_a_scale_or_off_it_nothing_is_known() {
        assert_eq!(
            after(signs("cost", Some(1.0), None), &[0.9; 200]),
            (false, None, false)
        );
        let mut values = vec![0.3; 200];
        values.push(1.5);
        assert_eq!(
            after(signs("selection_rate", None, None), &values),
            (false, None, false)
        );
        assert_eq!(
            after(signs("selection_rate", Some(2.0), None), &[1.5]),
            (false, None, false)
        );
    }
}
