//! Ranges of numbers: used by readers, in error messages and in the JSON schema.

/// A range of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberRange {
    /// The words by which an error message describes the expected number.
    pub words: &'static str,
    /// The lower end.
    pub from: End,
    /// The upper end.
    pub to: End,
}

/// An end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// Any finite number.
    Open,
    /// This number, included in the range.
    With(f64),
    /// This number, excluded from the range.
    Without(f64),
}

impl NumberRange {
    const fn new(words: &'static str, from: End, to: End) -> Self {
        Self { words, from, to }
    }

    /// Returns true if the number lies in the range.
    #[must_use]
    pub fn holds(&self, x: f64) -> bool {
        let is_above = match self.from {
            End::Open => x.is_finite(),
            End::With(end) => x >= end,
            End::Without(end) => x > end,
        };
        let is_below = match self.to {
            End::Open => x.is_finite(),
            End::With(end) => x <= end,
            End::Without(end) => x < end,
        };
        is_above && is_below
    }
}

/// Every finite number.
pub const FINITE: NumberRange = NumberRange::new("a finite number", End::Open, End::Open);
/// Numbers above 0.
pub const POSITIVE: NumberRange =
    NumberRange::new("a finite number above 0", End::Without(0.0), End::Open);
/// Numbers of 0 or more.
pub const NOT_NEGATIVE: NumberRange =
    NumberRange::new("a finite number of at least 0", End::With(0.0), End::Open);
/// Numbers from 0 to 1, both included.
pub const PROBABILITY: NumberRange =
    NumberRange::new("a number from 0 to 1", End::With(0.0), End::With(1.0));
/// Numbers between 0 and 1, neither included.
pub const BETWEEN_0_AND_1: NumberRange = NumberRange::new(
    "a number above 0 and below 1",
    End::Without(0.0),
    End::Without(1.0),
);
/// Numbers above 0 and at most 1.
pub const PART: NumberRange = NumberRange::new(
    "a number above 0 and at most 1",
    End::Without(0.0),
    End::With(1.0),
);
/// Numbers above 1.
pub const ABOVE_1: NumberRange =
    NumberRange::new("a finite number above 1", End::Without(1.0), End::Open);
/// Numbers of 1 or more.
pub const AT_LEAST_1: NumberRange =
    NumberRange::new("a finite number of at least 1", End::With(1.0), End::Open);
/// Numbers above 0 and at most 100.
pub const UP_TO_100: NumberRange = NumberRange::new(
    "a number above 0 and at most 100",
    End::Without(0.0),
    End::With(100.0),
);
/// Numbers above 0 and at most a million.
pub const UP_TO_A_MILLION: NumberRange = NumberRange::new(
    "a number above 0 and at most 1,000,000",
    End::Without(0.0),
    End::With(1e6),
);
/// The error probabilities that a config may allow.
pub const ALPHA: NumberRange = NumberRange::new(
    "a number from 1e-9 to below 1",
    End::With(1e-9),
    End::Without(1.0),
);
