//! The relation of two policies on one metric, seen from one of them.

use super::pair::Pair;
use super::standing::lies_within;
use super::verdict::Verdict;
use kleroterion_core::score::Direction;

/// The relation of a to b on a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// a is surely better.
    Better,
    /// b is surely better.
    Worse,
    /// Neither is better by more than the margin.
    Even,
    /// Nothing is sure yet.
    Open,
    /// They can't be compared, or the metric has no better side.
    None,
}

impl Relation {
    /// Returns the relation of a pair's a to its b.
    pub(super) fn of(pair: &Pair) -> Self {
        if pair.direction == Direction::None {
            return Self::None;
        }
        match pair.verdict {
            Verdict::Better => Self::Better,
            Verdict::Worse => Self::Worse,
            Verdict::Equivalent => Self::Even,
            // Equal in all replications so far is not equal: the interval must say so.
            Verdict::Identical if is_within(pair) => Self::Even,
            // Of a fact nothing is inferred, whatever it is.
            Verdict::Identical | Verdict::Undecided | Verdict::SoFar => Self::Open,
            Verdict::Differs | Verdict::NotComparable => Self::None,
        }
    }

    /// Returns the relation as seen from the other policy.
    pub(super) fn turned(self) -> Self {
        match self {
            Self::Better => Self::Worse,
            Self::Worse => Self::Better,
            other => other,
        }
    }
}

/// Returns true if the interval lies within the margin.
fn is_within(pair: &Pair) -> bool {
    let limits = pair.lo.zip(pair.hi);
    limits.is_some_and(|limits| lies_within(limits, pair.margin))
}

/// Returns true if a is surely not worse than b by more than the margin; with `from_a` false, the
/// same of b to a.
pub(super) fn is_at_least(pair: &Pair, from_a: bool) -> bool {
    let relation = Relation::of(pair);
    let relation = if from_a { relation } else { relation.turned() };
    if matches!(relation, Relation::Better | Relation::Even) {
        return true;
    }
    let (Some((lo, hi)), Relation::Open) = (pair.lo.zip(pair.hi), relation) else {
        return false;
    };
    // The side on which a would be worse.
    let worst = match (pair.direction, from_a) {
        (Direction::Higher, true) | (Direction::Lower, false) => -lo,
        _ => hi,
    };
    worst <= pair.margin.unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimand::Estimand;

    fn pair(verdict: Verdict, direction: Direction, ends: (f64, f64), margin: Option<f64>) -> Pair {
        Pair {
            direction,
            lo: Some(ends.0),
            hi: Some(ends.1),
            margin,
            ..Pair::by_hand("m", "a", "b", verdict)
        }
    }

    #[test]
    fn what_is_identical_so_far_is_even_only_within_the_margin() {
        let of =
            |ends, margin| Relation::of(&pair(Verdict::Identical, Direction::Lower, ends, margin));
        assert_eq!(of((-0.1, 0.1), Some(0.1)), Relation::Even);
        assert_eq!(of((-0.1, 0.2), Some(0.1)), Relation::Open);
        assert_eq!(of((-0.2, 0.1), Some(0.1)), Relation::Open);
        assert_eq!(of((-0.1, 0.1), None), Relation::Open);
        // Values that never varied say little.
        assert_eq!(of((0.0, 0.0), None), Relation::Open);
        let mut fact = pair(Verdict::Identical, Direction::Lower, (1.0, 2.0), None);
        fact.estimand = Estimand::Facts;
        assert_eq!(Relation::of(&fact), Relation::Open);
    }

    #[test]
    fn a_metric_without_a_better_side_has_no_relation() {
        let found = pair(Verdict::Better, Direction::None, (0.1, 0.2), None);
        assert_eq!(Relation::of(&found), Relation::None);
        assert_eq!(Relation::Better.turned(), Relation::Worse);
        assert_eq!(Relation::Worse.turned(), Relation::Better);
        assert_eq!(Relation::Even.turned(), Relation::Even);
    }

    #[test]
    fn at_least_as_good_is_better_even_or_no_worse_than_the_margin() {
        let holds = |direction, ends, margin, from_a| {
            is_at_least(&pair(Verdict::Undecided, direction, ends, margin), from_a)
        };
        let (low, high) = (Direction::Lower, Direction::Higher);
        // a - b lies within -0.3 to 0.1.
        let ends = (-0.3, 0.1);
        assert!(holds(low, ends, Some(0.1), true) && !holds(low, ends, Some(0.09), true));
        assert!(holds(low, ends, Some(0.3), false) && !holds(low, ends, Some(0.29), false));
        assert!(holds(high, ends, Some(0.3), true) && !holds(high, ends, Some(0.29), true));
        assert!(holds(high, ends, Some(0.1), false) && !holds(high, ends, Some(0.09), false));
        assert!(!holds(low, ends, None, true));
        let better = pair(Verdict::Better, Direction::Lower, (-0.3, -0.1), None);
        assert!(is_at_least(&better, true) && !is_at_least(&better, false));
        let unlike = pair(Verdict::NotComparable, Direction::Lower, (0.0, 0.0), None);
        assert!(!is_at_least(&unlike, true));
    }
}
