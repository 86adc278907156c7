//! Declared ranges.

/// The least and greatest value that a quantity can take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    least: f64,
    most: f64,
}

/// A value outside its declared range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{value} is outside of the declared range {least} to {most}")]
pub struct OutOfRange {
    value: f64,
    least: f64,
    most: f64,
}

/// The share of its width by which a value may leave a range by rounding.
const ROUNDING: f64 = 1e-9;

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {}", self.least, self.most)
    }
}

impl Range {
    /// Makes the range from `least` to `most`. `None` unless both are finite and `least < most`.
    #[must_use]
    pub fn new(least: f64, most: f64) -> Option<Self> {
        let width = most - least;
        (width.is_finite() && width > 0.0).then_some(Self { least, most })
    }

    /// Returns the range of differences of two values of this range: twice as wide, about 0.
    #[must_use]
    pub fn of_differences(self) -> Self {
        let width = self.width();
        Self {
            least: -width,
            most: width,
        }
    }

    /// Returns the position of a value in the range: 0 at the least and 1 at the greatest.
    ///
    /// # Errors
    /// Returns an error if it is not in the range (nor by rounding only just beyond), or not a
    /// number.
    pub fn unit(self, value: f64) -> Result<f64, OutOfRange> {
        let place = (value - self.least) / self.width();
        if (-ROUNDING..=1.0 + ROUNDING).contains(&place) {
            return Ok(place.clamp(0.0, 1.0));
        }
        let Self { least, most } = self;
        Err(OutOfRange { value, least, most })
    }

    /// Returns the value at a position; the inverse of [`Range::unit`].
    #[must_use]
    pub fn value(self, place: f64) -> f64 {
        // From the middle, so that 1/2 in a range about 0 is exactly 0.
        let middle = 0.5 * self.least + 0.5 * self.most;
        (middle + (place - 0.5) * self.width()).clamp(self.least, self.most)
    }

    /// The least and the greatest value.
    #[must_use]
    pub fn ends(self) -> (f64, f64) {
        (self.least, self.most)
    }

    fn width(self) -> f64 {
        self.most - self.least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let range = Range::new(0.0, 1.0).unwrap();
        assert_eq!(range.unit(0.3), Ok(0.3));
        let differences = range.of_differences();
        assert_eq!(differences, Range::new(-1.0, 1.0).unwrap());
        for (value, place) in [(-1.0, 0.0), (0.0, 0.5), (0.5, 0.75), (1.0, 1.0)] {
            assert_eq!(differences.unit(value), Ok(place));
            assert_eq!(differences.value(place), value);
        }
        let other = Range::new(-3.0, 5.0).unwrap();
        assert_eq!((other.value(0.25), &*other.to_string()), (-1.0, "-3 to 5"));
    }

    #[test]
    fn a_value_outside_is_an_error_but_for_rounding() {
        let range = Range::new(0.0, 1.0).unwrap();
        assert_eq!(range.unit(1.0 + 1e-15), Ok(1.0));
        assert_eq!(range.unit(-1e-15), Ok(0.0));
        for value in [1.001, -0.001, f64::NAN, f64::INFINITY] {
            assert!(range.unit(value).is_err(), "{value}");
        }
        let said = range.unit(1.5).unwrap_err().to_string();
        assert_eq!(said, "1.5 is outside of the declared range 0 to 1");
    }

    #[test]
    fn no_range_is_empty_or_endless() {
        for (least, most) in [
            (0.0, 0.0),
            (1.0, 0.0),
            (0.0, f64::INFINITY),
            (f64::NAN, 1.0),
        ] {
            assert_eq!(Range::new(least, most), None);
        }
    }
}
