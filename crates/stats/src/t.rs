//! The plain t interval: for a number of replications fixed beforehand, not valid under peeking.

use statrs::distribution::{Continuous, ContinuousCDF, Normal, StudentsT};

use super::stats::Stats;

/// The name of this method in `summary.json`.
pub const METHOD: &str = "t (fixed n)";

/// Returns the t with `P(T > t) = tail` under Student's t with `freedom` degrees; `0 < tail <=
/// 1/2`, `freedom >= 1`.
pub fn t_quantile(tail: f64, freedom: f64) -> f64 {
    let t = StudentsT::new(0.0, 1.0, freedom).expect("degrees of freedom are at least 1");
    // statrs' inverse loses digits as the degrees grow (3e-3 relative at a million), its tail does
    // not: a few Newton steps on the tail, which is convex here, bring them back.
    let mut quantile = -t.inverse_cdf(tail);
    for _ in 0..4 {
        let step = (t.sf(quantile) - tail) / t.pdf(quantile);
        if step.is_finite() {
            quantile += step;
        }
    }
    quantile
}

/// Returns the z with `P(Z > z) = tail` under the standard normal; `0 < tail <= 1/2`.
pub fn normal_quantile(tail: f64) -> f64 {
    -Normal::standard().inverse_cdf(tail)
}

/// Returns the two-sided interval of level `1 - alpha` for a mean of `n` values with standard error
/// `se`: `mean -+ t(alpha/2, n-1) se`. `None` for fewer than two values.
pub fn t_interval(mean: f64, se: f64, n: u64, alpha: f64) -> Option<(f64, f64)> {
    if n < 2 {
        return None;
    }
    let half = t_quantile(alpha / 2.0, (n - 1) as f64) * se;
    let (lo, hi) = (mean - half, mean + half);
    (lo.is_finite() && hi.is_finite()).then_some((lo, hi))
}

/// Estimates the number of further replications until the verdict is decided, at least 1. The
/// verdict is decided once z(alpha/2) sd/sqrt(n) falls below the mean. With a margin it is also
/// decided once that falls below the distance between mean and margin. `None` if neither ever
/// happens, or at n = 1.
pub fn needed(stats: &Stats, alpha: f64, margin: Option<f64>) -> Option<u64> {
    let reach = normal_quantile(alpha / 2.0) * stats.sd?;
    let size = stats.mean.abs();
    let gaps = [Some(size), margin.map(|margin| margin - size)];
    let gaps = gaps.into_iter().flatten().filter(|gap| *gap > 0.0);
    let enough = gaps
        .map(|gap| (reach / gap) * (reach / gap))
        .min_by(f64::total_cmp)?;
    // A float beyond u64 becomes u64::MAX.
    Some((enough.ceil() as u64).saturating_sub(stats.n).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(ours: f64, known: f64, relative: f64) {
        let gap = ((ours - known) / known).abs();
        assert!(gap <= relative, "{ours} against {known}: {gap:e}");
    }

    /// One degree is Cauchy, two have t = (1 - 2p) sqrt(2 / (4 p (1 - p))).
    #[test]
    fn closed_forms_at_one_and_two_degrees() {
        for tail in [0.4, 0.2, 0.1, 0.025, 0.00625, 1e-4, 1e-6] {
            let cauchy = 1.0 / tan(std::f64::consts::PI * tail);
            assert_close(t_quantile(tail, 1.0), cauchy, 1e-9);
            let two = (1.0 - 2.0 * tail) * (2.0 / (4.0 * tail * (1.0 - tail))).sqrt();
            assert_close(t_quantile(tail, 2.0), two, 1e-9);
        }
    }

    fn tan(x: f64) -> f64 {
        libm::sin(x) / libm::cos(x)
    }

    /// The tail by its finite trigonometric series (Abramowitz and Stegun 26.7.3 and 26.7.4).
    fn tail_by_series(t: f64, freedom: u32) -> f64 {
        let angle = (t / f64::from(freedom).sqrt()).atan();
        let (sin, cos) = angle.sin_cos();
        let odd = freedom % 2;
        let (mut sum, mut term) = (0.0, if odd == 1 { cos } else { 1.0 });
        for k in 0..(freedom - odd) / 2 {
            sum += term;
            let k = f64::from(2 * k + odd);
            term *= cos * cos * (k + 1.0) / (k + 2.0);
        }
        let inside = if odd == 1 {
            std::f64::consts::FRAC_2_PI * (angle + sin * sum)
        } else {
            sin * sum
        };
        0.5 * (1.0 - inside)
    }

    #[test]
    fn the_tail_beyond_the_quantile_is_as_asked() {
        for freedom in [1, 2, 3, 4, 9, 10, 49, 99, 199, 1999] {
            for tail in [0.25, 0.025, 0.00625, 0.0005] {
                let t = t_quantile(tail, f64::from(freedom));
                assert_close(tail_by_series(t, freedom), tail, 1e-9);
            }
        }
    }

    /// Digits from published tables.
    #[test]
    fn tables() {
        assert_close(t_quantile(0.025, 4.0), 2.776_445_105, 1e-9);
        assert_close(t_quantile(0.025, 9.0), 2.262_157_163, 1e-9);
        assert_close(t_quantile(0.025, 30.0), 2.042_272_456, 1e-9);
        assert_close(normal_quantile(0.025), 1.959_963_984_540_054, 1e-9);
    }

    /// Far out, t = z + (z^3 + z)/(4 v) + O(1/v^2): the raw inverse of the library misses this by
    /// 6e-5.
    #[test]
    fn large_degrees_meet_the_normal() {
        let z = 1.959_963_984_540_054_f64;
        for freedom in [1e4, 1e5, 1e6] {
            let known = z
                + (z.powi(3) + z) / (4.0 * freedom)
                + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * freedom * freedom);
            assert_close(t_quantile(0.025, freedom), known, 1e-9);
        }
    }

    /// 1, 2, 3, 4, 5: mean 3, se 1/sqrt 2, t(.025, 4) = 2.776445.
    #[test]
    fn an_interval_by_hand() {
        let (lo, hi) = t_interval(3.0, 0.5_f64.sqrt(), 5, 0.05).unwrap();
        assert_close(lo, 1.036_756_838_522_439, 1e-12);
        assert_close(hi, 4.963_243_161_477_561, 1e-12);
    }

    #[test]
    fn no_interval_where_there_is_none() {
        assert_eq!(t_interval(1.0, 0.0, 1, 0.05), None);
        assert_eq!(t_interval(1.0, 0.0, 0, 0.05), None);
        assert_eq!(t_interval(0.0, f64::MAX, 2, 0.05), None);
        // Where one end alone is out of bounds.
        assert_eq!(t_interval(1e308, 1e307, 2, 0.05), None);
        assert_eq!(t_interval(-1e308, 1e307, 2, 0.05), None);
        assert_eq!(t_interval(1.5, 0.0, 2, 0.05), Some((1.5, 1.5)));
    }

    /// sd 1, mean .25, alpha .05: (1.96/.25)^2 = 61.46; the mean 0 needs for ever, but for a
    /// margin.
    #[test]
    fn how_many_more() {
        let stats = |mean: f64| Stats {
            n: 10,
            mean,
            sd: Some(1.0),
            se: Some(0.1_f64.sqrt()),
            median: mean,
            min: mean,
            max: mean,
        };
        assert_eq!(needed(&stats(0.25), 0.05, None), Some(52));
        assert_eq!(needed(&stats(-0.25), 0.05, None), Some(52));
        assert_eq!(needed(&stats(-0.25), 0.05, Some(0.75)), Some(6));
        assert_eq!(needed(&stats(0.0), 0.05, None), None);
        assert_eq!(needed(&stats(0.0), 0.05, Some(0.5)), Some(6));
        assert_eq!(needed(&stats(9.0), 0.05, None), Some(1));
        let twice = Stats {
            sd: Some(2.0),
            ..stats(0.25)
        };
        assert_eq!(needed(&twice, 0.05, None), Some(236));
        assert_eq!(needed(&stats(1e-300), 0.05, None), Some(u64::MAX - 10));
    }

    #[test]
    fn no_alpha_left_is_no_interval() {
        assert_eq!(t_interval(1.0, 1.0, 5, 0.0), None);
        assert_eq!(t_interval(1.0, 0.0, 5, 0.0), None);
    }
}
