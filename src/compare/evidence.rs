//! The evidence in the differences of two policies: the interval that decides, and further
//! statistics.

use serde::{Deserialize, Serialize};

use super::order::{beats, quantile_interval};
use super::sequence::{Bets, Betting, Catoni, Range, Tilted};
use super::stats::Stats;
use super::t;
use crate::score::Direction;

/// Statistics of a pair other than its interval: each at the pair's own alpha, and none covered by
/// the joint confidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PairExtras {
    /// Lower end of the t interval, for a number of replications fixed beforehand; none below n =
    /// 2.
    pub t_lo: Option<f64>,
    /// Its upper end.
    pub t_hi: Option<f64>,
    /// The e-value against a mean D of 0, at most 1 in expectation where it is 0: the mean of the
    /// next two. Only where the metric has a declared range.
    pub e_value: Option<f64>,
    /// The e-value against a mean D of at most 0.
    pub e_above: Option<f64>,
    /// The e-value against a mean D of at least 0.
    pub e_below: Option<f64>,
    /// The anytime p-value, 1 over the greatest e-value that there was after some replication; of a
    /// stream over that at its end.
    pub p_anytime: Option<f64>,
    /// The median of D.
    pub median: Option<f64>,
    /// Lower end of its interval, distribution-free, for a number of replications fixed beforehand;
    /// none below some n.
    pub median_lo: Option<f64>,
    /// Its upper end.
    pub median_hi: Option<f64>,
    /// How often a has the better value (of a metric without a better side: the higher), a tie
    /// counting for half.
    pub beats: Option<f64>,
    /// Lower end of the interval of that probability, by betting: valid at any time.
    pub beats_lo: Option<f64>,
    /// Its upper end.
    pub beats_hi: Option<f64>,
    /// What the variance of D is stated not to exceed, where the interval rests on that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variance_bound: Option<f64>,
}

/// What is known of a metric beforehand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) direction: Direction,
    /// The declared range of its values.
    pub(super) range: Option<Range>,
    /// What the variance of D is stated not to exceed, where there is no range.
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
    /// Of D.
    up: Vec<f64>,
    /// Of -D.
    down: Vec<f64>,
}

impl Scaled {
    /// None where the metric has no declared range, or a value shows that it is none.
    fn of(differences: &[f64], range: Option<Range>) -> Option<Self> {
        let range = range?.of_differences();
        let up = differences.iter().map(|d| range.unit(*d).ok());
        let up: Vec<f64> = up.collect::<Option<_>>()?;
        let down = up.iter().map(|unit| 1.0 - unit).collect();
        Some(Self { range, up, down })
    }

    /// How many replications in all are likely to show that D is above `bound` on average, and the
    /// same of -D.
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
            let t = stats
                .se
                .filter(|_| fixed)
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
    /// Of a stream: its two e-values, and what follows from them at this moment.
    pub(super) fn of_stream([above, below]: [f64; 2]) -> Self {
        let both = 0.5 * above + 0.5 * below;
        Self {
            e_value: Some(both),
            e_above: Some(above),
            e_below: Some(below),
            p_anytime: Some((1.0 / both).min(1.0)),
            ..Self::default()
        }
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
            [above.e_value(), below.e_value()]
        }));
    }

    fn tilt(&mut self, differences: &[f64], variance: f64, alpha: f64) {
        let against = || Tilted::against(0.0, variance, alpha);
        let (mut above, mut below) = (against(), against());
        self.follow(differences.iter().map(|d| {
            above.add(*d);
            below.add(-d);
            [above.e_value(), below.e_value()]
        }));
        self.variance_bound = Some(variance);
    }

    /// The e-values of both sides after each replication: those at the end, and the greatest of
    /// their means.
    fn follow(&mut self, sides: impl Iterator<Item = [f64; 2]>) {
        let mut greatest = 1.0_f64;
        let mut last = [1.0; 2];
        let both = |[above, below]: [f64; 2]| (0.5 * above + 0.5 * below).min(f64::MAX);
        for side in sides {
            greatest = greatest.max(both(side));
            last = side;
        }
        self.e_value = Some(both(last));
        [self.e_above, self.e_below] = last.map(Some);
        self.p_anytime = Some(1.0 / greatest);
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
mod tests {
    use super::super::sequence::Bets;
    use super::*;
    use crate::score::MetricInfo;

    fn known(metric: &str) -> Known {
        let info = MetricInfo::of(metric);
        Known {
            direction: info.direction,
            range: info.range.and_then(|(least, most)| Range::new(least, most)),
            variance: None,
        }
    }

    fn evidence(differences: &[f64], metric: &str) -> Evidence {
        let stats = Stats::of(differences);
        Evidence::of(differences, stats.as_ref(), known(metric), 0.05, true)
    }

    fn waves(count: usize) -> Vec<f64> {
        let wave = |i: usize| 0.1 + 0.3 * libm::sin(i as f64);
        (1..=count).map(wave).collect()
    }

    #[test]
    fn a_declared_range_is_bet_on_and_t_stands_beside() {
        let d = waves(400);
        let bounded = evidence(&d, "representation_loss");
        assert_eq!(bounded.method, "betting (any time)");
        let units: Vec<f64> = d.iter().map(|d| (d + 1.0) / 2.0).collect();
        let (lo, hi) = Betting::interval(&units, 0.05);
        let ours = bounded.interval.unwrap();
        assert!((ours.0 - (2.0 * lo - 1.0)).abs() < 1e-12);
        assert!((ours.1 - (2.0 * hi - 1.0)).abs() < 1e-12);
        let free = evidence(&d, "screened");
        assert_eq!(free.method, "t (fixed n)");
        let (t_lo, t_hi) = free.interval.unwrap();
        let extras = bounded.extras;
        assert_eq!((extras.t_lo, extras.t_hi), (Some(t_lo), Some(t_hi)));
        assert!(ours.0 < t_lo && t_hi < ours.1);
        assert_eq!((free.extras.e_value, free.extras.p_anytime), (None, None));
    }

    #[test]
    fn e_values_are_those_of_both_sides() {
        let d = waves(100);
        let extras = evidence(&d, "representation_loss").extras;
        let (mut above, mut below) = (Bets::against(0.5), Bets::against(0.5));
        let mut greatest = 1.0_f64;
        for d in &d {
            above.add((d + 1.0) / 2.0);
            below.add((1.0 - d) / 2.0);
            greatest = greatest.max((above.e_value() + below.e_value()) / 2.0);
        }
        let near = |ours: Option<f64>, known: f64| (ours.unwrap() / known - 1.0).abs() < 1e-9;
        assert!(near(extras.e_above, above.e_value()));
        assert!(near(extras.e_below, below.e_value()));
        assert!(near(
            extras.e_value,
            (above.e_value() + below.e_value()) / 2.0
        ));
        assert!(near(extras.p_anytime, 1.0 / greatest));
        // Where the interval leaves out 0, p is at most alpha.
        assert!(extras.p_anytime.unwrap() < 0.05);
    }

    #[test]
    fn a_value_beyond_its_range_leaves_t_alone() {
        let odd = evidence(&[0.1, 0.2, 1.5], "representation_loss");
        assert_eq!(odd.method, "t (fixed n)");
        assert_eq!((odd.extras.e_value, odd.extras.p_anytime), (None, None));
        assert!(odd.interval.is_some());
    }

    #[test]
    fn nothing_says_nothing_and_one_says_little() {
        let none = evidence(&[], "representation_loss");
        assert_eq!((none.interval, none.extras), (None, PairExtras::default()));
        let one = evidence(&[0.5], "representation_loss");
        let (lo, hi) = one.interval.unwrap();
        assert!((-1.0..0.0).contains(&lo) && (0.5..=1.0).contains(&hi));
        assert_eq!((one.extras.t_lo, one.extras.median_lo), (None, None));
    }

    #[test]
    fn a_stated_variance_takes_the_place_of_a_range() {
        let d: Vec<f64> = waves(400).iter().map(|d| 1000.0 * d).collect();
        let stats = Stats::of(&d).unwrap();
        let stated = Known {
            variance: Some(1e5),
            ..known("screened")
        };
        let found = Evidence::of(&d, Some(&stats), stated, 0.05, true);
        assert_eq!(
            found.method,
            "Catoni (any time, variance bounded as stated)"
        );
        assert_eq!(found.interval, Catoni::interval(&d, 1e5, 0.05));
        let (lo, hi) = found.interval.unwrap();
        let (t_lo, t_hi) = (found.extras.t_lo.unwrap(), found.extras.t_hi.unwrap());
        assert!(lo < t_lo && t_hi < hi, "{lo} {t_lo} {t_hi} {hi}");
        assert_eq!(found.extras.variance_bound, Some(1e5));
        let (e, p) = (
            found.extras.e_above.unwrap(),
            found.extras.p_anytime.unwrap(),
        );
        assert!(lo > 0.0 && e > 40.0 && p < 0.05, "{lo} {e} {p}");
        // Where there is a range the range decides.
        let ranged = Known {
            variance: Some(1.0),
            ..known("representation_loss")
        };
        let d = waves(50);
        let found = Evidence::of(&d, Stats::of(&d).as_ref(), ranged, 0.05, true);
        assert_eq!(found.method, "betting (any time)");
        // And how many more is by the same method.
        let few = [3.0; 5];
        let stats = Stats::of(&few).unwrap();
        let stated = Known {
            variance: Some(100.0),
            ..known("screened")
        };
        let more = super::needed(&few, &stats, stated, 0.05, None).unwrap();
        let decided = |n: u64| {
            Catoni::interval(&vec![3.0; n as usize], 100.0, 0.05)
                .unwrap()
                .0
                > 0.0
        };
        assert!(decided(5 + more) && !decided(4 + more), "{more}");
    }

    /// Always the same D: K(1/2) grows by ln(1 + .95 D) a replication, but for the mixture.
    #[test]
    fn how_many_more_by_betting() {
        let needed = |d: &[f64], margin| {
            let stats = Stats::of(d).unwrap();
            super::needed(d, &stats, known("representation_loss"), 0.05, margin)
        };
        for d in [0.2, -0.2] {
            let more = needed(&[d; 5], None).unwrap();
            let decided = |n: u64| {
                let (lo, hi) = evidence(&vec![d; n as usize], "representation_loss")
                    .interval
                    .unwrap();
                lo > 0.0 || hi < 0.0
            };
            assert!(decided(5 + more) && !decided(4 + more), "{more}");
        }
        assert_eq!(needed(&[0.0; 5], None), None);
        let within = needed(&[0.0; 5], Some(0.3)).unwrap();
        let inside = |n: u64| {
            let (lo, hi) = evidence(&vec![0.0; n as usize], "representation_loss")
                .interval
                .unwrap();
            -0.3 <= lo && hi <= 0.3
        };
        assert!(inside(5 + within) && !inside(4 + within), "{within}");
        assert_eq!(needed(&[0.0; 5], Some(2.0)), Some(1));
    }
}
