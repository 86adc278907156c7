//! Intervals for the mean of quantities, most of them bounded, that hold at every moment at once,
//! however often one looks and whatever makes one stop.
//!
//! | method | for | what it covers |
//! |---|---|---|
//! | [`Betting`] | replications: i.i.d. with one mean | that mean |
//! | [`PredictableMixture`] | the same, a second method | that mean |
//! | [`StreamSequence`] | a live stream: policies learn, pools move | the running average of the conditional means |
//! | [`Catoni`] | replications of what has no range, its variance bounded by the user's word | their one mean |
//!
//! Those by betting are intersected over time: what one once left out stays out, so none ever
//! widens. A running average is another quantity at each value, so its intervals may.
//!
//! But for the last all take values in \[0, 1\]; [`Range`] takes a declared range there and back.

mod betting;
mod catoni;
mod e_value;
mod predictable;
mod prefixes;
mod range;
mod stream;

pub use betting::{BETS, Bets, Betting};
pub use catoni::{Catoni, Tilted};
pub(super) use e_value::ln_mean_exp;
pub use e_value::{MOST_E_VALUE, e_value, p_value};
pub use predictable::PredictableMixture;
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
