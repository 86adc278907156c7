//! What the differences of two policies say: the interval that decides, and what stands beside it.

use serde::{Deserialize, Serialize};

use super::order::{beats, quantile_interval};
use super::sequence::{Bets, Betting, Range};
use super::summary::Stats;
use super::t;
use crate::score::Direction;

/// What stands beside a pair's interval; each at the pair's own alpha, none of it part of the joint confidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Beside {
    /// Lower end of the t interval, for a number of replications fixed beforehand; none below n = 2.
    pub t_lo: Option<f64>,
    /// Its upper end.
    pub t_hi: Option<f64>,
    /// The e-value against a mean D of 0, at most 1 in expectation where it is 0: the mean of the next two. Only where the
    /// metric has a declared range.
    pub e_value: Option<f64>,
    /// The e-value against a mean D of at most 0.
    pub e_above: Option<f64>,
    /// The e-value against a mean D of at least 0.
    pub e_below: Option<f64>,
    /// The anytime p-value, 1 over the greatest e-value that there was after some replication; of a stream over that at its end.
    pub p_anytime: Option<f64>,
    /// The median of D.
    pub median: Option<f64>,
    /// Lower end of its interval, distribution-free, for a number of replications fixed beforehand; none below some n.
    pub median_lo: Option<f64>,
    /// Its upper end.
    pub median_hi: Option<f64>,
    /// How often a has the better value (of a metric without a better side: the higher), a tie counting for half.
    pub beats: Option<f64>,
    /// Lower end of the interval of that probability, by betting: valid at any time.
    pub beats_lo: Option<f64>,
    /// Its upper end.
    pub beats_hi: Option<f64>,
}

/// What is known of a metric beforehand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) direction: Direction,
    /// The declared range of its values.
    pub(super) range: Option<Range>,
}

/// The interval that decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Evidence {
    pub(super) interval: Option<(f64, f64)>,
    pub(super) method: &'static str,
    pub(super) beside: Beside,
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

    /// How many replications in all are likely to show that D is above `bound` on average, and the same of -D.
    fn likely(&self, bound: f64, alpha: f64) -> [Option<f64>; 2] {
        [&self.up, &self.down].map(|values| match self.range.unit(bound) {
            Ok(unit) if unit >= 1e-100 => Betting::likely(values, unit, alpha / 2.0),
            // Below the range: that is sure before the first.
            _ => Some(0.0),
        })
    }
}

impl Evidence {
    /// By betting where the metric has a declared range, else by t. `stats` are those of `differences`, where those are all
    /// finite. `fixed`: the number of replications was fixed beforehand; else what needs that is left out.
    pub(super) fn of(
        differences: &[f64],
        stats: Option<&Stats>,
        known: Known,
        alpha: f64,
        fixed: bool,
    ) -> Self {
        let mut beside = Beside::default();
        let mut evidence = Self {
            interval: None,
            method: t::METHOD,
            beside,
        };
        if let Some(stats) = stats {
            let t = stats
                .se
                .filter(|_| fixed)
                .and_then(|se| t::t_interval(stats.mean, se, stats.n, alpha));
            (beside.t_lo, beside.t_hi) = (t.map(|t| t.0), t.map(|t| t.1));
            beside.order(differences, known.direction, alpha);
            evidence.interval = t;
            if !fixed {
                (beside.median_lo, beside.median_hi) = (None, None);
            }
        }
        if let Some(scaled) = Scaled::of(differences, known.range) {
            evidence.method = Betting::METHOD;
            if !differences.is_empty() {
                let (lo, hi) = Betting::interval(&scaled.up, alpha);
                let value = |unit| scaled.range.value(unit);
                evidence.interval = Some((value(lo), value(hi)));
                beside.bet(&scaled);
            }
        }
        Self { beside, ..evidence }
    }
}

impl Beside {
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
        let mut greatest = 1.0_f64;
        let both = |above: &Bets, below: &Bets| {
            let e = 0.5 * above.e_value() + 0.5 * below.e_value();
            e.min(f64::MAX)
        };
        for (up, down) in scaled.up.iter().zip(&scaled.down) {
            above.add(*up);
            below.add(*down);
            greatest = greatest.max(both(&above, &below));
        }
        self.e_value = Some(both(&above, &below));
        self.e_above = Some(above.e_value());
        self.e_below = Some(below.e_value());
        self.p_anytime = Some(1.0 / greatest);
    }
}

/// About how many more replications are likely to decide a pair that is open, if they are like those so far: until the
/// interval leaves out 0 or, with a margin, lies within it, whichever comes first; at least 1. None where neither is to be
/// expected.
pub(super) fn needed(
    differences: &[f64],
    stats: &Stats,
    known: Known,
    alpha: f64,
    margin: Option<f64>,
) -> Option<u64> {
    let Some(scaled) = Scaled::of(differences, known.range) else {
        return t::needed(stats, alpha, margin);
    };
    let [above, below] = scaled.likely(0.0, alpha);
    let within = margin.and_then(|margin| match scaled.likely(-margin, alpha) {
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
        let beside = bounded.beside;
        assert_eq!((beside.t_lo, beside.t_hi), (Some(t_lo), Some(t_hi)));
        assert!(ours.0 < t_lo && t_hi < ours.1);
        assert_eq!((free.beside.e_value, free.beside.p_anytime), (None, None));
    }

    #[test]
    fn e_values_are_those_of_both_sides() {
        let d = waves(100);
        let beside = evidence(&d, "representation_loss").beside;
        let (mut above, mut below) = (Bets::against(0.5), Bets::against(0.5));
        let mut greatest = 1.0_f64;
        for d in &d {
            above.add((d + 1.0) / 2.0);
            below.add((1.0 - d) / 2.0);
            greatest = greatest.max((above.e_value() + below.e_value()) / 2.0);
        }
        let near = |ours: Option<f64>, known: f64| (ours.unwrap() / known - 1.0).abs() < 1e-9;
        assert!(near(beside.e_above, above.e_value()));
        assert!(near(beside.e_below, below.e_value()));
        assert!(near(
            beside.e_value,
            (above.e_value() + below.e_value()) / 2.0
        ));
        assert!(near(beside.p_anytime, 1.0 / greatest));
        // Where the interval leaves out 0, p is at most alpha.
        assert!(beside.p_anytime.unwrap() < 0.05);
    }

    #[test]
    fn a_value_beyond_its_range_leaves_t_alone() {
        let odd = evidence(&[0.1, 0.2, 1.5], "representation_loss");
        assert_eq!(odd.method, "t (fixed n)");
        assert_eq!((odd.beside.e_value, odd.beside.p_anytime), (None, None));
        assert!(odd.interval.is_some());
    }

    #[test]
    fn nothing_says_nothing_and_one_says_little() {
        let none = evidence(&[], "representation_loss");
        assert_eq!((none.interval, none.beside), (None, Beside::default()));
        let one = evidence(&[0.5], "representation_loss");
        let (lo, hi) = one.interval.unwrap();
        assert!((-1.0..0.0).contains(&lo) && (0.5..=1.0).contains(&hi));
        assert_eq!((one.beside.t_lo, one.beside.median_lo), (None, None));
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
