//! Numbers as text: exact for machines, short for people.

/// The most digits on either side of the point before a number is shown with an exponent.
const DIGITS: i32 = 9;

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

/// Returns the number of decimals that shows two significant digits of `spread`. `None` if it is 0
/// or unknown.
pub(super) fn decimals(spread: Option<f64>) -> Option<i32> {
    spread
        .filter(|spread| *spread > 0.0 && spread.is_finite())
        .map(|spread| (1 - exponent(spread, 1)).max(0))
}

/// Formats the number with this many decimals, never as "-0". A number with more digits than can be
/// exact is shortened.
pub fn fixed(value: f64, decimals: i32) -> String {
    if decimals > DIGITS {
        return brief(value, 4);
    }
    if exponent(value, 3) > DIGITS {
        return format!("{value:.3e}");
    }
    let text = format!("{value:.*}", decimals.max(0) as usize);
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    match text.strip_prefix('-') {
        Some(rest) if is_zero => rest.to_owned(),
        _ => text,
    }
}

/// Formats a number with at most `digits` significant digits and no trailing zeros. Whole numbers
/// are written in full.
pub fn brief(value: f64, digits: i32) -> String {
    let size = exponent(value, digits - 1);
    let decimals = (digits - 1 - size).max(0);
    if size > DIGITS || decimals > DIGITS {
        return format!("{value:.3e}");
    }
    if value.fract() == 0.0 {
        return fixed(value, 0);
    }
    let text = fixed(value, decimals);
    if text.contains('.') {
        let text = text.trim_end_matches('0');
        return text.trim_end_matches('.').to_owned();
    }
    text
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

/// The decimals of a difference and of its interval. The difference has two digits of its standard
/// error, because an interval that is far wider would round its effect away; the interval has two
/// digits of itself.
pub(super) fn of_difference(
    se: Option<f64>,
    limits: Option<(f64, f64)>,
) -> (Option<i32>, Option<i32>) {
    let of_limits = limits.and_then(|(lo, hi)| telling(lo, hi));
    (decimals(se).or(of_limits), of_limits)
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

/// Thousands parted by commas, and a true minus sign.
pub(super) fn parted(digits: &str) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => ("\u{2212}", rest),
        None => ("", digits),
    };
    let whole = digits.find('.').unwrap_or(digits.len());
    let mut text = sign.to_owned();
    for (i, c) in digits.char_indices() {
        if i > 0 && i < whole && (whole - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    text
}

/// The power of ten of the first digit, once rounded to `decimals` more; 0 for 0. By text rather
/// than by a logarithm, which errs at the powers of ten.
fn exponent(value: f64, decimals: i32) -> i32 {
    let text = format!("{:.*e}", decimals.max(0) as usize, value);
    text.split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0)
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
    fn decimals_show_two_digits_of_the_spread() {
        for (spread, known) in [
            (577.0, 0),
            (9.94, 1),
            (9.96, 0),
            (0.0012, 4),
            (0.000_996, 4),
        ] {
            assert_eq!(decimals(Some(spread)), Some(known), "{spread}");
        }
        assert_eq!(decimals(Some(0.0)), None);
        assert_eq!(decimals(None), None);
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
    fn a_difference_is_rounded_by_its_error_and_its_interval_by_itself() {
        let wide = Some((-0.333_4, 0.321_9));
        assert_eq!(of_difference(Some(0.001_03), wide), (Some(4), Some(2)));
        assert_eq!(of_difference(None, wide), (Some(2), Some(2)));
        assert_eq!(of_difference(Some(0.0), wide), (Some(2), Some(2)));
        assert_eq!(of_difference(None, None), (None, None));
    }

    #[test]
    fn fixed_has_no_negative_zero() {
        assert_eq!(fixed(-0.000_04, 3), "0.000");
        assert_eq!(fixed(-0.0, 0), "0");
        assert_eq!(fixed(-0.6, 0), "-1");
        assert_eq!(fixed(9292.4, 0), "9292");
        assert_eq!(fixed(1.5e12, 2), "1.500e12");
        assert_eq!(fixed(1.5e-12, 13), "1.500e-12");
        assert_eq!(fixed(-0.0209, 18), "-0.0209");
    }

    #[test]
    fn brief_has_no_idle_zeros() {
        for (value, text) in [
            (0.05 / 3.0, "0.0167"),
            (0.0125, "0.0125"),
            (0.05, "0.05"),
            (150.0, "150"),
            (189_348.0, "189348"),
            (123.456, "123"),
            (99.96, "100"),
            (0.0, "0"),
            (-1.0 / 3.0, "-0.333"),
            (1e-12, "1.000e-12"),
        ] {
            assert_eq!(brief(value, 3), text);
        }
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
