//! Judgements of statements by our numbers, and the verdicts that follow.

use std::ops::{BitAnd, BitAndAssign, Not};

use super::estimate::StudyEstimate;
use kleroterion_report::report::page::ClaimFinding;

/// The number of standard errors by which a number must be above or below another to count as such.
pub const SURE: f64 = 3.0;

/// The judgement of a statement by our numbers: yes, no or unsure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// The statement holds.
    Yes,
    /// The statement does not hold.
    No,
    /// The numbers do not decide.
    Unsure,
}

impl From<bool> for Holds {
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

impl<T: Into<Holds>> BitAnd<T> for Holds {
    type Output = Self;

    fn bitand(self, other: T) -> Self {
        match (self, other.into()) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unsure,
        }
    }
}

impl<T: Into<Holds>> BitAndAssign<T> for Holds {
    fn bitand_assign(&mut self, other: T) {
        *self = *self & other;
    }
}

impl Not for Holds {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unsure => Self::Unsure,
        }
    }
}

impl Holds {
    /// Judges that all these statements hold.
    pub(super) fn all(each: impl IntoIterator<Item = Self>) -> Self {
        each.into_iter().fold(Self::Yes, Self::bitand)
    }

    /// Returns the strongest verdict that the numbers establish. `why` describes the difference, if
    /// there is one.
    pub(super) fn verdict(self, in_shape: impl Into<Self>, why: impl Into<String>) -> ClaimFinding {
        let why = why.into();
        match (self, in_shape.into()) {
            (Self::Yes, _) => ClaimFinding::Reproduced,
            (_, Self::Yes) => ClaimFinding::InShape(why),
            (Self::No, Self::No) => ClaimFinding::Failed(why),
            _ => ClaimFinding::Undecided(format!(
                "too few simulations to tell at {SURE} standard errors"
            )),
        }
    }
}

impl StudyEstimate {
    /// Judges that the true mean is above a number.
    pub(super) fn above(self, number: f64) -> Holds {
        let Some(se) = self.se else {
            return Holds::Unsure;
        };
        let gap = self.mean - number;
        if gap > SURE * se {
            Holds::Yes
        } else if gap < -SURE * se || se == 0.0 {
            Holds::No
        } else {
            Holds::Unsure
        }
    }

    /// Judges that the true mean is below a number.
    pub(super) fn below(self, number: f64) -> Holds {
        self.times(-1.0).above(-number)
    }

    /// Judges that the true mean lies between two numbers.
    pub(super) fn inside(self, low: f64, high: f64) -> Holds {
        self.above(low) & self.below(high)
    }

    /// Judges that the true mean is at most a number. Equality suffices where nothing varies.
    pub(super) fn at_most(self, number: f64) -> Holds {
        !self.above(number)
    }

    /// Judges that the true mean may be this exactly known number: within four standard errors.
    pub(super) fn agrees(self, exact: f64) -> Holds {
        match self.se {
            Some(se) => ((self.mean - exact).abs() <= 4.0 * se).into(),
            None => Holds::Unsure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(mean: f64, se: f64) -> StudyEstimate {
        StudyEstimate {
            mean,
            se: Some(se),
            n: 10,
        }
    }

    #[test]
    fn what_is_not_sure_is_not_said() {
        assert_eq!(near(1.0, 0.1).above(0.5), Holds::Yes);
        assert_eq!(near(1.0, 0.1).above(0.8), Holds::Unsure);
        assert_eq!(near(1.0, 0.1).below(0.5), Holds::No);
        assert_eq!(near(1.0, 0.0).below(1.0), Holds::No);
        assert_eq!(near(1.0, 0.1).inside(0.5, 1.5), Holds::Yes);
        assert_eq!(near(1.0, 0.1).inside(0.9, 1.5), Holds::Unsure);
        assert_eq!(near(1.0, 0.1).inside(0.9, 0.5), Holds::No);
        assert_eq!(near(0.05, 0.0).at_most(0.05), Holds::Yes);
        let alone = StudyEstimate {
            se: None,
            ..near(1.0, 0.0)
        };
        assert_eq!(
            (alone.above(0.0), alone.agrees(1.0)),
            (Holds::Unsure, Holds::Unsure)
        );
        assert_eq!(near(1.0, 0.1).agrees(1.3), Holds::Yes);
        assert_eq!(near(1.0, 0.1).agrees(1.5), Holds::No);
    }

    #[test]
    fn the_verdict_is_the_strongest_that_is_established() {
        use Holds::{No, Unsure, Yes};
        for (holds, shape, word) in [
            (Yes, No, "reproduced"),
            (Unsure, Yes, "reproduced in shape"),
            (No, Yes, "reproduced in shape"),
            (No, No, "not reproduced"),
            (Unsure, No, "undecided"),
            (No, Unsure, "undecided"),
            (Unsure, Unsure, "undecided"),
        ] {
            assert_eq!(holds.verdict(shape, "").word(), word, "{holds:?} {shape:?}");
        }
    }
}
