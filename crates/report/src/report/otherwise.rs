//! Where the t interval, for a number of replications fixed beforehand, says otherwise than the one
//! that decides.

use super::number::{brief, fixed, telling};
use kleroterion_core::score::Direction;
use kleroterion_stats::{PairExtras, Verdict, t};

/// A comparison, as far as it matters here.
pub(super) struct Said<'a> {
    /// Which way its metric is better.
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
    /// What t says, where that is another verdict than the one reached: "t (fixed n) says better:
    /// [-277, -267]".
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

    /// That the differences vary more than they were stated to, where they do: the interval rests
    /// on the statement.
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
