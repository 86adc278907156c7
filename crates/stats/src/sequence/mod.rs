//! Intervals for the mean of quantities, most of them bounded, that hold at every moment at once,
//! however often one looks and whatever makes one stop.
//!
//! | method | for | what it covers |
//! |---|---|---|
//! | [`Betting`] | replications: i.i.d. with one mean | that mean |
//! | [`StreamSequence`] | a live stream: policies learn, pools move | the running average of the conditional means |
//! | [`Catoni`] | replications of what has no range, its variance bounded by the user's word | their one mean |
//!
//! Those by betting are intersected over time: what one once left out stays out, so none ever
//! widens. A running average is another quantity at each value, so its intervals may.
//!
//! But for the last all take values in \[0, 1\]; [`Range`] takes a declared range there and back.

mod betting;
mod catoni;
mod prefixes;
mod range;
mod stream;

pub use betting::{BETS, Bets, Betting};
pub use catoni::{Catoni, Tilted};
pub use range::{OutOfRange, Range};
pub use stream::{Boundary, StreamSequence};

/// The common test values of all methods: `.5 + .3 sin(i)`, i = 1, 2, ...
#[cfg(test)]
fn waves(count: usize) -> Vec<f64> {
    let wave = |i: usize| 0.5 + 0.3 * libm::sin(i as f64);
    (1..=count).map(wave).collect()
}

#[cfg(test)]
#[track_caller]
fn assert_close(ours: f64, known: f64) {
    let gap = ((ours - known) / known).abs();
    assert!(gap <= 1e-9, "{ours} against {known}: {gap:e}");
}

/// Values that break careless code: none, one, all at an end, constant, alternating, tiny, many.
#[cfg(test)]
fn extremes() -> Vec<Vec<f64>> {
    let mut all = vec![Vec::new()];
    for value in [
        0.0,
        1.0,
        0.5,
        0.1,
        1e-300,
        f64::MIN_POSITIVE / 4.0,
        1.0 - 1e-16,
    ] {
        for count in [1, 2, 3, 100, 10_000] {
            all.push(vec![value; count]);
        }
    }
    all.push((0..10_000).map(|i| f64::from(i % 2)).collect());
    all.push(
        (0..3_000)
            .map(|i| f64::from(u8::from(i >= 1_500)))
            .collect(),
    );
    all.push((0..3_000).map(|i| f64::from(u8::from(i == 0))).collect());
    all.push(waves(100_000));
    all
}

/// The greatest e-value that is given. It reads "more than 1e300", because larger ones are given as
/// this number: one that overflowed would look like a result.
pub const GREATEST_E_VALUE: f64 = 1e300;

/// Returns the e-value of a logarithm, at most [`GREATEST_E_VALUE`].
#[must_use]
pub fn e_value(ln: f64) -> f64 {
    match ln >= libm::log(GREATEST_E_VALUE) {
        true => GREATEST_E_VALUE,
        false => libm::exp(ln),
    }
}

/// Returns the anytime p-value of the logarithm of the greatest e-value: at most 1, at least
/// 1e-300.
#[must_use]
pub fn p_value(ln_greatest: f64) -> f64 {
    match ln_greatest >= libm::log(GREATEST_E_VALUE) {
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
