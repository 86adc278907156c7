//! Reference values, the mixture as an integral, extremes.

use super::super::{assert_close, extremes, waves};
use super::*;

#[test]
fn reference_boundary() {
    let boundary = Boundary::new(0.025, 10.0);
    assert_close(boundary.rho(), 1.260056097926);
    for (v, u) in [
        (1.0, 6.624032581425),
        (10.0, 13.008091040401),
        (100.0, 37.008906836513),
    ] {
        assert_close(boundary.at(v), u);
    }
}

#[test]
fn reference_intervals() {
    let mut stream = StreamSequence::new(0.05, 10.0);
    for value in waves(1000) {
        stream.add(value);
        let (lo, hi) = match stream.count() {
            100 => (0.400341912438, 0.598895061480),
            1000 => (0.474967212585, 0.525521169195),
            _ => continue,
        };
        let ours = stream.interval();
        assert_close(ours.0, lo);
        assert_close(ours.1, hi);
    }
}

/// The mixture by its definition: the integral over l in (0, 1) of exp(l s - v psi(l)) times the
/// density of l, which is rho^rho (1 - l)^(rho - 1) exp(-rho (1 - l)) over its own integral; by the
/// midpoint rule, in u with (1 - l) = u^30, which makes a pole at l = 1 harmless.
fn plain_mixture(rho: f64, s: f64, v: f64) -> f64 {
    const STEPS: usize = 200_000;
    let (mut above, mut below) = (0.0, 0.0);
    for step in 0..STEPS {
        let u = (step as f64 + 0.5) / STEPS as f64;
        let rest = u.powi(30);
        let weight = libm::pow(rest, rho - 1.0) * libm::exp(-rho * rest) * 30.0 * u.powi(29);
        let l = 1.0 - rest;
        above += weight * libm::exp(l * s - v * (-libm::log(rest) - l));
        below += weight;
    }
    above / below
}

#[test]
fn the_mixture_is_the_integral_it_stands_for() {
    for (a, v_opt) in [(0.025, 10.0), (0.025, 1.0), (0.005, 100.0), (0.4, 0.3)] {
        let boundary = Boundary::new(a, v_opt);
        for (s, v) in [
            (0.0, 0.0),
            (3.0, 0.1),
            (6.6, 1.0),
            (13.0, 10.0),
            (37.0, 100.0),
            (1.0, 40.0),
        ] {
            let plain = libm::log(plain_mixture(boundary.rho(), s, v));
            let ours = boundary.ln_mixture(s, v);
            assert!(
                (ours - plain).abs() < 1e-8,
                "{ours} for {plain} at {s}, {v}"
            );
        }
    }
}

#[test]
fn the_boundary_grows_and_is_where_the_mixture_reaches_its_level() {
    for (a, v_opt) in [
        (0.025, 10.0),
        (0.025, 1.0),
        (1e-9, 1.0),
        (0.49, 1.0),
        (0.025, 1e6),
        (0.025, 1e-3),
    ] {
        let boundary = Boundary::new(a, v_opt);
        let mut last = 0.0;
        for place in 0..=60 {
            let v = if place == 0 {
                0.0
            } else {
                libm::exp2(f64::from(place) / 2.0 - 10.0)
            };
            let u = boundary.at(v);
            assert!(u.is_finite() && u > last, "{u} after {last} at {v}");
            let gap = boundary.ln_mixture(u, v) + libm::log(a);
            assert!(gap.abs() < 1e-6, "{gap:e} at {v}");
            last = u;
        }
    }
}

#[test]
fn extremes_are_no_trouble() {
    for values in extremes() {
        for (alpha, v_opt) in [(0.05, 10.0), (0.05, 1.0), (1e-9, 1.0)] {
            let mut stream = StreamSequence::new(alpha, v_opt);
            for &value in &values {
                stream.add(value);
                if stream.count().is_power_of_two() {
                    let (lo, hi) = stream.interval();
                    assert!(0.0 <= lo && lo <= stream.mean() && stream.mean() <= hi && hi <= 1.0);
                }
            }
            let (lo, hi) = stream.interval();
            assert!(0.0 <= lo && lo <= stream.mean() && stream.mean() <= hi && hi <= 1.0);
        }
    }
    assert_eq!(StreamSequence::new(0.05, 1.0).interval(), (0.0, 1.0));
}

/// An e-value reaches 1/a just where the interval of level 1 - 2a leaves the bound out.
#[test]
fn e_values_and_intervals_agree() {
    let alpha = 0.05;
    let mut stream = StreamSequence::new(alpha, 1.0);
    let mut out = [0, 0];
    for value in waves(2_000) {
        stream.add(0.9 * value + 0.1);
        let (lo, hi) = stream.interval();
        for bound in [0.3, 0.5, 0.55, 0.6, 0.9] {
            let [above, below] = stream.e_values(bound);
            assert_eq!(above >= 2.0 / alpha, lo > bound, "{bound} {above} {lo}");
            assert_eq!(below >= 2.0 / alpha, hi < bound, "{bound} {below} {hi}");
            assert!(above == 0.0 || below == 0.0);
            out[0] += usize::from(lo > bound);
            out[1] += usize::from(hi < bound);
        }
    }
    assert!(out[0] > 1_000 && out[1] > 1_000, "{out:?}");
}

/// Values that go on as they were are distinguished from the bound when it was said they would be.
#[test]
fn how_many_more_a_stream_needs() {
    let values = |n: usize| (0..n).map(|i| if i % 2 == 0 { 0.2 } else { 0.9 });
    let mut stream = StreamSequence::new(0.05, 1.0);
    values(40).for_each(|value| stream.add(value));
    let said = stream.likely(0.5).unwrap();
    let mut whole = StreamSequence::new(0.05, 1.0);
    let excludes = |stream: &StreamSequence| stream.interval().0 > 0.5;
    let found = values(100_000)
        .position(|value| {
            whole.add(value);
            excludes(&whole)
        })
        .unwrap();
    // V holds the surprises of the first values too.
    let ratio = said as f64 / found as f64;
    assert!((0.8..1.25).contains(&ratio), "{said} {found}");
    assert_eq!(StreamSequence::new(0.05, 1.0).likely(0.5), None);
    let mut even = StreamSequence::new(0.05, 1.0);
    [0.25, 0.75].into_iter().for_each(|value| even.add(value));
    assert_eq!(even.likely(0.5), None);
}

/// The boundary is taken at the sum of squares; a mean at the bound speaks for neither side.
#[test]
fn the_variance_is_the_sum_of_squares_and_at_the_bound_there_is_no_evidence() {
    let mut stream = StreamSequence::new(0.05, 1.0);
    [0.25, 0.75].into_iter().for_each(|value| stream.add(value));
    assert_eq!(stream.variance(), 0.0625 + 0.25);
    assert_eq!(stream.boundary(), Boundary::new(0.025, 1.0).at(0.3125));
    assert_eq!(stream.e_values(0.5), [0.0, 0.0]);
    let [above, below] = stream.e_values(0.25);
    assert!(above > 0.0 && below == 0.0);
}
