//! The distribution of merits in a group: exactly, or as a held-out sample has it.

/// The CDF of bias + sum_i w_i U_i, U_i independent and uniform on \[0, 1\]; weights of any sign.
///
/// F(r) = (1 / (n! prod w)) sum_S (-1)^|S| (r - bias - sum_S w)_+^n over all subsets S of n
/// positive weights, clipped to \[0, 1\]; a negative weight w is -w with the bias moved by w. Above
/// the middle it is 1 - F of the mirrored point, so that the terms that cancel are few.
///
/// ```
/// use kleroterion_core::source::UniformSum;
///
/// let sum = UniformSum::new(1.0, &[2.0, -2.0]).unwrap();
/// assert_eq!([-1.0, 0.0, 1.0, 2.0, 3.0].map(|r| sum.cdf(r)), [0.0, 0.125, 0.5, 0.875, 1.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct UniformSum {
    low: f64,
    width: f64,
    /// Positive, as shares of the width.
    weights: Vec<f64>,
    /// 1 / (n! prod weights).
    factor: f64,
}

impl UniformSum {
    /// Makes the sum of a bias and weighted uniforms, all finite. `None` if rounding could spoil
    /// more than nine digits, as with many or unequal weights.
    #[must_use]
    pub fn new(bias: f64, weights: &[f64]) -> Option<Self> {
        const WEIGHTS: usize = 16;
        let used = weights.iter().filter(|w| **w != 0.0);
        let low = used.clone().fold(bias, |low, w| low + w.min(0.0));
        let width: f64 = used.clone().map(|w| w.abs()).sum();
        let weights: Vec<f64> = used.map(|w| w.abs() / width).collect();
        let factor: f64 = (1..)
            .zip(&weights)
            .map(|(i, w)| 1.0 / (f64::from(i) * w))
            .product();
        // Each of the 2^n terms is at most 1 times the factor, and off by a few units in the last
        // place.
        let error = factor * (1u32 << weights.len().min(31)) as f64 * f64::EPSILON;
        let sound = weights.len() <= WEIGHTS && error < 1e-9;
        (sound && low.is_finite() && width.is_finite()).then_some(Self {
            low,
            width,
            weights,
            factor,
        })
    }

    /// Returns F(r).
    #[must_use]
    pub fn cdf(&self, r: f64) -> f64 {
        if self.weights.is_empty() {
            // A merit is a sum of rounded products: it may fall short of the bias by some units in
            // the last place.
            let slack = 1e-12 * self.low.abs().max(1.0);
            return f64::from(r >= self.low - slack);
        }
        let at = (r - self.low) / self.width;
        if at > 0.5 {
            1.0 - self.below(1.0 - at)
        } else {
            self.below(at)
        }
    }

    /// F at a share of the width, for shares up to the middle.
    fn below(&self, at: f64) -> f64 {
        if at <= 0.0 {
            return 0.0;
        }
        let mut sum = 0.0;
        for subset in 0..1u32 << self.weights.len() {
            let members = self.weights.iter().enumerate();
            let members = members.filter(|(i, _)| subset >> i & 1 == 1);
            let rest = at - members.map(|(_, w)| w).sum::<f64>();
            if rest > 0.0 {
                let power: f64 = self.weights.iter().map(|_| rest).product();
                let odd = subset.count_ones() % 2 == 1;
                sum += if odd { -power } else { power };
            }
        }
        (sum * self.factor).clamp(0.0, 1.0)
    }
}

/// The CDF of a sample: the share of its members, or of their weight, that are no greater.
#[derive(Clone, Debug, PartialEq)]
pub struct EmpiricalCdf {
    sorted: Vec<f64>,
    /// The weight of each and of all before it; empty where all weigh the same.
    weights: Vec<f64>,
}

impl EmpiricalCdf {
    /// Makes the CDF of a sample, in any order.
    #[must_use]
    pub fn new(mut sample: Vec<f64>) -> Self {
        sample.sort_by(f64::total_cmp);
        Self {
            sorted: sample,
            weights: Vec::new(),
        }
    }

    /// Makes the CDF of a sample of (value, weight), in any order; weights are not negative.
    #[must_use]
    pub fn weighted(mut sample: Vec<(f64, f64)>) -> Self {
        sample.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut sum = 0.0;
        let weights = sample.iter().map(|(_, weight)| {
            sum += weight;
            sum
        });
        Self {
            weights: weights.collect(),
            sorted: sample.into_iter().map(|(value, _)| value).collect(),
        }
    }

    /// Returns F(r); 0 for an empty sample, and for one of weight 0.
    #[must_use]
    pub fn cdf(&self, r: f64) -> f64 {
        let count = self.sorted.partition_point(|x| *x <= r);
        match self.weights.last() {
            None => count as f64 / self.sorted.len().max(1) as f64,
            Some(all) if *all > 0.0 && count > 0 => self.weights[count - 1] / all,
            Some(_) => 0.0,
        }
    }
}

/// The CDF of a group's merits.
#[derive(Clone, Debug, PartialEq)]
pub enum MeritCdf {
    /// Exact: merits are sums of weighted uniforms.
    Exact(UniformSum),
    /// Estimated from a held-out sample.
    Empirical(EmpiricalCdf),
}

impl MeritCdf {
    /// Returns F(r).
    #[must_use]
    pub fn cdf(&self, r: f64) -> f64 {
        match self {
            Self::Exact(sum) => sum.cdf(r),
            Self::Empirical(sample) => sample.cdf(r),
        }
    }
}

/// The number of points.
pub(super) const POINTS: usize = 1 << 20;

/// The most dimensions in which the points are even: of more there are too few.
pub(super) const EVEN_DIMENSIONS: usize = 8;

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
    use crate::draw::{Key, Purpose};

    #[test]
    fn closed_forms() {
        let one = UniformSum::new(3.0, &[4.0]).unwrap();
        assert_eq!(
            [2.0, 3.0, 4.0, 7.0, 8.0].map(|r| one.cdf(r)),
            [0.0, 0.0, 0.25, 1.0, 1.0]
        );
        // Irwin and Hall: the sum of four, F(1) = 1/24, F(1.5) = (1.5^4 - 4 .5^4) / 24.
        let four = UniformSum::new(0.0, &[1.0; 4]).unwrap();
        for (r, f) in [
            (1.0, 1.0 / 24.0),
            (1.5, 4.8125 / 24.0),
            (2.0, 0.5),
            (3.0, 23.0 / 24.0),
        ] {
            assert!((four.cdf(r) - f).abs() < 1e-14, "{r}");
        }
        // A trapezoid of sides 1 and 3: F(1) = 1/6, F(3) = 5/6.
        let two = UniformSum::new(0.0, &[3.0, 1.0, 0.0]).unwrap();
        assert!((two.cdf(1.0) - 1.0 / 6.0).abs() < 1e-15);
        assert!((two.cdf(3.0) - 5.0 / 6.0).abs() < 1e-15);
        let none = UniformSum::new(0.3, &[0.0]).unwrap();
        assert_eq!([0.29, 0.3, 0.1 + 0.2].map(|r| none.cdf(r)), [0.0, 1.0, 1.0]);
    }

    #[test]
    fn rising_and_within_bounds() {
        for weights in [
            vec![4.0, 3.0, 7.0],
            vec![1e-3, 1.0, 5.0, -2.0, 0.3],
            vec![1.0; 8],
        ] {
            let sum = UniformSum::new(-1.0, &weights).unwrap();
            let mut last = 0.0;
            for step in 0..=3000 {
                let f = sum.cdf(-4.0 + f64::from(step) * 0.01);
                assert!(
                    f >= last - 1e-10 && f <= 1.0,
                    "{weights:?} {step}: {f} after {last}"
                );
                last = f;
            }
            assert_eq!(last, 1.0);
        }
    }

    #[test]
    fn what_rounding_would_spoil_is_refused() {
        assert_eq!(UniformSum::new(0.0, &[1.0, 1e-4, 1e-4, 1e-4]), None);
        assert_eq!(UniformSum::new(0.0, &[1.0; 17]), None);
        assert_eq!(UniformSum::new(f64::NAN, &[1.0]), None);
        assert_eq!(UniformSum::new(0.0, &[f64::MAX, f64::MAX]), None);
    }

    #[test]
    fn simulation_and_the_sample_agree_with_the_formula() {
        let n = 40_000;
        for (who, weights) in [[4.0, 3.0, 7.0, 0.0, 0.0], [1.0, -0.25, 0.4, 0.3, 0.6]]
            .iter()
            .enumerate()
        {
            let sum = UniformSum::new(0.5, weights).unwrap();
            let mut draw = Key::new(4, 0).draw(Purpose::World, who as u64, 0);
            let sample = (0..n).map(|_| weights.iter().fold(0.5, |r, w| r + w * draw.uniform()));
            let sample: Vec<f64> = sample.collect();
            let empirical = EmpiricalCdf::new(sample.clone());
            let gap = sample
                .iter()
                .map(|&r| (empirical.cdf(r) - sum.cdf(r)).abs());
            // Kolmogorov: above 1.95 / sqrt(n) once in a thousand.
            let gap = gap.fold(0.0, f64::max);
            assert!(gap < 1.95 / f64::from(n).sqrt(), "{weights:?}: {gap}");
        }
        assert_eq!(EmpiricalCdf::new(vec![]).cdf(0.0), 0.0);
    }

    #[test]
    fn a_weighted_sample() {
        let cdf = EmpiricalCdf::weighted(vec![(2.0, 1.0), (1.0, 3.0), (2.0, 0.0), (5.0, 4.0)]);
        assert_eq!(
            [0.9, 1.0, 1.9, 2.0, 4.9, 5.0, 6.0].map(|r| cdf.cdf(r)),
            [0.0, 0.375, 0.375, 0.5, 0.5, 1.0, 1.0]
        );
        assert_eq!(EmpiricalCdf::weighted(vec![(1.0, 0.0)]).cdf(2.0), 0.0);
        assert_eq!(EmpiricalCdf::weighted(vec![]).cdf(2.0), 0.0);
    }
}

#[cfg(test)]
mod even_tests {
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
