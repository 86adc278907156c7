//! Beta numbers from gamma numbers, those by rejection from normals (Marsaglia and Tsang 2000).

use super::Draw;

/// Draws a number of the beta law with two parameters of at least 1. It takes as many words as the
/// rejection needs.
///
/// # Panics
/// Panics if a parameter is below 1 or not finite.
#[must_use]
pub fn beta(draw: &mut Draw, a: f64, b: f64) -> f64 {
    assert!(a >= 1.0 && b >= 1.0 && a.is_finite() && b.is_finite());
    let (x, y) = (gamma(draw, a), gamma(draw, b));
    x / (x + y)
}

/// A number of the gamma law of scale 1.
fn gamma(draw: &mut Draw, shape: f64) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = draw.normal();
        let root = 1.0 + c * x;
        let v = root * root * root;
        // In (0, 1], so that the logarithm is finite.
        let u = 1.0 - draw.uniform();
        if v > 0.0 && libm::log(u) < 0.5 * x * x + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Key, Purpose};

    #[test]
    fn numbers_have_the_laws_mean_and_variance() {
        let mut draw = Key::new(2, 0).draw(Purpose::World, 0, 0);
        for (a, b) in [(1.0, 1.0), (1.0, 30.0), (62.0, 1_940.0)] {
            let n = 100_000;
            let drawn = (0..n).map(|_| beta(&mut draw, a, b));
            let (sum, squares) = drawn.fold((0.0, 0.0), |(s, q), x| (s + x, q + x * x));
            let (mean, variance) = (sum / f64::from(n), squares / f64::from(n));
            let due = a / (a + b);
            let spread = a * b / ((a + b) * (a + b) * (a + b + 1.0));
            assert!(
                (mean - due).abs() < 4.0 * (spread / f64::from(n)).sqrt(),
                "{mean}"
            );
            assert!(
                (variance - mean * mean - spread).abs() < 0.05 * spread,
                "{a} {b}"
            );
        }
    }
}
