//! The course of a comparison: the difference of two policies, its interval and the verdict after
//! each number of replications, or of rounds of one stream.
//!
//! At most some 64 points are kept: the first in each stretch of `gap` numbers, `gap` a power of
//! two; the powers of two, where intervals are wide; the moment of decision; and the last. So a course is a function of the differences alone,
//! in their order.

mod stream;

pub(super) use self::stream::StreamCourse;

use super::pair::Pair;
use super::verdict::Verdict;

/// The most points that are kept of a course, but for the moment of decision and the last.
pub(super) const MOST: u64 = 64;

/// The course of one comparison on one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct PairCourse {
    /// The metric.
    pub metric: String,
    /// Label of the policy that the verdicts speak of.
    pub a: String,
    /// Label of the policy it is held against.
    pub b: String,
    /// In rising n.
    pub points: Vec<DifferencePoint>,
}

/// A difference after some number of replications or rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferencePoint {
    /// In how many both policies have a value.
    pub n: u64,
    /// The mean of D.
    pub mean: f64,
    /// The interval that decides; none where there is none yet.
    pub interval: Option<(f64, f64)>,
    /// What a run that ended here would say.
    pub verdict: Verdict,
}

impl Verdict {
    /// Whether an interval decided it.
    #[must_use]
    pub const fn is_decided(self) -> bool {
        matches!(
            self,
            Self::Better | Self::Worse | Self::Differs | Self::Equivalent
        )
    }
}

impl PairCourse {
    /// The first moment at which the verdict was decided, where it ever was.
    #[must_use]
    pub fn decided_at(&self) -> Option<&DifferencePoint> {
        self.points.iter().find(|point| point.verdict.is_decided())
    }

    /// Of a comparison: the points before its last, which is what the comparison says.
    pub(super) fn of(pair: &Pair, before: Vec<DifferencePoint>) -> Option<Self> {
        let last = DifferencePoint {
            n: pair.n,
            mean: pair.mean?,
            interval: pair.lo.zip(pair.hi),
            verdict: pair.verdict,
        };
        let mut points = before;
        points.retain(|point| point.n < last.n);
        points.push(last);
        points.sort_by_key(|point| point.n);
        points.dedup_by_key(|point| point.n);
        Some(Self {
            metric: pair.metric.clone(),
            a: pair.a.clone(),
            b: pair.b.clone(),
            points,
        })
    }
}

/// Whether the point at `n` stays where each stretch of `gap`, a power of two, keeps its first, and
/// each power of two stays.
pub(super) fn stays(n: u64, gap: u64) -> bool {
    // Without a division, as this is asked of every round.
    n & (gap - 1) == 0 || n.is_power_of_two()
}
