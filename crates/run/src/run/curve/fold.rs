//! The curves of a policy, averaged over its replications in their order.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::lane_curve::LaneCurve;
use super::steps::Steps;
use kleroterion_stats::{CurvePoint, Curves};

/// The values at one step so far: their number, mean, and squares about it (Welford 1962).
#[derive(Clone, Copy, Debug, Default)]
struct Running {
    n: u64,
    mean: f64,
    squares: f64,
}

impl Running {
    fn add(&mut self, value: f64) {
        self.n += 1;
        let apart = value - self.mean;
        self.mean += apart / self.n as f64;
        self.squares += apart * (value - self.mean);
    }

    /// The point. `None` if the values are too large for a mean.
    fn point(self, at: u64) -> Option<CurvePoint> {
        let n = self.n as f64;
        let se = (self.squares / (n - 1.0) / n).sqrt();
        self.mean.is_finite().then_some(CurvePoint {
            at,
            n: self.n,
            mean: self.mean,
            se: (self.n > 1 && se.is_finite()).then_some(se),
        })
    }
}

/// The curves of one policy.
#[derive(Default)]
pub(in super::super) struct CurveFold {
    /// The widest steps of any replication; none before the first.
    steps: Option<Steps>,
    sums: BTreeMap<Arc<str>, BTreeMap<u64, Running>>,
}

impl CurveFold {
    /// Takes in the next replication.
    pub(in super::super) fn add(&mut self, curve: LaneCurve) {
        let widest = self.steps.get_or_insert_with(|| curve.steps.clone());
        if widest.gap < curve.steps.gap {
            *widest = curve.steps;
            for sums in self.sums.values_mut() {
                sums.retain(|at, _| widest.holds(*at));
            }
        }
        for (at, rows) in curve.points {
            if !widest.holds(at) {
                continue;
            }
            for row in rows {
                let sums = self.sums.entry(row.metric).or_default();
                sums.entry(at).or_default().add(row.value);
            }
        }
    }

    /// The curves.
    pub(in super::super) fn finish(self) -> Curves {
        let points = |sums: BTreeMap<u64, Running>| {
            let points = sums.into_iter();
            points.filter_map(|(at, sum)| sum.point(at)).collect()
        };
        let curves = self.sums.into_iter();
        curves
            .map(|(metric, sums)| (metric.to_string(), points(sums)))
            .collect()
    }
}
