//! Numbers as text for people.

/// The most digits on either side of the point before a number is shown with an exponent.
pub const DIGITS: i32 = 9;

/// Returns the number of decimals that shows two significant digits of `spread`. `None` if it is 0
/// or unknown.
#[must_use]
pub fn decimals(spread: Option<f64>) -> Option<i32> {
    spread
        .filter(|spread| *spread > 0.0 && spread.is_finite())
        .map(|spread| (1 - exponent(spread, 1)).max(0))
}

/// Returns the number of decimals of a column: that which shows one significant digit of its least
/// standard error. `None` if no value of the column varies.
#[must_use]
pub fn of_column(errors: impl Iterator<Item = f64>) -> Option<i32> {
    let varying = errors.filter(|error| *error > 0.0 && error.is_finite());
    let least = varying.min_by(f64::total_cmp)?;
    Some((-exponent(least, 0)).clamp(0, DIGITS))
}

/// Formats the number with this many decimals, never as "-0". A number with more digits than can be
/// exact is shortened.
#[must_use]
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
#[must_use]
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

/// Formats a number with this many decimals, its thousands parted and with a true minus sign. `None`
/// gives at most four digits.
#[must_use]
pub fn shown(value: f64, decimals: Option<i32>) -> String {
    let text = match decimals {
        Some(decimals) => fixed(value, decimals),
        None => brief(value, 4),
    };
    match text.contains('e') {
        true => text.replace('-', "\u{2212}"),
        false => parted(&text),
    }
}

/// Returns the number with its thousands parted by commas, and with a true minus sign.
#[must_use]
pub fn parted(digits: &str) -> String {
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

/// Returns the power of ten of the first digit, once rounded to `decimals` more; 0 for 0. By text
/// rather than by a logarithm, which errs at the powers of ten.
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
    fn thousands_are_parted() {
        assert_eq!(shown(6_114.4, Some(0)), "6,114");
        assert_eq!(shown(-1_234.56, Some(1)), "\u{2212}1,234.6");
        assert_eq!(shown(1e-12, None), "1.000e\u{2212}12");
        assert_eq!(shown(0.05, None), "0.05");
    }

    #[test]
    fn a_column_has_one_digit_of_its_least_error() {
        assert_eq!(of_column([0.27, 0.13, 0.0].into_iter()), Some(1));
        assert_eq!(of_column([1883.0, 8.9].into_iter()), Some(0));
        assert_eq!(of_column([0.096, 0.5].into_iter()), Some(1));
        assert_eq!(of_column([0.0, f64::INFINITY].into_iter()), None);
    }
}
