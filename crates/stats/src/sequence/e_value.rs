//! E-values as numbers: their logarithms may grow without end, what is given of them may not.

/// The greatest e-value that is given. It reads "more than 1e300", because larger ones are given as
/// this number: one that overflowed would look like a result.
pub const MOST_E_VALUE: f64 = 1e300;

/// Returns the e-value of a logarithm, at most [`MOST_E_VALUE`].
pub fn e_value(ln: f64) -> f64 {
    match ln >= libm::log(MOST_E_VALUE) {
        true => MOST_E_VALUE,
        false => libm::exp(ln),
    }
}

/// Returns the anytime p-value of the logarithm of the greatest e-value: at most 1, at least
/// 1e-300.
pub fn p_value(ln_greatest: f64) -> f64 {
    match ln_greatest >= libm::log(MOST_E_VALUE) {
        true => 1e-300,
        false => libm::exp(-ln_greatest).min(1.0),
    }
}

/// Returns ln of the mean of exp(x); minus infinity if all are.
pub(crate) fn ln_mean_exp(ln: &[f64]) -> f64 {
    let greatest = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if greatest == f64::NEG_INFINITY {
        return greatest;
    }
    let sum: f64 = ln.iter().map(|ln| libm::exp(ln - greatest)).sum();
    greatest + libm::log(sum / ln.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_e_value_overflows_and_none_is_a_number_that_overflowed() {
        for (ln, e, p) in [
            (f64::NEG_INFINITY, 0.0, 1.0),
            (-2.0, libm::exp(-2.0), 1.0),
            (0.0, 1.0, 1.0),
            (3.0, libm::exp(3.0), libm::exp(-3.0)),
            (690.0, libm::exp(690.0), libm::exp(-690.0)),
            (700.0, 1e300, 1e-300),
            (709.5, 1e300, 1e-300),
            (1e9, 1e300, 1e-300),
            (f64::INFINITY, 1e300, 1e-300),
        ] {
            assert_eq!((e_value(ln), p_value(ln)), (e, p), "{ln}");
        }
    }

    #[test]
    fn the_mean_of_two_is_taken_before_either_overflows() {
        let inf = f64::NEG_INFINITY;
        assert_eq!(ln_mean_exp(&[inf, inf]), inf);
        let half = |ln: f64| ln - std::f64::consts::LN_2;
        for ln in [0.0, 5.0, 800.0, 1e6] {
            assert!((ln_mean_exp(&[ln, inf]) - half(ln)).abs() < 1e-9, "{ln}");
            assert!((ln_mean_exp(&[ln, ln]) - ln).abs() < 1e-9, "{ln}");
        }
    }
}
