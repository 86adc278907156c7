//! The course of a comparison: the difference of two policies, its interval and the verdict after
//! each number of replications, or of rounds of one stream.
//!
//! At most some 64 points are kept: the first in each stretch of `gap` numbers, `gap` a power of
//! two; the powers of two, where intervals are wide; the moment of decision; and the last. So a
//! course is a function of the differences alone, in their order.

mod stream;

pub(super) use self::stream::StreamCourse;

use super::pair::Pair;
use super::verdict::Verdict;

/// The course of one comparison on one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct PairCourse {
    /// The metric.
    pub metric: String,
    /// The label of the policy that the verdicts are about.
    pub a: String,
    /// The label of the policy it is compared with.
    pub b: String,
    /// The points, in rising n.
    pub points: Vec<DifferencePoint>,
}

/// The difference after some number of replications or rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferencePoint {
    /// The number of replications or rounds in which both policies have a value.
    pub n: u64,
    /// The mean of D.
    pub mean: f64,
    /// The interval that decides. `None` if there is none yet.
    pub interval: Option<(f64, f64)>,
    /// The verdict of a run that ended at this point.
    pub verdict: Verdict,
}

impl PairCourse {
    /// Returns the first point with a decided verdict, if any.
    #[must_use]
    pub fn decided_at(&self) -> Option<&DifferencePoint> {
        self.points.iter().find(|point| point.verdict.is_decided())
    }

    /// Makes the course of a comparison from the points before its last. The last point is the
    /// comparison itself.
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

/// Returns true if the point at `n` is kept. Each stretch of `gap`, a power of two, keeps its first
/// point, and powers of two are always kept.
pub(super) fn stays(n: u64, gap: u64) -> bool {
    // Without a division, as this is asked of every round.
    n & (gap - 1) == 0 || n.is_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(n: u64, verdict: Verdict) -> DifferencePoint {
        DifferencePoint {
            n,
            mean: 0.25,
            interval: None,
            verdict,
        }
    }

    fn pair(mean: Option<f64>) -> Pair {
        Pair {
            mean,
            lo: Some(-0.5),
            hi: Some(0.75),
            ..Pair::by_hand("m", "x", "y", Verdict::Undecided)
        }
    }

    /// The comparison knows all that was seen, so no other point at its number or beyond stays.
    #[test]
    fn a_course_ends_with_what_the_comparison_says() {
        use Verdict::{Better, Identical, Undecided};
        let before = [(8, Better), (4, Undecided), (10, Identical), (12, Better)];
        let before = before.map(|(n, verdict)| point(n, verdict)).to_vec();
        let course = PairCourse::of(&pair(Some(0.125)), before).expect("a course");
        let last = DifferencePoint {
            n: 10,
            mean: 0.125,
            interval: Some((-0.5, 0.75)),
            verdict: Undecided,
        };
        assert_eq!(course.points, [point(4, Undecided), point(8, Better), last]);
        let names = (&*course.metric, &*course.a, &*course.b);
        assert_eq!(names, ("m", "x", "y"));
        assert_eq!(course.decided_at(), Some(&point(8, Better)));
        let alone = PairCourse::of(&pair(Some(0.125)), Vec::new()).expect("a course");
        assert_eq!((alone.points.len(), alone.decided_at()), (1, None));
        assert_eq!(PairCourse::of(&pair(None), Vec::new()), None);
    }

    #[test]
    fn an_interval_decides_a_side_or_that_it_lies_within_the_margin() {
        use Verdict::{Better, Differs, Equivalent, Identical, NotComparable, Undecided, Worse};
        let decided = [Better, Worse, Differs, Equivalent].map(Verdict::is_decided);
        assert_eq!(decided, [true; 4]);
        let open = [Identical, Undecided, NotComparable].map(Verdict::is_decided);
        assert_eq!(open, [false; 3]);
    }

    #[test]
    fn multiples_of_the_gap_and_powers_of_two_stay() {
        let kept = |gap| {
            (1..=40)
                .filter(move |n| stays(*n, gap))
                .collect::<Vec<u64>>()
        };
        assert_eq!(kept(1), (1..=40).collect::<Vec<_>>());
        assert_eq!(kept(8), [1, 2, 4, 8, 16, 24, 32, 40]);
    }
}
