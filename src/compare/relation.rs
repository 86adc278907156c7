//! The relation of two policies on one metric, seen from one of them.

use super::pair::Pair;
use super::verdict::Verdict;
use crate::score::Direction;

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
    /// What a comparison says, from its own a to its own b.
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
            Verdict::Identical | Verdict::Undecided => Self::Open,
            Verdict::Differs | Verdict::NotComparable => Self::None,
        }
    }

    /// The same, seen from the other.
    pub(super) fn turned(self) -> Self {
        match self {
            Self::Better => Self::Worse,
            Self::Worse => Self::Better,
            other => other,
        }
    }
}

/// Whether the interval lies within the margin; a fact has none, and what is the same is the same.
fn is_within(pair: &Pair) -> bool {
    if pair.estimand.is_fact() {
        return pair.mean == Some(0.0);
    }
    let margin = pair.margin.unwrap_or(0.0);
    let limits = pair.lo.zip(pair.hi);
    limits.is_some_and(|(lo, hi)| -margin <= lo && hi <= margin)
}

/// Whether a is surely not worse than b by more than the margin, seen from the pair's own a.
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
