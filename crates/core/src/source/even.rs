//! Points that fill the unit cube more evenly than chance does.

/// The number of points.
pub(super) const POINTS: usize = 1 << 20;

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

#[cfg(test)]
mod tests {
    use super::*;

    /// The golden ratio, the plastic number and the next: phi^(d + 1) = phi + 1.
    #[test]
    fn points_go_by_the_powers_of_a_root() {
        for (dimensions, phi) in [
            (1, f64::midpoint(1.0, 5.0_f64.sqrt())),
            (2, 1.324_717_957_244_746),
            (3, 1.220_744_084_605_759_5),
        ] {
            let mut met = Vec::new();
            points(dimensions, |point| {
                if met.len() < 3 {
                    met.push(point.to_vec());
                }
            });
            for (number, point) in (0..).zip(met) {
                let mut step = 1.0;
                for x in point {
                    step /= phi;
                    let run = 0.5 + f64::from(number) * step;
                    assert!((x - run.fract()).abs() < 1e-12, "{dimensions}: {number}");
                }
            }
        }
    }

    /// Each tenth of each side has a tenth of a million points, except for a few.
    #[test]
    fn each_part_of_a_side_has_its_share_of_the_points() {
        let mut tenths = [[0_u32; 10]; 2];
        let mut all = 0;
        points(2, |point| {
            all += 1;
            for (tenths, x) in tenths.iter_mut().zip(point) {
                assert!(*x > 0.0 && *x < 1.0);
                tenths[(x * 10.0) as usize] += 1;
            }
        });
        assert_eq!(all, POINTS);
        let due = POINTS as f64 / 10.0;
        let tenths = tenths.iter().flatten();
        assert!(tenths.copied().all(|n| (f64::from(n) - due).abs() < 30.0));
    }
}
