//! Rules. A setting is a row of rules, not code of its own.

use std::sync::Arc;

use super::ending::Ending;
use super::gain::Gain;
use super::persons::Shown;
use super::schema::Schema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The name under which people are asked whether they take a place. No kind of interview has this
/// name.
pub const OFFER: &str = "offer";

/// A kind of interview.
#[derive(Clone, Debug, PartialEq)]
pub struct InterviewKind {
    /// The name, as in the config.
    pub name: String,
    /// The cost of one interview of this kind.
    pub cost: f64,
    /// The gain of one interview of this kind.
    pub gain: Gain,
}

impl InterviewKind {
    /// The place of the weak kind among those for sale: the cheapest. Ties go to the kind of least
    /// gain, then to the first. All others are strong.
    #[must_use]
    pub fn weak(kinds: &[Self]) -> usize {
        let key = |at: &usize| (kinds[*at].cost, kinds[*at].gain.greatest());
        let least = |a: &usize, b: &usize| {
            let ((cost, gain), (other, its)) = (key(a), key(b));
            cost.total_cmp(&other).then(gain.total_cmp(&its))
        };
        // `min_by` keeps the first of equals.
        (0..kinds.len()).min_by(least).unwrap_or(0)
    }
}

/// The number of candidates to choose from a slate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choose {
    /// Any number.
    Any,
    /// At most this many candidates.
    AtMost(u32),
    /// Exactly this many candidates, or all of a smaller slate.
    Exactly(u32),
    /// floor(share n + 1e-9) candidates of a slate of n.
    Share(f64),
}

/// The fewest and the most candidates that may be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// The fewest.
    pub min: u32,
    /// The most.
    pub max: u32,
}

impl Choose {
    /// Returns the fewest and the most that may be chosen from a slate of `slate` candidates, while
    /// `left` places are left in the run.
    #[inline]
    #[must_use]
    pub fn places(self, slate: u32, left: Option<u64>) -> Places {
        let room = left.map_or(slate, |left| left.min(u64::from(slate)) as u32);
        let mut most = match self {
            Self::AtMost(most) | Self::Exactly(most) => most,
            Self::Any | Self::Share(_) => u32::MAX,
        };
        if let Self::Share(share) = self {
            most = (share * f64::from(slate) + 1e-9).floor() as u32;
        }
        let max = most.min(room);
        let exactly = matches!(self, Self::Exactly(_) | Self::Share(_));
        let min = if exactly { max } else { 0 };
        Places { min, max }
    }
}

/// The condition that ends a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// This number of people accepted; the lane ends as `filled`.
    Accepted(u64),
    /// This number of rounds; the lane ends as `horizon`.
    Rounds(u64),
    /// The source's end; the lane ends as `source_ended`.
    SourceEnds,
}

/// The number of rounds before an outcome is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// Always this many rounds; 0 = before the next round's `act`.
    Fixed(u64),
    /// A number drawn for each person, uniformly from `low ..= high`.
    Uniform {
        /// The shortest delay.
        low: u64,
        /// The longest delay.
        high: u64,
    },
}

impl Delay {
    /// The longest delay.
    #[must_use]
    pub fn longest(self) -> u64 {
        match self {
            Self::Fixed(rounds) => rounds,
            Self::Uniform { high, .. } => high,
        }
    }
}

/// The rules of a lane's setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// The number of candidates chosen from a slate.
    pub choose: Choose,
    /// The condition that ends the lane.
    pub until: Until,
    /// The number of rounds after which a lane that has not met `until` ends as `stalled`.
    pub max_rounds: u64,
    /// The kinds of interview. Empty if interviews are not for sale.
    pub interviews: Vec<InterviewKind>,
    /// The most interviews in a round.
    pub interview_cap: u64,
    /// The most money for interviews in a round.
    pub budget: f64,
    /// The most money that a lane may spend on interviews in the run.
    pub run_budget: f64,
    /// The delay of outcomes.
    pub delay: Delay,
    /// The quotas that a choice must keep: a row per attribute of the schema, an entry per value.
    /// An empty row sets none. Empty if quotas are not enforced.
    pub enforced: Vec<Vec<Quota>>,
    /// True if the policy chooses replacements from the slate for declined places. If false, the
    /// places stay empty, and later candidates may fill them.
    pub refill: bool,
}

impl Rules {
    /// Makes rules without interviews, caps or delays.
    #[must_use]
    pub fn new(choose: Choose, until: Until) -> Self {
        Self {
            choose,
            until,
            max_rounds: u64::MAX,
            interviews: Vec::new(),
            interview_cap: u64::MAX,
            budget: f64::INFINITY,
            run_budget: f64::INFINITY,
            delay: Delay::Fixed(0),
            enforced: Vec::new(),
            refill: false,
        }
    }

    /// The number of candidates who may still be accepted. `None` if the rules set no number.
    #[inline]
    #[must_use]
    pub fn places_left(&self, accepted: u64) -> Option<u64> {
        match self.until {
            Until::Accepted(k) => Some(k.saturating_sub(accepted)),
            Until::Rounds(_) | Until::SourceEnds => None,
        }
    }

    /// Returns the ending of a lane that has played `rounds` and accepted `accepted`, or `None` if
    /// it goes on. `capped` says that the interview cap took effect in the last round.
    #[inline]
    #[must_use]
    pub fn ending(&self, rounds: u64, accepted: u64, capped: bool) -> Option<Ending> {
        match self.until {
            Until::Accepted(k) if accepted >= k => Some(Ending::Filled),
            Until::Rounds(n) if rounds >= n => Some(if capped {
                Ending::Capped
            } else {
                Ending::Horizon
            }),
            _ if rounds >= self.max_rounds => Some(Ending::Stalled),
            _ => None,
        }
    }

    /// The most rounds that a lane can play.
    #[must_use]
    pub fn horizon(&self) -> u64 {
        match self.until {
            Until::Rounds(n) => n.min(self.max_rounds),
            Until::Accepted(_) | Until::SourceEnds => self.max_rounds,
        }
    }
}

/// The fewest and the most members with a value; min <= max.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// The fewest members.
    pub min: u32,
    /// The most members.
    pub max: u32,
}

impl Quota {
    /// The whole numbers on either side of a target share: floor(rho K + 1e-9) and ceil(rho
    /// K - 1e-9), because .14 x 50 is 7.000000000000001 in floating point.
    #[must_use]
    pub fn around(share: f64, members: u32) -> Self {
        let seats = share * f64::from(members);
        Self {
            min: (seats + 1e-9).floor().max(0.0) as u32,
            max: (seats - 1e-9).ceil().max(0.0) as u32,
        }
    }

    /// Returns the members short of the fewest or beyond the most.
    #[inline]
    pub fn off(self, count: u64) -> u64 {
        u64::from(self.min).saturating_sub(count) + count.saturating_sub(self.max.into())
    }
}

/// A side of a quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The minimum.
    Min,
    /// The maximum.
    Max,
}

/// The word for a policy that can never be the answer.
pub const YARDSTICK: &str = "yardstick";

/// The role of a policy in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A policy that can be the answer.
    #[default]
    Policy,
    /// A policy that shows a bound on what is possible, and is never the answer.
    Yardstick,
}

/// A function w of cohorts.
pub trait CohortWorth: Send + Sync {
    /// Judges the chosen at these utilities, against cohorts of `members`. `values` and `chosen` go
    /// by slot.
    fn judge(&self, slate: &[Shown<'_>], values: &[f64], chosen: &[bool], members: usize)
    -> Judged;

    /// Returns the least and the greatest value of a cohort whose utilities add up as `sums` says.
    fn range(&self, schema: &Schema, sums: &CohortSums) -> (f64, f64);
}

/// The bounds of the sum of a cohort's utilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CohortSums {
    /// The least sum.
    pub lowest: f64,
    /// The greatest sum.
    pub highest: f64,
    /// The greatest sum of the roots of the members' utilities; a utility below 0 counts as 0.
    pub roots: f64,
}

/// The judgement of a cohort.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The worth w of the cohort.
    pub value: f64,
    /// True if no admissible cohort of the size wanted is worth more.
    pub optimal: bool,
}

/// An objective by which cohorts are scored.
#[derive(Clone)]
pub struct CohortObjective {
    /// The name in metrics and configs: `top_k`, `diverse`, `quota`. With several attributes it is
    /// `diverse:ATTRIBUTE`, or `diverse:ONE+OTHER` by their combined values.
    pub name: Arc<str>,
    /// The function that gives a cohort's worth.
    pub worth: Arc<dyn CohortWorth>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let at = |choose: Choose, slate, left| {
            let places = choose.places(slate, left);
            (places.min, places.max)
        };
        assert_eq!(at(Choose::AtMost(1), 1, Some(3)), (0, 1));
        assert_eq!(at(Choose::AtMost(5), 3, None), (0, 3));
        assert_eq!(at(Choose::Any, 7, Some(2)), (0, 2));
        assert_eq!(at(Choose::Exactly(5), 20, None), (5, 5));
        assert_eq!(at(Choose::Exactly(5), 3, None), (3, 3));
        assert_eq!(at(Choose::Exactly(5), 20, Some(2)), (2, 2));
        assert_eq!(at(Choose::Share(0.3), 100, None), (30, 30));
        assert_eq!(at(Choose::Share(0.29), 100, None), (29, 29));
        assert_eq!(at(Choose::Share(0.3), 0, None), (0, 0));
    }

    #[test]
    fn endings() {
        let mut rules = Rules::new(Choose::AtMost(1), Until::Accepted(2));
        rules.max_rounds = 10;
        assert_eq!(rules.ending(9, 1, false), None);
        assert_eq!(rules.ending(10, 2, false), Some(Ending::Filled));
        assert_eq!(rules.ending(10, 1, false), Some(Ending::Stalled));
        rules.until = Until::Rounds(4);
        assert_eq!(rules.ending(3, 0, false), None);
        assert_eq!(
            (rules.horizon(), rules.ending(4, 0, false)),
            (4, Some(Ending::Horizon))
        );
        assert_eq!(rules.ending(4, 0, true), Some(Ending::Capped));
    }

    #[test]
    fn the_longest_delay_is_the_fixed_one_or_the_upper_end() {
        let delays = [
            Delay::Fixed(0),
            Delay::Fixed(5),
            Delay::Uniform { low: 2, high: 7 },
        ];
        assert_eq!(delays.map(Delay::longest), [0, 5, 7]);
    }
}

#[cfg(test)]
mod quota_tests {
    use super::*;

    #[test]
    fn a_share_that_is_a_whole_number_of_seats_leaves_no_room() {
        let around = |share, members| {
            let quota = Quota::around(share, members);
            (quota.min, quota.max)
        };
        assert_eq!(around(0.14, 50), (7, 7));
        assert_eq!(around(0.55, 50), (27, 28));
        assert_eq!(around(0.29, 100), (29, 29)); // 28.999999999999996 in floating point
        assert_eq!(around(0.0, 50), (0, 0));
        assert_eq!(around(1.0, 50), (50, 50));
        assert_eq!(around(0.5, 0), (0, 0));
    }
}
