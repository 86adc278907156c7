//! The growth of a measure over a run or over instances, as slopes on logarithms.

use super::error::Result;
use super::estimate::StudyEstimate;
use super::played::StudyRun;

impl StudyRun {
    /// Returns the moments at which a policy's metric was read, in order.
    ///
    /// # Errors
    /// Where no policy has the label, or it was never read.
    pub fn moments(&self, label: &str, metric: &str) -> Result<Vec<u64>> {
        let first = self.policy(label)?.row(0);
        let places = first.filter(|(place, _)| &*place.metric == metric);
        let moments: Vec<u64> = places.filter_map(|(place, _)| place.at).collect();
        match moments.is_empty() {
            true => Err(self.lacks(&format!("{metric} of {label} over the run"))),
            false => Ok(moments),
        }
    }

    /// Estimates the exponent a of mean ~ t^a. It is the slope of the least-squares line through
    /// the logarithms of the metric's mean and of the moment, from `from` to `to`. Its standard
    /// error is the jackknife's over replications.
    ///
    /// # Errors
    /// As [`StudyRun::values`], and where there are fewer than two moments or a mean is not above
    /// 0.
    pub fn growth(&self, label: &str, metric: &str, [from, to]: [u64; 2]) -> Result<StudyEstimate> {
        let mut moments = self.moments(label, metric)?;
        moments.retain(|at| (from..=to).contains(at));
        let columns = moments
            .iter()
            .map(|at| self.values(label, metric, Some(*at)))
            .collect::<Result<Vec<_>>>()?;
        exponent(&moments, &columns).ok_or_else(|| {
            self.lacks(&format!(
                "a growth of {metric} of {label} from {from} to {to}"
            ))
        })
    }
}

/// Returns the exponent of columns of values: one column per moment, one value per replication.
fn exponent(moments: &[u64], columns: &[Vec<f64>]) -> Option<StudyEstimate> {
    let sums: Vec<f64> = columns.iter().map(|column| column.iter().sum()).collect();
    let n = columns.first()?.len();
    StudyEstimate::jackknife(n, |left_out| {
        let rest = moments.iter().zip(sums.iter().zip(columns));
        let points = rest.map(|(at, (sum, column))| {
            let rest = sum - left_out.map_or(0.0, |nth| column[nth]);
            (*at as f64, rest)
        });
        slope(points)
    })
}

/// Returns the slope of points (x, y) on logarithms, with the jackknife's standard error over the
/// points.
pub(super) fn slope_of(points: Vec<(f64, f64)>) -> Option<StudyEstimate> {
    StudyEstimate::jackknife(points.len(), |left_out| {
        let rest = (0..).zip(&points).filter(|(at, _)| Some(*at) != left_out);
        slope(rest.map(|(_, point)| *point))
    })
}

/// Returns the slope of the least-squares line through the logarithms of points (x, y).
fn slope(points: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (x, y): (Vec<f64>, Vec<f64>) = points.map(|(x, y)| (libm::log(x), libm::log(y))).unzip();
    let centred = |logs: Vec<f64>| -> Vec<f64> {
        let centre = logs.iter().sum::<f64>() / logs.len() as f64;
        logs.into_iter().map(|log| log - centre).collect()
    };
    let (x, y) = (centred(x), centred(y));
    let over: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
    let slope = over / x.iter().map(|x| x * x).sum::<f64>();
    slope.is_finite().then_some(slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_has_its_exponent_and_no_error() {
        let moments = [10, 100, 1000, 5000];
        let column = |at: &u64| vec![3.0 * (*at as f64).sqrt(); 4];
        let columns: Vec<Vec<f64>> = moments.iter().map(column).collect();
        let found = exponent(&moments, &columns).unwrap();
        assert!((found.mean - 0.5).abs() < 1e-12 && found.n == 4);
        assert!(found.se.unwrap() < 1e-12);
    }

    /// Two moments: the slope is log(mean b / mean a) / log 10, whose error to first order is the
    /// textbook's of a ratio.
    #[test]
    fn the_jackknife_meets_the_textbook() {
        let a: Vec<f64> = (0..400)
            .map(|i| 10.0 + f64::from(i * 7 % 11) / 50.0)
            .collect();
        let b: Vec<f64> = (0..400)
            .map(|i| 40.0 + f64::from(i * 5 % 13) / 20.0)
            .collect();
        let found = exponent(&[10, 100], &[a.clone(), b.clone()]).unwrap();
        let mean = |v: &[f64]| v.iter().sum::<f64>() / 400.0;
        let (ma, mb) = (mean(&a), mean(&b));
        let pull: Vec<f64> = a.iter().zip(&b).map(|(a, b)| b / mb - a / ma).collect();
        let se = StudyEstimate::of(&pull).unwrap().se.unwrap() / libm::log(10.0);
        assert!((found.mean - libm::log(mb / ma) / libm::log(10.0)).abs() < 1e-12);
        assert!((found.se.unwrap() / se - 1.0).abs() < 0.01);
    }

    #[test]
    fn what_has_no_growth_has_none() {
        assert_eq!(exponent(&[10], &[vec![1.0, 2.0]]), None);
        assert_eq!(exponent(&[10, 20], &[vec![0.0, 0.0], vec![1.0, 1.0]]), None);
        assert_eq!(exponent(&[], &[]), None);
        let once = exponent(&[10, 20], &[vec![1.0], vec![2.0]]).unwrap();
        assert_eq!(once.se, None);
    }

    #[test]
    fn points_on_a_power_have_its_slope_and_no_error() {
        let power = |x: f64| (x, 5.0 * x * x.sqrt());
        let found = slope_of([1.0, 7.0, 50.0, 900.0].map(power).into()).unwrap();
        assert!((found.mean - 1.5).abs() < 1e-12 && found.se.unwrap() < 1e-12);
        assert!(slope_of(vec![(2.0, 1.0), (2.0, 3.0)]).is_none());
    }
}
