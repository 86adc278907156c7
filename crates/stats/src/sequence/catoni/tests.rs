//! Reference values, the definition word by word, false alarms over heavy-tailed streams.

use super::super::assert_close;
use super::*;
use kleroterion_core::draw::{Draw, Key, Purpose};

/// `.5 + 3 sin(i)^3`, of every 17th ten times as much.
fn spiked(count: usize) -> Vec<f64> {
    let value = |i: usize| {
        let wave = 3.0 * libm::sin(i as f64).powi(3);
        0.5 + if i.is_multiple_of(17) {
            10.0 * wave
        } else {
            wave
        }
    };
    (1..=count).map(value).collect()
}

/// Computed with 40 digits by another program.
#[test]
fn reference_intervals_and_e_values() {
    for (count, lo, hi, k) in [
        (1, -70.9071210254185, 75.48206044496423, 0.9943660822523055),
        (
            10,
            -3.015149306136129,
            4.718486747814733,
            0.9130847941340038,
        ),
        (
            100,
            -0.7679496642473664,
            1.349595210651197,
            0.723184942702513,
        ),
    ] {
        let values = spiked(count);
        let ours = Catoni::interval(&values, 9.0, 0.05).unwrap();
        assert_close(ours.0, lo);
        assert_close(ours.1, hi);
        let mut tilted = Tilted::against(0.0, 9.0, 0.05);
        values.iter().for_each(|&value| tilted.add(value));
        assert_close(tilted.e_value(), k);
    }
}

/// K as a mean of products, without logarithms.
fn plain_k(values: &[f64], bound: f64, variance: f64, alpha: f64) -> f64 {
    let first = libm::sqrt(2.0 * libm::log(2.0 / alpha) / variance);
    let one = |k: i32| {
        let l = first / 2.0_f64.powi(k);
        let factor = |value: &f64| {
            let x = l * (value - bound);
            let grown = 1.0 + x.abs() + x * x / 2.0;
            let power = if x >= 0.0 { grown } else { 1.0 / grown };
            power * libm::exp(-l * l * variance / 2.0)
        };
        values.iter().map(factor).product::<f64>()
    };
    (0..12).map(one).sum::<f64>() / 12.0
}

/// K has a closed form for equal values; the lower limit is where it is 2/alpha.
#[test]
fn equal_values_in_closed_form() {
    for (n, alpha) in [(1, 0.05), (7, 0.05), (300, 0.001)] {
        let (lo, hi) = Catoni::interval(&vec![2.0; n], 4.0, alpha).unwrap();
        let first = libm::sqrt(2.0 * libm::log(2.0 / alpha) / 4.0);
        let k = |m: f64| {
            let tilts = (0..12).map(|k| first / f64::from(1 << k));
            let one = |l: f64| {
                let y = l * (2.0 - m);
                libm::pow((1.0 + y + y * y / 2.0) * libm::exp(-l * l * 2.0), n as f64)
            };
            tilts.map(one).sum::<f64>() / 12.0
        };
        assert!((k(lo) / (2.0 / alpha) - 1.0).abs() < 1e-6, "{n} {lo}");
        // The mirror image.
        assert!((hi - 2.0 - (2.0 - lo)).abs() < 1e-9, "{lo} {hi}");
    }
}

#[test]
fn one_by_one_as_all_at_once() {
    let values = spiked(60);
    let (mut above, mut below) = (
        Tilted::against(-1.2, 9.0, 0.05),
        Tilted::against(1.2, 9.0, 0.05),
    );
    for n in 1..=values.len() {
        above.add(values[n - 1]);
        below.add(-values[n - 1]);
        let plain = plain_k(&values[..n], -1.2, 9.0, 0.05);
        assert!((above.e_value() / plain - 1.0).abs() < 1e-9, "{n}");
        let (lo, hi) = Catoni::interval(&values[..n], 9.0, 0.05).unwrap();
        let level = libm::log(2.0 / 0.05);
        assert_eq!(lo > -1.2, above.ln_e() > level, "{n}: {lo}");
        assert_eq!(hi < -1.2, below.ln_e() > level, "{n}: {hi}");
    }
}

/// Units do not matter: values k times as large have an interval k times as wide.
#[test]
fn scale_and_place() {
    let values = spiked(50);
    let (lo, hi) = Catoni::interval(&values, 9.0, 0.05).unwrap();
    let moved: Vec<f64> = values.iter().map(|value| 1e6 * value + 3e6).collect();
    let (low, high) = Catoni::interval(&moved, 9e12, 0.05).unwrap();
    assert_close(low, 1e6 * lo + 3e6);
    assert_close(high, 1e6 * hi + 3e6);
}

/// One value that is far off hardly moves it, and no value breaks it.
#[test]
fn a_spike_and_extremes() {
    let mut values = spiked(100);
    let (lo, hi) = Catoni::interval(&values, 9.0, 0.05).unwrap();
    values[50] = 300.0;
    // It moves the mean by 3, and the interval by less than half of that.
    let (low, high) = Catoni::interval(&values, 9.0, 0.05).unwrap();
    assert!(low - lo < 1.5 && high - hi < 1.5, "{low} {high}");
    // So far off that no mean fits: the variance is not what was stated.
    values[50] = 1e9;
    assert_eq!(Catoni::interval(&values, 9.0, 0.05), None);
    let each = Catoni::intervals(&values, 9.0, 0.05, &[50, 100]);
    assert!(each[0].is_some() && each[1].is_none(), "{each:?}");
    for values in [
        vec![],
        vec![0.0],
        vec![f64::MAX, -f64::MAX],
        vec![1e300; 9],
        vec![-1e300, 0.0, 1e300],
    ] {
        for variance in [1e-12, 1.0, 1e12] {
            if let Some((lo, hi)) = Catoni::interval(&values, variance, 1e-9) {
                assert!(lo.is_finite() && hi.is_finite() && lo <= hi, "{values:?}");
            }
        }
    }
    assert_eq!(Catoni::interval(&[], 1.0, 0.05), None);
    // Half of the values here, half there, far beyond the stated variance: from between them none
    // is seen to be wrong, so what is shown next to the interval is the variance seen.
    let apart: Vec<f64> = (0..2000).map(|i| f64::from(i % 2) * 1000.0).collect();
    let (lo, hi) = Catoni::interval(&apart, 1.0, 0.05).unwrap();
    assert!(lo < 500.0 && 500.0 < hi && (lo + hi - 1000.0).abs() < 1e-6);
}

#[test]
fn how_many_are_likely_to_decide() {
    let needed = Catoni::likely(&[0.5; 10], 0.0, 4.0, 0.05).unwrap();
    let decided = |n: usize| Catoni::interval(&vec![0.5; n], 4.0, 0.05).unwrap().0 > 0.0;
    let n = needed.ceil() as usize;
    assert!(decided(n) && !decided(n - 1), "{needed}");
    assert_eq!(Catoni::likely(&[0.0; 10], 0.0, 4.0, 0.05), None);
    assert_eq!(Catoni::likely(&[], 0.0, 4.0, 0.05), None);
}

/// Draws from a Pareto law of index 2.1, shifted and scaled to mean 0 and variance 1. Its third
/// moment is infinite.
fn pareto(draw: &mut Draw) -> f64 {
    let index = 2.1;
    let value = libm::pow(1.0 - draw.uniform(), -1.0 / index);
    let mean = index / (index - 1.0);
    let variance = index / ((index - 1.0) * (index - 1.0) * (index - 2.0));
    (value - mean) / libm::sqrt(variance)
}

/// -3, 0 or 3 with variance 1: as far out as often as a tail can be.
fn rare(draw: &mut Draw) -> f64 {
    match draw.below(18) {
        0 => -3.0,
        1 => 3.0,
        _ => 0.0,
    }
}

/// Draws from the standard normal law.
fn normal(draw: &mut Draw) -> f64 {
    draw.normal()
}

/// Returns the number of `streams` in which an interval of 95 %, looked at after each of `looks`
/// values, ever leaves out the mean. The bound on the variance is that of the values times
/// `stated`.
fn alarms(law: fn(&mut Draw) -> f64, stated: f64, streams: u64, looks: usize) -> usize {
    let level = libm::log(2.0 / 0.05);
    let alarm = |stream: &u64| {
        let mut draw = Key::new(11, *stream).draw(Purpose::World, 0, 0);
        let (mut above, mut below) = (
            Tilted::against(0.0, stated, 0.05),
            Tilted::against(0.0, stated, 0.05),
        );
        (0..looks).any(|_| {
            let value = law(&mut draw);
            above.add(value);
            below.add(-value);
            above.ln_e() >= level || below.ln_e() >= level
        })
    };
    (0..streams).filter(alarm).count()
}

/// 2,000 null streams, a look after every value: false alarms in 5 % of them at most. With a
/// quarter of the variance, which halves the width, they are many more; so the test can fail.
#[test]
fn false_alarms_of_heavy_tails() {
    for (law, name) in [
        (pareto as fn(&mut Draw) -> f64, "pareto"),
        (rare, "rare"),
        (normal, "normal"),
    ] {
        let wrong = alarms(law, 1.0, 2000, 200);
        assert!(wrong <= 100, "{name}: {wrong} of 2000");
    }
    let broken = alarms(normal, 0.25, 2000, 200);
    assert!(broken > 200, "half the width: {broken} of 2000");
    let broken = alarms(rare, 0.25, 2000, 200);
    assert!(broken > 200, "half the width: {broken} of 2000");
}

/// Limits that are searched for one after the other are those of each search.
#[test]
fn intervals_at_several_counts_are_those_at_each() {
    let values: Vec<f64> = (1..=400)
        .map(|i| 3.0 + 2.0 * libm::sin(f64::from(i)) + if i % 97 == 0 { 40.0 } else { 0.0 })
        .collect();
    let at = [1, 2, 3, 10, 96, 97, 98, 200, 400];
    let intervals = Catoni::intervals(&values, 20.0, 0.01, &at);
    assert_eq!(intervals.len(), at.len());
    for (n, found) in at.iter().zip(intervals) {
        let known = Catoni::interval(&values[..*n], 20.0, 0.01);
        let ((lo, hi), (low, high)) = found.zip(known).expect("some mean fits");
        assert!(
            (lo - low).abs() < 1e-8 && (hi - high).abs() < 1e-8,
            "{n}: {lo} {low}, {hi} {high}"
        );
    }
}

/// Values far beyond what the variance foretells: each multiplies K many times over. At the number
/// that is likely, which need not be whole, K is at its level.
#[test]
fn strong_evidence_needs_as_many_as_the_definition_says() {
    for (value, alpha) in [(1e3, 1e-30), (1e3, 0.9), (1.0, 0.9), (1.0, 1e-30)] {
        let n = Catoni::likely(&[value; 3], 0.0, 1.0, alpha).unwrap();
        let ln_k = |tilt: f64| n * (phi(tilt * value) - 0.5 * tilt * tilt);
        let all = tilts(1.0, alpha).map(ln_k);
        let level = libm::log(2.0 / alpha);
        assert!(
            (ln_mean_exp(&all) - level).abs() < 1e-9,
            "{value} {alpha}: {n}"
        );
    }
}

/// Intervals of many counts are as exact for small quantities as for large ones.
#[test]
fn the_tolerance_is_a_share_of_the_deviation() {
    let (values, at) = (spiked(40), [1, 7, 40]);
    for scale in [1e-6, 1.0, 1e6] {
        let values: Vec<f64> = values.iter().map(|value| scale * value).collect();
        let variance = 50.0 * scale * scale;
        let found = Catoni::intervals(&values, variance, 0.05, &at);
        for (n, found) in at.into_iter().zip(found) {
            let (lo, hi) = found.unwrap();
            let known = Catoni::interval(&values[..n], variance, 0.05).unwrap();
            let most = 2e-9 * libm::sqrt(variance);
            assert!((lo - known.0).abs() <= most && (hi - known.1).abs() <= most);
        }
    }
}

/// Beyond 1e12 the square alone counts: ln(x^2 / 2).
#[test]
fn the_influence_of_what_is_huge_is_the_logarithm_of_its_square() {
    for x in [1e13, 1e200] {
        let known = 2.0 * libm::log(x) - libm::log(2.0);
        assert!((phi(x) - known).abs() < 1e-9 && phi(-x) == -phi(x));
    }
}
