//! Points that fill the unit cube more evenly than chance does.

/// How many points there are.
pub(super) const POINTS: usize = 1 << 18;

/// The most dimensions in which the points are even: of more there are too few.
pub(super) const MOST_DIMENSIONS: usize = 8;

/// Meets each of [`POINTS`] points of the open unit cube, the same in every run: the multiples of
/// phi^-1 .. phi^-d, each less its whole part, where phi^(d + 1) = phi + 1. A share of them that
/// lies on one side of a plane is off by far less than that of as many independent points.
pub(super) fn points(dimensions: usize, mut met: impl FnMut(&[f64])) {
    let mut phi = 2.0f64;
    for _ in 0..64 {
        phi = libm::pow(1.0 + phi, 1.0 / (dimensions as f64 + 1.0));
    }
    let steps: Vec<f64> = std::iter::successors(Some(1.0 / phi), |step| Some(step / phi))
        .take(dimensions)
        .collect();
    let mut point = vec![0.0; dimensions];
    for number in 0..POINTS {
        for (x, step) in point.iter_mut().zip(&steps) {
            let run = 0.5 + number as f64 * step;
            *x = (run - run.floor()).clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0);
        }
        met(&point);
    }
}
