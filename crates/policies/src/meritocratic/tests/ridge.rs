//! The ridge against plain loops, and at the edges of its numbers.

use crate::meritocratic::Ridge;
use kleroterion_core::draw::{Draw, Key, Purpose};

/// V and X'r entry by entry.
struct Plain {
    v: Vec<Vec<f64>>,
    sums: Vec<f64>,
}

impl Plain {
    fn new(dimension: usize, lambda: f64) -> Self {
        let row = |k: usize| (0..dimension).map(move |j| if j == k { lambda } else { 0.0 });
        Self {
            v: (0..dimension).map(|k| row(k).collect()).collect(),
            sums: vec![0.0; dimension],
        }
    }

    fn observe(&mut self, x: &[f64], reward: f64) {
        for (k, row) in self.v.iter_mut().enumerate() {
            for (entry, other) in row.iter_mut().zip(x) {
                *entry += x[k] * other;
            }
            self.sums[k] += reward * x[k];
        }
    }

    /// L with LL' = V, row by row.
    fn factor(&self) -> Vec<Vec<f64>> {
        let mut l: Vec<Vec<f64>> = vec![Vec::new(); self.v.len()];
        for i in 0..self.v.len() {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
                let rest = self.v[i][j] - known;
                let entry = if i == j { rest.sqrt() } else { rest / l[j][j] };
                l[i].push(entry);
            }
        }
        l
    }

    /// V^-1 b.
    fn solve(&self, b: &[f64]) -> Vec<f64> {
        let (l, mut b) = (self.factor(), b.to_vec());
        for i in 0..b.len() {
            let known: f64 = (0..i).map(|k| l[i][k] * b[k]).sum();
            b[i] = (b[i] - known) / l[i][i];
        }
        for i in (0..b.len()).rev() {
            let known: f64 = (i + 1..b.len()).map(|k| l[k][i] * b[k]).sum();
            b[i] = (b[i] - known) / l[i][i];
        }
        b
    }
}

/// A context; where it is of a group, all but a fourth of it and the last number are 0.
fn context(draw: &mut Draw, dimension: usize, group: Option<usize>) -> Vec<f64> {
    let number = |j: usize| {
        let is_zero = group.is_some_and(|group| j % 4 != group && j + 1 < dimension);
        let x = draw.uniform() - 0.3;
        if is_zero { 0.0 } else { x }
    };
    (0..dimension).map(number).collect()
}

#[track_caller]
fn alike(a: f64, b: f64, scale: f64) {
    assert!((a - b).abs() <= 1e-12 * scale, "{a} {b}");
}

#[test]
fn the_ridge_does_what_plain_loops_do() {
    for dimension in [1, 2, 5, 17, 40] {
        for grouped in [false, true] {
            let mut draw = Key::new(3, 0).draw(Purpose::World, dimension as u64, 0);
            let (mut ridge, mut plain) = (Ridge::new(dimension, 0.1), Plain::new(dimension, 0.1));
            for n in 0..150 {
                let x = context(&mut draw, dimension, grouped.then_some(n % 4));
                let due: f64 = x.iter().zip(plain.solve(&x)).map(|(x, y)| x * y).sum();
                let scale = x.iter().map(|x| x * x).sum::<f64>() / 0.1;
                alike(ridge.spread(&x), due, scale);
                let reward = draw.normal();
                assert!(ridge.observe(&x, reward));
                plain.observe(&x, reward);
            }
            let due = plain.solve(&plain.sums);
            let scale = due.iter().fold(1.0f64, |most, mu| most.max(mu.abs()));
            for (mu, due) in ridge.estimate().into_iter().zip(due) {
                alike(mu, due, scale);
            }
            let diagonal = plain.factor().into_iter().zip(0..);
            let log_det: f64 = diagonal.map(|(row, k): (_, usize)| libm::log(row[k])).sum();
            let due = 2.0 * log_det - dimension as f64 * libm::log(0.1);
            alike(ridge.log_det(), due, due.max(1.0));
        }
    }
}

/// Whatever is observed, the estimate stays a number.
#[test]
fn a_context_too_large_for_lambda_is_left_out() {
    for lambda in [5e-324, 1e-300, 1e-8, 0.1, 1e8, 1e300] {
        let mut ridge = Ridge::new(3, lambda);
        let (mut taken, mut draw) = (0, Key::new(9, 0).draw(Purpose::World, 0, 0));
        for n in 0..400 {
            let size = libm::pow(10.0, f64::from(n % 40) * 16.0 - 320.0);
            let x = [1.0, draw.uniform(), f64::from(n % 3)].map(|x| x * size);
            let square: f64 = x.iter().map(|x| x * x).sum();
            let added = ridge.observe(&x, 1.0);
            assert_eq!(added, (square / lambda).is_finite(), "{lambda} {size}");
            taken += u32::from(added);
            let numbers = ridge.estimate();
            assert!(
                numbers.iter().all(|mu| mu.is_finite()),
                "{lambda} {size} {numbers:?}"
            );
            assert!(ridge.log_det() >= 0.0 && ridge.spread(&[1.0; 3]) >= 0.0);
        }
        assert!(taken > 0 && taken < 400, "{lambda}: {taken}");
        assert!(!ridge.observe(&[0.0; 3], f64::NAN));
        assert!(!ridge.observe(&[f64::NAN, 0.0, 0.0], 1.0));
    }
}
