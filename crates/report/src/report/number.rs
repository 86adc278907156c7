//! Numbers as text: exact for machines, short for people.

use kleroterion_core::number::DIGITS;
pub use kleroterion_core::number::{brief, fixed, shown};
pub(super) use kleroterion_core::number::{decimals, of_column, parted};

/// The text with true minus signs for its hyphens.
pub(super) fn minus(text: &str) -> String {
    text.replace('-', "\u{2212}")
}

/// Returns the least and the largest of some values; of none, two infinities that enclose nothing.
pub(super) fn reach(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), value| {
        (lo.min(value), hi.max(value))
    })
}

/// The value, or 0 where it is no more than rounding leaves of a difference of numbers of this
/// size.
pub(crate) fn noiseless(value: f64, size: f64) -> f64 {
    const NOISE: f64 = 1e-12;
    if value.abs() <= NOISE * size {
        0.0
    } else {
        value
    }
}

/// Formats a mean to two digits of its standard error, "0.0534 ± 0.0019". Without an error it has
/// at most eight digits.
pub fn mean_and_se(mean: f64, se: Option<f64>) -> String {
    match (se, decimals(se)) {
        // What is lost in rounding is no spread.
        (Some(se), Some(decimals)) if decimals <= DIGITS => {
            format!("{} ± {}", fixed(mean, decimals), fixed(se, decimals))
        }
        (Some(_), _) => format!("{} ± 0", brief(mean, 4)),
        (None, _) => brief(mean, 8),
    }
}

/// Returns the number of decimals for an interval. It has up to four more if an end close to 0
/// would be shown as 0.
pub fn telling(lo: f64, hi: f64) -> Option<i32> {
    const MORE: i32 = 4;
    let worth = decimals(Some((hi - lo) / 2.0))?;
    let is_told = |digits: &i32| {
        let is_zero =
            |end: f64| end != 0.0 && !fixed(end, *digits).contains(|c| ('1'..='9').contains(&c));
        !is_zero(lo) && !is_zero(hi)
    };
    (worth..worth + MORE).find(is_told).or(Some(worth))
}

/// The standard error and the limits of a difference, as far as they are known.
pub(super) type Uncertainty = (Option<f64>, Option<(f64, f64)>);

/// Returns the decimals of a column of differences and of their intervals, each given with its
/// standard error and its limits. Differences have one digit of the least error, because an interval
/// that is far wider would round them away.
pub(super) fn of_differences(column: &[Uncertainty]) -> [Option<i32>; 2] {
    let limits = column.iter().filter_map(|(_, limits)| *limits);
    let limits = limits.filter_map(|(lo, hi)| telling(lo, hi)).max();
    let errors = column.iter().filter_map(|(se, _)| *se);
    [of_column(errors).max(limits), limits]
}

/// A text whose numbers below 0 have a minus sign in place of a hyphen.
pub(super) fn with_minus(text: &str) -> String {
    let mut signed = String::with_capacity(text.len());
    let mut before = ' ';
    let mut all = text.chars().peekable();
    while let Some(c) = all.next() {
        let opens = before.is_whitespace() || "([,".contains(before);
        let is_number = all.peek().is_some_and(char::is_ascii_digit);
        signed.push(match c {
            '-' if opens && is_number => '\u{2212}',
            _ => c,
        });
        before = c;
    }
    signed
}

/// A p-value to two digits, or that it is below what anyone needs to know.
pub(super) fn p_value(p: f64) -> String {
    if p < 1e-4 {
        "< .0001".to_owned()
    } else {
        brief(p, 2)
    }
}

/// A count to two digits, thousands parted: 1,200.
pub(crate) fn about(count: u64) -> String {
    let mut unit = 1;
    while count / unit >= 100 {
        unit *= 10;
    }
    grouped(count.div_ceil(unit).saturating_mul(unit))
}

/// The number with a comma between its thousands.
#[must_use]
pub fn grouped(count: u64) -> String {
    parted(&count.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_0_have_a_minus_sign_and_words_keep_their_hyphens() {
        let text = "-0.07 ± 0.01 at k-means, 3-4 (-1 to -.5), plug-in -2";
        let signed = "\u{2212}0.07 ± 0.01 at k-means, 3-4 (\u{2212}1 to -.5), plug-in \u{2212}2";
        assert_eq!(with_minus(text), signed);
    }

    #[test]
    fn what_rounding_leaves_is_0() {
        assert_eq!(noiseless(0.3 - 0.1 - 0.2, 0.3), 0.0);
        assert_eq!(noiseless(-6.939e-17, 1.0), 0.0);
        assert_eq!(noiseless(1e-9, 1.0), 1e-9);
        assert_eq!(noiseless(-6.939e-17, 1e-16), -6.939e-17);
        assert_eq!(noiseless(0.0, 0.0), 0.0);
    }

    #[test]
    fn an_end_near_0_is_not_shown_as_0() {
        // Two digits of the width would be none after the point, and -0.4 would be 0.
        assert_eq!(decimals(Some((21.4 - 0.4) / 2.0)), Some(0));
        assert_eq!(telling(-21.4, -0.4), Some(1));
        assert_eq!(telling(-0.003, 21.4), Some(3));
        assert_eq!(telling(-21.4, 0.0), Some(0));
        assert_eq!(telling(-21.4, 3.2), Some(0));
        // Too near.
        assert_eq!(telling(-21.4, 1e-9), Some(0));
    }

    /// The effect of a wide interval is not rounded away.
    #[test]
    fn differences_are_rounded_by_their_least_error_and_intervals_by_themselves() {
        let wide = Some((-0.333_4, 0.321_9));
        assert_eq!(
            of_differences(&[(Some(0.001_03), wide)]),
            [Some(3), Some(2)]
        );
        let two = [(Some(0.3), wide), (Some(0.04), None)];
        assert_eq!(of_differences(&two), [Some(2), Some(2)]);
        assert_eq!(of_differences(&[(None, wide)]), [Some(2), Some(2)]);
        assert_eq!(of_differences(&[(Some(0.0), wide)]), [Some(2), Some(2)]);
        assert_eq!(of_differences(&[(None, None)]), [None, None]);
    }

    #[test]
    fn a_mean_shows_two_digits_of_its_error() {
        for (mean, se, text) in [
            (0.053_42, Some(0.001_94), "0.0534 ± 0.0019"),
            (2465.3, Some(14.2), "2465 ± 14"),
            (181.36, Some(4.01), "181.4 ± 4.0"),
            (0.05, Some(6e-18), "0.05 ± 0"),
            (1.0, Some(0.0), "1 ± 0"),
            (379.650_012_3, None, "379.65001"),
        ] {
            assert_eq!(mean_and_se(mean, se), text);
        }
    }

    #[test]
    fn about_is_two_digits_up() {
        for (count, text) in [
            (1, "1"),
            (99, "99"),
            (100, "100"),
            (101, "110"),
            (1_234, "1,300"),
        ] {
            assert_eq!(about(count), text);
        }
        assert_eq!(about(1_000_000), "1,000,000");
        assert!(!about(u64::MAX).is_empty());
    }
}
