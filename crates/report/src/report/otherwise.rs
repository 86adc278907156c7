//! Disagreements between the t interval, for a number of replications fixed beforehand, and the
//! interval that decides.

use super::number::{brief, fixed, telling};
use kleroterion_core::score::Direction;
use kleroterion_stats::{PairExtras, Verdict, t};

/// The parts of a comparison that matter here.
pub(super) struct Said<'a> {
    /// The better direction of its metric.
    pub(super) direction: Direction,
    pub(super) method: &'a str,
    /// The verdict's word in files.
    pub(super) verdict: &'a str,
    pub(super) margin: Option<f64>,
    pub(super) n: u64,
    pub(super) se: Option<f64>,
    pub(super) extras: &'a PairExtras,
}

impl Said<'_> {
    /// Returns the verdict by t if it differs from the one reached, for example "t (fixed n) says
    /// better: [-277, -267]".
    pub(super) fn by_t(&self) -> Option<String> {
        let (lo, hi) = self.extras.t_lo.zip(self.extras.t_hi)?;
        let settled = [Verdict::NotComparable, Verdict::Identical];
        if self.method == t::METHOD || settled.iter().any(|v| v.word() == self.verdict) {
            return None;
        }
        let by_t = Verdict::of(lo, hi, self.direction, self.margin).word();
        let digits = telling(lo, hi);
        let show = |end: f64| digits.map_or_else(|| brief(end, 4), |digits| fixed(end, digits));
        (by_t != self.verdict)
            .then(|| format!("{} says {by_t}: [{}, {}]", t::METHOD, show(lo), show(hi)))
    }

    /// Returns a note if the differences vary more than the stated bound, which the interval rests
    /// on.
    pub(super) fn beyond_bound(&self) -> Option<String> {
        let bound = self.extras.variance_bound?;
        let se = self.se?;
        let seen = se * se * self.n as f64;
        (seen > bound).then(|| {
            format!(
                "the variance seen is {}, beyond the {} stated: state more",
                brief(seen, 2),
                brief(bound, 2)
            )
        })
    }
}
