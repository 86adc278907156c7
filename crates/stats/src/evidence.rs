//! The evidence in the differences of two policies: the interval that decides, and further
//! statistics.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::order::{beats, quantile_interval};
use super::sequence::{Bets, Betting, Catoni, Range, Tilted, e_value, ln_mean_exp, p_value};
use super::stats::Stats;
use super::t;
use kleroterion_core::score::Direction;

/// Further statistics of a pair, without the interval. Each is at the pair's own alpha, and none is
/// covered by the joint confidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PairExtras {
    /// The lower end of the t interval, for a number of replications fixed beforehand. Null below n
    /// = 2.
    pub t_lo: Option<f64>,
    /// The upper end of the t interval.
    pub t_hi: Option<f64>,
    /// The e-value against a mean D of 0, at most 1 in expectation if the mean is 0. It is the mean
    /// of the next two. Only for metrics with a declared range. For all e-values, 1e300 reads "more
    /// than 1e300".
    pub e_value: Option<f64>,
    /// The e-value against a mean D of at most 0.
    pub e_above: Option<f64>,
    /// The e-value against a mean D of at least 0.
    pub e_below: Option<f64>,
    /// The anytime p-value: 1 over the greatest e-value after any replication; for a stream, over
    /// the e-value at its end. 1e-300 reads "less than 1e-300".
    pub p_anytime: Option<f64>,
    /// The median of D.
    pub median: Option<f64>,
    /// The lower end of the median's interval, distribution-free, for a number of replications
    /// fixed beforehand. Null below some n.
    pub median_lo: Option<f64>,
    /// The upper end of the median's interval.
    pub median_hi: Option<f64>,
    /// The share of differences in which a has the better value, or the higher one if the metric
    /// has no better side. A tie counts for half.
    pub beats: Option<f64>,
    /// The lower end of the interval of `beats`, by betting: valid at any time.
    pub beats_lo: Option<f64>,
    /// The upper end of the interval of `beats`.
    pub beats_hi: Option<f64>,
    /// The stated upper bound on the variance of D, if the interval rests on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variance_bound: Option<f64>,
}

/// The facts about a metric that are known beforehand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) direction: Direction,
    /// The declared range of its values.
    pub(super) range: Option<Range>,
    /// The stated upper bound on the variance of D, if there is no range.
    pub(super) variance: Option<f64>,
}

/// The interval that decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Evidence {
    pub(super) interval: Option<(f64, f64)>,
    pub(super) method: &'static str,
    pub(super) extras: PairExtras,
}

/// Differences on the scale of their declared range, 0 to 1.
struct Scaled {
    range: Range,
    /// The values of D.
    up: Vec<f64>,
    /// The values of -D.
    down: Vec<f64>,
}

impl Scaled {
    /// Scales the differences. `None` if the metric has no declared range, or a value contradicts
    /// it.
    fn of(differences: &[f64], range: Option<Range>) -> Option<Self> {
        let range = range?.of_differences();
        let up = differences.iter().map(|d| range.unit(*d).ok());
        let up: Vec<f64> = up.collect::<Option<_>>()?;
        let down = up.iter().map(|unit| 1.0 - unit).collect();
        Some(Self { range, up, down })
    }

    /// Estimates the total number of replications that show that D is above `bound` on average, and
    /// the same for -D.
    fn likely(&self, bound: f64, alpha: f64) -> [Option<f64>; 2] {
        [&self.up, &self.down].map(|values| match self.range.unit(bound) {
            Ok(unit) if unit >= 1e-100 => Betting::likely(values, unit, alpha / 2.0),
            // Below the range: that is sure before the first.
            _ => Some(0.0),
        })
    }
}

impl Evidence {
    /// By betting where the metric has a declared range, by Catoni's method where the variance is
    /// bounded, else by t. `stats` are those of `differences`, where those are all finite. `fixed`:
    /// the number of replications was fixed beforehand; else what needs that is left out.
    pub(super) fn of(
        differences: &[f64],
        stats: Option<&Stats>,
        known: Known,
        alpha: f64,
        fixed: bool,
    ) -> Self {
        let mut extras = PairExtras::default();
        let mut evidence = Self {
            interval: None,
            method: t::METHOD,
            extras,
        };
        if let Some(stats) = stats {
            // Of bounded differences that are all equal t knows nothing: others may follow.
            let is_known = |se: &f64| *se > 0.0 || known.range.is_none();
            let t = stats
                .se
                .filter(|se| fixed && is_known(se))
                .and_then(|se| t::t_interval(stats.mean, se, stats.n, alpha));
            (extras.t_lo, extras.t_hi) = (t.map(|t| t.0), t.map(|t| t.1));
            extras.order(differences, known.direction, alpha);
            evidence.interval = t;
            if !fixed {
                (extras.median_lo, extras.median_hi) = (None, None);
            }
        }
        if let Some(scaled) = Scaled::of(differences, known.range) {
            evidence.method = Betting::METHOD;
            if !differences.is_empty() {
                let (lo, hi) = Betting::interval(&scaled.up, alpha);
                let value = |unit| scaled.range.value(unit);
                evidence.interval = Some((value(lo), value(hi)));
                extras.bet(&scaled);
            }
        } else if let Some(variance) = known.variance.filter(|_| stats.is_some()) {
            evidence.method = Catoni::METHOD;
            evidence.interval = Catoni::interval(differences, variance, alpha);
            extras.tilt(differences, variance, alpha);
        }
        Self { extras, ..evidence }
    }
}

impl PairExtras {
    /// Makes the extras of a stream: the logarithms of its two e-values and the statistics that
    /// follow from them now.
    pub(super) fn of_stream(sides: [f64; 2]) -> Self {
        let mut extras = Self::default();
        extras.weigh(sides, ln_mean_exp(&sides));
        extras
    }

    fn order(&mut self, differences: &[f64], direction: Direction, alpha: f64) {
        if let Some(median) = quantile_interval(differences, 0.5, alpha) {
            self.median = Some(median.value);
            (self.median_lo, self.median_hi) = (median.lo, median.hi);
        }
        if let Some(beats) = beats(differences, direction, alpha) {
            self.beats = Some(beats.value);
            (self.beats_lo, self.beats_hi) = (beats.lo, beats.hi);
        }
    }

    fn bet(&mut self, scaled: &Scaled) {
        let (mut above, mut below) = (Bets::against(0.5), Bets::against(0.5));
        let both = scaled.up.iter().zip(&scaled.down);
        self.follow(both.map(|(up, down)| {
            above.add(*up);
            below.add(*down);
            [above.ln_e(), below.ln_e()]
        }));
    }

    fn tilt(&mut self, differences: &[f64], variance: f64, alpha: f64) {
        let against = || Tilted::against(0.0, variance, alpha);
        let (mut above, mut below) = (against(), against());
        self.follow(differences.iter().map(|d| {
            above.add(*d);
            below.add(-d);
            [above.ln_e(), below.ln_e()]
        }));
        self.variance_bound = Some(variance);
    }

    /// Follows the logarithms of both sides' e-values after each replication. It keeps those at the
    /// end, and the greatest of their means.
    fn follow(&mut self, sides: impl Iterator<Item = [f64; 2]>) {
        let (mut greatest, mut last) = (0.0_f64, [0.0; 2]);
        for side in sides {
            greatest = greatest.max(ln_mean_exp(&side));
            last = side;
        }
        self.weigh(last, greatest);
    }

    /// Takes in the logarithms of both sides' e-values, and of the greatest of their means.
    fn weigh(&mut self, sides: [f64; 2], greatest: f64) {
        self.e_value = Some(e_value(ln_mean_exp(&sides)));
        [self.e_above, self.e_below] = sides.map(|ln| Some(e_value(ln)));
        self.p_anytime = Some(p_value(greatest));
    }
}

/// About how many more replications are likely to decide a pair that is open, if they are like
/// those so far: until the interval leaves out 0 or, with a margin, lies within it, whichever comes
/// first; at least 1. None where neither is to be expected.
pub(super) fn needed(
    differences: &[f64],
    stats: &Stats,
    known: Known,
    alpha: f64,
    margin: Option<f64>,
) -> Option<u64> {
    let likely: &dyn Fn(f64) -> [Option<f64>; 2];
    let (scaled, tilted);
    match (Scaled::of(differences, known.range), known.variance) {
        (Some(found), _) => {
            scaled = move |bound| found.likely(bound, alpha);
            likely = &scaled;
        }
        (None, Some(variance)) => {
            tilted = move |bound| {
                let mirrored: Vec<f64> = differences.iter().map(|d| -d).collect();
                [differences, &mirrored].map(|d| Catoni::likely(d, bound, variance, alpha))
            };
            likely = &tilted;
        }
        (None, None) => return t::needed(stats, alpha, margin),
    }
    let [above, below] = likely(0.0);
    let within = margin.and_then(|margin| match likely(-margin) {
        [Some(lower), Some(upper)] => Some(lower.max(upper)),
        _ => None,
    });
    let all = [above, below, within].into_iter().flatten();
    let enough = all.min_by(f64::total_cmp)?;
    Some((enough.ceil() as u64).saturating_sub(stats.n).max(1))
}

#[cfg(test)]
mod tests;
