use super::*;
use kleroterion_core::draw::{Key, Purpose};

/// People whose labels follow a law, column j of size 10^j.
fn people(n: usize, d: usize, seed: u64) -> (Vec<f64>, Vec<bool>) {
    let mut draw = Key::new(seed, 0).draw(Purpose::World, 0, 0);
    let mut features = Vec::new();
    let mut labels = Vec::new();
    for _ in 0..n {
        let x: Vec<f64> = (0..d).map(|_| draw.normal() + 0.3).collect();
        let z = x.iter().sum::<f64>() - 1.0;
        labels.push(draw.uniform() < 1.0 / (1.0 + libm::exp(-z)));
        let mut size = 1.0;
        features.extend(x.iter().map(|x| {
            size *= 10.0;
            x * size
        }));
    }
    (features, labels)
}

fn fitted(features: &[f64], width: usize, labels: &[bool]) -> Logistic {
    let cases = Cases {
        features,
        width,
        labels,
    };
    Logistic::of(&cases).unwrap()
}

/// The objective as it is defined.
fn objective(features: &[f64], width: usize, labels: &[bool], weights: &[f64]) -> f64 {
    let mut value = weights.iter().map(|w| w * w).sum::<f64>() / 2.0;
    for (x, label) in features.chunks(width).zip(labels) {
        let z: f64 = x.iter().zip(weights).map(|(x, w)| x * w).sum();
        value += libm::log1p(libm::exp(if *label { -z } else { z }));
    }
    value
}

/// One feature that is always 1 and the labels k of n: w + n / (1 + e^-w) = k, by bisection.
#[test]
fn one_constant_feature() {
    for (n, k) in [(1, 1), (1, 0), (10, 3), (10, 5), (1000, 999)] {
        let labels: Vec<bool> = (0..n).map(|i| i < k).collect();
        let ours = fitted(&vec![1.0; n], 1, &labels).weights[0];
        let (mut low, mut high) = (-50.0, 50.0);
        for _ in 0..200 {
            let w: f64 = (low + high) / 2.0;
            match w + n as f64 / (1.0 + libm::exp(-w)) > k as f64 {
                true => high = w,
                false => low = w,
            }
        }
        assert!((ours - low).abs() < 1e-9, "{k} of {n}: {ours} {low}");
    }
}

/// No small step along any axis makes the objective smaller, whatever the scales of the columns.
#[test]
fn nothing_near_is_better() {
    for (n, d, seed) in [(50, 1, 1), (200, 4, 2), (100, 6, 3)] {
        let (features, labels) = people(n, d, seed);
        let fit = fitted(&features, d, &labels);
        let best = objective(&features, d, &labels, &fit.weights);
        for j in 0..d {
            let size = libm::pow(10.0, -(j as f64 + 1.0));
            for by in [1e-4, -1e-4] {
                let mut other = fit.weights.clone();
                other[j] += by * size;
                let value = objective(&features, d, &labels, &other);
                assert!(value > best, "{n} {d}: column {j} by {by}: {value} {best}");
            }
        }
        let Convergence { gradient, step, .. } = fit.convergence;
        assert!(gradient <= FLAT && step <= 1e-8, "{gradient} {step}");
    }
}

/// Labels that a line parts have an optimum all the same, and columns that say the same share the
/// weight.
#[test]
fn parted_labels_and_twin_columns() {
    let once = fitted(&[-2.0, -1.0, 1.0, 2.0], 1, &[false, false, true, true]);
    let w = once.weights[0];
    let rest = w - 2.0 * (1.0 / (1.0 + libm::exp(w)) + 2.0 / (1.0 + libm::exp(2.0 * w)));
    assert!(rest.abs() < 1e-9, "{w}");
    let twins = [-2.0, -2.0, -1.0, -1.0, 1.0, 1.0, 2.0, 2.0];
    let twice = fitted(&twins, 2, &[false, false, true, true]);
    assert!((twice.weights[0] - twice.weights[1]).abs() < 1e-9);
}

#[test]
fn a_column_of_nothing_has_no_weight() {
    let fit = fitted(&[0.0, 1.0, 0.0, 1.0, 0.0, 2.0], 2, &[true, false, true]);
    assert_eq!(fit.weights[0], 0.0);
}

#[test]
fn sizes_beyond_all_bounds_are_told() {
    let cases = Cases {
        features: &[1e200, 1.0, -1e200, 3.0],
        width: 2,
        labels: &[true, false],
    };
    assert!(Logistic::of(&cases).is_err());
}

/// Exchanging the labels turns the weights.
#[test]
fn labels_the_other_way_round() {
    let (features, labels) = people(80, 3, 5);
    let other: Vec<bool> = labels.iter().map(|label| !label).collect();
    let (one, two) = (fitted(&features, 3, &labels), fitted(&features, 3, &other));
    for (a, b) in one.weights.iter().zip(&two.weights) {
        assert!((a + b).abs() <= 1e-9 * a.abs(), "{a} {b}");
    }
}

/// By one step what a fit without the person gives, but for a small part of what the person moves.
#[test]
fn weights_without_each_person() {
    let (n, d) = (80, 3);
    let (features, labels) = people(n, d, 5);
    let all = fitted(&features, d, &labels);
    let cases = Cases {
        features: &features,
        width: d,
        labels: &labels,
    };
    let each = all.without_each(&cases).unwrap();
    assert_eq!(each.len(), n);
    for (left_out, ours) in each.iter().enumerate() {
        let (mut features, mut labels) = (features.clone(), labels.clone());
        features.drain(left_out * d..(left_out + 1) * d);
        labels.remove(left_out);
        let due = fitted(&features, d, &labels).weights;
        let scores = |w: &[f64]| cases.scores(w);
        let (due, ours, before) = (scores(&due), scores(ours), scores(&all.weights));
        let gap = |a: &[f64], b: &[f64]| -> f64 {
            let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
            squares.sum::<f64>().sqrt()
        };
        let (off, moved) = (gap(&ours, &due), gap(&before, &due));
        assert!(off <= 0.15 * moved, "{left_out}: {off} of {moved}");
    }
}
