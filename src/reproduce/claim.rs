//! A sentence of a paper, our numbers, and the rule that judges them.

use super::numbers::Estimate;
use crate::report::number::{brief, mean_and_se};
use crate::report::page::Finding;

/// A number is taken to be above or below another where it is so by as many standard errors.
pub const SURE: f64 = 3.0;

/// A sentence of a paper and what we found.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Where in the paper, and what it is about in a few words.
    pub place: String,
    /// What the paper says, in its words.
    pub paper: String,
    /// What we found.
    pub ours: Vec<Number>,
    /// By what the verdict was reached.
    pub rule: String,
    /// The verdict.
    pub finding: Finding,
}

/// One of our numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// What it is.
    pub what: String,
    /// Its value.
    pub value: f64,
    /// Where it comes from.
    pub source: Source,
}

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// Simulated: its standard error (none of a single replication) and the number of replications.
    Measured(Option<f64>, u64),
    /// The p-value of a test on so many values, simulated or of a file.
    Tested(u64),
    /// From a file of so many people: its standard error as if they had been drawn from many others; none where it was counted.
    Recorded(Option<f64>, u64),
    /// Computed from a law, a policy or a formula.
    Computed,
}

impl Number {
    /// A number that was simulated.
    pub fn measured(what: impl Into<String>, estimate: Estimate) -> Self {
        Self {
            what: what.into(),
            value: estimate.mean,
            source: Source::Measured(estimate.se, estimate.n),
        }
    }

    /// A number from a file of people, which others like them would give otherwise.
    pub fn recorded(what: impl Into<String>, estimate: Estimate) -> Self {
        Self {
            what: what.into(),
            value: estimate.mean,
            source: Source::Recorded(estimate.se, estimate.n),
        }
    }

    /// A number that was counted, or measured, among `n` people of a file.
    pub fn counted(what: impl Into<String>, value: f64, n: u64) -> Self {
        Self {
            what: what.into(),
            value,
            source: Source::Recorded(None, n),
        }
    }

    /// The p-value of a test on `n` values.
    pub fn tested(what: impl Into<String>, p: f64, n: u64) -> Self {
        Self {
            what: what.into(),
            value: p,
            source: Source::Tested(n),
        }
    }

    /// A number that was computed.
    pub fn computed(what: impl Into<String>, value: f64) -> Self {
        Self {
            what: what.into(),
            value,
            source: Source::Computed,
        }
    }

    /// The number in words: "tau at K = 50: 123.3 ± 0.4".
    #[must_use]
    pub fn text(&self) -> String {
        match self.source {
            Source::Measured(Some(se), _) => {
                format!("{} {}", self.what, mean_and_se(self.value, Some(se)))
            }
            Source::Measured(None, _) => format!(
                "{} {} (one replication)",
                self.what,
                mean_and_se(self.value, None)
            ),
            Source::Tested(_) if self.value < 1e-9 => format!("{} p < 1e-9", self.what),
            Source::Tested(_) if self.value < 0.001 => {
                format!("{} p = {:.0e}", self.what, self.value)
            }
            Source::Tested(_) => format!("{} p = {:.3}", self.what, self.value),
            // What is found in the file is exact: it has its digits whatever other people's would be.
            Source::Recorded(Some(se), _) => {
                format!("{} {} ± {}", self.what, brief(self.value, 4), brief(se, 2))
            }
            Source::Recorded(None, _) => format!("{} {}", self.what, brief(self.value, 4)),
            Source::Computed => {
                format!("{} {} (computed)", self.what, mean_and_se(self.value, None))
            }
        }
    }
}

impl Claim {
    /// Our numbers in words.
    #[must_use]
    pub fn ours(&self) -> String {
        let numbers: Vec<String> = self.ours.iter().map(Number::text).collect();
        numbers.join("; ")
    }
}

/// A claim.
pub(super) fn claim(
    place: &str,
    paper: &str,
    rule: &str,
    ours: Vec<Number>,
    finding: Finding,
) -> Claim {
    Claim {
        place: place.to_owned(),
        paper: paper.to_owned(),
        ours,
        rule: rule.to_owned(),
        finding,
    }
}

/// What the numbers tell of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// It holds.
    Yes,
    /// It does not.
    No,
    /// They don't tell.
    Unsure,
}

impl From<bool> for Told {
    fn from(holds: bool) -> Self {
        match holds {
            true => Self::Yes,
            false => Self::No,
        }
    }
}

impl Told {
    /// Whether both hold.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unsure,
        }
    }

    /// Whether all hold.
    pub(super) fn all(told: impl IntoIterator<Item = Self>) -> Self {
        told.into_iter().fold(Self::Yes, Self::and)
    }

    fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unsure => Self::Unsure,
        }
    }
}

/// Whether an estimate is above a number.
pub(super) fn above(estimate: Estimate, number: f64) -> Told {
    let Some(se) = estimate.se else {
        return Told::Unsure;
    };
    let gap = estimate.mean - number;
    if gap > SURE * se {
        Told::Yes
    } else if gap < -SURE * se || se == 0.0 {
        Told::No
    } else {
        Told::Unsure
    }
}

/// Whether an estimate is below a number.
pub(super) fn below(estimate: Estimate, number: f64) -> Told {
    above(estimate.times(-1.0), -number)
}

/// Whether an estimate lies between two numbers.
pub(super) fn inside(estimate: Estimate, low: f64, high: f64) -> Told {
    above(estimate, low).and(below(estimate, high))
}

/// Whether an estimate is at most a number: equal to it where nothing varies.
pub(super) fn at_most(estimate: Estimate, number: f64) -> Told {
    above(estimate, number).not()
}

/// Whether an estimate may well be a number that is known exactly: within four standard errors.
pub(super) fn agrees(estimate: Estimate, exact: f64) -> Told {
    match estimate.se {
        Some(se) => ((estimate.mean - exact).abs() <= 4.0 * se).into(),
        None => Told::Unsure,
    }
}

/// The verdict: the strongest that the numbers establish. `why` says what differs, where something does.
pub(super) fn verdict(holds: Told, in_shape: Told, why: impl Into<String>) -> Finding {
    let why = why.into();
    match (holds, in_shape) {
        (Told::Yes, _) => Finding::Reproduced,
        (_, Told::Yes) => Finding::InShape(why),
        (Told::No, Told::No) => Finding::Failed(why),
        _ => Finding::Undecided(format!(
            "too few simulations to tell at {SURE} standard errors"
        )),
    }
}

/// The verdict on a sentence that what was played was made after: that it holds is no evidence. `why` says what differs.
pub(super) fn built(holds: Told, why: impl Into<String>) -> Finding {
    match verdict(holds, Told::No, why) {
        Finding::Reproduced => Finding::ByConstruction,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(mean: f64, se: f64) -> Estimate {
        Estimate {
            mean,
            se: Some(se),
            n: 10,
        }
    }

    #[test]
    fn what_is_not_sure_is_not_said() {
        assert_eq!(above(near(1.0, 0.1), 0.5), Told::Yes);
        assert_eq!(above(near(1.0, 0.1), 0.8), Told::Unsure);
        assert_eq!(below(near(1.0, 0.1), 0.5), Told::No);
        assert_eq!(below(near(1.0, 0.0), 1.0), Told::No);
        assert_eq!(inside(near(1.0, 0.1), 0.5, 1.5), Told::Yes);
        assert_eq!(inside(near(1.0, 0.1), 0.9, 1.5), Told::Unsure);
        assert_eq!(inside(near(1.0, 0.1), 0.9, 0.5), Told::No);
        assert_eq!(at_most(near(0.05, 0.0), 0.05), Told::Yes);
        let alone = Estimate {
            se: None,
            ..near(1.0, 0.0)
        };
        assert_eq!(
            (above(alone, 0.0), agrees(alone, 1.0)),
            (Told::Unsure, Told::Unsure)
        );
        assert_eq!(agrees(near(1.0, 0.1), 1.3), Told::Yes);
        assert_eq!(agrees(near(1.0, 0.1), 1.5), Told::No);
    }

    #[test]
    fn what_was_made_so_is_never_reproduced() {
        let words = [Told::Yes, Told::No, Told::Unsure].map(|holds| built(holds, "").word());
        assert_eq!(words, ["by construction", "not reproduced", "undecided"]);
    }

    #[test]
    fn the_verdict_is_the_strongest_that_is_established() {
        use Told::{No, Unsure, Yes};
        for (holds, shape, word) in [
            (Yes, No, "reproduced"),
            (Unsure, Yes, "reproduced in shape"),
            (No, Yes, "reproduced in shape"),
            (No, No, "not reproduced"),
            (Unsure, No, "undecided"),
            (No, Unsure, "undecided"),
            (Unsure, Unsure, "undecided"),
        ] {
            assert_eq!(
                verdict(holds, shape, "").word(),
                word,
                "{holds:?} {shape:?}"
            );
        }
    }
}
