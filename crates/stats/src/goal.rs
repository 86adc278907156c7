//! Goals of users: the best value of one metric among the policies that meet every constraint.
//!
//! A constraint speaks of the mean of a metric's values over replications, not of a difference. Two
//! gamblers test it, one for each side, as [`Bets`] do: the first to reach 1/a says whether the
//! mean surely meets the bound or surely does not. Each holds however often one looks, so a run may
//! stop by it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::outcomes::LaneStream;
use super::standing::dates;
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::PolicyRun;

/// A user's goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The metric whose best value is sought.
    pub best: String,
    /// The constraints that a policy must meet; each metric once.
    pub constraints: Vec<Constraint>,
}

/// A bound on the mean of a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// The metric, which has a declared range.
    pub metric: String,
    /// The bound.
    pub bound: GoalBound,
}

/// A bound on a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GoalBound {
    /// At least this value: `>= x`
    AtLeast(f64),
    /// At most this value: `<= x`
    AtMost(f64),
}

/// The degree to which a policy meets a constraint, or all constraints of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Meets {
    /// It surely meets the constraint.
    #[serde(rename = "surely")]
    Surely,
    /// It surely does not meet the constraint.
    #[serde(rename = "surely not")]
    SurelyNot,
    /// Neither is sure yet.
    #[serde(rename = "open")]
    Open,
}

/// The test of one policy on one constraint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tested {
    /// The label of the policy.
    pub label: String,
    /// The metric.
    pub metric: String,
    /// The bound, as text: `>= 0.95`.
    pub bound: String,
    /// The number of values.
    pub n: u64,
    /// The mean of the values. Null at n = 0.
    pub mean: Option<f64>,
    /// This test's own share of alpha.
    pub alpha: f64,
    /// The final e-value for the mean being on the right side of the bound.
    pub e_meets: f64,
    /// The final e-value for the mean being on the wrong side of the bound.
    pub e_fails: f64,
    /// The result of the test.
    pub meets: Meets,
    /// The approximate number of further replications that settle it. Null if it is settled, or if
    /// no number would.
    pub needed: Option<u64>,
    /// The number of rounds after which a running average was first sure. Absent if it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sure_at: Option<u64>,
    /// The number of rounds after which it was last open again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_at: Option<u64>,
    /// The number of rounds since which it has been sure as it is now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
}

impl Tested {
    /// Makes the test of a fact on one stream. Once the lane has ended, the constraint is met or
    /// not.
    pub(super) fn fact(constraint: &Constraint, policy: &PolicyRun) -> Self {
        let value = policy.column(&constraint.metric, None).next().flatten();
        let ending = policy.endings().first();
        let goes_on = ending.is_none_or(|ending| *ending == Ending::Interrupted);
        let known = value.filter(|_| !goes_on).map(|value| (value, value));
        let n = u64::from(value.is_some());
        Self::by(constraint, &policy.label, n, value, known, 0.0)
    }
}

impl Tested {
    /// Returns true if the test is a fact about whom one stream selected, without inference.
    #[must_use]
    pub fn is_fact(&self) -> bool {
        self.alpha == 0.0
    }

    /// Returns, in words, the moment since which the result is sure. `None` if there is none to
    /// state.
    #[must_use]
    pub fn when(&self, unit: &str) -> Option<String> {
        Some(dates((self.sure_at?, ""), self.open_at, self.since, unit))
    }

    /// Returns the word for the result in a table. A bound kept by one stream is kept only `so
    /// far`.
    #[must_use]
    pub fn words(&self) -> &'static str {
        match (self.is_fact(), self.meets) {
            (true, Meets::Surely) => "so far",
            (true, Meets::SurelyNot) => "so far not",
            (_, meets) => meets.word(),
        }
    }

    /// The ratio of groups' rates on one stream: joined from the sequences of its groups.
    pub(super) fn ratio(
        constraint: &Constraint,
        label: &str,
        stream: Option<&LaneStream>,
        alpha: f64,
    ) -> Self {
        let ratio = stream.and_then(|stream| stream.rates.ratio_of(&constraint.metric, alpha));
        let n = stream.map_or(0, |stream| stream.rates.shown());
        let interval = ratio.map(|ratio| (ratio.lo, ratio.hi));
        let mean = ratio.and_then(|ratio| ratio.value);
        Self::by(constraint, label, n, mean, interval, alpha)
    }

    /// The mean outcome of the selected on one stream, by its sequence.
    pub(super) fn outcomes(
        constraint: &Constraint,
        label: &str,
        stream: Option<&LaneStream>,
        alpha: f64,
    ) -> Self {
        let known = stream.and_then(|stream| stream.outcomes.as_ref());
        let mean = known.and_then(|known| known.mean_of(&constraint.metric, alpha));
        let interval = mean.and_then(|mean| mean.lo.zip(mean.hi));
        let n = mean.map_or(0, |mean| mean.n);
        Self::by(
            constraint,
            label,
            n,
            mean.and_then(|mean| mean.mean),
            interval,
            alpha,
        )
    }

    /// Makes the test from an interval.
    pub(super) fn by(
        constraint: &Constraint,
        label: &str,
        n: u64,
        mean: Option<f64>,
        interval: Option<(f64, f64)>,
        alpha: f64,
    ) -> Self {
        let bound = constraint.bound;
        let meets = interval.map(|interval| bound.met_by(interval, bound.value()));
        Self {
            label: label.to_owned(),
            metric: constraint.metric.clone(),
            bound: bound.to_string(),
            n,
            mean,
            alpha,
            e_meets: 1.0,
            e_fails: 1.0,
            meets: meets.unwrap_or(Meets::Open),
            needed: None,
            sure_at: None,
            open_at: None,
            since: None,
        }
    }
}

impl GoalBound {
    /// Returns the result for the bound at `place` from an interval of a mean, both on the
    /// interval's scale.
    pub(super) fn met_by(self, (lo, hi): (f64, f64), place: f64) -> Meets {
        match self {
            Self::AtLeast(_) if lo >= place => Meets::Surely,
            Self::AtLeast(_) if hi < place => Meets::SurelyNot,
            Self::AtMost(_) if hi <= place => Meets::Surely,
            Self::AtMost(_) if lo > place => Meets::SurelyNot,
            _ => Meets::Open,
        }
    }

    /// The bound's number.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Self::AtLeast(value) | Self::AtMost(value) => value,
        }
    }
}

impl fmt::Display for GoalBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(value) => write!(f, ">= {value}"),
            Self::AtMost(value) => write!(f, "<= {value}"),
        }
    }
}

impl Meets {
    /// The word for the result in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Surely => "surely",
            Self::SurelyNot => "surely not",
            Self::Open => "open",
        }
    }

    /// Combines several constraints: one that is surely not met decides.
    pub fn all(each: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::Surely;
        for one in each {
            match one {
                Self::SurelyNot => return Self::SurelyNot,
                Self::Open => all = Self::Open,
                Self::Surely => {}
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An interval that ends at the bound keeps a bound that allows it, and refutes none.
    #[test]
    fn an_interval_meets_a_bound_up_to_the_bound_itself() {
        use GoalBound::{AtLeast, AtMost};
        use Meets::{Open, Surely, SurelyNot};
        for (ends, at_least, at_most) in [
            ((0.5, 0.7), Surely, Open),
            ((0.6, 0.7), Surely, SurelyNot),
            ((0.3, 0.5), Open, Surely),
            ((0.3, 0.4), SurelyNot, Surely),
            ((0.4, 0.6), Open, Open),
            ((0.5, 0.5), Surely, Surely),
        ] {
            assert_eq!(AtLeast(9.0).met_by(ends, 0.5), at_least, "{ends:?}");
            assert_eq!(AtMost(9.0).met_by(ends, 0.5), at_most, "{ends:?}");
        }
    }

    #[test]
    fn a_bound_reads_as_it_is_written_and_one_failure_settles_all() {
        let bounds = [GoalBound::AtLeast(0.95), GoalBound::AtMost(2.0)];
        assert_eq!(bounds.map(|bound| bound.to_string()), [">= 0.95", "<= 2"]);
        use Meets::{Open, Surely, SurelyNot};
        assert_eq!(Meets::all([]), Surely);
        assert_eq!(Meets::all([Surely, Open, Surely]), Open);
        assert_eq!(Meets::all([Open, SurelyNot, Surely]), SurelyNot);
        let words = [Surely, SurelyNot, Open].map(Meets::word);
        assert_eq!(words, ["surely", "surely not", "open"]);
    }
}
