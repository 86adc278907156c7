//! The numbers that a column may state.

use std::collections::BTreeMap;

use crate::limits::LARGEST_NUMBER;

/// A range of numbers that a column may state, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The smallest number.
    pub least: f64,
    /// The largest number.
    pub most: f64,
}

impl Span {
    /// The numbers that can be squared and summed safely.
    pub const SAFE: Self = Self {
        least: -LARGEST_NUMBER,
        most: LARGEST_NUMBER,
    };

    /// Returns true if a number lies in the range.
    #[must_use]
    pub fn holds(&self, number: f64) -> bool {
        (self.least..=self.most).contains(&number)
    }

    /// Returns the fault of a number outside the range, as in "is beyond 1e100".
    pub(super) fn refusal(&self) -> String {
        match *self == Self::SAFE {
            true => format!("is beyond {LARGEST_NUMBER:e}"),
            false => format!("is not in its range, {} to {}", self.least, self.most),
        }
    }
}

/// The ranges of columns, by their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spans(BTreeMap<String, Span>);

impl Spans {
    /// Returns the range of a column; [`Span::SAFE`] if none is declared.
    #[must_use]
    pub fn of(&self, column: &str) -> Span {
        self.0.get(column).copied().unwrap_or(Span::SAFE)
    }

    /// Declares the range of a column.
    pub fn declare(&mut self, column: &str, span: Span) {
        self.0.insert(column.to_owned(), span);
    }
}

impl FromIterator<(String, Span)> for Spans {
    fn from_iter<I: IntoIterator<Item = (String, Span)>>(declared: I) -> Self {
        Self(declared.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_its_ends_and_says_what_it_is() {
        let ages = Span {
            least: 0.0,
            most: 120.0,
        };
        let spans: Spans = [("AGEP".to_owned(), ages)].into_iter().collect();
        for (number, holds) in [(0.0, true), (120.0, true), (-0.1, false), (1e3, false)] {
            assert_eq!(spans.of("AGEP").holds(number), holds, "{number}");
        }
        assert!(spans.of("PINCP").holds(1e100) && !spans.of("PINCP").holds(1.1e100));
        assert!(!Span::SAFE.holds(f64::NAN));
        assert_eq!(ages.refusal(), "is not in its range, 0 to 120");
        assert_eq!(Span::SAFE.refusal(), "is beyond 1e100");
    }
}
